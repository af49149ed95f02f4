//! Compiling with a program as the model: killed at any moment, rebuilt, copied, in another order.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{ANSWER_EACH, Place, run, text};

/// A day: its name, and its entries by title with what they say.
type Day = (&'static str, &'static [(&'static str, &'static [&'static str])]);

const DAYS: &[Day] = &[
    (
        "2026-04-01",
        &[
            ("Tokens", &["Refresh tokens live 60 minutes.", "The session store keeps refresh tokens hashed."]),
            ("Ovens", &["The oven schedule starts the ovens at five.", "The oven schedule hangs beside the door."]),
        ],
    ),
    (
        "2026-04-02",
        &[(
            "Rotation",
            &["Refresh tokens are rotated at every use.", "The refresh token rotation asks the login service."],
        )],
    ),
    (
        "2026-04-03",
        &[
            ("Limits", &["Refresh tokens live 15 minutes.", "The login service counts failed logins."]),
            (
                "Storage",
                &["The session store of the login service forgets refresh tokens.", "The session store is small."],
            ),
        ],
    ),
];

const TITLES: &[&str] =
    &["Refresh token rotation", "Refresh tokens", "Login service", "Session store", "Oven schedule"];

/// What names a claim.
fn id(claim: &str) -> String {
    let words = claim.to_lowercase().trim_end_matches('.').to_owned();
    ken_core::Digest::of(words.as_bytes()).short()
}

fn day(sections: &[(&str, &[&str])]) -> String {
    let section = |(title, said): &(&str, &[&str])| {
        let said: String = said.iter().map(|said| format!("- {said}\n")).collect();
        format!("### Session (09:00) - {title}\n\n**Decisions Made:**\n{said}\n")
    };
    format!("## Sessions\n\n{}", sections.iter().map(section).collect::<String>())
}

/// What a model that reads well makes of a section.
fn reading(said: &[&str]) -> Value {
    let mut claims = Vec::new();
    let mut named = Vec::new();
    for (n, said) in said.iter().enumerate() {
        let is_in = |title: &&str| said.to_lowercase().contains(&title.to_lowercase());
        let subjects: Vec<&str> = TITLES.iter().copied().filter(|title| is_in(title)).collect();
        let replaces =
            if said.contains("15 minutes") { vec![id("Refresh tokens live 60 minutes.")] } else { Vec::new() };
        // The first line of a portion is the heading of its list.
        claims.push(json!({"text": said, "lines": [n + 2, n + 2], "kind": "fact", "subjects": subjects,
            "same_as": [], "replaces": replaces, "disputes": []}));
        named.extend(subjects);
    }
    named.sort_unstable();
    named.dedup();
    let card = |name: &&str| json!({"name": name, "category": "concept", "aliases": []});
    json!({"claims": claims, "subjects": named.iter().map(card).collect::<Vec<_>>(), "connections": []})
}

/// A vault with days to read, and a program that replies.
struct Asking {
    place: Place,
}

impl Asking {
    fn new() -> Asking {
        let asking = Asking { place: Place::new() };
        let (daily, replies) = (asking.vault().join("daily"), asking.replies());
        fs::create_dir_all(&daily).expect("a new folder");
        fs::create_dir_all(&replies).expect("a new folder");
        for (date, sections) in DAYS {
            fs::write(daily.join(format!("{date}.md")), format!("# Daily Log: {date}\n\n{}", day(sections)))
                .expect("writes");
            for (title, said) in *sections {
                fs::write(replies.join(format!("{title}.json")), reading(said).to_string()).expect("writes");
            }
        }
        let told = "Refresh tokens are rotated at every use.";
        let page = json!({"tldr": told,
            "triggers": ["session length", "token lifetime", "rotation", "login expiry", "hashed tokens"],
            "high": ["session-store"], "mid": [],
            "sections": [{"heading": "", "sentences": [{"text": told, "claims": [id(told)], "synthesis": false}]}]});
        let no_page = json!({"tldr": "", "triggers": [], "high": [], "mid": [], "sections": []});
        for (name, reply) in [
            ("page", page),
            ("no-page", no_page),
            ("merge", json!({"same": true, "title": "Refresh tokens"})),
            ("no-merge", json!({"same": false, "title": ""})),
        ] {
            fs::write(replies.join(format!("{name}.json")), reply.to_string()).expect("writes");
        }
        fs::write(replies.join("reply.sh"), format!("{SCRIPT}{ANSWER_EACH}")).expect("writes");
        asking
    }

    fn vault(&self) -> PathBuf {
        self.place.project()
    }

    fn replies(&self) -> PathBuf {
        self.place.home().join("replies")
    }

    fn n_calls(&self) -> usize {
        fs::read_to_string(self.replies().join("calls")).unwrap_or_default().lines().count()
    }

    fn compile(&self) -> Command {
        let folder = self.replies();
        let model = format!("command:sh {} {}", folder.join("reply.sh").display(), folder.display());
        self.place.ken(&["compile", "--model", &model])
    }

    /// Compiles undisturbed until nothing is asked and nothing changes: a page that two became is asked about in the next
    /// run. Returns how often the model was asked.
    fn finish(&self) -> usize {
        let before = self.n_calls();
        for _ in 0..5 {
            let known = (self.n_calls(), wiki(&self.vault()));
            let output = self.compile().output().expect("the binary runs");
            assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
            if (self.n_calls(), wiki(&self.vault())) == known {
                return known.0 - before;
            }
        }
        panic!("there is always something to ask: {} calls", self.n_calls() - before);
    }

    fn lints_clean(&self) {
        let output = self.place.ken(&["lint", "--json"]).output().expect("the binary runs");
        assert!(output.status.success(), "{}", text(&output.stdout));
    }
}

const SCRIPT: &str = r#"
echo call >> "$1/calls"
asked=$(cat)
sleep 0.01
folder=$1
one() {
case "$1" in
*'Asks for: same'*'Refresh token rotation'*) cat "$folder/merge.json" ;;
*'Asks for: same'*) cat "$folder/no-merge.json" ;;
*'Asks for:'*'Page: Refresh tokens'*) cat "$folder/page.json" ;;
*'Asks for:'*) cat "$folder/no-page.json" ;;
*'Title: Tokens'*) cat "$folder/Tokens.json" ;;
*'Title: Ovens'*) cat "$folder/Ovens.json" ;;
*'Title: Rotation'*) cat "$folder/Rotation.json" ;;
*'Title: Limits'*) cat "$folder/Limits.json" ;;
*'Title: Storage'*) cat "$folder/Storage.json" ;;
*) echo 'nobody said what to reply' ;;
esac
}
"#;

