//! Words and marks of code.

use super::super::mask::is_word;

/// A word, or one mark.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) is_word: bool,
    /// Whether it is the first of its line.
    pub(super) is_first: bool,
    /// Where it stands in its line, in bytes from 1.
    pub(super) column: usize,
}

/// Returns the words and marks of code.
pub(super) fn tokens(code: &[u8]) -> Vec<Token> {
    let mut out = Vec::with_capacity(code.len() / 5);
    let (mut at, mut line, mut is_first) = (0, 0, true);
    while at < code.len() {
        let byte = code[at];
        match byte {
            b'\n' => {
                line = at + 1;
                is_first = true;
                at += 1;
            }
            _ if byte.is_ascii_whitespace() => at += 1,
            _ => {
                let is_name = is_word(byte);
                let len = if is_name { code[at..].iter().take_while(|byte| is_word(**byte)).count() } else { 1 };
                out.push(Token { start: at, end: at + len, is_word: is_name, is_first, column: at - line + 1 });
                is_first = false;
                at += len;
            }
        }
    }
    out
}
