//! Why a claim is what it is, in one line.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use ken_core::answer::question_line;
use ken_core::claim::{Claim, ClaimState, Mark};
use ken_core::ground::missing;
use ken_core::page::outline::{Row, What};
use ken_core::revised::Revision;
use ken_core::settled::Settlement;
use ken_core::supersede::{Evidence, Said, replaced};
use ken_core::text::{cut, one_line};
use ken_core::{Date, Page, VaultPath};

use super::all_gone;
use super::trace::Tracer;
use crate::outcome::{BlamedClaim, Cited, PageOf, Proof, Stands};

/// Most characters of a statement in a reason.
const QUOTED_CHARS_MAX: usize = 160;
/// Things that lines do not say, as a reason names them.
const MISSING_MAX: usize = 3;

/// Claims that are named beside one that cannot be true with them.
const DISPUTED_MAX: usize = 20;

/// Where a statement stands.
type Place<'a> = (&'a VaultPath, (usize, usize));

/// Claims by where they were said and what they say, each with where it was said what took its place, and how that shows.
type AllReplaced<'a> = BTreeMap<(Place<'a>, &'a str), (Place<'a>, Evidence)>;

/// What claims of one page are judged with.
pub(super) struct Judge<'a> {
    page: &'a Page,
    of: &'a PageOf,
    is_edited: bool,
    rows: &'a [Row],
    is_known: &'a dyn Fn(&str) -> bool,
    /// What each claim says that was said at one place only, by that place: what a model put together from several
    /// is none of them.
    by_place: BTreeMap<Place<'a>, &'a str>,
    /// What of the page took the place of which of its claims, once somebody asked.
    replaced: OnceCell<AllReplaced<'a>>,
}

impl<'a> Judge<'a> {
    pub(super) fn new(
        page: &'a Page,
        (of, is_edited): (&'a PageOf, bool),
        rows: &'a [Row],
        is_known: &'a dyn Fn(&str) -> bool,
    ) -> Judge<'a> {
        let mut by_place = BTreeMap::new();
        for (_, claim) in claims(rows).filter(|(_, claim)| claim.own.len() == 1) {
            if let Some(place) = first_place(claim) {
                by_place.entry(place).or_insert(claim.text.as_str());
            }
        }
        Judge { page, of, is_edited, rows, is_known, by_place, replaced: OnceCell::new() }
    }

