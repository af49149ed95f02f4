//! The runner against a stand-in for `ken`: a shell script, so that processes, pipes, exit codes and
//! the environment are real.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

use super::{SuiteResult, run_all, run_suite};

const STAND_IN: &str = r#"#!/bin/sh
case "$1" in
  say) shift; for line in "$@"; do echo "$line"; done ;;
  fail) echo "error: $2" >&2; exit "$3" ;;
  both) echo "to stderr" >&2; echo "to stdout" ;;
  log) cat ;;
  env) echo "$KEN_NOW $TZ $NO_COLOR [$EXTRA] [$CARGO_MANIFEST_DIR]" ;;
  where) pwd; test "$HOME" = "$PWD" && echo home ;;
esac
"#;

struct Bench {
    dir: TempDir,
}

impl Bench {
    fn new() -> Bench {
        let dir = TempDir::new().expect("a folder for temporary files");
        let ken = dir.path().join("ken");
        write_executable(&ken, STAND_IN);
        fs::create_dir(dir.path().join("specs")).expect("the folder is writable");
        Bench { dir }
    }

    fn ken(&self) -> PathBuf {
        self.dir.path().join("ken")
    }

    fn suite(&self, name: &str, text: &str) -> PathBuf {
        let file = self.dir.path().join("specs").join(name);
        fs::create_dir_all(file.parent().expect("a file has a folder")).expect("the folder is writable");
        fs::write(&file, text).expect("the folder is writable");
        file
    }

    fn run(&self, text: &str) -> SuiteResult {
        run_suite(&self.suite("suite.md", text), &self.ken(), false)
    }

    fn bless(&self, text: &str) -> String {
        let file = self.suite("suite.md", text);
        let result = run_suite(&file, &self.ken(), true);
        assert!(result.failed.is_empty(), "{:?}", result.failed);
        let again = run_suite(&file, &self.ken(), false);
        assert!(again.failed.is_empty(), "a blessed suite passes: {:?}", again.failed);
        fs::read_to_string(file).expect("the suite is still there")
    }
}

/// Has another process write the script: a write handle of our own could be inherited by a process
/// that a neighbouring test starts at that moment, and then the script is too busy to be run.
fn write_executable(path: &Path, script: &str) {
    let mut shell = Command::new("sh");
    shell.args(["-c", "cat > \"$0\" && chmod +x \"$0\""]).arg(path).stdin(Stdio::piped());
    let mut child = shell.spawn().expect("there is a shell");
    child.stdin.take().expect("asked for").write_all(script.as_bytes()).expect("the shell reads");
    assert!(child.wait().expect("the shell ends").success());
}

#[track_caller]
fn check_passes(text: &str, n_tests: usize) {
    let result = Bench::new().run(text);
    assert!(result.failed.is_empty(), "{}", result.failed[0]);
    assert_eq!(result.passed, n_tests);
}

#[track_caller]
fn check_fails(text: &str, line: usize, parts: &[&str]) {
    let result = Bench::new().run(text);
    assert_eq!(result.failed.len(), 1, "{result:?}");
    let shown = result.failed[0].to_string();
    assert_eq!(result.failed[0].line, line, "{shown}");
    for part in parts {
        assert!(shown.contains(part), "{part:?} is missing from:\n{shown}");
    }
}

#[test]
fn a_heading_is_a_test_and_prose_is_not() {
    check_passes(
        "# S\n\n## One\n```console\n$ ken say hi\nhi\n```\n\n## Why\nprose\n\n## Two\n```console\n$ ken say\n```\n",
        2,
    );
}

#[test]
fn files_are_written_before_the_commands_below_them() {
    check_passes(
        "## T\n```a/b.md\none\n```\n```console\n$ cat a/b.md\none\n```\n```a/b.md\ntwo\n```\n```console\n$ cat a/b.md\ntwo\n```\n",
        1,
    );
}

#[test]
fn each_test_starts_in_a_fresh_folder() {
    check_passes("## A\n```console\n$ append x.md 1\n$ ls\nx.md\n```\n## B\n```console\n$ ls\n```\n", 2);
}

