//! Gathers what a pass goes by, and decides what it does.

use std::collections::{BTreeMap, BTreeSet};

use jiff::SignedDuration;
use ken_compile::Ledger;
use ken_compile::archive::SaidOf;
use ken_compile::ledger::Key;
use ken_compile::naming::PageRecord;
use ken_compile::themes::Looking;
use ken_core::claim::SourceRef;
use ken_core::consolidate::archive::{Away, Standing, to_put_away};
use ken_core::consolidate::diary::Deed;
use ken_core::consolidate::rules::repeated;
use ken_core::consolidate::twins::{Named, Twin, twins};
use ken_core::consolidate::used::{Use, used_most};
use ken_core::consolidate::{ReviewItem, ReviewKind};
use ken_core::page::HISTORY;
use ken_core::snapshot::PageFacts;
use ken_core::{Basis, Category, Date, Edit, Slug, Snapshot, VaultPath};

use super::KIND;
use super::archive::{Record, record_path, used_path, used_text};
use super::questions::Asked;
use crate::ask::AskOptions;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::pages::Lack;
use crate::pages::view::View;

/// Items of one kind that a pass puts up for review at most.
const OF_KIND_MAX: usize = 20;
/// How often a question must have found nothing.
const ASKED_MIN: usize = 2;
/// Days after which what was found once is found no longer.
const RECENT_DAYS: i64 = 90;

/// What a pass does, and what it found.
#[derive(Debug, Default)]
pub(super) struct Pass {
    /// Pages that become redirects.
    pub(super) merges: Vec<Twin>,
    /// The records of what is put away, taken out, and used most.
    pub(super) records: Vec<Edit>,
    /// What is done besides merging.
    done: Vec<Deed>,
    /// What a person has to look at, sorted.
    pub(super) items: Vec<ReviewItem>,
    /// Pages that may be put away later.
    pub(super) n_later: usize,
    /// What one should know besides.
    pub(super) notes: Vec<String>,
}

impl Pass {
    /// Everything that is done, in order.
    pub(super) fn deeds(&self) -> Vec<Deed> {
        let merged = self.merges.iter().map(|one| Deed::Merged {
            from: one.from.clone(),
            into: one.into.clone(),
            why: one.likeness.told(),
        });
        merged.chain(self.done.iter().cloned()).collect()
    }

    /// Leaves all merges to a person.
    pub(super) fn leave_merges(&mut self) {
        self.items.extend(std::mem::take(&mut self.merges).iter().map(|one| of_twin(one, "")));
        self.items.sort();
    }
}

fn of_twin(one: &Twin, beside: &str) -> ReviewItem {
    ReviewItem::of_pages(ReviewKind::Merge, &[&one.from, &one.into], format!("{}{beside}", one.likeness.told()))
}

/// Makes one page of those that are merged.
fn join(named: &mut Vec<Named>, merges: &[Twin]) {
    for one in merges {
        let Some(at) = named.iter().position(|page| page.slug == one.from) else { continue };
        let from = named.remove(at);
        if let Some(into) = named.iter_mut().find(|page| page.slug == one.into) {
            into.n_entries += from.n_entries;
            into.cited.extend(from.cited);
        }
    }
}

/// What is behind an item that a person took back before.
const TAKEN_BACK: &str = "; it was taken back before";

/// A compiled page of a subject of the journal.
struct Own<'v> {
    key: Key,
    record: &'v PageRecord,
    facts: &'v PageFacts,
}

/// What a pass goes by.
struct Around<'v> {
    view: &'v View<'v>,
    ledger: &'v Ledger,
    said: SaidOf<'v>,
    asked: Asked,
    /// The pages of the journal's subjects.
    own: Vec<Own<'v>>,
    records: BTreeMap<Slug, Record>,
    /// Files that a pass changed which was taken back.
    taken_back: BTreeSet<VaultPath>,
    today: Date,
}

impl Engine {
    /// Looks over the wiki as the last compile left it.
    pub(super) fn look_over(&self) -> Result<Pass, Failure> {
        // What the journal says is gone before it is counted what pages are borne out by: the pages alone stay.
        let (mut pass, snapshot) = self.look_at_journal()?;
        self.find_lacking(&snapshot, &mut pass)?;
        pass.items.sort();
        pass.items.dedup();
        Ok(pass)
    }

