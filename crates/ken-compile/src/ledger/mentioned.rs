//! What an entry mentions, and how.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::words::{is_count_or_date, subject_key, words};

use super::documents::{add_document, changes_key};
use super::{Key, flag, key_hash};
use crate::alone;
use crate::marked::{Mark, Marked, Marks};
use crate::passage::{Entry, Passage, PassageKind};
use crate::score::{is_change_note, score};
use crate::settle;
use crate::standing;
use crate::subject::MentionKind;
use crate::told::Told;
use crate::{called, work};

/// Returns how one entry mentions its subjects.
pub fn entry_postings(marked: &Marked) -> BTreeMap<Key, (u8, u16)> {
    let entry = &marked.entry;
    let mut out: BTreeMap<Key, (u8, u16)> = BTreeMap::new();
    let mut add = |key: Key, n: u8, flags: u16| {
        let slot = out.entry(key).or_default();
        *slot = (slot.0.saturating_add(n), slot.1 | flags);
    };
    if entry.is_document() {
        add_document(entry, &mut |key: &str, n, flags| add(key_hash(key), n, flags));
    } else if !entry.is_record() {
        marked.title.iter().for_each(|mark| add(mark.key, 0, flags_of(mark) | flag::TITLE));
    }
    let is_work = entry.work.as_ref().is_some_and(|work| work.is_enough);
    add_work(entry, &mut add);
    // A piece of work speaks for a thing once, and only in what stands on a page.
    let is_told = |passage: &Passage| !is_work || work::is_kept(passage, entry.is_extracted);
    let mut named_by_work: BTreeSet<Key> = BTreeSet::new();
    let mut founded: BTreeSet<Key> = BTreeSet::new();
    let (mut spoken, mut telling): (BTreeSet<Key>, BTreeSet<Key>) = Default::default();
    let changes_files = entry.is_extracted && entry.passages.iter().any(|one| work::changed_file(one).is_some());
    let in_work = if is_work { flag::WORK } else { 0 } | if changes_files { flag::IN_PASSING } else { 0 };
    let mut known: BTreeSet<&str> = BTreeSet::new();
    let passages = entry.passages.iter().zip(&marked.passages);
    for (passage, marks) in passages.filter(|(passage, _)| passage.place.is_none() && is_told(passage)) {
        // What a session agreed on may stand among its tasks, too.
        if entry.is_extracted && passage.told.is_none() && !known.insert(&passage.text) {
            continue;
        }
        if let Some(told) = &passage.told {
            add_told(told, marks, &mut add);
            continue;
        }
        if passage.kind == PassageKind::Names {
            continue;
        }
        let is_event = passage.kind == PassageKind::Event;
        let seen = named_in(marks, is_event);
        let ends = if marks.tells_change { flag::ENDS } else { 0 };
        marks.labels.iter().for_each(|label| add(*label, 0, flag::LABEL));
        let last_words = marks.last_words.iter().map(|word| word.key).filter(|_| !is_event);
        last_words.filter(|word| !seen.contains_key(word)).for_each(|word| add(word, 0, flag::INSIDE | ends));
        let (claim, founds) = claims(entry.is_extracted, passage, marks);
        // What was wrong in a piece of work stands on its page, and is mended since.
        let founds = founds && !passage.learned.is_cause();
        for (key, (leads, flags)) in seen {
            // Of a session one statement says too little of a piece of its code.
            let is_piece = flags & flag::CODE != 0 && flags & flag::NAME == 0;
            if founds && leads && !is_piece && marks.standing >= standing::SUMS_UP_MIN {
                telling.insert(key);
            }
            spoken.insert(key);
            let founds = match founds && leads {
                true if founded.insert(key) => flag::FOUNDED,
                true => flag::FOUNDED_TWICE,
                false => 0,
            };
            let flags = flags | claim | founds | ends;
            // An event alone must not make a page, so it counts nothing; it only dates a file.
            let counts = !is_event && leads && (!is_work || named_by_work.insert(key));
            add(key, u8::from(counts), flags | in_work);
        }
    }
    let in_passing = spoken.difference(&telling).filter(|_| entry.is_extracted);
    in_passing.for_each(|key| add(*key, 0, flag::IN_PASSING));
    out.remove(&key_hash(""));
    out
}

/// Adds the piece of work that an entry is, or is joined to.
fn add_work(entry: &Entry, add: &mut impl FnMut(Key, u8, u16)) {
    let Some(work) = &entry.work else { return };
    let n_kept = entry.passages.iter().filter(|passage| work::is_kept(passage, entry.is_extracted)).count();
    let makes = if work.is_enough { flag::LINK | flag::WORK } else { 0 };
    // Work that settled enough in plain words has a page, too.
    let n_passages = if work.is_enough { n_kept.clamp(1, 255) as u8 } else { 0 };
    add(key_hash(&called::key(&work.title)), n_passages, flag::TITLE | makes);
}

