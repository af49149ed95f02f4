//! `ken show`: one page with what surrounds it.

use ken_core::agreement::{Counted, with_tags};
use ken_core::header::Relation;
use ken_core::lint::Grounding;
use ken_engine::outcome::ShowOutcome;
use ken_engine::{Counts, Engine, Failure, WhyOutcome};
use serde::Serialize;

use crate::exit::Answer;
use crate::paint::DIM;
use crate::then::{Then, ThenWire};
use crate::ui::Ui;
use crate::wire;

/// Print a page and the pages that lead to it
///
/// The name may be a slug, a title or an alias; redirects are followed. With
/// `--why` it may be any name, phrase or word of the journal: what was counted
/// of it, and why it has a page of its own or none; exit code 1 for none.
///
/// Examples:
///   ken show jwt-authentication
///   ken show "JWT authentication" --json
///   ken show --why "refresh token"
///   ken show --as-of 2026-03-12 jwt-authentication
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The page
    name: String,
    /// Say why this has a page of its own, or none
    #[arg(long, conflicts_with_all = ["as_of", "on"])]
    why: bool,
    #[command(flatten)]
    then: Then,
}

#[derive(Serialize)]
struct Wire<'a> {
    #[serde(flatten)]
    then: ThenWire,
    slug: &'a str,
    path: &'a str,
    title: &'a str,
    category: &'static str,
    tldr: &'a str,
    triggers: &'a [String],
    high: Vec<Related<'a>>,
    mid: Vec<Related<'a>>,
    tokens: usize,
    updated: Option<String>,
    backlinks: Vec<&'a str>,
    redirected_from: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    grounding: Option<wire::Grounding>,
    claims: Vec<Claim<'a>>,
    text: &'a str,
}

#[derive(Serialize)]
struct Claim<'a> {
    line: usize,
    text: &'a str,
    state: &'static str,
    #[serde(flatten)]
    said: wire::Said,
    tag: Option<&'a str>,
}

#[derive(Serialize)]
struct Related<'a> {
    page: &'a str,
    validated: Option<String>,
}

/// Runs the command.
pub(crate) fn run(args: &Args, engine: &Engine, ui: &mut Ui) -> Result<Answer, Failure> {
    if args.why {
        let done = engine.why(&args.name)?;
        if ui.is_json() {
            ui.json(&why_wire(&args.name, &done))
        } else {
            print_why(&args.name, &done, ui)
        }
        return Ok(Answer::no_if(done.page.is_none()));
    }
    let engine = args.then.engine(engine)?;
    let done = engine.show(&args.name)?;
    if ui.is_json() {
        let counted = engine.grounding(std::slice::from_ref(&done.entry.path))?;
        ui.json(&wire(&done, args, counted.get(&done.entry.path)))
    } else {
        print(&done, args, ui)
    }
    Ok(Answer::Yes)
}

#[derive(Serialize)]
struct WhyWire<'a> {
    name: &'a str,
    page: Option<&'a str>,
    path: Option<&'a str>,
    why: String,
    entries: usize,
    mentioning: usize,
    leading: usize,
    of_work: usize,
    alone: usize,
    named: usize,
    nouns: usize,
    telling: usize,
    founded: usize,
    most: usize,
}

fn why_wire<'a>(name: &'a str, done: &'a WhyOutcome) -> WhyWire<'a> {
    let Counts { entries, mentioning, leading, of_work, alone, named, nouns, telling, founded, most } = done.counts;
    WhyWire {
        name,
        page: done.page.as_ref().map(|(slug, _)| slug.as_str()),
        path: done.page.as_ref().map(|(_, path)| path.as_str()),
        why: done.reason.explained(),
        entries,
        mentioning,
        leading,
        of_work,
        alone,
        named,
        nouns,
        telling,
        founded,
        most,
    }
}

fn print_why(name: &str, done: &WhyOutcome, ui: &mut Ui) {
    let has = match &done.page {
        Some((_, path)) => format!("`{name}` has a page, {path}"),
        None => format!("`{name}` has no page of its own"),
    };
    ui.say(format!("{has}: {}.", done.reason.explained()));
    let counts = &done.counts;
    if counts.mentioning == 0 {
        return;
    }
    ui.say("");
    for (what, n) in [
        ("entries of the journal and documents", counts.entries),
        ("of them mention it", counts.mentioning),
        ("where it stands in the first clause of a statement", counts.leading),
        ("of these, pieces of work", counts.of_work),
        ("where it stands alone, not in a longer name", counts.alone),
        ("where it is written as a name or in code", counts.named),
        ("where a determiner stands before it", counts.nouns),
        ("where something names it that can be read alone", counts.telling),
        ("where such a statement speaks of it first", counts.founded),
        ("most statements of one entry that it leads", counts.most),
    ] {
        ui.say(format!("{n:>6}  {what}"));
    }
}

fn wire<'a>(done: &'a ShowOutcome, args: &Args, counted: Option<&Grounding>) -> Wire<'a> {
    let entry = &done.entry;
    Wire {
        then: args.then.wire(),
        slug: entry.slug.as_str(),
        path: entry.path.as_str(),
        title: &entry.title,
        category: entry.category.as_str(),
        tldr: &entry.tldr,
        triggers: &entry.triggers,
        high: related(&entry.high),
        mid: related(&entry.mid),
        tokens: entry.tokens.0,
        updated: entry.updated.map(|date| date.to_string()),
        backlinks: wire::slugs(&done.backlinks),
        redirected_from: wire::slugs(&done.redirected_from),
        grounding: counted.map(wire::Grounding::of),
        claims: done.claims.iter().map(claim).collect(),
        text: &done.text,
    }
}

fn claim(one: &Counted) -> Claim<'_> {
    Claim {
        line: one.line,
        text: &one.claim.text,
        state: one.claim.state.as_str(),
        said: wire::Said::of(&one.agreement),
        tag: one.tag.as_deref(),
    }
}

fn related(relations: &[Relation]) -> Vec<Related<'_>> {
    let month = |relation: &Relation| relation.validated.map(|month| month.to_string());
    relations.iter().map(|one| Related { page: &one.target, validated: month(one) }).collect()
}

fn print(done: &ShowOutcome, args: &Args, ui: &mut Ui) {
    let text = with_tags(&done.text, &done.claims);
    match args.then.is_past() {
        // What is left out keeps its lines in JSON, where lines are counted.
        true => ui.page_text(&without_gaps(&text)),
        false => ui.page_text(&text),
    }
    let dim = |text: String| ui.paint().of(DIM, &text);
    let backlinks = match done.backlinks.is_empty() {
        true => dim("no page links here".to_owned()),
        false => dim(format!("linked from: {}", wire::slugs(&done.backlinks).join(", "))),
    };
    let redirects = dim(format!("redirected from: {}", wire::slugs(&done.redirected_from).join(", ")));
    ui.say("");
    ui.say(backlinks);
    if !done.redirected_from.is_empty() {
        ui.say(redirects);
    }
}

/// A text with one empty line where there are several, and none between items that follow each other.
fn without_gaps(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut last, mut has_gap) = ("", false);
    for line in text.lines() {
        if line.trim().is_empty() {
            has_gap = true;
            continue;
        }
        let goes_on = ["- ", "[^"].iter().any(|start| last.starts_with(start) && line.starts_with(start));
        out.push_str(if has_gap && !goes_on { "\n" } else { "" });
        out.push_str(line);
        out.push('\n');
        (last, has_gap) = (line, false);
    }
    out
}
