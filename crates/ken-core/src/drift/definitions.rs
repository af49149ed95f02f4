//! What a file of code defines, as its words and braces show it.
//!
//! Not a parser: the words behind which a language names something, and the few forms that name without such a word,
//! read once over code without comments and texts. Where a form is unclear the name counts as defined: what is told to
//! be gone must be.

mod forms;
mod keywords;
mod tokens;

use super::grammar::{Family, Form, grammar_of};
use super::mask::masked;
use tokens::{Token, tokens};

/// A name, as a number: what a project defines is kept by the hundred thousand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct NameId(pub u64);

impl NameId {
    /// What defines nothing itself but brings what another file defines.
    pub const BROUGHT: NameId = NameId(1);
    /// No name: what stands in no type.
    pub const NONE: NameId = NameId(0);

    /// Returns the number of a name.
    pub fn of(name: &str) -> NameId {
        NameId::of_bytes(name.as_bytes())
    }

    fn of_bytes(name: &[u8]) -> NameId {
        // FNV-1a: the same on every machine, and good enough for names.
        let fold = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        NameId(name.iter().fold(0xcbf2_9ce4_8422_2325, fold).max(2))
    }

    /// Returns the short number by which mentions are kept.
    pub fn short(self) -> u32 {
        (self.0 >> 32) as u32 ^ self.0 as u32
    }
}

/// Something that is defined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Definition {
    /// Its name.
    pub name: NameId,
    /// The type it belongs to, [`NameId::NONE`], or [`NameId::BROUGHT`].
    pub of: NameId,
}

/// What is known of a file of code.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CodeFacts {
    /// What it defines, sorted.
    pub definitions: Vec<Definition>,
    /// Every name that stands in its code, sorted.
    pub mentions: Vec<u32>,
}

/// Returns what a file of code defines and mentions; `None` where it is in no language that is known.
///
/// ```
/// # use ken_core::drift::{NameId, code_facts};
/// let facts = code_facts("src/a.rs", "// fn gone() {}\nfn there() {}\n").expect("a language");
/// let names: Vec<_> = facts.definitions.iter().map(|one| one.name).collect();
/// assert_eq!(names, [NameId::of("there")]);
/// ```
pub fn code_facts(path: &str, text: &str) -> Option<CodeFacts> {
    let grammar = grammar_of(path, text)?;
    let masked = masked(text, grammar);
    let mut reader = Reader {
        code: &masked,
        text: text.as_bytes(),
        tokens: tokens(&masked),
        grammar,
        is_entry: path.rsplit('/').next().is_some_and(|name| name.starts_with("__init__.")),
        scopes: Vec::new(),
        pending: None,
        is_enum_next: false,
        is_value: false,
        out: CodeFacts::default(),
    };
    reader.read();
    let mut facts = reader.out;
    facts.definitions.sort_unstable();
    facts.definitions.dedup();
    facts.mentions.sort_unstable();
    facts.mentions.dedup();
    Some(facts)
}

/// What a body belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    Type {
        name: NameId,
        is_enum: bool,
    },
    Function,
    /// A value between braces, whose members have names.
    Object,
    /// Anything else between braces.
    Plain,
    /// Parentheses or brackets.
    Group,
    /// Several definitions behind one word: `const ( … )`.
    Block {
        is_type: bool,
    },
}

#[derive(Debug, Clone, Copy)]
struct Scope {
    sort: Sort,
    /// The column that an indented body belongs to.
    column: usize,
}

struct Reader<'t> {
    code: &'t [u8],
    text: &'t [u8],
    tokens: Vec<Token>,
    grammar: &'static super::grammar::Grammar,
    /// Whether the file stands for its folder.
    is_entry: bool,
    scopes: Vec<Scope>,
    /// What the next brace opens, if it stands as deep as this.
    pending: Option<(Sort, usize)>,
    is_enum_next: bool,
    /// Whether a value is being given.
    is_value: bool,
    out: CodeFacts,
}

