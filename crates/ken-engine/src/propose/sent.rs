//! What was sent in batches and is not collected: a file each, written before the batch goes out, and again with its id.
//!
//! The file says what each call is about, as the records of its replies will. It bears this user's mark, since nobody
//! else may say that something is paid for and under way.

use std::collections::BTreeSet;

use ken_core::Timestamp;
use ken_model::{BookedPrompt, Money, Prompt, SentPrompt};
use serde::{Deserialize, Serialize};

use super::check::Shown;
use super::kinds::Kind;
use super::record::{Cited, Manner};
use super::task::Task;
use crate::engine::Engine;
use crate::failure::Failure;

/// Where batches are kept that were sent and not yet collected.
const FOLDER: &str = "batches";
/// What a batch's mark is for.
const PURPOSE: &str = "batch";
/// The form of such a file.
pub(super) const VERSION: u32 = 2;

/// What was sent in batches, and collected, by one run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BatchOutcome {
    /// Calls that were sent.
    pub n_calls: usize,
    /// Tasks in them.
    pub n_sent: usize,
    /// The most that they can cost.
    pub bound: Money,
    /// Tasks whose reply was collected.
    pub n_collected: usize,
    /// Tasks that were sent and not done, and are asked anew.
    pub n_released: usize,
    /// Tasks that are under way, those of this run included.
    pub n_under_way: usize,
    /// Tasks in batches that this run cancelled.
    pub n_cancelled: usize,
    /// What went wrong with a batch as a whole.
    pub troubles: Vec<String>,
}

/// What is under way in batches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnderWay {
    /// Batches.
    pub n_batches: usize,
    /// Tasks in them.
    pub n_tasks: usize,
    /// Those of them that were cancelled and have not ended yet.
    pub n_cancelled: usize,
    /// The most that they can cost.
    pub bound: Money,
    /// The model of the oldest.
    pub model: String,
    /// When the oldest was sent.
    pub sent_at: Timestamp,
}

/// A call that goes out in a batch.
pub(crate) struct Piled {
    pub(super) name: String,
    pub(super) prompt: Prompt,
    pub(super) tasks: Vec<Task>,
    pub(super) bound: Money,
}

/// A batch that was sent, or is about to be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SentBatch {
    pub(super) version: u32,
    /// What the names of its calls begin with.
    pub(super) code: String,
    /// Where it was sent.
    pub(super) account: String,
    pub(super) model: String,
    pub(super) sent_at: Timestamp,
    /// What the provider calls it; none when nobody knows whether it arrived.
    #[serde(default)]
    pub(super) id: Option<String>,
    /// Whether the provider was told that nobody waits for it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) is_cancelled: bool,
    pub(super) calls: Vec<SentCall>,
}

/// A call of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SentCall {
    pub(super) name: String,
    pub(super) kind: String,
    pub(super) prompt_tokens: u64,
    pub(super) reply_tokens_max: u64,
    /// Millionths of a dollar that it can cost at most.
    pub(super) micro_usd: u64,
    pub(super) tasks: Vec<SentTask>,
}

/// A task of it: what its record will say of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SentTask {
    pub(super) kind: String,
    pub(super) digest: String,
    pub(super) label: String,
    pub(super) manner: Manner,
    pub(super) read: Vec<Cited>,
    pub(super) shown: Shown,
}

impl SentCall {
    pub(super) fn prompt(&self) -> SentPrompt {
        SentPrompt { prompt_tokens: self.prompt_tokens, reply_tokens_max: self.reply_tokens_max }
    }

    /// The names of its tasks.
    pub(super) fn names(&self) -> impl Iterator<Item = (Kind, String)> + '_ {
        self.tasks.iter().filter_map(|task| Some((task.kind()?, task.digest.clone())))
    }
}

impl SentTask {
    pub(super) fn kind(&self) -> Option<Kind> {
        Kind::parse(&self.kind)
    }
}

impl SentBatch {
    fn name(&self) -> String {
        format!("{FOLDER}/{}.json", self.code)
    }

    /// What is booked of a call.
    pub(super) fn booked(&self, call: &SentCall, money: Money) -> BookedPrompt {
        BookedPrompt { name: call.name.clone(), model: self.model.clone(), sent_at: self.sent_at, money }
    }

    pub(super) fn n_tasks(&self) -> usize {
        self.calls.iter().map(|call| call.tasks.len()).sum()
    }
}

impl Engine {
    /// Returns the batches that this user sent and that were not collected, the oldest first.
    pub(super) fn batches(&self) -> Vec<SentBatch> {
        let names = self.store.kept_names(FOLDER).unwrap_or_default();
        let read = |name: &String| {
            let bytes = self.store.kept(&format!("{FOLDER}/{name}")).ok()??;
            let (text, mark) = str::from_utf8(&bytes).ok()?.trim_end().split_once('\n')?;
            if self.store.sign(PURPOSE, text.as_bytes())? != mark {
                return None;
            }
            serde_json::from_str::<SentBatch>(text).ok().filter(|batch| batch.version == VERSION)
        };
        let mut batches: Vec<SentBatch> = names.iter().filter_map(read).collect();
        batches.sort_by(|a, b| (a.sent_at, &a.code).cmp(&(b.sent_at, &b.code)));
        batches
    }

    /// Returns what is under way in batches; none when nothing is.
    pub fn under_way(&self) -> Option<UnderWay> {
        let batches = self.batches();
        let oldest = batches.first()?;
        let micro_usd = batches.iter().flat_map(|batch| &batch.calls).map(|call| Money(call.micro_usd));
        Some(UnderWay {
            n_batches: batches.len(),
            n_tasks: batches.iter().map(SentBatch::n_tasks).sum(),
            n_cancelled: batches.iter().filter(|batch| batch.is_cancelled).map(SentBatch::n_tasks).sum(),
            bound: micro_usd.sum(),
            model: oldest.model.clone(),
            sent_at: oldest.sent_at,
        })
    }

    /// Returns whether a batch is under way that somebody who asks this model can collect.
    pub(crate) fn has_batch_of(&self, model: &str) -> bool {
        let provider = |model: &str| model.split(':').next().map(str::to_owned);
        self.batches().iter().any(|batch| provider(&batch.model) == provider(model))
    }

    /// The tasks that are under way.
    pub(super) fn tasks_under_way(&self) -> BTreeSet<(Kind, String)> {
        self.batches().iter().flat_map(|batch| &batch.calls).flat_map(SentCall::names).collect()
    }

    /// The names of the calls that are under way.
    pub(super) fn calls_under_way(&self) -> BTreeSet<String> {
        self.batches().into_iter().flat_map(|batch| batch.calls).map(|call| call.name).collect()
    }

    /// Keeps what was sent; from then on it is not sent again.
    pub(super) fn keep_batch(&self, batch: &SentBatch) -> Result<(), Failure> {
        let text = serde_json::to_string(batch).map_err(|error| Failure::refused(error.to_string()))?;
        let mark = self.store.sign(PURPOSE, text.as_bytes()).ok_or_else(|| {
            Failure::usage("a batch cannot be kept: this user has no folder for a key")
                .hint("set HOME, or ask without `--batch`; nothing was sent")
        })?;
        Ok(self.store.keep(&batch.name(), format!("{text}\n{mark}\n").as_bytes())?)
    }

    /// Forgets a batch: all of it is settled.
    pub(super) fn drop_batch(&self, batch: &SentBatch) -> Result<(), Failure> {
        Ok(self.store.drop_kept(&batch.name())?)
    }
}
