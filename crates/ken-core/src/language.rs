//! The languages: one file each, with the words that every room looks up there.
//!
//! Adding a language is adding its file and its line in [`LEXICONS`]; what a file may hold says [`Lexicon`].
//! A text is stemmed by the rules of its own language; a question, which is too short to tell, by those of
//! every language that the index holds.

mod any_of;
mod chinese;
mod english;
mod french;
mod german;
mod italian;
mod japanese;
mod korean;
mod lexicon;
mod portuguese;
mod russian;
mod senses;
mod spanish;
mod wording;

use std::cell::{OnceCell, RefCell};

use rust_stemmers::Stemmer;
use unicode_normalization::UnicodeNormalization;

pub use any_of::AnyOf;
pub(crate) use lexicon::Questions;
pub use lexicon::{Lexicon, Pages, Sessions, Work};
pub(crate) use senses::Senses;
pub(crate) use wording::{Phrases, Wording};

use crate::memo::Memo;

/// Every language. A new one is a file and its line here, behind the others: an index keeps their places.
pub(crate) const LEXICONS: &[Lexicon] = &[
    english::ENGLISH,
    italian::ITALIAN,
    german::GERMAN,
    french::FRENCH,
    spanish::SPANISH,
    portuguese::PORTUGUESE,
    russian::RUSSIAN,
    chinese::CHINESE,
    japanese::JAPANESE,
    korean::KOREAN,
];

/// A language with a stemmer; texts in others are taken as English, and so are code, numbers, and whatever else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Language(usize);

/// How many have a stemmer.
const N: usize = {
    let (mut n, mut at) = (0, 0);
    while at < LEXICONS.len() {
        n += LEXICONS[at].stemmer.is_some() as usize;
        at += 1;
    }
    n
};

/// Words of a text that are looked at.
const LOOKED_AT_MAX: usize = 400;
/// A language other than English needs this many of its words, and half as many again as English has.
const TELLING_MIN: usize = 4;

thread_local! {
    static STEMMERS: OnceCell<Vec<Option<Stemmer>>> = const { OnceCell::new() };
}

impl Language {
    /// English, which stands first.
    pub const ENGLISH: Language = Language(0);

    /// Every language with a stemmer, in the order of their places.
    pub const ALL: [Language; N] = {
        let mut all = [Language::ENGLISH; N];
        let (mut n, mut at) = (0, 0);
        while at < LEXICONS.len() {
            if LEXICONS[at].stemmer.is_some() {
                all[n] = Language(at);
                n += 1;
            }
            at += 1;
        }
        all
    };

    /// Returns the language that most of a text is in.
    pub fn of(text: &str) -> Language {
        let mut counts = [0_usize; N];
        let words = text.split(|ch: char| !ch.is_alphanumeric()).filter(|word| !word.is_empty());
        for word in words.take(LOOKED_AT_MAX) {
            let folded = fold(word);
            for (n, language) in Language::ALL.iter().enumerate() {
                counts[n] += usize::from(language.lexicon().telling.split(' ').any(|known| known == folded));
            }
        }
        let best = (1..N).max_by_key(|n| (counts[*n], N - n)).unwrap_or(0);
        let is_sure = counts[best] >= TELLING_MIN && 2 * counts[best] > 3 * counts[0];
        if is_sure { Language::ALL[best] } else { Language::ENGLISH }
    }

    /// Returns the words of the language.
    pub fn lexicon(self) -> &'static Lexicon {
        &LEXICONS[self.0]
    }

    /// Returns its place among all languages.
    pub(crate) fn place(self) -> usize {
        self.0
    }

    /// Returns the bit that stands for the language in a set of them.
    pub fn bit(self) -> u32 {
        1 << self.0
    }

    /// Returns the languages of a set; English when it is empty.
    pub fn of_bits(bits: u32) -> Vec<Language> {
        let bits = if bits == 0 { Language::ENGLISH.bit() } else { bits };
        Language::ALL.into_iter().filter(|language| bits & language.bit() != 0).collect()
    }

    /// Returns the stem of a folded word; forms of one word have the same, regular or not.
    ///
    /// ```
    /// # use ken_core::language::Language;
    /// assert_eq!(Language::ENGLISH.stem("held"), Language::ENGLISH.stem("holds"));
    /// ```
    pub fn stem(self, folded: &str) -> String {
        let folded = self.base(folded).unwrap_or(folded);
        if folded.chars().count() < 3 || folded.bytes().any(|byte| byte.is_ascii_digit() || byte == b'_') {
            return folded.to_owned();
        }
        let make = || LEXICONS.iter().map(|lexicon| lexicon.stemmer.map(Stemmer::create)).collect();
        STEMMERS.with(|cell| match &cell.get_or_init(make)[self.0] {
            Some(stemmer) => stemmer.stem(folded).into_owned(),
            None => folded.to_owned(),
        })
    }

    /// Returns the base of a folded word whose form no ending tells.
    pub(crate) fn base(self, folded: &str) -> Option<&'static str> {
        (LEXICONS[self.0].base)(folded)
    }
}

