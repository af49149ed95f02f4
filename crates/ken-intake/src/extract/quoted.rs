//! What a person copies out of an agent's message to speak of it: those are the agent's words, and tell what `this` is.

use std::collections::BTreeSet;

use super::phrases::Phrases;
use super::request::Said;
use super::sentence::{cut, sentences};

/// Fewest words of a line that nobody writes twice by chance.
const LINE_WORDS_MIN: usize = 5;
/// Fewest words in which something is said of it: less chooses it.
const OWN_WORDS_MIN: usize = 4;
/// Longest line that is told beside what is said of it, in characters.
const TOLD_CHARS_MAX: usize = 200;

/// Leaves the lines out that a person copied out of an agent's message before, where something is said of them. What only
/// points at them has the first of them behind its first sentence: `This stays as it is (the oven stands in the hall)`.
pub(super) fn leave_quotes(said: &mut [Said]) {
    // By whole lines: a session of any length takes work in proportion to it.
    let mut spoken: BTreeSet<String> = BTreeSet::new();
    for turn in said {
        if !turn.is_user {
            spoken.extend(turn.text.lines().map(bare).filter(|line| line.split_whitespace().count() >= LINE_WORDS_MIN));
        } else if let Some(own) = own_words(&turn.text, &spoken) {
            turn.text = own;
        }
    }
}

/// What a person says of lines that were copied; `None` where none were, or nothing is said of them.
fn own_words(text: &str, spoken: &BTreeSet<String>) -> Option<String> {
    let is_copied = |line: &&str| spoken.contains(&bare(line));
    let (copied, own): (Vec<&str>, Vec<&str>) = text.lines().partition(is_copied);
    let copied = cut(&bare(copied.first()?), TOLD_CHARS_MAX);
    let own = own.join("\n").trim().to_owned();
    let first = *sentences(&own).first().filter(|_| own.split_whitespace().count() >= OWN_WORDS_MIN)?;
    let phrases = Phrases::get();
    if !phrases.is_pointing(first) && !phrases.leans_back(first) {
        return Some(own);
    }
    let end = own.find(first)? + first.trim_end_matches(['.', '!', '?', ':']).len();
    let (before, behind) = own.split_at(end);
    Some(format!("{before} ({}){behind}", copied.trim_end_matches(['.', ':'])))
}

/// A line without the marks of lists, quotations, emphasis and code.
fn bare(line: &str) -> String {
    let item = line.trim().trim_start_matches(['>', '-', '*', '•', ' ']);
    let behind = item.trim_start_matches(|ch: char| ch.is_ascii_digit());
    let numbered = [". ", ") "].iter().find_map(|mark| behind.strip_prefix(mark)).filter(|_| behind.len() < item.len());
    numbered.unwrap_or(item).replace(['`', '*'], "").trim().to_owned()
}
