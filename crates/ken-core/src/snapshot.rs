//! An immutable view of a whole vault at one moment.
//!
//! Checks that look across pages take a [`Snapshot`]: pages with what reading them showed, the texts
//! that citations point into, and what stands in the index. It is built once and never changes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use crate::diagnostic::Note;
use crate::digest::Digest;
use crate::index::{IndexEntry, resolve_names};
use crate::layout::Layout;
use crate::link::{Link, page_links};
use crate::page::outline::{Footnote, footnotes};
use crate::page::{Page, parse_page};
use crate::parallel::in_parallel;
use crate::path::VaultPath;
use crate::plan::Basis;
use crate::slug::Slug;
use crate::span::LineIndex;

/// A page with everything that reading it alone shows.
#[derive(Debug, Clone)]
pub struct PageFacts {
    /// The page.
    pub page: Page,
    /// What the index says of it, without what it costs.
    pub entry: IndexEntry,
    /// What was noticed while reading its header.
    pub notes: Vec<Note>,
    /// The links of its body.
    pub links: Vec<Link>,
    /// The footnotes of its body.
    pub footnotes: Vec<Footnote>,
    /// Words of its body.
    pub n_words: usize,
}

impl PageFacts {
    /// Returns the facts of one file's text.
    pub fn read(path: &VaultPath, text: String) -> PageFacts {
        let parsed = parse_page(path, text);
        let page = parsed.value;
        let body = page.body();
        let is_html = matches!(path.extension(), "html" | "htm");
        let n_words = words(body.of(&page.text).as_bytes());
        PageFacts {
            entry: IndexEntry::uncounted(&page),
            links: if is_html { Vec::new() } else { page_links(&page.text, body) },
            footnotes: if page.text.contains("[^") { footnotes(&page.text, body) } else { Vec::new() },
            notes: parsed.notes,
            n_words,
            page,
        }
    }
}

/// Counts words between white space, without a branch for each byte.
fn words(text: &[u8]) -> usize {
    let Some(rest) = text.get(1..) else { return 0 };
    let is_space = |byte: u8| byte <= b' ';
    // As many pairs at a time as one byte counts, so that many are compared at once.
    let begins = |(before, here): (&[u8], &[u8])| {
        let pairs = before.iter().zip(here);
        usize::from(pairs.map(|(before, here)| u8::from(is_space(*before) & !is_space(*here))).sum::<u8>())
    };
    let chunks = text.chunks(usize::from(u8::MAX)).zip(rest.chunks(usize::from(u8::MAX)));
    usize::from(!is_space(text[0])) + chunks.map(begins).sum::<usize>()
}

impl PageFacts {
    /// Returns what new text of the page is made from: the very bytes that it was read from.
    pub fn basis(&self) -> Basis {
        Basis::of(&self.page.path, Some(self.page.text.as_bytes()))
    }
}

/// A journal day or a source, as citations see it.
#[derive(Debug, Clone)]
pub struct SourceText {
    /// Its bytes, if they are UTF-8.
    pub text: Option<String>,
    /// Their digest.
    pub digest: Digest,
    /// The digest it had when it was last compiled, if it was.
    pub compiled: Option<Digest>,
    /// Where its lines begin, once somebody asked: hundreds of citations do.
    lines: OnceLock<LineIndex>,
}

impl SourceText {
    /// Returns a file with its digest and the one it had when it was last compiled.
    pub fn new(text: Option<String>, digest: Digest, compiled: Option<Digest>) -> SourceText {
        SourceText { text, digest, compiled, lines: OnceLock::new() }
    }

    /// Returns its text with where its lines begin; none when it is no text.
    pub fn lines(&self) -> Option<(&str, &LineIndex)> {
        let text = self.text.as_deref()?;
        Some((text, self.lines.get_or_init(|| LineIndex::new(text))))
    }
}

/// An immutable view of a whole vault.
#[derive(Debug, Clone)]
pub struct Snapshot {
    /// Where things live.
    pub layout: Layout,
    /// Every page, sorted by path.
    pub pages: Vec<PageFacts>,
    /// Every journal day and source.
    pub sources: BTreeMap<VaultPath, SourceText>,
    /// What stands in the index file and its shards.
    pub index_files: BTreeMap<VaultPath, String>,
    /// Wiki files that are not UTF-8, with the byte where reading stopped.
    pub unreadable: Vec<(VaultPath, usize)>,
    names: BTreeMap<Slug, u32>,
    paths: BTreeSet<VaultPath>,
    leads: Vec<Leads>,
}

