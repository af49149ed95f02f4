//! What is open to be asked: portions that nobody read, and pages that nobody was asked about as they are.
//!
//! Nothing is asked here. A model's run, an estimate and the agents that fetch work packets all take their
//! tasks from these lists.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::header::TRIGGERS;
use ken_core::words::subject_key;
use ken_core::{Category, IndexEntry};

use super::plan::Viewed;
use super::proposals::merge_name;
use super::slice::{Slice, stems};
use ken_compile::cut::cut_entries;
use ken_compile::ledger::{Key, Ledger, key_hash};

use super::sources::read_as;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::propose::check::{Report, Shown};
use crate::propose::kinds::doubt::Verdicts;
use crate::propose::kinds::page::{Candidate, Part, Wanted, told};
use crate::propose::kinds::{ClaimView, Kind, PageView, compile};
use crate::propose::record::{Cited, Record, Replies};
use crate::propose::run::Author;
use crate::propose::task::{Input, Task, rules_of};
use ken_compile::portion::Portion;

/// Fewest claims of a page that is worth a header of its own.
const HEADER_CLAIMS_MIN: usize = 2;
/// Fewest claims of a page that is worth being asked about for the sake of its triggers.
const TRIGGERS_CLAIMS_MIN: usize = 3;
/// From so many claims on, one of them says too little of the page.
const HEADER_CLAIMS_MANY: usize = 4;
/// Words of a tldr within which it names its subject, where it says something of it.
const OPENING_WORDS: usize = 6;
/// Fewest claims of a page whose relations are worth sorting.
const RELATIONS_CLAIMS_MIN: usize = 5;
/// Fewest pages near one for sorting them.
const NEAR_MIN: usize = 2;
/// Fewest sources of a page for prose.
const PROSE_SOURCES_MIN: usize = 3;
/// Fewest claims for prose: fewer are read as fast as a list.
const PROSE_CLAIMS_MIN: usize = 6;
/// From so many claims on prose helps, however few files they come from.
const PROSE_CLAIMS_MANY: usize = 8;
/// Pages that are shown to whoever sorts the relations of one.
const NEAR_MAX: usize = 12;
/// Pairs of pages that are judged in one run.
pub(super) const MERGES_MAX: usize = 20;

/// The portions of one file that are to be read.
pub(crate) struct Unread {
    /// In their order.
    pub(crate) portions: Vec<Portion>,
}

/// Returns the task of reading one portion; `coined` are subjects that were named in the same file before.
pub(crate) fn portion_task(portion: Portion, slice: &Slice, coined: &BTreeMap<String, String>) -> Task {
    let (known, shown) = slice.beside(&portion);
    let (known, shown) = with_coined(known, shown, coined);
    Task { context: slice.context.clone(), known, shown, ..bare_portion_task(portion) }
}

/// What is shown, with the subjects that were named in the same file before.
fn with_coined(mut known: String, mut shown: Shown, coined: &BTreeMap<String, String>) -> (String, Shown) {
    if !coined.is_empty() {
        let names: Vec<&str> = coined.values().map(String::as_str).collect();
        known = format!("Named earlier in the same file, known too: {}\n{known}", names.join("; "));
        shown.pages.extend(coined.clone());
    }
    (known, shown)
}

