//! Decides what to ask of a model for a compile, asks it, and compiles what came of it.
//!
//! Portions that nobody read are read day by day, the oldest first; after each file its pages are compiled,
//! so that the next day is read with the wiki of the day before. Then the pages that rest on readings get
//! their headers, relations and prose, and pages that look like one are judged. What is shown of the wiki
//! is chosen by what the file is about and bounded, so that a day costs the same in a small and a large wiki. What the
//! rules doubt of all that was read is asked about at once, before the pages are.

use std::collections::{BTreeMap, BTreeSet};

use ken_model::{Money, in_batch};
use ken_store::CacheGuard;

use super::CompileOptions;
use super::standing::Standing;
use super::tasks::{MERGES_MAX, Unread, bare_portion_task, pages_of, portion_tasks};
use crate::distill::{DistillOutcome, Thin, ToRead, sizes};
use crate::engine::Engine;
use crate::failure::{Failure, FailureKind};
use crate::outcome::{CompileOutcome, ThinReading};
use crate::propose::asked::AskedOutcome;
use crate::propose::kinds::Kind;
use crate::propose::pack::{label_of, packs};
use crate::propose::record::Manner;
use crate::propose::run::{Author, Run};
use crate::propose::share::grouped;
use crate::propose::task::{Task, rules_of};
use ken_compile::portion::Portion;

/// Written to see whether it can be.
const PROBE: &str = "cache/probe";
/// There while replies are recorded and not yet compiled.
pub(super) const ASKED: &str = "cache/asked";

/// How often pages are asked about in one run: once as they are, once as what was replied leaves them, which is nothing new
/// unless two are one.
const PAGE_ROUNDS: usize = 2;

/// What a compile with a model would ask.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EstimateOutcome {
    /// The model's name.
    pub model: String,
    /// Each task: kind, what it is about, tokens of its prompt.
    pub tasks: Vec<(&'static str, String, u64)>,
    /// What all of them can cost at most.
    pub bound: Money,
    /// What they are expected to cost.
    pub expected: Money,
    /// In a batch: what they can cost at most, and what they are expected to cost; none where the model takes none.
    pub in_batch: Option<(Money, Money)>,
    /// Pages that the readings may change and whose tasks can only be known then: how many at most, and
    /// what they can cost at most.
    pub later: (usize, Money),
    /// What those are expected to cost.
    pub later_expected: Money,
    /// What asking about what is doubted of the texts can cost at most, which is known when they are read, and what it
    /// is expected to cost.
    pub doubts: (Money, Money),
    /// Pages that rest on replies of earlier rules or another model, each with what those are.
    pub outdated: Vec<String>,
}

impl EstimateOutcome {
    /// Adds what would be asked in one call.
    pub(crate) fn add(&mut self, pack: &[Task], run: &Run<'_>) {
        let is_open = |task: &&Task| !run.is_under_way(task.kind(), &task.digest);
        let pack: &[Task] = &pack.iter().filter(is_open).cloned().collect::<Vec<_>>();
        if pack.is_empty() {
            return;
        }
        let (bound, tokens) = run.bound_together(pack);
        self.bound = Money(self.bound.0.saturating_add(bound.0));
        let expected = run.expected(pack, tokens);
        self.expected = Money(self.expected.0.saturating_add(expected.0));
        if let Some((bound, about)) = &mut self.in_batch {
            *bound += run.bound_in_batch(pack, tokens);
            *about += in_batch(expected);
        }
        self.tasks.push((pack[0].kind().in_calls().as_str(), label_of(&pack[0], pack.len()), tokens));
        if matches!(pack[0].kind(), Kind::Distill | Kind::Compile) {
            let (bound, expected) = run.doubts_of(pack);
            let sum = |a: Money, b: Money| Money(a.0.saturating_add(b.0));
            self.doubts = (sum(self.doubts.0, bound), sum(self.doubts.1, expected));
        }
    }
}

/// Pages that one portion can change so that they are asked about, at most.
const PAGES_OF_A_PORTION_MAX: usize = 4;
/// The most that a prompt about one page can take: 40 claims of 500 characters, the rules and the neighbours.
const PAGE_TOKENS_MAX: u64 = 8_000;

