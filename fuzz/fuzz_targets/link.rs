//! Links are found in any text, in order, inside it.
#![no_main]

use ken_core::Span;
use ken_core::link::links;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let mut end = 0;
    for link in links(text, Span::new(0, text.len())) {
        assert!(link.span.start >= end, "links do not overlap");
        end = link.span.end;
        assert!(text.get(link.span.start..link.span.end).is_some(), "a link is a piece of the text");
        assert!(text.get(link.target.start..link.target.end).is_some(), "its target is one too");
    }
});
