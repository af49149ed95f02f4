//! Rolls days up: a page of each week, of the weeks of a month, and of the months of a year.
//!
//! Extractive: every line is a statement of the journal as it stands on other pages, with the lines that it cites; what is
//! kept is chosen by kind. A week is a function of its days and of what became of what they say, a month of the pages of its
//! weeks, a year of those of its months, so that a new day makes one page of each anew and no others.
//!
//! A period that is over may be told in the sentences of a model, see `retold`; it then takes the place of its lines.
//!
//! Which period still runs, the newest day of the journal decides: pages are a function of the journal, and a clock is none
//! of it.

mod above;
mod line;
mod retold;
mod week;

use std::collections::{BTreeMap, BTreeSet};

use ken_core::parallel::each_in_parallel;
use ken_core::rollup::Rolled;
use ken_core::time::leading_date;
use ken_core::{Category, Date, Digest, VaultPath};

use crate::compose::RelatedPage;
use crate::corpus::Corpus;
use crate::drafter::{Drafter, Names};
use crate::echoes::echoes;
use crate::fingerprint::{Fingerprint, fingerprint};
use crate::ledger::{Closed, FileRecord, Key, PassageId, Replaced, RollupRecord, Successor};
use crate::naming::Record;

pub use retold::{Rollup, RollupLine, RollupSentence, Teller};
pub(crate) use week::Inside;

/// No page: of what several pages found, the first is taken.
const NO_PAGE: Key = 0;
/// Months that make a year.
const YEAR_MONTHS_MIN: usize = 2;
/// Changes whenever the pages do that are made of the same.
const VERSION: u32 = 6;
/// People and things that a roll-up leads to, and entries that must name one.
const NAMED_MAX: usize = 8;
const NAMED_MIN: usize = 2;
/// Pieces of work that it leads to; the first of so many counts so much for the roll-up above.
const WORK_MAX: usize = 12;

/// Which roll-ups there are to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Thresholds {
    /// Days with entries that make a week.
    pub week_days: usize,
    /// Weeks that make a month.
    pub month_weeks: usize,
}

/// What rolling up takes from the vault.
pub struct Rolling<'a> {
    /// How much makes a roll-up.
    pub thresholds: Thresholds,
    /// The folder of their pages.
    pub folder: &'a str,
    /// Whether a file is a day of the journal.
    pub is_day: &'a dyn Fn(&VaultPath) -> bool,
    /// Whether a period has a page already that somebody else wrote.
    pub is_told: &'a dyn Fn(Rolled) -> bool,
    /// The text of a page as it stands.
    pub text_of: &'a dyn Fn(&VaultPath) -> Option<String>,
}

/// A day of the journal.
pub(crate) struct Day<'a> {
    date: Date,
    path: VaultPath,
    file: &'a FileRecord,
}

/// The periods that are rolled up, each with what it is made of.
#[derive(Default)]
struct Periods<'a> {
    weeks: BTreeMap<Rolled, Vec<Day<'a>>>,
    months: BTreeMap<Rolled, Vec<Rolled>>,
    years: BTreeMap<Rolled, Vec<Rolled>>,
    newest: Option<Date>,
}

/// The roll-ups that there are, and those of them that may differ from what stands on disk.
#[derive(Default)]
pub(crate) struct RolledUp {
    /// The texts that may differ.
    pub(crate) pages: BTreeMap<VaultPath, String>,
    /// Where roll-ups stand, with what each was made of.
    pub(crate) made: BTreeMap<String, RollupRecord>,
    /// Those of `pages` that may be told in better sentences.
    pub(crate) to_tell: Vec<Rollup>,
}

/// What became of statements, and where it is told.
struct Fates {
    /// What took the place of a passage, by the file of the passage.
    lost: BTreeMap<u32, Vec<Lost>>,
    /// What a passage took the place of, by the file of what it says.
    won: BTreeMap<u32, Vec<(PassageId, PassageId)>>,
}

/// A passage that no longer holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Lost {
    id: PassageId,
    /// What took its place.
    new: Successor,
    /// What holds today in the place of both.
    today: PassageId,
}

