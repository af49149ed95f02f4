//! The pages as they are, and as a command leaves them.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::header::{FieldName, FieldValue, NewBlock, read_header, set_field};
use ken_core::layout::preset::HeaderForm;
use ken_core::link::rewrite::{Called, Move, Rewrite};
use ken_core::page::{HISTORY, page_slug};
use ken_core::snapshot::PageFacts;
use ken_core::unmerged::unmerged;
use ken_core::{Basis, Category, Digest, Edit, Index, IndexEntry, Slug, Snapshot, VaultPath};

use ken_compile::Ledger;
use ken_compile::ledger::key_of;
use ken_compile::naming::PageRecord;

use crate::engine::Engine;
use crate::failure::Failure;

/// What a verb decided.
pub(super) struct Change {
    pub(super) kind: &'static str,
    pub(super) subject: String,
    /// For the log.
    pub(super) lines: Vec<String>,
    pub(super) slug: Slug,
    pub(super) path: Option<VaultPath>,
    /// Pages that compiling must make.
    pub(super) expects: Vec<Slug>,
    pub(super) notes: Vec<String>,
    pub(super) redactions: usize,
}

impl Change {
    pub(super) fn of(kind: &'static str, subject: String, slug: Slug, path: Option<VaultPath>) -> Change {
        let (lines, expects, notes) = (Vec::new(), Vec::new(), Vec::new());
        Change { kind, subject, lines, slug, path, expects, notes, redactions: 0 }
    }
}

/// The pages, with the texts that a command gives some of them.
pub(crate) struct View<'e> {
    pub(super) engine: &'e Engine,
    pub(crate) snapshot: Snapshot,
    after: BTreeMap<VaultPath, Option<String>>,
    moves: Vec<Move>,
    pub(super) n_references: usize,
}

