//! Takes words of talk out that a vault does not keep any longer.
//!
//! Only what stands in the journal goes: a part of the talk, appended at once for one part of a transcript, goes when
//! entries made from that part stand there. What a page or a filed answer cites stays, and so does what stands nowhere
//! else. One operation, which `ken undo` takes back; what was taken back goes again only when a person says so.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::journal::parse_journal;
use ken_core::layout::TOOL_FOLDER;
use ken_core::talk::{self, Held, Keep, Talk, Why, day_of, parse_talk};
use ken_core::text::count;
use ken_core::{Basis, Edit, LineIndex, LogEntry, Plan, VaultPath};
use ken_store::{FileStat, LockGuard};

use crate::engine::Engine;
use crate::failure::Failure;

/// The operation.
const KIND: &str = "prune";

/// Files that the log names; each says itself what went.
const NAMED_MAX: usize = 50;

/// Bytes of talk that one operation takes out: undo keeps them, and the rest is for the next time.
const BYTES_MAX: usize = 64 << 20;

/// How to prune.
#[derive(Debug, Clone, Copy, Default)]
pub struct PruneOptions {
    /// What is kept, instead of what the configuration says.
    pub keep: Option<Keep>,
    /// Say what would go, and change nothing.
    pub dry_run: bool,
    /// Nobody asked for it: what was taken back stays.
    pub is_by_itself: bool,
}

/// The talk of a session of which words go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pruned {
    /// The file, which stays, without them.
    pub path: VaultPath,
    /// Which bound it is beyond.
    pub why: Why,
    /// Of each part that goes, the part of the transcript, and where entries made from it stand.
    pub parts: Vec<((u64, u64), Vec<String>)>,
    /// How many bytes the file has less.
    pub n_bytes: usize,
}

/// Why talk beyond a bound stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stays {
    /// A page or a filed answer cites it.
    Cited,
    /// Parts of it stand in no entry of the journal.
    Uncovered,
    /// It was pruned before, and that was taken back.
    TakenBack,
    /// It is too short to gain anything.
    Short,
}

/// What was or would be pruned.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PruneOutcome {
    /// What is kept.
    pub keep: Keep,
    /// What goes, the newest first.
    pub pruned: Vec<Pruned>,
    /// What stays although it is beyond a bound, wholly or in part.
    pub stays: Vec<(VaultPath, Stays)>,
    /// Sessions that go the next time.
    pub n_later: usize,
}

/// Where an entry was made from, and where it stands.
struct Entry {
    range: (u64, u64),
    /// The line of the talk on which its words end.
    last: usize,
    place: String,
}

impl Engine {
    /// Takes out the words of talk that are not to be kept any longer.
    ///
    /// In a vault that this user neither made nor accepted nothing goes unless `keep` is given: the configuration is
    /// somebody else's.
    ///
    /// # Errors
    /// When the vault cannot be read or written.
    pub fn prune(&self, options: PruneOptions) -> Result<PruneOutcome, Failure> {
        let keep = match options.keep {
            Some(keep) => keep,
            None if self.is_accepted() => self.config.sessions_keep,
            None => Keep::default(),
        };
        if keep.is_all() {
            return Ok(PruneOutcome::default());
        }
        if options.dry_run {
            return Ok(self.look_for_pruning(keep, options)?.0);
        }
        let guard = self.lock(KIND)?;
        let (outcome, edits) = self.look_for_pruning(keep, options)?;
        if !edits.is_empty() {
            self.apply_pruning(&guard, &outcome, edits)?;
        }
        Ok(outcome)
    }

    /// Returns of how many sessions words would go, and how many bytes; nothing where all talk is kept.
    pub(crate) fn waits_for_pruning(&self) -> Result<Option<(usize, usize)>, Failure> {
        let done = self.prune(PruneOptions { dry_run: true, is_by_itself: true, keep: None })?;
        let n_bytes = done.pruned.iter().map(|one| one.n_bytes).sum();
        Ok((!done.keep.is_all()).then_some((done.pruned.len() + done.n_later, n_bytes)))
    }

