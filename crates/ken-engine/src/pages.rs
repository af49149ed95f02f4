//! Pages by hand: what a person's command does to pages, each one plan that undo takes back.
//!
//! Each verb has a file of its own, a function from the pages as they are to what they are to be. Carrying that out is
//! the same for all: references are rewritten, what follows is compiled, and all of it is one plan. What is decided about
//! a compiled page is kept on a page of a person's, a redirect or a retired page, which every compile reads.

mod add;
mod made;
mod merge;
mod rename;
mod shift;
mod split;
mod together;
pub(crate) mod view;
mod wanted;

#[cfg(test)]
mod tests;

use ken_core::{Category, Digest, LogEntry, Plan, Slug, VaultPath};

use crate::compile::beside::Beside;
use crate::compile::{CompileOptions, Standing};
use crate::engine::Engine;
use crate::failure::Failure;
use crate::outcome::CompileOutcome;
use view::{Change, View};

pub use wanted::{Lack, Wanted};

/// What is to be done to a page; pages are named as `ken show` names them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PageCommand {
    /// Make a page.
    New(NewPage),
    /// Add text at the end of a page, or of one of its sections.
    Append {
        /// The page.
        page: String,
        /// What is added.
        text: String,
        /// The section.
        heading: Option<String>,
    },
    /// Put another text in the place of a page's.
    Edit {
        /// The page.
        page: String,
        /// All of its new text.
        text: String,
        /// What it was made from, where that is known.
        read: Option<Digest>,
    },
    /// Call a page otherwise.
    Rename {
        /// The page.
        page: String,
        /// Its new title.
        title: String,
    },
    /// Put what one page says into another one.
    Merge {
        /// The page that becomes a redirect.
        from: String,
        /// The page that it leads to.
        into: String,
    },
    /// Move a section to a page of its own.
    Split {
        /// The page.
        page: String,
        /// The heading of the section.
        heading: String,
        /// The title of the new page; the heading where there is none.
        title: Option<String>,
    },
    /// Put a page into another category or folder.
    Move {
        /// The page.
        page: String,
        /// The category.
        category: Option<Category>,
        /// The folder inside the wiki.
        folder: Option<String>,
    },
    /// Take a page out of use, for a reason.
    Retire {
        /// The page.
        page: String,
        /// Why.
        because: String,
    },
    /// Take a retired page into use again.
    Restore {
        /// The page.
        page: String,
    },
    /// Let a name lead to a page.
    Redirect {
        /// The name.
        from: String,
        /// The page.
        to: String,
    },
    /// Make a compiled page again from journal and sources.
    Rebuild {
        /// The page.
        page: String,
    },
}

/// A page that is to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewPage {
    /// Its title, from which its name is made.
    pub title: String,
    /// What it is about.
    pub category: Category,
    /// What it is, in a sentence or two.
    pub lede: Option<String>,
    /// Why it matters.
    pub why: Option<String>,
    /// How to apply it.
    pub how: Option<String>,
}

/// What a command did to pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageOutcome {
    /// The command, as the log names it.
    pub kind: String,
    /// The page that it was about, as it is called now.
    pub slug: Slug,
    /// Its file, where there is one now.
    pub path: Option<VaultPath>,
    /// The files that changed, or would.
    pub changed: Vec<VaultPath>,
    /// References that were rewritten.
    pub n_references: usize,
    /// The day of the journal that grew, if one did.
    pub journal: Option<VaultPath>,
    /// Secrets that were covered in the text that came in.
    pub redactions: usize,
    /// What one should know besides.
    pub notes: Vec<String>,
    /// With `dry_run`: the plan as a unified diff.
    pub diff: Option<String>,
}

