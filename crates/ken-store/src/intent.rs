//! The record that makes applying a plan all-or-nothing.
//!
//! An intent holds everything that is needed to carry a plan out again from any point, and, because it
//! has the old bytes as well, to undo it afterwards. On disk it is one line of JSON, then the old and
//! new bytes of each step one after the other, then the digest of all that in hex, then the seal of that
//! digest. A record whose digest does not fit was cut off while it was written and counts as not written;
//! one whose seal does not fit was not written here by this user, and is not carried out. This module only
//! turns records into bytes and back; when they are written and removed is in `apply` and `recover`.

use std::borrow::Cow;

use ken_core::{Digest, VaultPath};
use serde::{Deserialize, Serialize};

use crate::disk::Disk;
use crate::history::OpId;
use crate::seal::{Origin, SEAL_HEX_LEN, Seals};

/// Length of the closing digest in hex.
const DIGEST_LEN: usize = 64;

/// Layout of the record. Version 1 had neither place nor seal; other numbers are not read.
const VERSION: u32 = 2;

/// What a record is sealed as.
const PURPOSE: &str = "intent";

/// A plan as it is carried out; the new bytes of files are those of the plan, so that ten thousand pages are held once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Intent<'p> {
    pub(crate) id: OpId,
    pub(crate) steps: Vec<Step<'p>>,
}

/// One file's change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Step<'p> {
    pub(crate) path: VaultPath,
    pub(crate) change: Change<'p>,
    /// Whether it is the store's own record of the operation (log, operation log): done last, so that
    /// it never speaks of something that is not there, and left alone by undo.
    pub(crate) internal: bool,
}

/// What is done to a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Change<'p> {
    /// Old bytes (if any) are replaced by new ones.
    Write { before: Option<Vec<u8>>, after: Cow<'p, [u8]> },
    /// Bytes are added to a file that is `old_len` long.
    Append { old_len: u64, existed: bool, before: Option<Digest>, after: Option<Digest>, added: Vec<u8> },
    /// The file goes away.
    Remove { before: Vec<u8> },
    /// Parts of the file are covered; the old bytes are kept nowhere, this record included.
    Redact { before: Digest, after: Vec<u8> },
    /// The file goes away, and its bytes are kept nowhere.
    Erase { before: Digest },
    /// The file goes away, and neither its bytes nor its name are kept: this record goes too, once it is carried out.
    Forget { before: Digest },
}

