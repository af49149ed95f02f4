//! Words: where they stand in a text, how much they say, and what names are made of.
//!
//! A word is folded (lower case, no diacritics) and stemmed by the rules of its language. What of a text is looked
//! up, and by which terms, says [`crate::search::tokens`]. The words stand in the files of their languages.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeSet;
use std::sync::LazyLock;

use crate::language::{LEXICONS, WordSet};
use crate::memo::Memo;
use crate::span::Span;

pub use crate::language::{fold, stem};

static STOP: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.stop));
static WEAK: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.weak));
static NAMING: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.naming));
static NUMBERS: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.numbers));
static ORDINALS: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.ordinals));

/// How much a word says about a subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// Function words: never matched.
    Stop,
    /// Words that every project uses (`use`, `data`, `error`) and plain numbers: they support a match
    /// but do not make one.
    Weak,
    /// Words that name something.
    Strong,
}

/// Returns the words of a text: runs of letters and digits, joined inside by `_`, `-`, `.`, `'` only
/// where identifiers are (`max_retries`, `price.rs`), as byte ranges.
pub fn words(text: &str) -> Vec<Span> {
    let bytes = text.as_bytes();
    // How many bytes the letter or digit takes that stands at a place; 0 where none does.
    let letter = |at: usize| match bytes[at] {
        byte if byte.is_ascii() => usize::from(byte.is_ascii_alphanumeric()),
        _ => text[at..].chars().next().filter(|ch| ch.is_alphanumeric()).map_or(0, char::len_utf8),
    };
    let mut out = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let n = letter(at);
        if n == 0 {
            at += text[at..].chars().next().map_or(1, char::len_utf8);
            continue;
        }
        let start = at;
        at += n;
        while at < bytes.len() {
            match letter(at) {
                0 if bytes[at] == b'_' => at += 1,
                0 => break,
                n => at += n,
            }
        }
        out.push(Span::new(start, at));
    }
    out
}

/// Returns the words of a text, each folded: what two texts that differ in marks and case alone have in common.
pub fn folded_words(text: &str) -> Vec<String> {
    words(text).into_iter().map(|word| fold(word.of(text))).collect()
}

/// Returns whether a character belongs to a script without spaces, or to Korean.
pub fn is_cjk(ch: char) -> bool {
    matches!(ch, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}')
}

/// Returns the parts of an identifier (`maxRetries` → `max`, `Retries`; `auth_token` → `auth`, `token`);
/// empty for a word without parts.
pub fn identifier_parts(word: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut start = 0;
    let mut before: Option<char> = None;
    for (at, ch) in word.char_indices() {
        let next = word[at..].chars().nth(1);
        let is_hump = before.is_some_and(|b| {
            (b.is_lowercase() && ch.is_uppercase())
                || (b.is_uppercase() && ch.is_uppercase() && next.is_some_and(char::is_lowercase))
        });
        if ch == '_' || is_hump {
            if at > start {
                out.push(&word[start..at]);
            }
            start = if ch == '_' { at + 1 } else { at };
        }
        before = Some(ch);
    }
    if start == 0 {
        return Vec::new();
    }
    out.push(&word[start..]);
    out.retain(|part| !part.is_empty());
    out
}

/// The word and what it may be an inflection of: plurals, past forms and participles of English. Stems
/// would not do: `reservation` and `reserve` share one, but only the verb is filler.
fn inflections(folded: &str) -> impl Iterator<Item = String> {
    let stripped = |suffix: &str, with: &str| {
        folded.strip_suffix(suffix).filter(|rest| rest.len() >= 3).map(|rest| format!("{rest}{with}"))
    };
    let doubled = |suffix: &str| {
        let rest = folded.strip_suffix(suffix)?;
        let last = rest.chars().last()?;
        rest.strip_suffix(last).filter(|short| short.len() >= 2 && short.ends_with(last)).map(str::to_owned)
    };
    let forms = [
        Some(folded.to_owned()),
        stripped("s", ""),
        stripped("es", ""),
        stripped("ies", "y"),
        stripped("ed", ""),
        stripped("d", ""),
        stripped("ied", "y"),
        stripped("ing", ""),
        stripped("ing", "e"),
        stripped("ly", ""),
        doubled("ed"),
        doubled("ing"),
    ];
    forms.into_iter().flatten()
}

/// What is known of a word.
struct Known {
    folded: String,
    is_stop: bool,
    weight: OnceCell<Weight>,
    can_name: OnceCell<bool>,
    is_count_or_date: OnceCell<bool>,
    key: OnceCell<String>,
}

impl Known {
    fn new(word: &str) -> Known {
        let folded = fold(word);
        let is_stop = STOP.has(&folded) || (folded.chars().count() < 2 && !folded.chars().any(is_cjk));
        let (weight, can_name, is_count_or_date, key) = Default::default();
        Known { folded, is_stop, weight, can_name, is_count_or_date, key }
    }

    fn weight(&self) -> Weight {
        *self.weight.get_or_init(|| {
            let is_number = self.folded.bytes().all(|byte| byte.is_ascii_digit());
            match () {
                () if self.is_stop => Weight::Stop,
                () if is_number || inflections(&self.folded).any(|form| WEAK.has(&form)) => Weight::Weak,
                () => Weight::Strong,
            }
        })
    }

