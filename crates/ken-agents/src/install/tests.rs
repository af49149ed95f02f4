//! Round trips of installing and taking back.

mod program;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::json;
use tempfile::TempDir;

use super::*;

const WAIT: Duration = Duration::from_secs(5);

/// A machine with an empty home folder and a plan that edits one JSON file in it.
struct Bench {
    _dir: TempDir,
    machine: Machine,
    file: PathBuf,
}

impl Bench {
    fn new() -> Bench {
        let dir = TempDir::new().expect("the machine has a folder for temporary files");
        let home = dir.path().canonicalize().expect("it was just made");
        let machine = Machine { exe: home.join("bin/ken"), home: home.clone(), ..Machine::default() };
        Bench { _dir: dir, machine, file: home.join(".agent/settings.json") }
    }

    fn with(text: Option<&str>) -> Bench {
        let bench = Bench::new();
        if let Some(text) = text {
            fs::create_dir_all(bench.file.parent().expect("in a folder")).expect("a new folder");
            fs::write(&bench.file, text).expect("a new file");
        }
        bench
    }

    fn hook(&self) -> serde_json::Value {
        json!({"hooks": [{"type": "command", "command": crate::command::own(&self.machine.exe, None)}]})
    }

    fn plan(&self) -> Plan {
        let edit = |event: &str| JsonEdit::append(&["hooks", event], self.hook());
        let edits = vec![edit("SessionStart"), edit("Stop")];
        self.plan_of("claude-code", vec![Change::json(self.file.clone(), edits, false)])
    }

    fn plan_of(&self, agent: &str, changes: Vec<Change>) -> Plan {
        Plan { agent: agent.to_owned(), scope: Scope::User, changes, otherwise: Vec::new() }
    }

    fn install(&self, plan: &Plan) -> Result<Installed, Refusal> {
        install(plan, &self.machine, WAIT)
    }

    fn uninstall(&self) -> Vec<TakenBack> {
        uninstall(&self.machine, &|_, _| true, false, WAIT).expect("the receipt reads")
    }

    /// Every file below home with its bytes and whether it may be written, folders included.
    fn tree(&self) -> Vec<(String, Option<Vec<u8>>)> {
        let mut found = Vec::new();
        walk(&self.machine.home, &self.machine.home, &mut found);
        found.sort();
        found
    }
}

fn walk(root: &Path, dir: &Path, found: &mut Vec<(String, Option<Vec<u8>>)>) {
    for entry in fs::read_dir(dir).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        let name = entry.strip_prefix(root).expect("below").to_string_lossy().into_owned();
        if entry.is_dir() && !entry.is_symlink() {
            found.push((name, None));
            walk(root, &entry, found);
        } else {
            found.push((name, fs::read(&entry).ok()));
        }
    }
}

#[test]
fn asking_the_vault_needs_no_approval_where_an_agent_has_rules_for_that() {
    for (name, file, rule) in [
        ("claude-code", ".claude/settings.json", "\"Bash(ken ask:*)\""),
        ("codex", ".codex/rules/kenning.rules", "pattern = [\"ken\", [\"ask\", "),
        ("gemini-cli", ".gemini/policies/kenning.toml", "commandPrefix = [\"ken ask\", "),
    ] {
        let bench = Bench::new();
        let before = bench.tree();
        let agent = crate::agents::by_name(name).expect("it is known");
        let site = crate::agents::Site {
            machine: &bench.machine,
            scope: Scope::User,
            vault: None,
            along: Vec::new(),
            takes: false,
        };
        bench.install(&crate::agents::plan(agent, &site).expect("it can be installed")).expect("it installs");
        let text = fs::read_to_string(bench.machine.home.join(file)).expect("there");
        assert!(text.contains(rule) && !text.contains("undo") && !text.contains("compile"), "{text}");
        bench.uninstall();
        assert_eq!(bench.tree(), before, "{name}");
    }
}

