//! What a saved page of HTML says of itself: where it was saved from, and of when it is.

use crate::time::{Date, leading_date};

/// How far a page is looked at, in bytes.
const HEAD_BYTES_MAX: usize = 64 * 1024;
/// Longest address.
const ADDRESS_LEN_MAX: usize = 500;

/// Names under which pages say of when they are, the surest first.
const DATES: &[&str] = &[
    "article:modified_time",
    "datemodified",
    "og:updated_time",
    "last-modified",
    "article:published_time",
    "datepublished",
    "date",
    "dc.date",
    "dcterms.date",
    "dcterms.modified",
    "pubdate",
    "publish-date",
    "citation_publication_date",
];

/// Returns the address that a page was saved from, and the line that says so, from 1.
///
/// ```
/// # use ken_core::source::saved_from;
/// let page = "<!-- saved from url=(0024)https://example.org/rye -->\n<html></html>";
/// assert_eq!(saved_from(page), Some(("https://example.org/rye", 1)));
/// assert_eq!(saved_from("<p>url: https://example.org</p>"), None);
/// ```
pub fn saved_from(html: &str) -> Option<(&str, usize)> {
    let head = head(html);
    let found = in_comment(head, "saved from url=(")
        .and_then(|rest| Some(rest.split_once(')')?.1))
        .or_else(|| in_comment(head, "SingleFile").and_then(|rest| Some(rest.split_once("url:")?.1)))
        .map(|rest| rest.trim_start().split([' ', '\n', '\r', '\t']).next().unwrap_or_default())
        .or_else(|| value_of(head, ("link", "rel", "canonical"), "href"))
        .or_else(|| value_of(head, ("meta", "property", "og:url"), "content"))?;
    let is_address = found.starts_with("https://") || found.starts_with("http://");
    if !is_address || found.len() > ADDRESS_LEN_MAX || found.contains(['<', '>', '"', ' ', '[', ']', '`']) {
        return None;
    }
    let at = found.as_ptr() as usize - html.as_ptr() as usize;
    Some((found, html[..at].matches('\n').count() + 1))
}

/// Returns the day that a page is of, as its header says, else what its data says, else when it was saved.
pub(super) fn day_of_page(html: &str) -> Option<Date> {
    let head = head(html);
    let metas = metas(head);
    let said = |name: &str| metas.iter().find(|(known, _)| known == name).and_then(|(_, said)| leading_date(said));
    let in_data = |name: &str| {
        let rest = head.split_once(&format!("\"{name}\""))?.1.trim_start().strip_prefix(':')?;
        leading_date(rest.trim_start().strip_prefix('"')?)
    };
    DATES
        .iter()
        .find_map(|name| said(name))
        .or_else(|| in_data("dateModified"))
        .or_else(|| in_data("datePublished"))
        .or_else(|| saved_on(in_comment(head, "SingleFile")?.split_once("saved date:")?.1.trim_start()))
}

fn head(html: &str) -> &str {
    let end = (0..=HEAD_BYTES_MAX.min(html.len())).rev().find(|at| html.is_char_boundary(*at)).unwrap_or(0);
    &html[..end]
}

/// What stands behind a text in the comment that has it.
fn in_comment<'h>(html: &'h str, text: &str) -> Option<&'h str> {
    html.split("<!--").skip(1).find_map(|rest| {
        let comment = rest.split_once("-->").map_or(rest, |(comment, _)| comment);
        comment.split_once(text).map(|(_, rest)| rest)
    })
}

/// What stands in each tag of that name, in order.
fn tags<'h>(html: &'h str, name: &'h str) -> impl Iterator<Item = &'h str> {
    html.match_indices('<').filter_map(move |(at, _)| {
        let tag = &html[at + 1..];
        let is_it = tag.get(..name.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(name));
        is_it.then(|| &tag[name.len()..name.len() + tag[name.len()..].find('>').unwrap_or(tag.len() - name.len())])
    })
}

