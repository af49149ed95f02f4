//! Kenning's own: journal, sources, and a wiki by category.

use super::preset::{PLAIN, Preset};

/// Journal, sources and a wiki by category: what `ken init` makes where there is nothing else.
pub static PRESET: Preset = Preset {
    name: "kenning",
    called: "a folder of Kenning's",
    // Nothing is told from it by looking: what has its configuration is a vault already.
    is_vault: true,
    ..PLAIN
};
