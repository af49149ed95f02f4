//! Values that are told by words: numbers and hours in words, how often something happens, what is on or off.

use super::super::cues::{Cue, Found};
use super::super::slot::STATE;
use super::super::word::{Word, lists};
use super::Reader;
use crate::ground::{self, Sort};
use crate::span::Span;

impl Reader<'_> {
    /// Numbers in words other than one that are no values yet, by the word behind each.
    pub(super) fn counted(&self, known: &[ground::Value]) -> Vec<ground::Value> {
        let claims = &self.unit.language.lexicon().claims;
        let is_known =
            |span: Span| known.iter().any(|value| value.span.start < span.end && span.start < value.span.end);
        let tokens = &self.unit.tokens;
        let one = self.unit.language.lexicon().changes.one;
        let value = |at: usize| {
            let word = self.texts.word(tokens[at]);
            let is_it = |words: &str| words.split(' ').any(|other| other == word.folded);
            let all =
                || claims.sure_numbers.iter().chain(claims.unsure_numbers.iter().filter(|(number, _)| *number < 25));
            let is_one = !one.is_empty() && word.folded == one;
            let is_number = word.is_number || is_one;
            let number =
                is_number.then(|| all().find(|(_, words)| is_it(words))).flatten().map(|(number, _)| *number)?;
            let next =
                tokens.get(at + 1).filter(|next| next.part == tokens[at].part).map(|next| self.texts.word(*next));
            // `a` is no number, nor is `one` alone.
            if number <= 1 && !(is_one && next.is_some_and(|next| next.is_content || next.is_unit)) {
                return None;
            }
            let unit = next
                .filter(|next| next.is_content || next.is_unit)
                .map_or(String::new(), |next| ground::unit(&next.folded));
            Some(ground::Value { span: tokens[at].span, sort: Sort::Count(unit), readings: vec![number.to_string()] })
        };
        (0..self.n()).filter(|at| !is_known(tokens[*at].span)).filter_map(value).collect()
    }

    /// Hours of the day with their minutes: `à 9 h 30`.
    pub(super) fn hours_and_minutes(&self) -> Vec<ground::Value> {
        let unit = self.unit;
        let word = |at: usize| self.texts.word(unit.tokens[at]).folded.as_str();
        let number = |at: usize| word(at).parse::<u32>().ok();
        let is_placed = |at: usize| {
            unit.cues.iter().any(|found| {
                matches!(found.cue, Cue::Clock | Cue::From | Cue::To | Cue::Since | Cue::Until | Cue::Instead)
                    && found.end == at
            })
        };
        let value = |at: usize| {
            let hour = number(at).filter(|hour| *hour < 24 && word(at + 1) == "h" && is_placed(at))?;
            let minutes = (at + 2 < self.n()).then(|| number(at + 2)).flatten().filter(|minutes| *minutes < 60);
            let last = at + 1 + usize::from(minutes.is_some());
            let span = Span::new(unit.tokens[at].span.start, unit.tokens[last].span.end);
            let readings = vec![format!("t{}", hour * 60 + minutes.unwrap_or(0))];
            Some(ground::Value { span, sort: Sort::Time, readings })
        };
        (0..self.n().saturating_sub(1)).filter_map(value).collect()
    }

    /// How often something happens, and that it costs nothing.
    pub(super) fn often(&self) -> Vec<ground::Value> {
        let (unit, lists) = (self.unit, lists(self.unit.language));
        let word = |at: usize| unit.tokens.get(at).map(|token| self.texts.word(*token));
        let lasts = |at: usize| word(at).and_then(|word| lists.lengths.first(&word.folded, &word.lower));
        let length = |start: usize, end: usize, seconds: u32| {
            let span = Span::new(unit.tokens[start].span.start, unit.tokens[end - 1].span.end);
            ground::Value { span, sort: Sort::Length, readings: vec![format!("{:.3}", f64::from(seconds))] }
        };
        let each = unit.all(Cue::Each).filter_map(|found| Some(length(found.start, found.end + 1, lasts(found.end)?)));
        let repeats = (0..self.n()).filter_map(|at| {
            let (number, behind) = self.repeats(at)?;
            let seconds = lasts(behind).filter(|seconds| *seconds >= number)?;
            Some(length(at, behind + 1, seconds / number))
        });
        let adverbs = (0..self.n()).filter_map(|at| Some(length(at, at + 1, word(at)?.often?)));
        let free = unit.all(Cue::Free).map(|found| {
            let span = Span::new(unit.tokens[found.start].span.start, unit.tokens[found.end - 1].span.end);
            ground::Value { span, sort: Sort::Money, readings: vec!["0".to_owned()] }
        });
        each.chain(repeats).chain(adverbs).chain(free).collect()
    }

    /// What says whether something works or applies: `is off`, `is disabled`; `is on the roof` says where it is.
    pub(super) fn states(&self) -> Vec<ground::Value> {
        let unit = self.unit;
        let states = unit.language.lexicon().changes.states;
        let says = |found: &Found| {
            let word = |at: usize| unit.tokens.get(at).map(|token| self.texts.word(*token));
            let aside = |at: &usize| {
                let is_of = |cue: &&Found| cue.start <= *at && *at < cue.end;
                let mut cues = unit.cues.iter().filter(is_of);
                cues.any(|cue| matches!(cue.cue, Cue::Change | Cue::Again | Cue::Keeps))
            };
            let at = (found.end..self.n()).find(|at| !aside(at))?;
            let is_it = |words: &str| words.split(' ').any(|known| word(at).is_some_and(|word| word.folded == known));
            let state = states.iter().position(|words| is_it(words))?;
            let ends = at + 1 >= self.n() || self.part(at + 1) != self.part(at);
            // `off everywhere`; what is `on Slack` is somewhere.
            let is_small = |word: &Word| {
                !(word.is_content && state > 0 || word.is_determiner || word.is_number || word.is_calendar)
            };
            let sort = Sort::Count(STATE.to_owned());
            (ends || word(at + 1).is_some_and(is_small)).then(|| ground::Value {
                span: unit.tokens[at].span,
                sort,
                readings: vec![state.to_string()],
            })
        };
        unit.all(Cue::Is).filter(|found| found.end < self.n()).filter_map(says).collect()
    }

    /// How many times something happens in what stands behind: `three times a week`, `zweimal pro Woche`.
    fn repeats(&self, at: usize) -> Option<(u32, usize)> {
        let (unit, lists) = (self.unit, lists(self.unit.language));
        let word = self.texts.word(unit.tokens[at]);
        let (number, next) = word.repeats.map(|number| (number, at + 1)).or_else(|| {
            let times = unit.all(Cue::Times).find(|times| times.start == at + 1)?;
            let told = || u32::try_from(lists.told.get(&word.folded)?).ok();
            Some((word.folded.parse().ok().or_else(told)?, times.end))
        })?;
        let small = self.texts.word(*unit.tokens.get(next)?);
        let is_small = small.is_determiner || !small.is_content && unit.cues.iter().any(|found| found.start == next);
        (is_small && number > 0 && next + 1 < self.n()).then_some((number, next + 1))
    }
}
