//! Why a subject has, or has not, a page of its own.

use ken_core::words::subject_key;
use ken_core::{Slug, VaultPath};

use crate::engine::Engine;
use crate::failure::{Failure, FailureKind};
use ken_compile::called;
use ken_compile::ledger::{Counts, Key, Ledger, Reason, key_hash};
use ken_compile::subject::mentions;

/// Why a subject has a page of its own, or none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WhyOutcome {
    /// The page that stands for it, with its path.
    pub page: Option<(Slug, VaultPath)>,
    /// Why there is one, or none.
    pub reason: Reason,
    /// What was counted at the last compile.
    pub counts: Counts,
}

impl Engine {
    /// Returns why a subject has a page of its own or none, as the last compile found it.
    ///
    /// # Errors
    ///
    /// Fails where nothing was compiled yet.
    pub fn why(&self, name: &str) -> Result<WhyOutcome, Failure> {
        let missing = || {
            Failure::new(
                FailureKind::Retry,
                "nothing is known of what this vault names: it was not compiled yet, or by another version",
            )
        };
        let ledger = self.load_ledger().ok_or_else(|| missing().hint("run `ken compile` first"))?;
        let keys = keys(name, &ledger);
        let mentioned = keys.iter().copied().max_by_key(|key| (ledger.why(*key).1.mentioning, std::cmp::Reverse(*key)));
        let key = mentioned.unwrap_or_default();
        let (reason, counts) = ledger.why(key);
        let to = ledger.page_of(key);
        let record = ledger.pages.get(&to);
        let page = record.and_then(|page| Some((page.slug()?, VaultPath::new(&page.path)?)));
        if page.is_none()
            && let Some(other) = self.page_called(name)?
        {
            return Ok(WhyOutcome { page: Some(other), reason: Reason::OtherPage, counts });
        }
        Ok(WhyOutcome { page, reason, counts })
    }

    /// Returns the page of the wiki that is called so, whoever wrote it.
    fn page_called(&self, name: &str) -> Result<Option<(Slug, VaultPath)>, Failure> {
        let catalog = self.catalog()?;
        let found = Slug::from_text(name).and_then(|slug| catalog.find(&slug)).map(|page_idx| catalog.entry(page_idx));
        Ok(found.map(|entry| (entry.slug, entry.path)))
    }
}

/// The subjects that a name may stand for: as a mention, and as the title of a page.
fn keys(name: &str, ledger: &Ledger) -> Vec<Key> {
    let whole = mentions(name).into_iter().filter(|mention| mention.span.start == 0 && mention.span.end == name.len());
    let spelled = [called::key(name), subject_key(name), subject_key(&name.replace('-', " "))];
    let spelled = whole.map(|mention| mention.key).chain(spelled);
    let mut out: Vec<Key> = spelled.map(|key| ledger.canonical(key_hash(&key))).collect();
    let slug = Slug::from_text(name);
    let called = |page: &ken_compile::naming::PageRecord| slug.is_some() && page.slug() == slug;
    out.extend(ledger.pages.iter().filter(|(_, page)| called(page)).map(|(key, _)| *key));
    out
}
