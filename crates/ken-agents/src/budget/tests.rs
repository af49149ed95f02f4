//! What each agent loads, from a folder made for the purpose: one line a case.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::mcp::{Listings, list};
use super::*;
use crate::agents::by_name;
use crate::machine::Machine;

/// A home folder with a repository `p` in it, and a session in `p/a`.
struct Home {
    dir: TempDir,
    machine: Machine,
}

impl Home {
    fn new(files: &[(&str, &str)]) -> Home {
        let dir = TempDir::new().expect("the machine has a folder for temporary files");
        let root = dir.path().canonicalize().expect("it was just made");
        let home = Home { machine: Machine { home: root, ..Machine::default() }, dir };
        for folder in ["p/.git", "p/a"] {
            std::fs::create_dir_all(home.dir.path().join(folder)).expect("an empty folder takes folders");
        }
        for (path, text) in files {
            home.write(path, text);
        }
        home
    }

    fn write(&self, path: &str, text: &str) -> PathBuf {
        let path = self.machine.home.join(path);
        std::fs::create_dir_all(path.parent().expect("it has a folder")).expect("folders can be made");
        std::fs::write(&path, text).expect("files can be written");
        path
    }

    fn load(&self, agent: &str) -> Loaded {
        let cwd = self.machine.home.join("p/a");
        let start = Start::new(&self.machine, &cwd);
        let agent = by_name(agent).expect("it is known");
        load(agent, &start, None, &Listings::default(), &|text| text.len())
    }
}

/// Checks which layers an agent loads, as `layer place bytes`.
#[track_caller]
fn check(agent: &str, files: &[(&str, &str)], expected: &[&str]) {
    let loaded = Home::new(files).load(agent);
    let parts: Vec<String> =
        loaded.parts.iter().map(|part| format!("{} {} {}", part.kind.name(), part.place, part.bytes)).collect();
    assert_eq!(parts, expected, "{agent}");
}

/// Checks which tool servers an agent starts.
#[track_caller]
fn check_servers(agent: &str, files: &[(&str, &str)], expected: &[&str]) {
    let loaded = Home::new(files).load(agent);
    let names: Vec<String> = loaded.servers.iter().map(|told| format!("{} {}", told.server.name, told.place)).collect();
    assert_eq!(names, expected, "{agent}");
}

#[test]
fn claude_code_reads_from_the_top_down() {
    let files = [
        ("p/CLAUDE.md", "1"),
        ("p/a/.claude/CLAUDE.md", "22"),
        ("p/a/CLAUDE.local.md", "333"),
        (".claude/CLAUDE.md", "4444"),
    ];
    let expected = [
        "instructions ~/.claude/CLAUDE.md 4",
        "instructions ~/p/CLAUDE.md 1",
        "instructions .claude/CLAUDE.md 2",
        "instructions CLAUDE.local.md 3",
    ];
    check("claude-code", &files, &expected);
}

#[test]
fn claude_code_reads_agents_md_only_where_there_is_no_claude_md() {
    check("claude-code", &[("p/AGENTS.md", "1")], &["instructions ~/p/AGENTS.md 1"]);
    check(
        "claude-code",
        &[("p/AGENTS.md", "1"), (".claude/CLAUDE.md", "2")],
        &["instructions ~/.claude/CLAUDE.md 1", "instructions ~/p/AGENTS.md 1"],
    );
    check("claude-code", &[("p/AGENTS.md", "1"), ("p/a/CLAUDE.md", "22")], &["instructions CLAUDE.md 2"]);
}

#[test]
fn claude_code_leaves_out_rules_that_wait_for_a_file() {
    let files = [("p/.claude/rules/a.md", "---\npaths: x/**\n---\n1"), ("p/.claude/rules/b/c.md", "22")];
    check("claude-code", &files, &["rule ~/p/.claude/rules/b/c.md 2"]);
}

