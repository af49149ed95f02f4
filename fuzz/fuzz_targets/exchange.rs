//! Any bytes are read by every format to an end, and nothing that was read has a place outside of a vault.
#![no_main]

use ken_core::VaultPath;
use ken_exchange::{FORMATS, Incoming, Item};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let begin = b"{\"kind\":\"export\",\"schema\":1,\"wiki\":\"k\",\"journal\":\"d\",\"sources\":\"r\",\"talk\":\"t\"}\n";
    for bytes in [bytes.to_vec(), [begin, bytes].concat()] {
        for read in FORMATS.iter().filter_map(|format| format.read) {
            let path = VaultPath::new("a/b.md").expect("a plain path");
            for item in read(&[Incoming { path, bytes: bytes.clone() }]).items {
                let is_inside = item.from().is_none_or(|from| VaultPath::new(from.as_str()).is_some());
                assert!(is_inside && !matches!(&item, Item::Record(record) if !record.path.is_under(".kenning")));
            }
        }
    }
});
