//! Edits of the page: the lines of one task change, and every other byte stays.

use jiff::civil::DateTime;

use super::{FIELDS, Field, Status, Task, fence_of, key, parse_state};
use crate::span::Span;

/// The heading of tasks of no feature.
pub(super) const TASKS: &str = "Tasks";

/// What a new page begins with.
const BEGINNING: &str = "# State\n\nWhat is to be done, and how far it is. `ken state` writes this page, and reads what you change in it.\n";

/// What is to become of a task.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Change {
    /// What it is called; a task of that name changes, else one is added.
    pub name: String,
    /// The feature that it moves to; an empty one is none.
    pub feature: Option<String>,
    /// How far it is from now on.
    pub status: Option<Status>,
    /// What it waits for, instead of what it waited for.
    pub blockers: Option<Vec<String>>,
    /// What comes next, instead of what came next.
    pub next: Option<Vec<String>>,
}

/// Returns the page with a task changed or added, or `None` when it says so already.
///
/// What is not blocked waits for nothing: the lines that say for what go with the status.
///
/// ```
/// # use ken_core::state::{Change, Status, changed};
/// let page = "- [ ] Write it\n  A note.\n";
/// let change = Change { name: "write it".to_owned(), status: Some(Status::Done), ..Change::default() };
/// let now = "2026-04-01T14:30".parse().unwrap();
/// assert_eq!(changed(page, &change, now).unwrap(), "- [x] Write it (done 2026-04-01 14:30)\n  A note.\n");
/// ```
pub fn changed(text: &str, change: &Change, now: DateTime) -> Option<String> {
    let state = parse_state(text);
    let end = if text.split_inclusive('\n').next().is_some_and(|line| line.ends_with("\r\n")) { "\r\n" } else { "\n" };
    let Some(task) = state.find(&change.name) else {
        let block = new_block(change, now, end);
        let begun = if text.trim_start_matches('\u{feff}').trim().is_empty() { BEGINNING } else { text };
        return Some(inserted(begun, change.feature.as_deref().filter(|name| !name.is_empty()), &block, end));
    };
    let block = block_of(text, task, change, (now, end));
    let feature = change.feature.as_deref().map(|name| Some(name).filter(|name| !name.is_empty()));
    let moves = feature.is_some_and(|to| to.map(key) != task.feature.as_deref().map(key));
    if !moves && block == task.block.of(text) {
        return None;
    }
    let (before, behind) = (&text[..task.block.start], &text[task.block.end..]);
    match feature.filter(|_| moves) {
        Some(to) => Some(inserted(&format!("{before}{behind}"), to, &block, end)),
        None => Some(format!("{before}{block}{behind}")),
    }
}

/// What stands behind the name.
fn suffix(status: Status, since: DateTime) -> String {
    let words = match status {
        Status::Todo => "since",
        Status::Doing => "doing since",
        Status::Blocked => "blocked since",
        Status::Done => "done",
    };
    format!(" ({words} {})", since.strftime("%Y-%m-%d %H:%M"))
}

fn mark(status: Status) -> char {
    if status == Status::Done { 'x' } else { ' ' }
}

/// How far a task is after a change.
fn status_after(change: &Change, before: Status) -> Status {
    let is_blocked = change.blockers.as_ref().is_some_and(|blockers| !blockers.is_empty());
    change.status.unwrap_or(if is_blocked { Status::Blocked } else { before })
}

fn rows(field: Field, values: &[String], indent: &str, end: &str) -> String {
    let label = FIELDS.iter().find(|(known, _)| *known == field).map_or("", |(_, label)| label);
    values.iter().map(|value| format!("{indent}- {label}: {value}{end}")).collect()
}

fn new_block(change: &Change, now: DateTime, end: &str) -> String {
    let status = status_after(change, Status::Todo);
    let head = format!("- [{}] {}{}{end}", mark(status), change.name, suffix(status, now));
    let blockers = change.blockers.as_deref().filter(|_| status == Status::Blocked).unwrap_or_default();
    let next = change.next.as_deref().unwrap_or_default();
    head + &rows(Field::Blocker, blockers, "  ", end) + &rows(Field::Next, next, "  ", end)
}

