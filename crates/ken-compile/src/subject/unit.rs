//! Units behind numbers, which name nothing.

/// Returns whether a word behind a number is its unit by its spelling: `3000 mAh`, `7 kWh`.
pub(super) fn is_unit(before: &str, word: &str) -> bool {
    let is_spelled_so =
        word.len() <= UNIT_MAX && word.starts_with(char::is_lowercase) && word.contains(char::is_uppercase);
    is_spelled_so && before.strip_suffix(' ').is_some_and(|before| before.ends_with(|ch: char| ch.is_ascii_digit()))
}

/// Longest unit, in bytes.
const UNIT_MAX: usize = 4;
