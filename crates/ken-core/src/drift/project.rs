//! A project as references are looked up in it: its files, and what they define.
//!
//! Holds no texts. What it costs to build grows with the project, what a look-up costs hardly does.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use super::definitions::{Definition, NameId};
use super::manifest::Manifest;
use super::reference::Command;
use crate::time::Date;

/// A file of a project.
#[derive(Debug, Clone, Default)]
pub struct ProjectFile {
    /// From the top of the project, with `/`.
    pub path: String,
    /// Its lines; `None` where nobody counted them.
    pub n_lines: Option<usize>,
    /// What it defines, sorted; `None` where it is in no language that is known.
    pub definitions: Option<Vec<Definition>>,
    /// What it says of commands.
    pub manifest: Option<Manifest>,
}

/// What the history says of a file that was deleted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Departure {
    /// The day of that.
    pub day: Date,
    /// The name under which it went on.
    pub to: Option<String>,
}

/// Why a file that the repository has is not in the work tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Absent {
    /// Somebody deleted it, and has not committed that.
    Deleted,
    /// The checkout leaves it out: it is there all the same.
    LeftOut,
}

/// Gives the mentions of each file, in the order of the files.
type Mentions<'p> = Box<dyn Fn() -> Vec<Vec<u32>> + Send + 'p>;

/// A project.
pub struct Project<'p> {
    files: Vec<ProjectFile>,
    /// Whether the files are in the order of their paths.
    is_sorted: bool,
    /// Names of files with their places, sorted.
    by_name: Vec<(String, u32)>,
    folders: BTreeSet<String>,
    /// Names of folders with their paths.
    by_folder: BTreeSet<(String, String)>,
    /// Names, the types they belong to, and the files, sorted.
    definitions: Vec<(NameId, NameId, u32)>,
    /// Types that something belongs to, sorted.
    owners: Vec<NameId>,
    endings: BTreeSet<String>,
    commands: BTreeSet<Command>,
    open: BTreeSet<&'static str>,
    /// Folders of the packages of Cargo, by their names in code.
    packages: BTreeMap<String, String>,
    departures: BTreeMap<String, Departure>,
    absent: BTreeMap<String, Absent>,
    mentions: OnceCell<Vec<Vec<u32>>>,
    load: Mentions<'p>,
    is_ignored: Box<dyn Fn(&str) -> bool + Send + 'p>,
}

fn kind_of(command: &Command) -> &'static str {
    match command {
        Command::Script(_) => "script",
        Command::Target(_) => "target",
        Command::Recipe(_) => "recipe",
        Command::Package(_) => "package",
        Command::Program(_) => "program",
        Command::Task(_) => "task",
    }
}

