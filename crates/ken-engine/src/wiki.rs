//! The pages as they stand, read with as little work as their changes allow.
//!
//! The routing table in the cache says what every page's header said and how its file looked. Files that
//! look the same are not read again. Only a compile, which holds the lock, puts a new table into the cache;
//! where there is none that fits, routing keeps what it read in a table of its own.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use ken_core::header::FieldName;
use ken_core::index::part::foreign_rows;
use ken_core::index::render::row_text;
use ken_core::index::{Catalog, Index, PageSort};
use ken_core::layout::Layout;
use ken_core::page::parse_page;
use ken_core::parallel::in_parallel;
use ken_core::unmerged::unmerged;
use ken_core::{Category, Digest, IndexEntry, Page, Slug, Tokens, VaultPath};
use ken_search::{FolderStamp, Said, Stamp, Table};
use ken_store::{FileStat, Listing};

use crate::engine::Engine;
use crate::failure::Failure;

/// Name of the routing table in the cache.
pub(crate) const TABLE: &str = "route.bin";

/// Name of the table that reading makes where there is none that fits. Compiling takes nothing from it: what
/// differs from its own table is what changed since the last compile.
const READ_TABLE: &str = "read.bin";
/// A time that no file has, so that the file is looked at again.
const NEVER: i64 = i64::MIN;

/// Up to this many files each is looked at before routing, so that an edit in place is seen; above, only
/// the folders are, which shows every file that was added, removed or replaced.
const LOOK_AT_FILES_MAX: usize = 2_000;

/// One file of the wiki.
#[derive(Debug, Clone)]
pub(crate) struct WikiFile {
    /// How it looked.
    pub(crate) stamp: Stamp,
    /// Of what sort the page is; none when it is not UTF-8 text.
    pub(crate) sort: Option<PageSort>,
    /// What the index says of it; of a page that is in the table only once somebody asked. It is large, and most that is
    /// asked of ten thousand files is not about it.
    entry: OnceLock<Box<IndexEntry>>,
    /// What its row of the index costs, once somebody asked or where the table says it.
    row: OnceLock<Tokens>,
    /// Its number in the table, as long as it is as the table says.
    in_table: Option<u32>,
    /// Whether it was read again because it differs from the table.
    pub(crate) is_fresh: bool,
    /// Whether its body differs from what the compiler wrote; known for files that were read again.
    pub(crate) is_edited: bool,
    /// Whether git left conflict markers in it; such a file is read again every time.
    pub(crate) is_unmerged: bool,
}

impl WikiFile {
    /// A page as it is now.
    pub(crate) fn fresh(stamp: Stamp, entry: Option<IndexEntry>) -> WikiFile {
        let sort = entry.as_ref().map(IndexEntry::sort);
        let entry = entry.map(|entry| OnceLock::from(Box::new(entry))).unwrap_or_default();
        let row = OnceLock::new();
        WikiFile { stamp, sort, entry, row, in_table: None, is_fresh: true, is_edited: false, is_unmerged: false }
    }

    /// The same page with the sentence that an index of another tool says of it, if its header has none.
    fn told(mut self, told: &BTreeMap<Slug, String>) -> WikiFile {
        if let Some(entry) = self.entry.get_mut().filter(|entry| entry.tldr.is_empty())
            && let Some(said) = told.get(&entry.slug)
        {
            entry.tldr.clone_from(said);
        }
        self
    }

    /// Whether the table has what its page says.
    pub(crate) fn is_in_table(&self) -> bool {
        self.in_table.is_some()
    }

    /// A file that looks as the table says, and its page there, if it is one.
    fn known(stamp: Stamp, page: Option<(u32, (PageSort, Tokens))>) -> WikiFile {
        let (in_table, said) = page.unzip();
        let (sort, row) = said.unzip();
        let row = row.map(OnceLock::from).unwrap_or_default();
        WikiFile { sort, row, in_table, is_fresh: false, ..WikiFile::fresh(stamp, None) }
    }
}

