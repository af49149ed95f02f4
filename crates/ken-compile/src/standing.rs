//! How well a statement stands on a page: what it tells somebody who was not there, by itself, and for long.
//!
//! Of a session much is said that is not worth a line a year later: asides, plans, suppositions, what somebody felt. It stays
//! in the journal, where a context finds it. What counts is told by points: what is exact, settled, or says what changed,
//! counts for a statement; what speaks to somebody, supposes, reports or leans on what was said counts against it.
//! The thresholds of what is shown stand here.

use std::sync::{LazyLock, OnceLock};

use ken_core::language::{AnyOf, WordSet, alternatives, with_words_of_europe};
use ken_core::markdown::code_spans;
use ken_core::text::{leans_back, sentences};
use ken_core::words::{Weight, fold, is_count_or_date, weight, words};
use ken_core::{Date, Span};
use regex::Regex;

use crate::alone::{self, with_code_as};
use crate::clause;
use crate::dates;
use crate::passage::PassageKind;
use crate::score;
use crate::subject::is_hash;

/// One reason for or against a statement.
pub(crate) const POINT: i16 = 10;
/// Least standing of a statement of a session that a page shows.
pub(crate) const SHOWN_MIN: i16 = POINT;
/// Least standing of a statement that fills the page of a piece of work as far as there is room.
pub(crate) const SPARE_MIN: i16 = -4 * POINT;
/// Least standing of the one statement that makes a page of what a session said in passing, or sums a page up.
pub(crate) const SUMS_UP_MIN: i16 = 2 * POINT;
/// What nobody said in a session stands: a person wrote it, a document has it, or a reader chose it.
pub(crate) const WRITTEN: i16 = i16::MAX / 2;
/// Statements of sessions that the page of a piece of work shows, and that of a thing.
pub(crate) const OF_WORK_MAX: usize = 9;
pub(crate) const OF_THING_MAX: usize = 8;

/// So long a statement is hard to take in, in characters.
const LONG_CHARS: usize = 400;

/// What stands for a piece of code.
const CODE: &str = "X";

struct Cues {
    against: [AnyOf; 3],
    fleeting: AnyOf,
    notes: Regex,
    machine: Regex,
}

fn cues() -> &'static Cues {
    static CUES: OnceLock<Cues> = OnceLock::new();
    let regex = |pattern: &str| Regex::new(&with_words_of_europe(pattern)).expect("a pattern of ours");
    CUES.get_or_init(|| Cues {
        against: [
            AnyOf::of(|lexicon| lexicon.pages.persons),
            AnyOf::of(|lexicon| lexicon.pages.supposing),
            AnyOf::of(|lexicon| lexicon.pages.reporting),
        ],
        fleeting: AnyOf::of(|lexicon| lexicon.pages.fleeting),
        notes: regex(r"\.[0-9A-Za-z_]{1,5}:[0-9]+\b"),
        // A folder of somebody's own.
        machine: regex(r"/(?:Users|home)/\w|\b[A-Z]:\\Users\\"),
    })
}

/// Returns whether a text names a line of a file: `oven.rs:12`.
pub(crate) fn has_position(text: &str) -> bool {
    cues().notes.is_match(text)
}

/// Returns whether a statement speaks of somebody who talks or is talked to.
pub(crate) fn speaks_of_persons(text: &str) -> bool {
    cues().against[0].is_in(text)
}

/// Whether a text says who or what something is: `The supplier of flour is Pellhurst Mills.`
fn names(said: &str) -> bool {
    static VERBS: LazyLock<String> = LazyLock::new(|| alternatives(|lexicon| lexicon.pages.says_what_is));
    VERBS.split('|').any(|verb| {
        said.match_indices(verb).any(|(at, _)| {
            let mut behind = said[at + verb.len()..].chars();
            let is_next = |is: fn(char) -> bool, next: Option<char>| next.is_some_and(is);
            !said[..at].ends_with(|ch: char| ch.is_alphanumeric() || ch == '_')
                && is_next(char::is_whitespace, behind.next())
                && is_next(char::is_uppercase, behind.next())
                && is_next(char::is_lowercase, behind.next())
        })
    })
}

