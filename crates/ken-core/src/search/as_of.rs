//! What a file said on an earlier day.
//!
//! A journal file is its day's. A page is what its claims cite: lines that rest on later sources are blanked,
//! which keeps every other line where it is. Who wrote what else stands on a page, and when, only its history
//! can tell: it stays.

use crate::claim::{SourceRef, footnotes};
use crate::header::FieldName;
use crate::page::{Page, parse_page};
use crate::path::VaultPath;
use crate::time::{Date, leading_date};

/// Returns the text that a page had on a day, as far as it shows, or `None` when there was no such page.
pub fn page_as_of(path: &VaultPath, text: &str, day: Date) -> Option<String> {
    let page = parse_page(path, text.to_owned()).value;
    if page.header.date(text, FieldName::Created).is_some_and(|created| created > day) {
        return None;
    }
    let notes = footnotes(text, page.body());
    let is_later = |label: &str| {
        let note = notes.iter().find(|note| note.label == label);
        let source = note.and_then(|note| SourceRef::parse(note.text.of(text)));
        source.and_then(|source| leading_date(source.path.file_name())).is_some_and(|date| date > day)
    };
    Some(kept_lines(&page, &is_later))
}

/// The text of a page without the lines whose first footnote rests on something later.
fn kept_lines(page: &Page, is_later: &dyn Fn(&str) -> bool) -> String {
    let header = page.body().start;
    let mut out = page.text[..header].to_owned();
    for line in page.text[header..].split_inclusive('\n') {
        let rests_on = line.find("[^").and_then(|at| line[at + 2..].split(']').next());
        if rests_on.is_some_and(is_later) {
            out.push_str(if line.ends_with('\n') { "\n" } else { "" });
        } else {
            out.push_str(line);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "---\ncreated: 2026-02-10\n---\n# JWT\n\n- Tokens live an hour.[^1]\n- Tokens live 15 minutes.[^2]\n\n[^1]: daily/2026-02-10.md#L3-L3 7f3a9c1e \"an hour\"\n[^2]: daily/2026-04-08.md#L9-L9 c20b11d4 \"15 minutes\"\n";

    fn on(day: &str) -> Option<String> {
        let path = VaultPath::new("knowledge/jwt.md").expect("inside");
        page_as_of(&path, PAGE, day.parse().expect("a date"))
    }

    #[test]
    fn claims_that_rest_on_later_sources_were_not_there_yet() {
        let then = on("2026-03-01").expect("it was there");
        assert!(then.contains("an hour") && !then.contains("- Tokens live 15 minutes"));
        assert_eq!(then.lines().count(), PAGE.lines().count());
        assert_eq!(on("2026-04-08").as_deref(), Some(PAGE));
        assert_eq!(on("2026-02-09"), None);
    }
}
