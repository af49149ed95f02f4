//! reStructuredText as Markdown: headings, lists, code, tables, links, notes. What only lays a page out is left out.

use super::inline::{Names, of_structured};
use super::tables::table;
use super::written::{About, Told};

/// Directives whose body is code, whatever its language.
const CODE: &[&str] =
    &["code", "code-block", "sourcecode", "highlight-block", "parsed-literal", "math", "doctest", "productionlist"];
/// Directives of which nothing is prose.
const NOTHING: &[&str] = &[
    "contents",
    "toctree",
    "raw",
    "include",
    "literalinclude",
    "image",
    "highlight",
    "index",
    "meta",
    "currentmodule",
    "module",
    "default-role",
    "role",
    "sectnum",
    "tabularcolumns",
    "only-html",
];
/// Directives that say something beside the text, and how that begins.
const NOTES: &[(&str, &str)] = &[
    ("note", "Note"),
    ("warning", "Warning"),
    ("tip", "Tip"),
    ("important", "Important"),
    ("hint", "Hint"),
    ("caution", "Caution"),
    ("danger", "Danger"),
    ("error", "Error"),
    ("attention", "Attention"),
    ("seealso", "See also"),
    ("todo", "TODO"),
    ("versionadded", "Added in"),
    ("versionchanged", "Changed in"),
    ("deprecated", "Deprecated since"),
];
/// What a line may be underlined with.
const MARKS: &str = "=-~^\"'`:.*+#<>_!$%&(),/;?@[\\]{|}";
/// How deep directives may stand in one another.
const DEPTH_MAX: usize = 16;

/// Returns what a text says.
pub(super) fn read(text: &str) -> Told {
    let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n").replace('\t', "    ");
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let mut reader = Reader { names: names(&lines), ..Reader::default() };
    reader.block(&lines, 0);
    let about = About { title: None, date: reader.date };
    Told::plain(about.above(&reader.out.join("\n")))
}

/// What names lead to, and what stands for what.
fn names(lines: &[&str]) -> Names {
    let mut names = Names::default();
    for line in lines.iter().filter_map(|line| line.trim_start().strip_prefix(".. ")) {
        if let Some((name, to)) = line.strip_prefix('_').and_then(|rest| rest.split_once(": ")) {
            names.targets.insert(name.trim_matches('`').to_lowercase(), to.trim().to_owned());
        } else if let Some((name, said)) = line.strip_prefix('|').and_then(|rest| rest.split_once("| replace::")) {
            names.substitutes.insert(name.to_owned(), said.trim().to_owned());
        } else if let Some((name, _)) = line.strip_prefix('|').and_then(|rest| rest.split_once("| image::")) {
            names.substitutes.insert(name.to_owned(), String::new());
        }
    }
    names
}

#[derive(Default)]
struct Reader {
    out: Vec<String>,
    names: Names,
    /// How headings are marked, the highest first.
    levels: Vec<(char, bool)>,
    date: Option<String>,
    /// How far the text of the list is indented that is open, where one is.
    list: Option<usize>,
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The mark that a line is made of, if it is made of one.
fn ruled(line: &str) -> Option<char> {
    let mark = line.chars().next().filter(|mark| MARKS.contains(*mark))?;
    (line.len() >= 2 && line.chars().all(|ch| ch == mark)).then_some(mark)
}

/// How many of the lines belong to what stands above them: empty ones, and indented ones.
fn n_of_body(lines: &[&str], above: usize) -> usize {
    let n = lines.iter().take_while(|line| line.is_empty() || indent(line) > above).count();
    n - lines[..n].iter().rev().take_while(|line| line.is_empty()).count()
}

/// The lines without what they are all indented by.
fn dedented<'l>(lines: &[&'l str]) -> Vec<&'l str> {
    let by = lines.iter().filter(|line| !line.is_empty()).map(|line| indent(line)).min().unwrap_or(0);
    let from = lines.iter().take_while(|line| line.is_empty()).count();
    lines[from..].iter().map(|line| line.get(by..).unwrap_or("")).collect()
}

