//! What comes in from another tool or another vault: one step, taken back by one undo.
//!
//! What is believed goes where it stood: days grow by the entries they do not have, sources and records are added, pages
//! come beside those that stand there. What is external goes nowhere but among the sources, registered as external, so
//! that it leads nothing and is marked wherever it is quoted. Whoever's it is, no file is replaced, every text is cleaned
//! and scrubbed before it is written, and what was forgotten stays so.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use ken_core::claim::is_citable;
use ken_core::journal::JournalEntry;
use ken_core::page::parse_page;
use ken_core::text::count;
use ken_core::{Basis, Date, Digest, Edit, LogEntry, Plan, VaultPath};
use ken_exchange::{Format, Item, Received, SEAL_PURPOSE, Source, Text, grown, plain_name, repointed};
use ken_intake::outside;
use ken_intake::scrub::scrub;

use super::holds::what_holds;
use super::incoming::incoming;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::forget::{Forgotten, Readable};
use crate::ingest::{Register, Registered, folded, is_document, named_below, register_path};
use crate::outcome::Trust;

/// What some editors write in front of a text.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// How to import.
#[derive(Debug, Clone, Copy, Default)]
pub struct ImportOptions {
    /// How far it is believed; without it, an export of this user's own is theirs, and all else external.
    pub trust: Option<Trust>,
    /// Whether nothing is to be changed.
    pub dry_run: bool,
}

/// What an import did.
#[derive(Debug, Clone)]
pub struct ImportOutcome {
    /// How far it is believed.
    pub trust: Trust,
    /// Whether it bears the seal of this user.
    pub is_own: bool,
    /// What came in, or stood there already.
    pub imported: Vec<Imported>,
    /// What was left out, with the reason.
    pub skipped: Vec<(String, String)>,
    /// Secrets that were covered in what came in.
    pub redactions: usize,
    /// With `dry_run`: the plan as a unified diff.
    pub diff: Option<String>,
}

/// A file that came in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imported {
    /// What it is: `day`, `source`, `page`, `talk`, `record` or `state`.
    pub what: &'static str,
    /// Where it stands.
    pub path: VaultPath,
    /// What became of it.
    pub state: ImportState,
}

/// What became of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportState {
    /// It is new.
    Added,
    /// It got so many entries.
    Grown(usize),
    /// All of it stood there.
    Unchanged,
}

impl ImportState {
    /// Returns the word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            ImportState::Added => "added",
            ImportState::Grown(_) => "grown",
            ImportState::Unchanged => "unchanged",
        }
    }
}

impl Engine {
    /// Takes in what a file or folder of some format holds.
    ///
    /// # Errors
    /// When it cannot be read, is not of that format, or the vault cannot be written; nothing was changed then.
    pub fn import(&self, format: &Format, path: &Path, options: ImportOptions) -> Result<ImportOutcome, Failure> {
        let Some(read) = format.read else {
            return Err(Failure::usage(format!("`{}` is a format that is only written", format.name))
                .hint("`ken ingest` registers documents as sources, `ken init` uses a folder of notes as it is")
                .hint("nothing was changed"));
        };
        let (files, mut skipped) = incoming(path)?;
        let Received { mut items, evidence, skipped: left_out, refused, seal } = read(&files);
        if let Some(why) = refused {
            let message = format!("`{}` cannot be read as {}: {why}", path.display(), format.name);
            return Err(Failure::refused(message).hint("nothing was changed"));
        }
        skipped.extend(left_out);
        let is_own = seal.is_some_and(|(digest, seal)| {
            self.store.sign(SEAL_PURPOSE, digest.to_string().as_bytes()).is_some_and(|own| own == seal)
        });
        let trust = options.trust.unwrap_or(if is_own { Trust::User } else { Trust::External });
        let guard = if options.dry_run { None } else { Some(self.lock("import")?) };
        let name = outside::resolved(path).unwrap_or_else(|| path.to_path_buf());
        let name = plain_name(&name.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default());
        let (imported, redactions, diff) = (Vec::new(), 0, None);
        let mut intake = Intake::of(self, ImportOutcome { trust, is_own, imported, skipped, redactions, diff })?;
        match trust {
            Trust::External => {
                intake.leave_out(evidence.len());
                intake.take_external(items, &name)?;
            }
            Trust::User | Trust::Agent => {
                items.extend(evidence);
                intake.take_own(items)?;
            }
        }
        let (plans, mut outcome) = intake.finish(format.name, &name);
        match guard {
            Some(guard) => {
                for plan in plans.iter().filter(|plan| !plan.is_empty()) {
                    self.apply(&guard, plan)?;
                }
            }
            None => {
                let diffs: Result<Vec<String>, Failure> = plans.iter().map(|plan| self.diff(plan)).collect();
                outcome.diff = Some(diffs?.concat());
            }
        }
        Ok(outcome)
    }
}

