//! `ken budget`: what agents load before the first prompt.

mod wire;
mod window;

use ken_agents::agents::{self, Agent};
use ken_agents::budget::mcp::Listings;
use ken_agents::budget::{self, Asked, Loaded, Part, Start, Told};
use ken_engine::Failure;

use crate::exit::Answer;
use crate::paint::{BOLD, DIM, HINT, WARNING};
use crate::session::Session;
use crate::table::Cell;
use crate::text::{clean, number};
use crate::tokenizer::Tokenizer;
use crate::ui::Ui;

/// A start that takes more leaves too little for the work: one part in so many.
const PARTS: usize = 10;

/// Count what agents load before the first prompt
///
/// Reads what each agent would load in the working folder by its own rules
/// (instructions and what they import, rules, its memory, descriptions of skills,
/// the brief of the vault) and compares it with the model's window. Above 10 % it
/// names the files to trim, largest first, and the exit code is 1.
///
/// Tool servers (MCP) are named and not counted, because only the server itself
/// knows its tools: `--mcp` starts the programs that the settings name and asks
/// them, at most 10 seconds each. What an agent brings along itself, its own prompt
/// and tools, stands in no file and is not counted.
///
/// Examples:
///   ken budget                        every agent that is found
///   ken budget claude-code codex      these two
///   ken budget codex --window 272k --tokenizer o200k
///   ken budget claude-code --mcp      tools of its servers as well
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Agents [default: every agent that is found]
    #[arg(value_name = "AGENT")]
    agents: Vec<String>,
    /// The model's window: tokens, as in `200000` or `1m`, or a name [default: 200k]
    #[arg(long, value_name = "TOKENS|NAME", default_value = "200k", hide_default_value = true)]
    #[arg(value_parser = window::tokens)]
    window: usize,
    /// What counts: estimate, o200k or cl100k [default: estimate]
    #[arg(long, value_name = "NAME", default_value = "estimate", hide_default_value = true)]
    #[arg(hide_possible_values = true)]
    tokenizer: Tokenizer,
    /// Start the tool servers and ask for their tools
    #[arg(long)]
    mcp: bool,
}

/// What one agent loads, against the window.
struct Sum {
    agent: &'static dyn Agent,
    loaded: Loaded,
    tokens: usize,
    is_exact: bool,
    is_over: bool,
}

/// Runs the command.
pub(crate) fn run(args: &Args, session: &Session, ui: &mut Ui) -> Result<Answer, Failure> {
    let ruler = args.tokenizer.ruler()?;
    let machine = session.machine()?;
    let start = Start::new(&machine, session.cwd());
    let chosen = chosen(&args.agents, &start)?;
    let brief = brief(session, ui);
    let said = match args.mcp {
        true => Listings::ask(chosen.iter().flat_map(|agent| budget::servers(*agent, &start)).collect(), &start),
        false => Listings::default(),
    };
    let sum = |agent: &'static dyn Agent| {
        let loaded = budget::load(agent, &start, brief.as_deref(), &said, &ruler);
        let tokens = loaded.tokens();
        let is_exact = agent.counting().is_exact_with(args.tokenizer.name()) && loaded.is_verbatim();
        Sum { agent, loaded, tokens, is_exact, is_over: tokens > args.window / PARTS }
    };
    let sums: Vec<Sum> = chosen.into_iter().map(sum).collect();
    if ui.is_json() {
        ui.json(&wire::wire(&sums, args));
    } else {
        sums.iter().for_each(|sum| print(sum, args, ui));
        ui.say("Not counted: what an agent brings along itself, its own prompt and tools.");
    }
    Ok(Answer::no_if(sums.iter().any(|sum| sum.is_over)))
}

