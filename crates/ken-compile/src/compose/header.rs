//! The header of a compiled page.

use std::collections::BTreeSet;

use ken_core::header::{FieldName, FieldValue, MID_MAX, render_header};
use ken_core::page::past::ARCHIVED;
use ken_core::text::one_line;
use ken_core::{Date, Digest, Month, VaultPath};

use super::{PageInput, Proposed, RelatedPage};

/// Returns the header of a page.
pub(super) fn header(
    input: &PageInput,
    sources: &BTreeSet<&VaultPath>,
    (tldr, triggers, proposed, confidence): (&str, Vec<String>, &Proposed, &str),
    (body, has_disputes): (&str, bool),
) -> String {
    // A document is not of the day on which somebody saw that it had changed.
    let said = input.statements.iter().filter(|statement| !statement.is_revised());
    let mut dates: Vec<Date> = said.filter_map(|statement| statement.date).collect();
    dates.extend(input.adopted.as_ref().and_then(|adopted| adopted.created));
    let relation =
        |page: &RelatedPage| page.month.map_or_else(|| page.slug.to_string(), |month| format!("{}:{month}", page.slug));
    let mut fields: Vec<(FieldName, FieldValue)> = vec![
        (FieldName::Category, input.category.as_str().into()),
        (FieldName::Title, one_line(&input.title).as_str().into()),
    ];
    if !input.aliases.is_empty() {
        fields.push((FieldName::Aliases, input.aliases.clone().into()));
    }
    fields.push((FieldName::Tldr, tldr.into()));
    fields.push((FieldName::Triggers, triggers.into()));
    let (high, mid) = proposed.relations(input);
    let mid: Vec<RelatedPage> = mid.iter().chain(&input.joining).take(MID_MAX).cloned().collect();
    for (name, pages) in [(FieldName::High, high), (FieldName::Mid, &mid[..])] {
        if !pages.is_empty() {
            fields.push((name, pages.iter().map(relation).collect::<Vec<_>>().into()));
        }
    }
    if has_disputes && !input.against.is_empty() {
        fields.push((FieldName::Contradicts, input.against.iter().map(relation).collect::<Vec<_>>().into()));
    }
    fields.push((FieldName::Confidence, confidence.into()));
    if !input.archived.is_empty() {
        fields.push((FieldName::Status, ARCHIVED.into()));
        fields.push((FieldName::StaleReason, input.archived.as_str().into()));
    }
    ended(fields, &dates, sources, body)
}

/// Returns a header with what every page of ours ends with: its days, owner and sources, and the digest of its body.
pub(crate) fn ended(
    mut fields: Vec<(FieldName, FieldValue)>,
    dates: &[Date],
    sources: &BTreeSet<&VaultPath>,
    body: &str,
) -> String {
    if let (Some(oldest), Some(newest)) = (dates.iter().min(), dates.iter().max()) {
        fields.push((FieldName::Validated, Month::of(*newest).to_string().as_str().into()));
        fields.push((FieldName::Created, oldest.to_string().as_str().into()));
        fields.push((FieldName::Updated, newest.to_string().as_str().into()));
    }
    fields.push((FieldName::Owner, "kenning".into()));
    fields.push((FieldName::Sources, sources.iter().map(ToString::to_string).collect::<Vec<_>>().into()));
    fields.push((FieldName::BodyDigest, Digest::of(body.as_bytes()).short().as_str().into()));
    render_header(&fields)
}