/// What the tags `meta` say, by their names in small letters.
fn metas(head: &str) -> Vec<(String, &str)> {
    let names = ["property", "name", "itemprop", "http-equiv"];
    tags(head, "meta")
        .filter_map(|tag| {
            let name = names.iter().find_map(|by| attribute(tag, by))?;
            Some((name.to_ascii_lowercase(), attribute(tag, "content")?.trim()))
        })
        .collect()
}

/// The value of one attribute of the first tag that has that value of another.
fn value_of<'h>(html: &'h str, (tag, by, value): (&'h str, &str, &str), wanted: &str) -> Option<&'h str> {
    let is_it = |tag: &&str| attribute(tag, by).is_some_and(|said| said.eq_ignore_ascii_case(value));
    let found = tags(html, tag).find(is_it).and_then(|tag| attribute(tag, wanted));
    found.map(str::trim).filter(|value| !value.is_empty())
}

/// The value of an attribute, of what stands between `<name` and `>`.
fn attribute<'t>(tag: &'t str, name: &str) -> Option<&'t str> {
    let mut rest = tag;
    loop {
        rest = rest.trim_start_matches(|ch: char| ch.is_whitespace() || ch == '/');
        let end = rest.find(|ch: char| ch == '=' || ch.is_whitespace()).unwrap_or(rest.len());
        if end == 0 {
            return None;
        }
        let key = &rest[..end];
        rest = rest[end..].trim_start();
        let Some(value) = rest.strip_prefix('=') else { continue };
        let value = value.trim_start();
        let (said, behind) = match value.chars().next().filter(|quote| matches!(quote, '"' | '\'')) {
            Some(quote) => value[1..].split_once(quote)?,
            None => value.split_once(char::is_whitespace).unwrap_or((value, "")),
        };
        if key.eq_ignore_ascii_case(name) {
            return Some(said);
        }
        rest = behind;
    }
}

/// `Wed Mar 04 2026 10:00:00 …` as a day.
fn saved_on(text: &str) -> Option<Date> {
    let mut parts = text.split_whitespace().skip(1);
    let (month, day, year) = (parts.next()?, parts.next()?, parts.next()?);
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let month = months.iter().position(|known| *known == month)? + 1;
    leading_date(&format!("{year}-{month:02}-{day:0>2}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(html: &str, address: Option<&str>, day: Option<&str>) {
        assert_eq!(saved_from(html).map(|(address, _)| address), address, "{html}");
        assert_eq!(day_of_page(html).map(|day| day.to_string()).as_deref(), day, "{html}");
    }

    #[test]
    fn a_saved_page_says_where_it_is_from_and_of_when() {
        check(
            "<!DOCTYPE html>\n<!-- saved from url=(0025)https://example.org/a?b=1 -->\n<meta name=date content=2026-03-04>",
            Some("https://example.org/a?b=1"),
            Some("2026-03-04"),
        );
        check(
            "<html><!--\n Page saved with SingleFile \n url: https://example.org/x\n saved date: Wed Mar 04 2026 10:00:00 GMT+0100\n-->",
            Some("https://example.org/x"),
            Some("2026-03-04"),
        );
        check(
            "<META content='2026-03-05T10:00:00Z' property='article:published_time'><link href=\"https://example.org/c\" rel=\"canonical\">",
            Some("https://example.org/c"),
            Some("2026-03-05"),
        );
        check("<script>{\"datePublished\": \"2026-03-06T00:00\"}</script>", None, Some("2026-03-06"));
        check(
            "<meta name=date content=2026-01-01><meta property=article:modified_time content=2026-02-02>",
            None,
            Some("2026-02-02"),
        );
    }

    #[test]
    fn what_only_looks_so_says_nothing() {
        check("<p>saved from url=(1)https://example.org</p>", None, None);
        check("<!-- saved from url=(1)javascript:alert(1) -->", None, None);
        check("<meta name=date content='soon'><link rel=canonical href='/c'>", None, None);
        check("<meta name=\"date", None, None);
        check("<link rel=canonical href=\"https://example.org/a b\">", None, None);
        check("<", None, None);
        check("<meta = = =><é", None, None);
    }
}
