//! What an agent says about itself: the layers of its start, as values.

use std::path::{Component, Path, PathBuf};

use serde_json::Value;

use super::read;
use crate::machine::Machine;

/// Where a session starts.
#[derive(Debug, Clone)]
pub struct Start<'a> {
    /// The machine.
    pub machine: &'a Machine,
    /// The working folder.
    pub cwd: &'a Path,
    /// The repository around it, else the working folder.
    pub root: PathBuf,
}

impl<'a> Start<'a> {
    /// Returns the start in a working folder.
    pub fn new(machine: &'a Machine, cwd: &'a Path) -> Start<'a> {
        let root = cwd.ancestors().find(|folder| read::is_there(&folder.join(".git"))).unwrap_or(cwd).to_owned();
        Start { machine, cwd, root }
    }

    /// Returns the folders from the repository's down to the working folder.
    pub fn project(&self) -> Vec<PathBuf> {
        self.all().into_iter().filter(|folder| folder.starts_with(&self.root)).collect()
    }

    /// Returns the folders from the file system's root down to the working folder.
    pub fn all(&self) -> Vec<PathBuf> {
        let mut folders: Vec<PathBuf> = self.cwd.ancestors().map(Path::to_owned).collect();
        folders.reverse();
        folders
    }

    /// Returns whether a file belongs to the project, links followed.
    pub(super) fn is_inside(&self, path: &Path) -> bool {
        read::is_in(path, &self.root)
    }

    /// Returns whether there is such a file.
    pub fn has(&self, path: &Path) -> bool {
        path.is_file()
    }

    /// Returns a file of settings in JSON, with or without comments; null when there is none to be read.
    pub fn json(&self, path: &Path) -> Value {
        read::settings(path).map(|text| read::json(&text)).unwrap_or_default()
    }

    /// Returns a file of settings in TOML, as JSON; null when there is none to be read.
    pub fn toml(&self, path: &Path) -> Value {
        let text = read::settings(path).unwrap_or_default();
        toml::from_str(&text).unwrap_or_default()
    }

    /// Returns how a place is best named to somebody in the working folder.
    pub fn shown(&self, path: &Path) -> String {
        let path = without_detours(path);
        match path.strip_prefix(self.cwd) {
            Ok(rest) if !rest.as_os_str().is_empty() => rest.display().to_string(),
            _ => self.machine.shown(&path),
        }
    }
}

/// For people to read: what is opened is the path as it was written.
fn without_detours(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}

/// What a layer is to the agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// What an administrator wrote for everybody on the machine.
    Managed,
    /// What people wrote for the agent.
    Instructions,
    /// What instructions import.
    Import,
    /// One of many files of instructions.
    Rule,
    /// What the agent itself kept of earlier sessions.
    Memory,
    /// Names and descriptions of skills, commands and other agents.
    Skills,
    /// What Kenning puts in front of a session.
    Brief,
    /// What tool servers say of themselves.
    Tools,
}

impl Kind {
    /// Returns the word for it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Managed => "managed",
            Kind::Instructions => "instructions",
            Kind::Import => "import",
            Kind::Rule => "rule",
            Kind::Memory => "memory",
            Kind::Skills => "skills",
            Kind::Brief => "brief",
            Kind::Tools => "tools",
        }
    }
}

/// Where a layer is read from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// The first of these files that is there.
    First(Vec<PathBuf>),
    /// The files in a folder, and in its folders, whose names end like this.
    Folder(PathBuf, &'static str),
    /// Files named with `*`, as the settings of an agent do.
    Pattern(PathBuf),
}

/// Which files of a layer are loaded at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Only {
    /// All.
    All,
    /// Those whose header names no files under this key, or all files.
    Everywhere(&'static str),
    /// Those whose header has this value.
    With(&'static str, &'static str),
}

/// What of a file is loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// All of it.
    Whole,
    /// All of it, of all such layers together at most so many bytes.
    Within(usize),
    /// Without comments and header, with its imports up to this depth.
    Linked(usize),
    /// With its imports up to this depth, from the project only.
    LinkedInside(usize),
    /// What is behind the header.
    Body,
    /// The first lines and bytes.
    Head(usize, usize),
    /// The name and at most so many characters of the description.
    Described(usize),
}

/// Something that an agent loads at the start of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layer {
    /// What it is.
    pub kind: Kind,
    /// Where it is read from.
    pub place: Place,
    /// Which of its files are loaded.
    pub only: Only,
    /// What of them.
    pub form: Form,
}

impl Layer {
    /// Returns the layer of a file of instructions.
    pub fn instructions(path: PathBuf, form: Form) -> Layer {
        Layer::first(vec![path], form)
    }

    /// Returns the layer of the first of these files that is there.
    pub fn first(paths: Vec<PathBuf>, form: Form) -> Layer {
        Layer { kind: Kind::Instructions, place: Place::First(paths), only: Only::All, form }
    }

    /// Returns the layer of a folder of rules.
    pub fn rules(folder: PathBuf, suffix: &'static str, only: Only, form: Form) -> Layer {
        Layer { kind: Kind::Rule, place: Place::Folder(folder, suffix), only, form }
    }

    /// Returns the layer of a folder of skills, of which only descriptions are loaded.
    pub fn skills(folder: PathBuf, suffix: &'static str, chars_max: usize) -> Layer {
        Layer {
            kind: Kind::Skills,
            place: Place::Folder(folder, suffix),
            only: Only::All,
            form: Form::Described(chars_max),
        }
    }
}

/// How the models of an agent count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counting {
    /// With a tokenizer that is public.
    Public(&'static str),
    /// Some with a public one, as its user chooses the model.
    Mixed(&'static str),
    /// With one that is not public.
    Secret,
}

impl Counting {
    /// Returns whether counts of this tokenizer are the agent's own.
    pub fn is_exact_with(self, tokenizer: &str) -> bool {
        matches!(self, Counting::Public(name) if name == tokenizer)
    }

    /// Returns what there is to say about it.
    pub fn words(self) -> String {
        match self {
            Counting::Public(name) => format!("its models count with {name}"),
            Counting::Mixed(name) => format!("some of its models count with {name}, of others it is not public"),
            Counting::Secret => "how its models count is not public".to_owned(),
        }
    }
}
