//! Cuts a text into passages.
//!
//! A passage is a run of blocks under one heading: paragraphs, list items, rows and code, as many as stay
//! within [`WORDS_MAX`] words; what is longer is cut between sentences or lines. Headings go into the path
//! of headings of what follows; comments and footnotes that cite are left out, they say where something
//! came from and not what it is. Of a chat a passage is what one person said, as much of it as stands together.

use crate::chat::Message;
use crate::markdown::{Block, BlockKind, blocks};
use crate::page::outline::{BEFORE, DETAILS, said_in_footnote};
use crate::span::Span;
use crate::text::{one_line, sentences};

/// Most words of a passage.
pub const WORDS_MAX: usize = 180;
/// What stands between the headings of a path.
pub(crate) const BETWEEN: &str = " › ";

/// A passage as it was cut.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// Its bytes.
    pub span: Span,
    /// The headings above it, outermost first.
    pub heading: String,
    /// Who says it; empty where nobody does.
    pub speaker: String,
}

/// Returns the passages of the part `body` of a text, in order; a heading with nothing below it is one too.
/// `messages` are those of a chat.
pub fn cut(text: &str, body: Span, messages: &[Message]) -> Vec<Cut> {
    let (path, out) = (Vec::new(), Vec::new());
    let mut cutter = Cutter { text, open: None, n_words: 0, path, speaker: "", is_said: true, out };
    let mut at = body.start;
    for message in messages {
        cutter.blocks(Span::new(at, message.span.start), "");
        cutter.blocks(message.span, &message.speaker);
        at = message.span.end;
    }
    cutter.blocks(Span::new(at, body.end), "");
    cutter.close();
    cutter.say_heading();
    cutter.out
}

struct Cutter<'a> {
    text: &'a str,
    open: Option<Span>,
    n_words: usize,
    /// The headings above, each with its level and place.
    path: Vec<(u8, Span)>,
    /// Who speaks.
    speaker: &'a str,
    /// Whether the last heading has a passage below it.
    is_said: bool,
    out: Vec<Cut>,
}

impl<'a> Cutter<'a> {
    /// Takes a part of the text that one person said, or nobody.
    fn blocks(&mut self, part: Span, speaker: &'a str) {
        for block in blocks(self.text, part) {
            if self.speaker != speaker {
                self.close();
                self.speaker = speaker;
            }
            match block.kind {
                BlockKind::Heading(level) => self.heading(level, block.span),
                BlockKind::Comment => {}
                BlockKind::Footnote if said_in_footnote(self.text, block.span).is_none() => {}
                _ => self.block(&block),
            }
        }
    }

    fn heading(&mut self, level: u8, span: Span) {
        // It says when something was so, and parts no passages.
        let above = self.path.last().map(|(_, above)| above.of(self.text).trim());
        if span.of(self.text).trim() == BEFORE && above == Some(DETAILS) {
            return;
        }
        self.close();
        self.path.retain(|(above, _)| *above < level);
        self.path.push((level, span));
        self.is_said = false;
    }

    /// A heading at the very end of its part says something too.
    fn say_heading(&mut self) {
        if !self.is_said
            && let Some((_, span)) = self.path.last().copied()
        {
            self.out.push(Cut { span, heading: self.path(), speaker: self.speaker.to_owned() });
        }
        self.is_said = true;
    }

    fn block(&mut self, block: &Block) {
        let n_words = count(block.span.of(self.text));
        if self.n_words > 0 && self.n_words + n_words > WORDS_MAX {
            self.close();
        }
        if n_words <= WORDS_MAX {
            self.extend(block.span, n_words);
            return;
        }
        for piece in pieces(self.text, block) {
            let n_words = count(piece.of(self.text));
            if self.n_words > 0 && self.n_words + n_words > WORDS_MAX {
                self.close();
            }
            self.extend(piece, n_words);
        }
    }

    fn extend(&mut self, span: Span, n_words: usize) {
        let open = self.open.get_or_insert(span);
        open.end = span.end;
        self.n_words += n_words;
        if self.n_words >= WORDS_MAX {
            self.close();
        }
    }

    fn close(&mut self) {
        if let Some(span) = self.open.take().filter(|span| span.start < span.end) {
            self.out.push(Cut { span, heading: self.path(), speaker: self.speaker.to_owned() });
            self.is_said = true;
        }
        self.n_words = 0;
    }

    fn path(&self) -> String {
        let names: Vec<String> = self.path.iter().map(|(_, span)| one_line(span.of(self.text))).collect();
        names.join(BETWEEN)
    }
}

fn count(text: &str) -> usize {
    let spaced = text.split_whitespace().count();
    // Text without spaces counts by characters: two make about a word.
    if text.is_ascii() { spaced } else { spaced.max(text.chars().filter(|ch| !ch.is_ascii()).count() / 2) }
}

