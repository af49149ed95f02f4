//! The lines of a roll-up, and its page: which lines there is room for, and where they stand.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::claim::SourceRef;
use ken_core::header::{FieldName, FieldValue, TLDR_CHARS_MAX};
use ken_core::page::outline::{
    Body, CHANGES, CHILDREN, DECISIONS, DONE, FOUND, LESSONS, NAMED, OPEN, OUTCOMES, SUPERSEDED, WORK,
};
use ken_core::rollup::Rolled;
use ken_core::text::{capital, sentences};
use ken_core::{Category, Date, VaultPath};
use ken_intake::scrub::readable;

use crate::alone::{is_claim, is_remark, points_back, stands};
use crate::compose::names::listed;
use crate::compose::{RelatedPage, header_ended, shown_link, unlinked};
use crate::telling::numbers;

/// The share of what it rolls up that a page aims at, in percent, and bytes that it may have whatever that says.
const TARGET: usize = 23;
const BYTES_MIN: usize = 2_500;
/// The share of its room that is left for other lines, however much those take that must stand there, in percent.
const ROOM_BESIDE: usize = 50;
/// Most lines of what else was said in a piece of work that has no page of its own: the journal has the others.
const OUTCOMES_OF_WORK_MAX: usize = 3;
/// Bytes of a list item around its text, and of a footnote around what it cites.
const ITEM_BYTES: usize = 3;
const NOTE_BYTES: usize = 16;

/// Where a line stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Section {
    /// What took the place of something.
    Changes,
    /// What was settled.
    Decisions,
    /// What was learned.
    Lessons,
    /// What was wrong in work that mended it.
    Faults,
    /// What else was said.
    Outcomes,
    /// What was to be done, and was.
    Done,
    /// What is to be done.
    Open,
    /// What was said and no longer holds.
    Superseded,
}

impl Section {
    pub(super) const ALL: [Section; 8] = [
        Section::Changes,
        Section::Decisions,
        Section::Lessons,
        Section::Faults,
        Section::Outcomes,
        Section::Done,
        Section::Open,
        Section::Superseded,
    ];

    pub(super) fn heading(self) -> &'static str {
        match self {
            Section::Changes => CHANGES,
            Section::Decisions => DECISIONS,
            Section::Lessons => LESSONS,
            Section::Faults => FOUND,
            Section::Outcomes => OUTCOMES,
            Section::Done => DONE,
            Section::Open => OPEN,
            Section::Superseded => SUPERSEDED,
        }
    }

    /// Whether its lines stand below the pieces of work in which they were said. What is over says by itself what it is of.
    fn is_by_work(self) -> bool {
        !matches!(self, Section::Done | Section::Superseded)
    }

    /// Returns the section of a heading.
    pub(super) fn of(heading: &str) -> Option<Section> {
        Section::ALL.into_iter().find(|section| section.heading() == heading)
    }
}

/// A statement as it stands on a roll-up.
#[derive(Debug, Clone)]
pub(super) struct Line {
    pub(super) section: Section,
    /// The heading of the piece of work in which it was said; empty for talk, and where the work has no title.
    pub(super) work: String,
    /// Its Markdown without its marks.
    pub(super) text: String,
    /// What it cites, in the order of its marks.
    pub(super) cited: Vec<SourceRef>,
    /// Whether it stands there however much room there is.
    pub(super) must: bool,
    /// Whether it cannot be read by itself, so that it stands there only for a number that no other line names.
    pub(super) leans: bool,
    /// What it is worth beside others.
    pub(super) rank: f32,
}

/// The lines of each piece of work, in the order in which the works are first told of; those of none come first.
fn by_work<'l>(lines: impl Iterator<Item = &'l &'l Line>) -> Vec<(&'l str, Vec<&'l Line>)> {
    let mut out: Vec<(&str, Vec<&Line>)> = vec![("", Vec::new())];
    for line in lines {
        match out.iter_mut().find(|(work, _)| *work == line.work) {
            Some((_, lines)) => lines.push(line),
            None => out.push((&line.work, vec![line])),
        }
    }
    out
}

/// One of what a page rolls up: the link to it.
pub(super) struct Child(String);

