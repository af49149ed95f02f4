//! Reads a document block by block: which passages there are, and what each stands below.

use ken_core::markdown::{Block, BlockKind};
use ken_core::text::{cut, leans_back, one_line, sentences};
use ken_core::{Span, VaultPath};

use super::shape::{
    self, DefinedPlaces, Labels, as_read, defined_labels, defined_places, fenced, is_directive, plain_heading, relinked,
};
use super::{Found, groups};
use crate::alone::{announces, announces_at_end, is_remark, points_back};
use crate::passage::{PassageKind, Places};
use crate::score;

/// Longest code and table that a passage takes along, in characters; of a longer table the first rows.
const CODE_CHARS_MAX: usize = 1_200;
const TABLE_CHARS_MAX: usize = 1_500;
/// Longest name of a section that stands before its code, in characters.
const NAME_CHARS_MAX: usize = 120;
/// Most words of a paragraph that only ends what stands before a list.
const END_WORDS_MAX: usize = 4;
/// Longest paragraph whose links are read, in bytes.
const SHOWN_BYTES_MAX: usize = 16_384;
/// Longest passage in characters; longer ones are data.
const PASSAGE_CHARS_MAX: usize = 700;
/// Longest sentence in bytes to which one is added that points at it: a list item of more is hard to take in.
const POINTED_BYTES_MAX: usize = 240;

/// Reads blocks one after the other.
pub(super) struct Reader<'a> {
    path: &'a VaultPath,
    title: &'a str,
    text: &'a str,
    places: &'a Places<'a>,
    /// Level and text of the headings that are open.
    sections: Vec<(u8, String)>,
    /// The labels whose places the document gives on lines of their own.
    labels: Labels,
    /// These places, each with the line that says it.
    defined: DefinedPlaces,
    /// The line of the last heading.
    heading_line: usize,
    /// The last line of the last paragraph or item.
    said_line: usize,
    /// The numbered lists that are open, the outermost first: how far each is indented, and its last number.
    numbered: Vec<(usize, u32)>,
    out: Vec<Found>,
    /// The passages that lead in what comes next, the outermost first, or else the few words that do, with their lines.
    leads: Vec<usize>,
    label: Option<(String, (usize, usize))>,
    /// The question that was asked last, with its lines: what answers it says little without it.
    asked: Option<(String, (usize, usize))>,
    /// Whether what was said last is left out: what points back at it is left out, too.
    is_broken: bool,
    /// The items that are open, the outermost first.
    items: Vec<usize>,
    /// The table or unfenced code that is open.
    open: Option<(BlockKind, Span)>,
    /// Whether what is indented below a directive is prose.
    is_admonition: bool,
    /// Whether nothing is left out, however long it is.
    pub(super) is_whole: bool,
}