impl Step<'_> {
    /// Returns the digest of the file before the step, if there was one and it is known.
    pub(crate) fn before(&self) -> Option<Digest> {
        match &self.change {
            Change::Write { before, .. } => before.as_deref().map(Digest::of),
            Change::Append { before, .. } => *before,
            Change::Remove { before } => Some(Digest::of(before)),
            Change::Redact { before, .. } | Change::Erase { before } | Change::Forget { before } => Some(*before),
        }
    }

    /// Returns the digest of the file after the step, if there is one and it is known.
    pub(crate) fn after(&self) -> Option<Digest> {
        match &self.change {
            Change::Write { after, .. } => Some(Digest::of(after)),
            Change::Redact { after, .. } => Some(Digest::of(after)),
            Change::Append { after, .. } => *after,
            Change::Remove { .. } | Change::Erase { .. } | Change::Forget { .. } => None,
        }
    }

    /// Returns the new bytes that wait beside the file until they take its place.
    pub(crate) fn staged_bytes(&self) -> Option<&[u8]> {
        match &self.change {
            Change::Write { after, .. } => Some(after),
            Change::Redact { after, .. } => Some(after),
            Change::Append { .. } | Change::Remove { .. } | Change::Erase { .. } | Change::Forget { .. } => None,
        }
    }

    /// Returns whether the step leaves no way back.
    pub(crate) fn is_final(&self) -> bool {
        matches!(self.change, Change::Redact { .. } | Change::Erase { .. } | Change::Forget { .. })
    }

    /// Returns whether nothing may name the file of the step.
    pub(crate) fn is_forgotten(&self) -> bool {
        matches!(self.change, Change::Forget { .. })
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
    /// Where the vault stood.
    #[serde(default)]
    place: String,
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

impl Intent<'_> {
    /// Returns the record's bytes, one part after the other, sealed for the vault on this disk.
    pub(crate) fn encode(&self, disk: &Disk, seals: &Seals) -> Vec<Cow<'_, [u8]>> {
        let place = seals.place(disk).to_owned();
        let steps = self.steps.iter().map(StepLine::of).collect();
        let meta = MetaLine { version: VERSION, op: self.id.to_string(), place, steps };
        let mut line = serde_json::to_vec(&meta).expect("plain fields always have a JSON form");
        line.push(b'\n');
        let mut parts = vec![Cow::Owned(line)];
        for step in &self.steps {
            match &step.change {
                Change::Write { before, after } => {
                    parts.extend(before.as_deref().map(Cow::Borrowed));
                    parts.push(Cow::Borrowed(after));
                }
                Change::Append { added, .. } => parts.push(Cow::Borrowed(added)),
                Change::Remove { before } => parts.push(Cow::Borrowed(before)),
                Change::Redact { after, .. } => parts.push(Cow::Borrowed(after)),
                Change::Erase { .. } | Change::Forget { .. } => {}
            }
        }
        let digest = Digest::of_joined(&parts);
        // Without a key, one that fits nothing: the record is then for a person to decide about.
        let seal = seals.of(PURPOSE, &meta.place, digest.as_bytes()).unwrap_or(Digest::from_bytes([0; 32]));
        parts.push(Cow::Owned(format!("{digest}{seal}").into_bytes()));
        parts
    }

    /// Returns whether nothing may be left of the record once it is carried out: it names what was forgotten.
    pub(crate) fn is_forgetting(&self) -> bool {
        self.steps.iter().any(Step::is_forgotten)
    }

    /// Returns the place of the new bytes of step `n` until they are moved to where they belong.
    pub(crate) fn staged(&self, n: usize) -> VaultPath {
        let name = format!(".ken-{}-{n}.tmp", self.id);
        beside(&self.steps[n].path, &name)
    }
}

impl Intent<'static> {
    /// Returns the intent that a record holds and where it comes from, or `None` when it is cut off or not one.
    pub(crate) fn decode(record: &[u8], disk: &Disk, seals: &Seals) -> Option<(Intent<'static>, Origin)> {
        let sealed = record.split_at_checked(record.len().saturating_sub(SEAL_HEX_LEN)).and_then(|(whole, seal)| {
            let (intent, place, digest) = Intent::of_whole(whole, VERSION)?;
            let seal = Digest::parse(str::from_utf8(seal).ok()?);
            Some((intent, seals.origin(disk, PURPOSE, &place, digest.as_bytes(), seal)))
        });
        sealed.or_else(|| Intent::of_whole(record, 1).map(|(intent, ..)| (intent, Origin::Unknown)))
    }

    /// Returns the intent of a record without its seal, where the vault stood, and the record's digest.
    fn of_whole(record: &[u8], version: u32) -> Option<(Intent<'static>, String, Digest)> {
        let (body, digest) = record.split_at_checked(record.len().checked_sub(DIGEST_LEN)?)?;
        let digest = Digest::parse(str::from_utf8(digest).ok()?)?;
        if digest != Digest::of(body) {
            return None;
        }
        let line_end = body.iter().position(|&byte| byte == b'\n')?;
        let meta: MetaLine = serde_json::from_slice(&body[..line_end]).ok()?;
        let mut rest = &body[line_end + 1..];
        let steps = meta.steps.iter().map(|line| line.step(&mut rest)).collect::<Option<Vec<Step<'static>>>>()?;
        let intent = Intent { id: OpId::parse(&meta.op)?, steps };
        (meta.version == version && rest.is_empty()).then_some((intent, meta.place, digest))
    }
}

/// Returns the path of `name` in the folder that `path` lies in.
pub(crate) fn beside(path: &VaultPath, name: &str) -> VaultPath {
    let inside = path.parent().map_or_else(|| VaultPath::new(name), |folder| folder.join(name));
    inside.expect("a plain name in a folder of the vault is a vault path")
}

