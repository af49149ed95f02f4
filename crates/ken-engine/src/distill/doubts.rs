//! What of the statements of sessions is doubted: it is asked about before it is written down.
//!
//! The journal only grows, so a statement is written with its mark or without, and one that its session does not bear out
//! is best not written at all. The words of the session are at hand here; nothing of them is recorded.

use super::ToRead;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::propose::check::Report;
use crate::propose::kinds::doubt::{Doubts, Verdicts};
use crate::propose::kinds::{Kind, distill};
use crate::propose::record::Replies;
use crate::propose::run::Author;
use crate::propose::task::{Input, Task};

impl Engine {
    /// The tasks about what is doubted of the sessions of a day and that nobody was asked about.
    pub(super) fn session_doubts(
        &self,
        day: &[&ToRead],
        (author, model): (&Author, &str),
    ) -> Result<Vec<Task>, Failure> {
        let replies = self.replies()?;
        let doubts = day.iter().flat_map(|one| &one.tasks).filter_map(|task| {
            let doubts = self.doubts_of(task, &replies)?;
            self.doubt_task(doubts, &task.label, &replies, (author, model))
        });
        Ok(doubts.collect())
    }

    /// What is doubted of the recorded reply to a portion of a session, whatever was said of it.
    fn doubts_of(&self, task: &Task, replies: &Replies) -> Option<Doubts> {
        let Input::Session(portion, _) = &task.input else { return None };
        let record = self.standing(replies, Kind::Distill, &task.digest)?;
        let reply = ken_model::json_of(&record.reply)?;
        let shown = (&record.shown, &Verdicts::default());
        let claims = distill::check(&reply, portion, shown, &mut Report::default()).doubted;
        (!claims.is_empty()).then(|| Doubts { portion: (**portion).clone(), claims, is_talk: true })
    }
}
