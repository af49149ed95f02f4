//! Running the real binary in folders of its own.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

pub(crate) const NOW: &str = "2026-06-01T12:00:00Z";

pub(crate) fn ken(dir: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ken"));
    command.args(args).current_dir(dir).env_clear().env("KEN_NOW", NOW).env("TZ", "UTC").stdin(Stdio::null());
    // The key of whoever runs these tests, in a folder of the build's.
    command.env("XDG_STATE_HOME", env!("CARGO_TARGET_TMPDIR"));
    command
}

pub(crate) fn run(dir: &Path, args: &[&str]) -> Output {
    ken(dir, args).output().expect("the binary runs")
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("ken prints UTF-8")
}

/// Tells whoever asked, by a file that the environment names, what a corpus came to: how many were tried, which
/// broke the promise, and a remark.
pub(crate) fn figures(n_tries: usize, violations: &[String], note: &str) {
    let Some(path) = std::env::var_os("KEN_ATTACK_FIGURES") else { return };
    let violations = violations.iter().map(|line| format!("violation {}\n", line.escape_debug())).collect::<String>();
    fs::write(path, format!("tries {n_tries}\nnote {note}\n{violations}")).expect("the file can be written");
}

/// A person's machine: a home, and a project that is a vault.
pub(crate) struct Place {
    dir: TempDir,
}

impl Place {
    pub(crate) fn new() -> Place {
        let dir = TempDir::new().expect("the machine has a folder for temporary files");
        let place = Place { dir };
        fs::create_dir_all(place.project()).expect("a new folder");
        fs::create_dir_all(place.home()).expect("a new folder");
        assert!(run(&place.project(), &["init"]).status.success());
        place
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.dir.path().join("shop")
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.dir.path().join("home")
    }

    /// The folder of Claude Code's transcripts of the project.
    pub(crate) fn transcripts(&self) -> PathBuf {
        let project = fs::canonicalize(self.project()).expect("it exists");
        let name = |ch: char| if ch.is_ascii_alphanumeric() { ch } else { '-' };
        let name: String = project.to_string_lossy().chars().map(name).collect();
        let folder = self.home().join(".claude/projects").join(name);
        fs::create_dir_all(&folder).expect("a new folder");
        folder
    }

    /// Writes the transcript of a session in which these things were decided.
    pub(crate) fn session(&self, id: &str, decisions: &[&str]) -> PathBuf {
        let path = self.transcripts().join(format!("{id}.jsonl"));
        let cwd = fs::canonicalize(self.project()).expect("it exists");
        let mut lines = vec![line(id, &cwd, "user", "Please settle what is open.")];
        lines.extend(decisions.iter().map(|decision| line(id, &cwd, "assistant", decision)));
        fs::write(&path, lines.concat()).expect("a new file");
        path
    }

    pub(crate) fn append(&self, transcript: &Path, id: &str, decision: &str) {
        let cwd = fs::canonicalize(self.project()).expect("it exists");
        let mut file = fs::File::options().append(true).open(transcript).expect("it exists");
        file.write_all(line(id, &cwd, "assistant", decision).as_bytes()).expect("there is room");
    }

    pub(crate) fn ken(&self, args: &[&str]) -> Command {
        let mut command = ken(&self.project(), args);
        command.env("HOME", self.home()).envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
        command
    }

    /// Starts a hook that has been told everything.
    pub(crate) fn hook(&self, event: &str, transcript: Option<&Path>) -> Child {
        self.told(event, transcript, self.ken(&["hook"]))
    }

    /// Starts a hook that wakes no worker, of a user whose key lies elsewhere.
    #[cfg(unix)]
    pub(crate) fn hook_without_worker(&self, event: &str, state: &Path) -> Child {
        let mut command = self.ken(&["hook"]);
        command.env("KEN_NO_WORKER", "1").env("XDG_STATE_HOME", state);
        self.told(event, None, command)
    }

    /// Starts a hook with another search path.
    #[cfg(unix)]
    pub(crate) fn hook_on_path(&self, event: &str, transcript: Option<&Path>, path: &Path) -> Child {
        let mut command = self.ken(&["hook"]);
        command.env("PATH", path);
        self.told(event, transcript, command)
    }

