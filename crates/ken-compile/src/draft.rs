//! Decides which pages there are and composes those that may differ.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::parallel::long_in_parallel;
use ken_core::words::subject_key;
use ken_core::{Category, Digest, Slug, VaultPath};

use crate::account::{Account, Known as KnownOf, account};
use crate::archive::{Archive, SaidOf};
use crate::compose::{self, PageInput, Proposed, compose};
use crate::corpus::Corpus;
use crate::covered::{Covered, cover_of, covered, says_more};
use crate::drafter::{Drafter, Names, joining};
use crate::echoes::with_echoes;
use crate::finding::find_again;
use crate::fingerprint::{Fingerprint, fingerprint};
use crate::ledger::{Key, Ledger, Replaced, RollupRecord, key_hash};
use crate::loader::{Loader, Source};
use crate::naming::{PageRecord, name_subject, place_pages, renamed, retaken, taken_aliases};
use crate::rollup::{Before as RollupsBefore, RolledUp, Roller, Rolling, Rollup, Teller};
use crate::select::select;

/// The texts of the pages that may differ from what stands on disk.
#[derive(Debug, Default)]
pub struct Drafted {
    /// By the place of each.
    pub pages: BTreeMap<VaultPath, String>,
    /// Where compiled pages stand, all of them.
    pub expected: BTreeSet<VaultPath>,
    /// Whether the ledger has pages of other subjects, or in other places, than before: so it is when something was
    /// taken back, although no page is written.
    pub has_moved: bool,
}

impl Drafted {
    /// Takes the roll-ups; returns what each was made of.
    fn take(&mut self, rolled: RolledUp) -> BTreeMap<String, RollupRecord> {
        self.expected.extend(rolled.made.keys().filter_map(|path| VaultPath::new(path)));
        self.pages.extend(rolled.pages);
        rolled.made
    }
}

/// What was proposed for pages, checked.
pub trait Proposer: Teller {
    /// Returns whether nothing was ever proposed for a page.
    fn is_empty(&self) -> bool;

    /// Returns what names the proposals for the page with claims of this digest; 0 for none.
    fn fingerprint(&self, digest: &str) -> u64;

    /// Returns what was proposed for a page, and the digest of its claims. `titles` are those of compiled pages.
    fn proposed(
        &self,
        path: &VaultPath,
        page: (&PageInput, &Account<'_>),
        titles: &BTreeMap<Slug, String>,
    ) -> (Proposed, String);
}

/// What is known of a vault besides what its files say.
pub struct Around<'a> {
    /// Names of pages that people own, with the slug of each.
    pub humans: &'a BTreeMap<Slug, Slug>,
    /// The names of the files of those pages, and of redirects.
    pub occupied: &'a BTreeSet<Slug>,
    /// Those of them that are retired: beside them no page is made.
    pub retired: &'a BTreeSet<Slug>,
    /// The files that a page of a person names as its sources: what they say of its subject, it says already.
    pub covered_by: &'a dyn Fn(&Slug) -> BTreeSet<VaultPath>,
    /// Sources that nobody vouches for.
    pub external: &'a BTreeSet<VaultPath>,
    /// The folder of the pages of a category; of none, of those that were put away.
    pub folder_of: &'a dyn Fn(Option<Category>) -> String,
    /// The subjects whose pages were put away.
    pub archive: &'a Archive,
    /// The digest of a file of the wiki that is as the last compile left it.
    pub as_left: &'a (dyn Fn(&VaultPath) -> Option<Digest> + Sync),
    /// How days are rolled up; not at all where nobody wants that.
    pub rolling: Option<&'a Rolling<'a>>,
}