/// Returns how a page leads to a day.
pub(super) fn child_day(path: &VaultPath) -> Child {
    let name = path.as_str().strip_suffix(".md").unwrap_or(path.as_str());
    Child(format!("[[{name}]]"))
}

/// Returns how a page leads to the roll-up of a part of its period.
pub(super) fn child_page(period: Rolled) -> Child {
    Child(format!("[[{}]]", period.slug()))
}

/// What a page is made of.
pub(super) struct Page {
    pub(super) period: Rolled,
    /// Its lines in the order of time.
    pub(super) lines: Vec<Line>,
    /// Bytes of what it rolls up.
    pub(super) n_bytes: usize,
    pub(super) children: Vec<Child>,
    pub(super) named: Vec<RelatedPage>,
    /// The newest day of the journal, where the period may go on.
    pub(super) open: Option<Date>,
}

impl Page {
    /// Returns the text of the page. What is over is shown as `tell` says, which gets the lines that there is room for.
    pub(super) fn render<T>(&self, tell: impl FnOnce(&[&Line]) -> Option<(Vec<Line>, T)>) -> (String, Option<T>) {
        let chosen = self.chosen_lines();
        match if self.open.is_none() { tell(&chosen) } else { None } {
            Some((shown, told)) => (self.with(&chosen, &shown.iter().collect::<Vec<_>>()), Some(told)),
            None => (self.with(&chosen, &chosen), None),
        }
    }

    /// The lines that there is room for, in the order of time.
    fn chosen_lines(&self) -> Vec<&Line> {
        let bare = self.with(&[], &[]);
        let room = (self.n_bytes * TARGET / 100).max(BYTES_MIN).saturating_sub(bare.len());
        self.chosen(room).into_iter().map(|n| &self.lines[n]).collect()
    }

    /// Which lines there is room for: those that must stand there, then the best, what names a number that none has yet before
    /// others. What leans on something comes behind all others that name one.
    fn chosen(&self, room: usize) -> Vec<usize> {
        let mut left = room;
        let mut cited: BTreeSet<(&VaultPath, (usize, usize))> = BTreeSet::new();
        let mut out: BTreeSet<usize> = (0..self.lines.len()).filter(|n| self.lines[*n].must).collect();
        let mut known: BTreeSet<&str> = BTreeSet::new();
        for n in &out {
            left = left.saturating_sub(cost(&self.lines[*n], &cited));
            cited.extend(notes(&self.lines[*n]));
            known.extend(numbers(&self.lines[*n].text));
        }
        // Where very much was settled, what changed, was learned, is open or was done has room all the same.
        left = left.max(room * ROOM_BESIDE / 100);
        let mut order: Vec<usize> = (0..self.lines.len()).filter(|n| !out.contains(n)).collect();
        order.sort_by(|a, b| self.lines[*b].rank.total_cmp(&self.lines[*a].rank).then(a.cmp(b)));
        let mut n_outcomes: BTreeMap<&str, usize> = BTreeMap::new();
        for (says_new, leans) in [(true, false), (true, true), (false, false)] {
            for n in order.iter().filter(|n| self.lines[**n].leans == leans) {
                let line = &self.lines[*n];
                let is_best = !leans && line.rank >= RANK_FIRST;
                let is_new = is_best || numbers(&line.text).any(|number| !known.contains(number));
                if says_new && !is_new || out.contains(n) {
                    continue;
                }
                let is_of_work = line.section == Section::Outcomes && !line.work.is_empty();
                let n_of_work = n_outcomes.entry(line.work.as_str()).or_default();
                let cost = cost(line, &cited);
                if cost <= left && !(is_of_work && *n_of_work == OUTCOMES_OF_WORK_MAX) {
                    *n_of_work += usize::from(is_of_work);
                    left -= cost;
                    cited.extend(notes(line));
                    out.insert(*n);
                    known.extend(numbers(&line.text));
                }
            }
        }
        out.into_iter().collect()
    }

