//! Answers by picking sentences as they stand.
//!
//! A sentence counts by the question's words it holds, rare ones more, by those that are neighbours in both,
//! and a little by what stands above it and by how its page came into the route. A word that a picked
//! sentence holds adds half as much the next time, so that a second sentence has to say something else.

use std::collections::BTreeSet;

use crate::budget;
use crate::route::Query;
use crate::search::tokens::{runs, tokens};
use crate::search::{Language, Neighbours, Question};
use crate::time::{Date, leading_date};
use crate::words::{self, Weight, fold};

use super::{Answer, Citable, Consulted, Sentence};

/// Sentences of an answer.
const SENTENCES_MAX: usize = 5;
/// Pages and pieces of evidence that an answer is taken from.
const PLACES_MAX: usize = 4;
/// A further sentence must be worth this share of the best one.
const SHARE_MIN: f64 = 0.45;
/// An answer must hold this share of what is asked, weighed by rarity, the names of its pages included.
const SAID_MIN: f64 = 0.4;
/// What a word of the title or the heading counts, where the sentence itself does not hold it.
const ABOVE: f64 = 0.4;
/// What the tldr of the first page gains, as far as it holds the question's words.
const DEFINES: f64 = 1.5;
/// What a sentence that no longer holds must be worth, as a share of what others must.
const SUPERSEDED: f64 = 0.5;
/// What two neighbours of the question count that are neighbours in the sentence.
const NEIGHBOURS: f64 = 0.5;
/// What a sentence gains that has the form of what is asked for: a number, a reason.
const RIGHT_FORM: f64 = 1.3;
/// What a sentence gains that opens with what is asked about, and in how many words that is.
const OPENS: f64 = 1.25;
const OPENING_WORDS: usize = 4;
/// What the newest sentence gains over the oldest: later ones may correct earlier ones.
const RECENT: f64 = 0.25;
/// What is left of a sentence that asks, or says what is to be done.
const OPEN: f64 = 0.4;
/// Headings of compiled pages under which nothing is settled.
const OPEN_SECTIONS: &[&str] = &["Asked", "Open"];
/// A sentence says nothing new when another holds this share of its words.
const SAME_SHARE: f64 = 0.85;

/// Returns the sentences that answer a question, of what was consulted, best place first.
///
/// Where no sentence holds a word of the question, the first page was chosen by its name or triggers, and its
/// tldr answers. Nothing does when most of what is asked stands neither in the sentences nor in the names of
/// their pages.
pub fn extract(question: &str, consulted: &[Consulted]) -> Answer {
    let weighed = Weighed::new(question, consulted);
    let picked = weighed.pick();
    let sentence = |(place, citable): (usize, &Citable)| Sentence {
        text: citable.text.clone(),
        is_superseded: citable.is_superseded,
        citations: vec![consulted[place].cite(citable)],
    };
    let mut places: Vec<usize> = Vec::new();
    picked.iter().for_each(|(place, _)| places.extend(Some(*place).filter(|place| !places.contains(place))));
    let in_place = |place: &usize| {
        let mut here: Vec<(usize, &Citable)> = picked.iter().filter(|(at, _)| at == place).copied().collect();
        here.sort_by_key(|(_, citable)| (!citable.is_tldr, citable.lines));
        here
    };
    let mut chosen: Vec<(usize, &Citable)> = places.iter().flat_map(in_place).collect();
    if chosen.is_empty() {
        let first = consulted.iter().enumerate().find(|(_, one)| one.slug.is_some());
        chosen.extend(first.and_then(|(n, one)| Some((n, one.citables.iter().find(|citable| citable.is_tldr)?))));
    }
    if weighed.share_said(&chosen) < SAID_MIN {
        return Answer::default();
    }
    Answer { sentences: chosen.into_iter().map(sentence).collect() }
}

struct Candidate<'a> {
    place: usize,
    citable: &'a Citable,
    /// Positions of the question's words that it holds, and that stand above it.
    said: BTreeSet<usize>,
    above: BTreeSet<usize>,
    n_neighbours: usize,
    /// What it is worth beside its words, as a factor.
    shape: f64,
    folded: BTreeSet<String>,
}

