//! The index as a table with four columns, as claude-memory-compiler writes and reads it.
//!
//! A row for each compiled page, in the table that stands there; every other row, and every other line, is somebody
//! else's and keeps its bytes. A row is known by the page that its first cell links to.

use std::collections::{BTreeMap, BTreeSet};

use super::part::{INDEX, is_rule, leading_link};
use crate::header::FieldName;
use crate::layout::Layout;
use crate::link::without_links;
use crate::page::Page;
use crate::path::VaultPath;
use crate::text::{cut, one_line};

/// What stands above the rows where there is no table yet.
const HEAD: &str = "| Article | Summary | Compiled From | Updated |\n|---------|---------|---------------|---------|\n";
const TITLE: &str = "# Knowledge Base Index\n\n";
/// Longest summary in characters, and most days that a row names.
const SUMMARY_CHARS_MAX: usize = 200;
const DAYS_MAX: usize = 3;

/// Returns what a row links to for the page at a path: its place in the wiki without the extension.
pub fn place_of(layout: &Layout, path: &VaultPath) -> Option<String> {
    let inside = path.as_str().strip_prefix(&format!("{}/", layout.wiki))?;
    inside.strip_suffix(".md").map(str::to_owned)
}

/// Returns the row of a page: link, summary, the newest of the days it was made from, and of when it is.
pub fn row_of(layout: &Layout, page: &Page) -> Option<(String, String)> {
    let place = place_of(layout, &page.path)?;
    let tldr = page.scalar(FieldName::Tldr).filter(|tldr| !tldr.is_empty()).unwrap_or_else(|| page.title());
    let summary = cut(&one_line(&without_links(&tldr)), SUMMARY_CHARS_MAX);
    let sources = page.list(FieldName::Sources);
    let days: Vec<&String> =
        sources.iter().filter(|one| VaultPath::new(one).is_some_and(|path| layout.is_day(&path))).collect();
    let named = if days.is_empty() { sources.iter().collect() } else { days };
    let newest = named.iter().skip(named.len().saturating_sub(DAYS_MAX)).map(|one| one.as_str());
    let mut from = newest.collect::<Vec<_>>().join(", ");
    if named.len() > DAYS_MAX {
        from.push_str(&format!(" +{}", named.len() - DAYS_MAX));
    }
    let updated = page.scalar(FieldName::Updated).or_else(|| page.scalar(FieldName::Created)).unwrap_or_default();
    let cells = [format!("[[{place}]]"), cell(&summary), cell(&from), cell(&updated)];
    Some((place, format!("| {} |", cells.join(" | "))))
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

/// Returns an index with these rows, by what they link to, and without the rows of pages that are `gone`. A part that an
/// earlier version of the program kept there goes.
pub fn put(current: Option<&str>, rows: &BTreeMap<String, String>, gone: &BTreeSet<String>) -> String {
    let text = current.unwrap_or_default();
    let without_part = INDEX.around(text).map(|around| {
        let text = around.text();
        let end = text.trim_end().len();
        if end == 0 { String::new() } else { format!("{}\n", &text[..end]) }
    });
    let text = without_part.as_deref().unwrap_or(text);
    let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let Some(first) = table_of(&lines) else {
        if rows.is_empty() {
            return text.to_owned();
        }
        let gap = match text {
            "" => TITLE,
            text if text.ends_with('\n') => "\n",
            _ => "\n\n",
        };
        let all: String = rows.values().map(|row| format!("{row}\n")).collect();
        return format!("{text}{}", format!("{gap}{HEAD}{all}").replace('\n', line_end));
    };
    let mut out: String = lines[..first].concat();
    let (mut at, mut known) = (first, BTreeSet::new());
    while let Some(line) = lines.get(at).filter(|line| line.trim_start().starts_with('|')) {
        at += 1;
        let place = target(line);
        match place.as_deref().and_then(|place| rows.get_key_value(place)) {
            // A row that stands there twice is one.
            Some((place, _)) if !known.insert(place.as_str()) => {}
            Some((_, row)) if cells(row) != cells(line) => out.push_str(&format!("{row}{line_end}")),
            None if place.is_some_and(|place| gone.contains(&place)) => {}
            _ => out.push_str(line),
        }
    }
    if !out.ends_with('\n') {
        out.push_str(line_end);
    }
    for (_, row) in rows.iter().filter(|(place, _)| !known.contains(place.as_str())) {
        out.push_str(&format!("{row}{line_end}"));
    }
    out + &lines[at..].concat()
}

/// Returns what the rows of the table link to.
pub fn places(text: &str) -> BTreeSet<String> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let Some(first) = table_of(&lines) else { return BTreeSet::new() };
    lines[first..]
        .iter()
        .take_while(|line| line.trim_start().starts_with('|'))
        .filter_map(|line| target(line))
        .collect()
}

