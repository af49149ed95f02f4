//! Claims about code that is there, and what that code says now.
//!
//! That a file or a function is gone is found without a model; that it does something else today takes reading. The claims
//! that were not said for longest come first, and what was judged is not asked again until the code that was shown
//! changes: so no claim is looked at for ever while another waits.

use std::collections::BTreeSet;

use ken_core::drift::{Reference, What, references};
use ken_core::{Digest, LineIndex, Snapshot};

use super::standing::{Found, Standing};
use super::support::parts;
use crate::drift::CodeTexts;
use crate::engine::Engine;
use crate::wiki::is_said_again;

/// A claim that was said less long ago is not asked about.
const AGE_DAYS_MIN: i32 = 30;
/// Most questions of one run.
pub(super) const ASKED_MAX: usize = 10;
/// Most characters that are shown of one file, and files that are shown for one claim.
const SHOWN_CHARS_MAX: usize = 4_000;
const FILES_MAX: usize = 2;
/// Mentions of what the claim names around which a longer file is shown.
const MENTIONS_MAX: usize = 3;

/// A claim and what the code that it names says now.
#[derive(Debug, Clone)]
pub(super) struct Question {
    /// The claim, among all that stand.
    pub(super) claim: usize,
    /// What is shown of the code.
    pub(super) text: String,
    /// The file that is shown first.
    pub(super) path: String,
    /// 16 digits that name claim and text.
    pub(super) name: String,
}

impl Engine {
    /// Returns the claims that were last said long enough ago and name code that is there, the oldest first; none where no
    /// project belongs to the vault.
    pub(super) fn code_questions(&self, snapshot: &Snapshot, standing: &Standing) -> Vec<Question> {
        let today = self.clock.today();
        let mut old: Vec<(usize, Vec<Reference>)> = Vec::new();
        for (n, claim) in standing.all.iter().enumerate() {
            // A roll-up says again what another page says.
            if is_said_again(&snapshot.pages[claim.page].entry) {
                continue;
            }
            let is_old = claim.day.is_none_or(|day| day.until(today).is_ok_and(|span| span.get_days() >= AGE_DAYS_MIN));
            let named = if is_old && claim.text.contains('/') { references(&claim.text) } else { Vec::new() };
            let named: Vec<Reference> = named.into_iter().filter(|one| one.path().is_some()).collect();
            if !named.is_empty() {
                old.push((n, named));
            }
        }
        if old.is_empty() {
            return Vec::new();
        }
        let Some(code) = self.code_texts() else { return Vec::new() };
        old.sort_by_key(|(n, _)| standing.all[*n].day);
        let mut seen = BTreeSet::new();
        let questions = old.iter().filter_map(|(n, named)| question(*n, &standing.all[*n], named, &code));
        questions.filter(|question| seen.insert(question.name.clone())).collect()
    }
}

fn question(claim: usize, found: &Found, named: &[Reference], code: &CodeTexts) -> Option<Question> {
    let mut shown: Vec<(String, String)> = Vec::new();
    for reference in named {
        // What is gone is found without reading.
        let (path, text) = code.text_of(reference)?;
        if !shown.iter().any(|(known, _)| *known == path) && shown.len() < FILES_MAX {
            let part = part(&text, reference, &found.text);
            shown.push((path, part));
        }
    }
    let path = shown.first()?.0.clone();
    let text: String = shown.iter().map(|(path, part)| format!("{path}:\n{part}\n")).collect();
    let name = Digest::of(format!("{}\0{text}", found.name).as_bytes()).to_string()[..16].to_owned();
    Some(Question { claim, text, path, name })
}

/// What is shown of a file: all of a short one, else what is around that which the claim names.
fn part(text: &str, reference: &Reference, claim: &str) -> String {
    if text.chars().count() <= SHOWN_CHARS_MAX {
        return text.trim().to_owned();
    }
    let lines = LineIndex::new(text);
    let around: Vec<(usize, usize)> = match &reference.what {
        What::Line { line, .. } => vec![(*line, *line)],
        What::InFile { names, .. } => {
            let name = names.last().map_or("", String::as_str);
            let found = text.match_indices(name).map(|(at, _)| lines.line_of(at));
            found.take(MENTIONS_MAX).map(|line| (line, line)).collect()
        }
        _ => Vec::new(),
    };
    ken_core::text::cut(&parts(text, &around, claim), SHOWN_CHARS_MAX)
}
