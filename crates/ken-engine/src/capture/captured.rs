//! What of a session stands in the journal already, line by line.
//!
//! Where a transcript cannot be read from where it was left, it is read from its start, and each line that
//! stands in the journal is left out once for each time that it stands there. The same words may have been
//! taken in another form then: the first request of a part is its context, later ones are exchanges; the last
//! words of an answer lose their opener. Lines are therefore compared without what the form adds.

use std::collections::BTreeMap;

use ken_core::journal::{FAILED, NewEntry, SectionKind, counted, of_user, one_line, parse_sections};
use ken_core::span::Span;
use ken_intake::extract::{bare_sentence, request_parts};

/// Lines by what they say, and how often each stands in the journal.
#[derive(Debug, Clone, Default)]
pub(super) struct Captured {
    said: BTreeMap<String, usize>,
    /// Requests, sentence by sentence: how many of them a line holds depends on what else was asked.
    asked: BTreeMap<String, usize>,
    events: BTreeMap<String, usize>,
}

impl Captured {
    /// Adds the lines of an entry of the journal.
    pub(super) fn add(&mut self, text: &str, body: Span) {
        for section in parse_sections(text, body) {
            for item in section.items.iter().map(|item| item.of(text)) {
                match (section.kind, of_user(item)) {
                    (SectionKind::Context, _) => self.add_request(item),
                    (SectionKind::Events, _) => {
                        let (event, n_times) = counted(item);
                        let n = self.events.entry(without_result(event).to_owned()).or_default();
                        // Whoever writes into the journal may write any number.
                        *n = n.saturating_add(n_times);
                    }
                    (SectionKind::Names, _) => {
                        names_of(item).for_each(|name| *self.said.entry(name.to_owned()).or_default() += 1);
                    }
                    (_, Some((_, said))) => self.add_request(said),
                    (_, None) => *self.said.entry(bare_sentence(item)).or_default() += 1,
                }
            }
        }
    }

    /// Adds what others hold.
    pub(super) fn extend(&mut self, other: Captured) {
        for (mine, theirs) in
            [(&mut self.said, other.said), (&mut self.asked, other.asked), (&mut self.events, other.events)]
        {
            for (line, n) in theirs {
                let known = mine.entry(line).or_default();
                *known = known.saturating_add(n);
            }
        }
    }

    fn add_request(&mut self, request: &str) {
        for part in request_parts(request) {
            *self.asked.entry(bare_sentence(part)).or_default() += 1;
        }
    }

    /// Takes what stands in the journal out of an entry.
    pub(super) fn leave_out(&mut self, entry: &mut NewEntry) {
        for (kind, lines) in &mut entry.sections {
            let left = lines.drain(..).filter_map(|line| self.what_is_new(*kind, line)).collect();
            *lines = left;
        }
        entry.sections.retain(|(_, lines)| !lines.is_empty());
    }

    /// Returns what of a line is new, and counts the rest as seen.
    fn what_is_new(&mut self, kind: SectionKind, line: String) -> Option<String> {
        let shown = one_line(&line);
        match (kind, of_user(&shown)) {
            (SectionKind::Events, _) => (!take(&mut self.events, without_result(&shown))).then_some(line),
            (SectionKind::Context, _) => self.new_request(&shown),
            (SectionKind::Names, _) => {
                let new: Vec<&str> = names_of(&shown).filter(|name| !take(&mut self.said, name)).collect();
                (!new.is_empty()).then(|| new.join(NAME_END))
            }
            (_, Some((label, said))) => self.new_request(said).map(|said| format!("{label} {said}")),
            (_, None) => (!take(&mut self.said, &bare_sentence(&shown))).then_some(line),
        }
    }

    fn new_request(&mut self, request: &str) -> Option<String> {
        let parts = request_parts(request);
        let n_parts = parts.len();
        let new: Vec<&str> = parts.into_iter().filter(|part| !self.take_request(part)).collect();
        match new.len() {
            0 => None,
            n if n == n_parts => Some(request.to_owned()),
            _ => Some(new.join(" ")),
        }
    }

