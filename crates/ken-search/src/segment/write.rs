//! Writes a segment.
//!
//! A block of terms is the place of its first list as varint, then per term: how many bytes it shares with
//! the term before, the other bytes as text, and for passages and for documents each: how many postings,
//! the largest impact, how many bytes. The lists of a term follow each other without gaps.

use indexmap::IndexMap;
use ken_core::search::{DocFacts, Impacts, Partition, PassageFacts, TermId, Terms};

use super::called::{Called, code_of};
use super::postings::encode;
use super::record::{self, Texts};
use super::{BLOCK_TERMS, MAGIC, N_PARTS, Part, VERSION};
use crate::bytes::{Reader, Writer, date_code};
use crate::stamp::Stamp;

/// A document on its way into the index.
#[derive(Debug, Clone)]
pub struct NewDoc {
    /// What is known of it.
    pub facts: DocFacts,
    /// Its terms, in any order, each once.
    pub terms: Impacts,
    /// Its words, function words aside.
    pub n_words: usize,
    /// Its passages.
    pub passages: Vec<NewPassage>,
}

/// A passage on its way into the index.
#[derive(Debug, Clone)]
pub struct NewPassage {
    /// What is known of it.
    pub facts: PassageFacts,
    /// Its terms, in any order, each once.
    pub terms: Impacts,
}

/// The postings of one term so far: varint differences and impacts.
#[derive(Debug, Default)]
struct Growing {
    n: u32,
    last: u32,
    bytes: Vec<u8>,
}

impl Growing {
    fn push(&mut self, id: u32, impact: u8) {
        let mut step = u64::from(id - self.last);
        while step >= 0x80 {
            self.bytes.push(step as u8 | 0x80);
            step >>= 7;
        }
        self.bytes.push(step as u8);
        self.bytes.push(impact);
        self.last = id;
        self.n += 1;
    }

    fn unpacked(&self, ids: &mut Vec<u32>, impacts: &mut Vec<u8>) {
        ids.clear();
        impacts.clear();
        let mut from = Reader(&self.bytes);
        let mut id = 0;
        while let (Some(step), Some(impact)) = (from.varint(), from.byte()) {
            id += step as u32;
            ids.push(id);
            impacts.push(impact);
        }
    }
}

/// Every text once: titles, sessions and headings repeat.
#[derive(Default)]
struct TextPool {
    out: Writer,
    known: IndexMap<String, u32>,
}

impl Texts for TextPool {
    fn put(&mut self, text: &str) -> u32 {
        if let Some(at) = self.known.get(text) {
            return *at;
        }
        let at = self.out.at();
        self.out.text(text);
        self.known.insert(text.to_owned(), at);
        at
    }
}

/// Collects files and makes a segment of them.
#[derive(Default)]
pub struct SegmentBuilder {
    parts: [Writer; N_PARTS],
    texts: TextPool,
    /// Per term: its passages, its documents.
    postings: Vec<[Growing; 2]>,
    /// Codes of names with the files whose pages have them.
    names: Vec<(u64, u32)>,
    n_files: u32,
    n_docs: u32,
    n_passages: u32,
    n_page_passages: u32,
    n_page_files: u32,
    n_bytes: usize,
    n_words: u64,
    /// Oldest and newest day of the evidence, as codes; 0 for none.
    days: (u32, u32),
}

impl SegmentBuilder {
    /// Adds a file with its documents; files come sorted by partition, then path.
    ///
    /// A file without documents is kept too: it was read and there was nothing in it. `called` says what it is called
    /// if it is a page.
    pub fn add(&mut self, stamp: &Stamp, partition: Partition, docs: Vec<NewDoc>, called: Option<&Called>) {
        let path = self.texts.put(stamp.path.as_str());
        let called_at = self.parts[Part::Called as usize].at();
        called.iter().for_each(|called| called.write(&mut self.parts[Part::Called as usize]));
        let called_at = (called_at, self.parts[Part::Called as usize].at() - called_at);
        let codes = called.into_iter().flat_map(|called| &called.names).map(|name| (code_of(name), self.n_files));
        self.names.extend(codes);
        let docs_at = (self.n_docs, docs.len() as u32);
        record::write_file(&mut self.parts[Part::Files as usize], path, stamp, docs_at, called_at);
        for doc in docs {
            self.add_doc(doc);
        }
        self.n_files += 1;
        if partition == Partition::Pages {
            self.n_page_files = self.n_files;
            self.n_page_passages = self.n_passages;
        }
    }

