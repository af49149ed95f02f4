//! What is up for review: kept as the last pass found it, so that the next tells only what is new.

use ken_core::VaultPath;
use ken_core::consolidate::ReviewItem;
use ken_core::layout::TOOL_FOLDER;
use serde::{Deserialize, Serialize};

use crate::engine::Engine;
use crate::failure::Failure;

/// An item as it is kept.
#[derive(Serialize, Deserialize)]
struct Row {
    kind: String,
    about: Vec<String>,
    why: String,
}

pub(super) fn review_path() -> VaultPath {
    VaultPath::new(&format!("{TOOL_FOLDER}/review.json")).expect("a plain file name")
}

/// The text in which items are kept.
pub(super) fn review_text(items: &[ReviewItem]) -> String {
    let row =
        |one: &ReviewItem| Row { kind: one.kind.as_str().to_owned(), about: one.about.clone(), why: one.why.clone() };
    let rows: Vec<Row> = items.iter().map(row).collect();
    serde_json::to_string_pretty(&rows).map(|text| text + "\n").unwrap_or_default()
}

impl Engine {
    /// Returns what the last consolidation put up for review; what does not read is nothing.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn review(&self) -> Result<Vec<ReviewItem>, Failure> {
        let bytes = self.store.read(&review_path())?.unwrap_or_default();
        let rows: Vec<Row> = serde_json::from_slice(&bytes).unwrap_or_default();
        Ok(rows.iter().filter_map(|row| ReviewItem::read(&row.kind, &row.about, &row.why)).collect())
    }
}
