//! Makes segments of documents.

use ken_core::search::{Analyst, Doc, Partition};
use ken_search::{Called, NewDoc, NewPassage, SegmentBuilder, Stamp};

/// Memory that the postings of one segment may take while it is made, in bytes; a larger index is made of
/// several.
const SEGMENT_BYTES_MAX: usize = 32 * 1024 * 1024;

/// Makes segments, one after another.
#[derive(Default)]
pub(crate) struct Builder {
    analyst: Analyst,
    open: SegmentBuilder,
    done: Vec<Vec<u8>>,
    pub(crate) languages: u32,
}

impl Builder {
    /// Adds a file with its documents and what it is called if it is a page; files come sorted by partition, then path.
    pub(crate) fn add(
        &mut self,
        (stamp, partition): (&Stamp, Partition),
        (docs, text): (&[Doc], &str),
        called: Option<&Called>,
    ) {
        let analyst = &mut self.analyst;
        let new = |doc: &Doc| {
            let weighed = analyst.weigh(doc, text);
            let passage = |((facts, _), terms): (&(ken_core::search::PassageFacts, _), _)| NewPassage {
                facts: facts.clone(),
                terms,
            };
            let passages = doc.passages.iter().zip(weighed.passages).map(passage).collect();
            NewDoc { facts: doc.facts.clone(), terms: weighed.doc, n_words: weighed.n_words, passages }
        };
        self.open.add(stamp, partition, docs.iter().map(new).collect(), called);
        if self.open.n_bytes() > SEGMENT_BYTES_MAX {
            self.close();
        }
    }

    fn close(&mut self) {
        let analyst = std::mem::take(&mut self.analyst);
        self.languages |= analyst.languages;
        self.done.push(std::mem::take(&mut self.open).finish(&analyst.terms));
    }

    /// Returns the segments that are done so far, which the caller puts away.
    pub(crate) fn take_done(&mut self) -> Vec<Vec<u8>> {
        std::mem::take(&mut self.done)
    }

    /// Returns the segments that were not taken, and the languages met.
    pub(crate) fn finish(mut self) -> (Vec<Vec<u8>>, u32) {
        if !self.open.is_empty() {
            self.close();
        }
        (self.done, self.languages)
    }
}
