//! Erases the talk that a vault does not keep any longer.

use ken_core::layout::TOOL_FOLDER;
use ken_core::talk::day_of;
use ken_core::{Basis, Date, LogEntry, Plan, VaultPath};

use crate::config::Keep;
use crate::engine::Engine;
use crate::failure::Failure;

impl Engine {
    /// Erases talk that the configuration does not keep any longer; returns the files.
    ///
    /// What a page or a filed answer cites stays. In a vault that this user neither made nor accepted nothing is
    /// erased: the configuration is somebody else's.
    ///
    /// # Errors
    /// When the vault cannot be read or written.
    pub fn expire_talk(&self) -> Result<Vec<VaultPath>, Failure> {
        if !self.is_accepted() {
            return Ok(Vec::new());
        }
        let folder = &self.layout().talk;
        let is_old: Box<dyn Fn(usize, Date) -> bool> = match self.config.sessions_keep {
            Keep::All => return Ok(Vec::new()),
            Keep::Days(days) => {
                let days = i64::try_from(days).unwrap_or(i64::MAX);
                let first = self.clock.today().checked_sub(jiff::Span::new().try_days(days).unwrap_or_default());
                let first = first.unwrap_or(Date::MIN);
                Box::new(move |_, day| day < first)
            }
            Keep::Sessions(n_max) => Box::new(move |nth, _| nth >= n_max),
        };
        let guard = self.lock("capture")?;
        let mut files = self.store.list_paths(folder)?;
        files.sort_by(|a, b| b.cmp(a));
        let dated = files.into_iter().filter_map(|path| Some((day_of(&path, folder)?, path)));
        let mut old: Vec<VaultPath> =
            dated.enumerate().filter(|(nth, (day, _))| is_old(*nth, *day)).map(|(_, (_, path))| path).collect();
        if old.is_empty() {
            return Ok(old);
        }
        let cited = self.cited_talk()?;
        old.retain(|path| !cited.iter().any(|text| memchr::memmem::find(text, path.as_str().as_bytes()).is_some()));
        let mut edits = Vec::new();
        for path in &old {
            edits.extend(self.store.read(path)?.map(|bytes| Basis::of(path, Some(&bytes)).erase()));
        }
        let log = LogEntry {
            at: self.clock.now,
            kind: "expire".to_owned(),
            subject: format!("the talk of {} sessions", edits.len()),
            lines: old.iter().map(|path| format!("erased {path}")).collect(),
            inputs: Vec::new(),
            public: false,
        };
        self.apply(&guard, &Plan { edits, guards: Vec::new(), log })?;
        Ok(old)
    }

    /// The pages and filed answers that name talk.
    fn cited_talk(&self) -> Result<Vec<Vec<u8>>, Failure> {
        let folder = self.layout().talk.as_str().to_owned();
        let mut files = self.list_wiki()?.files;
        let answers = VaultPath::new(&format!("{TOOL_FOLDER}/answers")).expect("inside the vault");
        files.extend(self.store.list(&answers)?.files);
        let names = |_: &ken_store::FileStat, bytes: Vec<u8>| {
            memchr::memmem::find(&bytes, folder.as_bytes()).is_some().then_some(bytes)
        };
        Ok(self.store.map_files(&files, names)?.into_iter().flatten().flatten().collect())
    }
}