#[test]
fn a_list_of_commands_that_gemini_cli_takes_for_all_that_may_run_is_never_begun() {
    for (list, is_ours_in) in [
        (json!(null), false),
        (json!([]), false),
        (json!(["read_file", "run_shell_command"]), false),
        (json!(["run_shell_command(ken ask)"]), false),
        (json!(["run_shell_command(git)"]), true),
        (json!(["ShellTool(npm test)", "run_shell_command(ken ask)"]), true),
    ] {
        let bench = Bench::new();
        let settings = bench.machine.home.join(".gemini/settings.json");
        fs::create_dir_all(settings.parent().expect("in a folder")).expect("a new folder");
        fs::write(&settings, json!({"tools": {"allowed": list}}).to_string()).expect("a new file");
        let before = bench.tree();
        let agent = crate::agents::by_name("gemini-cli").expect("it is known");
        let site = crate::agents::Site {
            machine: &bench.machine,
            scope: Scope::User,
            vault: None,
            along: Vec::new(),
            takes: false,
        };
        let plan = || crate::agents::plan(agent, &site).expect("it can be installed");
        bench.install(&plan()).expect("it installs");
        let text = fs::read_to_string(&settings).expect("there");
        assert_eq!(text.contains("run_shell_command(ken log)"), is_ours_in, "{list}");
        assert!(!bench.install(&plan()).expect("it installs").is_changed, "{list}");
        bench.uninstall();
        assert_eq!(bench.tree(), before, "{list}");
    }
}

/// Configuration files as people keep them.
const FILES: [&str; 14] = [
    "",
    "\n",
    "{}",
    "{}\n",
    "{ }",
    "{\n  // mine\n  \"model\": \"opus\", /* the best */\n  \"list\": [1,2,],\n}\n",
    "{\n\t\"model\": \"opus\"\n}",
    "{\r\n    \"model\": \"opus\"\r\n}\r\n",
    "\u{feff}{\"model\": \"opus\"}\n",
    "{\"z\":1,\"a\":{\"hooks\":[]}}",
    "{\"hooks\":{}}",
    "{\"hooks\": {\"Stop\": []}}\n",
    "{\n  \"hooks\": {\n    \"Stop\": [\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"say done\"}]}\n    ]\n  }\n}\n",
    "{\"model\":\"é\",\"hooks\":{\"PreToolUse\":[{\"matcher\":\"Bash\",\"hooks\":[]}]}}",
];

#[test]
fn uninstall_gives_every_byte_back() {
    for text in FILES.iter().map(|text| Some(*text)).chain([None]) {
        let bench = Bench::with(text);
        let before = bench.tree();
        assert!(bench.install(&bench.plan()).expect("it installs").is_changed, "{text:?}");
        let with = fs::read_to_string(&bench.file).expect("it is there");
        assert_eq!(with.matches("/bin/ken hook").count(), 2, "{with}");
        bench.uninstall();
        assert_eq!(bench.tree(), before, "{text:?} became {with:?}");
    }
}

#[test]
fn installing_twice_changes_nothing() {
    for text in FILES.iter().map(|text| Some(*text)).chain([None]) {
        let bench = Bench::with(text);
        bench.install(&bench.plan()).expect("it installs");
        let before = bench.tree();
        let modified = fs::metadata(&bench.file).and_then(|found| found.modified()).expect("it is there");
        assert_eq!(bench.install(&bench.plan()), Ok(Installed::default()));
        assert_eq!(preview(&bench.plan(), &bench.machine), Ok(Preview::Nothing));
        assert_eq!(bench.tree(), before);
        assert_eq!(fs::metadata(&bench.file).and_then(|found| found.modified()).ok(), Some(modified));
    }
}

