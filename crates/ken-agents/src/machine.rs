//! The machine as far as agents are concerned: home folder, search path, moved folders.
//!
//! A value, so that a test can make a machine of its own in an empty folder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Variables that move an agent's folders or say who called; no others are looked at.
pub const VARIABLES: &[&str] = &[
    "CLAUDE_CODE_DISABLE_AUTO_MEMORY",
    "CLAUDE_CODE_SESSION_ID",
    "CLAUDE_CONFIG_DIR",
    "CLAUDE_PLUGIN_ROOT",
    "CLAUDE_PROJECT_DIR",
    "CLAUDECODE",
    "CLINE_DIR",
    "CODEX_HOME",
    "COPILOT_CLI",
    "COPILOT_HOME",
    "GEMINI_CLI",
    "GEMINI_CLI_HOME",
    "GEMINI_SESSION_ID",
    "KEN_HOOK_GUARD",
    "KIMI_CODE_HOME",
    "OPENCODE_DATA_DIR",
    "PI_CODING_AGENT_DIR",
    "PLUGIN_ROOT",
    "QWEN_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_STATE_HOME",
];

/// Where things stand on this machine.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Machine {
    /// The home folder.
    pub home: PathBuf,
    /// The folders that programs are looked for in, in order.
    pub path: Vec<PathBuf>,
    /// The running program, absolute.
    pub exe: PathBuf,
    /// The variables of [`VARIABLES`] that are set and not empty.
    pub variables: BTreeMap<String, String>,
}

impl Machine {
    /// Returns the value of one of [`VARIABLES`].
    pub fn variable(&self, name: &str) -> Option<&str> {
        self.variables.get(name).map(String::as_str)
    }

    /// Returns the folder that `variable` names, else `default` in the home folder.
    pub fn folder(&self, variable: &str, default: &str) -> PathBuf {
        self.variable(variable).map_or_else(|| self.home.join(default), PathBuf::from)
    }

    /// Returns the folder in which Kenning keeps what belongs to the user and to no vault.
    pub fn data(&self) -> PathBuf {
        let default = match () {
            () if cfg!(target_os = "macos") => "Library/Application Support",
            () if cfg!(windows) => "AppData/Local",
            () => ".local/share",
        };
        self.folder("XDG_DATA_HOME", default).join("kenning")
    }

    /// Returns the folder in which Kenning keeps what says of files that they are this user's: the key.
    pub fn state(&self) -> PathBuf {
        let default = match () {
            () if cfg!(target_os = "macos") => "Library/Application Support",
            () if cfg!(windows) => "AppData/Local",
            () => ".local/state",
        };
        self.folder("XDG_STATE_HOME", default).join("kenning")
    }

    /// Returns how a place is best named to the user: `~` for the home folder.
    pub fn shown(&self, path: &Path) -> String {
        match path.strip_prefix(&self.home) {
            Ok(rest) if !self.home.as_os_str().is_empty() => format!("~/{}", rest.display()),
            _ => path.display().to_string(),
        }
    }

    /// Returns the place of a program on the search path.
    pub fn program(&self, name: &str) -> Option<PathBuf> {
        let names = [name.to_owned(), format!("{name}.exe"), format!("{name}.cmd")];
        let n_names = if cfg!(windows) { names.len() } else { 1 };
        let places = self.path.iter().filter(|folder| folder.is_absolute());
        places.flat_map(|folder| names[..n_names].iter().map(|name| folder.join(name))).find(|file| Path::is_file(file))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_moves_a_folder() {
        let mut machine = Machine { home: PathBuf::from("/h"), ..Machine::default() };
        assert_eq!(machine.folder("CODEX_HOME", ".codex"), Path::new("/h/.codex"));
        machine.variables.insert("CODEX_HOME".to_owned(), "/elsewhere".to_owned());
        assert_eq!(machine.folder("CODEX_HOME", ".codex"), Path::new("/elsewhere"));
    }
}
