//! What a statement says of change: its values with the words around them, its pairs of old and new, what it ends.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use super::Said;
use super::patterns::{self, Patterns};
use super::slot::{Pair, Side, Slot, WEEKDAY, is_past, period};
use crate::ground::{self, Sort};
use crate::language::{LEXICONS, Language, WordSet};
use crate::span::Span;
use crate::text::sentences;
use crate::time::Date;
use crate::when::{is_calendar_name, is_weekday};
use crate::words::{fold, is_stop, stem, words};

/// Most words of a phrase that is replaced by another.
const PHRASE_WORDS_MAX: usize = 4;
/// Longest sentence in characters that replaces words by words.
const WORDS_CHARS_MAX: usize = 120;
/// How far from what joins them the values of a pair may stand, in bytes.
const NEAR: usize = 28;
/// Longest statement that is looked at, in bytes.
const BYTES_MAX: usize = 4096;

/// One sentence of a statement.
#[derive(Debug, Default)]
pub(super) struct Sentence {
    pub(super) stems: BTreeSet<String>,
    pub(super) slots: Vec<Slot>,
    pub(super) pairs: Vec<Pair>,
    /// The words of what is said to have ended.
    pub(super) ends: Vec<BTreeSet<String>>,
    /// Whether it has a word of change.
    pub(super) changes: bool,
    /// Whether it asks, wishes, guesses, tries or reports.
    pub(super) is_unsure: bool,
    /// Whether somebody takes something over.
    pub(super) takes: bool,
    pub(super) asks: bool,
}

impl Sentence {
    pub(super) fn says_change(&self) -> bool {
        self.changes || !self.pairs.is_empty() || !self.ends.is_empty()
    }
}

/// A statement.
#[derive(Debug, Default)]
pub(super) struct Read {
    pub(super) sentences: Vec<Sentence>,
    pub(super) stems: BTreeSet<String>,
}

/// Returns the statements, each read in the language that it is in.
pub(super) fn read_all(said: &[Said<'_>]) -> Vec<Read> {
    let all: String = said.iter().flat_map(|one| [one.text, "\n"]).collect();
    let common = Language::of(&all);
    let texts = said.iter().map(|one| (crate::text::within(one.text, BYTES_MAX), one.day));
    texts.map(|(text, day)| read(text, day, patterns::of(language(text, common)))).collect()
}

/// The language of a statement, which is too short to show it by telling words alone: that of most of its function
/// words; that of all statements together where no other has more.
fn language(text: &str, common: Language) -> Language {
    let found = Language::of(text);
    if found != Language::ENGLISH {
        return found;
    }
    let said: Vec<String> = words(text).iter().map(|word| fold(word.of(text))).collect();
    static FUNCTION_WORDS: LazyLock<Vec<BTreeSet<&str>>> = LazyLock::new(|| {
        let lists = LEXICONS.iter().map(|lexicon| [lexicon.stop, lexicon.telling, lexicon.claims.capitalised]);
        lists.map(|lists| lists.into_iter().flat_map(str::split_whitespace).collect()).collect()
    });
    let count = |language: &Language| {
        said.iter().filter(|word| FUNCTION_WORDS[language.place()].contains(word.as_str())).count()
    };
    let n_common = count(&common);
    let spoken = Language::ALL.into_iter().filter(|language| !language.lexicon().changes.change.is_empty());
    let best = spoken.map(|language| (count(&language), language)).max_by_key(|(n, _)| *n);
    best.filter(|(n, _)| *n > n_common).map_or(common, |(_, language)| language)
}

fn read(text: &str, day: Option<Date>, patterns: &Patterns) -> Read {
    let plain = text.replace("**", "").replace('`', "");
    let sentences: Vec<Sentence> =
        sentences(&plain).into_iter().map(|span| sentence(span.of(&plain), day, patterns)).collect();
    let stems = sentences.iter().flat_map(|sentence| sentence.stems.iter().cloned()).collect();
    Read { sentences, stems }
}

fn has(pattern: &Option<Regex>, text: &str) -> bool {
    pattern.as_ref().is_some_and(|pattern| pattern.is_match(text))
}

/// Whether a text has a word of change; `now and then` is none.
fn says_change(patterns: &Patterns, text: &str) -> bool {
    let mut found = patterns.change.iter().flat_map(|change| change.find_iter(text));
    found.any(|word| !text[word.end()..].starts_with(" and then")) || has(&patterns.back, text)
}

fn sentence(text: &str, day: Option<Date>, patterns: &Patterns) -> Sentence {
    let named = ground::values(text, day).into_iter().filter(|value| value.sort == Sort::Name);
    let names = named.flat_map(|value| ground::stems(value.span.of(text))).map(|(_, stem)| stem).collect();
    let reader = Reader { text, day, patterns, clauses: clauses(text, patterns), names };
    let mut slots: Vec<(Slot, Span)> = reader.slots();
    let changes = says_change(patterns, text);
    let pairs = reader.pairs(changes);
    let ranges = reader.ranges();
    for (slot, at) in &mut slots {
        slot.is_time |= ranges.iter().any(|range| range.start <= at.start && at.end <= range.end);
        slot.is_old = pairs.iter().any(|pair| matches!(&pair.old, Side::Value(value) if value.is_same(slot)));
    }
    let takes = has(&patterns.takes, text);
    let asks = text.trim_end().ends_with('?');
    let is_unsure = asks || has(&patterns.unsure, text);
    let slots = slots.into_iter().map(|(slot, _)| slot).collect();
    Sentence { stems: reader.stems(text), slots, ends: reader.ends(), pairs, changes, is_unsure, takes, asks }
}

/// The parts of a sentence between punctuation and words that join clauses.
fn clauses(text: &str, patterns: &Patterns) -> Vec<Span> {
    let mut out = Vec::new();
    let mut from = 0;
    for found in patterns.joins.iter().flat_map(|joins| joins.find_iter(text)) {
        // `1,500` is one number and `17:00` one time.
        let is_inside = text[found.end()..].starts_with(|ch: char| ch.is_ascii_digit())
            && text[..found.start()].ends_with(|ch: char| ch.is_ascii_digit());
        if !is_inside {
            out.push(Span::new(from, found.start()));
            from = found.end();
        }
    }
    out.push(Span::new(from.min(text.len()), text.len()));
    out
}

static UNITS: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.changes.units));
static NUMBERS: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.numbers));

