//! Renews the index: its root, and of its shards those whose rows differ.
//!
//! A shard is a function of the pages that it lists. Notes in the cache say of which pages each was made, and how
//! its file looked then: one that is to be made of the same pages and looks the same is neither made nor read
//! again.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::brief::{MEMORY, memory_index};
use ken_core::index::part::{INDEX, foreign_rows};
use ken_core::index::render::{IndexFile, IndexRow, generated_parts, index_files, row_text};
use ken_core::index::table;
use ken_core::layout::PRESETS;
use ken_core::page::{page_slug, parse_page};
use ken_core::parallel::{in_parallel, long_in_parallel};
use ken_core::unmerged::unmerged;
use ken_core::{Basis, Digest, Edit, IndexEntry, VaultPath};
use ken_store::FileStat;
use serde::{Deserialize, Serialize};

use crate::engine::Engine;
use crate::failure::Failure;
use crate::wiki::{LeftOut, UNMERGED, Wiki, WikiFile, is_said_again};

/// Name of the notes in the cache.
const NOTES: &str = "index.bin";
/// Changes whenever rows or headings do, so that old notes are not trusted.
const NOTES_VERSION: u32 = 1;

/// What is known of the shards that the last compile left.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Notes {
    version: u32,
    files: BTreeMap<String, Note>,
}

/// One shard.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Note {
    len: u64,
    mtime_ns: i64,
    /// What names its rows.
    made_of: [u8; 32],
}

/// What renewing the index showed.
#[derive(Debug, Default)]
pub(crate) struct Indexed {
    /// Files that were left alone, with the reason.
    pub(crate) left_out: LeftOut,
    /// The shards that hold, or will hold, what they should, and what names their rows.
    made_of: Vec<(VaultPath, Digest)>,
}

/// A file of the index as it should be.
enum Wanted<'a> {
    /// Its generated part.
    Text(String),
    /// The rows of these pages.
    Rows(IndexFile, &'a [&'a WikiFile]),
}

/// A file of the index as it was read.
struct Standing {
    basis: Basis,
    text: String,
    /// Whether it has no marks and is, byte for byte, what an earlier version of the program wrote.
    is_ours: bool,
}

impl Engine {
    /// Adds the index files whose generated part differs, and takes it out of shards that are no longer used.
    /// What somebody else wrote there stays.
    pub(crate) fn plan_index(&self, wiki: &Wiki, edits: &mut Vec<Edit>) -> Result<Indexed, Failure> {
        let layout = self.layout();
        let mut indexed = Indexed::default();
        let mut root = self.index_as_it_stands(&layout.index, &mut indexed.left_out)?;
        if layout.has_table() {
            self.plan_table(wiki, root, edits, &mut indexed)?;
            return Ok(indexed);
        }
        let told = root.as_ref().filter(|root| !root.is_ours).map(|root| foreign_rows(&root.text)).unwrap_or_default();
        let pages: Vec<&WikiFile> =
            wiki.files.values().filter(|file| file.sort.is_some_and(|sort| !sort.is_past)).collect();
        let wanted: Vec<(VaultPath, Wanted<'_>)> = if layout.has_blocks() || !told.is_empty() {
            let parts = generated_parts(layout, &wiki.entries().collect::<Vec<_>>(), &told);
            parts.into_iter().map(|(path, text)| (path, Wanted::Text(text))).collect()
        } else {
            let files = index_files(layout, self.index_rows(wiki, &pages)).into_iter();
            files.map(|file| (file.path.clone(), Wanted::Rows(file, &pages))).collect()
        };
        // Who reads every page again reads the index again, too.
        let notes = wiki.table.as_ref().map(|_| self.index_notes()).unwrap_or_default();
        let shards = self.shards()?;
        let made_of: Vec<Option<Digest>> =
            wanted.iter().map(|(path, wanted)| wanted.made_of().filter(|_| *path != layout.index)).collect();
        let is_as_noted = |path: &VaultPath, made_of: Option<Digest>| {
            let note = shards.get(path).zip(made_of).map(|(shard, made_of)| Note::of(shard, made_of));
            note.is_some() && note.as_ref() == notes.files.get(path.as_str())
        };
        let others: Vec<usize> = (0..wanted.len()).filter(|n| !is_as_noted(&wanted[*n].0, made_of[*n])).collect();
        let texts = long_in_parallel(others.len(), |n| wanted[others[n]].1.generated(self, wiki));
        let mut texts: BTreeMap<usize, String> = others.into_iter().zip(texts).collect();
        for (n, (path, made_of)) in wanted.iter().map(|(path, _)| path).zip(made_of).enumerate() {
            if let Some(text) = texts.remove(&n) {
                let current = match shards.get(path) {
                    Some(_) => self.index_as_it_stands(path, &mut indexed.left_out)?,
                    None if *path == layout.index => root.take(),
                    None => None,
                };
                if indexed.left_out.iter().any(|(place, _)| place == path.as_str()) {
                    continue;
                }
                if current.is_some() || !pages.is_empty() {
                    edits.extend(self.renewed(path, current, &text));
                }
            }
            indexed.made_of.extend(made_of.map(|made_of| (path.clone(), made_of)));
        }
        let is_wanted: BTreeSet<&VaultPath> = wanted.iter().map(|(path, _)| path).collect();
        for path in shards.keys().filter(|path| !is_wanted.contains(path)) {
            edits.extend(self.without_part(path, &mut indexed.left_out)?);
        }
        indexed.left_out.extend(self.plan_memory_index(wiki, edits)?);
        Ok(indexed)
    }

