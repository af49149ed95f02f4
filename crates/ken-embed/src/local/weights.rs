//! A file of weights in the safetensors form: a JSON head that names tensors, and their numbers.

use std::collections::BTreeMap;

use ndarray::{Array1, Array2};
use serde::Deserialize;

/// Longest head: that of a model with a hundred layers has some hundred kilobytes.
const HEAD_BYTES_MAX: usize = 16 << 20;

/// How a number is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    F32,
    F16,
    Bf16,
}

#[derive(Deserialize)]
struct Entry {
    dtype: String,
    shape: Vec<usize>,
    data_offsets: (usize, usize),
}

/// One tensor.
#[derive(Debug, Clone)]
struct Tensor<'a> {
    kind: Kind,
    shape: Vec<usize>,
    bytes: &'a [u8],
}

/// The tensors of a file by name.
pub(super) struct Weights<'a> {
    tensors: BTreeMap<String, Tensor<'a>>,
    /// What stands before every name: models that were trained for more have `bert.`.
    prefix: &'static str,
}

impl<'a> Weights<'a> {
    /// Returns the tensors, or `None` when the bytes are no such file. Tensors of whole numbers are left out.
    pub(super) fn read(bytes: &'a [u8]) -> Option<Weights<'a>> {
        let (head_len, rest) = bytes.split_first_chunk::<8>()?;
        let head_len = usize::try_from(u64::from_le_bytes(*head_len)).ok().filter(|len| *len <= HEAD_BYTES_MAX)?;
        let (head, data) = rest.split_at_checked(head_len)?;
        let entries: BTreeMap<String, serde_json::Value> = serde_json::from_slice(head).ok()?;
        let mut tensors = BTreeMap::new();
        for (name, entry) in entries.into_iter().filter(|(name, _)| name != "__metadata__") {
            let entry: Entry = serde_json::from_value(entry).ok()?;
            let kind = match entry.dtype.as_str() {
                "F32" => Kind::F32,
                "F16" => Kind::F16,
                "BF16" => Kind::Bf16,
                _ => continue,
            };
            let bytes = data.get(entry.data_offsets.0..entry.data_offsets.1)?;
            let n = entry.shape.iter().try_fold(1_usize, |n, len| n.checked_mul(*len))?;
            if bytes.len() != n.checked_mul(kind.len())? {
                return None;
            }
            tensors.insert(name, Tensor { kind, shape: entry.shape, bytes });
        }
        let prefix = if tensors.contains_key("bert.embeddings.word_embeddings.weight") { "bert." } else { "" };
        Some(Weights { tensors, prefix })
    }

    /// Returns a table of so many columns, and of so many rows if that is known.
    pub(super) fn table(&self, name: &str, rows: Option<usize>, columns: usize) -> Result<Array2<f32>, String> {
        let tensor = self.tensor(name)?;
        let found = match tensor.shape.as_slice() {
            [found, width] if *width == columns && rows.is_none_or(|rows| rows == *found) => *found,
            other => return Err(format!("the tensor `{name}` has the shape {other:?}")),
        };
        Array2::from_shape_vec((found, columns), tensor.numbers()).map_err(|error| error.to_string())
    }

    /// Returns a row of so many numbers.
    pub(super) fn row(&self, name: &str, len: usize) -> Result<Array1<f32>, String> {
        let tensor = self.tensor(name)?;
        if tensor.shape != [len] {
            return Err(format!("the tensor `{name}` has the shape {:?}", tensor.shape));
        }
        Ok(Array1::from_vec(tensor.numbers()))
    }

    fn tensor(&self, name: &str) -> Result<&Tensor<'a>, String> {
        // Old files call the two parts of a norm by other names.
        let old = name.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta");
        let find = |name: &str| self.tensors.get(&format!("{}{name}", self.prefix));
        find(name).or_else(|| find(&old)).ok_or_else(|| format!("there is no tensor `{name}`"))
    }
}

impl Kind {
    fn len(self) -> usize {
        if self == Kind::F32 { 4 } else { 2 }
    }
}

impl Tensor<'_> {
    fn numbers(&self) -> Vec<f32> {
        let halves = || self.bytes.as_chunks().0.iter().map(|two| u16::from_le_bytes(*two));
        match self.kind {
            Kind::F32 => self.bytes.as_chunks().0.iter().map(|four| f32::from_le_bytes(*four)).collect(),
            Kind::Bf16 => halves().map(|bits| f32::from_bits(u32::from(bits) << 16)).collect(),
            Kind::F16 => halves().map(half).collect(),
        }
    }
}

/// The number that sixteen bits mean, IEEE 754.
fn half(bits: u16) -> f32 {
    let sign = if bits & 0x8000 == 0 { 1.0 } else { -1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 0x1f), f32::from(bits & 0x3ff));
    sign * match exponent {
        0 => fraction * 2_f32.powi(-24),
        0x1f if fraction == 0.0 => f32::INFINITY,
        0x1f => f32::NAN,
        _ => (1.0 + fraction / 1024.0) * 2_f32.powi(exponent - 15),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(head: &str, data: &[u8]) -> Vec<u8> {
        [&(head.len() as u64).to_le_bytes(), head.as_bytes(), data].concat()
    }

    #[test]
    fn tensors_are_read_by_name_and_checked_for_shape() {
        let head = r#"{"__metadata__":{"a":"b"},"bert.embeddings.word_embeddings.weight":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]},"bert.LayerNorm.gamma":{"dtype":"F16","shape":[2],"data_offsets":[8,12]}}"#;
        let data = [1.5_f32.to_le_bytes(), (-2.0_f32).to_le_bytes(), [0x00, 0x3c, 0x00, 0xc0]].concat();
        let bytes = file(head, &data);
        let weights = Weights::read(&bytes).expect("reads");
        let table = weights.table("embeddings.word_embeddings.weight", None, 2).expect("a table");
        assert_eq!(table.row(0).to_vec(), [1.5, -2.0]);
        assert_eq!(weights.row("LayerNorm.weight", 2).expect("a row").to_vec(), [1.0, -2.0]);
        assert!(weights.row("LayerNorm.weight", 3).is_err() && weights.row("gone", 2).is_err());
    }

    #[test]
    fn damaged_files_are_none() {
        let good = file(r#"{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}"#, &[0; 4]);
        assert!(Weights::read(&good).is_some());
        for len in 0..good.len() {
            assert!(Weights::read(&good[..len]).is_none(), "cut at {len}");
        }
        assert!(Weights::read(&[0xff; 64]).is_none());
    }

    #[test]
    fn halves_are_numbers() {
        let cases =
            [(0x3c00, 1.0), (0xc000, -2.0), (0x0001, 5.960_464_5e-8), (0x7bff, 65504.0), (0x7c00, f32::INFINITY)];
        cases.into_iter().for_each(|(bits, number)| assert_eq!(half(bits), number));
    }
}
