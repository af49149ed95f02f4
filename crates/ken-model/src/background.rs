//! What the user's file says about asking without anybody waiting: `[background]`.
//!
//! Only this table makes a worker ask a model. It says which one, when, and what that may cost over all vaults.

use crate::error::ModelError;
use crate::money::Money;
use crate::name::ModelName;
use crate::value::{bad, number, text, told, unknown, usd, wrong};

/// What one call of an agent or a program may cost: a session of a hundred turns at the dearest model's price.
const CALL_USD_MAX: Money = Money(250_000);
/// What a day may cost.
const DAY_USD_MAX: Money = Money(1_000_000);
/// What a month may cost.
const MONTH_USD_MAX: Money = Money(10_000_000);
/// Most sessions that are waited for.
const SESSIONS_MAX: u64 = 1_000;
/// Most minutes that are waited for: a week.
const IDLE_MINUTES_MAX: u64 = 7 * 24 * 60;

/// A time of day, on the clock of the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct TimeOfDay {
    /// From 0 to 23.
    pub hour: u8,
    /// From 0 to 59.
    pub minute: u8,
}

/// What is asked in the background, when, and what it may cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Background {
    /// The model; [`ModelName::None`] when nobody is to be asked.
    pub model: ModelName,
    /// Ask when so many sessions are new.
    pub after_sessions: Option<u64>,
    /// Ask once a day, from this time on.
    pub at: Option<TimeOfDay>,
    /// Ask when no session said anything for so many minutes.
    pub when_idle_minutes: Option<u64>,
    /// What one call of an agent or a program may cost, whose price shows only afterwards.
    pub call_usd_max: Money,
    /// What a day may cost, over all vaults.
    pub day_usd_max: Money,
    /// What a month may cost, over all vaults.
    pub month_usd_max: Money,
    /// Whether to ask in batches, at half the price; where nothing is said, at the providers' own addresses.
    pub batch: Option<bool>,
    /// Whether to ask on battery too.
    pub on_battery: bool,
    /// Folders whose vaults are not read, as written.
    pub exclude: Vec<String>,
}

impl Default for Background {
    fn default() -> Background {
        Background {
            model: ModelName::None,
            after_sessions: None,
            at: None,
            when_idle_minutes: None,
            call_usd_max: CALL_USD_MAX,
            day_usd_max: DAY_USD_MAX,
            month_usd_max: MONTH_USD_MAX,
            batch: None,
            on_battery: false,
            exclude: Vec::new(),
        }
    }
}

impl Background {
    /// Returns what a table says.
    pub(crate) fn of(keys: &toml::Table) -> Result<Background, ModelError> {
        let mut background = Background::default();
        for (name, value) in keys {
            background.set(&format!("background.{name}"), value)?;
        }
        if background.after_sessions.is_none() && background.at.is_none() && background.when_idle_minutes.is_none() {
            background.after_sessions = Some(1);
        }
        Ok(background)
    }

    fn set(&mut self, key: &str, value: &toml::Value) -> Result<(), ModelError> {
        match key.trim_start_matches("background.") {
            "model" => {
                self.model = ModelName::parse(text(key, value)?)
                    .map_err(|error| ModelError { message: told(&format!("`{key}`: {}", error.message)), ..error })?;
            }
            "after_sessions" => self.after_sessions = Some(number(key, value, 1, SESSIONS_MAX)?),
            "at" => self.at = Some(time_of_day(key, value)?),
            "when_idle_minutes" => self.when_idle_minutes = Some(number(key, value, 1, IDLE_MINUTES_MAX)?),
            "call_usd_max" => self.call_usd_max = usd(key, value)?,
            "day_usd_max" => self.day_usd_max = usd(key, value)?,
            "month_usd_max" => self.month_usd_max = usd(key, value)?,
            "batch" => self.batch = Some(value.as_bool().ok_or_else(|| wrong(key, value, "true or false"))?),
            "on_battery" => {
                self.on_battery = value.as_bool().ok_or_else(|| wrong(key, value, "true or false"))?;
            }
            "exclude" => self.exclude = folders(key, value)?,
            "metered" => {
                let hint = "whether a connection is metered cannot be told without asking other programs";
                return Err(bad("unknown key `background.metered`").hint(hint));
            }
            _ => return Err(unknown(key)),
        }
        Ok(())
    }
}

