//! What somebody who waits for changes of a vault has to know: where they matter, and what to do about them.
//!
//! Nothing here waits. A change is no message: whoever is woken compiles what there is, and a compile of an unchanged
//! vault changes nothing. So nothing is lost by being woken once for many changes, and what a compile wrote wakes
//! whoever waits once, for nothing.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use ken_core::layout::{CONFIG_FILE, TOOL_FOLDER};
use ken_core::{Digest, VaultPath};
use ken_store::{Owner, SpoolGuard};

use crate::compile::CompileOptions;
use crate::engine::Engine;
use crate::failure::{Failure, FailureKind};
use crate::outcome::CompileOutcome;
use crate::search::Refreshed;

/// What a change may concern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Concern {
    /// What pages are made from, or the pages.
    Vault,
    /// What hooks left for a worker.
    Jobs,
}

/// The places of a vault where a change matters, as they were looked up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Watched {
    root: PathBuf,
    /// The same place without links, as some systems name it.
    real: PathBuf,
    spool: VaultPath,
    /// Files and folders, there or not.
    places: Vec<VaultPath>,
    /// Folders in which one of them stands or would stand, and those below them, as far as they are there.
    folders: Vec<PathBuf>,
    /// A digest of how all files there look.
    look: Option<Digest>,
}

impl Watched {
    /// Returns the vault's folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the folders that are there, without those below them being meant, the vault's first.
    pub fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    /// Returns whether every file looks as it did; never where it was not looked at.
    pub fn looks_like(&self, other: &Watched) -> bool {
        self.look.is_some() && self.look == other.look
    }

    /// Returns what a change of a file or folder concerns, if it matters. What is hidden, and copies that editors
    /// make beside a file, do not.
    pub fn concern(&self, changed: &Path) -> Option<Concern> {
        let inside = changed.strip_prefix(&self.root).or_else(|_| changed.strip_prefix(&self.real)).ok()?;
        if inside.as_os_str().is_empty() {
            return Some(Concern::Vault);
        }
        // A name that no place of a vault can have is none.
        let path = VaultPath::new(&inside.to_str()?.replace('\\', "/"))?;
        if path.is_under(self.spool.as_str()) {
            return (path.extension() == "json" && !path.file_name().starts_with('.')).then_some(Concern::Jobs);
        }
        let is_at = |place: &VaultPath| path == *place || place.is_under(path.as_str());
        // The folder in which the program keeps its own is gone only with the vault.
        if self.spool.is_under(path.as_str()) || self.places.iter().any(is_at) {
            return Some(Concern::Vault);
        }
        let below =
            self.places.iter().find_map(|place| path.as_str().strip_prefix(place.as_str())?.strip_prefix('/'))?;
        let is_passed_over = below.split('/').any(|part| part.starts_with('.')) || below.ends_with('~');
        (!is_passed_over).then_some(Concern::Vault)
    }
}

impl Engine {
    /// Takes the right to watch the vault: one process at a time does.
    ///
    /// # Errors
    /// When another one watches, or the vault cannot be written to.
    pub fn watch_alone(&self) -> Result<SpoolGuard, Failure> {
        let by = |owner: Option<Owner>| match owner {
            Some(Owner { pid, since: Some(since), .. }) => format!(" by pid {pid}, since {}", since.strftime("%FT%TZ")),
            Some(Owner { pid, since: None, .. }) => format!(" by pid {pid}"),
            None => String::new(),
        };
        self.store.lock_watch()?.map_err(|owner| {
            Failure::new(FailureKind::Retry, format!("this vault is watched already{}", by(owner)))
                .hint("one `ken watch` for each vault is enough; nothing was changed")
        })
    }

    /// Returns where changes matter as things are; `with_look` also looks at every file.
    ///
    /// # Errors
    /// When the vault cannot be read.
    pub fn watched(&self, with_look: bool) -> Result<Watched, Failure> {
        let layout = self.layout();
        let own = |name: &str| VaultPath::new(name).expect("a plain name stays inside");
        let spool = own(&format!("{TOOL_FOLDER}/spool"));
        let mut trees = vec![layout.wiki.clone(), layout.journal.clone(), layout.sources.clone()];
        trees.extend(layout.foreign.iter().chain(&layout.evidence).cloned());
        let mut places = vec![own(CONFIG_FILE), layout.state_page(), layout.index.clone()];
        places.extend(layout.state.clone());
        places.extend(self.sources_in_place()?);
        let (mut folders, mut files) = (BTreeSet::from([spool.clone()]), String::new());
        let mut look = |path: &VaultPath, stat: Option<(u64, i64)>| files.push_str(&format!("{path} {stat:?}\n"));
        for place in trees.iter().chain(&places) {
            folders.extend(std::iter::successors(place.parent(), VaultPath::parent));
        }
        for tree in &trees {
            // What lies behind a link is no part of the vault.
            if self.store.is_behind_link(tree) {
                continue;
            }
            folders.extend(self.store.list_dirs(tree)?.into_iter().map(|folder| folder.path));
            if with_look {
                let listed = self.store.list(tree)?.files;
                listed.iter().for_each(|file| look(&file.path, Some((file.len, file.mtime_ns))));
            }
        }
        if with_look {
            for place in places.iter().chain(&layout.evidence) {
                look(place, self.store.stat(place).ok().flatten().map(|stat| (stat.len, stat.mtime_ns)));
            }
        }
        let is_there = |folder: &VaultPath| self.store.folder_mtime(folder).is_ok_and(|mtime| mtime.is_some());
        let root = self.root().to_owned();
        let inside = folders.iter().filter(|folder| is_there(folder)).map(|folder| root.join(folder.as_str()));
        let folders = std::iter::once(root.clone()).chain(inside).collect();
        places.extend(trees);
        let real = root.canonicalize().unwrap_or_else(|_| root.clone());
        Ok(Watched { root, real, spool, places, folders, look: with_look.then(|| Digest::of(files.as_bytes())) })
    }

    /// Compiles what changed, and brings the search index up to date.
    ///
    /// # Errors
    /// As [`Engine::compile`]; the index is brought up to date all the same.
    pub fn keep_up(&self) -> Result<(CompileOutcome, Refreshed), Failure> {
        let done = self.compile(CompileOptions::default());
        let refreshed = self.refresh_index()?;
        done.map(|done| (done, refreshed))
    }
}
