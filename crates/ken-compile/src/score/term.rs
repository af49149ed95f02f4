//! Sentences that begin with a term and what it means: `**Tags:** …`, `` `--all`: … ``.
//!
//! Looked at by hand: as one pattern, with its bounds on characters of all languages, it takes longer to make than the
//! sentences of a day take to read.

use std::sync::OnceLock;

use regex::Regex;

/// Longest term, in characters.
const TERM_CHARS_MAX: usize = 60;
/// So many more names may stand beside one in backticks: `` `a`, `b` or `c`: … ``.
const MORE_NAMES_MAX: usize = 4;

/// Returns whether a sentence begins with a term and what it means.
pub fn is_term(text: &str) -> bool {
    match text.strip_prefix("**") {
        Some(rest) => is_bold_term(rest),
        None => is_named_term(text),
    }
}

/// Whether a text goes on from `**` as a term in bold.
fn is_bold_term(text: &str) -> bool {
    let Some((term, behind)) = text.split_once('*') else { return false };
    let n_chars = term.chars().count();
    let is_marked_inside = term.ends_with([':', '.']) && (2..=TERM_CHARS_MAX + 1).contains(&n_chars);
    let Some(behind) = behind.strip_prefix('*') else { return false };
    is_marked_inside || (1..=TERM_CHARS_MAX).contains(&n_chars) && tells(behind)
}

/// Whether a text begins with names in backticks that it tells something of.
fn is_named_term(text: &str) -> bool {
    let mut rest = behind_name(text);
    for _ in 0..MORE_NAMES_MAX {
        match rest {
            Some(behind) if tells(behind) => return true,
            Some(behind) => rest = behind_joint(behind).and_then(behind_name),
            None => return false,
        }
    }
    rest.is_some_and(tells)
}

/// What stands behind a name in backticks.
fn behind_name(text: &str) -> Option<&str> {
    let (name, behind) = text.strip_prefix('`')?.split_once('`')?;
    (1..=TERM_CHARS_MAX).contains(&name.chars().count()).then_some(behind)
}

/// What stands behind that which joins two names: `, `, `/ `, ` or `.
fn behind_joint(text: &str) -> Option<&str> {
    static WORD: OnceLock<Regex> = OnceLock::new();
    let (joint, _) = text.split_once('`')?;
    let joint = joint.strip_suffix(' ')?;
    let is_word = |word: &str| {
        (1..=4).contains(&word.chars().count())
            && WORD.get_or_init(|| Regex::new(r"^\w+$").expect("a pattern of ours")).is_match(word)
    };
    let word = joint.strip_prefix(',').unwrap_or(joint).strip_prefix(' ');
    (joint == "," || joint == "/" || word.is_some_and(is_word)).then_some(&text[joint.len() + 1..])
}

/// Whether a text goes on from a term with what it means.
fn tells(text: &str) -> bool {
    static TELLS: OnceLock<Regex> = OnceLock::new();
    let tells = TELLS.get_or_init(|| Regex::new(r"^\s?(?:[:.—–=-]|is\b|are\b|->)").expect("a pattern of ours"));
    tells.is_match(text)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn terms_are_known_by_what_they_are_written_in() {
        for text in [
            "**Tags:** words of a page.",
            "**Tags** — words of a page.",
            "`--all`: every page.",
            "`a`, `b` or `c` are ovens.",
            "`a`/ `b` -> both.",
        ] {
            assert!(is_term(text), "{text}");
        }
        for text in ["**Tags words", "Tags: words.", "`a` beside `b`: ovens.", "`a` island", "**** is", "`` is"] {
            assert!(!is_term(text), "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_term_is_what_its_pattern_says(
            text in "(\\*\\*(a|é{59,62}|b[:.])?\\*{1,3}|`(a|é{59,62})?`)((,|/|,? (ör|und_|länge)|)( `|`)b`){0,6} ?(:|is|are|isl|->|x| )"
        ) {
            let form = r"^(?:\*\*[^*]{1,60}\*\*|`[^`]{1,60}`(?:(?:[,/]|,? \w{1,4}) `[^`]{1,60}`){0,4})\s?(?:[:.—–=-]|is\b|are\b|->)|^\*\*[^*]{1,60}[:.]\*\*";
            prop_assert_eq!(is_term(&text), Regex::new(form).expect("a pattern").is_match(&text), "{}", text);
        }
    }
}
