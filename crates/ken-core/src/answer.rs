//! Answers that say nothing which is not cited.
//!
//! A question is answered from what was [`Consulted`]: pages of a route and passages of the journal and the
//! sources, each as the sentences that an answer may cite. Who writes the [`Answer`] does not matter:
//! [`extract`] picks sentences as they stand, another author may word its own; [`check_answer`] drops what
//! cites nothing that was consulted, and everything behind it is the same for all.
//!
//! A filed answer is a [`FiledAnswer`]: its page is a function of that record and of what the vault says.

mod citable;
mod testimony;
mod extract;
mod filed;
mod page;
mod reply;
mod request;
mod thread;

pub use citable::{Citable, citables_of_lines, citables_of_page, said_behind};
pub use extract::{extract, nearest};
pub use filed::{ConsultedRef, FiledAnswer, Look, Stands, question_key, question_line};
pub use page::render_answer_page;
pub use reply::{begun, reply_to};
pub use testimony::{AskedTime, Testimony, says_it_is_past};
pub use thread::joined_question;

use crate::claim::SourceRef;
use crate::digest::Digest;
use crate::frame::{quoted, section};
use crate::page::outline::{Remark, SUPERSEDED_MARK};
use crate::path::VaultPath;
use crate::slug::Slug;
use crate::time::Date;
use crate::trust::EXTERNAL_MARK;

/// A page, or a part of the journal or of a source, that was looked at for an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Consulted {
    /// The file.
    pub path: VaultPath,
    /// A page's name; none for evidence.
    pub slug: Option<Slug>,
    /// What it is called.
    pub title: String,
    /// The other words that lead to a page: aliases and triggers.
    pub names: Vec<String>,
    /// Why it was looked at: `match` for a page that was found, `evidence` for lines of the journal, the talk or a
    /// source, `filed` for a page that a filed answer was taken from.
    pub why: String,
    /// Its day; of a page, of its newest source.
    pub date: Option<Date>,
    /// Whether it is a source, or the page of one: what a document says still holds where a younger one says
    /// something else.
    pub is_document: bool,
    /// Digest of the file's bytes.
    pub digest: Digest,
    /// Whether it is a filed answer: what that was taken from is consulted in its place.
    pub is_answer: bool,
    /// Of a talk: the lines of what a person began it with, first and last.
    pub begun: Option<(usize, usize)>,
    /// What an answer may cite of it.
    pub citables: Vec<Citable>,
}

impl Consulted {
    /// Returns the section of a document that a citation of it leads to, see [`section`].
    pub fn section_of(&self, citation: &Citation) -> Option<String> {
        let is_it = |one: &&Citable| one.lines == citation.lines && one.digest() == citation.digest;
        let here = self.is_document && self.path == citation.path;
        let heading = &self.citables.iter().filter(|_| here).find(is_it)?.heading;
        Some(section(heading, &self.title)).filter(|section| !section.is_empty())
    }

    /// Returns the citation of one of its sentences.
    pub fn cite(&self, citable: &Citable) -> Citation {
        Citation {
            path: self.path.clone(),
            slug: self.slug.clone(),
            lines: citable.lines,
            digest: citable.digest(),
            refs: citable.refs.clone(),
        }
    }
}

/// Where a sentence of an answer stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Citation {
    /// The file.
    pub path: VaultPath,
    /// A page's name; none for the journal and the sources.
    pub slug: Option<Slug>,
    /// First and last line, from 1, both included.
    pub lines: (usize, usize),
    /// First 8 hex digits of the digest of the cited sentence, without its footnote marks.
    pub digest: String,
    /// What the cited sentence rests on itself: the places in the journal and the sources.
    pub refs: Vec<SourceRef>,
}

impl Citation {
    /// Returns how the citation stands in an answer: a link to the page, or the place of evidence.
    pub fn mark(&self) -> String {
        let (first, last) = self.lines;
        match &self.slug {
            Some(slug) => format!("[[{slug}]]"),
            None if first == last => format!("({}:{first})", self.path),
            None => format!("({}:{first}-{last})", self.path),
        }
    }
}

/// One sentence of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sentence {
    /// Its words, plain.
    pub text: String,
    /// Whether it no longer holds.
    pub is_superseded: bool,
    /// Where it stands; never empty in a checked answer.
    pub citations: Vec<Citation>,
}

impl Sentence {
    /// Returns whether all that it rests on stands in external sources.
    pub fn is_external(&self, is_external: &impl Fn(&VaultPath) -> bool) -> bool {
        let rests = |citation: &Citation| match citation.refs.as_slice() {
            [] => is_external(&citation.path),
            refs => refs.iter().all(|cited| is_external(&cited.path)),
        };
        !self.citations.is_empty() && self.citations.iter().all(rests)
    }
}

