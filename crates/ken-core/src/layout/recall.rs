//! Recall: days, roll-ups of weeks and months, a flat wiki, and what was learnt.

use super::preset::{FileForm, Files, PLAIN, PLAIN_FILES, PLAIN_PLACES, Places, Preset, Sign};
use crate::header::name::FieldName;
use crate::page::category::Category;

/// Days in `memory/`, pages in `memory/wiki/`.
pub(super) static PRESET: Preset = Preset {
    name: "recall",
    called: "a memory of Recall",
    signs: &[
        Sign::All(&[Sign::Has("memory/wiki", FileForm::Markdown), Sign::Has("memory", FileForm::Day)]),
        Sign::All(&[Sign::File("WISDOM.md"), Sign::Has("memory", FileForm::Day)]),
        Sign::Says("memory/wiki/index.md", "type: wiki-index"),
    ],
    // Its own default folder is `memory`, in which it makes another of that name.
    bases: &["", "memory/"],
    places: Places {
        journal: "memory",
        foreign: &["memory/wiki"],
        evidence: &["memory/weekly", "memory/monthly", "memory/dreams", "WISDOM.md", "DREAMS.md", "IDENTITY.md"],
        // The folder is Recall's; what was done to it is told where no tool of theirs looks.
        log: "/.kenning/log.md",
        ..PLAIN_PLACES
    },
    files: Files {
        indexes: &["index.md"],
        in_journal: &["user_", "feedback_", "project_", "reference_"],
        days_are_dated: true,
        ..PLAIN_FILES
    },
    spellings: &[
        (FieldName::Related, "related", "RELATED"),
        (FieldName::Supersedes, "supersedes", "SUPERSEDES"),
        (FieldName::Grounding, "grounding", "GROUNDING"),
    ],
    categories: &[("user", Category::Entity), ("feedback", Category::Concept)],
    remarks: &[
        "`ken compile` makes pages of its own in `knowledge/`, of what no page of Recall's says already.",
        "Roll-ups, WISDOM.md and DREAMS.md are searched and make no pages: they tell the days again.",
        "`ken export recall DIR` writes a copy of it with what `ken` has learnt besides.",
    ],
    ..PLAIN
};
