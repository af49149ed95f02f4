//! What a model told of claims, after it was checked: compiling takes it as it takes what was extracted.

use ken_core::revised::Revision;
use ken_core::settled::Settlement;
use ken_core::{Category, Date};

/// What sort of thing a subject is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Card {
    /// What sort of thing it is.
    pub category: Category,
    /// Other names.
    pub aliases: Vec<String>,
}

/// A subject that a model named.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct About {
    /// How it is called.
    pub name: String,
    /// What sort of thing it is, if that was said.
    pub card: Option<Card>,
}

/// What a model said of one claim besides its text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Told {
    /// Its subjects; of a connection, what it joins.
    pub about: Vec<About>,
    /// Whether it joins its subjects and belongs to the page of their connection.
    pub is_connection: bool,
    /// Ids of claims that say the same.
    pub same_as: Vec<String>,
    /// Ids of claims that were true until this one.
    pub replaces: Vec<String>,
    /// Ids of claims that cannot be true beside it.
    pub disputes: Vec<String>,
    /// The first words of the lines that it cites.
    pub quote: String,
    /// Whether its words may say more than those lines: it leads nothing and changes nothing.
    pub is_unverified: bool,
    /// What of its first subject it gives a value of; empty where nobody said.
    pub slot: String,
    /// Who says it; empty where nobody said.
    pub speaker: String,
    /// Ids of claims of a dispute that do not hold, as somebody decided here.
    pub settles: Vec<String>,
    /// The day from which it holds; none where nobody said.
    pub valid_from: Option<Date>,
    /// How a thing was called and how it is called, where it says so.
    pub renames: Option<(String, String)>,
    /// Of what settles a dispute: which claims hold and which do not.
    pub settled: Option<Box<Settlement>>,
    /// Of what a document said before: what it says in its place, if anything.
    pub revised: Option<Box<Revision>>,
}

impl Told {
    /// Returns whether it only tells what became of what stands elsewhere: of a dispute, or of a document.
    pub(crate) fn is_record(&self) -> bool {
        self.settled.is_some() || self.revised.is_some()
    }
}

/// How a page of another compiler was called, and where it stood.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct AdoptedPage {
    /// Its place in the wiki, without the extension: `concepts/supabase-auth`.
    pub place: String,
    /// What sort of thing it is about.
    pub category: Category,
    /// Other names, that of its file among them.
    pub aliases: Vec<String>,
    /// Words that lead to it.
    pub tags: Vec<String>,
    /// One sentence that stands for it; empty where it has none.
    pub tldr: String,
    /// The days that it was made from.
    pub days: Vec<String>,
    /// When it was first written.
    pub created: Option<Date>,
}

/// A reading that is not taken because it says far less than was extracted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Thin {
    /// First and last line of its portion.
    pub lines: (usize, usize),
    /// What it says.
    pub n_read: usize,
    /// What was extracted.
    pub n_extracted: usize,
}

/// Tldr and triggers of a page that hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProposedHeader {
    /// One sentence; empty where none holds.
    pub tldr: String,
    /// Words that lead to the page; none where too few hold.
    pub triggers: Vec<String>,
}

/// A section of a page that holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// Its heading; empty for the first.
    pub heading: String,
    /// What it says.
    pub sentences: Vec<Sentence>,
}

/// A sentence of a section that holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sentence {
    /// On one line.
    pub text: String,
    /// Ids of the claims it rests on.
    pub claims: Vec<String>,
    /// Those of them that it says, so that they need not be listed besides.
    pub told: Vec<String>,
    /// Whether it concludes more than they say.
    pub is_synthesis: bool,
}

/// Returns the name of the connection between several subjects.
pub fn connection_name(about: &[About]) -> String {
    let mut names: Vec<&str> = about.iter().map(|about| about.name.as_str()).collect();
    names.sort_by_key(|name| name.to_lowercase());
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.concat(),
    }
}
