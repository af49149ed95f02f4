//! What a sentence says of change: its values with the words around them, its pairs of old and new, what it ends.

mod amount;
mod endings;
mod fillers;
mod pairs;
mod values;
mod worded;

use std::sync::LazyLock;

use super::cues::{Cue, Found};
use super::read::Texts;
use super::slot::{Frame, Side, Slot, WEEKDAY};
use super::unit::{Unit, is_covered};
use super::word::lists;
use crate::ground::{self, Sort};
use crate::language::{LEXICONS, Language, WordSet};

/// Most words of a phrase that is replaced by another, or is a value.
const PHRASE_WORDS_MAX: usize = 4;
/// Most words of a sentence that replaces words by words.
const SENTENCE_WORDS_MAX: usize = 28;
/// How far from what joins them the values of a pair may stand, in words.
const NEAR: usize = 4;
/// Place of the last word, from 0, with which a sentence may begin that corrects: `Oh, I am sorry`.
const CORRECTS_UP_TO: usize = 2;
/// Longest name with a digit, in bytes.
const CODE_NAME_MAX: usize = 4;

static SPEAKER: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.pages.speaker));

impl Texts<'_> {
    /// Returns what a sentence says.
    pub(super) fn frame(&self, at: usize) -> &Frame {
        let unit = &self.units[at];
        unit.frame.get_or_init(|| read(self, unit))
    }
}

fn read(texts: &Texts<'_>, unit: &Unit<'_>) -> Frame {
    let is_told = |at: usize| texts.word(unit.tokens[at]).is_content && !is_covered(&unit.cues, at);
    let told = (0..unit.tokens.len()).map(is_told).collect();
    let mut reader = Reader { texts, unit, told, values: Vec::new(), names: Vec::new() };
    reader.values = reader.values();
    reader.names = reader.names();
    let mut slots = reader.slots();
    let pairs = reader.pairs(&slots);
    for slot in &mut slots {
        // In a pair `18` of `from 18 to 20 March` has the month.
        let is_it = |value: &Slot| value.is_same(slot) || value.start == slot.start;
        let is_old = pairs.iter().any(|pair| matches!(&pair.old, Side::Value(value) if is_it(value)));
        slot.is_old = is_old;
    }
    // What was before is no second value: `60 seconds now rather than 300`.
    let old: Vec<usize> = slots.iter().filter(|slot| slot.is_old).map(|slot| slot.start).collect();
    for slot in slots.iter_mut().filter(|slot| slot.is_listed) {
        slot.is_listed = reader.is_listed(slot.start, &old);
    }
    Frame {
        fillers: reader.fillers(),
        ends: reader.ends(),
        labels: reader.labels(),
        takes: unit.has(Cue::Takes) || unit.has(Cue::Gives),
        begins: (0..=reader.clause(reader.n() - 1)).any(|clause| reader.begins(clause)),
        renames: unit.all(Cue::Renames).any(|found| {
            !unit
                .all(Cue::Not)
                .any(|not| not.end <= found.start && reader.clause(not.start) == reader.clause(found.start))
        }),
        slots,
        pairs,
    }
}

/// The stems of a phrase, its first word and the one behind its last.
type Phrase = (Vec<u32>, usize, usize);

/// A value of the sentence: its first word and the one behind its last.
struct Value {
    value: ground::Value,
    start: usize,
    end: usize,
}

struct Reader<'r> {
    texts: &'r Texts<'r>,
    unit: &'r Unit<'r>,
    /// Of each word whether it tells what the sentence is about, beside phrases that say how.
    told: Vec<bool>,
    values: Vec<Value>,
    /// The names: first word and the one behind the last.
    names: Vec<(usize, usize)>,
}

