//! What a document said before it was changed, as it stands in the journal.
//!
//! A document's file says what holds; what it said before is gone with its old bytes. So whoever takes a changed document in
//! writes down what it says now in the place of what, an item of an entry each, in words that need no program to be
//! read: `` `raw/handbook.md` says "A loan lasts 21 days" instead of "A loan lasts 14 days". `` [`Revision::parse`] takes
//! those forms and no other.

use std::fmt;
use std::ops::Range;

use regex::Regex;

use crate::path::VaultPath;
use crate::text::{cut, one_line};

/// Between the document and what it says, and around that.
const SAYS: &str = "` says \"";
const INSTEAD: &str = "\" instead of \"";
const NO_LONGER: &str = "` no longer says \"";
const END: &str = "\".";
/// What stands where a statement is cut, and the words before what differs that are told with it.
const CUT: char = '…';
const WORDS_BEFORE: usize = 6;

/// One change of what a document says.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Revision {
    /// The document.
    pub path: VaultPath,
    /// What it said, on one line, without double quotes and a full stop.
    pub before: String,
    /// What it says in the place of that, if anything.
    pub after: Option<String>,
}

impl Revision {
    /// Longest statement, in characters: an item with two of them is still read as one sentence.
    pub const CHARS_MAX: usize = 120;

    /// Returns a change of a document, its statements as they can stand in the journal.
    pub fn of(path: &VaultPath, before: &str, after: Option<&str>) -> Revision {
        let plain = |text: &str| {
            let text = one_line(&text.replace('"', "'"));
            text.trim().trim_end_matches('.').trim_end().to_owned()
        };
        let (before, after) = (plain(before), after.map(plain));
        // Of a long one what differs is told, with what stands before it.
        let n_same = after.as_deref().map_or(0, |after| n_same(&before, after));
        let shown = |text: &str| cut(&from_word(text, n_same), Self::CHARS_MAX);
        let after = after.as_deref().map(shown);
        Revision { path: path.clone(), before: shown(&before), after }
    }

    /// Returns whether a row of a table was changed: its cells stand as they do there.
    pub fn is_of_row(&self) -> bool {
        self.before.contains(" | ")
    }

    /// Returns what an entry is called that tells of the changes of a document.
    pub fn title(path: &VaultPath) -> String {
        format!("{path} changed")
    }

    /// Returns what an entry is called that tells of the changes of several documents.
    pub fn title_of(n_documents: usize) -> String {
        format!("{n_documents} documents changed")
    }

    /// Returns the change that an item of the journal tells, if it has the form.
    ///
    /// ```
    /// # use ken_core::revised::Revision;
    /// let item = "`raw/oven.md` says \"Bake at 240 degrees\" instead of \"Bake at 220 degrees\".";
    /// let revision = Revision::parse(item).expect("a change");
    /// assert_eq!(revision.before, "Bake at 220 degrees");
    /// assert_eq!(revision.to_string(), item);
    /// assert!(Revision::parse("The oven no longer says \"Bake\".").is_none());
    /// ```
    pub fn parse(item: &str) -> Option<Revision> {
        let rest = item.strip_prefix('`')?;
        let (path, before, after) = match rest.split_once(NO_LONGER) {
            Some((path, said)) => (path, said.strip_suffix(END)?, None),
            None => {
                let (path, said) = rest.split_once(SAYS)?;
                let (after, before) = said.split_once(INSTEAD)?;
                (path, before.strip_suffix(END)?, Some(after))
            }
        };
        let is_plain = |text: &str| !text.is_empty() && !text.contains('"');
        let path = VaultPath::new(path).filter(|_| is_plain(before) && after.is_none_or(is_plain))?;
        Some(Revision { path, before: before.to_owned(), after: after.map(str::to_owned) })
    }
}

/// A statement without the marks of what was cut off, which stands there as it did.
fn bare(text: &str) -> &str {
    text.trim_start_matches(CUT).trim_end_matches(CUT)
}

/// Words that two texts begin with alike.
fn n_same(a: &str, b: &str) -> usize {
    a.split(' ').zip(b.split(' ')).take_while(|(a, b)| a == b).count()
}

