//! `ken page`: pages by hand, each command one plan.

mod args;

use ken_core::Digest;
use ken_engine::{Engine, Failure, NewPage, PageCommand, PageOutcome};
use serde::Serialize;

use crate::commands::compile::print_diff;
use crate::editor;
use crate::env;
use crate::exit::Answer;
use crate::text::{clean, count};
use crate::ui::Ui;
use crate::wire;

pub(crate) use args::Args;
use args::{Command, EditArgs};

/// Files that are named.
const NAMES_MAX: usize = 12;

#[derive(Serialize)]
struct Wire<'a> {
    command: &'a str,
    slug: &'a str,
    path: Option<&'a str>,
    changed: Vec<&'a str>,
    references: usize,
    journal: Option<&'a str>,
    redactions: usize,
    notes: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<&'a str>,
}

/// Runs the command.
pub(crate) fn run(args: &Args, engine: &Engine, ui: &mut Ui) -> Result<Answer, Failure> {
    let dry_run = args.dry_run;
    let done = match &args.command {
        Command::Edit(args) => edit(args, engine, dry_run)?,
        other => engine.page(&command(other)?, dry_run)?,
    };
    if ui.is_json() {
        ui.json(&wire(&done));
    } else {
        print(&done, ui);
    }
    Ok(Answer::Yes)
}

/// What is asked of the engine.
fn command(command: &Command) -> Result<PageCommand, Failure> {
    Ok(match command {
        Command::New(args) => PageCommand::New(NewPage {
            title: args.title.clone(),
            category: args.category,
            lede: args.lede.clone(),
            why: args.why.clone(),
            how: args.how.clone(),
        }),
        Command::Append(args) => {
            let (page, heading) = (args.page.clone(), args.heading.clone());
            PageCommand::Append { page, text: text(&args.text, args.file.as_deref())?, heading }
        }
        Command::Edit(args) => PageCommand::Edit { page: args.page.clone(), text: String::new(), read: None },
        Command::Rename(args) => PageCommand::Rename { page: args.page.clone(), title: args.title.clone() },
        Command::Merge(args) => PageCommand::Merge { from: args.from.clone(), into: args.into.clone() },
        Command::Split(args) => {
            let (heading, title) = (args.heading.clone(), args.to.clone());
            PageCommand::Split { page: args.page.clone(), heading, title }
        }
        Command::Move(args) => {
            let (category, folder) = (args.category, args.folder.clone());
            PageCommand::Move { page: args.page.clone(), category, folder }
        }
        Command::Retire(args) => PageCommand::Retire { page: args.page.clone(), because: args.because.clone() },
        Command::Restore(args) => PageCommand::Restore { page: args.page.clone() },
        Command::Redirect(args) => PageCommand::Redirect { from: args.from.clone(), to: args.to.clone() },
        Command::Rebuild(args) => PageCommand::Rebuild { page: args.page.clone() },
    })
}

/// The words of a command line, a file, or standard input.
fn text(words: &[String], file: Option<&str>) -> Result<String, Failure> {
    match (words, file) {
        ([], Some(file)) => env::read_text(file),
        ([], None) => env::piped_input()?.ok_or_else(|| {
            Failure::usage("there is no text")
                .hint("write it behind the page, or pipe it in")
                .hint("nothing was changed")
        }),
        ([dash], _) if dash == "-" => env::input(),
        (words, _) => Ok(words.join(" ")),
    }
}

/// Takes the new text from a file, or lets the person's editor make it of the old one.
fn edit(args: &EditArgs, engine: &Engine, dry_run: bool) -> Result<PageOutcome, Failure> {
    let page = args.page.clone();
    if let Some(file) = &args.file {
        let text = env::read_text(file)?;
        let command = PageCommand::Edit { page, text: text.clone(), read: None };
        // What came in by a pipe is nowhere else.
        return engine.page(&command, dry_run).map_err(|failure| match file.as_str() {
            "-" => kept(failure, &text),
            _ => failure,
        });
    }
    if !env::can_be_asked() {
        return Err(Failure::usage("there is no terminal for an editor")
            .hint("give the new text with `--file FILE`, or with `--file -` on standard input")
            .hint("nothing was changed"));
    }
    let (path, before) = engine.page_to_edit(&page)?;
    let (file, text) = editor::edited(path.file_name(), &before)?;
    let read = Some(Digest::of(before.as_bytes()));
    let done = engine
        .page(&PageCommand::Edit { page, text, read }, dry_run)
        .map_err(|failure| failure.hint(format!("what you wrote is in `{}`", file.display())))?;
    editor::dropped(&file);
    Ok(done)
}

/// A failure that says where a text is kept that did not get where it belongs.
fn kept(failure: Failure, text: &str) -> Failure {
    match editor::set_aside("page.md", text) {
        Ok(file) => failure.hint(format!("what you gave is in `{}`", file.display())),
        Err(_) => failure,
    }
}

fn wire(done: &PageOutcome) -> Wire<'_> {
    Wire {
        command: &done.kind,
        slug: done.slug.as_str(),
        path: done.path.as_ref().map(ken_core::VaultPath::as_str),
        changed: wire::paths(&done.changed),
        references: done.n_references,
        journal: done.journal.as_ref().map(ken_core::VaultPath::as_str),
        redactions: done.redactions,
        notes: &done.notes,
        diff: done.diff.as_deref(),
    }
}

fn print(done: &PageOutcome, ui: &mut Ui) {
    if let Some(diff) = &done.diff {
        print_diff(diff, ui);
        done.notes.iter().for_each(|note| ui.note(note));
        return ui.say("Nothing was changed.");
    }
    let what = match done.kind.as_str() {
        "page new" => "Made",
        "page append" => "Added to",
        "page edit" => "Edited",
        "page rename" => "Renamed to",
        "page merge" => "Merged into",
        "page split" => "Split off",
        "page move" => "Moved",
        "page retire" => "Retired",
        "page restore" => "Restored",
        "page redirect" => "Redirect from",
        _ => "Looked at",
    };
    let place = done.path.as_ref().map(|path| format!(" ({})", clean(path.as_str()))).unwrap_or_default();
    ui.say(format!("{what} {}{place}", done.slug));
    if done.redactions > 0 {
        ui.say(format!("Replaced {}.", count(done.redactions, "secret")));
    }
    if done.n_references > 0 {
        ui.say(format!("{} rewritten", count(done.n_references, "reference")));
    }
    if !done.changed.is_empty() {
        ui.say("Changed:");
        ui.say_names(&wire::paths(&done.changed), NAMES_MAX);
    }
    done.notes.iter().for_each(|note| ui.note(note));
    if !done.changed.is_empty() {
        ui.note("`ken undo` takes it back");
    }
}