#[test]
fn claude_code_follows_imports_four_hops_and_each_once() {
    let files = [
        ("p/CLAUDE.md", "@1.md @~/u.md"),
        ("p/1.md", "@2.md"),
        ("p/2.md", "@3.md"),
        ("p/3.md", "@4.md"),
        ("p/4.md", "@5.md @CLAUDE.md"),
        ("p/5.md", "5"),
        ("u.md", "u"),
    ];
    let expected = [
        "instructions ~/p/CLAUDE.md 13",
        "import ~/p/1.md 5",
        "import ~/p/2.md 5",
        "import ~/p/3.md 5",
        "import ~/p/4.md 16",
        "import ~/u.md 1",
    ];
    check("claude-code", &files, &expected);
}

#[test]
fn claude_code_counts_no_comments() {
    check("claude-code", &[("p/CLAUDE.md", "a<!-- @b.md -->"), ("p/b.md", "b")], &["instructions ~/p/CLAUDE.md 1"]);
}

#[test]
fn claude_code_loads_the_head_of_its_memory() {
    let home = Home::new(&[]);
    let name: String = home
        .machine
        .home
        .join("p")
        .to_string_lossy()
        .chars()
        .map(|ch| if ch.is_ascii_alphanumeric() { ch } else { '-' })
        .collect();
    home.write(&format!(".claude/projects/{name}/memory/MEMORY.md"), &"line\n".repeat(300));
    let loaded = home.load("claude-code");
    assert_eq!((loaded.parts[0].kind, loaded.parts[0].bytes), (Kind::Memory, 1000));
    assert_eq!(loaded.parts[0].n_unread, 500);
    assert_eq!(loaded.parts[0].note.as_deref(), Some("the agent loads the first 1000 of 1500 bytes"));
    home.write(".claude/settings.json", "{\"autoMemoryEnabled\": false}");
    assert_eq!(home.load("claude-code").parts, []);
}

#[test]
fn claude_code_lists_skills_by_their_descriptions() {
    let long = format!("---\nname: b\ndescription: {}\n---\n", "x".repeat(9000));
    let files = [
        ("p/.claude/skills/a/SKILL.md", "---\ndescription: does\nwhen_to_use: now\n---\nbody"),
        ("p/.claude/skills/b/SKILL.md", &long),
        ("p/.claude/skills/c/SKILL.md", "---\ndisable-model-invocation: true\n---\n"),
    ];
    check("claude-code", &files, &["skills ~/p/.claude/skills 1558"]);
}

#[test]
fn claude_code_lists_what_plugins_that_are_switched_on_bring() {
    let home = Home::new(&[
        (".claude/settings.json", "{\"enabledPlugins\": {\"on@m\": true, \"off@m\": false}}"),
        ("on/skills/a/SKILL.md", "---\ndescription: does\n---\n"),
        ("on/.mcp.json", "{\"mcpServers\": {\"w\": {\"command\": \"x\"}}}"),
        ("off/skills/a/SKILL.md", "---\ndescription: does\n---\n"),
    ]);
    let place = |name: &str| home.machine.home.join(name).display().to_string();
    let known = serde_json::json!({"plugins": {
        "on@m": [{"scope": "user", "installPath": place("on")}], "off@m": [{"installPath": place("off")}],
    }});
    home.write(".claude/plugins/installed_plugins.json", &known.to_string());
    let loaded = home.load("claude-code");
    let places: Vec<&str> = loaded.parts.iter().map(|part| part.place.as_str()).collect();
    assert_eq!((places, loaded.servers.len()), (vec!["~/on/skills"], 1));
}

