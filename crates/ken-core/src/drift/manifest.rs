//! What a project says itself that it can be told: scripts, targets, packages, tasks.

use super::reference::Command;

/// What a file says of commands.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Manifest {
    /// What it names.
    pub commands: Vec<Command>,
    /// Whether there may be more that it does not name itself: it includes others, or has patterns.
    pub is_open: bool,
}

/// Returns what a file says of commands; `None` where it is none that says such things.
pub fn manifest(path: &str, text: &str) -> Option<Manifest> {
    let name = path.rsplit('/').next().unwrap_or(path);
    match name {
        "package.json" => Some(Manifest { commands: scripts(text), is_open: false }),
        "Cargo.toml" | "Cargo.lock" => Some(Manifest { commands: cargo(text), is_open: false }),
        "Makefile" | "makefile" | "GNUmakefile" => Some(targets(text, Command::Target)),
        _ if name.ends_with(".mk") => Some(targets(text, Command::Target)),
        "justfile" | "Justfile" | ".justfile" => Some(targets(text, Command::Recipe)),
        _ if name.ends_with(".rs") && path.split('/').any(|part| part == "xtask") => {
            Some(Manifest { commands: tasks(text), is_open: false })
        }
        _ => None,
    }
}

/// The keys of `"scripts": { … }`.
fn scripts(text: &str) -> Vec<Command> {
    let Some(at) = text.find("\"scripts\"") else { return Vec::new() };
    let rest = &text[at + 9..];
    let Some(open) = rest.find('{') else { return Vec::new() };
    let (mut out, mut depth, mut is_text) = (Vec::new(), 0_usize, false);
    let (mut start, mut last) = (0, None);
    let bytes = rest.as_bytes();
    let mut at = open;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' if is_text => at += 1,
            b'"' => {
                is_text = !is_text;
                if is_text {
                    start = at + 1;
                } else {
                    last = Some(&rest[start..at]);
                }
            }
            _ if is_text => {}
            b':' if depth == 1 => out.extend(last.take().map(|name| Command::Script(name.to_owned()))),
            b'{' => depth += 1,
            b'}' if depth <= 1 => break,
            b'}' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    out
}

fn cargo(text: &str) -> Vec<Command> {
    let mut out = Vec::new();
    let mut section = "";
    for line in text.lines().map(str::trim) {
        if line.starts_with('[') {
            section = line.trim_matches(['[', ']']);
        }
        let Some(name) = line.strip_prefix("name").map(str::trim_start).and_then(|rest| rest.strip_prefix('=')) else {
            continue;
        };
        let name = name.trim().trim_matches('"').to_owned();
        match section {
            "package" => out.extend([Command::Package(name.clone()), Command::Program(name)]),
            "bin" | "example" | "test" | "bench" => out.push(Command::Program(name)),
            _ => {}
        }
    }
    out
}

fn targets(text: &str, make: fn(String) -> Command) -> Manifest {
    let mut out = Manifest::default();
    for line in text.lines() {
        let word = line.split_whitespace().next().unwrap_or_default();
        out.is_open |= matches!(word, "include" | "-include" | "sinclude" | "import" | "mod");
        if line.starts_with([' ', '\t', '#', '.']) {
            continue;
        }
        let Some((names, rest)) = line.split_once(':') else { continue };
        if rest.starts_with('=') || names.contains('=') {
            continue;
        }
        out.is_open |= names.contains(['%', '$']);
        // A recipe of just has parameters behind its name; a target of make has others beside it.
        let names = names.split_whitespace().map(|name| name.trim_start_matches('@').to_owned());
        out.commands.extend(names.map(make));
    }
    out
}

/// Every word of a file of tasks, in the letters of a command line: which of them is a task only running it says.
fn tasks(text: &str) -> Vec<Command> {
    let words = text.split(|ch: char| !(ch.is_ascii_alphanumeric() || ch == '_' || ch == '-'));
    let mut out: Vec<Command> = words.filter(|word| !word.is_empty()).map(|word| Command::Task(kebab(word))).collect();
    out.sort_unstable();
    out.dedup();
    out
}

fn kebab(word: &str) -> String {
    let mut out = String::new();
    for ch in word.chars() {
        if ch.is_ascii_uppercase() && !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
        out.push(if ch == '_' { '-' } else { ch.to_ascii_lowercase() });
    }
    out
}