    /// Renews the rows of compiled pages in a table that others have rows in, too.
    fn plan_table(
        &self,
        wiki: &Wiki,
        root: Option<Standing>,
        edits: &mut Vec<Edit>,
        indexed: &mut Indexed,
    ) -> Result<(), Failure> {
        let layout = self.layout();
        let text = root.as_ref().filter(|root| !root.is_ours).map_or("", |root| root.text.as_str());
        let (known, mut rows) = (table::places(text), BTreeMap::new());
        for (path, file) in &wiki.files {
            let is_ours = file.sort.is_some_and(|sort| sort.is_owned && !sort.is_past);
            let Some(place) = table::place_of(layout, path).filter(|_| is_ours) else { continue };
            // The row of a page that is as before is as before.
            if !file.is_fresh && known.contains(&place) && wiki.table.is_some() {
                continue;
            }
            let planned = edits.iter().find_map(|edit| match edit {
                Edit::Write { content, .. } if edit.path() == path => Some(content.clone()),
                _ => None,
            });
            let bytes = planned.map_or_else(|| self.store.read(path), |content| Ok(Some(content)))?;
            let page = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
            rows.extend(page.and_then(|text| table::row_of(layout, &parse_page(path, text).value)));
        }
        let is_past =
            |path: &VaultPath| wiki.files.get(path).is_none_or(|file| file.sort.is_some_and(|one| one.is_past));
        let removed = edits.iter().filter(|edit| matches!(edit, Edit::Remove { .. })).map(Edit::path);
        let gone = removed.filter(|path| is_past(path)).filter_map(|path| table::place_of(layout, path)).collect();
        let is_left_out = indexed.left_out.iter().any(|(place, _)| place == layout.index.as_str());
        let wanted = table::put(root.as_ref().map(|_| text), &rows, &gone);
        match root {
            _ if is_left_out => {}
            Some(root) if wanted != root.text => edits.push(root.basis.replace(wanted)),
            None if !wanted.is_empty() => edits.push(Basis::nothing(layout.index.clone()).replace(wanted)),
            _ => {}
        }
        for path in self.shards()?.keys() {
            edits.extend(self.without_part(path, &mut indexed.left_out)?);
        }
        indexed.left_out.extend(self.plan_memory_index(wiki, edits)?);
        Ok(())
    }

    /// What is known of the rows of pages; of pages as before without making them.
    fn index_rows(&self, wiki: &Wiki, pages: &[&WikiFile]) -> Vec<IndexRow> {
        let row = |n: usize| {
            let path = pages[n].stamp.path.clone();
            let (category, slug) = (pages[n].sort?.category, page_slug(&path));
            Some(IndexRow { category, slug, path, cost: wiki.row_cost(self.layout(), pages[n]) })
        };
        in_parallel(pages.len(), row).into_iter().flatten().collect()
    }

    /// The edit that gives a file of the index its generated part, if it differs.
    fn renewed(&self, path: &VaultPath, current: Option<Standing>, generated: &str) -> Option<Edit> {
        let Some(Standing { basis, text, is_ours }) = current else {
            return Some(Basis::nothing(path.clone()).replace(INDEX.put(None, generated)));
        };
        // Bytes that are wholly ours count as no text: nothing of them has to stay.
        let wanted = INDEX.put(Some(text.as_str()).filter(|_| !is_ours), generated);
        (wanted != text).then(|| basis.replace(wanted))
    }

