//! A wiki of llm-wiki-compiler: `sources/` beside `wiki/concepts/` and `wiki/queries/`, citations `^[file.md:12-20]`.
//!
//! A page goes out with its claims cited to copies of what they rest on; one comes in with those citations as footnotes, as
//! long as the lines are there. What nobody knows stays byte for byte.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use ken_core::claim::SourceRef;
use ken_core::header::{FieldName, read_header};
use ken_core::page::category::Category;
use ken_core::snapshot::PageFacts;
use ken_core::text::one_line;
use ken_core::{Digest, Span, VaultPath};

use crate::evidence;
use crate::format::{Format, Incoming, Output, Received, Settings, Shape, Writer};
use crate::header::{Block, unknown};
use crate::links::{Leading, relinked};
use crate::vault::{Item, Vault};

/// A wiki of llm-wiki-compiler.
pub(crate) static LLM_WIKI: Format = Format {
    name: "llm-wiki-compiler",
    about: "a wiki of llm-wiki-compiler: sources, pages, citations by line",
    write: Some(Writer { shape: Shape::Folder, sign: "", run: write }),
    read: Some(read),
};

/// Files of the wiki that are no pages.
const NO_PAGES: &[&str] = &["index.md", "MOC.md"];

fn write(vault: &Vault, _: &Settings) -> Output {
    let mut out = Output::default();
    let copies = Copies::of(vault);
    let mut cited = BTreeSet::new();
    let mut index = format!("# {}\n", one_line(&vault.name));
    let mut n_other = 0;
    for (idx, facts) in vault.snapshot.pages.iter().enumerate() {
        let is_page = facts.page.path.extension() == "md" && facts.entry.redirect_to.is_none();
        if !is_page {
            n_other += usize::from(facts.entry.redirect_to.is_none());
            continue;
        }
        let folder = if facts.entry.category == Category::Question { "queries" } else { "concepts" };
        let (body, names) = body(vault, idx, &copies);
        out.put(&format!("wiki/{folder}/{}.md", facts.entry.slug), header(facts, &names) + &body);
        let _ = write!(
            index,
            "\n- [[{}|{}]]: {}",
            facts.entry.slug,
            one_line(&facts.entry.title),
            one_line(&facts.entry.tldr)
        );
        cited.extend(names);
    }
    index.push('\n');
    out.put("wiki/index.md", index);
    for (name, text) in copies.0.values().filter(|(name, _)| cited.contains(name)) {
        out.put(&format!("sources/{name}"), (*text).to_owned());
    }
    if n_other > 0 {
        out.notes.push(format!("{n_other} pages that are no Markdown were left out"));
    }
    // Two pages of one name: the other tool knows one of them.
    let mut seen = BTreeSet::new();
    let n_files = out.files.len();
    out.files.retain(|file| seen.insert(file.path.clone()));
    if out.files.len() < n_files {
        out.notes.push(format!("{} pages have the name of another one and were left out", n_files - out.files.len()));
    }
    out
}