/// What stands in front of a passage that says itself that it is stale.
const STALE_MARK: &str = "(stale) ";

/// What a question is answered with; empty when nothing that was consulted answers it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answer {
    /// The sentences, in order.
    pub sentences: Vec<Sentence>,
}

impl Answer {
    /// Returns the passages of the answer: sentences that stand together, as a frame quotes them, with a mark in front
    /// where they are superseded, or nobody vouches for where they stand.
    pub fn passages(&self, is_external: impl Fn(&VaultPath) -> bool) -> Vec<Passage> {
        let mut out: Vec<Passage> = Vec::new();
        let together = |a: &Sentence, b: &Sentence| {
            a.is_superseded == b.is_superseded && a.is_external(&is_external) == b.is_external(&is_external)
        };
        let runs = self.sentences.chunk_by(|a, b| together(a, b) && follows(&a.citations, &b.citations));
        for run in runs {
            // Nothing took the place of what is only old.
            let is_stale = run.iter().all(|one| one.text.contains("(stale"));
            let superseded = match (run[0].is_superseded, is_stale) {
                (true, true) => STALE_MARK,
                (true, false) => SUPERSEDED_MARK,
                (false, _) => "",
            };
            let external = if run[0].is_external(&is_external) { EXTERNAL_MARK } else { "" };
            let mut places = run[0].citations.clone();
            for (place, last) in places.iter_mut().zip(&run[run.len() - 1].citations) {
                place.lines.1 = last.lines.1.max(place.lines.1);
            }
            out.push(Passage { text: format!("{superseded}{external}{}", quoted(&joined(run))), places });
        }
        out
    }

    /// Returns the citations in order, each place once.
    pub fn citations(&self) -> Vec<&Citation> {
        let mut out: Vec<&Citation> = Vec::new();
        for citation in self.sentences.iter().flat_map(|sentence| &sentence.citations) {
            if !out.iter().any(|known| (&known.path, known.lines) == (&citation.path, citation.lines)) {
                out.push(citation);
            }
        }
        out
    }
}

/// Sentences of an answer that stand together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// Their words, with marks.
    pub text: String,
    /// Where they stand, from the first to the last of them.
    pub places: Vec<Citation>,
}

/// Sentences as one text; what ends like none, an item or a row, is set apart.
fn joined(sentences: &[Sentence]) -> String {
    let mut out = String::new();
    for Sentence { text, .. } in sentences {
        let is_ended = out.ends_with(['.', '!', '?', ':', '。', '！', '？', '"', '”']);
        out.push_str(match (out.is_empty(), is_ended) {
            (true, _) => "",
            (false, true) => " ",
            (false, false) => "; ",
        });
        out.push_str(text);
    }
    out
}

/// Lines that may lie between sentences that stand together: a blank one.
const LINES_BETWEEN: usize = 2;

/// Whether what stands at `b` goes on from what stands at `a`.
fn follows(a: &[Citation], b: &[Citation]) -> bool {
    let ([a], [b]) = (a, b) else { return a == b };
    (&a.path, &a.slug) == (&b.path, &b.slug) && (a.lines.0..=a.lines.1 + LINES_BETWEEN).contains(&b.lines.0)
}

/// Returns the answer without citations of what was not consulted or does not stand there, and without the
/// sentences that are left with none; a sentence that cites only what was superseded says so.
pub fn check_answer(answer: Answer, consulted: &[Consulted]) -> Answer {
    let found = |citation: &Citation| -> Option<&Citable> {
        let places = consulted.iter().filter(|one| one.path == citation.path && one.slug == citation.slug);
        let mut citables = places.flat_map(|one| &one.citables);
        citables.find(|citable| citable.lines == citation.lines && citable.digest() == citation.digest)
    };
    let checked = |mut sentence: Sentence| {
        let mut is_current = false;
        let text = sentence.text.clone();
        sentence.citations.retain_mut(|citation| {
            let Some(citable) = found(citation) else { return false };
            is_current |= !citable.is_superseded || says_what_holds(&text, citable);
            citation.refs = citable.refs.clone();
            true
        });
        sentence.is_superseded |= !is_current;
        let says_something = sentence.text.chars().any(char::is_alphanumeric);
        (says_something && !sentence.citations.is_empty()).then_some(sentence)
    };
    Answer { sentences: answer.sentences.into_iter().filter_map(checked).collect() }
}

/// Whether all that a text says stands in what took the place of a sentence that no longer holds.
fn says_what_holds(text: &str, old: &Citable) -> bool {
    let next = Remark::read(&old.since).next;
    let words = |text: &str| extract::content_words(text, true);
    next.is_some_and(|(_, now)| {
        let now = words(now);
        words(text).iter().all(|word| now.contains(word))
    })
}

#[cfg(test)]
mod tests;
