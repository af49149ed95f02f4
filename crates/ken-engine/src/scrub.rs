//! Keeping secrets out of the journal.
//!
//! [`scrub`] replaces what looks like a credential by `[redacted:KIND]`. It is a table of rules, runs in
//! linear time, and is idempotent. Rules for known providers match by shape; the generic rule for
//! `key = value` also asks whether the value looks random, so that digests, paths, variable names and
//! placeholders stay readable.
//!
//! It is a net, not a proof: a password in a plain sentence is not recognised.

use std::borrow::Cow;
use std::sync::OnceLock;

use aho_corasick::AhoCorasick;
use regex::{Captures, Regex};

mod look;
mod rules;

use rules::RULES;

/// Passes until nothing is found: what stands next to a replaced secret may only then show its shape.
const PASSES_MAX: usize = 4;

/// Replaces secrets in `text`; returns the text and how many were replaced.
///
/// ```
/// # use ken_engine::scrub::scrub;
/// assert_eq!(scrub("db is postgres://app:s3same@db/shop").0, "db is postgres://app:[redacted:url-password]@db/shop");
/// assert_eq!(scrub("commit 9f2c1e4").1, 0);
/// ```
pub fn scrub(text: &str) -> (Cow<'_, str>, usize) {
    let mut found = Cow::Borrowed(text);
    let mut n_total = 0;
    for _ in 0..PASSES_MAX {
        let rules = rules_for(&found);
        if rules.is_empty() {
            break;
        }
        let (next, n_found) = pass(&found, &rules);
        if n_found == 0 {
            break;
        }
        n_total += n_found;
        found = Cow::Owned(next);
    }
    (found, n_total)
}

struct Hints {
    /// Finds every hint of every rule in one search.
    search: AhoCorasick,
    /// The rule that each hint belongs to.
    rules: Vec<usize>,
}

/// The rules whose hints stand in the text, in their order; most texts need none, and a pattern is only
/// compiled when a text asks for it: together they take longer than a hook may.
fn rules_for(text: &str) -> Vec<usize> {
    static HINTS: OnceLock<Hints> = OnceLock::new();
    let hints = HINTS.get_or_init(|| {
        let all = RULES.iter().enumerate().flat_map(|(n, rule)| rule.hints.iter().map(move |hint| (*hint, n)));
        let (hints, rules): (Vec<&str>, Vec<usize>) = all.unzip();
        let search = AhoCorasick::builder().ascii_case_insensitive(true).build(hints);
        Hints { search: search.expect("hints are few and short"), rules }
    });
    let mut is_asked = vec![false; RULES.len()];
    hints.search.find_overlapping_iter(text).for_each(|found| is_asked[hints.rules[found.pattern().as_usize()]] = true);
    (0..RULES.len()).filter(|n| is_asked[*n]).collect()
}

fn pattern(n: usize) -> &'static Regex {
    static PATTERNS: OnceLock<Vec<OnceLock<Regex>>> = OnceLock::new();
    let patterns = PATTERNS.get_or_init(|| RULES.iter().map(|_| OnceLock::new()).collect());
    patterns[n].get_or_init(|| Regex::new(RULES[n].pattern).expect("a test compiles every rule"))
}

fn pass(text: &str, rules: &[usize]) -> (String, usize) {
    let mut text = text.to_owned();
    let mut n_found = 0;
    for n in rules {
        let rule = &RULES[*n];
        let replaced = pattern(*n).replace_all(&text, |found: &Captures<'_>| {
            let whole = found.get(0).expect("group 0 is the match");
            let secret = found.name("secret").unwrap_or(whole);
            if secret.as_str().contains("[redacted") || !(rule.is_secret)(secret.as_str()) {
                return whole.as_str().to_owned();
            }
            n_found += 1;
            let before = &whole.as_str()[..secret.start() - whole.start()];
            let after = &whole.as_str()[secret.end() - whole.start()..];
            format!("{before}[redacted:{}]{after}", rule.kind)
        });
        if let Cow::Owned(changed) = replaced {
            text = changed;
        }
    }
    (text, n_found)
}

#[cfg(test)]
mod tests;
