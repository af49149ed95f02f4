//! Which of what holds a page shows: what stands well, each thing once, the best of it where there is much.
//!
//! What a page does not show stays in the journal, and still ends and disputes what it did.

use std::collections::BTreeSet;

use ken_core::Category;
use ken_core::orders::order;
use ken_core::words::{fold, identifier_parts, is_count_or_date, stem, words};

use crate::account::{Account, Claim, Known, account};
use crate::alone::{self, with_code_as};
use crate::clause::subject;
use crate::compose::{INDEFINITE, PageInput, Statement, section_of, stems, telling_stems};
use crate::fault;
use crate::ledger::PassageId;
use crate::passage::{Learned, PassageKind};
use crate::score;
use crate::standing::{self, OF_THING_MAX, OF_WORK_MAX, POINT, SHOWN_MIN, SPARE_MIN, WRITTEN};
use crate::subject::is_determiner;

/// Of the words of a statement so many percent must stand in another one that says it, too; fewer where both stand below one
/// heading and it tells nothing of what was done.
const SAID_PERCENT: usize = 80;
const SAID_BESIDE_PERCENT: usize = 65;
/// Fewest words of such a statement: of a short one the word that differs is what it says.
const SAID_BESIDE_WORDS_MIN: usize = 7;

/// Returns an account of what its page shows.
pub(crate) fn select<'a>(input: &PageInput, account: Account<'a>) -> Account<'a> {
    let mut account = chosen(&About::page(input), account);
    take_over(input, &mut account);
    account
}

/// Returns which statements the page of a piece of work would show that is called so and said nothing else; none of those
/// that only fill it.
pub(crate) fn shown_of_work(title: &str, changes_files: bool, statements: &[Statement]) -> BTreeSet<PassageId> {
    let nothing = Known { successor: &|_| None, against: &|_| Vec::new() };
    let about = About { title, aliases: &[], is_work: true, changes_files };
    let account = chosen(&about, account(statements, &[], &nothing));
    let stands = |one: &&Statement| one.standing >= SHOWN_MIN;
    account.current.iter().map(|claim| claim.statement).filter(stands).map(|one| one.id).collect()
}

/// What claims are chosen for.
struct About<'a> {
    title: &'a str,
    aliases: &'a [String],
    is_work: bool,
    /// Whether the work changed files.
    changes_files: bool,
}

impl<'a> About<'a> {
    fn page(input: &'a PageInput) -> About<'a> {
        let is_work = input.category == Category::Project;
        About { title: &input.title, aliases: &input.aliases, is_work, changes_files: !input.files.is_empty() }
    }
}

/// Most statements of other pages that a page shows because they took the place of its own.
const TAKEN_OVER_MAX: usize = 2;

/// Adds what took the place of something here and stands on another page, where it names what this one is called; or the
/// newest of it, where nothing else is left: a page on which all is struck out says nothing of what holds.
fn take_over<'a>(input: &PageInput, account: &mut Account<'a>) {
    let is_document = |claim: &Claim<'_>| claim.statement.place.is_some();
    if input.is_history || input.is_external || account.current.iter().any(is_document) {
        return;
    }
    let called: Vec<BTreeSet<String>> =
        std::iter::once(&input.title).chain(&input.aliases).map(|name| stems(name)).collect();
    let ended: BTreeSet<_> = account.superseded.iter().map(|old| old.claim.statement.id).collect();
    let is_told = |now: &Statement| {
        let open = [PassageKind::Action, PassageKind::Question, PassageKind::Context];
        now.is_believed() && !open.contains(&now.kind) && !ended.contains(&now.id) && order(&now.text).is_none()
    };
    let mut new: Vec<&'a Statement> = account.superseded.iter().map(|old| old.now).filter(|now| is_told(now)).collect();
    new.sort_by_key(|now| (std::cmp::Reverse(now.date), now.id));
    new.dedup_by_key(|now| now.id);
    let is_named = |now: &Statement| {
        let said = stems(&now.text);
        called.iter().any(|name| !name.is_empty() && name.is_subset(&said))
    };
    let mut room = TAKEN_OVER_MAX;
    for now in new {
        let claim = Claim::of(now);
        let (told, is_rest) = (Told::of(&claim), account.current.is_empty());
        let is_said = account.current.iter().any(|one| one.statement.id == now.id || told.is_said_by(&Told::of(one)));
        if room > 0 && !is_said && (is_rest || is_named(now)) {
            let at = account.current.partition_point(|one| one.statement.date > now.date);
            account.current.insert(at, claim);
            room -= 1;
        }
    }
}

