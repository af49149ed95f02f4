//! Cuts the passages that may answer into units: the least that can be handed over by itself.
//!
//! A unit is a few sentences, list items or table rows that stand together. What belongs together stays
//! together: a line that ends in a colon with the list, code or table behind it, a code block with the
//! sentence before it. Where a unit of a few hundred characters is found by its words, those beside it are
//! found by being beside it, so a unit can be small without losing the answer that stands behind a question.

use crate::journal::{section_kind, section_label};
use crate::markdown::{Block, BlockKind, blocks};
use crate::page::outline::{COMMANDS, FILES, said_in_footnote};
use crate::revised::Revision;
use crate::span::Span;
use crate::text::sentences;

/// A unit of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    /// Its bytes.
    pub span: Span,
    /// Its sentences, items, rows, or lines of code.
    pub sentences: Vec<Span>,
    /// Which part of the text it stands in, counted by headings.
    pub section: usize,
    /// Whether it lists what tools did.
    pub is_event: bool,
    /// Who says it in a chat; empty elsewhere.
    pub speaker: String,
}

/// Code and tables stay with what introduces them up to so many times the size of a unit.
const GLUED_TIMES: f64 = 2.5;
/// A new heading begins a unit once the open one has this share of its size.
const HEADING_SHARE: f64 = 0.3;

/// Returns the units of the part `body` of a text, in order, each of about so many characters.
pub fn units(text: &str, body: Span, chars: usize) -> Vec<Unit> {
    let (open, out) = (None, Vec::new());
    let mut cutter = Cutter { text, chars, open, leads: false, section: 0, is_event: false, lists_done: false, out };
    for block in blocks(text, body) {
        cutter.block(&block);
    }
    cutter.close();
    cutter.out
}

/// Whether a section with this heading lists what was done, as a compiled page does.
pub(crate) fn lists_done(heading: &str) -> bool {
    [COMMANDS, FILES].contains(&heading)
}

/// Whether an item of such a section is a command or a file: a document may have sections of these names with text of its own.
pub(crate) fn is_done(item: &str) -> bool {
    let code = item.split("[^").next().unwrap_or_default().trim_end();
    code.len() > 2 && code.starts_with('`') && code.ends_with('`') && !code[1..code.len() - 1].contains('`')
}

struct Cutter<'a> {
    text: &'a str,
    chars: usize,
    open: Option<Unit>,
    /// Whether what is open leads in what comes next.
    leads: bool,
    section: usize,
    is_event: bool,
    /// Whether the section is one in which a compiled page lists what was done.
    lists_done: bool,
    out: Vec<Unit>,
}

impl Cutter<'_> {
    fn block(&mut self, block: &Block) {
        match block.kind {
            BlockKind::Comment => {}
            BlockKind::Footnote => {
                let Some(note) = said_in_footnote(self.text, block.span) else { return };
                self.close();
                sentences(note.of(self.text)).into_iter().for_each(|span| self.add(span.shifted(note.start)));
                self.close();
                self.leads = false;
            }
            BlockKind::Heading(_) => {
                let has_enough =
                    |unit: &Unit| (unit.span.end - unit.span.start) as f64 >= HEADING_SHARE * self.chars as f64;
                if self.open.as_ref().is_some_and(has_enough) {
                    self.close();
                }
                self.section += 1;
                self.lists_done = lists_done(block.span.of(self.text));
                (self.leads, self.is_event) = (false, false);
            }
            BlockKind::Paragraph if section_label(block.span.of(self.text)).is_some() => {
                // What was asked, said and done there is one conversation: no new section begins.
                self.close();
                self.is_event = section_kind(block.span.of(self.text)).is_some_and(|kind| !kind.is_said());
            }
            BlockKind::Code | BlockKind::Row => {
                let lines = lines(self.text, block.span);
                let is_glued = self.open.is_some() && self.len_with(block.span) <= self.glued_max();
                if !is_glued && self.open.is_some() {
                    self.close();
                }
                for line in lines {
                    if self.open.is_some() && self.len_with(line) > self.glued_max() {
                        self.close();
                    }
                    self.add(line);
                }
                self.leads = false;
            }
            BlockKind::Paragraph | BlockKind::Item => {
                let said = block.span.of(self.text);
                let is_done = self.lists_done && is_done(said);
                if is_done && !self.is_event {
                    self.close();
                    self.is_event = true;
                }
                let leads = said.trim_end().ends_with([':', '：']);
                // What a document says in the place of something is read in one piece.
                let is_whole = block.kind == BlockKind::Item && Revision::parse(said).is_some();
                let spans = if is_whole { vec![Span::new(0, said.len())] } else { sentences(said) };
                let spans: Vec<Span> = spans.into_iter().map(|span| span.shifted(block.span.start)).collect();
                // A sentence that leads something in opens a unit with it.
                if leads && self.open.is_some() && self.len_with(block.span) * 2 > self.chars {
                    self.close();
                }
                for span in spans {
                    if self.open.is_some() && !self.leads && self.len_with(span) > self.chars {
                        self.close();
                    }
                    self.add(span);
                    self.leads = false;
                }
                self.leads = leads;
            }
        }
    }

    fn glued_max(&self) -> usize {
        (GLUED_TIMES * self.chars as f64) as usize
    }

    /// How long what is open would be with this.
    fn len_with(&self, span: Span) -> usize {
        self.open.as_ref().map_or(span.end - span.start, |unit| span.end - unit.span.start)
    }

    fn add(&mut self, span: Span) {
        if span.of(self.text).trim().is_empty() {
            return;
        }
        let Cutter { section, is_event, .. } = *self;
        let unit = self.open.get_or_insert_with(|| {
            let (sentences, speaker) = (Vec::new(), String::new());
            Unit { span, sentences, section, is_event, speaker }
        });
        unit.span.end = span.end;
        unit.sentences.push(span);
    }

    fn close(&mut self) {
        self.out.extend(self.open.take());
        self.leads = false;
    }
}

