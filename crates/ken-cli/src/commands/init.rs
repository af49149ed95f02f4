//! `ken init`: makes a vault.

use std::path::PathBuf;

use ken_core::Preset;
use ken_engine::outcome::InitOutcome;
use ken_engine::{Engine, Failure};
use serde::Serialize;

use crate::exit::Answer;
use crate::session::Session;
use crate::ui::Ui;
use crate::wire;

/// Make a vault in a folder
///
/// Writes `kenning.toml` and the folders of a vault. Files that are there already
/// are left alone, so that a folder of notes or a memory bank can become a vault,
/// and a second `ken init` changes nothing.
///
/// Examples:
///   ken init                       in the working folder
///   ken init notes                 in a new or existing folder
///   ken init --layout ckp          one folder of pages with headers and an index
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The folder; made when there is none [default: the working folder]
    dir: Option<PathBuf>,
    /// Where things live in it [default: what the folder looks like, else kenning]
    #[arg(long, value_name = "LAYOUT", value_parser = ["kenning", "ckp"])]
    layout: Option<String>,
}

#[derive(Serialize)]
struct Wire<'a> {
    root: String,
    layout: &'static str,
    created: Vec<&'a str>,
}

/// Runs the command.
pub(crate) fn run(args: &Args, session: &Session, ui: &mut Ui) -> Result<Answer, Failure> {
    let root = session.folder(args.dir.as_ref());
    let preset = args.layout.as_deref().and_then(Preset::parse);
    let done = Engine::init(&root, preset, &session.keys(), session.clock())?;
    done.notices.iter().for_each(|notice| ui.warning(notice));
    if ui.is_json() {
        ui.json(&Wire {
            root: wire::place(&done.root),
            layout: done.preset.as_str(),
            created: wire::paths(&done.created),
        });
    } else {
        print(&done, ui);
    }
    Ok(Answer::Yes)
}

fn print(done: &InitOutcome, ui: &mut Ui) {
    let (root, layout) = (done.root.display(), done.preset.as_str());
    if done.created.is_empty() {
        ui.say(format!("The vault in `{root}` ({layout} layout) is there already; nothing was changed."));
        if !done.is_accepted {
            ui.say("It was not made by this user: look at it, then accept it with `ken trust`.");
        }
        return;
    }
    ui.say(format!("Made a vault ({layout} layout) in {root}"));
    ui.say_names(&wire::paths(&done.created), usize::MAX);
    ui.say("Put something into it:");
    ui.say("  ken capture FILE   a transcript of an agent's session");
    ui.say("  ken log \"…\"        a note by hand");
    ui.say("  ken ingest PATH    a document");
    ui.say("Then turn it into pages:");
    ui.say("  ken compile");
}