#[test]
fn codex_reads_one_file_a_folder_and_cuts_them_all_together() {
    check(
        "codex",
        &[("p/AGENTS.md", "1"), ("p/AGENTS.override.md", "22"), ("p/a/AGENTS.md", "333")],
        &["instructions ~/p/AGENTS.override.md 2", "instructions AGENTS.md 3"],
    );
    let large = "x".repeat(30_000);
    check(
        "codex",
        &[(".codex/AGENTS.md", &large), ("p/AGENTS.md", &large), ("p/a/AGENTS.md", &large)],
        &["instructions ~/.codex/AGENTS.md 30000", "instructions ~/p/AGENTS.md 30000", "instructions AGENTS.md 2768"],
    );
    check(
        "codex",
        &[
            (".codex/config.toml", "project_doc_max_bytes = 2\nproject_doc_fallback_filenames = [\"X.md\"]"),
            ("p/X.md", "abc"),
        ],
        &["instructions ~/p/X.md 2"],
    );
}

#[test]
fn what_an_agent_cuts_off_is_counted_and_what_it_reads_whole_is_not() {
    let home = Home::new(&[("p/AGENTS.md", &"x".repeat(40_000))]);
    let n_unread = |agent: &str| home.load(agent).parts.iter().map(|part| part.n_unread).sum::<usize>();
    assert_eq!(n_unread("codex"), 40_000 - 32_768);
    assert_eq!(n_unread("claude-code"), 0);
}

#[test]
fn codex_imports_nothing_and_nothing_above_the_repository_is_read() {
    check("codex", &[("AGENTS.md", "1"), ("p/AGENTS.md", "@b.md"), ("p/b.md", "b")], &["instructions ~/p/AGENTS.md 5"]);
}

#[test]
fn gemini_cli_reads_the_names_in_its_settings() {
    check(
        "gemini-cli",
        &[("p/GEMINI.md", "1"), (".gemini/GEMINI.md", "22"), ("p/AGENTS.md", "3")],
        &["instructions ~/.gemini/GEMINI.md 2", "instructions ~/p/GEMINI.md 1"],
    );
    check(
        "gemini-cli",
        &[
            ("p/AGENTS.md", "1"),
            (".gemini/settings.json", "{\"context\": {\"fileName\": [\"AGENTS.md\", \"X.md\"]}} // c"),
        ],
        &["instructions ~/p/AGENTS.md 1"],
    );
}

#[test]
fn gemini_cli_imports_from_the_project_only() {
    check(
        "gemini-cli",
        &[("p/a/GEMINI.md", "@../b.md @../../c.md"), ("p/b.md", "b"), ("c.md", "c")],
        &["instructions GEMINI.md 20", "import ~/p/b.md 1"],
    );
}

#[test]
fn copilot_cli_reads_agents_md_and_claude_md() {
    let files = [
        ("p/AGENTS.md", "1"),
        ("p/CLAUDE.md", "22"),
        (".copilot/copilot-instructions.md", "333"),
        ("p/.github/copilot-instructions.md", "4444"),
        ("p/.github/instructions/a.instructions.md", "---\napplyTo: \"**\"\n---\nx"),
        ("p/.github/instructions/b.instructions.md", "---\napplyTo: \"*.py\"\n---\nx"),
    ];
    let expected = [
        "instructions ~/.copilot/copilot-instructions.md 3",
        "instructions ~/p/.github/copilot-instructions.md 4",
        "instructions ~/p/AGENTS.md 1",
        "instructions ~/p/CLAUDE.md 2",
        "rule ~/p/.github/instructions/a.instructions.md 1",
    ];
    check("copilot-cli", &files, &expected);
}

#[test]
fn opencode_falls_back_to_claude_md_and_reads_its_instructions() {
    check("opencode", &[("p/CLAUDE.md", "1")], &["instructions ~/p/CLAUDE.md 1"]);
    check("opencode", &[("p/CLAUDE.md", "1"), ("p/AGENTS.md", "22")], &["instructions ~/p/AGENTS.md 2"]);
    check(
        "opencode",
        &[
            ("p/opencode.json", "{\"instructions\": [\"docs/*.md\", \"https://x.y/z.md\"]}"),
            ("p/docs/b.md", "1"),
            ("p/docs/a.txt", "1"),
        ],
        &["rule ~/p/docs/b.md 1"],
    );
}

