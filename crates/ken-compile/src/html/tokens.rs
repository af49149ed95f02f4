//! The tags and texts of an HTML document, each with the line it stands on.
//!
//! The tokenizer follows the standard, so that values, comments, scripts and character references end where they
//! end in a browser. What is no prose (scripts, styles, drawings, frames) is left out here with all that it holds.
//! Elements that make no difference to a text are none here. Nothing recurses, and every pass is linear.

use std::collections::BTreeMap;
use std::convert::Infallible;

use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{Error, Span, Tokenizer};
use ken_core::span::LineIndex;
use memchr::memchr_iter;

/// How often reading goes on behind a tag whose quote nobody closes.
const RESTARTS_MAX: usize = 16;

/// What an element makes of its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Element {
    /// A heading and its level.
    Heading(u8),
    /// Text that stands by itself.
    Block,
    List,
    NumberedList,
    Item,
    /// A list of terms, a term, and what it means.
    Terms,
    Term,
    Meaning,
    Table,
    Row,
    Cell,
    HeadCell,
    Preformatted,
    Code,
    Link,
    Image,
    LineBreak,
    /// Digits above the line.
    Raised,
    Quoted,
    Title,
    /// Nothing that is read; the position in [`DROPPED`].
    Dropped(usize),
}

/// What is not prose, whatever stands in it; of the first [`N_RAW`] no tag is one.
const DROPPED: &[&str] = &[
    "script", "style", "iframe", "noembed", "noscript", "textarea", "noframes", "object", "template", "svg", "math",
    "select", "audio", "video", "canvas",
];
const N_RAW: usize = 6;

/// Elements that begin and end a text of its own, and say nothing else.
const BLOCKS: &[&str] = &[
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "caption",
    "center",
    "details",
    "dialog",
    "div",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "header",
    "hgroup",
    "hr",
    "html",
    "legend",
    "main",
    "nav",
    "p",
    "search",
    "section",
    "summary",
    "tbody",
    "tfoot",
    "thead",
];

impl Element {
    fn of(name: &[u8]) -> Option<Element> {
        let element = match name {
            [b'h', level @ b'1'..=b'6'] => Element::Heading(level - b'0'),
            b"ul" | b"menu" | b"dir" => Element::List,
            b"ol" => Element::NumberedList,
            b"li" => Element::Item,
            b"dl" => Element::Terms,
            b"dt" => Element::Term,
            b"dd" => Element::Meaning,
            b"table" => Element::Table,
            b"tr" => Element::Row,
            b"td" => Element::Cell,
            b"th" => Element::HeadCell,
            b"pre" | b"listing" | b"xmp" => Element::Preformatted,
            b"code" | b"kbd" | b"samp" | b"tt" => Element::Code,
            b"a" => Element::Link,
            b"img" => Element::Image,
            b"br" => Element::LineBreak,
            b"sup" => Element::Raised,
            b"q" => Element::Quoted,
            b"title" => Element::Title,
            _ => {
                let is_it = |known: &&str| known.as_bytes() == name;
                let dropped = DROPPED.iter().position(&is_it).map(Element::Dropped);
                return dropped.or_else(|| BLOCKS.iter().any(is_it).then_some(Element::Block));
            }
        };
        Some(element)
    }
}

/// The values of a tag that are read.
#[derive(Debug, Default)]
pub(super) struct Values {
    /// Where a link or an image leads.
    pub(super) address: Option<String>,
    /// What an image shows.
    pub(super) description: Option<String>,
    /// The language of code, as a class says it.
    pub(super) language: Option<String>,
    /// The first number of a list.
    pub(super) start: Option<u32>,
    pub(super) n_columns: Option<usize>,
    pub(super) n_rows: Option<usize>,
}

impl Values {
    fn put(&mut self, name: &[u8], value: &[u8]) {
        let text = || String::from_utf8_lossy(value).trim().to_owned();
        // Of two values of one name the first counts.
        match name {
            b"href" | b"src" if self.address.is_none() => self.address = Some(text()),
            b"alt" if self.description.is_none() => self.description = Some(text()),
            b"class" if self.language.is_none() => self.language = language(&text()),
            b"start" => self.start = self.start.or(text().parse().ok()),
            b"colspan" => self.n_columns = self.n_columns.or(text().parse().ok()),
            b"rowspan" => self.n_rows = self.n_rows.or(text().parse().ok()),
            _ => {}
        }
    }
}

/// The language of code that a class names: `language-rust`, `lang-rust`, `highlight-source-rust`.
fn language(class: &str) -> Option<String> {
    let marks = ["language-", "lang-", "highlight-source-", "highlight-"];
    let name = class.split_whitespace().find_map(|word| marks.iter().find_map(|mark| word.strip_prefix(mark)))?;
    let is_name = !name.is_empty() && name.chars().all(|ch| ch.is_ascii_alphanumeric() || "+#-_.".contains(ch));
    is_name.then(|| name.to_owned())
}

