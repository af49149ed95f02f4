//! Which statements say that something was done.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::{Action, SAME_MIN, words_of};
use crate::ground::negates;
use crate::language::{WordSet, Wording};
use crate::span::Span;
use crate::text::sentences;
use crate::words::{fold, is_stop, stem, words};

/// What a sentence says was done.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Done {
    /// The stems of what is said to be done, where the sentence names it by itself: `The menu is done`.
    thing: Option<BTreeSet<String>>,
    /// The stems of all that it says.
    words: BTreeSet<String>,
    /// What was done to it, folded, where that is a word of its own: `The menu is printed` closes `print the menu`.
    verb: Option<String>,
}

type Phrases = LazyLock<Vec<Wording>>;

static DONE: Phrases = LazyLock::new(|| Wording::lists(|lexicon| lexicon.pages.done));
static IS: Phrases = LazyLock::new(|| Wording::lists(|lexicon| lexicon.actions.is));
static DID: Phrases = LazyLock::new(|| Wording::lists(|lexicon| lexicon.actions.did));
static HAS: Phrases = LazyLock::new(|| Wording::lists(|lexicon| lexicon.actions.has));
static NAME: Phrases = LazyLock::new(|| Wording::lists(|lexicon| lexicon.actions.name));
/// What only may be: `when the menu is done`.
static SUPPOSED: Phrases = LazyLock::new(|| Wording::lists(|lexicon| lexicon.sessions.subordinate));
static BESIDE: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.actions.beside));
static AND: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.actions.and));

/// The endings of gender and number behind a word for what is done.
const ENDINGS: &[&str] = &["", "e", "s", "es", "a", "o", "i", "os", "as"];
/// Most words of what is said to be done.
const THING_WORDS_MAX: usize = 24;

/// A sentence, word by word.
struct Told<'a> {
    text: &'a str,
    spans: Vec<Span>,
    folded: Vec<String>,
}

impl<'a> Told<'a> {
    fn of(text: &'a str) -> Told<'a> {
        let spans = words(text);
        let folded = spans.iter().map(|word| fold(word.of(text))).collect();
        Told { text, spans, folded }
    }

    /// How many words the longest of some phrases takes that stands at a place; 0 where none does.
    fn takes(&self, phrases: &[Wording], at: usize) -> usize {
        let said: Vec<&str> = self.folded[at.min(self.folded.len())..].iter().map(String::as_str).collect();
        phrases.iter().filter_map(|phrase| phrase.length(&said)).max().unwrap_or(0)
    }

    /// The place behind words that say nothing of what was done: `already`, `finally`.
    fn behind(&self, mut at: usize) -> usize {
        while self.folded.get(at).is_some_and(|word| BESIDE.has(word)) {
            at += 1;
        }
        at
    }

    fn is_done(&self, at: usize) -> bool {
        let Some(word) = self.folded.get(at) else { return false };
        let is_it = |end: &&str| {
            word.strip_suffix(*end).is_some_and(|base| DONE.iter().any(|done| done.length(&[base]) == Some(1)))
        };
        ENDINGS.iter().any(is_it)
    }

    /// Where somebody stands who did something: what they did follows.
    fn doer(&self) -> Option<usize> {
        let own = self.takes(&DID, 0);
        let is_name = || {
            let first = self.spans.first().map_or("", |word| word.of(self.text));
            first.chars().next().is_some_and(char::is_uppercase) && !is_stop(&self.folded[0])
        };
        let n = if own > 0 { own } else { 1 + self.takes(&HAS, 1) };
        (own > 0 || !self.folded.is_empty() && is_name()).then(|| self.behind(n))
    }

    /// What is said to be done, with the word that says so: `The menu is printed`.
    fn passive(&self) -> Option<(&'a str, usize)> {
        let at = (1..self.folded.len().min(THING_WORDS_MAX)).find(|at| self.takes(&IS, *at) > 0)?;
        let verb = self.behind(at + self.takes(&IS, at));
        let thing = &self.text[..self.spans[at].start];
        (verb < self.folded.len() && !thing.contains([':', ';'])).then_some((thing, verb))
    }

    /// Where it says of an action item by that name that it is done: `Task done`, `The task is closed`.
    fn by_name(&self) -> Option<usize> {
        (0..self.folded.len()).find_map(|at| {
            let behind = at + Some(self.takes(&NAME, at)).filter(|n| *n > 0)?;
            let is_it = self.is_done(self.behind(behind + self.takes(&IS, behind)));
            is_it.then(|| self.spans[at].start)
        })
    }

    /// Whether it denies what it says, or only supposes or asks it.
    fn is_unsure(&self) -> bool {
        self.text.trim_end().ends_with('?')
            || (0..self.folded.len()).any(|at| self.takes(&SUPPOSED, at) > 0)
            || negates(self.text)
    }
}

impl Done {
    /// Returns what the statements of an entry say was done, each with the place of the statement.
    pub(super) fn of_entry<'a>(statements: impl Iterator<Item = &'a str>) -> Vec<(usize, Done)> {
        let (mut out, mut before): (Vec<(usize, Done)>, BTreeSet<String>) = (Vec::new(), BTreeSet::new());
        for (at, statement) in statements.enumerate() {
            for span in sentences(statement) {
                let told = Told::of(span.of(statement));
                let is_sure = !told.is_unsure();
                if is_sure {
                    out.extend(Done::in_sentence(&told).into_iter().map(|done| (at, done)));
                }
                // `Task done.` says of what was told up to there that it is.
                let named = told.by_name().filter(|_| is_sure);
                before.extend(words_of(&told.text[..named.unwrap_or(told.text.len())]));
                if named.is_some() {
                    out.push((at, Done { thing: None, words: std::mem::take(&mut before), verb: None }));
                }
            }
        }
        out
    }