/// Decides subjects and composes every page that may differ: those of `mentioned`, which files mention that changed, or
/// all, and whatever follows from them.
///
/// # Errors
/// When entries cannot be read.
pub fn draft<S: Source>(
    ledger: &mut Ledger,
    mentioned: Option<&BTreeSet<Key>>,
    around: &Around<'_>,
    source: &S,
    proposer: &dyn Proposer,
) -> Result<Drafted, S::Failure> {
    let subjects = ledger.subjects();
    let (before, mut found) = (std::mem::take(&mut ledger.pages), std::mem::take(&mut ledger.replaced));
    let (mut disputed, rollups) = (std::mem::take(&mut ledger.disputed), std::mem::take(&mut ledger.rollups));
    let flipped = flipped(ledger, &subjects, &before);
    let mut dirty = first_dirty(ledger, mentioned, &flipped, (&subjects, &before));
    let paths = ledger.paths();
    let mut loader = Loader { source, ledger, subjects: &subjects, paths: &paths, corpus: Corpus::default() };
    loader.of_pages(&dirty)?;
    let kept = before.iter().filter(|(key, _)| subjects.contains(key)).map(|(key, page)| (*key, page.clone()));
    let mut pages: BTreeMap<Key, PageRecord> = kept.collect();
    name_again(&mut pages, &dirty, ledger, (&loader.corpus, &paths, around.external));
    place(&mut pages, around, ledger);
    let covered = covered(&pages, around.covered_by);
    pages.retain(|key, page| !is_retired(page, around) && says_more(ledger, *key, page, &covered, &paths));
    let subjects: BTreeSet<Key> = pages.keys().copied().collect();
    dirty.retain(|key| subjects.contains(key));
    dirty.extend(moved_aside(&pages, &before, &covered));
    // A page that is called differently now is called differently by its neighbours too.
    dirty.extend(ledger.neighbours(&renamed(&before, &pages)).intersection(&subjects));
    let taken = taken_aliases(&pages);
    dirty.extend(retaken(&ledger.taken, &taken).intersection(&subjects));
    dirty.extend(pages.iter().filter(|(_, page)| differs(page, around, proposer)).map(|(key, _)| *key));
    loader.of_pages(&dirty)?;
    let beyond = loader.of_shared(mentioned.map(|mentioned| mentioned | &flipped), &subjects)?;
    let joining = joining(ledger);
    let names = Names {
        ledger,
        pages: &pages,
        paths: &paths,
        humans: around.humans,
        covered: &covered,
        external: around.external,
        taken: &taken,
        joining: &joining,
    };
    let was = Replaced::from_pages(&found, &paths).with_disputes(&disputed);
    let alone = Drafter { names, corpus: &loader.corpus, replaced: &Replaced::default() };
    let said = find_again((&mut found, &mut disputed), (&dirty, &beyond), &alone, &before);
    let as_found = Replaced::from_pages(&found, &paths).with_disputes(&disputed);
    // What one page found holds on the others.
    dirty.extend(ledger.quoting(&as_found.changed(&was)).intersection(&subjects));
    loader.of_pages(&dirty)?;
    loader.of_successors(&dirty, &as_found)?;
    let replaced = with_echoes(as_found.clone(), &loader.quoted(&dirty).collect(), &loader.corpus);
    // Before the texts of all pages take their room.
    let rolled = roll_up((around, &rollups), (names, &as_found), proposer, &mut loader)?;
    let expected = pages.values().filter_map(|page| VaultPath::new(&page.path)).collect();
    let mut drafted = Drafted { expected, ..Drafted::default() };
    let drafter = Drafter { names, corpus: &loader.corpus, replaced: &replaced };
    let made = compose_all(&dirty, &drafter, (proposer, &before, around), &mut drafted);
    for (key, made) in made {
        let page = pages.entry(key).or_default();
        (page.n_claims, page.proposals) = (made.n_claims, proposer.fingerprint(&made.digest));
        (page.digest, page.history, page.made) = (made.digest, made.history, made.made);
    }
    // Of those that became dirty by what others found, nothing was looked for again.
    said.into_iter().for_each(|(key, said)| pages.entry(key).or_default().said = said);
    drafted.expected.extend(pages.values().filter_map(|page| VaultPath::new(&page.history)));
    drafted.has_moved = !are_in_place(&before, &pages);
    (ledger.pages, ledger.taken, ledger.rollups) = (pages, taken, drafted.take(rolled));
    (ledger.replaced, ledger.disputed) = (found, disputed);
    Ok(drafted)
}

/// Whether the same subjects have pages in the same places.
fn are_in_place(before: &BTreeMap<Key, PageRecord>, pages: &BTreeMap<Key, PageRecord>) -> bool {
    before.len() == pages.len()
        && before.iter().zip(pages).all(|((key, old), (other, new))| key == other && old.path == new.path)
}