impl Engine {
    /// Compiles with a model: reads what nobody read yet, proposes headers, relations and prose, and compiles
    /// everything that holds. What fails is compiled as without a model.
    ///
    /// # Errors
    /// When the vault cannot be read or written, the model has no price, or another run is asking.
    pub fn compile_with(
        &self,
        options: CompileOptions,
        author: &Author,
    ) -> Result<(CompileOutcome, AskedOutcome), Failure> {
        let Some(model) = author.model.as_deref() else {
            return Ok((self.compile(options)?, AskedOutcome::default()));
        };
        let _guard = self.lock_asking()?;
        let mut run = Run::new(self, author, model)?;
        let (mut done, mut standing) = (CompileOutcome::default(), Standing::default());
        // What was replied is recorded: a compile that is refused loses none of it.
        let kept = |failure: Failure| failure.hint("what the model replied is recorded and not asked again");
        if self.under_way().is_some() {
            self.asking(&mut run, Run::collect_batches)?;
        }
        // A run that was killed between a reply and its compile, or a lost cache: what is asked now must be
        // shown the pages as they would have been.
        let is_behind = self.store.kept(ASKED)?.is_some() || self.load_ledger().is_none();
        if options.all || (is_behind && self.has_readings()?) {
            done.take(self.compile_in_run(options, &mut standing).map_err(kept)?);
        }
        // Everything is read again once, not after each day.
        let options = CompileOptions { all: false, ..options };
        let open_before = pages_of(&self.page_tasks(author, model.name())?).len();
        let mut sessions = self.sessions_of(&self.unread(author, model.name())?, author.renew)?;
        let days = std::mem::take(&mut sessions.days);
        let mut n_portions = self.read_sessions(days, &mut run, options, (&mut done, &mut standing)).map_err(kept)?;
        // A session that got no reply is asked about again, and not read from what was extracted meanwhile.
        let files: Vec<_> = sessions.without(self.unread(author, model.name())?).into_iter().collect();
        n_portions += self.read_files(files, &mut run, options, (&mut done, &mut standing)).map_err(kept)?;
        n_portions += self.ask_doubts(&mut run, options, (&mut done, &mut standing)).map_err(kept)?;
        // No more pages than were said before.
        let pages_max = open_before + n_portions * PAGES_OF_A_PORTION_MAX;
        self.ask_pages(pages_max, &mut run, options, (&mut done, &mut standing)).map_err(kept)?;
        self.ask_rollups(&mut run, options, (&mut done, &mut standing)).map_err(kept)?;
        run.send_pile()?;
        Ok((done, run.outcome))
    }

    /// Does what may bring replies; what it brings and what is not compiled yet is known to whoever comes next.
    pub(crate) fn asking<'r>(
        &self,
        run: &mut Run<'r>,
        ask: impl FnOnce(&mut Run<'r>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let was_asked = self.store.kept(ASKED)?.is_some();
        self.store.keep(ASKED, b"")?;
        ask(run)?;
        if run.outcome.batch.n_collected == 0 && !was_asked {
            self.store.drop_kept(ASKED)?;
        }
        Ok(())
    }

    /// Notes that what was replied is compiled.
    pub(crate) fn done_asking(&self) -> Result<(), Failure> {
        Ok(self.store.drop_kept(ASKED)?)
    }

    /// Reads the portions of notes and documents that nobody read, file by file: each is shown the pages that the one
    /// before made. Of many days some go at once, and are shown the pages that those before made. Returns how many
    /// portions there were.
    fn read_files(
        &self,
        files: Vec<Unread>,
        run: &mut Run<'_>,
        options: CompileOptions,
        (done, standing): (&mut CompileOutcome, &mut Standing),
    ) -> Result<usize, Failure> {
        let mut n_portions = 0;
        let (days, others): (Vec<Unread>, Vec<Unread>) = files.into_iter().partition(|unread| self.is_of_day(unread));
        let mut steps = run.steps_of(days);
        steps.extend(others.into_iter().map(|file| vec![file]));
        let calls = |files: Vec<Unread>| files.into_iter().map(|unread| self.calls_of(unread)).collect::<Vec<_>>();
        let steps: Vec<_> = steps.into_iter().map(calls).collect();
        let mut n_later: usize = steps.iter().flatten().map(Vec::len).sum();
        run.begin_step(n_later);
        for files in &steps {
            let n_calls = files.iter().map(Vec::len).sum::<usize>();
            n_later -= n_calls;
            if run.is_over() {
                run.outcome.n_left += n_calls;
                continue;
            }
            self.store.keep(ASKED, b"")?;
            n_portions += self.read_at_once(files, n_later, run)?;
            // Of what goes out in a batch nothing is replied yet.
            if !run.author().in_batch {
                done.take(self.compile_in_run(options, standing)?);
            }
            self.store.drop_kept(ASKED)?;
        }
        Ok(n_portions)
    }