impl Engine {
    /// Does what a command says to pages, and compiles what follows, in one plan. With `dry_run` nothing is changed.
    ///
    /// # Errors
    /// When there is no such page, it is not to be changed so, or somebody changed it at the same moment: nothing was
    /// changed then.
    pub fn page(&self, command: &PageCommand, dry_run: bool) -> Result<PageOutcome, Failure> {
        let done = match command {
            PageCommand::Append { page, text, heading } => self.append_to_page(page, text, heading.as_deref(), dry_run),
            PageCommand::Edit { page, text, read } => self.edit_page(page, text, *read, dry_run),
            PageCommand::Restore { page } => self.restore_page(page, dry_run),
            PageCommand::Rebuild { page } => self.rebuild_page(page, dry_run),
            PageCommand::New(new) => self.change_pages(dry_run, |view| made::new(view, new)),
            PageCommand::Rename { page, title } => self.change_pages(dry_run, |view| rename::rename(view, page, title)),
            PageCommand::Merge { from, into } => self.change_pages(dry_run, |view| merge::merge(view, from, into)),
            PageCommand::Split { page, heading, title } => {
                self.change_pages(dry_run, |view| split::split(view, page, heading, title.as_deref()))
            }
            PageCommand::Move { page, category, folder } => {
                self.change_pages(dry_run, |view| shift::shift(view, page, *category, folder.as_deref()))
            }
            PageCommand::Retire { page, because } => {
                self.change_pages(dry_run, |view| made::retire(view, page, because))
            }
            PageCommand::Redirect { from, to } => self.change_pages(dry_run, |view| made::redirect(view, from, to)),
        };
        done.map_err(said_unchanged)
    }

    /// Decides a change of pages and carries it out with what compiling makes of it.
    fn change_pages(
        &self,
        dry_run: bool,
        decide: impl FnOnce(&mut View<'_>) -> Result<Change, Failure>,
    ) -> Result<PageOutcome, Failure> {
        let guard = if dry_run { None } else { Some(self.lock("page")?) };
        let mut view = View::of(self)?;
        let change = decide(&mut view)?;
        let beside = Beside {
            edits: view.edits(),
            log: LogEntry {
                at: self.clock.now,
                kind: change.kind.to_owned(),
                subject: change.subject.clone(),
                lines: change.lines.clone(),
                inputs: Vec::new(),
                public: true,
            },
            expects: change.expects.clone(),
            around: &|path, text| view.rewritten((path, path), text).0,
            tells_compiled: true,
        };
        let (compiled, plan) = if self.is_compiled_ever()? {
            let options = CompileOptions { dry_run, ..CompileOptions::default() };
            self.compile_under(guard.as_ref(), (options, &mut Standing::default()), Some(&beside))?
        } else {
            let mut edits = beside.edits.clone();
            self.rewrite_indexes(&beside, &mut edits)?;
            let plan = Plan { edits, guards: Vec::new(), log: beside.log.clone() };
            if let Some(guard) = &guard {
                self.apply(guard, &plan)?;
            }
            let diff = if dry_run { Some(self.diff(&plan)?) } else { None };
            (CompileOutcome { diff, ..CompileOutcome::default() }, plan)
        };
        Ok(PageOutcome {
            kind: change.kind.to_owned(),
            path: self.stands_at(&change.slug, change.path, dry_run),
            slug: change.slug,
            changed: plan.edits.iter().map(|edit| edit.path().clone()).collect(),
            n_references: view.n_references,
            journal: None,
            redactions: change.redactions,
            notes: change.notes,
            diff: compiled.diff,
        })
    }

    /// Whether pages were ever compiled here: then the index follows them.
    fn is_compiled_ever(&self) -> Result<bool, Failure> {
        Ok(self.store.stat(&self.layout().index)?.is_some() || self.load_ledger().is_some())
    }

    /// Where a page stands now; one that was compiled may stand in another folder than expected.
    fn stands_at(&self, slug: &Slug, expected: Option<VaultPath>, dry_run: bool) -> Option<VaultPath> {
        let found = || {
            let catalog = self.catalog().ok()?;
            Some(catalog.entry(catalog.find(slug)?).path)
        };
        if dry_run { expected } else { found().or(expected) }
    }
}

/// A failure that says that nothing was changed; one that is recorded says otherwise itself.
fn said_unchanged(failure: Failure) -> Failure {
    let is_said = failure.hints.iter().any(|hint| hint.contains("nothing was changed"));
    let is_recorded = failure.kind == crate::failure::FailureKind::Recorded;
    if is_said || is_recorded { failure } else { failure.hint("nothing was changed") }
}
