//! Decides what the page of each subject is called and where it stands.
//!
//! A name is the most frequent spelling in the entries that mention the subject. A subject that a page
//! of a person is already about gets a page beside it, `NAME-journal`, because the body of a person's
//! page is never written to.

mod places;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;

use ken_core::orders::is_statement;
use ken_core::text::capital;
use ken_core::trust::EXTERNAL_TITLE;
use ken_core::words::subject_key;
use ken_core::{Category, Slug, VaultPath};
use serde::{Deserialize, Serialize};

use super::corpus::{Corpus, Named};
use super::ledger::{Key, Posting, key_hash};
use super::subject::MentionKind;
use super::told::AdoptedPage;

pub use places::{PageOf, place_pages};

/// How the title of a page beside a person's ends.
pub const COMPANION_TITLE: &str = " in the journal";

/// What the ledger keeps of the page of one subject.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageRecord {
    /// Display name, before it is told apart from a person's page.
    pub title: String,
    /// Other spellings.
    pub aliases: Vec<String>,
    /// Category as in a header.
    pub category: String,
    /// Where it stands; empty until it is placed.
    pub path: String,
    /// The folder of its document; empty for what is none.
    pub folder: String,
    /// Where it stands in the wiki, without the extension, if it is an adopted page; empty for most.
    pub place: String,
    /// What tells it apart from another document of the same title; empty for most.
    pub apart: String,
    /// Where the page of its older claims stands; empty for most.
    pub history: String,
    /// The person's page it stands beside, if any.
    pub beside: Option<String>,
    /// Statements on it.
    pub n_claims: u32,
    /// What names its claims; empty when nothing was ever proposed for a page.
    pub digest: String,
    /// What names the proposals it was composed with.
    pub proposals: u64,
    /// Whether only external sources name it.
    pub is_external: bool,
    /// What names the statements in which it was found what no longer holds; 0 for none.
    pub said: u64,
    /// What names all that it was composed from, and the texts that came of it; 0 for none.
    pub made: u64,
    /// Why it was put away; empty where it is in use.
    pub archived: String,
}

impl PageRecord {
    /// Returns the title as it stands on the page.
    pub fn shown_title(&self) -> String {
        match (&self.beside, self.is_external) {
            (Some(_), _) => format!("{}{COMPANION_TITLE}", self.title),
            (None, true) => format!("{}{EXTERNAL_TITLE}", self.named()),
            (None, false) => self.named().into_owned(),
        }
    }

    /// Its name, told apart from other documents of the same title.
    fn named(&self) -> Cow<'_, str> {
        match self.apart.as_str() {
            "" => Cow::Borrowed(&self.title),
            apart => Cow::Owned(format!("{} ({apart})", self.title)),
        }
    }

    /// Whether all that its title is made of, and its place, are those of another.
    fn is_called_as(&self, other: &PageRecord) -> bool {
        let parts = |page: &PageRecord| (page.beside.is_some(), page.is_external);
        self.path == other.path && self.title == other.title && self.apart == other.apart && parts(self) == parts(other)
    }

    /// Returns the page's slug.
    pub fn slug(&self) -> Option<Slug> {
        let (stem, _) = self.path.rsplit('/').next()?.rsplit_once('.')?;
        Slug::from_text(stem)
    }
}

/// A page as the last compile left it, or as it is now: of ten thousand a new day changes a few.
#[derive(Debug, Clone)]
pub enum Record<'a> {
    /// As it was.
    Kept(&'a PageRecord),
    /// As it is now.
    Changed(Box<PageRecord>),
}

/// The pages by their subjects.
pub type Pages<'a> = BTreeMap<Key, Record<'a>>;

impl Deref for Record<'_> {
    type Target = PageRecord;

    fn deref(&self) -> &PageRecord {
        match self {
            Record::Kept(page) => page,
            Record::Changed(page) => page,
        }
    }
}

