//! Documents: what search finds.
//!
//! A page is a document, and so is every entry of the journal and every source. What is known of one comes
//! from its header or its provenance comment; its passages are cut from its text.

use crate::chat::{Message, messages};
use crate::header::{FieldName, read_header};
use crate::journal::{Provenance, parse_journal};
use crate::markdown::{Block, BlockKind, blocks};
use crate::page::outline::LINK_SECTIONS;
use crate::page::{Category, Page};
use crate::path::VaultPath;
use crate::search::cut::cut;
use crate::search::partition::Partition;
use crate::search::scope::Scoped;
use crate::source::day_of;
use crate::span::{LineIndex, Span};
use crate::talk::{Turn, parse_talk};
use crate::text::{cut as cut_text, one_line};
use crate::time::{Date, leading_date};

/// Longest title, in characters.
const TITLE_CHARS_MAX: usize = 200;

/// What is known of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocFacts {
    /// The file it stands in.
    pub path: VaultPath,
    /// Its lines in that file, from 1, both included.
    pub lines: (u32, u32),
    /// What it is called.
    pub title: String,
    /// Whether it is a page or evidence.
    pub partition: Partition,
    /// A page's category.
    pub category: Option<Category>,
    /// A page's slug; empty for evidence.
    pub slug: String,
    /// Its day.
    pub date: Option<Date>,
    /// Code of the trust class of what it was made from: 1 user, 2 agent, 3 external; 0 when none is known.
    pub trust: u8,
    /// The session it came from; empty when none is known, here and below.
    pub session: String,
    /// The agent that took part.
    pub agent: String,
    /// The project it belongs to.
    pub project: String,
}

impl DocFacts {
    /// Takes what a provenance comment says.
    fn vouched_by(&mut self, provenance: &Provenance) {
        let known = |value: &Option<String>| value.clone().unwrap_or_default();
        self.session = known(&provenance.session);
        self.agent = known(&provenance.agent);
        self.project = known(&provenance.project);
        let classes = ["user", "agent", "external"];
        let class = classes.iter().position(|class| provenance.trust.as_deref() == Some(class));
        self.trust = class.map_or(0, |class| class as u8 + 1);
    }

    /// Returns what a scope asks of it.
    pub fn scoped(&self) -> Scoped<'_> {
        Scoped {
            path: self.path.as_str(),
            title: &self.title,
            category: self.category,
            date: self.date,
            project: &self.project,
            session: &self.session,
            agent: &self.agent,
        }
    }
}

/// What is known of a passage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PassageFacts {
    /// Its lines in its file, from 1, both included.
    pub lines: (u32, u32),
    /// The headings above it, outermost first, joined by ` › `.
    pub heading: String,
    /// Who says it in a chat; empty elsewhere.
    pub speaker: String,
}

/// A document with its passages as bytes of its file's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Doc {
    /// What is known of it.
    pub facts: DocFacts,
    /// Other names it goes by.
    pub aliases: Vec<String>,
    /// The words it was given for being found.
    pub triggers: Vec<String>,
    /// The sentence that sums it up.
    pub tldr: String,
    /// The file of talk that it was taken from word for word, as seen from the folder of talk; for an entry of the
    /// journal.
    pub talk: Option<String>,
    /// Its passages.
    pub passages: Vec<(PassageFacts, Span)>,
}

impl Doc {
    /// Returns a document of which nothing is known but its place.
    fn new(path: &VaultPath, partition: Partition) -> Doc {
        let facts = DocFacts {
            path: path.clone(),
            lines: (1, 1),
            title: String::new(),
            partition,
            category: None,
            slug: String::new(),
            date: None,
            trust: 0,
            session: String::new(),
            agent: String::new(),
            project: String::new(),
        };
        Doc { facts, aliases: Vec::new(), triggers: Vec::new(), tldr: String::new(), talk: None, passages: Vec::new() }
    }

    /// Gives it a title.
    pub fn call(&mut self, name: &str) {
        self.facts.title = title(name);
    }

    /// Returns whether it has no title but the name of its file.
    pub fn is_called_after_file(&self) -> bool {
        self.facts.title == title(&file_title(&self.facts.path))
    }

    /// Takes the passages from another form of the file's text; `lines` gives the line in the file, from 1, of
    /// each line of that form.
    pub fn cut_from(&mut self, plain: &str, lines: &[usize]) {
        let whole = Span::new(0, plain.len());
        let known = self.facts.lines;
        let messages = if self.facts.partition == Partition::Evidence { messages(plain, whole) } else { Vec::new() };
        self.cut(plain, &LineIndex::new(plain), (whole, whole), &messages);
        self.facts.lines = known;
        let source = |line: u32| lines.get(line as usize - 1).map_or(line, |line| *line as u32);
        for (facts, _) in &mut self.passages {
            facts.lines = (source(facts.lines.0), source(facts.lines.1));
        }
    }