    /// The edit that takes the generated part out of a shard that is no longer used.
    fn without_part(&self, path: &VaultPath, left_out: &mut LeftOut) -> Result<Option<Edit>, Failure> {
        let Some(file) = self.index_as_it_stands(path, left_out)? else { return Ok(None) };
        Ok(match INDEX.around(&file.text) {
            _ if left_out.iter().any(|(place, _)| place == path.as_str()) => None,
            Some(around) if !around.is_empty() => Some(file.basis.replace(around.text())),
            Some(_) => Some(file.basis.remove()),
            None if file.is_ours => Some(file.basis.remove()),
            None => None,
        })
    }

    /// A file of the index as it stands, if it can be read.
    fn index_as_it_stands(&self, path: &VaultPath, left_out: &mut LeftOut) -> Result<Option<Standing>, Failure> {
        let Some(bytes) = self.store.read(path)? else { return Ok(None) };
        let basis = Basis::of(path, Some(&bytes));
        let Ok(text) = String::from_utf8(bytes) else {
            left_out.push((path.to_string(), "it is not UTF-8 text".to_owned()));
            return Ok(None);
        };
        let around = INDEX.around(&text);
        let is_unmarked = around.is_none() && text.starts_with("# Index");
        let is_ours = is_unmarked && basis.digest().map_or(Ok(false), |now| self.store.is_as_written(path, now))?;
        if unmerged(&around.map_or_else(|| text.clone(), |around| around.text())).is_some() {
            left_out.push((path.to_string(), UNMERGED.to_owned()));
        }
        Ok(Some(Standing { basis, text, is_ours }))
    }

    /// Every file in the folder of shards.
    fn shards(&self) -> Result<BTreeMap<VaultPath, FileStat>, Failure> {
        let Some(folder) = self.layout().wiki.join("index") else { return Ok(BTreeMap::new()) };
        Ok(self.store.list(&folder)?.files.into_iter().map(|file| (file.path.clone(), file)).collect())
    }

    fn index_notes(&self) -> Notes {
        let notes = self.store.read_cache(NOTES).and_then(|bytes| postcard::from_bytes::<Notes>(&bytes).ok());
        notes.filter(|notes| notes.version == NOTES_VERSION).unwrap_or_default()
    }

    /// Notes how the shards look once the plan is carried out, so that the next compile need not read them.
    pub(super) fn note_index(&self, indexed: &Indexed) -> Result<(), Failure> {
        let mut files = BTreeMap::new();
        for (path, made_of) in &indexed.made_of {
            let shard = self.store.stat(path)?;
            files.extend(shard.map(|shard| (path.to_string(), Note::of(&shard, *made_of))));
        }
        if files != self.index_notes().files
            && let Ok(bytes) = postcard::to_allocvec(&Notes { version: NOTES_VERSION, files })
        {
            // Losing the cache costs time, never an answer.
            let _ = self.store.write_cache(NOTES, bytes);
        }
        Ok(())
    }

