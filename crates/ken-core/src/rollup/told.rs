//! Which lines of a roll-up answer a question about its period.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::Focus;
use crate::language::Phrases;
use crate::page::outline::{CHANGES, DECISIONS, DONE, FOUND as WRONG, LESSONS, OPEN, OUTCOMES, SUPERSEDED};
use crate::words::{fold, words};

/// The headings of a roll-up's lines in the order in which they are told, with how many of each are where all is asked for.
const SHARES: [(&str, usize); 8] =
    [(CHANGES, 4), (DECISIONS, 3), (LESSONS, 1), (WRONG, 1), (OUTCOMES, 2), (DONE, 1), (OPEN, 1), (SUPERSEDED, 2)];
/// How many lines the shares are of.
const OF: usize = 15;
/// Whose room is taken by whom where there are fewer, in this order.
const FILL: [&str; 6] = [CHANGES, SUPERSEDED, OUTCOMES, DECISIONS, LESSONS, WRONG];

/// What says that something was settled, and that something was found.
static RULED: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(|lexicon| lexicon.periods.ruled));
static FOUND: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(|lexicon| lexicon.periods.found));

/// Returns which lines of a roll-up are told, in the order of the answer; of each its heading and its words are given.
///
/// Of one heading those that say that something was settled or found, and those that name a number, come before others,
/// spread over the period. Where few lines stand under what is asked for, others of the period say it: what was settled and
/// does not hold any longer was decided as well. What no longer holds comes last.
pub fn told(lines: &[(&str, &str)], focus: Focus, n_max: usize) -> Vec<usize> {
    let all_of = |heading: &str| (0..lines.len()).filter(|n| lines[*n].0 == heading).collect::<Vec<usize>>();
    let says = |cue: &Phrases, heading: &str| -> Vec<usize> {
        all_of(heading).into_iter().filter(|n| has_one(cue, lines[*n].1)).collect()
    };
    let (first, more): (&[&str], Vec<Vec<usize>>) = match focus {
        Focus::All => (&[], Vec::new()),
        // What changed was decided by somebody.
        Focus::Decisions => {
            (&[CHANGES, DECISIONS], vec![says(&RULED, SUPERSEDED), says(&RULED, OUTCOMES), all_of(SUPERSEDED)])
        }
        Focus::Changes => (&[CHANGES, SUPERSEDED], vec![all_of(DECISIONS), says(&RULED, OUTCOMES)]),
        Focus::Lessons => (&[LESSONS, WRONG], vec![says(&FOUND, OUTCOMES), says(&FOUND, CHANGES)]),
    };
    let is_there = first.iter().any(|heading| !all_of(heading).is_empty()) || more.iter().any(|of| !of.is_empty());
    let mut shares: Vec<(&str, usize)> = match is_there {
        true => first.iter().map(|heading| (*heading, n_max.div_ceil(first.len()))).collect(),
        // Where nothing is of the sort that is asked for, all that happened says so.
        false => SHARES.iter().map(|(heading, n)| (*heading, (n * n_max).div_ceil(OF))).collect(),
    };
    let mut left = n_max;
    for (heading, n) in &mut shares {
        *n = (*n).min(all_of(heading).len()).min(left);
        left -= *n;
    }
    for heading in FILL {
        if let Some((_, n)) = shares.iter_mut().find(|(known, _)| *known == heading) {
            let more = (all_of(heading).len() - *n).min(left);
            (*n, left) = (*n + more, left - more);
        }
    }
    let cue = |text: &str| match focus {
        Focus::Lessons => has_one(&FOUND, text),
        _ => has_one(&RULED, text),
    };
    let mut out: BTreeSet<usize> =
        shares.into_iter().flat_map(|(heading, n)| spread(&all_of(heading), n, |at| (lines[at].1, &cue))).collect();
    for of in more.into_iter().filter(|_| is_there) {
        let others: Vec<usize> = of.into_iter().filter(|n| !out.contains(n)).collect();
        let n = others.len().min(n_max - out.len());
        out.extend(spread(&others, n, |at| (lines[at].1, &cue)));
    }
    // A few lines are hardly an answer where nobody heads what is asked for: what else came of the period stands beside them.
    // What was decided is headed.
    if is_there && focus != Focus::Decisions && out.len() < n_max / 2 {
        let others: Vec<usize> =
            all_of(CHANGES).into_iter().chain(all_of(OUTCOMES)).filter(|n| !out.contains(n)).collect();
        let n = others.len().min(n_max / 2 - out.len());
        out.extend(spread(&others, n, |at| (lines[at].1, &cue)));
    }
    let place = |n: &usize| SHARES.iter().position(|(heading, _)| *heading == lines[*n].0);
    let mut out: Vec<usize> = out.into_iter().collect();
    out.sort_by_key(|n| (place(n), *n));
    out
}

