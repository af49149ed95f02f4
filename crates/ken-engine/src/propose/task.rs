//! One task: what is read, what is shown of the wiki, and what is sent.
//!
//! A task is the same for a model that is asked and for an agent that fetches it as a work packet. Material
//! stands between marks with a code of this run that no text can know, so that none can close them.

use std::collections::BTreeSet;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;

use ken_core::{Digest, orders};
use ken_intake::scrub::readable;
use ken_model::{Prompt, Schema};
use serde_json::Value;

use super::check::{Report, Shown};
use super::kinds::doubt::Verdicts;
use super::kinds::page::{self, Part, Wanted};
use super::kinds::{COMMON, Kind, PageView, Rules, answer, compile, distill, doubt, grade, judge, reword, rollup};
use super::record::{Cited, Manner};
use ken_compile::portion::Portion;
use ken_compile::rollup::Rollup;

/// What is read.
#[derive(Debug, Clone)]
pub(crate) enum Input {
    /// A portion of journal or source.
    Portion(Box<Portion>),
    /// A portion of a session, and which one; its path is the journal day of the entry that it is for.
    Session(Box<Portion>, String),
    /// What is doubted of a portion.
    Doubt(Box<doubt::Doubts>),
    /// A page, and what is asked of it.
    Page(Box<Wanted>),
    /// Two pages that may be one.
    Merge(Box<[PageView; 2]>),
    /// A roll-up, for better sentences.
    Rollup(Box<Rollup>),
    /// A question and what may be cited for it.
    Answer(Box<answer::Asked>),
    /// Two claims, as they are sent.
    Judge(String),
    /// A claim and what its source says now, as they are sent.
    Support(String),
    /// A claim and the code that it names, as they are sent.
    Code(String),
    /// A question, the right answer and one to be graded, as they are sent.
    Grade(String),
    /// A question, and what is sent with it.
    Reword(String, String),
}

/// Something to ask.
#[derive(Debug, Clone)]
pub(crate) struct Task {
    /// What is read.
    pub(crate) input: Input,
    /// 16 digits that name what is read.
    pub(crate) digest: String,
    /// What is shown of the wiki; the same text for all tasks of a file, so that providers' caches serve it.
    pub(crate) context: String,
    /// What is shown of the wiki for this task alone.
    pub(crate) known: String,
    /// What may be named in the reply.
    pub(crate) shown: Shown,
    /// Where what is read stands.
    pub(crate) read: Vec<Cited>,
    /// What it is about, for people.
    pub(crate) label: String,
}

impl Task {
    /// Returns the same task with what is shown besides.
    pub(super) fn showing(&self, shown: &Shown) -> Task {
        let mut task = self.clone();
        task.shown.add_all(shown);
        task
    }

    /// Returns a task that reads this and shows nothing.
    pub(crate) fn new(input: Input, digest: String, label: String) -> Task {
        let (context, known) = (String::new(), String::new());
        Task { input, digest, context, known, shown: Shown::default(), read: Vec::new(), label }
    }

    /// Returns what kind of task it is.
    pub(crate) fn kind(&self) -> Kind {
        match &self.input {
            Input::Portion(_) => Kind::Compile,
            Input::Session(..) => Kind::Distill,
            Input::Doubt(_) => Kind::Doubt,
            Input::Page(_) => Kind::Page,
            Input::Merge(_) => Kind::Merge,
            Input::Rollup(_) => Kind::Rollup,
            Input::Answer(_) => Kind::Answer,
            Input::Judge(_) => Kind::Judge,
            Input::Support(_) => Kind::Support,
            Input::Code(_) => Kind::Code,
            Input::Grade(_) => Kind::Grade,
            Input::Reword(..) => Kind::Reword,
        }
    }

