//! What registering has to do with forgetting: a document that was forgotten does not come in again, and a source
//! whose name held what was forgotten stays the copy of its document under another.

use std::collections::BTreeMap;
use std::path::Path;

use ken_core::{Digest, VaultPath};
use ken_intake::outside;

use super::Registered;
use super::naming::Place;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::forget::Forgotten;

impl Engine {
    /// Why a document does not come in, if it was forgotten.
    pub(crate) fn why_forgotten(
        &self,
        forgotten: &Forgotten,
        digest: Digest,
        target: &VaultPath,
        origin: Option<&str>,
    ) -> Option<String> {
        let at = self.document_forgotten(forgotten, &digest.to_string(), target, origin)?;
        let day = at.to_zoned(self.clock.zone.clone()).date();
        Some(format!("it was forgotten on {day}; `ken forget --allow`, with what named it then, lets it in again"))
    }

    /// Returns the line that registers a source under a new name, if it was registered; it stays the copy of the
    /// same document.
    pub(crate) fn registered_as(
        &self,
        old: &VaultPath,
        new: &VaultPath,
        bytes: &[u8],
    ) -> Result<Option<String>, Failure> {
        let (known, origin) = (self.register()?.remove(old), self.origin_of(old)?);
        let now = |known| Registered { digest: Digest::of(bytes), ..known };
        Ok(known.map(|known| self.register_line(new, now(known), origin)))
    }

    /// Returns what tells which document a source was copied from, if it was.
    pub(crate) fn origin_of(&self, path: &VaultPath) -> Result<Option<String>, Failure> {
        let lines = self.register_lines()?.into_iter().filter(|line| line.path == path.as_str());
        Ok(lines.filter_map(|line| line.origin).next_back())
    }

    /// Returns what tells which documents sources were copied from, by source.
    pub(crate) fn places_of_copies(&self) -> Result<BTreeMap<VaultPath, String>, Failure> {
        let known = |line: super::RegisterLine| Some((VaultPath::new(&line.path)?, line.origin?));
        Ok(self.register_lines()?.into_iter().filter_map(known).collect())
    }

    /// Returns the source that was copied from a document.
    pub(crate) fn copy_of(&self, path: &Path) -> Result<Option<VaultPath>, Failure> {
        let (Some(full), Some(root)) = (outside::resolved(path), outside::resolved(self.root())) else {
            return Ok(None);
        };
        let place = Place::of(path, path, &full, &root);
        Ok(self.shelf(&self.register()?)?.origins.remove(&place.origin))
    }
}