/// Characters of what stands before a dash that labels what stands behind it.
const TITLE_CHARS: std::ops::RangeInclusive<usize> = 3..=31;

/// Whether a text begins with a title: `Old doors - When it is late, they stay open.`
fn is_titled(text: &str) -> bool {
    let is_title = |title: &str| {
        title.starts_with(char::is_uppercase)
            && title.chars().all(|ch| ch.is_alphabetic() || ch.is_whitespace())
            && TITLE_CHARS.contains(&title.chars().count())
    };
    [" - ", " – ", " — "]
        .iter()
        .filter_map(|sign| text.split_once(sign))
        .any(|(title, rest)| is_title(title) && rest.starts_with(char::is_uppercase))
}

/// Returns the standing of what was said in a talk; `day` is when, and `changes` whether it tells that something changed.
pub(crate) fn of_talk(text: &str, kind: PassageKind, day: Option<Date>, changes: bool) -> i16 {
    let said = spoken(text);
    let is_settled = matches!(kind, PassageKind::Decision | PassageKind::Lesson | PassageKind::Action);
    let is_exact = is_exact(&said) || text.contains('`');
    let is_reasoned = gives_reason(&said);
    let points = [
        is_exact,
        is_reasoned,
        names(&said),
        changes && (is_exact || is_settled || is_labelled(&said)),
        is_settled && (is_exact || changes || is_reasoned),
        has_role(&said),
        is_labelled(&said),
        kind == PassageKind::Action,
    ];
    // What is told of today does not last, unless it is from then on.
    let passes = !changes && (day.is_some_and(|day| dates::passes(text, day)) || cues().fleeting.is_in(&said));
    // How something is done is told to whoever does it.
    let against = if alone::instructs(text) { 0 } else { against(&said) };
    let is_fragment = !changes && clause::is_fragment(&said);
    total(&points) - against - total(&[passes, alone::is_addition(&said) && !changes, leans(&said), is_fragment])
}

/// Returns the standing of what was said in a piece of work that tells whoever looks something up `worth`, of which
/// `worth_min` is kept; below [`SHOWN_MIN`] what it has that may fill a page, at least [`SPARE_MIN`] if it may.
pub(crate) fn of_work(text: &str, kind: PassageKind, worth: (f32, f32)) -> i16 {
    let said = spoken(text);
    // Where a branch stood tells nothing a day later, however often it was said, nor do figures of nothing; what a commit
    // in brackets brought may be why something was wrong.
    let has_hash = |said: &str| words(said).into_iter().any(|word| is_hash(word.of(said)));
    let is_passing = match kind {
        PassageKind::Decision if alone::is_long_decision(&said) => false,
        PassageKind::Lesson => has_hash(&BRACKETS.replace_all(&said, "")),
        _ => has_hash(&said) || kind == PassageKind::Statement && is_of_nothing(text),
    };
    match of_work_alone(text, &said, kind, worth) {
        own if own >= SHOWN_MIN && !is_passing => own,
        _ if is_passing => SPARE_MIN - POINT,
        _ => (SPARE_MIN + (spare(text, &said, kind) - SPARE_POINTS) / 2).min(SHOWN_MIN - 1),
    }
}

