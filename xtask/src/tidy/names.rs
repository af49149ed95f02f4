//! Names in ARCHITECTURE.md: each must exist.
//!
//! A document that names things which are gone is worse than none. Names are looked up as text, in
//! the Rust files and among the paths of the repository; a name that only a comment still knows is
//! not found out, which is the price of reading no syntax.

use super::{Finding, Tree};

const ARCHITECTURE: &str = "ARCHITECTURE.md";

/// What a back-ticked text can be, as far as this check cares.
#[derive(Debug, PartialEq, Eq)]
enum Kind {
    /// A type, a function, or several joined by `::`.
    Rust,
    /// A file or a folder, of the repository or of a vault.
    Path,
    /// One of our crates.
    Crate,
    /// Commands, sample text, single plain words.
    Other,
}

/// Refuses back-ticked names of ARCHITECTURE.md that are nowhere in the code or among the files.
pub(super) fn architecture_names_exist(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (line, name) in ticked(tree.get(ARCHITECTURE).unwrap_or("")) {
        let name = name.trim_end_matches("()");
        let exists = match kind(name) {
            Kind::Rust => name.split("::").all(|part| is_crate_name(tree, part) || in_code(tree, part)),
            Kind::Path => tree.has(name) || in_code(tree, name.trim_end_matches('/')),
            Kind::Crate => tree.has(&format!("crates/{name}")),
            Kind::Other => true,
        };
        if !exists {
            let fix = "name what is there now, or remove the sentence";
            findings.push(Finding::new(ARCHITECTURE, line, format!("`{name}` does not exist"), fix));
        }
    }
    findings
}

/// Refuses an invariant (a line `I4 … (test: name)`) whose test does not exist.
pub(super) fn invariants_name_their_test(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (at, line) in tree.get(ARCHITECTURE).unwrap_or("").lines().enumerate() {
        let Some(invariant) = invariant(line) else { continue };
        let tests = line.split_once("(test: ").or_else(|| line.split_once("(tests: "));
        let Some(tests) = tests.and_then(|(_, rest)| rest.split(')').next()) else {
            let fix = "end the line with `(test: name_of_test)`";
            findings.push(Finding::new(ARCHITECTURE, at + 1, format!("{invariant} names no test"), fix));
            continue;
        };
        for test in tests.split(',').map(|test| test.trim().trim_matches('`')) {
            if !tree.rust().any(|(_, text)| text.contains(&format!("fn {test}("))) {
                let message = format!("{invariant} names the test `{test}`, which does not exist");
                findings.push(Finding::new(ARCHITECTURE, at + 1, message, "name the test that holds it now"));
            }
        }
    }
    findings
}

/// The invariant's name when the line states one: `I` and digits, after list and emphasis marks.
fn invariant(line: &str) -> Option<&str> {
    let line = line.trim_start_matches(['-', '*', '|', ' ']);
    let end = line.find(|ch: char| !ch.is_ascii_alphanumeric())?;
    let digits = line[..end].strip_prefix('I')?;
    (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())).then(|| &line[..end])
}

/// The back-ticked texts outside of fenced blocks, with their line.
fn ticked(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut in_fence = false;
    for (at, line) in text.lines().enumerate() {
        if line.starts_with("```") {
            in_fence = !in_fence;
        } else if !in_fence {
            found.extend(line.split('`').skip(1).step_by(2).map(|name| (at + 1, name)));
        }
    }
    found
}

fn kind(name: &str) -> Kind {
    let is_word = |part: &str| {
        part.starts_with(|ch: char| ch.is_ascii_alphabetic() || ch == '_')
            && part.chars().all(|ch| ch.is_ascii_alphanumeric() || ch == '_')
    };
    let is_camel = |part: &str| {
        part.starts_with(|ch: char| ch.is_ascii_uppercase()) && part.contains(|ch: char| ch.is_ascii_lowercase())
    };
    if name.contains("::") && name.split("::").all(is_word) {
        return Kind::Rust;
    }
    if is_word(name) {
        return if is_camel(name) || name.contains('_') { Kind::Rust } else { Kind::Other };
    }
    if name.contains([' ', '*', '<', '{', '…', '[']) {
        return Kind::Other;
    }
    let is_file = [".md", ".rs", ".toml", ".json"].iter().any(|ext| name.ends_with(ext));
    match name {
        _ if name.starts_with("ken-") && !name.contains('/') => Kind::Crate,
        // `YYYY-MM-DD.md` and the like are shapes of names.
        _ if name.contains("YYYY") => Kind::Other,
        _ if is_file || name.contains('/') => Kind::Path,
        _ => Kind::Other,
    }
}

fn is_crate_name(tree: &Tree, part: &str) -> bool {
    part == "std" || tree.has(&format!("crates/{}", part.replace('_', "-")))
}

/// Returns whether the code of the product has this name, as a whole word.
fn in_code(tree: &Tree, name: &str) -> bool {
    let is_part = |ch: char| ch.is_alphanumeric() || ch == '_';
    tree.of(|path| path.starts_with("crates/") && path.ends_with(".rs")).any(|(_, text)| {
        text.match_indices(name).any(|(at, _)| {
            !text[..at].chars().next_back().is_some_and(is_part)
                && !text[at + name.len()..].chars().next().is_some_and(is_part)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::super::check;
    use super::*;

    const CODE: (&str, &str) = (
        "crates/ken-core/src/plan.rs",
        "//! `knowledge/log.md`.\nmod plan;\npub struct Plan;\nimpl Plan { fn is_empty() {} }\nfn plans_apply_wholly() {}\n",
    );

    #[test]
    fn names_that_are_gone_are_refused() {
        let text = "`Plan` `Plan::is_empty` `ken_core::plan` `ken-core` `crates/ken-core/` `knowledge/log.md` `ken lint` `route`\n\
                    `Plans` `ken-gone` `old_name` `docs/gone.md`\n```\n`Gone`\n```\n";
        let expected = ["2: `Plans`", "2: `ken-gone`", "2: `old_name`", "2: `docs/gone.md`"];
        check(architecture_names_exist, &[CODE, ("ARCHITECTURE.md", text)], &expected);
    }

    #[test]
    fn invariants_without_a_test_are_refused() {
        let text = "- **I1** Journals grow. (test: plans_apply_wholly)\n- I2 Pages cite.\nI3 Whole. (tests: `gone`, plans_apply_wholly)\nIn short\n";
        let expected = ["2: I2 names no test", "3: I3 names the test `gone`"];
        check(invariants_name_their_test, &[CODE, ("ARCHITECTURE.md", text)], &expected);
    }
}
