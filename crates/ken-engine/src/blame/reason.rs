//! Why a claim is what it is, in one line.

use std::collections::BTreeMap;

use ken_core::answer::question_line;
use ken_core::blame::{Claim, Mark, Row, What, Written};
use ken_core::claim::SourceRef;
use ken_core::ground::missing;
use ken_core::supersede::{Evidence, Said, replaced};
use ken_core::text::{cut, one_line};
use ken_core::{Date, Page, VaultPath};

use super::all_gone;
use super::trace::Tracer;
use crate::outcome::{BlamedClaim, Cited, ClaimState, PageOf, Proof, Stands};

/// Most characters of a statement in a reason.
const QUOTED_CHARS_MAX: usize = 160;
/// Things that lines do not say, as a reason names them.
const MISSING_MAX: usize = 3;

/// The texts of statements that took the place of others, by where they stand.
type Texts = BTreeMap<(VaultPath, (usize, usize)), String>;

/// What claims of one page are judged with.
pub(super) struct Judge<'a> {
    pub(super) page: &'a Page,
    pub(super) of: &'a PageOf,
    pub(super) is_edited: bool,
    pub(super) rows: &'a [Row],
    pub(super) is_known: &'a dyn Fn(&str) -> bool,
}

impl Judge<'_> {
    /// Returns a claim with where it comes from, and why it is what it is.
    pub(super) fn judged(
        &self,
        lines: (usize, usize),
        claim: &Claim,
        tracer: &mut Tracer<'_>,
        texts: &mut Texts,
    ) -> BlamedClaim {
        let proofs = proofs_of(&claim.own, &claim.text, tracer);
        let by_text = match &claim.written {
            Written::Superseded { now: Some(now), .. } => now.as_str(),
            _ => "",
        };
        let by = proofs_of(&claim.by, by_text, tracer);
        let (until, now) = match &claim.written {
            Written::Superseded { until, now, .. } => (*until, now.clone()),
            _ => (None, None),
        };
        let mut disputed_with = Vec::new();
        if claim.written == Written::Disputed {
            let others = self.claims().filter(|(at, other)| other.written == Written::Disputed && *at != lines);
            disputed_with = others.map(|((line, _), other)| (line, other.text.clone())).collect();
        }
        let doubt = self.doubt(claim, &proofs);
        let (state, reason) = doubt.unwrap_or_else(|| match &claim.written {
            Written::Superseded { is_done, .. } => self.replaced((claim, *is_done), &proofs, &by, texts, tracer),
            Written::Disputed => (ClaimState::Disputed, disputed(&disputed_with)),
            Written::Synthesis => (ClaimState::Synthesis, synthesis(&proofs)),
            Written::External => {
                let why = "only external sources say it, and nobody here vouches for them";
                (ClaimState::External, why.to_owned())
            }
            Written::Asked => (ClaimState::Asked, format!("a question; {}", said(&proofs))),
            Written::Plain => (ClaimState::Current, self.current(claim, &proofs)),
        });
        let (text, heading) = (claim.text.clone(), claim.heading.clone());
        BlamedClaim { text, heading, state, reason, until, now, disputed_with, proofs, by }
    }

    fn claims(&self) -> impl Iterator<Item = ((usize, usize), &Claim)> {
        self.rows.iter().filter_map(|row| match &row.what {
            What::Claim(claim) => Some((row.lines, claim)),
            _ => None,
        })
    }

    /// Why a claim is not to be believed as it stands, whatever the page says of it.
    fn doubt(&self, claim: &Claim, proofs: &[Proof]) -> Option<(ClaimState, String)> {
        let is_person = matches!(self.of, PageOf::Person { .. });
        if proofs.is_empty() {
            return Some(match self.of {
                PageOf::Person { .. } => (ClaimState::ByHand, "a person wrote it, and cites nothing".to_owned()),
                PageOf::Answer(stale) if !claim.links.is_empty() => {
                    let pages = claim.links.iter().map(|link| format!("[[{link}]]")).collect::<Vec<_>>().join(", ");
                    let state = if stale.is_some() { ClaimState::Stale } else { ClaimState::Current };
                    (state, format!("taken from {pages}, which cites nothing for it"))
                }
                _ if self.is_edited => {
                    let why = "written here by hand; the next `ken compile` takes it into the journal";
                    (ClaimState::ByHand, why.to_owned())
                }
                _ => (ClaimState::Uncited, "no footnote stands behind it".to_owned()),
            });
        }
        if let Some(why) = proofs.iter().all(|proof| proof.cited.is_err()).then(|| {
            let of_one = |proof: &Proof| proof.cited.as_ref().err().map(|why| format!("`[^{}]` {why}", proof.label));
            proofs.iter().filter_map(of_one).collect::<Vec<_>>().join("; ")
        }) {
            return Some((ClaimState::Uncited, why));
        }
        if all_gone(proofs) {
            return Some((ClaimState::Gone, gone(proofs)));
        }
        let is_checked = self.is_edited || is_person;
        let lacks = if is_checked && !matches!(claim.written, Written::Superseded { .. }) {
            self.not_said(claim, proofs)
        } else {
            Vec::new()
        };
        if !lacks.is_empty() {
            return Some((ClaimState::Ungrounded, format!("the cited lines do not say {}", lacks.join(", "))));
        }
        match self.of {
            PageOf::Answer(Some(since)) if claim.written == Written::Plain => Some((
                ClaimState::Stale,
                format!("what this answer rests on changed since {}", cut(&one_line(since), 40)),
            )),
            _ => None,
        }
    }

    /// What a claim says that its cited lines do not.
    fn not_said(&self, claim: &Claim, proofs: &[Proof]) -> Vec<String> {
        let cited: Vec<&Cited> = proofs.iter().filter_map(|proof| proof.cited.as_deref().ok()).collect();
        let texts: Vec<&str> = cited.iter().map(|cited| cited.text.as_str()).collect();
        let letters = claim.text.trim_end_matches(['.', ' ']);
        if texts.iter().any(|text| text.contains(letters)) {
            return Vec::new();
        }
        let title = self.page.title();
        let is_known = |name: &str| (self.is_known)(name) || title.to_lowercase().contains(&name.to_lowercase());
        let day = cited.first().and_then(|cited| cited.day);
        let found = missing(&claim.text, &texts, day, &is_known);
        found
            .iter()
            .take(MISSING_MAX)
            .map(|one| format!("`{}`", cut(&one_line(&one.text.replace('`', "")), 60)))
            .collect()
    }

    /// Why a claim holds.
    fn current(&self, claim: &Claim, proofs: &[Proof]) -> String {
        let said = said(proofs);
        if let PageOf::Answer(_) = self.of {
            let pages = claim.links.iter().map(|link| format!("[[{link}]]")).collect::<Vec<_>>().join(", ");
            let from = if pages.is_empty() { "what was found".to_owned() } else { pages };
            let question = question_line(&self.page.title());
            return format!("answers \"{}\" from {from}; {said}", cut(&question, 80));
        }
        let cited = proofs.iter().filter_map(|proof| proof.cited.as_deref().ok());
        let model = cited.clone().find_map(|one| one.model.as_deref());
        let joins = cited.clone().any(|one| one.is_connection);
        let mut statements = cited.clone().filter(|one| !one.is_document && !one.is_event);
        let can_be_replaced = self.of == &PageOf::Compiled && statements.next().is_some();
        let moved = cited.clone().any(|one| matches!(one.stands, Stands::Moved(..)));
        let moved = if moved { "; its lines moved since it was cited" } else { "" };
        match model {
            Some(model) => {
                let what = if joins { "proposed that this joins both" } else { "proposed this" };
                format!("`{}` {what}, and its quote was found in the source; {said}{moved}", one_line(model))
            }
            None if can_be_replaced => format!("{said}; nothing later replaces it{moved}"),
            None => format!("{said}{moved}"),
        }
    }

    /// What took the place of a claim, and how that shows.
    fn replaced(
        &self,
        (claim, is_done): (&Claim, bool),
        proofs: &[Proof],
        by: &[Proof],
        texts: &mut Texts,
        tracer: &mut Tracer<'_>,
    ) -> (ClaimState, String) {
        let Some(by) = by.iter().find_map(|proof| proof.cited.as_deref().ok()) else {
            let state = if is_done { ClaimState::Done } else { ClaimState::Replaced };
            return (state, "the page names no statement that took its place".to_owned());
        };
        let at = place(by);
        let says = self.text_of(by, texts);
        let says = if says.is_empty() { String::new() } else { format!(": {}", cut(&says, QUOTED_CHARS_MAX)) };
        if is_done {
            return (ClaimState::Done, format!("a task; {at} says that it was done{says}"));
        }
        let model = by.model.as_ref().filter(|_| tracer.says_replaces(by, &claim.text));
        if let Some(model) = model {
            let model = one_line(model);
            return (ClaimState::Replaced, format!("`{model}` read {at} as taking its place{says}"));
        }
        let old = proofs.iter().find_map(|proof| proof.cited.as_deref().ok());
        let evidence = old.and_then(|old| self.evidence((claim, old), by));
        let how = match evidence {
            Some(Evidence::Pair) => ", which names the old and the new",
            Some(Evidence::Change) => ", which says that it changed",
            Some(Evidence::End) => ", which says that it ended",
            Some(Evidence::Stale) => ", after which it was said once more",
            None => "",
        };
        let state = if evidence == Some(Evidence::End) { ClaimState::Retracted } else { ClaimState::Replaced };
        (state, format!("{} by {at}{how}{says}", state.as_str()))
    }

    /// How the statement shows that took a claim's place: as compiling saw it among all claims of the page, else among
    /// these two.
    fn evidence(&self, (claim, old): (&Claim, &Cited), by: &Cited) -> Option<Evidence> {
        let mut all: Vec<(Option<Date>, &VaultPath, (usize, usize), String)> = Vec::new();
        for (_, other) in self.claims() {
            let Some(cited) = other.own.iter().find_map(|mark| mark.cited.as_ref()) else { continue };
            all.push((cited.path.stem().parse().ok(), &cited.path, cited.lines, other.text.clone()));
        }
        let by_text = statement(&by.text);
        if !all.iter().any(|(_, path, lines, _)| (*path, *lines) == (&by.path, by.lines)) {
            all.push((by.day, &by.path, by.lines, by_text.clone()));
        }
        all.sort_by(|a, b| (a.0, a.1, a.2).cmp(&(b.0, b.1, b.2)));
        let is_old = |one: &(Option<Date>, &VaultPath, (usize, usize), String)| {
            (one.1, one.2) == (&old.path, old.lines) && one.3 == claim.text
        };
        let said: Vec<Said<'_>> = all.iter().enumerate().map(|(n, one)| said_as(&one.3, one.0, n)).collect();
        let found = all.iter().position(is_old).and_then(|n| replaced(&said)[n]);
        let is_by = |n: usize| (all[n].1, all[n].2) == (&by.path, by.lines);
        if let Some(found) = found.filter(|found| is_by(found.by)) {
            return Some(found.evidence);
        }
        let two = [said_as(&claim.text, old.day, 0), said_as(&by_text, by.day, 1)];
        replaced(&two)[0].map(|found| found.evidence)
    }

    /// What a statement says that took the place of another: as it stands on the page, else as it was cited.
    fn text_of(&self, by: &Cited, texts: &mut Texts) -> String {
        let is_it = |mark: &Mark| {
            mark.cited.as_ref().is_some_and(|cited: &SourceRef| (&cited.path, cited.lines) == (&by.path, by.lines))
        };
        let on_page = || {
            let mut found = self.claims().filter(|(_, claim)| claim.own.first().is_some_and(is_it));
            found.next().map(|(_, claim)| claim.text.clone())
        };
        let key = (by.path.clone(), by.lines);
        texts.entry(key).or_insert_with(|| on_page().unwrap_or_else(|| statement(&by.text))).clone()
    }
}

