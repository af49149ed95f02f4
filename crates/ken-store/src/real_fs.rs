//! The operating system's files.
//!
//! A thin layer over [`std::fs`]: one call each, no policy. Folders cannot be synced on Windows, where
//! the file system orders its own metadata; there `sync_dir` does nothing.

use std::borrow::Cow;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::UNIX_EPOCH;

use crate::fs::{Fs, FsEntry, FsMeta, Held, OpenFile};

/// The operating system's files.
#[derive(Debug, Clone, Copy, Default)]
pub struct RealFs;

/// Files that are made durable at once.
const SYNC_THREADS: usize = 8;

/// What is put together of a file's parts before it is written.
const PARTS_BYTES: usize = 256 * 1024;

/// Creates a file, with the permissions of `like` when that exists.
fn create_new(path: &Path, like: Option<&Path>) -> io::Result<File> {
    let file = OpenOptions::new().write(true).create_new(true).open(path)?;
    // A replaced private file must not become readable for others.
    if let Some(meta) = like.and_then(|like| fs::symlink_metadata(like).ok()).filter(fs::Metadata::is_file) {
        file.set_permissions(meta.permissions())?;
    }
    Ok(file)
}

/// Keeps the lock; forgets the owner's name when it ends in peace.
struct Locked(File);

impl Drop for Locked {
    fn drop(&mut self) {
        // Closing the file releases the lock; the name is only there for messages, so a failure to
        // wipe it costs at most a stale one.
        let _ = self.0.set_len(0);
    }
}

/// A file of the system with the length it had when it was opened.
struct Opened {
    file: File,
    len: u64,
}

impl OpenFile for Opened {
    fn len(&self) -> u64 {
        self.len
    }

    #[cfg(unix)]
    fn read_at(&self, at: u64, len: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; len];
        std::os::unix::fs::FileExt::read_exact_at(&self.file, &mut bytes, at)?;
        Ok(bytes)
    }

    #[cfg(windows)]
    fn read_at(&self, at: u64, len: usize) -> io::Result<Vec<u8>> {
        let (mut bytes, mut done) = (vec![0; len], 0);
        while done < len {
            match std::os::windows::fs::FileExt::seek_read(&self.file, &mut bytes[done..], at + done as u64)? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                n => done += n,
            }
        }
        Ok(bytes)
    }
}

/// Renames in a way that some systems and file systems do not have; returns whether this one does.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn move_with(from: &Path, to: &Path, flags: rustix::fs::RenameFlags) -> io::Result<bool> {
    use rustix::io::Errno;
    match rustix::fs::renameat_with(rustix::fs::CWD, from, rustix::fs::CWD, to, flags) {
        Ok(()) => Ok(true),
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP | Errno::PERM) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

