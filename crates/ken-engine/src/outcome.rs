//! What operations did, ready to be printed or serialised by a surface.

mod background;
mod blame;
mod demo;
mod forgetting;
mod reading;
mod resolving;
mod survey;
mod timeline;

pub use crate::propose::UnderWay;
pub use background::{BackgroundStatus, ConsolidationStatus};
pub use demo::{DemoOutcome, DemoQuestion};
pub use forgetting::{Deed, ForgetLeft, ForgetOutcome, ForgetRow, Holder};

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use crate::failure::Failure;
use crate::propose::Spent;
use ken_core::lint::Grounding;
use ken_core::returned::Returned;
use ken_core::{Date, Diagnostic, Digest, Layout, Position, Preset, Slug, Timestamp, Tokens, VaultPath};

/// A new or found vault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InitOutcome {
    /// The vault's root.
    pub root: PathBuf,
    /// Its layout.
    pub preset: &'static Preset,
    /// Files that were written, in order; empty when everything stood already.
    pub created: Vec<VaultPath>,
    /// Whether this user made the vault, or accepted it before.
    pub is_accepted: bool,
    /// What happened on the way that the caller should hear of.
    pub notices: Vec<String>,
}

/// What was captured from one transcript.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CaptureOutcome {
    /// Journal entries that were appended.
    pub entries_added: usize,
    /// Lines of the transcript that were read this time.
    pub lines_read: u64,
    /// Lines that hold nothing for the journal, by reason.
    pub skipped: BTreeMap<String, u64>,
    /// Secrets that were replaced.
    pub redactions: usize,
    /// The journal files that grew.
    pub journal: Vec<VaultPath>,
    /// The file of talk that grew.
    pub talk: Option<VaultPath>,
    /// The session's id, if the transcript names one.
    pub session: Option<String>,
    /// The agent whose format it is.
    pub agent: String,
    /// Whether the whole transcript had been captured before.
    pub was_known: bool,
    /// Whether too little was new, so that it was left for later.
    pub is_deferred: bool,
    /// When the session was forgotten, if it was: then nothing of it is read.
    pub forgotten: Option<Timestamp>,
}

impl CaptureOutcome {
    /// Returns the number of lines that hold nothing for the journal.
    pub fn lines_skipped(&self) -> u64 {
        self.skipped.values().sum()
    }
}

/// What a session starts with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BriefOutcome {
    /// The text; empty when the budget is too small for any.
    pub text: String,
    /// Most bytes that it might have.
    pub budget: usize,
    /// Pages in the vault.
    pub n_pages: usize,
}

/// What was new in one session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyncedSession {
    /// The agent whose session it is.
    pub agent: String,
    /// The session's id.
    pub session: String,
    /// Journal entries that were appended.
    pub entries_added: usize,
    /// Lines of the transcript that were read this time.
    pub lines_read: u64,
    /// Lines among them that hold nothing for the journal.
    pub lines_skipped: u64,
}

/// What a look at every transcript on the machine found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SyncOutcome {
    /// Sessions of this vault whose transcripts were new or had grown.
    pub sessions: Vec<SyncedSession>,
    /// Transcripts of this vault that had not changed.
    pub unchanged: usize,
    /// Transcripts of other projects, or of none that they tell.
    pub foreign: usize,
    /// Transcripts that no reader could make anything of: place and reason.
    pub unreadable: Vec<(String, String)>,
    /// Transcripts whose capture failed and is to be tried again, with the reason.
    pub failed: Vec<(String, Failure)>,
    /// Jobs that are left in the spool.
    pub pending: usize,
}

/// What a worker did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WorkOutcome {
    /// Jobs that are done.
    pub n_done: usize,
    /// Jobs that are left for later.
    pub n_left: usize,
    /// When the first of those is due, if it says.
    pub next_due: Option<Timestamp>,
    /// Journal entries that were appended.
    pub entries_added: usize,
    /// The sessions that they are of.
    pub sessions: BTreeSet<String>,
    /// Whether the vault was compiled.
    pub has_compiled: bool,
    /// Whether the wiki was consolidated.
    pub has_consolidated: bool,
    /// Why jobs, or the compile, failed.
    pub failed: Vec<String>,
}

