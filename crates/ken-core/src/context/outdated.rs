//! What of the material found for a question no longer holds, because something else that was found says so.
//!
//! A page knows what was replaced of its own subject. A question finds more than that: lines of the journal and of the talk
//! that stand on no page, and pages of other subjects that repeat the old. All of it is put in the order in which it was
//! said, and [`judged`] decides.

mod revised;
mod told;

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use super::material::{Material, Outdated, Preceded, says_so};
use crate::claim::Claim;
use crate::held::{Standing, standing_of};
use crate::journal::without_speaker;
use crate::page::outline::{Next, Remark, When, is_struck, without_marks};
use crate::path::VaultPath;
use crate::revised::Revision;
use crate::span::Span;
use crate::supersede::{
    Evidence, Judged, Replaced, Said, Saying, is_over_alone, judged, lasts_until, parted, takes_back, value_before,
};
use crate::text::{cut, is_quoted, one_line};
use crate::time::{Date, leading_date};
use crate::trust::{Trust, stale_in};

/// Longest statement of what holds now, in characters.
const NOW_CHARS_MAX: usize = 120;

/// A sentence of the material.
pub(super) struct Sentence {
    /// Which material, which unit of it, which sentence of that.
    pub(super) at: (usize, usize, usize),
    pub(super) text: String,
    pub(super) day: Option<Date>,
    /// The time of day, as far as its heading says one: `09:20`.
    time: String,
    pub(super) is_said: bool,
    /// Whether it is read aloud.
    is_quoted: bool,
    /// Whether it stands in the line in which the sentence before it ends.
    is_in_line: bool,
}

/// A unit that was replaced, with that which says so: each its material and its place there.
pub type Replacement = ((usize, usize), (usize, usize));

/// What is asked of the material.
#[derive(Debug, Clone, Copy, Default)]
pub struct Asking<'q> {
    /// The question, where later answers are told beside earlier ones.
    pub question: Option<&'q str>,
    /// The day of which is asked.
    pub on: Option<Date>,
    /// Today, where what holds now is asked.
    pub today: Option<Date>,
}

