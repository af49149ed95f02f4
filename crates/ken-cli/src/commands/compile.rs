//! `ken compile`: turns journal and sources into pages.

use std::time::Instant;

use ken_core::Slug;
use ken_core::text::cut;
use ken_engine::outcome::CompileOutcome;
use ken_engine::propose::AskedOutcome;
use ken_engine::{CompileOptions, Engine, EstimateOutcome, Failure};
use serde::Serialize;

use crate::batches;
use crate::exit::Answer;
use crate::models::{self, AskedWire, ModelArgs, Purpose};
use crate::paint::{BOLD, GONE, GOOD, HINT};
use crate::text::{clean, count};
use crate::ui::Ui;
use crate::wire::{self, Skipped, Thin};

/// Pages of each sort that a summary names.
const NAMES_MAX: usize = 12;

/// Turn journal and sources into pages
///
/// Makes and renews the pages that Kenning owns, and the index. Each sentence
/// cites the lines it comes from. The bodies of pages that people own stay as they
/// are. What was edited by hand in a compiled page goes into the journal first. All
/// changes are made, or none; `ken undo` takes them back. Where more than five
/// pages and more than a quarter of them would go, nothing is done without `--yes`.
/// With `--model`, captured sessions are read first, as `ken distill` does, each
/// once; then what else is new in journal and sources, then the pages.
///
/// Examples:
///   ken compile
///   ken compile --dry-run     show what would change, as a diff
///   ken compile --headers     fill in the headers of pages that people own, too
///   ken compile --all         read everything again
///   ken compile --model anthropic:MODEL
///   ken compile --model 'command:claude -p' --estimate
///   ken compile --model anthropic:MODEL --batch   half the price, in a day
///   ken compile --model anthropic:MODEL --cancel  a batch that is under way
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Change nothing; print the changes as a diff
    #[arg(long, conflicts_with = "model")]
    dry_run: bool,
    /// Also fill missing header fields of pages that people own; always so in the ckp layout
    #[arg(long)]
    headers: bool,
    /// Read every journal day and source again, not only what is new
    #[arg(long)]
    all: bool,
    /// Remove pages although it is more than a quarter of them
    #[arg(long)]
    yes: bool,
    /// With a model: show what would be asked and what it can cost at most; ask nothing
    #[arg(long, requires = "model", conflicts_with_all = ["dry_run", "offline"])]
    estimate: bool,
    /// With a model: ask again for what earlier rules or another model replied to
    #[arg(long, requires = "model", conflicts_with = "offline")]
    renew: bool,
    /// With a model of Anthropic or OpenAI: send what is asked as a batch, at half the price; a later
    /// run collects the replies, within a day
    #[arg(long, requires = "model", conflicts_with_all = ["dry_run", "offline"])]
    batch: bool,
    /// With the model of a batch that is under way: cancel it; what was answered is kept, the rest costs nothing
    #[arg(
        long,
        requires = "model",
        conflicts_with_all = ["dry_run", "offline", "headers", "all", "estimate", "renew", "batch", "max_usd"]
    )]
    cancel: bool,
    #[command(flatten)]
    model: ModelArgs,
}

#[derive(Serialize)]
struct Wire<'a> {
    created: Vec<&'a str>,
    updated: Vec<&'a str>,
    removed: Vec<&'a str>,
    unchanged: usize,
    claims: usize,
    sources: usize,
    duration_ms: u64,
    edits_captured: Vec<&'a str>,
    skipped: Vec<Skipped<'a>>,
    thin: Vec<Thin<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    returned: Vec<ReturnedWire<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    asked: Option<AskedWire<'a>>,
}

#[derive(Serialize)]
struct EstimateWire<'a> {
    model: &'a str,
    tasks: Vec<TaskWire<'a>>,
    prompt_tokens: u64,
    usd_expected: f64,
    usd_max: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    batch: Option<DoubtsWire>,
    doubts: DoubtsWire,
    later: LaterWire,
    outdated: &'a [String],
}

#[derive(Serialize)]
struct TaskWire<'a> {
    kind: &'a str,
    about: &'a str,
    prompt_tokens: u64,
}

#[derive(Serialize)]
struct DoubtsWire {
    usd_expected: f64,
    usd_max: f64,
}

#[derive(Serialize)]
struct LaterWire {
    pages_max: usize,
    usd_expected: f64,
    usd_max: f64,
}

#[derive(Serialize)]
struct ReturnedWire<'a> {
    slug: &'a str,
    text: &'a str,
    replaced_by: Option<&'a str>,
}

fn returned_wire((slug, one): &(ken_core::Slug, ken_core::returned::Returned)) -> ReturnedWire<'_> {
    let replaced_by = one.by.as_ref().map(|by| by.path.as_str());
    ReturnedWire { slug: slug.as_str(), text: &one.text, replaced_by }
}

