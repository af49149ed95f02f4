//! Pieces that several commands' JSON is made of.
//!
//! Core types are not serialised: each command has a struct of its own, converted by hand, and its
//! field names are promises.

use ken_core::{Slug, VaultPath};
use serde::Serialize;

/// A file that was left out.
#[derive(Debug, Serialize)]
pub(crate) struct Skipped<'a> {
    path: &'a str,
    reason: &'a str,
}

/// Returns the files that were left out.
pub(crate) fn skipped(pairs: &[(String, String)]) -> Vec<Skipped<'_>> {
    pairs.iter().map(|(path, reason)| Skipped { path, reason }).collect()
}

/// Returns slugs as text.
pub(crate) fn slugs(slugs: &[Slug]) -> Vec<&str> {
    slugs.iter().map(Slug::as_str).collect()
}

/// Returns places as text.
pub(crate) fn paths(paths: &[VaultPath]) -> Vec<&str> {
    paths.iter().map(VaultPath::as_str).collect()
}

/// Returns a place outside the vault as text.
pub(crate) fn place(path: &std::path::Path) -> String {
    path.display().to_string()
}
