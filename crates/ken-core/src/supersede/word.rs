//! Words as sentences are compared by them, and what is known of each in its language.
//!
//! What a word is does not depend on the text it stands in, and most words of a text stood in one before: it is found out
//! once and remembered.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;
use std::sync::Arc;
use std::sync::{LazyLock, OnceLock};

use super::cues::{self, Cue};
use crate::language::{LEXICONS, Language, Lexicon, Wording, fold};
use crate::memo::Memo;
use crate::when::is_calendar_name;
use crate::words::{Weight, is_stop, weight};

/// What is known of a word in one language.
#[derive(Debug)]
pub(super) struct Known {
    pub(super) folded: String,
    pub(super) lower: String,
    /// What all its forms share.
    pub(super) stemmed: String,
    /// Whether it tells what a sentence is about: no function word, number, unit or name of a day.
    pub(super) is_content: bool,
    pub(super) is_number: bool,
    pub(super) is_unit: bool,
    /// Whether it stands before nouns: `the`.
    pub(super) is_determiner: bool,
    pub(super) is_calendar: bool,
    /// Whether every text uses it.
    pub(super) is_weak: bool,
    /// Whether it says what something measures, and not what it is.
    pub(super) is_measure: bool,
    /// How often something happens that it tells of, in seconds between: `daily`.
    pub(super) often: Option<u32>,
    /// How many times it says: `twice`.
    pub(super) repeats: Option<u32>,
    /// The phrases that begin with it.
    pub(super) beginning: Vec<u16>,
}

/// A word of some statements in one language.
#[derive(Debug)]
pub(super) struct Word {
    pub(super) known: Arc<Known>,
    pub(super) stem: u32,
    /// The place of how it is written in all statements.
    pub(super) spelling: u32,
}

impl Deref for Word {
    type Target = Known;

    fn deref(&self) -> &Known {
        &self.known
    }
}

/// Returns what is known of a word in a language.
pub(super) fn known(said: &str, language: Language) -> Arc<Known> {
    thread_local! {
        static WORDS: RefCell<Vec<Memo<Arc<Known>>>> = const { RefCell::new(Vec::new()) };
    }
    WORDS.with_borrow_mut(|words| {
        words.resize_with(LEXICONS.len(), Memo::new);
        Arc::clone(words[language.place()].of(said, || Arc::new(Known::of(said, language))))
    })
}

impl Known {
    fn of(said: &str, language: Language) -> Known {
        let (folded, lower) = (fold(said), said.to_lowercase());
        let (cues, lists) = (cues::of(language), lists(language));
        // What is a number or a small word in one language is a thing in another: `le four`, `der Mais`.
        let is_number = folded.bytes().all(|byte| byte.is_ascii_digit()) || lists.numbers.has(&folded);
        let is_calendar = is_calendar_name(&folded) || folded.strip_suffix('s').is_some_and(is_calendar_name);
        let beginning = cues.beginning(&lower);
        let is_unit = cues.has(&beginning, Cue::Unit);
        let is_measure = cues.has(&beginning, Cue::Measures);
        let is_content = !is_number
            && !is_calendar
            && !is_unit
            && folded.chars().any(char::is_alphabetic)
            && function_word(&folded) & language.bit() == 0
            && (!is_stop(said) || function_word(&folded) != 0);
        Known {
            stemmed: language.stem(&folded),
            is_content,
            is_number,
            is_unit,
            is_determiner: lists.determiners.has(said) || lists.determiners.has(&folded),
            is_calendar,
            is_weak: weight(said) != Weight::Strong,
            is_measure,
            often: lists.often.first(&folded, &lower),
            repeats: lists.repeats.get(&folded),
            beginning,
            folded,
            lower,
        }
    }
}

