//! The quotes of a claim, compared word for word.
//!
//! Reads what stands inside quotation marks and has three words or more; returns the places of those that
//! the cited text does not contain, white space, case, emphasis and the form of quotation marks aside. What
//! is left out by an ellipsis may be anything. It does not look at single straight quotes: those are
//! apostrophes.

use memchr::memmem;

use crate::span::Span;

/// Fewer words are a term, not somebody's words.
const WORDS_MIN: usize = 3;
/// Longest quote in bytes; what is longer closes a quotation mark that was never meant to open.
const BYTES_MAX: usize = 4_000;

/// Returns the places of quotes that the cited text does not contain.
pub(super) fn missing(claim: &str, cited: &str) -> Vec<Span> {
    let quotes = quotes(claim);
    if quotes.is_empty() {
        return Vec::new();
    }
    let there = plain(cited);
    quotes.into_iter().filter(|span| !is_there(span.of(claim), &there)).collect()
}

fn is_there(quote: &str, there: &str) -> bool {
    let wanted = plain(quote).replace("[…]", "…").replace("[...]", "…").replace("...", "…");
    let mut from = 0;
    wanted.split('…').all(|part| {
        let part = part.trim_matches(|ch: char| !ch.is_alphanumeric());
        let at = memmem::find(&there.as_bytes()[from..], part.as_bytes());
        from += at.map_or(0, |at| at + part.len());
        at.is_some()
    })
}

/// What stands inside quotation marks.
fn quotes(text: &str) -> Vec<Span> {
    let mut out = Vec::new();
    let mut open: Option<(usize, &[char])> = None;
    for (at, ch) in text.char_indices() {
        match open {
            Some((start, closing)) if closing.contains(&ch) => {
                let span = Span::new(start, at);
                let n_words = span.of(text).split_whitespace().filter(|w| w.contains(char::is_alphanumeric)).count();
                if n_words >= WORDS_MIN && span.end - span.start <= BYTES_MAX {
                    out.push(span);
                }
                open = None;
            }
            Some(_) => {}
            None => open = closing_of(ch).map(|closing| (at + ch.len_utf8(), closing)),
        }
    }
    out
}

fn closing_of(ch: char) -> Option<&'static [char]> {
    Some(match ch {
        '"' => &['"'],
        '“' => &['”', '“', '"'],
        '„' => &['“', '”', '"'],
        '«' => &['»'],
        '»' => &['«'],
        '「' => &['」'],
        '『' => &['』'],
        _ => return None,
    })
}

/// A text as quotes are compared: lower case, single spaces, no emphasis, straight quotes.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        for ch in line.trim_start().trim_start_matches("> ").chars() {
            match ch {
                '*' | '`' | '\\' => {}
                '’' | '‘' | '‚' => out.push('\''),
                '“' | '”' | '„' | '«' | '»' => out.push('"'),
                _ if ch.is_whitespace() => push_space(&mut out),
                _ => out.extend(ch.to_lowercase()),
            }
        }
        push_space(&mut out);
    }
    out
}

fn push_space(out: &mut String) {
    if !out.ends_with(' ') && !out.is_empty() {
        out.push(' ');
    }
}
