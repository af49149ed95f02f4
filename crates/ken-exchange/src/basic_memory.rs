//! Notes of basic-memory: a header with `permalink`, observations `- [category] text #tag (context)`, and relations
//! `- relates_to [[Title]]`.
//!
//! A claim goes out as an observation, with its day as the context. A note comes in as a page: its body byte for byte,
//! its permalink as an alias, its relations as those of a page, as many as a page has.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use ken_core::claim::{Claim, ClaimState};
use ken_core::header::{FieldName, FieldValue, MID_MAX, NewBlock, read_header, set_field};
use ken_core::link::links;
use ken_core::page::outline::claims_as_owned;
use ken_core::page::{page_slug, parse_page};
use ken_core::snapshot::PageFacts;
use ken_core::text::one_line;
use ken_core::{Slug, Span, VaultPath};

use crate::evidence::{self, cited_in};
use crate::format::{Format, Incoming, Output, Received, Settings, Shape, Writer};
use crate::header::{Block, unknown};
use crate::vault::{Item, Vault};

/// Notes of basic-memory.
pub(crate) static BASIC_MEMORY: Format = Format {
    name: "basic-memory",
    about: "notes of basic-memory: observations and relations",
    write: Some(Writer { shape: Shape::Folder, sign: "", run: write }),
    read: Some(read),
};

/// What the name of a file has behind it that notes rest on.
const EVIDENCE_ENDING: &str = ".txt";

fn write(vault: &Vault, _: &Settings) -> Output {
    let (mut out, mut cited) = (Output::default(), BTreeSet::new());
    for (idx, facts) in vault.snapshot.pages.iter().enumerate() {
        if facts.page.path.extension() == "md" && facts.entry.redirect_to.is_none() {
            let path = facts.page.path.as_str();
            let below = path.strip_prefix(vault.snapshot.layout.wiki.as_str()).and_then(|path| path.strip_prefix('/'));
            let text = own_note(facts).unwrap_or_else(|| note(vault, idx));
            cited.extend(cited_in(&facts.page.path, &text));
            out.put(below.unwrap_or(path), text);
        }
    }
    // No note has such an ending, so the other tool leaves it as it is.
    evidence::add(vault, &cited, EVIDENCE_ENDING, &mut out);
    out
}

/// A note that came from there, or was written here as one, without what reading it added.
fn own_note(facts: &PageFacts) -> Option<String> {
    let page = &facts.page;
    if facts.entry.is_owned || !page.header.fields.iter().any(|field| field.key.of(&page.text) == "permalink") {
        return None;
    }
    let without = |text: &str, name: FieldName| {
        let header = read_header(text).value;
        let lines = header.field(name).map(|field| field.lines);
        lines.map_or_else(|| text.to_owned(), |lines| format!("{}{}", &text[..lines.start], &text[lines.end..]))
    };
    let fewer_aliases = |text: &str| {
        let mut aliases = parse_page(&page.path, text.to_owned()).value.list(FieldName::Aliases);
        aliases.pop();
        if aliases.is_empty() { without(text, FieldName::Aliases) } else { set(text, FieldName::Aliases, aliases) }
    };
    let mut candidates = vec![page.text.clone()];
    let changes: [&dyn Fn(&str) -> String; 3] =
        [&|text| without(text, FieldName::Sources), &|text| without(text, FieldName::Mid), &fewer_aliases];
    for change in changes {
        let changed: Vec<String> = candidates.iter().map(|text| change(text)).collect();
        candidates.extend(changed);
    }
    let note = candidates.into_iter().rev().find(|text| as_page(&page.path, text.clone()) == page.text);
    Some(note.unwrap_or_else(|| page.text.clone()))
}

fn note(vault: &Vault, idx: usize) -> String {
    let facts = &vault.snapshot.pages[idx];
    let entry = &facts.entry;
    let mut block = Block::new();
    block.scalar("title", &entry.title);
    block.scalar("type", "note");
    block.scalar("permalink", entry.slug.as_str());
    match unknown(&facts.page, "tags") {
        Some(lines) => block.raw(&lines.replace("\r\n", "\n")),
        None => block.list("tags", &entry.triggers),
    }
    let mut text = block.finish();
    let _ = write!(text, "\n# {}\n", one_line(&entry.title));
    if !entry.tldr.is_empty() {
        let _ = write!(text, "\n{}\n", one_line(&entry.tldr));
    }
    let said = claims_as_owned(&facts.page);
    if !said.is_empty() {
        text.push_str("\n## Observations\n\n");
    }
    let mut notes: Vec<String> = Vec::new();
    said.iter().for_each(|claim| text.push_str(&observation(claim, &mut notes)));
    let related = relations(vault, facts);
    if !related.is_empty() {
        let _ = write!(text, "\n## Relations\n\n{related}");
    }
    for (n, cited) in notes.iter().enumerate() {
        let first = if n == 0 { "\n" } else { "" };
        let _ = writeln!(text, "{first}[^{}]: {cited}", n + 1);
    }
    text
}

