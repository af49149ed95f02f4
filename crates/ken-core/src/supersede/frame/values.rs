//! The values of a sentence: amounts, days, hours, weekdays, how often, with what each is the value of.

use super::super::cues::{Cue, Found};
use super::super::slot::{DAYS, DIALLED, NAMED, RANGE, STATE, Slot, WEEKDAY, dialled, is_past, period};
use super::super::unit::is_covered;
use super::super::word::lists;
use super::{Reader, Value, sorted};
use crate::ground::{self, Sort};
use crate::language::Language;
use crate::span::Span;
use crate::time::Date;
use crate::when::is_weekday;

impl Reader<'_> {
    /// The values of the sentence; a weekday is one too, the same in every week.
    pub(super) fn values(&self) -> Vec<Value> {
        let unit = self.unit;
        let text = unit.text.trim_end_matches(['.', '!', ' ']);
        let has_value = unit.tokens.iter().any(|token| {
            let word = self.texts.word(*token);
            word.is_number
                || word.is_calendar
                || word.folded == unit.language.lexicon().changes.one
                || word.folded.bytes().any(|byte| byte.is_ascii_digit())
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
        for hour in self.hours_and_minutes() {
            values.retain(|value| value.span.end <= hour.span.start || hour.span.end <= value.span.start);
            values.push(hour);
        }
        for span in dialled(text) {
            values.retain(|value| value.span.end <= span.start || span.end <= value.span.start);
            let readings = vec![span.of(text).to_owned()];
            values.push(ground::Value { span, sort: Sort::Count(DIALLED.to_owned()), readings });
        }
        values.extend(self.days_of_month(&values));
        for part in self.fractions() {
            values.retain(|value| value.span.end <= part.span.start || part.span.end <= value.span.start);
            values.push(part);
        }
        let often = self.often();
        values.retain(|value| {
            !often.iter().any(|other| other.span.start < value.span.end && value.span.start < other.span.end)
        });
        values.extend(often);
        values.extend(self.counted(&values));
        values.extend(self.states());
        values.sort_by_key(|value| value.span);
        let placed = |value: ground::Value| {
            let start = unit.tokens.iter().position(|token| token.span.end > value.span.start)?;
            let end = unit.tokens.iter().rposition(|token| token.span.start < value.span.end)? + 1;
            (start < end).then_some(Value { value, start, end })
        };
        values.into_iter().filter_map(placed).collect()
    }

    /// Parts of a unit of time: `half an hour`.
    fn fractions(&self) -> Vec<ground::Value> {
        let unit = self.unit;
        let said: Vec<&str> = unit.tokens.iter().map(|token| self.texts.word(*token).lower.as_str()).collect();
        let value = |at: usize| {
            let fractions = &lists(unit.language).fractions;
            let (seconds, length) =
                fractions.iter().find_map(|(n, wording)| Some((n, wording.length(&said[at..])?)))?;
            let span = Span::new(unit.tokens[at].span.start, unit.tokens[at + length - 1].span.end);
            Some(ground::Value { span, sort: Sort::Length, readings: vec![format!("{:.3}", f64::from(*seconds))] })
        };
        (0..said.len()).filter_map(value).collect()
    }

    /// Days that are said without their month: `on the 18th`. It is this month's, or the next one's if it is over.
    fn days_of_month(&self, known: &[ground::Value]) -> Vec<ground::Value> {
        let (unit, Some(today)) = (self.unit, self.unit.day) else { return Vec::new() };
        let number = |at: usize| {
            let word = &self.texts.word(unit.tokens[at]).folded;
            let digits = ["st", "nd", "rd", "th"].iter().find_map(|ending| word.strip_suffix(ending))?;
            digits.parse::<i8>().ok()
        };
        let is_day = |at: &usize| {
            let before = self.texts.word(unit.tokens[*at - 1]);
            let is_counting = unit.tokens.get(*at + 1).is_some_and(|next| {
                self.part(*at + 1) == self.part(*at)
                    && self.texts.word(*next).is_content
                    && !is_covered(&unit.cues, *at + 1)
            });
            let span = unit.tokens[*at].span;
            let is_known = known.iter().any(|value| value.span.start < span.end && span.start < value.span.end);
            (before.is_determiner || before.is_calendar) && !is_counting && !is_known
        };
        let value = |at: usize| {
            let here = Date::new(today.year(), today.month(), number(at)?).ok();
            let month = today.first_of_month().checked_add(jiff::Span::new().months(1)).ok()?;
            let next = Date::new(month.year(), month.month(), number(at)?).ok().filter(|_| here < Some(today));
            let reading = |day: Date| format!("{0:02}-{1:02}..{0:02}-{1:02}", day.month(), day.day());
            let readings: Vec<String> = here.into_iter().chain(next).map(reading).collect();
            (!readings.is_empty()).then(|| ground::Value { span: unit.tokens[at].span, sort: Sort::Date, readings })
        };
        (1..unit.tokens.len()).filter(is_day).filter_map(value).collect()
    }

    /// The values of a text; `moves from 12 to 19 May` has two, where `from 12 to 19 May` is one.
    fn said(&self, text: &str) -> Vec<ground::Value> {
        let unit = self.unit;
        let joins = |span: Span| {
            let mut inside = unit.all(Cue::To).filter(|to| {
                span.start < unit.tokens[to.start].span.start && unit.tokens[to.end - 1].span.end < span.end
            });
            inside.next().filter(|to| {
                // `Moved to 12 to 19 May` has one.
                let is_whole = |found: &Found| found.end < to.start && unit.tokens[found.end].span.start == span.start;
                !unit.all(Cue::To).any(is_whole)
                    && unit.cues.iter().any(|found| {
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

    pub(super) fn slots(&self) -> Vec<Slot> {
        let slots: Vec<Slot> = self.values.iter().map(|value| self.slot(value)).collect();
        let ranges: Vec<Slot> = slots.windows(2).filter_map(|pair| self.range(&pair[0], &pair[1])).collect();
        slots.into_iter().chain(ranges).collect()
    }

    /// Two ends of a range as one value: `10 to 12`.
    fn range(&self, from: &Slot, to: &Slot) -> Option<Slot> {
        let is_number = |slot: &Slot| matches!(slot.sort, Sort::Count(_) | Sort::Time) && !slot.is_weekday();
        let is_alike = from.sort == to.sort || from.is_bare();
        let is_range = is_alike
            && from.is_time
            && to.is_time
            && is_number(from)
            && is_number(to)
            && self.joins(from.end, to.start);
        let first = |slot: &Slot| slot.readings.first().map(|reading| reading.trim_start_matches('t').to_owned());
        let readings = vec![format!("{}..{}", first(from)?, first(to)?)];
        is_range.then(|| Slot {
            sort: Sort::Count(RANGE.to_owned()),
            readings,
            end: to.end,
            is_time: false,
            is_listed: false,
            is_amount: true,
            noun: None,
            own: from.own.iter().copied().filter(|stem| to.own.contains(stem)).collect(),
            ..from.clone()
        })
    }

    /// Whether what stands between two values makes a range of them: `to`, `–`.
    fn joins(&self, from: usize, to: usize) -> bool {
        if from == 0 || to < from || to >= self.n() {
            return false;
        }
        let is_to = self
            .unit
            .cues
            .iter()
            .any(|found| matches!(found.cue, Cue::To | Cue::Until) && found.start >= from && found.end <= to);
        let text = &self.unit.text[self.unit.tokens[from - 1].span.end..self.unit.tokens[to].span.start];
        to - from <= 2 && (is_to || matches!(text.trim(), "–" | "-" | "—"))
    }

    /// The words that say of what something is the value, and what it counts, which is none of them.
    fn belongs_to(&self, value: &Value) -> (Vec<u32>, Option<u32>) {
        let unit = self.unit;
        let (start, end) = (value.start, value.end);
        let clause = self.clause(start);
        let mut own = self.own_of_value(clause, (start, end));
        let mut noun = None;
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
            noun = Some(unit_stem).filter(|_| self.texts.word(*next).is_content);
        }
        // What the amount is for says nothing of what costs it: `40 euros a bale`.
        if let Some(per) = self.is_for(value).filter(|per| own.iter().any(|stem| stem != per)) {
            own.retain(|stem| *stem != per);
        }
        (own, noun)
    }

    fn slot(&self, value: &Value) -> Slot {
        let unit = self.unit;
        let (start, end) = (value.start, value.end);
        let clause = self.clause(start);
        let (own, noun) = self.belongs_to(value);
        let (mut sort, readings) = self.measured(value);
        // `From 29 to 31 May` says when it is, `from 29 May` since when something holds.
        if sort == Sort::Date && unit.all(Cue::To).any(|to| start < to.start && to.end < end) {
            sort = Sort::Count(DAYS.to_owned());
        }
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
        // `No more than 8` denies nothing.
        let bounds = |not: &Found| unit.all(Cue::Bounds).any(|found| found.start <= not.start && not.end <= found.end);
        let denies = |found: &Found| {
            found.cue == Cue::Not && self.clause(found.start) == clause && found.start < start && !bounds(found)
                || found.cue == Cue::Unfit && self.part(found.start) == self.part(start)
        };
        let is_habit = value.value.sort == Sort::Count(WEEKDAY.to_owned()) && self.is_habit(value);
        let is_state = sort == Sort::Count(STATE.to_owned());
        Slot {
            sort,
            readings,
            said: said.to_owned(),
            behind: behind.join(" "),
            period: period(&unit.text[span.end..]),
            own,
            noun,
            start,
            end,
            changes: unit.is_new || self.is_new(clause) || is_state && self.has(Cue::Again, clause),
            is_denied: unit.cues.iter().any(denies),
            is_old: false,
            is_habit,
            is_placed: self.is_placed(start, end),
            head: self.head(clause),
            leans: self.leans(start),
            is_amount: self.is_headed(start) || self.is_said_amount(start) || self.is_bounded(start, end),
            is_listed: self.is_listed(start, &[]),
            is_time: is_past || may_date && is_dated || self.is_in_range(start, end) || self.is_offset(value),
        }
    }

    /// Whether another value of its sort stands beside the one at a word, some aside.
    pub(super) fn is_listed(&self, start: usize, but: &[usize]) -> bool {
        let Some(value) = self.values.iter().find(|value| value.start == start) else { return false };
        self.values.iter().any(|other| {
            other.start != start
                && !but.contains(&other.start)
                && self.part(other.start) == self.part(start)
                && other.value.sort == value.value.sort
                && other.value.readings != value.value.readings
        })
    }

    /// Whether the clause of a value names nothing, and points at something that was.
    fn leans(&self, start: usize) -> bool {
        let clause = self.clause(start);
        let points = |found: &Found| self.clause(found.start) == clause && found.end <= start;
        self.unit.all(Cue::Stands).any(points) && self.stems(|at| self.clause(at) == clause).is_empty()
    }

    /// What an amount of money is for: `a bale` of `40 euros a bale`.
    fn is_for(&self, value: &Value) -> Option<u32> {
        let unit = self.unit;
        let behind = |at: usize| unit.tokens.get(at).filter(|token| token.part == self.part(value.start));
        let end = value.end + usize::from(self.texts.word(*behind(value.end)?).is_unit);
        let first = self.texts.word(*behind(end)?);
        let is_small = first.is_determiner || unit.all(Cue::Each).any(|found| found.start == end) || {
            unit.language.lexicon().changes.qualifies.split('|').any(|word| word == first.lower)
        };
        let next = self.texts.word(*behind(end + 1)?);
        (value.value.sort == Sort::Money && is_small && next.is_content).then_some(next.stem)
    }

    /// Whether it is by how much something differs from another: `10 minutes later`.
    fn is_offset(&self, value: &Value) -> bool {
        let is_unit = |at: usize| self.unit.tokens.get(at).is_some_and(|token| self.texts.word(*token).is_unit);
        let end = value.end + usize::from(is_unit(value.end) && value.value.sort != Sort::Date);
        self.unit.all(Cue::Offset).any(|found| found.start == end && self.part(end) == self.part(value.start))
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
        // `at 8 °C`
        if unit.text[value.value.span.end..].trim_start().starts_with('°') {
            return None;
        }
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
        if let (Sort::Count(_), Some(name)) = (&sort, self.name_of(value)) {
            return (Sort::Count(format!("{NAMED}{}", self.texts.word(self.unit.tokens[name]).folded)), readings);
        }
        let next = self.unit.tokens.get(value.end).map(|token| self.texts.word(*token).folded.as_str());
        // `60s now`: the unit is a part of what is said.
        let said = value.value.span.of(self.unit.text);
        let is_glued = said.starts_with(|ch: char| ch.is_ascii_digit()) && said.ends_with(char::is_alphabetic);
        let next = match &sort {
            Sort::Count(unit) if is_glued && !unit.is_empty() => Some(unit.as_str()),
            _ => next,
        };
        match (&sort, next) {
            (Sort::Count(unit), Some(next)) if !unit.is_empty() && !unit.starts_with('\u{1}') => {
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
                let is_cue =
                    !is_glued
                        && self.unit.cues.iter().any(|found| {
                            found.start == value.end && (found.cue.tells_change() || found.cue == Cue::Joins)
                        });
                (if is_cue { Sort::Count(String::new()) } else { sort }, readings)
            }
            (Sort::Count(unit), Some(next))
                if unit.is_empty() && self.texts.word(self.unit.tokens[value.end]).is_unit =>
            {
                (Sort::Count(ground::unit(next)), readings)
            }
            _ => (sort, readings),
        }
    }

    /// The name that a number belongs to: `Android 11`, and where it has a decimal point `Tracker 2.4 is out`, `Tracker in
    /// the shop is 2.4`.
    fn name_of(&self, value: &Value) -> Option<usize> {
        let unit = self.unit;
        let is_name = |at: usize| self.texts.is_name(unit, at, false);
        let said = value.value.span.of(unit.text);
        let is_version = said.split('.').count() == 2 && said.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        let before = value.start.checked_sub(1).filter(|before| self.part(*before) == self.part(value.start))?;
        if (before > 0 || is_version) && is_name(before) {
            return Some(before);
        }
        let is = unit.all(Cue::Is).find(|is| is.end == value.start)?;
        let clause = self.clause(value.start);
        let mut named = (0..is.start).filter(|at| self.clause(*at) == clause && is_name(*at));
        named.next().filter(|_| is_version && named.next().is_none())
    }

    /// Whether a value is the beginning or end of a range: `10 to 12`, `10–12`.
    fn is_in_range(&self, start: usize, end: usize) -> bool {
        let sort = self.values.iter().find(|value| value.start == start).map(|value| &value.value.sort);
        let is_alike =
            |first: Option<&Sort>, second: Option<&Sort>| first == second || first == Some(&Sort::Count(String::new()));
        let is_before = |other: &&Value| {
            other.end <= start && self.joins(other.end, start) && is_alike(Some(&other.value.sort), sort)
        };
        let is_behind = |other: &&Value| {
            end <= other.start && self.joins(end, other.start) && is_alike(sort, Some(&other.value.sort))
        };
        let other = self.values.iter().find(is_before).or_else(|| self.values.iter().find(is_behind));
        other.is_some_and(|other| {
            let first = other.start.min(start);
            // `It moves from 10 to 12`, but `it is open from 10 to 12 now`.
            let moves = |found: &Found| {
                matches!(found.cue, Cue::Alters | Cue::Switch | Cue::Gives | Cue::Takes | Cue::Back)
                    && self.part(found.start) == self.part(first)
                    && found.start < first
            };
            !self.unit.cues.iter().any(moves)
        })
    }
}
