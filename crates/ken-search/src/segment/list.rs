//! One term's postings, and walking through them.
//!
//! A [`List`] is the bytes of the postings, a [`Cursor`] stands on one of them. Skipping uses the table of
//! blocks, so that a walk over what few terms share costs little however long the lists are.

use std::borrow::Cow;

use super::postings::{BLOCK, BLOCK_HEAD_LEN, decode_block, encode};

/// The id behind the last posting.
pub(crate) const END: u32 = u32::MAX;

/// One term's postings as bytes.
#[derive(Debug, Clone)]
pub(crate) struct List<'a> {
    bytes: Cow<'a, [u8]>,
    n_postings: usize,
    impact_max: u8,
}

impl<'a> List<'a> {
    pub(super) fn new(bytes: Cow<'a, [u8]>, n_postings: usize, impact_max: u8) -> List<'a> {
        // Every posting has a byte of impact: more than there are bytes is damage, and would be room asked for.
        List { n_postings: n_postings.min(bytes.len()), bytes, impact_max }
    }

    /// Returns one list of several, each weighed: where several have an id, the larger impact counts.
    ///
    /// Weights are above 0; the impacts of the result stand for a weight of 1.
    pub(crate) fn union(lists: &[(List<'_>, f32)]) -> List<'static> {
        let mut all: Vec<(u32, u8)> = Vec::with_capacity(lists.iter().map(|(list, _)| list.n_postings).sum());
        for (list, weight) in lists {
            let mut cursor = Cursor::new(list);
            while cursor.id() != END {
                all.push((cursor.id(), (f32::from(cursor.impact()) * weight).round().clamp(0.0, 255.0) as u8));
                cursor.advance();
            }
        }
        all.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(b.1.cmp(&a.1)));
        all.dedup_by_key(|(id, _)| *id);
        let (ids, impacts): (Vec<u32>, Vec<u8>) = all.into_iter().unzip();
        let impact_max = impacts.iter().copied().max().unwrap_or_default();
        List { bytes: Cow::Owned(encode(&ids, &impacts)), n_postings: ids.len(), impact_max }
    }

    /// Returns the list of a term that stands nowhere.
    pub(crate) fn empty() -> List<'static> {
        List { bytes: Cow::Borrowed(&[]), n_postings: 0, impact_max: 0 }
    }

    /// Returns the number of postings.
    pub(crate) fn len(&self) -> usize {
        self.n_postings
    }

    /// Returns whether there is no posting.
    pub(crate) fn is_empty(&self) -> bool {
        self.n_postings == 0
    }

    /// Returns the largest impact.
    pub(crate) fn impact_max(&self) -> u8 {
        self.impact_max
    }

    fn n_blocks(&self) -> usize {
        self.n_postings.div_ceil(BLOCK)
    }

    fn table_len(&self) -> usize {
        if self.n_blocks() > 1 { self.n_blocks() * BLOCK_HEAD_LEN } else { 0 }
    }

    fn table(&self, block: usize) -> Option<&[u8; BLOCK_HEAD_LEN]> {
        let at = block * BLOCK_HEAD_LEN;
        self.bytes.get(at..at + BLOCK_HEAD_LEN)?.first_chunk()
    }

    fn last_id(&self, block: usize) -> u32 {
        match self.table(block) {
            Some([a, b, c, d, ..]) if self.n_blocks() > 1 => u32::from_le_bytes([*a, *b, *c, *d]),
            _ => END - 1,
        }
    }

    fn impact_max_of(&self, block: usize) -> u8 {
        match self.table(block) {
            Some([.., impact_max]) if self.n_blocks() > 1 => *impact_max,
            _ => self.impact_max,
        }
    }

    fn block_end(&self, block: usize) -> usize {
        match self.table(block) {
            Some([_, _, _, _, a, b, c, d, _]) if self.n_blocks() > 1 => u32::from_le_bytes([*a, *b, *c, *d]) as usize,
            _ => self.bytes.len(),
        }
    }

    fn block_bytes(&self, block: usize) -> Option<&[u8]> {
        let start = if block == 0 { 0 } else { self.block_end(block - 1) };
        let rest = self.bytes.get(self.table_len()..)?;
        rest.get(start..self.block_end(block).min(rest.len()))
    }
}

/// A place in a list. A damaged list ends early; it never makes a cursor panic or turn in circles.
pub(crate) struct Cursor<'a> {
    list: &'a List<'a>,
    block: usize,
    ids: [u32; BLOCK],
    impacts: &'a [u8],
    at: usize,
    len: usize,
    id: u32,
}

impl<'a> Cursor<'a> {
    /// Returns a cursor on the first posting.
    pub(crate) fn new(list: &'a List<'a>) -> Cursor<'a> {
        let mut cursor = Cursor { list, block: 0, ids: [0; BLOCK], impacts: &[], at: 0, len: 0, id: END };
        cursor.load(0);
        cursor
    }

