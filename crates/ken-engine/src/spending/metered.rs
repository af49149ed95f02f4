//! A model whose every call is written down in the user's file, and not made when a cap could be passed.
//!
//! Where several calls are under way at once, one that has no room beside the others waits until they are settled:
//! what they reserved is more than what they cost.

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use ken_core::Timestamp;
use ken_model::{
    BatchReply, BatchState, Batches, BookedPrompt, ErrorKind, Found, Model, ModelError, Money, Prices, Prompt, Reply,
    SentPrompt, Usage,
};

use super::{Cap, Open, Spending, SpendingCaps};
use crate::failure::Failure;

/// Who pays for a call, and how much it may come to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payer {
    /// The vault that is asked for.
    pub vault: String,
    /// What may be spent; none when somebody waits, who has limits of their own.
    pub caps: Option<SpendingCaps>,
    /// What one call may cost of which nobody knows before; nothing where a table of prices tells.
    pub call_usd_max: Money,
}

/// A model, and the file in which its calls are written down.
pub struct Metered {
    model: Arc<dyn Model>,
    prices: Prices,
    spending: Spending,
    payer: Payer,
    now: Timestamp,
    met: Mutex<Met>,
    /// Told when a call is over.
    settled: Condvar,
}

/// What was met on the way.
#[derive(Default)]
struct Met {
    cap: Option<Cap>,
    spent: Money,
    /// Calls that are under way.
    n_open: usize,
    /// The most that calls can cost which were admitted and not yet written down.
    admitted: Vec<Money>,
}

/// A call that is under way, until this goes.
struct UnderWay<'m>(&'m Metered);

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        self.0.met().n_open -= 1;
        self.0.settled.notify_all();
    }
}

impl Metered {
    /// Returns the model with the file.
    pub fn new(model: Arc<dyn Model>, prices: Prices, spending: Spending, payer: Payer, now: Timestamp) -> Metered {
        let (met, settled) = (Mutex::default(), Condvar::new());
        Metered { model, prices, spending, payer, now, met, settled }
    }

    /// Returns the cap that kept a call from being made, if one did.
    pub fn met_cap(&self) -> Option<Cap> {
        self.met().cap
    }

    /// Returns what its calls cost.
    pub fn spent(&self) -> Money {
        self.met().spent
    }

    fn met(&self) -> MutexGuard<'_, Met> {
        self.met.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The most that one call can cost, tries of the same prompt aside.
    fn bound(&self, prompt: &Prompt) -> Money {
        let reply = prompt.reply_tokens_max.saturating_add(self.model.thinking_tokens_max());
        let by_table = self.prices.upper_bound(self.model.name(), prompt.tokens(), reply, 1).unwrap_or_default();
        by_table.max(self.payer.call_usd_max)
    }

    /// Writes down that a call is made, as soon as there is room for it.
    fn reserve(&self, bound: Money) -> Result<(Open, UnderWay<'_>), ModelError> {
        let mut met = self.met();
        if let Some(at) = met.admitted.iter().position(|admitted| *admitted == bound) {
            met.admitted.swap_remove(at);
        }
        loop {
            let reserved = self.spending.reserve(self.now, &self.payer, (self.model.name(), bound));
            match reserved.map_err(unwritten)? {
                Ok(open) => {
                    met.n_open += 1;
                    // What had no room beside calls that were under way has it now.
                    met.cap = None;
                    return Ok((open, UnderWay(self)));
                }
                Err(_) if met.n_open > 0 => met = self.settled.wait(met).unwrap_or_else(PoisonError::into_inner),
                Err(cap) => {
                    drop(met);
                    return Err(self.over(cap, bound));
                }
            }
        }
    }

    /// Why a call is not made that could pass a cap.
    fn over(&self, cap: Cap, bound: Money) -> ModelError {
        self.met().cap = Some(cap);
        let caps = self.payer.caps.unwrap_or(SpendingCaps { day: Money(0), month: Money(0) });
        let (what, key, max) = match cap {
            Cap::Day => ("a day", "day_usd_max", caps.day),
            Cap::Month => ("a month", "month_usd_max", caps.month),
        };
        let message = format!("the next question may cost {bound}, and {what} in the background may cost {max} in all");
        ModelError::new(ErrorKind::Setup, message)
            .hint(format!("raise `{key}` of `[background]` in models.toml; `ken costs --all` shows what was spent"))
    }
}

