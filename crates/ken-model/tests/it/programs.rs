//! Programs as models: real processes that are slow, noisy, stubborn, broken or not there.

use std::fmt::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use expect_test::expect;
use ken_model::{ErrorKind, Model, ModelError, ModelName, Prompt, Reply, Settings, open};

use crate::{prompt, settings};

fn program(script: &str, change: impl Fn(&mut Settings)) -> Box<dyn Model> {
    let mut settings = settings().0;
    change(&mut settings);
    let words = ["/bin/sh", "-c", script].map(str::to_owned).to_vec();
    open(&ModelName::Command(words), &settings).expect("opens").expect("a model")
}

fn ask(script: &str) -> Result<Reply, ModelError> {
    program(script, |_| {}).ask(&prompt())
}

#[track_caller]
fn fails(script: &str, kind: ErrorKind, message: &str) -> ModelError {
    let error = ask(script).expect_err("no reply");
    assert_eq!((error.kind, error.message.as_str()), (kind, message));
    error
}

/// A child that goes on for ever, and shows by a growing file that it does.
fn child(file: &Path) -> String {
    format!("(while :; do echo . >> {}; sleep 0.05; done)", file.display())
}

fn is_growing(file: &Path) -> bool {
    let len = || std::fs::metadata(file).map_or(0, |found| found.len());
    let before = len();
    std::thread::sleep(Duration::from_millis(250));
    len() > before
}

#[test]
fn a_program_reads_the_prompt_and_prints_the_reply() {
    let reply = ask("cat").expect("a reply");
    expect![[r#"
        Be brief.

        The sky is blue.

        How many skies?

        Reply with one JSON object of this form, and with nothing else:
        {"a": integer}"#]]
    .assert_eq(&reply.text);
    // It was sent what it prints, and the end of the last line.
    let count = |text: &str| ken_core::budget::count(text).0 as u64;
    assert!(reply.usage.is_estimate);
    assert_eq!((reply.usage.input, reply.usage.output), (count(&format!("{}\n", reply.text)), count(&reply.text)));
}

#[test]
fn prose_around_json_is_left_to_those_who_ask_for_json() {
    let model = program(r#"cat >/dev/null; echo 'Sure: {"a": 1}. Done.'"#, |_| {});
    let answered = ken_model::ask_json(&*model, &prompt(), &|_| Ok(())).expect("a reply");
    assert_eq!((answered.json["a"].as_u64(), answered.n_calls), (Some(1), 1));
}

#[test]
fn an_agents_envelope_is_opened() {
    let script = r#"cat >/dev/null; echo '{"type":"result","subtype":"success","is_error":false,"result":"{\"a\":1}",
        "total_cost_usd":0.01,"usage":{"input_tokens":3,"cache_read_input_tokens":100,"output_tokens":7}}'"#;
    let reply = ask(script).expect("a reply");
    assert_eq!(reply.text, r#"{"a":1}"#);
    assert_eq!((reply.usage.input, reply.usage.cache_read, reply.usage.is_estimate), (3, 100, false));
    let script =
        r#"echo '{"type":"result","is_error":true,"result":"Credit is too low","usage":{"input_tokens":3}}'; exit 1"#;
    let error = fails(script, ErrorKind::Unreachable, "`/bin/sh` ended with exit status: 1: Credit is too low");
    assert_eq!(error.usage.input, 3);
    let script = r#"echo '{"type":"result","is_error":true,"result":"Credit is too low","usage":{"input_tokens":3}}'"#;
    let error = fails(script, ErrorKind::Unreachable, "`/bin/sh` says that it failed: Credit is too low");
    assert_eq!(error.usage.input, 3);
}

#[test]
fn much_input_and_much_noise_block_nobody() {
    let mut input = String::new();
    for n in 0..200_000 {
        writeln!(input, "line {n}").expect("room");
    }
    let bytes = input.len();
    let script = "head -c 3000000 /dev/zero | tr '\\0' 'e' >&2; n=$(wc -c); \
        head -c 3000000 /dev/zero | tr '\\0' 'e' >&2; echo $n";
    let reply = program(script, |_| {}).ask(&Prompt { input, ..prompt() }).expect("a reply");
    assert!(reply.text.parse::<usize>().expect("a number") > bytes);
}

#[test]
fn a_program_need_not_read_what_it_is_given() {
    let input = "x".repeat(4 << 20);
    let reply = program("echo '{}'", |_| {}).ask(&Prompt { input, ..prompt() }).expect("a reply");
    assert_eq!(reply.text, "{}");
    let input = "x".repeat(4 << 20);
    let model = program("exec <&-; sleep 0.1; echo '{}'", |_| {});
    assert_eq!(model.ask(&Prompt { input, ..prompt() }).expect("a reply").text, "{}");
}

#[test]
fn a_program_that_hangs_is_ended_with_all_it_started() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("alive");
    let script = format!("{} & echo '{{}}'; wait", child(&file));
    let model = program(&script, |settings| settings.command.timeout = Duration::from_millis(400));
    let started = Instant::now();
    let error = model.ask(&prompt()).expect_err("no reply");
    assert_eq!(error.message, "`/bin/sh` did not answer in 0.4 s and was ended");
    assert_eq!((error.kind, error.is_retryable()), (ErrorKind::Timeout, true));
    assert!(error.usage.input > 0, "it may have asked somebody");
    assert!(started.elapsed() < Duration::from_millis(1_800), "{:?}", started.elapsed());
    assert!(!is_growing(&file));
}

#[test]
fn a_program_that_does_not_want_to_end_is_ended() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("alive");
    let script = format!("trap '' TERM; {}", child(&file));
    let model = program(&script, |settings| settings.command.timeout = Duration::from_millis(200));
    let started = Instant::now();
    assert_eq!(model.ask(&prompt()).expect_err("no reply").kind, ErrorKind::Timeout);
    assert!(started.elapsed() < Duration::from_secs(4), "{:?}", started.elapsed());
    assert!(!is_growing(&file));
}

#[test]
fn a_child_that_holds_the_pipes_holds_up_nobody() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("alive");
    let script = format!("{} & echo '{{\"a\":1}}'", child(&file));
    let started = Instant::now();
    let reply = ask(&script).expect("a reply");
    assert_eq!(reply.text, "{\"a\":1}");
    assert!(started.elapsed() < Duration::from_millis(1_800), "{:?}", started.elapsed());
    assert!(!is_growing(&file));
}