impl Fates {
    fn of(replaced: &Replaced) -> Fates {
        let mut fates = Fates { lost: BTreeMap::new(), won: BTreeMap::new() };
        for (id, new) in replaced.all() {
            let today = replaced.chain(NO_PAGE, id).last().unwrap_or(new.by);
            fates.lost.entry(id.file).or_default().push(Lost { id, new, today });
            fates.won.entry(new.by.file).or_default().push((new.by, id));
        }
        fates
    }

    /// The entries besides its own that a week is told from: what took the place of its statements, and the tasks that
    /// it closed.
    fn beside<'d>(&'d self, days: &'d [Day<'_>]) -> impl Iterator<Item = PassageId> + 'd {
        let lost = days.iter().filter_map(|day| self.lost.get(&day.file.id)).flatten();
        let lost = lost.flat_map(|lost| [lost.new.by, lost.today]);
        let won = days.iter().filter_map(|day| self.won.get(&day.file.id)).flatten().map(|(_, old)| *old);
        lost.chain(won)
    }
}

/// What is made again of the roll-ups, found in two steps: which weeks differ, then, with their entries at hand, the pages.
pub(crate) struct Roller<'a> {
    rolling: &'a Rolling<'a>,
    periods: Periods<'a>,
    fates: Fates,
    named: BTreeMap<Rolled, Vec<RelatedPage>>,
    made_from: BTreeMap<Rolled, Fingerprint>,
    teller: &'a dyn Teller,
}

