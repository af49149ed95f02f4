//! `ken lint`: what is wrong with the vault.

mod finding;
mod judged;
mod rules;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use ken_core::Severity;
use ken_engine::outcome::{Finding, LintOutcome};
use ken_engine::propose::{Author, Judges};
use ken_engine::{Engine, Failure, LintOptions};
use serde::Serialize;

use crate::env;
use crate::exit::Answer;
use crate::models::{self, AskedWire, ModelArgs, Purpose};
use crate::paint::HINT;
use crate::session::Session;
use crate::text::{count, number};
use crate::ui::Ui;
use crate::wire;

/// Check the vault
///
/// Finds links and relations that lead nowhere, claims whose citation is gone,
/// pages that are stale, headers that routing cannot use, and more; `--rules` lists
/// every check. Suggestions are only counted unless `--all` is given. Exits with 1
/// when there is an error, with `--strict` when there is any finding at all.
///
/// With `--model` a model is asked which claims cannot both be true, and which
/// claims their changed sources no longer bear out. Its replies are recorded and
/// reported from then on, also without a model. They change nothing by themselves:
/// `--fix ID` writes into the journal which claim of a contradiction holds, where
/// the model could tell, and compiles.
///
/// Examples:
///   ken lint
///   ken lint --fix              repair what can be repaired safely
///   ken lint --strict --json    for a pipeline
///   ken lint wiki/jwt.md        only what is wrong there
///   git diff --name-only -z | ken lint -
///   ken lint --model anthropic:MODEL --max-usd 0.20
///   ken lint --fix contradiction-1f0c22ab
///   ken lint --offline          how much nobody judged yet; asks nothing
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Only say what is wrong in these files; `-` reads their names from standard input
    #[arg(value_name = "FILE", conflicts_with_all = ["fix", "report", "model", "offline"])]
    files: Vec<PathBuf>,
    /// Repair findings that have a safe fix, or do what the one of this id calls for that a model made; `ken undo`
    /// takes it back
    #[arg(long, value_name = "ID")]
    fix: Option<Option<String>>,
    /// Also write the findings as a Markdown file in the vault
    #[arg(long)]
    report: bool,
    /// Exit with 1 on any finding, suggestions included
    #[arg(long)]
    strict: bool,
    /// Print suggestions one by one
    #[arg(long)]
    all: bool,
    /// List every rule and check nothing
    #[arg(long, conflicts_with_all = ["fix", "report", "strict", "all", "model", "offline"])]
    rules: bool,
    /// With a model: show what would be asked and what it can cost at most; ask nothing
    #[arg(long, requires = "model", conflicts_with_all = ["fix", "report", "strict", "all", "offline"])]
    estimate: bool,
    #[command(flatten)]
    model: ModelArgs,
}

#[derive(Serialize)]
struct Wire<'a> {
    findings: Vec<finding::Wire<'a>>,
    pages: usize,
    fixed: Vec<&'a str>,
    report: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    judged: Option<judged::Wire>,
    #[serde(skip_serializing_if = "Option::is_none")]
    asked: Option<AskedWire<'a>>,
}

/// Runs the command.
pub(crate) fn run(args: &Args, session: &Session, ui: &mut Ui) -> Result<Answer, Failure> {
    if args.rules {
        rules::print(ui);
        return Ok(Answer::Yes);
    }
    let engine = session.engine()?;
    if let Some(Some(id)) = &args.fix {
        return apply(id, &engine, ui);
    }
    // A model that cannot be asked must not hide what was found without it.
    let (author, failure) = match args.model.author(Purpose::of(args.estimate), &engine, ui) {
        Ok(author) => (author, None),
        Err(failure) => (None, Some(failure)),
    };
    if args.estimate {
        return match (&author, failure) {
            (_, Some(failure)) => Err(failure),
            (Some(author), None) => super::compile::estimate(&engine.estimate_lint(author)?, ui),
            (None, None) => Ok(Answer::Yes),
        };
    }
    let options = LintOptions { fix: args.fix.is_some(), report: args.report, suggestions: args.all || ui.is_json() };
    let mut done = engine.lint_with(options, judges(args, author.as_ref()))?;
    if let Some(only) = named(args, session, engine.root())? {
        done.findings.retain(|finding| only.contains(finding.diagnostic.path.as_str()));
        done.pages = only.len();
    }
    let asked = done.judged.as_ref().and_then(|judged| judged.asked.as_ref());
    if ui.is_json() {
        ui.json(&Wire {
            findings: done.findings.iter().filter_map(finding::wire).collect(),
            pages: done.pages,
            fixed: wire::paths(&done.fixed),
            report: done.report.as_ref().map(ken_core::VaultPath::as_str),
            judged: done.judged.as_ref().map(judged::wire),
            asked: asked.map(models::wire),
        });
    } else {
        print(&done, args, ui);
        done.judged.iter().for_each(|judged| judged::print(judged, ui));
    }
    if let Some(failure) = failure.or_else(|| judged::failure(done.judged.as_ref()?, ui)) {
        return Err(failure.hint("the findings above are those without it"));
    }
    let is_no = if args.strict { !done.findings.is_empty() } else { n_of(&done.findings, Severity::Error) > 0 };
    Ok(Answer::no_if(is_no))
}

