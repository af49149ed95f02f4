//! What people asked: the title, the context and the requests of a day.

use super::phrases::Phrases;
use super::sentence::{cut, first_that_fit, sentences};
use super::units::{Kind, units};

/// Longest context, in characters.
const CONTEXT_CHARS_MAX: usize = 300;

/// How far into a day its first telling request is looked for.
const EARLY_REQUESTS: usize = 4;

/// Most characters and words of a derived title.
const TITLE_CHARS_MAX: usize = 80;
const TITLE_WORDS_MAX: usize = 8;

/// A turn without its secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) is_user: bool,
    pub(super) text: String,
}

/// Returns a title made from the first request that says something.
pub(super) fn title(said: &[Said]) -> String {
    let Some(request) = first_request(said) else { return String::new() };
    let phrases = Phrases::get();
    let units = units(&request.text);
    let first = units.first().map_or("", |unit| unit.text.as_str());
    // "Implement the following plan:" says less than the plan's own heading.
    let heading = units.get(1).filter(|unit| first.ends_with(':') && unit.kind == Kind::Heading);
    let said = heading.map_or(first, |unit| unit.text.as_str());
    let sentences = sentences(said);
    let bare = sentences.iter().map(|sentence| phrases.without_asking(sentence)).find(|bare| !bare.is_empty());
    let bare = first_clause(bare.unwrap_or(said));
    let words: Vec<&str> = bare.split_whitespace().collect();
    let mut kept = cut(&words[..words.len().min(TITLE_WORDS_MAX)].join(" "), TITLE_CHARS_MAX);
    if words.len() > TITLE_WORDS_MAX {
        kept = phrases.without_hanging(&kept).to_owned();
    }
    let kept = kept.trim_end_matches(|ch: char| ch.is_ascii_punctuation() && !matches!(ch, '`' | ')' | '"' | ']'));
    let mut chars = kept.chars();
    let first = chars.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(chars).collect()
}

/// Returns the text up to its first comma, if that leaves a title.
fn first_clause(text: &str) -> &str {
    match text.split_once(", ") {
        Some((clause, _)) if clause.split_whitespace().count() >= 3 && !Phrases::get().is_condition(clause) => clause,
        _ => text,
    }
}

pub(super) fn is_substantive(text: &str) -> bool {
    let phrases = Phrases::get();
    let bare = phrases.without_greeting(text.trim());
    !phrases.is_acknowledgement(text) && bare.split_whitespace().count() >= 2
}

/// The request that says what the day is about: an early one of some words, before "commit this".
fn first_request(said: &[Said]) -> Option<&Said> {
    let requests = || said.iter().filter(|turn| turn.is_user);
    let is_telling = |turn: &&Said| is_substantive(&turn.text) && turn.text.split_whitespace().count() >= 4;
    let early = requests().take(EARLY_REQUESTS).find(is_telling);
    early.or_else(|| requests().find(|turn| is_substantive(&turn.text))).or_else(|| requests().next())
}

pub(super) fn context(said: &[Said]) -> Option<String> {
    let request = first_request(said)?;
    Some(first_that_fit(&request_sentences(&request.text), 2, CONTEXT_CHARS_MAX)).filter(|text| !text.is_empty())
}

/// Returns the sentences of what a person wrote: an introduction is joined to what it introduces.
pub(super) fn request_sentences(text: &str) -> Vec<String> {
    let phrases = Phrases::get();
    let mut found: Vec<String> = Vec::new();
    for unit in units(text) {
        // A heading is a title, not a sentence; it only counts where an introduction leads to it.
        if unit.kind == Kind::Heading && !found.last().is_some_and(|last| last.ends_with(':')) {
            continue;
        }
        for sentence in sentences(&unit.text) {
            let bare = if found.is_empty() { phrases.without_greeting(sentence) } else { sentence };
            match found.last_mut().filter(|last| last.ends_with(':')) {
                Some(last) => *last = format!("{last} {bare}"),
                None if bare.is_empty() => {}
                None => found.push(bare.to_owned()),
            }
        }
    }
    if found.is_empty() {
        // Nothing but a greeting, or nothing but code: then that is what was said.
        found.extend(
            text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with("```")).map(str::to_owned),
        );
    }
    found
}
