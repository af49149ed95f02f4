//! Which model is asked, and what it may cost: from arguments, environment and the user's own file.
//!
//! Nothing in a vault can name a model, an address or a key: a vault comes with a clone, and whoever wrote
//! it would be sent its reader's journal.

use std::path::PathBuf;
use std::sync::Arc;

use ken_engine::model::{MODELS_FILE, Model, ModelName, ModelsFile, Money, PRICES_FILE, Prices, Settings, open};
use ken_engine::outcome::ThinReading;
use ken_engine::propose::{AskedOutcome, Author, BatchOutcome, Caps, Spent};
use ken_engine::{Clock, Engine, Failure, FailureKind, Metered, Payer, Spending};
use serde::Serialize;

use crate::exit::Answer;
use crate::text::{clean, count};
use crate::ui::Ui;
use crate::worker;
use crate::{batches, env};

/// Options of commands that may ask a model.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Options about models")]
pub(crate) struct ModelArgs {
    /// Ask a model: anthropic:MODEL, openai:MODEL, gemini:MODEL, ollama:MODEL, `command:PROGRAM ARGS`, NAME:MODEL
    /// of a server that models.toml names, or `default`: the one that it names
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<String>,
    /// Spend at most this much on this run, in dollars [default: 1, or as models.toml says]
    #[arg(long, value_name = "USD", allow_negative_numbers = true)]
    pub(crate) max_usd: Option<f64>,
    /// Use recorded replies only, and say what is missing
    #[arg(long, conflicts_with = "max_usd")]
    pub(crate) offline: bool,
}

/// What a model is opened for.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Purpose {
    /// Ask also for what earlier rules, or another model, replied to.
    pub(crate) renew: bool,
    /// Only say what would be asked: that needs no key.
    pub(crate) is_estimate: bool,
    /// Send what is asked as a batch.
    pub(crate) in_batch: bool,
}

impl Purpose {
    /// Returns that of a command that asks, or says what it would ask.
    pub(crate) fn of(is_estimate: bool) -> Purpose {
        Purpose { is_estimate, ..Purpose::default() }
    }
}

impl ModelArgs {
    /// Returns who proposes, or none when no model is to be asked.
    ///
    /// # Errors
    /// When the model, the file, or a key does not read, or nobody says what the model costs.
    pub(crate) fn author(&self, purpose: Purpose, engine: &Engine, ui: &mut Ui) -> Result<Option<Author>, Failure> {
        let Some(named) = self.model.as_deref().filter(|_| !self.offline) else { return Ok(None) };
        let file = models_file()?;
        let name = match named {
            "default" => file.model.clone().ok_or_else(|| {
                Failure::usage("no model is named").hint("name one: `--model anthropic:MODEL`").hint(format!(
                    "or put `model = \"…\"` into {}",
                    models_path().map_or(MODELS_FILE.to_owned(), |path| path.display().to_string())
                ))
            })?,
            named => ModelName::parse(named)?,
        };
        let settings = Settings { is_asked: !purpose.is_estimate, ..settings(&file) };
        let Some(model) = opened_as(&name, &settings)? else { return Ok(None) };
        if purpose.in_batch && model.batches().is_none() {
            return Err(Failure::usage(format!("`{name}` takes no batches"))
                .hint("`anthropic:MODEL` and `openai:MODEL` do; without `--batch` any model is asked at once")
                .hint("nothing was sent"));
        }
        let prices = with_price(&name.to_string(), file.prices, ui)?;
        let mut caps = Caps::default();
        caps.run = file.run_usd_max.unwrap_or(caps.run);
        caps.month = file.month_usd_max.unwrap_or(caps.month);
        caps.run_tokens = file.run_tokens_max;
        if let Some(usd) = self.max_usd {
            caps.run = Money::of_usd(usd)
                .ok_or_else(|| Failure::usage(format!("`--max-usd {usd}` is no amount of dollars")))?;
        }
        // Somebody waits, and has limits of their own.
        let payer = Payer { vault: vault_of(engine), caps: None, call_usd_max: Money(0) };
        let model = match spending(engine.clock()) {
            Some(spending) => {
                Arc::new(Metered::new(model, prices.clone(), spending, payer, engine.clock().now)) as Arc<dyn Model>
            }
            None => model,
        };
        worker::end_programs_with_us(name.is_program(), ui);
        let on_ask = ui.progress();
        Ok(Some(Author { model: Some(model), prices, caps, renew: purpose.renew, on_ask, in_batch: purpose.in_batch }))
    }
}

