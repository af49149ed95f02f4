//! What else of an exchange says what was replaced: the question before it, what was answered to it.

use std::collections::BTreeSet;

use super::clauses::{breaks, clause_meant};
use super::named_as_old;
use crate::ground::{self, Sort};
use crate::span::Span;
use crate::time::Date;
use crate::when::is_weekday;
use crate::words::{fold, is_stop};

/// Words that tell of a sentence that says nothing but a value.
const ECHO_WORDS_MAX: usize = 4;
/// So many words, and so many of a hundred, are shared by sentences of one exchange that say the same.
const ALIKE_WORDS_MIN: usize = 3;
const ALIKE_PERCENT: usize = 60;

/// What a sentence says, to be compared with another of its exchange.
#[derive(Debug)]
pub struct Saying {
    values: Vec<ground::Value>,
    /// Its long numbers that do not say of what: `3,200 for costumes then`.
    bare: Vec<ground::Value>,
    /// How many of them, at the end, it names as what was before.
    n_former: usize,
    stems: BTreeSet<String>,
    /// Those of them that are weekdays.
    weekdays: BTreeSet<String>,
    has_digit: bool,
    /// Whether nobody can tell what of it was replaced.
    is_open: bool,
    /// The same of each part between commas, where there are several.
    parts: Vec<BTreeSet<String>>,
}

/// A value, or what is left of it where it begins with what was before: of `moves from 18 to 20 March`, which is read as
/// from one day to the other, the 20th.
fn without_former(value: ground::Value, (text, day): (&str, Option<Date>), old: &[Span]) -> Vec<ground::Value> {
    let is_in = |old: &&Span| value.span.start == old.start && old.end < value.span.end;
    let Some(old) = old.iter().find(is_in) else { return vec![value] };
    let behind = ground::values(&text[old.end..value.span.end], day).into_iter().filter(|one| one.sort == value.sort);
    behind.map(|one| ground::Value { span: one.span.shifted(old.end), ..one }).collect()
}

/// Fewest digits of a number that two sentences of an exchange do not share by chance.
const LONG_DIGITS_MIN: usize = 3;
/// Fewest words of a part of a list that say something.
const PART_WORDS_MIN: usize = 2;

impl Saying {
    /// Reads a sentence that was said on `day`.
    pub fn of(text: &str, day: Option<Date>) -> Saying {
        let is_told = |value: &ground::Value| match &value.sort {
            // Names stand in many sentences; what is written as code is what it is.
            Sort::Name => text[..value.span.start].ends_with('`'),
            Sort::Count(what) => !what.is_empty(),
            _ => true,
        };
        let found = ground::values(text, day);
        let old = if found.is_empty() { Vec::new() } else { named_as_old(text, day) };
        let found = found.into_iter().flat_map(|value| without_former(value, (text, day), &old));
        let (values, bare): (Vec<_>, Vec<_>) = found.partition(is_told);
        let is_long = |value: &ground::Value| {
            value.sort == Sort::Count(String::new())
                && value.span.of(text).bytes().filter(u8::is_ascii_digit).count() >= LONG_DIGITS_MIN
        };
        let bare = bare.into_iter().filter(is_long).collect();
        let is_value = |at: usize| values.iter().any(|value| value.span.start <= at && at < value.span.end);
        let told: Vec<(Span, String)> =
            ground::stems(text).into_iter().filter(|(span, _)| !is_value(span.start)).collect();
        let breaks = breaks(text);
        let part = |at: usize| breaks.partition_point(|end| *end < at);
        let mut parts = vec![BTreeSet::new(); breaks.len() + 1];
        for (span, stem) in &told {
            parts[part(span.start)].insert(stem.clone());
        }
        parts.retain(|part| part.len() >= PART_WORDS_MIN && !breaks.is_empty());
        let weekdays = told.iter().filter(|(span, _)| names_weekday(span.of(text)));
        let weekdays = weekdays.map(|(_, stem)| stem.clone()).collect();
        let stems = told.into_iter().map(|(_, stem)| stem).collect();
        let is_former =
            |value: &ground::Value| old.iter().any(|span| value.span.start < span.end && span.start < value.span.end);
        let (former, mut values): (Vec<_>, Vec<_>) = values.into_iter().partition(is_former);
        let n_former = former.len();
        values.extend(former);
        let has_digit = text.contains(|ch: char| ch.is_ascii_digit());
        Saying { values, bare, n_former, stems, weekdays, has_digit, is_open: false, parts }
    }

