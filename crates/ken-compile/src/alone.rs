//! Which sentences can be understood alone.

mod row;
mod said;

use std::sync::{LazyLock, OnceLock};

use ken_core::Span;
use ken_core::language::{AnyOf, alternatives};
use ken_core::markdown::code_spans;
use ken_core::text::leans_back;
use ken_core::words::{Weight, weight, words};
use regex::Regex;

use super::score;
use crate::clause;
use row::is_row;
pub(crate) use said::{has_identifier, is_answer, is_choice, is_errand, is_long_decision, without_courtesies};

/// Bounds of a sentence that says what a page says, in characters.
const CHARS: std::ops::RangeInclusive<usize> = 20..=240;

/// Returns whether a sentence of a document is whole and can be understood without what stands around it.
pub(crate) fn of_document(text: &str) -> bool {
    is_whole(text) && leans_on_no_other(text)
}

fn leans_on_no_other(text: &str) -> bool {
    static SPEAKING: LazyLock<AnyOf> = LazyLock::new(|| AnyOf::of(|lexicon| lexicon.pages.document_speaking));
    // The `I` of `I/O` is nobody.
    let said = text.replace("I/O", "");
    let is_labelled = || said.split_once(':').is_some_and(|(label, _)| label.chars().count() <= LABEL_CHARS_MAX);
    let points = || behind_words(&said, 3).any(|rest| POINTED.opens(rest));
    let speaks = || SPEAKING.is_in(&said) || is_labelled() || points();
    !is_addition(text) && !speaks() && (!LEANING.opens(text) || is_of_itself(text))
}

/// Most characters of what a sentence of a document is labelled with.
const LABEL_CHARS_MAX: usize = 30;

/// With what sentences of documents begin that lean on the one before, and what points at what stands there.
static LEANING: LazyLock<AnyOf> = LazyLock::new(|| AnyOf::of(|lexicon| lexicon.pages.document_leaning));
static POINTED: LazyLock<AnyOf> = LazyLock::new(|| AnyOf::of(|lexicon| lexicon.pages.document_pointed));

/// What stands behind the first word of a text, behind the first two, up to so many.
fn behind_words<'t>(text: &'t str, n_max: usize) -> impl Iterator<Item = &'t str> {
    let behind = |rest: &&'t str| {
        let (word, rest) = rest.split_once(' ')?;
        (!word.is_empty() && !word.contains(char::is_whitespace)).then_some(rest)
    };
    std::iter::successors(Some(text), behind).skip(1).take(n_max)
}

/// Returns whether the first sentence of a document speaks of its matter, whoever else it speaks to:
/// `A baker who has your key has your oven.`
pub(crate) fn opens_matter(text: &str) -> bool {
    // What is said of the subject may be said to a reader.
    clause::subject(text).is_some_and(|subject| {
        let said = format!("{}.", subject.trim_end());
        is_whole(text) && !is_addition(text) && subject.split_whitespace().count() > 1 && leans_on_no_other(&said)
    })
}

/// Returns whether a sentence says of its document what it is about: `This page describes …`.
pub(crate) fn is_of_itself(text: &str) -> bool {
    static ITSELF: OnceLock<Regex> = OnceLock::new();
    let itself = ITSELF.get_or_init(|| {
        let itself = alternatives(|lexicon| lexicon.pages.document_itself);
        let tells = alternatives(|lexicon| lexicon.pages.document_tells);
        Regex::new(&format!(r"(?i)^(?:{itself}) (?:{tells})\b")).expect("a pattern of ours")
    });
    itself.is_match(text)
}

/// Returns whether the first sentence of a document says what the document is: `These are the settings of the oven.`
pub(crate) fn opens_document(text: &str) -> bool {
    static OPENING: LazyLock<AnyOf> = LazyLock::new(|| AnyOf::of(|lexicon| lexicon.pages.document_opening));
    is_whole(text) && !is_addition(text) && OPENING.opens(text)
}

/// Returns whether a sentence says what something is for, or what is proposed: `The goal is to bake at night.`
pub(crate) fn tells_purpose(text: &str) -> bool {
    static PURPOSE: LazyLock<AnyOf> = LazyLock::new(|| AnyOf::of(|lexicon| lexicon.pages.document_purpose));
    is_whole(text) && PURPOSE.opens(text)
}

