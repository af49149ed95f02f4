//! Checks of Rust text: module headers, sizes, forbidden names, leftovers.
//!
//! They read lines, not syntax. The code is formatted by rustfmt, so a function ends at the first
//! closing brace under its own first letter, and that is good enough to count lines.

use super::{Finding, Tree};

/// A file that is longer needs a reason in its `//!`.
const FILE_LINES_WITHOUT_REASON: usize = 500;
/// A file that is longer is refused.
const FILE_LINES_MAX: usize = 800;
/// A function that is longer is refused; typical code stays under 45 without trying.
const FUNCTION_LINES_MAX: usize = 70;

/// Text that may not stand in some places.
struct Fence {
    /// What is looked for, in code, as a whole name.
    names: &'static [&'static str],
    /// Paths (by how they start) that it is refused in.
    refused_in: &'static [&'static str],
    /// Paths, inside those, where it is allowed.
    allowed_in: &'static [&'static str],
    /// Who does this instead.
    fix: &'static str,
}

const CORE: &str = "crates/ken-core/";
const SEARCH: &str = "crates/ken-search/";
const EXCHANGE: &str = "crates/ken-exchange/";
const COMPILE: &str = "crates/ken-compile/";
const ENGINE: &str = "crates/ken-engine/";
const INTAKE: &str = "crates/ken-intake/";
const STORE: &str = "crates/ken-store/";
const CLI: &str = "crates/ken-cli/";
const TESTKIT: &str = "crates/ken-testkit/";
const AGENTS: &str = "crates/ken-agents/";
const EMBED: &str = "crates/ken-embed/";
const MODEL: &str = "crates/ken-model/";

/// Mirrors the crates' `clippy.toml`, which cannot name a whole module.
const FENCES: [Fence; 6] = [
    Fence {
        names: &["std::fs"],
        refused_in: &["crates/"],
        allowed_in: &[
            STORE,
            TESTKIT,
            "crates/ken-search/src/disk",
            // Files that people name, which are in no vault.
            "crates/ken-intake/src/outside.rs",
            // The repository around a vault.
            "crates/ken-engine/src/repository.rs",
            // The project around a vault.
            "crates/ken-engine/src/drift/tree.rs",
            // Models, which are in no vault.
            "crates/ken-embed/src/local",
            // The empty folder that a program runs in.
            "crates/ken-model/src/folder.rs",
            // Files that a user names on the command line, and what the system says of the process.
            "crates/ken-cli/src/env.rs",
            "crates/ken-cli/src/dest.rs",
            // Files of agents, which are in no vault.
            "crates/ken-agents/src/install",
            "crates/ken-agents/src/budget/read.rs",
            "crates/ken-agents/src/agents/",
            "crates/ken-agents/src/doctor.rs",
        ],
        fix: "let `ken-store` do it, behind `Fs`; the allow list is `FENCES` in xtask/src/tidy/source.rs",
    },
    Fence {
        names: &["std::env"],
        refused_in: &[CORE, SEARCH, EXCHANGE, COMPILE, ENGINE, INTAKE, STORE, AGENTS, EMBED, MODEL],
        allowed_in: &[],
        fix: "read it in `ken-cli` and pass the value in",
    },
    Fence {
        names: &["std::process", "std::net"],
        refused_in: &[CORE, SEARCH, EXCHANGE, COMPILE, ENGINE, INTAKE],
        allowed_in: &[],
        fix: "start processes in `ken-cli`; nothing else does",
    },
    Fence {
        names: &["SystemTime::now", "Timestamp::now", "Zoned::now", "Instant::now"],
        refused_in: &[CORE, SEARCH, ENGINE, INTAKE, STORE],
        // Waiting for a lock or a save needs a stopwatch; it never reaches a result.
        allowed_in: &["crates/ken-store/src/lock.rs", "crates/ken-store/src/settle.rs"],
        fix: "take `now: Timestamp` as a parameter",
    },
    Fence {
        names: &["HashMap", "HashSet"],
        refused_in: &[CORE, SEARCH, ENGINE, INTAKE, CLI, EMBED, MODEL],
        allowed_in: &[],
        fix: "use `BTreeMap` or `BTreeSet`: hash order leaks into output",
    },
    Fence {
        names: &["println!", "eprintln!", "print!", "eprint!"],
        refused_in: &["crates/"],
        allowed_in: &[CLI],
        fix: "return the text; `ken-cli` prints",
    },
];

