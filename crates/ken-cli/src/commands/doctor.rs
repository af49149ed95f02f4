//! `ken doctor`: whether agents reach Kenning, found out by trying.

use ken_agents::doctor::{self, Check};
use ken_engine::Failure;
use ken_engine::outcome::HealthCheck;
use serde::Serialize;

use crate::exit::Answer;
use crate::paint::{BOLD, ERROR, HINT};
use crate::session::Session;
use crate::text::clean;
use crate::ui::Ui;

/// Find out whether agents reach Kenning
///
/// Looks at everything that was installed, runs each hook as its agent runs it,
/// and shows the text that the agent's model would receive for a session in the
/// working folder. Looks at the vault around it: jobs that are stuck, a lock that
/// is held, a change that was interrupted. Every check that fails names what
/// repairs it; then the exit code is 1.
///
/// Examples:
///   ken doctor
///   ken doctor --deep      also ask the agents' own programs, which is slow
///   ken doctor --json
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Also ask the agents' own programs
    #[arg(long)]
    deep: bool,
}

#[derive(Serialize)]
struct Wire<'a> {
    checks: Vec<One<'a>>,
}

#[derive(Serialize)]
struct One<'a> {
    name: &'a str,
    ok: bool,
    detail: &'a str,
    fix: Option<&'a str>,
}

/// Runs the command.
pub(crate) fn run(args: &Args, session: &Session, ui: &mut Ui) -> Result<Answer, Failure> {
    let machine = session.machine()?;
    let checks = doctor::checks(&machine, session.cwd(), args.deep, vault(session));
    if ui.is_json() {
        ui.json(&Wire { checks: checks.iter().map(one).collect() });
    } else {
        print(&checks, ui);
    }
    Ok(Answer::no_if(checks.iter().any(|check| !check.is_ok)))
}

/// What the vault around the working folder says of itself; where there is none, hooks do nothing.
fn vault(session: &Session) -> Vec<Check> {
    if !session.is_in_vault() {
        let detail = "there is none around the working folder, so hooks do nothing here";
        return vec![Check::good("vault", detail)];
    }
    let found = match session.engine().and_then(|engine| engine.health()) {
        Ok(found) => found,
        Err(failure) => {
            let hints = failure.hints.iter().map(ToString::to_string).filter(|hint| hint != "nothing was changed");
            let hints = hints.collect::<Vec<_>>().join("; ");
            let fix =
                if hints.is_empty() { "correct that; until then hooks do nothing here".to_owned() } else { hints };
            return vec![Check::bad("vault", failure.message, fix)];
        }
    };
    let check = |check: HealthCheck| Check {
        name: check.name.to_owned(),
        is_ok: check.fix.is_none(),
        detail: check.detail,
        fix: check.fix,
    };
    found.into_iter().map(check).collect()
}

fn one(check: &Check) -> One<'_> {
    One { name: &check.name, ok: check.is_ok, detail: &check.detail, fix: check.fix.as_deref() }
}

fn print(checks: &[Check], ui: &mut Ui) {
    let paint = ui.paint();
    for check in checks {
        let (first, rest) = check.detail.split_once('\n').unwrap_or((&check.detail, ""));
        let word = if check.is_ok { paint.of(BOLD, "ok") } else { paint.of(ERROR, "no") };
        ui.line(format!("{word}  {}: {}", clean(&check.name), clean(first)));
        rest.lines().for_each(|line| ui.line(format!("      {}", clean(line))));
        if let Some(fix) = &check.fix {
            ui.line(format!("    {} {}", paint.of(HINT, "fix:"), clean(fix)));
        }
    }
    let n_bad = checks.iter().filter(|check| !check.is_ok).count();
    match n_bad {
        0 => ui.say("Everything that was looked at is as it should be."),
        n => ui.say(format!("{} found something to repair.", crate::text::count(n, "check"))),
    }
}