#[test]
fn comments_and_form_stay_around_what_is_added() {
    let bench = Bench::with(Some("{\n\t// mine\n\t\"model\": \"opus\"\n}\n"));
    bench.install(&bench.plan()).expect("it installs");
    let text = fs::read_to_string(&bench.file).expect("it is there");
    assert!(
        text.starts_with("{\n\t// mine\n\t\"model\": \"opus\",\n\t\"hooks\": {\n\t\t\"SessionStart\": [\n"),
        "{text}"
    );
    let bench = Bench::with(Some(FILES[7]));
    bench.install(&bench.plan()).expect("it installs");
    let text = fs::read_to_string(&bench.file).expect("it is there");
    assert!(!text.replace("\r\n", "").contains('\n'), "{text:?}");
}

#[test]
fn a_hook_that_a_person_added_by_hand_is_enough_and_stays() {
    let bench = Bench::new();
    let own = json!({"hooks": {"SessionStart": [bench.hook()], "Stop": [bench.hook()]}});
    let bench = Bench { file: bench.file.clone(), ..bench };
    fs::create_dir_all(bench.file.parent().expect("in a folder")).expect("a new folder");
    fs::write(&bench.file, own.to_string()).expect("a new file");
    let before = bench.tree();
    assert!(!bench.install(&bench.plan()).expect("nothing is missing").is_changed);
    bench.uninstall();
    assert_eq!(bench.tree(), before);
}

#[test]
fn what_others_changed_since_stays_when_ours_goes() {
    let bench = Bench::with(Some("{\n  // mine\n  \"model\": \"opus\"\n}\n"));
    bench.install(&bench.plan()).expect("it installs");
    let text = fs::read_to_string(&bench.file).expect("it is there");
    fs::write(&bench.file, text.replace("opus", "sonnet")).expect("it may be written");
    let taken = bench.uninstall();
    assert_eq!(fs::read_to_string(&bench.file).expect("it stays"), "{\n  // mine\n  \"model\": \"sonnet\"\n}\n");
    assert!(taken[0].notes[0].contains("changed by others since"), "{taken:?}");
    assert!(!bench.machine.data().exists());
}

#[test]
fn a_file_that_only_we_needed_goes_also_when_others_reformatted_it() {
    let bench = Bench::new();
    bench.install(&bench.plan()).expect("it installs");
    let value: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(&bench.file).expect("there")).expect("JSON");
    fs::write(&bench.file, value.to_string()).expect("it may be written");
    bench.uninstall();
    assert!(!bench.file.exists() && !bench.file.parent().expect("in a folder").exists());
}

#[test]
fn a_file_that_is_no_json_is_refused_and_nothing_is_left_of_the_try() {
    for text in
        ["{\"a\":", "[]", "{\"hooks\": []}", "{\"hooks\": {\"Stop\": 1}}", "{\"hooks\":1,\"hooks\":{}}", "hello"]
    {
        let bench = Bench::with(Some(text));
        let before = bench.tree();
        let new = bench.machine.home.join("new/file");
        let Change::File(json) = bench.plan().changes.remove(0) else { unreachable!("it is a file") };
        let plan = bench.plan_of("pi", vec![Change::whole(new, "kenning: a", false), Change::File(json)]);
        let refusal = bench.install(&plan).expect_err("it is refused");
        assert!(refusal.message.starts_with("cannot edit `"), "{refusal:?}");
        assert_eq!(bench.tree(), before, "{text}");
    }
}

#[test]
fn an_installation_that_was_cut_off_can_be_taken_back() {
    let text = "{\n    \"model\": \"opus\"\n}";
    for is_made in [false, true] {
        let bench = Bench::with(Some(text));
        let before = bench.tree();
        let plan = bench.plan();
        let mut book = Book::open(&bench.machine, WAIT).expect("it opens");
        let mut step = apply::prepare(&plan.changes[0]).expect("it can be done").expect("there is something to do");
        let (agent, scope) = (plan.agent.clone(), plan.scope.clone());
        book.receipt.installed.push(Record { agent, scope, digest: plan_digest(&plan), steps: vec![step.clone()] });
        book.save().expect("it is written");
        if is_made {
            apply::make(&mut step, &bench.machine).expect("it is done");
        }
        drop(book);
        bench.uninstall();
        assert_eq!(bench.tree(), before);
    }
}

