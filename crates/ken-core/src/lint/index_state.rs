//! Rules about the index and about files that cannot be read.

use std::collections::BTreeSet;

use super::{Context, Rule};
use crate::diagnostic::{Diagnostic, Severity};
use crate::index::part::INDEX;
use crate::index::render::render_index;
use crate::index::table;
use crate::path::VaultPath;
use crate::snapshot::Snapshot;
use crate::span::Span;
use crate::unmerged::unmerged;

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
        if snapshot.layout.has_table() {
            return self.check_table(snapshot, out);
        }
        let current = |path: &VaultPath| snapshot.index_files.get(path).map(String::as_str);
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
        // What has no generated part is somebody else's.
        let is_ours = |path: &VaultPath| current(path).is_some_and(|text| INDEX.around(text).is_some());
        let known: BTreeSet<_> = wanted.iter().map(|(path, _)| path).collect();
        for path in snapshot.index_files.keys().filter(|path| is_ours(path) && !known.contains(path)) {
            out.push(finding(path, "index shard is no longer used".to_owned()));
        }
    }
}

impl IndexOutOfDate {
    /// Looks at the rows of compiled pages in a table that others have rows in, too.
    fn check_table(&self, snapshot: &Snapshot, out: &mut Vec<Diagnostic>) {
        let layout = &snapshot.layout;
        let current = snapshot.index_files.get(&layout.index).map(String::as_str);
        let ours = snapshot.pages.iter().filter(|facts| facts.entry.is_owned && facts.entry.past.is_none());
        let rows = ours.filter_map(|facts| table::row_of(layout, &facts.page)).collect();
        if table::put(current, &rows, &BTreeSet::new()) != current.unwrap_or_default() {
            let message = "index differs from the headers of the pages".to_owned();
            let found = Diagnostic::new(self.name(), self.severity(), &layout.index, Span::new(0, 0), message);
            out.push(found.with_fix());
        }
    }
}

/// The rule whose findings keep every other from being fixed.
pub(super) const CONFLICT_MARKERS: &str = "conflict-markers";

/// A file that git could not merge.
pub(super) struct ConflictMarkers;

impl Rule for ConflictMarkers {
    fn name(&self) -> &'static str {
        CONFLICT_MARKERS
    }
    fn severity(&self) -> Severity {
        Severity::Error
    }
    fn doc(&self) -> &'static str {
        "git could not merge the file and left its conflict markers in it; it is not compiled until they are gone. Fix: of the index, where they stand in the generated part, which is generated again"
    }
    fn check(&self, cx: Context<'_>, out: &mut Vec<Diagnostic>) {
        let snapshot = cx.snapshot;
        let pages = snapshot.pages.iter().map(|facts| (&facts.page.path, facts.page.text.as_str()));
        let sources = snapshot.sources.iter().filter_map(|(path, source)| Some((path, source.text.as_deref()?)));
        for (path, text) in pages.chain(sources) {
            if let Some(span) = unmerged(text) {
                let message = "conflict markers; merge the two sides by hand and remove the markers";
                out.push(Diagnostic::new(self.name(), self.severity(), path, span, message.to_owned()));
            }
        }
        for (path, text) in &snapshot.index_files {
            let Some(span) = unmerged(text) else { continue };
            let around = INDEX.around(text).map_or_else(|| text.clone(), |around| around.text());
            let message = "conflict markers in the index".to_owned();
            let found = Diagnostic::new(self.name(), self.severity(), path, span, message);
            out.push(if unmerged(&around).is_some() { found } else { found.with_fix() });
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
