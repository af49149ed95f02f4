//! From what words say to dates.

use jiff::Span;
use jiff::civil::Weekday;

use crate::time::Date;

use super::Exactness;
use super::phrase::{Count, Part, Says, Unit};

/// What relative dates count from.
#[derive(Debug, Clone, Copy)]
pub(super) struct Now {
    pub(super) today: Date,
    pub(super) day_one: Option<Date>,
}

/// What the slots of a phrase were filled with.
#[derive(Debug, Clone, Default)]
pub(super) struct Slots {
    pub(super) count: Option<Count>,
    pub(super) unit: Option<Unit>,
    pub(super) shift: Option<i32>,
    pub(super) month: Option<u32>,
    /// The month was said as a number (`3月`), which is no name and no other word.
    pub(super) is_numbered: bool,
    pub(super) weekday: Option<i32>,
    pub(super) year: Option<u32>,
    /// Days, quarters or numbers: one, or the two ends of a range.
    pub(super) numbers: Vec<u32>,
    /// A word of it is a date only sometimes.
    pub(super) is_weak: bool,
    /// The languages, a bit each, that have all of its words.
    pub(super) languages: u32,
    /// One of its words has another meaning as often.
    pub(super) is_guess: bool,
    /// It is a date only sometimes even beside a number.
    pub(super) is_doubtful: bool,
}

/// A phrase's dates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) from: Date,
    pub(super) to: Date,
    pub(super) exactness: Exactness,
    pub(super) is_relative: bool,
    pub(super) is_sure: bool,
    /// Needs a word before it that makes it a date.
    pub(super) is_weak: bool,
    /// The year was not said.
    pub(super) is_yearless: bool,
    /// It is a weekday alone, Monday 0.
    pub(super) weekday: Option<i32>,
}

impl Found {
    /// Returns these dates as said outright.
    pub(super) fn of((from, to): (Date, Date), exactness: Exactness) -> Found {
        Found {
            from,
            to,
            exactness,
            is_relative: false,
            is_sure: true,
            is_weak: false,
            is_yearless: false,
            weekday: None,
        }
    }

    fn relative(dates: (Date, Date), exactness: Exactness) -> Found {
        Found { is_relative: true, ..Found::of(dates, exactness) }
    }

    /// Returns the same with its unsaid year moved by so many.
    pub(super) fn years_later(self, years: i32) -> Option<Found> {
        let is_end = self.to == self.to.last_of_month() && self.exactness == Exactness::Month;
        let (from, to) = (in_years(self.from, years)?, in_years(self.to, years)?);
        Some(Found { from, to: if is_end { to.last_of_month() } else { to }, ..self })
    }
}

type Dates = (Date, Date);

/// Returns a day of the calendar, if there is one.
pub(super) fn day(year: u32, month: u32, day: u32) -> Option<Date> {
    let year = i16::try_from(year).ok().filter(|year| *year > 0)?;
    Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
}

pub(super) fn month_of(year: u32, month: u32) -> Option<Dates> {
    let first = day(year, month, 1)?;
    Some((first, first.last_of_month()))
}

pub(super) fn quarter_of(year: u32, quarter: u32) -> Option<Dates> {
    let first = day(year, quarter.checked_sub(1)? * 3 + 1, 1)?;
    Some((first, in_months(first, 2)?.last_of_month()))
}

/// Returns a week by its ISO number, Monday to Sunday.
pub(super) fn week_of(year: u32, week: u32) -> Option<Dates> {
    let (year, week) = (i16::try_from(year).ok()?, i8::try_from(week).ok()?);
    let monday = jiff::civil::ISOWeekDate::new(year, week, Weekday::Monday).ok()?.date();
    Some((monday, in_days(monday, 6)?))
}

fn in_days(date: Date, days: i32) -> Option<Date> {
    date.checked_add(Span::new().try_days(days).ok()?).ok()
}

fn in_months(date: Date, months: i32) -> Option<Date> {
    date.checked_add(Span::new().try_months(months).ok()?).ok()
}

fn in_years(date: Date, years: i32) -> Option<Date> {
    date.checked_add(Span::new().try_years(years).ok()?).ok()
}

/// Returns the Monday of a day's week.
pub(super) fn monday_of(date: Date) -> Option<Date> {
    in_days(date, -i32::from(date.weekday().to_monday_zero_offset()))
}