    /// Renews the short index that some agents read, if the configuration wants one; a file that somebody
    /// else wrote stays as it is, and so does what somebody wrote around it.
    fn plan_memory_index(&self, wiki: &Wiki, edits: &mut Vec<Edit>) -> Result<LeftOut, Failure> {
        let Some(path) = &self.config.memory_index else { return Ok(LeftOut::new()) };
        let up = "../".repeat(path.as_str().matches('/').count());
        // What is always read holds nothing that rests on a source nobody vouches for.
        let trusted = self.trusted(wiki.entries().filter(|entry| !is_said_again(entry)).collect::<Vec<&IndexEntry>>());
        let folder = path.parent().map(|folder| format!("{folder}/")).unwrap_or_default();
        // From where the file stands; what lies below that needs no way up.
        let link = |entry: &IndexEntry| match entry.path.as_str().strip_prefix(&folder) {
            Some(below) => below.to_owned(),
            None => format!("{up}{}", entry.path),
        };
        let current = self.store.read(path)?;
        let basis = Basis::of(path, current.as_deref());
        // Another tool's index of its own pages gets a part of ours, because the user named it.
        let is_theirs = self.layout().foreign.iter().any(|folder| path.is_under(folder.as_str()))
            && PRESETS.iter().any(|preset| preset.files.indexes.contains(&path.file_name()));
        let around = match current.as_deref().map(str::from_utf8) {
            Some(Ok(text)) => match MEMORY.around(text) {
                Some(around) => around.text(),
                None if is_theirs => text.to_owned(),
                None => String::new(),
            },
            _ => String::new(),
        };
        let generated = memory_index(&trusted, &wiki.used_most, &around, link);
        let text = match current.as_deref().map(str::from_utf8) {
            None => MEMORY.put(None, &generated),
            // Nothing to add to what they point to themselves.
            Some(Ok(text)) if is_theirs && text == around && !generated.contains("\n- [") => text.to_owned(),
            Some(Ok(text)) if is_theirs || MEMORY.around(text).is_some() => MEMORY.put(Some(text), &generated),
            // Before the part had an end, the whole file was ours.
            Some(Ok(text))
                if text.starts_with(MEMORY.begin)
                    && basis.digest().map_or(Ok(false), |now| self.store.is_as_written(path, now))? =>
            {
                MEMORY.put(None, &generated)
            }
            Some(_) => {
                let why = "it was written by somebody else: put `<!-- kenning:memory -->` and `<!-- /kenning:memory -->` on two lines where the pages are to be listed, or name another file as `memory_index` in kenning.toml";
                return Ok(vec![(path.to_string(), why.to_owned())]);
            }
        };
        if current.as_deref() != Some(text.as_bytes()) {
            edits.push(basis.replace(text));
        }
        Ok(LeftOut::new())
    }
}

impl Note {
    fn of(shard: &FileStat, made_of: Digest) -> Note {
        Note { len: shard.len, mtime_ns: shard.mtime_ns, made_of: *made_of.as_bytes() }
    }
}

impl Wanted<'_> {
    /// What names the rows: the pages' places and bytes.
    fn made_of(&self) -> Option<Digest> {
        let Wanted::Rows(file, pages) = self else { return None };
        let mut named = Vec::new();
        for (heading, rows) in &file.parts {
            named.extend_from_slice(heading.as_bytes());
            for page in rows.iter().map(|n| &pages[*n].stamp) {
                named.extend_from_slice(page.path.as_str().as_bytes());
                named.extend_from_slice(page.digest.as_bytes());
            }
        }
        Some(Digest::of(&named))
    }

    fn generated(&self, engine: &Engine, wiki: &Wiki) -> String {
        match self {
            Wanted::Text(text) => text.clone(),
            Wanted::Rows(file, pages) => file.text(|n, out| {
                out.extend(wiki.entry(pages[n]).map(|entry| row_text(engine.layout(), entry)));
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ken_core::layout::{KENNING, Layout};
    use ken_core::{Category, Tokens};

    const PAGE: &str = "---
title: Oven [timer]
type: project
tldr: The oven timer reads the clock on every tick.
answers_when: [oven timer, tick]
similar_high: [kitchen-display:2026-03]
similar_mid: [clock]
owner: kenning
---
Body.
";

    /// When this fails, rows, headings or the cut into shards have changed: raise [`NOTES_VERSION`] and pin the new
    /// digest, or shards that older programs wrote would stay as they are.
    #[test]
    fn what_notes_of_a_version_stand_for_never_changes() {
        let layout = Layout::new(&KENNING, &VaultPath::new("knowledge").expect("inside"));
        let place = |n: usize| VaultPath::new(&format!("knowledge/projects/oven-{}.md", n * 7_919 % 1_000));
        let row = |n: usize| IndexRow {
            category: Category::Project,
            slug: page_slug(&place(n).expect("inside")),
            path: place(n).expect("inside"),
            cost: Tokens(50),
        };
        let entry = IndexEntry::of(&parse_page(&place(0).expect("inside"), PAGE.to_owned()).value);
        let mut text = row_text(&layout, &entry);
        for n_pages in [3, 1_000] {
            for file in index_files(&layout, (0..n_pages).map(row).collect()) {
                text.push_str(&format!("{}\n{}", file.path, file.text(|n, out| out.push_str(&format!("{n} ")))));
            }
        }
        assert_eq!((NOTES_VERSION, Digest::of(text.as_bytes()).short()), (1, "c33a99cb".to_owned()));
    }
}
