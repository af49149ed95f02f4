//! On the pages of which of the subjects that it names a statement stands.

use super::Named;
use crate::clause;
use crate::ledger::Key;
use crate::subject::MentionKind;

/// Pages that a statement stands on, links aside.
pub(super) const PAGES_MAX: usize = 2;

/// Keeps the subjects that a statement is about before others: what a link names, then the surest name, then names of
/// another kind, so that what is said of a person and a thing stands with the thing, too. Returns the others.
pub(super) fn few(direct: &mut Vec<Named>, max: usize) -> Vec<Named> {
    let mut order: Vec<&Named> = direct.iter().filter(|named| named.kind != MentionKind::Link).collect();
    order.sort_by_key(|named| (sureness(named.kind), named.span));
    let mut kept: Vec<&Named> = Vec::new();
    while kept.len() < max {
        let is_new = |named: &&&Named| !kept.iter().any(|known| known.key == named.key);
        let is_other = |named: &&&Named| !kept.iter().any(|known| sureness(known.kind) == sureness(named.kind));
        let next = order.iter().filter(is_new).find(is_other).or_else(|| order.iter().find(is_new)).copied();
        let Some(next) = next else { break };
        kept.push(next);
    }
    let keys: Vec<Key> = kept.into_iter().map(|named| named.key).collect();
    let is_kept = |named: &Named| named.kind == MentionKind::Link || keys.contains(&named.key);
    let (kept, beside) = std::mem::take(direct).into_iter().partition(is_kept);
    *direct = kept;
    beside
}

/// How sure a way of naming is that it names the thing, 0 for the surest.
fn sureness(kind: MentionKind) -> u8 {
    match kind {
        MentionKind::Link | MentionKind::Work => 0,
        MentionKind::Code | MentionKind::File => 1,
        MentionKind::Name => 2,
        MentionKind::Phrase => 3,
        MentionKind::Topic | MentionKind::Word => 4,
    }
}

/// Moves the subjects of which something is so from those that a statement is about to those that it names besides.
pub(super) fn set_aside(about: &mut Vec<Named>, near: &mut Vec<Named>, goes: impl Fn(&Named) -> bool) {
    let (beside, kept) = std::mem::take(about).into_iter().partition(goes);
    *about = kept;
    near.extend::<Vec<Named>>(beside);
}

/// Returns whether a statement names a subject only in passing; what it links to it does not.
pub(super) fn is_in_passing(text: &str, named: &Named) -> bool {
    named.kind != MentionKind::Link && clause::is_in_passing(text, named.span)
}
