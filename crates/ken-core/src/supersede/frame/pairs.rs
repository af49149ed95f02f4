//! The pairs of old and new that a sentence names.

use super::super::cues::{Cue, Found};
use super::super::slot::{Pair, Side, Slot};
use super::{NEAR, Phrase, Reader, SENTENCE_WORDS_MAX, is_covered, sorted};
use crate::ground::{self, Sort};

impl Reader<'_> {
    /// The pairs of old and new that the sentence names.
    pub(super) fn pairs(&self, slots: &[Slot]) -> Vec<Pair> {
        let unit = self.unit;
        let mut out = Vec::new();
        let changes = (0..=self.clause(self.n() - 1)).any(|clause| self.says_change(clause));
        let with_verb = changes || unit.has(Cue::Replaces) || unit.text.contains(": ");
        let begins_part = |at: usize| at > 0 && self.part(at) != self.part(at - 1);
        for found in unit.all(Cue::Instead) {
            let opens = found.start == 0 || begins_part(found.start) && found.start + 1 < self.n();
            if !with_verb && self.texts.is_event(unit, found.start) {
                continue;
            }
            let doers = self.pair_of_doers(found);
            // Whom else it names may be what took the place.
            if doers.is_none() || self.names.len() > 2 {
                out.extend(
                    self.pair(slots, (found.end, true), (found.start, false), true)
                        .map(|pair| Pair { is_strict: !with_verb, ..pair })
                        .or_else(|| opens.then(|| self.pair_opening(found.end, changes)).flatten()),
                );
            }
            out.extend(doers);
        }
        let corrects = unit.all(Cue::Corrects).any(|found| self.is_label(found));
        for found in unit.all(Cue::AndNot).chain(unit.all(Cue::Formerly)).filter(|found| begins_part(found.start)) {
            let is_verb = unit.tokens.get(found.end).is_some_and(|next| {
                // `…, not yet`
                self.texts.word(*next).is_content
                    && found.cue == Cue::AndNot
                    && self.part(found.end) != self.part(found.start)
            });
            if !is_verb {
                let pair = self.pair(slots, (found.end, true), (found.start, false), corrects);
                out.extend(pair.or_else(|| self.pair_of_names(found, changes)));
            }
        }
        // Of words it only contrasts.
        for found in unit.all(Cue::Rather).filter(|found| !self.texts.is_event(unit, found.start)) {
            let pair = self.pair(slots, (found.end, true), (found.start, false), false);
            out.extend(pair.filter(Pair::is_of_values));
        }
        for (from, to) in self.spans(Cue::From, Cue::To) {
            if changes && self.says_change_beside(from) {
                out.extend(
                    self.pair(slots, (to.start, false), (to.end, true), true)
                        .map(|pair| Pair { is_strict: true, ..pair }),
                );
            }
        }
        for (_, but) in self.spans(Cue::Not, Cue::But) {
            out.extend(self.pair(slots, (but.start, false), (but.end, true), false));
        }
        out.extend(self.pair_of_gone());
        out.extend(self.pair_of_people());
        out.extend(self.taken_back(slots));
        out.extend(self.replaced(slots));
        out.extend(self.renamed());
        out
    }

    /// `Ada plays Widow Thorn in place of Mia`, `Ada bakes the rolls in place of Mia`: who does it takes the place of whom the sentence ends with.
    fn pair_of_doers(&self, found: &Found) -> Option<Pair> {
        let old = *self.names.iter().find(|name| name.0 == found.end)?;
        // `From 10 March Ada owns it instead of Mia`
        let is_told = |at: usize| {
            self.texts.word(self.unit.tokens[at]).is_content && !is_covered(&self.unit.cues, at) && !self.is_value(at)
        };
        let new = *self.names.first().filter(|name| !(0..name.0).any(is_told))?;
        // `Ada takes the pictures in place of Mia`: nothing that stands there is another name.
        let has_other = self.names.iter().any(|name| *name != new && *name != old);
        let is_beside = !has_other || self.names.iter().any(|name| name.1 == found.start && *name != new);
        let stems =
            |name: (usize, usize)| sorted((name.0..name.1).map(|at| self.texts.word(self.unit.tokens[at]).stem));
        let is_side = |at: usize| [old, new].iter().any(|name| name.0 <= at && at < name.1);
        let own = self.stems(|at| !is_side(at) && self.clause(at) == self.clause(0));
        let (old, new) = (Side::Words(stems(old)), Some(Side::Words(stems(new))));
        is_beside.then_some(Pair { old, new, own, is_strict: true })
    }

    /// `Ada repairs it, not Leo`: the name before the comma takes the place of the one behind it. Where the sentence says
    /// that it changes, nobody else needs a name: `from today I repair it, not Leo`.
    fn pair_of_names(&self, found: &Found, changes: bool) -> Option<Pair> {
        let old = self.names.iter().find(|name| name.0 == found.end)?;
        let new = self.names.iter().rfind(|name| name.1 <= found.start);
        let phrase = |name: &(usize, usize)| {
            let stems = (name.0..name.1).map(|at| self.texts.word(self.unit.tokens[at]).stem);
            (sorted(stems), name.0, name.1)
        };
        let is_short = self.n() <= SENTENCE_WORDS_MAX && found.cue == Cue::AndNot;
        (is_short && (new.is_some() || changes)).then(|| self.words_pair(phrase(old), new.map(phrase))).flatten()
    }

    /// `Flour from Upper Mill, Hill Mill dropped`: the one name of the sentence besides that of which a clause says nothing
    /// but that it is gone.
    fn pair_of_gone(&self) -> Option<Pair> {
        let is_gone = |name: &&(usize, usize)| {
            let clause = self.clause(name.0);
            let in_clause = |at: usize| self.clause(at) == clause;
            let goes = |found: &&Found| matches!(found.cue, Cue::Departs | Cue::Ends) && in_clause(found.start);
            let is_first = name.0 == 0 || !in_clause(name.0 - 1);
            let Some(found) = self.unit.cues.iter().find(goes).filter(|found| is_first && found.start >= name.1) else {
                return false;
            };
            let is_last = found.end == self.n() || !in_clause(found.end);
            is_last && (name.1..found.start).all(|at| !self.told[at])
        };
        let old = self.names.iter().find(is_gone)?;
        let mut others = self.names.iter().filter(|name| self.clause(name.0) != self.clause(old.0));
        let new = others.next().filter(|_| others.next().is_none())?;
        let phrase = |name: &(usize, usize)| {
            let stems = (name.0..name.1).map(|at| self.texts.word(self.unit.tokens[at]).stem);
            (sorted(stems), name.0, name.1)
        };
        self.words_pair(phrase(old), Some(phrase(new))).map(|pair| Pair { is_strict: true, ..pair })
    }

    /// `I take back the 80 euros`: a value that nothing takes the place of.
    fn taken_back(&self, slots: &[Slot]) -> Option<Pair> {
        let end = self.unit.all(Cue::Ends).find(|end| end.end - end.start > 1)?;
        let is_object = |at: usize| !self.texts.word(self.unit.tokens[at]).is_content;
        let old = self.value_at(slots, end.end, true)?;
        let is_it = (end.end..old.start).all(is_object) && !slots.iter().any(|slot| slot.start > old.start);
        let own = sorted(self.stems(|_| true));
        is_it.then(|| Pair { old: Side::Value(old.clone()), new: None, own, is_strict: false })
    }

    /// Pairs of phrases, the first before the second in one part of the sentence and near it.
    fn spans(&self, first: Cue, second: Cue) -> Vec<(Found, Found)> {
        let near = |a: &Found, b: &Found| {
            let is_alike = self.part(a.start) == self.part(b.start) || first == Cue::Not;
            a.end < b.start && b.start - a.end <= 6 && is_alike
        };
        let all = self.unit.all(first).flat_map(|a| self.unit.all(second).find(|b| near(a, b)).map(|b| (*a, *b)));
        all.collect()
    }

    fn says_change_beside(&self, from: Found) -> bool {
        let part = self.part(from.start);
        // `It moves again, from the 4th to the 11th`
        let before = (0..from.start).next_back().map(|at| self.part(at)).unwrap_or(part);
        let is_change =
            |found: &&Found| matches!(found.cue, Cue::Alters | Cue::Switch | Cue::Gives | Cue::Takes | Cue::Back);
        self.unit.cues.iter().filter(is_change).any(|found| [part, before].contains(&self.part(found.start)))
    }

    /// Whether a place is beside the `to` of `from A to B`, of which both are values of one sort.
    fn is_from_to(&self, slots: &[Slot], at: usize) -> bool {
        self.spans(Cue::From, Cue::To).into_iter().filter(|(_, to)| to.start == at || to.end == at).any(|(from, to)| {
            let old = slots.iter().find(|slot| slot.start == from.end && slot.end == to.start);
            let new = slots.iter().find(|slot| slot.start == to.end);
            old.zip(new).is_some_and(|(old, new)| old.is_comparable(new))
        })
    }

    /// The value that begins at a word, or ends before one.
    fn value_at<'s>(&self, slots: &'s [Slot], at: usize, is_behind: bool) -> Option<&'s Slot> {
        let is_near = |slot: &&Slot, near: usize| match is_behind {
            true => at <= slot.start && slot.start - at < near,
            false => slot.end <= at && at - slot.end < near,
        };
        // `It moves from the 4th to the 11th, because it takes two weeks.`
        let touches = |slot: &&Slot| if is_behind { slot.start == at } else { slot.end == at };
        if self.is_from_to(slots, at)
            && let Some(slot) = slots.iter().find(touches)
        {
            return Some(slot);
        }
        // `5 euros from 16 March instead of 4`: the day only says from when.
        let mut near: Vec<&Slot> = slots.iter().filter(|slot| is_near(slot, NEAR)).collect();
        if near.iter().all(|slot| slot.is_time) {
            let further = slots.iter().filter(|slot| !slot.is_time && is_near(slot, 2 * NEAR));
            near = further.chain(near).collect();
        }
        let best = |slots: Vec<&'s Slot>| if is_behind { slots.first().copied() } else { slots.last().copied() };
        let (said, timed): (Vec<&Slot>, Vec<&Slot>) = near.into_iter().partition(|slot| !slot.is_time);
        best(said).or(best(timed))
    }

    /// A pair of the values, or else the phrases, that stand where two parts of the sentence meet; each is behind a word,
    /// or before it.
    fn pair(&self, slots: &[Slot], old: (usize, bool), new: (usize, bool), may_be_words: bool) -> Option<Pair> {
        let value = |side: (usize, bool)| {
            self.value_at(slots, side.0, side.1).map(|slot| Slot { is_time: false, ..slot.clone() })
        };
        match (value(old), value(new)) {
            (Some(old), Some(new)) if old.start != new.start => {
                let (old, new) = self.alike(old, new);
                let own = sorted(old.own.iter().chain(&new.own).copied());
                // Of `PostgreSQL 17 instead of SQLite, because two servers …` the values belong to other things.
                let is_apart = self.part(old.start) != self.part(new.start) && !old.is_comparable(&new);
                if !is_apart {
                    let is_pair = old.is_comparable(&new) && !old.is_same(&new);
                    return is_pair.then_some(Pair {
                        old: Side::Value(old),
                        new: Some(Side::Value(new)),
                        own,
                        is_strict: false,
                    });
                }
            }
            // `replaced coal with wood on Friday`: the day only says when.
            (Some(one), Some(_)) if one.says_when() && one.start >= old.0.max(new.0) => {}
            (Some(_), Some(_)) => return None,
            _ => {}
        }
        let phrase = |side: (usize, bool)| match side.1 {
            true => (side.0 < self.n()).then(|| self.phrase(side.0)).flatten(),
            false => self.phrase_to(side.0),
        };
        let (old, new) = (phrase(old)?, Some(phrase(new)?));
        let is_named = |phrase: &Phrase| self.names.iter().any(|name| name.0 <= phrase.1 && phrase.2 <= name.1);
        let are_names = is_named(&old) && new.as_ref().is_some_and(is_named);
        // A long sentence contrasts more than it changes, and so does one that says what stays.
        let is_short = self.n() <= SENTENCE_WORDS_MAX && !self.unit.has(Cue::Keeps);
        if !(may_be_words && is_short || are_names) {
            return None;
        }
        self.words_pair(old, new)
    }

    fn words_pair(&self, old: Phrase, new: Option<Phrase>) -> Option<Pair> {
        if new.as_ref().is_some_and(|new| new.0 == old.0) {
            return None;
        }
        let is_in = |at: usize, side: &Phrase| side.1 <= at && at < side.2;
        let own_of = |new: Option<&Phrase>| {
            let clauses = [Some(&old), new].map(|side| side.map(|side| self.clause(side.1)));
            let is_other = |at: usize| !is_in(at, &old) && !new.is_some_and(|new| is_in(at, new));
            let own = self.stems(|at| is_other(at) && clauses.contains(&Some(self.clause(at))));
            if own.is_empty() { self.stems(is_other) } else { own }
        };
        let mut own = own_of(new.as_ref());
        // `The window shows rugs instead of lamps`: what stands before as many words as the old has says of what.
        let n_old = old.2 - old.1;
        let new = match new {
            Some(new) if own.is_empty() && new.2 <= old.1 && new.2 - new.1 > n_old => {
                let start = new.2 - n_old;
                let stems = sorted((start..new.2).map(|at| self.texts.word(self.unit.tokens[at]).stem));
                let new = (stems, start, new.2);
                own = own_of(Some(&new));
                Some(new)
            }
            new => new,
        };
        Some(Pair { old: Side::Words(old.0), new: new.map(|new| Side::Words(new.0)), own, is_strict: false })
    }

    /// `Instead of coal we now burn wood`: the old first, the new anywhere behind it.
    fn pair_opening(&self, from: usize, may_be_words: bool) -> Option<Pair> {
        let (mut old, start, mut end) =
            (from < self.n()).then(|| self.phrase(from)).flatten().filter(|_| may_be_words)?;
        if !self.unit.language.lexicon().claims.capitalised.is_empty() {
            // Behind the noun stands the verb: `Statt Kohle nehmen wir Holz`.
            end = (start..end).find(|at| self.unit.tokens[*at].is_capital)? + 1;
            old = sorted((start..end).map(|at| self.texts.word(self.unit.tokens[at]).stem));
        }
        self.words_pair((old, start, end), None)
    }

    fn replaced(&self, slots: &[Slot]) -> Vec<Pair> {
        let unit = self.unit;
        let mut out = Vec::new();
        for found in unit.all(Cue::Replaces) {
            let part = self.part(found.start);
            let with = unit.all(Cue::With).find(|with| with.start >= found.end && self.part(with.start) == part);
            match with {
                // `coal is replaced by wood`
                Some(with) if with.start == found.end => out.extend(
                    self.phrase_to(found.start)
                        .and_then(|old| self.words_pair(old, self.phrase(with.end.min(self.n() - 1)))),
                ),
                // `replaces coal with wood`
                Some(with) => out.extend(self.pair(slots, (found.end, true), (with.end, true), true)),
                None => match unit
                    .all(Cue::With)
                    .filter(|with| with.end < found.start && self.part(with.start) == part)
                    .last()
                {
                    // `Kohle wird durch Holz ersetzt`
                    Some(with) if found.end == self.n() || self.part(found.end) != part => {
                        out.extend(
                            self.phrase_to(with.start).and_then(|old| self.words_pair(old, self.phrase(with.end))),
                        );
                    }
                    // `wood replaces coal`
                    _ => out.extend(
                        (found.end < self.n())
                            .then(|| self.phrase(found.end))
                            .flatten()
                            .and_then(|old| self.words_pair(old, self.phrase_before(found.start))),
                    ),
                },
            }
        }
        out
    }

    /// The last phrase before a word, function words aside.
    fn phrase_to(&self, to: usize) -> Option<Phrase> {
        (1..=to).rev().take(3).find_map(|at| self.phrase_before(at))
    }

    /// `Rye is renamed to Wheat`, `What was Rye is now called Wheat`: the old name.
    fn renamed(&self) -> Option<Pair> {
        let found = self.unit.all(Cue::Renames).next()?;
        let old = self.phrase_to(found.start)?;
        let new = (found.end < self.n()).then(|| self.phrase(found.end)).flatten();
        let own = self.stems(|at| at < old.1);
        Some(Pair { old: Side::Words(old.0), new: new.map(|new| Side::Words(new.0)), own, is_strict: true })
    }

    /// The values with the unit of the other where only one has it: `from 89 to 95 euros`, `from 18 to 20 March`.
    fn alike(&self, old: Slot, new: Slot) -> (Slot, Slot) {
        // `At 15 boxes, not at 10` names no hour.
        let told = |slot: Slot, other: &Slot| {
            let is_bare = slot.sort == Sort::Time && other.sort != Sort::Time && slot.said.parse::<u32>().is_ok();
            let (sort, readings) = (Sort::Count(String::new()), vec![slot.said.clone()]);
            if is_bare { Slot { sort, readings, ..slot } } else { slot }
        };
        let (old, new) = (told(old.clone(), &new), told(new, &old));
        let with_unit = |bare: Slot, other: &Slot| {
            let is_digit = |ch: char| ch.is_ascii_digit();
            let made = match other.sort {
                Sort::Date => other.said.replacen(
                    other.said.split(|ch| !is_digit(ch)).find(|run| !run.is_empty()).unwrap_or(" "),
                    &bare.said,
                    1,
                ),
                _ => format!("{} {}", bare.said, other.behind),
            };
            let value = ground::values(&made, self.unit.day).into_iter().find(|value| value.sort == other.sort);
            match value {
                Some(value) => {
                    Slot { sort: value.sort, readings: value.readings, period: other.period.clone(), ..bare }
                }
                None => bare,
            }
        };
        let (mut old, mut new) = match (old.is_bare(), new.is_bare()) {
            (true, false) => (with_unit(old, &new), new),
            (false, true) => {
                let new = with_unit(new, &old);
                (old, new)
            }
            _ => (old, new),
        };
        if old.period.is_none() || new.period.is_none() {
            let period = old.period.clone().or(new.period.clone());
            (old.period, new.period) = (period.clone(), period);
        }
        (old, new)
    }

    /// The pair that two people make when one takes over from the other, or hands over to the other.
    fn pair_of_people(&self) -> Option<Pair> {
        let unit = self.unit;
        let behind = |cue: &[Cue]| {
            let is_behind =
                |name: &&(usize, usize)| unit.cues.iter().any(|found| cue.contains(&found.cue) && found.end == name.0);
            self.names.iter().find(is_behind).copied()
        };
        let first = self.names.first().copied();
        let (old, new) = if unit.has(Cue::Takes) {
            let old = behind(&[Cue::From, Cue::Of])?;
            // Of `she takes over the rota from Ben` nobody knows who she is, but that he no longer has it.
            (old, first.filter(|first| *first != old))
        } else if unit.has(Cue::Gives) {
            (first?, Some(behind(&[Cue::To, Cue::Toward])?))
        } else {
            return None;
        };
        if new == Some(old) {
            return None;
        }
        let side = |name: (usize, usize)| sorted((name.0..name.1).map(|at| self.texts.word(unit.tokens[at]).stem));
        let is_named = |at: usize| self.names.iter().any(|name| name.0 <= at && at < name.1);
        // What it is may stand beside either: `Ada left, so the rota goes to Leo`.
        let clauses = [Some(old), new].into_iter().flatten().map(|name| self.clause(name.0)).collect::<Vec<u16>>();
        let mut own = self.stems(|at| !is_named(at) && clauses.contains(&self.clause(at)));
        if own.is_empty() {
            // `Ben handed the SDK to Ada`: what is handed over has a name, too.
            let is_of = |at: usize| [Some(old), new].into_iter().flatten().any(|name| name.0 <= at && at < name.1);
            own = self.stems(|at| !is_of(at) && clauses.contains(&self.clause(at)));
        }
        Some(Pair { old: Side::Words(side(old)), new: new.map(|new| Side::Words(side(new))), own, is_strict: true })
    }
}
