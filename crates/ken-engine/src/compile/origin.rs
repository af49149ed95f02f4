//! What compiling takes cited lines for: of what kind a statement there is, and which model read it.

use std::collections::BTreeSet;

use ken_core::supersede::clauses;
use ken_core::{Date, VaultPath};

use super::reading::Readings;
use super::sources::read_as;
use crate::engine::Engine;
use crate::ingest::Register;
use crate::propose::kinds::Kind;
use crate::propose::record::Replies;
use ken_compile::account::claim_id;
use ken_compile::cut::{Reader, read_entries};
use ken_compile::dates;
use ken_compile::passage::{Passage, PassageKind};

/// A statement of a file, as a page may show it.
#[derive(Debug, Clone)]
pub(crate) struct Origin {
    /// The lines that it is cited by.
    lines: (usize, usize),
    /// What names it, as it stands and with its dates, and its clauses, of which one may have ended.
    ids: BTreeSet<String>,
    /// What it is, as in `a decision`; nothing for what a document says.
    pub(crate) kind: Option<&'static str>,
    /// Whether it only says what tools did.
    pub(crate) is_event: bool,
    /// The model that read it; nothing where it was extracted.
    pub(crate) model: Option<String>,
    /// Whether the model read it as what joins several subjects.
    pub(crate) is_connection: bool,
    /// The names of the claims that it took the place of, by the model.
    replaces: Vec<String>,
}

impl Origin {
    /// Returns the statement of those lines that says what a claim says, else the first there.
    pub(crate) fn find<'a>(all: &'a [Origin], lines: (usize, usize), text: &str) -> Option<&'a Origin> {
        let id = claim_id(text);
        let here = || Origin::all_at(all, lines);
        here().find(|one| one.ids.contains(&id)).or_else(|| here().next())
    }

    /// Returns whether it says what a claim says, word for word, in a clause or as a whole.
    pub(crate) fn says(&self, text: &str) -> bool {
        self.ids.contains(&claim_id(text))
    }

    /// Returns the statements of those lines.
    pub(crate) fn all_at(all: &[Origin], lines: (usize, usize)) -> impl Iterator<Item = &Origin> {
        all.iter().filter(move |one| one.lines == lines)
    }

    /// Returns whether a model said that it takes the place of a claim.
    pub(crate) fn replaces(&self, text: &str) -> bool {
        self.replaces.contains(&claim_id(text))
    }
}

impl Engine {
    /// Returns the statements of a journal day or a document.
    pub(crate) fn origins(
        &self,
        path: &VaultPath,
        text: &str,
        (register, replies): (&Register, &Replies),
    ) -> Vec<Origin> {
        let is_journal = path.is_under(self.layout().journal.as_str());
        let readings = Readings::of(self, replies);
        let reader = readings.as_ref().map(|readings| readings as &dyn Reader);
        let mut out = Vec::new();
        for entry in read_entries(path, read_as(path, is_journal, register), text, reader) {
            for passage in &entry.passages {
                let model = passage.told.as_ref().and_then(|_| {
                    let covers = |(first, last): (usize, usize)| first <= passage.lines.0 && passage.lines.0 <= last;
                    let portions = entry.portions.iter().filter(|portion| covers(portion.range()));
                    let record = |digest: &str| self.standing(replies, Kind::Compile, digest);
                    portions.filter_map(|portion| record(&portion.digest)).map(|record| record.manner.model).next()
                });
                let model = model.or_else(|| passage.told.as_ref().map(|_| "a model".to_owned()));
                out.push(origin(passage, entry.date, model));
            }
        }
        out
    }
}

/// What names a statement, and each of its clauses.
fn ids_of(text: &str) -> impl Iterator<Item = String> {
    std::iter::once(text).chain(clauses(text)).map(claim_id)
}

fn origin(passage: &Passage, day: Option<Date>, model: Option<String>) -> Origin {
    let lines = passage.cited.as_ref().map_or(passage.lines, |cited| cited.lines);
    let dated = day.map_or_else(|| passage.text.clone(), |day| dates::resolve(&passage.text, day));
    let kind = match passage.kind {
        _ if passage.place.is_some() => None,
        PassageKind::Decision => Some("a decision"),
        PassageKind::Lesson => Some("a lesson"),
        PassageKind::Action => Some("a task"),
        PassageKind::Question => Some("a question"),
        PassageKind::Event => Some("what tools did"),
        PassageKind::Statement | PassageKind::Context | PassageKind::Names => Some("a statement"),
    };
    Origin {
        lines,
        ids: [&passage.text, &dated].into_iter().flat_map(|text| ids_of(text)).collect(),
        kind,
        is_event: passage.kind == PassageKind::Event,
        model,
        is_connection: passage.told.as_ref().is_some_and(|told| told.is_connection),
        replaces: passage.told.as_ref().map(|told| told.replaces.clone()).unwrap_or_default(),
    }
}
