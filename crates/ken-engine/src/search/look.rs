//! Looks closely at what the index finds for a question: units of pages and evidence, scored.

mod lead;
mod worded;

use std::collections::{BTreeMap, BTreeSet};

use ken_core::action::AskedActions;
use ken_core::claim::SourceRef;
use ken_core::context::{Asking, Material, Outdated, disputed_lines, note_outdated, superseded_lines, units_around};
use ken_core::frame::heading;
use ken_core::header::FieldName;
use ken_core::held::{Standing, marks};
use ken_core::index::Catalog;
use ken_core::page::past::{Past, PastPart, past_parts, superseded_facts};
use ken_core::page::{page_slug, parse_page};
use ken_core::revised::Revision;
use ken_core::search::close::{Close, FoundDoc, SURE, Said, Verdict};
use ken_core::search::{Cue, Doc, Partition, Question};
use ken_core::timeline::AskedHistory;
use ken_core::{Category, Date, IndexEntry, Page, Slug, Tokens, VaultPath};

use self::lead::{add_meaning, give_way, is_yet_to_come, lead_last_list, lead_on, step_back};
use self::worded::said_closest;
use super::answer::Respelled;
use super::ask::{Asked, Place};
use super::gather::trust_of_code;
use super::index::SearchIndex;
use super::meaning::Meaning;
use super::respell::Words;
use super::texts::Texts;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::query::{call_also, names_in};
use crate::trusted::TrustOfPages;

/// Some lines of a text as one, without the mark of a list.
fn one_line_of(text: &str, (first, last): (usize, usize)) -> String {
    let lines = text.lines().skip(first.saturating_sub(1)).take((last + 1).saturating_sub(first));
    lines.map(|line| line.trim_start_matches("- ")).collect::<Vec<_>>().join(" ")
}

/// Passages that are looked at closely, of pages and of evidence.
const PAGES_MAX: usize = 60;
const EVIDENCE_MAX: usize = 120;
/// Passages whose own words are searched for, and how many each of them brings in: what changed since may be said in
/// other words than those that are asked with.
const SAME_OF: usize = 5;
const SAME_MAX: usize = 8;
/// Passages that come in by what they mean.
const ALIKE_MAX: usize = 24;

/// Characters of a unit: what was said is cut finer than what was written.
const SAID_CHARS: usize = 250;
const WRITTEN_CHARS: usize = 500;
/// Of a small budget a unit takes a quarter, four characters a token, but it is no shorter than this.
const CHARS_MIN: usize = 40;

/// Cited lines, the part of them that is meant, how that stands, and what is told of it.
type Cited = (SourceRef, Option<String>, Standing, String);

/// What was found for a question.
pub(crate) struct Looked<'a, 'q> {
    /// The question, with what its words count.
    pub(crate) close: &'a mut Close<'q>,
    /// Documents, cut into units.
    pub(crate) found: &'a [Material<'a>],
    /// What each unit says of the question.
    pub(crate) said: &'a [Vec<Said>],
    /// How sure it is by its words that it answers, and what that means.
    pub(crate) confidence: f32,
    pub(crate) verdict: Verdict,
    /// Whether something was found by what it means.
    pub(crate) is_alike: bool,
    /// The day of which it is told what held.
    pub(crate) on: Option<Date>,
    /// What a reader should know of how it was found: what was searched for in the place of words that stand nowhere,
    /// and what is missing for comparing meanings.
    pub(crate) notes: &'a [String],
}

impl Engine {
    /// Looks closely at what answers a question, and returns what `then` makes of it; `budget` is what it may cost, and
    /// `is_told` whether a day that the question names is one of which it is told what held.
    ///
    /// # Errors
    /// When the vault cannot be read.
    pub(crate) fn look<T>(
        &self,
        (question, catalog): (&str, &dyn Catalog),
        (budget, is_told): (Tokens, bool),
        then: impl Fn(Looked<'_, '_>) -> T,
    ) -> Result<T, Failure> {
        let index = self.search_index()?;
        let (said, is_in_doubt) = self.look_in(&index, (question, catalog), (budget, is_told), &then)?;
        if is_in_doubt && self.past.is_none() && self.is_out_of_date(&index) {
            // A file changed, unseen by the quick look: so the index is made to hold again.
            return Ok(self.look_in(&self.refresh_search()?.0, (question, catalog), (budget, is_told), &then)?.0);
        }
        Ok(said)
    }

