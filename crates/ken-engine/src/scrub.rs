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

use regex::{Captures, Regex};

mod look;
mod rules;

use rules::{RULES, Rule};

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
        if !compiled().any_hint.is_match(&found) {
            break;
        }
        let (next, n_found) = pass(&found);
        if n_found == 0 {
            break;
        }
        n_total += n_found;
        found = Cow::Owned(next);
    }
    (found, n_total)
}

struct Compiled {
    /// Whether any rule can match at all: one fast search for most texts.
    any_hint: Regex,
    rules: Vec<(&'static Rule, Regex)>,
}

fn compiled() -> &'static Compiled {
    static COMPILED: OnceLock<Compiled> = OnceLock::new();
    COMPILED.get_or_init(|| {
        let hints: Vec<String> = RULES.iter().flat_map(|rule| rule.hints).map(|hint| regex::escape(hint)).collect();
        let any_hint = Regex::new(&format!("(?i){}", hints.join("|"))).expect("hints are escaped");
        let compile = |rule: &'static Rule| (rule, Regex::new(rule.pattern).expect("a test compiles every rule"));
        Compiled { any_hint, rules: RULES.iter().map(compile).collect() }
    })
}

fn pass(text: &str) -> (String, usize) {
    let mut text = text.to_owned();
    let mut n_found = 0;
    for (rule, regex) in &compiled().rules {
        let replaced = regex.replace_all(&text, |found: &Captures<'_>| {
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