    fn apply_pruning(&self, guard: &LockGuard, outcome: &PruneOutcome, edits: Vec<Edit>) -> Result<(), Failure> {
        let n = outcome.pruned.len();
        let line = |one: &Pruned| {
            let part = |(range, places): &((u64, u64), Vec<String>)| {
                format!("{}-{} stands in {}", range.0, range.1, places.join(", "))
            };
            format!("{}: {}", one.path, one.parts.iter().map(part).collect::<Vec<_>>().join("; "))
        };
        let mut lines: Vec<String> = outcome.pruned.iter().take(NAMED_MAX).map(line).collect();
        if n > NAMED_MAX {
            lines.push(format!("and {} more; each file says where the journal has it", n - NAMED_MAX));
        }
        let log = LogEntry {
            at: self.clock.now,
            kind: KIND.to_owned(),
            subject: format!("the talk of {}", count(n, "session")),
            lines,
            inputs: Vec::new(),
            public: true,
        };
        self.apply(guard, &Plan { edits, guards: Vec::new(), log }).map(drop)
    }

    /// Finds what goes, and the edits that do it.
    fn look_for_pruning(&self, keep: Keep, options: PruneOptions) -> Result<(PruneOutcome, Vec<Edit>), Failure> {
        let mut outcome = PruneOutcome { keep, ..PruneOutcome::default() };
        let mut beyond = self.beyond(keep)?;
        let paths: BTreeSet<VaultPath> = beyond.iter().map(|(path, _)| path.clone()).collect();
        if paths.is_empty() {
            return Ok((outcome, Vec::new()));
        }
        let (cited, entries) = (self.cited_talk()?, self.entries_by_talk()?);
        let back = if options.is_by_itself { self.taken_back(KIND)? } else { BTreeSet::new() };
        let mut stays = |path: &VaultPath, why: Stays| outcome.stays.push((path.clone(), why));
        beyond.retain(|(path, _)| {
            let is_cited = cited.iter().any(|text| memchr::memmem::find(text, path.as_str().as_bytes()).is_some());
            let why = if is_cited { Some(Stays::Cited) } else { back.contains(path).then_some(Stays::TakenBack) };
            why.into_iter().for_each(|why| stays(path, why));
            why.is_none()
        });
        let (mut edits, mut n_bytes) = (Vec::new(), 0);
        for (path, why) in beyond {
            if n_bytes > BYTES_MAX {
                outcome.n_later += 1;
                continue;
            }
            let bytes = self.store.read(&path)?.unwrap_or_default();
            let Ok(text) = str::from_utf8(&bytes) else { continue };
            let talk = parse_talk(text);
            let of_file = entries.get(path.as_str()).map(Vec::as_slice).unwrap_or_default();
            let (parts, has_uncovered) = parts_that_go(text, &talk, of_file);
            if has_uncovered {
                outcome.stays.push((path.clone(), Stays::Uncovered));
            }
            let left = talk::without(text, &talk, &parts, self.clock.today());
            if left.len() == text.len() {
                if !has_uncovered {
                    outcome.stays.push((path, Stays::Short));
                }
                continue;
            }
            n_bytes += text.len();
            let parts = parts.into_iter().map(|(nth, places)| (talk.parts[nth].range, places)).collect();
            outcome.pruned.push(Pruned { path: path.clone(), why, parts, n_bytes: text.len() - left.len() });
            edits.push(Basis::of(&path, Some(&bytes)).replace(left));
        }
        Ok((outcome, edits))
    }

