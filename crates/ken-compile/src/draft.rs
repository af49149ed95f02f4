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
use crate::drafter::{Drafter, Humans, Names, joining};
use crate::echoes::telling;
use crate::finding::find_again;
use crate::fingerprint::{Fingerprint, fingerprint};
use crate::ledger::{Key, Ledger, Replaced, RollupRecord, key_hash};
use crate::loader::{Loader, Source};
use crate::naming::{PageRecord, Pages, Record, kept, name_subject, place_pages, renamed, retaken, taken_aliases};
use crate::rollup::{Before as RollupsBefore, RolledUp, Roller, Rolling, Rollup, Teller};
use crate::select::select;

/// The texts of the pages that may differ from what stands on disk.
#[derive(Debug, Default)]
pub struct Drafted {
    /// By the place of each.
    pub pages: BTreeMap<VaultPath, String>,
    /// Whether the ledger has pages of other subjects, or in other places, than before: so it is when something was
    /// taken back, although no page is written.
    pub has_moved: bool,
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
    /// The pages that people own.
    pub humans: Humans<'a>,
    /// Whether the file of one of those pages, or of a redirect, is called so.
    pub is_occupied: &'a dyn Fn(&Slug) -> bool,
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
    pub as_left: &'a (dyn Fn(&str) -> Option<Digest> + Sync),
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
    let mut pages = kept(&before);
    pages.retain(|key, _| subjects.contains(key));
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
    let changed_there = as_found.changed(&was);
    loader.of_passages(&changed_there, &as_found)?;
    dirty.extend(telling(&changed_there, (&was, &as_found), &loader.corpus).intersection(&subjects));
    loader.of_pages(&dirty)?;
    let replaced = loader.of_all_beside(&dirty, as_found.clone())?;
    // Before the texts of all pages take their room.
    let rolled = roll_up((around, &rollups), (names, &as_found), proposer, &mut loader)?;
    let mut drafted = Drafted { pages: rolled.pages, ..Drafted::default() };
    let drafter = Drafter { names, corpus: &loader.corpus, replaced: &replaced };
    let made = compose_all(&dirty, &drafter, (proposer, &before, around), &mut drafted);
    for (key, made) in made {
        let page = changed(&mut pages, key);
        (page.n_claims, page.proposals) = (made.n_claims, proposer.fingerprint(&made.digest));
        (page.digest, page.history, page.made) = (made.digest, made.history, made.made);
    }
    // Of those that became dirty by what others found, nothing was looked for again.
    said.into_iter().for_each(|(key, said)| changed(&mut pages, key).said = said);
    let gone: Vec<Key> = before.keys().filter(|key| !pages.contains_key(key)).copied().collect();
    let changed = pages.into_iter().filter_map(|(key, page)| Some((key, page.into_changed()?))).collect();
    (ledger.pages, drafted.has_moved) = settle(before, &gone, changed);
    (ledger.taken, ledger.rollups, ledger.replaced, ledger.disputed) = (taken, rolled.made, found, disputed);
    Ok(drafted)
}

/// A page, to be changed.
fn changed<'p>(pages: &'p mut Pages<'_>, key: Key) -> &'p mut PageRecord {
    pages.entry(key).or_insert_with(|| Record::Changed(Box::default())).change()
}

