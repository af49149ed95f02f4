//! Understanding pages, with no disk, clock, network or model.
//!
//! Everything here is a pure function of its arguments: text in, values and diagnostics out.
//! Reading never fails: broken input gives a value plus the [`Diagnostic`]s found on the way.
//!
//! The modules are listed in suggested reading order.

pub mod diagnostic;
pub mod digest;
pub mod layout;
pub mod path;
pub mod plan;
pub mod slug;
pub mod span;
pub mod time;

pub use diagnostic::{Diagnostic, Parsed, Severity};
pub use digest::Digest;
pub use layout::{Layout, Preset};
pub use path::VaultPath;
pub use plan::{Edit, LogEntry, Plan};
pub use slug::Slug;
pub use span::{LineIndex, Position, Span};
pub use time::{Date, Month, Timestamp};
