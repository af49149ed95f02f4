//! Rules about names: one name, one page.

use super::{Context, Rule, field_span};
use crate::diagnostic::{Diagnostic, Severity};
use crate::header::FieldName;
use crate::span::Span;

/// Two pages with one name.
pub(super) struct DuplicateName;

impl Rule for DuplicateName {
    fn name(&self) -> &'static str {
        "duplicate-name"
    }
    fn severity(&self) -> Severity {
        Severity::Warning
    }
    fn doc(&self) -> &'static str {
        "two pages share a slug, title or alias, so a link by that name is ambiguous; an error for slugs"
    }
    fn check(&self, cx: Context<'_>, out: &mut Vec<Diagnostic>) {
        for (page_idx, facts) in cx.snapshot.pages.iter().enumerate() {
            for (n, name) in facts.entry.names().into_iter().enumerate() {
                let Some(owner) = cx.snapshot.named(&name).filter(|owner| *owner != page_idx) else { continue };
                let (severity, what, span) = match n {
                    0 => (Severity::Error, "slug", Span::new(0, 0)),
                    _ => (self.severity(), "title or alias", field_span(facts, FieldName::Aliases)),
                };
                let other = &cx.snapshot.pages[owner].page.path;
                let message = format!("{what} `{name}` already names `{other}`");
                out.push(
                    Diagnostic::new(self.name(), severity, &facts.page.path, span, message)
                        .hint("rename one of them, or make one a redirect"),
                );
            }
        }
    }
}

/// A file whose name is not the slug its header gives.
pub(super) struct SlugDrift;

impl Rule for SlugDrift {
    fn name(&self) -> &'static str {
        "slug-drift"
    }
    fn severity(&self) -> Severity {
        Severity::Warning
    }
    fn doc(&self) -> &'static str {
        "the file is named differently from the `slug` in its header, or its name is not a slug; links by one of them miss"
    }
    fn check(&self, cx: Context<'_>, out: &mut Vec<Diagnostic>) {
        for facts in &cx.snapshot.pages {
            let (page, stem) = (&facts.page, facts.page.path.stem());
            let field = page.header.fields.iter().find(|field| field.key.of(&page.text).eq_ignore_ascii_case("slug"));
            if let Some(field) = field {
                let slug = crate::header::decode_scalar(field.value.of(&page.text), field.style);
                if !slug.is_empty() && slug != stem {
                    let message =
                        format!("header says slug `{}`, the file is named `{stem}`", crate::text::cut(&slug, 120));
                    out.push(Diagnostic::new(self.name(), self.severity(), &page.path, field.value, message));
                }
            } else if facts.entry.is_owned && facts.entry.slug.as_str() != stem {
                let message = format!("file name `{stem}` is not a slug, `{}` is", facts.entry.slug);
                out.push(Diagnostic::new(self.name(), self.severity(), &page.path, Span::new(0, 0), message));
            }
        }
    }
}
