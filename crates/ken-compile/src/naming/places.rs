//! Gives pages their places, no two the same.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use ken_core::page::HISTORY;
use ken_core::{Category, Slug};

use super::{PageRecord, Pages, Record};
use crate::ledger::Key;

/// Names the folders of documents that have one title, and of a document that is called as something else is.
fn tell_apart(pages: &mut Pages<'_>) {
    let tell = |page: &mut Record<'_>, apart: String| page.put(|page| &mut page.apart, |page| &page.apart, apart);
    if pages.values().all(|page| page.folder.is_empty()) {
        pages.values_mut().for_each(|page| tell(page, String::new()));
        return;
    }
    let mut n_called: BTreeMap<Slug, usize> = BTreeMap::new();
    pages.values().filter_map(|page| Slug::from_text(&page.title)).for_each(|slug| {
        *n_called.entry(slug).or_default() += 1;
    });
    for page in pages.values_mut() {
        let is_alone = Slug::from_text(&page.title).is_none_or(|slug| n_called[&slug] < 2);
        let apart = if is_alone { String::new() } else { page.folder.clone() };
        tell(page, apart);
    }
}

/// Returns those of the names of subjects which are those of the older claims of another: `browser-history`.
fn kept_for_history(names: &[Option<Slug>]) -> BTreeSet<Slug> {
    let all = || names.iter().flatten();
    let mut kept: BTreeSet<Slug> = all().filter(|slug| slug.as_str().ends_with(HISTORY)).cloned().collect();
    if !kept.is_empty() {
        let names: BTreeSet<&Slug> = all().collect();
        let is_of = |slug: &Slug| slug.as_str().strip_suffix(HISTORY).and_then(Slug::from_text);
        kept.retain(|slug| is_of(slug).is_some_and(|of| names.contains(&of)));
    }
    kept
}

/// Which page of a person a name leads to.
pub type PageOf<'a> = &'a dyn Fn(&Slug) -> Option<Slug>;

/// What a page would be called if no other one had the name.
struct Plain {
    /// The person's page that it stands beside.
    beside: Option<Slug>,
    text: String,
    slug: Option<Slug>,
}

impl Plain {
    fn of(
        (key, page): (Key, &PageRecord),
        own: Option<Slug>,
        human: PageOf<'_>,
        is_own: &dyn Fn(Key, &str) -> bool,
    ) -> Plain {
        // A name that a reader gave beside the subject's own makes no page a companion of a person's.
        let persons = |alias: &String| human(&Slug::from_text(alias)?).filter(|_| is_own(key, alias));
        let beside = own.as_ref().and_then(human).or_else(|| page.aliases.iter().find_map(persons));
        let text = match (&beside, &own) {
            (Some(human), _) => format!("{human}-journal"),
            (None, Some(own)) => own.as_str().to_owned(),
            (None, None) => format!("subject-{key:016x}"),
        };
        let slug = own.filter(|_| beside.is_none()).or_else(|| Slug::from_text(&text));
        Plain { beside, text, slug }
    }
}

/// Gives every subject its place: folder by category, that of no category where it was put away, name by title, no two
/// the same.
///
/// `human` says which page of a person a name leads to, `is_occupied` which names their files have. Names are given in the order of keys, so that
/// the outcome depends on the set of subjects alone.
pub fn place_pages(
    pages: &mut Pages<'_>,
    folder_of: &dyn Fn(Option<Category>) -> String,
    (human, is_occupied): (PageOf<'_>, &dyn Fn(&Slug) -> bool),
    is_own: &dyn Fn(Key, &str) -> bool,
) {
    tell_apart(pages);
    let names: Vec<Option<Slug>> = pages.values().map(|page| Slug::from_text(&page.named())).collect();
    let kept = kept_for_history(&names);
    // Of the names that are given, those that another page may ask for, too.
    let mut taken = place_adopted(pages, folder_of, is_occupied);
    let placed: BTreeSet<Key> = taken.values().copied().collect();
    let to_place = pages.iter().zip(names).filter(|((key, _), _)| !placed.contains(key));
    let plain: Vec<Plain> = to_place.map(|((key, page), own)| Plain::of((*key, page), own, human, is_own)).collect();
    let hash_of = |slug: &Slug| hash(slug.as_str());
    let contested = repeated(plain.iter().filter_map(|plain| plain.slug.as_ref()).map(hash_of).collect());
    let mut folders: BTreeMap<Option<Category>, String> = BTreeMap::new();
    let to_place = pages.iter_mut().filter(|(key, _)| !placed.contains(key));
    for ((key, page), Plain { beside, text, slug }) in to_place.zip(plain) {
        let is_free = |slug: &Slug| {
            !taken.contains_key(slug)
                && !is_occupied(slug)
                && human(slug).is_none()
                && !slug.is_device()
                && !kept.contains(slug)
        };
        let slug = slug.filter(is_free);
        let is_alone = slug.as_ref().is_some_and(|slug| contested.binary_search(&hash_of(slug)).is_err());
        let slug = slug.or_else(|| Slug::from_text(&format!("{text}-{:08x}", key >> 32)));
        let Some(slug) = slug else { continue };
        let category = Category::parse(&page.category).unwrap_or(Category::Concept);
        let category = page.archived.is_empty().then_some(category);
        let folder = folders.entry(category).or_insert_with(|| folder_of(category));
        let name = page.path.strip_prefix(folder.as_str()).and_then(|name| name.strip_prefix('/')?.strip_suffix(".md"));
        if name != Some(slug.as_str()) {
            page.change().path = format!("{folder}/{slug}.md");
        }
        page.put(|page| &mut page.beside, |page| &page.beside, beside.map(|slug| slug.as_str().to_owned()));
        if !is_alone {
            taken.insert(slug, *key);
        }
    }
}

/// Gives what was adopted the places where it stood, before others; returns the names that it takes.
fn place_adopted(
    pages: &mut Pages<'_>,
    folder_of: &dyn Fn(Option<Category>) -> String,
    is_occupied: &dyn Fn(&Slug) -> bool,
) -> BTreeMap<Slug, Key> {
    let mut taken: BTreeMap<Slug, Key> = BTreeMap::new();
    let root = folder_of(Some(Category::Concept));
    let root = root.rsplit_once('/').map_or("", |(root, _)| root);
    for (key, page) in pages.iter_mut().filter(|(_, page)| !page.place.is_empty()) {
        let stem = page.place.rsplit('/').next().unwrap_or_default();
        let slug = Slug::from_text(stem).filter(|slug| !taken.contains_key(slug) && !is_occupied(slug));
        let Some(slug) = slug else { continue };
        let folder = page.place.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("/{folder}"));
        let path = match page.archived.is_empty() {
            true => format!("{root}{folder}/{stem}.md"),
            false => format!("{}/{slug}.md", folder_of(None)),
        };
        page.put(|page| &mut page.path, |page| &page.path, path);
        page.put(|page| &mut page.beside, |page| &page.beside, None);
        taken.insert(slug, *key);
    }
    taken
}

/// Those of some hashes that stand there more than once, in order.
fn repeated(mut hashes: Vec<u64>) -> Vec<u64> {
    hashes.sort_unstable();
    let runs = hashes.chunk_by(|a, b| a == b).filter(|run| run.len() > 1);
    runs.map(|run| run[0]).collect()
}

/// A number that equal texts share, and hardly any others; the same within one run of the program.
fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_there_twice_is_repeated() {
        assert_eq!(repeated(vec![3, 1, 2, 3, 1, 3]), [1, 3]);
        assert!(repeated(vec![1, 2]).is_empty());
    }
}