/// Every file of a wiki but the log, which tells when things happened.
fn wiki(vault: &Path) -> BTreeMap<PathBuf, String> {
    let (mut out, mut folders) = (BTreeMap::new(), vec![vault.join("knowledge")]);
    while let Some(folder) = folders.pop() {
        for child in fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
            if child.is_dir() {
                folders.push(child);
            } else {
                let name = child.strip_prefix(vault).expect("inside").to_path_buf();
                out.insert(name, fs::read_to_string(&child).expect("reads"));
            }
        }
    }
    out.remove(Path::new("knowledge/log.md"));
    out
}

fn copy(from: &Path, to: &Path) {
    let copied = Command::new("cp").arg("-r").arg(from).arg(to).status().expect("there is cp");
    assert!(copied.success());
}

fn costs(asking: &Asking) -> Value {
    let output = asking.place.ken(&["costs", "--json"]).output().expect("the binary runs");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// Starts a compile, kills it and the program it asks after a while; returns whether it was still running.
fn killed(asking: &Asking, after: Duration) -> bool {
    let mut command = asking.compile();
    command.stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
    let mut child = command.spawn().expect("the binary runs");
    std::thread::sleep(after);
    let is_running = child.try_wait().expect("it is ours").is_none();
    let status = Command::new("sh").arg("-c").arg(format!("kill -9 -{}", child.id())).stderr(Stdio::null()).status();
    let _ = status.expect("there is a shell");
    child.wait().expect("it ends");
    is_running
}

fn is_as_undisturbed(asking: &Asking, whole: &BTreeMap<PathBuf, String>, (n_tasks, n_kills): (usize, usize)) {
    let found = wiki(&asking.vault());
    for (path, text) in whole {
        let spent = || format!("{} calls of {n_tasks}, {}", asking.n_calls(), costs(asking));
        assert_eq!(found.get(path), Some(text), "{} after {n_kills} kills: {}", path.display(), spent());
    }
    assert_eq!(found.len(), whole.len(), "{:?} after {n_kills} kills", found.keys());
    let n_calls = asking.n_calls();
    assert!((n_tasks..=n_tasks + n_kills).contains(&n_calls), "{n_calls} calls for {n_tasks} tasks, {n_kills} kills");
    assert_eq!(asking.finish(), 0, "what is recorded is not asked again");
    asking.lints_clean();
    let total = &costs(asking)["total"];
    let number = |name: &str| total[name].as_u64().expect("a number") as usize;
    let (n_back, n_lost) = (number("calls"), number("lost"));
    assert!(n_lost <= n_kills, "{total}");
    // A call that was noted and never made is lost as well: nobody can tell.
    assert!(n_back + n_lost >= n_calls && n_back + n_lost <= n_calls + n_kills, "{n_calls} calls, {total}");
    let leftover = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(".ken-"));
    let staged: Vec<_> = asking.place.files().into_iter().filter(leftover).collect();
    // Whoever was killed is gone, and the compiles since then had the lock.
    assert!(staged.is_empty(), "{staged:?}");
}

