//! The key of a provider: given, or asked for once of a program.
//!
//! A key stands in no message. Whether it may be sent where it is sent is decided by the one who sends.

use std::sync::OnceLock;
use std::time::Duration;

use crate::error::{ErrorKind, ModelError, shown};
use crate::process::{Ended, Job, run};
use crate::settings::{Key, Secret};

/// How long the program may take: a store of keys may ask a person to unlock it.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Longest line that a key is looked for in.
const OUTPUT_BYTES_MAX: usize = 64 * 1024;

/// A key that is fetched when it is first needed.
#[derive(Debug)]
pub(crate) struct KeyRing {
    key: Key,
    fetched: OnceLock<Result<Secret, ModelError>>,
}

impl KeyRing {
    pub(crate) fn new(key: &Key) -> KeyRing {
        KeyRing { key: key.clone(), fetched: OnceLock::new() }
    }

    /// Whether there is a key to send.
    pub(crate) fn is_set(&self) -> bool {
        !matches!(self.key, Key::None | Key::Unset(_) | Key::NotNeeded)
    }

    /// Returns the key; none when there is none to send.
    pub(crate) fn get(&self) -> Result<Option<&Secret>, ModelError> {
        match &self.key {
            Key::None | Key::Unset(_) => Ok(None),
            Key::NotNeeded => Err(ModelError::new(ErrorKind::Setup, "no key was looked for, so nothing was sent")),
            Key::Given(secret) => plain(secret).map(Some),
            // Once, also when it failed: nobody wants to be asked for a password three times.
            Key::Command(words) => match self.fetched.get_or_init(|| fetch(words)) {
                Ok(secret) => Ok(Some(secret)),
                Err(error) => Err(error.clone()),
            },
        }
    }
}

/// The secret, if it can stand in a header.
fn plain(secret: &Secret) -> Result<&Secret, ModelError> {
    let text = secret.expose();
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
        let message = "the key is empty or has characters in it that no key has";
        return Err(ModelError::new(ErrorKind::Setup, message));
    }
    Ok(secret)
}

fn fetch(words: &[String]) -> Result<Secret, ModelError> {
    let program = words.first().map_or("", String::as_str);
    let failed = |why: String| {
        let message = format!("the key command `{}` gave no key: {why}", shown(program, None));
        ModelError::new(ErrorKind::Setup, message).hint("run it by hand: the first line it prints must be the key")
    };
    let ran = run(Job {
        words,
        input: Vec::new(),
        folder: None,
        set: &[],
        unset: &[],
        timeout: TIMEOUT,
        output_bytes_max: OUTPUT_BYTES_MAX,
    });
    let line = ran.output.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let secret = Secret::new(&String::from_utf8_lossy(line));
    match ran.ended {
        Ended::Done(status) if status.success() => plain(&secret)
            .cloned()
            .map_err(|_| failed("its first line is empty or has characters in it that no key has".to_owned())),
        Ended::Done(status) => {
            // What it says in its trouble may have the key in it.
            let aside = ran.aside.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
            let said = shown(aside, Some(secret.expose()));
            let said = if said.is_empty() { said } else { format!(": {said}") };
            Err(failed(format!("it ended with {status}{said}")))
        }
        Ended::TimedOut => Err(failed(format!("it took longer than {} s", TIMEOUT.as_secs()))),
        Ended::TooMuch => Err(failed("it prints too much".to_owned())),
        Ended::NotStarted(error) => Err(failed(format!("it cannot be started: {}", shown(&error.to_string(), None)))),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[track_caller]
    fn check(script: &str, expected: Result<&str, &str>) {
        let words = ["/bin/sh", "-c", script].map(str::to_owned).to_vec();
        let ring = KeyRing::new(&Key::Command(words));
        let got = ring.get().map(|secret| secret.expect("a key").expose().to_owned());
        let got = got.map_err(|error| error.message);
        assert_eq!(got.as_deref().map_err(String::as_str), expected);
    }

    #[test]
    fn the_key_is_the_first_line() {
        check("echo ' k-1 '; echo user: me", Ok("k-1"));
        check("cat >/dev/null; printf k-2", Ok("k-2"));
    }

    #[test]
    fn a_command_without_a_key_is_told_in_few_words() {
        let start = "the key command `/bin/sh` gave no key: ";
        let empty = format!("{start}its first line is empty or has characters in it that no key has");
        check("true", Err(&empty));
        check("printf 'two words'", Err(&empty));
        check(
            "echo one >&2; echo 'no such\u{7} entry' >&2; exit 3",
            Err(&format!("{start}it ended with exit status: 3: no such entry")),
        );
        check(
            "echo k-3; echo leaked k-3 >&2; exit 1",
            Err(&format!("{start}it ended with exit status: 1: leaked [key]")),
        );
        let words = vec!["/nowhere/key".to_owned()];
        let error = KeyRing::new(&Key::Command(words)).get().expect_err("no such program");
        assert!(error.message.contains("it cannot be started"), "{error}");
    }
}
