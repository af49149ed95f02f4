//! What a roll-up is of: a week, a month or a year of the journal, and which questions ask for one.
//!
//! Weeks are ISO weeks; a week belongs to the month of its Thursday, a month to its year. Nothing here knows what stands on
//! the page of a roll-up: that is compiled.

mod asked;
mod told;

pub use asked::{AskedPeriod, Focus};
pub use told::told;

use std::fmt;

use jiff::civil::{ISOWeekDate, Weekday};

use crate::time::{Date, Month};

/// A period that a roll-up is of; prints as `2026-W10`, `2026-03` or `2026`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rolled {
    /// An ISO week.
    Week {
        /// The year that most of its days are of.
        year: i16,
        /// 1 to 53.
        week: i8,
    },
    /// The weeks whose Thursday is in a month.
    Month(Month),
    /// The months of a year.
    Year(i16),
}

impl Rolled {
    /// Returns the week of a day.
    ///
    /// ```
    /// # use ken_core::rollup::Rolled;
    /// let week = Rolled::week_of("2025-12-31".parse().expect("a day"));
    /// assert_eq!(week.to_string(), "2026-W01");
    /// assert_eq!(week.within().expect("a month").to_string(), "2026-01");
    /// ```
    pub fn week_of(day: Date) -> Rolled {
        let week = day.iso_week_date();
        Rolled::Week { year: week.year(), week: week.week() }
    }

    /// Returns the period of that name, in any case of letters.
    pub fn parse(name: &str) -> Option<Rolled> {
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten();
        let Some((year, rest)) = name.split_once('-') else {
            return (name.len() == 4).then(|| digits(name)).flatten().map(Rolled::Year);
        };
        match rest.strip_prefix(['W', 'w']) {
            Some(week) if year.len() == 4 && week.len() == 2 => {
                let (year, week) = (digits(year)?, digits(week)? as i8);
                ISOWeekDate::new(year, week, Weekday::Monday).is_ok().then_some(Rolled::Week { year, week })
            }
            _ if name.len() == 7 => Month::parse(name).map(Rolled::Month),
            _ => None,
        }
    }

    /// Returns the period that this one is a part of; none of a year.
    pub fn within(self) -> Option<Rolled> {
        match self {
            Rolled::Week { .. } => self.on(Weekday::Thursday).map(Month::of).map(Rolled::Month),
            Rolled::Month(month) => Some(Rolled::Year(month.year)),
            Rolled::Year(_) => None,
        }
    }

    /// Returns its first and its last day by the calendar; none of a year that no calendar has.
    pub fn days(self) -> Option<(Date, Date)> {
        match self {
            Rolled::Week { .. } => self.on(Weekday::Monday).zip(self.on(Weekday::Sunday)),
            Rolled::Month(Month { year, month }) => {
                let first = Date::new(year, month, 1).ok()?;
                Some((first, first.last_of_month()))
            }
            Rolled::Year(year) => Date::new(year, 1, 1).ok().zip(Date::new(year, 12, 31).ok()),
        }
    }

    /// Returns the name of its page: `2026-w10`.
    pub fn slug(self) -> String {
        self.to_string().to_lowercase()
    }

    /// Returns what it is called: `week`, `month` or `year`.
    pub fn unit(self) -> &'static str {
        match self {
            Rolled::Week { .. } => "week",
            Rolled::Month(_) => "month",
            Rolled::Year(_) => "year",
        }
    }

    fn on(self, weekday: Weekday) -> Option<Date> {
        let Rolled::Week { year, week } = self else { return None };
        ISOWeekDate::new(year, week, weekday).ok().map(ISOWeekDate::date)
    }
}

impl fmt::Display for Rolled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rolled::Week { year, week } => write!(f, "{year:04}-W{week:02}"),
            Rolled::Month(month) => write!(f, "{month}"),
            Rolled::Year(year) => write!(f, "{year:04}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_week_belongs_to_the_month_of_its_thursday() {
        for (day, week, month) in [
            ("2026-03-01", "2026-W09", "2026-02"),
            ("2026-03-02", "2026-W10", "2026-03"),
            ("2026-03-30", "2026-W14", "2026-04"),
            ("2027-01-01", "2026-W53", "2026-12"),
            ("2024-12-30", "2025-W01", "2025-01"),
        ] {
            let found = Rolled::week_of(day.parse().expect("a day"));
            let within = found.within().map(|month| month.to_string());
            assert_eq!((found.to_string().as_str(), within.as_deref()), (week, Some(month)), "{day}");
            assert_eq!(Rolled::parse(week), Some(found));
            assert_eq!(Rolled::parse(&week.to_lowercase()), Some(found));
        }
    }

    #[test]
    fn what_names_no_period_is_none() {
        for name in
            ["2026-W54", "2025-W53", "2026-13", "26-03", "2026-3", "2026-W1", "launch", "2026-03-01", "", "-W01"]
        {
            assert_eq!(Rolled::parse(name), None, "{name}");
        }
    }

    #[test]
    fn periods_know_their_days() {
        let days = |name: &str| Rolled::parse(name).and_then(Rolled::days).map(|(from, to)| format!("{from} {to}"));
        assert_eq!(days("2026-W10").as_deref(), Some("2026-03-02 2026-03-08"));
        assert_eq!(days("2024-02").as_deref(), Some("2024-02-01 2024-02-29"));
        assert_eq!(days("2026").as_deref(), Some("2026-01-01 2026-12-31"));
    }
}
