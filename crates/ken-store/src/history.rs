//! What was done to the vault, for machines.
//!
//! `.kenning/ops/YYYY-MM.jsonl` has one line of JSON an operation, each with the digest of the line
//! before it, so that a line that was changed, removed or put in is found. Numbers rise by one and
//! never start again. Lines are only ever added, to the newest file: a clock that goes back does not
//! disturb the order. A line that does not read is reported and passed over.
//!
//! Redacting a line is the exception: the records after it are made to name their new predecessors in the same
//! step, so that the chain holds, and the operation that did it is the last of them.
//!
//! The chain alone cannot show that the newest lines were cut off or the last one rewritten; the last is
//! therefore also compared with its undo record.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use ken_core::{Digest, LogEntry, Timestamp, VaultPath};
use serde::{Deserialize, Serialize};

use crate::error::StoreError;
use crate::intent::{Change, Step};
use crate::listing;
use crate::store::{Store, tool};

/// How much of the newest file is read to find the last line; most lines are below 1 KiB.
const TAIL_BYTES: u64 = 256 * 1024;

/// The number of an operation, counted within one vault; prints as `000123`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OpId(u64);

impl OpId {
    /// Returns the operation of that number.
    pub fn new(number: u64) -> OpId {
        OpId(number)
    }

    /// Returns the operation that a text names, with or without leading zeros.
    pub fn parse(text: &str) -> Option<OpId> {
        text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok().map(OpId))?
    }

    /// Returns the number.
    pub fn number(self) -> u64 {
        self.0
    }
}

impl fmt::Display for OpId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:06}", self.0)
    }
}

/// One operation as it was recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    /// Its number.
    pub id: OpId,
    /// When it was decided.
    pub at: Timestamp,
    /// The operation, as the command is named.
    pub kind: String,
    /// What it was about.
    pub subject: String,
    /// What it was made from, by digest.
    pub inputs: Vec<(VaultPath, Digest)>,
    /// What it changed.
    pub edits: Vec<OperationEdit>,
    /// The first operation of the command that it belongs to, if that is another one.
    pub run: Option<OpId>,
    /// The operations that it took back.
    pub undoes: Vec<OpId>,
    /// The operations that it did again.
    pub redoes: Vec<OpId>,
    /// Digest of the record before this one.
    pub prev: Option<Digest>,
}

/// What an operation is to others.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Related {
    pub(crate) run: Option<OpId>,
    pub(crate) undoes: Vec<OpId>,
    pub(crate) redoes: Vec<OpId>,
}

/// One file that an operation changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OperationEdit {
    /// The file.
    pub path: VaultPath,
    /// Its digest before, `None` when there was no file.
    pub before: Option<Digest>,
    /// Its digest after, `None` when it was removed.
    pub after: Option<Digest>,
    /// Whether bytes were added at its end.
    pub append: bool,
}

/// A record that does not read or does not fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    /// The file.
    pub path: VaultPath,
    /// The line, counted from 1.
    pub line: usize,
    /// What was found.
    pub why: String,
}

/// Operations, newest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct History {
    /// The operations that could be read.
    pub operations: Vec<Operation>,
    /// Lines that could not.
    pub damaged: Vec<Damage>,
}

/// What checking the whole operation log found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Verified {
    /// How many records were checked.
    pub n_operations: usize,
    /// Records that do not read or do not fit, oldest first.
    pub damaged: Vec<Damage>,
    /// Places where git put records of another copy of the vault beside those of this one.
    pub n_merged: usize,
}

