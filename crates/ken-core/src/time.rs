//! Time as a value.
//!
//! Nothing here reads a clock: "now" is always a parameter. Machine times are UTC ([`Timestamp`]),
//! journal days are local civil dates ([`Date`]), relations are validated by [`Month`].

use std::fmt;

pub use jiff::Timestamp;
pub use jiff::civil::Date;

/// A calendar month, the unit in which relations are validated; prints as `YYYY-MM`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Month {
    /// Year, 0 to 9999.
    pub year: i16,
    /// Month, 1 to 12.
    pub month: i8,
}

impl Month {
    /// Returns the month that a date falls in.
    pub fn of(date: Date) -> Month {
        Month { year: date.year(), month: date.month() }
    }

    /// Returns the month that `YYYY-MM` or `YYYY-MM-DD` names.
    pub fn parse(text: &str) -> Option<Month> {
        let (year, rest) = text.trim().split_once('-')?;
        let month = rest.split('-').next()?;
        if year.len() != 4 || month.len() != 2 {
            return None;
        }
        let (year, month) = (year.parse().ok()?, month.parse().ok()?);
        (1..=12).contains(&month).then_some(Month { year, month })
    }
}

impl fmt::Display for Month {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}", self.year, self.month)
    }
}

/// Returns the date that a text starts with (`2026-04-01`, `2026-04-01T10:00:00`, `2026-04-01.md`).
pub fn leading_date(text: &str) -> Option<Date> {
    text.trim_start().get(..10)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_read_and_print() {
        let month = Month::parse("2026-04").expect("a month");
        assert_eq!(
            (month.to_string().as_str(), Month::parse("2026-13"), Month::parse("26-1")),
            ("2026-04", None, None)
        );
    }

    #[test]
    fn a_file_name_starts_with_its_date() {
        assert_eq!(leading_date("2026-04-01.md").map(|d| d.to_string()).as_deref(), Some("2026-04-01"));
        assert_eq!(leading_date("2026-02-30.md"), None);
    }
}
