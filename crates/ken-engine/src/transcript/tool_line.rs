//! A tool call as one line.
//!
//! Shows the tool and the one argument that says most. Secrets and private parts are cut out before the
//! line is cut to length, so that no half of a key is left standing.

use serde_json::Value;

use super::clean::without_private;
use crate::scrub::scrub;

/// Longest line, in characters: one line of a journal on a wide screen.
const LINE_CHARS_MAX: usize = 160;

/// Arguments by how much they say, the most telling first.
const TELLING: &[&str] = &[
    "file_path",
    "notebook_path",
    "command",
    "cmd",
    "pattern",
    "query",
    "url",
    "path",
    "description",
    "skill",
    "name",
    "subject",
    "title",
    "prompt",
];

/// Returns the line for a call and how many secrets were cut out of it.
pub(super) fn tool_line(name: &str, input: &Value, cwd: Option<&str>) -> (String, usize) {
    let argument = TELLING.iter().find_map(|key| input.get(key)?.as_str()).unwrap_or("");
    let argument = without_private(argument);
    let (argument, n_redacted) = scrub(&argument);
    let mut lines = argument.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or("");
    let mut line = ken_core::journal::one_line(&format!("{name} {}", relative(first, cwd)));
    if lines.next().is_some() {
        line.push_str(" …");
    }
    (cut(&line), n_redacted)
}

/// Returns the argument with paths inside the working folder made relative to it.
fn relative(argument: &str, cwd: Option<&str>) -> String {
    match cwd.filter(|cwd| cwd.len() > 1) {
        Some(cwd) => argument.replace(&format!("{cwd}/"), ""),
        None => argument.to_owned(),
    }
}

fn cut(line: &str) -> String {
    if line.chars().count() <= LINE_CHARS_MAX {
        return line.to_owned();
    }
    let kept: String = line.chars().take(LINE_CHARS_MAX - 1).collect();
    format!("{}…", kept.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn check(name: &str, input: &Value, expected: &str) {
        assert_eq!(tool_line(name, input, Some("/home/mia/bakery")).0, expected);
    }

    #[test]
    fn the_most_telling_argument_is_shown() {
        check("Edit", &json!({"old_string": "a", "file_path": "/home/mia/bakery/src/cart.ts"}), "Edit src/cart.ts");
        check("Bash", &json!({"command": "npm test\nnpm run lint", "description": "x"}), "Bash npm test …");
        check("TodoRead", &json!({}), "TodoRead");
        check("Odd", &json!("text"), "Odd");
    }

    #[test]
    fn long_lines_are_cut_after_secrets_are_gone() {
        let key = format!("ghp_{}", "a1B2".repeat(9));
        let (line, n_redacted) = tool_line("Bash", &json!({"command": format!("{}{key}", "x ".repeat(70))}), None);
        assert!(!line.contains("ghp_") && line.chars().count() <= 160 && n_redacted == 1, "{line}");
    }
}
