//! `ken log`: puts a note by hand into the journal.

use ken_engine::{Engine, Failure};
use serde::Serialize;

use crate::env;
use crate::exit::Answer;
use crate::text::count;
use crate::ui::Ui;

/// Put a note into today's journal
///
/// The text is what is on the command line, or standard input when there is none
/// there or only `-`. It may be Markdown. Secrets are replaced.
///
/// Examples:
///   ken log "We decided to keep opening hours in config/hours.toml."
///   ken log --title "Retro" - < notes.md
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The note; `-` reads standard input
    text: Vec<String>,
    /// Its heading [default: the start of the text]
    #[arg(long, value_name = "TITLE")]
    title: Option<String>,
}

#[derive(Serialize)]
struct Wire<'a> {
    journal: &'a str,
    redactions: usize,
}

/// Runs the command.
pub(crate) fn run(args: &Args, engine: &Engine, ui: &mut Ui) -> Result<Answer, Failure> {
    let text = text(&args.text)?;
    let done = engine.log(&text, args.title.as_deref())?;
    if ui.is_json() {
        ui.json(&Wire { journal: done.journal.as_str(), redactions: done.redactions });
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