#[test]
fn a_compile_with_a_model_killed_at_any_moment_pays_once_and_ends_the_same() {
    const KILLS: u32 = 12;
    let undisturbed = Asking::new();
    let started = Instant::now();
    assert!(undisturbed.compile().output().expect("the binary runs").status.success());
    let took = started.elapsed();
    undisturbed.finish();
    let n_tasks = undisturbed.n_calls();
    let whole = wiki(&undisturbed.vault());
    assert!(n_tasks >= 5 && whole.len() >= 5, "{n_tasks} tasks, {:?}", whole.keys());
    assert_eq!(costs(&undisturbed)["total"]["calls"], n_tasks);
    // Once each, at moments spread over the whole run.
    let mut n_killed = 0;
    for kill in 0..KILLS {
        let asking = Asking::new();
        let n = usize::from(killed(&asking, took * kill / KILLS));
        n_killed += n;
        asking.finish();
        is_as_undisturbed(&asking, &whole, (n_tasks, n));
    }
    assert!(n_killed > 4, "{n_killed} of {KILLS} were still running");
    // Again and again, each time a little further.
    let asking = Asking::new();
    let mut n = 0;
    for kill in 1..=KILLS {
        n += usize::from(killed(&asking, took * kill / (2 * KILLS)));
    }
    asking.finish();
    is_as_undisturbed(&asking, &whole, (n_tasks, n));
}

#[test]
fn notes_of_a_day_share_a_call_and_each_has_a_record_of_its_own() {
    let asking = Asking::new();
    asking.finish();
    let costs = costs(&asking);
    let of_notes = costs["rows"].as_array().expect("rows").iter().find(|row| row["task"] == "compile");
    assert_eq!(of_notes.expect("notes were read")["calls"], DAYS.len(), "{costs}");
    let n_notes: usize = DAYS.iter().map(|(_, notes)| notes.len()).sum();
    let records = fs::read_dir(asking.vault().join(".kenning/replies/compile")).expect("it is there").count();
    assert_eq!(records, n_notes);
}

#[test]
fn pages_that_became_one_are_asked_about_although_the_ledger_was_lost_with_the_process() {
    let undisturbed = Asking::new();
    undisturbed.finish();
    let asking = Asking::new();
    let ledger = asking.vault().join(".kenning/cache/ledger.bin");
    // Killed when it asks about the page that two became, and before its ledger says that they did.
    let (kept, script) = (asking.replies().join("ledger"), asking.replies().join("reply.sh"));
    let when_merging = format!("*'Asks for: same'*) cp '{}' '{}' ;;", ledger.display(), kept.display());
    let afterwards = format!("*'Asks for:'*) test -e '{}' && kill -9 $PPID ;;", kept.display());
    let first = format!("sleep 0.01\ncase \"$asked\" in\n{when_merging}\n{afterwards}\nesac\n");
    fs::write(&script, SCRIPT.replacen("sleep 0.01\n", &first, 1) + ANSWER_EACH).expect("writes");
    assert!(!asking.compile().output().expect("the binary runs").status.success());
    fs::rename(&kept, &ledger).expect("it asked whether pages are one");
    asking.finish();
    assert_eq!(wiki(&asking.vault()), wiki(&undisturbed.vault()));
}

#[test]
fn what_models_replied_is_rebuilt_to_the_byte_without_them() {
    let asking = Asking::new();
    asking.finish();
    let (vault, whole) = (asking.vault(), wiki(&asking.vault()));
    let all: String = whole.values().map(String::as_str).collect();
    assert!(all.contains("## Superseded") && all.contains("session length"), "{whole:#?}");
    let rebuild = |vault: &Path| {
        let output = run(vault, &["rebuild", "--all", "--offline"]);
        assert!(output.status.success() && output.stderr.is_empty(), "{}", text(&output.stderr));
    };
    rebuild(&vault);
    assert_eq!(wiki(&vault), whole, "rebuilt");
    fs::remove_dir_all(vault.join("knowledge")).expect("it is there");
    rebuild(&vault);
    assert_eq!(wiki(&vault), whole, "without the wiki");
    fs::remove_dir_all(vault.join("knowledge")).expect("it is there");
    fs::remove_dir_all(vault.join(".kenning/cache")).expect("it is there");
    rebuild(&vault);
    assert_eq!(wiki(&vault), whole, "without the wiki and the cache");
    let elsewhere = asking.place.home().join("elsewhere");
    copy(&vault, &elsewhere);
    rebuild(&elsewhere);
    assert_eq!(wiki(&elsewhere), whole, "elsewhere");
    assert_eq!(asking.finish(), 0, "nothing is asked again");
}

#[test]
fn the_order_in_which_days_are_compiled_does_not_matter() {
    let asking = Asking::new();
    asking.finish();
    let (vault, whole) = (asking.vault(), wiki(&asking.vault()));
    for (n, order) in [[2, 1, 0], [1, 0, 2], [2, 0, 1]].into_iter().enumerate() {
        let other = asking.place.home().join(format!("other-{n}"));
        fs::create_dir_all(&other).expect("a new folder");
        assert!(run(&other, &["init"]).status.success());
        copy(&vault.join(".kenning/replies"), &other.join(".kenning/replies"));
        fs::create_dir_all(other.join("daily")).expect("a new folder");
        for day in order {
            let name = format!("daily/{}.md", DAYS[day].0);
            fs::copy(vault.join(&name), other.join(&name)).expect("copies");
            assert!(run(&other, &["compile", "--offline"]).status.success());
        }
        assert_eq!(wiki(&other), whole, "{order:?}");
    }
}
