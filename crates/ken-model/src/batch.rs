//! Many prompts at once that nobody waits for, which some providers take at half the price.
//!
//! A batch is sent, has an id from then on, and is collected later, by another process. Each prompt in it has a name
//! of the sender's, its reply comes back under that name. Whoever was killed before it learned the id finds the batch
//! again: each name begins with a code that no other batch has.

use std::collections::BTreeMap;

use ken_core::Timestamp;

use crate::error::ModelError;
use crate::money::Money;
use crate::prompt::{Prompt, Reply, Usage};

/// What a batch costs of the usual price, in percent.
pub const BATCH_PERCENT: u64 = 50;

/// Returns what something costs in a batch whose usual price is this, rounded up.
pub fn in_batch(usual: Money) -> Money {
    Money(u64::try_from((u128::from(usual.0) * u128::from(BATCH_PERCENT)).div_ceil(100)).unwrap_or(u64::MAX))
}

/// A prompt of a batch that was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SentPrompt {
    /// Its tokens by our own ruler, for servers that do not say what it took.
    pub prompt_tokens: u64,
    /// Most tokens of its reply, thinking included.
    pub reply_tokens_max: u64,
}

/// How far a batch is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BatchState {
    /// It is being worked on.
    UnderWay,
    /// Every prompt has its end.
    Ended,
    /// The provider did not want it, and says why; it costs nothing.
    Refused(String),
    /// The provider knows no such batch.
    Unknown,
}

/// What a search for a batch without an id found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// The id.
    Batch(String),
    /// One that is under way may be it: it shows when it ends.
    Perhaps,
    /// None.
    Nothing,
}

/// What became of one prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BatchReply {
    /// It was answered.
    Answered(Reply),
    /// It was asked, and no usable reply came.
    Failed(ModelError),
    /// It was not asked, because the batch ran out of time or was cancelled; it costs nothing.
    NotDone(String),
}

/// A prompt of a batch as it is booked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookedPrompt {
    /// Its name.
    pub name: String,
    /// The model that is asked.
    pub model: String,
    /// When the batch was sent.
    pub sent_at: Timestamp,
    /// What it can cost at most, or did cost.
    pub money: Money,
}

/// Who takes batches.
pub trait Batches {
    /// Returns the account that a batch belongs to, without its key: only there it can be collected.
    fn account(&self) -> String;

    /// Returns whether it is the provider's own address, where batches are known to be taken.
    fn is_at_home(&self) -> bool;

    /// Sends named prompts as one batch; `code` is what each name begins with. Returns the batch's id.
    ///
    /// # Errors
    /// When it did not arrive, or nobody knows whether it did.
    fn send(&self, code: &str, prompts: &[(String, Prompt)]) -> Result<String, ModelError>;

    /// Looks for a batch whose id was never learned: sent since a moment, with so many prompts.
    ///
    /// # Errors
    /// When the provider does not answer.
    fn find(&self, code: &str, since: Timestamp, n_prompts: usize) -> Result<Found, ModelError>;

    /// Returns how far a batch is.
    ///
    /// # Errors
    /// When the provider does not answer.
    fn look(&self, id: &str) -> Result<BatchState, ModelError>;

    /// Returns what became of the prompts of a batch that ended, by their names; names that nobody sent are left out.
    ///
    /// # Errors
    /// When the provider does not answer.
    fn collect(
        &self,
        id: &str,
        sent: &BTreeMap<String, SentPrompt>,
    ) -> Result<BTreeMap<String, BatchReply>, ModelError>;

    /// Tells the provider that nobody waits for a batch any longer. What is done of it by then is still to be collected,
    /// when it has ended.
    ///
    /// # Errors
    /// When the provider cannot be asked, or does not end it.
    fn cancel(&self, id: &str) -> Result<(), ModelError>;

    /// Tells the provider that a batch was collected, so that it need not keep the texts.
    fn forget(&self, id: &str);

    /// Writes down what is about to be sent, where that is kept over all vaults. Returns how many of the prompts may
    /// go out, from the first on, and why no more.
    fn book(&self, prompts: &[BookedPrompt]) -> (usize, Option<ModelError>) {
        (prompts.len(), None)
    }

    /// Writes down what a prompt came to that was booked.
    fn settle(&self, _prompt: &BookedPrompt, _usage: (&Usage, bool)) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_a_price_is_rounded_up_and_never_too_large_to_count() {
        assert_eq!([0, 1, 2, 3, 10_001].map(|usual| in_batch(Money(usual)).0), [0, 1, 1, 2, 5_001]);
        assert_eq!(in_batch(Money(u64::MAX)).0, u64::MAX / 2 + 1);
    }
}
