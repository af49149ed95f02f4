//! How issues ended: the records of that, and what follows for what their entries say.
//!
//! A record is one file an issue, tracked, so that it comes with a clone and git merges several. It is anybody's: read as
//! a number, a word, a day and digests, and what stands on a page is made of those. The journal is not touched, since
//! nothing is ever taken back from it and the end of an issue is: by undo, and by saying otherwise.

use std::collections::{BTreeMap, BTreeSet};

use ken_compile::cut::{ReadAs, read_entries};
use ken_compile::ledger::{Withdrawal, Withdrawn};
use ken_core::context::Outdated;
use ken_core::held::Standing as Held;
use ken_core::issue::{Closed, Ending, Issue, Stage, parse_issue};
use ken_core::journal::{JournalEntry, parse_journal};
use ken_core::layout::TOOL_FOLDER;
use ken_core::page::past::Past;
use ken_core::{Basis, Date, Digest, LineIndex, LogEntry, Slug, VaultPath};
use serde::{Deserialize, Serialize};

use crate::compile::beside::Beside;
use crate::compile::{CompileOptions, Standing};
use crate::engine::Engine;
use crate::failure::Failure;

/// The folder of the records below the tool's, and the operation as history and log name it.
const FOLDER: &str = "issues";
const CLOSE: &str = "close";
/// [`Record::version`].
const VERSION: u32 = 1;
/// Issues that a message names.
const NAMED_MAX: usize = 8;

/// How an issue ended, as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Record {
    version: u32,
    issue: Issue,
    outcome: String,
    on: Date,
    /// The digests of lines that named code which was there: they hold in spite of it.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    spared: BTreeSet<String>,
}

impl Record {
    fn parse(bytes: &[u8], named: Issue) -> Option<(Closed, BTreeSet<String>)> {
        let record: Record = serde_json::from_slice(bytes).ok()?;
        let ending = Ending::parse(&record.outcome)?;
        let is_digest = |text: &String| text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let is_ours = record.version == VERSION && record.issue == named;
        let closed = Closed { issue: named, ending, on: record.on };
        is_ours.then(|| (closed, record.spared.into_iter().filter(is_digest).collect()))
    }

    fn text(closed: Closed, spared: BTreeSet<String>) -> String {
        let Closed { issue, ending, on } = closed;
        let record = Record { version: VERSION, issue, outcome: ending.as_str().to_owned(), on, spared };
        serde_json::to_string_pretty(&record).map(|text| text + "\n").unwrap_or_default()
    }
}

/// Where the record of an issue stands.
fn record_path(issue: Issue) -> VaultPath {
    VaultPath::new(&format!("{TOOL_FOLDER}/{FOLDER}/{issue}.json")).expect("a number is a file name")
}

/// What ending an issue did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CloseOutcome {
    /// How it ended, and when.
    pub closed: Closed,
    /// What was recorded of it before.
    pub before: Option<Closed>,
    /// Whether that is the same, so that nothing was changed.
    pub is_repeat: bool,
    /// Entries of the journal that are of the issue.
    pub n_entries: usize,
    /// Statements of them that hold in spite of it, since they name code that is there.
    pub n_spared: usize,
    /// Pages that were changed, or would be: made, updated and removed.
    pub pages: Vec<Slug>,
    /// With a dry run: the plan as a unified diff.
    pub diff: Option<String>,
}

/// A day of the journal with the issues of its entries.
struct Day {
    path: VaultPath,
    text: String,
}

