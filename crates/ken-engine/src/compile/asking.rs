//! Decides what to ask of a model for a compile, asks it, and compiles what came of it.
//!
//! Portions that nobody read are read day by day, the oldest first; after each file its pages are compiled,
//! so that the next day is read with the wiki of the day before. Then the pages that rest on readings get
//! their headers, relations and prose, and pages that look like one are judged. What is shown of the wiki
//! is chosen by what the file is about and bounded, so that a day costs the same in a small and a large wiki.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::Category;
use ken_model::Money;
use ken_store::CacheGuard;

use super::CompileOptions;
use super::ledger::{Key, Ledger, key_hash};
use super::plan::Viewed;
use super::portion::Portion;
use super::proposals::{PAGE_KINDS, merge_name};
use super::slice::{Slice, stems};
use super::sources::{cut_entries, is_day};
use crate::engine::Engine;
use crate::failure::{Failure, FailureKind};
use crate::outcome::CompileOutcome;
use crate::propose::kinds::{Kind, PageView, compile};
use crate::propose::record::{Cited, Replies};
use crate::propose::run::{AskedOutcome, Author, Run};
use crate::propose::task::{Input, Task};

/// Written to see whether it can be.
const PROBE: &str = "cache/probe";
/// There while replies about a file are recorded and not yet compiled.
const ASKED: &str = "cache/asked";

/// Fewest claims of a page that is worth a header of its own.
const HEADER_CLAIMS_MIN: usize = 2;
/// Fewest pages near one for sorting them.
const CLASSIFY_NEAR_MIN: usize = 2;
/// Fewest sources of a page for prose.
const SYNTHESIZE_SOURCES_MIN: usize = 3;
/// Fewest claims for prose: fewer are read as fast as a list.
const SYNTHESIZE_CLAIMS_MIN: usize = 3;
/// From so many claims on prose helps, however few files they come from.
const SYNTHESIZE_CLAIMS_MANY: usize = 8;
/// Pages that are shown to whoever sorts the relations of one.
const NEAR_MAX: usize = 16;
/// How often pages are asked about in one run: once as they are, once as merges and relations leave them.
const PAGE_ROUNDS: usize = 2;
/// Pairs of pages that are judged in one run.
const MERGES_MAX: usize = 20;

