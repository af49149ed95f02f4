//! What stands above what is taken from a document: what it is called, and until when that held.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::Material;
use super::material::{Outdated, Placed, SHARED_LETTERS_MIN, each_letter, letters};
use crate::frame;
use crate::search::cut::BETWEEN;
use crate::talk::Speaker;

impl Material<'_> {
    /// Says in the heading until when its title held: an exchange is called by what was said first in it.
    pub(super) fn mark_title(&mut self) {
        let title = letters(&self.title);
        if !self.is_said || title.len() < SHARED_LETTERS_MIN {
            return;
        }
        let sentences = self.units.iter().flat_map(|one| one.unit.sentences.iter().map(|span| (one.lines, *span)));
        let mut titling = sentences.filter(|(_, span)| letters(span.of(self.text)).starts_with(&title));
        let of_title = titling.find_map(|(lines, span)| {
            let text = span.of(self.text);
            // Of a list the title may be another item than the one that ended.
            let is_title = |old: &Outdated| old.said.as_deref().is_some_and(|said| title.contains(&letters(said)));
            let covers = |old: &&Outdated| {
                let is_of_title = old.part_of(text).is_none() || is_title(old);
                old.covers(lines, text) && !old.since.is_empty() && is_of_title
            };
            self.superseded.iter().find(covers)
        });
        // What holds now stands behind the sentence itself.
        let until = of_title.and_then(|old| old.since.split(';').next()).filter(|until| !until.is_empty());
        if let (Some(until), Some(rest)) = (until, self.heading.strip_prefix(&format!("## {}", self.title))) {
            self.heading = format!("## {} ({until}){rest}", self.title);
        }
    }

    /// The headings of a document above the unit that begins on a line, its title aside: a row, an item or a release note
    /// says little without them. Empty for what was said, and for pages made of that, whose sections are alike.
    pub(super) fn section_on(&self, line: usize) -> String {
        let placed = self.units.iter().find(|placed| placed.lines.0 == line);
        placed.map(|placed| self.section_of(placed)).unwrap_or_default()
    }

    pub(super) fn section_of(&self, placed: &Placed) -> String {
        let is_told = !self.is_said && (self.is_document || !self.is_compiled) && placed.unit.speaker.is_empty();
        let all = placed.heading.split(BETWEEN).filter(|heading| is_told && Speaker::of_heading(heading).is_none());
        let all: Vec<String> =
            all.map(|heading| frame::section(heading, &self.title)).filter(|heading| !heading.is_empty()).collect();
        all[all.len().saturating_sub(LEVELS_MAX)..].join(BETWEEN)
    }

    /// What stands above some of its units: of what was said without its title, where that begins what is shown.
    pub(super) fn heading_of(&self, units: &BTreeSet<usize>) -> Cow<'_, str> {
        let title = letters(self.title.trim_end_matches('…'));
        let says = |unit: &usize| {
            let spans = &self.units[*unit].unit.sentences;
            spans.iter().any(|span| begins_with(&self.text[span.start..], &title))
        };
        let is_told = self.is_said && !title.is_empty() && units.iter().any(says);
        let place = self.heading.rfind(&format!("({}", self.path)).filter(|_| is_told);
        let Some(at) = place else { return Cow::Borrowed(&self.heading) };
        let inside = self.heading[at + 1..].trim_end().trim_end_matches(')');
        Cow::Owned(match inside.split_once(", ") {
            Some((place, rest)) => format!("## {place} ({rest})\n\n"),
            None => format!("## {inside}\n\n"),
        })
    }
}

/// Headings that are shown above a unit, the nearest.
const LEVELS_MAX: usize = 2;

/// Whether a text begins with some letters, whatever stands between them.
fn begins_with(text: &str, letters: &str) -> bool {
    let mut said = each_letter(text);
    letters.chars().all(|letter| said.next() == Some(letter))
}