fn time_of_day(key: &str, value: &toml::Value) -> Result<TimeOfDay, ModelError> {
    let expected = "a time of day as `\"22:30\"`";
    let parsed = text(key, value).ok().and_then(|text| {
        let (hour, minute) = text.trim().split_once(':')?;
        let is_plain = |part: &str| (1..=2).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
        if !is_plain(hour) || !is_plain(minute) {
            return None;
        }
        let (hour, minute) = (hour.parse().ok()?, minute.parse().ok()?);
        (hour < 24 && minute < 60).then_some(TimeOfDay { hour, minute })
    });
    parsed.ok_or_else(|| wrong(key, value, expected))
}

fn folders(key: &str, value: &toml::Value) -> Result<Vec<String>, ModelError> {
    let expected = "a list of folders as `[\"~/private\"]`";
    let folders = value.as_array().ok_or_else(|| wrong(key, value, expected))?;
    let is_whole = |folder: &&str| folder.starts_with('/') || folder.starts_with('~') || folder.contains(':');
    let folder = |folder: &toml::Value| folder.as_str().filter(is_whole).map(str::to_owned);
    folders.iter().map(|one| folder(one).ok_or_else(|| wrong(key, value, expected))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::ModelsFile;

    fn read(text: &str) -> Background {
        ModelsFile::parse(text).expect("it reads").background.expect("a table")
    }

    fn message(text: &str) -> String {
        ModelsFile::parse(text).expect_err("refused").to_string()
    }

    #[test]
    fn nobody_is_asked_in_the_background_unless_the_file_says_so() {
        assert_eq!(ModelsFile::parse("model = 'claude'").expect("it reads").background, None);
        assert_eq!(read("[background]\nday_usd_max = 1").model, ModelName::None);
    }

    #[test]
    fn a_table_says_who_when_and_for_how_much() {
        let text = "[background]\nmodel = 'claude'\nat = '22:30'\nwhen_idle_minutes = 30\nday_usd_max = 0.1\n\
            month_usd_max = 2\non_battery = true\nexclude = ['~/private', '/work']\n";
        let expected = Background {
            model: ModelName::parse("claude").expect("a name"),
            at: Some(TimeOfDay { hour: 22, minute: 30 }),
            when_idle_minutes: Some(30),
            day_usd_max: Money(100_000),
            month_usd_max: Money(2_000_000),
            on_battery: true,
            exclude: vec!["~/private".to_owned(), "/work".to_owned()],
            ..Background::default()
        };
        assert_eq!(read(text), expected);
        assert_eq!(read("[background]\nmodel = 'claude'").after_sessions, Some(1), "with every session");
    }

    #[test]
    fn what_does_not_belong_there_is_refused_by_name_and_line() {
        for (text, expected) in [
            (
                "[background]\nmodell = 'x'",
                "models.toml:2: unknown key `background.modell`; the closest key is `background.model`",
            ),
            ("\n[background]\n\nmodel = 'x'", "models.toml:4: `background.model`: `x` names no model; a model is"),
            (
                "[background]\nat = '24:00'",
                "models.toml:2: `background.at` is a string, a time of day as `\"22:30\"` is expected",
            ),
            ("background.day_usd_max = -1", "models.toml:1: `background.day_usd_max` is `-1`, dollars from 0 to"),
            ("[background]\nexclude = ['here']", "models.toml:2: `background.exclude` is a array, a list of folders"),
            ("[background]\nmetered = false", "models.toml:2: unknown key `background.metered`; whether a connection"),
            ("a = 1\n[background", "models.toml:2: "),
        ] {
            let message = message(text);
            assert!(message.starts_with(expected), "{message}");
        }
    }
}
