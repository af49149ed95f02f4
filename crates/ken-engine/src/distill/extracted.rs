//! Which sessions are to be read: entries of the journal that were extracted from one and that no model wrote anew.

use ken_compile::portion::Portion;
use ken_core::journal::{JournalEntry, Provenance, SectionKind, one_line, parse_journal, parse_sections};
use ken_core::text::cut;
use ken_core::{Date, LineIndex, VaultPath};

use super::DistillOutcome;
use crate::capture::is_at_hand;
use crate::compile::reading::least;
use crate::compile::tasks::Unread;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::propose::task::Task;

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
    pub(super) lines: (usize, usize),
    /// Statements of an entry that stands in its place, at least.
    pub(super) n_least: usize,
}

impl Extracted {
    fn place(&self) -> Place {
        (self.path.clone(), self.lines)
    }

    pub(super) fn session(&self) -> &str {
        self.provenance.session.as_deref().unwrap_or_default()
    }
}

impl Engine {
    /// The extracted entries that nobody distilled, the oldest day first, and how many were.
    pub(super) fn extracted(&self, session: Option<&str>) -> Result<(Vec<Extracted>, usize), Failure> {
        let folder = self.layout().journal.clone();
        let mut files = self.store.list(&folder)?.files;
        files.retain(|file| self.layout().is_day(&file.path) && date_of(&file.path).is_some());
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

    /// Returns the sessions of unread portions whose own words are at hand. Those are read, and where that gave nothing
    /// what was extracted stands as it is, so that nothing is sent twice.
    pub(crate) fn sessions_of(&self, unread: &[Unread], renew: bool) -> Result<Sessions, Failure> {
        let (known, replies) = (self.known(), self.replies()?);
        let portions: Vec<&Portion> = unread.iter().flat_map(|file| &file.portions).collect();
        let mut entries = if portions.is_empty() { Vec::new() } else { self.extracted(None)?.0 };
        entries.retain(|entry| {
            let is_there = known.session(entry.session()).is_some_and(is_at_hand);
            is_there && portions.iter().any(|portion| is_of(&entry.place(), portion))
        });
        // Those that cannot be read are read from what was extracted.
        let mut sessions = Sessions::default();
        for day in by_day(entries) {
            let mut day = self.to_read(day, &known, &mut DistillOutcome::default());
            sessions.places.extend(day.iter().map(|one| one.entry.place()));
            day.retain(|one| renew || self.may_become_an_entry(one, &replies));
            sessions.days.extend(Some(day).filter(|day| !day.is_empty()));
        }
        Ok(sessions)
    }
}

/// An extracted entry with the tasks of reading what it was extracted from.
pub(crate) struct ToRead {
    pub(super) entry: Extracted,
    pub(super) tasks: Vec<Task>,
}

impl ToRead {
    /// Returns the session.
    pub(crate) fn session(&self) -> &str {
        self.entry.session()
    }

    /// Returns the tasks of reading it.
    pub(crate) fn tasks(&self) -> &[Task] {
        &self.tasks
    }
}

/// A file of the journal, and the first and last line of an entry there.
type Place = (VaultPath, (usize, usize));

/// Sessions whose own words are at hand.
#[derive(Default)]
pub(crate) struct Sessions {
    /// Those that nobody read, by day, the oldest first. A reply that gave no entry was a reading.
    pub(crate) days: Vec<Vec<ToRead>>,
    /// Where entries were extracted from all of them.
    places: Vec<Place>,
}

impl Sessions {
    /// Returns unread portions without those that were extracted from these sessions.
    pub(crate) fn without(&self, mut unread: Vec<Unread>) -> Vec<Unread> {
        let is_theirs = |portion: &Portion| self.places.iter().any(|place| is_of(place, portion));
        unread.iter_mut().for_each(|file| file.portions.retain(|portion| !is_theirs(portion)));
        unread.retain(|file| !file.portions.is_empty());
        unread
    }
}

/// Whether a portion of the journal is of the entry at a place.
fn is_of((path, lines): &Place, portion: &Portion) -> bool {
    let (first, last) = portion.range();
    portion.path == *path && lines.0 <= first && last <= lines.1
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
