//! Takes over the pages of another compiler: each is kept as a source and compiled again in its place, so that it grows
//! with new days instead of getting a second page beside it.
//!
//! One plan: the copies with their lines in the register, and what a compile makes of the vault as they leave it, which
//! replaces a page that stands there as its copy does. Only pages that name a day among their sources are taken; all
//! others are a person's.

use std::collections::{BTreeMap, BTreeSet};

use ken_compile::adopted::{ADOPTED, adopted_entry, cite_days};
use ken_compile::cut::Cut;
use ken_core::header::{FieldName, FieldValue, NewBlock, set_field};
use ken_core::index::part::foreign_rows;
use ken_core::page::parse_page;
use ken_core::text::count;
use ken_core::{Basis, Category, Digest, Edit, LogEntry, Page, Plan, Slug, VaultPath};
use ken_intake::scrub::scrub;

use crate::compile::{CompileOptions, Standing};
use crate::engine::Engine;
use crate::failure::Failure;
use crate::ingest::{Registered, register_path};
use crate::outcome::{CompileOutcome, Trust};
use crate::wiki::Wiki;

/// What adopting came to.
#[derive(Debug, Clone, Default)]
pub struct AdoptOutcome {
    /// The pages that were taken over, or would be.
    pub adopted: Vec<Adopted>,
    /// Pages that stay a person's, with the reason.
    pub left: Vec<(VaultPath, String)>,
    /// Secrets that were covered in what was kept.
    pub redactions: usize,
    /// What the compile did; nothing in a dry run.
    pub compiled: Option<CompileOutcome>,
}

/// A page that was taken over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Adopted {
    /// Where it stands.
    pub path: VaultPath,
    /// Where its copy is kept.
    pub copy: VaultPath,
    /// What it says.
    pub n_statements: usize,
    /// Of these, what a line of a day bears out.
    pub n_borne_out: usize,
}

/// A page and its copy, before anything is written.
struct Taken {
    adopted: Adopted,
    text: String,
    is_there: bool,
}

impl Engine {
    /// Takes over every page of the other compiler; in a dry run says which.
    ///
    /// # Errors
    /// When the vault is of a family that has none, or cannot be read or written.
    pub fn adopt(&self, dry_run: bool) -> Result<AdoptOutcome, Failure> {
        if !self.layout().preset.is_adoptable {
            let called = self.layout().preset.name;
            let message = format!("a vault of the layout `{called}` has no pages of another compiler to adopt");
            return Err(Failure::refused(message)
                .hint("`ken adopt` is for the pages of claude-memory-compiler (`layout = \"memory-compiler\"`)")
                .hint("nothing was changed"));
        }
        let guard = if dry_run { None } else { Some(self.lock("adopt")?) };
        let mut outcome = AdoptOutcome::default();
        let taken = self.adoptable_pages(&mut outcome)?;
        outcome.adopted = taken.iter().map(|one| one.adopted.clone()).collect();
        let Some(guard) = guard.filter(|_| !taken.is_empty()) else { return Ok(outcome) };
        // What people wrote into compiled pages is theirs, whatever becomes of the rest.
        let edits_captured = self.capture_edits(&guard, &self.read_wiki()?)?;
        let mut plan = self.copies(&taken);
        let mut ahead = self.clone();
        ahead.store = self.store.ahead(&plan.edits)?;
        let options = CompileOptions { yes: true, ..CompileOptions::default() };
        let (compiled, made) = ahead.compile_under(None, (options, &mut Standing::default()), None)?;
        plan.edits.extend(made.edits);
        (plan.guards, plan.log.inputs) = (made.guards, made.log.inputs);
        self.apply(&guard, &plan)?;
        // Nothing is left to do; what the next compile knows of the files is noted, and without that it reads them again.
        let _ = self.compile_under(Some(&guard), (options, &mut Standing::default()), None);
        outcome.compiled = Some(CompileOutcome { edits_captured, diff: None, ..compiled });
        Ok(outcome)
    }

