//! Pieces that several commands' JSON is made of.
//!
//! Core types are not serialised: each command has a struct of its own, converted by hand, and its
//! field names are promises.

use ken_core::agreement::Agreement;
use ken_core::{Slug, VaultPath};
use ken_engine::outcome::ThinReading;
use serde::Serialize;

/// How often and when a claim was said.
#[derive(Debug, Serialize)]
pub(crate) struct Said {
    confirmed: usize,
    first_said: Option<String>,
    last_said: Option<String>,
}

impl Said {
    pub(crate) fn of(agreement: &Agreement) -> Said {
        let Agreement { confirmed, first_said, last_said } = agreement;
        let day = |day: &Option<ken_core::Date>| day.map(|day| day.to_string());
        Said { confirmed: *confirmed, first_said: day(first_said), last_said: day(last_said) }
    }
}

/// How many claims are borne out.
#[derive(Debug, Serialize)]
pub(crate) struct Grounding {
    grounded: usize,
    unverified: usize,
    stale: usize,
}

impl Grounding {
    pub(crate) fn of(counts: &ken_core::lint::Grounding) -> Grounding {
        let ken_core::lint::Grounding { grounded, unverified, stale } = *counts;
        Grounding { grounded, unverified, stale }
    }
}

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

/// A reply of a model that says far less than was extracted, which therefore stays.
#[derive(Debug, Serialize)]
pub(crate) struct Thin<'a> {
    path: &'a str,
    lines: (usize, usize),
    read: usize,
    extracted: usize,
}

/// Returns those replies.
pub(crate) fn thin(all: &[ThinReading]) -> Vec<Thin<'_>> {
    let mut out = Vec::with_capacity(all.len());
    for ThinReading { path, lines, n_read, n_extracted } in all {
        out.push(Thin { path: path.as_str(), lines: *lines, read: *n_read, extracted: *n_extracted });
    }
    out
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
