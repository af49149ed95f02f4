//! A file system in memory that crashes on command.
//!
//! [`MemFs`] keeps two states: what running programs see, and what a power cut would leave. Writing changes
//! the first; `sync_file` carries a file's bytes over, `sync_dir` the names in one folder. The model is
//! harsher than most disks: a synced file whose folder was not synced is lost, and a rename across
//! folders is two separate changes of names. It does not reorder within what was synced, and times
//! are a counter.
//!
//! Every operation that changes something is counted, so that a test can stop at each one in turn
//! ([`MemFs::crash_at`]), look at what is left ([`MemFs::after_crash`]), and go on from there.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

use ken_core::Digest;
use ken_store::{Fs, FsEntry, FsMeta, Held};

/// What a crash takes away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    /// Nothing: everything written so far is on disk.
    Kept,
    /// Everything that was not synced: bytes and names alike.
    UnsyncedDropped,
    /// Bytes that were not synced; all names are as they were last (the classic empty file).
    UnsyncedBytesDropped,
    /// The second half of the last write, unless it was synced; otherwise as `Kept`.
    LastWriteTorn,
    /// Nothing yet: only the process died, and what is not synced may still be lost later.
    ProcessKilled,
}

impl Loss {
    /// Every kind of loss.
    pub const ALL: [Loss; 5] =
        [Loss::Kept, Loss::UnsyncedDropped, Loss::UnsyncedBytesDropped, Loss::LastWriteTorn, Loss::ProcessKilled];
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Node {
    Folder,
    File(usize),
    Link(PathBuf),
}

#[derive(Debug, Clone, Default)]
struct Inode {
    bytes: Arc<Vec<u8>>,
    synced: Arc<Vec<u8>>,
    mtime_ns: i64,
}

#[derive(Debug, Clone)]
struct Write {
    inode: usize,
    before: Arc<Vec<u8>>,
    after: Arc<Vec<u8>>,
}

#[derive(Debug, Clone, Default)]
struct State {
    inodes: Vec<Inode>,
    /// Names as programs see them, and as a power cut would leave them.
    names: BTreeMap<PathBuf, Node>,
    durable: BTreeMap<PathBuf, Node>,
    /// Times at which the names in a folder changed.
    changed: BTreeMap<PathBuf, i64>,
    last_write: Option<Write>,
    n_ops: usize,
    crash_at: Option<usize>,
    full_at: Option<usize>,
    is_down: bool,
}

/// A file system in memory; clones share it.
#[derive(Debug, Clone, Default)]
pub struct MemFs {
    state: Arc<Mutex<State>>,
    locks: Arc<Mutex<BTreeSet<PathBuf>>>,
}

/// Gives the lock back.
struct MemLock {
    path: PathBuf,
    locks: Arc<Mutex<BTreeSet<PathBuf>>>,
}

impl Drop for MemLock {
    fn drop(&mut self) {
        if let Ok(mut locks) = self.locks.lock() {
            locks.remove(&self.path);
        }
    }
}

/// Whether an operation goes ahead.
enum Gate {
    Open,
    /// The disk fills up during this write: half of it fits.
    Full,
    /// The machine stops during this operation.
    Crash,
}

impl MemFs {
    /// Returns an empty file system with the folder `root`, durably.
    pub fn new(root: &Path) -> MemFs {
        let mem = MemFs::default();
        {
            let mut state = mem.state();
            for folder in root.ancestors() {
                state.names.insert(folder.to_path_buf(), Node::Folder);
            }
            state.durable = state.names.clone();
        }
        mem
    }

    /// Returns a copy that shares nothing with this one and has no lock, count or fault.
    #[must_use]
    pub fn fork(&self) -> MemFs {
        let mut state = self.state().clone();
        (state.n_ops, state.crash_at, state.full_at, state.is_down) = (0, None, None, false);
        MemFs { state: Arc::new(Mutex::new(state)), locks: Arc::default() }
    }

    /// Puts a file there, durably and uncounted, with the folders above it.
    ///
    /// # Panics
    /// When a file stands where a folder is needed.
    pub fn plant(&self, path: &Path, bytes: &[u8]) {
        let mut state = self.state();
        for folder in path.ancestors().skip(1) {
            assert!(matches!(state.names.get(folder), None | Some(Node::Folder)), "{folder:?} is not a folder");
            state.names.insert(folder.to_path_buf(), Node::Folder);
            state.durable.insert(folder.to_path_buf(), Node::Folder);
        }
        let bytes = Arc::new(bytes.to_vec());
        let inode = state.add_inode(Inode { bytes: bytes.clone(), synced: bytes, mtime_ns: 0 });
        state.names.insert(path.to_path_buf(), Node::File(inode));
        state.durable.insert(path.to_path_buf(), Node::File(inode));
    }

