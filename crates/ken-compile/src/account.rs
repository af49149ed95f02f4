//! Decides which statements about a subject stand, and which once stood.
//!
//! The same said twice is one claim with several citations. A claim that a reader said replaces another one
//! takes its place: the older one is kept, dated, with both citations. Two that cannot both be true stand
//! side by side as disputed, until one of them is replaced, decided again on a later day, or settled by a person.
//! What nobody vouches for can neither replace nor dispute what somebody does. Which of two is newer is decided by day
//! and place, so that no order of reading matters and nothing can replace itself in a circle.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::claim::SourceRef;
use ken_core::supersede::{Said, names_day, replaced, takes_back};
use ken_core::words::folded_words;
use ken_core::{Date, Digest, VaultPath};

use super::compose::{Statement, shown_text};
use super::ledger::{PairOf, PassageId, Successor};
use super::passage::PassageKind;

mod alike;
mod fate;

pub(crate) use fate::is_replaced_by;
use fate::{Fate, Judged, decide, gives_another, groups, judged, open, set, settles, standing, today, when};

/// Current claims a page shows; older ones beyond are counted and stay in the journal.
const CLAIMS_MAX: usize = 60;
/// Superseded claims a page shows.
const SUPERSEDED_MAX: usize = 40;

/// One claim: a statement with every place that says the same.
#[derive(Debug, Clone)]
pub struct Claim<'a> {
    /// What it says.
    pub statement: &'a Statement,
    /// Every place that says so, that of the statement first.
    pub cited: Vec<&'a SourceRef>,
    /// Who says so independently: each file, and who speaks there.
    voices: BTreeSet<Voice<'a>>,
    /// Every passage that says so in the same words.
    said: Vec<PassageId>,
    /// The first day on which it was said, and the last on which somebody who is vouched for decided it.
    first: Option<Date>,
    decided: Option<Date>,
    /// What names it, see [`claim_id`].
    pub id: String,
}

/// The day on which a statement decides something, if it does.
fn decided(statement: &Statement) -> Option<Date> {
    let decides = statement.kind == PassageKind::Decision && statement.is_believed();
    statement.date.filter(|_| decides)
}

impl Claim<'_> {
    /// Returns a claim that one statement makes.
    pub(crate) fn of(statement: &Statement) -> Claim<'_> {
        let id = claim_id(&shown_text(statement));
        Claim {
            statement,
            cited: vec![&statement.cited],
            voices: voice(statement).into_iter().collect(),
            said: vec![statement.id],
            first: statement.date,
            decided: decided(statement),
            id,
        }
    }

    /// Returns whether somebody said it independently of whoever did first.
    pub fn is_confirmed(&self) -> bool {
        self.voices.len() > 1
    }
}

/// A file, and who speaks in it.
type Voice<'a> = (&'a VaultPath, &'a str);

fn voice(statement: &Statement) -> Option<Voice<'_>> {
    let says = statement.voice.as_deref().filter(|_| statement.is_vouched_for)?;
    Some((&statement.cited.path, says))
}

/// A claim that once stood.
#[derive(Debug, Clone)]
pub struct Superseded<'a> {
    /// What was said.
    pub claim: Claim<'a>,
    /// Until when.
    pub until: Option<Date>,
    /// What says otherwise, and what says so today.
    pub by: Vec<&'a SourceRef>,
    /// What is said today.
    pub now: &'a Statement,
}

/// The claims about a subject by what became of them; newest first.
#[derive(Debug, Default)]
pub struct Account<'a> {
    /// What stands.
    pub current: Vec<Claim<'a>>,
    /// What cannot all be true, dispute by dispute.
    pub disputed: Vec<Vec<Claim<'a>>>,
    /// What stood once.
    pub superseded: Vec<Superseded<'a>>,
    /// Current claims for which the page has no room.
    pub older: Vec<Claim<'a>>,
}

