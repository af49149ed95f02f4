//! Which subjects deserve a page.

use std::borrow::Cow;
use std::collections::BTreeSet;

use ken_core::parallel::in_parallel;

use super::{Key, Ledger, Posting, flag};

impl Ledger {
    /// Returns why a subject has a page of its own or none, and what was counted.
    pub fn why(&self, key: Key) -> (Reason, Counts) {
        let postings = self.with_former(key, self.postings_of(key), &self.former_names());
        let (reason, counts) = judged(&postings, self.n_entries());
        let is_uncovered = !reason.is_enough() && self.pages.contains_key(&key);
        let reason = match () {
            () if self.is_former_name(key) => Reason::FormerName,
            () if self.page_of(key) != key => Reason::NameOfDocument,
            () if is_uncovered => Reason::Uncovered,
            () => reason,
        };
        (reason, counts)
    }

    /// Returns the subjects that deserve a page, by what mentions them.
    pub fn subjects(&self) -> BTreeSet<Key> {
        let n_entries = self.n_entries();
        let documents = self.documents();
        // What one document is called has that document's page.
        let is_one = |group: &[Posting]| documents.named(group[0].key).is_none() && is_subject(group, n_entries);
        let former = self.former_names();
        let groups = self.postings.chunk_by(|a, b| a.key == b.key);
        let current = groups.filter(|group| !self.is_former_name(group[0].key));
        // What a person named so is mentioned under its former names alone, until somebody says the new one.
        let renamed = former.keys().filter(|key| self.postings_of(**key).is_empty());
        let renamed = renamed.map(|key| self.with_former(*key, &[], &former)).filter(|group| !group.is_empty());
        let current: Vec<&[Posting]> = current.collect();
        let mut judged: Vec<(Cow<'_, [Posting]>, bool)> = in_parallel(current.len(), |n| {
            let group = self.with_former(current[n][0].key, current[n], &former);
            let is_one = is_one(&group);
            (group, is_one)
        });
        judged.extend(renamed.map(|group| {
            let is_one = is_one(&group);
            (group, is_one)
        }));
        let mut subjects: BTreeSet<Key> =
            judged.iter().filter(|(_, is_one)| *is_one).map(|(group, _)| group[0].key).collect();
        subjects.extend(self.local_subjects(&judged, &subjects));
        let is_page = |key: &&Key| subjects.contains(&self.current_name(**key));
        let joins_two = |joined: &BTreeSet<Key>| joined.iter().filter(is_page).count() >= 2;
        let idle: BTreeSet<Key> =
            self.connections.iter().filter(|(_, joined)| !joins_two(joined)).map(|(key, _)| *key).collect();
        subjects.retain(|key| !idle.contains(key));
        subjects
    }

    /// An entry that none of the subjects covers still was about something: what its title names, or else
    /// what it mentions most. A single observation is a page.
    fn local_subjects(&self, judged: &[(Cow<'_, [Posting]>, bool)], subjects: &BTreeSet<Key>) -> BTreeSet<Key> {
        let places = self.entry_places();
        // Per entry: what it mentions most, unless it is covered.
        let mut best = vec![Some((0, Key::MAX)); places.n_entries];
        for (group, is_subject) in judged {
            let (key, page) = (group[0].key, self.page_of(group[0].key));
            let is_covered = if page == key { *is_subject } else { subjects.contains(&page) };
            for posting in group.iter().filter(|posting| posting.n_passages > 0) {
                let Some(slot) = best.get_mut(places.of(posting)) else { continue };
                let score = local_score(posting);
                match slot {
                    _ if is_covered => *slot = None,
                    Some(best) if score > best.0 || (score == best.0 && key < best.1) => *best = (score, key),
                    _ => {}
                }
            }
        }
        best.into_iter().flatten().filter(|(score, _)| *score > 0).map(|(_, key)| key).collect()
    }
}

/// How much one entry is about a subject by itself: names before phrases, titles before text; a plain
/// word or a piece of a longer name is not.
fn local_score(posting: &Posting) -> u32 {
    let has = |flags: u16| u32::from(posting.flags & flags != 0);
    // Of what is said in passing one sentence says too little.
    let is_passing = has(flag::IN_PASSING) > 0 && has(flag::FOUNDED_TWICE | flag::NAME) == 0;
    // A piece of code that one session speaks of is told by what the session was about.
    let is_piece = has(flag::IN_PASSING) > 0 && has(flag::CODE) > 0 && has(flag::NAME | flag::TITLE) == 0;
    if is_passing
        || is_piece
        || has(flag::FOUNDED) == 0
        || has(flag::STANDALONE) == 0
        || has(flag::NAME | flag::CODE | flag::NOUN) == 0
    {
        return 0;
    }
    4 * has(flag::TITLE) + 3 * u32::from(posting.n_passages) + 2 * has(flag::NAME | flag::CODE) + 1
}

/// From this many entries on, a subject of too many of them is background, not a subject.
const COMMON_FROM_ENTRIES: usize = 20;
/// Of a hundred entries so many at most name a subject that no name stands for, and one that has a name.
const COMMON_PERCENT: usize = 20;
const COMMON_NAME_PERCENT: usize = 60;
/// Entries that must be about what one plain word names.
const NOUN_ENTRIES_MIN: usize = 3;
/// Entries that must say something of it that can be read alone.
const NOUN_TELLING_MIN: usize = 2;
/// Claims of readings that make a page of what none of them is about.
const NEAR_PASSAGES_MIN: usize = 3;
/// Entries that must say something of what has no name of its own, and of what pieces of work alone speak of.
const TELLING_MIN: usize = 2;
/// One in so many entries must write a name as one.
const NAMED_PART: usize = 3;
/// What an entry says for a subject, and a piece of work, which has a page of its own.
const OF_ENTRY: usize = 3;
const OF_WORK: usize = 2;
/// What must be said for a subject that several entries speak of.
const RECURS_MIN: usize = 6;
/// Passages of one entry that are enough for a name, and for a phrase.
const NAME_PASSAGES_MIN: usize = 2;
const PHRASE_PASSAGES_MIN: usize = 3;

/// What was counted of the mentions of a subject, which decides whether it has a page of its own.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Entries of the journal and documents there are.
    pub entries: usize,
    /// Those that mention it.
    pub mentioning: usize,
    /// Those in which it stands in the first clause of a statement.
    pub leading: usize,
    /// Of these, pieces of work.
    pub of_work: usize,
    /// Those in which it stands alone, not inside a longer name.
    pub alone: usize,
    /// Those in which it is written as a name or in code.
    pub named: usize,
    /// Those in which a determiner stands before it.
    pub nouns: usize,
    /// Those in which something names it that may stand on a page.
    pub telling: usize,
    /// Those in which it leads a statement that can be read alone.
    pub founded: usize,
    /// Most statements of one entry that it leads.
    pub most: usize,
}

