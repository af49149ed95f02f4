//! The tldr of a page of which no claim says what it is: what was found in a piece of work, what a document is about.

use ken_core::Category;
use ken_core::orders::order;
use ken_core::text::{capital, sentences};

use super::lead::within_code;
use super::{PageInput, gist, is_fault, reference, shown_text};
use crate::account::{Account, Claim};
use crate::alone;
use crate::score;

/// Returns the tldr of a page by what it holds; `None` where that says nothing of what the page is.
pub(super) fn of(input: &PageInput, account: &Account<'_>) -> Option<String> {
    let text = match input.category {
        _ if input.is_history || input.is_external => None,
        _ if reference::is_reference(&account.current) => gist::of(input, account),
        Category::Project => of_work(input, account),
        _ => None,
    };
    text.map(|text| within_code(&text))
}

/// What was wrong when the work began, with the day on which that was said.
fn of_work(input: &PageInput, account: &Account<'_>) -> Option<String> {
    let faults = account.current.iter().filter(|claim| is_fault(input, claim.statement));
    let dated = faults.filter_map(|claim| Some((claim.statement.date?, told(claim)?)));
    let found = dated.max_by(|(_, a), (_, b)| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
    found.map(|(day, (_, text))| format!("Found on {day}: {text}"))
}

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
