//! What was said and done already, and what an agent's own summary says beyond it.
//!
//! When a session was compacted, its transcript holds a summary besides the turns that it sums up; where those are
//! gone, the summary is all that is left of them. A summary is read in blocks: an item with what stands below it, or
//! a paragraph. A block most of whose words stand in what was heard before says it again and is left out; the others
//! stay word for word. Only words are compared, by their stems: who words a thing otherwise is heard twice.

use std::collections::BTreeSet;

use ken_core::words::{Weight, fold, identifier_parts, stem, weight, words};

use super::Scrubbed;
use crate::transcript::{Record, Role};

/// Share of a block's words that must have been heard for it to be left out.
const TOLD_SHARE: (usize, usize) = (6, 10);

/// Fewest different words of a block that says something.
const WORDS_MIN: usize = 3;

/// Words that were heard.
#[derive(Debug, Clone, Default)]
pub struct Heard {
    stems: BTreeSet<String>,
}

impl Heard {
    /// Takes in a text.
    pub fn add(&mut self, text: &str) {
        each_stem(text, |stem| {
            self.stems.insert(stem);
        });
    }

    /// Takes in what was said and done.
    pub fn add_records(&mut self, scrubbed: &Scrubbed) {
        scrubbed.records.iter().for_each(|record| self.add(words_of(record)));
    }

    /// Returns the blocks of a summary that say something else, under their headings.
    ///
    /// ```
    /// # use ken_intake::extract::Heard;
    /// let mut heard = Heard::default();
    /// heard.add("The oven waits thirty seconds now, because the sensor lags.");
    /// let summary = "## Fixes\n- The oven waits thirty seconds\n- Crumbs blocked the door switch\n## Goal\n- Sensor lags";
    /// assert_eq!(heard.rest_of(summary), "## Fixes\n- Crumbs blocked the door switch");
    /// ```
    pub fn rest_of(&self, summary: &str) -> String {
        let mut out: Vec<&str> = Vec::new();
        let mut heading: Option<&str> = None;
        for block in blocks(summary) {
            if block.is_heading {
                heading = block.lines.first().copied();
            } else if self.is_new(&block) {
                out.extend(heading.take());
                out.extend(block.lines);
            }
        }
        out.join("\n").trim_end().to_owned()
    }

    fn is_new(&self, block: &Block<'_>) -> bool {
        let mut stems = BTreeSet::new();
        block.prose().for_each(|line| {
            each_stem(line, |stem| {
                stems.insert(stem);
            });
        });
        let n_heard = stems.intersection(&self.stems).count();
        stems.len() >= WORDS_MIN && n_heard * TOLD_SHARE.1 < stems.len() * TOLD_SHARE.0
    }
}

impl Scrubbed {
    /// Whether an agent's own summary is among the records.
    pub fn has_summary(&self) -> bool {
        self.records.iter().any(is_summary)
    }

    /// Leaves of each summary what was heard before it, and takes in everything else; returns how many summaries
    /// then say nothing and are gone.
    pub fn leave_heard(&mut self, heard: &mut Heard) -> usize {
        let n_before = self.records.len();
        self.records.retain_mut(|record| {
            let whole = words_of(record).to_owned();
            if let Record::Turn(turn) = record
                && turn.role == Role::Summary
            {
                turn.text = heard.rest_of(&whole);
            }
            heard.add(&whole);
            !words_of(record).is_empty()
        });
        n_before - self.records.len()
    }
}

fn is_summary(record: &Record) -> bool {
    matches!(record, Record::Turn(turn) if turn.role == Role::Summary)
}

fn words_of(record: &Record) -> &str {
    match record {
        Record::Turn(turn) => &turn.text,
        Record::Event(event) => &event.line,
    }
}

fn each_stem(text: &str, mut with: impl FnMut(String)) {
    for word in words(text).iter().map(|span| span.of(text)) {
        let parts = identifier_parts(word);
        let parts = if parts.is_empty() { vec![word] } else { parts };
        parts.into_iter().filter(|part| weight(part) != Weight::Stop).for_each(|part| with(stem(&fold(part))));
    }
}

/// A heading, an item with what stands below it, or a paragraph.
struct Block<'a> {
    lines: Vec<&'a str>,
    is_heading: bool,
    /// How far its first line is indented.
    indent: usize,
}

