//! The prose of a page, from all of its claims, when several sources speak of its subject.
//!
//! Which sections a page has depends on its category alone. Every sentence names the claims it tells; what a
//! sentence adds beyond them must be marked as synthesis. A claim that no sentence tells is listed as before,
//! so that nothing is lost by prose.

use ken_compile::told::{Section, Sentence};
use ken_core::Category;
use ken_core::ground::overlap;
use serde_json::Value;

use crate::propose::check::{Ground, Report, left_out, line, list, texts, why_no_conclusion, why_not};
use crate::propose::kinds::{ClaimView, PageView};

/// Sections by category; the first has no heading.
const TEMPLATES: [(Category, &[&str]); 6] = [
    (Category::Concept, &["", "How it works", "Why", "Limits"]),
    (Category::Entity, &["", "Role", "Background", "Preferences", "How it is used"]),
    (Category::Project, &["", "Aim", "State", "Decisions"]),
    (Category::Reference, &["", "Where to find it", "When to use it", "What it says"]),
    (Category::Theme, &["", "What recurs", "Positions"]),
    (Category::Connection, &["", "What joins them", "Consequences"]),
];

/// Most sentences of a section.
const SENTENCES_MAX: usize = 12;
/// Most characters of a sentence.
const SENTENCE_CHARS_MAX: usize = 500;
/// Most claims that one sentence tells.
const CLAIMS_MAX: usize = 8;

/// Share of a claim's words that a sentence must have for saying it.
const TOLD_MIN: f32 = 0.6;

fn template(category: Category) -> &'static [&'static str] {
    TEMPLATES.iter().find(|(known, _)| *known == category).map_or(&[""], |(_, headings)| *headings)
}

/// Returns the headings that a page of a category may have, the first section aside.
pub(super) fn headings(category: Category) -> String {
    let headings: Vec<String> = template(category).iter().skip(1).map(|heading| format!("\"{heading}\"")).collect();
    headings.join(", ")
}

/// Returns what holds of a reply, sections in the order of the template.
pub(crate) fn check(reply: &Value, page: &PageView, report: &mut Report) -> Vec<Section> {
    let template = template(page.category);
    let mut sections: Vec<Section> = Vec::new();
    for (n, part) in list(reply, "sections", template.len(), report).iter().enumerate() {
        if !part.is_object() {
            report.reject(format!("sections[{n}]"), "it is no object", &part.to_string(), "");
            continue;
        }
        let heading = part.get("heading").and_then(Value::as_str).unwrap_or("").trim();
        if !template.contains(&heading) || sections.iter().any(|section| section.heading == heading) {
            let reason = format!("the heading is not one of {}, or is there twice", template[1..].join(", "));
            report.reject(format!("sections[{n}]"), reason, heading, "");
            continue;
        }
        let mut sentences = Vec::new();
        for (m, part) in list(part, "sentences", SENTENCES_MAX, report).iter().enumerate() {
            let sentence =
                sentence(part, page).and_then(|sentence| match sentence.is_synthesis && heading.is_empty() {
                    // What a page opens with is quoted as its answer.
                    true => Err("the first section says what is known, and concludes nothing".to_owned()),
                    false => Ok(sentence),
                });
            match sentence {
                Ok(sentence) => sentences.push(sentence),
                Err(reason) => {
                    let text = part.get("text").and_then(Value::as_str).unwrap_or("");
                    report.reject(format!("sections[{n}].sentences[{m}]"), reason, text, "");
                }
            }
        }
        if !sentences.is_empty() {
            sections.push(Section { heading: heading.to_owned(), sentences });
        }
    }
    let place = |section: &Section| template.iter().position(|heading| *heading == section.heading);
    sections.sort_by_key(place);
    sections
}

/// Returns every sentence of a reply, whether it holds or not.
pub(crate) fn texts_of(reply: &Value) -> Vec<String> {
    let list = |value: &Value, name: &str| value.get(name).and_then(Value::as_array).cloned().unwrap_or_default();
    let sentences = list(reply, "sections").into_iter().flat_map(|section| list(&section, "sentences"));
    sentences.filter_map(|sentence| line(&sentence, "text", SENTENCE_CHARS_MAX).ok()).collect()
}

/// Returns whether a page may have a section of this heading.
pub(crate) fn is_heading(heading: &str) -> bool {
    !heading.is_empty() && TEMPLATES.iter().any(|(_, headings)| headings.contains(&heading))
}

fn sentence(part: &Value, page: &PageView) -> Result<Sentence, String> {
    let text = line(part, "text", SENTENCE_CHARS_MAX)?;
    if let Some(reason) = left_out(part, "claims", CLAIMS_MAX) {
        return Err(format!("`claims`: {reason}"));
    }
    let ids = texts(part, "claims", CLAIMS_MAX);
    let is_synthesis = part.get("synthesis").and_then(Value::as_bool).unwrap_or(false);
    if let Some(id) = ids.iter().find(|id| !page.claims.iter().any(|claim| claim.id == **id)) {
        return Err(format!("the page has no current claim `{}`", ken_core::text::cut(id, 20)));
    }
    if ids.is_empty() {
        return Err("it names no claim".to_owned());
    }
    let told: Vec<&str> =
        page.claims.iter().filter(|claim| ids.contains(&claim.id.as_str())).map(|claim| claim.text.as_str()).collect();
    let date = page.claims.iter().filter(|claim| ids.contains(&claim.id.as_str())).filter_map(|claim| claim.date).max();
    let names = page.names();
    let on = Ground { cited: &told, date, names: &names };
    match if is_synthesis { why_no_conclusion(&text, &on) } else { why_not(&text, &on) } {
        Some(reason) => Err(reason),
        None => {
            let says = |claim: &&ClaimView| {
                ids.contains(&claim.id.as_str()) && !is_synthesis && overlap(&claim.text, &[&text]) >= TOLD_MIN
            };
            let told = page.claims.iter().filter(says).map(|claim| claim.id.clone()).collect();
            Ok(Sentence { claims: ids.into_iter().map(str::to_owned).collect(), told, text, is_synthesis })
        }
    }
}
