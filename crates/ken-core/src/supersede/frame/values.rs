//! The values of a sentence: amounts, days, hours, weekdays, how often, with what each is the value of.

use super::super::cues::{Cue, Found};
use super::super::slot::{NAMED, Slot, WEEKDAY, is_past, period};
use super::{Reader, Value, sorted};
use crate::ground::{self, Sort};
use crate::language::Language;
use crate::span::Span;
use crate::when::is_weekday;
use crate::words::stem;

impl Reader<'_> {
    /// The values of the sentence; a weekday is one too, the same in every week.
    pub(super) fn values(&self) -> Vec<Value> {
        let unit = self.unit;
        let text = unit.text.trim_end_matches(['.', '!', ' ']);
        let has_value = unit.tokens.iter().any(|token| {
            let word = self.texts.word(*token);
            word.is_number || word.is_calendar || word.folded.bytes().any(|byte| byte.is_ascii_digit())
        });
        let mut values = if has_value || text.contains(['½', '€', '$']) { self.said(text) } else { Vec::new() };
        values.retain(|value| value.sort != Sort::Name);
        for token in &unit.tokens {
            let word = self.texts.word(*token);
            let bare = word.folded.strip_suffix('s').filter(|bare| is_weekday(bare)).unwrap_or(&word.folded);
            if word.is_calendar && is_weekday(bare) {
                values.retain(|value| value.span.end <= token.span.start || token.span.end <= value.span.start);
                let sort = Sort::Count(WEEKDAY.to_owned());
                values.push(ground::Value { span: token.span, sort, readings: vec![bare.to_owned()] });
            }
        }
        values.extend(self.counted(&values));
        values.extend(self.often(&values));
        values.sort_by_key(|value| value.span);
        let placed = |value: ground::Value| {
            let start = unit.tokens.iter().position(|token| token.span.end > value.span.start)?;
            let end = unit.tokens.iter().rposition(|token| token.span.start < value.span.end)? + 1;
            (start < end).then_some(Value { value, start, end })
        };
        values.into_iter().filter_map(placed).collect()
    }

    /// The values of a text; `moves from 12 to 19 May` has two, where `from 12 to 19 May` is one.
    fn said(&self, text: &str) -> Vec<ground::Value> {
        let unit = self.unit;
        let joins = |span: Span| {
            let mut inside = unit.all(Cue::To).filter(|to| {
                span.start < unit.tokens[to.start].span.start && unit.tokens[to.end - 1].span.end < span.end
            });
            inside.next().filter(|to| {
                unit.cues.iter().any(|found| {
                    matches!(found.cue, Cue::Alters | Cue::Switch)
                        && self.part(found.start) == self.part(to.start)
                        && found.start < to.start
                })
            })
        };
        let values = ground::values(text, unit.day);
        let Some(to) = values.iter().find_map(|value| joins(value.span)) else { return values };
        let (end, start) = (unit.tokens[to.start].span.start, unit.tokens[to.end - 1].span.end);
        let behind = ground::values(&text[start..], unit.day)
            .into_iter()
            .map(|value| ground::Value { span: value.span.shifted(start), ..value });
        ground::values(&text[..end], unit.day).into_iter().chain(behind).collect()
    }

    /// Numbers in words other than one that are no values yet, by the word behind each.
    fn counted(&self, known: &[ground::Value]) -> Vec<ground::Value> {
        let claims = &self.unit.language.lexicon().claims;
        let is_known =
            |span: Span| known.iter().any(|value| value.span.start < span.end && span.start < value.span.end);
        let tokens = &self.unit.tokens;
        let value = |at: usize| {
            let word = self.texts.word(tokens[at]);
            let is_it = |words: &str| words.split(' ').any(|other| other == word.folded);
            let all =
                || claims.sure_numbers.iter().chain(claims.unsure_numbers.iter().filter(|(number, _)| *number < 25));
            let number = word
                .is_number
                .then(|| all().find(|(_, words)| is_it(words)))
                .flatten()
                .filter(|(number, _)| *number > 1)?
                .0;
            let next =
                tokens.get(at + 1).filter(|next| next.part == tokens[at].part).map(|next| self.texts.word(*next));
            let unit =
                next.filter(|next| next.is_content || next.is_unit).map_or(String::new(), |next| stem(&next.folded));
            Some(ground::Value { span: tokens[at].span, sort: Sort::Count(unit), readings: vec![number.to_string()] })
        };
        (0..self.n()).filter(|at| !is_known(tokens[*at].span)).filter_map(value).collect()
    }

    /// How often something happens, and that it costs nothing.
    fn often(&self, known: &[ground::Value]) -> Vec<ground::Value> {
        let (unit, changes) = (self.unit, &self.unit.language.lexicon().changes);
        let seconds = |list: &'static [(u32, &'static str)], at: usize| {
            let word = unit.tokens.get(at).map(|token| self.texts.word(*token))?;
            list.iter()
                .find(|(_, words)| words.split(' ').any(|known| known == word.lower || known == word.folded))
                .map(|(seconds, _)| *seconds)
        };
        let length = |start: usize, end: usize, seconds: u32| {
            let span = Span::new(unit.tokens[start].span.start, unit.tokens[end - 1].span.end);
            ground::Value { span, sort: Sort::Length, readings: vec![format!("{:.3}", f64::from(seconds))] }
        };
        let each = unit
            .all(Cue::Each)
            .filter_map(|found| Some(length(found.start, found.end + 1, seconds(changes.lengths, found.end)?)));
        let adverbs = (0..self.n()).filter_map(|at| Some(length(at, at + 1, seconds(changes.often, at)?)));
        let free = unit.all(Cue::Free).map(|found| {
            let span = Span::new(unit.tokens[found.start].span.start, unit.tokens[found.end - 1].span.end);
            ground::Value { span, sort: Sort::Money, readings: vec!["0".to_owned()] }
        });
        let mut out: Vec<ground::Value> = each.chain(adverbs).chain(free).collect();
        out.retain(|value| {
            !known.iter().any(|other| other.span.start < value.span.end && value.span.start < other.span.end)
        });
        out
    }

    pub(super) fn slots(&self) -> Vec<Slot> {
        self.values.iter().map(|value| self.slot(value)).collect()
    }

    fn slot(&self, value: &Value) -> Slot {
        let unit = self.unit;
        let (start, end) = (value.start, value.end);
        let clause = self.clause(start);
        let mut own = self.own(clause, (start, end));
        // `The rent was raised, it is 5 euros from July`: the clause before says of what.
        let n_told = own.iter().filter(|stem| !self.texts.is_weak[**stem as usize]).count();
        if let Some(before) = self.before(clause).filter(|_| !self.says_change(clause) || n_told <= 1) {
            own = sorted(own.into_iter().chain(self.stems(|at| self.clause(at) == before)));
        }
        if let Some(next) =
            unit.tokens.get(end).filter(|_| matches!(&value.value.sort, Sort::Count(unit) if !unit.is_empty()))
        {
            let unit_stem = self.texts.word(*next).stem;
            own.retain(|stem| *stem != unit_stem);
        }
        let (sort, readings) = self.measured(value);
        let span = value.value.span;
        let said = span.of(unit.text);
        let is_date = value.value.sort == Sort::Date;
        // The day on which something was written, or before it, says when, and not what.
        let is_past = is_date && unit.day.is_some_and(|day| is_past(said, &value.value.readings, day));
        let may_date = matches!(sort, Sort::Date | Sort::Time | Sort::Version)
            || value.value.sort == Sort::Count(WEEKDAY.to_owned());
        let is_dated = unit.cues.iter().any(|found| {
            matches!(found.cue, Cue::Since | Cue::Effective)
                && !self.is_until(start)
                && found.end <= start
                && found.end + 2 > start
        });
        let behind: Vec<&str> = unit.text[span.end..].split(' ').filter(|word| !word.is_empty()).take(2).collect();
        let denies = |found: &Found| {
            found.cue == Cue::Not && self.clause(found.start) == clause && found.start < start
                || found.cue == Cue::Unfit && self.part(found.start) == self.part(start)
        };
        let is_habit = value.value.sort == Sort::Count(WEEKDAY.to_owned()) && self.is_habit(value);
        Slot {
            sort,
            readings,
            said: said.to_owned(),
            behind: behind.join(" "),
            period: period(&unit.text[span.end..]),
            own,
            start,
            end,
            changes: self.is_new(clause),
            is_denied: unit.cues.iter().any(denies),
            is_old: false,
            is_habit,
            is_amount: value.start > 0
                && unit.cues.iter().any(|found| {
                    matches!(found.cue, Cue::Is | Cue::To | Cue::Owns)
                        && found.end == start
                        && self.clause(found.start) == clause
                }),
            is_listed: self.values.iter().any(|other| {
                other.start != start
                    && self.part(other.start) == self.part(start)
                    && other.value.sort == value.value.sort
                    && other.value.readings != value.value.readings
            }),
            is_time: is_past || may_date && is_dated || self.is_in_range(start, end),
        }
    }

    /// Whether a day up to which something holds stands there.
    fn is_until(&self, start: usize) -> bool {
        self.unit.all(Cue::Until).any(|found| found.end <= start && found.end + 2 > start)
    }

    /// The readings of an hour of the day: `at 8`, `8 Uhr`, `à 8 heures`.
    fn hour(&self, value: &Value) -> Option<Vec<String>> {
        if !matches!(value.value.sort, Sort::Count(_)) || value.end - value.start != 1 {
            return None;
        }
        let hour: u32 = value.value.readings.first()?.parse().ok().filter(|hour| *hour <= 24)?;
        let unit = self.unit;
        let next = unit.tokens.get(value.end).map(|token| self.texts.word(*token));
        let lengths = unit.language.lexicon().changes.lengths;
        let is_hours = next.is_some_and(|next| {
            lengths.iter().any(|(seconds, words)| *seconds == 3600 && words.split(' ').any(|word| word == next.lower))
        });
        let is_bare =
            value.value.sort == Sort::Count(String::new()) || next.is_none_or(|next| !next.is_content && !next.is_unit);
        let is_behind = unit.all(Cue::ClockBehind).any(|found| found.start == value.end);
        // `at 8 hours` is no time in English, as it is in French.
        let is_before = unit.all(Cue::Clock).any(|found| found.end == value.start)
            && (is_bare || is_hours && unit.language != Language::ENGLISH);
        (is_behind || is_before).then(|| vec![format!("t{}", hour * 60)])
    }

    /// Whether a weekday is that of every week, or where something moves to: `on Mondays`, `moves to Monday`.
    fn is_habit(&self, value: &Value) -> bool {
        let unit = self.unit;
        let word = &self.texts.word(unit.tokens[value.start]).folded;
        let is_plural = !is_weekday(word);
        let is_each = unit.all(Cue::Each).any(|found| found.end == value.start);
        let before = value.start.checked_sub(1).map(|before| self.texts.word(unit.tokens[before]));
        let is_every = unit.language != Language::ENGLISH
            && before
                .is_some_and(|before| before.is_determiner || matches!(before.lower.as_str(), "los" | "al" | "au"));
        let clause = self.clause(value.start);
        let moves = |found: &Found| {
            matches!(found.cue, Cue::Switch | Cue::Alters | Cue::Change)
                && self.clause(found.start) == clause
                && found.start < value.start
        };
        let is_moved = unit.all(Cue::To).any(|found| found.end == value.start) && unit.cues.iter().any(moves);
        is_plural || is_each || is_every || is_moved
    }

    /// What sort a value is of, and its readings: units of time in seconds in every language, and a word that says
    /// something else is no unit.
    fn measured(&self, value: &Value) -> (Sort, Vec<String>) {
        let (sort, readings) = (value.value.sort.clone(), value.value.readings.clone());
        if let Some(readings) = self.hour(value) {
            return (Sort::Time, readings);
        }
        // `Android 11` is a value of its name.
        let before = value.start.checked_sub(1).filter(|before| self.part(*before) == self.part(value.start));
        if let (Sort::Count(_), Some(before)) =
            (&sort, before.filter(|before| *before > 0 && self.texts.is_name(self.unit, *before, false)))
        {
            return (Sort::Count(format!("{NAMED}{}", self.texts.word(self.unit.tokens[before]).folded)), readings);
        }
        let next = self.unit.tokens.get(value.end).map(|token| self.texts.word(*token).folded.as_str());
        match (&sort, next) {
            (Sort::Count(unit), Some(next)) if !unit.is_empty() && unit != WEEKDAY => {
                let lengths = self.unit.language.lexicon().changes.lengths;
                let seconds = lengths
                    .iter()
                    .find(|(_, words)| words.split(' ').any(|word| word == next))
                    .map(|(seconds, _)| *seconds);
                if let Some(seconds) = seconds {
                    let scaled = readings.iter().filter_map(|reading| {
                        Some(format!("{:.3}", reading.parse::<f64>().ok()? * f64::from(seconds)))
                    });
                    return (Sort::Length, scaled.collect());
                }
                let is_cue = self
                    .unit
                    .cues
                    .iter()
                    .any(|found| found.start == value.end && (found.cue.tells_change() || found.cue == Cue::Joins));
                (if is_cue { Sort::Count(String::new()) } else { sort }, readings)
            }
            (Sort::Count(unit), Some(next))
                if unit.is_empty() && self.texts.word(self.unit.tokens[value.end]).is_unit =>
            {
                (Sort::Count(next.to_owned()), readings)
            }
            _ => (sort, readings),
        }
    }

    /// Whether a value is the beginning or end of a range: `10 to 12`, `10–12`.
    fn is_in_range(&self, start: usize, end: usize) -> bool {
        let joins = |from: usize, to: usize| {
            let is_to = self
                .unit
                .cues
                .iter()
                .any(|found| matches!(found.cue, Cue::To | Cue::Until) && found.start >= from && found.end <= to);
            let text = &self.unit.text[self.unit.tokens[from - 1].span.end..self.unit.tokens[to].span.start];
            to - from <= 2 && (is_to || matches!(text.trim(), "–" | "-" | "—"))
        };
        let before = self.values.iter().any(|other| other.end <= start && other.end > 0 && joins(other.end, start));
        let behind = self.values.iter().any(|other| end <= other.start && joins(end, other.start));
        (before || behind) && !self.says_change(self.clause(start))
    }
}
