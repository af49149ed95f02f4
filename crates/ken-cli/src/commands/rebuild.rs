//! `ken rebuild`: every page again, from journal, sources and recorded replies.

use ken_engine::outcome::CompileOutcome;
use ken_engine::propose::AskedOutcome;
use ken_engine::{CompileOptions, Engine, Failure};
use serde::Serialize;

use crate::exit::Answer;
use crate::models::{self, AskedWire, ModelArgs, Purpose};
use crate::text::count;
use crate::ui::Ui;
use crate::wire::{self, Thin};

/// Compile every page again from journal, sources and recorded replies
///
/// Pages are a function of those three: the same bytes come out, and nothing is
/// asked or paid for again. What nobody replied to is compiled without a model, and
/// is listed; with `--model` it is asked for.
///
/// Examples:
///   ken rebuild --all --offline
///   ken rebuild --all --model ollama:qwen3     ask for what is missing
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Read everything again, pages included; without it, only what looks different
    #[arg(long)]
    all: bool,
    /// Remove pages although it is more than a quarter of them
    #[arg(long)]
    yes: bool,
    #[command(flatten)]
    model: ModelArgs,
}

#[derive(Serialize)]
struct Wire<'a> {
    created: Vec<&'a str>,
    updated: Vec<&'a str>,
    removed: Vec<&'a str>,
    unchanged: usize,
    missing: &'a [String],
    thin: Vec<Thin<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    asked: Option<AskedWire<'a>>,
}

/// Runs the command.
pub(crate) fn run(args: &Args, engine: &Engine, ui: &mut Ui) -> Result<Answer, Failure> {
    let author = args.model.author(Purpose::default(), engine, ui)?;
    let options = CompileOptions { all: args.all, yes: args.yes, ..CompileOptions::default() };
    let (done, asked) = engine.rebuild(options, author.as_ref())?;
    let lists = args.model.offline || engine.has_readings()?;
    let missing = if lists { engine.missing_replies()? } else { Vec::new() };
    if ui.is_json() {
        ui.json(&Wire {
            created: wire::slugs(&done.created),
            updated: wire::slugs(&done.updated),
            removed: wire::slugs(&done.removed),
            unchanged: done.unchanged,
            missing: &missing,
            thin: wire::thin(&done.thin),
            asked: asked.as_ref().map(models::wire),
        });
        return conclude(&done, asked.as_ref(), ui);
    }
    if let Some(asked) = &asked {
        models::print(asked, ui);
    }
    models::print_thin(&done.thin, ui);
    let changes = done.created.len() + done.updated.len() + done.removed.len();
    let pages = count(done.unchanged, "page");
    ui.say(match changes {
        0 => format!("Rebuilt: no page changes, {pages} as before."),
        _ => format!(
            "Rebuilt: {} created, {} updated, {} removed, {pages} as before.",
            done.created.len(),
            done.updated.len(),
            done.removed.len()
        ),
    });
    if !missing.is_empty() {
        models::print_missing(&missing, ui);
    }
    conclude(&done, asked.as_ref(), ui)
}

fn conclude(done: &CompileOutcome, asked: Option<&AskedOutcome>, ui: &mut Ui) -> Result<Answer, Failure> {
    let has_changed = done.has_changed();
    asked.map_or(Ok(Answer::Yes), |asked| models::conclude(asked, has_changed, models::WITHOUT, ui))
}
