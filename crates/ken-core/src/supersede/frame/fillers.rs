//! Values that are words: who does something, what something is called, what a clause ends with.

use super::super::cues::{Cue, Found};
use super::super::slot::{Filler, Way};
use super::super::word::says_newer;
use super::{Reader, sorted};
use crate::ground::Sort;

/// Most words of a label.
const HEAD_WORDS_MAX: usize = 5;

impl Reader<'_> {
    pub(super) fn fillers(&self) -> Vec<Filler> {
        let unit = self.unit;
        let mut out: Vec<Filler> = Vec::new();
        for found in &unit.cues {
            let way = match found.cue {
                Cue::Named => Way::Named,
                Cue::Is => Way::Is,
                Cue::At => Way::At,
                Cue::Means => Way::Means,
                Cue::Of => Way::Of,
                Cue::Toward | Cue::To => Way::Toward,
                Cue::As if unit.has(Cue::Views) => Way::As,
                _ => continue,
            };
            // A name may stand in quotes.
            if found.end >= self.n()
                || self.part(found.end) != self.part(found.start) && way != Way::Named
                || self.is_subordinate(self.clause(found.start))
            {
                continue;
            }
            let from = if way == Way::Named {
                (found.end..self.n())
                    .take(3)
                    .find(|at| self.texts.word(self.unit.tokens[*at]).is_content)
                    .unwrap_or(found.end)
            } else {
                found.end
            };
            let Some((mut stems, start, mut end)) = self.phrase(from) else { continue };
            if way == Way::Named {
                (stems, end) = self.title(start, end);
            }
            let clause = self.clause(start);
            // What a verb of change leads to may have been said in any way before.
            let switches =
                |switch: &Found| matches!(switch.cue, Cue::Switch | Cue::Change) && self.clause(switch.start) == clause;
            let is_any = matches!(way, Way::Toward | Way::Means | Way::At) && unit.cues.iter().any(switches);
            // `by two millimetres` is an amount.
            let is_amount =
                self.values.iter().any(|value| value.end == start && matches!(value.value.sort, Sort::Count(_)));
            if is_amount {
                continue;
            }
            if !self.is_last(end) && !is_any && way != Way::Named {
                continue;
            }
            if (self.is_last(end) || way == Way::Named)
                && !out.iter().any(|known| known.start == start && known.way == way)
            {
                out.push(self.filler(way, stems.clone(), (start, end), false));
            }
            if is_any && !out.iter().any(|known| known.start == start && known.way == Way::Any) {
                out.push(self.filler(Way::Any, stems, (start, end), false));
            }
        }
        out.extend(self.headed());
        out.extend(self.objects(&out));
        for name in &self.names {
            let stems = sorted((name.0..name.1).map(|at| self.texts.word(unit.tokens[at]).stem));
            out.push(self.filler(Way::Who, stems, *name, true));
        }
        out
    }

    /// What stands behind a label that says that it is new: `New oven password: sesame`.
    fn headed(&self) -> Option<Filler> {
        let colon = (1..self.n()).find(|at| self.stands_behind_colon(*at)).filter(|at| *at <= HEAD_WORDS_MAX)?;
        // `Neither side has moved: …` tells of something else.
        let is_news = |found: &Found| {
            let word = &self.texts.word(self.unit.tokens[found.start]).lower;
            let is_new = found.cue == Cue::Change || says_newer(self.unit.language, word);
            is_new && found.end == found.start + 1 && found.start < colon
        };
        let (stems, start, end) = self.phrase(colon)?;
        // `New in the team: Ada` says who else is.
        let joins = |found: &Found| matches!(found.cue, Cue::At | Cue::Also) && found.start < colon;
        let is_alone = !self.unit.cues.iter().any(joins)
            && start == colon
            && self.is_last(end)
            && !self.values.iter().any(|value| value.start >= colon);
        (is_alone && self.unit.cues.iter().any(is_news)).then(|| {
            let filler = self.filler(Way::Is, stems, (start, end), false);
            Filler { changes: true, ..filler }
        })
    }

    /// A title is as long as it is: its words, and where it ends.
    fn title(&self, start: usize, end: usize) -> (Vec<u32>, usize) {
        let part = self.part(start);
        let end = (start..self.n()).take_while(|at| self.part(*at) == part).last().map_or(end, |last| last + 1);
        let words = (start..end).map(|at| self.texts.word(self.unit.tokens[at]));
        (sorted(words.filter(|word| word.is_content).map(|word| word.stem)), end)
    }

    /// The last words of clauses that end with no other value: `the window shows lamps`.
    fn objects(&self, known: &[Filler]) -> Vec<Filler> {
        let is_content = |at: usize| self.told[at] && !self.is_value(at);
        let is_before_old = |at: usize| self.unit.all(Cue::Instead).any(|found| found.start == at);
        let is_end =
            |at: &usize| at + 1 == self.n() || self.clause(at + 1) != self.clause(*at) || is_before_old(at + 1);
        let is_known = |at: usize| {
            let stem = self.texts.word(self.unit.tokens[at]).stem;
            known.iter().any(|filler| filler.start <= at && filler.stems.contains(&stem))
        };
        let last = (1..self.n()).filter(is_end).filter(|at| is_content(*at) && !is_known(*at));
        last.map(|at| {
            let stem = self.texts.word(self.unit.tokens[at]).stem;
            self.filler(Way::Object, vec![stem], (at, at + 1), false)
        })
        .filter(|filler| !filler.own.is_empty())
        .collect()
    }

    /// Whether a clause ends with the word before one, a verb that stands last aside.
    fn is_last(&self, end: usize) -> bool {
        let clause = self.clause(end - 1);
        let rest = (end..self.n()).take_while(|at| self.clause(*at) == clause);
        rest.filter(|at| self.told[*at]).count()
            <= usize::from(!self.unit.language.lexicon().claims.capitalised.is_empty())
    }

    fn filler(&self, way: Way, stems: Vec<u32>, (start, end): (usize, usize), is_name: bool) -> Filler {
        let clause = self.clause(start);
        let mut own = self.own(clause, (start, end));
        let is_named = |stem: &u32| {
            self.names.iter().any(|name| (name.0..name.1).any(|at| self.texts.word(self.unit.tokens[at]).stem == *stem))
        };
        if way == Way::Who {
            // Of a person or product what it is of tells, not who else is named.
            let unnamed: Vec<u32> = own.iter().copied().filter(|stem| !is_named(stem)).collect();
            // `Ben maintains the SDK`
            own = if unnamed.is_empty() { own } else { unnamed };
        }
        own.retain(|stem| !stems.contains(stem));
        let denies = |found: &Found| found.cue == Cue::Not && self.clause(found.start) == clause && found.start < start;
        let is_denied = self.unit.cues.iter().any(denies) || self.has(Cue::Ends, clause);
        // `Ada is the new head of the workshop`
        let is_heir =
            is_name && self.has(Cue::Heir, clause) && self.has(Cue::Is, clause) && !self.is_subordinate(clause);
        Filler { way, stems, own, changes: is_heir || self.is_new_word(clause), is_denied, is_name, start }
    }
}