    /// Asks about the portions of files that do not wait for each other, in a step of which so many calls come
    /// afterwards. Calls of one file wait for each other: each is shown the names that the one before coined. Returns
    /// how many portions there were.
    fn read_at_once(&self, files: &[Vec<Vec<Portion>>], n_later: usize, run: &mut Run<'_>) -> Result<usize, Failure> {
        let whole: Vec<Vec<Portion>> = files.iter().map(|calls| calls.concat()).collect();
        let slices = self.slices(&whole.iter().map(Vec::as_slice).collect::<Vec<_>>())?;
        let mut coined = vec![BTreeMap::new(); files.len()];
        let n_rounds = files.iter().map(Vec::len).max().unwrap_or_default();
        let mut n_portions = 0;
        for round in 0..n_rounds {
            let at_once = files.iter().enumerate().filter_map(|(n, calls)| Some((n, calls.get(round)?.clone())));
            let (of, packs): (Vec<usize>, Vec<Vec<Task>>) =
                at_once.map(|(n, portions)| (n, portion_tasks(portions, &slices[n], &coined[n]))).unzip();
            n_portions += packs.iter().map(Vec::len).sum::<usize>();
            let n_behind: usize = files.iter().map(|calls| calls.len().saturating_sub(round + 1)).sum();
            match packs.iter().map(Vec::as_slice).collect::<Vec<_>>().as_slice() {
                [[task]] => drop(run.ask(task)?),
                _ => run.ask_packs(&packs, n_behind + n_later)?,
            }
            // Whoever comes next is shown what was named; to list all replies takes as long as there are many.
            if round + 1 < n_rounds {
                let replies = self.replies()?;
                for (n, tasks) in of.into_iter().zip(&packs) {
                    tasks.iter().for_each(|task| coined[n].extend(self.coined(task, &replies)));
                }
            }
        }
        Ok(n_portions)
    }

    /// Whether portions are those of a day of the journal.
    fn is_of_day(&self, unread: &Unread) -> bool {
        unread.portions.first().is_some_and(|portion| self.layout().is_day(&portion.path))
    }

    /// The portions of a file as they share calls: notes of a day do, parts of a document are read one by one.
    fn calls_of(&self, unread: Unread) -> Vec<Vec<Portion>> {
        if !self.is_of_day(&unread) {
            return unread.portions.into_iter().map(|portion| vec![portion]).collect();
        }
        let mut portions = unread.portions.iter();
        let tasks = unread.portions.iter().cloned().map(bare_portion_task).collect();
        packs(tasks).iter().map(|pack| portions.by_ref().take(pack.len()).cloned().collect()).collect()
    }

    /// Asks about pages, at most so many, and compiles what came of it.
    fn ask_pages(
        &self,
        pages_max: usize,
        run: &mut Run<'_>,
        options: CompileOptions,
        (done, standing): (&mut CompileOutcome, &mut Standing),
    ) -> Result<(), Failure> {
        for _ in 0..PAGE_ROUNDS {
            let model = run.outcome.model.clone();
            let tasks = if run.is_over() { Vec::new() } else { self.page_tasks(run.author(), &model)? };
            let n_before = run.outcome.n_answered;
            let pages: BTreeSet<String> = pages_of(&tasks).into_iter().take(pages_max).collect();
            if !tasks.is_empty() {
                self.store.keep(ASKED, b"")?;
            }
            let n_all = tasks.len();
            let is_taken = |task: &Task| task.kind() != Kind::Page || pages.contains(&task.digest);
            let taken: Vec<Task> = tasks.into_iter().filter(is_taken).collect();
            run.outcome.n_left += n_all - taken.len();
            run.ask_all(&packs(taken))?;
            done.take(self.compile_in_run(options, standing)?);
            self.store.drop_kept(ASKED)?;
            if run.outcome.n_answered == n_before {
                break;
            }
        }
        Ok(())
    }

    /// Reads the sessions that nobody read from their own words, day by day, of many days some at once: what is said of
    /// them is compiled as it is written, and not read again. Returns how many there were.
    fn read_sessions(
        &self,
        days: Vec<Vec<ToRead>>,
        run: &mut Run<'_>,
        options: CompileOptions,
        (done, standing): (&mut CompileOutcome, &mut Standing),
    ) -> Result<usize, Failure> {
        let mut n_read = 0;
        let lens = run.days_at_once(&sizes(&days));
        for some in grouped(days, &lens) {
            let n_sessions = some.iter().map(Vec::len).sum::<usize>();
            if run.is_over() {
                run.outcome.n_left += n_sessions;
                continue;
            }
            n_read += n_sessions;
            self.store.keep(ASKED, b"")?;
            let mut read = DistillOutcome::default();
            self.distill_days((some, Thin::Refused), Some(run), &mut read)?;
            let sessions: BTreeSet<&str> = read.written.iter().map(|entry| entry.session.as_str()).collect();
            run.outcome.n_sessions += sessions.len();
            done.thin.extend(read.thin);
            done.take(self.compile_in_run(options, standing)?);
            self.store.drop_kept(ASKED)?;
        }
        Ok(n_read)
    }

