//! What was said of a subject in order of time, and how it changed. Writes nothing.
//!
//! Reads the pages of the subject as [`Engine::blame`] does: what a page says of its claims and what stands behind them.
//! Which statement took the place of which says the first citation behind a replaced claim; it may stand on another page,
//! then the cited lines speak for themselves. Chains are made by [`ken_core::timeline`].

use std::collections::{BTreeMap, BTreeSet};

use ken_core::claim::ClaimState;
use ken_core::ground::stems;
use ken_core::index::Catalog;
use ken_core::page::HISTORY;
use ken_core::text::cut;
use ken_core::timeline::{By, Told, chains, speaks_of};
use ken_core::{Date, Slug, VaultPath};

use crate::blame::trace::Tracer;
use crate::blame::{named_page, statement};
use crate::engine::Engine;
use crate::failure::Failure;
use crate::outcome::{
    BlameOutcome, BlamedClaim, Change, ChangeStep, Cited, Made, PageOf, Proof, SaidRow, TimelineOutcome,
};

/// Where something was said.
type Place = (VaultPath, (usize, usize));

impl Engine {
    /// Returns how what is said of a subject changed, and with `is_all` everything that was said of it, in order of time;
    /// with words only what speaks of them. The page is named as for [`Engine::show`].
    ///
    /// # Errors
    /// When no page has that name, or the vault cannot be read.
    pub fn timeline(&self, subject: &str, words: &[String], is_all: bool) -> Result<TimelineOutcome, Failure> {
        let catalog = self.catalog()?;
        let found = named_page(subject, catalog.as_ref());
        let (page_idx, redirected_from) = found.ok_or_else(|| {
            let failure = self.no_such_page(subject, catalog.as_ref());
            let subject = ken_core::text::cut(subject, 60);
            failure.hint(format!("what journal and talk say of it, `ken ask \"how did {subject} change?\"` tells"))
        })?;
        let asked = (words.join(" "), is_all);
        self.timeline_of((page_idx, redirected_from), (&asked.0, asked.1), catalog.as_ref(), &mut Tracer::new(self)?)
    }

    /// The same of a page that was found by these redirects.
    pub(crate) fn timeline_of(
        &self,
        found: (u32, Vec<Slug>),
        (words, is_all): (&str, bool),
        catalog: &dyn Catalog,
        tracer: &mut Tracer<'_>,
    ) -> Result<TimelineOutcome, Failure> {
        let main = self.blame_page(found, None, catalog, tracer)?;
        let mut pages = vec![main];
        let companion = match &pages[0].of {
            PageOf::Person { companion, .. } => companion.as_ref().and_then(|companion| catalog.find(companion)),
            PageOf::Compiled | PageOf::Answer(_) => None,
        };
        if let Some(page_idx) = companion {
            pages.push(self.blame_page((page_idx, Vec::new()), None, catalog, tracer)?);
        }
        let last = pages.last().map(|page| page.slug.clone());
        if let Some(history) = last.and_then(|slug| history_of(&slug, catalog)) {
            pages.push(self.blame_page((history, Vec::new()), None, catalog, tracer)?);
        }
        let mut all = All::default();
        pages.iter().for_each(|page| all.add(page));
        all.link();
        let (rows, changes, n_said) = all.in_order(words, is_all);
        let mut notes = self.reading_notes();
        notes.extend(undated(&rows));
        let paths = pages.iter().map(|page| page.path.clone()).collect();
        let main = pages.swap_remove(0);
        let BlameOutcome { slug, path, title, redirected_from, .. } = main;
        Ok(TimelineOutcome { slug, path, title, redirected_from, pages: paths, n_said, rows, changes, notes })
    }
}

/// The page of a subject's older claims, if it has one.
pub(crate) fn history_of(slug: &Slug, catalog: &dyn Catalog) -> Option<u32> {
    let page_idx = catalog.find(&Slug::from_text(&format!("{slug}{HISTORY}"))?)?;
    let entry = catalog.entry(page_idx);
    // A subject may be called so itself.
    let leads_back = entry.high.iter().any(|high| Slug::from_text(&high.target).as_ref() == Some(slug));
    (entry.is_owned && leads_back).then_some(page_idx)
}

/// What is said of sentences that have no day.
fn undated(rows: &[SaidRow]) -> Option<String> {
    let n_documents = rows.iter().filter(|row| row.day.is_none() && row.is_of_document).count();
    let sentences = if n_documents == 1 { "1 sentence".to_owned() } else { format!("{n_documents} sentences") };
    (n_documents > 0).then(|| format!("{sentences} of documents without a date; order among them says nothing"))
}

