//! What a sentence shows of being an order: acts, who is spoken to, what is aimed at.
//!
//! A cue is a bit; the words for each stand in the files of [`crate::language`]. An act counts as ordered when its verb opens a
//! clause, or, where a language marks orders otherwise, when that mark is there.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::{LazyLock, OnceLock};

use aho_corasick::AhoCorasick;

use super::forms::once;
use crate::language::{LEXICONS, WordSet};
use crate::memo::Memo;
use crate::words::{fold, is_cjk, words};

/// A set of cues.
pub(crate) type Cues = u64;

macro_rules! cues {
    ($($name:ident = $n:literal, $doc:literal;)*) => { $(#[doc = $doc] pub(crate) const $name: Cues = 1 << $n;)* };
}

cues! {
    YOU = 0, "Somebody is spoken to.";
    READER = 1, "An agent, assistant or model.";
    MODAL = 2, "Something has to be.";
    TOLD = 3, "Instructions and rules.";
    PROMPT = 4, "What only a model has: prompts.";
    HIDDEN = 5, "Something is hidden.";
    IGNORE = 6, "To pass over.";
    VOID = 7, "What was so is no longer.";
    PRIOR = 8, "What came before.";
    ALL = 9, "All, each, any.";
    SAID = 10, "What was said.";
    SEND = 11, "To send, copy, publish.";
    RUN = 12, "To run.";
    FETCH = 13, "To download.";
    INSTALL = 14, "To install.";
    ADD = 15, "To add, accept, replace.";
    DELETE = 16, "To delete, disable.";
    REVEAL = 17, "To show, repeat.";
    HIDE = 18, "To hide something.";
    TELL = 19, "To tell.";
    TURN = 20, "To change, approve, skip.";
    AS = 21, "To act as something.";
    SECRET = 22, "A secret.";
    PLACE = 23, "An address on a network.";
    ROOT = 24, "Rights without limit.";
    PUBLIC = 25, "Where others read.";
    SCRIPT = 26, "A program or package.";
    SESSION = 27, "A session or an answer.";
    SILENT = 28, "Unnoticed.";
    BYPASS = 29, "Without asking.";
    URGENT = 30, "At once.";
    AUTHORITY = 31, "Somebody with a say.";
    IF = 32, "A condition.";
    PERSON = 33, "A user or reviewer.";
    GRANTED = 34, "Something was allowed.";
    NEGATED = 35, "Not, never.";
    VITAL = 36, "What nobody wants to lose.";
}

/// Every act.
pub(crate) const ACTS: Cues = SEND | RUN | FETCH | INSTALL | ADD | DELETE | REVEAL | HIDE | TELL | TURN | AS | IGNORE;

/// What a sentence shows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Shown {
    /// All of its cues.
    pub(crate) all: Cues,
    /// The acts that it orders.
    pub(crate) ordered: Cues,
}

impl Shown {
    /// Whether one of these cues is there.
    pub(crate) fn has(self, cues: Cues) -> bool {
        self.all & cues != 0
    }

    /// The acts that somebody is to do: those that are ordered, and any at all where a reader is spoken of.
    pub(crate) fn directed(self) -> Cues {
        if self.has(YOU | READER) { self.all & ACTS } else { self.ordered }
    }
}

/// The words by which a language shows that something is ordered.
#[derive(Debug)]
pub(crate) struct Orders {
    /// Words, folded or not, `*` behind one for any ending.
    pub(crate) words: &'static [(Cues, &'static str)],
    /// Phrases, folded, with `|` between.
    pub(crate) phrases: &'static [(Cues, &'static str)],
    /// What is found anywhere in a sentence, with `|` between, in scripts without spaces and in Korean.
    pub(crate) parts: &'static [(Cues, &'static str)],
    /// Endings of verbs that order something, in Japanese and Korean.
    pub(crate) ordering_ends: &'static [&'static str],
    /// What stands around an act in Chinese when it is ordered.
    pub(crate) ordering_signs: &'static [&'static str],
    /// Words that stand between the beginning of a clause and its verb.
    pub(crate) before_verbs: &'static str,
    /// Words behind which a new clause may begin.
    pub(crate) and: &'static str,
    /// Words that negate.
    pub(crate) not: &'static str,
    /// Short words that an apostrophe joins to what follows.
    pub(crate) elided: &'static str,
}

