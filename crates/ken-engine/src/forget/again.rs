//! Takes out again what was forgotten and came back by a merge, a copy or a restored backup.
//!
//! Only what the list names without doubt: entries and talk of a session that was forgotten as a whole, captured
//! entries of a day that was, and documents with the very bytes. What a person writes is never taken for it.

use ken_core::journal::parse_journal;
use ken_core::layout::{LOCAL_TALK, SHARED_TALK};
use ken_core::talk::parse_talk;
use ken_core::time::leading_date;
use ken_store::FileStat;

use super::select::said_by;
use super::*;
use crate::compile::Ledger;

impl Engine {
    /// Takes out what came back since the ledger was written; returns whether something had.
    pub(crate) fn forget_again(&self, guard: &LockGuard, known: Option<&Ledger>) -> Result<bool, Failure> {
        let forgotten = self.forgotten()?;
        if forgotten.is_empty() {
            return Ok(false);
        }
        // A backup brings files back with their old times, so only the ledger tells which are as they were.
        let is_new = |file: &FileStat| match self.is_talk(&file.path) {
            true => self.key_of("talk", file.path.as_str()).is_some_and(|key| forgotten.has_talk(&key)),
            false => known.is_none_or(|ledger| !ledger.has_seen(file.path.as_str(), file.len, file.mtime_ns)),
        };
        let new = self.read_texts_where(&is_new)?;
        let chosen = self.what_came_back(&forgotten, &new);
        if chosen.is_empty() {
            return Ok(false);
        }
        let texts = self.read_texts()?;
        let shown = "what had come back".to_owned();
        let key = self.key_of("again", &self.clock.now.to_string()).ok_or_else(|| self.no_key())?;
        let aim = Aim { what: "again", shown, key, days: None, needle: None };
        let needle = Needle::Traces(self.traces_of(&chosen, &texts)?);
        let decided = self.decide_forgetting((&aim, &needle), chosen, (&texts, &[]))?;
        for plan in std::iter::once(&decided.plan).chain(&decided.after) {
            self.apply(guard, plan)?;
        }
        self.notice("what was forgotten had come back, and was taken out again (`ken history` says when)".to_owned());
        Ok(true)
    }

    fn is_talk(&self, path: &VaultPath) -> bool {
        [LOCAL_TALK, SHARED_TALK, self.layout().talk.as_str()].iter().any(|folder| path.is_under(folder))
    }

    fn what_came_back(&self, forgotten: &Forgotten, texts: &Texts) -> Chosen {
        let is_forgotten = |session: &str| matches!(self.readable_of(forgotten, session), Readable::Nothing(_));
        let mut chosen = Chosen::default();
        for (path, text) in &texts.journal {
            let date = leading_date(path.file_name());
            for entry in parse_journal(text, date).value.entries {
                let Some(session) = entry.provenance.session.as_deref() else { continue };
                let of_day =
                    || date.zip(entry.time).is_some_and(|(date, time)| forgotten.has_day(date, time, &self.clock.zone));
                if is_forgotten(session) || of_day() {
                    chosen.cut(path, [said_by(text, &entry)]);
                    chosen.exact.extend(is_forgotten(session).then(|| session.to_owned()));
                }
            }
        }
        for (path, text) in &texts.talk {
            if parse_talk(text).provenance.session.as_deref().is_some_and(is_forgotten) {
                chosen.gone_talk(path);
            }
        }
        for (path, text) in &texts.sources {
            let key = self.key_of("bytes", &Digest::of(text.as_bytes()).to_string());
            if key.is_some_and(|key| forgotten.has_document(&key)) {
                chosen.gone.insert(path.clone());
                chosen.exact.push(path.to_string());
            }
        }
        chosen.settle();
        chosen.note_sessions(texts);
        chosen
    }
}
