//! An empty folder for a program to run in.
//!
//! It is made for one call, for nobody else to look into, and taken away with whatever was left in it. Its
//! name is the same from call to call, as far as calls at the same time allow: agents tell the model where they
//! are, and a name that changes would change the beginning of every prompt, which is what caches go by. The
//! vault is not written to.

use std::fs::DirBuilder;
use std::io;
use std::path::{Path, PathBuf};

/// How many names are tried: more than there are calls at the same time and folders left by a crash.
const NAMES: u32 = 1_000;

/// How the folders are called, before their number.
const NAME: &str = "ken-model-";

/// Returns whether a folder is one that a program runs in for a prompt, or lies in one: what is said there is
/// nobody's session.
pub fn is_scratch(folder: &Path) -> bool {
    let is_one = |name: &str| {
        let number = name.strip_prefix(NAME).unwrap_or_default();
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    };
    folder.components().any(|part| part.as_os_str().to_str().is_some_and(is_one))
}

/// A folder that goes when this does.
#[derive(Debug)]
pub(crate) struct EmptyFolder(PathBuf);

impl EmptyFolder {
    pub(crate) fn inside(parent: &Path) -> io::Result<EmptyFolder> {
        let mut builder = DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        for n in 0..NAMES {
            let path = parent.join(format!("{NAME}{n}"));
            // Never one that is there already: somebody else may have put it there, with something in it.
            match builder.create(&path) {
                Ok(()) => return Ok(EmptyFolder(path)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::new(io::ErrorKind::AlreadyExists, "every name is taken"))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for EmptyFolder {
    fn drop(&mut self) {
        remove_folder(&self.0);
    }
}

/// Removes a folder that was made for a call.
pub(crate) fn remove_folder(path: &Path) {
    // What cannot be removed lies where the system removes things.
    let _ = std::fs::remove_dir_all(path);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_of_a_prompt_is_told_by_its_name() {
        for (folder, is) in [
            ("/tmp/ken-model-0", true),
            ("/home/u/tmp/ken-model-12/deep", true),
            ("/tmp/ken-model-", false),
            ("/tmp/ken-model-x1", false),
            ("/srv/ken-models-1", false),
        ] {
            assert_eq!(is_scratch(Path::new(folder)), is, "{folder}");
        }
    }
}
