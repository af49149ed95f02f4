//! `ken costs`: what models cost.

use ken_engine::propose::CostsOutcome;
use ken_engine::{Engine, Failure};
use serde::Serialize;

use crate::exit::Answer;
use crate::models::{CostWire, spent};
use crate::paint::DIM;
use crate::table::Cell;
use crate::text::count;
use crate::ui::Ui;

/// Show what models have cost
///
/// By month, model and kind of task. Every call is written down before it is made,
/// with the most it can cost, and again when it came back; failures count too, and
/// a call that never came back counts with the most it can have cost.
///
/// Examples:
///   ken costs
///   ken costs --month 2026-04
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Only this month, as 2026-04
    #[arg(long, value_name = "MONTH")]
    month: Option<String>,
}

#[derive(Serialize)]
struct Wire<'a> {
    rows: Vec<Row<'a>>,
    total: CostWire,
    damaged_lines: usize,
}

#[derive(Serialize)]
struct Row<'a> {
    month: &'a String,
    model: &'a String,
    task: &'a String,
    #[serde(flatten)]
    cost: CostWire,
}

/// Runs the command.
pub(crate) fn run(args: &Args, engine: &Engine, ui: &mut Ui) -> Result<Answer, Failure> {
    let is_month = |text: &&String| ken_core::Month::parse(text).is_none();
    if let Some(month) = args.month.as_ref().filter(is_month) {
        return Err(Failure::usage(format!("`{month}` is no month")).hint("write it as 2026-04"));
    }
    let mut costs = engine.costs()?;
    if let Some(month) = &args.month {
        costs.rows.retain(|(known, ..), _| known == month);
    }
    if ui.is_json() {
        let rows = costs.rows.iter();
        let rows =
            rows.map(|((month, model, task), spent)| Row { month, model, task, cost: CostWire::of(spent) }).collect();
        ui.json(&Wire { rows, total: CostWire::of(&costs.total(None)), damaged_lines: costs.n_damaged });
    } else {
        print(&costs, args, ui);
    }
    Ok(Answer::Yes)
}

fn print(costs: &CostsOutcome, args: &Args, ui: &mut Ui) {
    if costs.n_damaged > 0 {
        ui.warning(&format!(
            "{} of .kenning/costs.jsonl cannot be read and not counted",
            count(costs.n_damaged, "line")
        ));
    }
    if costs.rows.is_empty() {
        ui.say(match &args.month {
            Some(month) => format!("No model was asked in {month}."),
            None => "No model was asked.".to_owned(),
        });
        return;
    }
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    for ((month, model, task), one) in &costs.rows {
        let mut calls = count(one.n_calls as usize, "task");
        if one.n_failed > 0 {
            calls.push_str(&format!(", {} failed", one.n_failed));
        }
        if one.n_lost > 0 {
            calls.push_str(&format!(", {} never came back", one.n_lost));
        }
        rows.push(vec![
            Cell::new(month).style(DIM),
            Cell::new(model),
            Cell::new(task),
            Cell::new(calls),
            Cell::new(spent(one)),
        ]);
    }
    ui.rows(&rows);
    ui.say(format!("In all: {}.", spent(&costs.total(None))));
}
