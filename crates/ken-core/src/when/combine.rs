//! Puts phrases together: ranges, open ends, parts of a month, a weekday beside its date.

use crate::span::Span;

use super::calendar::{Found, day_of_week, monday_of, part_of};
use super::patterns::{Atom, What};
use super::phrase::{Behind, Op, Part};
use super::tokens::{Gap, Token};
use super::{DateWords, Exactness, Period};

/// How many words may stand before a date and belong to it; more is no language, and would cost time.
const AHEAD_MAX: usize = 6;

/// One date with what belongs to it.
struct Term {
    found: Found,
    /// First token that says it.
    start: usize,
    /// First atom behind it.
    next: usize,
}

struct Reading<'a> {
    text: &'a str,
    tokens: &'a [Token],
    atoms: &'a [Atom],
}

/// Returns what the phrases of a text say together.
pub(super) fn combine(text: &str, tokens: &[Token], atoms: &[Atom]) -> Vec<DateWords> {
    let reading = Reading { text, tokens, atoms };
    let mut out = Vec::new();
    let mut at = 0;
    while at < atoms.len() {
        match reading.phrase(at) {
            Some((words, next)) => {
                out.push(words);
                at = next;
            }
            None => at += 1,
        }
    }
    out
}

/// Returns what the phrases of a text say one by one.
pub(super) fn each(text: &str, tokens: &[Token], atoms: &[Atom]) -> Vec<DateWords> {
    let reading = Reading { text, tokens, atoms };
    let words = atoms.iter().enumerate().filter_map(|(at, atom)| match atom.what {
        What::Dates(found) if !found.is_weak => Some(reading.words(atom.start, at + 1, &found, closed(&found))),
        _ => None,
    });
    words.collect()
}

