//! Looks closely at what an index found: which unit of it answers the question best.
//!
//! The score of a unit is its BM25 against the question, plus what share of the question it covers, as a whole
//! and in its best sentence, plus a part of what its document scores; then each unit gives a part of its score
//! to its neighbours, so that the answer behind a question, or the code behind its sentence, is found though it
//! holds none of the words. All amounts are shares of the most that a text could score, so they mean the same
//! for every question.

mod beside;
mod confidence;
mod weigh;

use std::sync::LazyLock;

use indexmap::IndexMap;

use crate::chat::said_by;
use crate::finding::tells_cause;
use crate::language::WordSet;
use crate::page::outline::DISPUTED;
use crate::search::asks::Asks;
use crate::search::question::Question;
use crate::search::rank::{Collection, Frequency, PASSAGES_MIN, idf, is_near as is_near_day};
use crate::search::tokens::{TokenKind, runs, tokens};
use crate::search::unit::Unit;
use crate::search::word::Word;
use crate::time::Date;
use crate::when::DateWords;
use crate::words::fold;

use beside::Beside;
pub use confidence::{SURE, Verdict};

static DISAGREEING: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.questions.disagreeing));

/// Saturation and length of BM25 (Robertson and Zaragoza, 2009).
const K1: f32 = 1.2;
const B: f32 = 0.75;
/// What standing in a title or heading adds to how often a word stands in a unit.
const HEADING: f32 = 0.8;
/// A word that only begins like one of the question counts this much of it.
const NEAR: f32 = 0.6;
/// What neighbouring words of the question add where they are neighbours, of the average word.
const PAIR: f32 = 0.5;
/// Shares of the score: all of the unit, its best sentence, its document.
const COVERED: f32 = 0.2;
const SENTENCE: f32 = 0.5;
const DOC: f32 = 0.4;
/// What a sentence takes from the one behind it, and from its heading.
const FOLLOWER: f32 = 0.7;
const HEADED: f32 = 0.6;
/// What the title of talk says of its units, where its turns are short: it is taken from the beginning, and what comes later
/// may be about anything.
const TITLE_OF_TALK: f32 = 0.5;
/// What it counts that a unit has what the question asks for: a number, a reason, a name.
const ASKED_FOR: f32 = 0.25;
/// What of the best unit of a session counts for each one that says what was found, where a cause is asked for: the words of
/// the question are those of the symptom, and the cause has others.
const CAUSE: f32 = 0.8;
/// What a list of what tools did counts against what somebody said.
const EVENT: f32 = 0.7;
/// The best units of a document that count for it: each half of the one before.
const BEST_UNITS: usize = 4;
/// What it counts that somebody says it whom the question names first.
const SPOKEN: f32 = 0.5;
/// What being of a day that the question names counts, and being before it, which fades in so many days.
const OF_THE_DAY: f32 = 1.5;
const BEFORE_THE_DAY: f32 = 0.3;
const FADES_IN_DAYS: f32 = 15.0;

/// A document of which something was found.
#[derive(Debug, Clone)]
pub struct FoundDoc<'t> {
    /// The text of its file.
    pub text: &'t str,
    /// What is said of every unit: title, file name.
    pub title: &'t str,
    /// Its day.
    pub date: Option<Date>,
    /// Its units, each with the headings above it.
    pub units: Vec<(&'t Unit, &'t str)>,
    /// Among what else it counts.
    pub kind: DocKind,
}

/// What a document is, beside those of which each counts by what all of it says of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DocKind {
    /// The page of a piece of work: it counts as the session does that it was made of.
    Work,
    /// A document, or a page made of one.
    Document,
    /// Anything else; the talk of a session is told by its turns.
    Other,
}

/// What a unit says of a question.
#[derive(Debug, Clone, Default)]
pub struct Said {
    /// Per word of the question: how often it stands there, headings aside.
    pub times: Vec<f32>,
    /// Per word: what it counts there at most, headings included.
    pub has: Vec<f32>,
    /// Per word: what it counts in the best sentence and its follower.
    pub in_sentence: Vec<f32>,
    /// Its content words, hashed, sorted.
    pub words: Vec<u32>,
    /// Its score, with what those beside it give.
    pub score: f32,
    /// What of that is its own.
    pub(crate) own: f32,
    /// The unit that it replies to, where it is found by that more than by its own words.
    pub(crate) replies_to: Option<usize>,
    n_words: usize,
    pairs: u64,
    has_asked: bool,
    /// Whether it says what was found, and a cause is asked for.
    is_cause: bool,
    /// Whether it is said by whom the question asks about.
    pub(crate) is_spoken: bool,
}

