//! Shares of the window of a model.

/// Returns a share of the window, as people read it.
pub(super) fn percent(tokens: usize, window: usize) -> String {
    let tenths = (tokens.saturating_mul(1000) + window / 2) / window;
    format!("{}.{} %", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_have_one_digit_behind_the_point() {
        assert_eq!(percent(0, 200_000), "0.0 %");
        assert_eq!(percent(12_345, 200_000), "6.2 %");
        assert_eq!(percent(400_000, 200_000), "200.0 %");
    }
}