    /// The same in an index; also returns whether words of the question stand nowhere in it, and nothing answers, or
    /// only because of what was searched for in their place.
    ///
    /// Where its words are not sure to find the answer, what means the same comes in, if the user has vectors.
    fn look_in<T>(
        &self,
        index: &SearchIndex,
        (question, catalog): (&str, &dyn Catalog),
        (budget, is_told): (Tokens, bool),
        then: &impl Fn(Looked<'_, '_>) -> T,
    ) -> Result<(T, bool), Failure> {
        let mut asks = Question::plain(question, &index.languages);
        index.read_days(&mut asks, self.clock.today());
        let also_called = call_also(&mut asks, &|name| names_in(catalog, name));
        // What holds since the last day that anything is of holds until today, too.
        let (newest, today) = (index.shelf.collection().days.map(|(_, newest)| newest), self.clock.today());
        let named = asks.held_on().filter(|day| newest.is_some_and(|newest| *day < newest || *day > today));
        let may_tell = is_told && self.past.is_none() && asks.held_on().is_none();
        if let Some(day) = self.on {
            asks.ask_on(day);
        }
        let is_told = is_told && self.on.is_none();
        let of_day = self.told_on(named.filter(|_| is_told));
        let mut texts = Texts::new(&of_day, self.register()?);
        let words = Words::look_up(&index.shelf, &mut asks, &mut |place| texts.raw(&index.shelf, place));
        let asked = Asked::new(&index.shelf, &asks, words);
        let respelled = asked.respelled().iter().map(Respelled::to_string);
        let notes: Vec<String> = also_called.into_iter().chain(respelled).collect();
        let mut places: BTreeMap<Place, f32> = BTreeMap::new();
        for (partition, n_max) in [(Partition::Pages, PAGES_MAX), (Partition::Evidence, EVIDENCE_MAX)] {
            places.extend(asked.passages(partition, n_max).into_iter().map(|place| (place, 0.0)));
        }
        // A page has no today: where it tells what is yet to come, what holds until then is told as of any other day.
        let of_today = self.told_on(Some(today));
        let is_to_come =
            is_told && may_tell && places.keys().any(|place| texts.tells_of_what_comes(&index.shelf, *place, today));
        let told = if is_to_come { &of_today } else { &of_day };
        let texts = if is_to_come { Texts::new(told, self.register()?) } else { texts };
        let mut looking = Looking {
            today: (is_told && may_tell && !is_to_come).then_some(today),
            engine: told,
            index,
            asked: &asked,
            asks: &asks,
            budget,
            texts,
            trusted: TrustOfPages::new(self)?,
            notes,
        };
        for place in looking.of_the_same(&asked.passages(Partition::Evidence, SAME_OF)) {
            places.entry(place).or_insert(0.0);
        }
        let is_respelled = !asked.respelled().is_empty();
        let is_in_doubt =
            |looked: &Looked<'_, '_>| (looked.confidence < SURE || is_respelled) && !asked.unknown().is_empty();
        let may_compare = self.may_compare();
        let by_words = looking.look(&places, |looked| {
            let is_done = looked.confidence >= SURE || !may_compare;
            is_done.then(|| (is_in_doubt(&looked), then(looked)))
        });
        let (is_in_doubt, said) = match by_words {
            Some(done) => done,
            None => {
                let (alike, note) = self.alike(index, &asked, &asks);
                places.extend(alike);
                looking.notes.extend(note);
                looking.look(&places, |looked| (is_in_doubt(&looked), then(looked)))
            }
        };
        Ok((said, is_in_doubt))
    }

