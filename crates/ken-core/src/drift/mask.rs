//! Takes comments and texts out of code, so that only what is code is left, each byte at its place.
//!
//! What is hidden becomes blanks; line ends stay, and where a text began stands a `"`, so that whoever reads on sees
//! that there is a value. Reads to the end whatever is wrong: what is not closed ends with its line where the language
//! closes it there, else with the file.

use super::grammar::{Grammar, Oddity, Quote};

/// Returns the code without comments and texts, of the same length.
pub(super) fn masked(text: &str, grammar: &Grammar) -> Vec<u8> {
    let mut mask = Mask { text: text.as_bytes(), out: text.as_bytes().to_vec(), at: 0, grammar, heredocs: Vec::new() };
    if grammar.oddities.contains(&Oddity::Html) {
        mask.skip_to("<?");
    }
    while mask.at < mask.text.len() {
        mask.step();
    }
    if grammar.oddities.contains(&Oddity::Preprocessor) {
        hide_switched_off(&mut mask.out);
    }
    mask.out
}

struct Mask<'t> {
    text: &'t [u8],
    out: Vec<u8>,
    at: usize,
    grammar: &'t Grammar,
    /// Ends of the texts that begin behind this line.
    heredocs: Vec<Vec<u8>>,
}

impl<'t> Mask<'t> {
    fn has(&self, oddity: Oddity) -> bool {
        self.grammar.oddities.contains(&oddity)
    }

    fn starts(&self, with: &str) -> bool {
        self.text[self.at..].starts_with(with.as_bytes())
    }

    fn before(&self) -> u8 {
        self.at.checked_sub(1).map_or(b'\n', |at| self.text[at])
    }

    /// Hides what stands from here to a place.
    fn hide_to(&mut self, end: usize) {
        let end = end.min(self.text.len());
        let hidden = self.out[self.at..end].iter_mut().filter(|byte| !matches!(**byte, b'\n' | b'\r'));
        hidden.for_each(|byte| *byte = b' ');
        self.at = end;
    }

    fn skip_to(&mut self, what: &str) {
        let end = find(self.text, what.as_bytes(), self.at).unwrap_or(self.text.len());
        self.hide_to(end);
    }

    fn step(&mut self) {
        let byte = self.text[self.at];
        if byte == b'\n' && !self.heredocs.is_empty() {
            return self.heredocs_behind();
        }
        if self.comment() || self.odd() {
            return;
        }
        let grammar = self.grammar;
        match grammar.quotes.iter().find(|quote| self.starts(quote.open)) {
            Some(quote) if !self.is_word_before_quote(quote) => self.quoted(quote),
            _ => self.at += 1,
        }
    }

    /// Whether what looks like a quote belongs to a name: `it's`.
    fn is_word_before_quote(&self, quote: &Quote) -> bool {
        // Between the tags of a page, and in numbers such as `1'000`.
        let is_regex = self.has(Oddity::Regex) || self.has(Oddity::CppRaw);
        quote.open == "'" && is_regex && self.before().is_ascii_alphanumeric()
    }

    fn comment(&mut self) -> bool {
        let grammar = self.grammar;
        if let Some((open, close)) = grammar.block_comments.iter().find(|(open, _)| self.starts(open)) {
            let mut depth = 1;
            let mut at = self.at + open.len();
            while depth > 0 && at < self.text.len() {
                if self.text[at..].starts_with(close.as_bytes()) {
                    depth -= 1;
                    at += close.len();
                } else if grammar.nested && self.text[at..].starts_with(open.as_bytes()) {
                    depth += 1;
                    at += open.len();
                } else {
                    at += 1;
                }
            }
            self.hide_to(at);
            return true;
        }
        let begins = |comment: &&&str| self.starts(comment);
        let Some(comment) = grammar.line_comments.iter().find(begins) else { return false };
        let is_begin = matches!(self.before(), b' ' | b'\t' | b'\n' | b';' | b'(' | b'&' | b'|');
        let is_attribute = self.has(Oddity::Html) && self.starts("#[");
        if is_attribute || (*comment == "#" && self.has(Oddity::HashOfShell) && !is_begin) {
            return false;
        }
        let mut end = find(self.text, b"\n", self.at).unwrap_or(self.text.len());
        if self.has(Oddity::Html) {
            end = find(self.text, b"?>", self.at).unwrap_or(end).min(end);
        }
        self.hide_to(end);
        true
    }

