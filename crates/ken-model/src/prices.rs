//! What tokens cost: the providers' prices, and those that the user gives.
//!
//! Money is counted in whole millionths of a dollar and rounded up, so that a limit is never passed by
//! rounding. A model without a price has none: whoever asks must refuse, not assume.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::error::{ErrorKind, ModelError};
use crate::money::Money;
use crate::prompt::Usage;

/// The prices that are built in; the file says when they were looked up.
const BUILT_IN: &str = include_str!("prices.toml");
/// When the built-in prices were looked up.
pub const LOOKED_UP: &str = "2026-11-22";
/// Most dollars for a million tokens; ten times what anybody asks.
const USD_MAX: f64 = 10_000.0;

/// Millionths of a millionth of a dollar for one token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Rates {
    input: u64,
    cache_read: u64,
    cache_write: u64,
    output: u64,
}

/// What one model costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Price {
    rates: Rates,
    /// Other rates for prompts of more than so many tokens.
    long: Option<(u64, Rates)>,
}

/// A row as written.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    input: f64,
    cache_read: Option<f64>,
    cache_write: Option<f64>,
    output: f64,
    long: Option<LongRow>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct LongRow {
    over: u64,
    input: f64,
    cache_read: Option<f64>,
    cache_write: Option<f64>,
    output: f64,
}

/// What models cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prices {
    rows: BTreeMap<String, Price>,
}

impl Default for Prices {
    fn default() -> Prices {
        Prices::built_in()
    }
}

impl Prices {
    /// Returns the built-in prices.
    pub fn built_in() -> Prices {
        let table = BUILT_IN.parse().expect("a test reads the built-in prices");
        let mut prices = Prices { rows: BTreeMap::new() };
        prices.overlay(table).expect("a test reads the built-in prices");
        prices
    }

    /// Returns the built-in prices with a user's laid over them: a table for each model, named as
    /// [`ModelName`](crate::ModelName) writes it, or by its beginning and `*`.
    ///
    /// # Errors
    /// When the text is not TOML, a row has other keys, or a price is no amount.
    pub fn parse(user: &str) -> Result<Prices, ModelError> {
        Prices::built_in().with(user)
    }

    /// Returns these with a user's laid over them, as [`Prices::parse`] reads them.
    ///
    /// # Errors
    /// As [`Prices::parse`].
    pub fn with(mut self, user: &str) -> Result<Prices, ModelError> {
        self.overlay(user.parse().map_err(|error: toml::de::Error| bad(error.message()))?)?;
        Ok(self)
    }

    /// Lays rows over these.
    pub(crate) fn overlay(&mut self, table: toml::Table) -> Result<(), ModelError> {
        for (name, value) in table {
            let row: Row = value.try_into().map_err(|error: toml::de::Error| {
                let why = error.message().lines().next().unwrap_or_default().to_owned();
                bad(&format!("the price of `{name}` does not read: {why}"))
                    .hint("a price has input and output, and may have cache_read, cache_write and long")
            })?;
            let rates = rates(&name, row.input, row.cache_read, row.cache_write, row.output)?;
            let long = match &row.long {
                Some(long) => {
                    let rates = rates_of_long(&name, long)?;
                    Some((long.over, rates))
                }
                None => None,
            };
            self.rows.insert(name, Price { rates, long });
        }
        Ok(())
    }

    /// Returns what a call cost; none when the model has no price. What the one who was asked says goes before
    /// the table.
    ///
    /// Where long prompts cost more, the sum of several calls may look like a long one: it then comes out too
    /// high, never too low.
    pub fn cost(&self, name: &str, usage: &Usage) -> Option<Money> {
        let price = self.price(name)?;
        if usage.cost.is_some() {
            return usage.cost;
        }
        let rates = price.at(usage.prompt());
        Some(rounded_up(&[
            (usage.input, rates.input),
            (usage.cache_read, rates.cache_read),
            (usage.cache_write, rates.cache_write),
            (usage.output, rates.output),
        ]))
    }

    /// Returns what calls can cost at most, when each has a prompt and a reply of so many tokens; none when
    /// the model has no price.
    pub fn upper_bound(&self, name: &str, prompt_tokens: u64, reply_tokens_max: u64, n_calls: u64) -> Option<Money> {
        let rates = self.price(name)?.at(prompt_tokens);
        let dearest = rates.input.max(rates.cache_write).max(rates.cache_read);
        let one = rounded_up(&[(prompt_tokens, dearest), (reply_tokens_max, rates.output)]);
        Some(Money(one.0.saturating_mul(n_calls)))
    }

