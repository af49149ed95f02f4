//! A statement as a page shows it.

use std::borrow::Cow;

use ken_core::link::links;
use ken_core::page::outline::{as_text, before_end};
use ken_core::text::capital;
use ken_core::trust::{EXTERNAL_CLAIM, UNVERIFIED_CLAIM, UNVERIFIED_STATEMENT, stale_mark};
use ken_core::words::is_stop;
use ken_core::{Date, Slug, Span};

use super::{Statement, plain};
use crate::passage::PassageKind;
use crate::{alone, dates};

/// Returns the statement as a reader sees it, without links and emphasis.
pub fn shown_text(statement: &Statement) -> String {
    plain(&dated(statement))
}

pub(super) fn dated(statement: &Statement) -> String {
    let day = statement.said_on.filter(|_| statement.telling.is_none_or(|telling| telling.is_dated));
    day.map_or_else(|| statement.text.clone(), |day| dates::resolve(&statement.text, day))
}

/// Returns the statement as it stands on the page, with a mark where nobody vouches for it or it may say too much.
pub(crate) fn claim_text(statement: &Statement, resolve: &dyn Fn(&str) -> Option<Slug>) -> String {
    let mark = match (statement.is_vouched_for, statement.is_unverified()) {
        (false, _) => EXTERNAL_CLAIM,
        (true, true) => UNVERIFIED_CLAIM,
        (true, false) => "",
    };
    // The mark of the page says what the statement says of itself.
    let said = dated(statement).replacen(UNVERIFIED_STATEMENT, "", 1);
    let text = escaped(&begun(bare(statement, &said), statement.kind), resolve);
    // Inside of the sentence, so that no cut parts the two.
    if statement.stale.is_empty() { text + mark } else { before_end(&text, &stale_mark(&statement.stale)) }
}

/// What a statement says; that it tells what was wrong, its heading says.
pub(crate) fn bare<'t>(statement: &Statement, said: &'t str) -> &'t str {
    if statement.is_fault { alone::without_fault_label(said) } else { said }
}

/// Returns the pages that the links of a statement lead to.
pub(crate) fn linked_pages(statement: &Statement, resolve: &dyn Fn(&str) -> Option<Slug>) -> Vec<Option<Slug>> {
    if !statement.text.contains('[') {
        return Vec::new();
    }
    let shown = dated(statement);
    let text = begun(bare(statement, &shown), statement.kind);
    links(&text, Span::new(0, text.len())).iter().map(|link| resolve(link.target.of(&text))).collect()
}

/// A sentence that goes on in small letters where it was said, as one that begins here; names keep their spelling.
fn begun(text: &str, kind: PassageKind) -> Cow<'_, str> {
    let first = text.split(' ').next().unwrap_or("");
    let is_word = first.chars().all(|ch| ch.is_lowercase() || ch == '\'');
    // What a person settles often begins with what shall be done: `make that 90`.
    let is_plain = is_word && (is_stop(first) || kind == PassageKind::Decision);
    if is_plain { Cow::Owned(capital(text)) } else { Cow::Borrowed(text) }
}

/// A text with its links resolved; those that lead nowhere are plain text.
pub(super) fn linked(text: &str, resolve: &dyn Fn(&str) -> Option<Slug>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for link in links(text, Span::new(0, text.len())) {
        let shown = link.shown.unwrap_or(link.target).of(text);
        out.push_str(&text[from..link.span.start]);
        match resolve(link.target.of(text)) {
            Some(slug) if shown == slug.as_str() => out.push_str(&format!("[[{slug}]]")),
            Some(slug) => out.push_str(&format!("[[{slug}|{shown}]]")),
            None if is_day(link.target.of(text)) => out.push_str(link.span.of(text)),
            None => out.push_str(shown),
        }
        from = link.span.end;
    }
    out.push_str(&text[from..]);
    out
}

/// Whether a link leads to a day of a journal by its place: `daily/2026-04-01`.
fn is_day(target: &str) -> bool {
    let name = target.rsplit_once('/').map(|(_, name)| name.strip_suffix(".md").unwrap_or(name));
    name.is_some_and(|name| name.parse::<Date>().is_ok())
}

/// Returns a text with its links resolved, in which nothing can pass for a citation, a comment or a block.
pub(crate) fn escaped(text: &str, resolve: &dyn Fn(&str) -> Option<Slug>) -> String {
    let out = linked(text, resolve);
    // A backslash at the end would take the citation behind it for text.
    let mut out = as_text(out.trim_end_matches('\\'));
    // A line that says where a label leads is not shown, and may lead anywhere.
    if out.starts_with('[') && !out.starts_with("[[") && out.contains("]:") {
        out.insert(0, '\\');
    }
    let starts_list = out.split_once(['.', ')']).is_some_and(|(digits, rest)| {
        digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.is_empty() && rest.starts_with(' ')
    });
    if starts_list { out.replacen(['.', ')'], "\\.", 1) } else { out }
}
