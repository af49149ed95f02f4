//! The Compiled Knowledge Pattern: a memory bank of pages with headers, and one index at its root.

use super::preset::{Files, HeaderForm, IndexForm, PLAIN_FILES, Places, Preset, Sign};

/// One folder of pages with headers and one index at its root.
pub static PRESET: Preset = Preset {
    name: "ckp",
    called: "a memory bank (CKP)",
    signs: &[Sign::File("memory-bank/_index.md"), Sign::File("knowledge/_index.md"), Sign::Below("memory-bank")],
    is_vault: true,
    bases: &[""],
    places: Places {
        wiki: "memory-bank",
        other_wikis: &["knowledge"],
        journal: "daily",
        sources: "raw",
        index: "_index.md",
        log: "log.md",
        foreign: &[],
        evidence: &[],
        state: None,
    },
    files: Files { session: &["projectbrief", "activecontext", "dailylog", "decisionlog", "progress"], ..PLAIN_FILES },
    notes_anywhere: false,
    index: IndexForm::Blocks,
    has_folders: false,
    fills_headers: true,
    header: HeaderForm::Ckp,
    spellings: &[],
    categories: &[],
    remarks: &["`ken compile` fills in what a header lacks and puts its part into `_index.md`; bodies stay."],
};
