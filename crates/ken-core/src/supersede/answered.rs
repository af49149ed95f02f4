//! Which statements answer a question, and which later statement answers it with something else.
//!
//! A value that merely differs replaces nothing. But where a question names what the value is of, whoever reads an earlier
//! answer should know that a later one stands beside it; which of them holds is left to the reader.

use std::collections::BTreeSet;

use super::World;
use super::cues::Cue;
use super::read::Unit;
use super::slot::{Side, Slot, Way};
use crate::ground::{self, Sort};
use crate::search::Asks;

/// An answer covers at least this share of the words of the question that are said at all, by their weight.
const COVER_MIN: f32 = 0.5;
/// The same of what the sentence covers that covers most: of values, and of names and words, which stand in sentences for
/// many reasons.
const VALUE_SHARE_MIN: f32 = 0.6;
const NAME_SHARE_MIN: f32 = 0.75;
/// What a word of the question counts that stands around the clause of a value, and how many sentences before it.
const AROUND: f32 = 0.7;
const BEFORE_MAX: usize = 2;
/// So many words of the question stand in and around a sentence that answers with a name, and in and around one that does
/// with a value, unless the question has fewer.
const WORDS_MIN: usize = 2;
/// So many sentences say a word that tells which of them speak of the same.
const SAID_MIN: usize = 2;
/// Most words that tell of a sentence that leans on those before it.
const LEANING_MAX: usize = 3;

/// What is asked.
struct Asked {
    /// The identifiers that it has.
    identifiers: BTreeSet<String>,
    /// Its words that several sentences say: what one says alone joins it with no other.
    stems: BTreeSet<u32>,
    /// The weekdays that it names.
    days: BTreeSet<Vec<String>>,
    asks: Option<Asks>,
    /// Whether a name or a word may answer it.
    is_named: bool,
    /// The weight of its words, and that of those that any one sentence covers at most.
    weight: f32,
    best: f32,
    /// The place of the first sentence of the question.
    first: usize,
}

/// What a sentence says of what is asked.
struct Answer {
    unit: usize,
    given: Given,
    cover: Cover,
}

/// The words of the question that belong to an answer: how many, and their weight.
#[derive(Clone, Copy)]
struct Cover {
    n_words: usize,
    weight: f32,
}

/// What answers.
enum Given {
    /// A value, by its place among those of its sentence.
    Value(usize),
    /// Those who are named, or what is.
    Names(BTreeSet<String>),
    /// A word or a phrase, by the way in which it is said.
    Words(Way, Vec<u32>),
}

