//! A person's machine in a folder: a home, a project that is a vault, and what runs there.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::mock::Mock;

/// How long an agent may take for one session.
const SESSION_WAIT: Duration = Duration::from_secs(120);
/// How long a worker may stay.
const WORKER_WAIT: Duration = Duration::from_secs(10);

/// A home, a project and the means to run things there.
pub(super) struct Machine {
    pub(super) home: PathBuf,
    pub(super) project: PathBuf,
    pub(super) ken: PathBuf,
    programs: PathBuf,
    pub(super) mock: Arc<Mock>,
}

impl Machine {
    /// Makes an empty home and a project with a repository and a vault.
    pub(super) fn new(folder: &Path, ken: &Path, programs: &Path, mock: Arc<Mock>) -> Result<Machine, String> {
        let failed = |err: std::io::Error| format!("cannot make `{}`: {err}", folder.display());
        if folder.exists() {
            std::fs::remove_dir_all(folder).map_err(failed)?;
        }
        let machine = Machine {
            home: folder.join("home"),
            project: folder.join("shop"),
            ken: ken.to_owned(),
            programs: programs.to_owned(),
            mock,
        };
        std::fs::create_dir_all(&machine.home).map_err(failed)?;
        std::fs::create_dir_all(&machine.project).map_err(failed)?;
        // Shells that an agent starts as those of a login read this.
        let folder = ken.parent().unwrap_or(Path::new(".")).display();
        let profile = format!("PATH=\"{folder}:$PATH\"\nexport PATH\n");
        std::fs::write(machine.home.join(".profile"), profile).map_err(failed)?;
        machine.done(machine.command("git").args(["init", "-q", "."]))?;
        machine.ken(&["init", "--quiet"])?;
        Ok(machine)
    }

    /// Returns a command that runs in the project with this machine around it and nothing else.
    pub(super) fn command(&self, program: &str) -> Command {
        let path = std::env::var("PATH").unwrap_or_default();
        let mut command = Command::new(program);
        command.current_dir(&self.project).env_clear().stdin(Stdio::null());
        let ken = self.ken.parent().unwrap_or(Path::new(".")).display();
        let path = format!("{}:{ken}:{path}", self.programs.display());
        command.env("HOME", &self.home).env("PATH", path).env("TZ", "UTC");
        command
    }

    /// Runs `ken` in the project.
    pub(super) fn ken(&self, args: &[&str]) -> Result<String, String> {
        self.done(self.command(&self.ken.to_string_lossy()).args(args))
    }

    /// Runs a command to its end; its output, or what it said when it failed.
    pub(super) fn done(&self, command: &mut Command) -> Result<String, String> {
        let arguments = command.get_args().map(|arg| arg.to_string_lossy().chars().take(40).collect::<String>());
        let name = format!("{} {}", command.get_program().display(), arguments.collect::<Vec<_>>().join(" "));
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let output = waited(child.map_err(|err| format!("cannot run `{name}`: {err}"))?, SESSION_WAIT)
            .ok_or_else(|| format!("`{name}` did not end in {} s", SESSION_WAIT.as_secs()))?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        match output.status.success() {
            true => Ok(text),
            false => Err(format!("`{name}` failed:\n{text}{}", String::from_utf8_lossy(&output.stderr))),
        }
    }

    /// Everything in the journal.
    pub(super) fn journal(&self) -> String {
        let Ok(days) = std::fs::read_dir(self.project.join("daily")) else { return String::new() };
        days.flatten().map(|day| std::fs::read_to_string(day.path()).unwrap_or_default()).collect()
    }