/// Whether a table knows a file as it looks now.
fn has_stamp(table: &Table, file: &FileStat) -> bool {
    table.files().any(|(path, len, mtime_ns, _)| (path, len, mtime_ns) == (file.path.as_str(), file.len, file.mtime_ns))
}

/// Why a file with conflict markers is left alone.
pub(crate) const UNMERGED: &str = "git left conflict markers in it; merge the two sides by hand, then compile again";

/// Places that were left out, with the reason.
pub(crate) type LeftOut = Vec<(String, String)>;

/// Every file of the wiki by path.
#[derive(Debug, Clone, Default)]
pub(crate) struct Wiki {
    pub(crate) files: BTreeMap<VaultPath, WikiFile>,
    /// Its folders as they were listed.
    pub(crate) folders: Vec<VaultPath>,
    /// Places that were left out, with the reason.
    pub(crate) skipped: LeftOut,
    /// Files that a command takes away, with what stands there: what is compiled may stand in their place.
    pub(crate) given_way: BTreeMap<VaultPath, Digest>,
    /// The pages that the short index names first, as the last consolidation found them used most.
    pub(crate) used_most: Vec<Slug>,
    /// The table that files which are not fresh were taken from.
    pub(crate) table: Option<Table>,
}

impl Wiki {
    /// Whether git left conflict markers in a file: both sides are somebody's, so it is left alone.
    pub(crate) fn is_unmerged(&self, path: &VaultPath) -> bool {
        self.files.get(path).is_some_and(|file| file.is_unmerged)
    }

    /// What the index says of a file; none when it is no page.
    pub(crate) fn entry<'a>(&'a self, file: &'a WikiFile) -> Option<&'a IndexEntry> {
        if let (None, Some(table), Some(n)) = (file.entry.get(), &self.table, file.in_table) {
            let _ = file.entry.set(Box::new(table.entry(n)));
        }
        file.entry.get().map(Box::as_ref)
    }

    /// The names of a page, without decoding what else the index says of it.
    pub(crate) fn names(&self, file: &WikiFile) -> Option<Vec<Slug>> {
        let in_table = || self.table.as_ref()?.names_of(file.in_table?, &file.stamp.path);
        let known = if file.entry.get().is_none() { in_table() } else { None };
        known.or_else(|| Some(self.entry(file)?.names()))
    }

    /// The names of pages of some sorts that are as the table says, in order, each with the page that it means and whether
    /// it is its slug: slugs win over other names, earlier pages over later ones.
    pub(crate) fn known_names(&self, is_wanted: impl Fn(PageSort) -> bool) -> Vec<(&str, &VaultPath, bool)> {
        let Some(table) = &self.table else { return Vec::new() };
        let mut paths: Vec<Option<&VaultPath>> = vec![None; table.n_pages()];
        for file in self.files_of(is_wanted) {
            if let Some(slot) = file.in_table.and_then(|n| paths.get_mut(n as usize)) {
                *slot = Some(&file.stamp.path);
            }
        }
        let path = |page_idx: u32| paths.get(page_idx as usize).copied().flatten();
        let names = table.names_of_pages(|page_idx| path(page_idx).is_some()).into_iter();
        names.filter_map(|(name, page_idx, is_slug)| Some((name, path(page_idx)?, is_slug))).collect()
    }

    /// The files of the pages of some sorts.
    pub(crate) fn files_of(&self, is_wanted: impl Fn(PageSort) -> bool) -> impl Iterator<Item = &WikiFile> {
        self.files.values().filter(move |file| file.sort.is_some_and(&is_wanted))
    }

    /// What the index says of every page. Decoding ten thousand takes longer than most that is done with them:
    /// whoever needs a few asks for those.
    pub(crate) fn entries(&self) -> impl Iterator<Item = &IndexEntry> {
        let files: Vec<&WikiFile> = self.files.values().collect();
        in_parallel(files.len(), |n| self.entry(files[n])).into_iter().flatten()
    }

