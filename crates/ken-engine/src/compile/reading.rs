//! Puts what a model read of an entry in the place of what was extracted from it.
//!
//! A reading covers a portion: passages inside it give way to the reading's claims, those of portions that
//! nobody read stay. So a portion whose reply is of no use is compiled as without a model, and the rest of
//! its entry is not held up. Tool runs stay, because they date files and are no claims.
//!
//! A reading that says far less than was extracted is not taken, and one that cites less than half of it only takes the
//! place of what it cites: a model that is lazy, cut short or talked into it must not empty the wiki.

use std::collections::BTreeSet;

use ken_core::claim::quote;
use ken_core::orders::order;
use serde_json::Value;

use crate::engine::Engine;
use crate::propose::check::Report;
use crate::propose::kinds::Kind;
use crate::propose::kinds::compile::{self, ClaimKind, ReadClaim, ReadConnection, Reading};
use crate::propose::kinds::doubt::{Doubts, Verdicts};
use crate::propose::record::Replies;
use crate::propose::task::has_form;
use ken_compile::Reader;
use ken_compile::passage::{Entry, Learned, Passage, PassageKind, Places};
use ken_compile::portion::Portion;
use ken_compile::told::{About, Thin, Told};

/// Readings that are recorded.
#[derive(Clone, Copy)]
pub(super) struct Readings<'a> {
    engine: &'a Engine,
    replies: &'a Replies,
}

impl<'a> Readings<'a> {
    /// Returns the recorded readings, or none when nothing was ever read by a model.
    pub(super) fn of(engine: &'a Engine, replies: &'a Replies) -> Option<Readings<'a>> {
        replies.inputs(Kind::Compile).next().map(|_| Readings { engine, replies })
    }

    /// Returns what names the readings of an entry, 0 when there are none.
    pub(super) fn fingerprint(&self, entry: &Entry) -> u64 {
        self.fingerprint_of(entry.portions.iter().map(|portion| portion.digest.as_str()))
    }

    /// Returns the same of portions by their digests.
    pub(super) fn fingerprint_of<'p>(&self, portions: impl Iterator<Item = &'p str> + Clone) -> u64 {
        self.replies.fingerprint_of_readings(portions)
    }

    fn reading(&self, portion: &Portion) -> Option<Reading> {
        if !self.replies.has(Kind::Compile, &portion.digest) {
            return None;
        }
        self.reading_with(portion, &self.engine.verdicts(self.replies, portion))
    }

    fn reading_with(&self, portion: &Portion, verdicts: &Verdicts) -> Option<Reading> {
        let record = self.engine.standing(self.replies, Kind::Compile, &portion.digest)?;
        let reply: Value = ken_model::json_of(&record.reply)?;
        if has_form(Kind::Compile, &reply).is_err() {
            return None;
        }
        let mut report = Report::default();
        let reading = compile::check(&reply, portion, (&record.shown, verdicts), &mut report);
        let holds = !reading.claims.is_empty() || !reading.connections.is_empty();
        // To say that nothing is worth keeping is a reading; to say only what does not hold is none.
        (holds || report.rejected.is_empty()).then_some(reading)
    }
}

impl Readings<'_> {
    /// Returns what is doubted of an entry as it was extracted, whatever was said of it, portion by portion.
    pub(super) fn doubts(&self, entry: &Entry) -> Vec<Doubts> {
        let of = |portion: &Portion| {
            let has_reading = self.replies.has(Kind::Compile, &portion.digest);
            let reading = has_reading.then(|| self.reading_with(portion, &Verdicts::default()))??;
            let is_taken = thinness(&reading, portion, &entry.passages).is_none();
            let is_doubted = is_taken && !reading.doubted.is_empty();
            is_doubted.then(|| Doubts { portion: portion.clone(), claims: reading.doubted, is_talk: false })
        };
        entry.portions.iter().filter_map(of).collect()
    }
}

