//! Where an attack takes place: a home, a vault, bait outside, and a way to run `ken` in them.

use std::collections::BTreeMap;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Longest that a command may take on a small vault; more is a hang.
const COMMAND_MAX: Duration = Duration::from_secs(60);

/// A sequence of numbers that is the same for the same seed (xorshift64*, Vigna 2016).
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(super) fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % n.max(1)
    }
}

/// Folders that go away with the value.
pub(super) struct Arena {
    dir: PathBuf,
    ken: PathBuf,
}

impl Drop for Arena {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.dir);
    }
}

static N_ARENAS: AtomicUsize = AtomicUsize::new(0);

impl Arena {
    /// Returns empty folders: `home`, `vault`, `outside`, `bin`.
    pub(super) fn new(ken: &Path) -> Result<Arena, String> {
        let n = N_ARENAS.fetch_add(1, Ordering::Relaxed);
        let dir = std::env::temp_dir().join(format!("ken-attack-{}-{n}", std::process::id()));
        let arena = Arena { dir, ken: ken.to_owned() };
        for folder in [arena.home(), arena.vault(), arena.outside(), arena.bin()] {
            fs::create_dir_all(&folder).map_err(|err| format!("cannot make `{}`: {err}", folder.display()))?;
        }
        Ok(arena)
    }

    pub(super) fn home(&self) -> PathBuf {
        self.dir.join("home")
    }

    pub(super) fn vault(&self) -> PathBuf {
        self.dir.join("vault")
    }

    pub(super) fn outside(&self) -> PathBuf {
        self.dir.join("outside")
    }

    pub(super) fn bin(&self) -> PathBuf {
        self.dir.join("bin")
    }

    pub(super) fn dir(&self) -> &Path {
        &self.dir
    }

    /// Returns `ken` with these arguments in the vault, for the person whose home this is.
    pub(super) fn ken(&self, args: &[&str]) -> Command {
        self.at(&self.vault(), args)
    }

    /// Returns `ken` with these arguments in another folder.
    pub(super) fn at(&self, folder: &Path, args: &[&str]) -> Command {
        let mut command = Command::new(&self.ken);
        command.args(args).current_dir(folder).env_clear().env("HOME", self.home()).env("TZ", "UTC");
        command.env("KEN_NOW", "2026-06-01T12:00:00Z").env("PATH", self.bin()).stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Returns the same for somebody else, who has another key.
    pub(super) fn attacker(&self, args: &[&str]) -> Command {
        let mut command = self.ken(args);
        command.env("XDG_STATE_HOME", self.dir.join("attacker"));
        command
    }

    /// Writes a file of the vault, with the folders it needs.
    pub(super) fn plant(&self, path: &str, content: impl AsRef<[u8]>) -> Result<(), String> {
        write(&self.vault().join(path), content.as_ref())
    }

    /// Runs a command that must succeed.
    pub(super) fn done(&self, args: &[&str]) -> Result<Output, String> {
        let output = ended(self.ken(args))?;
        match output.status.success() {
            true => Ok(output),
            false => Err(format!("`ken {}`: {}", args.join(" "), String::from_utf8_lossy(&output.stderr).trim())),
        }
    }

    /// Makes a vault with a week of entries, a document and pages.
    pub(super) fn furnish(&self) -> Result<(), String> {
        self.done(&["init", "--quiet"])?;
        self.entries()?;
        self.done(&["ingest", "--quiet", &self.document()?])?;
        self.done(&["compile", "--quiet"]).map(drop)
    }

    /// Puts days of a small team into the journal.
    pub(super) fn entries(&self) -> Result<(), String> {
        for day in 20..27 {
            let mut text = format!("# Daily Log: 2026-05-{day}\n\n## Sessions\n");
            for (hour, what) in [(9, "oven"), (11, "till"), (15, "counter")] {
                text.push_str(&format!(
                    "\n### Session ({hour:02}:00) - The {what} on day {day}\n\n\
                     **Decisions Made:**\n- We decided that the [[{what}-timer]] rings {day} times because the [[{what}]] is loud.\n\
                     **Lessons Learned:**\n- The `{what}-timer` stops when the [[{what}]] door is open, since 2026-05-{day}.\n\
                     **Action Items:**\n- Replace the {what} cable {day}.\n"
                ));
            }
            self.plant(&format!("daily/2026-05-{day}.md"), text)?;
        }
        Ok(())
    }

    fn document(&self) -> Result<String, String> {
        let path = self.outside().join("handbook.md");
        write(&path, b"# Handbook\n\nThe oven is cleaned on Mondays.\n\n## Timer\n\nThe timer rings twice.\n")?;
        Ok(path.display().to_string())
    }
}

/// Writes a file, with the folders it needs.
pub(super) fn write(path: &Path, content: &[u8]) -> Result<(), String> {
    let folder = path.parent().unwrap_or(Path::new("/"));
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(path, content))
        .map_err(|err| format!("cannot write `{}`: {err}", path.display()))
}

