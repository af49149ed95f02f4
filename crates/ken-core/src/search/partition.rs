//! Pages and evidence, which never compete for a place.

/// The two kinds of results: what was compiled, and what it was compiled from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Partition {
    /// Pages of the wiki.
    Pages,
    /// The journal and the sources.
    Evidence,
}

impl Partition {
    /// Both, in the order in which they are kept and shown.
    pub const ALL: [Partition; 2] = [Partition::Pages, Partition::Evidence];

    /// Returns the partition with a code, the position in [`Partition::ALL`].
    pub fn from_code(code: u8) -> Option<Partition> {
        Partition::ALL.get(usize::from(code)).copied()
    }

    /// Returns the word used for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Partition::Pages => "pages",
            Partition::Evidence => "evidence",
        }
    }
}