    /// Puts a symbolic link there, durably and uncounted; it can be seen but leads nowhere.
    pub fn plant_link(&self, path: &Path, target: &Path) {
        let mut state = self.state();
        state.names.insert(path.to_path_buf(), Node::Link(target.to_path_buf()));
        state.durable.insert(path.to_path_buf(), Node::Link(target.to_path_buf()));
    }

    /// Returns how many changing operations were begun since the last fork or crash.
    pub fn n_ops(&self) -> usize {
        self.state().n_ops
    }

    /// Makes the `n`-th changing operation from the start (counted from 1), and everything after it, fail.
    pub fn crash_at(&self, n: usize) {
        self.state().crash_at = Some(n);
    }

    /// Makes every write from the `n`-th changing operation on fail for want of space; the first of
    /// them leaves half of its bytes.
    pub fn full_at(&self, n: usize) {
        self.state().full_at = Some(n);
    }

    /// Ends every fault that was asked for; what it did stays.
    pub fn heal(&self) {
        let mut state = self.state();
        (state.crash_at, state.full_at, state.is_down) = (None, None, false);
    }

    /// Returns the file system as it is found when the machine (or the process) is started again.
    #[must_use]
    pub fn after_crash(&self, loss: Loss) -> MemFs {
        let after = self.fork();
        after.state().lose(loss);
        after
    }

    /// Returns every file's bytes as programs see them, by path.
    pub fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let state = self.state();
        let file = |(path, node): (&PathBuf, &Node)| match node {
            Node::File(inode) => Some((path.clone(), state.inodes[*inode].bytes.to_vec())),
            Node::Folder | Node::Link(_) => None,
        };
        state.names.iter().filter_map(file).collect()
    }

    /// Returns a digest of both states; equal ones behave alike from here on, except for times.
    pub fn fingerprint(&self) -> Digest {
        let state = self.state();
        let mut text = Vec::new();
        let torn = state.last_write.as_ref();
        for (name, names) in [("seen", &state.names), ("durable", &state.durable)] {
            for (path, node) in names {
                text.extend_from_slice(format!("{name} {path:?} ").as_bytes());
                match node {
                    Node::Folder => text.extend_from_slice(b"folder"),
                    Node::Link(target) => text.extend_from_slice(format!("{target:?}").as_bytes()),
                    Node::File(inode) => {
                        // Which names share one file matters less than what each would be left with.
                        if let Some(write) = torn.filter(|write| write.inode == *inode) {
                            text.extend_from_slice(Digest::of(&write.before).as_bytes());
                            text.extend_from_slice(Digest::of(&write.after).as_bytes());
                        }
                        let inode = &state.inodes[*inode];
                        text.extend_from_slice(Digest::of(&inode.bytes).as_bytes());
                        text.extend_from_slice(Digest::of(&inode.synced).as_bytes());
                    }
                }
            }
        }
        Digest::of(&text)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no test panics while it holds the file system")
    }

    /// Returns the state for looking.
    fn look(&self) -> io::Result<MutexGuard<'_, State>> {
        let state = self.state();
        if state.is_down { Err(crashed()) } else { Ok(state) }
    }

    /// Counts a changing operation and returns the state, unless the operation is never begun.
    fn change(&self, is_write: bool) -> io::Result<(MutexGuard<'_, State>, Gate)> {
        let mut state = self.look()?;
        state.n_ops += 1;
        let n_ops = state.n_ops;
        let gate = if state.crash_at == Some(n_ops) {
            state.is_down = true;
            Gate::Crash
        } else if is_write && state.full_at.is_some_and(|at| n_ops >= at) {
            Gate::Full
        } else {
            Gate::Open
        };
        Ok((state, gate))
    }

    /// Changes something other than a file's bytes: wholly, or not at all when the machine stops.
    fn step<T>(&self, act: impl FnOnce(&mut State) -> io::Result<T>) -> io::Result<T> {
        let (mut state, gate) = self.change(false)?;
        if matches!(gate, Gate::Crash) { Err(crashed()) } else { act(&mut state) }
    }
}

impl State {
    fn add_inode(&mut self, inode: Inode) -> usize {
        self.inodes.push(inode);
        self.inodes.len() - 1
    }

