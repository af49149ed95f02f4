//! Runs a retrieval benchmark against search as it is.
//!
//! The benchmark's documents are indexed in memory, every question is asked once, in the scope it names,
//! and the answers are compared with what the benchmark says. Only the times depend on the machine.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ken_core::budget;
use ken_intake::outside;

pub use super::benchmark::Half;
use super::benchmark::{BenchQuestion, Benchmark};
use super::confidence::Confidences;
use super::metrics::{Found, Means, percentile};
use crate::failure::Failure;
use crate::search::memory::{self, MemoryAnswer, MemoryIndex};

/// Fewest documents that the figures need.
const RANKED_MIN: usize = 10;

/// What is measured.
#[derive(Debug, Clone, Default)]
pub struct RetrievalRequest {
    /// The benchmark's folder.
    pub folder: PathBuf,
    /// Folders whose questions nothing answers here.
    pub foreign: Vec<PathBuf>,
    /// The half of all questions to ask; all when none is given.
    pub half: Option<Half>,
    /// Documents that are ranked for each question.
    pub n_max: usize,
}

/// How one question was answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// The question's id.
    pub id: String,
    /// The question's type.
    pub kind: String,
    /// Documents with their scores, best first.
    pub ranked: Vec<(String, f32)>,
    /// How sure it is that the question is answered.
    pub confidence: f32,
}

/// What was measured.
#[derive(Debug, Clone, Default)]
pub struct RetrievalOutcome {
    /// Documents.
    pub n_docs: usize,
    /// Passages that they were cut into.
    pub n_passages: usize,
    /// Questions of the benchmark that were asked.
    pub n_questions: usize,
    /// Questions of other benchmarks that were asked.
    pub n_foreign: usize,
    /// Figures over all questions that have an answer.
    pub all: Means,
    /// The same by type of question.
    pub by_kind: BTreeMap<String, Means>,
    /// How sure the answers were.
    pub confidences: Confidences,
    /// The confidence from which on `ken search` takes a question as answered.
    pub threshold: f32,
    /// Milliseconds a question took, ascending.
    pub latencies_ms: Vec<f64>,
    /// Milliseconds that making the index took.
    pub index_ms: f64,
    /// Size of the index.
    pub index_bytes: u64,
    /// The answers, one a question, in the order of the file.
    pub runs: Vec<Run>,
    /// What did not read.
    pub notes: Vec<String>,
}

impl RetrievalOutcome {
    /// Returns the time that so many percent of the questions did not exceed, in milliseconds.
    pub fn latency_ms(&self, percent: usize) -> Option<f64> {
        percentile(&self.latencies_ms, percent)
    }
}

/// A benchmark that can be asked.
struct Bench {
    ids: Vec<String>,
    scopes: Vec<Option<String>>,
    index: MemoryIndex,
    n_max: usize,
}

impl Bench {
    fn ask(&self, text: &str, scope: Option<&String>) -> MemoryAnswer {
        let in_scope = |doc: usize| scope.is_none() || self.scopes[doc].as_ref() == scope;
        self.index.ask(text, &in_scope, self.n_max)
    }

    fn found(&self, answer: &MemoryAnswer) -> Found<'_> {
        let tokens = |hit| budget::count(self.index.passage(hit)).0;
        Found {
            ids: answer.hits.iter().map(|hit| self.ids[hit.doc].as_str()).collect(),
            tokens: answer.hits.iter().map(tokens).collect(),
        }
    }
}

/// Returns how search does on a benchmark; `elapsed` is a stopwatch that runs.
///
/// # Errors
/// When one of the benchmark's files cannot be read.
pub fn retrieval(request: &RetrievalRequest, elapsed: &dyn Fn() -> Duration) -> Result<RetrievalOutcome, Failure> {
    let benchmark = Benchmark::read(&request.folder)?;
    let mut outcome =
        RetrievalOutcome { threshold: memory::SURE, notes: benchmark.notes, ..RetrievalOutcome::default() };
    let is_asked = |question: &BenchQuestion| request.half.is_none_or(|half| Half::of(&question.id) == half);
    let mut foreign = Vec::new();
    for folder in &request.foreign {
        foreign.extend(foreign_questions(folder, &request.folder, &mut outcome.notes)?);
    }
    foreign.retain(is_asked);
    let mut questions = benchmark.questions;
    questions.retain(is_asked);
    let started = elapsed();
    let index = MemoryIndex::new(benchmark.docs)?;
    outcome.index_ms = ms(elapsed() - started);
    (outcome.n_docs, outcome.n_passages, outcome.index_bytes) =
        (benchmark.ids.len(), index.n_passages(), index.n_bytes());
    let bench = Bench { ids: benchmark.ids, scopes: benchmark.scopes, index, n_max: request.n_max.max(RANKED_MIN) };
    for question in &questions {
        let started = elapsed();
        let answer = bench.ask(&question.text, question.scope.as_ref());
        outcome.latencies_ms.push(ms(elapsed() - started));
        let gold = benchmark.gold.get(&question.id);
        match gold {
            Some(gold) => {
                let found = bench.found(&answer);
                outcome.all.add(&found, gold);
                outcome.by_kind.entry(question.kind.clone()).or_default().add(&found, gold);
                outcome.confidences.own.push(answer.confidence);
            }
            None => outcome.confidences.near.push(answer.confidence),
        }
        outcome.runs.push(run(question, &answer, &bench));
    }
    // Whoever asks here asks in some scope; a foreign question gets those of the benchmark's own in turn.
    let scopes = questions.iter().map(|question| question.scope.as_ref()).cycle();
    for (question, scope) in foreign.iter().zip(scopes) {
        outcome.confidences.foreign.push(bench.ask(&question.text, scope).confidence);
    }
    if outcome.all.n == 0 {
        outcome.notes.push(format!("no question that is asked of `{}` is judged", request.folder.display()));
    }
    outcome.latencies_ms.sort_by(f64::total_cmp);
    (outcome.n_questions, outcome.n_foreign) = (questions.len(), outcome.confidences.foreign.len());
    Ok(outcome)
}

fn foreign_questions(folder: &Path, own: &Path, notes: &mut Vec<String>) -> Result<Vec<BenchQuestion>, Failure> {
    if outside::resolved(folder).is_some_and(|folder| Some(folder) == outside::resolved(own)) {
        let failure = Failure::usage(format!("`{}` is the benchmark itself, not a foreign one", folder.display()));
        return Err(failure.hint("name folders whose questions nothing answers here"));
    }
    let (questions, unread) = Benchmark::read_questions(folder)?;
    notes.extend(unread);
    Ok(questions)
}

fn run(question: &BenchQuestion, answer: &MemoryAnswer, bench: &Bench) -> Run {
    Run {
        id: question.id.clone(),
        kind: question.kind.clone(),
        ranked: answer.hits.iter().map(|hit| (bench.ids[hit.doc].clone(), hit.score)).collect(),
        confidence: answer.confidence,
    }
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}
