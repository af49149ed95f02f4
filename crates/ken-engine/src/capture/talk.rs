//! Writes what was said into the talk of its session, each turn once.
//!
//! The talk tells itself what of it stands there: every addition says which part of the transcript it covers.
//! Where reading begins before the end of one, because nothing was settled yet or the transcript was written
//! anew, turns that stand there are left out, each as often as it does.

use std::collections::BTreeMap;

use jiff::tz::TimeZone;
use ken_core::journal::Provenance;
use ken_core::layout::{LOCAL_TALK, TOOL_FOLDER};
use ken_core::talk::{At, NewTurn, Speaker, name_ending, parse_talk, place, preamble, render_turns, said};
use ken_core::{Basis, Digest, Edit, Timestamp, VaultPath};
use ken_intake::extract::Scrubbed;
use ken_intake::transcript::{Record, Role};
use ken_store::GITIGNORE;

use crate::engine::Engine;
use crate::failure::Failure;
use crate::seen::Known;

/// What of a session's talk stands in its file, by what it says, and how often.
#[derive(Debug, Clone, Default)]
pub(super) struct Told {
    /// The file, if there is one.
    path: Option<VaultPath>,
    said: BTreeMap<[u8; 32], usize>,
    /// Up to when, and up to where in the transcript, words stood there that are not kept any longer.
    gone: Option<(At, u64)>,
}

impl Told {
    /// Takes what stands there out of turns, or stood there, and turns that then hold nothing. A transcript that was
    /// written anew has other places, so times tell; one without times has its places only.
    pub(super) fn leave_out(&mut self, turns: &mut Vec<NewTurn>, is_dated: bool) {
        if let Some((until, end)) = self.gone {
            turns.retain(|turn| if is_dated { turn.at > until } else { turn.offset >= end });
        }
        for turn in turns.iter_mut() {
            if !turn.said.is_empty() && self.take(turn.speaker.as_str(), &turn.said) {
                turn.said.clear();
            }
            turn.events.retain(|event| !self.take("", event));
        }
        turns.retain(|turn| !turn.said.is_empty() || !turn.events.is_empty());
    }

    fn add(&mut self, who: &str, text: &str) {
        *self.said.entry(key(who, text)).or_default() += 1;
    }

    fn take(&mut self, who: &str, text: &str) -> bool {
        let Some(n) = self.said.get_mut(&key(who, text)).filter(|n| **n > 0) else { return false };
        *n -= 1;
        true
    }
}

fn key(who: &str, text: &str) -> [u8; 32] {
    *Digest::of(format!("{who}\0{}", text.trim()).as_bytes()).as_bytes()
}

/// Returns the turns of records with their local times; `now` dates what the transcript does not date.
pub(super) fn turns_of(scrubbed: &Scrubbed, zone: &TimeZone, now: Timestamp) -> Vec<NewTurn> {
    let mut last = scrubbed.first_time().unwrap_or(now);
    let mut turns: Vec<NewTurn> = Vec::new();
    for record in scrubbed.records() {
        // Time never runs backwards: a resumed session may repeat older records.
        last = record.at().unwrap_or(last).max(last);
        let local = last.to_zoned(zone.clone());
        let part = |number: i8| u8::try_from(number).unwrap_or(0);
        let at = (local.date(), (part(local.hour()), part(local.minute())));
        let new = |speaker, said| NewTurn { speaker, at, said, events: Vec::new(), offset: record.offset() };
        match record {
            Record::Turn(turn) => {
                let speaker = match turn.role {
                    Role::User => Speaker::User,
                    Role::Assistant => Speaker::Agent,
                    Role::Summary => Speaker::Summary,
                };
                turns.push(new(speaker, said(&turn.text)));
            }
            Record::Event(event) => {
                if turns.last().is_none_or(|turn| turn.speaker != Speaker::Agent) {
                    turns.push(new(Speaker::Agent, String::new()));
                }
                turns.last_mut().expect("one was just made").events.push(event.line.clone());
            }
        }
    }
    turns.retain(|turn| !turn.said.is_empty() || !turn.events.is_empty());
    turns
}

/// What is added to the talk of a session.
pub(super) struct Added {
    pub(super) edits: Vec<Edit>,
    /// The file.
    pub(super) path: VaultPath,
    /// The same, as seen from the folder of talk.
    name: String,
    /// Of each turn, where it stands in its transcript and on which lines of the file.
    places: Vec<(u64, (usize, usize))>,
}

impl Added {
    /// Returns where the turns of a part of the transcript stand.
    pub(super) fn place_of(&self, part: (u64, u64)) -> Option<String> {
        let inside = self.places.iter().filter(|(offset, _)| (part.0..part.1).contains(offset));
        let lines = inside.map(|(_, lines)| *lines).reduce(|a, b| (a.0, b.1))?;
        Some(format!("{}#L{}-L{}", self.name, lines.0, lines.1))
    }
}

impl Engine {
    /// Whether talk is kept. A vault of somebody else does not decide that what is said here is shared.
    fn keeps_talk(&self) -> bool {
        self.config.keeps_talk && (self.layout().talk.as_str() == LOCAL_TALK || self.is_accepted())
    }

