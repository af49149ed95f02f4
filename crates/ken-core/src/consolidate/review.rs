//! What a person decides about, since it is not sure.

use crate::slug::Slug;
use crate::text::{cut, one_line};

/// Longest text of an item that is shown.
const SHOWN_CHARS_MAX: usize = 160;

/// Of what kind an item is, in the order in which they are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReviewKind {
    /// Two pages that may be of one thing.
    Merge,
    /// A page that may be put away, and was taken back before.
    Archive,
    /// Something that was said again and again: it may be a standing instruction.
    Rule,
    /// A question that found nothing more than once.
    Question,
    /// A name on several days that has no page.
    Name,
    /// A page with statements that are stale.
    Stale,
    /// A page to which no other leads.
    Orphan,
}

impl ReviewKind {
    /// Every kind, in order.
    pub const ALL: [ReviewKind; 7] = [
        ReviewKind::Merge,
        ReviewKind::Archive,
        ReviewKind::Rule,
        ReviewKind::Question,
        ReviewKind::Name,
        ReviewKind::Stale,
        ReviewKind::Orphan,
    ];

    /// Returns its word in records and in `--json`.
    pub fn as_str(self) -> &'static str {
        match self {
            ReviewKind::Merge => "merge",
            ReviewKind::Archive => "archive",
            ReviewKind::Rule => "rule",
            ReviewKind::Question => "question",
            ReviewKind::Name => "name",
            ReviewKind::Stale => "stale",
            ReviewKind::Orphan => "orphan",
        }
    }

    /// Returns the kind of that word.
    pub fn parse(text: &str) -> Option<ReviewKind> {
        ReviewKind::ALL.into_iter().find(|kind| kind.as_str() == text)
    }

    /// Whether it is about pages, which are named by their slugs.
    fn is_of_pages(self) -> bool {
        use ReviewKind::{Archive, Merge, Orphan, Stale};
        matches!(self, Merge | Archive | Stale | Orphan)
    }
}

/// Something that a person decides about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ReviewItem {
    /// Of what kind.
    pub kind: ReviewKind,
    /// The pages, or the text, that it is about.
    pub about: Vec<String>,
    /// By what it shows: pages, lines, days.
    pub why: String,
}

impl ReviewItem {
    /// Returns an item about a text; it is shown on one line.
    pub fn of_text(kind: ReviewKind, text: &str, why: String) -> ReviewItem {
        ReviewItem { kind, about: vec![cut(&one_line(text), SHOWN_CHARS_MAX)], why }
    }

    /// Returns an item about pages.
    pub fn of_pages(kind: ReviewKind, pages: &[&Slug], why: String) -> ReviewItem {
        ReviewItem { kind, about: pages.iter().map(ToString::to_string).collect(), why }
    }

    /// Returns an item as a record has it, which anybody may have written; none that names no pages where it must.
    pub fn read(kind: &str, about: &[String], why: &str) -> Option<ReviewItem> {
        let kind = ReviewKind::parse(kind)?;
        let named = |text: &String| Slug::from_text(text).filter(|slug| slug.as_str() == text);
        let n_wanted = if kind == ReviewKind::Merge { 2 } else { 1 };
        let is_fit = about.len() == n_wanted && (!kind.is_of_pages() || about.iter().all(|one| named(one).is_some()));
        let about = about.iter().map(|text| cut(&one_line(text), SHOWN_CHARS_MAX)).collect();
        is_fit.then(|| ReviewItem { kind, about, why: cut(&one_line(why), 2 * SHOWN_CHARS_MAX) })
    }

    /// Returns what it says, in one line without the command.
    pub fn told(&self) -> String {
        let first = self.about.first().map_or("", String::as_str);
        let why = &self.why;
        match self.kind {
            ReviewKind::Merge => {
                format!("`{first}` and `{}` may be one thing: {why}", self.about.get(1).map_or("", String::as_str))
            }
            ReviewKind::Archive => format!("`{first}` may be put away: {why}"),
            ReviewKind::Rule => format!("said again: \"{first}\" ({why})"),
            ReviewKind::Question => format!("asked without an answer: \"{first}\" ({why})"),
            ReviewKind::Name => format!("\"{first}\" has no page: {why}"),
            ReviewKind::Stale => format!("`{first}` has statements that are stale"),
            ReviewKind::Orphan => format!("no page leads to `{first}`, a page of yours"),
        }
    }

    /// Returns the command that would decide it, where there is one.
    pub fn command(&self) -> Option<String> {
        let first = self.about.first()?;
        match self.kind {
            ReviewKind::Merge => Some(format!("ken page merge {first} {}", self.about.get(1)?)),
            ReviewKind::Archive | ReviewKind::Orphan => Some(format!("ken page retire {first} --because \"…\"")),
            ReviewKind::Stale => Some(format!("ken blame {first}")),
            // A text in a command line could end the quotes that it stands in.
            ReviewKind::Rule | ReviewKind::Question | ReviewKind::Name => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_of_somebody_else_makes_no_command_of_theirs() {
        let read = |kind: &str, about: &[&str]| {
            ReviewItem::read(kind, &about.iter().map(|one| (*one).to_owned()).collect::<Vec<_>>(), "why")
        };
        assert_eq!(read("merge", &["a", "b; rm -rf ~"]), None);
        assert_eq!(read("merge", &["a"]), None);
        assert_eq!(read("orphan", &["../x"]), None);
        assert_eq!(read("run", &["a"]), None);
        let found = read("merge", &["oven", "deck-oven"]).expect("fits");
        assert_eq!(found.command().as_deref(), Some("ken page merge oven deck-oven"));
        assert_eq!(read("question", &["x\"; rm -rf ~"]).expect("a text").command(), None);
    }
}