    /// Reads of a sentence what another took the place of. Where it says several things, and nobody can tell which of them
    /// is meant, only its values are compared, of what is about the same as `new`.
    pub fn of_replaced(old: &str, new: &str, day: Option<Date>) -> Saying {
        match clause_meant(old, new) {
            Some(meant) => Saying::of(meant, day),
            None => Saying { is_open: true, ..Saying::of(old, day) },
        }
    }

    /// Returns whether it says again what a sentence beside it says that was replaced by a third one.
    ///
    /// ```
    /// # use ken_core::supersede::Saying;
    /// let of = |text| Saying::of(text, None);
    /// let (before, after) = (of("The big oven bakes at 220 degrees."), of("The big oven bakes at 240 degrees now."));
    /// assert!(of("Noted: 220 degrees.").echoes(&before, &after));
    /// assert!(!of("Noted: 240 degrees.").echoes(&before, &after));
    /// ```
    pub fn echoes(&self, before: &Saying, after: &Saying) -> bool {
        let shared = self.stems.intersection(&before.stems).count();
        // `At most 8 animals on the ward` beside `on the ward 8 patients at most`.
        let counts_old = |value: &ground::Value| {
            let is_count = |own: &ground::Value| matches!((&own.sort, &value.sort), (Sort::Count(_), Sort::Count(_)));
            shared > 0 && before.values.iter().any(|own| is_count(own) && own.readings == value.readings)
        };
        // Of several values of a kind it is open which of them was replaced.
        let is_clear = |value: &ground::Value| {
            let n_alike = before.held().iter().filter(|own| own.sort == value.sort && !is_same(own, value)).count();
            n_alike == 0 || self.stems.intersection(&after.stems).next().is_some()
        };
        let is_old = |value: &ground::Value| (before.has(value) || counts_old(value)) && !after.holds(value);
        let is_bare_old = |value: &ground::Value| {
            let says = |of: &Saying| {
                let mut amounts = of.values.iter().chain(&of.bare);
                amounts.any(|own| own.readings.iter().any(|reading| value.readings.contains(reading)))
            };
            (shared > 0 || self.stems.is_empty()) && says(before) && !says(after)
        };
        // Of two numbers one may hold.
        let is_alone = self.bare.len() == 1 && self.values.is_empty();
        let says_old = self.values.iter().any(|value| is_old(value) && is_clear(value))
            || is_alone && self.bare.iter().any(is_bare_old);
        let says_new = self.values.iter().any(|value| after.holds(value) && !before.has(value));
        let is_about_it = self.stems.len() <= ECHO_WORDS_MAX || shared > 0;
        // In other words, and without a value: `I own the rota from this week on` beside `Ada owns the rota`.
        let is_alike = || {
            let is_own = self.stems.intersection(&before.stems).any(|stem| !after.stems.contains(stem));
            let has_other = self.values.iter().any(|value| !before.has(value));
            // Beside what was replaced a sentence may tell another number, which another one says again.
            let is_about_it = self.stems.intersection(&after.stems).next().is_some();
            (!self.has_digit || is_about_it)
                && shared >= ALIKE_WORDS_MIN
                && shared * 100 >= self.stems.len() * ALIKE_PERCENT
                && is_own
                && !has_other
        };
        // Where an amount or a day changed, what names none says nothing of it: `I saw the hall` beside `The hall is free on
        // 8 May`.
        let is_of_value = || {
            let is_other = |own: &ground::Value, new: &ground::Value| new.sort == own.sort && !is_same(new, own);
            let gone = before.held().iter().filter(|own| own.sort != Sort::Name && !after.holds(own));
            gone.into_iter().any(|own| after.held().iter().any(|new| is_other(own, new)))
        };
        let says_old = says_old && is_about_it && (!before.is_open || !self.stems.is_disjoint(&after.stems));
        !says_new
            && (says_old
                || self.says_weekday(before, after)
                || !before.is_open
                    && (is_alike() || self.lists(before, after) || self.repeats(before, after))
                    && !is_of_value())
    }

    /// Whether it says the weekday of what was replaced by one on another weekday: `Moved to Tuesday`.
    fn says_weekday(&self, before: &Saying, after: &Saying) -> bool {
        let shares = || self.stems.intersection(&before.stems).any(|stem| !self.weekdays.contains(stem));
        before.weekdays.len() == 1
            && (self.stems.len() <= ECHO_WORDS_MAX || shares())
            && !after.weekdays.is_empty()
            && after.weekdays.is_disjoint(&before.weekdays)
            && self.weekdays == before.weekdays
    }

