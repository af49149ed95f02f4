//! What tests of other crates are built from: an in-memory file system with faults, and the runner of
//! the Markdown suites. No product crate depends on it.

pub mod spec;
pub mod memfs;
