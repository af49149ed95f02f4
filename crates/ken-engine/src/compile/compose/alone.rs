//! Which sentences can be understood alone.

use std::sync::OnceLock;

use ken_core::language::alternatives;
use regex::Regex;

use crate::compile::passage::leans_back;
use crate::compile::score;

/// Bounds of a sentence that says what a page says, in characters.
const CHARS: std::ops::RangeInclusive<usize> = 20..=240;

/// Returns whether a sentence of a document is whole and can be understood without what stands around it.
pub(super) fn of_document(text: &str) -> bool {
    static LEANS: OnceLock<Regex> = OnceLock::new();
    let leans = LEANS.get_or_init(|| {
        let leaning = alternatives(|lexicon| lexicon.pages.document_leaning);
        let speaking = alternatives(|lexicon| lexicon.pages.document_speaking);
        Regex::new(&format!(r"(?i)^(?:{leaning})\b|\b(?:{speaking})\b|^[^:]{{0,30}}:")).expect("a pattern of ours")
    });
    is_whole(text) && !leans.is_match(text)
}

/// Returns whether a sentence of the journal can be understood alone: it is whole, nobody in it speaks of themselves
/// or to a reader, nothing in it points at what stands around it, and it is no note of a change.
pub(super) fn stands(text: &str) -> bool {
    static LEANS: OnceLock<Regex> = OnceLock::new();
    let leans = LEANS.get_or_init(|| {
        let leaning = alternatives(|lexicon| lexicon.pages.journal_leaning);
        let speaking = alternatives(|lexicon| lexicon.pages.journal_speaking);
        let form = r"^`[^`]+`(?: \([^)]*\))? [-–—] | \| |#\d+ (?:and|or) #\d|[✅❌]|\?$|:$";
        Regex::new(&format!(r"(?i)^(?:{leaning})\b|\b(?:{speaking})\b|{form}")).expect("a pattern of ours")
    });
    is_whole(text) && !leans_back(text) && !score::is_change_note(text) && !leans.is_match(text)
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
