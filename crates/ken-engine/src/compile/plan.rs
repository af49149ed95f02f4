//! Composes the pages that may differ and makes one plan of them, index and log.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use ken_core::dispute::{DisputedClaim, disputes};
use ken_core::header::FieldName;
use ken_core::layout::TOOL_FOLDER;
use ken_core::page::{page_slug, parse_page};
use ken_core::parallel::long_in_parallel;
use ken_core::redact::redacted;
use ken_core::returned::returned;
use ken_core::settled::{Settlement, Side};
use ken_core::text::cut;
use ken_core::{Basis, Category, Digest, Edit, IndexEntry, LogEntry, Page, Plan, Slug, VaultPath};
use ken_search::Stamp;
use ken_store::StoreError;
use similar::TextDiff;

use ken_compile::account::Claim;
use ken_compile::archive::{ARCHIVE, Archive};
use ken_compile::compose::shown_text;
use ken_compile::corpus::{Known, known_entries};
use ken_compile::cut::{ReadAs, Reader, read_numbered};
use ken_compile::draft::look;
use ken_compile::ledger::Key;
use ken_compile::marked::Marked;
use ken_compile::{Around, Drafted, Entries, Ledger, Source};

use super::CompileOptions;
use super::days::Days;
use super::index::Indexed;
use super::persons::Persons;
use super::proposals::{Proposals, page_view};
use super::reading::Readings;
use super::sources::{Read, read_as};
use crate::engine::Engine;
use crate::failure::Failure;
use crate::outcome::{CompileOutcome, Trust};
use crate::propose::kinds::PageView;
use crate::propose::record::Replies;
use crate::wiki::{Wiki, WikiFile, is_edited_by_hand};

/// A page as tasks about it read it, with what may be related to it.
#[derive(Debug)]
pub(crate) struct Viewed {
    /// The page.
    pub(crate) page: PageView,
    /// Slug and title of pages near it.
    pub(crate) near: Vec<(String, String)>,
    /// Its disputes, none of whose claims is said to hold.
    pub(super) disputes: Vec<Vec<Side>>,
    /// The other pages on which a side of them stands.
    pub(super) against: Vec<(Slug, String)>,
}

