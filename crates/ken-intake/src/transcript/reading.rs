//! The state of one reading, shared by all readers: what is known so far and where records go.
//!
//! A format says what a line or message means; what happens with that is said here once: a text is
//! cleaned of what nobody said, a call becomes one line, and everything else is counted by its reason.

use std::path::Path;

use ken_core::Timestamp;
use serde_json::Value;

use super::tool_line::tool_line;
use super::{ReadReport, Record, Role, ToolEvent, Turn, clean, summary};

/// The smallest number of milliseconds since 1970 that is taken for milliseconds: before it, seconds.
const MILLISECONDS_MIN: i64 = 100_000_000_000;

/// Most records that are held back: between a question and its answer stands next to nothing.
const HELD_MAX: usize = 256;

/// A record that waits, and the call that it tells of, if that is what it waits for.
struct Held {
    call: Option<String>,
    record: Record,
}

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    /// As far as is known it did what it was called for.
    Done,
    /// Its result is an error.
    Failed,
    /// A person refused it.
    Refused,
}

/// One reading.
pub(super) struct Reading<'a> {
    pub(super) report: ReadReport,
    sink: &'a mut dyn FnMut(Record),
    /// Records that wait for what a person answers, and where the first of them stands.
    held: Option<(u64, Vec<Held>)>,
    /// Where what is being read starts; records carry it.
    pub(super) at: u64,
}

impl<'a> Reading<'a> {
    pub(super) fn new(agent: &'static str, start: u64, sink: &'a mut dyn FnMut(Record)) -> Reading<'a> {
        Reading { report: ReadReport::starting_at(agent, start), sink, held: None, at: start }
    }

    /// Holds back what is read from here on: it is told when it is released, or by a later reading.
    pub(super) fn hold(&mut self) {
        self.held.get_or_insert_with(|| (self.at, Vec::new()));
    }

    /// Tells what was held back.
    pub(super) fn release(&mut self) {
        for held in self.held.take().map(|(_, held)| held).unwrap_or_default() {
            (self.sink)(held.record);
        }
    }

    fn tell(&mut self, record: Record) {
        match &mut self.held {
            Some((_, held)) if held.len() < HELD_MAX => held.push(Held { call: None, record }),
            _ => {
                self.release();
                (self.sink)(record);
            }
        }
    }

    /// Counts something that gave no record.
    pub(super) fn skip(&mut self, reason: &'static str) {
        self.report.skip(reason);
    }

    /// Something was said; what of it nobody said is cut out.
    pub(super) fn said(&mut self, role: Role, text: &str, time: Option<Timestamp>) {
        // Before it is looked at: a tag with something hidden in it would not be seen as one.
        match clean::said(&ken_core::clean::clean(text), role == Role::User) {
            Ok(text) => self.tell(Record::Turn(Turn { role, text, at: time, offset: self.at })),
            // Some programs send it as if a person had typed it.
            Err(clean::SUMMARY) => self.summed_up(text, time),
            Err(reason) => self.skip(reason),
        }
    }

    /// The agent summed up what came before.
    pub(super) fn summed_up(&mut self, text: &str, time: Option<Timestamp>) {
        let text = ken_core::clean::clean(text);
        note(&mut self.report.continues, summary::continues(&text).as_deref());
        match clean::said(&text, false).map(|text| summary::own_words(&text)) {
            Ok(text) if !text.is_empty() => {
                self.tell(Record::Turn(Turn { role: Role::Summary, text, at: time, offset: self.at }));
            }
            _ => self.skip(clean::SUMMARY),
        }
    }

    /// A tool was called.
    pub(super) fn did(&mut self, name: &str, input: &Value, time: Option<Timestamp>) {
        self.did_or_failed((name, input), false, time);
    }

    /// A tool was called that a person may refuse: what is read from here on is held back until the call ended.
    pub(super) fn called(&mut self, id: &str, name: &str, input: &Value, time: Option<Timestamp>) {
        self.hold();
        self.did(name, input, time);
        if let Some(last) = self.held.as_mut().and_then(|(_, held)| held.last_mut()) {
            last.call = Some(id.to_owned());
        }
    }

    /// A tool was called whose result is known to be an error, or not to be one.
    pub(super) fn did_or_failed(&mut self, call: (&str, &Value), has_failed: bool, time: Option<Timestamp>) {
        let (line, n_redacted) = tool_line(call.0, call.1, self.report.cwd.as_deref());
        self.report.redactions += n_redacted;
        let mut event = ToolEvent { line, at: time, offset: self.at };
        if has_failed {
            event.mark_failed();
        }
        self.tell(Record::Event(event));
    }

    /// The result of a call was read; a call that was refused was not made.
    pub(super) fn ended(&mut self, id: &str, ended: Ended) {
        let Some((_, held)) = &mut self.held else { return };
        if let Some(at) = held.iter().position(|one| one.call.as_deref() == Some(id)) {
            held[at].call = None;
            match (ended, &mut held[at].record) {
                (Ended::Refused, _) => drop(held.remove(at)),
                (Ended::Failed, Record::Event(event)) => event.mark_failed(),
                _ => {}
            }
        }
        if held.iter().all(|one| one.call.is_none()) {
            self.release();
        }
    }

    /// Notes the session; what was noted first stays.
    pub(super) fn note_session(&mut self, session: Option<&str>) {
        note(&mut self.report.session, session);
    }

    /// Notes the working folder; what was noted first stays.
    pub(super) fn note_cwd(&mut self, cwd: Option<&str>) {
        note(&mut self.report.cwd, cwd);
    }

    /// Notes the branch; what was noted first stays.
    pub(super) fn note_branch(&mut self, branch: Option<&str>) {
        note(&mut self.report.branch, branch);
    }

    /// Returns the report of everything that was read.
    pub(super) fn finish(mut self) -> ReadReport {
        if let Some((start, _)) = self.held.take() {
            self.report.end_offset = self.report.end_offset.min(start);
            self.skip("unanswered");
        }
        let mut report = self.report;
        report.project = report.cwd.as_deref().and_then(project_of);
        report
    }
}