/// Text that nobody may leave behind, tests included, and what to do instead.
const LEFTOVERS: [(&str, &str); 5] = [
    ("dbg!(", "remove it"),
    ("todo!(", "write it, or leave the feature out"),
    ("unimplemented!(", "write it, or leave the feature out"),
    ("#[ignore", "assert what happens today and say in a comment what should"),
    ("FIXME before merge", "fix it"),
];

/// Folders that only exist on one machine.
const MACHINE_FOLDERS: [&str; 3] = ["/root/", "/home/", "/Users/"];

/// This folder names what it refuses.
const OWN: &str = "xtask/src/tidy";

/// Refuses a module of the product or of xtask that does not start with `//!`.
pub(super) fn modules_say_what_they_are_for(tree: &Tree) -> Vec<Finding> {
    tree.rust()
        .filter(|(path, text)| path.contains("/src/") && !text.trim_start().starts_with("//!"))
        .map(|(path, _)| {
            let fix = "say in `//!` what it is for, what it reads and returns, and what it does not do";
            Finding::new(path, 1, "the module does not say what it is for", fix)
        })
        .collect()
}

/// Refuses files with too many lines, tests not counted.
pub(super) fn files_stay_short(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in tree.rust().filter(|(path, _)| !is_test_file(path)) {
        let n_lines = code_lines(text).count();
        let has_reason = text.lines().any(|line| line.starts_with("//! Long because"));
        if n_lines > FILE_LINES_MAX {
            let message = format!("the file has {n_lines} lines without tests, at most {FILE_LINES_MAX} are allowed");
            findings.push(Finding::new(path, 1, message, "split it by caller"));
        } else if n_lines > FILE_LINES_WITHOUT_REASON && !has_reason {
            let message = format!("the file has {n_lines} lines without tests and does not say why");
            findings.push(Finding::new(path, 1, message, "split it, or add a `//!` line that begins \"Long because\""));
        }
    }
    findings
}

/// Refuses functions with too many lines, tests not counted.
pub(super) fn functions_stay_short(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in tree.rust().filter(|(path, _)| !is_test_file(path)) {
        let lines: Vec<(usize, &str)> = code_lines(text).collect();
        for (at, (line, start)) in lines.iter().enumerate().filter(|(_, (_, text))| starts_function(text)) {
            let n_lines = function_lines(&lines[at..], start);
            if n_lines > FUNCTION_LINES_MAX {
                let message = format!("the function has {n_lines} lines, at most {FUNCTION_LINES_MAX} are allowed");
                findings.push(Finding::new(path, *line, message, "give its parts names of their own"));
            }
        }
    }
    findings
}

/// Refuses what a crate may not reach for (see [`FENCES`]); tests may.
pub(super) fn forbidden_text(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in tree.rust().filter(|(path, _)| !is_test_file(path)) {
        let starts = |places: &[&str]| places.iter().any(|place| path.starts_with(place));
        for fence in FENCES.iter().filter(|fence| starts(fence.refused_in) && !starts(fence.allowed_in)) {
            for (line, text) in code_lines(text).filter(|(_, text)| !text.trim_start().starts_with("//")) {
                for name in fence.names.iter().filter(|name| names_it(text, name)) {
                    findings.push(Finding::new(path, line, format!("`{name}` is refused here"), fence.fix));
                }
            }
        }
    }
    findings
}

