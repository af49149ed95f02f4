//! What one pass did and found, for a person with a minute.

use super::review::{ReviewItem, ReviewKind};
use crate::slug::Slug;

/// Items of one kind that are told at once; the rest is counted.
const OF_KIND_MAX: usize = 5;
/// Things done besides merging that are told at once; of what is one, all is told.
const DONE_MAX: usize = 12;

/// What was done to a page.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Deed {
    /// A page became a redirect to another.
    Merged {
        /// The page that is none any longer.
        from: Slug,
        /// The page that it leads to.
        into: Slug,
        /// Why.
        why: String,
    },
    /// A page was put away.
    Archived {
        /// The page.
        slug: Slug,
        /// Why.
        why: String,
    },
    /// A page that was put away is in use again.
    Returned {
        /// The page.
        slug: Slug,
        /// Why.
        why: String,
    },
    /// The short index names other pages first.
    Sorted {
        /// How many pages it names for their use.
        n_pages: usize,
    },
}

impl Deed {
    /// Returns it in one line.
    pub fn told(&self) -> String {
        match self {
            Deed::Merged { from, into, why } => format!("Merged: `{from}` into [[{into}]]: {why}"),
            Deed::Archived { slug, why } => format!("Archived: [[{slug}]]: {why}"),
            Deed::Returned { slug, why } => format!("In use again: [[{slug}]]: {why}"),
            Deed::Sorted { n_pages } => format!("Short index: the {n_pages} pages used most come first"),
        }
    }
}

/// What one pass did and found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Diary<'d> {
    /// What was done.
    pub deeds: &'d [Deed],
    /// What was found and is told for the first time.
    pub new: &'d [ReviewItem],
    /// How much is up for review in all.
    pub n_review: usize,
    /// Pages that may be put away later.
    pub n_later: usize,
}

impl Diary<'_> {
    /// Returns what the pass came to, in a few words.
    pub fn subject(&self) -> String {
        let of = |is_it: fn(&&Deed) -> bool| self.deeds.iter().filter(is_it).count();
        let counts = [
            (of(|deed| matches!(deed, Deed::Merged { .. })), "merged"),
            (of(|deed| matches!(deed, Deed::Archived { .. })), "archived"),
            (of(|deed| matches!(deed, Deed::Returned { .. })), "in use again"),
            (self.new.len(), "new to look at"),
        ];
        let told: Vec<String> =
            counts.into_iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")).collect();
        if told.is_empty() { "what is to be looked at".to_owned() } else { told.join(", ") }
    }

    /// Returns its lines.
    pub fn lines(&self) -> Vec<String> {
        let is_merge = |deed: &&Deed| matches!(deed, Deed::Merged { .. });
        let mut out: Vec<String> = self.deeds.iter().filter(is_merge).map(Deed::told).collect();
        let rest: Vec<&Deed> = self.deeds.iter().filter(|deed| !is_merge(deed)).collect();
        out.extend(rest.iter().take(DONE_MAX).map(|deed| deed.told()));
        if rest.len() > DONE_MAX {
            out.push(format!("And {} more; `ken list --retired` has what is archived", rest.len() - DONE_MAX));
        }
        if self.n_later > 0 {
            out.push(format!("Later: {} more that may be archived", self.n_later));
        }
        for kind in ReviewKind::ALL {
            let of_kind: Vec<&ReviewItem> = self.new.iter().filter(|one| one.kind == kind).collect();
            for one in of_kind.iter().take(OF_KIND_MAX) {
                let command = one.command().map(|command| format!("; `{command}`")).unwrap_or_default();
                out.push(format!("To look at: {}{command}", one.told()));
            }
            if of_kind.len() > OF_KIND_MAX {
                let n = of_kind.len() - OF_KIND_MAX;
                out.push(format!("And {n} more of this kind; `ken consolidate --list` has all"));
            }
        }
        let n_known = self.n_review.saturating_sub(self.new.len());
        if n_known > 0 {
            out.push(format!("Told before: {n_known}; `ken consolidate --list` has all"));
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diary_is_read_in_a_minute_and_says_what_it_leaves_out() {
        let slug = |text: &str| Slug::from_text(text).expect("a slug");
        let deeds = [
            Deed::Merged { from: slug("log-book"), into: slug("logbook"), why: "spelled otherwise".to_owned() },
            Deed::Archived { slug: slug("old"), why: "last said on 2025-12-01".to_owned() },
        ];
        let orphan = |n: usize| ReviewItem::of_pages(ReviewKind::Orphan, &[&slug(&format!("p{n}"))], String::new());
        let new: Vec<ReviewItem> = (0..7).map(orphan).collect();
        let diary = Diary { deeds: &deeds, new: &new, n_review: 9, n_later: 1 };
        assert_eq!(diary.subject(), "1 merged, 1 archived, 7 new to look at");
        let lines = diary.lines();
        assert_eq!(lines.len(), 10);
        assert_eq!(lines[0], "Merged: `log-book` into [[logbook]]: spelled otherwise");
        assert_eq!(
            lines[3],
            "To look at: no page leads to `p0`, a page of yours; `ken page retire p0 --because \"…\"`"
        );
        assert_eq!(lines[8], "And 2 more of this kind; `ken consolidate --list` has all");
        assert_eq!(lines[9], "Told before: 2; `ken consolidate --list` has all");
    }
}
