//! What recorded judgements find.
//!
//! Takes recorded replies, puts them through their check again, and returns a finding for each whose claims
//! still stand in the very words that were judged. What a judge says is shown as a quote: cleaned, cut, and
//! left out when it speaks to its reader.

use ken_core::lint::judged::{CODE_SAYS_OTHERWISE, CONTRADICTION, JudgedRule, UNSUPPORTED_CLAIM};
use ken_core::settled::{Settlement, Side};
use ken_core::text::{cut, one_line};
use ken_core::{Diagnostic, LineIndex, Snapshot, clash};

use super::standing::{Found, Standing};
use super::support::Question;
use crate::engine::Engine;
use crate::propose::check::{Report, why_unsafe};
use crate::propose::kinds::Kind;
use crate::propose::kinds::judge::{self, Verdict};
use crate::propose::record::{Record, Replies};

/// Most characters of a claim, and of a reason, in a message.
const CLAIM_CHARS_MAX: usize = 120;
const REASON_CHARS_MAX: usize = 160;

impl Engine {
    /// Returns the pairs of claims that were judged and cannot both be true.
    pub(super) fn contradictions(
        &self,
        snapshot: &Snapshot,
        standing: &Standing,
        replies: &Replies,
    ) -> Vec<Diagnostic> {
        let found = self.judged_pairs(standing, replies).into_iter();
        found.filter_map(|pair| contradiction(snapshot, &pair)).collect()
    }

    /// Returns the pairs of claims that were judged and still stand.
    pub(super) fn judged_pairs<'s>(&self, standing: &'s Standing, replies: &Replies) -> Vec<JudgedPair<'s>> {
        let mut out = Vec::new();
        for input in replies.inputs(Kind::Judge) {
            let Some((record, verdict, reason)) = self.verdict(replies, Kind::Judge, input) else { continue };
            let names: Vec<&str> = record.shown.claims.keys().map(String::as_str).collect();
            let [first, second] = names[..] else { continue };
            // A record comes with a clone: one that names other claims than it was asked about is none.
            if clash::pair_name(first, second) != input {
                continue;
            }
            let (Some(first), Some(second)) = (standing.find(first), standing.find(second)) else { continue };
            let id = id_of(&CONTRADICTION, input);
            out.push(JudgedPair { id, first, second, verdict, model: record.manner.model.clone(), reason });
        }
        out
    }

    /// Returns the claims that were judged and that their sources do not say.
    pub(super) fn unsupported(
        &self,
        snapshot: &Snapshot,
        standing: &Standing,
        questions: &[Question],
        replies: &Replies,
    ) -> Vec<Diagnostic> {
        let mut out = Vec::new();
        for question in questions {
            let Some((record, verdict, reason)) = self.verdict(replies, Kind::Support, &question.name) else {
                continue;
            };
            if verdict == Verdict::Unsupported {
                let says = Says { model: &record.manner.model, reason: &reason };
                let found = unsupported(snapshot, &standing.all[question.claim], &says);
                out.push(Diagnostic { id: id_of(&UNSUPPORTED_CLAIM, &question.name), ..found });
            }
        }
        out
    }

    /// Returns the claims that were judged and of which their code says otherwise.
    pub(super) fn otherwise_in_code(
        &self,
        snapshot: &Snapshot,
        standing: &Standing,
        questions: &[super::code::Question],
        replies: &Replies,
    ) -> Vec<Diagnostic> {
        let judged = questions.iter().filter_map(|one| Some((one, self.verdict(replies, Kind::Code, &one.name)?)));
        let denied = judged.filter(|(_, (_, verdict, _))| *verdict == Verdict::Unsupported);
        let found = denied.map(|(question, (record, _, reason))| {
            let says = Says { model: &record.manner.model, reason: &reason };
            let message = format!("`{}` says otherwise", question.path);
            let found = finding(&CODE_SAYS_OTHERWISE, snapshot, &standing.all[question.claim], message);
            let found =
                found.hint(says.hint("the code does not do this")).hint("`ken log` what holds now, and compile");
            Diagnostic { id: id_of(&CODE_SAYS_OTHERWISE, &question.name), ..found }
        });
        found.collect()
    }

    fn verdict(&self, replies: &Replies, kind: Kind, input: &str) -> Option<(Record, Verdict, String)> {
        if !replies.has(kind, input) {
            return None;
        }
        let record = self.standing(replies, kind, input)?;
        let reply = ken_model::json_of(&record.reply)?;
        let rules = crate::propose::task::rules_of(kind);
        let (verdict, reason) = judge::check(&reply, rules, &mut Report::default())?;
        Some((record, verdict, reason))
    }
}

/// Two claims that were judged, in the order in which they were.
pub(super) struct JudgedPair<'s> {
    /// What names the finding from run to run.
    pub(super) id: String,
    pub(super) first: &'s Found,
    pub(super) second: &'s Found,
    pub(super) verdict: Verdict,
    model: String,
    reason: String,
}