#[cfg(unix)]
#[test]
fn a_link_is_followed_and_stays_a_link() {
    let bench = Bench::new();
    let target = bench.machine.home.join("dotfiles/settings.json");
    fs::create_dir_all(target.parent().expect("in a folder")).expect("a new folder");
    fs::write(&target, "{}\n").expect("a new file");
    fs::create_dir_all(bench.file.parent().expect("in a folder")).expect("a new folder");
    std::os::unix::fs::symlink("../dotfiles/settings.json", &bench.file).expect("a new link");
    let before = bench.tree();
    bench.install(&bench.plan()).expect("it installs");
    assert!(bench.file.is_symlink());
    assert!(fs::read_to_string(&target).expect("it is there").contains("ken hook"));
    bench.uninstall();
    assert!(bench.file.is_symlink());
    assert_eq!(bench.tree(), before);
}

#[cfg(unix)]
#[test]
fn permissions_stay_and_what_is_read_only_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let bench = Bench::with(Some("{}"));
    let mode = |mode| fs::set_permissions(&bench.file, fs::Permissions::from_mode(mode)).expect("it is ours");
    mode(0o600);
    bench.install(&bench.plan()).expect("it installs");
    assert_eq!(fs::metadata(&bench.file).expect("there").permissions().mode() & 0o777, 0o600);
    bench.uninstall();
    mode(0o400);
    let refusal = bench.install(&bench.plan()).expect_err("it is refused");
    assert_eq!(refusal.causes, ["it is read-only"]);
    assert_eq!(fs::read_to_string(&bench.file).expect("there"), "{}");
}

#[test]
fn a_file_of_somebody_else_is_not_replaced() {
    let bench = Bench::with(Some("#!/bin/sh\necho mine\n"));
    let plan = bench.plan_of("cline", vec![Change::whole(bench.file.clone(), "# kenning: ours\n", true)]);
    assert!(bench.install(&plan).is_err());
    assert_eq!(fs::read_to_string(&bench.file).expect("there"), "#!/bin/sh\necho mine\n");
}

#[test]
fn two_that_share_a_change_keep_it_until_the_last_goes() {
    let bench = Bench::with(Some("# Ours"));
    let before = bench.tree();
    let block = || vec![Change::block(bench.file.clone(), "block", Marks::Markdown)];
    bench.install(&bench.plan_of("codex", block())).expect("it installs");
    bench.install(&bench.plan_of("pi", block())).expect("it installs");
    uninstall(&bench.machine, &|agent, _| agent == "codex", false, WAIT).expect("it goes");
    assert!(fs::read_to_string(&bench.file).expect("there").contains("block"));
    bench.uninstall();
    assert_eq!(bench.tree(), before);
}

#[test]
fn a_changed_plan_takes_the_place_of_the_old_one() {
    let mut bench = Bench::with(Some("{\"a\": 1}"));
    let before = bench.tree();
    bench.install(&bench.plan()).expect("it installs");
    bench.machine.exe = PathBuf::from("/elsewhere/ken");
    let Ok(Preview::Steps(steps)) = preview(&bench.plan(), &bench.machine) else { panic!("nothing to do") };
    let [PreviewStep::File { is_new: false, diff, .. }] = steps.as_slice() else { panic!("{steps:?}") };
    assert_eq!((diff.matches("\n-").count(), diff.matches("\n+").count()), (2, 2), "{diff}");
    assert!(bench.install(&bench.plan()).expect("it installs").is_changed);
    let text = fs::read_to_string(&bench.file).expect("there");
    assert!(text.contains("/elsewhere/ken hook") && !text.contains("bin/ken hook"), "{text}");
    bench.uninstall();
    assert_eq!(bench.tree(), before);
}