/// Why a subject has a page of its own, or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// A link, a reading or the title of a piece of work names it.
    Linked,
    /// It is a document, or a part of one.
    Document,
    /// Several entries speak of it first.
    Recurs,
    /// One entry speaks of it first in several statements.
    OneEntry,
    /// It is what an entry is about that no other page covers.
    Uncovered,
    /// Its thing has another name now.
    FormerName,
    /// A document is called so, and its page stands for it.
    NameOfDocument,
    /// A page is called so that the compiler does not make of subjects: a person's, or a filed answer.
    OtherPage,
    /// Nothing mentions it.
    Unmentioned,
    /// No statement speaks of it first.
    NeverFirst,
    /// Nothing that names it can be read alone.
    NothingTold,
    /// So many entries name it that it tells none of them apart.
    Background,
    /// It stands only inside longer names.
    PieceOfName,
    /// It is one plain word, and no noun of several entries.
    PlainWord,
    /// Too few entries speak of it first.
    TooFew,
}

impl Reason {
    /// Returns whether it is one for a page.
    pub fn is_enough(self) -> bool {
        use Reason::{Document, Linked, OneEntry, Recurs, Uncovered};
        matches!(self, Linked | Document | Recurs | OneEntry | Uncovered)
    }

    /// Returns what it says in a sentence.
    pub fn explained(self) -> String {
        let recurs = format!(
            "{} entries must speak of it first, or {} pieces of work, or one in {PHRASE_PASSAGES_MIN} statements (of a name, {NAME_PASSAGES_MIN}), two of them decisions, lessons or statements that can be read alone",
            RECURS_MIN.div_ceil(OF_ENTRY),
            RECURS_MIN.div_ceil(OF_WORK)
        );
        match self {
            Reason::Linked => "a link, a reading or the title of a piece of work names it".to_owned(),
            Reason::Document => "it is a document, or a part of one".to_owned(),
            Reason::Recurs => "several entries speak of it first in a statement".to_owned(),
            Reason::OneEntry => "an entry speaks of it first in several statements".to_owned(),
            Reason::Uncovered => "an entry is about it that no other page covers".to_owned(),
            Reason::FormerName => "it is what the subject of that page was called before".to_owned(),
            Reason::NameOfDocument => "one document is called so".to_owned(),
            Reason::OtherPage => "a page of yours or a filed answer is called so".to_owned(),
            Reason::Unmentioned => "no entry of the journal mentions it".to_owned(),
            Reason::NeverFirst => format!("no statement speaks of it first; {recurs}"),
            Reason::NothingTold => {
                "no statement that names it can be read alone: all of them ask, talk, or hang on others".to_owned()
            }
            Reason::Background => format!(
                "more than {COMMON_PERCENT} % of the entries speak of it first ({COMMON_NAME_PERCENT} % of a name), so it tells none of them apart"
            ),
            Reason::PieceOfName => "it stands inside longer names in more than half of its entries".to_owned(),
            Reason::PlainWord => format!(
                "it is one plain word: {NOUN_ENTRIES_MIN} entries that are no pieces of work must speak of it first, one of them in a statement that can be read alone, {NOUN_TELLING_MIN} must name it in one, and half of all with a determiner before it"
            ),
            Reason::TooFew => format!("too few speak of it first; {recurs}"),
        }
    }
}

