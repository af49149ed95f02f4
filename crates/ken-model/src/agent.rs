//! Coding agents that answer prompts with the account that a person has with them.
//!
//! A table: how each is called so that it reads one prompt, runs nothing and keeps no session, and what names it.
//! Whether it is there and logged in is looked up by whoever offers it.

/// A coding agent that can be asked as a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AgentModel {
    /// What names it, as in `--model claude`.
    pub name: &'static str,
    /// What people call it.
    pub title: &'static str,
    /// The program and its arguments; the prompt comes on its standard input.
    pub words: &'static [&'static str],
    /// The argument that caps what one call may cost, in dollars, where it has one.
    pub usd_max: Option<&'static str>,
}

/// What stands for an agent's own words about itself, its tools and its user's rules: they would cost more than
/// most prompts.
const SYSTEM: &str = "You answer one prompt. Reply with what it asks for and with nothing else.";

/// Every agent, in the order in which they are offered.
pub const AGENTS: &[AgentModel] = &[
    AgentModel {
        name: "claude",
        title: "Claude Code",
        words: &[
            "claude",
            "-p",
            "--safe-mode",
            "--tools",
            "",
            "--strict-mcp-config",
            "--no-session-persistence",
            "--system-prompt",
            SYSTEM,
            "--output-format",
            "json",
        ],
        usd_max: Some("--max-budget-usd"),
    },
    AgentModel {
        name: "codex",
        title: "Codex",
        words: &[
            "codex",
            "exec",
            "--ephemeral",
            "--ignore-rules",
            "--skip-git-repo-check",
            "-s",
            "read-only",
            "--json",
            "-",
        ],
        usd_max: None,
    },
    AgentModel {
        name: "gemini",
        title: "Gemini CLI",
        words: &["gemini", "-e", "none", "-o", "json", "-p", SYSTEM],
        usd_max: None,
    },
    AgentModel { name: "opencode", title: "OpenCode", words: &["opencode", "run", "--pure"], usd_max: None },
    AgentModel {
        name: "copilot",
        title: "Copilot CLI",
        words: &["copilot", "-s", "--no-color", "--no-ask-user"],
        usd_max: None,
    },
];

impl AgentModel {
    /// Returns the agent of a name.
    pub fn of(name: &str) -> Option<&'static AgentModel> {
        AGENTS.iter().find(|agent| agent.name == name)
    }
}
