//! Whether an agent is on this machine, and whether somebody has logged in to it.
//!
//! Only whether a file of the agent's own is there is looked at, never what stands in it: agents keep their logins
//! in such files, or in the keychain of the system, where nobody can look without being asked for.

use std::path::PathBuf;

use crate::machine::Machine;

/// What is known of an agent's login.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Login {
    /// Its file is there.
    Yes,
    /// It is not, and on this system it would be.
    No,
    /// The system may keep it where nobody sees it.
    Unknown,
}

/// Returns the place of the program of this name, and what is known of its login.
pub fn login(machine: &Machine, program: &str) -> Option<(PathBuf, Login)> {
    let place = machine.program(program)?;
    let file = match program {
        "claude" => machine.folder("CLAUDE_CONFIG_DIR", ".claude").join(".credentials.json"),
        "codex" => machine.folder("CODEX_HOME", ".codex").join("auth.json"),
        "gemini" => machine.folder("GEMINI_CLI_HOME", "").join(".gemini").join("oauth_creds.json"),
        "opencode" => machine.folder("XDG_DATA_HOME", ".local/share").join("opencode").join("auth.json"),
        "copilot" => machine.folder("COPILOT_HOME", ".copilot").join("config.json"),
        _ => return Some((place, Login::Unknown)),
    };
    let has_keychain = cfg!(target_os = "macos") || cfg!(windows) || program == "copilot";
    let login = match () {
        () if file.is_file() => Login::Yes,
        () if has_keychain => Login::Unknown,
        () => Login::No,
    };
    Some((place, login))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_login_shows_by_the_agents_own_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let (home, bin) = (folder.path().join("home"), folder.path().join("bin"));
        let machine = Machine { home: home.clone(), path: vec![bin.clone()], ..Machine::default() };
        assert_eq!(login(&machine, "codex"), None);
        std::fs::create_dir_all(&bin).expect("a folder");
        std::fs::write(bin.join("codex"), "").expect("a file");
        if cfg!(target_os = "linux") {
            assert_eq!(login(&machine, "codex"), Some((bin.join("codex"), Login::No)));
        }
        std::fs::create_dir_all(home.join(".codex")).expect("a folder");
        std::fs::write(home.join(".codex/auth.json"), "{}").expect("a file");
        assert_eq!(login(&machine, "codex"), Some((bin.join("codex"), Login::Yes)));
    }
}