impl Account<'_> {
    /// Returns how far what the page says is agreed on: `high` where at least half of what holds was said by several and
    /// nothing is disputed, `medium` where some of it was, else `low`.
    pub fn confidence(&self) -> &'static str {
        let n_confirmed = self.current.iter().filter(|claim| claim.is_confirmed()).count();
        match n_confirmed {
            0 => "low",
            n if 2 * n >= self.current.len() && self.disputed.is_empty() => "high",
            _ => "medium",
        }
    }

    /// Returns what names all of it: whatever was proposed for the page holds as long as this stays.
    pub fn digest(&self, title: &str) -> String {
        let ids = |mark: &str, ids: Vec<&str>| ids.into_iter().fold(mark.to_owned(), |out, id| out + " " + id);
        let current = ids("current", self.current.iter().map(|claim| claim.id.as_str()).collect());
        let disputed = ids("disputed", self.disputed.iter().flatten().map(|claim| claim.id.as_str()).collect());
        let superseded = ids("superseded", self.superseded.iter().map(|old| old.claim.id.as_str()).collect());
        let text = [title, &current, &disputed, &superseded].join("\n");
        Digest::of(text.as_bytes()).to_string()[..16].to_owned()
    }
}

/// Returns what names a claim: 8 hex digits of its words as they stand on a page.
pub fn claim_id(text: &str) -> String {
    Digest::of(same_words(text).as_bytes()).short()
}

fn same_words(text: &str) -> String {
    folded_words(text).join(" ")
}

/// What the statements about a subject say of each other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Findings {
    /// What no longer holds.
    pub replaced: Vec<(PassageId, Successor)>,
    /// What cannot both be true, or was settled to.
    pub disputed: Vec<PairOf>,
}

/// Returns what the statements about a subject say of each other.
pub fn found(statements: &[Statement]) -> Findings {
    let claims = distinct(statements);
    let mut by_words = told_by_words(&claims);
    by_words.retain(|old, (by, _)| !gives_another(claims[*old].statement, claims[*by].statement));
    let Judged { mut fate, mut disputes, settled } = judged(&claims);
    by_words.iter().for_each(|(old, (by, _))| set(&mut fate, *old, Fate::Superseded(*by)));
    decide(&claims, &mut fate, &mut disputes);
    let found = |(n, claim): (usize, &Claim<'_>)| {
        let Fate::Superseded(by) = fate[n] else { return None };
        let from = by_words.get(&n).filter(|(other, _)| *other == by).and_then(|(_, from)| *from);
        let new = claims[by].statement;
        let revised = claim.statement.is_revised().then_some(claim.statement.date).flatten();
        let from = revised.or(from).or(begins(new, claim.statement)).or(new.date);
        Some((claim.statement.id, Successor { by: new.id, from }))
    };
    let id = |n: usize| claims[n].statement.id;
    let open = open(&fate, &disputes).into_iter().map(|(a, b)| PairOf::of(id(a), id(b), false));
    let settled = settled.into_iter().map(|(a, b)| PairOf::of(id(a), id(b), true));
    Findings {
        replaced: claims.iter().enumerate().filter_map(found).collect(),
        disputed: open.chain(settled).collect(),
    }
}

/// What all pages found, as far as it is asked of one.
pub struct Known<'k> {
    /// What took the place of a passage.
    pub successor: &'k dyn Fn(PassageId) -> Option<Successor>,
    /// What a passage cannot be true beside.
    pub against: &'k dyn Fn(PassageId) -> Vec<PassageId>,
}

