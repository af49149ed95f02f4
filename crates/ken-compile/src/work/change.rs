//! What a piece of work is called by what was done in it: `Add a door to the oven`, as its commit would be.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use ken_core::language::{alternatives, change_titles};
use ken_core::text::{capital, one_line};
use ken_core::words::{Weight, fold, identifier_parts, stem, weight, words};
use regex::Regex;

use crate::passage::{Entry, PassageKind};
use crate::score;

/// Fewest and most words of such a title, and fewest of them that tell something.
const WORDS: std::ops::RangeInclusive<usize> = 3..=11;
const TELLING_MIN: usize = 2;
/// Longest one, in characters.
const CHARS_MAX: usize = 80;
/// What is looked at of a note, in bytes.
const NOTE_BYTES_MAX: usize = 400;

/// Returns the title that the note gives which has most of the words of the entry; `said_stems` says how many statements have
/// each stem.
pub(super) fn title(entry: &Entry, said_stems: &BTreeMap<String, usize>) -> Option<String> {
    let said = entry
        .passages
        .iter()
        .filter(|passage| matches!(passage.kind, PassageKind::Statement | PassageKind::Decision | PassageKind::Lesson));
    let mut best: Option<(usize, String)> = None;
    for title in said.filter_map(|passage| of_note(&passage.text)) {
        let n = telling_stems(&title).iter().filter_map(|stem| said_stems.get(stem)).sum();
        if n > best.as_ref().map_or(0, |(most, _)| *most) {
            best = Some((n, title));
        }
    }
    best.map(|(_, title)| title)
}

/// Returns the stems of the words of a text that tell something, and of the parts of its identifiers.
pub(super) fn telling_stems(text: &str) -> BTreeSet<String> {
    let parts = words(text).into_iter().flat_map(|word| {
        let word = word.of(text);
        identifier_parts(word).into_iter().map(str::to_owned).chain([word.to_owned()]).collect::<Vec<String>>()
    });
    parts.filter(|word| weight(word) == Weight::Strong).map(|word| stem(&fold(&word))).collect()
}

/// Returns a note of a change as a title, if its first clause is one: `Added a door to the oven, which shuts` is `Add a door
/// to the oven`.
pub(super) fn of_note(text: &str) -> Option<String> {
    if text.len() > NOTE_BYTES_MAX && !score::notes_change(text) {
        return None;
    }
    let said = score::without_outcome_label(text);
    let said = score::edit(said).unwrap_or(said);
    let clause = clause(score::changed(said)?);
    let (verb, rest) = clause.split_once(' ')?;
    let lower = verb.to_lowercase();
    let opening = change_titles().find(|(past, _)| *past == lower).map(|(_, opening)| opening)?;
    let title = one_line(&format!("{} {rest}", capital(opening)));
    let n_telling = words(rest).into_iter().filter(|word| weight(word.of(rest)) != Weight::Stop).count();
    let is_whole = title.matches('`').count().is_multiple_of(2)
        && title.matches('"').count().is_multiple_of(2)
        && title.matches('(').count() == title.matches(')').count();
    // A number is a place in a file or a count of what was done.
    let is_counting = rest.split(' ').any(|word| word.starts_with(|ch: char| ch.is_ascii_digit()));
    (WORDS.contains(&title.split(' ').count())
        && title.chars().count() <= CHARS_MAX
        && n_telling >= TELLING_MIN
        && is_whole
        && !is_counting
        && !ends_open(&title))
    .then_some(title)
}

/// The first clause of a note.
fn clause(text: &str) -> &str {
    static END: OnceLock<Regex> = OnceLock::new();
    let end = END.get_or_init(|| {
        let joins = alternatives(|lexicon| lexicon.work.clause_joins);
        Regex::new(&format!(r"(?i)[,;:.!](?:\s|$)| [–—(→-]|\s(?:{joins})\s")).expect("a pattern of ours")
    });
    end.find(text).map_or(text, |found| &text[..found.start()]).trim_end_matches(['.', ':'])
}

/// Whether a title ends in a small word: what it leads to was cut.
fn ends_open(title: &str) -> bool {
    title.rsplit(' ').next().is_some_and(|last| weight(last) == Weight::Stop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_of_a_change_is_a_title_as_far_as_its_first_clause_goes() {
        for (text, expected) in [
            ("Added a `Door` to the deck oven, which shuts.", Some("Add a `Door` to the deck oven")),
            ("The fix: I've changed `bake()` to use `steam` instead of water", Some("Change `bake()` to use `steam`")),
            ("`oven.rs` — Replaced the old timer with a clock.", Some("Replace the old timer")),
            ("I split `ovenRaw` into two types", Some("Split `ovenRaw` into two types")),
            ("Fixed it.", None),
            ("Removed lines 12-20 in the oven", None),
            ("Added the door to", None),
            ("The oven has a door.", None),
            ("Added `Door — and so on", None),
        ] {
            assert_eq!(of_note(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn torn_and_huge_notes_are_no_titles() {
        for text in
            ["Added ".to_owned() + &"`ä".repeat(100_000), "Added".to_owned(), "Added ".repeat(50_000), String::new()]
        {
            assert_eq!(of_note(&text), None);
        }
    }
}
