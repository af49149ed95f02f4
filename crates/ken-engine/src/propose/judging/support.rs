//! Claims whose source may not say them any more, and what is shown of it.
//!
//! Only claims that a rule found fault with are asked about: their cited text is gone, or does not contain
//! what they say. What was shown is part of the question's name, so that a source that changes again is
//! asked about again.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::claim::SourceRef;
use ken_core::{Diagnostic, Digest, LineIndex, Snapshot, Span, VaultPath, ground};

use super::standing::{Found, Standing};

/// A claim and what its source says now.
#[derive(Debug, Clone)]
pub(super) struct Question {
    /// The claim, among all that stand.
    pub(super) claim: usize,
    /// What is shown of its sources.
    pub(super) text: String,
    /// 16 digits that name both.
    pub(super) name: String,
}

/// A source of at most so many characters is shown whole.
const WHOLE_CHARS_MAX: usize = 6_000;
/// Lines around the cited ones that are shown of a longer one.
const AROUND_LINES: usize = 15;
/// Further places that share most words with the claim, and lines of each.
const PLACES_MAX: usize = 3;
const PLACE_LINES: usize = 5;
/// Most characters that are shown of one source.
const SHOWN_CHARS_MAX: usize = 9_000;

/// Returns the questions that the findings of other rules call for, in the order of the pages.
pub(super) fn questions(snapshot: &Snapshot, standing: &Standing, found: &[Diagnostic]) -> Vec<Question> {
    let mut faults: BTreeMap<&VaultPath, Vec<(&str, Span)>> = BTreeMap::new();
    for fault in found.iter().filter(|fault| matches!(fault.rule, "citation-gone" | "ungrounded-claim")) {
        faults.entry(&fault.path).or_default().push((fault.rule, fault.span));
    }
    let mut seen = BTreeSet::new();
    let mut out = Vec::new();
    for (n, claim) in standing.all.iter().enumerate() {
        let facts = &snapshot.pages[claim.page];
        let Some(faults) = faults.get(&facts.page.path).filter(|_| !claim.cited.is_empty()) else { continue };
        let is_ungrounded = || faults.iter().any(|(rule, span)| *rule == "ungrounded-claim" && *span == claim.span);
        let gone: Vec<SourceRef> = facts
            .footnotes
            .iter()
            .filter(|note| faults.iter().any(|(rule, span)| *rule == "citation-gone" && *span == note.span))
            .filter_map(|note| SourceRef::parse(note.text.of(&facts.page.text)))
            .collect();
        // A claim that one unchanged place still bears out needs no question.
        if !(claim.cited.iter().all(|cited| gone.contains(cited)) || is_ungrounded()) {
            continue;
        }
        let Some(text) = shown(snapshot, claim) else { continue };
        let name = Digest::of(format!("{}\0{text}", claim.name).as_bytes()).to_string()[..16].to_owned();
        if seen.insert(name.clone()) {
            out.push(Question { claim: n, text, name });
        }
    }
    out
}

/// What is shown of the sources of a claim; nothing when one of them cannot be read.
fn shown(snapshot: &Snapshot, claim: &Found) -> Option<String> {
    let mut by_path: BTreeMap<&VaultPath, Vec<(usize, usize)>> = BTreeMap::new();
    claim.cited.iter().for_each(|cited| by_path.entry(&cited.path).or_default().push(cited.lines));
    let mut out = String::new();
    for (path, cited) in by_path {
        let text = snapshot.sources.get(path)?.text.as_deref()?;
        let text = if text.chars().count() <= WHOLE_CHARS_MAX {
            text.trim().to_owned()
        } else {
            ken_core::text::cut(&parts(text, &cited, &claim.text), SHOWN_CHARS_MAX)
        };
        out.push_str(&format!("{path}:\n{text}\n"));
    }
    Some(out)
}

/// The lines around the cited ones, and those places that share most words with the claim.
pub(super) fn parts(text: &str, cited: &[(usize, usize)], claim: &str) -> String {
    let index = LineIndex::new(text);
    let n_lines = index.n_lines();
    let mut wanted: BTreeSet<usize> = BTreeSet::new();
    for (first, last) in cited {
        wanted.extend(first.saturating_sub(AROUND_LINES).max(1)..=(last + AROUND_LINES).min(n_lines));
    }
    let line = |n: usize| index.lines(n, n).map_or("", |span| span.of(text));
    let mut ranked: Vec<(u32, usize)> =
        (1..=n_lines).map(|n| ((ground::overlap(claim, &[line(n)]) * 1000.0) as u32, n)).collect();
    ranked.sort_by_key(|(share, n)| (std::cmp::Reverse(*share), *n));
    for (_, n) in ranked.into_iter().take(PLACES_MAX) {
        wanted.extend(n.saturating_sub(PLACE_LINES / 2).max(1)..=(n + PLACE_LINES / 2).min(n_lines));
    }
    let (mut out, mut last) = (String::new(), 0);
    for n in wanted {
        if n > last + 1 {
            out.push_str("[…]\n");
        }
        out.push_str(line(n).trim_end_matches(['\r', '\n']));
        out.push('\n');
        last = n;
    }
    out
}
