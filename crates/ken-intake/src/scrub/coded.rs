//! Secrets that are written in another way: percent-encoded, escaped, put together from two texts, or in
//! base64.

use ken_core::Span;
use memchr::{memchr, memrchr};

use super::view::View;
use super::{Found, shifted};

/// Finds secrets in what a text says once it is decoded.
pub(super) fn find(text: &str) -> Vec<Found> {
    let mut found = Vec::new();
    in_lines(text, &mut found);
    in_base64(text, &mut found);
    found
}

/// Looks at every line that has something to decode.
fn in_lines(text: &str, found: &mut Vec<Found>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(next) = next_sign(bytes, at) {
        at = next;
        if code_at(bytes, at).is_none() {
            at += 1;
            continue;
        }
        let start = memrchr(b'\n', &bytes[..at]).map_or(0, |end| end + 1);
        let end = memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |len| at + len);
        let line = &text[start..end];
        let view = decoded(line);
        // What was encoded twice needs a second look.
        let twice = decoded(&view.text);
        let one = |one: Found, view: &View| Found { span: view.source(one.span), ..one };
        let plain = super::lines_of(&view.text).into_iter().map(|hit| one(hit, &view));
        found.extend(plain.map(|hit| shifted(hit, start)));
        if twice.text != view.text {
            let inner = super::lines_of(&twice.text).into_iter().map(|hit| one(one(hit, &twice), &view));
            found.extend(inner.map(|hit| shifted(hit, start)));
        }
        at = end;
    }
}

/// Bytes that are looked at together; most have no sign of a code.
const CHUNK_LEN: usize = 64;

/// The next byte from `at` on that may belong to something encoded.
fn next_sign(bytes: &[u8], mut at: usize) -> Option<usize> {
    let is_sign = |byte: u8| (byte == b'%') | (byte == b'&') | (byte == b'\\') | (byte == b'+');
    while let Some(chunk) = bytes.get(at..at + CHUNK_LEN) {
        if chunk.iter().fold(false, |any, byte| any | is_sign(*byte)) {
            let n = chunk.iter().position(|byte| is_sign(*byte)).unwrap_or(0);
            return Some(at + n);
        }
        at += CHUNK_LEN;
    }
    bytes[at.min(bytes.len())..].iter().position(|byte| is_sign(*byte)).map(|n| at + n)
}

/// The line with everything decoded that can be.
fn decoded(line: &str) -> View {
    let bytes = line.as_bytes();
    let mut view = View::default();
    let (mut at, mut from) = (0, 0);
    while at < bytes.len() {
        match code_at(bytes, at) {
            Some((ch, len)) => {
                view.copy(line, Span::new(from, at));
                let mut buffer = [0; 4];
                let text = ch.map_or("", |ch| ch.encode_utf8(&mut buffer));
                view.put(text, Span::new(at, at + len));
                at += len;
                from = at;
            }
            None => at += 1,
        }
    }
    view.copy(line, Span::new(from, line.len()));
    view
}

/// Named characters of HTML that stand in settings and addresses.
const ENTITIES: &[(&[u8], char)] =
    &[(b"&quot;", '"'), (b"&apos;", '\''), (b"&amp;", '&'), (b"&lt;", '<'), (b"&gt;", '>'), (b"&equals;", '=')];
/// Two texts put together: their ends say nothing.
const JOINTS: &[&[u8]] = &[b"\" + \"", b"' + '", b"\"+\"", b"'+'"];

/// What is encoded at a place: the character, or `None` for a joint, and how many bytes it takes.
fn code_at(bytes: &[u8], at: usize) -> Option<(Option<char>, usize)> {
    let rest = &bytes[at..];
    let shown = |code: u32| char::from_u32(code).filter(|ch| ('\u{20}'..='\u{7e}').contains(ch));
    match rest[0] {
        b'%' => match hex(rest.get(1..3)?)? {
            lead @ 0xc2..=0xf4 => percent_char(
                rest,
                if lead < 0xe0 {
                    2
                } else if lead < 0xf0 {
                    3
                } else {
                    4
                },
            ),
            code => Some((Some(shown(code)?), 3)),
        },
        b'\\' => match rest.get(1)? {
            b'u' => Some((Some(shown(hex(rest.get(2..6)?)?)?), 6)),
            b'x' => Some((Some(shown(hex(rest.get(2..4)?)?)?), 4)),
            _ => None,
        },
        b'&' if rest.get(1) == Some(&b'#') => {
            let end = memchr(b';', &rest[..rest.len().min(10)])?;
            let digits = str::from_utf8(&rest[2..end]).ok()?;
            let code = match digits.strip_prefix(['x', 'X']) {
                Some(digits) => u32::from_str_radix(digits, 16).ok()?,
                None => digits.parse().ok()?,
            };
            Some((Some(shown(code)?), end + 1))
        }
        b'&' => ENTITIES.iter().find(|(name, _)| rest.starts_with(name)).map(|(name, ch)| (Some(*ch), name.len())),
        b'"' | b'\'' => JOINTS.iter().find(|joint| rest.starts_with(joint)).map(|joint| (None, joint.len())),
        // Seen from the sign: whoever looks for something to decode need not stop at every quote.
        b'+' if at > 0 => {
            let start = if bytes[at - 1] == b' ' { at.checked_sub(2)? } else { at - 1 };
            matches!(bytes[start], b'"' | b'\'').then(|| code_at(bytes, start)).flatten().map(|_| (Some('+'), 1))
        }
        _ => None,
    }
}

