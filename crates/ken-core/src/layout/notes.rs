//! A folder of notes that no tool has given a form.

use super::preset::{FileForm, PLAIN, Preset, Sign};

/// Markdown files right in the folder.
pub(super) static PRESET: Preset = Preset {
    name: "notes",
    called: "a folder of notes",
    signs: &[Sign::Several("", FileForm::Note)],
    notes_anywhere: true,
    remarks: &["Notes stay where they are."],
    ..PLAIN
};