/// The words of one list of one language.
struct List(Vec<&'static str>);

impl List {
    fn of(words: &'static str) -> List {
        let mut words: Vec<&str> = words.split_whitespace().collect();
        words.sort_unstable();
        List(words)
    }

    fn has(&self, word: &str) -> bool {
        self.0.binary_search(&word).is_ok()
    }
}

/// What rows of words of one language say, by word; of a word in several rows the first counts.
pub(super) struct Rows<V>(BTreeMap<&'static str, (usize, V)>);

impl<V: Copy> Rows<V> {
    fn of(rows: impl Iterator<Item = (V, &'static str)>) -> Rows<V> {
        let mut out = BTreeMap::new();
        for (row, (value, words)) in rows.enumerate() {
            words.split(' ').for_each(|word| {
                out.entry(word).or_insert((row, value));
            });
        }
        Rows(out)
    }

    /// Returns what the row of a word says.
    pub(super) fn get(&self, word: &str) -> Option<V> {
        self.0.get(word).map(|(_, value)| *value)
    }

    /// Returns what the first row says that has a word folded or in small letters.
    pub(super) fn first(&self, folded: &str, lower: &str) -> Option<V> {
        let found = [self.0.get(lower), self.0.get(folded)];
        found.into_iter().flatten().min_by_key(|(row, _)| *row).map(|(_, value)| *value)
    }
}

/// The lists of one language that are looked up word by word.
pub(super) struct Lists {
    numbers: List,
    determiners: List,
    /// Lengths of time in seconds, by their unit.
    pub(super) lengths: Rows<u32>,
    often: Rows<u32>,
    repeats: Rows<u32>,
    /// Numbers in words.
    pub(super) told: Rows<u64>,
    /// Parts of units of time in seconds, by their phrases.
    pub(super) fractions: Vec<(u32, Wording)>,
    pub(super) codes: BTreeSet<&'static str>,
    /// What amounts are of, lengths of time among them.
    pub(super) units: BTreeSet<&'static str>,
}

impl Lists {
    fn of(lexicon: &Lexicon) -> Lists {
        let (changes, claims) = (&lexicon.changes, &lexicon.claims);
        let fraction = |phrase: &'static str| {
            let (seconds, phrase) = phrase.split_once(' ')?;
            Some((seconds.parse().ok()?, Wording::of(phrase, str::to_lowercase)))
        };
        let fractions = changes.fractions.split('|').filter_map(fraction);
        let units = changes.units.split('|').chain(changes.lengths.iter().flat_map(|(_, words)| words.split(' ')));
        Lists {
            numbers: List::of(lexicon.numbers),
            determiners: List::of(lexicon.pages.determiners),
            lengths: Rows::of(changes.lengths.iter().copied()),
            often: Rows::of(changes.often.iter().copied()),
            repeats: Rows::of(changes.repeats.iter().copied()),
            told: Rows::of(claims.sure_numbers.iter().chain(claims.unsure_numbers).copied()),
            fractions: fractions.collect(),
            codes: changes.codes.split('|').collect(),
            units: units.collect(),
        }
    }
}

/// Returns the lists of a language, which are made when the first word in it is read.
pub(super) fn lists(language: Language) -> &'static Lists {
    static ALL: LazyLock<Vec<OnceLock<Lists>>> = LazyLock::new(|| LEXICONS.iter().map(|_| OnceLock::new()).collect());
    ALL[language.place()].get_or_init(|| Lists::of(language.lexicon()))
}

/// Returns whether a word of a language says that something is a newer one: `new`.
pub(super) fn says_newer(language: Language, lower: &str) -> bool {
    language.lexicon().changes.newness.split(' ').any(|new| new == lower)
}

/// Returns in which languages a folded word is a function word, a bit each.
pub(super) fn function_word(folded: &str) -> u32 {
    static WORDS: LazyLock<BTreeMap<String, u32>> = LazyLock::new(|| {
        let mut out: BTreeMap<String, u32> = BTreeMap::new();
        for language in spoken() {
            let (lexicon, changes) = (language.lexicon(), &language.lexicon().changes);
            let lists = [lexicon.stop, lexicon.telling, lexicon.claims.capitalised, changes.small];
            let phrases = [changes.joins, changes.because, changes.is];
            let small = lists
                .into_iter()
                .flat_map(str::split_whitespace)
                .chain(phrases.into_iter().flat_map(|list| list.split('|')));
            small
                .filter(|word| !word.contains(' '))
                .for_each(|word| *out.entry(fold(word)).or_default() |= language.bit());
        }
        out
    });
    WORDS.get(folded).copied().unwrap_or(0)
}

/// Returns in which languages a word shows that a text is in them, a bit each: a function word, or one that says something
/// of change.
pub(super) fn telling(said: &str) -> u32 {
    thread_local! {
        static MASKS: RefCell<Memo<u32>> = const { RefCell::new(Memo::new()) };
    }
    MASKS.with_borrow_mut(|masks| *masks.of(said, || telling_folded(&fold(said))))
}

fn telling_folded(folded: &str) -> u32 {
    static WORDS: LazyLock<BTreeMap<String, u32>> = LazyLock::new(|| {
        let mut out: BTreeMap<String, u32> = BTreeMap::new();
        for language in spoken() {
            let changes = &language.lexicon().changes;
            let lists = [
                changes.change,
                changes.alters,
                changes.named,
                changes.toward,
                changes.of,
                changes.at,
                changes.units,
                changes.owns,
            ];
            let words = lists.into_iter().flat_map(|list| list.split(['|', '/']));
            words
                .filter(|word| !word.contains([' ', '*']))
                .for_each(|word| *out.entry(fold(word)).or_default() |= language.bit());
        }
        out
    });
    WORDS.get(folded).copied().unwrap_or(0) | function_word(folded)
}

/// Returns the languages in which changes are understood.
pub(super) fn spoken() -> impl Iterator<Item = Language> {
    Language::ALL.into_iter().filter(|language| !language.lexicon().changes.change.is_empty())
}
