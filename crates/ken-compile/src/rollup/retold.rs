//! A roll-up in better sentences: what a model may tell of its lines, and the lines that sentences take the place of.
//!
//! A sentence stands among the lines of its section, with all that those cite that it was made from, so that whoever reads
//! the page sees no difference. What no sentence says stays as it is.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::claim::SourceRef;
use ken_core::page::outline::SYNTHESIS;
use ken_core::rollup::Rolled;
use ken_core::time::leading_date;
use ken_core::trust::{EXTERNAL_CLAIM, UNVERIFIED_CLAIM, stale_in};
use ken_core::{Date, Digest, VaultPath};

use super::line::{Line, Section};
use crate::compose::escaped;

/// Fewest lines that are worth telling.
const LINES_MIN: usize = 3;
/// Most lines that are told: what a model reads and says again with care.
const LINES_MAX: usize = 60;

/// A roll-up that is over, as whoever tells it in better sentences reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rollup {
    /// What it is of.
    pub period: Rolled,
    /// Its place.
    pub path: VaultPath,
    /// 16 digits that name its lines: a telling of others is none of it.
    pub digest: String,
    /// What may be told, in the order of the page.
    pub lines: Vec<RollupLine>,
    /// What the lines cite.
    pub sources: BTreeSet<VaultPath>,
}

/// A line of a roll-up that may be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RollupLine {
    /// The heading that it stands below.
    pub heading: &'static str,
    /// What it says.
    pub text: String,
    /// The newest day that it cites.
    pub date: Option<Date>,
}

/// A sentence that tells lines of a roll-up; all of them stand below one heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RollupSentence {
    /// What it says.
    pub text: String,
    /// The lines that it was made from, counted from 0, in order.
    pub lines: Vec<usize>,
    /// Those of them that it says whole, so that it takes their place.
    pub said: Vec<usize>,
}

/// Who tells roll-ups in better sentences.
pub trait Teller: Sync {
    /// Returns what names the sentences for the roll-up with lines of this digest; 0 for none.
    fn rolled_fingerprint(&self, digest: &str) -> u64;

    /// Returns the sentences in which a roll-up is told, checked.
    fn rolled(&self, rollup: &Rollup) -> Vec<RollupSentence>;
}

/// Returns the shown lines of a period that is over as they are told, and what was told; nothing where they are too few.
pub(super) fn tell(
    (period, path): (Rolled, &VaultPath),
    shown: &[&Line],
    teller: &dyn Teller,
) -> Option<(Vec<Line>, Rollup)> {
    let told = told_lines(shown);
    let lines: Vec<&Line> = told.iter().map(|n| shown[*n]).collect();
    let rollup = (!told.is_empty()).then(|| rollup(period, path.clone(), &lines))?;
    Some((retell(shown, &told, &teller.rolled(&rollup)), rollup))
}

/// Whether a line may be told: it holds, and is no task. Whose word it is, and how sure it is, no other sentence tells.
fn may_be_told(line: &Line) -> bool {
    let is_told = matches!(line.section, Section::Changes | Section::Decisions | Section::Lessons | Section::Outcomes);
    let is_marked = [EXTERNAL_CLAIM, UNVERIFIED_CLAIM, SYNTHESIS].iter().any(|mark| line.text.contains(mark));
    is_told && !is_marked && stale_in(&line.text).is_none()
}

/// Returns which of the shown lines may be told, in the order of the page; none where they are too few.
fn told_lines(shown: &[&Line]) -> Vec<usize> {
    let mut out: Vec<usize> = Vec::new();
    for section in Section::ALL {
        out.extend((0..shown.len()).filter(|n| shown[*n].section == section && may_be_told(shown[*n])));
    }
    out.truncate(LINES_MAX);
    if out.len() < LINES_MIN { Vec::new() } else { out }
}

/// Returns some of the shown lines as whoever tells them reads them.
fn rollup(period: Rolled, path: VaultPath, lines: &[&Line]) -> Rollup {
    let day = |cited: &SourceRef| leading_date(cited.path.file_name());
    let line = |line: &&Line| RollupLine {
        heading: line.section.heading(),
        text: line.text.clone(),
        date: line.cited.iter().filter_map(day).max(),
    };
    let sources = lines.iter().flat_map(|line| &line.cited).map(|cited| cited.path.clone()).collect();
    let lines: Vec<RollupLine> = lines.iter().map(line).collect();
    let named: Vec<String> =
        lines.iter().map(|line| format!("{}\0{}\0{:?}", line.heading, line.text, line.date)).collect();
    let digest = Digest::of(format!("{period}\n{}", named.join("\n")).as_bytes()).to_string()[..16].to_owned();
    Rollup { period, path, digest, lines, sources }
}

/// Returns the shown lines with sentences in the place of those that they say; `told` are the lines that were told, by
/// their places among the shown.
fn retell(shown: &[&Line], told: &[usize], sentences: &[RollupSentence]) -> Vec<Line> {
    let mut instead: BTreeMap<usize, Line> = BTreeMap::new();
    let mut gone: BTreeSet<usize> = BTreeSet::new();
    for sentence in sentences {
        let at = |n: &usize| told.get(*n).copied();
        let said: Vec<usize> = sentence.said.iter().filter_map(at).collect();
        let Some(first) = said.iter().min().copied().filter(|_| said.iter().all(|n| !gone.contains(n))) else {
            continue;
        };
        let made_from: Vec<usize> = sentence.lines.iter().filter_map(at).collect();
        // What tells of several pieces of work stands below none of them.
        let of_one = made_from.iter().all(|n| shown[*n].work == shown[first].work);
        let work = if of_one { shown[first].work.clone() } else { String::new() };
        let mut cited: Vec<SourceRef> = Vec::new();
        for one in made_from.iter().flat_map(|n| &shown[*n].cited) {
            if !cited.contains(one) {
                cited.push(one.clone());
            }
        }
        gone.extend(said);
        let text = escaped(&sentence.text, &|_| None);
        instead.insert(first, Line { work, text, cited, ..shown[first].clone() });
    }
    let kept = |n: usize| instead.get(&n).cloned().or_else(|| (!gone.contains(&n)).then(|| shown[n].clone()));
    (0..shown.len()).filter_map(kept).collect()
}
