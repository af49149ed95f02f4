//! What belongs to what: numbers to things, names to what they do, where something comes from to where it goes.

use std::collections::BTreeSet;

use super::Action;
use super::judged::{Judged, shared};
use super::read::{Clause, Cue, Found, clause};
use crate::when::is_calendar_name;
use crate::words::fold;

/// Whether a clause speaks of so many of several: `two of the five`.
pub(super) fn is_part(said: &Clause) -> bool {
    let is_number = |word: &str| crate::words::is_number_word(word) || word.bytes().all(|byte| byte.is_ascii_digit());
    said.cues.iter().any(|found| found.cue == Cue::From && found.end >= 2 && is_number(&said.words[found.end - 2]))
        && !said.numbers.is_empty()
}

/// The parts of a clause that have a number each: cut at `and`.
fn counted(said: &Clause) -> Vec<Clause> {
    let cuts: Vec<usize> =
        said.cues.iter().filter(|found| found.cue == Cue::And).map(|found| found.end).filter(|end| *end > 1).collect();
    let mut out = Vec::new();
    let mut start = 0;
    for cut in cuts.into_iter().chain([said.words.len()]) {
        if cut > start {
            out.push(clause(&said.words[start..cut].join(" "), said.language, false));
            start = cut;
        }
    }
    let n_counted = out.iter().filter(|part| !part.numbers.is_empty()).count();
    if n_counted > 1 { out } else { vec![clause(&said.words.join(" "), said.language, false)] }
}

fn is_one(a: &[String], b: &[String]) -> bool {
    a.iter().any(|reading| b.contains(reading))
}

/// Whether the claim begins with what another part of its lines is about, and says nothing of what this one begins with.
fn is_of_another(claim: &Clause, own: &[&Clause], parts: &[Clause]) -> bool {
    fn first(said: &Clause) -> Option<&str> {
        said.stems.iter().find(|stem| !stem.is_empty()).map(String::as_str)
    }
    let Some(about) = first(claim) else { return false };
    let wanted = claim.content();
    let is_about = |part: &Clause| part.content().contains(about);
    let is_own = |part: &&&Clause| first(part).is_none_or(|stem| wanted.contains(stem)) || is_about(part);
    !own.iter().any(|part| is_own(&part)) && parts.iter().any(is_about)
}

/// A number of the claim belongs to something else.
pub(super) fn elsewhere(judged: &Judged<'_>) -> Option<Action> {
    let claim = &judged.claim;
    let parts: Vec<Clause> = judged.cited.iter().flat_map(|said| counted(said)).collect();
    let wanted = claim.content();
    for number in &claim.numbers {
        let has = |part: &&Clause| part.numbers.iter().any(|other| is_one(other, number));
        let own: Vec<&Clause> = parts.iter().filter(has).collect();
        // Another number, and none that the claim has as well.
        let is_other = |part: &&Clause| {
            !part.numbers.is_empty()
                && !part.numbers.iter().any(|other| claim.numbers.iter().any(|known| is_one(other, known)))
        };
        let others: Vec<&Clause> = parts.iter().filter(is_other).collect();
        let most = |of: &[&Clause]| of.iter().map(|part| shared(part, &wanted)).max();
        let (Some(n_own), Some(n_other)) = (most(&own), most(&others)) else { continue };
        if n_other > n_own {
            return Some(Action::Ask);
        }
        if is_of_another(claim, &own, &parts) {
            return Some(Action::Ask);
        }
        // What tells the number from the others is not in the claim.
        let theirs: BTreeSet<&str> = others.iter().flat_map(|part| part.content()).collect();
        let mut telling: BTreeSet<&str> = own.iter().flat_map(|part| part.content()).collect();
        telling.retain(|stem| !theirs.contains(stem));
        if !telling.is_empty() && telling.is_disjoint(&wanted) {
            return Some(Action::Ask);
        }
    }
    None
}

/// The words that follow a cue: up to so many that say something.
fn following(said: &Clause, cue: Cue) -> BTreeSet<&str> {
    let behind = |found: &Found| {
        let words = said.words.iter().zip(&said.stems).skip(found.end).take(3);
        let is_telling =
            |(word, stem): &(&String, &String)| !stem.is_empty() || word.bytes().all(|byte| byte.is_ascii_digit());
        words.filter(is_telling).map(|(word, stem)| if stem.is_empty() { word.as_str() } else { stem }).next()
    };
    said.cues.iter().filter(|found| found.cue == cue).filter_map(behind).collect()
}