/// What stands next in a document.
#[derive(Debug)]
pub(super) enum Token {
    /// Text with its character references decoded.
    Text(String),
    Open(Element, Box<Values>),
    Close(Element),
}

/// Returns the tokens of a document, each with its line, from 1.
pub(super) fn tokens(html: &str) -> Vec<(usize, Token)> {
    let lines = LineIndex::new(html);
    let mut out = Vec::new();
    let mut from = 0;
    for n in 0..=RESTARTS_MAX {
        let Some(lost) = read(html, from, &lines, &mut out).filter(|_| n < RESTARTS_MAX) else { break };
        // A quote that nobody closes is none: its tag ends where a tag may.
        let Some(end) = html[lost..].find('>') else { break };
        from = lost + end + 1;
    }
    without_dropped(out)
}

/// Reads on from a place; returns where the tag begins in which the text ends.
fn read(html: &str, from: usize, lines: &LineIndex, out: &mut Vec<(usize, Token)>) -> Option<usize> {
    let mut tag: Option<(usize, Option<Element>, Values)> = None;
    let mut name = Vec::new();
    let (mut end, mut is_cut) = (from, false);
    let mut emitter = CallbackEmitter::new(|event: CallbackEvent<'_>, span: Span<usize>| {
        let (line, mut seen) = (|at: usize| lines.line_of((from + at).min(html.len())), from + span.end);
        match event {
            CallbackEvent::String { value } => {
                let text = String::from_utf8_lossy(value).into_owned();
                let (first, last) = (line(span.start), line(span.end));
                if memchr_iter(b'\n', text.as_bytes()).count() == last - first {
                    out.push((first, Token::Text(text)));
                } else {
                    // A line end that is written as a reference ends no line of the source.
                    let pieces = text.split_inclusive('\n').enumerate();
                    out.extend(pieces.map(|(n, piece)| ((first + n).min(last), Token::Text(piece.to_owned()))));
                }
            }
            CallbackEvent::OpenStartTag { name } => {
                // What follows belongs to it, unless the text ends there.
                seen = from + span.start;
                tag = Some((line(span.start), Element::of(name), Values::default()));
            }
            CallbackEvent::AttributeName { name: key } => {
                (name, seen) = (key.to_vec(), end);
            }
            CallbackEvent::AttributeValue { value } => {
                seen = end;
                if let Some((_, Some(_), values)) = &mut tag {
                    values.put(&name, value);
                }
            }
            CallbackEvent::CloseStartTag { self_closing } => {
                if let Some((line, Some(element), values)) = tag.take() {
                    let is_empty = self_closing && matches!(element, Element::Dropped(N_RAW..));
                    out.extend((!is_empty).then(|| (line, Token::Open(element, Box::new(values)))));
                }
            }
            CallbackEvent::EndTag { name } => {
                out.extend(Element::of(name).map(|element| (line(span.start), Token::Close(element))));
            }
            CallbackEvent::Error(error) => {
                is_cut |= error == Error::EofInTag;
                seen = end;
            }
            CallbackEvent::Comment { .. } | CallbackEvent::Doctype { .. } => {}
        }
        end = seen;
        None::<Infallible>
    });
    emitter.naively_switch_states(true);
    let Ok(()) = Tokenizer::new_with_emitter(&html[from..], emitter).finish();
    if is_cut && let Some((line, Some(element), values)) = tag.filter(|(_, element, _)| !is_dropped(*element)) {
        out.push((line, Token::Open(element, Box::new(values))));
    }
    is_cut.then_some(end)
}

fn is_dropped(element: Option<Element>) -> bool {
    matches!(element, Some(Element::Dropped(_)))
}

/// The tokens without what is no prose; what nobody closes holds nothing but its raw text.
fn without_dropped(tokens: Vec<(usize, Token)>) -> Vec<(usize, Token)> {
    let mut open: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let mut ends = BTreeMap::new();
    for (n, (_, token)) in tokens.iter().enumerate() {
        match token {
            Token::Open(Element::Dropped(kind), _) => open.entry(*kind).or_default().push(n),
            Token::Close(Element::Dropped(kind)) => {
                if let Some(start) = open.get_mut(kind).and_then(Vec::pop) {
                    ends.insert(start, n);
                }
            }
            _ => {}
        }
    }
    let mut until = 0;
    let mut out = Vec::with_capacity(tokens.len());
    for (n, (line, token)) in tokens.into_iter().enumerate() {
        match token {
            _ if n < until => {}
            Token::Open(Element::Dropped(kind), _) => {
                until = ends.get(&n).map_or(n + 1 + usize::from(kind < N_RAW), |end| end + 1);
            }
            Token::Close(Element::Dropped(_)) => {}
            token => out.push((line, token)),
        }
    }
    out
}
