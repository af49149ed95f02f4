//! Hooks and workers as hosts treat them: killed, cut off, called all at once.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::support::{Place, text};

#[test]
fn a_hook_returns_although_nobody_closes_its_input() {
    let place = Place::new();
    let transcript = place.session("a", &["We decided to open at seven."]);
    let payload = format!(
        r#"{{"hook_event_name":"SessionEnd","session_id":"a","cwd":"{}","transcript_path":"{}"}}"#,
        place.project().display(),
        transcript.display()
    );
    let start = Instant::now();
    let mut child = place.ken(&["hook"]).stdin(Stdio::piped()).spawn().expect("the binary runs");
    let mut stdin = child.stdin.take().expect("it was asked for");
    stdin.write_all(payload.as_bytes()).expect("the hook reads");
    let status = child.wait().expect("it ends");
    assert!(status.success() && start.elapsed() < Duration::from_millis(1_500), "{:?}", start.elapsed());
    drop(stdin);
    place.until("the job is captured", |place| place.journal().contains("open at seven"));
}

#[test]
fn a_hook_that_is_told_nothing_gives_up_in_time() {
    let place = Place::new();
    for half in ["", r#"{"hook_event_name":"Sess"#] {
        let start = Instant::now();
        let mut child = place.ken(&["hook"]).stdin(Stdio::piped()).spawn().expect("the binary runs");
        let mut stdin = child.stdin.take().expect("it was asked for");
        stdin.write_all(half.as_bytes()).expect("the hook reads");
        assert!(child.wait().expect("it ends").success());
        assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
        drop(stdin);
    }
    assert!(place.spool().is_empty());
}

