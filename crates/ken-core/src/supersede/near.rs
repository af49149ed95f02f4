//! Which sentences are about the same as another, found by the words that both have.

use super::cues::Cue;
use super::read::Texts;
use super::unit::Unit;

/// Sentences that are counted besides: of a few statements alone no word would tell anything.
const BACKGROUND: f32 = 50.0;
/// What the words around a clause count, where those of the clause count 1, and those of the sentences that a short one
/// leans on.
const AROUND: f32 = 0.35;
const CONTEXT: f32 = 0.45;
/// Most words that tell of a sentence that leans on the ones before it.
const THIN_MAX: usize = 3;
/// Most words of a sentence that only names a topic: `Packaging.`
const TOPIC_WORDS_MAX: usize = 6;
/// How far back the topic of an exchange is looked for, in sentences.
const TOPIC_BACK_MAX: usize = 6;
/// Places of a word that are looked at, the newest ones: of a common word the older ones are about something else.
const PLACES_MAX: usize = 400;
/// Least weight of the words that two sentences must share to be compared, and how many are compared at most.
const SHARED_MIN: f32 = 1.0;
const COMPARED_MAX: usize = 120;

/// Share of its words from which on a long sentence is said again, and how many it has.
const REPEATED_MIN: f32 = 0.8;
const REPEATED_WORDS_MIN: usize = 12;

/// Words with what each counts, sorted by word.
pub(super) type Keys = Vec<(u32, f32)>;

/// Where words stand and how much each tells.
pub(super) struct Near {
    /// `ln(1 + (N + 0.5) / (df + 0.5))` over the sentences.
    weights: Vec<f32>,
    places: Vec<Vec<u32>>,
    /// Of a sentence that leans on others the words of those.
    contexts: Vec<Vec<u32>>,
    /// Of a sentence that points at what was named before, the words of the sentences before it.
    topics: Vec<Vec<u32>>,
}

impl Near {
    /// Reads the first so many sentences.
    pub(super) fn of(texts: &Texts<'_>, n_units: usize) -> Near {
        let units = &texts.units;
        let contexts: Vec<Vec<u32>> = (0..units.len()).map(|at| context(units, at)).collect();
        let topics = (0..units.len()).map(|at| if units[at].has(Cue::Stands) { before(units, at) } else { Vec::new() });
        let topics: Vec<Vec<u32>> = topics.collect();
        let mut counts = vec![0_u32; texts.n_stems];
        let mut places: Vec<Vec<u32>> = vec![Vec::new(); texts.n_stems];
        for (at, unit) in units[..n_units].iter().enumerate() {
            let place = u32::try_from(at).expect("fewer sentences");
            for stem in &unit.stems {
                counts[*stem as usize] += 1;
                places[*stem as usize].push(place);
            }
            for stem in contexts[at].iter().filter(|stem| !unit.stems.contains(stem)) {
                places[*stem as usize].push(place);
            }
        }
        let n = n_units as f32 + BACKGROUND + 0.5;
        let weights = counts.into_iter().map(|df| (1.0 + n / (df as f32 + 0.5)).ln()).collect();
        Near { weights, places, contexts, topics }
    }

    pub(super) fn weight(&self, stem: u32) -> f32 {
        self.weights[stem as usize]
    }

    pub(super) fn sum(&self, stems: impl IntoIterator<Item = u32>) -> f32 {
        stems.into_iter().map(|stem| self.weight(stem)).sum()
    }

    pub(super) fn context(&self, at: usize) -> &[u32] {
        &self.contexts[at]
    }

    pub(super) fn topic(&self, at: usize) -> &[u32] {
        &self.topics[at]
    }

    /// The words of a clause and of its sentence, and of those that it leans on, without some.
    pub(super) fn keys(&self, unit: &Unit<'_>, at: usize, own: &[u32], but: &[u32]) -> Keys {
        let weighed = own.iter().map(|stem| (*stem, 1.0));
        let weighed = weighed.chain(unit.stems.iter().map(|stem| (*stem, AROUND)));
        let mut out: Keys = weighed.chain(self.contexts[at].iter().map(|stem| (*stem, CONTEXT))).collect();
        out.retain(|(stem, _)| !but.contains(stem));
        out.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
        out.dedup_by_key(|key| key.0);
        out
    }

    /// The same without what the sentence leans on.
    pub(super) fn keys_alone(&self, unit: &Unit<'_>, own: &[u32], but: &[u32]) -> Keys {
        let weighed = own.iter().map(|stem| (*stem, 1.0));
        let mut out: Keys = weighed.chain(unit.stems.iter().map(|stem| (*stem, AROUND))).collect();
        out.retain(|(stem, _)| !but.contains(stem));
        out.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
        out.dedup_by_key(|key| key.0);
        out
    }

