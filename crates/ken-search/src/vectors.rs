//! The vectors of a segment's passages, as bytes beside the segment.
//!
//! | part | bytes |
//! |---|---|
//! | magic | 8 |
//! | version u32 | 4 |
//! | digest of the model | 32 |
//! | numbers of a vector u32, how many vectors there are u32 | 8 |
//! | per vector: key u64, scale f32, numbers i8 | 12 and one a number |
//!
//! Vector *n* is that of passage *n*; the last passages may be without, while an index is being filled.
//! The key is of the passage's text, so that a new segment can take over what did not change. A number is
//! its i8 times the scale; the loss is below what changes an order.

use ken_core::Digest;

use crate::bytes::{Reader, Writer};

const MAGIC: [u8; 8] = *b"kenvectr";
const VERSION: u32 = 1;
const HEAD_LEN: usize = MAGIC.len() + 4 + 32 + 8;
const KEY_LEN: usize = 8;
const SCALE_LEN: usize = 4;
/// Most numbers of a vector.
const WIDTH_MAX: usize = 16 * 1024;
/// Largest value of a number as it is kept.
const STEPS: f32 = 127.0;

/// A vector as it is kept.
#[derive(Debug, Clone, PartialEq)]
pub struct KeptVector {
    scale: f32,
    numbers: Vec<i8>,
}

impl KeptVector {
    /// Returns the kept form of a vector.
    pub fn of(vector: &[f32]) -> KeptVector {
        let largest = vector.iter().fold(0.0_f32, |max, one| max.max(one.abs()));
        let scale = largest / STEPS;
        let number = |one: &f32| if scale > 0.0 { (one / scale).round() as i8 } else { 0 };
        KeptVector { scale, numbers: vector.iter().map(number).collect() }
    }

    /// Returns how many numbers it has.
    pub fn width(&self) -> usize {
        self.numbers.len()
    }
}

/// The vectors of a segment.
#[derive(Debug)]
pub struct Vectors {
    bytes: Vec<u8>,
    width: usize,
    n: usize,
}

impl Vectors {
    /// Returns vectors of a model without any yet.
    pub fn new(model: &Digest, width: usize) -> Vectors {
        let width = width.min(WIDTH_MAX);
        let mut out = Writer::default();
        out.bytes(&MAGIC);
        out.u32(VERSION);
        out.bytes(model.as_bytes());
        out.u32(width as u32);
        out.u32(0);
        Vectors { bytes: out.0, width, n: 0 }
    }

    /// Returns the vectors that the bytes hold, or `None` when they are damaged, of another version, or of
    /// another model.
    pub fn open(bytes: Vec<u8>, model: &Digest) -> Option<Vectors> {
        let mut head = Reader(&bytes);
        let is_ours = head.array()? == MAGIC && head.u32()? == VERSION && head.array::<32>()? == *model.as_bytes();
        let (width, n) = (head.u32()? as usize, head.u32()? as usize);
        let len = n.checked_mul(KEY_LEN + SCALE_LEN + width.min(WIDTH_MAX))?;
        (is_ours && width <= WIDTH_MAX && head.0.len() == len).then_some(Vectors { bytes, width, n })
    }

    /// Returns the bytes to keep.
    pub fn to_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns how many numbers a vector has.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns for how many passages there is a vector: the first ones.
    pub fn n(&self) -> usize {
        self.n
    }

    /// Adds the vector of the next passage; returns whether it fits the others.
    pub fn push(&mut self, key: u64, vector: &KeptVector) -> bool {
        if vector.numbers.len() != self.width {
            return false;
        }
        self.bytes.extend_from_slice(&key.to_le_bytes());
        self.bytes.extend_from_slice(&vector.scale.to_le_bytes());
        self.bytes.extend(vector.numbers.iter().map(|number| *number as u8));
        self.n += 1;
        self.bytes[HEAD_LEN - 4..HEAD_LEN].copy_from_slice(&(self.n as u32).to_le_bytes());
        true
    }

    /// Returns every vector with its key, in the order of the passages.
    pub fn all(&self) -> impl Iterator<Item = (u64, KeptVector)> + '_ {
        self.records().filter_map(|record| {
            let mut from = Reader(record);
            let key = from.u64()?;
            let scale = f32::from_bits(from.u32()?);
            Some((key, KeptVector { scale, numbers: from.0.iter().map(|byte| *byte as i8).collect() }))
        })
    }

    /// Returns how alike each passage is to a vector of the same width, in the order of the passages.
    pub fn products<'a>(&'a self, with: &'a KeptVector) -> impl Iterator<Item = f32> + 'a {
        self.records().map(|record| {
            let (front, numbers) = record.split_at(KEY_LEN + SCALE_LEN);
            let scale = front[KEY_LEN..].try_into().map_or(0.0, f32::from_le_bytes);
            let pairs = numbers.iter().zip(&with.numbers);
            let sum: i32 = pairs.map(|(a, b)| i32::from(*a as i8) * i32::from(*b)).sum();
            let product = sum as f32 * scale * with.scale;
            // A damaged scale must not decide an order.
            if product.is_finite() { product } else { 0.0 }
        })
    }

    fn records(&self) -> std::slice::ChunksExact<'_, u8> {
        self.bytes[HEAD_LEN..].chunks_exact(KEY_LEN + SCALE_LEN + self.width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> (Digest, Vectors) {
        let model = Digest::of(b"model");
        let mut vectors = Vectors::new(&model, 3);
        for (key, vector) in [(7, [0.6, 0.8, 0.0]), (8, [0.0, 0.0, 1.0])] {
            assert!(vectors.push(key, &KeptVector::of(&vector)));
        }
        (model, vectors)
    }

    #[test]
    fn what_was_kept_reads_back() {
        let (model, vectors) = sample();
        let again = Vectors::open(vectors.to_bytes().to_vec(), &model).expect("opens");
        assert_eq!((again.n(), again.width()), (2, 3));
        assert_eq!(again.all().map(|(key, _)| key).collect::<Vec<_>>(), [7, 8]);
        let products: Vec<f32> = again.products(&KeptVector::of(&[0.6, 0.8, 0.0])).collect();
        assert!((products[0] - 1.0).abs() < 0.01 && products[1].abs() < 0.01, "{products:?}");
    }

    #[test]
    fn vectors_of_another_model_or_width_are_none() {
        let (_, mut vectors) = sample();
        assert!(Vectors::open(vectors.to_bytes().to_vec(), &Digest::of(b"other")).is_none());
        assert!(!vectors.push(9, &KeptVector::of(&[1.0])));
        assert_eq!(vectors.n(), 2);
    }

    #[test]
    fn damaged_vectors_never_panic() {
        let (model, vectors) = sample();
        let good = vectors.to_bytes();
        for len in 0..good.len() {
            assert!(Vectors::open(good[..len].to_vec(), &model).is_none(), "cut at {len}");
        }
        for at in 0..good.len() {
            let mut bytes = good.to_vec();
            bytes[at] ^= 0xff;
            if let Some(vectors) = Vectors::open(bytes, &model) {
                let query = KeptVector::of(&vec![1.0; vectors.width()]);
                assert!(vectors.products(&query).all(f32::is_finite));
            }
        }
    }
}
