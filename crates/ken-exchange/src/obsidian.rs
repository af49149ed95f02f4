//! A folder that Obsidian opens: flat properties, links by file name, the cited days and documents beside the pages, and
//! one base. Nothing below `.obsidian/` is written.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::claim::SourceRef;
use ken_core::header::FieldName;
use ken_core::snapshot::PageFacts;
use ken_core::{Span, VaultPath};

use crate::format::{Format, Output, Settings, Shape, Writer};
use crate::header::{Block, lines_where, unknown};
use crate::links::{Leading, relinked};
use crate::vault::Vault;

/// An Obsidian vault.
pub(crate) static OBSIDIAN: Format = Format {
    name: "obsidian",
    about: "a folder for Obsidian: flat properties, links that open, one base",
    write: Some(Writer { shape: Shape::Folder, sign: "", run: write }),
    read: None,
};

/// Pages by what one looks for.
const BASE: &str = "\
filters:
  and:
    - file.hasProperty(\"category\")
views:
  - type: table
    name: Recent
    order: [file.name, category, tldr, updated, confidence]
    sort:
      - property: updated
        direction: DESC
  - type: table
    name: No longer in use
    filters:
      and:
        - file.hasProperty(\"past\")
    order: [file.name, past, updated]
  - type: table
    name: Contradicted
    filters:
      and:
        - file.hasProperty(\"contradicts\")
    order: [file.name, contradicts, updated]
";

fn write(vault: &Vault, _: &Settings) -> Output {
    let mut out = Output::default();
    let names = Names::of(vault);
    let mut cited = BTreeSet::new();
    let mut n_other = 0;
    for (idx, facts) in vault.snapshot.pages.iter().enumerate() {
        if facts.page.path.extension() != "md" {
            n_other += 1;
            continue;
        }
        let notes = facts.footnotes.iter().filter_map(|note| SourceRef::parse(note.text.of(&facts.page.text)));
        cited.extend(notes.map(|cited| cited.path));
        out.put(facts.page.path.as_str(), header(vault, facts, &names) + &body(vault, idx, &names));
    }
    let days = vault.days.iter().map(|day| (&day.path, &day.text));
    let sources = vault.sources.iter().map(|source| (&source.path, &source.text));
    for (path, text) in days.chain(sources).filter(|(path, _)| cited.contains(*path)) {
        out.put(path.as_str(), text.clone());
    }
    out.put("Kenning.base", BASE.to_owned());
    if n_other > 0 {
        out.notes.push(format!("{n_other} pages that are no Markdown were left out"));
    }
    out
}

/// How files are linked: by their name alone, where no other has it.
struct Names(BTreeMap<String, usize>);

impl Names {
    fn of(vault: &Vault) -> Names {
        let mut names = BTreeMap::new();
        let pages = vault.snapshot.pages.iter().map(|facts| &facts.page.path);
        let evidence = vault.days.iter().map(|day| &day.path).chain(vault.sources.iter().map(|source| &source.path));
        for path in pages.chain(evidence) {
            *names.entry(path.stem().to_lowercase()).or_insert(0) += 1;
        }
        Names(names)
    }

    /// What stands in a link to a file; of Markdown files without the extension.
    fn link(&self, path: &VaultPath) -> String {
        let is_page = path.extension() == "md";
        match self.0.get(&path.stem().to_lowercase()) {
            Some(1) if is_page => path.stem().to_owned(),
            _ if is_page => path.as_str().trim_end_matches(".md").to_owned(),
            _ => path.to_string(),
        }
    }
}

/// Keys that are written anew, or that say nothing there.
const WRITTEN: &[FieldName] = &[
    FieldName::Category,
    FieldName::Title,
    FieldName::Aliases,
    FieldName::Tldr,
    FieldName::Triggers,
    FieldName::High,
    FieldName::Mid,
    FieldName::Contradicts,
    FieldName::Sources,
    FieldName::Owner,
    FieldName::BodyDigest,
    FieldName::RedirectTo,
];

fn header(vault: &Vault, facts: &PageFacts, names: &Names) -> String {
    let (page, entry, snapshot) = (&facts.page, &facts.entry, &vault.snapshot);
    let mut block = Block::new();
    block.scalar("category", entry.category.as_str());
    block.scalar("title", &entry.title);
    // A page is found by its title only where that is an alias.
    let title = (entry.title != page.path.stem()).then(|| entry.title.clone());
    let mut aliases: Vec<String> = title.into_iter().chain(entry.aliases.iter().cloned()).collect();
    let mut known = BTreeSet::new();
    aliases.retain(|alias| known.insert(alias.to_lowercase()));
    block.list("aliases", &aliases);
    block.scalar("tldr", &entry.tldr);
    if unknown(page, "tags").is_none() {
        let tags: Vec<String> = entry.triggers.iter().map(|trigger| tag(trigger)).collect();
        block.list("tags", &tags.into_iter().filter(|tag| !tag.is_empty()).collect::<Vec<_>>());
    }
    let linked = |target: &str| {
        let to = snapshot.find(target).map(|idx| &snapshot.pages[idx].page.path);
        to.map(|path| format!("[[{}]]", names.link(path)))
    };
    let related = entry.high.iter().chain(&entry.mid).filter_map(|one| linked(&one.target));
    block.list("related", &related.collect::<Vec<_>>());
    let contradicts = page.relations(FieldName::Contradicts);
    block.list("contradicts", &contradicts.iter().filter_map(|one| linked(&one.target)).collect::<Vec<_>>());
    let sources = page.list(FieldName::Sources);
    let files = sources.iter().filter_map(|file| VaultPath::new(file.trim_matches(['[', ']'])));
    block.list("sources", &files.map(|path| format!("[[{}]]", names.link(&path))).collect::<Vec<_>>());
    block.scalar("past", entry.past.as_deref().unwrap_or_default());
    block.scalar("redirect_to", &entry.redirect_to.as_deref().and_then(linked).unwrap_or_default());
    let is_flat = |lines: &str| !lines.lines().skip(1).any(|line| line.contains(": "));
    let is_kept = |name: Option<FieldName>, key: &str| {
        let is_written =
            name.is_some_and(|name| WRITTEN.contains(&name)) || ["category", "past", "related"].contains(&key);
        !is_written && unknown(page, key).is_some_and(is_flat)
    };
    block.raw_if(&lines_where(page, is_kept));
    block.finish()
}

/// A word as Obsidian takes it for a tag.
fn tag(text: &str) -> String {
    let tag: String =
        text.chars().map(|ch| if ch.is_alphanumeric() || ch == '_' || ch == '/' { ch } else { '-' }).collect();
    let tag = tag.trim_matches('-').to_owned();
    // A number alone is none.
    if tag.chars().all(|ch| ch.is_ascii_digit()) { String::new() } else { tag }
}

fn body(vault: &Vault, idx: usize, names: &Names) -> String {
    let facts = &vault.snapshot.pages[idx];
    let page = &facts.page;
    let link = |link: &Leading<'_>| {
        let anchor = link.anchor.map(|anchor| format!("#{anchor}")).unwrap_or_default();
        let bang = if link.is_embed { "!" } else { "" };
        let target = names.link(&link.to.page.path);
        match link.is_embed || link.shown == target && anchor.is_empty() {
            true => format!("{bang}[[{target}{anchor}]]"),
            false if link.is_in_table => format!("[[{target}{anchor}\\|{}]]", link.shown),
            false => format!("[[{target}{anchor}|{}]]", link.shown),
        }
    };
    let mut out = String::new();
    let mut from = page.body().start;
    // Footnotes name files by links, so that a click opens them.
    for note in &facts.footnotes {
        let Some(cited) = SourceRef::parse(note.text.of(&page.text)) else { continue };
        if note.text.start < from {
            continue;
        }
        out.push_str(&relinked(&vault.snapshot, idx, Span::new(from, note.text.start), &link));
        let (first, last) = cited.lines;
        let lines = if first == last { format!("line {first}") } else { format!("lines {first}–{last}") };
        out.push_str(&format!("[[{}]], {lines}: \"{}\"", names.link(&cited.path), cited.quote));
        from = note.text.end;
    }
    out.push_str(&relinked(&vault.snapshot, idx, Span::new(from, page.text.len()), &link));
    out
}
