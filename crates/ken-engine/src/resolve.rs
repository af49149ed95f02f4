//! Ends disputes: lists those that are open, and writes into the journal what a person says of one.
//!
//! The journal is where it is decided: an entry says which claims hold, and compiling reads it back from there. Pages and
//! caches only show what follows, so a settlement is kept by whatever keeps the journal.

use std::collections::BTreeSet;

use ken_core::dispute::{Dispute, DisputedClaim, disputes};
use ken_core::page::parse_page;
use ken_core::settled::{Settlement, Side};
use ken_core::words::folded_words;
use ken_core::{Page, Slug, VaultPath};
use ken_intake::scrub::scrub;
use ken_store::LockGuard;

use crate::blame::trace::Tracer;
use crate::compile::CompileOptions;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::outcome::{OpenClaim, OpenDispute, OpenSource, ResolveOutcome};
use crate::query::find_page;
use crate::wiki::Wiki;

/// The command, as the log names it.
const RESOLVE: &str = "resolve";

/// Which claims of a dispute hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    /// Those with these numbers, and none of the others.
    Keep(Vec<usize>),
    /// None of those with these numbers; where only one is left, that one.
    Drop(Vec<usize>),
    /// The one that was said last.
    Newer,
    /// The one that was said first.
    Older,
}

/// A page with its disputes.
struct Disputed {
    page: Page,
    disputes: Vec<Dispute>,
}

impl Engine {
    /// Returns the open disputes, of one page or of all; a dispute that stands on several pages once.
    ///
    /// # Errors
    /// When no page has that name, or the vault cannot be read.
    pub fn open_disputes(&self, name: Option<&str>) -> Result<Vec<OpenDispute>, Failure> {
        let all = self.disputed(&self.read_wiki()?)?;
        let asked = name.map(|name| self.disputed_page(name)).transpose()?;
        let mut tracer = Tracer::new(self)?;
        let mut seen: BTreeSet<BTreeSet<String>> = BTreeSet::new();
        let mut out = Vec::new();
        for one in all.iter().filter(|one| asked.as_ref().is_none_or(|path| *path == one.page.path)) {
            let mut n = 0;
            for dispute in &one.disputes {
                let first = n + 1;
                n += dispute.claims.len();
                if seen.insert(words_of(dispute)) {
                    out.push(open(one, dispute, first, &all, &mut tracer));
                }
            }
        }
        Ok(out)
    }

    /// Settles the dispute of a page, or the only one that there is, and compiles what follows.
    ///
    /// # Errors
    /// When the choice fits no open dispute, or the vault cannot be written.
    pub fn resolve(&self, name: Option<&str>, choice: &Choice, is_dry: bool) -> Result<ResolveOutcome, Failure> {
        let guard = if is_dry { None } else { Some(self.lock(RESOLVE)?) };
        let all = self.disputed(&self.read_wiki()?)?;
        let one = match name {
            Some(name) => {
                let path = self.disputed_page(name)?;
                let none =
                    || Failure::refused(format!("nothing is disputed on `{}`", ken_core::page::page_slug(&path)));
                all.iter().find(|one| one.page.path == path).ok_or_else(none).map_err(unchanged)?
            }
            None => only(&all)?,
        };
        let (dispute, holds) = chosen(one, choice).map_err(unchanged)?;
        let settled = settlement(one, dispute, &holds, &all).map_err(unchanged)?;
        let Some(guard) = guard else {
            return Ok(ResolveOutcome {
                settled,
                journal: None,
                is_repeat: false,
                compiled: None,
                n_open: n_open(&all),
            });
        };
        let (journal, is_repeat) = self.record_settlement(&guard, RESOLVE, &settled)?;
        drop(guard);
        let compiled = Some(self.compile(CompileOptions::default())?);
        let n_open = n_open(&self.disputed(&self.read_wiki()?)?);
        Ok(ResolveOutcome { settled, journal: Some(journal), is_repeat, compiled, n_open })
    }

    /// Writes a settlement into today's journal; returns the file, and whether it stood there.
    pub(crate) fn record_settlement(
        &self,
        guard: &LockGuard,
        kind: &str,
        settled: &Settlement,
    ) -> Result<(VaultPath, bool), Failure> {
        if !can_be_recorded(settled) {
            let failure = Failure::refused("a claim of this dispute cannot be quoted without a secret in it");
            return Err(unchanged(failure.hint("`ken scan` finds secrets")));
        }
        let title = settled.pages.first().map_or("", |(_, title)| title.as_str());
        self.decide(guard, (kind, format!("Settled: {title}")), vec![settled.to_string()])
    }

    /// Returns where pages stand on which something is disputed.
    pub(crate) fn disputed_pages(&self) -> Result<BTreeSet<VaultPath>, Failure> {
        Ok(self.disputed(&self.read_wiki()?)?.into_iter().map(|one| one.page.path).collect())
    }

