//! `ken eval abstention`: what each threshold of confidence would do.

use ken_engine::Failure;
use ken_engine::eval::confidence::{CurvePoint, auc};
use ken_engine::eval::retrieval::RetrievalOutcome;
use serde::Serialize;

use super::retrieval::Bench;
use super::{rounded, shown};
use crate::exit::Answer;
use crate::paint::{BOLD, DIM};
use crate::session::Session;
use crate::table::Cell;
use crate::text::{count, number};
use crate::ui::Ui;

/// Say what each threshold of confidence would keep and let through
///
/// Asks a benchmark's own questions and those of other benchmarks, which nothing
/// here answers. For thresholds from 0.00 to 0.50, and the one in use, it prints
/// the share of own questions that count as answered, and of foreign ones that
/// wrongly do. Near misses are own questions without any judgement.
///
/// Examples:
///   ken eval abstention benchmarks/journal --foreign benchmarks/other
///   ken eval abstention benchmarks/journal --foreign benchmarks/other --json
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    #[command(flatten)]
    bench: Bench,
}

#[derive(Serialize)]
struct Wire {
    n_own: usize,
    n_foreign: usize,
    n_near_miss: usize,
    threshold_in_use: f64,
    abstention_auc: Option<f64>,
    near_miss_auc: Option<f64>,
    curve: Vec<PointWire>,
}

#[derive(Serialize)]
struct PointWire {
    threshold: f64,
    kept: Option<f64>,
    let_through: Option<f64>,
    near_miss_let_through: Option<f64>,
}

/// Runs the command.
pub(crate) fn run(args: &Args, session: &Session, ui: &mut Ui) -> Result<Answer, Failure> {
    let done = args.bench.measure(session, ui)?;
    let curve = done.confidences.curve(done.threshold);
    if ui.is_json() {
        ui.json(&wire(&done, &curve));
    } else {
        print(&done, &curve, ui);
    }
    Ok(Answer::Yes)
}

fn wire(done: &RetrievalOutcome, curve: &[CurvePoint]) -> Wire {
    let sure = &done.confidences;
    let point = |point: &CurvePoint| PointWire {
        threshold: rounded(point.threshold.into()),
        kept: point.kept.map(rounded),
        let_through: point.let_through.map(rounded),
        near_miss_let_through: point.near_let_through.map(rounded),
    };
    Wire {
        n_own: sure.own.len(),
        n_foreign: sure.foreign.len(),
        n_near_miss: sure.near.len(),
        threshold_in_use: rounded(done.threshold.into()),
        abstention_auc: auc(&sure.own, &sure.foreign).map(rounded),
        near_miss_auc: auc(&sure.own, &sure.near).map(rounded),
        curve: curve.iter().map(point).collect(),
    }
}

fn print(done: &RetrievalOutcome, curve: &[CurvePoint], ui: &mut Ui) {
    let sure = &done.confidences;
    let (own, foreign) = (count(sure.own.len(), "own question"), count(sure.foreign.len(), "foreign one"));
    ui.line(format!("{own}, {foreign}, near misses: {}", number(sure.near.len())));
    let head = |text: &str| Cell::new(text).right().style(BOLD);
    let mut rows = vec![vec![head("threshold"), head("kept"), head("let through"), head("near misses let through")]];
    rows.extend(curve.iter().map(|point| {
        let mut row = vec![
            Cell::new(format!("{:.2}", point.threshold)).right(),
            Cell::new(shown(point.kept)).right(),
            Cell::new(shown(point.let_through)).right(),
            Cell::new(shown(point.near_let_through)).right(),
        ];
        if point.threshold == done.threshold {
            row.push(Cell::new("in use").style(DIM));
        }
        row
    }));
    ui.rows(&rows);
}
