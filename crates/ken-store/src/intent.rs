//! The record that makes applying a plan all-or-nothing.
//!
//! An intent holds everything that is needed to carry a plan out again from any point, and, because it
//! has the old bytes as well, to undo it afterwards. On disk it is one line of JSON, then the old and
//! new bytes of each step one after the other, then the digest of all that in hex. A record whose
//! digest does not fit was cut off while it was written and counts as not written. This module only
//! turns records into bytes and back; when they are written and removed is in `apply` and `recover`.

use ken_core::{Digest, VaultPath};
use serde::{Deserialize, Serialize};

use crate::history::OpId;

/// Length of the closing digest in hex.
const DIGEST_LEN: usize = 64;

/// Layout of the record; another number is not read.
const VERSION: u32 = 1;

/// A plan as it is carried out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Intent {
    pub(crate) id: OpId,
    pub(crate) steps: Vec<Step>,
}

/// One file's change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) path: VaultPath,
    pub(crate) change: Change,
    /// Whether it is the store's own record of the operation (log, operation log): done last, so that
    /// it never speaks of something that is not there, and left alone by undo.
    pub(crate) internal: bool,
}

/// What is done to a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Change {
    /// Old bytes (if any) are replaced by new ones.
    Write { before: Option<Vec<u8>>, after: Vec<u8> },
    /// Bytes are added to a file that is `old_len` long.
    Append { old_len: u64, existed: bool, before: Option<Digest>, after: Option<Digest>, added: Vec<u8> },
    /// The file goes away.
    Remove { before: Vec<u8> },
    /// Parts of the file are covered; the old bytes are kept nowhere, this record included.
    Redact { before: Digest, after: Vec<u8> },
    /// The file goes away, and its bytes are kept nowhere.
    Erase { before: Digest },
}

impl Step {
    /// Returns the digest of the file before the step, if there was one and it is known.
    pub(crate) fn before(&self) -> Option<Digest> {
        match &self.change {
            Change::Write { before, .. } => before.as_deref().map(Digest::of),
            Change::Append { before, .. } => *before,
            Change::Remove { before } => Some(Digest::of(before)),
            Change::Redact { before, .. } | Change::Erase { before } => Some(*before),
        }
    }

    /// Returns the digest of the file after the step, if there is one and it is known.
    pub(crate) fn after(&self) -> Option<Digest> {
        match &self.change {
            Change::Write { after, .. } | Change::Redact { after, .. } => Some(Digest::of(after)),
            Change::Append { after, .. } => *after,
            Change::Remove { .. } | Change::Erase { .. } => None,
        }
    }

    /// Returns the new bytes that wait beside the file until they take its place.
    pub(crate) fn staged_bytes(&self) -> Option<&[u8]> {
        match &self.change {
            Change::Write { after, .. } | Change::Redact { after, .. } => Some(after),
            Change::Append { .. } | Change::Remove { .. } | Change::Erase { .. } => None,
        }
    }

    /// Returns whether the step leaves no way back.
    pub(crate) fn is_final(&self) -> bool {
        matches!(self.change, Change::Redact { .. } | Change::Erase { .. })
    }

    /// Returns whether the step makes a file where there was none.
    pub(crate) fn creates(&self) -> bool {
        matches!(self.change, Change::Write { before: None, .. } | Change::Append { existed: false, .. })
    }
}

#[derive(Serialize, Deserialize)]
struct MetaLine {
    version: u32,
    op: String,
    steps: Vec<StepLine>,
}

#[derive(Serialize, Deserialize)]
struct StepLine {
    path: String,
    kind: String,
    /// Length of the old bytes in the record, `None` when there was no file.
    before_len: Option<usize>,
    after_len: usize,
    old_len: u64,
    before: Option<String>,
    after: Option<String>,
    internal: bool,
}

impl Intent {
    /// Returns the record's bytes.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let steps = self.steps.iter().map(StepLine::of).collect();
        let meta = MetaLine { version: VERSION, op: self.id.to_string(), steps };
        let mut bytes = serde_json::to_vec(&meta).expect("plain fields always have a JSON form");
        bytes.push(b'\n');
        for step in &self.steps {
            match &step.change {
                Change::Write { before, after } => {
                    bytes.extend_from_slice(before.as_deref().unwrap_or_default());
                    bytes.extend_from_slice(after);
                }
                Change::Append { added, .. } => bytes.extend_from_slice(added),
                Change::Remove { before } => bytes.extend_from_slice(before),
                Change::Redact { after, .. } => bytes.extend_from_slice(after),
                Change::Erase { .. } => {}
            }
        }
        let digest = Digest::of(&bytes);
        bytes.extend_from_slice(digest.to_string().as_bytes());
        bytes
    }

    /// Returns the intent that a record holds, or `None` when it is cut off or not one.
    pub(crate) fn decode(record: &[u8]) -> Option<Intent> {
        let (body, digest) = record.split_at_checked(record.len().checked_sub(DIGEST_LEN)?)?;
        if Digest::parse(str::from_utf8(digest).ok()?)? != Digest::of(body) {
            return None;
        }
        let line_end = body.iter().position(|&byte| byte == b'\n')?;
        let meta: MetaLine = serde_json::from_slice(&body[..line_end]).ok()?;
        let mut rest = &body[line_end + 1..];
        let steps = meta.steps.iter().map(|line| line.step(&mut rest)).collect::<Option<Vec<Step>>>()?;
        (meta.version == VERSION && rest.is_empty()).then_some(Intent { id: OpId::parse(&meta.op)?, steps })
    }

    /// Returns the place of the new bytes of step `n` until they are moved to where they belong.
    pub(crate) fn staged(&self, n: usize) -> VaultPath {
        let name = format!(".ken-{}-{n}.tmp", self.id);
        beside(&self.steps[n].path, &name)
    }
}