/// Returns the claims that the statements of a page make. What took the place of a passage, or disputes it, may stand
/// `elsewhere`.
pub fn account<'a>(statements: &'a [Statement], elsewhere: &'a [Statement], known: &Known<'_>) -> Account<'a> {
    let mut claims = distinct(statements);
    let n_own = claims.len();
    claims.extend(elsewhere.iter().map(Claim::of));
    let Judged { mut fate, mut disputes, .. } = judged(&claims[..n_own]);
    fate.resize(claims.len(), Fate::Current);
    let places: BTreeMap<PassageId, usize> =
        claims.iter().enumerate().rev().flat_map(|(n, claim)| claim.said.iter().map(move |id| (*id, n))).collect();
    let successor = |claim: &Claim<'_>| (known.successor)(claim.statement.id).filter(|_| !claim.statement.is_rest);
    let successors: Vec<Option<Successor>> = claims.iter().map(successor).collect();
    for (old, by) in (0..claims.len()).filter_map(|n| Some((n, *places.get(&successors[n]?.by)?))) {
        set(&mut fate, old, Fate::Superseded(by));
    }
    // What was taken back took nobody's place, also where that was found without what takes it back.
    let taken_back = |n: usize| match fate[n] {
        Fate::Superseded(by) => takes_back(&claims[by].statement.text),
        _ => false,
    };
    let holds: Vec<usize> =
        (0..claims.len()).filter(|n| matches!(fate[*n], Fate::Superseded(by) if taken_back(by))).collect();
    holds.into_iter().for_each(|n| fate[n] = Fate::Current);
    for (n, id) in (0..n_own).flat_map(|n| claims[n].said.iter().map(move |id| (n, *id))) {
        let others = (known.against)(id);
        disputes.extend(others.iter().filter_map(|other| places.get(other)).map(|other| (n, *other)));
    }
    decide(&claims, &mut fate, &mut disputes);
    let open = open(&fate, &disputes);
    open.iter().flat_map(|(a, b)| [*a, *b]).for_each(|n| set(&mut fate, n, Fate::Disputed));
    alike::join(&claims[..n_own], &mut fate[..n_own]);
    merge(&mut claims, &fate);
    let mut account = Account::default();
    for (n, claim) in claims[..n_own].iter().enumerate() {
        match &fate[n] {
            Fate::Same(_) | Fate::Gone => {}
            Fate::Superseded(by) => {
                let until = successors[n].and_then(|new| new.from).or(claims[*by].statement.date);
                let now = claims[today(&fate, *by)].statement;
                let mut by = vec![&claims[*by].statement.cited];
                by.extend((!by.contains(&&now.cited)).then_some(&now.cited));
                account.superseded.push(Superseded { claim: claim.clone(), until, by, now });
            }
            Fate::Disputed => {}
            Fate::Current => account.current.push(claim.clone()),
        }
    }
    let of_page = |group: &Vec<usize>| group.iter().any(|n| *n < n_own);
    let claims_of = |group: Vec<usize>| group.into_iter().map(|n| claims[n].clone()).collect();
    account.disputed = groups(&open).into_iter().filter(of_page).map(claims_of).collect();
    // What somebody read outranks what was merely extracted.
    let n_read = account.current.iter().filter(|claim| claim.statement.told.is_some()).count();
    let mut room = CLAIMS_MAX.saturating_sub(n_read);
    // Of a document a page holds what was chosen for it.
    let is_placed = |claim: &Claim<'_>| claim.statement.place.is_some();
    let mut n_told = 0;
    let has_room = |claim: &Claim<'_>| {
        let is_told = claim.statement.told.is_some();
        let is_kept = is_placed(claim) || is_told || room > 0;
        room -= usize::from(is_kept && !is_placed(claim) && !is_told);
        n_told += usize::from(is_kept && !is_placed(claim));
        is_placed(claim) || is_kept && n_told <= CLAIMS_MAX
    };
    (account.current, account.older) = account.current.into_iter().partition(has_room);
    account.superseded.truncate(SUPERSEDED_MAX);
    account
}

/// The day from which a reader said that a statement holds. What the one before it names is the old value.
fn begins(new: &Statement, old: &Statement) -> Option<Date> {
    let from = new.told.as_deref().and_then(|told| told.valid_from).filter(|_| !new.is_unverified());
    from.filter(|from| !names_day(&old.text, old.date, *from))
}

