//! What documents said before they were changed, as the journal tells it.
//!
//! Such a statement held until the day of its entry: what the document says in its place took that. It stands on the page of
//! the document alone, makes no page, and replaces nothing. Where the document does not say even that any more, the journal
//! alone knows of it.

use std::collections::BTreeSet;

use ken_core::journal::{Provenance, one_line};
use ken_core::markdown::{Block, BlockKind, blocks};
use ken_core::revised::Revision;
use ken_core::text::sentences;
use ken_core::words::{folded_words, stem};
use ken_core::{Span, VaultPath};

/// Longest document whose statements are compared, in bytes: a longer one is data.
const BYTES_MAX: usize = 1 << 20;
/// What two statements must share of the words of the shorter one to be the same statement, changed.
const SHARE_MIN: f32 = 0.5;

/// Returns whether an entry may tell of changed documents: a command wrote it, or a person.
pub(crate) fn may_revise(provenance: &Provenance) -> bool {
    provenance.session.is_none() && provenance.distilled.is_none()
}

/// Returns the change that an item of the journal tells.
pub(crate) fn revision(item: &str) -> Option<Revision> {
    Revision::parse(&one_line(item))
}

/// Returns what a document says otherwise than it did: what took the place of what, then what is gone. What is new it says
/// itself.
pub fn revisions(path: &VaultPath, before: &str, after: &str) -> Vec<Revision> {
    if before.len().max(after.len()) > BYTES_MAX {
        return Vec::new();
    }
    let (before, after) = (statements(before), statements(after));
    let known = |all: &[Said]| all.iter().map(|said| said.words.clone()).collect::<BTreeSet<_>>();
    let (were, are) = (known(&before), known(&after));
    let gone: Vec<&Said> = before.iter().filter(|said| !are.contains(&said.words)).collect();
    let mut new: Vec<Option<&Said>> = after.iter().filter(|said| !were.contains(&said.words)).map(Some).collect();
    let mut left: Vec<Revision> = Vec::new();
    let mut out: Vec<Revision> = Vec::new();
    for old in gone {
        let alike = new.iter().enumerate().filter_map(|(n, new)| Some((share(old, (*new)?)?, n)));
        let best = alike.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        match best.and_then(|(_, n)| new[n].take()) {
            Some(new) => out.push(Revision::of(path, &old.text, Some(&new.text))),
            None => left.push(Revision::of(path, &old.text, None)),
        }
    }
    out.extend(left);
    out.retain(|one| Some(&one.before) != one.after.as_ref());
    out
}

/// A statement of a document.
struct Said {
    text: String,
    /// Its words, and the stems of those; the heading that it stands under.
    words: Vec<String>,
    stems: BTreeSet<String>,
    section: String,
}

/// What two statements have in common of the words of the shorter one, if that is enough for one to be the other, changed.
fn share(old: &Said, new: &Said) -> Option<f32> {
    let n_shared = old.stems.intersection(&new.stems).count() as f32;
    let share = n_shared / old.stems.len().min(new.stems.len()).max(1) as f32;
    let bonus = if old.section == new.section { 0.25 } else { 0.0 };
    (share >= SHARE_MIN && n_shared > 0.0).then_some(share + bonus)
}

/// The sentences, items and rows of a document; code, headings and links alone state nothing.
fn statements(text: &str) -> Vec<Said> {
    let mut out: Vec<Said> = Vec::new();
    let mut section = String::new();
    let mut add = |text: String, section: &str| {
        let words = folded_words(&text);
        if words.len() > 1 {
            let stems = words.iter().map(|word| stem(word)).collect();
            out.push(Said { text, words, stems, section: section.to_owned() });
        }
    };
    for Block { kind, span, .. } in blocks(text, Span::new(0, text.len())) {
        let said = one_line(span.of(text));
        match kind {
            BlockKind::Heading(_) => section = said,
            BlockKind::Paragraph | BlockKind::Item => {
                sentences(&said).iter().for_each(|one| add(one.of(&said).to_owned(), &section));
            }
            BlockKind::Row => {
                let cells = said.split('|').map(str::trim).filter(|cell| cell.chars().any(char::is_alphanumeric));
                add(cells.collect::<Vec<_>>().join(": "), &section);
            }
            BlockKind::Code | BlockKind::Comment | BlockKind::Footnote => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(before: &str, after: &str, expected: &[&str]) {
        let path = VaultPath::new("raw/oven.md").expect("inside");
        let found: Vec<String> = revisions(&path, before, after).iter().map(Revision::to_string).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn what_a_document_says_otherwise_is_told_pair_by_pair() {
        let before = "# Oven\n\nBake at 220 degrees. The door is red.\n\n| day | from |\n|---|---|\n| Monday | 6:00 |\n\n- Ask Mira first.\n";
        let after = "# Oven\n\nThe door is red.\nBake at 240 degrees.\n\n| day | from |\n|---|---|\n| Monday | 5:00 |\n\n- Flour is in the shed.\n";
        check(
            before,
            after,
            &[
                "`raw/oven.md` says \"Bake at 240 degrees\" instead of \"Bake at 220 degrees\".",
                "`raw/oven.md` says \"Monday: 5:00\" instead of \"Monday: 6:00\".",
                "`raw/oven.md` no longer says \"Ask Mira first\".",
            ],
        );
    }

    #[test]
    fn what_is_only_moved_or_spelled_otherwise_did_not_change() {
        check("# A\n\nBake hot. Eat it cold.\n", "# B\n\n- Eat it **cold**.\n- Bake  hot\n", &[]);
    }
}
