//! Consolidation: when it is due, and what it finds in a wiki that grew.
//!
//! Everything here is a function of what it is given, and nothing is decided twice: what is sure is returned as such and
//! may be applied, the rest is a [`ReviewItem`] that a person decides about. Wrong merges cost more than missed ones, so
//! only names that cannot be of two things are sure.

pub mod archive;
pub mod diary;
pub mod due;
pub mod review;
pub mod rules;
pub mod twins;
pub mod used;

pub use review::{ReviewItem, ReviewKind};
