//! What a person adds to a page, or changes of it; of compiled pages by way of the journal.

use ken_core::header::{FieldName, read_header, without_field};
use ken_core::journal::{day_preamble, render_entry};
use ken_core::markdown::{BlockKind, blocks};
use ken_core::page::past::RETIRED;
use ken_core::snapshot::PageFacts;
use ken_core::{Category, Digest, Edit, LogEntry, Plan, Slug, VaultPath};
use ken_intake::scrub::scrub;
use ken_store::LockGuard;

use super::PageOutcome;
use super::view::{Change, View};
use crate::compile::{CompileOptions, Standing};
use crate::engine::Engine;
use crate::failure::{Failure, FailureKind};
use crate::journal::{Note, sorted, statements};
use crate::outcome::CompileOutcome;

impl Engine {
    /// Returns the file of a page that a command may change, with its text.
    ///
    /// # Errors
    /// When there is no such page, or it is not to be changed.
    pub fn page_to_edit(&self, name: &str) -> Result<(VaultPath, String), Failure> {
        let facts = View::of(self)?.changeable(name)?;
        Ok((facts.page.path, facts.page.text))
    }

    pub(super) fn append_to_page(
        &self,
        name: &str,
        text: &str,
        heading: Option<&str>,
        dry_run: bool,
    ) -> Result<PageOutcome, Failure> {
        let (text, redactions) = scrub(text);
        if !text.chars().any(char::is_alphanumeric) {
            return Err(Failure::usage("there is no text to append"));
        }
        let facts = View::of(self)?.changeable(name)?;
        if facts.entry.is_owned {
            return self.say_of(&facts, (&text, redactions), heading, dry_run);
        }
        self.change_pages(dry_run, |view| {
            let facts = view.changeable(name)?;
            let (slug, path) = (facts.entry.slug.clone(), facts.page.path.clone());
            let after = appended(&facts, &text, heading)?;
            view.put(&path, after);
            let mut change = Change::of("page append", slug.to_string(), slug, Some(path));
            change.redactions = redactions;
            Ok(change)
        })
    }

    /// Puts what is to stand on a compiled page into the journal, and compiles it.
    fn say_of(
        &self,
        facts: &PageFacts,
        (text, redactions): (&str, usize),
        heading: Option<&str>,
        dry_run: bool,
    ) -> Result<PageOutcome, Failure> {
        let (slug, title) = (&facts.entry.slug, &facts.entry.title);
        if facts.entry.category == Category::Question {
            return Err(Failure::refused(format!("`{slug}` is a filed answer"))
                .hint("`ken log` puts into the journal what is to be known"));
        }
        if heading.is_some() {
            return Err(Failure::refused(format!("the sections of `{slug}` are compiled"))
                .hint("without `--heading` the words go into the journal, and come back where they belong"));
        }
        let said = statements(text).into_iter().map(|said| said_of(slug, title, said));
        let entry = self.entry_of_now(format!("Said of [[{slug}]]"), sorted(said.collect()));
        let today = self.clock.today();
        let journal = self.layout().journal.join(&format!("{today}.md")).expect("a date is a file name");
        let mut out = outcome("page append", facts);
        (out.journal, out.redactions) = (Some(journal.clone()), redactions);
        out.notes.push(format!("`{slug}` is compiled: what you say of it is in the journal, and compiled from there"));
        if dry_run {
            let (preamble, content) = (day_preamble(today).into_bytes(), render_entry(&entry).into_bytes());
            let edits = vec![Edit::Append { path: journal.clone(), preamble, content }];
            out.changed = vec![journal];
            out.diff =
                Some(self.diff(&Plan { edits, guards: Vec::new(), log: self.page_log("page append", facts) })?);
            return Ok(out);
        }
        let guard = self.lock("page")?;
        match self.noted_already(&entry, Note::default())? {
            Some(known) => out.notes.push(format!("that stands in {} already", known.journal)),
            None => out.changed.extend(self.append(&guard, "page append", slug.as_str(), &[(today, entry)])?),
        }
        let plan = self.follow(&guard)?.1;
        out.changed.extend(plan.edits.iter().map(|edit| edit.path().clone()));
        Ok(out)
    }

