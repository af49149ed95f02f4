//! `ken task`: the calling agent as the model.

use ken_engine::propose::{PACKET_MINUTES, Packet, SubmitOutcome};
use ken_engine::{Engine, Failure};
use serde::Serialize;

use crate::env;
use crate::exit::Answer;
use crate::models::{RejectedWire, rejected};
use crate::text::{clean, clean_lines, count, moment};
use crate::ui::Ui;
use crate::wire;

/// Do the work of a model yourself: fetch a task, submit the answer
///
/// An agent that works here anyway can compile the vault: `next` hands out one
/// packet with its rules, what it reads, and the form of a good answer; the
/// sessions of a day share one, and so do pages. `submit` checks the answer,
/// applies what holds, and returns the reasons for what does not, so that it can
/// be mended and submitted again; what is doubted of sessions is asked about in
/// the next packet. No two agents get the same task; one that was not answered in
/// time is handed out again.
///
/// Examples:
///   ken task next --json
///   ken task submit compile-3f9a0c2b7d1e4a55 answer.json
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Next(NextArgs),
    Submit(SubmitArgs),
}

/// Hand out the next open task
///
/// Exits with 1 when nothing is open.
///
/// Examples:
///   ken task next
///   ken task next --json
///   ken task next --minutes 10
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
struct NextArgs {
    /// How long nobody else gets it
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = PACKET_MINUTES)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=24 * 60))]
    minutes: u64,
}

/// Submit the answer to a task
///
/// What holds is applied at once; what does not comes back with its reason. A
/// session of which something is rejected or doubted waits, so that it can be
/// mended: it is written into the journal when `ken task next` is called, or, if
/// that asks about its doubts, when they are answered. Exits with 1 when nothing
/// was taken.
///
/// Examples:
///   ken task submit compile-3f9a0c2b7d1e4a55 answer.json
///   ken task submit compile-3f9a0c2b7d1e4a55 -     from standard input
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
struct SubmitArgs {
    /// What `ken task next` called it
    id: String,
    /// The answer, a file with one JSON object; `-` is standard input
    file: String,
}

#[derive(Serialize)]
struct PacketWire<'a> {
    id: &'a str,
    kind: &'static str,
    prompt: &'a str,
    schema: &'a serde_json::Value,
    inputs: Vec<InputWire<'a>>,
    expires: String,
    left: usize,
}

#[derive(Serialize)]
struct InputWire<'a> {
    path: &'a str,
    lines: [usize; 2],
    text: &'a str,
}

#[derive(Serialize)]
struct Nothing {
    id: Option<&'static str>,
}

#[derive(Serialize)]
struct SubmitWire<'a> {
    accepted: usize,
    applied: bool,
    created: Vec<&'a str>,
    updated: Vec<&'a str>,
    removed: Vec<&'a str>,
    rejected: Vec<RejectedWire<'a>>,
    doubted: Vec<RejectedWire<'a>>,
    waiting: usize,
}

/// Runs the command.
pub(crate) fn run(args: &Args, engine: &Engine, ui: &mut Ui) -> Result<Answer, Failure> {
    match &args.command {
        Command::Next(args) => next(args, engine, ui),
        Command::Submit(args) => submit(args, engine, ui),
    }
}

fn next(args: &NextArgs, engine: &Engine, ui: &mut Ui) -> Result<Answer, Failure> {
    let Some(packet) = engine.next_task(args.minutes)? else {
        if ui.is_json() {
            ui.json(&Nothing { id: None });
        } else {
            ui.note("no task is open that nobody else has");
        }
        return Ok(Answer::No);
    };
    if ui.is_json() {
        ui.json(&packet_wire(&packet));
        return Ok(Answer::Yes);
    }
    ui.line(format!(
        "Task {} (until {}, {} besides)",
        packet.id,
        moment(packet.expires),
        count(packet.n_left, "open task")
    ));
    ui.line("");
    ui.line(clean_lines(&packet.prompt));
    ui.line("The form of the answer:");
    ui.line(serde_json::to_string(&packet.schema).unwrap_or_default());
    ui.note(&format!("answer with `ken task submit {} FILE`", packet.id));
    Ok(Answer::Yes)
}

fn packet_wire(packet: &Packet) -> PacketWire<'_> {
    let inputs = packet.inputs.iter();
    PacketWire {
        id: &packet.id,
        kind: packet.kind.as_str(),
        prompt: &packet.prompt,
        schema: &packet.schema,
        inputs: inputs
            .map(|input| InputWire { path: &input.path, lines: [input.lines.0, input.lines.1], text: &input.text })
            .collect(),
        expires: packet.expires.to_string(),
        left: packet.n_left,
    }
}

fn submit(args: &SubmitArgs, engine: &Engine, ui: &mut Ui) -> Result<Answer, Failure> {
    let answer = env::read_bytes(&args.file)?;
    let done = engine.submit_task(&args.id, &answer)?;
    if ui.is_json() {
        let applied = done.applied.clone().unwrap_or_default();
        ui.json(&SubmitWire {
            accepted: done.accepted,
            applied: done.applied.is_some(),
            created: wire::slugs(&applied.created),
            updated: wire::slugs(&applied.updated),
            removed: wire::slugs(&applied.removed),
            rejected: rejected(done.rejected.iter().map(|part| ("", part))),
            doubted: rejected(done.doubted.iter().map(|part| ("", part))),
            waiting: done.n_waiting,
        });
    } else {
        print(&done, ui);
    }
    Ok(if done.applied.is_some() || done.n_waiting > 0 { Answer::Yes } else { Answer::No })
}

fn print(done: &SubmitOutcome, ui: &mut Ui) {
    for part in &done.rejected {
        ui.warning(&format!("{} was rejected: {}", clean(&part.part), clean(&part.reason)));
    }
    for part in &done.doubted {
        ui.warning(&format!("{} is kept as unverified: {}", clean(&part.part), clean(&part.reason)));
    }
    match &done.applied {
        Some(applied) => ui.say(format!(
            "Took {}: {} created, {} updated, {} removed.",
            count(done.accepted, "part"),
            applied.created.len(),
            applied.updated.len(),
            applied.removed.len()
        )),
        None if done.n_waiting > 0 => ui.say(format!("Took {}.", count(done.accepted, "part"))),
        None => ui.note("nothing was applied; mend the answer and submit it again"),
    }
    if done.n_waiting > 0 {
        let n = count(done.n_waiting, "session");
        ui.note(&format!(
            "{n} not yet in the journal; mend what was rejected or doubted, or go on with `ken task next`"
        ));
    }
}