impl Fs for RealFs {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        fs::read(path)
    }

    fn read_sized(&self, path: &Path, len_expected: u64) -> io::Result<Vec<u8>> {
        // Where the file is as long as expected, the first read meets its end: of a plain file it gives less
        // than there is room for only there.
        let mut bytes = vec![0; usize::try_from(len_expected).unwrap_or(0).saturating_add(1)];
        let mut file = File::open(path)?;
        let mut n_read = 0;
        while n_read < bytes.len() {
            let found = match file.read(&mut bytes[n_read..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                found => found?,
            };
            n_read += found;
            if found == 0 || n_read == bytes.len() - 1 {
                break;
            }
        }
        let is_longer = n_read == bytes.len();
        bytes.truncate(n_read);
        if is_longer {
            file.read_to_end(&mut bytes)?;
        }
        Ok(bytes)
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn OpenFile>> {
        let file = File::open(path)?;
        let len = file.metadata()?.len();
        Ok(Box::new(Opened { file, len }))
    }

    fn read_from(&self, path: &Path, offset: u64) -> io::Result<Vec<u8>> {
        let mut file = File::open(path)?;
        file.seek(SeekFrom::Start(offset))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn metadata(&self, path: &Path) -> io::Result<FsMeta> {
        let meta = fs::symlink_metadata(path)?;
        let since = meta.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let mtime_ns = since.map_or(0, |since| i64::try_from(since.as_nanos()).unwrap_or(i64::MAX));
        // A pipe or a device is left alone as a link is: reading it might never end.
        let is_symlink = !meta.is_dir() && !meta.is_file();
        Ok(FsMeta { len: meta.len(), mtime_ns, is_dir: meta.is_dir(), is_symlink })
    }

    fn resolved(&self, path: &Path) -> io::Result<PathBuf> {
        fs::canonicalize(path)
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<FsEntry>> {
        let entry = |found: io::Result<fs::DirEntry>| {
            let found = found?;
            let kind = found.file_type()?;
            Ok(FsEntry {
                name: found.file_name(),
                is_dir: kind.is_dir(),
                is_symlink: !kind.is_dir() && !kind.is_file(),
            })
        };
        fs::read_dir(folder)?.map(entry).collect()
    }

    fn write_new(&self, path: &Path, bytes: &[u8], like: Option<&Path>) -> io::Result<()> {
        create_new(path, like)?.write_all(bytes)
    }

    fn write_new_parts(&self, path: &Path, parts: &[Cow<'_, [u8]>], like: Option<&Path>) -> io::Result<()> {
        let room = parts.iter().map(|part| part.len()).sum::<usize>().min(PARTS_BYTES);
        let mut file = BufWriter::with_capacity(room, create_new(path, like)?);
        parts.iter().try_for_each(|part| file.write_all(part))?;
        file.flush()
    }

    fn append(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        OpenOptions::new().append(true).create(true).open(path)?.write_all(bytes)
    }

    fn sync_file(&self, path: &Path) -> io::Result<()> {
        // Windows flushes only through a handle that may write; Unix through any, which also serves
        // files whose permissions forbid writing.
        OpenOptions::new().read(true).write(cfg!(windows)).open(path)?.sync_all()
    }

    fn sync_files(&self, paths: &[PathBuf]) -> Result<(), (usize, io::Error)> {
        // The threads wait for the device, not for a processor; the device serves them together.
        let next = AtomicUsize::new(0);
        let work = || loop {
            let n = next.fetch_add(1, Ordering::Relaxed);
            let Some(path) = paths.get(n) else { return Ok(()) };
            self.sync_file(path).map_err(|error| (n, error))?;
        };
        if paths.len() < 2 {
            return work();
        }
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..SYNC_THREADS.min(paths.len())).map(|_| scope.spawn(work)).collect();
            workers.into_iter().try_for_each(|worker| worker.join().expect("a worker does not panic"))
        })
    }

    fn sync_dir(&self, folder: &Path) -> io::Result<()> {
        if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
    fn exchange(&self, one: &Path, other: &Path) -> io::Result<bool> {
        move_with(one, other, rustix::fs::RenameFlags::EXCHANGE)
    }

    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
        if move_with(from, to, rustix::fs::RenameFlags::NOREPLACE)? {
            return Ok(());
        }
        match fs::hard_link(from, to) {
            Ok(()) => fs::remove_file(from),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
            // A file system without links: what is put there between the two calls is not seen.
            Err(_) if fs::symlink_metadata(to).is_err() => fs::rename(from, to),
            Err(_) => Err(io::ErrorKind::AlreadyExists.into()),
        }
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn remove_dir(&self, folder: &Path) -> io::Result<()> {
        fs::remove_dir(folder)
    }

    fn create_dir(&self, folder: &Path) -> io::Result<()> {
        fs::create_dir(folder)
    }

    #[cfg(target_os = "linux")]
    fn is_gone(&self, pid: u32) -> bool {
        // Where processes are listed at all, this one is.
        Path::new("/proc/self").exists() && !Path::new("/proc").join(pid.to_string()).exists()
    }

    fn try_lock(&self, path: &Path, owner: &[u8]) -> io::Result<Option<Held>> {
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(error),
        }
        file.set_len(0)?;
        file.write_all(owner)?;
        Ok(Some(Box::new(Locked(file))))
    }
}