impl World<'_> {
    /// For each statement the later one that answers a question with something else of the same kind; the question is what
    /// stands behind the statements.
    pub(super) fn answered_later(&self, question: &str, n_said: usize) -> Vec<Option<usize>> {
        let asked = self.asked(question, n_said);
        let answers = self.answers(&asked);
        let is_good = self.are_good(&asked, &answers);
        let good = || answers.iter().zip(&is_good).filter(|(_, is_good)| **is_good).map(|(one, _)| one);
        let mut out = vec![None; n_said];
        for old in good() {
            let later: Vec<&Answer> = good().filter(|new| self.answers_alike(old, new)).collect();
            // What was said first may be what is said last.
            if later.last().is_none_or(|last| self.is_same(last, old)) {
                continue;
            }
            let Some(by) = later.into_iter().rev().find(|by| self.differ(&answers, old, by)) else { continue };
            // Who says the value again, with less of what is asked, says the same.
            let again = answers.iter().filter(|one| one.unit < by.unit && self.is_same(one, old));
            for one in again.filter(|one| self.differ(&answers, one, by)) {
                let of = self.unit(one.unit).said;
                out[of] = out[of].max(Some(self.unit(by.unit).said));
            }
        }
        out
    }

    fn asked(&self, question: &str, at: usize) -> Asked {
        let units = self.units_of(at);
        let first = units.first().copied().unwrap_or(self.texts.units.len());
        let n_said = |stem: u32| (0..first).filter(|at| self.unit(*at).stems.contains(&stem)).take(SAID_MIN).count();
        let stems = units.iter().flat_map(|at| self.unit(*at).stems.iter().copied());
        let stems: BTreeSet<u32> = stems.filter(|stem| n_said(*stem) == SAID_MIN).collect();
        let has = |at: usize| stems.iter().copied().filter(move |stem| self.unit(at).stems.contains(stem));
        let best = (0..first).filter(|at| may_answer(self.unit(*at))).map(|at| self.near.sum(has(at)));
        let asks = Asks::of(question);
        let is_of_view = units.iter().any(|at| self.unit(*at).has(Cue::Views));
        Asked {
            identifiers: identifiers(question).collect(),
            days: units.iter().flat_map(|at| self.days(*at)).collect(),
            is_named: matches!(asks, None | Some(Asks::Person | Asks::Way)) && !is_of_view,
            asks,
            weight: self.near.sum(stems.iter().copied()),
            best: best.fold(0.0, f32::max),
            stems,
            first,
        }
    }

    /// The weekdays that a sentence names.
    fn days(&self, at: usize) -> impl Iterator<Item = Vec<String>> {
        let slots = self.frame(at).slots.iter().filter(|slot| slot.is_weekday());
        slots.map(|slot| slot.readings.clone())
    }

    /// Whether a sentence speaks of other weekdays than the question.
    fn is_of_other_day(&self, asked: &Asked, at: usize) -> bool {
        let mut days = self.days(at).peekable();
        !asked.days.is_empty() && days.peek().is_some() && !days.any(|day| asked.days.contains(&day))
    }

    /// What sentences say of what is asked, in order of time.
    fn answers(&self, asked: &Asked) -> Vec<Answer> {
        let mut out: Vec<Answer> = Vec::new();
        for at in (0..asked.first).filter(|at| may_answer(self.unit(*at))) {
            // What is not about it is not read for values.
            let covered = |is_value: bool| self.cover(asked, at, self.unit(at).stems.iter().copied(), is_value);
            if covered(true).is_none() || self.is_of_other_day(asked, at) {
                continue;
            }
            out.extend(self.values(asked, at));
            if asked.is_named {
                let cover = covered(false);
                let named =
                    cover.into_iter().flat_map(|cover| self.named(asked, at).into_iter().map(move |one| (one, cover)));
                out.extend(named.map(|(given, cover)| Answer { unit: at, given, cover }));
            }
        }
        out
    }

    /// The values of a sentence that are of a kind that is asked for.
    fn values(&self, asked: &Asked, at: usize) -> impl Iterator<Item = Answer> {
        let slots = self.frame(at).slots.iter().enumerate().filter(|(_, slot)| asked.asks_for(slot));
        slots.filter_map(move |(n, slot)| {
            let own = slot.owns().last().unwrap_or_default();
            // What is counted is what is asked for: `how many lines`.
            let counted =
                slot.noun.filter(|noun| asked.stems.contains(noun)).map_or(0.0, |noun| self.near.weight(noun));
            let mut cover = self.cover(asked, at, own.into_iter().chain(slot.noun), true)?;
            cover.weight += counted;
            Some(Answer { unit: at, given: Given::Value(n), cover })
        })
    }

    /// The names and words of a sentence that the question does not have, without those that it says to be over.
    fn named(&self, asked: &Asked, at: usize) -> Vec<Given> {
        let frame = self.frame(at);
        let was =
            |stem: &u32| frame.pairs.iter().any(|pair| matches!(&pair.old, Side::Words(old) if old.contains(stem)));
        let is_new = |stems: &[u32]| !stems.iter().any(|stem| asked.stems.contains(stem) || was(stem));
        let fillers = || frame.fillers.iter().filter(|filler| !filler.is_denied && is_new(&filler.stems));
        let names = fillers().filter(|filler| filler.is_name).flat_map(|filler| &filler.stems);
        let mut names: BTreeSet<String> = names.map(|stem| format!("\u{1}{stem}")).collect();
        names.extend(identifiers(self.unit(at).text).filter(|name| !asked.identifiers.contains(name)));
        let words = fillers().filter(|filler| !filler.is_name).map(|filler| (kind_of(filler.way), &filler.stems));
        let is_asked = |way: &Way| match way {
            Way::At | Way::Means => asked.asks == Some(Asks::Way),
            way => *way == Way::Named,
        };
        let words = words.filter(|(way, _)| is_asked(way));
        let words = words.map(|(way, stems)| Given::Words(way, stems.clone()));
        (!names.is_empty()).then_some(Given::Names(names)).into_iter().chain(words).collect()
    }

    /// How much of what is asked some words of a sentence cover, with those around them, if it is about it.
    fn cover(&self, asked: &Asked, at: usize, own: impl Iterator<Item = u32>, is_value: bool) -> Option<Cover> {
        let unit = self.unit(at);
        let own: BTreeSet<u32> = own.filter(|stem| asked.stems.contains(stem)).collect();
        // A sentence that says little, or points, is about what those before it are: `The open day slips. The new date is
        // 25 April.`
        let leans = unit.stems.len() <= LEANING_MAX || unit.has(Cue::Stands);
        if own.is_empty() && !(is_value && leans && asked.stems.len() > 1) {
            return None;
        }
        let before = (at.saturating_sub(BEFORE_MAX)..=at).map(|before| self.unit(before));
        let beside = before.filter(|one| one.exchange == unit.exchange).flat_map(|one| one.stems.iter().copied());
        let around: BTreeSet<u32> = beside.filter(|stem| asked.stems.contains(stem) && !own.contains(stem)).collect();
        let n_words = own.len() + around.len();
        Some(Cover { n_words, weight: self.near.sum(own) + AROUND * self.near.sum(around) })
    }

    /// Which answers say enough of what is asked; of values only those of the kind that the best of them has.
    fn are_good(&self, asked: &Asked, answers: &[Answer]) -> Vec<bool> {
        let slot = |one: &Answer| match one.given {
            Given::Value(n) => Some(&self.frame(one.unit).slots[n]),
            _ => None,
        };
        let values = || answers.iter().filter_map(|one| Some((slot(one)?, one.cover.weight)));
        let most = values().map(|(_, cover)| cover).fold(0.0, f32::max);
        let is_of_kind =
            |slot: &Slot| values().filter(|(_, cover)| *cover >= most).any(|(best, _)| slot.is_comparable(best));
        let is_good = |one: &Answer| {
            let (share_min, n_min) = match slot(one) {
                Some(_) => (VALUE_SHARE_MIN, WORDS_MIN.min(asked.stems.len())),
                None => (NAME_SHARE_MIN, WORDS_MIN),
            };
            let weight_min = (COVER_MIN * asked.weight).max(share_min * asked.best);
            one.cover.n_words >= n_min && one.cover.weight >= weight_min && slot(one).is_none_or(is_of_kind)
        };
        answers.iter().map(is_good).collect()
    }

    /// Whether a later answer gives something of the same kind, of what may be the same thing, and holds by then.
    fn answers_alike(&self, old: &Answer, new: &Answer) -> bool {
        let (earlier, later) = (self.unit(old.unit), self.unit(new.unit));
        let (before, after) = (self.frame(old.unit), self.frame(new.unit));
        let is_of_kind = match (&old.given, &new.given) {
            (Given::Value(a), Given::Value(b)) => after.slots[*b].is_comparable(&before.slots[*a]),
            (Given::Names(_), Given::Names(_)) => true,
            (Given::Words(a, _), Given::Words(b, _)) => a == b,
            _ => false,
        };
        let is_day = matches!(&new.given, Given::Value(n) if after.slots[*n].sort == Sort::Date);
        let is_coming = || !is_day && self.from(later).zip(later.day).is_some_and(|(from, day)| from > day);
        let is_later = new.unit > old.unit && later.day > earlier.day && earlier.exchange != later.exchange;
        is_later && is_of_kind && !self.are_other(before, after, &[]) && !is_coming()
    }

    /// Whether two answers are one.
    fn is_same(&self, a: &Answer, b: &Answer) -> bool {
        match (&a.given, &b.given) {
            (Given::Value(n), Given::Value(m)) => self.frame(a.unit).slots[*n].is_same(&self.frame(b.unit).slots[*m]),
            (Given::Names(a), Given::Names(b)) => !a.is_disjoint(b),
            (Given::Words(_, a), Given::Words(_, b)) => a.iter().any(|stem| b.contains(stem)),
            _ => false,
        }
    }

    /// Whether nothing that a statement answers is something that another one answers.
    fn differ(&self, answers: &[Answer], old: &Answer, by: &Answer) -> bool {
        let said = |one: &Answer| self.unit(one.unit).said;
        let (of, other) = (said(old), said(by));
        let all = |of: usize| answers.iter().filter(move |one| said(one) == of);
        !all(of).any(|one| all(other).any(|new| self.is_same(one, new)))
    }
}

