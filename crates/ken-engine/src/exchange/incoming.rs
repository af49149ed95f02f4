//! The files of an import: one that was named, or those of a folder, within bounds and without following a link.

use std::path::Path;

use ken_core::VaultPath;
use ken_exchange::Incoming;
use ken_intake::outside::{self, Standing};

use crate::failure::Failure;

/// Largest file that is read: an export of ten years of a team.
const FILE_BYTES_MAX: u64 = 1 << 30;
/// Largest file of a folder, most files, and how deep they lie.
const INNER_BYTES_MAX: u64 = 16 << 20;
const FILES_MAX: usize = 100_000;
const DEPTH_MAX: usize = 32;

/// Hidden files that say what a folder is.
const HIDDEN: &[&str] = &[".qmd/index.yml", ".qmd/index.yaml"];

/// Files with their places, and what was left out with the reason.
pub(super) type Files = (Vec<Incoming>, Vec<(String, String)>);

/// Returns the files at a place, each with its place below it.
pub(super) fn incoming(path: &Path) -> Result<Files, Failure> {
    let place = path.display().to_string();
    let mut found = (Vec::new(), Vec::new());
    match outside::standing(path).map_err(Failure::unread(&place))? {
        Standing::File(len) if len > FILE_BYTES_MAX => {
            return Err(Failure::refused(format!("`{place}` is larger than 1 GiB")).hint("nothing was changed"));
        }
        Standing::File(_) => {
            let bytes = outside::read(path).map_err(Failure::unread(&place))?;
            let name = path.file_name().and_then(|name| VaultPath::new(&name.to_string_lossy()));
            let path = name.unwrap_or_else(|| VaultPath::new("file").expect("a plain name"));
            found.0.push(Incoming { path, bytes });
        }
        Standing::Folder => {
            for name in HIDDEN {
                take_hidden((path, name), &mut found)?;
            }
            walk((path, None), DEPTH_MAX, &mut found)?;
        }
        Standing::Other => {
            return Err(Failure::refused(format!("`{place}` is neither a plain file nor a folder"))
                .hint("links are not followed; nothing was changed"));
        }
    }
    Ok(found)
}

/// Takes a hidden file that says what a folder is, where there is a plain one of modest size.
fn take_hidden((folder, name): (&Path, &str), found: &mut Files) -> Result<(), Failure> {
    let file = folder.join(name);
    let is_folder = |path: &Path| matches!(outside::standing(path), Ok(Standing::Folder));
    if file.parent().is_some_and(is_folder)
        && let Ok(Standing::File(0..=INNER_BYTES_MAX)) = outside::standing(&file)
    {
        let bytes = outside::read(&file).map_err(Failure::unread(&file.display()))?;
        found.0.push(Incoming { path: VaultPath::new(name).expect("a place of ours"), bytes });
    }
    Ok(())
}

fn walk((folder, below): (&Path, Option<&VaultPath>), depth: usize, found: &mut Files) -> Result<(), Failure> {
    // What says which files of a bundle are none of it is hidden as well.
    let ignore = folder.join(".okfignore");
    let hidden = (below.is_none() && outside::is_file(&ignore)).then_some(ignore);
    let children = outside::children(folder).map_err(Failure::unread(&folder.display()))?;
    for child in hidden.into_iter().chain(children) {
        let name = child.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let inside = below.map_or_else(|| VaultPath::new(&name), |below| below.join(&name));
        let standing = outside::standing(&child).map_err(Failure::unread(&child.display()))?;
        let why = match (standing, inside) {
            (_, None) => "its name is none that a vault can have",
            (Standing::Folder, _) if depth == 0 => "it lies too deep",
            (Standing::Folder, Some(inside)) => {
                walk((&child, Some(&inside)), depth - 1, found)?;
                continue;
            }
            (Standing::File(len), _) if len > INNER_BYTES_MAX => "it is larger than 16 MiB",
            (Standing::File(_), _) if found.0.len() >= FILES_MAX => "there are more than 100,000 files before it",
            (Standing::File(_), Some(path)) => {
                let bytes = outside::read(&child).map_err(Failure::unread(&child.display()))?;
                found.0.push(Incoming { path, bytes });
                continue;
            }
            (Standing::Other, _) => "it is not a plain file",
        };
        found.1.push((child.display().to_string(), why.to_owned()));
    }
    Ok(())
}