    /// What the index says of the pages of some sorts.
    pub(crate) fn entries_of(&self, is_wanted: impl Fn(PageSort) -> bool) -> impl Iterator<Item = &IndexEntry> {
        self.files_of(is_wanted).filter_map(|file| self.entry(file))
    }

    /// What the row of a page in the index costs.
    pub(crate) fn row_cost(&self, layout: &Layout, file: &WikiFile) -> Tokens {
        *file.row.get_or_init(|| {
            self.entry(file).map_or(Tokens(0), |entry| ken_core::budget::count(&row_text(layout, entry)))
        })
    }

    /// Says of a place with which digest its file stands as the last compile left it.
    pub(crate) fn as_left(&self) -> impl Fn(&str) -> Option<Digest> + Sync {
        |place| self.files.get(place).filter(|file| !file.is_fresh).map(|file| file.stamp.digest)
    }

    /// Returns the compiled pages that stand in none of some places; a file with conflict markers is left alone.
    pub(crate) fn compiled_beside<'a>(&self, expected: impl Iterator<Item = &'a str>) -> Vec<VaultPath> {
        let expected: BTreeSet<&str> = expected.collect();
        let compiled = self.files.iter().filter(|(_, file)| !file.is_unmerged && file.sort.is_some_and(is_compiled));
        compiled.map(|(path, _)| path).filter(|path| !expected.contains(path.as_str())).cloned().collect()
    }

    /// Every page with its path.
    pub(crate) fn pages(&self) -> impl Iterator<Item = (&VaultPath, PageSort)> {
        self.files.iter().filter_map(|(path, file)| Some((path, file.sort?)))
    }
}

/// Returns what one page file shows: entry, and whether its body was edited by hand.
pub(crate) fn read_file(file: &FileStat, bytes: Vec<u8>) -> WikiFile {
    let digest = Digest::of(&bytes);
    let page = String::from_utf8(bytes).ok().map(|text| parse_page(&file.path, text).value);
    let is_unmerged = page.as_ref().is_some_and(|page| unmerged(&page.text).is_some());
    let is_edited = !is_unmerged && page.as_ref().is_some_and(is_edited_by_hand);
    let mtime_ns = if is_unmerged { NEVER } else { file.mtime_ns };
    let stamp = Stamp { path: file.path.clone(), len: file.len, mtime_ns, digest };
    WikiFile { is_edited, is_unmerged, ..WikiFile::fresh(stamp, page.as_ref().map(IndexEntry::of)) }
}

/// Whether the body of a compiled page is not what the compiler wrote. Without a digest of what it wrote
/// nobody knows, and the body counts as a person's.
pub(crate) fn is_edited_by_hand(page: &Page) -> bool {
    let now = || Digest::of(page.body().of(&page.text).as_bytes()).short();
    match page.scalar(FieldName::BodyDigest) {
        Some(written) => page.is_owned() && written != now(),
        None => is_compiled(IndexEntry::uncounted(page).sort()),
    }
}

/// Whether a page only says again what stands elsewhere: a roll-up. It answers for its period and nothing more.
pub(crate) fn is_said_again(entry: &IndexEntry) -> bool {
    entry.is_owned && entry.category == Category::Rollup
}

/// Whether a page is made from journal and sources, so that a compile writes or removes it.
pub(crate) fn is_compiled(sort: PageSort) -> bool {
    let is_made_otherwise = matches!(sort.category, Category::Question | Category::Trajectory);
    sort.is_owned && !sort.is_redirect && !is_made_otherwise
}

/// The folders of a wiki, those included that its files are about to be written into.
fn folders_of(layout: &Layout, wiki: &Wiki) -> BTreeSet<VaultPath> {
    let mut folders: BTreeSet<VaultPath> = wiki.folders.iter().cloned().collect();
    folders.extend(layout.wiki.join("index"));
    let mut last = None;
    for path in wiki.files.keys() {
        if last != path.folder() {
            folders.extend(path.parent());
            last = path.folder();
        }
    }
    folders
}

