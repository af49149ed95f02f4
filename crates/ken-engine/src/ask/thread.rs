//! Questions that go on from the ones before: what is kept of those, and for how long.
//!
//! The last questions of a vault lie with their answers in its cache, sealed, never in git: losing them loses only that one
//! has to ask in whole sentences, and whatever is forgotten takes the cache with it.

use std::sync::Arc;

use jiff::SignedDuration;
use ken_core::answer::joined_question;
use ken_core::text::{cut, one_line};
use ken_intake::scrub::scrub;

use super::AskOutcome;
use crate::earlier::Earlier;
use crate::engine::Engine;
use crate::failure::Failure;

/// The file in the cache.
const FILE: &str = "thread.json";
/// A question goes on from one that was asked within this many hours: a day of work, and not the day before.
pub const THREAD_HOURS: i64 = 8;
/// Most questions that are kept.
const KEPT_MAX: usize = 4;
/// Most characters that are kept of an answer.
const ANSWER_CHARS_MAX: usize = 1_500;

impl Engine {
    /// Returns the same engine, taking every question as one that goes on from the last ones, and the last of those.
    ///
    /// # Errors
    /// When nothing was asked here in the last [`THREAD_HOURS`] hours.
    pub fn going_on(&self) -> Result<(Engine, String), Failure> {
        let thread = self.thread();
        let Some(last) = thread.last().map(|last| last.question.clone()) else {
            let message = format!("nothing was asked here in the last {THREAD_HOURS} hours");
            return Err(Failure::refused(message).hint("ask in whole, without `--continue`"));
        };
        let mut then = self.clone();
        then.thread = Arc::new(thread);
        Ok((then, last))
    }

    /// Keeps a question and its answer for the next one to go on from; a cache that cannot be written keeps nothing, and
    /// a question about another day than today writes nothing.
    pub fn keep_asked(&self, done: &AskOutcome) {
        if self.is_of_then() {
            return;
        }
        let mut thread = if self.thread.is_empty() { Vec::new() } else { self.thread() };
        let clean = |text: &str| scrub(text).0.into_owned();
        thread.push(Earlier {
            at: self.clock.now,
            question: one_line(&clean(&done.question)),
            searched: clean(&self.searched(&done.question)),
            answer: cut(&clean(&done.quoted), ANSWER_CHARS_MAX),
        });
        let n_over = thread.len().saturating_sub(KEPT_MAX);
        thread.drain(..n_over);
        if let Ok(bytes) = serde_json::to_vec(&thread) {
            let _ = self.store.write_cache(FILE, bytes);
        }
    }

    /// Returns a question as it is searched for: with the words of the one that it goes on from.
    pub(crate) fn searched(&self, question: &str) -> String {
        self.thread.last().map_or_else(|| question.to_owned(), |last| joined_question(question, &last.searched))
    }

    /// What was asked here a while ago at most; what does not read is none.
    fn thread(&self) -> Vec<Earlier> {
        let bytes = self.store.read_cache(FILE);
        let mut thread: Vec<Earlier> = bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default();
        let since = |one: &Earlier| self.clock.now.duration_since(one.at);
        let limit = SignedDuration::from_hours(THREAD_HOURS);
        thread.retain(|one| !since(one).is_negative() && since(one) <= limit);
        thread
    }
}