impl<'e> View<'e> {
    pub(crate) fn of(engine: &'e Engine) -> Result<View<'e>, Failure> {
        let snapshot = engine.snapshot_of_pages()?;
        Ok(View { engine, snapshot, after: BTreeMap::new(), moves: Vec::new(), n_references: 0 })
    }

    /// The page of a name, as it stands: a redirect is not followed.
    pub(super) fn page(&self, name: &str) -> Result<PageFacts, Failure> {
        match self.snapshot.find(name) {
            Some(page_idx) => Ok(self.snapshot.pages[page_idx].clone()),
            None => {
                let entries: Vec<IndexEntry> = self.snapshot.entries().into_iter().cloned().collect();
                Err(self.engine.no_such_page(name, &Index::new(entries)))
            }
        }
    }

    /// The page of a name, if commands may change it: no redirect, nothing of another tool's, nothing unmerged.
    pub(super) fn changeable(&self, name: &str) -> Result<PageFacts, Failure> {
        let facts = self.page(name)?;
        let slug = &facts.entry.slug;
        if let Some(target) = &facts.entry.redirect_to {
            return Err(Failure::refused(format!("`{slug}` is a redirect to `{target}`"))
                .hint(format!("name `{target}`, or let it lead elsewhere with `ken page redirect {slug} PAGE`")));
        }
        self.refuse_foreign(&facts.page.path)?;
        if unmerged(&facts.page.text).is_some() {
            return Err(Failure::refused(format!("git left conflict markers in `{}`", facts.page.path))
                .hint("merge the two sides by hand first"));
        }
        Ok(facts)
    }

    pub(super) fn refuse_foreign(&self, path: &VaultPath) -> Result<(), Failure> {
        if !self.engine.layout().is_foreign(path) {
            return Ok(());
        }
        Err(Failure::refused(format!("another tool writes `{path}`, and this one never does"))
            .hint("change it with that tool; `ken page new` makes a page of your own beside it"))
    }

    /// A page that a person writes: what is compiled is refused, with what does it instead.
    pub(super) fn own(&self, name: &str, instead: &str) -> Result<PageFacts, Failure> {
        let facts = self.changeable(name)?;
        if !facts.entry.is_owned {
            return Ok(facts);
        }
        let slug = &facts.entry.slug;
        let made = match facts.entry.category {
            Category::Question => "the record of its answer",
            _ => "journal and sources",
        };
        Err(Failure::refused(format!("`{slug}` is compiled from {made}: what it says is not moved by hand"))
            .hint(instead.to_owned()))
    }

    /// What compiling knows of the subject of a compiled page whose name a person changes; refuses pages that are made
    /// of something else than what is said of one name.
    pub(crate) fn subject(&self, facts: &PageFacts) -> Result<(), Failure> {
        self.subject_in(facts, self.engine.load_ledger().as_ref())
    }

    /// The same by a ledger that was loaded already.
    pub(crate) fn subject_in(&self, facts: &PageFacts, ledger: Option<&Ledger>) -> Result<(), Failure> {
        let (slug, path) = (&facts.entry.slug, &facts.page.path);
        let refused = |why: &str, hint: String| Err(Failure::refused(format!("`{slug}` {why}")).hint(hint));
        if matches!(facts.entry.category, Category::Question | Category::Trajectory) {
            return refused("is made from a record", "`ken ask --file-back` names such a page by its question".into());
        }
        let Some(ledger) = ledger else {
            return Err(Failure::new(crate::failure::FailureKind::Retry, "nothing is known of the last compile")
                .hint("`ken compile` makes it known; then give the command again"));
        };
        let found = ledger.pages.iter().find(|(_, record)| record.path == path.as_str());
        let Some((key, record)) = found else {
            let of = slug.as_str().strip_suffix(HISTORY).unwrap_or(slug.as_str());
            return refused("holds older statements of another page", format!("name that page: `{of}`"));
        };
        let PageRecord { beside, folder, title, .. } = record;
        if let Some(own) = beside {
            return refused("follows the name of your own page", format!("name that page: `{own}`"));
        }
        if !folder.is_empty() {
            return refused(
                "is made of a document, and called as that is",
                "change the title in the document, or make a page of your own that names it among its `sources`".into(),
            );
        }
        if ledger.page_of(key_of(title)) != *key && ledger.page_of(key_of(&slug.as_str().replace('-', " "))) != *key {
            return refused(
                "is of a subject that has no plain name",
                "say in the journal what it is called now".into(),
            );
        }
        Ok(())
    }

    /// The place of a page that is to be called so, if it may be.
    pub(super) fn free_place(&self, title: &str, folder: &str, near: Option<&PageFacts>) -> Result<VaultPath, Failure> {
        let slug = slug_of(title)?;
        let stem = match near.map(|facts| facts.page.path.stem()) {
            // Notes that are called as they are titled go on so.
            Some(stem) if stem != page_slug_text(stem) => file_stem(title)?,
            _ => slug.as_str().to_owned(),
        };
        let extension = near.map_or("md", |facts| facts.page.path.extension());
        let path = VaultPath::new(&format!("{folder}/{stem}.{extension}"))
            .ok_or_else(|| Failure::usage(format!("`{title}` cannot be the name of a file")))?;
        if slug.is_device() || !self.engine.layout().is_page(&path) {
            return Err(Failure::refused(format!("`{}` cannot be the name of a page", path.file_name()))
                .hint("the index, the log and what systems keep for devices have such names"));
        }
        self.refuse_foreign(&path)?;
        let is_own = |other: &PageFacts| near.is_some_and(|own| own.page.path == other.page.path);
        let leads_here = |other: &PageFacts| {
            let target = other.entry.redirect_to.as_deref().and_then(|target| self.snapshot.find(target));
            target.is_some_and(|target| is_own(&self.snapshot.pages[target]))
        };
        let named = self.snapshot.named(&slug).map(|page_idx| &self.snapshot.pages[page_idx]);
        if let Some(other) = named.filter(|other| !is_own(other) && !leads_here(other)) {
            let (other, taken) = (&other.entry.slug, slug.as_str());
            let hint = if other.as_str() == taken { String::new() } else { format!(" (`{other}`)") };
            return Err(Failure::refused(format!("`{taken}` is the name of a page already{hint}"))
                .hint(format!("`ken show {other}` prints it; `ken page append {other}` adds to it"))
                .hint("`ken page merge` makes two pages one"));
        }
        let lower = path.as_str().to_lowercase();
        let is_there = |facts: &&PageFacts| facts.page.path.as_str().to_lowercase() == lower;
        let there = self.snapshot.pages.iter().find(is_there).filter(|other| !is_own(other) && !leads_here(other));
        let is_file =
            there.is_none() && self.engine.store.stat(&path)?.is_some() && self.snapshot.page_at(&path).is_none();
        match there.map(|facts| facts.page.path.clone()).or(is_file.then(|| path.clone())) {
            Some(taken) => Err(Failure::refused(format!("a file stands at `{taken}` already"))),
            None => Ok(path),
        }
    }

    /// The folder of a category's pages.
    pub(super) fn folder_of(&self, category: Category) -> String {
        let layout = self.engine.layout();
        if layout.preset.has_folders {
            format!("{}/{}", layout.wiki, category.folder())
        } else {
            layout.wiki.to_string()
        }
    }

    /// How new headers of a page are written.
    pub(super) fn new_block(&self) -> NewBlock {
        match self.engine.layout().preset.header {
            HeaderForm::Yaml => NewBlock::Yaml,
            HeaderForm::Ckp => NewBlock::Ckp,
        }
    }

    /// A text with a header's field set.
    pub(super) fn with(&self, text: &str, name: FieldName, value: impl Into<FieldValue>) -> String {
        set_field(text, &read_header(text).value, name, &value.into(), self.new_block())
    }

    pub(super) fn put(&mut self, path: &VaultPath, text: String) {
        self.after.insert(path.clone(), Some(text));
    }

    pub(super) fn remove(&mut self, path: &VaultPath) {
        self.after.insert(path.clone(), None);
    }

    /// Removes a redirect that has a name which its target takes back.
    pub(super) fn take_name(&mut self, slug: &Slug) {
        let named = self.snapshot.named(slug).map(|page_idx| self.snapshot.pages[page_idx].clone());
        if let Some(redirect) = named.filter(|facts| facts.entry.redirect_to.is_some() && facts.entry.slug == *slug) {
            self.remove(&redirect.page.path);
        }
    }

    /// The text of a redirect that a page leaves.
    pub(super) fn redirect_text(&self, title: &str, to: &Called) -> String {
        let slug = page_slug(&to.path);
        let text = self.with("", FieldName::Title, title);
        let text = self.with(&text, FieldName::RedirectTo, slug.as_str());
        let shown = to.title.replace(['[', ']', '|'], " ");
        format!("{text}Moved to [[{slug}|{}]].\n", shown.trim())
    }

    /// Notes what moved, and rewrites what leads there in every page that a person writes.
    pub(super) fn rewrite_references(&mut self, moves: Vec<Move>) {
        self.moves = moves;
        let paths: Vec<VaultPath> = self.snapshot.pages.iter().map(|facts| facts.page.path.clone()).collect();
        for path in paths {
            let facts = self.snapshot.page_at(&path).expect("it is one of them");
            let is_left = facts.entry.is_owned || self.engine.layout().is_foreign(&path) || is_html(&path);
            if is_left || self.after.contains_key(&path) || unmerged(&facts.page.text).is_some() {
                continue;
            }
            let (text, n) = self.rewritten((&path, &path), &facts.page.text.clone());
            if n > 0 {
                self.n_references += n;
                self.put(&path, text);
            }
        }
    }

    /// Lets go of what stands on the pages: which there are, and what is called how, is all that [`View::rewritten`] goes
    /// by, and compiling takes the room.
    pub(crate) fn forget_texts(&mut self) {
        for facts in &mut self.snapshot.pages {
            facts.page.text = String::new();
            facts.page.header.fields = Vec::new();
            (facts.notes, facts.links, facts.footnotes) = (Vec::new(), Vec::new(), Vec::new());
        }
    }

    /// A text of a file that moved, or not, with what leads to moved pages rewritten.
    pub(crate) fn rewritten(&self, places: (&VaultPath, &VaultPath), text: &str) -> (String, usize) {
        if self.moves.is_empty() {
            return (text.to_owned(), 0);
        }
        Rewrite { snapshot: &self.snapshot, moves: &self.moves }.text(places, text)
    }

    /// The same for a text that a verb puts somewhere, before it is put there.
    pub(super) fn rewritten_by(&mut self, moves: &[Move], places: (&VaultPath, &VaultPath), text: &str) -> String {
        let (text, n) = Rewrite { snapshot: &self.snapshot, moves }.text(places, text);
        self.n_references += n;
        text
    }

    /// The edits that lead from the pages as they are to those as they are to be.
    pub(crate) fn edits(&self) -> Vec<Edit> {
        let mut edits = Vec::new();
        for (path, text) in &self.after {
            let basis = match self.snapshot.page_at(path) {
                Some(facts) => facts.basis(),
                None => Basis::nothing(path.clone()),
            };
            match text {
                Some(text) if basis.digest() == Some(Digest::of(text.as_bytes())) => {}
                Some(text) => edits.push(basis.replace(text.as_str())),
                None if basis.digest().is_some() => edits.push(basis.remove()),
                None => {}
            }
        }
        edits
    }
}

/// What a page is called, and where it stands.
pub(super) fn called(facts: &PageFacts) -> Called {
    Called { path: facts.page.path.clone(), title: facts.entry.title.clone() }
}

/// The folder that a page stands in.
pub(super) fn folder(path: &VaultPath) -> String {
    path.parent().map(|folder| folder.to_string()).unwrap_or_default()
}

pub(super) fn slug_of(title: &str) -> Result<Slug, Failure> {
    Slug::from_text(title).ok_or_else(|| {
        Failure::usage(format!("`{}` has no letter or digit to be named by", ken_core::text::cut(title, 120)))
    })
}

fn page_slug_text(stem: &str) -> String {
    Slug::from_text(stem).map_or_else(String::new, |slug| slug.as_str().to_owned())
}

/// The longest name of a file that is made of a title, in bytes.
const STEM_BYTES_MAX: usize = 120;

/// A title as the name of a file, as notes are called.
fn file_stem(title: &str) -> Result<String, Failure> {
    let bad: BTreeSet<char> = "/\\:*?\"<>|#^[]".chars().collect();
    let is_bad = |ch: char| ch.is_control() || bad.contains(&ch);
    if title.contains(is_bad) || title.starts_with('.') || title.ends_with(['.', ' ']) || title.len() > STEM_BYTES_MAX {
        let title = ken_core::text::cut(title, 120);
        return Err(Failure::usage(format!("`{title}` cannot be the name of a file on every system")).hint(
            "leave out `/ \\ : * ? \" < > | # ^ [ ]`, a dot in front or at the end, and what is beyond 120 bytes",
        ));
    }
    Ok(title.to_owned())
}

pub(super) fn is_html(path: &VaultPath) -> bool {
    matches!(path.extension(), "html" | "htm")
}
