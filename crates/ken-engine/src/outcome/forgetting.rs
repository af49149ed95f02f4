//! What forgetting did, or would do.

use std::collections::BTreeMap;

use ken_core::VaultPath;

/// What sort of file something stood in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Holder {
    /// A day of the journal.
    Journal,
    /// The talk of a session.
    Talk,
    /// A source.
    Source,
    /// A page of a person's.
    Page,
    /// A compiled page, which is made again without it.
    Compiled,
    /// The index, its shards, and the short index for agents.
    Index,
    /// A filed answer.
    Answer,
    /// A recorded reply of a model, what was rejected of one, or a task that is out.
    Reply,
    /// The log, a report, or the operation log.
    Log,
    /// The register of sources.
    Register,
    /// A job in the spool, or another file of the tool's own.
    Own,
    /// A record for undo.
    Undo,
    /// A file of the cache.
    Cache,
}

impl Holder {
    /// Returns the word for it in the singular, as JSON and the list have it.
    pub fn as_str(self) -> &'static str {
        match self {
            Holder::Journal => "journal",
            Holder::Talk => "talk",
            Holder::Source => "source",
            Holder::Page => "page",
            Holder::Compiled => "compiled page",
            Holder::Index => "index",
            Holder::Answer => "answer",
            Holder::Reply => "reply",
            Holder::Log => "log",
            Holder::Register => "register",
            Holder::Own => "own file",
            Holder::Undo => "undo record",
            Holder::Cache => "cache",
        }
    }
}

/// What is done to a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Deed {
    /// Parts of it are covered, on these lines.
    Covered(Vec<(usize, usize)>),
    /// It is removed.
    Removed,
    /// It is covered, and kept under another name because its own held what was forgotten.
    Renamed(VaultPath),
}

/// What becomes of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForgetRow {
    /// Of what sort it is.
    pub holder: Holder,
    /// Where it stands, or stood.
    pub path: VaultPath,
    /// What is done to it.
    pub deed: Deed,
}

/// A place that still holds something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForgetLeft {
    /// The file or folder.
    pub path: String,
    /// The line, from 1; none where the name holds it.
    pub line: Option<usize>,
    /// Why it is left, and what can be done.
    pub why: &'static str,
}

/// What forgetting did, or would do.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ForgetOutcome {
    /// What was forgotten, in words that say nothing of it.
    pub what: String,
    /// What went, by file.
    pub rows: Vec<ForgetRow>,
    /// What is left, and why.
    pub left: Vec<ForgetLeft>,
    /// Files that were read to see that no copy is left.
    pub n_checked: usize,
    /// Transcripts outside of the vault that hold it, as far as they are known.
    pub transcripts: Vec<String>,
    /// Whether nothing was done.
    pub is_dry_run: bool,
    /// Pages that were made, renewed or removed afterwards.
    pub n_pages_made: usize,
    /// Parts of a name that still stand somewhere alone, each with how often.
    pub parts: Vec<(String, usize)>,
    /// Sources of the days that were forgotten; they stay.
    pub sources_of_days: Vec<VaultPath>,
}

impl ForgetOutcome {
    /// Adds what was done in a further round.
    pub(crate) fn add(&mut self, more: ForgetOutcome) {
        for row in more.rows {
            match self.rows.iter_mut().find(|known| known.holder == row.holder && known.path == row.path) {
                Some(ForgetRow { deed: Deed::Covered(known), .. }) => {
                    if let Deed::Covered(lines) = row.deed {
                        known.extend(lines);
                        known.sort_unstable();
                        known.dedup();
                    }
                }
                Some(_) => {}
                // What a round made, the next one only renews.
                None if matches!(row.holder, Holder::Undo | Holder::Cache) => {}
                None => self.rows.push(row),
            }
        }
        self.rows.sort_by(|a, b| (a.holder, &a.path).cmp(&(b.holder, &b.path)));
        self.n_pages_made = more.n_pages_made;
    }

    /// Returns how many files of each sort went or were covered.
    pub fn counts(&self) -> BTreeMap<Holder, usize> {
        let mut counts = BTreeMap::new();
        for row in &self.rows {
            *counts.entry(row.holder).or_default() += 1;
        }
        counts
    }
}
