//! What became of a symbol that is named without its file.

use super::super::definitions::NameId;
use super::super::project::{Project, is_under};
use super::{DERIVED, State, elsewhere, has};

/// What begins names of the libraries that come with a language.
const LIBRARIES: &str = " std core alloc self super this cls os sys re json math time typing np pd React console Math Object Array \
    Promise document window process path fs fmt http strings errors context sync java javax kotlin System Swift Foundation boost \
    ActiveRecord Rails Foundation UIKit ";

/// Returns what became of a symbol with these parts.
pub(super) fn of_symbol(parts: &[String], is_call: bool, project: &Project<'_>) -> State {
    let Some((last, before)) = parts.split_last() else { return State::Unknown };
    let Some(owner) = before.last() else { return alone(last, project) };
    let found = Found { parts, last, name: NameId::of(last), owner, project };
    if has(LIBRARIES, &parts[0]) {
        return State::Unknown;
    }
    found
        .of_package()
        .or_else(|| found.of_type(is_call))
        .or_else(|| found.of_python(is_call))
        .or_else(|| found.of_folder())
        .or_else(|| found.of_module())
        .unwrap_or(State::Unknown)
}

/// A name that stands alone: only a telling one can be missed.
fn alone(name: &str, project: &Project<'_>) -> State {
    let id = NameId::of(name);
    if !project.definitions(id).is_empty() {
        return State::There;
    }
    let inner = name.trim_matches('_');
    let has_capital = inner.bytes().skip(1).any(|byte| byte.is_ascii_uppercase());
    let is_telling = inner.len() >= 6 && (inner.contains('_') || has_capital);
    match project.has_code() && is_telling && !project.mentions_under("", id) {
        true => State::gone(),
        false => State::Unknown,
    }
}

/// A symbol with parts, and where it is looked up.
struct Found<'a, 'p> {
    parts: &'a [String],
    last: &'a str,
    name: NameId,
    owner: &'a str,
    project: &'a Project<'p>,
}

impl Found<'_, '_> {
    fn is_defined_under(&self, folder: &str) -> bool {
        let project = self.project;
        project.definitions(self.name).iter().any(|(.., at)| is_under(&project.file(*at).path, folder))
    }

    /// Files and folders of the name of a module, in a language.
    fn modules(&self, ending: &str) -> Vec<String> {
        let project = self.project;
        let files = project.files_named(&format!("{}.{ending}", self.last)).collect::<Vec<_>>();
        let mut out: Vec<String> = files.into_iter().map(|at| project.file(at).path.clone()).collect();
        let has_code = |folder: &&str| project.has_ending_under(folder, ending);
        out.extend(project.folders_at(self.last).into_iter().filter(has_code).map(str::to_owned));
        out
    }

    /// What became of it when a place that is ours does not have it.
    fn missed(&self, ending: &str) -> State {
        let mut places = self.modules(ending);
        if places.is_empty() {
            places.extend(elsewhere(self.last, self.project));
        }
        match places.as_slice() {
            [only] => State::Moved { to: only.clone(), since: None },
            [] if self.project.definitions(self.name).is_empty() && !self.project.mentions_under("", self.name) => {
                State::gone()
            }
            _ => State::Unknown,
        }
    }

    /// `ken_core::route`, `crate::route`: of a package of Cargo.
    fn of_package(&self) -> Option<State> {
        let folder = match self.parts[0].as_str() {
            "crate" => "",
            name => self.project.package(name)?,
        };
        let is_module = self.modules("rs").iter().any(|place| is_under(place, folder) || place == folder);
        Some(match () {
            () if is_module || self.is_defined_under(folder) => State::There,
            () if self.project.mentions_under(folder, self.name) => State::Unknown,
            () => self.missed("rs"),
        })
    }

