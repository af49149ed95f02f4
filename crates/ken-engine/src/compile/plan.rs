//! Composes the pages that may differ and makes one plan of them, index and log.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::index::{PageSort, resolve_names};
use ken_core::layout::{Preset, TOOL_FOLDER};
use ken_core::page::parse_page;
use ken_core::redact::redacted;
use ken_core::{Basis, Category, Digest, Edit, IndexEntry, LogEntry, Plan, Slug, VaultPath};
use ken_search::Stamp;
use ken_store::StoreError;
use similar::TextDiff;

use super::CompileOptions;
use super::account::{account, found_replaced};
use super::compose::{self, compose};
use super::corpus::{Corpus, known_entries};
use super::drafter::{Drafter, Names, joining};
use super::index::Indexed;
use super::ledger::{Found, Key, Ledger, Replaced, key_hash};
use super::naming::{PageRecord, name_subject, place_pages, renamed, retaken, taken_aliases};
use super::proposals::{Proposals, page_view};
use super::reading::Readings;
use super::sources::{Read, ReadAs, read_numbered};
use crate::engine::Engine;
use crate::failure::Failure;
use crate::outcome::{CompileOutcome, Trust};
use crate::propose::kinds::PageView;
use crate::propose::record::Replies;
use crate::wiki::{Wiki, WikiFile, is_compiled, is_edited_by_hand};
use ken_core::words::subject_key;

/// The texts of the pages that may differ from what stands on disk.
#[derive(Debug, Default)]
pub(super) struct Drafted {
    pub(super) pages: BTreeMap<VaultPath, String>,
    /// Where compiled pages stand, all of them.
    pub(super) expected: BTreeSet<VaultPath>,
}

/// A page as tasks about it read it, with what may be related to it.
#[derive(Debug)]
pub(crate) struct Viewed {
    /// The page.
    pub(crate) page: PageView,
    /// Slug and title of pages near it.
    pub(crate) near: Vec<(String, String)>,
}

impl Engine {
    /// Decides subjects and composes every page that may differ.
    pub(super) fn draft(
        &self,
        ledger: &mut Ledger,
        replies: &Replies,
        wiki: &Wiki,
        read: &Read,
    ) -> Result<Drafted, Failure> {
        let readings = Readings::of(self, replies);
        let subjects = ledger.subjects();
        let before = std::mem::take(&mut ledger.pages);
        let known: BTreeSet<Key> = before.keys().copied().collect();
        let mut flipped: BTreeSet<Key> = known.symmetric_difference(&subjects).copied().collect();
        flipped.extend(ledger.take_moved());
        let mut dirty: BTreeSet<Key> = if read.is_first {
            subjects.clone()
        } else {
            ledger.pages_of(&read.dirty).intersection(&subjects).copied().collect()
        };
        dirty.extend(ledger.neighbours(&flipped).intersection(&subjects));
        let mut corpus = Corpus::default();
        self.load_entries(ledger, readings, (&dirty, &subjects), &mut corpus)?;
        let paths = ledger.paths();
        let kept = before.iter().filter(|(key, _)| subjects.contains(key)).map(|(key, page)| (*key, page.clone()));
        let mut pages: BTreeMap<Key, PageRecord> = kept.collect();
        let external = self.external()?;
        for key in &dirty {
            pages.insert(*key, name_subject(*key, ledger.postings_of(*key), &corpus, &paths, &external));
        }
        let humans = human_names(wiki);
        self.place(&mut pages, &humans, ledger);
        // A page that is called differently now is called differently by its neighbours too.
        let renamed = renamed(&before, &pages);
        dirty.extend(ledger.neighbours(&renamed).intersection(&subjects));
        let taken = taken_aliases(&pages);
        dirty.extend(retaken(&ledger.taken, &taken).intersection(&subjects));
        dirty.extend(pages.iter().filter(|(_, page)| needs_look(page, wiki)).map(|(key, _)| *key));
        let proposals = Proposals::of(self, replies, &pages);
        dirty.extend(pages.iter().filter(|(_, page)| proposals.are_others(page)).map(|(key, _)| *key));
        self.load_entries(ledger, readings, (&dirty, &subjects), &mut corpus)?;
        let mut found = std::mem::take(&mut ledger.replaced);
        let joining = joining(ledger);
        let names = Names {
            ledger,
            pages: &pages,
            paths: &paths,
            humans: &humans,
            external: &external,
            taken: &taken,
            joining: &joining,
        };
        let was = Replaced::of(&found, &paths);
        renew_found(&mut found, &dirty, &Drafter { names, corpus: &corpus, replaced: &Replaced::default() });
        let replaced = Replaced::of(&found, &paths);
        // What one page found holds on the others.
        dirty.extend(ledger.quoting(&replaced.changed(&was)).intersection(&subjects));
        self.load_entries(ledger, readings, (&dirty, &subjects), &mut corpus)?;
        self.load_successors(ledger, readings, (&dirty, &subjects), &replaced, &mut corpus)?;
        let expected = pages.values().filter_map(|page| VaultPath::new(&page.path)).collect();
        let mut drafted = Drafted { expected, ..Drafted::default() };
        let drafter = Drafter { names, corpus: &corpus, replaced: &replaced };
        let made = compose_all(&dirty, &drafter, &proposals, &mut drafted);
        for (key, made) in made {
            let page = pages.entry(key).or_default();
            (page.n_claims, page.proposals) = (made.n_claims, proposals.fingerprint(&made.digest));
            (page.digest, page.history) = (made.digest, made.history);
        }
        drafted.expected.extend(pages.values().filter_map(|page| VaultPath::new(&page.history)));
        (ledger.pages, ledger.taken, ledger.replaced) = (pages, taken, found);
        Ok(drafted)
    }

