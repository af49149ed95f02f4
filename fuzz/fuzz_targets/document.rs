//! Documents of every form give text or a reason, whatever their bytes are; the first byte says the form.
#![no_main]

use ken_intake::document::{TEXT_BYTES_MAX, read};

// No PDF files: each is read in a thread of its own, which a fuzzer cannot follow; their damage is tried by unit tests.
const NAMES: [&str; 6] = ["a.docx", "a.epub", "a.rst", "a.adoc", "a.txt", "a.html"];

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((form, rest)) = bytes.split_first() else { return };
    if let Ok(told) = read(NAMES[usize::from(*form) % NAMES.len()], rest) {
        assert!(told.text.len() <= TEXT_BYTES_MAX, "no text is larger than it may be");
    }
});
