//! The index of topic pages, which says what they hold: kept as it stands where that is so, else made again from them.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::{ENTRY, TOPIC_PAGES};
use crate::format::Output;
use crate::vault::Vault;

/// Adds `index.json`, and `index.md` where none was kept, of the topic pages that were written.
pub(super) fn index(vault: &Vault, out: &mut Output) {
    let place = |name: &str| format!("{TOPIC_PAGES}/{name}");
    let is_page = |path: &str| {
        let name = path.strip_prefix(TOPIC_PAGES).and_then(|rest| rest.strip_prefix('/'));
        name.is_some_and(|name| !name.contains('/') && name.ends_with(".md") && name != "index.md")
    };
    let pages = out.files.iter().filter(|file| is_page(file.path.as_str()));
    let topics: BTreeMap<String, Vec<String>> =
        pages.map(|file| (file.path.stem().to_owned(), titles(&file.text))).collect();
    let kept = vault.kept.iter().find(|file| file.path.as_str() == place("index.json"));
    if topics.is_empty() {
        out.files.extend(kept.map(|kept| crate::format::OutFile { path: kept.path.clone(), text: kept.text.clone() }));
        return;
    }
    let n_entries: usize = topics.values().map(Vec::len).sum();
    let mut map = kept.and_then(|kept| serde_json::from_str::<Map<String, Value>>(&kept.text).ok()).unwrap_or_default();
    let listed = Value::Object(topics.iter().map(|(topic, titles)| (topic.clone(), titles.clone().into())).collect());
    let is_true = map.get("topics").is_some_and(|known| holds_same(known, &topics))
        && map.get("total_entries").and_then(Value::as_u64) == u64::try_from(n_entries).ok();
    if let Some(kept) = kept.filter(|_| is_true) {
        out.put(&place("index.json"), kept.text.clone());
        return;
    }
    map.entry("repo_slug").or_insert_with(|| vault.name.clone().into());
    map.insert("topics".to_owned(), listed);
    map.insert("total_entries".to_owned(), n_entries.into());
    map.insert("last_updated".to_owned(), vault.at.to_string().into());
    map.entry("last_lint").or_insert(Value::Null);
    let slug = map["repo_slug"].as_str().unwrap_or_default().to_owned();
    let text = serde_json::to_string_pretty(&map).expect("texts are JSON");
    out.put(&place("index.json"), text + "\n");
    out.files.retain(|file| file.path.as_str() != place("index.md"));
    let mut text = format!("# Wiki Index: {slug}\n\n**{n_entries} entries** | Last updated: {}\n", vault.at);
    for (topic, titles) in &topics {
        let _ = write!(text, "\n## {} ({})\n", ken_core::text::capital(topic), titles.len());
        titles.iter().for_each(|title| {
            let _ = writeln!(text, "- {title}");
        });
    }
    out.put(&place("index.md"), text);
}

/// Whether an index says the same of every topic; one without entries may be missing.
fn holds_same(known: &Value, topics: &BTreeMap<String, Vec<String>>) -> bool {
    let Some(known) = known.as_object() else { return false };
    let of = |topic: &str| known.get(topic).and_then(Value::as_array).cloned().unwrap_or_default();
    let same = |(topic, titles): (&String, &Vec<String>)| {
        of(topic).iter().map(Value::as_str).eq(titles.iter().map(|one| Some(one.as_str())))
    };
    topics.iter().all(same) && known.keys().all(|topic| topics.contains_key(topic) || of(topic).is_empty())
}

/// The titles of the sections that are entries.
fn titles(text: &str) -> Vec<String> {
    let (mut out, mut heading, mut fence) = (Vec::new(), None, None::<String>);
    for line in text.lines() {
        let mark: String = line.trim_start().chars().take_while(|ch| *ch == '`').collect();
        match &fence {
            Some(open) if mark.len() >= open.len() && line.trim() == mark => fence = None,
            Some(_) => {}
            None if mark.len() >= 3 => {
                if line.trim_start()[mark.len()..].trim() == ENTRY {
                    out.extend(heading.take());
                }
                fence = Some(mark);
            }
            None => {
                if let Some(title) = line.strip_prefix("## ") {
                    heading = Some(title.trim().to_owned());
                }
            }
        }
    }
    out
}
