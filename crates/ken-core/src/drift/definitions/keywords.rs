//! What is named behind a word: `fn name`, `class Name`, `func (of *Type) name`.

use super::super::grammar::{Family, Form};
use super::{NameId, Reader, Sort};

/// Which list of its language a word is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Names {
    Type,
    Function,
    Value,
}

impl Reader<'_> {
    /// Reads a word: what it defines itself, or the next.
    pub(super) fn named(&mut self, at: usize) {
        let is_member = at > 0 && matches!(self.byte(at - 1), b'.' | b'$')
            || (at > 1 && self.byte(at - 1) == b'>' && self.byte(at - 2) == b'-');
        match self.names(at).filter(|_| !is_member) {
            Some(names) if self.is_behind_itself(at) => self.keyword(at, names),
            _ => self.form(at),
        }
    }

    fn names(&self, at: usize) -> Option<Names> {
        let word = self.word(at);
        let has = |list: &str| list.split(' ').any(|one| one.as_bytes() == word && !one.is_empty());
        let grammar = self.grammar;
        match () {
            () if has(grammar.types) => Some(Names::Type),
            () if has(grammar.functions) => Some(Names::Function),
            () if has(grammar.values) => Some(Names::Value),
            () => None,
        }
    }

    /// Whether what follows may be named by the word: a word is a name itself in `type: string` and `{ type }`.
    fn is_behind_itself(&self, at: usize) -> bool {
        !matches!(self.byte(at + 1), b':' | b',' | b')' | b'.' | b';' | b'=') && self.word(at) != b"define"
    }

    fn keyword(&mut self, at: usize, names: Names) {
        let next = self.word(at + 1);
        if !next.is_empty() && self.names(at + 1).is_some() && next != b"define" {
            // `enum class Name`, `const fn name`: the second word names.
            self.is_enum_next = self.word(at) == b"enum";
            return;
        }
        match self.word(at) {
            b"impl" => return self.implementation(at),
            b"namespace" if !self.has(Form::Objects) => return self.pend(Sort::Plain),
            b"func" | b"type" | b"const" | b"var" if self.has(Form::Leading) && self.byte(at + 1) == b'(' => {
                return self.go_group(at, names);
            }
            b"const" | b"let" | b"var" | b"val" if matches!(self.byte(at + 1), b'{' | b'[' | b'(') => {
                return self.taken_apart(at + 1);
            }
            _ => {}
        }
        let mut place = at + 1;
        while matches!(self.byte(place), b'*' | b'!' | b'&') || matches!(self.word(place), b"mut" | b"ref") {
            place += 1;
        }
        if self.byte(place) == b'<' {
            place = self.behind(place, b'<', b'>');
        }
        if !self.is_word(place) {
            // A function without a name, or `class << self`.
            if names == Names::Function {
                self.pend(Sort::Function);
            }
            return;
        }
        self.name_behind(at, place, names);
    }

    /// Defines the name that stands at a place, behind the word that says what it is.
    fn name_behind(&mut self, at: usize, place: usize, names: Names) {
        let (place, of) = self.chain(place);
        match names {
            Names::Type => {
                let is_enum = self.word(at) == b"enum" || std::mem::take(&mut self.is_enum_next);
                let name = NameId::of_bytes(self.word(place));
                if self.word(at) != b"extension" {
                    self.define(place, self.of());
                }
                let is_pointer = matches!(self.byte(place + 1), b'*' | b'&' | b')' | b',' | b'=' | b'>')
                    || (self.is_word(place + 1) && self.is_preprocessed() && !matches!(self.word(place + 1), b"final"));
                let is_alias = self.byte(place + 1) == b'=' && self.has(Form::Objects);
                if (!is_pointer || is_alias) && !self.is_in_group() {
                    self.opens(at, Sort::Type { name, is_enum });
                }
                if self.has(Form::Leading)
                    && !matches!(self.word(place + 1), b"struct" | b"interface")
                    && self.byte(place + 1) != b'['
                {
                    self.pending = None;
                }
            }
            Names::Function => {
                let of = of.unwrap_or_else(|| self.of());
                self.define(place, of);
                self.opens(at, Sort::Function);
            }
            Names::Value => self.values(at, place),
        }
    }

    /// Values are not counted inside of functions, where they are nobody else's.
    fn values(&mut self, at: usize, mut place: usize) {
        let is_case = self.word(at) == b"case";
        let is_in_type = matches!(self.around(), Some(Sort::Type { .. }));
        if self.is_in_function() || (is_case && !is_in_type) {
            return;
        }
        loop {
            // `const int MAX = 3`: the last word before the value is the name.
            while self.is_word(place + 1) && !self.has(Form::Leading) && !self.tokens[place + 1].is_first {
                place += 1;
            }
            self.define(place, self.of());
            let next =
                if self.byte(place + 1) == b'(' && is_case { self.behind(place + 1, b'(', b')') } else { place + 1 };
            if self.byte(next) != b',' || !self.is_word(next + 1) || self.is_in_group() {
                return;
            }
            place = next + 1;
        }
    }

    /// The last name of `A::b` or `a.b`, with the one before it.
    fn chain(&self, mut place: usize) -> (usize, Option<NameId>) {
        let mut of = None;
        loop {
            let n = match self.byte(place + 1) {
                b'.' | b'\\' => 2,
                b':' if self.joined(place + 1) == b':' => 3,
                b'<' if self.family_is(Family::Braces) && !self.has(Form::Annotated) => {
                    let behind = self.behind(place + 1, b'<', b'>');
                    if self.byte(behind) != b'.' || behind == place + 1 {
                        return (place, of);
                    }
                    behind + 1 - place
                }
                _ => return (place, of),
            };
            if !self.is_word(place + n) {
                return (place, of);
            }
            let word = self.word(place);
            of = Some(if word == b"self" { self.of() } else { NameId::of_bytes(word) });
            place += n;
        }
    }

    fn family_is(&self, family: Family) -> bool {
        self.grammar.family == family
    }

    fn pend(&mut self, sort: Sort) {
        if self.family_is(Family::Braces) {
            self.pending = Some((sort, self.scopes.len()));
        }
    }

    /// `impl<T> Trait for Type {`: what follows belongs to the type.
    fn implementation(&mut self, at: usize) {
        let before = at.checked_sub(1).map_or(b'\n', |before| self.byte(before));
        let is_begin =
            matches!(before, b'\n' | b'}' | b';' | b'{' | b']') || (at > 0 && self.word(at - 1) == b"unsafe");
        if !is_begin {
            return;
        }
        let mut place = at + 1;
        if self.byte(place) == b'<' {
            place = self.behind(place, b'<', b'>');
        }
        let mut name = NameId::NONE;
        while place < self.tokens.len() && !matches!(self.byte(place), b'{' | b';') && self.word(place) != b"where" {
            match self.byte(place) {
                b'<' => {
                    let behind = self.behind(place, b'<', b'>');
                    place = behind.max(place + 1);
                    continue;
                }
                b'a' if self.word(place) == b"for" => name = NameId::NONE,
                b'a' if !matches!(self.word(place), b"dyn" | b"mut" | b"const") => {
                    name = NameId::of_bytes(self.word(place))
                }
                _ => {}
            }
            place += 1;
        }
        self.pend(Sort::Type { name, is_enum: false });
    }

    /// `func (t *Token) Valid()`, and `const (`.
    fn go_group(&mut self, at: usize, names: Names) {
        if names != Names::Function {
            self.pending = Some((Sort::Block { is_type: names == Names::Type }, self.scopes.len()));
            return;
        }
        let behind = self.behind(at + 1, b'(', b')');
        let words: Vec<usize> = (at + 2..behind).filter(|at| self.is_word(*at)).collect();
        let of = words.get(1).or(words.first()).map_or(NameId::NONE, |at| NameId::of_bytes(self.word(*at)));
        if self.is_word(behind) {
            self.define(behind, of);
        }
        self.pend(Sort::Function);
    }

    /// `const { a, b: c } = …`: the names that it gives.
    fn taken_apart(&mut self, at: usize) {
        let (open, close) = match self.byte(at) {
            b'{' => (b'{', b'}'),
            b'[' => (b'[', b']'),
            _ => (b'(', b')'),
        };
        if self.is_in_function() {
            return;
        }
        for place in at + 1..self.behind(at, open, close) {
            if self.is_word(place) && matches!(self.byte(place + 1), b',' | b'}' | b']' | b')' | b'=') {
                self.define(place, NameId::NONE);
            }
        }
    }
}