/// A character of several bytes, each percent-encoded.
fn percent_char(rest: &[u8], n_bytes: usize) -> Option<(Option<char>, usize)> {
    let codes = rest.get(..3 * n_bytes)?.chunks(3).map(|code| match code {
        [b'%', digits @ ..] => u8::try_from(hex(digits)?).ok(),
        _ => None,
    });
    let text = String::from_utf8(codes.collect::<Option<Vec<u8>>>()?).ok()?;
    Some((text.chars().next(), 3 * n_bytes))
}

fn hex(digits: &[u8]) -> Option<u32> {
    let is_hex = digits.iter().all(u8::is_ascii_hexdigit);
    u32::from_str_radix(str::from_utf8(digits).ok().filter(|_| is_hex)?, 16).ok()
}

/// Fewest characters of base64 in which a secret and what gives it away have room.
const BASE64_LEN_MIN: usize = 20;
/// Most characters that are decoded of one run.
const BASE64_LEN_MAX: usize = 64 * 1024;

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_')
}

/// Looks into every run that is base64 of a text.
fn in_base64(text: &str, found: &mut Vec<Found>) {
    let bytes = text.as_bytes();
    let mut at = BASE64_LEN_MIN - 1;
    while at < bytes.len() {
        // Every run that is long enough has a character here.
        if !is_base64(bytes[at]) {
            at += BASE64_LEN_MIN;
            continue;
        }
        let from = at + 1 - BASE64_LEN_MIN;
        let start = bytes[from..at].iter().rposition(|byte| !is_base64(*byte)).map_or(from, |n| from + n + 1);
        let start = if start > from { start } else { run_start(bytes, from) };
        let end = bytes[at..].iter().position(|byte| !is_base64(*byte)).map_or(bytes.len(), |n| at + n);
        if end - start >= BASE64_LEN_MIN {
            let run = Span::new(start, end.min(start + BASE64_LEN_MAX));
            if let Some(kind) = kind_within(run.of(text)) {
                found.push(Found { span: Span::new(start, end), kind });
            }
        }
        at = end + BASE64_LEN_MIN;
    }
}

fn run_start(bytes: &[u8], at: usize) -> usize {
    bytes[..at].iter().rposition(|byte| !is_base64(*byte)).map_or(0, |n| n + 1)
}

/// The kind of the first secret in a text that is written in base64.
fn kind_within(run: &str) -> Option<&'static str> {
    let text = text_of_base64(run)?;
    let text = ken_core::clean::clean(&text);
    let mut found = super::block::find(&text);
    found.extend(super::lines_of(&text));
    in_lines(&text, &mut found);
    found.first().map(|one| one.kind)
}

/// The text that a run of base64 says, if it says one.
pub(super) fn text_of_base64(run: &str) -> Option<String> {
    let run = run.trim_end_matches('=').as_bytes();
    // What does not begin like a text is a digest, a path or a name.
    let first = decoded_base64(run.get(..8)?)?;
    if !first.iter().all(|byte| is_text(*byte)) {
        return None;
    }
    let bytes = decoded_base64(run)?;
    bytes.iter().all(|byte| is_text(*byte)).then(|| String::from_utf8(bytes).ok()).flatten()
}

fn is_text(byte: u8) -> bool {
    (0x20..0x7f).contains(&byte) || byte >= 0x80 || matches!(byte, b'\n' | b'\r' | b'\t' | 0x1b)
}

fn decoded_base64(run: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(run.len() * 3 / 4);
    let (mut bits, mut n_bits) = (0u32, 0u32);
    for byte in run {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(value);
        n_bits += 6;
        if n_bits >= 8 {
            n_bits -= 8;
            out.push((bits >> n_bits) as u8);
            bits &= (1 << n_bits) - 1;
        }
    }
    Some(out)
}