    fn add_doc(&mut self, doc: NewDoc) {
        let file = self.n_files;
        self.n_words += doc.n_words as u64;
        let day = doc.facts.date.filter(|_| doc.facts.partition == Partition::Evidence).map_or(0, date_code);
        if day > 0 {
            self.days.0 = if self.days.0 == 0 { day } else { self.days.0.min(day) };
            self.days.1 = self.days.1.max(day);
        }
        record::write_doc(&mut self.parts[Part::Docs as usize], &mut self.texts, &doc.facts, file);
        self.parts[Part::Starts as usize].u32(self.n_passages);
        for (term, impact) in doc.terms {
            self.post(term, 1, self.n_docs, impact);
        }
        for passage in doc.passages {
            let PassageFacts { lines, heading, speaker } = &passage.facts;
            let (heading, speaker) = (self.texts.put(heading), self.texts.put(speaker));
            let out = &mut self.parts[Part::Passages as usize];
            out.u32(lines.0);
            out.u32(lines.1);
            out.u32(heading);
            out.u32(speaker);
            for (term, impact) in passage.terms {
                self.post(term, 0, self.n_passages, impact);
            }
            self.n_passages += 1;
        }
        self.n_docs += 1;
    }

    fn post(&mut self, term: TermId, space: usize, id: u32, impact: u8) {
        let term = term.0 as usize;
        if self.postings.len() <= term {
            self.postings.resize_with(term + 1, Default::default);
            self.n_bytes += 80;
        }
        let growing = &mut self.postings[term][space];
        self.n_bytes += if growing.n == 0 { 8 } else { 3 };
        growing.push(id, impact);
    }

    /// Returns about how much memory the postings take, in bytes.
    pub fn n_bytes(&self) -> usize {
        self.n_bytes
    }

    /// Returns whether no file was added.
    pub fn is_empty(&self) -> bool {
        self.n_files == 0
    }

    /// Returns the segment; `terms` names the ids in the postings.
    pub fn finish(mut self, terms: &Terms) -> Vec<u8> {
        self.parts[Part::Starts as usize].u32(self.n_passages);
        self.write_terms(terms);
        self.write_names();
        self.parts[Part::Texts as usize] = std::mem::take(&mut self.texts.out);
        let mut out = Writer::default();
        out.bytes(&MAGIC);
        out.u32(VERSION);
        let (oldest, newest) = self.days;
        for count in [self.n_page_files, self.n_page_passages, self.n_files, self.n_passages, oldest, newest] {
            out.u32(count);
        }
        out.u64(self.n_words);
        let mut end = super::HEAD_LEN as u64;
        for part in &self.parts {
            end += part.0.len() as u64;
            out.u64(end);
        }
        out.0.reserve_exact(end as usize + super::TAIL_LEN - out.0.len());
        for part in &mut self.parts {
            out.bytes(&std::mem::take(part).0);
        }
        out.u64(end + super::TAIL_LEN as u64);
        out.bytes(&MAGIC);
        out.0
    }

    fn write_names(&mut self) {
        self.names.sort_unstable();
        let out = &mut self.parts[Part::Names as usize];
        for (code, file) in std::mem::take(&mut self.names) {
            out.u64(code);
            out.u32(file);
        }
    }

    fn write_terms(&mut self, terms: &Terms) {
        let mut sorted: Vec<(&str, [Growing; 2])> = Vec::with_capacity(self.postings.len());
        for (n, postings) in std::mem::take(&mut self.postings).into_iter().enumerate() {
            if postings.iter().any(|growing| growing.n > 0) {
                sorted.push((terms.name(TermId(n as u32)), postings));
            }
        }
        sorted.sort_unstable_by_key(|(name, _)| *name);
        let (mut ids, mut impacts) = (Vec::new(), Vec::new());
        let mut rest = sorted.into_iter();
        loop {
            // What is written is given back: an index takes most memory while it is put together.
            let block: Vec<(&str, [Growing; 2])> = rest.by_ref().take(BLOCK_TERMS).collect();
            let Some((first, _)) = block.first() else { break };
            self.write_block_head(first);
            let mut before = "";
            for (name, postings) in &block {
                let n_shared = name.bytes().zip(before.bytes()).take_while(|(a, b)| a == b).count();
                let out = &mut self.parts[Part::TermBlocks as usize];
                out.varint(n_shared as u64);
                out.varint((name.len() - n_shared) as u64);
                out.bytes(&name.as_bytes()[n_shared..]);
                before = name;
                for growing in postings {
                    growing.unpacked(&mut ids, &mut impacts);
                    let list = encode(&ids, &impacts);
                    let out = &mut self.parts[Part::TermBlocks as usize];
                    out.varint(ids.len() as u64);
                    out.byte(impacts.iter().copied().max().unwrap_or_default());
                    out.varint(list.len() as u64);
                    self.parts[Part::Lists as usize].bytes(&list);
                }
            }
        }
    }

    fn write_block_head(&mut self, first: &str) {
        let block_at = self.parts[Part::TermBlocks as usize].at();
        let list_at = self.parts[Part::Lists as usize].0.len() as u64;
        self.parts[Part::TermBlocks as usize].varint(list_at);
        self.parts[Part::TermKeys as usize].bytes(first.as_bytes());
        let key_end = self.parts[Part::TermKeys as usize].at();
        let heads = &mut self.parts[Part::TermHeads as usize];
        heads.u32(key_end);
        heads.u32(block_at);
    }
}