impl Engine {
    /// Records how an issue ended and compiles what follows, as one operation.
    ///
    /// # Errors
    /// When no entry is of that issue, or the vault cannot be read or written: nothing was changed then.
    pub fn close(&self, issue: Issue, ending: Ending, is_dry: bool) -> Result<CloseOutcome, Failure> {
        let guard = if is_dry { None } else { Some(self.lock(CLOSE)?) };
        let days = self.days_with_issues()?;
        let mut known: BTreeMap<Issue, usize> = BTreeMap::new();
        for day in &days {
            let journal = parse_journal(&day.text, None).value;
            journal.standing().filter_map(issue_of).for_each(|issue| *known.entry(issue).or_default() += 1);
        }
        let before = self.closed(issue)?.map(|(closed, _)| closed);
        let n_entries = match known.get(&issue) {
            Some(n) => *n,
            None => return Err(unknown(issue, known.keys())),
        };
        let closed = Closed { issue, ending, on: self.clock.today() };
        let outcome = |closed| CloseOutcome {
            closed,
            before,
            is_repeat: false,
            n_entries,
            n_spared: 0,
            pages: Vec::new(),
            diff: None,
        };
        if let Some(before) = before.filter(|before| before.ending == ending) {
            return Ok(CloseOutcome { is_repeat: true, ..outcome(before) });
        }
        let spared = if ending == Ending::Merged { BTreeSet::new() } else { self.spared(&days, issue) };
        let n_spared = spared.len();
        let path = record_path(issue);
        let bytes = self.store.read(&path)?;
        let edits = vec![Basis::of(&path, bytes.as_deref()).replace(Record::text(closed, spared))];
        let mut lines = vec![format!("Entries: {n_entries}")];
        lines.extend((n_spared > 0).then(|| format!("Spared: {n_spared}, whose code is there")));
        let log = LogEntry {
            at: self.clock.now,
            kind: CLOSE.to_owned(),
            subject: format!("issue {issue}: {}", ending.as_str()),
            lines,
            inputs: Vec::new(),
            public: true,
        };
        let around = |_: &VaultPath, text: &str| text.to_owned();
        let beside = Beside { edits, log, expects: Vec::new(), around: &around, tells_compiled: true };
        // What is said of a thing stays on its page, as stale.
        let options = CompileOptions { dry_run: is_dry, ..CompileOptions::default() };
        let standing = &mut Standing::default();
        let (compiled, _) = self.compile_under(guard.as_ref(), (options, standing), Some(&beside))?;
        let pages = [compiled.created, compiled.updated, compiled.removed].concat();
        Ok(CloseOutcome { n_spared, pages, diff: compiled.diff, ..outcome(closed) })
    }

    /// Returns how an issue ended, if that is recorded.
    pub(crate) fn ending_of(&self, issue: Issue) -> Result<Option<Closed>, Failure> {
        Ok(self.closed(issue)?.map(|(closed, _)| closed))
    }

    fn closed(&self, issue: Issue) -> Result<Option<(Closed, BTreeSet<String>)>, Failure> {
        Ok(self.store.read(&record_path(issue))?.and_then(|bytes| Record::parse(&bytes, issue)))
    }

    /// Returns the issues whose work did not stay, as a change leaves them; as of a day, those of which it was known then.
    pub(crate) fn withdrawn(&self, beside: Option<&Beside<'_>>) -> Result<Withdrawn, Failure> {
        let names = self.store.kept_names(FOLDER)?;
        let stem = |name: &str| name.strip_suffix(".json").and_then(parse_issue);
        let mut issues: BTreeSet<Issue> = names.iter().filter_map(|name| stem(name)).collect();
        let changed = beside.iter().flat_map(|beside| &beside.edits).map(ken_core::Edit::path);
        let is_record = |path: &&VaultPath| path.is_under(&format!("{TOOL_FOLDER}/{FOLDER}"));
        issues.extend(changed.filter(is_record).filter_map(|path| stem(path.file_name())));
        let mut out = Withdrawn::new();
        for issue in issues {
            let bytes = self.as_changed(beside, &record_path(issue))?;
            let Some((closed, spared)) = bytes.and_then(|bytes| Record::parse(&bytes, issue)) else { continue };
            let is_known = self.as_of_day().is_none_or(|day| closed.on <= day);
            if closed.ending != Ending::Merged && is_known {
                out.insert(issue, Withdrawal { why: closed.to_string(), spared });
            }
        }
        Ok(out)
    }

