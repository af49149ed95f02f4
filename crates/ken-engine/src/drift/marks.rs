//! What is told beside a statement whose code is gone or has moved, wherever statements are told.
//!
//! The marks are worked out when something is told and are kept nowhere, so they come and go with the code. What was
//! found names little code, and mostly by its path: only where that is not as it says, or a symbol is named without its
//! file, is the project looked at. Nobody is asked since when; what `ken drift` learned of that is told.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use ken_core::context::{Material, Outdated};
use ken_core::drift::{Project, ProjectFile, Reference, State, What, judge, references, statements};
use ken_core::held::Standing as Held;
use ken_core::page::Page;
use ken_core::{LineIndex, VaultPath};
use ken_intake::outside::{Standing, standing};

use super::cached::{Facts, file_of};
use super::told;
use super::tree::{FileLook, Tree};
use crate::engine::Engine;

/// References that a mark names.
const NAMED_MAX: usize = 2;

/// What drift says of the statements on some lines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct DriftOfLines {
    /// The mark of the first statement that drifted; empty where none did.
    pub(crate) told: String,
    /// Whether at least as many drifted as hold.
    pub(crate) is_most: bool,
}

impl Engine {
    /// Returns of each text what became of the code that it names, if that is gone or has moved. Of another day nothing is
    /// said: the code of then is not there to look at.
    pub(crate) fn drift_marks(&self, texts: &[&str]) -> Vec<Option<String>> {
        let none = || vec![None; texts.len()];
        if self.on.is_some() || self.past.is_some() {
            return none();
        }
        // Most texts name no code, and most vaults stand in no project.
        if !texts.iter().any(|text| may_name(text)) {
            return none();
        }
        let Ok(top) = self.project_of(None) else { return none() };
        let found: Vec<Vec<Reference>> = texts.iter().map(|text| named_in(text)).collect();
        if found.iter().all(Vec::is_empty) {
            return none();
        }
        if are_in_place(&top, found.iter().flatten()) {
            return none();
        }
        // A panic elsewhere leaves nothing half done here.
        let mut code = self.code.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let Some(project) = code.get_or_insert_with(|| Some(self.code_in(&top))) else { return none() };
        found.iter().map(|references| mark(references, project)).collect()
    }

