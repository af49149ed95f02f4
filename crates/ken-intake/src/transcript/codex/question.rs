//! What a person asked, while it is not yet clear which of the lines say it.
//!
//! A question's lines come in either order and in several shapes. They are held until the agent goes
//! on; then what was typed is told from what was injected, and told once.

use std::collections::VecDeque;

use ken_core::Timestamp;

use crate::transcript::Role;
use crate::transcript::reading::Reading;

/// Texts remembered because their other half may come late: after an answer, with a steering message.
const LATE_MAX: usize = 16;

/// Lines held at most; no question has more.
const LINES_MAX: usize = 64;

#[derive(Debug)]
struct Line {
    text: String,
    /// Whether labels say that a person typed it.
    is_sure: bool,
    time: Option<Timestamp>,
    at: u64,
}

/// The lines of a question.
#[derive(Debug, Default)]
pub(super) struct Question {
    items: Vec<Line>,
    events: Vec<Line>,
    late_items: VecDeque<String>,
    late_events: VecDeque<String>,
}

impl Question {
    /// The model was given this under the user's role.
    pub(super) fn item(&mut self, text: String, is_sure: bool, time: Option<Timestamp>, at: u64) {
        self.items.truncate(LINES_MAX);
        self.items.push(Line { text, is_sure, time, at });
    }

    /// The screen showed this as the user's.
    pub(super) fn event(&mut self, text: String, time: Option<Timestamp>, at: u64) {
        self.events.truncate(LINES_MAX);
        self.events.push(Line { text, is_sure: true, time, at });
    }

    /// Where the first line stands that is not judged yet.
    pub(super) fn waits_from(&self) -> Option<u64> {
        self.items.iter().chain(&self.events).map(|line| line.at).min()
    }

    /// The agent went on: says what was asked.
    pub(super) fn settle(&mut self, is_subagent: bool, out: &mut Reading<'_>) {
        if self.items.is_empty() && self.events.is_empty() {
            return;
        }
        let (items, events) = (std::mem::take(&mut self.items), std::mem::take(&mut self.events));
        let mut asked: Vec<Line> = Vec::new();
        let has_events = !events.is_empty();
        let mut twins: Vec<String> = events.iter().map(|line| line.text.clone()).collect();
        for item in items {
            if take(&mut twins, &item.text) || take_late(&mut self.late_events, &item.text) {
                out.skip("repeated");
            } else if has_events && !item.is_sure {
                // The screen showed something else: nobody typed this.
                out.skip("injected");
            } else {
                remember(&mut self.late_items, &item.text);
                asked.push(item);
            }
        }
        for event in events {
            if take_late(&mut self.late_items, &event.text) {
                out.skip("repeated");
                continue;
            }
            if take(&mut twins, &event.text) {
                // Its item did not come yet.
                remember(&mut self.late_events, &event.text);
            }
            asked.push(event);
        }
        asked.sort_by_key(|line| line.at);
        let now = out.at;
        for line in asked {
            out.at = line.at;
            if is_subagent {
                out.skip("agent-prompt");
            } else {
                out.said(Role::User, &line.text, line.time);
            }
        }
        out.at = now;
    }
}

fn take(texts: &mut Vec<String>, text: &str) -> bool {
    let found = texts.iter().position(|other| other.trim() == text.trim());
    found.map(|at| texts.remove(at)).is_some()
}

fn take_late(texts: &mut VecDeque<String>, text: &str) -> bool {
    let found = texts.iter().position(|other| other.trim() == text.trim());
    found.and_then(|at| texts.remove(at)).is_some()
}

fn remember(texts: &mut VecDeque<String>, text: &str) {
    if texts.len() >= LATE_MAX {
        texts.pop_front();
    }
    texts.push_back(text.to_owned());
}