/// Runs the command.
pub(crate) fn run(args: &Args, engine: &Engine, ui: &mut Ui) -> Result<Answer, Failure> {
    let options = CompileOptions { dry_run: args.dry_run, headers: args.headers, all: args.all, yes: args.yes };
    let started = Instant::now();
    let author = args
        .model
        .author(
            Purpose { renew: args.renew, is_estimate: args.estimate, in_batch: args.batch || args.cancel },
            engine,
            ui,
        )?
        .filter(|_| !args.dry_run);
    if let (Some(author), true) = (&author, args.estimate) {
        return estimate(&engine.estimate(author)?, ui);
    }
    let (done, asked) = match &author {
        Some(author) if args.cancel => engine.cancel_batches(author).map(|(done, asked)| (done, Some(asked)))?,
        Some(author) => engine.compile_with(options, author).map(|(done, asked)| (done, Some(asked)))?,
        None => (engine.compile(options)?, None),
    };
    let duration_ms = started.elapsed().as_millis() as u64;
    if ui.is_json() {
        ui.json(&wire(&done, asked.as_ref(), duration_ms));
    } else {
        asked.iter().for_each(|asked| models::print(asked, ui));
        if args.cancel {
            batches::print_cancelled(asked.as_ref(), ui);
        }
        print(&done, (args.dry_run, duration_ms), ui);
    }
    if let Some(why) = engine.keyless().filter(|_| !args.dry_run) {
        ui.warning(&format!(
            "{}: the next compile reads everything again, and `ken doctor` says what to do",
            why.message
        ));
    }
    if args.model.offline && !ui.is_json() {
        models::print_missing(&engine.missing_replies()?, ui);
    }
    match asked {
        Some(asked) => models::conclude(&asked, done.has_changed(), models::WITHOUT, ui),
        None => Ok(Answer::Yes),
    }
}

/// Prints what would be asked.
pub(super) fn estimate(estimate: &EstimateOutcome, ui: &mut Ui) -> Result<Answer, Failure> {
    let prompt_tokens = estimate.tasks.iter().map(|(.., tokens)| tokens).sum();
    let (pages_max, later_max) = estimate.later;
    if ui.is_json() {
        let task = |(kind, about, tokens): &'_ (&'static str, String, u64)| (*kind, about.clone(), *tokens);
        let tasks: Vec<_> = estimate.tasks.iter().map(task).collect();
        ui.json(&EstimateWire {
            model: &estimate.model,
            tasks: tasks.iter().map(|(kind, about, tokens)| TaskWire { kind, about, prompt_tokens: *tokens }).collect(),
            prompt_tokens,
            usd_expected: estimate.expected.0 as f64 / 1e6,
            usd_max: estimate.bound.0 as f64 / 1e6,
            batch: estimate
                .in_batch
                .map(|(max, about)| DoubtsWire { usd_expected: about.0 as f64 / 1e6, usd_max: max.0 as f64 / 1e6 }),
            doubts: DoubtsWire {
                usd_expected: estimate.doubts.1.0 as f64 / 1e6,
                usd_max: estimate.doubts.0.0 as f64 / 1e6,
            },
            later: LaterWire {
                pages_max,
                usd_expected: estimate.later_expected.0 as f64 / 1e6,
                usd_max: later_max.0 as f64 / 1e6,
            },
            outdated: &estimate.outdated,
        });
        return Ok(Answer::Yes);
    }
    for (kind, about, tokens) in estimate.tasks.iter().take(NAMES_MAX) {
        ui.line(format!("{kind:<10} {} ({tokens} tokens)", clean(about)));
    }
    let tasks = count(estimate.tasks.len(), "task");
    let (about, max) = (estimate.expected, estimate.bound);
    ui.line(format!("{}: {tasks}, {prompt_tokens} tokens in prompts, about {about}, at most {max}.", estimate.model));
    if let Some((max, about)) = estimate.in_batch.filter(|(max, _)| max.0 > 0) {
        ui.line(format!(
            "In a batch (`--batch`), within a day: about {about}, at most {max}; what follows costs half, too."
        ));
    }
    print_doubts(estimate, ui);
    if pages_max > 0 {
        let pages = count(pages_max, "page");
        ui.line(format!(
            "Headers, relations, prose and roll-ups of at most {pages} that change: about {}, at most {later_max} more.",
            estimate.later_expected
        ));
    }
    if !estimate.outdated.is_empty() {
        let n = count(estimate.outdated.len(), "page");
        ui.line(format!("{n} resting on replies of other rules or another model; `--renew` asks again:"));
        estimate.outdated.iter().take(NAMES_MAX).for_each(|place| ui.line(format!("  {}", clean(place))));
    }
    ui.note("nothing was asked");
    Ok(Answer::Yes)
}

