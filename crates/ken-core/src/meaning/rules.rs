//! The rules: what of a claim's lines shows that it says something else.
//!
//! Each compares the claim with the clauses that it cites, most of all with the one that shares most of its words.

use std::collections::BTreeSet;

use super::judged::{Judged, shared};
use super::read::{Clause, Cue};
use super::{Action, Doubt, Kind, Rule, Speaker, Text, bind};
use crate::language::Phrases;

/// Returns what a claim is doubted for.
pub(super) fn doubts(text: &Text, claim: &str, kind: Kind, ranges: &[(usize, usize)]) -> Vec<Doubt> {
    let Some(judged) = Judged::of(text, claim, kind, ranges) else { return Vec::new() };
    let found = [
        (Rule::Direction, bind::turned(&judged)),
        (Rule::Quantity, judged.quantity()),
        (Rule::Question, judged.question()),
        (Rule::Rumour, judged.rumour()),
        (Rule::Condition, judged.condition()),
        (Rule::Guess, judged.guess()),
        (Rule::Wish, judged.wish()),
        (Rule::NotDone, judged.not_done()),
        (Rule::Irony, judged.irony()),
        (Rule::Act, judged.act()),
        (Rule::Speaker, judged.speaker()),
        (Rule::TakenBack, judged.taken_back()),
        (Rule::Opposite, judged.opposite()),
        (Rule::Negation, judged.negation()),
        (Rule::Number, bind::elsewhere(&judged)),
        (Rule::Reason, judged.reason()),
    ];
    found.into_iter().filter_map(|(rule, action)| Some(Doubt { rule, action: action? })).collect()
}

/// What a clause denies first.
fn negated(clause: &Clause) -> Option<&str> {
    let at = clause.cues.iter().filter(|found| found.cue == Cue::Not).map(|found| found.end).min()?;
    clause.stems.iter().skip(at).find(|stem| !stem.is_empty()).map(String::as_str)
}