impl Engine {
    /// Decides subjects and composes every page that may differ.
    pub(super) fn draft(
        &self,
        (ledger, persons, archive): (&mut Ledger, &Persons<'_>, &Archive),
        replies: &Replies,
        wiki: &Wiki,
        read: &Read,
    ) -> Result<Drafted, Failure> {
        let layout = self.layout();
        let folder_of = |category: Option<Category>| match category {
            Some(category) if layout.preset.has_folders => format!("{}/{}", layout.wiki, category.folder()),
            Some(_) => layout.wiki.to_string(),
            None => format!("{}/{ARCHIVE}", layout.wiki),
        };
        ledger.give_names(persons.given.clone());
        let rolls = self.rolls(wiki);
        let rolling = rolls.rolling();
        let around = Around {
            humans: &|name| persons.page_of(name),
            is_occupied: &|name| persons.is_occupied(name),
            retired: &persons.retired,
            covered_by: &self.covered_by(wiki),
            external: &self.external()?,
            folder_of: &folder_of,
            archive,
            as_left: &wiki.as_left(),
            rolling: rolling.as_ref(),
        };
        let mentioned = (!read.is_first).then_some(&read.dirty);
        let entries = Files { engine: self, readings: Readings::of(self, replies), days: &read.days };
        ken_compile::draft(ledger, mentioned, &around, &entries, &Proposals::of(self, replies))
    }

    /// Returns pages as tasks about them read them, as the last compile left them.
    pub(super) fn views(&self, ledger: &Ledger, keys: &BTreeSet<Key>) -> Result<Vec<Viewed>, Failure> {
        let replies = self.replies()?;
        let (wiki, external) = (self.read_wiki()?, self.external()?);
        let (persons, covered_by) = (self.persons(&wiki, &|_| None)?, self.covered_by(&wiki));
        let days = Days::default();
        let entries = Files { engine: self, readings: Readings::of(self, &replies), days: &days };
        let mut out = Vec::new();
        look(ledger, keys, (&|name| persons.page_of(name), &external), &covered_by, &entries, |seen| {
            let side = |claim: &Claim<'_>| Settlement::side(&shown_text(claim.statement), claim.cited[0], false);
            let disputes = seen.account.disputed.iter().map(|dispute| dispute.iter().map(side).collect()).collect();
            let against = seen.input.against.iter().map(|page| (page.slug.clone(), page.title.clone())).collect();
            let page = page_view(seen.input, seen.account, seen.path);
            out.push(Viewed { page, near: seen.near, disputes, against });
        })?;
        Ok(out)
    }

    /// Returns the disputes of a page as the last compile left them, as if none of their claims held. Where nothing is known
    /// of that, as in a fresh clone, the page says what is left of them.
    pub(super) fn disputes_as_compiled(&self, page: &Page) -> Result<Vec<Settlement>, Failure> {
        let Some(ledger) = self.load_ledger() else { return Ok(disputes_on(page)) };
        if !ledger.disputing().contains(page.path.as_str()) {
            return Ok(Vec::new());
        }
        let keys = ledger.pages.iter().filter(|(_, known)| known.path == page.path.as_str());
        let keys: BTreeSet<Key> = keys.map(|(key, _)| *key).collect();
        let viewed = self.views(&ledger, &keys)?.into_iter().next();
        let (disputes, against) = viewed.map(|viewed| (viewed.disputes, viewed.against)).unwrap_or_default();
        let pages = std::iter::once((page.slug(), page.title())).chain(against).take(Settlement::PAGES_MAX);
        let pages: Vec<(Slug, String)> = pages.collect();
        Ok(disputes.into_iter().map(|sides| Settlement { pages: pages.clone(), sides }).collect())
    }

    /// Shows every entry of the journal that the last compile read and somebody vouches for, without what models read of
    /// it.
    pub(crate) fn every_entry(&self, ledger: &Ledger, mut show: impl FnMut(Marked)) -> Result<(), Failure> {
        let (days, journal) = (Days::default(), self.layout().journal.clone());
        for (path, file) in ledger.files.iter().filter(|(path, _)| !ledger.external.contains(*path)) {
            let Some(path) = VaultPath::new(path).filter(|path| path.is_under(journal.as_str())) else { continue };
            let wanted: BTreeSet<u16> = (0..file.entries.len()).filter_map(|n| u16::try_from(n).ok()).collect();
            if let Some(entries) = days.entries(&self.store, (&path, &file.digest), &wanted) {
                entries.into_iter().for_each(|(_, entry)| show(entry));
                continue;
            }
            let Some(text) = self.store.read(&path)?.and_then(|bytes| String::from_utf8(bytes).ok()) else { continue };
            let state = ledger.state_of(&path, text.as_bytes());
            let cut = read_numbered((&path, ReadAs::Journal), (&text, state), None, &|_| true);
            cut.entries.into_iter().for_each(|(_, entry)| show(Marked::of(entry)));
        }
        Ok(())
    }

    /// The files that a person's page names as its sources.
    fn covered_by<'w>(&'w self, wiki: &'w Wiki) -> impl Fn(&Slug) -> BTreeSet<VaultPath> + 'w {
        let paths: OnceCell<BTreeMap<Slug, &VaultPath>> = OnceCell::new();
        let of_persons = || {
            let pages = wiki.pages().filter(|(_, sort)| !sort.is_owned);
            pages.map(|(path, _)| (page_slug(path), path)).collect()
        };
        move |slug| {
            // What cannot be read covers nothing.
            let text = paths
                .get_or_init(of_persons)
                .get(slug)
                .copied()
                .and_then(|path| Some((path, self.store.read(path).ok()??)));
            let page = text.map(|(path, bytes)| parse_page(path, String::from_utf8_lossy(&bytes).into_owned()).value);
            let sources = page.map(|page| page.list(FieldName::Sources)).unwrap_or_default();
            sources.iter().filter_map(|source| self.cited_file(source)).collect()
        }
    }

    /// Sources that nobody vouches for.
    pub(crate) fn external(&self) -> Result<BTreeSet<VaultPath>, Failure> {
        let external = self.register()?.into_iter().filter(|(_, known)| known.trust == Trust::External);
        Ok(external.map(|(path, _)| path).collect())
    }

    /// Makes the plan: pages, removed pages, headers of people's pages, index.
    pub(super) fn plan_compile(
        &self,
        options: CompileOptions,
        wiki: &mut Wiki,
        (drafted, ledger): (Drafted, &Ledger),
        read: &Read,
        outcome: &mut CompileOutcome,
    ) -> Result<(Plan, Indexed), Failure> {
        let mut edits = Vec::new();
        for (path, text) in drafted.pages {
            if wiki.is_unmerged(&path) {
                continue;
            }
            let current = self.store.read(&path)?;
            if current.as_deref() == Some(text.as_bytes()) {
                continue;
            }
            may_replace(wiki, &path, current.as_deref())?;
            let slug = ken_core::page::page_slug(&path);
            if let Some(before) = current.as_deref().and_then(|bytes| str::from_utf8(bytes).ok()) {
                let page = |text: &str| parse_page(&path, text.to_owned()).value;
                let found = returned(&page(before), &page(&text));
                outcome.returned.extend(found.into_iter().map(|one| (slug.clone(), one)));
            }
            if current.is_some() {
                outcome.updated.push(slug)
            } else {
                outcome.created.push(slug)
            }
            note_page(wiki, &path, &text);
            edits.push(Basis::of(&path, current.as_deref()).replace(text));
        }
        for path in wiki.compiled_beside(ledger.places()) {
            if let Some(bytes) = self.store.read(&path)? {
                may_replace(wiki, &path, Some(&bytes))?;
                edits.push(Basis::of(&path, Some(&bytes)).remove());
            }
            outcome.removed.push(ken_core::page::page_slug(&path));
            wiki.files.remove(&path);
        }
        if options.headers || self.layout().preset.fills_headers {
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
        for (slug, one) in &outcome.returned {
            let gone = one.by.as_ref().map(|by| format!("; {} no longer replaces it", by.path)).unwrap_or_default();
            lines.push(format!("Returned: [[{slug}]]: {}{gone}", cut(&one.text, 120)));
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
    pub(crate) fn diff(&self, plan: &Plan) -> Result<String, Failure> {
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

/// The disputes that a page shows, as if none of their claims held.
fn disputes_on(page: &Page) -> Vec<Settlement> {
    let side = |claim: &DisputedClaim| {
        let cited = claim.cited.first().filter(|cited| !cited.digest.is_empty())?;
        Some(Settlement::side(&claim.text, cited, false))
    };
    let sides = disputes(page).into_iter().filter_map(|one| one.claims.iter().map(side).collect::<Option<Vec<Side>>>());
    sides.map(|sides| Settlement { pages: vec![(page.slug(), page.title())], sides }).collect()
}

/// The entries of the vault's files, with what models read of them.
pub(super) struct Files<'a> {
    pub(super) engine: &'a Engine,
    pub(super) readings: Option<Readings<'a>>,
    pub(super) days: &'a Days,
}

impl Source for Files<'_> {
    type Failure = Failure;

    fn entries(
        &self,
        wanted: &BTreeMap<&VaultPath, BTreeSet<u16>>,
        subjects: &BTreeSet<Key>,
        ledger: &Ledger,
    ) -> Result<Entries, Failure> {
        let files: Vec<(&VaultPath, &BTreeSet<u16>)> = wanted.iter().map(|(path, numbers)| (*path, numbers)).collect();
        let kept = long_in_parallel(files.len(), |n| {
            let (path, wanted) = files[n];
            Some((path.clone(), known_entries(self.kept(path, wanted, ledger)?, subjects, ledger)))
        });
        let missing = files.iter().zip(&kept).filter(|(_, kept)| kept.is_none()).map(|((path, _), _)| *path);
        let read = self
            .read(&missing.collect::<Vec<_>>(), wanted, ledger, |entries| known_entries(entries, subjects, ledger))?;
        Ok(kept.into_iter().flatten().chain(read).collect())
    }
}

impl Files<'_> {
    /// The entries of a day as they were kept when it was read.
    fn kept(&self, path: &VaultPath, wanted: &BTreeSet<u16>, ledger: &Ledger) -> Option<Vec<(u16, Marked)>> {
        if self.readings.is_some() || !path.is_under(self.engine.layout().journal.as_str()) {
            return None;
        }
        let digest = &ledger.files.get(path.as_str())?.digest;
        self.days.entries(&self.engine.store, (path, digest), wanted)
    }

    /// Reads entries from their files; of a day all of them, to be kept.
    fn read(
        &self,
        paths: &[&VaultPath],
        wanted: &BTreeMap<&VaultPath, BTreeSet<u16>>,
        ledger: &Ledger,
        known: impl Fn(Vec<(u16, Marked)>) -> Vec<(u16, Known)> + Sync,
    ) -> Result<Entries, Failure> {
        let store = &self.engine.store;
        let stats: Vec<ken_store::FileStat> =
            paths.iter().filter_map(|path| store.stat(path).transpose()).collect::<Result<_, _>>()?;
        let (journal, register) = (self.engine.layout().journal.clone(), self.engine.register()?);
        let read = store.map_files(&stats, |stat, bytes| {
            let text = String::from_utf8_lossy(&bytes);
            let is_journal = stat.path.is_under(journal.as_str());
            let is_kept = is_journal && self.readings.is_none();
            let read_as = read_as(&stat.path, is_journal, &register);
            let wanted = &wanted[&stat.path];
            let state = ledger.state_of(&stat.path, &bytes);
            let reader = self.readings.as_ref().map(|readings| readings as &dyn Reader);
            let file = (&stat.path, read_as);
            let mut cut = read_numbered(file, (&text, state), reader, &|n| is_kept || wanted.contains(&n));
            self.engine.cite_days(&mut cut)?;
            let mut entries: Vec<(u16, Marked)> =
                cut.entries.into_iter().map(|(n, entry)| (n, Marked::of(entry))).collect();
            if is_kept {
                self.days.note(&stat.path, *Digest::of(&bytes).as_bytes(), entries.iter().map(|(_, entry)| entry));
                entries.retain(|(n, _)| wanted.contains(n));
            }
            Ok(known(entries))
        })?;
        let known = |(stat, entries): (ken_store::FileStat, Option<Result<_, Failure>>)| {
            Ok((stat.path, entries.transpose()?.unwrap_or_default()))
        };
        stats.into_iter().zip(read).map(known).collect()
    }
}

/// Refuses to replace bytes that came after the wiki was read and that the compiler did not write: what a
/// person has just written is taken into the journal by the next compile.
pub(crate) fn may_replace(wiki: &Wiki, path: &VaultPath, current: Option<&[u8]>) -> Result<(), Failure> {
    let Some(bytes) = current else { return Ok(()) };
    if wiki.given_way.get(path) == Some(&Digest::of(bytes)) {
        return Ok(());
    }
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