#[test]
fn a_child_that_lets_go_of_the_pipes_is_ended_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("alive");
    let script = format!("{} >/dev/null 2>&1 </dev/null & echo '{{}}'", child(&file));
    ask(&script).expect("a reply");
    assert!(!is_growing(&file));
}

#[test]
fn megabytes_of_output_are_not_read_to_their_end() {
    let started = Instant::now();
    let error = fails("yes", ErrorKind::Unusable, "`/bin/sh` printed more than 4 MiB and was ended");
    assert!(!error.is_retryable());
    assert!(started.elapsed() < Duration::from_millis(1_800), "{:?}", started.elapsed());
    let quick = "head -c 5000000 /dev/zero";
    fails(quick, ErrorKind::Unusable, "`/bin/sh` printed more than 4 MiB and was ended");
}

#[test]
fn a_program_that_fails_is_told_by_its_last_words() {
    let script = "echo '{}'; echo first >&2; echo 'no\u{1b}[31m login\u{7}' >&2; echo 'run login' >&2; exit 3";
    let error = fails(script, ErrorKind::Refused, "`/bin/sh` ended with exit status: 3: first no[31m login run login");
    assert_eq!(*error.hints, ["run it by hand to see what it wants"]);
    fails("exit 1", ErrorKind::Unreachable, "`/bin/sh` ended with exit status: 1");
    let long = fails("kill -KILL $$", ErrorKind::Unreachable, "`/bin/sh` ended with signal: 9 (SIGKILL)");
    assert!(long.usage.is_estimate);
    let noisy = ask("head -c 100000 /dev/zero | tr '\\0' 'e' >&2; exit 1").expect_err("no reply");
    assert!(noisy.message.chars().count() < 200, "{noisy}");
}

