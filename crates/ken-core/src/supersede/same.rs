//! Whether two sentences can be about one thing at all, however alike they are.
//!
//! Two visits last some minutes, two classes have some pupils: what they share then says what is measured, or of what
//! sort both are, and not that they are the same.

use super::cues::Cue;
use super::slot::Frame;
use super::unit::{Unit, is_covered};
use super::word::{Word, says_newer};
use super::{CLAUSE_MIN, World};

/// How far before a word the one may stand that it tells apart: `the choir of Lund`.
const QUALIFIED_BY: usize = 2;

impl World<'_> {
    /// Whether two sentences number something differently, other than what is compared: `room 3`, `room 5`.
    pub(super) fn are_other(&self, a: &Frame, b: &Frame, but: &[u32]) -> bool {
        let differs = |label: &(u32, u32)| {
            let mut same = b.labels.iter().filter(|other| other.0 == label.0).peekable();
            same.peek().is_some() && !same.any(|other| other.1 == label.1)
        };
        a.labels.iter().filter(|label| !but.contains(&label.0)).any(differs)
    }

    /// Whether two sentences have different values of one sort: who is named in each then has their own.
    pub(super) fn are_values_other(&self, a: &Frame, b: &Frame) -> bool {
        let values = |frame: &'_ Frame| frame.slots.iter().filter(|slot| slot.is_value()).cloned().collect::<Vec<_>>();
        let (a, b) = (values(a), values(b));
        a.iter().any(|a| b.iter().any(|b| a.is_comparable(b) && !a.is_same(b)))
    }

    /// Whether what two values belong to, by the words of their clauses, is not the same thing.
    pub(super) fn are_apart(&self, (old, own): (usize, &[u32]), (by, new): (usize, &[u32])) -> bool {
        let before = self.told(old, own);
        let after = self.told(by, new);
        let around: Vec<u32> = self.unit(by).stems.iter().chain(self.near.context(by)).copied().collect();
        let differ = |a: &[u32], b: &[u32], more: &[u32]| {
            !a.is_empty() && !b.is_empty() && !a.iter().any(|stem| b.contains(stem) || more.contains(stem))
        };
        // Each names somebody whom the other does not.
        let has_other = |a: &[u32], b: &[u32]| a.iter().any(|name| !b.contains(name));
        let are_others = has_other(&before.names, &around) && has_other(&after.names, &self.unit(old).stems);
        differ(&before.things, &after.things, self.near.context(by))
            || are_others
            || self.is_narrower(old, by, new)
            || self.is_one_of(old, by, new)
            || self.is_of_other_sort(old, by, new)
    }

    /// Whether a thing that both sentences name is told apart by another word in each: the blue vase, the green vase.
    pub(super) fn is_of_other_sort(&self, old: usize, by: usize, own: &[u32]) -> bool {
        let is_known =
            |at: usize, stem: u32| self.unit(at).stems.contains(&stem) || self.near.context(at).contains(&stem);
        self.told_apart(old, by, own).any(|(a, b)| !is_known(by, a) && !is_known(old, b))
    }

    /// The same where the sentences around say both names: of `The rye oven is lit. The corn oven bakes at 200 degrees` the
    /// second is not about the rye oven, though that stands before it; of `The rye oven is new. The new oven bakes at 200
    /// degrees` it is.
    pub(super) fn names_another(&self, old: usize, by: usize, own: &[u32]) -> bool {
        let is_known = |at: usize, stem: u32, own: u32| {
            let around = self.near.context(at);
            self.unit(at).stems.contains(&stem) || around.contains(&stem) && around.contains(&own)
        };
        self.told_apart(old, by, own).any(|(a, b)| !is_known(by, a, b) && !is_known(old, b, a))
    }

    /// The words by which two sentences tell a thing apart that both name, where these differ.
    fn told_apart<'w>(&'w self, old: usize, by: usize, own: &'w [u32]) -> impl Iterator<Item = (u32, u32)> + 'w {
        let (earlier, later) = (self.unit(old), self.unit(by));
        let is_thing = |stem: &u32| !self.texts.is_measure[*stem as usize];
        let shared = own.iter().filter(|stem| earlier.stems.contains(stem) && later.stems.contains(stem));
        let pair = move |noun: &u32| {
            let beside = |at: usize| self.beside(at, *noun).filter(is_thing);
            beside(old).zip(beside(by)).filter(|(a, b)| a != b)
        };
        shared.filter(move |stem| is_thing(stem)).filter_map(pair)
    }

    /// The word that stands where a language has what tells a noun apart: before it, or behind it.
    fn beside(&self, at: usize, noun: u32) -> Option<u32> {
        let unit = self.unit(at);
        let place = unit.tokens.iter().position(|token| self.texts.word(*token).stem == noun)?;
        let is_before = unit.language.lexicon().changes.has_adjectives_before;
        // `The abbey's field`
        let is_of = |at: usize| self.texts.word(unit.tokens[at]).lower == "s";
        let before = place.checked_sub(1).map(|before| before.saturating_sub(usize::from(is_of(before))));
        let other = if is_before { before? } else { place + 1 };
        let (token, noun) = (unit.tokens.get(other)?, &unit.tokens[place]);
        let word = self.texts.word(*token);
        // A verb may stand there, too: `so beginnt Probe`.
        let has_nouns_in_capitals = !unit.language.lexicon().claims.capitalised.is_empty();
        let is_adjective = !has_nouns_in_capitals || noun.is_capital && !token.is_capital;
        let begins = other.min(place);
        let follows =
            |is: fn(&Word) -> bool| begins.checked_sub(1).is_some_and(|at| is(self.texts.word(unit.tokens[at])));
        // Behind a determiner a unit or a participle tells of what sort something is: `the day ticket`, `the reduced ticket`.
        let is_sort = follows(|word| word.is_determiner);
        let is_word = word.is_content || word.is_unit && is_sort;
        let is_free = !is_covered(&unit.cues, other) || is_sort && self.is_altered(unit, other);
        let is_told = is_word && is_adjective && token.part == noun.part && is_free;
        let is_name =
            || self.frame(at).fillers.iter().any(|filler| filler.is_name && filler.stems.contains(&word.stem));
        (is_told && !is_name()).then_some(word.stem)
    }

    /// Whether a word alone says that something alters, and not that it is a newer one: `reduced`.
    fn is_altered(&self, unit: &Unit<'_>, at: usize) -> bool {
        let word = &self.texts.word(unit.tokens[at]).lower;
        !says_newer(unit.language, word) && unit.all(Cue::Alters).any(|found| (found.start, found.end) == (at, at + 1))
    }

    /// Whether two clauses share a word that says what they are about: `costs` says what is measured.
    pub(super) fn share_thing(&self, a: &[u32], b: &[u32]) -> bool {
        let is_thing = |stem: &&u32| !self.texts.is_measure[**stem as usize];
        let mut shared = a.iter().filter(|stem| b.contains(stem)).peekable();
        shared.peek().is_some()
            && (shared.any(|stem| is_thing(&stem)) || !a.iter().chain(b).any(|stem| is_thing(&stem)))
    }

    /// How alike what two values belong to is by their clauses alone, where these are short: `The hall is full, so doors
    /// open at 6 now`; 0 where they are not.
    pub(super) fn alike_in_clause(&self, (old, own): (usize, &[u32]), (by, new): (usize, &[u32])) -> f32 {
        let (before, after) = (self.told(old, own).all(), self.told(by, new).all());
        let strong = |stem: &&u32| after.contains(stem) && !self.texts.is_weak[**stem as usize];
        let keys = |stems: &[u32]| stems.iter().map(|stem| (*stem, 1.0)).collect();
        let alike = self.near.similarity(&keys(&before), &keys(&after));
        if alike >= CLAUSE_MIN && before.iter().any(|stem| strong(&stem)) { alike } else { 0.0 }
    }

    /// The words of a clause that say what it is about, the names aside, and these; who changes something is none.
    fn told(&self, at: usize, own: &[u32]) -> Told {
        let (unit, frame) = (self.unit(at), self.frame(at));
        let is_agent = |stem: &u32| {
            let first = unit.tokens.first().map(|token| self.texts.word(*token).stem);
            first == Some(*stem) && unit.cues.iter().any(|found| matches!(found.cue, Cue::Alters | Cue::Switch))
        };
        let named = || frame.fillers.iter().filter(|filler| filler.is_name).flat_map(|filler| &filler.stems);
        let is_name = |stem: &u32| named().any(|name| name == stem);
        let things = own.iter().copied().filter(|stem| !is_name(stem) && !self.texts.is_measure[*stem as usize]);
        let names = own.iter().copied().filter(|stem| is_name(stem) && !is_agent(stem));
        Told { things: things.collect(), names: names.collect() }
    }

    /// Whether a clause speaks of one of the things that an earlier one spoke of: of the choir of Lund, not of the choir.
    pub(super) fn is_narrower(&self, old: usize, by: usize, own: &[u32]) -> bool {
        let (earlier, later) = (self.unit(old), self.unit(by));
        let word = |at: usize| self.texts.word(later.tokens[at]);
        let is_known = |stem: u32| {
            earlier.stems.contains(&stem)
                || self.near.context(old).contains(&stem)
                || self.near.context(by).contains(&stem)
        };
        // `In the demo the oven is at 240 degrees now`
        let place = later.all(Cue::At).find(|found| found.start == 0).map_or(0..0, |found| {
            let ends = |at: &usize| later.tokens[*at].part != later.tokens[0].part || word(*at).is_content;
            let from = (found.end..later.tokens.len()).find(ends).unwrap_or(later.tokens.len());
            let goes_on = |at: &usize| word(*at).is_content && later.tokens[*at].part == later.tokens[0].part;
            from..(from..later.tokens.len()).take_while(goes_on).last().map_or(from, |last| last + 1)
        });
        if place.clone().any(|at| own.contains(&word(at).stem)) && place.clone().all(|at| !is_known(word(at).stem)) {
            return true;
        }
        let is_own = |at: usize| word(at).is_content && own.contains(&word(at).stem);
        (QUALIFIED_BY..later.tokens.len()).any(|at| {
            let joined = later.tokens[at].part == later.tokens[at - QUALIFIED_BY].part;
            let (noun, small) = (at - QUALIFIED_BY, at - 1);
            joined
                && is_own(at)
                && !is_known(word(at).stem)
                && is_own(noun)
                && !self.texts.is_measure[word(noun).stem as usize]
                && earlier.stems.contains(&word(noun).stem)
                && !word(small).is_content
                && self.is_qualifying(by, small)
        })
    }

    /// Whether a clause speaks of one sort of what an earlier one spoke of without telling sorts apart: of the rye dough, not of
    /// the dough.
    fn is_one_of(&self, old: usize, by: usize, own: &[u32]) -> bool {
        let earlier = self.unit(old);
        let is_known = |stem: u32| {
            earlier.stems.contains(&stem)
                || self.near.context(old).contains(&stem)
                || self.near.context(by).contains(&stem)
        };
        // What the earlier sentence begins with is what it tells of.
        let words = earlier.tokens.iter().map(|token| self.texts.word(*token));
        let subject = words.filter(|word| word.is_content).map(|word| word.stem).next();
        let is_bare = |noun: &&u32| subject == Some(**noun) && self.beside(old, **noun).is_none();
        // Behind a noun a verb may stand as well.
        let is_told_before = self.unit(by).language.lexicon().changes.has_adjectives_before;
        let things = own.iter().filter(|stem| is_told_before && !self.texts.is_measure[**stem as usize]);
        things.filter(is_bare).filter_map(|noun| self.beside(by, *noun)).any(|sort| !is_known(sort))
    }

    /// Whether a sentence begins with some of what an earlier one begins with: `Critical alarms` of `Alarms`.
    pub(super) fn is_of_kind(&self, old: usize, by: usize) -> bool {
        let (earlier, later) = (self.unit(old), self.unit(by));
        let opens = |unit: &Unit<'_>, at: usize| {
            let word = unit.tokens.get(at).map(|token| self.texts.word(*token)).filter(|word| word.is_content);
            word.map(|word| word.stem).filter(|_| unit.tokens[at].part == 0 && !is_covered(&unit.cues, at))
        };
        let (noun, kind) = (opens(earlier, 0), opens(later, 0));
        later.language.lexicon().changes.has_adjectives_before
            && noun.is_some()
            && noun == opens(later, 1)
            && kind.is_some_and(|kind| !earlier.stems.contains(&kind))
    }

    /// Whether a small word joins a noun to what tells it apart: `of`, not `is`.
    fn is_qualifying(&self, by: usize, at: usize) -> bool {
        let unit = self.unit(by);
        let is = |cue: Cue| unit.all(cue).any(|found| found.start == at && found.end == at + 1);
        let word = &self.texts.word(unit.tokens[at]).lower;
        let qualifies = unit.language.lexicon().changes.qualifies;
        !is(Cue::Is) && qualifies.split('|').any(|known| known == word)
    }
}

/// What a clause is about.
struct Told {
    things: Vec<u32>,
    names: Vec<u32>,
}

impl Told {
    fn all(mut self) -> Vec<u32> {
        self.things.append(&mut self.names);
        self.things.sort_unstable();
        self.things
    }
}