/// Returns whether a sentence speaks of several things of which the next one tells: `Dough goes through three stages.`
pub(crate) fn leans_forward(text: &str) -> bool {
    // By hand: as a pattern, the words that may stand behind it take longer to make than all else of a small compile.
    static COUNTING: OnceLock<String> = OnceLock::new();
    let counting = COUNTING.get_or_init(|| alternatives(|lexicon| lexicon.pages.document_counting));
    let Some(mut before) = text.strip_suffix('.') else { return false };
    let counts = |before: &str| {
        let lower = before.to_lowercase();
        let opens =
            |rest: &str| rest.strip_suffix(' ').is_some_and(|rest| rest.ends_with(|ch: char| !ch.is_whitespace()));
        counting.split('|').any(|phrase| lower.strip_suffix(phrase).is_some_and(opens))
    };
    for _ in 0..COUNTED_WORDS_MAX {
        let Some((rest, _)) = before.rsplit_once(' ').filter(|(_, word)| is_plain_word(word)) else { return false };
        if counts(rest) {
            return true;
        }
        before = rest;
    }
    false
}

/// Most words that name what is counted.
const COUNTED_WORDS_MAX: usize = 5;

/// Whether a text is letters, digits and hyphens.
fn is_plain_word(text: &str) -> bool {
    static WORD: OnceLock<Regex> = OnceLock::new();
    if text.is_ascii() {
        return !text.is_empty()
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    }
    WORD.get_or_init(|| Regex::new(r"^[\w-]+$").expect("a pattern of ours")).is_match(text)
}

/// Returns whether a sentence of a document speaks of the document or its site, not of the matter:
/// `The sidebar may be hidden.`
pub(crate) fn is_remark(text: &str) -> bool {
    static REMARKS: LazyLock<AnyOf> = LazyLock::new(|| AnyOf::of_whole(|lexicon| lexicon.pages.document_remarks));
    REMARKS.is_in(text)
}

/// Returns whether a sentence of the journal can be understood alone: it is whole, nobody in it speaks of themselves
/// or to a reader, nothing in it points at what stands around it, and it is no note of a change.
pub fn stands(text: &str) -> bool {
    leans_on_nothing(text) && !score::is_change_note(text)
}

/// The same of a sentence that may note a change: `Replaced the timer of the oven`.
pub(crate) fn leans_on_nothing(text: &str) -> bool {
    static FORM: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^`[^`]+`(?: \([^)]*\))? [-–—] |#[0-9]+ (?i:and|or) #[0-9]").expect("a pattern of ours")
    });
    static LEANING: LazyLock<AnyOf> = LazyLock::new(|| AnyOf::of(|lexicon| lexicon.pages.journal_leaning));
    static SPEAKING: LazyLock<AnyOf> = LazyLock::new(|| AnyOf::of(|lexicon| lexicon.pages.journal_speaking));
    let has_form = || {
        text.contains(['✅', '❌'])
            || text.contains(" | ")
            || text.ends_with(['?', ':'])
            || (text.starts_with('`') || text.contains('#')) && FORM.is_match(text)
    };
    is_whole(text) && !leans_back(text) && !LEANING.opens(text) && !SPEAKING.is_in(text) && !has_form()
}

/// Returns whether a statement of the journal may stand on a page: it hangs on nothing that is not in it, goes on with
/// nothing that was said (`The door stays shut, then.`), tells no step of an example, and is about the matter, not about
/// the running of the work.
pub(crate) fn is_claim(text: &str) -> bool {
    static POINTING: LazyLock<AnyOf> = LazyLock::new(|| AnyOf::of(|lexicon| lexicon.pages.pointing));
    static OF_THE_WORK: LazyLock<AnyOf> = LazyLock::new(|| AnyOf::of(|lexicon| lexicon.pages.of_the_work));
    static SCENE: LazyLock<Regex> = LazyLock::new(|| {
        let scene = alternatives(|lexicon| lexicon.pages.scene);
        Regex::new(&format!(r"(?i)^(?:{scene})")).expect("a pattern of ours")
    });
    // `The door stays shut, then.`, `It is shut again.`
    let trails = || {
        let is_few = |before: &str| {
            before.split(' ').count() <= TRAILED_WORDS_MAX && before.split(' ').all(|word| !word.is_empty())
        };
        let lower = text.to_lowercase();
        let mut before = trailed(&lower).filter_map(|before| before.strip_suffix(' '));
        before.any(|before| before.ends_with(',') || is_few(before))
    };
    let is_other = POINTING.opens(text) || SCENE.is_match(text) || OF_THE_WORK.is_in(text) || trails();
    !is_other && !is_cut(text) && !is_row(text)
}

