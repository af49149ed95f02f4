//! Names that have a number: it says which of several, and counts nothing.

use std::borrow::Cow;

/// Words of a name at most.
const NAME_WORDS_MAX: usize = 8;

/// Returns a text in which the digits of known names are none: the `2` of `Room 2` counts nothing.
pub(crate) fn without_numbers_of<'t>(names: &[&str], text: &'t str) -> Cow<'t, str> {
    let mut out = Cow::Borrowed(text);
    let is_numbered = |name: &&&str| {
        name.split_whitespace().count() <= NAME_WORDS_MAX
            && name.bytes().any(|byte| byte.is_ascii_digit())
            && name.bytes().any(|byte| byte.is_ascii_alphabetic())
    };
    for name in names.iter().filter(is_numbered) {
        let small = out.to_ascii_lowercase();
        let word = |ch: Option<char>| ch.is_some_and(char::is_alphanumeric);
        let whole =
            |at: &usize| !word(small[..*at].chars().next_back()) && !word(small[at + name.len()..].chars().next());
        let places = small.match_indices(&name.to_ascii_lowercase()).map(|(at, _)| at).collect::<Vec<_>>();
        for at in places.into_iter().filter(whole) {
            let bare: String = name.chars().map(|ch| if ch.is_ascii_digit() { '_' } else { ch }).collect();
            out.to_mut().replace_range(at..at + name.len(), &bare);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_a_known_name_counts_nothing_and_any_other_does() {
        let of = |text: &str| {
            without_numbers_of(&["Oven 2", "the oven 7 bakes at 240 degrees and that is a long text"], text)
                .into_owned()
        };
        assert_eq!(of("Oven 2 bakes 2 loaves in oven 2."), "Oven _ bakes 2 loaves in Oven _.");
        assert_eq!(of("Oven 23 and oven 7 are cold."), "Oven 23 and oven 7 are cold.");
    }
}
