//! Texts as clauses, each with its words, who says it, and the cues that stand in it.

use std::collections::BTreeSet;
use std::sync::{LazyLock, OnceLock};

use super::Speaker;
use crate::ground;
use crate::language::{LEXICONS, Language, Lexicon, Phrases, Senses};
use crate::span::Span;
use crate::text::sentences;
use crate::words::{fold, is_number_word, is_stop, words};

/// What a phrase does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Cue {
    Hedge,
    Doubtful,
    Might,
    Condition,
    Wish,
    Asks,
    Views,
    Rumour,
    Plan,
    Done,
    Irony,
    Praise,
    Not,
    All,
    Some,
    Only,
    Except,
    Because,
    And,
    From,
    To,
    Instead,
    Own,
    Says,
}

/// A list of a language.
type List = fn(&Senses) -> &'static str;

const CUES: [(Cue, List); 24] = [
    (Cue::Hedge, |senses| senses.hedge),
    (Cue::Doubtful, |senses| senses.doubtful),
    (Cue::Might, |senses| senses.might),
    (Cue::Condition, |senses| senses.condition),
    (Cue::Wish, |senses| senses.wish),
    (Cue::Asks, |senses| senses.asks),
    (Cue::Views, |senses| senses.views),
    (Cue::Rumour, |senses| senses.rumour),
    (Cue::Plan, |senses| senses.plan),
    (Cue::Done, |senses| senses.done),
    (Cue::Irony, |senses| senses.irony),
    (Cue::Praise, |senses| senses.praise),
    (Cue::Not, |senses| senses.not),
    (Cue::All, |senses| senses.all),
    (Cue::Some, |senses| senses.some),
    (Cue::Only, |senses| senses.only),
    (Cue::Except, |senses| senses.except),
    (Cue::Because, |senses| senses.because),
    (Cue::And, |senses| senses.and),
    (Cue::From, |senses| senses.from),
    (Cue::To, |senses| senses.to),
    (Cue::Instead, |senses| senses.instead),
    (Cue::Own, |senses| senses.own),
    (Cue::Says, |senses| senses.says),
];

/// The phrases of one language.
#[derive(Debug)]
pub(super) struct Lists {
    cues: Vec<(Cue, Phrases)>,
    pub(super) acts: Vec<(Phrases, Phrases)>,
    pub(super) opposites: Vec<(Phrases, Phrases)>,
    pub(super) retracts: Phrases,
    pub(super) concedes: Phrases,
    pub(super) person: Phrases,
    pub(super) agent: Phrases,
    pub(super) then: Phrases,
    joins: Phrases,
    /// Words by which the language shows.
    small: BTreeSet<String>,
}

impl Lists {
    pub(super) fn of(language: Language) -> &'static Lists {
        static ALL: LazyLock<Vec<OnceLock<Lists>>> =
            LazyLock::new(|| LEXICONS.iter().map(|_| OnceLock::new()).collect());
        ALL[language.place()].get_or_init(|| Lists::read(language.lexicon()))
    }

    fn read(lexicon: &Lexicon) -> Lists {
        let senses = &lexicon.senses;
        let own =
            [senses.not, senses.and, senses.from, senses.to, senses.because, senses.joins, senses.own, senses.all];
        let small = own.iter().flat_map(|list| list.split('|')).filter(|phrase| !phrase.contains(['*', '/', ' ']));
        let small = small.chain(lexicon.telling.split_whitespace()).chain(lexicon.stop.split_whitespace());
        let pairs = |pairs: &[(&str, &str)]| {
            pairs.iter().map(|(one, other)| (Phrases::written(one), Phrases::written(other))).collect()
        };
        Lists {
            cues: CUES.iter().map(|(cue, list)| (*cue, Phrases::written(list(senses)))).collect(),
            acts: pairs(senses.acts),
            opposites: pairs(senses.opposites),
            retracts: Phrases::written(senses.retracts),
            concedes: Phrases::written(senses.concedes),
            person: Phrases::written(senses.person),
            agent: Phrases::written(senses.agent),
            then: Phrases::written(senses.then),
            joins: Phrases::written(senses.joins),
            small: small.map(str::to_owned).collect(),
        }
    }
}