    /// Returns what is the same in every task of its kind.
    pub(crate) fn rules(&self) -> &'static Rules {
        rules_of(self.kind())
    }

    /// Returns how it is asked of a model.
    pub(crate) fn manner(&self, model: &str, parameters: &str) -> Manner {
        let rules = self.rules();
        let (model, mut parameters) = (model.to_owned(), parameters.to_owned());
        if let Input::Doubt(doubts) = &self.input {
            // A portion that was read anew may have other claims.
            parameters.push_str(&format!(" claims:{}", doubts.name()));
        }
        Manner { prompt: rules.version, schema: rules.schema_digest(), model, parameters }
    }

    /// Returns what is sent; `fence` is the code of this run.
    pub(crate) fn prompt(&self, fence: &Fence) -> Prompt {
        let rules = self.rules();
        let near = self.candidates_told();
        let text = format!("{}{near}{}", self.known, self.material());
        // A person's own entry was written without us and may hold what nobody else may see.
        let mut input = fence.put_around(&shareable(&text));
        if let Input::Answer(asked) = &self.input {
            // The question is the one thing that is addressed to the model.
            input.push_str(&format!("\n\n{}", asked.asked()));
        }
        let context = if self.context.is_empty() { String::new() } else { fence.put_around(&shareable(&self.context)) };
        let asked = self.asked();
        let (rules, json) = told_rules(rules, &asked);
        let schema = Schema { name: self.kind().as_str(), json };
        Prompt {
            rules: format!("{COMMON}\n{rules}"),
            context,
            input,
            schema,
            reply_tokens_max: self.reply_tokens_max(),
        }
    }

    /// Returns what is asked of a page; of anything else nothing.
    pub(super) fn asked(&self) -> BTreeSet<Part> {
        match &self.input {
            Input::Page(wanted) => wanted.parts.clone(),
            Input::Merge(_) => BTreeSet::from([Part::Same]),
            _ => BTreeSet::new(),
        }
    }

    /// Returns the most tokens of a reply.
    pub(super) fn reply_tokens_max(&self) -> u64 {
        let asked = self.asked();
        if asked.is_empty() { self.rules().reply_tokens_max } else { page::reply_tokens_max(&asked) }
    }

    /// Returns what a page may be related to, as it is told before the page.
    fn candidates_told(&self) -> String {
        match &self.input {
            Input::Page(wanted) => page::candidates(&[wanted]),
            _ => String::new(),
        }
    }

    /// Returns the text that is read, without what is shown beside it.
    pub(super) fn material(&self) -> String {
        match &self.input {
            Input::Portion(portion) => compile::input(portion),
            Input::Session(portion, _) => distill::input(portion),
            Input::Doubt(doubts) => doubts.told(),
            Input::Page(wanted) => page::input(wanted),
            Input::Merge(pages) => page::pair(pages, &BTreeSet::new()),
            Input::Rollup(told) => rollup::input(told),
            Input::Answer(asked) => asked.before() + &asked.told(),
            Input::Judge(text) | Input::Support(text) | Input::Code(text) | Input::Grade(text) => text.clone(),
            Input::Reword(_, text) => text.clone(),
        }
    }

    /// Whether no line of what is read can look like a heading between texts: each stands behind a number or a mark of
    /// ours.
    pub(super) fn is_by_lines(&self) -> bool {
        use Input::{Doubt, Merge, Page, Portion, Session};
        matches!(self.input, Portion(_) | Session(..) | Doubt(_) | Page(_) | Merge(_))
    }

    /// Returns how many parts of a reply hold, and what does not.
    pub(crate) fn check(&self, reply: &Value) -> (usize, Report) {
        let mut report = Report::default();
        let n = match &self.input {
            Input::Portion(portion) => {
                let reading = compile::check(reply, portion, (&self.shown, &Verdicts::default()), &mut report);
                reading.claims.len() + reading.connections.len()
            }
            Input::Session(portion, _) => {
                distill::check(reply, portion, (&self.shown, &Verdicts::default()), &mut report).said.len()
            }
            Input::Doubt(doubts) => doubt::check(reply, doubts, &mut report),
            Input::Page(wanted) => page::check(reply, wanted, &self.shown, &mut report),
            Input::Merge(pages) => {
                let titles = [pages[0].title.as_str(), &pages[1].title];
                usize::from(page::merge::check(reply, titles, &mut report).is_some())
            }
            Input::Rollup(told) => rollup::check(reply, told, &mut report).len(),
            Input::Answer(asked) => answer::check(reply, asked, &mut report).map_or(0, |answer| answer.sentences.len()),
            Input::Judge(_) | Input::Support(_) | Input::Code(_) => {
                usize::from(judge::check(reply, self.rules(), &mut report).is_some())
            }
            Input::Grade(_) => usize::from(grade::check(reply, &mut report).is_some()),
            Input::Reword(question, _) => reword::check(reply, question, &mut report).len(),
        };
        (n, report)
    }
}