impl<'a> Roller<'a> {
    /// Decides which periods have roll-ups, and what each of the weeks is made from.
    pub(crate) fn new(
        rolling: &'a Rolling<'a>,
        (names, replaced): (Names<'a>, &Replaced),
        teller: &'a dyn Teller,
    ) -> Roller<'a> {
        let files = names.ledger.files.iter().filter(|(_, file)| !file.entries.is_empty());
        let day = |(path, file): (&String, &'a FileRecord)| {
            let path = VaultPath::new(path).filter(|path| (rolling.is_day)(path))?;
            Some(Day { date: leading_date(path.file_name())?, path, file })
        };
        let periods = Periods::of(files.filter_map(day), rolling);
        let fates = Fates::of(replaced);
        let named = named(&periods, &names);
        let mut roller = Roller { rolling, periods, fates, named, made_from: BTreeMap::new(), teller };
        let files: BTreeMap<u32, (&String, &FileRecord)> =
            names.ledger.files.iter().map(|(path, file)| (file.id, (path, file))).collect();
        let weeks = roller.periods.weeks.iter();
        let made_from =
            |(week, days): (&Rolled, &Vec<Day<'_>>)| (*week, roller.week_is_from(*week, days, &names, &files));
        roller.made_from = weeks.map(made_from).collect();
        roller
    }

    /// What names all that a week is made from.
    fn week_is_from(
        &self,
        week: Rolled,
        days: &[Day<'_>],
        names: &Names<'_>,
        files: &BTreeMap<u32, (&String, &FileRecord)>,
    ) -> Fingerprint {
        let of_file = |day: &Day<'_>| {
            let is_external = names.external.contains(&day.path);
            let withdrawn = names.ledger.withdrawn_of(day.file);
            (day.path.to_string(), day.file.digest, day.file.readings, is_external, withdrawn)
        };
        let days_said: Vec<_> = days.iter().map(of_file).collect();
        let beside = |id: PassageId| {
            let file = files.get(&id.file);
            let entry = file.and_then(|(_, file)| file.entries.get(usize::from(id.entry)));
            (file.map(|(path, _)| path), id.entry, id.nth, entry)
        };
        let lost: Vec<_> = days.iter().filter_map(|day| self.fates.lost.get(&day.file.id)).flatten().collect();
        let beside: Vec<_> = self.fates.beside(days).map(beside).collect();
        fingerprint(&(VERSION, self.is_open(week), days_said, lost, beside, self.named.get(&week)))
    }

    /// Whether a period may still go on: no later day is in the journal.
    fn is_open(&self, period: Rolled) -> bool {
        period.days().zip(self.periods.newest).is_some_and(|((_, last), newest)| newest <= last)
    }

    /// Where the page of a period stands.
    fn path(&self, period: Rolled) -> Option<VaultPath> {
        VaultPath::new(&format!("{}/{}.md", self.rolling.folder, period.slug()))
    }

    /// Whether a page stands as it would be made: from what has this fingerprint, as the last compile left it.
    fn stands(&self, period: Rolled, from: Fingerprint, before: &Before<'_>) -> bool {
        let Some(path) = self.path(period) else { return true };
        let as_it_was = (before.as_left)(path.as_str()).zip(before.made.get(path.as_str()));
        as_it_was.is_some_and(|(text, before)| {
            before.made == made(from, text) && before.proposals == self.teller.rolled_fingerprint(&before.digest)
        })
    }

    /// Returns the entries that making the weeks takes which may differ.
    pub(crate) fn wanted(&self, before: &Before<'_>) -> BTreeSet<(u32, u16)> {
        let mut out = self.own_entries(before);
        for (_, days) in self.to_make(before) {
            out.extend(self.fates.beside(days).map(|id| (id.file, id.entry)));
        }
        out
    }

    /// The weeks that may differ.
    fn to_make(&self, before: &Before<'_>) -> impl Iterator<Item = (&Rolled, &Vec<Day<'a>>)> {
        self.periods.weeks.iter().filter(|(week, _)| !self.stands(**week, self.made_from[*week], before))
    }

    /// The entries of their days.
    fn own_entries(&self, before: &Before<'_>) -> BTreeSet<(u32, u16)> {
        let days = self.to_make(before).flat_map(|(_, days)| days);
        days.flat_map(|day| (0..day.file.entries.len() as u16).map(|n| (day.file.id, n))).collect()
    }

    /// Finds what else of an entry says what was replaced of it, in the weeks that may differ; their entries are in the
    /// corpus. It follows from what a week is made from, so that it is the same whatever else was made again.
    pub(crate) fn hear_echoes(&mut self, replaced: &Replaced, corpus: &Corpus, before: &Before<'_>) {
        let entries = self.own_entries(before);
        let found = echoes(replaced, &entries, corpus);
        if found.is_empty() {
            return;
        }
        self.fates.lost = Fates::of(&replaced.clone().with_echoes(found)).lost;
    }

    /// Makes the pages that may differ; the entries that are [`wanted`](Roller::wanted) are in the corpus.
    pub(crate) fn roll(&self, drafter: &Drafter<'_>, before: &Before<'_>) -> RolledUp {
        let mut out = RolledUp::default();
        let mut weeks = self.weeks(drafter, before);
        for week in self.periods.weeks.keys() {
            let (text, closed) = weeks.remove(week).unwrap_or_default();
            self.put((*week, closed), self.made_from[week], before, &mut out, |_| text);
        }
        for (above, children) in self.periods.months.iter().chain(&self.periods.years) {
            let texts: Vec<(Rolled, String)> =
                children.iter().filter_map(|child| Some((*child, self.text(*child, &out)?))).collect();
            let digests: Vec<[u8; 32]> =
                texts.iter().map(|(_, text)| *Digest::of(text.as_bytes()).as_bytes()).collect();
            // A day of a week that is not rolled up yet changes none of them, and is told how far they go.
            let from = fingerprint(&(VERSION, self.newest_of(*above), children, digests));
            self.put((*above, Closed::default()), from, before, &mut out, |path| {
                let read = above::Above::read(&texts, |child| self.path(child));
                let children = texts.iter().map(|(child, _)| line::child_page(*child)).collect();
                let (lines, n_bytes, named) = (read.lines, read.n_bytes, read.named);
                let open = self.newest_of(*above);
                rendered(&line::Page { period: *above, lines, n_bytes, children, named, open }, path, self.teller)
            });
        }
        out
    }

    /// The texts of the weeks that may differ, and which statements of each close tasks.
    fn weeks(&self, drafter: &Drafter<'_>, before: &Before<'_>) -> BTreeMap<Rolled, (Text, Closed)> {
        let to_make = self.to_make(before).filter_map(|(week, days)| Some((*week, days, self.path(*week)?)));
        let to_make: Vec<_> = to_make.map(|(week, days, path)| (week, days, path, self.newest_of(week))).collect();
        let (Roller { fates, named, teller, .. }, made) = (self, before.made);
        let texts = each_in_parallel(to_make.len(), |n| {
            let (period, days, path, open) = &to_make[n];
            let inside = Inside { days, fates: &fates.lost, won: &fates.won };
            let closed = made.get(path.as_str()).map(|made| &made.closed);
            let (lines, closed) = week::lines(&inside, drafter, closed);
            let n_bytes = days.iter().map(|day| day.file.len as usize).sum();
            let children = days.iter().map(|day| line::child_day(&day.path)).collect();
            let named = named.get(period).cloned().unwrap_or_default();
            let page = line::Page { period: *period, lines, n_bytes, children, named, open: *open };
            (rendered(&page, path, *teller), closed)
        });
        to_make.into_iter().map(|(week, ..)| week).zip(texts).collect()
    }

    /// Notes a page, with its text where it may differ.
    fn put(
        &self,
        (period, closed): (Rolled, Closed),
        from: Fingerprint,
        before: &Before<'_>,
        out: &mut RolledUp,
        text: impl FnOnce(&VaultPath) -> Text,
    ) {
        let Some(path) = self.path(period) else { return };
        if self.stands(period, from, before) {
            out.made.insert(path.to_string(), before.made[path.as_str()].clone());
            return;
        }
        let (text, to_tell) = text(&path);
        let digest = to_tell.as_ref().map(|rollup| rollup.digest.clone()).unwrap_or_default();
        out.to_tell.extend(to_tell);
        let proposals = self.teller.rolled_fingerprint(&digest);
        let made = made(from, Digest::of(text.as_bytes()));
        out.made.insert(path.to_string(), RollupRecord { made, digest, proposals, closed });
        out.pages.insert(path, text);
    }

    /// The text of a page: as it was made now, else as it stands.
    fn text(&self, period: Rolled, out: &RolledUp) -> Option<String> {
        let path = self.path(period)?;
        out.pages.get(&path).cloned().or_else(|| (self.rolling.text_of)(&path))
    }

    /// The newest day of the journal, where a period may go on.
    fn newest_of(&self, period: Rolled) -> Option<Date> {
        self.periods.newest.filter(|_| self.is_open(period))
    }
}

/// The text of a page, and what of it may be told in better sentences.
type Text = (String, Option<Rollup>);

fn rendered(page: &line::Page, path: &VaultPath, teller: &dyn Teller) -> Text {
    page.render(|shown| retold::tell((page.period, path), shown, teller))
}

/// How roll-ups were left by the last compile.
pub(crate) struct Before<'a> {
    /// What each was made of, by its place.
    pub(crate) made: &'a BTreeMap<String, RollupRecord>,
    /// The digest of a page that is as the last compile left it.
    pub(crate) as_left: &'a (dyn Fn(&str) -> Option<Digest> + Sync),
}

