//! What stands within a line: words, code, links and images; and lines that are written as they stand.

use super::{Gap, INDENT_MAX, Writer};
use crate::html::tokens::{Element, Values};

/// Longest address of a link or an image, and longest label of a link, in bytes.
const ADDRESS_LEN_MAX: usize = 400;
const LABEL_LEN_MAX: usize = 400;
/// From so many bytes on preformatted text that does not say it is code is prose, as in the memos of standards.
const PROSE_LEN_MIN: usize = 4_000;
/// Schemes of addresses that are kept; others lead nowhere.
const SCHEMES: &[&str] = &["http", "https", "mailto", "ftp"];
/// Fewest marks of a fence.
const FENCE_MIN: usize = 3;

/// Code within a line that is open.
#[derive(Debug)]
pub(super) struct Code {
    line: usize,
    text: String,
}

impl Code {
    pub(super) fn new(line: usize) -> Code {
        Code { line, text: String::new() }
    }
}

/// A link that is open.
#[derive(Debug)]
pub(super) struct Link {
    address: String,
    /// Where its label begins, once something of it is written.
    pub(super) start: Option<usize>,
}

impl Link {
    pub(super) fn new(address: String) -> Link {
        Link { address, start: None }
    }
}

/// Preformatted text that is open.
#[derive(Debug)]
pub(super) struct Preformatted {
    /// Its lines, each with its line in the source.
    lines: Vec<(usize, String)>,
    is_code: bool,
    language: Option<String>,
}

impl Preformatted {
    pub(super) fn new(language: Option<String>) -> Preformatted {
        Preformatted { lines: Vec::new(), is_code: language.is_some(), language }
    }

    pub(super) fn open(&mut self, element: Element, values: Values) {
        match element {
            Element::Code => {
                self.is_code = true;
                self.language = self.language.take().or(values.language);
            }
            Element::LineBreak => {
                let line = self.lines.last().map_or(1, |(line, _)| *line);
                self.lines.push((line, String::new()));
            }
            _ => {}
        }
    }

    fn put(&mut self, text: &str, line: usize) {
        for (n, piece) in text.split('\n').enumerate() {
            match self.lines.last_mut().filter(|_| n == 0) {
                Some((at, last)) => {
                    // A line that was empty so far begins where its text does.
                    *at = if last.is_empty() { line } else { *at };
                    last.push_str(piece);
                }
                None => self.lines.push((line + n, piece.to_owned())),
            }
        }
    }

    /// Its lines without the empty ones around them.
    fn ended(self) -> (Vec<(usize, String)>, bool, String) {
        let is_empty = |(_, text): &(usize, String)| text.trim().is_empty();
        let mut lines = self.lines;
        lines.truncate(lines.iter().rposition(|line| !is_empty(line)).map_or(0, |at| at + 1));
        lines.drain(..lines.iter().position(|line| !is_empty(line)).unwrap_or(0));
        lines.iter_mut().for_each(|(_, text)| *text = text.trim_end().replace('\u{a0}', " "));
        // A line end that is written as a reference ends no line of the source.
        for n in (1..lines.len()).rev() {
            lines[n - 1].0 = lines[n - 1].0.min(lines[n].0);
        }
        let len: usize = lines.iter().map(|(_, text)| text.len()).sum();
        (lines, !self.is_code && len >= PROSE_LEN_MIN, self.language.unwrap_or_default())
    }
}

impl Writer {
    pub(super) fn text(&mut self, text: &str, line: usize) {
        if self.is_title {
            self.title.push_str(text);
            return;
        }
        if let Some(open) = &mut self.preformatted {
            open.put(text, line);
            return;
        }
        for (n, piece) in text.split('\n').enumerate() {
            if n > 0 {
                self.space(Gap::Soft);
            }
            if piece.starts_with(is_space) {
                self.space(Gap::Space);
            }
            for word in piece.split_inclusive(is_space) {
                let bare = word.trim_end_matches(is_space);
                if !bare.is_empty() {
                    self.word(bare, line + n);
                }
                if bare.len() < word.len() {
                    self.space(Gap::Space);
                }
            }
        }
    }

