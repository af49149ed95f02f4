//! The vault on another day: what it had been told by then, or what held then by all that is known.
//!
//! Whatever reads a file for a question reads it through [`Engine::text_then`], so that searching, routing and answering
//! need not know of which day they speak. The index in the cache and the routing table describe today and are left alone;
//! such a question makes both in memory, and nothing is ever written.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use ken_compile::revise::may_revise;
use ken_core::as_of::page_as_of;
use ken_core::frame::attribute;
use ken_core::header::read_header;
use ken_core::held::page_on;
use ken_core::journal::{parse_journal, parse_sections};
use ken_core::page::parse_page;
use ken_core::revised::{Revision, before};
use ken_core::source::day_of;
use ken_core::time::leading_date;
use ken_core::{Catalog, Date, Index, IndexEntry, VaultPath, talk};
use ken_store::FileStat;

use crate::engine::Engine;
use crate::failure::Failure;
use crate::ingest::Register;
use crate::search::gather::FileKind;

/// The day that a question is asked as of.
#[derive(Debug)]
pub(crate) struct Past {
    day: Date,
    register: Register,
    /// Of when sources are, as far as they were asked for.
    days: Mutex<BTreeMap<VaultPath, Option<Date>>>,
}

impl Engine {
    /// Returns the same engine for questions about what the vault had been told by the end of a day. It does not write.
    ///
    /// # Errors
    /// When the register of sources cannot be read.
    pub fn as_of(&self, day: Date) -> Result<Engine, Failure> {
        let mut then = self.clone();
        then.past = Some(Arc::new(Past { day, register: self.register()?, days: Mutex::default() }));
        then.revised = Arc::default();
        Ok(then)
    }

    /// Returns the same engine for questions about what held on a day, by all that it knows.
    #[must_use]
    pub fn held_on(&self, day: Date) -> Engine {
        self.told_on(Some(day))
    }

    /// Returns the same engine, telling what held on a day if there is one.
    pub(crate) fn told_on(&self, day: Option<Date>) -> Engine {
        let mut then = self.clone();
        then.on = day.or(self.on);
        then.revised = Arc::default();
        then
    }

    /// Returns the same engine for questions about today.
    pub(crate) fn as_of_today(&self) -> Engine {
        let mut now = self.clone();
        (now.past, now.on) = (None, None);
        now
    }

    /// Returns whether pages read otherwise than they stand in their files.
    pub(crate) fn is_of_then(&self) -> bool {
        self.past.is_some() || self.on.is_some()
    }

    /// Returns the days as attributes of a frame, each with a blank before it.
    pub(crate) fn then_attributes(&self) -> String {
        let days = [("as-of", self.as_of_day()), ("on", self.on)];
        days.into_iter().filter_map(|(name, day)| Some(format!(" {}", attribute(name, &day?.to_string())))).collect()
    }

    /// Returns the day that questions are asked as of, if it is not today.
    pub(crate) fn as_of_day(&self) -> Option<Date> {
        self.past.as_ref().map(|past| past.day)
    }

    /// Returns the text that a file had on the day that is asked about, as far as it shows, told of the day on which
    /// something held; `None` when it was not there.
    pub(crate) fn text_then(&self, kind: FileKind, path: &VaultPath, text: String) -> Option<String> {
        let text = self.text_as_of(kind, path, text)?;
        Some(match (kind, self.on) {
            (FileKind::Page, Some(day)) => {
                let text = page_on(path, &text, day, &|path| leading_date(path.file_name()));
                self.tables_then(text)
            }
            (FileKind::Page, None) => self.tables_then(text),
            (FileKind::Source, _) => self.before_changes(|change| change.path == *path, text),
            _ => text,
        })
    }

    fn text_as_of(&self, kind: FileKind, path: &VaultPath, text: String) -> Option<String> {
        let Some(past) = &self.past else { return Some(text) };
        match kind {
            FileKind::Page => page_as_of(path, &text, past.day, &|path| self.day_of_cited(past, path)),
            FileKind::Journal => leading_date(path.file_name()).is_none_or(|date| date <= past.day).then_some(text),
            FileKind::Talk => talk_as_of(&text, past.day),
            FileKind::Source => {
                let was_there = written(&past.register, path, &text).is_none_or(|date| date <= past.day);
                was_there.then_some(text)
            }
        }
    }

    /// Returns a page with its tables as the documents had them that it cites: what else it takes of those it tells of a day
    /// itself.
    fn tables_then(&self, text: String) -> String {
        let cited = |change: &Revision| text.contains(&format!("]: {}#", change.path));
        self.before_changes(|change| change.is_of_row() && cited(change), text.clone())
    }

    /// Returns what a document said on the day that is asked about, as far as the journal tells how it was changed since.
    fn before_changes(&self, is_meant: impl Fn(&Revision) -> bool, text: String) -> String {
        let changes = self.changes().map_or(&[][..], |(_, changes)| changes);
        before(&text, changes.iter().map(|(_, change)| change).filter(|change| is_meant(change)))
    }

