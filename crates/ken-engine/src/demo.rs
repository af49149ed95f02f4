//! Shows the whole path on an example: a week of a small team that builds an online shop for a bakery.
//!
//! The journal ships inside the program and was written for it. The demo writes it into a new vault,
//! compiles it, and asks three questions: one that a tldr answers, one that takes several pages, and one
//! that the vault knows nothing of.

use std::path::Path;
use std::time::Duration;

use ken_core::time::leading_date;
use ken_core::{Basis, Date, LogEntry, Plan, Tokens, VaultPath};
use ken_intake::outside;
use ken_store::Keys;

use crate::compile::CompileOptions;
use crate::engine::{Clock, Engine};
use crate::failure::Failure;
use crate::outcome::{DemoOutcome, DemoQuestion};

/// The example journal: file name and text.
const DAYS: &[(&str, &str)] = &[
    ("2026-03-02.md", include_str!("demo/journal/2026-03-02.md")),
    ("2026-03-03.md", include_str!("demo/journal/2026-03-03.md")),
    ("2026-03-05.md", include_str!("demo/journal/2026-03-05.md")),
    ("2026-03-10.md", include_str!("demo/journal/2026-03-10.md")),
    ("2026-03-17.md", include_str!("demo/journal/2026-03-17.md")),
    ("2026-03-24.md", include_str!("demo/journal/2026-03-24.md")),
];

/// What the demo asks.
const QUESTIONS: [&str; 3] = [
    "What is stock reservation?",
    "How are refresh tokens kept and how long do they live?",
    "Which Kubernetes cluster runs our billing service?",
];

/// Tokens of an answer that is shown.
const ANSWER_TOKENS: usize = 90;

impl Engine {
    /// Builds the example vault in the new folder `root` and asks it questions.
    ///
    /// # Errors
    /// When the folder is not empty or cannot be written.
    pub fn demo(root: &Path, keys: &Keys, clock: &Clock) -> Result<DemoOutcome, Failure> {
        if outside::children(root).is_ok_and(|children| !children.is_empty()) {
            return Err(Failure::usage(format!("`{}` is not empty", root.display()))
                .hint("the demo makes a vault of its own; name a new folder")
                .hint("nothing was changed"));
        }
        Engine::init(root, Some(&ken_core::layout::KENNING), keys, clock)?;
        let engine = Engine::at(root.to_path_buf(), keys, clock.clone(), Duration::from_secs(10))?;
        let days: Vec<Date> = DAYS.iter().filter_map(|(name, _)| leading_date(name)).collect();
        let write = |(name, text): &(&str, &str)| {
            let path: VaultPath = engine.layout().journal.join(name).expect("a date is a file name");
            Basis::nothing(path).replace(*text)
        };
        let subject = format!("{} example days", DAYS.len());
        let log = LogEntry {
            at: clock.now,
            kind: "demo".to_owned(),
            subject,
            lines: Vec::new(),
            inputs: Vec::new(),
            public: false,
        };
        let guard = engine.lock("demo")?;
        engine.apply(&guard, &Plan { edits: DAYS.iter().map(write).collect(), guards: Vec::new(), log })?;
        drop(guard);
        let compiled = engine.compile(CompileOptions::default())?;
        let tokens_everything = engine.list(None)?.iter().map(|entry| entry.tokens).sum();
        let questions = QUESTIONS.iter().map(|question| engine.ask_demo(question)).collect::<Result<Vec<_>, _>>()?;
        Ok(DemoOutcome { root: root.to_path_buf(), days, compiled, tokens_everything, questions })
    }

    fn ask_demo(&self, question: &str) -> Result<DemoQuestion, Failure> {
        let route = self.route(question, None)?.route;
        let answer = match route.loaded.first() {
            Some(first) if first.tldr_only => first.entry.tldr.clone(),
            Some(_) => first_span(&self.context(question, Some(Tokens(ANSWER_TOKENS)))?.pack.text),
            None => String::new(),
        };
        Ok(DemoQuestion { question: question.to_owned(), route, answer })
    }
}

/// The text of the first span of a pack, without its place.
fn first_span(pack: &str) -> String {
    let span = pack.lines().find_map(|line| line.strip_prefix('L')?.split_once(": "));
    span.map_or_else(String::new, |(_, text)| text.to_owned())
}
