//! Claims that say the same in other words become one, with the citations of all.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::action::words_of;
use ken_core::same::{Gist, Reading};

use super::super::compose::shown_text;
use super::super::passage::PassageKind;
use super::fate::{Fate, set, settles};
use super::{Claim, is_claim, same_words};

/// Lets one of the claims that say the same stand for the others. Only what nothing became of is looked at: what took the
/// place of something, and what cannot be true beside it, was told by its own words.
pub(super) fn join(claims: &[Claim<'_>], fate: &mut [Fate]) {
    join_agreed(claims, fate);
    join_replaced(claims, fate);
    let mut groups: BTreeMap<(bool, String), Vec<(usize, String)>> = BTreeMap::new();
    for n in worth_reading(claims, fate) {
        let statement = claims[n].statement;
        let Reading { key: Some(key), reason } = Reading::of(&shown_text(statement), statement.date) else { continue };
        groups.entry((statement.kind == PassageKind::Action, key)).or_default().push((n, reason));
    }
    for mut group in groups.into_values().filter(|group| group.len() > 1) {
        // What gives a reason says more; the newest stands first.
        group.sort_by_key(|(n, reason)| (rank(&claims[*n]), reason.is_empty(), *n));
        let (stays, known) = group.remove(0);
        let adds_nothing = |(_, reason): &&(usize, String)| reason.is_empty() || *reason == known;
        group.iter().filter(adds_nothing).for_each(|(goes, _)| set(fate, *goes, Fate::Same(stays)));
    }
}

/// Lets the newest of several claims stand for those that one statement took the place of and that say the same, some with
/// more around it: `A rye loaf costs 4 euros`, `In the shop a rye loaf costs 4 euros`.
fn join_replaced(claims: &[Claim<'_>], fate: &mut [Fate]) {
    let mut by_next: BTreeMap<usize, Vec<(usize, BTreeSet<String>)>> = BTreeMap::new();
    for n in 0..fate.len() {
        let statement = claims[n].statement;
        let is_said = statement.place.is_none() && statement.told.is_none() && statement.kind != PassageKind::Action;
        if let Fate::Superseded(by) = fate[n]
            && is_said
        {
            by_next.entry(by).or_default().push((n, words_of(&statement.text)));
        }
    }
    let numbers = |words: &BTreeSet<String>| -> Vec<String> {
        words.iter().filter(|word| word.contains(|ch: char| ch.is_ascii_digit())).cloned().collect()
    };
    for mut group in by_next.into_values().filter(|group| group.len() > 1) {
        group.sort_by_key(|(n, _)| (rank(&claims[*n]), *n));
        for at in 1..group.len() {
            let (goes, words) = &group[at];
            let says_so = |(stays, known): &&(usize, BTreeSet<String>)| {
                matches!(fate[*stays], Fate::Superseded(_))
                    && (known.is_subset(words) || words.is_subset(known))
                    && numbers(known) == numbers(words)
            };
            let stays = group[..at].iter().find(says_so).map(|(stays, _)| *stays);
            // What it replaced in turn is led on by its own words.
            let has_replaced = fate.contains(&Fate::Superseded(*goes));
            if let Some(stays) = stays.filter(|_| !has_replaced) {
                fate[*goes] = Fate::Same(stays);
            }
        }
    }
}

/// Lets a statement stand for the open tasks of its entry that it quotes: what was agreed on is told once.
fn join_agreed(claims: &[Claim<'_>], fate: &mut [Fate]) {
    let is_open = |n: &usize| fate[*n] == Fate::Current && claims[*n].statement.kind == PassageKind::Action;
    let open: Vec<usize> = (0..fate.len()).filter(is_open).collect();
    for n in open {
        let (own, words) = (claims[n].statement, same_words(&claims[n].statement.text));
        let quotes = |other: &usize| {
            let statement = claims[*other].statement;
            (statement.id.file, statement.id.entry) == (own.id.file, own.id.entry)
                && fate[*other] == Fate::Current
                && statement.kind == PassageKind::Decision
                && rank(&claims[*other]) <= rank(&claims[n])
                && same_words(&statement.text).contains(&words)
        };
        if let Some(other) = (0..fate.len()).find(quotes) {
            set(fate, n, Fate::Same(other));
        }
    }
}

/// Who is believed before others: whom somebody vouches for, and what somebody read.
fn rank(claim: &Claim<'_>) -> ((bool, bool, bool), bool) {
    (claim.statement.doubt(), claim.statement.told.is_none())
}

/// The claims that have nearly the words of another one.
fn worth_reading(claims: &[Claim<'_>], fate: &[Fate]) -> Vec<usize> {
    // What a document says again, it says of something else.
    let is_said = |n: &usize| {
        let statement = claims[*n].statement;
        fate[*n] == Fate::Current
            && is_claim(statement.kind)
            && statement.place.is_none()
            && settles(statement).is_none()
    };
    let gists: Vec<(usize, Gist)> =
        (0..fate.len()).filter(is_said).map(|n| (n, Gist::of(&claims[n].statement.text))).collect();
    let has_twin =
        |(n, gist): &(usize, Gist)| gists.iter().any(|(other, known)| other != n && gist.may_say_the_same(*known));
    gists.iter().filter(|one| has_twin(one)).map(|(n, _)| *n).collect()
}