/// Where one page leads, resolved once for all rules.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Leads {
    /// Per link of the body: the page, if it names one.
    pub links: Vec<Option<usize>>,
    /// Per high relation, then per mid relation.
    pub relations: Vec<Option<usize>>,
    /// The pages that links and relations lead to, sorted, each once, without the page itself.
    pub pages: Vec<usize>,
}

impl Snapshot {
    /// Returns the snapshot of these parts; pages may come in any order.
    pub fn new(layout: Layout, mut pages: Vec<PageFacts>, sources: BTreeMap<VaultPath, SourceText>) -> Snapshot {
        pages.sort_by(|a, b| a.page.path.cmp(&b.page.path));
        let names = resolve_names(pages.iter().map(|facts| facts.entry.names()));
        let paths = pages.iter().map(|facts| facts.page.path.clone()).collect();
        let (index_files, unreadable, leads) = (BTreeMap::new(), Vec::new(), Vec::new());
        let mut snapshot = Snapshot { layout, pages, sources, index_files, unreadable, names, paths, leads };
        snapshot.leads = in_parallel(snapshot.pages.len(), |page_idx| snapshot.find_leads(page_idx));
        snapshot
    }

    fn find_leads(&self, page_idx: usize) -> Leads {
        let facts = &self.pages[page_idx];
        let text = &facts.page.text;
        let link = |link: &Link| if link.vault.is_none() { self.find(&link.name(text)) } else { None };
        let links: Vec<Option<usize>> = facts.links.iter().map(link).collect();
        let related = facts.entry.high.iter().chain(&facts.entry.mid);
        let relations: Vec<Option<usize>> = related.map(|relation| self.find(&relation.target)).collect();
        let mut pages: Vec<usize> =
            links.iter().chain(&relations).flatten().copied().filter(|to| *to != page_idx).collect();
        pages.sort_unstable();
        pages.dedup();
        Leads { links, relations, pages }
    }

    /// Returns the page in a file.
    pub fn page_at(&self, path: &VaultPath) -> Option<&PageFacts> {
        let found = self.pages.binary_search_by(|facts| facts.page.path.cmp(path));
        found.ok().map(|page_idx| &self.pages[page_idx])
    }

    /// Returns where a page leads.
    pub fn leads(&self, page_idx: usize) -> &Leads {
        &self.leads[page_idx]
    }

    /// Returns the entries of all pages.
    pub fn entries(&self) -> Vec<&IndexEntry> {
        self.pages.iter().map(|facts| &facts.entry).collect()
    }

    /// Returns the page that a link or relation target names: by slug, alias or title of its last part.
    pub fn find(&self, target: &str) -> Option<usize> {
        let name = target.rsplit('/').next().unwrap_or(target);
        let name = name.strip_suffix(".md").unwrap_or(name);
        self.named(&Slug::from_text(name)?)
    }

    /// Returns the page that has a name.
    pub fn named(&self, name: &Slug) -> Option<usize> {
        self.names.get(name).map(|page_idx| *page_idx as usize)
    }

    /// Returns whether a place that a file names beside itself is one where a page would stand.
    pub fn may_be_page(&self, from: &VaultPath, target: &str) -> bool {
        let mut parts: Vec<&str> = from.as_str().split('/').collect();
        parts.pop();
        for part in target.split('/') {
            match part {
                "." | "" => {}
                ".." if parts.pop().is_none() => return false,
                ".." => {}
                name => parts.push(name),
            }
        }
        VaultPath::new(&parts.join("/")).is_some_and(|path| self.layout.is_page(&path))
    }

    /// Returns whether a target names some file of the vault: a page, a journal day, a source, the index.
    pub fn is_known(&self, target: &str) -> bool {
        if self.find(target).is_some() {
            return true;
        }
        let layout = &self.layout;
        let with_md = |text: &str| if text.ends_with(".md") { text.to_owned() } else { format!("{text}.md") };
        let candidates = [target.to_owned(), with_md(target), format!("{}/{}", layout.wiki, with_md(target))];
        candidates.iter().filter_map(|text| VaultPath::new(text)).any(|path| {
            self.sources.contains_key(&path)
                || self.paths.contains(&path)
                || path == layout.index
                || path == layout.log
                || self.index_files.contains_key(&path)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_counted_as_they_are_split() {
        for text in ["", " ", "a", " a", "a b\n\tc ", "é  ü", &"word  ".repeat(300), &"x".repeat(600)] {
            assert_eq!(words(text.as_bytes()), text.split_ascii_whitespace().count(), "{text:?}");
        }
    }
}
