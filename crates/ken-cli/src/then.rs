//! The options by which a question is asked of another day than today.

use ken_core::Date;
use ken_engine::{Engine, Failure};
use serde::Serialize;

/// Of which day a question is asked.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(crate) struct Then {
    /// Answer from what the vault had been told by the end of this day, as YYYY-MM-DD
    #[arg(long, value_name = "DATE", value_parser = day)]
    as_of: Option<Date>,
}

/// The days that were used, in JSON.
#[derive(Debug, Serialize)]
pub(crate) struct ThenWire {
    #[serde(skip_serializing_if = "Option::is_none")]
    as_of: Option<String>,
}

impl Then {
    /// Returns the engine that answers of that day.
    pub(crate) fn engine(self, engine: &Engine) -> Result<Engine, Failure> {
        match self.as_of {
            Some(day) => engine.as_of(day),
            None => Ok(engine.clone()),
        }
    }

    /// Returns whether another day than today is meant.
    pub(crate) fn is_past(self) -> bool {
        self.as_of.is_some()
    }

    /// Returns the days for JSON.
    pub(crate) fn wire(self) -> ThenWire {
        ThenWire { as_of: self.as_of.map(|day| day.to_string()) }
    }
}

fn day(text: &str) -> Result<Date, String> {
    let is_day = text.len() == "YYYY-MM-DD".len();
    let day = text.parse().ok().filter(|_| is_day);
    day.ok_or_else(|| "expected a day that exists, as in `2026-03-12`".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_a_whole_date() {
        assert_eq!(day("2026-03-12").map(|day| day.to_string()), Ok("2026-03-12".to_owned()));
        for text in ["12", "2026-03", "2026-02-30", "2026-03-12T10:00", "soon"] {
            assert!(day(text).is_err(), "{text}");
        }
    }
}
