//! Commands of a project that can be checked surely: its scripts, targets and programs.

use super::What;
use super::path::as_path;

/// A command that a project says itself that it has.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Command {
    /// A script of `package.json`.
    Script(String),
    /// A target of a `Makefile`.
    Target(String),
    /// A recipe of a `justfile`.
    Recipe(String),
    /// A package of Cargo.
    Package(String),
    /// A program or an example of Cargo.
    Program(String),
    /// A word that the folder `xtask` understands.
    Task(String),
}

/// Returns what a line of a shell names of a project, as it is told to people.
pub(super) fn of(code: &str) -> Option<(String, What)> {
    if !code.contains(' ') {
        return None;
    }
    let first = code.split(&['&', ';', '|'][..]).next().unwrap_or(code).trim();
    let words: Vec<&str> = first.split_whitespace().collect();
    let named = |word: &&str| {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_:./".contains(&byte);
        !word.starts_with('-')
            && word.len() > 1
            && word.bytes().all(is_plain)
            && !word.bytes().all(|byte| byte.is_ascii_uppercase())
    };
    let command = |n: usize, make: fn(String) -> Command| {
        let name = words.get(n).filter(|word| named(word))?;
        Some((words[..=n].join(" "), What::Command(make((*name).to_owned()))))
    };
    let behind = |flag: &str, make: fn(String) -> Command| {
        let at = words.iter().position(|word| *word == flag)?;
        let name = words.get(at + 1).filter(|word| named(word))?;
        let shown = format!("{} {flag} {name}", words[..2].join(" "));
        Some((shown, What::Command(make((*name).to_owned()))))
    };
    match words.as_slice() {
        ["npm" | "pnpm" | "yarn" | "bun", "run", ..] => command(2, Command::Script),
        ["make", ..] if words.len() == 2 => command(1, Command::Target),
        ["just", ..] if words.len() == 2 => command(1, Command::Recipe),
        ["cargo", "xtask", ..] => command(2, Command::Task),
        ["cargo", "run" | "test" | "build" | "check" | "clippy" | "bench", ..] => behind("--bin", Command::Program)
            .or_else(|| behind("--example", Command::Program))
            .or_else(|| behind("-p", Command::Package))
            .or_else(|| behind("--package", Command::Package)),
        ["go", "run" | "build" | "test", place, ..] if place.starts_with("./") && !place.contains("...") => {
            let path = place.trim_start_matches("./").to_owned();
            Some(((*place).to_owned(), What::Path { path, is_sure: true }))
        }
        ["python" | "python3" | "node" | "bash" | "sh" | "ruby" | "php" | "deno" | "bun", script, ..] => {
            as_path(script, true)
        }
        [script, ..] if script.contains('/') => {
            as_path(script, true).filter(|(_, what)| matches!(what, What::Path { is_sure: true, .. }))
        }
        _ => None,
    }
}
