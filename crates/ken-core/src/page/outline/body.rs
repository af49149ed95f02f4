//! Writes the body of a page: headings, claims with what is said of them, links, and the footnotes at the end.

use super::notes::Footnotes;
use super::remark::{Next, Remark, When, as_next, without_strokes};
use crate::claim::{ClaimState, SourceRef};
use crate::markdown::inert;

/// What stands between the claims of two disputes.
const ANOTHER_DISPUTE: &str = "<!-- another dispute -->";

/// Returns whether a comment parts the claims of one dispute from those of the next.
pub fn is_between_disputes(comment: &str) -> bool {
    comment.trim() == ANOTHER_DISPUTE
}

/// The body of a page, as far as it is written. Texts are Markdown as it shall stand, see [`as_text`].
#[derive(Debug, Default)]
pub struct Body {
    text: String,
    notes: Footnotes,
    /// The headings that are written as soon as something stands below them, each with its level.
    pending: Vec<(usize, String)>,
    last: Last,
}

/// What was written last: what is of another sort begins behind a blank line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Last {
    #[default]
    Block,
    Prose,
    List,
}

impl Body {
    /// Returns a body that has a title.
    pub fn new(title: &str) -> Body {
        Body { text: format!("# {title}\n"), ..Body::default() }
    }

    /// Begins a section, which is left out if nothing stands in it; one without a heading goes on below what stands there.
    pub fn section(&mut self, heading: &str) {
        self.pending = if heading.is_empty() { Vec::new() } else { vec![(2, heading.to_owned())] };
    }

    /// Begins a part of a section, which is left out if nothing stands in it.
    pub fn part(&mut self, heading: &str) {
        self.pending.retain(|(level, _)| *level == 2);
        self.pending.push((3, heading.to_owned()));
    }

    /// Writes a heading of some level.
    pub fn heading(&mut self, level: usize, heading: &str) {
        self.pending.clear();
        self.text.push_str(&format!("\n{} {heading}\n", "#".repeat(level)));
        self.last = Last::Block;
    }

    fn begin(&mut self, next: Last) {
        for (level, heading) in std::mem::take(&mut self.pending) {
            self.heading(level, &heading);
        }
        if self.last != next || next == Last::Block {
            self.text.push('\n');
        }
        self.last = next;
    }

    /// Adds a line to a paragraph; each of its sentences is a claim that rests on these places.
    pub fn line(&mut self, text: &str, cited: &[&SourceRef]) {
        self.begin(Last::Prose);
        let marks = self.notes.marks(cited.iter().copied());
        for (n, sentence) in crate::text::sentences(text).iter().enumerate() {
            self.text.push_str(if n > 0 { " " } else { "" });
            self.text.push_str(sentence.of(text));
            self.text.push_str(&marks);
        }
        self.text.push('\n');
    }

    /// Writes a claim as an item of a list.
    pub fn claim(&mut self, text: &str, cited: &[&SourceRef]) {
        self.item("-", text, cited);
    }

    /// Writes a claim as an item of a list that has another marker, or stands below another item.
    pub fn item(&mut self, marker: &str, text: &str, cited: &[&SourceRef]) {
        self.begin(Last::List);
        let marks = self.notes.marks(cited.iter().copied());
        self.text.push_str(&format!("{marker} {text}{marks}\n"));
    }

    /// Writes a claim that was superseded or done, with what took its place.
    pub fn past(&mut self, text: &str, state: &ClaimState, own: &[&SourceRef], by: &[&SourceRef]) {
        let struck = past_text(text, state);
        let own = self.notes.marks(own.iter().copied());
        self.item("-", &format!("{struck}{own}"), by);
    }

    /// Writes a link to a page, with why it is there.
    pub fn link(&mut self, link: &str, why: &str) {
        let between = if why.is_empty() { "" } else { ": " };
        self.item("-", &format!("{link}{between}{why}"), &[]);
    }

    /// Writes code, a table or a comment, which belongs to what stands above it.
    pub fn block(&mut self, text: &str) {
        self.pending.clear();
        self.begin(Last::Block);
        self.text.push_str(text);
    }

    /// Parts the claims of one dispute from those of the next.
    pub fn another_dispute(&mut self) {
        self.block(ANOTHER_DISPUTE);
        self.text.push('\n');
    }

    /// Writes a line below an item of a list that belongs to it.
    pub fn below_item(&mut self, line: &str) {
        self.text.push_str(line);
    }

    /// Lets the next item begin a list of its own.
    pub fn end_list(&mut self) {
        self.last = Last::Block;
    }

    /// Returns whether the next item goes on a list.
    pub fn is_in_list(&self) -> bool {
        self.last == Last::List
    }

    /// Returns the body with its footnotes.
    pub fn render(self) -> String {
        self.text + &self.notes.render()
    }
}

/// Returns a claim that was superseded or done as it stands on a page, without its marks.
pub fn past_text(text: &str, state: &ClaimState) -> String {
    let when = if matches!(state, ClaimState::Done { .. }) { When::Done } else { When::Until };
    let now = state.now().map(|now| as_next(&without_strokes(now)));
    let remark =
        Remark { when: state.ended().map(|day| (when, day)), next: now.as_deref().map(|now| (Next::Now, now)) };
    remark.struck(without_strokes(text).trim_end_matches('.'))
}

/// Returns a text in which nothing can pass for a citation, a comment or a block.
pub fn as_text(text: &str) -> String {
    let mut out = inert(text).replace("[^", "\\[^");
    // A backtick without its partner would turn the citation behind it into code.
    if out.matches('`').count() % 2 == 1 {
        out = inert(&out.replace('`', "'")).into_owned();
    }
    let starts_block = out.starts_with(['#', '>', '|', '~', '-', '+', '*', '=']) && !out.starts_with("**");
    if starts_block {
        out.insert(0, '\\');
    }
    out
}
