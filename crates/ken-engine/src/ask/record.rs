//! Records of answers: `.kenning/answers/SLUG.json`, one file a question.
//!
//! A record holds the question, the answer with what every sentence cites, and what was consulted. The page
//! of the answer is made from it by every compile.

use std::collections::BTreeMap;

use ken_core::answer::{Answer, Citation, ConsultedRef, FiledAnswer, Sentence, question_key, question_line};
use ken_core::claim::SourceRef;
use ken_core::{Basis, Date, Slug, Timestamp, VaultPath};
use serde::{Deserialize, Serialize};

use crate::engine::Engine;
use crate::failure::Failure;
use crate::wiki::LeftOut;

/// Where the records lie.
const FOLDER: &str = ".kenning/answers";

/// The record as it stands on disk.
#[derive(Debug, Serialize, Deserialize)]
struct Wire {
    question: String,
    asked_at: Timestamp,
    day: Date,
    first_day: Date,
    answer: Vec<WireSentence>,
    consulted: Vec<WireConsulted>,
    follow_ups: Vec<String>,
    model: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
struct WireSentence {
    text: String,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    superseded: bool,
    citations: Vec<WireCitation>,
}

#[derive(Debug, Serialize, Deserialize)]
struct WireCitation {
    path: String,
    slug: Option<String>,
    lines: (usize, usize),
    digest: String,
    /// The places in the journal and the sources, in the form of a page's citations.
    sources: Vec<String>,
}

#[derive(Debug, Serialize, Deserialize)]
struct WireConsulted {
    path: String,
    slug: Option<String>,
    why: String,
    digest: String,
}

/// What is known of the records.
#[derive(Debug, Default)]
pub(crate) struct Records {
    /// The answers, by slug.
    pub(crate) answers: Vec<(Slug, FiledAnswer)>,
    /// Records that do not read, with the reason.
    pub(crate) damaged: LeftOut,
    /// The slugs of all records, damaged ones too.
    pub(crate) slugs: Vec<Slug>,
    /// Each record's file as it was read.
    bases: BTreeMap<Slug, Basis>,
}

impl Records {
    /// Returns the answer to a question.
    pub(crate) fn find(&self, key: &str) -> Option<&(Slug, FiledAnswer)> {
        self.answers.iter().find(|(_, filed)| question_key(&filed.question).as_deref() == Some(key))
    }

    /// Returns what a new record of a page takes the place of.
    pub(crate) fn basis(&self, slug: &Slug) -> Basis {
        self.bases.get(slug).cloned().unwrap_or_else(|| Basis::nothing(record_path(slug)))
    }
}

impl Engine {
    /// Returns every record, sorted by slug.
    pub(crate) fn answer_records(&self) -> Result<Records, Failure> {
        let folder = VaultPath::new(FOLDER).expect("a folder name is a vault path");
        let mut files = self.store.list(&folder)?.files;
        files.retain(|file| file.path.extension() == "json");
        let read = self.store.map_files(&files, |file, bytes| (read(&bytes), Basis::of(&file.path, Some(&bytes))))?;
        let mut records = Records::default();
        for (file, filed) in files.iter().zip(read) {
            let slug = Slug::from_text(file.path.stem()).filter(|slug| slug.as_str() == file.path.stem());
            records.slugs.extend(slug.clone());
            let (filed, basis) = filed.map_or((None, None), |(filed, basis)| (filed, Some(basis)));
            records.bases.extend(slug.clone().zip(basis));
            match (slug, filed) {
                (Some(slug), Some(filed)) => records.answers.push((slug, filed)),
                _ => records.damaged.push((file.path.to_string(), "it does not read as a filed answer".to_owned())),
            }
        }
        records.answers.sort_by(|a, b| a.0.cmp(&b.0));
        Ok(records)
    }

