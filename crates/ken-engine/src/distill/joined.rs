//! What the recorded replies to all parts of an entry come to: the entry that a model wrote, if there is one.
//!
//! An entry that leaves out more than a third of what was extracted, and says little by itself, does not take its place: it
//! stands beside it, since nothing tells what is worth nothing from what was not read.

use std::collections::BTreeSet;

use ken_core::journal::{NewEntry, Provenance, SectionKind, USER_AGREED, without_speaker};
use ken_core::text::cut;

use super::extracted::Extracted;
use super::{mark_of, portion_of};
use crate::compile::slice::stems;
use crate::engine::Engine;
use crate::propose::check::{Report, Shown};
use crate::propose::kinds::compile::Reading;
use crate::propose::kinds::{Kind, distill};
use crate::propose::record::{Manner, Replies};
use crate::propose::task::{Input, Task};

/// What an entry says when nothing is worth keeping.
const NOTHING: &str = "Nothing in this part of the session is worth keeping.";
/// Most characters of a model's name that an entry carries: a command may be long.
const MODEL_CHARS_MAX: usize = 80;

/// The share of an extracted line's words that cited lines have that it was taken from.
const CITED_PERCENT: usize = 80;
/// Words that a statement shares with a line whose place it takes, or one of so many of that line's words.
const SHARED_MIN: usize = 2;
const SHARED_OF: usize = 3;
/// Statements from which on a session was read with care, whatever was extracted of it: two for three turns of the person, and
/// no more than so many of a portion. Five sessions of coding agents, read with care, came to 8 to 13 statements, and 35 short
/// talks to 6 on average; three of the five and eight of the 35 told less than two thirds of the extracted lines, which are
/// steps on the way for a good part, and told on pages what the same session had mended.
const CARE_MIN: usize = 3;
const CARE_OF_PORTION: usize = 6;

/// What the recorded replies to all portions of an entry come to.
pub(super) enum Joined {
    /// So many portions have none.
    Missing(usize),
    /// Nothing holds, and something did not.
    Refused,
    /// The entry.
    Entry(Box<Written>),
}

/// An entry to be appended.
pub(super) struct Written {
    pub(super) new: NewEntry,
    pub(super) n_statements: usize,
    /// What its statements claim of which subjects, and what was shown to whoever said so.
    pub(super) reading: Reading,
    pub(super) shown: Shown,
    /// How the last of its parts was asked.
    pub(super) manner: Manner,
}

impl Engine {
    /// Joins what holds of the recorded replies to one entry.
    pub(super) fn joined(&self, entry: &Extracted, tasks: &[Task], replies: &Replies) -> Joined {
        let (mut report, mut models, mut n_missing) = (Report::default(), BTreeSet::new(), 0);
        let (mut title, mut reading, mut shown) = (String::new(), Reading::default(), Shown::default());
        let (mut last, mut cited) = (None, Vec::new());
        let mut said: Vec<(SectionKind, Vec<String>)> = SectionKind::ALL.map(|kind| (kind, Vec::new())).into();
        for task in tasks {
            let Input::Session(portion, _) = &task.input else { continue };
            let record = self.standing(replies, Kind::Distill, &task.digest);
            let reply = record.as_ref().and_then(|record| ken_model::json_of(&record.reply));
            let (Some(record), Some(reply)) = (record, reply) else {
                n_missing += 1;
                continue;
            };
            let verdicts = self.verdicts(replies, portion);
            let distilled = distill::check(&reply, portion, (&record.shown, &verdicts), &mut report);
            models.insert(record.manner.model.clone());
            shown.pages.extend(record.shown.pages);
            shown.claims.extend(record.shown.claims);
            shown.disputed.extend(record.shown.disputed);
            shown.about.extend(record.shown.about);
            last = Some(record.manner);
            cited.extend(distilled.cited);
            if title.is_empty() {
                title = distilled.title;
            }
            for (kind, text) in distilled.said {
                add(&mut said, kind, text);
            }
            let is_new = |text: &str| !reading.claims.iter().any(|claim| claim.text.eq_ignore_ascii_case(text));
            let claims: Vec<_> = distilled.reading.claims.into_iter().filter(|claim| is_new(&claim.text)).collect();
            reading.claims.extend(claims);
            reading.cards.extend(distilled.reading.cards);
        }
        let n_said = said.iter().map(|(_, texts)| texts.len()).sum();
        let manner = match (n_missing, last) {
            (0, Some(manner)) => manner,
            _ => return Joined::Missing(n_missing),
        };
        match n_said {
            0 if !report.rejected.is_empty() => return Joined::Refused,
            0 => add(&mut said, SectionKind::Context, NOTHING.to_owned()),
            _ => {}
        }
        said.retain(|(_, texts)| !texts.is_empty());
        // Records come with a clone; the mark stands whatever they say.
        let models: BTreeSet<String> = models.iter().map(|model| mark_of(model)).collect();
        let provenance = Provenance {
            distilled: Some(cut(&models.into_iter().collect::<Vec<_>>().join(","), MODEL_CHARS_MAX)),
            keeps_nothing: n_said == 0,
            keeps_little: n_said > 0 && n_said < with_care(tasks) && is_sparse(&cited, &entry.said),
            ..entry.provenance.clone()
        };
        let title = if title.is_empty() { entry.title.clone() } else { title };
        let new = NewEntry { title, time: entry.time, provenance, sections: said };
        Joined::Entry(Box::new(Written { new, n_statements: n_said, reading, shown, manner }))
    }
}

