//! Entries of a length that people read: what does not fit into one goes into the next.
//!
//! The limit is one of form. It is applied last, to what is new, in order, and loses nothing: however much a
//! part of a transcript says, all of its entries are of the same part and are appended together.

use std::collections::BTreeMap;

use ken_core::Date;
use ken_core::journal::{NewEntry, SectionKind, is_change};

/// Most lines of a section of sentences; more is a transcript, not a log.
const LINES_MAX: usize = 40;

/// Most lines of the events section.
const EVENTS_MAX: usize = 60;

/// What a title gets where the entry goes on from the one before.
const CONTINUED: &str = " (continued)";

/// Returns the entries with as many lines as an entry may have, and as many entries as that takes. Events that
/// repeat become one line, where the first of them stood: the order of what was done stands in the talk.
pub fn fit(entries: Vec<(Date, NewEntry)>) -> Vec<(Date, NewEntry)> {
    entries.into_iter().flat_map(|(date, entry)| split(entry).into_iter().map(move |entry| (date, entry))).collect()
}

fn split(mut entry: NewEntry) -> Vec<NewEntry> {
    for (kind, lines) in &mut entry.sections {
        if *kind == SectionKind::Events {
            *lines = merged(lines);
        }
    }
    let max = |kind: SectionKind| if kind == SectionKind::Events { EVENTS_MAX } else { LINES_MAX };
    let n_entries = entry.sections.iter().map(|(kind, lines)| lines.len().div_ceil(max(*kind))).max().unwrap_or(0);
    if n_entries <= 1 {
        return vec![entry];
    }
    let nth = |nth: usize| {
        let part = |(kind, lines): &(SectionKind, Vec<String>)| {
            let end = (nth + 1) * max(*kind);
            let changed = lines.iter().skip(end).find(|line| is_change(line));
            let mut lines: Vec<String> = lines.iter().take(end).skip(nth * max(*kind)).cloned().collect();
            // What was said before a change was said before it in each entry.
            lines.extend(changed.filter(|_| !lines.is_empty()).cloned());
            (!lines.is_empty()).then_some((*kind, lines))
        };
        let title = if nth == 0 { entry.title.clone() } else { format!("{}{CONTINUED}", entry.title) };
        let sections = entry.sections.iter().filter_map(part).collect();
        NewEntry { title: title.trim_start().to_owned(), sections, ..entry.clone() }
    };
    (0..n_entries).map(nth).collect()
}

fn merged(events: &[String]) -> Vec<String> {
    let mut merged: Vec<(&str, usize)> = Vec::new();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for event in events {
        let at = *places.entry(event).or_insert(merged.len());
        match merged.get_mut(at) {
            Some((_, n_times)) => *n_times += 1,
            None => merged.push((event, 1)),
        }
    }
    let show = |(line, n_times): (&str, usize)| match n_times {
        1 => line.to_owned(),
        _ => format!("{line} (×{n_times})"),
    };
    merged.into_iter().map(show).collect()
}

#[cfg(test)]
mod tests {
    use ken_core::journal::{Provenance, counted};

    use super::*;

    #[test]
    fn a_long_entry_becomes_several_and_keeps_every_line_in_order() {
        let lines = |what: &str, n: usize| (0..n).map(|nth| format!("{what} {nth}")).collect::<Vec<String>>();
        let sections = vec![
            (SectionKind::Context, lines("why", 1)),
            (SectionKind::DecisionsMade, lines("so", 90)),
            (SectionKind::Events, lines("did", 70)),
        ];
        let entry = NewEntry { title: "Ovens".to_owned(), time: (9, 0), provenance: Provenance::default(), sections };
        let found = fit(vec![("2026-06-01".parse().expect("a day"), entry.clone())]);
        let titles: Vec<&str> = found.iter().map(|(_, entry)| entry.title.as_str()).collect();
        assert_eq!(titles, ["Ovens", "Ovens (continued)", "Ovens (continued)"]);
        for (kind, lines) in entry.sections {
            let of_kind = found.iter().flat_map(|(_, entry)| &entry.sections).filter(|(other, _)| *other == kind);
            assert_eq!(of_kind.flat_map(|(_, lines)| lines.clone()).collect::<Vec<_>>(), lines);
        }
    }

    #[test]
    fn what_was_said_before_a_change_is_so_in_each_entry_that_a_long_one_becomes() {
        let mut said: Vec<String> = (0..LINES_MAX + 5).map(|nth| format!("said {nth}")).collect();
        said.insert(LINES_MAX + 2, "Changed: `a.rs`".to_owned());
        let sections = vec![(SectionKind::KeyExchanges, said)];
        let entry = NewEntry { title: "Ovens".to_owned(), time: (9, 0), provenance: Provenance::default(), sections };
        let found = fit(vec![("2026-06-01".parse().expect("a day"), entry)]);
        let at: Vec<Option<usize>> =
            found.iter().map(|(_, entry)| entry.sections[0].1.iter().position(|line| is_change(line))).collect();
        assert_eq!(at, [Some(LINES_MAX), Some(2)]);
    }

    #[test]
    fn events_are_counted_back_as_they_were_counted() {
        let events: Vec<String> = ["Edit a", "Edit a", "Edit b", "Edit a"].map(str::to_owned).into();
        assert_eq!(merged(&events), ["Edit a (×3)", "Edit b"]);
        assert_eq!(
            (counted("Edit a (×2)"), counted("Edit b"), counted("f(×x)")),
            (("Edit a", 2), ("Edit b", 1), ("f(×x)", 1))
        );
    }
}
