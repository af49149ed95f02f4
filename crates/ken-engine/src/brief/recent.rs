//! What the newest days of the journal say.

use ken_compile::revise::may_revise;
use ken_compile::settle::may_settle;
use ken_core::Date;
use ken_core::brief::{row, task_row};
use ken_core::journal::{JournalEntry, SectionKind, of_user, parse_sections, without_speaker};
use ken_core::revised::Revision;
use ken_core::settled::Settlement;
use ken_core::supersede::{Said, replaced, takes_back};

use crate::compile::{alone, is_change_note, tells_much};
use ken_core::text::leans_back;

/// Statements that the last session ended with.
const LAST_MAX: usize = 2;

/// What the newest days of the journal say, newest first.
#[derive(Default)]
pub(super) struct Recent {
    /// What was settled.
    pub(super) decisions: Vec<String>,
    /// The newest entry's title, and what it ended with.
    pub(super) last: Vec<String>,
    /// The titles of the others.
    pub(super) entries: Vec<String>,
    /// Titles of all, without their days.
    pub(super) titles: Vec<String>,
    /// What the entries say, each with its day, newest first.
    said: Vec<(Date, Vec<String>)>,
    /// The rows of what was settled not to hold.
    failed: Vec<String>,
}

/// Whether an entry tells how documents changed.
fn tells_of_documents(entry: &JournalEntry, text: &str) -> bool {
    let sections = parse_sections(text, entry.body);
    let mut items = sections.iter().flat_map(|section| &section.items).map(|item| item.of(text)).peekable();
    may_revise(&entry.provenance) && items.peek().is_some_and(|item| Revision::parse(item).is_some())
}

impl Recent {
    /// Adds an entry that is older than those before.
    pub(super) fn add(&mut self, date: Date, entry: &JournalEntry, text: &str) {
        if self.add_settled(date, entry, text) {
            return;
        }
        // A day that is called by its date alone is told by what it says first.
        let is_date = |title: &String| title.parse::<Date>().is_ok();
        let first = || {
            let sections = parse_sections(text, entry.body);
            sections.iter().flat_map(|section| &section.items).find_map(|item| row(item.of(text)))
        };
        let title = task_row(&entry.title).filter(|title| !is_date(title)).or_else(first);
        let time = entry.time.map(|(hour, minute)| format!(" {hour:02}:{minute:02}")).unwrap_or_default();
        // Where documents changed, no session ended.
        let is_newest = self.last.is_empty() && !tells_of_documents(entry, text);
        let titled = title.as_ref().map(|title| format!("{date}{time} {title}"));
        if is_newest { &mut self.last } else { &mut self.entries }.extend(titled);
        self.titles.extend(title);
        let (mut ended, mut settled): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
        let mut said: Vec<String> = Vec::new();
        for section in parse_sections(text, entry.body) {
            let items = || section.items.iter().map(|item| item.of(text));
            match section.kind {
                SectionKind::DecisionsMade => {
                    // What takes something back says of nothing how it is to be.
                    let told = items().filter(|item| !is_change_note(item) && !leans_back(item) && !takes_back(item));
                    told.for_each(|item| add(&mut self.decisions, date, item));
                }
                SectionKind::KeyExchanges => ended.extend(items().filter(|item| of_user(item).is_none())),
                SectionKind::LessonsLearned => settled.extend(items()),
                _ => {}
            }
            if section.kind.is_said() && section.kind != SectionKind::ActionItems {
                said.extend(items().map(|item| without_speaker(item).to_owned()));
            }
        }
        self.said.push((date, said));
        if is_newest {
            ended = if ended.is_empty() { settled } else { ended };
            let from = ended.len().saturating_sub(LAST_MAX);
            self.last.extend(ended[from..].iter().filter_map(|item| task_row(item)));
        }
    }

    /// Adds what an entry settles; returns whether it does: then what holds is all that it says.
    fn add_settled(&mut self, date: Date, entry: &JournalEntry, text: &str) -> bool {
        let sections = parse_sections(text, entry.body);
        let items = sections.iter().flat_map(|section| &section.items).filter(|_| may_settle(&entry.provenance));
        let settled: Vec<Settlement> = items.filter_map(|item| Settlement::parse(item.of(text))).collect();
        for side in settled.iter().flat_map(|settled| &settled.sides) {
            match side.holds {
                true => add(&mut self.decisions, date, &side.text),
                false => self.failed.extend(task_row(&side.text)),
            }
        }
        !settled.is_empty()
    }

    /// Appends what entries of other projects say.
    pub(super) fn append(&mut self, mut others: Recent) {
        self.decisions.append(&mut others.decisions);
        match self.last.is_empty() {
            true => self.last = others.last,
            false => self.entries.extend(others.last.into_iter().take(1)),
        }
        self.entries.append(&mut others.entries);
        self.titles.append(&mut others.titles);
        self.said.append(&mut others.said);
        self.failed.append(&mut others.failed);
    }

