//! A retrieval benchmark as it stands in a folder: documents, questions, and which documents answer them.
//!
//! Reading never fails for what is in a line: a damaged one is left out and reported with its file and
//! number. A file that is not there is a failure.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use ken_core::Digest;
use ken_core::time::leading_date;
use ken_intake::outside;
use ken_intake::scrub::scrub;
use serde::Deserialize;

use super::metrics::Gold;
use crate::failure::{Failure, FailureKind};
use crate::search::memory::MemoryDoc;

const DOCS: &str = "docs.jsonl";
const QUERIES: &str = "queries.jsonl";
const QRELS: &str = "qrels.tsv";

/// Reports of one kind that are listed one by one.
const NOTES_MAX: usize = 20;

/// A half of a benchmark's questions: one to tune on, one to judge by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Half {
    /// Questions whose id has a digest that begins with an even byte.
    Tune,
    /// The others.
    Held,
}

impl Half {
    /// Returns the half of this name.
    pub fn parse(name: &str) -> Option<Half> {
        match name {
            "tune" => Some(Half::Tune),
            "held" => Some(Half::Held),
            _ => None,
        }
    }

    /// Returns the half that a question belongs to.
    pub(crate) fn of(id: &str) -> Half {
        if Digest::of(id.as_bytes()).as_bytes()[0].is_multiple_of(2) { Half::Tune } else { Half::Held }
    }
}

/// A question of a benchmark.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct BenchQuestion {
    pub(crate) id: String,
    pub(crate) text: String,
    pub(crate) kind: String,
    /// The only documents to be searched, if it says.
    pub(crate) scope: Option<String>,
}

/// A benchmark.
#[derive(Debug, Default)]
pub(crate) struct Benchmark {
    pub(crate) ids: Vec<String>,
    pub(crate) scopes: Vec<Option<String>>,
    pub(crate) docs: Vec<MemoryDoc>,
    pub(crate) questions: Vec<BenchQuestion>,
    /// What answers each question that is answered.
    pub(crate) gold: BTreeMap<String, Gold>,
    /// What did not read.
    pub(crate) notes: Vec<String>,
}

#[derive(Deserialize)]
struct Line {
    id: serde_json::Value,
    text: String,
    #[serde(default, rename = "type")]
    kind: Option<String>,
    #[serde(default)]
    meta: serde_json::Value,
}

impl Line {
    fn id(&self) -> String {
        self.id.as_str().map_or_else(|| self.id.to_string(), str::to_owned)
    }

    fn meta(&self, name: &str) -> Option<&str> {
        self.meta.get(name).and_then(|value| value.as_str())
    }
}

impl Benchmark {
    /// Returns the benchmark that a folder holds.
    ///
    /// # Errors
    /// When one of its three files cannot be read.
    pub(crate) fn read(folder: &Path) -> Result<Benchmark, Failure> {
        let mut benchmark = Benchmark::default();
        benchmark.take_docs(&bytes_of(folder, DOCS)?);
        benchmark.take_questions(&bytes_of(folder, QUERIES)?);
        benchmark.take_grades(&bytes_of(folder, QRELS)?);
        benchmark.name_notes(folder);
        Ok(benchmark)
    }

    /// Returns the questions of a folder and what did not read.
    ///
    /// # Errors
    /// When they cannot be read.
    pub(crate) fn read_questions(folder: &Path) -> Result<(Vec<BenchQuestion>, Vec<String>), Failure> {
        let mut benchmark = Benchmark::default();
        benchmark.take_questions(&bytes_of(folder, QUERIES)?);
        benchmark.name_notes(folder);
        Ok((benchmark.questions, benchmark.notes))
    }

    fn name_notes(&mut self, folder: &Path) {
        self.notes.iter_mut().for_each(|note| *note = folder.join(&*note).display().to_string());
    }

    fn take_docs(&mut self, bytes: &[u8]) {
        let mut notes = Notes::new(DOCS);
        let mut known = BTreeSet::new();
        for (n, line) in lines::<Line>(bytes, &mut notes) {
            if !known.insert(line.id()) {
                notes.add(n, &format!("a second document `{}` is left out", line.id()));
                continue;
            }
            self.ids.push(line.id());
            self.scopes.push(line.meta("scope").map(str::to_owned));
            let date = line.meta("date").and_then(|date| leading_date(&date.replace('/', "-")));
            let (name, title) = (line.id(), line.meta("title").map(str::to_owned));
            // As it would come into a vault.
            let text = scrub(&line.text).0.into_owned();
            self.docs.push(MemoryDoc { name, text, title, date });
        }
        self.notes.extend(notes.finish());
    }