/// Where a phrase stands among the words of a clause.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    pub(super) cue: Cue,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// A part of a sentence.
#[derive(Debug)]
pub(super) struct Clause {
    /// Its line, counted from 1; its sentence among all.
    pub(super) line: usize,
    pub(super) sentence: usize,
    pub(super) speaker: Option<Speaker>,
    pub(super) language: Language,
    /// Its words in small letters.
    pub(super) words: Vec<String>,
    /// Their stems; empty for words that say nothing alone.
    pub(super) stems: Vec<String>,
    /// Which of them are written with a capital, but for the first of a sentence.
    pub(super) is_name: Vec<bool>,
    pub(super) cues: Vec<Found>,
    /// What it counts, by what the numbers may be read as.
    pub(super) numbers: Vec<Vec<String>>,
    pub(super) is_question: bool,
    pub(super) is_quoted: bool,
    /// Whether a turn begins with it.
    pub(super) opens_turn: bool,
}

impl Clause {
    pub(super) fn has(&self, cue: Cue) -> bool {
        self.cues.iter().any(|found| found.cue == cue)
    }

    pub(super) fn has_any(&self, cues: &[Cue]) -> bool {
        cues.iter().any(|cue| self.has(*cue))
    }

    /// Its stems that say something.
    pub(super) fn content(&self) -> BTreeSet<&str> {
        self.stems.iter().filter(|stem| !stem.is_empty()).map(String::as_str).collect()
    }

    /// Whether one of some phrases stands in it.
    pub(super) fn says(&self, phrases: &Phrases) -> bool {
        (0..self.words.len()).any(|at| phrases.takes(&self.words[at..]) > 0)
    }

    pub(super) fn lists(&self) -> &'static Lists {
        Lists::of(self.language)
    }
}

/// Letters of a word at least behind which a full stop ends a sentence though the next begins small.
const HASTY_CHARS_MIN: usize = 3;
/// Words of a text that tell its language.
const TELLING_MAX: usize = 300;
/// So many words more must tell of another language than the one that is expected.
const LIKELY_MIN: usize = 1;

/// Returns the language that some sentences are most likely in, however short they are; where no other tells clearly
/// more it is the one that is expected.
pub(super) fn likely(text: &str, expected: Option<Language>) -> Language {
    let said: Vec<String> = words(text).iter().take(TELLING_MAX).map(|word| word.of(text).to_lowercase()).collect();
    let count = |language: Language| {
        let small = &Lists::of(language).small;
        said.iter().filter(|word| small.contains(*word) || small.contains(&fold(word))).count()
    };
    let best = Language::ALL.into_iter().rev().max_by_key(|language| count(*language)).unwrap_or(Language::ENGLISH);
    match expected {
        Some(expected) if count(best) <= count(expected) + LIKELY_MIN => expected,
        _ => best,
    }
}

/// Returns the clauses of some lines.
pub(super) fn clauses(lines: &[&str]) -> Vec<Clause> {
    let language = likely(&lines.join("\n"), None);
    let (mut out, mut speaker, mut n_sentences) = (Vec::new(), None, 0);
    for (n, line) in lines.iter().enumerate() {
        let (named, said) = spoken(line);
        speaker = named.or(if line.trim().is_empty() || line.starts_with("**") { None } else { speaker });
        let mut opens_turn = named.is_some();
        for sentence in sentences(said).into_iter().flat_map(|span| hasty(span.of(said))) {
            let is_question = sentence.trim_end().ends_with(['?', '？']);
            n_sentences += 1;
            for (nth, part) in parts(sentence, language).into_iter().enumerate() {
                let mut clause = clause(part.of(sentence), language, nth == 0);
                clause.line = n + 1;
                clause.sentence = n_sentences;
                clause.speaker = speaker;
                clause.is_question = is_question;
                clause.is_quoted = is_quoted(sentence, part);
                clause.opens_turn = std::mem::take(&mut opens_turn);
                out.push(clause);
            }
        }
    }
    out
}