    /// Hides a text behind its first quote.
    fn quoted(&mut self, quote: &Quote) {
        let start = self.at;
        let mut at = start + quote.open.len();
        while at < self.text.len() {
            let rest = &self.text[at..];
            if quote.escapes && rest[0] == b'\\' {
                at += 2;
            } else if rest.starts_with(quote.close.as_bytes()) {
                // Two quotes stand for one where nothing is escaped by a backslash.
                let is_doubled = !quote.escapes && quote.open.starts_with(['@', '$']) && rest.starts_with(b"\"\"");
                if !is_doubled {
                    at += quote.close.len();
                    break;
                }
                at += 2;
            } else if rest[0] == b'\n' && !quote.lines {
                break;
            } else {
                at += 1;
            }
        }
        self.hide_to(at);
        self.out[start] = b'"';
    }

    fn odd(&mut self) -> bool {
        let byte = self.text[self.at];
        match byte {
            b'\'' if self.has(Oddity::RustRaw) => self.rust_character(),
            b'r' | b'b' if self.has(Oddity::RustRaw) && !is_word(self.before()) => self.rust_raw(),
            b'R' if self.has(Oddity::CppRaw) && self.starts("R\"") => self.cpp_raw(),
            b'/' if self.has(Oddity::Regex) && self.is_value_next() => self.regex(),
            b'<' if self.has(Oddity::Heredoc) && self.starts("<<") => self.heredoc(),
            b'?' if self.has(Oddity::Html) && self.starts("?>") => {
                self.skip_to("<?");
                true
            }
            _ => false,
        }
    }

    fn rust_character(&mut self) -> bool {
        let rest = &self.text[self.at + 1..];
        let len = match rest {
            [b'\\', _, ..] => rest[2..].iter().take(12).position(|byte| *byte == b'\'').map(|n| n + 4),
            [first, ..] => {
                let width = if *first < 0x80 { 1 } else { 4 };
                rest[1..].iter().take(width).position(|byte| *byte == b'\'').map(|n| n + 3)
            }
            [] => None,
        };
        match len {
            Some(len) => self.hide_to(self.at + len),
            // A lifetime.
            None => self.at += 1,
        }
        true
    }

    fn rust_raw(&mut self) -> bool {
        let prefix = ["br", "r", "b"].iter().find(|prefix| self.starts(prefix)).map_or(0, |prefix| prefix.len());
        let behind = &self.text[self.at + prefix..];
        let n_marks = behind.iter().take_while(|byte| **byte == b'#').count();
        let is_raw = self.text[self.at..self.at + prefix].contains(&b'r') && behind.get(n_marks) == Some(&b'"');
        if !is_raw {
            return false;
        }
        let start = self.at;
        let close = [b"\"".as_slice(), "#".repeat(n_marks).as_bytes()].concat();
        let from = self.at + prefix + n_marks + 1;
        let end = find(self.text, &close, from).map_or(self.text.len(), |at| at + close.len());
        self.hide_to(end);
        self.out[start] = b'"';
        true
    }

    fn cpp_raw(&mut self) -> bool {
        let Some(n) = self.text[self.at + 2..].iter().take(17).position(|byte| *byte == b'(') else { return false };
        let name = &self.text[self.at + 2..self.at + 2 + n];
        let close = [b")", name, b"\""].concat();
        let end = find(self.text, &close, self.at).map_or(self.text.len(), |at| at + close.len());
        let start = self.at;
        self.hide_to(end);
        self.out[start] = b'"';
        true
    }

