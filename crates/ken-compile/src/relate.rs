//! Finds the relations of a subject in what is said of it.
//!
//! High: the words between two names say that one needs the other (`depends on`, `uses`, `stored in`), or
//! a wikilink joins them. Mid: they are named together at least twice. The strongest are kept within the
//! caps; each carries the month of its newest evidence.

use std::collections::BTreeMap;

use ken_core::header::{HIGH_MAX, MID_MAX};
use ken_core::language::phrases;
use ken_core::{Date, Month};

use super::corpus::Named;
use super::ledger::Key;
use super::subject::MentionKind;

/// Longest text between two names that still joins them, in bytes.
const BETWEEN_MAX: usize = 60;

/// Passages that must name two subjects together before they are seen as related.
const TOGETHER_MIN: usize = 2;

/// What is known of one pair.
#[derive(Debug, Clone, Default)]
struct Pair {
    n_needs: usize,
    n_together: usize,
    newest: Option<Date>,
}

/// Collects evidence for the relations of one subject.
#[derive(Debug, Default)]
pub(crate) struct Evidence {
    pairs: BTreeMap<Key, Pair>,
}

/// The relations of one subject, strongest first, each with its month.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Relations {
    /// Needed to understand it.
    pub high: Vec<(Key, Option<Month>)>,
    /// Often useful with it.
    pub mid: Vec<(Key, Option<Month>)>,
}

impl Evidence {
    /// Takes one passage that names `key` among `about`.
    pub(crate) fn take(&mut self, key: Key, text: &str, about: &[Named], date: Option<Date>) {
        let own: Vec<&Named> = about.iter().filter(|named| named.key == key).collect();
        for other in about.iter().filter(|named| named.key != key) {
            let needs =
                own.iter().any(|own| joins(text, own, other)) || other.kind == MentionKind::Link && other.span.end > 0;
            let pair = self.pairs.entry(other.key).or_default();
            pair.n_needs += usize::from(needs);
            // What a piece of work speaks of once belongs to it.
            let is_work = other.kind == MentionKind::Work || own.iter().any(|own| own.kind == MentionKind::Work);
            pair.n_together += if is_work { TOGETHER_MIN } else { 1 };
            pair.newest = pair.newest.max(date);
        }
    }

    /// Returns the subjects that may be related, the likeliest first, at most `max`.
    pub(crate) fn candidates(&self, max: usize) -> Vec<Key> {
        let mut pairs: Vec<(&Key, &Pair)> = self.pairs.iter().collect();
        pairs.sort_by_key(|(key, pair)| (usize::MAX - pair.n_needs, usize::MAX - pair.n_together, **key));
        pairs.into_iter().take(max).map(|(key, _)| *key).collect()
    }

    /// Returns the relations within the caps.
    pub(crate) fn relations(&self) -> Relations {
        let month = |pair: &Pair| pair.newest.map(Month::of);
        let mut high: Vec<(&Key, &Pair)> = self.pairs.iter().filter(|(_, pair)| pair.n_needs > 0).collect();
        high.sort_by_key(|(key, pair)| (usize::MAX - pair.n_needs, usize::MAX - pair.n_together, **key));
        let spare = high.split_off(high.len().min(HIGH_MAX));
        let together = |(key, pair): &(&Key, &Pair)| {
            pair.n_together >= TOGETHER_MIN && !high.iter().any(|(known, _)| known == key)
        };
        let mut mid: Vec<(&Key, &Pair)> = self.pairs.iter().filter(together).collect();
        mid.extend(spare.into_iter().filter(|(key, _)| !mid.iter().any(|(known, _)| known == key)).collect::<Vec<_>>());
        mid.sort_by_key(|(key, pair)| (usize::MAX - pair.n_together, **key));
        mid.truncate(MID_MAX);
        let list = |pairs: Vec<(&Key, &Pair)>| pairs.into_iter().map(|(key, pair)| (*key, month(pair))).collect();
        Relations { high: list(high), mid: list(mid) }
    }
}

/// Whether the words between two names say that the first needs the second.
fn joins(text: &str, from: &Named, to: &Named) -> bool {
    if from.span.end == 0
        || to.span.end == 0
        || from.span.end > to.span.start
        || to.span.start - from.span.end > BETWEEN_MAX
    {
        return false;
    }
    let between = text.get(from.span.end..to.span.start).unwrap_or("").to_lowercase();
    // A full stop or another clause between them breaks the statement.
    let words: Vec<&str> =
        between.split(|ch: char| !ch.is_alphanumeric() && ch != '\'').filter(|word| !word.is_empty()).collect();
    let joined = format!(" {} ", words.join(" "));
    !between.contains(['.', ';', '!', '?'])
        && phrases(|lexicon| lexicon.pages.needing).any(|needs| joined.contains(&format!(" {needs} ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ken_core::Span;

    fn named(text: &str, name: &str, key: Key) -> Named {
        let at = text.find(name).expect("named");
        let (surface, span) = (name.into(), Span::new(at, at + name.len()));
        Named { key, surface, kind: MentionKind::Phrase, span, card: None, is_told: false, is_former: false }
    }

    #[test]
    fn dependency_wording_makes_a_high_relation_one_way() {
        let text = "The checkout flow depends on stock reservation.";
        let about = [named(text, "checkout flow", 1), named(text, "stock reservation", 2)];
        let (mut from, mut to) = (Evidence::default(), Evidence::default());
        from.take(1, text, &about, None);
        to.take(2, text, &about, None);
        assert_eq!((from.relations().high.len(), to.relations().high.len()), (1, 0));
    }

    #[test]
    fn being_named_together_twice_makes_a_mid_relation() {
        let text = "Delivery slots and price rounding were discussed.";
        let about = [named(text, "Delivery slots", 1), named(text, "price rounding", 2)];
        let mut evidence = Evidence::default();
        evidence.take(1, text, &about, None);
        assert!(evidence.relations().mid.is_empty());
        evidence.take(1, text, &about, "2026-04-01".parse().ok());
        assert_eq!(evidence.relations().mid, [(2, Month::parse("2026-04"))]);
    }
}
