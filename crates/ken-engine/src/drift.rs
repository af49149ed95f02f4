//! Which statements of pages name code that is not there any longer.
//!
//! The project is the work tree around the vault, or the folder that the user names. It is only read: never through a
//! link, never outside of it, never by starting a program; since when something is gone is asked of whoever the caller
//! hands in. What was read is kept in the cache, a file until it changes; what is found is kept nowhere.

mod cached;
mod code;
mod marks;
mod tree;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use ken_core::drift::{Departure, Project, Reference, State, judge, references, statements};
use ken_core::lint::judged::CODE_DRIFT;
use ken_core::page::outline::without_marks;
use ken_core::page::parse_page;
use ken_core::parallel::in_parallel;
use ken_core::text::one_line;
use ken_core::{Date, Diagnostic, LineIndex, Page, Snapshot, Span, VaultPath};
use ken_intake::outside::{self, Standing};

use crate::engine::Engine;
use crate::failure::Failure;
use crate::repository;
use crate::wiki::is_said_again;
use cached::Facts;
pub(crate) use code::CodeTexts;
use tree::Tree;

/// Says of a work tree which files were deleted, on which days, and under which names they went on; given its top and
/// the paths that are looked for; `None` when nobody was asked.
pub type Departed<'a> = dyn Fn(&Path, &BTreeSet<String>) -> Option<BTreeMap<String, Departure>> + 'a;

/// Largest document that is looked at.
const DOCUMENT_BYTES_MAX: u64 = 16 * 1024 * 1024;

/// What to check.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DriftOptions {
    /// Pages by any of their names, and Markdown files by their places; every page when there are none.
    pub names: Vec<String>,
    /// Places of [`DriftOptions::names`] are seen from here.
    pub folder: PathBuf,
    /// The project's folder, if the user names one.
    pub project: Option<PathBuf>,
}

/// What was checked, and found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DriftOutcome {
    /// The project's folder.
    pub project: PathBuf,
    /// Files of the project; 0 where nothing names code, so that none was looked at.
    pub n_files: usize,
    /// Pages and documents that were looked at.
    pub n_pages: usize,
    /// References that were found on them.
    pub n_references: usize,
    /// Of those, the ones that nobody can say anything about.
    pub n_unknown: usize,
    /// The statements that name something that is gone or has moved, in the order of pages and lines.
    pub findings: Vec<Drifted>,
}

/// A reference that leads nowhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drifted {
    /// The page or document, as it is told to people.
    pub path: String,
    /// The line of the reference, from 1.
    pub line: usize,
    /// The bytes of the reference in the file.
    pub span: Span,
    /// The statement that makes it.
    pub statement: String,
    /// What is named.
    pub reference: String,
    /// What became of it.
    pub state: State,
}

/// A text with its references.
struct Looked<'t> {
    path: &'t str,
    text: &'t str,
    /// Statements with their references.
    found: Vec<(Span, Reference)>,
}

impl Engine {
    /// Returns which statements name code that is gone or has moved.
    ///
    /// # Errors
    /// When there is no project, a name leads to nothing, or the vault cannot be read.
    pub fn drift(&self, options: &DriftOptions, departed: &Departed<'_>) -> Result<DriftOutcome, Failure> {
        let top = self.project_of(options.project.as_deref())?;
        let texts = self.texts_to_check(options)?;
        let texts: Vec<(&str, &Page)> = texts.iter().map(|(path, page)| (path.as_str(), page)).collect();
        Ok(self.drifted(&top, &texts, departed))
    }

