//! Finds texts among many: in a tree of ten thousand each look-up compares a dozen texts that lie all over the memory.

use std::hash::{DefaultHasher, Hash, Hasher};

/// Texts by their hashes, an order that shows in nothing.
#[derive(Debug)]
pub struct Lookup<'a> {
    texts: Vec<&'a str>,
    /// The positions of the texts, each in the first free slot from that of its hash on. A power of two, half of it free.
    slots: Vec<Option<u32>>,
}

impl<'a> Lookup<'a> {
    /// Returns a table of texts, no two of them the same.
    pub fn of(texts: impl Iterator<Item = &'a str>) -> Lookup<'a> {
        let texts: Vec<&str> = texts.collect();
        let slots = vec![None; (2 * texts.len()).next_power_of_two()];
        let mut lookup = Lookup { texts: Vec::new(), slots };
        for (text, n) in texts.iter().zip(0..) {
            let free = lookup.slots_of(text).find(|slot| lookup.slots[*slot].is_none());
            free.into_iter().for_each(|slot| lookup.slots[slot] = Some(n));
        }
        lookup.texts = texts;
        lookup
    }

    /// The slots in which a text may be, in order.
    fn slots_of(&self, text: &str) -> impl Iterator<Item = usize> + use<> {
        let (n_slots, first) = (self.slots.len(), hash(text) as usize);
        (0..n_slots).map(move |n| first.wrapping_add(n) & (n_slots - 1))
    }

    /// Returns the position of a text, counted from 0, or `None` when it is none of them.
    pub fn position(&self, text: &str) -> Option<usize> {
        let mut taken = self.slots_of(text).map_while(|slot| self.slots[slot]).map(|n| n as usize);
        taken.find(|n| self.texts[*n] == text)
    }
}

/// Returns those of some hashes that stand there more than once, in order.
pub fn repeated(mut hashes: Vec<u64>) -> Vec<u64> {
    hashes.sort_unstable();
    let runs = hashes.chunk_by(|a, b| a == b).filter(|run| run.len() > 1);
    runs.map(|run| run[0]).collect()
}

/// Returns a number that equal texts share, and hardly any others; the same within one run of the program.
pub fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_is_found_where_it_stands_and_no_other() {
        let texts: Vec<String> = (0..2_000).map(|n| format!("knowledge/concepts/oven-{}.md", n * 7_919)).collect();
        let lookup = Lookup::of(texts.iter().map(String::as_str));
        for (n, text) in texts.iter().enumerate() {
            assert_eq!(lookup.position(text), Some(n));
            assert_eq!(lookup.position(&text[1..]), None);
        }
        assert_eq!(Lookup::of(std::iter::empty()).position(""), None);
    }

    #[test]
    fn what_stands_there_twice_is_repeated() {
        assert_eq!(repeated(vec![3, 1, 2, 3, 1, 3]), [1, 3]);
        assert!(repeated(vec![1, 2]).is_empty());
    }
}
