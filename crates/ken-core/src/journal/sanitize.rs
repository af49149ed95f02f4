//! Captured text as one harmless line.
//!
//! Text from transcripts is data. Line ends would let it start a heading or a section, hidden
//! characters would let it say something else than it shows, comment marks would let it pass for
//! provenance or swallow what follows. Nothing else is touched: wikilinks and code stay.

use super::lines::without_closing_hashes;

/// Returns `text` as one line without hidden characters or comment marks.
///
/// ```
/// # use ken_core::journal::one_line;
/// assert_eq!(one_line("a\n### b <!-- kenning: x -->"), "a ### b &lt;!-- kenning: x --&gt;");
/// ```
pub fn one_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(ch) = chars.next() {
        if ch == '\u{1b}' && chars.next_if_eq(&'[').is_some() {
            // A terminal colour: its parameters would stay behind as litter.
            while chars.next_if(|ch| matches!(ch, '0'..='9' | ';' | '?')).is_some() {}
            chars.next_if(char::is_ascii_alphabetic);
        } else if ch.is_whitespace() {
            if !out.is_empty() && !out.ends_with(' ') {
                out.push(' ');
            }
        } else if !is_hidden(ch) {
            out.push(ch);
        }
    }
    out.truncate(out.trim_end().len());
    let shown = without_opening_fence(&out);
    shown.replace("<!--", "&lt;!--").replace("-->", "--&gt;")
}

/// Returns `text` as a heading's words.
pub(super) fn title(text: &str) -> String {
    let mut line = one_line(text);
    loop {
        let bare = without_closing_hashes(&line).trim_start_matches("- ").trim();
        if bare.len() == line.len() {
            return line;
        }
        line = bare.to_owned();
    }
}

/// Returns whether a character is not shown: controls, direction overrides, zero-width and tag characters.
pub(crate) fn is_hidden(ch: char) -> bool {
    // The zero-width joiner and non-joiner stay: scripts and emoji need them.
    ch.is_control()
        || matches!(ch, '\u{ad}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}')
        || matches!(ch, '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

/// A bullet that starts with a fence would be shown as an open code block.
fn without_opening_fence(line: &str) -> &str {
    let mut line = line;
    while line.starts_with("```") || line.starts_with("~~~") {
        line = line.trim_start_matches(['`', '~', ' ']);
    }
    line
}
