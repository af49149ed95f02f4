//! Formats in which a vault goes out, and in which knowledge comes in: bytes in, bytes out.
//!
//! A [`Format`] is a value in a file of its own and a line of [`FORMATS`]. Writing one is a function of a [`Vault`],
//! reading one a function of the files that were named; both are pure. Nothing here opens a file, decides what is
//! believed or where something goes in a vault: the engine gathers, and judges what was read.
//!
//! Invariants: the same vault gives the same bytes; reading never fails on what a file holds, it leaves out and says
//! what and why; no text can name a place outside of what it is read into.

mod vault;
mod format;
mod header;
mod links;
mod jsonl;
mod llms;
mod okf;
mod obsidian;
mod graph;
mod skill;
mod basic_memory;
mod llm_wiki;
mod qmd;
mod hydraflow;
mod recall;
mod formats;
mod repoint;
mod evidence;
mod day;
#[cfg(test)]
mod tests;

pub use day::{Grown, grown};
pub use format::{Format, Incoming, OutFile, Output, Read, Received, Settings, Shape, Writer};
pub use formats::{FORMATS, format_named};
pub use header::plain_name;
pub use jsonl::{SEAL_PURPOSE, sealed_with};
pub use repoint::repointed;
pub use vault::{Item, RECORDS, Source, Text, Vault};