impl Candidate<'_> {
    /// Whether it is newer than another sentence and holds the words of that.
    fn corrects(&self, other: &Candidate<'_>) -> bool {
        let is_newer = date_of(self.citable) > date_of(other.citable);
        is_newer && self.folded.len() > other.folded.len() && says_the_same(&self.folded, &other.folded)
    }
}

struct Weighed<'a> {
    candidates: Vec<Candidate<'a>>,
    /// Per word of the question.
    weights: Vec<f64>,
    query: Query,
    asked: Question,
    consulted: &'a [Consulted],
}

impl<'a> Weighed<'a> {
    fn new(question: &str, consulted: &'a [Consulted]) -> Weighed<'a> {
        let asked = Question::plain(question, &languages(consulted));
        let form = Form::of(question);
        let dates: BTreeSet<Date> = consulted.iter().flat_map(|one| &one.citables).filter_map(date_of).collect();
        let recency = |citable: &Citable| {
            let older = date_of(citable).map_or(0, |date| dates.range(..date).count());
            1.0 + RECENT * older as f64 / dates.len().max(1) as f64
        };
        let mut neighbours = Neighbours::new(&asked);
        let mut candidates: Vec<Candidate<'a>> = Vec::new();
        for (place, one) in consulted.iter().enumerate() {
            let title = if one.slug.is_some() { said(&asked, &one.title) } else { BTreeSet::new() };
            for citable in &one.citables {
                let mut above = said(&asked, &citable.heading);
                above.extend(&title);
                let n_neighbours = neighbours.find(&citable.text).into_iter().filter(|found| *found).count();
                candidates.push(Candidate {
                    place,
                    citable,
                    said: said(&asked, &citable.text),
                    above,
                    n_neighbours,
                    shape: shape(&asked, citable, form) * recency(citable),
                    folded: citable.folded().into_iter().collect(),
                });
            }
        }
        let n = candidates.len() as f64;
        let rarity = |at: usize| {
            let n_with = candidates.iter().filter(|candidate| candidate.said.contains(&at)).count() as f64;
            (1.0 + n / (1.0 + n_with)).ln()
        };
        let weight = |(at, word): (usize, &crate::search::question::Word)| {
            let is_strong = words::weight(&word.text) == Weight::Strong;
            if word.is_asked() { rarity(at) * if is_strong { 1.0 } else { 0.25 } } else { 0.0 }
        };
        let weights = asked.words.iter().enumerate().map(weight).collect();
        drop(neighbours);
        Weighed { candidates, weights, query: Query::new(question), asked, consulted }
    }

    fn pick(&self) -> Vec<(usize, &'a Citable)> {
        let is_said = |one: &&Candidate<'a>| !one.said.is_empty() || !one.above.is_empty();
        let (current, superseded): (Vec<_>, Vec<_>) =
            self.candidates.iter().filter(is_said).partition(|one| !one.citable.is_superseded);
        let mut picking =
            Picking { weighed: self, picked: Vec::new(), times: vec![0; self.weights.len()], enough: 0.0 };
        picking.pick(current, SENTENCES_MAX);
        // What no longer holds is worth saying where the question names what only that says.
        let times = &picking.times;
        let adds = |one: &&Candidate<'_>| one.said.iter().any(|at| times[*at] == 0 && self.weights[*at] > 0.0);
        let superseded = superseded.into_iter().filter(adds).collect();
        picking.enough *= SUPERSEDED;
        picking.pick(superseded, 1);
        picking.picked.into_iter().map(|one| (one.place, one.citable)).collect()
    }

    /// The share of the question that sentences hold, with the names of their pages and the headings above.
    fn share_said(&self, chosen: &[(usize, &Citable)]) -> f64 {
        let mut held = BTreeSet::new();
        for (place, citable) in chosen {
            let one = &self.consulted[*place];
            let names = one.names.iter().chain([&one.title, &citable.heading, &citable.text]);
            held.extend(names.flat_map(|name| said(&self.asked, name)));
        }
        // A word that stands nowhere is rare whatever it says: it weighs no more than the rarest one held.
        let most = held.iter().map(|at| self.weights[*at]).fold(0.0, f64::max);
        let weigh = |at: usize| self.weights[at].min(most);
        let all: f64 = (0..self.weights.len()).map(weigh).sum();
        if all > 0.0 { held.into_iter().map(weigh).sum::<f64>() / all } else { 0.0 }
    }

    fn value(&self, candidate: &Candidate<'_>, times: &[i32]) -> f64 {
        let word = |at: &usize| self.weights[*at] * 0.5_f64.powi(times[*at]);
        let own: f64 = candidate.said.iter().map(word).sum();
        let above: f64 = candidate.above.difference(&candidate.said).map(word).sum();
        let mean = self.weights.iter().sum::<f64>() / self.weights.len().max(1) as f64;
        let beside = NEIGHBOURS * mean * candidate.n_neighbours as f64 / (1 + times.iter().sum::<i32>()) as f64;
        // What the page is about defines it; the first places of a route are the surest.
        let defines = match candidate.citable.is_tldr && candidate.place == 0 {
            true if self.query.asks_what_it_is => mean,
            true => mean * DEFINES * candidate.said.len() as f64 / self.weights.len().max(1) as f64,
            false => 0.0,
        };
        let worth = own + ABOVE * above + beside + defines;
        let sure = 1.0 / (1.0 + 0.1 * candidate.place as f64);
        worth * sure * candidate.shape
    }
}

/// Sentences picked so far.
struct Picking<'w, 'a> {
    weighed: &'w Weighed<'a>,
    picked: Vec<&'w Candidate<'a>>,
    /// How often the picked sentences hold each word of the question.
    times: Vec<i32>,
    /// What a further sentence must be worth.
    enough: f64,
}

impl<'w, 'a> Picking<'w, 'a> {
    /// Picks at most `n_max` sentences, the one that adds most first.
    fn pick(&mut self, mut left: Vec<&'w Candidate<'a>>, n_max: usize) {
        let n_max = self.picked.len() + n_max;
        while self.picked.len() < n_max.min(SENTENCES_MAX) {
            let value = |candidate: &Candidate<'_>| self.weighed.value(candidate, &self.times);
            let best = left
                .iter()
                .enumerate()
                .max_by(|a, b| value(a.1).total_cmp(&value(b.1)).then(b.1.place.cmp(&a.1.place)).then(b.0.cmp(&a.0)));
            let Some(n) = best.map(|(n, _)| n) else { break };
            let candidate = left.remove(n);
            let worth = value(candidate);
            if worth <= 0.0 || worth < self.enough {
                break;
            }
            // What a later sentence says again, and more, it may correct: `15 minutes instead of 60`.
            let later = left.iter().enumerate().filter(|(_, other)| other.corrects(candidate));
            let later = later.max_by_key(|(_, other)| date_of(other.citable)).map(|(n, _)| n);
            let candidate = later.map_or(candidate, |n| left.remove(n));
            let places: BTreeSet<usize> = self.picked.iter().map(|one| one.place).collect();
            let is_one_too_many = places.len() >= PLACES_MAX && !places.contains(&candidate.place);
            if is_one_too_many || self.picked.iter().any(|known| says_the_same(&known.folded, &candidate.folded)) {
                continue;
            }
            if self.picked.is_empty() {
                self.enough = worth * SHARE_MIN;
            }
            // What stands above a sentence is understood with it.
            candidate.said.union(&candidate.above).for_each(|at| self.times[*at] += 1);
            self.picked.push(candidate);
        }
    }
}

/// What a sentence is worth beside its words: the form that is asked for, saying it of what is asked about,
/// and saying something that the question does not; long ones take the reader longer.
fn shape(asked: &Question, citable: &Citable, form: Option<Form>) -> f64 {
    let all = words::words(&citable.text);
    let strong = all.iter().map(|span| span.of(&citable.text)).filter(|word| words::weight(word) != Weight::Stop);
    let n_new = strong.filter(|word| said(asked, word).is_empty()).count();
    // Who asks whether something is so is answered by a sentence that says nothing else.
    let n_asked =
        asked.words.iter().filter(|word| word.is_asked() && words::weight(&word.text) == Weight::Strong).count();
    let says_all = said(asked, &citable.text).len() >= n_asked;
    let opening = all.get(OPENING_WORDS).map_or(citable.text.as_str(), |next| &citable.text[..next.start]);
    let is_met = form.is_some_and(|form| form.is_met(&citable.text));
    let is_open = citable.text.ends_with('?')
        || OPEN_SECTIONS.contains(&citable.heading.as_str())
        || opening.split_whitespace().any(|word| word == "asked");
    let factors = [
        (is_met, RIGHT_FORM),
        (!said(asked, opening).is_empty(), OPENS),
        (is_open, OPEN),
        (n_new < 3 && !says_all, (1.0 + n_new as f64) / 4.0),
    ];
    let factor: f64 = factors.iter().filter(|(applies, _)| *applies).map(|(_, factor)| factor).product();
    factor / (budget::count(&citable.text).0 as f64 + 40.0).sqrt()
}

/// The day of the newest source of a sentence.
fn date_of(citable: &Citable) -> Option<Date> {
    citable.refs.iter().filter_map(|cited| leading_date(cited.path.file_name())).max()
}

/// What an answer looks like, by how the question opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Number,
    Reason,
}

