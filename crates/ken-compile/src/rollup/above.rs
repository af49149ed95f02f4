//! The lines of a month or a year: those of the pages that it rolls up.

use std::collections::BTreeMap;

use ken_core::action;
use ken_core::claim::ClaimState;
use ken_core::link::links;
use ken_core::page::outline::{NAMED, Row, WORK, What, past_text, rows, without_marks};
use ken_core::page::parse_page;
use ken_core::parallel::each_in_parallel;
use ken_core::rollup::Rolled;
use ken_core::time::leading_date;
use ken_core::{Slug, Span, VaultPath};

use super::line::{Line, Section};
use super::{WORK_MAX, first_of_each};
use crate::alone::is_personal;
use crate::compose::RelatedPage;
use crate::score::{is_change_note, score};
use crate::standing::has_position;
use crate::telling::{numbers, stands_alone};

/// What the pages below say.
pub(super) struct Above {
    pub(super) lines: Vec<Line>,
    /// Bytes of the pages.
    pub(super) n_bytes: usize,
    pub(super) named: Vec<RelatedPage>,
}

/// A page that those pages lead to.
struct Listed {
    title: String,
    /// On which of them it stands first, and where there.
    first: (usize, usize),
    /// How high it stands on how many of them.
    weight: usize,
}

impl Above {
    /// Reads the pages that a period rolls up, each with its text, in order.
    pub(super) fn read(children: &[(Rolled, String)], path_of: impl Fn(Rolled) -> Option<VaultPath>) -> Above {
        let mut out = Above { lines: Vec::new(), n_bytes: 0, named: Vec::new() };
        let mut named: BTreeMap<(bool, Slug), Listed> = BTreeMap::new();
        let mut of_child: Vec<usize> = Vec::new();
        let at: Vec<Option<VaultPath>> = children.iter().map(|(child, _)| path_of(*child)).collect();
        let told = each_in_parallel(children.len(), |n| at[n].as_ref().map(|path| told(path, &children[n].1)));
        for (n_child, ((_, text), told)) in children.iter().zip(told).enumerate() {
            out.n_bytes += text.len();
            let Some(lines) = told else { continue };
            of_child.extend(lines.iter().map(|_| n_child));
            out.lines.extend(lines);
            for (is_work, heading) in [(true, WORK), (false, NAMED)] {
                for (nth, (slug, title)) in named_on(text, heading).into_iter().enumerate() {
                    let first = (n_child, nth);
                    let page = named.entry((is_work, slug)).or_insert(Listed { title, first, weight: 0 });
                    // The first counts most.
                    page.weight += WORK_MAX.saturating_sub(nth);
                }
            }
        }
        close(&mut out.lines, &of_child);
        let page = |((is_work, slug), Listed { title, first, weight })| {
            ((std::cmp::Reverse(weight), first), RelatedPage { slug, title, month: None, is_work })
        };
        let mut ranked: Vec<_> = named.into_iter().map(page).collect();
        ranked.sort_by_key(|(rank, _)| *rank);
        out.named = first_of_each(ranked.into_iter().map(|(_, page)| page));
        out
    }
}

/// The lines of a page that a period rolls up.
fn told(path: &VaultPath, text: &str) -> Vec<Line> {
    let page = parse_page(path, text.to_owned()).value;
    let works = works(&page.text);
    let line = |row: Row| {
        let What::Claim(claim) = row.what else { return None };
        let section = Section::of(&claim.heading)?;
        let work = works[..works.partition_point(|(at, _)| *at < claim.span.start)].last();
        let work = work.map_or_else(String::new, |(_, work)| (*work).to_owned());
        let cited = claim.marks().filter_map(|mark| mark.cited.clone()).collect();
        let text = without_marks(claim.span.of(&page.text));
        let leans = section != Section::Decisions && !stands_alone(&claim.text);
        Some(Line { section, work, text, cited, must: false, leans, rank: rank(section, &claim.text) })
    };
    rows(&page, None).into_iter().filter_map(line).collect()
}

/// Has the tasks that one page left open, and a later one says were done, stand as done.
fn close(lines: &mut [Line], of_child: &[usize]) {
    let is_open = |line: &Line| line.section == Section::Open;
    let said = lines.iter().zip(of_child).map(|(line, child)| {
        // What no longer holds closes nothing.
        let is_past = matches!(line.section, Section::Done | Section::Superseded);
        let text = if is_past { "" } else { line.text.as_str() };
        (*child, action::Statement { text, is_marked: is_open(line), is_listed: false })
    });
    let done = action::closed(&said.collect::<Vec<_>>());
    for (n, by) in done.into_iter().enumerate() {
        let Some(by) = by.filter(|_| is_open(&lines[n])) else { continue };
        let cited = lines[by].cited.first().cloned();
        let on = cited.as_ref().and_then(|cited| leading_date(cited.path.file_name()));
        lines[n].text = past_text(&lines[n].text, &ClaimState::Done { on });
        lines[n].cited.extend(cited);
        lines[n].section = Section::Done;
        lines[n].rank = rank(Section::Done, &lines[n].text);
    }
}

/// Where what stands below a piece of work begins, each with its heading; below the heading of a section that is none.
fn works(text: &str) -> Vec<(usize, &str)> {
    let mut at = 0;
    let headings = text.split_inclusive('\n').filter_map(|line| {
        at += line.len();
        let work = line.strip_prefix("### ").or_else(|| line.starts_with("## ").then_some(""))?;
        Some((at - line.len(), work.trim_end_matches(['\r', '\n'])))
    });
    headings.collect()
}

/// The pages that a roll-up leads to under a heading.
fn named_on(text: &str, heading: &str) -> Vec<(Slug, String)> {
    let heading = format!("\n## {heading}\n");
    let Some(start) = text.find(&heading).map(|at| at + heading.len()) else { return Vec::new() };
    let end = text[start..].find("\n## ").map_or(text.len(), |end| start + end);
    let of_link = |link: &ken_core::link::Link| {
        let slug = Slug::from_text(link.target.of(text))?;
        Some((slug, link.shown.unwrap_or(link.target).of(text).to_owned()))
    };
    links(text, Span::new(start, end)).iter().filter_map(of_link).collect()
}

/// What is taken off for a note of a change, a line of code that may have moved since, and what somebody says of themselves.
const PASSING: f32 = 3.0;

fn rank(section: Section, text: &str) -> f32 {
    let base = match section {
        Section::Decisions => 9.0,
        Section::Changes => 8.0,
        Section::Lessons => 7.5,
        Section::Faults => 6.5,
        Section::Open => 6.0,
        Section::Done => 3.0,
        Section::Outcomes => 0.0,
        Section::Superseded => -1.0,
    };
    let number = if numbers(text).next().is_some() { 1.0 } else { 0.0 };
    let lasts_less = is_change_note(text) || has_position(text) || is_personal(text);
    base + score(text, false) + number - if lasts_less { PASSING } else { 0.0 }
}
