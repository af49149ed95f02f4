//! How often something was said, by whom independently, and what a reader is told of that.
//!
//! A claim is confirmed by what bears it out besides the first: another day, another session or issue of the same day,
//! another document. What one session, or one issue, says twice on a day, it says once. Nothing of this stands in a file: it is counted from the
//! citations whenever a page is read, and [`tag`] takes today as a value.

use std::collections::BTreeSet;

use crate::claim::{Claim, ClaimState, SourceRef};
use crate::issue::Stage;
use crate::journal::{JournalEntry, parse_journal};
use crate::page::Page;
use crate::page::outline::{claims, end_of_words};
use crate::page::past::corroborations;
use crate::span::LineIndex;
use crate::time::{Date, leading_date};
use crate::trust::Trust;

/// A claim this young is a recent one on a page that is older.
const RECENT_DAYS: i32 = 30;
/// Days of a month, and of a year, as far as a reader of "for 3 months" cares.
const MONTH_DAYS: i32 = 30;
/// See [`MONTH_DAYS`].
const YEAR_DAYS: i32 = 365;

/// How often and when something was said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Agreement {
    /// How many said it independently besides the first.
    pub confirmed: usize,
    /// The day on which it was said first.
    pub first_said: Option<Date>,
    /// The day on which it was said last.
    pub last_said: Option<Date>,
}

/// A claim of a page, counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counted {
    /// The claim.
    pub claim: Claim,
    /// The line that it begins on, from 1.
    pub line: usize,
    /// How often it was said.
    pub agreement: Agreement,
    /// What a reader is told of that, see [`tag`].
    pub tag: Option<String>,
}

impl Counted {
    /// Returns where in the text of its page the tag belongs, with the tag as it stands there.
    pub fn told_at(&self, text: &str) -> Option<(usize, String)> {
        let tag = self.tag.as_ref()?;
        Some((self.claim.span.start + end_of_words(self.claim.span.of(text)), format!(" ({tag})")))
    }
}

impl Agreement {
    /// Returns what citations say together; `voice` names who says what one of them cites, of those in its file, and
    /// nobody where it is nobody's word. Of a single citation nobody is asked.
    pub fn of<'r>(
        cited: impl IntoIterator<Item = &'r SourceRef>,
        voice: &mut dyn FnMut(&SourceRef) -> Option<String>,
    ) -> Agreement {
        let mut cited: Vec<&SourceRef> = cited.into_iter().collect();
        let mut voices: BTreeSet<(&str, String)> = BTreeSet::new();
        if cited.len() > 1 {
            let all = cited.clone();
            cited.retain(|one| match voice(one) {
                Some(voice) => {
                    voices.insert((one.path.as_str(), voice));
                    true
                }
                None => false,
            });
            if cited.is_empty() {
                cited = all;
            }
        }
        let days = || cited.iter().filter_map(|one| leading_date(one.path.file_name()));
        Agreement { confirmed: voices.len().saturating_sub(1), first_said: days().min(), last_said: days().max() }
    }
}

/// Who speaks on which lines of a day of the journal.
#[derive(Debug, Clone, Default)]
pub struct Voices(Vec<(usize, Option<String>)>);

impl Voices {
    /// Returns who speaks in a day of the journal.
    pub fn of(text: &str) -> Voices {
        let lines = LineIndex::new(text);
        let journal = parse_journal(text, None).value;
        Voices(journal.entries.iter().map(|one| (lines.line_of(one.span.start), voice(one))).collect())
    }

    /// Returns who speaks on a line; nobody where what stands there is external.
    pub fn at(&self, line: usize) -> Option<&str> {
        let n_begun = self.0.partition_point(|(first, _)| *first <= line);
        n_begun.checked_sub(1).map_or(Some(""), |n| self.0[n].1.as_deref())
    }
}

