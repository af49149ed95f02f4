//! A text as it is looked at, beside the text as it stands: without what nobody sees, decoded, joined, or
//! with marks in the place of what was found.

use ken_core::Span;

/// A text made from parts of another one, which knows where they came from.
#[derive(Default)]
pub(super) struct View {
    pub(super) text: String,
    parts: Vec<Part>,
}

struct Part {
    /// Where it begins in the view.
    at: usize,
    /// What of the source it is.
    source: Span,
    /// Whether it stands there letter by letter.
    is_copied: bool,
}

impl View {
    /// Adds a part of the source as it stands.
    pub(super) fn copy(&mut self, source: &str, span: Span) {
        if span.start < span.end {
            self.parts.push(Part { at: self.text.len(), source: span, is_copied: true });
            self.text.push_str(span.of(source));
        }
    }

    /// Adds something that stands for a part of the source.
    pub(super) fn put(&mut self, text: &str, source: Span) {
        if !text.is_empty() {
            self.parts.push(Part { at: self.text.len(), source, is_copied: false });
            self.text.push_str(text);
        }
    }

    /// Returns the part of the source that a part of the view stands for.
    pub(super) fn source(&self, span: Span) -> Span {
        let part = |at: usize| &self.parts[self.parts.partition_point(|part| part.at <= at).saturating_sub(1)];
        if self.parts.is_empty() || span.start >= span.end {
            return Span::new(0, 0);
        }
        let (first, last) = (part(span.start), part(span.end - 1));
        let start = if first.is_copied { first.source.start + span.start - first.at } else { first.source.start };
        let end = if last.is_copied { last.source.start + span.end - last.at } else { last.source.end };
        Span::new(start, end.max(start))
    }

    /// Returns the view of a text without some of its parts.
    pub(super) fn without(source: &str, left_out: &[Span]) -> View {
        let mut view = View::default();
        let mut at = 0;
        for span in left_out {
            view.copy(source, Span::new(at, span.start));
            at = span.end;
        }
        view.copy(source, Span::new(at, source.len()));
        view
    }
}
