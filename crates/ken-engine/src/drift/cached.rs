//! What is known of a project's files, kept until a file changes.
//!
//! Two files of the cache, which bear this user's seal: what is defined, which every run needs, and what is mentioned,
//! which only a run needs that misses a name. A file is read again when its length or time changed, or when it was
//! changed as late as the cache was written. Losing them loses time.

use std::collections::BTreeMap;
use std::path::Path;

use ken_core::drift::{CodeFacts, Definition, Departure, Manifest, NameId, ProjectFile, code_facts, manifest};
use ken_core::parallel::long_in_parallel;
use serde::{Deserialize, Serialize};

use super::tree::{FileLook, Tree, text_of};
use super::{BTreeSet, Departed};
use crate::engine::Engine;

/// Raised when what is defined is read otherwise.
const VERSION: u32 = 1;
const DEFINED: &str = "drift.bin";
const MENTIONED: &str = "drift-mentions.bin";
const HISTORY: &str = "drift-history.bin";
/// Files that one thread reads before it takes others.
const FILES_A_TURN: usize = 32;
/// A file that was changed so shortly before the cache was written may have changed again since.
const RACY_NS: i64 = 20_000_000;

/// What the file of definitions begins with: the project it is of, and its rows. Behind it stand the definitions, sixteen
/// bytes each, one file's behind the other's.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Kept {
    version: u32,
    top: String,
    rows: Vec<Row>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Row {
    path: String,
    len: u64,
    mtime_ns: i64,
    n_lines: Option<u32>,
    /// How many definitions; none where it is no code.
    n_defined: Option<u32>,
    says: Option<Says>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Says {
    commands: Vec<(u8, String)>,
    is_open: bool,
}

/// What is known of each file of a tree, in its order.
pub(super) struct Facts {
    rows: Vec<(Row, Vec<Definition>)>,
    /// Mentions of the files that were read just now.
    fresh: BTreeMap<usize, Vec<u32>>,
}

impl Facts {
    /// Returns what is known of a project's files, and keeps it.
    pub(super) fn read(engine: &Engine, tree: &Tree) -> Facts {
        let top = tree.top.to_string_lossy().into_owned();
        let written_ns = engine.store.cache_mtime(DEFINED).unwrap_or(0);
        let kept = engine.store.read_cache(DEFINED).unwrap_or_default();
        let known = known_rows(&kept, &top).unwrap_or_default();
        let mut facts = Facts { rows: Vec::with_capacity(tree.files.len()), fresh: BTreeMap::new() };
        let mut known = known.into_iter().peekable();
        let mut to_read = Vec::new();
        let n_known = known.len();
        for (at, file) in tree.files.iter().enumerate() {
            while known.peek().is_some_and(|(row, _)| row.path < file.path) {
                known.next();
            }
            let is_same = |(row, _): &(Row, Vec<Definition>)| {
                let is_old = file.mtime_ns + RACY_NS < written_ns;
                row.path == file.path && row.len == file.len && row.mtime_ns == file.mtime_ns && is_old
            };
            match known.next_if(is_same) {
                Some(row) => facts.rows.push(row),
                None => {
                    facts.rows.push((row_of(file), Vec::new()));
                    to_read.push(at);
                }
            }
        }
        if !to_read.is_empty() || n_known != tree.files.len() {
            facts.read_anew(engine, tree, &to_read);
            facts.keep(engine, &top);
        }
        facts
    }

    fn read_anew(&mut self, engine: &Engine, tree: &Tree, to_read: &[usize]) {
        let read = read_files(tree, to_read);
        let mut kept = if to_read.len() == tree.files.len() { None } else { self.kept_mentions(engine, tree) };
        for (at, (row, facts)) in to_read.iter().zip(read) {
            self.fresh.insert(*at, facts.mentions);
            self.rows[*at] = (row, facts.definitions);
        }
        // Only all mentions together are of use: with what was kept, or when all was read.
        if to_read.len() == tree.files.len() {
            kept = Some(vec![Vec::new(); tree.files.len()]);
        }
        let Some(mut all) = kept else { return };
        for (at, mentions) in &self.fresh {
            all[*at].clone_from(mentions);
        }
        self.keep_mentions(engine, tree, &all);
    }

    fn keep(&self, engine: &Engine, top: &str) {
        let mut defined = Vec::new();
        for one in self.rows.iter().flat_map(|(_, definitions)| definitions) {
            defined.extend(one.name.0.to_le_bytes());
            defined.extend(one.of.0.to_le_bytes());
        }
        let rows = self.rows.iter().map(|(row, _)| row.clone()).collect();
        let kept = Kept { version: VERSION, top: top.to_owned(), rows };
        let _ = postcard::to_allocvec(&kept).map(|mut bytes| {
            bytes.extend(defined);
            engine.store.write_cache(DEFINED, bytes)
        });
    }

    /// Returns the files as references are looked up in them.
    pub(super) fn files(&self, tree: &Tree) -> Vec<ProjectFile> {
        debug_assert_eq!(self.rows.len(), tree.files.len(), "a row a file");
        self.rows.iter().map(|(row, definitions)| project_file(row, definitions.clone())).collect()
    }

    /// Returns what each file mentions.
    pub(super) fn mentions(&self, engine: &Engine, tree: &Tree) -> Vec<Vec<u32>> {
        if let Some(mut kept) = self.kept_mentions(engine, tree) {
            for (at, mentions) in &self.fresh {
                kept[*at].clone_from(mentions);
            }
            return kept;
        }
        let all: Vec<usize> = (0..tree.files.len()).collect();
        let read: Vec<Vec<u32>> = read_files(tree, &all).into_iter().map(|(_, facts)| facts.mentions).collect();
        self.keep_mentions(engine, tree, &read);
        read
    }

    fn kept_mentions(&self, engine: &Engine, tree: &Tree) -> Option<Vec<Vec<u32>>> {
        let bytes = engine.store.read_cache(MENTIONED)?;
        let rest = bytes.strip_prefix(&stamp(tree))?;
        let (mut out, mut at) = (Vec::with_capacity(tree.files.len()), 0);
        let number = |at: usize| Some(u32::from_le_bytes(*rest.get(at..)?.first_chunk()?));
        for _ in 0..tree.files.len() {
            let n = number(at)? as usize;
            let end = at + 4 + 4 * n;
            let names = rest.get(at + 4..end)?.chunks_exact(4);
            out.push(names.map(|name| u32::from_le_bytes([name[0], name[1], name[2], name[3]])).collect());
            at = end;
        }
        Some(out)
    }

    fn keep_mentions(&self, engine: &Engine, tree: &Tree, all: &[Vec<u32>]) {
        let mut bytes = stamp(tree).to_vec();
        for names in all {
            bytes.extend(u32::try_from(names.len()).unwrap_or(u32::MAX).to_le_bytes());
            names.iter().for_each(|name| bytes.extend(name.to_le_bytes()));
        }
        let _ = engine.store.write_cache(MENTIONED, bytes);
    }
}

/// What mentions are of: these files as they are.
fn stamp(tree: &Tree) -> [u8; 32] {
    let mut text = format!("{VERSION} {}\n", tree.top.display());
    for file in &tree.files {
        text.push_str(&file.path);
        text.push_str(&format!("\t{}\t{}\n", file.len, file.mtime_ns));
    }
    *ken_core::Digest::of(text.as_bytes()).as_bytes()
}

fn row_of(file: &FileLook) -> Row {
    Row { path: file.path.clone(), len: file.len, mtime_ns: file.mtime_ns, ..Row::default() }
}

fn known_rows(kept: &[u8], top: &str) -> Option<Vec<(Row, Vec<Definition>)>> {
    let (kept, mut defined) = postcard::take_from_bytes::<Kept>(kept).ok()?;
    if kept.version != VERSION || kept.top != top {
        return None;
    }
    let id = |bytes: &[u8]| Some(NameId(u64::from_le_bytes(*bytes.first_chunk()?)));
    let mut out = Vec::with_capacity(kept.rows.len());
    for row in kept.rows {
        let (own, rest) = defined.split_at_checked(16 * row.n_defined.unwrap_or(0) as usize)?;
        let one = |bytes: &[u8]| Some(Definition { name: id(bytes)?, of: id(&bytes[8..])? });
        out.push((row, own.chunks_exact(16).filter_map(one).collect()));
        defined = rest;
    }
    Some(out)
}

fn read_files(tree: &Tree, which: &[usize]) -> Vec<(Row, CodeFacts)> {
    let n_turns = which.len().div_ceil(FILES_A_TURN);
    let read = long_in_parallel(n_turns, |turn| {
        let of_turn = which.iter().skip(turn * FILES_A_TURN).take(FILES_A_TURN);
        of_turn.map(|at| read_file(&tree.top, &tree.files[*at])).collect::<Vec<_>>()
    });
    read.into_iter().flatten().collect()
}

/// Returns one file as references are looked up in it.
pub(super) fn file_of(top: &Path, file: &FileLook) -> ProjectFile {
    let (row, facts) = read_file(top, file);
    project_file(&row, facts.definitions)
}

fn project_file(row: &Row, definitions: Vec<Definition>) -> ProjectFile {
    ProjectFile {
        path: row.path.clone(),
        n_lines: row.n_lines.map(|n_lines| n_lines as usize),
        definitions: row.n_defined.map(|_| definitions),
        manifest: row.says.as_ref().map(manifest_of),
    }
}

fn read_file(top: &Path, file: &FileLook) -> (Row, CodeFacts) {
    let mut row = row_of(file);
    let Some(text) = text_of(top, file) else { return (row, CodeFacts::default()) };
    row.n_lines = Some(u32::try_from(text.lines().count()).unwrap_or(u32::MAX));
    row.says = manifest(&file.path, &text).map(|said| says(&said));
    match code_facts(&file.path, &text) {
        Some(facts) => {
            row.n_defined = Some(u32::try_from(facts.definitions.len()).unwrap_or(u32::MAX));
            (row, facts)
        }
        None => (row, CodeFacts::default()),
    }
}

fn says(said: &Manifest) -> Says {
    use ken_core::drift::Command::{Package, Program, Recipe, Script, Target, Task};
    let row = |command: &ken_core::drift::Command| match command {
        Script(name) => (0, name.clone()),
        Target(name) => (1, name.clone()),
        Recipe(name) => (2, name.clone()),
        Package(name) => (3, name.clone()),
        Program(name) => (4, name.clone()),
        Task(name) => (5, name.clone()),
    };
    Says { commands: said.commands.iter().map(row).collect(), is_open: said.is_open }
}

fn manifest_of(says: &Says) -> Manifest {
    use ken_core::drift::Command::{Package, Program, Recipe, Script, Target, Task};
    let make = |(kind, name): &(u8, String)| match kind {
        0 => Script(name.clone()),
        1 => Target(name.clone()),
        2 => Recipe(name.clone()),
        3 => Package(name.clone()),
        4 => Program(name.clone()),
        _ => Task(name.clone()),
    };
    Manifest { commands: says.commands.iter().map(make).collect(), is_open: says.is_open }
}

/// What the history said, of the state of the repository that it was asked in.
#[derive(Debug, Default, Serialize, Deserialize)]
struct KeptHistory {
    top: String,
    /// Length and time of the repository's own log.
    stamp: (u64, i64),
    asked: BTreeSet<String>,
    /// Path, day, and where it went.
    said: Vec<(String, String, Option<String>)>,
}

impl Engine {
    /// What the history says of paths that are not there; it is asked again only when the repository changed.
    pub(super) fn departures(
        &self,
        top: &Path,
        missing: &BTreeSet<String>,
        departed: &Departed<'_>,
    ) -> BTreeMap<String, Departure> {
        let Some(stamp) = crate::repository::log_stamp(top) else { return departed(top, missing).unwrap_or_default() };
        let named = top.to_string_lossy().into_owned();
        let kept = self.store.read_cache(HISTORY).and_then(|bytes| postcard::from_bytes::<KeptHistory>(&bytes).ok());
        let kept = kept.filter(|kept| kept.top == named).unwrap_or_default();
        let is_known = kept.stamp == stamp && missing.is_subset(&kept.asked);
        let of = |(path, day, to): &(String, String, Option<String>)| {
            Some((path.clone(), Departure { day: day.parse().ok()?, to: to.clone() }))
        };
        let known: BTreeMap<String, Departure> = kept.said.iter().filter_map(of).collect();
        if is_known {
            return known;
        }
        // What was known once is still true.
        let Some(said) = departed(top, missing) else { return known };
        let rows = said.iter().map(|(path, one)| (path.clone(), one.day.to_string(), one.to.clone())).collect();
        let kept = KeptHistory { top: named, stamp, asked: missing.clone(), said: rows };
        let _ = postcard::to_allocvec(&kept).map(|bytes| self.store.write_cache(HISTORY, bytes));
        said
    }
}
