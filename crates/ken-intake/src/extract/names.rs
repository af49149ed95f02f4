//! Exact names that a day's talk holds and its entry does not: identifiers, paths, flags, versions, error texts.
//!
//! Whoever comes back looks for them by their spelling, and they often stand only in a block of code or in the
//! middle of a long answer. Those that were said most, and in most turns, stand in one line of the entry.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use ken_core::words::identifier_parts;
use regex::Regex;

use super::request::Said;

/// Most names of an entry.
const NAMES_MAX: usize = 24;

/// Longest line of names, in characters: a passage of the compiler's is no longer.
const LINE_CHARS_MAX: usize = 640;

/// Shortest and longest name, in bytes.
const NAME_MIN: usize = 3;
const NAME_MAX: usize = 70;

/// What one mention of a name counts: as inline code, in prose, inside a block of code.
const IN_BACKTICKS: f32 = 2.0;
const IN_PROSE: f32 = 1.0;
const IN_BLOCK: f32 = 0.5;

/// How often a name was said, weighed; in how many turns; when first.
#[derive(Default)]
struct Heard {
    weight: f32,
    turns: BTreeSet<usize>,
    first: usize,
}

/// Returns the names that were said and that none of `lines` holds, as one line; the branch is one of them.
pub(super) fn names<'l>(
    said: &[Said],
    branch: Option<&str>,
    lines: impl Iterator<Item = &'l String>,
) -> Option<String> {
    let mut heard: BTreeMap<&str, Heard> = BTreeMap::new();
    for (nth, turn) in said.iter().enumerate() {
        for (name, weight) in names_in(&turn.text) {
            let n_heard = heard.len();
            let one = heard.entry(name).or_insert_with(|| Heard { first: n_heard, ..Heard::default() });
            one.weight += weight;
            one.turns.insert(nth);
        }
    }
    let known = lines.map(|line| plain(line)).collect::<Vec<_>>().join("\n");
    // `errors.Closed` is found where `Closed` stands, if that is a name by itself.
    let is_known = |name: &str| {
        let last = name.rsplit(['.', ':']).next().unwrap_or(name).trim_end_matches("()");
        known.contains(&plain(name)) || !identifier_parts(last).is_empty() && known.contains(&plain(last))
    };
    let mut ranked: Vec<(&str, Heard)> = heard.into_iter().filter(|(name, _)| !is_known(name)).collect();
    let score = |heard: &Heard| heard.weight.sqrt() + heard.turns.len() as f32;
    ranked.sort_by(|(_, a), (_, b)| score(b).total_cmp(&score(a)).then(a.first.cmp(&b.first)));
    let branch = branch.filter(|branch| branch.contains('/') && !known.contains(&plain(branch)));
    let mut kept: Vec<&str> = Vec::new();
    let mut n_chars = 0;
    for name in branch.into_iter().chain(ranked.iter().map(|(name, _)| *name)) {
        let chars = name.chars().count() + "``, ".len();
        // A name inside a longer one that is kept is found by it.
        if kept.len() < NAMES_MAX && n_chars + chars <= LINE_CHARS_MAX && !kept.iter().any(|one| one.contains(name)) {
            n_chars += chars;
            kept.push(name);
        }
    }
    let line: Vec<String> = kept.iter().map(|name| format!("`{name}`")).collect();
    (!line.is_empty()).then(|| line.join(", "))
}

/// A text as it is compared: case and the marks around code say nothing.
fn plain(text: &str) -> String {
    text.replace('`', "").to_lowercase()
}