/// Most words before one that only goes on with what was said.
const TRAILED_WORDS_MAX: usize = 7;

/// What stands before words at the end of a text in lower case that go on with what was said.
fn trailed(lower: &str) -> impl Iterator<Item = &str> {
    static TRAILING: LazyLock<AnyOf> = LazyLock::new(|| AnyOf::of(|lexicon| lexicon.pages.trailing));
    let said = lower.strip_suffix(['.', '!']).unwrap_or(lower);
    TRAILING.before_end(said)
}

/// Returns whether a sentence adds something to another one (`It is on the list as well.`), which says nothing of what a
/// thing is.
pub(crate) fn is_addition(text: &str) -> bool {
    static ADDING: LazyLock<AnyOf> = LazyLock::new(|| AnyOf::of(|lexicon| lexicon.pages.adding));
    ADDING.is_in(text) || trailed(&text.to_lowercase()).any(|before| before.ends_with([' ', ',']))
}

/// Returns whether a sentence that leans on another one adds nothing that somebody looks up: `That's the good part.`
pub(crate) fn adds_nothing(text: &str) -> bool {
    let tells = |word: &str| weight(word) == Weight::Strong;
    let n_telling = words(text).into_iter().map(|word| word.of(text)).filter(|word| tells(word)).count();
    let is_exact = text.contains('`') || text.contains(|ch: char| ch.is_ascii_digit());
    n_telling < ADDED_WORDS_MIN && !is_exact && score::score(text, false) == 0.0
}

/// Fewest words that tell something in a sentence that adds something.
const ADDED_WORDS_MIN: usize = 3;

/// Returns whether a sentence tells whoever reads it how something is done, by the names of what is used.
pub(crate) fn instructs(text: &str) -> bool {
    static INSTRUCTS: OnceLock<Regex> = OnceLock::new();
    let instructs = INSTRUCTS.get_or_init(|| {
        let telling = alternatives(|lexicon| lexicon.pages.says_what_to_do);
        Regex::new(&format!(r"(?i)^(?:{telling})\b[^`]*`[^`]+`")).expect("a pattern of ours")
    });
    is_whole(text) && instructs.is_match(text)
}

/// Returns whether a statement tells what is wrong with something; what was found in the course of work may be mended.
pub(crate) fn tells_fault(text: &str) -> bool {
    static BEFORE: LazyLock<Regex> = LazyLock::new(|| {
        let before = alternatives(|lexicon| lexicon.pages.before_work);
        Regex::new(&format!(r"(?i)^(?:{before})\s?[:–—] ")).expect("a pattern of ours")
    });
    static NONE: LazyLock<Regex> = LazyLock::new(|| {
        let none = alternatives(|lexicon| lexicon.pages.no_fault);
        // What stands in brackets says why something was done: `Added the flag (it was missing)`.
        Regex::new(&format!(r"(?i)\([^()]*\)|\b(?:{none})\b")).expect("a pattern of ours")
    });
    static FAULT: LazyLock<AnyOf> = LazyLock::new(|| AnyOf::of(|lexicon| lexicon.pages.fault));
    if text.contains([':', '–', '—']) && BEFORE.is_match(text) {
        return true;
    }
    if is_of_change(text) {
        return false;
    }
    // What something is called tells nothing of what it does: `FetchFailure`.
    let said = without_code(before_conditions(text));
    // What is left out only says that nothing is wrong.
    if !FAULT.is_in(&said) && !said.contains('❌') {
        return false;
    }
    let said = NONE.replace_all(&said, "");
    // `The bug is that …` is about it, whatever the rest says of how it should be.
    let is_of_it = |fault: usize, mended: usize| fault <= FAULT_OPENS_MAX && mended > fault + MENDS_WITHIN;
    let is_open = |fault: usize| MENDED.find(&said).is_none_or(|mended| is_of_it(fault, mended));
    FAULT.find(&said).is_some_and(is_open) && !score::is_change_note(text)
}

