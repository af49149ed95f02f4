//! What a page says that was adopted from another compiler, besides its claims.

use std::collections::BTreeSet;

use ken_core::VaultPath;
use ken_core::markdown::inert;
use ken_core::orders::order;
use ken_core::page::outline::{Body, DAYS};
use ken_core::time::leading_date;

use super::PageInput;
use crate::account::Account;

/// Returns the sentence that stood for the page, as long as nothing that the page said was replaced or is disputed.
pub(super) fn tldr(input: &PageInput, account: &Account<'_>) -> Option<String> {
    let tldr = input.adopted.as_ref().map(|adopted| adopted.tldr.as_str()).filter(|tldr| !tldr.is_empty())?;
    let is_as_it_was =
        account.disputed.is_empty() && account.superseded.iter().all(|old| old.claim.statement.place.is_none());
    (is_as_it_was && order(tldr).is_none()).then(|| inert(tldr).into_owned())
}

/// Headings that every adopted has.
const FORM: &[&str] =
    &["key points", "details", "related", "related concepts", "sources", "the connection", "key insight", "evidence"];

/// Returns whether a heading is one that every adopted has.
pub(super) fn is_of_form(name: &str) -> bool {
    FORM.contains(&name.to_lowercase().as_str())
}

/// Returns the days that the adopted page names among its sources.
pub(super) fn days_of(input: &PageInput) -> Vec<VaultPath> {
    let named = input.adopted.iter().flat_map(|adopted| &adopted.days);
    named.filter_map(|day| VaultPath::new(day)).filter(is_day).collect()
}

fn is_day(path: &VaultPath) -> bool {
    leading_date(path.stem()).is_some_and(|day| day.to_string() == path.stem())
}

/// Writes links to the days that the page was made from and does not link to, so that it is found from each of them.
pub(super) fn days(input: &PageInput, body: &mut Body) {
    if input.adopted.is_none() {
        return;
    }
    let place = |path: &VaultPath| path.as_str().rsplit_once('.').map_or(path.to_string(), |(stem, _)| stem.to_owned());
    let is_linked = |path: &VaultPath| {
        let begin = format!("[[{}", place(path));
        input.statements.iter().any(|one| one.text.contains(&begin))
    };
    let cited = input.statements.iter().map(|statement| statement.cited.path.clone()).filter(is_day);
    let days: BTreeSet<VaultPath> = days_of(input).into_iter().chain(cited).filter(|path| !is_linked(path)).collect();
    body.section(DAYS);
    for day in days {
        body.link(&format!("[[{}]]", inert(&place(&day))), "");
    }
}
