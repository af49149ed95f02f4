//! What answers in the place of a sentence that holds no longer: where its chain ends, wherever that stands.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::{Candidate, Picking, SAME_SHARE, SAYS_NOW, SUPERSEDED};
use crate::answer::{Citable, Consulted};
use crate::held::{Standing, standing_of};
use crate::page::outline::{Remark, names_next};
use crate::search::close::{n_shared, share_in};
use crate::time::{Date, leading_date};
use crate::words::folded_words;

/// Words that what was said in the place of something shares with it.
const IN_PLACE_WORDS_MIN: usize = 2;
const MORE_WORDS_MIN: usize = 3;
/// What stands before what holds now.
const NEXT_NOW: &str = "; now: ";
/// What a sentence is worth in the place of one that it ended, of what that would be worth if it still held.
const LED_TO: f32 = 0.98;

/// Gives what took the place of a sentence what that is worth for the question: it need not say what the question does, the
/// old one did. `until` is the day of which it is asked.
pub(super) fn lead_on(candidates: &mut [Candidate<'_>], consulted: &[Consulted], (asks, until): (bool, Option<Date>)) {
    let nexts: Vec<Vec<usize>> = (0..candidates.len()).map(|old| next_of(old, candidates, until)).collect();
    for (old, mut next) in nexts.into_iter().enumerate() {
        next.iter().for_each(|to| candidates[*to].in_place_of = candidates[*to].in_place_of.or(Some(old)));
        let one = &candidates[old];
        // What a document says is the document's to change, and an answer has what is asked for.
        let may_lead = |to: &usize| !consulted[candidates[*to].place].is_document && (!asks || candidates[*to].is_met);
        next.retain(may_lead);
        // Where several say it, the one that counts most by itself.
        let best = next.into_iter().rev().max_by(|a, b| candidates[*a].value.total_cmp(&candidates[*b].value));
        let Some(to) = best else { continue };
        let lost = if names_next(&one.citable.text) { SAYS_NOW } else { SUPERSEDED };
        let (value, share, holds) = (LED_TO * one.value / lost, one.share, one.holds);
        let new = &mut candidates[to];
        (new.value, new.share, new.holds) = (new.value.max(value), new.share.max(share), new.holds || holds);
    }
}

/// The sentences that say what a superseded one names as what took its place.
fn next_of(old: usize, candidates: &[Candidate<'_>], until: Option<Date>) -> Vec<usize> {
    let citable = candidates[old].citable;
    if tells_of_several(citable) {
        return Vec::new();
    }
    let Some((_, next)) = Remark::read(&citable.since).next.filter(|_| citable.is_superseded) else {
        return Vec::new();
    };
    let is_cut = next.ends_with('…');
    let next = folded_words(&without_days(next.trim_end_matches('…')));
    let says = |one: &Candidate<'_>| {
        let said = folded_words(&without_days(bare(one.citable)));
        !said.is_empty() && (next == said || is_cut && said.starts_with(&next))
    };
    let is_by_then = |one: &Candidate<'_>| until.is_none_or(|until| one.date <= Some(until));
    let is_it = |one: &Candidate<'_>| !one.citable.is_superseded && is_by_then(one) && says(one);
    (0..candidates.len()).filter(|at| is_it(&candidates[*at])).collect()
}

/// Whether a sentence tells of several things that ended: then it names what took the place of the first alone.
fn tells_of_several(citable: &Citable) -> bool {
    citable.text.matches(NEXT_NOW).nth(1).is_some()
}

/// A statement without the days that a page says behind words like `today`: `today (2026-03-09)`.
fn without_days(text: &str) -> String {
    let mut parts = text.split(" (");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let day = part.split_once(')').filter(|(day, _)| day.parse::<Date>().is_ok());
        match day {
            Some((_, rest)) => out.push_str(rest),
            None => out.extend([" (", part]),
        }
    }
    out
}

/// What a sentence of a chat says, without who says it.
fn bare(citable: &Citable) -> &str {
    let said = citable.text.strip_prefix(citable.speaker.as_str()).and_then(|rest| rest.strip_prefix(": "));
    said.filter(|_| !citable.speaker.is_empty()).unwrap_or(&citable.text)
}

/// The day of the newest source of a sentence of a page.
pub(super) fn date_of(citable: &Citable) -> Option<Date> {
    citable.refs.iter().filter_map(|cited| leading_date(cited.path.file_name())).max()
}

/// Whether a sentence says of itself that it holds only since a later day than the one that is asked about.
pub(super) fn is_to_come(citable: &Citable) -> bool {
    standing_of(&citable.text).is_some_and(|(standing, _)| standing == Standing::Later)
}

/// The day on which a sentence that no longer holds was said.
pub(super) fn old_day(one: &Candidate<'_>) -> Option<Date> {
    one.citable.refs.first().and_then(|cited| leading_date(cited.path.file_name()))
}

/// What a sentence says, without what became of it.
pub(super) fn stated(citable: &Citable) -> Cow<'_, str> {
    match citable.is_superseded && !citable.since.is_empty() {
        true => Cow::Owned(citable.text.replace(&format!(" ({})", citable.since), "")),
        false => Cow::Borrowed(&citable.text),
    }
}

impl<'p, 'a> Picking<'p, 'a> {
    /// What was said in the place of what answers and holds no longer, beside what is picked: of what was said where the old was
    /// replaced, the sentence that shares most words with it.
    pub(super) fn in_its_place(&self, picked: &[&'p Candidate<'a>]) -> Vec<&'p Candidate<'a>> {
        let mut out: Vec<&'p Candidate<'a>> = Vec::new();
        let old = |one: &&'p Candidate<'a>| match one.in_place_of {
            Some(old) => Some(&self.candidates[old]),
            None => Some(*one).filter(|one| one.citable.is_superseded && !tells_of_several(one.citable)),
        };
        for old in picked.iter().filter(|_| !self.asked.is_history).filter_map(old) {
            let by: BTreeSet<_> = old.citable.refs.iter().skip(1).map(|cited| &cited.path).collect();
            let is_said_there = |one: &&Candidate<'a>| {
                let cited = one.citable.refs.iter().map(|cited| &cited.path).chain([&self.consulted[one.place].path]);
                let is_by_then = self.asked.until.is_none_or(|until| one.date <= Some(until));
                !one.citable.is_superseded
                    && one.date > old_day(old)
                    && is_by_then
                    && cited.into_iter().any(|path| by.contains(path))
            };
            let found: Vec<(usize, &'p Candidate<'a>)> = (self.candidates.iter())
                .filter(is_said_there)
                .map(|one| (n_shared(&one.said, &old.said), one))
                .collect();
            // What took its place, then what tells more of the same.
            for least in [IN_PLACE_WORDS_MIN, MORE_WORDS_MIN] {
                let is_known = |one: &Candidate<'a>| {
                    let mut known = picked.iter().chain(&out).filter(|known| !known.citable.is_superseded);
                    known.any(|known| share_in(&one.said, &known.said) > SAME_SHARE)
                };
                let new = found.iter().filter(|(n, one)| *n >= least && !is_known(one));
                // Of equals the first, which counts more.
                let best = new.rev().max_by_key(|(n, _)| *n).map(|(_, one)| *one);
                out.extend(best);
            }
        }
        out
    }
}
