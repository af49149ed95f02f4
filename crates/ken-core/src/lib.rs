//! Understanding pages, with no disk, clock, network or model.
//!
//! Everything here is a pure function of its arguments: text in, values and diagnostics out.
//! Reading never fails: broken input gives a value plus the [`Diagnostic`]s found on the way.
//!
//! The modules are listed in suggested reading order.

pub mod slug;
pub mod path;
pub mod time;
pub mod digest;
pub mod span;
pub mod diagnostic;
pub mod layout;
pub mod journal;
pub mod issue;
pub mod text;
pub mod talk;
pub mod clean;
pub mod parallel;
pub mod memo;
pub mod markdown;
pub mod language;
pub mod words;
pub mod unmerged;
pub mod when;
pub mod ground;
pub mod trust;
pub mod orders;
pub mod finding;
pub mod frame;
pub mod header;
pub mod page;
pub mod link;
pub mod source;
pub mod chat;
pub mod claim;
pub mod agreement;
pub mod same;
pub mod as_of;
pub mod held;
pub mod action;
pub mod state;
pub mod timeline;
pub mod revised;
pub mod rollup;
pub mod clash;
pub mod drift;
pub mod dispute;
pub mod settled;
pub mod returned;
pub mod supersede;
pub mod meaning;
pub mod budget;
pub mod index;
pub mod topic;
pub mod route;
pub mod context;
pub mod search;
pub mod answer;
pub mod brief;
pub mod consolidate;
pub mod snapshot;
pub mod lint;
pub mod redact;
pub mod plan;

pub use budget::Tokens;
pub use diagnostic::{Diagnostic, Note, Parsed, Severity};
pub use digest::Digest;
pub use index::{Catalog, Index, IndexEntry};
pub use layout::{Layout, Preset};
pub use page::{Category, Page};
pub use path::VaultPath;
pub use plan::{Basis, Edit, LogEntry, Plan};
pub use slug::Slug;
pub use snapshot::Snapshot;
pub use span::{LineIndex, Position, Span};
pub use time::{Date, Month, Timestamp};
pub use trust::Trust;
