//! What an answer may be taken from: the sentences around what was found for the question.

use std::collections::BTreeMap;

use ken_core::answer::{Answer, Citable, Consulted, FiledAnswer, begun, extract, nearest};
use ken_core::budget::count;
use ken_core::context::Outdated;
use ken_core::header::FieldName;
use ken_core::held::{Standing, standing_of};
use ken_core::index::Catalog;
use ken_core::orders::order;
use ken_core::page::parse_page;
use ken_core::search::close::Verdict;
use ken_core::{Category, Date, Digest, IndexEntry, Slug, Tokens, VaultPath};

use super::Reworder;
use super::look::{VaultLook, line_citables, page_citables};
use crate::engine::Engine;
use crate::failure::Failure;
use crate::search::look::Looked;

/// Units that sentences are taken from, and the share of the best score that one must have.
const PICKED_FROM: Floor = Floor { units_max: 60, share_min: 0.25 };
/// The same of what an author is handed.
const HANDED_FROM: Floor = Floor { units_max: 150, share_min: 0.05 };
/// What a sentence counts that was not found and stands for what was: the tldr of a page, what a filed answer cites.
const STANDS_FOR: f32 = 0.8;
/// What is left of what only holds since a later day than the one that is asked about.
const LATER: f32 = 0.4;
/// What is left of a sentence whose code is gone, among others of its unit that hold.
const DRIFTED: f32 = 0.5;
/// The length of units in tokens of a budget: they are as long as in a large context.
const UNIT_TOKENS: Tokens = Tokens(4_000);

/// How to consult.
pub(super) struct Consulting<'a> {
    /// The pages of filed answers: what those were taken from is consulted in their place.
    pub(super) filed: &'a BTreeMap<VaultPath, &'a FiledAnswer>,
    /// The page of the answer that is given anew.
    pub(super) own_page: Option<&'a VaultPath>,
    /// Tokens of sentences that may be looked at.
    pub(super) budget: Tokens,
    /// Whether a day that the question names is one of which it is told what held: what is filed has to stand in its
    /// file word for word.
    pub(super) is_told: bool,
    /// Whether the answer is filed: then its sentences keep the words of their files, and nothing is said behind them.
    pub(super) is_filed: bool,
    /// Whether somebody writes the answer.
    pub(super) is_written: bool,
}

/// How many units are looked at, and the share of the best score that one must have.
#[derive(Debug, Clone, Copy)]
struct Floor {
    units_max: usize,
    share_min: f32,
}

/// What was found.
#[derive(Default)]
pub(super) struct Found {
    pub(super) consulted: Vec<Consulted>,
    /// What an author is handed.
    pub(super) handed: Vec<Consulted>,
    /// The answer that its sentences give as they stand.
    pub(super) picked: Answer,
    /// Whether it answers.
    pub(super) is_sure: bool,
    /// Sentences that give orders to their reader.
    pub(super) n_withheld: usize,
    /// Pages that the budget kept out.
    pub(super) left_out: Vec<Slug>,
    /// What a reader should know of how it was found.
    pub(super) notes: Vec<String>,
    /// The day of which it is told what held.
    pub(super) on: Option<Date>,
}

impl Found {
    /// Answers with what was read elsewhere: how something changed, what is to be done. What that was taken from comes first.
    pub(super) fn take(&mut self, (answer, consulted): (Answer, Vec<Consulted>)) {
        if answer.sentences.is_empty() {
            return;
        }
        (self.picked, self.is_sure) = (answer, true);
        for known in [&mut self.consulted, &mut self.handed] {
            let others = std::mem::replace(known, consulted.clone());
            consult_too(known, others);
        }
    }

    /// Adds what was found for the same question in other words, which answers nothing for sure.
    pub(super) fn add(&mut self, other: Found) {
        if self.picked.sentences.is_empty() {
            self.picked = other.picked;
        }
        self.n_withheld += other.n_withheld;
        consult_too(&mut self.consulted, other.consulted);
        consult_too(&mut self.handed, other.handed);
    }
}

/// Adds what was consulted, too.
pub(super) fn consult_too(all: &mut Vec<Consulted>, more: Vec<Consulted>) {
    for one in more {
        match all.iter_mut().find(|known| known.path == one.path && known.slug == one.slug) {
            Some(known) => {
                let new = one.citables.into_iter().filter(|citable| !known.citables.contains(citable));
                let new: Vec<Citable> = new.collect();
                known.citables.extend(new);
            }
            None => all.push(one),
        }
    }
}

