//! What of the readings is doubted and is to be asked about: in one question a run, after everything was read.
//!
//! What sessions were read to say was asked about before it was written down, see [`crate::distill`]. This is about what
//! was read of notes and documents, whose pages are compiled anew with the verdicts.

use std::collections::BTreeSet;

use ken_compile::cut::cut_entries;
use ken_store::FileStat;

use super::CompileOptions;
use super::asking::ASKED;
use super::reading::Readings;
use super::sources::read_as;
use super::standing::Standing;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::outcome::CompileOutcome;
use crate::propose::pack::packs;
use crate::propose::run::{Author, Run};
use crate::propose::task::Task;

impl Engine {
    /// The tasks about what is doubted of readings and that nobody was asked about, by file.
    pub(crate) fn doubt_tasks(&self, author: &Author, model: &str) -> Result<Vec<Task>, Failure> {
        let replies = self.replies()?;
        let (Some(readings), Some(ledger)) = (Readings::of(self, &replies), self.load_ledger()) else {
            return Ok(Vec::new());
        };
        let layout = self.layout();
        let register = self.register()?;
        // Whoever asks anew asks about everything that is doubted.
        let may_be_open = |path: &str| author.renew || ledger.files.get(path).is_some_and(|file| file.has_doubts);
        let files = self.compiled_files()?.0.into_iter().filter(|file| may_be_open(file.stat.path.as_str()));
        let stats: Vec<FileStat> = files.map(|file| file.stat).collect();
        let doubts = self.store.map_files(&stats, |stat, bytes| {
            let text = String::from_utf8(bytes).unwrap_or_default();
            let read_as = read_as(&stat.path, layout.is_day(&stat.path), &register);
            let entries = cut_entries(&stat.path, read_as, &text, true);
            entries.iter().flat_map(|entry| readings.doubts(entry)).collect::<Vec<_>>()
        })?;
        let mut seen = BTreeSet::new();
        let mut tasks = Vec::new();
        for doubts in doubts.into_iter().flatten().flatten() {
            let (first, last) = doubts.portion.range();
            let label = format!("{}#L{first}-L{last}", doubts.portion.path);
            if seen.insert(doubts.portion.digest.clone()) {
                tasks.extend(self.doubt_task(doubts, &label, &replies, (author, model)));
            }
        }
        Ok(tasks)
    }

    /// Asks about what is doubted, and compiles what came of it. Returns of how many portions something was.
    pub(super) fn ask_doubts(
        &self,
        run: &mut Run<'_>,
        options: CompileOptions,
        (done, standing): (&mut CompileOutcome, &mut Standing),
    ) -> Result<usize, Failure> {
        let model = run.outcome.model.clone();
        let tasks = if run.is_over() { Vec::new() } else { self.doubt_tasks(run.author(), &model)? };
        if tasks.is_empty() {
            return Ok(0);
        }
        let n_tasks = tasks.len();
        self.store.keep(ASKED, b"")?;
        run.ask_all(&packs(tasks))?;
        done.take(self.compile_in_run(options, standing)?);
        self.store.drop_kept(ASKED)?;
        Ok(n_tasks)
    }
}
