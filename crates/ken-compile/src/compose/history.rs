//! The page of what a page has no room for.

use ken_core::Slug;

use super::{PageInput, Proposed, RelatedPage, compose};
use crate::account::{Account, Claim};

/// How its title ends.
const TITLE: &str = ": history";
/// Most claims on it.
const CLAIMS_MAX: usize = 240;

/// Returns how a page leads to that of its older claims.
pub fn page_of_history(of: &str, slug: Slug) -> RelatedPage {
    RelatedPage { slug, title: format!("{of}{TITLE}"), month: None, is_work: false }
}

/// Returns the text of the page, called `own`, that holds the older claims of another.
pub fn history(
    input: &PageInput,
    older: &[Claim<'_>],
    (page, own): (Slug, &RelatedPage),
    resolve: &dyn Fn(&str) -> Option<Slug>,
) -> String {
    let of = RelatedPage { slug: page, title: input.title.clone(), month: None, is_work: false };
    let (shown, rest) = older.split_at(older.len().min(CLAIMS_MAX));
    let of_history = PageInput {
        adopted: None,
        title: own.title.clone(),
        category: input.category,
        is_external: input.is_external,
        elsewhere: Vec::new(),
        beside: Vec::new(),
        asked: Vec::new(),
        statements: shown.iter().map(|claim| claim.statement.clone()).collect(),
        high: vec![of],
        aliases: Vec::new(),
        files: Vec::new(),
        commands: Vec::new(),
        names: Vec::new(),
        mid: Vec::new(),
        joining: Vec::new(),
        against: Vec::new(),
        parts: Vec::new(),
        history: None,
        is_history: true,
        archived: input.archived.clone(),
    };
    let account = Account { current: shown.to_vec(), older: rest.to_vec(), ..Account::default() };
    compose(&of_history, &account, &Proposed::default(), resolve)
}
