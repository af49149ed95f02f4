//! The sentences of a page, or of some lines of the journal or a source, that an answer may cite.

use std::collections::BTreeMap;

use crate::chat::{Message, messages, with_speaker};
use crate::claim::SourceRef;
use crate::digest::Digest;
use crate::dispute::disputes;
use crate::header::FieldName;
use crate::journal::{section_kind, section_label};
use crate::link::without_links;
use crate::markdown::{Block, BlockKind, blocks};
use crate::page::outline::{
    DISPUTED, LINK_SECTIONS, SUPERSEDED, SYNTHESIS, below, footnotes, is_rollup, label_of_footnote, labels, remark_in,
    said_in_footnote, unstruck, without_marks,
};
use crate::page::{Category, Page};
use crate::path::VaultPath;
use crate::search::unit::{is_done, lists_done};
use crate::settled::Settlement;
use crate::span::{LineIndex, Span};
use crate::text::{leans_back, one_line, sentences};
use crate::trust::{EXTERNAL_CLAIM, UNVERIFIED_CLAIM, stale_in, without_stale};
use crate::words::{folded_words, words};

/// Most characters of what a sentence leads in.
const LED_IN_CHARS_MAX: usize = 420;
/// A list item that is longer is cited sentence by sentence.
const ITEM_CHARS_MAX: usize = 300;

/// One sentence that an answer may cite.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Citable {
    /// Its words, without footnote marks and link brackets.
    pub text: String,
    /// First and last line, from 1, both included.
    pub lines: (usize, usize),
    /// The heading it stands under.
    pub heading: String,
    /// The places in the journal and the sources that it rests on.
    pub refs: Vec<SourceRef>,
    /// Whether its page says that it no longer holds.
    pub is_superseded: bool,
    /// What became of it, as its page says it or what else was found: `until 2026-05-03; now: …`; empty where nothing
    /// did.
    pub since: String,
    /// Whether it is the page's tldr.
    pub is_tldr: bool,
    /// Whether it is an item of a list.
    pub is_item: bool,
    /// Who says it in a chat, which its words say too; empty elsewhere.
    pub speaker: String,
}

impl Citable {
    /// Returns the digest by which a citation knows the sentence.
    pub fn digest(&self) -> String {
        Digest::of_normalised(&self.text).short()
    }

    /// Whether it is a command that was run or a file that was changed, as a page lists them.
    pub fn lists_done(&self) -> bool {
        lists_done(&self.heading) && is_done(&self.text)
    }

    /// Says something of the sentence behind its words.
    pub fn say_behind(&mut self, remark: &str) {
        self.text = said_behind(&self.text, remark);
    }

    /// Returns the words alone, by which two sentences say the same.
    pub(super) fn folded(&self) -> Vec<String> {
        folded_words(&self.text)
    }
}

/// Returns a sentence with a remark before its full stop.
pub fn said_behind(text: &str, remark: &str) -> String {
    let words = text.trim_end_matches(['.', '!', '?', '…']);
    format!("{words} ({remark}){}", &text[words.len()..])
}

/// Returns what an answer may cite of a page; `plain` is the text of an HTML page with the line of the source
/// that each of its lines stands on.
pub fn citables_of_page(page: &Page, plain: Option<(&str, &[usize])>) -> Vec<Citable> {
    // A stale answer is not repeated.
    if page.scalar(FieldName::StaleSince).is_some() {
        return Vec::new();
    }
    let (text, body, map) = match plain {
        Some((text, map)) => (text, Span::new(0, text.len()), Some(map)),
        None => (page.text.as_str(), page.body(), None),
    };
    let notes = footnotes(text, body).into_iter();
    let refs = notes.filter_map(|note| Some((note.label, SourceRef::parse(note.text.of(text))?))).collect();
    let cutter = Cutter { text, lines: LineIndex::new(text), map, refs, is_rollup: is_rollup(page) };
    let mut out = cutter.cut(body, page.is_owned(), &[]);
    // Whoever reads one side in an answer does not see the other.
    for dispute in disputes(page) {
        for (n, claim) in dispute.claims.iter().enumerate() {
            let said = out.iter_mut().filter(|one| one.heading == DISPUTED && one.lines == claim.lines);
            said.for_each(|one| one.text = format!("{} ({}).", one.text.trim_end_matches('.'), dispute.beside(n)));
        }
    }
    let summary = page.scalar(FieldName::Tldr).unwrap_or_default();
    let Some(tldr) = citable_of(&summary, (1, 1), "").filter(|_| page.header.field(FieldName::Tldr).is_some()) else {
        return out;
    };
    match out.iter_mut().find(|one| !one.is_superseded && one.folded().starts_with(&tldr.folded())) {
        Some(claim) => claim.is_tldr = true,
        // That of a piece of work is put together of what was said, which answers better where it stands.
        None if page.is_owned() && page.category() == Category::Project => {}
        None => {
            let field = page.header.field(FieldName::Tldr).map_or(0, |field| field.lines.start);
            let line = LineIndex::new(&page.text).line_of(field);
            out.insert(0, Citable { lines: (line, line), is_tldr: true, ..tldr });
        }
    }
    out
}

