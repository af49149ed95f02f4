//! Which sessions are to be read: entries of the journal that were extracted from one and that no model wrote anew.

use ken_compile::portion::Portion;
use ken_core::journal::{JournalEntry, Provenance, SectionKind, one_line, parse_journal, parse_sections};
use ken_core::text::cut;
use ken_core::{Date, LineIndex, VaultPath};

use crate::capture::is_at_hand;
use crate::compile::reading::least;
use crate::compile::sources::is_day;
use crate::compile::tasks::Unread;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::propose::run::Author;
use crate::seen::Known;

/// An extracted entry that nobody distilled.
pub(crate) struct Extracted {
    pub(super) path: VaultPath,
    pub(super) date: Date,
    pub(super) title: String,
    pub(super) time: (u8, u8),
    pub(super) provenance: Provenance,
    /// Its lines, tool runs aside.
    pub(super) said: Vec<String>,
    /// First and last line in the file.
    lines: (usize, usize),
    /// Statements of an entry that stands in its place, at least.
    pub(super) n_least: usize,
}

impl Extracted {
    pub(super) fn session(&self) -> &str {
        self.provenance.session.as_deref().unwrap_or_default()
    }
}

impl Engine {
    /// The extracted entries that nobody distilled, the oldest day first, and how many were.
    pub(super) fn extracted(&self, session: Option<&str>) -> Result<(Vec<Extracted>, usize), Failure> {
        let folder = self.layout().journal.clone();
        let mut files = self.store.list(&folder)?.files;
        files.retain(|file| is_day(&file.path, &folder) && date_of(&file.path).is_some());
        files.sort_by(|a, b| a.path.cmp(&b.path));
        let days = self.store.map_files(&files, |file, bytes| {
            let (text, date) = (String::from_utf8(bytes).ok()?, date_of(&file.path)?);
            Some(of_day(&file.path, date, &text, session))
        })?;
        let (mut entries, mut n_done) = (Vec::new(), 0);
        for (open, done) in days.into_iter().flatten().flatten() {
            entries.extend(open);
            n_done += done;
        }
        if let Some(wanted) = session.filter(|_| entries.is_empty() && n_done == 0) {
            return Err(Failure::usage(format!("no entry of the journal is of a session `{}`", cut(wanted, 60)))
                .hint("entries name their session in the comment below their heading; `ken sync` captures new ones"));
        }
        Ok((entries, n_done))
    }

    /// The sessions that nobody read, by day, the oldest first: not as the entry that was extracted from them, which
    /// `unread` tells, and not from their own words, which are at hand. A reply that gave no entry was a reading.
    pub(crate) fn unread_sessions(&self, unread: &[Unread]) -> Result<Vec<Vec<Extracted>>, Failure> {
        let (known, replies) = (self.known(), self.replies()?);
        let mut entries = self.with_words(unread, &known)?;
        entries.retain(|entry| self.may_become_an_entry(entry, &known, &replies));
        Ok(by_day(entries))
    }

    /// The extracted entries of unread portions whose own words are at hand.
    fn with_words(&self, unread: &[Unread], known: &Known) -> Result<Vec<Extracted>, Failure> {
        let portions: Vec<&Portion> = unread.iter().flat_map(|file| &file.portions).collect();
        let is_unread = |entry: &Extracted| portions.iter().any(|portion| is_of(std::slice::from_ref(entry), portion));
        let mut entries = if portions.is_empty() { Vec::new() } else { self.extracted(None)?.0 };
        entries.retain(|entry| {
            let is_there = known.session(entry.session()).is_some_and(is_at_hand);
            is_there && is_unread(entry) && self.session_tasks(entry, known).is_ok()
        });
        Ok(entries)
    }

    /// The portions that nobody read, without those of sessions whose own words are at hand: these are read, and where
    /// that gave nothing what was extracted stands as it is, and nothing is sent twice.
    pub(crate) fn unread_but_sessions(&self, author: &Author, model: &str) -> Result<Vec<Unread>, Failure> {
        let mut unread = self.unread(author, model)?;
        let entries = self.with_words(&unread, &self.known())?;
        unread.iter_mut().for_each(|file| file.portions.retain(|portion| !is_of(&entries, portion)));
        unread.retain(|file| !file.portions.is_empty());
        Ok(unread)
    }
}

/// Whether a portion of the journal is of one of these entries.
fn is_of(entries: &[Extracted], portion: &Portion) -> bool {
    let (first, last) = portion.range();
    entries.iter().any(|entry| portion.path == entry.path && entry.lines.0 <= first && last <= entry.lines.1)
}

/// Entries by their days, which they come in the order of.
pub(super) fn by_day(entries: Vec<Extracted>) -> Vec<Vec<Extracted>> {
    let mut days: Vec<Vec<Extracted>> = Vec::new();
    for entry in entries {
        match days.last_mut().filter(|day| day[0].path == entry.path) {
            Some(day) => day.push(entry),
            None => days.push(vec![entry]),
        }
    }
    days
}

fn date_of(path: &VaultPath) -> Option<Date> {
    path.file_name().strip_suffix(".md")?.parse().ok()
}

/// The extracted entries of a day that nobody distilled, and how many were; each part of a session once, and
/// only of sessions whose name begins with `session`, if it is given.
pub(super) fn of_day(path: &VaultPath, date: Date, text: &str, session: Option<&str>) -> (Vec<Extracted>, usize) {
    let day = parse_journal(text, Some(date)).value;
    let index = LineIndex::new(text);
    let (mut open, mut n_done): (Vec<Extracted>, usize) = (Vec::new(), 0);
    for entry in &day.entries {
        let provenance = &entry.provenance;
        let is_extracted = provenance.distilled.is_none()
            && provenance.range.is_some_and(|(start, end)| start < end)
            && provenance.session.is_some()
            && session.is_none_or(|wanted| provenance.session.as_deref().is_some_and(|name| name.starts_with(wanted)));
        if !is_extracted || open.iter().any(|other| other.provenance.is_of_same_part(provenance)) {
            continue;
        }
        let is_distilled =
            |other: &JournalEntry| other.provenance.distilled.is_some() && other.provenance.is_of_same_part(provenance);
        if day.entries.iter().any(is_distilled) {
            n_done += 1;
            continue;
        }
        let sections = parse_sections(text, entry.body);
        let is_settled = |kind: SectionKind| matches!(kind, SectionKind::DecisionsMade | SectionKind::LessonsLearned);
        let n_settled = sections.iter().filter(|one| is_settled(one.kind)).map(|one| one.items.len()).sum();
        let said: Vec<_> =
            sections.into_iter().filter(|section| section.kind.is_said()).flat_map(|section| section.items).collect();
        open.push(Extracted {
            path: path.clone(),
            date,
            title: entry.title.clone(),
            time: entry.time.unwrap_or_default(),
            provenance: provenance.clone(),
            lines: (index.line_of(entry.span.start), index.line_of(entry.span.end.saturating_sub(1))),
            n_least: least(n_settled, said.len()),
            said: said.into_iter().map(|item| one_line(item.of(text))).collect(),
        });
    }
    (open, n_done)
}