    /// Looks over the pages of the journal's subjects, and what the journal says; returns the pages, too.
    fn look_at_journal(&self) -> Result<(Pass, Snapshot), Failure> {
        let ledger = self.load_ledger().unwrap_or_default();
        let view = View::of(self)?;
        let mut looking = Looking::new(&ledger);
        self.every_entry(&ledger, |entry| looking.look(&entry))?;
        let around = Around {
            view: &view,
            ledger: &ledger,
            said: SaidOf::new(&ledger),
            asked: if self.config.keeps_questions { self.asked() } else { Asked::default() },
            own: own_pages(&view, &ledger),
            records: self.records(None)?.into_iter().collect(),
            taken_back: self.taken_back(KIND)?,
            today: self.clock.today(),
        };
        let mut pass = Pass::default();
        self.find_twins(&around, &looking, &mut pass)?;
        self.find_archive(&around, &mut pass)?;
        self.find_used(&around, &mut pass)?;
        self.find_themes(&around, &looking, &mut pass)?;
        Ok((pass, view.snapshot))
    }

    fn find_twins(&self, around: &Around<'_>, looking: &Looking<'_>, pass: &mut Pass) -> Result<(), Failure> {
        let in_use = around.own.iter().filter(|own| own.record.archived.is_empty());
        let mut places = Places::default();
        let mut named: Vec<Named> = in_use.map(|own| own.named(&around.said, &mut places)).collect();
        let found = twins(&named, &looking.abbreviations);
        let sure: BTreeMap<Slug, Slug> =
            found.iter().filter(|one| one.likeness.is_sure()).map(|one| (one.from.clone(), one.into.clone())).collect();
        let mut merged: BTreeSet<Slug> = BTreeSet::new();
        let is_taken_back = |one: &Twin| around.path_of(&one.from).is_some_and(|path| around.taken_back.contains(path));
        for one in &found {
            // No chains, and no circles: a page that becomes a redirect takes no other one in.
            let mut is_done = one.likeness.is_sure() && !is_taken_back(one) && !sure.contains_key(&one.into);
            for slug in [&one.from, &one.into] {
                let facts = around.own.iter().find(|own| own.facts.entry.slug == *slug).map(|own| own.facts);
                is_done &= facts.is_some_and(|facts| around.view.subject_in(facts, Some(around.ledger)).is_ok());
            }
            if is_done && merged.insert(one.from.clone()) {
                pass.merges.push(one.clone());
            }
        }
        // What may be one beside that is asked of the pages as they will be: else the next pass finds something else.
        join(&mut named, &pass.merges);
        let rest = if pass.merges.is_empty() { found } else { twins(&named, &looking.abbreviations) };
        pass.items.extend(rest.iter().map(|one| of_twin(one, if is_taken_back(one) { TAKEN_BACK } else { "" })));
        let sort_of = |one: &ReviewItem| one.kind == ReviewKind::Merge;
        keep_few(&mut pass.items, sort_of);
        Ok(())
    }