#[test]
fn many_that_install_at_once_leave_one_installation() {
    let bench = Bench::with(Some("{}"));
    let before = bench.tree();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| bench.install(&bench.plan()).expect("it waits for its turn"));
        }
    });
    let text = fs::read_to_string(&bench.file).expect("there");
    assert_eq!(text.matches("ken hook").count(), 2, "{text}");
    bench.uninstall();
    assert_eq!(bench.tree(), before);
}

/// Settings with hooks of claude-memory-compiler, alone and beside somebody's own, in a form that no printer gives.
const COMPILER: &str = "\u{feff}{\r\n\t\"model\": \"x\",\r\n\t\"hooks\": { \"SessionEnd\": [ {\"matcher\": \"\", \"hooks\": [\r\n\t\t{\"type\":\"command\",\"command\":\"uv run python hooks/session-end.py\",\"timeout\":10},  {\"type\":\"command\",\"command\":\"mine.sh\"} ]} ],\r\n\t\"PreCompact\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"uv run python hooks/pre-compact.py\"}]}],\r\n\t\"Stop\": [] }\r\n}";

fn plan_taking(bench: &Bench, takes: bool) -> Plan {
    let agent = crate::agents::by_name("claude-code").expect("it is known");
    let site = crate::agents::Site {
        machine: &bench.machine,
        scope: Scope::User,
        vault: Some(bench.machine.home.join("shop")),
        along: Vec::new(),
        takes,
    };
    crate::agents::plan(agent, &site).expect("it can be installed")
}

#[test]
fn hooks_of_another_tool_are_taken_out_on_request_stay_out_and_come_back_byte_for_byte() {
    let bench = Bench::new();
    let shop = bench.machine.home.join("shop/.claude/settings.json");
    let own = bench.machine.home.join(".claude/settings.json");
    for file in [&shop, &own] {
        fs::create_dir_all(file.parent().expect("in a folder")).expect("a new folder");
        fs::write(file, COMPILER).expect("a new file");
    }
    let before = bench.tree();
    bench.install(&plan_taking(&bench, false)).expect("it installs");
    assert_eq!(fs::read_to_string(&shop).expect("there"), COMPILER, "nobody asked for it");
    bench.install(&plan_taking(&bench, true)).expect("it installs");
    for file in [&shop, &own] {
        let text = fs::read_to_string(file).expect("there");
        assert!(!text.contains("session-end.py") && !text.contains("pre-compact.py"), "{text}");
        assert!(text.contains("mine.sh") && text.contains("\"Stop\""), "{text}");
        serde_json::from_str::<serde_json::Value>(text.trim_start_matches('\u{feff}')).expect("JSON");
    }
    assert!(fs::read_to_string(&own).expect("there").contains("ken"), "ours stand there instead");
    // Who installs again without saying so keeps it.
    let is_changed = bench.install(&plan_taking(&bench, false)).expect("it installs").is_changed;
    assert!(!is_changed);
    bench.uninstall();
    assert_eq!(bench.tree(), before);
}

#[test]
fn hooks_that_were_taken_out_come_back_beside_what_others_wrote_since() {
    let bench = Bench::new();
    let shop = bench.machine.home.join("shop/.claude/settings.json");
    fs::create_dir_all(shop.parent().expect("in a folder")).expect("a new folder");
    fs::write(&shop, COMPILER).expect("a new file");
    bench.install(&plan_taking(&bench, true)).expect("it installs");
    let now = fs::read_to_string(&shop).expect("there").replace("\"x\"", "\"y\"");
    fs::write(&shop, now).expect("written");
    bench.uninstall();
    let text = fs::read_to_string(&shop).expect("there");
    let value: serde_json::Value = serde_json::from_str(text.trim_start_matches('\u{feff}')).expect("JSON");
    assert_eq!(value["model"], "y");
    let commands: Vec<&str> = ["SessionEnd", "PreCompact"]
        .iter()
        .flat_map(|event| value["hooks"][*event].as_array().expect("a list"))
        .flat_map(|group| group["hooks"].as_array().expect("a list"))
        .filter_map(|hook| hook["command"].as_str())
        .collect();
    assert_eq!(commands, ["uv run python hooks/session-end.py", "mine.sh", "uv run python hooks/pre-compact.py"]);
    let was: serde_json::Value = serde_json::from_str(COMPILER.trim_start_matches('\u{feff}')).expect("JSON");
    for event in ["SessionEnd", "PreCompact"] {
        assert_eq!(value["hooks"][event], was["hooks"][event], "in the order that they stood in");
    }
}