/// Openings of questions that a number or a day answers.
const NUMBER: &[&str] = &["how many", "how much", "how long", "how often", "how old", "when ", "quant", "quando "];
/// Openings of questions that a reason answers.
const REASON: &[&str] = &["why ", "perché ", "perche ", "how come "];
/// Words that give a reason.
const REASONS: &[&str] = &["because", "since ", "so that", "to avoid", "reason", "perché", "siccome", "poiché"];

impl Form {
    fn of(question: &str) -> Option<Form> {
        let lower = question.trim().to_lowercase();
        let opens = |openings: &[&str]| openings.iter().any(|opening| lower.starts_with(opening));
        if opens(NUMBER) {
            return Some(Form::Number);
        }
        opens(REASON).then_some(Form::Reason)
    }

    fn is_met(self, text: &str) -> bool {
        match self {
            Form::Number => text.contains(|ch: char| ch.is_ascii_digit()),
            Form::Reason => REASONS.iter().any(|word| text.to_lowercase().contains(word)),
        }
    }
}

/// The languages of what was consulted: a word of the question is looked up in each.
fn languages(consulted: &[Consulted]) -> Vec<Language> {
    let text = |one: &Consulted| one.citables.iter().map(|citable| citable.text.as_str()).collect::<Vec<_>>().join(" ");
    let bits = consulted.iter().map(|one| Language::of(&text(one)).bit()).fold(0, |all, bit| all | bit);
    Language::of_bits(bits)
}

/// Positions of the question's words that a text holds.
fn said(question: &Question, text: &str) -> BTreeSet<usize> {
    let mut out = BTreeSet::new();
    for (_, run) in runs(text) {
        for language in question.languages() {
            for token in tokens(run, *language) {
                let is_it = |word: &crate::search::question::Word| {
                    word.weight > 0.0 && word.forms.iter().any(|(form, _)| *form == token.term)
                };
                out.extend(question.words.iter().position(is_it));
            }
        }
    }
    out
}

fn says_the_same(a: &BTreeSet<String>, b: &BTreeSet<String>) -> bool {
    let shared = a.intersection(b).count() as f64;
    shared >= SAME_SHARE * a.len().min(b.len()) as f64
}

/// Returns the words of a text that say what it is about, lower case, each once; with `weak` also those that
/// say little.
pub(super) fn content_words(text: &str, weak: bool) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let spans = words::words(text).into_iter().map(|span| span.of(text));
    let says = |weight: Weight| weight == Weight::Strong || (weak && weight != Weight::Stop);
    let strong = spans.filter(|word| says(words::weight(word)) && (2..=30).contains(&word.chars().count()));
    strong.filter(|word| seen.insert(words::stem(&fold(word)))).map(str::to_lowercase).collect()
}
