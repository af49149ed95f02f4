//! `ken eval retrieval`: how well search finds, on a benchmark.

use std::collections::BTreeMap;
use std::path::PathBuf;

use ken_engine::Failure;
use ken_engine::eval::confidence::{auc, kept_at};
use ken_engine::eval::metrics::{MEASURES, Means};
use ken_engine::eval::retrieval::{self, Half, RetrievalOutcome, RetrievalRequest};
use serde::Serialize;

use super::{Figures, rounded, shown};
use crate::env;
use crate::exit::Answer;
use crate::paint::BOLD;
use crate::session::Session;
use crate::table::Cell;
use crate::text::{count, number};
use crate::ui::Ui;

/// Ask a benchmark's questions and compare what is found with what answers them
///
/// DIR holds docs.jsonl ({"id", "text", "meta"}), queries.jsonl ({"id", "text",
/// "type", "meta"}) and qrels.tsv (question, document, grade). The documents are
/// read as `ken ingest` reads them, indexed in memory and ranked as `ken search`
/// ranks; no vault is needed. Where a question's meta has a "scope", only documents
/// of that scope are searched.
///
/// With `--foreign` the questions of other benchmarks are asked as well, which
/// nothing here answers, to see whether confidence tells them apart. What every
/// figure means stands in docs/book/eval.md.
///
/// Examples:
///   ken eval retrieval benchmarks/journal
///   ken eval retrieval benchmarks/journal --foreign benchmarks/other --json
///   ken eval retrieval benchmarks/journal --half tune --runs runs.jsonl
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    #[command(flatten)]
    bench: Bench,
    /// Write each question with the documents found to a file, one JSON line each
    #[arg(long, value_name = "FILE")]
    runs: Option<String>,
}

/// What a benchmark is run with.
#[derive(Debug, clap::Args)]
pub(super) struct Bench {
    /// The benchmark's folder
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// A benchmark whose questions nothing here answers; may be given again
    #[arg(long, value_name = "DIR", num_args = 1..)]
    foreign: Vec<PathBuf>,
    /// Ask one half of the questions only: tune or held
    #[arg(long, value_name = "HALF", value_parser = ["tune", "held"], hide_possible_values = true)]
    half: Option<String>,
    /// Documents that are ranked for each question, 10 to 1000 [default: 50]
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value = "50", hide_default_value = true)]
    #[arg(value_parser = clap::value_parser!(u16).range(10..=1000))]
    limit: u16,
}

impl Bench {
    /// Runs the benchmark and says what did not read.
    pub(super) fn measure(&self, session: &Session, ui: &mut Ui) -> Result<RetrievalOutcome, Failure> {
        let request = RetrievalRequest {
            folder: self.folder.clone(),
            foreign: self.foreign.clone(),
            half: self.half.as_deref().and_then(Half::parse),
            n_max: self.limit.into(),
        };
        let done = retrieval::retrieval(&request, &|| session.elapsed())?;
        done.notes.iter().for_each(|note| ui.warning(note));
        Ok(done)
    }
}

#[derive(Serialize)]
struct Wire<'a> {
    n_docs: usize,
    n_passages: usize,
    n_queries: usize,
    n_judged: usize,
    n_near_miss: usize,
    n_foreign: usize,
    #[serde(flatten)]
    figures: Figures,
    abstention_auc: Option<f64>,
    near_miss_auc: Option<f64>,
    kept_at_1: Option<f64>,
    kept_at_5: Option<f64>,
    kept_at_10: Option<f64>,
    latency_ms: Latency,
    index_ms: f64,
    index_bytes: u64,
    peak_memory_bytes: Option<u64>,
    by_type: BTreeMap<&'a str, TypeWire>,
    damaged: &'a [String],
}

#[derive(Serialize)]
struct Latency {
    p50: Option<f64>,
    p95: Option<f64>,
    p99: Option<f64>,
}

#[derive(Serialize)]
struct TypeWire {
    n_judged: usize,
    #[serde(flatten)]
    figures: Figures,
}

#[derive(Serialize)]
struct RunLine<'a> {
    id: &'a str,
    #[serde(rename = "type")]
    kind: &'a str,
    confidence: f64,
    ranked: Vec<&'a str>,
    scores: Vec<f64>,
}

/// Runs the command.
pub(crate) fn run(args: &Args, session: &Session, ui: &mut Ui) -> Result<Answer, Failure> {
    let done = args.bench.measure(session, ui)?;
    if let Some(file) = &args.runs {
        env::write_text(file, &runs(&done))?;
    }
    if ui.is_json() {
        ui.json(&wire(&done));
    } else {
        print(&done, ui);
    }
    Ok(Answer::Yes)
}

