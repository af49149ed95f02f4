//! What was asked: words, phrases, exclusions, filters and days.
//!
//! A question is read as prose first. What looks like search syntax counts only where prose would not have
//! it: `"several words"` is a phrase, `-word` leaves documents out, `field:value` narrows the scope for the
//! fields of [`Scope`]. Everything else, `fix: something` and `--flag` among it, is words.

mod neighbours;
mod syntax;

pub use neighbours::Neighbours;

use crate::language::Language;
use crate::search::asks::Asks;
use crate::search::cue::Cue;
use crate::search::scope::Scope;
use crate::search::spelling::Meant;
use crate::search::tokens::{Token, TokenKind, runs, tokens};
use crate::search::word::{Spelling, Word};
use crate::slug::Slug;
use crate::span::Span;
use crate::time::Date;
use crate::when::{self, DateWords, Exactness};
use crate::words::{folded_words, has_nouns_in_capitals};
use syntax::{Piece, pieces};

/// Words of a question that are looked up; what a paste of a whole document adds says little.
const WORDS_MAX: usize = 64;
/// How many months off a day may be that is meant by a day and a month without a year, before all that there is.
const COMING_MONTHS_MAX: i64 = 6;
/// Longest name of a thing that is looked for in a question, in words.
const NAME_WORDS_MAX: usize = 4;
/// What a further word of another name counts of the name that was asked for.
const PART_OF_NAME: f32 = 0.6;
/// What saying a word again adds.
const AGAIN: f32 = 0.5;

/// A question as it is looked up.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Question {
    /// As it was asked.
    pub text: String,
    /// Its words, each once, in order.
    pub words: Vec<Word>,
    /// Positions in `words` of words that follow each other, function words aside.
    pub pairs: Vec<(usize, usize)>,
    /// Phrases: the words of each as they must follow each other, folded.
    pub phrases: Vec<Vec<String>>,
    /// Positions in `words` that every passage must have: those of phrases.
    pub required: Vec<usize>,
    /// Positions in `words` that no document may have.
    pub banned: Vec<usize>,
    /// What was asked about, by `field:value`.
    pub scope: Scope,
    /// The days it names.
    pub days: Vec<DateWords>,
    /// The day on which it is asked what held, where the caller names one: that says what holds, and nothing of when it was
    /// said.
    pub on: Option<Date>,
    /// Whether it says nothing but function words and dates.
    pub is_filler: bool,
    /// Whether it asks for what was first, or for what holds now.
    pub cue: Option<Cue>,
    /// Whether it is in a language in which every noun has a capital.
    has_nouns_in_capitals: bool,
    /// Languages that the terms are made for.
    languages: Vec<Language>,
}

impl Question {
    /// Returns the question that a text is, without search syntax.
    pub fn plain(text: &str, languages: &[Language]) -> Question {
        let mut question = Question::empty(text, languages);
        question.add_prose(Span::new(0, text.len()));
        question.settle();
        question
    }

    /// Returns the question that a text is, without search syntax, for texts whose language nobody knows: headers.
    pub fn in_every_language(text: &str) -> Question {
        Question::plain(text, &Language::ALL)
    }

    /// Returns the question that a text is, with search syntax.
    pub fn read(text: &str, languages: &[Language]) -> Question {
        let mut question = Question::empty(text, languages);
        for piece in pieces(text) {
            match piece {
                Piece::Prose(span) => question.add_prose(span),
                Piece::Phrase(span) => question.add_phrase(span),
                Piece::Without(span) => question.add_banned(span),
                Piece::Filter(field, value) => question.scope.narrow(field, &value),
            }
        }
        question.settle();
        question
    }

    fn empty(text: &str, languages: &[Language]) -> Question {
        let (cue, has_nouns_in_capitals) = (Cue::of(text), has_nouns_in_capitals(text));
        let (text, languages) = (text.to_owned(), languages.to_vec());
        Question { text, languages, cue, has_nouns_in_capitals, ..Question::default() }
    }