/// The line of the first row of the table that has a column for what a page was compiled from.
fn table_of(lines: &[&str]) -> Option<usize> {
    let is_head = |n: &usize| {
        let columns = cells(lines[*n]);
        columns.iter().any(|name| name.eq_ignore_ascii_case("compiled from"))
            && lines.get(n + 1).is_some_and(|line| is_rule(line.trim()))
    };
    (0..lines.len()).find(is_head).map(|n| n + 2)
}

/// The cells of a row, trimmed; a bar inside a link is written `\|`.
fn cells(row: &str) -> Vec<String> {
    let row = row.trim().trim_start_matches('|');
    let row = row.strip_suffix('|').unwrap_or(row).replace("\\|", "\u{1}");
    row.split('|').map(|cell| cell.trim().to_owned()).collect()
}

fn target(row: &str) -> Option<String> {
    let first = cells(row).into_iter().next()?.replace('\u{1}', "|");
    let (target, _) = leading_link(&first)?;
    Some(target.trim().trim_end_matches(".md").to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "# Knowledge Base Index\n\n| Article | Summary | Compiled From | Updated |\n|---|---|---|---|\n| [[concepts/oven]] |  Hot | daily/2026-04-01.md | 2026-04-01 |\n| [[concepts/lost\\|Lost]] | Gone | daily/2026-04-02.md | 2026-04-02 |\n\nBelow.\n";

    fn rows(of: &[(&str, &str)]) -> BTreeMap<String, String> {
        of.iter()
            .map(|(place, summary)| ((*place).to_owned(), format!("| [[{place}]] | {summary} | a | b |")))
            .collect()
    }

    #[test]
    fn rows_of_others_keep_their_bytes_and_new_ones_come_behind_them() {
        let wanted = rows(&[("concepts/mill", "Grinds")]);
        for table in [TABLE.to_owned(), TABLE.replace('\n', "\r\n")] {
            let once = put(Some(&table), &wanted, &BTreeSet::new());
            let row = "| [[concepts/mill]] | Grinds | a | b |";
            let end = if table.contains('\r') { "\r\n" } else { "\n" };
            assert_eq!(once.replace(&format!("{row}{end}"), ""), table);
            assert_eq!(put(Some(&once), &wanted, &BTreeSet::new()), once, "a second time changes nothing");
            let gone = BTreeSet::from(["concepts/mill".to_owned()]);
            assert_eq!(put(Some(&once), &BTreeMap::new(), &gone), table, "its row goes with the page");
        }
    }

    #[test]
    fn a_row_that_says_the_same_keeps_its_bytes_and_another_is_renewed() {
        let same = BTreeMap::from([(
            "concepts/oven".to_owned(),
            "| [[concepts/oven]] | Hot | daily/2026-04-01.md | 2026-04-01 |".to_owned(),
        )]);
        assert_eq!(put(Some(TABLE), &same, &BTreeSet::new()), TABLE);
        let other = rows(&[("concepts/oven", "Hotter")]);
        let now = put(Some(TABLE), &other, &BTreeSet::new());
        assert!(now.contains("| [[concepts/oven]] | Hotter | a | b |\n| [[concepts/lost") && !now.contains(" Hot |"));
    }

    #[test]
    fn where_there_is_no_table_one_is_made_below_what_stands_there() {
        let wanted = rows(&[("concepts/oven", "Hot")]);
        let made = put(None, &wanted, &BTreeSet::new());
        assert_eq!(made, format!("{TITLE}{HEAD}| [[concepts/oven]] | Hot | a | b |\n"));
        assert!(put(Some("# Mine"), &wanted, &BTreeSet::new()).starts_with("# Mine\n\n| Article |"));
        let part = INDEX.put(Some(TABLE), "- [[concepts/oven]]\n");
        assert_eq!(put(Some(&part), &BTreeMap::new(), &BTreeSet::new()), TABLE, "what an earlier version kept goes");
        assert_eq!(places(TABLE), ["concepts/lost", "concepts/oven"].map(str::to_owned).into());
    }
}
