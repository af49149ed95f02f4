//! Subjects as a reader describes them: category and other names.

use std::collections::{BTreeMap, BTreeSet};

use ken_compile::told::Card;
use ken_core::Category;
use ken_core::words::subject_key;
use serde_json::{Value, json};

use crate::propose::check::{Report, left_out, list, name, texts};

/// Most new subjects of one portion.
const SUBJECTS_MAX: usize = 12;
/// Most aliases of a subject.
const ALIASES_MAX: usize = 4;

/// Categories that a reader may give.
pub(super) const CATEGORIES: [Category; 5] =
    [Category::Entity, Category::Concept, Category::Project, Category::Reference, Category::Theme];

/// The category that has things called so, in the words of the rules.
fn kind_of(said: &str) -> Option<Category> {
    match said {
        "person" | "team" | "product" | "service" => Some(Category::Entity),
        "idea" | "method" | "component" | "rule" => Some(Category::Concept),
        "document" | "file" | "command" | "endpoint" => Some(Category::Reference),
        _ => None,
    }
}

/// Returns the described subjects of a reading as a part of a reply.
pub(crate) fn cards_as_part(cards: &BTreeMap<String, Card>) -> Value {
    let card = |(name, card): (&String, &Card)| json!({"name": name, "category": card.category.as_str(), "aliases": card.aliases});
    cards.iter().map(card).collect()
}

/// Returns the subjects that a reply describes, as far as they hold.
pub(super) fn cards(reply: &Value, words: &BTreeSet<String>, report: &mut Report) -> BTreeMap<String, Card> {
    let mut cards = BTreeMap::new();
    for (n, part) in list(reply, "subjects", SUBJECTS_MAX, report).iter().enumerate() {
        if let Some(reason) = left_out(part, "aliases", ALIASES_MAX) {
            report.reject(format!("subjects[{n}].aliases"), reason, "", "");
        }
        let mut aliases = Vec::new();
        for (m, alias) in texts(part, "aliases", ALIASES_MAX).into_iter().enumerate() {
            let stands = |name: String| {
                let is_said = subject_key(&name).split('-').all(|part| words.contains(part));
                if is_said { Ok(name) } else { Err(format!("the alias `{name}` does not stand in the text")) }
            };
            // Lists of names are joined by commas wherever they stand.
            let no_comma = |name: String| {
                if name.contains(',') { Err(format!("the alias `{name}` has a comma")) } else { Ok(name) }
            };
            match name(alias).and_then(stands).and_then(no_comma) {
                Ok(alias) => aliases.push(alias),
                Err(reason) => report.reject(format!("subjects[{n}].aliases[{m}]"), reason, alias, ""),
            }
        }
        let read = || -> Result<(String, Card), String> {
            let name = name(part.get("name").and_then(Value::as_str).ok_or("`name` is missing or no text")?)?;
            let said = part.get("category").and_then(Value::as_str).unwrap_or("");
            let category = CATEGORIES.into_iter().find(|category| category.as_str() == said).or_else(|| kind_of(said));
            let one_of = CATEGORIES.map(Category::as_str).join(", ");
            let category = category.ok_or_else(|| format!("the category `{said}` is not one of {one_of}"))?;
            Ok((name, Card { category, aliases }))
        };
        match read() {
            Ok((name, card)) => drop(cards.insert(name, card)),
            Err(reason) => report.reject(format!("subjects[{n}]"), reason, &part.to_string(), ""),
        }
    }
    cards
}
