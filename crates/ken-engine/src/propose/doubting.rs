//! Which doubts are to be asked about, and what was said of those that were.
//!
//! What is doubted of a portion is one task, named by the portion, so that whatever was compiled of it is compiled anew
//! when the verdicts come. It is asked once: what a reply leaves out, or says without a ground, stays unverified.

use super::kinds::Kind;
use super::kinds::doubt::{Doubts, Verdicts};
use super::record::{Cited, Record, Replies};
use super::run::Author;
use super::task::{Input, Task};
use crate::engine::Engine;
use ken_compile::portion::Portion;

impl Engine {
    /// Returns what was said of the claims of a portion.
    pub(crate) fn verdicts(&self, replies: &Replies, portion: &Portion) -> Verdicts {
        if !replies.has(Kind::Doubt, &portion.digest) {
            return Verdicts::default();
        }
        let record = self.standing(replies, Kind::Doubt, &portion.digest);
        let reply = record.and_then(|record| ken_model::json_of(&record.reply));
        reply.map(|reply| Verdicts::read(&reply, portion)).unwrap_or_default()
    }

    /// Returns whether somebody was asked about these doubts.
    pub(crate) fn is_asked(&self, doubts: &Doubts, replies: &Replies) -> bool {
        let ids = doubts.ids();
        let has_all = |record: Record| ids.iter().all(|id| record.shown.claims.contains_key(id));
        ids.is_empty() || self.standing(replies, Kind::Doubt, &doubts.portion.digest).is_some_and(has_all)
    }

    /// Returns the task of asking about doubts, unless that was done; `label` says what they are about.
    pub(crate) fn doubt_task(
        &self,
        doubts: Doubts,
        label: &str,
        replies: &Replies,
        (author, model): (&Author, &str),
    ) -> Option<Task> {
        let (ids, digest) = (doubts.ids(), doubts.portion.digest.clone());
        let is_renewed = author.renew && self.is_open(replies, Kind::Doubt, &digest, author, model);
        if ids.is_empty() || (self.is_asked(&doubts, replies) && !is_renewed) {
            return None;
        }
        let lines = if doubts.is_talk { (0, 0) } else { doubts.portion.range() };
        let read = vec![Cited { path: doubts.portion.path.to_string(), lines }];
        let mut task = Task::new(Input::Doubt(Box::new(doubts)), digest, format!("doubts about {label}"));
        task.read = read;
        task.shown.claims = ids.into_iter().map(|id| (id, Vec::new())).collect();
        Some(task)
    }
}
