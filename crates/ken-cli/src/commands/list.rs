//! `ken list`: the pages of the vault.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::lint::Grounding;
use ken_core::page::kind_of;
use ken_core::topic::Topics;
use ken_core::{Category, IndexEntry, VaultPath};
use ken_engine::{Engine, Failure, Lack};
use serde::Serialize;

use crate::exit::Answer;
use crate::paint::{BOLD, DIM};
use crate::table::Cell;
use crate::text::{brief, number};
use crate::then::{Then, ThenWire};
use crate::ui::Ui;
use crate::wire;

/// Longest tldr in a row, characters.
const TLDR_CHARS_MAX: usize = 120;

/// List the pages of the vault
///
/// One row a page: name, category, tokens, the date of its newest source, tldr.
///
/// Examples:
///   ken list
///   ken list --category project
///   ken list --topic gotchas
///   ken list --json
///   ken list --as-of 2026-03-12
///   ken list --json --grounding
///   ken list --stubs
///   ken list --orphans --category concept
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Only pages of one category (concept, entity, project, …), or of a folder of your own in the wiki (people)
    #[arg(long, value_name = "CATEGORY")]
    category: Option<String>,
    /// Count for each page how many of its claims are borne out by what they cite, in JSON
    #[arg(long)]
    grounding: bool,
    /// Only pages of one topic, as the words of their headers tell it
    #[arg(long, value_name = "TOPIC")]
    topic: Option<String>,
    /// Only pages that say hardly anything
    #[arg(long)]
    stubs: bool,
    /// Only pages that cite what is gone or changed
    #[arg(long)]
    stale: bool,
    /// Only pages on which claims cannot all be true
    #[arg(long)]
    disputed: bool,
    /// Only pages that no other page leads to
    #[arg(long)]
    orphans: bool,
    /// Only pages that are retired, or say that they are past
    #[arg(long)]
    retired: bool,
    #[command(flatten)]
    then: Then,
}

impl Args {
    /// What the pages are to lack.
    fn lacks(&self) -> BTreeSet<Lack> {
        let all = [
            (self.stubs, Lack::Stub),
            (self.stale, Lack::Stale),
            (self.disputed, Lack::Disputed),
            (self.orphans, Lack::Orphan),
            (self.retired, Lack::Retired),
        ];
        all.into_iter().filter(|(is_asked, _)| *is_asked).map(|(_, lack)| lack).collect()
    }
}

#[derive(Serialize)]
struct Wire<'a> {
    #[serde(flatten)]
    then: ThenWire,
    pages: Vec<Page<'a>>,
}

#[derive(Serialize)]
struct Page<'a> {
    slug: &'a str,
    path: &'a str,
    title: &'a str,
    category: &'static str,
    topic: Option<&'a str>,
    tldr: &'a str,
    tokens: usize,
    updated: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    grounding: Option<wire::Grounding>,
}

/// Runs the command.
pub(crate) fn run(args: &Args, engine: &Engine, ui: &mut Ui) -> Result<Answer, Failure> {
    let lacks = args.lacks();
    let engine_then = args.then.engine(engine)?;
    if !lacks.is_empty() && args.then.is_past() {
        return Err(Failure::usage("what pages lack is known of today only").hint("leave the day out"));
    }
    let known = args.category.as_deref().and_then(Category::parse);
    let own = args.category.as_deref().filter(|_| known.is_none());
    let wiki = &engine.layout().wiki;
    let is_own = |entry: &IndexEntry| own.is_none_or(|own| kind_of(&entry.path, entry.category, wiki) == own);
    if own.is_some() && !engine_then.list(None)?.iter().any(is_own) {
        let why = category(own.unwrap_or_default()).err().unwrap_or_default();
        return Err(
            Failure::usage(format!("no page is of the category or folder `{}`", own.unwrap_or_default())).hint(why)
        );
    }
    let mut pages = match lacks.is_empty() {
        true => engine_then.list(known)?,
        false => engine_then.list_lacking(known, &lacks)?,
    };
    pages.retain(is_own);
    let topics = engine.topics();
    if let Some(topic) = &args.topic {
        known_topic(topic, topics)?;
        pages.retain(|entry| topics.of_page(entry) == Some(topic));
    }
    if ui.is_json() {
        let paths: Vec<VaultPath> = pages.iter().map(|entry| entry.path.clone()).collect();
        let counted = if args.grounding { args.then.engine(engine)?.grounding(&paths)? } else { BTreeMap::new() };
        let page = |entry| page(entry, topics, &counted);
        ui.json(&Wire { then: args.then.wire(), pages: pages.iter().map(page).collect() });
        return Ok(Answer::Yes);
    }
    ui.rows(&pages.iter().map(|entry| row(entry, wiki)).collect::<Vec<_>>());
    if pages.is_empty() && !lacks.is_empty() {
        ui.note("there are no such pages");
    } else if pages.is_empty() {
        ui.note("there are no such pages; `ken compile` makes pages of journal and sources");
    }
    Ok(Answer::Yes)
}

fn page<'a>(entry: &'a IndexEntry, topics: &'a Topics, counted: &BTreeMap<VaultPath, Grounding>) -> Page<'a> {
    Page {
        slug: entry.slug.as_str(),
        path: entry.path.as_str(),
        title: &entry.title,
        category: entry.category.as_str(),
        topic: topics.of_page(entry),
        tldr: &entry.tldr,
        tokens: entry.tokens.0,
        updated: entry.updated.map(|date| date.to_string()),
        grounding: counted.get(&entry.path).map(wire::Grounding::of),
    }
}

fn row(entry: &IndexEntry, wiki: &VaultPath) -> Vec<Cell> {
    let updated = entry.updated.map_or_else(|| "-".to_owned(), |date| date.to_string());
    let about = match (&entry.redirect_to, &entry.past) {
        (Some(target), _) => format!("redirect to {target}"),
        (None, Some(past)) => brief(past, TLDR_CHARS_MAX),
        (None, None) => brief(&entry.tldr, TLDR_CHARS_MAX),
    };
    vec![
        Cell::new(entry.slug.as_str()).style(BOLD),
        Cell::new(kind_of(&entry.path, entry.category, wiki)),
        Cell::new(number(entry.tokens.0)).right(),
        Cell::new(updated),
        Cell::new(about).style(DIM),
    ]
}

/// Refuses a topic that nothing can be of.
fn known_topic(topic: &str, topics: &Topics) -> Result<(), Failure> {
    if topics.names().any(|name| name == topic) {
        return Ok(());
    }
    let known: Vec<&str> = topics.names().collect();
    let known = if known.is_empty() {
        "`[topics]` sets none".to_owned()
    } else {
        format!("the topics are {}", known.join(", "))
    };
    Err(Failure::usage(format!("there is no topic `{topic}`")).hint(known).hint("`[topics]` in kenning.toml sets them"))
}

pub(crate) fn category(text: &str) -> Result<Category, String> {
    Category::parse(text).ok_or_else(|| {
        let known: Vec<&str> = Category::all().map(Category::as_str).collect();
        format!("the categories are {}", known.join(", "))
    })
}