    /// `Store::apply`, `Token.Valid`, `Cart#add`: of a type that the project has.
    fn of_type(&self, is_call: bool) -> Option<State> {
        let owner = NameId::of(self.owner);
        let project = self.project;
        let is_capital = self.owner.starts_with(|ch: char| ch.is_ascii_uppercase());
        // In small letters it is as often a file, a key or a variable.
        let is_named = project.is_owner(owner) || (is_capital && !project.definitions(owner).is_empty());
        let is_type = is_named && (is_capital || is_call);
        if !is_type {
            return None;
        }
        let is_known = !project.definitions(self.name).is_empty();
        Some(match () {
            () if project.definitions(self.name).iter().any(|(_, of, _)| *of == owner) => State::There,
            // Inherited, of a trait, or under an alias.
            () if is_known || has(DERIVED, self.last) || project.mentions_under("", self.name) => State::Unknown,
            () => State::gone(),
        })
    }

    /// `app.auth.session`, of folders and files of Python.
    fn of_python(&self, is_call: bool) -> Option<State> {
        let project = self.project;
        let roots = ["", "src/", "lib/"];
        let root = roots.iter().find(|root| {
            let place = format!("{root}{}", self.parts[0]);
            let is_file = is_call && !project.files_at(&format!("{place}.py")).is_empty();
            is_file || (project.has_folder(&place) && project.has_ending_under(&place, "py"))
        })?;
        let place = |n: usize| format!("{root}{}", self.parts[..n].join("/"));
        let n = self.parts.len();
        let is_file = |place: &str| !project.files_at(&format!("{place}.py")).is_empty();
        if is_file(&place(n)) || project.has_folder(&place(n)) {
            return Some(State::There);
        }
        let above = place(n - 1);
        let entry = [format!("{above}.py"), format!("{above}/__init__.py")];
        let files: Vec<u32> = entry.iter().flat_map(|path| project.files_at(path)).collect();
        let has = |at: &u32| super::defines(project.file(*at), self.name);
        Some(match () {
            () if files.iter().any(has) => State::There,
            () if files.iter().any(|at| project.mentions_in(*at, self.name)) => State::Unknown,
            // Behind a class, or what the class was made from.
            () if files.is_empty() && !project.has_folder(&above) && n > 2 && is_file(&place(n - 2)) => State::Unknown,
            () => self.missed("py"),
        })
    }

    /// `auth.ParseToken` of a folder of Go, `com.acme.auth.Session` and `App\Auth\Session` of folders that say so.
    fn of_folder(&self) -> Option<State> {
        let project = self.project;
        let is_capital = self.last.starts_with(|ch: char| ch.is_ascii_uppercase());
        if !is_capital {
            return None;
        }
        let above = &self.parts[..self.parts.len() - 1];
        let (places, endings): (Vec<&str>, &[&str]) = match above.len() {
            1 => (project.folders_at(self.owner), &["go"]),
            _ => {
                let whole = project.folders_at(&above.join("/"));
                let inner = if whole.is_empty() { project.folders_at(&above[1..].join("/")) } else { whole };
                (inner, &["java", "kt", "scala", "php", "cs"])
            }
        };
        let is_of = |folder: &&str| endings.iter().any(|ending| project.has_ending_under(folder, ending));
        let places: Vec<&str> = places.into_iter().filter(is_of).collect();
        if places.is_empty() {
            return None;
        }
        Some(match () {
            () if places.iter().any(|folder| self.is_defined_under(folder)) => State::There,
            () if project.mentions_under("", self.name) && elsewhere(self.last, project).is_none() => State::Unknown,
            () => self.missed(endings[0]),
        })
    }

    /// `auth::login` of a module of Rust that is named without its crate.
    fn of_module(&self) -> Option<State> {
        let project = self.project;
        if !project.definitions(self.name).is_empty() {
            return Some(State::There);
        }
        let is_module = |name: &str| {
            let file = project.files_named(&format!("{name}.rs")).next().is_some();
            file || project.folders_at(name).iter().any(|folder| project.has_ending_under(folder, "rs"))
        };
        let is_rust = self.parts[..self.parts.len() - 1].iter().all(|part| is_module(part));
        is_rust.then(|| if project.mentions_under("", self.name) { State::Unknown } else { self.missed("rs") })
    }
}
