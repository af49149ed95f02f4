//! Page names.
//!
//! A [`Slug`] is a page's identity inside a vault: lower-case words joined by hyphens, Unicode-aware,
//! unique without regard to case. It is what `[[links]]`, relations and file names are made of.

use std::fmt;

use unicode_normalization::UnicodeNormalization;

/// Longest slug in bytes: leaves room for a folder and `.md` in the 255-byte names of common file systems.
pub const SLUG_BYTES_MAX: usize = 120;

/// Names that Windows keeps for devices.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];

/// Whether a text of ASCII is a slug as it is, as the names of most files are.
fn is_slug(text: &str) -> bool {
    let mut last = b'-';
    let is_in_order = text.bytes().all(|byte| {
        let before = std::mem::replace(&mut last, byte);
        byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-' && before != b'-'
    });
    is_in_order && last != b'-' && text.len() <= SLUG_BYTES_MAX
}

/// The words of a text of ASCII in lower case, joined by hyphens.
fn ascii_words(text: &str) -> String {
    let mut out = Vec::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'0'..=b'9' => out.push(byte),
            b'A'..=b'Z' => out.push(byte.to_ascii_lowercase()),
            b'\'' => {}
            _ if matches!(out.last(), None | Some(b'-')) => {}
            _ => out.push(b'-'),
        }
    }
    String::from_utf8(out).expect("letters, digits and hyphens are text")
}

/// The same of any text.
fn any_words(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for ch in text.nfc().flat_map(char::to_lowercase) {
        if ch.is_alphanumeric() {
            out.push(ch);
        } else if !out.is_empty() && !out.ends_with('-') && ch != '\'' && ch != '’' {
            out.push('-');
        }
    }
    out
}

/// Validated page name: lower-case words joined by single hyphens.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slug(String);

impl Slug {
    /// Returns the slug that `text` reads as, or `None` when it holds no letter or digit.
    ///
    /// Letters are lower-cased, everything else becomes a hyphen, runs of hyphens collapse, and the
    /// result is cut at a word at [`SLUG_BYTES_MAX`] bytes.
    ///
    /// ```
    /// # use ken_core::Slug;
    /// assert_eq!(Slug::from_text("JWT Authentication").unwrap().as_str(), "jwt-authentication");
    /// assert_eq!(Slug::from_text("Perché no?").unwrap().as_str(), "perché-no");
    /// assert_eq!(Slug::from_text("---"), None);
    /// ```
    pub fn from_text(text: &str) -> Option<Slug> {
        // Every compile makes tens of thousands of slugs, most of them of slugs.
        if is_slug(text) {
            return Some(Slug(text.to_owned()));
        }
        let mut out = if text.is_ascii() { ascii_words(text) } else { any_words(text) };
        if out.len() > SLUG_BYTES_MAX {
            let mut cut = SLUG_BYTES_MAX;
            while !out.is_char_boundary(cut) {
                cut -= 1;
            }
            let word_end = out[..cut].rfind('-').filter(|end| *end > SLUG_BYTES_MAX / 2);
            out.truncate(word_end.unwrap_or(cut));
        }
        while out.ends_with('-') {
            out.pop();
        }
        (!out.is_empty()).then_some(Slug(out))
    }

    /// Returns whether no file can have this name on Windows, with whatever ending: it is a device's there.
    pub fn is_device(&self) -> bool {
        let name = self.as_str();
        let is_port = |digit: &str| digit.len() == 1 && digit.bytes().all(|byte| byte.is_ascii_digit());
        DEVICES.contains(&name) || ["com", "lpt"].iter().any(|port| name.strip_prefix(port).is_some_and(is_port))
    }

    /// Returns the slug text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Slug {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        assert_eq!(Slug::from_text(text).as_ref().map(Slug::as_str), expected);
    }

    #[test]
    fn case_and_punctuation_fold() {
        check("Auth  Middleware (v2)!", Some("auth-middleware-v2"));
    }

    #[test]
    fn apostrophes_join_their_word() {
        check("L'area d’interesse", Some("larea-dinteresse"));
    }

    #[test]
    fn composed_and_decomposed_are_one_slug() {
        check("cafe\u{301}", Some("café"));
    }

    #[test]
    fn punctuation_alone_is_no_slug() {
        check(" -- / ", None);
    }

    #[test]
    fn a_slug_is_its_own_slug_and_nothing_else_is() {
        for slug in ["oven", "oven-2", "2-ovens", "o"] {
            check(slug, Some(slug));
        }
        for (text, slug) in [("-oven", "oven"), ("oven-", "oven"), ("oven--timer", "oven-timer"), ("ovén", "ovén")] {
            check(text, Some(slug));
        }
        check("", None);
        check("-", None);
    }

    #[test]
    fn long_text_is_cut_at_a_word() {
        let slug = Slug::from_text(&"word ".repeat(60)).expect("has letters");
        assert!(slug.as_str().len() <= SLUG_BYTES_MAX && slug.as_str().ends_with("word"));
    }
}
