//! Which statements say that something was done.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::deed::is_done_form;
use super::{Action, CORE_MIN, Key, Keys, SAME_MIN, keys_of, numbers_of, words_of};
use crate::ground::negates;
use crate::language::{LEXICONS, Phrases, WordSet};
use crate::span::Span;
use crate::text::sentences;
use crate::words::{Weight, fold, is_stop, words};

/// Whether what stands before a colon may be whoever speaks.
fn is_name(who: &str) -> bool {
    who.chars().next().is_some_and(char::is_uppercase) && !who.contains(' ')
}

/// What a sentence says was done.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Done {
    /// The stems of what is said to be done, where the sentence names it by itself: `The menu is done`.
    thing: Option<BTreeSet<String>>,
    /// What all that it says is compared by.
    words: Keys,
    /// Whether it begins with the word that says so, and what stands behind is all that was done: `Done: flour ordered`.
    is_labelled: bool,
    /// What was done to it, folded, where that is a word of its own: `The menu is printed` closes `print the menu`.
    verb: Option<String>,
    /// The numbers that are named beside it.
    numbers: BTreeSet<String>,
    /// Who did it, folded, where a name says so: `Ada asked` does not close what somebody is to ask Ada.
    doer: Option<String>,
}

static DONE: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    let with_endings = |word: &'static str| ENDINGS.iter().map(move |end| fold(word) + *end);
    let all = LEXICONS.iter().flat_map(|lexicon| lexicon.pages.done.split('|'));
    all.filter(|word| !word.is_empty()).flat_map(with_endings).collect()
});
static IS: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(|lexicon| lexicon.actions.is));
static DID: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(|lexicon| lexicon.actions.did));
static HAS: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(|lexicon| lexicon.actions.has));
static NAME: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(|lexicon| lexicon.actions.name));
/// What only may be: `when the menu is done`.
static SUPPOSED: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(|lexicon| lexicon.sessions.subordinate));
static TAKEN_BACK: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(|lexicon| lexicon.actions.taken_back));
static BESIDE: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.actions.beside));
static AND: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.actions.and));

/// The endings of gender and number behind a word for what is done.
const ENDINGS: &[&str] = &["", "e", "s", "es", "a", "o", "i", "os", "as"];
/// Most words up to one that says without `is` that something was done.
const BARE_WORDS_MAX: usize = 5;
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
    fn takes(&self, phrases: &Phrases, at: usize) -> usize {
        phrases.takes(&self.folded[at.min(self.folded.len())..])
    }

    /// The place behind words that say nothing of what was done: `already`, `finally`.
    fn behind(&self, mut at: usize) -> usize {
        while self.folded.get(at).is_some_and(|word| BESIDE.has(word)) {
            at += 1;
        }
        at
    }

    fn is_done(&self, at: usize) -> bool {
        self.folded.get(at).is_some_and(|word| DONE.contains(word))
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
        // `Ada: the menu is printed`
        let thing = thing.split_once(": ").map_or(thing, |(who, thing)| if is_name(who) { thing } else { "" });
        (verb < self.folded.len() && !thing.is_empty() && !thing.contains([':', ';'])).then_some((thing, verb))
    }

    /// Where it says of an action item by that name that it is done: `Task done`, `The task is closed`.
    fn by_name(&self) -> Option<usize> {
        (0..self.folded.len()).find_map(|at| {
            let behind = at + Some(self.takes(&NAME, at)).filter(|n| *n > 0)?;
            let is_it = self.is_done(self.behind(behind + self.takes(&IS, behind)));
            is_it.then(|| self.spans[at].start)
        })
    }

    /// Whether its first word stands before a colon.
    fn is_label(&self) -> bool {
        self.spans.first().is_some_and(|word| self.text[word.end..].starts_with(':'))
    }

    /// Whether it denies what it says, or only supposes or asks it. Behind `Closed:` stands what is done, in any words.
    fn is_unsure(&self) -> bool {
        let is_labelled = self.is_done(0) && self.is_label();
        // `The flour is ordered; it lasts until May`
        let told = self.text.split("; ").next().unwrap_or(self.text);
        let n_words = self.spans.iter().take_while(|word| word.end <= told.len()).count();
        let is_supposed = || (0..n_words).any(|at| self.takes(&SUPPOSED, at) > 0) || negates(told);
        self.text.trim_end().ends_with('?') || !is_labelled && is_supposed()
    }
}

