//! What somebody says who has found what they were looking for.
//!
//! `There it is.`, `Da haben wir es:` and `Voilà la cause :` say of what stands behind them that it is why something was so.

use std::sync::LazyLock;

use regex::Regex;

use crate::language::alternatives;

static MARK: LazyLock<Regex> = LazyLock::new(|| {
    let finding = alternatives(|lexicon| lexicon.sessions.finding);
    let reactions = alternatives(|lexicon| lexicon.sessions.reaction);
    let lead = format!(r"(?:ah|oh|aha|perfect|excellent|interesting|now|et|e|y|{reactions})[,.!:]* +");
    let mark = format!(r"(?i)^(?:{lead})*(?:{finding})\s?(?:[:–—-]\s+|[.!:]+(?:\s+|$))");
    // Typographic apostrophes are apostrophes, too.
    Regex::new(&mark.replace('\'', "['’]")).expect("a pattern of ours")
});

/// Returns what stands behind the words that say that something was found; `None` where a text does not begin with them.
///
/// ```
/// # use ken_core::finding::behind_mark;
/// assert_eq!(behind_mark("There's the culprit: the door sticks."), Some("the door sticks."));
/// assert_eq!(behind_mark("Got it. The door sticks."), Some("The door sticks."));
/// assert_eq!(behind_mark("Da haben wir es."), Some(""));
/// assert_eq!(behind_mark("There is the door."), None);
/// ```
pub fn behind_mark(text: &str) -> Option<&str> {
    MARK.find(text).map(|found| &text[found.end()..])
}

static LABEL: LazyLock<Regex> = LazyLock::new(|| {
    let labels = alternatives(|lexicon| lexicon.sessions.label_lesson);
    Regex::new(&format!(
        r"(?i)^(?:the |die |der |la |le |el |il )?(?:{labels})(?:\s?[:–—]| (?:is|was|ist|war|est|était|es|era|è) )"
    ))
    .expect("a pattern of ours")
});

/// Returns whether a sentence begins by saying that it tells a cause: `There it is: …`, `Root cause: …`.
///
/// ```
/// # use ken_core::finding::tells_cause;
/// assert!(tells_cause("Root cause: the door sticks.") && tells_cause("Got it. The door sticks."));
/// assert!(!tells_cause("The door sticks."));
/// ```
pub fn tells_cause(sentence: &str) -> bool {
    behind_mark(sentence).is_some() || LABEL.is_match(sentence)
}
