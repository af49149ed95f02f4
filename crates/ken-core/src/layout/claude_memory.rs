//! The four-layer memory: an index that is always loaded, and topic files that are loaded on demand.

use super::preset::{FileForm, Files, HeaderForm, IndexForm, PLAIN_FILES, Places, Preset, Sign};

/// `MEMORY.md` and topic files in `.claude/memory/`.
pub(super) static PRESET: Preset = Preset {
    name: "claude-memory",
    called: "a memory folder of Claude (MEMORY.md and topic files)",
    signs: &[Sign::File(".claude/memory/MEMORY.md"), Sign::Has(".claude/memory", FileForm::Markdown)],
    is_vault: false,
    bases: &[""],
    places: Places {
        wiki: "knowledge",
        other_wikis: &[],
        journal: "daily",
        sources: "raw",
        index: "index.md",
        log: "log.md",
        foreign: &[".claude/memory"],
        evidence: &["progress.md"],
        state: None,
    },
    files: Files { indexes: &["MEMORY.md"], ..PLAIN_FILES },
    notes_anywhere: false,
    index: IndexForm::Rows,
    has_folders: true,
    fills_headers: false,
    header: HeaderForm::Yaml,
    spellings: &[],
    categories: &[],
    remarks: &[
        "What MEMORY.md says of a topic file is its sentence in routes; pointers to nothing are found by `ken lint`.",
    ],
};
