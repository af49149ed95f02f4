//! Asks for better sentences of weeks, months and years that are over.
//!
//! A month is made of the pages of its weeks, so weeks are asked about first, and a period only when nothing below it is
//! open: what it would be told from still changes.

use std::collections::{BTreeMap, BTreeSet};

use ken_compile::Humans;
use ken_compile::rollup::Rollup;
use ken_core::rollup::Rolled;
use ken_core::time::leading_date;
use ken_core::{Date, Slug, VaultPath};

use super::CompileOptions;
use super::days::Days;
use super::plan::Files;
use super::proposals::Proposals;
use super::reading::Readings;
use super::standing::Standing;
use super::tasks::Unread;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::outcome::CompileOutcome;
use crate::propose::kinds::Kind;
use crate::propose::pack::packs;
use crate::propose::record::Cited;
use crate::propose::run::{Author, Run};
use crate::propose::task::{Input, Task};

/// Weeks, months, years: so often something may be told that rests on what was told before.
const ROUNDS: usize = 3;

impl Engine {
    /// The roll-ups that nobody was asked to tell as they are, those below first.
    pub(crate) fn rollup_tasks(&self, author: &Author, model: &str) -> Result<Vec<Task>, Failure> {
        let Some(ledger) = self.load_ledger() else { return Ok(Vec::new()) };
        let replies = self.replies()?;
        let period = |path: &str| VaultPath::new(path).and_then(|path| Rolled::parse(path.stem()));
        let open = ledger.rollups.iter().filter(|(_, made)| {
            !made.digest.is_empty() && self.is_open(&replies, Kind::Rollup, &made.digest, author, model)
        });
        let open: Vec<(&str, Rolled)> = open.filter_map(|(path, _)| Some((path.as_str(), period(path)?))).collect();
        // What a period is part of, and what that is part of, waits for it.
        let waiting =
            |(_, of): &(&str, Rolled)| of.within().into_iter().flat_map(|above| [Some(above), above.within()]);
        let waiting: BTreeSet<Rolled> = open.iter().flat_map(waiting).flatten().collect();
        let wanted: BTreeSet<&str> =
            open.iter().filter(|(_, period)| !waiting.contains(period)).map(|(path, _)| *path).collect();
        if wanted.is_empty() {
            return Ok(Vec::new());
        }
        let (wiki, external, days) = (self.read_wiki()?, self.external()?, Days::default());
        let (persons, rolls) = (self.persons(&wiki, &|_| None)?, self.rolls(&wiki));
        let Some(rolling) = rolls.rolling() else { return Ok(Vec::new()) };
        let as_left = wiki.as_left();
        let entries = Files { engine: self, readings: Readings::of(self, &replies), days: &days };
        let proposals = Proposals::of(self, &replies);
        let humans = |name: &Slug| persons.page_of(name);
        let names: (Humans<'_>, _) = (&humans, &external);
        let found = ken_compile::rollups(&ledger, &wanted, names, (&rolling, &as_left), &entries, &proposals)?;
        // What changed since the last compile is told when it is compiled.
        let is_asked = |told: &Rollup| {
            let path = told.path.as_str();
            wanted.contains(path) && ledger.rollups.get(path).is_some_and(|made| made.digest == told.digest)
        };
        let task = |told: Rollup| {
            let read = told.sources.iter().map(|path| Cited { path: path.to_string(), lines: (0, 0) }).collect();
            let (digest, label) = (told.digest.clone(), format!("{} (roll-up)", told.period.slug()));
            Task { read, ..Task::new(Input::Rollup(Box::new(told)), digest, label) }
        };
        Ok(found.into_iter().filter(is_asked).map(task).collect())
    }

    /// Asks for better sentences of roll-ups, and compiles what came of it.
    pub(super) fn ask_rollups(
        &self,
        run: &mut Run<'_>,
        options: CompileOptions,
        (done, standing): (&mut CompileOutcome, &mut Standing),
    ) -> Result<(), Failure> {
        let model = run.outcome.model.clone();
        for _ in 0..ROUNDS {
            let tasks = if run.is_over() { Vec::new() } else { self.rollup_tasks(run.author(), &model)? };
            let n_before = run.outcome.n_answered;
            if tasks.is_empty() {
                break;
            }
            self.asking(run, |run| run.ask_all(&packs(tasks)))?;
            if run.outcome.n_answered > n_before {
                done.take(self.compile_in_run(options, standing)?);
            }
            self.done_asking()?;
            if run.outcome.n_answered == n_before {
                break;
            }
        }
        Ok(())
    }

    /// How many roll-ups can be asked about anew when portions that nobody read are read: those of their days that are
    /// over, and those above.
    pub(super) fn rolled_by(&self, unread: &[Unread]) -> Result<usize, Failure> {
        let Some(thresholds) = self.config.rollups else { return Ok(0) };
        let (files, _) = self.compiled_files()?;
        let day = |path: &VaultPath| self.layout().is_day(path).then(|| leading_date(path.file_name())).flatten();
        let days: Vec<Date> = files.iter().filter_map(|file| day(&file.stat.path)).collect();
        let newest = days.iter().max().copied();
        let is_over = |period: &Rolled| period.days().zip(newest).is_some_and(|((_, last), newest)| last < newest);
        let mut n_days: BTreeMap<Rolled, usize> = BTreeMap::new();
        days.iter().for_each(|day| *n_days.entry(Rolled::week_of(*day)).or_default() += 1);
        let read = unread.iter().filter_map(|unread| day(&unread.portions.first()?.path));
        let weeks: BTreeSet<Rolled> = read.map(Rolled::week_of).collect();
        let weeks = weeks.into_iter().filter(|week| n_days[week] >= thresholds.week_days);
        let above = |week: Rolled| std::iter::successors(Some(week), |period| period.within());
        let periods: BTreeSet<Rolled> = weeks.flat_map(above).collect();
        Ok(periods.iter().filter(|period| is_over(period)).count())
    }
}