impl StepLine {
    fn of(step: &Step<'_>) -> StepLine {
        let (kind, before_len, after_len, old_len) = match &step.change {
            Change::Write { before, after } => ("write", before.as_ref().map(Vec::len), after.len(), 0),
            Change::Append { old_len, existed, added, .. } => ("append", existed.then_some(0), added.len(), *old_len),
            Change::Remove { before } => ("remove", Some(before.len()), 0, 0),
            Change::Redact { after, .. } => ("redact", None, after.len(), 0),
            Change::Erase { .. } => ("erase", None, 0, 0),
            Change::Forget { .. } => ("forget", None, 0, 0),
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
    fn step(&self, rest: &mut &[u8]) -> Option<Step<'static>> {
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
                Change::Write { before, after: take(self.after_len)?.into() }
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
            "forget" => Change::Forget { before: digest(&self.before)? },
            _ => return None,
        };
        Some(Step { path: VaultPath::new(&self.path)?, change, internal: self.internal })
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::sync::Arc;

    use super::*;
    use crate::real_fs::RealFs;
    use crate::seal::Keys;

    fn intent() -> Intent<'static> {
        let path = |name| VaultPath::new(name).expect("a vault path");
        let step = |name, change| Step { path: path(name), change, internal: false };
        let added = b"- x\n".to_vec();
        Intent {
            id: OpId::new(7),
            steps: vec![
                step("w/a.md", Change::Write { before: None, after: b"a\n{\"".into() }),
                step("w/b.md", Change::Write { before: Some(Vec::new()), after: vec![0, 255].into() }),
                step("c.md", Change::Remove { before: b"gone".to_vec() }),
                step("d.md", Change::Append { old_len: 9, existed: true, before: None, after: None, added }),
                step("e.md", Change::Redact { before: Digest::of(b"x"), after: b"[redacted:x]".to_vec() }),
                step("f", Change::Erase { before: Digest::of(b"y") }),
                step("g", Change::Forget { before: Digest::of(b"z") }),
            ],
        }
    }

    /// A vault at a place, and the seals of the user with this key.
    fn vault(place: &str, key: u8) -> (Disk, Seals) {
        let disk = Disk { root: PathBuf::from(place), fs: Arc::new(RealFs) };
        (disk, Seals::new(Keys::of([key; 32])))
    }

    fn record() -> Vec<u8> {
        let (disk, seals) = vault("/no/such/vault", 1);
        intent().encode(&disk, &seals).concat()
    }

    fn read(record: &[u8], place: &str, key: u8) -> Option<(Intent<'static>, Origin)> {
        let (disk, seals) = vault(place, key);
        Intent::decode(record, &disk, &seals)
    }

    #[test]
    fn a_record_reads_back() {
        assert_eq!(read(&record(), "/no/such/vault", 1), Some((intent(), Origin::Here)));
    }

    #[test]
    fn a_record_tells_who_left_it_and_where() {
        let origin = |record: &[u8], place, key| read(record, place, key).expect("a record").1;
        assert_eq!(origin(&record(), "/moved", 1), Origin::Elsewhere("/no/such/vault".to_owned()));
        assert_eq!(origin(&record(), "/no/such/vault", 2), Origin::Unknown);
        // A record that names this place, but whose seal is another one's.
        let (disk, seals) = vault("/moved", 2);
        assert_eq!(origin(&intent().encode(&disk, &seals).concat(), "/moved", 1), Origin::Unknown);
        let (disk, _) = vault("/moved", 1);
        let without_key = intent().encode(&disk, &Seals::new(Keys::none())).concat();
        assert_eq!(origin(&without_key, "/moved", 1), Origin::Unknown);
    }

    #[test]
    fn a_record_cut_off_anywhere_counts_as_not_written() {
        let record = record();
        for len in 0..record.len() {
            assert_eq!(read(&record[..len], "/no/such/vault", 1), None, "{len} bytes of {}", record.len());
        }
    }

    #[test]
    fn new_bytes_wait_in_the_folder_they_belong_to() {
        let places: Vec<_> = [0, 2].map(|n| intent().staged(n).to_string()).into();
        assert_eq!(places, ["w/.ken-000007-0.tmp", ".ken-000007-2.tmp"]);
    }
}
