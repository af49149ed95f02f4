//! The languages whose inflections are known.
//!
//! A text is stemmed by the rules of its own language; a question, which is too short to tell, by those of
//! every language that the index holds.

use std::cell::OnceCell;

use rust_stemmers::{Algorithm, Stemmer};
use unicode_normalization::UnicodeNormalization;

/// A language with a stemmer and function words; texts in others are taken as English.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Language {
    /// Also for code, numbers, and whatever else.
    English,
    /// Italian.
    Italian,
    /// German.
    German,
    /// French.
    French,
    /// Spanish.
    Spanish,
}

const N: usize = 5;

/// Words, folded, that stand in nearly every sentence of one language and seldom in the others.
const TELLING: [(Language, &str); N] = [
    (
        Language::English,
        "the and of to is that it for with was this are you not have be from at or an we by can will which has but they what when how",
    ),
    (
        Language::Italian,
        "il di che la per non una del della sono con gli dei ma anche nel alla questo come piu ha delle lo essere perche dal quando abbiamo viene",
    ),
    (
        Language::German,
        "der die und das ist nicht von zu den mit ein eine auf sich des dem auch es wird wir fur sind als bei oder nach aus ich haben war werden",
    ),
    (
        Language::French,
        "le les des et est une du que dans pour pas sur au avec ce il qui nous vous sont aux cette mais ont par plus fait etre ou je",
    ),
    (
        Language::Spanish,
        "el los las de que en y por una con no para es del se lo como mas pero sus al esta cuando este hay son fue muy ya",
    ),
];

/// Words of a text that are looked at.
const LOOKED_AT_MAX: usize = 400;
/// A language other than English needs this many of its words, and half as many again as English has.
const TELLING_MIN: usize = 4;

thread_local! {
    static STEMMERS: OnceCell<[Stemmer; N]> = const { OnceCell::new() };
}

impl Language {
    /// Every language, in the order of their codes.
    pub const ALL: [Language; N] =
        [Language::English, Language::Italian, Language::German, Language::French, Language::Spanish];

    /// Returns the language that most of a text is in.
    pub fn of(text: &str) -> Language {
        let mut counts = [0_usize; N];
        let words = text.split(|ch: char| !ch.is_alphanumeric()).filter(|word| !word.is_empty());
        for word in words.take(LOOKED_AT_MAX) {
            let folded = fold(word);
            for (n, (_, telling)) in TELLING.iter().enumerate() {
                counts[n] += usize::from(telling.split(' ').any(|known| known == folded));
            }
        }
        let best = (1..N).max_by_key(|n| (counts[*n], N - n)).unwrap_or(0);
        let is_sure = counts[best] >= TELLING_MIN && 2 * counts[best] > 3 * counts[0];
        if is_sure { Language::ALL[best] } else { Language::English }
    }

    /// Returns the bit that stands for the language in a set of them.
    pub fn bit(self) -> u32 {
        1 << self as u32
    }

    /// Returns the languages of a set; English when it is empty.
    pub fn of_bits(bits: u32) -> Vec<Language> {
        let bits = if bits == 0 { Language::English.bit() } else { bits };
        Language::ALL.into_iter().filter(|language| bits & language.bit() != 0).collect()
    }

    /// Returns the stem of a folded word.
    pub fn stem(self, folded: &str) -> String {
        if folded.chars().count() < 3 || folded.bytes().any(|byte| byte.is_ascii_digit() || byte == b'_') {
            return folded.to_owned();
        }
        let algorithm = |language| match language {
            Language::English => Algorithm::English,
            Language::Italian => Algorithm::Italian,
            Language::German => Algorithm::German,
            Language::French => Algorithm::French,
            Language::Spanish => Algorithm::Spanish,
        };
        STEMMERS.with(|cell| {
            let all = cell.get_or_init(|| Language::ALL.map(|language| Stemmer::create(algorithm(language))));
            all[self as usize].stem(folded).into_owned()
        })
    }
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
    // What has three letters is a name as often as an inflection.
    if folded.len() < 4 { folded.to_owned() } else { Language::English.stem(folded) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Language) {
        assert_eq!(Language::of(text), expected);
    }

    #[test]
    fn languages_are_told_by_their_small_words() {
        check("The tokens are signed by the server, and the client keeps them.", Language::English);
        check("I token sono firmati dal server e il client li conserva, ma non per sempre.", Language::Italian);
        check("Die Token werden von dem Server signiert und der Client bewahrt sie auf.", Language::German);
        check("Les jetons sont signés par le serveur et le client les garde pour nous.", Language::French);
        check("El servidor firma los tokens y el cliente los guarda para que no se pierdan.", Language::Spanish);
        check("fn main() { let x = 3; }", Language::English);
        check("", Language::English);
    }

    #[test]
    fn inflections_meet_in_their_language() {
        let meet = |language: Language, a: &str, b: &str| assert_eq!(language.stem(a), language.stem(b), "{a} {b}");
        meet(Language::English, "tokens", "token");
        meet(Language::Italian, "decisioni", "decisione");
        meet(Language::German, "entscheidungen", "entscheidung");
        meet(Language::French, "decisions", "decision");
        meet(Language::Spanish, "decisiones", "decision");
    }
}
