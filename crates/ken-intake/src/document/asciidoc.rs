//! AsciiDoc as Markdown: headings, lists, code, tables, links, notes. What only lays a page out is left out.

use std::collections::BTreeMap;

use super::inline::of_asciidoc;
use super::tables::table;
use super::written::{About, Told};

/// Words that a paragraph or block begins with that says something beside the text.
const NOTES: &[(&str, &str)] =
    &[("NOTE", "Note"), ("TIP", "Tip"), ("IMPORTANT", "Important"), ("WARNING", "Warning"), ("CAUTION", "Caution")];

/// Returns what a text says.
pub(super) fn read(text: &str) -> Told {
    let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n").replace('\t', "    ");
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let mut reader = Reader::default();
    let mut at = reader.head(&lines);
    while at < lines.len() {
        at += reader.one(&lines[at..]).max(1);
    }
    let about = About { title: None, date: reader.date };
    Told::plain(about.above(&reader.out.join("\n")))
}

#[derive(Default)]
struct Reader {
    out: Vec<String>,
    values: BTreeMap<String, String>,
    date: Option<String>,
    /// The language of the code that comes next, and the note that it is.
    next: Option<String>,
    note: Option<&'static str>,
    /// Whether the line above is of a list.
    is_item: bool,
}

impl Reader {
    /// Reads the title, who wrote it and when, and what names stand for; returns how many lines that took.
    fn head(&mut self, lines: &[&str]) -> usize {
        let first =
            lines.iter().take_while(|line| line.is_empty() || line.starts_with("//") || line.starts_with(':')).count();
        lines[..first].iter().for_each(|line| self.value(line));
        let Some(title) = lines.get(first).and_then(|line| line.strip_prefix("= ")) else { return first };
        self.out.extend([format!("# {}", of_asciidoc(title, &self.values)), String::new()]);
        let mut at = first + 1;
        while let Some(line) = lines.get(at).filter(|line| !line.is_empty()) {
            if line.starts_with(':') {
                self.value(line);
            } else if !line.starts_with("//") {
                // Who wrote it, then which version it is, and of when: `v1.0, 2026-03-04`.
                let date = line.split([',', ' ', ':']).find(|part| ken_core::time::leading_date(part).is_some());
                self.date = self.date.take().or_else(|| date.map(str::to_owned));
            }
            at += 1;
        }
        at
    }

    fn value(&mut self, line: &str) {
        let Some((name, said)) = line.strip_prefix(':').and_then(|rest| rest.split_once(':')) else { return };
        if name.eq_ignore_ascii_case("revdate") || name.eq_ignore_ascii_case("date") {
            self.date = Some(said.trim().to_owned());
        }
        self.values.insert(name.to_lowercase(), said.trim().to_owned());
    }

    /// Reads what begins at the first line, and returns how many lines that took.
    fn one(&mut self, lines: &[&str]) -> usize {
        let line = lines[0];
        if let Some(n) = self.block(lines) {
            return n;
        }
        match line {
            "" => self.gap(),
            "+" | "'''" | "<<<" | "--" | "====" | "****" | "____" | "toc::[]" => self.gap(),
            _ if is_fence(line, "=*_", 4) => self.gap(),
            _ if line.starts_with("//") || line.starts_with("include::") || is_condition(line) => {}
            _ if line.starts_with("image::")
                || line.starts_with("video::")
                || line.starts_with("[[") && line.ends_with("]]") => {}
            _ if line.starts_with(':') && line[1..].contains(':') && !line.starts_with(":: ") => self.value(line),
            _ if line.starts_with('[') && line.ends_with(']') => self.attributes(&line[1..line.len() - 1]),
            _ => self.text(line),
        }
        1
    }

    fn gap(&mut self) {
        self.out.push(String::new());
    }

    /// Code, tables, comments: what stands between two equal lines.
    fn block(&mut self, lines: &[&str]) -> Option<usize> {
        let line = lines[0];
        let is_table = line == "|===" || line == ",===" || line == ":===";
        let is_code = is_fence(line, "-.", 4) || line.starts_with("```");
        let is_dropped = is_fence(line, "/+", 4);
        if !is_table && !is_code && !is_dropped {
            return None;
        }
        let end = if line.starts_with("```") { "```" } else { line };
        let n = lines[1..].iter().take_while(|line| **line != end).count();
        let body = &lines[1..=n];
        self.gap();
        if is_table {
            let rows = self.rows(body, line);
            self.out.extend(table(&rows));
        } else if is_code {
            let own = line.strip_prefix("```").unwrap_or_default().trim().to_owned();
            let language = self.next.take().unwrap_or(own);
            let fence = if body.iter().any(|line| line.trim_start().starts_with("```")) { "````" } else { "```" };
            self.out.push(format!("{fence}{language}"));
            self.out.extend(body.iter().map(|line| (*line).to_owned()));
            self.out.push(fence.to_owned());
        }
        self.next = None;
        self.gap();
        Some((n + 2).min(lines.len()))
    }

