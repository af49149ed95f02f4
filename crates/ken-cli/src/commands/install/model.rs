//! `ken install --model`: which model works by itself, tried once and written into the person's own file.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use ken_agents::install::{self, Change, Marks, Plan, Preview, PreviewStep, Scope};
use ken_agents::{Login, Machine, login};
use ken_engine::model::{AGENTS, Background, Model, ModelName, ModelsFile, Money, Prompt, Schema, ask_json};
use ken_engine::{Failure, Metered, Payer};
use serde::Serialize;

use crate::exit::Answer;
use crate::models;
use crate::session::Session;
use crate::table::Cell;
use crate::text::clean;
use crate::ui::Ui;
use crate::{env, failure, worker};

/// What the installation is called in the receipt, and by `ken uninstall`.
pub(crate) const NAME: &str = "model";
/// What people call it.
pub(crate) const TITLE: &str = "models.toml";

/// A model that can be had on this machine.
struct Offer {
    /// What names it.
    name: String,
    /// What it is.
    what: String,
    /// What is known of it: a place, a login.
    known: String,
    /// Whether it can be asked as far as that is known.
    is_ready: bool,
}

#[derive(Serialize)]
struct Wire<'a> {
    models: Vec<One<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tried: Option<Tried>,
    changed: bool,
}

#[derive(Serialize)]
struct One<'a> {
    name: &'a str,
    what: &'a str,
    known: &'a str,
    ready: bool,
}

/// What the tiny question came to.
#[derive(Debug, Clone, Serialize)]
struct Tried {
    model: String,
    took_ms: u128,
    #[serde(flatten)]
    cost: models::CostWire,
    #[serde(skip)]
    words: String,
}

/// How it is called.
pub(crate) struct Options<'a> {
    /// The model that was named, if one was.
    pub(crate) named: &'a str,
    /// Whether nobody is asked.
    pub(crate) yes: bool,
    /// Whether nothing is changed.
    pub(crate) dry_run: bool,
}

/// Lists what there is; with a model that was named or chosen, tries it and writes it down.
pub(crate) fn run(options: &Options<'_>, session: &Session, ui: &mut Ui) -> Result<Answer, Failure> {
    let machine = session.machine()?;
    let offers = offers(&machine);
    let Some(name) = chosen(options, &offers, ui)? else {
        if ui.is_json() {
            ui.json(&Wire { models: offers.iter().map(one).collect(), tried: None, changed: false });
        } else {
            ui.say("Nothing was changed. `ken install --model NAME` tries one and lets it work by itself.");
        }
        return Ok(Answer::Yes);
    };
    let (plan, file) = planned(&name)?;
    let preview = install::preview(&plan, &machine).map_err(failure::of_agent)?;
    if options.dry_run {
        print_diff(&preview, &machine, ui);
        return Ok(Answer::Yes);
    }
    let is_new = matches!(preview, Preview::Steps(_));
    if is_new && !options.yes && (ui.is_json() || !env::can_be_asked()) {
        return Err(Failure::usage("nobody is there to be asked")
            .hint("`--yes` writes it down without asking, `--dry-run` shows what would be written")
            .hint("nothing was asked or changed"));
    }
    let tried = tried(&name, &file, session, ui)?;
    if !ui.is_json() {
        ui.say(&tried.words);
    }
    if is_new && !options.yes {
        agree(&name, &file, ui)?;
    }
    let done = install::install(&plan, &machine, session.wait()).map_err(failure::of_agent)?;
    if ui.is_json() {
        let models = offers.iter().map(one).collect();
        ui.json(&Wire { models, tried: Some(tried), changed: done.is_changed });
        return Ok(Answer::Yes);
    }
    let place = place()?;
    match done.is_changed {
        true => ui.say(format!("{name} reads new sessions by itself from now on: {}", machine.shown(&place))),
        false => ui.say(format!("{} says so already; nothing was changed.", machine.shown(&place))),
    }
    ui.say("`ken status` says what it did, `ken costs --all` what it cost, `ken uninstall model` takes it back.");
    Ok(Answer::Yes)
}

fn one(offer: &Offer) -> One<'_> {
    One { name: &offer.name, what: &offer.what, known: &offer.known, ready: offer.is_ready }
}