    /// Whether it says all words of what was replaced, with more around them: `Clay comes from Ada` beside `clay from Ada`.
    fn repeats(&self, before: &Saying, after: &Saying) -> bool {
        let is_in = |stems: &BTreeSet<String>| before.stems.is_subset(stems);
        let is_about_it = before.stems.iter().any(|stem| after.stems.contains(stem));
        let mut new = after.stems.difference(&before.stems).peekable();
        // `I light the ovens` is said with a word less than `Ada lights the ovens from today`.
        let is_own = new.peek().is_some() || before.stems.iter().any(|stem| !after.stems.contains(stem));
        let names_new = new.any(|stem| self.stems.contains(stem));
        is_own
            && is_about_it
            && !names_new
            && (is_in(&self.stems) && self.parts.is_empty() || self.parts.iter().any(is_in))
    }

    /// Whether it is a list of which a part says what was replaced: `Ada for the rota` beside `Ada owns the rota`.
    fn lists(&self, before: &Saying, after: &Saying) -> bool {
        let is_of = |part: &BTreeSet<String>, other: &Saying| part.intersection(&other.stems).count();
        self.parts.iter().any(|part| is_of(part, before) == part.len() && is_of(part, after) > 0)
    }

    /// Returns whether it names an amount or a day that another sentence said and a third one replaced, and not what took its
    /// place: the reason that is given in the exchange in which that is told.
    ///
    /// ```
    /// # use ken_core::supersede::Saying;
    /// let of = |text| Saying::of(text, None);
    /// let (before, after) = (of("The big oven bakes at 220 degrees."), of("The big oven bakes at 240 degrees now."));
    /// assert!(of("The bread showed it: 220 degrees is too little.").mentions(&before, &after));
    /// assert!(!of("The bread likes 240 degrees, not 220.").mentions(&before, &after));
    /// ```
    pub fn mentions(&self, before: &Saying, after: &Saying) -> bool {
        let is_gone = |value: &ground::Value| {
            value.sort != Sort::Name
                && before.held().iter().any(|own| is_same(own, value))
                && !after.holds(value)
                && after.values.iter().any(|new| new.sort == value.sort && !is_same(new, value))
        };
        let says_new = self.values.iter().any(|value| after.holds(value));
        !before.is_open && !says_new && self.values.iter().any(is_gone)
    }

    fn has(&self, value: &ground::Value) -> bool {
        self.values.iter().any(|own| is_same(own, value))
    }

    /// Whether it says a value, and not as what was before.
    fn holds(&self, value: &ground::Value) -> bool {
        self.held().iter().any(|own| is_same(own, value))
    }

    /// Its values that it does not name as what was before.
    fn held(&self) -> &[ground::Value] {
        &self.values[..self.values.len() - self.n_former]
    }
}

/// Returns the amount or day of a statement of which another one says another: `28 March` of `We move on 28 March`; `None` where
/// it has none, or several. A number comes with its unit.
///
/// ```
/// # use ken_core::supersede::value_before;
/// assert_eq!(value_before("The hall is 50 euros a day.", "The hall is 60 euros a day now.", None), Some("50 euros"));
/// assert_eq!(value_before("We use nginx.", "Replaced nginx with caddy.", None), None);
/// ```
pub fn value_before<'t>(old: &'t str, new: &str, day: Option<Date>) -> Option<&'t str> {
    let meant = clause_meant(old, new)?;
    let (before, after) = (Saying::of(meant, day), Saying::of(new, day));
    let is_other = |value: &&ground::Value| {
        value.sort != Sort::Name && !after.holds(value) && after.held().iter().any(|new| new.sort == value.sort)
    };
    let mut found = before.held().iter().filter(is_other);
    let value = found.next().filter(|_| found.next().is_none())?;
    // `18 euros`: the number and what it is of.
    let is_number = value.span.of(meant).ends_with(|ch: char| ch.is_ascii_digit());
    let is_of = is_number && matches!(value.sort, Sort::Count(_) | Sort::Length | Sort::Money);
    let behind = meant[value.span.end..].strip_prefix(' ').filter(|_| is_of).unwrap_or_default();
    let unit = behind.split(|ch: char| !ch.is_alphanumeric()).next().filter(|unit| !unit.is_empty() && !is_stop(unit));
    Some(&meant[value.span.start..value.span.end + unit.map_or(0, |unit| 1 + unit.len())])
}

