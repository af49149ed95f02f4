//! The index as Markdown.
//!
//! What is generated stands between marks; the rest of a file is somebody else's and stays.
//!
//! Two shapes. Kenning's own: one entry a page, grouped by category, with links that Obsidian and
//! GitHub follow. CKP's: one header block a page. Both hold headers only. Past [`SHARD_TOKENS`] the
//! first is split into shards, so that the root, the only file that is always loaded, stays small at any
//! size: by category, and a category that is still too large by the first letters of its slugs. What a
//! shard holds depends on the set of pages alone.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::budget::{self, Tokens};
use crate::header::Relation;
use crate::index::IndexEntry;
use crate::index::part::{INDEX, foreign_rows};
use crate::layout::Layout;
use crate::markdown::inert;
use crate::page::Category;
use crate::parallel::in_parallel;
use crate::path::VaultPath;
use crate::slug::Slug;
use crate::text::{is_one_line, one_line};

/// What one index file may cost: small enough to be always loaded.
pub const SHARD_TOKENS: Tokens = Tokens(12_000);

/// Returns every file of the index with its text, the root first.
///
/// `current` says what stands in a file now: the text outside the generated part is kept. What a table or a
/// list of somebody else at the root says of a page that has no tldr takes the place of one.
pub fn render_index<'a>(
    layout: &Layout,
    entries: &[&IndexEntry],
    current: impl Fn(&VaultPath) -> Option<&'a str>,
) -> Vec<(VaultPath, String)> {
    let told = current(&layout.index).map(foreign_rows).unwrap_or_default();
    let parts = generated_parts(layout, entries, &told).into_iter();
    parts.map(|(path, text)| (path.clone(), INDEX.put(current(&path), &text))).collect()
}

/// Returns the generated part of every file of the index, the root first; `told` is what somebody else's index
/// says of pages.
pub fn generated_parts(
    layout: &Layout,
    entries: &[&IndexEntry],
    told: &BTreeMap<Slug, String>,
) -> Vec<(VaultPath, String)> {
    let current = entries.iter().filter(|entry| entry.past.is_none());
    let entries = current.map(|entry| with_row(entry, told)).collect::<Vec<_>>();
    let entries: Vec<&IndexEntry> = entries.iter().map(Cow::as_ref).collect();
    if layout.has_blocks() {
        return vec![(layout.index.clone(), ckp_index(&entries))];
    }
    let row = |n: usize| {
        let text = row_text(layout, entries[n]);
        (IndexRow::of(entries[n], budget::count(&text)), text)
    };
    let (rows, texts): (Vec<IndexRow>, Vec<String>) = in_parallel(entries.len(), row).into_iter().unzip();
    let files = index_files(layout, rows).into_iter();
    files.map(|file| (file.path.clone(), file.text(|n, out| out.push_str(&texts[n])))).collect()
}

/// An entry with what somebody else's index says of its page, if it has no tldr of its own.
fn with_row<'a>(entry: &'a IndexEntry, rows: &BTreeMap<Slug, String>) -> Cow<'a, IndexEntry> {
    match rows.get(&entry.slug).filter(|_| entry.tldr.is_empty()) {
        Some(said) => Cow::Owned(IndexEntry { tldr: said.clone(), ..entry.clone() }),
        None => Cow::Borrowed(entry),
    }
}

/// What is known of the row of one page before it is written: enough to say in which file it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexRow {
    /// The category of the page.
    pub category: Category,
    /// Its name.
    pub slug: Slug,
    /// Its file.
    pub path: VaultPath,
    /// What the row costs.
    pub cost: Tokens,
}

impl IndexRow {
    fn of(entry: &IndexEntry, cost: Tokens) -> IndexRow {
        IndexRow { category: entry.category, slug: entry.slug.clone(), path: entry.path.clone(), cost }
    }
}

/// One file of the index before it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexFile {
    /// Where it stands.
    pub path: VaultPath,
    /// Its headings, each with the positions of the rows below it.
    pub parts: Vec<(String, Vec<usize>)>,
}

impl IndexFile {
    /// Returns the text; `push` adds the row of a page to it.
    pub fn text(&self, mut push: impl FnMut(usize, &mut String)) -> String {
        let mut out = String::new();
        for (heading, rows) in &self.parts {
            out.push_str(heading);
            rows.iter().for_each(|n| push(*n, &mut out));
        }
        out
    }
}

/// Returns which files the index has and which rows stand in each, by their positions among `rows`, the root
/// first. Not for the `ckp` layout, whose index is one file in another form.
pub fn index_files(layout: &Layout, rows: Vec<IndexRow>) -> Vec<IndexFile> {
    let mut sorted: Vec<(usize, IndexRow)> = rows.into_iter().enumerate().collect();
    sorted.sort_by(|(_, a), (_, b)| (a.category, &a.slug, &a.path).cmp(&(b.category, &b.slug, &b.path)));
    let total: Tokens = sorted.iter().map(|(_, row)| row.cost).sum();
    if total <= SHARD_TOKENS { vec![whole(layout, &sorted)] } else { sharded(layout, &sorted) }
}