/// Returns whether models.toml lets questions be said in other words.
pub(crate) fn rewords() -> Result<bool, Failure> {
    Ok(models_file()?.reword.unwrap_or(false))
}

/// Returns the model of a name, or none when nobody is to be asked; one call of an agent may cost so much, where
/// it can be told.
pub(crate) fn opened(
    name: &ModelName,
    file: &ModelsFile,
    call_usd_max: Option<Money>,
) -> Result<Option<Arc<dyn Model>>, Failure> {
    let mut settings = settings(file);
    settings.command.call_usd_max = call_usd_max;
    opened_as(name, &settings)
}

/// What the environment and the user's file say about models.
fn settings(file: &ModelsFile) -> Settings {
    let mut settings = Settings::new(env::scratch());
    env::set_models(&mut settings);
    file.apply(&mut settings, &env::variable);
    settings
}

fn opened_as(name: &ModelName, settings: &Settings) -> Result<Option<Arc<dyn Model>>, Failure> {
    let hint = match name {
        ModelName::Anthropic(_) => "the variable for a key is ANTHROPIC_API_KEY",
        ModelName::OpenAi(_) => "the variable for a key is OPENAI_API_KEY",
        ModelName::Gemini(_) => "the variable for a key is GEMINI_API_KEY",
        _ => "",
    };
    let opened = open(name, settings).map_err(|error| match hint {
        "" => Failure::from(error),
        hint => Failure::from(error).hint(hint),
    })?;
    Ok(opened.map(Arc::from))
}

/// What the user spent over all vaults; none where the machine does not tell where it could be kept.
pub(crate) fn spending(clock: &Clock) -> Option<Spending> {
    let folder = env::machine_as_it_is().state();
    folder.is_absolute().then(|| Spending::in_folder(folder, clock.zone.clone()))
}

/// How a vault is named where it is said what was spent on it.
pub(crate) fn vault_of(engine: &Engine) -> String {
    engine.root().display().to_string()
}

/// Where the user's file is, if anywhere.
pub(crate) fn models_path() -> Option<PathBuf> {
    env::models_path()
}

/// Where the user's own prices are, if anywhere: beside the file about models.
fn prices_path() -> Option<PathBuf> {
    Some(models_path()?.with_file_name(PRICES_FILE))
}

/// Returns the prices with that of a model among them. Somebody who is there is asked for it, once: the answer is
/// kept. Without a price no limit could be kept, so nothing is asked of the model.
pub(crate) fn with_price(name: &str, prices: Prices, ui: &mut Ui) -> Result<Prices, Failure> {
    if prices.know(name) {
        return Ok(prices);
    }
    let unknown = format!("the price of `{name}` is not known, so no limit could be kept");
    let Some(path) = prices_path() else { return Err(Failure::usage(unknown).hint("name a file with KEN_MODELS")) };
    let refused = || {
        Failure::usage(unknown.clone())
            .hint(format!("put this line at the top of {}:", path.display()))
            .hint(Prices::line(name, "1.0", "4.0"))
            .hint("dollars for a million tokens; 0 where a model costs nothing")
            .hint("nothing was sent")
    };
    let question = format!("What `{name}` costs is not known. Dollars for a million tokens of prompt (0 for nothing):");
    let input = ui.asks(&question).filter(|answer| is_amount(answer)).ok_or_else(refused)?;
    let output = ui.asks("Dollars for a million tokens of reply:").filter(|answer| is_amount(answer));
    let line = Prices::line(name, &input, &output.ok_or_else(refused)?);
    let old = env::text_if_there(&path)?.unwrap_or_default();
    let text = format!("{line}\n{old}");
    // Not before it is known to read.
    Prices::parse(&text)?;
    let prices = prices.with(&line)?;
    env::replace_text(&path, &text)?;
    ui.note(&format!("kept in {}", path.display()));
    Ok(prices)
}

