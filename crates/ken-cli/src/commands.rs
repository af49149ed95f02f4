//! The commands: one file each, with its arguments, its engine call and its printing.

pub(crate) mod init;
pub(crate) mod demo;
pub(crate) mod distill;
pub(crate) mod capture;
pub(crate) mod sync;
pub(crate) mod log;
pub(crate) mod ingest;
pub(crate) mod import;
pub(crate) mod export;
pub(crate) mod compile;
pub(crate) mod rebuild;
pub(crate) mod redo;
pub(crate) mod task;
pub(crate) mod costs;
pub(crate) mod route;
pub(crate) mod consolidate;
pub(crate) mod context;
pub(crate) mod ask;
pub(crate) mod search;
pub(crate) mod brief;
pub(crate) mod state;
pub(crate) mod render;
pub(crate) mod list;
pub(crate) mod page;
pub(crate) mod targets;
pub(crate) mod show;
pub(crate) mod blame;
pub(crate) mod timeline;
pub(crate) mod lint;
pub(crate) mod drift;
pub(crate) mod scan;
pub(crate) mod forget;
pub(crate) mod prune;
pub(crate) mod status;
pub(crate) mod history;
pub(crate) mod undo;
pub(crate) mod recover;
pub(crate) mod resolve;
pub(crate) mod trust;
pub(crate) mod hook;
pub(crate) mod work;
pub(crate) mod watch;
pub(crate) mod install;
pub(crate) mod uninstall;
pub(crate) mod doctor;
pub(crate) mod budget;
pub(crate) mod check;
pub(crate) mod adopt;
pub(crate) mod close;
pub(crate) mod eval;

use ken_engine::Failure;

use crate::args::Command;
use crate::exit::Answer;
use crate::session::Session;
use crate::ui::Ui;

/// Runs a command.
pub(crate) fn run(command: &Command, session: &Session, ui: &mut Ui) -> Result<Answer, Failure> {
    match command {
        Command::Init(args) => init::run(args, session, ui),
        Command::Demo(args) => demo::run(args, session, ui),
        Command::Capture(args) => capture::run(args, &session.engine()?, ui),
        Command::Sync(args) => sync::run(args, &session.engine()?, ui),
        Command::Distill(args) => distill::run(args, &session.engine()?, ui),
        Command::Log(args) => log::run(args, session, ui),
        Command::Close(args) => close::run(args, &session.engine()?, ui),
        Command::Ingest(args) => ingest::run(args, &session.engine()?, ui),
        Command::Import(args) => import::run(args, &session.engine()?, ui),
        Command::Export(args) => export::run(args, &session.engine()?, ui),
        Command::Adopt(args) => adopt::run(args, &session.engine()?, ui),
        Command::Compile(args) => compile::run(args, &session.engine()?, ui),
        Command::Consolidate(args) => consolidate::run(args, &session.engine()?, ui),
        Command::Rebuild(args) => rebuild::run(args, &session.engine()?, ui),
        Command::Task(args) => task::run(args, &session.engine()?, ui),
        Command::Costs(args) => costs::run(args, session, ui),
        Command::Route(args) => route::run(args, &session.engine()?, ui),
        Command::Context(args) => context::run(args, &session.engine()?, ui),
        Command::Ask(args) => ask::run(args, &session.engine()?, ui),
        Command::Search(args) => search::run(args, &session.engine()?, ui),
        Command::Brief(args) => brief::run(args, session, ui),
        Command::State(args) => state::run(args, &session.engine()?, ui),
        Command::Render(args) => render::run(args, &session.engine()?, ui),
        Command::List(args) => list::run(args, &session.engine()?, ui),
        Command::Page(args) => page::run(args, &session.engine()?, ui),
        Command::Targets(args) => targets::run(args, &session.engine()?, ui),
        Command::Show(args) => show::run(args, &session.engine()?, ui),
        Command::Blame(args) => blame::run(args, &session.engine()?, ui),
        Command::Resolve(args) => resolve::run(args, &session.engine()?, ui),
        Command::Timeline(args) => timeline::run(args, &session.engine()?, ui),
        Command::Lint(args) => lint::run(args, session, ui),
        Command::Check(args) => check::run(args, session, ui),
        Command::Drift(args) => drift::run(args, session, ui),
        Command::Scan(args) => scan::run(args, &session.engine()?, ui),
        Command::Forget(args) => forget::run(args, &session.engine()?, ui),
        Command::Prune(args) => prune::run(args, &session.engine()?, ui),
        Command::Status(args) => status::run(args, &session.engine()?, ui),
        Command::History(args) => history::run(args, &session.engine()?, ui),
        Command::Undo(args) => undo::run(args, &session.engine()?, ui),
        Command::Redo(args) => redo::run(args, &session.engine()?, ui),
        Command::Recover(args) => recover::run(args, &session.engine()?, ui),
        Command::Trust(_) => trust::run(&session.engine()?, ui),
        Command::Work(args) => work::run(args, session, ui),
        Command::Watch(args) => watch::run(args, session, ui),
        // Taken before a session is begun: nothing around it may keep it from succeeding.
        Command::Hook(_) => Ok(Answer::Yes),
        Command::Install(args) => install::run(args, session, ui),
        Command::Uninstall(args) => uninstall::run(args, session, ui),
        Command::Doctor(args) => doctor::run(args, session, ui),
        Command::Budget(args) => budget::run(args, session, ui),
        Command::Eval(args) => eval::run(args, session, ui),
    }
}
