//! What people say in a session, on its way to a page: what they agreed on stands without the talk around it, and an
//! errand in their own words is no decision.

use std::sync::{LazyLock, OnceLock};

use ken_core::journal::USER_AGREED;
use ken_core::language::{AnyOf, WordSet, alternatives};
use ken_core::words::{fold, identifier_parts, words};
use ken_intake::extract::small_sentences;
use regex::Regex;

/// Returns what somebody agreed on, as it was put to them: `User agreed: Want me to move the door? — yes` says that the
/// door is moved. What they answered besides belongs to it.
pub(super) fn agreed(text: &str) -> Option<&str> {
    let put = text.strip_prefix(USER_AGREED)?.trim();
    let put = match put.rsplit_once(" — ") {
        Some((put, reply)) if patterns().assents.is_match(reply) => put,
        // What somebody says of the option that they chose belongs to it.
        Some((option, _)) if says_what(option) => return Some(put),
        Some(_) => return None,
        None => put,
    };
    let put = option(put).unwrap_or(put);
    let offered = patterns().offers.find(put).map(|found| put[found.end()..].trim_start());
    match (offered, put.strip_suffix('?')) {
        (Some(offered), Some(_)) => Some(offered.trim_end_matches('?')),
        // A question that offers nothing says nothing when it is answered.
        (None, Some(_)) => None,
        _ => Some(put),
    }
}

/// What the option says that a text names by its number only, with the option behind it: `I like 1 best (1. Keep both doors
/// and paint them)`.
fn option(put: &str) -> Option<&str> {
    let (before, option) = put.strip_suffix(')')?.rsplit_once(" (")?;
    let (number, said) = option.split_once(". ")?;
    let is_number = number.len() <= 2 && number.bytes().all(|byte| byte.is_ascii_digit());
    let is_named = before.split(|ch: char| !ch.is_alphanumeric()).any(|word| word == number);
    (is_number && is_named && said.split_whitespace().count() >= OPTION_SAID_WORDS_MIN).then_some(said)
}

/// Fewest words of an option that says by itself what is done.
const OPTION_SAID_WORDS_MIN: usize = 5;

/// Returns what somebody settled without how they said yes, and without the sentences by which they thank, praise or take
/// leave: `Yeah put it there. Thank you!` is `put it there.`
pub(crate) fn without_courtesies(text: &str) -> String {
    static COURTESY: LazyLock<AnyOf> = LazyLock::new(|| AnyOf::of(|lexicon| lexicon.sessions.courtesy));
    let nodded = without_nods(text);
    let is_exact = |one: &str| one.contains(|ch: char| ch.is_ascii_digit() || matches!(ch, '`' | '(' | '?'));
    // `Thanks, but use oak for both of them` says what shall be.
    let is_short = |one: &str| one.split_whitespace().count() <= COURTESY_WORDS_MAX;
    let mut kept = small_sentences(nodded);
    kept.retain(|one| is_exact(one) || !is_short(one) || !COURTESY.opens(one));
    let said = kept.join(" ");
    if said.split_whitespace().count() < OPTION_WORDS_MIN { text.to_owned() } else { said }
}

/// Most words of a sentence that only thanks or takes leave.
const COURTESY_WORDS_MAX: usize = 4;

/// A text without the words at its beginning that only say yes, and what joins it to them: `Yeah, and put it there`.
fn without_nods(text: &str) -> &str {
    static NODS: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.sessions.nodding));
    static JOINING: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.sessions.joining));
    let behind = |text: &str| {
        text.split_once(' ').map(|(word, rest)| (fold(word.trim_end_matches([',', '.', '!'])), rest.len()))
    };
    let mut rest = text;
    while let Some((_, len)) = behind(rest).filter(|(word, _)| NODS.has(word)) {
        rest = &rest[rest.len() - len..];
    }
    let joined = behind(rest).filter(|(word, _)| rest.len() < text.len() && JOINING.has(word));
    joined.map_or(rest, |(_, len)| &rest[rest.len() - len..])
}

/// Returns whether a text has a name of code by its form: `fetchLatest`, `max_retries`; `mAh` is a unit.
pub(crate) fn has_identifier(text: &str) -> bool {
    let is_name = |word: &str| word.len() >= IDENTIFIER_MIN && identifier_parts(word).len() > 1;
    words(text).into_iter().any(|word| is_name(word.of(text)))
}

/// Shortest such name, in bytes.
const IDENTIFIER_MIN: usize = 8;

/// Returns whether somebody has something done, in their own words, and settles nothing by that: `let's first fix the
/// door` does not, `let's use steam instead of water` does.
pub(crate) fn is_errand(text: &str) -> bool {
    patterns().errands.is_match(text) && !settles(text)
}

/// Returns whether somebody settles something in their own words: `let's use steam instead of water`.
pub(crate) fn is_choice(text: &str) -> bool {
    patterns().errands.is_match(text) && settles(text)
}

fn settles(text: &str) -> bool {
    patterns().reasons.is_match(text) || patterns().settles.is_match(text)
}

/// Returns whether somebody who settles something says enough of it to be understood, however they begin.
pub(crate) fn is_long_decision(said: &str) -> bool {
    said.split(' ').count() >= LONG_WORDS_MIN
}

