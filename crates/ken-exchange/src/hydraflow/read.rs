//! Reads entries and topic pages: every byte of them, at the place they stand at.

use std::collections::BTreeSet;

use ken_core::page::parse_page;
use ken_core::{VaultPath, header::Shape};

use super::{EMPTY, ENTRIES, TOPIC_PAGES, is_entry, is_topic_page, place_in_wiki};
use crate::evidence::{self, EVIDENCE, cited_in};
use crate::format::{Incoming, Received};
use crate::vault::Item;

pub(super) fn read(files: &[Incoming]) -> Received {
    let mut out = Received::default();
    // A folder that was named may be the one of entries itself, or one inside it.
    let has_folders = files.iter().any(|file| place_in_wiki(&file.path).is_some());
    let (mut n_kept, mut cited) = (0, BTreeSet::new());
    for file in files {
        let place = if has_folders { place_in_wiki(&file.path) } else { Some(file.path.clone()) };
        let Some(place) = place.filter(|_| !file.path.is_under(EVIDENCE)) else { continue };
        if file.path.extension() != "md" {
            n_kept += usize::from(matches!(file.path.extension(), "json" | "jsonl"));
            continue;
        }
        if place.file_name() == "index.md" {
            continue;
        }
        let Ok(text) = String::from_utf8(file.bytes.clone()) else {
            out.skip(file.path.as_str(), "it is not UTF-8 text");
            continue;
        };
        match placed(&file.path, place, text, has_folders) {
            Ok(item) => {
                cited.extend(cited_in(&file.path, item.text()));
                out.items.push(item);
            }
            Err(why) => out.skip(file.path.as_str(), why),
        }
    }
    if out.items.is_empty() {
        return Received::refuse(
            "there is no entry in it: such a wiki has .md files below `repo_wiki/` or in `docs/wiki/`",
        );
    }
    out.evidence = evidence::items(files, &cited, "");
    if n_kept > 0 {
        out.skip(
            format!("{n_kept} {} of JSON", if n_kept == 1 { "file" } else { "files" }),
            "HydraFlow keeps its books in them, and they make no page",
        );
    }
    out
}

fn placed(from: &VaultPath, place: VaultPath, text: String, is_placed: bool) -> Result<Item, &'static str> {
    let page = parse_page(from, text.clone()).value;
    let body = page.body().of(&text);
    let is_empty = page.header.shape == Shape::None && body.lines().any(|line| line.trim() == EMPTY);
    if is_empty && !is_topic_page(&page) {
        return Err("it has no entries yet");
    }
    let folder = match (is_entry(&page), is_topic_page(&page)) {
        _ if is_placed => None,
        (true, _) => Some(ENTRIES),
        (_, true) => Some(TOPIC_PAGES),
        _ => return Err("it is neither an entry nor a topic page of HydraFlow"),
    };
    let place = folder.map_or(Some(place.clone()), |folder| VaultPath::new(&format!("{folder}/{place}")));
    let place = place.ok_or("its name is none that a vault can have")?;
    Ok(Item::Page { from: place.clone(), place, text })
}
