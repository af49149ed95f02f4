//! Markdown as units of prose: paragraphs, list items, table rows.
//!
//! Of code blocks only a few lines for a shell stay, headings become the context of what stands below them, bold
//! marks go and inline code stays. Units are not yet sentences, and what leads to a list is not yet joined to it.

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
    /// The names of a table's columns.
    Columns,
    /// A row of a table.
    Row,
    /// A block of code: its lines as inline code if a shell runs them, else nothing.
    Code,
}

/// A unit of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unit {
    pub(super) kind: Kind,
    pub(super) text: String,
    /// The heading or the introducing line (`Next steps:`) that it stands under.
    pub(super) under: String,
    /// Of an item: what it is counted by. `2` of `2. Use a cache`; empty otherwise.
    pub(super) mark: String,
    /// How deep it stands: of a heading its level, of an item the columns before it.
    pub(super) depth: usize,
}

/// Most lines of code that are taken for commands to be run.
const COMMANDS_MAX: usize = 3;
/// What stands between the cells of a row in its text.
pub(super) const CELL_END: &str = " | ";

/// Returns the units of a text.
pub(super) fn units(text: &str) -> Vec<Unit> {
    let mut reader = Reader::default();
    let mut fence: Option<&str> = None;
    let mut code: Vec<&str> = Vec::new();
    for line in text.lines() {
        let bare = line.trim();
        let mark = ["```", "~~~"].into_iter().find(|mark| bare.starts_with(mark));
        match (fence, mark) {
            (Some(open), _) => {
                if bare.starts_with(open) && bare.trim_matches(['`', '~']).is_empty() {
                    fence = None;
                    let language = code.first().copied().unwrap_or_default();
                    reader.push(Kind::Code, &commands(language, code.get(1..).unwrap_or_default()));
                } else {
                    code.push(bare);
                }
            }
            (None, Some(mark)) => {
                reader.close();
                fence = Some(mark);
                code = vec![bare.trim_start_matches(mark)];
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
    /// How deep the heading or item stands that was seen last.
    depth: usize,
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
            self.depth = level(bare);
            self.push(Kind::Heading, &self.under.clone());
        } else if bare.starts_with('|') {
            self.row(bare);
        } else if let Some((kind, mark, rest)) = item(bare) {
            self.close();
            self.depth = line.len() - line.trim_start().len();
            self.start(kind, rest);
            self.open.iter_mut().for_each(|open| mark.clone_into(&mut open.mark));
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
        if self.n_rows != 2 {
            let bare = bare.strip_prefix('|').unwrap_or(bare);
            let cells: Vec<String> =
                bare.strip_suffix('|').unwrap_or(bare).split('|').map(|cell| plain(cell.trim())).collect();
            let kind = if self.n_rows == 1 { Kind::Columns } else { Kind::Row };
            self.push(kind, &cells.join(CELL_END));
        }
    }

    fn start(&mut self, kind: Kind, text: &str) {
        if kind == Kind::Prose && !self.is_lasting {
            self.under.clear();
        }
        let (under, mark) = (self.under.clone(), String::new());
        self.open = Some(Unit { kind, text: plain(text), under, mark, depth: self.depth });
    }

    fn push(&mut self, kind: Kind, text: &str) {
        let (under, mark) = (self.under.clone(), String::new());
        self.units.push(Unit { kind, text: text.to_owned(), under, mark, depth: self.depth });
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

/// Marks that begin an item: bullets, and the ticks and crosses that agents put there instead.
const BULLETS: &[&str] = &["- ", "* ", "+ ", "• ", "✅ ", "✓ ", "✔ "];

/// Returns the level of a heading; one that is only bold is the deepest.
fn level(bare: &str) -> usize {
    let hashes = bare.len() - bare.trim_start_matches('#').len();
    if hashes == 0 { 7 } else { hashes }
}

/// Returns what an item is, what it is counted by, and its text.
fn item(bare: &str) -> Option<(Kind, &str, &str)> {
    let digits = bare.len() - bare.trim_start_matches(|ch: char| ch.is_ascii_digit()).len();
    let rest = if (1..=3).contains(&digits) {
        bare[digits..].strip_prefix(['.', ')'])?.strip_prefix(' ')?
    } else {
        BULLETS.iter().find_map(|mark| bare.strip_prefix(mark))?
    };
    let (mark, rest) = (&bare[..digits], rest.trim_start());
    if let Some(rest) = rest.strip_prefix("[ ] ") {
        return Some((Kind::OpenItem, mark, rest));
    }
    let ticked = ["[x] ", "[X] "].iter().find_map(|mark| rest.strip_prefix(mark));
    Some((Kind::Item, mark, ticked.unwrap_or(rest)))
}

/// Returns a block's lines as inline code if they are commands for a shell, and few.
fn commands(language: &str, lines: &[&str]) -> String {
    let is_shell = matches!(language.trim(), "sh" | "bash" | "shell" | "zsh" | "console");
    let lines: Vec<&str> = lines.iter().copied().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    if !is_shell || lines.len() > COMMANDS_MAX || lines.iter().any(|line| line.contains('`')) {
        return String::new();
    }
    let inline: Vec<String> = lines.iter().map(|line| format!("`{}`", line.trim_start_matches("$ "))).collect();
    inline.join("; ")
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