    /// Reads the days that the question names, for somebody who asks `today`.
    pub fn read_days(&mut self, today: Date, day_one: Option<Date>) {
        self.days = when::date_words(&self.text, today, day_one);
        self.days.retain(|days| days.is_sure);
        for days in &mut self.days {
            // Of a day before all that there is, next year's is meant.
            let has_year = days.is_relative
                || days.span.of(&self.text).split(|ch: char| !ch.is_ascii_digit()).any(|run| run.len() == 4);
            if !has_year && days.period.to.zip(day_one).is_some_and(|(to, first)| to < first) {
                let later = |day: Option<Date>| day.and_then(|day| day.checked_add(jiff::Span::new().years(1)).ok());
                let next = when::Period { from: later(days.period.from), to: later(days.period.to) };
                // Unless that is far off.
                let far = today.checked_add(jiff::Span::new().months(COMING_MONTHS_MAX)).unwrap_or(today);
                days.period = if next.from.is_some_and(|from| from <= far) { next } else { days.period };
            }
        }
        self.add_named_days();
        for days in &self.days {
            let inside = |word: &&mut Word| word.span.start >= days.span.start && word.span.end <= days.span.end;
            for word in self.words.iter_mut().filter(inside) {
                word.is_date = true;
                // `last week` stands in no entry of that week; the word for its days does.
                if days.is_relative && word.span != days.span {
                    word.weight = 0.0;
                }
            }
        }
        self.settle();
    }

    /// Asks what held on a day, whatever days its words name.
    pub fn ask_on(&mut self, day: Date) {
        self.days.clear();
        self.on = Some(day);
    }

    /// Returns the day on which it is asked what held: the one that the question names, or the last one of the month.
    /// Whoever asks what became of something asks of no day, and neither does who asks what holds now.
    pub fn held_on(&self) -> Option<Date> {
        let [days] = self.days.as_slice() else { return None };
        // `as of 12 March` asks for what held last, and of that day.
        let (before, after) = (Cue::without_run(&self.text[..days.span.start]), &self.text[days.span.end..]);
        let is_of_now = Cue::of(&before) == Some(Cue::Late) || Cue::of(after) == Some(Cue::Late);
        let is_of_then = !is_of_now && Asks::of(&self.text) != Some(Asks::Change);
        let from = days.period.from.filter(|_| is_of_then)?;
        let is_one = match days.exactness {
            Exactness::Day => days.period.to == Some(from),
            Exactness::Month => true,
            _ => false,
        };
        days.period.to.filter(|_| is_one)
    }

    /// Documents carry their day as a term, so that a question that only says when finds them too.
    fn add_named_days(&mut self) {
        for days in self.days.clone() {
            let forms: Vec<(String, f32)> = days.days().map(|day| (day.to_string(), 1.0)).collect();
            if !forms.is_empty() && !self.words.iter().any(|word| word.forms == forms) {
                let text = days.span.of(&self.text).to_owned();
                let (span, kind) = (days.span, TokenKind::Part);
                self.words.push(Word { weight: 1.0, is_date: true, ..Word::new(text, span, forms, kind) });
            }
        }
    }

    /// Returns whether a word reads as a name: a capital that is not there because a sentence begins, a digit, or
    /// parts that are written as one.
    pub fn is_name(&self, word: usize) -> bool {
        let Word { text, span, is_date, .. } = &self.words[word];
        let opens = |ch: char| ch.is_whitespace() || matches!(ch, '"' | '(' | '¿' | '¡' | '“');
        let before = self.text[..span.start].trim_end_matches(opens);
        let is_first = before.is_empty() || before.ends_with(['.', '?', '!', ':']);
        let says_nothing = |n: usize| n == 0 && (is_first || self.has_nouns_in_capitals);
        let has_capital = text.chars().enumerate().any(|(n, ch)| ch.is_uppercase() && !says_nothing(n));
        let has_digit = text.bytes().any(|byte| byte.is_ascii_digit());
        !is_date && (has_capital || has_digit || text.contains(['_', '/', '.', '-']))
    }

    /// Returns the languages that the terms are made for.
    pub fn languages(&self) -> &[Language] {
        &self.languages
    }