    fn take_questions(&mut self, bytes: &[u8]) {
        let mut notes = Notes::new(QUERIES);
        let mut known = BTreeSet::new();
        for (n, line) in lines::<Line>(bytes, &mut notes) {
            if !known.insert(line.id()) {
                notes.add(n, &format!("a second question `{}` is left out", line.id()));
                continue;
            }
            let (id, scope) = (line.id(), line.meta("scope").map(str::to_owned));
            self.questions.push(BenchQuestion { id, text: line.text, kind: line.kind.unwrap_or_default(), scope });
        }
        self.notes.extend(notes.finish());
    }

    fn take_grades(&mut self, bytes: &[u8]) {
        let mut notes = Notes::new(QRELS);
        let docs: BTreeSet<&str> = self.ids.iter().map(String::as_str).collect();
        let questions: BTreeSet<&str> = self.questions.iter().map(|question| question.id.as_str()).collect();
        let mut grades: BTreeMap<String, BTreeMap<String, u32>> = BTreeMap::new();
        for (n, line) in text_lines(bytes, &mut notes) {
            let mut fields = line.split('\t').map(str::trim);
            let (question, doc, grade) = (fields.next(), fields.next(), fields.next());
            let (Some(question), Some(doc), Some(grade)) = (question, doc, grade) else {
                notes.add(n, "expected question, document and grade between tabs");
                continue;
            };
            let Ok(grade) = grade.parse::<u32>() else {
                if n > 1 {
                    notes.add(n, &format!("`{grade}` is no grade: a whole number is expected"));
                }
                continue;
            };
            if !questions.contains(question) {
                notes.add(n, &format!("there is no question `{question}`"));
                continue;
            }
            if !docs.contains(doc) {
                notes.add(n, &format!("there is no document `{doc}`; it counts as not found"));
            }
            if grade > 0 {
                grades.entry(question.to_owned()).or_default().insert(doc.to_owned(), grade);
            }
        }
        let top = grades.values().flat_map(BTreeMap::values).copied().max().unwrap_or(1);
        self.gold = grades.into_iter().map(|(question, grades)| (question, Gold::new(grades, top))).collect();
        self.notes.extend(notes.finish());
    }
}

fn bytes_of(folder: &Path, name: &str) -> Result<Vec<u8>, Failure> {
    let path = folder.join(name);
    outside::read(&path).map_err(|error| {
        let failure = Failure::io("read", &path.display().to_string(), &error);
        Failure { kind: FailureKind::Usage, ..failure }
            .hint(format!("a benchmark is a folder with {DOCS}, {QUERIES} and {QRELS}"))
    })
}

/// What is wrong with one file, so much of it as anybody reads.
struct Notes {
    file: &'static str,
    notes: Vec<(usize, String)>,
    n_more: usize,
}

impl Notes {
    fn new(file: &'static str) -> Notes {
        Notes { file, notes: Vec::new(), n_more: 0 }
    }

    fn add(&mut self, n: usize, what: &str) {
        if self.notes.len() < NOTES_MAX {
            self.notes.push((n, ken_core::text::cut(what, 200)));
        } else {
            self.n_more += 1;
        }
    }

    fn finish(mut self) -> Vec<String> {
        self.notes.sort();
        let file = self.file;
        let more = (self.n_more > 0).then(|| format!("{file}: {} more lines like these", self.n_more));
        self.notes.into_iter().map(|(n, what)| format!("{file}:{n}: {what}")).chain(more).collect()
    }
}

/// The lines that are text and not empty, with their numbers.
fn text_lines<'t>(bytes: &'t [u8], notes: &mut Notes) -> Vec<(usize, &'t str)> {
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    let mut out = Vec::new();
    for (at, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        match std::str::from_utf8(line) {
            Ok(line) if line.trim().is_empty() => {}
            Ok(line) => out.push((at + 1, line.trim_end_matches('\r'))),
            Err(_) => notes.add(at + 1, "not UTF-8 text"),
        }
    }
    out
}

fn lines<T: for<'de> Deserialize<'de>>(bytes: &[u8], notes: &mut Notes) -> Vec<(usize, T)> {
    let mut out = Vec::new();
    for (n, line) in text_lines(bytes, notes) {
        match serde_json::from_str(line) {
            Ok(read) => out.push((n, read)),
            Err(error) => notes.add(n, &plain(&error)),
        }
    }
    out
}