    fn take_request(&mut self, part: &str) -> bool {
        let bare = bare_sentence(part);
        if take(&mut self.asked, &bare) {
            return true;
        }
        // A long one is cut, earlier or later: then one is the beginning of the other.
        let stem = bare.strip_suffix('…');
        let after = self.asked.range(stem.unwrap_or(&bare).to_owned()..);
        let longer = stem
            .and_then(|stem| after.map(|(other, _)| other).take_while(|other| other.starts_with(stem)).next().cloned());
        let found = longer.or_else(|| {
            let shorter = |other: &&String| other.strip_suffix('…').is_some_and(|stem| bare.starts_with(stem));
            self.asked.keys().filter(|other| other.ends_with('…')).find(shorter).cloned()
        });
        found.is_some_and(|other| take(&mut self.asked, &other))
    }
}

/// An event without what came of it: earlier versions did not note that.
fn without_result(event: &str) -> &str {
    event.strip_suffix(FAILED).unwrap_or(event)
}

/// What stands between two names of a line.
const NAME_END: &str = ", ";

/// Returns the names of a line of them, each in the marks around it.
fn names_of(line: &str) -> impl Iterator<Item = &str> {
    line.split(NAME_END).filter(|name| !name.is_empty())
}

/// Counts one of a line down; returns whether there was one left.
fn take(lines: &mut BTreeMap<String, usize>, line: &str) -> bool {
    let Some(n) = lines.get_mut(line) else { return false };
    *n -= 1;
    if *n == 0 {
        lines.remove(line);
    }
    true
}

#[cfg(test)]
mod tests {
    use ken_core::journal::{Provenance, render_entry};

    use super::*;

    fn entry(sections: &[(SectionKind, &[&str])]) -> NewEntry {
        let owned = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<Vec<String>>();
        let sections = sections.iter().map(|(kind, lines)| (*kind, owned(lines))).collect();
        NewEntry { title: String::new(), time: (9, 0), provenance: Provenance::default(), sections }
    }

    #[track_caller]
    fn check(known: &[(SectionKind, &[&str])], found: &[(SectionKind, &[&str])], expected: &[&str]) {
        let mut captured = Captured::default();
        let text = render_entry(&entry(known));
        let body = text.find("\n\n**").map_or(0, |at| at + 2);
        captured.add(&text, Span::new(body, text.len()));
        let mut left = entry(found);
        captured.leave_out(&mut left);
        let lines: Vec<String> = left.sections.into_iter().flat_map(|(_, lines)| lines).collect();
        assert_eq!(lines, expected);
    }

    #[test]
    fn of_a_transcript_that_was_written_anew_only_what_is_new_is_kept() {
        use SectionKind::{ActionItems, Context, DecisionsMade, Events, KeyExchanges, Names};
        check(
            &[(DecisionsMade, &["Open at seven."])],
            &[(DecisionsMade, &["Open at seven.", "Close at six."])],
            &["Close at six."],
        );
        check(&[(Context, &["The hours."])], &[(KeyExchanges, &["User asked: The hours."])], &[]);
        check(
            &[(Context, &["The hours. Now."])],
            &[(KeyExchanges, &["User asked: Now. Then."])],
            &["User asked: Then."],
        );
        check(&[(KeyExchanges, &["User asked: The oven in the…"])], &[(Context, &["The oven in the hall."])], &[]);
        check(&[(KeyExchanges, &["User asked: The oven in the hall."])], &[(Context, &["The oven in…"])], &[]);
        check(&[(ActionItems, &["Call the mill"])], &[(ActionItems, &["Call the mill"])], &[]);
        // An earlier version did not say what failed.
        check(&[(Events, &["Bash make (×2)"])], &[(Events, &["Bash make (failed)", "Bash make"])], &[]);
        check(&[(Events, &["bake (×2)"])], &[(Events, &["bake", "bake", "bake"])], &["bake"]);
        check(&[(Names, &["`a.rs`, `--b`"])], &[(Names, &["`--b`, `c()`, `a.rs`"])], &["`c()`"]);
        check(&[(Names, &["`a.rs`, `--b`"])], &[(Names, &["`--b`, `a.rs`"])], &[]);
    }

    #[test]
    fn what_is_said_again_is_left_out_as_often_as_it_stands_there() {
        use SectionKind::DecisionsMade;
        check(
            &[(DecisionsMade, &["Open at seven."])],
            &[(DecisionsMade, &["Open at seven.", "Open at seven."])],
            &["Open at seven."],
        );
    }
}