/// What names a page by what it was made from, and its text.
fn made(from: Fingerprint, text: Digest) -> Fingerprint {
    fingerprint(&(from, *text.as_bytes()))
}

impl<'a> Periods<'a> {
    fn of(days: impl Iterator<Item = Day<'a>>, rolling: &Rolling<'_>) -> Periods<'a> {
        let mut out = Periods::default();
        for day in days {
            out.newest = out.newest.max(Some(day.date));
            out.weeks.entry(Rolled::week_of(day.date)).or_default().push(day);
        }
        // What somebody else tells is told already, and still makes what it is a part of too large to leave it out.
        let Thresholds { week_days, month_weeks } = rolling.thresholds;
        out.weeks.retain(|week, days| days.len() >= week_days.max(1) && !(rolling.is_told)(*week));
        out.weeks.values_mut().for_each(|days| days.sort_by(|a, b| a.path.cmp(&b.path)));
        out.months = above_of(out.weeks.keys(), month_weeks, rolling);
        out.years = above_of(out.months.keys(), YEAR_MONTHS_MIN, rolling);
        out
    }
}

/// The periods that enough of some make.
fn above_of<'p>(
    children: impl Iterator<Item = &'p Rolled>,
    n_min: usize,
    rolling: &Rolling<'_>,
) -> BTreeMap<Rolled, Vec<Rolled>> {
    let mut out: BTreeMap<Rolled, Vec<Rolled>> = BTreeMap::new();
    for child in children {
        if let Some(above) = child.within() {
            out.entry(above).or_default().push(*child);
        }
    }
    out.retain(|above, children| children.len() >= n_min.max(1) && !(rolling.is_told)(*above));
    out
}