/// What a compile with a model would ask.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EstimateOutcome {
    /// The model's name.
    pub model: String,
    /// Each task: kind, what it is about, tokens of its prompt.
    pub tasks: Vec<(&'static str, String, u64)>,
    /// What all of them can cost at most.
    pub bound: Money,
    /// Pages that the readings may change and whose tasks can only be known then: how many at most, and
    /// what they can cost at most.
    pub later: (usize, Money),
    /// Recorded replies of earlier rules or other models, by the pages or files they are about.
    pub outdated: Vec<String>,
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
        let mut done = CompileOutcome::default();
        // A run that was killed between a reply and its compile, or a lost cache: what is asked now must be
        // shown the pages as they would have been.
        let is_behind = self.store.kept(ASKED)?.is_some() || self.load_ledger().is_none();
        if options.all || (is_behind && self.has_readings()?) {
            done.take(self.compile(options)?);
        }
        // Everything is read again once, not after each day.
        let options = CompileOptions { all: false, ..options };
        let open_before = pages_of(&self.page_tasks(author, model.name())?).len();
        let mut n_portions = 0;
        for unread in self.unread(author, model.name())? {
            if run.is_over() {
                run.outcome.n_left += unread.portions.len();
                continue;
            }
            n_portions += unread.portions.len();
            let mut coined = BTreeMap::new();
            let slice = self.slice(&unread)?;
            self.store.keep(ASKED, b"")?;
            for portion in unread.portions {
                let task = portion_task(portion, &slice, &coined);
                run.ask(&task)?;
                coined.extend(self.coined(&task));
            }
            done.take(self.compile(options)?);
            self.store.drop_kept(ASKED)?;
        }
        // Pages that were found to be one are asked about again, as the one they are.
        for _ in 0..PAGE_ROUNDS {
            let tasks = if run.is_over() { Vec::new() } else { self.page_tasks(author, model.name())? };
            let n_before = run.outcome.n_answered;
            // No more pages than were said before.
            let pages_max = open_before + n_portions * PAGES_OF_A_PORTION_MAX;
            let pages: BTreeSet<String> = pages_of(&tasks).into_iter().take(pages_max).collect();
            for task in &tasks {
                if !PAGE_KINDS.contains(&task.kind()) || pages.contains(&task.digest) {
                    run.ask(task)?;
                } else {
                    run.outcome.n_left += 1;
                }
            }
            done.take(self.compile(options)?);
            if run.outcome.n_answered == n_before {
                break;
            }
        }
        Ok((done, run.outcome))
    }

    /// Returns what a compile with a model would ask and what it can cost at most; asks nothing.
    ///
    /// # Errors
    /// As [`Engine::compile_with`].
    pub fn estimate(&self, author: &Author) -> Result<EstimateOutcome, Failure> {
        let Some(model) = author.model.as_deref() else { return Ok(EstimateOutcome::default()) };
        let run = Run::new(self, author, model)?;
        let mut out = EstimateOutcome { model: model.name().to_owned(), ..EstimateOutcome::default() };
        let mut add = |task: &Task| {
            let (bound, tokens) = run.bound(task);
            out.bound = Money(out.bound.0.saturating_add(bound.0));
            out.tasks.push((task.kind().as_str(), task.label.clone(), tokens));
        };
        let mut n_portions = 0;
        for unread in self.unread(author, model.name())? {
            let slice = self.slice(&unread)?;
            n_portions += unread.portions.len();
            for portion in unread.portions {
                add(&portion_task(portion, &slice, &BTreeMap::new()));
            }
        }
        self.page_tasks(author, model.name())?.iter().for_each(&mut add);
        let n_pages = n_portions * PAGES_OF_A_PORTION_MAX;
        let kinds = [Kind::Header, Kind::Classify, Kind::Synthesize];
        let of_page: u64 = kinds.into_iter().map(|kind| run.bound_of(kind, PAGE_TOKENS_MAX).0).sum();
        let n_merges = if n_portions == 0 { 0 } else { MERGES_MAX as u64 };
        let of_merges = run.bound_of(Kind::Merge, 2 * PAGE_TOKENS_MAX).0.saturating_mul(n_merges);
        out.later = (n_pages, Money(of_page.saturating_mul(n_pages as u64).saturating_add(of_merges)));
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
        all: bool,
        author: Option<&Author>,
    ) -> Result<(CompileOutcome, Option<AskedOutcome>), Failure> {
        let options = CompileOptions { all, ..CompileOptions::default() };
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
        missing.extend(self.page_tasks(&crate::propose::nobody(), "")?.into_iter().map(|task| task.label));
        Ok(missing)
    }

    /// Returns whether any portion was ever read by a model.
    ///
    /// # Errors
    /// When the vault cannot be read.
    pub fn has_readings(&self) -> Result<bool, Failure> {
        Ok(self.replies()?.inputs(Kind::Compile).next().is_some())
    }

    /// What earlier rules or another model replied, by the files or pages it is about.
    fn outdated(&self, model: &str, parameters: &str) -> Result<Vec<String>, Failure> {
        let replies = self.replies()?;
        let mut out = BTreeSet::new();
        for kind in [Kind::Compile, Kind::Header, Kind::Classify, Kind::Synthesize] {
            let rules = crate::propose::task::rules_of(kind);
            for input in replies.inputs(kind) {
                let Some(record) = self.standing(&replies, kind, input) else { continue };
                let manner = &record.manner;
                let is_same = manner.prompt == rules.version
                    && manner.schema == rules.schema_digest()
                    && manner.model == model
                    && manner.parameters == parameters;
                if !is_same {
                    let places = record.read.iter().map(|cited| cited.path.clone());
                    let by = format!("{} by {}, rules {}", kind.as_str(), manner.model, manner.prompt);
                    out.insert(format!(
                        "{} ({by})",
                        places.collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().join(", ")
                    ));
                }
            }
        }
        Ok(out.into_iter().collect())
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

/// The portions of one file that are to be read.
pub(crate) struct Unread {
    /// In their order.
    pub(crate) portions: Vec<Portion>,
}

/// Returns the task of reading one portion; `coined` are subjects that were named in the same file before.
pub(crate) fn portion_task(portion: Portion, slice: &Slice, coined: &BTreeMap<String, String>) -> Task {
    let (mut known, mut shown) = slice.beside(&portion);
    if !coined.is_empty() {
        let names: Vec<&str> = coined.values().map(String::as_str).collect();
        known = format!("Named earlier in the same file, known too: {}\n{known}", names.join("; "));
        shown.pages.extend(coined.clone());
    }
    Task { context: slice.context.clone(), known, shown, ..bare_portion_task(portion) }
}

/// Returns the task of reading one portion, with nothing shown beside it.
pub(crate) fn bare_portion_task(portion: Portion) -> Task {
    let (first, last) = portion.range();
    let label = format!("{}#L{first}-L{last}", portion.path);
    let read = vec![Cited { path: portion.path.to_string(), lines: (first, last) }];
    let digest = portion.digest.clone();
    Task { read, ..Task::new(Input::Portion(Box::new(portion)), digest, label) }
}

impl Engine {
    /// The subjects that a recorded reading coined, by slug.
    fn coined(&self, task: &Task) -> BTreeMap<String, String> {
        let Input::Portion(portion) = &task.input else { return BTreeMap::new() };
        let record = self.replies().ok().and_then(|replies| self.standing(&replies, Kind::Compile, &task.digest));
        let Some(reply) = record.as_ref().and_then(|record| ken_model::json_of(&record.reply)) else {
            return BTreeMap::new();
        };
        let shown = record.map(|record| record.shown).unwrap_or_default();
        let reading = compile::check(&reply, portion, &shown, &mut crate::propose::check::Report::default());
        let names = reading.claims.into_iter().flat_map(|claim| claim.subjects);
        names.filter_map(|name| Some((ken_core::Slug::from_text(&name)?.to_string(), name))).collect()
    }

    /// The portions that nobody read, by file, the oldest day first, documents last.
    pub(crate) fn unread(&self, author: &Author, model: &str) -> Result<Vec<Unread>, Failure> {
        let replies = self.replies()?;
        let journal = self.layout().journal.clone();
        let (files, _) = self.source_files()?;
        let stats: Vec<_> = files.iter().map(|file| file.stat.clone()).collect();
        let cut = self.store.map_files(&stats, |stat, bytes| {
            let text = String::from_utf8(bytes).unwrap_or_default();
            let entries = cut_entries(&stat.path, is_day(&stat.path, &journal), &text, true);
            entries.into_iter().flat_map(|entry| entry.portions).collect::<Vec<Portion>>()
        })?;
        let mut seen = BTreeSet::new();
        let mut out = Vec::new();
        for (file, portions) in files.iter().zip(cut) {
            let mut portions = portions.unwrap_or_default();
            portions.retain(|portion| {
                seen.insert(portion.digest.clone())
                    && self.is_open(&replies, Kind::Compile, &portion.digest, author, model)
            });
            if !portions.is_empty() {
                out.push((!file.is_journal, file.stat.path.clone(), Unread { portions }));
            }
        }
        out.sort_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
        Ok(out.into_iter().map(|(.., unread)| unread).collect())
    }

    /// Whether a task is to be asked: nobody replied to it, or it is to be renewed.
    fn is_open(&self, replies: &Replies, kind: Kind, digest: &str, author: &Author, model: &str) -> bool {
        if !author.renew {
            // A record that does not read is none.
            return !replies.has(kind, digest) || self.standing(replies, kind, digest).is_none();
        }
        let version = crate::propose::task::rules_of(kind).version;
        let is_new =
            |record: crate::propose::record::Record| record.manner.model == model && record.manner.prompt == version;
        !self.standing(replies, kind, digest).is_some_and(is_new)
    }

    /// The tasks about pages that rest on readings and that nobody was asked about as they are.
    pub(crate) fn page_tasks(&self, author: &Author, model: &str) -> Result<Vec<Task>, Failure> {
        let replies = self.replies()?;
        let Some(ledger) = self.load_ledger() else { return Ok(Vec::new()) };
        let is_open = |kind, digest: &str| self.is_open(&replies, kind, digest, author, model);
        let may_be_open = |digest: &str| digest.is_empty() || PAGE_KINDS.into_iter().any(|kind| is_open(kind, digest));
        let keys: BTreeSet<Key> =
            ledger.read_subjects().into_iter().filter(|key| may_be_open(&ledger.pages[key].digest)).collect();
        let mut tasks: Vec<Task> = Vec::new();
        let alike = alike_names(&ledger);
        let views = self.views(ledger, &keys)?;
        for Viewed { page, near } in &views {
            let near = with_alike(page, near, &alike);
            let read = |task: Task| Task { read: cited_sources(page), ..task };
            let new =
                |input, label: &str| read(Task::new(input, page.digest.clone(), format!("{} ({label})", page.slug)));
            if page.claims.len() >= HEADER_CLAIMS_MIN && is_open(Kind::Header, &page.digest) {
                tasks.push(new(Input::Header(Box::new(page.clone())), "header"));
            }
            // A connection is near to what it joins, and that is known.
            let is_connection = page.category == Category::Connection;
            if !is_connection && near.len() >= CLASSIFY_NEAR_MIN && is_open(Kind::Classify, &page.digest) {
                let candidates = self.tldrs(&near)?;
                let mut task = new(Input::Classify(Box::new(page.clone()), candidates), "relations");
                task.shown.pages = near.iter().cloned().collect();
                tasks.push(task);
            }
            let told = page.without_open();
            let is_rich = page.sources.len() >= SYNTHESIZE_SOURCES_MIN && told.claims.len() >= SYNTHESIZE_CLAIMS_MIN;
            let is_worth = is_rich || told.claims.len() >= SYNTHESIZE_CLAIMS_MANY;
            if is_worth && is_open(Kind::Synthesize, &page.digest) {
                tasks.push(new(Input::Synthesize(Box::new(told)), "prose"));
            }
        }
        // Headers first: whoever sorts relations reads them.
        tasks.sort_by_key(Task::kind);
        tasks.extend(self.merge_tasks(&replies)?);
        Ok(tasks)
    }

    /// Slug, title and tldr of pages.
    fn tldrs(&self, near: &[(String, String)]) -> Result<Vec<(String, String, String)>, Failure> {
        let catalog = self.catalog()?;
        let tldr = |slug: &str| {
            let found = ken_core::Slug::from_text(slug).and_then(|slug| catalog.find(&slug));
            found.map(|page_idx| catalog.entry(page_idx).tldr).unwrap_or_default()
        };
        Ok(near.iter().map(|(slug, title)| (slug.clone(), title.clone(), tldr(slug))).collect())
    }

    /// Pairs of compiled pages whose names share most of their words, and that nobody judged.
    fn merge_tasks(&self, replies: &Replies) -> Result<Vec<Task>, Failure> {
        let Some(ledger) = self.load_ledger() else { return Ok(Vec::new()) };
        let subjects = ledger.read_subjects();
        let mut by_word: BTreeMap<String, Vec<Key>> = BTreeMap::new();
        let bag = |key: &Key| -> BTreeSet<String> { stems(&ledger.pages[key].title) };
        for key in &subjects {
            bag(key).into_iter().for_each(|word| by_word.entry(word).or_default().push(*key));
        }
        let mut pairs = BTreeSet::new();
        // A word of very many names tells none of them apart.
        for keys in by_word.values().filter(|keys| keys.len() <= 20) {
            for (n, a) in keys.iter().enumerate() {
                let alike = keys[n + 1..].iter().filter(|b| are_alike(&bag(a), &bag(b)));
                pairs.extend(alike.map(|b| (*a.min(b), *a.max(b))));
            }
        }
        let name = |(a, b): &(Key, Key)| merge_name(*a, *b);
        pairs.retain(|pair| !replies.has(Kind::Merge, &name(pair)));
        let pairs: Vec<(Key, Key)> = pairs.into_iter().take(MERGES_MAX).collect();
        let keys: BTreeSet<Key> = pairs.iter().flat_map(|(a, b)| [*a, *b]).collect();
        let views: BTreeMap<Key, PageView> = self
            .views(ledger, &keys)?
            .into_iter()
            .map(|viewed| (key_hash(&super::subject_key(&viewed.page.title)), viewed.page))
            .collect();
        let mut tasks = Vec::new();
        for pair in &pairs {
            let (Some(a), Some(b)) = (views.get(&pair.0), views.get(&pair.1)) else { continue };
            let label = format!("{} and {} (one subject?)", a.slug, b.slug);
            let pages = Box::new([a.clone(), b.clone()]);
            let mut task = Task::new(Input::Merge(pages), name(pair), label);
            task.shown.pages = [a, b].map(|page| (page.slug.clone(), page.title.clone())).into_iter().collect();
            tasks.push(task);
        }
        Ok(tasks)
    }
}

/// The slug and title of every page that a reading is about, by the stems of its names.
fn alike_names(ledger: &Ledger) -> BTreeMap<String, Vec<(String, String)>> {
    let mut out: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for page in ledger.read_subjects().iter().map(|key| &ledger.pages[key]) {
        let Some(slug) = page.slug() else { continue };
        for stem in stems(&page.title) {
            out.entry(stem).or_default().push((slug.to_string(), page.shown_title()));
        }
    }
    out
}

/// The pages near one, and then those whose names share a word with its own: parts of one thing.
fn with_alike(
    page: &PageView,
    near: &[(String, String)],
    alike: &BTreeMap<String, Vec<(String, String)>>,
) -> Vec<(String, String)> {
    let mut out = near.to_vec();
    let by_name = stems(&page.title);
    // A word of very many names makes none of them kin.
    let kin = by_name.iter().filter_map(|stem| alike.get(stem)).filter(|pages| pages.len() <= NEAR_MAX).flatten();
    for one in kin.filter(|(slug, _)| *slug != page.slug) {
        if out.len() < NEAR_MAX && !out.contains(one) {
            out.push(one.clone());
        }
    }
    out
}

/// The pages that tasks are about, by the digests of their claims.
fn pages_of(tasks: &[Task]) -> BTreeSet<String> {
    tasks.iter().filter(|task| PAGE_KINDS.contains(&task.kind())).map(|task| task.digest.clone()).collect()
}

/// Names are alike when one's words are the other's, or most are shared.
fn are_alike(a: &BTreeSet<String>, b: &BTreeSet<String>) -> bool {
    let (n_shared, n_all) = (a.intersection(b).count(), a.union(b).count());
    n_shared * 2 >= n_all && n_shared > 0
}

fn cited_sources(page: &PageView) -> Vec<Cited> {
    page.sources.iter().map(|path| Cited { path: path.clone(), lines: (0, 0) }).collect()
}

impl CompileOutcome {
    /// Adds what a further compile did: what came and went again is neither new nor gone.
    pub(crate) fn take(&mut self, other: CompileOutcome) {
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
        (self.unchanged, self.claims) = (other.unchanged, other.claims);
        self.inputs.extend(other.inputs);
        self.sources = self.inputs.len();
        self.memory_index = other.memory_index.or(self.memory_index.take());
        self.diff = other.diff.or(self.diff.take());
    }
}