/// Makes the roll-ups that may differ, from what the pages found: echoes are known of the pages that were made again only, and
/// a week looks for its own.
fn roll_up<S: Source>(
    (around, made): (&Around<'_>, &BTreeMap<String, RollupRecord>),
    (names, replaced): (Names<'_>, &Replaced),
    proposer: &dyn Proposer,
    loader: &mut Loader<'_, S>,
) -> Result<RolledUp, S::Failure> {
    let Some(rolling) = around.rolling else { return Ok(RolledUp::default()) };
    let mut roller = Roller::new(rolling, (names, replaced), proposer);
    let before = RollupsBefore { made, as_left: around.as_left };
    loader.load(roller.wanted(&before))?;
    roller.hear_echoes(replaced, &loader.corpus, &before);
    Ok(roller.roll(&Drafter { names, corpus: &loader.corpus, replaced }, &before))
}

/// The pages that may differ before anything of them is read.
fn first_dirty(
    ledger: &Ledger,
    mentioned: Option<&BTreeSet<Key>>,
    flipped: &BTreeSet<Key>,
    (subjects, before): (&BTreeSet<Key>, &BTreeMap<Key, PageRecord>),
) -> BTreeSet<Key> {
    let mut dirty: BTreeSet<Key> = match mentioned {
        Some(mentioned) => ledger.pages_of(mentioned).intersection(subjects).copied().collect(),
        None => subjects.clone(),
    };
    dirty.extend(ledger.neighbours(flipped).intersection(subjects));
    // Of what a person's page covered, the page may say no longer that it does.
    dirty.extend(subjects.iter().filter(|key| !before.contains_key(key)));
    dirty
}

/// The pages beside those of people, and those that were put away or came back.
fn moved_aside(
    pages: &BTreeMap<Key, PageRecord>,
    before: &BTreeMap<Key, PageRecord>,
    covered: &Covered,
) -> BTreeSet<Key> {
    let reason = |page: Option<&PageRecord>| page.map(|page| page.archived.clone()).unwrap_or_default();
    // What is left of a page beside a person's depends on what that one covers now.
    let may_differ = |(key, page): &(&Key, &PageRecord)| {
        cover_of(page, covered).is_some() || page.archived != reason(before.get(*key))
    };
    pages.iter().filter(may_differ).map(|(key, _)| *key).collect()
}

/// The subjects that had a page and have none, or the other way round, and what leads elsewhere than before.
fn flipped(ledger: &mut Ledger, subjects: &BTreeSet<Key>, before: &BTreeMap<Key, PageRecord>) -> BTreeSet<Key> {
    let known: BTreeSet<Key> = before.keys().copied().collect();
    let mut flipped: BTreeSet<Key> = known.symmetric_difference(subjects).copied().collect();
    flipped.extend(ledger.take_moved());
    flipped
}

/// A page as it is composed, for those who look at it before.
pub struct Seen<'a> {
    /// Where it stands.
    pub path: &'a VaultPath,
    /// What it is made from.
    pub input: &'a PageInput,
    /// What holds of that.
    pub account: &'a Account<'a>,
    /// Slug and title of the pages near it.
    pub near: Vec<(String, String)>,
}

/// Shows pages as the last compile composed them.
///
/// # Errors
/// When entries cannot be read.
pub fn look<S: Source>(
    ledger: &Ledger,
    keys: &BTreeSet<Key>,
    (humans, external): (&BTreeMap<Slug, Slug>, &BTreeSet<VaultPath>),
    covered_by: &dyn Fn(&Slug) -> BTreeSet<VaultPath>,
    source: &S,
    mut show: impl FnMut(Seen<'_>),
) -> Result<(), S::Failure> {
    let subjects: BTreeSet<Key> = ledger.pages.keys().copied().collect();
    let paths = ledger.paths();
    let replaced = Replaced::from_pages(&ledger.replaced, &paths).with_disputes(&ledger.disputed);
    let mut loader = Loader { source, ledger, subjects: &subjects, paths: &paths, corpus: Corpus::default() };
    loader.of_pages(keys)?;
    loader.of_successors(keys, &replaced)?;
    let replaced = with_echoes(replaced, &loader.quoted(keys).collect(), &loader.corpus);
    let (taken, joining) = (taken_aliases(&ledger.pages), joining(ledger));
    let (pages, covered) = (&ledger.pages, &covered(&ledger.pages, covered_by));
    let names = Names { ledger, pages, paths: &paths, humans, covered, external, taken: &taken, joining: &joining };
    let drafter = Drafter { names, corpus: &loader.corpus, replaced: &replaced };
    for key in keys {
        let Some(path) = ledger.pages.get(key).and_then(|page| VaultPath::new(&page.path)) else { continue };
        let (input, evidence) = drafter.input(*key);
        let account = account_of(*key, &input, &replaced);
        show(Seen { path: &path, input: &input, account: &account, near: drafter.near(&evidence) });
    }
    Ok(())
}

/// Returns some roll-ups as whoever tells them in better sentences reads them, by their places; `as_left` is the digest of
/// a file of the wiki that is as the last compile left it.
///
/// # Errors
/// When entries cannot be read.
pub fn rollups<S: Source>(
    ledger: &Ledger,
    wanted: &BTreeSet<&str>,
    (humans, external): (&BTreeMap<Slug, Slug>, &BTreeSet<VaultPath>),
    (rolling, as_left): (&Rolling<'_>, AsLeft<'_>),
    source: &S,
    proposer: &dyn Proposer,
) -> Result<Vec<Rollup>, S::Failure> {
    let subjects: BTreeSet<Key> = ledger.pages.keys().copied().collect();
    let paths = ledger.paths();
    let replaced = Replaced::from_pages(&ledger.replaced, &paths).with_disputes(&ledger.disputed);
    let mut loader = Loader { source, ledger, subjects: &subjects, paths: &paths, corpus: Corpus::default() };
    let (taken, joining, covered) = (taken_aliases(&ledger.pages), joining(ledger), Covered::default());
    let (pages, covered) = (&ledger.pages, &covered);
    let names = Names { ledger, pages, paths: &paths, humans, covered, external, taken: &taken, joining: &joining };
    let mut roller = Roller::new(rolling, (names, &replaced), proposer);
    let others = ledger.rollups.iter().filter(|(path, _)| !wanted.contains(path.as_str()));
    let made = others.map(|(path, record)| (path.clone(), record.clone())).collect();
    let before = RollupsBefore { made: &made, as_left };
    loader.load(roller.wanted(&before))?;
    roller.hear_echoes(&replaced, &loader.corpus, &before);
    Ok(roller.roll(&Drafter { names, corpus: &loader.corpus, replaced: &replaced }, &before).to_tell)
}

/// Names the subjects of pages that may be called otherwise now.
fn name_again(
    pages: &mut BTreeMap<Key, PageRecord>,
    keys: &BTreeSet<Key>,
    ledger: &Ledger,
    (corpus, paths, external): (&Corpus, &BTreeMap<u32, VaultPath>, &BTreeSet<VaultPath>),
) {
    let former = ledger.former_names();
    for key in keys {
        let postings = ledger.with_former(*key, ledger.postings_of(*key), &former);
        let named = name_subject(*key, &postings, corpus, (paths, external), ledger.given_title(*key));
        pages.insert(*key, named);
    }
}

/// Whether a page stands beside one that a person took out of use, which says what there is to be said.
fn is_retired(page: &PageRecord, around: &Around<'_>) -> bool {
    let beside = page.beside.as_deref().and_then(Slug::from_text);
    beside.is_some_and(|slug| around.retired.contains(&slug))
}

/// Gives every page its place, away from the others where it was put away and nothing new is said of its subject.
fn place(pages: &mut BTreeMap<Key, PageRecord>, around: &Around<'_>, ledger: &Ledger) {
    let said = SaidOf::new(ledger);
    for (key, page) in pages.iter_mut() {
        let away = around.archive.get(key).filter(|away| away.holds(&said.subject(*key)));
        page.archived = away.map(|away| away.why.clone()).unwrap_or_default();
    }
    let is_own = |key: Key, alias: &str| ledger.page_of(key_hash(&subject_key(alias))) == key;
    let human = |name: &Slug| around.humans.get(name).cloned();
    place_pages(pages, around.folder_of, (&human, &|name| around.occupied.contains(name)), &is_own);
}

/// Whether a page has to be looked at although nothing that it quotes changed.
fn differs(page: &PageRecord, around: &Around<'_>, proposer: &dyn Proposer) -> bool {
    needs_look(page, around) || are_others(proposer, page)
}

/// Whether the file of a page is missing or not as it was after the last compile.
fn needs_look(page: &PageRecord, around: &Around<'_>) -> bool {
    let is_other = |path: VaultPath| (around.as_left)(&path).is_none();
    VaultPath::new(&page.path).is_none_or(is_other) || VaultPath::new(&page.history).is_some_and(is_other)
}

/// Whether a page was composed with other proposals than there are now.
fn are_others(proposer: &dyn Proposer, page: &PageRecord) -> bool {
    // Without its digest nothing is known of what was proposed for it.
    (page.digest.is_empty() && !proposer.is_empty()) || page.proposals != proposer.fingerprint(&page.digest)
}

/// What composing a page told of it.
struct Made {
    /// What names all that it was composed from, and its texts; 0 where that is not known.
    made: Fingerprint,
    n_claims: u32,
    /// Where the page of its older claims stands; empty where there are none.
    history: String,
    /// What names its claims; empty when nothing was ever proposed for a page.
    digest: String,
}

/// The claims of a page by what all pages found.
fn account_of<'a>(key: Key, input: &'a PageInput, replaced: &Replaced) -> Account<'a> {
    let known = KnownOf { successor: &|id| replaced.on(key, id), against: &|id| replaced.against(id).collect() };
    select(input, account(&input.statements, &input.elsewhere, &known))
}

