//! Models that are programs: the prompt on standard input, the reply on standard output.
//!
//! Made for agents in print mode (`claude -p`, `codex exec -`), which log in by themselves. A program runs in
//! an empty folder, so that it finds no project to read or edit, and with our hooks told to stay silent. A
//! program that fails is not tried again here: starting an agent is dear, and whoever asks knows better when.

use std::time::Duration;

use crate::agent::AgentModel;
use crate::envelope::{Opened, open};
use crate::error::{ErrorKind, ModelError, shown};
use crate::folder::EmptyFolder;
use crate::model::Model;
use crate::process::{Ended, Job, Run, run};
use crate::prompt::{Prompt, Reply, Usage};
use crate::retry::{Again, Failed, Patience};
use crate::settings::{CommandSettings, Settings};

/// Most that a program may print; a reply is some kilobytes.
const OUTPUT_BYTES_MAX: usize = 4 << 20;

/// A program that answers prompts.
#[derive(Debug)]
pub(crate) struct Command {
    name: String,
    words: Vec<String>,
    settings: CommandSettings,
    patience: Patience,
}

impl Command {
    pub(crate) fn new(name: String, words: &[String], settings: &Settings) -> Result<Command, ModelError> {
        let program = words.first().map_or("", String::as_str);
        let is_relative = program.contains('/') && !program.starts_with('/');
        if program.is_empty() || cfg!(unix) && is_relative {
            let message = format!("the program `{program}` is named by a place that depends on where it is started");
            return Err(
                ModelError::new(ErrorKind::Setup, message).hint("name it by its whole path, or by its name alone")
            );
        }
        let settings = (settings.command.clone(), Patience::of(settings));
        Ok(Command { name, words: words.to_vec(), settings: settings.0, patience: settings.1 })
    }

    /// An agent, told what one call may cost where it can be.
    pub(crate) fn of_agent(agent: &AgentModel, settings: &Settings) -> Result<Command, ModelError> {
        let mut words: Vec<String> = agent.words.iter().map(|word| (*word).to_owned()).collect();
        if let (Some(argument), Some(usd)) = (agent.usd_max, settings.command.call_usd_max) {
            words.splice(2..2, [argument.to_owned(), format!("{:.6}", usd.0 as f64 / 1e6)]);
        }
        Command::new(agent.name.to_owned(), &words, settings)
    }

    fn program(&self) -> String {
        shown(self.words.first().map_or("", String::as_str), None)
    }

    fn attempt(&self, prompt: &Prompt, left: Duration) -> Result<Reply, Failed> {
        let scratch = &self.settings.scratch;
        let folder = EmptyFolder::inside(scratch).map_err(|error| {
            let message = format!("no empty folder can be made in `{}`: {error}", scratch.display());
            ModelError::new(ErrorKind::Setup, message)
        })?;
        let timeout = self.settings.timeout.min(left);
        let ran = run(Job {
            words: &self.words,
            input: prompt.as_text().into_bytes(),
            folder: Some(folder.path()),
            set: &self.settings.set,
            unset: &self.settings.unset,
            timeout,
            output_bytes_max: OUTPUT_BYTES_MAX,
        });
        drop(folder);
        self.reply(prompt, ran, timeout)
    }

    fn reply(&self, prompt: &Prompt, ran: Run, timeout: Duration) -> Result<Reply, Failed> {
        let program = self.program();
        let spent = |text: &str| Usage::estimated_of_text(prompt, text);
        let text = String::from_utf8_lossy(&ran.output);
        let (kind, message, hint) = match ran.ended {
            Ended::Done(status) if status.success() => return self.understood(prompt, &ran.output, &ran.aside),
            Ended::Done(status) => {
                // Some agents say in their envelope why they end in failure.
                let (why, usage) = match open(&text) {
                    Opened::Failed(why, usage) => (why, usage),
                    _ => (last_words(&ran.aside), None),
                };
                let why = if why.is_empty() { why } else { format!(": {}", shown(&why, None)) };
                let message = format!("`{program}` ended with {status}{why}");
                let error = ModelError::new(kind_of(&why), message);
                let error =
                    error.hint("run it by hand to see what it wants").spent(usage.unwrap_or_else(|| spent(&text)));
                return Err(Failed::new(error, Again::No));
            }
            Ended::TimedOut => {
                let message = format!("`{program}` did not answer in {} s and was ended", timeout.as_secs_f32());
                (ErrorKind::Timeout, message, "raise `timeout_s` of `[command]`, or ask a faster model")
            }
            Ended::TooMuch => {
                let message = format!("`{program}` printed more than {} MiB and was ended", OUTPUT_BYTES_MAX >> 20);
                (ErrorKind::Unusable, message, "it must print the reply and nothing else")
            }
            Ended::NotStarted(error) => {
                let why = shown(&error.to_string(), None);
                let message = format!("the program `{program}` cannot be started: {why}");
                let hint = "install it, or name it by its whole path";
                return Err(ModelError::new(ErrorKind::Missing, message).hint(hint).into());
            }
        };
        let error = ModelError::new(kind, message).hint(hint).spent(spent(&text));
        Err(Failed::new(error, Again::No))
    }

