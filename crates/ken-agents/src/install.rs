//! Installing into agents and taking it back: plan, show, make, record.
//!
//! A plan is a list of [`Change`]s and is pure; [`install`] makes it under a lock and writes a receipt,
//! and [`uninstall`] replays the receipt backwards. A file that nobody else touched gets its bytes back.
//!
//! The modules are listed in suggested reading order.

mod change;
mod json;
mod block;
mod disk;
mod receipt;
mod run;
mod apply;
mod book;
#[cfg(test)]
mod tests;

use std::time::Duration;

use similar::TextDiff;

pub use block::Marks;
pub use change::{Change, CliChange, Edit, FileChange, Touched};
pub use json::JsonEdit;
pub use receipt::Scope;
pub use run::{Spoken, answered, call, spoken};

pub(crate) use apply::is_made;
pub(crate) use book::{PLUGIN, read as read_receipt};
pub(crate) use disk::{digest, is_program, read as read_file};
pub(crate) use receipt::Record;

use crate::machine::Machine;
use crate::refusal::Refusal;
use book::Book;
use receipt::Receipt;

/// Returns a text without the block that an installation put there; one of which half is gone stays.
pub fn without_block(text: &str, marks: Marks) -> String {
    block::without_block(text, marks).map_or_else(|_| text.to_owned(), |left| left.text)
}

/// What is to be installed into one agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The agent's name.
    pub agent: String,
    /// Where it applies.
    pub scope: Scope,
    /// What is done, in order.
    pub changes: Vec<Change>,
    /// What is done when the agent's own program does not do its part; empty when there is no other way.
    pub otherwise: Vec<Change>,
}

/// How a plan looks before it is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Preview {
    /// Everything is there already.
    Nothing,
    /// These things are done.
    Steps(Vec<PreviewStep>),
}

/// One thing that will be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PreviewStep {
    /// A file is written.
    File {
        /// The file, links followed.
        path: std::path::PathBuf,
        /// Whether it is new.
        is_new: bool,
        /// What changes, as a line diff.
        diff: String,
    },
    /// A program is run.
    Call {
        /// The command line.
        line: String,
    },
}

/// What installing did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Installed {
    /// Whether anything was changed.
    pub is_changed: bool,
    /// What a person should know.
    pub notes: Vec<String>,
}

/// An installation that was taken back, or could not be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TakenBack {
    /// The agent's name.
    pub agent: String,
    /// Where it applied.
    pub scope: Scope,
    /// What a person should know.
    pub notes: Vec<String>,
    /// Why some of it is still there.
    pub refusal: Option<Refusal>,
}

/// Returns how the plan looks on this machine; changes nothing.
///
/// # Errors
/// Why the plan cannot be made.
pub fn preview(plan: &Plan, machine: &Machine) -> Result<Preview, Refusal> {
    let receipt = read_receipt(machine)?.unwrap_or_else(|| Receipt::new(Vec::new()));
    if is_installed(&receipt, plan) {
        return Ok(Preview::Nothing);
    }
    let old = receipt.find(&plan.agent, &plan.scope);
    let mut steps = Vec::new();
    for change in &plan.changes {
        match change {
            Change::File(file) => steps.extend(preview_file(file, old)?),
            Change::Cli(cli) if apply::prepare(change)?.is_some() || old.is_some() => {
                let program = cli.program.file_name().unwrap_or_default().to_string_lossy();
                let line = |call: &Vec<String>| PreviewStep::Call { line: format!("{program} {}", call.join(" ")) };
                steps.extend(cli.calls.iter().map(line));
            }
            Change::Cli(_) => {}
        }
    }
    Ok(if steps.is_empty() { Preview::Nothing } else { Preview::Steps(steps) })
}