impl Engine {
    /// Returns the files that may be pages, as the system lists them now.
    pub(crate) fn list_wiki(&self) -> Result<Listing, Failure> {
        Ok(self.list_pages()?.0)
    }

    /// The files that may be pages, and the indexes of other tools whose rows say what pages are about.
    fn list_pages(&self) -> Result<(Listing, Vec<FileStat>), Failure> {
        let layout = self.layout();
        let mut all = Listing::default();
        for folder in layout.page_folders() {
            let Listing { files, folders, skipped } = self.store.list(folder)?;
            all.files.extend(files);
            all.folders.extend(folders);
            all.skipped.extend(skipped);
        }
        all.files.sort();
        all.files.dedup();
        let telling = all.files.iter().filter(|file| layout.tells(&file.path)).cloned().collect();
        all.files.retain(|file| layout.is_page(&file.path));
        Ok((all, telling))
    }

    /// The indexes of other tools, whose rows say what pages are about.
    pub(crate) fn telling(&self) -> Result<Vec<FileStat>, Failure> {
        Ok(self.list_pages()?.1)
    }

    /// What the indexes of other tools say of pages, in one sentence each.
    pub(crate) fn told_of_pages(&self) -> Result<BTreeMap<Slug, String>, Failure> {
        self.told_by(&self.telling()?)
    }

    fn told_by(&self, telling: &[FileStat]) -> Result<BTreeMap<Slug, String>, Failure> {
        let rows = |_: &FileStat, bytes: Vec<u8>| foreign_rows(&String::from_utf8_lossy(&bytes));
        let mut told = BTreeMap::new();
        for rows in self.store.map_files(telling, rows)?.into_iter().flatten() {
            rows.into_iter().for_each(|(slug, said)| {
                told.entry(slug).or_insert(said);
            });
        }
        Ok(told)
    }

    /// The file of the vault that another tool's page names as a source, seen from the root or from where its days lie.
    pub(crate) fn cited_file(&self, source: &str) -> Option<VaultPath> {
        let source = source.trim_start_matches("[[").trim_end_matches("]]");
        let plain = VaultPath::new(source.split('#').next().unwrap_or(source))?;
        let journal = &self.layout().journal;
        let beside = || journal.parent().and_then(|above| above.join(plain.as_str()));
        let named = [Some(plain.clone()), beside(), journal.join(plain.file_name())].into_iter().flatten();
        let with_md = |path: VaultPath| {
            let named = VaultPath::new(&format!("{path}.md"));
            [Some(path), named]
        };
        named.flat_map(with_md).flatten().find(|path| matches!(self.store.stat(path), Ok(Some(_))))
    }

    /// Whether a table was made of the folders of the layout as they are now.
    fn fits_layout(&self, table: &Table) -> Result<bool, Failure> {
        let folders: BTreeSet<VaultPath> = table.folders().map(|one| one.path).collect();
        let roots = self.layout().page_folders();
        let is_root = |root: &VaultPath| Ok::<bool, Failure>(self.store.folder_mtime(root)?.is_some());
        for root in &roots {
            if folders.contains(*root) != is_root(root)? {
                return Ok(false);
            }
        }
        Ok(folders.iter().all(|one| roots.iter().any(|root| one == *root || one.is_under(root.as_str()))))
    }

    /// Returns the wiki, reading only files that differ from the table.
    pub(crate) fn read_wiki(&self) -> Result<Wiki, Failure> {
        self.read_wiki_from(self.store.read_cache(TABLE).and_then(Table::open))
    }

