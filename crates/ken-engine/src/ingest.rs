//! Registers documents as sources.
//!
//! A source from outside the vault is copied under the sources folder, named after its place; one inside
//! stays where it is. No copy ever takes the place of another document. The
//! register, `.kenning/sources.jsonl`, is append-only: the last line of a path holds. A document's bytes
//! are never changed. Of a document that says no day itself the register keeps that of its last commit, so that
//! nothing but this command has to ask for it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use ken_compile::revise::revisions;
use ken_core::journal::{NewEntry, SectionKind};
use ken_core::revised::Revision;
use ken_core::text::count;
use ken_core::time::leading_date;
use ken_core::{Basis, Date, Digest, Edit, LogEntry, Plan, VaultPath};
use ken_store::LockGuard;
use serde::{Deserialize, Serialize};

use crate::engine::Engine;
use crate::failure::Failure;
use crate::outcome::{IngestOutcome, IngestState, Ingested, Trust};
use crate::repository;
use finding::{Found, Stands};
use naming::Place;
pub(crate) use naming::{folded, named_below, source_name};

mod finding;
mod forgotten;
mod naming;

/// Extensions of documents that can be compiled.
const DOCUMENTS: &[&str] = &["md", "markdown", "html", "htm", "txt"];

/// Most changes of documents that one call tells of.
const REVISIONS_MAX: usize = 200;

/// One line of the register.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct RegisterLine {
    path: String,
    digest: String,
    trust: String,
    /// A digest of the place that a copy was made from, seen from the vault; it only tells places apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    origin: Option<String>,
    /// The day of the last commit that changed the document, if it said no day itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    day: Option<String>,
    /// The seal of a document that stays outside the sources folder: a register that came with a vault could
    /// name any file in it, private ones too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seal: Option<String>,
    /// Whether it is the kept copy of a page that was adopted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    adopted: bool,
}

/// What a line about a document in place is sealed as.
const IN_PLACE: &str = "source in place";

impl RegisterLine {
    /// What of the line is sealed: which document, how far it is believed, and of when it is.
    fn sealed(&self) -> Vec<u8> {
        let day = self.day.as_ref().map(|day| format!("\n{day}")).unwrap_or_default();
        format!("{}\n{}{day}", self.path, self.trust).into_bytes()
    }

    /// What the line says, if it reads.
    fn said(&self) -> Option<(VaultPath, Registered)> {
        let day = self.day.as_deref().and_then(leading_date);
        let (digest, trust) = (Digest::parse(&self.digest)?, Trust::parse(&self.trust)?);
        let said = Registered { digest, trust, day, is_adopted: self.adopted };
        Some((VaultPath::new(&self.path)?, said))
    }
}

/// What the register says of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Registered {
    /// The digest of its bytes when it was registered.
    pub(crate) digest: Digest,
    /// How far it is believed.
    pub(crate) trust: Trust,
    /// The day of its last commit, which counts where it says none itself.
    pub(crate) day: Option<Date>,
    /// Whether it is the kept copy of a page that was adopted.
    pub(crate) is_adopted: bool,
}

/// What is registered, by path.
pub(crate) type Register = BTreeMap<VaultPath, Registered>;

/// Says on which days (`2026-03-14`) files of a work tree were last committed: given its top, and the names of the
/// files as seen from there.
pub type Committed<'a> = dyn Fn(&Path, &BTreeSet<String>) -> BTreeMap<String, String> + 'a;

/// What is known of the sources folder while documents are taken in.
struct Shelf {
    sources: VaultPath,
    /// Which place each copy was made from.
    origins: BTreeMap<String, VaultPath>,
    /// Names that stand for something, as they are compared.
    taken: BTreeSet<String>,
}

impl Shelf {
    /// The name under which a document is kept: its own from last time, else a free one.
    fn name(&mut self, place: &Place) -> VaultPath {
        let own = self.origins.get(&place.origin).cloned();
        let name = own.unwrap_or_else(|| place.free_name(&self.sources, &self.taken));
        self.taken.insert(naming::folded(&name));
        self.origins.insert(place.origin.clone(), name.clone());
        name
    }

    /// Whether a document of the vault was copied from somewhere.
    fn is_copy(&self, path: &VaultPath) -> bool {
        self.origins.values().any(|copy| copy == path)
    }
}

