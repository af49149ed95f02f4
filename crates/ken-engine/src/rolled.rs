//! Answers a question about a period from its roll-up, or from its days. Writes nothing.
//!
//! A roll-up leads there and nowhere else: no word of it is indexed or routed, so that any other question finds what it rolls
//! up.

mod days;

use ken_core::answer::{Answer, Citable, Consulted, Sentence};
use ken_core::context::Statement;
use ken_core::frame::heading;
use ken_core::index::Catalog;
use ken_core::orders::order;
use ken_core::page::outline::{DONE, before_end};
use ken_core::rollup::{AskedPeriod, Rolled, told};
use ken_core::time::leading_date;
use ken_core::{Category, Date, IndexEntry, Slug, VaultPath};

use crate::engine::Engine;
use crate::failure::Failure;
use crate::trusted::TrustOfPages;

/// What stands between a task and the day on which it was done.
const DONE_ON: &str = " done ";
/// Lines of an answer.
const TOLD_MAX: usize = 12;
/// Roll-ups that one question is answered from.
const PAGES_MAX: usize = 6;
/// Tokens of a context for each line, half of which roll-ups may take.
const TOKENS_A_LINE: usize = 90;
const LINES: std::ops::RangeInclusive<usize> = 4..=80;

/// The roll-ups that answer a question.
pub(crate) struct RolledUp {
    asked: AskedPeriod,
    /// Their entries, in order of time.
    pages: Vec<(u32, IndexEntry)>,
    /// The days of the journal, where there is no roll-up.
    days: Vec<(Date, VaultPath)>,
}

impl RolledUp {
    /// Returns what the index says of them.
    pub(crate) fn entries(&self) -> impl Iterator<Item = &IndexEntry> {
        self.pages.iter().map(|(_, entry)| entry)
    }

    /// Returns where they stand in the catalog.
    pub(crate) fn page_idxs(&self) -> Vec<u32> {
        self.pages.iter().map(|(page_idx, _)| *page_idx).collect()
    }
}

/// A line that is told.
struct Line {
    citable: Citable,
    /// The newest day that it cites.
    day: Option<Date>,
}

impl Line {
    /// Whether it is a task that was done.
    fn is_done(&self) -> bool {
        self.citable.heading == DONE
    }

    /// Its words with what became of it and its day.
    fn shown(&self) -> String {
        let said = self.citable.text.as_str();
        // A task that was done says when behind its words.
        let done = said.trim_end_matches('.').rsplit_once(DONE_ON).filter(|(_, day)| day.parse::<Date>().is_ok());
        let (text, done) = match done.filter(|_| self.is_done()) {
            Some((task, day)) => (task, Some(format!("done {day}"))),
            None => (said, None),
        };
        let is_news = |since: &&str| !since.is_empty() && !text.contains(since) && done.is_none();
        let since = Some(self.citable.since.as_str()).filter(is_news);
        // What counts from its day has that behind it already.
        let said = self.day.map(|day| day.to_string()).filter(|day| !text.contains(day.as_str()));
        let remark: Vec<&str> = said.as_deref().into_iter().chain(done.as_deref()).chain(since).collect();
        if remark.is_empty() { text.to_owned() } else { before_end(text, &format!(" ({})", remark.join(", "))) }
    }
}

impl Engine {
    /// Returns the period in which a question asks what happened. Of another day there are only the roll-ups of today.
    pub(crate) fn period_of(&self, question: &str) -> Option<AskedPeriod> {
        AskedPeriod::of(question, self.clock.today()).filter(|_| !self.is_of_then())
    }

    /// Returns the roll-ups that answer a question, if it asks what happened in a period that has some.
    pub(crate) fn rolled(&self, question: &str, catalog: &dyn Catalog) -> Option<RolledUp> {
        let asked = self.period_of(question)?;
        let page = |period: &Rolled| {
            let page_idx = catalog.find(&Slug::from_text(&period.slug())?)?;
            let entry = catalog.entry(page_idx);
            let is_it = entry.is_owned
                && entry.category == Category::Rollup
                && Rolled::parse(entry.path.stem()) == Some(*period);
            is_it.then_some((page_idx, entry))
        };
        let found = |periods: Vec<Rolled>| periods.iter().filter_map(page).take(PAGES_MAX).collect::<Vec<_>>();
        let pages = asked.rolled().into_iter().map(found).find(|pages| !pages.is_empty())?;
        Some(RolledUp { asked, pages, days: Vec::new() })
    }