/// A text before the conditions that it lists: `It returns nothing when: The door is missing; …` finds nothing wrong.
fn before_conditions(text: &str) -> &str {
    static WHEN: OnceLock<Regex> = OnceLock::new();
    if !text.contains(": ") {
        return text;
    }
    let when = WHEN.get_or_init(|| {
        let conditions = alternatives(|lexicon| lexicon.pages.conditions);
        Regex::new(&format!(r"(?i)\b(?:{conditions}): ")).expect("a pattern of ours")
    });
    when.find(text).map_or(text, |found| &text[..found.start()])
}

/// Returns what a statement says is wrong, without the words that only say that it is: `The bug is that …`, `Cause: …`.
pub(crate) fn without_fault_label(text: &str) -> &str {
    static LABEL: OnceLock<[Regex; 2]> = OnceLock::new();
    let [label, is] = LABEL.get_or_init(|| {
        let labels = alternatives(|lexicon| lexicon.sessions.label_lesson);
        let that = alternatives(|lexicon| lexicon.pages.is_that);
        [format!(r"(?i)^(?:{labels})(?:\s?[:–—] | (?:{that}) )"), format!(r"^(?i:{labels}) (?:is|was) ")]
            .map(|pattern| Regex::new(&pattern).expect("a pattern of ours"))
    });
    let behind = |found: regex::Match<'_>| &text[found.end()..];
    // Without `that` what follows may be a name.
    // `The issue is twofold: …` leads a list in.
    let is_label = |rest: &str| rest.split(' ').next().is_some_and(|first| first.ends_with(':'));
    let clause = || is.find(text).map(behind).filter(|rest| clause::is_one(rest) && !is_label(rest));
    label.find(text).map(behind).or_else(clause).unwrap_or(text)
}

/// Returns whether a statement says what a change does: `The PR adds a check of missing doors.`
pub(crate) fn is_of_change(text: &str) -> bool {
    static CHANGES: LazyLock<AnyOf> = LazyLock::new(|| AnyOf::of(|lexicon| lexicon.pages.changes));
    CHANGES.opens(text)
}

/// Words of a statement that says that something holds since it was mended.
static MENDED: LazyLock<AnyOf> = LazyLock::new(|| AnyOf::of(|lexicon| lexicon.pages.mended));

/// Returns whether a statement says what holds since work was done: `Fix: the door now shuts.`
pub(crate) fn tells_outcome(text: &str) -> bool {
    score::is_outcome(text) || is_of_change(text) || MENDED.is_in(&without_code(text)) && !tells_fault(text)
}

/// Where the word for what is wrong stands in a sentence about it, and how soon one says that it is mended, in bytes.
const FAULT_OPENS_MAX: usize = 10;
const MENDS_WITHIN: usize = 30;

/// Returns a text without what stands between backticks.
pub(crate) fn without_code(text: &str) -> String {
    with_code_as("", text)
}

/// Returns a text with something else in the place of each piece of code.
pub(crate) fn with_code_as(code: &str, text: &str) -> String {
    let mut out = String::new();
    let mut from = 0;
    for span in code_spans(text, Span::new(0, text.len())) {
        out.push_str(&text[from..span.start]);
        out.push_str(code);
        from = span.end;
    }
    out + &text[from..]
}

/// Returns whether a sentence says what something is: `The oven is where …`; it may speak to its reader.
pub(crate) fn defines(text: &str) -> bool {
    static DEFINES: OnceLock<Regex> = OnceLock::new();
    let defines = DEFINES.get_or_init(|| {
        let is = alternatives(|lexicon| lexicon.pages.says_what_is);
        let also = alternatives(|lexicon| lexicon.pages.document_defines);
        let leaning = alternatives(|lexicon| lexicon.pages.document_leaning);
        Regex::new(&format!(r"^(?i:{leaning})\b|\b(?:{is}|{also})\b")).expect("a pattern of ours")
    });
    is_whole(text) && !is_addition(text) && defines.find(text).is_some_and(|found| found.start() > 0)
}