fn chosen(wanted: &[String], start: &Start<'_>) -> Result<Vec<&'static dyn Agent>, Failure> {
    let mut chosen: Vec<&'static dyn Agent> = Vec::new();
    for name in wanted {
        let agent = agents::by_name(name).filter(|agent| !agent.is_extra());
        let agent = agent.ok_or_else(|| {
            let failure = Failure::usage(format!("no agent is named `{}`", clean(name)));
            failure.hint(format!("known are {}", names()))
        })?;
        if !chosen.iter().any(|other| other.name() == agent.name()) {
            chosen.push(agent);
        }
    }
    if wanted.is_empty() {
        chosen = budget::found(start);
    }
    match chosen.is_empty() {
        true => {
            let failure = Failure::refused("no coding agent was found on this machine");
            Err(failure.hint(format!("name one of {}", names())))
        }
        false => Ok(chosen),
    }
}

fn names() -> String {
    let agents = agents::AGENTS.iter().filter(|agent| !agent.is_extra());
    crate::text::quoted(&agents.map(|agent| agent.name()).collect::<Vec<_>>())
}

/// What sessions start with in this vault; without a vault hooks say nothing.
fn brief(session: &Session, ui: &mut Ui) -> Option<String> {
    match session.engine().ok()?.brief(session.cwd(), None) {
        Ok(brief) => Some(brief.text),
        Err(failure) => {
            ui.warning(&format!("the brief is not counted: {}", failure.message));
            None
        }
    }
}

fn print(sum: &Sum, args: &Args, ui: &mut Ui) {
    let paint = ui.paint();
    let (about, percent) = (if sum.is_exact { "" } else { "about " }, window::percent(sum.tokens, args.window));
    let (window, tokens) = (number(args.window), number(sum.tokens));
    let verdict = if sum.is_over { paint.of(WARNING, "above 10 %") } else { "within 10 %".to_owned() };
    let title = paint.of(BOLD, sum.agent.title());
    ui.line(format!("{title}: {about}{tokens} of {window} tokens, {percent}, {verdict}"));
    let counted = sum.loaded.parts.iter().map(|part| row(part, args));
    let rows: Vec<Vec<Cell>> = counted.chain(sum.loaded.servers.iter().filter_map(server_row)).collect();
    ui.rows(&rows);
    for part in sum.loaded.to_trim(args.window / PARTS).iter().filter(|_| sum.is_over) {
        let inner = part.section.as_ref().map(|section| {
            format!(", of which {} in \"{}\"", number(section.tokens), crate::text::brief(&section.name, 60))
        });
        let trim = format!("{}, {}{}", clean(&part.place), number(part.tokens), inner.unwrap_or_default());
        ui.line(format!("  {} {trim}", paint.of(HINT, "trim:")));
    }
    if sum.loaded.is_cut {
        ui.warning(&format!("{} has more files than are counted", sum.agent.title()));
    }
    ui.say(format!("  counted with: {}; {}", args.tokenizer.name(), sum.agent.counting().words()));
}

fn row(part: &Part, args: &Args) -> Vec<Cell> {
    vec![
        Cell::new(format!("  {}", part.kind.name())),
        Cell::new(&part.place),
        Cell::new(number(part.tokens)).right(),
        Cell::new(window::percent(part.tokens, args.window)).right(),
        Cell::new(part.note.as_deref().unwrap_or_default()).style(DIM),
    ]
}

fn server_row(told: &Told) -> Option<Vec<Cell>> {
    let note = format!("server `{}`, {}", told.server.name, not_counted(&told.asked)?);
    let none = || Cell::new("-").right();
    Some(vec![Cell::new("  tools"), Cell::new(&told.place), none(), none(), Cell::new(note).style(DIM)])
}

/// Why a server is not part of the sum.
fn not_counted(asked: &Asked) -> Option<String> {
    match asked {
        Asked::Not => Some("not counted; `ken budget --mcp` starts it and asks".to_owned()),
        Asked::Remote => Some("not counted; it is reached over the network".to_owned()),
        Asked::Failed(cause) => Some(format!("not counted; {}", clean(cause))),
        Asked::Answered { .. } => None,
    }
}