    /// Returns what a compile with a model would ask and what it can cost at most; asks nothing.
    ///
    /// # Errors
    /// As [`Engine::compile_with`].
    pub fn estimate(&self, author: &Author) -> Result<EstimateOutcome, Failure> {
        let Some(model) = author.model.as_deref() else { return Ok(EstimateOutcome::default()) };
        let run = Run::new(self, author, model)?;
        let in_batch = model.batches().map(|_| (Money(0), Money(0)));
        let mut out = EstimateOutcome { model: model.name().to_owned(), in_batch, ..EstimateOutcome::default() };
        let mut n_portions = 0;
        let unread = self.unread(author, model.name())?;
        let n_rolled = self.rolled_by(&unread)?;
        let mut sessions = self.sessions_of(&unread, author.renew)?;
        let days = std::mem::take(&mut sessions.days);
        n_portions += days.iter().map(Vec::len).sum::<usize>();
        self.estimate_days(days, &run, &mut out)?;
        let files = sessions.without(unread);
        n_portions += files.iter().map(|unread| unread.portions.len()).sum::<usize>();
        let (days, others): (Vec<Unread>, Vec<Unread>) = files.into_iter().partition(|unread| self.is_of_day(unread));
        let files: Vec<Unread> = run.steps_of(days).into_iter().flatten().chain(others).collect();
        let slices = self.slices(&files.iter().map(|unread| unread.portions.as_slice()).collect::<Vec<_>>())?;
        for (unread, slice) in files.into_iter().zip(slices) {
            for portions in self.calls_of(unread) {
                out.add(&portion_tasks(portions, &slice, &BTreeMap::new()), &run);
            }
        }
        let mut pages = self.page_tasks(author, model.name())?;
        pages.extend(self.rollup_tasks(author, model.name())?);
        for pack in packs(self.doubt_tasks(author, model.name())?).into_iter().chain(packs(pages)) {
            out.add(&pack, &run);
        }
        let n_pages = n_portions * PAGES_OF_A_PORTION_MAX;
        let of_page = run.bound_of(Kind::Page, PAGE_TOKENS_MAX).0;
        let n_merges = if n_portions == 0 { 0 } else { MERGES_MAX as u64 };
        let of_merges = run.bound_of(Kind::Merge, 2 * PAGE_TOKENS_MAX).0.saturating_mul(n_merges);
        let of_rolled = run.bound_of(Kind::Rollup, PAGE_TOKENS_MAX).0.saturating_mul(n_rolled as u64);
        let of_pages = of_page.saturating_mul(n_pages as u64);
        out.later = (n_pages + n_rolled, Money(of_pages.saturating_add(of_merges).saturating_add(of_rolled)));
        out.later_expected = run.expected_of_pages(n_portions as u64);
        out.outdated = self.outdated(model.name(), &model.parameters())?;
        Ok(out)
    }

    /// Compiles everything again from journal, sources and recorded replies; with a model, what is missing is
    /// asked for. Without `all` only what looks different is read.
    ///
    /// # Errors
    /// As [`Engine::compile_with`].
    pub fn rebuild(
        &self,
        options: CompileOptions,
        author: Option<&Author>,
    ) -> Result<(CompileOutcome, Option<AskedOutcome>), Failure> {
        match author {
            Some(author) => self.compile_with(options, author).map(|(done, asked)| (done, Some(asked))),
            None => Ok((self.compile(options)?, None)),
        }
    }

    /// Returns what no recorded reply is about: portions of journal and sources, and tasks about pages.
    ///
    /// # Errors
    /// When the vault cannot be read.
    pub fn missing_replies(&self) -> Result<Vec<String>, Failure> {
        let place = |portion: &Portion| {
            let (first, last) = portion.range();
            format!("{}#L{first}-L{last}", portion.path)
        };
        let unread = self.unread(&crate::propose::nobody(), "")?;
        let mut missing: Vec<String> = unread.iter().flat_map(|file| &file.portions).map(place).collect();
        missing.extend(self.doubt_tasks(&crate::propose::nobody(), "")?.into_iter().map(|task| task.label));
        missing.extend(self.page_tasks(&crate::propose::nobody(), "")?.into_iter().map(|task| task.label));
        missing.extend(self.rollup_tasks(&crate::propose::nobody(), "")?.into_iter().map(|task| task.label));
        Ok(missing)
    }

