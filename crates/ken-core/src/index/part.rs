//! The program's part of a file that people write too.
//!
//! What the program generates stands between two marks, each alone on its line; every other byte of the file
//! is somebody else's and stays. A file without marks is theirs as a whole: the part is added at its end.

use std::collections::BTreeMap;

use crate::header::TLDR_CHARS_MAX;
use crate::link::without_links;
use crate::slug::Slug;
use crate::text::{cut, one_line};

/// The two lines around a generated part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Marks {
    /// The line it begins with.
    pub begin: &'static str,
    /// The line it ends with.
    pub end: &'static str,
}

/// The marks of the index and its shards.
pub const INDEX: Marks = Marks { begin: "<!-- kenning:index -->", end: "<!-- /kenning:index -->" };

/// The marks of a short index; a file without them is somebody else's.
pub const MEMORY: Marks =
    Marks { begin: "<!-- kenning:memory, made by `ken compile` -->", end: "<!-- /kenning:memory -->" };

/// What stands before the generated part of a file, and behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Around {
    before: String,
    behind: String,
}

impl Around {
    /// Returns whether nobody but the program has written anything.
    pub fn is_empty(&self) -> bool {
        self.before.trim().is_empty() && self.behind.trim().is_empty()
    }

    /// Returns the file with another generated part.
    pub fn with(&self, marks: Marks, generated: &str) -> String {
        let Marks { begin, end } = marks;
        format!("{}{begin}\n{generated}{end}\n{}", self.before, self.behind)
    }

    /// Returns the file without a generated part.
    pub fn text(&self) -> String {
        format!("{}{}", self.before, self.behind)
    }
}

impl Marks {
    /// Returns what stands around the generated part of a text, or none when it has no such part.
    ///
    /// A merge may have left the part twice: then the first place counts and the others go. A mark without its
    /// partner is no part.
    pub fn around(self, text: &str) -> Option<Around> {
        let mut around: Option<Around> = None;
        let mut open: Option<(usize, usize)> = None;
        let (mut at, mut kept) = (0, 0);
        for line in text.split_inclusive('\n') {
            let start = at;
            at += line.len();
            if self.is_begin(line.trim_end()) {
                open = Some((start, at));
            } else if line.trim_end() == self.end
                && let Some((begin, _)) = open.take()
            {
                let piece = &text[kept..begin];
                match &mut around {
                    None => around = Some(Around { before: piece.to_owned(), behind: String::new() }),
                    Some(around) => around.behind.push_str(piece),
                }
                kept = at;
            }
        }
        let mut around = around?;
        around.behind.push_str(&text[kept..]);
        Some(around)
    }

    /// Whether a line begins a part: with the words of the program, or as people write it who want one there.
    fn is_begin(self, line: &str) -> bool {
        let short = || self.begin.split_once(',').and_then(|(name, _)| line.strip_prefix(name));
        line == self.begin || short() == Some(" -->")
    }

    /// Returns a file with its generated part, made or renewed; everything else stays.
    pub fn put(self, current: Option<&str>, generated: &str) -> String {
        let current = current.unwrap_or_default();
        let around = self.around(current).unwrap_or_else(|| {
            let gap = match current {
                "" => "",
                text if text.ends_with("\n\n") => "",
                text if text.ends_with('\n') => "\n",
                _ => "\n\n",
            };
            Around { before: format!("{current}{gap}"), behind: String::new() }
        });
        around.with(self, generated)
    }
}

/// Returns what an index of somebody else says of pages, in one sentence each: rows of a table whose first
/// cell names a page, and list items that begin with a link.
pub fn foreign_rows(text: &str) -> BTreeMap<Slug, String> {
    let without = |text: &str, marks: Marks| marks.around(text).map_or_else(|| text.to_owned(), |around| around.text());
    let theirs = without(&without(text, INDEX), MEMORY);
    let mut rows = BTreeMap::new();
    let lines: Vec<&str> = theirs.lines().map(str::trim).collect();
    for (n, line) in lines.iter().enumerate() {
        let is_heading = lines.get(n + 1).is_some_and(|next| is_rule(next));
        let row = if line.starts_with('|') && !is_heading && !is_rule(line) { table_row(line) } else { list_row(line) };
        if let Some((slug, said)) = row {
            rows.entry(slug).or_insert(said);
        }
    }
    rows
}

