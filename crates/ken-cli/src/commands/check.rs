//! `ken check`: whether the memory of a project is as it should be, line by line.

use std::time::Instant;

use ken_agents::agents::Agent;
use ken_agents::budget::mcp::Listings;
use ken_agents::budget::{self, Loaded, Start};
use ken_core::VaultPath;
use ken_engine::config::{Measured, window_tokens};
use ken_engine::{CheckLine, Engine, Failure};
use serde::Serialize;

use super::budget::Against;
use crate::exit::Answer;
use crate::paint::{ERROR, HINT};
use crate::session::Session;
use crate::text::{clean, count};
use crate::tokenizer::Tokenizer;
use crate::ui::Ui;

/// Longest that a session may wait for its start, milliseconds.
const START_MS: u128 = 2_000;

/// Check that the memory of the project is as it should be
///
/// Each line passes or fails, with the figure and the limit, and says what to do
/// where it fails: what each agent loads at its start and what is left for work
/// (`[budget]` in kenning.toml), files that an agent cuts off, topic files that are
/// loaded although they should wait, how long a session waits for its brief, short
/// indexes and their links, the index, errors of lint, and the state. Exits with 1
/// when a line fails.
///
/// Examples:
///   ken check
///   ken check claude-code --window 1m
///   ken check --json                  for a pipeline
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Agents [default: every agent that is found]
    #[arg(value_name = "AGENT")]
    agents: Vec<String>,
    /// The model's window: tokens, as in `200000` or `1m`, or a name [default: that of [budget], else 200k]
    #[arg(long, value_name = "TOKENS|NAME", allow_negative_numbers = true, value_parser = window_tokens)]
    window: Option<usize>,
}

#[derive(Serialize)]
struct Wire<'a> {
    passed: usize,
    failed: usize,
    checks: Vec<WireLine<'a>>,
}

#[derive(Serialize)]
struct WireLine<'a> {
    check: &'a str,
    ok: bool,
    figure: &'a str,
    limit: &'a str,
    hint: Option<&'a str>,
}

/// Runs the command.
pub(crate) fn run(args: &Args, session: &Session, ui: &mut Ui) -> Result<Answer, Failure> {
    let engine = session.engine()?;
    let mut lines = start_lines(args, &engine, session)?;
    lines.extend(engine.checklist()?);
    let n_failed = lines.iter().filter(|line| !line.is_ok).count();
    if ui.is_json() {
        ui.json(&wire(&lines, n_failed));
    } else {
        print(&lines, ui);
        let passed = count(lines.len() - n_failed, "check");
        ui.say(format!("{passed} passed, {n_failed} failed."));
    }
    Ok(Answer::no_if(n_failed > 0))
}

/// What agents load at their start, and how long a session waits for it.
fn start_lines(args: &Args, engine: &Engine, session: &Session) -> Result<Vec<CheckLine>, Failure> {
    let ruler = Tokenizer::Estimate.ruler()?;
    let machine = session.machine()?;
    let start = Start::new(&machine, session.cwd());
    let agents: Vec<&'static dyn Agent> = match args.agents.is_empty() {
        true => budget::found(&start),
        false => super::budget::chosen(&args.agents, &start)?,
    };
    let begun = Instant::now();
    let brief = engine.brief(session.cwd(), None)?.text;
    let took_ms = begun.elapsed().as_millis();
    let against = Against::of(Some(engine), args.window, &ruler)?;
    let mut lines = Vec::new();
    for agent in agents {
        let loaded = budget::load(agent, &start, Some(&brief), &Listings::default(), &ruler);
        for one in against.measured(&loaded) {
            let hint = hint(&one, &loaded, engine);
            lines.push(CheckLine::new(
                format!("{}: {}", agent.title(), one.layer),
                one.is_ok(),
                against.shown(&one),
                hint,
            ));
        }
        lines.push(read_whole(agent, &loaded));
        lines.push(topics(agent, &loaded, engine, session));
    }
    let figures = (format!("{took_ms} ms"), format!("at most {START_MS} ms"));
    let hint = "`ken doctor` runs the hooks one by one; `brief_bytes = 0` in kenning.toml turns the brief off";
    lines.push(CheckLine::new("time to start", took_ms <= START_MS, figures, hint));
    Ok(lines)
}

/// What to do where a layer breaks its limit.
fn hint(one: &Measured, loaded: &Loaded, engine: &Engine) -> String {
    let trim = loaded.to_trim(0);
    let largest = || trim.first().map_or("the instructions".to_owned(), |part| clean(&part.place));
    let first = match one.layer {
        "memory" => "shorten what the agent remembers".to_owned(),
        "state" => format!("take done tasks out of {}", engine.layout().state_page()),
        "work area" => format!("trim {}, or lower `context_tokens`", largest()),
        _ => format!("trim {}, the largest", largest()),
    };
    let verb = if one.is_least { "lower" } else { "raise" };
    format!("{first}, or {verb} `{}` of [budget] in kenning.toml", one.key)
}

/// Whether the agent reads its files to their ends: what it cuts off it never follows, and says nothing.
fn read_whole(agent: &dyn Agent, loaded: &Loaded) -> CheckLine {
    let cut: Vec<_> = loaded.parts.iter().filter(|part| part.n_unread > 0).collect();
    let n_unread: usize = cut.iter().map(|part| part.n_unread).sum();
    let hint = cut.iter().max_by_key(|part| part.n_unread).map_or(String::new(), |part| {
        let (place, n_all) = (clean(&part.place), part.bytes + part.n_unread);
        format!("shorten {place}: the agent reads {} of its {n_all} bytes, and nothing of the rest", part.bytes)
    });
    let figures = (format!("{n_unread} bytes left out"), "at most 0");
    CheckLine::new(format!("{}: read whole", agent.title()), cut.is_empty(), figures, hint)
}

/// Whether pages of the vault are loaded at the start, which are for when they are needed.
fn topics(agent: &dyn Agent, loaded: &Loaded, engine: &Engine, session: &Session) -> CheckLine {
    let is_topic = |place: &str| {
        let full = session.cwd().join(place);
        let inside = full.strip_prefix(engine.root()).ok().and_then(|path| path.to_str());
        inside.and_then(VaultPath::new).is_some_and(|path| engine.layout().is_page(&path))
    };
    let topics: Vec<&str> =
        loaded.parts.iter().map(|part| part.place.as_str()).filter(|place| is_topic(place)).collect();
    let hint = topics.first().map_or(String::new(), |place| {
        format!("take the import of {} out of the instructions; an index names it", clean(place))
    });
    let figures = (format!("{} loaded at start", topics.len()), "at most 0");
    CheckLine::new(format!("{}: topic files", agent.title()), topics.is_empty(), figures, hint)
}

fn print(lines: &[CheckLine], ui: &mut Ui) {
    let paint = ui.paint();
    for line in lines {
        let word = if line.is_ok { "PASS".to_owned() } else { paint.of(ERROR, "FAIL") };
        ui.line(format!("{word}  {}: {} ({})", clean(&line.name), clean(&line.figure), line.limit));
        if let Some(hint) = &line.hint {
            ui.line(format!("      {} {}", paint.of(HINT, "hint:"), clean(hint)));
        }
    }
}

fn wire<'a>(lines: &'a [CheckLine], n_failed: usize) -> Wire<'a> {
    let line = |line: &'a CheckLine| WireLine {
        check: &line.name,
        ok: line.is_ok,
        figure: &line.figure,
        limit: &line.limit,
        hint: line.hint.as_deref(),
    };
    Wire { passed: lines.len() - n_failed, failed: n_failed, checks: lines.iter().map(line).collect() }
}
