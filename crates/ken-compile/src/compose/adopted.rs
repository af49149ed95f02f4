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
    let tldr = input.article.as_ref().map(|article| article.tldr.as_str()).filter(|tldr| !tldr.is_empty())?;
    let is_as_it_was =
        account.disputed.is_empty() && account.superseded.iter().all(|old| old.claim.statement.place.is_none());
    (is_as_it_was && order(tldr).is_none()).then(|| inert(tldr).into_owned())
}

/// Headings that every article has.
const FORM: &[&str] =
    &["key points", "details", "related", "related concepts", "sources", "the connection", "key insight", "evidence"];

/// Returns whether a heading is one that every article has.
pub(super) fn is_of_form(name: &str) -> bool {
    FORM.contains(&name.to_lowercase().as_str())
}

/// Writes links to the days that the page was made from and does not link to, so that it is found from each of them.
pub(super) fn days(input: &PageInput, body: &mut Body) {
    let Some(article) = &input.article else { return };
    let of_article = article.days.iter().filter_map(|day| VaultPath::new(day));
    let cited = input.statements.iter().map(|statement| statement.cited.path.clone());
    let is_day = |path: &VaultPath| leading_date(path.stem()).is_some_and(|day| day.to_string() == path.stem());
    let is_linked = |path: &VaultPath| {
        let place = path.as_str().rsplit_once('.').map_or(path.as_str(), |(stem, _)| stem);
        input.statements.iter().any(|one| one.text.contains(&format!("[[{place}")))
    };
    let days: BTreeSet<VaultPath> = of_article.chain(cited).filter(is_day).filter(|path| !is_linked(path)).collect();
    body.section(DAYS);
    for day in days {
        let place = day.as_str().rsplit_once('.').map_or(day.as_str(), |(stem, _)| stem);
        body.link(&format!("[[{}]]", inert(place)), "");
    }
}