/// From and to are exchanged, or what is and what is not any more.
pub(super) fn turned(judged: &Judged<'_>) -> Option<Action> {
    let claim = &judged.claim;
    let meets = |a: &BTreeSet<&str>, b: &BTreeSet<&str>| !a.is_disjoint(b);
    let (from, to) = (following(claim, Cue::From), following(claim, Cue::To));
    let instead = following(claim, Cue::Instead);
    for said in &judged.cited {
        let (their_from, their_to) = (following(said, Cue::From), following(said, Cue::To));
        let is_turned = meets(&from, &their_to) && meets(&to, &their_from);
        if is_turned && !(meets(&from, &their_from) || meets(&to, &their_to)) {
            return Some(Action::Reject);
        }
        let theirs = following(said, Cue::Instead);
        let elsewhere: BTreeSet<&str> = said.content().difference(&theirs).copied().collect();
        let own: BTreeSet<&str> = claim.content().difference(&instead).copied().collect();
        if !instead.is_empty() && !theirs.is_empty() && meets(&instead, &elsewhere) && meets(&theirs, &own) {
            return Some(Action::Reject);
        }
    }
    None
}

/// What the claim says of a name the lines say of another, or of the one who speaks.
pub(super) fn names(judged: &Judged<'_>) -> Option<Action> {
    let claim = &judged.claim;
    // Where every noun has a capital it tells no names.
    if !claim.language.lexicon().claims.capitalised.is_empty() {
        return None;
    }
    let named: BTreeSet<&str> = judged.cited.iter().flat_map(|said| names_of(said)).collect();
    let is_named = |at: &usize| claim.is_name[*at] && named.contains(claim.words[*at].as_str());
    let at = (0..claim.words.len()).find(is_named).filter(|at| *at <= 1)?;
    let name = claim.words[at].as_str();
    let own = &claim.stems[at];
    let wanted: BTreeSet<&str> = claim.content().into_iter().filter(|stem| stem != own).collect();
    let has = |said: &&&Clause| said.words.iter().any(|word| word == name);
    let n_own = judged.cited.iter().filter(has).map(|said| shared(said, &wanted)).max()?;
    // What the claim names besides is no other who does it: `Ada: check the oven of the Mill`.
    let is_else = |name: &str| !claim.words.iter().any(|word| word == name);
    let is_other = |said: &&&Clause| !has(said) && names_of(said).any(is_else);
    let n_other = judged.cited.iter().filter(is_other).map(|said| shared(said, &wanted)).max().unwrap_or(0);
    if n_other > n_own {
        return Some(Action::Ask);
    }
    // `I promised Ottilie` is nothing that Ottilie promised.
    let best = judged.cited.iter().filter(has).max_by_key(|said| shared(said, &wanted))?;
    let place = best.words.iter().position(|word| word == name)?;
    let before: BTreeSet<&str> =
        best.stems[..place].iter().map(String::as_str).filter(|stem| wanted.contains(stem)).collect();
    let own = best.cues.iter().any(|found| found.cue == Cue::Own && found.start == 0);
    let begins = own || names_of(best).next() == best.words.first().map(String::as_str);
    // `The date is Ada's wish: the Mill, our shop, opens on Monday` says it of the Mill itself.
    let of_sentence = |n: usize| judged.cited.iter().filter(move |said| said.sentence == n);
    let opens = |said: &&&Clause| said.words.first().is_some_and(|word| word == name);
    let says_itself = judged.cited.iter().filter(opens).any(|said| {
        let n_said: usize = of_sentence(said.sentence).map(|said| shared(said, &wanted)).sum();
        n_said >= shared(best, &wanted)
    });
    if says_itself {
        return None;
    }
    let is_passive = claim.words.iter().any(|word| matches!(word.as_str(), "by" | "von" | "par" | "da" | "por"));
    (begins && place > 0 && !before.is_empty() && !is_passive).then_some(Action::Ask)
}

fn names_of(said: &Clause) -> impl Iterator<Item = &str> {
    let is_day = |word: &str| is_calendar_name(&fold(word)) || is_calendar_name(&fold(word.trim_end_matches('s')));
    let is_named = move |at: usize| said.is_name[at] && !said.stems[at].is_empty() && !is_day(&said.words[at]);
    said.words.iter().enumerate().filter(move |(at, _)| is_named(*at)).map(|(_, word)| word.as_str())
}