impl Reading<'_> {
    fn op(&self, at: usize) -> Option<Op> {
        match self.atoms.get(at)?.what {
            What::Op(op) => Some(op),
            What::Dates(_) => None,
        }
    }

    /// Whether atom `at` follows the one before it, with nothing but `gaps` between.
    fn is_near(&self, at: usize, gaps: &[Gap]) -> bool {
        let (Some(before), Some(atom)) = (at.checked_sub(1).and_then(|at| self.atoms.get(at)), self.atoms.get(at))
        else {
            return false;
        };
        before.end == atom.start
            && self.tokens.get(atom.start).is_some_and(|token| {
                matches!(token.gap, Gap::Space | Gap::None | Gap::Apostrophe) || gaps.contains(&token.gap)
            })
    }

    /// Reads everything that begins at an atom, or `None` when no date does.
    fn phrase(&self, at: usize) -> Option<(DateWords, usize)> {
        let op = self.op(at);
        let opens = matches!(op, Some(Op::From | Op::Since | Op::Until | Op::Before | Op::After | Op::Between));
        if !opens {
            let (term, is_lone) = match self.term(at, false) {
                Some(term) => (term, true),
                // A word that is a date only sometimes is one in a range: `March to May 2026`.
                None => (self.term(at, true)?, false),
            };
            let (start, next) = (term.start, term.next);
            let (words, end) = self.tail(term, start, None);
            return (is_lone || end > next + 1 || self.is_dash(next)).then_some((words, end));
        }
        if !self.is_near(at + 1, &[]) {
            return None;
        }
        let term = self.term(at + 1, true)?;
        Some(self.tail(term, self.atoms[at].start, op))
    }

    /// Reads what follows a date: the other end of a range, or what opens one of its ends.
    fn tail(&self, term: Term, start: usize, op: Option<Op>) -> (DateWords, usize) {
        let mut behind = self.behind(term.next);
        // `AからBまで`: the first end is marked behind it.
        let joined_at = term.next + usize::from(behind == Some(Behind::Since));
        let range = self.joined(joined_at, op, behind).and_then(|other| {
            let found = between(term.found, other.found)?;
            let closes = matches!(self.behind(other.next), Some(Behind::Until));
            Some((found, other.next + usize::from(closes)))
        });
        if let Some((found, next)) = range {
            return (self.words(start, next, &found, closed(&found)), next);
        }
        if matches!(behind, Some(Behind::Part(_))) {
            behind = None;
        }
        let next = term.next + usize::from(behind.is_some());
        let (from, to) = (term.found.from, term.found.to);
        let period = match (op, behind) {
            (Some(Op::Since), _) | (_, Some(Behind::Since)) => Some(Period { from: Some(from), to: None }),
            (Some(Op::Until), _) | (_, Some(Behind::Until)) => Some(Period { from: None, to: Some(to) }),
            (Some(Op::Before), _) | (_, Some(Behind::Before)) => {
                from.yesterday().ok().map(|to| Period { from: None, to: Some(to) })
            }
            (Some(Op::After), _) | (_, Some(Behind::After)) => {
                to.tomorrow().ok().map(|from| Period { from: Some(from), to: None })
            }
            _ => None,
        };
        let is_said = period.is_some() || behind.is_some();
        let start = if is_said { start } else { term.start };
        (self.words(start, next, &term.found, period.unwrap_or(closed(&term.found))), next)
    }

    /// Returns what is said directly behind a date.
    fn behind(&self, at: usize) -> Option<Behind> {
        match self.op(at)? {
            Op::Behind(behind) if self.is_near(at, &[]) => Some(behind),
            _ => None,
        }
    }

    /// Whether atom `at` follows the one before it and only a dash stands between.
    fn is_dash(&self, at: usize) -> bool {
        let gap = |atom: &Atom| self.tokens.get(atom.start).map(|token| token.gap);
        self.atoms.get(at).is_some_and(|atom| gap(atom) == Some(Gap::Dash)) && self.is_near(at, &[Gap::Dash])
    }

    /// Reads the other end of a range, where one follows.
    fn joined(&self, at: usize, op: Option<Op>, behind: Option<Behind>) -> Option<Term> {
        let is_begun = behind == Some(Behind::Since);
        if matches!(self.atoms.get(at)?.what, What::Dates(_)) {
            return (self.is_dash(at) || (is_begun && self.is_near(at, &[]))).then(|| self.term(at, true)).flatten();
        }
        let joins = match self.op(at)? {
            Op::To | Op::Until => !matches!(op, Some(Op::Until | Op::Before | Op::After)),
            Op::And => op == Some(Op::Between),
            _ => false,
        };
        // A comma may close a year: `from March 5, 2026, to April 1`.
        (joins && self.is_near(at, &[Gap::Comma]) && self.is_near(at + 1, &[]))
            .then(|| self.term(at + 1, true))
            .flatten()
    }

    /// Reads one date from atom `at` on, with the words before it that belong to it.
    fn term(&self, at: usize, has_context: bool) -> Option<Term> {
        let (mut at, mut has_context) = (at, has_context);
        let mut parts: Vec<Part> = Vec::new();
        let mut start = None;
        for _ in 0..AHEAD_MAX {
            match self.atoms.get(at)?.what {
                What::Op(Op::In) if parts.is_empty() => has_context = true,
                // `in march` is a month, `on the march` is not.
                What::Op(Op::Filler) => has_context = false,
                What::Op(Op::Part(part)) => {
                    has_context = true;
                    start.get_or_insert(self.atoms[at].start);
                    parts.push(part);
                }
                What::Op(_) | What::Dates(_) => break,
            }
            let gaps: &[Gap] = if parts.is_empty() { &[] } else { &[Gap::Hyphen] };
            at += 1;
            if !self.is_near(at, gaps) {
                return None;
            }
        }
        let What::Dates(found) = self.atoms.get(at)?.what else { return None };
        let (joined, joined_next) = self.with_weekday(self.looked_at(found, at, has_context), at + 1);
        // A short weekday is one beside its date alone: `Sun, 2026-03-01`.
        let is_count = self.may_count(found, at) && found.from.year() % 100 == 0;
        let is_said = !found.is_weak || (has_context && found.weekday.is_none()) || joined_next > at + 1;
        if !is_said || is_count {
            return None;
        }
        let (mut found, mut next) = (joined, joined_next);
        let atom_start = self.atoms[at].start;
        if let Some(Behind::Part(part)) = self.behind(next)
            && let Some(part) = part_of(found, part)
        {
            found = part;
            next += 1;
        }
        let whole = parts.iter().rev().try_fold(found, |found, part| part_of(found, *part));
        Some(match whole {
            Some(found) => Term { found, start: start.unwrap_or(atom_start), next },
            None => Term { found, start: atom_start, next },
        })
    }

    /// A number that may be a year is a guess when it could as well count what follows. A month alone is none
    /// when a word makes it a date.
    fn looked_at(&self, found: Found, at: usize, has_context: bool) -> Found {
        if has_context && found.is_yearless && found.exactness == Exactness::Month {
            return Found { is_sure: true, ..found };
        }
        Found { is_sure: found.is_sure && !self.may_count(found, at), ..found }
    }

    /// Whether a year alone has a word behind it that it may count: `in 2025 we`, `up to 2000 lines`. A round
    /// number does.
    fn may_count(&self, found: Found, at: usize) -> bool {
        found.is_weak
            && found.exactness == Exactness::Year
            && self.tokens.get(self.atoms[at].end).is_some_and(|token| token.gap == Gap::Space)
    }

    /// Joins a weekday with the date or week beside it: `Friday, 2026-05-29`, `Monday of last week`.
    fn with_weekday(&self, found: Found, next: usize) -> (Found, usize) {
        let filler = usize::from(matches!(self.op(next), Some(Op::Filler | Op::In)) && self.is_near(next, &[]));
        let at = next + filler;
        let Some(What::Dates(other)) = self.atoms.get(at).map(|atom| atom.what) else { return (found, next) };
        if !self.is_near(at, &[Gap::Comma]) {
            return (found, next);
        }
        let is_week = |found: &Found| found.exactness == Exactness::Week && found.from != found.to;
        let in_week = |week: &Found, weekday: i32| {
            let date = day_of_week(monday_of(week.from)?, weekday)?;
            Some(Found { from: date, to: date, exactness: Exactness::Day, ..*week })
        };
        let joined = match (found.weekday, other.weekday) {
            (Some(weekday), None) if is_week(&other) => in_week(&other, weekday),
            (Some(_), None) if other.exactness == Exactness::Day && (!other.is_relative || other.is_yearless) => {
                Some(other)
            }
            (None, Some(weekday)) if is_week(&found) => in_week(&found, weekday),
            _ => None,
        };
        joined.map_or((found, next), |joined| (joined, at + 1))
    }

    fn words(&self, start: usize, next: usize, found: &Found, period: Period) -> DateWords {
        let end = next.checked_sub(1).and_then(|last| self.atoms.get(last)).map_or(start + 1, |atom| atom.end);
        let first = self.tokens.get(start).map_or(0, |token| token.span.start);
        let last = self.tokens.get(end - 1).map_or(self.text.len(), |token| token.span.end);
        DateWords {
            span: Span::new(first, last),
            period,
            exactness: found.exactness,
            is_relative: found.is_relative,
            is_sure: found.is_sure,
        }
    }
}