#[test]
fn ten_megabytes_of_garbage_are_noted_and_nothing_else() {
    let place = Place::new();
    let mut child = place.ken(&["hook"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it runs");
    let mut stdin = child.stdin.take().expect("it was asked for");
    // The hook stops reading after a megabyte and goes; the rest meets a closed pipe.
    let _ = stdin.write_all(&b"garbage ".repeat(1_250_000));
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success() && output.stdout.is_empty());
    assert!(place.notes().contains("held no JSON value") && place.spool().is_empty(), "{}", place.notes());
}

#[test]
fn a_host_that_closes_its_pipes_early_loses_nothing() {
    let place = Place::new();
    let transcript = place.session("a", &["We decided to open at seven."]);
    let mut child = place.hook("SessionEnd", Some(&transcript));
    drop((child.stdout.take(), child.stderr.take()));
    assert!(child.wait().expect("it ends").success());
    let mut child = place.hook("SessionStart", None);
    drop((child.stdout.take(), child.stderr.take()));
    assert!(child.wait().expect("it ends").success());
    place.until("the session is captured", |place| place.journal().contains("open at seven"));
}

#[cfg(unix)]
#[test]
fn the_worker_outlives_the_hosts_group_and_leaves_when_it_is_done() {
    use std::os::unix::process::CommandExt;
    let place = Place::new();
    let transcript = place.session("a", &["We decided to open at seven."]);
    let payload = place.project().join("payload.json");
    let call = format!(
        r#"{{"hook_event_name":"SessionEnd","session_id":"a","cwd":"{}","transcript_path":"{}"}}"#,
        place.project().display(),
        transcript.display()
    );
    fs::write(&payload, call).expect("a new file");
    // The host: a shell in a group of its own that calls the hook and is killed with its whole group.
    let mut host = std::process::Command::new("sh");
    host.arg("-c").arg(format!("'{}' hook < payload.json; echo called; sleep 60", env!("CARGO_BIN_EXE_ken")));
    host.current_dir(place.project())
        .env_clear()
        .env("HOME", place.home())
        .env("PATH", "/usr/bin:/bin")
        .env("TZ", "UTC");
    let mut host = host.process_group(0).stdout(Stdio::piped()).spawn().expect("there is a shell");
    let mut said = [0; 7];
    host.stdout.as_mut().expect("it was asked for").read_exact(&mut said).expect("the hook returns");
    let killed = std::process::Command::new("sh").arg("-c").arg(format!("kill -9 -{}", host.id())).status();
    assert!(killed.expect("there is a shell").success());
    host.wait().expect("it ends");
    place.until("the session is captured", |place| place.journal().contains("open at seven"));
    place.until("nobody is left", |place| place.processes() == 0);
}

#[test]
fn a_hook_that_is_killed_at_any_moment_is_made_good_by_the_next_start() {
    let place = Place::new();
    let decisions: Vec<String> = (0..12).map(|n| format!("We decided to sell bread number {n}.")).collect();
    for (n, decision) in decisions.iter().enumerate() {
        let transcript = place.session(&format!("s{n}"), &[decision]);
        let mut child = place.hook("SessionEnd", Some(&transcript));
        std::thread::sleep(Duration::from_micros(400 * n as u64));
        let _ = child.kill();
        child.wait().expect("it ends");
    }
    assert!(place.hook("SessionStart", None).wait_with_output().expect("it ends").status.success());
    place.until("every session is captured", |place| {
        let journal = place.journal();
        decisions.iter().all(|decision| journal.contains(decision.as_str()))
    });
    place.until("nobody is left", |place| place.processes() == 0);
    let journal = place.journal();
    for decision in &decisions {
        assert_eq!(journal.matches(decision.as_str()).count(), 1, "{decision}\n{journal}");
    }
}

#[test]
fn sessions_that_end_at_the_same_instant_all_arrive_and_do_not_mix() {
    let place = Place::new();
    let decisions: Vec<String> = (0..16).map(|n| format!("We decided to sell cake number {n}.")).collect();
    let transcripts: Vec<_> =
        decisions.iter().enumerate().map(|(n, decision)| place.session(&format!("s{n}"), &[decision])).collect();
    let hooks: Vec<_> = transcripts.iter().map(|transcript| place.hook("SessionEnd", Some(transcript))).collect();
    for hook in hooks {
        let output = hook.wait_with_output().expect("it ends");
        assert!(output.status.success() && output.stdout.is_empty() && output.stderr.is_empty());
    }
    place.until("every session is captured", |place| {
        let journal = place.journal();
        decisions.iter().all(|decision| journal.contains(decision.as_str()))
    });
    place.until("the spool is empty", |place| place.spool().is_empty() && place.processes() == 0);
    let journal = place.journal();
    assert_eq!(journal.matches("# Daily Log: ").count(), 1);
    assert_eq!(journal.matches("<!-- kenning: session=").count(), 16);
    for decision in &decisions {
        assert_eq!(journal.matches(decision.as_str()).count(), 1, "{decision}\n{journal}");
    }
}

#[test]
fn a_worker_that_is_killed_at_any_moment_loses_and_doubles_nothing() {
    let place = Place::new();
    let mut n_killed = 0;
    for n in 0..20_u64 {
        let transcript = place.session(&format!("s{n}"), &[&format!("We decided to bake loaf number {n}.")]);
        let mut hook = place.ken(&["hook"]);
        hook.env("KEN_NO_WORKER", "1").stdin(Stdio::piped());
        let mut child = hook.spawn().expect("the binary runs");
        let call = format!(
            r#"{{"hook_event_name":"SessionEnd","session_id":"s{n}","cwd":"{}","transcript_path":"{}"}}"#,
            place.project().display(),
            transcript.display()
        );
        child.stdin.take().expect("it was asked for").write_all(call.as_bytes()).expect("the hook reads");
        assert!(child.wait().expect("it ends").success());
        let mut worker = place.ken(&["work"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it runs");
        std::thread::sleep(Duration::from_micros(900 * n));
        n_killed += u32::from(worker.kill().is_ok());
        worker.wait().expect("it ends");
    }
    assert!(n_killed > 0);
    let output = place.ken(&["work"]).output().expect("the binary runs");
    assert!(output.status.success(), "{}", text(&output.stdout));
    assert!(place.spool().is_empty(), "{:?}", place.spool());
    let journal = place.journal();
    for n in 0..20 {
        let decision = format!("- We decided to bake loaf number {n}.\n");
        assert_eq!(journal.matches(&decision).count(), 1, "{decision}{journal}");
    }
}

#[test]
fn a_spool_that_cannot_be_written_to_fails_no_host_and_loses_no_session() {
    let place = Place::new();
    let transcript = place.session("a", &["We decided to open at seven."]);
    let spool = place.project().join(".kenning/spool");
    let _ = fs::remove_dir_all(&spool);
    fs::write(&spool, "in the way").expect("a new file");
    let output = place.hook("SessionEnd", Some(&transcript)).wait_with_output().expect("it ends");
    assert!(output.status.success() && output.stdout.is_empty() && output.stderr.is_empty());
    let output = place.hook("SessionStart", None).wait_with_output().expect("it ends");
    assert!(output.status.success() && text(&output.stdout).contains("kenning-context"));
    assert!(place.notes().contains("a job could not be put into the spool"), "{}", place.notes());
    fs::remove_file(&spool).expect("it is there");
    let output = place.ken(&["sync"]).output().expect("the binary runs");
    assert!(text(&output.stdout).starts_with("Captured 1 entry from claude-code session a\n"));
}

#[test]
fn a_clock_that_runs_backwards_holds_nothing_up() {
    let place = Place::new();
    let transcript = place.session("a", &["We decided to open at seven."]);
    let at = |now: &str, args: &[&str]| {
        let mut command = place.ken(args);
        command.env("KEN_NOW", now).env("KEN_NO_WORKER", "1");
        command
    };
    let call = format!(
        r#"{{"hook_event_name":"Stop","session_id":"a","cwd":"{}","transcript_path":"{}"}}"#,
        place.project().display(),
        transcript.display()
    );
    let mut hook = at("2026-06-05T12:00:00Z", &["hook"]).stdin(Stdio::piped()).spawn().expect("the binary runs");
    hook.stdin.take().expect("it was asked for").write_all(call.as_bytes()).expect("the hook reads");
    assert!(hook.wait().expect("it ends").success());
    let output = at("2026-05-01T12:00:00Z", &["work"]).output().expect("the binary runs");
    assert!(text(&output.stdout).starts_with("Did 1 job: 1 new entry"), "{}", text(&output.stdout));
}

#[test]
fn a_session_starts_within_its_budget_however_large_the_vault_is() {
    let place = Place::new();
    let pages = place.project().join("knowledge/concepts");
    fs::create_dir_all(&pages).expect("a new folder");
    for n in 0..500 {
        let tldr = format!("Page number {n} says what is known of oven {n}. ").repeat(3);
        let page = format!("---\ntldr: {tldr}\nanswers_when: [oven-{n}]\n---\n# Oven {n}\n");
        fs::write(pages.join(format!("oven-{n:03}.md")), page).expect("a new file");
    }
    let items: String = (0..40).map(|n| format!("- We decided to clean oven {n} on day {n}.\n")).collect();
    let day = format!("# Daily Log: 2026-06-01\n\n### Session (09:00) - Ovens\n\n**Decisions Made:**\n{items}");
    fs::create_dir_all(place.project().join("daily")).expect("a new folder");
    fs::write(place.project().join("daily/2026-06-01.md"), day).expect("a new file");
    for (bytes, bar) in [("2000", 2_000), ("9000", 9_000), ("20000", 9_000), ("300", 300)] {
        let output = place.ken(&["brief", "--bytes", bytes]).output().expect("the binary runs");
        let brief = text(&output.stdout);
        assert!(brief.len() <= bar + 1, "{} bytes", brief.len());
        if bar >= 2_000 {
            assert!(brief.contains("of 40 shown") && brief.contains("\nOther pages ("), "{brief}");
            assert!(brief.trim_end().ends_with("</kenning-context>"));
        }
    }
}

#[test]
fn a_transcript_that_is_written_anew_adds_only_what_is_new() {
    let place = Place::new();
    let transcript = place.session("a", &["We decided to open at seven.", "We decided to close at six."]);
    let captured = |expected: &str| {
        let output = place.ken(&["sync"]).output().expect("the binary runs");
        assert!(text(&output.stdout).starts_with(expected), "{}", text(&output.stdout));
    };
    captured("Captured 1 entry");
    // Shorter, and with something that was not there.
    place.session("a", &["We decided to close at six.", "We decided to rest on Monday."]);
    captured("Captured 1 entry");
    place.append(&transcript, "a", "We decided to bake on Sunday.");
    captured("Captured 1 entry");
    captured("Nothing is new.");
    let journal = place.journal();
    for decision in ["open at seven", "close at six", "rest on Monday", "bake on Sunday"] {
        assert_eq!(journal.matches(&format!("- We decided to {decision}.")).count(), 1, "{decision}\n{journal}");
    }
}

#[test]
fn only_sessions_of_this_vault_are_found() {
    let place = Place::new();
    place.session("ours", &["We decided to open at seven."]);
    let inner = place.project().join("inner");
    fs::create_dir_all(&inner).expect("a new folder");
    assert!(place.ken(&["init", "inner"]).output().expect("the binary runs").status.success());
    let other = fs::read_to_string(place.session("theirs", &["We decided to sell the shop."])).expect("it is there");
    let cwd = fs::canonicalize(place.project()).expect("it exists");
    let there = other
        .replace(&format!("\"cwd\":\"{}\"", cwd.display()), &format!("\"cwd\":\"{}\"", cwd.join("inner").display()));
    fs::write(place.transcripts().join("theirs.jsonl"), there).expect("it is there");
    let output = place.ken(&["sync", "--json"]).output().expect("the binary runs");
    let printed = text(&output.stdout);
    assert!(printed.contains("\"session\": \"ours\"") && printed.contains("\"foreign\": 1"), "{printed}");
    assert!(!place.journal().contains("sell the shop"));
}

#[test]
fn a_secret_in_a_name_stands_nowhere_and_the_session_arrives() {
    let place = Place::new();
    let key = format!("ghp_{}", "a1B2".repeat(9));
    let transcript = place.session(&key, &["We decided to open at seven.", &format!("The key is {key} for now.")]);
    let gone = place.project().join(format!("{key}.jsonl"));
    fs::write(&gone, "{\"strange\":true}\n").expect("a new file");
    for named in [&transcript, &gone] {
        let payload = format!(
            r#"{{"hook_event_name":"SessionEnd","session_id":"{key}","cwd":"{}","transcript_path":"{}"}}"#,
            place.project().display(),
            named.display()
        );
        let mut hook = place.ken(&["hook"]).env("KEN_NO_WORKER", "1").stdin(Stdio::piped()).spawn().expect("it runs");
        hook.stdin.take().expect("it was asked for").write_all(payload.as_bytes()).expect("the hook reads");
        assert!(hook.wait().expect("it ends").success());
    }
    fs::remove_file(&gone).expect("it is there");
    let output = place.ken(&["work"]).output().expect("the binary runs");
    assert!(text(&output.stdout).contains("1 new entry"), "{}", text(&output.stdout));
    assert!(place.spool().is_empty() && place.journal().contains("open at seven"), "{:?}", place.spool());
    for file in place.files() {
        let bytes = fs::read(&file).expect("it is there");
        assert!(!String::from_utf8_lossy(&bytes).contains(&key), "{}", file.display());
    }
    let output = place.ken(&["sync"]).output().expect("the binary runs");
    assert!(text(&output.stdout).starts_with("Nothing is new."), "{}", text(&output.stdout));
}

/// Lets a hook leave a job without a worker, and returns its file.
fn left_job(place: &Place, transcript: &Path) -> PathBuf {
    let payload = format!(
        r#"{{"hook_event_name":"SessionEnd","session_id":"a","cwd":"{}","transcript_path":"{}"}}"#,
        place.project().display(),
        transcript.display()
    );
    let mut hook = place.ken(&["hook"]).env("KEN_NO_WORKER", "1").stdin(Stdio::piped()).spawn().expect("it runs");
    hook.stdin.take().expect("it was asked for").write_all(payload.as_bytes()).expect("the hook reads");
    assert!(hook.wait().expect("it ends").success());
    let name = place.spool().pop().expect("the hook left a job");
    place.project().join(".kenning/spool").join(name)
}

#[test]
fn a_job_that_came_with_a_vault_from_elsewhere_is_left_alone_and_named() {
    let (theirs, ours) = (Place::new(), Place::new());
    let private = ours.session("private", &["We decided to sell the shop."]);
    let job = left_job(&theirs, &private);
    let spool = ours.project().join(".kenning/spool");
    fs::create_dir_all(&spool).expect("a new folder");
    fs::copy(&job, spool.join("end-1.json")).expect("it is there");
    assert!(ours.ken(&["work"]).output().expect("the binary runs").status.success());
    assert!(!ours.journal().contains("sell the shop"), "{}", ours.journal());
    assert_eq!(ours.spool(), ["end-1.json"]);
    let doctor = ours.ken(&["doctor"]).output().expect("the binary runs");
    assert!(text(&doctor.stdout).contains("`end-1.json` is not known to be a job"), "{}", text(&doctor.stdout));
}

#[test]
fn a_job_under_another_name_is_left_alone_and_keeps_no_worker() {
    let place = Place::new();
    let spool = place.project().join(".kenning/spool");
    let transcript = place.session("a", &["We decided to open at seven."]);
    fs::rename(left_job(&place, &transcript), spool.join("copied.json")).expect("it is there");
    fs::remove_file(&transcript).expect("it is there");
    let mut worker = place.ken(&["work"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it runs");
    let start = Instant::now();
    while worker.try_wait().expect("it can be asked").is_none() {
        if start.elapsed() > Duration::from_secs(20) {
            worker.kill().expect("it runs");
            panic!("the worker does not end");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(place.spool(), ["copied.json"]);
    assert!(fs::read_to_string(spool.join("copied.json")).expect("it is there").contains("\"attempts\":0"));
}

#[cfg(unix)]
#[test]
fn a_vault_that_is_named_by_a_link_finds_its_sessions() {
    let place = Place::new();
    place.session("a", &["We decided to open at seven."]);
    let link = place.home().join("link");
    std::os::unix::fs::symlink(place.project(), &link).expect("a new link");
    let output = place.ken(&["sync", "--vault", &link.to_string_lossy()]).output().expect("the binary runs");
    assert!(text(&output.stdout).starts_with("Captured 1 entry"), "{}", text(&output.stdout));
}