/// A row with its position.
type Numbered = (usize, IndexRow);

fn heading(n_pages: usize) -> String {
    let pages = if n_pages == 1 { "page" } else { "pages" };
    format!(
        "# Index\n\n{n_pages} {pages}, headers only. Generated by `ken compile`; edits between the marks are overwritten.\n"
    )
}

fn positions<'a>(rows: impl IntoIterator<Item = &'a Numbered>) -> Vec<usize> {
    rows.into_iter().map(|(n, _)| *n).collect()
}

fn whole(layout: &Layout, rows: &[Numbered]) -> IndexFile {
    let of_category = |rows: &[Numbered]| (format!("\n## {}\n\n", rows[0].1.category.heading()), positions(rows));
    let parts = rows.chunk_by(|(_, a), (_, b)| a.category == b.category).map(of_category);
    IndexFile {
        path: layout.index.clone(),
        parts: std::iter::once((heading(rows.len()), Vec::new())).chain(parts).collect(),
    }
}

/// Returns the row of one page: link, title, tldr, then its other triggers and its relations.
pub fn row_text(layout: &Layout, entry: &IndexEntry) -> String {
    let inside = entry.path.as_str().strip_prefix(layout.wiki.as_str()).unwrap_or(entry.path.as_str());
    let target = inside.trim_start_matches('/').trim_end_matches(".md");
    let mut out = String::with_capacity(512);
    let title = inert(&one_line(&entry.title)).replace(['[', ']', '|'], " ");
    // No link can spell such a name; the page is found by its title.
    let is_linkable = !target.contains(['[', ']', '|', '#', '^']);
    let pieces = if is_linkable { ["- [[", target, "|", &title, "]]"] } else { ["- ", &title, "", "", ""] };
    pieces.into_iter().for_each(|piece| out.push_str(piece));
    if !entry.tldr.is_empty() {
        out.push_str(": ");
        out.push_str(&inert(&one_line(&entry.tldr)));
    }
    out.push('\n');
    // The title stands above.
    push_list(&mut out, "when", entry.triggers.iter().filter(|one| !one.eq_ignore_ascii_case(&entry.title)));
    push_list(&mut out, "high", entry.high.iter().map(|relation| &relation.target));
    push_list(&mut out, "mid", entry.mid.iter().map(|relation| &relation.target));
    out
}

fn push_list<'a>(out: &mut String, label: &str, values: impl Iterator<Item = &'a String>) {
    for (n, value) in values.enumerate() {
        if n == 0 {
            out.push_str("  - ");
            out.push_str(label);
            out.push_str(": ");
        } else {
            out.push_str(", ");
        }
        push_line(out, value);
    }
    if !out.ends_with('\n') {
        out.push('\n');
    }
}

/// Adds a text as part of a line on which nothing is live.
fn push_line(out: &mut String, text: &str) {
    let text = if is_one_line(text) { Cow::Borrowed(text) } else { Cow::Owned(one_line(text)) };
    out.push_str(&inert(&text));
}

fn sharded(layout: &Layout, rows: &[Numbered]) -> Vec<IndexFile> {
    let mut files = Vec::new();
    let mut root = heading(rows.len());
    root.push_str("\nThe entries stand in these shards, by category and first letters:\n");
    // Rows are sorted by category and slug, so the rows of a shard stand together.
    for members in rows.chunk_by(|(_, a), (_, b)| a.category == b.category) {
        let category = members[0].1.category;
        root.push_str(&format!("\n## {}\n\n", category.heading()));
        let mut shards = BTreeMap::new();
        split(String::new(), members.iter().collect(), &mut shards);
        for (prefix, members) in shards {
            let dash = if prefix.is_empty() { "" } else { "-" };
            let name = format!("{}{dash}{prefix}", category.folder());
            let Some(path) = layout.wiki.join(&format!("index/{name}.md")) else { continue };
            let (first, last) = (&members[0].1.slug, &members[members.len() - 1].1.slug);
            root.push_str(&format!("- [[index/{name}]]: {} pages, {first} to {last}\n", members.len()));
            let heading = format!("# Index: {} {prefix}\n\n", category.heading()).replace(" \n", "\n");
            files.push(IndexFile { path, parts: vec![(heading, positions(members))] });
        }
    }
    files.insert(0, IndexFile { path: layout.index.clone(), parts: vec![(root, Vec::new())] });
    files
}

/// Longest run of first letters that shards are split by; a shard of one prefix may exceed the budget.
const PREFIX_CHARS_MAX: usize = 32;

type Rows<'a> = Vec<&'a Numbered>;