#[derive(Serialize, Deserialize)]
struct OpLine {
    id: String,
    at: String,
    kind: String,
    subject: String,
    inputs: Vec<InputLine>,
    edits: Vec<EditLine>,
    // Not in records of earlier versions, and not where there is nothing to say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    run: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    undoes: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    redoes: Vec<String>,
    prev: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct InputLine {
    path: String,
    digest: String,
}

#[derive(Serialize, Deserialize)]
struct EditLine {
    path: String,
    before: Option<String>,
    after: Option<String>,
    append: bool,
}

impl OpLine {
    fn of(id: OpId, (entry, related): (&LogEntry, &Related), steps: &[Step<'_>], prev: Option<Digest>) -> OpLine {
        let ids = |ids: &[OpId]| ids.iter().map(OpId::to_string).collect();
        let hex = |digest: Option<Digest>| digest.map(|digest| digest.to_string());
        let input =
            |(path, digest): &(VaultPath, Digest)| InputLine { path: path.to_string(), digest: digest.to_string() };
        let edit = |step: &Step<'_>| EditLine {
            path: step.path.to_string(),
            before: hex(step.before()),
            after: hex(step.after()),
            append: matches!(step.change, Change::Append { .. }),
        };
        OpLine {
            id: id.to_string(),
            at: entry.at.to_string(),
            kind: entry.kind.clone(),
            subject: entry.subject.clone(),
            inputs: entry.inputs.iter().map(input).collect(),
            edits: steps.iter().filter(|step| !step.internal && !step.is_forgotten()).map(edit).collect(),
            run: related.run.filter(|run| *run != id).map(|run| run.to_string()),
            undoes: ids(&related.undoes),
            redoes: ids(&related.redoes),
            prev: hex(prev),
        }
    }
}

/// Returns the operation that a line records.
fn parse_line(line: &[u8]) -> Option<Operation> {
    let line: OpLine = serde_json::from_slice(line).ok()?;
    // A digest that does not read spoils the record; an absent one is none.
    let digest = |hex: &Option<String>| match hex {
        Some(hex) => Digest::parse(hex).map(Some),
        None => Some(None),
    };
    let ids = |ids: &[String]| ids.iter().map(|id| OpId::parse(id)).collect::<Option<Vec<OpId>>>();
    let input = |input: &InputLine| Some((VaultPath::new(&input.path)?, Digest::parse(&input.digest)?));
    let edit = |edit: &EditLine| {
        let (before, after) = (digest(&edit.before)?, digest(&edit.after)?);
        Some(OperationEdit { path: VaultPath::new(&edit.path)?, before, after, append: edit.append })
    };
    Some(Operation {
        id: OpId::parse(&line.id)?,
        at: line.at.parse().ok()?,
        inputs: line.inputs.iter().map(input).collect::<Option<_>>()?,
        edits: line.edits.iter().map(edit).collect::<Option<_>>()?,
        run: line.run.as_deref().map_or(Some(None), |run| OpId::parse(run).map(Some))?,
        undoes: ids(&line.undoes)?,
        redoes: ids(&line.redoes)?,
        prev: digest(&line.prev)?,
        kind: line.kind,
        subject: line.subject,
    })
}

/// Returns the number of the operation that a line records: of one that wrote ten thousand pages reading all takes long.
fn id_of(line: &[u8]) -> Option<OpId> {
    #[derive(Deserialize)]
    struct IdLine {
        id: String,
    }
    OpId::parse(&serde_json::from_slice::<IdLine>(line).ok()?.id)
}

/// Where the next record goes.
#[derive(Default)]
struct Tail {
    file: Option<VaultPath>,
    len: u64,
    ends_in_line: bool,
    prev: Option<Digest>,
    last_id: u64,
}

impl Store {
    /// Returns the newest `limit` operations, newest first.
    ///
    /// # Errors
    /// When a file cannot be read; a damaged line is no error.
    pub fn history(&self, limit: usize) -> Result<History, StoreError> {
        let mut history = History::default();
        for path in self.operation_files()?.into_iter().rev() {
            let bytes = self.disk.read(&path)?.unwrap_or_default();
            for (n, line) in lines(&bytes).into_iter().rev() {
                if history.operations.len() >= limit {
                    return Ok(history);
                }
                match parse_line(line) {
                    Some(operation) => history.operations.push(operation),
                    None => history.damaged.push(damage(&path, n, "it is not a record of an operation")),
                }
            }
        }
        Ok(history)
    }

    /// Returns one operation, or `None` when there is no record of it.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn operation(&self, id: OpId) -> Result<Option<Operation>, StoreError> {
        Ok(self.history(usize::MAX)?.operations.into_iter().find(|operation| operation.id == id))
    }

    /// Returns whether a file with these bytes is what the newest operation on it left: then nobody else has
    /// written to it since.
    ///
    /// # Errors
    /// When the operation log cannot be read.
    pub fn is_as_written(&self, path: &VaultPath, digest: Digest) -> Result<bool, StoreError> {
        let operations = self.history(usize::MAX)?.operations;
        let last = operations.iter().flat_map(|operation| &operation.edits).find(|edit| edit.path == *path);
        Ok(last.is_some_and(|edit| edit.after == Some(digest)))
    }