    /// Returns the id of the posting, [`END`] behind the last one.
    #[inline]
    pub(crate) fn id(&self) -> u32 {
        self.id
    }

    /// Returns the impact of the posting.
    #[inline]
    pub(crate) fn impact(&self) -> u8 {
        self.impacts.get(self.at).copied().unwrap_or_default()
    }

    /// Goes to the next posting.
    #[inline]
    pub(crate) fn advance(&mut self) {
        self.at += 1;
        if self.at < self.len {
            self.id = self.ids[self.at];
        } else if self.id != END {
            self.load(self.block + 1);
        }
    }

    /// Returns the largest impact that a posting from here on and before `stop` can have.
    pub(crate) fn impact_max_below(&self, stop: u32) -> u8 {
        if self.id >= stop {
            return 0;
        }
        let n_blocks = self.list.n_blocks();
        let (mut block, mut most) = (self.block, 0);
        while block < n_blocks {
            most = most.max(self.list.impact_max_of(block));
            if self.list.last_id(block) >= stop.saturating_sub(1) {
                break;
            }
            block += 1;
        }
        most
    }

    /// Calls `with` with every posting from here on and before `stop`, and goes behind them.
    #[inline]
    pub(crate) fn take_below(&mut self, stop: u32, mut with: impl FnMut(u32, u8)) {
        while self.id < stop {
            let left = &self.ids[self.at..self.len];
            let n = if left.last().is_some_and(|last| *last < stop) {
                left.len()
            } else {
                left.partition_point(|id| *id < stop)
            };
            for (id, impact) in left[..n].iter().zip(&self.impacts[self.at..]) {
                with(*id, *impact);
            }
            self.at += n;
            if self.at < self.len {
                self.id = self.ids[self.at];
            } else {
                self.load(self.block + 1);
            }
            if n == 0 {
                return;
            }
        }
    }

    /// Goes to the first posting whose id is `id` or larger.
    #[inline]
    pub(crate) fn seek(&mut self, id: u32) {
        if self.id >= id {
            return;
        }
        if self.list.last_id(self.block) < id {
            let block = self.block_of(id);
            self.load(block);
            if self.id >= id {
                return;
            }
        }
        let found = self.ids[self.at..self.len].partition_point(|known| *known < id);
        self.at += found;
        match self.ids.get(self.at) {
            Some(found) if self.at < self.len => self.id = *found,
            _ => self.load(self.block + 1),
        }
    }

