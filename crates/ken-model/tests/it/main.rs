//! The providers against real servers and real programs on this machine.

#![allow(clippy::unwrap_used, reason = "tests")]

#[cfg(feature = "http")]
mod batches;
#[cfg(feature = "http")]
mod faults;
#[cfg(feature = "http")]
mod providers;
#[cfg(feature = "http")]
mod server;
#[cfg(feature = "http")]
mod tls;

mod asking;
#[cfg(unix)]
mod programs;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use ken_model::{Pause, Prompt, Schema, Settings};

/// Waiting that only notes how long it would have been.
#[derive(Debug, Default)]
pub(crate) struct Noted(Mutex<Vec<u64>>);

impl Pause for Noted {
    fn wait(&self, how_long: Duration) {
        self.0.lock().expect("a list").push(how_long.as_secs());
    }
}

#[cfg(feature = "http")]
impl Noted {
    pub(crate) fn waits(&self) -> Vec<u64> {
        self.0.lock().expect("a list").clone()
    }
}

/// Settings with short limits, and what they would have waited.
pub(crate) fn settings() -> (Settings, Arc<Noted>) {
    let noted = Arc::new(Noted::default());
    let mut settings = Settings::new(std::env::temp_dir());
    settings.pause = noted.clone();
    settings.anthropic.timeout = Duration::from_secs(2);
    settings.openai.timeout = Duration::from_secs(2);
    settings.ollama.timeout = Duration::from_secs(2);
    settings.gemini.timeout = Duration::from_secs(2);
    settings.command.timeout = Duration::from_secs(5);
    (settings, noted)
}

/// A prompt with something in every part.
pub(crate) fn prompt() -> Prompt {
    let json = serde_json::json!({
        "type": "object",
        "properties": {"a": {"type": "integer"}},
        "required": ["a"],
        "additionalProperties": false,
    });
    Prompt {
        rules: "Be brief.".to_owned(),
        context: "The sky is blue.".to_owned(),
        input: "How many skies?".to_owned(),
        schema: Schema { name: "count", json },
        reply_tokens_max: 100,
    }
}
