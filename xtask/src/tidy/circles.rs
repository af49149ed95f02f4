//! Circles of files: two files of a crate that need each other, straight or through others, cannot be read or changed
//! one by one.
//!
//! What a file needs is read from the paths in its code, tests aside. A module and those inside it are one thing in this
//! respect. Circles that there are today stand in `circles.txt`, file by file: a file that is not listed there must be in
//! none, and one that is in none must be listed no longer, so that the list can only shrink.

use std::collections::{BTreeMap, BTreeSet};

use super::{Finding, Tree};

const LIST: &str = "xtask/src/tidy/circles.txt";

/// Per file those it needs.
type Needs<'a> = BTreeMap<&'a str, BTreeSet<&'a str>>;

/// Returns every file that is in a circle and not listed, and every one that is listed and in none.
pub(super) fn no_new_circles(tree: &Tree) -> Vec<Finding> {
    let needs = needs(tree);
    let circles = circles(&needs);
    let listed: BTreeSet<&str> = tree.get(LIST).unwrap_or_default().lines().filter(|line| !line.is_empty()).collect();
    let mut findings = Vec::new();
    for circle in &circles {
        for file in circle.iter().filter(|file| !listed.contains(**file)) {
            let others: Vec<&str> = circle.iter().copied().filter(|other| other != file).collect();
            let message = format!("it is in a circle with {}", others.join(", "));
            findings.push(Finding::new(file, 1, message, "move what both need below both"));
        }
    }
    let in_one: BTreeSet<&str> = circles.iter().flatten().copied().collect();
    for file in listed.iter().filter(|file| !in_one.contains(**file)) {
        findings.push(Finding::new(LIST, 1, format!("`{file}` is in no circle any longer"), "remove its line"));
    }
    findings
}

fn needs(tree: &Tree) -> Needs<'_> {
    let sources = tree.files.iter().filter(|(path, _)| path.starts_with("crates/") && path.contains("/src/"));
    let sources: Vec<(&str, &str)> = sources
        .filter(|(path, _)| path.ends_with(".rs") && !path.ends_with("/tests.rs"))
        .map(|(path, text)| (path.as_str(), text.as_str()))
        .collect();
    let modules: BTreeMap<String, &str> = sources.iter().map(|(path, _)| (module(path), *path)).collect();
    sources.iter().map(|(path, text)| (*path, needed(path, text, &modules))).collect()
}

/// The path of a file's module, with its crate in front: `crates/ken-core/src/page/outline.rs` is
/// `ken-core::page::outline`.
fn module(path: &str) -> String {
    let (krate, file) = path.trim_start_matches("crates/").split_once("/src/").unwrap_or((path, ""));
    let file = file.trim_end_matches(".rs").trim_end_matches("/mod");
    let parts = file.split('/').filter(|part| !matches!(*part, "lib" | "main"));
    std::iter::once(krate).chain(parts).collect::<Vec<_>>().join("::")
}

/// The files that the code of one needs, those that it stands in or that stand in it aside.
fn needed<'a>(path: &'a str, text: &str, modules: &BTreeMap<String, &'a str>) -> BTreeSet<&'a str> {
    let own = module(path);
    let krate = own.split("::").next().unwrap_or_default().to_owned();
    let code = text.split("\n#[cfg(test)]\nmod ").next().unwrap_or_default();
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    let code = lines.collect::<Vec<_>>().join("\n");
    let mut out = BTreeSet::new();
    for (at, _) in code.match_indices("crate::").chain(code.match_indices("super::")) {
        let is_word = code[..at].chars().next_back().is_some_and(|ch| ch.is_alphanumeric() || ch == '_' || ch == ':');
        if is_word {
            continue;
        }
        let mut rest = &code[at..];
        let mut base = own.clone();
        if let Some(behind) = rest.strip_prefix("crate::") {
            (base, rest) = (krate.clone(), behind);
        }
        while let Some(behind) = rest.strip_prefix("super::") {
            base.truncate(base.rfind("::").unwrap_or(base.len()));
            rest = behind;
        }
        for name in names(rest) {
            out.extend(nearest(&format!("{base}::{name}"), modules));
        }
    }
    let is_family = |file: &&str| {
        let other = module(file);
        own == other || own.starts_with(&format!("{other}::")) || other.starts_with(&format!("{own}::"))
    };
    out.retain(|file| !is_family(file));
    out
}