/// A hand-written entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogOutcome {
    /// The journal file that it stands in.
    pub journal: VaultPath,
    /// Its title.
    pub title: String,
    /// Local hour and minute at which it was recorded.
    pub time: (u8, u8),
    /// Whether it stood there already, so that nothing was added.
    pub is_repeat: bool,
    /// Secrets that were replaced.
    pub redactions: usize,
    /// How the issue ended that it is of, if its work did not stay.
    pub ended: Option<ken_core::issue::Closed>,
}

pub use blame::{
    BlameOutcome, BlamedClaim, BlamedRow, Cited, EntryRef, Made, OperationRef, PageOf, Proof, SpokenBy, Stands, TalkRef,
};
pub use ken_core::Trust;
pub use reading::{ContextOutcome, RouteOutcome, ShowOutcome};
pub use resolving::{OpenClaim, OpenDispute, OpenSource, ResolveOutcome};
pub use survey::{Place, Purpose, Survey};
pub use timeline::{Change, ChangeStep, SaidRow, TimelineOutcome};

/// What registering did with one source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IngestState {
    /// It is new.
    Added,
    /// Its bytes differ from what was registered.
    Changed,
    /// It was registered with these bytes.
    Unchanged,
}

impl IngestState {
    /// Returns the word used in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            IngestState::Added => "added",
            IngestState::Changed => "changed",
            IngestState::Unchanged => "unchanged",
        }
    }
}

/// One registered source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ingested {
    /// Where it stands in the vault.
    pub path: VaultPath,
    /// The document it is a copy of, as it was named; none when it stays where it is.
    pub from: Option<String>,
    /// Digest of its bytes.
    pub digest: Digest,
    /// How far it is believed.
    pub trust: Trust,
    /// The day of its last commit, if it says no day itself.
    pub day: Option<Date>,
    /// What was done.
    pub state: IngestState,
}

/// What was registered, and what was not and why.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IngestOutcome {
    /// The sources, in order.
    pub sources: Vec<Ingested>,
    /// Files that were left out: place and reason.
    pub skipped: Vec<(String, String)>,
    /// Places that were named and could not be read: place and reason.
    pub failed: Vec<(String, String)>,
    /// Secrets that were replaced in copies.
    pub redactions: usize,
    /// Statements of changed documents that were changed or are gone, of which the journal was told.
    pub n_revised: usize,
    /// The day of the journal that tells of them.
    pub told_in: Option<VaultPath>,
}

/// What a compile did, or with `dry_run` would do.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CompileOutcome {
    /// New pages.
    pub created: Vec<Slug>,
    /// Pages whose bytes changed, headers of human pages included.
    pub updated: Vec<Slug>,
    /// Pages whose subject is gone.
    pub removed: Vec<Slug>,
    /// Pages that stayed as they were.
    pub unchanged: usize,
    /// Claims on all compiled pages.
    pub claims: usize,
    /// Journal days and sources that were new or changed.
    pub sources: usize,
    /// The same by name.
    pub inputs: BTreeSet<VaultPath>,
    /// Pages whose hand edits were taken into the journal first.
    pub edits_captured: Vec<Slug>,
    /// Files that were left out: place and reason.
    pub skipped: Vec<(String, String)>,
    /// Replies of a model that say far less than was extracted, which therefore stays.
    pub thin: Vec<ThinReading>,
    /// Claims that pages tell as true again since the line is gone that had replaced them.
    pub returned: Vec<(Slug, Returned)>,
    /// Files that changed beside the pages: index, shards, the short index.
    pub renewed: Vec<VaultPath>,
    /// With `dry_run`: the plan as a unified diff.
    pub diff: Option<String>,
}