/// Copies a folder with everything in it.
pub(super) fn copy(from: &Path, to: &Path) -> Result<(), String> {
    let failed = |err: std::io::Error| format!("cannot copy `{}`: {err}", from.display());
    fs::create_dir_all(to).map_err(failed)?;
    for entry in fs::read_dir(from).map_err(failed)?.flatten() {
        let target = to.join(entry.file_name());
        match entry.file_type().map_err(failed)? {
            kind if kind.is_dir() => copy(&entry.path(), &target)?,
            kind if kind.is_file() => fs::copy(entry.path(), &target).map(drop).map_err(failed)?,
            _ => {}
        }
    }
    Ok(())
}

/// Waits for a command; one that does not end in time is killed and an error.
pub(super) fn ended(command: Command) -> Result<Output, String> {
    ended_within(command, COMMAND_MAX)
}

/// The same with a bound of its own.
pub(super) fn ended_within(mut command: Command, max: Duration) -> Result<Output, String> {
    let mut child = command.spawn().map_err(|err| format!("cannot start {command:?}: {err}"))?;
    let readers = (reader(child.stdout.take()), reader(child.stderr.take()));
    let start = Instant::now();
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if start.elapsed() < max => std::thread::sleep(Duration::from_millis(1)),
            _ => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("{command:?} did not end within {} s", max.as_secs()));
            }
        }
    };
    let read = |thread: std::thread::JoinHandle<Vec<u8>>| thread.join().unwrap_or_default();
    Ok(Output { status, stdout: read(readers.0), stderr: read(readers.1) })
}

fn reader(pipe: Option<impl std::io::Read + Send + 'static>) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            let _ = pipe.read_to_end(&mut bytes);
        }
        bytes
    })
}

/// Starts a hook of Claude Code's in the vault and gives it its payload.
pub(super) fn hook(mut command: Command, event: &str, cwd: &Path, transcript: &Path) -> Result<Child, String> {
    let payload = format!(
        r#"{{"hook_event_name":"{event}","session_id":"a","cwd":"{}","transcript_path":"{}"}}"#,
        cwd.display(),
        transcript.display()
    );
    let mut child = command.stdin(Stdio::piped()).spawn().map_err(|err| format!("cannot start a hook: {err}"))?;
    if let Some(mut stdin) = child.stdin.take() {
        let _ = stdin.write_all(payload.as_bytes());
    }
    Ok(child)
}

/// Every file below a folder with a hash of its bytes; links by where they lead.
pub(super) fn files(folder: &Path) -> BTreeMap<PathBuf, u64> {
    let (mut all, mut folders) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let (path, kind) = (entry.path(), entry.file_type());
            let mut hasher = DefaultHasher::new();
            match kind {
                Ok(kind) if kind.is_dir() => {
                    folders.push(path);
                    continue;
                }
                Ok(kind) if kind.is_file() => fs::read(&path).unwrap_or_default().hash(&mut hasher),
                Ok(kind) if kind.is_symlink() => fs::read_link(&path).ok().hash(&mut hasher),
                _ => "something else".hash(&mut hasher),
            }
            all.insert(path, hasher.finish());
        }
    }
    all
}

/// Returns the paths that differ between two looks, each once.
pub(super) fn changed(before: &BTreeMap<PathBuf, u64>, after: &BTreeMap<PathBuf, u64>) -> Vec<PathBuf> {
    let gone = before.keys().filter(|path| !after.contains_key(*path));
    let other = after.iter().filter(|(path, hash)| before.get(*path) != Some(hash)).map(|(path, _)| path);
    gone.chain(other).cloned().collect()
}
