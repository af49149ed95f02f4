//! How far a text is believed, by who wrote it.

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