    /// Returns what tells of the period in which a question asks what happened: its roll-ups, else its days.
    pub(crate) fn period_told(&self, question: &str, catalog: &dyn Catalog) -> Option<RolledUp> {
        let of_days = || {
            let asked = self.period_of(question)?;
            let days = self.days_of(&asked);
            (!days.is_empty()).then_some(RolledUp { asked, pages: Vec::new(), days })
        };
        self.rolled(question, catalog).or_else(of_days)
    }

    /// Returns an answer that tells what roll-ups say, and what it cites; what is to be filed as it stands in its file.
    pub(crate) fn told_rolled(&self, rolled: &RolledUp, is_filed: bool) -> (Answer, Vec<Consulted>) {
        let (mut answer, mut consulted) = (Answer::default(), Vec::new());
        for (one, lines) in self.lines_of_all(rolled, TOLD_MAX) {
            for line in lines {
                let text = if is_filed { line.citable.text.clone() } else { line.shown() };
                let citations = vec![one.cite(&line.citable)];
                let is_superseded = line.citable.is_superseded && !line.is_done();
                answer.sentences.push(Sentence { text, is_superseded, citations });
            }
            consulted.push(one);
        }
        (answer, consulted)
    }

    /// Returns what roll-ups say as passages of a context, as many as a budget has room for.
    pub(crate) fn rolled_as_statements(&self, rolled: &RolledUp, budget: usize) -> Result<Vec<Statement>, Failure> {
        let trusted = TrustOfPages::new(self)?;
        let mut out = Vec::new();
        for (one, lines) in self.lines_of_all(rolled, (budget / TOKENS_A_LINE).clamp(*LINES.start(), *LINES.end())) {
            for line in lines {
                let cited = line.citable.refs.iter().map(|cited| cited.path.clone());
                let own = rolled.pages.is_empty().then(|| one.path.clone());
                let trust = Some(trusted.of_all(cited.chain(own)));
                out.push(Statement {
                    heading: heading(&one.title, one.path.as_str(), one.date, trust),
                    path: one.path.clone(),
                    lines: line.citable.lines,
                    date: line.day,
                    trust,
                    text: line.shown(),
                    said: line.citable.text.clone(),
                });
            }
        }
        Ok(out)
    }

    /// Roll-ups or days, each with those of its lines that are told, so many in all.
    fn lines_of_all(&self, rolled: &RolledUp, n_max: usize) -> Vec<(Consulted, Vec<Line>)> {
        let n_each = n_max.div_ceil(rolled.pages.len().max(rolled.days.len()).max(1));
        let pages = rolled.pages.iter().filter_map(|(_, entry)| self.page_consulted(&entry.path, "rollup"));
        let days = rolled.days.iter().filter_map(|(day, path)| self.day_consulted(*day, path));
        pages.chain(days).filter_map(|one| lines_of(one, rolled, n_each)).collect()
    }
}

/// A roll-up or a day with those of its lines that are told.
fn lines_of(one: Consulted, rolled: &RolledUp, n_max: usize) -> Option<(Consulted, Vec<Line>)> {
    let is_day = one.slug.is_none();
    let citables: Vec<&Citable> = one.citables.iter().filter(|one| is_day || !one.refs.is_empty()).collect();
    // What gives orders to its reader is no statement.
    let citables: Vec<&Citable> = citables.into_iter().filter(|one| order(&one.text).is_none()).collect();
    let said: Vec<(&str, &str)> = citables.iter().map(|one| (one.heading.as_str(), one.text.as_str())).collect();
    let lines = told(&said, rolled.asked.focus, n_max).into_iter().map(|n| Line {
        citable: citables[n].clone(),
        // What took the place of a statement is told by its page, and cited behind it.
        day: match is_day {
            true => one.date,
            false => citables[n].refs.iter().filter_map(|cited| leading_date(cited.path.file_name())).min(),
        },
    });
    let lines: Vec<Line> = lines.collect();
    (!lines.is_empty()).then_some((one, lines))
}
