//! The segments of an index side by side, and the files of them that no longer hold.
//!
//! A file that changes is read into a new, small segment and its old copy is marked dead; a [`Manifest`]
//! names the segments and the dead, and replacing it is the one step by which readers see a new state.

use ken_core::search::Scoped;
use ken_core::search::rank::Collection;
use ken_core::{Digest, Slug, VaultPath};

use crate::blob::Blob;
use crate::bytes::{Reader, Writer};
use crate::segment::{Called, Segment};
use crate::stamp::FolderStamp;

const MAGIC: [u8; 8] = *b"kenshelf";

/// What an index is made of.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Manifest {
    /// Rises with every change; names new segments.
    pub generation: u64,
    /// What the index was made with besides the files; another value calls for a new index.
    pub made_with: String,
    /// The segments, oldest first.
    pub segments: Vec<Named>,
    /// The folders whose files are in it, as they were.
    pub folders: Vec<FolderStamp>,
    /// Codes of the languages that its texts are in.
    pub languages: u32,
}

/// A segment by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Named {
    /// The name of its file in the cache.
    pub name: String,
    /// When it was written, nanoseconds since 1970: what was written to since is damaged.
    pub mtime_ns: i64,
    /// The files of it that changed or went since, growing.
    pub dead: Vec<u32>,
}

impl Manifest {
    /// Returns the bytes of the manifest.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer::default();
        out.bytes(&MAGIC);
        out.u32(crate::segment::VERSION);
        out.u64(self.generation);
        out.text(&self.made_with);
        out.u32(self.languages);
        out.varint(self.segments.len() as u64);
        for segment in &self.segments {
            out.text(&segment.name);
            out.i64(segment.mtime_ns);
            out.varint(segment.dead.len() as u64);
            segment.dead.iter().for_each(|file| out.u32(*file));
        }
        out.varint(self.folders.len() as u64);
        for folder in &self.folders {
            out.text(folder.path.as_str());
            out.i64(folder.mtime_ns);
        }
        let digest = Digest::of(&out.0);
        out.bytes(digest.as_bytes());
        out.0
    }

    /// Returns the manifest that the bytes hold, or `None` when they are not a whole one of this version.
    pub fn from_bytes(bytes: &[u8]) -> Option<Manifest> {
        let (bytes, digest) = bytes.split_last_chunk::<32>()?;
        if Digest::of(bytes).as_bytes() != digest {
            return None;
        }
        let mut from = Reader(bytes);
        if from.array()? != MAGIC || from.u32()? != crate::segment::VERSION {
            return None;
        }
        let generation = from.u64()?;
        let made_with = from.text()?.to_owned();
        let languages = from.u32()?;
        let mut segments = Vec::new();
        for _ in 0..from.varint()? {
            let name = from.text()?.to_owned();
            let mtime_ns = from.i64()?;
            let n_dead = from.varint()?;
            let dead = (0..n_dead).map(|_| from.u32()).collect::<Option<_>>()?;
            segments.push(Named { name, mtime_ns, dead });
        }
        let mut folders = Vec::new();
        for _ in 0..from.varint()? {
            folders.push(FolderStamp { path: VaultPath::new(from.text()?)?, mtime_ns: from.i64()? });
        }
        Some(Manifest { generation, made_with, segments, folders, languages })
    }
}

/// A segment and its dead files.
#[derive(Debug)]
pub struct Member {
    /// The segment.
    pub segment: Segment,
    /// Its dead files, growing.
    pub dead: Vec<u32>,
    /// Per document whether it is dead; empty when none is.
    dead_docs: Vec<bool>,
}

impl Member {
    /// Returns whether a document still holds.
    pub fn is_alive(&self, doc: u32) -> bool {
        !self.dead_docs.get(doc as usize).copied().unwrap_or_default()
    }
}

/// The segments of an index.
#[derive(Debug, Default)]
pub struct Shelf {
    members: Vec<Member>,
}

impl Shelf {
    /// Returns the index of these segments, each with its dead files; `None` when one is no segment.
    pub fn open(segments: Vec<(Box<dyn Blob>, Vec<u32>)>) -> Option<Shelf> {
        let member = |(blob, dead): (Box<dyn Blob>, Vec<u32>)| {
            let segment = Segment::open(blob)?;
            let mut dead_docs = Vec::new();
            for file in &dead {
                let found = segment.file(*file)?;
                dead_docs.resize(segment.n_docs() as usize, false);
                let range = found.first_doc as usize..(found.first_doc.checked_add(found.n_docs)?) as usize;
                dead_docs.get_mut(range)?.fill(true);
            }
            Some(Member { segment, dead, dead_docs })
        };
        Some(Shelf { members: segments.into_iter().map(member).collect::<Option<_>>()? })
    }

    /// Returns the segments.
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// Returns the segments, to be put together anew.
    pub fn into_members(self) -> Vec<Member> {
        self.members
    }

    /// Returns how many passages there are, those of dead files included.
    pub fn n_passages(&self) -> usize {
        self.members.iter().map(|member| member.segment.n_passages() as usize).sum()
    }

    /// Returns how many documents there are, those of dead files included.
    pub fn n_docs(&self) -> usize {
        self.members.iter().map(|member| member.segment.n_docs() as usize).sum()
    }

    /// Returns what is known of everything in it, dead files included.
    pub fn collection(&self) -> Collection {
        let segments = || self.members.iter().map(|member| &member.segment);
        let days = segments().filter_map(Segment::days).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
        Collection {
            n_passages: self.n_passages(),
            n_docs: self.n_docs(),
            n_words: segments().map(Segment::n_words).sum(),
            days,
        }
    }

    /// Calls `with` with every term that begins with `first`, once a segment, and in how many documents of it it
    /// stands.
    pub fn each_term(&self, first: &str, mut with: impl FnMut(&str, usize)) {
        self.members.iter().for_each(|member| member.segment.each_term(first, &mut with));
    }

    /// Returns how many bytes the segments have.
    pub fn n_bytes(&self) -> u64 {
        self.members.iter().map(|member| member.segment.n_bytes()).sum()
    }

    /// Returns, per segment and document, whether it is wanted.
    pub fn docs_where(&self, is_wanted: &dyn Fn(&Scoped<'_>) -> bool) -> Vec<Vec<bool>> {
        self.members.iter().map(|member| member.segment.docs_where(is_wanted)).collect()
    }

    /// Returns the page that has a name: its path and what it is called. Of several the one counts whose own it is
    /// before others, then the one whose path comes first.
    pub fn find_called(&self, name: &Slug) -> Option<(String, Called)> {
        let found = self.members.iter().filter_map(|member| {
            let is_alive = |file: u32| member.dead.binary_search(&file).is_err();
            let (file, is_other, called) = member.segment.find_called(name, &is_alive)?;
            Some((is_other, member.segment.path_of(file)?, called))
        });
        found.min_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1))).map(|(_, path, called)| (path, called))
    }

    /// Returns where a file stands that still holds: segment and number.
    pub fn find_file(&self, path: &VaultPath) -> Option<(usize, u32)> {
        // The newest copy is in the last segment that has one.
        self.members.iter().enumerate().rev().find_map(|(n, member)| {
            let file = member.segment.find_file(path)?;
            member.dead.binary_search(&file).is_err().then_some((n, file))
        })
    }
}
