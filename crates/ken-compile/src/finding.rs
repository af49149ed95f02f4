//! Finds again what no longer holds, of the statements that may differ from those of the last compile.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::parallel::long_in_parallel;

use crate::account::{Findings, found};
use crate::beyond::{ended, shared};
use crate::compose::Statement;
use crate::drafter::Drafter;
use crate::fingerprint::{Fingerprint, fingerprint};
use crate::ledger::{Found, FoundDisputes, Key, PassageId};
use crate::naming::PageRecord;

/// Finds again what no longer holds on the pages of `dirty`, and of what shares one of the keys of `beyond`. Returns what
/// names the statements of each page.
pub(crate) fn find_again(
    (found, disputed): (&mut Found, &mut FoundDisputes),
    (dirty, beyond): (&BTreeSet<Key>, &BTreeSet<Key>),
    drafter: &Drafter<'_>,
    before: &BTreeMap<Key, PageRecord>,
) -> Vec<(Key, Fingerprint)> {
    forget((found, disputed), drafter);
    let said = renew_found((found, disputed), dirty, drafter, before);
    renew_ended(found, beyond, drafter);
    said
}

/// Forgets what was found on pages that are gone, and of statements that share nothing any longer.
fn forget((replaced, disputed): (&mut Found, &mut FoundDisputes), drafter: &Drafter<'_>) {
    let pages = drafter.names.pages;
    let subjects: BTreeSet<Key> = pages.keys().copied().collect();
    let others: BTreeSet<Key> = replaced.keys().filter(|key| !subjects.contains(key)).copied().collect();
    let beyond = shared(drafter.names.ledger, Some(&others), &subjects);
    replaced.retain(|key, _| pages.contains_key(key) || beyond.contains(key));
    disputed.retain(|key, _| pages.contains_key(key));
}

/// Finds again what ended of the statements that share one of `keys`, which have no page.
fn renew_ended(replaced: &mut Found, keys: &BTreeSet<Key>, drafter: &Drafter<'_>) {
    let keys: Vec<Key> = keys.iter().copied().collect();
    let renewed = long_in_parallel(keys.len(), |n| ended(keys[n], drafter));
    for (key, now) in keys.into_iter().zip(renewed) {
        replaced.remove(&key);
        replaced.extend(Some((key, now)).filter(|(_, found)| !found.is_empty()));
    }
}

/// Finds again what no longer holds on pages that may differ, where they say something else than `before`. Returns what
/// names the statements of each.
fn renew_found(
    (replaced, disputed): (&mut Found, &mut FoundDisputes),
    keys: &BTreeSet<Key>,
    drafter: &Drafter<'_>,
    before: &BTreeMap<Key, PageRecord>,
) -> Vec<(Key, Fingerprint)> {
    let keys: Vec<Key> = keys.iter().copied().collect();
    let renewed = long_in_parallel(keys.len(), |n| {
        let input = drafter.input(keys[n]).0;
        let statements: Vec<Statement> = input.statements.into_iter().chain(input.beside).collect();
        let said = fingerprint(&(&statements, &input.asked));
        let is_as_before = before.get(&keys[n]).is_some_and(|page| page.said == said);
        (said, (!is_as_before).then(|| found_beside(statements, input.asked)))
    });
    let mut prints = Vec::with_capacity(keys.len());
    for (key, (said, now)) in keys.into_iter().zip(renewed) {
        prints.push((key, said));
        let Some(now) = now else { continue };
        replaced.remove(&key);
        disputed.remove(&key);
        replaced.extend(Some((key, now.replaced)).filter(|(_, found)| !found.is_empty()));
        disputed.extend(Some((key, now.disputed)).filter(|(_, found)| !found.is_empty()));
    }
    prints
}

/// What statements say of each other, and what of that which was told while asking they end.
fn found_beside(mut statements: Vec<Statement>, asked: Vec<Statement>) -> Findings {
    let mut out = found(&statements);
    if !asked.is_empty() {
        let ids: BTreeSet<PassageId> = asked.iter().map(|one| one.id).collect();
        statements.extend(asked);
        out.replaced.extend(found(&statements).replaced.into_iter().filter(|(old, _)| ids.contains(old)));
    }
    out
}
