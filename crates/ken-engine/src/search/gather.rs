//! Which files search covers, and what documents they hold.

use std::borrow::Cow;

use ken_core::page::parse_page;
use ken_core::search::doc::{journal_docs, page_doc, source_doc, talk_docs};
use ken_core::search::{Doc, Partition};
use ken_core::talk;
use ken_core::{Category, IndexEntry, VaultPath};
use ken_search::Called;
use ken_store::FileStat;

use crate::compile::sources::SourceFile;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::ingest::{Register, is_document};
use crate::outcome::Trust;
use crate::wiki::is_said_again;
use ken_compile::html;

/// What a file is, which decides how it reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum FileKind {
    Page,
    Journal,
    Talk,
    Source,
}

impl FileKind {
    pub(crate) fn partition(self) -> Partition {
        if self == FileKind::Page { Partition::Pages } else { Partition::Evidence }
    }
}

/// A file that search covers.
#[derive(Debug, Clone)]
pub(crate) struct SearchFile {
    pub(crate) kind: FileKind,
    pub(crate) stat: FileStat,
}

/// How far a document is trusted: by the register, else by who writes where it stands.
pub(super) fn trust_code(register: &Register, path: &VaultPath, kind: FileKind) -> u8 {
    let trust = match kind {
        FileKind::Page => None,
        FileKind::Journal | FileKind::Talk => Some(Trust::Agent),
        FileKind::Source => Some(register.get(path).map_or(Trust::User, |known| known.trust)),
    };
    trust.map_or(0, |trust| trust as u8 + 1)
}

/// Returns the trust class of a code, none for 0.
pub(crate) fn trust_of_code(code: u8) -> Option<Trust> {
    [Trust::User, Trust::Agent, Trust::External].into_iter().find(|trust| *trust as u8 + 1 == code)
}

/// Returns the documents of a file with the text that their passages are cut from.
pub(crate) fn docs_of<'t>(
    kind: FileKind,
    path: &VaultPath,
    text: &'t str,
    register: &Register,
) -> (Vec<Doc>, Cow<'t, str>) {
    let is_html = matches!(path.extension(), "html" | "htm");
    let (mut docs, text) = match kind {
        FileKind::Journal => (journal_docs(path, text), Cow::Borrowed(text)),
        FileKind::Talk => (talk_docs(path, text), Cow::Borrowed(text)),
        _ if is_html => {
            let page = parse_page(path, text.to_owned()).value;
            let prose = html::read(text);
            let mut doc = if kind == FileKind::Page { page_doc(&page) } else { source_doc(path, text) };
            doc.facts.title = html::title_of(&page, &prose);
            doc.cut_from(&prose.text, &prose.lines);
            (vec![doc], Cow::Owned(prose.text))
        }
        FileKind::Page => {
            let page = parse_page(path, text.to_owned()).value;
            // A roll-up tells its days again, and those are searched: in their place it would hide where it is said.
            let is_again = page.is_owned() && page.category() == Category::Rollup;
            (if is_again { Vec::new() } else { vec![page_doc(&page)] }, Cow::Borrowed(text))
        }
        FileKind::Source => (vec![source_doc(path, text)], Cow::Borrowed(text)),
    };
    for doc in &mut docs {
        // An entry may say itself who vouches for it, and a document of when it is.
        if doc.facts.trust == 0 {
            doc.facts.trust = trust_code(register, path, kind);
        }
        if kind == FileKind::Source && doc.facts.date.is_none() {
            doc.facts.date = register.get(path).and_then(|known| known.day);
        }
    }
    (docs, text)
}

/// Returns what a file is called if it is a page. By the name of what only says again what stands elsewhere nothing else
/// is searched for.
pub(super) fn called_of(kind: FileKind, path: &VaultPath, text: &str) -> Option<Called> {
    if kind != FileKind::Page {
        return None;
    }
    let entry = IndexEntry::uncounted(&parse_page(path, text.to_owned()).value);
    let called = Called::of(&entry);
    Some(if is_said_again(&entry) { Called { written: Vec::new(), ..called } } else { called })
}

impl Engine {
    /// Returns every file that search covers, by partition and path.
    pub(crate) fn search_files(&self) -> Result<Vec<SearchFile>, Failure> {
        let wiki = self.list_wiki()?;
        let (mut sources, _) = self.source_files()?;
        sources.extend(self.evidence_files()?);
        // What was adopted is said by its page.
        sources.retain(|file| !self.is_kept_copy(&file.stat.path));
        let pages = wiki.files.into_iter().map(|stat| SearchFile { kind: FileKind::Page, stat });
        let sources = sources.into_iter().map(|file| {
            let kind = if file.is_journal { FileKind::Journal } else { FileKind::Source };
            SearchFile { kind, stat: file.stat }
        });
        let talk = self.store.list(&self.layout().talk)?.files.into_iter();
        let talk = talk.filter(|stat| self.covers(&stat.path)).map(|stat| SearchFile { kind: FileKind::Talk, stat });
        Ok(pages.chain(talk).chain(sources).collect())
    }

    /// The files that are searched and make no pages.
    fn evidence_files(&self) -> Result<Vec<SourceFile>, Failure> {
        let mut stats = Vec::new();
        for place in &self.layout().evidence {
            let listing = self.store.list(place)?;
            let is_file = listing.folders.is_empty();
            stats.extend(listing.files);
            stats.extend(if is_file { self.store.stat(place)? } else { None });
        }
        stats.retain(|stat| is_document(&stat.path));
        Ok(stats.into_iter().map(|stat| SourceFile { stat, is_journal: false }).collect())
    }

    /// Returns what a path that search covers is.
    pub(crate) fn file_kind(&self, path: &VaultPath) -> FileKind {
        let layout = self.layout();
        let is_of_pages =
            || path.is_under(layout.wiki.as_str()) || layout.foreign.iter().any(|one| path.is_under(one.as_str()));
        if layout.is_page(path) {
            FileKind::Page
        } else if layout.is_evidence(path) {
            FileKind::Source
        } else if is_of_pages() {
            FileKind::Page
        } else if path.is_under(layout.journal.as_str()) {
            FileKind::Journal
        } else if path.is_under(layout.talk.as_str()) {
            FileKind::Talk
        } else {
            FileKind::Source
        }
    }

    /// Returns whether search covers a file of one of its folders.
    pub(crate) fn covers(&self, path: &VaultPath) -> bool {
        match self.file_kind(path) {
            FileKind::Page => self.layout().is_page(path),
            FileKind::Journal => self.layout().is_day(path),
            FileKind::Talk => talk::day_of(path, &self.layout().talk).is_some(),
            FileKind::Source => is_document(path) && !self.is_kept_copy(path),
        }
    }
}
