//! Answers that were kept, and whether what they rest on still stands.

use std::collections::BTreeSet;

use crate::claim::{SourceRef, Standing};
use crate::path::VaultPath;
use crate::slug::Slug;
use crate::text::{cut, one_line};
use crate::time::{Date, Timestamp};
use crate::words::folded_words;

use super::{Answer, Citable, Citation, Sentence};

/// Longest question that is kept, in characters: beyond it, it is a paste.
const QUESTION_CHARS_MAX: usize = 300;

/// Returns a question as it is kept: one line without anything that drives a terminal or reorders text, cut
/// to a length that can be a title.
pub fn question_line(question: &str) -> String {
    let is_mark = |ch: &char| matches!(*ch, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}');
    let plain: String = question.chars().filter(|ch| !is_mark(ch)).collect();
    cut(&one_line(&plain), QUESTION_CHARS_MAX)
}

/// Returns what two spellings of one question have in common, or `None` when it asks nothing.
pub fn question_key(question: &str) -> Option<String> {
    let folded: Vec<String> = folded_words(question);
    (!folded.is_empty()).then(|| folded.join(" "))
}

/// A page or a piece of evidence that was looked at, as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsultedRef {
    /// The file.
    pub path: VaultPath,
    /// A page's name; none for evidence.
    pub slug: Option<Slug>,
    /// Why it was looked at.
    pub why: String,
    /// Digest of its bytes at that time, in full.
    pub digest: String,
}

/// A question with its answer as they are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FiledAnswer {
    /// The question, on one line and without secrets.
    pub question: String,
    /// When it was answered last.
    pub asked_at: Timestamp,
    /// The local day of that.
    pub day: Date,
    /// The local day on which it was answered first.
    pub first_day: Date,
    /// The answer.
    pub answer: Answer,
    /// What was looked at for it.
    pub consulted: Vec<ConsultedRef>,
    /// Pages that may say more and were not looked at.
    pub follow_ups: Vec<Slug>,
    /// The model that wrote the answer; none when it was picked from the vault.
    pub model: Option<String>,
}

/// What a vault says now.
pub trait Look {
    /// Returns the text of a file, if it is there.
    fn text(&self, path: &VaultPath) -> Option<String>;
    /// Returns what an answer may cite of a page.
    fn citables(&self, path: &VaultPath) -> Vec<Citable>;
    /// Returns the file of a page.
    fn find(&self, slug: &Slug) -> Option<VaultPath>;
    /// Returns whether nobody vouches for a source.
    fn is_external(&self, path: &VaultPath) -> bool;
}

/// A filed answer beside what the vault says now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stands {
    /// The answer, its citations where they stand now.
    pub answer: Answer,
    /// What no longer says what it is cited for, or was removed, as links and places.
    pub changed: Vec<String>,
}

impl Stands {
    /// Returns whether something that the answer rests on changed.
    pub fn is_stale(&self) -> bool {
        !self.changed.is_empty()
    }
}

impl FiledAnswer {
    /// Returns what became of the answer: every citation is looked for, first where it was, then in the rest
    /// of its file. That a page says more than before changes nothing.
    pub fn stands(&self, look: &dyn Look) -> Stands {
        let mut changed: Vec<String> = Vec::new();
        let mut seen = BTreeSet::new();
        let mut note = |what: String| {
            if seen.insert(what.clone()) {
                changed.push(what);
            }
        };
        let mut sentences = Vec::new();
        for sentence in &self.answer.sentences {
            let now = |citation: &Citation| stands(citation, sentence.is_superseded, look);
            let citations = sentence.citations.iter().map(|citation| match now(citation) {
                Ok(found) => found,
                Err(what) => {
                    note(what);
                    citation.clone()
                }
            });
            let citations = citations.collect();
            sentences.push(Sentence { citations, ..sentence.clone() });
        }
        for (path, slug) in self.consulted.iter().filter_map(|one| Some((&one.path, one.slug.as_ref()?))) {
            if standing_page(path, slug, look).is_none() {
                note(format!("`{slug}`"));
            }
        }
        Stands { answer: Answer { sentences }, changed }
    }
}

/// Where a page stands: where it stood, or under its name elsewhere.
pub(super) fn standing_page(path: &VaultPath, slug: &Slug, look: &dyn Look) -> Option<VaultPath> {
    if look.text(path).is_some() { Some(path.clone()) } else { look.find(slug) }
}

/// A citation as it stands now, or what has changed.
fn stands(citation: &Citation, was_superseded: bool, look: &dyn Look) -> Result<Citation, String> {
    let Some(slug) = &citation.slug else { return evidence_stands(citation, look) };
    let Some(path) = standing_page(&citation.path, slug, look) else { return Err(format!("`{slug}`")) };
    let link = || format!("[[{slug}]]");
    let same: Vec<Citable> = look.citables(&path).into_iter().filter(|one| one.digest() == citation.digest).collect();
    let holds = |one: &&Citable| was_superseded || !one.is_superseded;
    let here = same.iter().filter(holds).find(|one| one.lines == citation.lines);
    let found = here.or_else(|| same.iter().find(holds)).ok_or_else(link)?;
    // A page of a person may still say what its source no longer does.
    let stand = |cited: &SourceRef| standing_ref(cited, look);
    let refs: Vec<SourceRef> = found.refs.iter().filter_map(stand).collect();
    match found.refs.first().filter(|_| refs.is_empty()) {
        Some(gone) => Err(format!("`{}`", gone.path)),
        // A page that cites nothing is all there is to cite.
        None if refs.is_empty() => {
            let cited = look.text(&path).and_then(|text| SourceRef::cite(&path, &text, found.lines, &found.text));
            Ok(Citation { path, lines: found.lines, refs: cited.into_iter().collect(), ..citation.clone() })
        }
        None => Ok(Citation { path, lines: found.lines, refs, ..citation.clone() }),
    }
}

fn evidence_stands(citation: &Citation, look: &dyn Look) -> Result<Citation, String> {
    let found = citation.refs.iter().find_map(|cited| standing_ref(cited, look));
    let found = found.ok_or_else(|| format!("`{}`", citation.path))?;
    Ok(Citation { lines: found.lines, refs: vec![found], ..citation.clone() })
}

fn standing_ref(cited: &SourceRef, look: &dyn Look) -> Option<SourceRef> {
    match cited.standing(&look.text(&cited.path)?) {
        Standing::There => Some(cited.clone()),
        Standing::Moved(first, last) => Some(SourceRef { lines: (first, last), ..cited.clone() }),
        Standing::Gone => None,
    }
}
