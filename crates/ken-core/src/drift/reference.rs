//! The references to code that a statement makes: paths, symbols, lines, modules, commands.
//!
//! Only what is meant as a reference is one: what stands in code marks, or looks like a path with an ending that is
//! known. Addresses, places of other machines, patterns and examples are none, and neither is what the statement itself
//! says to be gone, planned or elsewhere: that is [`super::excused`].

mod command;
pub(super) mod path;

use std::borrow::Cow;

use crate::span::Span;

pub use command::Command;
use path::{as_path, has_known_ending, is_line_list};

use super::excused::Statement;

/// Something of a project that a statement names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// As it is told to people: `src/auth.rs:login`.
    pub text: String,
    /// Its place in the statement.
    pub span: Span,
    /// What it names.
    pub what: What,
}

impl Reference {
    /// Returns the path that it names, if it names one.
    pub fn path(&self) -> Option<&str> {
        match &self.what {
            What::Path { path, .. } | What::Line { path, .. } | What::InFile { path, .. } => Some(path),
            What::Symbol { .. } | What::Command(_) => None,
        }
    }
}

/// What a reference names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What {
    /// A file or folder; `is_sure` unless it could as well be a branch or a label.
    Path {
        /// From the top of the project, or the end of such a path.
        path: String,
        /// Whether it can only be a path.
        is_sure: bool,
    },
    /// A line of a file.
    Line {
        /// The file.
        path: String,
        /// From 1.
        line: usize,
    },
    /// Something that a file defines, with the type around it first.
    InFile {
        /// The file.
        path: String,
        /// `["Store", "apply"]`.
        names: Vec<String>,
    },
    /// Something without its file: `["Store", "apply"]`, `["app", "auth", "session"]`.
    Symbol {
        /// Its parts.
        parts: Vec<String>,
    },
    /// A command of the project.
    Command(Command),
}

/// Longest text between code marks that is looked at.
const CODE_BYTES_MAX: usize = 300;

/// Returns the references of a statement, a sentence or item of Markdown, in order.
///
/// ```
/// # use ken_core::drift::references;
/// let found = references("`src/auth.rs:login` is called by `login_all()`, see https://example.org/a.rs.");
/// let texts: Vec<_> = found.iter().map(|one| one.text.as_str()).collect();
/// assert_eq!(texts, ["src/auth.rs:login", "login_all()"]);
/// assert_eq!(references("It is in src/auth.rs.[^1]")[0].text, "src/auth.rs");
/// ```
pub fn references(text: &str) -> Vec<Reference> {
    let text = &*without_notes(text);
    let marked = marked(text);
    let statement = Statement::of(text, &marked);
    let mut out: Vec<Reference> = Vec::new();
    let spans = marked.iter().enumerate();
    let mut found: Vec<(usize, Reference)> = spans.filter_map(|(n, span)| Some((n, of_code(text, *span)?))).collect();
    pair(&statement, text, &marked, &mut found);
    for (n, reference) in found {
        let is_bare =
            matches!(&reference.what, What::Symbol { parts } if parts.len() == 1) && !reference.text.ends_with(')');
        if (!is_bare || statement.has_kind_beside(n)) && !statement.is_excused(n) {
            out.push(reference);
        }
    }
    out.extend(in_prose(text, &marked).into_iter().filter(|found| !statement.is_excused_at(found.span)));
    out.sort_by_key(|one| one.span.start);
    out
}

/// A text with blanks for its footnote marks, which stand behind the last word of a claim as if they were a part of it.
fn without_notes(text: &str) -> Cow<'_, str> {
    let mut out = Cow::Borrowed(text);
    for (at, _) in text.match_indices("[^") {
        if let Some(len) = text[at..].find(']') {
            out.to_mut().replace_range(at..=at + len, &" ".repeat(len + 1));
        }
    }
    out
}

/// What stands between code marks, and the targets of links.
fn marked(text: &str) -> Vec<Span> {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(n) = memchr::memchr(b'`', &bytes[at..]) {
        let open = at + n;
        let width = bytes[open..].iter().take_while(|byte| **byte == b'`').count();
        let inside = open + width;
        let Some(len) = text[inside..].find(&"`".repeat(width)) else { break };
        out.push(Span::new(inside, inside + len));
        at = inside + len + width;
    }
    let mut at = 0;
    while let Some(n) = text[at..].find("](") {
        let start = at + n + 2;
        let len = text[start..].find([')', ' ']).unwrap_or(text.len() - start);
        let target = Span::new(start, start + len);
        let is_inside = out.iter().any(|code| code.start <= start && start < code.end);
        // `[x](target)`: only what is a path is told of.
        if !is_inside && has_known_ending(target.of(text).split('#').next().unwrap_or_default()) {
            out.push(target);
        }
        at = start + len;
    }
    out.sort_by_key(|span| span.start);
    // The target of a link may hold code marks: what begins first is taken.
    let mut end = 0;
    out.retain(|span| {
        let is_behind = span.start >= end;
        end = if is_behind { span.end } else { end };
        is_behind
    });
    out
}

