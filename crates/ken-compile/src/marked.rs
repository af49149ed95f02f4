//! Entries with what their words name, whichever subjects have pages.
//!
//! All of it follows from the entry alone, so it is kept from one compile to the next: reading an old entry again is to
//! cut it, and to look for names in it, once more. What is kept is a form of its own ([`KeptEntry`]), of entries of the
//! journal only that no model read; whoever keeps it says of which bytes it was made.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use ken_core::issue::Issue;
use ken_core::language::AnyOf;
use ken_core::talk::lists_options;
use ken_core::text::leans_back;
use ken_core::{Date, Digest, Span, VaultPath};
use serde::{Deserialize, Serialize};

use crate::key::{Key, key_hash};
use crate::labels::{label_names, reach_of};
use crate::passage::{Cited, Entry, Learned, Passage, PassageKind, Work};
use crate::standing;
use crate::subject::{Mention, MentionKind, mentions};
use crate::telling::Telling;
use crate::{called, work};

/// A place where a subject is named, which need not have a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Mark {
    /// What all spellings of the subject share, hashed.
    pub key: Key,
    /// How it is spelled here.
    pub surface: String,
    /// How it was named.
    pub kind: MentionKind,
    /// Where.
    place: (usize, usize),
    /// Whether the name stands alone here.
    pub is_standalone: bool,
    /// Whether a determiner stands before it, as before a noun.
    pub is_noun: bool,
    /// Whether it stands in the first clause of its sentence.
    pub leads: bool,
}

impl Mark {
    fn of(mention: Mention) -> Mark {
        let Mention { key, surface, kind, span, is_standalone, is_noun, leads } = mention;
        Mark { key: key_hash(&key), surface, kind, place: (span.start, span.end), is_standalone, is_noun, leads }
    }

    /// Where it stands in its text.
    pub(crate) fn span(&self) -> Span {
        Span::new(self.place.0, self.place.1)
    }
}

/// What the words of one passage show.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Marks {
    /// What it names; nothing of a document's passages, which belong to the document.
    pub names: Vec<Mark>,
    /// The last words of the phrases among them.
    pub last_words: Vec<Mark>,
    /// What the labels of its notes share.
    pub labels: Vec<Key>,
    /// Whether it says that something changed or ended.
    pub tells_change: bool,
    /// Whether it stands on the page of its entry's work.
    pub is_kept: bool,
    /// Whether it hangs on what is not there.
    pub leans_back: bool,
    /// How well it stands on a page, see [`crate::standing`].
    pub standing: i16,
    /// What a roll-up asks of it.
    pub telling: Option<Telling>,
}

/// The page of work that an entry is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct MarkedWork {
    /// Its subject.
    pub key: Key,
    /// Whether it is called like a thing.
    pub is_thing: bool,
}

/// An entry with what its words name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marked {
    /// The entry.
    pub entry: Entry,
    /// What its title names.
    pub(crate) title: Vec<Mark>,
    /// The same of each passage.
    pub(crate) passages: Vec<Marks>,
    /// The page of its work.
    pub(crate) work: Option<MarkedWork>,
}

fn marks(text: &str) -> Vec<Mark> {
    mentions(text).into_iter().map(Mark::of).collect()
}

/// What was found or supposed in a piece of work and given up right behind it: the statements from the last request on,
/// or, where that asked to look again, those before it.
fn given_up(passages: &[Passage]) -> BTreeSet<usize> {
    static GIVING_UP: LazyLock<AnyOf> = LazyLock::new(|| AnyOf::of(|lexicon| lexicon.pages.giving_up));
    static DENIAL: LazyLock<AnyOf> = LazyLock::new(|| AnyOf::of(|lexicon| lexicon.sessions.denial));
    // `no, the upper one is cold`, and nothing that answers a question: that is a decision.
    let denies = |passage: &Passage| {
        let end = passage.text.find([',', '.', '!']).unwrap_or(0);
        passage.kind == PassageKind::Question && !passage.text[..end].contains(' ') && DENIAL.opens(&passage.text)
    };
    let is_found = |passage: &Passage| passage.kind == PassageKind::Statement;
    // What is settled or learned stands behind all of it, wherever it was said.
    let gives_up = |n: &usize| {
        matches!(passages[*n].kind, PassageKind::Statement | PassageKind::Question)
            && (GIVING_UP.is_in(&passages[*n].text) || denies(&passages[*n]))
    };
    let mut out = BTreeSet::new();
    for n in (0..passages.len()).filter(gives_up) {
        let before = (0..n).rev().skip_while(|n| !is_found(&passages[*n]));
        out.extend(before.take_while(|n| is_found(&passages[*n])));
    }
    out
}

