//! The names of a claim: proper names, acronyms, identifiers, files, code.
//!
//! Reads which stretches of a claim name something, and returns the places of those that the cited text does
//! not contain. Both sides are compared by their letters and digits alone, from the beginning of a word to
//! the end of one, endings aside: `RefreshToken`, `refresh-tokens` and `Refresh Token's` are one name. A
//! capital at the beginning of a sentence makes no name, nor does one in German, where every noun has one.

mod find;

use std::collections::BTreeSet;

use crate::span::Span;
use crate::words::{Weight, fold, stem, weight, words};

pub(super) use find::{Name, Sort, names};

/// Names that are looked up in one claim: more is no sentence.
const NAMES_MAX: usize = 200;

/// Returns the places of names that neither the cited text contains nor `known_names` allows.
pub(super) fn missing(claim: &str, names: &[Name], cited: &str, known_names: &dyn Fn(&str) -> bool) -> Vec<Span> {
    let is_wanted = |name: &&Name| !known_names(name.span.of(claim).trim_matches('`'));
    let wanted: Vec<&Name> = names.iter().take(NAMES_MAX).filter(is_wanted).collect();
    if wanted.is_empty() {
        return Vec::new();
    }
    let there = Letters::of(cited);
    let mut stems: Option<BTreeSet<String>> = None;
    let mut out = Vec::new();
    for (at, name) in wanted.iter().enumerate() {
        let text = name.span.of(claim);
        if there.has(text) || name.sort == Sort::Code && there.has_words(text) || there.has_initials(text) {
            continue;
        }
        let beside = [at.checked_sub(1), Some(at + 1)].map(|at| at.and_then(|at| wanted.get(at)));
        if beside.into_iter().flatten().any(|other| there.has_both(claim, name.span, other.span)) {
            continue;
        }
        if name.sort == Sort::Capital {
            let stems =
                stems.get_or_insert_with(|| words(cited).iter().map(|word| stem(&fold(word.of(cited)))).collect());
            if stems.contains(&stem(&fold(text))) {
                continue;
            }
        }
        if name.sort == Sort::Run && there.has_parts(text) {
            continue;
        }
        out.push(name.span);
    }
    out
}

/// A text by its letters and digits alone.
struct Letters {
    /// Folded, with nothing between words.
    text: String,
    /// Where words begin and end in it, sorted.
    edges: Vec<u32>,
    /// The first letters of its words.
    initials: String,
}

/// Endings that a name may have more or less than the cited one.
const ENDINGS: &[&str] = &["s", "es", "n", "en", "e", "i", "d", "ed"];

/// Longest text whose initials are looked at: in a long one every acronym stands somewhere.
const INITIALS_MAX: usize = 400;

impl Letters {
    fn of(text: &str) -> Letters {
        let mut out = Letters { text: String::with_capacity(text.len()), edges: vec![0], initials: String::new() };
        for word in text.split(|ch: char| !ch.is_alphanumeric()).filter(|word| !word.is_empty()) {
            let folded = fold(word);
            out.initials.extend(folded.chars().next());
            out.text.push_str(&folded);
            out.edges.push(u32::try_from(out.text.len()).unwrap_or(u32::MAX));
        }
        out
    }

    fn is_edge(&self, at: usize) -> bool {
        u32::try_from(at).is_ok_and(|at| self.edges.binary_search(&at).is_ok())
    }

    /// Whether it contains a name, endings aside.
    fn has(&self, name: &str) -> bool {
        let wanted = letters(name);
        if wanted.is_empty() || self.has_letters(&wanted) {
            return true;
        }
        let shorter = ENDINGS.iter().filter_map(|ending| wanted.strip_suffix(ending));
        shorter.filter(|short| short.chars().count() >= 3).any(|short| self.has_letters(short))
    }

    fn has_letters(&self, wanted: &str) -> bool {
        let finder = memchr::memmem::Finder::new(wanted);
        let is_name = |at: usize| {
            let end = at + wanted.len();
            self.is_edge(at) && (self.is_edge(end) || (wanted.len() >= 3 && self.has_ending(end)))
        };
        // Places may overlap: the letters of `v vV` hold `vv` twice.
        let mut from = 0;
        while let Some(at) = finder.find(&self.text.as_bytes()[from..]).map(|at| from + at) {
            if is_name(at) {
                return true;
            }
            from = at + 1;
        }
        false
    }

    fn has_ending(&self, at: usize) -> bool {
        let rest = self.text.get(at..).unwrap_or("");
        ENDINGS.iter().any(|ending| rest.starts_with(ending) && self.is_edge(at + ending.len()))
    }

    /// Whether it contains every word of a piece of code.
    fn has_words(&self, code: &str) -> bool {
        let mut parts = code.split(|ch: char| !ch.is_alphanumeric()).filter(|part| !part.is_empty()).peekable();
        parts.peek().is_some() && parts.all(|part| self.has(part))
    }

    /// Whether it contains the parts of a name that is put together, other than plain words: `JWT-based`.
    fn has_parts(&self, name: &str) -> bool {
        let is_word = name.chars().all(|ch| ch.is_alphanumeric() || ch == '-' || ch == '/' || ch == '\'' || ch == '’');
        let mut parts = name.split(|ch: char| !ch.is_alphanumeric()).filter(|part| !part.is_empty()).peekable();
        let is_plain = |part: &str| part.chars().all(char::is_lowercase) || weight(part) != Weight::Strong;
        is_word
            && name.contains(['-', '/', '\'', '’'])
            && parts.peek().is_some()
            && parts.all(|part| is_plain(part) || self.has(part))
    }

    /// Whether it contains two names beside each other as one: `Refresh Token` as `refreshToken`.
    fn has_both(&self, claim: &str, one: Span, other: Span) -> bool {
        let (first, second) = if one.start < other.start { (one, other) } else { (other, one) };
        let gap = claim.get(first.end..second.start).unwrap_or("-");
        gap == " " && self.has(&claim[first.start..second.end])
    }

    /// Whether an acronym is spelled out: `JWT` as `JSON Web Token`, or the initials are those of a name in it.
    fn has_initials(&self, name: &str) -> bool {
        let wanted = letters(name.strip_suffix('s').unwrap_or(name));
        let is_acronym = name.chars().filter(|ch| ch.is_uppercase()).count() == wanted.len();
        is_acronym && wanted.len() >= 3 && self.edges.len() <= INITIALS_MAX && self.initials.contains(&wanted)
    }
}

/// The letters and digits of a name, folded, without a possessive ending.
fn letters(name: &str) -> String {
    let name = name.strip_suffix("'s").or_else(|| name.strip_suffix("’s")).unwrap_or(name);
    let folded = fold(name);
    folded.chars().filter(|ch| ch.is_alphanumeric()).collect()
}