/// Notes what of the material no longer holds; returns which unit took the place of which. `is_said` says of a file that it
/// grows with what is said, as journal and talk do: only that may replace something, and documents are left alone. With a
/// day what held then is told as that, and leads.
pub fn note_outdated(
    found: &mut [Material<'_>],
    is_said: impl Fn(&VaultPath) -> bool,
    asked: Asking<'_>,
) -> Vec<Replacement> {
    let all = sentences(found, is_said, asked.on.is_some());
    let said = statements(&all);
    let question = asked.question.filter(|_| asked.on.is_none());
    let Judged { replaced: mut fate, later } = judged(&said, question);
    // A sentence is read once, however many beside it were replaced.
    let sayings: Vec<OnceCell<Saying>> = all.iter().map(|_| OnceCell::new()).collect();
    let saying = |n: usize| sayings[n].get_or_init(|| Saying::of(&all[n].text, all[n].day));
    echoes(&all, &mut fate, saying);
    overruled(found, &all, &mut fate);
    let mut told = match asked.on {
        Some(day) => told_on(&all, &fate, day),
        None => told_now(&all, &fate),
    };
    told.extend(told_later(&all, &fate, later));
    if let Some(today) = asked.today.filter(|_| asked.on.is_none()) {
        told.extend(told_over(&all, &fate, today));
    }
    if asked.on.is_none() {
        told.extend(told_why(&all, &fate, saying));
        note_before(found, &all, &fate);
    }
    let mut out = Vec::new();
    let mut noted: BTreeMap<usize, Vec<Outdated>> = BTreeMap::new();
    for Told { of, leads_to, since, standing } in told {
        let old = &all[of];
        let (doc, unit) = unit_of(old);
        let to = leads_to.map(|to| unit_of(&all[to]));
        if to == Some((doc, unit)) || fate[of].is_some_and(|fate| (doc, unit) == unit_of(&all[fate.by])) {
            continue;
        }
        let lines = found[doc].units[unit].lines;
        // Of a list only an item may have ended.
        let by = fate[of].filter(|_| standing == Standing::Replaced).map(|fate| all[fate.by].text.as_str());
        let part = by.and_then(|new| parted(&old.text, new)).map(|parts| parts.meant.to_owned());
        let said = Some(part.unwrap_or_else(|| old.text.clone()));
        noted.entry(doc).or_default().push(Outdated { lines, said, since, standing });
        out.extend(to.map(|to| ((doc, unit), to)));
    }
    // What echoes those that are noted now is among them.
    if asked.on.is_none() {
        told::note_echoes(found, &all, saying);
    }
    for (doc, mut noted) in noted {
        // What a page says of its own subject was decided by all that is known of it.
        noted.retain(|new| {
            !found[doc].superseded.iter().any(|old| old.covers(new.lines, new.said.as_deref().unwrap_or("")))
        });
        found[doc].superseded.extend(noted);
    }
    if asked.on.is_none() {
        told::note_names(found, &all);
    }
    revised::note_revised(found);
    found.iter_mut().for_each(Material::mark_title);
    out
}

/// What else of an exchange says the old value, beside a sentence of it that was replaced: the question before it, what was
/// answered to it. A sentence that says the new one, too, tells of the change.
fn echoes<'s>(all: &[Sentence], fate: &mut [Option<Replaced>], saying: impl Fn(usize) -> &'s Saying) {
    let replaced: Vec<(usize, Replaced)> =
        fate.iter().enumerate().filter_map(|(n, one)| Some((n, (*one)?))).filter(|(n, _)| all[*n].is_said).collect();
    let leading: BTreeSet<usize> = replaced.iter().map(|(_, one)| one.by).collect();
    // What else stands beside that may hold.
    let is_change = |(of, by): &(usize, Replaced)| !is_over_alone(&all[*of].text, &all[by.by].text);
    for (of, by) in replaced.into_iter().filter(is_change) {
        let before = Saying::of_replaced(&all[of].text, &all[by.by].text, all[of].day);
        let after = saying(by.by);
        for n in (0..all.len()).filter(|n| all[*n].at.0 == all[of].at.0 && !leading.contains(n)) {
            let one = &all[n];
            if fate[n].is_some() || !one.is_said || one.day != all[of].day {
                continue;
            }
            if saying(n).echoes(&before, after) {
                fate[n] = Some(Replaced { evidence: Evidence::Stale, ..by });
            }
        }
    }
}

/// A page was made of all that is known: where it says that something gave way, and to what, that did not take the place of
/// what it gave way to.
fn overruled(found: &[Material<'_>], all: &[Sentence], fate: &mut [Option<Replaced>]) {
    let is_overruled = |of: &Sentence, by: &Sentence| {
        let one = &found[by.at.0];
        let over = one.superseded.iter().filter(|old| old.covers(one.units[by.at.1].lines, &by.text));
        over.filter_map(told::next_of).any(|next| says_so(next, &of.text))
    };
    for of in 0..fate.len() {
        fate[of] = fate[of].filter(|one| !is_overruled(&all[of], &all[one.by]));
    }
}

/// The material of a sentence, and its unit there.
fn unit_of(one: &Sentence) -> (usize, usize) {
    (one.at.0, one.at.1)
}

/// What is told of a sentence.
struct Told {
    of: usize,
    /// Which sentence whoever finds it is led to, if it is another one.
    leads_to: Option<usize>,
    since: String,
    standing: Standing,
}

/// What no longer holds, with what does.
fn told_now(all: &[Sentence], fate: &[Option<Replaced>]) -> Vec<Told> {
    let found = fate.iter().enumerate().filter_map(|(of, fate)| Some((of, (*fate)?)));
    let told = found.map(|(of, one)| {
        // What takes something back does not say what holds.
        let leads_to = Some(end((all, fate), of, |_| true)).filter(|(to, _)| !takes_back(&all[*to].text));
        let until = one.from.or(all[one.by].day).map(|day| (When::Until, day));
        let now = leads_to.map(|(_, said)| shown(said));
        let leads_to = leads_to.map(|(to, _)| to);
        let since = Remark { when: until, next: now.as_deref().map(|now| (Next::Now, now)) }.to_string();
        Told { of, leads_to, since, standing: Standing::Replaced }
    });
    told.collect()
}

/// What names, in the exchange in which something is told to be otherwise, what that was: why it changed.
fn told_why<'s>(all: &[Sentence], fate: &[Option<Replaced>], saying: impl Fn(usize) -> &'s Saying) -> Vec<Told> {
    let mut out: Vec<Told> = Vec::new();
    for (of, by) in fate.iter().enumerate().filter_map(|(of, fate)| Some((of, fate.as_ref()?.by))) {
        if !all[by].is_said || all[of].at.0 == all[by].at.0 {
            continue;
        }
        let before = Saying::of_replaced(&all[of].text, &all[by].text, all[of].day);
        let is_open = |n: &usize| {
            let one = &all[*n];
            one.at.0 == all[by].at.0
                && one.day == all[by].day
                && fate[*n].is_none()
                && !out.iter().any(|told| told.of == *n)
        };
        let found = (0..by).filter(is_open).filter(|n| saying(*n).mentions(&before, saying(by)));
        let (leads_to, said) = end((all, fate), of, |_| true);
        let since = format!("earlier; {}{}", shown_with(all[leads_to].day), shown(said));
        let told = |of: usize| Told { of, leads_to: None, since: since.clone(), standing: Standing::Earlier };
        let found: Vec<Told> = found.map(told).collect();
        out.extend(found);
    }
    out
}