    /// Returns what stands in the talk of a session that came from behind a place in its transcript.
    pub(super) fn told(&self, session: &str, from: u64, known: &mut Known) -> Result<Told, Failure> {
        let path = if self.keeps_talk() { self.talk_file(session, known)? } else { None };
        let mut told = Told { path, ..Told::default() };
        let Some(path) = &told.path else { return Ok(told) };
        let bytes = self.store.read(path)?.unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let talk = parse_talk(&text);
        let gone = talk.parts.iter().filter(|part| !part.is_kept && part.range.1 > from);
        told.gone =
            gone.filter_map(|part| Some((part.until?, part.range.1))).reduce(|a, b| (a.0.max(b.0), a.1.max(b.1)));
        for turn in talk.turns.iter().filter(|turn| turn.end > from) {
            told.add(turn.speaker.as_str(), turn.said.of(&text));
            turn.events.iter().for_each(|event| told.add("", event.of(&text)));
        }
        Ok(told)
    }

    /// Returns the edits that add turns to the talk of the session that they are `of`; none when there are no
    /// turns, or no talk is kept.
    pub(super) fn add_to_talk(
        &self,
        turns: &[NewTurn],
        of: Provenance,
        title: &str,
        told: &mut Told,
    ) -> Result<Option<Added>, Failure> {
        let Some(first) = turns.first().filter(|_| self.keeps_talk()) else { return Ok(None) };
        let folder = &self.layout().talk;
        let part = of.range.unwrap_or_default();
        let of = Provenance { range: None, ..of };
        let session = of.session.as_deref().unwrap_or_default();
        let agent = of.agent.as_deref().unwrap_or_default();
        let path = told.path.get_or_insert_with(|| place(folder, first.at.0, agent, session)).clone();
        let opening = preamble(first.at.0, title, &of);
        let (mut content, lines) = render_turns(turns, part);
        let standing = self.store.read(&path)?;
        let n_lines = |bytes: &[u8]| memchr::memchr_iter(b'\n', bytes).count();
        let mut n_before = standing.as_deref().map_or_else(|| n_lines(opening.as_bytes()), n_lines);
        if standing.is_some_and(|bytes| !bytes.is_empty() && !bytes.ends_with(b"\n")) {
            content.insert(0, '\n');
            n_before += 1;
        }
        let name = path.as_str()[folder.as_str().len() + 1..].to_owned();
        let place = |(turn, lines): (&NewTurn, (usize, usize))| (turn.offset, (n_before + lines.0, n_before + lines.1));
        let places = turns.iter().zip(lines).map(place).collect();
        let append = Edit::Append { path: path.clone(), preamble: opening.into_bytes(), content: content.into_bytes() };
        let edits = self.ignored_talk()?.into_iter().chain([append]).collect();
        Ok(Some(Added { edits, path, name, places }))
    }

    /// The edit that lets git ignore the talk, in a vault that was made before there was any.
    fn ignored_talk(&self) -> Result<Option<Edit>, Failure> {
        if self.layout().talk.as_str() != LOCAL_TALK {
            return Ok(None);
        }
        let path = VaultPath::new(&format!("{TOOL_FOLDER}/.gitignore")).expect("inside the vault");
        let bytes = self.store.read(&path)?;
        let text = String::from_utf8_lossy(bytes.as_deref().unwrap_or_default());
        let is_ignored = text.lines().any(|line| matches!(line.trim().trim_matches('/'), "talk" | "*"));
        let content = if text.is_empty() || text.ends_with('\n') { "talk/\n" } else { "\ntalk/\n" };
        let edit = match bytes {
            None => Basis::nothing(path).replace(GITIGNORE),
            Some(_) => Edit::Append { path, preamble: Vec::new(), content: content.into() },
        };
        Ok((!is_ignored).then_some(edit))
    }

    /// Returns the file with the talk of a session, if there is one. The caller holds the lock.
    pub(super) fn talk_file(&self, session: &str, known: &mut Known) -> Result<Option<VaultPath>, Failure> {
        known.talks.look_through(self)?;
        Ok(known.talks.file(&name_ending(session)).cloned())
    }
}

/// The files of talk by the endings of their names, a folder at a time.
#[derive(Debug, Clone, Default)]
pub(crate) struct Talks {
    folders: BTreeMap<VaultPath, (i64, BTreeMap<String, VaultPath>)>,
}

impl Talks {
    /// Lists the folders that changed since they were looked at.
    fn look_through(&mut self, engine: &Engine) -> Result<(), Failure> {
        let folders = engine.store.list_dirs(&engine.layout().talk)?;
        self.folders.retain(|path, _| folders.iter().any(|folder| folder.path == *path));
        for folder in folders {
            if self.folders.get(&folder.path).is_some_and(|(mtime_ns, _)| *mtime_ns == folder.mtime_ns) {
                continue;
            }
            let ending = |path: &VaultPath| {
                let name = path.file_name();
                let start = name.rmatch_indices('-').nth(1).map_or(0, |(at, _)| at + 1);
                name[start..].to_owned()
            };
            let files = engine.store.list_paths(&folder.path)?.into_iter().map(|path| (ending(&path), path)).collect();
            self.folders.insert(folder.path, (folder.mtime_ns, files));
        }
        Ok(())
    }

    fn file(&self, ending: &str) -> Option<&VaultPath> {
        self.folders.values().find_map(|(_, files)| files.get(ending))
    }
}
