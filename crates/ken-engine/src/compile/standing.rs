//! Stops a run before it removes many pages.
//!
//! Pages go when their subject does: a day was deleted, replies were lost, a model found that most of the wiki is
//! one subject. All of that may be meant, and none of it is where nobody looks. So a run that would take more
//! than a quarter of the compiled pages away says which, and waits for a word.

use std::collections::BTreeSet;

use ken_core::page::page_slug;
use ken_core::{Slug, VaultPath};

use crate::failure::Failure;
use crate::outcome::CompileOutcome;
use crate::wiki::{Wiki, is_compiled};

/// So many pages may go in one run, however few there are.
const REMOVED_MAX: usize = 5;

/// Of so many pages, one may go.
const OF_PAGES: usize = 4;

/// Pages that the message names.
const NAMES_MAX: usize = 8;

/// The compiled pages that stood when a run began, in order.
#[derive(Debug, Clone, Default)]
pub(crate) struct Standing {
    pages: Option<Vec<VaultPath>>,
}

fn compiled(wiki: &Wiki) -> impl Iterator<Item = &VaultPath> {
    wiki.pages().filter(|(_, sort)| is_compiled(*sort)).map(|(path, _)| path)
}

impl Standing {
    /// Notes what stands, if this is the first compile of the run.
    pub(super) fn note(&mut self, wiki: &Wiki) {
        self.pages.get_or_insert_with(|| compiled(wiki).cloned().collect());
    }

    /// Refuses a plan after which too many of those pages are gone; `wiki` is what it leaves.
    pub(super) fn keep_most(&self, wiki: &Wiki, outcome: &CompileOutcome) -> Result<(), Failure> {
        let Some(before) = &self.pages else { return Ok(()) };
        let mut left = compiled(wiki).peekable();
        let is_moved = |path: &&VaultPath| {
            while left.next_if(|left| left < path).is_some() {}
            left.next_if(|left| left == path).is_none()
        };
        let moved: Vec<&VaultPath> = before.iter().filter(is_moved).collect();
        if moved.len() <= REMOVED_MAX {
            return Ok(());
        }
        // A page that stands in another folder now is not gone.
        let left: BTreeSet<Slug> = compiled(wiki).map(page_slug).collect();
        let gone: BTreeSet<Slug> = moved.into_iter().map(page_slug).filter(|slug| !left.contains(slug)).collect();
        if gone.len() <= REMOVED_MAX || gone.len() * OF_PAGES <= before.len() {
            return Ok(());
        }
        let mut named: Vec<String> = gone.iter().take(NAMES_MAX).map(|slug| format!("`{slug}`")).collect();
        if gone.len() > NAMES_MAX {
            named.push(format!("{} more", gone.len() - NAMES_MAX));
        }
        let message =
            format!("compiling would remove {} of {} compiled pages: {}", gone.len(), before.len(), named.join(", "));
        let mut failure = Failure::refused(message)
            .hint("`ken compile --dry-run` shows what would change")
            .hint("if that is meant, `ken compile --yes` does it; no page was changed");
        if !outcome.edits_captured.is_empty() {
            failure = failure.hint("what was edited by hand in compiled pages is in the journal");
        }
        Err(failure)
    }
}
