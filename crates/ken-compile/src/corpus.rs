//! The entries a compile needs, read again with the subjects they mention.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::settled::Settlement;
use ken_core::text::one_line;
use ken_core::{Category, Span, VaultPath};

use super::commands;
use super::document::Linked;
use super::ledger::{Key, Ledger, key_hash, part_key, told_keys};
use super::marked::{Mark, Marked, MarkedWork, Marks};
use super::passage::{Entry, Passage, PassageKind};
use super::settle;
use super::subject::MentionKind;
use super::telling::Telling;
use super::told::{About, Told, connection_name};
use super::work;
use crate::alone;
use crate::standing;
use crate::told::Card;
use ken_core::words::subject_key;

mod few;

use few::{PAGES_MAX, few, is_in_passing, set_aside};

/// A mention of a subject that has a page.
#[derive(Debug, Clone)]
pub struct Named {
    /// The subject.
    pub key: Key,
    /// How it is spelled.
    pub surface: Box<str>,
    /// How it was named.
    pub kind: MentionKind,
    /// Where in the passage; empty for one that comes from the title.
    pub span: Span,
    /// How a model described it.
    pub card: Option<Box<Card>>,
    /// Whether a model named it.
    pub is_told: bool,
    /// Whether it is named as it is no longer called.
    pub is_former: bool,
}

/// An entry with the subjects of each passage.
#[derive(Debug, Clone)]
pub struct Known {
    /// The entry.
    pub entry: Entry,
    /// Subjects of its title and headings.
    pub titled: Vec<Named>,
    /// Per passage: what it is about, longer names hiding shorter ones inside them.
    pub about: PerPassage,
    /// Per passage: names hidden inside longer ones, and those that others come before.
    pub hidden: PerPassage,
    /// Per passage of a reading: what it names besides what it is about.
    pub near: PerPassage,
    /// Whether tools changed files in it.
    pub changes_files: bool,
    /// Per passage: how well it stands on a page.
    pub standing: Vec<i16>,
    /// Per passage: what a roll-up asks of it.
    pub telling: Vec<Option<Telling>>,
    /// Each subject with the passages that are about it or hide it, sorted: an entry of a thousand passages has hundreds of
    /// subjects, each of which needs its own only.
    passages: Box<[(Key, u32)]>,
    /// What passages share with others besides: names without a page, and labels of notes, each with a passage, sorted.
    beyond: Box<[(Key, u16)]>,
}

/// The names of one passage after the other. They are held in one piece: all entries are in memory while pages are drafted,
/// and a list for each passage takes as much room as what is in it.
#[derive(Debug, Clone, Default)]
pub struct PerPassage {
    names: Box<[Named]>,
    /// Where the names of each passage end.
    ends: Box<[u32]>,
}

impl PerPassage {
    fn of(all: Vec<Vec<Named>>) -> PerPassage {
        let mut end = 0;
        let ends = all.iter().map(|names| {
            end += names.len() as u32;
            end
        });
        PerPassage { ends: ends.collect(), names: all.into_iter().flatten().collect() }
    }

    /// Returns the names of the nth passage; none where there is no such passage.
    pub fn at(&self, n: usize) -> &[Named] {
        let Some(end) = self.ends.get(n) else { return &[] };
        let start = n.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.names[start as usize..*end as usize]
    }
}

/// Entries by the number of their file in the ledger and their position in it.
#[derive(Debug, Default)]
pub struct Corpus {
    entries: BTreeMap<(u32, u16), Box<Known>>,
}

/// Returns entries of one file by their positions, keeping only mentions of `subjects`.
pub fn known_entries(entries: Vec<(u16, Marked)>, subjects: &BTreeSet<Key>, ledger: &Ledger) -> Vec<(u16, Known)> {
    entries.into_iter().map(|(n, marked)| (n, Known::new(marked, subjects, ledger))).collect()
}

impl Corpus {
    /// Adds entries of one file.
    pub fn add(&mut self, file: u32, entries: Vec<(u16, Known)>) {
        self.entries.extend(entries.into_iter().map(|(n, known)| ((file, n), Box::new(known))));
    }

    /// Returns one entry.
    pub fn entry(&self, file: u32, n: u16) -> Option<&Known> {
        self.entries.get(&(file, n)).map(Box::as_ref)
    }
}

