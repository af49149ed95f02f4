//! Finds the documents of what a person names, and reads what they say.

use std::path::{Path, PathBuf};

use ken_core::VaultPath;
use ken_core::claim::is_citable;
use ken_core::header::read_header;
use ken_core::source::day_of;
use ken_intake::document::{self, Told};
use ken_intake::outside::{self, Standing};
use ken_intake::scrub::scrub;

use super::naming::Place;
use crate::compile::sources::UNCITABLE;
use crate::config::CONFIG_FILE;
use crate::engine::Engine;
use crate::failure::Failure;

/// A document found on the way, with where it stands or comes from.
pub(super) struct Found {
    pub(super) bytes: Vec<u8>,
    /// The place as the caller spelled it.
    pub(super) shown: String,
    pub(super) stands: Stands,
    pub(super) redactions: usize,
    /// Where it stands on this machine, if it says no day itself.
    pub(super) undated: Option<PathBuf>,
}

/// Where a document is, or will be, in the vault.
pub(super) enum Stands {
    /// It stays where it is.
    Inside(VaultPath),
    /// It is copied into the sources folder from there.
    Copied(Place),
}

/// How far a copy is from what it was made from.
struct Copied<'t> {
    text: &'t str,
    /// What its name has behind that of the document.
    ending: &'t str,
}

impl Engine {
    pub(super) fn find_documents(
        &self,
        path: &Path,
        named: &Path,
        in_place: bool,
        found: &mut Vec<Found>,
        skipped: &mut Vec<(String, String)>,
    ) -> Result<(), Failure> {
        let place = path.display().to_string();
        let standing = outside::standing(path).map_err(Failure::unread(&place))?;
        if standing == Standing::Folder {
            let children = outside::children(path).map_err(Failure::unread(&place))?;
            // Another vault's journal and pages are its own.
            let is_vault = children.iter().any(|child| child.ends_with(CONFIG_FILE));
            let is_other_vault = is_vault && outside::resolved(path) != outside::resolved(self.root());
            if is_other_vault {
                skipped.push((place, "it is a vault of its own".to_owned()));
                return Ok(());
            }
            for child in &children {
                self.find_documents(child, named, in_place, found, skipped)?;
            }
            return Ok(());
        }
        let extension = path.extension().map(|ext| ext.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
        let bytes_max = document::bytes_max(&extension);
        let why = if standing == Standing::Other {
            "it is not a plain file".to_owned()
        } else if !document::is_read(&extension) {
            document::why_not(&extension).to_owned()
        } else if standing > Standing::File(bytes_max) {
            format!("it is larger than {} MiB", bytes_max >> 20)
        } else {
            return self.take_document(path, named, in_place, found, skipped);
        };
        skipped.push((place, why));
        Ok(())
    }

    fn take_document(
        &self,
        path: &Path,
        named: &Path,
        in_place: bool,
        found: &mut Vec<Found>,
        skipped: &mut Vec<(String, String)>,
    ) -> Result<(), Failure> {
        let place = path.display().to_string();
        let bytes = outside::read(path).map_err(Failure::unread(&place))?;
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let Told { text, ending, lost } = match document::read(&name, &bytes) {
            Ok(told) => told,
            Err(why) => {
                skipped.push((place, why));
                return Ok(());
            }
        };
        let is_as_it_stands = text.as_bytes() == bytes;
        let why = match self.inside(path) {
            Some(inside) => match self.in_the_vault(&inside, in_place, is_as_it_stands, ending) {
                Ok(true) => {
                    let undated = undated(path, &text);
                    found.push(Found { bytes, shown: place, stands: Stands::Inside(inside), redactions: 0, undated });
                    return Ok(());
                }
                Ok(false) => None,
                Err(why) => Some(why),
            },
            None if in_place => Some("it is outside the vault, so it cannot stay in place"),
            None => None,
        };
        if let Some(why) = why {
            skipped.push((place, why.to_owned()));
            return Ok(());
        }
        if !lost.is_empty() {
            skipped.push((format!("{place} (in part)"), lost.join("; ")));
        }
        // What comes into the vault is scrubbed; what stands there already is not ours to change.
        found.push(self.copied(path, named, &Copied { text: &text, ending }));
        Ok(())
    }

    /// Whether a document of the vault stays where it stands; if not, it is copied.
    fn in_the_vault(
        &self,
        inside: &VaultPath,
        in_place: bool,
        is_as_it_stands: bool,
        ending: &str,
    ) -> Result<bool, &'static str> {
        let layout = self.layout();
        let is_of_pages = inside.is_under(layout.wiki.as_str()) || layout.is_page(inside) || layout.is_foreign(inside);
        let is_source = inside.is_under(layout.sources.as_str());
        if is_of_pages || layout.only_grows(inside) {
            Err("pages, journal days and talk are not sources")
        } else if !(is_citable(inside) || !in_place && !is_source) {
            Err(UNCITABLE)
        } else if is_as_it_stands {
            Ok(in_place || is_source)
        } else if in_place {
            Err("its lines can be cited in a copy only: leave out `--in-place`")
        } else if is_source && ending.is_empty() {
            Err("it is not UTF-8 text: save it as UTF-8, or name one that stands outside of the sources")
        } else {
            Ok(false)
        }
    }

    /// A document that will be copied into the vault, without its secrets.
    fn copied(&self, path: &Path, named: &Path, copied: &Copied<'_>) -> Found {
        let (clean, redactions) = scrub(copied.text);
        let full = outside::resolved(path).unwrap_or_else(|| path.to_path_buf());
        let root = outside::resolved(self.root()).unwrap_or_else(|| self.root().to_path_buf());
        let mut place = Place::of(path, named, &full, &root);
        if !copied.ending.is_empty() {
            place.beside(&self.layout().sources, copied.ending);
        }
        let shown = path.display().to_string();
        let undated = undated(path, copied.text);
        Found { bytes: clean.into_owned().into_bytes(), shown, stands: Stands::Copied(place), redactions, undated }
    }

    /// The vault path of a file that lies inside the vault.
    fn inside(&self, path: &Path) -> Option<VaultPath> {
        let root = outside::resolved(self.root())?;
        let full = outside::resolved(path)?;
        VaultPath::new(full.strip_prefix(root).ok()?.to_str()?)
    }
}

/// Where a document stands, if neither its header nor its name says of when it is.
fn undated(path: &Path, text: &str) -> Option<PathBuf> {
    let name = VaultPath::new(&path.file_name()?.to_string_lossy());
    let own = name.and_then(|name| day_of(&read_header(text).value, text, &name));
    outside::resolved(path).filter(|_| own.is_none())
}
