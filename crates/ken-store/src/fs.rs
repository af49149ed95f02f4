//! The file operations that the store is built on.
//!
//! [`Fs`] is small on purpose: every operation is one step that a crash can fall before or after, so
//! that an in-memory file system can stop the store at each of them. Paths are absolute. Nothing
//! here knows about vaults, and no operation retries or repairs anything.

use std::borrow::Cow;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

/// What is known about one file or folder without opening it; links are not followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FsMeta {
    /// Length in bytes.
    pub len: u64,
    /// Last change, nanoseconds since 1970.
    pub mtime_ns: i64,
    /// Whether it is a folder.
    pub is_dir: bool,
    /// Whether it is a symbolic link, or anything else that is neither a plain file nor a folder.
    pub is_symlink: bool,
}

/// One name in a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FsEntry {
    /// The name, as the file system has it.
    pub name: OsString,
    /// Whether it is a folder.
    pub is_dir: bool,
    /// Whether it is a symbolic link, or anything else that is neither a plain file nor a folder.
    pub is_symlink: bool,
}

/// A lock that is held for as long as this value lives.
pub type Held = Box<dyn Send>;

/// An open file that is read piece by piece; what is read stays what was there when it was opened, also
/// when another file takes its name.
pub trait OpenFile: Send + Sync {
    /// Returns its length in bytes.
    fn len(&self) -> u64;

    /// Returns whether it has no bytes.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns `len` bytes from byte `at` on.
    ///
    /// # Errors
    /// When there are not as many, or they cannot be read.
    fn read_at(&self, at: u64, len: usize) -> io::Result<Vec<u8>>;
}

impl OpenFile for Vec<u8> {
    fn len(&self) -> u64 {
        self.as_slice().len() as u64
    }

    fn read_at(&self, at: u64, len: usize) -> io::Result<Vec<u8>> {
        let start = usize::try_from(at).unwrap_or(usize::MAX);
        let found = self.get(start..start.saturating_add(len));
        found.map(<[u8]>::to_vec).ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    }
}

/// The file operations that the store uses.
pub trait Fs: Send + Sync {
    /// Returns the whole content of a file.
    ///
    /// # Errors
    /// As the system reports them; here and below.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// Returns the whole content of a file whose length is likely `len_expected`: with it, reading takes
    /// fewer calls.
    ///
    /// # Errors
    /// When the file cannot be read.
    fn read_sized(&self, path: &Path, len_expected: u64) -> io::Result<Vec<u8>> {
        let _ = len_expected;
        self.read(path)
    }

    /// Returns a file, open to be read piece by piece.
    ///
    /// # Errors
    /// When the file cannot be opened.
    fn open(&self, path: &Path) -> io::Result<Box<dyn OpenFile>> {
        Ok(Box::new(self.read(path)?))
    }

    /// Returns the content of a file from byte `offset` to its end.
    ///
    /// # Errors
    /// When the file cannot be read.
    fn read_from(&self, path: &Path, offset: u64) -> io::Result<Vec<u8>>;

    /// Returns what is known about a path, without following a link.
    ///
    /// # Errors
    /// `NotFound` when nothing is there.
    fn metadata(&self, path: &Path) -> io::Result<FsMeta>;

    /// Returns the path with all links resolved.
    ///
    /// # Errors
    /// When nothing stands there.
    fn resolved(&self, path: &Path) -> io::Result<PathBuf> {
        Ok(path.to_path_buf())
    }

    /// Returns the names in a folder, in any order.
    ///
    /// # Errors
    /// When the folder cannot be read.
    fn list(&self, folder: &Path) -> io::Result<Vec<FsEntry>>;

    /// Creates a file with these bytes, with the permissions of `like` when that exists.
    ///
    /// # Errors
    /// `AlreadyExists` when anything stands there; after another error a part of the file may.
    fn write_new(&self, path: &Path, bytes: &[u8], like: Option<&Path>) -> io::Result<()>;

    /// Creates a file with these parts, one after the other, as [`Fs::write_new`] does; they are not put together in memory
    /// where the system takes them one by one.
    ///
    /// # Errors
    /// As [`Fs::write_new`].
    fn write_new_parts(&self, path: &Path, parts: &[Cow<'_, [u8]>], like: Option<&Path>) -> io::Result<()> {
        self.write_new(path, &parts.concat(), like)
    }

    /// Adds bytes at the end of a file, creating it when there is none.
    ///
    /// # Errors
    /// When not all could be written; some bytes may have been.
    fn append(&self, path: &Path, bytes: &[u8]) -> io::Result<()>;

    /// Makes the content of a file survive a power cut.
    ///
    /// # Errors
    /// When the device reports one.
    fn sync_file(&self, path: &Path) -> io::Result<()>;

    /// Makes the content of several files survive a power cut; a device does many at once faster than one
    /// after another.
    ///
    /// # Errors
    /// The first file that could not be made durable, by its position, with the error.
    fn sync_files(&self, paths: &[PathBuf]) -> Result<(), (usize, io::Error)> {
        paths.iter().enumerate().try_for_each(|(n, path)| self.sync_file(path).map_err(|error| (n, error)))
    }

    /// Makes the names in a folder survive a power cut.
    ///
    /// # Errors
    /// When the device reports one.
    fn sync_dir(&self, folder: &Path) -> io::Result<()>;

    /// Moves a file over `to`, in one step.
    ///
    /// # Errors
    /// When it is not moved.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Lets two files change places, in one step; returns whether this system can.
    ///
    /// # Errors
    /// `NotFound` when one of them is not there; then nothing has moved.
    fn exchange(&self, one: &Path, other: &Path) -> io::Result<bool> {
        let _ = (one, other);
        Ok(false)
    }

    /// Moves a file to a place where nothing stands.
    ///
    /// # Errors
    /// `AlreadyExists` when something does; then nothing has moved.
    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Removes a file or a link.
    ///
    /// # Errors
    /// `NotFound` when nothing is there.
    fn remove(&self, path: &Path) -> io::Result<()>;

    /// Removes a folder in which nothing is.
    ///
    /// # Errors
    /// When something is in it, or this system cannot.
    fn remove_dir(&self, folder: &Path) -> io::Result<()> {
        let _ = folder;
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Creates one folder whose parent exists.
    ///
    /// # Errors
    /// `AlreadyExists` when anything stands there.
    fn create_dir(&self, folder: &Path) -> io::Result<()>;

    /// Takes the exclusive lock on a file and writes `owner` into it, or returns `None` when someone
    /// else has it. Creates the file when there is none. The death of the process releases the lock.
    ///
    /// # Errors
    /// When the file cannot be opened for writing, or locks are not supported.
    fn try_lock(&self, path: &Path, owner: &[u8]) -> io::Result<Option<Held>>;

    /// Returns whether it is certain that no process of this number is there.
    fn is_gone(&self, _pid: u32) -> bool {
        false
    }
}
