//! What belongs behind a unit that is handed over: the reply to a question or an offer, the footnotes of a document.

use super::Material;
use crate::page::outline::{label_of_footnote, mark_of};
use crate::search::cut::BETWEEN;
use crate::talk::{Speaker, asks, awaits_reply};

impl Material<'_> {
    /// Returns the units of the reply to a unit of a talk, in order, as far as they are new and fit into so many characters: the
    /// agent's last words where a person asks, and the person's next ones where the agent asks or proposes something.
    pub(super) fn reply_to(&self, unit: usize, is_new: impl Fn(usize) -> bool, chars_max: usize) -> Vec<usize> {
        let Some(first) = self.replied_by(unit) else { return Vec::new() };
        let mut left = chars_max;
        let is_told = |n: &usize| {
            let chars = self.chars(*n);
            let is_told = self.turn(*n) == self.turn(first) && !self.units[*n].unit.is_event && is_new(*n);
            let fits = is_told && chars <= left;
            left = left.saturating_sub(chars);
            fits
        };
        (first..self.units.len()).take_while(is_told).collect()
    }

    /// Returns the units of the footnotes whose marks a unit of a document has, as far as they are new and fit into so many
    /// characters: a footnote may be the exception to what it belongs to.
    pub(super) fn footnotes_to(&self, unit: usize, is_new: impl Fn(usize) -> bool, chars_max: usize) -> Vec<usize> {
        let said = self.units[unit].unit.span.of(self.text);
        if self.is_compiled || !said.contains("[^") {
            return Vec::new();
        }
        let mut left = chars_max;
        let fits = |n: &usize| {
            let fits = self.chars(*n) <= left;
            left -= if fits { self.chars(*n) } else { 0 };
            fits
        };
        let label = |n: usize| label_of_footnote(self.text, self.units[n].unit.span.start);
        let is_marked = |n: &usize| label(*n).is_some_and(|label| said.contains(&mark_of(label)));
        (0..self.units.len()).filter(is_marked).filter(|n| is_new(*n)).filter(fits).collect()
    }

    /// The unit with which such a reply begins.
    fn replied_by(&self, unit: usize) -> Option<usize> {
        let (speaker, turn) = self.turn(unit)?;
        let is_of = |n: &usize| self.turn(*n).is_some_and(|(_, other)| other == turn);
        let is_said = |n: &usize| !self.units[*n].unit.is_event;
        let n_after = (unit..self.units.len()).take_while(is_of).count();
        let behind = unit + n_after..self.units.len();
        let speaks = |n: usize| self.turn(n).map(|(speaker, _)| speaker);
        match speaker {
            Speaker::User if asks(self.units[unit].unit.span.of(self.text).trim_end()) => {
                let answer = behind.take_while(|n| speaks(*n) == Some(Speaker::Agent)).filter(is_said);
                let last = answer.clone().last()?;
                let turn = self.turn(last);
                answer.into_iter().find(|n| self.turn(*n) == turn)
            }
            Speaker::Agent => {
                let reply = behind.clone().find(is_said).filter(|n| speaks(*n) == Some(Speaker::User))?;
                let n_before = (0..unit).rev().take_while(is_of).count();
                let last = (unit..unit + n_after).rev().find(is_said)?;
                let said = &self.text[self.units[unit - n_before].unit.span.start..self.units[last].unit.span.end];
                awaits_reply(said, self.units[unit].unit.span.of(self.text)).then_some(reply)
            }
            _ => None,
        }
    }

    /// Who speaks in a unit of a talk, with the heading of the turn.
    fn turn(&self, unit: usize) -> Option<(Speaker, &str)> {
        let path = self.units[unit].heading.rsplit(BETWEEN);
        path.into_iter().find_map(|heading| Some((Speaker::of_heading(heading)?, heading)))
    }
}