    /// Returns how many disputes are open.
    pub(crate) fn n_disputes(&self, wiki: &Wiki) -> Result<usize, Failure> {
        Ok(n_open(&self.disputed(wiki)?))
    }

    /// The pages with open disputes.
    fn disputed(&self, wiki: &Wiki) -> Result<Vec<Disputed>, Failure> {
        let owned = wiki.pages().filter(|(_, sort)| sort.is_owned).map(|(path, _)| path);
        let may = self.load_ledger().map(|ledger| ledger.disputing());
        let paths: Vec<&VaultPath> =
            owned.filter(|path| may.as_ref().is_none_or(|may| may.contains(path.as_str()))).collect();
        let mut out = Vec::new();
        for path in paths {
            let text = self.store.read(path)?.and_then(|bytes| String::from_utf8(bytes).ok());
            let Some(text) = text else { continue };
            let page = parse_page(path, text).value;
            let disputes: Vec<Dispute> = disputes(&page).into_iter().filter(|one| one.claims.len() > 1).collect();
            if !disputes.is_empty() {
                out.push(Disputed { page, disputes });
            }
        }
        Ok(out)
    }

    fn disputed_page(&self, name: &str) -> Result<VaultPath, Failure> {
        let catalog = self.catalog()?;
        let found = find_page(name, catalog.as_ref()).map(|(page_idx, _)| catalog.entry(page_idx).path);
        found.ok_or_else(|| self.no_such_page(name, catalog.as_ref()))
    }
}

/// Whether the journal can hold a settlement: what is covered on its way in would name another claim.
pub(crate) fn can_be_recorded(settled: &Settlement) -> bool {
    let item = settled.to_string();
    Settlement::parse(&scrub(&item).0).is_some_and(|read| read == *settled)
}

fn unchanged(failure: Failure) -> Failure {
    failure.hint("nothing was changed")
}

/// The words of a dispute, by which it is the same on another page.
fn words_of(dispute: &Dispute) -> BTreeSet<String> {
    dispute.claims.iter().map(|claim| folded_words(&claim.text).join(" ")).collect()
}

fn n_open(all: &[Disputed]) -> usize {
    all.iter().flat_map(|one| &one.disputes).map(words_of).collect::<BTreeSet<_>>().len()
}

/// The pages of a dispute, that which was asked for first.
fn pages_of<'a>(one: &'a Disputed, dispute: &Dispute, all: &'a [Disputed]) -> Vec<&'a Page> {
    let said = words_of(dispute);
    // Another page may know of more that cannot be true beside them.
    let is_it = |dispute: &Dispute| words_of(dispute).intersection(&said).count() > 1;
    let has_it = |other: &&Disputed| other.disputes.iter().any(is_it);
    let others = all.iter().filter(|other| other.page.path != one.page.path).filter(has_it);
    std::iter::once(&one.page).chain(others.map(|other| &other.page)).collect()
}

fn open(one: &Disputed, dispute: &Dispute, first: usize, all: &[Disputed], tracer: &mut Tracer<'_>) -> OpenDispute {
    let mut claim = |(at, claim): (usize, &DisputedClaim)| OpenClaim {
        n: first + at,
        text: claim.text.clone(),
        line: claim.lines.0,
        day: claim.day(),
        is_external: claim.is_external,
        sources: claim.cited.iter().map(|cited| source(tracer, cited, &claim.text)).collect(),
    };
    OpenDispute {
        slug: one.page.slug(),
        title: one.page.title(),
        path: one.page.path.clone(),
        also_on: pages_of(one, dispute, all).into_iter().skip(1).map(Page::slug).collect(),
        since: dispute.since(),
        claims: dispute.claims.iter().enumerate().map(&mut claim).collect(),
    }
}

fn source(tracer: &mut Tracer<'_>, cited: &ken_core::claim::SourceRef, text: &str) -> OpenSource {
    let found = tracer.follow(cited, text);
    let lines = found.place();
    let session = found.entry.and_then(|entry| entry.session);
    OpenSource { path: found.path, lines, speaker: found.speaker.map(|speaker| speaker.who), session }
}

/// The page of the only dispute that there is.
fn only(all: &[Disputed]) -> Result<&Disputed, Failure> {
    match (n_open(all), all) {
        (0, _) | (_, []) => Err(unchanged(Failure::refused("nothing is disputed"))),
        (1, [first, ..]) => Ok(first),
        (n, _) => Err(unchanged(
            Failure::usage(format!("{n} disputes are open, and no page is named"))
                .hint("`ken resolve` lists them; `ken resolve PAGE --keep N` settles one"),
        )),
    }
}

