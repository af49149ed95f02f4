//! Lints a vault, fixes what is safe, writes a report.

use std::collections::BTreeMap;

use ken_core::lint::{CheckKey, Checked, Memory, fixed_pages, lint_with};
use ken_core::parallel::in_parallel;
use ken_core::snapshot::{PageFacts, SourceText};
use ken_core::text::count;
use ken_core::{Basis, Diagnostic, Digest, LineIndex, LogEntry, Plan, Position, Severity, Snapshot, Span, VaultPath};
use ken_store::FileStat;

use crate::compile::SourceFile;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::outcome::{Finding, FindingPlace, LintOutcome};
use crate::propose::Judges;

/// How to lint.
#[derive(Debug, Clone, Copy, Default)]
pub struct LintOptions {
    /// Apply the safe fixes, as one plan.
    pub fix: bool,
    /// Write a Markdown report under `reports/`.
    pub report: bool,
    /// Say where suggestions stand, too: there may be tens of thousands, and most callers only count them.
    pub suggestions: bool,
}

/// Fixing one thing may show another; this many rounds settle every case known.
const FIX_ROUNDS_MAX: usize = 3;

/// Name of what was checked in the cache.
const CHECKS: &str = "lint.bin";

/// The checks as they are kept: what names each, what it asked, and what it found.
type Kept = Vec<(CheckKey, Vec<(String, bool)>, Vec<((usize, usize), String)>)>;

/// Files that are not UTF-8, each with the byte where reading stopped.
type Unreadable = Vec<(VaultPath, usize)>;

impl Engine {
    /// Checks the vault, with what was judged before.
    ///
    /// # Errors
    /// When the vault cannot be read, or with `fix` or `report` not be written.
    pub fn lint(&self, options: LintOptions) -> Result<LintOutcome, Failure> {
        self.lint_with(options, Judges::Before)
    }

    /// Checks the vault, with what judges say. What they cannot say is a failure inside of the outcome.
    ///
    /// # Errors
    /// As [`Engine::lint`].
    pub fn lint_with(&self, options: LintOptions, judges: Judges<'_>) -> Result<LintOutcome, Failure> {
        let mut outcome = LintOutcome::default();
        if options.fix {
            outcome.fixed = self.fix()?;
        }
        let snapshot = self.snapshot()?;
        let mut found = self.lint_again(&snapshot);
        let (judged, came_of_it) = self.judge(&snapshot, &found, judges)?;
        let drifted = self.drift_findings(&snapshot);
        if !judged.is_empty() || !drifted.is_empty() {
            found.extend(judged);
            found.extend(drifted);
            found.sort_by(|a, b| (&a.path, a.span, a.rule, &a.message).cmp(&(&b.path, b.span, b.rule, &b.message)));
        }
        outcome.judged = came_of_it;
        outcome.pages = snapshot.pages.len();
        outcome.findings = place(&snapshot, found, options.suggestions || options.report);
        // Freeing ten thousand pages takes as long as checking them; nobody has to wait for it.
        std::thread::spawn(move || drop(snapshot));
        if options.report {
            outcome.report = Some(self.write_report(&outcome)?);
        }
        Ok(outcome)
    }

    /// Checks a vault; what need not be checked again is taken from the cache.
    fn lint_again(&self, snapshot: &Snapshot) -> Vec<Diagnostic> {
        let kept = self.store.read_cache(CHECKS).and_then(|bytes| postcard::from_bytes::<Kept>(&bytes).ok());
        let checked = kept.unwrap_or_default().into_iter().map(|(key, asked, found)| (key, Checked { asked, found }));
        let memory = Memory::of(checked.collect());
        let found = lint_with(snapshot, self.clock.today(), &memory);
        if let Some(news) = memory.news() {
            let kept: Kept = news.into_iter().map(|(key, checked)| (key, checked.asked, checked.found)).collect();
            // Losing the cache costs time, never a finding.
            let _ = postcard::to_allocvec(&kept).map(|bytes| self.store.write_cache(CHECKS, bytes));
        }
        found
    }

