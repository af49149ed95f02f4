//! The tldr of a page of which no sentence says what it is: what was done or found in a piece of work, what a document
//! is about, what holds in the place of what the page said.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::LazyLock;

use ken_core::header::TLDR_CHARS_MAX;
use ken_core::journal::is_document;
use ken_core::language::alternatives;
use ken_core::orders::order;
use ken_core::text::{capital, sentences};
use ken_core::words::is_stop;
use ken_core::{Category, Date};
use regex::Regex;

use super::lead::{strong_stems, with_parts, within_code};
use super::symptom::symptom;
use super::{PageInput, Statement, gist, named, reference, shown_text};
use crate::account::{Account, Claim};
use crate::alone;
use crate::clause;
use crate::passage::{Learned, PassageKind};
use crate::score;
use crate::standing;
use crate::work::{is_asked, opens_request};

/// Returns the tldr of a page by what it holds; `None` where that says nothing of what the page is.
pub(super) fn of(input: &PageInput, account: &Account<'_>) -> Option<String> {
    let text = match input.category {
        _ if input.is_history || input.is_external => None,
        _ if reference::is_reference(&account.current) => gist::of(input, account),
        Category::Project => {
            let told = of_work(input, account).or_else(|| settled(input, account)).or_else(|| found(input, account));
            told.or_else(|| symptom(input).map(|(day, seen)| format!("Reported on {day}: {seen}")))
        }
        category if named::is_of_thing(category) => instead(input, account).or_else(|| named::of(input, account)),
        _ => instead(input, account),
    };
    text.map(|text| within_code(&text))
}

/// Returns the tldr of a page of work of which no document tells.
pub(super) fn of_pure_work(input: &PageInput, account: &Account<'_>) -> Option<String> {
    let is_work = input.category == Category::Project && !reference::is_reference(&account.current);
    if is_work { of_work(input, account).map(|text| within_code(&text)) } else { None }
}

/// What was settled, learned or found in a piece of work that speaks of what it is called, where nothing says what came of
/// it.
fn settled(input: &PageInput, account: &Account<'_>) -> Option<String> {
    let names = with_parts(&input.title);
    let of_claim = |claim: &Claim<'_>| {
        let statement = claim.statement;
        let kind = match statement.kind {
            _ if statement.is_fault => 1,
            PassageKind::Decision => 3,
            PassageKind::Lesson => 2,
            _ if alone::is_of_change(&statement.text) => 0,
            _ => return None,
        };
        let (score, text) = told(claim)?;
        let n_named = with_parts(&text).intersection(&names).count().min(DONE_WORDS_MIN);
        let is_exact = text.contains('`') || n_named >= DONE_WORDS_MIN;
        // What is all that there is is about it.
        let n_named = if account.current.len() == 1 { n_named.max(1) } else { n_named };
        let text = match (kind, statement.date) {
            (1, Some(day)) => found_on((statement, day), &text),
            _ => text,
        };
        (is_exact && n_named > 0 && standing::is_plain(&text)).then_some(((n_named, kind), score, text))
    };
    let all = account.current.iter().filter_map(of_claim);
    all.max_by(|(a, n, text), (b, m, other)| a.cmp(b).then(n.total_cmp(m)).then(other.cmp(text))).map(|(.., text)| text)
}

/// What was found in a piece of work, where nothing that speaks of its title says more: a lesson with its reason, what was
/// wrong, or what else gives a reason, the one that has most words of the title and of what was asked.
fn found(input: &PageInput, account: &Account<'_>) -> Option<String> {
    let about = about(input);
    let of_claim = |claim: &Claim<'_>| {
        let statement = claim.statement;
        let (score, text) = told(claim)?;
        let n_about = with_parts(&text).intersection(&about).count();
        let says_why = score::told(&statement.text).why;
        let (kind, least) = match statement.kind {
            PassageKind::Lesson if says_why => (2, 0),
            PassageKind::Statement | PassageKind::Lesson if statement.is_fault => (1, 1),
            PassageKind::Statement if says_why => (0, FOUND_WORDS_MIN),
            _ => return None,
        };
        let day = statement.date?;
        (n_about >= least && !text.starts_with('(') && standing::is_plain(&text))
            .then(|| ((n_about.min(FOUND_WORDS_MIN), kind, n_about), score, found_on((statement, day), &text)))
    };
    let all = account.current.iter().filter_map(of_claim);
    all.max_by(|(a, n, text), (b, m, other)| a.cmp(b).then(n.total_cmp(m)).then(other.cmp(text))).map(|(.., text)| text)
}

/// What was found, with its day: what was said before files were changed may hold no longer.
fn found_on((statement, day): (&Statement, Date), text: &str) -> String {
    let before = if statement.learned == Learned::BeforeChange { "before the change of" } else { "on" };
    format!("Found {before} {day}: {text}")
}

