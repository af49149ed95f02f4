//! The disputes of a compiled page: which of its claims cannot all be true, as the page says it.
//!
//! Reads what stands under Disputed and nothing else; a comment parts one dispute from the next. What is done about them is
//! up to a person: see [`crate::settled`].

use crate::claim::SourceRef;
use crate::page::Page;
use crate::page::outline::{DISPUTED, What, is_between_disputes, is_struck, rows};
use crate::span::LineIndex;
use crate::text::cut;
use crate::time::{Date, leading_date};
use crate::trust::EXTERNAL_CLAIM;

/// Claims that cannot all be true.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Dispute {
    /// Them, in the order of the page.
    pub claims: Vec<DisputedClaim>,
}

/// One of the claims.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DisputedClaim {
    /// First and last line on the page, from 1.
    pub lines: (usize, usize),
    /// What it says, without marks and links.
    pub text: String,
    /// Where it was said, the last first.
    pub cited: Vec<SourceRef>,
    /// Whether only external sources say it.
    pub is_external: bool,
    /// Whether somebody struck it.
    pub is_struck: bool,
}

impl DisputedClaim {
    fn days(&self) -> impl Iterator<Item = Date> {
        self.cited.iter().filter_map(|cited| leading_date(cited.path.file_name()))
    }

    /// Returns the day on which it was said last, if its files name one.
    pub fn day(&self) -> Option<Date> {
        self.days().max()
    }
}

impl Dispute {
    /// Returns the day from which on two of its claims had been said.
    pub fn since(&self) -> Option<Date> {
        let mut first: Vec<Date> = self.claims.iter().filter_map(|claim| claim.days().min()).collect();
        first.sort();
        first.get(1).copied()
    }

    /// Returns what is told of one of its claims where the others are not seen: that it is disputed, and what they say.
    pub fn beside(&self, n: usize) -> String {
        let others = self.claims.iter().enumerate().filter(|(other, _)| *other != n);
        let said = others.map(|(_, other)| cut(other.text.trim_end_matches('.').trim(), BESIDE_CHARS_MAX));
        let said: Vec<String> = said.filter(|text| !text.is_empty()).take(BESIDE_MAX).collect();
        if said.is_empty() { "disputed".to_owned() } else { format!("disputed; also said: {}", said.join(" / ")) }
    }
}

/// Claims that are named beside one that they dispute, and the longest of them in characters.
const BESIDE_MAX: usize = 2;
const BESIDE_CHARS_MAX: usize = 120;

/// Returns whether a text may have disputes, at the cost of one look at it.
pub fn may_dispute(text: &str) -> bool {
    memchr::memmem::find(text.as_bytes(), DISPUTED.as_bytes()).is_some()
}

/// Returns the disputes of a page, in order.
///
/// ```
/// # use ken_core::{VaultPath, dispute::disputes, page::parse_page};
/// let path = VaultPath::new("knowledge/oven.md").expect("a vault path");
/// let text = "---\nowner: kenning\n---\n# Oven\n\n## Disputed\n\n- It is hot.\n- It is cold.\n";
/// let found = disputes(&parse_page(&path, text.to_owned()).value);
/// assert_eq!((found.len(), found[0].claims[1].text.as_str()), (1, "It is cold."));
/// ```
pub fn disputes(page: &Page) -> Vec<Dispute> {
    if !page.is_owned() || !may_dispute(&page.text) {
        return Vec::new();
    }
    let lines = LineIndex::new(&page.text);
    let is_between =
        |(first, last)| lines.lines(first, last).is_some_and(|span| is_between_disputes(span.of(&page.text)));
    let mut out = Vec::new();
    let mut open = Dispute::default();
    for row in rows(page, None) {
        match row.what {
            What::Claim(claim) if claim.heading == DISPUTED => {
                let said = claim.span.of(&page.text);
                open.claims.push(DisputedClaim {
                    lines: row.lines,
                    is_external: said.contains(EXTERNAL_CLAIM),
                    is_struck: is_struck(said),
                    cited: claim.own.iter().chain(&claim.by).filter_map(|mark| mark.cited.clone()).collect(),
                    text: claim.text,
                });
            }
            What::Heading => out.push(std::mem::take(&mut open)),
            What::Comment if is_between(row.lines) => out.push(std::mem::take(&mut open)),
            _ => {}
        }
    }
    out.push(open);
    out.retain(|dispute| !dispute.claims.is_empty());
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::parse_page;
    use crate::path::VaultPath;

    fn of(body: &str) -> Vec<Dispute> {
        let path = VaultPath::new("knowledge/oven.md").expect("inside");
        let text = format!("---\nowner: kenning\n---\n# Oven\n\nIt bakes.\n\n{body}");
        disputes(&parse_page(&path, text).value)
    }

    #[test]
    fn comments_part_disputes_and_headings_end_them() {
        let found = of(
            "## Disputed\n\n- It is hot.[^1]\n\n<!-- mine -->\n\n- ~~It is cold.~~[^2][^3]\n\n<!-- another dispute -->\n\n- Red.\n- Blue *(external)*.\n\n\
             ## Related\n\n- [[a|A]]: often named together\n\n[^1]: daily/2026-05-11.md#L3-L3\n[^2]: daily/2026-05-12.md#L3-L3\n[^3]: daily/2026-05-01.md#L3-L3\n",
        );
        let texts = |dispute: &Dispute| dispute.claims.iter().map(|claim| claim.text.clone()).collect::<Vec<_>>();
        assert_eq!(found.iter().map(texts).collect::<Vec<_>>(), [["It is hot.", "It is cold."], ["Red.", "Blue."]]);
        assert_eq!(found[0].since().map(|day| day.to_string()).as_deref(), Some("2026-05-11"));
        assert_eq!(found[0].claims[1].day().map(|day| day.to_string()).as_deref(), Some("2026-05-12"));
        assert!(found[0].claims[1].is_struck && found[1].claims[1].is_external);
    }

    #[test]
    fn a_page_of_a_person_has_none() {
        let path = VaultPath::new("knowledge/oven.md").expect("inside");
        let text = "# Oven\n\n## Disputed\n\n- It is hot.\n- It is cold.\n".to_owned();
        assert!(disputes(&parse_page(&path, text).value).is_empty());
    }
}