    /// The similarity of two sets of words: `Σ min(wa, wb)·idf / sqrt(Σ wa·idf · Σ wb·idf)`.
    pub(super) fn similarity(&self, a: &Keys, b: &Keys) -> f32 {
        let total = |keys: &Keys| -> f32 { keys.iter().map(|(stem, weight)| weight * self.weight(*stem)).sum() };
        let weight_in_b = |stem: u32| b.binary_search_by_key(&stem, |key| key.0).ok().map(|at| b[at].1);
        let shared: f32 =
            a.iter().filter_map(|(stem, weight)| Some(weight.min(weight_in_b(*stem)?) * self.weight(*stem))).sum();
        shared / (total(a) * total(b)).sqrt().max(f32::EPSILON)
    }

    /// Whether a sentence says what another does, in nearly the same words.
    pub(super) fn is_repeated(&self, a: &Unit<'_>, b: &Unit<'_>) -> bool {
        let words = |unit: &Unit<'_>| -> Vec<u32> { unit.tokens.iter().map(|token| token.word).collect() };
        let (a, b) = (words(a), words(b));
        let n_shared = a.iter().filter(|word| b.contains(word)).count();
        n_shared as f32 >= REPEATED_MIN * a.len().max(b.len()) as f32 && a.len() >= REPEATED_WORDS_MIN
    }

    /// The sentences in `within` that share the most with one, in order; `shared` has a place for each sentence and is left empty.
    pub(super) fn like(
        &self,
        unit: &Unit<'_>,
        at: usize,
        within: std::ops::Range<usize>,
        shared: &mut [f32],
    ) -> Vec<usize> {
        let mut touched: Vec<usize> = Vec::new();
        let around =
            self.contexts[at].iter().chain(self.topics[at].iter().filter(|stem| !self.contexts[at].contains(stem)));
        let around = around.filter(|stem| !unit.stems.contains(stem)).map(|stem| (stem, CONTEXT));
        for (stem, amount) in unit.stems.iter().map(|stem| (stem, 1.0)).chain(around) {
            let places = &self.places[*stem as usize];
            let end = places.partition_point(|place| (*place as usize) < within.end);
            let begin = places.partition_point(|place| (*place as usize) < within.start);
            for place in &places[begin.max(end.saturating_sub(PLACES_MAX))..end] {
                let place = *place as usize;
                if shared[place] == 0.0 {
                    touched.push(place);
                }
                shared[place] += amount * self.weight(*stem);
            }
        }
        let mut out: Vec<(usize, f32)> =
            touched.iter().map(|place| (*place, shared[*place])).filter(|(_, mass)| *mass >= SHARED_MIN).collect();
        touched.into_iter().for_each(|place| shared[place] = 0.0);
        if out.len() > COMPARED_MAX {
            out.sort_by(|a, b| b.1.total_cmp(&a.1).then(b.0.cmp(&a.0)));
            out.truncate(COMPARED_MAX);
        }
        let mut out: Vec<usize> = out.into_iter().map(|(place, _)| place).collect();
        out.sort_unstable();
        out
    }
}

/// The words of the sentences that a sentence leans on: the one before it and the topic of its exchange, if it has few
/// words of its own.
fn context(units: &[Unit<'_>], at: usize) -> Vec<u32> {
    if units[at].stems.len() > THIN_MAX { Vec::new() } else { before(units, at) }
}

/// The words of the sentence before one and of the topic of its exchange.
fn before(units: &[Unit<'_>], at: usize) -> Vec<u32> {
    let unit = &units[at];
    let is_beside = |other: &&Unit<'_>| other.exchange == unit.exchange;
    let before = at.checked_sub(1).map(|before| &units[before]).filter(is_beside);
    let far = &units[at.saturating_sub(TOPIC_BACK_MAX)..at];
    let topic = far.iter().find(is_beside).filter(|topic| topic.tokens.len() <= TOPIC_WORDS_MAX);
    // `I take back the 80 euros; the deposit stays at 50`: the rest of a statement says of what.
    let is_bare = |next: &&Unit<'_>| unit.stems.is_empty() && next.turn == unit.turn;
    let next = units.get(at + 1).filter(is_bare);
    let mut out: Vec<u32> =
        before.into_iter().chain(topic).chain(next).flat_map(|unit| unit.stems.iter().copied()).collect();
    out.sort_unstable();
    out.dedup();
    out
}
