//! What names something without a word that says so: methods, fields, variants, assignments.

use super::super::grammar::{Family, Form};
use super::{NameId, Reader, Sort};

/// Words before `(` that call nothing and define nothing.
const CONTROL: &str = " if for while switch catch return function sizeof typeof alignof decltype await new throw delete else do \
    match when foreach using lock fixed defined assert super this and or not until unless elif in case with yield \
    static_assert instanceof __attribute__ __declspec alignas noexcept operator nameof checked unchecked ";
/// Words before a name that say no type.
const UNTYPED: &str = " return import package using goto throw else extends implements new delete case as is in out await export from \
    namespace require include include_once require_once use yield global typename throws echo print instanceof break continue \
    default permits ";
/// Words behind the parameters of a function.
const BEHIND: &str = " throws const noexcept override final where volatile requires try default __attribute__ ";
/// Words of Ruby behind which symbols are named.
const SYMBOLS: &str = " attr_reader attr_accessor attr_writer attr scope define_method alias_method has_many has_one \
    belongs_to delegate class_attribute cattr_accessor mattr_accessor property field let subject task helper_method \
    module_function enum has_and_belongs_to_many has_one_attached ";

fn is_in(list: &str, word: &[u8]) -> bool {
    std::str::from_utf8(word).is_ok_and(|word| list.contains(&format!(" {word} ")))
}