/// Words of the title and of what was asked that tell that a statement is about them.
const FOUND_WORDS_MIN: usize = 2;

/// What was wrong and is mended since, else what was done about what the work is called and why, with its day.
fn of_work(input: &PageInput, account: &Account<'_>) -> Option<String> {
    let names = with_parts(&input.title);
    let is_about = |text: &str| !with_parts(text).is_disjoint(&names);
    let faults = account.current.iter().filter(|claim| claim.statement.is_fault);
    let told = faults.filter_map(|claim| Some((claim.statement.date?, told(claim)?)));
    let plain = told.filter(|(_, (_, text))| is_about(text) && standing::is_plain(text));
    let n_named = |text: &str| with_parts(text).intersection(&names).count();
    let rank = |a: &(f32, String), b: &(f32, String)| n_named(&a.1).cmp(&n_named(&b.1)).then(a.0.total_cmp(&b.0));
    let cause = cause(input, account).map(|(day, text)| (day, (0.0, text)));
    let worst = cause.clone().or_else(|| plain.max_by(|(_, a), (_, b)| rank(a, b).then(b.1.cmp(&a.1))));
    let is_found = cause.is_some() && !is_mended(input);
    let problem = worst.filter(|_| is_found || is_mended(input)).map(|(day, (_, text))| {
        let seen = symptom(input).filter(|_| cause.is_some()).and_then(|(_, seen)| with_cause(&seen, &text));
        if is_found {
            return format!("Found on {day}: {}", seen.unwrap_or(text));
        }
        if let Some(seen) = seen {
            return format!("Problem (fix of {day}): {seen}");
        }
        let found = format!("Problem (fix of {day}): {text}");
        let both = |fix: String| joined(&found, &fix).or_else(|| joined(before_what_follows(&found), &fix));
        fix(&text, account).and_then(both).unwrap_or(found)
    });
    let done = account.current.iter().filter_map(|claim| Some((claim.statement.date?, done(input, claim)?)));
    let most = done.max_by(|(_, a), (_, b)| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(b.2.cmp(&a.2)));
    let told = most.map(|(day, (n_named, _, text))| (n_named, format!("Done on {day}: {text}")));
    // What was done says more than what was wrong, where it says why and names the work.
    let says_why = |(n_named, text): &(usize, String)| *n_named >= DONE_WORDS_MIN && score::gives_reason(text);
    match told {
        Some((_, text)) if problem.is_none() => Some(text),
        told => told.filter(says_why).map(|(_, text)| text).or(problem),
    }
}

/// What somebody saw with its cause, as much of that as there is room for; `None` where they say the same.
fn with_cause(seen: &str, cause: &str) -> Option<String> {
    let (of_seen, of_cause) = (with_parts(seen), with_parts(cause));
    let n_shared = of_seen.intersection(&of_cause).count();
    let first = sentences(cause).first().map_or(cause, |first| first.of(cause));
    let both = |cause: &str| format!("{seen} Cause: {cause}");
    let fits = |text: &String| text.chars().count() <= TLDR_CHARS_MAX - LABEL_CHARS;
    let shorter = format!("{}.", before_last_that_follows(first).trim_end_matches('.'));
    let texts = [both(cause), both(first), both(&shorter)];
    texts.into_iter().find(fits).filter(|_| 2 * n_shared < of_seen.len())
}

/// What somebody said that they had found, of several what speaks most of what the work is called and of what was asked,
/// the first of them, with its day.
fn cause(input: &PageInput, account: &Account<'_>) -> Option<(Date, String)> {
    let about = about(input);
    let of_claim = |claim: &Claim<'_>| {
        let statement = claim.statement;
        if !statement.learned.is_cause() || !statement.is_believed() || order(&statement.text).is_some() {
            return None;
        }
        let shown = shown_text(statement);
        let text = PLACE.replace_all(without_pointing(unlabelled(&shown)), "").into_owned();
        let all = sentences(&text);
        let first = all.first().map(|first| first.of(&text))?;
        // `I see the parser.` only goes on.
        let tells = |n: usize| n == 1 || all[n - 1].of(&text).split(' ').count() >= GOES_ON_WORDS_MIN;
        let up_to = |n: usize| all.get(n - 1).filter(|_| tells(n)).map(|last| &text[..last.end]);
        let fits = |text: &&str| text.chars().count() <= CAUSE_CHARS_MAX;
        // `1.2 s. Goal reached.` tells no cause, and few words do that name nothing.
        let names = clause::is_one(first) && first.contains('`');
        let is_short = first.split(' ').count() < CAUSE_WORDS_MIN && !names || clause::is_fragment(first);
        let told = up_to(2).filter(fits).or_else(|| up_to(1).filter(fits)).map(capital)?;
        let n_about = with_parts(&told).intersection(&about).count().min(DONE_WORDS_MIN);
        let stands = !is_short && !alone::points_back(first) && !reference::has_address(&told);
        let day = statement.date?;
        stands.then_some(((n_about, Reverse((day, statement.line))), (day, told)))
    };
    account.current.iter().filter_map(of_claim).max_by(|(a, _), (b, _)| a.cmp(b)).map(|(_, found)| found)
}

