//! Vaults that somebody prepared: everything a clone or an archive can bring, opened with every command.

use std::fs;
use std::path::Path;

use super::arena::{Arena, copy, ended, hook, write};
use super::watch::Watch;
use super::{Plan, Tally};

/// Every command that needs nobody and no network.
pub(super) const COMMANDS: &[&[&str]] = &[
    &["status"],
    &["history"],
    &["list"],
    &["route", "what does the oven timer do"],
    &["context", "what does the oven timer do"],
    &["ask", "What does the oven timer do?"],
    &["search", "oven timer"],
    &["show", "oven"],
    &["brief"],
    &["brief", "--memory"],
    &["lint"],
    &["scan"],
    &["task"],
    &["costs"],
    &["recover"],
    &["log", "The oven was cleaned."],
    &["sync"],
    &["compile"],
    &["lint", "--fix"],
    &["work"],
    &["undo"],
    &["scan", "--fix"],
    &["compile", "--all"],
    &["rebuild", "--all"],
    &["init"],
    &["doctor"],
];

/// A word that stands in every text of a prepared vault: a session's start must not have it.
const CANARY: &str = "zebrafinch";
/// What prepared files write where they may not.
const PAYLOAD: &str = "planted by a stranger\n";

/// Something that somebody put into a vault: its name, and how.
type Planting = (String, Plant);

/// How something is put into a vault.
type Plant = Box<dyn Fn(&Arena) -> Result<(), String>>;

/// Opens every prepared vault with every command and with the hooks of a session.
pub(super) fn planted(plan: &Plan) -> Result<Tally, String> {
    let mut tally = Tally::default();
    let all = plantings();
    let step = plan.of(all.len().div_ceil(16), 1);
    for (name, plant) in all.into_iter().step_by(step) {
        let arena = prepared(plan, &plant)?;
        let watch = Watch::new(&arena, plan.is_long)?;
        let mut found = Vec::new();
        for args in COMMANDS {
            let (wrong, said) = watch.run(arena.ken(args), &args.join(" "));
            found.extend(wrong);
            if args[0] == "brief" && args.len() == 1 && said.contains(CANARY) {
                found.push("`brief`: text of a vault that nobody accepted".to_owned());
            }
            tally.tries += 1;
        }
        for event in ["SessionStart", "SessionEnd", "SessionStart"] {
            let transcript = arena.home().join("session.jsonl");
            let mut command = arena.ken(&["hook"]);
            command.env("KEN_NO_WORKER", if watch.is_traced() { "1" } else { "" });
            let output = hook(command, event, &arena.vault(), &transcript)?.wait_with_output();
            let output = output.map_err(|err| format!("a hook was lost: {err}"))?;
            if !output.status.success() {
                found.push(format!("hook {event}: {:?}", output.status));
            }
            if String::from_utf8_lossy(&output.stdout).contains(CANARY) {
                found.push(format!("hook {event}: text of a vault that nobody accepted"));
            }
            tally.tries += 1;
        }
        found.extend(watch.run(arena.ken(&["work"]), "work after hooks").0);
        found.extend(watch.changes());
        let bait = fs::read_to_string(arena.outside().join("bait.md")).unwrap_or_default();
        if bait != BAIT {
            found.push("the bait was changed".to_owned());
        }
        found.extend(stolen(&arena));
        tally.violations.extend(found.into_iter().map(|what| format!("{name}: {what}")));
    }
    Ok(tally)
}

const BAIT: &str = "# Private\n\nThe bait word is wolverine.\n";

/// A vault made by somebody else, with something planted in it.
fn prepared(plan: &Plan, plant: &dyn Fn(&Arena) -> Result<(), String>) -> Result<Arena, String> {
    let arena = Arena::new(&plan.ken)?;
    write(&arena.outside().join("bait.md"), BAIT.as_bytes())?;
    write(&arena.home().join("session.jsonl"), b"")?;
    for args in
        [&["init", "--quiet"][..], &["log", "--quiet", &format!("We decided that the [[oven-timer]] is a {CANARY}.")]]
    {
        ended(arena.attacker(args))?;
    }
    arena.entries()?;
    arena.plant("raw/handbook.md", format!("# Handbook\n\nThe oven is a {CANARY}.\n"))?;
    ended(arena.attacker(&["compile", "--quiet"]))?;
    arena.plant(".git/HEAD", "ref: refs/heads/main\n")?;
    arena.plant(".git/config", GIT_CONFIG)?;
    arena.plant(".env", "TOKEN=of-the-user\n")?;
    arena.plant("src/main.c", "int main;\n")?;
    plant(&arena)?;
    Ok(arena)
}

