//! Entries as the bytes that are appended.
//!
//! What is written can be read back: titles, provenance and sections survive, each value as one line.

use std::fmt::Write as _;

use super::sanitize::{self, one_line};
use super::{Provenance, SectionKind};
use crate::time::Date;

/// An entry to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewEntry {
    /// What the entry is called.
    pub title: String,
    /// Local hour and minute.
    pub time: (u8, u8),
    /// Where it came from.
    pub provenance: Provenance,
    /// What it says; empty sections are not written.
    pub sections: Vec<(SectionKind, Vec<String>)>,
}

/// Returns the text that a new day starts with.
pub fn day_preamble(date: Date) -> String {
    format!("# Daily Log: {date}\n\n## Sessions\n")
}

/// Returns the bytes that add an entry to a file whose last line is complete.
///
/// They start with a blank line, so that appending blindly is well formed.
pub fn render_entry(entry: &NewEntry) -> String {
    let mut out = String::from("\n### Session (");
    let _ = write!(out, "{:02}:{:02})", entry.time.0, entry.time.1);
    let title = sanitize::title(&entry.title);
    if !title.is_empty() {
        let _ = write!(out, " - {title}");
    }
    out.push('\n');
    if let Some(comment) = entry.provenance.render() {
        out.push_str(&comment);
        out.push('\n');
    }
    for (kind, items) in &entry.sections {
        let items: Vec<String> = items.iter().map(|item| one_line(item)).filter(|item| !item.is_empty()).collect();
        render_section(&mut out, *kind, &items);
    }
    out
}

/// Returns the bytes that add an entry to a file whose last line has no line end.
pub fn render_entry_after_open_line(entry: &NewEntry) -> String {
    format!("\n{}", render_entry(entry))
}

fn render_section(out: &mut String, kind: SectionKind, items: &[String]) {
    match items {
        [] => {}
        [only] if kind == SectionKind::Context => {
            let _ = write!(out, "\n**{}:** {only}\n", kind.label());
        }
        _ => {
            let bullet = if kind == SectionKind::ActionItems { "- [ ] " } else { "- " };
            let _ = write!(out, "\n**{}:**\n", kind.label());
            for item in items {
                let _ = writeln!(out, "{bullet}{item}");
            }
        }
    }
}