fn names_weekday(word: &str) -> bool {
    let folded = fold(word);
    is_weekday(&folded) || folded.strip_suffix('s').is_some_and(is_weekday)
}

fn is_same(a: &ground::Value, b: &ground::Value) -> bool {
    a.sort == b.sort && a.readings.iter().any(|reading| b.readings.contains(reading))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(old: &str, new: &str, beside: &str, expected: bool) {
        let before = Saying::of_replaced(old, new, None);
        let echoes = Saying::of(beside, None).echoes(&before, &Saying::of(new, None));
        assert_eq!(echoes, expected, "{beside}");
    }

    #[test]
    fn a_long_number_without_its_unit_echoes_what_was_replaced() {
        let (old, new) =
            ("The oven budget falls to 3,200 euros.", "The oven budget is 4,100 euros, thanks to the city.");
        check(old, new, "So 3,200 for ovens then.", true);
        check(old, new, "So 4,100 for ovens then.", false);
        check(old, new, "We sold 3,200 in March.", false);
    }

    #[test]
    fn a_number_alone_echoes_what_was_replaced() {
        let (old, new) = ("Flour store: 3160.", "The flour store opens with 0742 now.");
        check(old, new, "It's 3160.", true);
        check(old, new, "It's 0742.", false);
    }

    #[test]
    fn a_weekday_echoes_what_was_replaced_by_one_on_another() {
        let (old, new) = ("We clean the ovens on Tuesdays, all of us.", "The ovens are cleaned on Thursdays now.");
        check(old, new, "Tuesdays, with brooms.", true);
        check(old, new, "Moved to Tuesday, starting today.", true);
        check(old, new, "Thursdays, with brooms.", false);
        check(old, new, "Tuesday is the day on which the miller, his wife and the dog come by.", false);
        check(old, "The ovens are cleaned at six now.", "Tuesdays, with brooms.", false);
    }

    #[test]
    fn what_somebody_does_echoes_it_where_somebody_else_does_it_now() {
        let (old, new) = ("I light the ovens.", "Ada lights the ovens from today.");
        check(old, new, "Ben, you light the ovens.", true);
        check(old, new, "So Ada will light the ovens.", false);
    }

    #[test]
    fn what_names_no_value_echoes_no_change_of_one() {
        let (old, new) = ("The hall is free from Castor on 8 May.", "The hall is free on 15 May instead of 8 May.");
        check(old, new, "I saw the free hall from Castor.", false);
        check(old, new, "So the hall from Castor on 8 May.", true);
    }

    #[test]
    fn an_item_of_a_list_echoes_what_was_replaced() {
        let (old, new) = ("The orders run on Ovenhub.", "Ovenhub is off, the orders run on Breadbox.");
        check(old, new, "Flour from Millbrook, Ovenhub for orders, and Ada owns the rota.", true);
        check(old, new, "Flour from Millbrook, delivery on Fridays.", false);
    }

    #[test]
    fn all_words_of_what_was_replaced_echo_it_with_more_around_them() {
        let old = "Rye at 220, door blue, flour from Millbrook.";
        check(old, "Flour from Redmill.", "Flour comes from Millbrook.", true);
        check(old, "Flour from Redmill.", "Millbrook has no flour, and the rye is out.", true);
        check(old, "Flour from Redmill.", "The flour is fine.", false);
        check(old, "Flour from Redmill.", "Flour came from Millbrook, from Redmill and from Castor.", false);
    }

    #[test]
    fn of_a_list_only_what_was_replaced_is_echoed() {
        let old = "Rye loaf for 3.60 euros, spelt loaf for 4.20 euros, hall for 50 euros.";
        let new = "The hall is 60 euros from now on.";
        check(old, new, "We let the hall for 50 euros.", true);
        check(old, new, "A rye loaf is 3.60 euros.", false);
    }

    #[test]
    fn what_else_a_sentence_says_is_no_echo_of_the_part_that_was_replaced() {
        let old = "The starter kit is 95 euros from today, extra stones stay at 14.";
        check(old, "The starter kit costs 92 euros instead of 95.", "Extra stones stay at 14.", false);
    }
}
