//! What a session was about, in a line.
//!
//! A plan has a name, and so has a commit or a branch; but a branch says where somebody stood, not what was done.
//! So what names itself counts only where most of its words stand in what the entry keeps. Else the first request
//! says it, as far as a whole clause goes. The names spoken of most would say less: people ask in the request's words.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use ken_core::journal::without_speaker;
use ken_core::language::stem;
use ken_core::text::capital;
use ken_core::words::{is_spoken, is_stop};
use regex::Regex;

use super::accepted::plan_heading;
use super::phrases::Phrases;
use super::request::{Said, first_request};
use super::sentence::{cut, typed_sentences};
use super::statements::without_number;
use super::units::{Kind, units};
use crate::transcript::APPROVED;

/// Most characters and words of a title that is cut out of a request.
const TITLE_CHARS_MAX: usize = 80;
const TITLE_WORDS_MAX: usize = 8;

/// Most words of a sentence or clause that is a title as it stands.
const WHOLE_WORDS_MAX: usize = 10;

/// Least share of a name's words that stand in what is kept.
const HELD_MIN: (usize, usize) = (6, 10);

/// Least share of the lines kept that are about what a name says.
const ABOUT_MIN: (usize, usize) = (5, 10);

/// Fewest words of a branch that names a day for want of something better, and the least share of them that was said.
const BRANCH_WORDS_MIN: usize = 2;
const NEAR_MIN: (usize, usize) = (1, 2);

/// How much of a request is in a person's own words, in characters; what follows is pasted, mostly.
const OWN_WORDS_CHARS_MAX: usize = 700;

/// Fewest words of a clause that is a title without the rest of its sentence.
const CLAUSE_WORDS_MIN: usize = 4;

/// Fewest words of a name that tells something: `fixes` and `wip` do not.
const NAME_WORDS_MIN: usize = 2;

/// What is known of a day beside its talk.
pub(super) struct Known<'a> {
    /// The branch that was checked out.
    pub(super) branch: Option<&'a str>,
    /// What tools did.
    pub(super) events: &'a [String],
    /// What the entry keeps.
    pub(super) kept: &'a [String],
}

/// Returns the title of a day.
pub(super) fn title(said: &[Said], known: &Known<'_>) -> String {
    let request = first_request(said).map(|request| request.text.as_str());
    let kept = Kept::of(said, known.kept);
    let commits = || known.events.iter().filter_map(|event| commit_subject(event));
    let branch = || known.branch.and_then(branch_name);
    let names = || best(&kept, commits().chain(branch()));
    let asked = || {
        request.and_then(|request| clause(&asked_in(request))).filter(|asked| {
            let phrases = Phrases::get();
            let is_name = !phrases.is_subordinate(asked) && !phrases.is_preamble(asked) && !is_spoken(asked);
            is_name && kept.holds(&words_of(asked))
        })
    };
    let headlines = || said.iter().filter(|turn| !turn.is_user).filter_map(|turn| headline(&turn.text));
    let headline = || best(&kept, headlines());
    let whole = || request.and_then(|request| clause(&asked_in(request)));
    let cut = || request.map(|request| short(&asked_in(request)));
    // A branch that has to do with the talk says more than a request that is no name.
    let stood_on = || branch().filter(|name| kept.is_near(&words_of(name)));
    let plan = request.and_then(plan).or_else(|| approved(said));
    let title = plan.or_else(asked).or_else(names).or_else(headline).or_else(stood_on).or_else(whole).or_else(cut);
    capital(trimmed(&title.unwrap_or_default()))
}

/// "Implement the following plan:" says less than the plan's own heading.
fn plan(request: &str) -> Option<String> {
    let units = units(request);
    let first = units.first().filter(|unit| unit.text.ends_with(':'))?;
    let heading = units.get(1).filter(|unit| unit.kind == Kind::Heading && unit.text != first.text)?;
    Some(short(&heading.text))
}

/// Returns the heading of the first plan that was approved.
fn approved(said: &[Said]) -> Option<String> {
    let mut pairs = said.windows(2).filter(|pair| !pair[0].is_user && pair[1].is_user && pair[1].text == APPROVED);
    pairs.find_map(|pair| plan_heading(&pair[0].text)).map(|heading| short(&heading))
}

/// What an entry keeps, for comparison with what it may be called.
struct Kept {
    /// The words of each line that is no request.
    lines: Vec<BTreeSet<String>>,
    /// The words of the first request.
    asked: BTreeSet<String>,
}