impl Reader<'_> {
    fn read(&mut self) {
        let is_indented = self.grammar.family == Family::Indented;
        let mut at = 0;
        while at < self.tokens.len() {
            let token = self.tokens[at];
            if token.is_first && is_indented && !self.is_in_group() {
                let column = token.column;
                self.scopes.retain(|scope| scope.column < column);
            }
            if token.is_first && self.has(Form::Objects) && !self.is_in_group() {
                self.is_value = false;
            }
            at = match self.byte(at) {
                b'#' if token.is_first && self.is_preprocessed() => self.directive(at),
                _ if token.is_word => {
                    self.out.mentions.push(NameId::of_bytes(self.word(at)).short());
                    self.named(at);
                    at + 1
                }
                b'"' => {
                    self.said(token.start);
                    at + 1
                }
                mark => {
                    self.mark(at, mark);
                    at + 1
                }
            };
        }
    }

    fn is_preprocessed(&self) -> bool {
        self.grammar.oddities.contains(&super::grammar::Oddity::Preprocessor)
    }

    /// Reads `#define NAME` and skips what it stands for; returns the token behind.
    fn directive(&mut self, at: usize) -> usize {
        if self.word(at + 1) == b"define" && self.is_word(at + 2) {
            self.define(at + 2, NameId::NONE);
        }
        let mut end = self.tokens[at].start;
        loop {
            let line_end = self.code[end..].iter().position(|byte| *byte == b'\n').map_or(self.code.len(), |n| end + n);
            let goes_on = self.code[..line_end].trim_ascii_end().last() == Some(&b'\\');
            end = (line_end + 1).min(self.code.len());
            if !goes_on || end >= self.code.len() {
                break;
            }
        }
        let mut next = at + 1;
        while self.tokens.get(next).is_some_and(|token| token.start < end) {
            if self.is_word(next) {
                self.out.mentions.push(NameId::of_bytes(self.word(next)).short());
            }
            next += 1;
        }
        next
    }

    /// A text that is nothing but a name mentions it: the key of a map, a variable of the environment.
    fn said(&mut self, start: usize) {
        let is_quote = |byte: &u8| matches!(byte, b'"' | b'\'' | b'`');
        let inside = self.text[start..].trim_ascii_start();
        let inside = &inside[inside.iter().take_while(|byte| is_quote(byte)).count()..];
        let len = inside.iter().take_while(|byte| super::mask::is_word(**byte)).count();
        if len > 0 && inside.get(len).is_some_and(is_quote) {
            self.out.mentions.push(NameId::of_bytes(&inside[..len]).short());
        }
    }

    fn mark(&mut self, at: usize, mark: u8) {
        match mark {
            b'{' => {
                let depth = self.scopes.len();
                let sort = match self.pending.take() {
                    Some((sort, pending)) if pending == depth => sort,
                    other => {
                        self.pending = other;
                        self.sort_of_brace(at)
                    }
                };
                self.scopes.push(Scope { sort, column: usize::MAX });
                self.is_value = false;
            }
            b'(' | b'[' => {
                let sort = match self.pending {
                    Some((sort @ Sort::Block { .. }, depth)) if depth == self.scopes.len() => {
                        self.pending = None;
                        sort
                    }
                    _ => Sort::Group,
                };
                self.scopes.push(Scope { sort, column: 0 });
            }
            b'}' => self.close(|sort| !matches!(sort, Sort::Group | Sort::Block { .. })),
            b')' | b']' => self.close(|sort| matches!(sort, Sort::Group | Sort::Block { .. })),
            b';' => {
                self.is_value = false;
                if self.pending.is_some_and(|(_, depth)| depth == self.scopes.len()) {
                    self.pending = None;
                }
            }
            b',' if !self.is_in_group() => self.is_value = false,
            b'=' if !self.is_in_group() => {
                let is_other = |at: usize| self.byte(at) == b'=' && self.is_joined(at.min(at + 1), at);
                self.is_value |= !(self.joined(at) == b'=' || self.joined(at) == b'>' || is_other(at + 1));
            }
            _ => {}
        }
    }

    /// Closes the nearest body of a kind; what was opened inside and forgotten goes with it.
    fn close(&mut self, is_it: impl Fn(Sort) -> bool) {
        if self.grammar.family == Family::Indented {
            // Braces are only values there.
            if let Some(open) = self.scopes.iter().rposition(|scope| matches!(scope.column, 0 | usize::MAX)) {
                self.scopes.truncate(open);
            }
        } else if let Some(open) = self.scopes.iter().rposition(|scope| is_it(scope.sort)) {
            self.scopes.truncate(open);
        }
        self.is_value = false;
    }

    fn sort_of_brace(&self, at: usize) -> Sort {
        let before = at.checked_sub(1).map_or(b'\n', |before| self.byte(before));
        let is_arrow = before == b'>' && at > 1 && self.byte(at - 2) == b'=';
        match before {
            _ if is_arrow => Sort::Function,
            b')' if !matches!(self.scopes.last(), Some(Scope { sort: Sort::Object, .. })) => Sort::Function,
            b'=' | b'(' | b',' | b':' | b'[' | b'?' if self.has(Form::Objects) => Sort::Object,
            b'=' => Sort::Function,
            _ if at > 0 && self.word(at - 1) == b"return" => Sort::Object,
            _ => Sort::Plain,
        }
    }

    fn has(&self, form: Form) -> bool {
        self.grammar.forms.contains(&form)
    }

    fn byte(&self, at: usize) -> u8 {
        self.tokens.get(at).map_or(b'\n', |token| if token.is_word { b'a' } else { self.code[token.start] })
    }

    fn is_word(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is_word)
    }

    /// The word at a place; nothing where a mark stands.
    fn word(&self, at: usize) -> &[u8] {
        self.tokens.get(at).filter(|token| token.is_word).map_or(&[], |token| &self.code[token.start..token.end])
    }

    /// The mark that follows another without a blank.
    fn joined(&self, at: usize) -> u8 {
        if self.is_joined(at, at + 1) { self.byte(at + 1) } else { b' ' }
    }

    fn is_joined(&self, at: usize, next: usize) -> bool {
        self.tokens.get(at).zip(self.tokens.get(next)).is_some_and(|(one, next)| one.end == next.start)
    }

    fn is_in_group(&self) -> bool {
        self.scopes.last().is_some_and(|scope| scope.sort == Sort::Group)
    }

    fn is_in_function(&self) -> bool {
        self.scopes.iter().any(|scope| scope.sort == Sort::Function)
    }

    /// The body around, where plain braces are seen through.
    fn around(&self) -> Option<Sort> {
        self.scopes.iter().rev().map(|scope| scope.sort).find(|sort| *sort != Sort::Plain)
    }

    /// The type around.
    fn of(&self) -> NameId {
        let of = |scope: &Scope| if let Sort::Type { name, .. } = scope.sort { Some(name) } else { None };
        self.scopes.iter().rev().find_map(of).unwrap_or(NameId::NONE)
    }

    fn define(&mut self, at: usize, of: NameId) {
        let name = NameId::of_bytes(self.word(at));
        self.out.definitions.push(Definition { name, of });
    }

    /// Opens a body: now, where indentation shows it, else with the next brace.
    fn opens(&mut self, at: usize, sort: Sort) {
        match self.grammar.family {
            Family::Braces => self.pending = Some((sort, self.scopes.len())),
            Family::Indented => {
                let first = (0..=at).rev().find(|at| self.tokens[*at].is_first).unwrap_or(0);
                let column = self.tokens[first].column;
                // Column 0 marks groups.
                self.scopes.push(Scope { sort, column });
            }
        }
    }

    /// The place behind what stands between two marks, from the first; the place itself where it is not closed soon.
    fn behind(&self, at: usize, open: u8, close: u8) -> usize {
        /// Longest list of parameters, in words and marks.
        const TOKENS_MAX: usize = 4_000;
        let mut depth = 0_usize;
        for next in at..self.tokens.len().min(at + TOKENS_MAX) {
            let byte = self.byte(next);
            if byte == open {
                depth += 1;
            } else if byte == close {
                // `->` closes nothing.
                let is_arrow = close == b'>' && matches!(self.byte(next - 1), b'-' | b'=');
                depth -= usize::from(!is_arrow);
                if depth == 0 {
                    return next + 1;
                }
            } else if open == b'<' && matches!(byte, b';' | b'{') {
                break;
            }
        }
        at
    }
}
