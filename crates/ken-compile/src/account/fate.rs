//! What becomes of each claim about a subject: replaced, disputed, said by another one, or none of it.
//!
//! By what a reader found, and by what a person settled, which comes first.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::Date;
use ken_core::ground::negates;
use ken_core::same::may_be_same;
use ken_core::settled::{Settlement, Side};
use ken_core::supersede::keeps;
use ken_core::words::{stem, subject_key};

use super::super::about::About;
use super::super::compose::Statement;
use super::super::passage::PassageKind;
use super::super::settle::is_same_place;
use super::super::telling::numbers;
use super::super::told::Told;
use super::{Claim, claim_id, same_words};

/// What becomes of a claim because of another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    Current,
    /// It says what that claim says.
    Same(usize),
    /// That claim took its place.
    Superseded(usize),
    /// A document said it once, and does not say what took its place either.
    Gone,
    Disputed,
}

/// When and where a claim was said: a claim can only be replaced by one that was said after it.
pub(super) fn when<'a>(claim: &Claim<'a>) -> (Option<Date>, &'a ken_core::VaultPath, (usize, usize)) {
    let statement = claim.statement;
    (statement.date, &statement.cited.path, statement.cited.lines)
}

/// What was read and settled of claims.
pub(super) struct Judged {
    pub(super) fate: Vec<Fate>,
    /// Which cannot both be true, whatever became of them since.
    pub(super) disputes: Vec<(usize, usize)>,
    /// Which were settled to be true beside each other.
    pub(super) settled: Vec<(usize, usize)>,
}

