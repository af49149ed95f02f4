//! Asking a model while nobody waits, as the user's own file says: one run at a time over all vaults.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use ken_engine::model::{Background, Model, ModelName, ModelsFile, Money};
use ken_engine::propose::{Author, Caps};
use ken_engine::{BackgroundOutcome, Engine, Failure, FailureKind, Metered, Payer, SpendingCaps, When};

use crate::env;
use crate::models;
use crate::session::Session;
use crate::ui::Ui;
use crate::worker;

/// How long a worker that nobody waits for waits for that of another vault.
const TURN_WAIT: Duration = Duration::from_secs(600);

/// How a run comes about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Call {
    /// A worker is done, and nobody waits for it.
    Worker,
    /// A person called the worker.
    Person,
    /// A person asked for it, whenever it would be time.
    Now,
}

/// Asks the model that the user's file names, when it is time; `None` when nobody was to be asked.
///
/// # Errors
/// When the file does not read, the model cannot be opened, or the vault cannot be read or written.
pub(crate) fn ask(
    session: &Session,
    engine: &Engine,
    call: Call,
    ui: &mut Ui,
) -> Result<Option<BackgroundOutcome>, Failure> {
    let asked = asked(session, engine, call, ui);
    match &asked {
        Err(failure) if failure.kind == FailureKind::Retry => {}
        Err(failure) => engine.note_not_asked(Some(&failure.message)),
        Ok(_) => engine.note_not_asked(None),
    }
    asked
}

fn asked(session: &Session, engine: &Engine, call: Call, ui: &mut Ui) -> Result<Option<BackgroundOutcome>, Failure> {
    let file = models::models_file()?;
    let is_told = call == Call::Now;
    let refused = |why: &str| Failure::usage(format!("no model is asked in the background: {why}"));
    let Some(background) = file.background.clone().filter(|background| background.model != ModelName::None) else {
        let failure = refused("models.toml names none").hint("`ken install --model` sets one up");
        return if is_told { Err(failure) } else { Ok(None) };
    };
    if is_excluded(engine.root(), &background.exclude) {
        let failure = refused("models.toml excludes this vault").hint("`exclude` of `[background]` names its folder");
        return if is_told { Err(failure) } else { Ok(None) };
    }
    if !is_told && !background.on_battery && env::is_on_battery() {
        return Ok(None);
    }
    match engine.is_time_to_ask(&background) {
        When::Now => {}
        When::NotOurs if is_told => {
            return Err(refused("this user neither made nor accepted the vault").hint("`ken trust` accepts it"));
        }
        When::NotYet if is_told => {}
        When::NotYet | When::NotOurs => return Ok(None),
    }
    let Some(spending) = models::spending(engine.clock()) else {
        return Err(refused("this machine has no folder to keep in what was spent").hint("set HOME"));
    };
    let wait = if call == Call::Worker { TURN_WAIT } else { session.wait() };
    let Some(_turn) = spending.turn(wait)? else {
        let failure = Failure::new(FailureKind::Retry, "another `ken` is asking a model in the background");
        return if is_told { Err(failure.hint("nothing was asked; try again when it is done")) } else { Ok(None) };
    };
    let engine = engine.at_time(session.clock_now()?);
    // Whoever had the turn may have asked for this vault, or have spent what was left.
    if !is_told && engine.is_time_to_ask(&background) != When::Now {
        return Ok(None);
    }
    let caps = SpendingCaps::of(&background);
    let Some((author, metered)) = author(&engine, &background, file, spending, ui)? else { return Ok(None) };
    engine.ask_in_background(&author, &metered, caps, is_told)
}

/// Who is asked, every call of it written down first.
fn author(
    engine: &Engine,
    background: &Background,
    file: ModelsFile,
    spending: ken_engine::Spending,
    ui: &mut Ui,
) -> Result<Option<(Author, Arc<Metered>)>, Failure> {
    let name = &background.model;
    let call_usd_max = if name.is_program() { background.call_usd_max } else { Money(0) };
    let Some(model) = models::opened(name, &file, Some(call_usd_max))? else { return Ok(None) };
    let month = file.month_usd_max.unwrap_or(Caps::default().month);
    let prices = models::with_price(&name.to_string(), file.prices, ui)?;
    let caps = SpendingCaps::of(background);
    let payer = Payer { vault: models::vault_of(engine), caps: Some(caps), call_usd_max };
    let metered = Arc::new(Metered::new(model, prices.clone(), spending, payer, engine.clock().now));
    worker::end_programs_with_us(name.is_program(), ui);
    // Half the price is worth a day where nobody waits; elsewhere nobody knows whether batches are taken.
    let in_batch = match (background.batch, metered.batches()) {
        (Some(true), None) => {
            let message = format!("`{name}` takes no batches, and models.toml wants them (`batch` of `[background]`)");
            return Err(Failure::usage(message).hint("Anthropic and OpenAI take them"));
        }
        (is_wanted, batches) => batches.is_some_and(|batches| is_wanted.unwrap_or(batches.is_at_home())),
    };
    let model: Arc<dyn Model> = metered.clone();
    let caps = Caps { run: caps.day, month, run_tokens: file.run_tokens_max };
    Ok(Some((Author { model: Some(model), prices, caps, renew: false, on_ask: ui.progress(), in_batch }, metered)))
}

/// Whether a vault lies in one of these folders; `~` is the home folder.
fn is_excluded(root: &Path, folders: &[String]) -> bool {
    let home = env::machine_as_it_is().home;
    let resolved = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let root = resolved(root);
    folders.iter().any(|folder| {
        let folder = match folder.strip_prefix('~') {
            Some(rest) => home.join(rest.trim_start_matches(['/', '\\'])),
            None => PathBuf::from(folder),
        };
        root.starts_with(resolved(&folder))
    })
}