    /// Whether a value may begin here: then `/` begins a pattern.
    fn is_value_next(&self) -> bool {
        let before = self.out[..self.at].iter().rev().take(200);
        let word: Vec<u8> = before.copied().skip_while(|byte| matches!(byte, b' ' | b'\t')).take(7).collect();
        match word.first() {
            None | Some(b'\n') => true,
            Some(byte) if b"(,=:[!&|?{};+-*%^~".contains(byte) => true,
            Some(_) => word.starts_with(b"nruter") || word.starts_with(b"fo epyt"),
        }
    }

    fn regex(&mut self) -> bool {
        let (mut at, mut is_class) = (self.at + 1, false);
        while let Some(byte) = self.text.get(at) {
            match byte {
                b'\\' => at += 1,
                b'\n' => return false,
                b'[' => is_class = true,
                b']' => is_class = false,
                b'/' if !is_class => {
                    self.hide_to(at + 1);
                    return true;
                }
                _ => {}
            }
            at += 1;
        }
        false
    }

    /// Notes where a text that begins on the next line ends.
    fn heredoc(&mut self) -> bool {
        let rest = &self.text[self.at + 2..];
        let n_marks = rest.iter().take(3).take_while(|byte| matches!(byte, b'<' | b'-' | b'~')).count();
        let marks = &rest[..n_marks];
        let is_php = self.has(Oddity::Html);
        let name = &rest[n_marks..];
        let name = if is_php || self.has(Oddity::HashOfShell) { name.trim_ascii_start() } else { name };
        let is_quoted = matches!(name.first(), Some(b'\'' | b'"'));
        let name = &name[usize::from(is_quoted)..];
        let len = name.iter().take_while(|byte| is_word(**byte)).count();
        // `a << b` and `items << item` shift or add; `<<<` in a shell gives a word.
        let is_name = len > 0 && (is_quoted || !marks.is_empty() || name[0].is_ascii_uppercase());
        let is_here = if is_php { marks == b"<" } else { !marks.contains(&b'<') };
        if is_name && is_here && self.heredocs.len() < 8 {
            self.heredocs.push(name[..len].to_vec());
        }
        self.at += 2 + n_marks;
        if is_name && is_here {
            let end = find(self.text, &self.heredocs[self.heredocs.len() - 1].clone(), self.at).unwrap_or(self.at);
            self.hide_to(end + len + usize::from(is_quoted));
        }
        true
    }

    fn heredocs_behind(&mut self) {
        for name in std::mem::take(&mut self.heredocs) {
            while self.at < self.text.len() {
                let start = self.at + 1;
                let end = find(self.text, b"\n", start).unwrap_or(self.text.len());
                let line = self.text.get(start..end).unwrap_or_default().trim_ascii();
                let is_end =
                    line.strip_prefix(name.as_slice()).is_some_and(|rest| !rest.first().is_some_and(|b| is_word(*b)));
                self.hide_to(end);
                if is_end {
                    break;
                }
            }
        }
    }
}

/// Hides what stands between `#if 0` and its end.
fn hide_switched_off(out: &mut [u8]) {
    let (mut at, mut depth, mut off_since) = (0, 0_usize, None);
    while at < out.len() {
        let end = out[at..].iter().position(|byte| *byte == b'\n').map_or(out.len(), |n| at + n);
        let line: Vec<u8> = out[at..end].iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
        if line.starts_with(b"#if") {
            depth += 1;
            if line == b"#if0" && off_since.is_none() {
                off_since = Some(depth);
            }
        } else if off_since == Some(depth) && (line.starts_with(b"#endif") || line.starts_with(b"#el")) {
            off_since = None;
            depth -= usize::from(line.starts_with(b"#endif"));
        } else if line.starts_with(b"#endif") {
            depth = depth.saturating_sub(1);
        } else if off_since.is_some() {
            out[at..end].fill(b' ');
        }
        at = end + 1;
    }
}

pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

fn find(text: &[u8], what: &[u8], from: usize) -> Option<usize> {
    memchr::memmem::find(text.get(from..)?, what).map(|at| from + at)
}
