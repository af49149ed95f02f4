//! What documents said before they were changed, as the journal tells it.
//!
//! Such a statement held until the day of its entry: what the document says in its place took that. It stands on the page of
//! the document alone, makes no page, and replaces nothing. Where the document does not say even that any more, the journal
//! alone knows of it.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::journal::{Provenance, one_line};
use ken_core::markdown::{Block, BlockKind, blocks};
use ken_core::revised::Revision;
use ken_core::text::{leans_back, sentences};
use ken_core::words::{folded_words, stem};
use ken_core::{Span, VaultPath};

/// Longest document whose statements are compared, in bytes: a longer one is data.
const BYTES_MAX: usize = 1 << 20;
/// Most pairs of statements that are compared: of a document that says everything otherwise nobody knows what took which place.
const PAIRS_MAX: usize = 1_000_000;
/// Most sentences that stand before one which says nothing alone.
const JOINED_MAX: usize = 3;
/// What two statements must share of the words of the shorter one to be the same statement, changed.
const SHARE_MIN: f32 = 0.5;
/// What it counts that both stand under the same heading.
const SAME_SECTION: f32 = 0.25;

/// Returns whether an entry may tell of changed documents: a command wrote it, or a person.
pub fn may_revise(provenance: &Provenance) -> bool {
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
    let (before, after) = (Document::read(before), Document::read(after));
    let is_in = |said: &Said, all: &Document| all.has(&said.sentences);
    let gone: Vec<&Said> = before.said.iter().filter(|said| !is_in(said, &after)).collect();
    let mut new: Vec<Option<&Said>> = after.said.iter().filter(|said| !is_in(said, &before)).map(Some).collect();
    if gone.len().saturating_mul(new.len()) > PAIRS_MAX {
        new.clear();
    }
    let (mut out, mut left): (Vec<Revision>, Vec<Revision>) = (Vec::new(), Vec::new());
    for old in gone {
        let alike = new.iter().enumerate().filter_map(|(n, new)| Some((share(old, (*new)?)?, n)));
        let best = alike.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        match best.and_then(|(_, n)| new[n].take()) {
            // A row with one more column says what it said.
            Some(new) if is_row_of(&old.text, &new.text) => {}
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
    /// The words of each of its sentences, and the stems of all of them.
    sentences: Vec<Vec<String>>,
    stems: BTreeSet<String>,
    /// The heading that it stands under.
    section: String,
}

/// What two statements have in common of the words of the shorter one, if that is enough for one to be the other, changed.
fn share(old: &Said, new: &Said) -> Option<f32> {
    let n_shared = old.stems.intersection(&new.stems).count() as f32;
    let share = n_shared / old.stems.len().min(new.stems.len()).max(1) as f32;
    let bonus = if old.section == new.section { SAME_SECTION } else { 0.0 };
    (share >= SHARE_MIN && n_shared > 0.0).then_some(share + bonus)
}

/// What a document states.
#[derive(Default)]
struct Document {
    said: Vec<Said>,
    /// The words of its sentences in their order, each once, and those of which one follows the other.
    sentences: BTreeSet<Vec<String>>,
    pairs: BTreeSet<[Vec<String>; 2]>,
    /// How often each stands there, whatever numbers it names.
    times: BTreeMap<Vec<String>, usize>,
}

impl Document {
    /// The sentences, items and rows of a document; code, headings and links alone state nothing.
    fn read(text: &str) -> Document {
        let mut texts: Vec<(String, Vec<Span>, String)> = Vec::new();
        let mut section = String::new();
        for Block { kind, span, .. } in blocks(text, Span::new(0, text.len())) {
            let said = one_line(span.of(text));
            let (said, spans) = match kind {
                BlockKind::Heading(_) => {
                    section = said;
                    continue;
                }
                BlockKind::Paragraph | BlockKind::Item => (said.clone(), sentences(&said)),
                BlockKind::Row => {
                    let row = cells(&said).join(CELLS);
                    (row.clone(), vec![Span::new(0, row.len())])
                }
                BlockKind::Code | BlockKind::Comment | BlockKind::Footnote => continue,
            };
            texts.push((said, spans, section.clone()));
        }
        let mut out = Document::default();
        let words = texts.iter().flat_map(|(text, spans, _)| spans.iter().map(|span| folded_words(span.of(text))));
        let words: Vec<Vec<String>> = words.collect();
        words.iter().for_each(|words| *out.times.entry(without_numbers(words)).or_default() += 1);
        out.pairs = words.windows(2).map(|two| [two[0].clone(), two[1].clone()]).collect();
        out.sentences = words.into_iter().collect();
        for (text, spans, section) in &texts {
            out.add(text, spans, section);
        }
        out
    }

    /// Whether some sentences stand there, one behind the other.
    fn has(&self, sentences: &[Vec<String>]) -> bool {
        let mut pairs = sentences.windows(2).map(|two| [two[0].clone(), two[1].clone()]);
        sentences.iter().all(|words| self.sentences.contains(words)) && pairs.all(|pair| self.pairs.contains(&pair))
    }

    /// Adds the sentences of a text; one that says nothing alone, since others say the same, with what stands before it.
    fn add(&mut self, text: &str, spans: &[Span], section: &str) {
        let (mut first, mut is_open) = (0, false);
        for (n, span) in spans.iter().enumerate() {
            let words = folded_words(span.of(text));
            let leans = leans_back(span.of(text)) || self.times.get(&without_numbers(&words)) > Some(&1);
            if !leans || n == 0 || n - first == JOINED_MAX {
                (first, is_open) = (n, false);
            }
            let sentences: Vec<Vec<String>> = spans[first..=n].iter().map(|span| folded_words(span.of(text))).collect();
            if sentences.iter().flatten().count() < 2 {
                continue;
            }
            if std::mem::replace(&mut is_open, true) {
                self.said.pop();
            }
            let text = Span::new(spans[first].start, span.end).of(text).to_owned();
            let stems = sentences.iter().flatten().map(|word| stem(word)).collect();
            self.said.push(Said { text, sentences, stems, section: section.to_owned() });
        }
    }
}

/// What stands between two cells of a row, as in the table itself.
const CELLS: &str = " | ";

fn cells(row: &str) -> Vec<&str> {
    let cells = row.trim().trim_matches('|').split('|').map(str::trim);
    cells.filter(|cell| cell.chars().any(char::is_alphanumeric)).collect()
}

/// Whether a row has all the cells of another one, in their order.
fn is_row_of(old: &str, new: &str) -> bool {
    let mut new = new.split(CELLS);
    old.contains(CELLS) && old.split(CELLS).all(|cell| new.any(|other| other == cell))
}

/// Words of which those with digits are all the same.
fn without_numbers(words: &[String]) -> Vec<String> {
    let has_digit = |word: &String| word.contains(|ch: char| ch.is_ascii_digit());
    words.iter().map(|word| if has_digit(word) { "#".to_owned() } else { word.clone() }).collect()
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
                "`raw/oven.md` says \"Monday | 5:00\" instead of \"Monday | 6:00\".",
                "`raw/oven.md` no longer says \"Ask Mira first\".",
            ],
        );
    }

    #[test]
    fn what_says_nothing_alone_is_told_with_what_stands_before_it() {
        check(
            "- Loaves in the oven. The default is 3.\n- Trays in the rack. The default is 3.\n",
            "- Loaves in the oven. The default is 3.\n- Trays in the rack. The default is 7.\n",
            &[
                "`raw/oven.md` says \"Trays in the rack. The default is 7\" instead of \"Trays in the rack. The default is 3\".",
            ],
        );
    }

    #[test]
    fn a_document_that_says_everything_otherwise_is_told_in_bounded_time() {
        let path = VaultPath::new("raw/oven.md").expect("inside");
        let text = |word: &str| (0..20_000).map(|n| format!("{word}{n} bakes. All rest. ")).collect::<String>();
        let found = revisions(&path, &text("Ada"), &text("Ben"));
        assert!(!found.is_empty() && found.iter().all(|one| one.after.is_none()));
    }

    #[test]
    fn what_is_only_moved_or_spelled_otherwise_did_not_change() {
        check("# A\n\nBake hot. Eat it cold.\n", "# B\n\n- Eat it **cold**.\n- Bake  hot\n", &[]);
    }
}