/// Returns the day of a week that begins on `monday`.
pub(super) fn day_of_week(monday: Date, weekday: i32) -> Option<Date> {
    in_days(monday, weekday)
}

/// Returns the unit so many from the one that `today` is in.
fn unit_at(today: Date, unit: Unit, shift: i32) -> Option<(Dates, Exactness)> {
    let monday = in_days(monday_of(today)?, shift.checked_mul(7)?);
    Some(match unit {
        Unit::Day => {
            let date = in_days(today, shift)?;
            ((date, date), Exactness::Day)
        }
        Unit::Week => ((monday?, in_days(monday?, 6)?), Exactness::Week),
        Unit::Weekend => ((in_days(monday?, 5)?, in_days(monday?, 6)?), Exactness::Day),
        Unit::Month => {
            let first = in_months(today.first_of_month(), shift)?;
            ((first, first.last_of_month()), Exactness::Month)
        }
        Unit::Quarter => {
            let quarter = (u32::from(today.month().unsigned_abs()) - 1) / 3 + 1;
            let first = quarter_of(u32::from(today.year().unsigned_abs()), quarter)?.0;
            let first = in_months(first, shift.checked_mul(3)?)?;
            ((first, in_months(first, 2)?.last_of_month()), Exactness::Quarter)
        }
        Unit::Year => {
            let first = in_years(today.first_of_year(), shift)?;
            ((first, first.last_of_year()), Exactness::Year)
        }
    })
}

/// Returns the day so many units from `today`; months and years keep the day or take the last there is.
fn step(today: Date, unit: Unit, n: i32) -> Option<Date> {
    // More would leave the calendar, and must not overflow on the way.
    let n = Some(n).filter(|n| n.abs() <= 100_000)?;
    match unit {
        Unit::Day => in_days(today, n),
        Unit::Week | Unit::Weekend => in_days(today, n * 7),
        Unit::Month => in_months(today, n),
        Unit::Quarter => in_months(today, n * 3),
        Unit::Year => in_years(today, n),
    }
}

/// Returns `n` units in the direction of `sign`. What is not counted is a range: a couple is one to three,
/// a few are two to five, of days, weeks, months of thirty days, or years.
fn away(today: Date, unit: Unit, count: Count, sign: i32) -> Option<Found> {
    let exactness = match unit {
        Unit::Day => Exactness::Day,
        Unit::Week | Unit::Weekend => Exactness::Week,
        Unit::Month => Exactness::Month,
        Unit::Quarter => Exactness::Quarter,
        Unit::Year => Exactness::Year,
    };
    let (near, far) = match count {
        Count::Exactly(n) => {
            let date = step(today, unit, sign * i32::try_from(n).ok()?)?;
            return Some(Found::relative((date, date), exactness));
        }
        Count::Couple => (1, 3),
        Count::Few => (2, 5),
    };
    let at = |n: i32| if unit == Unit::Month { in_days(today, sign * n * 30) } else { step(today, unit, sign * n) };
    let (near, far) = (at(near)?, at(far)?);
    Some(Found::relative((near.min(far), near.max(far)), Exactness::Fuzzy))
}

/// Returns everything between today and so many units away.
fn stretch(today: Date, unit: Unit, count: Count, sign: i32) -> Option<Found> {
    let (n, exactness) = match count {
        Count::Exactly(n) => (i32::try_from(n).ok()?, Exactness::Day),
        Count::Couple => (3, Exactness::Fuzzy),
        Count::Few => (5, Exactness::Fuzzy),
    };
    let other = step(today, unit, sign * n)?;
    Some(Found::relative((today.min(other), today.max(other)), exactness))
}

/// Returns the newest date that `at` makes of a year and that has begun by `today`.
fn newest(today: Date, at: impl Fn(u32) -> Option<Dates>) -> Option<Dates> {
    let year = u32::from(today.year().unsigned_abs());
    // A leap day is at most eight years back.
    (0..9).filter_map(|back| at(year.checked_sub(back)?)).find(|(from, _)| *from <= today)
}

