//! Which characters nobody sees, and which of them are needed where they stand.

use crate::span::Span;

/// What is to be done about something that nobody sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// It says nothing.
    Hidden,
    /// It moves to another line without being a line end here.
    Break,
    /// What stands around it is not shown right without it.
    Needed,
}

/// Whether a byte may begin something that nobody sees.
fn may_begin(byte: u8) -> bool {
    // Control characters, and the first bytes of those characters that `is_unseen` knows.
    (byte < 0x20) & (byte != b'\n') & (byte != b'\t')
        | (byte == 0x7f)
        | (byte >= 0xc2) & matches!(byte, 0xc2 | 0xcd | 0xd8 | 0xe1 | 0xe2 | 0xe3 | 0xef | 0xf0 | 0xf3)
}

/// Bytes that are looked at together; nearly all of them are plain.
const CHUNK_LEN: usize = 64;

/// The next byte from `at` on that may begin something that nobody sees.
fn next_begin(bytes: &[u8], mut at: usize) -> Option<usize> {
    while let Some(chunk) = bytes.get(at..at + CHUNK_LEN) {
        // Without a branch for each byte: a processor looks at many of them at once.
        let is_odd = |byte: u8| (byte >= 0x7f) | (byte < 0x20) & (byte != b'\n') & (byte != b'\t');
        if chunk.iter().fold(false, |any, byte| any | is_odd(*byte))
            && let Some(n) = chunk.iter().position(|byte| may_begin(*byte))
        {
            return Some(at + n);
        }
        at += CHUNK_LEN;
    }
    bytes[at..].iter().position(|byte| may_begin(*byte)).map(|n| at + n)
}

/// Calls `each` with every part of the text that nobody sees, in order.
pub(super) fn each(text: &str, mut each: impl FnMut(Span, Kind)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    // Where the last part that is not kept ended, and what stands before it.
    let mut gone = (0, None);
    while let Some(next) = next_begin(bytes, at) {
        at = next;
        let Some(ch) = text[at..].chars().next() else { return };
        let here = Span::new(at, at + ch.len_utf8());
        at = here.end;
        match ch {
            '\u{1b}' | '\u{9b}' => {
                at = super::sequence_end(text, here.start);
                let before = text[..here.start].chars().next_back();
                gone = (at, if gone.0 == here.start { gone.1 } else { before });
                each(Span::new(here.start, at), Kind::Hidden);
            }
            '\r' if bytes.get(at) == Some(&b'\n') => {}
            '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => each(here, Kind::Break),
            FLAG => {
                let end = flag_end(text, at);
                if end > at {
                    each(Span::new(at, end), Kind::Needed);
                    at = end;
                }
            }
            _ if is_unseen(ch) => {
                let before = text[..here.start].chars().next_back();
                let before = if gone.0 == here.start { gone.1 } else { before };
                let after = text[here.end..].chars().next();
                let is_needed = is_needed(ch, before, after);
                gone = if is_needed { gone } else { (here.end, before) };
                each(here, if is_needed { Kind::Needed } else { Kind::Hidden });
            }
            _ => {}
        }
    }
}

fn is_unseen(ch: char) -> bool {
    ch.is_control()
        || matches!(ch,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}')
}

/// Whether scripts or emoji are not shown right without the character; it is never needed twice.
fn is_needed(ch: char, before: Option<char>, after: Option<char>) -> bool {
    let (Some(before), Some(after)) = (before, after.or(Some(' '))) else { return false };
    match ch {
        '\u{200c}' => joins(before) && joins(after),
        '\u{200d}' => joins(before) && joins(after) || (is_emoji(before) || before == '\u{fe0f}') && is_emoji(after),
        // Whether a sign is shown as text or as a picture, and which form a character of Chinese has.
        '\u{fe00}'..='\u{fe0d}' => crate::words::is_cjk(before) || is_emoji(before),
        '\u{fe0e}' | '\u{fe0f}' => {
            is_emoji(before)
                || matches!(before, '©' | '®')
                || matches!(before, '0'..='9' | '#' | '*') && after == '\u{20e3}'
        }
        '\u{180b}'..='\u{180d}' | '\u{180f}' => matches!(before, '\u{1820}'..='\u{18aa}'),
        '\u{e0100}'..='\u{e01ef}' => crate::words::is_cjk(before),
        _ => false,
    }
}

/// Letters of scripts that join or break their letters by characters that nobody sees.
fn joins(ch: char) -> bool {
    matches!(ch,
        '\u{600}'..='\u{109f}' | '\u{1780}'..='\u{180a}' | '\u{1810}'..='\u{18af}' | '\u{1900}'..='\u{1cff}'
        | '\u{a800}'..='\u{abff}' | '\u{fb50}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}' | '\u{10a00}'..='\u{11fff}')
        && ch != '\u{61c}'
}

fn is_emoji(ch: char) -> bool {
    matches!(ch,
        '\u{203c}' | '\u{2049}' | '\u{2100}'..='\u{2bff}' | '\u{3030}' | '\u{303d}' | '\u{3297}' | '\u{3299}'
        | '\u{1f000}'..='\u{1faff}')
}

/// The flag of a region is spelled in tags behind it.
const FLAG: char = '\u{1f3f4}';

/// End of the tags of a flag, or `at` when those that stand there spell none.
fn flag_end(text: &str, at: usize) -> usize {
    let tags = |ch: &char| matches!(ch, '\u{e0030}'..='\u{e0039}' | '\u{e0061}'..='\u{e007a}');
    let n_tags = text[at..].chars().take_while(tags).count();
    let end = at + n_tags * FLAG.len_utf8();
    let is_flag = (3..=6).contains(&n_tags) && text[end..].starts_with('\u{e007f}');
    if is_flag { end + '\u{e007f}'.len_utf8() } else { at }
}