/// Every agent and every model of a server on this machine that is found.
fn offers(machine: &Machine) -> Vec<Offer> {
    let mut offers = Vec::new();
    for agent in AGENTS {
        let Some((place, login)) = login(machine, agent.words[0]) else { continue };
        let has_key = env::has_agent_key(agent.name);
        let words = match login {
            Login::Yes => "logged in",
            _ if has_key => "with a key of the environment",
            Login::Unknown => "whether you are logged in shows when it is asked",
            Login::No => "not logged in",
        };
        offers.push(Offer {
            name: agent.name.to_owned(),
            what: format!("{}, with the account that you have there", agent.title),
            known: format!("{}, {words}", machine.shown(&place)),
            is_ready: has_key || login != Login::No,
        });
    }
    for (server, url, names) in env::local_models() {
        let offer = |name: String| Offer {
            name,
            what: format!("{server} on this machine, for nothing"),
            known: url.clone(),
            is_ready: true,
        };
        offers.extend(names.into_iter().map(offer));
    }
    offers
}

/// The model that was named, or that somebody who is there chooses from the list.
fn chosen(options: &Options<'_>, offers: &[Offer], ui: &mut Ui) -> Result<Option<String>, Failure> {
    if !options.named.is_empty() {
        return Ok(Some(options.named.to_owned()));
    }
    if ui.is_json() {
        return Ok(None);
    }
    if offers.is_empty() {
        return Err(Failure::refused("no agent and no server of models was found on this machine")
            .hint("name a model with a key: `ken install --model anthropic:MODEL`")
            .hint("nothing was changed"));
    }
    let row = |(n, offer): (usize, &Offer)| {
        let number = (n + 1).to_string();
        vec![Cell::new(number), Cell::new(&offer.name), Cell::new(&offer.what), Cell::new(&offer.known)]
    };
    let rows: Vec<Vec<Cell>> = offers.iter().enumerate().map(row).collect();
    ui.rows(&rows);
    if options.dry_run || options.yes {
        return Ok(None);
    }
    let Some(answer) = ui.asks("Which one is to read new sessions by itself? Its number, or nothing for none:") else {
        return Ok(None);
    };
    if answer.is_empty() {
        return Ok(None);
    }
    let number = answer.parse::<usize>().ok().and_then(|n| n.checked_sub(1)).and_then(|n| offers.get(n));
    let offer = number.or_else(|| offers.iter().find(|offer| offer.name == answer));
    let none = || Failure::usage(format!("`{}` is none of them", clean(&answer))).hint("nothing was changed");
    offer.map(|offer| Some(offer.name.clone())).ok_or_else(none)
}

fn place() -> Result<PathBuf, Failure> {
    models::models_path().ok_or_else(|| Failure::usage("this machine has no place for models.toml").hint("set HOME"))
}

/// What is written, and the file as it reads then.
fn planned(name: &str) -> Result<(Plan, ModelsFile), Failure> {
    let parsed = ModelName::parse(name)?;
    if parsed == ModelName::None {
        return Err(Failure::usage("`none` is asked by nobody").hint("`ken uninstall model` takes a model back"));
    }
    let path = place()?;
    let own = install::without_block(&env::text_if_there(&path)?.unwrap_or_default(), Marks::Toml);
    let is_theirs = |table: &str| own.lines().any(|line| line.trim_start().starts_with(table));
    if is_theirs("[background") || is_theirs("background.") {
        return Err(Failure::refused(format!("`{}` has a `[background]` of your own", path.display()))
            .hint(format!("change it there: `model = \"{name}\"`"))
            .hint("nothing was changed"));
    }
    let mut inner = String::new();
    if let (ModelName::Server(server, _), Some(url)) = (&parsed, env::local_server(name))
        && !is_theirs(&format!("[servers.{server}"))
    {
        inner = format!("[servers.{server}]\nurl = \"{url}\"\nprice = {{ input = 0, output = 0 }}\n\n");
    }
    let Background { day_usd_max, month_usd_max, .. } = Background::default();
    let usd = |money: Money| money.0 as f64 / 1e6;
    // What JSON writes as a text, TOML reads as one.
    let quoted = serde_json::Value::from(name);
    inner.push_str(&format!(
        "[background]\nmodel = {quoted}\nafter_sessions = 1\nday_usd_max = {}\nmonth_usd_max = {}\n",
        usd(day_usd_max),
        usd(month_usd_max)
    ));
    let file = models::models_file_with(&own, &inner)?;
    let changes = vec![Change::block(path, inner, Marks::Toml)];
    Ok((Plan { agent: NAME.to_owned(), scope: Scope::User, changes, otherwise: Vec::new() }, file))
}

