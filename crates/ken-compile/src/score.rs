//! How much a sentence tells whoever looks something up.

mod term;

pub use term::is_term;

use std::sync::{LazyLock, OnceLock};

use ken_core::language::{AnyOf, alternatives, phrases, with_words_of_europe};
use ken_core::text::leans_back;
use regex::Regex;

/// Below this a sentence of a long section is left out.
pub const SCORE_MIN: f32 = 1.0;

struct Cues {
    /// What something is or does, told from the start.
    defines: Regex,
    /// A cause, a rule, a condition, a change.
    rules: AnyOf,
    /// What a reader does.
    tells: AnyOf,
    /// Code, paths, options, numbers with units, versions.
    names: Regex,
    /// Where links lead, which is said by none of its words.
    links: Regex,
}

fn cues() -> &'static Cues {
    static CUES: OnceLock<Cues> = OnceLock::new();
    let regex = |pattern: &str| Regex::new(pattern).expect("a pattern of ours");
    CUES.get_or_init(|| {
        let is = alternatives(|lexicon| lexicon.pages.says_what_is);
        Cues {
            links: regex(r"\]\([^()\s]*\)|https?://\S+"),
            defines: regex(&format!(
                r"^(?:(?:The|A|An)\s)?[*_`]{{0,2}}[^\s.,;:]+(?:\s[^\s.,;:]+){{0,5}}?\s(?:{is})\b"
            )),
            rules: AnyOf::of(|lexicon| lexicon.pages.says_why_or_when),
            tells: AnyOf::of(|lexicon| lexicon.pages.says_what_to_do),
            names: regex(&with_words_of_europe(
                r"`[^`]+`|--[a-z][a-z-]+|\b[\w-]+/[\w./-]+|\bv?[0-9]+(?:\.[0-9]+)+\b|\b[0-9]+\s?(?:ms|s|seconds?|minutes?|hours?|days?|[KMG]i?B|%|bytes?)\b|\b[A-Z][a-z]+[A-Z]\w*|\b[A-Z]{2,}_[A-Z_]+",
            )),
        }
    })
}

/// Returns whether a sentence notes a change, which is history and no knowledge, unless it says why or what holds now.
pub fn is_change_note(text: &str) -> bool {
    notes_change(text) && !gives_reason(text)
}

/// Returns whether a note of a change says why, or what holds since.
pub(crate) fn gives_reason(text: &str) -> bool {
    static REASONS: LazyLock<AnyOf> = LazyLock::new(|| AnyOf::of(|lexicon| lexicon.pages.change_reasons));
    text.contains('→') || text.contains("->") || REASONS.is_in(text)
}

/// Returns whether a sentence opens with what was done: `Replaced the timer.`
pub fn notes_change(text: &str) -> bool {
    changed(text).is_some()
}

/// Returns what was done by a sentence that opens with that, without who did it: `I've replaced the timer.`
pub fn changed(text: &str) -> Option<&str> {
    static VERBS: LazyLock<AnyOf> = LazyLock::new(|| AnyOf::of(|lexicon| lexicon.pages.change_verbs));
    const DOERS: [&str; 6] = ["I've ", "I have ", "I ", "we've ", "we have ", "we "];
    const HOW: [&str; 3] = ["just ", "also ", "now "];
    let did = without_one_of(&DOERS, text).chain([text]);
    did.flat_map(|did| without_one_of(&HOW, did).chain([did])).find(|did| VERBS.opens(did))
}

/// What follows each of some beginnings that a text has, whatever its case.
fn without_one_of<'t>(beginnings: &[&str], text: &'t str) -> impl Iterator<Item = &'t str> {
    let behind = |one: &&str| {
        let said = text.get(..one.len()).filter(|said| said.eq_ignore_ascii_case(one));
        said.map(|said| &text[said.len()..])
    };
    beginnings.iter().filter_map(behind)
}

/// Returns whether a sentence says what is to be done next: `Add a door to the oven.`
pub fn is_step(text: &str) -> bool {
    static STEP: OnceLock<Regex> = OnceLock::new();
    let step = STEP.get_or_init(|| {
        let steps = alternatives(|lexicon| lexicon.work.steps);
        Regex::new(&format!(r"(?i)^(?:{steps})\s")).expect("a pattern of ours")
    });
    step.is_match(text)
}

/// Returns whether a sentence says what was done to a file or a name: `` `oven.rs` — Added a door. ``
pub fn is_edit(text: &str) -> bool {
    edit(text).is_some()
}

