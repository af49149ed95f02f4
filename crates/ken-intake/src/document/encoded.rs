//! Text in other encodings than UTF-8.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};

/// How far a page of HTML is looked at for what it says of its encoding, in bytes.
const HEAD_BYTES_MAX: usize = 2048;

/// Returns the text of bytes that are no UTF-8.
///
/// # Errors
/// When they are no text.
pub(super) fn decode(bytes: &[u8], is_html: bool) -> Result<String, String> {
    let marked = Encoding::for_bom(bytes).map(|(encoding, n)| (encoding, &bytes[n..]));
    let (encoding, bytes) = match marked.or_else(|| wide(bytes).map(|encoding| (encoding, bytes))) {
        Some(known) => known,
        None if bytes.contains(&0) => return Err(NO_TEXT.to_owned()),
        None => {
            let said = is_html.then(|| said_in(bytes)).flatten();
            (said.unwrap_or_else(|| guessed(bytes)), bytes)
        }
    };
    let (text, is_broken) = encoding.decode_without_bom_handling(bytes);
    let is_text =
        |text: &str| !text.chars().any(|ch| ch.is_control() && !matches!(ch, '\t' | '\n' | '\r' | '\u{c}' | '\u{85}'));
    if is_broken || !is_text(&text) {
        return Err(NO_TEXT.to_owned());
    }
    Ok(text.into_owned())
}

const NO_TEXT: &str = "it is no text in an encoding that is known: save it as UTF-8";

/// UTF-16 without a mark: every second byte of Latin text is zero.
fn wide(bytes: &[u8]) -> Option<&'static Encoding> {
    let n = bytes.len();
    if n < 4 || n % 2 == 1 {
        return None;
    }
    let zeros = |from: usize| bytes.iter().skip(from).step_by(2).filter(|byte| **byte == 0).count() * 2;
    match (zeros(0), zeros(1)) {
        (0, odd) if odd * 2 > n => Some(UTF_16LE),
        (even, 0) if even * 2 > n => Some(UTF_16BE),
        _ => None,
    }
}

/// What a page of HTML says of its encoding.
fn said_in(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(HEAD_BYTES_MAX)]).to_ascii_lowercase();
    let rest = &head[head.find("charset=")? + "charset=".len()..];
    let name = rest.trim_start_matches(['"', '\'', ' ']).split(['"', '\'', ';', '>', ' ', '/']).next()?;
    Encoding::for_label(name.as_bytes()).filter(|encoding| !encoding.name().starts_with("UTF-"))
}

fn guessed(bytes: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    detector.guess(None, Utf8Detection::Deny)
}