impl<'a> Block<'a> {
    fn starting_with(line: &'a str, is_heading: bool) -> Block<'a> {
        Block { lines: vec![line], is_heading, indent: indent_of(line) }
    }

    /// Its lines outside of code.
    fn prose(&self) -> impl Iterator<Item = &'a str> {
        let mut is_code = false;
        self.lines.iter().copied().filter(move |line| {
            let is_fence = is_fence(line);
            is_code ^= is_fence;
            !is_fence && !is_code
        })
    }
}

fn blocks(summary: &str) -> Vec<Block<'_>> {
    let mut out: Vec<Block<'_>> = Vec::new();
    let (mut is_code, mut is_open) = (false, false);
    for line in summary.lines() {
        let bare = line.trim();
        let goes_on = out.last().filter(|last| is_open && !last.is_heading);
        let is_fence = is_fence(line);
        let is_below = goes_on.is_some_and(|last| indent_of(line) > last.indent);
        // Only lines further to the right go on with an item, and any line but an item goes on with a paragraph.
        let is_part = is_code || is_fence && goes_on.is_some() || is_below || goes_on.is_some() && !is_item(bare);
        is_code ^= is_fence;
        if bare.is_empty() && !is_code {
            // What is indented below an item stays part of it behind an empty line.
            is_open &= out.last().is_some_and(|last| last.indent > 0 || is_item(last.lines[0].trim()));
        } else if is_heading(line) && !is_code {
            (is_open, _) = (false, out.push(Block::starting_with(line, true)));
        } else if let Some(last) = out.last_mut().filter(|_| is_part) {
            last.lines.push(line);
        } else {
            (is_open, _) = (true, out.push(Block::starting_with(line, false)));
        }
    }
    out
}

fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

fn is_fence(line: &str) -> bool {
    line.trim_start().starts_with("```")
}

fn is_item(bare: &str) -> bool {
    let behind = bare.trim_start_matches(|ch: char| ch.is_ascii_digit());
    ["- ", "* ", "• "].iter().any(|mark| bare.starts_with(mark))
        || behind.len() < bare.len() && behind.starts_with(". ")
}

/// Whether a line is a heading: `## Goal`, `1. Pending Tasks:`, `**Goal**`.
pub(super) fn is_heading(line: &str) -> bool {
    let bare = line.trim_end();
    let is_short = bare.chars().count() <= 80 && indent_of(bare) == 0;
    let is_bold =
        bare.starts_with("**") && bare.trim_end_matches(':').ends_with("**") && bare.matches("**").count() == 2;
    let is_numbered = bare.starts_with(|ch: char| ch.is_ascii_digit()) && bare.ends_with(':') && is_item(bare);
    let is_marked = bare.starts_with('#') && bare.trim_start_matches('#').starts_with(' ');
    is_short && (is_bold || is_numbered || is_marked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(heard: &[&str], summary: &str, expected: &str) {
        let mut all = Heard::default();
        heard.iter().for_each(|text| all.add(text));
        assert_eq!(all.rest_of(summary), expected);
    }

    const SUMMARY: &str = "1. Primary Request:\n   - Bake rye in oven 2 by Friday\n\n2. Errors and fixes:\n   - **The door alarm rang**: crumbs blocked the switch\n     - Fixed by brushing the switch every morning\n\n3. Pending Tasks:\n   - Order `rye_flour` from the mill\n";

    #[test]
    fn of_what_nobody_said_before_all_stays() {
        check(&[], SUMMARY, SUMMARY.replace("\n\n", "\n").trim_end());
    }

    #[test]
    fn an_item_goes_with_what_stands_below_it() {
        check(
            &["Please bake rye by Friday, in oven 2.", "I ordered rye flour from the mill."],
            SUMMARY,
            "2. Errors and fixes:\n   - **The door alarm rang**: crumbs blocked the switch\n     - Fixed by brushing the switch every morning",
        );
    }

    #[test]
    fn what_was_said_in_other_forms_of_its_words_was_said() {
        check(&["Crumbs were blocking the switches of the door's alarm."], "Crumbs block the door alarm switch.", "");
    }

    #[test]
    fn code_is_kept_with_what_leads_to_it_and_says_nothing_itself() {
        let summary = "- The mill sends a receipt:\n```\nlet rye = 3;\n```\n- Crumbs";
        check(&[], summary, "- The mill sends a receipt:\n```\nlet rye = 3;\n```");
        check(&["The mill sends receipts."], summary, "");
    }

    #[test]
    fn odd_text_is_survived() {
        for text in ["", "```", "-", "1.", "**", "#", "```\n- a\n", "\u{301}- x", "   \n\t\n"] {
            let _ = Heard::default().rest_of(text);
        }
    }
}