/// Returns what happens to a file; what an older installation did to it is taken back first.
fn preview_file(file: &FileChange, old: Option<&Record>) -> Result<Option<PreviewStep>, Refusal> {
    let path = disk::real(&file.path)?;
    let now = disk::read(&path)?;
    let steps = old.map(|record| record.steps.as_slice()).unwrap_or_default();
    let base = match &now {
        Some(now) => match steps.iter().find_map(|step| apply::text_before(step, &path, now)) {
            Some(base) => base,
            None => Some(now.clone()),
        },
        None => None,
    };
    let after = apply::after(file, &path, base.as_deref())?;
    let diff = diff(now.as_deref().unwrap_or(""), &after);
    let is_same = now.as_deref().unwrap_or_default() == after && (now.is_some() || file.takes());
    Ok((!is_same).then(|| PreviewStep::File { path, is_new: now.is_none(), diff }))
}

fn diff(before: &str, after: &str) -> String {
    TextDiff::from_lines(before, after).unified_diff().context_radius(2).to_string()
}

/// Makes a plan; a second time changes nothing, and a changed plan takes the place of the old one.
///
/// # Errors
/// Why it was not made; then nothing of it is left.
pub fn install(plan: &Plan, machine: &Machine, wait: Duration) -> Result<Installed, Refusal> {
    if read_receipt(machine)?.is_some_and(|receipt| is_installed(&receipt, plan)) {
        return Ok(Installed::default());
    }
    let mut book = Book::open(machine, wait)?;
    // Another one may have done it meanwhile.
    let done = match is_installed(&book.receipt, plan) {
        true => Ok(Installed::default()),
        false => install_into(&mut book, plan, machine),
    };
    book.close(false)?;
    done
}

fn install_into(book: &mut Book, plan: &Plan, machine: &Machine) -> Result<Installed, Refusal> {
    let mut notes = Vec::new();
    if book.receipt.find(&plan.agent, &plan.scope).is_some() {
        notes.extend(remove_record(book, &plan.agent, &plan.scope, machine)?);
    }
    let refusal = match make_all(book, plan, &plan.changes, machine) {
        Ok(is_changed) => {
            notes.extend(not_seen(&plan.changes, machine));
            return Ok(Installed { is_changed, notes });
        }
        Err(refusal) => refusal,
    };
    notes.extend(remove_record(book, &plan.agent, &plan.scope, machine)?);
    if plan.otherwise.is_empty() {
        return Err(refusal.hint("nothing of this agent was changed"));
    }
    match make_all(book, plan, &plan.otherwise, machine) {
        Ok(is_changed) => {
            notes.push(format!("{refusal}; its configuration was edited instead"));
            Ok(Installed { is_changed, notes })
        }
        Err(second) => {
            remove_record(book, &plan.agent, &plan.scope, machine)?;
            Err(second.because(refusal.to_string()).hint("nothing of this agent was changed"))
        }
    }
}

/// Looks once more whether everything is there, as another program may have written at the same time.
fn not_seen(changes: &[Change], machine: &Machine) -> Vec<String> {
    let gone = changes.iter().filter(|change| !is_made(change));
    gone.map(|change| match change {
        Change::File(file) => format!("{} does not have what was written to it", machine.shown(&file.path)),
        Change::Cli(cli) => format!("`{}` said yes and did nothing", cli.program.display()),
    })
    .collect()
}

fn make_all(book: &mut Book, plan: &Plan, changes: &[Change], machine: &Machine) -> Result<bool, Refusal> {
    let (agent, scope) = (plan.agent.clone(), plan.scope.clone());
    book.receipt.installed.push(Record { agent, scope, digest: plan_digest(plan), steps: Vec::new() });
    let mut is_changed = false;
    for change in changes {
        let shared = book.receipt.same_step(change, (&plan.agent, &plan.scope)).cloned();
        let step = apply::prepare(change)?.or_else(|| shared.filter(|step| step.is_done));
        let Some(mut step) = step else { continue };
        let is_to_do = !step.is_done;
        push(book, step.clone());
        book.save()?;
        if is_to_do {
            apply::make(&mut step, machine)?;
            is_changed = true;
            pop(book);
            push(book, step);
        }
    }
    book.save()?;
    Ok(is_changed)
}

fn push(book: &mut Book, step: receipt::Step) {
    book.receipt.installed.last_mut().expect("a record was just added").steps.push(step);
}

fn pop(book: &mut Book) {
    book.receipt.installed.last_mut().expect("a record was just added").steps.pop();
}

