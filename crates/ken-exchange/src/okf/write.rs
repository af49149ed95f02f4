//! Writes a bundle of version 0.2.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use ken_core::claim::SourceRef;
use ken_core::header::{FieldName, Style, encode_scalar};
use ken_core::link::file::encoded;
use ken_core::snapshot::PageFacts;
use ken_core::text::one_line;
use ken_core::{Category, Date, VaultPath};

use super::{DEPRECATED, IGNORE, RESERVED, VERSION};
use crate::evidence::{self, EVIDENCE, cited_in};
use crate::format::{Output, Settings};
use crate::header::{Block, lines_where, unknown};
use crate::links::{Leading, between_brackets, relinked};
use crate::vault::Vault;

/// Keys of the format, which are written by it alone, and of ours that say nothing of a page elsewhere.
const WRITTEN: &[&str] = &[
    "type",
    "title",
    "description",
    "tldr",
    "summary",
    "tags",
    "sources",
    "generated",
    "verified",
    "status",
    "stale_after",
    "timestamp",
    "owner",
    "body_digest",
    "okf_version",
];

pub(super) fn write(vault: &Vault, _: &Settings) -> Output {
    let mut out = Output::default();
    let (mut n_other, mut cited) = (0, BTreeSet::new());
    let pages: Vec<usize> = (0..vault.snapshot.pages.len()).collect();
    out.put("index.md", index(vault));
    out.put("log.md", log(vault));
    for idx in pages {
        let facts = &vault.snapshot.pages[idx];
        match is_page(vault, facts) {
            true => {
                let (place, text) = (place(vault, facts), page(vault, idx));
                cited.extend(cited_in(&place, &text));
                out.put(place.as_str(), text);
            }
            false => n_other += 1,
        }
    }
    let n_files = out.files.len();
    evidence::add(vault, &cited, "", &mut out);
    if out.files.len() > n_files {
        // Days and documents are no pages of a bundle.
        out.put(IGNORE, format!("{EVIDENCE}/\n"));
    }
    if n_other > 0 {
        out.notes.push(format!("{n_other} pages that are no Markdown were left out"));
    }
    out
}

fn is_page(vault: &Vault, facts: &PageFacts) -> bool {
    facts.page.path.extension() == "md" && !RESERVED.contains(&place(vault, facts).file_name())
}

/// Where a page stands in the bundle: its place below the wiki, or in the vault.
fn place(vault: &Vault, facts: &PageFacts) -> VaultPath {
    let path = &facts.page.path;
    let below = path.as_str().strip_prefix(vault.snapshot.layout.wiki.as_str());
    below.and_then(|below| VaultPath::new(below.strip_prefix('/')?)).unwrap_or_else(|| path.clone())
}

fn page(vault: &Vault, idx: usize) -> String {
    let facts = &vault.snapshot.pages[idx];
    let page = &facts.page;
    let link = |link: &Leading<'_>| {
        let anchor = link.anchor.map(|anchor| format!("#{}", encoded(anchor))).unwrap_or_default();
        let place = if is_page(vault, link.to) { place(vault, link.to) } else { link.to.page.path.clone() };
        format!("[{}](/{}{anchor})", between_brackets(link.shown), encoded(place.as_str()))
    };
    header(vault, facts) + &relinked(&vault.snapshot, idx, page.body(), &link)
}

fn header(vault: &Vault, facts: &PageFacts) -> String {
    let (page, entry) = (&facts.page, &facts.entry);
    let mut block = Block::new();
    // What a page calls its own type is free there.
    block.scalar("type", &page.scalar(FieldName::Category).unwrap_or_else(|| entry.category.as_str().to_owned()));
    block.scalar("title", &entry.title);
    block.scalar("description", &entry.tldr);
    match unknown(page, "tags") {
        Some(lines) => block.raw(&lines.replace("\r\n", "\n")),
        None => block.list("tags", &entry.triggers),
    }
    match unknown(page, "sources").filter(|lines| lines.contains("resource:")) {
        Some(lines) => block.raw(&lines.replace("\r\n", "\n")),
        None => block.raw_if(&sources(facts)),
    }
    let own = |key: &str, ours: String| unknown(page, key).map_or(ours, |lines| lines.replace("\r\n", "\n"));
    let made = match (entry.is_owned, entry.updated) {
        (true, Some(day)) => format!("generated:\n  by: {}\n  at: {day}\n", vault.by),
        _ => String::new(),
    };
    block.raw_if(&own("generated", made));
    let checked = page.header.scalar(&page.text, FieldName::Validated).filter(|_| entry.is_owned);
    let checked = checked.map(|month| format!("verified:\n  - by: process:{}\n    at: {month}-01\n", vault.by));
    block.raw_if(&own("verified", checked.unwrap_or_default()));
    block.raw_if(&status(facts));
    block.raw_if(&own("stale_after", String::new()));
    let is_kept = |_: Option<FieldName>, key: &str| !WRITTEN.iter().any(|known| known.eq_ignore_ascii_case(key));
    block.raw_if(&lines_where(page, is_kept));
    block.finish()
}

