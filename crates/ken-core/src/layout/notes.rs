//! A folder of notes that no tool has given a form.

use super::preset::{FileForm, HeaderForm, IndexForm, PLAIN_FILES, Places, Preset, Sign};

/// Markdown files right in the folder.
pub(super) static PRESET: Preset = Preset {
    name: "notes",
    called: "a folder of notes",
    signs: &[Sign::Several("", FileForm::Note)],
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
    remarks: &["Notes stay where they are."],
};
