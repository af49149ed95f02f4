//! The window of a model: how much it takes in at once, and shares of it.

/// Windows that have a name. What counts is what goes in; some models count the answer with it.
const NAMED: [(&str, usize); 4] =
    [("claude", 200_000), ("claude-1m", 1_000_000), ("gpt-5", 272_000), ("gemini", 1_048_576)];

/// Reads a window: a name, or a number of tokens.
pub(crate) fn tokens(text: &str) -> Result<usize, String> {
    if let Some((_, tokens)) = NAMED.iter().find(|(name, _)| *name == text) {
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
        let names: Vec<&str> = NAMED.iter().map(|(name, _)| *name).collect();
        format!("expected tokens, as in `200000`, `200k` or `1m`, or one of {}", names.join(", "))
    })
}

/// Returns a share of the window, as people read it.
pub(crate) fn percent(tokens: usize, window: usize) -> String {
    let tenths = (tokens.saturating_mul(1000) + window / 2) / window;
    format!("{}.{} %", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_numbers_or_names() {
        for (text, expected) in [("200000", 200_000), ("200k", 200_000), ("1M", 1_000_000), ("128,000", 128_000)] {
            assert_eq!(tokens(text), Ok(expected));
        }
        assert_eq!(tokens("gpt-5"), Ok(272_000));
        for text in ["", "0", "k", "-1", "many", "99999999999999999999m"] {
            assert!(tokens(text).is_err(), "{text}");
        }
    }

    #[test]
    fn shares_have_one_digit_behind_the_point() {
        assert_eq!(percent(0, 200_000), "0.0 %");
        assert_eq!(percent(12_345, 200_000), "6.2 %");
        assert_eq!(percent(400_000, 200_000), "200.0 %");
    }
}