/// Takes back what was installed, the last first; `wanted` says of which agents and scopes.
///
/// # Errors
/// When nothing can be said at all: the receipt cannot be read, or another installation is at work.
pub fn uninstall(
    machine: &Machine,
    wanted: &dyn Fn(&str, &Scope) -> bool,
    is_purge: bool,
    wait: Duration,
) -> Result<Vec<TakenBack>, Refusal> {
    let receipt = read_receipt(machine)?;
    let is_wanted = |receipt: Receipt| receipt.installed.iter().any(|record| wanted(&record.agent, &record.scope));
    // An installation that was killed at its very beginning leaves an empty receipt.
    let is_begun = receipt.as_ref().map_or(machine.data().is_dir(), |receipt| receipt.installed.is_empty());
    if !is_begun && !receipt.is_some_and(is_wanted) {
        return Ok(Vec::new());
    }
    let mut book = Book::open(machine, wait)?;
    let records: Vec<(String, Scope)> = book
        .receipt
        .installed
        .iter()
        .rev()
        .filter(|record| wanted(&record.agent, &record.scope))
        .map(|record| (record.agent.clone(), record.scope.clone()))
        .collect();
    let mut taken = Vec::new();
    for (agent, scope) in records {
        let (notes, refusal) = match remove_record(&mut book, &agent, &scope, machine) {
            Ok(notes) => (notes, None),
            Err(refusal) => (Vec::new(), Some(refusal)),
        };
        taken.push(TakenBack { agent, scope, notes, refusal });
    }
    book.close(is_purge)?;
    Ok(taken)
}

/// Takes back the steps of a record, the last first, and forgets each as it goes; steps that another
/// installation relies on stay.
fn remove_record(book: &mut Book, agent: &str, scope: &Scope, machine: &Machine) -> Result<Vec<String>, Refusal> {
    let is_it = |record: &Record| record.agent == agent && record.scope == *scope;
    let Some(at) = book.receipt.installed.iter().position(is_it) else { return Ok(Vec::new()) };
    let mut notes = Vec::new();
    while let Some(step) = book.receipt.installed[at].steps.last().cloned() {
        if book.receipt.same_step(&step.change, (agent, scope)).is_none() {
            let told = apply::take_back(&step, machine)?;
            // Two steps may have changed one file.
            notes.extend(told.into_iter().filter(|note| !notes.contains(note)).collect::<Vec<_>>());
        }
        book.receipt.installed[at].steps.pop();
        book.save()?;
    }
    book.receipt.installed.remove(at);
    book.save()?;
    Ok(notes)
}

/// Returns what is installed, in order: agents and where each applies.
///
/// # Errors
/// When the receipt cannot be read.
pub fn installed(machine: &Machine) -> Result<Vec<(String, Scope)>, Refusal> {
    let receipt = read_receipt(machine)?;
    let records = receipt.map(|receipt| receipt.installed).unwrap_or_default();
    Ok(records.into_iter().map(|record| (record.agent, record.scope)).collect())
}

/// Returns the files out of which an installation took the hooks of another tool.
pub(crate) fn taken_from(machine: &Machine, agent: &str, scope: &Scope) -> Vec<std::path::PathBuf> {
    let receipt = read_receipt(machine).ok().flatten();
    let steps = receipt.as_ref().and_then(|receipt| receipt.find(agent, scope)).map(|record| record.steps.as_slice());
    let file = |step: &receipt::Step| match &step.change {
        Change::File(file) if file.takes() => Some(file.path.clone()),
        _ => None,
    };
    steps.unwrap_or_default().iter().filter_map(file).collect()
}

fn is_installed(receipt: &Receipt, plan: &Plan) -> bool {
    let Some(record) = receipt.find(&plan.agent, &plan.scope) else { return false };
    let is_whole = |changes: &[Change]| changes.iter().all(is_made);
    record.digest == plan_digest(plan)
        && record.steps.iter().all(|step| step.is_done)
        && (is_whole(&plan.changes) || (!plan.otherwise.is_empty() && is_whole(&plan.otherwise)))
}

fn plan_digest(plan: &Plan) -> String {
    digest(&serde_json::to_string(&(&plan.changes, &plan.otherwise)).unwrap_or_default())
}