    fn word(&mut self, word: &str, line: usize) {
        match &mut self.code {
            Some(code) => code.text.push_str(word),
            // A mark behind a heading that leads to itself.
            None if word == "¶" && self.is_heading => {}
            None => self.piece(word, line),
        }
    }

    fn space(&mut self, gap: Gap) {
        match &mut self.code {
            Some(code) if code.text.is_empty() => self.ask(gap),
            Some(code) if code.text.ends_with(' ') => {}
            Some(code) => code.text.push(' '),
            None => self.ask(gap),
        }
    }

    /// Writes what has no white space around it.
    pub(super) fn piece(&mut self, piece: &str, line: usize) {
        if piece.is_empty() {
            return;
        }
        if let Some(code) = &mut self.code {
            code.text.push_str(piece);
            return;
        }
        self.write(piece, line, opens_block(piece));
    }

    fn write(&mut self, piece: &str, line: usize, is_block: bool) {
        self.begin(line, is_block);
        if is_block && self.table.is_none() && self.is_at_start() {
            self.lines.text.push('\\');
        }
        if let Some(link) = self.link.as_mut().filter(|link| link.start.is_none()) {
            link.start = Some(self.lines.text.len());
            self.lines.text.push('[');
        }
        self.lines.text.push_str(piece);
    }

    /// Whether nothing but white space stands in the open line.
    fn is_at_start(&self) -> bool {
        let text = self.lines.text.trim_end_matches(' ');
        text.is_empty() || text.ends_with('\n')
    }

    /// Writes the white space that was asked for, and the mark of what begins here.
    fn begin(&mut self, line: usize, is_block: bool) {
        let is_one_line = self.table.is_some() || (self.is_heading && self.marker.is_none());
        let gap = match std::mem::replace(&mut self.lines.gap, Gap::Nothing) {
            _ if self.lines.text.is_empty() => {
                self.lines.line = line;
                self.begin_line();
                return;
            }
            Gap::Soft | Gap::Line | Gap::Paragraph if is_one_line => Gap::Space,
            // At the start of a line it would be something else.
            Gap::Soft if is_block => Gap::Space,
            gap => gap,
        };
        match gap {
            Gap::Nothing => {}
            Gap::Space => self.lines.text.push(' '),
            Gap::Meaning => self.lines.text.push_str(": "),
            Gap::Listed => self.lines.text.push_str("; "),
            Gap::Soft | Gap::Line | Gap::Paragraph => {
                self.lines.end_line(line);
                if gap == Gap::Paragraph {
                    self.lines.end_line(line);
                }
                self.begin_line();
            }
        }
    }

    /// Writes the indentation of a line, and the mark of the item or heading that begins on it.
    fn begin_line(&mut self) {
        let Some(marker) = self.marker.take() else {
            self.lines.text.extend(std::iter::repeat_n(' ', self.indent(0)));
            return;
        };
        let indent = if self.is_heading { 0 } else { self.indent(1) };
        self.lines.text.extend(std::iter::repeat_n(' ', indent));
        self.lines.text.push_str(&marker);
        if let Some(list) = self.lists.last_mut().filter(|_| !self.is_heading) {
            list.indent = (indent + marker.len()).min(INDENT_MAX);
        }
    }

    /// Begins code or a table, which an item cannot begin with.
    pub(super) fn begin_block(&mut self, line: usize) {
        self.boundary();
        self.marker = None;
        self.lines.gap = Gap::Paragraph;
        self.begin(line, false);
    }

    /// Writes lines as they stand; the first of them has begun.
    pub(super) fn lines_of_block(&mut self, lines: Vec<(usize, String)>) {
        for (n, (line, text)) in lines.into_iter().enumerate() {
            if n > 0 {
                self.lines.end_line(line);
                self.begin_line();
            }
            self.lines.text.push_str(&text);
        }
        self.ask(Gap::Paragraph);
    }