    fn understood(&self, prompt: &Prompt, output: &[u8], aside: &str) -> Result<Reply, Failed> {
        let program = self.program();
        let unusable = |message: String| ModelError::new(ErrorKind::Unusable, message);
        let Ok(text) = std::str::from_utf8(output) else {
            let error = unusable(format!("the reply of `{program}` is not UTF-8"));
            return Err(error.spent(Usage::estimated_of_text(prompt, "")).into());
        };
        let (text, usage) = match open(text) {
            Opened::Plain => (text.trim().to_owned(), None),
            Opened::Reply(text, usage) => (text.trim().to_owned(), usage),
            Opened::Failed(why, usage) => {
                let message = format!("`{program}` says that it failed: {}", shown(&why, None));
                let usage = usage.unwrap_or_else(|| Usage::estimated_of_text(prompt, ""));
                let error = ModelError::new(kind_of(&why), message).spent(usage);
                return Err(Failed::new(error, Again::No));
            }
        };
        let usage = usage.unwrap_or_else(|| Usage::estimated_of_text(prompt, &text));
        if text.is_empty() {
            let said = shown(&last_words(aside), None);
            let said = if said.is_empty() { said } else { format!(": {said}") };
            let error = unusable(format!("`{program}` printed no reply{said}")).spent(usage);
            return Err(Failed::new(error, Again::Once));
        }
        Ok(Reply { text, usage })
    }
}

impl Model for Command {
    fn name(&self) -> &str {
        &self.name
    }

    fn parameters(&self) -> String {
        String::new()
    }

    fn calls_at_once_max(&self) -> usize {
        self.settings.calls_at_once_max
    }

    fn ask(&self, prompt: &Prompt) -> Result<Reply, ModelError> {
        self.patience.persist(&|left| self.attempt(prompt, left))
    }
}

/// Words by which an agent says that its account has no more for now.
const LIMIT_WORDS: [&str; 7] =
    ["usage limit", "rate limit", "rate_limit", "quota", "hit your limit", "limit reached", "too many requests"];
/// Words by which an agent says that it does not know whose account to use.
const LOGIN_WORDS: [&str; 8] =
    ["not logged in", "/login", "log in", "login", "invalid api key", "unauthorized", "authentication", "auth method"];

/// What kind of failure an agent's own words are; it says so in no other way.
fn kind_of(why: &str) -> ErrorKind {
    let lower = why.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    match () {
        () if has(&LIMIT_WORDS) => ErrorKind::RateLimited { retry_after: None },
        () if has(&LOGIN_WORDS) => ErrorKind::Refused,
        () => ErrorKind::Unreachable,
    }
}

/// The last lines that say something.
fn last_words(aside: &str) -> String {
    let lines: Vec<&str> = aside.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    lines[lines.len().saturating_sub(3)..].join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agents_words_tell_an_empty_account_from_none_at_all() {
        let kinds = [
            ("Claude AI usage limit reached|1767225600", ErrorKind::RateLimited { retry_after: None }),
            ("You've hit your limit · resets 3pm", ErrorKind::RateLimited { retry_after: None }),
            ("Invalid API key · Please run /login", ErrorKind::Refused),
            ("segmentation fault", ErrorKind::Unreachable),
        ];
        for (why, kind) in kinds {
            assert_eq!(kind_of(why), kind, "{why}");
        }
    }
}