/// Fewest words of what somebody settled and said why.
const LONG_WORDS_MIN: usize = 12;

/// Returns whether somebody answered what was put to them with more than a yes or no: what they chose hangs on the question.
pub(crate) fn is_answer(text: &str) -> bool {
    let Some(put) = text.strip_prefix(USER_AGREED) else { return false };
    let option = put.rsplit_once(" — ").map(|(option, _)| option.trim());
    option.is_some_and(|option| !says_what(option))
}

/// Whether an option says by itself what was chosen.
fn says_what(option: &str) -> bool {
    !option.ends_with('?') && option.split_whitespace().count() >= OPTION_WORDS_MIN
}

/// Fewest words of an option that says by itself what was chosen.
const OPTION_WORDS_MIN: usize = 3;

struct Patterns {
    assents: Regex,
    offers: Regex,
    errands: Regex,
    settles: Regex,
    reasons: Regex,
}

fn patterns() -> &'static Patterns {
    static PATTERNS: OnceLock<Patterns> = OnceLock::new();
    PATTERNS.get_or_init(|| {
        let regex = |pattern: String| Regex::new(&pattern).expect("a pattern of ours");
        let assent = alternatives(|lexicon| lexicon.sessions.assent);
        let offer = alternatives(|lexicon| lexicon.sessions.offer);
        let errands = alternatives(|lexicon| lexicon.work.errands);
        let settles = alternatives(|lexicon| lexicon.sessions.decision);
        let reasons = alternatives(|lexicon| lexicon.sessions.causal);
        Patterns {
            assents: regex(format!(r"(?i)^(?:(?:{assent})\b[,.! ]*)+$")),
            offers: regex(format!(r"(?i)^(?:{offer})(?: me)?(?: to)?\b")),
            errands: regex(format!(r"(?i)^(?:{errands})\b")),
            settles: regex(format!(r"(?i)\b(?:{settles})")),
            reasons: regex(format!(r"(?i)\b(?:{reasons})\b")),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_somebody_settled_stands_without_thanks_and_leave_taking() {
        for (text, expected) in [
            ("Yeah put it on the shelf, the oven is full. Thank you!!", "put it on the shelf, the oven is full."),
            ("nice. keep 0.14 in a.rs! going to lunch!", "keep 0.14 in a.rs!"),
            (
                "Morning loaves stay in the hall. Thanks, but use oak for both of them.",
                "Morning loaves stay in the hall. Thanks, but use oak for both of them.",
            ),
            ("keep it up to the 11. of april. thx", "keep it up to the 11. of april."),
            ("Hiya! So the oven stays on at night", "So the oven stays on at night"),
            ("Yes but Ada looks at it first", "Ada looks at it first"),
            ("thanks, bake 3 loaves.", "thanks, bake 3 loaves."),
            ("Danke. Die Tür bleibt offen, bis morgen.", "Die Tür bleibt offen, bis morgen."),
            ("No, the lower one. Perfect!", "No, the lower one."),
            ("nice work!", "nice work!"),
        ] {
            assert_eq!(without_courtesies(text), expected);
        }
    }

    #[test]
    fn what_somebody_agreed_on_stands_without_the_talk_around_it() {
        for (text, expected) in [
            ("User agreed: Want me to move the door to the left? — yes please", Some("move the door to the left")),
            ("User agreed: Should I move the door? — ok", Some("move the door")),
            ("User agreed: Keep both doors — sounds good", Some("Keep both doors")),
            ("User agreed: Keep both doors", Some("Keep both doors")),
            ("User agreed: Soll ich die Tür verschieben? — ja", Some("die Tür verschieben")),
            ("User agreed: Is one door enough? — yes", None),
            ("User agreed: Keep both doors — 3, but lower", Some("Keep both doors — 3, but lower")),
            (
                "User agreed: Option 1 is cleaner - both stay. (1. Keep both doors and paint them red)",
                Some("Keep both doors and paint them red"),
            ),
            ("User agreed: Keep 2 doors (1. both)", Some("Keep 2 doors (1. both)")),
            ("Keep both doors", None),
        ] {
            assert_eq!(agreed(text), expected, "{text}");
        }
    }

    #[test]
    fn an_answer_that_hangs_on_its_question_is_known() {
        assert!(is_answer("User agreed: Compromise — 3, but lower"));
        assert!(is_answer("User agreed: Would a smaller door do? — yes please"));
        assert!(!is_answer("User agreed: The door comes from Ghent — it is wide.") && !is_answer("Keep — the door"));
    }

    #[test]
    fn an_errand_is_no_decision_unless_it_says_what_in_the_place_of_what_or_why() {
        for text in [
            "let's first fix the door",
            "yeah, let's make both a constant",
            "I want to bake with steam",
            "Can we call it oven",
            "Kannst du die Tür ölen",
        ] {
            assert!(is_errand(text) && !is_choice(text), "{text}");
        }
        for text in [
            "let's use steam instead of water",
            "let's keep the door because it is iron",
            "We keep the door.",
            "Letters stay outside.",
        ] {
            assert!(!is_errand(text) && is_choice(text) == text.starts_with("let's"), "{text}");
        }
    }
}
