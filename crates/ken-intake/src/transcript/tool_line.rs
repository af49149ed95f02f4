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
    "filePath",
    "absolute_path",
    "AbsolutePath",
    "target_file",
    "TargetFile",
    "notebook_path",
    "command",
    "CommandLine",
    "cmd",
    "commands",
    "pattern",
    "query",
    "url",
    "path",
    "paths",
    "files",
    "DirectoryPath",
    "dir_path",
    "description",
    "skill",
    "name",
    "subject",
    "title",
    "prompt",
    "plan",
    "input",
];

/// Returns the line for a call and how many secrets were cut out of it.
pub(super) fn tool_line(name: &str, input: &Value, cwd: Option<&str>) -> (String, usize) {
    let argument = TELLING.iter().find_map(|key| text_in(input.get(key)?)).unwrap_or_default();
    let argument = without_private(&ken_core::clean::clean(&argument));
    let (argument, n_redacted) = scrub(&argument);
    let mut lines = argument.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or("");
    let mut line = ken_core::journal::one_line(&format!("{name} {}", relative(first, cwd)));
    if lines.next().is_some() {
        line.push_str(" …");
    }
    (cut(&line), n_redacted)
}

/// Returns an argument as text: a list by its parts, a file by its path, a text in quotes without them.
fn text_in(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if text.starts_with('"') => {
            Some(serde_json::from_str(text).unwrap_or_else(|_| text.clone()))
        }
        Value::String(text) => Some(text.clone()),
        Value::Array(parts) => {
            let mut parts: Vec<String> = parts.iter().filter_map(text_in).collect();
            if parts.len() == 3 && parts[0].ends_with("sh") && parts[1].starts_with('-') && parts[1].ends_with('c') {
                // A shell around the command says nothing.
                parts.drain(..2);
            }
            Some(parts.join(" ")).filter(|text| !text.is_empty())
        }
        Value::Object(fields) => fields.get("path")?.as_str().map(str::to_owned),
        _ => None,
    }
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
        check("shell", &json!({"command": ["bash", "-lc", "npm test"]}), "shell npm test");
        check("exec", &json!({"command": ["git", "-c", "x"]}), "exec git -c x");
        check("read_files", &json!({"files": [{"path": "/home/mia/bakery/a.ts"}, "b.ts"]}), "read_files a.ts b.ts");
        check("view", &json!({"AbsolutePath": "\"/home/mia/bakery/a.ts\""}), "view a.ts");
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
