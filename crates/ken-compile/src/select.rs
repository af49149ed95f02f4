//! Which of what holds a page shows: what stands well, each thing once, the best of it where there is much.
//!
//! What a page does not show stays in the journal, and still ends and disputes what it did.

use std::collections::BTreeSet;

use ken_core::Category;
use ken_core::words::{is_count_or_date, words};

use crate::account::{Account, Claim};
use crate::alone::with_code_as;
use crate::clause::subject;
use crate::compose::{INDEFINITE, PageInput, stems, telling_stems};
use crate::passage::PassageKind;
use crate::standing::{OF_THING_MAX, OF_WORK_MAX, POINT, SHOWN_MIN, WRITTEN};
use crate::subject::is_determiner;

/// Of the words of a statement so many percent must stand in another one that says it, too.
const SAID_PERCENT: usize = 80;

/// Returns an account of what its page shows.
pub(crate) fn select<'a>(input: &PageInput, mut account: Account<'a>) -> Account<'a> {
    let names = telling_stems(&input.title);
    let is_work = input.category == Category::Project;
    let of_subject = |claim: &Claim<'_>| match is_work {
        true => subject_points(&names, &telling_stems(&claim.statement.text)),
        false => 0,
    };
    let called = input.aliases.iter().fold(telling_stems(&input.title), |all, alias| &all | &telling_stems(alias));
    let vague = |claim: &Claim<'_>| if is_vague(&claim.statement.text, &called) { POINT } else { 0 };
    let standing: Vec<i16> =
        account.current.iter().map(|claim| standing(claim, &account).saturating_sub(vague(claim))).collect();
    if account.current.iter().all(|claim| claim.statement.standing >= WRITTEN) {
        return account;
    }
    let mut order: Vec<usize> = (0..standing.len()).collect();
    let rank = |n: &usize| standing[*n].saturating_add(of_subject(&account.current[*n]));
    order.sort_by_key(|n| (std::cmp::Reverse(rank(n)), *n));
    let most = if is_work { OF_WORK_MAX } else { OF_THING_MAX };
    let mut kept: Vec<(usize, Told)> = Vec::new();
    for n in &order {
        let is_written = account.current[*n].statement.standing >= WRITTEN;
        let told = Told::of(&account.current[*n]);
        let is_open = account.current[*n].statement.kind == PassageKind::Action;
        let says_it = |(other, known): &(usize, Told)| {
            is_open == (account.current[*other].statement.kind == PassageKind::Action) && told.is_said_by(known)
        };
        let stands = standing[*n] >= SHOWN_MIN && kept.len() < most && !kept.iter().any(says_it);
        // A page that shows nothing would say less than the best of what there is.
        if is_written || stands || kept.is_empty() {
            kept.push((*n, told));
        }
    }
    let kept: BTreeSet<usize> = kept.into_iter().map(|(n, _)| n).collect();
    let mut n = 0..;
    account.current.retain(|_| n.next().is_some_and(|n| kept.contains(&n)));
    account
}

/// Whether a statement speaks of something that was named before it and not on its page: `The task stays open.`
fn is_vague(text: &str, called: &BTreeSet<String>) -> bool {
    let said = with_code_as(CODE, text);
    let Some(subject) = subject(&said) else { return false };
    let mut words = subject.split_whitespace();
    let is_definite = words
        .next()
        .is_some_and(|first| is_determiner(&first.to_lowercase()) && !INDEFINITE.has(&first.to_lowercase()));
    let is_named = |word: &str| word.contains(|ch: char| ch.is_uppercase() || ch.is_ascii_digit());
    is_definite && !words.any(is_named) && telling_stems(subject).is_disjoint(called)
}

/// What stands for a piece of code, as a name.
const CODE: &str = "X";

/// What a statement of a piece of work gains that has words of its title, and loses that has none.
fn subject_points(names: &BTreeSet<String>, stems: &BTreeSet<String>) -> i16 {
    match names.intersection(stems).count() {
        _ if names.is_empty() => 0,
        0 => -POINT / 2,
        1 => POINT / 2,
        _ => POINT,
    }
}

/// How well a claim stands: what took the place of something does, and what was said again stands better.
fn standing(claim: &Claim<'_>, account: &Account<'_>) -> i16 {
    let own = claim.statement.standing;
    match account.superseded.iter().any(|old| old.now.id == claim.statement.id) {
        true => own.max(SHOWN_MIN) + 2 * POINT,
        false if claim.cited.len() > 1 => own.saturating_add(POINT),
        false => own,
    }
}

/// What a claim says, as far as another one may say it.
struct Told {
    stems: BTreeSet<String>,
    counts: BTreeSet<String>,
}

impl Told {
    fn of(claim: &Claim<'_>) -> Told {
        // The day that is written behind `today` is no number of it.
        let text = &claim.statement.text;
        let all = words(text).into_iter().map(|word| word.of(text));
        let is_count = |word: &&str| word.contains(|ch: char| ch.is_ascii_digit()) || is_count_or_date(word);
        Told { stems: stems(text), counts: all.filter(is_count).map(str::to_lowercase).collect() }
    }

    /// Whether another claim says as much: it has every number, and nearly every word.
    fn is_said_by(&self, other: &Told) -> bool {
        let n_shared = self.stems.intersection(&other.stems).count();
        !self.stems.is_empty()
            && self.counts.is_subset(&other.counts)
            && n_shared * 100 >= self.stems.len() * SAID_PERCENT
    }
}
