//! From arguments to an exit code.

use clap::Parser;

use crate::args::{Cli, Command};
use crate::session::Session;
use crate::ui::Ui;
use crate::{commands, env, exit};

/// Runs what the arguments ask for and returns the exit code.
pub(crate) fn run() -> u8 {
    let cli = match Cli::try_parse_from(commands::log::with_note_last(env::args())) {
        Ok(cli) => cli,
        Err(error) => return not_understood(&error),
    };
    let mut ui = Ui::new(cli.globals.json, cli.globals.quiet);
    if let Command::Hook(args) = &cli.command {
        commands::hook::run(args, &cli.globals, &mut ui);
        // A host that closed its end early has lost nothing that it waits for.
        let _ = ui.finish();
        return 0;
    }
    let session = Session::start(cli.globals);
    let done = session.and_then(|session| {
        let done = commands::run(&cli.command, &session, &mut ui);
        session.notices().iter().for_each(|notice| ui.warning(notice));
        done
    });
    let code = match &done {
        Ok(answer) => answer.code(),
        Err(failure) => {
            ui.failure(failure);
            exit::code_of(failure.kind)
        }
    };
    finished(&mut ui, code)
}

/// Help and version come this way too.
fn not_understood(error: &clap::Error) -> u8 {
    let mut ui = Ui::new(env::asks_for_json(), false);
    if env::is_hook() && error.use_stderr() {
        // An older program that is called by a newer plugin must not fail the agent.
        return 0;
    }
    ui.parser(error);
    finished(&mut ui, if error.use_stderr() { exit::USAGE } else { 0 })
}

fn finished(ui: &mut Ui, code: u8) -> u8 {
    match ui.finish() {
        Ok(()) => code,
        Err(failure) => {
            ui.failure(&failure);
            exit::code_of(failure.kind)
        }
    }
}
