//! Full-text search: what is said about passages, and how well they answer a question.
//!
//! [`cut`] cuts a text into passages, [`doc`] says what a document is, [`Analyst`] turns words into terms and
//! weighs what a term says about a passage. The index itself, which finds passages by terms, is
//! `ken-search`'s; where texts come from is the engine's.

pub mod analyst;
mod asks;
pub mod close;
pub mod cue;
pub mod cut;
pub mod doc;
mod partition;
pub mod question;
pub mod rank;
pub mod scope;
pub mod spelling;
mod show;
pub mod tokens;
mod terms;
pub mod unit;
pub mod word;

pub use crate::language::Language;
pub use analyst::{Analyst, Impacts, Weighed};
pub use asks::Asks;
pub use cue::Cue;
pub use doc::{Doc, DocFacts, PassageFacts};
pub use partition::Partition;
pub use question::{Neighbours, Question};
pub use scope::{Scope, Scoped};
pub use show::Shown;
pub use spelling::{Meant, Speller};
pub use terms::{TermId, Terms};
pub use word::{Spelling, Word};
