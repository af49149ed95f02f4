//! Seals: how a file shows that this user's `ken` wrote it, for this vault at this place.
//!
//! A vault's files are input, those under `.kenning/` too. What is carried out from disk (an unfinished
//! change, an undo record, a job) or believed without looking (a cache) bears a seal: a keyed digest of what
//! it is for, of the vault's place, and of its bytes. The key lies in the user's state folder, never in a
//! vault, so that nobody else can make a seal, and a copied or moved vault has none that fits.
//!
//! This module makes and checks seals; what is done without one is decided where the file is read.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use ken_core::Digest;

use crate::disk::Disk;
use crate::error::StoreError;
use crate::store::{Store, tool};

/// Name of the key's file in the user's state folder.
const KEY: &str = "key";
/// Length of the key in bytes, and of a seal.
const KEY_LEN: usize = 32;
pub(crate) const SEAL_LEN: usize = 32;
/// Length of a seal in hex.
pub(crate) const SEAL_HEX_LEN: usize = 2 * SEAL_LEN;

/// The file that says which users made or accepted a vault, and where it stood then.
const ACCEPTED: &str = "accepted";
/// Most acceptances that are looked at: users and containers that share a vault.
const ACCEPTED_MAX: usize = 64;

/// The key of the user who runs the program; read, or made, when it is first needed.
#[derive(Clone)]
pub struct Keys(Arc<Source>);

struct Source {
    folder: Option<PathBuf>,
    key: OnceLock<Option<[u8; KEY_LEN]>>,
}

impl Keys {
    /// Returns the key in `folder`, which is made when there is none.
    pub fn in_folder(folder: PathBuf) -> Keys {
        Keys(Arc::new(Source { folder: Some(folder), key: OnceLock::new() }))
    }

    /// Returns no key: nothing is sealed, and nothing on disk is believed to be ours.
    pub fn none() -> Keys {
        Keys(Arc::new(Source { folder: None, key: OnceLock::from(None) }))
    }

    /// Returns this key, for tests and for who keeps keys elsewhere.
    pub fn of(key: [u8; KEY_LEN]) -> Keys {
        Keys(Arc::new(Source { folder: None, key: OnceLock::from(Some(key)) }))
    }

    /// Returns whether there is a key, or one could be made.
    pub fn is_there(&self) -> bool {
        self.key().is_some()
    }

    /// Returns the folder that the key is kept in, if it is kept in one.
    pub fn folder(&self) -> Option<&Path> {
        self.0.folder.as_deref()
    }

    fn key(&self) -> Option<&[u8; KEY_LEN]> {
        self.0.key.get_or_init(|| read_or_make(self.0.folder.as_deref()?)).as_ref()
    }
}

/// Returns the key in the folder; `None` when there is none that can be read or made. A file that is no key is
/// never replaced: every seal made with what it was would be lost.
fn read_or_make(folder: &Path) -> Option<[u8; KEY_LEN]> {
    let place = folder.join(KEY);
    let read = || fs::read(&place).ok();
    if let Some(bytes) = read() {
        return parse(&bytes);
    }
    let mut key = [0; KEY_LEN];
    getrandom::fill(&mut key).ok()?;
    make_private_folder(folder).ok()?;
    let mut name = [0; 8];
    getrandom::fill(&mut name).ok()?;
    let staged = folder.join(format!(".ken-{:016x}-key", u64::from_le_bytes(name)));
    let hex: String = key.iter().map(|byte| format!("{byte:02x}")).collect();
    let written = private_file(&staged).and_then(|mut file| {
        file.write_all(format!("{hex}\n").as_bytes())?;
        file.sync_all()
    });
    // A link and not a rename: of two processes that make a key at once, the first one's stays.
    let linked = written.and_then(|()| fs::hard_link(&staged, &place).or_else(|_| copy_new(&staged, &place)));
    let _ = fs::remove_file(&staged);
    match linked {
        Ok(()) => Some(key),
        Err(_) => parse(&read()?),
    }
}

/// For file systems without hard links.
fn copy_new(from: &Path, to: &Path) -> std::io::Result<()> {
    private_file(to)?.write_all(&fs::read(from)?)
}

fn parse(bytes: &[u8]) -> Option<[u8; KEY_LEN]> {
    Digest::parse(str::from_utf8(bytes).ok()?.trim()).map(|digest| *digest.as_bytes())
}

#[cfg(unix)]
pub(crate) fn make_private_folder(folder: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

#[cfg(not(unix))]
pub(crate) fn make_private_folder(folder: &Path) -> std::io::Result<()> {
    fs::create_dir_all(folder)
}

#[cfg(unix)]
pub(crate) fn private_file(path: &Path) -> std::io::Result<fs::File> {
    use std::os::unix::fs::OpenOptionsExt;
    fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)
}

#[cfg(not(unix))]
pub(crate) fn private_file(path: &Path) -> std::io::Result<fs::File> {
    fs::OpenOptions::new().write(true).create_new(true).open(path)
}

/// Where a file that bears a seal, or should, comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// This user's `ken` wrote it, for the vault at this place.
    Here,
    /// This user's `ken` wrote it when the vault stood at another place: it was moved or copied.
    Elsewhere(String),
    /// Nobody knows: another user or machine wrote it, an older version, or somebody planted it.
    Unknown,
}

/// Makes and checks the seals of one vault.
#[derive(Clone)]
pub(crate) struct Seals {
    keys: Keys,
    place: Arc<OnceLock<String>>,
}