/// Whether what mentions a subject is enough for a page.
fn is_subject(group: &[Posting], n_entries: usize) -> bool {
    judged(group, n_entries).0.is_enough()
}

/// Why a subject has a page or none, and what was counted.
pub(super) fn judged(group: &[Posting], n_entries: usize) -> (Reason, Counts) {
    let (mut counts, mut flags, mut n_passages) = (Counts { entries: n_entries, ..Counts::default() }, 0, 0);
    for posting in group {
        let has = |wanted: u16| usize::from(posting.flags & wanted != 0);
        // What several documents are called is none of them.
        let aside = flag::SETTLED | flag::INSIDE | flag::LABEL;
        let counts_not = has(aside) > 0 && posting.flags & !(aside | flag::IN_PASSING | flag::ENDS) == 0;
        if counts_not || posting.n_passages == 0 && has(flag::DOCUMENT) > 0 {
            continue;
        }
        flags |= posting.flags;
        counts.mentioning += 1;
        counts.alone += usize::from(is_alone(posting));
        counts.named += has(flag::NAME | flag::CODE);
        counts.nouns += has(flag::NOUN);
        counts.telling += has(flag::CLAIM);
        counts.founded += has(flag::FOUNDED);
        if posting.n_passages > 0 {
            counts.leading += 1;
            counts.of_work += has(flag::WORK);
            counts.most = counts.most.max(usize::from(posting.n_passages));
            n_passages += usize::from(posting.n_passages);
        }
    }
    (reason(&counts, flags, n_passages), counts)
}

/// Whether an entry has the name by itself: a phrase or name that stands alone, or one plain word.
fn is_alone(posting: &Posting) -> bool {
    posting.flags & flag::STANDALONE != 0 || posting.flags & (flag::NAME | flag::CODE) == 0
}

fn reason(counts: &Counts, flags: u16, n_passages: usize) -> Reason {
    let has = |wanted: u16| flags & wanted != 0;
    let (is_linked, is_document, is_titled) = (has(flag::LINK), has(flag::DOCUMENT), has(flag::TITLE));
    // A word that is written like a name now and then is none.
    let is_name = counts.named > 0 && counts.named * NAMED_PART >= counts.mentioning;
    let is_plain = !is_name && (counts.named > 0 || !has(flag::STANDALONE));
    let common = if is_name { COMMON_NAME_PERCENT } else { COMMON_PERCENT };
    let is_common = counts.entries >= COMMON_FROM_ENTRIES && counts.leading * 100 > counts.entries * common;
    let said = (counts.leading - counts.of_work) * OF_ENTRY + counts.of_work * OF_WORK;
    let recurs = counts.leading >= 2 && said >= RECURS_MIN;
    // What has no name of its own must be told of twice, or have changed.
    let is_told = match is_name {
        true => counts.founded >= TELLING_MIN || counts.founded > 0 && (is_titled || has(flag::ENDS)),
        false => counts.founded > 0 && (counts.telling >= TELLING_MIN || has(flag::ENDS)),
    };
    // Of what only pieces of work speak of, these say it.
    let n_of_work =
        if has(flag::CODE) && !has(flag::NAME) { counts.of_work } else { 2 * counts.of_work - counts.of_work.min(1) };
    let is_of_work = n_of_work >= counts.leading && counts.founded <= TELLING_MIN;
    let enough = if is_name { NAME_PASSAGES_MIN } else { PHRASE_PASSAGES_MIN };
    match () {
        () if counts.mentioning == 0 => Reason::Unmentioned,
        () if counts.leading == 0 => Reason::NeverFirst,
        () if is_document => Reason::Document,
        // What claims are near to it stands on the pages of what they are about.
        () if is_linked && has(flag::INSIDE) && !has(flag::FOUNDED) && n_passages < NEAR_PASSAGES_MIN => Reason::TooFew,
        () if is_linked => Reason::Linked,
        () if counts.telling == 0 => Reason::NothingTold,
        () if is_common => Reason::Background,
        // What stands only inside longer names is a piece of them.
        () if is_name && counts.alone * 2 < counts.mentioning => Reason::PieceOfName,
        // One plain word must be a noun of several entries; in pieces of work it is a part of what they are about.
        () if is_plain => {
            let n_entries = counts.leading - counts.of_work;
            let is_told = n_entries >= NOUN_ENTRIES_MIN && counts.telling >= NOUN_TELLING_MIN && counts.founded > 0;
            let is_noun = is_told && counts.nouns * 2 >= counts.mentioning;
            if is_noun { Reason::Recurs } else { Reason::PlainWord }
        }
        () if !is_told || is_of_work => Reason::NothingTold,
        () if recurs => Reason::Recurs,
        () if !has(flag::FOUNDED_TWICE) => Reason::TooFew,
        () if counts.most >= enough || (is_titled && counts.most >= NAME_PASSAGES_MIN) => Reason::OneEntry,
        () => Reason::TooFew,
    }
}
