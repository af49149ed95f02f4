//! Rules about the header alone: damage, caps, and shapes.

use super::{Context, Rule, field_span};
use crate::diagnostic::{Diagnostic, Severity};
use crate::header::{
    FieldName, FieldValue, HIGH_MAX, MID_MAX, NewBlock, Relation, TLDR_CHARS_MAX, TRIGGERS, read_header, set_field,
    triggers_max,
};
use crate::page::Category;
use crate::snapshot::PageFacts;
use crate::text::sentences;

/// A header that does not read as it was meant.
pub(super) struct HeaderDamaged;

impl Rule for HeaderDamaged {
    fn name(&self) -> &'static str {
        "header-damaged"
    }
    fn severity(&self) -> Severity {
        Severity::Warning
    }
    fn doc(&self) -> &'static str {
        "a header has no end or holds lines that are no fields; routing does not see what stands there"
    }
    fn check(&self, cx: Context<'_>, out: &mut Vec<Diagnostic>) {
        for facts in &cx.snapshot.pages {
            for note in &facts.notes {
                out.push(Diagnostic::new(
                    self.name(),
                    note.severity,
                    &facts.page.path,
                    note.span,
                    note.message.clone(),
                ));
            }
        }
    }
}

/// More relations than a tier may have.
pub(super) struct TooManyRelations;

impl Rule for TooManyRelations {
    fn name(&self) -> &'static str {
        "too-many-relations"
    }
    fn severity(&self) -> Severity {
        Severity::Warning
    }
    fn doc(&self) -> &'static str {
        "a page has more than 3 high or 5 mid relations; every high one is loaded with it. Fix: the last high ones become mid, the last mid ones go"
    }
    fn check(&self, cx: Context<'_>, out: &mut Vec<Diagnostic>) {
        for facts in &cx.snapshot.pages {
            let tiers = [
                (FieldName::High, "high", facts.entry.high.len(), HIGH_MAX),
                (FieldName::Mid, "mid", facts.entry.mid.len(), MID_MAX),
            ];
            for (field, tier, found, max) in tiers.into_iter().filter(|(.., found, max)| found > max) {
                let message = format!("header has {found} {tier} relations, at most {max} are allowed");
                out.push(
                    Diagnostic::new(self.name(), self.severity(), &facts.page.path, field_span(facts, field), message)
                        .hint("list the strongest first: `ken lint --fix` keeps those")
                        .with_fix(),
                );
            }
        }
    }
    fn fix(&self, _cx: Context<'_>, _page_idx: usize, text: &str) -> Option<String> {
        let header = read_header(text).value;
        let mut high = header.relations(text, FieldName::High);
        let mut mid = header.relations(text, FieldName::Mid);
        let moved = high.split_off(high.len().min(HIGH_MAX));
        mid.splice(0..0, moved);
        mid.truncate(MID_MAX);
        let text = set_relations(text, FieldName::High, &high);
        Some(set_relations(&text, FieldName::Mid, &mid))
    }
}

fn set_relations(text: &str, name: FieldName, relations: &[Relation]) -> String {
    let header = read_header(text).value;
    if relations.is_empty() && header.field(name).is_none() {
        return text.to_owned();
    }
    let values: Vec<String> = relations.iter().map(ToString::to_string).collect();
    set_field(text, &header, name, &FieldValue::List(values), NewBlock::Yaml)
}

/// Too few or too many triggers.
pub(super) struct TriggerCount;

impl Rule for TriggerCount {
    fn name(&self) -> &'static str {
        "trigger-count"
    }
    fn severity(&self) -> Severity {
        Severity::Suggestion
    }
    fn doc(&self) -> &'static str {
        "a page has no triggers, or not 5 to 10 of them; without triggers routing finds it by its name only"
    }
    fn check(&self, cx: Context<'_>, out: &mut Vec<Diagnostic>) {
        for facts in cx.snapshot.pages.iter().filter(|facts| has_fields(facts)) {
            let found = facts.entry.triggers.len();
            let most = triggers_max(facts.entry.category);
            // A compiled page has what its sources say.
            let least = match facts.entry.is_owned {
                true if facts.entry.category == Category::Rollup => 0,
                true => 1,
                false => *TRIGGERS.start(),
            };
            if !(least..=most).contains(&found) {
                let message = format!("header has {found} triggers, {} to {most} are expected", TRIGGERS.start());
                let span = field_span(facts, FieldName::Triggers);
                out.push(Diagnostic::new(self.name(), self.severity(), &facts.page.path, span, message));
            }
        }
    }
}

/// Pages without any header are a layout's choice (documents, logs), not damage.
fn has_fields(facts: &PageFacts) -> bool {
    !facts.page.header.fields.is_empty() && facts.entry.redirect_to.is_none()
}

/// A tldr that is missing, too long, or more than a sentence.
pub(super) struct TldrShape;

impl Rule for TldrShape {
    fn name(&self) -> &'static str {
        "tldr-shape"
    }
    fn severity(&self) -> Severity {
        Severity::Suggestion
    }
    fn doc(&self) -> &'static str {
        "the tldr is missing, longer than 300 characters or more than one sentence; it should answer in one line"
    }
    fn check(&self, cx: Context<'_>, out: &mut Vec<Diagnostic>) {
        for facts in cx.snapshot.pages.iter().filter(|facts| has_fields(facts)) {
            let tldr = &facts.entry.tldr;
            let (chars, n_sentences) = (tldr.chars().count(), sentences(tldr).len());
            // A compiled page has none where nothing that it is made from says what it is.
            let message = if tldr.is_empty() && facts.entry.is_owned {
                continue;
            } else if tldr.is_empty() {
                "header has no tldr".to_owned()
            } else if chars > TLDR_CHARS_MAX {
                format!("tldr has {chars} characters, at most {TLDR_CHARS_MAX} are expected")
            } else if n_sentences > 1 {
                format!("tldr has {n_sentences} sentences, one is expected")
            } else {
                continue;
            };
            let span = field_span(facts, FieldName::Tldr);
            out.push(Diagnostic::new(self.name(), self.severity(), &facts.page.path, span, message));
        }
    }
}

/// A relation without the month it was validated.
pub(super) struct UnvalidatedRelation;

impl Rule for UnvalidatedRelation {
    fn name(&self) -> &'static str {
        "unvalidated-relation"
    }
    fn severity(&self) -> Severity {
        Severity::Suggestion
    }
    fn doc(&self) -> &'static str {
        "a relation has no `:YYYY-MM`; when it goes stale cannot be seen"
    }
    fn check(&self, cx: Context<'_>, out: &mut Vec<Diagnostic>) {
        // A compiled relation without a month comes from documents without a date.
        for facts in cx.snapshot.pages.iter().filter(|facts| !facts.entry.is_owned) {
            for (field, relations) in [(FieldName::High, &facts.entry.high), (FieldName::Mid, &facts.entry.mid)] {
                let missing: Vec<String> = relations
                    .iter()
                    .filter(|relation| relation.validated.is_none())
                    .map(|relation| format!("`{}`", relation.target))
                    .collect();
                if !missing.is_empty() {
                    let message = format!("no month of validation on {}", missing.join(", "));
                    out.push(
                        Diagnostic::new(
                            self.name(),
                            self.severity(),
                            &facts.page.path,
                            field_span(facts, field),
                            message,
                        )
                        .hint("write each as `name:YYYY-MM`"),
                    );
                }
            }
        }
    }
}