/// Composes pages with what was proposed for them.
fn compose_all(
    keys: &BTreeSet<Key>,
    drafter: &Drafter<'_>,
    (proposer, before, around): (&dyn Proposer, &BTreeMap<Key, PageRecord>, &Around<'_>),
    drafted: &mut Drafted,
) -> Vec<(Key, Made)> {
    let titled = |page: &PageRecord| Some((page.slug()?, page.shown_title()));
    let all = drafter.names.pages.values().filter(|_| !proposer.is_empty());
    let titles: BTreeMap<Slug, String> = all.filter_map(titled).collect();
    let keys: Vec<Key> = keys.iter().copied().collect();
    let as_left = around.as_left;
    let composed = long_in_parallel(keys.len(), |n| {
        let before = before.get(&keys[n]).map(|page| (page, as_left));
        compose_one(keys[n], drafter, (proposer, &titles), before)
    });
    let mut out = Vec::new();
    for (key, (texts, made)) in keys.into_iter().zip(composed).filter_map(|(key, one)| Some((key, one?))) {
        drafted.pages.extend(texts);
        out.push((key, made));
    }
    out
}

/// The digest of a file of the wiki that is as the last compile left it.
type AsLeft<'a> = &'a (dyn Fn(&VaultPath) -> Option<Digest> + Sync);

/// A page as the last compile made it, and how files stand.
type Before<'a> = (&'a PageRecord, AsLeft<'a>);

/// Whether a page stands as it would be composed: as it was `before`, from what has this fingerprint.
fn stands_as(made_from: Fingerprint, path: &VaultPath, (before, as_left): Before<'_>) -> bool {
    let history = VaultPath::new(&before.history);
    let texts = as_left(path).into_iter().chain(history.iter().filter_map(as_left));
    let texts: Vec<[u8; 32]> = texts.map(|digest| *digest.as_bytes()).collect();
    texts.len() == 1 + usize::from(history.is_some()) && before.made == fingerprint(&(made_from, texts))
}

/// Composes one page, and that of its older claims where there are some; no text of a page that stands so already.
fn compose_one(
    key: Key,
    drafter: &Drafter<'_>,
    (proposer, titles): (&dyn Proposer, &BTreeMap<Slug, String>),
    before: Option<Before<'_>>,
) -> Option<(Vec<(VaultPath, String)>, Made)> {
    let path = VaultPath::new(&drafter.names.pages[&key].path)?;
    let (input, _) = drafter.input(key);
    let n_claims = input.statements.len() as u32;
    let made_from = proposer.is_empty().then(|| drafter.made_from(key, &input)).flatten();
    if let (Some(made_from), Some((page, as_left))) = (made_from, before)
        && stands_as(made_from, &path, (page, as_left))
    {
        let (history, digest) = (page.history.clone(), page.digest.clone());
        return Some((Vec::new(), Made { made: page.made, n_claims, history, digest }));
    }
    let account = account_of(key, &input, drafter.replaced);
    let resolve = |target: &str| drafter.resolve(target);
    let mut texts = Vec::new();
    let history = drafter.history_of(key).filter(|_| !account.older.is_empty());
    let history = history.zip(input.history.as_ref()).map(|((path, of), own)| {
        texts.push((path.clone(), compose::history(&input, &account.older, (of, own), &resolve)));
        path.to_string()
    });
    let history = history.unwrap_or_default();
    let (proposed, digest) =
        if proposer.is_empty() { Default::default() } else { proposer.proposed(&path, (&input, &account), titles) };
    texts.insert(0, (path, compose(&input, &account, &proposed, &resolve)));
    // Ten thousand texts wait for the last one: none keeps room to grow.
    let texts: Vec<(VaultPath, String)> =
        texts.into_iter().map(|(path, text)| (path, text.as_str().to_owned())).collect();
    let digest_of = |(_, text): &(VaultPath, String)| *Digest::of(text.as_bytes()).as_bytes();
    let made = made_from.map_or(0, |from| fingerprint(&(from, texts.iter().map(digest_of).collect::<Vec<[u8; 32]>>())));
    Some((texts, Made { made, n_claims, history, digest }))
}
