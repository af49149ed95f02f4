//! OKF, the Open Knowledge Format: a folder of pages with YAML headers. Version 0.2 is written, 0.1 and 0.2 are read.
//!
//! Kenning's own fields stand beside the format's, under their own names; what somebody else's header holds is kept
//! byte for byte, nested values too. What a bundle holds is data of somebody's: the engine says how far it is believed.

mod read;
mod write;

use crate::format::{Format, Shape, Writer};

/// OKF.
pub(crate) static OKF: Format = Format {
    name: "okf",
    about: "an Open Knowledge Format bundle: 0.2 is written, 0.1 and 0.2 are read",
    write: Some(Writer { shape: Shape::Folder, sign: "", run: write::write }),
    read: Some(read::read),
};

/// The version that is written.
const VERSION: &str = "0.2";
/// Names that are no pages, at any level.
const RESERVED: &[&str] = &["index.md", "log.md"];
/// What a bundle says of files that are no part of it.
const IGNORE: &str = ".okfignore";
/// What a page that is out of use is called there, and here.
const DEPRECATED: &str = "deprecated";