impl<'s> JudgedPair<'s> {
    /// Returns the claim that holds and the one that does not, where the judge could tell.
    pub(super) fn sides(&self) -> Option<(&'s Found, &'s Found)> {
        match self.verdict {
            Verdict::First => Some((self.first, self.second)),
            Verdict::Second => Some((self.second, self.first)),
            Verdict::Fine | Verdict::Unclear | Verdict::Unsupported => None,
        }
    }
}

/// What names a finding: its rule, and the first digits of what was judged.
fn id_of(rule: &JudgedRule, input: &str) -> String {
    format!("{}-{}", rule.name, input.get(..ID_DIGITS).unwrap_or(input))
}

/// Digits of an id: enough for a vault, few enough to be typed.
const ID_DIGITS: usize = 8;

/// Who judged, and why.
struct Says<'a> {
    model: &'a str,
    reason: &'a str,
}

impl Says<'_> {
    /// A hint that quotes the judge; nothing of what it says is for whoever reads it to follow.
    fn hint(&self, what: &str) -> String {
        let model = cut(&one_line(&self.model.replace(['`', '"'], "'")), 60);
        match why_unsafe(self.reason) {
            Some(_) => format!("judged by {model}: {what}; the reason speaks to its reader and is left out"),
            None => {
                let reason = cut(&one_line(&self.reason.replace(['`', '"'], "'")), REASON_CHARS_MAX);
                format!("judged by {model}: {what}, \"{reason}\"")
            }
        }
    }
}

fn finding(rule: &JudgedRule, snapshot: &Snapshot, claim: &Found, message: String) -> Diagnostic {
    Diagnostic::new(rule.name, rule.severity, &snapshot.pages[claim.page].page.path, claim.span, message)
}

/// The finding stands at the claim that cannot hold; the pair is in the order in which it was judged.
fn contradiction(snapshot: &Snapshot, pair: &JudgedPair<'_>) -> Option<Diagnostic> {
    let (first, second) = (pair.first, pair.second);
    let is_before = |a: &Found, b: &Found| (a.page, a.span) <= (b.page, b.span);
    let (at, other, what) = match (pair.sides(), pair.verdict) {
        (Some((holds, goes)), _) => (goes, holds, "only the other can hold now"),
        (None, Verdict::Unclear) if is_before(first, second) => (first, second, "nothing tells which holds"),
        (None, Verdict::Unclear) => (second, first, "nothing tells which holds"),
        (None, _) => return None,
    };
    let page = &snapshot.pages[other.page].page;
    let line = LineIndex::new(&page.text).position(&page.text, other.span.start).line;
    let text = cut(&other.text.replace('"', "'"), CLAIM_CHARS_MAX);
    let message = format!("cannot hold together with `{}:{line}`: \"{text}\"", page.path);
    let mut found = finding(&CONTRADICTION, snapshot, at, message);
    found.id.clone_from(&pair.id);
    if let (Some(here), Some(there)) = (places(at), places(other)) {
        found = found.hint(format!("it cites {here}, the other {there}"));
    }
    let says = Says { model: &pair.model, reason: &pair.reason };
    let can_be_settled =
        pair.sides().is_some() && [at, other].iter().all(|claim| settled_side(snapshot, claim, true).is_some());
    let help = match can_be_settled {
        true => format!("`ken lint --fix {}` writes into the journal that it does not hold, and compiles", pair.id),
        false => {
            "write down with `ken log` which one holds; `ken compile --model …` then lets it supersede the other".into()
        }
    };
    Some(found.hint(says.hint(what)).hint(help))
}

/// A claim of a compiled page as a settlement names it; nothing where the page is a person's, or it cites no lines.
pub(super) fn settled_side(snapshot: &Snapshot, claim: &Found, holds: bool) -> Option<Side> {
    let is_owned = snapshot.pages[claim.page].entry.is_owned;
    let cited = claim.cited.last().filter(|cited| is_owned && !cited.digest.is_empty())?;
    Some(Settlement::side(&claim.text, cited, holds))
}

fn unsupported(snapshot: &Snapshot, claim: &Found, says: &Says<'_>) -> Diagnostic {
    let message = format!("{} does not say this", places(claim).unwrap_or_default());
    let is_owned = snapshot.pages[claim.page].entry.is_owned;
    let hint = if is_owned {
        "compile the page again with `ken compile`"
    } else {
        "correct the claim, or cite the lines that say it"
    };
    finding(&UNSUPPORTED_CLAIM, snapshot, claim, message).hint(says.hint("the source does not bear it out")).hint(hint)
}

/// Where a claim says it comes from; the first two places.
fn places(claim: &Found) -> Option<String> {
    let place = |cited: &ken_core::claim::SourceRef| format!("`{}#L{}-L{}`", cited.path, cited.lines.0, cited.lines.1);
    let all: Vec<String> = claim.cited.iter().take(2).map(place).collect();
    let more = if claim.cited.len() > 2 { " …" } else { "" };
    (!all.is_empty()).then(|| format!("{}{more}", all.join(", ")))
}