    fn cut(&mut self, text: &str, lines: &LineIndex, (whole, body): (Span, Span), messages: &[Message]) {
        let place = |span: Span| {
            let last = lines.line_of(span.end.saturating_sub(1).max(span.start));
            (lines.line_of(span.start) as u32, last as u32)
        };
        self.facts.lines = place(whole);
        let passage = |cut: crate::search::cut::Cut| {
            (PassageFacts { lines: place(cut.span), heading: cut.heading, speaker: cut.speaker }, cut.span)
        };
        self.passages = cut(text, body, messages).into_iter().map(passage).collect();
        if self.passages.is_empty() {
            // A page may be all header: it is found by that.
            self.passages.push((
                PassageFacts { lines: self.facts.lines, heading: String::new(), speaker: String::new() },
                Span::new(body.end, body.end),
            ));
        }
    }
}

/// Returns the document that a page is.
pub fn page_doc(page: &Page) -> Doc {
    let mut doc = Doc::new(&page.path, Partition::Pages);
    doc.facts.title = title(&page.title());
    doc.facts.slug = page.slug().to_string();
    doc.facts.category = Some(page.category());
    doc.facts.date = page.header.date(&page.text, FieldName::Updated);
    doc.aliases = page.list(FieldName::Aliases);
    doc.triggers = page.list(FieldName::Triggers);
    doc.tldr = page.scalar(FieldName::Tldr).unwrap_or_default();
    let whole = Span::new(0, page.text.len());
    doc.cut(&page.text, &LineIndex::new(&page.text), (whole, said(page)), &[]);
    doc
}

/// The body of a page; of a compiled page without what only points to other pages.
fn said(page: &Page) -> Span {
    let body = page.body();
    let is_related = |block: &Block| {
        matches!(block.kind, BlockKind::Heading(_)) && LINK_SECTIONS.contains(&block.span.of(&page.text))
    };
    let related = blocks(&page.text, body).find(is_related).filter(|_| page.is_owned());
    let end = related.and_then(|block| page.text[..block.span.start].rfind('\n')).unwrap_or(body.end);
    Span::new(body.start, end.max(body.start))
}

/// Returns the entries of a journal day, each a document.
pub fn journal_docs(path: &VaultPath, text: &str) -> Vec<Doc> {
    let journal = parse_journal(text, leading_date(path.file_name())).value;
    let lines = LineIndex::new(text);
    let doc = |entry: &crate::journal::JournalEntry| {
        let mut doc = Doc::new(path, Partition::Evidence);
        doc.facts.title = title(&entry.title);
        doc.facts.date = journal.date;
        doc.facts.vouched_by(&entry.provenance);
        let talk = entry.provenance.talk.as_deref().filter(|_| entry.provenance.distilled.is_none());
        doc.talk = talk.map(|talk| talk.split('#').next().unwrap_or_default().to_owned());
        doc.cut(text, &lines, (entry.span, entry.body), &[]);
        doc
    };
    journal.entries.iter().map(doc).collect()
}

/// Returns the documents of a session's talk, one a day.
pub fn talk_docs(path: &VaultPath, text: &str) -> Vec<Doc> {
    let talk = parse_talk(text);
    let lines = LineIndex::new(text);
    let days = talk.turns.chunk_by(|a, b| a.at.0 == b.at.0);
    let doc = |turns: &[Turn]| {
        let mut doc = Doc::new(path, Partition::Evidence);
        doc.facts.title = title(&talk.title);
        doc.facts.date = turns.first().map(|turn| turn.at.0);
        doc.facts.vouched_by(&talk.provenance);
        let span = Span::new(turns[0].span.start, turns[turns.len() - 1].span.end);
        doc.cut(text, &lines, (span, span), &[]);
        doc
    };
    days.map(doc).collect()
}

/// Returns the document that a source is; `text` is Markdown or plain text.
pub fn source_doc(path: &VaultPath, text: &str) -> Doc {
    let header = read_header(text).value;
    let mut doc = Doc::new(path, Partition::Evidence);
    let body = Span::new(header.block.end, text.len());
    let first = blocks(text, body)
        .find(|block| matches!(block.kind, BlockKind::Heading(_)))
        .map(|block| block.span.of(text).to_owned());
    doc.facts.title = title(&header.scalar(text, FieldName::Title).or(first).unwrap_or_else(|| file_title(path)));
    doc.facts.date = day_of(&header, text, path);
    doc.cut(text, &LineIndex::new(text), (Span::new(0, text.len()), body), &messages(text, body));
    doc
}

/// What a document is called that says nothing of it.
fn file_title(path: &VaultPath) -> String {
    path.stem().replace(['-', '_'], " ")
}

fn title(text: &str) -> String {
    cut_text(&one_line(text), TITLE_CHARS_MAX)
}
