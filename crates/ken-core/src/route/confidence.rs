//! How sure it is that a page's header answers a question, 0 to 1.
//!
//! It is the share of what is asked that the header holds. Every word counts by its rarity among names and
//! triggers, so a word that no header has counts most of all; a word in the tldr counts less than one in a
//! name or trigger; two words that follow each other in the question, and in a name or trigger too, count
//! as one word more. What a header lacks counts less when the page's whole name stands in the question:
//! whoever names a page means it, whatever else they say.

use std::collections::{BTreeMap, BTreeSet};

use crate::index::{FieldKind, HeaderTerms, IndexEntry};
use crate::route::asked::Asked;
use crate::search::rank::idf;

/// From this confidence on a page is loaded. `docs/book/routing.md` has the curve.
pub const SURE: f64 = 0.38;

/// Rarity is reckoned as among at least so many pages: in a handful, every name stands on half of them.
const PAGES_MIN: usize = 200;
/// Short questions are less sure: as if so much more had been asked for and not found.
const DOUBT: f64 = 0.25;
/// What is missing counts by this part when the whole name of the page is said, in one word or in several.
const NAMED_IN_ONE_WORD: f64 = 0.5;
const NAMED_IN_WORDS: f64 = 0.25;

/// What is known of a page that shares a word with the question.
#[derive(Debug, Clone, Default)]
pub(super) struct Hit {
    pub(super) score: f64,
    /// Per word of the question: the best field it stands in.
    pub(super) fields: BTreeMap<usize, FieldKind>,
    /// Per word of the question: how many names and triggers say it, and the tldr.
    pub(super) places: BTreeMap<usize, u32>,
    /// Words of the question whose next word follows in a name or trigger too.
    pub(super) pairs: Vec<usize>,
    /// Words of the page's longest name that stands whole in the question.
    pub(super) n_named: usize,
    pub(super) confidence: f64,
}

/// What a second place adds against the first, as in BM25 (k1): what a header says in its name, its triggers and its
/// tldr the page is about more than what it says once.
const SATURATION: f64 = 1.2;

impl Hit {
    /// Returns the score, once the places are counted; `rarity` is what each word of the question adds.
    pub(super) fn score_by_places(&self, rarity: &[f64]) -> f64 {
        let of_word = |(n, field): (&usize, &FieldKind)| {
            let places = f64::from(self.places.get(n).copied().unwrap_or(1).max(1));
            rarity[*n] * field_weight(*field) * places * (SATURATION + 1.0) / (places + SATURATION)
        };
        self.fields.iter().map(of_word).sum()
    }
}

/// Triggers were chosen for routing; a word of a longer trigger says less, a tldr mentions in passing.
pub(super) fn field_weight(field: FieldKind) -> f64 {
    match field {
        FieldKind::Trigger | FieldKind::Name => 1.0,
        FieldKind::TriggerPart => 0.7,
        FieldKind::Tldr => 0.3,
    }
}

/// What the words of a question count against each other.
#[derive(Debug, Clone)]
pub(super) struct Shares(Vec<f64>);

impl Shares {
    /// Returns the shares of words that stand among the names and triggers of `named` pages each.
    pub(super) fn new(asked: &Asked<'_>, named: &[usize], n_pages: usize) -> Shares {
        let share = |named: &usize| f64::from(idf(*named, n_pages.max(PAGES_MIN))).sqrt();
        Shares(asked.words.iter().zip(named).map(|(word, named)| word.share() * share(named)).collect())
    }

    /// Returns how sure it is that a hit answers.
    pub(super) fn confidence(&self, hit: &Hit) -> f64 {
        let mut said: f64 = hit.pairs.iter().map(|first| self.0[*first].min(self.0[first + 1])).sum();
        let mut missing = 0.0;
        for (n, share) in self.0.iter().enumerate() {
            let field = hit.fields.get(&n);
            said += field.map_or(0.0, |field| share * field_weight(*field));
            missing += if field.is_none_or(|field| *field == FieldKind::Tldr) { *share } else { 0.0 };
        }
        let counts = match hit.n_named {
            0 => 1.0,
            1 => NAMED_IN_ONE_WORD,
            _ => NAMED_IN_WORDS,
        };
        said / (said + missing * counts + DOUBT)
    }

    /// Returns the word that decides about a hit: without it the hit would not be sure, or with it among the
    /// triggers it would be; of several the one that changes most. None when no single word does.
    pub(super) fn decides(&self, hit: &Hit) -> Option<usize> {
        let is_sure = hit.confidence >= SURE;
        let changed = |n: usize| {
            let mut other = hit.clone();
            if is_sure {
                other.fields.remove(&n);
                other.pairs.retain(|first| *first != n && first + 1 != n);
                other.n_named = 0;
            } else {
                other.fields.insert(n, FieldKind::Trigger);
            }
            (n, self.confidence(&other))
        };
        let wanted = |n: &usize| hit.fields.get(n).is_some_and(|field| *field != FieldKind::Tldr) == is_sure;
        let all = (0..self.0.len()).filter(wanted).map(changed);
        let decisive = all.filter(|(_, confidence)| (*confidence >= SURE) != is_sure);
        let far = |(_, confidence): &(usize, f64)| (confidence - SURE).abs();
        decisive.max_by(|a, b| far(a).total_cmp(&far(b)).then(b.0.cmp(&a.0))).map(|(n, _)| n)
    }
}

/// Reads names, triggers and tldr for what only their text shows: how often a word is said, whole names, and words beside
/// each other.
pub(super) fn look_closely(asked: &Asked<'_>, entry: &IndexEntry, hit: &mut Hit, maker: &mut HeaderTerms) {
    let is_there = |n: usize| hit.fields.get(&n).is_some_and(|field| *field != FieldKind::Tldr);
    let pairs: Vec<usize> = (1..asked.words.len()).map(|n| n - 1).filter(|n| is_there(*n) && is_there(n + 1)).collect();
    let mut found = Vec::new();
    let names = [entry.title.as_str(), entry.slug.as_str()].into_iter().chain(entry.aliases.iter().map(String::as_str));
    let triggers = entry.triggers.iter().map(|trigger| (trigger.as_str(), false));
    for (text, is_name) in names.map(|name| (name, true)).chain(triggers) {
        let words = words_asked(asked, text, maker);
        if is_name && !words.is_empty() && words.iter().all(|asked| !asked.is_empty()) {
            hit.n_named = hit.n_named.max(words.len());
        }
        count(&words, &mut hit.places);
        let follows =
            |first: usize| words.windows(2).any(|two| two[0].contains(&first) && two[1].contains(&(first + 1)));
        found.extend(pairs.iter().filter(|first| follows(**first)));
    }
    count(&words_asked(asked, &entry.tldr, maker), &mut hit.places);
    found.sort_unstable();
    found.dedup();
    hit.pairs = found;
}

/// Counts one place for each word of the question that a text says.
fn count(words: &[Vec<usize>], places: &mut BTreeMap<usize, u32>) {
    let said: BTreeSet<usize> = words.iter().flatten().copied().collect();
    said.into_iter().for_each(|n| *places.entry(n).or_default() += 1);
}

/// Per word of a text, function words aside: the words of the question that it is.
fn words_asked(asked: &Asked<'_>, text: &str, maker: &mut HeaderTerms) -> Vec<Vec<usize>> {
    let mut out = Vec::new();
    maker.each_word(text, |terms| {
        out.push((0..asked.words.len()).filter(|n| asked.words[*n].is_in(terms)).collect());
    });
    out
}