/// A cause behind a sentence that only says where to look: `Look at the log: "door open". The door sticks.`
fn without_pointing(text: &str) -> &str {
    match sentences(text).as_slice() {
        [first, second, ..] if opens_request(first.of(text)) => &text[second.start..],
        _ => text,
    }
}

/// Room for what stands before it, in characters: `Problem (fix of 2026-04-01): `.
const LABEL_CHARS: usize = 32;

/// Longest cause that sums work up, in characters: two sentences where they fit; and fewest words of one.
const CAUSE_CHARS_MAX: usize = 260;
const CAUSE_WORDS_MIN: usize = 6;
/// Fewest words of its second sentence.
const GOES_ON_WORDS_MIN: usize = 4;

/// The words of what the work is called, and of what was asked.
fn about(input: &PageInput) -> BTreeSet<String> {
    let asked = input.statements.iter().filter(|one| is_asked(one.kind)).map(|one| one.text.as_str());
    asked.fold(with_parts(&input.title), |all, text| &all | &with_parts(text))
}

/// What was done about what was wrong: it is called so, or notes a change, and speaks of the same names.
fn fix(problem: &str, account: &Account<'_>) -> Option<String> {
    let wrong = with_parts(problem);
    let of_claim = |claim: &Claim<'_>| {
        let statement = claim.statement;
        if statement.is_fault || !statement.is_believed() || order(&statement.text).is_some() {
            return None;
        }
        let text = PLACE.replace_all(&shown_text(statement), "").into_owned();
        let said = score::edit(&text).unwrap_or(&text);
        let said = score::without_outcome_label(said);
        let is_called = said.len() < text.len() && !score::is_edit(&text) || alone::is_of_change(said);
        if !is_called && !score::notes_change(said) {
            return None;
        }
        let first = sentences(said).first().map(|span| span.of(said))?.trim_end_matches(['.', ':']);
        let whole = format!("{}.", BRACKETS.replace_all(first, ""));
        let is_list = whole.contains("; ") || whole.contains(": ");
        let stands = !is_list && alone::leans_on_nothing(&capital(&whole)) && standing::is_sober(&whole);
        let n_shared = with_parts(&whole).intersection(&wrong).count();
        // What was done to a file that the work changed is about it.
        let n_min = if is_called || score::is_edit(&text) { 1 } else { NAMED_MIN };
        (stands && n_shared >= n_min).then_some(((n_shared, is_called), whole))
    };
    let all = account.current.iter().filter_map(of_claim);
    all.max_by(|(a, text), (b, other)| a.cmp(b).then(other.cmp(text))).map(|(_, text)| text)
}

/// Fewest words that a note of what was done shares with what was wrong.
const NAMED_MIN: usize = 2;

/// What stands in brackets, which may speak to somebody.
static BRACKETS: LazyLock<Regex> = LazyLock::new(|| Regex::new(r" \([^()`]*\)").expect("a pattern of ours"));

/// What was wrong with what was done about it, as one sentence; `None` where it is too long.
fn joined(problem: &str, fix: &str) -> Option<String> {
    let first = fix.split(' ').next().unwrap_or_default();
    let lowered = || first.to_lowercase() + &fix[first.len()..];
    let fix = match first.chars().skip(1).all(char::is_lowercase) {
        true if is_stop(&first.to_lowercase()) => lowered(),
        true => format!("fix: {}", lowered()),
        false => format!("fix: {fix}"),
    };
    let both = format!("{}; {fix}", problem.trim_end_matches('.'));
    (both.chars().count() < TLDR_CHARS_MAX).then_some(both)
}

/// A sentence up to what follows of what it says: `The door opens, so that heat is lost` tells that the door opens.
fn before_what_follows(sentence: &str) -> &str {
    FOLLOWS.find(sentence).map_or(sentence, |found| &sentence[..found.start()])
}

/// The same up to the last of what follows.
fn before_last_that_follows(sentence: &str) -> &str {
    FOLLOWS.find_iter(sentence).last().map_or(sentence, |found| &sentence[..found.start()])
}