/// What an import comes to, item by item.
struct Intake<'e> {
    engine: &'e Engine,
    register: Register,
    forgotten: Forgotten,
    /// Where files stand now that stood elsewhere.
    moved: BTreeMap<VaultPath, VaultPath>,
    /// What is added to files that only grow.
    evidence: Vec<Edit>,
    edits: Vec<Edit>,
    /// New lines of the register.
    lines: String,
    /// Places that are written to, as they are compared.
    taken: BTreeSet<String>,
    out: ImportOutcome,
}

impl<'e> Intake<'e> {
    fn of(engine: &'e Engine, out: ImportOutcome) -> Result<Intake<'e>, Failure> {
        let (register, forgotten) = (engine.register()?, engine.forgotten()?);
        let (moved, taken) = (BTreeMap::new(), BTreeSet::new());
        let (evidence, edits, lines) = (Vec::new(), Vec::new(), String::new());
        Ok(Intake { engine, register, forgotten, moved, evidence, edits, lines, taken, out })
    }

    fn skip(&mut self, place: &VaultPath, why: impl Into<String>) {
        self.out.skipped.push((place.to_string(), why.into()));
    }

    /// Leaves out what pages rest on: of what is external a page is the place that is cited.
    fn leave_out(&mut self, n_cited: usize) {
        if n_cited > 0 {
            let what = format!("{n_cited} cited {}", if n_cited == 1 { "file" } else { "files" });
            let why = "what is external is cited by where it came in; `--trust user` takes them, too";
            self.out.skipped.push((what, why.to_owned()));
        }
    }

    fn note(&mut self, what: &'static str, path: VaultPath, state: ImportState) {
        self.out.imported.push(Imported { what, path, state });
    }

    /// The text as it may be written; a mark of the byte order in front says how a file is stored, and hides nothing.
    fn clean(&mut self, text: &str) -> String {
        let said = text.strip_prefix(BYTE_ORDER_MARK);
        let (clean, redactions) = scrub(said.unwrap_or(text));
        self.out.redactions += redactions;
        said.map_or_else(|| clean.to_string(), |_| format!("{BYTE_ORDER_MARK}{clean}"))
    }

    /// Whether nothing of this import goes there yet.
    fn is_free(&mut self, path: &VaultPath) -> bool {
        self.taken.insert(folded(path))
    }

    fn take_own(&mut self, items: Vec<Item>) -> Result<(), Failure> {
        let layout = self.engine.layout();
        let mut pages = Vec::new();
        for item in items {
            match item {
                Item::Day { from, date, text } => self.day(from, date, &text)?,
                Item::Source(source) => {
                    let target = self.own_place(&source)?;
                    self.source(source, target)?;
                }
                Item::Talk { from, place, text } => self.talk(from, &place, &text)?,
                Item::Record(Text { path, text }) => self.keep("record", path, &text)?,
                Item::State(text) => self.keep("state", layout.state_page(), &text)?,
                Item::Page { from, place, text } => pages.push((from, place, text)),
            }
        }
        // Pages last: what they cite may stand elsewhere here.
        let moved = std::mem::take(&mut self.moved);
        for (from, place, text) in pages {
            let is_there = layout.is_page(&from) && layout.may_change(&from) && !layout.is_foreign(&from);
            let below = || layout.wiki.join(place.as_str()).filter(|path| layout.may_change(path));
            let target = if is_there { Some(from.clone()) } else { below() };
            match target.or_else(|| named_below(&layout.wiki, &place)) {
                Some(target) => self.page(&from, target, &repointed(&from, &text, &moved))?,
                None => self.skip(&from, "no page can be called so"),
            }
        }
        Ok(())
    }

    /// Among the sources, whatever it was; what follows from the rest is left out.
    fn take_external(&mut self, items: Vec<Item>, name: &str) -> Result<(), Failure> {
        let folder = self.engine.layout().sources.join(name).expect("a plain name");
        let (mut n_left_out, mut n_past) = ([0; 2], 0);
        for item in items {
            let (path, text, day) = match item {
                Item::Day { from, text, .. } => (from, text, None),
                Item::Source(Source { path, text, day, .. }) => (path, text, day),
                Item::Page { from, text, .. } if !parse_page(&from, text.clone()).value.is_owned() => {
                    let (held, n) = what_holds(&from, text);
                    n_past += n;
                    let Some(text) = held else { continue };
                    (from, text, None)
                }
                Item::Page { .. } => {
                    n_left_out[0] += 1;
                    continue;
                }
                Item::Talk { .. } | Item::Record(_) | Item::State(_) => {
                    n_left_out[1] += 1;
                    continue;
                }
            };
            let target = named_below(&folder, &path);
            let digest = Digest::of(text.as_bytes());
            let (trust, origin, is_adopted) = (Trust::External, None, false);
            self.source(Source { path, text, trust, day, digest, origin, is_adopted }, target)?;
        }
        for (n, what, why) in [
            (n_past, "pages or sections", "their own tool says that they no longer hold"),
            (n_left_out[0], "compiled pages", "they follow from days and documents"),
            (n_left_out[1], "files of talk, records and state", "of somebody else's, they say nothing here"),
        ] {
            if n > 0 {
                let what =
                    if n == 1 { what.replace("pages", "page").replace("sections", "section") } else { what.to_owned() };
                self.out.skipped.push((format!("{n} {what}"), why.to_owned()));
            }
        }
        Ok(())
    }

    fn day(&mut self, from: VaultPath, date: Date, text: &str) -> Result<(), Failure> {
        let text = self.clean(text);
        let path = self.engine.layout().journal.join(&format!("{date}.md")).expect("a date is a file name");
        if !self.is_free(&path) {
            self.skip(&from, "an earlier one is of the same day");
            return Ok(());
        }
        let Ok(old) = self.engine.store.read(&path)?.map(String::from_utf8).transpose() else {
            self.skip(&path, "what stands there is not UTF-8 text");
            return Ok(());
        };
        let (engine, forgotten) = (self.engine, &self.forgotten);
        let is_left_out = |entry: &JournalEntry| {
            let session = entry.provenance.session.as_deref();
            session.is_some_and(|session| matches!(engine.readable_of(forgotten, session), Readable::Nothing(_)))
        };
        let grown = grown(date, old.as_deref(), &text, &is_left_out);
        if grown.n_left_out > 0 {
            self.skip(&from, format!("{} of sessions that were forgotten", count(grown.n_left_out, "entry")));
        }
        if from != path {
            self.moved.insert(from, path.clone());
        }
        let state = match (old, grown.text.is_empty()) {
            (_, true) => ImportState::Unchanged,
            (None, false) => ImportState::Added,
            (Some(_), false) => ImportState::Grown(grown.n_entries),
        };
        self.grow("day", path, grown.text, state);
        Ok(())
    }

    /// Adds to a file that only grows.
    fn grow(&mut self, what: &'static str, path: VaultPath, text: String, state: ImportState) {
        if state != ImportState::Unchanged {
            let (preamble, content) = (Vec::new(), text.into_bytes());
            self.evidence.push(Edit::Append { path: path.clone(), preamble, content });
        }
        self.note(what, path, state);
    }

    fn talk(&mut self, from: VaultPath, place: &VaultPath, text: &str) -> Result<(), Failure> {
        let layout = self.engine.layout();
        let path = layout.talk.join(place.as_str()).filter(|path| layout.may_change(path) && path.extension() == "md");
        let Some(path) = path.filter(|_| self.engine.config.keeps_talk) else {
            self.skip(&from, "no talk is kept there");
            return Ok(());
        };
        if !self.is_free(&path) {
            self.skip(&from, "an earlier one goes to the same place");
            return Ok(());
        }
        let text = self.clean(text);
        let old = self.engine.store.read(&path)?.unwrap_or_default();
        let rest = text.as_bytes().strip_prefix(old.as_slice()).and_then(|rest| std::str::from_utf8(rest).ok());
        let state = match rest {
            None if old.starts_with(text.as_bytes()) => ImportState::Unchanged,
            None => {
                self.skip(&from, format!("`{path}` says otherwise, and stays"));
                return Ok(());
            }
            Some("") => ImportState::Unchanged,
            Some(_) => ImportState::Added,
        };
        if from != path {
            self.moved.insert(from, path.clone());
        }
        self.grow("talk", path, rest.unwrap_or_default().to_owned(), state);
        Ok(())
    }

    /// Where a source of one's own stands: where it stood, if sources do here or the same stands there already.
    fn own_place(&self, source: &Source) -> Result<Option<VaultPath>, Failure> {
        let (layout, from) = (self.engine.layout(), &source.path);
        let may_stand = layout.may_change(from) && is_citable(from) && is_document(from);
        if may_stand && from.is_under(layout.sources.as_str()) {
            return Ok(Some(from.clone()));
        }
        let is_other = layout.is_page(from) || layout.is_foreign(from) || layout.only_grows(from);
        if may_stand && !is_other && self.engine.store.read(from)?.as_deref() == Some(source.text.as_bytes()) {
            return Ok(Some(from.clone()));
        }
        Ok(named_below(&layout.sources, from))
    }

    /// Takes a document in at `target`, or beside it where another stands there.
    fn source(&mut self, source: Source, target: Option<VaultPath>) -> Result<(), Failure> {
        let text = self.clean(&source.text);
        let digest = Digest::of(text.as_bytes());
        let beside = target.as_ref().and_then(|target| {
            let (stem, ext) = target.as_str().rsplit_once('.')?;
            VaultPath::new(&format!("{stem}-{}.{ext}", &digest.short()[..6]))
        });
        let mut found = None;
        for path in [target, beside].into_iter().flatten().filter(is_document) {
            let stands = self.engine.store.read(&path)?;
            let is_known = stands.as_deref() == Some(text.as_bytes());
            if (is_known || stands.is_none()) && self.is_free(&path) {
                found = Some((path, is_known));
                break;
            }
        }
        let Some((path, is_known)) = found else {
            self.skip(&source.path, "another document stands where it would");
            return Ok(());
        };
        if let Some(why) = self.engine.why_forgotten(&self.forgotten, digest, &path, None) {
            self.skip(&source.path, why);
            return Ok(());
        }
        if source.path != path {
            self.moved.insert(source.path, path.clone());
        }
        if !is_known {
            self.edits.push(Basis::nothing(path.clone()).replace(text));
        }
        // What is registered already is believed as it was.
        let is_registered = self.register.get(&path).is_some_and(|known| known.digest == digest);
        if !is_registered {
            let now = Registered { digest, trust: source.trust, day: source.day, is_adopted: source.is_adopted };
            self.lines.push_str(&self.engine.register_line(&path, now, source.origin));
        }
        let state = if is_known && is_registered { ImportState::Unchanged } else { ImportState::Added };
        self.note("source", path, state);
        Ok(())
    }

    fn page(&mut self, from: &VaultPath, path: VaultPath, text: &str) -> Result<(), Failure> {
        let layout = self.engine.layout();
        if !layout.is_page(&path) || !layout.may_change(&path) || layout.is_foreign(&path) {
            self.skip(from, "no page can stand there");
            return Ok(());
        }
        let text = self.clean(text);
        let stands = self.engine.store.read(&path)?;
        let is_owned = |text: &str| parse_page(&path, text.to_owned()).value.is_owned();
        match stands {
            _ if !self.is_free(&path) => self.skip(from, format!("an earlier one goes to `{path}`")),
            Some(stands) if stands == text.as_bytes() => self.note("page", path, ImportState::Unchanged),
            Some(stands) if std::str::from_utf8(&stands).is_ok_and(is_owned) => {
                self.skip(from, format!("`{path}` is compiled here; `ken compile` adds what came in"));
            }
            Some(_) => self.skip(from, format!("another page stands at `{path}`, and stays")),
            None => {
                self.edits.push(Basis::nothing(path.clone()).replace(text));
                self.note("page", path, ImportState::Added);
            }
        }
        Ok(())
    }

    /// Takes in a file of the tool's own, unless one stands there.
    fn keep(&mut self, what: &'static str, path: VaultPath, text: &str) -> Result<(), Failure> {
        let text = self.clean(text);
        let reads = || path.extension() != "json" || serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok();
        match self.engine.store.read(&path)? {
            Some(stands) if stands == text.as_bytes() => self.note(what, path, ImportState::Unchanged),
            Some(_) => self.skip(&path, "another stands there, and stays"),
            None if !reads() => self.skip(&path, "without its secrets it does not read as JSON"),
            None => {
                self.edits.push(Basis::nothing(path.clone()).replace(text));
                self.note(what, path, ImportState::Added);
            }
        }
        Ok(())
    }

    /// The plans, what only grows first: an undo takes back the second and leaves that.
    fn finish(self, format: &str, name: &str) -> ([Plan; 2], ImportOutcome) {
        let Intake { engine, evidence, mut edits, lines, out, .. } = self;
        if !lines.is_empty() {
            edits.push(Edit::Append { path: register_path(), preamble: Vec::new(), content: lines.into_bytes() });
        }
        let plan = |edits: Vec<Edit>, public: bool| {
            let lines = edits.iter().map(|edit| edit.path().to_string()).collect();
            let (at, subject) = (engine.clock.now, format!("{format} {name}"));
            let log = LogEntry { at, kind: "import".to_owned(), subject, lines, inputs: Vec::new(), public };
            Plan { edits, guards: Vec::new(), log }
        };
        let is_public = !edits.is_empty();
        ([plan(evidence, !is_public), plan(edits, is_public)], out)
    }
}