    /// The pages that may be taken over, with their copies.
    fn adoptable_pages(&self, outcome: &mut AdoptOutcome) -> Result<Vec<Taken>, Failure> {
        let (layout, wiki) = (self.layout(), self.read_wiki()?);
        let index = self.store.read(&layout.index)?.and_then(|bytes| String::from_utf8(bytes).ok());
        let rows = index.as_deref().map(foreign_rows).unwrap_or_default();
        let mut named: BTreeMap<Slug, BTreeSet<&VaultPath>> = BTreeMap::new();
        for entry in wiki.entries() {
            for name in [Some(entry.slug.clone()), Slug::from_text(&entry.title)].into_iter().flatten() {
                named.entry(name).or_default().insert(&entry.path);
            }
        }
        let theirs = wiki.entries_of(|sort| !sort.is_owned && !sort.is_redirect && sort.category != Category::Question);
        let mut out = Vec::new();
        for entry in theirs {
            let path = &entry.path;
            if !path.is_under(layout.wiki.as_str()) || layout.is_foreign(path) || wiki.is_unmerged(path) {
                continue;
            }
            let other = Slug::from_text(&entry.title).into_iter().chain([entry.slug.clone()]);
            let other = other.filter_map(|name| named.get(&name)?.iter().find(|one| **one != path)).next();
            if let Some(other) = other {
                outcome
                    .left
                    .push((path.clone(), format!("`{other}` is called the same; rename or remove one of them")));
                continue;
            }
            match self.adoptable_page(path, rows.get(&entry.slug), outcome)? {
                Ok(taken) => out.push(taken),
                Err(why) => outcome.left.push((path.clone(), why.to_owned())),
            }
        }
        Ok(out)
    }