fn of_work_alone(text: &str, said: &str, kind: PassageKind, (worth, worth_min): (f32, f32)) -> i16 {
    let first = first_of(said);
    // Whoever rules something and says why speaks of themselves and supposes, too.
    let reasons = kind == PassageKind::Decision && (gives_reason(said) || alone::is_long_decision(said));
    // What a person settles in their own words speaks of them.
    let is_choice = kind == PassageKind::Decision && alone::is_choice(text) && !text.ends_with('?');
    let is_row = text.starts_with('`') && [" - ", " – ", " — ", ": "].iter().any(|sign| row_of(text, sign));
    let minus = [
        is_row && !score::gives_reason(text),
        // What leads a list in says with it what it speaks of.
        !reasons && !text.contains(": ") && alone::points_back(first),
        text.chars().count() > LONG_CHARS,
        !reasons && leans_at_first(said),
        score::is_change_note(said) || score::edit(text).is_some_and(score::is_change_note),
        has_position(text) && kind != PassageKind::Decision,
        is_titled(text),
        cues().machine.is_match(text),
    ];
    // What stands in brackets may speak to somebody.
    let is_outcome = score::is_outcome(text) || alone::is_of_change(text);
    let against = match () {
        () if reasons || is_choice => 0,
        () if is_outcome => against(&BRACKETS.replace_all(said, "")),
        () => against(said),
    };
    let plus = [is_outcome, is_choice];
    let over = ((worth - worth_min) * f32::from(POINT)) as i16;
    let own = SHOWN_MIN + over.min(3 * POINT) + total(&plus) - against - total(&minus);
    if reasons && alone::is_long_decision(said) { own.max(SHOWN_MIN) } else { own }
}

/// Whether a text has figures and hardly a word that says what of: `4.8 ms goes down to 2.9 ms.`
fn is_of_nothing(text: &str) -> bool {
    let is_figure = |word: &str| word.starts_with(|ch: char| ch.is_ascii_digit()) || word.chars().count() < 3;
    let tells = |word: &str| weight(word) != Weight::Stop && !is_figure(word);
    !text.contains('`') && words(text).into_iter().filter(|word| tells(word.of(text))).count() < TELLING_MIN
}

/// Fewest words that say what figures are of.
const TELLING_MIN: usize = 3;

/// Points of [`spare`] from which a statement may fill a page.
const SPARE_POINTS: i16 = 8;
/// Names and numbers that count, and parts from which a list is a table.
const SPARE_NAMES_MAX: usize = 3;
const ROWS_MIN: usize = 3;
/// What is longer takes the room of two.
const SPARE_CHARS_MAX: usize = 250;
/// So few words tell too little.
const SPARE_WORDS_MIN: usize = 6;

/// What may fill the page of a piece of work, in points: what gives a reason before what is merely exact.
fn spare(text: &str, said: &str, kind: PassageKind) -> i16 {
    let has_digit = |word: &str| word.contains(|ch: char| ch.is_ascii_digit());
    let all = words(said);
    let n_numbers = all.iter().filter(|word| has_digit(word.of(said))).count();
    let n_names = code_spans(text, Span::new(0, text.len())).len() + n_numbers;
    let n_names = n_names.min(SPARE_NAMES_MAX) as i16;
    let [persons, supposing, reporting] = cues().against.each_ref().map(|cue| cue.is_in(said));
    let is_settled = matches!(kind, PassageKind::Decision | PassageKind::Lesson);
    let told = score::told(text);
    let points = |reasons: &[(bool, i16)]| reasons.iter().filter(|(is, _)| *is).map(|(_, points)| points).sum::<i16>();
    let plus = [(told.why || gives_reason(said), 10), (told.what, 4), (told.how, 2), (is_settled, 10)];
    let minus = [
        (persons, 8),
        (supposing, 5),
        // What writes or tells is often a program.
        (reporting && !text.contains('`'), 3),
        (said.contains('?'), 20),
        (said.contains('!'), 6),
        (alone::points_back(first_of(said)), 12),
        (score::is_change_note(said), 6),
        (score::is_step(text), 6),
        (has_position(text), 8),
        (cues().machine.is_match(text), 10),
        (text.matches("; ").count() >= ROWS_MIN, 8),
        (text.chars().count() > SPARE_CHARS_MAX, 6),
        (all.len() < SPARE_WORDS_MIN || text.starts_with('('), 12),
    ];
    3 * n_names + points(&plus) - points(&minus)
}

fn first_of(said: &str) -> &str {
    sentences(said).first().map_or(said, |span| span.of(said))
}

