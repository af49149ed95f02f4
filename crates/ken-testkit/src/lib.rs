//! Placeholder while the workspace is laid out.

pub mod spec;
pub mod memfs;
