//! `ken scan`: secrets in what is stored.

use std::collections::BTreeSet;
use std::path::PathBuf;

use ken_core::VaultPath;
use ken_engine::outcome::{Cure, ScanOutcome, StoredSecret};
use ken_engine::{Engine, Failure, ScanOptions};
use serde::Serialize;

use crate::exit::Answer;
use crate::paint::{DIM, HINT, PLACE};
use crate::table::Cell;
use crate::text::{count, number};
use crate::ui::Ui;

/// Look for secrets in what is stored
///
/// Reads the journal, pages, index, log, sources, reports, and the tool's own
/// folder with its undo records, as `ken capture` reads a transcript, and lists
/// what looks like a credential or stands between `<private>` and `</private>`:
/// place, kind, and at most four characters. Exits with 1 when something is found.
///
/// With `--fix` each is covered by `[redacted:KIND]`, in the journal too; line
/// numbers stay. Undo records and caches that hold one are removed. Nothing keeps
/// what was covered, so this cannot be undone. Sources and people's pages are
/// redacted only when they are named. Git and backups keep what they have: change
/// the password as well.
///
/// Examples:
///   ken scan
///   ken scan --fix
///   ken scan --fix raw/notes.md    a source, because it is named
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Files and folders of the vault [default: everything that is stored]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Redact what is found; this cannot be undone
    #[arg(long)]
    fix: bool,
}

#[derive(Serialize)]
struct Wire<'a> {
    findings: Vec<Secret<'a>>,
    fixed: Vec<Secret<'a>>,
    n_files: usize,
}

#[derive(Serialize)]
struct Secret<'a> {
    path: &'a str,
    line: Option<usize>,
    kind: &'a str,
    excerpt: &'a str,
    /// `redact`, `erase` (the file is removed), or `leave`.
    cure: &'a str,
    /// Why it is left.
    reason: Option<&'a str>,
}

/// Runs the command.
pub(crate) fn run(args: &Args, engine: &Engine, ui: &mut Ui) -> Result<Answer, Failure> {
    let done = engine.scan(&ScanOptions { fix: args.fix, paths: args.paths.clone() })?;
    if ui.is_json() {
        ui.json(&Wire {
            findings: done.findings.iter().map(wire).collect(),
            fixed: done.fixed.iter().map(wire).collect(),
            n_files: done.n_files,
        });
    } else {
        print(&done, ui);
    }
    Ok(Answer::no_if(!done.findings.is_empty()))
}

fn wire(secret: &StoredSecret) -> Secret<'_> {
    let (cure, reason) = match secret.cure {
        Cure::Redact => ("redact", None),
        Cure::Erase => ("erase", None),
        Cure::Leave(why) => ("leave", Some(why)),
    };
    let StoredSecret { path, line, kind, excerpt, .. } = secret;
    Secret { path: path.as_str(), line: *line, kind, excerpt, cure, reason }
}

fn print(done: &ScanOutcome, ui: &mut Ui) {
    if !done.fixed.is_empty() {
        ui.say(format!(
            "Took {} out of {}:",
            count(done.fixed.len(), "secret"),
            count(files(&done.fixed).len(), "file")
        ));
        ui.say_rows(&done.fixed.iter().map(|secret| row(secret, true)).collect::<Vec<_>>());
        let hint = ui.paint().of(HINT, "hint:");
        if done.fixed.iter().any(|secret| secret.cure == Cure::Redact && !secret.path.is_under(".kenning")) {
            ui.say(format!("{hint} `ken compile` renews the citations of what was redacted"));
        }
        ui.say(format!("{hint} git and backups keep what they have; change what was a password or a key"));
    }
    ui.rows(&done.findings.iter().map(|secret| row(secret, false)).collect::<Vec<_>>());
    ui.line(summary(done));
}

fn row(secret: &StoredSecret, is_done: bool) -> Vec<Cell> {
    let note = match secret.cure {
        Cure::Leave(why) => why,
        Cure::Erase if is_done => "the file was removed",
        Cure::Erase => "the file is the tool's own; `--fix` removes it",
        Cure::Redact => "",
    };
    let place = if is_done { format!("  {}", secret.place()) } else { secret.place() };
    vec![Cell::new(place).style(PLACE), Cell::new(secret.kind), Cell::new(&secret.excerpt).style(DIM), Cell::new(note)]
}

fn files(secrets: &[StoredSecret]) -> BTreeSet<&VaultPath> {
    secrets.iter().map(|secret| &secret.path).collect()
}

fn summary(done: &ScanOutcome) -> String {
    let n_fixable = done.findings.iter().filter(|secret| !matches!(secret.cure, Cure::Leave(_))).count();
    let looked_at = count(done.n_files, "file");
    if done.findings.is_empty() {
        return format!("No secret found in {looked_at}.");
    }
    let fixable = match n_fixable {
        0 => String::new(),
        n => format!(" `ken scan --fix` takes out {} of them.", number(n)),
    };
    let n_with = number(files(&done.findings).len());
    format!("{} in {n_with} of {looked_at}.{fixable}", count(done.findings.len(), "secret"))
}
