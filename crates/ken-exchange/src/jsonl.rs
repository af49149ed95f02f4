//! JSON Lines: all of a vault, one object a line, from which an equal vault can be made again.
//!
//! The lines of kind `day`, `source`, `talk`, `page`, `record` and `state` hold texts byte for byte and are read back.
//! Those of kind `claim`, `relation` and `entry` say what of these texts means what, for who reads them elsewhere; they
//! follow from the texts and are not read. The last line has a digest of all before it, so that a file that was cut
//! off shows, and a seal that shows the user whose program wrote it.

mod read;
mod write;

use ken_core::Digest;
use serde::{Deserialize, Serialize};

use crate::format::{Format, Shape, Writer};

/// JSON Lines.
pub(crate) static JSONL: Format = Format {
    name: "jsonl",
    about: "all of the vault as JSON Lines: texts, claims, citations, relations",
    write: Some(Writer { shape: Shape::File, sign: "{\"kind\":\"export\",\"schema\":", run: write::write }),
    read: Some(read::read),
};

/// The version of the form.
const SCHEMA: u32 = 1;

/// What an export is sealed as.
pub const SEAL_PURPOSE: &str = "export";

/// What a line is about.
const EXPORT: &str = "export";
const END: &str = "end";

/// The first line.
#[derive(Debug, Serialize, Deserialize)]
struct Begin<'a> {
    kind: &'a str,
    schema: u32,
    #[serde(default)]
    by: String,
    #[serde(default)]
    at: String,
    #[serde(default)]
    vault: String,
    #[serde(default)]
    layout: String,
    wiki: String,
    journal: String,
    sources: String,
    talk: String,
}

/// The last line.
#[derive(Debug, Serialize, Deserialize)]
struct End<'a> {
    kind: &'a str,
    lines: usize,
    digest: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seal: Option<String>,
}

/// Returns an export with the seal that shows whose program wrote it; `seal` makes one of a digest.
pub fn sealed_with(text: &str, seal: impl FnOnce(&Digest) -> Option<String>) -> String {
    let digest = Digest::of(text.as_bytes());
    let end = End { kind: END, lines: text.lines().count(), digest: digest.to_string(), seal: seal(&digest) };
    format!("{text}{}\n", serde_json::to_string(&end).expect("texts are JSON"))
}