    /// Returns pages as tasks about them read them, as the last compile left them.
    pub(super) fn views(&self, ledger: Ledger, keys: &BTreeSet<Key>) -> Result<Vec<Viewed>, Failure> {
        let replies = self.replies()?;
        let subjects: BTreeSet<Key> = ledger.pages.keys().copied().collect();
        let mut corpus = Corpus::default();
        self.load_entries(&ledger, Readings::of(self, &replies), (keys, &subjects), &mut corpus)?;
        let paths = ledger.paths();
        let humans = human_names(&self.read_wiki()?);
        let external = self.external()?;
        let (ledger, pages) = (&ledger, &ledger.pages);
        let taken = taken_aliases(pages);
        let replaced = Replaced::of(&ledger.replaced, &paths);
        self.load_successors(ledger, Readings::of(self, &replies), (keys, &subjects), &replaced, &mut corpus)?;
        let joining = joining(ledger);
        let names = Names {
            ledger,
            pages,
            paths: &paths,
            humans: &humans,
            external: &external,
            taken: &taken,
            joining: &joining,
        };
        let drafter = Drafter { names, corpus: &corpus, replaced: &replaced };
        let mut out = Vec::new();
        for key in keys {
            let Some(path) = pages.get(key).and_then(|page| VaultPath::new(&page.path)) else { continue };
            let (input, evidence) = drafter.input(*key);
            let page =
                page_view(&input, &account(&input.statements, &input.elsewhere, &|id| replaced.on(*key, id)), &path);
            out.push(Viewed { page, near: drafter.near(&evidence) });
        }
        Ok(out)
    }

    /// Sources that nobody vouches for.
    pub(crate) fn external(&self) -> Result<BTreeSet<VaultPath>, Failure> {
        let external = self.register()?.into_iter().filter(|(_, known)| known.trust == Trust::External);
        Ok(external.map(|(path, _)| path).collect())
    }

    fn place(&self, pages: &mut BTreeMap<Key, PageRecord>, humans: &BTreeMap<Slug, Slug>, ledger: &Ledger) {
        let layout = self.layout();
        let folder_of = |category: Category| match layout.preset {
            Preset::Ckp => layout.wiki.to_string(),
            Preset::Kenning => format!("{}/{}", layout.wiki, category.folder()),
        };
        let is_own = |key: Key, alias: &str| ledger.page_of(key_hash(&subject_key(alias))) == key;
        place_pages(pages, &folder_of, &|name| humans.get(name).cloned(), &is_own);
    }

    /// Reads the files of every entry that mentions one of `keys`.
    fn load_entries(
        &self,
        ledger: &Ledger,
        readings: Option<Readings<'_>>,
        (keys, subjects): (&BTreeSet<Key>, &BTreeSet<Key>),
        corpus: &mut Corpus,
    ) -> Result<(), Failure> {
        let leading = keys.iter().flat_map(|key| ledger.leading_to(*key));
        let entries = leading.flat_map(|key| ledger.postings_of(key)).map(|posting| (posting.file, posting.entry));
        self.load(entries, (ledger, readings, subjects), corpus)
    }

