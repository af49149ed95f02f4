//! Which lines of a roll-up answer a question about its period.

use super::Focus;
use crate::page::outline::{CHANGES, DECISIONS, DONE, LESSONS, OPEN, OUTCOMES, SUPERSEDED};

/// The headings of a roll-up's lines in the order in which they are told, with how many of each are where all is asked for.
const SHARES: [(&str, usize); 7] =
    [(CHANGES, 4), (DECISIONS, 3), (LESSONS, 1), (OUTCOMES, 2), (DONE, 1), (OPEN, 1), (SUPERSEDED, 2)];
/// How many lines the shares are of.
const OF: usize = 14;
/// Whose room is taken by whom where there are fewer, in this order.
const FILL: [&str; 5] = [CHANGES, SUPERSEDED, OUTCOMES, DECISIONS, LESSONS];

/// Returns which lines of a roll-up are told, in the order of the answer; of each its heading and its words are given.
///
/// Of one heading those that name a number come before others, spread over the period. What no longer holds comes last.
pub fn told(lines: &[(&str, &str)], focus: Focus, n_max: usize) -> Vec<usize> {
    let all_of = |heading: &str| (0..lines.len()).filter(|n| lines[*n].0 == heading).collect::<Vec<usize>>();
    let first: Option<&[&str]> = match focus {
        Focus::All => None,
        // What changed was decided by somebody.
        Focus::Decisions => Some(&[CHANGES, DECISIONS]),
        Focus::Changes => Some(&[CHANGES, SUPERSEDED]),
        Focus::Lessons => Some(&[LESSONS]),
    };
    // Where nothing is of the sort that is asked for, all that happened says so.
    let first = first.filter(|headings| headings.iter().any(|heading| !all_of(heading).is_empty()));
    let mut shares: Vec<(&str, usize)> = match first {
        Some(headings) => headings.iter().map(|heading| (*heading, n_max.div_ceil(headings.len()))).collect(),
        None => SHARES.iter().map(|(heading, n)| (*heading, (n * n_max).div_ceil(OF))).collect(),
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
    shares.into_iter().flat_map(|(heading, n)| spread(&all_of(heading), n, |at| lines[at].1)).collect()
}

/// So many of some lines, spread evenly, those with a number before others.
fn spread<'t>(lines: &[usize], n: usize, text: impl Fn(usize) -> &'t str) -> Vec<usize> {
    let has_number = |at: &usize| text(*at).contains(|ch: char| ch.is_ascii_digit());
    let (telling, others): (Vec<usize>, Vec<usize>) = lines.iter().partition(|at| has_number(at));
    let mut out: Vec<usize> = Vec::new();
    for of in [telling, others] {
        let n = (n - out.len()).min(of.len());
        out.extend((0..n).map(|nth| of[nth * of.len() / n]));
    }
    out.sort_unstable();
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
        assert_eq!(told(&lines, Focus::Decisions, 12), [3, 1, 2]);
        assert_eq!(told(&lines[1..3], Focus::Decisions, 1), [1], "what names a number comes first");
        assert_eq!(told(&lines, Focus::Lessons, 12), [3, 1, 2, 4, 0], "nothing was learnt, so all is told");
    }

    #[test]
    fn lines_of_one_sort_are_spread_over_the_period() {
        let texts: Vec<String> = (0..40).map(|n| format!("change {n}")).collect();
        let lines: Vec<(&str, &str)> = texts.iter().map(|text| (CHANGES, text.as_str())).collect();
        assert_eq!(told(&lines, Focus::Changes, 4), [0, 10, 20, 30]);
    }
}
