//! The command that an agent runs: one string, for a shell, with the binary's absolute place.
//!
//! Agents start hooks with a short search path, and one of them ignores arguments given apart, so the
//! place and the argument stand in one quoted string.

use std::path::Path;

/// Where people's tools usually are; looked at by commands that a whole team shares.
const USUAL_PLACES: &str = "$PATH:$HOME/.local/bin:$HOME/.cargo/bin:/usr/local/bin:/opt/homebrew/bin";

/// What an agent may run without asking a person each time: it reads the vault, or adds a note to the journal.
pub(crate) const ASKING: [&str; 6] = ["ask", "context", "search", "route", "show", "log"];

/// Returns the command of a hook on this machine; `agent` says who calls where the caller does not.
pub(crate) fn own(exe: &Path, agent: Option<&str>) -> String {
    let agent = agent.map(|name| format!(" --agent {name}")).unwrap_or_default();
    format!("{} hook{agent}", quoted(&exe.to_string_lossy()))
}

/// Returns the command for a file that a team shares: any `ken` on the machine, and silence without one.
pub(crate) fn shared(agent: Option<&str>) -> String {
    let agent = agent.map(|name| format!(" --agent {name}")).unwrap_or_default();
    format!("PATH=\"{USUAL_PLACES}\"; if command -v ken >/dev/null 2>&1; then ken hook{agent}; fi")
}

/// Returns whether a command runs `ken hook`, from whatever place.
pub(crate) fn is_ours(command: &str) -> bool {
    let spoken = command.replace(['\'', '"', '\\'], " ");
    let words: Vec<&str> = spoken.split_whitespace().collect();
    words.windows(2).any(|pair| {
        let name = pair[0].rsplit('/').next().unwrap_or("").trim_end_matches(".exe");
        name == "ken" && pair[1].trim_end_matches(';') == "hook"
    })
}

/// Returns the text as one word of a shell.
pub(crate) fn quoted(text: &str) -> String {
    let is_plain = |ch: char| ch.is_ascii_alphanumeric() || "/._-+:@%".contains(ch);
    match text {
        _ if cfg!(windows) => format!("\"{text}\""),
        text if !text.is_empty() && text.chars().all(is_plain) => text.to_owned(),
        text => format!("'{}'", text.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_with_spaces_is_one_word() {
        assert_eq!(own(Path::new("/opt/my tools/ken"), None), "'/opt/my tools/ken' hook");
        assert_eq!(own(Path::new("/opt/it's/ken"), Some("pi")), "'/opt/it'\\''s/ken' hook --agent pi");
        assert_eq!(own(Path::new("/usr/bin/ken"), None), "/usr/bin/ken hook");
    }

    #[test]
    fn our_commands_are_known_wherever_the_binary_is() {
        for command in [own(Path::new("/opt/my tools/ken"), None), shared(Some("cursor")), "ken hook".to_owned()] {
            assert!(is_ours(&command), "{command}");
        }
        for command in ["token hook", "ken-hook", "hook ken", "broken hook.sh", "ken lint"] {
            assert!(!is_ours(command), "{command}");
        }
    }
}
