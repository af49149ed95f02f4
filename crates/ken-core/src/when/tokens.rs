//! Cuts a text into words, numbers and signs, with what stands between them.

use std::sync::LazyLock;

use crate::language::WordSet;
use crate::span::Span;
use crate::words::fold;

use super::numbers;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Letters of a script with spaces, folded.
    Word,
    /// Digits, or a number in Chinese numerals; its text is the number in ASCII digits.
    Number,
    /// One character of a script that is written without spaces.
    Sign,
}

/// What stands between a token and the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gap {
    /// Nothing: `5` and `th`.
    None,
    Space,
    /// `l'anno`
    Apostrophe,
    /// A comma and a space.
    Comma,
    /// A full stop and a space.
    Stop,
    /// A full stop inside: `15.01.2024`.
    Point,
    /// A hyphen inside: `mid-March`.
    Hyphen,
    /// What stands for "to": `–`, `..`, a hyphen between spaces.
    Dash,
    /// A slash inside: `01/15/2024`.
    Slash,
    /// Anything else, or the beginning.
    Break,
}

/// A word, number or sign of a text.
#[derive(Debug, Clone)]
pub(super) struct Token {
    pub(super) span: Span,
    pub(super) kind: Kind,
    pub(super) text: String,
    pub(super) gap: Gap,
    /// Whether it begins with a capital letter.
    pub(super) is_capital: bool,
    /// Whether it is an ordinal number: `5th`.
    pub(super) is_ordinal: bool,
    /// Whether its letters carry marks that folding takes away.
    pub(super) is_marked: bool,
}

impl Token {
    /// Returns the number, if it is one that small.
    pub(super) fn number(&self) -> Option<u32> {
        (self.kind == Kind::Number && self.text.len() <= 6).then(|| self.text.parse().ok()).flatten()
    }

    /// Whether it is `n` digits.
    pub(super) fn has_digits(&self, n: usize) -> bool {
        self.kind == Kind::Number && self.text.len() == n && !self.is_ordinal
    }
}

static ORDINAL_ENDS: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.dates.ordinal_ends));

/// Returns the tokens of a text; what is code, a path, an address or an identifier has none.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::new();
    for (piece, is_text) in pieces(text) {
        if !is_text {
            continue;
        }
        cut(text, piece, &mut out);
    }
    let mut behind = 0;
    for token in &mut out {
        token.gap = if behind == 0 && token.span.start == 0 { Gap::Break } else { gap(text, behind, token.span.start) };
        behind = token.span.end;
        if token.kind == Kind::Number && numbers::is_numeral(&token.text) {
            token.text = numbers::numeral_value(&token.text).map(|value| value.to_string()).unwrap_or_default();
        }
    }
    out
}

/// Returns the runs of a text between white space, each with whether it is plain text. Characters of
/// scripts without spaces are runs of their own, so that they do not hide what stands beside them.
fn pieces(text: &str) -> Vec<(Span, bool)> {
    let mut out: Vec<(Span, bool)> = Vec::new();
    let mut start = None;
    let mut code_until = 0;
    let mut may_open = true;
    for (at, ch) in text.char_indices() {
        if at < code_until {
            continue;
        }
        let is_tick = ch == '`' && may_open;
        if ch.is_whitespace() || is_sign(ch) || is_tick {
            if let Some(from) = start.take() {
                out.push((Span::new(from, at), is_plain(&text[from..at])));
            }
        } else {
            start.get_or_insert(at);
        }
        if is_sign(ch) {
            out.push((Span::new(at, at + ch.len_utf8()), true));
        }
        if is_tick {
            match text[at + 1..].find('`') {
                Some(end) => code_until = at + 1 + end + 1,
                None => may_open = false,
            }
        }
    }
    if let Some(from) = start {
        out.push((Span::new(from, text.len()), is_plain(&text[from..])));
    }
    out
}

/// Whether a character belongs to a script without spaces; Korean counts, its words take endings.
fn is_sign(ch: char) -> bool {
    matches!(ch, '々' | '〇' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}')
}

/// Whether a run of characters is prose, and not an identifier, path, address, option or link.
fn is_plain(run: &str) -> bool {
    const AROUND: &[char] =
        &['"', '\'', '’', '‘', '“', '”', '(', ')', '[', ']', ',', '.', '?', '!', ';', ':', '*', '«', '»', '…'];
    // Most runs are a word, or one with a mark behind it.
    let word = run.trim_end_matches(['.', ',', ';', ':', '!', '?']);
    if !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return true;
    }
    let core = run.trim_matches(AROUND);
    let has_letters = core.chars().any(|ch| ch.is_alphabetic() && !matches!(ch, 'T' | 'Z'));
    if core.contains(['_', '\\', '=', '{', '}', '<', '>', '#', '$', '@', '|', '^', '&', '%', '(', ')', '[', ']']) {
        return false;
    }
    if has_letters && (core.contains(['/', '+']) || core.starts_with('-')) {
        return false;
    }
    if has_letters && run.trim_start_matches(['"', '\'', '(']).starts_with('.') && !run.starts_with("..") {
        return false;
    }
    !run.contains("[[") && !run.contains("]]") && !has_inner_stop(core)
}

