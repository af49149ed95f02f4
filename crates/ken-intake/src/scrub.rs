//! The one way in for text: what nobody sees is taken out, and then secrets are covered.
//!
//! Every text that is stored passes [`scrub`] before anything else looks at it: transcripts, notes, documents,
//! replies of models, what people write into compiled pages. [`readable`] is the same for what stands on disk
//! already and may be from anybody; it keeps every line where it is, so that lines can be cited.
//!
//! [`find`] says where secrets are. It works from tables of rules, in linear time. Rules for known providers
//! match by shape; the rules for names and values (`key = value`) also ask whether the value looks random, so
//! that digests, paths, variable names and placeholders stay readable. A text is looked at as it stands
//! without what nobody sees, decoded where it is percent-encoded, escaped or base64, and over line ends.
//! Where something was covered it is looked at again, until nothing more shows.
//!
//! One search finds the lines in which anything could match, and only those rules run whose hint stands there.
//!
//! It is a net, not a proof; `cargo xtask scrub` measures it.

use std::borrow::Cow;
use std::collections::BTreeMap;

use ken_core::Span;
use ken_core::clean::{clean, unseen};
use ken_core::redact::{Cut, redacted};
use memchr::{memchr, memmem, memrchr};

mod across;
mod assigned;
mod block;
mod coded;
mod look;
mod providers;
mod rule;
mod sieve;
mod spoken;
mod view;

use rule::Rule;
use sieve::sieve;
use view::View;

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

/// Takes out of `text` what nobody sees and replaces its secrets; returns the text and how many were replaced.
///
/// ```
/// # use ken_intake::scrub::scrub;
/// assert_eq!(scrub("db is postgres://app:s3same@db/shop").0, "db is postgres://app:[redacted:url-password]@db/shop");
/// assert_eq!(scrub("pass\u{200b}word: hunter\u{ad}22!").0, "password: [redacted:password]");
/// assert_eq!(scrub("commit 9f2c1e4").1, 0);
/// ```
pub fn scrub(text: &str) -> (Cow<'_, str>, usize) {
    let mut clean = clean(text);
    let mut n_found = 0;
    // A block of several lines becomes one, and what stood around it are neighbours then.
    for _ in 0..ROUNDS_MAX {
        let found = find(&clean);
        if found.is_empty() {
            break;
        }
        let is_last = found.iter().all(|one| memchr(b'\n', one.span.of(&clean).as_bytes()).is_none());
        n_found += found.len();
        clean = Cow::Owned(replaced(&clean, &found));
        if is_last {
            break;
        }
    }
    (clean, n_found)
}

/// Returns a text with its secrets covered and all else as it is, for what is refused for what it hides.
pub fn covered(text: &str) -> Cow<'_, str> {
    match find(text) {
        found if found.is_empty() => Cow::Borrowed(text),
        found => Cow::Owned(replaced(text, &found)),
    }
}

/// Returns what is stored as it may be read: cleaned, its secrets covered, every line in its place.
pub fn readable(text: &str) -> Cow<'_, str> {
    let clean = clean(text);
    let cuts: Vec<Cut> = find(&clean).into_iter().map(|one| Cut::new(one.span, one.kind)).collect();
    if cuts.is_empty() {
        return clean;
    }
    let covered = redacted(clean.as_bytes(), &cuts).and_then(|bytes| String::from_utf8(bytes).ok());
    Cow::Owned(covered.expect("what was found lies in the text, in order and apart"))
}

/// How often a text is looked at again: no more secrets than that stand without a gap between them.
const ROUNDS_MAX: usize = 8;

/// Finds secrets in `text`, in the order they stand in, none of which meet.
pub fn find(text: &str) -> Vec<Found> {
    let unseen = unseen(text);
    if unseen.is_empty() {
        return find_seen(text);
    }
    let view = View::without(text, &unseen);
    let found = find_seen(&view.text).into_iter();
    found.map(|one| Found { span: view.source(one.span), ..one }).collect()
}

/// Finds secrets, and what only shows once those are covered.
fn find_seen(text: &str) -> Vec<Found> {
    let mut all = apart(once(text));
    let mut new = all.clone();
    for _ in 1..ROUNDS_MAX {
        let more: Vec<Found> = around(text, &new).into_iter().flat_map(|region| again(text, region, &all)).collect();
        if more.is_empty() {
            break;
        }
        all.extend(more.iter().copied());
        all = apart(all);
        new = more;
    }
    all
}

/// Runs every way to look over a text once.
fn once(text: &str) -> Vec<Found> {
    let mut found = Vec::new();
    let mut at = 0;
    for block in block::find(text) {
        between(text, Span::new(at, block.span.start), &mut found);
        found.push(block);
        at = block.span.end;
    }
    between(text, Span::new(at, text.len()), &mut found);
    found.extend(coded::find(text));
    found
}

/// Finds secrets in what stands between key blocks.
fn between(text: &str, span: Span, found: &mut Vec<Found>) {
    sieve().lines(span.of(text), |line, rules| {
        let line = line.shifted(span.start);
        let start = found.len();
        found.extend(pass(line.of(text), rules).into_iter().map(|one| shifted(one, line.start)));
        let further = across::find(text, line, &found[start..]);
        found.extend(further);
    });
}

/// Finds secrets within the lines of a text.
fn lines_of(text: &str) -> Vec<Found> {
    let mut found = Vec::new();
    sieve().lines(text, |line, rules| {
        found.extend(pass(line.of(text), rules).into_iter().map(|one| shifted(one, line.start)));
    });
    found
}

/// The lines in and beside which something was found.
fn around(text: &str, found: &[Found]) -> Vec<Span> {
    let bytes = text.as_bytes();
    let line_start = |at: usize| memrchr(b'\n', &bytes[..at]).map_or(0, |end| end + 1);
    let line_end = |at: usize| memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |len| at + len);
    let mut regions: Vec<Span> = Vec::new();
    for one in found {
        let start = line_start(line_start(one.span.start).saturating_sub(1));
        let end = line_end((line_end(one.span.end) + 1).min(bytes.len()));
        match regions.last_mut() {
            Some(last) if start <= last.end => last.end = last.end.max(end),
            _ => regions.push(Span::new(start, end)),
        }
    }
    regions
}

/// Looks at a part of a text again, with marks in the place of what is known.
fn again(text: &str, region: Span, known: &[Found]) -> Vec<Found> {
    let mut view = View::default();
    let mut at = region.start;
    let first = known.partition_point(|one| one.span.end <= region.start);
    for one in known[first..].iter().take_while(|one| one.span.start < region.end) {
        view.copy(text, Span::new(at, one.span.start.max(at)));
        let n_lines = one.span.of(text).matches('\n').count();
        view.put(&(one.mark() + &"\n".repeat(n_lines)), one.span);
        at = one.span.end;
    }
    view.copy(text, Span::new(at, region.end.max(at)));
    once(&view.text).into_iter().map(|one| Found { span: view.source(one.span), ..one }).collect()
}

/// Joins what meets: where one secret lies in another, only the whole is one.
fn apart(mut found: Vec<Found>) -> Vec<Found> {
    found.sort_by_key(|one| (one.span.start, std::cmp::Reverse(one.span.end)));
    let mut out: Vec<Found> = Vec::with_capacity(found.len());
    for one in found {
        match out.last_mut() {
            Some(last) if one.span.start < last.span.end => last.span.end = last.span.end.max(one.span.end),
            _ => out.push(one),
        }
    }
    out
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

#[cfg(test)]
mod tests;