#[test]
fn cursor_reads_rules_that_always_apply() {
    let files = [
        ("p/.cursor/rules/a.mdc", "---\nalwaysApply: true\n---\n1"),
        ("p/.cursor/rules/b.mdc", "---\nalwaysApply: false\n---\n1"),
        ("p/AGENTS.md", "22"),
    ];
    check("cursor", &files, &["rule ~/p/.cursor/rules/a.mdc 1", "instructions ~/p/AGENTS.md 2"]);
}

#[test]
fn cline_reads_a_file_or_a_folder_of_rules() {
    check("cline", &[("p/a/.clinerules", "1")], &["instructions .clinerules 1"]);
    check(
        "cline",
        &[("p/a/.clinerules/x.md", "1"), (".cline/rules/y.md", "22"), ("p/a/AGENTS.md", "333")],
        &["rule ~/.cline/rules/y.md 2", "instructions AGENTS.md 3", "rule .clinerules/x.md 1"],
    );
}

#[test]
fn pi_reads_one_file_a_folder_from_the_top_down() {
    check(
        "pi",
        &[(".pi/agent/AGENTS.md", "1"), ("CLAUDE.md", "22"), ("p/AGENTS.md", "333"), ("p/CLAUDE.md", "4")],
        &["instructions ~/.pi/agent/AGENTS.md 1", "instructions ~/CLAUDE.md 2", "instructions ~/p/AGENTS.md 3"],
    );
}

#[test]
fn servers_are_read_from_every_place_and_the_nearest_counts() {
    let one = "{\"mcpServers\": {\"w\": {\"command\": \"x\"}, \"off\": {\"command\": \"x\", \"disabled\": true}}}";
    check_servers("claude-code", &[("p/.mcp.json", one), (".claude.json", one)], &["w ~/p/.mcp.json"]);
    check_servers(
        "codex",
        &[(
            ".codex/config.toml",
            "[mcp_servers.w]\ncommand = \"x\"\n[mcp_servers.off]\ncommand = \"x\"\nenabled = false",
        )],
        &["w ~/.codex/config.toml"],
    );
    check_servers("gemini-cli", &[(".gemini/settings.json", one)], &["w ~/.gemini/settings.json"]);
    check_servers("copilot-cli", &[(".copilot/mcp-config.json", one)], &["w ~/.copilot/mcp-config.json"]);
    check_servers(
        "opencode",
        &[("p/opencode.json", "{\"mcp\": {\"w\": {\"type\": \"local\", \"command\": [\"x\", \"y\"]}}}")],
        &["w ~/p/opencode.json"],
    );
    check_servers("cursor", &[("p/.cursor/mcp.json", one)], &["w ~/p/.cursor/mcp.json"]);
    check_servers(
        "cline",
        &[(".cline/data/settings/cline_mcp_settings.json", one)],
        &["w ~/.cline/data/settings/cline_mcp_settings.json"],
    );
    check_servers("claude-code", &[("p/.mcp.json", "not json")], &[]);
}

#[test]
fn what_is_trimmed_is_as_much_as_is_needed_the_largest_first() {
    let large = format!("# A\n# B\n{}\n", "x".repeat(600));
    let loaded = Home::new(&[("p/AGENTS.md", &large), ("p/a/AGENTS.md", "small")]).load("codex");
    let trim: Vec<&str> = loaded.to_trim(100).iter().map(|part| part.place.as_str()).collect();
    assert_eq!(trim, ["~/p/AGENTS.md"]);
    assert_eq!(loaded.parts[0].section, Some(Section { name: "B".to_owned(), tokens: 605 }));
    assert_eq!(loaded.to_trim(1000), Vec::<&Part>::new());
}

#[test]
fn more_files_than_anybody_means_are_not_read() {
    let home = Home::new(&[]);
    for n in 0..250 {
        home.write(&format!("p/.claude/rules/{n}.md"), "x");
    }
    let loaded = home.load("claude-code");
    assert_eq!((loaded.parts.len(), loaded.is_cut), (200, true));
}

