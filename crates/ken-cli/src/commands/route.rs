//! `ken route`: which pages answer a question, and why.

use ken_core::route::{Loaded, Route, SURE, Tier};
use ken_core::{Slug, Tokens};
use ken_engine::outcome::RouteOutcome;
use ken_engine::search::SURE_IN_TEXT;
use ken_engine::{Engine, Failure};
use serde::Serialize;

use crate::exit::Answer;
use crate::paint::{BOLD, DIM, GOOD};
use crate::table::Cell;
use crate::text::{brief, clean, count, number, quoted};
use crate::then::{Then, ThenWire};
use crate::ui::Ui;

/// Left-out pages that `--explain` names before it counts.
const SKIPPED_MAX: usize = 20;
/// Longest tldr in a row, characters.
const TLDR_CHARS_MAX: usize = 120;
/// What is said when nothing is loaded, and what to do next.
const NO_PAGE: &str = "no page is sure to answer that";
const BESIDE: &str = "`ken context` looks through the journal and sources, too";

/// Choose the pages that answer a question
///
/// Looks at headers first: the question's words against triggers and names. Loads
/// what matches, the pages those need (high), and related pages that match too
/// (mid), within a budget. When no header is sure to answer, pages are loaded whose
/// text is, as the declaration then says; when no text is either, nothing is
/// loaded, the exit code is 1, and the page that came closest is named, with
/// vectors (docs/book/semantic.md) the one closest in meaning. Never writes and
/// never asks a language model.
///
/// Examples:
///   ken route "how do refresh tokens rotate?"
///   ken route --explain how do refresh tokens rotate
///   ken route --json "token lifetime" --budget 3000
///   ken route --as-of 2026-03-12 "token lifetime"
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The question
    #[arg(required = true)]
    question: Vec<String>,
    /// Tokens that may be spent [default: `route_tokens` of kenning.toml, else 8000]
    #[arg(long, value_name = "TOKENS", allow_negative_numbers = true)]
    budget: Option<usize>,
    /// Say why each page is loaded and why others are not
    #[arg(long)]
    explain: bool,
    #[command(flatten)]
    then: Then,
}

#[derive(Serialize)]
struct Wire<'a> {
    #[serde(flatten)]
    then: ThenWire,
    loaded: Vec<Page<'a>>,
    total_pages: usize,
    tokens: usize,
    budget: usize,
    abstained: bool,
    confidence: f64,
    text_confidence: Option<f64>,
    declaration: String,
    notes: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    alike: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    closest: Option<Closest<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    skipped: Option<Vec<LeftOut<'a>>>,
}

/// The page that the confidence is of, and the word that decides about it.
#[derive(Serialize)]
struct Closest<'a> {
    slug: &'a str,
    word: Option<&'a str>,
}

#[derive(Serialize)]
struct Page<'a> {
    slug: &'a str,
    path: &'a str,
    tier: &'static str,
    via: &'a [String],
    tokens: usize,
    tldr_only: bool,
}

#[derive(Serialize)]
struct LeftOut<'a> {
    slug: &'a str,
    reason: &'a str,
}

/// Runs the command.
pub(crate) fn run(args: &Args, engine: &Engine, ui: &mut Ui) -> Result<Answer, Failure> {
    let (engine, question) = (args.then.engine(engine)?, args.question.join(" "));
    let done = engine.route(&question, args.budget.map(Tokens))?;
    let loaded: Vec<Slug> = done.route.loaded.iter().map(|one| one.entry.slug.clone()).collect();
    engine.note_question(&question, &loaded);
    if ui.is_json() {
        ui.json(&wire(&done, args))
    } else {
        print(&done, args.explain, ui)
    }
    Ok(Answer::no_if(done.route.is_empty()))
}

fn wire<'a>(done: &'a RouteOutcome, args: &Args) -> Wire<'a> {
    let explain = args.explain;
    let route = &done.route;
    let page = |one: &'_ Loaded| (one.tier.as_str(), one.tokens.0, one.tldr_only);
    let loaded = route.loaded.iter().map(|one| {
        let (tier, tokens, tldr_only) = page(one);
        Page { slug: one.entry.slug.as_str(), path: one.entry.path.as_str(), tier, via: &one.via, tokens, tldr_only }
    });
    let skipped = || route.skipped.iter().map(|(slug, reason)| LeftOut { slug: slug.as_str(), reason }).collect();
    let closest = route.closest.as_ref().filter(|_| explain);
    Wire {
        then: args.then.wire(),
        loaded: loaded.collect(),
        total_pages: route.n_pages,
        tokens: route.tokens.0,
        budget: route.budget.0,
        abstained: route.is_empty(),
        confidence: rounded(route.confidence),
        text_confidence: route.text_confidence.map(rounded),
        declaration: route.declaration(),
        notes: &done.notes,
        alike: done.alike.as_ref().map(Slug::as_str),
        closest: closest.map(|(slug, word)| Closest { slug: slug.as_str(), word: word.as_deref() }),
        skipped: explain.then(skipped),
    }
}