/// The people, products and pieces of work that the entries of each week name most.
fn named(periods: &Periods<'_>, names: &Names<'_>) -> BTreeMap<Rolled, Vec<RelatedPage>> {
    let weeks = || (0..).zip(periods.weeks.values());
    let days = || weeks().flat_map(|(week, days)| days.iter().map(move |day| (day.file.id as usize, (week, day.date))));
    // By the numbers of files: every mention of the journal is looked up.
    let mut day_of: Vec<Option<(u32, Date)>> = vec![None; days().map(|(file, _)| file + 1).max().unwrap_or_default()];
    days().for_each(|(file, day)| day_of[file] = Some(day));
    let is_named = |page: &Record<'_>| {
        let category = Category::parse(&page.category);
        !page.is_external && matches!(category, Some(Category::Entity | Category::Project))
    };
    let of_things: Vec<Key> = names.pages.iter().filter(|(_, page)| is_named(page)).map(|(key, _)| *key).collect();
    let mut mentions: Vec<(u32, Key, Date)> = Vec::new();
    for postings in names.ledger.postings.chunk_by(|a, b| a.key == b.key) {
        let key = names.ledger.page_of(postings[0].key);
        if of_things.binary_search(&key).is_err() {
            continue;
        }
        let days = postings.iter().filter_map(|posting| day_of.get(posting.file as usize).copied().flatten());
        mentions.extend(days.map(|(week, day)| (week, key, day)));
    }
    mentions.sort_unstable();
    let shown = |mentions: &[(u32, Key, Date)]| {
        let mut pages: Vec<(usize, Date, RelatedPage)> = mentions
            .chunk_by(|a, b| a.1 == b.1)
            .filter_map(|of_page| {
                let (_, key, first) = of_page[0];
                let (page, n) = (names.pages.get(&key)?, of_page.len());
                let is_work = page.category == Category::Project.as_str();
                (is_work || n >= NAMED_MIN).then_some(())?;
                let page = RelatedPage { slug: page.slug()?, title: page.shown_title(), month: None, is_work };
                Some((n, first, page))
            })
            .collect();
        // What is named most; of what is named as often, what came first.
        pages.sort_by(|(a_n, a_first, a), (b_n, b_first, b)| {
            b_n.cmp(a_n).then(a_first.cmp(b_first)).then_with(|| a.slug.cmp(&b.slug))
        });
        first_of_each(pages.into_iter().map(|(.., page)| page))
    };
    let periods: Vec<Rolled> = periods.weeks.keys().copied().collect();
    mentions.chunk_by(|a, b| a.0 == b.0).map(|of_week| (periods[of_week[0].0 as usize], shown(of_week))).collect()
}

/// The first pieces of work, then the first of what else is named.
fn first_of_each(pages: impl Iterator<Item = RelatedPage>) -> Vec<RelatedPage> {
    let (work, others): (Vec<RelatedPage>, Vec<RelatedPage>) = pages.partition(|page| page.is_work);
    work.into_iter().take(WORK_MAX).chain(others.into_iter().take(NAMED_MAX)).collect()
}
