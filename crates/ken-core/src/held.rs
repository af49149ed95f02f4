//! What held on a day, by all that is known now.
//!
//! The other clock of a vault: not what had been said by a day, but what is believed to have held then, also by what was
//! said later. [`page_on`] tells a page of that day: what held then and was replaced since is an ordinary claim again and
//! says until when it held and what came then, what took its place says since when it holds, and what had been replaced
//! by then says what held instead. What else was first said later says so, since nobody knows how long it had held. Every
//! line stays where it is. [`marks`] reads the same off such a page again, for the lines that it cites.

use std::collections::BTreeMap;

use crate::as_of::{header::set, says, with};
use crate::claim::{Claim, ClaimState, Mark, SourceRef};
use crate::header::FieldName;
use crate::markdown::{BlockKind, blocks};
use crate::page::outline::{
    DETAILS, Next, Remark, SUPERSEDED, When, as_next, claims, footnotes, is_struck, struck, told, with_next,
    without_marks,
};
use crate::page::{Page, parse_page};
use crate::path::VaultPath;
use crate::span::Span;
use crate::time::{Date, leading_date};

/// How something stands to the day that is asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Standing {
    /// It had been replaced, or nobody asks about a day.
    #[default]
    Replaced,
    /// It held, and was replaced later.
    Held,
    /// It took the place of what held, later.
    Later,
    /// It cannot be true beside something else, and nobody said which holds.
    Disputed,
    /// What is asked was answered otherwise later; nobody said that it was replaced.
    Earlier,
    /// It says until when it is so, and that is over.
    Ended,
    /// The code that it names is gone or has moved.
    Drifted,
}

/// Returns the text of a page, told of a day; `day_of` says of when a cited file is.
pub fn page_on(path: &VaultPath, text: &str, day: Date, day_of: &dyn Fn(&VaultPath) -> Option<Date>) -> String {
    let page = parse_page(path, text.to_owned()).value;
    if !page.is_owned() {
        return text.to_owned();
    }
    let told = Told::read(&page, day, day_of);
    let mut edits: Vec<(Span, String)> = Vec::new();
    for (n, claim) in told.claims.iter().enumerate() {
        let is = told.claim(n);
        if is != claim.span.of(text) {
            edits.push((claim.span, is));
        }
    }
    if (0..told.claims.len()).any(|n| told.standing(n) == Some(Standing::Held)) {
        let all = blocks(text, page.body());
        let old = all.filter(|block| matches!(block.kind, BlockKind::Heading(_)) && block.span.of(text) == SUPERSEDED);
        edits.extend(old.map(|block| (block.span, DETAILS.to_owned())));
    }
    edits.sort_by_key(|(span, _)| span.start);
    let tldr = told.tldr();
    let out = with(text, &edits);
    match tldr {
        Some(tldr) => set(out, FieldName::Tldr, tldr.as_str().into()),
        None => out,
    }
}

/// Returns whether a page says of something that it holds until a day that is yet to come.
///
/// ```
/// # use ken_core::held::tells_of_what_comes;
/// let page = "- ~~The box costs 13 euros~~ until 2026-06-01; now: From 1 June the box costs 14 euros.";
/// let tells = |today: &str| tells_of_what_comes(page, today.parse().expect("a day"));
/// assert!(tells("2026-05-31") && !tells("2026-06-01"));
/// ```
pub fn tells_of_what_comes(text: &str, today: Date) -> bool {
    text.match_indices(UNTIL)
        .any(|(at, mark)| leading_date(&text[at + mark.len()..]).is_some_and(|until| until > today))
}

/// What stands between a claim that was replaced and the day until which it held.
const UNTIL: &str = "~~ until ";

/// The claims of a page, told of a day.
struct Told<'p> {
    page: &'p Page,
    day: Date,
    claims: Vec<Claim>,
    /// Of each claim: since when it holds, as far as that shows.
    since: Vec<Option<Date>>,
    /// Of each claim: which took its place, if that stands on the page.
    next: Vec<Option<usize>>,
}