/// Whether an answer is an amount as TOML writes it.
fn is_amount(answer: &str) -> bool {
    let is_plain = answer.chars().all(|ch| ch.is_ascii_digit() || ch == '.');
    is_plain && answer.parse::<f64>().is_ok() && !answer.starts_with('.') && !answer.ends_with('.')
}

/// Returns the built-in prices with those of the user's file of prices over them.
fn prices() -> Result<Prices, Failure> {
    let Some(path) = prices_path() else { return Ok(Prices::built_in()) };
    let Some(text) = env::text_if_there(&path)? else { return Ok(Prices::built_in()) };
    Prices::parse(&text).map_err(|error| of_file(error.into(), &path))
}

fn of_file(failure: Failure, path: &std::path::Path) -> Failure {
    let message = match failure.message.strip_prefix(MODELS_FILE) {
        // With the line, as editors take it.
        Some(rest) => format!("{}{rest}", path.display()),
        None => format!("`{}`: {}", path.display(), failure.message),
    };
    Failure { kind: FailureKind::Usage, message, ..failure }
}

/// Returns what the user's file says.
///
/// # Errors
/// When it does not read, or is named and not there.
pub(crate) fn models_file() -> Result<ModelsFile, Failure> {
    let nothing = || Ok(ModelsFile::over(prices()?, "")?);
    let Some(path) = models_path() else { return nothing() };
    let Some(text) = env::text_if_there(&path)? else {
        // A file that somebody named must be there.
        return match env::names_models() {
            true => Err(Failure::usage(format!("KEN_MODELS names `{}`, and there is no such file", path.display()))),
            false => nothing(),
        };
    };
    ModelsFile::over(prices()?, &text).map_err(|error| of_file(error.into(), &path))
}

/// Returns what the user's file would say with more at its end.
///
/// # Errors
/// When it does not read.
pub(crate) fn models_file_with(own: &str, more: &str) -> Result<ModelsFile, Failure> {
    let of_own = |error: ken_engine::model::ModelError| match models_path() {
        Some(path) => of_file(error.into(), &path),
        None => error.into(),
    };
    ModelsFile::over(prices()?, &format!("{own}\n{more}")).map_err(of_own)
}

/// What asking came to, as JSON.
#[derive(Debug, Serialize)]
pub(crate) struct AskedWire<'a> {
    model: &'a str,
    answered: usize,
    recorded: usize,
    accepted: usize,
    rejected: Vec<RejectedWire<'a>>,
    failed: Vec<FailedWire<'a>>,
    left: usize,
    stopped: Option<&'a str>,
    cost: CostWire,
    #[serde(skip_serializing_if = "Option::is_none")]
    batch: Option<BatchWire<'a>>,
}

/// What was sent in batches and collected, as JSON.
#[derive(Debug, Serialize)]
struct BatchWire<'a> {
    calls_sent: usize,
    tasks_sent: usize,
    usd_max: f64,
    collected: usize,
    released: usize,
    cancelled: usize,
    under_way: usize,
    troubles: &'a [String],
}

/// A part that does not hold, as JSON.
#[derive(Debug, Serialize)]
pub(crate) struct RejectedWire<'a> {
    #[serde(skip_serializing_if = "str::is_empty")]
    task: &'a str,
    part: &'a str,
    reason: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    text: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    cited: &'a str,
}

#[derive(Debug, Serialize)]
struct FailedWire<'a> {
    task: &'a str,
    reason: &'a str,
}

/// What something cost, as JSON.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct CostWire {
    calls: u64,
    failed: u64,
    lost: u64,
    #[serde(skip_serializing_if = "is_none")]
    under_way: u64,
    input_tokens: u64,
    cached_tokens: u64,
    output_tokens: u64,
    usd: f64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over references")]
fn is_none(n: &u64) -> bool {
    *n == 0
}

