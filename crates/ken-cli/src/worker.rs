//! The worker as a process: how it is started so that nothing ends it, and how long it stays.

use std::process::{Command, Stdio};
use std::time::Duration;

use ken_engine::Engine;

use crate::env;
use crate::ui::Ui;

/// A worker with nothing to do leaves after this time at the latest.
const IDLE_MAX: Duration = Duration::from_secs(8);
/// Starts a worker on a vault that outlives this process, its group and its terminal.
pub(crate) fn wake(engine: &Engine) {
    if env::is_without_worker() {
        return;
    }
    if let Err(error) = start(engine, "--detach") {
        engine.leave_note(&format!("a worker could not be started: {error}"));
    }
}

/// Starts the worker proper, from the process that [`wake`] started.
///
/// Two steps, because only a process that leads no group may begin a session: the first one leaves the
/// host's group at once, its child begins a session of its own.
pub(crate) fn detach(engine: &Engine) -> std::io::Result<()> {
    start(engine, "--in-session")
}

fn start(engine: &Engine, how: &str) -> std::io::Result<()> {
    let mut command = Command::new(env::machine_as_it_is().exe);
    command.args(["work", how, "--quiet", "--vault"]).arg(engine.root()).current_dir(engine.root());
    // Whatever a worker starts must not wake a worker.
    command.env("KEN_HOOK_GUARD", "1");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    own_group(&mut command, how == "--detach");
    command.spawn().map(drop)
}

/// Ends the programs that answer prompts with this process, whether it is told to end or killed. Where none `is
/// started`, there is nothing to watch over.
pub(crate) fn end_programs_with_us(is_started: bool, ui: &mut Ui) {
    // Elsewhere there are no groups that could be ended.
    if cfg!(unix)
        && is_started
        && let Err(error) = watch()
    {
        ui.warning(&format!("a program that is asked outlives this one if it is killed: {error}"));
    }
    env::end_programs_with_us();
}

/// Starts a process that ends the programs which this one started, when this one is killed: nothing else could.
fn watch() -> std::io::Result<()> {
    let mut command = Command::new(env::machine_as_it_is().exe);
    command.args(["work", "--watch"]).current_dir(env::scratch()).env("KEN_HOOK_GUARD", "1");
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    // A terminal's Ctrl-C is for this process, which tells what is left to end.
    own_group(&mut command, true);
    if let Some(stdin) = command.spawn()?.stdin.take() {
        ken_engine::model::tell_programs(Box::new(stdin));
    }
    Ok(())
}

#[cfg(unix)]
fn own_group(command: &mut Command, is_first: bool) {
    use std::os::unix::process::CommandExt;
    if is_first {
        command.process_group(0);
    }
}

#[cfg(windows)]
fn own_group(command: &mut Command, _: bool) {
    use std::os::windows::process::CommandExt;
    // DETACHED_PROCESS | CREATE_NEW_PROCESS_GROUP | CREATE_BREAKAWAY_FROM_JOB
    command.creation_flags(0x0000_0008 | 0x0000_0200 | 0x0100_0000);
}

/// Leaves the session that the process was started in; one that leads a group already stays in it.
pub(crate) fn begin_session() {
    #[cfg(unix)]
    let _ = rustix::process::setsid();
}

/// Returns whether a worker that has done nothing for so long may look at what is due once more.
pub(crate) fn may_go_on(idle: Duration) -> bool {
    idle <= IDLE_MAX
}

/// How long to wait before the next look at the spool, or `None` when it is time to go.
pub(crate) fn wait_for(due: Option<jiff::Timestamp>, now: jiff::Timestamp, idle: Duration) -> Option<Duration> {
    let wait = Duration::try_from(due?.duration_since(now)).unwrap_or(Duration::ZERO);
    (idle + wait <= IDLE_MAX).then(|| wait.max(Duration::from_millis(20)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_waits_for_what_is_due_soon_and_for_nothing_else() {
        let at = |text: &str| text.parse::<jiff::Timestamp>().expect("a time");
        let now = at("2026-06-01T12:00:00Z");
        let wait = |due: &str, idle| wait_for(Some(at(due)), now, Duration::from_secs(idle));
        assert_eq!(wait("2026-06-01T12:00:03Z", 0), Some(Duration::from_secs(3)));
        assert_eq!(wait("2026-06-01T12:00:03Z", 6), None);
        assert_eq!(wait("2026-06-01T12:15:00Z", 0), None);
        assert_eq!(wait("2026-06-01T11:00:00Z", 0), Some(Duration::from_millis(20)));
        assert_eq!(wait_for(None, now, Duration::ZERO), None);
    }
}