impl Engine {
    /// Registers files, and the documents in folders, as sources.
    ///
    /// # Errors
    /// When nothing at all could be registered, or the vault cannot be written.
    pub fn ingest(&self, paths: &[PathBuf], trust: Trust, in_place: bool) -> Result<IngestOutcome, Failure> {
        self.ingest_committed(paths, trust, in_place, &|_, _| BTreeMap::new())
    }

    /// The same with the days of commits, for documents that say no day themselves.
    ///
    /// # Errors
    /// As of [`Engine::ingest`].
    pub fn ingest_committed(
        &self,
        paths: &[PathBuf],
        trust: Trust,
        in_place: bool,
        committed: &Committed<'_>,
    ) -> Result<IngestOutcome, Failure> {
        let mut outcome = IngestOutcome::default();
        let mut found = Vec::new();
        for path in paths {
            let read = self.find_documents(path, path, in_place, &mut found, &mut outcome.skipped);
            outcome.failed.extend(read.err().map(|failure| (path.display().to_string(), reason(failure))));
        }
        let days = days_of(&found, committed);
        let guard = self.lock("ingest")?;
        let (register, forgotten) = (self.register()?, self.forgotten()?);
        let mut shelf = self.shelf(&register)?;
        let mut edits: Vec<Edit> = Vec::new();
        let mut changes: Vec<Revision> = Vec::new();
        let mut lines = String::new();
        for Found { bytes, shown, stands, redactions, undated } in found {
            outcome.redactions += redactions;
            let (target, origin) = match stands {
                Stands::Inside(path) => (path, None),
                Stands::Copied(place) => (shelf.name(&place), Some(place.origin)),
            };
            let digest = Digest::of(&bytes);
            let known = register.get(&target);
            // A copy was committed later than what it was copied from.
            let asked = undated.filter(|_| origin.is_some() || !shelf.is_copy(&target));
            let before = known.filter(|known| known.digest == digest).and_then(|known| known.day);
            let day = asked.and_then(|place| days.get(&place).copied()).or(before);
            let now = Registered { digest, trust, day, is_adopted: known.is_some_and(|known| known.is_adopted) };
            let state = state_of(known, now);
            let is_named = edits.iter().any(|edit| *edit.path() == target);
            let named = || is_named.then(|| format!("it is `{target}`, which this call names already"));
            // One that was registered before and lost its text changes what pages say.
            let is_empty = known.is_none() && bytes.trim_ascii().is_empty();
            let empty = || is_empty.then(|| "there is no text in it".to_owned());
            let forgotten = self.why_forgotten(&forgotten, digest, &target, origin.as_deref());
            if let Some(why) = empty().or(forgotten).or_else(named) {
                outcome.skipped.push((shown, why));
                continue;
            }
            if origin.is_some() {
                let current = self.store.read(&target)?;
                if current.as_deref().is_some_and(|current| current != bytes && is_edited(current, known)) {
                    let why = "was edited in the vault, and the edit stays; rename that copy";
                    outcome.skipped.push((shown, format!("its copy `{target}` {why}")));
                    continue;
                }
                if current.as_deref() != Some(&bytes) {
                    let was = current.as_deref().filter(|_| trust == Trust::User);
                    changes.extend(was.map(|was| changed(&target, was, &bytes)).unwrap_or_default());
                    edits.push(Basis::of(&target, current.as_deref()).replace(bytes));
                }
            }
            if state != IngestState::Unchanged {
                lines.push_str(&self.register_line(&target, now, origin.clone()));
            }
            let from = origin.map(|_| shown);
            outcome.sources.push(Ingested { path: target, from, digest, trust, day, state });
        }
        if !lines.is_empty() {
            edits.push(Edit::Append { path: register_path(), preamble: Vec::new(), content: lines.into_bytes() });
        }
        self.apply_ingest(&guard, (edits, &changes), &mut outcome)?;
        if outcome.sources.is_empty() { Err(nothing_to_register(&outcome)) } else { Ok(outcome) }
    }

    /// What the journal is told of how documents changed; nothing where none did.
    fn told_changes(&self, revisions: &[Revision]) -> Vec<(Date, NewEntry)> {
        let paths: BTreeSet<&VaultPath> = revisions.iter().map(|revision| &revision.path).collect();
        let Some(first) = paths.first() else { return Vec::new() };
        let title = if paths.len() == 1 { Revision::title(first) } else { Revision::title_of(paths.len()) };
        let told = revisions.iter().take(REVISIONS_MAX).map(Revision::to_string).collect();
        let mut sections = vec![(SectionKind::KeyExchanges, told)];
        if let Some(n_left @ 1..) = revisions.len().checked_sub(REVISIONS_MAX) {
            sections.push((SectionKind::Events, vec![format!("{} more changed or went.", count(n_left, "statement"))]));
        }
        vec![(self.clock.today(), self.entry_of_now(title, sections))]
    }