impl Seals {
    pub(crate) fn new(keys: Keys) -> Seals {
        Seals { keys, place: Arc::default() }
    }

    /// Returns where the vault stands, links resolved.
    pub(crate) fn place(&self, disk: &Disk) -> &str {
        self.place.get_or_init(|| {
            let resolved = disk.fs.resolved(&disk.root).unwrap_or_else(|_| disk.root.clone());
            resolved.to_string_lossy().into_owned()
        })
    }

    /// Returns the seal of these bytes for a vault at `place`, or `None` without a key.
    pub(crate) fn of(&self, purpose: &str, place: &str, bytes: &[u8]) -> Option<Digest> {
        Some(Digest::keyed(self.keys.key()?, &[purpose.as_bytes(), place.as_bytes(), bytes]))
    }

    /// Returns where bytes come from that say they were sealed for a vault at `place`.
    pub(crate) fn origin(&self, disk: &Disk, purpose: &str, place: &str, bytes: &[u8], seal: Option<Digest>) -> Origin {
        match seal.is_some() && self.of(purpose, place, bytes) == seal {
            true if place == self.place(disk) => Origin::Here,
            true => Origin::Elsewhere(place.to_owned()),
            false => Origin::Unknown,
        }
    }
}

impl Store {
    /// Returns the seal of some bytes as hex, for a file whose form has a place for it; `None` without a key.
    /// `purpose` keeps a seal from fitting a file of another kind.
    pub fn seal(&self, purpose: &str, bytes: &[u8]) -> Option<String> {
        self.seals.of(purpose, self.seals.place(&self.disk), bytes).map(|seal| seal.to_string())
    }

    /// Returns whether [`Store::seal`] made this seal of these bytes, for the vault at this place.
    pub fn is_sealed(&self, purpose: &str, bytes: &[u8], seal: &str) -> bool {
        let place = self.seals.place(&self.disk);
        self.seals.origin(&self.disk, purpose, place, bytes, Digest::parse(seal)) == Origin::Here
    }

    /// Returns the seal of some bytes that fits wherever the vault stands, as hex; `None` without a key. It shows
    /// who wrote them, and makes digests of texts that nobody else can guess by trying.
    pub fn sign(&self, purpose: &str, bytes: &[u8]) -> Option<String> {
        self.seals.of(purpose, "", bytes).map(|seal| seal.to_string())
    }

    /// Returns whether this user made or accepted the vault at this place.
    pub fn is_accepted(&self) -> bool {
        let bytes = self.read(&tool(ACCEPTED)).ok().flatten().unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        text.lines().rev().take(ACCEPTED_MAX).any(|line| self.is_sealed(ACCEPTED, b"", line.trim()))
    }

    /// Notes that this user made or accepted the vault at this place; returns whether there is a key to note it
    /// with.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn accept(&self) -> Result<bool, StoreError> {
        let Some(seal) = self.seal(ACCEPTED, b"") else { return Ok(false) };
        if !self.is_accepted() {
            self.keep_line(ACCEPTED, &seal)?;
        }
        Ok(true)
    }

    /// Returns the user's key, as far as the store was given one.
    pub fn keys(&self) -> &Keys {
        &self.seals.keys
    }
}

impl Seals {
    /// Returns the seal that stands behind some bytes; without a key one that fits nothing.
    pub(crate) fn closing(&self, disk: &Disk, purpose: &str, bytes: &[u8]) -> Digest {
        self.of(purpose, self.place(disk), bytes).unwrap_or(Digest::from_bytes([0; SEAL_LEN]))
    }

    /// Returns bytes without the seal behind them, or `None` when it is not [`Seals::closing`] them.
    pub(crate) fn opened(&self, disk: &Disk, purpose: &str, mut closed: Vec<u8>) -> Option<Vec<u8>> {
        let (bytes, seal) = closed.split_last_chunk::<SEAL_LEN>()?;
        let seal = Some(Digest::from_bytes(*seal));
        let origin = self.origin(disk, purpose, self.place(disk), bytes, seal);
        (origin == Origin::Here).then(|| {
            closed.truncate(closed.len() - SEAL_LEN);
            closed
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_made_once_and_private() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = folder.path().join("state/kenning");
        let first = *Keys::in_folder(place.clone()).key().expect("a key");
        assert_eq!(Keys::in_folder(place.clone()).key(), Some(&first));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = |path: &Path| fs::metadata(path).expect("there").permissions().mode() & 0o777;
            assert_eq!((mode(&place), mode(&place.join(KEY))), (0o700, 0o600));
        }
        assert_eq!(fs::read_dir(&place).expect("a folder").count(), 1, "nothing else is left");
    }

    #[test]
    fn a_file_that_is_no_key_is_left_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join(KEY), "mine").expect("written");
        assert!(!Keys::in_folder(folder.path().to_owned()).is_there());
        assert_eq!(fs::read(folder.path().join(KEY)).expect("there"), b"mine");
    }

    #[test]
    fn processes_that_make_a_key_at_once_get_the_same() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = folder.path().join("kenning");
        let made: Vec<_> = std::thread::scope(|scope| {
            let one = || scope.spawn(|| *Keys::in_folder(place.clone()).key().expect("a key"));
            let threads: Vec<_> = (0..8).map(|_| one()).collect();
            threads.into_iter().map(|thread| thread.join().expect("ends")).collect()
        });
        assert!(made.iter().all(|key| *key == made[0]));
    }
}
