//! Whether a question asks for what was first, or for what holds now.

use crate::words::{fold, words};

/// Which end of time a question asks about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cue {
    /// What was first: `originally`, `at the start`.
    Early,
    /// What holds now: `currently`, `latest`.
    Late,
}

/// Words, folded, that ask for what was first.
const EARLY: &[&str] = &[
    "initial",
    "initially",
    "original",
    "originally",
    "first",
    "early",
    "earliest",
    "baseline",
    "kickoff",
    "onboarding",
    "iniziale",
    "inizialmente",
    "originale",
    "originariamente",
    "primo",
    "prima",
    "anfangs",
    "ursprunglich",
    "zuerst",
    "erste",
    "initialement",
    "premier",
    "premiere",
    "inicial",
    "inicialmente",
    "originalmente",
    "primero",
];
/// Words, folded, that ask for what holds now.
const LATE: &[&str] = &[
    "current",
    "currently",
    "latest",
    "now",
    "final",
    "finally",
    "still",
    "updated",
    "today",
    "remaining",
    "attuale",
    "attualmente",
    "ultimo",
    "ultima",
    "adesso",
    "ora",
    "ancora",
    "aktuell",
    "derzeit",
    "jetzt",
    "neueste",
    "letzte",
    "noch",
    "actuel",
    "actuellement",
    "maintenant",
    "dernier",
    "derniere",
    "encore",
    "actual",
    "actualmente",
    "ahora",
    "todavia",
];
/// Runs of words that do.
const EARLY_RUNS: &[&str] = &["at the start", "from the start", "before the change", "before it was"];
const LATE_RUNS: &[&str] = &["as of", "most recent", "by the end"];

impl Cue {
    /// Returns what a question asks for; none when it names neither end, or both.
    pub fn of(question: &str) -> Option<Cue> {
        let folded: Vec<String> = words(question).iter().map(|word| fold(word.of(question))).collect();
        let has = |known: &[&str], runs: &[&str]| {
            let says = |run: &&str| {
                let run: Vec<&str> = run.split(' ').collect();
                folded.windows(run.len()).any(|window| window.iter().map(String::as_str).eq(run.iter().copied()))
            };
            folded.iter().any(|word| known.contains(&word.as_str())) || runs.iter().any(says)
        };
        match (has(EARLY, EARLY_RUNS), has(LATE, LATE_RUNS)) {
            (true, false) => Some(Cue::Early),
            (false, true) => Some(Cue::Late),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cues_are_words_that_name_one_end() {
        assert_eq!(Cue::of("What is the current database?"), Some(Cue::Late));
        assert_eq!(Cue::of("Which limit was used at the start?"), Some(Cue::Early));
        assert_eq!(Cue::of("Is the original one still in use?"), None);
        assert_eq!(Cue::of("How do tokens rotate?"), None);
    }
}
