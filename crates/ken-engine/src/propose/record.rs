//! Recorded replies: what a model was asked and what it said, one file an exchange.
//!
//! The name of a record is what determines the reply: the kind of task and the digest of what was read, then
//! a digest of how it was asked (the prompt's version, the schema, the model and its parameters). So the same
//! task is never paid for twice. Of several records of one input the newest stands. What was shown of the
//! wiki besides is recorded and does not determine the name: the wiki changes with every page, and what was
//! read before need not be read again.
//!
//! Records are kept before they are used. They come with a clone and are not trusted: whoever uses one puts
//! it through the checks again.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use ken_core::Digest;
use serde::{Deserialize, Serialize};

use super::check::Shown;
use super::kinds::Kind;
use crate::engine::Engine;
use crate::failure::Failure;

/// The form of a record.
const VERSION: u32 = 1;

/// Largest record that is read: beyond it nothing we keep was written.
const RECORD_BYTES_MAX: usize = 8 << 20;

/// What a task read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Cited {
    /// The file.
    pub(crate) path: String,
    /// First and last line.
    pub(crate) lines: (usize, usize),
}

/// How something is asked: what determines the reply besides what is read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Manner {
    /// Version of the task's rules.
    pub(crate) prompt: u32,
    /// First digits of the digest of its schema.
    pub(crate) schema: String,
    /// Who was asked: `anthropic:…`, or `agent` for a work packet.
    pub(crate) model: String,
    /// What else the model was told.
    pub(crate) parameters: String,
}

impl Manner {
    fn digest(&self) -> String {
        let text = format!("{}\0{}\0{}\0{}", self.prompt, self.schema, self.model, self.parameters);
        Digest::of(text.as_bytes()).short()
    }
}

/// One exchange with a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Record {
    version: u32,
    /// The kind of task, see [`Kind::as_str`].
    pub(crate) kind: String,
    /// 16 digits that name what was read.
    pub(crate) input: String,
    /// How it was asked.
    pub(crate) manner: Manner,
    /// How often it was answered in this manner before: an agent may mend its answer.
    #[serde(default)]
    revision: usize,
    /// When, as RFC 3339.
    pub(crate) at: String,
    /// Where what was read stood.
    pub(crate) read: Vec<Cited>,
    /// What was shown of the wiki.
    pub(crate) shown: Shown,
    /// What came back, whole.
    pub(crate) reply: String,
}

impl Record {
    /// Returns a record of this version.
    pub(crate) fn new(kind: Kind, input: &str, manner: Manner, at: String, reply: String) -> Record {
        let (kind, input) = (kind.as_str().to_owned(), input.to_owned());
        let (revision, read, shown) = (0, Vec::new(), Shown::default());
        Record { version: VERSION, kind, input, manner, revision, at, read, shown, reply }
    }

    /// Returns the record as an answer that mends earlier ones, of which there are so many.
    #[must_use]
    pub(crate) fn mending(self, revision: usize) -> Record {
        Record { revision, ..self }
    }

    fn name(&self) -> String {
        name_of(&self.kind, &self.input, &self.manner, self.revision)
    }
}

/// A mended answer has a name of its own: what was composed with a record is told by the records' names.
fn name_of(kind: &str, input: &str, manner: &Manner, revision: usize) -> String {
    let revision = if revision == 0 { String::new() } else { format!("-{revision}") };
    format!("replies/{kind}/{input}-{}{revision}.json", manner.digest())
}

/// Which replies are recorded.
#[derive(Debug, Clone, Default)]
pub(crate) struct Replies {
    /// Names of records by kind and input.
    names: BTreeMap<(Kind, String), Vec<String>>,
}

impl Replies {
    /// Returns whether anybody replied to what is read.
    pub(crate) fn has(&self, kind: Kind, input: &str) -> bool {
        self.names.contains_key(&(kind, input.to_owned()))
    }

