//! `ken budget --json`.

use ken_agents::budget::{Asked, Part, Told};
use ken_engine::config::Measured;
use serde::Serialize;

use super::{Against, Args, Sum, not_counted};

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
    #[serde(skip_serializing_if = "Vec::is_empty")]
    limits: Vec<Limit<'a>>,
}

#[derive(Serialize)]
struct Limit<'a> {
    layer: &'a str,
    figure: usize,
    limit: usize,
    unit: &'a str,
    at_least: bool,
    ok: bool,
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
pub(super) fn wire<'a>(sums: &'a [Sum], with: (&Args, &Against)) -> Wire<'a> {
    Wire { agents: sums.iter().map(|sum| one(sum, with)).collect() }
}

fn one<'a>(sum: &'a Sum, (args, against): (&Args, &Against)) -> One<'a> {
    let window = against.limits.window;
    let trim = if sum.is_over { sum.loaded.to_trim(against.limits.start()) } else { Vec::new() };
    One {
        agent: sum.agent.name(),
        window,
        tokens: sum.tokens,
        // Ten thousandths are more than an estimate has.
        share: (sum.tokens as f64 / window as f64 * 10_000.0).round() / 10_000.0,
        exact: sum.is_exact,
        tokenizer: args.tokenizer.name(),
        over: sum.is_over,
        layers: sum.loaded.parts.iter().map(layer).collect(),
        trim: trim.into_iter().map(to_trim).collect(),
        mcp: sum.loaded.servers.iter().map(server).collect(),
        limits: sum.limits.iter().map(limit).collect(),
    }
}

fn limit(one: &Measured) -> Limit<'_> {
    let Measured { layer, figure, limit, unit, is_least, .. } = *one;
    Limit { layer, figure, limit, unit, at_least: is_least, ok: one.is_ok() }
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
