//! Classifies the relations of people's pages in a memory bank, when they are made and whenever their text changes.
//!
//! What was classified is kept in a record: the digest of each body, and which relations its text bears out. So a relation
//! that somebody wrote by hand stays, and one that a text bore out goes with the words that did.

use std::collections::{BTreeMap, BTreeSet};

use ken_compile::html;
use ken_compile::rubric::{Found, Rubric};
use ken_core::header::{FieldName, FieldValue, HIGH_MAX, MID_MAX, NewBlock, Relation, read_header, set_field};
use ken_core::layout::TOOL_FOLDER;
use ken_core::{Basis, Digest, Edit, Month, Page, Slug, VaultPath};
use serde::{Deserialize, Serialize};

use super::bank::Sorted;
use crate::engine::Engine;
use crate::failure::Failure;

/// What is known of one page since it was classified last.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Known {
    /// Digest of its body.
    body: String,
    /// What its text bears out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    found: Vec<String>,
    /// What names the page as a model read it, where what it bears out was sorted by one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sorted: Option<String>,
    /// The month in which its body was seen to have changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    changed: Option<String>,
}

/// What is known of all pages, by file.
#[derive(Debug, Default)]
pub(super) struct Classified {
    known: BTreeMap<String, Known>,
    before: Option<Vec<u8>>,
    /// What each page would say if it were classified now, by slug.
    changed: BTreeMap<Slug, Month>,
}

/// The record of what was classified.
fn record() -> VaultPath {
    VaultPath::new(&format!("{TOOL_FOLDER}/classified.json")).expect("a plain file name")
}

impl Engine {
    /// Returns what was classified, with what has changed since among these pages.
    pub(super) fn classified(&self, pages: &[Page]) -> Result<Classified, Failure> {
        let before = self.store.read(&record())?;
        // A record that does not read knows nothing, and every page is looked at as if for the first time.
        let known: BTreeMap<String, Known> =
            before.as_deref().and_then(|bytes| serde_json::from_slice(bytes).ok()).unwrap_or_default();
        let mut out = Classified { known, before, changed: BTreeMap::new() };
        let now = Month::of(self.clock.today());
        for page in pages {
            let Some(known) = out.known.get_mut(page.path.as_str()) else { continue };
            if known.body != digest(page) {
                known.changed = Some(now.to_string());
            }
            if let Some(month) = known.changed.as_deref().and_then(Month::parse) {
                out.changed.insert(page.slug(), month);
            }
        }
        Ok(out)
    }
}

impl Classified {
    /// Returns the text of a page with its relations as a reply of a model sorts them, else as its words bear them out; the
    /// same where nothing is to be done.
    pub(super) fn relate(
        &mut self,
        page: &Page,
        (rubric, sorted): (&Rubric, Option<Sorted>),
        new: NewBlock,
        now: Month,
    ) -> String {
        let (body, known) = (digest(page), self.known.get(page.path.as_str()).cloned());
        let old = [relations(page, FieldName::High), relations(page, FieldName::Mid)];
        let is_stale = |one: &Relation| {
            let changed = Slug::from_text(&one.target).and_then(|slug| self.changed.get(&slug));
            changed.is_some_and(|changed| one.validated.is_none_or(|month| month < *changed))
        };
        let has_any = old.iter().any(|list| !list.is_empty());
        let is_changed = known.as_ref().is_some_and(|known| known.body != body);
        let name = sorted.as_ref().map(|sorted| sorted.name.clone());
        let is_new = name.is_some() && known.as_ref().and_then(|known| known.sorted.as_ref()) != name.as_ref();
        if !is_changed && !is_new && !old.iter().flatten().any(is_stale) && (known.is_some() || has_any) {
            if known.is_none() {
                self.known.insert(page.path.to_string(), Known { body, ..Known::default() });
            }
            return page.text.clone();
        }
        let is_html = matches!(page.path.extension(), "html" | "htm");
        let raw = page.body().of(&page.text);
        let plain = if is_html { html::to_text(raw).0 } else { raw.to_owned() };
        let found = sorted.map_or_else(|| rubric.classify(page, &plain), |sorted| sorted.found);
        let bore_out = known.as_ref().map(|known| known.found.clone()).unwrap_or_default();
        let lists = merged(&old, &found, &bore_out, (&is_stale, now));
        let changed = known.and_then(|known| known.changed);
        let found = found.high.iter().chain(&found.mid).map(ToString::to_string).collect();
        self.known.insert(page.path.to_string(), Known { body, found, sorted: name, changed });
        if lists == old {
            return page.text.clone();
        }
        let mut text = page.text.clone();
        let [high, mid] = lists;
        let mut set = |name: FieldName, value: FieldValue| {
            text = set_field(&text, &read_header(&text).value, name, &value, new);
        };
        for (name, list, old) in [(FieldName::High, high, &old[0]), (FieldName::Mid, mid, &old[1])] {
            if list != *old {
                set(name, list.iter().map(ToString::to_string).collect::<Vec<_>>().into());
            }
        }
        set(FieldName::Validated, now.to_string().as_str().into());
        text
    }

    /// Returns the edit that keeps what is known of these pages.
    pub(super) fn edit(mut self, pages: &[Page]) -> Option<Edit> {
        let paths: BTreeSet<&str> = pages.iter().map(|page| page.path.as_str()).collect();
        self.known.retain(|path, _| paths.contains(path.as_str()));
        if self.known.is_empty() && self.before.is_none() {
            return None;
        }
        let mut text = serde_json::to_string_pretty(&self.known).expect("texts can be written as JSON");
        text.push('\n');
        let is_same = self.before.as_deref() == Some(text.as_bytes());
        (!is_same).then(|| Basis::of(&record(), self.before.as_deref()).replace(text))
    }
}

fn digest(page: &Page) -> String {
    Digest::of(page.body().of(&page.text).as_bytes()).short()
}

fn relations(page: &Page, name: FieldName) -> Vec<Relation> {
    page.list(name).iter().filter_map(|text| Relation::parse(text)).collect()
}

/// What stays of both lists and what is new: what somebody wrote by hand, and what the text bears out.
fn merged(
    old: &[Vec<Relation>; 2],
    found: &Found,
    bore_out: &[String],
    (is_stale, now): (&dyn Fn(&Relation) -> bool, Month),
) -> [Vec<Relation>; 2] {
    let is_known = |target: &str| old.iter().flatten().any(|one| same(&one.target, target));
    let is_found = |one: &Relation| Slug::from_text(&one.target).is_some_and(|slug| found.has(&slug));
    let stays = |one: &Relation| is_found(one) || !bore_out.iter().any(|slug| same(&one.target, slug));
    let renewed = |one: &Relation| match is_found(one) && is_stale(one) {
        true => Relation { validated: Some(now), ..one.clone() },
        false => one.clone(),
    };
    let list = |old: &[Relation], found: &[Slug], max: usize| -> Vec<Relation> {
        let kept: Vec<Relation> = old.iter().filter(|one| stays(one)).map(renewed).collect();
        let room = max.saturating_sub(kept.len());
        let new = found.iter().filter(|slug| !is_known(slug.as_str())).take(room);
        let new = new.map(|slug| Relation { target: slug.to_string(), validated: Some(now) });
        kept.iter().cloned().chain(new).collect()
    };
    [list(&old[0], &found.high, HIGH_MAX), list(&old[1], &found.mid, MID_MAX)]
}

fn same(target: &str, slug: &str) -> bool {
    Slug::from_text(target).is_some_and(|target| target.as_str() == slug)
}