    /// Says which documents of those that a text cites were changed after the day that is asked about: what they said before
    /// is put back as far as the journal tells it, and what was added is not taken out.
    pub(crate) fn note_changed(&self, text: &str) -> Option<String> {
        let (day, changes) = self.changes()?;
        let mut paths: Vec<(&VaultPath, Date)> = Vec::new();
        for (changed, Revision { path, .. }) in
            changes.iter().filter(|(_, one)| text.contains(&format!("{}:", one.path)))
        {
            if paths.iter().all(|(known, _)| *known != path) {
                paths.push((path, *changed));
            }
        }
        let told: Vec<String> = paths.iter().map(|(path, changed)| format!("{path} changed on {changed}")).collect();
        (!told.is_empty()).then(|| format!("text added after {day} may show: {}", told.join(", ")))
    }

    /// Returns the day in the past that is asked about, and how documents were changed since, the last change first.
    fn changes(&self) -> Option<(Date, &[(Date, Revision)])> {
        let day = self.as_of_day().into_iter().chain(self.on).min().filter(|day| *day < self.clock.today())?;
        // What cannot be read tells of no change.
        Some((day, self.revised.get_or_init(|| self.changes_since(day).unwrap_or_default())))
    }

    /// Returns how documents were changed after a day, as the journal tells it, the last change first.
    fn changes_since(&self, day: Date) -> Result<Vec<(Date, Revision)>, Failure> {
        let mut out = Vec::new();
        let later = |path: &VaultPath| leading_date(path.file_name()).filter(|date| *date > day);
        for path in self.store.list(&self.layout().journal)?.files.iter().rev().map(|file| &file.path) {
            let Some(changed) = later(path) else { continue };
            let Some(text) = self.store.read(path)?.and_then(|bytes| String::from_utf8(bytes).ok()) else {
                continue;
            };
            // What a session said has that form by chance or on purpose.
            let journal = parse_journal(&text, None).value;
            let entries = journal.standing().filter(|entry| may_revise(&entry.provenance));
            let items = entries.flat_map(|entry| parse_sections(&text, entry.body)).flat_map(|section| section.items);
            let told = items.filter_map(|item| Revision::parse(item.of(&text)));
            let mut told: Vec<(Date, Revision)> = told.map(|one| (changed, one)).collect();
            told.reverse();
            out.append(&mut told);
        }
        Ok(out)
    }

    /// Returns the text of a file on the day that is asked about; `None` when it was not there, or is not UTF-8.
    pub(crate) fn read_then(&self, path: &VaultPath) -> Result<Option<String>, Failure> {
        let text = self.store.read(path)?.and_then(|bytes| String::from_utf8(bytes).ok());
        Ok(text.and_then(|text| self.text_then(self.file_kind(path), path, text)))
    }

    /// Returns what the index would have said of every page on the day that is asked about.
    pub(crate) fn entries_then(&self) -> Result<Vec<IndexEntry>, Failure> {
        let read = |file: &FileStat, bytes: Vec<u8>| {
            let text = self.text_then(FileKind::Page, &file.path, String::from_utf8(bytes).ok()?)?;
            Some(IndexEntry::of(&parse_page(&file.path, text).value))
        };
        Ok(self.store.map_files(&self.list_wiki()?.files, read)?.into_iter().flatten().flatten().collect())
    }

    /// Returns what routing would have asked on the day that is asked about.
    pub(crate) fn catalog_then(&self) -> Result<Box<dyn Catalog>, Failure> {
        Ok(Box::new(Index::new(self.entries_then()?)))
    }

    /// Says if the journal is younger than the day that is asked about.
    pub(crate) fn note_then(&self) -> Option<String> {
        let day = self.as_of_day()?;
        let days = self.store.list(&self.layout().journal).ok()?.files;
        let first = days.iter().filter_map(|file| leading_date(file.path.file_name())).min()?;
        (first > day).then(|| format!("the journal begins on {first}, after {day}"))
    }

    /// Of when a cited file is.
    fn day_of_cited(&self, past: &Past, path: &VaultPath) -> Option<Date> {
        match self.file_kind(path) {
            FileKind::Journal | FileKind::Page => leading_date(path.file_name()),
            FileKind::Talk => talk::day_of(path, &self.layout().talk),
            FileKind::Source => {
                let known = past.days.lock().unwrap_or_else(PoisonError::into_inner).get(path).copied();
                known.unwrap_or_else(|| {
                    let text = self.store.read(path).ok().flatten().and_then(|bytes| String::from_utf8(bytes).ok());
                    let day = text.and_then(|text| written(&past.register, path, &text));
                    past.days.lock().unwrap_or_else(PoisonError::into_inner).insert(path.clone(), day);
                    day
                })
            }
        }
    }
}

/// Of when a document is: as it says itself, else the day of its last commit.
fn written(register: &Register, path: &VaultPath, text: &str) -> Option<Date> {
    let committed = || register.get(path).and_then(|known| known.day);
    day_of(&read_header(text).value, text, path).or_else(committed)
}

/// The talk of a session up to a day, or `None` when it began later.
fn talk_as_of(text: &str, day: Date) -> Option<String> {
    let turns = talk::parse_talk(text).turns;
    let later = turns.iter().find(|turn| turn.at.0 > day).map_or(text.len(), |turn| turn.span.start);
    turns.first().is_some_and(|turn| turn.at.0 <= day).then(|| text[..later].to_owned())
}