/// Asks one tiny question, and books it.
fn tried(name: &str, file: &ModelsFile, session: &Session, ui: &mut Ui) -> Result<Tried, Failure> {
    let parsed = ModelName::parse(name)?;
    let failed = |failure: Failure| failure.hint("nothing was changed");
    let call_usd_max = Background::default().call_usd_max;
    let model = models::opened(&parsed, file, Some(call_usd_max)).map_err(failed)?;
    let Some(model) = model else { return Err(Failure::usage(format!("`{name}` is nobody"))) };
    let prices = models::with_price(name, file.prices.clone(), ui)?;
    worker::end_programs_with_us(parsed.is_program(), ui);
    ui.aside(&format!("asking {name} one tiny question …"));
    let model: Arc<dyn Model> = match models::spending(session.clock()) {
        Some(spending) => {
            let payer = Payer { vault: "-".to_owned(), caps: None, call_usd_max: Money(0) };
            Arc::new(Metered::new(model, prices.clone(), spending, payer, session.clock().now))
        }
        None => model,
    };
    let json = serde_json::json!({"type": "object", "additionalProperties": false, "required": ["ready"],
        "properties": {"ready": {"type": "boolean"}}});
    let prompt = Prompt {
        rules: "Reply with one JSON object: {\"ready\": true}".to_owned(),
        context: String::new(),
        input: "Are you ready?".to_owned(),
        schema: Schema { name: "ready", json },
        reply_tokens_max: 200,
    };
    let started = Instant::now();
    let is_ready = |reply: &serde_json::Value| match reply["ready"] {
        serde_json::Value::Bool(_) => Ok(()),
        _ => Err("`ready` is missing".to_owned()),
    };
    let answered = ask_json(model.as_ref(), &prompt, &is_ready).map_err(|error| failed(error.into()))?;
    let took_ms = started.elapsed().as_millis();
    let money = prices.cost(name, &answered.usage).unwrap_or_default();
    let spent = ken_engine::propose::Spent {
        n_calls: u64::from(answered.n_calls),
        usage: answered.usage,
        money,
        ..ken_engine::propose::Spent::default()
    };
    let secs = took_ms.div_ceil(100) as f64 / 10.0;
    let on_bill = match parsed.is_program() && answered.usage.cost.is_none() {
        true => "; it does not say what that costs, so it counts as nothing",
        false => "",
    };
    let words = format!("{name} answered a tiny question in {secs} s: {}{on_bill}.", models::spent(&spent));
    Ok(Tried { model: name.to_owned(), took_ms, cost: models::CostWire::of(&spent), words })
}

fn agree(name: &str, file: &ModelsFile, ui: &mut Ui) -> Result<(), Failure> {
    let caps = file.background.clone().unwrap_or_default();
    let question = format!(
        "New sessions of all your vaults are then sent to {name}, for at most {} a day and {} a month. Let it?",
        caps.day_usd_max, caps.month_usd_max
    );
    match ui.agrees(&question) {
        true => Ok(()),
        false => Err(Failure::refused("not installed").hint("nothing was changed")),
    }
}

fn print_diff(preview: &Preview, machine: &Machine, ui: &mut Ui) {
    let Preview::Steps(steps) = preview else {
        ui.say("It is there already; nothing was changed.");
        return;
    };
    for step in steps {
        if let PreviewStep::File { path, is_new, diff } = step {
            ui.line(format!("{} {}", if *is_new { "writes" } else { "edits " }, machine.shown(path)));
            diff.lines().for_each(|line| ui.line(format!("  {}", clean(line))));
        }
    }
    ui.say("Nothing was asked or changed.");
}