/// Claims of all pages, and what took their place.
#[derive(Default)]
struct All {
    rows: Vec<SaidRow>,
    /// Per row what took its place, and what holds now as the page says it.
    by: Vec<(Vec<Proof>, Option<String>)>,
    /// Per row: the day on which its successor was said, and from which it held.
    entered: Vec<Option<Date>>,
    seen: BTreeSet<(String, Option<Place>)>,
    places: BTreeMap<Place, Vec<usize>>,
}

impl All {
    fn add(&mut self, page: &BlameOutcome) {
        for row in &page.rows {
            let Made::Claim(blamed) = &row.made else { continue };
            let first = blamed.proofs.iter().find_map(cited_of).map(place);
            if !self.seen.insert((blamed.claim.text.clone(), first)) {
                continue;
            }
            let now = blamed.claim.state.now().map(str::to_owned);
            self.push(said(blamed, (page.path.clone(), row.lines.0)), blamed.by.clone(), now);
        }
    }

    fn push(&mut self, row: SaidRow, by: Vec<Proof>, now: Option<String>) -> usize {
        let at = self.rows.len();
        for cited in row.proofs.iter().filter_map(cited_of) {
            self.places.entry(place(cited)).or_default().push(at);
        }
        self.rows.push(row);
        self.by.push((by, now));
        self.entered.push(None);
        at
    }

    /// Finds the row that took the place of each.
    fn link(&mut self) {
        (0..self.rows.len()).for_each(|at| self.split(at));
        for at in 0..self.rows.len() {
            let (by, now) = self.by[at].clone();
            // What a document said before is told on the day on which it ended.
            let is_of_document = by.iter().filter_map(cited_of).next_back().is_some_and(|cited| cited.is_document);
            let row = &mut self.rows[at];
            row.day = row.day.filter(|day| !is_of_document || Some(*day) != row.until);
            let mut before = at;
            let n_by = by.len();
            for (n, proof) in by.iter().enumerate() {
                let Some(cited) = cited_of(proof) else { continue };
                let now = now.as_deref().filter(|now| n + 1 == n_by && !now.ends_with('…'));
                let is_last = n + 1 == n_by;
                let next =
                    self.row_at(cited, before, now).unwrap_or_else(|| self.elsewhere(proof, cited, now, is_last));
                if self.rows[before].by.is_none() && next != before {
                    self.rows[before].by = Some(next);
                    let until = self.rows[before].until;
                    self.entered[before] = if is_of_document { until } else { cited.day };
                    let row = &mut self.rows[next];
                    row.from = row.from.or(until.filter(|until| cited.day != Some(*until)));
                }
                // What took the place of that is known where it stands.
                if self.rows[next].by.is_some() || self.rows[next].at.is_some() {
                    break;
                }
                before = next;
            }
        }
        // What a document says was said when it took the place of what it said before.
        for row in self.rows.iter_mut().filter(|row| row.day.is_none()) {
            row.day = row.from.take();
        }
    }

    /// Moves citations that bear out another claim, and do not say this one, to what took its place: of a claim that held on
    /// for a while after the later statement, the page does not tell them apart.
    fn split(&mut self, at: usize) {
        if self.by[at].0.is_empty() {
            return;
        }
        let is_first_of = |other: &usize, cited: &Cited| {
            *other != at && self.rows[*other].proofs.iter().find_map(cited_of).map(place) == Some(place(cited))
        };
        let is_other = |proof: &Proof| {
            cited_of(proof).is_some_and(|cited| {
                let there = self.places.get(&place(cited));
                !cited.says_it && there.is_some_and(|there| there.iter().any(|other| is_first_of(other, cited)))
            })
        };
        let of_other: Vec<bool> =
            self.rows[at].proofs.iter().enumerate().map(|(n, proof)| n > 0 && is_other(proof)).collect();
        let proofs = std::mem::take(&mut self.rows[at].proofs);
        let (mut other, mut own) = (Vec::new(), Vec::new());
        for (proof, is_other) in proofs.into_iter().zip(of_other) {
            if is_other { other.push(proof) } else { own.push(proof) }
        }
        let row = &mut self.rows[at];
        row.proofs = own;
        row.again =
            row.proofs.iter().filter_map(|proof| cited_of(proof)?.day).max().filter(|day| Some(*day) != row.day);
        self.by[at].0.splice(0..0, other);
    }

    /// The claim of these pages that cited lines bear out; of several the one that says what holds now, or is most like.
    fn row_at(&self, cited: &Cited, old: usize, now: Option<&str>) -> Option<usize> {
        let there = self.places.get(&place(cited))?.iter().copied().filter(|at| *at != old);
        let words = |text: &str| stems(text).into_iter().map(|(_, stem)| stem).collect::<BTreeSet<String>>();
        let wanted = words(now.unwrap_or(&self.rows[old].text));
        there.max_by_key(|at| (words(&self.rows[*at].text).intersection(&wanted).count(), usize::MAX - at))
    }

