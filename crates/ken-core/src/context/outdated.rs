//! What of the material found for a question no longer holds, because something else that was found says so.
//!
//! A page knows what was replaced of its own subject. A question finds more than that: lines of the journal and of the talk
//! that stand on no page, and pages of other subjects that repeat the old. All of it is put in the order in which it was
//! said, and [`replaced`] decides.

use std::collections::BTreeMap;

use super::material::{Material, Outdated};
use crate::claim::{Claim, Footnote, SourceRef, claims, footnotes, without_marks};
use crate::header::read_header;
use crate::path::VaultPath;
use crate::span::Span;
use crate::supersede::{Said, replaced};
use crate::text::{cut, one_line};
use crate::time::{Date, leading_date};
use crate::trust::Trust;

/// Longest statement of what holds now, in characters.
const NOW_CHARS_MAX: usize = 120;

/// A sentence of the material.
struct Sentence {
    /// Which material, which unit of it, which sentence of that.
    at: (usize, usize, usize),
    text: String,
    day: Option<Date>,
    /// The time of day, as far as its heading says one: `09:20`.
    time: String,
    is_said: bool,
}

/// A unit that was replaced, with that which says so: each its material and its place there.
pub type Replacement = ((usize, usize), (usize, usize));

/// Notes what of the material no longer holds; returns which unit took the place of which. `is_said` says of a file that it
/// grows with what is said, as journal and talk do: only that may replace something, and documents are left alone.
pub fn note_outdated(found: &mut [Material<'_>], is_said: impl Fn(&VaultPath) -> bool) -> Vec<Replacement> {
    let mut all: Vec<Sentence> = Vec::new();
    for (n, one) in found.iter().enumerate() {
        // What nobody vouches for changes nothing.
        let is_said = is_said(&one.path) && one.trust != Some(Trust::External);
        if !is_said && !one.is_compiled {
            continue;
        }
        let days = if is_said { Vec::new() } else { days_of_claims(one.text) };
        for (unit, placed) in one.units.iter().enumerate().filter(|(_, placed)| !placed.unit.is_event) {
            let time = time_in(&placed.heading).or_else(|| time_in(&one.title)).unwrap_or_default();
            for (nth, span) in placed.unit.sentences.iter().enumerate() {
                let text = one_line(&without_marks(span.of(one.text)));
                let day = days.iter().find(|(claim, _)| claim.start <= span.start && span.start < claim.end);
                let day = if is_said { one.date } else { day.and_then(|(_, day)| *day) };
                // What a page takes from a document is the document's to change.
                if !is_said && day.is_none() {
                    continue;
                }
                all.push(Sentence { at: (n, unit, nth), text, day, time: time.clone(), is_said });
            }
        }
    }
    // A page repeats what was said before it was compiled.
    let place = |one: &Sentence| (one.day, !one.is_said, one.time.clone(), found[one.at.0].path.clone(), one.at);
    all.sort_by_cached_key(place);
    let said: Vec<Said<'_>> = all
        .iter()
        .map(|one| Said { text: &one.text, day: one.day, exchange: one.at.0, may_replace: one.is_said })
        .collect();
    let fate = replaced(&said);
    let end = |mut n: usize| {
        let mut left = fate.len();
        while let Some(next) = fate[n].map(|one| one.by).filter(|next| *next != n && left > 0) {
            (n, left) = (next, left - 1);
        }
        n
    };
    let mut out = Vec::new();
    let mut noted: BTreeMap<usize, Vec<Outdated>> = BTreeMap::new();
    for (old, fate) in all.iter().zip(&fate).filter_map(|(old, fate)| Some((old, (*fate)?))) {
        let (by, now) = (&all[fate.by], &all[end(fate.by)]);
        let (doc, unit, _) = old.at;
        if (doc, unit) == (by.at.0, by.at.1) || (doc, unit) == (now.at.0, now.at.1) {
            continue;
        }
        let until = fate.from.or(by.day).map(|day| format!("until {day}; ")).unwrap_or_default();
        let since = format!("{until}now: {}", cut(now.text.trim_end_matches('.'), NOW_CHARS_MAX));
        let lines = found[doc].units[unit].lines;
        noted.entry(doc).or_default().push(Outdated { lines, said: Some(old.text.clone()), since });
        out.push(((doc, unit), (now.at.0, now.at.1)));
    }
    for (doc, mut noted) in noted {
        // What a page says of its own subject was decided by all that is known of it.
        noted.retain(|new| {
            !found[doc].superseded.iter().any(|old| old.covers(new.lines, new.said.as_deref().unwrap_or("")))
        });
        found[doc].superseded.extend(noted);
    }
    out
}

/// The claims of a compiled page with the last day on which each was said.
fn days_of_claims(text: &str) -> Vec<(Span, Option<Date>)> {
    let body = Span::new(read_header(text).value.block.end, text.len());
    let of_note = |note: &Footnote| {
        let cited = SourceRef::parse(note.text.of(text))?;
        Some((note.label.clone(), leading_date(cited.path.file_name())?))
    };
    let days: BTreeMap<String, Date> = footnotes(text, body).iter().filter_map(of_note).collect();
    let last = |claim: &Claim| claim.labels.iter().filter_map(|label| days.get(label)).max().copied();
    claims(text, body).into_iter().map(|claim| (claim.span, last(&claim))).collect()
}

/// The first time of day in a heading: `User (2026-03-10 09:20)`.
fn time_in(heading: &str) -> Option<String> {
    let is_time = |part: &&[u8]| {
        let digit = |n: usize| part[n].is_ascii_digit();
        digit(0) && digit(1) && part[2] == b':' && digit(3) && digit(4)
    };
    heading.as_bytes().windows(5).find(is_time).map(|time| String::from_utf8_lossy(time).into_owned())
}