fn chosen<'a>(about: &About<'_>, mut account: Account<'a>) -> Account<'a> {
    let (names, is_work) = (telling_stems(about.title), about.is_work);
    let of_subject = |claim: &Claim<'_>| match is_work {
        true => subject_points(&names, &telling_stems(&claim.statement.text)),
        false => 0,
    };
    let called = about.aliases.iter().fold(names.clone(), |all, alias| &all | &telling_stems(alias));
    let vague = |claim: &Claim<'_>| if is_vague(&claim.statement.text, &called) { POINT } else { 0 };
    let standing: Vec<i16> =
        account.current.iter().map(|claim| standing(claim, &account).saturating_sub(vague(claim))).collect();
    if account.current.iter().all(|claim| claim.statement.standing >= WRITTEN) {
        return account;
    }
    let mut order: Vec<usize> = (0..standing.len())
        .filter(|n| !(is_work && (is_proposal(&account, *n) || about.changes_files && is_undone(&account, *n))))
        .filter(|n| !(is_work && is_ruled_out(account.current[*n].statement)))
        .collect();
    let rank = |n: &usize| standing[*n].saturating_add(of_subject(&account.current[*n]));
    order.sort_by_key(|n| (std::cmp::Reverse(rank(n)), *n));
    let (least, most) = if is_work { (SPARE_MIN, OF_WORK_MAX) } else { (SHOWN_MIN, OF_THING_MAX) };
    let mut kept: Vec<(usize, Told)> = Vec::new();
    for n in &order {
        let is_written = account.current[*n].statement.standing >= WRITTEN;
        let told = Told::of(&account.current[*n]);
        let is_open = account.current[*n].statement.kind == PassageKind::Action;
        let says_it = |(other, known): &(usize, Told)| {
            is_open == (account.current[*other].statement.kind == PassageKind::Action) && told.is_said_by(known)
        };
        let has_room = standing[*n] >= least && kept.len() < most;
        let stands = has_room && !kept.iter().any(says_it);
        // A page that shows nothing would say less than the best of what there is.
        if is_written || stands || kept.is_empty() {
            kept.push((*n, told));
        }
    }
    let mut kept: BTreeSet<usize> = kept.into_iter().map(|(n, _)| n).collect();
    if is_work && about.changes_files {
        kept.extend(done(&account, &kept, &names));
    }
    let mut n = 0..;
    account.current.retain(|_| n.next().is_some_and(|n| kept.contains(&n)));
    account
}

/// Whether a statement proposes what to do (`The fix: add a door`) where something else was decided on in its session.
fn is_proposal(account: &Account<'_>, n: usize) -> bool {
    let one = account.current[n].statement;
    let is_step = || score::is_step(score::without_outcome_label(&one.text));
    let settles = |other: &Statement| {
        (other.id.file, other.id.entry) == (one.id.file, one.id.entry)
            && other.kind == PassageKind::Decision
            && score::is_outcome(&other.text)
    };
    one.kind == PassageKind::Statement
        && one.standing < WRITTEN
        && score::is_outcome(&one.text)
        && is_step()
        && account.current.iter().any(|claim| settles(claim.statement))
}

/// Whether a statement only rules out, on the way to a change, what was not to blame.
fn is_ruled_out(one: &Statement) -> bool {
    one.kind == PassageKind::Statement
        && one.learned == Learned::BeforeChange
        && one.standing < WRITTEN
        && fault::rules_out(&one.text)
}

