//! Issues of a repository that agents work on, as the headings of the journal name them, and how they end.
//!
//! An entry belongs to an issue when its heading begins with it, `Issue 42, plan: Move the cache`: people read that, and
//! it is read back from there. Only what somebody wrote by hand, or a command for them, belongs to one: what was captured
//! from a session is called by whatever was said first.

use std::fmt;

use crate::journal::JournalEntry;
use crate::time::Date;
use crate::trust::Trust;

/// The number of an issue.
pub type Issue = u32;

/// What of an issue was written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// What is going to be done.
    Plan,
    /// What was done.
    Implement,
    /// What was said of it.
    Review,
}

impl Phase {
    /// Every phase, in order.
    pub const ALL: [Phase; 3] = [Phase::Plan, Phase::Implement, Phase::Review];

    /// Returns the word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Phase::Plan => "plan",
            Phase::Implement => "implement",
            Phase::Review => "review",
        }
    }
}

/// An issue with the phase that an entry is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stage {
    /// The issue.
    pub issue: Issue,
    /// Its phase.
    pub phase: Phase,
}

impl Stage {
    /// Returns the stage that the title of an entry names, with what the entry is called besides.
    ///
    /// ```
    /// # use ken_core::issue::{Phase, Stage};
    /// let stage = Stage { issue: 42, phase: Phase::Plan };
    /// assert_eq!(Stage::of_title("Issue 42, plan: Move the cache"), Some((stage, "Move the cache")));
    /// assert_eq!(stage.to_string(), "Issue 42, plan");
    /// assert_eq!(Stage::of_title("Issue 42, plans: Move the cache"), None);
    /// ```
    pub fn of_title(title: &str) -> Option<(Stage, &str)> {
        let (number, rest) = title.strip_prefix("Issue ")?.split_once(", ")?;
        let (phase, rest) = rest.split_once(':').map_or((rest, ""), |(phase, rest)| (phase, rest.trim_start()));
        let phase = Phase::ALL.into_iter().find(|known| known.as_str() == phase)?;
        Some((Stage { issue: parse_issue(number)?, phase }, rest))
    }

    /// Returns the title of an entry of this stage.
    pub fn title(&self, called: &str) -> String {
        format!("{self}: {called}")
    }

    /// Returns the stage that an entry is of, with what it is called besides.
    pub fn of_entry(entry: &JournalEntry) -> Option<(Stage, &str)> {
        let from = &entry.provenance;
        let is_by_hand = from.session.is_none() && from.distilled.is_none();
        let is_vouched_for = from.trust.as_deref() != Some(Trust::External.as_str());
        Stage::of_title(&entry.title).filter(|_| is_by_hand && is_vouched_for)
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Issue {}, {}", self.issue, self.phase.as_str())
    }
}

/// Returns the issue of that number, written as numbers are: `42`, also `#42`.
pub fn parse_issue(text: &str) -> Option<Issue> {
    let digits = text.strip_prefix('#').unwrap_or(text);
    let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0');
    digits.parse().ok().filter(|_| is_plain)
}

/// How an issue ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ending {
    /// What was done stayed.
    Merged,
    /// What was done was taken back.
    Reverted,
    /// Nothing came of it.
    Abandoned,
}

impl Ending {
    /// Every ending.
    pub const ALL: [Ending; 3] = [Ending::Merged, Ending::Reverted, Ending::Abandoned];

    /// Returns the word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Ending::Merged => "merged",
            Ending::Reverted => "reverted",
            Ending::Abandoned => "abandoned",
        }
    }

    /// Returns the ending of that name.
    pub fn parse(text: &str) -> Option<Ending> {
        Ending::ALL.into_iter().find(|known| known.as_str() == text)
    }
}

/// How an issue ended, and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Closed {
    /// The issue.
    pub issue: Issue,
    /// How it ended.
    pub ending: Ending,
    /// The day on which that was said.
    pub on: Date,
}

impl fmt::Display for Closed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "issue {} was {} on {}", self.issue, self.ending.as_str(), self.on)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::parse_journal;

    #[test]
    fn only_the_whole_form_names_a_stage() {
        for title in [
            "issue 42, plan: x",
            "Issue 42 plan: x",
            "Issue 42, plan x",
            "Issue 42,plan: x",
            "Issue , plan: x",
            "Issue 042, plan: x",
            "Issue +42, plan: x",
            "Issue 99999999999, plan: x",
            "About Issue 42, plan: x",
            "Issue 42, planning",
        ] {
            assert_eq!(Stage::of_title(title), None, "{title}");
        }
        let stage = Stage { issue: 7, phase: Phase::Review };
        assert_eq!(Stage::of_title("Issue 7, review"), Some((stage, "")));
        assert_eq!(Stage::of_title(&stage.title("A: b")), Some((stage, "A: b")));
    }

    #[test]
    fn what_was_captured_or_is_external_belongs_to_no_issue() {
        let of = |comment: &str| {
            let day = format!("### Session (12:00) - Issue 42, plan: Cache\n{comment}\n- Said.\n");
            Stage::of_entry(&parse_journal(&day, None).value.entries[0]).map(|(stage, _)| stage.issue)
        };
        assert_eq!(of(""), Some(42));
        assert_eq!(of("<!-- kenning: trust=user -->"), Some(42));
        assert_eq!(of("<!-- kenning: session=s1 trust=user -->"), None);
        assert_eq!(of("<!-- kenning: trust=external -->"), None);
    }
}