#[test]
fn files_above_the_first_test_belong_to_every_test() {
    check_passes("```k.md\nx\n```\n## A\n```console\n$ rm k.md\n```\n## B\n```console\n$ cat k.md\nx\n```\n", 2);
}

#[test]
fn four_backticks_hold_nested_fences() {
    check_passes("## T\n````p.md\n```rust\n1\n```\n````\n````console\n$ cat p.md\n```rust\n1\n```\n````\n", 1);
}

#[test]
fn blocks_in_a_language_are_prose() {
    check_passes("## T\n```json\n{}\n```\n```console\n$ ls\n```\n", 1);
}

#[test]
fn stdout_comes_before_stderr_and_the_exit_code_last() {
    check_passes("## T\n```console\n$ ken both\nto stdout\nto stderr\n$ ken fail no 3\nerror: no\n[exit 3]\n```\n", 1);
}

#[test]
fn echo_pipes_text_into_ken() {
    check_passes("## T\n```console\n$ echo \"one\\ntwo\" | ken log\none\ntwo\n```\n", 1);
}

#[test]
fn the_environment_is_the_same_everywhere() {
    check_passes(
        "## T\n```console\n$ ken env\n2026-06-01T12:00:00Z UTC 1 [] []\n$ EXTRA=x TZ=CET ken env\n2026-06-01T12:00:00Z CET 1 [x] []\n$ ken where\n[VAULT]\nhome\n```\n",
        1,
    );
}

#[test]
fn a_failure_names_the_place_the_command_and_the_cure() {
    let text = "# S\n\n## Greets\n\n```console\n$ ken say hello you\nhello\nme\n```\n";
    check_fails(
        text,
        6,
        &["suite.md:6: Greets", "$ ken say hello you", "    hello\n", "  - me\n", "  + you\n", "`cargo xtask bless`"],
    );
}

#[test]
fn an_exit_code_nobody_expected_is_a_failure() {
    check_fails("## T\n```console\n$ ken fail no 4\nerror: no\n```\n", 3, &["  + [exit 4]"]);
}

#[test]
fn a_suite_that_cannot_be_read_as_meant_fails() {
    check_fails("## T\n```console\n$ ken say\n", 2, &["never ends"]);
    check_fails("```console\n$ ken say\n```\n", 1, &["above the first `##` heading"]);
    check_fails("## T\n```console\nhello\n$ ken say\n```\n", 3, &["above the first command"]);
    check_fails("## T\n```../x.md\n1\n```\n```console\n$ ken say\n```\n", 2, &["no path inside"]);
    check_fails("## T\n```console\n$ make\n```\n", 3, &["unknown command `make`"]);
}

#[test]
fn blessing_rewrites_only_what_differs() {
    let text = "# S\n\n## A\n\nWhy.\n\n```console\n$ ken say one 5ms\nold\n[..]ms\n\n$ ken say two\ntwo\n```\n\n## B\n\n```console\n$ ken fail no 2\n```\n";
    let blessed = Bench::new().bless(text);
    assert_eq!(
        blessed,
        "# S\n\n## A\n\nWhy.\n\n```console\n$ ken say one 5ms\none\n[..]ms\n\n$ ken say two\ntwo\n```\n\n## B\n\n```console\n$ ken fail no 2\nerror: no\n[exit 2]\n```\n"
    );
}

#[test]
fn blessing_a_suite_that_passes_leaves_its_bytes_alone() {
    let text = "## A\r\n\n```console\n$ ken say one\n[..]\n```\nno line end";
    assert_eq!(Bench::new().bless(text), text);
}

#[test]
fn all_suites_of_a_folder_run_and_readmes_do_not() {
    let bench = Bench::new();
    bench.suite("README.md", "## T\n```console\n$ ken fail no 1\n```\n");
    bench.suite("b.md", "## T\n```console\n$ ken say\n```\n");
    bench.suite("a/a.md", "## T\n```console\n$ ken fail no 1\n```\n");
    let result = run_all(&bench.dir.path().join("specs"), &bench.ken(), false);
    assert_eq!((result.passed, result.failed.len(), result.n_tests()), (1, 1, 2));
    assert!(result.failed[0].file.ends_with("a/a.md"));
}