    /// Returns the wiki, reading only files that differ from `table`.
    pub(crate) fn read_wiki_from(&self, table: Option<Table>) -> Result<Wiki, Failure> {
        // What a row of the index costs depends on where the wiki stands.
        let mut table = match table {
            Some(table) if self.fits_layout(&table)? => Some(table),
            _ => None,
        };
        let (Listing { files: listed, folders, skipped }, telling) = self.list_pages()?;
        // What an index of another tool says of pages stands in the table.
        if !telling.is_empty() {
            table = table.filter(|table| telling.iter().all(|file| has_stamp(table, file)));
        }
        let skipped = skipped.into_iter().map(|one| (one.place, one.why.to_owned())).collect();
        // Listing, stamps and pages all come sorted by path, so they are walked side by side.
        let mut stamps = table.iter().flat_map(Table::files).peekable();
        let mut pages = (0..).zip(table.iter().flat_map(Table::paths)).peekable();
        let (mut known, mut changed) = (Vec::with_capacity(listed.len()), Vec::new());
        for file in listed {
            let path = file.path.as_str();
            while stamps.next_if(|stamp| stamp.0 < path).is_some() {}
            while pages.next_if(|page| page.1.is_none_or(|page| page < path)).is_some() {}
            let stamp = stamps
                .next_if(|(known, len, mtime_ns, _)| (*known, *len, *mtime_ns) == (path, file.len, file.mtime_ns));
            let page = pages.next_if(|page| page.1 == Some(path));
            let Some((_, len, mtime_ns, digest)) = stamp else {
                changed.push(file);
                continue;
            };
            let page = page.and_then(|(n, _)| Some((n, table.as_ref()?.sort(n)?)));
            let stamp = Stamp { path: file.path.clone(), len, mtime_ns, digest };
            known.push((file.path, WikiFile::known(stamp, page)));
        }
        drop((stamps, pages));
        let files = known.into_iter().collect();
        let mut wiki = Wiki { files, folders, skipped, table, ..Wiki::default() };
        let told = if changed.is_empty() { BTreeMap::new() } else { self.told_by(&telling)? };
        for file in self.store.map_files(&changed, read_file)?.into_iter().flatten() {
            wiki.files.insert(file.stamp.path.clone(), file.told(&told));
        }
        for file in telling {
            let FileStat { path, len, mtime_ns } = file;
            let stamp = Stamp { path: path.clone(), len, mtime_ns, digest: Digest::of(b"") };
            wiki.files.insert(path, WikiFile::known(stamp, None));
        }
        Ok(wiki)
    }

    /// Returns what routing asks: the table when nothing changed since it was made, else entries in memory.
    pub(crate) fn catalog(&self) -> Result<Box<dyn Catalog>, Failure> {
        if self.is_of_then() {
            return self.catalog_then();
        }
        let (mut stale, mut newest) = (None, None);
        for name in [TABLE, READ_TABLE] {
            let Some(table) = self.store.read_cache(name).and_then(Table::open) else { continue };
            let written = self.store.cache_mtime(name);
            let is_current = if name == TABLE { self.is_current(&table)? } else { self.fits_files(&table)? };
            if is_current {
                return Ok(Box::new(table));
            }
            // The newer one has more of what changed.
            if stale.is_none() || written > newest {
                (stale, newest) = (Some(table), written);
            }
        }
        // The times of the folders are taken before their files are listed: what changes in between is seen
        // the next time.
        let mut folders = Vec::new();
        for folder in self.layout().page_folders() {
            folders.extend(self.store.list_dirs(folder)?);
        }
        folders.sort();
        folders.dedup();
        let folders: Vec<FolderStamp> =
            folders.into_iter().map(|one| FolderStamp { path: one.path, mtime_ns: one.mtime_ns }).collect();
        let wiki = self.read_wiki_from(stale)?;
        let table = self.table_of(&wiki, &folders);
        // Losing the cache costs time, never an answer.
        let _ = self.store.write_cache(READ_TABLE, table.as_slice());
        // Of what did not change the table was copied; in memory all of it would be made again.
        Ok(match Table::open(table) {
            Some(table) => Box::new(table),
            None => Box::new(Index::new(wiki.entries().cloned().collect())),
        })
    }

