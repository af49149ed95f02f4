//! An empty folder for a program to run in.
//!
//! It is made for one call, for nobody else to look into, and taken away with whatever was left in it. The
//! vault is not written to.

use std::fs::DirBuilder;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// How many names are tried; others of this process's number died long ago.
const TRIES: u32 = 1_000;

/// A folder that goes when this does.
#[derive(Debug)]
pub(super) struct EmptyFolder(PathBuf);

impl EmptyFolder {
    pub(super) fn inside(parent: &Path) -> io::Result<EmptyFolder> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let mut builder = DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        for _ in 0..TRIES {
            let n = NEXT.fetch_add(1, Ordering::Relaxed);
            let path = parent.join(format!("ken-model-{}-{n}", std::process::id()));
            // Never one that is there already: somebody else may have put it there, with something in it.
            match builder.create(&path) {
                Ok(()) => return Ok(EmptyFolder(path)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::new(io::ErrorKind::AlreadyExists, "every name is taken"))
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for EmptyFolder {
    fn drop(&mut self) {
        // What cannot be removed lies where the system removes things.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
