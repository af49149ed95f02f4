//! Full-text search over the whole vault: keeping the index, and asking it.
//!
//! The modules are listed in suggested reading order.

mod answer;
pub(crate) mod gather;
pub(crate) mod build;
mod changes;
mod making;
mod index;
mod respell;
pub(crate) mod ask;
mod texts;
pub(crate) mod look;
mod why;
mod find;
mod route;
pub(crate) mod meaning;
pub(crate) mod memory;

pub use answer::{Respelled, ScorePart, SearchHit, SearchOutcome, SearchRequest};
pub use find::{RESULTS_MAX, Searcher, text_of};
pub use index::Refreshed;
pub use meaning::{Embedded, MeaningSettings, Secret};
pub use route::SURE_IN_TEXT;