/// Returns the path of `name` in the folder that `path` lies in.
pub(crate) fn beside(path: &VaultPath, name: &str) -> VaultPath {
    let inside = path.parent().map_or_else(|| VaultPath::new(name), |folder| folder.join(name));
    inside.expect("a plain name in a folder of the vault is a vault path")
}

impl StepLine {
    fn of(step: &Step) -> StepLine {
        let (kind, before_len, after_len, old_len) = match &step.change {
            Change::Write { before, after } => ("write", before.as_ref().map(Vec::len), after.len(), 0),
            Change::Append { old_len, existed, added, .. } => ("append", existed.then_some(0), added.len(), *old_len),
            Change::Remove { before } => ("remove", Some(before.len()), 0, 0),
            Change::Redact { after, .. } => ("redact", None, after.len(), 0),
            Change::Erase { .. } => ("erase", None, 0, 0),
        };
        StepLine {
            path: step.path.to_string(),
            kind: kind.to_owned(),
            before_len,
            after_len,
            old_len,
            before: step.before().map(|digest| digest.to_string()),
            after: step.after().map(|digest| digest.to_string()),
            internal: step.internal,
        }
    }

    /// Takes the step's bytes off `rest`.
    fn step(&self, rest: &mut &[u8]) -> Option<Step> {
        let mut take = |len: usize| {
            let (taken, left) = rest.split_at_checked(len)?;
            *rest = left;
            Some(taken.to_vec())
        };
        let digest = |hex: &Option<String>| hex.as_deref().and_then(Digest::parse);
        let change = match self.kind.as_str() {
            "write" => {
                let before = match self.before_len {
                    Some(len) => Some(take(len)?),
                    None => None,
                };
                Change::Write { before, after: take(self.after_len)? }
            }
            "append" => Change::Append {
                old_len: self.old_len,
                existed: self.before_len.is_some(),
                before: digest(&self.before),
                after: digest(&self.after),
                added: take(self.after_len)?,
            },
            "remove" => Change::Remove { before: take(self.before_len?)? },
            "redact" => Change::Redact { before: digest(&self.before)?, after: take(self.after_len)? },
            "erase" => Change::Erase { before: digest(&self.before)? },
            _ => return None,
        };
        Some(Step { path: VaultPath::new(&self.path)?, change, internal: self.internal })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn intent() -> Intent {
        let path = |name| VaultPath::new(name).expect("a vault path");
        let step = |name, change| Step { path: path(name), change, internal: false };
        let added = b"- x\n".to_vec();
        Intent {
            id: OpId::new(7),
            steps: vec![
                step("w/a.md", Change::Write { before: None, after: b"a\n{\"".to_vec() }),
                step("w/b.md", Change::Write { before: Some(Vec::new()), after: vec![0, 255] }),
                step("c.md", Change::Remove { before: b"gone".to_vec() }),
                step("d.md", Change::Append { old_len: 9, existed: true, before: None, after: None, added }),
                step("e.md", Change::Redact { before: Digest::of(b"x"), after: b"[redacted:x]".to_vec() }),
                step("f", Change::Erase { before: Digest::of(b"y") }),
            ],
        }
    }

    #[test]
    fn a_record_reads_back() {
        assert_eq!(Intent::decode(&intent().encode()), Some(intent()));
    }

    #[test]
    fn a_record_cut_off_anywhere_counts_as_not_written() {
        let record = intent().encode();
        for len in 0..record.len() {
            assert_eq!(Intent::decode(&record[..len]), None, "{len} bytes of {}", record.len());
        }
    }

    #[test]
    fn new_bytes_wait_in_the_folder_they_belong_to() {
        let places: Vec<_> = [0, 2].map(|n| intent().staged(n).to_string()).into();
        assert_eq!(places, ["w/.ken-000007-0.tmp", ".ken-000007-2.tmp"]);
    }
}