/// The sentences of what was typed in a hurry, whose beginnings are small: `the gate is shut. ask ada if it rains`.
fn hasty(text: &str) -> Vec<&str> {
    let (mut out, mut start) = (Vec::new(), 0);
    for (at, mark) in text.match_indices(['.', '!', '?']) {
        let behind = text[at + mark.len()..].strip_prefix(' ');
        let is_begun = behind.is_some_and(|behind| behind.starts_with(char::is_lowercase));
        let word = text[start..at].rsplit(' ').next().unwrap_or_default();
        // What is shorter may be cut short itself: `approx.`, `e.g.`.
        let is_word = word.chars().count() >= HASTY_CHARS_MIN && word.chars().all(char::is_alphabetic);
        let is_number = word.bytes().all(|byte| byte.is_ascii_digit()) && word.len() > 1;
        if is_begun && (is_word || is_number) {
            out.push(&text[start..=at]);
            start = at + mark.len() + 1;
        }
    }
    out.push(&text[start..]);
    out
}

/// Who a line says that speaks, and what it says.
fn spoken(line: &str) -> (Option<Speaker>, &str) {
    let plain = line.trim_start_matches([' ', '-', '*', '>']);
    for (name, speaker) in [("User:", Speaker::Person), ("Agent:", Speaker::Agent)] {
        if let Some(said) = plain.strip_prefix(name) {
            return (Some(speaker), said.trim_start_matches(['*', ' ']));
        }
    }
    (None, plain)
}

/// The parts of a sentence: between commas and their like, and before what begins a clause.
fn parts(sentence: &str, language: Language) -> Vec<Span> {
    let lists = Lists::of(language);
    let all = words(sentence);
    let lower: Vec<String> = all.iter().map(|word| word.of(sentence).to_lowercase()).collect();
    let (mut out, mut start) = (Vec::new(), 0);
    for at in 1..all.len() {
        let between = &sentence[all[at - 1].end..all[at].start];
        let is_cut = between.contains([';', ':', '—', '–', '(', ')']) || between.contains(", ");
        if is_cut || lists.joins.takes(&lower[at..]) > 0 {
            out.push(Span::new(start, all[at].start));
            start = all[at].start;
        }
    }
    out.push(Span::new(start, sentence.len()));
    out
}

/// Words of a quotation from which on it is what somebody says and no name.
const QUOTED_WORDS_MIN: usize = 4;

/// Whether a part of a sentence stands between quotation marks with others of it.
fn is_quoted(sentence: &str, part: Span) -> bool {
    let inner = part.of(sentence).trim();
    let open = inner.starts_with(['"', '“', '„', '«']) && inner[1..].contains(['"', '”', '“', '»']);
    open && inner.split_whitespace().count() >= QUOTED_WORDS_MIN
}

/// Returns a text as one clause.
pub(super) fn clause(text: &str, language: Language, begins: bool) -> Clause {
    let spans = words(text);
    let lower: Vec<String> = spans.iter().map(|word| word.of(text).to_lowercase()).collect();
    let lists = Lists::of(language);
    let mut cues = Vec::new();
    for at in 0..lower.len() {
        for (cue, phrases) in &lists.cues {
            let n = phrases.takes(&lower[at..]);
            // A month.
            let is_month = *cue == Cue::Might && n == 1 && spans[at].of(text) == "May" && at > 0;
            if n > 0 && !is_month {
                cues.push(Found { cue: *cue, start: at, end: at + n });
            }
        }
    }
    // `siempre que` is a condition and nothing of all times.
    let begins_condition =
        |at: usize, cues: &[Found]| cues.iter().any(|found| found.cue == Cue::Condition && found.start == at);
    let conditions = cues.clone();
    cues.retain(|found| found.cue != Cue::All || !begins_condition(found.start, &conditions));
    let stem = |word: &Span| {
        let word = word.of(text);
        if is_stop(word) || is_number_word(word) || word.chars().count() < 2 {
            String::new()
        } else {
            language.stem(&fold(word))
        }
    };
    let capital = |(at, word): (usize, &Span)| {
        (at > 0 || !begins) && word.of(text).starts_with(char::is_uppercase) && word.of(text).chars().count() > 1
    };
    Clause {
        line: 0,
        sentence: 0,
        speaker: None,
        language,
        stems: spans.iter().map(stem).collect(),
        is_name: spans.iter().enumerate().map(capital).collect(),
        words: lower,
        cues,
        numbers: ground::counts_of(text),
        is_question: text.trim_end().ends_with(['?', '？']),
        is_quoted: false,
        opens_turn: false,
    }
}
