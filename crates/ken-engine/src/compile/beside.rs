//! A change of pages by a person's command, in one plan with what compiling makes of it.

use std::collections::BTreeSet;

use ken_core::page::page_slug;
use ken_core::{Basis, Edit, LogEntry, Plan, Slug, VaultPath};

use super::plan::note_page;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::wiki::Wiki;

/// What a command does to pages.
pub(crate) struct Beside<'a> {
    /// The changes of pages.
    pub(crate) edits: Vec<Edit>,
    /// What is told of them.
    pub(crate) log: LogEntry,
    /// Pages that there must be once all is compiled.
    pub(crate) expects: Vec<Slug>,
    /// What becomes of what a person wrote around the rows of an index.
    pub(crate) around: &'a dyn Fn(&VaultPath, &str) -> String,
}

impl Beside<'_> {
    /// Shows the wiki as the change leaves it.
    pub(super) fn lay_over(&self, wiki: &mut Wiki) {
        for edit in &self.edits {
            match self.text(edit.path()) {
                Some(text) => note_page(wiki, edit.path(), text),
                None => drop(wiki.files.remove(edit.path())),
            }
        }
    }

    /// The new text of a page.
    pub(super) fn text(&self, path: &VaultPath) -> Option<&str> {
        self.edits.iter().find(|edit| edit.path() == path).and_then(|edit| match edit {
            Edit::Write { content, .. } => str::from_utf8(content).ok(),
            _ => None,
        })
    }
}

impl Engine {
    /// Joins a change with the plan that compiling made of the wiki as the change leaves it.
    pub(super) fn plan_beside(&self, beside: &Beside<'_>, compiled: Plan, wiki: &Wiki) -> Result<Plan, Failure> {
        let is_missing = |slug: &&Slug| !wiki.pages().any(|(path, _)| page_slug(path) == **slug);
        if let Some(missing) = beside.expects.iter().find(is_missing) {
            return Err(Failure::refused(format!("no page would be called `{missing}`"))
                .hint(format!("`ken show --why {missing}` says what the journal knows of that name"))
                .hint("nothing was changed"));
        }
        let own: BTreeSet<&VaultPath> = beside.edits.iter().map(Edit::path).collect();
        let mut edits: Vec<Edit> = beside.edits.clone();
        edits.extend(compiled.edits.into_iter().filter(|edit| !own.contains(edit.path())));
        self.rewrite_indexes(beside, &mut edits)?;
        let mut log = beside.log.clone();
        let told = ["Created: ", "Updated: ", "Removed: ", "Returned: "];
        let is_told = |line: &String| told.iter().any(|word| line.starts_with(word)) && !line.ends_with("(none)");
        log.lines.extend(compiled.log.lines.into_iter().filter(is_told));
        log.inputs = compiled.log.inputs;
        Ok(Plan { edits, guards: compiled.guards, log })
    }

    /// Rewrites what stands around the rows of the index, and in the short one.
    pub(crate) fn rewrite_indexes(&self, beside: &Beside<'_>, edits: &mut Vec<Edit>) -> Result<(), Failure> {
        let layout = self.layout();
        let mut paths: BTreeSet<VaultPath> = [layout.index.clone()].into();
        paths.extend(self.config.memory_index.clone().into_iter().chain(layout.memory.clone()));
        for path in paths.into_iter().filter(|path| layout.may_change(path) && !layout.is_foreign(path)) {
            let planned = edits.iter_mut().find(|edit| *edit.path() == path);
            if let Some(Edit::Write { content, .. }) = planned {
                if let Ok(text) = str::from_utf8(content) {
                    *content = (beside.around)(&path, text).into_bytes();
                }
                continue;
            }
            let Some(bytes) = self.store.read(&path)? else { continue };
            let Ok(text) = str::from_utf8(&bytes) else { continue };
            let after = (beside.around)(&path, text);
            if after != text {
                edits.push(Basis::of(&path, Some(&bytes)).replace(after));
            }
        }
        Ok(())
    }
}
