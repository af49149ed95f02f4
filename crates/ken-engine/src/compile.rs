//! Compiles a vault: journal and sources to pages, without a model.
//!
//! What pages say is decided in [`ken_compile`]. The ledger says what an unchanged file mentions, so that a compile of one
//! new day reads that day and the entries its subjects share, and writes the pages they are about.
//!
//! The steps: take hand edits into the journal, bring the ledger up to date, draft the pages that may differ, and let the
//! store apply one plan for pages, index and log.

mod answers;
mod bank;
pub(crate) mod beside;
mod asking;
mod days;
mod doubts;
mod edits;
mod elsewhere;
mod headers;
mod index;
mod origin;
mod persons;
mod plan;
mod proposals;
pub(crate) mod reading;
mod relations;
mod retold;
mod rolls;
pub(crate) mod slice;
mod standing;
pub(crate) mod sources;
pub(crate) mod tasks;
mod why;

pub use ken_compile::ledger::{Counts, Reason};
pub use why::WhyOutcome;

use ken_core::Plan;
use ken_search::Table;
use ken_store::LockGuard;

use crate::engine::Engine;
use crate::failure::Failure;
use crate::outcome::CompileOutcome;
use crate::propose::kinds::Kind;
use crate::propose::record::Replies;
use crate::wiki::{UNMERGED, Wiki};
pub(crate) use ken_compile::Ledger;
pub(crate) use ken_compile::alone;
pub(crate) use ken_compile::score::{is_change_note, tells_much};
pub(crate) use standing::Standing;

use beside::Beside;
use sources::Read;

pub use asking::EstimateOutcome;
pub(crate) use origin::Origin;
pub(crate) use plan::{may_replace, note_page};
pub(crate) use sources::SourceFile;
pub(crate) use tasks::{bare_portion_task, portion_task};

/// How to compile.
#[derive(Debug, Clone, Copy, Default)]
pub struct CompileOptions {
    /// Show the plan and change nothing.
    pub dry_run: bool,
    /// Fill missing header fields of pages that people own; always so in the `ckp` layout.
    pub headers: bool,
    /// Read everything again, whatever the ledger says.
    pub all: bool,
    /// Remove pages, however many.
    pub yes: bool,
}

/// The bytes of the ledger and the routing table, as far as they were made while the disk was waited for.
type Ahead = (Option<Vec<u8>>, Option<Table>);

/// Name of the ledger in the cache.
const LEDGER: &str = "ledger.bin";

impl Engine {
    /// Compiles what is new or changed in journal and sources into pages.
    ///
    /// # Errors
    /// When the vault cannot be read or written, or someone changes it at the same moment.
    pub fn compile(&self, options: CompileOptions) -> Result<CompileOutcome, Failure> {
        if !options.dry_run {
            self.write_waiting()?;
        }
        self.compile_only(options)
    }

    /// The same; sessions that an agent answered and that wait for what is doubted of them go on waiting.
    pub(crate) fn compile_only(&self, options: CompileOptions) -> Result<CompileOutcome, Failure> {
        self.compile_in_run(options, &mut Standing::default())
    }

    /// Compiles as a part of a run that began with these pages.
    fn compile_in_run(&self, options: CompileOptions, standing: &mut Standing) -> Result<CompileOutcome, Failure> {
        let guard = if options.dry_run { None } else { Some(self.lock("compile")?) };
        Ok(self.compile_under(guard.as_ref(), (options, standing), None)?.0)
    }

    /// Compiles under a lock, together with a change of pages if there is one; returns the plan, too.
    pub(crate) fn compile_under(
        &self,
        guard: Option<&LockGuard>,
        (options, standing): (CompileOptions, &mut Standing),
        beside: Option<&Beside<'_>>,
    ) -> Result<(CompileOutcome, Plan), Failure> {
        let mut replies = self.replies()?;
        let has_portions = replies.inputs(Kind::Compile).next().is_some();
        // What was noted without portions does not say which replies are about it.
        let fitting = |known: Option<Ledger>, replies: &Replies| {
            let merges = proposals::merges(self, replies);
            let known = known.filter(|ledger| ledger.has_portions == has_portions && ledger.merges == merges);
            known.unwrap_or_else(|| Ledger::new(has_portions, merges))
        };
        let read_wiki = || if options.all { self.read_wiki_from(None) } else { self.read_wiki() };
        let (wiki, mut ledger, journal) = std::thread::scope(|scope| {
            // Looking at every page takes as long as reading the ledger and what is new.
            let wiki = scope.spawn(read_wiki);
            let known = if options.all { None } else { self.load_ledger() };
            // What was forgotten may have come back by a merge; the caches go with it then.
            let has_come_back = guard.map_or(Ok(false), |guard| self.forget_again(guard, known.as_ref()))?;
            if has_come_back {
                replies = self.replies()?;
            }
            let mut ledger = fitting(known.filter(|_| !has_come_back), &replies);
            let journal = self.update_ledger(&mut ledger, &replies);
            let wiki = wiki.join().expect("reading pages does not panic");
            // Taking it out may have taken pages away that were just read.
            let wiki = if has_come_back { read_wiki() } else { wiki };
            Ok::<_, Failure>((wiki, ledger, journal))
        })?;
        let mut wiki = wiki?;
        let edits_captured = guard.map_or(Ok(Vec::new()), |guard| self.capture_edits(guard, &wiki))?;
        let journal = if edits_captured.is_empty() {
            journal?
        } else {
            // The journal has grown since it was read.
            ledger = fitting(if options.all { None } else { self.load_ledger() }, &replies);
            self.update_ledger(&mut ledger, &replies)?
        };
        self.give_way_to_adopted(&mut wiki)?;
        standing.note(&wiki);
        let mut outcome = CompileOutcome { edits_captured, ..CompileOutcome::default() };
        let read = (wiki, &mut ledger, journal, &replies);
        let plan = self.compile_into((guard, beside), (options, standing), read, &mut outcome)?;
        // As with the wiki: nobody has to wait until it is freed.
        std::thread::spawn(move || drop(ledger));
        Ok((outcome, plan))
    }

