//! `ken show`: one page with what surrounds it.

use ken_core::header::Relation;
use ken_engine::outcome::ShowOutcome;
use ken_engine::{Engine, Failure};
use serde::Serialize;

use crate::exit::Answer;
use crate::paint::DIM;
use crate::ui::Ui;
use crate::wire;

/// Print a page and the pages that lead to it
///
/// The name may be a slug, a title or an alias; redirects are followed.
///
/// Examples:
///   ken show jwt-authentication
///   ken show "JWT authentication" --json
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The page
    name: String,
}

#[derive(Serialize)]
struct Wire<'a> {
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
    text: &'a str,
}

#[derive(Serialize)]
struct Related<'a> {
    page: &'a str,
    validated: Option<String>,
}

/// Runs the command.
pub(crate) fn run(args: &Args, engine: &Engine, ui: &mut Ui) -> Result<Answer, Failure> {
    let done = engine.show(&args.name)?;
    if ui.is_json() {
        ui.json(&wire(&done))
    } else {
        print(&done, ui)
    }
    Ok(Answer::Yes)
}

fn wire(done: &ShowOutcome) -> Wire<'_> {
    let entry = &done.entry;
    Wire {
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
        text: &done.text,
    }
}

fn related(relations: &[Relation]) -> Vec<Related<'_>> {
    let month = |relation: &Relation| relation.validated.map(|month| month.to_string());
    relations.iter().map(|one| Related { page: &one.target, validated: month(one) }).collect()
}

fn print(done: &ShowOutcome, ui: &mut Ui) {
    ui.page_text(&done.text);
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