/// Returns the last part of a working folder.
pub(super) fn project_of(cwd: &str) -> Option<String> {
    cwd.rsplit(['/', '\\']).find(|part| !part.is_empty()).map(str::to_owned)
}

fn note(slot: &mut Option<String>, found: Option<&str>) {
    if slot.is_none() {
        *slot = found.filter(|text| !text.trim().is_empty()).map(str::to_owned);
    }
}

/// Returns a session's id for a file that gives none and may have a name that others have too.
pub(super) fn in_folder(path: &Path) -> Option<String> {
    let folder = path.parent()?.file_name()?.to_string_lossy();
    Some(format!("{folder}/{}", path.file_stem()?.to_string_lossy()))
}

/// Returns the time that a value gives: as text, or as seconds or milliseconds since 1970.
pub(super) fn time_in(value: &Value) -> Option<Timestamp> {
    match value {
        Value::String(text) => text.parse().ok(),
        Value::Number(number) => {
            let whole = number.as_i64().or_else(|| number.as_f64().map(|seconds| seconds as i64))?;
            if whole.abs() >= MILLISECONDS_MIN {
                Timestamp::from_millisecond(whole).ok()
            } else {
                Timestamp::from_second(whole).ok()
            }
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn check(value: Value, expected: Option<&str>) {
        assert_eq!(time_in(&value).map(|time| time.to_string()).as_deref(), expected);
    }

    #[test]
    fn times_are_read_as_text_seconds_and_milliseconds() {
        check(json!("2026-04-01T12:30:00Z"), Some("2026-04-01T12:30:00Z"));
        check(json!(1_775_046_600), Some("2026-04-01T12:30:00Z"));
        check(json!(1_775_046_600_000_i64), Some("2026-04-01T12:30:00Z"));
        check(json!(1_775_046_600.5), Some("2026-04-01T12:30:00Z"));
        check(json!("soon"), None);
        check(json!(u64::MAX), None);
    }
}
