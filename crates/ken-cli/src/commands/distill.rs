//! `ken distill`: lets a model write journal entries anew from their transcripts.

use ken_engine::propose::AskedOutcome;
use ken_engine::{DistillOutcome, Engine, EstimateOutcome, Failure};
use serde::Serialize;

use crate::exit::Answer;
use crate::models::{self, AskedWire, ModelArgs, Purpose};
use crate::text::{clean, count};
use crate::ui::Ui;

/// Entries of each sort that a summary names.
const SHOWN_MAX: usize = 12;

/// Let a model write better journal entries from the same sessions
///
/// Capturing copies sentences and needs no model. This reads the same part of each
/// transcript again and asks a model what of it is worth keeping: decisions with
/// their reasons, lessons, facts, wishes, what is left to do. What the transcript
/// bears out is appended to the same day of the journal, and pages are compiled
/// from it instead of the copied sentences, which stay in the journal. Without
/// `--model`, replies that are recorded are used and nothing is asked. Transcripts
/// that are gone, or changed, are named and left alone.
///
/// Examples:
///   ken distill --model anthropic:MODEL
///   ken distill --model anthropic:MODEL --estimate
///   ken distill --session 3f9a0c2b --model 'command:claude -p'
///   ken distill --offline
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Only entries of this session; the first characters of its id will do
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// With a model: show what would be asked and what it can cost at most; ask nothing
    #[arg(long, requires = "model", conflicts_with = "offline")]
    estimate: bool,
    #[command(flatten)]
    model: ModelArgs,
}

#[derive(Serialize)]
struct Wire<'a> {
    distilled: Vec<WrittenWire<'a>>,
    before: usize,
    open: Vec<OpenWire<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    asked: Option<AskedWire<'a>>,
}

#[derive(Serialize)]
struct WrittenWire<'a> {
    session: &'a str,
    journal: &'a str,
    title: &'a str,
    statements: usize,
}

#[derive(Serialize)]
struct OpenWire<'a> {
    session: &'a str,
    journal: &'a str,
    reason: &'a str,
}

#[derive(Serialize)]
struct EstimateWire<'a> {
    model: &'a str,
    tasks: Vec<TaskWire<'a>>,
    prompt_tokens: u64,
    usd_expected: f64,
    usd_max: f64,
    doubts_usd_expected: f64,
    doubts_usd_max: f64,
    before: usize,
    open: Vec<OpenWire<'a>>,
}

#[derive(Serialize)]
struct TaskWire<'a> {
    kind: &'a str,
    about: &'a str,
    prompt_tokens: u64,
}

/// Runs the command.
pub(crate) fn run(args: &Args, engine: &Engine, ui: &mut Ui) -> Result<Answer, Failure> {
    let session = args.session.as_deref();
    let author = args.model.author(Purpose::of(args.estimate), engine, ui)?;
    if let (Some(author), true) = (&author, args.estimate) {
        let (estimate, done) = engine.estimate_distill(session, author)?;
        print_estimate(&estimate, &done, ui);
        return Ok(Answer::Yes);
    }
    let (done, asked) = engine.distill(session, author.as_ref())?;
    if ui.is_json() {
        ui.json(&wire(&done, asked.as_ref()));
    } else {
        print(&done, asked.as_ref(), ui);
    }
    match asked {
        Some(asked) => {
            models::conclude(&asked, !done.written.is_empty(), "the entries stay as they were extracted", ui)
        }
        None => Ok(Answer::Yes),
    }
}

fn open(done: &DistillOutcome) -> Vec<OpenWire<'_>> {
    done.open.iter().map(|(session, path, reason)| OpenWire { session, journal: path.as_str(), reason }).collect()
}

fn wire<'a>(done: &'a DistillOutcome, asked: Option<&'a AskedOutcome>) -> Wire<'a> {
    let written = done.written.iter().map(|entry| WrittenWire {
        session: &entry.session,
        journal: entry.path.as_str(),
        title: &entry.title,
        statements: entry.n_statements,
    });
    Wire { distilled: written.collect(), before: done.n_before, open: open(done), asked: asked.map(models::wire) }
}

fn print(done: &DistillOutcome, asked: Option<&AskedOutcome>, ui: &mut Ui) {
    if let Some(asked) = asked {
        models::print(asked, ui);
    }
    print_open(done, ui);
    for entry in done.written.iter().take(SHOWN_MAX) {
        let what = match entry.n_statements {
            0 => "nothing worth keeping".to_owned(),
            n => count(n, "statement"),
        };
        ui.say(format!("Appended to {}: {} ({what})", entry.path, clean(&entry.title)));
    }
    let before = match done.n_before {
        0 => String::new(),
        n => format!(", {n} distilled before"),
    };
    let n = count(done.written.len(), "entry");
    ui.say(format!("Distilled {n}{before}, {} left as extracted.", done.open.len()));
    if !done.written.is_empty() {
        ui.note("pages change with the next `ken compile`");
    }
}

/// Says which entries stay as they are, and why.
fn print_open(done: &DistillOutcome, ui: &mut Ui) {
    for (session, path, reason) in done.open.iter().take(SHOWN_MAX) {
        ui.warning(&format!("session {} in {path}: {}", clean(session), clean(reason)));
    }
    if done.open.len() > SHOWN_MAX {
        ui.warning(&format!("{} more, see --json", count(done.open.len() - SHOWN_MAX, "entry")));
    }
}

fn print_estimate(estimate: &EstimateOutcome, done: &DistillOutcome, ui: &mut Ui) {
    let prompt_tokens = estimate.tasks.iter().map(|(.., tokens)| tokens).sum();
    if ui.is_json() {
        ui.json(&EstimateWire {
            model: &estimate.model,
            tasks: estimate
                .tasks
                .iter()
                .map(|(kind, about, tokens)| TaskWire { kind, about, prompt_tokens: *tokens })
                .collect(),
            prompt_tokens,
            usd_expected: estimate.expected.0 as f64 / 1e6,
            usd_max: estimate.bound.0 as f64 / 1e6,
            doubts_usd_expected: estimate.doubts.1.0 as f64 / 1e6,
            doubts_usd_max: estimate.doubts.0.0 as f64 / 1e6,
            before: done.n_before,
            open: open(done),
        });
        return;
    }
    print_open(done, ui);
    for (_, about, tokens) in estimate.tasks.iter().take(SHOWN_MAX) {
        ui.line(format!("{} ({tokens} tokens)", clean(about)));
    }
    let tasks = count(estimate.tasks.len(), "task");
    let (about, max) = (estimate.expected, estimate.bound);
    ui.line(format!("{}: {tasks}, {prompt_tokens} tokens in prompts, about {about}, at most {max}.", estimate.model));
    super::compile::print_doubts(estimate, ui);
    ui.note("nothing was asked");
}
