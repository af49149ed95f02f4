//! Which talk is kept, and what is left of talk that is not.
//!
//! Words go a part at a time: what was appended at once, for one part of the transcript. In their place stands a
//! comment with the part and the time up to which it was said, so that nothing of it is told again, and a line for
//! people that says where the journal has it. Every other line stays where it was, empty, so that whatever points
//! into the file points to the same lines for good.

use std::fmt::Write as _;

use super::{At, Part, Talk};
use crate::journal::Provenance;
use crate::time::{Date, leading_date};

/// How much talk is kept; without any bound all of it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Keep {
    /// What was said in so many days.
    pub days: Option<usize>,
    /// That of so many sessions, the newest.
    pub sessions: Option<usize>,
    /// So many bytes, of the newest sessions.
    pub bytes: Option<u64>,
}

impl Keep {
    /// Returns whether all of it is kept.
    pub fn is_all(&self) -> bool {
        *self == Keep::default()
    }

    /// Returns the sessions that are beyond a bound, and beyond which, by the place in `held`, which is sorted the
    /// newest first. A session in which something was said today is never beyond.
    pub fn beyond(&self, held: &[Held], today: Date) -> Vec<(usize, Why)> {
        let first = self.days.map(|days| {
            // So many that no calendar has them keep everything.
            let days = jiff::Span::new().try_days(i64::try_from(days).unwrap_or(i64::MAX));
            days.and_then(|days| today.checked_sub(days)).unwrap_or(Date::MIN)
        });
        let mut n_bytes = 0_u64;
        let mut why = |(nth, one): (usize, &Held)| {
            n_bytes = n_bytes.saturating_add(one.n_bytes);
            let is_over = [
                (first.is_some_and(|first| one.last < first), Why::Days),
                (self.sessions.is_some_and(|max| nth >= max), Why::Sessions),
                (self.bytes.is_some_and(|max| n_bytes > max), Why::Bytes),
            ];
            let (_, why) = is_over.into_iter().find(|(is_over, _)| *is_over)?;
            (one.last < today).then_some((nth, why))
        };
        held.iter().enumerate().filter_map(&mut why).collect()
    }
}

/// The talk of a session as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    /// The day on which something was said last.
    pub last: Date,
    /// How much of it there is.
    pub n_bytes: u64,
}

/// Which bound something is beyond.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// It is too old.
    Days,
    /// There are enough newer sessions.
    Sessions,
    /// Newer sessions are large enough.
    Bytes,
}

/// Returns the parts whose words stand nowhere else, by their place: those that no entry made then or later covers.
/// Of each entry, `entries` has the part of the transcript it was made from and the line of the talk on which that ends.
pub fn uncovered(text: &str, talk: &Talk, entries: &[((u64, u64), usize)]) -> Vec<usize> {
    let is_covered = |part: &Part| {
        let first = 1 + memchr::memchr_iter(b'\n', &text.as_bytes()[..part.span.start]).count();
        // An entry of an earlier reading may be of a file that was written anew since.
        let mut later: Vec<(u64, u64)> =
            entries.iter().filter(|(_, last)| *last >= first).map(|(range, _)| *range).collect();
        later.sort_unstable();
        let mut at = part.range.0;
        for (start, end) in later {
            if start <= at {
                at = at.max(end);
            }
        }
        at >= part.range.1
    };
    let kept = talk.parts.iter().enumerate().filter(|(_, part)| part.is_kept);
    kept.filter(|(_, part)| !is_covered(part)).map(|(nth, _)| nth).collect()
}

/// How the line for people begins.
const NOTE: &str = "*What was said here is not kept since ";

/// Returns a talk without the words of some parts, each given by its place and where the journal has what it said.
/// Other parts, and those that are too short to gain anything, stay.
pub fn without(text: &str, talk: &Talk, parts: &[(usize, Vec<String>)], since: Date) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for (nth, places) in parts {
        let Some(part) = talk.parts.get(*nth).filter(|part| part.is_kept && part.span.start >= at) else { continue };
        let until = part.until.map(render_time).unwrap_or_default();
        let of = Provenance { range: Some(part.range), until: Some(until), ..Provenance::default() };
        let mut left = format!("{}\n{NOTE}{since}", of.render().unwrap_or_default());
        if !places.is_empty() {
            let _ = write!(left, "; what of it counted stands in {}", places.join(", "));
        }
        left.push_str(".*\n");
        let words = part.span.of(text);
        let n_lines = words.matches('\n').count();
        // As many lines as there were; the last may have no end.
        let Some(n_blank) = n_lines.checked_sub(2).filter(|n| left.len() + n < words.len()) else { continue };
        out.push_str(&text[at..part.span.start]);
        out.push_str(&left);
        out.extend(std::iter::repeat_n('\n', n_blank));
        at = part.span.end;
    }
    out + &text[at..]
}

/// Returns whether a text is what is left of another by [`without`]: line by line the same, or without words.
pub fn is_what_is_left(of: &[u8], left: &[u8]) -> bool {
    let (Ok(of), Ok(left)) = (str::from_utf8(of), str::from_utf8(left)) else { return false };
    let is_left = |line: &str| {
        let says_so = |found: Provenance| found.range.is_some() && found.until.is_some();
        line.is_empty() || line.starts_with(NOTE) || Provenance::parse(line).is_some_and(says_so)
    };
    let (mut of, mut left) = (of.split('\n'), left.split('\n'));
    loop {
        match (of.next(), left.next()) {
            (None, None) => return true,
            (Some(a), Some(b)) if a == b || is_left(b) => {}
            _ => return false,
        }
    }
}

fn render_time((day, (hour, minute)): At) -> String {
    format!("{day}T{hour:02}:{minute:02}")
}

pub(super) fn parse_time(text: &str) -> Option<At> {
    let (hour, minute) = text.get(11..)?.split_once(':')?;
    Some((leading_date(text)?, (hour.parse().ok()?, minute.parse().ok()?)))
}

#[cfg(test)]
mod tests;