    /// Returns the question without its filters and without what no answer may have.
    pub fn prose(&self) -> String {
        let said = |piece: Piece<'_>| match piece {
            Piece::Prose(span) | Piece::Phrase(span) => Some(span.of(&self.text).trim().to_owned()),
            Piece::Without(_) | Piece::Filter(..) => None,
        };
        pieces(&self.text).into_iter().filter_map(said).filter(|said| !said.is_empty()).collect::<Vec<_>>().join(" ")
    }

    fn add_prose(&mut self, span: Span) {
        let mut before = None;
        for n in self.add_words(span) {
            if let Some(before) = before.replace(n)
                && before != n
                && !self.pairs.contains(&(before, n))
            {
                self.pairs.push((before, n));
            }
        }
    }

    fn add_phrase(&mut self, span: Span) {
        let text = self.text.clone();
        let inside = span.of(&text);
        let phrase: Vec<String> = folded_words(inside);
        let mut found = self.add_words(span);
        found.iter().for_each(|n| self.words[*n].is_quoted = true);
        if phrase.len() > 1 {
            found.dedup();
            self.required.extend(found);
            self.phrases.push(phrase);
        }
    }

    fn add_banned(&mut self, span: Span) {
        let n_known = self.words.len();
        let parts = self.add_words(span);
        // What is written as one is left out as one.
        let wholes = (n_known..self.words.len()).filter(|n| self.words[*n].kind == TokenKind::Whole);
        let wholes: Vec<usize> = wholes.take(1).collect();
        self.banned.extend(if wholes.is_empty() { parts } else { wholes });
        self.words.iter_mut().skip(n_known).for_each(|word| word.weight = 0.0);
    }

    /// Searches for `meant` in the place of a word that stands nowhere; beside it where that is not likely to be
    /// what was asked, or where the word may be a name.
    ///
    /// Returns what is searched for, as it is written; nothing where the question asks for all of it anyway.
    pub fn respell(&mut self, n: usize, mut meant: Vec<Meant>, is_likely: bool) -> Option<Vec<String>> {
        meant.retain(|one| !self.words.iter().any(|word| word.forms.iter().any(|(form, _)| *form == one.term)));
        if meant.is_empty() {
            return None;
        }
        let forms = meant.iter().map(|one| (one.term.clone(), 1.0));
        let words: Vec<String> = meant.iter().map(|one| one.word.clone()).collect();
        if is_likely && self.words[n].text.chars().all(char::is_lowercase) {
            let word = &mut self.words[n];
            // Texts that do have it, unseen by the index, still say it.
            word.forms.extend(forms);
            (word.spelling, word.meant) = (Spelling::Corrected, words.clone());
        } else {
            let Word { text, span, kind, weight, .. } = self.words[n].clone();
            let added = Word::new(text, span, forms.collect(), kind);
            self.words.push(Word { weight, spelling: Spelling::Suggested, meant: words.clone(), ..added });
        }
        Some(words)
    }

    /// Searches for every name of a thing wherever the question has one of them: what it was called before, and what it is
    /// called now. `names_of` returns the names of the thing that is called so, the one that it has now first. Returns the
    /// names in the question that are others, each with that one.
    pub fn call_also(&mut self, names_of: &dyn Fn(&Slug) -> Vec<String>) -> Vec<(String, String)> {
        let mut out = Vec::new();
        let parts: Vec<usize> = (0..self.words.len()).filter(|n| self.words[*n].kind == TokenKind::Part).collect();
        for run in (1..=NAME_WORDS_MAX).flat_map(|n| parts.windows(n)) {
            let (first, last) = (self.words[run[0]].span, self.words[run[run.len() - 1]].span);
            let is_in_order = first.start <= last.start && !run.iter().any(|n| self.words[*n].is_quoted);
            let name = self.text.get(first.start..last.end).filter(|_| is_in_order);
            let Some(name) = name.map(str::to_owned) else { continue };
            let names = Slug::from_text(&name).map(|slug| names_of(&slug)).unwrap_or_default();
            for (nth, called) in names.into_iter().enumerate() {
                let other = Question::plain(&called, &self.languages).words;
                let is_same = |a: &Word, b: &Word| a.forms.iter().any(|form| b.forms.contains(form));
                let only_here: Vec<usize> =
                    run.iter().copied().filter(|n| !other.iter().any(|word| is_same(word, &self.words[*n]))).collect();
                let is_other =
                    |word: &&Word| word.kind == TokenKind::Part && !run.iter().any(|n| is_same(word, &self.words[*n]));
                let only_there: Vec<&Word> = other.iter().filter(is_other).collect();
                if nth == 0 && !only_here.is_empty() && !only_there.is_empty() {
                    out.push((name.clone(), called));
                }
                let forms = stand_for(only_here.len(), &only_there);
                for (n, forms) in only_here.into_iter().zip(forms) {
                    let word = &mut self.words[n];
                    let new = |(term, _): &(String, f32)| !word.forms.iter().any(|(known, _)| known == term);
                    let new: Vec<(String, f32)> = forms.into_iter().filter(new).collect();
                    word.forms.extend(new);
                }
            }
        }
        out
    }

    /// Adds the words of a part of the question and returns the positions of those that follow each other.
    fn add_words(&mut self, span: Span) -> Vec<usize> {
        let text = self.text.clone();
        let mut sequence = Vec::new();
        for (at, run) in runs(span.of(&text)) {
            let place = Span::new(span.start + at, span.start + at + run.len());
            let by_language: Vec<Vec<Token<'_>>> =
                self.languages.iter().map(|language| tokens(run, *language)).collect();
            for n in 0..by_language.first().map_or(0, Vec::len) {
                let mut forms: Vec<(String, f32)> = Vec::new();
                for token in by_language.iter().filter_map(|tokens| tokens.get(n)) {
                    if !forms.iter().any(|(known, _)| *known == token.term) {
                        forms.push((token.term.clone(), 1.0));
                    }
                }
                let Token { kind, written, .. } = by_language[0][n];
                if let Some(position) = self.add((run, written), place, forms, kind).filter(|_| kind == TokenKind::Part)
                {
                    sequence.push(position);
                }
            }
        }
        sequence
    }

    fn add(
        &mut self,
        (text, part): (&str, &str),
        span: Span,
        forms: Vec<(String, f32)>,
        kind: TokenKind,
    ) -> Option<usize> {
        if kind == TokenKind::Character {
            return None;
        }
        if let Some(n) = self.words.iter().position(|word| word.forms == forms) {
            let word = &mut self.words[n];
            word.weight += if word.weight > 0.0 { AGAIN } else { 0.0 };
            return Some(n);
        }
        if self.words.len() >= WORDS_MAX {
            return None;
        }
        let weight = if kind == TokenKind::Filler { 0.0 } else { 1.0 };
        let part = part.to_owned();
        self.words.push(Word { weight, part, ..Word::new(text.to_owned(), span, forms, kind) });
        Some(self.words.len() - 1)
    }

    /// A question of nothing but function words asks for them.
    fn settle(&mut self) {
        let banned = &self.banned;
        if self.words.iter().all(|word| word.weight == 0.0) {
            self.is_filler = true;
            let asked = self.words.iter_mut().enumerate().filter(|(n, _)| !banned.contains(n));
            asked.for_each(|(_, word)| word.weight = 1.0);
        }
    }
}