    /// The files of talk that are beyond a bound, the newest first.
    fn beyond(&self, keep: Keep) -> Result<Vec<(VaultPath, Why)>, Failure> {
        let folder = &self.layout().talk;
        let mut files = self.store.list(folder)?.files;
        files.retain(|file| day_of(&file.path, folder).is_some());
        files.sort_by(|a, b| b.path.cmp(&a.path));
        let held = |file: &FileStat, bytes: Vec<u8>| {
            let talk = parse_talk(str::from_utf8(&bytes).ok()?);
            let last = talk.turns.iter().map(|turn| turn.at.0).max()?;
            let n_bytes = talk.parts.iter().filter(|part| part.is_kept).map(|part| part.span.end - part.span.start);
            Some((file.path.clone(), Held { last, n_bytes: n_bytes.sum::<usize>() as u64 }))
        };
        let held: Vec<(VaultPath, Held)> =
            self.store.map_files(&files, held)?.into_iter().flatten().flatten().collect();
        let (paths, held): (Vec<VaultPath>, Vec<Held>) = held.into_iter().unzip();
        let beyond = keep.beyond(&held, self.clock.today());
        Ok(beyond.into_iter().map(|(nth, why)| (paths[nth].clone(), why)).collect())
    }

    /// The entries of the journal by the file of talk that has their words.
    fn entries_by_talk(&self) -> Result<BTreeMap<String, Vec<Entry>>, Failure> {
        let folder = self.layout().talk.clone();
        let of_day = |file: &FileStat, bytes: Vec<u8>| {
            let text = String::from_utf8_lossy(&bytes);
            let lines = LineIndex::new(&text);
            let mut out = Vec::new();
            for entry in parse_journal(&text, None).value.entries {
                let (Some(range), Some(pointer)) = (entry.provenance.range, entry.provenance.talk.as_deref()) else {
                    continue;
                };
                let Some((name, at)) = pointer.split_once("#L") else { continue };
                let last = at.rsplit_once("-L").map_or(at, |(_, last)| last);
                let Ok(last) = last.parse::<usize>() else { continue };
                let first = lines.line_of(entry.span.start);
                let end = lines.line_of(entry.span.end.saturating_sub(1).max(entry.span.start));
                let place = format!("{}#L{first}-L{end}", file.path);
                out.push((format!("{folder}/{name}"), Entry { range, last, place }));
            }
            out
        };
        let days = self.store.list(&self.layout().journal)?.files;
        let mut by_talk: BTreeMap<String, Vec<Entry>> = BTreeMap::new();
        for (path, entry) in self.store.map_files(&days, of_day)?.into_iter().flatten().flatten() {
            by_talk.entry(path).or_default().push(entry);
        }
        Ok(by_talk)
    }

    /// The pages and filed answers that name talk.
    fn cited_talk(&self) -> Result<Vec<Vec<u8>>, Failure> {
        let folder = self.layout().talk.as_str().to_owned();
        let mut files = self.list_wiki()?.files;
        let answers = VaultPath::new(&format!("{TOOL_FOLDER}/answers")).expect("inside the vault");
        files.extend(self.store.list(&answers)?.files);
        let names =
            |_: &FileStat, bytes: Vec<u8>| memchr::memmem::find(&bytes, folder.as_bytes()).is_some().then_some(bytes);
        Ok(self.store.map_files(&files, names)?.into_iter().flatten().flatten().collect())
    }
}

/// A part by its place in the talk, and where the journal has it.
type Part = (usize, Vec<String>);

/// Returns the parts of a talk that stand in the journal, and whether there are others.
fn parts_that_go(text: &str, talk: &Talk, entries: &[Entry]) -> (Vec<Part>, bool) {
    let made: Vec<((u64, u64), usize)> = entries.iter().map(|entry| (entry.range, entry.last)).collect();
    let uncovered = talk::uncovered(text, talk, &made);
    let kept = talk.parts.iter().enumerate().filter(|(_, part)| part.is_kept);
    let goes = kept.filter(|(nth, _)| !uncovered.contains(nth)).map(|(nth, part)| {
        let is_of = |entry: &&Entry| entry.range.0 < part.range.1 && part.range.0 < entry.range.1;
        let places: BTreeSet<String> = entries.iter().filter(is_of).map(|entry| entry.place.clone()).collect();
        (nth, places.into_iter().collect())
    });
    (goes.collect(), !uncovered.is_empty())
}

#[cfg(test)]
mod tests;