/// Why a call is not made that cannot be written down.
fn unwritten(failure: Failure) -> ModelError {
    let why = std::iter::once(failure.message).chain(failure.chain).collect::<Vec<_>>().join(": ");
    failure.hints.into_iter().fold(ModelError::new(ErrorKind::Setup, why), ModelError::hint)
}

impl Model for Metered {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn parameters(&self) -> String {
        self.model.parameters()
    }

    fn thinking_tokens_max(&self) -> u64 {
        self.model.thinking_tokens_max()
    }

    fn calls_at_once_max(&self) -> usize {
        self.model.calls_at_once_max()
    }

    fn batches(&self) -> Option<&dyn Batches> {
        self.model.batches().map(|_| self as &dyn Batches)
    }

    fn admits(&self, prompt: &Prompt) -> Result<(), ModelError> {
        let bound = self.bound(prompt);
        let mut met = self.met();
        let all = met.admitted.iter().copied().sum::<Money>() + bound;
        match self.spending.cap_passed(self.now, &self.payer, all).map_err(unwritten)? {
            None => met.admitted.push(bound),
            Some(cap) => {
                drop(met);
                return Err(self.over(cap, bound));
            }
        }
        Ok(())
    }

    fn ask(&self, prompt: &Prompt) -> Result<Reply, ModelError> {
        let bound = self.bound(prompt);
        let (open, _under_way) = self.reserve(bound)?;
        let asked = self.model.ask(prompt);
        let (usage, is_answered) = match &asked {
            Ok(reply) => (reply.usage, true),
            Err(error) => (error.usage, false),
        };
        let mut money = self.prices.cost(self.model.name(), &usage).unwrap_or_default();
        if matches!(&asked, Err(error) if error.kind == ErrorKind::Timeout) {
            // What was sent and never came back may be charged in full.
            money = money.max(bound);
        }
        self.met().spent += money;
        // A reply that is paid for is worth more than a line about it: the call then counts with the most.
        let _ = self.spending.settle(open, self.now, (&usage, is_answered), money);
        asked
    }
}

impl Metered {
    fn taker(&self) -> Result<&dyn Batches, ModelError> {
        self.model
            .batches()
            .ok_or_else(|| ModelError::new(ErrorKind::Setup, format!("`{}` takes no batches", self.model.name())))
    }
}

impl Batches for Metered {
    fn account(&self) -> String {
        self.taker().map(Batches::account).unwrap_or_default()
    }

    fn is_at_home(&self) -> bool {
        self.taker().is_ok_and(Batches::is_at_home)
    }

    fn send(&self, code: &str, prompts: &[(String, Prompt)]) -> Result<String, ModelError> {
        self.taker()?.send(code, prompts)
    }

    fn find(&self, code: &str, since: Timestamp, n_prompts: usize) -> Result<Found, ModelError> {
        self.taker()?.find(code, since, n_prompts)
    }

    fn look(&self, id: &str) -> Result<BatchState, ModelError> {
        self.taker()?.look(id)
    }

    fn collect(
        &self,
        id: &str,
        sent: &BTreeMap<String, SentPrompt>,
    ) -> Result<BTreeMap<String, BatchReply>, ModelError> {
        self.taker()?.collect(id, sent)
    }

    fn cancel(&self, id: &str) -> Result<(), ModelError> {
        self.taker()?.cancel(id)
    }

    fn forget(&self, id: &str) {
        if let Ok(taker) = self.taker() {
            taker.forget(id);
        }
    }

    fn book(&self, prompts: &[BookedPrompt]) -> (usize, Option<ModelError>) {
        match self.spending.book(self.now, &self.payer, prompts) {
            Ok((n, None)) => (n, None),
            Ok((n, Some(cap))) => (n, Some(self.over(cap, prompts.get(n).map_or(Money(0), |prompt| prompt.money)))),
            Err(failure) => (0, Some(unwritten(failure))),
        }
    }

    fn settle(&self, prompt: &BookedPrompt, usage: (&Usage, bool)) {
        self.met().spent += prompt.money;
        // A reply that is paid for is worth more than a line about it: the call then counts with the most.
        let _ = self.spending.settle_booked(self.now, prompt, usage);
    }
}
