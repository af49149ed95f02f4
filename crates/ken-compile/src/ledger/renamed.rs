//! Names that things no longer have.
//!
//! A statement that gives a thing another name makes the page of the old name that of the new. Like everything here it is
//! a function of all entries: the names that files give are kept with each, and what they come to is found anew.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use ken_core::supersede::{Renamed, renames};
use ken_core::words::subject_key;
use serde::{Deserialize, Serialize};

use super::{Key, Ledger, Posting, flag, key_hash};
use crate::passage::{Entry, Passage, PassageKind};
use crate::subject::mentions;

/// A new name that an entry gives to a thing: the keys of the old and the new one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct NewName {
    old: Key,
    new: Key,
    /// Whether both are written as names where it is given.
    is_written_so: bool,
}

/// Fewest letters and digits of a new name.
const NAME_CHARS_MIN: usize = 3;

/// Returns the new names that entries give, in their order.
pub(super) fn new_names<'e>(entries: impl Iterator<Item = &'e Entry>) -> Vec<NewName> {
    let tells = |passage: &&Passage| {
        passage.kind.is_said() && !matches!(passage.kind, PassageKind::Question | PassageKind::Action)
    };
    let said = entries.flat_map(|entry| entry.passages.iter().filter(tells));
    // A letter or two are what code calls something for three lines, and no page could be called so.
    let is_name = |name: &str| name.chars().filter(|ch| ch.is_alphanumeric()).count() >= NAME_CHARS_MIN;
    let all = said.flat_map(|passage| renames(&passage.text).into_iter().chain(told(passage)));
    let all = all.filter(|one| is_name(&one.new));
    let keys =
        all.map(|one| NewName { old: key_of(&one.old), new: key_of(&one.new), is_written_so: one.is_written_so });
    keys.filter(|one| one.old != one.new).collect()
}

/// The new name that a reader found in the lines of a claim.
fn told(passage: &Passage) -> Option<Renamed> {
    let told = passage.told.as_deref().filter(|told| !told.is_unverified)?;
    let (old, new) = told.renames.clone()?;
    Some(Renamed { old, new, is_written_so: true })
}

/// Returns the key of the subject that a name is of.
pub fn key_of(name: &str) -> Key {
    let whole = mentions(name).into_iter().find(|mention| mention.span.of(name) == name);
    key_hash(&whole.map_or_else(|| subject_key(name), |mention| mention.key))
}

impl Ledger {
    /// Returns the key of the name that a thing has now.
    pub(super) fn current_name(&self, key: Key) -> Key {
        self.names().get(&key).copied().unwrap_or(key)
    }

    /// Returns whether a name is one that its thing no longer has.
    pub fn is_former_name(&self, key: Key) -> bool {
        self.names().contains_key(&key)
    }

    /// Returns the names that things no longer have, each with the one that its thing has now.
    pub(super) fn names(&self) -> &BTreeMap<Key, Key> {
        self.names_now.get_or_init(|| self.settled_names())
    }

    /// What the new names of all files come to: what was said last holds.
    fn settled_names(&self) -> BTreeMap<Key, Key> {
        let mut files: Vec<_> = self
            .files
            .iter()
            .filter(|(path, file)| !file.new_names.is_empty() && !self.external.contains(path.as_str()))
            .collect();
        files.sort_by_key(|(path, file)| (file.day(path), path.as_str()));
        let mut next: BTreeMap<Key, Key> = BTreeMap::new();
        let given = files.into_iter().flat_map(|(_, file)| &file.new_names);
        let is_known = |one: &&NewName| one.is_written_so || self.is_thing(one.old) && self.is_thing(one.new);
        for NewName { old, new, .. } in given.filter(is_known) {
            // What has this name now had another before, if it ever had: that ends the way from it.
            next.remove(new);
            next.insert(*old, *new);
        }
        // What a person says a thing is called counts before what entries say.
        next.retain(|old, _| !self.given.values().any(|(new, _)| new == old));
        next.extend(self.given.iter().map(|(old, (new, _))| (*old, *new)));
        let last = |mut key: Key| {
            while let Some(then) = next.get(&key) {
                key = *then;
            }
            key
        };
        next.keys().map(|old| (*old, last(*old))).collect()
    }

    /// Notes the names that persons gave things: of each former name the one that its thing has, which is no former one, and
    /// how that is written.
    pub fn give_names(&mut self, given: BTreeMap<Key, (Key, String)>) {
        let given: BTreeMap<Key, (Key, String)> = given
            .into_iter()
            .map(|(old, (new, title))| (self.canonical(old), (self.canonical(new), title)))
            .filter(|(old, (new, _))| old != new)
            .collect();
        if given != self.given {
            let titled = self.given.values().chain(given.values()).map(|(new, _)| *new);
            self.moved.extend(titled);
            self.given = given;
            self.forget_made();
        }
    }

    /// Returns how a person spelled the name that they gave a thing.
    pub(crate) fn given_title(&self, key: Key) -> Option<&str> {
        self.given.values().find(|(new, _)| *new == key).map(|(_, title)| title.as_str())
    }

    /// Whether something is written as a name, in code or as a link anywhere: other words are not names of things.
    fn is_thing(&self, key: Key) -> bool {
        self.postings_of(key).iter().any(|posting| posting.flags & (flag::NAME | flag::CODE | flag::LINK) != 0)
    }

    /// The mentions of a thing by all its names, an entry each; `own` are those by the name that it has, `key`.
    pub(crate) fn with_former<'p>(
        &self,
        key: Key,
        own: &'p [Posting],
        former: &BTreeMap<Key, Vec<Key>>,
    ) -> Cow<'p, [Posting]> {
        let Some(names) = former.get(&key) else { return Cow::Borrowed(own) };
        let mut by_entry: BTreeMap<(u32, u16), Posting> = BTreeMap::new();
        for posting in own.iter().chain(names.iter().flat_map(|name| self.postings_of(*name))) {
            let known = by_entry.entry((posting.file, posting.entry)).or_insert(Posting {
                key,
                n_passages: 0,
                flags: 0,
                ..*posting
            });
            known.n_passages = known.n_passages.saturating_add(posting.n_passages);
            known.flags |= posting.flags;
        }
        Cow::Owned(by_entry.into_values().collect())
    }

    /// Returns the former names of every thing that has some.
    pub(crate) fn former_names(&self) -> BTreeMap<Key, Vec<Key>> {
        let mut out: BTreeMap<Key, Vec<Key>> = BTreeMap::new();
        self.names().iter().for_each(|(old, new)| out.entry(*new).or_default().push(*old));
        out
    }

    /// Notes the names as they are now; returns those that lead elsewhere than at the last compile, and where they led and
    /// lead.
    pub(super) fn note_names(&mut self) -> BTreeSet<Key> {
        let now = self.names().clone();
        let before = std::mem::replace(&mut self.names_before, now);
        let now = &self.names_before;
        let moved = before.keys().chain(now.keys()).filter(|old| before.get(old) != now.get(old));
        moved.flat_map(|old| [Some(*old), before.get(old).copied(), now.get(old).copied()]).flatten().collect()
    }
}