/// A text of which so many words stand in another one too; of a long one the last of those and what comes then.
fn from_word(text: &str, n_same: usize) -> String {
    let n_chars = text.chars().count();
    let n_left_out = n_same.saturating_sub(WORDS_BEFORE);
    if n_chars <= Revision::CHARS_MAX || n_left_out == 0 {
        return text.to_owned();
    }
    let rest: Vec<&str> = text.split(' ').skip(n_left_out).collect();
    format!("{CUT}{}", rest.join(" "))
}

/// Returns the text that a document had before it was changed, as far as its statements are found there; the last change
/// comes first. Every line stays where it is.
///
/// ```
/// # use ken_core::revised::{Revision, before};
/// let change = Revision::parse("`raw/oven.md` says \"Bake at 240 degrees\" instead of \"Bake at 220 degrees\".");
/// assert_eq!(before("# Oven\n\nBake at\n240 degrees.\n", change.iter()), "# Oven\n\nBake at 220 degrees\n.\n");
/// ```
pub fn before<'r>(text: &str, changes: impl Iterator<Item = &'r Revision>) -> String {
    let mut out = text.to_owned();
    for change in changes {
        let Some(after) = &change.after else { continue };
        let words: Vec<String> = bare(after).split_whitespace().map(regex::escape).collect();
        // Double quotes are single ones in the journal.
        let words = words.join(r"\s+").replace('\'', "['\"]");
        let Ok(pattern) = Regex::new(&words) else { continue };
        let is_word = |ch: Option<char>| ch.is_some_and(char::is_alphanumeric);
        let is_whole = |found: &Range<usize>| {
            !is_word(out[..found.start].chars().next_back()) && !is_word(out[found.end..].chars().next())
        };
        let Some(found) = pattern.find_iter(&out).map(|found| found.range()).find(is_whole) else { continue };
        let lines = "\n".repeat(out[found.clone()].matches('\n').count());
        out.replace_range(found, &format!("{}{lines}", bare(&change.before)));
    }
    out
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Revision { path, before, after } = self;
        match after {
            Some(after) => write!(f, "`{path}{SAYS}{after}{INSTEAD}{before}{END}"),
            None => write!(f, "`{path}{NO_LONGER}{before}{END}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn path() -> VaultPath {
        VaultPath::new("raw/a b.md").expect("inside")
    }

    #[test]
    fn a_statement_cannot_end_its_own_quotation() {
        let hostile = "Hot\" instead of \"The limit is 5\".";
        let one = Revision::of(&path(), "It is cold.", Some(hostile));
        let read = Revision::parse(&one.to_string()).expect("a change");
        assert_eq!(read.before, "It is cold");
        assert_eq!(read.after.as_deref(), Some("Hot' instead of 'The limit is 5'"));
    }

    #[test]
    fn of_a_long_statement_what_differs_is_told() {
        let said = |end: &str| {
            format!("{}the baker unlocks the shed {end}.", "Whoever comes first in the morning, ".repeat(4))
        };
        let one = Revision::of(&path(), &said("before six"), Some(&said("after seven")));
        assert_eq!(one.before, "…morning, the baker unlocks the shed before six");
        let text = format!("# Shed\n\n{}\n", said("after seven"));
        assert_eq!(before(&text, [one].iter()), format!("# Shed\n\n{}\n", said("before six")));
    }

    #[test]
    fn only_whole_words_are_put_back() {
        let one = Revision::of(&path(), "Bake 5 'big' loaves at 10", Some("Bake 5 \"big\" loaves at 20"));
        let text = "Bake 5 \"big\" loaves at 200.\nBake 5 \"big\" loaves at 20.\n";
        assert_eq!(before(text, [one].iter()), "Bake 5 \"big\" loaves at 200.\nBake 5 'big' loaves at 10.\n");
    }

    proptest! {
        #[test]
        fn what_changed_reads_back(before in "[ -~é]{0,200}[a-z]", after in proptest::option::of("[a-z`\"]{0,9}[a-z]")) {
            let one = Revision::of(&path(), &before, after.as_deref());
            prop_assert_eq!(Revision::parse(&one.to_string()), Some(one));
        }
    }
}