impl Marked {
    /// Finds what an entry names.
    pub fn of(entry: Entry) -> Marked {
        let is_said = |passage: &Passage| entry.is_extracted && passage.told.is_none() && passage.place.is_none();
        let is_work = entry.work.as_ref().is_some_and(|work| work.is_enough);
        let offers = |passage: &Passage| passage.kind == PassageKind::Statement && lists_options(&passage.text);
        let given_up = if is_work { given_up(&entry.passages) } else { BTreeSet::new() };
        let of_passage = |(n, passage): (usize, &Passage)| {
            let standing = match () {
                () if !is_said(passage) => standing::WRITTEN,
                // What was offered is decided since, or was not worth it.
                () if given_up.contains(&n) || is_work && offers(passage) => standing::SPARE_MIN - 1,
                () if is_work => standing::of_work(&passage.text, passage.kind, work::weighed(passage)),
                () => standing::of_talk(&passage.text, passage.kind, entry.date, reach_of(passage).tells_new),
            };
            let names = if passage.place.is_none() { mentions(&passage.text) } else { Vec::new() };
            let reach = reach_of(passage);
            Marks {
                tells_change: reach.tells_change,
                last_words: names.iter().filter_map(Mention::last_word).map(Mark::of).collect(),
                labels: label_names(&reach).map(|label| key_hash(&label)).collect(),
                names: names.into_iter().map(Mark::of).collect(),
                is_kept: passage.is_claim() && (!is_work || standing >= standing::SPARE_MIN),
                leans_back: leans_back(&passage.text),
                telling: Telling::kept(passage, entry.date),
                standing,
            }
        };
        let title = if entry.is_document() { Vec::new() } else { marks(&entry.title) };
        let passages = entry.passages.iter().enumerate().map(of_passage).collect();
        let of_work = |work: &Work| MarkedWork {
            key: key_hash(&called::key(&work.title)),
            is_thing: called::thing_of(&work.title).is_some(),
        };
        Marked { title, passages, work: entry.work.as_ref().map(of_work), entry }
    }

    /// Returns the form in which it is kept; `None` of a document, and of what a model read or a person settled.
    pub fn kept(&self) -> Option<KeptEntry<'_>> {
        let entry = &self.entry;
        let is_plain = |passage: &Passage| passage.place.is_none() && passage.told.is_none();
        let is_of_journal = !entry.is_document() && entry.committed.is_none();
        if !is_of_journal || !entry.portions.is_empty() || !entry.passages.iter().all(is_plain) {
            return None;
        }
        let passages = entry.passages.iter().zip(&self.passages).map(|(passage, marks)| KeptPassage {
            text: &passage.text,
            lines: passage.lines,
            kind: passage.kind,
            cited: passage.cited.as_deref().map(|cited| (cited.lines, cited.digest.as_str(), cited.quote.as_str())),
            digest: &passage.digest,
            learned: passage.learned,
            marks: marks.clone(),
        });
        Some(KeptEntry {
            title: &entry.title,
            date: entry.date,
            is_extracted: entry.is_extracted,
            voice: entry.voice.as_deref(),
            issue: entry.issue,
            work: entry.work.as_ref().map(|work| (work.title.as_str(), work.is_enough)).zip(self.work),
            digest: *entry.digest.as_bytes(),
            passages: passages.collect(),
            marks: self.title.clone(),
        })
    }
}

/// An entry of the journal as it is kept.
#[derive(Debug, Serialize, Deserialize)]
pub struct KeptEntry<'a> {
    title: &'a str,
    date: Option<Date>,
    is_extracted: bool,
    voice: Option<&'a str>,
    issue: Option<Issue>,
    #[serde(borrow)]
    work: Option<((&'a str, bool), MarkedWork)>,
    digest: [u8; 32],
    #[serde(borrow)]
    passages: Vec<KeptPassage<'a>>,
    marks: Vec<Mark>,
}

/// A passage of such an entry.
#[derive(Debug, Serialize, Deserialize)]
struct KeptPassage<'a> {
    text: &'a str,
    lines: (usize, usize),
    kind: PassageKind,
    #[serde(borrow)]
    cited: Option<((usize, usize), &'a str, &'a str)>,
    digest: &'a str,
    learned: Learned,
    marks: Marks,
}