/// Returns whether a sentence of a document says little without the one before it.
pub(crate) fn points_back(text: &str) -> bool {
    let text = text.trim_start_matches(['(', '*', '_']);
    static POINTING: LazyLock<AnyOf> = LazyLock::new(|| AnyOf::of_whole(|lexicon| lexicon.pages.document_pointing));
    static ITSELF: LazyLock<AnyOf> = LazyLock::new(|| AnyOf::of(|lexicon| lexicon.pages.document_itself));
    // Near its beginning, before anything that they could point at.
    let near = || {
        let head = text.split([',', '.', ';', ':']).next().unwrap_or(text);
        POINTED.find(text).is_some_and(|at| at <= head.len() && text[..at].chars().count() <= POINTED_CHARS_MAX)
    };
    // Before a colon it may point at what comes.
    let points = || POINTING.opens(text) || !text.contains(": ") && !text.ends_with(':') && near();
    // `All these pages …`
    let behind_first = || text.split_once(' ').filter(|(word, _)| word.chars().all(char::is_alphanumeric));
    let is_itself = || ITSELF.opens(text) || behind_first().is_some_and(|(_, rest)| ITSELF.opens(rest));
    !is_itself() && (leans_back(text) || points())
}

/// How far from the beginning of a sentence what points at another one stands, in characters.
const POINTED_CHARS_MAX: usize = 60;

/// Returns whether a sentence of a document says that a list comes: it names what follows, or does not end.
pub(crate) fn announces(text: &str) -> bool {
    static ANNOUNCING: LazyLock<AnyOf> = LazyLock::new(|| AnyOf::of(|lexicon| lexicon.pages.announcing));
    ANNOUNCING.is_in(text) || text.ends_with(char::is_alphabetic)
}

/// Returns whether a sentence of a document ends with what follows it: `The options are the following.`
pub(crate) fn announces_at_end(text: &str) -> bool {
    static ANNOUNCING: OnceLock<Regex> = OnceLock::new();
    let announcing = ANNOUNCING.get_or_init(|| {
        let announcing = alternatives(|lexicon| lexicon.pages.announcing);
        Regex::new(&format!(r"(?i)\b(?:{announcing})\.$")).expect("a pattern of ours")
    });
    announcing.is_match(text)
}

/// Returns a statement without what stood before it where it was said: `Two, the battery: …`, `Noted: …`.
pub(crate) fn unwrapped(text: &str) -> &str {
    static WRAPPERS: OnceLock<Regex> = OnceLock::new();
    let wrappers = WRAPPERS.get_or_init(|| {
        let wrappers = alternatives(|lexicon| lexicon.pages.wrappers);
        Regex::new(&format!(r"(?i)^(?:(?:{wrappers})[,:.] )+")).expect("a pattern of ours")
    });
    let text = said::agreed(text).unwrap_or(text);
    let rest = wrappers.find(text).map_or(text, |found| &text[found.end()..]);
    let rest = without_doer(rest);
    if rest.split_whitespace().count() < UNWRAPPED_WORDS_MIN { text } else { rest }
}

/// A report without the one who gives it: `I added a door.`
fn without_doer(text: &str) -> &str {
    let is_of_one = text.strip_prefix(['I', 'i']).is_some_and(|rest| rest.starts_with([' ', '\'']));
    if is_of_one { score::changed(text).unwrap_or(text) } else { text }
}

/// Fewest words of a statement that something stood before.
const UNWRAPPED_WORDS_MIN: usize = 4;

/// Returns whether somebody talks of themselves or to somebody, instead of about the matter.
pub(crate) fn is_personal(text: &str) -> bool {
    static PERSONAL: LazyLock<AnyOf> = LazyLock::new(|| AnyOf::of(|lexicon| lexicon.pages.personal));
    PERSONAL.opens(text) && !instructs(text)
}

/// Returns a statement without the beginning of a sentence that it was cut in: `It waits. This ensures`.
pub(crate) fn without_cut_end(text: &str) -> &str {
    match text.rsplit_once(". ") {
        Some((whole, _)) if is_cut(text) => &text[..whole.len() + 1],
        _ => text,
    }
}

/// Fewest words of the last sentence of a statement where it has no end: less was cut.
const LAST_WORDS_MIN: usize = 4;

/// Whether what stands behind the last end of a sentence is the beginning of one: `It waits. This ensures`.
fn is_cut(text: &str) -> bool {
    let last = text.rsplit_once(". ").map_or("", |(_, last)| last);
    let is_ended = last.ends_with(['.', '!', '?', ')', '"', '`', ':', '…', '*', '”', '’', '\'']);
    // Who types in small letters ends without a stop: `keep it. ticket is 12`.
    let goes_on = last.starts_with(|ch: char| ch.is_lowercase() || ch.is_ascii_digit());
    !last.is_empty() && !goes_on && !is_ended && last.split_whitespace().count() < LAST_WORDS_MIN
}