impl CostWire {
    /// Returns what was spent.
    pub(crate) fn of(spent: &Spent) -> CostWire {
        CostWire {
            calls: spent.n_calls,
            failed: spent.n_failed,
            lost: spent.n_lost,
            under_way: spent.n_under_way,
            input_tokens: spent.usage.prompt(),
            cached_tokens: spent.usage.cache_read,
            output_tokens: spent.usage.output,
            usd: spent.money.0 as f64 / 1e6,
        }
    }
}

/// Returns rejected parts as JSON.
pub(crate) fn rejected<'a>(
    parts: impl Iterator<Item = (&'a str, &'a ken_engine::propose::Rejected)>,
) -> Vec<RejectedWire<'a>> {
    let wire = |(task, part): (&'a str, &'a ken_engine::propose::Rejected)| RejectedWire {
        task,
        part: &part.part,
        reason: &part.reason,
        text: &part.text,
        cited: &part.cited,
    };
    parts.map(wire).collect()
}

/// Returns what asking came to as JSON.
pub(crate) fn wire(asked: &AskedOutcome) -> AskedWire<'_> {
    AskedWire {
        model: &asked.model,
        answered: asked.n_answered,
        recorded: asked.n_recorded,
        accepted: asked.n_parts,
        rejected: rejected(asked.rejected.iter().map(|(task, part)| (task.as_str(), part))),
        failed: asked.failed.iter().map(|(task, reason)| FailedWire { task, reason }).collect(),
        left: asked.n_left,
        stopped: asked.stopped.as_ref().map(|failure| failure.message.as_str()),
        cost: CostWire::of(&asked.spent),
        batch: (asked.batch != BatchOutcome::default()).then(|| BatchWire {
            calls_sent: asked.batch.n_calls,
            tasks_sent: asked.batch.n_sent,
            usd_max: asked.batch.bound.0 as f64 / 1e6,
            collected: asked.batch.n_collected,
            released: asked.batch.n_released,
            cancelled: asked.batch.n_cancelled,
            under_way: asked.batch.n_under_way,
            troubles: &asked.batch.troubles,
        }),
    }
}

/// Rejected parts and failures that a summary shows.
const SHOWN_MAX: usize = 10;

/// Prints what nobody replied to.
pub(crate) fn print_missing(missing: &[String], ui: &mut Ui) {
    if missing.is_empty() {
        return;
    }
    let n = count(missing.len(), "task");
    ui.warning(&format!("{n} without a recorded reply; what they are about is compiled without a model"));
    missing.iter().take(SHOWN_MAX).for_each(|place| ui.note(&clean(place)));
    if missing.len() > SHOWN_MAX {
        ui.note(&format!("and {} more; `--json` has them all", missing.len() - SHOWN_MAX));
    }
}

/// Prints which replies were not taken because they say too little.
pub(crate) fn print_thin(all: &[ThinReading], ui: &mut Ui) {
    for thin in all.iter().take(SHOWN_MAX) {
        let (first, last) = thin.lines;
        let (read, extracted) = (count(thin.n_read, "claim"), count(thin.n_extracted, "statement"));
        let were = if thin.n_extracted == 1 { "was" } else { "were" };
        ui.warning(&format!(
            "{}#L{first}-L{last}: the reply has {read} where {extracted} {were} extracted; what was extracted stays",
            clean(thin.path.as_str())
        ));
    }
    if all.len() > SHOWN_MAX {
        ui.note(&format!("and {} more such replies; `--json` has them all", all.len() - SHOWN_MAX));
    }
    if !all.is_empty() {
        ui.note("`ken compile --model NAME --renew` asks another model, or the same one under newer rules, again");
    }
}

