//! A model that says what a test tells it to; for tests only.
//!
//! It counts calls and keeps prompts, so that a test can say what was asked. It takes no time, sends nothing
//! and knows no schema.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use crate::error::{ErrorKind, ModelError};
use crate::model::Model;
use crate::prompt::{Prompt, Reply, Usage};

type Script = dyn Fn(usize, &Prompt) -> Result<Reply, ModelError> + Send + Sync;

/// A model whose replies are known.
pub struct Scripted {
    name: String,
    calls_at_once_max: usize,
    script: Box<Script>,
    prompts: Mutex<Vec<Prompt>>,
}

impl Scripted {
    /// Returns a model that replies by a function of the call's number, from 0, and the prompt.
    pub fn new(script: impl Fn(usize, &Prompt) -> Result<Reply, ModelError> + Send + Sync + 'static) -> Scripted {
        let (name, calls_at_once_max) = ("scripted:test".to_owned(), 1);
        Scripted { name, calls_at_once_max, script: Box::new(script), prompts: Mutex::default() }
    }

    /// Returns a model that gives these replies in turn, and then fails; usage is estimated.
    ///
    /// ```
    /// use ken_model::{Prompt, Schema, Scripted, ask_json};
    ///
    /// let model = Scripted::replies(["no", r#"{"yes": true}"#]);
    /// let schema = Schema { name: "answer", json: serde_json::json!({"type": "object"}) };
    /// let texts = (String::new(), String::new(), "Well?".to_owned());
    /// let prompt = Prompt { rules: texts.0, context: texts.1, input: texts.2, schema, reply_tokens_max: 9 };
    /// let answered = ask_json(&model, &prompt, &|_| Ok(())).expect("a reply");
    /// assert_eq!((answered.n_calls, model.n_calls()), (2, 2));
    /// ```
    pub fn replies<T: Into<String>>(replies: impl IntoIterator<Item = T>) -> Scripted {
        let replies: Vec<String> = replies.into_iter().map(Into::into).collect();
        Scripted::new(move |n, prompt| match replies.get(n) {
            Some(text) => Ok(Reply { text: text.clone(), usage: Usage::estimated(prompt, text) }),
            None => {
                let message = format!("the script has {} replies, this is call {}", replies.len(), n + 1);
                Err(ModelError::new(ErrorKind::Unusable, message))
            }
        })
    }

    /// Gives it another name than `scripted:test`.
    #[must_use]
    pub fn named(mut self, name: &str) -> Scripted {
        name.clone_into(&mut self.name);
        self
    }

    /// Lets it be asked so many prompts at once instead of one.
    #[must_use]
    pub fn at_once(mut self, calls_at_once_max: usize) -> Scripted {
        self.calls_at_once_max = calls_at_once_max;
        self
    }

    /// Returns how often it was asked.
    pub fn n_calls(&self) -> usize {
        self.prompts.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Returns what it was asked, in order.
    pub fn prompts(&self) -> Vec<Prompt> {
        self.prompts.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl fmt::Debug for Scripted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Scripted({}, {} calls)", self.name, self.n_calls())
    }
}

impl Model for Scripted {
    fn name(&self) -> &str {
        &self.name
    }

    fn parameters(&self) -> String {
        String::new()
    }

    fn calls_at_once_max(&self) -> usize {
        self.calls_at_once_max
    }

    fn ask(&self, prompt: &Prompt) -> Result<Reply, ModelError> {
        let n = {
            let mut prompts = self.prompts.lock().unwrap_or_else(PoisonError::into_inner);
            prompts.push(prompt.clone());
            prompts.len() - 1
        };
        (self.script)(n, prompt)
    }
}
