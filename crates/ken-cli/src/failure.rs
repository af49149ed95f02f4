//! How a failure looks: text for people, one JSON line for programs, on stderr either way.
//!
//! Kinds become exit codes in [`crate::exit`]; messages and hints come from the engine and are printed
//! as they are, cleaned of control characters. A panic is a failure too: a bug, said in the same form.

use std::any::Any;
use std::io::Write;

use ken_agents::Refusal;
use ken_engine::{Failure, FailureKind};
use serde::Serialize;

use crate::paint::{self, Paint};
use crate::text::clean;
use crate::{env, exit};

/// A failure as `--json` prints it.
#[derive(Serialize)]
struct ErrorLine<'a> {
    error: ErrorFields<'a>,
}

#[derive(Serialize)]
struct ErrorFields<'a> {
    kind: &'static str,
    message: &'a str,
    chain: &'a [String],
    hints: &'a [String],
}

/// Returns the failure of something that belongs to the process and has no path.
pub(crate) fn of_process(message: &str, error: &std::io::Error) -> Failure {
    let failure = Failure::io("use", "it", error);
    Failure { message: message.to_owned(), ..failure }
}

/// Returns the failure that a refusal about an agent is.
pub(crate) fn of_agent(refusal: Refusal) -> Failure {
    let kind = if refusal.is_retryable { FailureKind::Retry } else { FailureKind::Refused };
    Failure { kind, message: refusal.message, chain: refusal.causes, hints: refusal.hints }
}

/// Returns the failure as lines of text.
pub(crate) fn as_text(failure: &Failure, paint: Paint) -> String {
    let mut out = format!("{} {}\n", paint.of(paint::ERROR, "error:"), paint.of(paint::BOLD, &clean(&failure.message)));
    for cause in &failure.chain {
        out.push_str(&format!("  because: {}\n", clean(cause)));
    }
    for hint in &failure.hints {
        out.push_str(&hint_line(hint, paint));
    }
    out
}

/// Returns a hint as a line of text.
pub(crate) fn hint_line(hint: &str, paint: Paint) -> String {
    format!("{} {}\n", paint.of(paint::HINT, "hint:"), clean(hint))
}

/// Returns the failure as one line of JSON.
pub(crate) fn as_json(failure: &Failure) -> String {
    let kind = exit::kind_name(failure.kind);
    let fields = ErrorFields { kind, message: &failure.message, chain: &failure.chain, hints: &failure.hints };
    let line = serde_json::to_string(&ErrorLine { error: fields }).expect("text and lists of text are JSON");
    line + "\n"
}

/// Makes a panic print what a user can do with it, instead of a backtrace.
pub(crate) fn report_panics() {
    std::panic::set_hook(Box::new(|info| {
        // A file that is too damaged to be read is no bug of ours, and its reason is told where it was named.
        if std::thread::current().name() == Some(ken_engine::PDF_THREAD) {
            return;
        }
        let place = info.location().map(|at| format!("{}:{}", at.file(), at.line()));
        let failure = bug(info.payload(), place);
        let text = if env::asks_for_json() { as_json(&failure) } else { as_text(&failure, Paint::stderr()) };
        // Nobody is left to tell when stderr is closed.
        let _ = std::io::stderr().write_all(text.as_bytes());
    }));
}

fn bug(payload: &(dyn Any + Send), place: Option<String>) -> Failure {
    let what = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let what = what.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "it stopped".to_owned());
    let mut failure = Failure::new(FailureKind::Bug, format!("a bug in ken: {what}"));
    failure.chain.extend(place.map(|place| format!("it happened at {place}")));
    failure.hint("nothing half-done is left behind: the next command completes or discards it")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_names_its_causes_and_what_helps() {
        let mut failure = Failure::refused("cannot read `a.md`").hint("nothing was changed");
        failure.chain.push("permission denied".to_owned());
        let text = "error: cannot read `a.md`\n  because: permission denied\nhint: nothing was changed\n";
        assert_eq!(as_text(&failure, Paint::OFF), text);
        let json = r#"{"error":{"kind":"refused","message":"cannot read `a.md`","chain":["permission denied"],"hints":["nothing was changed"]}}"#;
        assert_eq!(as_json(&failure), format!("{json}\n"));
    }

    #[test]
    fn foreign_text_cannot_drive_the_terminal() {
        let failure = Failure::usage("no page named `\u{1b}[2J`");
        assert_eq!(as_text(&failure, Paint::OFF), "error: no page named `\u{fffd}[2J`\n");
    }

    #[test]
    fn a_panic_reads_like_any_other_failure() {
        let payload = std::panic::catch_unwind(|| panic!("page {} is gone", 3)).expect_err("it panics");
        let failure = bug(payload.as_ref(), Some("a.rs:1".to_owned()));
        assert_eq!(failure.message, "a bug in ken: page 3 is gone");
        assert_eq!(exit::code_of(failure.kind), exit::BUG);
        let payload: Box<dyn Any + Send> = Box::new(7);
        assert_eq!(bug(payload.as_ref(), None).message, "a bug in ken: it stopped");
    }
}