/// Whether the page is in use. What says in a header that it is past says so there too.
fn status(facts: &PageFacts) -> String {
    let own = unknown(&facts.page, "status").map(|lines| lines.replace("\r\n", "\n"));
    let is_past = facts.entry.past.is_some() || facts.entry.redirect_to.is_some();
    let is_low = facts.page.scalar(FieldName::Confidence).as_deref() == Some("low");
    match own {
        _ if is_past => format!("status: {DEPRECATED}\n"),
        Some(own) => own,
        None if !facts.entry.is_owned => String::new(),
        None if is_low => "status: draft\n".to_owned(),
        None => "status: stable\n".to_owned(),
    }
}

/// One source a footnote, keyed by its label; of a page without footnotes, its files.
fn sources(facts: &PageFacts) -> String {
    let text = &facts.page.text;
    let mut out = String::new();
    let mut add = |id: Option<&str>, resource: &str, day: Option<Date>| {
        let _ = writeln!(out, "  - resource: {}", encode_scalar(resource, Style::Yaml));
        if let Some(id) = id {
            let _ = writeln!(out, "    id: {}", encode_scalar(id, Style::Yaml));
        }
        if let Some(day) = day {
            let _ = writeln!(out, "    last_modified: {day}");
        }
    };
    let mut cited: BTreeMap<&str, (String, Option<Date>)> = BTreeMap::new();
    let mut order = Vec::new();
    for note in &facts.footnotes {
        let Some(source) = SourceRef::parse(note.text.of(text)) else { continue };
        let place = format!("{}#L{}-L{}", source.path, source.lines.0, source.lines.1);
        if cited.insert(&note.label, (place, source.path.stem().parse().ok())).is_none() {
            order.push(note.label.as_str());
        }
    }
    for label in order {
        let (resource, day) = &cited[label];
        add(Some(label), resource, *day);
    }
    if cited.is_empty() {
        facts.page.list(FieldName::Sources).iter().for_each(|file| add(None, file, None));
    }
    if out.is_empty() { out } else { format!("sources:\n{out}") }
}

fn index(vault: &Vault) -> String {
    let mut text = format!("---\nokf_version: \"{VERSION}\"\n---\n# {}\n", between_brackets(&vault.name));
    for category in Category::all() {
        let is_it = |facts: &&PageFacts| facts.entry.category == category && is_page(vault, facts);
        let pages: Vec<&PageFacts> = vault.snapshot.pages.iter().filter(is_it).collect();
        if !pages.is_empty() {
            let _ = write!(text, "\n## {}\n\n", category.heading());
        }
        for facts in pages {
            let (title, tldr) = (between_brackets(&facts.entry.title), one_line(&facts.entry.tldr));
            let told = if tldr.is_empty() { String::new() } else { format!(" - {tldr}") };
            let _ = writeln!(text, "* [{title}](/{}){told}", encoded(place(vault, facts).as_str()));
        }
    }
    text
}

/// Which pages changed on which day, the newest first.
fn log(vault: &Vault) -> String {
    let mut days: BTreeMap<Date, Vec<&PageFacts>> = BTreeMap::new();
    for facts in vault.snapshot.pages.iter().filter(|facts| is_page(vault, facts)) {
        if let Some(day) = facts.entry.updated {
            days.entry(day).or_default().push(facts);
        }
    }
    let mut text = "# Log\n".to_owned();
    for (day, pages) in days.iter().rev() {
        let _ = write!(text, "\n## {day}\n\n");
        for facts in pages {
            let title = between_brackets(&facts.entry.title);
            let _ = writeln!(text, "* [{title}](/{})", encoded(place(vault, facts).as_str()));
        }
    }
    text
}