impl Reader<'_> {
    /// Reads a word that is no keyword.
    pub(super) fn form(&mut self, at: usize) {
        let top = self.scopes.last().map(|scope| scope.sort);
        if self.has(Form::Imports) && self.brought(at) {
            return;
        }
        match top {
            Some(Sort::Block { is_type }) => return self.line_of_block(at, is_type),
            Some(Sort::Group) => return self.function_pointer(at),
            Some(Sort::Type { is_enum: true, .. }) if self.variant(at) => return,
            Some(Sort::Object) if self.has(Form::Objects) => return self.member_of_object(at),
            _ => {}
        }
        let is_in_type = matches!(self.around(), Some(Sort::Type { .. }));
        if self.has(Form::Symbols) && is_in(SYMBOLS, self.word(at)) {
            self.symbols(at);
        }
        if self.has(Form::Leading) && is_in_type && !self.is_in_function() {
            self.leading(at);
        }
        if self.has(Form::Annotated) && is_in_type && !self.is_in_function() {
            let n = 1 + usize::from(matches!(self.byte(at + 1), b'?' | b'!'));
            if self.byte(at + n) == b':' && self.joined(at + n) != b':' && self.byte(at.wrapping_sub(1)) != b':' {
                self.define(at, self.of());
            }
        }
        if self.has(Form::Assigned) {
            self.assigned(at, is_in_type);
        }
        let is_outside = !self.is_in_function() && !self.is_value;
        if self.has(Form::Callable) && (is_outside || self.is_shell()) && self.callable(at, is_in_type) {
            return;
        }
        if self.has(Form::Typed) && is_outside {
            self.typed(at, is_in_type);
        }
    }

    fn is_shell(&self) -> bool {
        self.grammar.oddities.contains(&super::super::grammar::Oddity::HashOfShell)
    }

    fn before(&self, at: usize) -> u8 {
        at.checked_sub(1).map_or(b'\n', |before| self.byte(before))
    }

    fn variant(&mut self, at: usize) -> bool {
        let is_it = self.has(Form::Variants) && matches!(self.before(at), b'{' | b',' | b']');
        if is_it {
            self.define(at, self.of());
        }
        is_it
    }

    /// `name` at the beginning of a line between the parentheses of `const (`.
    fn line_of_block(&mut self, at: usize, is_type: bool) {
        if !self.tokens[at].is_first && self.before(at) != b'(' {
            return;
        }
        self.define(at, NameId::NONE);
        if is_type {
            let name = NameId::of_bytes(self.word(at));
            self.pending = Some((Sort::Type { name, is_enum: false }, self.scopes.len()));
        }
    }

    /// `int (*name)(…)`.
    fn function_pointer(&mut self, at: usize) {
        let is_it = self.has(Form::Typed)
            && self.before(at) == b'*'
            && at > 2
            && self.byte(at - 2) == b'('
            && self.is_word(at - 3)
            && self.byte(at + 1) == b')'
            && self.byte(at + 2) == b'(';
        if is_it && !self.is_in_function() {
            self.define(at, self.of());
        }
    }

    fn member_of_object(&mut self, at: usize) {
        let is_named = matches!(self.before(at), b'{' | b',' | b'*')
            || matches!(self.word(at.wrapping_sub(1)), b"async" | b"get" | b"set");
        if !is_named {
            return;
        }
        if self.byte(at + 1) == b'(' && self.byte(self.behind(at + 1, b'(', b')')) == b'{' {
            self.define(at, self.of());
            self.pending = Some((Sort::Function, self.scopes.len()));
        } else if self.byte(at + 1) == b':' {
            self.define(at, self.of());
        }
    }

    fn symbols(&mut self, at: usize) {
        let mut place = at + 1;
        if self.byte(place) == b'(' {
            place += 1;
        }
        while self.byte(place) == b':' && self.is_word(place + 1) {
            self.define(place + 1, self.of());
            if self.byte(place + 2) != b',' {
                return;
            }
            place += 3;
        }
    }

    /// Members of Go: the first name of a line.
    fn leading(&mut self, at: usize) {
        let is_line = self.tokens[at].is_first || matches!(self.before(at), b'{' | b';');
        if is_line && matches!(self.scopes.last().map(|scope| scope.sort), Some(Sort::Type { .. })) {
            let mut place = at;
            self.define(place, self.of());
            while self.byte(place + 1) == b',' && self.is_word(place + 2) {
                place += 2;
                self.define(place, self.of());
            }
        }
    }

    fn assigned(&mut self, at: usize, is_in_type: bool) {
        let is_begin = self.tokens[at].is_first || matches!(self.before(at), b';' | b'{' | b'}');
        let gives = |at: usize| self.byte(at) == b'=' && !matches!(self.joined(at), b'=' | b'>' | b'~');
        if self.is_shell() {
            let is_told = matches!(self.word(at.wrapping_sub(1)), b"export" | b"readonly" | b"declare" | b"local");
            if (is_begin || is_told) && self.joined(at) == b'=' {
                self.define(at, NameId::NONE);
            }
            return;
        }
        if self.grammar.family == Family::Indented {
            let is_annotated =
                !self.has(Form::Symbols) && self.byte(at + 1) == b':' && !is_in(" else try finally ", self.word(at));
            if is_begin && (gives(at + 1) || is_annotated) && !self.is_in_function() {
                self.define(at, self.of());
            }
        } else if is_in_type && !self.is_in_function() && gives(at + 1) && self.before(at) != b'.' {
            self.define(at, self.of());
        }
        if is_begin && self.byte(at + 1) == b'.' {
            self.chain_assigned(at);
        }
    }

    /// `exports.name = …`, `Type.prototype.name = …`, `this.name = …`.
    fn chain_assigned(&mut self, at: usize) {
        let mut parts = vec![at];
        let mut place = at;
        while self.byte(place + 1) == b'.' && self.is_word(place + 2) {
            place += 2;
            parts.push(place);
        }
        if self.byte(place + 1) != b'=' || matches!(self.joined(place + 1), b'=' | b'>') {
            return;
        }
        let named = |at: &usize| !is_in(" exports module this self prototype window global ", self.word(*at));
        let of = parts[..parts.len() - 1].iter().rev().copied().find(named);
        let of = of.map_or_else(|| self.of(), |at| NameId::of_bytes(self.word(at)));
        self.define(place, of);
    }

    /// `name(…) {`; returns whether it was one.
    fn callable(&mut self, at: usize, is_in_type: bool) -> bool {
        let mut open = at + 1;
        if self.has(Form::Objects) && self.byte(open) == b'<' {
            open = self.behind(open, b'<', b'>');
        }
        let before = self.before(at);
        if self.byte(open) != b'(' || is_in(CONTROL, self.word(at)) || matches!(before, b'.' | b'@' | b'=') {
            return false;
        }
        let word_before = self.word(at.wrapping_sub(1)).to_vec();
        if is_in(UNTYPED, &word_before) && word_before != b"default" && word_before != b"export" {
            return false;
        }
        let behind = self.behind(open, b'(', b')');
        if behind == open {
            return false;
        }
        let is_qualified = before == b':' && at > 2 && self.byte(at - 2) == b':' && self.is_word(at - 3);
        let is_typed = is_qualified || !word_before.is_empty() || matches!(before, b'*' | b'&' | b'>' | b']' | b'?');
        let next = self.byte(behind);
        let is_body = match next {
            b'{' => !self.has(Form::Objects) || is_in_type,
            b'(' => self.is_shell() && behind == open + 2,
            b';' => (is_typed && !self.is_shell()) || (self.has(Form::Objects) && is_in_type),
            b'=' | b'-' => is_typed && (is_in_type || self.joined(behind) == b'>' || !self.has(Form::Objects)),
            b':' => is_in_type || (self.is_preprocessed() && before == b':'),
            b'a' => is_typed && is_in(BEHIND, self.word(behind)),
            b'}' => self.has(Form::Objects) && is_in_type,
            _ => false,
        };
        // Types of methods without a body, one a line.
        let is_line =
            self.has(Form::Objects) && is_in_type && self.tokens.get(behind).is_some_and(|token| token.is_first);
        if !is_body && !is_line {
            return false;
        }
        let of = if is_qualified { NameId::of_bytes(self.word(at - 3)) } else { self.of() };
        self.define(at, of);
        if next != b';' {
            self.pending = Some((Sort::Function, self.scopes.len()));
        }
        true
    }

    /// `type name =`, `type name;`, `type name {`.
    fn typed(&mut self, at: usize, is_in_type: bool) {
        let before = self.before(at);
        let is_php = self.grammar.oddities.contains(&super::super::grammar::Oddity::Html);
        if is_php {
            self.of_php(at, before, is_in_type);
            return;
        }
        let word_before = self.word(at.wrapping_sub(1));
        let is_typed = match before {
            b'a' => !is_in(UNTYPED, word_before),
            b'*' | b'&' | b'>' | b']' | b'?' => true,
            // `int a, b;`
            b',' => true,
            _ => false,
        };
        let next = self.byte(at + 1);
        let gives = match next {
            b';' | b'[' => true,
            b'=' => self.joined(at + 1) != b'=',
            b',' => before != b',',
            b'{' => !self.is_preprocessed() && is_in_type,
            _ => false,
        };
        if is_typed && gives {
            self.define(at, self.of());
            if next == b'{' {
                self.pending = Some((Sort::Function, self.scopes.len()));
            }
        }
    }

    fn of_php(&mut self, at: usize, before: u8, is_in_type: bool) {
        if before == b'$' && is_in_type && matches!(self.byte(at + 1), b'=' | b';') {
            self.define(at, self.of());
        }
        // `define('NAME', …)`: the name is a text.
        if self.word(at) == b"define" && self.byte(at + 1) == b'(' && self.byte(at + 2) == b'"' {
            let start = self.tokens[at + 2].start + 1;
            let name: Vec<u8> =
                self.text[start..].iter().copied().take_while(|byte| super::super::mask::is_word(*byte)).collect();
            self.out.definitions.push(super::Definition { name: NameId::of_bytes(&name), of: NameId::NONE });
        }
    }

    /// `pub use a::{b, c}`, `export { a as b }`, `from .a import b` of a file that stands for its folder: names that are
    /// there under this file's name, and defined elsewhere. Returns whether there was such a form.
    fn brought(&mut self, at: usize) -> bool {
        let word = self.word(at);
        let is_rust_use = word == b"use" && (self.word(at.wrapping_sub(1)) == b"pub" || self.before(at) == b')');
        let is_export = word == b"export" && matches!(self.byte(at + 1), b'{' | b'*');
        let is_import = self.is_entry && word == b"import" && self.grammar.family == Family::Indented;
        if !is_rust_use && !is_export && !is_import {
            return false;
        }
        let mut place = at + 1;
        let mut depth = 0_usize;
        while place < self.tokens.len() {
            let token = self.tokens[place];
            match self.byte(place) {
                b';' => break,
                b'{' | b'(' => depth += 1,
                b'}' | b')' => depth = depth.saturating_sub(1),
                _ if depth == 0 && token.is_first => break,
                b'a' => {
                    let next = self.tokens.get(place + 1);
                    let ends = next.is_none_or(|next| next.is_first)
                        || matches!(self.byte(place + 1), b',' | b'}' | b')' | b';');
                    if ends || self.word(place + 1) == b"from" {
                        self.define(place, NameId::BROUGHT);
                    }
                }
                _ => {}
            }
            place += 1;
        }
        true
    }
}