/// Notes what stood before in the place of what journal and talk say now, where that is an amount or a day.
fn note_before(found: &mut [Material<'_>], all: &[Sentence], fate: &[Option<Replaced>]) {
    let held = |fate: &Replaced| all[fate.by].is_said && fate.evidence != Evidence::Done;
    let changes = fate.iter().enumerate().filter_map(|(of, fate)| Some((of, fate.filter(held)?)));
    for (of, Replaced { by, from, .. }) in changes.filter(|(_, one)| fate[one.by].is_none()) {
        let value = value_before(&all[of].text, &all[by].text, all[of].day);
        // `… instead of 18` says it by itself, with or without the unit.
        let is_named = |value: &&str| {
            let bare = value.split(' ').next().unwrap_or(value);
            parts(&all[by].text).any(|part| part == bare)
        };
        let Some(value) = value.filter(|value| !is_named(value)) else { continue };
        let (doc, unit) = unit_of(&all[by]);
        let until = from.or(all[by].day).map(|day| format!(", until {day}")).unwrap_or_default();
        let (lines, said) = (found[doc].units[unit].lines, all[by].text.clone());
        if !found[doc].preceded.iter().any(|one| one.said == said) {
            found[doc].preceded.push(Preceded { lines, said, before: format!("before: {value}{until}") });
        }
    }
}

/// What stands between blanks in a text, without the marks at its ends.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split_whitespace().map(|part| part.trim_matches(|ch: char| !ch.is_alphanumeric()))
}

/// What answers the question otherwise than something that was said later does.
fn told_later(all: &[Sentence], fate: &[Option<Replaced>], later: Vec<Option<usize>>) -> Vec<Told> {
    let found = later.into_iter().enumerate().filter_map(|(of, by)| Some((of, by?)));
    let is_open = |n: usize| fate[n].is_none() && !is_struck(&all[n].text);
    let open = found.filter(|(of, by)| is_open(*of) && is_open(*by));
    let told = open.map(|(of, by)| {
        let since = format!("earlier; {}{}", shown_with(all[by].day), shown(&all[by].text));
        Told { of, leads_to: Some(by), since, standing: Standing::Earlier }
    });
    told.collect()
}

/// What says until when it is so, where that is over.
fn told_over(all: &[Sentence], fate: &[Option<Replaced>], today: Date) -> Vec<Told> {
    let open = (0..all.len()).filter(|n| fate[*n].is_none() && !is_struck(&all[*n].text));
    let over = open.filter_map(|of| {
        let end = lasts_until(&all[of].text, all[of].day?).filter(|end| *end < today)?;
        Some(Told { of, leads_to: None, since: format!("ended {end}"), standing: Standing::Ended })
    });
    over.collect()
}

