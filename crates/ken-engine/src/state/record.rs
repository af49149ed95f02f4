//! `state.json`: what the page says, for programs. It is made from the page, which counts where the two differ.

use ken_core::state::{State, parse_state};
use ken_core::text::cut;
use ken_core::{Digest, VaultPath};
use serde::{Deserialize, Serialize};

/// What the file says of itself.
const OURS: &str = "\"kenning\": \"state\"";

#[derive(Debug, Serialize, Deserialize)]
struct Record {
    kenning: String,
    version: u32,
    /// The page that it was made from, and its digest then.
    page: String,
    digest: String,
    tasks: Vec<RecordTask>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct RecordTask {
    name: String,
    feature: Option<String>,
    status: String,
    since: Option<String>,
    blocked_by: Vec<String>,
    next: Vec<String>,
    line: usize,
}

fn tasks(state: &State) -> Vec<RecordTask> {
    let task = |task: &ken_core::state::Task| RecordTask {
        name: task.name.clone(),
        feature: task.feature.clone(),
        status: task.status.word().to_owned(),
        since: task.since.map(|since| since.strftime("%Y-%m-%dT%H:%M").to_string()),
        blocked_by: task.blockers.clone(),
        next: task.next.clone(),
        line: task.line,
    };
    state.tasks.iter().map(task).collect()
}

/// Returns the file that says what a page says.
pub(super) fn record(page: &VaultPath, text: &str) -> String {
    let record = Record {
        kenning: "state".to_owned(),
        version: 1,
        page: page.to_string(),
        digest: Digest::of(text.as_bytes()).to_string(),
        tasks: tasks(&parse_state(text)),
    };
    // Numbers and texts always serialise.
    serde_json::to_string_pretty(&record).unwrap_or_default() + "\n"
}

/// Returns whether a file is one of ours, whatever became of it.
pub(crate) fn is_ours(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    text.contains(OURS) || text.split_whitespace().collect::<String>().contains("\"kenning\":\"state\"")
}

/// Returns what somebody changed in the file itself, which does not count; nothing where only the page went on.
pub(super) fn differences(known: Option<&[u8]>, text: &str, (page, path): (&VaultPath, &VaultPath)) -> Vec<String> {
    let Some(bytes) = known.filter(|bytes| is_ours(bytes)) else { return Vec::new() };
    let Ok(record) = serde_json::from_slice::<Record>(bytes) else {
        return vec![format!("{path}: it does not read as JSON; `{page}` counts, and the next change makes it again")];
    };
    let own = tasks(&parse_state(text));
    if record.digest != Digest::of(text.as_bytes()).to_string() || record.tasks == own {
        return Vec::new();
    }
    let note = |says: String| format!("{path}: {says}; `{page}` counts");
    let changed = record.tasks.iter().filter_map(|task| {
        let shown = cut(&task.name, 60);
        let on_page = own.iter().find(|one| one.name == task.name);
        match on_page {
            None => Some(note(format!("`{shown}` stands only here"))),
            Some(one) if one.status != task.status => {
                Some(note(format!("`{shown}` is {} here and {} on the page", task.status, one.status)))
            }
            Some(one) if one != task => Some(note(format!("`{shown}` says something else here"))),
            Some(_) => None,
        }
    });
    let missing = own.iter().filter(|one| !record.tasks.iter().any(|task| task.name == one.name));
    let missing = missing.map(|one| note(format!("`{}` is missing here", cut(&one.name, 60))));
    changed.chain(missing).collect()
}
