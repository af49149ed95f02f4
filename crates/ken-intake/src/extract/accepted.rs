//! What a short reply settles: the option that it names, or the question that it answers.
//!
//! "1", "yes" and "ok, do nothing" say nothing without what the agent offered. Both are copied, side by side.

use std::collections::BTreeSet;

use super::phrases::Phrases;
use super::sentence::{cut, sentences};
use super::units::{Kind, Unit, units};
use crate::transcript::APPROVED;

/// What stands before an option or a question that was accepted, and before one that was answered otherwise.
pub(super) const AGREED: &str = "User agreed: ";
const APPROVED_PLAN: &str = "User approved the plan: ";
pub(super) const ANSWERED: &str = "User answered: ";

/// Most words of a reply that is read as one; more say themselves what they are about.
const REPLY_WORDS_MAX: usize = 14;

/// Longest option or question, in characters.
const OFFER_CHARS_MAX: usize = 300;

/// How far from the end of a message its question may stand, in units.
const QUESTION_UNITS: usize = 3;

/// Most words of a heading that names an option without saying it.
const HEADING_WORDS_MAX: usize = 3;

/// Fewest words of an option that a reply repeats to choose it.
const REPEATED_WORDS_MIN: usize = 3;

/// An option as it was offered.
struct Choice {
    /// `2`, `b`.
    mark: String,
    text: String,
    /// Whether it is called an option, so that it counts before what is only numbered.
    is_named: bool,
}

/// Returns what a reply to an agent's last message settles, if it needs that message to say so.
pub(super) fn settled(reply: &str, offered: &str) -> Option<String> {
    let phrases = Phrases::get();
    let reply = reply.trim();
    if reply == APPROVED {
        return plan_heading(offered).map(|heading| format!("{APPROVED_PLAN}{heading}"));
    }
    let n_words = reply.split_whitespace().count();
    if n_words > REPLY_WORDS_MAX || reply.contains('\n') || reply.ends_with('?') {
        return None;
    }
    let units = units(offered);
    let with_reply = |text: &str| if n_words > 3 { format!("{text} — {reply}") } else { text.to_owned() };
    if let Some(choice) = choice(reply, &units) {
        return Some(format!("{AGREED}{}", with_reply(&choice)));
    }
    let (question, before) = question(&units)?;
    if let Some(choice) = repeated(reply, &units) {
        return Some(format!("{AGREED}{}", with_reply(&choice)));
    }
    if phrases.is_errand(&question) && !phrases.is_concrete(&question) {
        return None;
    }
    let before = before.filter(|_| phrases.is_pointing(&question)).map(|before| with_named(&before, &units));
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

/// Returns what an option of the agent's last message says, for a sentence that names it: `Option 2`.
pub(super) fn named(sentence: &str, offered: &str) -> Option<String> {
    let mark = Phrases::get().named_option(sentence)?;
    let choices = choices(&units(offered));
    choices.into_iter().find(|choice| choice.is_named && choice.mark == mark).map(|choice| choice.text)
}

/// Returns what a message asks in its last words.
pub(super) fn question_of(offered: &str) -> Option<String> {
    question(&units(offered)).map(|(question, _)| question)
}

/// Returns the option of an agent's last message whose mark a reply begins with.
pub(super) fn option_of(reply: &str, offered: &str) -> Option<String> {
    choice(reply, &units(offered))
}

/// Returns a text with the option that it names.
fn with_named(text: &str, units: &[Unit]) -> String {
    let mark = Phrases::get().named_option(text);
    let choice = mark.and_then(|mark| choices(units).into_iter().rev().find(|choice| choice.mark == mark));
    choice.map_or_else(|| text.to_owned(), |choice| format!("{text} ({}. {})", choice.mark, choice.text))
}

fn choice(reply: &str, units: &[Unit]) -> Option<String> {
    let mark = Phrases::get().chosen(reply)?;
    let mut choices = choices(units);
    choices.sort_by_key(|choice| !choice.is_named);
    let is_named = choices.first().is_some_and(|choice| choice.is_named);
    let mut all = choices.into_iter().filter(|choice| choice.is_named == is_named && choice.mark == mark);
    // Of several lists the last is the one that was asked about.
    all.next_back().map(|choice| choice.text)
}

/// Returns the option that a reply says in a few of its own words.
fn repeated(reply: &str, units: &[Unit]) -> Option<String> {
    let words = |text: &str| -> BTreeSet<String> {
        let all = text.split(|ch: char| !ch.is_alphanumeric()).filter(|word| word.chars().count() >= 3);
        all.map(str::to_lowercase).collect()
    };
    let reply = words(reply);
    let mut all = choices(units).into_iter().rev().map(|choice| choice.text);
    all.find(|text| reply.len() >= REPEATED_WORDS_MIN && reply.is_subset(&words(text)))
}

fn choices(units: &[Unit]) -> Vec<Choice> {
    let phrases = Phrases::get();
    let mut found = Vec::new();
    for (at, unit) in units.iter().enumerate() {
        let text = || cut(&unit.text, OFFER_CHARS_MAX);
        if let Some((mark, rest)) = phrases.option_label(&unit.text) {
            found.push(Choice { mark, text: cut(rest, OFFER_CHARS_MAX), is_named: true });
        } else if unit.kind == Kind::Item && !unit.mark.is_empty() {
            found.push(Choice { mark: unit.mark.clone(), text: text(), is_named: false });
        } else if unit.kind == Kind::Heading
            && let Some((mark, rest)) = unit.text.split_once(['.', ')'])
            && mark.len() <= 2
            && mark.chars().all(|ch| ch.is_ascii_digit())
        {
            // A heading of a word or two names the option; what stands below says it.
            let below = units.get(at + 1).filter(|_| rest.split_whitespace().count() <= HEADING_WORDS_MAX);
            let below = below.and_then(|unit| sentences(&unit.text).first().map(|first| format!(": {first}")));
            let text = format!("{}{}", rest.trim_start(), below.unwrap_or_default());
            found.push(Choice { mark: mark.to_owned(), text: cut(&text, OFFER_CHARS_MAX), is_named: false });
        }
    }
    found
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