    fn apply_ingest(
        &self,
        guard: &LockGuard,
        (mut edits, changes): (Vec<Edit>, &[Revision]),
        outcome: &mut IngestOutcome,
    ) -> Result<(), Failure> {
        let told = self.journal_edits(&self.told_changes(changes))?;
        (outcome.n_revised, outcome.told_in) = (changes.len(), told.first().map(|edit| edit.path().clone()));
        edits.extend(told);
        let inputs = outcome.sources.iter().map(|source| (source.path.clone(), source.digest)).collect();
        let listed = outcome.sources.iter().filter(|source| source.state != IngestState::Unchanged);
        let listed = listed.map(|source| format!("{} {}", source.state.as_str(), source.path)).collect();
        let subject = count(outcome.sources.len(), "source");
        let log =
            LogEntry { at: self.clock.now, kind: "ingest".to_owned(), subject, lines: listed, inputs, public: false };
        self.apply(guard, &Plan { edits, guards: Vec::new(), log })?;
        Ok(())
    }

    /// Returns what the sources folder holds already.
    fn shelf(&self, register: &Register) -> Result<Shelf, Failure> {
        let sources = self.layout().sources.clone();
        let standing = self.store.list(&sources)?.files.into_iter().map(|file| file.path);
        let taken = standing.chain(register.keys().cloned()).map(|path| naming::folded(&path)).collect();
        let bytes = self.store.read(&register_path())?.unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let origin = |line: &str| {
            let line: RegisterLine = serde_json::from_str(line).ok()?;
            // The register may have come with the vault: what is written to is a document on the shelf.
            let path =
                VaultPath::new(&line.path).filter(|path| path.is_under(sources.as_str()) && is_document(path))?;
            Some((line.origin?, path))
        };
        let origins = text.lines().filter_map(origin).collect();
        Ok(Shelf { sources, origins, taken })
    }

    /// The line that registers a document; one in place bears this user's seal.
    pub(crate) fn register_line(&self, path: &VaultPath, now: Registered, origin: Option<String>) -> String {
        let (path, trust) = (path.to_string(), now.trust.as_str().to_owned());
        let day = now.day.map(|day| day.to_string());
        let (digest, adopted) = (now.digest.to_string(), now.is_adopted);
        let mut line = RegisterLine { path, digest, trust, origin, day, seal: None, adopted };
        if !line.path.starts_with(&format!("{}/", self.layout().sources)) {
            line.seal = self.store.seal(IN_PLACE, &line.sealed());
        }
        serde_json::to_string(&line).expect("texts are JSON") + "\n"
    }

    /// Whether a line counts: of a document in the sources folder, or of one in place that this user registered
    /// and that is no hidden file.
    fn is_believed(&self, line: &RegisterLine) -> bool {
        let layout = self.layout();
        VaultPath::new(&line.path).is_some_and(|path| {
            let is_sealed =
                || line.seal.as_deref().is_some_and(|seal| self.store.is_sealed(IN_PLACE, &line.sealed(), seal));
            layout.may_change(&path) && is_document(&path) && (path.is_under(layout.sources.as_str()) || is_sealed())
        })
    }