/// A sentence while it is read.
struct Reader<'t> {
    text: &'t str,
    day: Option<Date>,
    patterns: &'t Patterns,
    clauses: Vec<Span>,
    /// The stems of its names.
    names: BTreeSet<String>,
}

impl Reader<'_> {
    /// The stems of a part of the sentence, without words of change.
    fn stems(&self, part: &str) -> BTreeSet<String> {
        let is_cue = |word: &str| [&self.patterns.change, &self.patterns.back].iter().any(|pattern| has(pattern, word));
        let is_unit = |span: Span| {
            let folded = fold(span.of(part));
            UNITS.has(&folded) || is_calendar_name(&folded)
        };
        let told = ground::stems(part).into_iter().filter(|(span, _)| !is_cue(span.of(part)) && !is_unit(*span));
        told.map(|(_, stem)| stem).filter(|stem| !NUMBERS.has(stem)).collect()
    }

    /// The values of a part of the sentence; a weekday is one too, the same in every week.
    fn values(&self, part: &str) -> Vec<ground::Value> {
        let part = part.trim_end_matches(['.', '!', ';', ' ']);
        let mut values = ground::values(part, self.day);
        for span in words(part) {
            let said = fold(span.of(part));
            let bare = said.strip_suffix('s').filter(|bare| is_weekday(bare)).unwrap_or(&said);
            if is_weekday(bare) {
                values.retain(|value| value.span.end <= span.start || span.end <= value.span.start);
                let sort = Sort::Count(WEEKDAY.to_owned());
                values.push(ground::Value { span, sort, readings: vec![bare.to_owned()] });
            }
        }
        values.sort_by_key(|value| value.span);
        values
    }

    /// Whether a clause says that something changed, or the one before it does and has no value of its own.
    fn is_new(&self, clause: Span) -> bool {
        let says = |span: &Span| says_change(self.patterns, span.of(self.text));
        let keeps = has(&self.patterns.keeps, clause.of(self.text));
        let before = self.clauses.iter().rev().find(|other| other.end <= clause.start);
        !keeps
            && (says(&clause)
                || before.is_some_and(|before| says(before) && self.values(before.of(self.text)).is_empty()))
    }

    /// Where values from one to another stand, which are no values by themselves.
    fn ranges(&self) -> Vec<Span> {
        let found = self.patterns.from_to.iter().flat_map(|range| range.captures_iter(self.text));
        let whole = found.filter_map(|found| found.get(0)).map(|whole| Span::new(whole.start(), whole.end() + NEAR));
        let text = self.text;
        whole.map(|span| Span::new(span.start, span.end.min(text.len()))).collect()
    }

    fn slots(&self) -> Vec<(Slot, Span)> {
        let values = self.values(self.text);
        values.into_iter().map(|value| (self.slot(&value, self.text, 0), value.span)).collect()
    }

    /// A value of `part`, which begins at `at`.
    fn slot(&self, value: &ground::Value, part: &str, at: usize) -> Slot {
        let span = value.span.shifted(at);
        let clause = self.clauses.iter().find(|clause| clause.start <= span.start && span.end <= clause.end);
        let clause = clause.copied().unwrap_or(Span::new(0, self.text.len()));
        let own_text = format!(
            "{} {}",
            &self.text[clause.start..span.start.max(clause.start)],
            &self.text[span.end.min(clause.end)..clause.end]
        );
        let mut own = self.stems(&own_text);
        if own.is_empty() {
            own = self.stems(self.text);
        }
        let changes = self.is_new(clause);
        if let Sort::Count(unit) = &value.sort {
            own.remove(unit);
        }
        if value.sort == Sort::Name {
            // Of a person or product what it is of tells, not who else is named.
            own.retain(|known| !self.names.contains(known));
        }
        let before = &self.text[..span.start];
        let is_date = value.sort == Sort::Date;
        // The day on which something was written, or before it, says when, and not what.
        let is_past = is_date && self.day.is_some_and(|day| is_past(value.span.of(part), &value.readings, day));
        let may_date = matches!(value.sort, Sort::Date | Sort::Time | Sort::Version);
        let is_time = is_past || may_date && has(&self.patterns.effective, before);
        let behind: Vec<&str> = part[value.span.end..].split(' ').filter(|word| !word.is_empty()).take(2).collect();
        Slot {
            sort: value.sort.clone(),
            readings: value.readings.clone(),
            said: value.span.of(part).to_owned(),
            behind: behind.join(" "),
            period: period(&part[value.span.end..]),
            own,
            changes,
            is_old: false,
            is_first: before.trim().is_empty(),
            is_time,
        }
    }

    /// What is said to have ended: the clause that says so, or all of the sentence if that is about nothing.
    fn ends(&self) -> Vec<BTreeSet<String>> {
        let Some(pattern) = &self.patterns.ends else { return Vec::new() };
        let ended = |span: Span| {
            let clause = span.of(self.text);
            let found = pattern.find(clause)?;
            let inner = found.as_str();
            let rest = format!("{} {} {}", &clause[..found.start()], inner, &clause[found.end()..]);
            let cue: BTreeSet<String> =
                if inner.split_whitespace().count() > 3 { BTreeSet::new() } else { self.stems(inner) };
            let own: BTreeSet<String> = self.stems(&rest).difference(&cue).cloned().collect();
            let whole = || self.stems(self.text).difference(&cue).cloned().collect();
            Some(if own.len() < 2 { whole() } else { own })
        };
        // Said across clauses it is of the whole sentence.
        let found: Vec<BTreeSet<String>> = self.clauses.iter().filter_map(|span| ended(*span)).collect();
        if found.is_empty() { ended(Span::new(0, self.text.len())).into_iter().collect() } else { found }
    }

    fn pairs(&self, changes: bool) -> Vec<Pair> {
        let (text, patterns) = (self.text, self.patterns);
        let mut out = Vec::new();
        let all = |pattern: &'_ Option<Regex>| -> Vec<(usize, usize)> {
            pattern
                .iter()
                .flat_map(|pattern| pattern.find_iter(text))
                .map(|found| (found.start(), found.end()))
                .collect()
        };
        let with_verb = changes || has(&patterns.replaces, text) || text.contains(": ");
        for (start, end) in all(&patterns.instead) {
            out.extend(self.pair((end, text.len()), (0, start), with_verb));
        }
        for (start, end) in all(&patterns.and_not).into_iter().chain(all(&patterns.formerly)) {
            out.extend(self.pair((end, text.len()), (0, start), false));
        }
        let two = |pattern: &'_ Option<Regex>| -> Vec<((usize, usize), usize)> {
            let found = pattern.iter().flat_map(|pattern| pattern.captures_iter(text));
            found
                .filter_map(|found| Some(((found.get(1)?.start(), found.get(1)?.end()), found.get(0)?.end())))
                .collect()
        };
        for (old, end) in two(&patterns.from_to) {
            // `on leave from 3 to 5 May; tasks go to Leo` changes no day.
            let start = text[..old.0].rfind(';').map_or(0, |at| at + 1);
            let part = &text[start..text[end..].find(';').map_or(text.len(), |at| end + at)];
            if changes && says_change(patterns, part) {
                out.extend(self.pair_behind(old, end, true));
            }
        }
        out.extend(self.pair_of_people());
        for (old, end) in two(&patterns.not_but) {
            out.extend(self.pair_behind(old, end, false));
        }
        for (start, end) in all(&patterns.replaces) {
            let rest = &text[end..];
            match patterns.with.as_ref().and_then(|with| with.find(rest)) {
                // `coal is replaced by wood`
                Some(with) if rest[..with.start()].trim().is_empty() => {
                    out.extend(self.pair((0, start), (end + with.end(), text.len()), true));
                }
                // `replaces coal with wood`
                Some(with) => out.extend(self.pair_behind((end, end + with.start()), end + with.end(), true)),
                None => match patterns.with.as_ref().and_then(|with| with.find(&text[..start])) {
                    // `Kohle wird durch Holz ersetzt`
                    Some(with) if rest.trim_matches([' ', '.', '!']).is_empty() => {
                        out.extend(self.pair((0, with.start()), (with.end(), start), true));
                    }
                    // `wood replaces coal`
                    _ => out.extend(self.pair((end, text.len()), (0, start), false)),
                },
            }
        }
        out
    }

    /// A pair whose old side is all of a part, and whose new one follows.
    fn pair_behind(&self, old: (usize, usize), new: usize, may_be_words: bool) -> Option<Pair> {
        self.pair(old, (new, self.text.len()), may_be_words)
    }

    /// A pair of the values, or else the phrases, that stand where two parts of the sentence meet.
    fn pair(&self, old: (usize, usize), new: (usize, usize), may_be_words: bool) -> Option<Pair> {
        let old_is_first = old.0 < new.0;
        let (left, right) = if old_is_first { (old, new) } else { (new, old) };
        let values = (self.value_at_end(left), self.value_at_start(right));
        let (old_value, new_value) = if old_is_first { (values.0, values.1) } else { (values.1, values.0) };
        if let (Some(old_value), Some(new_value)) = (old_value, new_value) {
            let (old_value, new_value) = self.alike(old_value, new_value);
            if old_value.is_comparable(&new_value) && !old_value.is_same(&new_value) {
                let own = old_value.own.union(&new_value.own).cloned().collect();
                return Some(Pair { old: Side::Value(old_value), new: Some(Side::Value(new_value)), own });
            }
            return None;
        }
        // A long sentence contrasts more than it changes, and so does one that says what stays.
        let is_short = self.text.chars().count() <= WORDS_CHARS_MAX && !has(&self.patterns.keeps, self.text);
        if !may_be_words || !is_short {
            return None;
        }
        let phrase = |(start, end): (usize, usize), is_left: bool| self.phrase(&self.text[start..end], is_left);
        let (left_words, right_words) = (phrase(left, true), phrase(right, false));
        let (old_words, new_words) = if old_is_first { (left_words, right_words) } else { (right_words, left_words) };
        if old_words.is_empty() || old_words == new_words {
            return None;
        }
        let own = self
            .stems(self.text)
            .into_iter()
            .filter(|stem| !old_words.contains(stem) && !new_words.contains(stem))
            .collect();
        Some(Pair { old: Side::Words(old_words), new: Some(Side::Words(new_words)), own })
    }

    /// The values with the unit of the other where only one has it: `from 89 to 95 euros`, `from 18 to 20 March`.
    fn alike(&self, old: Slot, new: Slot) -> (Slot, Slot) {
        let is_bare = |slot: &Slot| slot.sort == Sort::Count(String::new());
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
            let value = ground::values(&made, self.day).into_iter().find(|value| value.sort == other.sort);
            match value {
                Some(value) => {
                    Slot { sort: value.sort, readings: value.readings, period: other.period.clone(), ..bare }
                }
                None => bare,
            }
        };
        let (mut old, mut new) = match (is_bare(&old), is_bare(&new)) {
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

    fn value_at_end(&self, (start, end): (usize, usize)) -> Option<Slot> {
        let part = &self.text[start..end];
        let values = self.values(part);
        let last = values.iter().rev().find(|value| part.len() - value.span.end <= NEAR);
        let found = last.map(|last| self.slot(last, part, start));
        found
            .or_else(|| self.name_in(start.max(end.saturating_sub(NEAR)), end))
            .map(|slot| Slot { is_time: false, ..slot })
    }

    fn value_at_start(&self, (start, end): (usize, usize)) -> Option<Slot> {
        let part = &self.text[start..end];
        let values = self.values(part);
        let first = values.iter().find(|value| value.span.start <= NEAR);
        let found = first.map(|first| self.slot(first, part, start));
        found.or_else(|| self.name_in(start, end.min(start + NEAR))).map(|slot| Slot { is_time: false, ..slot })
    }

    /// A name of the sentence that stands there: at the beginning of a part by itself a capital says nothing.
    fn name_in(&self, start: usize, end: usize) -> Option<Slot> {
        let names = self.values(self.text).into_iter().filter(|value| value.sort == Sort::Name);
        let found = names.into_iter().find(|value| start <= value.span.start && value.span.end <= end)?;
        Some(self.slot(&found, self.text, 0))
    }

    /// The pair that two people make when one takes over from the other, or hands over to the other; whoever stands
    /// first in the sentence need not be known as a name.
    fn pair_of_people(&self) -> Option<Pair> {
        let (takes, gives) = (has(&self.patterns.takes, self.text), has(&self.patterns.gives, self.text));
        let names: Vec<ground::Value> = match takes || gives {
            true => self.values(self.text).into_iter().filter(|value| value.sort == Sort::Name).collect(),
            false => return None,
        };
        let behind = |pattern: &Option<Regex>| {
            let name = names.iter().find(|name| has(pattern, &self.text[..name.span.start]))?;
            Some(self.slot(name, self.text, 0))
        };
        let first = names.first().filter(|name| name.span.start == 0).map(|name| self.slot(name, self.text, 0));
        let (old, new) = match takes {
            true => (behind(&self.patterns.from)?, first),
            false => (first?, Some(behind(&self.patterns.to)?)),
        };
        let own = self.stems(self.text).difference(&self.names).cloned().collect();
        Some(Pair { old: Side::Value(old), new: new.map(Side::Value), own })
    }

    /// The words of the phrase at the end or start of a part.
    fn phrase(&self, part: &str, at_end: bool) -> BTreeSet<String> {
        let bounds = self.patterns.joins.as_ref();
        let part = match at_end {
            true => bounds.and_then(|joins| joins.find_iter(part).last()).map_or(part, |found| &part[found.end()..]),
            false => bounds.and_then(|joins| joins.find(part)).map_or(part, |found| &part[..found.start()]),
        };
        let all = words(part);
        let all = all.iter().map(|word| word.of(part));
        let taken: Vec<&str> = match at_end {
            true => all.rev().take(PHRASE_WORDS_MAX).collect(),
            false => all.take(PHRASE_WORDS_MAX).collect(),
        };
        let told = taken.into_iter().filter(|word| !is_stop(word) && !has(&self.patterns.change, word));
        told.filter(|word| word.chars().any(char::is_alphabetic)).map(|word| stem(&fold(word))).collect()
    }
}
