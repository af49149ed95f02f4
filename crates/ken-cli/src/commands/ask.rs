//! `ken ask`: the answer to a question, from what the vault says.

use ken_core::Tokens;
use ken_core::answer::{Citation, Consulted};
use ken_engine::model::ModelName;
use ken_engine::{AskCost, AskOptions, AskOutcome, Engine, Failure, Filed, Worth};
use serde::Serialize;

use crate::exit::Answer;
use crate::models::{self, ModelArgs, Purpose};
use crate::then::{Then, ThenWire};
use crate::ui::Ui;
use crate::wire;

/// Answer a question, every sentence with the page it stands on
///
/// Chooses pages and evidence as `ken context` does, and prints one to eight
/// sentences of them that answer, as a list: behind each item stands its place, for
/// a page with a link, for a document with its section, then its date and trust;
/// what only external sources say is marked (external). Where a recorded session
/// puts something to somebody, up to three replies to that follow. Where the output
/// is no terminal, the answer stands in the frame that tells an agent that it is
/// data. Says that the vault does not know, and exits with 1, when nothing is sure
/// to answer; what came closest is shown all the same, up to ten sentences, and
/// says so; with vectors (docs/book/semantic.md) that may be what means the same.
/// With --model a model is handed more of what was found, and writes the answer;
/// what that does not bear out is left out, and what it leaves open is noted. A
/// program as the model has to be named in models.toml.
///
/// A question about a change (how did it change, what was it originally, what did
/// we use before, when did we switch, who decided, why) is answered with how it
/// changed: values and days in one line, and the statements that say so.
///
/// A model is handed every sentence with the day on which it was said, and with
/// what became of it: superseded, retracted, disputed, unverified, external. An
/// answer that gives as current what no longer holds is not taken: then the
/// vault's own sentences answer, and that is said.
///
/// With --reword the model is asked first to say a question that the vault does not
/// answer for sure in the words that its pages use; what is found for those is
/// handed over, too. It costs one more short call for such a question.
///
/// With --continue a question goes on from the last ones that were asked here in
/// the last eight hours: what it leaves out, they say.
///
/// With --file-back the answer becomes a page under `qa/`, with footnotes that lead
/// to the journal and the sources. The same question is then answered from there,
/// until what it rests on changes.
///
/// Examples:
///   ken ask "how long do tokens live?"
///   ken ask --file-back "why do we sign tokens?"
///   ken ask --as-of 2026-03-12 "how long do tokens live?"
///   ken ask --on 2026-03-12 "how long do tokens live?"
///   ken ask "how did the lifetime of tokens change?"
///   ken ask -c "and since when?"
///   ken ask --model anthropic:MODEL "why do we sign tokens?"
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The question
    #[arg(required = true)]
    question: Vec<String>,
    /// Tokens of pages to look at [default: `route_tokens` of kenning.toml, else 8000]
    #[arg(long, value_name = "TOKENS", allow_negative_numbers = true)]
    budget: Option<usize>,
    /// Answer anew, and file the answer as a page; again renews it
    #[arg(long, conflicts_with_all = ["as_of", "on", "goes_on"])]
    file_back: bool,
    /// Go on from the last question that was asked here
    #[arg(short = 'c', long = "continue")]
    goes_on: bool,
    #[command(flatten)]
    then: Then,
    /// With a model: look for the question in other words, too, where it has no sure answer [default:
    /// `reword` of models.toml, else no]
    #[arg(long, requires = "model")]
    reword: bool,
    #[command(flatten)]
    model: ModelArgs,
}

#[derive(Serialize)]
struct Wire<'a> {
    #[serde(flatten)]
    then: ThenWire,
    answer: &'a str,
    text: &'a str,
    citations: Vec<Cited<'a>>,
    abstained: bool,
    consulted: Vec<Looked<'a>>,
    cost: Cost<'a>,
    filed: Option<String>,
    notes: Vec<String>,
}

#[derive(Serialize)]
struct Cited<'a> {
    path: &'a str,
    lines: [usize; 2],
    slug: Option<&'a str>,
    date: Option<String>,
    trust: &'static str,
    #[serde(flatten)]
    said: Option<wire::Said>,
}

#[derive(Serialize)]
struct Looked<'a> {
    path: &'a str,
    slug: Option<&'a str>,
    why: &'a str,
}

#[derive(Serialize)]
struct Cost<'a> {
    model: Option<&'a str>,
    input_tokens: u64,
    output_tokens: u64,
    usd: f64,
}

/// Agents may run this command without asking a person, so its arguments start no program.
fn refuse_program(model: &ModelArgs) -> Result<(), Failure> {
    let named = model.model.as_deref().unwrap_or_default();
    match ModelName::parse(named) {
        Ok(name) if name.is_program() => Err(Failure::refused(
            "`ken ask` starts no program that its arguments name: agents may run it without asking a person",
        )
        .hint("put `model = \"command:…\"` into models.toml, and say `--model default`")
        .hint("nothing was started or changed")),
        _ => Ok(()),
    }
}