fn lines(text: &str, span: Span) -> Vec<Span> {
    let mut at = span.start;
    let line = |line: &str| {
        let start = at;
        at += line.len();
        Span::new(start, start + line.trim_end().len())
    };
    span.of(text).split_inclusive('\n').map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(text: &str, chars: usize) -> Vec<&str> {
        units(text, Span::new(0, text.len()), chars).iter().map(|unit| unit.span.of(text)).collect()
    }

    #[test]
    fn what_leads_something_in_stays_with_it() {
        let text =
            "The oven is hot. It was lit at five.\n\nStart it like this:\n\n```\noven --start\n```\n\n- Clean it.\n";
        assert_eq!(
            shown(text, 40),
            ["The oven is hot. It was lit at five.", "Start it like this:\n\n```\noven --start\n```", "Clean it."]
        );
    }

    #[test]
    fn items_are_joined_until_a_unit_is_full_and_headings_begin_one() {
        let text = "- one two three\n- four five six\n- seven eight nine\n\n## Next\n\nTen.\n";
        assert_eq!(shown(text, 40), ["one two three\n- four five six", "seven eight nine", "Ten."]);
    }

    #[test]
    fn what_a_footnote_says_is_a_unit_and_what_it_cites_is_none() {
        let text = "It is hot.[^hot][^1]\n\n[^hot]: Not in winter.\n[^1]: a.md#L3-L3 7f3a9c1e \"x\"\n\nIt is off.\n";
        assert_eq!(shown(text, 200), ["It is hot.[^hot][^1]", "Not in winter.", "It is off."]);
    }

    #[test]
    fn labels_of_the_journal_are_no_text_and_say_what_tools_did() {
        let text = "**Decisions Made:**\n\n- The oven stays.\n\n**Events:**\n\n- Bash oven\n";
        let found = units(text, Span::new(0, text.len()), 200);
        let shown: Vec<(&str, bool)> = found.iter().map(|unit| (unit.span.of(text), unit.is_event)).collect();
        assert_eq!(shown, [("The oven stays.", false), ("Bash oven", true)]);
    }

    #[test]
    fn what_a_page_lists_as_done_is_told_from_what_a_document_says_of_commands() {
        let text = "## Lessons\n\n- Rye.[^1]\n\n## Commands\n\n- `bake`[^2]\n\n## Files\n\n- `a.rs`[^2]\n";
        let found = units(text, Span::new(0, text.len()), 200);
        let shown: Vec<(&str, bool)> = found.iter().map(|unit| (unit.span.of(text), unit.is_event)).collect();
        assert_eq!(shown, [("Rye.[^1]", false), ("`bake`[^2]", true), ("`a.rs`[^2]", true)]);
        let text = "## Commands\n\n- `bake` heats the oven.\n";
        assert!(units(text, Span::new(0, text.len()), 200).iter().all(|unit| !unit.is_event));
        assert!(is_done("`bin/bake --rye`") && is_done("`a.rs`[^12]") && !is_done("`a` and `b`") && !is_done("``"));
    }

    proptest! {
        #[test]
        fn units_stand_in_order_and_lose_no_sentence(text in "([a-z]{1,9}[ .:\n]{1,2}|\n\n- |\n\n# |\n```\n|\n\n\\| a \\| b \\|\n){0,120}", chars in 20_usize..300) {
            let found = units(&text, Span::new(0, text.len()), chars);
            let mut end = 0;
            for unit in &found {
                prop_assert!(unit.span.start >= end && !unit.sentences.is_empty());
                prop_assert_eq!((unit.sentences[0].start, unit.sentences[unit.sentences.len() - 1].end), (unit.span.start, unit.span.end));
                end = unit.span.end;
            }
        }
    }
}
