//! What was said before and is overruled later in the same session.
//!
//! A person turns down what the agent was about to do (`too much, use the tier`), and an agent rules out what it
//! suspected (`Then it isn't the GPU`). Such a line stays where it was said, under a mark: nobody is told it as what holds.
//! Only what shares a telling word with what overrules it is marked.

use std::collections::BTreeSet;
use std::sync::{LazyLock, OnceLock};

use ken_core::ground::negates;
use ken_core::language::{AnyOf, Sessions, alternatives};
use ken_core::words::{Weight, fold, identifier_parts, stem, weight, words};
use regex::Regex;

use super::phrases::{Phrases, straight};
use super::sentence::typed_sentences;

/// The telling words and numbers of a text.
pub(super) type Telling = BTreeSet<String>;

/// Returns the telling words and numbers of a text, by their stems.
pub(super) fn telling(text: &str) -> Telling {
    let mut out = Telling::new();
    for word in words(text).into_iter().map(|span| span.of(text)) {
        let parts = identifier_parts(word);
        let parts = if parts.is_empty() { vec![word] } else { parts };
        let tells = |part: &&str| weight(part) == Weight::Strong || part.bytes().all(|byte| byte.is_ascii_digit());
        out.extend(parts.into_iter().filter(tells).map(|part| stem(&fold(part))));
    }
    out
}

/// Returns the words of what a person turns down by a reply; none where they do not.
pub(super) fn turned_down(reply: &str) -> Telling {
    let all = typed_sentences(reply);
    let agrees = all.first().is_some_and(|first| Phrases::get().is_assent(first));
    let objects = all.iter().any(|sentence| patterns().objecting.is_match(&straight(sentence)));
    if objects && !agrees { telling(reply) } else { Telling::new() }
}

/// Returns the words of what an agent or a person rules out by a sentence; none where they do not.
pub(super) fn ruled_out(sentence: &str) -> Telling {
    static GIVING_UP: LazyLock<AnyOf> = LazyLock::new(|| AnyOf::of(|lexicon| lexicon.pages.giving_up));
    let plain = straight(sentence);
    let rules_out = |clause: &&str| GIVING_UP.is_in(clause) || patterns().ruling_out.is_match(clause);
    plain.split([',', ';', ':', '.']).find(rules_out).map(telling).unwrap_or_default()
}

/// Returns whether an agent begins by taking back what it said before: `You're right, my mistake.`
pub(super) fn concedes(text: &str) -> bool {
    static CONCEDING: LazyLock<AnyOf> = LazyLock::new(|| AnyOf::of(|lexicon| lexicon.sessions.conceding));
    CONCEDING.opens(&straight(text))
}

/// Fewest telling words that two clauses share which speak of the same, as a number and as a share of the shorter one's.
const SAME_WORDS_MIN: usize = 3;
const SAME_PERCENT: usize = 50;

/// Returns whether a clause of a sentence says of the same what one of a statement says, and one of both denies it: `the oven
/// doesn't know the hour`, `it does know the hour`.
pub(super) fn contradicts(sentence: &str, statement: &str) -> bool {
    let of =
        |text: &str| clauses(text).into_iter().map(|clause| (telling(&clause), negates(&clause))).collect::<Vec<_>>();
    let said = of(statement);
    let is_other = |(words, negates): &(Telling, bool), (other, other_negates): &(Telling, bool)| {
        let n_shared = words.intersection(other).count();
        let is_same = n_shared >= SAME_WORDS_MIN && n_shared * 100 >= words.len().min(other.len()) * SAME_PERCENT;
        is_same && negates != other_negates
    };
    of(sentence).iter().any(|clause| said.iter().any(|other| is_other(clause, other)))
}

/// The clauses of a text, as far as marks part them.
fn clauses(text: &str) -> Vec<String> {
    let parted = straight(text).replace(" - ", "—");
    parted.split(['—', '–', ';', ':', '(']).flat_map(|part| part.split(". ")).map(str::to_owned).collect()
}