    fn compile_into(
        &self,
        (guard, beside): (Option<&LockGuard>, Option<&Beside<'_>>),
        (options, standing): (CompileOptions, &Standing),
        (mut wiki, ledger, mut read, replies): (Wiki, &mut Ledger, Read, &Replies),
        outcome: &mut CompileOutcome,
    ) -> Result<Plan, Failure> {
        outcome.skipped.append(&mut wiki.skipped);
        let unreadable = wiki.files.values().filter(|file| file.sort.is_none() && file.is_fresh);
        outcome.skipped.extend(unreadable.map(|file| (file.stamp.path.to_string(), "it is not UTF-8 text".to_owned())));
        let unmerged = wiki.files.values().filter(|file| file.is_unmerged);
        outcome.skipped.extend(unmerged.map(|file| (file.stamp.path.to_string(), UNMERGED.to_owned())));
        read.tell(outcome);
        read.withdraw(ledger, self.withdrawn(beside)?);
        beside.iter().for_each(|beside| beside.lay_over(&mut wiki));
        wiki.used_most = self.used_most(beside)?;
        let persons = self.persons(&wiki, &|path| beside?.text(path).map(str::to_owned))?;
        let archive = self.archive(beside)?;
        if guard.is_some() {
            // Before all else that takes memory. They say what the days say, whatever becomes of this compile.
            read.days.save(&self.store, &read.gone);
        }
        let drafted = self.draft((ledger, &persons, &archive), replies, &wiki, &read)?;
        read.days.let_go();
        read.is_stale |= drafted.has_moved;
        outcome.claims = ledger.pages.values().map(|page| page.n_claims as usize).sum();
        let (plan, indexed) = self.plan_compile(options, &mut wiki, (drafted, ledger), &read, outcome)?;
        let mut plan = match beside {
            Some(beside) => self.plan_beside(beside, plan, &wiki)?,
            None => plan,
        };
        match guard {
            Some(guard) => {
                if !options.yes {
                    standing.keep_most(&wiki, outcome)?;
                }
                let is_changed = read.is_stale || !plan.is_empty();
                // Of a first compile the pages take the room; later ones wait for the disk meanwhile.
                let is_first = wiki.table.is_none();
                let (applied, ahead) = std::thread::scope(|scope| {
                    let bytes = (is_changed && !is_first).then(|| scope.spawn(|| ledger.written()));
                    let table = (!plan.is_empty() && !is_first).then(|| scope.spawn(|| self.table_ahead(&wiki)));
                    let applied = self.apply(guard, &plan);
                    let bytes = bytes.and_then(|bytes| bytes.join().expect("writing down does not panic"));
                    (applied, (bytes, table.and_then(|table| table.join().expect("making a table does not panic"))))
                });
                applied?;
                plan.drop_contents();
                self.refresh_stamps(&mut wiki, &plan)?;
                self.note_index(&indexed)?;
                self.save((ledger, ahead), &wiki, &plan, &read);
            }
            None => outcome.diff = Some(self.diff(&plan)?),
        }
        // Freeing ten thousand entries takes as long as reading them; nobody has to wait for it.
        std::thread::spawn(move || drop(wiki));
        Ok(plan)
    }

    /// Returns the ledger of the last compile, or none when it is absent, damaged or of another version.
    pub(crate) fn load_ledger(&self) -> Option<Ledger> {
        Ledger::read(&self.store.read_cache(LEDGER)?)
    }

    /// Puts ledger, days and table into the cache; `ahead` is what is written of ledger and table, where that is known.
    fn save(&self, (ledger, ahead): (&Ledger, Ahead), wiki: &Wiki, plan: &Plan, read: &Read) {
        let (written, table) = ahead;
        let save_ledger = || {
            // An unchanged vault is not written to at all, its cache included.
            if (read.is_stale || !plan.is_empty())
                && let Some(bytes) = written.or_else(|| ledger.written())
            {
                // Losing the cache costs time, never an answer.
                let _ = self.store.write_cache(LEDGER, bytes);
            }
            // Those that were read for the pages only.
            read.days.save(&self.store, &[]);
        };
        // A table that is made of every page takes most room of all; the bytes of the ledger are gone by then.
        let mut to_do = Some(save_ledger);
        if wiki.table.is_none() {
            to_do.take().into_iter().for_each(|save_ledger| save_ledger());
        }
        std::thread::scope(|scope| {
            to_do.map(|save_ledger| scope.spawn(save_ledger));
            if !plan.is_empty() || wiki.table.is_none() || wiki.files.values().any(|file| file.is_fresh) {
                let files = plan.edits.iter().filter_map(|edit| wiki.files.get(edit.path()));
                self.save_table(wiki, table, &files.map(|file| &file.stamp).collect::<Vec<_>>());
            }
        });
    }
}
