//! The four-layer memory: an index that is always loaded, and topic files that are loaded on demand.

use super::preset::{FileForm, Files, PLAIN, PLAIN_FILES, PLAIN_PLACES, Places, Preset, Sign};

/// `MEMORY.md` and topic files in `.claude/memory/`.
pub(super) static PRESET: Preset = Preset {
    name: "claude-memory",
    called: "a memory folder of Claude (MEMORY.md and topic files)",
    signs: &[Sign::File(".claude/memory/MEMORY.md"), Sign::Has(".claude/memory", FileForm::Markdown)],
    places: Places {
        foreign: &[".claude/memory"],
        evidence: &["progress.md"],
        log: "/.kenning/log.md",
        ..PLAIN_PLACES
    },
    files: Files { indexes: &["MEMORY.md"], ..PLAIN_FILES },
    remarks: &[
        "What MEMORY.md says of a topic file is its sentence in routes; pointers to nothing are found by `ken lint`.",
    ],
    ..PLAIN
};