    /// The first block from here on whose last id is not below `id`: a few steps, then by halves.
    fn block_of(&self, id: u32) -> usize {
        let n_blocks = self.list.n_blocks();
        let (mut low, mut step) = (self.block + 1, 1);
        while low + step < n_blocks && self.list.last_id(low + step - 1) < id {
            low += step;
            step *= 2;
        }
        let mut high = (low + step).min(n_blocks);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.list.last_id(middle) < id {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    fn load(&mut self, block: usize) {
        self.block = block;
        self.at = 0;
        self.len = 0;
        self.id = END;
        let list = self.list;
        let n = list.n_postings.saturating_sub(block * BLOCK).min(BLOCK);
        if n == 0 {
            return;
        }
        let before = block.checked_sub(1).map(|before| list.last_id(before));
        let Some(impacts) = list.block_bytes(block).and_then(|bytes| decode_block(before, n, bytes, &mut self.ids))
        else {
            return;
        };
        // Ids of a damaged block may fall back; going on from there could turn in circles.
        if before.is_some_and(|before| self.ids[0] <= before) {
            return;
        }
        self.impacts = impacts;
        self.len = n;
        self.id = self.ids[0];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn list(postings: &[(u32, u8)]) -> List<'static> {
        let (ids, impacts): (Vec<u32>, Vec<u8>) = postings.iter().copied().unzip();
        let impact_max = impacts.iter().copied().max().unwrap_or_default();
        List::new(Cow::Owned(encode(&ids, &impacts)), ids.len(), impact_max)
    }

    fn arb_postings() -> impl Strategy<Value = Vec<(u32, u8)>> {
        prop::collection::vec((1_u32..300, any::<u8>()), 0..700).prop_map(|steps| {
            let mut id = 0;
            steps
                .into_iter()
                .map(|(step, impact)| {
                    id += step;
                    (id - 1, impact)
                })
                .collect()
        })
    }

    proptest! {
        #[test]
        fn walking_and_seeking_meet_every_posting(postings in arb_postings(), targets in prop::collection::vec(0_u32..200_000, 0..40)) {
            let list = list(&postings);
            let mut cursor = Cursor::new(&list);
            let mut walked = Vec::new();
            while cursor.id() != END {
                walked.push((cursor.id(), cursor.impact()));
                prop_assert!(cursor.impact() <= cursor.impact_max_below(cursor.id() + 1));
                cursor.advance();
            }
            prop_assert_eq!(&walked, &postings);
            let mut targets = targets;
            targets.sort_unstable();
            let mut cursor = Cursor::new(&list);
            for target in targets {
                cursor.seek(target);
                let expected = postings.iter().find(|(id, _)| *id >= target).map_or(END, |(id, _)| *id);
                prop_assert_eq!(cursor.id(), expected);
            }
        }

        #[test]
        fn a_union_keeps_the_larger_impact(a in arb_postings(), b in arb_postings()) {
            let both = List::union(&[(list(&a), 1.0), (list(&b), 1.0)]);
            let mut expected: std::collections::BTreeMap<u32, u8> = a.into_iter().collect();
            for (id, impact) in b {
                let known = expected.entry(id).or_default();
                *known = (*known).max(impact);
            }
            let mut cursor = Cursor::new(&both);
            let mut found = Vec::new();
            while cursor.id() != END {
                found.push((cursor.id(), cursor.impact()));
                cursor.advance();
            }
            prop_assert_eq!(found, expected.into_iter().collect::<Vec<_>>());
        }

        #[test]
        fn damaged_lists_end(bytes in prop::collection::vec(any::<u8>(), 0..2_000), n_postings in 0_usize..1_000) {
            let list = List::new(Cow::Owned(bytes), n_postings, 255);
            let mut cursor = Cursor::new(&list);
            for _ in 0..=n_postings {
                cursor.advance();
            }
            prop_assert_eq!(cursor.id(), END);
        }

        #[test]
        fn a_union_of_damaged_lists_asks_for_no_more_room_than_their_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300), n_postings: usize) {
            let damaged = List::new(Cow::Borrowed(&bytes), n_postings, 255);
            prop_assert!(List::union(&[(damaged.clone(), 1.0), (damaged, 0.5)]).len() <= 2 * bytes.len());
        }
    }
}