    /// Returns whether any portion was ever read by a model.
    ///
    /// # Errors
    /// When the vault cannot be read.
    pub fn has_readings(&self) -> Result<bool, Failure> {
        Ok(self.replies()?.inputs(Kind::Compile).next().is_some())
    }

    /// The pages that rest on what earlier rules or another model replied, each with what that is.
    fn outdated(&self, model: &str, parameters: &str) -> Result<Vec<String>, Failure> {
        let replies = self.replies()?;
        let Some(ledger) = self.load_ledger() else { return Ok(Vec::new()) };
        let pages = ledger.pages.values().map(|page| (page.digest.as_str(), page.path.as_str()));
        let rolled = ledger.rollups.iter().map(|(path, rollup)| (rollup.digest.as_str(), path.as_str()));
        let by_claims: BTreeMap<&str, &str> = pages.chain(rolled).collect();
        let mut out: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
        for kind in [Kind::Compile, Kind::Page, Kind::Rollup] {
            let rules = rules_of(kind);
            for input in replies.inputs(kind) {
                let Some(record) = self.standing(&replies, kind, input) else { continue };
                let manner = Manner {
                    prompt: rules.version,
                    schema: rules.schema_digest(),
                    model: model.to_owned(),
                    parameters: parameters.to_owned(),
                };
                if record.manner == manner {
                    continue;
                }
                let by = format!("{} by {}, rules {}", kind.as_str(), record.manner.model, record.manner.prompt);
                let pages = match kind {
                    Kind::Compile => ledger.pages_of_portion(input),
                    _ => by_claims.get(input).copied().into_iter().collect(),
                };
                for page in pages {
                    out.entry(page).or_default().insert(by.clone());
                }
            }
        }
        let row = |(page, by): (&str, BTreeSet<String>)| {
            format!("{page} ({})", by.into_iter().collect::<Vec<_>>().join("; "))
        };
        Ok(out.into_iter().map(row).collect())
    }

    /// Takes the right to ask: of two runs at once, one asks.
    pub(crate) fn lock_asking(&self) -> Result<CacheGuard, Failure> {
        self.store.lock_cache("asking").ok_or_else(|| {
            // A vault that cannot be written says so in its own words.
            if let Err(error) = self.store.keep(PROBE, b"").and_then(|()| self.store.drop_kept(PROBE)) {
                return error.into();
            }
            Failure::new(FailureKind::Retry, "another `ken` is asking a model for this vault")
                .hint("nothing was asked and nothing was changed; try again when it is done")
        })
    }
}

impl CompileOutcome {
    /// Adds what a further compile did: what came and went again is neither new nor gone.
    pub(crate) fn take(&mut self, other: CompileOutcome) {
        let n_pages = other.unchanged + other.created.len() + other.updated.len();
        for slug in other.removed {
            if self.created.contains(&slug) {
                self.created.retain(|known| *known != slug);
            } else {
                self.updated.retain(|known| *known != slug);
                self.removed.push(slug);
            }
        }
        for slug in other.created {
            if self.removed.contains(&slug) {
                self.removed.retain(|known| *known != slug);
                self.updated.push(slug);
            } else {
                self.created.push(slug);
            }
        }
        let is_new = |slug: &ken_core::Slug| self.created.contains(slug) || self.updated.contains(slug);
        let further: Vec<_> = other.updated.into_iter().filter(|slug| !is_new(slug)).collect();
        self.updated.extend(further);
        self.updated.sort();
        self.edits_captured.extend(other.edits_captured);
        self.skipped = other.skipped;
        let is_known = |thin: &ThinReading| self.thin.contains(thin);
        let further: Vec<ThinReading> = other.thin.into_iter().filter(|thin| !is_known(thin)).collect();
        self.thin.extend(further);
        // A page that an earlier step of the run made or changed is not as before.
        self.unchanged = n_pages.saturating_sub(self.created.len() + self.updated.len());
        self.claims = other.claims;
        self.inputs.extend(other.inputs);
        self.sources = self.inputs.len();
        for path in other.renewed {
            if !self.renewed.contains(&path) {
                self.renewed.push(path);
            }
        }
        self.diff = other.diff.or(self.diff.take());
    }
}
