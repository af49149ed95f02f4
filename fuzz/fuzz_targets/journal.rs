//! Any text reads as a day of the journal, with every place inside the text.
#![no_main]

use ken_core::journal::parse_journal;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let parsed = parse_journal(text, None);
    for note in &parsed.notes {
        assert!(note.span.start <= note.span.end && note.span.end <= text.len(), "a note points outside the text");
    }
});