/// Whether one of some phrases stands in a text.
fn has_one(phrases: &Phrases, text: &str) -> bool {
    let said: Vec<String> = words(text).iter().map(|word| fold(word.of(text))).collect();
    phrases.are_in(&said)
}

/// So many of some lines, those with a cue and a number before those with one of both, of these as many from everywhere.
fn spread<'t, C: Fn(&str) -> bool + 't>(
    lines: &[usize],
    n: usize,
    of: impl Fn(usize) -> (&'t str, &'t C),
) -> Vec<usize> {
    let worth = |at: usize| {
        let (text, cue) = of(at);
        usize::from(text.contains(|ch: char| ch.is_ascii_digit())) + usize::from(cue(text))
    };
    let worths: Vec<usize> = lines.iter().map(|at| worth(*at)).collect();
    let mut out: Vec<usize> = Vec::new();
    for tier in (0..=2).rev() {
        let of: Vec<usize> = lines.iter().zip(&worths).filter(|(_, is)| **is == tier).map(|(at, _)| *at).collect();
        let n = (n - out.len()).min(of.len());
        out.extend((0..n).map(|nth| of[nth * of.len() / n]));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_sorts_of_lines_are_told_and_what_no_longer_holds_comes_last() {
        let lines = [
            (SUPERSEDED, "old 1"),
            (DECISIONS, "a"),
            (DECISIONS, "b 2"),
            (CHANGES, "c"),
            (OPEN, "d"),
            ("Rolled up", "link"),
        ];
        assert_eq!(told(&lines, Focus::All, 12), [3, 1, 2, 4, 0]);
        assert_eq!(told(&lines, Focus::Decisions, 12), [3, 1, 2, 0], "what was over later was decided, too");
        assert_eq!(told(&lines, Focus::Decisions, 3), [3, 1, 2]);
        assert_eq!(told(&lines[1..3], Focus::Decisions, 1), [1], "what names a number comes first");
        assert_eq!(told(&lines, Focus::Lessons, 12), [3, 1, 2, 4, 0], "nothing was learnt, so all is told");
        let found = [(WRONG, "e"), (LESSONS, "f"), (DECISIONS, "g")];
        assert_eq!(told(&found, Focus::Lessons, 2), [1, 0], "what was wrong was learnt, too");
    }

    #[test]
    fn what_few_lines_are_headed_by_is_told_by_what_others_say() {
        let lines = [
            (OUTCOMES, "The oven has two decks."),
            (OUTCOMES, "It turned out that the probe takes up water."),
            (OUTCOMES, "From now on the note comes on Mondays."),
            (SUPERSEDED, "The kit costs 89 euros."),
            (SUPERSEDED, "From today the kit costs 95 euros."),
        ];
        assert_eq!(told(&lines, Focus::Lessons, 3), [1]);
        assert_eq!(told(&lines, Focus::Decisions, 3), [2, 3, 4]);
        assert_eq!(told(&lines, Focus::Lessons, 12), [0, 1, 2], "what else came of the period is told beside it");
        assert_eq!(told(&lines, Focus::Decisions, 1), [4]);
    }

    #[test]
    fn lines_of_one_sort_are_spread_over_the_period() {
        let texts: Vec<String> = (0..40).map(|n| format!("change {n}")).collect();
        let lines: Vec<(&str, &str)> = texts.iter().map(|text| (CHANGES, text.as_str())).collect();
        assert_eq!(told(&lines, Focus::Changes, 4), [0, 10, 20, 30]);
    }
}