    /// Returns whether the model has a price.
    pub fn know(&self, name: &str) -> bool {
        self.price(name).is_some()
    }

    /// Returns the line of a file of prices that gives a model its price, in dollars for a million tokens.
    ///
    /// It is for the top of the file: below a table's head it would be part of that table.
    ///
    /// ```
    /// let line = ken_model::Prices::line("openai:mine", "1.0", "4.0");
    /// assert_eq!(line, r#""openai:mine" = { input = 1.0, output = 4.0 }"#);
    /// assert!(ken_model::Prices::parse(&line).expect("it reads").know("openai:mine"));
    /// ```
    pub fn line(name: &str, input: &str, output: &str) -> String {
        // What JSON writes as a text, TOML reads as one.
        let name = serde_json::Value::from(name);
        format!("{name} = {{ input = {input}, output = {output} }}")
    }

    /// The row that fits best: the name itself, else the longest beginning.
    fn price(&self, name: &str) -> Option<&Price> {
        let fits = |row: &str, name: &str| match row.strip_suffix('*') {
            Some(beginning) => name.starts_with(beginning),
            None => row == name,
        };
        let undated = undated(name);
        let rows = self.rows.iter().filter(|(row, _)| fits(row, name) || fits(row, undated));
        // A `*` makes a row longer by one, and fit worse than the name it stands for.
        rows.max_by_key(|(row, _)| (row.trim_end_matches('*').len(), !row.ends_with('*'))).map(|(_, price)| price)
    }
}

impl Price {
    fn at(&self, prompt_tokens: u64) -> Rates {
        self.long.filter(|(over, _)| prompt_tokens > *over).map_or(self.rates, |(_, rates)| rates)
    }
}

fn rates_of_long(name: &str, long: &LongRow) -> Result<Rates, ModelError> {
    rates(name, long.input, long.cache_read, long.cache_write, long.output)
}

/// Where caching has no price of its own: reading is no cheaper, and writing as much dearer as it is anywhere.
fn rates(name: &str, input: f64, read: Option<f64>, write: Option<f64>, output: f64) -> Result<Rates, ModelError> {
    let rate = |usd: f64| {
        if !(0.0..=USD_MAX).contains(&usd) {
            let message = format!("the price of `{name}` is {usd}, dollars from 0 to {USD_MAX} are expected");
            return Err(bad(&message));
        }
        Ok((usd * 1e6).round() as u64)
    };
    Ok(Rates {
        input: rate(input)?,
        cache_read: rate(read.unwrap_or(input))?,
        cache_write: rate(write.unwrap_or(input * 1.25))?,
        output: rate(output)?,
    })
}

fn rounded_up(parts: &[(u64, u64)]) -> Money {
    let sum: u128 = parts.iter().map(|(tokens, rate)| u128::from(*tokens) * u128::from(*rate)).sum();
    Money(u64::try_from(sum.div_ceil(1_000_000)).unwrap_or(u64::MAX))
}

/// A model's name without the date at its end, `-20260922` or `-2026-09-22`.
fn undated(name: &str) -> &str {
    let is_date = |end: &str| {
        let digits = end.chars().filter(char::is_ascii_digit).count();
        digits == 8 && (end.len() == 8 || end.len() == 10 && end.as_bytes()[4] == b'-' && end.as_bytes()[7] == b'-')
    };
    let ends = [11, 9].into_iter().filter_map(|len| name.len().checked_sub(len));
    let ends = ends.filter(|at| name.is_char_boundary(*at));
    ends.map(|at| name.split_at(at))
        .find(|(_, end)| end.strip_prefix('-').is_some_and(is_date))
        .map_or(name, |(start, _)| start)
}

