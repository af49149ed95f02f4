//! Tasks of the state and boxes of progress files, as entries among those of the journal.

use std::collections::BTreeMap;

use ken_core::action::{Statement, closed};
use ken_core::orders::is_task;
use ken_core::state::{State, Status, Task, parse_state};
use ken_core::{Date, VaultPath};

use super::{Engine, Entry, Failure, Item};
use crate::state::ClosedBy;

/// What people call the file in which they keep how far they are.
const PROGRESS: &str = "progress";

/// The words by which an entry says that something was done.
pub(super) const CLOSED: &str = "Closed: ";

/// A moment by which entries are in order.
type Moment = (Date, (u8, u8));

impl Engine {
    /// Puts what is kept of tasks among the entries of the journal.
    pub(super) fn add_kept(&self, entries: &mut Vec<Entry>) -> Result<(), Failure> {
        let is_now = self.past.is_none() && self.on.is_none_or(|day| day >= self.clock.today());
        if !is_now {
            // The page says what holds now, and nothing of before.
            return Ok(());
        }
        if let Ok(Some(text)) = self.state_text() {
            let page = self.layout().state_page();
            parse_state(&text).tasks.iter().for_each(|task| insert(entries, entry_of(task, &page, "State")));
        }
        // A progress file dates nothing, and what stands in it holds now: what it has open, no session closes.
        for (path, state) in self.progress_files() {
            let (done, open): (Vec<&Task>, Vec<&Task>) =
                state.tasks.iter().partition(|task| task.status == Status::Done);
            let undated = |task: &Task| Entry { date: None, ..entry_of(task, &path, "Progress") };
            entries.extend(done.into_iter().chain(open).map(undated));
        }
        Ok(())
    }

    /// The progress files of people: in the vault's root, and right in the folders of pages.
    pub(crate) fn progress_files(&self) -> Vec<(VaultPath, State)> {
        let layout = self.layout();
        let mut paths = self.store.list_root().unwrap_or_default();
        for folder in layout.page_folders() {
            let listed = self.store.list_one(folder).map(|(files, _)| files).unwrap_or_default();
            paths.extend(listed.into_iter().map(|file| file.path));
        }
        paths.retain(|path| path.extension() == "md" && path.stem().eq_ignore_ascii_case(PROGRESS));
        paths.sort();
        paths.dedup();
        let read = |path: VaultPath| {
            let text = String::from_utf8(self.store.read(&path).ok()??).ok()?;
            let state = parse_state(&text);
            (!state.tasks.is_empty()).then_some((path, state))
        };
        paths.into_iter().filter_map(read).collect()
    }

    /// Returns which open tasks of the state something else says were done, by their lines.
    pub(crate) fn closed_tasks(&self, state: &State) -> Result<BTreeMap<usize, ClosedBy>, Failure> {
        if state.tasks.iter().all(|task| task.status == Status::Done) {
            return Ok(BTreeMap::new());
        }
        let page = self.layout().state_page();
        let entries = self.told_entries(i32::MAX)?;
        let mut said: Vec<(usize, Statement<'_>)> = Vec::new();
        let mut places = Vec::new();
        for (n, entry) in entries.iter().enumerate() {
            for item in &entry.said {
                said.push((n, item.told()));
                places.push((&entry.path, item));
            }
        }
        let by = closed(&said);
        let of = |at: usize| {
            let (path, item) = places[at];
            let (by_path, by_item) = places[by[at]?];
            // What the page itself says of another task closes nothing of it.
            let said_of = |path: &VaultPath, item: &Item| match path.is_under(self.layout().journal.as_str()) {
                true => item.text.clone(),
                // The words were put before it, so that it is read as what it is.
                false => item.text.trim_start_matches(CLOSED).to_owned(),
            };
            let is_told = *path == page && *by_path != page && item.is_marked;
            let says = ClosedBy { path: by_path.clone(), line: by_item.lines.0, text: said_of(by_path, by_item) };
            is_told.then_some((item.lines.0, says))
        };
        Ok((0..said.len()).filter_map(of).collect())
    }
}

/// Puts an entry behind those that are no later; what has no date, behind all.
fn insert(entries: &mut Vec<Entry>, entry: Entry) {
    let at = |entry: &Entry| -> Option<Moment> { Some((entry.date?, entry.time)) };
    let last = |moment: Moment| entries.iter().rposition(|other| at(other).is_some_and(|other| other <= moment));
    let place = at(&entry).map(|moment| last(moment).map_or(0, |n| n + 1));
    entries.insert(place.unwrap_or(entries.len()), entry);
}

fn entry_of(task: &Task, path: &VaultPath, title: &str) -> Entry {
    let is_done = task.status == Status::Done;
    let text = if is_done { format!("{CLOSED}{}", task.name) } else { task.name.clone() };
    Entry {
        date: task.since.map(|since| since.date()),
        time: task.since.map(|since| (since.hour() as u8, since.minute() as u8)).unwrap_or_default(),
        path: path.clone(),
        title: title.to_owned(),
        project: None,
        note: note_of(task),
        said: vec![Item { text, lines: (task.line, task.line), is_marked: !is_done, is_listed: true }],
    }
}

/// How far an open task is, as far as that may be told.
fn note_of(task: &Task) -> Option<String> {
    let of = |label: &str, values: &[String]| {
        let told: Vec<&str> = values.iter().map(String::as_str).filter(|value| is_task(value)).collect();
        (!told.is_empty()).then(|| format!("{label}: {}", told.join(", ")))
    };
    let status = match task.status {
        Status::Todo | Status::Done => None,
        Status::Doing => Some("doing".to_owned()),
        Status::Blocked => Some(of("blocked by", &task.blockers).unwrap_or_else(|| "blocked".to_owned())),
    };
    let notes: Vec<String> = status.into_iter().chain(of("next", &task.next)).collect();
    (!notes.is_empty()).then(|| notes.join("; "))
}