    fn inode(&self, path: &Path) -> io::Result<usize> {
        match self.names.get(path) {
            Some(Node::File(inode)) => Ok(*inode),
            Some(Node::Folder) => Err(ErrorKind::IsADirectory.into()),
            Some(Node::Link(_)) => Err(io::Error::other("a link was followed")),
            None => Err(ErrorKind::NotFound.into()),
        }
    }

    /// Checks that the folder of `path` is there and notes that its names change.
    fn enter(&mut self, path: &Path) -> io::Result<()> {
        let folder = path.parent().ok_or(ErrorKind::InvalidInput)?;
        match self.names.get(folder) {
            Some(Node::Folder) => {
                self.changed.insert(folder.to_path_buf(), self.n_ops as i64);
                Ok(())
            }
            Some(_) => Err(ErrorKind::NotADirectory.into()),
            None => Err(ErrorKind::NotFound.into()),
        }
    }

    /// Writes `bytes` after `before`, as far as the gate lets it.
    fn write(&mut self, inode: usize, bytes: &[u8], gate: &Gate) -> io::Result<()> {
        let before = self.inodes[inode].bytes.clone();
        let after = Arc::new([before.as_slice(), bytes].concat());
        let half = Arc::new([before.as_slice(), &bytes[..bytes.len() / 2]].concat());
        self.last_write = Some(Write { inode, before: before.clone(), after: after.clone() });
        let (left, outcome) = match gate {
            Gate::Open => (after, Ok(())),
            Gate::Full => (half, Err(ErrorKind::StorageFull.into())),
            // How much of it got there is decided by the kind of loss.
            Gate::Crash => (before, Err(crashed())),
        };
        self.inodes[inode].bytes = left;
        self.inodes[inode].mtime_ns = self.n_ops as i64;
        outcome
    }

    fn lose(&mut self, loss: Loss) {
        match loss {
            Loss::ProcessKilled => return,
            Loss::Kept => {}
            Loss::LastWriteTorn => {
                if let Some(write) = self.last_write.take() {
                    let torn = write.before.len() + (write.after.len() - write.before.len()) / 2;
                    self.inodes[write.inode].bytes = Arc::new(write.after[..torn].to_vec());
                }
            }
            Loss::UnsyncedDropped | Loss::UnsyncedBytesDropped => {
                for inode in &mut self.inodes {
                    inode.bytes = inode.synced.clone();
                }
            }
        }
        if loss == Loss::UnsyncedDropped {
            self.names = self.durable.clone();
            // A name whose folder was lost is lost with it; parents sort before what is in them.
            let mut folders = BTreeSet::new();
            self.names.retain(|path, node| {
                let is_kept = path.parent().is_none_or(|folder| folders.contains(folder));
                if is_kept && *node == Node::Folder {
                    folders.insert(path.clone());
                }
                is_kept
            });
        }
        // After a restart, what is there is on disk.
        self.durable = self.names.clone();
        for inode in &mut self.inodes {
            inode.synced = inode.bytes.clone();
        }
        self.last_write = None;
    }
}

