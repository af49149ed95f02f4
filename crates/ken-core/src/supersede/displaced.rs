//! What is used in the place of something that a sentence finds wrong with that: `ring.cfg loses orders, so we used
//! queue.cfg instead`.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::cues::Cue;
use super::read::Texts;
use super::unit::Unit;
use super::{Evidence, World};
use crate::language::Phrases;

static THEREFORE: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(|lexicon| lexicon.changes.therefore));
static IN_ITS_PLACE: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(|lexicon| lexicon.changes.in_its_place));

/// Fewest letters of a part of a name of code: `e.g.` is none.
const LETTERS_MIN: usize = 3;

/// Two names of a sentence, of which one is used for what the other was used for.
pub(super) struct Displaced {
    old: String,
    new: String,
    /// What the sentence says of the use.
    own: BTreeSet<u32>,
}

impl Displaced {
    /// What a sentence says of what is used in the place of something else; both have names of code or files.
    pub(super) fn of(texts: &Texts<'_>, unit: &Unit<'_>) -> Option<Displaced> {
        if unit.is_doubtful() {
            return None;
        }
        let folded: Vec<&str> = unit.tokens.iter().map(|token| texts.word(*token).folded.as_str()).collect();
        let place = (1..folded.len()).find(|at| IN_ITS_PLACE.takes(&folded[*at..]) > 0)?;
        let therefore = (1..place).rfind(|at| THEREFORE.takes(&folded[*at..]) > 0)?;
        let (before, behind) = unit.text.split_at(unit.tokens[therefore].span.start);
        let (before, behind) = (names(before), names(behind));
        let gone: Vec<&String> = before.difference(&behind).collect();
        let used: Vec<&String> = behind.iter().collect();
        let ([old], [new]) = (gone.as_slice(), used.as_slice()) else { return None };
        let is_named = |word: &str| before.iter().chain(&behind).any(|name| name.contains(word));
        let words = unit.tokens[therefore..].iter().map(|token| texts.word(*token));
        let told =
            words.filter(|word| word.is_content && !texts.is_weak[word.stem as usize] && !is_named(&word.folded));
        let own = told.map(|word| word.stem).collect();
        Some(Displaced { old: (*old).clone(), new: (*new).clone(), own })
    }

    /// Whether a sentence says that the old is used for the same, and does not speak of the new.
    pub(super) fn is_over(&self, earlier: &Unit<'_>) -> bool {
        let named = names(earlier.text);
        let says = |name: &str| named.iter().any(|own| own == name || own.ends_with(&format!("/{name}")));
        let is_told = !earlier.is_doubtful() && !earlier.has(Cue::Finds) && !earlier.has(Cue::Not);
        is_told && says(&self.old) && !says(&self.new) && self.own.iter().any(|stem| earlier.stems.contains(stem))
    }
}

impl World<'_> {
    /// Takes what a sentence says of what is used in the place of something else.
    pub(super) fn take_displaced(&mut self, at: usize) {
        let unit = self.unit(at);
        let Some(displaced) = Displaced::of(self.texts, unit) else { return };
        for old in self.near.like(unit, at, 0..at, &mut self.shared) {
            if self.unit(old).said != unit.said && displaced.is_over(self.unit(old)) {
                self.replace(old, at, Evidence::Pair);
            }
        }
    }
}

/// The names of a text that are of code or files, in lower case: words that are joined by a sign, `main.json`.
fn names(text: &str) -> BTreeSet<String> {
    let is_joined = |name: &&str| {
        let chars: Vec<char> = name.chars().collect();
        let joins = |three: &[char]| {
            matches!(three[1], '.' | '_' | '/') && three[0].is_alphanumeric() && three[2].is_alphanumeric()
        };
        let is_word = |part: &str| part.chars().filter(|ch| ch.is_alphabetic()).count() >= LETTERS_MIN;
        chars.windows(3).any(joins) && name.split(['.', '_', '/']).any(is_word)
    };
    let parts = text.split(|ch: char| ch.is_whitespace() || "()[]{},;:\"'`*".contains(ch));
    parts.map(|part| part.trim_end_matches(['.', '!', '?'])).filter(is_joined).map(str::to_lowercase).collect()
}
