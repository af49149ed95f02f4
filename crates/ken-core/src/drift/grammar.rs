//! The programming languages: one entry each, with what hides code and what defines names.
//!
//! A language is told by the ending of a file, or by the first line of a script. What no entry says follows from the
//! family: how bodies are shown, and by which forms besides words something is defined.

/// How text stands between quotes.
#[derive(Debug)]
pub(super) struct Quote {
    pub(super) open: &'static str,
    pub(super) close: &'static str,
    /// Whether a backslash takes the next character out of the text.
    pub(super) escapes: bool,
    /// Whether it may go on over lines; else a line end closes it, whatever was forgotten.
    pub(super) lines: bool,
}

const fn quote(open: &'static str, close: &'static str, escapes: bool, lines: bool) -> Quote {
    Quote { open, close, escapes, lines }
}

/// Forms of text that no quote describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Oddity {
    /// `r#"…"#`, and `'` that is a lifetime as often as a character.
    RustRaw,
    /// `R"x(…)x"`.
    CppRaw,
    /// `#if 0`, and bodies of macros.
    Preprocessor,
    /// `/…/` where a value may stand.
    Regex,
    /// `<<END`.
    Heredoc,
    /// What stands outside of `<?php … ?>`.
    Html,
    /// A comment begins only where a word does: `${#list}` holds none.
    HashOfShell,
}

/// How the body of a definition is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Family {
    /// By braces.
    Braces,
    /// By how far lines are indented.
    Indented,
}

/// What defines names besides words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// `name(…) {` outside of functions.
    Callable,
    /// `type name(…)` and `type name =` outside of functions.
    Typed,
    /// `name: type` in the body of a type.
    Annotated,
    /// The first name of a line in the body of a type.
    Leading,
    /// `name = …` at the beginning of a line.
    Assigned,
    /// `name: function`, `name() {` between the braces of a value, and `a.b = …`.
    Objects,
    /// Names between commas in the body of an enumeration.
    Variants,
    /// `attr_reader :name`.
    Symbols,
    /// What an import brings is there under the file's own name.
    Imports,
}

/// One language.
#[derive(Debug)]
pub(super) struct Grammar {
    /// Endings of its files, between spaces.
    pub(super) endings: &'static str,
    /// Names of programs that a first line `#!` calls, between spaces.
    pub(super) programs: &'static str,
    pub(super) line_comments: &'static [&'static str],
    pub(super) block_comments: &'static [(&'static str, &'static str)],
    /// Whether comments stand in comments.
    pub(super) nested: bool,
    /// Quotes, longer ones first.
    pub(super) quotes: &'static [Quote],
    pub(super) oddities: &'static [Oddity],
    pub(super) family: Family,
    /// Words behind which a type or something else with members is named.
    pub(super) types: &'static str,
    /// Words behind which a function is named.
    pub(super) functions: &'static str,
    /// Words behind which a value is named: not counted inside of functions.
    pub(super) values: &'static str,
    pub(super) forms: &'static [Form],
}

const C_COMMENTS: &[(&str, &str)] = &[("/*", "*/")];
const PLAIN: Quote = quote("\"", "\"", true, false);
const SINGLE: Quote = quote("'", "'", true, false);
const TRIPLE: Quote = quote("\"\"\"", "\"\"\"", false, true);