/// Whether a sentence says what is so.
fn may_answer(unit: &Unit<'_>) -> bool {
    let is_doubtful = [Cue::Views, Cue::Formerly, Cue::Once, Cue::Condition].into_iter().any(|cue| unit.has(cue));
    !unit.asks && !unit.is_unsure() && !is_doubtful && unit.day.is_some()
}

/// Where something is and where it goes is one.
fn kind_of(way: Way) -> Way {
    if way == Way::Toward { Way::At } else { way }
}

/// The names of a text that are addresses, files or code: they join words.
fn identifiers(text: &str) -> impl Iterator<Item = String> {
    let joins = |ch: char| matches!(ch, '_' | '.' | '/' | '@');
    let is_joined = move |value: &ground::Value| value.sort == Sort::Name && value.span.of(text).contains(joins);
    ground::values(text, None).into_iter().filter(is_joined).flat_map(|value| value.readings)
}

impl Asked {
    /// Whether a value is of a kind that is asked for.
    fn asks_for(&self, slot: &Slot) -> bool {
        let is_held = !slot.is_old && !slot.is_denied;
        let is_named_unit = matches!(&slot.sort, Sort::Count(unit) if unit.starts_with('\u{1}'));
        match self.asks {
            // When something is: then a time is what is said, and no circumstance.
            Some(Asks::When) => {
                let is_time = matches!(slot.sort, Sort::Date | Sort::Time) || slot.is_weekday();
                is_held && (is_time || slot.is_value() && is_named_unit)
            }
            Some(Asks::Amount) => {
                let is_counted = matches!(slot.sort, Sort::Count(_)) && !is_named_unit;
                let is_asked = slot.noun.is_none_or(|noun| self.stems.contains(&noun));
                is_held && slot.is_value() && (is_asked || !is_counted)
            }
            None | Some(Asks::Often) => is_held && slot.is_value(),
            Some(Asks::Person | Asks::Reason | Asks::Way | Asks::Change | Asks::Open) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::supersede::{Said, judged};

    /// Checks which of statements, each said on a day of its own, are answered otherwise later, and by which.
    #[track_caller]
    fn check(question: &str, said: &[&str], expected: &[(usize, usize)]) {
        let day = |n: usize| format!("2026-03-{:02}", n + 2).parse().ok();
        let said: Vec<Said<'_>> = said
            .iter()
            .enumerate()
            .map(|(n, text)| Said { text, day: day(n), exchange: n, may_replace: true, is_action: false })
            .collect();
        let found = judged(&said, Some(question)).later.into_iter().enumerate();
        let found: Vec<(usize, usize)> = found.filter_map(|(of, by)| Some((of, by?))).collect();
        assert_eq!(found, expected, "{question}");
    }

    #[test]
    fn a_later_answer_with_another_value_stands_beside_an_earlier_one() {
        let oven = "The deck oven bakes at 220 degrees.";
        check(
            "At how many degrees does the deck oven bake?",
            &[oven, "Bake in the deck oven at 240 degrees."],
            &[(0, 1)],
        );
        check(
            "Who keeps the keys of the rye oven?",
            &["Ada keeps the keys of the rye oven.", "Ben keeps the keys of the rye oven."],
            &[(0, 1)],
        );
        check(
            "Which host serves the recipe pages?",
            &[
                "The recipe pages are served from oven.example.org.",
                "We serve the recipe pages from `bread.example.org`.",
            ],
            &[(0, 1)],
        );
        check(
            "Where do the rye loaves cool?",
            &["The rye loaves cool in the pantry.", "The rye loaves cool on the balcony."],
            &[(0, 1)],
        );
    }

    #[test]
    fn what_says_an_earlier_answer_again_is_answered_otherwise_too() {
        check(
            "How long does the rye dough rest?",
            &[
                "The rye dough rests for 90 minutes.",
                "Rye: 90 minutes, then the oven.",
                "Let the rye dough rest for 70 minutes.",
            ],
            &[(0, 2), (1, 2)],
        );
    }

    #[test]
    fn what_was_said_first_and_last_has_no_later_answer() {
        check(
            "How long does the rye dough rest?",
            &[
                "The rye dough rests for 90 minutes.",
                "The rye dough rests for 70 minutes.",
                "The rye dough rests for 90 minutes.",
            ],
            &[(1, 2)],
        );
    }

    #[test]
    fn what_is_of_another_thing_another_day_or_not_sure_answers_nothing() {
        let rests = "The rye dough rests for 90 minutes.";
        for other in [
            "Does the rye dough rest for 70 minutes?",
            "Perhaps the rye dough could rest for 70 minutes.",
            "Ada wants the rye dough to rest for 70 minutes.",
            "The oven cools down for 70 minutes.",
            "From 1 May the rye dough rests for 70 minutes.",
            "The rye dough weighs 70 kilos.",
        ] {
            check("How long does the rye dough rest?", &[rests, other], &[]);
        }
        check(
            "When does the baking class on Tuesdays begin?",
            &["The baking class on Tuesdays begins at 18:00.", "The baking class on Thursdays begins at 19:00."],
            &[],
        );
        check("Does the rye dough rest for long?", &[rests, "The rye dough rests for 70 minutes."], &[]);
        check("Let the rye dough rest longer.", &[rests, "The rye dough rests for 70 minutes."], &[]);
        check(
            "What do Ada and Ben think about the rye bread?",
            &["Ada and Ben have the rye bread on the list of Cara.", "Dora has the rye bread on her list."],
            &[],
        );
    }
}
