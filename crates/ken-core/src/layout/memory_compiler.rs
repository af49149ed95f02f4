//! claude-memory-compiler: days compiled by a model into pages, with a table of them.

use super::preset::{FileForm, Files, IndexForm, PLAIN, PLAIN_FILES, PLAIN_PLACES, Places, Preset, Sign};
use crate::header::name::FieldName;

/// Days in `daily/`, pages in `knowledge/`, one table of all pages.
pub(super) static PRESET: Preset = Preset {
    name: "memory-compiler",
    called: "a knowledge base of claude-memory-compiler",
    signs: &[
        Sign::Says("knowledge/index.md", "| Compiled From |"),
        Sign::All(&[Sign::File("scripts/state.json"), Sign::Has("daily", FileForm::Day)]),
    ],
    places: Places {
        // `knowledge/log.md` is the other compiler's.
        log: "/.kenning/log.md",
        evidence: &["knowledge/log.md"],
        state: Some("scripts/state.json"),
        ..PLAIN_PLACES
    },
    files: Files { indexes: &["index.md"], ..PLAIN_FILES },
    index: IndexForm::Table,
    is_adoptable: true,
    spellings: &[
        (FieldName::Related, "connects", "CONNECTS"),
        (FieldName::Related, "consulted", "CONSULTED"),
        (FieldName::Created, "filed", "FILED"),
    ],
    remarks: &[
        "A day that `scripts/state.json` says is compiled makes no pages beside those it was compiled into.",
        "`ken compile` keeps the table of `knowledge/index.md`: a row for each page that it makes, yours byte for byte.",
        "Its pages stay as they are until `ken adopt` takes them over as pages that grow with new days.",
        "Its hooks write down each session, too: `ken install claude-code --replace-hooks` takes them out.",
    ],
    ..PLAIN
};