impl Judged<'_> {
    /// Whether what the lines leave open is denied further on, and so by the claim.
    fn is_denied_later(&self) -> bool {
        let later = self.cited.iter().filter(|clause| clause.sentence > self.best.sentence);
        self.claim.has(Cue::Not) && later.into_iter().any(|clause| clause.has(Cue::Not))
    }

    fn question(&self) -> Option<Action> {
        let is_open = !self.is_todo() && !self.says_unsure() && self.best.is_question;
        let is_answered = self.cited.iter().any(|clause| !clause.is_question && clause.sentence > self.best.sentence);
        (is_open && !is_answered).then_some(Action::Lower)
    }

    fn rumour(&self) -> Option<Action> {
        let is_told = self.cited.iter().any(|clause| clause.line == self.best.line && clause.has(Cue::Rumour));
        let is_said = self.says_unsure() || self.claim.has(Cue::Says);
        (is_told && !is_said && self.n_shared() >= 2).then_some(Action::Lower)
    }

    fn condition(&self) -> Option<Action> {
        let is_free = |clause: &&&Clause| {
            clause.sentence != self.best.sentence && !clause.has(Cue::Condition) && !clause.is_question
        };
        let is_settled = self.as_well().any(|clause| is_free(&clause));
        let first = self.sentence.first()?;
        let hangs = std::ptr::eq(*first, self.best)
            && first.lists().then.takes(&first.words) > 0
            && self.before.iter().any(|clause| clause.has(Cue::Condition));
        let is_open = (self.in_sentence(Cue::Condition) || hangs) && !is_settled;
        (is_open && !self.says_unsure()).then_some(Action::Lower)
    }

    fn guess(&self) -> Option<Action> {
        let is_guessed = self.is_meant(&[Cue::Hedge, Cue::Might, Cue::Views])
            || self.in_sentence(Cue::Doubtful) && !self.best.has(Cue::Not);
        (is_guessed && !self.says_unsure() && !self.is_denied_later()).then_some(Action::Lower)
    }

    fn wish(&self) -> Option<Action> {
        let is_open = !self.is_todo() && self.is_meant(&[Cue::Wish, Cue::Asks]);
        (is_open && !self.says_unsure() && !self.is_denied_later()).then_some(Action::Lower)
    }

    fn not_done(&self) -> Option<Action> {
        if self.is_todo() || self.says_unsure() || self.claim.has_any(&[Cue::Plan, Cue::Not]) {
            return None;
        }
        let done = self.claim.cues.iter().filter(|found| found.cue == Cue::Done).map(|found| found.end).min()?;
        if self.best.has(Cue::Done) {
            return None;
        }
        let cited: BTreeSet<&String> = self.cited.iter().flat_map(|clause| &clause.words).collect();
        let behind = self.claim.words.iter().zip(&self.claim.stems).skip(done).filter(|(_, stem)| !stem.is_empty());
        let is_kept = behind.clone().take(3).any(|(word, _)| cited.contains(word) && word.chars().count() > 3);
        let is_coming = |clause: &Clause| clause.has_any(&[Cue::Plan, Cue::Asks]) || clause.is_question;
        let is_base = behind.take(2).filter(|(word, _)| !cited.contains(word)).any(|(_, stem)| {
            self.cited.iter().any(|clause| is_coming(clause) && clause.content().contains(stem.as_str()))
        });
        (is_base || is_coming(self.best) && !is_kept).then_some(Action::Lower)
    }

    fn irony(&self) -> Option<Action> {
        let line = self.cited.iter().filter(|clause| clause.line == self.best.line);
        let is_ironic = line.clone().any(|clause| clause.has(Cue::Irony)) && self.claim.has(Cue::Praise);
        let is_quoted = self.best.is_quoted && !self.claim.has(Cue::Says);
        (is_ironic || is_quoted).then_some(Action::Lower)
    }

    fn act(&self) -> Option<Action> {
        if self.claim.has(Cue::Not) {
            return None;
        }
        let acts = &self.claim.lists().acts;
        let at = acts.iter().position(|(act, _)| self.claim.says(act))?;
        let is_there = |clause: &&Clause| {
            let lists = clause.lists();
            lists.acts.get(at).is_some_and(|(_, there)| clause.says(there))
        };
        let is_asked = self.best.has(Cue::Asks) && self.best.line == self.cited.iter().map(|c| c.line).max()?;
        (is_asked || !self.cited.iter().any(is_there)).then_some(Action::Lower)
    }

    /// Who the claim says that speaks or acts.
    fn who(&self) -> Option<(Speaker, usize)> {
        let lists = self.claim.lists();
        let person = lists.person.takes(&self.claim.words);
        let agent = lists.agent.takes(&self.claim.words);
        match (person, agent) {
            (0, 0) => None,
            (0, n) => Some((Speaker::Agent, n)),
            (n, _) => Some((Speaker::Person, n)),
        }
    }

    fn speaker(&self) -> Option<Action> {
        let Some((who, at)) = self.who() else { return bind::names(self) };
        let says = self.claim.cues.iter().any(|found| found.cue == Cue::Says && found.end > at && found.end <= at + 3);
        let is_other = |clause: &Clause| clause.speaker.is_some_and(|speaker| speaker != who);
        let is_own = self.sentence.iter().any(|clause| clause.has(Cue::Own));
        let by_who = self.as_well().any(|clause| !is_other(clause));
        (is_other(self.best) && !by_who && (says || is_own && !self.claim.has(Cue::Plan))).then_some(Action::Ask)
    }

    fn taken_back(&self) -> Option<Action> {
        let speaker = self.cited.last()?.speaker?;
        if self.says_unsure() {
            return None;
        }
        let next: Vec<&&Clause> = self.behind.iter().filter(|clause| clause.opens_turn).take(2).collect();
        let opens = |clause: &Clause, phrases: &Phrases| phrases.takes(&clause.words) > 0;
        let first = next.first()?;
        let lists = first.lists();
        let is_answer = self.best.is_question;
        if first.speaker != Some(speaker) && !is_answer && opens(first, &lists.retracts) && !self.claim.has(Cue::Not) {
            return Some(Action::Ask);
        }
        let is_own = |clause: &&&&Clause| clause.speaker == Some(speaker);
        let second = next.get(1).filter(is_own)?;
        let is_conceded = first.speaker != Some(speaker) && opens(second, &lists.concedes) && !is_answer;
        is_conceded.then_some(Action::Ask)
    }

    /// How often the claim says the opposite word of what the best clause says.
    fn n_opposites(&self) -> usize {
        let (own, there) = (&self.claim.lists().opposites, &self.best.lists().opposites);
        if self.claim.language != self.best.language {
            return 0;
        }
        let pairs = own.iter().zip(there).filter(|((one, other), _)| {
            let flips = |x, y| {
                let claim: &Clause = &self.claim;
                claim.says(x) && !claim.says(y) && self.best.says(y) && !self.cited.iter().any(|clause| clause.says(x))
            };
            flips(one, other) || flips(other, one)
        });
        pairs.count()
    }

    fn opposite(&self) -> Option<Action> {
        let is_flipped = self.n_opposites() > 0 && self.claim.has(Cue::Not) == self.best.has(Cue::Not);
        is_flipped.then_some(Action::Ask)
    }

    /// What the claim says that is not so: `reads the oven instead of the kiln`.
    fn contrasted(&self) -> BTreeSet<&str> {
        let instead = self.claim.cues.iter().filter(|found| found.cue == Cue::Instead);
        let behind = instead.filter_map(|found| self.claim.stems.iter().skip(found.end).find(|stem| !stem.is_empty()));
        behind.map(String::as_str).collect()
    }

    fn negation(&self) -> Option<Action> {
        const TURNS: [Cue; 3] = [Cue::Not, Cue::Only, Cue::Except];
        if self.n_opposites() > 0 {
            return None;
        }
        if self.claim.has(Cue::Not) {
            let is_added = !self.cited.iter().any(|clause| clause.has_any(&TURNS)) && !self.says_unsure();
            return is_added.then_some(Action::Ask);
        }
        // Who tells what is still open whether it is so denies nothing.
        if self.claim.has_any(&TURNS) || self.claim.has(Cue::Asks) {
            return None;
        }
        let contrasted = self.contrasted();
        let wanted: BTreeSet<&str> =
            self.claim.content().into_iter().filter(|stem| !contrasted.contains(stem)).collect();
        let is_said =
            |stem: &str| self.cited.iter().any(|clause| !clause.has(Cue::Not) && clause.content().contains(stem));
        let is_lost = |clause: &Clause| match negated(clause) {
            Some(stem) => wanted.contains(stem) && !is_said(stem),
            None => std::ptr::eq(clause, self.best) && self.n_shared() * 2 >= wanted.len(),
        };
        let is_denied = |clause: &&&Clause| clause.has(Cue::Not) && is_lost(clause);
        self.cited.iter().find(is_denied).map(|_| Action::Ask)
    }

    fn quantity(&self) -> Option<Action> {
        const PARTS: [Cue; 3] = [Cue::Some, Cue::Only, Cue::Except];
        let in_sentence = |cues: &[Cue]| self.sentence.iter().any(|clause| clause.has_any(cues));
        let is_part = in_sentence(&PARTS) || bind::is_part(self.best);
        let says_part = self.claim.has_any(&PARTS) || self.claim.has(Cue::Not) || !self.claim.numbers.is_empty();
        if self.claim.has(Cue::All) && !self.claim.has_any(&[Cue::Except, Cue::Not]) {
            let is_added = !self.in_cited(Cue::All);
            let is_cut = in_sentence(&[Cue::Except]) || self.best.has(Cue::Only);
            return match (is_added, is_part) {
                (true, true) => Some(Action::Reject),
                (true, false) => Some(Action::Ask),
                (false, _) => (is_cut && !self.claim.has(Cue::Only)).then_some(Action::Ask),
            };
        }
        // `8 fields, 5 of them required` says nothing of what else is told of the form.
        let is_of_part = || bind::is_part(self.best) && self.n_shared() * 2 >= self.claim.content().len();
        let is_lost = (self.best.has_any(&[Cue::Only, Cue::Except]) || is_of_part()) && !says_part;
        let is_added = self.claim.has(Cue::Only)
            && !self.cited.iter().any(|clause| clause.has_any(&[Cue::Only, Cue::Not, Cue::Except]));
        (is_lost || is_added).then_some(Action::Ask)
    }

    /// The claim gives a reason, and the lines say both without saying so.
    fn reason(&self) -> Option<Action> {
        let end = self.claim.cues.iter().find(|found| found.cue == Cue::Because)?.end;
        if self.in_cited(Cue::Because) {
            return None;
        }
        let wanted = |range: std::ops::Range<usize>| -> BTreeSet<&str> {
            self.claim.stems[range].iter().filter(|stem| !stem.is_empty()).map(String::as_str).collect()
        };
        let (main, why) = (wanted(0..end), wanted(end..self.claim.stems.len()));
        let of = |wanted: &BTreeSet<&str>| {
            let best = self.cited.iter().max_by_key(|clause| shared(clause, wanted))?;
            (shared(best, wanted) > 0).then_some(best)
        };
        let Some(why) = of(&why) else { return Some(Action::Ask) };
        let main = of(&main)?;
        let is_joined = std::ptr::eq(*main, *why) && main.has(Cue::And);
        is_joined.then_some(Action::Ask)
    }
}