    /// Returns what names the replies to some inputs: it changes whenever one of them does.
    pub(crate) fn fingerprint<'a>(&self, kind: Kind, inputs: impl Iterator<Item = &'a str>) -> u64 {
        let names = inputs.filter_map(|input| self.names.get(&(kind, input.to_owned()))).flatten();
        let all: Vec<&str> = names.map(String::as_str).collect();
        if all.is_empty() {
            return 0;
        }
        let digest = Digest::of(all.join("\n").as_bytes());
        u64::from_le_bytes(digest.as_bytes()[..8].try_into().expect("eight bytes of thirty-two"))
    }

    /// Returns what names the readings of some portions: what was read of them, and what was said of their doubts.
    pub(crate) fn fingerprint_of_readings<'a>(&self, portions: impl Iterator<Item = &'a str> + Clone) -> u64 {
        let read = self.fingerprint(Kind::Compile, portions.clone());
        read ^ self.fingerprint(Kind::Doubt, portions).rotate_left(7)
    }

    /// Returns how many replies are recorded in all.
    pub(crate) fn n_records(&self) -> usize {
        self.names.values().map(Vec::len).sum()
    }

    /// Returns how many replies to what is read are recorded.
    pub(crate) fn count(&self, kind: Kind, input: &str) -> usize {
        self.names.get(&(kind, input.to_owned())).map_or(0, Vec::len)
    }

    /// Returns the inputs of one kind that have a reply.
    pub(crate) fn inputs(&self, kind: Kind) -> impl Iterator<Item = &str> {
        self.names.keys().filter(move |(known, _)| *known == kind).map(|(_, input)| input.as_str())
    }
}

/// The records that were found to read, by kind and input, so that each is read for that once in a process.
pub(crate) type ReadWell = Arc<Mutex<BTreeSet<(Kind, String)>>>;

impl Engine {
    /// Returns whether a reply to what is read is recorded and reads; a damaged record counts as none.
    pub(crate) fn is_replied(&self, replies: &Replies, kind: Kind, input: &str) -> bool {
        let name = (kind, input.to_owned());
        let is_known = || self.read_well.lock().unwrap_or_else(PoisonError::into_inner).contains(&name);
        if !replies.has(kind, input) || is_known() {
            return replies.has(kind, input);
        }
        let is_read = self.standing(replies, kind, input).is_some();
        if is_read {
            self.read_well.lock().unwrap_or_else(PoisonError::into_inner).insert(name);
        }
        is_read
    }

    /// Returns which replies are recorded.
    pub(crate) fn replies(&self) -> Result<Replies, Failure> {
        let mut names: BTreeMap<(Kind, String), Vec<String>> = BTreeMap::new();
        for kind in Kind::ALL {
            for name in self.store.kept_names(&format!("replies/{}", kind.as_str()))? {
                let Some((input, _)) = name.strip_suffix(".json").and_then(|stem| stem.split_once('-')) else {
                    continue;
                };
                names.entry((kind, input.to_owned())).or_default().push(name.clone());
            }
        }
        Ok(Replies { names })
    }

    /// Returns the reply that stands for what is read: the newest. A damaged record counts as none.
    pub(crate) fn standing(&self, replies: &Replies, kind: Kind, input: &str) -> Option<Record> {
        let names = replies.names.get(&(kind, input.to_owned()))?;
        let read = |name: &String| self.read_record(&format!("replies/{}/{name}", kind.as_str()));
        let mut records: Vec<Record> = names.iter().filter_map(read).collect();
        records.retain(|record| record.kind == kind.as_str() && record.input == input);
        records.into_iter().max_by(|a, b| (&a.at, a.revision, a.name()).cmp(&(&b.at, b.revision, b.name())))
    }

    /// Returns the reply to what was asked in just this manner.
    pub(crate) fn recorded(&self, kind: Kind, input: &str, manner: &Manner) -> Option<Record> {
        self.read_record(&name_of(kind.as_str(), input, manner, 0))
    }

    fn read_record(&self, name: &str) -> Option<Record> {
        let bytes = self.store.kept(name).ok()??;
        let is_ours = bytes.len() <= RECORD_BYTES_MAX;
        let record: Record = is_ours.then(|| serde_json::from_slice(&bytes).ok())??;
        (record.version == VERSION).then_some(record)
    }

    /// Keeps an exchange; from then on it is never paid for again.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn keep_record(&self, record: &Record) -> Result<(), Failure> {
        let mut bytes = serde_json::to_vec_pretty(record).map_err(|error| Failure::refused(error.to_string()))?;
        bytes.push(b'\n');
        Ok(self.store.keep(&record.name(), &bytes)?)
    }
}