/// The statements, the same said twice as one with both citations; newest first.
fn distinct(statements: &[Statement]) -> Vec<Claim<'_>> {
    let has_claims = statements.iter().any(|statement| is_claim(statement.kind));
    let mut sorted: Vec<&Statement> =
        statements.iter().filter(|statement| is_claim(statement.kind) || !has_claims).collect();
    sorted.sort_by(|a, b| (b.date, &b.cited.path, a.line, &a.text).cmp(&(a.date, &a.cited.path, b.line, &b.text)));
    let mut by_words: BTreeMap<String, usize> = BTreeMap::new();
    let mut cited: BTreeSet<(usize, &SourceRef)> = BTreeSet::new();
    let mut out: Vec<Claim<'_>> = Vec::new();
    for statement in sorted {
        // What a document says again, it says of something else.
        let place = statement.place.as_ref().map(|place| format!("{} {} ", statement.cited.path, place.nth));
        let same = place.unwrap_or_default() + &same_words(&statement.text);
        // What settles a dispute says something again, and more than that.
        let same = if settles(statement).is_some() { format!("settles {} {same}", statement.cited) } else { same };
        match by_words.get(&same) {
            Some(n) => {
                out[*n].said.push(statement.id);
                out[*n].first = out[*n].first.min(statement.date);
                out[*n].decided = out[*n].decided.max(decided(statement));
                out[*n].voices.extend(voice(statement));
                agree(&mut out[*n], statement, cited.insert((*n, &statement.cited)));
            }
            None => {
                cited.insert((out.len(), &statement.cited));
                by_words.insert(same, out.len());
                out.push(Claim::of(statement));
            }
        }
    }
    out
}

/// Takes a statement that says what a claim says: the claim is said by whom is believed most.
fn agree<'a>(claim: &mut Claim<'a>, statement: &'a Statement, is_new: bool) {
    if statement.doubt() < claim.statement.doubt() {
        claim.statement = statement;
        claim.cited.retain(|cited| **cited != statement.cited);
        claim.cited.insert(0, &statement.cited);
    } else if is_new {
        claim.cited.push(&statement.cited);
    }
}

fn is_claim(kind: PassageKind) -> bool {
    matches!(kind, PassageKind::Decision | PassageKind::Lesson | PassageKind::Statement | PassageKind::Action)
}

/// Which claims a later one says by its own words to be no longer true, each with that one and the day it names for it.
/// What documents say is theirs to change, but for what was adopted of another compiler.
fn told_by_words(claims: &[Claim<'_>]) -> BTreeMap<usize, (usize, Option<Date>)> {
    let is_said = |n: &usize| {
        let statement = claims[*n].statement;
        let is_of_days = statement.place.as_ref().is_none_or(|place| place.is_adopted && place.blocks.is_empty());
        is_claim(statement.kind) && is_of_days && settles(statement).is_none() && !statement.is_revised()
    };
    let mut order: Vec<usize> = (0..claims.len()).filter(is_said).collect();
    order.sort_by(|a, b| when(&claims[*a]).cmp(&when(&claims[*b])).then(b.cmp(a)));
    let texts: Vec<String> = order.iter().map(|n| shown_text(claims[*n].statement)).collect();
    let mut exchanges: BTreeMap<(u32, u16), usize> = BTreeMap::new();
    let said: Vec<Said<'_>> = order
        .iter()
        .zip(&texts)
        .map(|(n, text)| {
            let statement = claims[*n].statement;
            let next = exchanges.len();
            let exchange = *exchanges.entry((statement.id.file, statement.id.entry)).or_insert(next);
            let (may_replace, is_action) = (statement.is_believed(), statement.kind == PassageKind::Action);
            Said { text, day: statement.date, exchange, may_replace, is_action, goes_on: false }
        })
        .collect();
    let found = replaced(&said);
    order.iter().zip(found).filter_map(|(old, found)| Some((*old, (order[found?.by], found?.from)))).collect()
}

/// Gives each claim the citations of those that say the same.
fn merge<'a>(claims: &mut [Claim<'a>], fate: &[Fate]) {
    let mut known: BTreeMap<usize, BTreeSet<&'a SourceRef>> = BTreeMap::new();
    for n in (0..claims.len()).filter(|n| matches!(fate[*n], Fate::Same(_))) {
        let (to, cited) = (standing(fate, n), claims[n].cited.clone());
        let known = known.entry(to).or_insert_with(|| claims[to].cited.iter().copied().collect());
        claims[to].cited.extend(cited.into_iter().filter(|cited| known.insert(cited)));
        let voices = claims[n].voices.clone();
        claims[to].voices.extend(voices);
    }
}

#[cfg(test)]
mod tests;