/// Returns what an answer may cite of lines `first` to `last` of a file of the journal or the sources; `plain`
/// as for [`citables_of_page`]. A document may be a chat.
pub fn citables_of_lines(
    path: &VaultPath,
    (text, is_document): (&str, bool),
    plain: Option<(&str, &[usize])>,
    (first, last): (usize, usize),
) -> Vec<Citable> {
    let (read, map) = plain.map_or((text, None), |(plain, map)| (plain, Some(map)));
    let cutter = Cutter { text: read, lines: LineIndex::new(read), map, refs: BTreeMap::new(), is_rollup: false };
    let inside = |one: &Citable| one.lines.0 >= first && one.lines.1 <= last;
    let body = Span::new(0, read.len());
    let messages = if is_document { messages(read, body) } else { Vec::new() };
    let mut out: Vec<Citable> = cutter.cut(body, false, &messages).into_iter().filter(|one| inside(one)).collect();
    for one in &mut out {
        one.refs = SourceRef::cite(path, text, one.lines, &one.text).into_iter().collect();
    }
    out.retain(|one| !one.refs.is_empty());
    out
}

struct Cutter<'a> {
    text: &'a str,
    lines: LineIndex,
    map: Option<&'a [usize]>,
    refs: BTreeMap<String, SourceRef>,
    is_rollup: bool,
}