/// Whether a passage may stand on a page, as a flag, and whether it tells something of what it speaks of first.
fn claims(is_extracted: bool, passage: &Passage, marks: &Marks) -> (u16, bool) {
    let is_shown = marks.standing >= standing::SHOWN_MIN;
    let is_claim = is_shown && passage.is_claim() && !alone::is_personal(&passage.text);
    let claim = if is_claim { flag::CLAIM } else { 0 };
    let is_settled = matches!(passage.kind, PassageKind::Decision | PassageKind::Lesson);
    let founds = is_claim && (alone::stands(&passage.text) || is_settled && !is_change_note(&passage.text));
    // In a session much is said in passing.
    (claim, founds && (!is_extracted || is_settled || tells_something(&passage.text)))
}

/// Adds what a reading is about. What is settled, or was said by a document, stands on the pages that there are, and makes none.
fn add_told(told: &Told, marks: &Marks, add: &mut impl FnMut(Key, u8, u16)) {
    if let Some(settled) = &told.settled {
        settle::keys(settled).iter().for_each(|key| add(key_hash(key), 0, flag::SETTLED));
        return;
    }
    if let Some(revision) = &told.revised {
        add(key_hash(&changes_key(revision.path.as_str())), 0, flag::SETTLED);
        return;
    }
    let keys = told_keys(told).into_iter().enumerate();
    keys.for_each(|(n, key)| {
        let place = if n == 0 { flag::FOUNDED } else { flag::INSIDE };
        add(key_hash(&key), 1, flag::LINK | flag::STANDALONE | place);
    });
    // What a connection joins leads to it, and other names say what a claim is near to: no pages.
    told.about.iter().for_each(|about| add(key_hash(&subject_key(&about.name)), 0, 0));
    marks.names.iter().for_each(|mark| add(mark.key, 0, 0));
}

/// What a passage names, with whether it leads there and how it is named; of an event only files count.
fn named_in(marks: &Marks, is_event: bool) -> BTreeMap<Key, (bool, u16)> {
    let mut seen: BTreeMap<Key, (bool, u16)> = BTreeMap::new();
    for mark in marks.names.iter().filter(|mark| !is_event || mark.kind == MentionKind::File) {
        let slot = seen.entry(mark.key).or_default();
        *slot = (slot.0 | mark.leads, slot.1 | flags_of(mark));
    }
    seen
}

/// Whether a statement that was said in passing tells a number or a day, a name in code, a cause, a rule or what something is.
fn tells_something(text: &str) -> bool {
    let counts = || words(text).into_iter().any(|word| is_count_or_date(word.of(text)));
    text.contains(|ch: char| ch.is_ascii_digit()) || score(text, false) > 0.0 || counts()
}

/// The keys of the pages that a claim of a reading belongs to.
pub fn told_keys(told: &Told) -> Vec<String> {
    let keys = || told.about.iter().map(|about| subject_key(&about.name)).filter(|key| !key.is_empty());
    if told.is_connection { vec![connection_key(keys())] } else { keys().collect() }
}

/// The key of the connection between subjects.
fn connection_key(keys: impl Iterator<Item = String>) -> String {
    format!("connection {}", keys.collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().join(" "))
}

fn flags_of(mark: &Mark) -> u16 {
    let kind = match mark.kind {
        MentionKind::Link => flag::LINK,
        MentionKind::Name => flag::NAME,
        MentionKind::Code | MentionKind::File => flag::CODE,
        MentionKind::Phrase | MentionKind::Work if mark.is_noun => flag::NOUN,
        MentionKind::Phrase | MentionKind::Work => 0,
        MentionKind::Topic | MentionKind::Word => return if mark.is_noun { flag::NOUN } else { 0 },
    };
    kind | if mark.is_standalone { flag::STANDALONE } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passage::{Work, journal_entries};
    use ken_core::VaultPath;

    #[test]
    fn work_that_is_enough_counts_for_its_page_however_plain_its_words_are() {
        let text = "### Session (09:00) - Türen der Halle\n<!-- kenning: session=s1 agent=claude-code range=0-9 -->\n\n**Key Exchanges:**\n- Die untere Tür klemmt, die obere auch.\n";
        let path = VaultPath::new("daily/2026-04-01.md").expect("inside");
        let mut entry = journal_entries(&path, text, false).remove(0);
        assert!(!entry.passages.iter().any(|passage| work::is_kept(passage, true)), "plain words");
        for (is_enough, expected) in [(true, (1, flag::LINK)), (false, (0, 0))] {
            entry.work = Some(Work { title: "Türen der Halle".to_owned(), is_enough });
            let (n, flags) = entry_postings(&Marked::of(entry.clone()))[&key_hash(&called::key("Türen der Halle"))];
            assert_eq!((n, flags & flag::LINK), expected);
        }
    }
}