fn of_code(text: &str, span: Span) -> Option<Reference> {
    let code = span.of(text).trim();
    // What is explained somewhere else is of there: [`Name`](https://…), [`Name`][docs].
    let behind = text[span.end..].trim_start_matches('`');
    if ["](http", "][", "]("].iter().any(|link| behind.starts_with(link)) && !has_known_ending(code) {
        return None;
    }
    if code.is_empty() || code.len() > CODE_BYTES_MAX || !code.is_ascii() {
        return None;
    }
    let found = |text: &str, what: What| Some(Reference { text: text.to_owned(), span, what });
    if let Some((shown, what)) = command::of(code) {
        return found(&shown, what);
    }
    if is_line_list(code) {
        return None;
    }
    if let Some((shown, what)) = as_path(code, true) {
        return found(&shown, what);
    }
    let parts = symbol(code)?;
    found(code, What::Symbol { parts })
}

/// The parts of a symbol: `Store::apply()`, `auth.ParseToken`, `Cart#add`, `App\Auth\Session`.
fn symbol(code: &str) -> Option<Vec<String>> {
    let name = code.split_once('(').map_or(code, |(name, rest)| if rest.ends_with(')') { name } else { "" });
    let name = name.trim_start_matches('\\');
    let separators = ["::", ".", "#", "\\"];
    let used: Vec<&str> = separators.into_iter().filter(|sign| name.contains(*sign)).collect();
    let parts: Vec<&str> = match used.as_slice() {
        [] => vec![name],
        [sign] => name.split(sign).collect(),
        // `Shop::Cart#add`, `Shop::Cart.load`.
        ["::", sign] => name.split(sign).flat_map(|part| part.split("::")).collect(),
        _ => return None,
    };
    let is_name = |part: &&str| {
        let part = part.trim_end_matches(['?', '!']);
        part.starts_with(|ch: char| ch.is_ascii_alphabetic() || ch == '_') && part.bytes().all(super::mask::is_word)
    };
    // A macro is as often of a library.
    if parts.len() == 1 && name.ends_with('!') {
        return None;
    }
    let is_all = parts.iter().all(|part| is_name(part) && !is_example(part)) && parts.len() <= 8;
    let last = parts.last()?.trim_end_matches(['?', '!']);
    // `FILE#L14` stands for a place in whatever file.
    let is_place =
        last.strip_prefix('L').is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()));
    if is_place {
        return None;
    }
    // One letter is a variable of an example, and so are words in capitals that stand for others.
    let is_said = last.len() >= 3 || parts.len() > 1;
    (is_all && is_said).then(|| parts.iter().map(|part| part.trim_end_matches(['?', '!']).to_owned()).collect())
}

/// Whether a name is one of those that only examples have: `is_foo`.
fn is_example(name: &str) -> bool {
    name.split('_').any(|part| matches!(part.to_ascii_lowercase().as_str(), "foo" | "bar" | "baz" | "qux" | "foobar"))
}

/// Joins a symbol with the file that the sentence says it is in: "`parse` in `src/a.rs`", "`parse` (`src/a.rs`)".
fn pair(statement: &Statement<'_>, text: &str, marked: &[Span], found: &mut [(usize, Reference)]) {
    let mut at = 0;
    while at + 1 < found.len() {
        let (n, one) = &found[at];
        let (next_n, next) = &found[at + 1];
        let file = match &next.what {
            What::Path { path, is_sure: true } if has_known_ending(path) && path.contains('/') => Some(path.clone()),
            _ => None,
        };
        let is_next = *next_n == n + 1 && statement.is_inside(&text[marked[*n].end..marked[*next_n].start]);
        if let (Some(path), What::Symbol { parts }, true) = (file, &one.what, is_next) {
            let names = parts.clone();
            found[at].1.what = What::InFile { path, names };
        }
        at += 1;
    }
}

/// Paths that stand in a sentence without code marks.
fn in_prose(text: &str, marked: &[Span]) -> Vec<Reference> {
    let mut out = Vec::new();
    let mut at = 0;
    for word in text.split_inclusive(char::is_whitespace) {
        let start = at;
        at += word.len();
        if !word.contains('/')
            || word.contains(['`', '(', ']', '|'])
            || marked.iter().any(|code| code.start < at && start < code.end)
        {
            continue;
        }
        let inside = word.trim_end().trim_end_matches(['.', ',', ';', ':', ')', '!', '?', '"', '\'', '*']);
        let inside = inside.trim_start_matches(['"', '\'', '*', '(']);
        let offset = word.find(inside).unwrap_or(0);
        let span = Span::new(start + offset, start + offset + inside.len());
        if let Some((shown, what)) = as_path(inside, false) {
            out.push(Reference { text: shown, span, what });
        }
    }
    out
}