    /// Adds what took a place and stands on another page.
    fn elsewhere(&mut self, proof: &Proof, cited: &Cited, now: Option<&str>, is_last: bool) -> usize {
        let replaced = ClaimState::Superseded { until: None, now: None };
        let state = if is_last { ClaimState::Current } else { replaced };
        let row = SaidRow {
            day: cited.day,
            again: None,
            from: None,
            until: None,
            text: now.map_or_else(|| statement(&cited.text), str::to_owned),
            state,
            reason: "cited here as what took the place of another; it stands on another page".to_owned(),
            at: None,
            proofs: vec![proof.clone()],
            by: None,
            is_of_document: cited.is_document,
        };
        self.push(row, Vec::new(), None)
    }

    /// The rows in order of time, and the changes, of those that speak of some words; and how many rows do.
    fn in_order(self, words: &str, is_all: bool) -> (Vec<SaidRow>, Vec<Change>, usize) {
        let told = |(row, entered): (&SaidRow, &Option<Date>)| -> (String, Option<Date>, Option<By>) {
            (row.text.clone(), row.day, row.by.map(|at| By { at, day: *entered }))
        };
        let told: Vec<_> = self.rows.iter().zip(&self.entered).map(told).collect();
        let told: Vec<Told<'_>> = told.iter().map(|(text, day, by)| Told { text, day: *day, by: *by }).collect();
        let is_meant: Vec<bool> = self.rows.iter().map(|row| speaks_of(&row.text, row.day, words)).collect();
        let mut kept = is_meant.clone();
        let mut is_of_change = vec![false; kept.len()];
        let mut found = chains(&told);
        found.retain(|chain| chain.steps.iter().flat_map(|step| &step.told).any(|at| is_meant[*at]));
        for at in found.iter().flat_map(|chain| &chain.steps).flat_map(|step| &step.told) {
            (kept[*at], is_of_change[*at]) = (true, true);
        }
        let n_said = kept.iter().filter(|is_kept| **is_kept).count();
        let shown = if is_all { kept } else { is_of_change };
        let mut order: Vec<usize> = (0..self.rows.len()).filter(|at| shown[*at]).collect();
        let key = |at: &usize| {
            let row = &self.rows[*at];
            let day = row.day.or(row.until);
            (day.is_none(), day, row.day.is_some(), row.proofs.iter().find_map(cited_of).map(place))
        };
        order.sort_by_key(key);
        let new: BTreeMap<usize, usize> = order.iter().enumerate().map(|(new, old)| (*old, new)).collect();
        let step = |step: &ken_core::timeline::Step| {
            let mut rows: Vec<usize> = step.told.iter().filter_map(|at| new.get(at)).copied().collect();
            rows.sort_unstable();
            ChangeStep { day: step.day, values: step.values.clone(), rows }
        };
        let is_end = |at: &usize| self.rows[*at].state == ClaimState::Retracted;
        let change = |chain: &ken_core::timeline::Chain| {
            let steps: Vec<ChangeStep> = chain.steps.iter().map(step).collect();
            let before_last = chain.steps.iter().rev().nth(1);
            Change { steps, is_ended: before_last.is_some_and(|step| step.told.iter().any(is_end)) }
        };
        let changes = found.iter().map(change).collect();
        let row = |at: &usize| {
            let row = self.rows[*at].clone();
            SaidRow { by: row.by.and_then(|by| new.get(&by).copied()), ..row }
        };
        (order.iter().map(row).collect(), changes, n_said)
    }
}

fn said(blamed: &BlamedClaim, at: (VaultPath, usize)) -> SaidRow {
    let mut proofs = blamed.proofs.clone();
    proofs.sort_by_key(|proof| cited_of(proof).map(|cited| (cited.day.is_none(), cited.day, place(cited))));
    let days: Vec<Date> = proofs.iter().filter_map(|proof| cited_of(proof)?.day).collect();
    let (first, last) = (days.first().copied(), days.last().copied());
    let mut documents = proofs.iter().filter_map(cited_of).map(|cited| cited.is_document).peekable();
    SaidRow {
        day: first,
        again: last.filter(|last| Some(*last) != first),
        from: None,
        until: blamed.claim.state.ended(),
        text: cut(&blamed.claim.text, Cited::TEXT_CHARS_MAX),
        state: blamed.state.clone(),
        reason: blamed.reason.clone(),
        at: Some(at),
        by: None,
        is_of_document: documents.peek().is_some() && documents.all(|is_document| is_document),
        proofs,
    }
}

fn cited_of(proof: &Proof) -> Option<&Cited> {
    proof.cited.as_deref().ok()
}

fn place(cited: &Cited) -> Place {
    (cited.path.clone(), cited.lines)
}