fn closed(found: &Found) -> Period {
    Period { from: Some(found.from), to: Some(found.to) }
}

/// Returns the range between two dates; a year or week that was not said is the one that makes it short.
fn between(first: Found, last: Found) -> Option<Found> {
    let (mut first, mut last) = (first, last);
    if first.is_yearless {
        // The years of the calendar are few, but one step is enough for all but a named far year.
        let years = i32::from(last.from.year()) - i32::from(first.from.year());
        first = first.years_later(years)?;
        if first.from > last.to {
            first = first.years_later(-1)?;
        }
    } else if last.is_yearless && last.to < first.from {
        let years = i32::from(first.from.year()) - i32::from(last.from.year());
        last = last.years_later(years)?;
        if last.to < first.from {
            last = last.years_later(1)?;
        }
    } else if first.weekday.is_some() && first.from > last.from {
        let days = first.weekday.unwrap_or(0) - 7;
        let date = day_of_week(monday_of(first.from)?, days)?;
        (first.from, first.to) = (date, date);
    }
    let exactness = match first.exactness.max(last.exactness) {
        Exactness::Fuzzy => Exactness::Fuzzy,
        _ => first.exactness.min(last.exactness),
    };
    (first.from <= last.to).then_some(Found {
        from: first.from,
        to: last.to,
        exactness,
        is_relative: first.is_relative || last.is_relative,
        is_sure: first.is_sure && last.is_sure,
        is_weak: false,
        is_yearless: false,
        weekday: None,
    })
}
