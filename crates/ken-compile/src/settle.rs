//! What the journal says of disputes that somebody settled.
//!
//! A settlement is a statement like others: it says again what holds, on the pages on which the claims stand, and takes the
//! place of what does not. Only an entry that a person, or a command in their name, wrote may hold one: what was captured
//! from a session or stands in a document has its form by chance or on purpose, and settles nothing.

use std::collections::BTreeSet;

use ken_core::claim::{SourceRef, quote};
use ken_core::journal::{Provenance, one_line};
use ken_core::settled::Settlement;
use ken_core::words::subject_key;

use super::called;
use super::passage::{Entry, Learned, Passage, PassageKind};
use super::told::Told;

/// Returns whether an entry may settle something.
pub fn may_settle(provenance: &Provenance) -> bool {
    provenance.session.is_none() && provenance.distilled.is_none() && provenance.trust.as_deref() == Some("user")
}

/// Returns the passage of an item that settles a dispute: it says what holds.
pub(crate) fn passage(item: &str, lines: (usize, usize), digest: String) -> Option<Passage> {
    let settled = Settlement::parse(&one_line(item))?;
    let texts = |holds: bool| settled.that(holds).map(|side| side.text.as_str()).collect::<Vec<_>>();
    let text = match texts(true).first() {
        Some(text) => (*text).to_owned(),
        None => format!("It was settled that this does not hold: {}", texts(false).join(" / ")),
    };
    let told = Told { quote: quote(&text), settled: Some(Box::new(settled)), ..Told::default() };
    let (kind, told) = (PassageKind::Decision, Some(Box::new(told)));
    Some(Passage { text, lines, kind, place: None, cited: None, digest, told, learned: Learned::Plain })
}

/// The keys under which the pages may stand that a settlement is about: their names are all that it knows of them.
pub(crate) fn keys(settled: &Settlement) -> BTreeSet<String> {
    let names = settled.pages.iter().flat_map(|(slug, title)| {
        let slug = slug.as_str().replace('-', " ");
        [subject_key(title), subject_key(&slug), called::key(title)]
    });
    names.filter(|key| !key.is_empty()).collect()
}

impl Entry {
    /// Returns whether it only settles disputes, or tells how documents changed: then it names nothing of its own.
    pub(crate) fn is_record(&self) -> bool {
        let is_record = |passage: &Passage| passage.told.as_ref().is_some_and(|told| told.is_record());
        let mut said = self.passages.iter().filter(|passage| passage.kind.is_said());
        self.passages.iter().any(is_record) && said.all(is_record)
    }
}

/// Whether two citations are of the same lines.
pub(crate) fn is_same_place(a: &SourceRef, b: &SourceRef) -> bool {
    a.path == b.path && a.digest == b.digest
}
