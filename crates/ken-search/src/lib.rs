//! The derived routing index as bytes: the only crate that knows how it is kept on disk.
//!
//! [`build`] turns entries and stamps into one buffer, [`Table::open`] answers routing from such a
//! buffer without decoding it: a route over ten thousand pages decodes the handful of entries it looks
//! at. A [`Table`] is a [`Catalog`](ken_core::Catalog) and answers exactly as [`ken_core::Index`] does over the same
//! entries. The stamps say which files the table was built from, so that the caller can tell whether
//! it still holds and read again only what changed.
//!
//! Invariants: the same input in any order gives the same bytes; no buffer, however damaged, makes a
//! method panic or run without end. The table can be thrown away at any time.
//!
//! It reads and writes no files (the store does), knows no clock, and does not rank pages.

mod bytes;

mod disk;
mod stamp;

mod blob;
mod segment;
mod shelf;
mod top;
mod vectors;

pub use blob::Blob;
pub use disk::{Said, Table, build, rebuild};
pub use segment::{Called, FileFacts, Look, NewDoc, NewPassage, Segment, SegmentBuilder, VERSION};
pub use shelf::{Manifest, Member, Named, Shelf};
pub use stamp::{FolderStamp, Stamp};
pub use top::{Forms, Found, InScope, LookedUp, Passes, Wanted};
pub use vectors::{KeptVector, Vectors};