/// A place that was found, with the lines of its units and what each of them counts.
pub(super) struct Place<'l> {
    pub(super) path: &'l VaultPath,
    pub(super) title: &'l str,
    pub(super) date: Option<Date>,
    pub(super) units: Vec<((usize, usize), f32)>,
    /// The lines of those that gave way already.
    over: Vec<(usize, usize)>,
    /// What of it no longer holds.
    superseded: &'l [Outdated],
    /// Whether it is told what held on a day.
    is_told: bool,
}

impl Place<'_> {
    /// Tells the sentences of a place how they stand, and leaves out those that only their page may tell.
    pub(super) fn tell_all(&self, one: &mut Consulted, is_filed: bool) {
        let is_page = one.slug.is_some();
        one.citables.iter_mut().for_each(|one| self.tell(one, is_page, is_filed));
        one.citables.retain(|one| is_page || !self.is_one_side(one));
    }

    /// Tells a sentence how it stands to what is asked: replaced, or, on a day that is asked about, held or yet to
    /// come; then its words say so.
    fn tell(&self, one: &mut Citable, is_page: bool, is_filed: bool) {
        let covering = |old: &&Outdated| old.covers(one.lines, &one.text);
        let Some(old) = self.superseded.iter().find(covering) else { return };
        match old.standing {
            // Of a list only an item no longer holds.
            Standing::Replaced if !is_filed && old.part_of(&one.text).is_some() => {
                let said = old.said.as_deref().unwrap_or_default().trim_end_matches('.');
                one.say_behind(&format!("{said}: {}", old.since));
            }
            Standing::Replaced => {
                one.is_superseded = true;
                one.since.clone_from(&old.since);
                // Where something took its place, what reads `since` says that.
                if !is_filed && !old.since.is_empty() && !old.since.starts_with("until ") {
                    one.say_behind(&old.since);
                }
            }
            // The page that says so has both sides.
            Standing::Disputed => {}
            // A page that was told of a day says so itself.
            _ if is_filed => {}
            Standing::Held | Standing::Later if is_page && standing_of(&one.text).is_some() => {}
            Standing::Held | Standing::Later | Standing::Earlier | Standing::Ended | Standing::Drifted => {
                one.say_behind(&old.since);
            }
        }
    }

    /// Whether a sentence of the journal or the talk tells one side of a dispute: its page tells both.
    fn is_one_side(&self, one: &Citable) -> bool {
        let covering = |old: &&Outdated| old.covers(one.lines, &one.text);
        self.superseded.iter().find(covering).is_some_and(|old| old.standing == Standing::Disputed)
    }

    /// What the text around a sentence counts.
    pub(super) fn worth(&self, citable: &Citable) -> f32 {
        let best = self.units.iter().map(|(_, score)| *score).fold(0.0, f32::max);
        let touches = |lines: (usize, usize)| lines.0 <= citable.lines.1 && citable.lines.0 <= lines.1;
        let around = self.units.iter().filter(|(lines, _)| touches(*lines)).map(|(_, score)| *score);
        let worth = around.fold(if citable.is_tldr { STANDS_FOR * best } else { 0.0 }, f32::max);
        let is_drifted = self.superseded.iter().any(|old| {
            old.standing == Standing::Drifted
                && old.covers(citable.lines, &citable.text)
                && !self.over.iter().any(|lines| touches(*lines))
        });
        let worth = if is_drifted { worth * DRIFTED } else { worth };
        let is_later =
            self.is_told && standing_of(&citable.text).is_some_and(|(standing, _)| standing == Standing::Later);
        if is_later { worth * LATER } else { worth }
    }
}

/// Tokens of names that show how the vault calls things.
const NAMES_TOKENS: usize = 500;

