//! Parts that were marked `<private>` and got into the vault all the same.

use std::sync::OnceLock;

use ken_core::Span;
use ken_intake::scrub::Found;
use regex::Regex;

/// What a private part is called in its mark.
const KIND: &str = "private";

/// Returns the parts of a text that are marked as private.
pub(crate) fn private_parts(text: &str) -> Vec<Span> {
    static PART: OnceLock<Regex> = OnceLock::new();
    // Not behind a backtick: there somebody writes about the tag.
    let part = PART
        .get_or_init(|| Regex::new(r"(?is)<private(?:[ \t][^>\n]{0,80})?>.*?</private[ \t]*>").expect("it is fixed"));
    let found = part.find_iter(text).filter(|found| !text[..found.start()].ends_with('`'));
    found.map(|found| Span::new(found.start(), found.end())).collect()
}

/// Returns the secrets with the private parts of the text, in order; what lies in a private part goes with it.
pub(super) fn with_private(text: &str, found: Vec<Found>) -> Vec<Found> {
    let mut all: Vec<Found> = private_parts(text).into_iter().map(|span| Found { span, kind: KIND }).collect();
    let is_inside =
        |one: &Found| all.iter().any(|part| part.span.start < one.span.end && one.span.start < part.span.end);
    let rest: Vec<Found> = found.into_iter().filter(|one| !is_inside(one)).collect();
    all.extend(rest);
    all.sort_by_key(|one| one.span.start);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, parts: &[&str]) {
        let found = with_private(text, Vec::new());
        assert_eq!(found.iter().map(|one| one.span.of(text)).collect::<Vec<_>>(), parts);
    }

    #[test]
    fn private_parts_are_found_and_words_about_them_are_not() {
        check("a <private>iban\nx</private> b", &["<private>iban\nx</private>"]);
        check("<PRIVATE>a</Private><private>b</private>", &["<PRIVATE>a</Private>", "<private>b</private>"]);
        check("Parts between `<private>` and `</private>` are not captured.", &[]);
        check("<private-key>x</private-key> and <private> alone", &[]);
    }
}