/// Returns rules and schema for what is asked of pages; where nothing is, those of the kind.
pub(super) fn told_rules(rules: &Rules, asked: &BTreeSet<Part>) -> (String, Value) {
    match asked.is_empty() {
        true => (rules.text.to_owned(), (rules.schema)()),
        false => (page::rules(asked), page::schema(asked)),
    }
}

/// Returns what is the same in every task of a kind; kinds that are asked elsewhere have rules of their own.
pub(crate) fn rules_of(kind: Kind) -> &'static Rules {
    match kind {
        Kind::Compile => &compile::RULES,
        Kind::Answer => &answer::RULES,
        Kind::Distill => &distill::RULES,
        Kind::Doubt => &doubt::RULES,
        Kind::Page | Kind::Merge => &page::RULES,
        Kind::Rollup => &rollup::RULES,
        Kind::Judge => &judge::CLAIMS,
        Kind::Support => &judge::SUPPORT,
        Kind::Code => &judge::CODE,
        Kind::Grade => &grade::RULES,
        Kind::Reword => &reword::RULES,
    }
}

/// Says whether a reply has the form that was asked for, before its parts are looked at.
///
/// # Errors
/// The reason, for whoever replied.
pub(crate) fn has_form(kind: Kind, reply: &Value) -> Result<(), String> {
    let Some(object) = reply.as_object() else { return Err("it is no JSON object".to_owned()) };
    let schema = (rules_of(kind).schema)();
    let wanted: Vec<&str> = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    // What would be empty may be left out, as the rules of reading say; one part shows that it is a reply to them.
    let is_missing = |name: &&&str| !object.contains_key(**name);
    if matches!(kind, Kind::Page | Kind::Merge) {
        let is_reply = page::is_reply(reply, kind == Kind::Merge);
        return if is_reply { Ok(()) } else { Err("it has nothing of what was asked for".to_owned()) };
    }
    let missing = match kind {
        Kind::Distill => Some(&"worth").filter(|_| !reply["worth"].is_boolean()),
        Kind::Compile => Some(&"claims").filter(|_| !reply["claims"].is_array()),
        Kind::Answer => ["known", "sentences"].iter().find(is_missing),
        _ => wanted.iter().find(is_missing),
    };
    match missing {
        Some(name) => Err(format!("`{name}` is missing; an object with {} is expected", wanted.join(", "))),
        None => Ok(()),
    }
}

/// Returns a text as it may leave the machine: without secrets and without parts that are marked as private.
/// Every line keeps its number.
pub(crate) fn shareable(text: &str) -> String {
    let mut out = ken_core::clean::clean(text).into_owned();
    for part in crate::scan::private_parts(&out).into_iter().rev() {
        let lines = "\n".repeat(part.of(&out).matches('\n').count());
        out.replace_range(part.start..part.end, &format!("[redacted:private]{lines}"));
    }
    readable(&out).into_owned()
}

/// Returns 16 letters and digits that nobody can guess and that are never the same.
pub(crate) fn random_code() -> String {
    // The standard library seeds its hashers from the system's randomness, each one anew.
    let random = || RandomState::new().hash_one(0u8).to_le_bytes();
    let seed: Vec<u8> = [random(), random()].concat();
    Digest::of(&seed).to_string()[..16].to_owned()
}

/// The code of this run that material stands between.
#[derive(Debug, Clone)]
pub(crate) struct Fence(String);

impl Fence {
    /// Returns a fence that nobody can guess.
    pub(crate) fn new() -> Fence {
        Fence(random_code())
    }

    /// Returns a text between marks.
    pub(super) fn put_around(&self, text: &str) -> String {
        let fenced = orders::fence(text, &self.0);
        // Only a text that repeats an earlier prompt can hold the code; without its hyphens it closes nothing.
        fenced.unwrap_or_else(|| {
            let harmless = text.replace(&self.0, "…");
            orders::fence(&harmless, &self.0).unwrap_or_default()
        })
    }
}
