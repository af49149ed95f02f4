//! Placeholder while the workspace is laid out.

pub mod extract;
pub mod scrub;
pub mod transcript;
