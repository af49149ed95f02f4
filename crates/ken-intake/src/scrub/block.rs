//! Key blocks: the only secrets that reach over several lines.

use std::sync::OnceLock;

use ken_core::Span;
use memchr::memmem;
use regex::Regex;

use super::Found;

/// Also within a quoted text, where line ends are written `\n`, once or more often escaped.
const PATTERN: &str = r#"-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:\\+[nr]|[\s"'+,>|])*(?:[A-Za-z-]{1,20}: [^\n\\]{0,80}(?:\\+[nr]|\s)+){0,4}(?:[A-Za-z0-9+/=]{8,}(?:\\+[nr]|[\s"'+,>|])*)+(?:[A-Za-z0-9+/=]{1,8}(?:\\+[nr]|[\s"'+,>|])*){0,2}(?:-----END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----)?"#;

/// Fewer characters than the shortest key has: words after a marker that somebody wrote about.
const KEY_CHARS_MIN: usize = 40;

/// Finds the blocks of private keys in a text.
pub(super) fn find(text: &str) -> Vec<Found> {
    static REGEX: OnceLock<Regex> = OnceLock::new();
    if memmem::find(text.as_bytes(), b"-----BEGIN").is_none() {
        return Vec::new();
    }
    let regex = REGEX.get_or_init(|| Regex::new(PATTERN).expect("a test compiles it"));
    let found = regex.find_iter(text).map(|found| Span::new(found.start(), found.end()));
    found.filter(|span| is_key(span.of(text))).map(|span| Found { span, kind: "private-key" }).collect()
}

/// Whether what follows the marker is long enough for a key and has digits as keys do.
fn is_key(block: &str) -> bool {
    let Some((_, body)) = block.split_once("KEY") else { return false };
    let body = body.split("-----END").next().unwrap_or(body);
    let n_chars = body.bytes().filter(u8::is_ascii_alphanumeric).count();
    n_chars >= KEY_CHARS_MIN && body.bytes().any(|byte| byte.is_ascii_digit())
}
