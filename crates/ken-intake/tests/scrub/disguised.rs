//! Secrets that do not stand there letter by letter: with something hidden inside, broken over two lines,
//! encoded.
//!
//! What counts as a leak is the secret as whoever reads it puts it together again, so a sample's secret is
//! the plain one and its text the disguise; [`plain`] takes the disguise off what was stored.

use super::noise::Noise;
use super::{Planted, planted};

/// Every how many samples one of each disguise is made.
const EVERY: usize = 7;

/// A way to disguise a secret.
type Disguise = fn(&mut Noise, &str, &str, &str) -> Option<String>;

const DISGUISES: &[(&str, Disguise)] = &[
    ("with something hidden inside", |noise, before, secret, after| {
        Some(format!("{before}{}{after}", hidden_inside(noise, secret)))
    }),
    ("in terminal colours", |_, before, secret, after| {
        let (left, right) = halves(secret)?;
        Some(format!("\u{1b}[1m{before}\u{1b}[0m\u{1b}[31m{left}\u{1b}[32m{right}\u{1b}[0m{after}"))
    }),
    ("with something hidden in its name", |noise, before, secret, after| {
        let (left, right) = halves(before)?;
        Some(format!("{left}{}{right}{secret}{after}", pick_hidden(noise)))
    }),
    ("broken over two lines", |_, before, secret, after| {
        let is_key = secret.len() >= 24 && secret.bytes().all(|byte| byte.is_ascii_graphic()) && after.len() < 3;
        let (left, right) = halves(secret).filter(|_| is_key)?;
        Some(format!("{before}{left}\n{right}\n"))
    }),
    ("continued with a backslash", |_, before, secret, after| {
        let name = before.strip_suffix(' ').filter(|_| before.contains(" -") && !after.contains('\n'))?;
        Some(format!("{name} \\\n  {secret}{after}"))
    }),
    ("on the line below its name", |_, before, secret, after| {
        let name = before.strip_suffix([' ', '"', '\'']).unwrap_or(before);
        let is_name = name.ends_with([':', '=']) && !name.contains('\n') && !name.contains("//") && after.len() < 2;
        is_name.then(|| format!("{name}\n  {secret}\n"))
    }),
    ("put together from two texts", |_, before, secret, after| {
        let (left, right) = halves(secret).filter(|_| before.ends_with('"') && after.starts_with('"'))?;
        Some(format!("{before}{left}\" + \"{right}{after}"))
    }),
    ("percent-encoded", |_, before, secret, after| {
        let is_pair = before.len() < 40 && !before.contains([' ', '\n', '\\']) && !after.contains('\n');
        is_pair.then(|| format!("GET /x?next={}&y=1", percent(&format!("{before}{secret}{after}"))))
    }),
    ("escaped", |_, before, secret, after| {
        let text = format!("{before}{secret}{after}");
        text.contains(['=', '"', ':'])
            .then(|| text.replace('=', "\\u003d").replace('"', "\\u0022").replace(':', "\\u003a"))
    }),
    ("in base64", |_, before, secret, after| Some(format!("blob: {} ok", base64(&format!("{before}{secret}{after}"))))),
];

/// Every disguised secret.
pub(crate) fn disguised(seed: u64) -> Vec<Planted> {
    let mut noise = Noise::new(seed + 2);
    let mut out = Vec::new();
    for (nth, (name, disguise)) in DISGUISES.iter().enumerate() {
        for sample in planted(seed).into_iter().skip(nth % EVERY).step_by(EVERY) {
            let is_line = !sample.secret.contains(['\n', ' ']) && !sample.secret.contains("\\n");
            let Some((before, after)) = sample.text.split_once(&sample.secret).filter(|_| is_line) else { continue };
            if let Some(text) = disguise(&mut noise, before, &sample.secret, after) {
                out.push(Planted { kind: name, text, secret: sample.secret });
            }
        }
    }
    out
}

const HIDDEN: &[char] = &[
    '\u{200b}',
    '\u{200c}',
    '\u{200d}',
    '\u{2060}',
    '\u{feff}',
    '\u{ad}',
    '\u{202e}',
    '\u{2066}',
    '\u{200e}',
    '\u{e0061}',
    '\u{8}',
    '\u{0}',
    '\u{fe0f}',
    '\u{34f}',
    '\u{3164}',
];

fn pick_hidden(noise: &mut Noise) -> char {
    HIDDEN[noise.below(HIDDEN.len())]
}

fn hidden_inside(noise: &mut Noise, secret: &str) -> String {
    let mut out = String::new();
    for (n, ch) in secret.chars().enumerate() {
        if n > 0 && n % 5 == 2 {
            out.push(pick_hidden(noise));
        }
        out.push(ch);
    }
    out
}

fn halves(text: &str) -> Option<(&str, &str)> {
    (text.len() >= 4).then(|| text.split_at_checked(text.len() / 2)).flatten()
}

fn percent(text: &str) -> String {
    let one = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'.' | b'~' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(one).collect()
}

pub(crate) fn base64(text: &str) -> String {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in text.as_bytes().chunks(3) {
        let bits = chunk.iter().fold(0u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for n in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * n) & 63) as usize];
            out.push(if n <= chunk.len() { char::from(letter) } else { '=' });
        }
    }
    out
}

/// What was stored as whoever reads it puts it together: decoded, without what nobody sees, lines joined.
pub(crate) fn plain(stored: &str) -> String {
    let mut views = vec![seen(stored)];
    views.push(unescaped(&views[0]));
    views.push(joined(&views[0]));
    let decoded: Vec<String> = views[0]
        .split(|ch: char| !(ch.is_ascii_alphanumeric() || "+/=".contains(ch)))
        .filter(|run| run.len() >= 16)
        .filter_map(decoded_base64)
        .collect();
    views.extend(decoded);
    views.join("\n\n")
}

fn seen(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars().peekable();
    while let Some(ch) = chars.next() {
        if ch == '\u{1b}' {
            chars.next_if_eq(&'[');
            while chars.next_if(|ch| ch.is_ascii_digit() || *ch == ';').is_some() {}
            chars.next_if_eq(&'m');
        } else if !HIDDEN.contains(&ch) {
            out.push(ch);
        }
    }
    out
}

fn joined(text: &str) -> String {
    let text = text.replace("\" + \"", "");
    text.split('\n').map(|line| line.trim().trim_start_matches("- ")).collect::<Vec<_>>().concat()
}

fn unescaped(text: &str) -> String {
    let text = text.replace("\\u003d", "=").replace("\\u0022", "\"").replace("\\u003a", ":");
    let mut out = Vec::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let code = bytes.get(at + 1..at + 3).filter(|_| bytes[at] == b'%');
        let code = code.and_then(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok());
        out.push(code.unwrap_or(bytes[at]));
        at += if code.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&out).into_owned()
}

fn decoded_base64(run: &str) -> Option<String> {
    const LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bits, mut n_bits, mut out) = (0u32, 0, Vec::new());
    for ch in run.trim_end_matches('=').chars() {
        bits = bits << 6 | LETTERS.find(ch)? as u32;
        n_bits += 6;
        if n_bits >= 8 {
            n_bits -= 8;
            out.push((bits >> n_bits) as u8);
            bits &= (1 << n_bits) - 1;
        }
    }
    String::from_utf8(out).ok()
}
