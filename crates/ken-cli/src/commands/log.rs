//! `ken log`: puts a note by hand into the journal.

use ken_engine::{Engine, Failure, Note};
use serde::Serialize;

use crate::env;
use crate::exit::Answer;
use crate::text::{clean, count};
use crate::ui::Ui;

/// Put a note into today's journal
///
/// The text is what is on the command line, or standard input when there is none
/// there or only `-`. It may be Markdown. Secrets are replaced. The same note
/// within ten minutes is taken for a retry and not added twice; under a key it
/// never is.
///
/// Examples:
///   ken log "We decided to keep opening hours in config/hours.toml."
///   ken log --title "Retro" - < notes.md
///   ken log --key build-812 "Build 812 was released."
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The note; `-` reads standard input
    text: Vec<String>,
    /// Its heading [default: the start of the text]
    #[arg(long, value_name = "TITLE")]
    title: Option<String>,
    /// A name for the note: what is recorded under it is not added again
    #[arg(long, value_name = "KEY")]
    key: Option<String>,
    /// Add the note although the same was just added
    #[arg(long, conflicts_with = "key")]
    again: bool,
}

#[derive(Serialize)]
struct Wire<'a> {
    journal: &'a str,
    redactions: usize,
    repeated: bool,
}

/// Runs the command.
pub(crate) fn run(args: &Args, engine: &Engine, ui: &mut Ui) -> Result<Answer, Failure> {
    let text = text(&args.text)?;
    let key = args.key.as_deref().map(str::trim);
    if key.is_some_and(str::is_empty) {
        return Err(Failure::usage("the key is empty").hint("leave `--key` out, or name the note by it"));
    }
    let done = engine.log(&text, Note { title: args.title.as_deref(), key, again: args.again })?;
    if ui.is_json() {
        let (journal, redactions) = (done.journal.as_str(), done.redactions);
        ui.json(&Wire { journal, redactions, repeated: done.is_repeat });
        return Ok(Answer::Yes);
    }
    if done.is_repeat {
        let (hour, minute) = done.time;
        let title = clean(&done.title);
        ui.say(format!(
            "Already recorded as \"{title}\" at {hour:02}:{minute:02} in {}; nothing was added.",
            done.journal
        ));
        if key.is_none() {
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

fn no_text(why: &str) -> Failure {
    Failure::usage(why).hint("write it as in `ken log \"what was decided\"`, or pipe it in").hint("nothing was changed")
}