    /// Leaves out what later statements replaced, puts decisions that tell much before others, and says nothing twice.
    pub(super) fn settle(&mut self) {
        let old = self.outdated();
        let holds = |row: &str| !old.iter().any(|old| old == row);
        self.decisions.retain(|row| holds(without_day(row)));
        let is_named_so = |title: &str| old.iter().any(|old| old.starts_with(title.trim_end_matches('…')));
        self.entries.retain(|row| !self.titles.iter().any(|title| row.ends_with(title) && is_named_so(title)));
        let last = std::mem::take(&mut self.last);
        self.decisions.retain(|row| !last.iter().any(|said| said == without_day(row)));
        let is_clear = |said: &str| tells_much(said) && alone::stands(said);
        self.decisions.sort_by_key(|row| (!is_clear(without_day(row)), !tells_much(without_day(row))));
        self.last = last;
    }

    /// The rows of what a later statement replaced.
    fn outdated(&self) -> Vec<String> {
        let mut entries: Vec<&(Date, Vec<String>)> = self.said.iter().rev().collect();
        entries.sort_by_key(|(date, _)| *date);
        let all =
            entries.iter().enumerate().flat_map(|(n, (date, said))| said.iter().map(move |text| (n, *date, text)));
        let said: Vec<Said<'_>> = all
            .map(|(exchange, day, text)| Said {
                text,
                day: Some(day),
                exchange,
                may_replace: true,
                is_action: false,
                goes_on: false,
            })
            .collect();
        let old = said.iter().zip(replaced(&said)).filter_map(|(said, by)| by.and_then(|_| task_row(said.text)));
        old.chain(self.failed.iter().cloned()).collect()
    }

    /// Returns whether a decision or the last session says a sentence.
    pub(super) fn says(&self, sentence: &str) -> bool {
        !sentence.is_empty() && self.decisions.iter().chain(&self.last).any(|row| row.contains(sentence))
    }
}

/// Adds a row that is not there yet.
fn add(rows: &mut Vec<String>, date: Date, item: &str) {
    let row = task_row(item).filter(|row| !rows.iter().any(|known| without_day(known) == row));
    rows.extend(row.map(|row| format!("{date} {row}")));
}

/// A row without the day before it.
fn without_day(row: &str) -> &str {
    row.split_once(' ').map_or(row, |(_, rest)| rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ken_core::journal::parse_journal;

    fn recent(days: &[(&str, &str)]) -> Recent {
        let mut recent = Recent::default();
        for (day, text) in days {
            let date = day.parse().expect("a day");
            for entry in parse_journal(text, Some(date)).value.standing() {
                recent.add(date, entry, text);
            }
        }
        recent.settle();
        recent
    }

    #[test]
    fn decisions_that_tell_much_come_first_and_changes_are_none() {
        let told = "Use SQLite for orders, because one file is easy to copy.";
        let text = format!("### A\n\n**Decisions Made:**\n- Keep it that way.\n- Updated the tests.\n- {told}\n");
        let found = recent(&[("2026-04-01", &text)]);
        assert_eq!(found.decisions, [format!("2026-04-01 {told}"), "2026-04-01 Keep it that way.".to_owned()]);
    }

    #[test]
    fn a_decision_that_a_later_entry_replaced_is_none() {
        let text = |title: &str, said: &str| format!("### {title}\n\n**Decisions Made:**\n- {said}\n");
        let old = text("We use nginx as the gateway", "We use nginx as the gateway.");
        let new = text("Correction", "We use caddy instead of nginx as the gateway now.");
        let found = recent(&[("2026-04-09", &new), ("2026-04-01", &old)]);
        assert_eq!(found.decisions, ["2026-04-09 We use caddy instead of nginx as the gateway now."]);
        assert!(found.entries.is_empty(), "{:?}", found.entries);
    }

    #[test]
    fn what_was_taken_back_is_no_decision_and_neither_is_that_it_was() {
        let text = |said: &str| format!("### Oven\n\n**Decisions Made:**\n- {said}\n");
        let old = text("We decided to bake all loaves in the deck oven.");
        let new = text("Forget what I said about the deck oven.");
        let found = recent(&[("2026-04-09", &new), ("2026-04-01", &old)]);
        assert!(found.decisions.is_empty(), "{:?}", found.decisions);
    }

    #[test]
    fn the_last_session_is_told_by_its_end_and_nothing_stands_twice() {
        let text = |title: &str| {
            let exchanges = "- User asked: Why?\n- One.\n- The oven is hot.\n- The door is shut.\n";
            format!("### {title}\n\n**Key Exchanges:**\n{exchanges}\n**Decisions Made:**\n- The door is shut.\n")
        };
        let (newer, older) = (text("Oven"), text("Door"));
        let found = recent(&[("2026-04-02", &newer), ("2026-04-01", &older)]);
        assert_eq!(found.last, ["2026-04-02 Oven", "The oven is hot.", "The door is shut."]);
        assert_eq!(found.entries, ["2026-04-01 Door"]);
        assert!(found.decisions.is_empty() && found.says("The oven is hot."));
    }
}