    fn find_archive(&self, around: &Around<'_>, pass: &mut Pass) -> Result<(), Failure> {
        let needed = around.needed();
        for (slug, record) in around.records.iter().filter(|(_, record)| !record.restored) {
            let Some(key) = record.key() else { continue };
            let why = match () {
                () if !around.ledger.pages.contains_key(&key) => None,
                () if !record.put_away().holds(&around.said.subject(key)) => Some("the journal speaks of it again"),
                () if around.asked_on(slug).is_some_and(|day| day >= record.on) => Some("it answered a question"),
                () if needed.contains(slug) => Some("a page of yours leads to it"),
                () => continue,
            };
            let path = record_path(slug);
            let bytes = self.store.read(&path)?;
            pass.records.push(Basis::of(&path, bytes.as_deref()).remove());
            pass.done.extend(why.map(|why| Deed::Returned { slug: slug.clone(), why: why.to_owned() }));
        }
        let days = self.config.archive_after_days;
        let all: Vec<(Key, Standing)> = around.standing(&needed, pass);
        let standing: Vec<Standing> = all.iter().map(|(_, one)| one.clone()).collect();
        let on_today = |(_, record): &(&Slug, &Record)| !record.restored && record.on == around.today;
        let n_today = around.records.iter().filter(on_today).count();
        let mut away = to_put_away(&standing, days, around.today, (around.own.len(), n_today));
        if let Some(from) =
            self.archives_from(&around.asked).filter(|from| *from > around.today && !away.pages.is_empty())
        {
            let n = away.pages.len() + away.n_later;
            let pages = if n == 1 { "1 page may".to_owned() } else { format!("{n} pages may") };
            pass.notes.push(format!("{pages} be archived from {from} on: before, it is not known what was asked for"));
            away = Away::default();
        }
        pass.n_later = away.n_later;
        for page in away.pages {
            let Some((key, _)) = all.iter().find(|(_, one)| one.slug == page.slug) else { continue };
            let path = record_path(&page.slug);
            if around.taken_back.contains(&path) && !around.records.contains_key(&page.slug) {
                let why = format!("{}{TAKEN_BACK}", page.why(days));
                pass.items.push(ReviewItem::of_pages(ReviewKind::Archive, &[&page.slug], why));
                continue;
            }
            let record = Record::of(*key, &around.said.subject(*key), around.today);
            let bytes = self.store.read(&path)?;
            pass.records.push(Basis::of(&path, bytes.as_deref()).replace(record.text()));
            pass.done.push(Deed::Archived { slug: page.slug.clone(), why: page.why(days) });
        }
        Ok(())
    }

    /// From when on it is known what was asked for; none where nobody notes that.
    fn archives_from(&self, asked: &Asked) -> Option<Date> {
        let days = i64::try_from(self.config.archive_after_days).unwrap_or(0);
        let since = asked.since.unwrap_or_else(|| self.clock.today());
        let from = since.checked_add(SignedDuration::from_hours(24 * days)).ok();
        from.filter(|_| self.config.keeps_questions)
    }

    fn find_used(&self, around: &Around<'_>, pass: &mut Pass) -> Result<(), Failure> {
        if self.config.memory_index.is_none() {
            return Ok(());
        }
        let snapshot = &around.view.snapshot;
        let mut n_leading: BTreeMap<usize, usize> = BTreeMap::new();
        for page_idx in (0..snapshot.pages.len()).filter(|n| !is_rollup(&snapshot.pages[*n])) {
            snapshot.leads(page_idx).pages.iter().for_each(|to| *n_leading.entry(*to).or_default() += 1);
        }
        let keys: BTreeMap<&Slug, Key> = around.own.iter().map(|own| (&own.facts.entry.slug, own.key)).collect();
        let is_recent = |day: &Date| is_within(*day, around.today, RECENT_DAYS);
        let pages: Vec<Use> = snapshot
            .pages
            .iter()
            .enumerate()
            .filter(|(_, facts)| facts.entry.redirect_to.is_none() && facts.entry.past.is_none() && !is_rollup(facts))
            .map(|(n, facts)| Use {
                slug: facts.entry.slug.clone(),
                n_asked: around.asked.pages.get(facts.entry.slug.as_str()).map_or(0, |one| one.n_days),
                n_leading: n_leading.get(&n).copied().unwrap_or(0),
                n_said: keys
                    .get(&facts.entry.slug)
                    .map_or(0, |key| around.said.days(*key).iter().filter(|day| is_recent(day)).count()),
            })
            .collect();
        let used = used_most(&pages);
        let (path, text) = (used_path(), used_text(&used));
        let bytes = self.store.read(&path)?;
        if !used.is_empty() && bytes.as_deref() != Some(text.as_bytes()) {
            pass.records.push(Basis::of(&path, bytes.as_deref()).replace(text));
            pass.done.push(Deed::Sorted { n_pages: used.len() });
        }
        Ok(())
    }