impl Cutter<'_> {
    fn cut(&self, body: Span, is_owned: bool, messages: &[Message]) -> Vec<Citable> {
        let mut out: Vec<Citable> = Vec::new();
        let mut marked: BTreeMap<String, usize> = BTreeMap::new();
        let mut heading = "";
        // The level of the heading under which everything is superseded, or is only links.
        let (mut superseded, mut links_only) = (None, None);
        let mut is_event = false;
        let mut head: Vec<&str> = Vec::new();
        let all = self.blocks(body, messages);
        for (n, block) in all.iter().enumerate() {
            let said = block.span.of(self.text);
            let speaker = speaker_at(messages, block.span.start);
            if block.kind != BlockKind::Row {
                head.clear();
            } else if is_rule(said) || all.get(n + 1).is_some_and(|next| is_rule(next.span.of(self.text))) {
                // The head of a table says what stands in its rows, and nothing by itself.
                head = if is_rule(said) { head } else { cells(said) };
                continue;
            }
            let mut spans = match block.kind {
                BlockKind::Heading(level) => {
                    heading = below(heading, said, level, self.is_rollup);
                    links_only = links_only.filter(|above| *above < level);
                    superseded = superseded.filter(|above| *above < level).or((said == SUPERSEDED).then_some(level));
                    links_only = links_only.or((is_owned && LINK_SECTIONS.contains(&said)).then_some(level));
                    is_event = false;
                    continue;
                }
                BlockKind::Paragraph if said.starts_with("> Stale: ") => continue,
                BlockKind::Paragraph if section_label(said).is_some() => {
                    is_event = section_kind(said).is_some_and(|kind| !kind.is_said());
                    continue;
                }
                BlockKind::Paragraph => sentences_of(said, is_owned),
                BlockKind::Item if said.chars().count() > ITEM_CHARS_MAX => sentences(said),
                BlockKind::Item | BlockKind::Row => vec![Span::new(0, said.len())],
                BlockKind::Code | BlockKind::Comment | BlockKind::Footnote => {
                    out.extend(self.footnote(block, heading, |label| Some(out[*marked.get(label)?].clone())));
                    continue;
                }
            };
            // A settlement is read on the pages that it is about.
            let is_settled = block.kind == BlockKind::Item && !is_owned && Settlement::parse(said).is_some();
            if links_only.is_some() || is_event || is_settled {
                continue;
            }
            let last = spans.len().saturating_sub(1);
            spans.iter_mut().for_each(|span| *span = span.shifted(block.span.start));
            for (at, span) in spans.into_iter().enumerate() {
                let said = span.of(self.text);
                // What was concluded is not what anybody said.
                if is_owned && said.contains(SYNTHESIS) {
                    continue;
                }
                let shown = if block.kind == BlockKind::Row { row_under(&head, said) } else { said.to_owned() };
                let follows = if at == last { self.led_in(said, &all[n + 1..]) } else { None };
                let (more, end) = follows.unwrap_or_else(|| (String::new(), span.end));
                let text = with_speaker(speaker, shown + &more);
                let place = (self.lines.line_of(span.start), self.lines.line_of(end.saturating_sub(1)));
                let Some(citable) = citable_of(&text, self.in_source(place), heading) else { continue };
                let labels = labels(Span::new(span.start, end).of(self.text));
                let refs = labels.iter().filter_map(|label| self.refs.get(label).cloned()).collect();
                marked.extend(labels.into_iter().map(|label| (label, out.len())));
                let is_superseded = superseded.is_some() || said.contains("~~");
                let (is_item, speaker) = (block.kind == BlockKind::Item, speaker.to_owned());
                out.push(Citable { refs, is_superseded, since: remark_in(said), is_item, speaker, ..citable });
            }
        }
        out
    }

    /// What a footnote of a document says, behind what has its mark, where both are no longer than a sentence may be.
    fn footnote(&self, block: &Block, heading: &str, marked: impl Fn(&str) -> Option<Citable>) -> Option<Citable> {
        let is_footnote = block.kind == BlockKind::Footnote;
        let note = said_in_footnote(self.text, block.span).filter(|_| is_footnote)?;
        let place = (self.lines.line_of(note.start), self.lines.line_of(note.end.saturating_sub(1)));
        let one = citable_of(note.of(self.text), self.in_source(place), heading)?;
        let to = label_of_footnote(self.text, note.start).and_then(marked);
        Some(match to.filter(|to| to.text.chars().count() + one.text.chars().count() <= LED_IN_CHARS_MAX) {
            Some(to) => {
                let text = said_behind(&to.text, &format!("note: {}", one.text.trim_end_matches('.')));
                Citable { text, heading: to.heading, ..one }
            }
            None => one,
        })
    }

    /// The blocks of a text, of a chat those of each message by itself.
    fn blocks(&self, body: Span, messages: &[Message]) -> Vec<Block> {
        let (mut out, mut at) = (Vec::new(), body.start);
        for message in messages {
            out.extend(blocks(self.text, Span::new(at, message.span.start)));
            out.extend(blocks(self.text, message.span));
            at = message.span.end;
        }
        out.extend(blocks(self.text, Span::new(at, body.end)));
        out
    }

    /// What a sentence leads in, as far as it is no longer than a sentence may be, and where that ends: the code
    /// behind it, or, behind a colon, the items or rows of a list.
    fn led_in(&self, said: &str, next: &[Block]) -> Option<(String, usize)> {
        let kind = next.first()?.kind;
        if kind != BlockKind::Code && !said.trim_end().ends_with([':', '：']) {
            return None;
        }
        let mut n_left = LED_IN_CHARS_MAX;
        let (mut more, mut end) = (String::new(), None);
        let mut take = |piece: String, at: usize| {
            let fits = piece.chars().count() <= n_left;
            if fits {
                n_left -= piece.chars().count();
                more.push_str(&piece);
                end = Some(at);
            }
            fits
        };
        match kind {
            BlockKind::Code => {
                let mut at = next[0].span.start;
                for line in next[0].span.of(self.text).split_inclusive('\n') {
                    at += line.len();
                    let line = line.trim();
                    let is_code = !line.is_empty() && !line.starts_with("```") && !line.starts_with("~~~");
                    if is_code && !take(format!(" {}", code_span(line)), at) {
                        break;
                    }
                }
            }
            BlockKind::Item | BlockKind::Row => {
                let list = next.iter().take_while(|block| block.kind == kind);
                let is_headed =
                    kind == BlockKind::Row && next.get(1).is_some_and(|row| is_rule(row.span.of(self.text)));
                let head = if is_headed { cells(next[0].span.of(self.text)) } else { Vec::new() };
                for (nth, block) in list.skip(if is_headed { 2 } else { 0 }).enumerate() {
                    let said = block.span.of(self.text);
                    let said = if kind == BlockKind::Row { row_under(&head, said) } else { said.to_owned() };
                    let between = if nth == 0 { " " } else { "; " };
                    if !take(format!("{between}{}", said.trim_end_matches('.')), block.span.end) {
                        break;
                    }
                }
            }
            _ => {}
        }
        end.map(|end| (more, end))
    }

    fn in_source(&self, (first, last): (usize, usize)) -> (usize, usize) {
        let at = |line: usize| self.map.map_or(line, |map| map.get(line - 1).copied().unwrap_or(line));
        (at(first), at(last).max(at(first)))
    }
}