/// Whether a line of a table only rules it off.
pub(super) fn is_rule(line: &str) -> bool {
    line.starts_with('|') && line.contains('-') && line.chars().all(|ch| matches!(ch, '|' | '-' | ':' | ' '))
}

fn table_row(line: &str) -> Option<(Slug, String)> {
    // A bar inside a link is written `\|`.
    let line = line.replace("\\|", "\u{1}");
    let mut cells = line.trim_matches('|').split('|').map(|cell| cell.trim().replace('\u{1}', "|"));
    let name = cells.next()?;
    let (target, _) = leading_link(&name).unwrap_or((name.as_str(), ""));
    said(target, &cells.next()?)
}

fn list_row(line: &str) -> Option<(Slug, String)> {
    let item = line.strip_prefix("- ").or_else(|| line.strip_prefix("* ")).or_else(|| line.strip_prefix("+ "))?;
    let (target, rest) = leading_link(item.trim_start_matches('*'))?;
    said(target, rest.trim_start_matches(['*', ':', '-', '–', '—', ' ']))
}

/// The target of the link that a text begins with, and what follows it.
pub(super) fn leading_link(text: &str) -> Option<(&str, &str)> {
    if let Some(inside) = text.strip_prefix("[[") {
        let (link, rest) = inside.split_once("]]")?;
        return Some((link.split(['|', '#']).next().unwrap_or(link), rest));
    }
    let (_, rest) = text.strip_prefix('[')?.split_once("](")?;
    let (target, rest) = rest.split_once(')')?;
    (!target.contains("://")).then_some((target, rest))
}

fn said(target: &str, text: &str) -> Option<(Slug, String)> {
    let name = target.trim().rsplit('/').next().unwrap_or(target);
    let name = [".md", ".html", ".txt"].iter().find_map(|ext| name.strip_suffix(ext)).unwrap_or(name);
    let text = one_line(&without_links(text).replace(['*', '`'], ""));
    let slug = Slug::from_text(name)?;
    text.chars().any(char::is_alphanumeric).then(|| (slug, cut(text.trim(), TLDR_CHARS_MAX - 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_around_the_generated_part_stays() {
        for theirs in ["", "# Mine\n", "# Mine", "| a | b |\n\n", "\u{feff}x\r\ny\r\n"] {
            let once = INDEX.put(Some(theirs), "one\n");
            assert!(once.starts_with(theirs), "{theirs:?}");
            let below = format!("{once}\nBelow.\n");
            let twice = INDEX.put(Some(&below), "two\n");
            assert_eq!(twice, below.replace("one\n", "two\n"), "{theirs:?}");
        }
    }

    #[test]
    fn a_mark_without_its_partner_takes_nothing_with_it() {
        let text = "<!-- kenning:index -->\nmine\n";
        let once = INDEX.put(Some(text), "one\n");
        assert!(once.starts_with(text));
        assert_eq!(INDEX.put(Some(&once), "one\n"), once);
        let quoted = "the mark `<!-- kenning:index -->` begins it\n<!-- /kenning:index -->\n";
        assert!(INDEX.put(Some(quoted), "one\n").starts_with(quoted));
    }

    #[test]
    fn a_part_that_a_merge_left_twice_is_there_once() {
        let part = |text: &str| INDEX.put(None, text);
        let merged = format!("a\n{}b\n{}c\n", part("x\n"), part("y\n"));
        assert_eq!(INDEX.put(Some(&merged), "z\n"), format!("a\n{}b\nc\n", part("z\n")));
    }

    #[test]
    fn rows_of_a_foreign_index_say_what_pages_are_about() {
        let text = "# Index\n\n| Article | Summary | Tags |\n|---|:--|---|\n| [[concepts/jwt\\|JWT]] | Tokens that carry [[claims]]. | a |\n\
| [Oven](ovens/oven.md) | It bakes. | |\n| plain | In words | |\n\n- [[flour|Flour]] — milled **fine**\n- [Mill](https://mill.example) elsewhere\n- nothing\n";
        let rows = foreign_rows(text);
        let shown: Vec<_> = rows.iter().map(|(slug, said)| (slug.as_str(), said.as_str())).collect();
        let expected = [
            ("flour", "milled fine"),
            ("jwt", "Tokens that carry claims."),
            ("oven", "It bakes."),
            ("plain", "In words"),
        ];
        assert_eq!(shown, expected);
        assert!(foreign_rows(&INDEX.put(None, "- [[a]]: ours\n")).is_empty());
    }
}