/// How far the text of a list's item is indented, if the line begins one.
fn item(line: &str) -> Option<(usize, String)> {
    let (by, rest) = (indent(line), line.trim_start());
    if let Some(text) = ["- ", "* ", "+ ", "• "].iter().find_map(|mark| rest.strip_prefix(mark)) {
        return Some((by + 2, format!("- {}", text.trim_start())));
    }
    let (number, text) = rest.split_once(". ").or_else(|| rest.strip_prefix('(')?.split_once(") "))?;
    let is_number =
        number == "#" || !number.is_empty() && number.len() <= 3 && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| (by + number.len() + 2, format!("{}. {}", number.replace('#', "1"), text.trim_start())))
}

impl Reader {
    fn block(&mut self, lines: &[&str], depth: usize) {
        let mut at = 0;
        while at < lines.len() {
            at += self.one(&lines[at..], depth).max(1);
        }
    }

    /// Reads what begins at the first line, and returns how many lines that took.
    fn one(&mut self, lines: &[&str], depth: usize) -> usize {
        let line = lines[0];
        // Where a link without a name leads.
        if line.is_empty() || line.starts_with("__ ") {
            self.out.push(String::new());
            return 1;
        }
        if let Some(n) = self.heading(lines) {
            return n;
        }
        if line.trim_start().starts_with(".. ") || line.trim() == ".." {
            return self.explicit(lines, depth);
        }
        if let Some(n) = self.grid(lines).or_else(|| self.simple(lines)) {
            return n;
        }
        if let Some((name, said)) = field(line) {
            let n = 1 + n_of_body(&lines[1..], indent(line));
            let said =
                [said].into_iter().chain(lines[1..n].iter().map(|line| line.trim())).collect::<Vec<_>>().join(" ");
            if name.eq_ignore_ascii_case("date") {
                self.date = self.date.take().or(Some(said.trim().to_owned()));
            }
            if !said.trim().is_empty() {
                self.out.push(format!("- {name}: {}", of_structured(said.trim(), &self.names)));
            }
            return n;
        }
        self.prose(lines)
    }

    /// A line that is underlined, or stands between two rules.
    fn heading(&mut self, lines: &[&str]) -> Option<usize> {
        let (text, mark, n) = match lines {
            [over, text, under, ..]
                if ruled(over).is_some()
                    && ruled(over) == ruled(under)
                    && !text.is_empty()
                    && ruled(text).is_none() =>
            {
                (text.trim(), (ruled(over)?, true), 3)
            }
            [text, under, ..] if indent(text) == 0 && ruled(text).is_none() && ruled(under).is_some() => {
                let is_long = under.chars().count() + 1 >= text.chars().count().min(5);
                (text.trim(), (ruled(under).filter(|_| is_long)?, false), 2)
            }
            [rule, ..] if ruled(rule).is_some() && rule.len() >= 4 => return Some(1),
            _ => return None,
        };
        let level = self.levels.iter().position(|known| *known == mark).unwrap_or_else(|| {
            self.levels.push(mark);
            self.levels.len() - 1
        });
        self.list = None;
        let text = of_structured(text, &self.names);
        self.out.extend([String::new(), format!("{} {text}", "#".repeat((level + 1).min(6))), String::new()]);
        Some(n)
    }

    /// What begins with two dots: a directive, a target, a note, a comment.
    fn explicit(&mut self, lines: &[&str], depth: usize) -> usize {
        let by = indent(lines[0]);
        let n = 1 + n_of_body(&lines[1..], by);
        let said = lines[0].trim_start().trim_start_matches("..").trim();
        let Some((name, argument)) = said.split_once("::").filter(|(name, _)| is_name(name)) else {
            // A note at the foot of the page; all else is a target or a comment.
            if let Some((label, text)) = said.strip_prefix('[').and_then(|rest| rest.split_once("] ")) {
                let text =
                    [text].into_iter().chain(lines[1..n].iter().map(|line| line.trim())).collect::<Vec<_>>().join(" ");
                self.out.push(format!("- {}: {}", label.trim_start_matches('#'), of_structured(&text, &self.names)));
            }
            return n;
        };
        let body = dedented(&lines[1..n]);
        let n_options = body.iter().take_while(|line| field(line).is_some()).count();
        let (options, body) = (&body[..n_options], dedented(&body[n_options..]));
        let name = name.to_lowercase();
        if NOTHING.contains(&name.as_str()) || depth > DEPTH_MAX {
            return n;
        }
        self.out.push(String::new());
        if CODE.contains(&name.as_str()) {
            self.code(argument.trim(), &body, by);
        } else if name == "list-table" || name == "csv-table" {
            self.listed(&name, argument.trim(), options, &body);
        } else {
            let note = NOTES.iter().find(|(known, _)| *known == name).map(|(_, shown)| *shown);
            let argument = of_structured(argument.trim(), &self.names);
            match (note, argument.is_empty()) {
                (Some(shown), false) => self.out.push(format!("{shown}: {argument}")),
                (Some(shown), true) => self.out.push(format!("{shown}:")),
                (None, false) if !["figure", "rubric"].contains(&name.as_str()) => {
                    self.out.push(format!("`{argument}`"))
                }
                (None, _) => {}
            }
            let is_open = std::mem::take(&mut self.list);
            self.block(&body, depth + 1);
            self.list = is_open;
        }
        self.out.push(String::new());
        n
    }