    pub(super) fn edit_page(
        &self,
        name: &str,
        text: &str,
        read: Option<Digest>,
        dry_run: bool,
    ) -> Result<PageOutcome, Failure> {
        let checked = |view: &View<'_>| {
            let facts = view.changeable(name)?;
            let (slug, now) = (&facts.entry.slug, Digest::of(facts.page.text.as_bytes()));
            if read.is_some_and(|read| read != now) {
                return Err(Failure::new(FailureKind::Retry, format!("`{slug}` was changed since it was read"))
                    .hint("put your changes into the page as it is now"));
            }
            if facts.page.text == text {
                return Err(Failure::refused(format!("`{slug}` says that already")));
            }
            if text.trim().is_empty() {
                return Err(Failure::refused("the new text is empty")
                    .hint(format!("`ken page retire {slug} --because …` takes a page out of use")));
            }
            Ok(facts)
        };
        let facts = checked(&View::of(self)?)?;
        if facts.entry.is_owned {
            return self.edit_compiled(&facts, text, dry_run);
        }
        self.change_pages(dry_run, |view| {
            let facts = checked(view)?;
            let (slug, path) = (facts.entry.slug.clone(), facts.page.path.clone());
            view.put(&path, text.to_owned());
            Ok(Change::of("page edit", slug.to_string(), slug, Some(path)))
        })
    }

    /// Saves a compiled page as an editor would; the compile takes what was added into the journal.
    fn edit_compiled(&self, facts: &PageFacts, text: &str, dry_run: bool) -> Result<PageOutcome, Failure> {
        let mut out = outcome("page edit", facts);
        let slug = &facts.entry.slug;
        let note = format!(
            "`{slug}` is compiled: what you added goes into the journal and comes back from there; what you took out comes back while journal or sources say it"
        );
        out.notes.push(note);
        let plan = Plan {
            edits: vec![facts.basis().replace(text)],
            guards: Vec::new(),
            log: self.page_log("page edit", facts),
        };
        if dry_run {
            out.changed = vec![facts.page.path.clone()];
            out.diff = Some(self.diff(&plan)?);
            return Ok(out);
        }
        let guard = self.lock("page")?;
        self.apply(&guard, &plan)?;
        let (compiled, plan) = self.follow(&guard)?;
        out.changed = plan.edits.iter().map(|edit| edit.path().clone()).collect();
        if compiled.edits_captured.contains(slug) {
            out.journal = self.layout().journal.join(&format!("{}.md", self.clock.today()));
            out.changed.extend(out.journal.clone());
        } else {
            out.notes.push("nothing of it was new, so nothing went into the journal".to_owned());
        }
        Ok(out)
    }

    pub(super) fn restore_page(&self, name: &str, dry_run: bool) -> Result<PageOutcome, Failure> {
        let facts = View::of(self)?.changeable(name)?;
        let slug: &Slug = &facts.entry.slug;
        if facts.entry.is_owned && facts.entry.past.is_some() {
            return self.take_out_of_archive(&facts, dry_run);
        }
        if !facts.entry.past.as_deref().is_some_and(|past| past.starts_with(RETIRED)) {
            return Err(Failure::refused(format!("`{slug}` is not retired")));
        }
        let without = |text: &str, name| without_field(text, &read_header(text).value, name);
        let text = without(&without(&facts.page.text, FieldName::StaleReason), FieldName::Status);
        // A page that was compiled still has the digest of what the compiler wrote.
        if facts.page.scalar(FieldName::BodyDigest).is_none() {
            return self.change_pages(dry_run, |view| {
                let facts = view.changeable(name)?;
                let (slug, path) = (facts.entry.slug.clone(), facts.page.path.clone());
                view.put(&path, text.clone());
                Ok(Change::of("page restore", slug.to_string(), slug, Some(path)))
            });
        }
        let header = read_header(&text).value;
        let text = ken_core::header::set_field(
            &text,
            &header,
            FieldName::Owner,
            &"kenning".into(),
            ken_core::header::NewBlock::Yaml,
        );
        let mut out = outcome("page restore", &facts);
        let plan = Plan {
            edits: vec![facts.basis().replace(text)],
            guards: Vec::new(),
            log: self.page_log("page restore", &facts),
        };
        out.changed = vec![facts.page.path.clone()];
        if dry_run {
            out.diff = Some(self.diff(&plan)?);
            return Ok(out);
        }
        let guard = self.lock("page")?;
        self.apply(&guard, &plan)?;
        let plan = self.follow(&guard)?.1;
        out.changed.extend(plan.edits.iter().map(|edit| edit.path().clone()));
        out.path = self.stands_at(slug, out.path, false);
        Ok(out)
    }

    pub(super) fn rebuild_page(&self, name: &str, dry_run: bool) -> Result<PageOutcome, Failure> {
        let facts = View::of(self)?.changeable(name)?;
        let slug = &facts.entry.slug;
        if !facts.entry.is_owned {
            return Err(Failure::refused(format!(
                "`{slug}` is your own page: it is made of nothing but what you wrote"
            ))
            .hint("`ken page edit` changes it"));
        }
        let mut out = outcome("page rebuild", &facts);
        let options = CompileOptions { all: true, dry_run, ..CompileOptions::default() };
        let guard = if dry_run { None } else { Some(self.lock("page")?) };
        let (compiled, plan) = self.compile_under(guard.as_ref(), (options, &mut Standing::default()), None)?;
        out.changed = plan.edits.iter().map(|edit| edit.path().clone()).collect();
        if !out.changed.contains(&facts.page.path) {
            out.notes.push(format!("`{slug}` is as journal and sources have it; `ken compile` keeps it so"));
        }
        out.diff = compiled.diff;
        Ok(out)
    }

    /// Compiles what follows from a change that was just made, in the same run.
    ///
    /// # Errors
    /// When that fails: the change stands, and the same is not to be given again.
    fn follow(&self, guard: &LockGuard) -> Result<(CompileOutcome, Plan), Failure> {
        let done = self.compile_under(Some(guard), (CompileOptions::default(), &mut Standing::default()), None);
        done.map_err(|mut failure| {
            failure.kind = FailureKind::Recorded;
            failure.hints.retain(|hint| !hint.contains("nothing was changed"));
            failure.hint(
                "what you gave is in the vault; `ken compile` makes pages of it, and `ken history` shows what was done",
            )
        })
    }

    fn page_log(&self, kind: &str, facts: &PageFacts) -> LogEntry {
        LogEntry {
            at: self.clock.now,
            kind: kind.to_owned(),
            subject: facts.entry.slug.to_string(),
            lines: Vec::new(),
            inputs: Vec::new(),
            public: true,
        }
    }
}