    fn find_themes(&self, around: &Around<'_>, looking: &Looking<'_>, pass: &mut Pass) -> Result<(), Failure> {
        let themes = looking.themes().into_iter();
        let recent = themes.filter(|one| one.days.last().is_some_and(|day| is_within(*day, around.today, RECENT_DAYS)));
        for theme in recent.filter(|one| around.view.snapshot.find(&one.name).is_none()).take(OF_KIND_MAX) {
            let n = theme.days.len();
            let (first, last) = (theme.days[0], theme.days[n - 1]);
            let why = format!("named on {n} days, {first} to {last}; {}", reason_of(&theme.reason.explained()));
            pass.items.push(ReviewItem::of_text(ReviewKind::Name, &theme.name, why));
        }
        for rule in repeated(&looking.wishes).iter().take(OF_KIND_MAX) {
            let places =
                rule.at.iter().rev().take(4).map(|(_, at)| format!("{}#L{}-L{}", at.path, at.lines.0, at.lines.1));
            let mut places: Vec<String> = places.collect();
            places.reverse();
            let why = format!("{} days: {}", rule.at.len(), places.join(", "));
            pass.items.push(ReviewItem::of_text(ReviewKind::Rule, &rule.text, why));
        }
        let mut missed: Vec<_> = around.asked.missed.iter().filter(|one| one.n_times >= ASKED_MIN).collect();
        missed.retain(|one| is_within(one.last, around.today, RECENT_DAYS));
        missed.sort_by(|a, b| b.n_times.cmp(&a.n_times).then_with(|| a.question.cmp(&b.question)));
        for one in missed.into_iter().take(OF_KIND_MAX) {
            // What was learnt since may answer it.
            let is_answered = !self.route(&one.question, None)?.route.is_empty()
                || !self.ask(&one.question, AskOptions::default())?.is_abstained();
            if !is_answered {
                let why = format!("{} times, last on {}", one.n_times, one.last);
                pass.items.push(ReviewItem::of_text(ReviewKind::Question, &one.question, why));
            }
        }
        Ok(())
    }

    fn find_lacking(&self, snapshot: &Snapshot, pass: &mut Pass) -> Result<(), Failure> {
        for (lack, kind) in [(Lack::Stale, ReviewKind::Stale), (Lack::Orphan, ReviewKind::Orphan)] {
            let mut found = self.lacking(snapshot, None, &BTreeSet::from([lack]))?;
            // What nobody leads to of compiled pages is put away in time.
            found.retain(|entry| {
                let is_of_persons = !entry.is_owned && entry.past.is_none();
                let is_told = is_of_persons || lack == Lack::Stale && !entry.slug.as_str().ends_with(HISTORY);
                is_told && entry.past.is_none() && !self.layout().is_foreign(&entry.path) && !pass.changes(&entry.slug)
            });
            let items = found.iter().take(OF_KIND_MAX);
            pass.items.extend(items.map(|entry| ReviewItem::of_pages(kind, &[&entry.slug], String::new())));
        }
        Ok(())
    }
}

impl Pass {
    /// Whether something is done to a page.
    fn changes(&self, slug: &Slug) -> bool {
        let is_put_away = |deed: &Deed| matches!(deed, Deed::Archived { slug: one, .. } if one == slug);
        self.merges.iter().any(|one| one.from == *slug) || self.done.iter().any(is_put_away)
    }
}

impl Around<'_> {
    fn path_of(&self, slug: &Slug) -> Option<&VaultPath> {
        self.own.iter().find(|own| own.facts.entry.slug == *slug).map(|own| &own.facts.page.path)
    }

    fn asked_on(&self, slug: &Slug) -> Option<Date> {
        self.asked.pages.get(slug.as_str()).map(|one| one.last)
    }

    /// The pages to which a page of a person's or a filed answer leads.
    fn needed(&self) -> BTreeSet<Slug> {
        let snapshot = &self.view.snapshot;
        let leads = |facts: &PageFacts| {
            let is_filed = facts.entry.category == Category::Question;
            (!facts.entry.is_owned || is_filed) && facts.entry.redirect_to.is_none()
        };
        let leading = (0..snapshot.pages.len()).filter(|n| leads(&snapshot.pages[*n]));
        let led = leading.flat_map(|n| &snapshot.leads(n).pages);
        led.map(|to| snapshot.pages[*to].entry.slug.clone()).collect()
    }

    /// What is known of the use of the pages that may be put away.
    fn standing(&self, needed: &BTreeSet<Slug>, pass: &Pass) -> Vec<(Key, Standing)> {
        let may_go = |own: &&Own<'_>| {
            let slug = &own.facts.entry.slug;
            // Whether it is one with another page is decided first.
            let is_twin =
                |one: &ReviewItem| one.kind == ReviewKind::Merge && one.about.iter().any(|name| name == slug.as_str());
            let is_merged = pass.merges.iter().any(|one| one.from == *slug || one.into == *slug);
            own.record.archived.is_empty() && !is_merged && !pass.items.iter().any(is_twin)
        };
        let standing = |own: &Own<'_>| {
            let slug = own.facts.entry.slug.clone();
            let said = self.said.subject(own.key);
            let restored = self.records.get(&slug).filter(|record| record.restored).map(|record| record.on);
            let last_asked = self.asked_on(&slug);
            let is_needed = needed.contains(&slug);
            let (last_said, n_entries) = (said.last?, said.n_entries);
            let mut one = Standing { slug, last_said, n_entries, last_asked, restored, is_needed, n_days_since: 0 };
            one.n_days_since = self.said.n_days_after(one.last());
            Some((own.key, one))
        };
        self.own.iter().filter(may_go).filter_map(standing).collect()
    }
}

