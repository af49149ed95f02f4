//! Finds texts among many: in a tree of ten thousand each look-up compares a dozen texts that lie all over the memory.

use std::hash::{DefaultHasher, Hash, Hasher};

/// Texts by their hashes, an order that shows in nothing.
#[derive(Debug)]
pub struct Lookup<'a> {
    texts: Vec<&'a str>,
    /// Hashes with the positions of the texts, in order.
    places: Vec<(u64, u32)>,
}

impl<'a> Lookup<'a> {
    /// Returns a table of texts, no two of them the same.
    pub fn of(texts: impl Iterator<Item = &'a str>) -> Lookup<'a> {
        let texts: Vec<&str> = texts.collect();
        let mut places: Vec<(u64, u32)> = texts.iter().map(|text| hash(text)).zip(0..).collect();
        places.sort_unstable();
        Lookup { texts, places }
    }

    /// Returns the position of a text, counted from 0, or `None` when it is none of them.
    pub fn position(&self, text: &str) -> Option<usize> {
        let hash = hash(text);
        let start = self.places.partition_point(|(known, _)| *known < hash);
        let mut same = self.places[start..].iter().take_while(|(known, _)| *known == hash).map(|(_, n)| *n as usize);
        same.find(|n| self.texts[*n] == text)
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
