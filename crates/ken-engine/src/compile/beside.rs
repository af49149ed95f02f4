//! A change of pages by a person's command, in one plan with what compiling makes of it.

use std::collections::BTreeSet;

use ken_core::brief::MEMORY;
use ken_core::index::part::INDEX;
use ken_core::layout::TOOL_FOLDER;
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
    /// Whether the log names the pages that compiling made, too.
    pub(crate) tells_compiled: bool,
}

impl Beside<'_> {
    /// Shows the wiki as the change leaves it.
    pub(super) fn lay_over(&self, wiki: &mut Wiki) {
        for edit in self.edits.iter().filter(|edit| !edit.path().is_under(TOOL_FOLDER)) {
            match self.text(edit.path()) {
                Some(text) => note_page(wiki, edit.path(), text),
                None => {
                    let standing = wiki.files.remove(edit.path()).map(|file| file.stamp.digest);
                    wiki.given_way.extend(standing.map(|digest| (edit.path().clone(), digest)));
                }
            }
        }
    }

    /// The new text of a page.
    pub(crate) fn text(&self, path: &VaultPath) -> Option<&str> {
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
        // A page may be compiled where the command takes another away.
        let is_made = |path: &VaultPath| compiled.edits.iter().any(|edit| edit.path() == path);
        let is_left = |edit: &&Edit| !(matches!(edit, Edit::Remove { .. }) && is_made(edit.path()));
        let mut edits: Vec<Edit> = beside.edits.iter().filter(is_left).cloned().collect();
        let own: BTreeSet<VaultPath> = edits.iter().map(|edit| edit.path().clone()).collect();
        edits.extend(compiled.edits.into_iter().filter(|edit| !own.contains(edit.path())));
        self.rewrite_indexes(beside, &mut edits)?;
        let mut log = beside.log.clone();
        let told = ["Created: ", "Updated: ", "Removed: ", "Returned: "];
        let is_told = |line: &String| {
            beside.tells_compiled && told.iter().any(|word| line.starts_with(word)) && !line.ends_with("(none)")
        };
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
                    *content = around_marks(text, |text| (beside.around)(&path, text)).into_bytes();
                }
                continue;
            }
            let Some(bytes) = self.store.read(&path)? else { continue };
            let Ok(text) = str::from_utf8(&bytes) else { continue };
            let after = around_marks(text, |text| (beside.around)(&path, text));
            if after != text {
                edits.push(Basis::of(&path, Some(&bytes)).replace(after));
            }
        }
        Ok(())
    }
}

/// A text with what stands before and behind its generated part changed; what is generated is right already.
fn around_marks(text: &str, change: impl Fn(&str) -> String) -> String {
    let part = [INDEX, MEMORY].into_iter().find_map(|marks| {
        let (begin, end) = (text.find(marks.begin)?, text.rfind(marks.end)? + marks.end.len());
        (begin < end).then_some((begin, end))
    });
    match part {
        Some((begin, end)) => format!("{}{}{}", change(&text[..begin]), &text[begin..end], change(&text[end..])),
        None => change(text),
    }
}
