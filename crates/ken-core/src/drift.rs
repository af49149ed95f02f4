//! Whether the code that statements name is still there.
//!
//! From the text of a statement come [`references`]; a [`Project`] says what there is; [`judge`] says of each reference
//! whether it is there, gone, or somewhere else. Nothing is kept: what is said comes and goes with the code. Languages
//! are read by a table of words and forms, not by parsers, and where that cannot tell, nothing is said.
//!
//! The modules are listed in suggested reading order.

mod grammar;
mod mask;
mod definitions;
mod manifest;
mod reference;
mod excused;
mod project;
mod judge;
mod statements;

pub use definitions::{CodeFacts, Definition, NameId, code_facts};
pub use judge::{State, judge};
pub use manifest::{Manifest, manifest};
pub use project::{Absent, Departure, Project, ProjectFile};
pub use reference::{Command, Reference, What, references};
pub use statements::{NOT_NOW, statements};

#[cfg(test)]
mod tests;