/// Every language.
pub(super) const GRAMMARS: &[Grammar] = &[
    Grammar {
        endings: "rs",
        programs: "",
        line_comments: &["//"],
        block_comments: C_COMMENTS,
        nested: true,
        quotes: &[quote("\"", "\"", true, true)],
        oddities: &[Oddity::RustRaw],
        family: Family::Braces,
        types: "struct enum union trait impl mod",
        functions: "fn macro_rules",
        values: "const static type",
        forms: &[Form::Annotated, Form::Variants, Form::Imports],
    },
    Grammar {
        endings: "py pyi",
        programs: "python python3",
        line_comments: &["#"],
        block_comments: &[],
        nested: false,
        quotes: &[quote("\"\"\"", "\"\"\"", true, true), quote("'''", "'''", true, true), PLAIN, SINGLE],
        oddities: &[],
        family: Family::Indented,
        types: "class",
        functions: "def",
        values: "",
        forms: &[Form::Assigned, Form::Imports],
    },
    Grammar {
        endings: "ts tsx mts cts js jsx mjs cjs vue svelte",
        programs: "node deno bun",
        line_comments: &["//"],
        block_comments: C_COMMENTS,
        nested: false,
        quotes: &[PLAIN, SINGLE, quote("`", "`", true, true)],
        oddities: &[Oddity::Regex],
        family: Family::Braces,
        types: "class interface enum namespace type",
        functions: "function",
        values: "const let var",
        forms: &[Form::Callable, Form::Annotated, Form::Assigned, Form::Objects, Form::Variants, Form::Imports],
    },
    Grammar {
        endings: "go",
        programs: "",
        line_comments: &["//"],
        block_comments: C_COMMENTS,
        nested: false,
        quotes: &[PLAIN, SINGLE, quote("`", "`", false, true)],
        oddities: &[],
        family: Family::Braces,
        types: "type",
        functions: "func",
        values: "const var",
        forms: &[Form::Leading],
    },
    Grammar {
        endings: "java",
        programs: "",
        line_comments: &["//"],
        block_comments: C_COMMENTS,
        nested: false,
        quotes: &[quote("\"\"\"", "\"\"\"", true, true), PLAIN, SINGLE],
        oddities: &[],
        family: Family::Braces,
        types: "class interface enum record",
        functions: "",
        values: "",
        forms: &[Form::Callable, Form::Typed, Form::Variants],
    },
    Grammar {
        endings: "c h cc cpp cxx hh hpp hxx ino m mm",
        programs: "",
        line_comments: &["//"],
        block_comments: C_COMMENTS,
        nested: false,
        quotes: &[PLAIN, SINGLE],
        oddities: &[Oddity::CppRaw, Oddity::Preprocessor],
        family: Family::Braces,
        types: "class struct union enum namespace concept",
        functions: "define",
        values: "using",
        forms: &[Form::Callable, Form::Typed, Form::Variants],
    },
    Grammar {
        endings: "cs",
        programs: "",
        line_comments: &["//"],
        block_comments: C_COMMENTS,
        nested: false,
        quotes: &[
            TRIPLE,
            quote("$@\"", "\"", false, true),
            quote("@$\"", "\"", false, true),
            quote("@\"", "\"", false, true),
            PLAIN,
            SINGLE,
        ],
        oddities: &[],
        family: Family::Braces,
        types: "class struct interface enum record namespace",
        functions: "",
        values: "",
        forms: &[Form::Callable, Form::Typed, Form::Variants],
    },
    Grammar {
        endings: "rb rake gemspec",
        programs: "ruby",
        line_comments: &["#"],
        block_comments: &[("\n=begin", "\n=end")],
        nested: false,
        quotes: &[quote("\"", "\"", true, true), quote("'", "'", true, true), quote("`", "`", true, true)],
        oddities: &[Oddity::Heredoc],
        family: Family::Indented,
        types: "class module",
        functions: "def alias",
        values: "",
        forms: &[Form::Assigned, Form::Symbols],
    },
    Grammar {
        endings: "php",
        programs: "php",
        line_comments: &["//", "#"],
        block_comments: C_COMMENTS,
        nested: false,
        quotes: &[quote("\"", "\"", true, true), quote("'", "'", true, true), quote("`", "`", true, true)],
        oddities: &[Oddity::Html, Oddity::Heredoc],
        family: Family::Braces,
        types: "class interface trait enum",
        functions: "function",
        values: "const case",
        forms: &[Form::Typed],
    },
    Grammar {
        endings: "sh bash zsh ksh bats",
        programs: "sh bash zsh ksh dash",
        line_comments: &["#"],
        block_comments: &[],
        nested: false,
        quotes: &[quote("\"", "\"", true, true), quote("'", "'", false, true)],
        oddities: &[Oddity::Heredoc, Oddity::HashOfShell],
        family: Family::Braces,
        types: "",
        functions: "function",
        values: "alias",
        forms: &[Form::Callable, Form::Assigned],
    },
    Grammar {
        endings: "kt kts",
        programs: "",
        line_comments: &["//"],
        block_comments: C_COMMENTS,
        nested: true,
        quotes: &[TRIPLE, PLAIN, SINGLE],
        oddities: &[],
        family: Family::Braces,
        types: "class interface object",
        functions: "fun",
        values: "val var typealias",
        forms: &[Form::Variants],
    },
    Grammar {
        endings: "swift",
        programs: "",
        line_comments: &["//"],
        block_comments: C_COMMENTS,
        nested: true,
        quotes: &[quote("\"\"\"", "\"\"\"", true, true), PLAIN],
        oddities: &[],
        family: Family::Braces,
        types: "class struct enum protocol extension actor",
        functions: "func",
        values: "let var case typealias",
        forms: &[],
    },
];

/// Returns the language of a file, by its name, or by the first line of its text.
pub(super) fn grammar_of(path: &str, text: &str) -> Option<&'static Grammar> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let has = |list: &str, word: &str| list.split(' ').any(|one| one == word && !one.is_empty());
    if let Some((_, ending)) = name.rsplit_once('.') {
        return GRAMMARS.iter().find(|grammar| has(grammar.endings, ending));
    }
    let first = text.lines().next()?.strip_prefix("#!")?;
    let mut program = first.split_whitespace().map(|word| word.rsplit('/').next().unwrap_or(word));
    let program = program.find(|word| *word != "env" && !word.starts_with('-'))?;
    GRAMMARS.iter().find(|grammar| has(grammar.programs, program))
}