/// Refuses what was meant to be gone by now.
pub(super) fn leftovers(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in tree.rust().filter(|(path, _)| !path.starts_with(OWN)) {
        for (at, line) in text.lines().enumerate() {
            for (leftover, fix) in LEFTOVERS.iter().filter(|(leftover, _)| line.contains(leftover)) {
                findings.push(Finding::new(path, at + 1, format!("`{leftover}` was left behind"), *fix));
            }
        }
    }
    findings
}

/// Refuses paths that only exist on one machine, outside of samples.
pub(super) fn machine_paths(tree: &Tree) -> Vec<Finding> {
    let is_sample = |path: &str| {
        path.starts_with(OWN) || path.starts_with("specs/") || path.contains("fixtures/") || is_test_file(path)
    };
    let mut findings = Vec::new();
    for (path, text) in tree.of(|path| !is_sample(path) && path != "Cargo.lock") {
        for (line, text) in code_lines(text) {
            for folder in MACHINE_FOLDERS.iter().filter(|folder| text.contains(*folder)) {
                let message = format!("`{folder}…` exists on one machine only");
                findings.push(Finding::new(
                    path,
                    line,
                    message,
                    "name the place relative to the repository or the vault",
                ));
            }
        }
    }
    findings
}

/// Returns whether the whole file is tests.
fn is_test_file(path: &str) -> bool {
    path.ends_with("/tests.rs") || path.contains("/tests/") || path.contains("/benches/")
}

/// The numbered lines of a file without its test modules.
pub(super) fn code_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut test_end: Option<String> = None;
    let mut after_cfg = false;
    text.lines().enumerate().map(|(at, line)| (at + 1, line)).filter(move |(_, line)| {
        if let Some(end) = &test_end {
            if line.starts_with(end.as_str()) {
                test_end = None;
            }
            return false;
        }
        let trimmed = line.trim_start();
        if after_cfg && trimmed.starts_with("mod ") && line.ends_with('{') {
            test_end = Some(format!("{}}}", &line[..line.len() - trimmed.len()]));
        }
        after_cfg = trimmed.starts_with("#[cfg(test)]");
        test_end.is_none() && !after_cfg
    })
}

fn starts_function(line: &str) -> bool {
    let words = line.trim_start().split(' ');
    let mut words =
        words.skip_while(|word| word.starts_with("pub") || ["const", "async", "extern", "\"C\""].contains(word));
    words.next() == Some("fn")
}

/// The number of lines from the function's first to the brace that closes it, both counted.
fn function_lines(lines: &[(usize, &str)], start: &str) -> usize {
    if start.ends_with('}') || start.ends_with(';') {
        return 1;
    }
    let indent = &start[..start.len() - start.trim_start().len()];
    let ends = |line: &str| {
        let rest = line.strip_prefix(indent).unwrap_or("");
        rest.starts_with('}') || (rest.starts_with(')') && rest.ends_with([';', '}']))
    };
    lines.iter().skip(1).position(|(_, line)| ends(line)).map_or(lines.len(), |at| at + 2)
}

/// Returns whether code names this item: as written, or in the braces of a `use`.
fn names_it(line: &str, name: &str) -> bool {
    let is_part = |ch: char| ch.is_alphanumeric() || ch == '_';
    let whole = line.match_indices(name).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + name.len()..].chars().next();
        !before.is_some_and(is_part) && (name.ends_with('!') || !after.is_some_and(is_part))
    });
    let in_braces = name.split_once("::").is_some_and(|(parent, child)| {
        line.split_once(&format!("use {parent}::{{"))
            .is_some_and(|(_, group)| group.split(|ch: char| !is_part(ch)).any(|word| word == child))
    });
    whole || in_braces
}

#[cfg(test)]
mod tests {
    use super::super::check;
    use super::*;