/// The names at the beginning of some code, groups spread out: `page::{outline, slug::Slug}`.
fn names(code: &str) -> Vec<String> {
    let Some(inner) = code.strip_prefix('{') else {
        let end = code.find(|ch: char| !(ch.is_alphanumeric() || matches!(ch, '_' | ':'))).unwrap_or(code.len());
        let (name, rest) = code.split_at(end);
        return match name.strip_suffix("::") {
            Some(base) if rest.starts_with('{') => names(rest).iter().map(|name| format!("{base}::{name}")).collect(),
            _ => vec![name.trim_end_matches(':').to_owned()],
        };
    };
    let (mut depth, mut from, mut out) = (0_usize, 0, Vec::new());
    for (at, ch) in inner.char_indices() {
        match ch {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                out.extend(names(inner[from..at].trim()));
                from = at + 1;
                if ch == '}' {
                    break;
                }
            }
            _ => {}
        }
    }
    out
}

/// The file of the longest beginning of a path that is a module, the crate itself aside.
fn nearest<'a>(path: &str, modules: &BTreeMap<String, &'a str>) -> Option<&'a str> {
    let mut path = path;
    while let Some(end) = path.rfind("::") {
        if let Some(file) = modules.get(path) {
            return Some(file);
        }
        path = &path[..end];
    }
    None
}

/// The circles: files of which each needs every other, straight or through others.
fn circles<'a>(needs: &Needs<'a>) -> Vec<BTreeSet<&'a str>> {
    let reached: BTreeMap<&str, BTreeSet<&'a str>> = needs.keys().map(|file| (*file, reach(file, needs))).collect();
    let mut out: Vec<BTreeSet<&'a str>> = Vec::new();
    for (file, all) in &reached {
        if out.iter().any(|circle| circle.contains(file)) || !all.contains(file) {
            continue;
        }
        out.push(all.iter().copied().filter(|other| reached[other].contains(file)).collect());
    }
    out
}

fn reach<'a>(from: &str, needs: &Needs<'a>) -> BTreeSet<&'a str> {
    let (mut found, mut next): (BTreeSet<&'a str>, Vec<&'a str>) =
        (BTreeSet::new(), needs[from].iter().copied().collect());
    while let Some(file) = next.pop() {
        if found.insert(file) {
            next.extend(needs.get(file).into_iter().flatten());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(files: &[(&str, &str)], expected: &[&str]) {
        let mut tree = Tree::default();
        for (path, text) in files {
            tree.files.insert((*path).to_owned(), (*text).to_owned());
        }
        let found: Vec<String> = no_new_circles(&tree).into_iter().map(|finding| finding.to_string()).collect();
        let starts: Vec<&str> = found.iter().map(|line| line.lines().next().unwrap_or_default()).collect();
        assert_eq!(starts, expected);
    }

    #[test]
    fn two_files_that_need_each_other_are_found_and_listed_ones_are_not() {
        let a = ("crates/ken-x/src/a.rs", "use crate::{b::{B, deep::C}, z};\n");
        let b = ("crates/ken-x/src/b.rs", "use super::a::A;\n");
        let z = ("crates/ken-x/src/z.rs", "");
        let found = [
            "crates/ken-x/src/a.rs:1: it is in a circle with crates/ken-x/src/b.rs",
            "crates/ken-x/src/b.rs:1: it is in a circle with crates/ken-x/src/a.rs",
        ];
        check(&[a, b, z], &found);
        check(&[a, b, z, (LIST, "crates/ken-x/src/a.rs\ncrates/ken-x/src/b.rs\n")], &[]);
        check(
            &[a, z, (LIST, "crates/ken-x/src/a.rs\n")],
            &["xtask/src/tidy/circles.txt:1: `crates/ken-x/src/a.rs` is in no circle any longer"],
        );
    }

    #[test]
    fn a_module_and_what_stands_in_it_are_no_circle() {
        check(
            &[
                ("crates/ken-x/src/a.rs", "mod b;\nuse crate::a::b::B;\n"),
                ("crates/ken-x/src/a/b.rs", "use super::A;\n"),
            ],
            &[],
        );
    }

    #[test]
    fn tests_and_comments_need_nothing() {
        let a =
            ("crates/ken-x/src/a.rs", "// use crate::b::B;\n\n#[cfg(test)]\nmod tests {\n    use crate::b::B;\n}\n");
        check(&[a, ("crates/ken-x/src/b.rs", "use crate::a::A;\n")], &[]);
    }
}