    fn can_name(&self) -> bool {
        *self.can_name.get_or_init(|| match self.weight() {
            Weight::Stop => false,
            Weight::Strong => true,
            Weight::Weak => {
                let folded = &self.folded;
                let singular = [folded.strip_suffix('s'), folded.strip_suffix("es"), Some(folded.as_str())];
                singular.into_iter().flatten().any(|form| NAMING.has(form))
            }
        })
    }

    fn is_count_or_date(&self) -> bool {
        let folded = &self.folded;
        let is_one = || {
            NUMBERS.has(folded)
                || ORDINALS.has(folded)
                || is_numeral_in_a_row(folded)
                || crate::when::is_calendar_name(folded)
        };
        *self.is_count_or_date.get_or_init(is_one)
    }

    /// What all spellings of the word share: its stem, or those of its parts.
    fn key(&self, word: &str) -> &str {
        self.key.get_or_init(|| {
            let mut stems: Vec<String> = identifier_parts(word).into_iter().map(|part| stem(&fold(part))).collect();
            if stems.is_empty() {
                stems.push(stem(&fold(word.trim_matches('_'))));
            }
            stems.retain(|stem| !stem.is_empty());
            stems.join("-")
        })
    }
}

/// Whether a word is a numeral with the ending of a place in a row: `30th`, `1er`.
fn is_numeral_in_a_row(folded: &str) -> bool {
    let ending = folded.trim_start_matches(|ch: char| ch.is_ascii_digit());
    ending.len() < folded.len() && matches!(ending, "st" | "nd" | "rd" | "th" | "er" | "ere" | "eme" | "e" | "º" | "ª")
}

/// Returns what is asked of a word; most words of a text were asked for before.
fn known<T>(word: &str, asked: impl FnOnce(&Known) -> T) -> T {
    thread_local! {
        static WORDS: RefCell<Memo<Known>> = const { RefCell::new(Memo::new()) };
    }
    WORDS.with_borrow_mut(|words| asked(words.of(word, || Known::new(word))))
}

/// Returns how much a word says.
pub fn weight(word: &str) -> Weight {
    known(word, Known::weight)
}

/// Returns whether a word is never matched: a function word, or a single letter.
pub fn is_stop(word: &str) -> bool {
    known(word, |known| known.is_stop)
}

/// Returns whether a text speaks as somebody does (`where we left it`, `Is it a constant`): such a text names nothing.
pub fn is_spoken(text: &str) -> bool {
    static SPEAKING: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.pages.speaking));
    static ASKING: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.pages.asking));
    let mut words = text.split_whitespace().map(|word| fold(word.trim_matches([',', '.', '"', '?', '(', ')'])));
    let asks = words.next().is_some_and(|first| ASKING.has(&first) || SPEAKING.has(&first));
    asks || words.any(|word| SPEAKING.has(&word))
}

/// Returns whether a word is a number: `twelve`, `zwölf`.
pub fn is_number_word(word: &str) -> bool {
    NUMBERS.has(&fold(word))
}

/// Returns whether a word says what something is: `is`, `becomes`, `wird`.
pub fn is_linking(word: &str) -> bool {
    static LINKING: LazyLock<BTreeSet<&str>> =
        LazyLock::new(|| LEXICONS.iter().flat_map(|lexicon| lexicon.changes.is.split('|')).collect());
    LINKING.contains(word.to_lowercase().as_str())
}

/// Returns whether a word only counts or dates something and names nothing: a number, a place in a row, a month, a
/// weekday.
pub fn is_count_or_date(word: &str) -> bool {
    known(word, Known::is_count_or_date)
}

/// Returns whether a word may begin or end the name of a subject: a strong word, or a common noun
/// (`order`, `job`) as opposed to a verb or an adjective.
pub fn can_name(word: &str) -> bool {
    known(word, Known::can_name)
}

/// Returns what all spellings of a name share: its folded, stemmed words joined by hyphens.
pub fn subject_key(name: &str) -> String {
    let mut out = String::new();
    for word in name.split(|ch: char| !ch.is_alphanumeric() && ch != '_').filter(|word| !word.is_empty()) {
        known(word, |known| {
            let key = known.key(word);
            if !key.is_empty() && !out.is_empty() {
                out.push('-');
            }
            out.push_str(key);
        });
    }
    out
}

/// Whether a text is in a language in which every noun has a capital, so that one makes no name.
pub(crate) fn has_nouns_in_capitals(text: &str) -> bool {
    static WORDS: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.claims.capitalised));
    thread_local! {
        static KNOWN: RefCell<Memo<bool>> = const { RefCell::new(Memo::new()) };
    }
    let is_one = |word: &str| KNOWN.with_borrow_mut(|known| *known.of(word, || WORDS.has(&fold(word))));
    words(text).iter().filter(|word| is_one(word.of(text))).nth(1).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_have_parts() {
        assert_eq!(identifier_parts("HTTPServer_config"), ["HTTP", "Server", "config"]);
        assert!(identifier_parts("plain").is_empty());
    }

    #[test]
    fn words_keep_identifiers_together() {
        let text = "Use max_retries in l'area 2023!";
        assert_eq!(
            words(text).iter().map(|w| w.of(text)).collect::<Vec<_>>(),
            ["Use", "max_retries", "in", "l", "area", "2023"]
        );
    }

    #[test]
    fn weights_tell_names_from_filler() {
        let shown: Vec<_> =
            ["the", "quanti", "implement", "2023", "reati", "token"].iter().map(|w| weight(w)).collect();
        assert_eq!(shown, [Weight::Stop, Weight::Stop, Weight::Weak, Weight::Weak, Weight::Strong, Weight::Strong]);
    }
}