impl<'a> Reader<'a> {
    pub(super) fn new(path: &'a VaultPath, title: &'a str, text: &'a str, places: &'a Places<'a>) -> Reader<'a> {
        let (sections, out, labels) = (Vec::new(), Vec::new(), defined_labels(text));
        Reader {
            labels,
            defined: defined_places(text),
            path,
            title,
            text,
            places,
            sections,
            heading_line: 1,
            said_line: 0,
            numbered: Vec::new(),
            out,
            leads: Vec::new(),
            label: None,
            asked: None,
            is_broken: false,
            items: Vec::new(),
            open: None,
            is_admonition: false,
            is_whole: false,
        }
    }

    pub(super) fn ended(mut self) -> Vec<Found> {
        self.close();
        self.out
    }

    pub(super) fn block(&mut self, block: &Block) {
        let raw = block.span.of(self.text);
        let is_fenced = raw.starts_with("```") || raw.starts_with("~~~");
        let goes_on = match (block.kind, &mut self.open) {
            (BlockKind::Row, Some((BlockKind::Row, open))) => Some(open),
            (BlockKind::Code, Some((BlockKind::Code, open))) if !is_fenced => Some(open),
            _ => None,
        };
        if let Some(open) = goes_on {
            open.end = block.span.end;
            return;
        }
        self.close();
        match block.kind {
            BlockKind::Heading(level) => {
                self.heading_line = self.places.lines_of(block.span).0;
                self.heading(level, raw);
            }
            BlockKind::Paragraph => match shape::tab(block.span.of(self.text)) {
                Some(name) => self.tab(name, self.places.lines_of(block.span)),
                None => self.paragraph(block.span),
            },
            BlockKind::Item => {
                self.said_line = self.places.lines_of(block.span).1;
                self.item(block);
            }
            BlockKind::Code if is_fenced => self.code(block.span),
            BlockKind::Code | BlockKind::Row => self.open = Some((block.kind, block.span)),
            BlockKind::Comment | BlockKind::Footnote => {}
        }
    }

    /// Ends the table or unfenced code that is open.
    fn close(&mut self) {
        match self.open.take() {
            Some((BlockKind::Row, span)) => self.table(span),
            Some((_, span)) if self.is_admonition => self.paragraph(span),
            Some((_, span)) => self.code(span),
            None => {}
        }
    }

    fn heading(&mut self, level: u8, raw: &str) {
        (self.label, self.is_admonition) = (None, false);
        (self.asked, self.is_broken) = (None, false);
        self.leads.clear();
        self.numbered.clear();
        self.items.clear();
        let name = plain_heading(raw);
        self.sections.retain(|(above, _)| *above < level);
        let is_title = level == 1 && self.sections.is_empty() && name == self.title;
        if !name.is_empty() && !is_title {
            self.sections.push((level, name));
        }
    }

    fn paragraph(&mut self, span: Span) {
        let raw = span.of(self.text);
        // What is not indented stands below no list any more.
        let indent = self.places.indent_of(span);
        self.numbered.retain(|(open, _)| *open < indent);
        self.items.retain(|open| self.out[*open].indent < indent);
        // What has its list already leads in no paragraph behind it.
        let is_free =
            |n: &usize| self.out[*n].blocks.is_empty() && self.out.iter().skip(*n).all(|one| one.lead != Some(*n));
        let first = self.out.len();
        let of_item = self.items.last().copied().filter(|_| indent > 0);
        // What stands in an item ends no list around it.
        let lead = self.leads.last().copied().filter(|lead| self.out[*lead].indent >= indent).filter(is_free);
        let ended = self.leads.iter().rposition(|lead| self.out[*lead].indent < indent).map_or(0, |last| last + 1);
        self.leads.truncate(if of_item.is_some() { ended } else { 0 });
        let is_admonition = self.is_admonition;
        self.is_admonition = raw.lines().any(|line| is_directive(line.trim()));
        let text = self.shown(&said_lines(raw));
        if shape::is_taken_in(raw) {
            self.cut_off();
        }
        let mut lines = self.places.lines_of(span);
        let said_line = std::mem::replace(&mut self.said_line, lines.1);
        // What answers a question that stands by itself takes it along.
        let mut last = self.asked.take().filter(|_| points_back(&text)).map(|(asked, asked_lines)| {
            lines.0 = asked_lines.0;
            asked
        });
        for sentence in sentences(&text).into_iter().map(|sentence| sentence.of(&text)) {
            match &mut last {
                Some(open) if goes_on(open, sentence) => {
                    open.push(' ');
                    open.push_str(sentence);
                }
                _ => {
                    if let Some(done) = last.replace(sentence.to_owned()) {
                        self.add(done, lines, PassageKind::Statement);
                    }
                }
            }
        }
        self.is_admonition |= is_admonition && last.is_some();
        if let Some(done) = last {
            self.asked = Some((done.clone(), lines)).filter(|(asked, _)| asked.ends_with('?') && !self.is_whole);
            let n = self.add(done, lines, PassageKind::Statement);
            if let Some(n) = n.filter(|n| self.out[*n].leads_in) {
                self.out[n].indent = indent;
                self.leads.push(n);
            }
        }
        // Below `For example:` stands what the sentence before it says; `One-time setup:` says it by itself.
        self.label = None;
        if self.out.len() == first && leads_in(&text) {
            if points_back(&text) {
                self.said_line = said_line;
            } else {
                self.label = Some((text, lines));
            }
        }
        // What stands below `The order is:` may be a paragraph, too, and so may a part of an item.
        if let Some(first) = self.out.get_mut(first) {
            first.lead = lead;
        }
        for one in &mut self.out[first..] {
            (one.lead, one.indent) = (one.lead.or(of_item), indent);
        }
    }

    /// Begins a tab: what stands in it is told with its name.
    fn tab(&mut self, name: &str, lines: (usize, usize)) {
        self.said_line = lines.1;
        self.label = Some((format!("{}:", self.shown(name)), lines));
    }

    /// A text as it stands on a page; what is longer than any that stands on one is left alone.
    fn shown(&self, text: &str) -> String {
        if text.len() > SHOWN_BYTES_MAX && !self.is_whole {
            return text.to_owned();
        }
        as_read(&relinked(text, self.path, &self.labels), &self.labels)
    }

    fn item(&mut self, block: &Block) {
        let lines = self.places.lines_of(block.span);
        let raw = one_line(block.span.of(self.text));
        let inner = shape::without_marker(&raw);
        let text = self.shown(inner);
        let kind = if block.is_open_task { PassageKind::Action } else { PassageKind::Statement };
        let indent = self.places.indent_of(block.span);
        self.items.retain(|open| self.out[*open].indent < indent);
        // A number before a list (`2. * Stir.`) numbers the list, not its first item.
        let step = self.step(block).filter(|_| inner.len() == raw.len());
        // The few words above a list say what it is of.
        if let Some((label, lines)) = self.label.take() {
            self.leads = self.push(label, lines, PassageKind::Statement).into_iter().collect();
        }
        self.leads.retain(|lead| self.out[*lead].indent <= indent);
        if self.leads.is_empty() {
            self.leads = self.announced(lines.0).into_iter().collect();
        }
        // Of the two it is of the nearer one.
        let lead = self.items.last().max(self.leads.last()).copied();
        // A bare address says nothing of what is there.
        if shape::is_address(&text) && step.is_none() && !self.is_whole {
            return self.cut_off();
        }
        // An item stays whatever it says: what comes after it builds on it, and what stands below it is of it.
        let is_long = !self.is_whole && text.chars().count() > PASSAGE_CHARS_MAX;
        let text = if is_long { cut(&groups::first_sentence(&text), PASSAGE_CHARS_MAX) } else { text };
        if let Some(n) = self.push(text, lines, kind) {
            let one = &mut self.out[n];
            (one.lead, one.is_item, one.indent, one.step) = (lead, true, indent, step);
            self.items.push(n);
        }
    }

    /// The sentence that says that the list on a line comes, if nothing stands between them: `The following are kept.`
    fn announced(&mut self, line: usize) -> Option<usize> {
        let n = self.out.len().checked_sub(1).filter(|_| self.items.is_empty())?;
        let before = &mut self.out[n];
        let is_near =
            before.sections.iter().eq(self.sections.iter().map(|(_, name)| name)) && before.lines.1 + 2 >= line;
        let is_lead = !before.is_item && is_near && before.blocks.is_empty() && announces(&before.text);
        before.leads_in |= is_lead;
        is_lead.then_some(n)
    }

    /// The number of an item in its numbered list, of which each item may be written as the first.
    fn step(&mut self, block: &Block) -> Option<u32> {
        let indent = self.places.indent_of(block.span);
        self.numbered.retain(|(open, _)| *open <= indent);
        let before = self.numbered.pop_if(|(open, _)| *open == indent).map(|(_, number)| number);
        let written = shape::number_before(self.text, block.span.start)?;
        let number = before.filter(|_| written == 1).map_or(written, |before| before + 1);
        self.numbered.push((indent, number));
        Some(number)
    }

    fn code(&mut self, span: Span) {
        let block = fenced(span.of(self.text), self.places.indent_of(span));
        let block = if block.chars().count() > CODE_CHARS_MAX && !self.is_whole { String::new() } else { block };
        self.put_below(block, self.places.lines_of(span));
    }

    fn table(&mut self, span: Span) {
        let lines = self.places.lines_of(span);
        let mut block = String::new();
        for row in self.places.cited(lines).lines() {
            if block.chars().count() + row.chars().count() > TABLE_CHARS_MAX && !self.is_whole {
                break;
            }
            block.push_str(&self.shown(row.trim()));
            block.push('\n');
        }
        let is_all = block.lines().count() == self.places.cited(lines).lines().count();
        let block = if block.lines().count() > 2 { block } else { String::new() };
        self.put_below(block, lines);
        if !is_all {
            self.cut_off();
        }
    }

    /// Puts code or a table below what leads it in: the sentence before it, else its heading.
    fn put_below(&mut self, block: String, lines: (usize, usize)) {
        if block.is_empty() {
            return self.cut_off();
        }
        self.is_broken = false;
        let sections = self.path_of_sections();
        // Not below a sentence when what stands between them is left out.
        let said_line = self.said_line;
        let is_before = |found: &Found| found.sections == sections && (said_line..lines.0).contains(&found.lines.1);
        let near = self.out.len().checked_sub(1).filter(|n| is_before(&self.out[*n]));
        // What stands in a list is of its item.
        let item = near.filter(|n| self.out[*n].is_item || self.out[*n].leads_in);
        let lead = self.leads.last().copied().filter(|n| self.out[*n].blocks.is_empty());
        let n = item.or(lead).or(near);
        let n = n.or_else(|| {
            let name = sections.last().cloned().unwrap_or_else(|| self.title.to_owned());
            // A table says below its heading what it is of, and so does code.
            let code = || shape::before_code(&cut(&name, NAME_CHARS_MAX), self.title);
            let name = if block.starts_with('|') { name } else { code() };
            let (name, first) = match self.label.take() {
                Some((label, said)) if said.1 >= said_line => (label, said.0),
                _ => (name, self.heading_line),
            };
            self.out.push(self.found(name, (first, lines.1), PassageKind::Statement));
            Some(self.out.len() - 1)
        });
        if let Some(found) = n.and_then(|n| self.out.get_mut(n)) {
            found.score = found.score.max(if block.starts_with('|') { 2.2 } else { 2.6 });
            found.lines = (found.lines.0, found.lines.1.max(lines.1));
            found.blocks.push(block);
        }
    }

    /// Notes that what comes now stands on no page.
    fn cut_off(&mut self) {
        self.is_broken = true;
        self.out.last_mut().into_iter().for_each(|last| last.is_cut_off = true);
    }

    fn path_of_sections(&self) -> Vec<String> {
        self.sections.iter().map(|(_, name)| name.clone()).collect()
    }

    fn found(&self, text: String, lines: (usize, usize), kind: PassageKind) -> Found {
        let (sections, blocks) = (self.path_of_sections(), Vec::new());
        Found {
            text,
            lines,
            kind,
            sections,
            lead: None,
            blocks,
            is_item: false,
            indent: 0,
            step: None,
            leads_in: false,
            is_cut_off: false,
            score: 0.0,
        }
    }

    fn add(&mut self, text: String, lines: (usize, usize), kind: PassageKind) -> Option<usize> {
        // Below what leads it in an item may be one word: `- Linux`.
        let is_short = text.split(' ').count() < 3 && self.leads.is_empty() && !self.is_whole;
        let (text, lines) = self.named(text, lines);
        // What goes on behind a list in a few small letters ends its lead-in: `… at your option.`
        let is_end = text.starts_with(char::is_lowercase) && text.split(' ').count() <= END_WORDS_MAX;
        let is_of_it = is_end || self.is_broken && points_back(&text);
        if !self.is_whole && (is_of_it || is_left_out(&text)) {
            self.is_broken = true;
            return None;
        }
        if is_short {
            return None;
        }
        self.push(text, lines, kind)
    }

    /// A text that says nothing but where something is, with what it is: its section. It is cited by the line that says
    /// where that is.
    fn named(&self, text: String, lines: (usize, usize)) -> (String, (usize, usize)) {
        let name = self.sections.last().map_or(self.title, |(_, name)| name.as_str()).replace(['[', ']'], "");
        let is_named = !self.is_whole && !name.is_empty() && text.len() <= SHOWN_BYTES_MAX;
        let Some(places) = Some(&text).filter(|_| is_named).and_then(|text| shape::pointed_at(text)) else {
            return (text, lines);
        };
        let Some((place, (line, label))) = places.iter().find_map(|place| self.defined.get_key_value(place)) else {
            let all: Vec<String> = places.iter().map(|place| format!("[{name}]({place})")).collect();
            return (all.join(", "), (self.heading_line, lines.1));
        };
        // What that line calls it, it can be cited for.
        let label = if label.contains(char::is_alphabetic) { label } else { &name };
        (format!("[{label}]({place})"), (*line, *line))
    }

    fn push(&mut self, text: String, lines: (usize, usize), kind: PassageKind) -> Option<usize> {
        // A line that says where a label leads is cited for nothing but that.
        let may_link = !self.is_whole && text.len() <= SHOWN_BYTES_MAX && text.contains("](");
        let is_linked = may_link && !shape::is_definition(self.places.cited(lines).trim());
        let text = if is_linked { shape::without_defined(&text, &self.defined) } else { text };
        if text.chars().count() > PASSAGE_CHARS_MAX && !self.is_whole {
            self.cut_off();
            return None;
        }
        let mut found = self.found(text, lines, kind);
        self.is_broken = false;
        let is_first = self.out.last().is_none_or(|last| last.sections != found.sections);
        if is_first && shape::is_contents(found.sections.last().map_or("", String::as_str)) {
            return None;
        }
        found.score = score::score(&found.text, is_first);
        found.leads_in = leads_in(&found.text) || announces_at_end(&found.text);
        self.out.push(found);
        Some(self.out.len() - 1)
    }
}

/// Whether a sentence stands with the text before it: what points there says nothing alone, and so does what answers a
/// question.
fn goes_on(open: &str, sentence: &str) -> bool {
    let is_short = || open.len() <= POINTED_BYTES_MAX && sentences(open).len() == 1;
    let fits = || is_short() && !is_left_out(sentence) && !leads_in(sentence);
    leans_back(sentence) || points_back(sentence) && (open.ends_with('?') || fits())
}

/// Whether a text says nothing that a page could tell.
fn is_left_out(text: &str) -> bool {
    shape::is_placeholder(text) || score::is_left_out(text) || is_remark(text)
}

/// Whether a text says nothing without what comes next: `Install it with:`, `**Build systems:**`.
fn leads_in(text: &str) -> bool {
    text.trim_end_matches(['*', '_']).ends_with(':')
}

/// The text of a paragraph: what a template engine is told, which may stand on several lines, and what links by label
/// mean is none of it.
fn said_lines(raw: &str) -> String {
    let mut is_directed = false;
    let said = |line: &&str| {
        let is_inside = is_directed || line.starts_with("{%");
        is_directed = is_inside && !line.ends_with("%}");
        !is_inside && !line.is_empty() && !is_directive(line) && !shape::is_definition(line)
    };
    let lines = raw.lines().map(|line| line.trim().trim_start_matches('>').trim()).filter(said);
    one_line(&lines.collect::<Vec<_>>().join(" "))
}
