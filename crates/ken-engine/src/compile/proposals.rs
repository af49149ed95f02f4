//! What models proposed for pages: headers, relations, prose, and that two pages are one.
//!
//! A proposal for a page is named by the digest of the page's claims. As long as they stay, it stands; when
//! they change it is no longer looked at, and the page is composed as without it until somebody proposes
//! anew. So a page never says what its claims do not.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::{Date, Month, Slug, VaultPath};

use crate::engine::Engine;
use crate::propose::check::Report;
use crate::propose::kinds::page::{header, merge, prose, relations};
use crate::propose::kinds::{ClaimView, Kind, PageView, Standing, rollup};
use crate::propose::record::{Record, Replies};
use ken_compile::Proposer;
use ken_compile::account::{Account, Claim};
use ken_compile::compose::{PageInput, Proposed, RelatedPage, shown_text};
use ken_compile::ledger::{Key, key_hash};
use ken_compile::passage::PassageKind;
use ken_compile::rollup::{Rollup, RollupSentence, Teller};
use ken_core::words::subject_key;

/// The recorded proposals for pages.
pub(super) struct Proposals<'a> {
    engine: &'a Engine,
    replies: &'a Replies,
    is_empty: bool,
}

impl<'a> Proposals<'a> {
    pub(super) fn of(engine: &'a Engine, replies: &'a Replies) -> Proposals<'a> {
        let is_empty = replies.inputs(Kind::Page).next().is_none();
        Proposals { engine, replies, is_empty }
    }

    fn reply(&self, kind: Kind, digest: &str) -> Option<(Record, serde_json::Value)> {
        if !self.replies.has(kind, digest) {
            return None;
        }
        let record = self.engine.standing(self.replies, kind, digest)?;
        let reply = ken_model::json_of(&record.reply)?;
        Some((record, reply))
    }
}

impl Proposer for Proposals<'_> {
    fn is_empty(&self) -> bool {
        self.is_empty
    }

    fn fingerprint(&self, digest: &str) -> u64 {
        if self.is_empty { 0 } else { self.replies.fingerprint(Kind::Page, std::iter::once(digest)) }
    }

    fn proposed(
        &self,
        path: &VaultPath,
        (input, account): (&PageInput, &Account<'_>),
        titles: &BTreeMap<Slug, String>,
    ) -> (Proposed, String) {
        let view = &page_view(input, account, path);
        let Some((record, reply)) = self.reply(Kind::Page, &view.digest) else {
            return (Proposed::default(), view.digest.clone());
        };
        let is_sorted = !record.shown.pages.is_empty() && (reply.get("high").is_some() || reply.get("mid").is_some());
        let relations = is_sorted.then(|| {
            let relations = relations::check(&reply, view, &record.shown, &mut Report::default());
            let month = view.claims.iter().filter_map(|claim| claim.date).max().map(Month::of);
            let related = |slugs: Vec<Slug>| -> Vec<RelatedPage> {
                let found = slugs.into_iter().filter_map(|slug| Some((titles.get(&slug)?.clone(), slug)));
                found.map(|(title, slug)| RelatedPage { slug, title, month, is_work: false }).collect()
            };
            // A companion page never loses the page it stands beside.
            let beside: Vec<RelatedPage> =
                input.high.iter().filter(|page| !titles.contains_key(&page.slug)).cloned().collect();
            let high = beside.into_iter().chain(related(relations.high)).take(ken_core::header::HIGH_MAX).collect();
            (high, related(relations.mid))
        });
        let header = header::check(&reply, view, &mut Report::default());
        let sections = prose::check(&reply, &view.without_open(), &mut Report::default());
        (Proposed { header, sections, relations }, view.digest.clone())
    }
}

impl Teller for Proposals<'_> {
    fn rolled_fingerprint(&self, digest: &str) -> u64 {
        self.replies.fingerprint(Kind::Rollup, std::iter::once(digest))
    }

    fn rolled(&self, told: &Rollup) -> Vec<RollupSentence> {
        let reply = self.reply(Kind::Rollup, &told.digest);
        reply.map(|(_, reply)| rollup::check(&reply, told, &mut Report::default())).unwrap_or_default()
    }
}

/// Returns a page as tasks about it read it.
pub(super) fn page_view(input: &PageInput, account: &Account<'_>, path: &VaultPath) -> PageView {
    let view = |(standing, until, claim): (Standing, Option<Date>, &Claim<'_>)| {
        let text = shown_text(claim.statement);
        let is_read = claim.statement.told.is_some();
        let told = claim.statement.told.iter().filter(|told| !told.is_connection);
        let about = told.flat_map(|told| &told.about).map(|about| about.name.clone()).collect();
        let is_open = claim.statement.kind == PassageKind::Action;
        let is_external = !claim.statement.is_believed();
        let slot = claim.statement.told.as_deref().map(|told| told.slot.clone()).unwrap_or_default();
        let (id, date) = (claim.id.clone(), claim.statement.date);
        ClaimView { id, text, date, slot, standing, until, is_open, about, is_read, is_external }
    };
    let disputed = account.disputed.iter().flatten().map(|claim| (Standing::Disputed, None, claim));
    let past = disputed
        .chain(account.superseded.iter().map(|old| (Standing::Replaced, old.until.or(old.now.date), &old.claim)));
    let sources: BTreeSet<String> =
        account.current.iter().flat_map(|claim| &claim.cited).map(|cited| cited.path.to_string()).collect();
    PageView {
        digest: account.digest(&input.title),
        path: path.to_string(),
        slug: ken_core::page::page_slug(path).to_string(),
        title: input.title.clone(),
        aliases: input.aliases.clone(),
        category: input.category,
        claims: account.current.iter().map(|claim| view((Standing::Holds, None, claim))).collect(),
        past: past.map(view).collect(),
        sources: sources.into_iter().collect(),
    }
}

/// Returns which subjects are others under another name, as the replies say.
pub(super) fn merges(engine: &Engine, replies: &Replies) -> BTreeMap<Key, Key> {
    let mut out: BTreeMap<Key, Key> = BTreeMap::new();
    for input in replies.inputs(Kind::Merge) {
        let Some(record) = engine.standing(replies, Kind::Merge, input) else { continue };
        let titles: Vec<&str> = record.shown.pages.values().map(String::as_str).collect();
        let (Some(reply), [a, b]) = (ken_model::json_of(&record.reply), titles.as_slice()) else { continue };
        let Some(merged) = merge::check(&reply, [a, b], &mut Report::default()) else { continue };
        let key = |title: &str| key_hash(&subject_key(title));
        // Whoever wrote the record, it speaks of the pair it is named after.
        if merge_name(key(a), key(b)) != input {
            continue;
        }
        let (from, into) = (standing_for(&out, key(&merged.from)), standing_for(&out, key(&merged.into)));
        if from != into {
            out.insert(from, into);
        }
    }
    let all: Vec<Key> = out.keys().copied().collect();
    all.into_iter().map(|key| (key, standing_for(&out, key))).collect()
}

/// Returns what names the question whether two subjects are one, in either order.
pub(super) fn merge_name(a: Key, b: Key) -> String {
    format!("{:016x}", a.min(b).rotate_left(32) ^ a.max(b))
}

fn standing_for(merges: &BTreeMap<Key, Key>, mut key: Key) -> Key {
    while let Some(next) = merges.get(&key) {
        key = *next;
    }
    key
}