    /// The rows of a table: cells of one line are a row, and so are as many cells as the first line has.
    fn rows(&self, body: &[&str], fence: &str) -> Vec<Vec<String>> {
        let cell = |text: &str| of_asciidoc(text.trim(), &self.values);
        if fence != "|===" {
            let by = if fence.starts_with(',') { ',' } else { ':' };
            return body
                .iter()
                .filter(|line| !line.is_empty())
                .map(|line| line.split(by).map(cell).collect())
                .collect();
        }
        let mut cells: Vec<Vec<String>> = Vec::new();
        for line in body.iter().filter(|line| !line.is_empty()) {
            let mut parts = line.split('|');
            let before = parts.next().unwrap_or_default().trim();
            if !before.is_empty() && !is_spec(before) {
                // What goes on from the cell above.
                if let Some(last) = cells.last_mut().and_then(|row| row.last_mut()) {
                    *last = format!("{last} {}", cell(before));
                }
            }
            let row: Vec<String> = parts.map(|part| cell(without_spec(part))).collect();
            if !row.is_empty() {
                cells.push(row);
            }
        }
        let n_columns = cells.first().map_or(0, Vec::len).max(1);
        let is_even = cells.iter().all(|row| row.len() == n_columns);
        if is_even && n_columns > 1 {
            return cells;
        }
        // Each cell on a line of its own: the first line with several says how many make a row.
        let n = cells.iter().map(Vec::len).max().unwrap_or(1);
        cells.into_iter().flatten().collect::<Vec<_>>().chunks(n.max(1)).map(<[String]>::to_vec).collect()
    }

    /// What stands in brackets above a block: `[source,rust]`, `[NOTE]`.
    fn attributes(&mut self, said: &str) {
        let mut parts = said.split(',').map(str::trim);
        let first = parts.next().unwrap_or_default();
        if first == "source" || first.starts_with("source%") {
            self.next = parts
                .next()
                .filter(|language| language.chars().all(|ch| ch.is_alphanumeric() || "+-_#".contains(ch)))
                .map(str::to_owned);
        }
        self.note = NOTES.iter().find(|(name, _)| *name == first).map(|(_, shown)| *shown).or(self.note);
    }

    fn text(&mut self, line: &str) {
        let shown = of_asciidoc(line.trim(), &self.values);
        let depth = |mark: char| line.trim_start().chars().take_while(|ch| *ch == mark).count();
        let behind =
            |n: usize| line.trim_start()[n..].strip_prefix(' ').map(|rest| of_asciidoc(rest.trim(), &self.values));
        let heading = depth('=');
        if let Some(text) = (heading > 0 && heading <= 6).then(|| behind(heading)).flatten() {
            self.out.extend([String::new(), format!("{} {text}", "#".repeat(heading)), String::new()]);
            self.is_item = false;
            return;
        }
        for (mark, sign) in [('*', "-"), ('-', "-"), ('.', "1.")] {
            let n = depth(mark);
            if let Some(text) = (n > 0 && n <= 5).then(|| behind(n)).flatten() {
                self.out.push(format!("{}{sign} {text}", "   ".repeat(n - 1)));
                self.is_item = true;
                return;
            }
        }
        if let Some(title) = line.strip_prefix('.').filter(|rest| rest.starts_with(|ch: char| ch.is_alphanumeric())) {
            self.out.extend([format!("**{}**", of_asciidoc(title, &self.values)), String::new()]);
            return;
        }
        if let Some((term, said)) = term(&shown) {
            self.out.push(format!("- **{term}**: {said}").trim_end().to_owned());
            self.is_item = true;
            return;
        }
        let own = NOTES.iter().find_map(|(name, shown)| Some((*shown, line.strip_prefix(name)?.strip_prefix(": ")?)));
        if let Some((note, said)) = own {
            self.out.push(format!("{note}: {}", of_asciidoc(said, &self.values)));
            return;
        }
        let shown = shown.strip_suffix(" +").map(str::to_owned).unwrap_or(shown);
        let note = self.note.take().map(|note| format!("{note}: ")).unwrap_or_default();
        let is_after_item = self.out.last().is_some_and(|last| last.is_empty());
        self.is_item &= !is_after_item;
        let pad = if self.is_item { "  " } else { "" };
        self.out.push(format!("{pad}{note}{shown}"));
    }
}

/// A line of one mark, at least so long.
fn is_fence(line: &str, marks: &str, n_min: usize) -> bool {
    let mark = line.chars().next().filter(|mark| marks.contains(*mark));
    line.len() >= n_min && mark.is_some_and(|mark| line.chars().all(|ch| ch == mark))
}

fn is_condition(line: &str) -> bool {
    ["ifdef::", "ifndef::", "ifeval::", "endif::"].iter().any(|word| line.starts_with(word))
}

/// `term:: what it means`.
fn term(line: &str) -> Option<(&str, &str)> {
    let (term, said) = line.split_once("::")?;
    let is_term =
        !term.is_empty() && !term.contains(['`', '(']) && term.len() < 80 && (said.is_empty() || said.starts_with(' '));
    is_term.then(|| (term.trim(), said.trim()))
}

/// What may stand before the mark of a cell: how it is laid out.
fn is_spec(text: &str) -> bool {
    text.len() <= 6 && text.chars().all(|ch| ch.is_ascii_digit() || ".+*<>^aehlmsd".contains(ch))
}

/// A cell without how the next one is laid out, which stands at its end: `one 2+`.
fn without_spec(cell: &str) -> &str {
    match cell.rsplit_once(' ') {
        Some((rest, last)) if last.ends_with(['+', '^']) && is_spec(last) => rest,
        _ => cell,
    }
}
