//! Documents that nobody would write.

use proptest::prelude::*;

use super::*;

proptest! {
    #[test]
    fn any_document_is_read(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..40)) {
        let text = pieces.concat();
        for name in ["raw/a.md", "raw/oven/README.md", "raw/a.html"] {
            let entry = read(name, &text);
            let n_lines = text.lines().count();
            let is_inside = |passage: &Passage| (1..=n_lines).contains(&passage.lines.0) && passage.lines.1 <= n_lines;
            prop_assert!(entry.passages.iter().all(is_inside), "{:?}", text);
        }
    }
}

/// What documents are written with, whole and torn.
const PIECES: &[&str] = &[
    "<h1",
    "</h1>",
    ">",
    "<",
    "# ",
    "## ",
    "[",
    "]:",
    "](",
    "[hub]",
    "[hub]: https://hub.example\n",
    "(",
    ")",
    "`",
    "**",
    "| a | b |\n",
    "|---|---|\n",
    "{{",
    "}}",
    "{%",
    "%}",
    "1. ",
    "- ",
    "\n",
    "\n\n",
    "    ",
    "=== \"Linux\"\n",
    "```\n",
    ":",
    "?",
    ".",
    "é",
    "ß",
    " (",
    "The oven is hot",
    "This ",
    "If yes, ",
    "Find it here",
    "here",
    "Example",
    "1.4.2",
    "!!! note\n",
    "![",
    "<!--",
    "-->",
];