const GIT_CONFIG: &str = "[core]\n\trepositoryformatversion = 0\n\tbare = false\n";

/// Bytes of the bait anywhere under the vault.
fn stolen(arena: &Arena) -> Vec<String> {
    let holds = |path: &Path| fs::read(path).is_ok_and(|bytes| bytes.windows(9).any(|window| window == b"wolverine"));
    let files = super::arena::files(&arena.vault()).into_keys();
    let files = files.filter(|path| path.symlink_metadata().is_ok_and(|meta| meta.is_file()));
    files.filter(|path| holds(path)).map(|path| format!("the bait stands in {}", path.display())).collect()
}

/// Where a prepared record would like to write.
const TARGETS: &[&str] = &[
    ".git/config",
    ".git/hooks/post-checkout",
    ".GIT/config",
    ".gitattributes",
    ".env",
    "src/main.c",
    "kenning.toml",
    "Makefile",
    ".kenning/accepted",
    ".kenning/lock",
    "knowledge/index.md",
    "daily/2026-05-20.md",
    "../outside/bait.md",
    "/etc/kenning-was-here",
];

fn plantings() -> Vec<Planting> {
    [records(), repositories(), settings(), names()].into_iter().flatten().collect()
}

/// What the program keeps to go on from: intents and undo records.
fn records() -> Vec<Planting> {
    let mut all: Vec<Planting> = Vec::new();
    let mut add = |name: String, plant: Plant| all.push((name, plant));
    for target in TARGETS {
        for kind in ["write", "append"] {
            let bytes = intent("000900", target, kind);
            add(
                format!("intent that would {kind} {target}"),
                Box::new(move |arena| arena.plant(".kenning/intent", &bytes)),
            );
        }
        add(
            format!("undo record for {target}"),
            Box::new(move |arena| {
                let folder = arena.vault().join(".kenning/undo");
                let newest = fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.file_name()).max();
                let id = newest.map_or("000001".to_owned(), |name| name.to_string_lossy().into_owned());
                write(&folder.join(&id), &intent(&id, target, "write"))
            }),
        );
    }
    let staged = intent("000900", "src/main.c", "write");
    add(
        "unfinished intent".to_owned(),
        Box::new(move |arena| {
            arena.plant("src/.ken-000900-0.tmp", PAYLOAD)?;
            arena.plant(".kenning/intent.tmp", &staged)
        }),
    );
    add("intent of the attacker's own".to_owned(), Box::new(left_by_attacker));
    all
}

/// Repositories, in the vault's folder or as it, whose settings name programs.
fn repositories() -> Vec<Planting> {
    let mut all: Vec<Planting> = Vec::new();
    let mut add = |name: String, plant: Plant| all.push((name, plant));
    for (name, config) in [
        ("filter", "[filter \"x\"]\n\tclean = evil\n\tsmudge = evil\n\tprocess = evil\n"),
        (
            "fsmonitor",
            "[core]\n\tfsmonitor = evil\n\thooksPath = hooks\n\tsshCommand = evil\n\teditor = evil\n\tpager = evil\n",
        ),
        (
            "textconv",
            "[diff \"x\"]\n\ttextconv = evil\n\tcommand = evil\n[gpg]\n\tprogram = evil\n[alias]\n\tstatus = !evil\n",
        ),
        ("include", "[include]\n\tpath = ../outside/bait.md\n"),
    ] {
        add(format!("bare repository with {name}"), Box::new(move |arena| bare_repository(arena, "", config)));
        add(format!("repository with {name}"), Box::new(move |arena| bare_repository(arena, ".git/", config)));
    }
    add(
        "repository elsewhere".to_owned(),
        Box::new(|arena| {
            fs::remove_dir_all(arena.vault().join(".git")).map_err(|err| err.to_string())?;
            write(&arena.outside().join("repository/HEAD"), b"ref: refs/heads/wolverine\n")?;
            arena.plant(".git", format!("gitdir: {}\n", arena.outside().join("repository").display()))
        }),
    );
    all
}