impl Reader for Readings<'_> {
    fn put_into(&self, entry: &mut Entry, places: &mut Places<'_>) {
        let read = entry.portions.iter().filter_map(|portion| Some((portion, self.reading(portion)?)));
        let (thin, read): (Vec<_>, Vec<_>) =
            read.partition(|(portion, reading)| thinness(reading, portion, &entry.passages).is_some());
        entry.thin = thin.iter().filter_map(|(portion, reading)| thinness(reading, portion, &entry.passages)).collect();
        // A document keeps its page, whatever a reader thinks of it.
        let is_open = |(portion, reading): &(&Portion, Reading)| {
            let claims = reading.doubted.clone();
            !self.engine.is_asked(&Doubts { portion: (*portion).clone(), claims, is_talk: false }, self.replies)
        };
        entry.has_doubts = read.iter().any(is_open);
        let is_empty = read.iter().all(|(_, reading)| reading.claims.is_empty());
        if entry.is_document() && is_empty {
            return;
        }
        let settles = |passage: &Passage| passage.told.as_ref().is_some_and(|told| told.settled.is_some());
        let is_sparse: Vec<bool> =
            read.iter().map(|(portion, reading)| is_sparse(reading, portion, &entry.passages)).collect();
        let is_read = |passage: &Passage| {
            passage.kind.is_said()
                && !settles(passage)
                && read.iter().zip(&is_sparse).any(|((portion, reading), is_sparse)| {
                    let (first, last) = portion.range();
                    let is_unread = reading.unread.iter().filter_map(|lines| portion.in_file(*lines));
                    first <= passage.lines.0
                        && passage.lines.0 <= last
                        && (!*is_sparse || is_cited(reading, portion, passage))
                        && !is_unread
                            .into_iter()
                            .any(|(first, last)| first <= passage.lines.0 && passage.lines.1 <= last)
                })
        };
        let mut passages = std::mem::take(&mut entry.passages);
        passages.retain(|passage| !is_read(passage));
        for (portion, reading) in &read {
            let claims = reading.claims.iter().filter_map(|claim| claim_passage(portion, claim, reading));
            passages.extend(claims);
            passages
                .extend(reading.connections.iter().filter_map(|joined| connection_passage(portion, joined, reading)));
        }
        passages.sort_by(|a, b| a.lines.cmp(&b.lines).then(a.told.is_some().cmp(&b.told.is_some())));
        let mut last: Option<((usize, usize), String)> = None;
        for passage in &mut passages {
            let Some(told) = passage.told.as_mut().filter(|told| told.settled.is_none()) else { continue };
            // Many claims may rest on one line.
            let known = last.take().filter(|(lines, _)| *lines == passage.lines);
            let (_, quoted) = last.insert(known.unwrap_or_else(|| {
                let cited = places.cited(passage.lines).replace("**", "");
                (passage.lines, quote(cited.trim_start_matches(['-', '*', '#', '>', ' '])))
            }));
            told.quote.clone_from(quoted);
            passage.digest = places.digest(passage.lines);
        }
        entry.passages = passages;
    }
}

/// A reading may put up to so many decisions and lessons into one claim: they were picked out as settled, and two
/// or three of them may say one thing.
const SETTLED_A_CLAIM_MAX: usize = 3;

/// The same of everything that was extracted: most of a conversation may be worth nothing, and nothing of it at
/// all where something was extracted is no reading.
const PASSAGES_A_CLAIM_MAX: usize = 12;

/// Returns how many statements a reading has at least that stands in the place of so many decisions and lessons among so
/// many extracted statements.
pub(crate) fn least(n_settled: usize, n_extracted: usize) -> usize {
    n_settled.div_ceil(SETTLED_A_CLAIM_MAX).max(n_extracted.div_ceil(PASSAGES_A_CLAIM_MAX))
}