/// What pages may rest on, by its place: the plain name of its copy, and what it says.
struct Copies<'v>(BTreeMap<&'v VaultPath, (String, &'v str)>);

impl<'v> Copies<'v> {
    fn of(vault: &'v Vault) -> Copies<'v> {
        let texts = vault.days.iter().chain(&vault.talk).map(|one| (&one.path, one.text.as_str()));
        let documents = vault.sources.iter().map(|one| (&one.path, one.text.as_str()));
        let sources = &vault.snapshot.layout.sources;
        let (mut out, mut taken) = (BTreeMap::new(), BTreeSet::new());
        for (path, text) in texts.chain(documents) {
            // What came in from there goes out under its name again.
            let own = path.as_str().strip_prefix(sources.as_str()).and_then(|rest| rest.strip_prefix("/sources/"));
            let plain: String = own.unwrap_or(path.as_str()).trim_end_matches(".md").chars().map(plain).collect();
            let plain = plain.trim_matches(['-', '.']).to_owned();
            let names = (1..).map(|n| if n == 1 { format!("{plain}.md") } else { format!("{plain}-{n}.md") });
            let name = names.into_iter().find(|name| !taken.contains(name)).expect("numbers do not end");
            taken.insert(name.clone());
            out.insert(path, (name, text));
        }
        Copies(out)
    }
}

fn plain(ch: char) -> char {
    if ch.is_ascii_alphanumeric() || matches!(ch, '.' | '_') { ch } else { '-' }
}

fn header(facts: &PageFacts, names: &BTreeSet<String>) -> String {
    let (page, entry) = (&facts.page, &facts.entry);
    let mut block = Block::new();
    block.scalar("title", &entry.title);
    block.scalar("summary", &entry.tldr);
    block.list("sources", &names.iter().collect::<Vec<_>>());
    block.scalar("kind", if entry.category == Category::Entity { "entity" } else { "concept" });
    match unknown(page, "tags") {
        Some(lines) => block.raw(&lines.replace("\r\n", "\n")),
        None => block.list("tags", &entry.triggers),
    }
    block.list("aliases", &entry.aliases);
    for (key, name) in [("createdAt", FieldName::Created), ("updatedAt", FieldName::Updated)] {
        // In quotes, as the other tool writes it: it takes a bare one for something else than a text.
        let date = page.header.date(&page.text, name).map(|date| format!("{key}: \"{date}T00:00:00.000Z\"\n"));
        block.raw_if(&date.unwrap_or_default());
    }
    let sure = match page.scalar(FieldName::Confidence).as_deref() {
        Some("high") => "confidence: 0.9\n",
        Some("medium") => "confidence: 0.7\n",
        // One source: what it says is not in doubt, which there begins below this.
        Some("low") => "confidence: 0.5\n",
        _ => "",
    };
    // What that tool said itself stays as it said it.
    let own = page.scalar(FieldName::Confidence).filter(|own| own.parse::<f64>().is_ok());
    block.raw_if(&own.map_or_else(|| sure.to_owned(), |own| format!("confidence: {own}\n")));
    match unknown(page, "provenanceState") {
        Some(lines) => block.raw(&lines.replace("\r\n", "\n")),
        None => block.raw_if(if page.is_owned() { "provenanceState: extracted\n" } else { "" }),
    }
    block.finish()
}

/// The body with links by name and citations in place of footnotes, and the copies that it cites.
fn body(vault: &Vault, idx: usize, copies: &Copies<'_>) -> (String, BTreeSet<String>) {
    let facts = &vault.snapshot.pages[idx];
    let link = |link: &Leading<'_>| {
        let bar = if link.is_in_table { "\\|" } else { "|" };
        format!("[[{}{bar}{}]]", link.to.entry.slug, one_line(link.shown).replace(['[', ']', '|'], " "))
    };
    let text = relinked(&vault.snapshot, idx, Span::new(facts.page.body().start, facts.page.text.len()), &link);
    let mut marks: BTreeMap<String, String> = BTreeMap::new();
    let mut names = BTreeSet::new();
    let text = without_links_to_files(&text, copies, &mut names);
    for note in &facts.footnotes {
        let Some(cited) = SourceRef::parse(note.text.of(&facts.page.text)) else { continue };
        let copy = copies.0.get(&cited.path);
        names.extend(copy.map(|(name, _)| name.clone()));
        let (first, last) = cited.lines;
        let mark = copy.map(|(name, _)| format!("^[{name}:{first}-{last}]")).unwrap_or_default();
        marks.insert(format!("[^{}]", note.label), mark);
    }
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let is_note =
            marks.keys().any(|mark| line.strip_prefix(mark.as_str()).is_some_and(|rest| rest.starts_with(':')));
        if is_note {
            continue;
        }
        let mut rest = line;
        while let Some(at) = rest.find("[^") {
            let end = rest[at..].find(']').map(|end| at + end + 1);
            let mark = end.and_then(|end| marks.get(&rest[at..end]).map(|mark| (end, mark)));
            let (to, shown) = mark.map_or((at + 2, &rest[at..at + 2]), |(end, mark)| (end, mark.as_str()));
            out.push_str(&rest[..at]);
            out.push_str(shown);
            rest = &rest[to..];
        }
        out.push_str(rest);
    }
    (out.trim_end().to_owned() + "\n", names)
}

/// The text with what links to a day or document cited instead: the other tool links pages alone.
fn without_links_to_files(text: &str, copies: &Copies<'_>, names: &mut BTreeSet<String>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("[[") {
        let end = rest[at..].find("]]").map(|end| at + end);
        let inner = end.map(|end| &rest[at + 2..end]).unwrap_or_default();
        let (target, shown) = inner.split_once('|').unwrap_or((inner, inner));
        let file = target.split('#').next().unwrap_or_default();
        let place = |name: &str| VaultPath::new(name).and_then(|path| copies.0.get(&path));
        let copy = place(file).or_else(|| place(&format!("{file}.md"))).filter(|_| !inner.contains('\n'));
        let (to, said) = match (copy, end) {
            (Some((name, _)), Some(end)) => {
                names.insert(name.clone());
                (end + 2, format!("{shown}^[{name}]"))
            }
            _ => (at + 2, "[[".to_owned()),
        };
        out.push_str(&rest[..at]);
        out.push_str(&said);
        rest = &rest[to..];
    }
    out + rest
}

fn read(files: &[Incoming]) -> Received {
    let mut out = Received::default();
    let is_of = |file: &&Incoming, folder: &str| file.path.is_under(folder) && file.path.extension() == "md";
    let mut sources: BTreeMap<String, String> = BTreeMap::new();
    for file in files.iter().filter(|file| is_of(file, "sources")) {
        let Ok(text) = String::from_utf8(file.bytes.clone()) else {
            out.skip(file.path.as_str(), "it is not UTF-8 text");
            continue;
        };
        sources.insert(file.path.as_str()["sources/".len()..].to_owned(), text.clone());
        out.items.push(evidence::as_item(file.path.clone(), text));
    }
    for file in files.iter().filter(|file| is_of(file, "wiki") && !NO_PAGES.contains(&file.path.file_name())) {
        let Ok(text) = String::from_utf8(file.bytes.clone()) else {
            out.skip(file.path.as_str(), "it is not UTF-8 text");
            continue;
        };
        let place = VaultPath::new(&file.path.as_str()["wiki/".len()..]).expect("below a folder inside");
        out.items.push(Item::Page { from: file.path.clone(), place, text: as_ours(&text, &sources) });
    }
    if out.items.is_empty() && out.skipped.is_empty() {
        return Received::refuse("there is no page in it: such a wiki has .md files in `wiki/` and `sources/`");
    }
    out
}

