//! What a format is: how it is written, how it is read, and what comes of that.

use ken_core::{Digest, Tokens, VaultPath};

use crate::vault::{Item, Vault};

/// A format as a value.
#[derive(Debug)]
pub struct Format {
    /// What it is called on the command line.
    pub name: &'static str,
    /// What it is, in a few words.
    pub about: &'static str,
    /// How it is written, if it is.
    pub write: Option<Writer>,
    /// How it is read, if it is.
    pub read: Option<Read>,
}

/// How a format is written.
#[derive(Debug)]
pub struct Writer {
    /// What comes of it.
    pub shape: Shape,
    /// What its files say near their beginning, by which one that was written before is known.
    pub sign: &'static str,
    /// Writes it.
    pub run: fn(&Vault, &Settings) -> Output,
}

/// How a format is read.
pub type Read = fn(&[Incoming]) -> Received;

/// What comes of writing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// One file.
    File,
    /// Files of which the first says most by itself.
    Files,
    /// A folder.
    Folder,
}

/// What a caller may choose.
#[derive(Debug, Clone, Copy, Default)]
pub struct Settings {
    /// What the text may cost, where a format has a budget.
    pub tokens_max: Option<Tokens>,
}

/// What was written.
#[derive(Debug, Clone, Default)]
pub struct Output {
    /// The files, the most important first.
    pub files: Vec<OutFile>,
    /// What one should know besides.
    pub notes: Vec<String>,
    /// What a file says near its beginning that this vault wrote before, where the format's sign is not enough.
    pub sign: Option<String>,
}

/// A file that is to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutFile {
    /// Its place below the destination.
    pub path: VaultPath,
    /// What it says.
    pub text: String,
}

impl Output {
    /// Adds a file; a name that is no place below the destination is none of ours.
    pub(crate) fn put(&mut self, path: &str, text: String) {
        let path = VaultPath::new(path).expect("our own names are plain");
        self.files.push(OutFile { path, text });
    }
}

/// A file that is read.
#[derive(Debug, Clone)]
pub struct Incoming {
    /// Its place below what was named, its own name for a single file.
    pub path: VaultPath,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// What was read.
#[derive(Debug, Clone, Default)]
pub struct Received {
    /// What of it may come into a vault.
    pub items: Vec<Item>,
    /// What these rest on, which comes in with what is one's own.
    pub evidence: Vec<Item>,
    /// What was left out, with the reason.
    pub skipped: Vec<(String, String)>,
    /// Why nothing of it may come in.
    pub refused: Option<String>,
    /// What its writer was sealed as: a digest of all lines, and the seal.
    pub seal: Option<(Digest, String)>,
}

impl Received {
    pub(crate) fn skip(&mut self, place: impl Into<String>, why: impl Into<String>) {
        self.skipped.push((place.into(), why.into()));
    }

    pub(crate) fn refuse(why: impl Into<String>) -> Received {
        Received { refused: Some(why.into()), ..Received::default() }
    }
}
