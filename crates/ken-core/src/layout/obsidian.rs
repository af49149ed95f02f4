//! An Obsidian vault: notes anywhere, linked to each other.

use super::preset::{PLAIN, Preset, Sign};

/// Notes anywhere; Obsidian's own folder is never entered.
pub(super) static PRESET: Preset = Preset {
    name: "obsidian",
    called: "an Obsidian vault",
    signs: &[Sign::File(".obsidian/app.json"), Sign::File(".obsidian/workspace.json"), Sign::Below(".obsidian")],
    notes_anywhere: true,
    remarks: &["Notes stay where they are. What begins with a dot, `.obsidian` among it, is never entered."],
    ..PLAIN
};