    /// Checks that every record of the operation log reads and follows the one before it.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn verify_history(&self) -> Result<Verified, StoreError> {
        let mut verified = Verified::default();
        let mut chain = Chain::default();
        let mut read: Vec<(VaultPath, usize, Vec<u8>, OpId)> = Vec::new();
        for path in self.operation_files()? {
            let bytes = self.disk.read(&path)?.unwrap_or_default();
            for (n, line) in lines(&bytes) {
                verified.n_operations += 1;
                let operation = parse_line(line);
                match &operation {
                    None if is_conflict_marker(line) => {
                        verified.damaged.push(damage(&path, n, "git left a conflict marker; remove the line"));
                        continue;
                    }
                    None => verified.damaged.push(damage(&path, n, "it is not a record of an operation")),
                    Some(operation) => read.push((path.clone(), n, line.to_vec(), operation.id)),
                }
                chain.add(&path, n, line, operation.map(|operation| operation.prev));
            }
        }
        chain.check(&mut verified);
        if let Some((path, n, _, id)) = read.last() {
            // After a merge two operations have the number, and the undo record is that of this copy's.
            let same: Vec<&[u8]> =
                read.iter().filter(|(.., other)| other == id).map(|(.., line, _)| &line[..]).collect();
            if self.own_undo_record(*id)?.is_some_and(|record| !same.iter().any(|line| records(&record.steps, line))) {
                verified.damaged.push(damage(path, *n, "it differs from its undo record"));
            }
        }
        Ok(verified)
    }

    /// Returns the next operation's number and the step that records it; none when the steps already rewrite
    /// the file that the record goes to, and it was added there.
    pub(crate) fn operation_step(
        &self,
        (entry, related): (&LogEntry, &Related),
        steps: &mut Vec<Step<'_>>,
    ) -> Result<(OpId, Option<Step<'static>>), StoreError> {
        let mut tail = self.operation_tail()?;
        if let Some(prev) = self.chain_anew(steps)? {
            tail.prev = Some(prev);
        }
        let id = OpId(tail.last_id + 1);
        let month = tool(&format!("ops/{}.jsonl", entry.at.strftime("%Y-%m")));
        // Never an older file than the newest, whatever the clock says.
        let path = tail.file.clone().filter(|newest| *newest >= month).unwrap_or(month);
        let is_same = tail.file.as_ref() == Some(&path);
        let line = serde_json::to_string(&OpLine::of(id, (entry, related), steps, tail.prev));
        let line = line.expect("plain fields always have a JSON form");
        let gap = if is_same && !tail.ends_in_line { "\n" } else { "" };
        let rewritten = steps.iter_mut().filter(|step| step.path == path).find_map(|step| match &mut step.change {
            Change::Redact { after, .. } => Some(after),
            _ => None,
        });
        if let Some(after) = rewritten {
            after.extend_from_slice(format!("{gap}{line}\n").as_bytes());
            return Ok((id, None));
        }
        let change = Change::Append {
            old_len: if is_same { tail.len } else { 0 },
            existed: is_same,
            before: None,
            after: None,
            added: format!("{gap}{line}\n").into_bytes(),
        };
        Ok((id, Some(Step { path, change, internal: true })))
    }

    /// Makes the records after a redacted one name their new predecessors, in the steps; returns the digest of
    /// the last record when anything was rewritten. A link that was broken before stays broken.
    fn chain_anew(&self, steps: &mut Vec<Step<'_>>) -> Result<Option<Digest>, StoreError> {
        let ops = tool("ops");
        if !steps.iter().any(|step| step.path.is_under(ops.as_str())) {
            return Ok(None);
        }
        let (mut old_prev, mut new_prev): (Option<Digest>, Option<Digest>) = (None, None);
        for path in self.operation_files()? {
            let old = self.disk.read(&path)?.unwrap_or_default();
            let at = steps.iter().position(|step| step.path == path);
            let redacted = at.map_or_else(|| old.clone(), |at| steps[at].staged_bytes().unwrap_or(&old).to_vec());
            let mut new = Vec::with_capacity(old.len());
            // A redaction keeps the line ends, so both have the same lines.
            for (old_line, line) in old.split(|&byte| byte == b'\n').zip(redacted.split(|&byte| byte == b'\n')) {
                let mut line = line.to_vec();
                if let (Some(before), Some(now)) = (old_prev, new_prev)
                    && before != now
                    && parse_line(old_line).is_some_and(|operation| operation.prev == Some(before))
                {
                    line = String::from_utf8_lossy(&line).replace(&before.to_string(), &now.to_string()).into_bytes();
                }
                if !old_line.is_empty() {
                    (old_prev, new_prev) = (Some(Digest::of(old_line)), Some(Digest::of(&line)));
                }
                new.extend_from_slice(&line);
                new.push(b'\n');
            }
            new.pop();
            if new != old {
                let change = Change::Redact { before: Digest::of(&old), after: new };
                match at {
                    Some(at) => steps[at].change = change,
                    None => steps.push(Step { path, change, internal: true }),
                }
            }
        }
        Ok(new_prev)
    }

    fn operation_files(&self) -> Result<Vec<VaultPath>, StoreError> {
        let files = listing::list(&self.disk, Some(&tool("ops")))?.files;
        Ok(files.into_iter().map(|file| file.path).filter(|path| path.extension() == "jsonl").collect())
    }

    fn operation_tail(&self) -> Result<Tail, StoreError> {
        let mut tail = Tail::default();
        for path in self.operation_files()?.into_iter().rev() {
            let len = self.disk.stat(&path)?.map_or(0, |meta| meta.len);
            let mut bytes = self.disk.read_from(&path, len.saturating_sub(TAIL_BYTES))?;
            if len > TAIL_BYTES {
                // The first line is likely cut; without a second one the file is read whole.
                match bytes.iter().position(|&byte| byte == b'\n') {
                    Some(end) if end + 1 < bytes.len() => drop(bytes.drain(..=end)),
                    _ => bytes = self.disk.read(&path)?.unwrap_or_default(),
                }
            }
            if tail.file.is_none() {
                let ends_in_line = bytes.is_empty() || bytes.ends_with(b"\n");
                tail = Tail { file: Some(path), len, ends_in_line, ..tail };
            }
            let lines = lines(&bytes);
            tail.prev = tail.prev.or(lines.last().map(|(_, line)| Digest::of(line)));
            // The highest, not the last: a merge of two copies may have put lines out of order.
            tail.last_id = lines.iter().filter_map(|(_, line)| id_of(line)).map(|id| id.0).max().unwrap_or(0);
            if tail.last_id > 0 {
                break;
            }
        }
        Ok(tail)
    }
}

