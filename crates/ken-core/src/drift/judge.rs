//! What became of what a reference names: there, gone, moved, or nobody can say.
//!
//! A reference is only said to be gone when it was of this project: its folder is here, the type around it is, the
//! history knows it, or the whole form leaves nothing else. What code mentions without defining it may come from a
//! macro, a library or a generated file, and is left alone.

mod symbol;

use super::definitions::NameId;
use super::project::{Absent, Project, ProjectFile};
use super::reference::path::is_made;
use super::reference::{Reference, What};
use crate::time::Date;

/// What became of something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// It is there.
    There,
    /// It is not there any longer.
    Gone {
        /// The day of that, where the history was asked and knows it.
        since: Option<Date>,
    },
    /// It is somewhere else.
    Moved {
        /// The file, from the top of the project.
        to: String,
        /// The day of that, where the history was asked and knows it.
        since: Option<Date>,
    },
    /// It may be of another project, made, or brought by a library.
    Unknown,
}

impl State {
    /// Returns the word for it.
    pub fn as_str(&self) -> &'static str {
        match self {
            State::There => "there",
            State::Gone { .. } => "gone",
            State::Moved { .. } => "moved",
            State::Unknown => "unknown",
        }
    }

    /// Returns whether a statement that names it is out of date.
    pub fn is_drift(&self) -> bool {
        matches!(self, State::Gone { .. } | State::Moved { .. })
    }

    fn gone() -> State {
        State::Gone { since: None }
    }
}

/// Names of files that every folder has: one elsewhere is another.
const COMMON_FILES: &str = " lib.rs main.rs mod.rs build.rs index.ts index.js index.tsx index.jsx index.mjs index.html __init__.py \
    __main__.py main.py setup.py conftest.py main.go doc.go main.c main.cpp Cargo.toml package.json tsconfig.json Makefile \
    README.md CHANGELOG.md LICENSE CONTRIBUTING.md utils.py utils.ts utils.js util.ts types.ts types.py config.py config.ts \
    config.json config.toml config.yaml errors.rs error.rs tests.rs test.py test.ts models.py views.py urls.py admin.py apps.py \
    Dockerfile go.mod pom.xml build.gradle index.md styles.css style.css app.py app.ts app.js main.ts main.js __tests__ ";
/// Folders that nearly every project has: that one is here says little of what is said to be in it.
const COMMON_FOLDERS: &str = " src lib app test tests docs doc scripts bin cmd pkg internal include config examples tools public assets \
    server client web api ";
/// Names that so many things have that one elsewhere is another.
const COMMON_NAMES: &str = " main new init open close read write get set run test setup default from into name names load save start \
    stop create update delete remove add find list parse build make check apply next render index show edit handle config \
    value values data items item error result state options send print format string text type kind path file files \
    constructor clone size len count push pop clear copy reset call execute process update_all tests it describe args ";
/// What nobody writes, but many types have.
const DERIVED: &str = " clone default eq ne cmp partial_cmp fmt hash from into try_from try_into to_string to_owned from_str serialize \
    deserialize drop deref borrow as_ref iter into_iter next new toString equals hashCode valueOf values ordinal name call bind \
    length prototype class class_eval objects DoesNotExist pk id save create all where find init allCases rawValue description \
    copy apply let also run with ";

fn has(list: &str, word: &str) -> bool {
    !word.contains(' ') && list.contains(&format!(" {word} "))
}

/// Returns what became of what a reference names.
pub fn judge(reference: &Reference, project: &Project<'_>) -> State {
    match &reference.what {
        What::Path { path, is_sure } => of_path(path, *is_sure, project),
        What::Line { path, line } => match project.files_at(path).as_slice() {
            [] => of_path(path, true, project),
            files => {
                let has = |at: &u32| project.file(*at).n_lines.is_none_or(|n_lines| *line <= n_lines);
                if files.iter().any(has) { State::There } else { State::gone() }
            }
        },
        What::InFile { path, names } => in_file(path, names, project),
        What::Symbol { parts } => symbol::of_symbol(parts, reference.text.ends_with(')'), project),
        What::Command(command) => match project.has_command(command) {
            Some(true) => State::There,
            Some(false) => State::gone(),
            None => State::Unknown,
        },
    }
}

fn of_path(path: &str, is_sure: bool, project: &Project<'_>) -> State {
    let path = path.trim_end_matches('/');
    if project.has_path(path) {
        return State::There;
    }
    if let Some(state) = departed(path, project) {
        return state;
    }
    let absent = project.absent(path);
    let is_tracked = absent.is_some();
    if absent == Some(Absent::LeftOut) || !is_tracked && (!is_sure || is_made(path) || project.is_ignored(path)) {
        return State::Unknown;
    }
    if let Some(to) = moved_file(path, project) {
        return State::Moved { to, since: None };
    }
    if is_tracked || is_ours(path, project) { State::gone() } else { State::Unknown }
}