/// The lines of a task after a change.
fn block_of(text: &str, task: &Task, change: &Change, (now, end): (DateTime, &str)) -> String {
    let status = status_after(change, task.status);
    let (prefix, name, head) = task.head;
    let line = head.of(text);
    let own_end = &line[line.trim_end_matches(['\r', '\n']).len()..];
    let own_end = if own_end.is_empty() { end } else { own_end };
    let mut out = if status == task.status {
        let said = line.trim_end_matches(['\r', '\n']);
        format!("{said}{own_end}")
    } else {
        let bullet = prefix.of(text).rfind('[').map_or("- ", |at| &prefix.of(text)[..at]);
        format!("{bullet}[{}] {}{}{own_end}", mark(status), name.of(text), suffix(status, now))
    };
    let blockers = match &change.blockers {
        _ if status != Status::Blocked => Some(Vec::new()),
        blockers => blockers.clone(),
    };
    let said = |field: Field| -> &[String] {
        match field {
            Field::Blocker => &task.blockers,
            Field::Next => &task.next,
        }
    };
    let new: Vec<(Field, Vec<String>)> = [(Field::Blocker, blockers), (Field::Next, change.next.clone())]
        .into_iter()
        .filter_map(|(field, values)| Some((field, values?)))
        .filter(|(field, values)| values.as_slice() != said(*field))
        .collect();
    let indent = " ".repeat(prefix.of(text).len() - prefix.of(text).trim_start().len() + 2);
    new.iter().for_each(|(field, values)| out.push_str(&rows(*field, values, &indent, own_end)));
    let is_replaced = |span: Span| {
        let field = task.fields.iter().find(|(_, at)| *at == span).map(|(field, _)| *field);
        field.is_some_and(|field| new.iter().any(|(other, _)| *other == field))
    };
    let mut at = head.end;
    for line in text[head.end..task.block.end].split_inclusive('\n') {
        let span = Span::new(at, at + line.len());
        at = span.end;
        if !is_replaced(span) {
            out.push_str(line);
        }
    }
    if status == task.status && new.is_empty() { task.block.of(text).to_owned() } else { out }
}

/// Puts a task behind the last one of a feature, or below a new heading at the end.
fn inserted(text: &str, feature: Option<&str>, block: &str, end: &str) -> String {
    let state = parse_state(text);
    let wanted = feature.map(key);
    let last = state.tasks.iter().rev().find(|task| task.feature.as_deref().map(key) == wanted);
    let at = match last {
        Some(task) => Some(task.block.end + indented(&text[task.block.end..])),
        None => heading_end(text, feature.unwrap_or(TASKS)),
    };
    let Some(at) = at else {
        let open = if text.ends_with('\n') || text.is_empty() { "" } else { end };
        return format!("{text}{open}{end}## {}{end}{end}{block}", feature.unwrap_or(TASKS));
    };
    let open = if text[..at].ends_with('\n') { "" } else { end };
    // Below a heading a blank line comes first; text that follows is not to go on with the item.
    let above = if last.is_none() { end } else { "" };
    let follows = text[at..].split_inclusive('\n').next().is_some_and(|line| !line.trim().is_empty());
    let below = if follows && last.is_none() { end } else { "" };
    format!("{}{open}{above}{block}{below}{}", &text[..at], &text[at..])
}

/// How many bytes of lines follow that are indented, and would belong to a task that was put above them; blank lines between
/// them part nothing.
fn indented(text: &str) -> usize {
    let is_below = |line: &&str| line.starts_with([' ', '\t']) && fence_of(line).is_none() || line.trim().is_empty();
    let mut end = 0;
    let below = text.split_inclusive('\n').take_while(is_below).map(|line| {
        end += line.len();
        if line.trim().is_empty() { 0 } else { end }
    });
    below.max().unwrap_or(0)
}

/// Where the line of a heading ends.
fn heading_end(text: &str, name: &str) -> Option<usize> {
    let mut at = 0;
    text.split_inclusive('\n').find_map(|line| {
        at += line.len();
        let said = line.trim_start_matches('\u{feff}').trim_end();
        let is_it = said.starts_with("##") && key(said.trim_matches(['#', ' ', '\t'])) == key(name);
        is_it.then_some(at)
    })
}
