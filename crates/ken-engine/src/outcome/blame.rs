//! What `blame` returns: every line of a page, and where its claims come from.

use ken_core::claim::{Claim, ClaimState};
use ken_core::{Date, Slug, Timestamp, Trust, VaultPath};

/// A page line by line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlameOutcome {
    /// Its name.
    pub slug: Slug,
    /// Its file.
    pub path: VaultPath,
    /// What it is called.
    pub title: String,
    /// The redirects that were followed to it.
    pub redirected_from: Vec<Slug>,
    /// Whose it is.
    pub of: PageOf,
    /// Whether somebody changed the body since it was written.
    pub is_edited: bool,
    /// The newest operation that wrote its file.
    pub written: Option<OperationRef>,
    /// Whether the file is what that operation left.
    pub is_as_written: bool,
    /// How many lines it has.
    pub n_lines: usize,
    /// The lines that were asked for; nothing for all of them.
    pub asked: Option<(usize, usize)>,
    /// What stands on them, in order.
    pub rows: Vec<BlamedRow>,
    /// What the caller should know.
    pub notes: Vec<String>,
}

/// Whose a page is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PageOf {
    /// Made from journal and sources.
    Compiled,
    /// Made from the record of a filed answer; since when it is stale, if it is.
    Answer(Option<String>),
    /// A person's.
    Person {
        /// Who owns it, as its header says.
        owner: Option<String>,
        /// The page of what the journal says of it.
        companion: Option<Slug>,
    },
}

impl PageOf {
    /// Returns the word for it.
    pub fn as_str(&self) -> &'static str {
        match self {
            PageOf::Compiled => "compiled",
            PageOf::Answer(_) => "answer",
            PageOf::Person { .. } => "person",
        }
    }
}

/// Some lines of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlamedRow {
    /// First and last line, from 1.
    pub lines: (usize, usize),
    /// What made them.
    pub made: Made,
}

/// What made some lines of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Made {
    /// They are a claim.
    Claim(Box<BlamedClaim>),
    /// They are none: what they are in a word, and the lines of the claims that they belong to.
    Part(&'static str, Vec<usize>),
}

/// A claim and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlamedClaim {
    /// What the page says, and says of it.
    pub claim: Claim,
    /// Whether it holds, by what it cites too.
    pub state: ClaimState,
    /// Why.
    pub reason: String,
    /// The claims that cannot be true beside it, with their lines.
    pub disputed_with: Vec<(usize, String)>,
    /// What bears it out.
    pub proofs: Vec<Proof>,
    /// What took its place.
    pub by: Vec<Proof>,
}

/// A mark of a claim with what its footnote cites.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    /// The label of the footnote.
    pub label: String,
    /// What it cites, or why it cites nothing.
    pub cited: Result<Box<Cited>, String>,
}

/// Cited lines with what is known of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cited {
    /// The file.
    pub path: VaultPath,
    /// First and last line, as cited.
    pub lines: (usize, usize),
    /// What became of them.
    pub stands: Stands,
    /// The first words, as the footnote has them.
    pub quote: String,
    /// The day on which it was said.
    pub day: Option<Date>,
    /// What stands there now, without secrets, at most [`Cited::TEXT_CHARS_MAX`] characters; empty where it is gone.
    pub text: String,
    /// Whether more stands there.
    pub is_cut: bool,
    /// What the statement is, in words; nothing for what a document says.
    pub kind: Option<&'static str>,
    /// Who said it.
    pub speaker: Option<SpokenBy>,
    /// Who vouches for it.
    pub trust: Option<Trust>,
    /// The entry of the journal, or the document, that it stands in.
    pub entry: Option<EntryRef>,
    /// The model that read it from there; nothing where it was extracted.
    pub model: Option<String>,
    /// Whether the model read it as what joins several subjects.
    pub is_connection: bool,
    /// Whether it only says what tools did.
    pub is_event: bool,
    /// Whether the statement says what the claim says, word for word.
    pub says_it: bool,
    /// Whether it stands in a document.
    pub is_document: bool,
    /// The operation that brought it into the vault.
    pub operation: Option<OperationRef>,
}

impl Cited {
    /// Most characters of cited text.
    pub const TEXT_CHARS_MAX: usize = 4_000;

    /// Returns where it stands now: where it was cited, or where it moved to.
    pub fn place(&self) -> (usize, usize) {
        match self.stands {
            Stands::Moved(first, last) => (first, last),
            Stands::There | Stands::Gone(_) => self.lines,
        }
    }
}

/// What became of cited lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stands {
    /// They stand where they were.
    There,
    /// They stand at other lines of the file.
    Moved(usize, usize),
    /// They are gone, and why.
    Gone(String),
}

/// Who said something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpokenBy {
    /// Their name, or `User`, `Agent`, `Summary`.
    pub who: String,
    /// The line of the talk where they said it.
    pub at: Option<(VaultPath, usize)>,
}

/// An entry of the journal.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EntryRef {
    /// What it is called.
    pub title: String,
    /// Hour and minute.
    pub time: Option<(u8, u8)>,
    /// The session that it was captured from.
    pub session: Option<String>,
    /// The agent of that session.
    pub agent: Option<String>,
    /// Its project.
    pub project: Option<String>,
    /// The model that wrote the entry from the session.
    pub distilled: Option<String>,
    /// Where the words of that part of the session stand.
    pub talk: Option<TalkRef>,
}

/// Lines of the talk of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TalkRef {
    /// The file.
    pub path: VaultPath,
    /// First and last line.
    pub lines: (usize, usize),
    /// Whether they are there.
    pub is_there: bool,
}

/// An operation of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OperationRef {
    /// Its id.
    pub id: String,
    /// When it was decided.
    pub at: Timestamp,
    /// The command.
    pub kind: String,
    /// What it was about.
    pub subject: String,
}