fn said_as(text: &str, day: Option<Date>, exchange: usize) -> Said<'_> {
    Said { text, day, exchange, may_replace: true }
}

fn proofs_of(marks: &[Mark], claim: &str, tracer: &mut Tracer<'_>) -> Vec<Proof> {
    let proof = |mark: &Mark| {
        let cited = match &mark.cited {
            Some(cited) => Ok(Box::new(tracer.follow(cited, claim))),
            None if mark.has_footnote => Err("cites no place in the vault".to_owned()),
            None => Err("has no footnote".to_owned()),
        };
        Proof { label: mark.label.clone(), cited }
    };
    marks.iter().map(proof).collect()
}

/// How often and when something was said, and as what; or which documents say it.
fn said(proofs: &[Proof]) -> String {
    let is_there = |cited: &&Cited| !matches!(cited.stands, Stands::Gone(_));
    let cited: Vec<&Cited> = proofs.iter().filter_map(|proof| proof.cited.as_deref().ok()).filter(is_there).collect();
    let last = cited.iter().filter_map(|one| one.day).max();
    let on = match (cited.len(), last) {
        (_, None) => String::new(),
        (1, Some(day)) => format!(" on {day}"),
        (_, Some(day)) => format!(", last on {day}"),
    };
    if cited.iter().all(|one| one.is_document) {
        let of = last.map(|day| format!(" of {day}")).unwrap_or_default();
        return match cited.len() {
            1 => format!("a document{of} says it"),
            n => format!(
                "{n} places of documents say it{}",
                last.map(|day| format!(", the newest of {day}")).unwrap_or_default()
            ),
        };
    }
    if cited.iter().any(|one| one.is_event) {
        return format!("a tool changed it{on}");
    }
    let as_what = cited.iter().find_map(|one| one.kind).map(|kind| format!(" as {kind}")).unwrap_or_default();
    let distilled = cited.iter().find_map(|one| one.entry.as_ref()?.distilled.as_ref());
    let distilled = distilled.map(|model| format!(", in an entry that `{}` wrote", one_line(model)));
    let times = if cited.len() == 1 { "once".to_owned() } else { format!("{} times", cited.len()) };
    format!("said {times}{as_what}{on}{}", distilled.unwrap_or_default())
}

