//! Arguments of the program: the commands and the options that every command takes.
//!
//! Doc comments here and in the command files are the help, complete and offline.

use std::fmt::Write;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};

use crate::{commands, env, exit};

/// Compiles what happened into what is true, and hands an agent the part it needs
///
/// A vault is a folder with a journal (what was said and decided, by day), sources
/// (documents), and a wiki of Markdown pages compiled from both. `ken` finds the
/// vault around the working folder, as git finds its repository.
///
///   ken init            make a vault here
///   ken install         let your coding agents fill it, and be briefed from it
///   ken capture PATH    put sessions of agents into its journal by hand
///   ken compile         turn journal and sources into pages
///   ken route "…"       which two to four pages answer a question, and why
///   ken context "…"     their text, cut to a budget, for a prompt
///   ken ask "…"         the answer, every sentence with its page
///   ken search "…"      every passage that answers, in pages and evidence
///   ken demo            all of that on a small example
///
/// Nothing needs a network, a model or an account.
#[derive(Debug, Parser)]
#[command(name = "ken", version, after_long_help = after_help(), verbatim_doc_comment, max_term_width = 100)]
#[command(subcommand_required = true, arg_required_else_help = true, disable_help_subcommand = false)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
    /// What every command takes.
    #[command(flatten)]
    pub(crate) globals: Globals,
}

/// What every command takes.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options of every command")]
pub(crate) struct Globals {
    /// The vault's folder [default: the vault around the working folder]
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) vault: Option<PathBuf>,
    /// Print the answer as JSON, and a failure as one line of JSON on stderr
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Print answers only: no reports of success, no warnings
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
    /// How long to wait while another `ken` changes the vault [default: 10]
    // The default stands in the text because clap gives it lines of its own, one of them of spaces.
    #[arg(long, global = true, value_name = "SECONDS", default_value = "10", hide_default_value = true)]
    #[arg(value_parser = seconds)]
    pub(crate) wait: Duration,
}

/// The commands, in the order in which they are met.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Init(commands::init::Args),
    Demo(commands::demo::Args),
    Capture(commands::capture::Args),
    Sync(commands::sync::Args),
    Distill(commands::distill::Args),
    Log(commands::log::Args),
    Close(commands::close::Args),
    Ingest(commands::ingest::Args),
    Import(commands::import::Args),
    Export(commands::export::Args),
    Adopt(commands::adopt::Args),
    Compile(commands::compile::Args),
    #[command(visible_alias = "dream")]
    Consolidate(commands::consolidate::Args),
    Rebuild(commands::rebuild::Args),
    Task(commands::task::Args),
    Costs(commands::costs::Args),
    Route(commands::route::Args),
    Context(commands::context::Args),
    Ask(commands::ask::Args),
    Search(commands::search::Args),
    Brief(commands::brief::Args),
    State(commands::state::Args),
    Render(commands::render::Args),
    List(commands::list::Args),
    Page(commands::page::Args),
    Targets(commands::targets::Args),
    Show(commands::show::Args),
    Blame(commands::blame::Args),
    Timeline(commands::timeline::Args),
    Resolve(commands::resolve::Args),
    Lint(commands::lint::Args),
    Check(commands::check::Args),
    Drift(commands::drift::Args),
    Scan(commands::scan::Args),
    Forget(commands::forget::Args),
    Prune(commands::prune::Args),
    Status(commands::status::Args),
    History(commands::history::Args),
    Undo(commands::undo::Args),
    Redo(commands::redo::Args),
    Recover(commands::recover::Args),
    Trust(commands::trust::Args),
    Hook(commands::hook::Args),
    Work(commands::work::Args),
    Watch(commands::watch::Args),
    Install(commands::install::Args),
    Uninstall(commands::uninstall::Args),
    Doctor(commands::doctor::Args),
    Budget(commands::budget::Args),
    Eval(commands::eval::Args),
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.strip_suffix('s').unwrap_or(text).parse().ok();
    let waited = seconds.and_then(|seconds: f64| Duration::try_from_secs_f64(seconds).ok());
    waited.ok_or_else(|| "expected seconds, as in `30` or `0.5`".to_owned())
}

fn after_help() -> String {
    let mut text = "Exit codes:\n".to_owned();
    for (code, meaning) in exit::TABLE {
        writeln!(text, "  {code:>2}  {meaning}").expect("a text takes what is written to it");
    }
    text.push_str("\nEnvironment:\n");
    let width = env::VARIABLES.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, meaning) in env::VARIABLES {
        writeln!(text, "  {name:<width$}  {meaning}").expect("a text takes what is written to it");
    }
    text.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn arguments_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_command_explains_itself_with_an_example() {
        let all = Cli::command();
        let inner = |command: &'_ clap::Command| -> Vec<(String, clap::Command)> {
            let name = command.get_name().to_owned();
            command.get_subcommands().map(|inner| (format!("ken {name} {}", inner.get_name()), inner.clone())).collect()
        };
        let outer = all.get_subcommands().map(|command| (format!("ken {}", command.get_name()), command.clone()));
        for (example, command) in outer.chain(all.get_subcommands().flat_map(inner)) {
            let help = command.get_long_about().map(ToString::to_string).unwrap_or_default();
            assert!(help.contains("Examples:") && help.contains(&example), "`{example}` shows no example");
            assert!(help.lines().all(|line| line.chars().count() <= 80), "`{example}` has lines over 80 characters");
        }
    }

    #[test]
    fn waiting_is_in_seconds() {
        assert_eq!(seconds("30"), Ok(Duration::from_secs(30)));
        assert_eq!(seconds("0.5s"), Ok(Duration::from_millis(500)));
        assert!(seconds("-1").is_err() && seconds("soon").is_err() && seconds("inf").is_err());
    }
}
