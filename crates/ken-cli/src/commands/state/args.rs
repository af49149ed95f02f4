//! The arguments of `ken state`, whose comments are its help.

use ken_core::state::Status;

/// Keep what is to be done in the project, and how far it is
///
/// The tasks stand in `state.md`, which you may edit: a list item with a box is a
/// task, a heading is its feature. `state.json` says the same to programs. Each
/// command is one operation that `ken undo` takes back; a name may be a part of it,
/// as long as only one task is meant. `ken ask "What is left to do?"` and
/// `ken render` answer from it.
///
/// Examples:
///   ken state set "Write the parser" --feature Export --status doing
///   ken state block parser "the grammar is not decided"
///   ken state done parser
///   ken state show --json
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(super) command: Command,
    /// Change nothing; print the changes of the page as a diff
    #[arg(long, short = 'n', global = true)]
    pub(super) dry_run: bool,
}

#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    Set(SetArgs),
    Done(DoneArgs),
    Block(BlockArgs),
    Next(NextArgs),
    Show(ShowArgs),
}

/// Add a task, or change the one of that name
///
/// What is not named stays as it is. A task that is set to another status than
/// blocked waits for nothing any longer.
///
/// Examples:
///   ken state set "Write the parser"
///   ken state set "Write the parser" --status doing --next "try it on old files"
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct SetArgs {
    /// What it is called, whole
    pub(super) task: String,
    /// How far it is: todo, doing, done or blocked
    #[arg(long, value_name = "STATUS", value_parser = status)]
    pub(super) status: Option<Status>,
    /// The feature that it belongs to; an empty one is none
    #[arg(long, value_name = "NAME")]
    pub(super) feature: Option<String>,
    /// What it waits for; may be given more than once
    #[arg(long, value_name = "TEXT")]
    pub(super) blocked_by: Vec<String>,
    /// What comes next, instead of what came next; may be given more than once
    #[arg(long, value_name = "TEXT")]
    pub(super) next: Vec<String>,
}

/// Say that tasks are done
///
/// Examples:
///   ken state done "Write the parser"
///   ken state done parser tests
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct DoneArgs {
    /// The tasks
    #[arg(required = true, value_name = "TASK")]
    pub(super) tasks: Vec<String>,
}

/// Say what a task waits for
///
/// The reasons take the place of those before.
///
/// Examples:
///   ken state block parser "the grammar is not decided"
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct BlockArgs {
    /// The task
    pub(super) task: String,
    /// What it waits for
    #[arg(required = true, value_name = "REASON")]
    pub(super) reasons: Vec<String>,
}

/// Say what comes next of a task, or show what is to be done
///
/// The steps take the place of those before, so that a page that is set in a loop
/// does not grow. Without a step nothing is changed: what is not done is shown, of
/// the task that is named or of all.
///
/// Examples:
///   ken state next
///   ken state next parser "read comments" "try it on old files"
///   ken state next parser --none
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct NextArgs {
    /// The task [default: all that are not done]
    pub(super) task: Option<String>,
    /// The steps, in order
    #[arg(value_name = "STEP")]
    pub(super) steps: Vec<String>,
    /// Nothing comes next
    #[arg(long, conflicts_with = "steps", requires = "task")]
    pub(super) none: bool,
}

/// Show the tasks by how far they are
///
/// A task that a session, or a progress file, says was done since counts as done,
/// with the line that says so. Lines of the page that do not read are named.
///
/// Examples:
///   ken state show
///   ken state show parser
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct ShowArgs {
    /// A task, or words of its name [default: all]
    pub(super) task: Option<String>,
}

fn status(text: &str) -> Result<Status, String> {
    Status::parse(text).ok_or_else(|| "expected todo, doing, done or blocked".to_owned())
}