    pub(super) fn end_preformatted(&mut self) {
        let Some(open) = self.preformatted.take() else { return };
        let (mut lines, is_prose, language) = open.ended();
        let (Some((first, _)), Some((last, _))) = (lines.first().cloned(), lines.last().cloned()) else { return };
        if is_prose {
            for (_, text) in &mut lines {
                let word = text.split_whitespace().next().unwrap_or_default();
                if opens_block(word) {
                    text.insert(text.len() - text.trim_start().len(), '\\');
                }
            }
        } else {
            let marks = lines.iter().map(|(_, text)| run(text.trim_start(), '`')).max().unwrap_or(0);
            let fence = "`".repeat(FENCE_MIN.max(marks + 1));
            lines.insert(0, (first, format!("{fence}{language}")));
            lines.push((last, fence));
        }
        self.begin_block(first);
        self.lines_of_block(lines);
    }

    pub(super) fn end_code(&mut self) {
        let Some(Code { line, text }) = self.code.take() else { return };
        let said = text.trim_end();
        if said.is_empty() {
            return;
        }
        let longest = said.split(|ch| ch != '`').map(str::len).max().unwrap_or(0);
        let marks = "`".repeat(longest + 1);
        let pad = if said.starts_with('`') || said.ends_with('`') { " " } else { "" };
        self.write(&format!("{marks}{pad}{said}{pad}{marks}"), line, false);
        if said.len() < text.len() {
            self.ask(Gap::Space);
        }
    }

    pub(super) fn end_link(&mut self) {
        self.end_code();
        let Some(Link { address, start: Some(start) }) = self.link.take() else { return };
        let label = &self.lines.text[start + 1..];
        if label.len() <= LABEL_LEN_MAX && is_balanced(label) && !label.contains('\n') && !label.starts_with('^') {
            self.lines.text.push_str(&format!("]({address})"));
        } else {
            self.lines.text.remove(start);
        }
    }
}

fn is_space(ch: char) -> bool {
    ch.is_ascii_whitespace() || ch == '\u{a0}'
}

fn run(text: &str, mark: char) -> usize {
    text.len() - text.trim_start_matches(mark).len()
}

/// Whether a word would begin another block than a paragraph, a list or a rule at the start of a line.
fn opens_block(word: &str) -> bool {
    let is_heading = (1..=6).contains(&run(word, '#')) && word.trim_start_matches('#').is_empty();
    let is_fence = run(word, '`') >= FENCE_MIN || run(word, '~') >= FENCE_MIN;
    is_heading || is_fence || word.starts_with("<!--") || word.starts_with("[^") || word.starts_with('|')
}

/// Whether every bracket of a label has its other one.
fn is_balanced(label: &str) -> bool {
    let mut depth = 0_usize;
    for ch in label.chars() {
        match ch {
            '[' => depth += 1,
            ']' if depth == 0 => return false,
            ']' => depth -= 1,
            _ => {}
        }
    }
    depth == 0
}

/// The address of a link or an image as it may stand in Markdown; none of one that leads nowhere or runs something.
pub(super) fn address(raw: &str) -> Option<String> {
    let is_place = !raw.is_empty() && !raw.starts_with('#') && raw.len() <= ADDRESS_LEN_MAX;
    let end = raw.find([':', '/', '?', '#']).unwrap_or(raw.len());
    let is_known = !raw[end..].starts_with(':') || SCHEMES.iter().any(|scheme| raw[..end].eq_ignore_ascii_case(scheme));
    if !is_place || !is_known {
        return None;
    }
    let mut out = String::with_capacity(raw.len());
    for ch in raw.chars() {
        match ch {
            // White space and brackets would end it; nobody sees the others.
            ' ' | '(' | ')' | '<' | '>' | '[' | ']' | '"' | '\'' | '`' | '\\' | '|' => {
                out.push_str(&format!("%{:02X}", u32::from(ch)));
            }
            ch if ch.is_whitespace() || ch.is_control() => {}
            ch => out.push(ch),
        }
    }
    Some(out)
}

/// An image by its description; its address only as far as it has both.
pub(super) fn described(values: &Values) -> String {
    let said = values.description.as_deref().unwrap_or_default().replace(['[', ']', '`'], "");
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    match values.address.as_deref().and_then(address).filter(|_| !said.is_empty()) {
        Some(address) => format!("![{said}]({address})"),
        None => said,
    }
}