    /// The text of the page with some of its lines, as they are shown.
    fn with(&self, chosen: &[&Line], shown: &[&Line]) -> String {
        let Page { period, lines, .. } = self;
        let mut body = Body::new(&self.title());
        for section in Section::ALL {
            body.section(section.heading());
            for (work, lines) in by_work(shown.iter().filter(|line| line.section == section)) {
                if !work.is_empty() && section.is_by_work() {
                    body.part(work);
                }
                lines.iter().for_each(|line| body.claim(&line.text, &line.cited.iter().collect::<Vec<_>>()));
            }
        }
        let n_left = lines.len() - chosen.len();
        if n_left > 0 && !matches!(period, Rolled::Week { .. }) {
            body.block(&format!("<!-- {n_left} further lines stand on the pages below -->\n"));
        }
        for (is_work, heading) in [(true, WORK), (false, NAMED)] {
            body.section(heading);
            let named = self.named.iter().filter(|page| page.is_work == is_work);
            named.for_each(|page| body.link(&shown_link(page), ""));
        }
        body.section(CHILDREN);
        self.children.iter().for_each(|child| body.link(&child.0, ""));
        // What stands beside each other only here may look like a secret, and a scan would find it on every run.
        let body = readable(&body.render()).into_owned();
        readable(&self.header(chosen, &body)).into_owned() + &body
    }

    fn header(&self, chosen: &[&Line], body: &str) -> String {
        let cited = || chosen.iter().flat_map(|line| &line.cited).map(|cited| &cited.path);
        let sources: BTreeSet<&VaultPath> = cited().collect();
        let dates: Vec<Date> =
            sources.iter().filter_map(|path| ken_core::time::leading_date(path.file_name())).collect();
        let fields: Vec<(FieldName, FieldValue)> = vec![
            (FieldName::Category, Category::Rollup.as_str().into()),
            (FieldName::Title, self.title().as_str().into()),
            (FieldName::Tldr, self.tldr(chosen).as_str().into()),
        ];
        header_ended(fields, &dates, &sources, body)
    }

    /// What the page holds, in one sentence: the days, what was worked on or else the best of its lines, and of a week how much
    /// of what.
    fn tldr(&self, chosen: &[&Line]) -> String {
        let days = self.period.days().map(|(first, last)| (first, self.open.unwrap_or(last)));
        let days = days.map(|(first, last)| format!("{first} to {last}")).unwrap_or_default();
        let counted = |section: Section, one: &str, several: &str| {
            let n = chosen.iter().filter(|line| line.section == section).count();
            (n > 0).then(|| format!("{n} {}", if n == 1 { one } else { several }))
        };
        let said = [
            counted(Section::Changes, "change", "changes"),
            counted(Section::Decisions, "decision", "decisions"),
            counted(Section::Lessons, "lesson", "lessons"),
            counted(Section::Open, "open task", "open tasks"),
        ];
        // The pages below have lines that have no room here: a count of the others would be taken for one of all.
        let is_whole = matches!(self.period, Rolled::Week { .. });
        let said: Vec<String> = said.into_iter().flatten().filter(|_| is_whole).collect();
        if let Some(work) = self.work() {
            let counts = if said.is_empty() { String::new() } else { format!("; {}", said.join(", ")) };
            return format!("{days}: work on {work}{counts}.");
        }
        // Best first, of two alike the later: most lines are never looked at.
        let mut told: Vec<&&Line> = chosen.iter().rev().collect();
        told.sort_by(|a, b| a.section.cmp(&b.section).then(b.rank.total_cmp(&a.rank)));
        let counts = said.join(", ");
        // With a colon behind the days and a full stop at the end.
        let mut room = TLDR_CHARS_MAX.saturating_sub(days.len() + counts.len() + ": .".len());
        let mut best: Vec<String> = Vec::new();
        for line in told.into_iter().filter(|line| is_tellable(line)) {
            let text = line.text.trim_end_matches('.');
            let text = if best.is_empty() { capital(text) } else { text.to_owned() };
            let n_chars = text.chars().count() + BETWEEN_CHARS;
            if best.len() < TOLD_MAX && n_chars <= room {
                room -= n_chars;
                best.push(text);
            }
        }
        if best.is_empty() {
            return std::iter::once(days).chain(said).collect::<Vec<_>>().join(", ") + ".";
        }
        best.extend(Some(counts).filter(|counts| !counts.is_empty()));
        format!("{days}: {}.", best.join("; "))
    }