/// Returns the names of a text with what each mention counts.
fn names_in(text: &str) -> Vec<(&str, f32)> {
    let mut out: Vec<(&str, f32)> = Vec::new();
    let mut is_code = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
            continue;
        }
        for (nth, part) in line.split('`').enumerate() {
            // Every second part stands between backticks, unless one is missing.
            if !is_code && nth % 2 == 1 {
                let weight = if shaped(part).next().is_some() { IN_BACKTICKS } else { IN_PROSE };
                out.extend(is_name(part).then_some((part.trim(), weight)));
            } else {
                let weight = if is_code { IN_BLOCK } else { IN_PROSE };
                out.extend(shaped(part).map(|name| (name, weight)));
            }
        }
    }
    // Of `e.g` and `C:` nothing can be found.
    let is_telling = |name: &str| {
        let mut runs = name.split(|ch: char| !ch.is_alphabetic());
        name.contains(|ch: char| ch.is_ascii_digit()) || runs.any(|run| run.chars().count() >= NAME_MIN)
    };
    out.retain(|(name, _)| (NAME_MIN..=NAME_MAX).contains(&name.len()) && is_telling(name));
    out
}

/// Whether inline code names something; the rest are conditions, pairs of values and pieces of a line of code.
fn is_name(code: &str) -> bool {
    let is_list = code.contains(", ") && !code.contains('(');
    let is_piece = [" = ", "==", "||", "&&", "…", "..."].iter().any(|mark| code.contains(mark));
    !is_list && !is_piece && code.trim().starts_with(|ch: char| ch.is_alphanumeric() || "./-_$~@#".contains(ch))
}

/// Returns what is shaped like a name: of an identifier, a path, an address, a flag, a version, an error's code.
fn shaped(text: &str) -> impl Iterator<Item = &str> {
    static SHAPES: OnceLock<Regex> = OnceLock::new();
    let shapes = SHAPES.get_or_init(|| {
        Regex::new(concat!(
            r"https?://[^\s)>\],]+",
            r"|--[a-zA-Z][\w-]+(?:=\S+)?",
            // `and/or` is no path: one has a dot, an underscore or two slashes.
            r"|[\w~@-]*[._/][\w.~@-]*/[\w./@-]*\w",
            r"|[\w~@-]+/[\w~@-]*[._/][\w./@-]*\w",
            r"|[A-Za-z_]\w*(?:(?:::|\.|->)[A-Za-z_]\w*)+",
            r"|\b[A-Za-z]*[a-z][A-Z]\w*",
            r"|\b[A-Za-z]\w*_\w+",
            r"|\bv?\d+(?:\.\d+)+\b",
            r"|\b[A-Z]+\d{3,}\b",
        ))
        .expect("a pattern")
    });
    shapes.find_iter(text).map(|found| found.as_str().trim_end_matches(['.', '/', '@', ':']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(turns: &[&str], lines: &[&str], expected: &str) {
        let said: Vec<Said> = turns.iter().map(|text| Said { is_user: false, text: (*text).to_owned() }).collect();
        let lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        assert_eq!(names(&said, None, lines.iter()).unwrap_or_default(), expected);
    }

    #[test]
    fn names_of_prose_code_and_blocks_are_kept_those_said_most_first() {
        check(
            &["It fails in `open_oven`.", "So `open_oven` waits:\n```\nlet x = bakeAll(--hot, 1.2.3);\n```"],
            &[],
            "`open_oven`, `bakeAll`, `--hot`, `1.2.3`",
        );
        check(
            &["See https://bake.example/rye, src/oven.rs and E404."],
            &[],
            "`https://bake.example/rye`, `src/oven.rs`, `E404`",
        );
    }

    #[test]
    fn what_the_entry_holds_or_nobody_would_look_for_is_left_out() {
        check(&["`open_oven` and `Oven.closeAll`"], &["We fixed `open_oven` in `closeAll()`."], "");
        check(&["read/write, e.g. at `x`, `a, b`, `n == 1` or C: by Tuesday"], &[], "");
    }

    #[test]
    fn a_line_of_names_has_an_end() {
        let turn: String = (0..99).map(|n| format!("`name_{n}_of_many`, ")).collect();
        let said = [Said { is_user: false, text: turn }];
        let line = names(&said, Some("mia/rye"), [].iter()).expect("names");
        assert!(line.starts_with("`mia/rye`, `name_0") && line.matches("`, `").count() == 23, "{line}");
    }
}
