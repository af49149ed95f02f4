//! `ken drift`: which statements name code that is not there any longer.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use ken_agents::last_deleted;
use ken_core::drift::{Departure, State};
use ken_core::time::leading_date;
use ken_engine::{DriftOptions, DriftOutcome, Drifted, Failure, drift_told};
use serde::Serialize;

use crate::env;
use crate::exit::Answer;
use crate::paint::{BOLD, DIM, PLACE, WARNING};
use crate::session::Session;
use crate::text::{brief, clean, count};
use crate::ui::Ui;

/// Find statements that name code which is gone or has moved
///
/// Looks at every path (`src/auth.rs`, `src/auth.rs:12`), symbol
/// (`src/auth.rs:login`, `Store::apply`, `parse_header()`), module and command of
/// the project (`npm run NAME`, `make NAME`, `cargo xtask NAME`) that a statement
/// of a page names, and says which of them the project does not have any longer,
/// and where they went. The project is the git work tree around the vault, or the
/// folder that `project` in kenning.toml names in it. It is read by its ignore
/// files, never through links and never outside; nothing is changed or kept: what
/// is said comes and goes with the code.
///
/// Since when something is gone is asked of `git log`, in a way that starts nothing
/// else; `--no-git` leaves that out. Exits with 0 when nothing has drifted, with 1
/// when something has, with 2 when there is no project.
///
/// Examples:
///   ken drift
///   ken drift jwt-authentication docs/guide.md
///   ken drift --project ../shop      the code is somewhere else
///   ken drift --no-git --quiet       before a commit
///   ken drift --json                 for a pipeline
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Pages by slug, title or path, or Markdown files; every page when there are none
    #[arg(value_name = "PAGE")]
    pages: Vec<String>,
    /// The project's folder [default: the work tree around the vault]
    #[arg(long, value_name = "DIR")]
    project: Option<PathBuf>,
    /// Do not ask git since when something is gone
    #[arg(long)]
    no_git: bool,
}

/// Most characters of a statement.
const STATEMENT_CHARS_MAX: usize = 160;

#[derive(Serialize)]
struct Wire<'a> {
    project: String,
    files: usize,
    pages: usize,
    references: usize,
    unknown: usize,
    drifted: Vec<DriftedWire<'a>>,
}

#[derive(Serialize)]
struct DriftedWire<'a> {
    path: &'a str,
    line: usize,
    statement: &'a str,
    reference: &'a str,
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    moved_to: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    since: Option<String>,
}

/// Runs the command.
pub(crate) fn run(args: &Args, session: &Session, ui: &mut Ui) -> Result<Answer, Failure> {
    let machine = env::machine_as_it_is();
    let departed = |top: &Path, wanted: &BTreeSet<String>| match args.no_git {
        true => None,
        false => Some(departures(last_deleted(&machine, top, wanted))),
    };
    let options = DriftOptions {
        names: args.pages.clone(),
        folder: session.cwd().to_path_buf(),
        project: args.project.as_ref().map(|folder| session.cwd().join(folder)),
    };
    let done = session.engine()?.drift(&options, &departed)?;
    if ui.is_json() {
        ui.json(&wire_of(&done));
    } else {
        print(&done, ui);
    }
    Ok(Answer::no_if(!done.findings.is_empty()))
}

fn departures(said: BTreeMap<String, (String, Option<String>)>) -> BTreeMap<String, Departure> {
    let of = |(path, (day, to)): (String, (String, Option<String>))| {
        Some((path, Departure { day: leading_date(&day)?, to }))
    };
    said.into_iter().filter_map(of).collect()
}

fn wire_of(done: &DriftOutcome) -> Wire<'_> {
    Wire {
        project: done.project.display().to_string(),
        files: done.n_files,
        pages: done.n_pages,
        references: done.n_references,
        unknown: done.n_unknown,
        drifted: done.findings.iter().map(drifted_of).collect(),
    }
}

fn drifted_of(one: &Drifted) -> DriftedWire<'_> {
    let (moved_to, since) = match &one.state {
        State::Moved { to, since } => (Some(to.as_str()), since),
        State::Gone { since } => (None, since),
        State::There | State::Unknown => (None, &None),
    };
    DriftedWire {
        path: &one.path,
        line: one.line,
        statement: &one.statement,
        reference: &one.reference,
        state: one.state.as_str(),
        moved_to,
        since: since.map(|day| day.to_string()),
    }
}

fn print(done: &DriftOutcome, ui: &mut Ui) {
    let paint = ui.paint();
    for one in &done.findings {
        let place = paint.of(PLACE, &format!("{}:{}", clean(&one.path), one.line));
        let told = paint.of(WARNING, &clean(&drift_told(&one.state)));
        ui.line(format!("{place}: {} {told}", paint.of(BOLD, &format!("`{}`", clean(&one.reference)))));
        ui.line(format!("  {}", paint.of(DIM, &brief(&one.statement, STATEMENT_CHARS_MAX))));
    }
    if !done.findings.is_empty() {
        ui.say("");
    }
    let pages = count(done.n_pages, "page");
    let references = count(done.n_references, "reference");
    ui.say(match done.findings.len() {
        0 if done.n_references == 0 => format!("Nothing in {pages} names code."),
        0 => format!("Nothing has drifted: {references} in {pages}."),
        n => format!("{n} of {references} in {pages} drifted."),
    });
}