#[test]
fn a_program_that_is_not_there_is_missing() {
    let missing = |word: &str| {
        let name = ModelName::Command(vec![word.to_owned()]);
        let model = open(&name, &settings().0)?;
        model.expect("a model").ask(&prompt()).map(|_| ())
    };
    let error = missing("ken-no-such-program").expect_err("no program");
    assert_eq!((error.kind, error.usage.total()), (ErrorKind::Missing, 0));
    assert!(error.message.starts_with("the program `ken-no-such-program` cannot be started: "), "{error}");
    assert_eq!(missing("/etc/passwd").expect_err("no program").kind, ErrorKind::Missing);
    assert_eq!(missing("./agent").expect_err("a relative place").kind, ErrorKind::Setup);
}

#[test]
fn a_reply_that_is_not_utf_8_is_refused() {
    let error = fails(r#"printf '{"a":"\377"}'"#, ErrorKind::Unusable, "the reply of `/bin/sh` is not UTF-8");
    assert!(error.usage.input > 0);
}

#[test]
fn a_program_that_prints_nothing_is_asked_once_more() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("runs");
    let script = format!("echo run >> {}; echo 'nothing to say' >&2", file.display());
    fails(&script, ErrorKind::Unusable, "`/bin/sh` printed no reply: nothing to say");
    assert_eq!(std::fs::read_to_string(&file).expect("it ran"), "run\nrun\n");
}

#[test]
fn a_program_runs_in_an_empty_folder_that_goes_with_it() {
    let scratch = tempfile::tempdir().expect("a folder");
    let model = program("pwd; ls -A | wc -l; echo litter > litter", |settings| {
        settings.command.scratch = scratch.path().to_owned();
    });
    let reply = model.ask(&prompt()).expect("a reply").text;
    let (folder, n_files) = reply.split_once('\n').expect("two lines");
    let root = scratch.path().canonicalize().expect("a folder");
    assert!(Path::new(folder).canonicalize().is_err() && folder.contains(root.to_str().expect("a name")), "{folder}");
    assert_eq!(n_files.trim(), "0");
    assert_eq!(std::fs::read_dir(scratch.path()).expect("a folder").count(), 0);
    assert_eq!(model.ask(&prompt()).expect("a reply").text, reply, "caches go by the name");
}

#[test]
fn a_folder_that_is_there_already_is_not_used() {
    let scratch = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(scratch.path().join("ken-model-0")).expect("a folder");
    std::fs::write(scratch.path().join("ken-model-0/CLAUDE.md"), "obey").expect("a file");
    let model = program("ls -A | wc -l", |settings| settings.command.scratch = scratch.path().to_owned());
    assert_eq!(model.ask(&prompt()).expect("a reply").text.trim(), "0");
    assert!(scratch.path().join("ken-model-0/CLAUDE.md").exists());
    let model = program("true", |settings| settings.command.scratch = scratch.path().join("no"));
    let error = model.ask(&prompt()).expect_err("no folder");
    assert_eq!(error.kind, ErrorKind::Setup);
    assert!(error.message.starts_with("no empty folder can be made in `"), "{error}");
}

#[test]
fn a_program_sees_the_guard_and_no_session_of_an_agent() {
    // The test's own environment is left alone: another program stands between.
    let model = program(r#"echo "${KEN_HOOK_GUARD-no} ${CLAUDECODE-no} ${MARK-no}""#, |settings| {
        settings.command.set.push(("MARK".to_owned(), "set".to_owned()));
    });
    assert_eq!(model.ask(&prompt()).expect("a reply").text, "1 no set");
    let unset = settings().0.command.unset;
    for name in ["CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT"] {
        assert!(unset.contains(&name.to_owned()), "{name}");
    }
    let model = program(r#"echo "${PATH-no} ${HOME-no}""#, |settings| {
        settings.command.unset = vec!["HOME".to_owned()];
    });
    let seen = model.ask(&prompt()).expect("a reply").text;
    assert!(seen.ends_with(" no") && !seen.starts_with("no"), "{seen}");
}

#[test]
fn programs_at_the_same_time_do_not_mix() {
    let model = program("sleep 0.1; tail -c 2000 | head -c 20; pwd", |_| {});
    let replies: Vec<String> = std::thread::scope(|scope| {
        let asks: Vec<_> = (0..4).map(|_| scope.spawn(|| model.ask(&prompt()).expect("a reply").text)).collect();
        asks.into_iter().map(|ask| ask.join().expect("no panic")).collect()
    });
    for (n, reply) in replies.iter().enumerate() {
        assert!(!replies[n + 1..].contains(reply), "each has a folder of its own");
    }
}
