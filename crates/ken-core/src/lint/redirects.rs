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
        for (facts, end) in cx.snapshot.pages.iter().zip(ends(cx.snapshot)) {
            let Some(target) = &facts.entry.redirect_to else { continue };
            if end.is_none() {
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

/// The page at the end of each page's chain of redirects, with the number of steps; none for a dead end or a
/// circle. Each page is looked at once, however long the chains are.
fn ends(snapshot: &Snapshot) -> Vec<Option<(usize, usize)>> {
    let mut ends: Vec<Option<Option<(usize, usize)>>> = vec![None; snapshot.pages.len()];
    let mut is_on_chain = vec![false; snapshot.pages.len()];
    for start in 0..snapshot.pages.len() {
        let (mut chain, mut at) = (Vec::new(), start);
        let end = loop {
            if let Some(known) = ends[at] {
                break known;
            }
            if std::mem::replace(&mut is_on_chain[at], true) {
                break None;
            }
            let Some(target) = &snapshot.pages[at].entry.redirect_to else {
                ends[at] = Some(Some((at, 0)));
                break Some((at, 0));
            };
            chain.push(at);
            match snapshot.find(target) {
                Some(next) => at = next,
                None => break None,
            }
        };
        for (n, page_idx) in chain.into_iter().rev().enumerate() {
            ends[page_idx] = Some(end.map(|(last, n_steps)| (last, n_steps + n + 1)));
        }
    }
    ends.into_iter().map(Option::flatten).collect()
}

/// The page at the end of one chain of redirects.
fn end(snapshot: &Snapshot, from: usize) -> Option<usize> {
    let mut at = from;
    for _ in 0..=snapshot.pages.len() {
        match &snapshot.pages[at].entry.redirect_to {
            Some(target) => at = snapshot.find(target)?,
            None => return Some(at),
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
        for (facts, end) in cx.snapshot.pages.iter().zip(ends(cx.snapshot)) {
            if let Some((last, n_steps)) = end.filter(|(_, n_steps)| *n_steps > 1) {
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
        let last = end(cx.snapshot, page_idx)?;
        let header = read_header(text).value;
        let slug = cx.snapshot.pages[last].entry.slug.as_str();
        Some(set_field(text, &header, FieldName::RedirectTo, &slug.into(), NewBlock::Yaml))
    }
}
