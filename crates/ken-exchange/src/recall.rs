//! A memory of Recall: days in `memory/`, a flat wiki in `memory/wiki/`, summaries of weeks and months.
//!
//! Days go out and come in byte for byte. A page goes out with the fields that Recall knows: its sources with their lines,
//! what it supersedes and contradicts, where it leads; one that came from Recall goes out as it stands.

mod read;
mod write;

use ken_core::{Date, VaultPath};

use crate::format::{Format, Shape, Writer};

/// A memory of Recall.
pub(crate) static RECALL: Format = Format {
    name: "recall",
    about: "a memory of Recall: days, a flat wiki, summaries of weeks and months",
    write: Some(Writer { shape: Shape::Folder, sign: "", run: write::write }),
    read: Some(read::read),
};

/// The folder of everything but the files at the root.
const MEMORY: &str = "memory";
/// The files at the root.
const ROOTS: &[&str] = &["WISDOM.md", "DREAMS.md", "IDENTITY.md"];
/// How memories of a type are called, which Recall kept before it had pages.
const TYPED: &[&str] = &["user_", "feedback_", "project_", "reference_"];
/// Folders whose files tell days again.
const AGAIN: &[&str] = &["weekly", "monthly"];

/// What a file of a memory is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    Day(Date),
    Page,
    Index,
    Summary,
    Document,
}

/// What a file is whose place begins at the root of a memory, `memory/wiki/jwt.md`.
fn what(place: &VaultPath) -> Option<What> {
    if place.extension() != "md" {
        return None;
    }
    if ROOTS.contains(&place.as_str()) {
        return Some(What::Document);
    }
    let parts: Vec<&str> = place.as_str().split('/').collect();
    match parts.as_slice() {
        [MEMORY, name] => match day_of(name) {
            Some(date) => Some(What::Day(date)),
            None => TYPED.iter().any(|typed| name.starts_with(typed)).then_some(What::Page),
        },
        [MEMORY, "wiki", "index.md"] => Some(What::Index),
        [MEMORY, "wiki", _] => Some(What::Page),
        [MEMORY, folder, _] if AGAIN.contains(folder) => Some(What::Summary),
        _ => place.is_under("memory/dreams").then_some(What::Document),
    }
}

/// The day that a file is called by; dates have one spelling in names of files.
fn day_of(name: &str) -> Option<Date> {
    let date: Date = name.strip_suffix(".md")?.parse().ok()?;
    (name == format!("{date}.md")).then_some(date)
}
