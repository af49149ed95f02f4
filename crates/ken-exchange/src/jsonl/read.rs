//! Reads what [`super::write`] writes, and what others write in its form.
//!
//! A line that is too long, damaged, of an unknown kind or the second of its place is left out with a reason; none
//! spoils another.

use std::collections::BTreeSet;

use ken_core::time::leading_date;
use ken_core::trust::Trust;
use ken_core::{Date, Digest, VaultPath};
use serde::Deserialize;

use super::{Begin, END, EXPORT, End, SCHEMA};
use crate::format::{Incoming, Received};
use crate::vault::{Item, RECORDS, Source, Text};

/// Longest line that is read: a source of the largest size, every byte of it escaped.
const LINE_BYTES_MAX: usize = 64 << 20;
/// Extensions of documents.
const DOCUMENTS: &[&str] = &["md", "markdown", "html", "htm", "txt"];
/// What follows from the texts.
const FOLLOWS: &[&str] = &["claim", "relation", "entry"];
/// A line that holds a text.
#[derive(Deserialize)]
struct Line {
    kind: String,
    #[serde(default)]
    path: String,
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    trust: Option<String>,
    #[serde(default)]
    committed: Option<String>,
    #[serde(default)]
    origin: Option<String>,
    #[serde(default)]
    adopted: bool,
}

/// Only what a line is.
#[derive(Deserialize)]
struct Kind {
    kind: String,
}

/// Where things stood in the vault that was written out.
struct Places {
    wiki: String,
    talk: String,
}

/// Reads an export.
pub(super) fn read(files: &[Incoming]) -> Received {
    let [file] = files else {
        return Received::refuse("it is a folder, and an export as JSON Lines is one file");
    };
    let bytes = &file.bytes;
    let first = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let places = match begin(first) {
        Ok(places) => places,
        Err(why) => return Received::refuse(why),
    };
    let mut reader = Reader { places, received: Received::default(), taken: BTreeSet::new() };
    let (mut at, mut ended) = (0, false);
    for (n, line) in bytes.split_inclusive(|byte| *byte == b'\n').enumerate() {
        let start = at;
        at += line.len();
        let line = line.trim_ascii();
        if n == 0 || line.is_empty() {
            continue;
        }
        let place = format!("line {}", n + 1);
        if ended {
            reader.received.skip(place, "it stands behind the end of the export");
        } else if let Some(end) = end_in(line) {
            ended = true;
            reader.end(&end, &bytes[..start], n, place);
        } else {
            reader.line(line, place);
        }
    }
    if !ended {
        reader.received.skip("the end", "the export breaks off: what came behind its last line is lost");
    }
    reader.received
}

fn begin(first: &[u8]) -> Result<Places, String> {
    let no_export =
        || "it does not begin as an export of a vault does: `{\"kind\":\"export\",\"schema\":1,…}`".to_owned();
    let begin: Begin<'_> = serde_json::from_slice(first).map_err(|_| no_export())?;
    match begin.schema {
        _ if begin.kind != EXPORT => Err(no_export()),
        SCHEMA => Ok(Places { wiki: begin.wiki, talk: begin.talk }),
        other => Err(format!("its form is of version {other}, and this program reads version {SCHEMA}")),
    }
}

fn end_in(line: &[u8]) -> Option<End<'_>> {
    if line.len() > 1024 {
        return None;
    }
    serde_json::from_slice(line).ok().filter(|end: &End<'_>| end.kind == END)
}

struct Reader {
    places: Places,
    received: Received,
    /// Kinds and places that were read.
    taken: BTreeSet<(String, String)>,
}

impl Reader {
    fn end(&mut self, end: &End<'_>, before: &[u8], n_lines: usize, place: String) {
        let digest = Digest::of(before);
        if end.digest != digest.to_string() || end.lines != n_lines {
            self.received.skip(place, "the export was changed, or lost lines, since it was written");
        } else if let Some(seal) = &end.seal {
            self.received.seal = Some((digest, seal.clone()));
        }
    }

