//! The tldr of a page of which no sentence says what it is: what was done or found in a piece of work, what a document
//! is about, what holds in the place of what the page said.

use ken_core::Category;
use ken_core::orders::order;
use ken_core::text::{capital, sentences};

use super::lead::{strong_stems, with_parts, within_code};
use super::{PageInput, gist, reference, shown_text};
use crate::account::{Account, Claim};
use crate::alone;
use crate::score;

/// Returns the tldr of a page by what it holds; `None` where that says nothing of what the page is.
pub(super) fn of(input: &PageInput, account: &Account<'_>) -> Option<String> {
    let text = match input.category {
        _ if input.is_history || input.is_external => None,
        _ if reference::is_reference(&account.current) => gist::of(input, account),
        Category::Project => of_work(input, account),
        _ => instead(input, account),
    };
    text.map(|text| within_code(&text))
}

/// What was done about what the work is called, else what was wrong when it began, with the day on which that was said.
fn of_work(input: &PageInput, account: &Account<'_>) -> Option<String> {
    let done = account.current.iter().filter_map(|claim| Some((claim.statement.date?, done(input, claim)?)));
    let most = done.max_by(|(_, a), (_, b)| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(b.2.cmp(&a.2)));
    if let Some((day, (.., text))) = most {
        return Some(format!("Done on {day}: {text}"));
    }
    let faults = account.current.iter().filter(|claim| claim.statement.is_fault);
    let dated = faults.filter_map(|claim| Some((claim.statement.date?, told(claim)?)));
    let found = dated.max_by(|(_, a), (_, b)| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
    found.map(|(day, (_, text))| format!("Found on {day}: {text}"))
}

/// What a claim says was done about what the page is called, with how many words of that it has and how much it tells.
fn done(input: &PageInput, claim: &Claim<'_>) -> Option<(usize, f32, String)> {
    let statement = claim.statement;
    if !statement.is_believed() || order(&statement.text).is_some() {
        return None;
    }
    let text = shown_text(statement);
    let labelled = score::edit(&text).unwrap_or(&text);
    let whole = score::without_outcome_label(labelled);
    // What is called the solution is that of the work, whatever its words are.
    let n_words_min = if whole.len() < labelled.len() { 1 } else { DONE_WORDS_MIN };
    let first = sentences(whole).first().map(|span| span.of(whole))?;
    // What follows a semicolon lists more of it.
    let first = first.split("; ").next().unwrap_or(first).trim_end_matches([':', '.', ';']);
    let is_note = score::notes_change(first) && alone::leans_on_nothing(&format!("{first}."));
    let names = strong_stems(&input.title);
    // The steps of a list say what it is about, too.
    let n_named = with_parts(whole).intersection(&names).count();
    (is_note && n_named >= names.len().min(n_words_min))
        .then(|| (n_named, score::score(first, false), format!("{first}.")))
}

/// What holds in the place of something that the page said, where it names what the page is about: it stands on the page
/// of a longer name.
fn instead(input: &PageInput, account: &Account<'_>) -> Option<String> {
    let names = strong_stems(&input.title);
    let newest = account.superseded.iter().max_by_key(|old| (old.now.date, std::cmp::Reverse(&old.now.cited)))?;
    let text = shown_text(newest.now);
    let first = sentences(&text).first().map(|span| span.of(&text).to_owned())?;
    let is_it = !names.is_empty() && names.is_subset(&strong_stems(&first));
    let holds = newest.now.is_believed() && order(&newest.now.text).is_none();
    (is_it && holds && alone::stands(&first) && !alone::is_addition(&first)).then_some(first)
}

/// Fewest words of a title that a sentence has which says what was done about it.
const DONE_WORDS_MIN: usize = 2;

/// The sentence of a claim that can be understood alone, with how much it tells.
fn told(claim: &Claim<'_>) -> Option<(f32, String)> {
    let statement = claim.statement;
    if !statement.is_believed() || order(&statement.text).is_some() {
        return None;
    }
    let text = shown_text(statement);
    let first = sentences(&text).first().map(|span| span.of(&text).to_owned())?;
    let first = capital(alone::without_fault_label(&first));
    (alone::stands(&first) && !alone::is_addition(&first)).then(|| (score::score(&first, false), first))
}