impl Record<'_> {
    /// Returns whether it may differ from what it was.
    pub fn is_changed(&self) -> bool {
        matches!(self, Record::Changed(_))
    }

    /// Returns the page, to be changed.
    pub fn change(&mut self) -> &mut PageRecord {
        if let Record::Kept(page) = self {
            *self = Record::Changed(Box::new(page.clone()));
        }
        match self {
            Record::Changed(page) => page,
            Record::Kept(_) => unreachable!("it was copied"),
        }
    }

    /// Returns the page if it may differ from what it was.
    pub fn into_changed(self) -> Option<Box<PageRecord>> {
        match self {
            Record::Kept(_) => None,
            Record::Changed(page) => Some(page),
        }
    }

    /// Gives a part of the page this value, if it has another one.
    fn put<T: PartialEq>(&mut self, of: fn(&mut PageRecord) -> &mut T, is: fn(&PageRecord) -> &T, value: T) {
        if *is(self) != value {
            *of(self.change()) = value;
        }
    }
}

/// Returns pages as they are, none of them changed.
pub fn kept(pages: &BTreeMap<Key, PageRecord>) -> Pages<'_> {
    pages.iter().map(|(key, page)| (*key, Record::Kept(page))).collect()
}

/// Other spellings a page lists: more would crowd the index.
const ALIASES_MAX: usize = 5;

/// Returns title, aliases and category of a subject from the entries that mention it; what `external` sources
/// call it counts only where nobody else names it, and the name that a person has `given` it before all others.
pub fn name_subject(
    key: Key,
    postings: &[Posting],
    corpus: &Corpus,
    (paths, external): (&BTreeMap<u32, VaultPath>, &BTreeSet<VaultPath>),
    given: Option<&str>,
) -> PageRecord {
    let is_vouched_for = |posting: &&Posting| paths.get(&posting.file).is_some_and(|path| !external.contains(path));
    let vouched: Vec<&Posting> = postings.iter().filter(is_vouched_for).collect();
    let names_it = |posting: &&&Posting| {
        let known = corpus.entry(posting.file, posting.entry);
        known.is_some_and(|known| known.naming(key).next().is_some())
    };
    let is_external = vouched.len() < postings.len() && !vouched.iter().any(|posting| names_it(&posting));
    let postings = if is_external { postings.iter().collect() } else { vouched };
    let mut spellings: BTreeMap<&str, usize> = BTreeMap::new();
    let mut former: BTreeMap<&str, usize> = BTreeMap::new();
    let mut kinds: BTreeMap<MentionKind, usize> = BTreeMap::new();
    let mut told = ToldNames::default();
    let mut is_document = false;
    for posting in &postings {
        let Some(known) = corpus.entry(posting.file, posting.entry) else { continue };
        if known.entry.is_record() {
            continue;
        }
        is_document |= known.entry.is_document() && known.titled.iter().any(|named| named.key == key);
        for named in known.naming(key) {
            if named.is_former {
                *former.entry(&*named.surface).or_default() += 1;
                continue;
            }
            // A title that names a subject by itself counts like a passage.
            *spellings.entry(&*named.surface).or_default() += 1;
            *kinds.entry(named.kind).or_default() += 1;
            told.take(named);
        }
    }
    drop_weak_kinds(&mut kinds);
    // How somebody who understood the text calls it counts before how it is spelled most.
    let candidates = if told.names.is_empty() { &spellings } else { &told.names };
    let best = own_name(key, candidates).unwrap_or("");
    let kind = most(&kinds).unwrap_or(MentionKind::Phrase);
    let judged = most(&told.categories);
    // Commands, files and product names are spelled as they are.
    let is_plain =
        !matches!(judged, Some(Category::Reference | Category::Entity)) && !best.contains(['.', '/', '_', ':']);
    let title = if is_document {
        document_title(key, &postings, corpus).unwrap_or_default()
    } else if told.names.is_empty() {
        display(best, kind)
    } else if is_plain {
        capital(best)
    } else {
        best.to_owned()
    };
    let title = given.map_or(title, str::to_owned);
    told.aliases.into_iter().for_each(|(alias, n)| *spellings.entry(alias).or_default() += n);
    let aliases = aliases(&title, &former, &spellings);
    // A name that orders something is none: the source stands for it.
    let is_name = !is_external || is_statement(&title);
    let file = || file_of(&postings, paths).map(|path| path.stem().to_owned());
    let title = if is_name { title } else { capital(&file().unwrap_or_default().replace(['-', '_'], " ")) };
    let category = judged.unwrap_or_else(|| category(&title, kind, is_document));
    let folder = if is_document { folder_of(&postings, paths) } else { String::new() };
    if let Some(adopted) = adopted(key, &postings, corpus) {
        return PageRecord { is_external, ..as_adopted(adopted, title) };
    }
    PageRecord { folder, title, aliases, category: category.as_str().to_owned(), is_external, ..PageRecord::default() }
}

