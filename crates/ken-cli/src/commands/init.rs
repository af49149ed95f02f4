//! `ken init`: makes a vault.

use std::path::{Path, PathBuf};

use ken_core::layout::PRESETS;
use ken_core::{Preset, VaultPath};
use ken_engine::outcome::{InitOutcome, Place, Purpose, Survey};
use ken_engine::{Engine, Failure};
use serde::Serialize;

use crate::env;
use crate::exit::Answer;
use crate::session::Session;
use crate::ui::Ui;
use crate::wire;

/// Make a vault in a folder
///
/// Looks at the folder first and says what it sees, what of it would be used for
/// what, and what is never written to: a memory bank, what claude-memory-compiler,
/// HydraFlow or Recall left, Claude's memory folder, an Obsidian vault, notes. Then
/// it writes `kenning.toml` and the folders of a vault. Files that are there
/// already are left alone, and a second `ken init` changes nothing. On a terminal
/// it asks before it takes up what it sees; `ken undo` takes it back.
///
/// Examples:
///   ken init                       in the working folder
///   ken init notes                 in a new or existing folder
///   ken init --dry-run             say what is seen, and change nothing
///   ken init --layout ckp          one folder of pages with headers and an index
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The folder; made when there is none [default: the working folder]
    dir: Option<PathBuf>,
    /// Where things live in it [default: what the folder looks like, else kenning]
    #[arg(long, value_name = "LAYOUT", value_parser = clap::builder::PossibleValuesParser::new(PRESETS.iter().map(|preset| preset.name)))]
    layout: Option<String>,
    /// Say what is seen and what would be used for what, and change nothing
    #[arg(long)]
    dry_run: bool,
    /// Do not ask
    #[arg(long)]
    yes: bool,
}

#[derive(Serialize)]
struct Wire<'a> {
    root: String,
    layout: &'static str,
    created: Vec<&'a str>,
    places: Vec<WirePlace>,
    also: Vec<&'static str>,
}

#[derive(Serialize)]
struct WirePlace {
    purpose: &'static str,
    path: String,
    files: usize,
}

/// Runs the command.
pub(crate) fn run(args: &Args, session: &Session, ui: &mut Ui) -> Result<Answer, Failure> {
    let root = session.folder(args.dir.as_ref());
    let preset = args.layout.as_deref().and_then(Preset::parse);
    let survey = Engine::survey(&root, preset, &session.keys(), session.clock())?;
    let is_found = !survey.is_vault && (survey.is_seen || !survey.places.is_empty());
    if (is_found || args.dry_run) && !ui.is_json() {
        tell(&survey, ui);
    }
    // Where nobody can be asked, what is safe is done: nothing that stands there is changed.
    let is_asked = is_found && !args.yes && !args.dry_run && !ui.is_json() && env::can_be_asked();
    if is_asked && !ui.agrees("Make it a vault? Nothing that stands there is changed.") {
        return Err(Failure::refused("no vault was made").hint("nothing was changed"));
    }
    if args.dry_run {
        match ui.is_json() {
            true => ui.json(&wire(&root, &survey, &[])),
            false => ui.say("Nothing was changed."),
        }
        return Ok(Answer::Yes);
    }
    let done = Engine::init(&root, preset, &session.keys(), session.clock())?;
    done.notices.iter().for_each(|notice| ui.warning(notice));
    if ui.is_json() {
        ui.json(&wire(&done.root, &survey, &done.created));
    } else {
        print(&done, &survey, ui);
    }
    Ok(Answer::Yes)
}

fn wire<'a>(root: &Path, survey: &Survey, created: &'a [VaultPath]) -> Wire<'a> {
    let place = |place: &Place| WirePlace {
        purpose: place.purpose.as_str(),
        path: place.path.to_string(),
        files: place.n_files,
    };
    Wire {
        root: wire::place(root),
        layout: survey.layout.preset.name,
        created: wire::paths(created),
        places: survey.places.iter().map(place).collect(),
        also: survey.others.iter().map(|preset| preset.name).collect(),
    }
}

/// Says what a folder looks like, and what would be used for what.
fn tell(survey: &Survey, ui: &mut Ui) {
    let Survey { layout, is_vault, is_seen, others, places } = survey;
    let preset = layout.preset;
    match (is_vault, is_seen) {
        (true, _) => ui.say("This is a vault already."),
        (false, true) => ui.say(format!("This looks like {}.", preset.called)),
        (false, false) if places.is_empty() => ui.say("Nothing in it says how it is to be used."),
        (false, false) => ui.say("It holds what a vault uses."),
    }
    for Place { purpose, path, n_files } in places {
        let files = if *n_files == 1 { "file" } else { "files" };
        let what = match purpose {
            Purpose::Pages => "pages",
            Purpose::Foreign => "pages of another tool; never written to",
            Purpose::Days => "the journal; it only grows",
            Purpose::Sources => "documents",
            Purpose::Evidence => "searched, makes no pages; never written to",
        };
        ui.say(format!("  {path}  {n_files} {files}: {what}"));
    }
    preset.remarks.iter().filter(|_| *is_seen).for_each(|remark| ui.say(remark));
    for other in others {
        ui.say(format!("It also looks like {}: `ken init --layout {}` takes that.", other.called, other.name));
    }
}

fn print(done: &InitOutcome, survey: &Survey, ui: &mut Ui) {
    let (root, layout) = (done.root.display(), done.preset.name);
    if done.created.is_empty() {
        ui.say(format!("The vault in `{root}` ({layout} layout) is there already; nothing was changed."));
        if !done.is_accepted {
            ui.say("It was not made by this user: look at it, then accept it with `ken trust`.");
        }
        return;
    }
    ui.say(format!("Made a vault ({layout} layout) in {root}"));
    ui.say_names(&wire::paths(&done.created), usize::MAX);
    if survey.is_seen {
        ui.say("Take it back with `ken undo`.");
    }
    let has = |wanted: &[Purpose]| survey.places.iter().any(|place| wanted.contains(&place.purpose));
    if has(&[Purpose::Pages, Purpose::Foreign, Purpose::Days]) {
        ui.say("Ask it something:");
        ui.say("  ken ask \"…\"");
    }
    if survey.is_seen && done.preset.notes_anywhere {
        ui.say("Its notes become pages as documents do, each where it is:");
        ui.say("  ken ingest --in-place .");
    } else {
        ui.say("Put something into it:");
        ui.say("  ken capture FILE   a transcript of an agent's session");
        ui.say("  ken log \"…\"        a note by hand");
        ui.say("  ken ingest PATH    a document");
    }
    ui.say("Then turn it into pages:");
    ui.say("  ken compile");
}
