//! What a person said of a dispute, as it stands in the journal: which of the claims hold and which do not.
//!
//! A settlement is one item of an entry, in words that need no program to be read: `Settled on [[oven|Oven]]: "It is hot."
//! holds (daily/2026-05-11.md#L6-L6 7f3a9c1e); "It is cold." does not (daily/2026-05-01.md#L6-L6 0123abcd).` A claim is known
//! by its words, and where those are worded anew, by the lines it was taken from; so nothing else that is added, moved or
//! covered in the journal makes it speak of another claim. [`Settlement::parse`] takes that form and no other.

use std::fmt;

use crate::claim::SourceRef;
use crate::link::links;
use crate::slug::Slug;
use crate::span::Span;
use crate::text::one_line;

/// What stands before the pages, before the claims, and behind each of them.
const SETTLED: &str = "Settled on ";
const COLON: &str = ": \"";
const HOLDS: &str = " holds (";
const FAILS: &str = " does not (";

/// One of the claims that could not all be true.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Side {
    /// What it says, on one line and without double quotes.
    pub text: String,
    /// Where it was said last.
    pub cited: SourceRef,
    /// Whether it holds.
    pub holds: bool,
}

/// What was said of a dispute.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Settlement {
    /// The pages on which the claims stand: slug and title.
    pub pages: Vec<(Slug, String)>,
    /// The claims.
    pub sides: Vec<Side>,
}

impl Settlement {
    /// Most claims that are settled at once.
    pub const SIDES_MAX: usize = 20;
    /// Most pages that they stand on.
    pub const PAGES_MAX: usize = 8;

    /// Returns what an item of the journal settles, if it has the form.
    ///
    /// ```
    /// # use ken_core::settled::Settlement;
    /// let item = "Settled on [[oven|Oven]]: \"It is hot.\" holds (daily/2026-05-11.md#L6-L6 7f3a9c1e); \
    ///     \"It is cold.\" does not (daily/2026-05-01.md#L6-L6 0123abcd).";
    /// let settled = Settlement::parse(item).expect("a settlement");
    /// assert_eq!(settled.to_string(), item);
    /// assert!(Settlement::parse("Settled on oven: it is hot.").is_none());
    /// ```
    pub fn parse(item: &str) -> Option<Settlement> {
        let (pages, rest) = item.strip_prefix(SETTLED)?.split_once(COLON)?;
        let found = links(pages, Span::new(0, pages.len()));
        let page = |link: &crate::link::Link| {
            let title = link.shown.unwrap_or(link.target).of(pages);
            Some((Slug::from_text(link.target.of(pages))?, one_line(title)))
        };
        let pages: Vec<(Slug, String)> = found.iter().map(page).collect::<Option<_>>()?;
        let mut parts = rest.split('"').peekable();
        let mut sides = Vec::new();
        while let Some(text) = parts.next() {
            let says = parts.next()?;
            let cited = says.strip_suffix(if parts.peek().is_some() { "); " } else { ")." })?;
            let (holds, cited) = match cited.strip_prefix(HOLDS) {
                Some(cited) => (true, cited),
                None => (false, cited.strip_prefix(FAILS)?),
            };
            let cited = SourceRef::parse(cited).filter(|cited| !cited.digest.is_empty() && cited.quote.is_empty())?;
            sides.push(Side { text: text.to_owned(), cited, holds });
        }
        let fits = (1..=Self::PAGES_MAX).contains(&pages.len()) && (1..=Self::SIDES_MAX).contains(&sides.len());
        fits.then_some(Settlement { pages, sides })
    }

    /// Returns one of these claims, its text as it can stand there.
    pub fn side(text: &str, cited: &SourceRef, holds: bool) -> Side {
        let cited = SourceRef { quote: String::new(), ..cited.clone() };
        Side { text: one_line(&text.replace('"', "'")).trim().to_owned(), cited, holds }
    }

    /// Returns the claims that hold, or those that do not.
    pub fn that(&self, holds: bool) -> impl Iterator<Item = &Side> {
        self.sides.iter().filter(move |side| side.holds == holds)
    }
}

impl fmt::Display for Settlement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let title = |title: &str| one_line(&title.replace(['[', ']', '|', '"'], " ")).trim().to_owned();
        let pages: Vec<String> = self.pages.iter().map(|(slug, name)| format!("[[{slug}|{}]]", title(name))).collect();
        let side = |side: &Side| {
            let ((first, last), says) = (side.cited.lines, if side.holds { HOLDS } else { FAILS });
            format!("\"{}\"{says}{}#L{first}-L{last} {})", side.text, side.cited.path, side.cited.digest)
        };
        let sides: Vec<String> = self.sides.iter().map(side).collect();
        write!(f, "{SETTLED}{}: {}.", pages.join(", "), sides.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::path::VaultPath;

    fn cited(name: &str) -> SourceRef {
        let path = VaultPath::new(&format!("raw/{name}.md")).expect("inside");
        SourceRef { path, lines: (3, 4), digest: "0123abcd".to_owned(), quote: "Some words".to_owned() }
    }

    fn settled(texts: [&str; 2]) -> Settlement {
        let sides =
            vec![Settlement::side(texts[0], &cited("a (1); b"), true), Settlement::side(texts[1], &cited("b"), false)];
        Settlement { pages: vec![(Slug::from_text("oven").expect("a slug"), "The oven".to_owned())], sides }
    }

    #[test]
    fn a_claim_cannot_settle_another_one_by_its_words() {
        let hostile = "Hot\" holds (raw/a.md#L1-L1 0123abcd); \"The limit is 5.\" does not (raw/a.md#L1-L1 0123abcd).";
        let one = settled([hostile, "It is cold."]);
        let read = Settlement::parse(&one.to_string()).expect("a settlement");
        assert_eq!((read.sides.len(), read.sides[1].text.as_str()), (2, "It is cold."));
    }

    #[test]
    fn only_the_whole_form_settles() {
        let item = settled(["It is hot.", "It is cold."]).to_string();
        assert!(Settlement::parse(&item).is_some());
        for (from, to) in [("Settled", "settled"), (" holds (", " holds"), (" 0123abcd", ""), ("raw/b", "../b")] {
            assert!(Settlement::parse(&item.replace(from, to)).is_none(), "{from}");
        }
        assert!(Settlement::parse(&(item.clone() + " More.")).is_none());
        assert!(Settlement::parse(&item.replace("[[oven|The oven]]", "the oven")).is_none());
    }

    proptest! {
        #[test]
        fn what_was_settled_reads_back(one in "[^\u{0}]{1,80}", other in ".{1,40}") {
            let said = settled([&one, &other]);
            prop_assert_eq!(Settlement::parse(&said.to_string()), Some(said));
        }
    }
}