    fn fix(&self) -> Result<Vec<VaultPath>, Failure> {
        let guard = self.lock("lint --fix")?;
        let mut fixed: Vec<VaultPath> = Vec::new();
        for _ in 0..FIX_ROUNDS_MAX {
            let snapshot = self.snapshot()?;
            let mut wiki = self.read_wiki()?;
            let mut edits = Vec::new();
            for (basis, text) in fixed_pages(&snapshot, self.clock.today()) {
                crate::compile::note_page(&mut wiki, basis.path(), &text);
                edits.push(basis.replace(text));
            }
            // What stays as it is shows as a finding.
            self.plan_index(&wiki, &mut edits)?;
            if edits.is_empty() {
                break;
            }
            let paths: Vec<VaultPath> = edits.iter().map(|edit| edit.path().clone()).collect();
            let lines = paths.iter().map(|path| format!("fixed {path}")).collect();
            let subject = count(paths.len(), "file");
            let log = LogEntry {
                at: self.clock.now,
                kind: "lint --fix".to_owned(),
                subject,
                lines,
                inputs: Vec::new(),
                public: true,
            };
            self.apply(&guard, &Plan { edits, guards: Vec::new(), log })?;
            fixed.extend(paths);
        }
        fixed.sort();
        fixed.dedup();
        Ok(fixed)
    }

    /// Reads the whole vault.
    pub(crate) fn snapshot(&self) -> Result<Snapshot, Failure> {
        let (pages, unreadable) = self.page_facts()?;
        let mut snapshot = Snapshot::new(self.layout().clone(), pages, self.source_texts()?);
        snapshot.unreadable = unreadable;
        snapshot.index_files = self.index_files()?;
        Ok(snapshot)
    }

    /// Reads the pages, and nothing that they cite.
    pub(crate) fn snapshot_of_pages(&self) -> Result<Snapshot, Failure> {
        Ok(Snapshot::new(self.layout().clone(), self.page_facts()?.0, BTreeMap::new()))
    }

    /// Every page, and the files that are none because they are no text.
    fn page_facts(&self) -> Result<(Vec<PageFacts>, Unreadable), Failure> {
        let layout = self.layout();
        let mut paths = Vec::new();
        for folder in layout.page_folders() {
            paths.extend(self.store.list_paths(folder)?.into_iter().filter(|path| layout.is_page(path)));
        }
        paths.sort();
        paths.dedup();
        let facts = |path: &VaultPath, bytes: Vec<u8>| match String::from_utf8(bytes) {
            Ok(text) => Ok(PageFacts::read(path, text)),
            Err(error) => Err((path.clone(), error.utf8_error().valid_up_to())),
        };
        let (mut pages, mut unreadable) = (Vec::with_capacity(paths.len()), Vec::new());
        for result in self.store.map_paths(&paths, facts)?.into_iter().flatten() {
            match result {
                Ok(facts) => pages.push(facts),
                Err(bad) => unreadable.push(bad),
            }
        }
        let told = self.told_of_pages()?;
        for facts in pages.iter_mut().filter(|facts| facts.entry.tldr.is_empty()) {
            facts.entry.tldr = told.get(&facts.entry.slug).cloned().unwrap_or_default();
        }
        Ok((pages, unreadable))
    }

    fn source_texts(&self) -> Result<BTreeMap<VaultPath, SourceText>, Failure> {
        let (files, _) = self.source_files()?;
        let compiled = self.load_ledger().map(|ledger| ledger.files).unwrap_or_default();
        let elsewhere = self.compiled_elsewhere()?;
        let stats: Vec<FileStat> = files.into_iter().map(|SourceFile { stat, .. }| stat).collect();
        let read = |file: &FileStat, bytes: Vec<u8>| {
            let digest = Digest::of(&bytes);
            let compiled = compiled.get(file.path.as_str()).map(|known| Digest::from_bytes(known.digest));
            let compiled = if elsewhere.contains(&file.path) { Some(digest) } else { compiled };
            (file.path.clone(), SourceText::new(String::from_utf8(bytes).ok(), digest, compiled))
        };
        Ok(self.store.map_files(&stats, read)?.into_iter().flatten().collect())
    }

    fn index_files(&self) -> Result<BTreeMap<VaultPath, String>, Failure> {
        let layout = self.layout();
        let mut files: Vec<VaultPath> = vec![layout.index.clone()];
        if let Some(folder) = layout.wiki.join("index") {
            files.extend(self.store.list(&folder)?.files.into_iter().map(|file| file.path));
        }
        files.extend(self.telling()?.into_iter().map(|file| file.path));
        files.sort();
        files.dedup();
        let mut out = BTreeMap::new();
        for path in files {
            if let Some(text) = self.store.read(&path)?.and_then(|bytes| String::from_utf8(bytes).ok()) {
                out.insert(path, text);
            }
        }
        Ok(out)
    }