/// Returns a day, month or year as its slots say it.
fn calendar(now: Now, slots: &Slots) -> Option<Found> {
    let Some(month) = slots.month else {
        let year = slots.year?;
        let dates = (day(year, 1, 1)?, day(year, 12, 31)?);
        return Some(Found { is_weak: slots.is_weak, ..Found::of(dates, Exactness::Year) });
    };
    let exactness = if slots.numbers.is_empty() { Exactness::Month } else { Exactness::Day };
    let at = |year: u32| match slots.numbers[..] {
        [] => month_of(year, month),
        [only] => day(year, month, only).map(|date| (date, date)),
        [first, last] if first < last => Some((day(year, month, first)?, day(year, month, last)?)),
        _ => None,
    };
    let is_yearless = slots.year.is_none();
    let dates = slots.year.map_or_else(|| newest(now.today, at), at)?;
    let is_alone = is_yearless && exactness == Exactness::Month && !slots.is_numbered;
    Some(Found {
        is_weak: is_yearless && if exactness == Exactness::Month { slots.is_weak } else { slots.is_doubtful },
        is_yearless,
        is_sure: !is_alone,
        ..Found::of(dates, exactness)
    })
}

/// Returns the newest month of that name before this one, that of this year, or the first after this one.
fn named_month(today: Date, month: u32, shift: i32) -> Option<Found> {
    let year = u32::from(today.year().unsigned_abs());
    let present = u32::from(today.month().unsigned_abs());
    let year = match shift {
        -1 if month >= present => year.checked_sub(1)?,
        1 if month <= present => year + 1,
        _ => year,
    };
    Some(Found::relative(month_of(year, month)?, Exactness::Month))
}

fn weekday(today: Date, weekday: i32, shift: i32) -> Option<Date> {
    let present = i32::from(today.weekday().to_monday_zero_offset());
    match shift {
        -1 => in_days(today, -((present - weekday + 6).rem_euclid(7) + 1)),
        0 => day_of_week(monday_of(today)?, weekday),
        _ => in_days(today, (weekday - present + 6).rem_euclid(7) + 1),
    }
}

/// Weeks before and behind today in which a weekday with its day of the month is looked for.
const WEEKS_AROUND: i32 = 13;

fn weekday_of_month(today: Date, of_week: i32, day: u32) -> Option<Date> {
    let present = weekday(today, of_week, 0)?;
    let near = (-WEEKS_AROUND..=WEEKS_AROUND).filter_map(|weeks| in_days(present, weeks * 7));
    let is_it = |date: &Date| u32::from(date.day().unsigned_abs()) == day;
    near.filter(is_it).min_by_key(|date| date.since(today).map_or(i32::MAX, |span| span.get_days().abs()))
}

/// Returns days or weeks counted from day one, which is day 1 of week 1.
fn numbered(now: Now, unit: Unit, slots: &Slots) -> Option<Found> {
    let first = *slots.numbers.first()?;
    let last = slots.numbers.last().copied().filter(|last| *last >= first && first > 0)?;
    let length = if unit == Unit::Week { 7 } else { 1 };
    let at = |n: u32| step(now.day_one?, Unit::Day, i32::try_from(n).ok()?.checked_mul(length)?);
    let dates = (at(first - 1)?, in_days(at(last)?, -1)?);
    let exactness = if unit == Unit::Week { Exactness::Week } else { Exactness::Day };
    Some(Found::of(dates, exactness))
}