/// Sentences of prose, lines of code, and runs of words of what has neither.
fn pieces(text: &str, block: &Block) -> Vec<Span> {
    let whole = block.span;
    let lines = |span: Span| {
        let mut at = span.start;
        span.of(text).split_inclusive('\n').map(move |line| {
            let start = at;
            at += line.len();
            Span::new(start, at)
        })
    };
    let parts: Vec<Span> = match block.kind {
        BlockKind::Code | BlockKind::Row => lines(whole).collect(),
        _ => sentences(whole.of(text)).into_iter().map(|one| one.shifted(whole.start)).collect(),
    };
    parts.into_iter().flat_map(|part| runs(text, part)).collect()
}

/// A span cut behind every [`WORDS_MAX`] words, and where there are no spaces behind so many characters.
fn runs(text: &str, span: Span) -> Vec<Span> {
    if count(span.of(text)) <= WORDS_MAX {
        return vec![span];
    }
    let mut out = Vec::new();
    let (mut start, mut n_words, mut n_chars) = (span.start, 0, 0);
    for (at, ch) in span.of(text).char_indices().map(|(at, ch)| (span.start + at, ch)) {
        n_words += usize::from(ch.is_whitespace());
        n_chars += usize::from(!ch.is_ascii());
        if n_words >= WORDS_MAX || n_chars >= 2 * WORDS_MAX {
            out.push(Span::new(start, at + ch.len_utf8()));
            (start, n_words, n_chars) = (at + ch.len_utf8(), 0, 0);
        }
    }
    if start < span.end {
        out.push(Span::new(start, span.end));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(text: &str) -> Vec<(String, &str)> {
        cut(text, Span::new(0, text.len()), &[]).into_iter().map(|cut| (cut.heading, cut.span.of(text))).collect()
    }

    #[test]
    fn passages_end_at_headings_and_know_those_above() {
        let text = "# Guide\nIntro.\n\n## Set-up\n- one\n- two\n\n### Deep\n\n## Use\n```\ncode\n```\n";
        let expected = [("Guide", "Intro."), ("Guide › Set-up", "one\n- two"), ("Guide › Use", "```\ncode\n```")];
        assert_eq!(shown(text), expected.map(|(path, text)| (path.to_owned(), text)));
    }

    #[test]
    fn what_was_so_before_a_change_is_a_passage_with_the_details_above_it() {
        let text = "# Oven\n\n## Details\n- one\n\n## Found before the change\n- two\n\n## Open\n- three\n";
        let expected = [("Oven › Details", "one\n\n## Found before the change\n- two"), ("Oven › Open", "three")];
        assert_eq!(shown(text), expected.map(|(path, text)| (path.to_owned(), text)));
        let alone = "# Oven\n\n## Found before the change\n- two\n";
        assert_eq!(shown(alone), [("Oven › Found before the change".to_owned(), "two")]);
    }

    #[test]
    fn in_a_chat_a_passage_is_what_one_person_said() {
        let text = "# Oven\n\nAbout it.\n\nAda: It is off.\nIt was hot.\n\nAda: And clean.\nBen: Good?\nAda: Yes.\nBen: Bye.\n";
        let body = Span::new(0, text.len());
        let found = cut(text, body, &crate::chat::messages(text, body));
        let shown: Vec<_> = found.iter().map(|cut| (cut.speaker.as_str(), cut.span.of(text))).collect();
        let first = "Ada: It is off.\nIt was hot.\n\nAda: And clean.";
        let expected =
            [("", "About it."), ("Ada", first), ("Ben", "Ben: Good?"), ("Ada", "Ada: Yes."), ("Ben", "Ben: Bye.")];
        assert_eq!(shown, expected);
        assert!(found.iter().all(|cut| cut.heading == "Oven"));
    }

    #[test]
    fn a_last_heading_alone_is_a_passage() {
        assert_eq!(shown("text\n\n# End"), [(String::new(), "text"), ("End".to_owned(), "End")]);
    }

    #[test]
    fn long_text_is_cut_between_sentences_and_nothing_is_lost() {
        let text = "Ten words stand in this sentence, one after the other. ".repeat(60);
        let found = shown(&text);
        assert!(found.len() >= 4 && found.iter().all(|(_, piece)| count(piece) <= WORDS_MAX));
        assert_eq!(found.iter().map(|(_, piece)| count(piece)).sum::<usize>(), 600);
    }

    proptest! {
        #[test]
        fn every_word_outside_headings_is_in_a_passage(text in "([a-z认é]{1,9}[ .\n]{1,2}){0,400}") {
            let all: usize = cut(&text, Span::new(0, text.len()), &[]).iter().map(|cut| cut.span.of(&text).split_whitespace().count()).sum();
            let expected = text.split_whitespace().count();
            prop_assert!(all >= expected);
        }
    }
}