    fn code(&mut self, language: &str, body: &[&str], by: usize) {
        let pad = " ".repeat(self.list.filter(|_| by > 0).unwrap_or(0));
        let language: String = language.chars().take_while(|ch| ch.is_alphanumeric() || "+-_#".contains(*ch)).collect();
        let fence = if body.iter().any(|line| line.trim_start().starts_with("```")) { "````" } else { "```" };
        self.out.push(format!("{pad}{fence}{language}"));
        self.out.extend(body.iter().map(|line| format!("{pad}{line}")));
        self.out.extend([format!("{pad}{fence}"), String::new()]);
    }

    /// A table that is written as lists, or as values between commas.
    fn listed(&mut self, name: &str, title: &str, options: &[&str], body: &[&str]) {
        let mut rows: Vec<Vec<String>> = Vec::new();
        let header = options.iter().filter_map(|line| field(line)).find(|(name, _)| *name == "header");
        rows.extend(header.map(|(_, said)| values(said)));
        for line in body {
            let cell = |text: &str| of_structured(text.trim(), &self.names);
            match (name, line.trim_start()) {
                (_, "") => {}
                ("csv-table", line) => rows.push(values(line).iter().map(|one| cell(one)).collect()),
                (_, line) => match (line.strip_prefix("* -"), line.strip_prefix('-'), rows.last_mut()) {
                    (Some(first), _, _) => rows.push(vec![cell(first)]),
                    (None, Some(next), Some(row)) => row.push(cell(next)),
                    (None, _, Some(row)) => {
                        row.last_mut().into_iter().for_each(|last| *last = format!("{last} {}", cell(line)))
                    }
                    (None, _, None) => {}
                },
            }
        }
        if !title.is_empty() {
            self.out.extend([of_structured(title, &self.names), String::new()]);
        }
        self.out.extend(table(&rows));
    }

    /// A table that is drawn with `+`, `-` and `|`.
    fn grid(&mut self, lines: &[&str]) -> Option<usize> {
        let is_rule = |line: &&str| {
            line.trim().starts_with('+') && line.trim().chars().all(|ch| "+-=".contains(ch)) && line.trim().len() > 3
        };
        let n = lines.iter().take_while(|line| line.trim_start().starts_with(['+', '|'])).count();
        if n < 3 || !is_rule(&lines[0]) {
            return None;
        }
        let mut rows: Vec<Vec<String>> = vec![Vec::new()];
        for line in &lines[1..n] {
            if line.trim_start().starts_with('+') {
                rows.push(Vec::new());
                continue;
            }
            let row = rows.last_mut()?;
            for (at, cell) in line.trim().trim_matches('|').split('|').enumerate() {
                let cell = of_structured(cell.trim(), &self.names);
                match row.get_mut(at) {
                    Some(known) => *known = format!("{known} {cell}"),
                    None => row.push(cell),
                }
            }
        }
        self.out.push(String::new());
        self.out.extend(table(&rows));
        self.out.push(String::new());
        Some(n)
    }