/// Whether a full stop or colon stands directly between letters, or letters and digits: `today.rs`.
fn has_inner_stop(core: &str) -> bool {
    let (mut before, mut stop) = (None::<char>, None::<char>);
    let mut n_before = 0;
    for ch in core.chars() {
        if ch == '.' || ch == ':' {
            stop = if stop.is_none() { Some(ch) } else { None };
            continue;
        }
        if let (Some(stop), Some(before)) = (stop, before) {
            let is_day = stop == '.' && before.is_ascii_digit() && n_before <= 2 && ch.is_alphabetic();
            let is_time = before == 'T' || ch == 'T';
            if (before.is_alphabetic() || ch.is_alphabetic()) && ch.is_alphanumeric() && !is_day && !is_time {
                return true;
            }
        }
        before = Some(ch);
        n_before += 1;
        stop = None;
    }
    false
}

/// Appends the tokens of one run.
fn cut(text: &str, piece: Span, out: &mut Vec<Token>) {
    let run = piece.of(text);
    let mut chars = run.char_indices().peekable();
    while let Some((at, ch)) = chars.next() {
        let Some(kind) = class(ch) else { continue };
        let mut end = at + ch.len_utf8();
        if kind != Kind::Sign {
            while let Some((next_at, next)) = chars.next_if(|(_, next)| continues(*next, kind)) {
                end = next_at + next.len_utf8();
            }
        }
        push(text, Span::new(piece.start + at, piece.start + end), kind, out);
    }
}

fn class(ch: char) -> Option<Kind> {
    match ch {
        'a'..='z' | 'A'..='Z' => Some(Kind::Word),
        _ if is_sign(ch) => Some(Kind::Sign),
        '0'..='9' | '０'..='９' => Some(Kind::Number),
        _ if ch.is_alphabetic() => Some(Kind::Word),
        _ => None,
    }
}

fn continues(ch: char, kind: Kind) -> bool {
    class(ch) == Some(kind) || (kind == Kind::Word && unicode_normalization::char::is_combining_mark(ch))
}

/// Appends one token, joining Chinese numerals to a number and an ordinal's ending to its number.
fn push(text: &str, span: Span, kind: Kind, out: &mut Vec<Token>) {
    let raw = span.of(text);
    let touches = out.last().is_some_and(|last| last.span.end == span.start);
    let (kind, folded) = match kind {
        Kind::Sign if numbers::is_numeral(raw) => (Kind::Number, raw.to_owned()),
        Kind::Sign => (kind, raw.to_owned()),
        Kind::Word => (kind, fold(raw)),
        Kind::Number => (kind, raw.chars().map(numbers::ascii_digit).collect()),
    };
    if let Some(last) = out.last_mut().filter(|last| touches && last.kind == Kind::Number) {
        let is_numeral = numbers::is_numeral(raw) && numbers::is_numeral(last.span.of(text));
        if is_numeral && kind == Kind::Number {
            last.span.end = span.end;
            last.text.push_str(raw);
            return;
        }
        if kind == Kind::Word && ORDINAL_ENDS.has(&folded) {
            last.span.end = span.end;
            last.is_ordinal = true;
            return;
        }
    }
    let is_capital = raw.chars().next().is_some_and(char::is_uppercase);
    let is_marked = !raw.is_ascii() && raw.to_lowercase() != folded;
    out.push(Token { span, kind, text: folded, gap: Gap::Break, is_capital, is_ordinal: false, is_marked });
}

/// Returns what the text between two tokens is.
fn gap(text: &str, from: usize, to: usize) -> Gap {
    let between = text.get(from..to).unwrap_or("");
    if between == " " {
        return Gap::Space;
    }
    let core = between.trim();
    let is_tight = core.len() == between.len();
    let ends_in_space = between.ends_with(char::is_whitespace);
    match core {
        "" if between.is_empty() => Gap::None,
        "" => Gap::Space,
        "'" | "’" if is_tight => Gap::Apostrophe,
        "'" | "’" if ends_in_space => Gap::Space,
        "," if ends_in_space => Gap::Comma,
        "." if is_tight => Gap::Point,
        "." if ends_in_space => Gap::Stop,
        "-" | "‐" | "‑" if is_tight => Gap::Hyphen,
        "/" if is_tight => Gap::Slash,
        "-" | "–" | "—" | "―" | "~" | "～" | "〜" | ".." | "..." | "…" | "--" => Gap::Dash,
        _ => Gap::Break,
    }
}
