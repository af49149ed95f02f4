//! What people asked: the context and the requests of a day.

use super::phrases::Phrases;
use super::sentence::{first_that_fit, is_typed, typed_sentences};
use super::units::{Kind, units};

/// Longest context, in characters.
const CONTEXT_CHARS_MAX: usize = 300;

/// Most sentences of one; of those that are typed in small letters, which are shorter, twice as many.
const CONTEXT_SENTENCES_MAX: usize = 2;

/// How far into a day its first telling request is looked for.
const EARLY_REQUESTS: usize = 4;

/// A turn without its secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) is_user: bool,
    pub(super) text: String,
}

pub(super) fn is_substantive(text: &str) -> bool {
    let phrases = Phrases::get();
    let bare = phrases.without_greeting(text.trim());
    !phrases.is_acknowledgement(text) && bare.split_whitespace().count() >= 2
}

/// The request that says what the day is about: an early one of some words, before "commit this".
pub(super) fn first_request(said: &[Said]) -> Option<&Said> {
    let requests = || said.iter().filter(|turn| turn.is_user);
    let is_telling = |turn: &&Said| is_substantive(&turn.text) && turn.text.split_whitespace().count() >= 4;
    let early = requests().take(EARLY_REQUESTS).find(is_telling);
    early.or_else(|| requests().find(|turn| is_substantive(&turn.text))).or_else(|| requests().next())
}

pub(super) fn context(said: &[Said]) -> Option<String> {
    let request = first_request(said)?;
    let n_max = if is_typed(&request.text) { 2 * CONTEXT_SENTENCES_MAX } else { CONTEXT_SENTENCES_MAX };
    Some(first_that_fit(&request_sentences(&request.text), n_max, CONTEXT_CHARS_MAX)).filter(|text| !text.is_empty())
}

/// Returns the sentences of what a person wrote: an introduction is joined to what it introduces.
pub(super) fn request_sentences(text: &str) -> Vec<String> {
    request_paragraphs(text).into_iter().flatten().collect()
}

/// The same by paragraphs and items.
pub(super) fn request_paragraphs(text: &str) -> Vec<Vec<String>> {
    let phrases = Phrases::get();
    let mut found: Vec<Vec<String>> = Vec::new();
    let mut units = units(text);
    // Who begins with one number counts nothing, but chooses by it: `1. no locks, please`.
    if units.iter().filter(|unit| !unit.mark.is_empty()).count() == 1
        && let Some(first) = units.first_mut().filter(|first| !first.mark.is_empty())
    {
        first.text = format!("{}. {}", first.mark, first.text);
    }
    for unit in units {
        let leads_in = found.last().and_then(|last| last.last()).is_some_and(|last| last.ends_with(':'));
        // A heading is a title, not a sentence; it only counts where an introduction leads to it.
        if matches!(unit.kind, Kind::Columns | Kind::Code) || unit.kind == Kind::Heading && !leads_in {
            continue;
        }
        let mut paragraph = if leads_in { found.pop().unwrap_or_default() } else { Vec::new() };
        for sentence in typed_sentences(&unit.text) {
            let is_first = found.is_empty() && paragraph.is_empty();
            let bare = if is_first { phrases.without_greeting(sentence) } else { sentence };
            match paragraph.last_mut().filter(|last| last.ends_with(':')) {
                Some(last) => *last = format!("{last} {bare}"),
                None if bare.is_empty() => {}
                None => paragraph.push(bare.to_owned()),
            }
        }
        found.extend((!paragraph.is_empty()).then_some(paragraph));
    }
    if found.is_empty() {
        // Nothing but a greeting, or nothing but code: then that is what was said.
        let first = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with("```"));
        found.extend(first.map(|line| vec![line.to_owned()]));
    }
    found
}