/// Settings, registers and jobs that lead elsewhere.
fn settings() -> Vec<Planting> {
    let mut all: Vec<Planting> = Vec::new();
    let mut add = |name: String, plant: Plant| all.push((name, plant));
    for config in [
        "index = \".env\"",
        "index = \"src/main.c\"",
        "index = \".git/config\"",
        "index = \"../outside/bait.md\"",
        "index = \"/etc/passwd\"",
        "wiki = \".git\"",
        "wiki = \"src\"",
        "wiki = \".GIT/hooks\"",
        "wiki = \"../outside\"",
        "journal = \".git/refs\"",
        "sources = \".kenning\"",
        "sources = \"../outside\"",
        "memory_index = \".git/x.md\"",
        "memory_index = \"../outside/bait.md\"",
        "semantic = true",
        "exclude = [\"*\"]",
        "model = \"command:evil\"",
        "layout = \"ckp\"\nwiki = \".\"",
    ] {
        add(
            format!("setting {}", config.replace('\n', ", ")),
            Box::new(move |arena| arena.plant("kenning.toml", config)),
        );
    }
    for place in
        [".git/config", ".env", "../outside/bait.md", "/etc/passwd", "src/main.c", ".kenning/accepted", "raw/../.env"]
    {
        add(
            format!("registered source {place}"),
            Box::new(move |arena| {
                let line = format!("{{\"path\":\"{place}\",\"digest\":\"{}\",\"trust\":\"user\"}}\n", "0".repeat(64));
                let path = arena.vault().join(".kenning/sources.jsonl");
                let old = fs::read_to_string(&path).unwrap_or_default();
                arena.plant(
                    ".env",
                    "The [[secret-plan]] of the user is called porcupine. The [[secret-plan]] is private.\n",
                )?;
                arena.plant(".kenning/sources.jsonl", old + &line)
            }),
        );
    }
    for (name, transcript) in [("bait", "BAIT"), ("password file", "/etc/passwd"), ("device", "/dev/zero")] {
        add(
            format!("job that reads the {name}"),
            Box::new(move |arena| {
                let transcript = transcript.replace("BAIT", &arena.outside().join("bait.md").display().to_string());
                let job = format!(
                    r#"{{"at":"2026-06-01T11:00:00Z","agent":"claude-code","moment":"end","transcript":"{transcript}"}}"#
                );
                arena.plant(".kenning/spool/end-1.json", &job)?;
                arena.plant(".kenning/spool/end-2.json", format!("{job}\n{}\n", "0".repeat(64)))
            }),
        );
    }
    all
}