/// The subject that most passages of an entry name; of equals, the one with the smallest key.
fn most_named(entry: &Entry, passages: &[Marks], keep: &impl Fn(&Mark) -> Option<Named>) -> Option<Named> {
    let mut counts: BTreeMap<Key, (usize, Named)> = BTreeMap::new();
    let passages = entry.passages.iter().zip(passages);
    let said = passages.filter(|(passage, _)| passage.kind.is_said() && passage.told.is_none());
    for named in said.flat_map(|(_, marks)| &marks.names).filter_map(keep) {
        counts.entry(named.key).or_insert_with(|| (0, named)).0 += 1;
    }
    let most = counts.into_iter().max_by_key(|(key, (n, _))| (*n, std::cmp::Reverse(*key)));
    most.filter(|(_, (n, _))| *n >= NAMED_MIN).map(|(_, (_, named))| named)
}

/// What an entry names in fewer passages is not what it is about.
const NAMED_MIN: usize = 2;

impl Known {
    fn new(marked: Marked, subjects: &BTreeSet<Key>, ledger: &Ledger) -> Known {
        let Marked { entry, title, passages: marks, work } = marked;
        let keep = |mark: &Mark| {
            let key = ledger.page_of(mark.key);
            subjects.contains(&key).then(|| Named {
                key,
                surface: mark.surface.as_str().into(),
                kind: mark.kind,
                span: mark.span(),
                card: None,
                is_told: false,
                is_former: ledger.is_former_name(mark.key),
            })
        };
        let leads = |mark: &Mark| mark.leads.then(|| keep(mark))?;
        let mut titled: Vec<Named> = title.iter().filter_map(keep).collect();
        let own_work = entry.work.as_ref().zip(work).map(|(work, marked)| named_work(&work.title, marked.key, ledger));
        let own_work = own_work.filter(|work| subjects.contains(&work.key));
        let of_work = OfWork::of(&entry, work, own_work.as_ref());
        if let Some(work) = &own_work {
            titled.retain(|named| named.key != work.key);
            titled.insert(0, work.clone());
        }
        if entry.is_document() {
            titled = entry.parts.iter().map(|part| named_part(&entry.path, part)).collect();
        }
        let named = if titled.is_empty() { most_named(&entry, &marks, &keep) } else { None };
        let own = titled.first().filter(|_| entry.is_document());
        let (mut about, mut hidden, mut near) = (Vec::new(), Vec::new(), Vec::new());
        for (passage, marks) in entry.passages.iter().zip(&marks) {
            let names = match (&passage.told, &passage.place) {
                (Some(told), _) => {
                    let found: Vec<Named> = marks.names.iter().filter_map(keep).collect();
                    told_about(told, (found, marks.names.iter().filter_map(leads)), own, (subjects, ledger))
                }
                (None, Some(place)) => {
                    let (linked, mut near) = linked_names(Linked::of(&passage.text, place), subjects, ledger);
                    // What an adopted page links to has a page of its own, which says so itself.
                    let (linked, beside) = match entry.adopted {
                        Some(_) => (Vec::new(), linked),
                        None => (linked, Vec::new()),
                    };
                    near.extend(beside);
                    let about = titled.get(place.part).into_iter().cloned().chain(linked).collect();
                    Names { about, near, hidden: Vec::new() }
                }
                (None, None) => {
                    // What the title does not say, the statement before must.
                    let before: &[Named] = about.last().map_or(&[], Vec::as_slice);
                    let goes_on = |main: &&Named| before.iter().any(|one| one.key == main.key);
                    // Of what was extracted from a talk a title says little of each line.
                    let is_own = |main: &&Named| !entry.is_extracted || goes_on(main) && alone::stands(&passage.text);
                    let main = titled.first().filter(is_own).or(named.as_ref().filter(goes_on).filter(is_own));
                    said_names((passage, marks, entry.is_extracted), &keep, of_work, main)
                }
            };
            about.push(names.about);
            near.push(names.near);
            hidden.push(names.hidden);
        }
        let beyond = beyond(&entry, &marks, subjects, ledger);
        let changes_files = entry.passages.iter().any(|passage| work::changed_file(passage).is_some());
        let standing = marks.iter().map(|marks| marks.standing).collect();
        let telling = marks.iter().map(|marks| marks.telling).collect();
        let passages = passages_of(&about, &hidden);
        let (about, hidden, near) = (PerPassage::of(about), PerPassage::of(hidden), PerPassage::of(near));
        Known { passages, entry, titled, about, hidden, near, changes_files, standing, telling, beyond }
    }

    /// Returns the positions of the passages that have a name without a page, or the label of a note.
    pub fn beyond(&self, key: Key) -> impl Iterator<Item = u16> + Clone {
        with_key(&self.beyond, key)
    }

    /// Returns the positions of the passages that are about a subject or hide it.
    pub fn passages_of(&self, key: Key) -> impl Iterator<Item = usize> + Clone {
        with_key(&self.passages, key).map(|n| n as usize)
    }