/// The words of one list, in every language.
#[derive(Debug)]
pub struct WordSet(Vec<&'static str>);

impl WordSet {
    /// Returns what a list holds, of all languages together.
    ///
    /// ```
    /// # use ken_core::language::WordSet;
    /// let numbers = WordSet::of(|lexicon| lexicon.numbers);
    /// assert!(numbers.has("twelve") && numbers.has("zwolf") && !numbers.has("gate"));
    /// ```
    pub fn of(list: impl Fn(&'static Lexicon) -> &'static str) -> WordSet {
        let mut words: Vec<&str> = LEXICONS.iter().flat_map(|lexicon| list(lexicon).split_whitespace()).collect();
        words.sort_unstable();
        words.dedup();
        WordSet(words)
    }

    /// Whether a word stands in the list.
    pub fn has(&self, word: &str) -> bool {
        self.0.binary_search(&word).is_ok()
    }
}

/// Returns the phrases of one list, in every language.
pub fn phrases(list: impl Fn(&'static Lexicon) -> &'static [&'static str]) -> impl Iterator<Item = &'static str> {
    LEXICONS.iter().flat_map(list).copied()
}

/// The letters, digits, marks and underscores of a word in Latin, Greek and Cyrillic. All that are a `\w` take most of the time in
/// which a pattern is made.
const OF_WORD: &str = "[0-9A-Z_a-zÀ-ԯḀ-ỿ]";

/// Returns the alternatives of one list, in every language, as one part of a pattern; `\w` stands for what words are
/// written with in Europe.
pub fn alternatives(list: impl Fn(&'static Lexicon) -> &'static str) -> String {
    let lists: Vec<&str> = LEXICONS.iter().map(list).filter(|list| !list.is_empty()).collect();
    with_words_of_europe(&lists.join("|"))
}

/// Returns a pattern in which `\w` stands for what words are written with in Europe.
pub fn with_words_of_europe(pattern: &str) -> String {
    pattern.replace(r"\w", OF_WORD)
}

/// Returns the verbs of all languages that a note of a change opens with, each with the form in which it opens a title.
pub fn change_titles() -> impl Iterator<Item = (&'static str, &'static str)> {
    LEXICONS.iter().flat_map(|lexicon| lexicon.work.change_titles.split('|')).filter_map(|pair| pair.split_once(' '))
}

/// Returns a word in lower case without diacritics (`Criminalità` → `criminalita`).
pub fn fold(word: &str) -> String {
    if word.is_ascii() {
        return word.to_ascii_lowercase();
    }
    let plain = word.nfkd().filter(|ch| !unicode_normalization::char::is_combining_mark(*ch));
    plain.flat_map(char::to_lowercase).collect()
}

/// Returns the English stem of a folded word: the form under which near-duplicate names meet.
pub fn stem(folded: &str) -> String {
    thread_local! {
        static STEMS: RefCell<Memo<String>> = const { RefCell::new(Memo::new()) };
    }
    // What has three letters is a name as often as an inflection that an ending tells.
    if folded.len() < 4 {
        return Language::ENGLISH.base(folded).unwrap_or(folded).to_owned();
    }
    STEMS.with_borrow_mut(|stems| stems.of(folded, || Language::ENGLISH.stem(folded)).clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(Language::of(text).lexicon().name, expected);
    }

    #[test]
    fn languages_are_told_by_their_small_words() {
        check("The tokens are signed by the server, and the client keeps them.", "english");
        check("I token sono firmati dal server e il client li conserva, ma non per sempre.", "italian");
        check("Die Token werden von dem Server signiert und der Client bewahrt sie auf.", "german");
        check("Les jetons sont signés par le serveur et le client les garde pour nous.", "french");
        check("El servidor firma los tokens y el cliente los guarda para que no se pierdan.", "spanish");
        check("fn main() { let x = 3; }", "english");
        check("", "english");
    }

    #[test]
    fn words_are_looked_up_as_they_are_folded() {
        let lists: [fn(&Lexicon) -> &str; 6] = [
            |lexicon| lexicon.telling,
            |lexicon| lexicon.stop,
            |lexicon| lexicon.weak,
            |lexicon| lexicon.naming,
            |lexicon| lexicon.numbers,
            |lexicon| lexicon.ordinals,
        ];
        let words = lists.iter().flat_map(|list| LEXICONS.iter().flat_map(|lexicon| list(lexicon).split_whitespace()));
        for word in words {
            assert_eq!(fold(word), word);
        }
    }

    #[test]
    fn inflections_meet_in_their_language() {
        let meet = |name: &str, a: &str, b: &str| {
            let known = Language::ALL.into_iter().find(|language| language.lexicon().name == name);
            let language = known.expect("a language");
            assert_eq!(language.stem(a), language.stem(b), "{a} {b}");
        };
        meet("english", "tokens", "token");
        meet("italian", "decisioni", "decisione");
        meet("german", "entscheidungen", "entscheidung");
        meet("french", "decisions", "decision");
        meet("spanish", "decisiones", "decision");
    }

    #[test]
    fn a_word_of_a_pattern_is_one_in_any_script_of_europe() {
        let word = regex::Regex::new(&format!("^(?:{})+$", alternatives(|_| r"\w"))).expect("a pattern");
        for name in ["Ada", "été", "e\u{301}te\u{301}", "Ελένη", "Дора", "Đặng", "oven_2"] {
            assert!(word.is_match(name), "{name}");
        }
        assert!(!word.is_match("two words"));
    }
}
