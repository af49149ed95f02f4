//! The Compiled Knowledge Pattern: a memory bank of pages with headers, and one index at its root.

use super::preset::{Files, HeaderForm, IndexForm, PLAIN, PLAIN_FILES, PLAIN_PLACES, Places, Preset, Sign};

/// One folder of pages with headers and one index at its root.
pub static PRESET: Preset = Preset {
    name: "ckp",
    called: "a memory bank (CKP)",
    signs: &[Sign::File("memory-bank/_index.md"), Sign::File("knowledge/_index.md"), Sign::Below("memory-bank")],
    is_vault: true,
    places: Places {
        wiki: "memory-bank",
        other_wikis: &["knowledge"],
        index: "_index.md",
        log: "/.kenning/log.md",
        ..PLAIN_PLACES
    },
    files: Files {
        session: &["projectbrief", "activeContext", "dailyLog", "decisionLog", "progress"],
        starts: &["projectbrief", "activeContext"],
        ..PLAIN_FILES
    },
    index: IndexForm::Blocks,
    has_folders: false,
    fills_headers: true,
    header: HeaderForm::Ckp,
    remarks: &[
        "`ken compile` fills in what a header lacks, and classifies relations anew where a text changed; bodies stay.",
        "It puts its part into `_index.md`; what stands around it stays.",
    ],
    ..PLAIN
};