    fn write_report(&self, outcome: &LintOutcome) -> Result<VaultPath, Failure> {
        let today = self.clock.today();
        let guard = self.lock("lint --report")?;
        let basis = self.report_place(&today.to_string())?;
        let path = basis.path().clone();
        let edits = vec![basis.replace(report(outcome, &today.to_string()))];
        let log = LogEntry {
            at: self.clock.now,
            kind: "lint --report".to_owned(),
            subject: path.to_string(),
            lines: Vec::new(),
            inputs: Vec::new(),
            public: false,
        };
        self.apply(&guard, &Plan { edits, guards: Vec::new(), log })?;
        Ok(path)
    }
}

impl Engine {
    /// Where the report of a day goes: over the one that this program wrote last, never over one that somebody
    /// has written into since.
    fn report_place(&self, today: &str) -> Result<Basis, Failure> {
        for n in 1.. {
            let number = if n == 1 { String::new() } else { format!("-{n}") };
            let path = VaultPath::new(&format!("reports/lint-{today}{number}.md")).expect("a date is a file name");
            let standing = self.store.read(&path)?;
            let is_ours = |bytes: &[u8]| self.store.is_as_written(&path, Digest::of(bytes));
            if standing.as_deref().map_or(Ok(true), is_ours)? {
                return Ok(Basis::of(&path, standing.as_deref()));
            }
        }
        unreachable!("numbers do not end")
    }
}

/// Gives each finding its line, column and the text to show; suggestions only with `suggestions`.
fn place(snapshot: &Snapshot, found: Vec<Diagnostic>, suggestions: bool) -> Vec<Finding> {
    let is_placed = |one: &Diagnostic| suggestions || one.severity != Severity::Suggestion;
    if !found.iter().any(is_placed) {
        return found.into_iter().map(|diagnostic| Finding { diagnostic, place: None }).collect();
    }
    let mut texts: BTreeMap<&VaultPath, &str> =
        snapshot.pages.iter().map(|facts| (&facts.page.path, facts.page.text.as_str())).collect();
    texts.extend(snapshot.sources.iter().filter_map(|(path, source)| Some((path, source.text.as_deref()?))));
    texts.extend(snapshot.index_files.iter().map(|(path, text)| (path, text.as_str())));
    // Findings are sorted by file; the lines of one are counted once.
    let files: Vec<&[Diagnostic]> = found.chunk_by(|a, b| a.path == b.path).collect();
    let places = in_parallel(files.len(), |n| {
        let wanted: Vec<&Diagnostic> = files[n].iter().filter(|one| is_placed(one)).collect();
        places_in_file(texts.get(&files[n][0].path).copied(), &wanted)
    });
    let mut places = places.into_iter().flatten();
    let placed = found.into_iter().map(|diagnostic| {
        let place = if is_placed(&diagnostic) { places.next() } else { None };
        Finding { diagnostic, place }
    });
    placed.collect()
}

/// The places of findings, which come in the order of their spans, so that each line is walked once.
fn places_in_file(text: Option<&str>, found: &[&Diagnostic]) -> Vec<FindingPlace> {
    if found.is_empty() {
        return Vec::new();
    }
    let index = LineIndex::new(text.unwrap_or(""));
    let mut at = Reached::default();
    let mut last: Option<(Span, FindingPlace)> = None;
    let mut place = |diagnostic: &&Diagnostic| {
        let span = diagnostic.span;
        let Some(text) = text.filter(|_| span.end > span.start) else {
            return FindingPlace {
                position: Position { line: 1, column: 1 },
                excerpt: String::new(),
                n_before: 0,
                n_marked: 0,
            };
        };
        if let Some((_, place)) = last.as_ref().filter(|(known, _)| *known == span) {
            return place.clone();
        }
        let line_no = index.line_of(span.start);
        let line = index.lines(line_no, line_no).unwrap_or(Span::new(0, 0));
        let column = at.column(text, line.start, span.start);
        let piece = around(text, line, span.start);
        let n_before = column - 1 - text[piece.start..span.start.max(piece.start)].chars().count();
        let n_marked = span.of(text).split('\n').next().unwrap_or("").chars().count();
        let excerpt = piece.of(text).trim_end_matches('\r').to_owned();
        let place = FindingPlace { position: Position { line: line_no, column }, excerpt, n_before, n_marked };
        last = Some((span, place.clone()));
        place
    };
    found.iter().map(&mut place).collect()
}

