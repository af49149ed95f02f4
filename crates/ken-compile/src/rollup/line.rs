//! The lines of a roll-up, and its page: which lines there is room for, and where they stand.

use std::collections::BTreeSet;

use ken_core::claim::SourceRef;
use ken_core::header::{FieldName, FieldValue};
use ken_core::page::outline::{
    Body, CHANGES, CHILDREN, DECISIONS, DONE, LESSONS, NAMED, OPEN, OUTCOMES, SUPERSEDED, WORK,
};
use ken_core::rollup::Rolled;
use ken_core::text::{capital, sentences};
use ken_core::{Category, Date, VaultPath};
use ken_intake::scrub::readable;

use crate::alone::{is_claim, is_remark, points_back, stands};
use crate::compose::names::listed;
use crate::compose::{RelatedPage, header_ended, shown_link};
use crate::telling::numbers;

/// The share of what it rolls up that a page aims at, in percent, and bytes that it may have whatever that says.
const TARGET: usize = 30;
const BYTES_MIN: usize = 2_500;
/// The share of its room that is left for other lines, however much those take that must stand there, in percent.
const ROOM_BESIDE: usize = 50;
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
    pub(super) const ALL: [Section; 7] = [
        Section::Changes,
        Section::Decisions,
        Section::Lessons,
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
            Section::Outcomes => OUTCOMES,
            Section::Done => DONE,
            Section::Open => OPEN,
            Section::Superseded => SUPERSEDED,
        }
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
        for (says_new, leans) in [(true, false), (true, true), (false, false)] {
            for n in order.iter().filter(|n| self.lines[**n].leans == leans) {
                let line = &self.lines[*n];
                let is_best = !leans && line.rank >= RANK_FIRST;
                let is_new = is_best || numbers(&line.text).any(|number| !known.contains(number));
                if says_new && !is_new || out.contains(n) {
                    continue;
                }
                let cost = cost(line, &cited);
                if cost <= left {
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
            for line in shown.iter().filter(|line| line.section == section) {
                body.claim(&line.text, &line.cited.iter().collect::<Vec<_>>());
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

    /// What the page holds, in one sentence: the days, what was worked on or else the best of its lines, and how much of what.
    fn tldr(&self, chosen: &[&Line]) -> String {
        let days = self.period.days().map(|(first, last)| format!("{first} to {last}")).unwrap_or_default();
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
        let said: Vec<String> = said.into_iter().flatten().collect();
        if let Some(work) = self.work() {
            let counts = if said.is_empty() { String::new() } else { format!("; {}", said.join(", ")) };
            return format!("{days}: work on {work}{counts}.");
        }
        // Best first, of two alike the later: most lines are never looked at.
        let mut told: Vec<&&Line> = chosen.iter().rev().collect();
        told.sort_by(|a, b| a.section.cmp(&b.section).then(b.rank.total_cmp(&a.rank)));
        let best = told.into_iter().find(|line| is_tellable(line));
        match best.map(|line| line.text.trim_end_matches('.')) {
            Some(best) => format!("{days}: {}; {}.", capital(best), said.join(", ")),
            None => std::iter::once(days).chain(said).collect::<Vec<_>>().join(", ") + ".",
        }
    }

    /// What was worked on, where that was several things: `“A”, “B” and more`.
    fn work(&self) -> Option<String> {
        let titles: Vec<String> =
            self.named.iter().filter(|page| page.is_work).map(|page| format!("“{}”", page.title)).collect();
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