impl Told<'_> {
    /// What it says was done, whether it is sure or not.
    fn done(&self, verbs: &Keys) -> Vec<Done> {
        let done = |thing: Option<BTreeSet<String>>, verb: Option<String>| Done {
            thing,
            words: keys_of(self.text, Weight::Weak).into_iter().collect(),
            is_labelled: false,
            verb,
            numbers: numbers_of(self.text),
            doer: None,
        };
        let whole = |verb: Option<String>| done(None, verb);
        if self.is_done(0) {
            let is_labelled = self.is_label();
            let said = if is_labelled { &self.text[self.spans[0].end..] } else { self.text };
            return vec![Done { is_labelled, words: keys_of(said, Weight::Weak).into_iter().collect(), ..whole(None) }];
        }
        // A word for it, or one for what is to be done: all others say nothing of an action item.
        let verb = |at: usize| match self.folded.get(at) {
            Some(_) if self.is_done(at) => Some(None),
            Some(word) if verbs.has(&Key::of(word)) => Some(Some(word.clone())),
            _ => None,
        };
        let mut out: Vec<Done> = verb(0).map(whole).into_iter().collect();
        // `Window sealed yesterday.`
        let is_short = |at: &usize| is_done_form(&self.folded[*at]) && !is_stop(&self.folded[at - 1]);
        if let Some(at) = (1..self.folded.len().min(BARE_WORDS_MAX)).find(|at| verb(*at).is_some()).filter(is_short) {
            let thing = &self.text[..self.spans[at].start];
            let doer = Some(&self.folded[0]).filter(|_| at == 1).cloned();
            let by_doer = |thing| Done { doer: doer.clone(), ..done(Some(thing), verb(at).flatten()) };
            out.extend(things(thing).into_iter().map(by_doer));
        }
        let doer = Some(&self.folded[0]).filter(|_| self.takes(&DID, 0) == 0).cloned();
        let by_doer = |found: Option<String>| Done { doer, ..whole(found) };
        out.extend(self.doer().filter(|at| *at + 1 < self.folded.len()).and_then(verb).map(by_doer));
        if let Some((thing, verb)) = self.passive().and_then(|(thing, at)| Some((thing, verb(at)?))) {
            out.extend(things(thing).into_iter().map(|thing| done(Some(thing), verb.clone())));
        }
        out
    }
}

/// Returns whether a sentence says for sure that something that is called a task is done: `The counting task is done`.
pub fn closes_task(sentence: &str) -> bool {
    let told = Told::of(sentence);
    let names_one = |thing: &str| {
        let thing = Told::of(thing);
        (0..thing.folded.len()).any(|at| thing.takes(&NAME, at) > 0)
    };
    let is_done = told.passive().is_some_and(|(thing, at)| told.is_done(at) && names_one(thing));
    (is_done || told.by_name().is_some()) && !told.is_unsure()
}

/// Whether an item ends with the word of somebody that it was done: `Ben counts the sacks, no, he did`.
pub(super) fn is_taken_back(item: &str) -> bool {
    let says_so = |(at, comma): (usize, &str)| {
        let told = Told::of(&item[at + comma.len()..]);
        told.takes(&TAKEN_BACK, 0) > 0
    };
    item.match_indices(", ").any(says_so)
}

impl Done {
    /// Returns what the statements of an entry say was done, each with the place of the statement; `verbs` are the stems of
    /// what is to be done.
    pub(super) fn of_entry<'a>(statements: impl Iterator<Item = &'a str>, verbs: &Keys) -> Vec<(usize, Done)> {
        let mut out: Vec<(usize, Done)> = Vec::new();
        // Texts since the last `Task done`, which says of what was told up to there that it is.
        let mut before: Vec<&str> = Vec::new();
        for (at, statement) in statements.enumerate() {
            for span in sentences(statement) {
                let told = Told::of(span.of(statement));
                let named = told.by_name();
                before.push(&told.text[..named.unwrap_or(told.text.len())]);
                let done = told.done(verbs);
                // Whether it is sure takes longest to see.
                if done.is_empty() && named.is_none() || told.is_unsure() {
                    continue;
                }
                out.extend(done.into_iter().map(|done| (at, done)));
                if named.is_some() {
                    let said = std::mem::take(&mut before).join("\n");
                    let (words, numbers) = (keys_of(&said, Weight::Weak).into_iter().collect(), numbers_of(&said));
                    out.push((at, Done { thing: None, words, is_labelled: false, verb: None, numbers, doer: None }));
                }
            }
        }
        out
    }

    /// Returns whether this says of an action item that it is done.
    pub(super) fn closes(&self, action: &Action) -> bool {
        // The same form again says what is to be done, another of the same word that it was.
        let is_done = |verb: &String| action.verbs.iter().any(|one| verb != one && Key::of(verb).is(&Key::of(one)));
        if !self.verb.as_ref().is_none_or(is_done) {
            return false;
        }
        if self.doer.as_ref().is_some_and(|doer| is_done_to(action, doer)) {
            return false;
        }
        // `Door 3 is painted` says nothing of door 4 of the list.
        let is_other = action.is_listed && !self.numbers.is_empty() && !action.numbers.is_empty();
        if is_other && self.numbers.is_disjoint(&action.numbers) {
            return false;
        }
        let n_common = action.core.iter().filter(|key| self.words.has(key)).count();
        let is_most = action.core.len() >= CORE_MIN && n_common * SAME_MIN.1 >= action.core.len() * SAME_MIN.0;
        let is_part = self.is_labelled && self.words.stems.len() >= CORE_MIN && n_common == self.words.stems.len();
        // `The app is fixed` is not about the crash of the app.
        let has_verb = |thing: &BTreeSet<String>| action.verbs.iter().any(|verb| thing.contains(&Key::of(verb).stem));
        let names = |thing: &BTreeSet<String>| !thing.is_disjoint(&action.nouns) || has_verb(thing);
        let is_about = |thing: &BTreeSet<String>| thing.is_subset(&action.words) && names(thing);
        is_most || is_part || self.thing.as_ref().is_some_and(is_about)
    }
}

/// Whether an action item names somebody as the one to whom it is to be done: `ask Ben`.
fn is_done_to(action: &Action, name: &str) -> bool {
    let all = words(&action.text);
    let is_name = |word: &Span| word.of(&action.text).starts_with(char::is_uppercase);
    let said = |at: usize| fold(all[at].of(&action.text));
    (1..all.len()).any(|at| is_name(&all[at]) && said(at) == name && action.verbs.contains(&said(at - 1)))
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