impl<'p> Project<'p> {
    /// Returns the project of these files. `mentions` is called at most once, when a name is defined nowhere;
    /// `is_ignored` says of a path that is not there whether the project's own files say that it is nothing of theirs.
    pub fn new(
        mut files: Vec<ProjectFile>,
        departures: BTreeMap<String, Departure>,
        mentions: Mentions<'p>,
        is_ignored: Box<dyn Fn(&str) -> bool + Send + 'p>,
    ) -> Project<'p> {
        let mut project = Project {
            files: Vec::new(),
            is_sorted: files.is_sorted_by(|a, b| a.path <= b.path),
            by_name: Vec::with_capacity(files.len()),
            folders: BTreeSet::new(),
            by_folder: BTreeSet::new(),
            definitions: Vec::new(),
            owners: Vec::new(),
            endings: BTreeSet::new(),
            commands: BTreeSet::new(),
            open: BTreeSet::new(),
            packages: BTreeMap::new(),
            departures,
            absent: BTreeMap::new(),
            mentions: OnceCell::new(),
            load: mentions,
            is_ignored,
        };
        for (at, file) in (0_u32..).zip(&mut files) {
            project.note(at, file);
        }
        project.files = files;
        project.by_name.sort_unstable();
        project.definitions.sort_unstable();
        project.owners.sort_unstable();
        project.owners.dedup();
        project
    }

    fn note(&mut self, at: u32, file: &mut ProjectFile) {
        let (folder, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
        self.by_name.push((name.to_owned(), at));
        if let Some((_, ending)) = name.rsplit_once('.')
            && !self.endings.contains(ending)
        {
            self.endings.insert(ending.to_owned());
        }
        let mut folder = folder;
        while !folder.is_empty() && self.folders.insert(folder.to_owned()) {
            let (above, name) = folder.rsplit_once('/').unwrap_or(("", folder));
            self.by_folder.insert((name.to_owned(), folder.to_owned()));
            folder = above;
        }
        for one in file.definitions.iter().flatten() {
            self.definitions.push((one.name, one.of, at));
            if one.of > NameId::BROUGHT {
                self.owners.push(one.of);
            }
        }
        if let Some(manifest) = &file.manifest {
            let is_lock = name == "Cargo.lock";
            for command in &manifest.commands {
                if let (Command::Package(package), false) = (command, is_lock) {
                    let place = file.path.strip_suffix("Cargo.toml").unwrap_or_default().trim_end_matches('/');
                    self.packages.insert(package.replace('-', "_"), place.to_owned());
                }
                if manifest.is_open {
                    self.open.insert(kind_of(command));
                }
                self.commands.insert(command.clone());
            }
        }
        let stem = name.split('.').next().unwrap_or(name);
        if file.path.contains("/bin/") || file.path.contains("examples/") || folder == "examples" {
            self.commands.insert(Command::Program(stem.to_owned()));
        }
    }

    /// Takes what the history says of files that were deleted.
    pub fn know(&mut self, departures: BTreeMap<String, Departure>) {
        self.departures.extend(departures);
    }

    /// Takes what the repository has and the work tree has not.
    pub fn know_absent(&mut self, absent: BTreeMap<String, Absent>) {
        self.absent = absent;
    }

    /// Returns whether a file or folder of this path, or of one that ends so, is there.
    pub fn has_path(&self, path: &str) -> bool {
        let path = path.trim_end_matches('/');
        !self.files_at(path).is_empty() || !self.folders_at(path).is_empty()
    }

    /// Returns the one file of code that a path names; nothing where it names several, none, or what is no code.
    pub fn code_at(&self, path: &str) -> Option<&str> {
        let [at] = self.files_at(path)[..] else { return None };
        let file = self.file(at);
        file.definitions.as_ref().map(|_| file.path.as_str())
    }

    /// Returns the number of its files.
    pub fn n_files(&self) -> usize {
        self.files.len()
    }

    pub(super) fn file(&self, at: u32) -> &ProjectFile {
        &self.files[at as usize]
    }

    /// The files that a path names: the one from the top, else those that end so.
    pub(super) fn files_at(&self, path: &str) -> Vec<u32> {
        let name = path.rsplit('/').next().unwrap_or(path);
        let named: Vec<u32> = self.files_named(name).collect();
        let exact = named.iter().copied().find(|at| self.file(*at).path == path);
        let ends = |at: &u32| self.file(*at).path.strip_suffix(path).is_some_and(|rest| rest.ends_with('/'));
        exact.map_or_else(|| named.iter().copied().filter(ends).collect(), |at| vec![at])
    }

    pub(super) fn files_named(&self, name: &str) -> impl Iterator<Item = u32> {
        let start = self.by_name.partition_point(|(one, _)| one.as_str() < name);
        self.by_name[start..].iter().take_while(move |(one, _)| one == name).map(|(_, at)| *at)
    }

    /// The folders that a path names.
    pub(super) fn folders_at(&self, path: &str) -> Vec<&str> {
        if let Some(exact) = self.folders.get(path) {
            return vec![exact];
        }
        let name = path.rsplit('/').next().unwrap_or(path).to_owned();
        let named = self.by_folder.range((name.clone(), String::new())..).take_while(|(one, _)| *one == name);
        let ends = |folder: &&str| folder.strip_suffix(path).is_some_and(|rest| rest.ends_with('/'));
        named.map(|(_, folder)| folder.as_str()).filter(ends).collect()
    }

    pub(super) fn has_folder(&self, path: &str) -> bool {
        self.folders.contains(path)
    }

    pub(super) fn has_ending(&self, ending: &str) -> bool {
        self.endings.contains(ending)
    }

    /// Whether a folder has files with an ending, at whatever depth.
    pub(super) fn has_ending_under(&self, folder: &str, ending: &str) -> bool {
        self.files_under(folder).any(|(_, file)| file.path.rsplit_once('.').is_some_and(|(_, one)| one == ending))
    }

    fn files_under(&self, folder: &str) -> impl Iterator<Item = (usize, &ProjectFile)> {
        // Sorted, what lies in a folder stands together.
        let (start, end) = match (self.is_sorted && !folder.is_empty()).then(|| format!("{folder}/")) {
            Some(prefix) => {
                let start = self.files.partition_point(|file| file.path < prefix);
                let len = self.files[start..].partition_point(|file| file.path.starts_with(&prefix));
                (start, start + len)
            }
            None => (0, self.files.len()),
        };
        let files = (start..end).map(|at| (at, &self.files[at]));
        files.filter(move |(_, file)| is_under(&file.path, folder))
    }

    /// Every definition of a name: of which type, and in which file.
    pub(super) fn definitions(&self, name: NameId) -> &[(NameId, NameId, u32)] {
        let start = self.definitions.partition_point(|(one, ..)| *one < name);
        let len = self.definitions[start..].iter().take_while(|(one, ..)| *one == name).count();
        &self.definitions[start..start + len]
    }

    /// The one file that defines a name itself.
    pub(super) fn only_definer(&self, name: NameId) -> Option<u32> {
        let mut files = self.definitions(name).iter().filter(|(_, of, _)| *of != NameId::BROUGHT).map(|(.., at)| *at);
        let first = files.next()?;
        files.all(|at| at == first).then_some(first)
    }

    pub(super) fn is_owner(&self, name: NameId) -> bool {
        self.owners.binary_search(&name).is_ok()
    }

    fn mentions(&self) -> &[Vec<u32>] {
        self.mentions.get_or_init(|| (self.load)())
    }

    pub(super) fn mentions_in(&self, at: u32, name: NameId) -> bool {
        self.mentions().get(at as usize).is_some_and(|names| names.binary_search(&name.short()).is_ok())
    }

    /// Whether the code of any file below a folder mentions a name.
    pub(super) fn mentions_under(&self, folder: &str, name: NameId) -> bool {
        let (short, mentions) = (name.short(), self.mentions());
        self.files_under(folder)
            .any(|(at, _)| mentions.get(at).is_some_and(|names| names.binary_search(&short).is_ok()))
    }

    pub(super) fn has_code(&self) -> bool {
        !self.definitions.is_empty()
    }

    pub(super) fn package(&self, name: &str) -> Option<&str> {
        self.packages.get(name).map(String::as_str)
    }

    /// Whether a command is there; `None` where the project does not say which there are.
    pub(super) fn has_command(&self, command: &Command) -> Option<bool> {
        if self.commands.contains(command) {
            return Some(true);
        }
        let kind = kind_of(command);
        let is_told = self.commands.iter().any(|one| kind_of(one) == kind);
        (is_told && !self.open.contains(kind)).then_some(false)
    }

    /// Why a file of this path, or the only one that ends so, is not in the work tree although the repository has it.
    pub(super) fn absent(&self, path: &str) -> Option<Absent> {
        let ends = |one: &&String| one.strip_suffix(path).is_some_and(|rest| rest.ends_with('/'));
        self.absent.get(path).copied().or_else(|| {
            let mut ending = self.absent.iter().filter(|(one, _)| ends(one)).map(|(_, why)| *why);
            ending.next().filter(|_| ending.next().is_none())
        })
    }

    /// What the history says of a path, or of the only deleted file of a name; nothing of what came back since.
    pub(super) fn departure(&self, path: &str) -> Option<&Departure> {
        if self.absent(path).is_some() {
            return None;
        }
        if let Some(found) = self.departures.get(path) {
            return Some(found);
        }
        if path.contains('/') {
            return None;
        }
        let is_named = |(one, _): &(&String, &Departure)| one.rsplit('/').next() == Some(path);
        let mut named = self.departures.iter().filter(is_named).map(|(_, departure)| departure);
        named.next().filter(|_| named.next().is_none())
    }

    pub(super) fn is_ignored(&self, path: &str) -> bool {
        (self.is_ignored)(path)
    }
}

pub(super) fn is_under(path: &str, folder: &str) -> bool {
    folder.is_empty() || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}
