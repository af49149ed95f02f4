//! What the days of a period say, where no roll-up tells of it: a period of a few days, or one with few entries.

use ken_core::answer::{Citable, Consulted};
use ken_core::journal::{SectionKind, parse_journal, parse_sections};
use ken_core::page::outline::{DECISIONS, LESSONS, OPEN, OUTCOMES};
use ken_core::rollup::AskedPeriod;
use ken_core::time::leading_date;
use ken_core::{Date, LineIndex, VaultPath};

use crate::engine::Engine;

/// Days that one question is answered from.
const DAYS_MAX: usize = 31;

impl Engine {
    /// Returns the days of the journal in a period, in order.
    pub(super) fn days_of(&self, asked: &AskedPeriod) -> Vec<(Date, VaultPath)> {
        let layout = self.layout();
        let all = self.store.list_paths(&layout.journal).unwrap_or_default().into_iter();
        let day = |path: VaultPath| Some((leading_date(path.file_name()).filter(|_| layout.is_day(&path))?, path));
        let mut out: Vec<(Date, VaultPath)> =
            all.filter_map(day).filter(|(day, _)| asked.from <= *day && *day <= asked.to).collect();
        out.sort();
        // Of a long time as many from everywhere.
        let n = out.len().min(DAYS_MAX);
        (0..n).map(|nth| out[nth * out.len() / n].clone()).collect()
    }

    /// Returns what a day of the journal says, each statement under the heading of a roll-up; what was only asked is left out.
    pub(super) fn day_consulted(&self, day: Date, path: &VaultPath) -> Option<Consulted> {
        let text = String::from_utf8(self.store.read(path).ok()??).ok()?;
        let index = LineIndex::new(&text);
        let mut said: Vec<((usize, usize), &str)> = Vec::new();
        for entry in parse_journal(&text, Some(day)).value.standing() {
            let sections = parse_sections(&text, entry.body);
            for section in &sections {
                let Some(heading) = heading_of(section.kind) else { continue };
                let items = section.items.iter().filter(|item| is_said(item.of(&text)));
                said.extend(
                    items.map(|item| ((index.line_of(item.start), index.line_of(item.end.max(item.start))), heading)),
                );
            }
            // What a person writes into a day by hand may have no sections.
            if sections.is_empty() && entry.body.start < entry.body.end {
                said.push(((index.line_of(entry.body.start), index.line_of(entry.body.end)), OUTCOMES));
            }
        }
        let units: Vec<((usize, usize), f32)> = said.iter().map(|(lines, _)| (*lines, 0.0)).collect();
        let mut one = self.consulted(path, &day.to_string(), Some(day), &units)?;
        let heading = |citable: &Citable| {
            let touches = |lines: &(usize, usize)| lines.0 <= citable.lines.1 && citable.lines.0 <= lines.1;
            said.iter().find(|(lines, _)| touches(lines)).map(|(_, heading)| *heading)
        };
        for citable in &mut one.citables {
            citable.heading = heading(citable).unwrap_or(OUTCOMES).to_owned();
        }
        Some(one)
    }
}

fn heading_of(kind: SectionKind) -> Option<&'static str> {
    match kind {
        SectionKind::DecisionsMade => Some(DECISIONS),
        SectionKind::LessonsLearned => Some(LESSONS),
        SectionKind::ActionItems => Some(OPEN),
        SectionKind::KeyExchanges => Some(OUTCOMES),
        SectionKind::Context | SectionKind::Names | SectionKind::Events => None,
    }
}

/// Whether an item says what came of something, and not what a person asked or told on the way.
fn is_said(item: &str) -> bool {
    ken_core::journal::of_user(item).is_none() && !item.trim_end().ends_with('?')
}