#[derive(Serialize)]
struct AppliedWire<'a> {
    settled: String,
    journal: &'a str,
    updated: Vec<&'a str>,
}

/// Does what a finding calls for.
fn apply(id: &str, engine: &Engine, ui: &mut Ui) -> Result<Answer, Failure> {
    let done = engine.apply_finding(id)?;
    let settled = done.settled.to_string();
    let changed = wire::slugs(&done.compiled.updated);
    if ui.is_json() {
        ui.json(&AppliedWire { settled, journal: done.journal.as_str(), updated: changed });
    } else {
        ui.say(&settled);
        ui.say(format!("written to {}, {} changed", done.journal, count(changed.len(), "page")));
        ui.note("`ken undo` takes it back");
    }
    Ok(Answer::Yes)
}

/// Whose judgement is taken.
fn judges<'a>(args: &Args, author: Option<&'a Author>) -> Judges<'a> {
    match author {
        Some(author) => Judges::Model(author),
        None if args.model.offline => Judges::Counted,
        None => Judges::Before,
    }
}

/// Returns the places in the vault that were named; files outside of it have no findings.
fn named(args: &Args, session: &Session, root: &Path) -> Result<Option<BTreeSet<String>>, Failure> {
    if args.files.is_empty() {
        return Ok(None);
    }
    let mut files = args.files.clone();
    if let Some(at) = files.iter().position(|file| file.as_os_str() == "-") {
        files.remove(at);
        let names = env::input()?;
        files.extend(names.split(['\0', '\n']).filter(|name| !name.is_empty()).map(PathBuf::from));
    }
    let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    let places = files.iter().filter_map(|file| {
        let file = session.cwd().join(file).canonicalize().ok()?;
        let inner: Vec<_> = file.strip_prefix(&root).ok()?.iter().map(|part| part.to_string_lossy()).collect();
        Some(inner.join("/"))
    });
    Ok(Some(places.collect()))
}

fn n_of(findings: &[Finding], severity: Severity) -> usize {
    findings.iter().filter(|finding| finding.diagnostic.severity == severity).count()
}

fn print(done: &LintOutcome, args: &Args, ui: &mut Ui) {
    if !done.fixed.is_empty() {
        ui.say(format!("Repaired {}:", count(done.fixed.len(), "file")));
        ui.say_names(&wire::paths(&done.fixed), usize::MAX);
    }
    let is_shown = |finding: &&Finding| args.all || finding.diagnostic.severity != Severity::Suggestion;
    let paint = ui.paint();
    for finding in done.findings.iter().filter(is_shown) {
        if let Some(place) = &finding.place {
            ui.line(finding::as_text(&finding.diagnostic, place, paint));
        }
    }
    let mut counted: BTreeMap<&str, usize> = BTreeMap::new();
    for finding in done.findings.iter().filter(|finding| !is_shown(finding)) {
        *counted.entry(finding.diagnostic.rule).or_default() += 1;
    }
    for (rule, n) in &counted {
        ui.line(format!("{} {}", paint.of(HINT, &format!("suggestion[{rule}]:")), count(*n, "finding")));
    }
    if !counted.is_empty() {
        ui.say(format!("{} `ken lint --all` prints suggestions one by one", paint.of(HINT, "hint:")));
        ui.line("");
    }
    if let Some(report) = &done.report {
        ui.say(format!("The report is in {report}"));
    }
    let noun = if args.files.is_empty() { "page" } else { "file" };
    ui.line(summary(done, noun));
}

fn summary(done: &LintOutcome, noun: &str) -> String {
    let pages = count(done.pages, noun);
    let sorts = [(Severity::Error, "error"), (Severity::Warning, "warning"), (Severity::Suggestion, "suggestion")];
    let counts = sorts.into_iter().map(|(severity, noun)| (n_of(&done.findings, severity), noun));
    let counts: Vec<String> = counts.filter(|(n, _)| *n > 0).map(|(n, noun)| count(n, noun)).collect();
    match counts.is_empty() {
        true => format!("Nothing found in {pages}."),
        false => {
            let n_fixable = done.findings.iter().filter(|finding| finding.diagnostic.fixable).count();
            let fixable = match n_fixable {
                0 => String::new(),
                n => format!(" `ken lint --fix` repairs {} of them.", number(n)),
            };
            format!("{} in {pages}.{fixable}", counts.join(", "))
        }
    }
}
