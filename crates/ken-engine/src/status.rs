//! What a vault holds, what is pending, and what to run next.

use std::collections::BTreeMap;

use ken_core::header::FieldName;
use ken_core::lint::Grounding;
use ken_core::page::{kind_of, parse_page};
use ken_core::unmerged::unmerged;
use ken_core::{Category, Digest, Tokens, VaultPath};
use ken_store::FileStat;

use crate::ask::is_filed_answer;
use crate::compile::SourceFile;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::ingest::register_path;
use crate::outcome::{ConsolidationStatus, ModelsStatus, StatusOutcome};
use crate::propose::Spent;
use crate::propose::costs::month_of;
use crate::wiki::Wiki;

impl Engine {
    /// Returns the state of the vault; `counts_claims` how many claims are borne out, too, which takes as long as linting.
    /// Writes nothing.
    ///
    /// # Errors
    /// When the vault cannot be read.
    pub fn status(&self, counts_claims: bool) -> Result<StatusOutcome, Failure> {
        let wiki = self.read_wiki()?;
        let (sources, _) = self.source_files()?;
        let (pending, mut unmerged) = self.pending(&self.compiled_files()?.0)?;
        unmerged.extend(wiki.files.values().filter(|file| file.is_unmerged).map(|file| file.stamp.path.clone()));
        unmerged.extend(self.unmerged_records()?);
        unmerged.sort();
        unmerged.dedup();
        let history = self.store.history(1)?;
        let n_days = sources.iter().filter(|file| file.is_journal).count();
        let mut status =
            StatusOutcome {
                root: self.root().to_path_buf(),
                layout: self.layout().clone(),
                n_pages: wiki.pages().count(),
                n_owned: wiki.pages().filter(|(_, sort)| sort.is_owned).count(),
                by_category: by_category(&wiki, &self.layout().wiki),
                tokens: wiki.entries().map(|entry| entry.tokens).sum::<Tokens>(),
                n_days,
                n_sources: sources.len() - n_days,
                pending,
                knows_compiled: self.load_ledger().is_some_and(|ledger| !ledger.files.is_empty()),
                edited: wiki.files.values().filter(|file| file.is_edited).map(|file| file.stamp.path.clone()).collect(),
                claims: if counts_claims { Some(self.all_grounding(&wiki)?) } else { None },
                n_disputes: self.n_disputes(&wiki)?,
                stale: self.stale_answers(&wiki)?,
                expired: self.expired_pages(&wiki)?,
                unmerged,
                is_interrupted: self.store.pending() && self.store.left()?.is_none(),
                is_foreign_change: self.store.left()?.is_some(),
                is_accepted: self.is_accepted(),
                spool: self.spool_status()?,
                models: self.models_status()?,
                background: self.background_status(),
                under_way: self.under_way(),
                consolidation: ConsolidationStatus { due: self.consolidation()?, review: self.review()? },
                prune: self.waits_for_pruning()?,
                last: history.operations.into_iter().next().map(|operation| {
                    (operation.at, format!("{} {}", operation.kind, operation.subject).trim().to_owned())
                }),
                next: Vec::new(),
            };
        // Pages that the last compile made and nobody finds any more.
        let has_lost_pages = status.n_owned == 0 && self.load_ledger().is_some_and(|ledger| !ledger.pages.is_empty());
        status.next = next_commands(&status, (has_lost_pages, self.keyless().is_none()));
        Ok(status)
    }

    /// Returns whether there is nothing to ask: no page, no day, no document.
    pub fn is_empty(&self) -> bool {
        let has_sources = self.source_files().is_ok_and(|(files, _)| !files.is_empty());
        !has_sources && self.read_wiki().is_ok_and(|wiki| wiki.pages().next().is_none())
    }

    /// The pages of a memory bank whose `ttl` is over.
    fn expired_pages(&self, wiki: &Wiki) -> Result<Vec<VaultPath>, Failure> {
        let mut out = Vec::new();
        for (path, _) in wiki.pages().filter(|(_, sort)| self.layout().has_blocks() && !sort.is_owned) {
            out.extend(self.expired_since(path)?.map(|_| path.clone()));
        }
        Ok(out)
    }

    /// Returns how many claims of all pages are borne out.
    fn all_grounding(&self, wiki: &Wiki) -> Result<Grounding, Failure> {
        let owned: Vec<VaultPath> =
            wiki.pages().filter(|(_, sort)| sort.is_owned).map(|(path, _)| path.clone()).collect();
        let mut all = Grounding::default();
        self.grounding(&owned)?.into_values().for_each(|one| all += one);
        Ok(all)
    }

    /// Returns the pages of filed answers that rest on something that changed, as the last compile found them.
    fn stale_answers(&self, wiki: &Wiki) -> Result<Vec<VaultPath>, Failure> {
        let mut out = Vec::new();
        for (path, _) in wiki.pages().filter(|(_, sort)| is_filed_answer(*sort)) {
            let text = self.store.read(path)?.and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default();
            let page = parse_page(path, text).value;
            out.extend(page.scalar(FieldName::StaleSince).map(|_| path.clone()));
        }
        Ok(out)
    }