/// A page with the few keys renamed that mean something here, and citations as footnotes.
fn as_ours(text: &str, sources: &BTreeMap<String, String>) -> String {
    let header = read_header(text).value;
    let has = |name: FieldName| header.field(name).is_some();
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for field in &header.fields {
        if field.name == Some(FieldName::Sources) {
            // By the places that they come in at.
            out.push_str(&text[from..field.value.start]);
            out.push_str(&placed(field.value.of(text), sources));
            from = field.value.end;
            continue;
        }
        let now = match field.key.of(text) {
            "createdAt" if !has(FieldName::Created) => "created",
            "updatedAt" if !has(FieldName::Updated) => "updated",
            "kind" if !has(FieldName::Category) => "type",
            _ => continue,
        };
        out.push_str(&text[from..field.key.start]);
        out.push_str(now);
        from = field.key.end;
    }
    let body = header.block.end.max(from);
    out.push_str(&text[from..body]);
    let mut notes: Vec<String> = Vec::new();
    let mut is_code = false;
    for line in text[body..].split_inclusive('\n') {
        is_code ^= line.trim_start().starts_with("```");
        if is_code {
            out.push_str(line);
        } else {
            out.push_str(&with_footnotes(line, sources, &mut notes));
        }
    }
    if !notes.is_empty() {
        if !out.ends_with('\n') {
            out.push('\n');
        }
        out.push('\n');
        notes.iter().enumerate().for_each(|(n, note)| {
            let _ = writeln!(out, "[^s{}]: {note}", n + 1);
        });
    }
    out
}

/// The names of sources in a value of a header, with the folder that they stand in.
fn placed(value: &str, sources: &BTreeMap<String, String>) -> String {
    let is_name = |ch: char| ch.is_alphanumeric() || matches!(ch, '.' | '_' | '-' | '/');
    let (mut out, mut rest) = (String::with_capacity(value.len()), value);
    while let Some(start) = rest.find(is_name) {
        let end = rest[start..].find(|ch| !is_name(ch)).map_or(rest.len(), |len| start + len);
        let name = &rest[start..end];
        let is_item_mark = name.trim_matches('-').is_empty();
        out.push_str(&rest[..start]);
        out.push_str(if sources.contains_key(name) && !is_item_mark { "sources/" } else { "" });
        out.push_str(name);
        rest = &rest[end..];
    }
    out + rest
}

/// A line with every citation as a footnote whose lines are there; any other stays as it is.
fn with_footnotes(line: &str, sources: &BTreeMap<String, String>, notes: &mut Vec<String>) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(at) = rest.find("^[") {
        let Some(end) = rest[at..].find(']').map(|end| at + end) else { break };
        let cited: Option<Vec<String>> =
            rest[at + 2..end].split(',').map(|one| footnote(one.trim(), sources)).collect();
        out.push_str(&rest[..at]);
        match cited {
            Some(cited) => cited.into_iter().for_each(|note| {
                let known = notes.iter().position(|known| *known == note);
                let n = known.unwrap_or_else(|| {
                    notes.push(note);
                    notes.len() - 1
                });
                let _ = write!(out, "[^s{}]", n + 1);
            }),
            None => out.push_str(&rest[at..=end]),
        }
        rest = &rest[end + 1..];
    }
    out + rest
}

/// What a footnote says of `file.md:12-20` or `file.md`, if there are such lines.
fn footnote(cited: &str, sources: &BTreeMap<String, String>) -> Option<String> {
    let (name, range) = cited.rsplit_once(".md").map(|(name, range)| (format!("{name}.md"), range))?;
    let text = sources.get(&name)?;
    let n_lines = text.lines().count();
    let (first, last): (usize, usize) = match range.trim_start_matches([':', '#']).trim_start_matches('L') {
        "" => (1, n_lines),
        range => {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            (first.parse().ok()?, last.trim_start_matches('L').parse().ok()?)
        }
    };
    if first == 0 || first > last || last > n_lines {
        return None;
    }
    let lines: Vec<&str> = text.lines().skip(first - 1).take(last + 1 - first).collect();
    let said = lines.iter().find(|line| line.chars().any(char::is_alphanumeric))?;
    let quote: String = one_line(said).replace(['"', '[', ']', '^'], "").chars().take(80).collect();
    let digest = Digest::of_normalised(&lines.join("\n")).short();
    let path = VaultPath::new(&format!("sources/{name}"))?;
    Some(SourceRef { path, lines: (first, last), digest, quote: quote.trim().to_owned() }.to_string())
}