    fn register_lines(&self) -> Result<Vec<RegisterLine>, Failure> {
        let bytes = self.store.read(&register_path())?.unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        Ok(text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
    }

    /// The documents in place that somebody else registered, each with how far it was to be believed.
    pub(crate) fn sources_of_others(&self) -> Result<Vec<(VaultPath, Registered)>, Failure> {
        let mut others = BTreeMap::new();
        for line in self.register_lines()? {
            let Some((path, said)) = line.said() else { continue };
            match self.is_believed(&line) {
                true => others.remove(&path),
                false => others.insert(path, said),
            };
        }
        Ok(others.into_iter().collect())
    }

    /// The edit that registers documents that somebody else had registered, as far as they stand and may be.
    pub(crate) fn adopt_sources(&self) -> Result<Option<(usize, Edit)>, Failure> {
        let (mut lines, mut n_adopted) = (String::new(), 0);
        for (path, said) in self.sources_of_others()? {
            if !self.layout().may_change(&path) || !is_document(&path) {
                continue;
            }
            if let Some(bytes) = self.store.read(&path)? {
                let now = Registered { digest: Digest::of(&bytes), ..said };
                lines.push_str(&self.register_line(&path, now, None));
                n_adopted += 1;
            }
        }
        let edit = Edit::Append { path: register_path(), preamble: Vec::new(), content: lines.into_bytes() };
        Ok((n_adopted > 0).then_some((n_adopted, edit)))
    }

    /// What is registered: what the last line of each path says.
    pub(crate) fn register(&self) -> Result<Register, Failure> {
        let read = |line: RegisterLine| line.said().filter(|_| self.is_believed(&line));
        Ok(self.register_lines()?.into_iter().filter_map(read).collect())
    }

    /// Returns the line that registers new bytes of a source that is registered already.
    pub(crate) fn registered_again(&self, path: &VaultPath, bytes: &[u8]) -> Result<Option<String>, Failure> {
        let known = self.register()?.remove(path);
        let now = |known| Registered { digest: Digest::of(bytes), ..known };
        Ok(known.map(|known| self.register_line(path, now(known), None)))
    }

    /// Returns the registered sources that stand outside the sources folder.
    pub(crate) fn sources_in_place(&self) -> Result<Vec<VaultPath>, Failure> {
        let layout = self.layout();
        let outside =
            |path: &VaultPath| !path.is_under(layout.sources.as_str()) && !path.is_under(layout.wiki.as_str());
        Ok(self.register()?.into_keys().filter(outside).collect())
    }
}

/// Whether a copy is not what was registered last.
fn is_edited(copy: &[u8], known: Option<&Registered>) -> bool {
    known.is_none_or(|known| known.digest != Digest::of(copy))
}

/// What a document says otherwise than it did. Of one that nobody vouches for nothing is asked: whoever wrote it may say in
/// it what was.
fn changed(path: &VaultPath, was: &[u8], is: &[u8]) -> Vec<Revision> {
    let is_html = matches!(path.extension().to_ascii_lowercase().as_str(), "html" | "htm");
    let texts = std::str::from_utf8(was).ok().zip(std::str::from_utf8(is).ok()).filter(|_| !is_html);
    texts.map(|(was, is)| revisions(path, was, is)).unwrap_or_default()
}

/// What became of a document that was known as this, or was not.
fn state_of(known: Option<&Registered>, now: Registered) -> IngestState {
    match known {
        None => IngestState::Added,
        Some(known) if *known == now => IngestState::Unchanged,
        Some(_) => IngestState::Changed,
    }
}

/// What a failure says first of why.
fn reason(failure: Failure) -> String {
    failure.chain.into_iter().next().unwrap_or(failure.message)
}

fn nothing_to_register(outcome: &IngestOutcome) -> Failure {
    let mut failure = Failure::refused("there is nothing to register")
        .hint("documents are .md, .html, .txt, .rst, .adoc, .docx, .epub and .pdf files; nothing was changed");
    let left_out = outcome.failed.iter().chain(&outcome.skipped);
    failure.chain = left_out.map(|(place, why)| format!("`{place}`: {why}")).collect();
    failure
}

/// The days of the last commits of the documents that say no day themselves, by their places.
fn days_of(found: &[Found], committed: &Committed<'_>) -> BTreeMap<PathBuf, Date> {
    let mut trees: BTreeMap<PathBuf, BTreeSet<String>> = BTreeMap::new();
    for place in found.iter().filter_map(|found| found.undated.as_deref()) {
        let Some(top) = place.parent().and_then(repository::top_of) else { continue };
        if let Some(name) = place.strip_prefix(&top).ok().and_then(Path::to_str) {
            trees.entry(top).or_default().insert(name.replace('\\', "/"));
        }
    }
    let days = |(top, names): (PathBuf, BTreeSet<String>)| {
        let days = committed(&top, &names).into_iter();
        days.filter_map(move |(name, day)| Some((top.join(name), leading_date(&day)?))).collect::<Vec<_>>()
    };
    trees.into_iter().flat_map(days).collect()
}

pub(crate) fn register_path() -> VaultPath {
    VaultPath::new(".kenning/sources.jsonl").expect("inside the vault")
}

/// Returns whether a file can be compiled as a source, by its name.
pub(crate) fn is_document(path: &VaultPath) -> bool {
    DOCUMENTS.contains(&path.extension().to_ascii_lowercase().as_str())
}