/// The first letters of a name, hyphens aside.
fn letters(row: &Numbered, n: usize) -> impl Iterator<Item = char> {
    row.1.slug.as_str().chars().filter(|ch| *ch != '-').take(n)
}

fn split<'a>(prefix: String, members: Rows<'a>, out: &mut BTreeMap<String, Rows<'a>>) {
    let total: Tokens = members.iter().map(|(_, row)| row.cost).sum();
    let depth = prefix.chars().count();
    if total <= SHARD_TOKENS || depth >= PREFIX_CHARS_MAX {
        out.insert(prefix, members);
        return;
    }
    let mut parts: BTreeMap<String, Rows<'a>> = BTreeMap::new();
    for same in members.chunk_by(|a, b| letters(a, depth + 1).eq(letters(b, depth + 1))) {
        parts.entry(letters(same[0], depth + 1).collect()).or_default().extend(same);
    }
    for (letters, part) in parts {
        if letters.chars().count() <= depth {
            out.entry(letters).or_default().extend(part);
        } else {
            split(letters, part, out);
        }
    }
}

fn ckp_index(entries: &[&IndexEntry]) -> String {
    let mut sorted = entries.to_vec();
    sorted.sort_by(|a, b| (&a.slug, &a.path).cmp(&(&b.slug, &b.path)));
    let mut generated = String::new();
    for entry in sorted {
        let list = |relations: &[Relation]| relations.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let triggers = entry.triggers.iter().map(|trigger| one_line(trigger)).collect::<Vec<_>>().join(", ");
        let fields = [
            ("CONCEPT:      ", entry.slug.as_str().to_owned()),
            ("TLDR:         ", inert(&one_line(&entry.tldr)).into_owned()),
            ("ANSWERS_WHEN: ", triggers),
            ("SIMILAR_HIGH: ", list(&entry.high)),
            ("SIMILAR_MID:  ", list(&entry.mid)),
        ];
        generated.push_str("---\n");
        for (key, value) in fields.iter().filter(|(_, value)| !value.is_empty()) {
            generated.push_str(&format!("{key}{value}\n"));
        }
        generated.push_str("---\n\n");
    }
    generated
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::{CKP, KENNING, Preset};
    use crate::page::parse_page;

    fn entry(n: usize) -> IndexEntry {
        let path = VaultPath::new(&format!("knowledge/concepts/page-{n:04}.md")).expect("inside");
        let words = "lorem ".repeat(20);
        IndexEntry::of(
            &parse_page(&path, format!("---\ntldr: {words}\nanswers_when: [a{n}, b]\n---\n# Page {n}\n")).value,
        )
    }

    fn render(preset: &'static Preset, entries: &[IndexEntry], current: Option<&str>) -> Vec<(VaultPath, String)> {
        let layout = Layout::new(preset, &VaultPath::new("knowledge").expect("inside"));
        let at_root = |path: &VaultPath| current.filter(|_| *path == layout.index);
        render_index(&layout, &entries.iter().collect::<Vec<_>>(), at_root)
    }

    #[test]
    fn order_of_pages_does_not_matter() {
        let mut entries: Vec<_> = (0..40).map(entry).collect();
        let one = render(&KENNING, &entries, None);
        entries.reverse();
        assert_eq!(one, render(&KENNING, &entries, None));
    }

    #[test]
    fn a_large_index_is_split_and_its_root_stays_small() {
        let entries: Vec<_> = (0..4000).map(entry).collect();
        let files = render(&KENNING, &entries, None);
        assert!(files.len() > 5 && budget::count(&files[0].1) < SHARD_TOKENS);
        let listed: usize = files[1..].iter().map(|(_, text)| text.matches("- [[").count()).sum();
        assert_eq!(listed, 4000);
    }

    #[test]
    fn an_index_that_somebody_else_wrote_keeps_every_byte_and_tells_of_its_pages() {
        let mut entries = [entry(1), entry(2)];
        entries[0].tldr = String::new();
        let table = "# Our index\n\n| Page | Summary |\n|---|---|\n| [[page-0001]] | How we do it. |\n";
        let once = render(&KENNING, &entries, Some(table)).remove(0).1;
        assert!(once.starts_with(table) && once.contains("- [[concepts/page-0001|Page 1]]: How we do it.\n"));
        let again = format!("{once}\nBelow.\n");
        assert_eq!(render(&KENNING, &entries, Some(&again)).remove(0).1, again);
    }

    #[test]
    fn a_ckp_index_keeps_what_people_wrote_around_it() {
        let entries = [entry(1)];
        let table = "# Index\n\n| a | b |\n";
        let once = render(&CKP, &entries, Some(table)).remove(0).1;
        assert!(once.starts_with(table) && once.contains("CONCEPT:      page-0001"));
        assert_eq!(render(&CKP, &entries, Some(&once)).remove(0).1, once);
    }
}
