//! Paths: what is one, with the line or the name behind it.

use super::What;

/// Endings of files that people name: code, documents, settings.
const ENDINGS: &str = " rs py pyi ts tsx mts cts js jsx mjs cjs vue svelte go java c h cc cpp cxx hh hpp hxx m mm cs rb rake gemspec \
    php sh bash zsh bats kt kts swift scala ex exs erl hs ml clj lua pl r jl dart zig nim sql proto graphql css scss \
    less html htm md mdx rst txt adoc toml yaml yml json jsonc json5 jsonl ini cfg conf xml csv tsv lock tf hcl nix \
    gradle cmake mk bzl Dockerfile dockerfile svg png jpg jpeg gif ipynb ps1 bat service plist properties ";
/// Folders of what is made or fetched: nobody says that something there is gone.
const MADE: &str = " target dist build out node_modules vendor coverage __pycache__ .venv venv .git .next .cache tmp ";
/// Parts of paths that stand for others, or are only of examples.
const EXAMPLES: &str = " path foo bar baz qux example examples.com your my some name names file filename folder xxx yyy \
    NAME FILE PAGE SLUG ID TITLE NNNN DIR PATH FOO KIND HASH DATE VERSION USER TOPIC CATEGORY X N Y YYYY LANG SKILL ";

fn has(list: &str, word: &str) -> bool {
    !word.is_empty() && !word.contains(' ') && list.contains(&format!(" {word} "))
}

/// Whether a path ends as files do.
pub(super) fn has_known_ending(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').is_some_and(|(stem, ending)| !stem.is_empty() && has(ENDINGS, ending))
}

/// Whether something only lists numbers.
pub(super) fn is_line_list(code: &str) -> bool {
    code.bytes().all(|byte| byte.is_ascii_digit() || b":.-,/ ".contains(&byte))
}

/// Returns the path that a word is, with what it names there; `is_code` says that it stands between code marks.
pub(super) fn as_path(word: &str, is_code: bool) -> Option<(String, What)> {
    let strange =
        ['*', '?', '{', '}', '<', '>', '$', '%', '~', '\\', '"', '\'', '=', '|', ' ', ',', ';', '!', '`', '&'];
    if word.contains("://")
        || word.contains("..")
        || word.starts_with('/')
        || word.contains(strange)
        || word.contains('@') && !word.starts_with("packages/")
    {
        return None;
    }
    let word = word.strip_prefix("./").unwrap_or(word);
    let (path, behind) = split(word);
    if path.is_empty() || path.contains(':') || path.contains("//") {
        return None;
    }
    let is_file = has_known_ending(path);
    let has_slash = path.contains('/');
    let is_folder = path.ends_with('/') && path.len() > 1;
    // In running text it takes both to be a path.
    let is_path = if is_code { is_file || has_slash } else { is_file && has_slash };
    if !is_path {
        return None;
    }
    let parts: Vec<&str> = path.trim_end_matches('/').split('/').collect();
    let is_example = |part: &&str| {
        let stem = part.split('.').next().unwrap_or(part);
        has(EXAMPLES, stem) || part.contains("NAME") || part.contains("NNNN") || part.contains("YYYY")
    };
    // The ending of `/` alone would be a fraction, and a domain is a host.
    if parts.iter().any(|part| part.is_empty() || part.len() > 120) || parts.iter().any(is_example) {
        return None;
    }
    let is_host = parts.len() > 1 && parts[0].contains('.') && !parts[0].starts_with('.');
    if is_host || parts.iter().all(|part| part.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')) {
        return None;
    }
    let path = path.to_owned();
    let is_sure = is_file || is_folder;
    let what = match behind {
        Behind::Nothing => What::Path { path, is_sure },
        Behind::Line(line) => What::Line { path, line },
        Behind::Names(names) => What::InFile { path, names },
        Behind::Heading => What::Path { path, is_sure },
        Behind::Strange => return None,
    };
    Some((word.to_owned(), what))
}

/// What stands behind a path.
enum Behind {
    Nothing,
    Line(usize),
    Names(Vec<String>),
    /// A heading of a document.
    Heading,
    Strange,
}

fn split(word: &str) -> (&str, Behind) {
    let Some(at) = word.find([':', '#']) else { return (word, Behind::Nothing) };
    let (path, rest) = (&word[..at], word[at..].trim_start_matches([':', '#']));
    if path.len() + 1 == word.len() {
        return (path, Behind::Nothing);
    }
    let digits = rest.strip_prefix('L').unwrap_or(rest);
    let first: String = digits.chars().take_while(char::is_ascii_digit).collect();
    if !first.is_empty() {
        let is_lines = digits[first.len()..].bytes().all(|byte| byte.is_ascii_digit() || b"-L:".contains(&byte));
        let last = digits.split(['-', ':']).next_back().map(|last| last.trim_start_matches('L'));
        // Of lines the last is the farthest; behind `:` stands a column.
        let line = if digits.contains('-') { last.and_then(|last| last.parse().ok()) } else { first.parse().ok() };
        return (path, line.filter(|_| is_lines).map_or(Behind::Strange, Behind::Line));
    }
    let is_code = super::super::grammar::grammar_of(path, "").is_some() || !has_known_ending(path);
    if !is_code {
        return (path, Behind::Heading);
    }
    let rest = rest.strip_suffix("()").unwrap_or(rest).trim_end_matches(['?', '!']);
    let names: Vec<&str> = rest.split("::").flat_map(|part| part.split(['.', '#'])).collect();
    let is_name = |name: &&str| {
        name.starts_with(|ch: char| ch.is_ascii_alphabetic() || ch == '_')
            && name.bytes().all(super::super::mask::is_word)
    };
    match names.iter().all(is_name) {
        true => (path, Behind::Names(names.into_iter().map(str::to_owned).collect())),
        false => (path, Behind::Strange),
    }
}

/// Whether something at a path is made or fetched, so that its absence says nothing.
pub(in crate::drift) fn is_made(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let is_made_name = [
        "_pb2.py",
        "_pb2_grpc.py",
        ".pb.go",
        ".pb.h",
        ".pb.cc",
        ".g.cs",
        ".g.dart",
        ".min.js",
        ".d.ts",
        ".designer.cs",
        ".generated.ts",
    ]
    .iter()
    .any(|ending| name.ends_with(ending));
    is_made_name
        || name.contains(".gen.")
        || name.contains(".generated.")
        || path.split('/').any(|part| has(MADE, part))
}
