//! Whether a value looks like a secret.
//!
//! The words here are what people write into settings and code in any language, so they are no language's.

use std::collections::BTreeMap;

/// Parts of a value that stands in for a secret. Short ones would also stand in real tokens by chance.
const STAND_INS: &[&str] = &[
    "xxxx",
    "****",
    "...",
    "…",
    "your_",
    "your-",
    "yourtoken",
    "yourkey",
    "<your",
    "example",
    "changeme",
    "change-me",
    "change_me",
    "placeholder",
    "dummy",
    "redacted",
    "replace_me",
    "replace-me",
];

/// Words that a chosen password is not made of, and names of other things are.
const PLAIN_WORDS: &[&str] = &[
    "password",
    "passwd",
    "secret",
    "token",
    "input",
    "field",
    "required",
    "string",
    "undefined",
    "credential",
    "hash",
    "argon",
    "bcrypt",
    "scrypt",
    "pbkdf",
    "scram",
    "sha1",
    "sha2",
    "sha3",
    "sha5",
    "md5",
    "base64",
    "utf8",
    "utf-8",
    "hs256",
    "rs256",
    "aes",
    "char",
    "regex",
    "prompt",
    "localhost",
    "oauth",
];

/// The value is no stand-in such as `$TOKEN`, `<your-token>`, `****`.
pub(super) fn is_filled_in(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    let is_stand_in =
        value.starts_with(['$', '<', '{', '%', '[', '(']) || STAND_INS.iter().any(|mark| lower.contains(mark));
    !is_stand_in && distinct(value) > 2
}

/// A token whose shape could be a word too.
pub(super) fn has_digit(value: &str) -> bool {
    is_filled_in(value) && value.bytes().any(|byte| byte.is_ascii_digit())
}

/// A token whose shape could be a name too.
pub(super) fn has_digit_and_capital(value: &str) -> bool {
    has_digit(value) && value.bytes().any(|byte| byte.is_ascii_lowercase()) && has_capital(value) && !is_words(value)
}

/// The value mixes kinds of characters as generated keys do, and words do not.
pub(super) fn is_random(value: &str) -> bool {
    is_filled_in(value)
        && mixes(value)
        && value.len() >= 8
        && entropy(value) >= 2.7
        && !is_code(value)
        && !is_words(value)
}

/// Random and long, for names that say little; ids of things are not taken for keys.
pub(super) fn is_strong(value: &str) -> bool {
    value.len() >= 20 && is_random(value) && entropy(value) >= 3.0 && !is_uuid(value)
}

/// All of what a generator of keys with symbols uses, parentheses and operators included.
pub(super) fn is_generated(value: &str) -> bool {
    let has = |kind: fn(char) -> bool| usize::from(value.chars().any(kind));
    let n_kinds = has(|ch| ch.is_ascii_lowercase())
        + has(|ch| ch.is_ascii_uppercase())
        + has(|ch| ch.is_ascii_digit())
        + has(|ch| ch.is_ascii_punctuation());
    let is_expression = value.contains("://")
        || value.contains("::")
        || value.contains("()")
        || value.contains('[')
        || value.contains("${");
    value.len() >= 20
        && n_kinds >= 3
        && entropy(value) >= 3.5
        && !is_expression
        && is_filled_in(value)
        && !is_words(value)
        && !value.ends_with(')')
}

/// A bearer's token or a base64 pair: long and not a word.
pub(super) fn is_header_value(value: &str) -> bool {
    is_random(value) || value.len() >= 12 && is_filled_in(value) && !is_code(value) && has_inner_capital(value)
}

/// The value of a session's cookie, which may be a plain id.
pub(super) fn is_session(value: &str) -> bool {
    mixes(value) && is_filled_in(value) && !is_words(value)
}

/// A password that words alone do not make: anything of some length that is no name, path or stand-in.
pub(super) fn is_password(value: &str) -> bool {
    is_generated(value) || has_odd_and_letter(value) && is_filled_in(value) && !is_code(value) && !is_words(value)
}