    /// Returns the subjects that the nth passage is about or hides.
    pub(crate) fn pages_of(&self, n: usize) -> impl Iterator<Item = Key> {
        self.passages.iter().filter(move |(_, at)| *at as usize == n).map(|(key, _)| *key)
    }

    /// Returns the subjects that some passage is about or hides, one once for each of those.
    pub(crate) fn pages(&self) -> impl Iterator<Item = Key> {
        self.passages.iter().map(|(key, _)| *key)
    }

    /// Returns how an entry names a subject, in its title and in its passages.
    pub fn naming(&self, key: Key) -> impl Iterator<Item = &Named> {
        let inside = self.passages_of(key).flat_map(|n| self.about.at(n).iter().chain(self.hidden.at(n)));
        self.titled.iter().chain(inside).filter(move |named| named.key == key)
    }
}

/// The subjects of one passage, as [`Known`] keeps them.
struct Names {
    about: Vec<Named>,
    near: Vec<Named>,
    hidden: Vec<Named>,
}

/// The page of its work that an entry's passages stand on.
#[derive(Clone, Copy)]
enum OfWork<'a> {
    /// None, or one that is about a thing: then that is what the entry is mainly about.
    None,
    /// Another entry makes it.
    Joins(&'a Named),
    /// The entry makes it.
    Makes(&'a Named),
}

impl<'a> OfWork<'a> {
    fn of(entry: &Entry, marked: Option<MarkedWork>, named: Option<&'a Named>) -> OfWork<'a> {
        match (named, &entry.work) {
            (Some(named), Some(work)) if work.is_enough => OfWork::Makes(named),
            (Some(named), Some(_)) if !marked.is_some_and(|work| work.is_thing) => OfWork::Joins(named),
            _ => OfWork::None,
        }
    }

    fn page(self) -> Option<&'a Named> {
        match self {
            OfWork::None => None,
            OfWork::Joins(named) | OfWork::Makes(named) => Some(named),
        }
    }
}

/// The subjects of a passage of the journal; `main` is what its entry is about where it names nothing.
fn said_names(
    (passage, marks, is_extracted): (&Passage, &Marks, bool),
    keep: &impl Fn(&Mark) -> Option<Named>,
    of_work: OfWork<'_>,
    main: Option<&Named>,
) -> Names {
    let is_event = passage.kind == PassageKind::Event;
    if let OfWork::Makes(work) = of_work
        && !marks.is_kept
    {
        // What was asked for and named leads to the page; files that were changed are listed there, and commands that were
        // run; the rest stays in the journal.
        let leads = work::is_asked(passage.kind) || passage.kind == PassageKind::Names;
        let is_done = || is_extracted && passage.is_claim() && standing::tells_done(&passage.text);
        let is_listed = work::changed_file(passage).is_some() || commands::is_command(passage);
        let belongs = leads || is_listed || is_done();
        let about = if belongs { vec![work.clone()] } else { Vec::new() };
        return Names { about, near: Vec::new(), hidden: Vec::new() };
    }
    if passage.kind == PassageKind::Names {
        // Beside a page of work names are found by the journal's own line.
        return Names { about: of_work.page().cloned().into_iter().collect(), near: Vec::new(), hidden: Vec::new() };
    }
    let (mut found, mut leading): (Vec<Named>, BTreeSet<Key>) = (Vec::new(), BTreeSet::new());
    // Whether it opens with a name of its own, which need not have a page.
    let mut opens = false;
    for mark in marks.names.iter().filter(|mark| !is_event || mark.kind == MentionKind::File) {
        let leads = mark.leads || mark.kind == MentionKind::Link;
        opens |= leads && mark.is_standalone;
        let named = keep(mark);
        leading.extend(named.iter().filter(|_| leads).map(|named| named.key));
        found.extend(named);
    }
    let inside = |a: &Named| {
        let hides =
            |b: &&Named| b.key != a.key && b.span.start <= a.span.start && a.span.end <= b.span.end && b.span != a.span;
        found.iter().any(|b| hides(&b))
    };
    let (mut hidden, mut about): (Vec<Named>, Vec<Named>) = found.iter().cloned().partition(inside);
    let mut near = Vec::new();
    // The page of a work has what was named on the way, too.
    let may_pass = is_extracted && of_work.page().is_none();
    set_aside(&mut about, &mut near, |named| may_pass && is_in_passing(&passage.text, named));
    let work = of_work.page().filter(|_| !is_event || work::changed_file(passage).is_some());
    let is_led = about.iter().any(|named| leading.contains(&named.key));
    if let OfWork::Makes(..) = of_work {
        // What stands on a page of work stands on another only where that is what it opens with.
        set_aside(&mut about, &mut near, |named| !leading.contains(&named.key));
    } else if is_extracted && (opens || is_led) {
        // What is named in passing is not what was talked about, unless what it opens with has no page and it is a name.
        let opens_clause = |named: &Named| passage.text[..named.span.start].trim_end().ends_with([',', ';', ':', '.']);
        let stands_in = |kind: MentionKind| !is_led && matches!(kind, MentionKind::Name | MentionKind::Code);
        let stays = |named: &Named| leading.contains(&named.key) || opens_clause(named) || stands_in(named.kind);
        set_aside(&mut about, &mut near, |named| !stays(named));
    } else if about.is_empty() && !is_event && work.is_none() && !opens && !marks.leans_back {
        // What opens with no name of its own belongs to what the entry is about, unless it hangs on what is not there.
        about.extend(main.map(|named| Named { span: Span::new(0, 0), ..named.clone() }));
    }
    // The page of the work may be called like what is named, which is no other page then.
    let (of_work, mut about): (Vec<Named>, Vec<Named>) =
        about.into_iter().partition(|named| work.is_some_and(|work| work.key == named.key));
    near.extend(few(&mut about, PAGES_MAX - usize::from(work.is_some())));
    about.extend(of_work);
    about.extend(work.cloned());
    hidden.retain(|named| !about.iter().chain(&near).any(|known| known.key == named.key));
    hidden.extend(near.iter().cloned());
    let last_words: Vec<Named> = marks.last_words.iter().filter_map(keep).collect();
    hidden.extend(last_words.into_iter().filter(|word| !about.iter().any(|named| named.key == word.key)));
    Names { about, near, hidden }
}

/// The passages that are about each subject or hide it, sorted.
fn passages_of(about: &[Vec<Named>], hidden: &[Vec<Named>]) -> Box<[(Key, u32)]> {
    let named = (0..).zip(about.iter().zip(hidden));
    let named = named.flat_map(|(n, (about, hidden))| about.iter().chain(hidden).map(move |named| (named.key, n)));
    let mut out: Vec<(Key, u32)> = named.collect();
    out.sort_unstable();
    out.dedup();
    out.into()
}

/// The passages that stand beside a key in a sorted list.
fn with_key<N: Copy>(all: &[(Key, N)], key: Key) -> impl Iterator<Item = N> + Clone {
    let start = all.partition_point(|(known, _)| *known < key);
    all[start..].iter().take_while(move |(known, _)| *known == key).map(|(_, n)| *n)
}

/// What the passages of an entry share with others besides subjects that have a page.
fn beyond(entry: &Entry, marks: &[Marks], subjects: &BTreeSet<Key>, ledger: &Ledger) -> Box<[(Key, u16)]> {
    let mut out = Vec::new();
    let said = (0..).zip(entry.passages.iter().zip(marks)).filter(|(_, (passage, _))| passage.kind.is_said());
    for (n, (_, marks)) in said {
        let names = marks.names.iter().chain(&marks.last_words).map(|mark| ledger.canonical(mark.key));
        let names = names.filter(|key| !subjects.contains(&ledger.page_of(*key)));
        out.extend(names.chain(marks.labels.iter().copied()).map(|key| (key, n)));
    }
    out.sort_unstable();
    out.dedup();
    out.into()
}

/// The page of an entry's work, as the entry names it.
fn named_work(title: &str, key: Key, ledger: &Ledger) -> Named {
    let (surface, kind, span) = (title.into(), MentionKind::Work, Span::new(0, 0));
    Named { key: ledger.canonical(key), surface, kind, span, card: None, is_told: false, is_former: false }
}

/// A page of a document, as its document names it.
fn named_part(path: &VaultPath, part: &str) -> Named {
    let key = key_hash(&part_key(path, part));
    let (surface, kind, span) = (one_line(part).into(), MentionKind::Link, Span::new(0, 0));
    Named { key, surface, kind, span, card: None, is_told: false, is_former: false }
}

/// The subjects that a passage of a document links to, and the documents.
fn linked_names<'a>(
    links: impl Iterator<Item = Linked<'a>>,
    subjects: &BTreeSet<Key>,
    ledger: &Ledger,
) -> (Vec<Named>, Vec<Named>) {
    let (mut linked, mut documents) = (Vec::new(), Vec::new());
    let named = |key: Key, surface: &str| Named {
        key,
        surface: surface.into(),
        // A link to read on does not say that the other is needed.
        kind: MentionKind::Phrase,
        span: Span::new(0, 0),
        card: None,
        is_told: false,
        is_former: false,
    };
    for link in links {
        match link {
            Linked::Document(path) => documents.extend(ledger.document_at(path).map(|key| named(key, path))),
            Linked::Subject(name) => {
                let key = ledger.page_of(key_hash(&subject_key(name)));
                linked.push(Named { kind: MentionKind::Link, ..named(key, name) });
            }
        }
    }
    linked.retain(|one| subjects.contains(&one.key));
    documents.retain(|one| subjects.contains(&one.key));
    (linked, documents)
}

