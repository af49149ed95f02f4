//! What a run says of batches: what was sent, collected and cancelled.

use ken_engine::propose::{AskedOutcome, BatchOutcome};

use crate::text::{clean, count};
use crate::ui::Ui;

/// Troubles that a summary shows.
const SHOWN_MAX: usize = 10;

/// Prints what was sent in batches, and collected.
pub(crate) fn print(batch: &BatchOutcome, ui: &mut Ui) {
    batch.troubles.iter().take(SHOWN_MAX).for_each(|why| ui.warning(&clean(why)));
    if batch.n_collected > 0 {
        ui.say(format!("Collected {} that went out in a batch.", count(batch.n_collected, "reply")));
    }
    if batch.n_released > 0 {
        let tasks = count(batch.n_released, "task");
        ui.say(format!(
            "{tasks} went out in a batch and came back without a reply; the next run sends what is still open."
        ));
    }
    let n_before = batch.n_under_way.saturating_sub(batch.n_sent);
    if batch.n_sent > 0 {
        let (tasks, calls) = (count(batch.n_sent, "task"), count(batch.n_calls, "call"));
        ui.say(format!("Sent {tasks} in a batch of {calls}, at most {}.", batch.bound));
    }
    if n_before > 0 {
        ui.say(format!("{} under way in batches that went out before.", count(n_before, "task")));
    }
    if batch.n_under_way > 0 && batch.n_cancelled == 0 {
        ui.note("a later run with this model collects the replies, within a day");
    }
}

/// Prints what became of what was to be cancelled.
pub(crate) fn print_cancelled(asked: Option<&AskedOutcome>, ui: &mut Ui) {
    let batch = asked.map(|asked| &asked.batch).cloned().unwrap_or_default();
    match batch.n_cancelled {
        0 if batch.n_under_way == 0 => ui.say("Nothing of this vault is under way in a batch."),
        0 => {
            ui.say("Nothing was cancelled; what is under way was sent by another model, or is not known by a name yet.")
        }
        n => ui.say(format!("Cancelled {} in a batch; what was answered until then is kept.", count(n, "task"))),
    }
    if batch.n_cancelled > 0 && batch.n_under_way > 0 {
        ui.note(
            "the provider ends it within minutes; a later run with this model takes what came of it, and asks the rest",
        );
    }
}
