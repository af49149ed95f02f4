//! Rows of tables that were written as sentences.
//!
//! Looked at by hand: as one pattern, with its bounds on characters of all languages, it takes longer to make than a new
//! day takes to read.

use std::sync::OnceLock;

use regex::Regex;

/// Returns whether a text is a row of a table with the name of each column before its cell: `` `oven.rs` – Line: 20, Usage: opens ``.
pub(super) fn is_row(text: &str) -> bool {
    // Several rows in one statement compare something.
    !text.contains("; ") && (is_row_of_dashed(text) || is_row_of_named(text))
}

/// Whether a text is a name, a dash, and at least two columns with their cells.
fn is_row_of_dashed(text: &str) -> bool {
    let Some((name, columns)) = text.split_once('–') else { return false };
    let (Some(name), Some(columns)) = (name.strip_suffix(' '), columns.strip_prefix(' ')) else { return false };
    let Some(cells) = behind_column(columns) else { return false };
    let cells = cells.split(';').next().unwrap_or(cells);
    let mut ends = cells.match_indices(", ").filter(|(at, _)| *at > 0);
    (1..=80).contains(&name.chars().count()) && ends.any(|(at, end)| behind_column(&cells[at + end.len()..]).is_some())
}

/// Whether a text is a name, a colon, and a column with its cell.
fn is_row_of_named(text: &str) -> bool {
    static NAME: OnceLock<Regex> = OnceLock::new();
    let Some((name, columns)) = text.split_once(':') else { return false };
    let name = name.strip_prefix('`').unwrap_or(name);
    let name = name.strip_suffix('`').unwrap_or(name);
    columns.strip_prefix(' ').is_some_and(|columns| behind_column(columns).is_some())
        && (1..=40).contains(&name.chars().count())
        && NAME.get_or_init(|| Regex::new(r"^[\w() ./-]+$").expect("a pattern of ours")).is_match(name)
}

/// What stands behind the name of a column and its colon.
fn behind_column(text: &str) -> Option<&str> {
    static BEGINS: OnceLock<Regex> = OnceLock::new();
    let end = text.find([':', ',', ';'])?;
    let cells = text[end..].strip_prefix(": ")?;
    let begins = BEGINS.get_or_init(|| Regex::new(r"^\p{Lu}").expect("a pattern of ours"));
    ((1..=31).contains(&text[..end].chars().count()) && begins.is_match(text)).then_some(cells)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn rows_are_known_by_the_names_of_their_columns() {
        for text in [
            "`oven.rs` – Line: 20, Usage: opens",
            "Öfen (alt) – Zeile: 20, 30, Verwendung: öffnet",
            "`oven.rs`: Line: 20",
            "src/a-b.rs: Ünung: 20",
        ] {
            assert!(is_row(text), "{text}");
        }
        for text in [
            "`oven.rs` – Line: 20",
            "`oven.rs` – line: 20, usage: opens",
            "`oven.rs`: it opens: slowly",
            "`oven.rs`: Line: 20; `door.rs`: Line: 30",
            "– Line: 20, Usage: opens",
            ": Line: 20",
            "The oven opens.",
        ] {
            assert!(!is_row(text), "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_row_is_what_its_pattern_says(text in "`?([a²é_]{0,2}|x{39,42}|y{79,82})`?( – |–|: )?([AÉⅠaǅ](b|[,;]|z{29,32})?(: |:|, |; ?)){0,4}[a;]?") {
            let column = r"\p{Lu}[^:,;]{0,30}";
            let form = format!(r"^[^–]{{1,80}} – {column}: [^;]+, {column}: |^`?[\w() ./-]{{1,40}}`?: {column}: ");
            let expected = Regex::new(&form).expect("a pattern").is_match(&text) && !text.contains("; ");
            prop_assert_eq!(is_row(&text), expected, "{}", text);
        }
    }
}