impl Kept {
    fn of(said: &[Said], kept: &[String]) -> Kept {
        let requests = || said.iter().filter(|turn| turn.is_user);
        let is_told = |line: &&String| {
            let bare = without_speaker(line).trim_end_matches('…');
            !requests().any(|turn| turn.text.contains(bare))
        };
        let lines = kept.iter().filter(is_told).map(|line| words_of(line)).collect();
        let asked = first_request(said).map(|request| words_of(cut_off(&request.text))).unwrap_or_default();
        Kept { lines, asked }
    }

    /// Whether most words stand somewhere in what is kept.
    fn holds(&self, words: &BTreeSet<String>) -> bool {
        let n_held = words.iter().filter(|word| self.lines.iter().any(|line| line.contains(*word))).count();
        n_held * HELD_MIN.1 >= words.len() * HELD_MIN.0
    }

    /// Whether some of the words of a name long enough stand in what is kept or was asked.
    fn is_near(&self, words: &BTreeSet<String>) -> bool {
        let stands = |word: &&String| self.asked.contains(*word) || self.lines.iter().any(|line| line.contains(*word));
        let n_near = words.iter().filter(stands).count();
        words.len() >= BRANCH_WORDS_MIN && n_near * NEAR_MIN.1 >= words.len() * NEAR_MIN.0
    }

    /// Returns how many lines are about what the words say.
    fn n_about(&self, words: &BTreeSet<String>) -> usize {
        let n_min = words.len().div_ceil(2).max(2);
        self.lines.iter().filter(|line| line.intersection(words).count() >= n_min).count()
    }

    /// Whether so many lines are about something, or so much of it was asked, that it is what the day is about.
    fn is_about(&self, words: &BTreeSet<String>) -> bool {
        let n_asked = words.intersection(&self.asked).count();
        self.n_about(words) * ABOUT_MIN.1 >= self.lines.len().max(1) * ABOUT_MIN.0
            || n_asked * HELD_MIN.1 >= words.len() * HELD_MIN.0
    }
}

/// Returns the beginning of a request.
fn cut_off(request: &str) -> &str {
    request.char_indices().nth(OWN_WORDS_CHARS_MAX).map_or(request, |(at, _)| &request[..at])
}

/// Returns the name that most of what is kept is about.
fn best(kept: &Kept, names: impl Iterator<Item = String>) -> Option<String> {
    let mut best: Option<(usize, String)> = None;
    for name in names {
        let words = words_of(&name);
        let is_name = words.len() >= NAME_WORDS_MIN && name.chars().count() <= TITLE_CHARS_MAX;
        let n_about = kept.n_about(&words);
        let is_better = best.as_ref().is_none_or(|(most, _)| n_about > *most);
        if is_name && is_better && kept.holds(&words) && kept.is_about(&words) {
            best = Some((n_about, name));
        }
    }
    best.map(|(_, name)| name)
}

/// The words of a text that tell something, by their stems.
fn words_of(text: &str) -> BTreeSet<String> {
    let words = text.split(|ch: char| !ch.is_alphanumeric()).filter(|word| word.chars().count() >= 3);
    words.filter(|word| !is_stop(word)).map(|word| stem(&word.to_lowercase())).collect()
}

/// Returns the subject of a commit that a tool made, without the kind that some write before it.
fn commit_subject(event: &str) -> Option<String> {
    static SUBJECT: OnceLock<Regex> = OnceLock::new();
    let pattern = r#"\bgit commit\b[^|;&]*? -[a-z]*m ["']([^"'$`…]{8,})(?:["']| …$)"#;
    let subject = SUBJECT.get_or_init(|| Regex::new(pattern).expect("a constant"));
    let subject = subject.captures(event)?.get(1)?.as_str().trim();
    let kind = subject.split_once(": ").filter(|(kind, _)| {
        let bare = kind.split('(').next().unwrap_or(kind).trim_end_matches('!');
        !bare.is_empty() && bare.chars().all(|ch| ch.is_ascii_lowercase())
    });
    Some(kind.map_or(subject, |(_, rest)| rest).to_owned())
}

/// Returns what a branch is called, without owner, kind, ticket and date; the main one is called nothing.
fn branch_name(branch: &str) -> Option<String> {
    let last = branch.rsplit('/').next()?;
    let is_name = |part: &&str| part.chars().any(char::is_alphabetic) && !part.chars().any(|ch| ch.is_ascii_digit());
    let words: Vec<&str> = last.split(['-', '_']).filter(is_name).collect();
    (words.len() >= NAME_WORDS_MIN).then(|| words.join(" "))
}

