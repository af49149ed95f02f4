//! What a folder looks like before it is a vault.

use ken_core::{Layout, Preset, VaultPath};

/// What a folder looks like before it is a vault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Survey {
    /// The layout that it would have.
    pub layout: Layout,
    /// Whether it is a vault already.
    pub is_vault: bool,
    /// Whether it shows signs of the layout; without, nothing in it says how it is to be used.
    pub is_seen: bool,
    /// Other families that it shows signs of.
    pub others: Vec<&'static Preset>,
    /// Where something stands that would be used.
    pub places: Vec<Place>,
}

/// A place that would be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// What for.
    pub purpose: Purpose,
    /// The file or folder.
    pub path: VaultPath,
    /// How many files of it.
    pub n_files: usize,
}

/// What a place would be used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Pages of the vault.
    Pages,
    /// Pages of another tool.
    Foreign,
    /// Days of the journal.
    Days,
    /// Documents.
    Sources,
    /// What is searched and makes no pages.
    Evidence,
}

impl Purpose {
    /// Returns the word for it in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Purpose::Pages => "pages",
            Purpose::Foreign => "foreign",
            Purpose::Days => "days",
            Purpose::Sources => "sources",
            Purpose::Evidence => "evidence",
        }
    }
}
