//! What is told of sentences because of what pages or other sentences say, and not of a change that the sentence itself is
//! part of: that it repeats what a page says is over, and that what it names is called otherwise now.

use std::collections::BTreeSet;

use super::{Sentence, shown_with};
use crate::context::material::{Material, Outdated};
use crate::held::Standing;
use crate::page::outline::{Remark, is_struck};
use crate::supersede::{Renamed, Saying, is_over_alone, parted, renames};
use crate::time::Date;
use crate::words::words;

/// Notes what else of an exchange says what a page says no longer holds of it: the page cites one line of several that say
/// the same.
pub(super) fn note_echoes<'s>(found: &mut [Material<'_>], all: &[Sentence], saying: impl Fn(usize) -> &'s Saying) {
    let mut noted: Vec<(usize, Outdated)> = Vec::new();
    for (doc, one) in found.iter().enumerate().filter(|(_, one)| one.is_said && !one.superseded.is_empty()) {
        let here = || all.iter().enumerate().filter(|(_, sentence)| sentence.at.0 == doc);
        let over = |sentence: &Sentence| {
            let lines = one.units[sentence.at.1].lines;
            one.superseded.iter().find(|old| old.covers(lines, &sentence.text))
        };
        let seen = here().filter_map(|(_, sentence)| Some((over(sentence)?, sentence.text.as_str(), sentence.day)));
        // Of talk the line that is over need not have been found.
        let is_unseen = |old: &&Outdated| {
            let covers = |(_, sentence): (usize, &Sentence)| old.covers(one.units[sentence.at.1].lines, &sentence.text);
            old.lines.1 == usize::MAX && !here().any(covers)
        };
        let unseen = one.superseded.iter().filter(is_unseen);
        let unseen = unseen.filter_map(|old| Some((old, old.said.as_deref()?, one.date)));
        let replaced = seen.chain(unseen).filter(|(old, ..)| old.standing == Standing::Replaced);
        let sayings = |(old, said, day): (_, &str, Option<Date>)| {
            let next = next_of(old).filter(|next| !is_over_alone(said, next))?;
            Some((old, Saying::of_replaced(said, next, day), Saying::of(next, None), day))
        };
        let replaced: Vec<_> = replaced.filter_map(sayings).collect();
        for (n, other) in here().filter(|(_, one)| !replaced.is_empty() && over(one).is_none()) {
            let echoes = |(_, before, after, day): &&(&Outdated, Saying, Saying, Option<Date>)| {
                other.day == *day && saying(n).echoes(before, after)
            };
            let Some((old, ..)) = replaced.iter().find(echoes) else { continue };
            let mut echo = said_of(other, found, old.since.clone(), Standing::Replaced);
            let part = next_of(old).and_then(|next| parted(&other.text, next));
            echo.said = part.map(|parts| parts.meant.to_owned()).or(echo.said);
            noted.push((doc, echo));
        }
    }
    noted.into_iter().for_each(|(doc, old)| found[doc].superseded.push(old));
}

/// What took the place of something, as far as a page says it.
pub(super) fn next_of(old: &Outdated) -> Option<&str> {
    Remark::read(&old.since).next.map(|(_, next)| next)
}

/// Notes of sentences that use a former name what it is called now, once in a paragraph.
pub(super) fn note_names(found: &mut [Material<'_>], all: &[Sentence]) {
    let mut told: BTreeSet<(usize, (usize, usize), String)> = BTreeSet::new();
    let mut noted: Vec<(usize, Outdated)> = Vec::new();
    for (by, new) in all.iter().enumerate().filter(|(_, new)| has_names(&new.text)) {
        for Renamed { old, new: name, .. } in renames(&new.text).into_iter().filter(|one| one.is_written_so) {
            let uses =
                |one: &&Sentence| one.day < new.day && one.is_said && says(&one.text, &old) && !says(&one.text, &name);
            for one in all[..by].iter().filter(uses) {
                let (doc, lines) = (one.at.0, found[one.at.0].units[one.at.1].lines);
                let covers = |known: &Outdated| known.covers(lines, &one.text);
                let is_told = is_struck(&one.text) || found[doc].superseded.iter().any(covers);
                if !is_told && told.insert((doc, lines, old.clone())) {
                    let since = format!("earlier; {}{old} is now called {name}", shown_with(new.day));
                    noted.push((doc, said_of(one, found, since, Standing::Earlier)));
                }
            }
        }
    }
    noted.into_iter().for_each(|(doc, old)| found[doc].superseded.push(old));
}

fn said_of(one: &Sentence, found: &[Material<'_>], since: String, standing: Standing) -> Outdated {
    let lines = found[one.at.0].units[one.at.1].lines;
    Outdated { lines, said: Some(one.text.clone()), since, standing }
}

/// Whether two words of a sentence may be names, as both must be where one takes the place of the other.
fn has_names(text: &str) -> bool {
    let marks = ['`', '_', '-', '/', '.', ':'];
    let is_name = |word: &&str| word.chars().any(char::is_uppercase) || word.trim_end_matches(marks).contains(marks);
    text.split_whitespace().filter(is_name).nth(1).is_some()
}

/// Whether a text has a name as words of its own.
fn says(text: &str, name: &str) -> bool {
    let is_word = |ch: char| ch.is_alphanumeric() || ch == '_';
    text.match_indices(name).any(|(at, _)| {
        !text[..at].ends_with(is_word) && !text[at + name.len()..].starts_with(is_word) && !words(name).is_empty()
    })
}