impl Said {
    /// Returns which share of the question's neighbouring words are neighbours there, of so many.
    pub(crate) fn share_of_pairs(&self, n_pairs: usize) -> f32 {
        self.pairs.count_ones() as f32 / n_pairs.clamp(1, 64) as f32
    }
}

/// A question with what is needed to look at texts.
pub struct Close<'q> {
    question: &'q Question,
    frequencies: &'q [Frequency],
    weights: Vec<f32>,
    /// What each word counts for being sure: days say only when.
    sure: Vec<f32>,
    /// What a word counts that stands in one passage.
    rarest: f32,
    asks: Option<Asks>,
    asks_for_command: bool,
    /// Per run: its content words, each as a word of the question with how much of it, and a hash.
    known: IndexMap<String, Box<[Heard]>>,
}

/// The words of the question that stand above a unit, and those that name who says it.
type Above = (Vec<f32>, Vec<f32>);

/// One content word of a text.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Heard {
    word: Option<(usize, f32)>,
    /// A whole that its parts say already.
    is_whole: bool,
    hash: u32,
}

impl<'q> Close<'q> {
    /// Returns a question that looks at texts; `frequencies` say how often each of its words stands in the index.
    pub fn new(question: &'q Question, frequencies: &'q [Frequency], collection: &Collection) -> Close<'q> {
        // A small vault does not make words common.
        let n_passages = collection.n_passages.max(PASSAGES_MIN);
        let measure: Vec<&str> = Asks::measure(&question.text).collect();
        let has_other = question.words.iter().any(|word| !word.is_date && word.is_asked());
        let weight = |(word, frequency): (&Word, &Frequency)| {
            if measure.contains(&fold(&word.text).as_str()) {
                return 0.0;
            }
            let weight = word.weight * word.certainty() * idf(frequency.n_passages, n_passages);
            // A day in the words of the question says when, and what only where it says nothing else.
            if word.is_date && has_other { 0.0 } else { weight }
        };
        let weights = question.words.iter().zip(frequencies).map(weight).collect();
        let sure = |(word, frequency): (&Word, &Frequency)| {
            let is_said = word.is_asked() && word.tells();
            if is_said { word.weight * idf(frequency.n_passages, n_passages) } else { 0.0 }
        };
        let sure = question.words.iter().zip(frequencies).map(sure).collect();
        let (rarest, asks) = (idf(1, n_passages), Asks::of(&question.text));
        let asks_for_command = Asks::is_of_command(&question.text);
        Close { question, frequencies, weights, sure, rarest, asks, asks_for_command, known: IndexMap::new() }
    }

    /// Returns whether the question asks what to run.
    pub(crate) fn asks_for_command(&self) -> bool {
        self.asks_for_command
    }

    /// Returns the question.
    pub fn question(&self) -> &Question {
        self.question
    }

    /// Returns what kind of answer is asked for.
    pub fn asks(&self) -> Option<Asks> {
        self.asks
    }

    /// Returns what each word of the question counts.
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// Returns what the units of documents say, scored.
    pub fn look(&mut self, docs: &[FoundDoc<'_>]) -> Vec<Vec<Said>> {
        let speaker = self.speaker_asked(docs);
        let mut all: Vec<Vec<Said>> = docs.iter().map(|doc| self.look_at(doc, speaker)).collect();
        let n_units: usize = all.iter().map(Vec::len).sum();
        let n_words: usize = all.iter().flatten().map(|said| said.n_words).sum();
        let average = (n_words as f32 / n_units.max(1) as f32).max(1.0);
        for (doc, units) in docs.iter().zip(&mut all) {
            self.score(doc, units, average);
        }
        weigh::weigh(docs, &mut all);
        all
    }

    /// The word of the question that names who is asked about: the first that is part of a speaker's name. What is
    /// somebody's (`Ada's birthday`) others say as well, and who it was is not known where that is asked.
    fn speaker_asked(&mut self, docs: &[FoundDoc<'_>]) -> Option<usize> {
        let mut marks = vec![0.0; self.question.words.len()];
        docs.iter().flat_map(|doc| &doc.units).for_each(|(unit, _)| self.mark(&unit.speaker, &mut marks));
        let question = self.question;
        let is_named = |n: &usize| marks[*n] >= 1.0 && question.words[*n].is_asked();
        let first = (0..marks.len()).filter(is_named).min_by_key(|n| question.words[*n].span.start)?;
        let (name, rest) = question.text.split_at(question.words[first].span.end);
        let is_somebodys = |mark: &str| name.ends_with(mark) || rest.starts_with(mark);
        let is_other = self.asks == Some(Asks::Person) || ["'s", "’s"].into_iter().any(is_somebodys);
        (!is_other).then_some(first)
    }

    fn look_at(&mut self, doc: &FoundDoc<'_>, speaker: Option<usize>) -> Vec<Said> {
        let n = self.question.words.len();
        let mut title = vec![0.0; n];
        self.mark(doc.title, &mut title);
        if Beside::of(doc).is_small_talk() {
            title.iter_mut().for_each(|title| *title *= TITLE_OF_TALK);
        }
        // Per heading and speaker: what is said above, and by whom.
        let mut headings: IndexMap<(&str, &str), Above> = IndexMap::new();
        let asks_for_cause = Asks::is_of_cause(&self.question.text);
        let mut out = Vec::with_capacity(doc.units.len());
        for (unit, heading) in &doc.units {
            let key = (*heading, unit.speaker.as_str());
            if !headings.contains_key(&key) {
                let mut by = vec![0.0; n];
                self.mark(key.1, &mut by);
                // `What do Ada and Ben disagree about?` is answered by what each of them says, and never in that word.
                if heading.ends_with(DISPUTED) {
                    let asks = |n: &usize| DISAGREEING.has(&fold(&self.question.words[*n].text));
                    (0..n).filter(asks).for_each(|n| by[n] = 1.0);
                }
                let mut above: Vec<f32> = by.iter().zip(&title).map(|(by, title)| by.max(*title)).collect();
                self.mark(heading, &mut above);
                headings.insert(key, (above, by));
            }
            let (above, by) = headings[&key].clone();
            let is_spoken = speaker.is_some_and(|speaker| by[speaker] >= 1.0);
            let mut said = Said { times: vec![0.0; n], has: vec![0.0; n], is_spoken, ..Said::default() };
            let mut by_sentence = Vec::with_capacity(unit.sentences.len());
            let mut before = [None, None];
            for sentence in &unit.sentences {
                // Who speaks says every sentence.
                let mut marks = by.clone();
                self.hear(sentence.of(doc.text), &mut said, &mut marks, &mut before);
                by_sentence.push(marks);
            }
            self.take_sentences(&mut said, by_sentence, &above);
            said.has_asked = self.asks.is_some_and(|asks| asks.is_met(&said_by(unit.span.of(doc.text), &unit.speaker)));
            let finds = || unit.sentences.iter().any(|sentence| tells_cause(sentence.of(doc.text)));
            said.is_cause = asks_for_cause && finds();
            said.words.sort_unstable();
            said.words.dedup();
            for (has, above) in said.has.iter_mut().zip(&above) {
                *has = has.max(*above);
            }
            out.push(said);
        }
        out
    }

    /// Marks the words of the question that stand in a text.
    fn mark(&mut self, text: &str, marks: &mut [f32]) {
        for (_, run) in runs(text) {
            self.learn(run);
            for (word, amount) in self.known[run].iter().filter_map(|heard| heard.word) {
                marks[word] = f32::max(marks[word], amount);
            }
        }
    }

    fn hear(&mut self, text: &str, said: &mut Said, marks: &mut [f32], before: &mut [Option<usize>; 2]) {
        for (at, run) in runs(text) {
            // The mark of a footnote is no word.
            if text[..at].ends_with("[^") {
                continue;
            }
            self.learn(run);
            for heard in &self.known[run] {
                if let Some((word, amount)) = heard.word {
                    said.times[word] += amount;
                    said.has[word] = said.has[word].max(amount);
                    marks[word] = f32::max(marks[word], amount);
                    for (n, (a, b)) in self.question.pairs.iter().enumerate().take(64) {
                        if *b == word && before.contains(&Some(*a)) {
                            said.pairs |= 1 << n;
                        }
                    }
                }
                if !heard.is_whole {
                    said.n_words += 1;
                    said.words.push(heard.hash);
                    *before = [heard.word.map(|(word, _)| word), before[0]];
                }
            }
        }
    }

    /// Finds the sentence that covers most, with what its follower and the headings add.
    fn take_sentences(&self, said: &mut Said, by_sentence: Vec<Vec<f32>>, above: &[f32]) {
        let n = self.question.words.len();
        let mut best = (0.0, vec![0.0; n]);
        for (at, marks) in by_sentence.iter().enumerate() {
            let next = by_sentence.get(at + 1);
            let joined: Vec<f32> = (0..n)
                .map(|word| {
                    let follower = next.map_or(0.0, |next| FOLLOWER * next[word]);
                    marks[word].max(follower).max(HEADED * above[word])
                })
                .collect();
            let covered = self.sum(&joined);
            if covered > best.0 {
                best = (covered, joined);
            }
        }
        said.in_sentence = best.1;
    }

    /// The weights of the question's words, each as much as it is there.
    fn sum(&self, amounts: &[f32]) -> f32 {
        self.weights.iter().zip(amounts).map(|(weight, amount)| weight * amount).sum()
    }

    fn score(&self, doc: &FoundDoc<'_>, units: &mut [Said], average: f32) {
        let total: f32 = self.weights.iter().sum();
        if total <= 0.0 || units.is_empty() {
            return;
        }
        let full = 2.0 * total;
        let mean = total / self.weights.iter().filter(|weight| **weight > 0.0).count().max(1) as f32;
        let day = self.of_the_day(doc);
        let bm25 = |said: &Said| {
            let norm = 1.0 - B + B * said.n_words as f32 / average;
            let words = self.weights.iter().zip(said.times.iter().zip(&said.has));
            let word = |(weight, (times, has)): (&f32, (&f32, &f32))| {
                let amount = times / norm + if *has > 0.0 && *times == 0.0 { HEADING * has } else { 0.0 };
                weight * (K1 + 1.0) * amount / (amount + K1)
            };
            words.map(word).sum::<f32>() + PAIR * mean * said.pairs.count_ones() as f32
        };
        let base: Vec<f32> = units.iter().map(bm25).collect();
        let of_doc = of_best(base.clone());
        let own: Vec<f32> = units
            .iter()
            .zip(&base)
            .zip(&doc.units)
            .map(|((said, base), (unit, _))| {
                let covered = self.sum(&said.has) / total;
                let sentence = self.sum(&said.in_sentence) / total;
                let sum = base / full
                    + COVERED * covered * covered
                    + SENTENCE * sentence * sentence
                    + DOC * of_doc / 2.0 / full;
                let asked = if said.has_asked { 1.0 + ASKED_FOR } else { 1.0 };
                let told = if unit.is_event && !self.asks_for_command { EVENT } else { 1.0 };
                if *base > 0.0 { sum * asked * told * day } else { 0.0 }
            })
            .collect();
        let beside = Beside::of(doc);
        let best = own.iter().copied().fold(0.0, f32::max);
        for n in 0..units.len() {
            // It is nobody else's: so it is not given on.
            let spoken = if units[n].is_spoken { 1.0 + SPOKEN } else { 1.0 };
            units[n].own = own[n] * spoken;
            let found = if units[n].is_cause && beside.is_session() { CAUSE * best } else { 0.0 };
            // What tools did says nothing of what stands above it.
            let given = if doc.units[n].0.is_event { 0.0 } else { beside.given(n, &own) };
            units[n].score = (own[n] + given.max(found)) * spoken;
            let replied = beside.replied_to(n, &own).filter(|to| own[*to] > own[n]);
            units[n].replies_to = replied.or(beside.footnote_to(n));
        }
    }

    /// How much the days that a question names raise a document of a day, or of the day beside it, if it names them.
    fn of_the_day(&self, doc: &FoundDoc<'_>) -> f32 {
        let Some(date) = doc.date else { return 1.0 };
        let raised = |days: &DateWords| {
            let is_named = || days.days().any(|day| doc.text.contains(&day.to_string()));
            if days.period.contains(date) || is_near_day(days.period, date) && is_named() {
                return OF_THE_DAY;
            }
            let ago = days.period.from.and_then(|from| from.since(date).ok()).map_or(0, |span| span.get_days());
            if ago > 0 { BEFORE_THE_DAY * (-(ago as f32) / FADES_IN_DAYS).exp() } else { 0.0 }
        };
        1.0 + self.question.days.iter().map(raised).fold(0.0, f32::max)
    }

    fn learn(&mut self, run: &str) {
        if self.known.contains_key(run) {
            return;
        }
        let mut heard: Vec<Heard> = Vec::new();
        for (n_language, language) in self.question.languages().iter().enumerate() {
            let all = tokens(run, *language);
            let said = all.iter().filter(|token| matches!(token.kind, TokenKind::Part | TokenKind::Whole));
            for (n, token) in said.enumerate() {
                let word = self.word_of(&token.term, token.kind);
                if n_language == 0 {
                    let is_whole = token.kind == TokenKind::Whole;
                    heard.push(Heard { word, is_whole, hash: hash(&token.term) });
                } else if let Some(known) = heard.get_mut(n)
                    && word.is_some_and(|(_, amount)| known.word.is_none_or(|(_, other)| amount > other))
                {
                    known.word = word;
                }
            }
        }
        self.known.insert(run.to_owned(), heard.into_boxed_slice());
    }

    /// The word of the question that a term is, or is near to, and how much of it.
    fn word_of(&self, term: &str, kind: TokenKind) -> Option<(usize, f32)> {
        let mut near = None;
        for (n, word) in self.question.words.iter().enumerate().filter(|(n, _)| self.weights[*n] > 0.0) {
            for (form, amount) in &word.forms {
                if form == term {
                    return Some((n, *amount));
                }
                let may_be_near = near.is_none() && kind == TokenKind::Part && word.kind == TokenKind::Part;
                if may_be_near && !word.is_date && is_near(form, term) {
                    near = Some((n, NEAR));
                }
            }
        }
        near
    }
}

/// What a document has by the scores of its units.
fn of_best(mut scores: Vec<f32>) -> f32 {
    scores.sort_by(|a, b| b.total_cmp(a));
    scores.iter().take(BEST_UNITS).enumerate().map(|(n, one)| one * 0.5_f32.powi(n as i32)).sum()
}

/// Whether two stems begin alike: forms that the stemmer keeps apart.
fn is_near(a: &str, b: &str) -> bool {
    if a.as_bytes().first() != b.as_bytes().first() || a.bytes().any(|byte| byte.is_ascii_digit()) {
        return false;
    }
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let common = short.bytes().zip(long.bytes()).take_while(|(a, b)| a == b).count();
    let is_ending = common >= 4 && common + 1 >= short.len() && long.len() - common <= 2;
    is_ending
        || (common >= 5 && (common == short.len() && long.len() <= 2 * short.len() || 4 * common >= 3 * long.len()))
}

/// A hash of a term, to compare texts by their words (FNV-1a).
fn hash(term: &str) -> u32 {
    term.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// Returns the share of the words of `a` that `b` has, too.
pub fn share_in(a: &Said, b: &Said) -> f32 {
    n_shared(a, b) as f32 / a.words.len().max(1) as f32
}

/// Returns how many words both have.
pub(crate) fn n_shared(a: &Said, b: &Said) -> usize {
    shared(a, b).count()
}

/// Returns the content words that both have, hashed.
pub(crate) fn shared<'s>(a: &'s Said, b: &'s Said) -> impl Iterator<Item = u32> + 's {
    let mut rest = b.words.as_slice();
    a.words.iter().copied().filter(move |word| {
        rest = &rest[rest.partition_point(|other| other < word)..];
        rest.first() == Some(word)
    })
}

#[cfg(test)]
mod tests;