/// What the history says of a path, followed to where it is now.
fn departed(path: &str, project: &Project<'_>) -> Option<State> {
    /// Renames of one file, one after the other.
    const RENAMES_MAX: usize = 16;
    let first = project.departure(path)?;
    let mut last = first;
    for _ in 0..RENAMES_MAX {
        let Some(to) = &last.to else { break };
        if !project.files_at(to).is_empty() {
            return Some(State::Moved { to: to.clone(), since: Some(first.day) });
        }
        let Some(next) = project.departure(to) else { break };
        last = next;
    }
    Some(State::Gone { since: Some(first.day) })
}

/// Where a file is now that has gone from a path, as names alone say.
fn moved_file(path: &str, project: &Project<'_>) -> Option<String> {
    let (folder, name) = path.rsplit_once('/')?;
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    let only = |mut files: Vec<u32>| (files.len() == 1).then(|| files.remove(0));
    let at = |path: String| project.files_at(&path).into_iter().find(|at| project.file(*at).path == path);
    let inside = ["mod.rs", "index.ts", "index.tsx", "index.js", "__init__.py"];
    let as_folder = inside.iter().filter(|entry| entry.ends_with(&format!(".{ending}")));
    let kin: &[&str] = match ending {
        "js" | "jsx" | "ts" | "tsx" | "mjs" | "cjs" => &["ts", "tsx", "js", "jsx", "mjs", "mts"],
        "c" | "cc" | "cpp" | "cxx" => &["c", "cc", "cpp", "cxx"],
        "h" | "hpp" | "hh" => &["h", "hpp", "hh"],
        "yml" | "yaml" => &["yml", "yaml"],
        "md" | "mdx" | "rst" => &["md", "mdx", "rst"],
        "java" | "kt" => &["kt", "java"],
        _ => &[],
    };
    let beside = kin.iter().map(|kin| format!("{folder}/{stem}.{kin}"));
    let beside = beside.chain(as_folder.map(|entry| format!("{folder}/{stem}/{entry}")));
    let found = only(beside.filter_map(at).collect()).or_else(|| {
        let is_telling = !has(COMMON_FILES, name) && stem.len() > 2;
        let named: Vec<u32> = if is_telling { project.files_named(name).collect() } else { Vec::new() };
        // Of several the one that went deeper into the same folders.
        let deeper = named.iter().copied().filter(|at| goes_through(&project.file(*at).path, path));
        only(deeper.collect()).or_else(|| only(named))
    });
    found.map(|at| project.file(at).path.clone())
}

/// Whether a path goes through every folder of another, in order.
fn goes_through(path: &str, other: &str) -> bool {
    let mut parts = path.split('/');
    other.split('/').all(|part| parts.any(|one| one == part))
}

/// Whether a path that is not there can only have been of this project.
fn is_ours(path: &str, project: &Project<'_>) -> bool {
    let Some((folder, name)) = path.rsplit_once('/') else { return false };
    let first = path.split('/').next().unwrap_or(path);
    let has_ending = name.rsplit_once('.').is_none_or(|(_, ending)| project.has_ending(ending));
    let is_deep = folder.contains('/') && !project.folders_at(folder).is_empty();
    match project.has_folder(first) {
        true => has_ending || (!has(COMMON_FOLDERS, first) && project.has_folder(folder)),
        false => is_deep && has_ending,
    }
}

fn defines(file: &ProjectFile, name: NameId) -> bool {
    let definitions = file.definitions.as_deref().unwrap_or_default();
    definitions.binary_search_by(|one| one.name.cmp(&name)).is_ok()
}

fn in_file(path: &str, names: &[String], project: &Project<'_>) -> State {
    let Some(last) = names.last() else { return State::Unknown };
    let name = NameId::of(last);
    let files = project.files_at(path);
    if files.is_empty() {
        return match of_path(path, super::grammar::grammar_of(path, "").is_some(), project) {
            State::Unknown | State::There => State::Unknown,
            State::Moved { to, since } => {
                let is_in = project.files_at(&to).iter().any(|at| defines(project.file(*at), name));
                match elsewhere(last, project).filter(|_| !is_in) {
                    Some(other) => State::Moved { to: other, since },
                    None => State::Moved { to, since },
                }
            }
            State::Gone { since } => match elsewhere(last, project) {
                Some(to) => State::Moved { to, since },
                None => State::Gone { since },
            },
        };
    }
    let is_there = |at: &u32| {
        let file = project.file(*at);
        file.definitions.is_none() || defines(file, name)
    };
    if files.iter().any(is_there) {
        return State::There;
    }
    match elsewhere(last, project) {
        Some(to) => State::Moved { to, since: None },
        None if files.iter().any(|at| project.mentions_in(*at, name)) => State::Unknown,
        None => State::gone(),
    }
}

/// The only file that defines a name, where the name is telling.
fn elsewhere(name: &str, project: &Project<'_>) -> Option<String> {
    if name.len() < 4 || has(COMMON_NAMES, name) {
        return None;
    }
    project.only_definer(NameId::of(name)).map(|at| project.file(at).path.clone())
}
