//! What of a page from outside holds, as far as the page itself says.

use ken_core::claim::{Claim, ClaimState};
use ken_core::page::outline::claims_as_owned;
use ken_core::page::parse_page;
use ken_core::page::past::{Past, past_of, past_parts};
use ken_core::span::LineIndex;
use ken_core::{Date, VaultPath};

/// What of a page holds, and how many parts of it do not, as its own tool says: what is external cannot say so here itself.
pub(super) fn what_holds(path: &VaultPath, text: String) -> (Option<String>, usize) {
    let page = parse_page(path, text.clone()).value;
    let is_over = |past: &Past| matches!(past, Past::Superseded(_) | Past::Stale(_) | Past::Retired(_));
    if past_of(&page).is_some_and(|past| is_over(&past)) {
        return (None, 1);
    }
    // Whether a day is over is for whoever reads it.
    let parts = past_parts(&page, Date::MIN);
    let over: Vec<(usize, usize)> =
        parts.iter().filter(|part| part.said.is_none() && is_over(&part.past)).map(|part| part.lines).collect();
    let index = LineIndex::new(&text);
    let is_replaced = |claim: &Claim| {
        let line = claim.span.of(&text).trim_start_matches(['-', '*', ' ']);
        matches!(claim.state, ClaimState::Superseded { .. }) || line.starts_with("[replaced] ")
    };
    let told = claims_as_owned(&page).into_iter().filter(is_replaced);
    let replaced = told.map(|claim| (index.line_of(claim.span.start), index.line_of(claim.span.end.saturating_sub(1))));
    let over: Vec<(usize, usize)> = over.into_iter().chain(replaced).collect();
    if over.is_empty() {
        return (Some(text), 0);
    }
    let is_kept = |n: usize| !over.iter().any(|(first, last)| (*first..=*last).contains(&n));
    let lines = text.split_inclusive('\n').enumerate().filter(|(n, _)| is_kept(n + 1));
    (Some(lines.map(|(_, line)| line).collect()), over.len())
}
