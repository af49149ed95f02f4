//! `[budget]`: how much of a model's window each layer may take.

use toml::{Table, Value};

use super::{TOKENS_MAX, bad, number};
use crate::failure::Failure;
use ken_core::text::closest;

/// Limits of the layers that an agent loads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The window of the model, in tokens.
    pub window: usize,
    /// Most tokens of instructions: what people wrote for the agent, with what that imports.
    pub instructions: usize,
    /// Most lines of an index that is read at every start.
    pub memory_lines: usize,
    /// Most bytes of it.
    pub memory_bytes: usize,
    /// Most tokens of the page of the state.
    pub state: usize,
    /// Most of the window that the start may take, in hundredths.
    pub start_percent: usize,
    /// Least of the window that is left for work, in hundredths.
    pub free_percent: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            window: 200_000,
            instructions: 10_000,
            memory_lines: ken_core::brief::MEMORY_LINES_MAX,
            memory_bytes: ken_core::brief::MEMORY_BYTES_MAX,
            state: 5_000,
            start_percent: 10,
            free_percent: 75,
        }
    }
}

/// Windows that have a name. What counts is what goes in; some models count the answer with it.
const WINDOWS: [(&str, usize); 4] =
    [("claude", 200_000), ("claude-1m", 1_000_000), ("gpt-5", 272_000), ("gemini", 1_048_576)];

/// Every key of `[budget]`: name, what it takes, default, meaning.
pub const BUDGET_KEYS: &[(&str, &str, &str, &str)] = &[
    ("window", "tokens, as `200000` or `\"1m\"`, or a name", "200000", "the window of the model"),
    ("instructions", "tokens", "10000", "what people wrote for the agent, with what that imports"),
    ("memory_lines", "a number", "200", "lines of an index that is read at every start"),
    ("memory_bytes", "bytes", "25000", "bytes of it, and of what the agent itself remembers"),
    ("state", "tokens", "5000", "the page `state.md`"),
    ("start_percent", "a number from 0 to 100", "10", "share of the window that the start may take"),
    ("free_percent", "a number from 0 to 100", "75", "share of the window that is left for work"),
];

/// What the layers of a start come to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Figures {
    /// Tokens of instructions.
    pub instructions: usize,
    /// Bytes of what the agent itself remembers.
    pub memory_bytes: usize,
    /// Tokens of the page of the state.
    pub state: usize,
    /// Tokens of the whole start.
    pub start: usize,
    /// Tokens of one context that is asked for on the way.
    pub context: usize,
}

/// A layer beside its limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Measured {
    /// The layer.
    pub layer: &'static str,
    /// What it comes to.
    pub figure: usize,
    /// What it may come to.
    pub limit: usize,
    /// The unit of both.
    pub unit: &'static str,
    /// Whether the limit is the least, and not the most.
    pub is_least: bool,
    /// The key that sets the limit.
    pub key: &'static str,
}

impl Measured {
    /// Returns whether the layer keeps its limit.
    pub fn is_ok(&self) -> bool {
        if self.is_least { self.figure >= self.limit } else { self.figure <= self.limit }
    }
}

impl Limits {
    /// Returns the limits that the table sets; what it leaves out has its default.
    pub(super) fn parse(table: &Table) -> Result<Limits, Failure> {
        if let Some(key) = table.keys().find(|key| !BUDGET_KEYS.iter().any(|(known, ..)| known == key)) {
            let closest = closest(key, BUDGET_KEYS.iter().map(|(known, ..)| *known)).unwrap_or_default();
            return Err(
                bad(&format!("unknown key `{key}` in [budget]")).hint(format!("the closest key is `{closest}`"))
            );
        }
        let of = |key: &str, default: usize, max: usize| -> Result<usize, Failure> {
            number(key, table.get(key).cloned(), default, max)
        };
        let usual = Limits::default();
        Ok(Limits {
            window: window_of(table.get("window"), usual.window)?,
            instructions: of("instructions", usual.instructions, TOKENS_MAX)?,
            memory_lines: of("memory_lines", usual.memory_lines, TOKENS_MAX)?,
            memory_bytes: of("memory_bytes", usual.memory_bytes, TOKENS_MAX)?,
            state: of("state", usual.state, TOKENS_MAX)?,
            start_percent: of("start_percent", usual.start_percent, 100)?,
            free_percent: of("free_percent", usual.free_percent, 100)?,
        })
    }

    /// Returns what the start may take of the window, in tokens.
    pub fn start(&self) -> usize {
        self.window.saturating_mul(self.start_percent) / 100
    }

    /// Returns each layer beside its limit. What is left for work is the window without the start, the state, and one context.
    pub fn measured(&self, figures: Figures) -> [Measured; 5] {
        let most = |layer, figure, limit, unit, key| Measured { layer, figure, limit, unit, is_least: false, key };
        let free = self.window.saturating_sub(figures.start + figures.state + figures.context);
        let least = self.window.saturating_mul(self.free_percent).div_ceil(100);
        [
            most("instructions", figures.instructions, self.instructions, "tokens", "instructions"),
            most("memory", figures.memory_bytes, self.memory_bytes, "bytes", "memory_bytes"),
            most("state", figures.state, self.state, "tokens", "state"),
            most("start-up", figures.start, self.start(), "tokens", "start_percent"),
            Measured { is_least: true, ..most("work area", free, least, "tokens", "free_percent") },
        ]
    }
}

