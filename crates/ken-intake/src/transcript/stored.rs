//! Where transcripts come from: files, and sessions inside a store that holds many of them.
//!
//! A [`Transcript`] is one session. [`transcripts_at`] finds those at a place, [`open`] makes one readable; a
//! session out of a store is written out in memory first, in the form its reader takes.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use ken_core::Timestamp;

use crate::outside::{self, Standing};

use super::exported;
use super::opencode::storage;
use super::{ReadReport, TranscriptReader, reader_for, reader_of_agent};

/// Bytes looked at to tell whose transcript it is, and which session.
const HEAD_BYTES: u64 = 64 * 1024;

/// Folders below a folder that are looked into.
const DEPTH_MAX: usize = 12;

/// One session's transcript.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Transcript {
    /// The file.
    pub path: PathBuf,
    /// The session in it, if the file holds many or is not the whole transcript.
    pub session: Option<String>,
    /// The working folder, if the store says it; otherwise [`head`] does.
    pub cwd: Option<String>,
    /// Where the session begins in the file, if the file holds many one after the other.
    pub at: Option<u64>,
    /// When the session last changed, if the store says it; otherwise the file's own time does.
    pub changed: Option<Timestamp>,
}

impl Transcript {
    /// Returns the transcript that is a whole file.
    pub fn file(path: &Path) -> Transcript {
        Transcript { path: path.to_owned(), session: None, cwd: None, at: None, changed: None }
    }

    /// Returns how it is named in messages: the file, and the session where the file holds several.
    pub fn place(&self) -> String {
        let path = self.path.display();
        self.session.as_ref().map_or_else(|| path.to_string(), |session| format!("{path}#{session}"))
    }
}

/// What was found at a place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Found {
    /// The sessions, in the order of their places.
    pub transcripts: Vec<Transcript>,
    /// How many files were passed over, by reason.
    pub passed_over: BTreeMap<&'static str, u64>,
}

/// What a transcript is read from.
pub trait Input: BufRead + Seek {}

impl<T: BufRead + Seek> Input for T {}

/// A transcript that can be read.
pub struct Opened {
    /// Its bytes, from the first one on.
    pub input: Box<dyn Input>,
    /// How many bytes there are.
    pub len: u64,
}

/// Returns the sessions at a place: the file itself, every transcript below a folder, every session of
/// a store. What no reader knows is counted.
pub fn transcripts_at(path: &Path) -> Found {
    let mut found = Found::default();
    if outside::is_folder(path) {
        walk(path, DEPTH_MAX, &mut found);
    } else if !store(path, &mut found) {
        found.transcripts.push(Transcript::file(path));
    }
    found
}

impl Found {
    fn pass_over(&mut self, reason: &'static str) {
        *self.passed_over.entry(reason).or_default() += 1;
    }
}

fn walk(folder: &Path, depth: usize, found: &mut Found) {
    if storage::is_root(folder) {
        for path in storage::sessions(folder) {
            store(&path, found);
        }
        return;
    }
    for child in outside::all_children(folder) {
        match outside::standing(&child) {
            Ok(Standing::Folder) if depth == 0 => found.pass_over("too-deep"),
            Ok(Standing::Folder) if is_foreign(&child) => {}
            Ok(Standing::Folder) => walk(&child, depth - 1, found),
            Ok(Standing::File(_)) => file(&child, found),
            _ => found.pass_over("unreadable"),
        }
    }
}

/// Folders that hold no transcripts and a great many files.
fn is_foreign(folder: &Path) -> bool {
    folder.file_name().is_some_and(|name| name == ".git" || name == "node_modules")
}

/// A file found on the way: a transcript, part of one, or something else.
fn file(path: &Path, found: &mut Found) {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if store(path, found) {
        return;
    }
    let Ok(start) = outside::first_bytes(path, HEAD_BYTES) else { return found.pass_over("unreadable") };
    match reader_for(&name, &start) {
        _ if start.iter().all(u8::is_ascii_whitespace) => found.pass_over("empty"),
        _ if is_companion(&name, &start) => found.pass_over("companion"),
        _ if start.starts_with(b"\x28\xb5\x2f\xfd") => found.pass_over("compressed"),
        Some(reader) => match reader.why_not(path) {
            Some(reason) => found.pass_over(reason),
            None => found.transcripts.push(Transcript::file(path)),
        },
        None if start.starts_with(b"SQLite format 3\0") => found.pass_over("database"),
        None => found.pass_over("unknown"),
    }
}

/// How the names of companions end.
const COMPANION_ENDS: &[&str] = &[".meta.json", "state.json", ".compaction.json", "workspace.yaml", "-wal", "-shm"];