    /// The undo records, oldest first.
    #[cfg(unix)]
    pub(crate) fn undo_records(&self) -> Vec<PathBuf> {
        let folder = fs::read_dir(self.project().join(".kenning/undo")).expect("it can be read");
        let mut records: Vec<PathBuf> = folder.flatten().map(|entry| entry.path()).collect();
        records.sort();
        records
    }

    fn told(&self, event: &str, transcript: Option<&Path>, mut command: Command) -> Child {
        let transcript = transcript.map(|path| path.display().to_string()).unwrap_or_default();
        let payload = format!(
            r#"{{"hook_event_name":"{event}","session_id":"s","cwd":"{}","transcript_path":"{transcript}"}}"#,
            self.project().display()
        );
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the binary runs");
        child.stdin.take().expect("it was asked for").write_all(payload.as_bytes()).expect("the hook reads");
        child
    }

    pub(crate) fn journal(&self) -> String {
        let read = |entry: fs::DirEntry| fs::read_to_string(entry.path()).unwrap_or_default();
        let Ok(days) = fs::read_dir(self.project().join("daily")) else { return String::new() };
        days.flatten().map(read).collect()
    }

    /// Every file of the vault.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        let (mut files, mut folders) = (Vec::new(), vec![self.project()]);
        while let Some(folder) = folders.pop() {
            for child in fs::read_dir(folder).expect("it can be read").flatten().map(|entry| entry.path()) {
                if child.is_dir() { &mut folders } else { &mut files }.push(child);
            }
        }
        files
    }

    pub(crate) fn spool(&self) -> Vec<String> {
        let Ok(jobs) = fs::read_dir(self.project().join(".kenning/spool")) else { return Vec::new() };
        let names = jobs.flatten().map(|job| job.file_name().to_string_lossy().into_owned());
        names.filter(|name| name.ends_with(".json")).collect()
    }

    pub(crate) fn notes(&self) -> String {
        fs::read_to_string(self.project().join(".kenning/cache/hooks.log")).unwrap_or_default()
    }

    /// Waits until something holds, for as long as a worker may take on a busy machine.
    pub(crate) fn until(&self, what: &str, holds: impl Fn(&Place) -> bool) {
        let start = Instant::now();
        while !holds(self) {
            assert!(start.elapsed() < Duration::from_secs(30), "{what}\n{}\n{}", self.journal(), self.notes());
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Processes of this vault that are still there.
    pub(crate) fn processes(&self) -> usize {
        let project = self.project();
        let is_ours = |process: &fs::DirEntry| {
            let line = fs::read(process.path().join("cmdline")).unwrap_or_default();
            let line = String::from_utf8_lossy(&line).into_owned();
            line.contains("work") && line.contains(&*project.to_string_lossy())
        };
        fs::read_dir("/proc").map_or(0, |all| all.flatten().filter(|process| is_ours(process)).count())
    }
}

pub(crate) fn line(id: &str, cwd: &Path, role: &str, said: &str) -> String {
    let cwd = cwd.display();
    format!(
        "{{\"type\":\"{role}\",\"isSidechain\":false,\"sessionId\":\"{id}\",\"cwd\":\"{cwd}\",\"timestamp\":\"2026-06-01T09:00:00Z\",\"message\":{{\"role\":\"{role}\",\"content\":\"{said}\"}}}}\n"
    )
}

/// Shell that answers a prompt on `$asked` with what the function `one` prints for it, or, where it has several texts, for
/// each of them with the rules in front.
pub(crate) const ANSWER_EACH: &str = r#"
n=$(printf %s "$asked" | grep -c '^Text [0-9]*:$')
if [ "$n" -gt 1 ]; then
    rules=$(printf %s "$asked" | sed '/^Text 1:$/,$d')
    printf '{"replies":['
    for i in $(seq "$n"); do
        text=$(printf %s "$asked" | sed -n "/^Text $i:\$/,/^Text $((i + 1)):\$/p")
        [ "$i" -gt 1 ] && printf ,
        printf '{"n":%s,"reply":' "$i"
        one "$rules $text"
        printf '}'
    done
    printf '],"nothing":[]}'
else
    one "$asked"
fi
"#;