/// The sentences of a paragraph; of claims none without the one that it leans on: `The oven waits. It does so twice.`
fn sentences_of(text: &str, are_claims: bool) -> Vec<Span> {
    let mut out: Vec<Span> = Vec::new();
    for span in sentences(text) {
        match out.last_mut() {
            Some(last) if are_claims && leans_back(span.of(text)) && span.end - last.start <= LED_IN_CHARS_MAX => {
                last.end = span.end;
            }
            _ => out.push(span),
        }
    }
    out
}

/// Who says what stands somewhere; empty where nobody does.
fn speaker_at(messages: &[Message], at: usize) -> &str {
    let next = messages.partition_point(|message| message.span.start <= at);
    let last = next.checked_sub(1).map(|last| &messages[last]).filter(|message| at < message.span.end);
    last.map_or("", |message| message.speaker.as_str())
}

/// Whether a row is the line below a table's head.
fn is_rule(row: &str) -> bool {
    row.starts_with('|') && row.contains("--") && row.chars().all(|ch| matches!(ch, '|' | '-' | ':' | ' '))
}

/// The cells of a row: bars in code, and behind a backslash, part none.
fn cells(row: &str) -> Vec<&str> {
    let row = row.trim();
    let row = row.strip_prefix('|').unwrap_or(row);
    let row = row.strip_suffix('|').unwrap_or(row);
    let has_code = row.matches('`').count().is_multiple_of(2);
    let (mut cells, mut start, mut is_code, mut last) = (Vec::new(), 0, false, ' ');
    for (at, ch) in row.char_indices() {
        is_code ^= has_code && ch == '`';
        if ch == '|' && !is_code && last != '\\' {
            cells.push(row[start..at].trim());
            start = at + 1;
        }
        last = ch;
    }
    cells.push(row[start..].trim());
    cells
}

/// A line of code as it stands within a sentence.
fn code_span(line: &str) -> String {
    if line.contains('`') { format!("`` {line} ``") } else { format!("`{line}`") }
}

/// A row of a table with what its head calls each cell.
fn row_under(head: &[&str], row: &str) -> String {
    let cells = cells(row);
    let named = |(n, cell): (usize, &&str)| match head.get(n).filter(|_| n > 0 && head.len() == cells.len()) {
        Some(name) if !name.is_empty() => format!("{name}: {cell}"),
        _ => (*cell).to_owned(),
    };
    let said: Vec<String> = cells.iter().enumerate().filter(|(_, cell)| !cell.is_empty()).map(named).collect();
    said.join(" | ")
}

/// A line without the marks of a quotation.
fn without_quote(line: &str) -> &str {
    let bare = line.trim_start().trim_start_matches("> ");
    if bare.trim_end() == ">" { "" } else { bare }
}

/// A sentence of a text, or none when it says nothing: a label, a rule of a table, a single link.
fn citable_of(said: &str, lines: (usize, usize), heading: &str) -> Option<Citable> {
    // What is quoted in a document is quoted without its marks.
    let said: Vec<&str> = said.lines().map(without_quote).collect();
    let text = one_line(&without_links(&without_marks(&said.join("\n"))));
    let text = unstruck(&text)
        .replace(EXTERNAL_CLAIM, "")
        .replace(UNVERIFIED_CLAIM, UNVERIFIED_CLAIM.replace('*', "").as_str());
    let text = match stale_in(&text) {
        Some(why) => format!("{} (stale: {why})", without_stale(&text)),
        None => text.clone(),
    };
    // `**Context:** …` is a label of a section and what it says.
    let text = match text.strip_prefix("**").and_then(|rest| rest.split_once(":**")) {
        Some((label, rest)) if !label.contains("**") => rest.trim().to_owned(),
        _ => text,
    };
    let says_something = words(&text).len() > 1 || text.chars().any(crate::words::is_cjk);
    let heading = heading.to_owned();
    says_something.then(|| Citable {
        text,
        lines,
        heading,
        refs: Vec::new(),
        is_superseded: false,
        since: String::new(),
        is_tldr: false,
        is_item: false,
        speaker: String::new(),
    })
}