/// Whether a claim belongs to the page of its document, which holds all of it, and does not name it.
fn is_besides(told: &Told, own: &Named, direct: &[Named]) -> bool {
    !told.is_connection && !direct.iter().any(|known| known.key == own.key)
}

/// The pages that there are of those that a settlement is about.
fn settled_names(settled: &Settlement, subjects: &BTreeSet<Key>, ledger: &Ledger) -> Vec<Named> {
    let keys: BTreeSet<Key> = settle::keys(settled).iter().map(|key| ledger.page_of(key_hash(key))).collect();
    keys.into_iter().filter(|key| subjects.contains(key)).map(page_named).collect()
}

/// A page that is named by no words of a passage.
fn page_named(key: Key) -> Named {
    let (surface, kind, span) = ("".into(), MentionKind::Phrase, Span::new(0, 0));
    Named { key, surface, kind, span, card: None, is_told: false, is_former: false }
}

/// The subjects of a claim of a reading; of one that names none of them what it leads with, too, since a reader may have
/// put it below whatever the text speaks of first.
fn told_about(
    told: &Told,
    (found, leading): (Vec<Named>, impl Iterator<Item = Named>),
    own: Option<&Named>,
    (subjects, ledger): (&BTreeSet<Key>, &Ledger),
) -> Names {
    let (mut about, mut near) = told_names(told, found, subjects, ledger);
    if !told.is_connection && !told.is_record() && about.iter().all(|named| named.span.start == named.span.end) {
        let mut seen = BTreeSet::new();
        about.extend(leading.filter(|named| seen.insert(named.key)).take(PAGES_MAX));
        near.retain(|beside| !seen.contains(&beside.key));
    }
    let besides = own.filter(|own| is_besides(told, own, &about)).cloned();
    about.extend(besides);
    Names { about, near, hidden: Vec::new() }
}