    /// A page with its copy, or why it is not taken over.
    fn adoptable_page(
        &self,
        path: &VaultPath,
        summary: Option<&String>,
        outcome: &mut AdoptOutcome,
    ) -> Result<Result<Taken, &'static str>, Failure> {
        let Some(text) = self.store.read(path)?.and_then(|bytes| String::from_utf8(bytes).ok()) else {
            return Ok(Err("it is not UTF-8 text"));
        };
        let page = parse_page(path, text).value;
        let is_day = |source: &String| self.cited_file(source).is_some_and(|day| self.layout().is_day(&day));
        if !page.list(FieldName::Sources).iter().any(is_day) {
            return Ok(Err("it names no day among its sources, so it counts as written by hand"));
        }
        let Some(copy) = self.kept_copy_of(path) else { return Ok(Err("its name is none that a source can have")) };
        let (text, redactions) = scrub(&page.text);
        let text = with_summary(&parse_page(path, text.into_owned()).value, summary);
        let mut entry = adopted_entry(&copy, &text);
        if entry.passages.is_empty() {
            return Ok(Err("there is nothing in it that can be read"));
        }
        let stands = self.store.read(&copy)?;
        if stands.as_ref().is_some_and(|stands| stands != text.as_bytes()) {
            return Ok(Err("another document stands where its copy would"));
        }
        outcome.redactions += redactions;
        let days = self.days_of_adopted(&entry)?;
        cite_days(&mut entry, &days);
        let is_borne_out =
            |passage: &&ken_compile::passage::Passage| passage.cited.as_ref().is_some_and(|cited| cited.day.is_some());
        let n_borne_out = entry.passages.iter().filter(is_borne_out).count();
        let adopted = Adopted { path: path.clone(), copy, n_statements: entry.passages.len(), n_borne_out };
        Ok(Ok(Taken { adopted, text, is_there: stands.is_some() }))
    }

    /// Where the copy of a page is kept.
    fn kept_copy_of(&self, page: &VaultPath) -> Option<VaultPath> {
        let inside = page.as_str().strip_prefix(&format!("{}/", self.layout().wiki))?;
        let copy = self.layout().sources.join(ADOPTED)?.join(inside)?;
        ken_core::claim::is_citable(&copy).then_some(copy)
    }

    /// Returns whether a file is the copy of a page that was adopted.
    pub(crate) fn is_kept_copy(&self, path: &VaultPath) -> bool {
        self.layout().preset.is_adoptable && self.page_of_copy(path).is_some()
    }

    /// Where the page of a kept copy stands.
    fn page_of_copy(&self, copy: &VaultPath) -> Option<VaultPath> {
        let inside = copy.as_str().strip_prefix(&format!("{}/{ADOPTED}/", self.layout().sources))?;
        self.layout().wiki.join(inside)
    }

    /// The plan that keeps the copies.
    fn copies(&self, taken: &[Taken]) -> Plan {
        let (mut edits, mut lines) = (Vec::new(), String::new());
        for Taken { adopted, text, is_there } in taken {
            if !is_there {
                edits.push(Basis::nothing(adopted.copy.clone()).replace(text.as_str()));
            }
            let (digest, trust) = (Digest::of(text.as_bytes()), Trust::Agent);
            let now = Registered { digest, trust, day: None, is_adopted: true };
            lines.push_str(&self.register_line(&adopted.copy, now, None));
        }
        edits.push(Edit::Append { path: register_path(), preamble: Vec::new(), content: lines.into_bytes() });
        let log = LogEntry {
            at: self.clock.now,
            kind: "adopt".to_owned(),
            subject: count(taken.len(), "page"),
            lines: taken.iter().map(|one| one.adopted.path.to_string()).collect(),
            inputs: Vec::new(),
            public: true,
        };
        Plan { edits, guards: Vec::new(), log }
    }

    /// Lets what is compiled of a kept copy stand where the page is that it is a copy of.
    pub(crate) fn give_way_to_adopted(&self, wiki: &mut Wiki) -> Result<(), Failure> {
        // In another layout no line of the register makes a page anybody else's than its writer's.
        if !self.layout().preset.is_adoptable {
            return Ok(());
        }
        let register = self.register()?;
        for copy in register.iter().filter(|(_, known)| known.is_adopted).map(|(path, _)| path) {
            let Some(path) = self.page_of_copy(copy) else { continue };
            let is_theirs = wiki.files.get(&path).is_some_and(|file| file.sort.is_some_and(|sort| !sort.is_owned));
            if !is_theirs {
                continue;
            }
            let (Some(page), Some(kept)) = (self.store.read(&path)?, self.store.read(copy)?) else { continue };
            // A page that says something else by now is its writer's.
            if body_of(&path, &page) == body_of(copy, &kept) {
                wiki.files.remove(&path);
                wiki.given_way.insert(path, Digest::of(&page));
            }
        }
        Ok(())
    }

    /// Has the statements of adopted pages cite the lines of days that bear them out.
    pub(crate) fn cite_days(&self, cut: &mut Cut) -> Result<(), Failure> {
        for (_, entry) in cut.entries.iter_mut().filter(|(_, entry)| entry.adopted.is_some()) {
            let days = self.days_of_adopted(entry)?;
            cite_days(entry, &days);
        }
        Ok(())
    }

    /// The texts of the days that an adopted page names.
    fn days_of_adopted(&self, entry: &ken_compile::passage::Entry) -> Result<BTreeMap<VaultPath, String>, Failure> {
        let mut out = BTreeMap::new();
        for source in entry.adopted.iter().flat_map(|page| &page.days) {
            let Some(day) = self.cited_file(source).filter(|path| self.layout().is_day(path)) else { continue };
            let text = self.store.read(&day)?.and_then(|bytes| String::from_utf8(bytes).ok());
            out.extend(text.map(|text| (day, text)));
        }
        Ok(out)
    }
}

/// A page with the sentence that the index said of it as its tldr, if it has none.
fn with_summary(page: &Page, summary: Option<&String>) -> String {
    let Some(summary) = summary.filter(|_| page.scalar(FieldName::Tldr).is_none()) else { return page.text.clone() };
    let (summary, _) = scrub(summary);
    let tldr: FieldValue = (&*summary).into();
    let text = set_field(&page.text, &page.header, FieldName::Tldr, &tldr, NewBlock::Yaml);
    let filled = parse_page(&page.path, text).value;
    if filled.body().of(&filled.text) == page.body().of(&page.text) { filled.text } else { page.text.clone() }
}

/// The body of a page, cleaned as its copy is.
fn body_of(path: &VaultPath, bytes: &[u8]) -> String {
    let text = scrub(&String::from_utf8_lossy(bytes)).0.into_owned();
    let page = parse_page(path, text).value;
    page.body().of(&page.text).to_owned()
}

#[cfg(test)]
mod tests;