/// The claims by what names them. Whoever names a claim of the same reply knows its words, and not how the page dates them.
fn by_id(claims: &[Claim<'_>]) -> BTreeMap<String, usize> {
    let said = || claims.iter().enumerate().filter(|(_, claim)| settles(claim.statement).is_none());
    let by_words = said().map(|(n, claim)| (claim_id(&claim.statement.text), n));
    by_words.chain(said().map(|(n, claim)| (claim.id.clone(), n))).collect()
}

/// The claims by what they give a value of.
fn by_slot(read: &[(usize, &Told)]) -> BTreeMap<(String, String), Vec<usize>> {
    let mut out: BTreeMap<(String, String), Vec<usize>> = BTreeMap::new();
    for (n, told) in read {
        slot_of(told).into_iter().for_each(|slot| out.entry(slot).or_default().push(*n));
    }
    out
}

/// What becomes of each claim by what was read of them, and by what was settled, which comes first.
pub(super) fn judged(claims: &[Claim<'_>]) -> Judged {
    let by_id = by_id(claims);
    let mut judged = Judged { fate: vec![Fate::Current; claims.len()], disputes: Vec::new(), settled: Vec::new() };
    // The newest first: what was settled anew is settled so.
    for (n, settled) in (0..claims.len()).filter_map(|n| Some((n, settles(claims[n].statement)?))) {
        judged.settle(claims, n, settled);
    }
    revised(claims, &mut judged.fate);
    let fate = &mut judged.fate;
    let verdicts = |n: usize| claims[n].statement.told.as_deref();
    let found = |n: usize, ids: &[String]| -> Vec<usize> {
        ids.iter().filter_map(|id| by_id.get(id.as_str())).copied().filter(|other| *other != n).collect()
    };
    let said = |n: usize| (claims[n].statement.text.as_str(), claims[n].statement.date);
    let is_newer = |n: usize, other: usize| when(&claims[n]) > when(&claims[other]);
    let may_change = |n: usize, other: usize| {
        let (own, other) = (claims[n].statement, claims[other].statement);
        !own.is_unverified() && own.stale.is_empty() && (own.is_vouched_for || !other.is_vouched_for)
    };
    // `We stay with the old mill` changes nothing of what says which mill it is.
    let may_replace =
        |n: usize, other: usize| is_newer(n, other) && may_change(n, other) && !keeps(said(n).0, said(other).0);
    let read: Vec<(usize, &Told)> = (0..claims.len()).filter_map(|n| Some((n, verdicts(n)?))).collect();
    let slots = by_slot(&read);
    for (n, told) in read.iter().copied() {
        let mut same = found(n, &told.same_as);
        same.retain(|other| may_be_same(said(n), said(*other)));
        same.extend((!same.is_empty()).then_some(n));
        join(claims, fate, same);
        let others = found(n, &told.disputes).into_iter().filter(|other| may_change(n, *other));
        judged.disputes.extend(others.map(|other| (n, other)));
    }
    // The oldest first: what was replaced holds until the first of those that came after it.
    for (n, told) in read.iter().rev().copied() {
        let about = |n: usize, slot: &str| About::of(&claims[n].statement.text, slot);
        // Whoever says that one takes the place of another may be wrong, or lie.
        let is_of_it = |other: &usize| {
            let slot = verdicts(*other).map_or("", |other| other.slot.as_str());
            about(n, &told.slot).may_be_of(&about(*other, slot))
        };
        let replaced = found(n, &told.replaces).into_iter().filter(is_of_it);
        let changed = replaced.chain(found(n, &told.settles));
        for other in changed.filter(|other| may_replace(n, *other)) {
            set(fate, other, Fate::Superseded(n));
        }
        let earlier = slot_of(told).and_then(|slot| slots.get(&slot)).into_iter().flatten().copied();
        let gives_way = |other: &usize| {
            // Who says that both stand knows better, and what the person said is not changed by an agent's word.
            let is_disputed = told.disputes.contains(&claims[*other].id) || told.same_as.contains(&claims[*other].id);
            let is_outranked = told.speaker == "Agent" && verdicts(*other).is_some_and(|other| other.speaker == "User");
            *other != n && !is_disputed && !is_outranked && !may_be_same(said(n), said(*other))
        };
        // Who says once more what they hold ends no dispute; a decision does.
        let is_open = |other: &usize| judged.disputes.iter().any(|(a, b)| a == other || b == other);
        let decides = claims[n].statement.kind == PassageKind::Decision && !is_open(&n);
        for other in earlier.filter(|other| gives_way(other) && is_of_it(other) && (decides || !is_open(other))) {
            match is_same_value(said(n).0, said(other).0) {
                true if is_newer(n, other) && may_change(n, other) => set(fate, n, Fate::Same(other)),
                false if may_replace(n, other) && gives_value(said(n).0, said(other).0) => {
                    set(fate, other, Fate::Superseded(n));
                }
                _ => {}
            }
        }
    }
    let settled: BTreeSet<(usize, usize)> = judged.settled.iter().flat_map(|(a, b)| [(*a, *b), (*b, *a)]).collect();
    judged.disputes.retain(|pair| !settled.contains(pair));
    judged
}

/// Has claims that say the same be one: what was known first stands, unless nobody vouches for it and somebody does for another.
fn join(claims: &[Claim<'_>], fate: &mut [Fate], same: Vec<usize>) {
    let rank = |n: &usize| (claims[*n].statement.doubt(), when(&claims[*n]));
    let Some(stays) = same.iter().copied().min_by(|a, b| rank(a).cmp(&rank(b))) else { return };
    same.into_iter().filter(|other| *other != stays).for_each(|goes| set(fate, goes, Fate::Same(stays)));
}

/// Has what documents said before give way to what they say in its place, as far as they still do, or to what they said then
/// and was changed in turn.
fn revised(claims: &[Claim<'_>], fate: &mut [Fate]) {
    let revision = |n: usize| claims[n].statement.told.as_deref()?.revised.as_deref();
    // Double quotes are single ones in the journal.
    let words = |text: &str| format!(" {} ", same_words(&text.replace(['"', '\''], " ")));
    let told: Vec<usize> = (0..claims.len()).filter(|n| revision(*n).is_some()).collect();
    if told.is_empty() {
        return;
    }
    let said: Vec<String> = claims.iter().map(|claim| words(&claim.statement.text)).collect();
    let next = |n: usize| {
        let after = words(revision(n)?.after.as_deref()?);
        let says_so = |other: &usize| *other != n && said[*other].contains(&after);
        // What the document says today comes before what it said in between.
        let (today, before): (Vec<usize>, Vec<usize>) =
            (0..claims.len()).filter(says_so).partition(|other| revision(*other).is_none());
        today.into_iter().chain(before).next()
    };
    for n in told.iter().copied() {
        set(fate, n, next(n).map_or(Fate::Gone, Fate::Superseded));
    }
    for n in told {
        let is_changed = matches!(fate[n], Fate::Superseded(by) if !said[by].contains(&said[n]));
        if !is_changed || fate[today(fate, n)] == Fate::Gone {
            set(fate, n, Fate::Gone);
        }
    }
}

/// Whether two texts that give a value of the same thing give the same one: all numbers of both, and both say it or deny it.
fn is_same_value(a: &str, b: &str) -> bool {
    let numbers = |text: &str| numbers(text).map(str::to_lowercase).collect::<BTreeSet<_>>();
    !numbers(a).is_empty() && numbers(a) == numbers(b) && negates(a) == negates(b)
}

/// Whether a text gives a value that may take the place of another one: where that is a number, a number, or that there is none.
fn gives_value(new: &str, old: &str) -> bool {
    numbers(old).next().is_none() || numbers(new).next().is_some() || negates(new)
}

/// What a claim gives a value of, and of what.
fn slot_of(told: &Told) -> Option<(String, String)> {
    let subject = subject_key(&told.about.first()?.name);
    (!told.slot.is_empty()).then(|| (subject, subject_key(&told.slot)))
}

/// Returns whether a reader said of two statements that they give values of different things about the same subject: then
/// neither takes the place of the other for its words.
pub(super) fn gives_another(a: &Statement, b: &Statement) -> bool {
    let slot = |one: &Statement| one.told.as_deref().and_then(slot_of);
    let words = |slot: &str| slot.split('-').map(stem).collect::<BTreeSet<_>>();
    let (Some((of_a, a)), Some((of_b, b))) = (slot(a), slot(b)) else { return false };
    of_a == of_b && words(&a).is_disjoint(&words(&b))
}

/// Returns whether a reader said that a statement takes the place of another one, by naming it or what it gives a value of.
pub(crate) fn is_replaced_by(old: &Statement, new: &Statement) -> bool {
    let (Some(of_old), Some(of_new)) = (old.told.as_deref(), new.told.as_deref()) else { return false };
    let slot = slot_of(of_new);
    of_new.replaces.contains(&claim_id(&old.text)) || slot.is_some() && slot == slot_of(of_old)
}

/// What a statement settles.
pub(super) fn settles(statement: &Statement) -> Option<&Settlement> {
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
pub(super) fn decide(claims: &[Claim<'_>], fate: &mut [Fate], disputes: &mut [(usize, usize)]) {
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
pub(super) fn open(fate: &[Fate], disputes: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let stands = |n: usize| matches!(fate[n], Fate::Current | Fate::Disputed);
    let pairs = disputes.iter().map(|(a, b)| (standing(fate, *a), standing(fate, *b)));
    let pairs = pairs.filter(|(a, b)| a != b && stands(*a) && stands(*b)).map(|(a, b)| (a.min(b), a.max(b)));
    pairs.collect::<BTreeSet<_>>().into_iter().collect()
}

/// The claims of each dispute: all that hang together.
pub(super) fn groups(open: &[(usize, usize)]) -> Vec<Vec<usize>> {
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

/// What was replaced stays replaced, whatever else was said of it; what says the same is no dispute.
pub(super) fn set(fate: &mut [Fate], n: usize, new: Fate) {
    let rank = |fate: Fate| match fate {
        Fate::Current => 0,
        Fate::Disputed => 1,
        Fate::Same(_) => 2,
        Fate::Superseded(_) => 3,
        Fate::Gone => 4,
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
pub(super) fn standing(fate: &[Fate], mut n: usize) -> usize {
    while let Fate::Same(next) = fate[n] {
        n = next;
    }
    n
}

/// The claim that stands in the place of one today.
pub(super) fn today(fate: &[Fate], mut n: usize) -> usize {
    while let Fate::Same(next) | Fate::Superseded(next) = fate[n] {
        n = next;
    }
    n
}