    /// Waits until the journal holds each of these exactly once.
    pub(super) fn until_captured(&self, texts: &[&str]) -> Result<(), String> {
        let start = Instant::now();
        loop {
            let journal = self.journal();
            let counts: Vec<usize> = texts.iter().map(|text| journal.matches(text).count()).collect();
            if counts.iter().all(|count| *count == 1) {
                return Ok(());
            }
            if start.elapsed() > WORKER_WAIT {
                return Err(format!(
                    "the journal holds {texts:?} so many times: {counts:?}\n{journal}{}",
                    self.notes()
                ));
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// What hooks and workers noted.
    fn notes(&self) -> String {
        std::fs::read_to_string(self.project.join(".kenning/cache/hooks.log")).unwrap_or_default()
    }

    /// Waits until no process of `ken` is left.
    pub(super) fn until_alone(&self) -> Result<(), String> {
        let start = Instant::now();
        loop {
            let left = self.processes();
            if left.is_empty() {
                return Ok(());
            }
            if start.elapsed() > WORKER_WAIT {
                return Err(format!("still there after {} s: {left:?}", WORKER_WAIT.as_secs()));
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Waits until nobody of this home runs for a prompt of Kenning's: in a folder whose name says so.
    pub(super) fn until_nobody(&self) -> Result<(), String> {
        let home = format!("HOME={}", self.home.display());
        let is_ours = |process: &std::fs::DirEntry| {
            let around = std::fs::read(process.path().join("environ")).unwrap_or_default();
            let folder = std::fs::read_link(process.path().join("cwd")).unwrap_or_default();
            let is_for_prompt = folder.to_string_lossy().contains("ken-model-");
            is_for_prompt && around.split(|byte| *byte == 0).any(|variable| variable == home.as_bytes())
        };
        let line = |process: std::fs::DirEntry| {
            String::from_utf8_lossy(&std::fs::read(process.path().join("cmdline")).unwrap_or_default())
                .replace('\0', " ")
        };
        let start = Instant::now();
        loop {
            let all = std::fs::read_dir("/proc").into_iter().flatten().flatten();
            let left: Vec<String> = all.filter(is_ours).map(line).collect();
            if left.is_empty() {
                return Ok(());
            }
            if start.elapsed() > WORKER_WAIT {
                return Err(format!("still there after its worker was killed: {left:?}"));
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    fn processes(&self) -> Vec<String> {
        let Ok(all) = std::fs::read_dir("/proc") else { return Vec::new() };
        let line = |process: std::fs::DirEntry| std::fs::read(process.path().join("cmdline")).unwrap_or_default();
        let lines = all.flatten().map(line).map(|line| String::from_utf8_lossy(&line).replace('\0', " "));
        lines
            .filter(|line| {
                line.starts_with(&*self.ken.to_string_lossy()) && (line.contains("shop") || line.contains("clone"))
            })
            .collect()
    }

    /// Every file below the home with its bytes, but for those that `is_of_no_concern`.
    pub(super) fn files(&self, is_of_no_concern: impl Fn(&str) -> bool) -> Vec<(String, Vec<u8>)> {
        let mut files = Vec::new();
        walk(&self.home, &self.home, &mut files);
        files.retain(|(name, _)| !is_of_no_concern(name));
        files.sort();
        files
    }
}

fn walk(root: &Path, folder: &Path, files: &mut Vec<(String, Vec<u8>)>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let (path, name) = (entry.path(), entry.path());
        let name = name.strip_prefix(root).unwrap_or(&name).to_string_lossy().into_owned();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => walk(root, &path, files),
            Ok(kind) if kind.is_file() => files.push((name, std::fs::read(&path).unwrap_or_default())),
            _ => {}
        }
    }
}

/// Waits for a process and returns its output, or ends it and returns nothing.
fn waited(mut child: Child, wait: Duration) -> Option<Output> {
    let pipes = (child.stdout.take()?, child.stderr.take()?);
    let (out, err) = (read_all(pipes.0), read_all(pipes.1));
    let start = Instant::now();
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if start.elapsed() < wait => std::thread::sleep(Duration::from_millis(10)),
            _ => {
                let _ = child.kill();
                let _ = child.wait();
                return None;
            }
        }
    };
    Some(Output { status, stdout: out.join().ok()?, stderr: err.join().ok()? })
}

fn read_all(mut from: impl std::io::Read + Send + 'static) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = from.read_to_end(&mut bytes);
        bytes
    })
}