    fn line(&mut self, line: &[u8], place: String) {
        if line.len() > LINE_BYTES_MAX {
            return self.received.skip(place, "it is longer than 64 MiB");
        }
        let Ok(text) = std::str::from_utf8(line) else {
            return self.received.skip(place, "it is not UTF-8 text");
        };
        match serde_json::from_str::<Kind>(text) {
            Ok(kind) if FOLLOWS.contains(&kind.kind.as_str()) => return,
            Ok(_) => {}
            Err(_) => return self.received.skip(place, "it is no JSON object with a `kind`"),
        }
        let Ok(line) = serde_json::from_str::<Line>(text) else {
            return self.received.skip(place, "its fields are not as they should be");
        };
        let Some(text) = line.text else {
            return self.received.skip(place, format!("a line of kind `{}` without a text says nothing", line.kind));
        };
        if line.kind == "state" {
            return self.take("state", "", place, Item::State(text));
        }
        let Some(from) = VaultPath::new(&line.path) else {
            return self.received.skip(place, "its path leaves the vault, or is none");
        };
        let item = match line.kind.as_str() {
            "day" => day(from, text),
            "page" => page(from, &self.places.wiki, text),
            "talk" => talk(from, &self.places.talk, text),
            "source" => {
                let known = (line.trust.as_deref(), line.committed.as_deref(), line.origin, line.adopted);
                source(from, text, known)
            }
            "record" => record(from, text),
            _ => Err("nothing of that kind is known"),
        };
        match item {
            Ok(item) => {
                let from = item.from().map(|from| from.as_str().to_lowercase()).unwrap_or_default();
                self.take(&line.kind, &from, place, item);
            }
            Err(why) => self.received.skip(place, why),
        }
    }

    fn take(&mut self, kind: &str, from: &str, place: String, item: Item) {
        match self.taken.insert((kind.to_owned(), from.to_owned())) {
            true => self.received.items.push(item),
            false => self.received.skip(place, "an earlier line is of the same place, and holds"),
        }
    }
}

fn day(from: VaultPath, text: String) -> Result<Item, &'static str> {
    let date: Date = from.stem().parse().map_err(|_| "a day of the journal is called by its date")?;
    // Dates have one spelling in names of files.
    match from.file_name() == format!("{date}.md") {
        true => Ok(Item::Day { from, date, text }),
        false => Err("a day of the journal is called by its date"),
    }
}

fn below(from: &VaultPath, folder: &str) -> Option<VaultPath> {
    VaultPath::new(from.as_str().strip_prefix(folder)?.strip_prefix('/')?)
}

fn page(from: VaultPath, wiki: &str, text: String) -> Result<Item, &'static str> {
    let place = below(&from, wiki).unwrap_or_else(|| from.clone());
    Ok(Item::Page { from, place, text })
}

fn talk(from: VaultPath, folder: &str, text: String) -> Result<Item, &'static str> {
    let place = below(&from, folder).ok_or("it does not stand in the folder of talk")?;
    Ok(Item::Talk { from, place, text })
}

fn source(
    from: VaultPath,
    text: String,
    (trust, day, origin, is_adopted): (Option<&str>, Option<&str>, Option<String>, bool),
) -> Result<Item, &'static str> {
    if !DOCUMENTS.contains(&from.extension().to_ascii_lowercase().as_str()) {
        return Err("it is not a .md, .html or .txt document");
    }
    // What says nothing of the kind is nobody's here.
    let trust = trust.and_then(Trust::parse).unwrap_or(Trust::External);
    let digest = Digest::of(text.as_bytes());
    let origin = origin.filter(|origin| origin.len() <= 64 && origin.bytes().all(|byte| byte.is_ascii_hexdigit()));
    Ok(Item::Source(Source { path: from, text, trust, day: day.and_then(leading_date), digest, origin, is_adopted }))
}

fn record(from: VaultPath, text: String) -> Result<Item, &'static str> {
    let parts: Vec<&str> = from.as_str().split('/').collect();
    let is_known = match parts.as_slice() {
        [".kenning", folder, inner @ ..] => RECORDS.contains(&(*folder, inner.len())),
        _ => false,
    };
    let is_plain = parts.iter().skip(1).all(|part| !part.starts_with('.')) && from.extension() == "json";
    if !is_known || !is_plain {
        return Err("no record stands there");
    }
    let is_json = serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok();
    if is_json { Ok(Item::Record(Text { path: from, text })) } else { Err("the record does not read as JSON") }
}