/// Returns the tokens of a window that somebody names: a number of them (`200000`, `200k`, `1m`), or one that has a name.
///
/// # Errors
/// When it is neither; the text says what is expected.
pub fn window_tokens(text: &str) -> Result<usize, String> {
    if let Some((_, tokens)) = WINDOWS.iter().find(|(name, _)| *name == text) {
        return Ok(*tokens);
    }
    let (digits, factor) = match text.to_ascii_lowercase() {
        text if text.ends_with('k') => (text.trim_end_matches('k').to_owned(), 1_000),
        text if text.ends_with('m') => (text.trim_end_matches('m').to_owned(), 1_000_000),
        text => (text, 1),
    };
    let number = digits.replace([',', '_'], "").parse().ok();
    let tokens = number.and_then(|number: usize| number.checked_mul(factor)).filter(|tokens| *tokens > 0);
    tokens.ok_or_else(|| {
        let names: Vec<&str> = WINDOWS.iter().map(|(name, _)| *name).collect();
        format!("expected tokens, as in `200000`, `200k` or `1m`, or one of {}", names.join(", "))
    })
}

/// The window as the file names it: a number, or a text as `--window` takes it.
fn window_of(value: Option<&Value>, default: usize) -> Result<usize, Failure> {
    let window = match value {
        Some(Value::String(text)) => {
            let tokens = window_tokens(text).map_err(|why| bad(&format!("`window` is `{text}`: {why}")))?;
            Some(Value::Integer(i64::try_from(tokens).unwrap_or(i64::MAX)))
        }
        other => other.cloned(),
    };
    match number("window", window, default, TOKENS_MAX)? {
        0 => Err(bad("`window` is `0`, a number of tokens is expected")),
        tokens => Ok(tokens),
    }
}

/// The table of the file, if it has one.
pub(super) fn table_of(value: Option<Value>) -> Result<Limits, Failure> {
    match value {
        None => Ok(Limits::default()),
        Some(Value::Table(table)) => Limits::parse(&table),
        Some(other) => Err(bad(&format!("`budget` is of the kind {}, a table is expected", other.type_str()))
            .hint("write `[budget]` on a line of its own, and its keys below")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layer_above_its_limit_is_told_and_what_is_left_counts_everything() {
        let limits = Limits { window: 1_000, instructions: 50, ..Limits::default() };
        let figures = Figures { instructions: 51, memory_bytes: 10, state: 100, start: 100, context: 51 };
        let kept: Vec<(&str, usize, usize, bool)> =
            limits.measured(figures).iter().map(|one| (one.layer, one.figure, one.limit, one.is_ok())).collect();
        assert_eq!(
            kept,
            [
                ("instructions", 51, 50, false),
                ("memory", 10, 25_000, true),
                ("state", 100, 5_000, true),
                ("start-up", 100, 100, true),
                ("work area", 749, 750, false),
            ]
        );
    }

    #[test]
    fn keys_of_the_table_are_closed_and_numbers_in_range() {
        let of = |text: &str| table_of(text.parse::<Table>().expect("TOML").remove("budget"));
        let message = |text: &str| of(text).expect_err("refused").message;
        assert_eq!(of("[budget]\nstate = 7").expect("reads").state, 7);
        assert_eq!(message("[budget]\nstat = 7"), "kenning.toml: unknown key `stat` in [budget]");
        assert_eq!(message("budget = 7"), "kenning.toml: `budget` is of the kind integer, a table is expected");
        let range = "kenning.toml: `free_percent` is `101`, a number from 0 to 100 is expected";
        assert_eq!(message("[budget]\nfree_percent = 101"), range);
        assert_eq!(message("[budget]\nwindow = 0"), "kenning.toml: `window` is `0`, a number of tokens is expected");
    }

    #[test]
    fn windows_are_numbers_or_names() {
        for (text, expected) in [("200000", 200_000), ("200k", 200_000), ("1M", 1_000_000), ("128,000", 128_000)] {
            assert_eq!(window_tokens(text), Ok(expected));
        }
        assert_eq!(window_tokens("gpt-5"), Ok(272_000));
        for text in ["", "0", "k", "-1", "many", "99999999999999999999m"] {
            assert!(window_tokens(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_file_names_a_window_in_every_way_that_the_option_takes() {
        let of = |value: &str| {
            let text = format!("[budget]\nwindow = {value}");
            table_of(text.parse::<Table>().expect("TOML").remove("budget"))
        };
        let windows = [("200000", 200_000), ("200_000", 200_000), ("'200000'", 200_000), ("'1m'", 1_000_000)];
        for (value, expected) in windows.into_iter().chain([("'128k'", 128_000), ("'claude-1m'", 1_000_000)]) {
            assert_eq!(of(value).expect("reads").window, expected, "{value}");
        }
        let message = |value: &str| of(value).expect_err("refused").message;
        let expected = "expected tokens, as in `200000`, `200k` or `1m`, or one of claude, claude-1m, gpt-5, gemini";
        assert_eq!(message("'many'"), format!("kenning.toml: `window` is `many`: {expected}"));
        assert_eq!(message("'0'"), format!("kenning.toml: `window` is `0`: {expected}"));
        let most = "kenning.toml: `window` is `20000000`, a number from 0 to 10000000 is expected";
        assert_eq!((message("'20m'"), message("20000000")), (most.to_owned(), most.to_owned()));
        assert_eq!(message("true"), "kenning.toml: `window` is a boolean, a number from 0 to 10000000 is expected");
    }
}