/// Returns whether a statement of an agent says what could be done, or what it is about to do.
pub fn is_proposed(text: &str) -> bool {
    let plain = straight(text);
    patterns().proposing.is_match(&plain) || Phrases::get().is_proposal(text)
}

struct Patterns {
    objecting: Regex,
    ruling_out: Regex,
    proposing: Regex,
}

fn patterns() -> &'static Patterns {
    static PATTERNS: OnceLock<Patterns> = OnceLock::new();
    let one_of = |list: fn(&Sessions) -> &'static str| alternatives(|lexicon| list(&lexicon.sessions));
    let regex = |pattern: String| Regex::new(&pattern).expect("a pattern of ours");
    PATTERNS.get_or_init(|| {
        let (reaction, objecting) = (one_of(|sessions| sessions.reaction), one_of(|sessions| sessions.objecting));
        Patterns {
            // `24 is too much`.
            objecting: regex(format!(
                r"(?i)^(?:(?:{reaction})[,.!:]* +)*(?:\S+ (?:is|are|ist|sind|est|es|è) )?(?:{objecting})\b"
            )),
            ruling_out: regex(format!(r"(?i)(?:^|\b)(?:{})", one_of(|sessions| sessions.ruling_out))),
            proposing: regex(format!(r"(?i)\b(?:{})\b", one_of(|sessions| sessions.proposing))),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_objects_turns_down_what_they_speak_of() {
        for reply in ["24 is too much! the hall gets damp", "wait! never open both doors", "but no curtains: they burn"]
        {
            assert!(!turned_down(reply).is_empty(), "{reply}");
        }
        for reply in ["yes, and not on Fridays", "the left door then", "ok. no rush"] {
            assert!(turned_down(reply).is_empty(), "{reply}");
        }
    }

    #[test]
    fn what_could_be_done_is_proposed_and_what_is_so_is_not() {
        for text in [
            "The cleanest approach is a second curtain.",
            "Since the hall is dry, one curtain is the right width.",
            "Une tringle est appropriée ici.",
            "Una tenda più corta è adatta.",
        ] {
            assert!(is_proposed(text), "{text}");
        }
        for text in ["The curtain hangs on the right of the hall.", "The curtain is clean."] {
            assert!(!is_proposed(text), "{text}");
        }
    }

    #[test]
    fn who_concedes_says_what_was_denied_or_denies_what_was_said() {
        let said = "The `oven-timer` of the hall doesn't ring at night — we'd need to add a bell";
        for sentence in [
            "So the `oven-timer` of the hall *does* ring at night — we're just not hearing it.",
            "The oven timer rings at night in the hall.",
        ] {
            assert!(contradicts(sentence, said), "{sentence}");
        }
        for sentence in
            ["The oven timer of the hall doesn't ring at night.", "The bell of the hall rings.", "Let me fix that."]
        {
            assert!(!contradicts(sentence, said), "{sentence}");
        }
        for text in [
            "You're right, my mistake.",
            "Good catch — the lamp is off.",
            "Du hast recht, die Lampe ist aus.",
            "Tu as raison.",
        ] {
            assert!(concedes(text), "{text}");
        }
        assert!(!concedes("The right door sticks."));
    }

    #[test]
    fn what_is_ruled_out_is_named_in_its_clause() {
        let out = |sentence: &str| ruled_out(sentence).into_iter().collect::<Vec<_>>().join(" ");
        assert_eq!(out("The row is gone, and the oven isn't involved."), telling("oven").pop_first().expect("a word"));
        for sentence in [
            "Then it isn't the curtain; that smell is old.",
            "I was wrong about the curtain.",
            "Then the curtain is out.",
            "The curtain is innocent.",
            "Dann ist es nicht der Vorhang.",
        ] {
            assert!(!ruled_out(sentence).is_empty(), "{sentence}");
        }
        for sentence in ["The curtain is not red.", "The fire is out of reach of the curtain."] {
            assert!(ruled_out(sentence).is_empty(), "{sentence}");
        }
    }
}
