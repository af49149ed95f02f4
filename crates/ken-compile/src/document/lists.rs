//! Lists that must not be sampled: steps mean nothing without those between them.

use std::collections::BTreeSet;

use ken_core::Span;
use ken_core::text::sentences;

use super::Found;

/// Characters that a list may take beyond what its section keeps, so that it is whole.
const REST_CHARS: usize = 200;
/// The same for steps; where they would take more, those that are missing are shortened to their first sentence.
const STEPS_CHARS: usize = 1_000;

/// Completes the lists of which only some items were chosen, if that takes little; steps that cannot be completed go
/// altogether.
pub(super) fn complete(found: &mut [Found], is_kept: &mut [bool]) {
    let mut seen = BTreeSet::new();
    for start in 0..found.len() {
        let items = if seen.contains(&start) { Vec::new() } else { list_from(found, start) };
        seen.extend(items.iter().copied());
        let missing: Vec<usize> = items.iter().copied().filter(|n| !is_kept[*n]).collect();
        if missing.is_empty() || missing.len() == items.len() {
            continue;
        }
        let chars = |found: &[Found]| missing.iter().map(|n| found[*n].chars()).sum::<usize>();
        let is_steps = found[start].step.is_some();
        if is_steps && chars(found) > STEPS_CHARS {
            missing.iter().for_each(|n| found[*n].text = first_sentence(&found[*n].text));
        }
        if chars(found) <= if is_steps { STEPS_CHARS } else { REST_CHARS } {
            missing.iter().for_each(|n| is_kept[*n] = true);
        } else if is_steps {
            // With them goes what stands below one of them.
            let last = items.last().copied().unwrap_or(start);
            is_kept[start..=last].fill(false);
        }
    }
}

/// The items of the list that begins at a passage; none where it is no item.
fn list_from(found: &[Found], start: usize) -> Vec<usize> {
    let first = &found[start];
    let mut items = Vec::new();
    let mut last = 0;
    for (n, one) in found.iter().enumerate().skip(start).take_while(|(_, one)| one.sections == first.sections) {
        match (first.step, one.step) {
            // What stands below a step belongs to it; its own steps are steps of the list.
            (Some(_), None) => {}
            (Some(first), Some(step)) if step.depth > first.depth => items.push(n),
            (Some(first), Some(step)) if step.depth < first.depth || step.number <= last => break,
            (Some(_), Some(step)) => {
                last = step.number;
                items.push(n);
            }
            (None, _) if first.is_item && one.is_item && one.step.is_none() && one.lead == first.lead => items.push(n),
            (None, _) => break,
        }
    }
    items
}

pub(super) fn first_sentence(text: &str) -> String {
    sentences(text).first().map_or("", |span: &Span| span.of(text)).to_owned()
}