impl Fs for MemFs {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let state = self.look()?;
        Ok(state.inodes[state.inode(path)?].bytes.to_vec())
    }

    fn read_from(&self, path: &Path, offset: u64) -> io::Result<Vec<u8>> {
        let bytes = self.read(path)?;
        let offset = usize::try_from(offset).unwrap_or(usize::MAX).min(bytes.len());
        Ok(bytes[offset..].to_vec())
    }

    fn metadata(&self, path: &Path) -> io::Result<FsMeta> {
        let state = self.look()?;
        let node = state.names.get(path).ok_or(ErrorKind::NotFound)?;
        let (len, mtime_ns) = match node {
            Node::File(inode) => (state.inodes[*inode].bytes.len() as u64, state.inodes[*inode].mtime_ns),
            Node::Folder => (0, state.changed.get(path).copied().unwrap_or(0)),
            Node::Link(_) => (0, 0),
        };
        let (is_dir, is_symlink) = (*node == Node::Folder, matches!(node, Node::Link(_)));
        Ok(FsMeta { len, mtime_ns, is_dir, is_symlink })
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<FsEntry>> {
        let state = self.look()?;
        match state.names.get(folder) {
            Some(Node::Folder) => {}
            Some(_) => return Err(ErrorKind::NotADirectory.into()),
            None => return Err(ErrorKind::NotFound.into()),
        }
        let inside = state.names.range(folder.to_path_buf()..).take_while(|(path, _)| path.starts_with(folder));
        let entry = |(path, node): (&PathBuf, &Node)| FsEntry {
            name: path.file_name().map(OsString::from).unwrap_or_default(),
            is_dir: *node == Node::Folder,
            is_symlink: matches!(node, Node::Link(_)),
        };
        Ok(inside.filter(|(path, _)| path.parent() == Some(folder)).map(entry).collect())
    }

    fn write_new(&self, path: &Path, bytes: &[u8], _like: Option<&Path>) -> io::Result<()> {
        let (mut state, gate) = self.change(true)?;
        state.enter(path)?;
        if state.names.contains_key(path) {
            return Err(ErrorKind::AlreadyExists.into());
        }
        let inode = state.add_inode(Inode::default());
        state.names.insert(path.to_path_buf(), Node::File(inode));
        state.write(inode, bytes, &gate)
    }

    fn append(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let (mut state, gate) = self.change(!bytes.is_empty())?;
        state.enter(path)?;
        if !state.names.contains_key(path) {
            let inode = state.add_inode(Inode::default());
            state.names.insert(path.to_path_buf(), Node::File(inode));
        }
        let inode = state.inode(path)?;
        state.write(inode, bytes, &gate)
    }

    fn sync_file(&self, path: &Path) -> io::Result<()> {
        self.step(|state| {
            let inode = state.inode(path)?;
            state.inodes[inode].synced = state.inodes[inode].bytes.clone();
            state.last_write.take_if(|write| write.inode == inode);
            Ok(())
        })
    }

    fn sync_dir(&self, folder: &Path) -> io::Result<()> {
        self.step(|state| {
            if state.names.get(folder) != Some(&Node::Folder) {
                return Err(ErrorKind::NotFound.into());
            }
            let State { names, durable, .. } = state;
            durable.retain(|path, _| path.parent() != Some(folder) || names.contains_key(path));
            let inside = names.iter().filter(|(path, _)| path.parent() == Some(folder));
            durable.extend(inside.map(|(path, node)| (path.clone(), node.clone())));
            Ok(())
        })
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step(|state| {
            let inode = state.inode(from)?;
            state.enter(from)?;
            state.enter(to)?;
            if state.names.get(to) == Some(&Node::Folder) {
                return Err(ErrorKind::IsADirectory.into());
            }
            state.names.remove(from);
            state.names.insert(to.to_path_buf(), Node::File(inode));
            Ok(())
        })
    }

    fn exchange(&self, one: &Path, other: &Path) -> io::Result<bool> {
        self.step(|state| {
            let inodes = (state.inode(one)?, state.inode(other)?);
            state.enter(one)?;
            state.enter(other)?;
            state.names.insert(one.to_path_buf(), Node::File(inodes.1));
            state.names.insert(other.to_path_buf(), Node::File(inodes.0));
            Ok(true)
        })
    }

    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step(|state| {
            let inode = state.inode(from)?;
            state.enter(from)?;
            state.enter(to)?;
            if state.names.contains_key(to) {
                return Err(ErrorKind::AlreadyExists.into());
            }
            state.names.remove(from);
            state.names.insert(to.to_path_buf(), Node::File(inode));
            Ok(())
        })
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.step(|state| match state.names.get(path) {
            None => Err(ErrorKind::NotFound.into()),
            Some(Node::Folder) => Err(ErrorKind::IsADirectory.into()),
            Some(_) => {
                state.enter(path)?;
                state.names.remove(path);
                Ok(())
            }
        })
    }

    fn create_dir(&self, folder: &Path) -> io::Result<()> {
        self.step(|state| {
            if state.names.contains_key(folder) {
                return Err(ErrorKind::AlreadyExists.into());
            }
            state.enter(folder)?;
            state.names.insert(folder.to_path_buf(), Node::Folder);
            Ok(())
        })
    }

    fn try_lock(&self, path: &Path, owner: &[u8]) -> io::Result<Option<Held>> {
        let locked = |locks: &mut BTreeSet<PathBuf>| locks.insert(path.to_path_buf());
        if !locked(&mut self.locks.lock().expect("no test panics while it takes a lock")) {
            return Ok(None);
        }
        let lock = MemLock { path: path.to_path_buf(), locks: self.locks.clone() };
        self.step(|state| {
            state.enter(path)?;
            let inode = state.add_inode(Inode { bytes: Arc::new(owner.to_vec()), ..Inode::default() });
            state.names.insert(path.to_path_buf(), Node::File(inode));
            Ok(())
        })?;
        Ok(Some(Box::new(lock)))
    }
}

fn crashed() -> io::Error {
    io::Error::other("the machine has stopped")
}
