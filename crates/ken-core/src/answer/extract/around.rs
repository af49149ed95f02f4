//! What a sentence counts by what stands around it: the sentences beside it, what it replies to, and the names that its text
//! has.

use crate::answer::{Citable, Consulted};
use crate::finding::tells_cause;
use crate::search::Asks;
use crate::search::close::Said;
use crate::talk::Speaker;

/// What is left where a name of the question stands neither in the sentence nor above it, or nowhere in its document.
const NAME_ELSEWHERE: f32 = 0.8;
const NAME_NOWHERE: f32 = 0.4;

/// The share of the question that the sentences beside one hold at most, of all of a text.
pub(super) fn beside(shares: &[f32], nth: usize, citable: &Citable) -> f32 {
    // A tldr that stands in the header stands beside nothing.
    if citable.is_tldr && nth == 0 && citable.refs.is_empty() {
        return 0.0;
    }
    let at = |at: Option<usize>| at.and_then(|at| shares.get(at)).copied().unwrap_or(0.0);
    at(nth.checked_sub(1)).max(at(Some(nth + 1)))
}

/// What leads to each sentence holds of the question at most: what the agent said before a person's reply, and, where a
/// cause is asked for, what stands around one that was found.
pub(super) fn led_to(one: &Consulted, shares: &[f32], question: &str) -> Vec<f32> {
    let mut out = replied(one, shares);
    if Asks::is_of_cause(question) {
        out.iter_mut().zip(caused(one, shares)).for_each(|(led_to, caused)| *led_to = led_to.max(caused));
    }
    out
}

/// What the agent said before each sentence of a person's reply holds of the question at most.
fn replied(one: &Consulted, shares: &[f32]) -> Vec<f32> {
    let mut out = Vec::with_capacity(shares.len());
    let (mut said, mut replied) = (0.0_f32, 0.0);
    let mut heading = "";
    for (citable, share) in one.citables.iter().zip(shares) {
        let role = Speaker::of_heading(&citable.heading);
        if citable.heading != heading {
            heading = &citable.heading;
            replied = if role == Some(Speaker::User) { said } else { 0.0 };
            said = 0.0;
        }
        if role == Some(Speaker::Agent) {
            said = said.max(*share);
        }
        out.push(replied);
    }
    out
}

/// Whether a sentence is of what a person began a session with.
pub(super) fn is_begun(one: &Consulted, citable: &Citable) -> bool {
    one.begun.is_some_and(|(first, last)| first <= citable.lines.0 && citable.lines.1 <= last)
}

/// How many sentences tell what was found, the one that says so included.
const FOUND_SENTENCES: usize = 3;

/// What the sentences of a place hold of a question for a cause at most, for each one that tells what was found: the question
/// has the words of the symptom, and the cause has others.
fn caused(one: &Consulted, shares: &[f32]) -> Vec<f32> {
    let most = shares.iter().copied().fold(0.0, f32::max);
    let (mut left, mut heading) = (0, "");
    let tells = one.citables.iter().map(|citable| {
        if citable.heading != heading {
            (left, heading) = (0, &citable.heading);
        }
        left = if tells_cause(&citable.text) { FOUND_SENTENCES } else { left };
        let is_told = left > 0;
        left = left.saturating_sub(1);
        if is_told { most } else { 0.0 }
    });
    tells.collect()
}

/// What each sentence of a text counts by the names of the question: those that it lacks may stand elsewhere in the text.
pub(super) fn by_names(names: &[usize], all: &[Said]) -> Vec<f32> {
    let in_text = |name: usize| all.iter().any(|said| said.has[name] > 0.0);
    let factor = |n: &usize| if in_text(*n) { NAME_ELSEWHERE } else { NAME_NOWHERE };
    let of = |said: &Said| names.iter().filter(|n| said.has[**n] == 0.0).map(factor).fold(1.0, f32::min);
    all.iter().map(of).collect()
}