/// What begins a clause that says what follows of the one before it.
static FOLLOWS: LazyLock<Regex> = LazyLock::new(|| {
    let follows = alternatives(|lexicon| lexicon.work.clause_follows);
    Regex::new(&format!(r"(?i), (?:{follows})\s")).expect("a pattern of ours")
});

/// Whether a piece of work changed a file that is no document, or somebody says what came of it.
fn is_mended(input: &PageInput) -> bool {
    let behind = |text: &'_ str| text.split_once(": ").is_some_and(|(_, rest)| score::notes_change(rest));
    let tells = |text: &str| alone::tells_outcome(text) || score::notes_change(text) || behind(text);
    let is_told = || input.statements.iter().any(|one| !one.is_fault && tells(&one.text));
    input.files.iter().any(|(file, _)| !is_document(file)) || !input.files.is_empty() && is_told()
}

/// What a claim says was done about what the page is called, with how many words of that it has and how much it tells.
fn done(input: &PageInput, claim: &Claim<'_>) -> Option<(usize, f32, String)> {
    let statement = claim.statement;
    if !statement.is_believed() || order(&statement.text).is_some() {
        return None;
    }
    let text = shown_text(statement);
    let labelled = score::edit(&text).unwrap_or(&text);
    let whole = score::without_outcome_label(labelled);
    // What is called the solution is that of the work, whatever its words are.
    let n_words_min = if whole.len() < labelled.len() { 1 } else { DONE_WORDS_MIN };
    let first = sentences(whole).first().map(|span| span.of(whole))?;
    // What follows a semicolon lists more of it.
    let first = first.split("; ").next().unwrap_or(first).trim_end_matches([':', '.', ';']);
    let is_note =
        score::notes_change(first) && standing::is_plain(first) && alone::leans_on_nothing(&format!("{first}."));
    let names = match strong_stems(&input.title) {
        strong if strong.len() >= DONE_WORDS_MIN => strong,
        _ => reference::stems(&input.title),
    };
    // The steps of a list say what it is about, too.
    let n_named = with_parts(whole).intersection(&names).count();
    let tells_why = !score::is_change_note(first) || n_named >= names.len().max(n_words_min);
    (is_note && tells_why && n_named >= names.len().min(n_words_min))
        .then(|| (n_named, score::score(first, false), format!("{first}.")))
}

/// What holds in the place of something that the page said, where it names what the page is about: it stands on the page
/// of a longer name.
fn instead(input: &PageInput, account: &Account<'_>) -> Option<String> {
    let names = strong_stems(&input.title);
    let mut newest: Vec<&Statement> = account.superseded.iter().map(|old| old.now).collect();
    newest.sort_by_key(|now| (Reverse(now.date), &now.cited));
    let day = newest.first().and_then(|now| now.date);
    newest.retain(|now| now.date == day);
    let holds = |now: &&Statement| now.is_believed() && order(&now.text).is_none();
    let first = |now: &Statement| {
        let text = shown_text(now);
        sentences(&text).first().map(|span| span.of(&text).to_owned())
    };
    let is_it = |first: &String| !names.is_empty() && names.is_subset(&strong_stems(first));
    let stands = |first: &String| is_it(first) && alone::stands(first) && !alone::is_addition(first);
    newest.into_iter().filter(holds).filter_map(first).find(stands)
}

/// Fewest words of a title that a sentence has which says what was done about it.
const DONE_WORDS_MIN: usize = 2;

/// A place in a file, in brackets: `(oven.rs:12-20)`.
static PLACE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r" \([^()]*:\d[^()]*\)").expect("a pattern of ours"));

/// What was wrong, without the words that say that it was.
fn unlabelled(text: &str) -> &str {
    let bare = alone::without_fault_label(text);
    // `The root cause: …` has a label of its own.
    match bare.split_once(": ") {
        Some((label, rest))
            if label.split(' ').count() <= LABEL_WORDS_MAX && alone::tells_fault(&format!("{label}.")) =>
        {
            rest
        }
        _ => bare,
    }
}

/// Most words of a label.
const LABEL_WORDS_MAX: usize = 3;

/// The sentence of a claim that can be understood alone, with how much it tells.
fn told(claim: &Claim<'_>) -> Option<(f32, String)> {
    let statement = claim.statement;
    if !statement.is_believed() || order(&statement.text).is_some() {
        return None;
    }
    // A place in a file is where it was then, and a place on somebody's machine says nothing to others.
    let text = PLACE.replace_all(&shown_text(statement), "").into_owned();
    let first =
        sentences(&text).first().map(|span| span.of(&text).to_owned()).filter(|text| !reference::has_address(text))?;
    let first = capital(unlabelled(&first));
    (alone::stands(&first) && !alone::is_addition(&first)).then(|| (score::score(&first, false), first))
}
