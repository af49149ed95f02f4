//! Every reader of transcripts survives any bytes and reads no further than they go.
#![no_main]

use ken_intake::transcript::{READERS, Unit};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    for reader in READERS {
        let _ = reader.sniff("session.jsonl", bytes);
        let mut n_records = 0_usize;
        let mut input = bytes;
        let report = reader.read(&mut input, 0, &mut |_| n_records += 1).expect("memory can always be read");
        // Positions that count messages say nothing of bytes.
        let is_inside = report.end_offset <= bytes.len() as u64;
        assert!(is_inside || reader.unit() == Unit::Messages, "the next reading starts inside the file");
    }
});
