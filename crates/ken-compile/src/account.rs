//! Decides which statements about a subject stand, and which once stood.
//!
//! The same said twice is one claim with several citations. A claim that a reader said replaces another one
//! takes its place: the older one is kept, dated, with both citations. Two that cannot both be true stand
//! side by side as disputed, until one of them is replaced, decided again on a later day, or settled by a person. What nobody vouches for can neither replace nor dispute what somebody does.
//! Which of two is newer is decided by day and place, so that no order of reading matters and nothing can
//! replace itself in a circle.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::claim::SourceRef;
use ken_core::settled::{Settlement, Side};
use ken_core::supersede::{Said, replaced};
use ken_core::words::folded_words;
use ken_core::{Date, Digest};

use super::compose::{Statement, shown_text};
use super::ledger::{PairOf, PassageId, Successor};
use super::passage::PassageKind;
use super::settle::is_same_place;

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
    let decides = statement.kind == PassageKind::Decision && statement.is_vouched_for;
    statement.date.filter(|_| decides)
}

impl Claim<'_> {
    fn of(statement: &Statement) -> Claim<'_> {
        let id = claim_id(&shown_text(statement));
        let said = vec![statement.id];
        Claim { statement, cited: vec![&statement.cited], said, first: statement.date, decided: decided(statement), id }
    }
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
    let by_words = told_by_words(&claims);
    let Judged { mut fate, mut disputes, settled } = judged(&claims);
    by_words.iter().for_each(|(old, (by, _))| set(&mut fate, *old, Fate::Superseded(*by)));
    decide(&claims, &mut fate, &mut disputes);
    let found = |(n, claim): (usize, &Claim<'_>)| {
        let Fate::Superseded(by) = fate[n] else { return None };
        let from = by_words.get(&n).filter(|(other, _)| *other == by).and_then(|(_, from)| *from);
        let new = claims[by].statement;
        Some((claim.statement.id, Successor { by: new.id, from: from.or(new.date) }))
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
    let successors: Vec<Option<Successor>> = claims.iter().map(|claim| (known.successor)(claim.statement.id)).collect();
    for (old, by) in (0..claims.len()).filter_map(|n| Some((n, *places.get(&successors[n]?.by)?))) {
        set(&mut fate, old, Fate::Superseded(by));
    }
    for (n, id) in (0..n_own).flat_map(|n| claims[n].said.iter().map(move |id| (n, *id))) {
        let others = (known.against)(id);
        disputes.extend(others.iter().filter_map(|other| places.get(other)).map(|other| (n, *other)));
    }
    decide(&claims, &mut fate, &mut disputes);
    let open = open(&fate, &disputes);
    open.iter().flat_map(|(a, b)| [*a, *b]).for_each(|n| set(&mut fate, n, Fate::Disputed));
    merge(&mut claims, &fate);
    let mut account = Account::default();
    for (n, claim) in claims[..n_own].iter().enumerate() {
        match &fate[n] {
            Fate::Same(_) => {}
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

/// Takes a statement that says what a claim says: the claim is said by whom somebody vouches for, if by anybody.
fn agree<'a>(claim: &mut Claim<'a>, statement: &'a Statement, is_new: bool) {
    let is_better = statement.is_vouched_for && !claim.statement.is_vouched_for;
    if is_better {
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

/// What becomes of a claim because of another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    Current,
    /// It says what that claim says.
    Same(usize),
    /// That claim took its place.
    Superseded(usize),
    Disputed,
}

/// When and where a claim was said: a claim can only be replaced by one that was said after it.
fn when<'a>(claim: &Claim<'a>) -> (Option<Date>, &'a ken_core::VaultPath, (usize, usize)) {
    let statement = claim.statement;
    (statement.date, &statement.cited.path, statement.cited.lines)
}

/// What was read and settled of claims.
struct Judged {
    fate: Vec<Fate>,
    /// Which cannot both be true, whatever became of them since.
    disputes: Vec<(usize, usize)>,
    /// Which were settled to be true beside each other.
    settled: Vec<(usize, usize)>,
}

/// What becomes of each claim by what was read of them, and by what was settled, which comes first.
fn judged(claims: &[Claim<'_>]) -> Judged {
    let said = || claims.iter().enumerate().filter(|(_, claim)| settles(claim.statement).is_none());
    let by_id: BTreeMap<&str, usize> = said().map(|(n, claim)| (claim.id.as_str(), n)).collect();
    let mut judged = Judged { fate: vec![Fate::Current; claims.len()], disputes: Vec::new(), settled: Vec::new() };
    // The newest first: what was settled anew is settled so.
    for (n, settled) in (0..claims.len()).filter_map(|n| Some((n, settles(claims[n].statement)?))) {
        judged.settle(claims, n, settled);
    }
    let fate = &mut judged.fate;
    let verdicts = |n: usize| claims[n].statement.told.as_deref();
    for (n, told) in (0..claims.len()).filter_map(|n| Some((n, verdicts(n)?))) {
        let found = |ids: &[String]| -> Vec<usize> {
            ids.iter().filter_map(|id| by_id.get(id.as_str())).copied().filter(|other| *other != n).collect()
        };
        let mut same = found(&told.same_as);
        if !same.is_empty() {
            same.push(n);
            // What was known first stands, unless nobody vouches for it and somebody does for another.
            let rank = |n: &usize| (!claims[*n].statement.is_vouched_for, when(&claims[*n]));
            let stays = same.iter().copied().min_by(|a, b| rank(a).cmp(&rank(b))).unwrap_or(n);
            same.retain(|other| *other != stays);
            same.into_iter().for_each(|goes| set(fate, goes, Fate::Same(stays)));
        }
        let may_change = |other: usize| claims[n].statement.is_vouched_for || !claims[other].statement.is_vouched_for;
        let is_newer = |other: &usize| when(&claims[n]) > when(&claims[*other]);
        for other in found(&told.replaces).into_iter().filter(|other| is_newer(other) && may_change(*other)) {
            set(fate, other, Fate::Superseded(n));
        }
        let others = found(&told.disputes).into_iter().filter(|other| may_change(*other));
        judged.disputes.extend(others.map(|other| (n, other)));
    }
    let settled: BTreeSet<(usize, usize)> = judged.settled.iter().flat_map(|(a, b)| [(*a, *b), (*b, *a)]).collect();
    judged.disputes.retain(|pair| !settled.contains(pair));
    judged
}

/// What a statement settles.
fn settles(statement: &Statement) -> Option<&Settlement> {
    statement.told.as_deref()?.settled.as_deref().filter(|_| statement.is_vouched_for)
}

impl Judged {
    /// Takes what claim `n` settles.
    fn settle(&mut self, claims: &[Claim<'_>], n: usize, settled: &Settlement) {
        let find = |side: &Side| side_of(claims, side);
        let holding: Vec<usize> = settled.that(true).filter_map(find).collect();
        if let Some(first) = holding.first() {
            set(&mut self.fate, n, Fate::Same(*first));
        }
        let pairs = |(at, a): (usize, &usize)| holding[..at].iter().map(|b| (*a, *b)).collect::<Vec<_>>();
        self.settled.extend(holding.iter().enumerate().flat_map(pairs));
        for (side, goes) in settled.that(false).filter_map(|side| Some((side, find(side)?))) {
            // What was said once more on a later day was said knowing better, or by mistake: nobody can tell.
            let is_said_since = when(&claims[goes]) > when(&claims[n])
                && !claims[goes].cited.iter().take(1).any(|cited| is_same_place(cited, &side.cited));
            match is_said_since {
                true => self.disputes.extend(holding.iter().map(|holds| (*holds, goes))),
                false => set(&mut self.fate, goes, Fate::Superseded(n)),
            }
        }
    }
}

/// The claim that was meant: by its words, else the only one that rests on the cited lines.
fn side_of(claims: &[Claim<'_>], side: &Side) -> Option<usize> {
    let id = claim_id(&side.text);
    let said = || claims.iter().enumerate().filter(|(_, claim)| settles(claim.statement).is_none());
    let by_words = said().find(|(_, claim)| claim.id == id);
    let rests_there = |claim: &Claim<'_>| claim.cited.iter().any(|cited| is_same_place(cited, &side.cited));
    let mut there = said().filter(|(_, claim)| rests_there(claim));
    let by_place = || there.next().filter(|_| there.next().is_none());
    by_words.or_else(by_place).map(|(n, _)| n)
}

/// Ends the disputes of which one side was decided again, on a later day than all that was said of both.
fn decide(claims: &[Claim<'_>], fate: &mut [Fate], disputes: &mut [(usize, usize)]) {
    let mut decided: Vec<Option<Date>> = claims.iter().map(|claim| claim.decided).collect();
    for n in (0..claims.len()).filter(|n| matches!(fate[*n], Fate::Same(_))) {
        let to = standing(fate, n);
        decided[to] = decided[to].max(decided[n]);
    }
    disputes.sort_unstable();
    for (a, b) in open(fate, disputes) {
        let begun = claims[a].first.max(claims[b].first);
        for (stays, goes) in [(a, b), (b, a)] {
            if decided[stays] > begun && decided[stays] > claims[goes].statement.date {
                set(fate, goes, Fate::Superseded(stays));
            }
        }
    }
}

/// Which disputes are open: both sides stand, and do not say the same.
fn open(fate: &[Fate], disputes: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let stands = |n: usize| matches!(fate[n], Fate::Current | Fate::Disputed);
    let pairs = disputes.iter().map(|(a, b)| (standing(fate, *a), standing(fate, *b)));
    let pairs = pairs.filter(|(a, b)| a != b && stands(*a) && stands(*b)).map(|(a, b)| (a.min(b), a.max(b)));
    pairs.collect::<BTreeSet<_>>().into_iter().collect()
}

/// The claims of each dispute: all that hang together.
fn groups(open: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let mut out: Vec<BTreeSet<usize>> = Vec::new();
    for (a, b) in open {
        let (mut joined, rest): (Vec<_>, Vec<_>) =
            out.into_iter().partition(|group| group.contains(a) || group.contains(b));
        let mut group: BTreeSet<usize> = joined.drain(..).flatten().collect();
        group.extend([*a, *b]);
        out = rest;
        out.push(group);
    }
    out.sort();
    out.into_iter().map(|group| group.into_iter().collect()).collect()
}

/// Which claims a later one says by its own words to be no longer true, each with that one and the day it names for it.
/// What documents say is theirs to change.
fn told_by_words(claims: &[Claim<'_>]) -> BTreeMap<usize, (usize, Option<Date>)> {
    let is_said = |n: &usize| {
        let statement = claims[*n].statement;
        is_claim(statement.kind) && statement.place.is_none() && settles(statement).is_none()
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
            let (may_replace, is_action) = (statement.is_vouched_for, statement.kind == PassageKind::Action);
            Said { text, day: statement.date, exchange, may_replace, is_action }
        })
        .collect();
    let found = replaced(&said);
    order.iter().zip(found).filter_map(|(old, found)| Some((*old, (order[found?.by], found?.from)))).collect()
}

/// What was replaced stays replaced, whatever else was said of it; what says the same is no dispute.
fn set(fate: &mut [Fate], n: usize, new: Fate) {
    let rank = |fate: Fate| match fate {
        Fate::Current => 0,
        Fate::Disputed => 1,
        Fate::Same(_) => 2,
        Fate::Superseded(_) => 3,
    };
    // Two claims that each stand for the other must not both vanish.
    let is_circle = matches!(new, Fate::Same(other) | Fate::Superseded(other) if leads_to(fate, other, n));
    if rank(new) > rank(fate[n]) && !is_circle {
        fate[n] = new;
    }
}

fn leads_to(fate: &[Fate], from: usize, to: usize) -> bool {
    let mut at = from;
    while let Fate::Same(next) | Fate::Superseded(next) = fate[at] {
        if next == to {
            return true;
        }
        at = next;
    }
    at == to
}

/// The claim that stands for one which says the same.
fn standing(fate: &[Fate], mut n: usize) -> usize {
    while let Fate::Same(next) = fate[n] {
        n = next;
    }
    n
}

/// The claim that stands in the place of one today.
fn today(fate: &[Fate], mut n: usize) -> usize {
    while let Fate::Same(next) | Fate::Superseded(next) = fate[n] {
        n = next;
    }
    n
}

/// Gives each claim the citations of those that say the same.
fn merge<'a>(claims: &mut [Claim<'a>], fate: &[Fate]) {
    let mut known: BTreeMap<usize, BTreeSet<&'a SourceRef>> = BTreeMap::new();
    for n in (0..claims.len()).filter(|n| matches!(fate[*n], Fate::Same(_))) {
        let (to, cited) = (standing(fate, n), claims[n].cited.clone());
        let known = known.entry(to).or_insert_with(|| claims[to].cited.iter().copied().collect());
        claims[to].cited.extend(cited.into_iter().filter(|cited| known.insert(cited)));
    }
}

#[cfg(test)]
mod tests;
