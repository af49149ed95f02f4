//! Which page a piece of work is, by what it is called.

use ken_core::words::subject_key;

use crate::subject::{Mention, mentions};

/// Returns the key of the page of a piece of work: that of the thing it is called like, if it is.
pub fn key(title: &str) -> String {
    thing_of(title).unwrap_or_else(|| subject_key(title))
}

/// Returns the key of the thing that a title names and no more.
pub fn thing_of(title: &str) -> Option<String> {
    let whole = |mention: &Mention| mention.is_standalone && mention.span.start == 0 && mention.span.end == title.len();
    mentions(title).into_iter().find(whole).map(|mention| mention.key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_that_is_called_like_a_thing_is_about_it() {
        assert_eq!(key("Shadow branches"), subject_key("shadow branch"));
        assert_eq!(key("common.go"), "common.go");
        assert_eq!(key("The order database moves"), subject_key("The order database moves"));
    }
}
