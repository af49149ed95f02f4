//! `ken budget`: what agents load before the first prompt.

mod limits;
mod window;
mod wire;

use ken_agents::agents::{self, Agent};
use ken_agents::budget::mcp::Listings;
use ken_agents::budget::{self, Asked, Loaded, Part, Start, Told};
use ken_engine::Failure;
use ken_engine::config::{Measured, window_tokens};

pub(crate) use limits::Against;

use crate::exit::Answer;
use crate::paint::{BOLD, DIM, HINT, WARNING};
use crate::session::Session;
use crate::table::Cell;
use crate::text::{clean, number};
use crate::tokenizer::Tokenizer;
use crate::ui::Ui;

/// Count what agents load before the first prompt
///
/// Reads what each agent would load in the working folder by its own rules
/// (instructions and what they import, rules, its memory, descriptions of skills,
/// the brief of the vault) and compares it with the model's window. Above 10 % it
/// names the files to trim, largest first, and the exit code is 1. With `--strict`
/// each layer is held to its limit of `[budget]` in kenning.toml: instructions,
/// memory, state, the start, and what is left for work.
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
///   ken budget --strict               each layer beside its limit
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Agents [default: every agent that is found]
    #[arg(value_name = "AGENT")]
    agents: Vec<String>,
    /// The model's window: tokens, as in `200000` or `1m`, or a name [default: that of [budget], else 200k]
    #[arg(long, value_name = "TOKENS|NAME", allow_negative_numbers = true, value_parser = window_tokens)]
    window: Option<usize>,
    /// What counts: estimate, o200k or cl100k [default: estimate]
    #[arg(long, value_name = "NAME", default_value = "estimate", hide_default_value = true)]
    #[arg(hide_possible_values = true)]
    tokenizer: Tokenizer,
    /// Start the tool servers and ask for their tools
    #[arg(long)]
    mcp: bool,
    /// Hold every layer to its limit of [budget], and exit with 1 where one is above
    #[arg(long)]
    strict: bool,
}

/// What one agent loads, against the window.
struct Sum {
    agent: &'static dyn Agent,
    loaded: Loaded,
    tokens: usize,
    is_exact: bool,
    is_over: bool,
    /// Each layer beside its limit, where that was asked for.
    limits: Vec<Measured>,
}

impl Sum {
    fn breaks_a_limit(&self) -> bool {
        self.is_over || self.limits.iter().any(|one| !one.is_ok())
    }
}

/// Runs the command.
pub(crate) fn run(args: &Args, session: &Session, ui: &mut Ui) -> Result<Answer, Failure> {
    let ruler = args.tokenizer.ruler()?;
    let machine = session.machine()?;
    let start = Start::new(&machine, session.cwd());
    let chosen = chosen(&args.agents, &start)?;
    // Where there is no vault, the usual limits hold; one that does not open must not pass for one without limits.
    let engine = if args.strict && session.is_in_vault() { Some(session.engine()?) } else { session.engine().ok() };
    let against = Against::of(engine.as_ref(), args.window, &ruler)?;
    let brief = brief(session, ui);
    let said = match args.mcp {
        true => Listings::ask(chosen.iter().flat_map(|agent| budget::servers(*agent, &start)).collect(), &start),
        false => Listings::default(),
    };
    let sum = |agent: &'static dyn Agent| {
        let loaded = budget::load(agent, &start, brief.as_deref(), &said, &ruler);
        let tokens = loaded.tokens();
        let is_exact = agent.counting().is_exact_with(args.tokenizer.name()) && loaded.is_verbatim();
        let limits = if args.strict { against.measured(&loaded).to_vec() } else { Vec::new() };
        Sum { agent, tokens, is_exact, is_over: tokens > against.limits.start(), limits, loaded }
    };
    let sums: Vec<Sum> = chosen.into_iter().map(sum).collect();
    if ui.is_json() {
        ui.json(&wire::wire(&sums, (args, &against)));
    } else {
        sums.iter().for_each(|sum| print(sum, (args, &against), ui));
        ui.say("Not counted: what an agent brings along itself, its own prompt and tools.");
    }
    Ok(Answer::no_if(sums.iter().any(Sum::breaks_a_limit)))
}

pub(crate) fn chosen(wanted: &[String], start: &Start<'_>) -> Result<Vec<&'static dyn Agent>, Failure> {
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

fn print(sum: &Sum, (args, against): (&Args, &Against), ui: &mut Ui) {
    let window_max = against.limits.window;
    let paint = ui.paint();
    let (about, percent) = (if sum.is_exact { "" } else { "about " }, window::percent(sum.tokens, window_max));
    let (window, tokens) = (number(window_max), number(sum.tokens));
    let most = format!("{} %", against.limits.start_percent);
    let verdict = if sum.is_over { paint.of(WARNING, &format!("above {most}")) } else { format!("within {most}") };
    let title = paint.of(BOLD, sum.agent.title());
    ui.line(format!("{title}: {about}{tokens} of {window} tokens, {percent}, {verdict}"));
    let counted = sum.loaded.parts.iter().map(|part| row(part, window_max));
    let rows: Vec<Vec<Cell>> = counted.chain(sum.loaded.servers.iter().filter_map(server_row)).collect();
    ui.rows(&rows);
    for part in sum.loaded.to_trim(against.limits.start()).iter().filter(|_| sum.is_over) {
        let inner = part.section.as_ref().map(|section| {
            format!(", of which {} in \"{}\"", number(section.tokens), crate::text::brief(&section.name, 60))
        });
        let trim = format!("{}, {}{}", clean(&part.place), number(part.tokens), inner.unwrap_or_default());
        ui.line(format!("  {} {trim}", paint.of(HINT, "trim:")));
    }
    for one in &sum.limits {
        let (figure, limit) = against.shown(one);
        let word = if one.is_ok() { "within:".to_owned() } else { paint.of(WARNING, "above:") };
        let key = if one.is_ok() { String::new() } else { format!(" (`{}` of [budget])", one.key) };
        let word = if one.is_least && !one.is_ok() { paint.of(WARNING, "below:") } else { word };
        ui.line(format!("  {word} {}, {figure}, {limit}{key}", one.layer));
    }
    if sum.loaded.is_cut {
        ui.warning(&format!("{} has more files than are counted", sum.agent.title()));
    }
    ui.say(format!("  counted with: {}; {}", args.tokenizer.name(), sum.agent.counting().words()));
}

fn row(part: &Part, window_max: usize) -> Vec<Cell> {
    vec![
        Cell::new(format!("  {}", part.kind.name())),
        Cell::new(&part.place),
        Cell::new(number(part.tokens)).right(),
        Cell::new(window::percent(part.tokens, window_max)).right(),
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