    /// The passages that mean most nearly what is asked, each with how much of the best score by words that adds, and
    /// what a reader should know.
    fn alike(&self, index: &SearchIndex, asked: &Asked<'_>, asks: &Question) -> (Vec<(Place, f32)>, Option<String>) {
        let (meaning, note) = Meaning::open(self, index);
        let Some(mut meaning) = meaning else { return (Vec::new(), note) };
        let unlike = meaning.ask(asks);
        (meaning.passages(asked, ALIKE_MAX), note.or(unlike))
    }

    /// What no longer holds of which file, as the pages among those found say. Only pages say so: what a document
    /// says of the journal is a claim like any other. Where a question asks what is left to do, what was done of it is over.
    fn superseded_in<'p>(
        &self,
        question: &str,
        texts: &mut Texts<'_>,
        found: impl Iterator<Item = &'p VaultPath>,
    ) -> BTreeMap<VaultPath, Vec<Outdated>> {
        let (pages, evidence): (Vec<&VaultPath>, Vec<&VaultPath>) = found.partition(|path| self.layout().is_page(path));
        let mut out: BTreeMap<VaultPath, Vec<Outdated>> = BTreeMap::new();
        // What cannot be read withdraws nothing.
        let withdrawn = self.withdrawn(None).unwrap_or_default();
        for path in evidence.into_iter().collect::<BTreeSet<_>>() {
            let Some((_, text)) = texts.docs(path).filter(|_| !withdrawn.is_empty()) else { continue };
            let stale = self.withdrawn_in(path, text, &withdrawn);
            out.entry(path.clone()).or_default().extend(stale);
        }
        // Where a page says it of a part of the lines, with that part.
        let mut cited: Vec<Cited> = Vec::new();
        for page in pages {
            let Some((_, text)) = texts.docs(page) else { continue };
            let page = parse_page(page, text.to_owned()).value;
            let past = self.past_of_page(&page);
            if !past.is_empty() {
                out.entry(page.path.clone()).or_default().extend(past);
            }
            for (path, old) in self.superseded_facts(&page) {
                out.entry(path).or_default().push(old);
            }
            let old = superseded_lines(&page).into_iter();
            let old = old.map(|(cited, said, since)| (cited, Some(said), Standing::Replaced, since));
            let marks = if self.on.is_some() { marks(&page) } else { Vec::new() };
            cited.extend(marks.into_iter().map(|(cited, said, standing, since)| (cited, Some(said), standing, since)));
            cited.extend(old);
            for (at, said, since) in disputed_lines(&page) {
                // The line stands among others, too.
                let (lines, standing) = ((1, usize::MAX), Standing::Disputed);
                out.entry(at.path.clone()).or_default().push(Outdated {
                    lines,
                    said: Some(said),
                    since: since.clone(),
                    standing,
                });
                cited.push((at, None, standing, since));
            }
        }
        let done = self.done_asked(question).unwrap_or_default().into_iter();
        cited.extend(done.map(|(at, said, since)| (at, Some(said), Standing::Replaced, since)));
        self.note_cited(cited, texts, &mut out);
        out
    }

    /// Notes at the lines that pages cite, and in the talk that those tell of, what pages say of them.
    fn note_cited(&self, cited: Vec<Cited>, texts: &mut Texts<'_>, out: &mut BTreeMap<VaultPath, Vec<Outdated>>) {
        for (SourceRef { path, lines, .. }, clause, standing, since) in cited {
            let (text, talks) =
                (texts.docs(&path).map(|(_, text)| one_line_of(text, lines)), texts.talk_of(&path, lines));
            let text = text.unwrap_or_default();
            // What tells how a document changed says by itself what is over.
            if Revision::parse(&text).is_some() {
                continue;
            }
            let whole = |lines, said| Outdated { lines, said, since: since.clone(), standing };
            // Of a list only an item may be over, and of several sentences one.
            let part = |text: &str| {
                let old = whole((1, usize::MAX), clause.clone());
                let said = if old.part_of(text).is_some() { old.said.clone() } else { None };
                let said = said.or_else(|| Some(old.sentence_of(text)?.to_owned()))?;
                Some(whole((1, usize::MAX), Some(said)))
            };
            // An entry says in short what its talk says among other things.
            for (talk, said) in talks {
                let Some(talk) = self.layout().talk.join(&talk) else { continue };
                let told = part(&said).unwrap_or_else(|| whole((1, usize::MAX), Some(said.clone())));
                out.entry(talk).or_default().push(told);
            }
            // What a model wrote down is said in its talk in other words.
            if let Some(talk) = texts.rewritten(&path, lines.0).and_then(|talk| self.layout().talk.join(&talk)) {
                let closest = texts.docs(&talk).and_then(|(_, talk)| said_closest(talk, &text));
                let told = closest.map(|said| whole((1, usize::MAX), Some(said)));
                out.entry(talk).or_default().extend(told);
            }
            let said = part(&text).and_then(|old| old.said);
            out.entry(path).or_default().push(whole(lines, said));
        }
    }

    /// What of a page its own tool says is past.
    pub(crate) fn past_of_page(&self, page: &Page) -> Vec<Outdated> {
        let standing = Standing::Replaced;
        let outdated = |part: PastPart| {
            let since = match &part.past {
                Past::Superseded(Some(by)) => self.successor_of(page, by),
                _ => None,
            };
            let since = since.unwrap_or_else(|| part.past.told());
            Outdated { lines: part.lines, said: part.said, since, standing }
        };
        past_parts(page, self.clock.today()).into_iter().map(outdated).collect()
    }

    /// Until when a page held and what took its place, if that can be told: the page of that name, or the one entry
    /// beside it whose name begins with that number.
    fn successor_of(&self, page: &Page, by: &str) -> Option<String> {
        let beside = self.store.list_one(&page.path.parent()?).ok()?.0;
        let slug = Slug::from_text(by.trim_start_matches('[').trim_end_matches(']'))?;
        let numbered = format!("{slug}-");
        let is_it = |path: &&VaultPath| {
            *path != &page.path && (page_slug(path) == slug || path.file_name().starts_with(&numbered))
        };
        let mut found = beside.iter().map(|file| &file.path).filter(is_it);
        let path = found.next().filter(|_| found.next().is_none())?;
        let next = parse_page(path, self.read_then(path).ok()??).value;
        let until = next.header.date(&next.text, FieldName::Created)?;
        Some(format!("until {until}; now: {}", next.title()))
    }

    /// What a page says of facts in the evidence that no longer hold, with the file that says each.
    pub(crate) fn superseded_facts(&self, page: &Page) -> Vec<(VaultPath, Outdated)> {
        let outdated = |(source, fact, on): (String, String, Option<Date>)| {
            let path = self.cited_file(&source)?;
            let since = on.map_or_else(String::new, |on| format!("until {on}; now: {}", page.title()));
            let lines = (1, usize::MAX);
            Some((path, Outdated { lines, said: Some(fact), since, standing: Standing::Replaced }))
        };
        superseded_facts(page).into_iter().filter_map(outdated).collect()
    }

    fn material<'t>(
        &self,
        doc: &Doc,
        text: &'t str,
        (hits, budget): (&BTreeMap<usize, f32>, Tokens),
        trusted: &TrustOfPages,
    ) -> Material<'t> {
        let is_page = doc.facts.partition == Partition::Pages;
        let is_ours = !is_page && self.layout().only_grows(&doc.facts.path);
        let is_chat = doc.passages.iter().any(|(facts, _)| !facts.speaker.is_empty());
        let chars = if is_page || is_ours { SAID_CHARS } else { WRITTEN_CHARS };
        let hits = hits.keys().copied();
        let units = units_around(text, &doc.passages, hits, chars.min(budget.0.max(CHARS_MIN)));
        let page = is_page.then(|| parse_page(&doc.facts.path, text.to_owned()).value);
        let trust = page.as_ref().map(|page| trusted.of(page)).or_else(|| trust_of_code(doc.facts.trust));
        let date = page.as_ref().map_or(doc.facts.date, |page| IndexEntry::uncounted(page).updated);
        Material {
            path: doc.facts.path.clone(),
            title: doc.facts.title.clone(),
            heading: heading(&doc.facts.title, doc.facts.path.as_str(), date, trust),
            date,
            trust,
            text,
            units,
            superseded: Vec::new(),
            preceded: Vec::new(),
            claims: page.as_ref().map(|page| self.counted(page, trusted)).unwrap_or_default(),
            is_compiled: page.as_ref().is_some_and(Page::is_owned),
            is_work: page.as_ref().is_some_and(|page| page.is_owned() && page.category() == Category::Project),
            is_document: page.as_ref().map_or(!is_ours && !is_chat, is_of_document),
            is_said: is_ours || is_chat,
        }
    }
}

