//! What was wrong when work began: it may be mended since, so it stands apart from what holds.

use std::sync::{LazyLock, OnceLock};

use ken_core::language::{AnyOf, alternatives};
use ken_core::text::sentences;
use ken_core::words::{fold, words};
use regex::Regex;

use crate::alone;
use crate::passage::{Passage, PassageKind};
use crate::subject::is_determiner;

/// How many statements may follow of one that says what is wrong.
const FOLLOWING_MAX: usize = 3;

/// Returns whether passage `n` of an entry tells what was wrong, or what follows of that: `The lookup fails. The cache stays
/// empty.`
pub(crate) fn is_fault(passages: &[Passage], n: usize) -> bool {
    let Some(passage) = passages.get(n).filter(|passage| is_told(passage)) else { return false };
    if passage.learned.is_cause() && !is_result(&passage.text) || alone::tells_fault(&passage.text) {
        return true;
    }
    let mut at = n;
    for _ in 0..FOLLOWING_MAX {
        let follows = is_consequence(&passages[at]) && at > 0 && is_next(&passages[at - 1], &passages[at]);
        if !follows {
            return false;
        }
        at -= 1;
        if alone::tells_fault(&passages[at].text) {
            return true;
        }
    }
    false
}

/// Returns whether a statement rules out what was supposed: `That's not it`, `the door is innocent`.
pub(crate) fn rules_out(text: &str) -> bool {
    static RULING_OUT: LazyLock<AnyOf> = LazyLock::new(|| AnyOf::of(|lexicon| lexicon.sessions.ruling_out));
    static GIVING_UP: LazyLock<AnyOf> = LazyLock::new(|| AnyOf::of(|lexicon| lexicon.pages.giving_up));
    RULING_OUT.is_in(text) || GIVING_UP.is_in(text)
}

/// Whether a passage may tell a fault: what somebody chose is no such thing, but what they found is, wherever it stands.
fn is_told(passage: &Passage) -> bool {
    let declares = || {
        let first = words(&passage.text).first().map(|word| fold(word.of(&passage.text))).unwrap_or_default();
        is_determiner(&first) || passage.text.starts_with('`')
    };
    let is_of_kind = match passage.kind {
        PassageKind::Lesson | PassageKind::Statement => true,
        PassageKind::Decision => declares() && !gives_reason(&passage.text) && !is_chosen(&passage.text),
        _ => false,
    };
    is_of_kind && passage.told.is_none() && passage.place.is_none() && !rules_out(&passage.text)
}

/// Returns whether what was found is what came of the work: `That's it: 84 ms and both doors.`
pub(crate) fn is_result(text: &str) -> bool {
    let first = sentences(text).first().map_or(text, |first| first.of(text));
    first.starts_with(|ch: char| ch.is_ascii_digit()) && first.split(' ').count() <= RESULT_WORDS_MAX
}

/// Most words of a sentence that only tells what was measured.
const RESULT_WORDS_MAX: usize = 10;

/// Whether a decision is the choice of an option: what stands before the reason was offered, or its mark stands behind the
/// first word (`La 2. …`).
fn is_chosen(text: &str) -> bool {
    let is_mark = |word: &str| word.len() == 1 || word.bytes().all(|byte| byte.is_ascii_digit());
    text.contains(" — ") || words(text).get(1).is_some_and(|second| is_mark(second.of(text)))
}

/// Whether a statement says why: somebody chose so, whatever is wrong.
fn gives_reason(text: &str) -> bool {
    static REASONS: OnceLock<Regex> = OnceLock::new();
    let reasons = REASONS.get_or_init(|| {
        let reasons = alternatives(|lexicon| lexicon.sessions.causal);
        Regex::new(&format!(r"(?i)\b(?:{reasons})\b")).expect("a pattern of ours")
    });
    reasons.is_match(text)
}

/// Whether a passage stands right below another one under the same label.
fn is_next(before: &Passage, passage: &Passage) -> bool {
    is_told(before) && before.kind == passage.kind && before.lines.1 + 1 >= passage.lines.0
}

/// Whether a lesson may say what follows of the one before it: it gives no rule and says nothing of what holds since.
fn is_consequence(passage: &Passage) -> bool {
    static OPENS: OnceLock<[Regex; 2]> = OnceLock::new();
    let [opens, rules] = OPENS.get_or_init(|| {
        let opening = alternatives(|lexicon| lexicon.work.consequences);
        let rules = alternatives(|lexicon| lexicon.work.rules);
        [format!(r"(?i)^(?:{opening})\s"), format!(r"(?i)\b(?:{rules})\b")]
            .map(|pattern| Regex::new(&pattern).expect("a pattern of ours"))
    });
    let text = &passage.text;
    passage.kind == PassageKind::Lesson && opens.is_match(text) && !rules.is_match(text) && !alone::tells_outcome(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passage::journal_entries;
    use ken_core::VaultPath;

    #[track_caller]
    fn check(lessons: &[&str], expected: &[bool]) {
        let path = VaultPath::new("daily/2026-04-01.md").expect("inside");
        let items: String = lessons.iter().map(|lesson| format!("- {lesson}\n")).collect();
        let text = format!("### A\n\n**Lessons Learned:**\n{items}");
        let passages = &journal_entries(&path, &text, false)[0].passages;
        let found: Vec<bool> = (0..passages.len()).map(|n| is_fault(passages, n)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn what_follows_of_a_fault_is_part_of_it_until_a_rule_or_what_holds_since() {
        check(
            &[
                "`bake()` fails when the door is open.",
                "The oven stays cold, so every loaf waits for ten minutes.",
                "For late bakers, an hour is gone.",
                "The door must be shut before `bake()` runs.",
                "The oven has two doors.",
            ],
            &[true, true, true, false, false],
        );
        check(&["The oven has two doors.", "The oven stays cold at night."], &[false, false]);
        check(&["`bake()` fails when it is open.", "The door now shuts by itself."], &[true, false]);
    }

    #[test]
    fn what_was_found_is_a_fault_among_decisions_and_what_was_chosen_for_a_reason_is_none() {
        let path = VaultPath::new("daily/2026-04-01.md").expect("inside");
        let text = "### A\n\n**Decisions Made:**\n- The till uses the queue, but `bake()` fails without it.\n- The door is missing on purpose, because heat must leave.\n- Fix the missing door of the oven.\n- La 2. la 1 fails without the queue.\n";
        let passages = &journal_entries(&path, text, false)[0].passages;
        assert_eq!((0..4).map(|n| is_fault(passages, n)).collect::<Vec<_>>(), [true, false, false, false]);
    }

    #[test]
    fn what_was_measured_or_chosen_tells_no_fault() {
        let path = VaultPath::new("daily/2026-04-01.md").expect("inside");
        let text = "### A\n\n**Lessons Learned:**\n- That's it: 84 ms and both doors. Goal reached.\n- That's it: the bell never rings when the oven is full.\n\n**Decisions Made:**\n- The bell without a cord — it never rings with one\n\n**Key Exchanges:**\n- The cookie doesn't expire for bakers. So that's not it.\n";
        let passages = &journal_entries(&path, text, false)[0].passages;
        assert_eq!((0..4).map(|n| is_fault(passages, n)).collect::<Vec<_>>(), [false, true, false, false]);
    }

    #[test]
    fn a_long_run_of_lessons_costs_a_look_at_a_few() {
        let lessons: Vec<String> = (0..2_000).map(|n| format!("The oven {n} stays cold at night.")).collect();
        check(&lessons.iter().map(String::as_str).collect::<Vec<_>>(), &vec![false; 2_000]);
    }
}