fn runs(done: &RetrievalOutcome) -> String {
    let line = |run: &retrieval::Run| {
        let line = RunLine {
            id: &run.id,
            kind: &run.kind,
            confidence: rounded(run.confidence.into()),
            ranked: run.ranked.iter().map(|(id, _)| id.as_str()).collect(),
            scores: run.ranked.iter().map(|(_, score)| rounded((*score).into())).collect(),
        };
        serde_json::to_string(&line).expect("texts and numbers are JSON") + "\n"
    };
    done.runs.iter().map(line).collect()
}

fn figures(means: &Means) -> Figures {
    Figures(means.values().map(|(measure, value)| (measure.name, value)).collect())
}

fn wire(done: &RetrievalOutcome) -> Wire<'_> {
    let sure = &done.confidences;
    let kept = |percent| kept_at(&sure.own, &sure.foreign, percent).map(rounded);
    let latency = |percent| done.latency_ms(percent).map(rounded);
    let of_type = |means: &Means| TypeWire { n_judged: means.n, figures: figures(means) };
    Wire {
        n_docs: done.n_docs,
        n_passages: done.n_passages,
        n_queries: done.n_questions,
        n_judged: done.all.n,
        n_near_miss: sure.near.len(),
        n_foreign: done.n_foreign,
        figures: figures(&done.all),
        abstention_auc: auc(&sure.own, &sure.foreign).map(rounded),
        near_miss_auc: auc(&sure.own, &sure.near).map(rounded),
        kept_at_1: kept(1),
        kept_at_5: kept(5),
        kept_at_10: kept(10),
        latency_ms: Latency { p50: latency(50), p95: latency(95), p99: latency(99) },
        index_ms: rounded(done.index_ms),
        index_bytes: done.index_bytes,
        peak_memory_bytes: env::peak_memory_bytes(),
        by_type: done.by_kind.iter().map(|(name, means)| (name.as_str(), of_type(means))).collect(),
        damaged: &done.notes,
    }
}

fn print(done: &RetrievalOutcome, ui: &mut Ui) {
    let (docs, passages) = (count(done.n_docs, "document"), count(done.n_passages, "passage"));
    let judged = format!("{}, {} of them judged", count(done.n_questions, "question"), number(done.all.n));
    ui.line(format!("{docs}, {passages}; {judged}"));
    let names = MEASURES.iter().map(|measure| Cell::new(measure.short).right().style(BOLD));
    let mut rows: Vec<Vec<Cell>> =
        vec![[Cell::new("type").style(BOLD), Cell::new("n").right().style(BOLD)].into_iter().chain(names).collect()];
    let row = |name: &str, means: &Means| {
        let values = means.values().map(|(_, value)| Cell::new(shown(value)).right());
        [Cell::new(name), Cell::new(number(means.n)).right()].into_iter().chain(values).collect()
    };
    let types = done.by_kind.iter().filter(|(name, _)| done.by_kind.len() > 1 || !name.is_empty());
    rows.extend(types.map(|(name, means)| row(if name.is_empty() { "-" } else { name }, means)));
    rows.push(row("all", &done.all));
    ui.rows(&rows);
    print_confidence(done, ui);
    let latency = |percent| done.latency_ms(percent).map_or("-".to_owned(), |ms| format!("{ms:.2}"));
    ui.line(format!("a question took {} / {} / {} ms (p50 / p95 / p99)", latency(50), latency(95), latency(99)));
    let peak = env::peak_memory_bytes().map_or(String::new(), |bytes| format!("; the process took {}", mb(bytes)));
    ui.line(format!("the index took {:.0} ms and {}{peak}", done.index_ms, mb(done.index_bytes)));
}

fn print_confidence(done: &RetrievalOutcome, ui: &mut Ui) {
    let sure = &done.confidences;
    if !sure.foreign.is_empty() {
        let kept = |percent| shown(kept_at(&sure.own, &sure.foreign, percent));
        let auc = shown(auc(&sure.own, &sure.foreign));
        let n = count(sure.foreign.len(), "foreign question");
        ui.line(format!("abstention: AUC {auc} against {n}"));
        ui.line(format!("kept at 1 / 5 / 10 % false loads: {} / {} / {}", kept(1), kept(5), kept(10)));
    }
    if !sure.near.is_empty() {
        let n = count(sure.near.len(), "question");
        ui.line(format!(
            "near misses: AUC {} against {n} that nothing here answers",
            shown(auc(&sure.own, &sure.near))
        ));
    }
}

fn mb(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1_000_000.0)
}
