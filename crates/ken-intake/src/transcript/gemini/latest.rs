//! The latest writing of each message, in the order in which they first came.

use std::collections::{BTreeMap, VecDeque};

use serde_json::Value;

use crate::transcript::reading::Reading;

use super::{is_growing, tell};

/// Messages held at most: a message is written again while its tools work, not much later.
const HELD_MAX: usize = 16;

/// Messages that may still be written again.
pub(super) struct Latest {
    start: u64,
    /// How many messages there were.
    n_messages: u64,
    /// The position of each message that has an id.
    known: BTreeMap<String, u64>,
    held: VecDeque<(u64, Value)>,
}

impl Latest {
    pub(super) fn starting_at(start: u64) -> Latest {
        Latest { start, n_messages: 0, known: BTreeMap::new(), held: VecDeque::new() }
    }

    /// A message was written, for the first time or again.
    pub(super) fn message(&mut self, message: Value, out: &mut Reading<'_>) {
        let id = message["id"].as_str().unwrap_or_default().to_owned();
        if let Some(at) = self.known.get(&id).copied() {
            if let Some((_, held)) = self.held.iter_mut().find(|(held, _)| *held == at) {
                *held = message;
            }
            return out.skip("repeated");
        }
        let at = self.n_messages;
        if !id.is_empty() {
            self.known.insert(id, at);
        }
        self.add(at, message, out);
    }

    /// A message came at this position.
    pub(super) fn add(&mut self, at: u64, message: Value, out: &mut Reading<'_>) {
        self.n_messages = self.n_messages.max(at + 1);
        if at < self.start {
            return;
        }
        if self.held.len() >= HELD_MAX {
            self.tell_first(out);
        }
        self.held.push_back((at, message));
    }

    /// Nothing more comes: tells everything but a last message that is still being made.
    pub(super) fn finish(mut self, out: &mut Reading<'_>) {
        let mut end = self.n_messages.max(self.start);
        if let Some((at, _)) = self.held.back().filter(|(_, message)| is_growing(message)) {
            end = *at;
            self.held.pop_back();
            out.skip("unfinished");
        }
        while !self.held.is_empty() {
            self.tell_first(out);
        }
        out.report.end_offset = end;
    }

    fn tell_first(&mut self, out: &mut Reading<'_>) {
        if let Some((at, message)) = self.held.pop_front() {
            out.at = at;
            tell(&message, out);
        }
    }
}