/// The name that is said most; of subjects that are one, of the one that stays.
fn own_name<'a>(key: Key, names: &BTreeMap<&'a str, usize>) -> Option<&'a str> {
    let own = names.iter().filter(|(name, _)| key_hash(&subject_key(name)) == key);
    let own: BTreeMap<&str, usize> = own.map(|(name, n)| (*name, *n)).collect();
    most(&own).or_else(|| most(names))
}

/// A page that is called, and stands, as the one that was adopted.
fn as_adopted(adopted: &AdoptedPage, title: String) -> PageRecord {
    let own = Slug::from_text(&title);
    let is_other = |alias: &&String| Slug::from_text(alias).is_some_and(|slug| own.as_ref() != Some(&slug));
    let aliases = adopted.aliases.iter().filter(is_other).cloned().collect();
    let (category, place) = (adopted.category.as_str().to_owned(), adopted.place.clone());
    PageRecord { title, aliases, category, place, ..PageRecord::default() }
}

/// Drops what says little of what a subject is.
fn drop_weak_kinds(kinds: &mut BTreeMap<MentionKind, usize>) {
    let count = |kinds: &BTreeMap<MentionKind, usize>, kind: MentionKind| kinds.get(&kind).copied().unwrap_or(0);
    // A piece of work that is called like a thing is about it, where more is said of the thing.
    if count(kinds, MentionKind::Work) * 2 <= kinds.values().sum() {
        kinds.remove(&MentionKind::Work);
    }
    // What opens a sentence has a capital either way: it is a name where it is one elsewhere.
    if count(kinds, MentionKind::Name) > count(kinds, MentionKind::Word) {
        kinds.remove(&MentionKind::Topic);
    }
}

/// The other names of a subject: what it was called before, which somebody may still ask for it by, and how else it is
/// spelled.
fn aliases(title: &str, former: &BTreeMap<&str, usize>, spellings: &BTreeMap<&str, usize>) -> Vec<String> {
    let mut seen: BTreeSet<Slug> = Slug::from_text(title).into_iter().collect();
    let mut is_other = |surface: &&str| Slug::from_text(surface).is_some_and(|slug| seen.insert(slug));
    let other: Vec<&str> = by_count(spellings).into_iter().filter(&mut is_other).collect();
    let former: Vec<&str> = by_count(former).into_iter().filter(&mut is_other).collect();
    former.into_iter().chain(other).take(ALIASES_MAX).map(str::to_owned).collect()
}

/// What was counted, most first, of equals in their order.
fn by_count<'a>(counts: &BTreeMap<&'a str, usize>) -> Vec<&'a str> {
    let mut out: Vec<(&str, usize)> = counts.iter().map(|(one, n)| (*one, *n)).collect();
    out.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    out.into_iter().map(|(one, _)| one).collect()
}

/// What was counted most; of equals the first.
fn most<T: Ord + Copy>(counts: &BTreeMap<T, usize>) -> Option<T> {
    counts.iter().max_by(|a, b| a.1.cmp(b.1).then_with(|| b.0.cmp(a.0))).map(|(one, _)| *one)
}

fn file_of<'p>(postings: &[&Posting], paths: &'p BTreeMap<u32, VaultPath>) -> Option<&'p VaultPath> {
    postings.iter().find_map(|posting| paths.get(&posting.file))
}

/// The name of the folder that a document stands in.
fn folder_of(postings: &[&Posting], paths: &BTreeMap<u32, VaultPath>) -> String {
    let folder = file_of(postings, paths).and_then(VaultPath::parent);
    folder.map(|folder| folder.file_name().to_owned()).unwrap_or_default()
}

/// How the page was called that was adopted as this one.
fn adopted<'c>(key: Key, postings: &[&Posting], corpus: &'c Corpus) -> Option<&'c AdoptedPage> {
    let entries = postings.iter().filter_map(|posting| corpus.entry(posting.file, posting.entry));
    let mut own = entries.filter(|known| known.titled.iter().any(|named| named.key == key));
    own.find_map(|known| known.entry.adopted.as_deref())
}

