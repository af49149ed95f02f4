//! Rules about the index and about files that cannot be read.

use std::collections::BTreeSet;

use super::{Context, Rule};
use crate::diagnostic::{Diagnostic, Severity};
use crate::index::render::render_index;
use crate::span::Span;

/// An index that does not say what the pages say.
pub(super) struct IndexOutOfDate;

impl Rule for IndexOutOfDate {
    fn name(&self) -> &'static str {
        "index-out-of-date"
    }
    fn severity(&self) -> Severity {
        Severity::Warning
    }
    fn doc(&self) -> &'static str {
        "the index, or a shard of it, differs from the headers of the pages. Fix: it is generated again"
    }
    fn check(&self, cx: Context<'_>, out: &mut Vec<Diagnostic>) {
        let snapshot = cx.snapshot;
        if snapshot.pages.is_empty() && snapshot.index_files.is_empty() {
            return;
        }
        let current = snapshot.index_files.get(&snapshot.layout.index).map(String::as_str);
        let wanted = render_index(&snapshot.layout, &snapshot.entries(), current);
        let finding = |path, message: String| {
            Diagnostic::new(self.name(), self.severity(), path, Span::new(0, 0), message).with_fix()
        };
        for (path, text) in &wanted {
            match snapshot.index_files.get(path) {
                Some(found) if found == text => {}
                Some(_) => out.push(finding(path, "index differs from the headers of the pages".to_owned())),
                None => out.push(finding(path, "index file is missing".to_owned())),
            }
        }
        let known: BTreeSet<_> = wanted.iter().map(|(path, _)| path).collect();
        for path in snapshot.index_files.keys().filter(|path| !known.contains(path)) {
            out.push(finding(path, "index shard is no longer used".to_owned()));
        }
    }
}

/// A file that is not UTF-8.
pub(super) struct NotUtf8;

impl Rule for NotUtf8 {
    fn name(&self) -> &'static str {
        "not-utf8"
    }
    fn severity(&self) -> Severity {
        Severity::Warning
    }
    fn doc(&self) -> &'static str {
        "a file is not UTF-8 text; it is left alone and not routed"
    }
    fn check(&self, cx: Context<'_>, out: &mut Vec<Diagnostic>) {
        for (path, at) in &cx.snapshot.unreadable {
            let message = format!("not UTF-8 text from byte {at} on; the file is left alone");
            out.push(Diagnostic::new(self.name(), self.severity(), path, Span::new(0, 0), message));
        }
        for (path, _) in cx.snapshot.sources.iter().filter(|(_, source)| source.text.is_none()) {
            let message = "not UTF-8 text; the source is left alone and not compiled".to_owned();
            out.push(Diagnostic::new(self.name(), self.severity(), path, Span::new(0, 0), message));
        }
    }
}