/// How far the characters of a line were counted.
#[derive(Debug, Default)]
struct Reached {
    line: usize,
    byte: usize,
    column: usize,
}

impl Reached {
    /// Returns the column, from 1, of a byte of the line that begins at `line`.
    fn column(&mut self, text: &str, line: usize, byte: usize) -> usize {
        if self.column == 0 || self.line != line || self.byte > byte {
            *self = Reached { line, byte: line, column: 1 };
        }
        self.column += text.get(self.byte..byte).unwrap_or("").chars().count();
        self.byte = byte;
        self.column
    }
}

/// Bytes of a line that are shown before a finding and behind it; a line that fits is shown whole.
const BYTES_BEFORE: usize = 1_024;
const BYTES_BEHIND: usize = 4_096;

/// The part of a line around a finding that begins at `at`.
fn around(text: &str, line: Span, at: usize) -> Span {
    if line.end - line.start <= BYTES_BEFORE + BYTES_BEHIND || at < line.start {
        return line;
    }
    let boundary = |at: usize| (at..=line.end).find(|at| text.is_char_boundary(*at)).unwrap_or(line.end);
    let start = boundary(at.saturating_sub(BYTES_BEFORE).max(line.start));
    let end = boundary((at + BYTES_BEHIND).min(line.end));
    // Trailing white space is not shown, so the part must not end in some that the line goes on after.
    let space = text[end..line.end].find(|ch: char| !ch.is_whitespace());
    Span::new(start, space.map_or(line.end, |n| boundary(end + n + 1)))
}

fn report(outcome: &LintOutcome, today: &str) -> String {
    let of =
        |severity: Severity| outcome.findings.iter().filter(move |finding| finding.diagnostic.severity == severity);
    let mut text = format!(
        "# Lint report {today}\n\n**Total findings:** {} in {} pages\n\n",
        outcome.findings.len(),
        outcome.pages
    );
    let sections =
        [(Severity::Error, "Errors"), (Severity::Warning, "Warnings"), (Severity::Suggestion, "Suggestions")];
    for (severity, heading) in sections {
        text.push_str(&format!("- {heading}: {}\n", of(severity).count()));
    }
    for (severity, heading) in sections.into_iter().filter(|(severity, _)| of(*severity).next().is_some()) {
        text.push_str(&format!("\n## {heading}\n\n"));
        for finding in of(severity) {
            let Finding { diagnostic, place: Some(FindingPlace { position, .. }) } = finding else { continue };
            let fixable = if diagnostic.fixable { " (fixed by `ken lint --fix`)" } else { "" };
            text.push_str(&format!(
                "- `{}:{}:{}` {}: {}{fixable}\n",
                diagnostic.path, position.line, position.column, diagnostic.rule, diagnostic.message
            ));
        }
    }
    if outcome.findings.is_empty() {
        text.push_str("\nNothing was found.\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_on_a_long_line_is_shown_with_what_stands_around_it() {
        let path = VaultPath::new("knowledge/a.md").expect("inside");
        let line = "é word ".repeat(20_000);
        let text = format!("first\n{line}[[x]]{line}\nlast\n");
        let at = 6 + line.len();
        let finding = |span| Diagnostic::new("broken-link", Severity::Error, &path, span, String::new());
        let spans = [Span::new(0, 5), Span::new(9, 13), Span::new(at, at + 5), Span::new(at, at + 5)];
        let found: Vec<Diagnostic> = spans.into_iter().map(finding).collect();
        let index = LineIndex::new(&text);
        let places = places_in_file(Some(&text), &found.iter().collect::<Vec<_>>());
        for (place, span) in places.iter().zip(spans) {
            assert_eq!(place.position, index.position(&text, span.start));
            let behind: String = place.excerpt.chars().skip(place.position.column - 1 - place.n_before).collect();
            assert!(behind.starts_with(span.of(&text)), "{behind}");
            assert!(place.excerpt.len() <= 2 * (BYTES_BEFORE + BYTES_BEHIND));
        }
    }
}
