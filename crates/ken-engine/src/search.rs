//! Full-text search over the whole vault: keeping the index, and asking it.
//!
//! The modules are listed in suggested reading order.

mod answer;
mod gather;
pub(crate) mod build;
mod index;
pub(crate) mod ask;
mod texts;
mod find;
mod route;

pub use answer::{ScorePart, SearchHit, SearchOutcome, SearchRequest};
pub use find::{RESULTS_MAX, Searcher};
pub use index::Refreshed;
pub use route::SURE_IN_TEXT;
