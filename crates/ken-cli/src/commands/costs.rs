//! `ken costs`: what models cost.

use ken_engine::Failure;
use ken_engine::propose::{CostsOutcome, Spent};
use serde::Serialize;

use crate::exit::Answer;
use crate::models::{CostWire, spent};
use crate::paint::DIM;
use crate::session::Session;
use crate::table::Cell;
use crate::text::count;
use crate::ui::Ui;

/// Show what models have cost
///
/// By month, model and kind of task. Every call is written down before it is made,
/// with the most it can cost, and again when it came back; failures count too, and
/// a call that never came back, or is under way in a batch, counts with the most it
/// can have cost. `--all` shows
/// what you spent on every vault, with and without somebody waiting.
///
/// Examples:
///   ken costs
///   ken costs --month 2026-04
///   ken costs --all
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Only this month, as 2026-04
    #[arg(long, value_name = "MONTH")]
    month: Option<String>,
    /// Over all vaults of this user, by vault and model
    #[arg(long)]
    all: bool,
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

#[derive(Serialize)]
struct AllWire<'a> {
    rows: Vec<AllRow<'a>>,
    total: CostWire,
    damaged_lines: usize,
}

#[derive(Serialize)]
struct AllRow<'a> {
    month: &'a String,
    vault: &'a String,
    model: &'a String,
    background: bool,
    #[serde(flatten)]
    cost: CostWire,
}

/// Runs the command.
pub(crate) fn run(args: &Args, session: &Session, ui: &mut Ui) -> Result<Answer, Failure> {
    let is_month = |text: &&String| ken_core::Month::parse(text).is_none();
    if let Some(month) = args.month.as_ref().filter(is_month) {
        return Err(Failure::usage(format!("`{month}` is no month")).hint("write it as 2026-04"));
    }
    if args.all {
        return all(args, session, ui);
    }
    let mut costs = session.engine()?.costs()?;
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

/// What was spent over all vaults; there need be none here.
fn all(args: &Args, session: &Session, ui: &mut Ui) -> Result<Answer, Failure> {
    let spending = crate::models::spending(session.clock());
    let month = args.month.as_deref();
    let costs = spending.map(|spending| spending.rows(month)).transpose()?.unwrap_or_default();
    if ui.is_json() {
        let rows = costs.rows.iter();
        let rows = rows.map(|((month, vault, model, background), spent)| {
            let (background, cost) = (*background, CostWire::of(spent));
            AllRow { month, vault, model, background, cost }
        });
        let (rows, total) = (rows.collect(), CostWire::of(&costs.total()));
        ui.json(&AllWire { rows, total, damaged_lines: costs.n_damaged });
        return Ok(Answer::Yes);
    }
    if costs.n_damaged > 0 {
        let lines = count(costs.n_damaged, "line");
        ui.warning(&format!("{lines} of what was spent over all vaults cannot be read and not counted"));
    }
    if costs.rows.is_empty() {
        ui.say(nobody_asked(args));
        return Ok(Answer::Yes);
    }
    let row = |((month, vault, model, background), one): (&(String, String, String, bool), &Spent)| {
        vec![
            Cell::new(month).style(DIM),
            Cell::new(vault),
            Cell::new(model),
            Cell::new(if *background { "background" } else { "asked for" }),
            Cell::new(calls(one, "call")),
            Cell::new(spent(one)),
        ]
    };
    let rows: Vec<Vec<Cell>> = costs.rows.iter().map(row).collect();
    ui.rows(&rows);
    ui.say(format!("In all: {}.", spent(&costs.total())));
    Ok(Answer::Yes)
}

fn nobody_asked(args: &Args) -> String {
    match &args.month {
        Some(month) => format!("No model was asked in {month}."),
        None => "No model was asked.".to_owned(),
    }
}

fn calls(one: &Spent, noun: &str) -> String {
    let mut calls = count(one.n_calls as usize, noun);
    if one.n_failed > 0 {
        calls.push_str(&format!(", {} failed", one.n_failed));
    }
    if one.n_lost > 0 {
        calls.push_str(&format!(", {} never came back", one.n_lost));
    }
    if one.n_under_way > 0 {
        calls.push_str(&format!(", {} under way in a batch", one.n_under_way));
    }
    calls
}

fn print(costs: &CostsOutcome, args: &Args, ui: &mut Ui) {
    if costs.n_damaged > 0 {
        ui.warning(&format!(
            "{} of .kenning/costs.jsonl cannot be read and not counted",
            count(costs.n_damaged, "line")
        ));
    }
    if costs.rows.is_empty() {
        ui.say(nobody_asked(args));
        return;
    }
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    for ((month, model, task), one) in &costs.rows {
        rows.push(vec![
            Cell::new(month).style(DIM),
            Cell::new(model),
            Cell::new(task),
            Cell::new(calls(one, "task")),
            Cell::new(spent(one)),
        ]);
    }
    ui.rows(&rows);
    ui.say(format!("In all: {}.", spent(&costs.total(None))));
}
