//! How far a text is believed, by who wrote it.

use std::borrow::Cow;

/// How far a source's text is believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Trust {
    /// Written or vouched for by the vault's people.
    User,
    /// Written by an agent in a session of theirs.
    Agent,
    /// From anywhere else.
    External,
}

impl Trust {
    /// Returns the word used in files and JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Trust::User => "user",
            Trust::Agent => "agent",
            Trust::External => "external",
        }
    }

    /// Returns the trust class of that name.
    pub fn parse(text: &str) -> Option<Trust> {
        [Trust::User, Trust::Agent, Trust::External].into_iter().find(|trust| trust.as_str() == text)
    }
}

/// What stands behind a claim of a compiled page that only external sources bear out.
pub const EXTERNAL_CLAIM: &str = " *(external)*";
/// What stands behind a claim of a compiled page whose words may say more than the lines that it cites.
pub const UNVERIFIED_CLAIM: &str = " *(unverified)*";
/// The same behind a statement of the journal, which is plain text.
pub const UNVERIFIED_STATEMENT: &str = " (unverified)";
/// The tldr of a page that rests on external sources alone: what they say is no summary of ours.
pub const EXTERNAL_TLDR: &str = "Only external sources speak of this; nobody here vouches for what they say.";
/// What stands before a line or sentence of an external source where it is quoted.
pub const EXTERNAL_MARK: &str = "(external) ";
/// What stands behind the title of a page that rests on external sources alone.
pub const EXTERNAL_TITLE: &str = " (external)";
/// The tldr of a page of which all that is said rests on work that did not stay.
pub const STALE_TLDR: &str = "What is said of this rests on work that was reverted or abandoned.";

/// What stands before and behind why a claim of a compiled page is stale.
const STALE_OPENING: &str = " *(stale: ";
const STALE_CLOSING: &str = ")*";

/// Returns what stands behind a claim of a compiled page that rests on nothing but what did not stay.
///
/// ```
/// # use ken_core::trust::{stale_in, stale_mark, without_stale};
/// let said = format!("It is hot{}.", stale_mark("issue 42 was reverted on 2026-06-01"));
/// assert_eq!(said, "It is hot *(stale: issue 42 was reverted on 2026-06-01)*.");
/// assert_eq!(stale_in(&said), Some("issue 42 was reverted on 2026-06-01"));
/// assert_eq!(without_stale(&said), "It is hot.");
/// ```
pub fn stale_mark(why: &str) -> String {
    format!("{STALE_OPENING}{why}{STALE_CLOSING}")
}

/// Returns why a claim is stale, as its page says it.
pub fn stale_in(said: &str) -> Option<&str> {
    let (_, rest) = said.split_once(STALE_OPENING)?;
    rest.split_once(STALE_CLOSING).map(|(why, _)| why)
}

/// Returns a claim without what its page says of its being stale.
pub fn without_stale(said: &str) -> Cow<'_, str> {
    match stale_in(said) {
        Some(why) => said.replacen(&stale_mark(why), "", 1).into(),
        None => said.into(),
    }
}
