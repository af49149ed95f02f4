//! Journal and documents to pages, without a model: a function from texts to texts.
//!
//! What a page says is a function of the passages about its subject, and which subjects have pages is a function of all
//! entries. So compiling everything again gives the same bytes, in whatever order files come. It opens no files and knows
//! no engine; who calls it reads the files, and hands in what models read and proposed, checked.
//!
//! The modules are listed in suggested reading order: a file is cut into entries of passages, the ledger notes what they
//! mention and decides subjects, subjects are named, and their pages are drafted; weeks, months and years are rolled up.

pub mod cut;
pub mod passage;
pub mod portion;
pub mod told;
pub mod document;
pub mod adopted;
pub mod html;
mod labels;
mod clause;
pub mod called;
mod commands;
pub mod work;
pub mod subject;
pub mod ledger;
pub mod marked;
pub mod corpus;
pub mod naming;
mod covered;
mod loader;
pub mod draft;
mod drafter;
mod beyond;
mod echoes;
mod finding;
pub mod archive;
pub mod account;
pub mod compose;
pub mod dates;
pub mod score;
mod standing;
mod telling;
mod select;
pub mod alone;
mod fault;
pub mod about;
pub mod rubric;
mod relate;
mod key;
mod fingerprint;
pub mod revise;
pub mod settle;
pub mod themes;
pub mod rollup;

pub use cut::{Cut, ReadAs, Reader, State};
pub use draft::{Around, Drafted, Proposer, draft, rollups};
pub use drafter::Humans;
pub use ledger::Ledger;
pub use loader::{Entries, Source};
