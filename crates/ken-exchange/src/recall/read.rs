//! Reads a memory: days into the journal, pages and typed memories with every byte, insights and what stands at the root as
//! documents. Summaries of weeks and months tell days again and stay out.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::VaultPath;

use super::{MEMORY, ROOTS, What, what};
use crate::evidence::{self, cited_in};
use crate::format::{Incoming, Received};
use crate::vault::{Item, Source};

pub(super) fn read(all: &[Incoming]) -> Received {
    let mut out = Received::default();
    let mut n_again = 0;
    for (place, file) in placed(all) {
        let kind = what(&place);
        let Some(kind) = kind.filter(|kind| *kind != What::Index) else { continue };
        if kind == What::Summary {
            n_again += 1;
            continue;
        }
        let Ok(text) = String::from_utf8(file.bytes.clone()) else {
            out.skip(file.path.as_str(), "it is not UTF-8 text");
            continue;
        };
        out.items.push(match kind {
            What::Day(date) => Item::Day { from: place, date, text },
            What::Page => Item::Page { from: place.clone(), place, text },
            _ => Item::Source(Source::found(place, text)),
        });
    }
    let pages = out.items.iter().filter_map(|item| match item {
        Item::Page { from, text, .. } => Some(cited_in(from, text)),
        _ => None,
    });
    let known: BTreeSet<VaultPath> = out.items.iter().filter_map(|item| item.from().cloned()).collect();
    let cited: BTreeSet<VaultPath> = pages.flatten().filter(|path| !known.contains(path)).collect();
    for file in all.iter().filter(|file| cited.contains(&file.path)) {
        match String::from_utf8(file.bytes.clone()) {
            Ok(text) => out.evidence.push(evidence::as_item(file.path.clone(), text)),
            Err(_) => out.skip(file.path.as_str(), "it is not UTF-8 text"),
        }
    }
    if out.items.is_empty() && out.skipped.is_empty() {
        return Received::refuse(
            "there is no day and no page in it: a memory has `memory/YYYY-MM-DD.md` and `memory/wiki/`",
        );
    }
    if n_again > 0 {
        out.skip(
            format!("{n_again} {} of weeks and months", if n_again == 1 { "summary" } else { "summaries" }),
            "they tell the days again; `ken compile` makes its own",
        );
    }
    out
}

/// Each file with its place from the root of the memory on, wherever that lies in what was named; of two that have the same
/// place the one that lies higher.
fn placed(files: &[Incoming]) -> BTreeMap<VaultPath, &Incoming> {
    let is_memory = |place: &VaultPath| what(place).is_some_and(|what| what != What::Document);
    let below = |parts: &[&str], from: usize| VaultPath::new(&parts[from..].join("/"));
    let mut found: Option<String> = None;
    for file in files {
        let parts: Vec<&str> = file.path.as_str().split('/').collect();
        for from in 0..parts.len() {
            // The folder itself may have been named.
            let inside = VaultPath::new(&format!("{MEMORY}/{}", file.path)).filter(|_| from == 0 && parts[0] != MEMORY);
            let base = match below(&parts, from).filter(is_memory) {
                Some(_) => Some(parts[..from].iter().map(|part| format!("{part}/")).collect::<String>()),
                None => inside.filter(is_memory).map(|_| "\0".to_owned()),
            };
            // The longest way down to a memory that holds days: its own default folder lies in another of that name.
            let is_better =
                |base: &String| found.as_ref().is_none_or(|known| (known == "\0") || base.len() > known.len());
            found = base.filter(is_better).or(found);
        }
    }
    let base = found.unwrap_or_default();
    let mut out: BTreeMap<VaultPath, &Incoming> = BTreeMap::new();
    for file in files {
        let path = file.path.as_str();
        let place = match base.as_str() {
            "\0" if ROOTS.contains(&path) => Some(file.path.clone()),
            "\0" => VaultPath::new(&format!("{MEMORY}/{path}")),
            base => path.strip_prefix(base).and_then(VaultPath::new),
        };
        if let Some(place) = place {
            out.entry(place).or_insert(file);
        }
    }
    out
}