impl Engine {
    /// Adds what is found for a question in other words, where nothing answers it for sure: what is said in those may be
    /// known, and stands nowhere near the words that were asked.
    pub(super) fn consult_reworded(
        &self,
        found: &mut Found,
        (question, reworder): (&str, &Reworder<'_>),
        consulting: &Consulting<'_>,
        catalog: &dyn Catalog,
    ) -> Result<(), Failure> {
        if found.is_sure {
            return Ok(());
        }
        for other in reworder(question, &self.names_shown(found, catalog))? {
            found.add(self.consult(&other, consulting, catalog)?);
        }
        Ok(())
    }

    /// Returns the names of pages, those that were found first, as many as fit.
    fn names_shown(&self, found: &Found, catalog: &dyn Catalog) -> Vec<String> {
        let near = found.consulted.iter().filter(|one| one.slug.is_some()).map(|one| one.title.clone());
        let all = (0..u32::try_from(catalog.n_pages()).unwrap_or(u32::MAX)).map(|page_idx| catalog.entry(page_idx));
        let all = all.filter(|entry| entry.past.is_none() && entry.category != Category::Rollup);
        let (mut names, mut n_tokens): (Vec<String>, usize) = (Vec::new(), 0);
        for name in near.chain(all.map(|entry| entry.title)) {
            n_tokens += count(&name).0 + 1;
            if n_tokens > NAMES_TOKENS {
                break;
            }
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// Finds what answers a question.
    pub(super) fn consult(
        &self,
        question: &str,
        consulting: &Consulting<'_>,
        catalog: &dyn Catalog,
    ) -> Result<Found, Failure> {
        self.look((question, catalog), (UNIT_TOKENS, consulting.is_told), |looked| {
            self.consult_found((question, looked), consulting, catalog)
        })
    }

    fn consult_found(
        &self,
        (question, looked): (&str, Looked<'_, '_>),
        consulting: &Consulting<'_>,
        catalog: &dyn Catalog,
    ) -> Found {
        let verdict = looked.verdict;
        let told = &self.told_on(looked.on);
        let (is_sure, notes, on) = (verdict == Verdict::Answers, looked.notes.to_vec(), looked.on);
        let mut found = Found { is_sure, notes, on, ..Found::default() };
        let mut worth: Vec<Vec<f32>> = Vec::new();
        let mut taken_from: Vec<(&FiledAnswer, f32)> = Vec::new();
        let mut n_left = consulting.budget.0;
        let places = places(&looked, PICKED_FROM);
        for place in &places {
            let best = place.units.iter().map(|(_, score)| *score).fold(0.0, f32::max);
            if consulting.own_page == Some(place.path) {
                continue;
            }
            let Some(mut one) = told.consulted(place.path, place.title, place.date, &place.units) else { continue };
            if let Some(answer) = consulting.filed.get(place.path).filter(|_| one.slug.is_some()) {
                taken_from.push((*answer, best));
                found.consulted.push(Consulted { is_answer: true, citables: Vec::new(), ..one });
                worth.push(Vec::new());
                continue;
            }
            place.tell_all(&mut one, consulting.is_filed);
            found.n_withheld += without_orders(&mut one);
            let n_tokens = |one: &Consulted| one.citables.iter().map(|citable| count(&citable.text).0).sum::<usize>();
            if n_tokens(&one) > n_left {
                found.left_out.extend(one.slug.clone());
                one.citables.retain(|citable| citable.is_tldr);
            }
            n_left = n_left.saturating_sub(n_tokens(&one));
            if !one.citables.is_empty() {
                worth.push(one.citables.iter().map(|citable| place.worth(citable)).collect());
                found.consulted.push(one);
            }
        }
        told.hand_over(&mut found, &self::places(&looked, HANDED_FROM), consulting);
        // A filed answer leads to what it was taken from: that is read again, and cited.
        for (answer, best) in taken_from {
            for mut one in self.consulted_by(answer, catalog) {
                let is_known = found.consulted.iter().any(|known| known.path == one.path && known.slug == one.slug);
                found.n_withheld += without_orders(&mut one);
                if !is_known && !one.citables.is_empty() {
                    worth.push(vec![STANDS_FOR * best; one.citables.len()]);
                    consult_too(&mut found.handed, if consulting.is_written { vec![one.clone()] } else { Vec::new() });
                    found.consulted.push(one);
                }
            }
        }
        if verdict != Verdict::Nothing {
            let (picked, is_sure) = extract(looked.close, &found.consulted, (&worth, found.is_sure));
            found.picked = picked;
            // What was found may be about the question without a sentence that says so.
            found.is_sure = is_sure;
            if found.picked.sentences.is_empty() && looked.is_alike {
                found.picked = nearest(&found.consulted, &worth);
            }
            let tell = |path: &VaultPath, one: &mut Citable| {
                places.iter().find(|place| place.path == path).is_some_and(|place| {
                    place.tell(one, false, consulting.is_filed);
                    !place.is_one_side(one)
                })
            };
            told.add_replies(question, &mut found, &tell);
        }
        found
    }

    /// A file of which units were found, with its sentences around them.
    pub(crate) fn consulted(
        &self,
        path: &VaultPath,
        title: &str,
        date: Option<Date>,
        units: &[((usize, usize), f32)],
    ) -> Option<Consulted> {
        if self.layout().is_page(path) {
            let mut one = self.page_consulted(path, "match")?;
            let touches = |citable: &Citable| {
                units.iter().any(|((first, last), _)| *first <= citable.lines.1 && citable.lines.0 <= *last)
            };
            one.citables.retain(|citable| citable.is_tldr || touches(citable));
            return Some(one);
        }
        let (text, digest) = self.text_and_digest(path)?;
        let lines = units.iter().map(|(lines, _)| *lines);
        let (first, last) = lines.clone().reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))?;
        let is_document = !self.layout().only_grows(path);
        let begun = if path.is_under(self.layout().talk.as_str()) { begun(&text) } else { None };
        let mut citables = line_citables(path, (&text, is_document), (first, last));
        citables
            .retain(|citable| lines.clone().any(|(first, last)| first <= citable.lines.1 && citable.lines.0 <= last));
        Some(Consulted {
            path: path.clone(),
            slug: None,
            title: title.to_owned(),
            names: Vec::new(),
            why: "evidence".to_owned(),
            date,
            is_document,
            digest,
            is_answer: false,
            begun,
            citables,
        })
    }

    /// What a filed answer was taken from.
    fn consulted_by(&self, answer: &FiledAnswer, catalog: &dyn Catalog) -> Vec<Consulted> {
        let slugs = answer.consulted.iter().filter_map(|one| one.slug.as_ref());
        let pages = slugs.filter_map(|slug| Some(catalog.entry(catalog.find(slug)?).path));
        let mut out: Vec<Consulted> = pages.filter_map(|path| self.page_consulted(&path, "filed")).collect();
        let look = VaultLook::new(self, &|_| None, BTreeMap::new());
        for citation in answer.stands(&look).answer.citations().into_iter().filter(|one| one.slug.is_none()) {
            let (first, last) = citation.lines;
            out.extend(self.consulted(&citation.path, "", None, &[((first, last), 0.0)]));
        }
        out
    }

    /// A page with all of its sentences.
    pub(crate) fn page_consulted(&self, path: &VaultPath, why: &str) -> Option<Consulted> {
        let (text, digest) = self.text_and_digest(path)?;
        let page = parse_page(path, text.clone()).value;
        let names = page.list(FieldName::Aliases).into_iter().chain(page.list(FieldName::Triggers)).collect();
        Some(Consulted {
            path: path.clone(),
            slug: Some(page.slug()),
            title: page.title(),
            names,
            why: why.to_owned(),
            date: IndexEntry::uncounted(&page).updated,
            is_document: page.is_owned() && page.category() == Category::Reference,
            digest,
            is_answer: false,
            begun: None,
            citables: page_citables(path, text),
        })
    }

    pub(super) fn text_and_digest(&self, path: &VaultPath) -> Option<(String, Digest)> {
        let bytes = self.store.read(path).ok()??;
        let digest = Digest::of(&bytes);
        Some((self.text_then(self.file_kind(path), path, String::from_utf8(bytes).ok()?)?, digest))
    }
}

/// The places of the best units, best first.
fn places<'l>(looked: &Looked<'l, '_>, floor: Floor) -> Vec<Place<'l>> {
    let scored = looked.said.iter().enumerate();
    let mut all: Vec<(f32, usize, usize)> =
        scored.flat_map(|(doc, units)| units.iter().enumerate().map(move |(n, said)| (said.score, doc, n))).collect();
    all.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let best = all.first().map_or(0.0, |(score, ..)| *score);
    all.retain(|(score, ..)| *score > 0.0 && *score >= floor.share_min * best);
    all.truncate(floor.units_max);
    let mut out: Vec<Place<'l>> = Vec::new();
    for (score, doc, unit) in all {
        let one = &looked.found[doc];
        let lines = one.units[unit].lines;
        let at = out.iter().position(|known| known.path == &one.path).unwrap_or_else(|| {
            out.push(Place {
                path: &one.path,
                title: &one.title,
                date: one.date,
                units: Vec::new(),
                over: Vec::new(),
                superseded: &one.superseded,
                is_told: looked.on.is_some(),
            });
            out.len() - 1
        });
        out[at].units.push((lines, score));
        out[at].over.extend(one.is_over(unit).then_some(lines));
    }
    out
}

/// Takes out what gives orders to its reader, and what stands beside that in one breath; returns how much that was.
pub(super) fn without_orders(one: &mut Consulted) -> usize {
    let n_all = one.citables.len();
    let orders: Vec<(usize, usize)> =
        one.citables.iter().filter(|citable| order(&citable.text).is_some()).map(|citable| citable.lines).collect();
    let is_beside = |lines: (usize, usize)| orders.iter().any(|(first, last)| lines.0 <= *last && *first <= lines.1);
    one.citables.retain(|citable| !is_beside(citable.lines));
    n_all - one.citables.len()
}