/// Says what asking about doubts can cost, where something will be read.
pub(super) fn print_doubts(estimate: &EstimateOutcome, ui: &mut Ui) {
    let is_read = estimate.tasks.iter().any(|(kind, ..)| matches!(*kind, "distill" | "compile"));
    if is_read {
        let (max, about) = estimate.doubts;
        ui.line(format!("What is doubted of what they say: about {about}, at most {max} more."));
    }
}

fn wire<'a>(done: &'a CompileOutcome, asked: Option<&'a AskedOutcome>, duration_ms: u64) -> Wire<'a> {
    Wire {
        created: wire::slugs(&done.created),
        updated: wire::slugs(&done.updated),
        removed: wire::slugs(&done.removed),
        unchanged: done.unchanged,
        claims: done.claims,
        sources: done.sources,
        duration_ms,
        edits_captured: wire::slugs(&done.edits_captured),
        skipped: wire::skipped(&done.skipped),
        thin: wire::thin(&done.thin),
        returned: done.returned.iter().map(returned_wire).collect(),
        diff: done.diff.as_deref(),
        asked: asked.map(models::wire),
    }
}

/// Files that are named before the rest is counted.
const NAMED_MAX: usize = 3;

/// Returns the first of these names, and how many more there are.
fn some_of(names: &[&str]) -> String {
    let (shown, rest) = names.split_at(names.len().min(NAMED_MAX));
    match rest.len() {
        0 => shown.join(", "),
        n => format!("{} and {}", shown.join(", "), count(n, "more file")),
    }
}

fn print(done: &CompileOutcome, (is_dry, duration_ms): (bool, u64), ui: &mut Ui) {
    done.diff.iter().for_each(|diff| print_diff(diff, ui));
    for (path, reason) in &done.skipped {
        ui.warning(&format!("`{path}` was left out: {reason}"));
    }
    models::print_thin(&done.thin, ui);
    for (slug, one) in &done.returned {
        let by = one.by.as_ref().map_or("the line".to_owned(), |by| format!("a line of {}", clean(by.path.as_str())));
        let text = cut(&one.text, 120);
        ui.warning(&format!("`{slug}` says again: {text} ({by} that had replaced it is gone)"));
    }
    let renewed = some_of(&wire::paths(&done.renewed));
    let n_changed = done.created.len() + done.updated.len() + done.removed.len();
    if n_changed == 0 {
        let pages = count(done.unchanged, "page");
        match done.sources {
            0 if !done.edits_captured.is_empty() => {
                ui.say(format!("Edits by hand are in the journal now; {pages} as before."))
            }
            0 if renewed.is_empty() => {
                ui.say(format!("Everything is compiled: {pages} as before; nothing was changed."))
            }
            0 => ui.say(format!("Everything is compiled: {pages} as before.")),
            n => ui.say(format!("Compiled {}: no page changes, {pages} as before.", count(n, "source"))),
        }
        match is_dry {
            _ if renewed.is_empty() => {}
            true => ui.say(format!("It would renew {renewed}; nothing was changed.")),
            false => ui.say(format!("Renewed {renewed}.")),
        }
        return;
    }
    let counts =
        format!("{} created, {} updated, {} removed", done.created.len(), done.updated.len(), done.removed.len());
    if is_dry {
        ui.say(format!("It would be {counts}; nothing was changed."));
        return;
    }
    let what = if done.sources == 0 { String::new() } else { format!(" {}", count(done.sources, "source")) };
    let (ms, claims) = (duration_ms, count(done.claims, "claim"));
    ui.say(format!("Compiled{what} in {ms} ms: {counts}, {} as before; {claims} in all.", done.unchanged));
    let sorts: [(&str, &[Slug]); 4] = [
        ("created", &done.created),
        ("updated", &done.updated),
        ("removed", &done.removed),
        ("edited by hand; the edits are in the journal now", &done.edits_captured),
    ];
    for (sort, slugs) in sorts.into_iter().filter(|(_, slugs)| !slugs.is_empty()) {
        ui.say(format!("{sort}:"));
        ui.say_names(&wire::slugs(slugs), NAMES_MAX);
    }
}

pub(crate) fn print_diff(diff: &str, ui: &mut Ui) {
    let paint = ui.paint();
    for line in diff.lines() {
        let style = match line.as_bytes() {
            [b'+', b'+', b'+', ..] | [b'-', b'-', b'-', ..] => BOLD,
            [b'+', ..] => GOOD,
            [b'-', ..] => GONE,
            [b'@', ..] => HINT,
            _ => crate::paint::PLAIN,
        };
        ui.line(paint.of(style, &clean(line)));
    }
}