    /// The same of a snapshot as findings of lint, without asking anybody; none where the vault belongs to no project.
    pub(crate) fn drift_findings(&self, snapshot: &Snapshot) -> Vec<Diagnostic> {
        let Ok(top) = self.project_of(None) else { return Vec::new() };
        let pages = snapshot.pages.iter().filter(|facts| !is_said_again(&facts.entry));
        let texts: Vec<(&str, &Page)> = pages.map(|facts| (facts.page.path.as_str(), &facts.page)).collect();
        let found = self.drifted(&top, &texts, &|_, _| None).findings.into_iter();
        let finding = |one: Drifted| {
            let told = told(&one.state);
            let message = format!("`{}` {told}", one.reference);
            let path = VaultPath::new(&one.path)?;
            Some(Diagnostic::new(CODE_DRIFT.name, CODE_DRIFT.severity, &path, one.span, message))
        };
        found.filter_map(finding).collect()
    }

    fn drifted(&self, top: &Path, texts: &[(&str, &Page)], departed: &Departed<'_>) -> DriftOutcome {
        let looked: Vec<Looked<'_>> = in_parallel(texts.len(), |n| look(texts[n].0, texts[n].1));
        let mut outcome = DriftOutcome {
            project: top.to_path_buf(),
            n_pages: texts.len(),
            n_references: looked.iter().map(|one| one.found.len()).sum(),
            ..DriftOutcome::default()
        };
        if outcome.n_references == 0 {
            return outcome;
        }
        let tree = Tree::read(top, &self.own_folders(top));
        let facts = Facts::read(self, &tree);
        let load = || facts.mentions(self, &tree);
        let is_ignored = |path: &str| tree.is_ignored(path);
        let mut project = Project::new(facts.files(&tree), BTreeMap::new(), Box::new(load), Box::new(is_ignored));
        outcome.n_files = project.n_files();
        let missing: BTreeSet<String> = looked
            .iter()
            .flat_map(|one| &one.found)
            .filter_map(|(_, reference)| Some((reference.path()?, reference)))
            .filter(|(path, reference)| !project.has_path(path) && judge(reference, &project) != State::There)
            .map(|(path, _)| path.trim_end_matches('/').to_owned())
            .collect();
        if !missing.is_empty() {
            project.know(self.departures(top, &missing, departed));
            project.know_absent(repository::absent_files(top, |path| tree.has(path)));
        }
        for one in &looked {
            let lines = LineIndex::new(one.text);
            for (statement, reference) in &one.found {
                let state = judge(reference, &project);
                outcome.n_unknown += usize::from(state == State::Unknown);
                if state.is_drift() {
                    let span = reference.span.shifted(statement.start);
                    outcome.findings.push(Drifted {
                        path: one.path.to_owned(),
                        line: lines.line_of(span.start),
                        span,
                        statement: one_line(&without_marks(statement.of(one.text))),
                        reference: reference.text.clone(),
                        state,
                    });
                }
            }
        }
        outcome
    }

    /// Returns of each text whether it names code of the project the vault belongs to, and all that it names is there.
    pub(crate) fn name_living_code(&self, texts: &[&str]) -> Vec<bool> {
        let found: Vec<Vec<Reference>> = texts.iter().map(|text| references(text)).collect();
        let top = if found.iter().all(Vec::is_empty) { None } else { self.project_of(None).ok() };
        let Some(top) = top else { return vec![false; texts.len()] };
        let tree = Tree::read(&top, &self.own_folders(&top));
        let facts = Facts::read(self, &tree);
        let load = || facts.mentions(self, &tree);
        let is_ignored = |path: &str| tree.is_ignored(path);
        let project = Project::new(facts.files(&tree), BTreeMap::new(), Box::new(load), Box::new(is_ignored));
        let lives =
            |named: &Vec<Reference>| !named.is_empty() && named.iter().all(|one| judge(one, &project) == State::There);
        found.iter().map(lives).collect()
    }