#[test]
fn hooks_that_were_taken_out_come_back_in_their_place_also_where_their_lists_are_gone() {
    let theirs =
        |name: &str| format!("{{\"hooks\":[{{\"type\":\"command\",\"command\":\"python hooks/{name}.py\"}}]}}");
    let mine = |name: &str| format!("{{\"hooks\":[{{\"type\":\"command\",\"command\":\"{name}.sh\"}}]}}");
    let (start, end, compact) = (theirs("session-start"), theirs("session-end"), theirs("pre-compact"));
    let before = format!(
        "{{\"hooks\":{{\"SessionStart\":[{},{start},{}],\"PreCompact\":[{compact}],\"Stop\":[{}],\"SessionEnd\":[{end}]}}}}",
        mine("a"),
        mine("b"),
        mine("c")
    );
    let edits: Vec<super::JsonEdit> = ["SessionStart", "SessionEnd", "PreCompact"]
        .iter()
        .map(|event| super::JsonEdit::take(&["hooks", event], &["hooks/"]))
        .collect();
    let taken = super::json::merged(&before, &edits, true).expect("JSON");
    assert!(!taken.contains("hooks/"), "{taken}");
    let back = |now: &str| {
        let text = super::json::put_back(now, &edits, &before).expect("JSON");
        serde_json::from_str::<serde_json::Value>(&text).expect("JSON").to_string()
    };
    let was: serde_json::Value = serde_json::from_str(&before).expect("JSON");
    assert_eq!(back(&taken), was.to_string());
    assert_eq!(back(&before), was.to_string(), "what stands there already is not put there twice");
    // Somebody tidied up what was left empty, and wrote a hook of theirs behind.
    let tidied = format!(
        "{{\"hooks\":{{\"SessionStart\":[{},{},{}],\"Stop\":[{}]}}}}",
        mine("a"),
        mine("b"),
        mine("d"),
        mine("c")
    );
    let expected = before.replace(
        &format!("{},{start},{}", mine("a"), mine("b")),
        &format!("{},{start},{},{}", mine("a"), mine("b"), mine("d")),
    );
    let expected: serde_json::Value = serde_json::from_str(&expected).expect("JSON");
    assert_eq!(back(&tidied), expected.to_string());
    let emptied = format!(
        "{{\"model\":\"y\",\"hooks\":{{\"SessionStart\":[{start}],\"PreCompact\":[{compact}],\"SessionEnd\":[{end}]}}}}"
    );
    assert_eq!(back("{\"model\":\"y\"}"), emptied);
}

#[test]
fn settings_that_are_gone_are_not_made_to_take_something_out() {
    let bench = Bench::new();
    let shop = bench.machine.home.join("shop/.claude/settings.json");
    fs::create_dir_all(shop.parent().expect("in a folder")).expect("a new folder");
    fs::write(&shop, COMPILER).expect("a new file");
    bench.install(&plan_taking(&bench, true)).expect("it installs");
    fs::remove_file(&shop).expect("removed");
    bench.install(&plan_taking(&bench, true)).expect("it installs");
    assert!(!shop.exists());
    bench.uninstall();
    assert!(!shop.exists());
}