impl<'p> Told<'p> {
    fn read(page: &'p Page, day: Date, day_of: &dyn Fn(&VaultPath) -> Option<Date>) -> Told<'p> {
        let claims = claims(page);
        let said = |mark: &Mark| day_of(&mark.cited.as_ref()?.path);
        let mut since: Vec<Option<Date>> = claims.iter().map(|claim| claim.own.iter().filter_map(said).min()).collect();
        for (since, _) in since.iter_mut().zip(&claims).filter(|(_, claim)| is_told_at_its_end(claim, day_of)) {
            *since = None;
        }
        let find = |old: &Claim| {
            let mark = old.by.first()?;
            // Of a document several claims rest on the same lines.
            let is_there = |claim: &Claim| claim.own.iter().any(|own| own.label == mark.label);
            let is_it = |claim: &Claim| old.by.len() == 1 && is_there(claim) && is_now_of(old, claim);
            let now = claims.iter().position(is_it);
            now.or_else(|| claims.iter().position(|claim| claim.is_at(mark)))
        };
        let next: Vec<Option<usize>> = claims.iter().map(|claim| until(claim).and_then(|_| find(claim))).collect();
        for (old, new) in next.iter().enumerate().filter_map(|(old, new)| Some((old, (*new)?))) {
            since[new] = until(&claims[old]).or(since[new]);
        }
        Told { page, day, claims, since, next }
    }

    /// How a claim stands to the day, if it was replaced or took something's place.
    fn standing(&self, n: usize) -> Option<Standing> {
        let has_begun = self.since[n].is_none_or(|since| since <= self.day);
        match until(&self.claims[n]) {
            Some(until) if has_begun && until > self.day => Some(Standing::Held),
            Some(until) if until <= self.day => Some(Standing::Replaced),
            Some(_) => None,
            None => (!has_begun && self.takes_a_place(n)).then_some(Standing::Later),
        }
    }

    /// On which later day a claim was said first that replaced nothing and was not replaced.
    fn said_later(&self, n: usize) -> Option<Date> {
        self.since[n].filter(|since| !self.claims[n].state.is_past() && *since > self.day)
    }

    /// Whether a claim took the place of one that held on the day, at once or in the end.
    fn takes_a_place(&self, n: usize) -> bool {
        let is_mark = |mark: &Mark| self.claims[n].own.iter().any(|own| own.label == mark.label);
        let is_last = |claim: &Claim| claim.by.last().is_some_and(is_mark);
        let olds = self.claims.iter().zip(&self.next);
        let mut held = olds.filter(|(claim, _)| until(claim).is_some_and(|until| until > self.day));
        held.any(|(claim, next)| *next == Some(n) || is_last(claim) && is_now_of(claim, &self.claims[n]))
    }

    /// What a claim says, told of the day.
    fn claim(&self, n: usize) -> String {
        let claim = &self.claims[n];
        let said = claim.span.of(&self.page.text);
        let remark = |when: When, day: Date| Remark { when: Some((when, day)), next: None };
        let then = match self.standing(n) {
            // No page is told so of a day.
            None | Some(Standing::Disputed | Standing::Earlier | Standing::Ended | Standing::Drifted) => {
                let later = self.said_later(n).map(|day| remark(When::Said, day).in_brackets(said));
                return later.unwrap_or_else(|| said.to_owned());
            }
            Some(Standing::Later) => {
                let since = self.since[n].map(|since| remark(When::Since, since).in_brackets(said));
                return since.unwrap_or_else(|| said.to_owned());
            }
            Some(Standing::Held) => self.then(n, |_| true),
            Some(Standing::Replaced) => self.then(n, |n| until(&self.claims[n]).is_none_or(|until| until > self.day)),
        };
        let next = then.as_deref().map(|then| (Next::Then, then));
        let marks = |marks: &[Mark]| marks.iter().map(Mark::to_string).collect::<String>();
        match until(claim).filter(|until| *until > self.day) {
            Some(until) => {
                let remark = Remark { next, ..remark(When::Until, until) };
                format!("{} ({remark}).{}", struck(claim, &self.page.text), marks(&claim.own))
            }
            None => {
                let marks = marks(&claim.own) + &marks(&claim.by);
                with_next(said, next, &marks).unwrap_or_else(|| said.to_owned())
            }
        }
    }

    /// What came in the place of a claim: the first for which something is so.
    fn then(&self, n: usize, is_wanted: impl Fn(usize) -> bool) -> Option<String> {
        let mut at = n;
        for _ in 0..self.claims.len() {
            match self.next[at] {
                Some(next) if is_wanted(next) => return Some(as_next(&self.claims[next].text)),
                Some(next) => at = next,
                None => break,
            }
        }
        let by = self.claims[at].by.first()?;
        // Where only one place is cited, what holds now came at once.
        let now = self.claims[at].state.now().filter(|_| self.claims[at].by.len() == 1).map(str::to_owned);
        let quote = || by.cited.as_ref().map(|cited| cited.quote.clone()).filter(|quote| !quote.is_empty());
        now.or_else(quote).map(|text| as_next(&text))
    }

    /// What held on the day in the place of a tldr that holds since, or was said since; empty where nothing is known of it.
    fn tldr(&self) -> Option<String> {
        let tldr = self.page.scalar(FieldName::Tldr)?;
        let is_later = |n: usize| self.standing(n) == Some(Standing::Later) || self.said_later(n).is_some();
        let sayers: Vec<usize> = (0..self.claims.len()).filter(|n| says(&self.claims[*n].text, &tldr)).collect();
        let later = sayers.first().copied().filter(|_| sayers.iter().all(|n| is_later(*n)))?;
        let held = (0..self.claims.len()).find(|n| {
            let leads = self.next[*n] == Some(later) || is_now_of(&self.claims[*n], &self.claims[later]);
            self.standing(*n) == Some(Standing::Held) && leads
        });
        Some(held.map_or_else(String::new, |n| without_marks(&self.claim(n))))
    }
}

/// Returns whether a claim is what another one says that holds now.
pub(crate) fn is_now_of(old: &Claim, claim: &Claim) -> bool {
    old.state.now().is_some_and(|now| claim.text.starts_with(now.trim_end_matches('…').trim_end()))
}

/// Returns whether a claim that was replaced was told of on the day on which it ended, since a document said it before: nobody
/// knows since when it held.
pub(crate) fn is_told_at_its_end(claim: &Claim, day_of: &dyn Fn(&VaultPath) -> Option<Date>) -> bool {
    fn path(mark: &Mark) -> Option<&VaultPath> {
        mark.cited.as_ref().map(|cited| &cited.path)
    }
    let own = || claim.own.iter().filter_map(path);
    // The journal has its own folder; a document may be called by a day, too.
    let is_elsewhere = |by: &VaultPath| own().all(|own| own.parent() != by.parent());
    let said = own().filter_map(day_of).min();
    claim.by.last().and_then(path).is_some_and(is_elsewhere) && said.is_some() && said == until(claim)
}

/// Until when a claim held that was replaced; what was done was not wrong.
fn until(claim: &Claim) -> Option<Date> {
    match claim.state {
        ClaimState::Superseded { until, .. } => until,
        _ => None,
    }
}

/// Returns how a sentence of a page that was told of a day stands to it, with what it says of that:
/// `until 2026-03-20; then: …`, `since 2026-03-20`.
pub fn standing_of(sentence: &str) -> Option<(Standing, &str)> {
    let (when, remark) = told(sentence)?;
    Some((if when == When::Until { Standing::Held } else { Standing::Later }, remark))
}

/// Returns the lines that a page which was told of a day cites for what held then and for what holds since, each with the
/// statement that they are cited for and what it says of that.
pub fn marks(page: &Page) -> Vec<(SourceRef, String, Standing, String)> {
    let mut known: BTreeMap<String, Option<(String, Standing, String)>> = BTreeMap::new();
    for claim in claims(page) {
        let said = without_marks(claim.span.of(&page.text));
        let standing = standing_of(&said).filter(|_| !is_struck(&said));
        let standing = standing.map(|(standing, what)| {
            let statement = said.replace(&format!(" ({what})"), "");
            (statement.trim().to_owned(), standing, what.to_owned())
        });
        // What was replaced cites what took its place, too.
        let n_own = if is_struck(&said) { 1 } else { usize::MAX };
        for mark in claim.marks().take(n_own) {
            // What else rests on the same lines holds whatever became of this.
            known.entry(mark.label.clone()).and_modify(|other| *other = None).or_insert_with(|| standing.clone());
        }
    }
    let marks = footnotes(&page.text, page.body()).into_iter().filter_map(|note| {
        let (statement, standing, what) = known.get(&note.label)?.clone()?;
        Some((SourceRef::parse(note.text.of(&page.text))?, statement, standing, what))
    });
    marks.collect()
}

#[cfg(test)]
mod tests;
