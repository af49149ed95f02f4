//! What the pages of persons say about names: which are taken, where they lead, and what nobody is to make a page of.
//!
//! A redirect that a person left is where a rename or a merge is kept: it says that what has its name is called as its
//! target is. Compiling reads that from the wiki each time, so nothing but the page itself has to be kept.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::index::PageSort;
use ken_core::link::links;
use ken_core::page::past::RETIRED;
use ken_core::page::{page_slug, parse_page};
use ken_core::text::capital;
use ken_core::{IndexEntry, Page, Slug, VaultPath};

use crate::engine::Engine;
use crate::failure::Failure;
use crate::wiki::Wiki;
use ken_compile::ledger::{Key, key_of};

/// The text that a command gives a page, if it does.
pub(super) type NewText<'a> = &'a dyn Fn(&VaultPath) -> Option<String>;

/// The names that persons gave.
#[derive(Debug)]
pub(crate) struct Persons<'w> {
    /// The names of pages that are as the table says, in order, each with the page that it means and whether it is its slug.
    known: Vec<(&'w str, &'w VaultPath, bool)>,
    /// The same of the other pages.
    fresh: BTreeMap<Slug, (&'w VaultPath, bool)>,
    /// The names of redirects.
    redirects: BTreeSet<Slug>,
    /// Names that lead to pages of persons by redirects.
    led: BTreeMap<Slug, Slug>,
    /// The pages that are retired.
    pub(super) retired: BTreeSet<Slug>,
    /// Of each name that leads elsewhere, what its subject is called.
    pub(super) given: BTreeMap<Key, (Key, String)>,
}

impl<'w> Persons<'w> {
    fn of(wiki: &'w Wiki) -> Persons<'w> {
        let mut fresh: BTreeMap<Slug, (&VaultPath, bool)> = BTreeMap::new();
        for file in wiki.files_of(is_of_person).filter(|file| !file.is_in_table()) {
            for (n, name) in wiki.names(file).unwrap_or_default().into_iter().enumerate() {
                let found = (&file.stamp.path, n == 0);
                let known = fresh.entry(name).or_insert(found);
                // Earlier files come first.
                if found.1 && !known.1 {
                    *known = found;
                }
            }
        }
        let (redirects, led, retired) = (BTreeSet::new(), BTreeMap::new(), BTreeSet::new());
        let known = wiki.known_names(is_of_person);
        Persons { known, fresh, redirects, led, retired, given: BTreeMap::new() }
    }

    /// The page that a name means, and whether it is its slug: slugs win over titles and aliases, earlier pages over later
    /// ones.
    fn named(&self, name: &Slug) -> Option<(&'w VaultPath, bool)> {
        let at = self.known.binary_search_by(|(known, ..)| (*known).cmp(name.as_str())).ok();
        let known = at.map(|at| (self.known[at].1, self.known[at].2));
        let all = known.into_iter().chain(self.fresh.get(name).copied());
        all.min_by_key(|(path, is_slug)| (!is_slug, *path))
    }

    /// Returns the slug of the person's page that a name means.
    pub(super) fn page_of(&self, name: &Slug) -> Option<Slug> {
        self.named(name).map(|(path, _)| page_slug(path)).or_else(|| self.led.get(name).cloned())
    }

    /// Returns whether the file of a page of persons is called so, or of a redirect.
    pub(super) fn is_occupied(&self, name: &Slug) -> bool {
        self.redirects.contains(name) || self.named(name).is_some_and(|(_, is_slug)| is_slug)
    }
}

/// Whether a page is a person's, and no redirect.
fn is_of_person(sort: PageSort) -> bool {
    !sort.is_owned && !sort.is_redirect
}

impl Engine {
    /// Reads what persons' pages say about names; `new_text` has the texts of those that a command changes.
    pub(super) fn persons<'w>(&self, wiki: &'w Wiki, new_text: NewText<'_>) -> Result<Persons<'w>, Failure> {
        let mut persons = Persons::of(wiki);
        let is_retired = |entry: &&IndexEntry| {
            let past = entry.past.as_deref().and_then(|past| past.strip_prefix(RETIRED));
            past.is_some_and(|why| why.is_empty() || why.starts_with(':')) && !self.layout().is_foreign(&entry.path)
        };
        let past = wiki.entries_of(|sort| is_of_person(sort) && sort.is_past);
        persons.retired = past.filter(is_retired).map(|entry| entry.slug.clone()).collect();
        let redirects: Vec<&IndexEntry> = wiki.entries_of(|sort| !sort.is_owned && sort.is_redirect).collect();
        let by_slug: BTreeMap<&Slug, &IndexEntry> = redirects.iter().map(|entry| (&entry.slug, *entry)).collect();
        for redirect in &redirects {
            let Some((last, end)) = end_of(redirect, &by_slug, &|name| persons.named(name).is_some()) else { continue };
            let person = persons.named(&end).map(|(path, _)| path);
            let title = match person {
                Some(path) => wiki.files.get(path).and_then(|file| Some(wiki.entry(file)?.title.clone())),
                None => Some(self.title_of(&last.path, &end, new_text)?),
            };
            let title = title.unwrap_or_else(|| plain(&end));
            let new = key_of(&title);
            let own = [redirect.slug.as_str().replace('-', " "), redirect.title.clone()];
            for name in own.iter().chain(&redirect.aliases) {
                persons.given.insert(key_of(name), (new, title.clone()));
            }
            for name in redirect.names() {
                if let Some(path) = person {
                    persons.led.entry(name).or_insert_with(|| page_slug(path));
                }
            }
        }
        // A name to which others lead is no former one.
        let ends: BTreeSet<Key> = persons.given.values().map(|(new, _)| *new).collect();
        persons.given.retain(|old, _| !ends.contains(old));
        persons.redirects = redirects.iter().map(|entry| entry.slug.clone()).collect();
        Ok(persons)
    }

    /// How the target of a redirect is called: as the link in its body shows it, else by the words of its slug.
    fn title_of(&self, path: &VaultPath, target: &Slug, new_text: NewText<'_>) -> Result<String, Failure> {
        let text = match new_text(path) {
            Some(text) => text,
            None => String::from_utf8_lossy(&self.store.read(path)?.unwrap_or_default()).into_owned(),
        };
        let page = parse_page(path, text).value;
        Ok(shown_target(&page, target).unwrap_or_else(|| plain(target)))
    }
}

/// What the first link of a redirect's body shows, if it spells the target.
fn shown_target(page: &Page, target: &Slug) -> Option<String> {
    let shown = links(&page.text, page.body()).into_iter().find_map(|link| link.shown)?.of(&page.text).to_owned();
    (Slug::from_text(&shown).as_ref() == Some(target)).then_some(shown)
}

fn plain(slug: &Slug) -> String {
    capital(&slug.as_str().replace('-', " "))
}

/// The last of a chain of redirects, and the name that it leads to; none in a circle.
fn end_of<'e>(
    redirect: &'e IndexEntry,
    by_slug: &BTreeMap<&Slug, &'e IndexEntry>,
    is_person: &dyn Fn(&Slug) -> bool,
) -> Option<(&'e IndexEntry, Slug)> {
    let mut last = redirect;
    for _ in 0..=by_slug.len() {
        let target = last.redirect_to.as_deref().and_then(|target| {
            let name = target.rsplit('/').next().unwrap_or(target);
            Slug::from_text(name.strip_suffix(".md").unwrap_or(name))
        })?;
        match by_slug.get(&target).filter(|_| !is_person(&target)) {
            Some(next) => last = next,
            None => return Some((last, target)),
        }
    }
    None
}
