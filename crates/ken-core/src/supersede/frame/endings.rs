//! What a sentence says has ended, and what that was about.

use super::super::cues::{Cue, Found};
use super::super::slot::Ended;
use super::super::unit::is_covered;
use super::{Reader, sorted};

impl Reader<'_> {
    /// What is said to have ended: the clause that says so, or all of the sentence if that is about nothing.
    pub(super) fn ends(&self) -> Vec<Ended> {
        let ended = |found: &Found| {
            let clause = self.clause(found.start);
            let last = self.clause(found.end - 1);
            // `She no longer wants the report` ends what she preferred, too.
            let is_view = |at: usize| {
                self.unit.cues.iter().any(|cue| cue.cue == Cue::Views && (cue.start..cue.end).contains(&at))
            };
            let own = self.stems(|at| (clause..=last).contains(&self.clause(at)) && !is_view(at));
            let whole = self.stems(|_| true);
            let is_cancelled = found.cue == Cue::Cancels;
            let around = whole.iter().copied().filter(|stem| !own.contains(stem)).collect();
            // `One is dead` says of nothing what it was; `I take it back` of all that stands there.
            let is_back = found.end - found.start > 2;
            let stems = if own.is_empty() && is_back { whole } else { own };
            let verb = self.verb_behind(found);
            // `Ada is off` ends nothing that she is.
            let is_name = found.cue == Cue::Ends && verb.is_none() && self.is_bare_name(&stems);
            Ended { stems, subject: self.subject(found), verb, is_name, around, is_cancelled }
        };
        let says = |found: &&Found| {
            matches!(found.cue, Cue::Ends | Cue::Cancels)
                && !self.is_subordinate(self.clause(found.start))
                && !self.is_forbidden(found)
        };
        self.unit.cues.iter().filter(says).map(ended).filter(|ended| !ended.stems.is_empty()).collect()
    }

    /// The verb that a phrase denies: of `no longer complain`.
    fn verb_behind(&self, found: &Found) -> Option<u32> {
        let denies = self.unit.all(Cue::Not).any(|not| found.start <= not.start && not.end <= found.end);
        let behind = self.unit.tokens.get(found.end).filter(|_| self.part(found.end) == self.part(found.start))?;
        let word = self.texts.word(*behind);
        (denies && word.is_content && !is_covered(&self.unit.cues, found.end)).then_some(word.stem)
    }

    /// Whether some words are one phrase that stands without a determiner.
    fn is_bare_name(&self, stems: &[u32]) -> bool {
        let word = |at: usize| self.texts.word(self.unit.tokens[at]);
        let places: Vec<usize> = (0..self.n()).filter(|at| stems.contains(&word(*at).stem)).collect();
        let is_one = places.windows(2).all(|pair| pair[0] + 1 == pair[1]) && places.len() == stems.len();
        let is_told = !stems.iter().all(|stem| self.texts.is_weak[*stem as usize]);
        let first = places.first().copied();
        is_one && is_told && first.is_some_and(|first| first == 0 || !word(first - 1).is_determiner)
    }

    /// Whether a phrase is what must be, or is not, said, read or thought: `nobody may hear that the shop is gone`.
    fn is_forbidden(&self, found: &Found) -> bool {
        let unit = self.unit;
        let leads = |because: &Found| {
            because.end <= found.start
                && unit.cues.iter().any(|cue| matches!(cue.cue, Cue::Not | Cue::Must) && cue.end <= because.start)
        };
        unit.all(Cue::Because).any(leads)
    }

    /// What a clause begins with, if that stands before a phrase: its noun, and the names there.
    fn subject(&self, before: &Found) -> Vec<u32> {
        let clause = self.clause(before.start);
        let is_told = |at: &usize| {
            self.texts.word(self.unit.tokens[*at]).is_content
                && !is_covered(&self.unit.cues, *at)
                && !self.is_value(*at)
        };
        let Some(first) = (0..before.start).find(|at| self.clause(*at) == clause && is_told(at)) else {
            return Vec::new();
        };
        // `The session's change`
        let is_of = |at: &usize| self.texts.word(self.unit.tokens[*at]).lower == "s";
        let run = (first..before.start).take_while(|at| is_told(at) || is_of(at)).filter(|at| !is_of(at));
        let run: Vec<usize> = run.collect();
        let is_before = self.unit.language.lexicon().changes.has_adjectives_before;
        let noun = if is_before { run.last() } else { run.first() };
        let named = run.iter().filter(|at| self.is_named(**at));
        sorted(named.chain(noun).map(|at| self.texts.word(self.unit.tokens[*at]).stem))
    }
}