/// A password where one is expected: words with a number or a sign in them count, names do not.
pub(super) fn is_chosen(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    let is_one_case = !has_capital(value) || !value.bytes().any(|byte| byte.is_ascii_lowercase());
    let is_name = is_words(value) && is_one_case && digits_at_end(value) < 2;
    is_generated(value)
        || is_scrambled(value)
        || is_text_in_base64(value)
        || has_odd_and_letter(value)
            && is_filled_in(value)
            && !is_code(value)
            && !is_name
            && !PLAIN_WORDS.iter().any(|word| lower.contains(word))
}

/// Base64 of a text, as settings of clusters keep their secrets.
fn is_text_in_base64(value: &str) -> bool {
    let is_padded = value.len() >= 8 && value.len().is_multiple_of(4) && value.ends_with('=');
    is_padded && super::coded::text_of_base64(value).is_some_and(|text| text.is_ascii())
}

/// What a line `NAME_KEY=…` sets.
pub(super) fn is_env_value(value: &str) -> bool {
    is_chosen(value) || is_random(value) || is_scrambled(value)
}

/// A key behind a name that says it is one.
pub(super) fn is_key(value: &str) -> bool {
    // So short and of these figures alone it names a commit or an image.
    let is_short_id = value.len() <= 12 && value.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    !is_short_id && (is_random(value) || is_scrambled(value))
}

/// What was said without the marks that end a sentence or set it off.
pub(super) fn said(value: &str) -> &str {
    value.trim_end_matches([
        '.', ',', ';', ':', '!', '?', ')', ']', '}', '…', '*', '_', '。', '、', '，', '」', '』', '|',
    ])
}

/// A password in a sentence, where most values are words.
pub(super) fn is_said(value: &str) -> bool {
    let bare = said(value);
    let has_digit = bare.bytes().any(|byte| byte.is_ascii_digit());
    let has_odd_inside = bare.len() >= 8 && bare.contains(['!', '@', '#', '$', '%', '^', '&', '*', '+', '?', '~']);
    let is_plain = |value: &str| {
        let lower = value.to_ascii_lowercase();
        PLAIN_WORDS.iter().any(|word| lower.contains(word)) || value.contains("://") || is_code(value)
    };
    // A word with one figure behind it is a name elsewhere, and the commonest password here.
    let is_word_and_figure = bare.len() >= 7
        && digits_at_end(bare) == 1
        && is_filled_in(bare)
        && bare.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && bare.bytes().filter(u8::is_ascii_digit).count() == 1;
    let is_taken = is_chosen(bare) || has_digit && is_chosen(value) || is_word_and_figure || is_scrambled(bare);
    bare.chars().count() >= 5 && is_taken && (has_digit || has_odd_inside || is_scrambled(bare)) && !is_plain(bare)
}

/// A key in a sentence, where most values are words and many are names of things.
pub(super) fn is_named(value: &str) -> bool {
    let bare = said(value);
    bare.len() >= 16 && is_random(bare) && !is_uuid(bare) && !is_date(bare)
}

/// Words of a wallet: many, short, none twice in a row.
pub(super) fn is_seed_phrase(value: &str) -> bool {
    let words: Vec<&str> = value.split([' ', ',']).filter(|word| !word.is_empty()).collect();
    let is_sentence =
        words.iter().any(|word| ["the", "and", "that", "with", "are", "was", "for", "you", "this"].contains(word));
    matches!(words.len(), 12 | 15 | 18 | 21 | 24) && !is_sentence
}

/// Letters alone that no word and no name is made of.
pub(super) fn is_scrambled(value: &str) -> bool {
    let is_letters = value.bytes().all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'-'));
    if value.len() < 14 || !is_letters || !is_filled_in(value) || is_words(value) && value.contains(['_', '-']) {
        return false;
    }
    let n_upper = value.bytes().filter(u8::is_ascii_uppercase).count();
    let n_lower = value.bytes().filter(u8::is_ascii_lowercase).count();
    let is_mixed = n_upper * 4 >= value.len() && n_lower * 4 >= value.len();
    let n_vowels = value.bytes().filter(|byte| b"aeiouAEIOU".contains(byte)).count();
    let is_one_case = n_upper == 0 || n_lower == 0;
    is_mixed && n_humps(value) >= 3 || is_one_case && (!can_be_read(value) || n_vowels * 5 < value.len())
}

