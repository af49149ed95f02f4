//! Any bytes are read by every format to an end, and nothing that was read has a place outside of a vault.
#![no_main]

use ken_core::VaultPath;
use ken_exchange::{FORMATS, Incoming, Item};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let begin =
        b"{\"kind\":\"export\",\"schema\":1,\"wiki\":\"k\",\"journal\":\"d\",\"sources\":\"r\",\"talk\":\"t\"}\n";
    for bytes in [bytes.to_vec(), [begin, bytes].concat()] {
        for read in FORMATS.iter().filter_map(|format| format.read) {
            let places =
                ["a/b.md", "repo_wiki/a/b/c/0001-x.md", "docs/wiki/a.md", "memory/wiki/a.md", "memory/2026-04-01.md"];
            let file =
                |place: &str| Incoming { path: VaultPath::new(place).expect("a plain path"), bytes: bytes.clone() };
            // One file is an export of its own, several are a folder.
            let folder: Vec<Incoming> = places.iter().map(|place| file(place)).collect();
            for item in [read(&folder[..1]).items, read(&folder).items].concat() {
                let is_inside = item.from().is_none_or(|from| VaultPath::new(from.as_str()).is_some());
                assert!(is_inside && !matches!(&item, Item::Record(record) if !record.path.is_under(".kenning")));
            }
        }
    }
});