    /// Returns a claim with where it comes from, and why it is what it is.
    pub(super) fn judged(&self, lines: (usize, usize), claim: &Claim, tracer: &mut Tracer<'_>) -> BlamedClaim {
        let proofs = proofs_of(&claim.own, &claim.text, tracer);
        let by = proofs_of(&claim.by, claim.state.now().unwrap_or(""), tracer);
        let mut disputed_with = Vec::new();
        if claim.state == ClaimState::Disputed {
            let others = claims(self.rows).filter(|(at, other)| other.state == ClaimState::Disputed && *at != lines);
            disputed_with = others.take(DISPUTED_MAX).map(|((line, _), other)| (line, other.text.clone())).collect();
        }
        let (state, reason) = self.doubt(claim, &proofs).unwrap_or_else(|| match &claim.state {
            state if state.is_past() => self.replaced(claim, &proofs, &by, tracer),
            ClaimState::Current => (ClaimState::Current, self.current(claim, &proofs, tracer)),
            state => (state.clone(), why(state, &proofs, &disputed_with)),
        });
        BlamedClaim { claim: claim.clone(), state, reason, disputed_with, proofs, by }
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
        let lacks = if is_checked && !claim.state.is_past() { self.not_said(claim, proofs) } else { Vec::new() };
        if !lacks.is_empty() {
            return Some((ClaimState::Ungrounded, format!("the cited lines do not say {}", lacks.join(", "))));
        }
        match self.of {
            PageOf::Answer(Some(since)) if claim.state == ClaimState::Current => Some((
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
        // Of what is not shown whole nobody can say that it does not say something.
        if cited.iter().any(|cited| cited.is_cut) {
            return Vec::new();
        }
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
    fn current(&self, claim: &Claim, proofs: &[Proof], tracer: &Tracer<'_>) -> String {
        let said = said(proofs);
        if let PageOf::Answer(_) = self.of {
            let pages = claim.links.iter().map(|link| format!("[[{link}]]")).collect::<Vec<_>>().join(", ");
            let from = if pages.is_empty() { "what was found".to_owned() } else { pages };
            let question = question_line(&self.page.title());
            return format!("answers \"{}\" from {from}; {said}", cut(&question, 80));
        }
        let cited = proofs.iter().filter_map(|proof| proof.cited.as_deref().ok());
        let model = cited.clone().find_map(|one| one.model.as_deref());
        let statements = cited.clone().filter(|one| !one.is_document && !one.is_event && one.kind.is_some());
        let n_statements = statements.clone().count();
        if n_statements > 0 && tracer.has_prose() && !statements.clone().any(|one| one.says_it) {
            let last = statements.filter_map(|one| one.day).max().map(|day| format!(", the last of {day}"));
            let from = if n_statements == 1 { "the cited statement" } else { "the cited statements" };
            return format!("a model worded it from {from}{}", last.unwrap_or_default());
        }
        let joins = cited.clone().any(|one| one.is_connection);
        let mut statements = cited.clone().filter(|one| !one.is_document && !one.is_event);
        let can_be_replaced = self.of == &PageOf::Compiled && statements.next().is_some();
        let moved = cited.clone().any(|one| matches!(one.stands, Stands::Moved(..)));
        let moved = if moved { "; its lines moved since it was cited" } else { "" };
        match model {
            Some(model) => {
                let what = if joins { "proposed that this joins both" } else { "proposed this" };
                format!("`{}` {what}, and its quote was found in the source; {said}{moved}", model)
            }
            None if can_be_replaced => format!("{said}; nothing later replaces it{moved}"),
            None => format!("{said}{moved}"),
        }
    }

    /// What took the place of a claim, and how that shows.
    fn replaced(&self, claim: &Claim, proofs: &[Proof], by: &[Proof], tracer: &Tracer<'_>) -> (ClaimState, String) {
        let Some(by) = by.iter().find_map(|proof| proof.cited.as_deref().ok()) else {
            return (claim.state.clone(), "the page names no statement that took its place".to_owned());
        };
        let at = place(by);
        let says = self.text_of(by);
        let says = if says.is_empty() { String::new() } else { format!(": {}", cut(&says, QUOTED_CHARS_MAX)) };
        if matches!(claim.state, ClaimState::Done { .. }) {
            return (claim.state.clone(), format!("a task; {at} says that it was done{says}"));
        }
        if let Some(settled) = Settlement::parse(&statement(&by.text)) {
            let holds = settled.that(true).next().map(|side| format!(": {}", cut(&side.text, QUOTED_CHARS_MAX)));
            let why = format!("a person settled in {at} that it does not hold{}", holds.unwrap_or_default());
            return (claim.state.clone(), why);
        }
        let old = proofs.iter().find_map(|proof| proof.cited.as_deref().ok());
        if let Some(told) = old.and_then(|old| Revision::parse(&statement(&old.text))) {
            let after = told.after.map(|after| format!(": {}", cut(&after, QUOTED_CHARS_MAX))).unwrap_or_default();
            let why = format!("`{}` said it before it was changed, and said something else then{after}", told.path);
            return (claim.state.clone(), why);
        }
        let model = by.model.as_ref().filter(|_| tracer.says_replaces(by, &claim.text));
        if let Some(model) = model {
            let model = model_name(model);
            return (claim.state.clone(), format!("`{model}` read {at} as taking its place{says}"));
        }
        let evidence = old.and_then(|old| self.evidence((claim, old), by));
        let how = match evidence {
            Some(Evidence::Pair) => ", which names the old and the new",
            Some(Evidence::Change) => ", which says that it changed",
            Some(Evidence::Restated) => ", which says the same with another value",
            Some(Evidence::End) => ", which says that it ended",
            Some(Evidence::Done) => ", which says that it is done",
            Some(Evidence::Stale) => ", after which it was said once more",
            None => "",
        };
        let state = if evidence == Some(Evidence::End) { ClaimState::Retracted } else { claim.state.clone() };
        let reason = format!("{} by {at}{how}{says}", state.as_str());
        (state, reason)
    }

    /// How the statement shows that took a claim's place: as compiling saw it among all claims of the page, else among
    /// these two.
    fn evidence(&self, (claim, old): (&Claim, &Cited), by: &Cited) -> Option<Evidence> {
        let found = self.replaced.get_or_init(|| self.all_replaced());
        let by_place = (&by.path, by.lines);
        if let Some((_, evidence)) =
            found.get(&((&old.path, old.lines), claim.text.as_str())).filter(|(by, _)| *by == by_place)
        {
            return Some(*evidence);
        }
        let by_text = self.text_of(by);
        let two = [said_as(&claim.text, old.day, 0), said_as(&by_text, by.day, 1)];
        replaced(&two)[0].map(|found| found.evidence)
    }

    fn all_replaced(&self) -> AllReplaced<'a> {
        let place = |(_, claim): ((usize, usize), &'a Claim)| Some((first_place(claim)?, claim.text.as_str()));
        let mut all: Vec<(Place<'a>, &'a str)> = claims(self.rows).filter_map(place).collect();
        let day = |place: &Place<'_>| -> Option<Date> { place.0.stem().parse().ok() };
        all.sort_by(|a, b| (day(&a.0), a).cmp(&(day(&b.0), b)));
        let said: Vec<Said<'_>> =
            all.iter().enumerate().map(|(n, (place, text))| said_as(text, day(place), n)).collect();
        let found = replaced(&said);
        let pairs = all.iter().zip(&found);
        pairs.filter_map(|(old, found)| found.map(|found| (*old, (all[found.by].0, found.evidence)))).collect()
    }

    /// What a statement says that took the place of another: as it stands on the page, else as it was cited.
    fn text_of(&self, by: &Cited) -> String {
        let on_page = self.by_place.get(&(&by.path, by.lines));
        on_page.map_or_else(|| statement(&by.text), |text| (*text).to_owned())
    }
}

fn claims(rows: &[Row]) -> impl Iterator<Item = ((usize, usize), &Claim)> {
    rows.iter().filter_map(|row| match &row.what {
        What::Claim(claim) => Some((row.lines, claim)),
        _ => None,
    })
}

/// Where a claim was said first.
fn first_place(claim: &Claim) -> Option<Place<'_>> {
    let cited = claim.own.first()?.cited.as_ref()?;
    Some((&cited.path, cited.lines))
}

fn said_as(text: &str, day: Option<Date>, exchange: usize) -> Said<'_> {
    Said { text, day, exchange, may_replace: true, is_action: false, goes_on: false }
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
    let distilled = distilled.map(|model| format!(", in an entry that `{}` wrote", model_name(model)));
    let times = if cited.len() == 1 { "once".to_owned() } else { format!("{} times", cited.len()) };
    format!("said {times}{as_what}{on}{}", distilled.unwrap_or_default())
}

/// The name of a model; of a program what it is, not how it was called.
fn model_name(model: &str) -> &str {
    model.split_whitespace().next().unwrap_or("a model")
}

/// Why a claim is what its page says, where that is neither that it holds nor that it was replaced.
fn why(state: &ClaimState, proofs: &[Proof], disputed_with: &[(usize, String)]) -> String {
    match state {
        ClaimState::Disputed => disputed(disputed_with),
        ClaimState::Synthesis => synthesis(proofs),
        ClaimState::Unverified => "its words may say more than the lines that it cites".to_owned(),
        ClaimState::Stale => "it is of an issue whose work did not stay, and nothing else says it".to_owned(),
        ClaimState::External => "only external sources say it, and nobody here vouches for them".to_owned(),
        _ => format!("a question; {}", said(proofs)),
    }
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
pub(crate) fn statement(text: &str) -> String {
    let text = one_line(text);
    let text = text.trim_start_matches(['-', '*', '+', ' ']);
    let text = ["[ ] ", "[x] ", "[X] "].iter().find_map(|mark| text.strip_prefix(mark)).unwrap_or(text);
    text.replace("**", "")
}
