//! What a sentence shows of being an order: acts, who is spoken to, what is aimed at.
//!
//! A cue is a bit; the words for each stand in [`super::lexicon`]. An act counts as ordered when its verb opens a
//! clause, or, where a language marks orders otherwise, when that mark is there.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use aho_corasick::AhoCorasick;

use super::forms::once;
use super::lexicon::{BEFORE_VERBS, NEEDLES, ORDERING_ENDS, ORDERING_SIGNS, PHRASES, WORDS};
use crate::words::{fold, is_cjk, words};

/// A set of cues.
pub(super) type Cues = u64;

macro_rules! cues {
    ($($name:ident = $n:literal, $doc:literal;)*) => { $(#[doc = $doc] pub(super) const $name: Cues = 1 << $n;)* };
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
pub(super) const ACTS: Cues = SEND | RUN | FETCH | INSTALL | ADD | DELETE | REVEAL | HIDE | TELL | TURN | AS | IGNORE;

/// What a sentence shows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Shown {
    /// All of its cues.
    pub(super) all: Cues,
    /// The acts that it orders.
    pub(super) ordered: Cues,
}

impl Shown {
    /// Whether one of these cues is there.
    pub(super) fn has(self, cues: Cues) -> bool {
        self.all & cues != 0
    }

    /// The acts that somebody is to do: those that are ordered, and any at all where a reader is spoken of.
    pub(super) fn directed(self) -> Cues {
        if self.has(YOU | READER) { self.all & ACTS } else { self.ordered }
    }
}

struct Table {
    exact: BTreeMap<String, Cues>,
    begins: BTreeMap<String, Cues>,
    /// Longest beginning, in bytes.
    begin_max: usize,
    /// Which first bytes some beginning has, by [`head`]: most words have others.
    heads: Vec<bool>,
    before_verbs: Vec<&'static str>,
    phrases: AhoCorasick,
    /// The cue of each phrase.
    phrase_cues: Vec<Cues>,
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let (mut exact, mut begins) = (BTreeMap::new(), BTreeMap::new());
        for (cue, word) in WORDS.iter().flat_map(|(cue, list)| list.split_whitespace().map(move |word| (cue, word))) {
            match word.strip_suffix('*') {
                Some(begin) => *begins.entry(fold(begin)).or_insert(0) |= cue,
                None => *exact.entry(fold(word)).or_insert(0) |= cue,
            }
        }
        let begin_max = begins.keys().map(String::len).max().unwrap_or(0);
        let mut heads = vec![false; HEADS];
        begins.keys().filter_map(|begin| head(begin)).for_each(|at| heads[at] = true);
        let phrases = || PHRASES.iter().flat_map(|(cue, list)| list.split('|').map(move |phrase| (*cue, phrase)));
        Table {
            exact,
            begins,
            begin_max,
            heads,
            before_verbs: BEFORE_VERBS.split_whitespace().collect(),
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
            let behind = ELIDED.iter().filter_map(|elided| word.strip_prefix(elided));
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

/// Short words that an apostrophe joins to what follows.
const ELIDED: &[&str] = &["l", "d", "all", "dell", "nell", "qu"];
/// Signs behind which a new clause begins.
const CLAUSE_ENDS: &[char] = &['.', ',', ':', ';', '!', '?', '(', '"', '«', '“', '„', '—', '–', '>', ']', '、', '。'];
/// Words behind which a new clause may begin.
const AND: &[&str] = &["and", "then", "und", "dann", "et", "puis", "y", "luego", "e", "poi", "depois", "и", "затем"];
const NOT: &[&str] =
    &["not", "never", "no", "don", "nicht", "nie", "niemals", "keine", "pas", "jamais", "nunca", "non", "nao", "не"];

/// Returns what a sentence shows.
pub(super) fn shown(sentence: &str) -> Shown {
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
        let cues = table.of(&word);
        out.all |= cues;
        if NOT.contains(&word.as_str()) {
            out.all |= NEGATED;
        }
        if opens && cues & ACTS != 0 && gap.trim_end_matches('-').len() == gap.len() {
            (out.ordered, verb_came) = (out.ordered | cues & ACTS, true);
        }
        // `fetch it and run it` orders twice; `the agents and assistants` not at all.
        let may_lead = table.before_verbs.contains(&word.as_str()) || cues & (SILENT | URGENT) != 0;
        opens = opens && may_lead || verb_came && AND.contains(&word.as_str());
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
    for (cue, needles) in NEEDLES {
        if needles.split('|').any(|needle| sentence.contains(needle)) {
            out.all |= cue;
        }
    }
    let is_chinese = !sentence.chars().any(|ch| matches!(ch, '\u{3040}'..='\u{30ff}' | '\u{ac00}'..='\u{d7af}'));
    // A tag in front of it opens no sentence.
    let start = sentence.trim_start();
    let start = start.strip_prefix('<').and_then(|tag| tag.split_once('>')).map_or(start, |(_, behind)| behind);
    let opens_with = |cue: Cues| {
        NEEDLES
            .iter()
            .filter(|(of, _)| *of == cue)
            .flat_map(|(_, needles)| needles.split('|'))
            .any(|needle| start.starts_with(needle))
    };
    let is_ordered = if is_chinese {
        ORDERING_SIGNS.iter().any(|sign| sentence.contains(sign))
            || NEEDLES.iter().any(|(cue, _)| cue & ACTS != 0 && opens_with(*cue))
    } else {
        ORDERING_ENDS.iter().any(|end| sentence.contains(end))
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
