//! Markdown as units of prose: paragraphs, list items, table rows.
//!
//! Code blocks are dropped, headings become the context of what stands below them, bold marks go and
//! inline code stays. Units are not yet sentences.

use std::sync::OnceLock;

use regex::Regex;

/// What a unit of text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A heading, or a line that is bold as a whole.
    Heading,
    /// Running text.
    Prose,
    /// An item of a list.
    Item,
    /// An item with an open check box.
    OpenItem,
    /// A row of a table.
    Row,
}

/// A unit of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unit {
    pub(super) kind: Kind,
    pub(super) text: String,
    /// The heading or the introducing line (`Next steps:`) that it stands under.
    pub(super) under: String,
}

/// Returns the units of a text.
pub(super) fn units(text: &str) -> Vec<Unit> {
    let mut reader = Reader::default();
    let mut fence: Option<&str> = None;
    for line in text.lines() {
        let bare = line.trim();
        let mark = ["```", "~~~"].into_iter().find(|mark| bare.starts_with(mark));
        match (fence, mark) {
            (Some(open), _) => {
                if bare.starts_with(open) && bare.trim_matches(['`', '~']).is_empty() {
                    fence = None;
                }
            }
            (None, Some(mark)) => {
                reader.close();
                fence = Some(mark);
            }
            (None, None) => reader.line(line, bare),
        }
    }
    reader.close();
    reader.units
}

#[derive(Default)]
struct Reader {
    units: Vec<Unit>,
    open: Option<Unit>,
    under: String,
    /// Whether `under` is a heading, which lasts, or an introducing line, which lasts for its list.
    is_lasting: bool,
    /// Rows seen of the table that is being read.
    n_rows: usize,
}

impl Reader {
    fn line(&mut self, line: &str, bare: &str) {
        let bare = bare.trim_start_matches(['>', ' ']);
        if !bare.starts_with('|') {
            self.n_rows = 0;
        }
        if bare.is_empty() || is_rule(bare) {
            self.close();
        } else if let Some(words) = heading(bare) {
            self.close();
            self.under = plain(words);
            self.is_lasting = true;
            self.push(Kind::Heading, &self.under.clone());
        } else if bare.starts_with('|') {
            self.row(bare);
        } else if let Some((kind, rest)) = item(bare) {
            self.close();
            self.start(kind, rest);
        } else if line.starts_with([' ', '\t']) && self.open.is_none() && !self.under.is_empty() {
            self.start(Kind::Prose, bare);
        } else if let Some(open) = &mut self.open {
            open.text.push(' ');
            open.text.push_str(&plain(bare));
        } else {
            self.start(Kind::Prose, bare);
        }
    }

    fn row(&mut self, bare: &str) {
        self.close();
        self.n_rows += 1;
        // The first row names the columns, the second is the line below it.
        if self.n_rows > 2 {
            let cells: Vec<&str> =
                bare.trim_matches('|').split('|').map(str::trim).filter(|cell| !cell.is_empty()).collect();
            self.push(Kind::Row, &plain(&cells.join(" | ")));
        }
    }

    fn start(&mut self, kind: Kind, text: &str) {
        if kind == Kind::Prose && !self.is_lasting {
            self.under.clear();
        }
        self.open = Some(Unit { kind, text: plain(text), under: self.under.clone() });
    }

    fn push(&mut self, kind: Kind, text: &str) {
        self.units.push(Unit { kind, text: text.to_owned(), under: self.under.clone() });
    }

    fn close(&mut self) {
        let Some(unit) = self.open.take().filter(|unit| !unit.text.trim().is_empty()) else { return };
        if unit.kind == Kind::Prose && unit.text.ends_with(':') && unit.text.len() <= 60 {
            self.under.clone_from(&unit.text);
            self.is_lasting = false;
        }
        self.units.push(unit);
    }
}

fn is_rule(bare: &str) -> bool {
    bare.len() >= 3 && bare.chars().all(|ch| matches!(ch, '-' | '*' | '_' | '='))
}

/// Returns a heading's words: after hashes, or all in bold.
fn heading(bare: &str) -> Option<&str> {
    let hashes = bare.len() - bare.trim_start_matches('#').len();
    if (1..=6).contains(&hashes) && bare[hashes..].starts_with(' ') {
        return Some(bare[hashes..].trim().trim_end_matches(['#', ' ', ':']));
    }
    let inner = bare.strip_prefix("**")?;
    let inner = inner.strip_suffix("**").or_else(|| inner.strip_suffix("**:"))?;
    (!inner.contains("**") && inner.len() <= 80).then_some(inner.trim_end_matches(':'))
}

fn item(bare: &str) -> Option<(Kind, &str)> {
    let digits = bare.len() - bare.trim_start_matches(|ch: char| ch.is_ascii_digit()).len();
    let rest = if (1..=3).contains(&digits) {
        bare[digits..].strip_prefix(['.', ')'])?.strip_prefix(' ')?
    } else {
        ["- ", "* ", "+ ", "• "].iter().find_map(|mark| bare.strip_prefix(mark))?
    };
    let rest = rest.trim_start();
    if let Some(rest) = rest.strip_prefix("[ ] ") {
        return Some((Kind::OpenItem, rest));
    }
    Some((Kind::Item, ["[x] ", "[X] "].iter().find_map(|mark| rest.strip_prefix(mark)).unwrap_or(rest)))
}

/// Returns text without bold marks, link targets and leading pictures; inline code is kept as it is.
fn plain(text: &str) -> String {
    let text = text.trim_start_matches(|ch: char| is_picture(ch) || ch.is_whitespace());
    let mut out = String::with_capacity(text.len());
    for (at, part) in text.split('`').enumerate() {
        if at > 0 {
            out.push('`');
        }
        // Every second part stands between backticks.
        if at % 2 == 1 {
            out.push_str(part);
        } else {
            out.push_str(&link_target().replace_all(&part.replace("**", ""), "$1"));
        }
    }
    out
}

/// A link whose words are worth more than its target.
fn link_target() -> &'static Regex {
    static LINK: OnceLock<Regex> = OnceLock::new();
    LINK.get_or_init(|| Regex::new(r"\[([^\[\]]+)\]\([^()\s]+\)").expect("a constant"))
}

/// Pictures that decorate; crosses and warning signs carry meaning and stay.
fn is_picture(ch: char) -> bool {
    let decorates = matches!(ch, '\u{1f300}'..='\u{1faff}' | '\u{2600}'..='\u{27bf}' | '\u{fe0f}' | '\u{2b50}');
    decorates && !matches!(ch, '\u{274c}' | '\u{26a0}')
}