/// Returns the headline that a message of the agent's begins with.
fn headline(text: &str) -> Option<String> {
    let units = units(text);
    let heading = units.iter().find(|unit| unit.kind == Kind::Heading).filter(|unit| unit.depth <= 2)?;
    let phrases = Phrases::get();
    let name = heading.text.split_once(": ").map_or(heading.text.as_str(), |(_, rest)| rest);
    let name = without_number(name);
    let is_plain = !name.contains('?') && name.split_whitespace().count() > NAME_WORDS_MIN;
    let tells = !phrases.is_headline_of_form(name) && !phrases.is_meta(name) && !phrases.is_offer_heading(name);
    (is_plain && tells).then(|| name.to_owned())
}

/// Returns what a request asks, by its first sentence.
fn asked_in(request: &str) -> String {
    let phrases = Phrases::get();
    let units = units(request);
    let first = units.first().map_or("", |unit| unit.text.as_str());
    let sentences = typed_sentences(first);
    let bare = sentences.iter().map(|sentence| phrases.without_asking(sentence)).find(|bare| asks_something(bare));
    static FOR_WHOM: OnceLock<Regex> = OnceLock::new();
    let for_whom = FOR_WHOM.get_or_init(|| Regex::new(r"(?i)^(\w+) (?:me|us)\b| for (?:me|us)\b").expect("a constant"));
    for_whom.replace(first_clause(bare.unwrap_or(first)), "$1").into_owned()
}

/// Whether a sentence may say what is asked: `Ada here.` says who asks.
fn asks_something(bare: &str) -> bool {
    let words: Vec<&str> = bare.split_whitespace().collect();
    let last = words.last().map_or("", |word| word.trim_end_matches(['.', '!', ',']));
    !words.is_empty() && (words.len() > 2 || !is_stop(last))
}

/// Returns the text up to its first comma, if that leaves a title.
fn first_clause(text: &str) -> &str {
    match text.split_once(", ") {
        Some((clause, _)) if clause.split_whitespace().count() >= 3 && !Phrases::get().is_condition(clause) => clause,
        _ => text,
    }
}

/// Returns as many clauses as a title has room for. What only says when or why, or leads to what is asked, is none.
fn clause(text: &str) -> Option<String> {
    static END: OnceLock<Regex> = OnceLock::new();
    let pattern = r"(?i)[,;:] | [(–—-]|\s(?:because|so that|so|but|which|and|since|when|if|instead of|in order to|where|while|then)\s|[.?!] ";
    let end = END.get_or_init(|| Regex::new(pattern).expect("a constant"));
    let phrases = Phrases::get();
    let main = match text.split_once(", ") {
        Some((_, rest)) if phrases.is_subordinate(text) && !phrases.leans_back(rest) => rest,
        _ => text,
    };
    if is_whole(main) {
        return Some(main.to_owned());
    }
    let cuts = end.find_iter(main).map(|found| main[..found.start()].trim_end());
    let whole = cuts.filter(|cut| cut.split_whitespace().count() >= CLAUSE_WORDS_MIN && is_whole(cut)).last();
    whole.map(str::to_owned)
}

fn is_whole(text: &str) -> bool {
    text.split_whitespace().count() <= WHOLE_WORDS_MAX
        && text.chars().count() <= TITLE_CHARS_MAX
        && balanced(text).len() == text.len()
}

/// Returns a text as a title: cut at a word, and before what would stay open.
fn short(text: &str) -> String {
    if is_whole(text) {
        return text.to_owned();
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    let first = |n: usize| cut(&words[..words.len().min(n)].join(" "), TITLE_CHARS_MAX);
    // What was opened may be closed a word or two later.
    let closed = (TITLE_WORDS_MAX..=WHOLE_WORDS_MAX).map(first).find(|kept| balanced(kept).len() == kept.len());
    let kept = closed.unwrap_or_else(|| first(TITLE_WORDS_MAX));
    let kept = match balanced(&kept) {
        "" => kept.as_str(),
        kept => kept.trim_end(),
    };
    Phrases::get().without_hanging(kept).to_owned()
}

fn trimmed(text: &str) -> &str {
    let is_left_out = |ch: char| ch.is_ascii_punctuation() && !matches!(ch, '`' | ')' | '"' | ']');
    text.trim_end_matches(is_left_out)
}

/// Returns the text up to the first bracket, quotation mark or backtick that is not closed in it.
fn balanced(text: &str) -> &str {
    let mut open: Vec<(char, usize)> = Vec::new();
    for (at, ch) in text.char_indices() {
        let closes = match ch {
            ')' => Some('('),
            ']' => Some('['),
            '}' => Some('{'),
            '`' | '"' => Some(ch),
            _ => None,
        };
        match closes.and_then(|mark| open.iter().rposition(|(other, _)| *other == mark)) {
            Some(from) => open.truncate(from),
            None if matches!(ch, '(' | '[' | '{' | '`' | '"') => open.push((ch, at)),
            None => {}
        }
    }
    open.first().map_or(text, |(_, at)| &text[..*at])
}
