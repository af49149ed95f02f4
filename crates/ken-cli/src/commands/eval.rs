//! `ken eval`: measures what a vault knows, how well search finds, what routing spares, and how right answers are.

mod abstention;
mod answers;
mod knowledge;
mod retrieval;
mod routing;

use ken_engine::{Failure, FailureKind};
use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::exit::Answer;
use crate::session::Session;
use crate::ui::Ui;

/// Measure what the vault knows, how well search finds, what routing spares
///
///   knowledge    questions with what must come of them, for CI; where headers lead
///   retrieval    a benchmark of documents, questions and judgements
///   abstention   what each threshold of confidence would keep and let through
///   routing      what a question costs with and without routing
///   answers      how right answers are, without a model and with one
///
/// No page and no journal is changed, and a model is called only by `answers` when
/// one is named. `ken help eval retrieval` and the others say more.
///
/// Examples:
///   ken eval knowledge
///   ken eval retrieval benchmarks/journal --foreign benchmarks/other
///   ken eval abstention benchmarks/journal --foreign benchmarks/other
///   ken eval routing --json
///   ken eval answers questions.jsonl --model anthropic:MODEL
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// What to measure.
    #[command(subcommand)]
    form: Form,
}

#[derive(Debug, clap::Subcommand)]
enum Form {
    Knowledge(knowledge::Args),
    Retrieval(retrieval::Args),
    Abstention(abstention::Args),
    Routing(routing::Args),
    Answers(answers::Args),
}

/// Runs the command.
pub(crate) fn run(args: &Args, session: &Session, ui: &mut Ui) -> Result<Answer, Failure> {
    match &args.form {
        Form::Knowledge(args) => knowledge::run(args, &session.engine()?, ui),
        Form::Retrieval(args) => retrieval::run(args, session, ui),
        Form::Abstention(args) => abstention::run(args, session, ui),
        Form::Routing(args) => routing::run(args, &session.engine()?, ui),
        Form::Answers(args) => answers::run(args, &session.engine()?, ui),
    }
}

/// Figures in the order in which they are listed.
struct Figures(Vec<(&'static str, Option<f64>)>);

impl Serialize for Figures {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, &value.map(rounded))?;
        }
        map.end()
    }
}

/// Four digits behind the point: more would only show noise.
fn rounded(value: f64) -> f64 {
    (value * 10_000.0).round() / 10_000.0
}

/// A share of 1 as a table shows it.
fn shown(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.3}"))
}

/// The text of a file that somebody named; without it nothing can start.
fn text_of(file: &str) -> Result<String, Failure> {
    crate::env::read_text(file).map_err(|failure| Failure { kind: FailureKind::Usage, ..failure })
}
