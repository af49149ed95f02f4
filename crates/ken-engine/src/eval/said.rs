//! What an answer must say: a text as anybody would write it, or an expression between slashes.
//!
//! A page is compared as it is written and as it is read, so that a link, a footnote or an emphasis inside a sentence
//! makes no difference.

use ken_core::link::without_links;
use ken_core::page::outline::without_marks;
use ken_core::words::is_cjk;
use regex::{Regex, RegexBuilder};

/// A text that an answer must say.
#[derive(Debug, Clone)]
pub struct Said {
    written: String,
    form: Regex,
}

impl PartialEq for Said {
    fn eq(&self, other: &Said) -> bool {
        self.written == other.written
    }
}

impl Eq for Said {}

impl std::fmt::Display for Said {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.written)
    }
}

impl Said {
    /// Returns what a text asks for: an expression when it stands between slashes, else its own words, whole, in
    /// their order.
    ///
    /// # Errors
    /// When it is empty, or no expression; the error says why.
    pub fn parse(text: &str) -> Result<Said, String> {
        let inside = text.strip_prefix('/').and_then(|rest| rest.strip_suffix('/')).filter(|inside| !inside.is_empty());
        let form = inside.map_or_else(|| of_words(text), str::to_owned);
        if form.is_empty() {
            return Err("is empty".to_owned());
        }
        let form = RegexBuilder::new(&form).case_insensitive(true).build();
        let form = form.map_err(|error| format!("is no expression: {}", plain(&error)))?;
        if form.is_match("") {
            return Err("is said by every text".to_owned());
        }
        Ok(Said { written: text.to_owned(), form })
    }

    /// Returns whether a text says it.
    pub(super) fn is_in(&self, text: &Readings) -> bool {
        text.0.iter().any(|reading| self.form.is_match(reading))
    }
}

/// The expression of a text: a number is not part of a longer one, and a line may break between two words.
fn of_words(text: &str) -> String {
    let words: Vec<String> = text.split_whitespace().map(regex::escape).collect();
    let is_word = |ch: char| ch.is_alphanumeric() && !is_cjk(ch);
    let edge = |ch: Option<char>| if ch.is_some_and(is_word) { r"\b" } else { "" };
    let trimmed = text.trim();
    format!("{}{}{}", edge(trimmed.chars().next()), words.join(r"\s+"), edge(trimmed.chars().next_back()))
}

/// The last line says what is wrong; those above draw where.
fn plain(error: &regex::Error) -> String {
    let text = error.to_string();
    let last = text.lines().next_back().unwrap_or_default();
    last.trim_start_matches("error: ").to_owned()
}

/// A text as it is written, and as it is read.
pub(super) struct Readings([String; 2]);

impl Readings {
    pub(super) fn of(text: String) -> Readings {
        let unmarked = without_links(&without_marks(&text));
        let mut read = String::with_capacity(unmarked.len());
        let mut chars = unmarked.chars().peekable();
        while let Some(ch) = chars.next() {
            let escapes = ch == '\\' && chars.peek().is_some_and(char::is_ascii_punctuation);
            if !escapes && !matches!(ch, '*' | '`') {
                read.push(ch);
            }
        }
        Readings([text, read])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(said: &str, text: &str, expected: bool) {
        let said = Said::parse(said).expect("reads");
        assert_eq!(said.is_in(&Readings::of(text.to_owned())), expected, "`{said}` in `{text}`");
    }

    #[test]
    fn words_are_whole_and_case_makes_no_difference() {
        check("15 minutes", "It lives 15 Minutes.", true);
        check("15 minutes", "It lives 115 minutes.", false);
        check("oven", "The ovens are hot.", false);
        check("-u", "Push with `-u` once.", true);
        check("検証", "設定検証中", true);
    }

    #[test]
    fn lines_links_notes_and_marks_make_no_difference() {
        check("the fixed price", "It is the **fixed**\n  price.", true);
        check("moved to SQLite", "It moved to [[sqlite|SQLite]].[^1]", true);
        check("rings twice, then stops", "It rings twice[^2], then stops.", true);
        check("Vec<T>", "A Vec\\<T> of them.", true);
        check("**/*.rs", "All of `**/*.rs`.", true);
    }

    #[test]
    fn between_slashes_stands_an_expression() {
        check("/1[45] minutes|quarter/", "It lives 14 minutes.", true);
        check("/1[45] minutes|quarter/", "a QUARTER of an hour", true);
        check("/api/v1/", "GET /api/v1/users", true);
        check("/", "and/or", true);
    }

    #[test]
    fn what_says_nothing_or_is_no_expression_is_refused() {
        for (text, why) in [
            (" ", "is empty"),
            ("/[a/", "is no expression: unclosed character class"),
            ("/a*/", "is said by every text"),
        ] {
            assert_eq!(Said::parse(text), Err(why.to_owned()), "{text}");
        }
    }
}