/// Whether a statement says how something was that was changed later in the same session: all that it speaks of is named
/// there. `The door and the bell are open` says nothing that holds after `The door and the bell have been removed`.
fn is_undone(account: &Account<'_>, n: usize) -> bool {
    let one = account.current[n].statement;
    let is_state = matches!(one.kind, PassageKind::Statement | PassageKind::Lesson);
    let about = || subject(&one.text).map(stems).filter(|about| about.len() >= UNDONE_WORDS_MIN);
    if one.standing >= WRITTEN || one.is_fault || !is_state || alone::tells_outcome(&one.text) {
        return false;
    }
    let Some(about) = about() else { return false };
    let is_change = |other: &Statement| {
        (other.id.file, other.id.entry, other.kind) == (one.id.file, one.id.entry, one.kind)
            && other.id.nth > one.id.nth
            && (alone::is_of_change(&other.text) || score::notes_change(&other.text))
            && about.is_subset(&with_all_parts(&other.text))
    };
    account.current.iter().any(|claim| is_change(claim.statement))
}

/// The stems of a text with those of the parts of its names: `apiKey` speaks of a key.
fn with_all_parts(text: &str) -> BTreeSet<String> {
    let parts = words(text).into_iter().flat_map(|word| identifier_parts(word.of(text)));
    parts.map(|part| stem(&fold(part))).chain(stems(text)).collect()
}

/// Fewest words of what a statement speaks of that show that a later one speaks of the same.
const UNDONE_WORDS_MIN: usize = 2;

/// Most notes of what was done that a page shows which says nothing else of what came of its work.
const DONE_MAX: usize = 2;
/// Fewest words that such a note shares with the title and with what was wrong.
const DONE_WORDS_MIN: usize = 2;

/// The notes of what was done that speak of what the work is called, or of what was wrong; none where something that is
/// shown says what came of that.
fn done(account: &Account<'_>, kept: &BTreeSet<usize>, names: &BTreeSet<String>) -> Vec<usize> {
    let text = |n: usize| account.current[n].statement.text.as_str();
    let says_done = |text: &str| {
        score::is_outcome(text) || alone::is_of_change(text) || score::notes_change(text) || score::is_edit(text)
    };
    let faults = kept.iter().filter(|n| account.current[**n].statement.is_fault);
    let wrong = faults.fold(BTreeSet::new(), |all, n| &all | &telling_stems(text(*n)));
    let n_shared = |n: usize| {
        let said = telling_stems(text(n));
        said.intersection(names).count() + said.intersection(&wrong).count()
    };
    if kept.iter().any(|n| says_done(text(*n)) && n_shared(*n) >= DONE_WORDS_MIN) {
        return Vec::new();
    }
    let notes = (0..account.current.len()).filter(|n| !kept.contains(n) && standing::tells_done(text(*n)));
    let mut notes: Vec<(usize, usize)> =
        notes.map(|n| (n_shared(n), n)).filter(|(n_shared, _)| *n_shared >= DONE_WORDS_MIN).collect();
    notes.sort_by_key(|(n_shared, n)| (std::cmp::Reverse(*n_shared), *n));
    notes.into_iter().take(DONE_MAX).map(|(_, n)| n).collect()
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
struct Told<'a> {
    statement: &'a Statement,
    stems: BTreeSet<String>,
    counts: BTreeSet<String>,
}

impl<'a> Told<'a> {
    fn of(claim: &Claim<'a>) -> Told<'a> {
        // The day that is written behind `today` is no number of it.
        let text = &claim.statement.text;
        let all = words(text).into_iter().map(|word| word.of(text));
        let is_count = |word: &&str| word.contains(|ch: char| ch.is_ascii_digit()) || is_count_or_date(word);
        let counts = all.filter(is_count).map(str::to_lowercase).collect();
        Told { statement: claim.statement, stems: stems(text), counts }
    }

    /// Whether another claim says as much: it has every number, and nearly every word.
    fn is_said_by(&self, other: &Told<'_>) -> bool {
        let n_shared = self.stems.intersection(&other.stems).count() * 100;
        !self.stems.is_empty()
            && self.counts.is_subset(&other.counts)
            && n_shared >= self.stems.len() * SAID_BESIDE_PERCENT
            && (n_shared >= self.stems.len() * SAID_PERCENT || self.is_beside(other))
    }

    /// Whether both say below one heading how something is, at some length.
    fn is_beside(&self, other: &Told<'_>) -> bool {
        let text = &self.statement.text;
        let tells_change = || alone::tells_outcome(text) || score::notes_change(text) || score::is_edit(text);
        self.stems.len() >= SAID_BESIDE_WORDS_MIN
            && section_of(self.statement) == section_of(other.statement)
            && !tells_change()
    }
}