/// What a document calls the page.
fn document_title(key: Key, postings: &[&Posting], corpus: &Corpus) -> Option<String> {
    let entries = postings.iter().filter_map(|posting| corpus.entry(posting.file, posting.entry));
    let titled = entries.filter(|known| known.entry.is_document()).flat_map(|known| &known.titled);
    titled.into_iter().find(|named| named.key == key).map(|named| capital(&named.surface))
}

/// What models called a subject.
#[derive(Default)]
struct ToldNames<'a> {
    names: BTreeMap<&'a str, usize>,
    aliases: BTreeMap<&'a str, usize>,
    categories: BTreeMap<Category, usize>,
}

impl<'a> ToldNames<'a> {
    fn take(&mut self, named: &'a Named) {
        if !named.is_told {
            return;
        }
        *self.names.entry(&*named.surface).or_default() += 1;
        let Some(card) = &named.card else { return };
        *self.categories.entry(card.category).or_default() += 1;
        card.aliases.iter().for_each(|alias| *self.aliases.entry(alias.as_str()).or_default() += 1);
    }
}

/// Phrases begin with a capital; code, files and names keep their spelling.
fn display(surface: &str, kind: MentionKind) -> String {
    let is_plain = matches!(kind, MentionKind::Phrase | MentionKind::Topic | MentionKind::Word)
        || (kind == MentionKind::Link && !surface.chars().any(char::is_uppercase));
    if !is_plain {
        return surface.to_owned();
    }
    let spaced = if kind == MentionKind::Link { surface.replace(['-', '_'], " ") } else { surface.to_owned() };
    capital(&spaced)
}

/// Files and documents are references, names of things are entities, the rest are concepts. A short
/// all-capitals name (`JWT`) is an idea more often than an organisation.
fn category(title: &str, kind: MentionKind, is_document: bool) -> Category {
    let is_acronym = title.len() <= 5 && title.chars().all(|ch| ch.is_uppercase() || ch.is_ascii_digit());
    match kind {
        _ if is_document => Category::Reference,
        MentionKind::File => Category::Reference,
        MentionKind::Work => Category::Project,
        MentionKind::Name if !is_acronym => Category::Entity,
        _ => Category::Concept,
    }
}

/// Returns the aliases of pages that lead to another page already: by its name, or because a page before it
/// in the order of keys has the alias too. Models may give one alias to several subjects.
pub fn taken_aliases(pages: &Pages<'_>) -> BTreeMap<Key, BTreeSet<String>> {
    let aliases = || pages.iter().flat_map(|(key, page)| page.aliases.iter().map(move |alias| (*key, alias)));
    // Most pages have none: only what is an alias can be taken.
    let asked: BTreeSet<Slug> = aliases().filter_map(|(_, alias)| Slug::from_text(alias)).collect();
    let mut names: BTreeMap<&Slug, Key> = BTreeMap::new();
    for (key, page) in pages.iter().filter(|_| !asked.is_empty()) {
        let own = page.slug().into_iter().chain(Slug::from_text(&page.shown_title()));
        for name in own.filter_map(|name| asked.get(&name)) {
            names.entry(name).or_insert(*key);
        }
    }
    let mut taken: BTreeMap<Key, BTreeSet<String>> = BTreeMap::new();
    for (key, alias) in aliases() {
        let Some(slug) = Slug::from_text(alias).and_then(|slug| asked.get(&slug)) else { continue };
        if *names.entry(slug).or_insert(key) != key {
            taken.entry(key).or_default().insert(alias.clone());
        }
    }
    taken
}

/// Returns the pages whose aliases are taken otherwise than before.
pub fn retaken(was: &BTreeMap<Key, BTreeSet<String>>, taken: &BTreeMap<Key, BTreeSet<String>>) -> BTreeSet<Key> {
    was.keys().chain(taken.keys()).copied().filter(|key| was.get(key) != taken.get(key)).collect()
}

/// Returns the pages that are called otherwise than before, stand elsewhere, or are gone.
pub fn renamed(before: &BTreeMap<Key, PageRecord>, pages: &Pages<'_>) -> BTreeSet<Key> {
    let is_renamed = |(key, page): &(&Key, &Record<'_>)| {
        page.is_changed() && before.get(key).is_none_or(|before| !before.is_called_as(page))
    };
    let gone = before.keys().filter(|key| !pages.contains_key(key));
    pages.iter().filter(is_renamed).map(|(key, _)| key).chain(gone).copied().collect()
}