    /// Returns what models did, or none when none was ever asked.
    fn models_status(&self) -> Result<Option<ModelsStatus>, Failure> {
        let month = self.costs()?.total(Some(&month_of(self.clock.now)));
        let n_replies = self.replies()?.n_records();
        if n_replies == 0 && month == Spent::default() {
            return Ok(None);
        }
        let n_rejected = self.store.kept_names("rejected")?.len();
        Ok(Some(ModelsStatus { n_replies, n_rejected, n_taken: self.n_taken()?, month }))
    }

    /// Returns the index, the log and files of the tool's own folder in which git left conflict markers.
    fn unmerged_records(&self) -> Result<Vec<VaultPath>, Failure> {
        let layout = self.layout();
        let mut paths = vec![layout.index.clone(), layout.log.clone(), register_path()];
        paths.extend(self.config.memory_index.clone());
        let mut out = Vec::new();
        for path in paths {
            let bytes = self.store.read(&path)?.unwrap_or_default();
            if str::from_utf8(&bytes).is_ok_and(|text| unmerged(text).is_some()) {
                out.push(path);
            }
        }
        Ok(out)
    }

    /// Returns the journal days and sources that are new or changed since the last compile, and those that
    /// cannot be compiled because git left conflict markers in them.
    fn pending(&self, sources: &[SourceFile]) -> Result<(Vec<VaultPath>, Vec<VaultPath>), Failure> {
        let ledger = self.load_ledger().map(|ledger| ledger.files).unwrap_or_default();
        let is_known = |file: &FileStat| {
            ledger.get(file.path.as_str()).is_some_and(|known| known.len == file.len && known.mtime_ns == file.mtime_ns)
        };
        let unsure: Vec<FileStat> =
            sources.iter().map(|file| file.stat.clone()).filter(|file| !is_known(file)).collect();
        // A file may look different and hold the same bytes, after a checkout for one.
        let look = |_: &FileStat, bytes: Vec<u8>| {
            (Digest::of(&bytes), str::from_utf8(&bytes).is_ok_and(|text| unmerged(text).is_some()))
        };
        let looks = self.store.map_files(&unsure, look)?;
        let compiled: BTreeMap<&str, [u8; 32]> =
            ledger.iter().map(|(path, known)| (path.as_str(), known.digest)).collect();
        let (mut pending, mut conflicted) = (Vec::new(), Vec::new());
        for (file, look) in unsure.into_iter().zip(looks) {
            match look {
                Some((_, true)) => conflicted.push(file.path),
                Some((digest, _)) if compiled.get(file.path.as_str()) == Some(digest.as_bytes()) => {}
                _ => pending.push(file.path),
            }
        }
        Ok((pending, conflicted))
    }

    /// Returns the journal days that are new or changed since the last compile.
    pub(crate) fn pending_days(&self) -> Result<Vec<ken_core::Date>, Failure> {
        let (sources, _) = self.compiled_files()?;
        let (days, _) = self.pending(&sources)?;
        let date = |path: &VaultPath| path.as_str().rsplit('/').next()?.strip_suffix(".md")?.parse().ok();
        Ok(days.iter().filter_map(date).collect())
    }
}

/// How many pages of each category there are, and in each folder of a person's own.
fn by_category(wiki: &Wiki, folder: &VaultPath) -> Vec<(String, usize)> {
    let mut own: BTreeMap<&str, usize> = BTreeMap::new();
    for (path, sort) in wiki.pages().filter(|(_, sort)| !sort.is_redirect) {
        *own.entry(kind_of(path, sort.category, folder)).or_default() += 1;
    }
    let known = Category::all().map(Category::as_str);
    let mut counted: Vec<(String, usize)> =
        known.filter_map(|name| Some((name.to_owned(), own.remove(name)?))).collect();
    counted.extend(own.into_iter().map(|(name, n)| (name.to_owned(), n)));
    counted
}

fn next_commands(status: &StatusOutcome, (has_lost_pages, has_key): (bool, bool)) -> Vec<String> {
    let mut next = Vec::new();
    if status.n_days + status.n_sources + status.n_pages == 0 {
        next.extend(
            ["ken log \"what happened\"", "ken capture TRANSCRIPT.jsonl", "ken ingest DOCUMENT"].map(str::to_owned),
        );
    }
    if status.is_foreign_change || !status.spool.strange.is_empty() {
        next.push("ken recover".to_owned());
    }
    if !status.is_accepted {
        next.push(if has_key { "ken trust" } else { "ken doctor" }.to_owned());
    }
    if status.spool.n_due > 0 || !status.spool.stuck.is_empty() {
        next.push("ken work".to_owned());
    }
    if status.n_disputes > 0 {
        next.push("ken resolve".to_owned());
    }
    if !status.pending.is_empty() || !status.edited.is_empty() || status.is_interrupted || has_lost_pages {
        next.push("ken compile".to_owned());
    } else if status.n_pages > 0 {
        next.extend(["ken route \"a question\"", "ken lint"].map(str::to_owned));
    }
    next
}