/// The records of the operation log in the order of their lines, each with the one that it names before it.
#[derive(Default)]
struct Chain {
    links: Vec<Link>,
}

/// One line: where it stands, its digest, and what it names as its predecessor; a line that is no record
/// names nothing.
struct Link {
    path: VaultPath,
    line: usize,
    digest: Digest,
    prev: Option<Option<Digest>>,
}

impl Chain {
    fn add(&mut self, path: &VaultPath, line: usize, bytes: &[u8], prev: Option<Option<Digest>>) {
        self.links.push(Link { path: path.clone(), line, digest: Digest::of(bytes), prev });
    }

    /// Checks that every record follows the one before it. Where two different records name the same
    /// predecessor, two copies of the vault went on from it and git put their lines together: from there on a
    /// record may follow any earlier one.
    fn check(&self, verified: &mut Verified) {
        let mut next: BTreeMap<Option<Digest>, BTreeSet<Digest>> = BTreeMap::new();
        for link in &self.links {
            if let Some(prev) = link.prev {
                next.entry(prev).or_default().insert(link.digest);
            }
        }
        let (mut seen, mut is_merged) = (BTreeSet::from([None]), false);
        let mut before = None;
        for link in &self.links {
            if let Some(prev) = link.prev {
                is_merged |= next[&prev].len() > 1;
                if prev != before && is_merged && seen.contains(&prev) && !seen.contains(&Some(link.digest)) {
                    verified.n_merged += 1;
                } else if prev != before {
                    let why = "it does not follow the record before it";
                    verified.damaged.push(damage(&link.path, link.line, why));
                }
            }
            before = Some(link.digest);
            seen.insert(before);
        }
    }
}

/// Whether git wrote the line into a file that it could not merge.
fn is_conflict_marker(line: &[u8]) -> bool {
    ["<<<<<<< ", "||||||| ", "=======", ">>>>>>> "].iter().any(|marker| line.starts_with(marker.as_bytes()))
}

/// Returns whether the steps of an undo record wrote this line.
fn records(steps: &[Step<'_>], line: &[u8]) -> bool {
    let wrote = |step: &Step<'_>| match &step.change {
        Change::Append { added, .. } => added.trim_ascii() == line,
        Change::Redact { after, .. } => after.trim_ascii_end().ends_with(line),
        Change::Write { .. } | Change::Remove { .. } | Change::Erase { .. } | Change::Forget { .. } => false,
    };
    steps.iter().any(|step| step.internal && wrote(step))
}

/// Returns the lines that are not empty, with their numbers.
fn lines(bytes: &[u8]) -> Vec<(usize, &[u8])> {
    let numbered = bytes.split(|&byte| byte == b'\n').enumerate().map(|(n, line)| (n + 1, line));
    numbered.filter(|(_, line)| !line.is_empty()).collect()
}

fn damage(path: &VaultPath, line: usize, why: &str) -> Damage {
    Damage { path: path.clone(), line, why: why.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operation_numbers_print_in_six_digits_and_read_back() {
        assert_eq!(OpId(123).to_string(), "000123");
        assert_eq!((OpId::parse("000123"), OpId::parse("+1"), OpId::parse("")), (Some(OpId(123)), None, None));
    }

    #[test]
    fn a_record_with_a_spoilt_digest_does_not_count_as_one() {
        let line = |prev: &str| {
            format!(
                r#"{{"id":"000001","at":"2026-04-01T00:00:00Z","kind":"k","subject":"s","inputs":[],"edits":[],"prev":{prev}}}"#
            )
        };
        assert!(parse_line(line("null").as_bytes()).is_some());
        assert!(parse_line(line("\"abc\"").as_bytes()).is_none());
    }
}
