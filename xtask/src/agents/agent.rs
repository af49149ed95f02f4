//! What differs between the agents that are run: a line each in every function.

use std::process::Command;

use super::machine::Machine;

/// An agent that is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Agent {
    Claude,
    Codex,
    Gemini,
}

impl Agent {
    /// Every agent, in the order in which they are run.
    pub(super) const ALL: [Agent; 3] = [Agent::Claude, Agent::Codex, Agent::Gemini];

    /// The name that `ken install` takes.
    pub(super) fn name(self) -> &'static str {
        match self {
            Agent::Claude => "claude-code",
            Agent::Codex => "codex",
            Agent::Gemini => "gemini-cli",
        }
    }

    pub(super) fn program(self) -> &'static str {
        match self {
            Agent::Claude => "claude",
            Agent::Codex => "codex",
            Agent::Gemini => "gemini",
        }
    }

    /// The package and the version that the checks were written against; newer ones are tried with `--latest`.
    pub(super) fn release(self) -> (&'static str, &'static str) {
        match self {
            Agent::Claude => ("@anthropic-ai/claude-code", "2.1.330"),
            Agent::Codex => ("@openai/codex", "0.169.0"),
            Agent::Gemini => ("@google/gemini-cli", "0.61.0"),
        }
    }

    /// A file of the person's own configuration, with things that only a careful program keeps.
    pub(super) fn config(self) -> (&'static str, &'static str) {
        match self {
            Agent::Claude => (
                ".claude/settings.json",
                "{\n\t\"env\": {\"BAKERY\": \"1\"},\n\n\t\"permissions\": { \"allow\": [ \"Bash(ls:*)\" ] }\n}",
            ),
            Agent::Codex => (
                ".codex/config.toml",
                "# the person's own\nmodel_reasoning_effort = \"low\"   # quick\n\n[tui]\nnotifications = false\n",
            ),
            // Without a kind of account it takes a model elsewhere for one that it does not know. It shows its model
            // the names of all files, which is no affair of a vault.
            Agent::Gemini => (
                ".gemini/settings.json",
                "{\n\t// the person's own\n\t\"security\": {\"auth\": {\"selectedType\": \"gemini-api-key\"}},\n\n\
                 \t\"context\": {\"includeDirectoryTree\":false},\n\
                 \t\"privacy\": { \"usageStatisticsEnabled\": false },\n\
                 \t\"general\": {\"enableAutoUpdate\": false, \"enableAutoUpdateNotification\": false}\n}",
            ),
        }
    }

    /// The name by which `ken install --model` takes it.
    pub(super) fn as_model(self) -> &'static str {
        self.program()
    }

    /// Sets what makes the agent ask the model on loopback when `command` starts it.
    pub(super) fn surround(self, machine: &Machine, command: &mut Command) {
        let url = format!("http://127.0.0.1:{}", machine.mock.port);
        match self {
            Agent::Claude => {
                command.env("ANTHROPIC_BASE_URL", url).env("ANTHROPIC_API_KEY", "mock").env("DISABLE_TELEMETRY", "1");
                command.env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1");
            }
            Agent::Codex => {
                let home = machine.home.with_file_name("codex-as-model");
                let config = format!(
                    "model = \"gpt-5-mock\"\nmodel_provider = \"mock\"\n[model_providers.mock]\nname = \"mock\"\n\
                     base_url = \"{url}/v1\"\nwire_api = \"responses\"\nenv_key = \"MOCK_KEY\"\n"
                );
                // Where it cannot be written, the agent says what it misses.
                let _ = std::fs::create_dir_all(&home).and_then(|()| std::fs::write(home.join("config.toml"), config));
                command.env("CODEX_HOME", home).env("MOCK_KEY", "mock");
            }
            Agent::Gemini => {
                command.env("GOOGLE_GEMINI_BASE_URL", url).env("GEMINI_API_KEY", "mock");
                command.env("GEMINI_CLI_TRUST_WORKSPACE", "true");
            }
        }
    }

    /// A command that lists something, and writes what the program writes whenever it runs.
    pub(super) fn listing(self) -> [&'static str; 2] {
        match self {
            Agent::Claude | Agent::Codex => ["plugin", "list"],
            Agent::Gemini => ["extensions", "list"],
        }
    }

    /// Whether a prompt such as `/clear` is a command in a session without a screen.
    pub(super) fn takes_commands(self) -> bool {
        self == Agent::Claude
    }

    /// A file of the project with which every session is compacted before its next prompt.
    pub(super) fn always_compacting(self) -> Option<(&'static str, &'static str)> {
        let settings = "{\"model\": {\"compressionThreshold\": 0.00001}}";
        (self == Agent::Gemini).then_some((".gemini/settings.json", settings))
    }

    /// Returns the command for a session that is not watched, which goes on with `session` if it is given. In one
    /// that `is_strict` only what its configuration allows is run, and else every command.
    pub(super) fn session(self, machine: &Machine, prompt: &str, session: Option<&str>, is_strict: bool) -> Command {
        let mut command = machine.command(self.program());
        let url = format!("http://127.0.0.1:{}", machine.mock.port);
        match self {
            Agent::Claude => {
                command.env("ANTHROPIC_BASE_URL", url).env("ANTHROPIC_API_KEY", "mock").env("DISABLE_TELEMETRY", "1");
                command.env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1");
                command.args(["-p", prompt, "--output-format", "json", "--model", "claude-sonnet-4-5"]);
                session.iter().for_each(|session| {
                    command.args(["--resume", session]);
                });
                if !is_strict {
                    command.args(["--allowedTools", "Bash"]);
                }
            }
            Agent::Codex => {
                let provider = format!(
                    "model_providers.mock={{name=\"mock\",base_url=\"{url}/v1\",wire_api=\"responses\",env_key=\"MOCK_KEY\"}}"
                );
                command.env("MOCK_KEY", "mock").arg("exec");
                // Hooks are approved by a person; there is none here.
                command.args(["--skip-git-repo-check", "--dangerously-bypass-hook-trust"]);
                command.args(["-s", if is_strict { "read-only" } else { "workspace-write" }]);
                command.args(["-c", "model_provider=mock", "-m", "gpt-5-mock", "-c", &provider]);
                session.iter().for_each(|session| {
                    command.args(["resume", session]);
                });
                command.arg(prompt);
            }
            Agent::Gemini => {
                command.env("GOOGLE_GEMINI_BASE_URL", url).env("GEMINI_API_KEY", "mock");
                // Folders are trusted by a person; there is none here.
                command.env("GEMINI_CLI_TRUST_WORKSPACE", "true");
                // A model that is named is not first chosen by another one.
                command.args(["--model", "gemini-2.5-flash", "--prompt", prompt]);
                session.iter().for_each(|session| {
                    command.args(["--resume", session]);
                });
                if !is_strict {
                    command.arg("--yolo");
                }
            }
        }
        command
    }
}

/// Files that the agents write whenever they run, whatever they are told.
pub(super) fn is_noise(name: &str) -> bool {
    [
        ".claude.json",
        ".claude/backups/",
        ".claude/cache",
        ".claude/shell-snapshots/",
        ".claude/statsig",
        ".claude/telemetry",
        ".codex/log",
        ".codex/tmp",
        ".cache/",
        ".npm/",
        ".codex/.tmp",
        ".codex/version",
        ".codex/installation_id",
        ".gemini/history/",
        ".gemini/installation_id",
        ".gemini/projects.json",
        ".gemini/tmp/",
    ]
    .iter()
    .any(|part| name.starts_with(part))
}