/// Returns what a sentence says was done to a file or a name: `Added a door.`
pub fn edit(text: &str) -> Option<&str> {
    let behind = text.strip_prefix('`').and_then(|rest| rest.split_once('`')).map(|(_, behind)| behind.trim_start());
    let behind =
        behind.map(|behind| behind.split_once(')').filter(|_| behind.starts_with('(')).map_or(behind, |(_, b)| b));
    let said = behind.and_then(|behind| behind.trim_start().strip_prefix([':', '—', '–', '-']));
    said.map(str::trim_start).filter(|said| notes_change(said))
}

/// Returns whether a sentence is labelled as what came of something: `The fix: …`.
pub fn is_outcome(text: &str) -> bool {
    without_outcome_label(text).len() < text.len()
}

/// Returns what came of something without the label that says so.
pub fn without_outcome_label(text: &str) -> &str {
    static OUTCOME: OnceLock<Regex> = OnceLock::new();
    let outcome = OUTCOME.get_or_init(|| {
        let labels = alternatives(|lexicon| lexicon.sessions.label_outcome);
        Regex::new(&format!(r"(?i)^(?:{labels})\s?[:–—]")).expect("a pattern of ours")
    });
    outcome.find(text).map_or(text, |found| text[found.end()..].trim_start())
}

/// Least worth of a decision that is shown before others.
const MUCH_MIN: f32 = 1.2;

/// Returns whether a decision tells somebody much who was not there: it leans on nothing before it, and defines, says
/// why, or names names or numbers.
pub fn tells_much(text: &str) -> bool {
    let tells = score(text, false) >= MUCH_MIN || text.contains(|ch: char| ch.is_ascii_digit());
    tells && !leans_back(text)
}

/// Returns whether a sentence says nothing about what the document is about: it asks, or leads elsewhere.
pub fn is_left_out(text: &str) -> bool {
    let lower = text.trim_start_matches(['*', '_']).to_lowercase();
    text.ends_with('?') || phrases(|lexicon| lexicon.pages.elsewhere).any(|opening| lower.starts_with(opening))
}

/// What a sentence tells.
pub(crate) struct Told {
    /// What something is or does.
    pub(crate) what: bool,
    /// A cause, a rule, a condition, a change.
    pub(crate) why: bool,
    /// What a reader does.
    pub(crate) how: bool,
}

/// Returns what a sentence tells.
pub(crate) fn told(text: &str) -> Told {
    let cues = cues();
    let what = cues.defines.is_match(text) || is_term(text);
    Told { what, why: cues.rules.is_in(text), how: cues.tells.is_in(text) }
}

/// Returns how much a sentence tells, about 0 to 6; the first of a section says what the section is about.
pub fn score(text: &str, is_first: bool) -> f32 {
    let cues = cues();
    let said = cues.links.replace_all(text, "");
    let n_names = cues.names.find_iter(&said).count().min(3) as f32;
    let part = |is: bool, amount: f32| if is { amount } else { 0.0 };
    let told = told(text);
    part(is_first, 1.5) + part(told.what, 1.5) + part(told.why, 0.8) + part(told.how, 0.7) + 0.6 * n_names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_are_known_by_their_labels() {
        for text in ["The fix: ask twice.", "Lösung: zweimal fragen.", "Solución: dos veces.", "Résultat : deux fois."]
        {
            assert!(is_outcome(text), "{text}");
        }
        assert!(!is_outcome("The fix is in: ask twice."));
    }

    #[test]
    fn edits_say_what_was_done_to_something() {
        for text in ["`oven.rs` — Added a door.", "`oven.rs` (done): Removed the door", "`bake()` - Replaced the timer"]
        {
            assert!(is_edit(text), "{text}");
        }
        for text in ["`oven.rs` — A door of iron.", "Added a door to `oven.rs`.", "`bake()` waits."] {
            assert!(!is_edit(text), "{text}");
        }
    }

    #[test]
    fn notes_of_changes_are_known_in_every_language() {
        for text in [
            "Renamed the timer.",
            "Wir haben den Timer umbenannt.",
            "J'ai renommé le minuteur.",
            "Hemos renombrado el temporizador.",
            "Abbiamo rinominato il timer.",
        ] {
            assert!(is_change_note(text), "{text}");
        }
        for text in ["Der Timer zählt.", "Le minuteur compte.", "Hemos renombrado el reloj porque se confunde."] {
            assert!(!is_change_note(text), "{text}");
        }
    }

    #[test]
    fn sentences_lean_back_in_every_language() {
        for text in ["It waits.", "Es wartet.", "Ensuite le four attend.", "Además espera.", "Quindi aspetta."] {
            assert!(leans_back(text), "{text}");
        }
        for text in ["The oven waits.", "Der Ofen wartet.", "Le four attend.", "Il forno aspetta.", "ES modules wait."]
        {
            assert!(!leans_back(text), "{text}");
        }
    }
}