/// The second part of a key: nothing that could be a word, a name or a figure.
pub(super) fn is_loose_end(word: &str) -> bool {
    let is_mixed = has_capital(word) && word.bytes().any(|byte| byte.is_ascii_lowercase());
    word.len() >= 4 && mixes(word) && (is_mixed || !is_readable(word)) && !is_code(word) && !is_date(word)
}

/// Words, names, paths and figures.
pub(super) fn is_readable(word: &str) -> bool {
    let word = said(word);
    is_words(word) || word.bytes().all(|byte| !byte.is_ascii_alphabetic())
}

fn has_odd_and_letter(value: &str) -> bool {
    let has_odd = value.chars().any(|ch| ch.is_ascii_digit() || "!@#%^&*+?~".contains(ch));
    value.len() >= 6 && has_odd && value.chars().any(|ch| ch.is_ascii_alphabetic())
}

fn mixes(value: &str) -> bool {
    value.bytes().any(|byte| byte.is_ascii_digit()) && value.bytes().any(|byte| byte.is_ascii_alphabetic())
}

/// Expressions, addresses and paths.
fn is_code(value: &str) -> bool {
    let is_rooted = value.starts_with('/') && value.split('/').all(is_wordish);
    let is_path = is_rooted
        || value.starts_with(['.', '~'])
        || value.contains('/') && value.rsplit('/').next().is_some_and(|name| name.contains('.'));
    let is_member = value.contains('.')
        && value
            .split('.')
            .all(|part| part.len() <= 24 && part.starts_with(|ch: char| ch.is_alphabetic() || ch == '_'));
    let is_operator = value.starts_with(['*', '&', ':']) || value.contains('[') || is_date(value);
    is_path
        || is_member
        || is_operator
        || value.contains(['(', '<', '{', '|'])
        || value.contains("://")
        || value.contains("::")
}

/// Words joined as people name things: `next_token_2`, `auth-service-v2`, `API_KEY_2`, `OAuth2Client`.
fn is_words(value: &str) -> bool {
    value.split(['-', '_', '.', '/', ' ', ',', ':', '=', '#', '@', '+']).all(is_wordish)
}

/// A word, words in one as in `nextToken2`, or a short number.
fn is_wordish(part: &str) -> bool {
    let letters = part.trim_end_matches(|ch: char| ch.is_ascii_digit());
    if letters.is_empty() {
        return part.len() <= 6;
    }
    // One short number at the end of a word, or between two, is a version; more is not a name.
    let runs = part.split(|ch: char| !ch.is_ascii_digit()).filter(|run| !run.is_empty());
    let is_versioned = runs.clone().count() <= 1 && runs.map(str::len).max().unwrap_or(0) <= 3;
    is_versioned && part.len() <= 40 && part.bytes().all(|byte| byte.is_ascii_alphanumeric()) && can_be_read(part)
}

/// Whether the letters can be spoken: words have vowels, and capitals begin them.
fn can_be_read(part: &str) -> bool {
    let is_vowel = |byte: u8| b"aeiouy".contains(&byte.to_ascii_lowercase());
    let (mut consonants, mut consonants_max) = (0, 0);
    for byte in part.bytes() {
        consonants = if byte.is_ascii_alphabetic() && !is_vowel(byte) { consonants + 1 } else { 0 };
        consonants_max = consonants_max.max(consonants);
    }
    consonants_max <= 5 && n_humps(part) <= 1 + part.len() / 6
}

/// How often a capital stands behind a small letter.
fn n_humps(part: &str) -> usize {
    part.as_bytes().windows(2).filter(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase()).count()
}

/// A day, with or without a time.
fn is_date(value: &str) -> bool {
    let bytes = value.as_bytes();
    let is_digits =
        |range: std::ops::Range<usize>| bytes.get(range).is_some_and(|part| part.iter().all(u8::is_ascii_digit));
    is_digits(0..4) && is_digits(5..7) && is_digits(8..10) && bytes[4] == b'-' && bytes[7] == b'-'
}

fn is_uuid(value: &str) -> bool {
    let lens: Vec<usize> = value.split('-').map(str::len).collect();
    lens == [8, 4, 4, 4, 12] && value.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit())
}

fn digits_at_end(value: &str) -> usize {
    value.bytes().rev().take_while(u8::is_ascii_digit).count()
}

fn has_capital(value: &str) -> bool {
    value.bytes().any(|byte| byte.is_ascii_uppercase())
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
