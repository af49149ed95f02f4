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
    /// Tell what held on this day, by all that is known now, as YYYY-MM-DD
    #[arg(long, value_name = "DATE", value_parser = day)]
    on: Option<Date>,
}

/// The days that were used, in JSON.
#[derive(Debug, Serialize)]
pub(crate) struct ThenWire {
    #[serde(skip_serializing_if = "Option::is_none")]
    as_of: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    on: Option<String>,
}

impl Then {
    /// Returns the engine that answers of that day.
    pub(crate) fn engine(self, engine: &Engine) -> Result<Engine, Failure> {
        let then = match self.as_of {
            Some(day) => engine.as_of(day)?,
            None => engine.clone(),
        };
        Ok(self.on.map(|day| then.held_on(day)).unwrap_or(then))
    }

    /// Returns whether another day than today is meant.
    pub(crate) fn is_past(self) -> bool {
        self.as_of.is_some() || self.on.is_some()
    }

    /// Returns the days for JSON.
    pub(crate) fn wire(self) -> ThenWire {
        self.wire_on(None)
    }

    /// Returns the days for JSON, with the one that a question named.
    pub(crate) fn wire_on(self, named: Option<Date>) -> ThenWire {
        let shown = |day: Option<Date>| day.map(|day| day.to_string());
        ThenWire { as_of: shown(self.as_of), on: shown(self.on.or(named)) }
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
