//! The sections of an entry.
//!
//! Written ones are bullets under bold labels; hand-written ones may run over several lines. Text before
//! the first label belongs to no section.

use super::{SectionKind, lines};
use crate::span::Span;

/// A section of an entry as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// Which one.
    pub kind: SectionKind,
    /// Its statements, each without its bullet and check box.
    pub items: Vec<Span>,
}

/// Returns the sections of an entry's body, as far as it has any; spans are in `text`.
pub fn parse_sections(text: &str, body: Span) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    let mut in_item = false;
    for line in lines::split(body.of(text)) {
        let line_span = line.span.shifted(body.start);
        let line_text = line_span.of(text);
        if let Some((kind, rest)) = label_of(line_text) {
            sections.push(Section { kind, items: Vec::new() });
            in_item = !rest.is_empty();
            push_item(&mut sections, tail_span(line_span, line_text, rest));
        } else if let Some(rest) = bullet_of(line_text) {
            let is_action = sections.last().is_some_and(|section| section.kind == SectionKind::ActionItems);
            let rest = if is_action { without_check_box(rest) } else { rest };
            push_item(&mut sections, tail_span(line_span, line_text, rest));
            in_item = true;
        } else if line_text.trim().is_empty() {
            in_item = false;
        } else if in_item && let Some(item) = sections.last_mut().and_then(|section| section.items.last_mut()) {
            item.end = line_span.start + line_text.trim_end().len();
        } else {
            push_item(&mut sections, tail_span(line_span, line_text, line_text.trim()));
            in_item = true;
        }
    }
    sections
}

/// How lines begin that are a heading, a comment, a row of a table or an end of code.
const OTHER_BLOCKS: [&str; 10] = ["# ", "## ", "### ", "#### ", "##### ", "###### ", "<!--", "|", "```", "~~~"];

/// What stands before the first label of an entry, as somebody writes it by hand: an item of a list or a paragraph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Loose {
    /// Where it stands, without bullet and check box.
    pub span: Span,
    /// Whether the check box before it is ticked, if it has one.
    pub is_ticked: Option<bool>,
}

/// Returns what stands before the first label of an entry's body, headings, comments, tables and code aside.
///
/// ```
/// # use ken_core::{Span, journal::loose_items};
/// let text = "We bake rye\nat night.\n- [ ] order flour\n\n`oven on` heats it.\n\n**Decisions Made:**\n- Ovens stay on.\n";
/// let found = loose_items(text, Span::new(0, text.len()));
/// let told: Vec<_> = found.iter().map(|one| (one.span.of(text), one.is_ticked)).collect();
/// assert_eq!(told, [("We bake rye\nat night.", None), ("order flour", Some(false)), ("`oven on` heats it.", None)]);
/// ```
pub fn loose_items(text: &str, body: Span) -> Vec<Loose> {
    let (mut out, mut in_item, mut in_code): (Vec<Loose>, bool, bool) = (Vec::new(), false, false);
    for line in lines::split(body.of(text)) {
        let line_span = line.span.shifted(body.start);
        let line_text = line_span.of(text);
        let trimmed = line_text.trim();
        if label_of(line_text).is_some() {
            break;
        }
        in_code ^= trimmed.starts_with("```") || trimmed.starts_with("~~~");
        if in_code || trimmed.is_empty() || OTHER_BLOCKS.iter().any(|start| trimmed.starts_with(start)) {
            in_item = false;
            continue;
        }
        let end = line_span.start + line_text.trim_end().len();
        let bullet = bullet_of(line_text);
        match (bullet, out.last_mut().filter(|_| in_item)) {
            (None, Some(item)) => item.span.end = end,
            _ => {
                let said = bullet.unwrap_or(trimmed);
                let rest = bullet.map_or(said, without_check_box);
                let is_ticked = (rest.len() < said.len()).then(|| !said.starts_with("[ ]"));
                out.push(Loose { span: Span::new(end - rest.len(), end), is_ticked });
            }
        }
        in_item = true;
    }
    out
}

/// Returns the name of the section that a paragraph is the label of, as the journal writes it: `**Decisions Made:**`.
pub(crate) fn section_label(text: &str) -> Option<&str> {
    text.trim().strip_prefix("**")?.strip_suffix(":**").filter(|label| !label.contains(['*', '\n']))
}

/// Returns the section of the journal that a paragraph is the label of.
pub(crate) fn section_kind(text: &str) -> Option<SectionKind> {
    section_label(text).and_then(SectionKind::from_label)
}

fn label_of(line: &str) -> Option<(SectionKind, &str)> {
    let (label, rest) = line.strip_prefix("**")?.split_once(":**")?;
    Some((SectionKind::from_label(label)?, rest.trim()))
}

fn bullet_of(line: &str) -> Option<&str> {
    let line = line.trim();
    let rest = line.strip_prefix("- ").or_else(|| line.strip_prefix("* "))?;
    Some(rest.trim_start())
}

fn without_check_box(item: &str) -> &str {
    ["[ ] ", "[x] ", "[X] "].iter().find_map(|mark| item.strip_prefix(mark)).unwrap_or(item).trim_start()
}

/// Returns where `rest`, a tail of the trimmed line, stands.
fn tail_span(line: Span, line_text: &str, rest: &str) -> Span {
    let end = line.start + line_text.trim_end().len();
    Span::new(end - rest.len(), end)
}

fn push_item(sections: &mut [Section], item: Span) {
    if let Some(section) = sections.last_mut()
        && item.start < item.end
    {
        section.items.push(item);
    }
}
