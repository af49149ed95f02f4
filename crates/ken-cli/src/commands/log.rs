//! `ken log`: puts a note by hand into the journal.

use std::ffi::OsString;
use std::path::Path;

use ken_core::issue::{Issue, Phase, Stage, parse_issue};
use ken_engine::{Failure, Note};
use serde::Serialize;

use crate::env;
use crate::exit::Answer;
use crate::session::Session;
use crate::text::{clean, count};
use crate::ui::Ui;

/// Put a note into today's journal
///
/// The text is what is on the command line, or standard input when there is none
/// there or only `-`. It may be Markdown. Secrets are replaced. The same note
/// within ten minutes is taken for a retry and not added twice; under a key it
/// never is.
///
/// A label before a sentence says what it is: `Decision:`, `Lesson:`, `TODO:` (or
/// `- [ ]`) and `DONE:`, which closes an action item that says the same.
///
/// With `--issue` and `--phase` the entry is of that issue of the repository, and
/// each phase is taken once, however many agents hand it in: the same text again
/// changes nothing, another text is refused. One argument without spaces is a file
/// then.
///
/// Examples:
///   ken log "We decided to keep opening hours in config/hours.toml."
///   ken log --title "Retro" - < notes.md
///   ken log --key build-812 "Build 812 was released."
///   ken log --issue 42 --phase plan PLAN.md
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The note; `-` reads standard input; with `--issue`, also a file
    text: Vec<String>,
    /// Its heading [default: the start of the text]
    #[arg(long, value_name = "TITLE")]
    title: Option<String>,
    /// A name for the note: what is recorded under it is not added again
    #[arg(long, value_name = "KEY")]
    key: Option<String>,
    /// The issue that the note is of
    #[arg(long, value_name = "N", allow_negative_numbers = true, requires = "phase", conflicts_with = "key", value_parser = issue)]
    issue: Option<Issue>,
    /// The phase of the issue: plan, implement or review
    #[arg(long, value_name = "PHASE", requires = "issue", value_parser = phase)]
    phase: Option<Phase>,
    /// Add the note although the same was just added, or another one of its phase
    #[arg(long, conflicts_with = "key")]
    again: bool,
}

/// Returns the arguments of the program with a note that begins like an option (`- [x] renew the licence`, `-5 degrees at
/// night`) behind `--`, where it is one for `ken log`.
pub(crate) fn with_note_last(mut args: Vec<OsString>) -> Vec<OsString> {
    if args.get(1).is_none_or(|command| command != "log") || args.iter().any(|arg| arg == "--") {
        return args;
    }
    let is_note = |at: usize| {
        let takes_value = matches!(args[at - 1].to_str(), Some("--title" | "--key" | "--issue" | "--phase"));
        let is_it = |text: &str| text.starts_with('-') && !text.starts_with("--") && text.contains(char::is_whitespace);
        !takes_value && args[at].to_str().is_some_and(is_it)
    };
    if let Some(at) = (2..args.len()).find(|at| is_note(*at)) {
        let note = args.remove(at);
        args.extend([OsString::from("--"), note]);
    }
    args
}

/// Reads the number of an issue.
pub(super) fn issue(text: &str) -> Result<Issue, String> {
    parse_issue(text).ok_or_else(|| "a number from 1 on is expected, as in `42`".to_owned())
}

fn phase(text: &str) -> Result<Phase, String> {
    Phase::ALL
        .into_iter()
        .find(|known| known.as_str() == text)
        .ok_or_else(|| "plan, implement or review is expected".to_owned())
}

#[derive(Serialize)]
struct Wire<'a> {
    journal: &'a str,
    redactions: usize,
    repeated: bool,
}

/// Runs the command.
pub(crate) fn run(args: &Args, session: &Session, ui: &mut Ui) -> Result<Answer, Failure> {
    let engine = session.engine()?;
    let stage = args.issue.zip(args.phase).map(|(issue, phase)| Stage { issue, phase });
    let text = match (stage, args.text.as_slice()) {
        (Some(_), [one]) if is_file(one, session.cwd()) => read(one)?,
        _ => text(&args.text)?,
    };
    let key = args.key.as_deref().map(str::trim);
    if key.is_some_and(str::is_empty) {
        return Err(Failure::usage("the key is empty").hint("leave `--key` out, or name the note by it"));
    }
    let done = engine.log(&text, Note { title: args.title.as_deref(), key, stage, again: args.again })?;
    if ui.is_json() {
        let (journal, redactions) = (done.journal.as_str(), done.redactions);
        ui.json(&Wire { journal, redactions, repeated: done.is_repeat });
        return Ok(Answer::Yes);
    }
    if let Some(closed) = &done.ended {
        ui.note(&format!("{closed}: what this says is stale until `ken close {} --outcome merged`", closed.issue));
    }
    if done.is_repeat {
        let (hour, minute) = done.time;
        let title = clean(&done.title);
        ui.say(format!(
            "Already recorded as \"{title}\" at {hour:02}:{minute:02} in {}; nothing was added.",
            done.journal
        ));
        if key.is_none() && stage.is_none() {
            ui.note("`--again` adds it once more");
        }
        return Ok(Answer::Yes);
    }
    if done.redactions > 0 {
        ui.say(format!("Replaced {}.", count(done.redactions, "secret")));
    }
    ui.say(format!("Added a note to {}", done.journal));
    Ok(Answer::Yes)
}

fn text(words: &[String]) -> Result<String, Failure> {
    let text = match words {
        [] => env::piped_input()?.ok_or_else(|| no_text("there is no text"))?,
        [dash] if dash == "-" => env::input()?,
        words => words.join(" "),
    };
    if text.trim().is_empty() { Err(no_text("the text is empty")) } else { Ok(text) }
}

/// Whether an argument names a file: words of a note have spaces between them.
fn is_file(argument: &str, folder: &Path) -> bool {
    argument != "-" && (!argument.contains(char::is_whitespace) || folder.join(argument).is_file())
}

fn read(name: &str) -> Result<String, Failure> {
    let explained = |failure: Failure| failure.hint("one argument without spaces is a file; `-` reads standard input");
    let text = env::read_text(name).map_err(explained).map_err(|failure| failure.hint("nothing was changed"))?;
    if text.trim().is_empty() { Err(no_text(&format!("`{name}` is empty"))) } else { Ok(text) }
}

fn no_text(why: &str) -> Failure {
    Failure::usage(why).hint("write it as in `ken log \"what was decided\"`, or pipe it in").hint("nothing was changed")
}