/// Returns the name of who says an entry: its session, or its issue, on each of which somebody else works, else whoever
/// vouches for it; nobody where it is external.
pub fn voice(entry: &JournalEntry) -> Option<String> {
    let said = &entry.provenance;
    let trust = said.trust.as_deref().unwrap_or_default();
    let issue = Stage::of_entry(entry).map(|(stage, _)| format!("issue {}", stage.issue));
    let named = said.session.clone().or(issue).unwrap_or_else(|| trust.to_owned());
    (trust != Trust::External.as_str()).then_some(named)
}

/// Returns the claims of a compiled page, counted as of a day; of another page those that it counts itself.
pub fn counted(page: &Page, today: Date, voice: &mut dyn FnMut(&SourceRef) -> Option<String>) -> Vec<Counted> {
    if !page.is_owned() {
        return counted_elsewhere(page);
    }
    let lines = LineIndex::new(&page.text);
    let count = |claim: Claim| {
        let agreement = Agreement::of(claim.own.iter().filter_map(|mark| mark.cited.as_ref()), voice);
        Counted { line: lines.line_of(claim.span.start), claim, agreement, tag: None }
    };
    let mut out: Vec<Counted> = claims(page).into_iter().map(count).collect();
    let begun = out.iter().filter_map(|one| one.agreement.first_said).min();
    for one in out.iter_mut().filter(|one| one.claim.state == ClaimState::Current) {
        one.tag = tag(&one.agreement, begun, today);
    }
    out
}

/// The claims of another tool's page of which the tool says how often they were found: the first of the page, or of a
/// section.
fn counted_elsewhere(page: &Page) -> Vec<Counted> {
    let counts = corroborations(page);
    if counts.is_empty() {
        return Vec::new();
    }
    let (lines, claims) = (LineIndex::new(&page.text), claims(page));
    let first = |at: usize| claims.iter().find(|claim| claim.span.start >= at).cloned();
    let count = |(at, n): (usize, usize)| {
        let (claim, confirmed) = (first(at)?, n - 1);
        let agreement = Agreement { confirmed, first_said: None, last_said: None };
        Some(Counted { line: lines.line_of(claim.span.start), claim, agreement, tag: Some(format!("+{confirmed}")) })
    };
    counts.into_iter().filter_map(count).collect()
}

/// Returns what a reader is told of a claim of a page that began on a day: `+2, stable for 3 months` of one that was said
/// twice more, over three months; `recently added` of one that is new on a page that is not. Most claims are told nothing.
pub fn tag(agreement: &Agreement, begun: Option<Date>, today: Date) -> Option<String> {
    let Agreement { confirmed, first_said, last_said } = *agreement;
    let between = |from: Date, to: Date| from.until(to).map_or(0, |span| span.get_days());
    if confirmed == 0 {
        let first = first_said?;
        let is_young = (0..RECENT_DAYS).contains(&between(first, today));
        return (is_young && between(begun?, first) >= RECENT_DAYS).then(|| "recently added".to_owned());
    }
    // Nobody vouches for the time after it was said last.
    let days = first_said.zip(last_said).map_or(0, |(first, last)| between(first, last));
    let many = |n: i32, what: &str| format!(", stable for {n} {what}{}", if n == 1 { "" } else { "s" });
    let stable = match days {
        YEAR_DAYS.. => many(days / YEAR_DAYS, "year"),
        MONTH_DAYS.. => many(days / MONTH_DAYS, "month"),
        _ => String::new(),
    };
    Some(format!("+{confirmed}{stable}"))
}

/// Returns the text of a page with what a reader is told of its claims behind them.
pub fn with_tags(text: &str, counted: &[Counted]) -> String {
    let (mut out, mut from) = (String::with_capacity(text.len()), 0);
    for (at, tag) in counted.iter().filter_map(|one| one.told_at(text)) {
        out.push_str(&text[from..at]);
        out.push_str(&tag);
        from = at;
    }
    out + &text[from..]
}

#[cfg(test)]
mod tests;