/// Fewest words of a statement that what stands behind it is taken off.
const CORE_WORDS_MIN: usize = 5;

/// Returns a statement of a piece of work without what somebody adds to it: the sentences from one on that speaks of them or
/// to somebody, supposes or asks.
pub(crate) fn without_asides(text: &str) -> &str {
    let adds = |said: &str| {
        let [persons, supposing, _] = cues().against.each_ref().map(|cue| cue.is_in(said));
        persons || supposing || said.ends_with('?')
    };
    let all = sentences(text);
    let aside = all.iter().skip(1).find(|span| adds(&spoken(span.of(text))));
    let core = aside.map_or(text, |span| text[..span.start].trim_end());
    if words(core).len() >= CORE_WORDS_MIN { core } else { text }
}

static BRACKETS: LazyLock<Regex> = LazyLock::new(|| Regex::new(r" \([^()]*\)").expect("a pattern of ours"));

/// Whether a text is a row of a list: a piece of code with a sign behind it.
fn row_of(text: &str, sign: &str) -> bool {
    let behind = text.strip_prefix('`').and_then(|rest| rest.split_once('`')).map(|(_, behind)| behind);
    behind.is_some_and(|behind| behind.starts_with(sign)) && !score::is_edit(text)
        || sign != ": " && text.contains(&format!("`{sign}"))
}

/// The words that somebody said: code is nobody's, and the `I` of `I/O` is nobody.
fn spoken(text: &str) -> String {
    with_code_as(CODE, text).replace("I/O", CODE)
}

fn total(reasons: &[bool]) -> i16 {
    reasons.iter().map(|reason| if *reason { POINT } else { 0 }).sum()
}

pub(crate) fn against(said: &str) -> i16 {
    let [persons, supposing, reporting] = cues().against.each_ref().map(|cue| cue.is_in(said));
    let cheers = said.contains(['!', '…', '✅', '❌']);
    // What asks tells nothing by itself.
    let mut ends = said.match_indices('?').map(|(at, _)| &said[at + 1..]);
    let asks = ends.any(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace));
    total(&[persons, supposing, reporting, cheers]) + if asks { 2 * POINT } else { 0 }
}

/// Whether a text tells a number, a count or a day.
fn is_exact(said: &str) -> bool {
    static ORDINALS: OnceLock<WordSet> = OnceLock::new();
    let ordinals = ORDINALS.get_or_init(|| WordSet::of(|lexicon| lexicon.ordinals));
    // The second of something is no amount.
    let counts = |word: &str| is_count_or_date(word) && !ordinals.has(&fold(word));
    said.contains(|ch: char| ch.is_ascii_digit()) || words(said).into_iter().any(|word| counts(word.of(said)))
}

/// Whether a text says what somebody does for others, or wants.
fn has_role(said: &str) -> bool {
    static ROLES: OnceLock<WordSet> = OnceLock::new();
    let roles = ROLES.get_or_init(|| WordSet::of(|lexicon| lexicon.pages.role_verbs));
    words(said).into_iter().any(|word| roles.has(&word.of(said).to_lowercase()))
}

/// Most words of a label, and fewest of what it labels.
const LABEL_WORDS_MAX: usize = 4;
const LABELLED_WORDS_MIN: usize = 3;

/// Whether a text is labelled for what it is: `Rule: a door stays shut at night.`
fn is_labelled(said: &str) -> bool {
    said.split_once(": ").is_some_and(|(label, rest)| {
        label.split(' ').count() <= LABEL_WORDS_MAX
            && label.starts_with(char::is_uppercase)
            && !label.contains([',', '.'])
            && rest.split(' ').count() >= LABELLED_WORDS_MIN
    })
}

/// Where a clause that leans on what was said begins, in characters.
const CLAUSE_CHARS_MAX: usize = 40;

/// Whether a text goes on with something that is not in it: a later sentence leans back, or all but its first words do.
fn leans(said: &str) -> bool {
    leans_at_first(said) || sentences(said).into_iter().any(|span| leans_back(span.of(said)))
}