/// Prints what asking came to.
pub(crate) fn print(asked: &AskedOutcome, ui: &mut Ui) {
    // What shared a call, or what nobody was there for, failed for one reason.
    for alike in asked.failed.chunk_by(|(_, a), (_, b)| a == b).take(SHOWN_MAX) {
        let (task, reason) = &alike[0];
        let (more, stay) = match alike.len() - 1 {
            0 => (String::new(), "it stays"),
            n => (format!(" and {n} more"), "they stay"),
        };
        ui.warning(&format!("{}{more}: {}; {stay} open", clean(task), clean(reason)));
    }
    for (task, part) in asked.rejected.iter().take(SHOWN_MAX) {
        ui.warning(&format!("{}: {} was rejected: {}", clean(task), clean(&part.part), clean(&part.reason)));
    }
    if asked.rejected.len() > SHOWN_MAX {
        let more = count(asked.rejected.len() - SHOWN_MAX, "rejected part");
        ui.warning(&format!("{more} more; all of them are kept in .kenning/rejected/"));
    }
    let is_nobody_asked = asked.spent.n_calls == 0 && asked.n_answered + asked.n_recorded + asked.failed.len() == 0;
    if is_nobody_asked
        && asked.stopped.is_none()
        && asked.n_left + asked.n_resting == 0
        && asked.batch == Default::default()
    {
        ui.say(format!("There was nothing to ask {}.", asked.model));
        return;
    }
    let cost = spent(&asked.spent);
    let replies = format!("{} ({} recorded before)", count(asked.n_answered, "reply"), asked.n_recorded);
    ui.say(format!(
        "Asked {}: {replies}, {} held, {} rejected; {cost}.",
        asked.model,
        count(asked.n_parts, "part"),
        asked.rejected.len()
    ));
    batches::print(&asked.batch, ui);
}

/// What a command that asked a model comes to, said at its end. `without` says what was done without the model.
///
/// Done where the model was used for all that it was wanted for. Where it was not, but something was changed or
/// replied, what could be done was done, and the answer is no.
///
/// # Errors
/// With the model's own failure where nothing came of asking and nothing was changed.
pub(crate) fn conclude(asked: &AskedOutcome, has_changed: bool, without: &str, ui: &mut Ui) -> Result<Answer, Failure> {
    let Some(why) = asked.why_unused() else { return Ok(Answer::Yes) };
    let unused = unused(asked, why);
    if asked.is_nothing() && !has_changed {
        return Err(unused.hint("nothing was changed").hint(AGAIN));
    }
    if !ui.is_json() {
        ui.warning(&unused.message);
        let hints = unused.hints.iter().map(String::as_str).chain([without, AGAIN]);
        hints.for_each(|hint| ui.note(&format!("hint: {hint}")));
    }
    Ok(Answer::No)
}

/// What became of pages that the model was not used for.
pub(crate) const WITHOUT: &str = "what it was not used for is compiled as without a model";
/// What asks again for what is open.
const AGAIN: &str = "the same command asks again for what is open, and for nothing that was replied";

/// Why the model was not used, with how often.
pub(crate) fn unused(asked: &AskedOutcome, why: &Failure) -> Failure {
    let (n_unused, n_wanted) = asked.n_unused();
    let message = match n_unused {
        0 => why.message.clone(),
        n => format!("the model was not used for {n} of {}: {}", count(n_wanted, "task"), why.message),
    };
    Failure { message, ..why.clone() }
}

/// Returns what was spent in words.
pub(crate) fn spent(spent: &Spent) -> String {
    let about = if spent.usage.is_estimate { "about " } else { "" };
    let cached =
        if spent.usage.cache_read > 0 { format!(" ({} cached)", spent.usage.cache_read) } else { String::new() };
    format!("{about}{} tokens in{cached}, {} out, {}", spent.usage.prompt(), spent.usage.output, spent.money)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_a_price_only_as_a_file_of_prices_has_it() {
        for answer in ["0", "1", "0.25", "15"] {
            assert!(is_amount(answer), "{answer}");
            let line = Prices::line("here:a\"b", answer, answer);
            assert!(Prices::parse(&line).expect("it reads").know("here:a\"b"), "{line}");
        }
        for answer in ["", "free", "-1", "1,5", "$1", ".5", "5.", "1e3", "NaN", "1.2.3", "1 }"] {
            assert!(!is_amount(answer), "{answer}");
        }
    }
}
