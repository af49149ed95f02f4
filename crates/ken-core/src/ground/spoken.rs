//! In which language a text is, by its function words: what is said in another one need not share words.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use crate::language::LEXICONS;
use crate::words::{fold, words};

/// Fewest function words that tell in which language a text is.
const TELLING_MIN: usize = 2;

/// Returns which language a text is in, by its place among all, if it has more function words of one than of every other.
pub(super) fn spoken_in(text: &str) -> Option<usize> {
    static LISTS: LazyLock<Vec<BTreeSet<String>>> =
        LazyLock::new(|| LEXICONS.iter().map(|lexicon| lexicon.stop.split_whitespace().map(fold).collect()).collect());
    let mut counts = vec![0; LISTS.len()];
    for word in words(text) {
        let folded = fold(word.of(text));
        let of = LISTS.iter().enumerate().filter(|(_, list)| list.contains(&folded));
        of.for_each(|(n, _)| counts[n] += 1);
    }
    let (best, most) = counts.iter().copied().enumerate().max_by_key(|(_, count)| *count)?;
    let is_alone = counts.iter().filter(|count| **count == most).count() == 1;
    (most >= TELLING_MIN && is_alone).then_some(best)
}

/// Whether a text has a word of another one that no language says otherwise: a name, a number, code.
pub(super) fn shares_a_name(text: &str, other: &str) -> bool {
    let there: BTreeSet<String> = words(other).into_iter().map(|word| fold(word.of(other))).collect();
    let is_name = |n: usize, said: &str| {
        said.contains(|ch: char| ch.is_numeric() || ch == '_') || n > 0 && said.starts_with(char::is_uppercase)
    };
    let own = words(text).into_iter().map(|word| word.of(text)).enumerate();
    let mut names = own.filter(|(n, said)| is_name(*n, said)).map(|(_, said)| fold(said));
    names.any(|name| name.chars().count() > 1 && there.contains(&name))
}