/// The same where later sentences lean on those before them, which are there.
fn leans_at_first(said: &str) -> bool {
    let early = [", ", ": "].iter().filter_map(|end| said.split_once(end));
    let mut early = early.filter(|(before, _)| before.chars().count() <= CLAUSE_CHARS_MAX && !before.contains(CODE));
    early.any(|(_, clause)| leans_back(clause)) || leans_back(first_of(said))
}

/// Returns whether a statement of a session supposes nothing, speaks to nobody and hangs on nothing.
pub(crate) fn is_plain(text: &str) -> bool {
    let said = spoken(text);
    against(&said) == 0
        && !alone::points_back(&said)
        && !leans(&said)
        && !cues().notes.is_match(text)
        && !is_titled(text)
}

/// Returns whether a statement of a session notes what was done by its names, so that somebody who was not there may
/// understand it: where nothing else says what came of the work, its page has the best of these.
pub(crate) fn tells_done(text: &str) -> bool {
    let said = score::edit(text).unwrap_or(text);
    let whole = format!("{}.", said.trim_end_matches(['.', ':']));
    let is_list = said.contains("; ") || said.contains(": ");
    score::notes_change(said)
        && text.contains('`')
        && !is_list
        && words(said).len() >= DONE_WORDS_MIN
        && alone::leans_on_nothing(&whole)
        && is_plain(&whole)
}

/// Fewest words of a note of what was done.
const DONE_WORDS_MIN: usize = 6;

/// Returns whether a text supposes nothing and speaks to nobody; it may hang on what stands beside it.
pub(crate) fn is_sober(text: &str) -> bool {
    against(&spoken(text)) == 0
}

