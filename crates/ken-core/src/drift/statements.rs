//! The statements of a page that are to hold now.

use crate::claim::ClaimState;
use crate::markdown::{BlockKind, blocks};
use crate::page::Page;
use crate::page::outline::{ASKED, COMMANDS, FILES, OPEN, SUPERSEDED, claims, is_struck};
use crate::span::Span;

/// Headings below which nothing is said to hold: what work once changed, what is to be done, what was.
pub const NOT_NOW: &[&str] = &[COMMANDS, FILES, ASKED, OPEN, SUPERSEDED];

/// Returns where the statements of a page stand that it gives as current, in order: sentences, list items, rows of tables.
/// What was replaced or done, tasks and questions are none, and neither is code.
///
/// ```
/// # use ken_core::{VaultPath, drift::statements, page::parse_page};
/// let path = VaultPath::new("knowledge/a.md").expect("a vault path");
/// let page = parse_page(&path, "# A\n\nIt is in `src/a.rs`.\n\n- [ ] write `src/b.rs`\n".to_owned()).value;
/// let said: Vec<_> = statements(&page).iter().map(|span| span.of(&page.text)).collect();
/// assert_eq!(said, ["It is in `src/a.rs`."]);
/// ```
pub fn statements(page: &Page) -> Vec<Span> {
    let text = page.text.as_str();
    let all: Vec<_> = blocks(text, page.body()).collect();
    let tasks: Vec<Span> = all.iter().filter(|block| block.is_open_task).map(|block| block.span).collect();
    let is_task = |span: Span| tasks.iter().any(|task| task.start <= span.start && span.end <= task.end);
    let holds = |state: &ClaimState| {
        !state.is_past() && !matches!(state, ClaimState::Asked | ClaimState::Retracted | ClaimState::Stale)
    };
    let said = claims(page).into_iter();
    let said = said.filter(|claim| holds(&claim.state) && !NOT_NOW.contains(&claim.heading.as_str()));
    let is_now = |span: &Span| !is_task(*span) && !is_struck(span.of(text));
    let mut out: Vec<Span> = said.map(|claim| claim.span).filter(is_now).collect();
    out.extend(all.iter().filter(|block| block.kind == BlockKind::Row).map(|block| block.span));
    out.sort();
    out
}
