//! Postings as bytes.
//!
//! A list is cut into blocks of 128. With more than one block, a table comes first: per block its last id
//! u32, where it ends u32 (counted from behind the table), and its largest impact, one byte. A full block
//! is the number of bits, the packed ids (see the `bitpacking` library: differences, strictly growing),
//! and one byte of impact each; the last, shorter block is varint differences, then impacts. The first id
//! of a list counts from -1, so that every difference is at least 1.

use bitpacking::{BitPacker, BitPacker4x};

use crate::bytes::{Reader, Writer};

/// Postings in a block.
pub(crate) const BLOCK: usize = BitPacker4x::BLOCK_LEN;
/// Bytes of one block in the table.
pub(super) const BLOCK_HEAD_LEN: usize = 9;

/// Returns the list of these postings, whose ids grow.
pub(super) fn encode(ids: &[u32], impacts: &[u8]) -> Vec<u8> {
    let (mut table, mut body) = (Writer::default(), Writer::default());
    let mut before: Option<u32> = None;
    for (ids, impacts) in ids.chunks(BLOCK).zip(impacts.chunks(BLOCK)) {
        encode_block(before, ids, impacts, &mut body);
        before = ids.last().copied();
        table.u32(before.unwrap_or_default());
        table.u32(body.at());
        table.byte(impacts.iter().copied().max().unwrap_or_default());
    }
    if ids.len() <= BLOCK {
        return body.0;
    }
    table.bytes(&body.0);
    table.0
}

fn encode_block(before: Option<u32>, ids: &[u32], impacts: &[u8], out: &mut Writer) {
    if ids.len() == BLOCK {
        let packer = BitPacker4x::new();
        let n_bits = packer.num_bits_strictly_sorted(before, ids);
        let mut packed = [0_u8; 4 * BLOCK];
        let len = packer.compress_strictly_sorted(before, ids, &mut packed, n_bits);
        out.byte(n_bits);
        out.bytes(&packed[..len]);
    } else {
        let mut last = before.map_or(0, |id| id.wrapping_add(1));
        for id in ids {
            out.varint(u64::from(id.wrapping_sub(last)));
            last = id.wrapping_add(1);
        }
    }
    out.bytes(impacts);
}

/// Decodes a block of `n` ids into `ids` and returns its impacts.
pub(super) fn decode_block<'a>(
    before: Option<u32>,
    n: usize,
    bytes: &'a [u8],
    ids: &mut [u32; BLOCK],
) -> Option<&'a [u8]> {
    if n == BLOCK {
        let (n_bits, rest) = bytes.split_first()?;
        let len = usize::from(*n_bits) * BLOCK / 8;
        if *n_bits > 32 || rest.len() != len + BLOCK {
            return None;
        }
        BitPacker4x::new().decompress_strictly_sorted(before, &rest[..len], ids, *n_bits);
        return Some(&rest[len..]);
    }
    let mut from = Reader(bytes);
    let mut last = before.map_or(0, |id| id.wrapping_add(1));
    for id in ids.iter_mut().take(n) {
        *id = last.wrapping_add(u32::try_from(from.varint()?).ok()?);
        last = id.wrapping_add(1);
    }
    (from.0.len() == n).then_some(from.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn blocks_read_back(steps in prop::collection::vec((1_u32..5_000, 0_u8..=255), 1..=BLOCK), start in 0_u32..9) {
            let before = start.checked_sub(1);
            let mut last = before.map_or(0, |id| id + 1);
            let ids: Vec<u32> = steps.iter().map(|(step, _)| { last += step; last }).collect();
            let impacts: Vec<u8> = steps.iter().map(|(_, impact)| *impact).collect();
            let mut out = Writer::default();
            encode_block(before, &ids, &impacts, &mut out);
            let mut read = [0; BLOCK];
            let found = decode_block(before, ids.len(), &out.0, &mut read).expect("whole");
            prop_assert_eq!((&read[..ids.len()], found), (&ids[..], &impacts[..]));
        }

        #[test]
        fn damaged_blocks_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..900), n in 0..=BLOCK, before: Option<u32>) {
            let mut ids = [0; BLOCK];
            let _ = decode_block(before, n, &bytes, &mut ids);
        }
    }
}