fn is_whole(text: &str) -> bool {
    let is_balanced = text.matches("**").count().is_multiple_of(2) && text.matches('"').count().is_multiple_of(2);
    // What begins small is the end of something, mostly.
    let begins = !text.starts_with(char::is_lowercase);
    begins && CHARS.contains(&text.chars().count()) && text.ends_with(['.', ')', '!']) && is_balanced
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stood_before_a_statement_is_taken_off() {
        for (text, expected) in [
            ("Two, the battery: 3000 mAh is enough.", "the battery: 3000 mAh is enough."),
            ("Noted: swaps go to Ada now.", "swaps go to Ada now."),
            ("Both right: two years of warranty.", "two years of warranty."),
            ("Decided.", "Decided."),
            ("Of course: the door of the oven is thick.", "the door of the oven is thick."),
            ("Confirmado: el horno se queda en la sala.", "el horno se queda en la sala."),
            ("One oven is enough for us.", "One oven is enough for us."),
            ("I've added a door to `oven.rs`.", "added a door to `oven.rs`."),
            ("I bake a loaf each day.", "I bake a loaf each day."),
        ] {
            assert_eq!(unwrapped(text), expected);
        }
    }

    #[test]
    fn a_sentence_of_a_document_stands_alone_when_it_is_about_something_or_the_document() {
        let standing = [
            "Ovens hold the heat of a day.",
            "This document describes how ovens hold the heat.",
            "Diese Seite beschreibt, wie Öfen die Hitze halten.",
            "Cette page décrit comment les fours gardent la chaleur.",
        ];
        for text in standing {
            assert!(of_document(text), "{text}");
        }
        for text in ["This describes how ovens hold the heat.", "Your oven holds the heat.", "Note: ovens are hot."] {
            assert!(!of_document(text), "{text}");
        }
    }

    #[test]
    fn what_a_document_opens_with_says_what_it_is_and_a_purpose_what_it_is_for() {
        for text in
            ["These are the settings of the oven.", "This is a plan to bake at night.", "Dies ist eine Liste der Öfen."]
        {
            assert!(opens_document(text), "{text}");
        }
        for text in [
            "The goal of this plan is to bake at night.",
            "Das Ziel ist, nachts zu backen.",
            "Le but est de cuire la nuit.",
        ] {
            assert!(tells_purpose(text), "{text}");
        }
        assert!(!opens_document("This opens the door.") && !tells_purpose("The plan is old."));
        assert!(
            leans_forward("Dough goes through several stages.") && !leans_forward("Several ovens are hot at night.")
        );
        assert!(is_of_itself("This document attempts to describe how ovens differ."));
        assert!(of_document("Oven is an I/O library for bakers."));
    }

    #[test]
    fn what_leans_on_the_sentence_before_points_back_in_every_language() {
        for text in [
            "If yes, the door is shut.",
            "Another problem is the handle.",
            "One difference is the door.",
            "On the other hand, ovens are hot.",
            "The former is hot.",
            "`bake` can be used to stop these errors.",
            "As seen above, ovens are hot.",
            "A similar result comes of steam.",
            "You will need to re-run this after a break.",
            "Breadbox does that but Ovenhub does not.",
            "Consider making it a habit.",
            "(Because of that the door is shut.)",
            "Ein weiteres Problem ist die Tür.",
            "Par contre, le four est froid.",
            "Por otro lado, el horno espera.",
            "D'altra parte, il forno aspetta.",
        ] {
            assert!(points_back(text), "{text}");
        }
        for text in [
            "One oven is enough.",
            "The oven bakes these loaves: rye and wheat. Ada likes these.",
            "We recommend at least these settings:",
            "In this document, ovens are hot.",
            "Ada keeps the ovens clean.",
            "Der Ofen ist heiß.",
        ] {
            assert!(!points_back(text), "{text}");
        }
    }

    #[test]
    fn what_is_added_to_something_says_nothing_of_what_a_thing_is() {
        for text in [
            "The door is on the list as well, by the way.",
            "The oven bakes pies, too.",
            "The rest waits for Ada.",
            "Der Ofen wird übrigens geputzt.",
            "Le four attend, alors.",
            "El horno también espera.",
            "Il forno aspetta comunque.",
        ] {
            assert!(is_addition(text), "{text}");
        }
        for text in ["The door is on the list.", "The oven is too hot for pies.", "Der Ofen wird geputzt."] {
            assert!(!is_addition(text), "{text}");
        }
        assert!(
            !is_claim("Not booked yet, then.") && is_claim("The oven keeps its heat so that the bread rises as well.")
        );
    }

    #[test]
    fn what_leans_on_another_sentence_and_tells_nothing_adds_nothing() {
        for text in ["That's the good part.", "She liked that."] {
            assert!(adds_nothing(text), "{text}");
        }
        for text in
            ["It waits for 3 minutes.", "This opens `oven.rs`.", "It keeps the heat, because the door is thick."]
        {
            assert!(!adds_nothing(text), "{text}");
        }
    }

    #[test]
    fn what_was_wrong_is_told_without_the_words_that_say_so() {
        for (text, expected) in [
            ("The bug is that the door opens twice.", "the door opens twice."),
            ("Root cause: the door opens twice.", "the door opens twice."),
            ("The door opens twice.", "The door opens twice."),
        ] {
            assert_eq!(without_fault_label(text), expected);
        }
        assert!(!tells_fault("The PR adds a check of missing doors.") && tells_fault("The check of doors is missing."));
    }

    #[test]
    fn a_definition_says_what_something_is_even_to_its_reader() {
        assert!(defines("The deck oven is where your bread is baked."));
        for text in ["It is where your bread is baked.", "Bake your bread in the deck oven.", "Is the deck oven hot?"] {
            assert!(!defines(text), "{text}");
        }
        assert!(is_of_itself("This guide explains how to bake.") && !is_of_itself("This guide is a work in progress."));
    }

    #[test]
    fn what_hangs_on_something_tells_a_scene_or_ticks_off_is_no_claim() {
        for text in [
            "When the oven is cold, it takes an hour to heat.",
            "The user manual lists every oven.",
            "User agreed: the oven stays on at night.",
            "The test `door_opens` checks both doors.",
            "The nightly check takes an hour.",
            "The fix is to open both doors.",
            "The old oven is in the hall.",
            "Two hundred loaves are needed by the end of April.",
            "The first door is the upper one.",
        ] {
            assert!(is_claim(text), "{text}");
        }
        for text in [
            "Why this doesn't happen with two ovens: the door is shut.",
            "From the logs of `oven.rs`, it has three states.",
            "Most bakers ask for those loaves before noon.",
            "Git does the same for the user.",
            "User opens the oven (`oven open`).",
            "Session B closes the oven.",
            "`open`: Yes - but only when it is cold.",
            "The warnings are pre-existing, not from this change.",
            "User approved the plan: Build an oven",
            "The oven is checked before the door opens. This ensures",
            "The test only checks that the door opens.",
            "All tests are parallel-safe since each has its own oven.",
            "Since steam is optional, the function returns early.",
            "The issue is likely in how the door is read.",
            "The old version had a `Door` that nobody used.",
            "After the fix: both doors open at once.",
            "From tomorrow it's at 9:45.",
            "Ada would know for how long a loaf keeps.",
            "By your numbers the oven is too small.",
            "We went because the loaf took an hour.",
            "Don't touch it, anybody.",
            "A child asked if the oven is happy.",
            "Ada will be pleased that somebody checks.",
            "Nine for rye, eight for wheat: the question stays open.",
            "Two hundred, 34 euros, the print shop.",
            "Ein Kind fragte, ob der Ofen schläft.",
            "What gets baked: only the first tray.",
            "Lines 12-20 are the same as those below.",
            "`src/oven.rs` (just completed): Lines 12-20 open the door.",
            "The test oven is ready at `/tmp/oven-test`.",
            "Trays \"AB\" were in the oven, and \"DE\" were not.",
            "At step 5, the oven needs its door.",
            "Shows when the door was opened.",
            "If that's true we have no loaves on Monday.",
            "For 200 loaves that's 40 kilos of flour.",
            "The second one can be answered: only Ada opens a door.",
            "Two hundred are needed by the end of April.",
            "`oven.rs` – Line: 20, Usage: Opens the door when `hot` is set",
            "`bake`: Before: Yes (in the hall) - even with the door open! After: No",
            "Der Test ist jetzt schneller.",
            "La fonction doit revenir plus tôt.",
            "In diesem Fall bleibt der Ofen an.",
            "Pourquoi cela arrive : le four est froid.",
        ] {
            assert!(!is_claim(text), "{text}");
        }
    }

    #[test]
    fn personal_talk_is_known_from_how_it_begins_and_instructions_from_what_they_name() {
        for text in ["I'd ask Ada first.", "Don't tell Ada.", "You can go now, Ada.", "Ja, das stimmt.", "Merci, Ada."]
        {
            assert!(is_personal(text), "{text}");
        }
        for text in ["You run `oven open` first.", "Ada asks first.", "Youth bakers come on Monday."] {
            assert!(!is_personal(text), "{text}");
        }
        assert!(!tells_fault("It bakes.") && !tells_fault("The oven no longer loses heat."));
        assert!(instructs("You run `oven open` first.") && !instructs("You run first."));
        assert!(tells_fault("The oven loses heat.") && tells_fault("Der Ofen verliert Wärme."));
        assert!(tells_fault("The bug is that the oven opens the lower door instead of the upper one."));
        assert!(tells_fault("Before: the oven opens the lower door now.") && tells_fault("Vorher: die Tür war offen."));
        assert!(
            tells_outcome("Fix: the oven opens the upper door.") && tells_outcome("The oven now opens both doors.")
        );
        assert!(!tells_outcome("The oven opens both doors.") && !tells_outcome("Before: the oven opens it now."));
        assert!(
            opens_matter("A baker who has your key has your oven.")
                && !of_document("A baker who has your key has your oven.")
        );
        assert!(!opens_matter("You are a baker with an oven.") && !opens_matter("This oven is for your bread."));
        assert!(!tells_fault("`open()` returns nothing when: The door doesn't open; The oven is missing."));
        assert!(!tells_fault("`open()` gibt nichts zurück, wenn: Die Tür fehlt; Der Ofen fehlt."));
        assert!(!tells_fault("`open()` is safe - it only looks, doesn't move the door."));
        assert!(!tells_fault("`open()` ist harmlos: es bewegt die Tür nicht, sie klemmt also nie."));
        assert!(tells_fault("`open()` is safe, but the door doesn't open."));
        assert!(tells_fault("`open()` only checks the upper door, but bakers use both."));
        let fix = "The fix is to check both doors - the lower one is never checked.";
        assert!(!tells_fault(fix) && tells_outcome(fix));
        assert_eq!(
            without_fault_label("The issue is twofold: The door is open."),
            "The issue is twofold: The door is open."
        );
        assert_eq!(without_cut_end("The door is checked first. This ensures"), "The door is checked first.");
        assert_eq!(without_cut_end("keep the door. ticket is 12"), "keep the door. ticket is 12");
        assert_eq!(
            without_cut_end("The door is checked first. This ensures heat."),
            "The door is checked first. This ensures heat."
        );
        assert!(tells_fault("The queue only had one slot.") && tells_fault("Die Tür war immer offen."));
        for text in [
            "The lock prevents future bugs of the oven.",
            "`OVEN.md` — Two additions: the door and the timer (it was missing).",
            "The bug report asks for the oven.",
            "The timer doesn't care which oven rings.",
            "Das Schloss hält ohne Probleme.",
        ] {
            assert!(!tells_fault(text), "{text}");
        }
        assert!(!tells_fault("The bug is fixed now.") && !tells_fault("The oven door opens now, which it did not."));
    }

    #[test]
    fn a_sentence_stands_alone_when_it_is_whole_and_points_nowhere() {
        for text in ["The rig stays powered at night.", "`flush()` must never run twice.", "PR#60 added the fields."] {
            assert!(stands(text), "{text}");
        }
        let leaning = [
            "It stays powered at night.",
            "the rig stays powered at night.",
            "Git does the same thing for the user.",
            "I think the rig stays powered.",
            "Updated the rig and its notes.",
            "The rig stays powered when",
            "The best are #1 and #2 of the list.",
            "Would the rig stay powered?",
            "`flush()` - runs twice, as `sync()` does.",
            "With that the rig stays powered.",
            "The rig is ready at `/tmp/rig`.",
        ];
        for text in leaning {
            assert!(!stands(text), "{text}");
        }
    }
}