/// What each of some words of a name is searched for besides, where the thing has another name: word for word, and what the
/// other name has more of with the last of them. `Mill` alone is only a part of `Wheat Mill`.
fn stand_for(n_words: usize, other: &[&Word]) -> Vec<Vec<(String, f32)>> {
    let forms = |words: &[&Word], amount: f32| -> Vec<(String, f32)> {
        words.iter().flat_map(|word| &word.forms).map(|(term, of)| (term.clone(), of * amount)).collect()
    };
    let of_word = |n: usize| {
        let Some(own) = other.get(n) else { return forms(other, 1.0) };
        let more = if n + 1 == n_words { &other[n + 1..] } else { &[] };
        [forms(&[own], 1.0), forms(more, PART_OF_NAME)].concat()
    };
    (0..n_words).map(of_word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let question = Question::read(text, &[Language::ENGLISH]);
        let word = |(n, word): (usize, &Word)| {
            let mark = if question.banned.contains(&n) {
                "-"
            } else if question.required.contains(&n) {
                "+"
            } else if word.weight == 0.0 {
                "~"
            } else {
                ""
            };
            format!("{mark}{}", word.forms[0].0)
        };
        let words: Vec<String> = question.words.iter().enumerate().map(word).collect();
        words.join(" ")
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(shown(text), expected);
    }

    #[test]
    fn prose_is_words() {
        check("How do refresh tokens rotate?", "~how ~do refresh token rotat");
        check("fix: restore maxRetries guard", "fix restor max retri maxretri guard");
        check("add --verbose and -v flags", "add verbos ~and ~v flag");
        check("what is it", "what is it");
    }

    #[test]
    fn a_thing_is_searched_for_by_all_its_names() {
        let forms = |text: &str| -> Vec<String> {
            let mut question = Question::plain(text, &[Language::ENGLISH]);
            question.call_also(&|slug| match slug.as_str() {
                "rye" | "wheat" => vec!["Wheat".to_owned(), "Rye".to_owned()],
                "rye-mill" | "wheat-mill" => vec!["Wheat Mill".to_owned(), "Rye Mill".to_owned()],
                _ => Vec::new(),
            });
            let asked = question.words.iter().filter(|word| word.is_asked());
            asked.map(|word| word.forms.iter().map(|(term, _)| term.as_str()).collect::<Vec<_>>().join("|")).collect()
        };
        assert_eq!(forms("When does Rye bake bread?"), ["rye|wheat", "bake", "bread"]);
        assert_eq!(forms("Where is the Wheat Mill?"), ["wheat|rye", "mill"]);
        assert_eq!(forms("Where is the mill?"), ["mill"]);
    }

    #[test]
    fn phrases_exclusions_and_filters_are_told_apart() {
        check("\"token rotation\" -legacy", "+token +rotat -legaci");
        check("tokens agent:codex", "token");
        assert_eq!(Question::read("tokens agent:codex", &[Language::ENGLISH]).scope.agent.as_deref(), Some("codex"));
        check("the \"word\" by", "~the word ~by");
        check("user -#4711 -src/auth.rs -v2.1.0 -5", "user -4711 ~src ~auth ~rs -srcauthrs ~authrs -2.1.0 5");
    }

    #[test]
    fn prose_is_what_remains_without_syntax() {
        let prose = |text: &str| Question::read(text, &[Language::ENGLISH]).prose();
        assert_eq!(
            prose("how do \"refresh tokens\" work -legacy agent:codex today"),
            "how do refresh tokens work today"
        );
        assert_eq!(prose("agent:codex"), "");
    }

    #[test]
    fn neighbours_are_pairs_across_function_words() {
        let question = Question::plain("rotation of the refresh tokens", &[Language::ENGLISH]);
        assert_eq!(question.pairs, [(0, 3), (3, 4)]);
        assert_eq!(Neighbours::new(&question).find("The refresh of old tokens, by rotation"), [false, true]);
    }

    #[test]
    fn a_capital_makes_a_name_where_not_every_noun_has_one() {
        let names = |text: &str| -> Vec<String> {
            let question = Question::plain(text, &[Language::ENGLISH]);
            let names = (0..question.words.len()).filter(|n| question.words[*n].is_asked() && question.is_name(*n));
            names.map(|n| question.words[n].text.clone()).collect()
        };
        assert_eq!(names("Which cell is in the Lance of Ada?"), ["Lance", "Ada"]);
        assert_eq!(names("Welche Batterie ist in der Lanze mit dem TTL von 60s?"), ["TTL", "60s"]);
    }

    #[test]
    fn the_day_that_a_question_names_is_the_one_on_which_something_held() {
        let held_on = |text: &str| {
            let mut question = Question::plain(text, &[Language::ENGLISH]);
            question.read_days("2026-04-08".parse().expect("a date"), None);
            question.held_on().map(|day| day.to_string()).unwrap_or_default()
        };
        assert_eq!(held_on("what did the kit cost on 10 March?"), "2026-03-10");
        assert_eq!(held_on("what did the kit cost in March 2026?"), "2026-03-31");
        assert_eq!(held_on("as of 12 March, when was the meeting planned?"), "2026-03-12");
        let mut question = Question::plain("what will the kit cost on 2 June?", &[Language::ENGLISH]);
        question.read_days("2026-04-08".parse().expect("a date"), "2026-03-01".parse().ok());
        let coming = question.held_on().map(|day| day.to_string());
        assert_eq!(coming.as_deref(), Some("2026-06-02"), "nothing was said before March");
        let mut question = Question::plain("how long was a loan on 5 March?", &[Language::ENGLISH]);
        question.read_days("2026-03-20".parse().expect("a date"), "2026-03-10".parse().ok());
        let near = question.held_on().map(|day| day.to_string());
        assert_eq!(near.as_deref(), Some("2026-03-05"), "next year's is far off");
        for none in [
            "what does the kit cost?",
            "how did the price change in March?",
            "what was said from 2 March to 9 March?",
            "what broke last week?",
            "what is the current price, after 10 March?",
        ] {
            assert_eq!(held_on(none), "", "{none}");
        }
    }

    #[test]
    fn days_are_read_and_what_is_relative_is_not_looked_up() {
        let mut question = Question::plain("what broke last week", &[Language::ENGLISH]);
        question.read_days("2026-04-08".parse().expect("a date"), None);
        let weights: Vec<f32> = question.words.iter().map(|word| word.weight).collect();
        // The last word stands for the seven days.
        assert_eq!((question.days.len(), weights), (1, vec![0.0, 1.0, 0.0, 0.0, 1.0]));
        assert_eq!(question.words[4].forms.len(), 7);
    }
}
