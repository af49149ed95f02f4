//! Whether a number or a day is what something is, has or moves to, and not one that only stands there.

use super::super::cues::{Cue, Found};
use super::super::word::lists;
use super::Reader;

/// Numbers of four digits that are years.
const YEARS: std::ops::Range<u32> = 1900..2100;

impl Reader<'_> {
    /// Whether what something is, has or moves to stands there.
    pub(super) fn is_said_amount(&self, start: usize) -> bool {
        let behind = self.behind_news(start);
        let is_before = |found: &Found| {
            matches!(found.cue, Cue::Is | Cue::To | Cue::Owns)
                && (found.end == start || found.end == behind)
                && self.clause(found.start) == self.clause(start)
                // `Order 4471 is packed`
                && (found.cue != Cue::Owns || found.start > 0)
        };
        // `listens on 8085`, `opens with 9026`, `the code 4471`, `the code's 4471`
        let is_number = || {
            let said = self.unit.tokens[start].span.of(self.unit.text);
            let number = said.parse::<u32>().ok().filter(|_| said.len() >= 4 && said.len() <= 6);
            number.is_some_and(|number| !YEARS.contains(&number))
        };
        let is_told = || {
            let before = self.texts.word(self.unit.tokens[start - 1]);
            let bare = before.lower.trim_end_matches(['s', '\'', '’']);
            let is_code = lists(self.unit.language).codes.contains(bare) && self.part(start) == self.part(start - 1);
            is_code
                || self
                    .unit
                    .cues
                    .iter()
                    .any(|found| matches!(found.cue, Cue::At | Cue::With | Cue::Means) && found.end == start)
        };
        // `Entry costs 6 now`
        let is_measured = || behind > 0 && self.texts.word(self.unit.tokens[behind - 1]).is_measure;
        start > 0 && (self.unit.cues.iter().any(is_before) || is_measured() || is_number() && is_told())
    }

    /// Whether a value stands alone behind what says of what it is: `New code for the door: 9026`.
    pub(super) fn is_headed(&self, start: usize) -> bool {
        let (tokens, behind) = (&self.unit.tokens, self.behind_news(start));
        let between = |before: usize| &self.unit.text[tokens[before].span.end..tokens[behind].span.start];
        behind > 1 && between(behind - 1).starts_with(':') && self.part(start) == 1
    }

    /// Whether what stands there is where or when something is, and tells nothing of a word behind it.
    pub(super) fn is_placed(&self, start: usize, end: usize) -> bool {
        let behind = self.behind_news(start);
        let is_before = |found: &Found| matches!(found.cue, Cue::At | Cue::To) && [start, behind].contains(&found.end);
        let goes_on = end < self.n() && self.part(end) == self.part(start) && self.told[end];
        !goes_on && self.unit.cues.iter().any(is_before)
    }

    /// Whether what something is at most or at least stands there: `8 at most`, `at most 8`.
    pub(super) fn is_bounded(&self, start: usize, end: usize) -> bool {
        let is_beside = |found: &Found| found.end == start || found.start == end;
        self.unit.all(Cue::Bounds).any(|found| is_beside(found) && self.part(found.start) == self.part(start))
    }

    /// Where the words of change begin that stand right before a place: `The limit is now 50`.
    pub(super) fn behind_news(&self, start: usize) -> usize {
        let news = |at: usize| self.unit.all(Cue::Change).find(|found| found.end == at).map(|found| found.start);
        std::iter::successors(Some(start), |at| news(*at)).last().unwrap_or(start)
    }
}