/// Returns the tasks of reading portions in one call, with what is shown beside all of them.
pub(super) fn portion_tasks(portions: Vec<Portion>, slice: &Slice, coined: &BTreeMap<String, String>) -> Vec<Task> {
    if portions.len() < 2 {
        return portions.into_iter().map(|portion| portion_task(portion, slice, coined)).collect();
    }
    let (known, shown) = slice.beside_all(&portions.iter().collect::<Vec<_>>());
    let (known, shown) = with_coined(known, shown, coined);
    let task = |portion| {
        let (context, known, shown) = (slice.context.clone(), known.clone(), shown.clone());
        Task { context, known, shown, ..bare_portion_task(portion) }
    };
    portions.into_iter().map(task).collect()
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
    pub(super) fn coined(&self, task: &Task, replies: &Replies) -> BTreeMap<String, String> {
        let Input::Portion(portion) = &task.input else { return BTreeMap::new() };
        let record = self.standing(replies, Kind::Compile, &task.digest);
        let Some(reply) = record.as_ref().and_then(|record| ken_model::json_of(&record.reply)) else {
            return BTreeMap::new();
        };
        let shown = record.map(|record| record.shown).unwrap_or_default();
        let reading = compile::check(&reply, portion, (&shown, &Verdicts::default()), &mut Report::default());
        let names = reading.claims.into_iter().flat_map(|claim| claim.subjects);
        names.filter_map(|name| Some((ken_core::Slug::from_text(&name)?.to_string(), name))).collect()
    }

    /// The portions that nobody read, by file, the oldest day first, documents last.
    pub(crate) fn unread(&self, author: &Author, model: &str) -> Result<Vec<Unread>, Failure> {
        let replies = self.replies()?;
        let layout = self.layout();
        let register = self.register()?;
        let (files, _) = self.compiled_files()?;
        let stats: Vec<_> = files.iter().map(|file| file.stat.clone()).collect();
        let cut = self.store.map_files(&stats, |stat, bytes| {
            let text = String::from_utf8(bytes).unwrap_or_default();
            let read_as = read_as(&stat.path, layout.is_day(&stat.path), &register);
            let entries = cut_entries(&stat.path, read_as, &text, true);
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
    pub(crate) fn is_open(&self, replies: &Replies, kind: Kind, digest: &str, author: &Author, model: &str) -> bool {
        if !author.renew {
            // A record that does not read is none.
            return !self.is_replied(replies, kind, digest);
        }
        let version = rules_of(kind).version;
        let is_new = |record: Record| record.manner.model == model && record.manner.prompt == version;
        !self.standing(replies, kind, digest).is_some_and(is_new)
    }

    /// The tasks about pages that rest on readings and that nobody was asked about as they are.
    pub(crate) fn page_tasks(&self, author: &Author, model: &str) -> Result<Vec<Task>, Failure> {
        let replies = self.replies()?;
        let is_open = |kind, digest: &str| self.is_open(&replies, kind, digest, author, model);
        let of_bank = self.bank_tasks(&|digest| is_open(Kind::Page, digest))?;
        let Some(ledger) = self.load_ledger() else { return Ok(of_bank) };
        let may_be_open = |digest: &str| digest.is_empty() || is_open(Kind::Page, digest);
        let keys: BTreeSet<Key> =
            ledger.read_subjects().into_iter().filter(|key| may_be_open(&ledger.pages[key].digest)).collect();
        // What is found to be one comes first: it says most of what follows.
        let mut tasks = self.merge_tasks(&replies)?;
        tasks.extend(of_bank);
        let alike = alike_names(&ledger);
        let views = self.views(&ledger, &keys)?;
        let catalog = self.catalog()?;
        let entry = |slug: &str| {
            let found = ken_core::Slug::from_text(slug).and_then(|slug| catalog.find(&slug));
            found.map(|page_idx| catalog.entry(page_idx))
        };
        let tldr = |slug: &str| entry(slug).map(|entry| entry.tldr).unwrap_or_default();
        for Viewed { page, near, .. } in views.iter().filter(|viewed| is_open(Kind::Page, &viewed.page.digest)) {
            let is_poor = author.renew || is_header_poor(page, entry(&page.slug).as_ref());
            let near: Vec<Candidate> = match has_choice(page) {
                true => with_alike(page, near, &alike)
                    .into_iter()
                    .map(|(slug, title)| (slug.clone(), title, tldr(&slug)))
                    .collect(),
                false => Vec::new(),
            };
            let near = if near.len() < NEAR_MIN { Vec::new() } else { near };
            let parts =
                [(Part::Header, is_poor), (Part::Relations, !near.is_empty()), (Part::Prose, is_worth_prose(page))];
            let parts: BTreeSet<Part> =
                parts.into_iter().filter(|(_, is_asked)| *is_asked).map(|(part, _)| part).collect();
            if parts.is_empty() {
                continue;
            }
            let shown = near.iter().map(|(slug, title, _)| (slug.clone(), title.clone())).collect();
            let label = format!("{} ({})", page.slug, told(&parts));
            let wanted = Wanted { page: page.clone(), parts, near };
            let mut task = Task::new(Input::Page(Box::new(wanted)), page.digest.clone(), label);
            task.shown.pages = shown;
            task.read = cited_sources(page);
            tasks.push(task);
        }
        Ok(tasks)
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
                let is_other_number =
                    |b: &Key| numbers_of(&ledger.pages[a].title) != numbers_of(&ledger.pages[b].title);
                let alike = keys[n + 1..].iter().filter(|b| are_alike(&bag(a), &bag(b)) && !is_other_number(b));
                pairs.extend(alike.map(|b| (*a.min(b), *a.max(b))));
            }
        }
        let name = |(a, b): &(Key, Key)| merge_name(*a, *b);
        pairs.retain(|pair| !replies.has(Kind::Merge, &name(pair)));
        let pairs: Vec<(Key, Key)> = pairs.into_iter().take(MERGES_MAX).collect();
        let keys: BTreeSet<Key> = pairs.iter().flat_map(|(a, b)| [*a, *b]).collect();
        let views: BTreeMap<Key, PageView> = self
            .views(&ledger, &keys)?
            .into_iter()
            .map(|viewed| (key_hash(&subject_key(&viewed.page.title)), viewed.page))
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

/// Whether relations of a page are worth sorting. A connection is near to what it joins, and that is known.
fn has_choice(page: &PageView) -> bool {
    page.category != Category::Connection && page.claims.len() >= RELATIONS_CLAIMS_MIN
}

/// Whether a page is worth prose.
fn is_worth_prose(page: &PageView) -> bool {
    let n_told = page.claims.iter().filter(|claim| !claim.is_open).count();
    let is_rich = page.sources.len() >= PROSE_SOURCES_MIN && n_told >= PROSE_CLAIMS_MIN;
    is_rich || n_told >= PROSE_CLAIMS_MANY
}

/// Whether a page needs a better header than it has without a model: it has no tldr, or one that does not begin with its
/// subject or that is told of another one first, or one claim stands for many, or a page of some claims has fewer triggers
/// than it should have.
fn is_header_poor(page: &PageView, entry: Option<&IndexEntry>) -> bool {
    let tldr = entry.map(|entry| entry.tldr.trim()).unwrap_or_default();
    if tldr.is_empty() {
        return !page.claims.is_empty();
    }
    let names: BTreeSet<String> = page.names().into_iter().map(subject_key).collect();
    let is_of_other = |claim: &ClaimView| {
        claim.text.trim() == tldr && claim.about.first().is_some_and(|first| !names.contains(&subject_key(first)))
    };
    let is_lent = page.claims.iter().any(is_of_other);
    let opening = tldr.split_whitespace().take(OPENING_WORDS).collect::<Vec<_>>().join(" ");
    let said = stems(&opening);
    let is_named = page.names().into_iter().any(|name| stems(name).intersection(&said).next().is_some());
    let has_triggers = entry.is_some_and(|entry| entry.triggers.len() >= *TRIGGERS.start());
    let has_triggers = has_triggers || page.claims.len() < TRIGGERS_CLAIMS_MIN;
    let is_many = page.claims.len() >= HEADER_CLAIMS_MANY;
    !is_named || page.claims.len() >= HEADER_CLAIMS_MIN && (!has_triggers || is_many || is_lent)
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
pub(super) fn pages_of(tasks: &[Task]) -> BTreeSet<String> {
    tasks.iter().filter(|task| task.kind() == Kind::Page).map(|task| task.digest.clone()).collect()
}

/// Names are alike when one's words are the other's, or most are shared.
fn are_alike(a: &BTreeSet<String>, b: &BTreeSet<String>) -> bool {
    let (n_shared, n_all) = (a.intersection(b).count(), a.union(b).count());
    n_shared * 2 >= n_all && n_shared > 0
}

/// The numbers of a name: `Room 2` is not `Room 3`.
fn numbers_of(name: &str) -> Vec<&str> {
    name.split(|ch: char| !ch.is_ascii_digit()).filter(|number| !number.is_empty()).collect()
}

fn cited_sources(page: &PageView) -> Vec<Cited> {
    page.sources.iter().map(|path| Cited { path: path.clone(), lines: (0, 0) }).collect()
}
