//! Any text reads as a page, with every place inside the text.
#![no_main]

use ken_core::VaultPath;
use ken_core::page::parse_page;

libfuzzer_sys::fuzz_target!(|text: &str| {
    // The header's shape depends on the file's kind.
    for name in ["knowledge/concepts/a.md", "knowledge/a.html", "knowledge/a.txt"] {
        let path = VaultPath::new(name).expect("a plain path");
        let parsed = parse_page(&path, text.to_owned());
        for note in &parsed.notes {
            assert!(note.span.start <= note.span.end && note.span.end <= text.len(), "a note points outside the text");
        }
        let page = parsed.value;
        assert_eq!(page.text, text, "reading changes nothing");
        assert!(text.get(page.body().start..page.body().end).is_some(), "the body is a piece of the text");
        let _ = (page.slug(), page.title());
    }
});