impl Orders {
    /// A language in which no orders show.
    pub(crate) const NONE: Orders = Orders {
        words: &[],
        phrases: &[],
        parts: &[],
        ordering_ends: &[],
        ordering_signs: &[],
        before_verbs: "",
        and: "",
        not: "",
        elided: "",
    };
}

/// What every language has of a list.
fn all<T: 'static>(list: impl Fn(&'static Orders) -> &'static [T]) -> impl Iterator<Item = &'static T> {
    LEXICONS.iter().flat_map(move |lexicon| list(&lexicon.orders))
}

static BEFORE_VERBS: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.orders.before_verbs));
static AND: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.orders.and));
static NOT: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.orders.not));

struct Table {
    exact: BTreeMap<String, Cues>,
    begins: BTreeMap<String, Cues>,
    /// Longest beginning, in bytes.
    begin_max: usize,
    /// Which first bytes some beginning has, by [`head`]: most words have others.
    heads: Vec<bool>,
    /// What an apostrophe joined to a word.
    elided: Vec<&'static str>,
    phrases: AhoCorasick,
    /// The cue of each phrase.
    phrase_cues: Vec<Cues>,
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let (mut exact, mut begins) = (BTreeMap::new(), BTreeMap::new());
        let words = all(|orders| orders.words);
        for (cue, word) in words.flat_map(|(cue, list)| list.split_whitespace().map(move |word| (cue, word))) {
            match word.strip_suffix('*') {
                Some(begin) => *begins.entry(fold(begin)).or_insert(0) |= cue,
                None => *exact.entry(fold(word)).or_insert(0) |= cue,
            }
        }
        let begin_max = begins.keys().map(String::len).max().unwrap_or(0);
        let mut heads = vec![false; HEADS];
        begins.keys().filter_map(|begin| head(begin)).for_each(|at| heads[at] = true);
        let phrases =
            || all(|orders| orders.phrases).flat_map(|(cue, list)| list.split('|').map(move |phrase| (*cue, phrase)));
        Table {
            exact,
            begins,
            begin_max,
            heads,
            elided: LEXICONS.iter().flat_map(|lexicon| lexicon.orders.elided.split_whitespace()).collect(),
            phrases: once(phrases().map(|(_, phrase)| phrase), false),
            phrase_cues: phrases().map(|(cue, _)| cue).collect(),
        }
    })
}

/// Fewest bytes of a beginning.
const BEGIN_MIN: usize = 3;
/// Places for first bytes; two may share one.
const HEADS: usize = 4_096;

/// The place of a word's first bytes; none when it has too few for a beginning.
fn head(word: &str) -> Option<usize> {
    let bytes = word.as_bytes().get(..BEGIN_MIN)?;
    Some(bytes.iter().fold(0, |at, byte| (at * 31 + usize::from(*byte)) % HEADS))
}

impl Table {
    fn of(&self, word: &str) -> Cues {
        let mut cues = self.exact.get(word).copied().unwrap_or(0);
        let may_begin = head(word).is_some_and(|at| self.heads[at]);
        for end in BEGIN_MIN..=word.len().min(if may_begin { self.begin_max } else { 0 }) {
            if let Some(begin) = word.get(..end) {
                cues |= self.begins.get(begin).copied().unwrap_or(0);
            }
        }
        if cues == 0 {
            // An elided word may have lost its apostrophe: `allutente`.
            let behind = self.elided.iter().filter_map(|elided| word.strip_prefix(elided));
            cues = behind.filter_map(|behind| self.exact.get(behind)).fold(0, |all, one| all | one) & (PERSON | READER);
        }
        // `AWS_SECRET_ACCESS_KEY` is a secret by its parts.
        if word.contains('_') {
            cues |=
                word.split('_').map(|part| self.exact.get(part).copied().unwrap_or(0)).fold(0, |a, b| a | b) & SECRET;
        }
        cues
    }
}

