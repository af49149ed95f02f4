//! How far what is quoted is trusted, by what it was made from.

use std::cell::RefCell;
use std::collections::BTreeMap;

use ken_core::agreement::Voices;
use ken_core::header::FieldName;
use ken_core::{Layout, Page, Trust, VaultPath};

use crate::engine::Engine;
use crate::failure::Failure;
use crate::ingest::Register;

/// How far pages are trusted, by what they were made from.
pub(crate) struct TrustOfPages {
    pub(crate) register: Register,
    layout: Layout,
    /// Who speaks in the days of the journal that were looked at.
    pub(crate) voices: RefCell<BTreeMap<VaultPath, Voices>>,
}

impl TrustOfPages {
    pub(crate) fn new(engine: &Engine) -> Result<TrustOfPages, Failure> {
        Ok(TrustOfPages { register: engine.register()?, layout: engine.layout().clone(), voices: RefCell::default() })
    }

    /// Returns how far a journal day, talk or a source is trusted, whatever its entries say themselves.
    pub(crate) fn of_source(&self, path: &VaultPath) -> Trust {
        let known = || self.register.get(path).map_or(Trust::User, |known| known.trust);
        if self.layout.only_grows(path) { Trust::Agent } else { known() }
    }

    /// Returns how far a page is trusted: what one external source said is marked where it stands, so only a page
    /// that rests on nothing else is external itself.
    pub(crate) fn of(&self, page: &Page) -> Trust {
        let listed = page.list(FieldName::Sources);
        let paths = listed.iter().filter_map(|source| VaultPath::new(source.split('#').next().unwrap_or(source)));
        self.of_all(paths)
    }

    /// Returns the least trust of what is not external, or external where there is nothing else.
    pub(crate) fn of_all(&self, paths: impl Iterator<Item = VaultPath>) -> Trust {
        let all: Vec<Trust> = paths.map(|path| self.of_source(&path)).collect();
        let vouched = all.iter().copied().filter(|trust| *trust != Trust::External).max();
        vouched.unwrap_or(if all.is_empty() { Trust::User } else { Trust::External })
    }
}