    /// Notes what of the material names code that is gone or has moved, where nothing else says that it no longer holds.
    pub(crate) fn note_drift(&self, found: &mut [Material<'_>]) {
        let mut said: Vec<(usize, (usize, usize), String)> = Vec::new();
        for (n, one) in found.iter().enumerate().filter(|(_, one)| self.may_drift(&one.path)) {
            said.extend(one.sentences_of_now().map(|(lines, text)| (n, lines, text.to_owned())));
        }
        let texts: Vec<&str> = said.iter().map(|(.., text)| text.as_str()).collect();
        for ((n, lines, text), mark) in said.iter().zip(self.drift_marks(&texts)) {
            // Pages say it of their tldr, too, which stands elsewhere.
            let lines = if self.layout().is_page(&found[*n].path) { (1, usize::MAX) } else { *lines };
            found[*n].superseded.extend(mark.map(|since| Outdated {
                lines,
                said: Some(text.clone()),
                since,
                standing: Held::Drifted,
            }));
        }
    }

    /// Says behind rows what became of the code that they name; those come last.
    pub(crate) fn tell_drift(&self, rows: &mut [String]) {
        let texts: Vec<&str> = rows.iter().map(String::as_str).collect();
        let marks = self.drift_marks(&texts);
        if marks.iter().all(Option::is_none) {
            return;
        }
        for (row, mark) in rows.iter_mut().zip(&marks) {
            row.extend(mark.iter().map(|mark| format!(" ({mark})")));
        }
        let is_drifted = |row: &String| marks.iter().flatten().any(|mark| row.ends_with(&format!(" ({mark})")));
        rows.sort_by_key(is_drifted);
    }

    /// Returns what drift says of some lines of a page or a day of the journal.
    pub(crate) fn drift_of_lines(&self, page: &Page, (first, last): (usize, usize)) -> DriftOfLines {
        if !self.may_drift(&page.path) {
            return DriftOfLines::default();
        }
        let lines = LineIndex::new(&page.text);
        let is_inside = |at: usize| (first..=last).contains(&lines.line_of(at));
        let spans = statements(page).into_iter().filter(|span| is_inside(span.start));
        let texts: Vec<&str> = spans.map(|span| span.of(&page.text)).collect();
        let marks = self.drift_marks(&texts);
        let n_drifted = marks.iter().flatten().count();
        let told = marks.into_iter().flatten().next().unwrap_or_default();
        DriftOfLines { told, is_most: n_drifted > 0 && 2 * n_drifted >= texts.len() }
    }

    /// Whether what a file says is said of the vault's project: documents and talk speak of much else.
    fn may_drift(&self, path: &VaultPath) -> bool {
        self.layout().is_page(path) || path.is_under(self.layout().journal.as_str())
    }

    /// The project as it is now.
    fn code_in(&self, top: &Path) -> Project<'static> {
        let tree = Arc::new(Tree::read(top, &self.own_folders(top)));
        let facts = Arc::new(Facts::read(self, &tree));
        // Without what this engine found, which is about to hold the project.
        let engine = self.before_code();
        let files = facts.files(&tree);
        let absent = crate::repository::absent_files(top, |path| tree.has(path));
        let (of_load, of_ignored) = (Arc::clone(&tree), tree);
        let load = move || facts.mentions(&engine, &of_load);
        let is_ignored = move |path: &str| of_ignored.is_ignored(path);
        let known = self.departures(top, &BTreeSet::new(), &|_, _| None);
        let mut project = Project::new(files, known, Box::new(load), Box::new(is_ignored));
        project.know_absent(absent);
        project
    }
}

/// Whether a statement may have references.
fn may_name(text: &str) -> bool {
    text.contains(['`', '/'])
}

/// The references of a statement, most of which have none.
fn named_in(text: &str) -> Vec<Reference> {
    if may_name(text) { references(text) } else { Vec::new() }
}

/// Whether all that is named stands where its path says: that needs no look at the rest of the project. No link is followed.
fn are_in_place<'r>(top: &Path, references: impl Iterator<Item = &'r Reference> + Clone) -> bool {
    let mut files: BTreeMap<&str, ProjectFile> = BTreeMap::new();
    for reference in references.clone() {
        let Some(path) = reference.path().map(|path| path.trim_end_matches('/')) else { return false };
        let mut folders = path.match_indices('/').map(|(at, _)| &path[..at]);
        if !folders.all(|folder| matches!(standing(&top.join(folder)), Ok(Standing::Folder))) {
            return false;
        }
        let Ok(standing) = standing(&top.join(path)) else { return false };
        if matches!(reference.what, What::Path { .. }) || files.contains_key(path) {
            continue;
        }
        let len = if let Standing::File(len) = standing { len } else { return false };
        let look = FileLook { path: path.to_owned(), len, mtime_ns: 0, is_code: true };
        files.insert(path, file_of(top, &look));
    }
    let n_files = files.len();
    let none = move || vec![Vec::new(); n_files];
    let known = Project::new(files.into_values().collect(), BTreeMap::new(), Box::new(none), Box::new(|_| false));
    let mut named = references.filter(|one| !matches!(one.what, What::Path { .. }));
    named.all(|reference| judge(reference, &known) == State::There)
}

fn mark(references: &[Reference], project: &Project<'_>) -> Option<String> {
    let drifted = references.iter().filter_map(|reference| {
        let state = judge(reference, project);
        state.is_drift().then(|| format!("`{}` {}", reference.text, told(&state)))
    });
    let marks: Vec<String> = drifted.take(NAMED_MAX).collect();
    (!marks.is_empty()).then(|| marks.join("; "))
}