    /// What was worked on, where that was several things: `“A”, “B” and more`.
    fn work(&self) -> Option<String> {
        let titles: Vec<String> =
            self.named.iter().filter(|page| page.is_work).map(|page| format!("“{}”", unlinked(&page.title))).collect();
        let is_several = titles.len() > 1;
        listed(titles, WORK_TOLD).filter(|_| is_several)
    }

    /// `Week 2026-W10`; while it runs, up to which day it goes.
    fn title(&self) -> String {
        let state = self.open.map(|newest| format!(" (open, up to {newest})")).unwrap_or_default();
        format!("{} {}{state}", capital(self.period.unit()), self.period)
    }
}

/// Pieces of work that a tldr names.
const WORK_TOLD: usize = 4;
/// Lines that a tldr tells, and characters between two of them.
const TOLD_MAX: usize = 3;
const BETWEEN_CHARS: usize = 2;
/// Longest line in characters that a tldr tells.
const TOLD_CHARS_MAX: usize = 200;

/// Whether a line says by itself what came of a period: what changed, or else was settled, or else learned.
fn is_tellable(line: &Line) -> bool {
    let text = line.text.as_str();
    let is_one = sentences(text).len() == 1;
    let is_settled = matches!(line.section, Section::Changes | Section::Decisions | Section::Lessons);
    let is_whole = !text.contains("[[") && !text.ends_with([':', '…', '?']) && text.chars().count() <= TOLD_CHARS_MAX;
    is_settled
        && is_one
        && is_whole
        && !line.leans
        && stands(text)
        && is_claim(text)
        && !is_remark(text)
        && !points_back(text)
}

/// From this worth on a line is taken for itself, not for the numbers that it names.
const RANK_FIRST: f32 = 5.0;

/// What the footnotes of a line cite.
fn notes(line: &Line) -> impl Iterator<Item = (&VaultPath, (usize, usize))> {
    line.cited.iter().map(|one| (&one.path, one.lines))
}

/// Bytes that a line takes, with the footnotes that it is the first to need.
fn cost(line: &Line, cited: &BTreeSet<(&VaultPath, (usize, usize))>) -> usize {
    let costs = line.cited.iter().enumerate().map(|(n, one)| {
        let note = (&one.path, one.lines);
        let is_known = cited.contains(&note) || notes(line).take(n).any(|before| before == note);
        NOTE_BYTES / 2 + if is_known { 0 } else { NOTE_BYTES + one.to_string().len() }
    });
    ITEM_BYTES + line.text.len() + costs.sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page_about(work: &[&str]) -> String {
        let named = work.iter().map(|title| RelatedPage {
            slug: ken_core::Slug::from_text(title).expect("a name"),
            title: (*title).to_owned(),
            month: None,
            is_work: true,
        });
        let decision = Line {
            section: Section::Decisions,
            work: String::new(),
            text: "The oven stays at 220 degrees.".to_owned(),
            cited: Vec::new(),
            rank: 1.0,
            must: true,
            leans: false,
        };
        let period = Rolled::week_of(Date::constant(2026, 3, 2));
        let (named, lines) = (named.collect(), vec![decision]);
        let page = Page { period, lines, n_bytes: 0, children: Vec::new(), named, open: None };
        page.render::<()>(|_| None).0
    }

    #[test]
    fn what_was_worked_on_sums_a_week_up_where_that_was_several_things() {
        let tldr = |text: &str| text.lines().find(|line| line.starts_with("tldr: ")).map(str::to_owned);
        let days = "tldr: \"2026-03-02 to 2026-03-08:";
        let two = page_about(&["Oven timer", "Steam valve"]);
        assert_eq!(tldr(&two), Some(format!("{days} work on “Oven timer” and “Steam valve”; 1 decision.\"")));
        assert!(two.contains("\n## Work\n\n- [[oven-timer|Oven timer]]\n- [[steam-valve|Steam valve]]\n"), "{two}");
        let six = page_about(&["A one", "B two", "C three", "D four", "E five", "F six"]);
        assert_eq!(
            tldr(&six),
            Some(format!("{days} work on “A one”, “B two”, “C three”, “D four” and more; 1 decision.\""))
        );
        let one = page_about(&["Oven timer"]);
        assert_eq!(tldr(&one), Some(format!("{days} The oven stays at 220 degrees; 1 decision.\"")));
    }
}