/// Four digits behind the point: more would only show noise.
fn rounded(number: f64) -> f64 {
    (number * 10_000.0).round() / 10_000.0
}

fn print(done: &RouteOutcome, explain: bool, ui: &mut Ui) {
    let route = &done.route;
    ui.line(clean(&route.declaration()));
    ui.rows(&route.loaded.iter().map(row).collect::<Vec<_>>());
    if explain {
        print_why(route, ui);
    }
    done.notes.iter().for_each(|note| ui.warning(note));
    if route.is_empty() {
        ui.note(&match (&done.alike, &route.closest) {
            (Some(slug), _) => format!("{NO_PAGE}; `{slug}` is closest in meaning; {BESIDE}"),
            (None, Some((slug, _))) => format!("{NO_PAGE}; `{slug}` came closest; {BESIDE}"),
            (None, None) => format!("{NO_PAGE}; {BESIDE}"),
        });
    }
}

fn row(one: &Loaded) -> Vec<Cell> {
    let style = if one.tier == Tier::Match { GOOD } else { BOLD };
    let cost = if one.tldr_only { format!("{} (tldr)", number(one.tokens.0)) } else { number(one.tokens.0) };
    vec![
        Cell::new(one.tier.as_str()).style(style),
        Cell::new(one.entry.path.as_str()),
        Cell::new(cost).right(),
        Cell::new(format!("via {}", one.via.join(", "))),
        Cell::new(brief(&one.entry.tldr, TLDR_CHARS_MAX)).style(DIM),
    ]
}

fn print_why(route: &Route, ui: &mut Ui) {
    let budget = count(route.budget.0, "token");
    ui.line(format!("{} of {budget} spent", number(route.tokens.0)));
    ui.line(clean(&how_sure(route)));
    if !route.is_empty() {
        ui.line("loaded:");
        let why = |one: &Loaded| vec![Cell::new(format!("  {}", one.entry.slug)), Cell::new(reason(one, route))];
        ui.rows(&route.loaded.iter().map(why).collect::<Vec<_>>());
    }
    if !route.skipped.is_empty() {
        ui.line("left out:");
        let why = |(slug, why): &(Slug, String)| vec![Cell::new(format!("  {slug}")), Cell::new(why)];
        ui.rows(&route.skipped.iter().take(SKIPPED_MAX).map(why).collect::<Vec<_>>());
        if route.skipped.len() > SKIPPED_MAX {
            ui.line(format!("  and {} more", number(route.skipped.len() - SKIPPED_MAX)));
        }
    }
}

/// The confidence, what it is measured by, and the word that would have changed the outcome.
fn how_sure(route: &Route) -> String {
    let text = route.text_confidence.map(|text| format!("; by text {text:.2}, threshold {SURE_IN_TEXT:.2}"));
    let sure =
        format!("confidence by headers {:.2}, threshold {SURE:.2}{}", route.confidence, text.unwrap_or_default());
    let Some((slug, word)) = &route.closest else { return sure };
    if route.is_in_text() {
        return sure;
    }
    let decides = match (word, route.confidence >= SURE) {
        (Some(word), true) => format!("without `{word}`, `{slug}` would not be loaded"),
        (Some(word), false) => format!("`{slug}` came closest, and would be loaded with `{word}` among its triggers"),
        (None, true) => "no single word decides that".to_owned(),
        (None, false) => format!("`{slug}` came closest, and no single word would do"),
    };
    format!("{sure}; {decides}")
}

/// A high relation is named by the page that brought it; everything else by the question's words.
fn reason(one: &Loaded, route: &Route) -> String {
    let brought = one.via.iter().all(|via| route.loaded.iter().any(|other| other.entry.slug.as_str() == via));
    let place = if route.is_in_text() { "text" } else { "header" };
    let words = format!("its {place} holds {}", quoted(&one.via));
    let mut why = match one.tier {
        Tier::Match => words,
        Tier::High if brought => format!("high relation of {}, so always loaded with it", quoted(&one.via)),
        Tier::High => format!("high relation of a loaded page, and {words}"),
        Tier::Mid => format!("mid relation of a loaded page, and {words}"),
    };
    if one.tldr_only {
        let spared = count(one.entry.tokens.0.saturating_sub(one.tokens.0), "token");
        why.push_str(&format!("; the tldr is enough, which spares {spared}"));
    }
    why
}