#[test]
fn of_a_huge_file_a_part_is_read_and_settings_that_nest_too_deep_are_none() {
    let loaded = Home::new(&[("p/AGENTS.md", &"x".repeat(3 << 20))]).load("pi");
    assert_eq!(loaded.parts[0].bytes, 1 << 20);
    assert_eq!(loaded.parts[0].note.as_deref(), Some("only its first megabyte was counted"));
    check_servers("codex", &[(".codex/config.toml", &format!("a = {}", "[".repeat(1 << 20)))], &[]);
}

#[cfg(unix)]
#[test]
fn links_that_lead_round_and_pipes_are_passed_over() {
    let home = Home::new(&[("p/.claude/rules/a.md", "x"), ("p/CLAUDE.md", "@pipe.md")]);
    let project = home.machine.home.join("p");
    std::os::unix::fs::symlink(project.join(".claude"), project.join(".claude/rules/round"))
        .expect("links can be made");
    std::os::unix::fs::symlink("self.md", project.join(".claude/rules/self.md")).expect("links can be made");
    let made = std::process::Command::new("mkfifo").arg(project.join("pipe.md")).status();
    assert!(made.is_ok_and(|status| status.success()));
    assert_eq!(home.load("claude-code").tokens(), 9);
}

#[cfg(unix)]
mod servers {
    use std::time::Duration;

    use super::*;

    /// A server in a few lines of shell; `$LINE` is what it was asked.
    fn server(dir: &Path, body: &str) -> Call {
        let script = dir.join("server.sh");
        std::fs::write(&script, body).expect("files can be written");
        let args = vec![script.to_string_lossy().into_owned()];
        Call::Program { program: "/bin/sh".to_owned(), args, variables: Vec::new(), folder: None }
    }

    fn ask(body: &str) -> Result<(usize, String), String> {
        let home = Home::new(&[]);
        let start = Start::new(&home.machine, &home.machine.home);
        let listing = list(&server(&home.machine.home, body), &start, Duration::from_secs(5))?;
        Ok((listing.tools.len(), listing.instructions))
    }

    const GREETING: &str = r#"read line; echo '{"jsonrpc":"2.0","id":1,"result":{"capabilities":{"tools":{}},"instructions":"hello"}}'; read line;"#;

    #[test]
    fn a_server_lists_its_tools_over_pages_and_may_say_other_things() {
        let body = format!(
            r#"{GREETING} read line; echo 'no json'; echo '{{"method":"ping","id":2}}'
            echo '{{"id":2,"result":{{"tools":[{{"name":"a"}}],"nextCursor":"n"}}}}'
            read line; echo '{{"id":3,"result":{{"tools":[{{"name":"b"}}]}}}}'; read line"#
        );
        assert_eq!(ask(&body), Ok((2, "hello".to_owned())));
    }

    #[test]
    fn a_server_that_fails_says_why() {
        assert_eq!(ask("exit 1").map_err(|cause| cause.starts_with("it ended")), Err(true));
        let body = format!(r#"{GREETING} read line; echo '{{"id":2,"error":{{"message":"not now"}}}}'"#);
        assert_eq!(ask(&body), Err("it refused `tools/list`: not now".to_owned()));
    }

    #[test]
    fn a_server_and_what_it_started_do_not_outlive_the_question() {
        let home = Home::new(&[]);
        let sign = home.machine.home.join("alive");
        let start = Start::new(&home.machine, &home.machine.home);
        let body = format!("(sleep 1; : > '{}') &\nsleep 60", sign.display());
        let answer = list(&server(&home.machine.home, &body), &start, Duration::from_millis(100));
        assert_eq!(answer, Err("no answer within 0 s".to_owned()));
        std::thread::sleep(Duration::from_millis(1500));
        assert!(!sign.exists());
    }
}
