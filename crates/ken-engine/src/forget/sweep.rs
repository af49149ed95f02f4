//! Decides about every file that is neither journal, talk nor source: what was made from the text, or quotes it.
//!
//! What can be made again goes and is made again; what is a record of its own is covered; what belongs to a person
//! is left and named. Undo records all go: no one of them can be trusted to hold nothing.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use ken_core::brief::MEMORY;
use ken_core::claim::SourceRef;
use ken_core::header::FieldName;
use ken_core::index::part::{INDEX, Marks};
use ken_core::layout::TOOL_FOLDER;
use ken_core::page::parse_page;
use ken_core::redact::Cut;
use ken_core::{Category, IndexEntry, Span, VaultPath};
use regex::Regex;
use serde_json::Value;

use super::list::list_path;
use super::needle::Needle;
use super::select::citations;
use super::{FORGOTTEN, covering};
use crate::engine::Engine;
use crate::ingest::register_path;
use crate::outcome::Holder;
use crate::wiki::is_compiled;

const A_PAGE: &str = "the page is a person's; name it with `--also` to cover it";
const AROUND: &str = "a person wrote it beside the index; take it out by hand";
const NOT_TEXT: &str = "the file is not UTF-8 text; remove it by hand";
const NOT_OURS: &str = "the file is not one of Kenning's; take it out by hand";
const A_NAME: &str = "the name holds it; rename it by hand";
const A_COPY: &str = "a copy is left, which should not be: please report this";

/// Files of the store's own that say nothing of what was said.
const SILENT: [&str; 5] = ["lock", "intent", "intent.tmp", "accepted", ".gitignore"];
/// Caches that a forgetting keeps where they hold nothing of it: they cannot be made again as they were.
const NOTES: [&str; 6] =
    ["transcripts.json", "work.json", "project.json", "hooks.log", "questions.json", "consolidated.json"];

/// What is to become of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fate {
    /// Nothing.
    Stays,
    /// It goes.
    Goes(Holder),
    /// Parts of it are covered.
    Covered(Holder, Vec<Cut>),
    /// It holds something and is left, for this reason.
    Left(Span, &'static str),
}

/// What the decision rests on.
pub(super) struct Sweep<'a> {
    pub(super) engine: &'a Engine,
    pub(super) needle: &'a Needle,
    /// Lines that are covered, by file; none where the whole file goes.
    pub(super) touched: &'a BTreeMap<String, Option<Vec<(usize, usize)>>>,
    /// Files of people's that were named.
    pub(super) also: &'a [VaultPath],
}