impl CompileOutcome {
    /// Returns whether any file of the vault changed, hand edits that went into the journal among them.
    pub fn has_changed(&self) -> bool {
        let pages = [&self.created, &self.updated, &self.removed, &self.edits_captured];
        pages.into_iter().any(|slugs| !slugs.is_empty()) || !self.renewed.is_empty()
    }
}

/// A reply to a portion that says too little to stand in the place of what was extracted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThinReading {
    /// The file of the portion.
    pub path: VaultPath,
    /// Its first and last line.
    pub lines: (usize, usize),
    /// Claims in the reply.
    pub n_read: usize,
    /// Statements that were extracted.
    pub n_extracted: usize,
}

/// One finding with its place for readers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The finding.
    pub diagnostic: Diagnostic,
    /// Where it stands; none for a suggestion that was only to be counted.
    pub place: Option<FindingPlace>,
}

/// Where a finding stands, for readers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FindingPlace {
    /// Line and column.
    pub position: Position,
    /// The line it stands on, for showing it, of a long one the part around it; empty for a whole file.
    pub excerpt: String,
    /// Characters of the line before the excerpt.
    pub n_before: usize,
    /// Characters to underline from the column on; 0 for a whole file.
    pub n_marked: usize,
}

/// What a lint found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LintOutcome {
    /// Everything found, sorted by file and place; after `fix`, what is left.
    pub findings: Vec<Finding>,
    /// Pages that were checked.
    pub pages: usize,
    /// Files that `fix` changed.
    pub fixed: Vec<VaultPath>,
    /// The Markdown report, if one was asked for.
    pub report: Option<VaultPath>,
    /// What came of judging, if candidates were looked for.
    pub judged: Option<crate::propose::JudgedOutcome>,
}

/// What a vault holds and what is pending.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatusOutcome {
    /// The vault's root.
    pub root: PathBuf,
    /// Its layout.
    pub layout: Layout,
    /// Pages: all, and those Kenning owns.
    pub n_pages: usize,
    /// Pages whose body Kenning owns.
    pub n_owned: usize,
    /// Pages of each category that has some, redirects left out, in the order of the index; then those in folders of a
    /// person's own (`people`).
    pub by_category: Vec<(String, usize)>,
    /// How many of their claims are borne out, if that was asked for.
    pub claims: Option<Grounding>,
    /// Cost of loading everything.
    pub tokens: Tokens,
    /// Journal days.
    pub n_days: usize,
    /// Sources.
    pub n_sources: usize,
    /// Journal days and sources that are new or changed since the last compile.
    pub pending: Vec<VaultPath>,
    /// Whether it is known what was compiled; in a copy of a vault of which this user keeps no record, it is not.
    pub knows_compiled: bool,
    /// Compiled pages with edits by hand that the next compile takes into the journal.
    pub edited: Vec<VaultPath>,
    /// Disputes of which nobody said yet which claims hold.
    pub n_disputes: usize,
    /// Filed answers that rest on something that changed.
    pub stale: Vec<VaultPath>,
    /// Pages of a memory bank whose `ttl` is over.
    pub expired: Vec<VaultPath>,
    /// Files in which git left conflict markers: they are not compiled until those are gone.
    pub unmerged: Vec<VaultPath>,
    /// Whether a change was interrupted and waits for the next command to complete it.
    pub is_interrupted: bool,
    /// Whether an unfinished change waits for a person, because it is not known to be this user's.
    pub is_foreign_change: bool,
    /// Whether this user made the vault or accepted it.
    pub is_accepted: bool,
    /// What hooks left for the worker.
    pub spool: SpoolStatus,
    /// What models did, if any was ever asked.
    pub models: Option<ModelsStatus>,
    /// What was done while nobody waited, if anything was to be done.
    pub background: Option<BackgroundStatus>,
    /// What is under way in batches, if anything is.
    pub under_way: Option<UnderWay>,
    /// Whether a consolidation is due, and what the last one left to a person.
    pub consolidation: ConsolidationStatus,
    /// How much talk is not to be kept any longer: of how many sessions, and how many bytes; nothing where all is kept.
    pub prune: Option<(usize, usize)>,
    /// When the last operation was.
    pub last: Option<(Timestamp, String)>,
    /// Commands worth running next, the most useful first.
    pub next: Vec<String>,
}