    fn in_sentence(told: &Told<'_>) -> Vec<Done> {
        let whole = |verb: Option<String>| Done { thing: None, words: words_of(told.text), verb };
        if told.is_done(0) {
            return vec![whole(None)];
        }
        // What is not a word for it may be what was to be done.
        let own = |at: usize| told.folded.get(at).filter(|_| !told.is_done(at)).cloned();
        let mut out: Vec<Done> = own(0).map(|verb| whole(Some(verb))).into_iter().collect();
        let active = told.doer().filter(|at| *at + 1 < told.folded.len());
        out.extend(active.map(|at| whole(own(at))));
        if let Some((thing, at)) = told.passive() {
            let done = |thing| Done { thing: Some(thing), words: words_of(told.text), verb: own(at) };
            out.extend(things(thing).into_iter().map(done));
        }
        out
    }

    /// Returns whether this says of an action item that it is done.
    pub(super) fn closes(&self, action: &Action) -> bool {
        // The same form again says what is to be done, another of the same word that it was.
        let is_done = |verb: &String| *verb != action.verb && stem(verb) == stem(&action.verb);
        if !self.verb.as_ref().is_none_or(is_done) {
            return false;
        }
        let n_common = self.words.intersection(&action.words).count();
        // `The app is fixed` is not about the crash of the app.
        let names = |thing: &BTreeSet<String>| !thing.is_disjoint(&action.nouns) || thing.contains(&stem(&action.verb));
        let is_about = |thing: &BTreeSet<String>| thing.is_subset(&action.words) && names(thing);
        action.words.len() > 1 && n_common * SAME_MIN.1 >= action.words.len() * SAME_MIN.0
            || self.thing.as_ref().is_some_and(is_about)
    }
}

/// The stems of each thing of a list: `the poster, the leaflet and the menu`.
fn things(list: &str) -> Vec<BTreeSet<String>> {
    let told = Told::of(list);
    let mut out = vec![BTreeSet::new()];
    let mut at = 0;
    while at < told.spans.len() {
        let begins = list[..told.spans[at].start].trim_end().ends_with(',');
        if begins || AND.has(&told.folded[at]) {
            out.push(BTreeSet::new());
        }
        // Of `the task of the menu`, only the menu says which.
        let n_named = told.takes(&NAME, at);
        if n_named == 0 && !AND.has(&told.folded[at]) {
            out.last_mut().expect("there is one").extend(words_of(told.spans[at].of(list)));
        }
        at += n_named.max(1);
    }
    out.retain(|thing| !thing.is_empty());
    out
}