    /// Whether the folders are as a table says.
    fn fits_folders(&self, table: &Table) -> Result<bool, Failure> {
        let mut n_folders = 0;
        for folder in table.folders() {
            if self.store.folder_mtime(&folder.path)? != Some(folder.mtime_ns) {
                return Ok(false);
            }
            n_folders += 1;
        }
        Ok(n_folders > 0 && self.fits_layout(table)?)
    }

    /// Whether every file is as a table says.
    fn fits_files(&self, table: &Table) -> Result<bool, Failure> {
        if !self.fits_folders(table)? {
            return Ok(false);
        }
        let (Listing { files: mut listed, .. }, telling) = self.list_pages()?;
        listed.extend(telling);
        listed.sort();
        Ok(table.matches_files(&mut listed.iter().map(|file| (file.path.as_str(), file.len, file.mtime_ns))))
    }

    fn is_current(&self, table: &Table) -> Result<bool, Failure> {
        if table.n_pages() > LOOK_AT_FILES_MAX { self.fits_folders(table) } else { self.fits_files(table) }
    }

    /// The routing table of a wiki that is about to be written: what is still open is how its files and folders will look.
    pub(crate) fn table_ahead(&self, wiki: &Wiki) -> Option<Table> {
        let folder = |path| FolderStamp { path, mtime_ns: 0 };
        Table::open(self.table_of(wiki, &folders_of(self.layout(), wiki).into_iter().map(folder).collect::<Vec<_>>()))
    }

    /// Puts a new routing table into the cache, of one that was made ahead if there is one, with these files as they were
    /// written; a vault that cannot be written goes on without.
    pub(crate) fn save_table(&self, wiki: &Wiki, ahead: Option<Table>, written: &[&Stamp]) {
        let folders = self.folder_stamps(wiki);
        let stamped = ahead.and_then(|table| table.stamped(written.iter().copied(), &folders));
        // Losing the cache costs time, never an answer.
        let _ = self.store.write_cache(TABLE, stamped.unwrap_or_else(|| self.table_of(wiki, &folders)));
    }

    fn table_of(&self, wiki: &Wiki, folders: &[FolderStamp]) -> Vec<u8> {
        let pages = wiki.files.iter().filter_map(|(path, file)| {
            let now = || Some(Said::Now(wiki.entry(file)?, wiki.row_cost(self.layout(), file)));
            Some((path, file.in_table.map(Said::AsBefore).or_else(now)?))
        });
        let stamps: Vec<&Stamp> = wiki.files.values().map(|file| &file.stamp).collect();
        ken_search::rebuild(wiki.table.as_ref(), pages.collect(), &stamps, folders)
    }

    /// The folders of the wiki with their times as they are now, those a plan has just made included.
    fn folder_stamps(&self, wiki: &Wiki) -> Vec<FolderStamp> {
        let stamp = |path: VaultPath| Some(FolderStamp { mtime_ns: self.store.folder_mtime(&path).ok()??, path });
        folders_of(self.layout(), wiki).into_iter().filter_map(stamp).collect()
    }

    /// Reads the whole text of some pages.
    pub(crate) fn read_pages(&self, paths: &[VaultPath]) -> Result<Vec<Page>, Failure> {
        let mut pages = Vec::with_capacity(paths.len());
        for path in paths {
            let text = self.read_then(path)?;
            pages.extend(text.map(|text| parse_page(path, text).value));
        }
        Ok(pages)
    }

    /// Says what a reader should know before trusting what it reads.
    pub(crate) fn reading_notes(&self) -> Vec<String> {
        let interrupted = "a change was interrupted; the next command that writes completes it".to_owned();
        let interrupted = self.store.pending().then_some(interrupted);
        interrupted.into_iter().chain(self.note_then()).collect()
    }
}