impl Sweep<'_> {
    /// Decides about one file.
    pub(super) fn fate(&self, path: &VaultPath, bytes: &[u8]) -> Fate {
        let text = String::from_utf8_lossy(bytes);
        let fate = match path.as_str().strip_prefix(TOOL_FOLDER).and_then(|rest| rest.strip_prefix('/')) {
            Some(name) => self.own(name, path, &text),
            None => self.seen(path, &text),
        };
        match fate {
            Fate::Covered(_, cuts) if cuts.is_empty() => Fate::Stays,
            Fate::Covered(_, cuts) if str::from_utf8(bytes).is_err() => Fate::Left(cuts[0].span, NOT_TEXT),
            other => other,
        }
    }

    /// A file of the tool's own.
    fn own(&self, name: &str, path: &VaultPath, text: &str) -> Fate {
        let in_folder = |folder: &str| name.starts_with(&format!("{folder}/"));
        let goes_if_held = |holder| if self.is_held(path, text) { Fate::Goes(holder) } else { Fate::Stays };
        match () {
            () if SILENT.contains(&name) || *path == list_path() => Fate::Stays,
            () if in_folder("undo") => Fate::Goes(Holder::Undo),
            () if in_folder("cache") && NOTES.iter().any(|note| path.file_name() == *note) => {
                goes_if_held(Holder::Cache)
            }
            () if in_folder("cache") => Fate::Goes(Holder::Cache),
            () if in_folder("ops") => Fate::Covered(Holder::Log, self.record_cuts(text)),
            () if *path == register_path() => Fate::Covered(Holder::Register, self.register_cuts(text)),
            () if path.extension() == "jsonl" => Fate::Covered(Holder::Own, self.record_cuts(text)),
            () if in_folder("answers") => goes_if_held(Holder::Answer),
            () if ["replies", "rejected", "tasks", "batches"].iter().any(|folder| in_folder(folder)) => {
                goes_if_held(Holder::Reply)
            }
            () => goes_if_held(Holder::Own),
        }
    }

    /// A file that people see.
    fn seen(&self, path: &VaultPath, text: &str) -> Fate {
        let layout = self.engine.layout();
        let is_index = *path == layout.index || path.is_under(&format!("{}/index", layout.wiki));
        if *path == layout.log {
            return Fate::Covered(Holder::Log, self.log_cuts(text));
        }
        if is_index || self.engine.config.memory_index.as_ref() == Some(path) {
            return self.index(text, if is_index { INDEX } else { MEMORY });
        }
        if *path == layout.state_record() && crate::state::is_record(text.as_bytes()) {
            // The next change makes it again of its page.
            return if self.is_held(path, text) { Fate::Goes(Holder::Own) } else { Fate::Stays };
        }
        if *path == layout.state_page() {
            return Fate::Covered(Holder::Own, covering(self.needle.spans(text)));
        }
        if path.is_under("reports") {
            return Fate::Covered(Holder::Log, covering(self.needle.spans(text)));
        }
        let is_named = self.also.iter().any(|named| named == path || path.is_under(named.as_str()));
        if layout.is_page(path) {
            return self.page(path, text, is_named);
        }
        match self.needle.spans(text).first() {
            Some(_) if is_named && layout.may_change(path) => {
                Fate::Covered(Holder::Page, covering(self.needle.spans(text)))
            }
            Some(first) => Fate::Left(*first, NOT_OURS),
            None => Fate::Stays,
        }
    }

    fn page(&self, path: &VaultPath, text: &str, is_named: bool) -> Fate {
        let page = parse_page(path, text.to_owned()).value;
        let is_answer = page.category() == Category::Question && page.scalar(FieldName::BodyDigest).is_some();
        let is_made = page.is_owned() && (is_answer || is_compiled(IndexEntry::uncounted(&page).sort()));
        let cites = || citations(text).any(|cited| self.touched.contains_key(cited.path.as_str()));
        if is_made {
            let goes = cites() || self.needle.is_in(text) || self.needle.is_in(path.as_str());
            return if goes { Fate::Goes(Holder::Compiled) } else { Fate::Stays };
        }
        let spans = self.needle.spans(text);
        match spans.first() {
            _ if page.is_owned() || is_named => Fate::Covered(Holder::Page, covering(spans)),
            Some(first) => Fate::Left(*first, A_PAGE),
            None => Fate::Stays,
        }
    }

    /// The rows of a generated part; a compile makes them again.
    fn index(&self, text: &str, marks: Marks) -> Fate {
        let (mut cuts, mut is_inside, mut left) = (Vec::new(), false, None);
        for line in lines(text) {
            let said = line.of(text).trim();
            if said == marks.begin || said == marks.end {
                is_inside = said == marks.begin;
            } else if self.needle.is_in(line.of(text)) {
                match is_inside {
                    true => cuts.push(Cut::new(line, FORGOTTEN)),
                    false => left = left.or(Some(line)),
                }
            }
        }
        // What people wrote around the part is named; it is no reason to keep what stands in the part.
        match left.filter(|_| cuts.is_empty()) {
            Some(line) => Fate::Left(line, AROUND),
            None => Fate::Covered(Holder::Index, cuts),
        }
    }

    fn log_cuts(&self, text: &str) -> Vec<Cut> {
        let mut cuts = Vec::new();
        for line in lines(text) {
            let whole = line.of(text);
            let start = if whole.starts_with("## [") { whole.find("| ").map_or(whole.len(), |at| at + 2) } else { 0 };
            cuts.extend(self.needle.spans(&whole[start..]).into_iter().map(|span| span.shifted(line.start + start)));
        }
        covering(cuts)
    }

    /// The values of records that people's words get into: subjects, and names of files.
    fn record_cuts(&self, text: &str) -> Vec<Cut> {
        static VALUE: LazyLock<Regex> = LazyLock::new(|| {
            Regex::new(r#""(subject|path|task|label|call)":"((?:[^"\\]|\\.)*)""#).expect("it is fixed")
        });
        let mut cuts = Vec::new();
        for found in VALUE.captures_iter(text) {
            let (Some(key), Some(value)) = (found.get(1), found.get(2)) else { continue };
            for span in self.needle.spans(value.as_str()) {
                let span = span.shifted(value.start());
                cuts.push(match key.as_str() {
                    "path" => Cut::in_name(span, FORGOTTEN),
                    _ => Cut::new(span, FORGOTTEN),
                });
            }
        }
        cuts
    }

    /// The lines of the register about documents that go, or whose names hold it.
    fn register_cuts(&self, text: &str) -> Vec<Cut> {
        let path_of = |line: &str| Some(serde_json::from_str::<Value>(line).ok()?.get("path")?.as_str()?.to_owned());
        let goes = |span: &Span| {
            let line = span.of(text);
            let path = path_of(line);
            path.as_deref().is_some_and(|path| matches!(self.touched.get(path), Some(None)) || self.needle.is_in(path))
                || path.is_none() && self.needle.is_in(line)
        };
        lines(text).filter(goes).map(|span| Cut::new(span, FORGOTTEN)).collect()
    }

    /// Whether a kept file holds it, says it in other letters, or was made from lines that are covered.
    fn is_held(&self, path: &VaultPath, text: &str) -> bool {
        let value = serde_json::from_str::<Value>(text).ok();
        // The names of the fields of a record (`first_day`) are no words that a document said first.
        let is_form = value.is_some() && matches!(self.needle, Needle::Traces(_));
        if !is_form && self.needle.is_in(text) || self.needle.is_in(path.file_name()) {
            return true;
        }
        value.is_some_and(|value| self.needle.is_in(&texts_of(&value)) || self.rests_on(&value))
    }

    /// Whether something in a record names lines that are covered, or a file that goes.
    fn rests_on(&self, value: &Value) -> bool {
        match value {
            Value::Array(all) => all.iter().any(|one| self.rests_on(one)),
            Value::Object(fields) => {
                let lines = fields.get("lines").and_then(|lines| Some((number(lines, 0)?, number(lines, 1)?)));
                let path = fields.get("path").and_then(Value::as_str);
                path.is_some_and(|path| self.meets(path, lines)) || fields.values().any(|one| self.rests_on(one))
            }
            Value::String(text) => {
                SourceRef::parse(text).is_some_and(|cited| self.meets(cited.path.as_str(), Some(cited.lines)))
            }
            _ => false,
        }
    }

    fn meets(&self, path: &str, lines: Option<(usize, usize)>) -> bool {
        match (self.touched.get(path), lines) {
            (None, _) | (Some(Some(_)), None) => false,
            // Where a record does not say which lines, it may be any.
            (Some(None), _) | (Some(Some(_)), Some((0, _))) => true,
            (Some(Some(covered)), Some((first, last))) => {
                covered.iter().any(|(from, to)| *from <= last && first <= *to)
            }
        }
    }
}

