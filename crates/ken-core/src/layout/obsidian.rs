//! An Obsidian vault: notes anywhere, linked to each other.

use super::preset::{HeaderForm, IndexForm, PLAIN_FILES, Places, Preset, Sign};

/// Notes anywhere; Obsidian's own folder is never entered.
pub(super) static PRESET: Preset = Preset {
    name: "obsidian",
    called: "an Obsidian vault",
    signs: &[Sign::File(".obsidian/app.json"), Sign::File(".obsidian/workspace.json"), Sign::Below(".obsidian")],
    is_vault: false,
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
    notes_anywhere: true,
    index: IndexForm::Rows,
    has_folders: true,
    fills_headers: false,
    header: HeaderForm::Yaml,
    spellings: &[],
    categories: &[],
    remarks: &["Notes stay where they are. What begins with a dot, `.obsidian` among it, is never entered."],
};
