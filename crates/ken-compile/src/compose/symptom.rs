//! What somebody began a piece of work with: what they saw, in their own words.

use ken_core::Date;
use ken_core::orders::order;
use ken_core::text::{capital, leans_back};
use ken_core::words::{Weight, weight, words};
use ken_intake::extract::small_sentences;

use super::{PageInput, Statement, reference, shown_text};
use crate::alone;
use crate::passage::Learned;
use crate::score;
use crate::standing;
use crate::work::opens_request;

/// Among how many of the first sentences that stand alone one is looked for that tells what is wrong.
const FIRST_MAX: usize = 3;
/// How long such a sentence is, in characters, and how many words of it tell something at least.
const CHARS: std::ops::RangeInclusive<usize> = 25..=150;
const TELLING_WORDS_MIN: usize = 2;

/// Returns the sentence by which somebody says what they saw when the work began, with its day: of those of their first
/// message the first that tells what is wrong, else the first that tells anything.
pub(super) fn symptom(input: &PageInput) -> Option<(Date, String)> {
    let begun = || input.statements.iter().filter(|one| one.learned == Learned::Begun && one.is_believed());
    let opening = begun().min_by_key(|one| (one.date, one.line))?;
    let day = opening.date?;
    let mut first: Vec<&Statement> = begun().filter(|one| one.of == opening.of && one.line == opening.line).collect();
    first.sort_by_key(|one| one.id);
    let said: Vec<String> = first.into_iter().map(shown_text).collect();
    let all: Vec<&str> = said.iter().flat_map(|text| small_sentences(text)).collect();
    let mut told = all.iter().filter(|one| stands(one));
    let found = told.clone().take(FIRST_MAX).find(|one| alone::tells_fault(one)).or_else(|| told.next())?;
    Some((day, format!("{}.", capital(found.trim_end_matches(['.', '!', ',', ';', ':'])))))
}

fn stands(text: &str) -> bool {
    let n_telling = words(text).iter().filter(|word| weight(word.of(text)) == Weight::Strong).count();
    CHARS.contains(&text.chars().count())
        && n_telling >= TELLING_WORDS_MIN
        && !text.ends_with(['?', ':'])
        && !text.contains(['{', '}', '|', '\\'])
        && !opens_request(text)
        && !score::notes_change(text)
        && !standing::speaks_of_persons(text)
        && !leans_back(text)
        && !alone::points_back(text)
        && !reference::has_address(text)
        // What is pasted from a review speaks of more than somebody saw.
        && !alone::has_identifier(text)
        && order(text).is_none()
}
