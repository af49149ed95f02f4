//! Rules about redirects: they lead to a page, in one step.

use super::{Context, Rule, field_span};
use crate::diagnostic::{Diagnostic, Severity};
use crate::header::{FieldName, NewBlock, read_header, set_field};
use crate::snapshot::Snapshot;

/// A redirect to nothing, or in a circle.
pub(super) struct BrokenRedirect;

impl Rule for BrokenRedirect {
    fn name(&self) -> &'static str {
        "broken-redirect"
    }
    fn severity(&self) -> Severity {
        Severity::Error
    }
    fn doc(&self) -> &'static str {
        "a redirect leads to no page, to itself, or in a circle"
    }
    fn check(&self, cx: Context<'_>, out: &mut Vec<Diagnostic>) {
        for (page_idx, facts) in cx.snapshot.pages.iter().enumerate() {
            let Some(target) = &facts.entry.redirect_to else { continue };
            if end(cx.snapshot, page_idx).is_none() {
                let message = match cx.snapshot.find(target) {
                    None => format!("redirect to `{}`, but no page has that name", crate::text::cut(target, 120)),
                    Some(_) => format!("redirect to `{}` leads in a circle", crate::text::cut(target, 120)),
                };
                out.push(Diagnostic::new(
                    self.name(),
                    self.severity(),
                    &facts.page.path,
                    field_span(facts, FieldName::RedirectTo),
                    message,
                ));
            }
        }
    }
}

/// The page at the end of a chain of redirects, with the number of steps; none for a dead end or a circle.
fn end(snapshot: &Snapshot, from: usize) -> Option<(usize, usize)> {
    let mut at = from;
    for n_steps in 0..=snapshot.pages.len() {
        match &snapshot.pages[at].entry.redirect_to {
            Some(target) => at = snapshot.find(target)?,
            None => return Some((at, n_steps)),
        }
    }
    None
}

/// A redirect to a redirect.
pub(super) struct DoubleRedirect;

impl Rule for DoubleRedirect {
    fn name(&self) -> &'static str {
        "double-redirect"
    }
    fn severity(&self) -> Severity {
        Severity::Warning
    }
    fn doc(&self) -> &'static str {
        "a redirect leads to another redirect. Fix: it leads to the last page directly"
    }
    fn check(&self, cx: Context<'_>, out: &mut Vec<Diagnostic>) {
        for (page_idx, facts) in cx.snapshot.pages.iter().enumerate() {
            if let Some((last, n_steps)) = end(cx.snapshot, page_idx).filter(|(_, n_steps)| *n_steps > 1) {
                let message =
                    format!("redirect takes {n_steps} steps to reach `{}`", cx.snapshot.pages[last].entry.slug);
                out.push(
                    Diagnostic::new(
                        self.name(),
                        self.severity(),
                        &facts.page.path,
                        field_span(facts, FieldName::RedirectTo),
                        message,
                    )
                    .with_fix(),
                );
            }
        }
    }
    fn fix(&self, cx: Context<'_>, page_idx: usize, text: &str) -> Option<String> {
        let (last, _) = end(cx.snapshot, page_idx)?;
        let header = read_header(text).value;
        let slug = cx.snapshot.pages[last].entry.slug.as_str();
        Some(set_field(text, &header, FieldName::RedirectTo, &slug.into(), NewBlock::Yaml))
    }
}