/// Whether a page was made of a document.
fn is_of_document(page: &Page) -> bool {
    page.is_owned() && page.category() == Category::Reference
}

/// Looking closely at what an index finds for a question.
struct Looking<'a> {
    engine: &'a Engine,
    /// Today, where it may be told what holds until something else does.
    today: Option<Date>,
    index: &'a SearchIndex,
    asked: &'a Asked<'a>,
    asks: &'a Question,
    budget: Tokens,
    texts: Texts<'a>,
    trusted: TrustOfPages,
    /// What a reader should know.
    notes: Vec<String>,
}

/// The passages of a document, each with what its meaning adds.
type Hits = BTreeMap<(VaultPath, usize), BTreeMap<usize, f32>>;

impl Looking<'_> {
    /// Looks at passages, each with what its meaning adds to its score, of the best score by words.
    fn look<T>(&mut self, places: &BTreeMap<Place, f32>, then: impl FnOnce(Looked<'_, '_>) -> T) -> T {
        let hits = self.hits(places);
        let asked = &self.asks.text;
        let superseded = self.engine.superseded_in(asked, &mut self.texts, hits.keys().map(|(path, _)| path));
        let told: BTreeSet<&VaultPath> = hits.keys().map(|(path, _)| path).collect();
        let talk = &self.engine.layout().talk;
        let mut found: Vec<Material<'_>> = Vec::new();
        let (mut titles, mut amounts) = (Vec::new(), Vec::new());
        for ((path, nth), hits) in &hits {
            let Some((docs, text)) = self.texts.docs(path) else { continue };
            let Some(doc) = docs.get(*nth) else { continue };
            // What an entry took from talk that was found says no more than that.
            if doc.talk.as_ref().and_then(|name| talk.join(name)).is_some_and(|talk| told.contains(&talk)) {
                continue;
            }
            let superseded = superseded.get(path).cloned().unwrap_or_default();
            let material = self.engine.material(doc, text, (hits, self.budget), &self.trusted);
            found.push(Material { superseded, ..material });
            titles.push(names(doc));
            amounts.push(hits);
        }
        let docs: Vec<FoundDoc<'_>> = found
            .iter()
            .zip(&titles)
            .map(|(one, title)| {
                let units = one.units.iter().map(|placed| (&placed.unit, placed.heading.as_str())).collect();
                FoundDoc { text: one.text, title, date: one.date, units, kind: one.kind() }
            })
            .collect();
        let frequencies = self.asked.frequencies();
        let mut close = Close::new(self.asks, &frequencies, &self.index.shelf.collection());
        let mut said = close.look(&docs);
        let confidence = close.confidence(&said);
        add_meaning(&found, &amounts, &mut said);
        let layout = self.engine.layout();
        let question = (!self.asks_for_what_was()).then_some(self.asks.text.as_str());
        let noted = |found: &mut [Material<'_>], on: Option<Date>| {
            note_outdated(found, |path| layout.only_grows(path), Asking { question, on, today: self.today })
        };
        let fresh = self.today.map(|_| found.clone());
        let (mut on, mut replaced) = (self.engine.on, noted(&mut found, self.engine.on));
        // What takes a place only later says nothing of today.
        if let Some((today, mut fresh)) =
            self.today.zip(fresh).filter(|(today, _)| is_yet_to_come(&found, &said, *today))
        {
            (on, replaced) = (Some(today), noted(&mut fresh, Some(today)));
            found = fresh;
        }
        self.engine.note_drift(&mut found);
        lead_on(&replaced, &mut said);
        if AskedActions::of(&self.asks.text, &[]).is_some() {
            lead_last_list(&found, &mut said);
        }
        match on {
            Some(_) => step_back(&found, &mut said),
            None if self.asks_for_what_was() => {}
            None => give_way(&found, &mut said),
        }
        let is_alike = amounts.iter().any(|amounts| amounts.values().any(|amount| *amount > 0.0));
        let verdict = match Verdict::of(confidence) {
            // How alike is alike enough differs from model to model: who reads it judges.
            Verdict::Nothing if is_alike => Verdict::Closest,
            verdict => verdict,
        };
        let notes = &self.notes;
        then(Looked { close: &mut close, found: &found, said: &said, confidence, verdict, is_alike, on, notes })
    }

    /// Whether the question is about what held once.
    fn asks_for_what_was(&self) -> bool {
        let names_day = self.asks.on.is_some() || !self.asks.days.is_empty();
        self.asks.cue == Some(Cue::Early) || names_day || AskedHistory::of(&self.asks.text).is_some()
    }

    /// The passages of journal and talk that speak of the same as some of them do.
    fn of_the_same(&mut self, places: &[Place]) -> Vec<Place> {
        let layout = self.engine.layout();
        let hits = self.hits(&places.iter().map(|place| (*place, 0.0)).collect());
        let mut out = Vec::new();
        for ((path, nth), hits) in hits.iter().filter(|((path, _), _)| layout.only_grows(path)) {
            let Some((docs, text)) = self.texts.docs(path) else { continue };
            let passages = docs.get(*nth).map_or(&[][..], |doc| &doc.passages);
            let said = hits.keys().filter_map(|n| passages.get(*n)).map(|(_, span)| span.of(text)).collect::<Vec<_>>();
            let mut asks = Question::plain(&said.join(" "), &self.index.languages);
            let words = Words::look_up(&self.index.shelf, &mut asks, &mut |_| None);
            out.extend(Asked::new(&self.index.shelf, &asks, words).passages(Partition::Evidence, SAME_MAX));
        }
        out
    }

    /// The passages by their documents, as the files are now.
    fn hits(&mut self, places: &BTreeMap<Place, f32>) -> Hits {
        let mut hits = Hits::new();
        for (place, amount) in places {
            let (segment, doc, passage) = *place;
            let Some((path, nth)) = self.texts.read(&self.index.shelf, *place) else { continue };
            let starts = self.index.shelf.members()[segment].segment.starts();
            let first = starts.get(doc as usize).copied().unwrap_or(passage);
            match nth {
                Some(nth) => {
                    hits.entry((path, nth)).or_default().insert(passage.saturating_sub(first) as usize, *amount);
                }
                None => {
                    let docs = self.texts.docs(&path).map_or(&[][..], |(docs, _)| docs);
                    for (nth, doc) in docs.iter().enumerate() {
                        let all = (0..doc.passages.len()).map(|passage| (passage, 0.0));
                        hits.entry((path.clone(), nth)).or_default().extend(all);
                    }
                }
            }
        }
        hits
    }
}

/// What is said of every unit of a document: its names. Its tldr says one thing, which not every unit is about, and
/// the triggers of a reference page are its sections, each of which stands above its own units.
fn names(doc: &Doc) -> String {
    let mut names = vec![doc.facts.title.as_str(), doc.facts.path.stem()];
    let is_reference = doc.facts.category == Some(Category::Reference);
    let triggers = if is_reference { &[][..] } else { &doc.triggers };
    names.extend(doc.aliases.iter().chain(triggers).map(String::as_str));
    names.join("\n")
}
