//! Terms by number: the same few thousand stand in every passage.

use indexmap::IndexSet;

/// The number of a term in a [`Terms`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TermId(pub u32);

/// Terms, each once, numbered as they came.
#[derive(Debug, Default)]
pub struct Terms {
    names: IndexSet<String>,
}

impl Terms {
    /// Returns the number of a term.
    pub fn id(&mut self, term: &str) -> TermId {
        if let Some(known) = self.names.get_index_of(term) {
            return TermId(known as u32);
        }
        TermId(self.names.insert_full(term.to_owned()).0 as u32)
    }

    /// Returns the term with a number, empty when there is none.
    pub fn name(&self, id: TermId) -> &str {
        self.names.get_index(id.0 as usize).map_or("", String::as_str)
    }

    /// Returns how many there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}