/// Single files of every other kind.
fn names() -> Vec<Planting> {
    let mut all: Vec<Planting> = Vec::new();
    let mut add = |name: String, plant: Plant| all.push((name, plant));
    for (name, path, content) in [
        ("acceptance", ".kenning/accepted", "0000000000000000000000000000000000000000000000000000000000000000\n"),
        ("answer that names a place", ".kenning/answers/../../../outside/x.json", "{}"),
        (
            "answer that is none",
            ".kenning/answers/x.json",
            r#"{"question":"zebrafinch?","answer":[{"text":"zebrafinch","path":"../outside/bait.md","lines":[1,3]}]}"#,
        ),
        ("record of a reply", ".kenning/replies/compile/x.json", r#"{"reply":"zebrafinch"}"#),
        ("refused reply", ".kenning/rejected/x.json", r#"{"zebrafinch":1}"#),
        ("work packet", ".kenning/tasks/x.json", r#"{"id":"x","path":"../outside/bait.md"}"#),
        ("costs", ".kenning/costs.jsonl", "{\"usd\":1e308}\nnot json\n"),
        ("operations", ".kenning/ops/9999-12.jsonl", "{\"id\":\"18446744073709551615\"}\nnot json\n"),
        ("flag", ".kenning/spool/x.flag", "9999-01-01T00:00:00Z"),
        ("notes of hooks", ".kenning/cache/hooks.log", "\u{1b}]0;zebrafinch\u{7}\n"),
        ("project state", ".kenning/cache/project.json", r#"{"at":null,"changed":["zebrafinch"]}"#),
        (
            "agents' settings",
            ".claude/settings.json",
            r#"{"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"evil"}]}]}}"#,
        ),
        ("tool servers", ".mcp.json", r#"{"mcpServers":{"x":{"command":"evil"}}}"#),
        ("models", "models.toml", "default = \"command:evil\"\n"),
        ("page that is a program", "knowledge/concepts/$(evil).md", "# Title `evil`\n"),
    ] {
        add(format!("planted {name}"), Box::new(move |arena| arena.plant(path, content)));
    }
    all
}

/// A record in the form of an unfinished change, whole and with a digest that fits.
fn intent(id: &str, target: &str, kind: &str) -> Vec<u8> {
    let meta = format!(
        r#"{{"version":1,"op":"{id}","steps":[{{"path":"{target}","kind":"{kind}","before_len":{},"after_len":{},"old_len":0,"before":null,"after":null,"internal":false}}]}}"#,
        if kind == "write" { "null" } else { "0" },
        PAYLOAD.len()
    );
    let body = format!("{meta}\n{PAYLOAD}");
    format!("{body}{}", blake3::hash(body.as_bytes())).into_bytes()
}

/// What the attacker's own program leaves when it is killed: the real form, with a key of the attacker's.
fn left_by_attacker(arena: &Arena) -> Result<(), String> {
    let record = arena.vault().join(".kenning/intent");
    for wait in (0..400).map(|n| 100 * (n % 80)) {
        let mut child = arena.attacker(&["log", PAYLOAD.trim()]).spawn().map_err(|err| err.to_string())?;
        std::thread::sleep(std::time::Duration::from_micros(wait));
        let _ = child.kill();
        let _ = child.wait();
        if record.exists() {
            break;
        }
    }
    Ok(())
}

fn bare_repository(arena: &Arena, below: &str, config: &str) -> Result<(), String> {
    let head = "[core]\n\trepositoryformatversion = 0\n\tworktree = .\n";
    arena.plant(&format!("{below}HEAD"), "ref: refs/heads/main\n")?;
    arena.plant(&format!("{below}config"), format!("{head}{config}"))?;
    arena.plant(&format!("{below}objects/info/packs"), "")?;
    arena.plant(&format!("{below}refs/heads/.keep"), "")?;
    arena.plant(&format!("{below}hooks/post-checkout"), "#!/bin/sh\nevil\n")?;
    arena.plant(".gitattributes", "* filter=x diff=x\n")
}

/// Caches that fit the vault but not its files: made by the attacker from other texts, and damaged ones.
pub(super) fn caches(plan: &Plan) -> Result<Tally, String> {
    let questions: &[&[&str]] = &[
        &["route", "oven timer"],
        &["search", "oven timer"],
        &["context", "oven timer"],
        &["lint"],
        &["list"],
        &["brief"],
    ];
    let other = Arena::new(&plan.ken)?;
    other.furnish()?;
    other.plant("knowledge/concepts/oven.md", format!("# Oven\n\nThe oven timer is a {CANARY}.\n"))?;
    for args in questions {
        ended(other.attacker(args))?;
    }
    let mut tally = Tally::default();
    let cache = other.vault().join(".kenning/cache");
    let names: Vec<_> = fs::read_dir(&cache).into_iter().flatten().flatten().map(|entry| entry.file_name()).collect();
    let mut kinds: Vec<Option<&std::ffi::OsString>> = names.iter().map(Some).collect();
    kinds.push(None);
    for kind in kinds {
        for is_damaged in [false, true] {
            let arena = Arena::new(&plan.ken)?;
            arena.furnish()?;
            // Without any cache: one that is not believed must be like none.
            let own = arena.vault().join(".kenning/cache");
            let mut expected = Vec::new();
            for args in questions {
                let _ = fs::remove_dir_all(&own);
                expected.push(ended(arena.ken(args))?.stdout);
            }
            let _ = fs::remove_dir_all(&own);
            match kind {
                None => copy(&cache, &own)?,
                Some(name) => write(&own.join(name), &fs::read(cache.join(name)).unwrap_or_default())?,
            }
            if is_damaged {
                for path in super::arena::files(&own).into_keys() {
                    let mut bytes = fs::read(&path).unwrap_or_default();
                    let middle = bytes.len() / 2;
                    bytes.iter_mut().skip(middle).take(64).for_each(|byte| *byte ^= 0x5a);
                    write(&path, &bytes)?;
                }
            }
            for (args, expected) in questions.iter().zip(expected) {
                let output = ended(arena.ken(args))?;
                tally.tries += 1;
                if output.stdout != expected {
                    let name = kind.map_or("all caches".into(), |name| name.to_string_lossy());
                    tally.violations.push(format!(
                        "`ken {}` answers from a planted cache ({name}, damaged: {is_damaged})",
                        args.join(" ")
                    ));
                }
            }
        }
    }
    Ok(tally)
}

/// Places of a vault where a link or a pipe could stand.
const PLACES: &[&str] = &[
    "knowledge",
    "knowledge/concepts",
    "knowledge/index.md",
    "knowledge/log.md",
    "knowledge/concepts/oven.md",
    "daily",
    "daily/2026-05-20.md",
    "daily/2026-06-01.md",
    "raw",
    "raw/handbook.md",
    "kenning.toml",
    ".kenning",
    ".kenning/accepted",
    ".kenning/lock",
    ".kenning/intent",
    ".kenning/intent.tmp",
    ".kenning/ops",
    ".kenning/undo",
    ".kenning/cache",
    ".kenning/cache/route.bin",
    ".kenning/spool",
    ".kenning/spool/lock",
    ".kenning/sources.jsonl",
    ".kenning/answers",
    ".kenning/replies",
    ".kenning/tasks",
    ".kenning/costs.jsonl",
];

/// Links to the bait and pipes that nobody writes to, in every place.
pub(super) fn links(plan: &Plan) -> Result<Tally, String> {
    if !cfg!(unix) {
        return Ok(Tally::skipped("only tried where links and pipes are those of Unix"));
    }
    let mut tally = Tally::default();
    let step = plan.of(6, 1);
    let kinds = ["link to a file", "link to a folder", "pipe"];
    let all = PLACES.iter().flat_map(|place| kinds.map(|kind| (*place, kind)));
    for (place, kind) in all.step_by(step) {
        let arena = prepared(plan, &|arena: &Arena| put(arena, place, kind))?;
        let watch = Watch::new(&arena, plan.is_long)?;
        for args in COMMANDS {
            let (wrong, _) = watch.run(arena.ken(args), &args.join(" "));
            tally.tries += 1;
            tally.violations.extend(wrong.into_iter().map(|what| format!("{kind} at {place}: {what}")));
        }
        let wrong = watch.changes().into_iter().chain(stolen(&arena));
        tally.violations.extend(wrong.map(|what| format!("{kind} at {place}: {what}")));
    }
    Ok(tally)
}

#[cfg(unix)]
fn put(arena: &Arena, place: &str, kind: &str) -> Result<(), String> {
    let path = arena.vault().join(place);
    let _ = fs::remove_file(&path).or_else(|_| fs::remove_dir_all(&path));
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|err| err.to_string())?;
    }
    let linked = |target: &Path| std::os::unix::fs::symlink(target, &path).map_err(|err| err.to_string());
    match kind {
        "link to a file" => linked(&arena.outside().join("bait.md")),
        "link to a folder" => linked(&arena.outside()),
        _ => match std::process::Command::new("mkfifo").arg(&path).status() {
            Ok(status) if status.success() => Ok(()),
            _ => Err("cannot make a pipe".to_owned()),
        },
    }
}

#[cfg(not(unix))]
fn put(_: &Arena, _: &str, _: &str) -> Result<(), String> {
    Err("links are only tried on Unix".to_owned())
}