/// What a claim of a reading is about, and what it names besides.
fn told_names(told: &Told, found: Vec<Named>, subjects: &BTreeSet<Key>, ledger: &Ledger) -> (Vec<Named>, Vec<Named>) {
    if let Some(settled) = &told.settled {
        return (settled_names(settled, subjects, ledger), found);
    }
    if let Some(revision) = &told.revised {
        let pages = ledger.pages_at(revision.path.as_str()).iter().filter(|key| subjects.contains(key));
        return (pages.copied().map(page_named).collect(), found);
    }
    let named = |about: &About, key: Key| {
        let span = found.iter().find(|named| named.key == key).map_or(Span::new(0, 0), |named| named.span);
        let (surface, card) = (about.name.as_str().into(), about.card.clone().map(Box::new));
        let is_former = ledger.is_former_name(key_hash(&subject_key(&about.name)));
        Named { key, surface, kind: MentionKind::Phrase, span, card, is_told: true, is_former }
    };
    let key = |about: &About| ledger.page_of(key_hash(&subject_key(&about.name)));
    let own: Vec<Named> = told.about.iter().map(|about| named(about, key(about))).collect();
    let mut beside: Vec<Named> =
        found.iter().filter(|named| !own.iter().any(|own| own.key == named.key)).cloned().collect();
    if !told.is_connection {
        return (own.into_iter().filter(|named| subjects.contains(&named.key)).collect(), beside);
    }
    // What a connection joins is needed to understand it.
    beside.extend(own.into_iter().map(|named| Named { kind: MentionKind::Link, span: Span::new(0, 1), ..named }));
    beside.retain(|named| subjects.contains(&named.key));
    let keys = told_keys(told).into_iter().map(|key| key_hash(&key)).filter(|key| subjects.contains(key));
    let card = Box::new(Card { category: Category::Connection, aliases: Vec::new() });
    let surface: Box<str> = connection_name(&told.about).into();
    let whole = |key| Named {
        key,
        surface: surface.clone(),
        kind: MentionKind::Link,
        span: Span::new(0, 0),
        card: Some(card.clone()),
        is_told: true,
        is_former: false,
    };
    (keys.map(whole).collect(), beside)
}
