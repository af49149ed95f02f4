//! What a short reply settles: the option that it names, or the question that it answers.
//!
//! "1", "yes" and "ok, do nothing" say nothing without what the agent offered. Both are copied, side by side.

use ken_core::journal::USER_APPROVED;

use super::options::{OFFER_CHARS_MAX, Options, repeats};
use super::phrases::Phrases;
use super::sentence::{cut, sentences};
use super::units::{Kind, Unit, units};
use crate::transcript::APPROVED;

/// What stands before an option or a question that was accepted, and before one that was answered otherwise.
pub(super) const AGREED: &str = "User agreed: ";
pub(super) const ANSWERED: &str = "User answered: ";

/// Most words of a reply that is read as one; more say themselves what they are about.
const REPLY_WORDS_MAX: usize = 14;

/// How far from the end of a message its question may stand, in units.
const QUESTION_UNITS: usize = 3;

/// Returns what a reply to an agent's last message settles, if it needs that message to say so.
pub(super) fn settled(reply: &str, offered: &str) -> Option<String> {
    let phrases = Phrases::get();
    let reply = reply.trim();
    if reply == APPROVED {
        return plan_heading(offered).map(|heading| format!("{USER_APPROVED} {heading}"));
    }
    let n_words = reply.split_whitespace().count();
    if n_words > REPLY_WORDS_MAX || reply.contains('\n') || reply.ends_with('?') {
        return None;
    }
    let units = units(offered);
    let options = Options::of(&units);
    // What a reply repeats of an option it does not add.
    let with_reply = |text: &str| match n_words > 3 && !repeats(reply, text) {
        true => format!("{text} — {reply}"),
        false => text.to_owned(),
    };
    if let Some(choice) = options.chosen_by(reply) {
        return Some(format!("{AGREED}{}", with_reply(choice)));
    }
    let (question, before) = question(&units)?;
    // What a reply repeats it does not add.
    if let Some(choice) = options.repeated_by(reply) {
        return Some(format!("{AGREED}{choice}"));
    }
    if phrases.is_errand(&question) && !phrases.is_concrete(&question) {
        return None;
    }
    let before = before.filter(|_| phrases.is_pointing(&question)).map(|before| options.with_named(&before));
    if phrases.is_assent(reply) {
        return match before {
            Some(before) => Some(format!("{AGREED}{before}")),
            None => (!phrases.is_pointing(&question)).then(|| format!("{AGREED}{question} — {reply}")),
        };
    }
    let what = before.map_or_else(|| question.clone(), |before| format!("{before} {question}"));
    phrases.is_refusal(reply).then(|| format!("{ANSWERED}{what} — {reply}"))
}

/// Returns what a plan is called by its first heading, without the word that says that it is one.
pub(super) fn plan_heading(plan: &str) -> Option<String> {
    let heading = units(plan).into_iter().find(|unit| unit.kind == Kind::Heading)?.text;
    let named = heading.split_once(": ").filter(|(label, _)| Phrases::get().is_plan_label(label));
    let name = named.map_or(heading.as_str(), |(_, name)| name).trim();
    (name.split_whitespace().count() >= 2).then(|| cut(name, OFFER_CHARS_MAX))
}

/// Returns what a message asks in its last words.
pub(super) fn question_of(offered: &str) -> Option<String> {
    question(&units(offered)).map(|(question, _)| question)
}

/// Returns what a message tells in its last words, where it can be understood without those before.
pub(super) fn told_last(offered: &str) -> Option<String> {
    let units = units(offered);
    let prose = units.iter().rev().take(QUESTION_UNITS).find(|unit| unit.kind == Kind::Prose)?;
    let last = sentences(&prose.text).into_iter().rev().find(|sentence| is_said(sentence))?;
    Some(cut(last.trim_end_matches(':'), OFFER_CHARS_MAX))
}

/// Returns the question that a message ends in, and the sentence before it.
fn question(units: &[Unit]) -> Option<(String, Option<String>)> {
    let first = units.len().saturating_sub(QUESTION_UNITS);
    let asking = (first..units.len()).rev().find(|at| units[*at].text.contains('?'))?;
    let spoken = |unit: &Unit| sentences(&unit.text).into_iter().map(str::to_owned).collect::<Vec<String>>();
    let here = spoken(&units[asking]);
    let at = here.iter().rposition(|sentence| sentence.ends_with('?'))?;
    let before = here[..at].iter().rev().find(|sentence| is_said(sentence)).cloned();
    let earlier = || {
        let prose = units[..asking].iter().rev().filter(|unit| unit.kind == Kind::Prose);
        prose.flat_map(|unit| spoken(unit).into_iter().rev()).find(|sentence| is_said(sentence))
    };
    let before = before.or_else(earlier).map(|text| cut(text.trim_end_matches(':'), OFFER_CHARS_MAX));
    Some((cut(&here[at], OFFER_CHARS_MAX), before))
}

fn is_said(sentence: &str) -> bool {
    let phrases = Phrases::get();
    let is_told = !phrases.is_narration(sentence) && !phrases.leans_back(sentence);
    !sentence.ends_with('?') && is_told && sentence.split_whitespace().count() >= 3
}