/// What models did for a vault.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ModelsStatus {
    /// Recorded replies.
    pub n_replies: usize,
    /// Tasks of whose reply a part was rejected.
    pub n_rejected: usize,
    /// Work packets that somebody has.
    pub n_taken: usize,
    /// What was spent this month.
    pub month: Spent,
}

/// What hooks left for the worker.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SpoolStatus {
    /// Jobs in the spool.
    pub n_jobs: usize,
    /// Jobs among them that may be taken now.
    pub n_due: usize,
    /// When the oldest was put there.
    pub oldest: Option<Timestamp>,
    /// Why jobs failed, with how often: those that failed often enough to be looked at.
    pub stuck: Vec<(String, u32)>,
    /// Files in the spool that are no jobs.
    pub strange: Vec<String>,
    /// When a worker last ran to its end.
    pub worked_at: Option<Timestamp>,
    /// Why the worker's last compile failed, if it did.
    pub compile_failure: Option<String>,
}

/// One thing about a vault that was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HealthCheck {
    /// What was looked at.
    pub name: &'static str,
    /// What was found.
    pub detail: String,
    /// What repairs it; none when nothing is wrong.
    pub fix: Option<String>,
}

/// One operation of the history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryRow {
    /// Its id.
    pub id: String,
    /// When.
    pub at: Timestamp,
    /// Its kind.
    pub kind: String,
    /// What it was about.
    pub subject: String,
    /// Files it changed.
    pub changed: Vec<VaultPath>,
    /// Of how many plans it was.
    pub n_operations: usize,
    /// Whether it is taken back.
    pub is_undone: bool,
}

/// The newest operations.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HistoryOutcome {
    /// Newest first.
    pub rows: Vec<HistoryRow>,
    /// What is wrong with the record itself, if anything.
    pub damage: Vec<String>,
    /// Places where git merged the record of another copy of the vault into this one.
    pub n_merged: usize,
}

/// What an undo restored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UndoOutcome {
    /// The id of the operation that was undone.
    pub undone: String,
    /// What it had done, in a few words.
    pub what: String,
    /// Files that were restored or removed.
    pub changed: Vec<VaultPath>,
    /// Whether it added to the journal too, where that stays.
    pub stays_in_journal: bool,
}

/// What is to be done about a secret that is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cure {
    /// Cover it by its mark.
    Redact,
    /// Remove the file, which only the tool needs.
    Erase,
    /// Nothing, and why.
    Leave(&'static str),
}

/// A secret that stands in the vault; never the secret itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredSecret {
    /// The file.
    pub path: VaultPath,
    /// The line, from 1; `None` in a file of the tool's own that has no lines.
    pub line: Option<usize>,
    /// What it is, as its mark says.
    pub kind: &'static str,
    /// Its first characters, at most four and at most a quarter of it.
    pub excerpt: String,
    /// What is to be done.
    pub cure: Cure,
}

impl StoredSecret {
    /// Returns the place as `path:line`.
    pub fn place(&self) -> String {
        self.line.map_or_else(|| self.path.to_string(), |line| format!("{}:{line}", self.path))
    }
}

/// What a scan found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ScanOutcome {
    /// What is there, after the redaction if one was asked for.
    pub findings: Vec<StoredSecret>,
    /// What was taken out.
    pub fixed: Vec<StoredSecret>,
    /// Files that were looked at.
    pub n_files: usize,
}
