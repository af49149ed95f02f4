//! Kenning's own: journal, sources, and a wiki by category.

use super::preset::{HeaderForm, IndexForm, PLAIN_FILES, Places, Preset};

/// Journal, sources and a wiki by category: what `ken init` makes where there is nothing else.
pub static PRESET: Preset = Preset {
    name: "kenning",
    called: "a folder of Kenning's",
    // Nothing is told from it by looking: what has its configuration is a vault already.
    signs: &[],
    is_vault: true,
    bases: &[""],
    places: Places {
        wiki: "knowledge",
        other_wikis: &[],
        journal: "daily",
        sources: "raw",
        index: "index.md",
        log: "log.md",
        foreign: &[],
        evidence: &[],
        state: None,
    },
    files: PLAIN_FILES,
    notes_anywhere: false,
    index: IndexForm::Rows,
    has_folders: true,
    fills_headers: false,
    header: HeaderForm::Yaml,
    spellings: &[],
    categories: &[],
    remarks: &[],
};
