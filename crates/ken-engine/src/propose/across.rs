//! Statements of one text that take up those of an earlier text, read in the same call: they say that those hold no longer, or
//! belong to the same pages.
//!
//! Each text has a record of its own, so what names another text by its number is written down by the id of the statement
//! that it names, as if that had been shown; and so are the subjects of earlier texts, which may be pages by then.

use std::collections::BTreeMap;

use ken_compile::about::About;
use ken_compile::account::claim_id;
use ken_core::Slug;
use ken_core::words::subject_key;
use serde_json::{Value, json};

use super::check::{Shown, texts};
use super::kinds::Kind;

/// The lists of statements of a reply.
const LISTS: [&str; 5] = ["claims", "exchanges", "decisions", "lessons", "actions"];
/// The lists of a statement that name others.
const NAMING: [&str; 3] = ["same_as", "replaces", "disputes"];

/// What is said to a reader of several texts of how to name a statement of another one; nothing where none can be named.
pub(super) fn told(kind: Kind) -> &'static str {
    match kind {
        Kind::Compile => {
            "A claim of an earlier text, which is older, is named by both numbers where ids of known claims stand: `1.claims[0]`.\n"
        }
        Kind::Distill => {
            "A statement of an earlier text, which is older, is named by its number, too, where ids of known claims stand: \
             `1.decisions[0]`.\n"
        }
        _ => "",
    }
}

/// Writes the ids of statements for their places in earlier texts. Returns what is to be shown besides to whoever checks
/// each reply.
pub(super) fn resolve(kind: Kind, replies: &mut BTreeMap<usize, Value>) -> BTreeMap<usize, Shown> {
    let mut out = BTreeMap::new();
    if told(kind).is_empty() {
        return out;
    }
    let all = replies.clone();
    for (n, reply) in replies.iter_mut() {
        let mut shown = Shown { pages: subjects_before(*n, &all), ..Shown::default() };
        for list in LISTS {
            for part in reply.get_mut(list).and_then(Value::as_array_mut).into_iter().flatten() {
                name_all(part, (*n, &all), &mut shown);
            }
        }
        if shown != Shown::default() {
            out.insert(*n, shown);
        }
    }
    out
}

/// The subjects that statements of texts before the one at `n` name in their own words, as pages by slug.
fn subjects_before(n: usize, replies: &BTreeMap<usize, Value>) -> BTreeMap<String, String> {
    let mut out = BTreeMap::new();
    let lists = replies.range(..n).flat_map(|(_, reply)| LISTS.iter().filter_map(|list| reply.get(*list)?.as_array()));
    for part in lists.flatten() {
        let said = subject_key(part.get("text").and_then(Value::as_str).unwrap_or_default());
        let said: Vec<&str> = said.split('-').collect();
        let keys = texts(part, "subjects", usize::MAX).into_iter().map(|name| (subject_key(name), name));
        let named = keys.filter(|(key, _)| !key.is_empty() && key.split('-').all(|word| said.contains(&word)));
        out.extend(named.filter_map(|(_, name)| Some((Slug::from_text(name)?.to_string(), name.to_owned()))));
    }
    out
}

/// Writes the ids of what a statement names of texts before the one at `n`.
fn name_all(part: &mut Value, (n, replies): (usize, &BTreeMap<usize, Value>), shown: &mut Shown) {
    for list in NAMING {
        for id in part.get_mut(list).and_then(Value::as_array_mut).into_iter().flatten() {
            if let Some(place) = id.as_str().and_then(|id| own_place(id, n)) {
                *id = json!(place);
                continue;
            }
            let Some(said) = id.as_str().and_then(|id| named(id, n, replies)) else { continue };
            let text = said.get("text").and_then(Value::as_str).unwrap_or_default();
            let slot = said.get("slot").and_then(Value::as_str).unwrap_or_default();
            let subjects = texts(said, "subjects", usize::MAX).into_iter().map(str::to_owned).collect();
            let named = claim_id(text);
            shown.about.insert(named.clone(), About::of(text, slot));
            shown.claims.insert(named.clone(), subjects);
            *id = json!(named);
        }
    }
}

/// The place that is named with the number of the text at `n` itself: `claims[0]` of `2.claims[0]` in the second one.
fn own_place(id: &str, n: usize) -> Option<String> {
    let (text, place) = id.trim().split_once('.')?;
    let is_place = LISTS.iter().any(|list| place.strip_prefix(list).is_some_and(|rest| rest.starts_with('[')));
    (is_place && text.parse() == Ok(n + 1)).then(|| place.to_owned())
}

/// The statement that `2.claims[0]` names, of a text before the one at `n`, counted from 0.
fn named<'r>(id: &str, n: usize, replies: &'r BTreeMap<usize, Value>) -> Option<&'r Value> {
    let (text, place) = id.trim().split_once('.')?;
    let (list, at) = place.strip_suffix(']')?.split_once('[')?;
    let text = text.parse::<usize>().ok()?.checked_sub(1).filter(|text| *text < n)?;
    let list = LISTS.contains(&list).then_some(list)?;
    replies.get(&text)?.get(list)?.get(at.parse::<usize>().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_in_an_earlier_text_becomes_the_id_of_what_stands_there() {
        let task = json!({"text": "Ada cleans the oven.", "subjects": ["Oven"], "slot": "cleaning"});
        let done = json!({"text": "The oven is clean.", "replaces": ["1.claims[0]", "3.claims[0]", "1.claims[4]", "2.claims[1]", "x"]});
        let mut replies = BTreeMap::from([(0, json!({"claims": [task]})), (1, json!({"claims": [done]}))]);
        let shown = resolve(Kind::Compile, &mut replies);
        let id = claim_id("Ada cleans the oven.");
        assert_eq!(replies[&1]["claims"][0]["replaces"], json!([id, "3.claims[0]", "1.claims[4]", "claims[1]", "x"]));
        assert_eq!(shown[&1].claims[&id], ["Oven"]);
        assert_eq!(shown.len(), 1);
        assert!(resolve(Kind::Page, &mut replies).is_empty());
    }

    #[test]
    fn subjects_of_earlier_texts_are_known_to_later_ones() {
        let text = |said: &str, subject: &str| json!({"claims": [{"text": said, "subjects": [subject]}]});
        let mut replies = BTreeMap::from([
            (0, text("The Rye Street oven opens at nine.", "Rye Street oven")),
            (1, text("The trays are red.", "Trays of Lund")),
            (2, text("It opens at eight.", "Rye Street oven")),
        ]);
        let shown = resolve(Kind::Compile, &mut replies);
        let known = |n: usize| shown.get(&n).map(|shown| shown.pages.values().cloned().collect::<Vec<_>>());
        assert_eq!(known(0), None);
        assert_eq!(known(1), Some(vec!["Rye Street oven".to_owned()]));
        // What a statement does not name itself may be made up.
        assert_eq!(known(2), Some(vec!["Rye Street oven".to_owned()]));
    }
}
