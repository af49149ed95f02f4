//! `ken budget --json`.

use ken_agents::budget::{Asked, Part, Told};
use serde::Serialize;

use super::{Args, PARTS, Sum, not_counted};

#[derive(Serialize)]
pub(super) struct Wire<'a> {
    agents: Vec<One<'a>>,
}

#[derive(Serialize)]
struct One<'a> {
    agent: &'a str,
    window: usize,
    tokens: usize,
    share: f64,
    exact: bool,
    tokenizer: &'a str,
    over: bool,
    layers: Vec<Layer<'a>>,
    trim: Vec<Trim<'a>>,
    mcp: Vec<Server<'a>>,
}

#[derive(Serialize)]
struct Layer<'a> {
    layer: &'a str,
    place: &'a str,
    tokens: usize,
    bytes: usize,
    note: Option<&'a str>,
}

#[derive(Serialize)]
struct Trim<'a> {
    place: &'a str,
    tokens: usize,
    section: Option<&'a str>,
    section_tokens: Option<usize>,
}

#[derive(Serialize)]
struct Server<'a> {
    server: &'a str,
    place: &'a str,
    tools: Option<usize>,
    tokens: Option<usize>,
    note: Option<String>,
}

/// Returns what is printed.
pub(super) fn wire<'a>(sums: &'a [Sum], args: &Args) -> Wire<'a> {
    Wire { agents: sums.iter().map(|sum| one(sum, args)).collect() }
}

fn one<'a>(sum: &'a Sum, args: &Args) -> One<'a> {
    let trim = if sum.is_over { sum.loaded.to_trim(args.window / PARTS) } else { Vec::new() };
    One {
        agent: sum.agent.name(),
        window: args.window,
        tokens: sum.tokens,
        // Ten thousandths are more than an estimate has.
        share: (sum.tokens as f64 / args.window as f64 * 10_000.0).round() / 10_000.0,
        exact: sum.is_exact,
        tokenizer: args.tokenizer.name(),
        over: sum.is_over,
        layers: sum.loaded.parts.iter().map(layer).collect(),
        trim: trim.into_iter().map(to_trim).collect(),
        mcp: sum.loaded.servers.iter().map(server).collect(),
    }
}

fn layer(part: &Part) -> Layer<'_> {
    let note = part.note.as_deref();
    Layer { layer: part.kind.name(), place: &part.place, tokens: part.tokens, bytes: part.bytes, note }
}

fn to_trim(part: &Part) -> Trim<'_> {
    let section = part.section.as_ref();
    Trim {
        place: &part.place,
        tokens: part.tokens,
        section: section.map(|section| section.name.as_str()),
        section_tokens: section.map(|section| section.tokens),
    }
}

fn server(told: &Told) -> Server<'_> {
    let (tools, tokens) = match told.asked {
        Asked::Answered { n_tools, tokens, .. } => (Some(n_tools), Some(tokens)),
        _ => (None, None),
    };
    Server { server: &told.server.name, place: &told.place, tools, tokens, note: not_counted(&told.asked) }
}
