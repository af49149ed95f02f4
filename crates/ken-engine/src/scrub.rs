//! Keeping secrets out of the journal.
//!
//! [`scrub`] replaces what looks like a credential by `[redacted:KIND]`; [`find`] says where. Both work from
//! tables of rules, run in linear time, and are idempotent. Rules for known providers match by shape; the
//! rules for names and values (`key = value`) also ask whether the value looks random, so that digests,
//! paths, variable names and placeholders stay readable.
//!
//! Key blocks are looked for in the whole text, everything else line by line: one search finds the lines in
//! which anything could match, and only those rules run whose hint stands there.
//!
//! It is a net, not a proof; `cargo xtask scrub` measures it.

use std::borrow::Cow;
use std::collections::BTreeMap;

use ken_core::Span;
use memchr::{memchr, memmem};

mod assigned;
mod block;
mod look;
mod providers;
mod rule;
mod sieve;

use rule::Rule;
use sieve::sieve;

/// Passes until nothing is found: what stands next to a replaced secret may only then show its shape.
const PASSES_MAX: usize = 4;

/// What stands in the place of every secret, up to its kind.
const MARK: &str = "[redacted:";
/// Longer than any mark.
const MARK_MAX: usize = 64;

/// A secret in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    /// Where it stands.
    pub span: Span,
    /// What it is, as the mark in its place says.
    pub kind: &'static str,
}

impl Found {
    /// Returns the text that stands in its place.
    pub fn mark(&self) -> String {
        ken_core::redact::mark(self.kind)
    }
}

/// Replaces secrets in `text`; returns the text and how many were replaced.
///
/// ```
/// # use ken_engine::scrub::scrub;
/// assert_eq!(scrub("db is postgres://app:s3same@db/shop").0, "db is postgres://app:[redacted:url-password]@db/shop");
/// assert_eq!(scrub("commit 9f2c1e4").1, 0);
/// ```
pub fn scrub(text: &str) -> (Cow<'_, str>, usize) {
    let found = find(text);
    if found.is_empty() {
        return (Cow::Borrowed(text), 0);
    }
    let (mut clean, mut n_found) = (replaced(text, &found), found.len());
    // What was glued to a secret may only be seen once that is gone.
    for _ in 0..ROUNDS_MAX {
        let more = find(&clean);
        if more.is_empty() {
            break;
        }
        clean = replaced(&clean, &more);
        n_found += more.len();
    }
    (Cow::Owned(clean), n_found)
}

/// How often a text is looked at again: no more secrets than that stand without a gap between them.
const ROUNDS_MAX: usize = 4;

/// Finds secrets in `text`, in the order they stand in.
pub fn find(text: &str) -> Vec<Found> {
    let mut found = Vec::new();
    let mut at = 0;
    for block in block::find(text) {
        found.extend(between(text, Span::new(at, block.span.start)));
        found.push(block);
        at = block.span.end;
    }
    found.extend(between(text, Span::new(at, text.len())));
    found
}

/// Finds secrets in what stands between key blocks.
fn between(text: &str, span: Span) -> Vec<Found> {
    let mut found = Vec::new();
    sieve().lines(span.of(text), |line, rules| {
        let line = Span::new(span.start + line.start, span.start + line.end);
        found.extend(in_line(line.of(text), rules).into_iter().map(|one| shifted(one, line.start)));
    });
    found
}

/// Finds secrets in one line, whose first pass needs only these rules.
fn in_line(line: &str, rules: sieve::Rules) -> Vec<Found> {
    let mut all = pass(line, rules);
    for _ in 1..PASSES_MAX {
        if all.is_empty() {
            break;
        }
        let next = replaced(line, &all);
        let mut more = Vec::new();
        sieve().lines(&next, |span, rules| {
            more.extend(pass(span.of(&next), rules).into_iter().map(|one| shifted(one, span.start)));
        });
        let before = all.len();
        let back: Vec<Found> = more.iter().filter_map(|one| unreplaced(one, &all)).collect();
        all.extend(back);
        all = in_order(all);
        if all.len() == before {
            break;
        }
    }
    all
}

/// Runs each rule once; where two meet, the one that stands first in the tables wins.
fn pass(line: &str, rules: sieve::Rules) -> Vec<Found> {
    let mut found: BTreeMap<usize, Found> = BTreeMap::new();
    for (rule, regex) in sieve().of(rules) {
        for captures in regex.captures_iter(line) {
            let whole = captures.get(0).expect("group 0 is the match");
            let secret = captures.name("secret").unwrap_or(whole);
            let span = Span::new(secret.start(), secret.end());
            let is_taken = found.range(..span.end).next_back().is_some_and(|(_, other)| span.start < other.span.end);
            let before = &line[whole.start()..span.start];
            if !is_taken && is_secret(rule, before, secret.as_str()) && !is_in_mark(line, span.start) {
                found.insert(span.start, Found { span, kind: rule.kind });
            }
        }
    }
    found.into_values().collect()
}

fn is_secret(rule: &Rule, before: &str, value: &str) -> bool {
    let lower = before.to_ascii_lowercase();
    !value.contains("[redacted") && !rule.unless.iter().any(|word| lower.contains(word)) && (rule.is_secret)(value)
}

/// Whether a place lies in the mark of an earlier run.
fn is_in_mark(line: &str, at: usize) -> bool {
    let before = &line.as_bytes()[at.saturating_sub(MARK_MAX)..at];
    memmem::rfind(before, MARK.as_bytes()).is_some_and(|mark| memchr(b']', &before[mark..]).is_none())
}

fn in_order(mut found: Vec<Found>) -> Vec<Found> {
    found.sort_by_key(|one| one.span.start);
    found
}

fn shifted(found: Found, by: usize) -> Found {
    Found { span: Span::new(found.span.start + by, found.span.end + by), ..found }
}

/// Returns the text with a mark in the place of each secret.
fn replaced(text: &str, found: &[Found]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for one in found {
        out.push_str(&text[at..one.span.start]);
        out.push_str(&one.mark());
        at = one.span.end;
    }
    out + &text[at..]
}

/// Returns where something found beside the marks of `known` stands in the text without them; `None` for
/// what reaches into a mark.
fn unreplaced(one: &Found, known: &[Found]) -> Option<Found> {
    let (mut span, mut grown) = (one.span, 0isize);
    for mark in known {
        let start = mark.span.start.checked_add_signed(grown)?;
        let end = start + mark.mark().len();
        if one.span.end <= start {
            break;
        }
        if one.span.start < end {
            return None;
        }
        grown += mark.mark().len() as isize - (mark.span.end - mark.span.start) as isize;
        span = Span::new(one.span.start.checked_add_signed(-grown)?, one.span.end.checked_add_signed(-grown)?);
    }
    Some(Found { span, ..*one })
}

#[cfg(test)]
mod tests;