/// What a word is, whatever sentence it stands in.
#[derive(Debug, Clone, Copy)]
struct Word {
    cues: Cues,
    negates: bool,
    /// Whether a verb may follow it as if it opened the clause.
    leads: bool,
    /// Whether a second verb may follow it.
    joins: bool,
}

impl Word {
    /// Returns what a folded word is; the words of a journal are mostly the same.
    fn of(word: &str) -> Word {
        thread_local! {
            static KNOWN: RefCell<Memo<Word>> = const { RefCell::new(Memo::new()) };
        }
        let find = || {
            let cues = table().of(word);
            let leads = BEFORE_VERBS.has(word) || cues & (SILENT | URGENT) != 0;
            Word { cues, negates: NOT.has(word), leads, joins: AND.has(word) }
        };
        KNOWN.with_borrow_mut(|known| *known.of(word, find))
    }
}

/// Signs behind which a new clause begins.
const CLAUSE_ENDS: &[char] = &['.', ',', ':', ';', '!', '?', '(', '"', '«', '“', '„', '—', '–', '>', ']', '、', '。'];

/// Returns what a sentence shows.
pub(crate) fn shown(sentence: &str) -> Shown {
    let table = table();
    let mut out = Shown::default();
    let mut joined = String::with_capacity(sentence.len() + 2);
    joined.push(' ');
    let (mut end, mut opens, mut verb_came) = (0, true, false);
    for span in words(sentence) {
        let gap = &sentence[end..span.start];
        if gap.contains(CLAUSE_ENDS) {
            (opens, verb_came) = (true, false);
        }
        let word = fold(span.of(sentence));
        let Word { cues, negates, leads, joins } = Word::of(&word);
        out.all |= cues;
        if negates {
            out.all |= NEGATED;
        }
        if opens && cues & ACTS != 0 && gap.trim_end_matches('-').len() == gap.len() {
            (out.ordered, verb_came) = (out.ordered | cues & ACTS, true);
        }
        // `fetch it and run it` orders twice; `the agents and assistants` not at all.
        opens = opens && leads || verb_came && joins;
        joined.push_str(&word);
        joined.push(' ');
        end = span.end;
    }
    for found in table.phrases.find_overlapping_iter(&joined) {
        out.all |= table.phrase_cues[found.pattern().as_usize()];
    }
    if sentence.chars().any(is_cjk) {
        without_spaces(sentence, &mut out);
    }
    if is_place(sentence) {
        out.all |= PLACE;
    }
    out
}

fn without_spaces(sentence: &str, out: &mut Shown) {
    for (cue, parts) in all(|orders| orders.parts) {
        if parts.split('|').any(|part| sentence.contains(part)) {
            out.all |= cue;
        }
    }
    let is_chinese = !sentence.chars().any(|ch| matches!(ch, '\u{3040}'..='\u{30ff}' | '\u{ac00}'..='\u{d7af}'));
    // A tag in front of it opens no sentence.
    let start = sentence.trim_start();
    let start = start.strip_prefix('<').and_then(|tag| tag.split_once('>')).map_or(start, |(_, behind)| behind);
    let opens_with_act = || {
        let acts = all(|orders| orders.parts).filter(|(cue, _)| cue & ACTS != 0);
        acts.flat_map(|(_, parts)| parts.split('|')).any(|part| start.starts_with(part))
    };
    let is_ordered = if is_chinese {
        all(|orders| orders.ordering_signs).any(|sign| sentence.contains(sign)) || opens_with_act()
    } else {
        all(|orders| orders.ordering_ends).any(|end| sentence.contains(end))
    };
    if is_ordered {
        out.ordered |= out.all & ACTS;
    }
}

/// Whether a sentence names an address on a network, or a place for passing files.
fn is_place(sentence: &str) -> bool {
    let is_mail = || {
        sentence.match_indices('@').any(|(at, _)| {
            let before = sentence[..at].ends_with(|ch: char| ch.is_alphanumeric());
            let after = &sentence[at + 1..];
            let host = after.split(|ch: char| ch.is_whitespace() || ch == ',').next().unwrap_or("");
            before && host.trim_end_matches('.').contains('.')
        })
    };
    sentence.contains("://") || sentence.contains("www.") || sentence.contains("/tmp/") || is_mail()
}