    /// The folder of the project that the vault belongs to.
    fn project_of(&self, named: Option<&Path>) -> Result<PathBuf, Failure> {
        if let Some(named) = named {
            let place =
                outside::resolved(named).filter(|place| matches!(outside::standing(place), Ok(Standing::Folder)));
            return place.ok_or_else(|| Failure::usage(format!("`--project` names no folder: `{}`", named.display())));
        }
        let root = outside::resolved(self.root()).unwrap_or_else(|| self.root().to_path_buf());
        let top = repository::top_of(&root).ok_or_else(|| {
            Failure::usage("the vault lies in no git work tree, so no project belongs to it")
                .hint("name the folder of its project with `--project DIR`")
        })?;
        let Some(inner) = &self.config.project else { return Ok(top) };
        // Links inside a clone lead wherever its author wants.
        let place = outside::resolved(&top.join(inner.as_str())).filter(|place| place.starts_with(&top));
        let place = place.filter(|place| matches!(outside::standing(place), Ok(Standing::Folder)));
        place.ok_or_else(|| Failure::usage(format!("`project = \"{inner}\"` names no folder of the work tree")))
    }

    /// The vault's own folders as seen from the project: what lies there is text, whatever it looks like.
    fn own_folders(&self, top: &Path) -> Vec<String> {
        let root = outside::resolved(self.root()).unwrap_or_else(|| self.root().to_path_buf());
        let Ok(inner) = root.strip_prefix(top) else { return Vec::new() };
        let inner = inner.to_string_lossy().replace('\\', "/");
        let own = self.layout().folders().into_iter().map(|folder| folder.as_str().to_owned());
        own.into_iter().map(|folder| if inner.is_empty() { folder } else { format!("{inner}/{folder}") }).collect()
    }

    /// The pages and documents that are to be checked, with the names they are told by.
    fn texts_to_check(&self, options: &DriftOptions) -> Result<Vec<(String, Page)>, Failure> {
        if options.names.is_empty() {
            let paths: Vec<VaultPath> = self
                .read_wiki()?
                .entries()
                .filter(|entry| !is_said_again(entry))
                .map(|entry| entry.path.clone())
                .collect();
            let pages = self.read_pages(&paths)?;
            return Ok(pages.into_iter().map(|page| (page.path.as_str().to_owned(), page)).collect());
        }
        options.names.iter().map(|name| self.text_named(name, &options.folder)).collect()
    }

    fn text_named(&self, name: &str, folder: &Path) -> Result<(String, Page), Failure> {
        let place = folder.join(name);
        if let Ok(Standing::File(len)) = outside::standing(&place) {
            let too_large = || Failure::refused(format!("`{name}` is larger than {} MiB", DOCUMENT_BYTES_MAX >> 20));
            let bytes = if len <= DOCUMENT_BYTES_MAX { outside::read(&place).ok() } else { return Err(too_large()) };
            let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
            let text = text.ok_or_else(|| Failure::refused(format!("`{name}` cannot be read as UTF-8 text")))?;
            let path = VaultPath::new("document.md").expect("a file name is a vault path");
            return Ok((name.to_owned(), parse_page(&path, text).value));
        }
        let shown = self.show(name)?;
        let path = shown.entry.path.as_str().to_owned();
        Ok((path, parse_page(&shown.entry.path, shown.text).value))
    }
}

/// Returns what became of something, in words: `is gone since 2026-05-02`.
pub fn told(state: &State) -> String {
    let since = |day: &Option<Date>| day.map_or_else(String::new, |day| format!(" since {day}"));
    match state {
        State::Gone { since: day } => format!("is gone{}", since(day)),
        State::Moved { to, since: day } => {
            format!("moved to {to}{}", day.map_or_else(String::new, |day| format!(" on {day}")))
        }
        State::There | State::Unknown => format!("is {}", state.as_str()),
    }
}

fn look<'t>(path: &'t str, page: &'t Page) -> Looked<'t> {
    let text = page.text.as_str();
    let is_html = matches!(page.path.extension(), "html" | "htm");
    let said = if is_html || !text.contains(['`', '/']) { Vec::new() } else { statements(page) };
    let found = said.into_iter().flat_map(|span| references(span.of(text)).into_iter().map(move |one| (span, one)));
    Looked { path, text, found: found.collect() }
}