/// Files that lie beside transcripts and say something about them.
fn is_companion(name: &str, start: &[u8]) -> bool {
    let says = |word: &str| memchr::memmem::find(start, word.as_bytes()).is_some();
    let is_session_info = || says("\"messages_path\"") && says("\"session_id\"");
    COMPANION_ENDS.iter().any(|end| name.ends_with(end))
        || matches!(name, "summary.json" | "projects.json" | ".project_root" | "migration" | "metadata.json")
        || name.ends_with(".json") && is_session_info()
}

/// Adds the sessions of a store, if the file is one or belongs to one.
fn store(path: &Path, found: &mut Found) -> bool {
    if storage::root_of(path).is_some() {
        found.transcripts.push(storage::transcript(path));
        return true;
    }
    if exported::is_export(path) {
        match exported::conversations(path) {
            Ok((conversations, unread)) => {
                found.transcripts.extend(conversations);
                unread.into_iter().for_each(|why| found.pass_over(why));
            }
            Err(_) => found.pass_over("unreadable"),
        }
        return true;
    }
    if !is_database(path) {
        return false;
    }
    #[cfg(feature = "sqlite")]
    match super::opencode::database::sessions(path) {
        Ok(sessions) => found.transcripts.extend(sessions),
        Err(_) => found.pass_over("database"),
    }
    #[cfg(not(feature = "sqlite"))]
    found.pass_over("database");
    true
}

fn is_database(path: &Path) -> bool {
    let has_name = path.extension().is_some_and(|extension| extension == "db" || extension == "sqlite");
    has_name && outside::first_bytes(path, 16).is_ok_and(|start| start.starts_with(b"SQLite format 3\0"))
}

/// Opens a session's transcript.
///
/// # Errors
/// When it cannot be read, or a store no longer holds it.
pub fn open(transcript: &Transcript) -> io::Result<Opened> {
    let Some(session) = &transcript.session else {
        let file = outside::open(&transcript.path)?;
        let len = file.metadata()?.len();
        if len == 0 {
            // What says that it is empty and is not (files of the system) may never end, or never begin.
            return Ok(Opened { input: Box::new(Cursor::new(Vec::new())), len });
        }
        return Ok(Opened { input: Box::new(BufReader::with_capacity(256 * 1024, file)), len });
    };
    let written = match storage::root_of(&transcript.path) {
        _ if transcript.at.is_some() => exported::written_out(transcript)?,
        Some(root) => storage::export(&root, &transcript.path)
            .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "the session's file is damaged"))?,
        None => from_database(&transcript.path, session)?,
    };
    let len = written.len() as u64;
    Ok(Opened { input: Box::new(Cursor::new(written)), len })
}

#[cfg(feature = "sqlite")]
fn from_database(path: &Path, session: &str) -> io::Result<Vec<u8>> {
    super::opencode::database::export(path, session)
}

#[cfg(not(feature = "sqlite"))]
fn from_database(_: &Path, _: &str) -> io::Result<Vec<u8>> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "this program was built without support for databases"))
}

/// Returns the reader of what was opened, by its name and its first bytes; one of `agent` if it is named.
///
/// # Errors
/// When it cannot be read.
pub fn reader_of(
    transcript: &Transcript,
    agent: Option<&str>,
    opened: &mut Opened,
) -> io::Result<Option<&'static dyn TranscriptReader>> {
    let mut start = Vec::new();
    opened.input.seek(SeekFrom::Start(0))?;
    (&mut opened.input).take(HEAD_BYTES).read_to_end(&mut start)?;
    let name = transcript.path.file_name().unwrap_or_default().to_string_lossy();
    Ok(match agent {
        Some(agent) => reader_of_agent(agent, &name, &start),
        None => reader_for(&name, &start),
    })
}

/// Returns what the first bytes say of a session, completed by what lies beside the file: session and
/// working folder without reading the whole transcript.
///
/// # Errors
/// When it cannot be read.
pub fn head(reader: &dyn TranscriptReader, transcript: &Transcript, input: &mut dyn Input) -> io::Result<ReadReport> {
    input.seek(SeekFrom::Start(0))?;
    let mut input = BufReader::new(input.take(HEAD_BYTES));
    let mut report = reader.read(&mut input, 0, &mut |_| ())?;
    let name = || transcript.path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    report.session = report.session.or_else(|| reader.session_of(&transcript.path)).or_else(name);
    if report.cwd.is_none() {
        report.cwd = reader.cwd_of(&transcript.path);
        report.project = report.cwd.as_deref().and_then(super::reading::project_of);
    }
    Ok(report)
}

#[cfg(test)]
mod tests;