/// The pages as they are now, and whether other subjects have pages than before, or in other places.
fn settle(
    mut before: BTreeMap<Key, PageRecord>,
    gone: &[Key],
    changed: Vec<(Key, Box<PageRecord>)>,
) -> (BTreeMap<Key, PageRecord>, bool) {
    let is_moved = |(key, page): &(Key, Box<PageRecord>)| before.get(key).is_none_or(|before| before.path != page.path);
    let has_moved = !gone.is_empty() || changed.iter().any(is_moved);
    gone.iter().for_each(|key| drop(before.remove(key)));
    before.extend(changed.into_iter().map(|(key, page)| (key, *page)));
    (before, has_moved)
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
    loader.load(roller.wanted(&before))?;
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
fn moved_aside(pages: &Pages<'_>, before: &BTreeMap<Key, PageRecord>, covered: &Covered) -> BTreeSet<Key> {
    let reason = |key: &Key| before.get(key).map_or("", |page| page.archived.as_str());
    // What is left of a page beside a person's depends on what that one covers now.
    let may_differ = |(key, page): &(&Key, &Record<'_>)| {
        cover_of(page, covered).is_some() || page.is_changed() && page.archived != reason(key)
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
    (humans, external): (Humans<'_>, &BTreeSet<VaultPath>),
    covered_by: &dyn Fn(&Slug) -> BTreeSet<VaultPath>,
    source: &S,
    mut show: impl FnMut(Seen<'_>),
) -> Result<(), S::Failure> {
    let subjects: BTreeSet<Key> = ledger.pages.keys().copied().collect();
    let paths = ledger.paths();
    let replaced = Replaced::from_pages(&ledger.replaced, &paths).with_disputes(&ledger.disputed);
    let mut loader = Loader { source, ledger, subjects: &subjects, paths: &paths, corpus: Corpus::default() };
    loader.of_pages(keys)?;
    let replaced = loader.of_all_beside(keys, replaced)?;
    let (pages, joining) = (kept(&ledger.pages), joining(ledger));
    let (taken, covered) = (taken_aliases(&pages), &covered(&pages, covered_by));
    let names =
        Names { ledger, pages: &pages, paths: &paths, humans, covered, external, taken: &taken, joining: &joining };
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
    (humans, external): (Humans<'_>, &BTreeSet<VaultPath>),
    (rolling, as_left): (&Rolling<'_>, AsLeft<'_>),
    source: &S,
    proposer: &dyn Proposer,
) -> Result<Vec<Rollup>, S::Failure> {
    let subjects: BTreeSet<Key> = ledger.pages.keys().copied().collect();
    let paths = ledger.paths();
    let replaced = Replaced::from_pages(&ledger.replaced, &paths).with_disputes(&ledger.disputed);
    let mut loader = Loader { source, ledger, subjects: &subjects, paths: &paths, corpus: Corpus::default() };
    let (pages, joining, covered) = (kept(&ledger.pages), joining(ledger), &Covered::default());
    let taken = taken_aliases(&pages);
    let names =
        Names { ledger, pages: &pages, paths: &paths, humans, covered, external, taken: &taken, joining: &joining };
    let mut roller = Roller::new(rolling, (names, &replaced), proposer);
    let others = ledger.rollups.iter().filter(|(path, _)| !wanted.contains(path.as_str()));
    let made = others.map(|(path, record)| (path.clone(), record.clone())).collect();
    let before = RollupsBefore { made: &made, as_left };
    loader.load(roller.wanted(&before))?;
    roller.hear_echoes(&replaced, &loader.corpus, &before);
    loader.load(roller.wanted(&before))?;
    Ok(roller.roll(&Drafter { names, corpus: &loader.corpus, replaced: &replaced }, &before).to_tell)
}

/// Names the subjects of pages that may be called otherwise now.
fn name_again(
    pages: &mut Pages<'_>,
    keys: &BTreeSet<Key>,
    ledger: &Ledger,
    (corpus, paths, external): (&Corpus, &BTreeMap<u32, VaultPath>, &BTreeSet<VaultPath>),
) {
    let former = ledger.former_names();
    for key in keys {
        let postings = ledger.with_former(*key, ledger.postings_of(*key), &former);
        let named = name_subject(*key, &postings, corpus, (paths, external), ledger.given_title(*key));
        pages.insert(*key, Record::Changed(Box::new(named)));
    }
}

/// Whether a page stands beside one that a person took out of use, which says what there is to be said.
fn is_retired(page: &PageRecord, around: &Around<'_>) -> bool {
    let beside = page.beside.as_deref().and_then(Slug::from_text);
    beside.is_some_and(|slug| around.retired.contains(&slug))
}

/// Gives every page its place, away from the others where it was put away and nothing new is said of its subject.
fn place(pages: &mut Pages<'_>, around: &Around<'_>, ledger: &Ledger) {
    let said = SaidOf::new(ledger);
    for (key, page) in pages.iter_mut() {
        let away = around.archive.get(key).filter(|away| away.holds(&said.subject(*key)));
        let why = away.map_or("", |away| &away.why);
        if page.archived != why {
            page.change().archived = why.to_owned();
        }
    }
    let is_own = |key: Key, alias: &str| ledger.page_of(key_hash(&subject_key(alias))) == key;
    place_pages(pages, around.folder_of, (around.humans, around.is_occupied), &is_own);
}

/// Whether a page has to be looked at although nothing that it quotes changed.
fn differs(page: &PageRecord, around: &Around<'_>, proposer: &dyn Proposer) -> bool {
    needs_look(page, around) || are_others(proposer, page)
}

/// Whether the file of a page is missing or not as it was after the last compile.
fn needs_look(page: &PageRecord, around: &Around<'_>) -> bool {
    let is_other = |path: &str| (around.as_left)(path).is_none();
    is_other(&page.path) || !page.history.is_empty() && is_other(&page.history)
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
    let titled = |page: &Record<'_>| Some((page.slug()?, page.shown_title()));
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
type AsLeft<'a> = &'a (dyn Fn(&str) -> Option<Digest> + Sync);

/// A page as the last compile made it, and how files stand.
type Before<'a> = (&'a PageRecord, AsLeft<'a>);

/// Whether a page stands as it would be composed: as it was `before`, from what has this fingerprint.
fn stands_as(made_from: Fingerprint, path: &VaultPath, (before, as_left): Before<'_>) -> bool {
    let history = Some(before.history.as_str()).filter(|history| !history.is_empty());
    let texts = as_left(path.as_str()).into_iter().chain(history.and_then(as_left));
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
