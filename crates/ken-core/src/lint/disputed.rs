//! Rules about claims that cannot all be true: disputes that nobody ends, and replacements that run in a circle.

use std::collections::{BTreeMap, BTreeSet};

use super::{Context, Rule};
use crate::claim::{Claim, ClaimState};
use crate::diagnostic::{Diagnostic, Severity};
use crate::dispute::disputes;
use crate::page::outline::claims;
use crate::path::VaultPath;
use crate::span::{LineIndex, Span};
use crate::text::{cut, one_line};
use crate::words::folded_words;

/// Days a dispute may be open before it is worth a word: as long as a question waits for who is away.
const OPEN_DAYS: i32 = 14;
/// Longest claim in a message, in characters.
const SHOWN_CHARS_MAX: usize = 80;

/// A dispute that has been open for long.
pub(super) struct OpenDispute;

impl Rule for OpenDispute {
    fn name(&self) -> &'static str {
        "open-dispute"
    }
    fn severity(&self) -> Severity {
        Severity::Warning
    }
    fn doc(&self) -> &'static str {
        "claims of a compiled page have been disputed for more than 14 days; until somebody says which holds, none of them is told as true"
    }
    fn check(&self, cx: Context<'_>, out: &mut Vec<Diagnostic>) {
        // A dispute stands on every page of its claims; one finding is enough.
        let mut seen: BTreeSet<Vec<String>> = BTreeSet::new();
        for facts in cx.snapshot.pages.iter().filter(|facts| facts.entry.is_owned) {
            for dispute in disputes(&facts.page) {
                let Some(since) = dispute.since() else { continue };
                if !seen.insert(dispute.claims.iter().map(|claim| claim.text.clone()).collect()) {
                    continue;
                }
                let days = (cx.today - since).get_days();
                let [first, other, ..] = &dispute.claims[..] else { continue };
                if days <= OPEN_DAYS {
                    continue;
                }
                let lines = LineIndex::new(&facts.page.text);
                let span = lines.lines(first.lines.0, first.lines.1).unwrap_or(Span::new(0, 0));
                let message =
                    format!("disputed for {days} days: \"{}\" and \"{}\"", shown(&first.text), shown(&other.text));
                let hint = format!("say which holds with `ken resolve {}`", facts.entry.slug);
                out.push(Diagnostic::new(self.name(), self.severity(), &facts.page.path, span, message).hint(hint));
            }
        }
    }
}

/// A claim that was replaced by one that was replaced by it.
pub(super) struct ReplacedInCircle;

impl Rule for ReplacedInCircle {
    fn name(&self) -> &'static str {
        "replaced-in-circle"
    }
    fn severity(&self) -> Severity {
        Severity::Warning
    }
    fn doc(&self) -> &'static str {
        "one page says that a claim was replaced by another, and a page says the same the other way round; nothing says that the first returned"
    }
    fn check(&self, cx: Context<'_>, out: &mut Vec<Diagnostic>) {
        let mut all: BTreeMap<Vec<String>, Struck> = BTreeMap::new();
        for facts in cx.snapshot.pages.iter().filter(|facts| facts.entry.is_owned) {
            for Claim { span, text: old, state, .. } in claims(&facts.page) {
                let ClaimState::Superseded { now: Some(now), .. } = state else { continue };
                all.entry(folded_words(&old)).or_insert(Struck { path: facts.page.path.clone(), span, old, now });
            }
        }
        for (key, first) in &all {
            let (mut at, mut way) = (first, vec![key]);
            while let Some((next, entry)) = find(&all, &at.now) {
                // A circle is told where its first claim stands.
                if next == key && way.len() > 1 {
                    if way.iter().all(|other| key <= *other) {
                        out.push(self.found(first, at));
                    }
                    break;
                }
                if way.contains(&next) {
                    break;
                }
                way.push(next);
                at = entry;
            }
        }
    }
}

impl ReplacedInCircle {
    fn found(&self, first: &Struck, last: &Struck) -> Diagnostic {
        let (a, b) = (shown(&first.old), shown(&last.old));
        let message = format!("\"{a}\" is replaced by what it replaced: \"{b}\" (`{}`)", last.path);
        Diagnostic::new(self.name(), self.severity(), &first.path, first.span, message)
            .hint("say what holds now with `ken log`, or correct the day of the line that is wrong")
    }
}

/// A replaced claim, as it stands on a page.
struct Struck {
    path: VaultPath,
    span: Span,
    old: String,
    now: String,
}

fn shown(text: &str) -> String {
    cut(&one_line(text), SHOWN_CHARS_MAX)
}

/// The claim that a page says to hold now, if that is said to be replaced; what holds may be cut.
fn find<'a>(all: &'a BTreeMap<Vec<String>, Struck>, now: &str) -> Option<(&'a Vec<String>, &'a Struck)> {
    let mut key = folded_words(now);
    if !now.ends_with('…') {
        return all.get_key_value(&key);
    }
    key.pop();
    let from = key.clone();
    all.range(from..).next().filter(|(old, _)| !key.is_empty() && old.starts_with(&key))
}