    /// Reads the entries that say what took the place of something on the pages of `keys`.
    fn load_successors(
        &self,
        ledger: &Ledger,
        readings: Option<Readings<'_>>,
        (keys, subjects): (&BTreeSet<Key>, &BTreeSet<Key>),
        replaced: &Replaced,
        corpus: &mut Corpus,
    ) -> Result<(), Failure> {
        let leading = keys.iter().flat_map(|key| ledger.leading_to(*key));
        let quoted = leading.flat_map(|key| ledger.postings_of(key)).map(|posting| (posting.file, posting.entry));
        let successors: BTreeSet<(u32, u16)> = quoted
            .flat_map(|entry| replaced.of_entry(entry))
            .flat_map(|id| replaced.reach(id))
            .map(|id| (id.file, id.entry))
            .collect();
        self.load(successors.into_iter(), (ledger, readings, subjects), corpus)
    }

    /// Reads entries that are not known yet.
    fn load(
        &self,
        entries: impl Iterator<Item = (u32, u16)>,
        (ledger, readings, subjects): (&Ledger, Option<Readings<'_>>, &BTreeSet<Key>),
        corpus: &mut Corpus,
    ) -> Result<(), Failure> {
        let paths = ledger.paths();
        let mut wanted: BTreeMap<&VaultPath, BTreeSet<u16>> = BTreeMap::new();
        for (file, entry) in entries {
            if let Some(path) = paths.get(&file).filter(|path| corpus.entry(path, entry).is_none()) {
                wanted.entry(path).or_default().insert(entry);
            }
        }
        let stats: Vec<ken_store::FileStat> =
            wanted.keys().filter_map(|path| self.store.stat(path).transpose()).collect::<Result<_, _>>()?;
        let (journal, register) = (self.layout().journal.clone(), self.register()?);
        let read = self.store.map_files(&stats, |stat, bytes| {
            let text = String::from_utf8_lossy(&bytes);
            let read_as = ReadAs::of(&stat.path, stat.path.is_under(journal.as_str()), &register);
            let wanted = &wanted[&stat.path];
            let state = ledger.state_of(&stat.path, &bytes);
            let cut = read_numbered((&stat.path, read_as), (&text, state), readings, &|n| wanted.contains(&n));
            known_entries(cut.entries, subjects, ledger)
        })?;
        stats.iter().zip(read).for_each(|(stat, entries)| corpus.add(&stat.path, entries.unwrap_or_default()));
        Ok(())
    }

    /// Makes the plan: pages, removed pages, headers of people's pages, index.
    pub(super) fn plan_compile(
        &self,
        options: CompileOptions,
        wiki: &mut Wiki,
        drafted: Drafted,
        read: &Read,
        outcome: &mut CompileOutcome,
    ) -> Result<(Plan, Indexed), Failure> {
        let mut edits = Vec::new();
        for (path, text) in &drafted.pages {
            if wiki.is_unmerged(path) {
                continue;
            }
            let current = self.store.read(path)?;
            if current.as_deref() == Some(text.as_bytes()) {
                continue;
            }
            may_replace(wiki, path, current.as_deref())?;
            let slug = ken_core::page::page_slug(path);
            if current.is_some() {
                outcome.updated.push(slug)
            } else {
                outcome.created.push(slug)
            }
            edits.push(Basis::of(path, current.as_deref()).replace(text.as_str()));
            note_page(wiki, path, text);
        }
        let is_gone = |(path, sort): &(&VaultPath, PageSort)| {
            is_compiled(*sort) && !drafted.expected.contains(*path) && !wiki.is_unmerged(path)
        };
        let gone: Vec<VaultPath> = wiki.pages().filter(is_gone).map(|(path, _)| path.clone()).collect();
        for path in gone {
            if let Some(bytes) = self.store.read(&path)? {
                may_replace(wiki, &path, Some(&bytes))?;
                edits.push(Basis::of(&path, Some(&bytes)).remove());
            }
            outcome.removed.push(ken_core::page::page_slug(&path));
            wiki.files.remove(&path);
        }
        if options.headers || self.layout().preset == Preset::Ckp {
            self.plan_headers(wiki, &mut edits, outcome)?;
        }
        self.plan_answers(wiki, &mut edits, outcome)?;
        outcome.unchanged = wiki.pages().count() - outcome.created.len() - outcome.updated.len();
        let indexed = self.plan_index(wiki, &mut edits)?;
        outcome.skipped.extend(indexed.left_out.iter().cloned());
        let is_page = |edit: &&Edit| self.layout().is_page(edit.path()) || edit.path().is_under(TOOL_FOLDER);
        outcome.renewed = edits.iter().filter(|edit| !is_page(edit)).map(|edit| edit.path().clone()).collect();
        Ok((Plan { edits, guards: Vec::new(), log: self.log_entry(read, outcome) }, indexed))
    }

    fn log_entry(&self, read: &Read, outcome: &CompileOutcome) -> LogEntry {
        let links = |slugs: &[Slug]| {
            if slugs.is_empty() {
                "(none)".to_owned()
            } else {
                slugs.iter().map(|slug| format!("[[{slug}]]")).collect::<Vec<_>>().join(", ")
            }
        };
        let mut lines: Vec<String> = read.inputs.iter().map(|(path, _)| format!("Source: {path}")).collect();
        lines.push(format!("Created: {}", links(&outcome.created)));
        lines.push(format!("Updated: {}", links(&outcome.updated)));
        if !outcome.removed.is_empty() {
            lines.push(format!(
                "Removed: {}",
                outcome.removed.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
            ));
        }
        let subject = match read.inputs.as_slice() {
            [] => match [outcome.created.as_slice(), &outcome.updated].concat().as_slice() {
                few @ [_] | few @ [_, _] | few @ [_, _, _] => {
                    few.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
                }
                _ => "pages as they should be".to_owned(),
            },
            [(path, _)] => path.to_string(),
            many => format!("{} sources", many.len()),
        };
        LogEntry {
            at: self.clock.now,
            kind: "compile".to_owned(),
            subject,
            lines,
            inputs: read.inputs.clone(),
            public: true,
        }
    }

    /// Notes how the written files look now, so that the next command need not read them.
    pub(super) fn refresh_stamps(&self, wiki: &mut Wiki, plan: &Plan) -> Result<(), Failure> {
        for edit in &plan.edits {
            if let Some(file) = wiki.files.get_mut(edit.path())
                && let Some(stat) = self.store.stat(edit.path())?
            {
                (file.stamp.len, file.stamp.mtime_ns) = (stat.len, stat.mtime_ns);
            }
        }
        Ok(())
    }

    /// Returns a plan as a unified diff.
    pub(super) fn diff(&self, plan: &Plan) -> Result<String, Failure> {
        let mut out = String::new();
        for edit in &plan.edits {
            let old = self.store.read(edit.path())?.unwrap_or_default();
            let new = match edit {
                Edit::Write { content, .. } => content.clone(),
                Edit::Append { content, .. } => [old.clone(), content.clone()].concat(),
                Edit::Remove { .. } | Edit::Erase { .. } | Edit::Forget { .. } => Vec::new(),
                Edit::Redact { cuts, .. } => redacted(&old, cuts).unwrap_or_default(),
            };
            let (old, new) = (String::from_utf8_lossy(&old).into_owned(), String::from_utf8_lossy(&new).into_owned());
            let name = |text: &str, side: &str| {
                if text.is_empty() { "/dev/null".to_owned() } else { format!("{side}/{}", edit.path()) }
            };
            let diff = TextDiff::from_lines(&old, &new);
            out.push_str(&diff.unified_diff().context_radius(3).header(&name(&old, "a"), &name(&new, "b")).to_string());
        }
        Ok(out)
    }
}

/// What composing a page told of it.
struct Made {
    n_claims: u32,
    /// Where the page of its older claims stands; empty where there are none.
    history: String,
    /// What names its claims; empty when nothing was ever proposed for a page.
    digest: String,
}

/// Finds again what no longer holds on pages that may differ, and forgets what was found on pages that are gone.
fn renew_found(found: &mut Found, keys: &BTreeSet<Key>, drafter: &Drafter<'_>) {
    found.retain(|key, _| drafter.names.pages.contains_key(key));
    for key in keys {
        let (input, _) = drafter.input(*key);
        match found_replaced(&input.statements) {
            none if none.is_empty() => drop(found.remove(key)),
            some => drop(found.insert(*key, some)),
        }
    }
}

/// Composes pages with what was proposed for them.
fn compose_all(
    keys: &BTreeSet<Key>,
    drafter: &Drafter<'_>,
    proposals: &Proposals<'_>,
    drafted: &mut Drafted,
) -> Vec<(Key, Made)> {
    let mut out = Vec::new();
    for key in keys {
        let Some(path) = VaultPath::new(&drafter.names.pages[key].path) else { continue };
        let (input, _) = drafter.input(*key);
        let n_claims = input.statements.len() as u32;
        let account = account(&input.statements, &input.elsewhere, &|id| drafter.replaced.on(*key, id));
        let resolve = |target: &str| drafter.resolve(target);
        let history = drafter.history_of(*key).filter(|_| !account.older.is_empty());
        let history = history.zip(input.history.as_ref()).map(|((path, of), own)| {
            let text = compose::history(&input, &account.older, (of, own), &resolve);
            drafted.pages.insert(path.clone(), text);
            path.to_string()
        });
        let history = history.unwrap_or_default();
        let view = (!proposals.is_empty()).then(|| page_view(&input, &account, &path));
        let proposed = view.as_ref().map(|view| proposals.proposed(view, &input)).unwrap_or_default();
        drafted.pages.insert(path, compose(&input, &account, &proposed, &resolve));
        out.push((*key, Made { n_claims, history, digest: view.map(|view| view.digest).unwrap_or_default() }));
    }
    out
}

/// Refuses to replace bytes that came after the wiki was read and that the compiler did not write: what a
/// person has just written is taken into the journal by the next compile.
pub(crate) fn may_replace(wiki: &Wiki, path: &VaultPath, current: Option<&[u8]>) -> Result<(), Failure> {
    let Some(bytes) = current else { return Ok(()) };
    if wiki.files.get(path).is_some_and(|file| file.stamp.digest == Digest::of(bytes)) {
        return Ok(());
    }
    let page = str::from_utf8(bytes).ok().map(|text| parse_page(path, text.to_owned()).value);
    if page.is_some_and(|page| page.is_owned() && !is_edited_by_hand(&page)) {
        return Ok(());
    }
    Err(Failure::from(StoreError::Changed { path: path.clone() }).hint("`ken compile --all` looks at every file again"))
}

/// Puts a page that will be written into the view of the wiki.
pub(crate) fn note_page(wiki: &mut Wiki, path: &VaultPath, text: &str) {
    let page = parse_page(path, text.to_owned()).value;
    let stamp = Stamp { path: path.clone(), len: text.len() as u64, mtime_ns: 0, digest: Digest::of(text.as_bytes()) };
    wiki.files.insert(path.clone(), WikiFile::fresh(stamp, Some(IndexEntry::of(&page))));
}

/// Names of pages that people own, with the slug of each: slugs win over titles and aliases.
fn human_names(wiki: &Wiki) -> BTreeMap<Slug, Slug> {
    let humans: Vec<&IndexEntry> = wiki.entries_of(|sort| !sort.is_owned).collect();
    let names = resolve_names(humans.iter().copied());
    names.into_iter().map(|(name, page_idx)| (name, humans[page_idx as usize].slug.clone())).collect()
}

/// Whether the file of a page is missing or not as it was after the last compile.
fn needs_look(page: &PageRecord, wiki: &Wiki) -> bool {
    let is_other = |path: VaultPath| wiki.files.get(&path).is_none_or(|file| file.is_fresh);
    VaultPath::new(&page.path).is_none_or(is_other) || VaultPath::new(&page.history).is_some_and(is_other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_came_after_the_wiki_was_read_are_never_replaced() {
        let path = VaultPath::new("knowledge/concepts/oven.md").expect("inside");
        let mut wiki = Wiki::default();
        let written = "---\nowner: kenning\n---\nOvens heat.\n";
        note_page(&mut wiki, &path, written);
        assert!(may_replace(&wiki, &path, Some(written.as_bytes())).is_ok());
        assert!(may_replace(&wiki, &path, None).is_ok());
        let digest = Digest::of(b"Ovens heat.\n").short();
        let own = format!("---\nowner: kenning\nbody_digest: {digest}\n---\n");
        assert!(may_replace(&wiki, &path, Some(format!("{own}Ovens heat.\n").as_bytes())).is_ok(), "as compiled");
        assert!(may_replace(&wiki, &path, Some(format!("{own}Mine.\n").as_bytes())).is_err(), "edited since");
        assert!(may_replace(&wiki, &path, Some(b"My page.\n")).is_err(), "a person's page since");
        assert!(may_replace(&wiki, &path, Some(b"\xff")).is_err(), "no text");
    }
}