impl<'a> KeptEntry<'a> {
    /// Returns the entry that was written down as these bytes; none where they are damaged.
    pub fn read(bytes: &'a [u8]) -> Option<KeptEntry<'a>> {
        postcard::from_bytes(bytes).ok()
    }

    /// Returns the bytes that the entry is written down as.
    pub fn written(&self) -> Option<Vec<u8>> {
        postcard::to_allocvec(self).ok()
    }

    /// Returns the entry of the file at `path` that was kept.
    pub fn marked(self, path: &VaultPath) -> Marked {
        let cited = |(lines, digest, quote): ((usize, usize), &str, &str)| {
            Box::new(Cited { day: None, lines, digest: digest.to_owned(), quote: quote.to_owned() })
        };
        let passage = |kept: KeptPassage<'_>| {
            let passage = Passage {
                text: kept.text.to_owned(),
                lines: kept.lines,
                kind: kept.kind,
                place: None,
                cited: kept.cited.map(cited),
                digest: kept.digest.to_owned(),
                told: None,
                learned: kept.learned,
            };
            (passage, kept.marks)
        };
        let (passages, marks) = self.passages.into_iter().map(passage).unzip();
        let (work, marked_work) = self.work.unzip();
        let entry = Entry {
            path: path.clone(),
            title: self.title.to_owned(),
            date: self.date,
            committed: None,
            parts: Vec::new(),
            is_extracted: self.is_extracted,
            voice: self.voice.map(str::to_owned),
            issue: self.issue,
            work: work.map(|(title, is_enough)| Work { title: title.to_owned(), is_enough }),
            adopted: None,
            digest: Digest::from_bytes(self.digest),
            passages,
            portions: Vec::new(),
            thin: Vec::new(),
            has_doubts: false,
        };
        Marked { entry, title: self.marks, passages: marks, work: marked_work }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cut::{ReadAs, read_entries};

    const DAY: &str = "# Daily Log: 2026-04-01\n\n## Sessions\n\n### Move sessions to signed tokens (14:30)\n<!-- kenning: session=s1 agent=demo source=a.jsonl#L1-L4 -->\n\n**Key Exchanges:**\n- User asked: why do sessions drop?\n- [[Cookie sessions|Sessions]] drop on restart of `auth.rs`. They live in memory.\n\n**Decisions Made:**\n- We chose signed tokens because the middleware restarts every night.\n- The key is kept in the Vault Server and is renewed every 30 days.\n- Refresh tokens live for 14 days in PostgreSQL.\n\n**Events:**\n- Edit src/auth.rs\n\n### Ovens\n- The oven heats at 220 degrees.\n";

    #[test]
    fn what_was_supposed_and_given_up_behind_it_stands_nowhere() {
        let found = |lines: &[(PassageKind, &str)]| {
            let all = lines.iter().map(|(kind, text)| Passage {
                text: (*text).to_owned(),
                lines: (1, 1),
                kind: *kind,
                place: None,
                cited: None,
                digest: String::new(),
                told: None,
                learned: Learned::Plain,
            });
            given_up(&all.collect::<Vec<_>>()).into_iter().collect::<Vec<_>>()
        };
        use PassageKind::{Lesson, Question, Statement as Said};
        let [rye, hall] = [(Said, "The rye is wet."), (Said, "The hall is cold.")];
        let again = (Question, "Please look again.");
        assert_eq!(found(&[hall, again, rye, again, (Said, "My first guess was wrong: the mill is.")]), [2]);
        assert_eq!(found(&[rye, hall, (Question, "hm, that's not it")]), [0, 1]);
        assert_eq!(found(&[rye, (Question, "no, it has been dry since May")]), [0]);
        assert_eq!(found(&[rye, (Question, "no new door, please")]), Vec::<usize>::new());
        assert_eq!(found(&[hall, again, rye, (Said, "Meine erste Vermutung war falsch.")]), [2]);
        assert_eq!(found(&[rye, again, (Lesson, "I was wrong about the rye.")]), Vec::<usize>::new());
    }

    #[test]
    fn what_is_kept_of_an_entry_is_all_of_it() {
        let path = VaultPath::new("daily/2026-04-01.md").expect("inside");
        for entry in read_entries(&path, ReadAs::Journal, DAY, None) {
            let marked = Marked::of(entry);
            let bytes = postcard::to_allocvec(&marked.kept().expect("of the journal")).expect("bytes");
            let kept: KeptEntry<'_> = postcard::from_bytes(&bytes).expect("an entry");
            assert_eq!(kept.marked(&path), marked);
        }
    }

    #[test]
    fn what_is_not_of_the_journal_alone_is_not_kept() {
        let path = VaultPath::new("raw/ovens.md").expect("inside");
        let entries = read_entries(&path, ReadAs::Document(None), "# Ovens\n\nThe oven heats at 220 degrees.\n", None);
        assert!(entries.into_iter().all(|entry| Marked::of(entry).kept().is_none()));
    }
}