/// A statement with a link to the page that it is about: where it names it, else in front.
fn said_of(slug: &Slug, title: &str, said: String) -> String {
    if said.contains(&format!("[[{slug}")) {
        return said;
    }
    let named = said.to_lowercase().find(&title.to_lowercase()).filter(|_| !said.contains("[[") && said.is_ascii());
    let is_letter = |ch: Option<char>| ch.is_some_and(char::is_alphanumeric);
    match named.map(|at| (at, at + title.len())) {
        Some((at, end)) if !is_letter(said[..at].chars().next_back()) && !is_letter(said[end..].chars().next()) => {
            format!("{}[[{slug}|{}]]{}", &said[..at], &said[at..end], &said[end..])
        }
        _ => format!("[[{slug}]]: {said}"),
    }
}

fn outcome(kind: &str, facts: &PageFacts) -> PageOutcome {
    PageOutcome {
        kind: kind.to_owned(),
        slug: facts.entry.slug.clone(),
        path: Some(facts.page.path.clone()),
        changed: Vec::new(),
        n_references: 0,
        journal: None,
        redactions: 0,
        notes: Vec::new(),
        diff: None,
    }
}

/// The text of a page with more at its end, or at the end of a section.
fn appended(facts: &PageFacts, added: &str, heading: Option<&str>) -> Result<String, Failure> {
    let text = &facts.page.text;
    let at = match heading {
        None => text.len(),
        Some(heading) => end_of_section(facts, heading)?,
    };
    let (before, behind) = text.split_at(at);
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let before = before.trim_end_matches(['\n', '\r', ' ']);
    let added = added.trim_matches(['\n', '\r']).replace("\r\n", "\n").replace('\n', newline);
    let gap = if before.is_empty() { String::new() } else { newline.repeat(2) };
    let behind = if behind.is_empty() { newline.to_owned() } else { format!("{newline}{newline}{behind}") };
    Ok(format!("{before}{gap}{added}{behind}"))
}

/// Where the section of a heading ends.
fn end_of_section(facts: &PageFacts, heading: &str) -> Result<usize, Failure> {
    let text = &facts.page.text;
    let wanted = Slug::from_text(heading.trim_start_matches('#'));
    let mut headings = blocks(text, facts.page.body()).filter_map(|block| match block.kind {
        BlockKind::Heading(level) => Some((level, block.span)),
        _ => None,
    });
    let found = headings.find(|(_, span)| wanted.is_some() && Slug::from_text(span.of(text)) == wanted);
    let Some((level, _)) = found else {
        return Err(Failure::refused(format!("`{}` has no heading `{heading}`", facts.entry.slug)));
    };
    let next = headings.find(|(other, _)| *other <= level);
    Ok(next.map_or(text.len(), |(_, span)| text[..span.start].rfind('\n').map_or(0, |n| n + 1)))
}