/// What held on a day and was replaced later, what took its place, and what had been replaced by then.
fn told_on(all: &[Sentence], fate: &[Option<Replaced>], day: Date) -> Vec<Told> {
    let until = |of: usize| fate[of].and_then(|fate| fate.from.or(all[fate.by].day));
    let since = |n: usize| {
        let named = fate.iter().flatten().filter(|fate| fate.by == n).filter_map(|fate| fate.from).max();
        named.or(all[n].day)
    };
    let then = |until: Date, next: &str| {
        Remark { when: Some((When::Until, until)), next: Some((Next::Then, &shown(next))) }.to_string()
    };
    let mut out: Vec<Told> = Vec::new();
    for (of, by) in fate.iter().enumerate().filter_map(|(of, fate)| Some((of, fate.as_ref()?.by))) {
        let Some(end_of) = until(of) else { continue };
        if end_of <= day {
            let (leads_to, said) = end((all, fate), of, |next| until(next).is_some_and(|until| until <= day));
            let told = then(end_of, said);
            out.push(Told { of, leads_to: Some(leads_to), since: told, standing: Standing::Replaced });
        } else if since(of).is_none_or(|since| since <= day) {
            let told = then(end_of, &all[by].text);
            out.push(Told { of, leads_to: None, since: told, standing: Standing::Held });
            let last = if fate[by].is_some() { end((all, fate), of, |_| true).0 } else { by };
            for (later, begun) in [(by, Some(end_of)), (last, since(last))] {
                let Some(begun) = begun.filter(|begun| *begun > day) else { continue };
                let told = Remark { when: Some((When::Since, begun)), next: None }.to_string();
                out.push(Told { of: later, leads_to: Some(of), since: told, standing: Standing::Later });
            }
        }
    }
    let mut known = BTreeSet::new();
    out.retain(|told| known.insert((told.of, told.leads_to)));
    out
}

/// Where the chain of what took a sentence's place ends, as long as something is so of its links, and what is said there of
/// the same thing. Of a sentence that says several things, what ended another of them is no link.
fn end<'s>(
    (all, fate): (&'s [Sentence], &[Option<Replaced>]),
    of: usize,
    goes_on: impl Fn(usize) -> bool,
) -> (usize, &'s str) {
    let text = |n: usize| all[n].text.as_str();
    let meant = |n: usize, by: &str| parted(text(n), by).map_or(text(n), |parts| parts.meant);
    let (mut n, mut said, mut left) = (of, text(of), fate.len());
    while let Some(next) = fate[n].map(|one| one.by).filter(|next| *next != n && left > 0) {
        let ended = meant(n, text(next));
        if n != of && ended != said && ended != text(n) && said != text(n) {
            return (n, said);
        }
        if n != of && !goes_on(n) {
            break;
        }
        (n, said, left) = (next, meant(next, said), left - 1);
    }
    (n, text(n))
}

/// A day in front of what was said on it.
fn shown_with(day: Option<Date>) -> String {
    day.map(|day| format!("{day}: ")).unwrap_or_default()
}

fn shown(said: &str) -> String {
    cut(said.trim_end_matches('.'), NOW_CHARS_MAX)
}

