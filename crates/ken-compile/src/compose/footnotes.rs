//! The footnotes of a page.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::VaultPath;
use ken_core::claim::SourceRef;

/// Footnotes numbered in the order of their first mark.
#[derive(Default)]
pub(super) struct Footnotes {
    cited: Vec<SourceRef>,
    /// The position of each place in `cited`.
    places: BTreeMap<(VaultPath, (usize, usize)), usize>,
}

impl Footnotes {
    /// Returns the marks of places, each once.
    pub(super) fn marks(&mut self, refs: &[&SourceRef]) -> String {
        let mut out = String::new();
        let mut marked = BTreeSet::new();
        for cited in refs {
            let n = *self.places.entry((cited.path.clone(), cited.lines)).or_insert_with(|| {
                self.cited.push((*cited).clone());
                self.cited.len() - 1
            });
            // Two claims may rest on the same lines.
            if marked.insert(n) {
                out.push_str(&format!("[^{}]", n + 1));
            }
        }
        out
    }

    /// Returns the footnotes, a line each.
    pub(super) fn render(&self) -> String {
        let line = |(n, cited): (usize, &SourceRef)| format!("[^{}]: {cited}\n", n + 1);
        let lines: String = self.cited.iter().enumerate().map(line).collect();
        if lines.is_empty() { lines } else { format!("\n{lines}") }
    }
}
