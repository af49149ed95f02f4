//! What was made last, by the text it was made from.
//!
//! The words of a wiki are mostly the same, and finding out what one is costs more than looking it up. A table
//! of fixed size holds the last answer for each place that a text's hash names; another text takes the place.

/// Texts that are remembered at most.
const PLACES: usize = 4096;

/// Remembers values that are functions of a text.
#[derive(Debug)]
pub struct Memo<V> {
    places: Vec<Option<(Box<str>, V)>>,
}

impl<V> Memo<V> {
    /// Returns a memory without anything in it.
    pub const fn new() -> Memo<V> {
        Memo { places: Vec::new() }
    }

    /// Returns the value of a text, which is made when it is not remembered.
    pub fn of(&mut self, text: &str, make: impl FnOnce() -> V) -> &V {
        if self.places.is_empty() {
            self.places.resize_with(PLACES, || None);
        }
        let place = &mut self.places[place(text)];
        if place.as_ref().is_none_or(|(known, _)| **known != *text) {
            *place = Some((text.into(), make()));
        }
        place.as_ref().map(|(_, value)| value).expect("it was just put there")
    }
}

impl<V> Default for Memo<V> {
    fn default() -> Memo<V> {
        Memo::new()
    }
}

/// FNV-1a.
fn place(text: &str) -> usize {
    let hash = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    (hash ^ (hash >> 32)) as usize % PLACES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_has_its_own_value_whatever_was_remembered() {
        let mut memo = Memo::new();
        for n in (0..3 * PLACES).chain(0..3 * PLACES) {
            let text = format!("word{n}");
            assert_eq!(*memo.of(&text, || n), n);
            assert_eq!(*memo.of(&text, || usize::MAX), n);
        }
    }
}