/// The sentences of the material that may replace others or be replaced, in the order in which they were said. Of a page
/// that is told of a day, what says itself how it stands to it is left out.
pub(super) fn sentences(found: &[Material<'_>], is_said: impl Fn(&VaultPath) -> bool, is_told: bool) -> Vec<Sentence> {
    let mut all: Vec<Sentence> = Vec::new();
    for (n, one) in found.iter().enumerate() {
        // What nobody vouches for changes nothing.
        let is_said = is_said(&one.path) && one.trust != Some(Trust::External);
        if !is_said && !one.is_compiled {
            continue;
        }
        let days = if is_said { Vec::new() } else { days_of_claims(one) };
        for (unit, placed) in one.units.iter().enumerate().filter(|(_, placed)| !placed.unit.is_event) {
            let quoted = |all: &[Span], one_of: Span| {
                let (first, last) = (all.first().map_or(0, |span| span.start), all.last().map_or(0, |span| span.end));
                is_quoted(&one.text[first..last], Span::new(one_of.start - first, one_of.end - first))
            };
            let time = time_in(&placed.heading).or_else(|| time_in(&one.title)).unwrap_or_default();
            for (nth, span) in placed.unit.sentences.iter().enumerate() {
                let text = one_line(&without_marks(span.of(one.text)));
                let Some(text) = without_label(&text) else { continue };
                // What tells how a document changed says by itself what is over.
                if Revision::parse(text.trim_start_matches("- ")).is_some() {
                    continue;
                }
                let text = text.to_owned();
                // What did not stay takes nobody's place.
                let is_stale = |old: &Outdated| old.is_stale() && old.covers(placed.lines, span.of(one.text));
                if one.is_compiled && stale_in(&text).is_some() || one.superseded.iter().any(is_stale) {
                    continue;
                }
                if is_told && one.is_compiled && (is_struck(&text) || standing_of(&text).is_some()) {
                    continue;
                }
                let claim = days.iter().find(|claim| claim.span.start <= span.start && span.start < claim.span.end);
                // What a page says to be over was said before: it says nothing on the day on which that was told.
                if claim.is_some_and(|claim| claim.is_past) {
                    continue;
                }
                let day = if is_said { one.date } else { claim.and_then(|claim| claim.day) };
                // What a page takes from a document is the document's to change.
                if !is_said && day.is_none() {
                    continue;
                }
                let is_quoted = quoted(&placed.unit.sentences, *span);
                let before = nth.checked_sub(1).map(|before| placed.unit.sentences[before].end);
                let is_in_line = before.is_some_and(|end| !one.text[end..span.start].contains('\n'));
                let at = (n, unit, nth);
                all.push(Sentence { at, text, day, time: time.clone(), is_said, is_quoted, is_in_line });
            }
        }
    }
    // A page repeats what was said before it was compiled.
    let place = |one: &Sentence| (one.day, !one.is_said, one.time.clone(), found[one.at.0].path.clone(), one.at);
    all.sort_by_cached_key(place);
    all
}

/// What sentences of the material say, in their order.
pub(super) fn statements(all: &[Sentence]) -> Vec<Said<'_>> {
    let is_next = |a: (usize, usize, usize), b| (a.0, a.1, a.2 + 1) == b;
    let goes_on = |n: usize| all[n].is_in_line && n > 0 && is_next(all[n - 1].at, all[n].at);
    let said = all.iter().enumerate().map(|(n, one)| Said {
        text: &one.text,
        day: one.day,
        exchange: one.at.0,
        may_replace: one.is_said && !one.is_quoted,
        is_action: false,
        goes_on: goes_on(n),
    });
    said.collect()
}

/// What a line of an entry says, without the label of its section or whose words they are; nothing where that is all.
fn without_label(text: &str) -> Option<&str> {
    let label = text.strip_prefix("**").and_then(|rest| rest.split_once(":**"));
    let said = label.filter(|(label, _)| !label.contains("**")).map_or(text, |(_, said)| said.trim_start());
    let said = without_speaker(said);
    (!said.is_empty()).then_some(said)
}

/// A claim of a compiled page.
struct ClaimOf {
    span: Span,
    day: Option<Date>,
    is_past: bool,
}

/// The claims of a compiled page with the last day on which each was said.
fn days_of_claims(page: &Material<'_>) -> Vec<ClaimOf> {
    let last =
        |claim: &Claim| claim.marks().filter_map(|mark| leading_date(mark.cited.as_ref()?.path.file_name())).max();
    let of = |claim: &Claim| ClaimOf { span: claim.span, day: last(claim), is_past: claim.state.is_past() };
    page.claims.iter().map(|counted| of(&counted.claim)).collect()
}

/// The first time of day in a heading: `User (2026-03-10 09:20)`.
fn time_in(heading: &str) -> Option<String> {
    let is_time = |part: &&[u8]| {
        let digit = |n: usize| part[n].is_ascii_digit();
        digit(0) && digit(1) && part[2] == b':' && digit(3) && digit(4)
    };
    heading.as_bytes().windows(5).find(is_time).map(|time| String::from_utf8_lossy(time).into_owned())
}