/// How many statements there are where somebody read with care.
fn with_care(tasks: &[Task]) -> usize {
    let lines = tasks.iter().filter_map(portion_of).flat_map(|portion| portion.lines);
    let n_asked = lines.filter(|line| line.text.starts_with("User:")).count();
    (2 * n_asked).div_ceil(3).clamp(CARE_MIN, CARE_OF_PORTION * tasks.len().max(1))
}

/// Adds a statement to its section, once; of an entry's contexts the first counts.
fn add(said: &mut [(SectionKind, Vec<String>)], kind: SectionKind, text: String) {
    let is_known = said.iter().flat_map(|(_, texts)| texts).any(|known| known.eq_ignore_ascii_case(&text));
    let section = said.iter_mut().find(|(known, _)| *known == kind);
    let section = section.filter(|(_, texts)| kind != SectionKind::Context || texts.is_empty());
    if let Some((_, texts)) = section.filter(|_| !is_known) {
        texts.push(text);
    }
}

/// Whether statements, each with the lines that it cites, take the place of less than two thirds of what was extracted. Who
/// cites a line without saying a word of it did not read it.
fn is_sparse(cited: &[(String, String)], extracted: &[String]) -> bool {
    let cited: Vec<_> = cited.iter().map(|(said, lines)| (stems(said), stems(lines))).collect();
    let is_read = |line: &&String| {
        let line = without_speaker(line).trim_start_matches(USER_AGREED);
        let own = stems(line);
        cited.iter().any(|(said, lines)| {
            let n_shared = own.intersection(said).count();
            100 * own.intersection(lines).count() >= CITED_PERCENT * own.len()
                && (n_shared >= SHARED_MIN || SHARED_OF * n_shared >= own.len())
        })
    };
    3 * extracted.iter().filter(is_read).count() < 2 * extracted.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_joined_once_and_the_first_context_counts() {
        let mut said: Vec<(SectionKind, Vec<String>)> = SectionKind::ALL.map(|kind| (kind, Vec::new())).into();
        for text in ["One.", "Two.", "ONE."] {
            add(&mut said, SectionKind::Context, text.to_owned());
            add(&mut said, SectionKind::LessonsLearned, text.to_owned());
        }
        let lens: Vec<usize> = said.iter().map(|(_, texts)| texts.len()).collect();
        assert_eq!(lens, [1, 0, 0, 1, 0, 0, 0]);
    }

    #[test]
    fn who_leaves_out_much_of_what_was_extracted_does_not_take_its_place() {
        let extracted = [
            "User asked: The gateway listens on port 7443, TLS only.".to_owned(),
            "Readings are stored in SQLite, one file per garden.".to_owned(),
            "Backups of the orders are kept for 14 days.".to_owned(),
        ];
        let of = |said: &str, lines: &str| (said.to_owned(), lines.to_owned());
        let port = of("The gateway listens on port 7443.", "User: The gateway listens on port 7443, TLS only.");
        let all = "User: SQLite it is. Agent: Readings are stored in SQLite, one file per garden. Backups of the orders are \
                   kept for 14 days.";
        let stored = of("SQLite has the readings of each garden in one file.", all);
        assert!(is_sparse(std::slice::from_ref(&port), &extracted));
        assert!(!is_sparse(&[port.clone(), stored], &extracted));
        assert!(is_sparse(&[port, of("Dov talked about the gateway.", all)], &extracted), "cited and not said");
        assert!(!is_sparse(&[], &[]));
    }
}