/// The cause without the place: each line is read by itself, so that it would always be line 1.
fn plain(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split(" at line 1 ").next().unwrap_or(&text).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(docs: &str, queries: &str, qrels: &str) -> Benchmark {
        let mut benchmark = Benchmark::default();
        benchmark.take_docs(docs.as_bytes());
        benchmark.take_questions(queries.as_bytes());
        benchmark.take_grades(qrels.as_bytes());
        benchmark
    }

    #[test]
    fn documents_come_as_they_would_into_a_vault_with_what_is_said_beside_them() {
        let docs = "{\"id\":\"a\",\"text\":\"pass\u{200b}word: hunter22!\",\"meta\":{\"date\":\"2026/03/02 (Mon) 10:00\"}}\n\
                    {\"id\":\"b\",\"text\":\"# Head\",\"meta\":{\"title\":\"Title\",\"date\":\"soon\",\"scope\":\"s\"}}\n\
                    {\"id\":3,\"text\":\"plain\"}\r\n";
        let benchmark = read(docs, "", "");
        let known: Vec<(&str, Option<&str>, Option<String>)> = benchmark
            .docs
            .iter()
            .map(|doc| (doc.name.as_str(), doc.title.as_deref(), doc.date.map(|date| date.to_string())))
            .collect();
        assert_eq!(known, [("a", None, Some("2026-03-02".to_owned())), ("b", Some("Title"), None), ("3", None, None)]);
        assert_eq!(benchmark.docs[0].text, "password: [redacted:password]");
        assert_eq!((benchmark.scopes[1].as_deref(), benchmark.notes.len()), (Some("s"), 0));
    }

    #[test]
    fn the_header_of_grades_is_optional_and_the_highest_grade_is_relevant() {
        let docs = "{\"id\":\"a\",\"text\":\"x\"}\n{\"id\":\"b\",\"text\":\"x\"}\n";
        let queries = "{\"id\":\"q\",\"text\":\"x\"}\n{\"id\":\"r\",\"text\":\"x\"}\n";
        for header in ["", "qid\tdocid\tgrade\n"] {
            let benchmark = read(docs, queries, &format!("{header}q\ta\t2\nq\tb\t1\nr\ta\t0\n"));
            let gold = &benchmark.gold["q"];
            assert_eq!(
                (gold.grades.len(), gold.relevant.iter().cloned().collect::<Vec<_>>()),
                (2, vec!["a".to_owned()])
            );
            assert!(!benchmark.gold.contains_key("r") && benchmark.notes.is_empty());
        }
    }

    #[test]
    fn damaged_lines_are_reported_and_the_rest_is_read() {
        let docs = "{\"id\":\"a\",\"text\":\"x\"}\nnot json\n\n{\"id\":\"a\",\"text\":\"y\"}\n{\"id\":\"b\"}\n";
        let queries = "{\"id\":\"q\",\"text\":\"x\"}\n";
        let qrels = "qid\tdocid\tgrade\nq\ta\t1\nq\tz\t1\nw\ta\t1\nq a 1\nq\ta\thigh\n";
        let benchmark = read(docs, queries, qrels);
        assert_eq!((benchmark.docs.len(), benchmark.gold["q"].relevant.len()), (1, 2));
        let expected = [
            "docs.jsonl:2: expected ident",
            "docs.jsonl:4: a second document `a` is left out",
            "docs.jsonl:5: missing field `text`",
            "qrels.tsv:3: there is no document `z`; it counts as not found",
            "qrels.tsv:4: there is no question `w`",
            "qrels.tsv:5: expected question, document and grade between tabs",
            "qrels.tsv:6: `high` is no grade: a whole number is expected",
        ];
        assert_eq!(benchmark.notes, expected);
    }

    #[test]
    fn bytes_that_are_no_text_are_a_damaged_line() {
        let mut benchmark = Benchmark::default();
        benchmark.take_docs(b"\xff\xfe\n{\"id\":\"a\",\"text\":\"x\"}\n");
        assert_eq!((benchmark.docs.len(), benchmark.notes), (1, vec!["docs.jsonl:1: not UTF-8 text".to_owned()]));
    }

    #[test]
    fn halves_are_told_by_the_digest_of_the_id() {
        let tune: Vec<&str> = ["q1", "q2", "q3", "q4"].into_iter().filter(|id| Half::of(id) == Half::Tune).collect();
        assert_eq!(tune, ["q2", "q4"]);
    }
}