/// Returns the dates that a phrase means with its slots filled, if they exist.
pub(super) fn resolve(says: Says, slots: &Slots, now: Now) -> Option<Found> {
    let today = now.today;
    let one = |date: Option<Date>| date.map(|date| Found::relative((date, date), Exactness::Day));
    let whole = |unit, shift| unit_at(today, unit, shift).map(|(dates, exactness)| Found::relative(dates, exactness));
    let count = slots.count.unwrap_or(Count::Exactly(1));
    match says {
        Says::At(unit, shift) => whole(unit, shift),
        Says::Unit(shift) => whole(slots.unit?, slots.shift.unwrap_or(shift)),
        Says::Ago => away(today, slots.unit?, count, -1),
        Says::Ahead => away(today, slots.unit?, count, 1),
        Says::Past | Says::Coming => match slots.shift.unwrap_or(if says == Says::Past { -1 } else { 1 }) {
            0 => None,
            shift => stretch(today, slots.unit?, count, shift),
        },
        Says::Calendar => calendar(now, slots),
        Says::Month(shift) => {
            let found = named_month(today, slots.month?, slots.shift.unwrap_or(shift))?;
            Some(Found { is_weak: slots.is_doubtful, ..found })
        }
        Says::Weekday(shift) => {
            let found = one(weekday(today, slots.weekday?, slots.shift.unwrap_or(shift)))?;
            Some(Found { is_sure: !slots.is_weak, ..found })
        }
        Says::AnyWeekday => {
            let found = one(weekday(today, slots.weekday?, -1))?;
            Some(Found { is_sure: false, is_weak: slots.is_weak, weekday: slots.weekday, ..found })
        }
        Says::WeekdayIn(weeks) => {
            let found = one(weekday(in_days(today, weeks * 7)?, slots.weekday?, 0))?;
            Some(Found { is_sure: weeks != 0, ..found })
        }
        Says::WeekdayOfMonth => one(weekday_of_month(today, slots.weekday?, *slots.numbers.first()?)),
        Says::Quarter => {
            let quarter = *slots.numbers.first()?;
            let at = |year| quarter_of(year, quarter);
            let dates = slots.year.map_or_else(|| newest(today, at), at)?;
            Some(Found { is_sure: slots.year.is_some(), ..Found::of(dates, Exactness::Quarter) })
        }
        Says::Half(half) => {
            let (first, last) = if half == 1 { (1, 2) } else { (3, 4) };
            let year = slots.year.unwrap_or(u32::from(today.year().unsigned_abs()));
            let dates = (quarter_of(year, first)?.0, quarter_of(year, last)?.1);
            Some(Found::of(dates, Exactness::Quarter))
        }
        Says::Numbered(unit) => numbered(now, unit, slots),
        Says::IsoWeek => {
            let number = *slots.numbers.first()?;
            let at = |year| week_of(year, number);
            let dates = slots.year.map_or_else(|| newest(today, at), at)?;
            Some(Found::of(dates, Exactness::Week))
        }
        Says::Nothing | Says::Op(_) => None,
    }
}

/// Returns a stretch of a month, a year or a week; other periods have no parts.
///
/// Early, middle and late are thirds: days 1 to 10, 11 to 20 and the rest of a month, four months of a year.
pub(super) fn part_of(found: Found, part: Part) -> Option<Found> {
    let (from, to) = (found.from, found.to);
    let month = found.exactness == Exactness::Month;
    let year = found.exactness == Exactness::Year;
    let week = found.exactness == Exactness::Week;
    let span = |first: i32, last: i32, exactness| {
        Some(Found { exactness, ..Found { from: in_days(from, first)?, to: in_days(from, last)?.min(to), ..found } })
    };
    let months = |first: i32, last: i32| {
        let dates = (in_months(from, first)?, in_months(from, last)?.last_of_month());
        Some(Found { from: dates.0, to: dates.1, exactness: Exactness::Fuzzy, ..found })
    };
    match part {
        Part::Early if month => span(0, 9, Exactness::Fuzzy),
        Part::Middle if month => span(10, 19, Exactness::Fuzzy),
        Part::Late if month => span(20, 30, Exactness::Fuzzy),
        Part::FirstHalf if month => span(0, 14, Exactness::Fuzzy),
        Part::SecondHalf if month => span(15, 30, Exactness::Fuzzy),
        Part::Early if year => months(0, 3),
        Part::Middle if year => months(4, 7),
        Part::Late if year => months(8, 11),
        Part::FirstHalf if year => months(0, 5),
        Part::SecondHalf if year => months(6, 11),
        Part::Early | Part::FirstHalf if week => span(0, 2, Exactness::Fuzzy),
        Part::Middle if week => span(2, 4, Exactness::Fuzzy),
        Part::Late | Part::SecondHalf if week => span(4, 6, Exactness::Fuzzy),
        Part::Week(n) if month => span(i32::from(n) * 7 - 7, i32::from(n) * 7 - 1, Exactness::Week),
        Part::LastWeek if month => Some(Found { from: in_days(to, -6)?, exactness: Exactness::Week, ..found }),
        Part::FirstDay if month || year => Some(Found { to: from, exactness: Exactness::Day, ..found }),
        Part::LastDay if month || year => Some(Found { from: to, exactness: Exactness::Day, ..found }),
        Part::WeekOf if found.exactness == Exactness::Day => {
            let monday = monday_of(from)?;
            Some(Found { from: monday, to: in_days(monday, 6)?, exactness: Exactness::Week, weekday: None, ..found })
        }
        _ => None,
    }
}