fn disputed(with: &[(usize, String)]) -> String {
    match with {
        [] => "the page calls it disputed, and names nothing beside it".to_owned(),
        [(line, text)] => format!("cannot be true beside line {line}: {}", cut(text, QUOTED_CHARS_MAX)),
        more => {
            let lines: Vec<String> = more.iter().map(|(line, _)| line.to_string()).collect();
            format!("not all of it can be true beside lines {}", lines.join(", "))
        }
    }
}

fn synthesis(proofs: &[Proof]) -> String {
    let n = proofs.len();
    let places = if n == 1 { "the cited place".to_owned() } else { format!("the {n} cited places") };
    format!("a model concluded it from {places}; nobody said it in these words")
}

fn gone(proofs: &[Proof]) -> String {
    let mut whys: Vec<String> = Vec::new();
    for cited in proofs.iter().filter_map(|proof| proof.cited.as_deref().ok()) {
        if let Stands::Gone(why) = &cited.stands {
            let why = format!("{}: {why}", place(cited));
            if !whys.contains(&why) {
                whys.push(why);
            }
        }
    }
    whys.join("; ")
}

/// Where cited lines stand, as people point at them.
fn place(cited: &Cited) -> String {
    match cited.place() {
        (first, last) if first == last => format!("{}:{first}", cited.path),
        (first, last) => format!("{}:{first}-{last}", cited.path),
    }
}

/// A cited statement without list marker, task box and label.
fn statement(text: &str) -> String {
    let text = one_line(text);
    let text = text.trim_start_matches(['-', '*', '+', ' ']);
    let text = ["[ ] ", "[x] ", "[X] "].iter().find_map(|mark| text.strip_prefix(mark)).unwrap_or(text);
    text.replace("**", "")
}
