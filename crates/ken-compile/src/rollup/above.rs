//! The lines of a month or a year: those of the pages that it rolls up.

use std::collections::BTreeMap;

use ken_core::action;
use ken_core::claim::ClaimState;
use ken_core::link::links;
use ken_core::page::outline::{NAMED, WORK, What, past_text, rows, without_marks};
use ken_core::page::parse_page;
use ken_core::rollup::Rolled;
use ken_core::time::leading_date;
use ken_core::{Slug, Span, VaultPath};

use super::line::{Line, Section};
use super::{WORK_MAX, first_of_each};
use crate::compose::RelatedPage;
use crate::score::{is_change_note, score};
use crate::telling::{numbers, stands_alone};

/// What the pages below say.
pub(super) struct Above {
    pub(super) lines: Vec<Line>,
    /// Bytes of the pages.
    pub(super) n_bytes: usize,
    pub(super) named: Vec<RelatedPage>,
}

impl Above {
    /// Reads the pages that a period rolls up, each with its text, in order.
    pub(super) fn read(children: &[(Rolled, String)], path_of: impl Fn(Rolled) -> Option<VaultPath>) -> Above {
        let mut out = Above { lines: Vec::new(), n_bytes: 0, named: Vec::new() };
        // Per page that is named: how high it stands on how many of the pages.
        let mut named: BTreeMap<(bool, Slug), (usize, String)> = BTreeMap::new();
        let mut of_child: Vec<usize> = Vec::new();
        for (n_child, (child, text)) in children.iter().enumerate() {
            out.n_bytes += text.len();
            let Some(path) = path_of(*child) else { continue };
            let page = parse_page(&path, text.clone()).value;
            for row in rows(&page, None) {
                let What::Claim(claim) = row.what else { continue };
                let Some(section) = Section::of(&claim.heading) else { continue };
                let cited = claim.marks().filter_map(|mark| mark.cited.clone()).collect();
                let text = without_marks(claim.span.of(&page.text));
                of_child.push(n_child);
                let leans = section != Section::Decisions && !stands_alone(&claim.text);
                out.lines.push(Line { section, rank: rank(section, &claim.text), text, cited, must: false, leans });
            }
            for (is_work, heading) in [(true, WORK), (false, NAMED)] {
                for (nth, (slug, title)) in named_on(text, heading).into_iter().enumerate() {
                    let slot = named.entry((is_work, slug)).or_insert((0, title));
                    // The first counts most.
                    slot.0 += WORK_MAX.saturating_sub(nth);
                }
            }
        }
        close(&mut out.lines, &of_child);
        let page = |((is_work, slug), (n, title))| (n, RelatedPage { slug, title, month: None, is_work });
        let mut ranked: Vec<(usize, RelatedPage)> = named.into_iter().map(page).collect();
        ranked.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.slug.cmp(&b.1.slug)));
        out.named = first_of_each(ranked.into_iter().map(|(_, page)| page));
        out
    }
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

fn rank(section: Section, text: &str) -> f32 {
    let base = match section {
        Section::Decisions => 9.0,
        Section::Changes => 8.0,
        Section::Lessons => 7.5,
        Section::Open => 6.0,
        Section::Done => 3.0,
        Section::Outcomes => 0.0,
        Section::Superseded => -1.0,
    };
    let number = if numbers(text).next().is_some() { 1.0 } else { 0.0 };
    base + score(text, false) + number - if is_change_note(text) { 3.0 } else { 0.0 }
}
