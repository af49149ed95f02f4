//! Whether a value looks like a secret.

use std::collections::BTreeMap;

/// Anything of the rule's shape is a secret.
pub(super) fn always(_: &str) -> bool {
    true
}

/// The value is no stand-in such as `$TOKEN`, `<your-token>`, `****`.
pub(super) fn is_filled_in(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    let is_stand_in = value.starts_with(['$', '<', '{', '%', '[', '('])
        || ["xxx", "***", "...", "…", "your", "example", "changeme", "placeholder", "dummy"]
            .iter()
            .any(|mark| lower.contains(mark));
    !is_stand_in && distinct(value) > 2
}

/// The value mixes kinds of characters as generated keys do, and words do not.
pub(super) fn is_random(value: &str) -> bool {
    let has = |kind: fn(&char) -> bool| value.chars().any(|ch| kind(&ch));
    let mixes = has(char::is_ascii_digit) && has(char::is_ascii_alphabetic);
    is_filled_in(value) && mixes && value.len() >= 8 && entropy(value) >= 2.7 && !is_code(value) && !is_words(value)
}

/// A bearer's token or a base64 pair: long and not a word.
pub(super) fn is_header_value(value: &str) -> bool {
    is_random(value) || value.len() >= 12 && is_filled_in(value) && !is_code(value) && has_inner_capital(value)
}

/// A password set in quotes: anything of some length that is no name, path or stand-in.
pub(super) fn is_password(value: &str) -> bool {
    let has_odd = value.chars().any(|ch| ch.is_ascii_digit() || "!@#%^&*+?~".contains(ch));
    let has_letter = value.chars().any(|ch| ch.is_ascii_alphabetic());
    value.len() >= 6 && has_odd && has_letter && is_filled_in(value) && !is_code(value) && !is_words(value)
}

/// Expressions, addresses and paths.
fn is_code(value: &str) -> bool {
    let is_path = value.starts_with(['/', '.', '~'])
        || value.contains('/') && value.rsplit('/').next().is_some_and(|name| name.contains('.'));
    let is_member = value.contains('.')
        && value
            .split('.')
            .all(|part| part.len() <= 24 && part.starts_with(|ch: char| ch.is_alphabetic() || ch == '_'));
    is_path || is_member || value.contains(['(', '<', '{', '|']) || value.contains("://") || value.contains("::")
}

/// Words joined as people name things: `next_token_2`, `auth-service-v2`, `API_KEY_2`, `OAuth2Client`.
fn is_words(value: &str) -> bool {
    value.split(['-', '_', '.', '/', ' ', ',']).all(|part| {
        let letters = part.trim_end_matches(|ch: char| ch.is_ascii_digit());
        let is_number = letters.is_empty() && part.len() <= 6;
        // One short number at the end of a word, or between two, is a version; more is not a name.
        let runs = part.split(|ch: char| !ch.is_ascii_digit()).filter(|run| !run.is_empty());
        let is_versioned = runs.clone().count() <= 1 && runs.map(str::len).max().unwrap_or(0) <= 2;
        is_number || is_versioned && part.len() <= 16 && part.chars().all(|ch| ch.is_ascii_alphanumeric())
    })
}

fn has_inner_capital(value: &str) -> bool {
    let has_lower = value.chars().any(|ch| ch.is_ascii_lowercase());
    has_lower && value.chars().skip(1).any(|ch| ch.is_ascii_uppercase())
}

fn distinct(value: &str) -> usize {
    counts(value).len()
}

fn counts(value: &str) -> BTreeMap<char, u32> {
    let mut counts = BTreeMap::new();
    for ch in value.chars() {
        *counts.entry(ch).or_insert(0) += 1;
    }
    counts
}

/// Shannon entropy in bits a character.
fn entropy(value: &str) -> f64 {
    let n_chars = value.chars().count().max(1);
    let share = |count: &u32| f64::from(*count) / n_chars as f64;
    -counts(value).values().map(|count| share(count) * share(count).log2()).sum::<f64>()
}