/// What a claim is called there: what became of it, else the section that it stands in.
fn observation(claim: &Claim, notes: &mut Vec<String>) -> String {
    let category = match (&claim.state, claim.heading.as_str()) {
        (ClaimState::Current, "") => "fact".to_owned(),
        (ClaimState::Current, heading) => {
            Slug::from_text(heading).map_or_else(|| "fact".to_owned(), |slug| slug.as_str().to_owned())
        }
        (state, _) => state.as_str().to_owned(),
    };
    let day = claim.own.iter().find_map(|mark| mark.cited.as_ref()).map(|cited| cited.path.stem().to_owned());
    let context = match (claim.state.ended(), day) {
        (Some(until), _) => format!(" (until {until})"),
        (None, Some(day)) => format!(" ({day})"),
        (None, None) => String::new(),
    };
    let mut marks = String::new();
    for cited in claim.own.iter().chain(&claim.by).filter_map(|mark| mark.cited.as_ref()).map(ToString::to_string) {
        let known = notes.iter().position(|known| *known == cited);
        let n = known.unwrap_or_else(|| {
            notes.push(cited);
            notes.len() - 1
        });
        let _ = write!(marks, "[^{}]", n + 1);
    }
    format!("- [{category}] {}{marks}{context}\n", one_line(&claim.text))
}

fn relations(vault: &Vault, facts: &PageFacts) -> String {
    let snapshot = &vault.snapshot;
    let mut out = String::new();
    let contradicts = facts.page.relations(FieldName::Contradicts);
    let related = facts.entry.high.iter().chain(&facts.entry.mid).map(|one| ("relates_to", one));
    for (relation, one) in related.chain(contradicts.iter().map(|one| ("contradicts", one))) {
        if let Some(to) = snapshot.find(&one.target) {
            let _ = writeln!(out, "- {relation} [[{}]]", one_line(&snapshot.pages[to].entry.title));
        }
    }
    out
}

fn read(files: &[Incoming]) -> Received {
    let (mut out, mut cited) = (Received::default(), BTreeSet::new());
    for file in files.iter().filter(|file| file.path.extension() == "md") {
        match String::from_utf8(file.bytes.clone()) {
            Ok(text) => {
                let (from, place) = (file.path.clone(), file.path.clone());
                let text = as_page(&file.path, text);
                cited.extend(cited_in(&file.path, &text));
                out.items.push(Item::Page { from, place, text });
            }
            Err(_) => out.skip(file.path.as_str(), "it is not UTF-8 text"),
        }
    }
    out.evidence = evidence::items(files, &cited, EVIDENCE_ENDING);
    if out.items.is_empty() && out.skipped.is_empty() {
        return Received::refuse("there is no note in it: notes are .md files");
    }
    out
}

/// A note as a page: what it is also called, and what it leads to.
fn as_page(path: &VaultPath, text: String) -> String {
    let page = parse_page(path, text.clone()).value;
    let permalink = page.header.fields.iter().find(|field| field.key.of(&text).eq_ignore_ascii_case("permalink"));
    let permalink = permalink.map(|field| field.value.of(&text).trim_matches(['"', '\'', ' ']));
    let name = permalink.and_then(|link| Slug::from_text(link.rsplit('/').next().unwrap_or(link)));
    let mut aliases = page.list(FieldName::Aliases);
    let mut out = text.clone();
    let is_called = |name: &Slug| aliases.iter().any(|alias| Slug::from_text(alias).as_ref() == Some(name));
    if let Some(name) = name.filter(|name| *name != page_slug(path) && !is_called(name)) {
        aliases.push(name.as_str().to_owned());
        out = set(&out, FieldName::Aliases, aliases);
    }
    let mut related: Vec<String> = Vec::new();
    for line in page.body().of(&text).lines() {
        if let Some(to) = related_in(line).filter(|to| !related.contains(to)) {
            related.push(to);
        }
    }
    related.truncate(MID_MAX);
    let has_own = page.header.field(FieldName::Mid).is_some() || page.header.field(FieldName::High).is_some();
    if !related.is_empty() && !has_own {
        out = set(&out, FieldName::Mid, related);
    }
    let cited: Vec<String> = cited_in(path, &text).iter().map(ToString::to_string).collect();
    if cited.is_empty() || page.header.field(FieldName::Sources).is_some() {
        return out;
    }
    set(&out, FieldName::Sources, cited)
}

fn set(text: &str, name: FieldName, values: Vec<String>) -> String {
    set_field(text, &read_header(text).value, name, &FieldValue::List(values), NewBlock::Yaml)
}

/// The page that a relation leads to: an item of one or more words and a link, `- requires [[Grinding]] (always)`.
fn related_in(line: &str) -> Option<String> {
    let item = line.strip_prefix("- ").or_else(|| line.strip_prefix("* "))?;
    let link = links(item, Span::new(0, item.len())).into_iter().next()?;
    let (before, behind) = (item[..link.span.start].trim(), item[link.span.end..].trim());
    let is_word = |ch: char| ch.is_alphanumeric() || matches!(ch, '_' | '-' | ' ');
    let is_context = behind.is_empty() || behind.starts_with('(') && behind.ends_with(')');
    let is_relation = !before.is_empty() && before.chars().all(is_word) && before.split(' ').count() <= 4;
    let slug = Slug::from_text(link.target.of(item).rsplit('/').next()?)?;
    (is_relation && is_context && !link.is_embed).then(|| slug.as_str().to_owned())
}