    /// A table whose columns are ruled with `=`.
    fn simple(&mut self, lines: &[&str]) -> Option<usize> {
        let is_rule =
            |line: &str| line.starts_with('=') && line.contains("= ") && line.chars().all(|ch| ch == '=' || ch == ' ');
        if !is_rule(lines[0]) {
            return None;
        }
        // The last rule is the one behind which nothing stands.
        let is_last = |at: &usize| is_rule(lines[*at]) && lines.get(at + 1).is_none_or(|next| next.is_empty());
        let last = (2..lines.len()).find(is_last)?;
        let starts: Vec<usize> = lines[0]
            .char_indices()
            .filter(|(at, ch)| *ch == '=' && (*at == 0 || lines[0].as_bytes()[at - 1] == b' '))
            .map(|(at, _)| at)
            .collect();
        let mut rows: Vec<Vec<String>> = Vec::new();
        for line in lines[1..last].iter().filter(|line| !line.is_empty() && !is_rule(line)) {
            let cells: Vec<String> = starts
                .iter()
                .enumerate()
                .map(|(n, start)| {
                    let end = starts.get(n + 1).copied().unwrap_or(line.len()).min(line.len());
                    let cell = line.get((*start).min(end)..end).unwrap_or_default();
                    of_structured(cell.trim(), &self.names)
                })
                .collect();
            match rows.last_mut() {
                // A row goes on where its first column is empty.
                Some(row) if cells[0].is_empty() => {
                    row.iter_mut().zip(&cells).for_each(|(known, more)| *known = format!("{known} {more}"))
                }
                _ => rows.push(cells),
            }
        }
        self.out.push(String::new());
        self.out.extend(table(&rows));
        self.out.push(String::new());
        Some(last + 1)
    }

    /// A line of a list or of a paragraph, and the code that it leads in.
    fn prose(&mut self, lines: &[&str]) -> usize {
        let line = lines[0];
        let by = indent(line);
        let said = line.strip_suffix("::").filter(|_| line.trim() != "::");
        let is_code = said.is_some() || line.trim() == "::";
        let shown = said.map_or_else(
            || line.to_owned(),
            |said| if said.ends_with(' ') { said.trim_end().to_owned() } else { format!("{said}:") },
        );
        let next_by = lines.get(1).filter(|next| !next.is_empty()).map(|next| indent(next));
        if shown.trim() == "::" {
            // It only says that code comes.
        } else if let Some((text_at, text)) = item(&shown) {
            self.out.push(format!("{}{}", " ".repeat(by), of_structured(&text, &self.names)));
            self.list = Some(text_at);
        } else if let Some(line) = shown.trim_start().strip_prefix("| ") {
            self.out.push(of_structured(line, &self.names));
        } else if self.list.is_some_and(|text_at| by >= text_at.min(by.max(1)) && by > 0) {
            self.out.push(format!("{}{}", " ".repeat(by), of_structured(shown.trim(), &self.names)));
        } else if !is_code && next_by.is_some_and(|next| next > by) && item(lines[1]).is_none() {
            // A term, and what it means.
            self.list = None;
            let n = 1 + lines[1..].iter().take_while(|line| !line.is_empty() && indent(line) > by).count();
            let said: Vec<&str> = lines[1..n].iter().map(|line| line.trim()).collect();
            let (term, said) = (of_structured(shown.trim(), &self.names), of_structured(&said.join(" "), &self.names));
            self.out.push(format!("- **{term}**: {said}"));
            return n;
        } else {
            self.list = None;
            self.out.push(of_structured(shown.trim(), &self.names));
        }
        let n_body = if is_code { n_of_body(&lines[1..], by) } else { 0 };
        if n_body > 0 {
            self.out.push(String::new());
            let body = dedented(&lines[1..=n_body]);
            self.code("", &body, by);
        }
        1 + n_body
    }
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|ch| ch.is_alphanumeric() || "-_:.+".contains(ch))
}

/// A field, `:name: what it says`.
fn field(line: &str) -> Option<(&str, &str)> {
    let (name, said) = line.trim_start().strip_prefix(':')?.split_once(':')?;
    let is_field =
        !name.is_empty() && !name.contains('`') && name.len() < 60 && (said.is_empty() || said.starts_with(' '));
    is_field.then_some((name, said.trim()))
}

/// Values between commas; one in quotes may have commas in it.
fn values(line: &str) -> Vec<String> {
    let (mut out, mut is_quoted) = (vec![String::new()], false);
    for ch in line.chars() {
        match ch {
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => out.push(String::new()),
            ch => out.last_mut().into_iter().for_each(|last| last.push(ch)),
        }
    }
    out.iter().map(|one| one.trim().to_owned()).collect()
}