fn bad(why: &str) -> ModelError {
    ModelError::new(ErrorKind::Setup, why.lines().next().unwrap_or("the prices do not read as TOML"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usage(input: u64, cache_read: u64, cache_write: u64, output: u64) -> Usage {
        Usage { input, cache_read, cache_write, output, is_estimate: false, cost: None }
    }

    #[track_caller]
    fn check(user: &str, name: &str, usage: Usage, expected: Option<&str>) {
        let prices = Prices::parse(user).expect("prices");
        assert_eq!(prices.cost(name, &usage).map(|cost| cost.to_string()).as_deref(), expected);
    }

    #[test]
    fn the_built_in_prices_read_and_say_when_they_were_looked_up() {
        assert!(Prices::built_in().rows.len() > 10);
        assert!(BUILT_IN.contains(&format!("Looked up on {LOOKED_UP}.")));
    }

    #[test]
    fn each_kind_of_token_has_its_price() {
        let name = "anthropic:claude-opus-5-5";
        check("", name, usage(1_000_000, 0, 0, 0), Some("$4.0000"));
        check("", name, usage(0, 1_000_000, 0, 0), Some("$0.2000"));
        check("", name, usage(0, 0, 1_000_000, 0), Some("$5.0000"));
        check("", name, usage(0, 0, 0, 1_000_000), Some("$20.0000"));
        check("", "anthropic:claude-opus-5-5-20260922", usage(1_000, 1_000, 0, 100), Some("$0.0062"));
    }

    #[test]
    fn long_prompts_have_their_own_rates() {
        let name = "anthropic:claude-haiku-5-5";
        check("", name, usage(100_000, 0, 0, 1_000), Some("$0.0105"));
        check("", name, usage(1, 100_000, 0, 1_000), Some("$0.0076"));
        let bound = |tokens| Prices::built_in().upper_bound(name, tokens, 1_000, 2).expect("a price").to_string();
        assert_eq!((bound(100_000), bound(100_001)), ("$0.0260".to_owned(), "$0.1301".to_owned()));
    }

    #[test]
    fn money_is_rounded_up_and_never_shown_as_nothing() {
        let prices = Prices::built_in();
        assert_eq!(prices.cost("anthropic:claude-haiku-5-5", &usage(0, 1, 0, 0)), Some(Money(1)));
        assert_eq!((Money(1).to_string(), Money(0).to_string()), ("$0.0001".to_owned(), "$0.0000".to_owned()));
        assert_eq!(Money(12_345_678).to_string(), "$12.3457");
        let most = usage(u64::MAX, u64::MAX, u64::MAX, u64::MAX);
        assert_eq!(prices.cost("anthropic:claude-opus-5", &most), Some(Money(u64::MAX)));
        assert_eq!(prices.upper_bound("anthropic:claude-opus-5", u64::MAX, 0, 9), Some(Money(u64::MAX)));
    }

    #[test]
    fn a_model_without_a_price_has_none() {
        check("", "openai:gpt-99", usage(1, 1, 1, 1), None);
        check("", "anthropic:claude-opus-5-9", usage(1, 1, 1, 1), None);
        assert_eq!(Prices::built_in().upper_bound("openai:gpt-99", 1, 1, 1), None);
        check("", "command:claude -p", usage(1_000, 0, 0, 9), Some("$0.0000"));
        check("", "ollama:qwen3:8b", usage(1_000, 0, 0, 9), Some("$0.0000"));
    }

    #[test]
    fn the_users_prices_lie_over_ours_and_the_longest_name_fits() {
        let user = "['openai:gpt*']\ninput = 1\noutput = 2\n['openai:gpt-99*']\ninput = 3\noutput = 4\n\
            ['anthropic:claude-opus-5-5']\ninput = 1\noutput = 1";
        check(user, "openai:gpt-9", usage(1_000_000, 0, 0, 0), Some("$1.0000"));
        check(user, "openai:gpt-99-mini", usage(1_000_000, 0, 0, 0), Some("$3.0000"));
        check(user, "openai:gpt-6.2-sol", usage(100_000, 0, 0, 0), Some("$0.2000"));
        check(user, "openai:gpt-9", usage(0, 1_000_000, 0, 0), Some("$1.0000"));
        check(user, "openai:gpt-9", usage(0, 0, 1_000_000, 0), Some("$1.2500"));
        check(user, "anthropic:claude-opus-5-5", usage(1_000_000, 0, 0, 0), Some("$1.0000"));
    }

    #[test]
    fn prices_that_are_none_are_refused_by_name() {
        let message = |user: &str| Prices::parse(user).expect_err("refused").message;
        assert_eq!(
            message("[x]\ninput = -1\noutput = 0"),
            "the price of `x` is -1, dollars from 0 to 10000 are expected"
        );
        assert_eq!(
            message("[x]\ninput = nan\noutput = 0"),
            "the price of `x` is NaN, dollars from 0 to 10000 are expected"
        );
        assert_eq!(message("[x]\ninput = 1"), "the price of `x` does not read: missing field `output`");
        assert!(message("[x]\ninput = 1\noutput = 1\nper = 2").contains("unknown field `per`"));
    }
}