/// Runs the command.
pub(crate) fn run(args: &Args, engine: &Engine, ui: &mut Ui) -> Result<Answer, Failure> {
    let options = AskOptions {
        budget: args.budget.map(Tokens),
        anew: args.file_back,
        reword: args.reword || (args.model.model.is_some() && models::rewords()?),
    };
    let question = args.question.join(" ");
    refuse_program(&args.model)?;
    let mut engine = args.then.engine(engine)?;
    if args.goes_on {
        let (then, last) = engine.going_on()?;
        engine = then;
        ui.note(&format!("goes on from \"{}\"", last));
    }
    let engine = &engine;
    let (done, asked) = match args.model.author(Purpose::default(), engine, ui)? {
        Some(author) => engine.ask_with(&question, options, &author).map(|(done, asked)| (done, Some(asked)))?,
        None => (engine.ask(&question, options)?, None),
    };
    engine.keep_asked(&done);
    // An answer that cites no page rests on the journal, and found something all the same.
    let cited: Vec<ken_core::Slug> =
        done.answer.sentences.iter().flat_map(|one| &one.citations).filter_map(|one| one.slug.clone()).collect();
    if done.is_abstained() || !cited.is_empty() {
        engine.note_question(&question, if done.is_abstained() { &[] } else { &cited });
    }
    let file = || -> Result<Option<Filed>, Failure> {
        let is_wanted = args.file_back && !done.is_abstained();
        is_wanted.then(|| engine.file_answer(&done)).transpose()
    };
    if ui.is_json() {
        let filed = file()?;
        ui.json(&wire(&done, filed.as_ref(), args));
    } else {
        print(&done, args, ui);
        if done.is_abstained() && done.text.is_empty() {
            hint_of_empty(engine).into_iter().for_each(|hint| ui.note(hint));
        }
        if let Some(asked) = asked.filter(|asked| asked.n_answered + asked.n_recorded + asked.failed.len() > 0) {
            asked.failed.iter().for_each(|(_, reason)| ui.warning(reason));
            ui.note(&format!("{}: {}", asked.model, models::spent(&asked.spent)));
        }
        // The answer is printed first: a vault that cannot be written keeps nobody from reading it.
        if let Some(filed) = file()? {
            let verb = if filed.is_new { "filed as" } else { "filed again as" };
            ui.note(&format!("{verb} {}", filed.path));
        }
    }
    Ok(Answer::no_if(done.is_abstained()))
}

fn wire<'a>(done: &'a AskOutcome, filed: Option<&Filed>, args: &Args) -> Wire<'a> {
    let cited = |(one, worth): (&'a Citation, &Worth)| Cited {
        path: one.path.as_str(),
        lines: one.lines.into(),
        slug: one.slug.as_ref().map(ken_core::Slug::as_str),
        date: worth.date.map(|date| date.to_string()),
        trust: worth.trust.as_str(),
        said: worth.agreement.as_ref().map(wire::Said::of),
    };
    let looked = |one: &'a Consulted| Looked {
        path: one.path.as_str(),
        slug: one.slug.as_ref().map(ken_core::Slug::as_str),
        why: &one.why,
    };
    let standing = done.known.as_ref().map(|known| known.path.to_string());
    let AskCost { model, input_tokens, output_tokens, usd } = &done.cost;
    Wire {
        then: args.then.wire_on(done.on),
        answer: &done.quoted,
        text: &done.text,
        citations: done.answer.citations().into_iter().zip(&done.worth).map(cited).collect(),
        abstained: done.is_abstained(),
        consulted: done.consulted.iter().map(looked).collect(),
        cost: Cost { model: model.as_deref(), input_tokens: *input_tokens, output_tokens: *output_tokens, usd: *usd },
        filed: filed.map(|filed| filed.path.to_string()).or(standing),
        notes: notes(done),
    }
}

/// What helps where nothing is there to answer from.
fn hint_of_empty(engine: &Engine) -> Option<&'static str> {
    engine.is_empty().then(|| match engine.layout().preset.notes_anywhere {
        true => "the notes of this folder are not read yet: `ken ingest --in-place .`, then `ken compile`",
        false => "there is nothing in this vault yet: `ken log`, `ken capture` and `ken ingest` put something into it",
    })
}

fn print(done: &AskOutcome, args: &Args, ui: &mut Ui) {
    if !done.text.is_empty() {
        ui.framed(&done.text, || done.quoted.clone());
    }
    done.notes.iter().for_each(|note| ui.warning(note));
    let beside = AskOutcome { notes: Vec::new(), ..done.clone() };
    notes(&beside).iter().for_each(|note| ui.note(note));
    if done.is_abstained() && args.file_back {
        ui.note("nothing was filed");
    }
}

/// What is said beside the answer.
fn notes(done: &AskOutcome) -> Vec<String> {
    let mut out = done.notes.clone();
    if let Some(known) = &done.known {
        let (path, day) = (&known.path, known.day);
        let changed = known.changed.join(", ");
        let new = if done.is_abstained() { "" } else { "; this one is new" };
        if !known.changed.is_empty() {
            out.push(format!("the answer filed on {day} as {path} is stale: {changed} changed since{new}"));
        } else if !done.is_new {
            out.push(format!("filed on {day} as {path}"));
        }
    }
    if done.is_abstained() {
        let closest = if done.text.is_empty() { "" } else { " for sure; this is closest" };
        out.push(format!("this vault does not know that{closest}"));
        out.extend(done.closest.as_ref().map(|(slug, word)| match word {
            Some(word) => format!("closest is [[{slug}]], whose header lacks `{word}`"),
            None => format!("closest is [[{slug}]]"),
        }));
    }
    if !done.left_out.is_empty() {
        let pages: Vec<String> = wire::slugs(&done.left_out).iter().map(|slug| format!("[[{slug}]]")).collect();
        let pages = pages.join(", ");
        out.push(format!("not looked at, or only at their tldr, for the budget: {pages}; allow more with `--budget`"));
    }
    out
}
