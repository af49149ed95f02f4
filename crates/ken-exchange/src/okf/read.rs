//! Reads a bundle of version 0.1 or 0.2: pages with the few keys renamed that mean something here, all else as it is.

use std::collections::BTreeSet;

use ken_core::header::{FieldName, Shape, read_header};
use ken_core::page::parse_page;
use ken_core::page::past::RETIRED;
use ken_core::time::leading_date;
use ken_core::{Span, VaultPath};

use super::{DEPRECATED, IGNORE, RESERVED};
use crate::evidence::{self, cited_in};
use crate::format::{Incoming, Received};
use crate::vault::Item;

pub(super) fn read(files: &[Incoming]) -> Received {
    let (mut out, mut cited) = (Received::default(), BTreeSet::new());
    let ignored = files.iter().find(|file| file.path.as_str() == IGNORE);
    let ignored = ignored.map(|file| String::from_utf8_lossy(&file.bytes).into_owned()).unwrap_or_default();
    for file in files {
        let path = &file.path;
        if path.extension() != "md" || RESERVED.contains(&path.file_name()) || is_ignored(&ignored, path) {
            continue;
        }
        let Ok(text) = String::from_utf8(file.bytes.clone()) else {
            out.skip(path.as_str(), "it is not UTF-8 text");
            continue;
        };
        let page = parse_page(path, text.clone()).value;
        if page.header.shape != Shape::Fenced || page.scalar(FieldName::Category).is_none() {
            out.skip(path.as_str(), "its header has no `type`, which is what makes it a page of a bundle");
            continue;
        }
        cited.extend(cited_in(path, &text));
        out.items.push(Item::Page { from: path.clone(), place: path.clone(), text: as_ours(&text) });
    }
    out.evidence = evidence::items(files, &cited, "");
    if out.items.is_empty() && out.skipped.is_empty() {
        return Received::refuse("there is no page in it: a bundle has .md files whose headers say a `type`");
    }
    out
}

/// Whether a line names a file or a folder that it stands in; `*` is any part of one name.
fn is_ignored(ignored: &str, path: &VaultPath) -> bool {
    let lines = ignored.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let parts: Vec<&str> = path.as_str().split('/').collect();
    lines.map(|line| line.trim_matches('/')).any(|line| match line.contains('/') {
        true => path.as_str() == line || path.is_under(line),
        false => parts.iter().any(|part| fits(line, part)),
    })
}

fn fits(pattern: &str, name: &str) -> bool {
    let Some((before, behind)) = pattern.split_once('*') else { return pattern == name };
    name.len() >= before.len() + behind.len() && name.starts_with(before) && name.ends_with(behind)
}

/// The text with what 0.1 called `timestamp` as `updated`, and a page that is out of use retired.
fn as_ours(text: &str) -> String {
    let header = read_header(text).value;
    let has_updated = header.field(FieldName::Updated).is_some();
    let mut changes: Vec<(Span, String)> = Vec::new();
    for field in &header.fields {
        let (key, value) = (field.key.of(text), field.value.of(text).trim_matches(['"', '\'']));
        if key == "timestamp" && !has_updated && leading_date(value).is_some() {
            changes.push((field.key, "updated".to_owned()));
        } else if key == "status" && value == DEPRECATED {
            changes.push((field.value, RETIRED.to_owned()));
        }
    }
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for (span, now) in changes {
        out.push_str(&text[from..span.start]);
        out.push_str(&now);
        from = span.end;
    }
    out.push_str(&text[from..]);
    out
}
