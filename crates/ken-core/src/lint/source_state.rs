//! Rules about what pages were made from: sources not compiled, pages and relations gone stale.

use std::collections::BTreeSet;

use super::{Context, Rule, field_span};
use crate::diagnostic::{Diagnostic, Severity};
use crate::header::FieldName;
use crate::page::Category;
use crate::page::past::{expired, ttl_field};
use crate::path::VaultPath;
use crate::span::Span;
use crate::time::Month;
use crate::unmerged::unmerged;

/// Days a page may go without a new source before it is worth a look.
const AGED_DAYS: i32 = 90;

/// The sources that compiled pages name, where nothing is known of what was compiled: in a copy of a vault, pages are all that
/// tells. None where it is known.
fn named_in_pages(cx: Context<'_>) -> Option<BTreeSet<VaultPath>> {
    if cx.snapshot.sources.values().any(|source| source.compiled.is_some()) {
        return None;
    }
    let owned = cx.snapshot.pages.iter().filter(|facts| facts.entry.is_owned);
    Some(owned.flat_map(|facts| facts.page.list(FieldName::Sources)).filter_map(|path| VaultPath::new(&path)).collect())
}

/// A journal day or source that was not compiled since it last changed.
pub(super) struct UncompiledSource;

impl Rule for UncompiledSource {
    fn name(&self) -> &'static str {
        "uncompiled-source"
    }
    fn severity(&self) -> Severity {
        Severity::Warning
    }
    fn doc(&self) -> &'static str {
        "a journal day or source is new or has changed since it was compiled; its content is in no page yet"
    }
    fn check(&self, cx: Context<'_>, out: &mut Vec<Diagnostic>) {
        let named = named_in_pages(cx).unwrap_or_default();
        for (path, source) in cx.snapshot.sources.iter().filter(|(path, _)| !named.contains(*path)) {
            // What is no text, or is not merged yet, no compile takes; rules of their own say so.
            let is_left_out = || source.text.as_deref().is_none_or(|text| unmerged(text).is_some());
            if source.compiled == Some(source.digest) || is_left_out() {
                continue;
            }
            let why = if source.compiled.is_some() { "changed since it was compiled" } else { "is not compiled yet" };
            let message = format!("source {why}");
            out.push(
                Diagnostic::new(self.name(), self.severity(), path, Span::new(0, 0), message)
                    .hint("compile it with `ken compile`"),
            );
        }
    }
}

/// A page whose sources changed after it was made, or that is old.
pub(super) struct StalePage;

impl Rule for StalePage {
    fn name(&self) -> &'static str {
        "stale-page"
    }
    fn severity(&self) -> Severity {
        Severity::Warning
    }
    fn doc(&self) -> &'static str {
        "a source of a compiled page changed or vanished after the page was made; a suggestion when a page had no new source for 90 days"
    }
    fn check(&self, cx: Context<'_>, out: &mut Vec<Diagnostic>) {
        let is_current = |path: &VaultPath| {
            cx.snapshot.sources.get(path).is_some_and(|source| source.compiled == Some(source.digest))
        };
        let is_unknown = named_in_pages(cx).is_some();
        let fresh: BTreeSet<&VaultPath> =
            cx.snapshot.sources.keys().filter(|path| is_unknown || is_current(path)).collect();
        for facts in &cx.snapshot.pages {
            let sources = if facts.entry.is_owned { facts.page.list(FieldName::Sources) } else { Vec::new() };
            let changed = sources.iter().filter_map(|source| VaultPath::new(source)).find(|path| !fresh.contains(path));
            if let Some(path) = changed {
                let why = if cx.snapshot.sources.contains_key(&path) {
                    "changed after this page was made"
                } else {
                    "is gone"
                };
                let span = field_span(facts, FieldName::Sources);
                let diagnostic = Diagnostic::new(
                    self.name(),
                    self.severity(),
                    &facts.page.path,
                    span,
                    format!("source `{path}` {why}"),
                );
                out.push(diagnostic.hint("compile it with `ken compile`"));
                continue;
            }
            let age =
                facts.entry.updated.and_then(|updated| cx.today.since(updated).ok()).map_or(0, |span| span.get_days());
            // What happened in a period stays what happened.
            if age > AGED_DAYS && facts.entry.category != Category::Rollup {
                let message = format!("no new source for {age} days");
                let span = field_span(facts, FieldName::Updated);
                out.push(Diagnostic::new(self.name(), Severity::Suggestion, &facts.page.path, span, message));
            }
        }
    }
}

/// A page of which its header says that nobody is to rely on it any longer.
pub(super) struct ExpiredPage;

impl Rule for ExpiredPage {
    fn name(&self) -> &'static str {
        "expired-page"
    }
    fn severity(&self) -> Severity {
        Severity::Warning
    }
    fn doc(&self) -> &'static str {
        "the `ttl` of the header is over: nobody changed or validated the page for so long"
    }
    fn check(&self, cx: Context<'_>, out: &mut Vec<Diagnostic>) {
        for facts in cx.snapshot.pages.iter().filter(|facts| !facts.entry.is_owned) {
            let Some(until) = expired(&facts.page, cx.today) else { continue };
            let span =
                ttl_field(&facts.page).map_or(Span::new(0, 0), |field| Span::new(field.key.start, field.value.end));
            let message = format!("its ttl ended {until}; until then nobody changed or validated the page");
            let found = Diagnostic::new(self.name(), self.severity(), &facts.page.path, span, message);
            out.push(found.hint("look whether it still holds, then set `updated_at` or `validated`"));
        }
    }
}

/// A relation validated before its target last changed.
pub(super) struct StaleRelation;

impl Rule for StaleRelation {
    fn name(&self) -> &'static str {
        "stale-relation"
    }
    fn severity(&self) -> Severity {
        Severity::Suggestion
    }
    fn doc(&self) -> &'static str {
        "the related page changed in a month after the relation was validated; look whether it still holds"
    }
    fn check(&self, cx: Context<'_>, out: &mut Vec<Diagnostic>) {
        // The relations of a compiled page are made again with it.
        for (page_idx, facts) in cx.snapshot.pages.iter().enumerate().filter(|(_, facts)| !facts.entry.is_owned) {
            let mut found = cx.snapshot.leads(page_idx).relations.iter();
            for (field, relations) in [(FieldName::High, &facts.entry.high), (FieldName::Mid, &facts.entry.mid)] {
                for relation in relations {
                    let Some(Some(target)) = found.next().copied() else { continue };
                    let changed = cx.snapshot.pages[target].entry.updated.map(Month::of);
                    let (Some(validated), Some(changed)) = (relation.validated, changed) else { continue };
                    if changed > validated {
                        let message = format!(
                            "relation to `{}` was validated {validated}, the page changed {changed}",
                            relation.target
                        );
                        out.push(Diagnostic::new(
                            self.name(),
                            self.severity(),
                            &facts.page.path,
                            field_span(facts, field),
                            message,
                        ));
                    }
                }
            }
        }
    }
}