    /// Returns where the page of an answer stands.
    pub(crate) fn answer_page(&self, slug: &Slug) -> VaultPath {
        let layout = self.layout();
        let name = match layout.preset.has_folders {
            true => format!("{}/{slug}.md", ken_core::Category::Question.folder()),
            false => format!("{slug}.md"),
        };
        layout.wiki.join(&name).expect("a slug is a file name")
    }
}

/// Returns where the record of an answer lies.
pub(crate) fn record_path(slug: &Slug) -> VaultPath {
    VaultPath::new(&format!("{FOLDER}/{slug}.json")).expect("a slug is a file name")
}

/// Returns the bytes of a record.
pub(crate) fn write(filed: &FiledAnswer) -> Vec<u8> {
    let citation = |one: &Citation| WireCitation {
        path: one.path.to_string(),
        slug: one.slug.as_ref().map(Slug::to_string),
        lines: one.lines,
        digest: one.digest.clone(),
        sources: one.refs.iter().map(SourceRef::to_string).collect(),
    };
    let sentence = |one: &Sentence| WireSentence {
        text: one.text.clone(),
        superseded: one.is_superseded,
        citations: one.citations.iter().map(citation).collect(),
    };
    let consulted = |one: &ConsultedRef| WireConsulted {
        path: one.path.to_string(),
        slug: one.slug.as_ref().map(Slug::to_string),
        why: one.why.clone(),
        digest: one.digest.clone(),
    };
    let wire = Wire {
        question: filed.question.clone(),
        asked_at: filed.asked_at,
        day: filed.day,
        first_day: filed.first_day,
        answer: filed.answer.sentences.iter().map(sentence).collect(),
        consulted: filed.consulted.iter().map(consulted).collect(),
        follow_ups: filed.follow_ups.iter().map(Slug::to_string).collect(),
        model: filed.model.clone(),
    };
    let mut bytes = serde_json::to_vec_pretty(&wire).expect("a record has text keys, so it is JSON");
    bytes.push(b'\n');
    bytes
}

/// Reads a record, which anybody may have changed: names and places are checked like any other.
fn read(bytes: &[u8]) -> Option<FiledAnswer> {
    let wire: Wire = serde_json::from_slice(bytes).ok()?;
    let citation = |one: WireCitation| {
        Some(Citation {
            path: VaultPath::new(&one.path)?,
            slug: page_slug(one.slug)?,
            lines: one.lines,
            digest: one.digest,
            refs: one.sources.iter().map(|text| SourceRef::parse(text)).collect::<Option<_>>()?,
        })
    };
    let sentence = |one: WireSentence| {
        let citations: Option<Vec<Citation>> = one.citations.into_iter().map(citation).collect();
        let text = ken_core::text::one_line(&one.text);
        Some(Sentence { text, is_superseded: one.superseded, citations: citations.filter(|all| !all.is_empty())? })
    };
    let consulted = |one: WireConsulted| {
        let slug = page_slug(one.slug)?;
        Some(ConsultedRef { path: VaultPath::new(&one.path)?, slug, why: one.why, digest: one.digest })
    };
    let question = question_line(&wire.question);
    question_key(&question)?;
    Some(FiledAnswer {
        question,
        asked_at: wire.asked_at,
        day: wire.day,
        first_day: wire.first_day,
        answer: Answer { sentences: wire.answer.into_iter().map(sentence).collect::<Option<_>>()? },
        consulted: wire.consulted.into_iter().map(consulted).collect::<Option<_>>()?,
        follow_ups: wire.follow_ups.iter().map(|slug| known_slug(slug)).collect::<Option<_>>()?,
        model: wire.model,
    })
}

/// The name of a page, or that there is none; nothing when it is no name.
fn page_slug(text: Option<String>) -> Option<Option<Slug>> {
    match text {
        None => Some(None),
        Some(text) => known_slug(&text).map(Some),
    }
}

/// A slug that must read as itself.
fn known_slug(text: &str) -> Option<Slug> {
    Slug::from_text(text).filter(|slug| slug.as_str() == text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECORD: &str = r#"{"question":"How long do tokens live?","asked_at":"2026-06-01T12:00:00Z","day":"2026-06-01","first_day":"2026-06-01","answer":[{"text":"Tokens live 15 minutes.","citations":[{"path":"knowledge/concepts/jwt.md","slug":"jwt","lines":[7,7],"digest":"7f3a9c1e","sources":["daily/2026-04-08.md#L2-L2 c20b11d4 \"y\""]}]}],"consulted":[{"path":"knowledge/concepts/jwt.md","slug":"jwt","why":"match","digest":"00"}],"follow_ups":["oauth"],"model":null}"#;

    #[test]
    fn a_record_reads_as_it_was_written() {
        let filed = read(RECORD.as_bytes()).expect("it reads");
        assert_eq!(read(&write(&filed)), Some(filed));
    }

    #[test]
    fn a_record_cannot_name_what_is_not_in_the_vault() {
        for (from, to) in [("knowledge/concepts/jwt.md", "../etc/passwd"), ("\"oauth\"", "\"../x\""), ("[{", "[[{")] {
            assert_eq!(read(RECORD.replace(from, to).as_bytes()), None, "{to}");
        }
    }
}