fn gives_reason(said: &str) -> bool {
    static REASONS: LazyLock<AnyOf> = LazyLock::new(|| AnyOf::of(|lexicon| lexicon.sessions.causal));
    REASONS.is_in(said)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn talk(text: &str) -> i16 {
        of_talk(text, PassageKind::Statement, None, false)
    }

    #[test]
    fn what_is_exact_stands_and_what_supposes_reports_or_speaks_to_somebody_does_not() {
        for text in [
            "The kit costs 89 euros.",
            "Das Set kostet 89 Euro.",
            "`oven push` sends it.",
            "The supplier of flour is Pellhurst Mills.",
        ] {
            assert!(talk(text) >= SHOWN_MIN, "{text}");
        }
        for text in [
            "The kit has an opinion.",
            "I'd say 89 euros for the kit.",
            "Ada said that the kit costs 89 euros.",
            "The kit might cost 89 euros.",
            "Two kits, and they are gone!",
            "Vielleicht kostet das Set 89 Euro.",
            "Le kit coûte peut-être 89 euros.",
            "Quizás el kit cuesta 89 euros.",
            "Forse il kit costa 89 euro.",
        ] {
            assert!(talk(text) < SHOWN_MIN, "{text}");
        }
        assert!(talk("You run `oven push` at 9.") >= SHOWN_MIN, "it tells how something is done");
        let changed = of_talk("The kit costs 92 euros instead of 89.", PassageKind::Statement, None, true);
        assert!(changed >= SUMS_UP_MIN);
        let day = "2026-03-02".parse().ok();
        assert!(of_talk("The oven is off until 9 tomorrow.", PassageKind::Statement, day, false) < SHOWN_MIN);
    }

    #[test]
    fn what_a_commit_brought_may_be_a_cause_and_where_a_branch_stands_tells_nothing() {
        let of = |kind| of_work("The new mill (e90b1d4) grinds rye for wheat, so no loaf rises.", kind, (3.0, 2.1));
        assert!(of(PassageKind::Lesson) >= SHOWN_MIN && of(PassageKind::Statement) < SPARE_MIN);
    }

    #[test]
    fn figures_of_nothing_stand_on_no_page_of_work() {
        for text in ["4.8 ms goes down to 2.9 ms.", "12.0 m³/s instead of 14.2."] {
            assert!(is_of_nothing(text) && of_work(text, PassageKind::Statement, (3.0, 2.1)) < SPARE_MIN, "{text}");
        }
        for text in [
            "Typing in the 61k-line file went from 2.31 s to 74 ms.",
            "`bake()` takes 2 ms.",
            "Die Glocke läutet um 5 in der Halle.",
        ] {
            assert!(!is_of_nothing(text), "{text}");
        }
    }

    #[test]
    fn of_work_what_gives_a_reason_or_is_exact_may_fill_a_page_and_talk_may_not() {
        let of = |text: &str| of_work(text, PassageKind::Statement, (0.0, 2.1));
        for text in [
            "The clock of the oven runs fast, so every node gives the tray away too early.",
            "Weil die Uhr des Ofens vorgeht, gibt jeder Knoten das Blech zu früh frei.",
            "The sweeper of the oven runs every 15 seconds, in 4 ms, with 2 trays.",
        ] {
            assert!((SPARE_MIN..SHOWN_MIN).contains(&of(text)), "{text}: {}", of(text));
        }
        for text in ["The oven is nice and warm today.", "I think it is warm.", "Is it 15 or 16, or is it 17?"] {
            assert!(of(text) < SPARE_MIN, "{text}: {}", of(text));
        }
        let ruled = "I asked Ada. It has to be once a tray, and so the oven has to follow the till.";
        assert!(of_work(ruled, PassageKind::Decision, (1.5, 2.1)) >= SHOWN_MIN && of(ruled) < SHOWN_MIN);
    }

    #[test]
    fn what_is_added_to_a_statement_is_taken_off() {
        for (text, expected) in [
            (
                "The oven of the hall rings twice. It is loud. I measured it on Sunday.",
                "The oven of the hall rings twice. It is loud.",
            ),
            ("The oven of the hall rings twice. It could ring once.", "The oven of the hall rings twice."),
            ("Der Ofen der Halle klingelt zweimal. Ich habe es gemessen.", "Der Ofen der Halle klingelt zweimal."),
            ("It rings. I measured it.", "It rings. I measured it."),
            ("I measured the oven of the hall. It rings twice.", "I measured the oven of the hall. It rings twice."),
        ] {
            assert_eq!(without_asides(text), expected);
        }
    }

    #[test]
    fn notes_of_what_was_done_tell_it_by_its_names() {
        assert!(tells_done("Added a door to `oven.rs` that opens to the left."));
        assert!(tells_done("`oven.rs` — Replaced the `door` check with a walk over doors."));
        for text in [
            "Added a door that opens to the left.",
            "Updated `oven.rs`.",
            "The door of `oven.rs` opens to the left of the hall.",
            "Added to `oven.rs`: A door; A bell; A lamp; A light.",
            "Added this door of yours to `oven.rs` for all of us.",
        ] {
            assert!(!tells_done(text), "{text}");
        }
    }

    #[test]
    fn of_work_what_hangs_on_nothing_stands_by_its_worth() {
        let of = |text: &str| of_work(text, PassageKind::Lesson, (3.1, 2.1));
        assert_eq!(of("`send()` waits for the queue."), SHOWN_MIN + POINT);
        for text in
            ["`send()` probably waits for the queue, I think.", "Is it? It waits for `send()`, then that is it."]
        {
            assert!(of(text) < SHOWN_MIN, "{text}");
        }
        let fix = "Fix: `send()` now waits (so you see each bill).";
        assert!(of(fix) > of("`send()` now waits (so you see each bill)."), "what came of it, brackets aside");
        assert!(of("`SendsTwice`: A bill in the queue stays there.") < of("`SendsTwice` keeps a bill in the queue."));
        assert!(of("The branch of the till is at b8d967c now.") < SHOWN_MIN, "where a branch stood");
        assert!(is_plain("`send()` waits for the queue.") && !is_plain("`send()` waits in till.rs:20 for the queue."));
    }
}