    /// Returns what of a day of the journal is stale.
    pub(crate) fn withdrawn_in(&self, path: &VaultPath, text: &str, withdrawn: &Withdrawn) -> Vec<Outdated> {
        if withdrawn.is_empty() || !path.is_under(self.layout().journal.as_str()) {
            return Vec::new();
        }
        let lines = LineIndex::new(text);
        let journal = parse_journal(text, None).value;
        let mut out = Vec::new();
        for entry in journal.standing() {
            let Some(withdrawal) = issue_of(entry).and_then(|issue| withdrawn.get(&issue)) else { continue };
            let since = Past::Stale(Some(withdrawal.why.clone())).told();
            let is_spared = |line: usize| {
                let said = lines.lines(line, line).map_or("", |span| span.of(text));
                withdrawal.spared.contains(&Digest::of_normalised(said).short())
            };
            let all = (lines.line_of(entry.span.start), lines.line_of(entry.span.end.saturating_sub(1)));
            let stale = |said| Outdated { lines: all, said, since: since.clone(), standing: Held::Replaced };
            // Where something of it holds, each other line is told by itself.
            let others: Vec<usize> = (all.0..=all.1).filter(|line| !is_spared(*line)).collect();
            match others.len() == all.1 + 1 - all.0 {
                true => out.push(stale(None)),
                false => out.extend(others.into_iter().map(|line| {
                    let said = lines.lines(line, line).map_or("", |span| span.of(text));
                    stale(Some(said.trim_start_matches(['-', '*', ' ']).trim().to_owned()))
                })),
            }
        }
        out
    }

    /// The days of the journal on which an entry may be of an issue.
    fn days_with_issues(&self) -> Result<Vec<Day>, Failure> {
        let mut out = Vec::new();
        for file in self.store.list(&self.layout().journal)?.files {
            let text = self.store.read(&file.path)?.and_then(|bytes| String::from_utf8(bytes).ok());
            out.extend(text.filter(|text| text.contains("Issue ")).map(|text| Day { path: file.path, text }));
        }
        Ok(out)
    }

    /// The digests of the lines of an issue's entries that name code of the project, all of which is there.
    fn spared(&self, days: &[Day], issue: Issue) -> BTreeSet<String> {
        let entries = days.iter().flat_map(|day| read_entries(&day.path, ReadAs::Journal, &day.text, None));
        let passages = entries.filter(|entry| entry.issue == Some(issue)).flat_map(|entry| entry.passages);
        let said: Vec<(String, String)> =
            passages.filter(|one| one.kind.is_said()).map(|one| (one.text, one.digest)).collect();
        let texts: Vec<&str> = said.iter().map(|(text, _)| text.as_str()).collect();
        let lives = self.name_living_code(&texts);
        said.iter().zip(lives).filter(|(_, lives)| *lives).map(|((_, digest), _)| digest.clone()).collect()
    }
}

/// Returns the issue that an entry is of.
pub(crate) fn issue_of(entry: &JournalEntry) -> Option<Issue> {
    Stage::of_entry(entry).map(|(stage, _)| stage.issue)
}

fn unknown<'i>(issue: Issue, known: impl ExactSizeIterator<Item = &'i Issue>) -> Failure {
    let (n, mut names) = (known.len(), known.take(NAMED_MAX).map(ToString::to_string).collect::<Vec<_>>());
    names.extend((n > NAMED_MAX).then(|| format!("{} more", n - NAMED_MAX)));
    let has = match names.is_empty() {
        true => "the journal has none of any issue; `ken log --issue N --phase plan` adds one".to_owned(),
        false => format!("the journal has entries of {}", names.join(", ")),
    };
    Failure::usage(format!("no entry of the journal is of issue {issue}")).hint(has).hint("nothing was changed")
}

#[cfg(test)]
mod tests;