/// The lines that are cited, by number: thousands of pages cite each of them several times.
#[derive(Debug, Default)]
struct Places(BTreeMap<(VaultPath, (usize, usize)), u32>);

impl Places {
    fn number(&mut self, cited: SourceRef) -> u32 {
        let next = u32::try_from(self.0.len()).unwrap_or(u32::MAX);
        *self.0.entry((cited.path, cited.lines)).or_insert(next)
    }
}

impl Own<'_> {
    fn named(&self, said: &SaidOf<'_>, places: &mut Places) -> Named {
        let text = &self.facts.page.text;
        let cited = self.facts.footnotes.iter().filter_map(|note| SourceRef::parse(note.text.of(text)));
        Named {
            slug: self.facts.entry.slug.clone(),
            title: self.facts.entry.title.clone(),
            is_name: self.facts.entry.category == Category::Entity,
            n_entries: said.subject(self.key).n_entries,
            cited: cited.map(|source| places.number(source)).collect(),
        }
    }
}

/// The compiled pages of the journal's subjects: what is made of a document, beside a person's page or of what nobody
/// vouches for is none.
fn own_pages<'v>(view: &'v View<'_>, ledger: &'v Ledger) -> Vec<Own<'v>> {
    let by_path: BTreeMap<&str, (Key, &PageRecord)> =
        ledger.pages.iter().map(|(key, record)| (record.path.as_str(), (*key, record))).collect();
    let own = |facts: &'v PageFacts| {
        let (key, record) = *by_path.get(facts.page.path.as_str())?;
        let is_of_journal = record.beside.is_none() && record.folder.is_empty() && !record.is_external;
        (facts.entry.is_owned && is_of_journal).then_some(Own { key, record, facts })
    };
    view.snapshot.pages.iter().filter_map(own).collect()
}

fn is_rollup(facts: &PageFacts) -> bool {
    facts.entry.is_owned && facts.entry.category == Category::Rollup
}

/// Whether a day is of the last so many.
fn is_within(day: Date, today: Date, days: i64) -> bool {
    today.checked_sub(SignedDuration::from_hours(24 * days)).is_ok_and(|from| day >= from)
}

/// The first clause of a reason: what follows says what would be enough.
fn reason_of(explained: &str) -> &str {
    explained.split([';', ':']).next().unwrap_or(explained)
}

/// Keeps as many items of a kind as a person looks at; what shows surest stays.
fn keep_few(items: &mut Vec<ReviewItem>, is_it: impl Fn(&ReviewItem) -> bool) {
    let mut n = 0;
    items.retain(|one| {
        n += usize::from(is_it(one));
        !is_it(one) || n <= OF_KIND_MAX
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use ken_core::consolidate::twins::Likeness;

    #[test]
    fn merges_that_compiling_refuses_are_left_to_a_person() {
        let slug = |text: &str| Slug::from_text(text).expect("a slug");
        let twin = Twin { from: slug("log-book"), into: slug("logbook"), likeness: Likeness::Spelled };
        let mut pass = Pass { merges: vec![twin], ..Pass::default() };
        assert_eq!(pass.deeds().len(), 1);
        pass.leave_merges();
        assert_eq!((pass.deeds().len(), pass.items.len()), (0, 1));
        assert_eq!(pass.items[0].command().as_deref(), Some("ken page merge log-book logbook"));
    }
}