/// Whether a word is a short name with a digit: `4b`, `ce1`.
fn is_code_name(word: &str) -> bool {
    let is_digit = |byte: u8| byte.is_ascii_digit();
    word.len() <= CODE_NAME_MAX
        && word.bytes().any(is_digit)
        && word.bytes().filter(u8::is_ascii_alphabetic).count() <= 2
        && word.bytes().any(|byte| byte.is_ascii_alphabetic())
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

fn sorted(stems: impl IntoIterator<Item = u32>) -> Vec<u32> {
    let mut out: Vec<u32> = stems.into_iter().collect();
    out.sort_unstable();
    out.dedup();
    out
}

impl Reader<'_> {
    fn n(&self) -> usize {
        self.unit.tokens.len()
    }

    fn clause(&self, at: usize) -> u16 {
        self.unit.tokens[at.min(self.n() - 1)].clause
    }

    fn part(&self, at: usize) -> u16 {
        self.unit.tokens[at.min(self.n() - 1)].part
    }

    /// The names of the sentence, neighbouring words as one.
    fn names(&self) -> Vec<(usize, usize)> {
        let unit = self.unit;
        let mut out: Vec<(usize, usize)> = Vec::new();
        for at in 0..self.n() {
            let is_small = |at: usize| unit.tokens.get(at).is_some_and(|token| !self.texts.word(*token).is_content);
            let does = |found: &Found| {
                matches!(found.cue, Cue::Owns | Cue::Takes | Cue::Gives | Cue::Departs)
                    && (found.start == 1 || found.start == 2 && is_small(1))
            };
            // `Ada Cole is …`
            let has_second = || {
                self.n() > 1 && self.part(1) == 0 && self.texts.is_name(unit, 1, false) && !is_covered(&unit.cues, 1)
            };
            let is_subject = at == 0 && (unit.cues.iter().any(does) || has_second());
            // `I own the rota`: somebody does.
            let is_speaker = is_subject && SPEAKER.has(&self.texts.word(unit.tokens[at]).lower);
            let is_name = is_speaker || self.texts.is_name(unit, at, is_subject);
            if self.is_value(at) || is_covered(&unit.cues, at) || !is_name {
                continue;
            }
            match out.last_mut().filter(|last| last.1 == at && self.part(at) == self.part(at - 1)) {
                Some(last) => last.1 = at + 1,
                None => out.push((at, at + 1)),
            }
        }
        out
    }

    fn is_value(&self, at: usize) -> bool {
        self.values.iter().any(|value| value.start <= at && at < value.end)
    }

    /// The stems of words that tell, of those that `takes` chooses.
    fn stems(&self, takes: impl Fn(usize) -> bool) -> Vec<u32> {
        let told = (0..self.n()).filter(|at| self.told[*at] && takes(*at) && !self.is_value(*at));
        sorted(told.map(|at| self.texts.word(self.unit.tokens[at]).stem))
    }

    /// The stems of a clause without some words; of all of the sentence where that has none.
    fn own(&self, clause: u16, but: (usize, usize)) -> Vec<u32> {
        let is_other = |at: usize| at < but.0 || but.1 <= at;
        let own = self.stems(|at| self.clause(at) == clause && is_other(at));
        if own.is_empty() { self.stems(is_other) } else { own }
    }

    /// The same of a value, which belongs to the nearest clause before it that has words: `Marigold (3.0) now on 14 April,
    /// because the page is late`.
    fn own_of_value(&self, clause: u16, but: (usize, usize)) -> Vec<u32> {
        let is_other = |at: usize| at < but.0 || but.1 <= at;
        let of = |clause: u16| self.stems(|at| self.clause(at) == clause && is_other(at));
        let near = (0..=clause).rev().map(of).find(|stems| !stems.is_empty());
        near.unwrap_or_else(|| self.stems(is_other))
    }

    /// The stems before the colon behind which a clause stands.
    fn head(&self, clause: u16) -> Vec<u32> {
        let first = (0..self.n()).find(|at| self.clause(*at) == clause);
        let head = first.filter(|first| self.stands_behind_colon(*first));
        head.map(|_| self.stems(|at| self.clause(at) + 1 == clause)).unwrap_or_default()
    }

    /// Whether a colon stands before a word: `Retreat: 8 to 10 May`.
    pub(super) fn stands_behind_colon(&self, at: usize) -> bool {
        let tokens = &self.unit.tokens;
        at > 0 && self.unit.text[tokens[at - 1].span.end..tokens[at].span.start].trim_end() == ":"
    }

    fn has(&self, cue: Cue, clause: u16) -> bool {
        self.unit.all(cue).any(|found| self.clause(found.start) == clause)
    }

    /// Whether a phrase says that something changed: `now and then` does not, nor does `no change`.
    fn is_change(&self, found: &Found, of_words: bool) -> bool {
        use Cue::*;
        let is_it = match found.cue {
            Change | Takes | Back | Switch => true,
            Alters => !of_words,
            Corrects => self.is_label(found) || !of_words && found.start <= CORRECTS_UP_TO,
            _ => false,
        };
        let unit = self.unit;
        let behind = &unit.text[unit.tokens[found.end - 1].span.end..];
        is_it
            && !behind.starts_with(" and then")
            && !behind.starts_with('-')
            && !unit.all(Not).any(|not| not.end == found.start)
            // `for now`
            && !unit.all(Keeps).any(|keeps| keeps.start < found.start && found.end <= keeps.end)
    }

    /// Whether a colon stands behind a phrase: `Opening hours corrected: 9 to 5`.
    fn is_label(&self, found: &Found) -> bool {
        let behind = &self.unit.text[self.unit.tokens[found.end - 1].span.end..];
        self.part(found.start) == 0 && behind.trim_start().starts_with(':')
    }

    fn says_change(&self, clause: u16) -> bool {
        let says = |found: &Found| self.clause(found.start) == clause && self.is_change(found, false);
        // `The oven holds 36 trays since the repair`
        let is_behind = |since: &Found| self.clause(since.start) == clause + 1 && self.is_since_event(since);
        self.unit.cues.iter().any(says) || self.begins(clause) || self.unit.all(Cue::Since).any(is_behind)
    }

    /// Whether a clause says from which hour or day on something has been so: `since 8:30`, not `from 8:30`; `from 1 June`.
    fn begins(&self, clause: u16) -> bool {
        let is_when = |value: &Value| matches!(value.value.sort, Sort::Time | Sort::Date);
        // `since eight`
        let is_hour = |value: &Value| {
            let hour = value.value.readings.first().and_then(|reading| reading.parse::<u32>().ok());
            let behind = self.unit.tokens.get(value.end).filter(|_| self.part(value.start) == self.part(value.end));
            let is_bare = behind.is_none_or(|behind| {
                let behind = self.texts.word(*behind);
                !behind.is_content && !behind.is_unit
            });
            matches!(value.value.sort, Sort::Count(_)) && is_bare && hour.is_some_and(|hour| hour <= 24)
        };
        let begins = |since: &Found| {
            let is_from = self.unit.all(Cue::From).any(|from| from.start == since.start);
            // Of days, where something is also meant that it goes on to, `from` says no beginning: `from 12 to 19 May`.
            let is_range = || self.unit.all(Cue::To).any(|to| self.clause(to.start) == clause);
            let is_day = |value: &Value| value.value.sort == Sort::Date && !is_range();
            let is_it = |value: &Value| {
                value.start == since.end && (is_when(value) || is_hour(value)) && (!is_from || is_day(value))
            };
            self.clause(since.start) == clause && (self.values.iter().any(is_it) || self.is_since_event(since))
        };
        self.unit.all(Cue::Since).any(begins)
    }

    /// Whether it says that something has been so since something happened: `since the repair`, not `since the oven is hot`.
    fn is_since_event(&self, since: &Found) -> bool {
        let tokens = &self.unit.tokens;
        let of = self.clause(since.start);
        let behind: Vec<usize> = (since.end..self.n()).take_while(|at| self.clause(*at) == of).collect();
        let is_ahead = LEXICONS.iter().any(|lexicon| {
            let mut words = lexicon.changes.since_ahead.split_whitespace();
            words.any(|word| word == self.texts.word(tokens[since.start]).lower)
        });
        let is_led = behind.first().is_some_and(|first| !self.told[*first] && !self.is_value(*first));
        !is_ahead
            && is_led
            && matches!(behind.len(), 2 | 3)
            && behind[1..].iter().all(|at| self.told[*at] && !self.is_value(*at))
    }

    /// Whether a clause says why, when or which.
    fn is_subordinate(&self, clause: u16) -> bool {
        let first = (0..self.n()).find(|at| self.clause(*at) == clause);
        first.is_some_and(|first| first > 0 && self.unit.all(Cue::Because).any(|found| found.start == first))
    }

    /// The clause before one, if it says that something changed and has no value of its own.
    fn before(&self, clause: u16) -> Option<u16> {
        // `From Monday the break is longer, 30 minutes`: the day only says from when.
        let says_when = |value: &Value| {
            matches!(&value.value.sort, Sort::Date) || value.value.sort == Sort::Count(WEEKDAY.to_owned())
        };
        let is_since =
            |value: &Value| says_when(value) && self.unit.all(Cue::Since).any(|since| since.end == value.start);
        let has_value =
            |clause: u16| self.values.iter().any(|value| self.clause(value.start) == clause && !is_since(value));
        clause.checked_sub(1).filter(|before| self.says_change(*before) && !has_value(*before))
    }

    /// Whether a clause says that something changed, or the one before it does and has no value of its own.
    fn is_new(&self, clause: u16) -> bool {
        let part = (0..self.n()).find(|at| self.clause(*at) == clause).map_or(0, |at| self.part(at));
        let has = |cue: Cue| self.unit.all(cue).any(|found| self.part(found.start) == part);
        // `From today it stays open until 8`
        let is_kept = has(Cue::Keeps) && !has(Cue::Change);
        !is_kept && (self.says_change(clause) || self.before(clause).is_some() || self.is_moved(clause))
    }

    /// Whether what follows a clause says nothing but by how much it moved: `on 24 April, a week later`.
    fn is_moved(&self, clause: u16) -> bool {
        let is_length = |found: &Found| self.texts.word(self.unit.tokens[found.start]).is_unit;
        let moves =
            |at: usize| self.unit.all(Cue::Alters).any(|found| is_length(found) && found.start <= at && at < found.end);
        let is_small = |at: usize| !self.texts.word(self.unit.tokens[at]).is_content;
        let all: Vec<usize> = (0..self.n()).filter(|at| self.clause(*at) == clause + 1).collect();
        let is_all = all.iter().any(|at| moves(*at)) && all.iter().all(|at| moves(*at) || is_small(*at));
        // `The parcel arrived on 4 March, two days later` tells of another day.
        is_all && all.first().is_some_and(|first| *first > 0 && !self.texts.is_event(self.unit, first - 1))
    }

    /// The same of words, which differ for many reasons.
    fn is_new_word(&self, clause: u16) -> bool {
        let unit = self.unit;
        let says = |found: &Found| self.is_change(found, true) && !self.is_told(found);
        let here =
            unit.cues.iter().any(|found| self.clause(found.start) == clause && says(found)) || self.begins(clause);
        let opens = || {
            clause == 1
                && unit.cues.iter().any(|found| self.clause(found.start) == 0 && says(found))
                && self.stems(|at| self.clause(at) == 0 && !self.is_named(at)).is_empty()
        };
        let is_kept = self.unit.has(Cue::Keeps) && !self.has(Cue::Change, clause) || self.has(Cue::Also, clause);
        !is_kept && !self.is_subordinate(clause) && (here || opens())
    }

    fn is_named(&self, at: usize) -> bool {
        self.names.iter().any(|name| name.0 <= at && at < name.1)
    }

    /// `Now add the helper`, `Move it to the shelf` tell what is done, `Switched to wood` what changed.
    fn is_told(&self, found: &Found) -> bool {
        let word = &self.texts.word(self.unit.tokens[found.start]).folded;
        let is_past = word.ends_with("ed") && self.unit.all(Cue::To).any(|to| to.start == found.end);
        let is_mine = found.start == 1 && self.texts.word(self.unit.tokens[0]).lower == "i";
        (found.start == 0 || is_mine) && found.end == 1 && self.unit.language == Language::ENGLISH && !is_past
    }

    /// Numbers that name something, and short names with a digit: `room 3`, `class 4b`.
    fn labels(&self) -> Vec<(u32, u32)> {
        let word = |at: usize| self.texts.word(self.unit.tokens[at]);
        let is_label = |at: &usize| {
            let before = word(*at - 1);
            word(*at).is_number
                && word(*at).folded.bytes().all(|byte| byte.is_ascii_digit())
                && before.is_content
                // `Key safe code 4471` has a code, and is none of several.
                && !lists(self.unit.language).codes.contains(before.lower.as_str())
                && !self.texts.is_name(self.unit, *at - 1, false)
                && self.values.iter().all(|value| {
                    value.end <= *at || *at < value.start || *at == 1 || value.value.sort == Sort::Count(String::new())
                })
        };
        let is_beside = |at: &usize| self.part(*at) == self.part(*at - 1);
        let numbered = (1..self.n()).filter(is_beside).filter(is_label).map(|at| (word(at - 1).stem, word(at).stem));
        // `classe de CE1`
        let of = |at: usize| (at.saturating_sub(2)..at).rev().find(|before| word(*before).is_content);
        // `30s` is no name.
        let has_unit = |at: &usize| {
            let unit = word(*at).folded.trim_start_matches(|ch: char| ch.is_ascii_digit());
            lists(self.unit.language).units.contains(unit)
        };
        let coded = (1..self.n()).filter(is_beside).filter(|at| is_code_name(&word(*at).folded) && !has_unit(at));
        numbered.chain(coded.filter_map(|at| Some((word(of(at)?).stem, word(at).stem)))).collect()
    }

    /// The words of the phrase that begins at a word, function words before it aside, and where it ends; a number in it
    /// counts only behind its word.
    fn phrase(&self, from: usize) -> Option<Phrase> {
        let part = self.part(from);
        let is_content = |at: usize| self.told[at];
        let stops = |at: usize| at >= self.n() || self.part(at) != part;
        let unit_has_determiner = |at: usize| !stops(at) && self.texts.word(self.unit.tokens[at]).is_determiner;
        let mut start = from;
        while !stops(start) && !is_content(start) {
            let is_change = |found: &Found| {
                matches!(found.cue, Cue::Change | Cue::Switch) && found.start <= start && start < found.end
            };
            // `dans de la paille`
            let is_partitive = start == from
                && unit_has_determiner(start + 1)
                && self.unit.all(Cue::From).any(|found| found.start == start && found.end == start + 1);
            // `in the shed instead of on the roof`
            let is_placed = start == from && self.unit.all(Cue::Instead).any(|found| found.end == from);
            let is_open = self.is_value(start)
                || is_partitive
                || is_placed
                || self.texts.word(self.unit.tokens[start]).is_determiner
                || self.texts.word(self.unit.tokens[start]).is_unit
                || self.unit.cues.iter().any(is_change)
                || !self.unit.cues.iter().any(|found| found.start == start);
            if !is_open || start >= from + 3 {
                return None;
            }
            start += 1;
        }
        let mut end = start;
        let mut stems = Vec::new();
        while !stops(end) && stems.len() < PHRASE_WORDS_MAX {
            let word = self.texts.word(self.unit.tokens[end]);
            if !(is_content(end) || word.is_number && end > start) {
                break;
            }
            stems.push(word.stem);
            end += 1;
        }
        (!stems.is_empty()).then(|| (sorted(stems), start, end))
    }

    /// The words of the phrase that ends before a word.
    fn phrase_before(&self, to: usize) -> Option<Phrase> {
        let part = self.part(to.checked_sub(1)?);
        let is_content = |at: usize| self.told[at];
        let mut start = to;
        let mut stems = Vec::new();
        while start > 0 && self.part(start - 1) == part && stems.len() < PHRASE_WORDS_MAX && is_content(start - 1) {
            start -= 1;
            stems.push(self.texts.word(self.unit.tokens[start]).stem);
        }
        (!stems.is_empty()).then(|| (sorted(stems), start, to))
    }
}
