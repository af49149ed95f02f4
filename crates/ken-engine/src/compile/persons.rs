//! What the pages of persons say about names: which are taken, where they lead, and what nobody is to make a page of.
//!
//! A redirect that a person left is where a rename or a merge is kept: it says that what has its name is called as its
//! target is. Compiling reads that from the wiki each time, so nothing but the page itself has to be kept.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::index::resolve_names;
use ken_core::link::links;
use ken_core::page::parse_page;
use ken_core::page::past::RETIRED;
use ken_core::parallel::in_parallel;
use ken_core::text::capital;
use ken_core::{IndexEntry, Page, Slug, VaultPath};

use crate::engine::Engine;
use crate::failure::Failure;
use crate::wiki::{Wiki, WikiFile};
use ken_compile::ledger::{Key, key_of};

/// The text that a command gives a page, if it does.
pub(super) type NewText<'a> = &'a dyn Fn(&VaultPath) -> Option<String>;

/// The names that persons gave.
#[derive(Debug, Default)]
pub(crate) struct Persons {
    /// Names of pages that persons own, with the slug of each: slugs win over titles and aliases.
    pub(super) humans: BTreeMap<Slug, Slug>,
    /// The names of their files, redirects among them.
    pub(super) occupied: BTreeSet<Slug>,
    /// Those that are retired.
    pub(super) retired: BTreeSet<Slug>,
    /// Of each name that leads elsewhere, what its subject is called.
    pub(super) given: BTreeMap<Key, (Key, String)>,
}

impl Engine {
    /// Reads what persons' pages say about names; `new_text` has the texts of those that a command changes.
    pub(super) fn persons(&self, wiki: &Wiki, new_text: NewText<'_>) -> Result<Persons, Failure> {
        // Of most pages only the names are asked for, and decoding all that the table says of ten thousand takes long.
        let files: Vec<&WikiFile> = wiki.files_of(|sort| !sort.is_owned && !sort.is_redirect).collect();
        let names = in_parallel(files.len(), |n| Some((files[n], wiki.names(files[n])?)));
        let (files, names): (Vec<&WikiFile>, Vec<Vec<Slug>>) = names.into_iter().flatten().unzip();
        let slugs: Vec<Slug> = names.iter().map(|names| names[0].clone()).collect();
        let resolved = resolve_names(names.into_iter());
        let mut humans: BTreeMap<Slug, Slug> =
            resolved.into_iter().map(|(name, n)| (name, slugs[n as usize].clone())).collect();
        let is_retired = |entry: &&IndexEntry| {
            let past = entry.past.as_deref().and_then(|past| past.strip_prefix(RETIRED));
            past.is_some_and(|why| why.is_empty() || why.starts_with(':')) && !self.layout().is_foreign(&entry.path)
        };
        let past = wiki.entries_of(|sort| !sort.is_owned && !sort.is_redirect && sort.is_past);
        let redirects: Vec<&IndexEntry> = wiki.entries_of(|sort| !sort.is_owned && sort.is_redirect).collect();
        let mut persons = Persons {
            retired: past.filter(is_retired).map(|entry| entry.slug.clone()).collect(),
            occupied: redirects.iter().map(|entry| entry.slug.clone()).chain(slugs.iter().cloned()).collect(),
            ..Persons::default()
        };
        let titles: BTreeMap<&Slug, &WikiFile> =
            if redirects.is_empty() { BTreeMap::new() } else { slugs.iter().zip(files).collect() };
        let title_of = |person: &Slug| Some(wiki.entry(titles.get(person)?)?.title.clone());
        let by_slug: BTreeMap<&Slug, &IndexEntry> = redirects.iter().map(|entry| (&entry.slug, *entry)).collect();
        let mut led: Vec<(Slug, Slug)> = Vec::new();
        for redirect in &redirects {
            let Some((last, end)) = end_of(redirect, &by_slug, &humans) else { continue };
            let title = match humans.get(&end) {
                Some(person) => title_of(person).unwrap_or_else(|| plain(person)),
                None => self.title_of(&last.path, &end, new_text)?,
            };
            let new = key_of(&title);
            let own = [redirect.slug.as_str().replace('-', " "), redirect.title.clone()];
            for name in own.iter().chain(&redirect.aliases) {
                persons.given.insert(key_of(name), (new, title.clone()));
            }
            led.extend(humans.get(&end).iter().flat_map(|person| {
                redirect.names().into_iter().map(|name| (name, (*person).clone())).collect::<Vec<_>>()
            }));
        }
        // A name to which others lead is no former one.
        let ends: BTreeSet<Key> = persons.given.values().map(|(new, _)| *new).collect();
        persons.given.retain(|old, _| !ends.contains(old));
        for (name, person) in led {
            humans.entry(name).or_insert(person);
        }
        persons.humans = humans;
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
    humans: &BTreeMap<Slug, Slug>,
) -> Option<(&'e IndexEntry, Slug)> {
    let mut last = redirect;
    for _ in 0..=by_slug.len() {
        let target = last.redirect_to.as_deref().and_then(|target| {
            let name = target.rsplit('/').next().unwrap_or(target);
            Slug::from_text(name.strip_suffix(".md").unwrap_or(name))
        })?;
        match by_slug.get(&target).filter(|_| !humans.contains_key(&target)) {
            Some(next) => last = next,
            None => return Some((last, target)),
        }
    }
    None
}