/// The dispute that a choice is about, and whether each of its claims holds; none for those that it says nothing of.
fn chosen<'d>(one: &'d Disputed, choice: &Choice) -> Result<(&'d Dispute, Vec<Option<bool>>), Failure> {
    let slug = one.page.slug();
    let lists = |failure: Failure| failure.hint(format!("`ken resolve {slug}` lists the claims with their numbers"));
    match choice {
        Choice::Newer | Choice::Older => {
            let [dispute] = &one.disputes[..] else {
                let n = one.disputes.len();
                let failure = Failure::usage(format!("`{slug}` has {n} disputes; say which claims hold by number"));
                return Err(lists(failure));
            };
            let stays = newest(dispute, *choice == Choice::Newer, &slug)?;
            Ok((dispute, (0..dispute.claims.len()).map(|n| Some(n == stays)).collect()))
        }
        Choice::Keep(numbers) | Choice::Drop(numbers) => {
            let keeps = matches!(choice, Choice::Keep(_));
            let (dispute, named) = numbered(one, numbers).map_err(lists)?;
            let rest = (0..dispute.claims.len()).filter(|n| !named.contains(n)).count();
            let holds = |n: usize| match (named.contains(&n), keeps) {
                (true, keeps) => Some(keeps),
                (false, true) => Some(false),
                (false, false) => (rest == 1).then_some(true),
            };
            Ok((dispute, (0..dispute.claims.len()).map(holds).collect()))
        }
    }
}

/// The dispute in which claims of a page stand that are named by number, and their places in it.
fn numbered<'d>(one: &'d Disputed, numbers: &[usize]) -> Result<(&'d Dispute, BTreeSet<usize>), Failure> {
    let slug = one.page.slug();
    let n_all: usize = one.disputes.iter().map(|dispute| dispute.claims.len()).sum();
    if let Some(n) = numbers.iter().find(|n| !(1..=n_all).contains(*n)) {
        return Err(Failure::usage(format!("`{slug}` has no disputed claim {n}: they are numbered 1 to {n_all}")));
    }
    let mut first = 1;
    for dispute in &one.disputes {
        let all = first..first + dispute.claims.len();
        let named: BTreeSet<usize> = numbers.iter().filter(|n| all.contains(n)).map(|n| n - first).collect();
        if !named.is_empty() && numbers.iter().all(|n| all.contains(n)) {
            return Ok((dispute, named));
        }
        first = all.end;
    }
    Err(Failure::usage(format!("the claims named are of different disputes of `{slug}`")))
}

/// The claim that was said last, or first; what is external never comes before what is not.
fn newest(dispute: &Dispute, is_newest: bool, slug: &Slug) -> Result<usize, Failure> {
    let has_own = dispute.claims.iter().any(|claim| !claim.is_external);
    let mut all: Vec<(usize, &DisputedClaim)> =
        dispute.claims.iter().enumerate().filter(|(_, claim)| !has_own || !claim.is_external).collect();
    all.sort_by_key(|(_, claim)| (claim.day(), claim.cited.iter().map(|cited| (&cited.path, cited.lines)).max()));
    let (n, claim) = if is_newest { all[all.len() - 1] } else { all[0] };
    let is_dated = all.iter().all(|(_, claim)| claim.day().is_some());
    let is_alone = all.iter().filter(|(_, other)| other.day() == claim.day()).count() == 1;
    if is_dated && is_alone {
        return Ok(n);
    }
    let why = if is_dated { "were said on one day" } else { "say no day" };
    Err(Failure::refused(format!(
        "claims of `{slug}` {why}, so none is the {}",
        if is_newest { "newer" } else { "older" }
    ))
    .hint(format!("`ken resolve {slug} --keep N` says which holds")))
}

/// What is written of a choice.
fn settlement(
    one: &Disputed,
    dispute: &Dispute,
    holds: &[Option<bool>],
    all: &[Disputed],
) -> Result<Settlement, Failure> {
    let side = |(claim, holds): (&DisputedClaim, &Option<bool>)| -> Option<Result<Side, Failure>> {
        let holds = (*holds)?;
        let cited = claim.cited.first().filter(|cited| !cited.digest.is_empty());
        let none = || Failure::refused(format!("line {} of `{}` cites nothing", claim.lines.0, one.page.path));
        Some(cited.map(|cited| Settlement::side(&claim.text, cited, holds)).ok_or_else(none))
    };
    let mut sides = dispute.claims.iter().zip(holds).filter_map(side).collect::<Result<Vec<Side>, Failure>>()?;
    sides.sort_by_key(|side| !side.holds);
    let pages = pages_of(one, dispute, all).into_iter().take(Settlement::PAGES_MAX);
    let settled = Settlement { pages: pages.map(|page| (page.slug(), page.title())).collect(), sides };
    match settled.sides.len() > Settlement::SIDES_MAX {
        true => Err(Failure::refused(format!("{} claims are more than one settlement holds", settled.sides.len()))),
        false => Ok(settled),
    }
}