/// What was extracted of a portion and may be a claim.
fn extracted<'p>(portion: &Portion, passages: &'p [Passage]) -> Vec<&'p Passage> {
    let (first, last) = portion.range();
    let is_here = |passage: &&Passage| first <= passage.lines.0 && passage.lines.0 <= last;
    let is_claim = |passage: &&Passage| {
        use PassageKind::{Action, Decision, Lesson, Statement};
        matches!(passage.kind, Decision | Lesson | Statement | Action) && order(&passage.text).is_none()
    };
    passages.iter().filter(is_here).filter(is_claim).collect()
}

/// Whether a reading cites lines of a passage.
fn is_cited(reading: &Reading, portion: &Portion, passage: &Passage) -> bool {
    let cited = reading.claims.iter().map(|claim| claim.lines).chain(reading.connections.iter().map(|one| one.lines));
    let mut cited = cited.filter_map(|lines| portion.in_file(lines));
    cited.any(|(a, b)| a.min(b) <= passage.lines.1 && passage.lines.0 <= a.max(b))
}

/// Whether a reading cites less than half of what was extracted: then what it does not cite stays, since nothing tells
/// what is worth nothing from what was not read.
fn is_sparse(reading: &Reading, portion: &Portion, passages: &[Passage]) -> bool {
    let extracted = extracted(portion, passages);
    2 * extracted.iter().filter(|passage| is_cited(reading, portion, passage)).count() < extracted.len()
}

/// Returns how thin a reading is, if it is too thin to stand where extraction stands.
fn thinness(reading: &Reading, portion: &Portion, passages: &[Passage]) -> Option<Thin> {
    let (first, last) = portion.range();
    let extracted = extracted(portion, passages);
    let is_settled = |passage: &&&Passage| matches!(passage.kind, PassageKind::Decision | PassageKind::Lesson);
    let n_settled = extracted.iter().filter(is_settled).count();
    // What was said and does not hold leaves the lines that it cites as they were extracted.
    let unread: BTreeSet<(usize, usize)> = reading.unread.iter().copied().collect();
    let n_read = reading.claims.len() + reading.connections.len() + unread.len();
    let n_least = least(n_settled, extracted.len());
    (n_read < n_least).then_some(Thin { lines: (first, last), n_read, n_extracted: extracted.len() })
}

fn about(names: &[String], reading: &Reading) -> Vec<About> {
    names.iter().map(|name| About { name: name.clone(), card: reading.cards.get(name).cloned() }).collect()
}

fn claim_passage(portion: &Portion, claim: &ReadClaim, reading: &Reading) -> Option<Passage> {
    let kind = match claim.kind {
        ClaimKind::Decision => PassageKind::Decision,
        ClaimKind::Lesson => PassageKind::Lesson,
        ClaimKind::Fact => PassageKind::Statement,
        ClaimKind::Todo => PassageKind::Action,
    };
    let told = Told {
        about: about(&claim.subjects, reading),
        is_connection: false,
        same_as: claim.same_as.clone(),
        replaces: claim.replaces.clone(),
        disputes: claim.disputes.clone(),
        quote: String::new(),
        is_unverified: claim.is_unverified,
        slot: claim.slot.clone(),
        speaker: claim.speaker.clone(),
        settles: claim.settles.clone(),
        valid_from: claim.valid_from,
        renames: claim.renames.clone(),
        settled: None,
        revised: None,
    };
    passage(portion, &claim.text, claim.lines, kind, told)
}

fn connection_passage(portion: &Portion, joined: &ReadConnection, reading: &Reading) -> Option<Passage> {
    let told = Told { about: about(&joined.subjects, reading), is_connection: true, ..Told::default() };
    passage(portion, &joined.text, joined.lines, PassageKind::Statement, told)
}

fn passage(portion: &Portion, text: &str, lines: (usize, usize), kind: PassageKind, told: Told) -> Option<Passage> {
    let (first, last) = portion.in_file(lines)?;
    // Lines of an HTML file need not stand in the order of its text.
    let lines = (first.min(last), first.max(last));
    let (text, told) = (text.to_owned(), Some(Box::new(told)));
    Some(Passage { text, lines, kind, place: None, cited: None, digest: String::new(), told, learned: Learned::Plain })
}