impl Engine {
    /// Says why a file still holds something.
    pub(super) fn why_left(&self, path: &VaultPath, text: &str, holds: &dyn Fn(&str) -> bool) -> &'static str {
        let layout = self.layout();
        let is_theirs = |path: &VaultPath| layout.is_page(path) && !parse_page(path, text.to_owned()).value.is_owned();
        let is_ours = layout.folders().iter().any(|folder| path.is_under(folder.as_str()))
            || path.is_under(TOOL_FOLDER)
            || path.is_under("reports");
        match () {
            () if is_theirs(path) => A_PAGE,
            () if INDEX.around(text).or(MEMORY.around(text)).is_some_and(|around| holds(&around.text())) => AROUND,
            () if is_ours && !path.is_under(TOOL_FOLDER) && text.contains('\u{fffd}') => NOT_TEXT,
            () if is_ours => A_COPY,
            () => NOT_OURS,
        }
    }

    /// Says why a name still holds something.
    pub(super) fn why_named() -> &'static str {
        A_NAME
    }
}

/// All texts of a record, as they were before they were written as JSON; keys among them that are no names of fields.
pub(super) fn texts_of(value: &Value) -> String {
    let is_field = |key: &str| key.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    let key_of = |key: &str| if is_field(key) { String::new() } else { format!("{key}\n") };
    match value {
        Value::String(text) => format!("{text}\n"),
        Value::Array(all) => all.iter().map(texts_of).collect(),
        Value::Object(fields) => fields.iter().map(|(key, value)| key_of(key) + &texts_of(value)).collect(),
        _ => String::new(),
    }
}

fn number(value: &Value, nth: usize) -> Option<usize> {
    usize::try_from(value.get(nth)?.as_u64()?).ok()
}

/// The lines of a text that are not empty, without their ends.
fn lines(text: &str) -> impl Iterator<Item = Span> {
    let mut start = 0;
    text.split_inclusive('\n').filter_map(move |line| {
        let at = start;
        start += line.len();
        let len = line.trim_end_matches(['\n', '\r']).len();
        (len > 0).then(|| Span::new(at, at + len))
    })
}
