//! What a vault's memory should come to, as lines that pass or fail: the part of `ken check` that reads the vault.

use ken_core::{Severity, VaultPath};

use crate::check::LintOptions;
use crate::engine::Engine;
use crate::failure::Failure;

/// One thing that was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckLine {
    /// What was looked at.
    pub name: String,
    /// Whether it is as it should be.
    pub is_ok: bool,
    /// What was found.
    pub figure: String,
    /// What is expected.
    pub limit: String,
    /// What to do, where it is not as it should be.
    pub hint: Option<String>,
}

impl CheckLine {
    /// Returns the line of something that was looked at, with what to do where it is not as it should be.
    pub fn new(
        name: impl Into<String>,
        is_ok: bool,
        (figure, limit): (impl Into<String>, impl Into<String>),
        hint: impl Into<String>,
    ) -> CheckLine {
        let hint = (!is_ok).then(|| hint.into());
        CheckLine { name: name.into(), is_ok, figure: figure.into(), limit: limit.into(), hint }
    }
}

/// The rule of lint that compares the index with what the headers say.
const INDEX_RULE: &str = "index-out-of-date";
/// The rules of lint about what leads nowhere.
const LINK_RULES: [&str; 2] = ["broken-link", "broken-relation"];

impl Engine {
    /// Returns what is to be said of the vault: its short indexes, its index, what lint finds, its state.
    ///
    /// # Errors
    /// When the vault cannot be read.
    pub fn checklist(&self) -> Result<Vec<CheckLine>, Failure> {
        let found = self.lint(LintOptions::default())?.findings;
        let limits = self.config.limits;
        let mut lines = Vec::new();
        for path in self.memory_files()? {
            let text = String::from_utf8_lossy(&self.store.read(&path)?.unwrap_or_default()).into_owned();
            let (n_lines, n_bytes) = (text.lines().count(), text.len());
            let is_ok = n_lines <= limits.memory_lines && n_bytes <= limits.memory_bytes;
            let figure = format!("{n_lines} lines, {n_bytes} bytes");
            let limit = format!("at most {} lines, {} bytes", limits.memory_lines, limits.memory_bytes);
            let hint = format!("move details out of {path} into topic files, and leave one line for each");
            lines.push(CheckLine::new(format!("memory index {path}"), is_ok, (figure, limit), hint));
            let is_broken = |rule: &str| LINK_RULES.contains(&rule);
            let of = found.iter().filter(|one| one.diagnostic.path == path && is_broken(one.diagnostic.rule));
            let n_broken = of.count();
            let hint = format!("`ken lint {path}` names them");
            let figures = (format!("{n_broken} broken"), "at most 0");
            lines.push(CheckLine::new(format!("links of {path}"), n_broken == 0, figures, hint));
        }
        let n_off = found.iter().filter(|one| one.diagnostic.rule == INDEX_RULE).count();
        let figure = if n_off == 0 { "up to date" } else { "out of date" };
        lines.push(CheckLine::new(
            "index",
            n_off == 0,
            (figure, "expected: up to date"),
            "`ken compile` makes it again",
        ));
        let n_errors = found.iter().filter(|one| one.diagnostic.severity == Severity::Error).count();
        let hint = "`ken lint` names them, `ken lint --fix` repairs what is safe to repair";
        lines.push(CheckLine::new("lint errors", n_errors == 0, (n_errors.to_string(), "at most 0"), hint));
        lines.push(self.state_line());
        Ok(lines)
    }

    /// Whether every line of the state reads.
    fn state_line(&self) -> CheckLine {
        let page = self.layout().state_page();
        match self.state() {
            Ok(state) => {
                let n = state.notes.len();
                let figures = (format!("{n} unreadable"), "at most 0");
                CheckLine::new("state page", n == 0, figures, "`ken state show` names them")
            }
            Err(failure) => {
                CheckLine::new("state page", false, (failure.message, "expected: readable"), format!("mend {page}"))
            }
        }
    }

    /// The short indexes that agents read whole: the vault's, and those of another tool.
    fn memory_files(&self) -> Result<Vec<VaultPath>, Failure> {
        let mut paths: Vec<VaultPath> = self.config.memory_index.iter().cloned().collect();
        for folder in &self.layout().foreign {
            paths.extend(folder.join("MEMORY.md"));
        }
        paths.sort();
        paths.dedup();
        let mut there = Vec::new();
        for path in paths {
            there.extend(self.store.stat(&path)?.map(|_| path));
        }
        Ok(there)
    }

    /// Returns what the page of the state costs to read, by a ruler.
    ///
    /// # Errors
    /// When the page cannot be read.
    pub fn state_tokens(&self, ruler: &dyn Fn(&str) -> usize) -> Result<usize, Failure> {
        Ok(self.state_text()?.map_or(0, |text| ruler(&text)))
    }
}
