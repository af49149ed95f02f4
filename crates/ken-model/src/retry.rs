//! Trying again: when, how often, after what wait.
//!
//! Knows no provider. What failed says whether another try makes sense; this says whether there is still
//! time for it. What every try spent is added up.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::error::{ErrorKind, ModelError};
use crate::prompt::{Reply, Usage};
use crate::settings::{Pause, Settings};

/// The first wait; each next is twice as long.
const WAIT: Duration = Duration::from_secs(1);
/// The longest wait that we choose.
const WAIT_MAX: Duration = Duration::from_secs(60);
/// The longest wait that a provider may ask for; beyond it a person is better told.
const RETRY_AFTER_MAX: Duration = Duration::from_secs(120);

/// Whether another try makes sense.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Again {
    No,
    /// A second time, not a third.
    Once,
    Yes,
}

/// A try that failed.
#[derive(Debug)]
pub(crate) struct Failed {
    pub(crate) error: Box<ModelError>,
    pub(crate) again: Again,
    /// How long the provider asks to wait.
    pub(crate) after: Option<Duration>,
}

impl Failed {
    /// A try after which another makes as much sense as is said, whatever its kind.
    pub(crate) fn new(error: ModelError, again: Again) -> Failed {
        Failed { error: Box::new(error), again, after: None }
    }
}

impl From<ModelError> for Failed {
    fn from(error: ModelError) -> Failed {
        let again = if error.is_retryable() { Again::Yes } else { Again::No };
        let after = match error.kind {
            ErrorKind::RateLimited { retry_after } => retry_after,
            _ => None,
        };
        Failed { error: Box::new(error), again, after }
    }
}

/// How far to go.
#[derive(Debug, Clone)]
pub(crate) struct Patience {
    retries_max: u32,
    deadline: Duration,
    pause: Arc<dyn Pause>,
}

impl Patience {
    pub(crate) fn of(settings: &Settings) -> Patience {
        let Settings { retries_max, deadline, pause, .. } = settings;
        Patience { retries_max: *retries_max, deadline: *deadline, pause: Arc::clone(pause) }
    }

    /// Calls until there is a reply or no sense in another try; each call is told how long it may take.
    pub(crate) fn persist(&self, attempt: &dyn Fn(Duration) -> Result<Reply, Failed>) -> Result<Reply, ModelError> {
        let started = Instant::now();
        let mut waited = Duration::ZERO;
        let mut spent = Usage::default();
        let mut n_retries = 0;
        let mut was_once = false;
        loop {
            // Waits that are only told of count as if they had been.
            let left = self.deadline.saturating_sub(started.elapsed().max(waited));
            let Failed { error, again, after } = match attempt(left) {
                Ok(reply) => return Ok(Reply { usage: spent + reply.usage, ..reply }),
                Err(failed) => failed,
            };
            let mut error = *error;
            spent += error.usage;
            error.usage = spent;
            let is_final = match again {
                Again::No => true,
                Again::Once => was_once,
                Again::Yes => false,
            };
            if let Some(after) = after.filter(|after| *after > RETRY_AFTER_MAX) {
                return Err(error.hint(format!("it asks to wait {} s, try again after that", after.as_secs())));
            }
            if is_final || n_retries >= self.retries_max {
                return Err(if n_retries > 0 { error.hint(tried(n_retries)) } else { error });
            }
            let wait = after.map_or_else(|| backoff(n_retries), |after| after.max(WAIT));
            if started.elapsed().max(waited) + wait >= self.deadline {
                let all = self.deadline.as_secs();
                return Err(error.hint(format!("one prompt may take {all} s in all, so it was not tried again")));
            }
            self.pause.wait(wait);
            waited += wait;
            n_retries += 1;
            was_once |= again == Again::Once;
        }
    }
}

fn backoff(n_retries: u32) -> Duration {
    WAIT.saturating_mul(2_u32.saturating_pow(n_retries)).min(WAIT_MAX)
}

fn tried(n_retries: u32) -> String {
    format!("it was tried {} times", n_retries + 1)
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[derive(Debug, Default)]
    struct Told(Mutex<Vec<u64>>);

    impl Pause for Told {
        fn wait(&self, how_long: Duration) {
            self.0.lock().expect("a list").push(how_long.as_secs());
        }
    }

    /// The waits and the end of a call that always fails alike.
    #[track_caller]
    fn check(retries_max: u32, deadline: u64, again: Again, after: Option<u64>, expected: (&[u64], &str)) {
        let told = Arc::new(Told::default());
        let pause: Arc<dyn Pause> = told.clone();
        let patience = Patience { retries_max, deadline: Duration::from_secs(deadline), pause };
        let usage = Usage { input: 1, ..Usage::default() };
        let error = patience
            .persist(&|_| {
                let error = ModelError::new(ErrorKind::Overloaded, "busy").spent(usage);
                Err(Failed { after: after.map(Duration::from_secs), ..Failed::new(error, again) })
            })
            .expect_err("always fails");
        let waits = told.0.lock().expect("a list").clone();
        assert_eq!((waits.as_slice(), error.to_string().as_str()), expected);
        assert_eq!(error.usage.input, waits.len() as u64 + 1, "every try is accounted for");
    }

    #[test]
    fn waits_double_up_to_a_minute() {
        check(3, 1_200, Again::Yes, None, (&[1, 2, 4], "busy; it was tried 4 times"));
        let waits = [1, 2, 4, 8, 16, 32, 60, 60];
        check(8, 1_200, Again::Yes, None, (&waits, "busy; it was tried 9 times"));
    }

    #[test]
    fn what_makes_no_sense_is_not_tried_again() {
        check(3, 1_200, Again::No, None, (&[], "busy"));
        check(0, 1_200, Again::Yes, None, (&[], "busy"));
        check(3, 1_200, Again::Once, None, (&[1], "busy; it was tried 2 times"));
    }

    #[test]
    fn a_provider_is_waited_for_as_long_as_it_asks_up_to_two_minutes() {
        check(2, 1_200, Again::Yes, Some(7), (&[7, 7], "busy; it was tried 3 times"));
        check(1, 1_200, Again::Yes, Some(0), (&[1], "busy; it was tried 2 times"));
        check(3, 1_200, Again::Yes, Some(121), (&[], "busy; it asks to wait 121 s, try again after that"));
    }

    #[test]
    fn the_deadline_counts_waiting() {
        let expected = "busy; one prompt may take 10 s in all, so it was not tried again";
        check(9, 10, Again::Yes, None, (&[1, 2, 4], expected));
    }
}
