//! OpenCode's older `storage/` folder: a file for each session, each message and each part.
//!
//! A session is written out as `opencode export` would, without what tools gave back and other parts that
//! no reader looks at, so that it stays small.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::outside;
use crate::transcript::Transcript;
use crate::transcript::reading::time_in;

use super::{answers_in, words_of_refusal};

/// Longest session that is written out; parts that come after are left out.
const SESSION_BYTES_MAX: usize = 256 * 1024 * 1024;

/// Kinds of part that are kept.
const KINDS_KEPT: &[&str] = &["text", "tool", "step-start", "step-finish", "compaction", "subtask"];

/// Returns the storage folder that a session's file belongs to: `ROOT/session/PROJECT/SESSION.json`.
pub(in crate::transcript) fn root_of(session_file: &Path) -> Option<PathBuf> {
    let folder = session_file.parent()?.parent().filter(|folder| folder.ends_with("session"))?;
    folder.parent().filter(|root| is_root(root)).map(Path::to_path_buf)
}

/// Returns whether a folder is such a storage.
pub(in crate::transcript) fn is_root(folder: &Path) -> bool {
    outside::is_folder(&folder.join("session")) && outside::is_folder(&folder.join("message"))
}

/// Returns the files of all sessions.
pub(in crate::transcript) fn sessions(root: &Path) -> Vec<PathBuf> {
    outside::files_below(&root.join("session"), "json")
}

/// Returns a session's file as a transcript.
pub(in crate::transcript) fn transcript(session_file: &Path) -> Transcript {
    let info = json_in(session_file).unwrap_or_default();
    let stem = session_file.file_stem().unwrap_or_default().to_string_lossy();
    Transcript {
        path: session_file.to_owned(),
        session: Some(info["id"].as_str().unwrap_or(&stem).to_owned()),
        cwd: info["directory"].as_str().map(str::to_owned),
        at: None,
        changed: time_in(&info["time"]["updated"]),
    }
}

/// Writes a session out.
pub(in crate::transcript) fn export(root: &Path, session_file: &Path) -> Option<Vec<u8>> {
    let info = json_in(session_file)?;
    let session = info["id"].as_str()?.to_owned();
    let files = outside::files_below(&root.join("message").join(&session), "json");
    let mut messages: Vec<Value> = files.iter().filter_map(|file| json_in(file)).collect();
    let id = |message: &Value| message["id"].as_str().unwrap_or_default().to_owned();
    messages.sort_by_cached_key(|message| (time_in(&message["time"]["created"]), id(message)));
    // Some versions keep the parts of all messages in one folder.
    let mut loose: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    let parts = outside::children(&root.join("part")).unwrap_or_default();
    for part in parts.iter().filter(|file| file.extension().is_some()).filter_map(|file| json_in(file)) {
        loose.entry(part["messageID"].as_str().unwrap_or_default().to_owned()).or_default().push(part);
    }
    let mut export = Export::new(&info);
    for message in &messages {
        let own = outside::files_below(&root.join("part").join(id(message)), "json");
        let own = own.iter().filter_map(|file| json_in(file));
        export.message(message, own.chain(loose.remove(&id(message)).unwrap_or_default()));
    }
    Some(export.finish())
}

fn json_in(file: &Path) -> Option<Value> {
    serde_json::from_str(&outside::short_text(file)?).ok()
}

/// A session that is being written out.
pub(in crate::transcript) struct Export {
    text: String,
    n_messages: usize,
}

impl Export {
    /// Begins with what is known of the session.
    pub(in crate::transcript) fn new(info: &Value) -> Export {
        let kept = |key: &str| info[key].clone();
        let info = json!({
            "id": kept("id"), "directory": kept("directory"), "title": kept("title"), "parentID": kept("parentID"),
        });
        Export { text: format!("{{\"info\":{info},\"messages\":["), n_messages: 0 }
    }

    /// Adds a message; it keeps its place even if nothing of it is kept.
    pub(in crate::transcript) fn message(&mut self, info: &Value, parts: impl Iterator<Item = Value>) {
        let is_full = self.text.len() > SESSION_BYTES_MAX;
        let is_kept = |part: &Value| !is_full && part["type"].as_str().is_some_and(|kind| KINDS_KEPT.contains(&kind));
        let parts: Vec<Value> = parts.filter(is_kept).map(without_result).collect();
        let info = json!({
            "role": info["role"], "time": info["time"], "error": info["error"], "summary": info["summary"] == true,
        });
        if self.n_messages > 0 {
            self.text.push(',');
        }
        self.text.push_str(&json!({ "info": info, "parts": parts }).to_string());
        self.n_messages += 1;
    }

    /// Returns the whole text.
    pub(in crate::transcript) fn finish(self) -> Vec<u8> {
        (self.text + "]}").into_bytes()
    }
}

/// Returns a part without what a tool gave back; what a person answered or refused with is kept, and what a command ended
/// with.
fn without_result(mut part: Value) -> Value {
    let answers = answers_in(&part).cloned();
    let exit = part["state"]["metadata"]["exit"].as_i64();
    let is_refusal = words_of_refusal(&part).is_some();
    if let Some(state) = part.get_mut("state").and_then(Value::as_object_mut) {
        state.retain(|key, _| matches!(key.as_str(), "input" | "time" | "status") || is_refusal && key == "error");
        if let Some(answers) = answers {
            state.insert("metadata".to_owned(), json!({ "answers": answers }));
        } else if let Some(exit) = exit {
            state.insert("metadata".to_owned(), json!({ "exit": exit }));
        }
    }
    if let Some(part) = part.as_object_mut() {
        part.retain(|key, _| key != "snapshot" && key != "metadata");
    }
    part
}
