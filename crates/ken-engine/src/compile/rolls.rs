//! What rolling the journal up takes from the vault.

use std::collections::BTreeSet;

use ken_compile::rollup::{Rolling, Thresholds};
use ken_core::rollup::Rolled;
use ken_core::{Category, VaultPath};

use crate::engine::Engine;
use crate::wiki::Wiki;

/// The text of a page as it stands.
type TextOf<'a> = dyn Fn(&VaultPath) -> Option<String> + 'a;

/// The vault, as far as roll-ups are made from it.
pub(super) struct Rolls<'a> {
    thresholds: Option<Thresholds>,
    folder: String,
    is_day: Box<dyn Fn(&VaultPath) -> bool + 'a>,
    is_told: Box<dyn Fn(Rolled) -> bool + 'a>,
    text_of: Box<TextOf<'a>>,
}

impl Rolls<'_> {
    /// How days are rolled up; nothing where that is off.
    pub(super) fn rolling(&self) -> Option<Rolling<'_>> {
        Some(Rolling {
            thresholds: self.thresholds?,
            folder: &self.folder,
            is_day: &self.is_day,
            is_told: &self.is_told,
            text_of: &self.text_of,
        })
    }
}

impl Engine {
    pub(super) fn rolls<'a>(&'a self, wiki: &'a Wiki) -> Rolls<'a> {
        let layout = self.layout();
        let folder = match layout.preset.has_folders {
            true => format!("{}/{}", layout.wiki, Category::Rollup.folder()),
            false => layout.wiki.to_string(),
        };
        // A page that a person or another tool wrote of the period is neither replaced nor doubled.
        let of_persons = wiki.pages().filter(|(_, sort)| !sort.is_owned);
        let of_persons: BTreeSet<Rolled> = of_persons.filter_map(|(path, _)| Rolled::parse(path.stem())).collect();
        let is_of_evidence = move |period: Rolled| {
            // As other tools write it: `2026-W10.md`.
            let file = |place: &VaultPath| place.join(&format!("{period}.md"));
            let places = layout.evidence.iter().filter_map(file);
            places.into_iter().any(|path| matches!(self.store.stat(&path), Ok(Some(_))))
        };
        Rolls {
            thresholds: self.config.rollups,
            folder,
            is_day: Box::new(move |path| layout.is_day(path)),
            is_told: Box::new(move |period| of_persons.contains(&period) || is_of_evidence(period)),
            text_of: Box::new(move |path| String::from_utf8(self.store.read(path).ok()??).ok()),
        }
    }
}