    #[test]
    fn a_module_without_a_header_is_refused() {
        let good = ("crates/ken-core/src/a.rs", "//! A.\n");
        let test = ("crates/ken-core/tests/it/main.rs", "fn main() {}\n");
        let bad = ("crates/ken-core/src/b.rs", "use a;\n");
        check(modules_say_what_they_are_for, &[good, test, bad], &["crates/ken-core/src/b.rs:1: the module"]);
    }

    #[test]
    fn a_long_file_needs_a_reason_and_a_very_long_one_is_refused() {
        let long = format!("//! A.\n{}", "// x\n".repeat(550));
        let excused = format!("//! A.\n//! Long because it is a table.\n{}", "// x\n".repeat(550));
        let too_long = format!("//! A.\n//! Long because it is a table.\n{}", "// x\n".repeat(801));
        let tested = format!("//! A.\n#[cfg(test)]\nmod tests {{\n{}}}\n", "    // x\n".repeat(900));
        let files: Vec<(&str, &str)> = vec![
            ("crates/a/src/a.rs", &long),
            ("crates/a/src/b.rs", &excused),
            ("crates/a/src/c.rs", &too_long),
            ("crates/a/src/d.rs", &tested),
        ];
        check(files_stay_short, &files, &["a.rs:1: the file has 551 lines", "c.rs:1: the file has 803 lines"]);
    }

    #[test]
    fn a_long_function_is_refused() {
        let body = "        let x = 1;\n".repeat(70);
        let text = format!(
            "impl A {{\n    pub(crate) fn f(\n        a: u8,\n    ) -> u8 {{\n{body}    }}\n\n    fn g() {{}}\n}}\n"
        );
        check(functions_stay_short, &[("crates/a/src/a.rs", &text)], &["a.rs:2: the function has 74 lines"]);
        let in_tests = format!("#[cfg(test)]\nmod tests {{\n    fn f() {{\n{body}    }}\n}}\n");
        check(functions_stay_short, &[("crates/a/src/a.rs", &in_tests)], &[]);
    }

    #[test]
    fn a_crate_that_reaches_past_its_fence_is_refused() {
        let core = "//! Uses no `std::fs`.\nuse std::{env, fs};\nlet t = SystemTime::now();\nlet m: HashMap<u8, u8>;\n";
        let files = [
            ("crates/ken-core/src/a.rs", core),
            ("crates/ken-store/src/a.rs", "use std::fs;\n"),
            ("crates/ken-engine/src/a.rs", "println!();\n#[cfg(test)]\nmod tests {\n    use std::fs;\n}\n"),
            ("crates/ken-engine/tests/it/main.rs", "use std::fs;\n"),
        ];
        let expected = [
            "ken-core/src/a.rs:2: `std::fs`",
            "ken-core/src/a.rs:2: `std::env`",
            "ken-core/src/a.rs:3: `SystemTime::now`",
            "ken-core/src/a.rs:4: `HashMap`",
            "ken-engine/src/a.rs:1: `println!`",
        ];
        check(forbidden_text, &files, &expected);
    }

    #[test]
    fn longer_names_are_not_the_refused_ones() {
        check(forbidden_text, &[("crates/ken-core/src/a.rs", "use my_std::fs_like;\nstd::fsx;\nMyHashMap;\n")], &[]);
    }

    #[test]
    fn leftovers_are_refused_in_tests_too() {
        let text = "#[cfg(test)]\nmod tests {\n    #[ignore]\n    fn f() { todo!() }\n}\n";
        check(leftovers, &[("crates/a/src/a.rs", text)], &["a.rs:3: `#[ignore`", "a.rs:4: `todo!(`"]);
    }

    #[test]
    fn machine_paths_are_refused_outside_samples() {
        let files = [("README.md", "see\n/home/me/x\n"), ("specs/a.md", "/home/me/x\n")];
        check(machine_paths, &files, &["README.md:2: `/home/…`"]);
    }
}
