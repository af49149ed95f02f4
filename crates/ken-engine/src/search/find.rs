//! Answering a search.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeSet;
use std::path::Path;

use ken_core::index::Catalog;
use ken_core::page::outline::without_marks;
use ken_core::page::parse_page;
use ken_core::search::{DocFacts, Partition, Question, Scope, Shown, rank};
use ken_core::trust::EXTERNAL_CLAIM;
use ken_core::words::folded_words;
use ken_core::{IndexEntry, Trust, VaultPath};
use ken_intake::outside;

use super::answer::{Respelled, ScorePart, SearchHit, SearchOutcome, SearchRequest};
use super::ask::{Asked, Hit, Look, Place, Ranked};
use super::gather::trust_of_code;
use super::index::SearchIndex;
use super::meaning::Meaning;
use super::respell::Words;
use super::texts::{PassageText, Texts};
use super::why::why_not;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::query::{call_also, names_in};

/// Most results that can be asked for.
pub const RESULTS_MAX: usize = 200;

/// Returns the text of a file of questions, which lies outside the vault.
///
/// # Errors
/// When it cannot be read, or is not UTF-8.
pub fn text_of(path: &Path) -> Result<String, Failure> {
    let place = path.display();
    let bytes = outside::read(path).map_err(Failure::unread(&place))?;
    let not_text = || Failure::usage(format!("`{place}` is not UTF-8 text")).hint("nothing was changed");
    String::from_utf8(bytes).map_err(|_| not_text())
}

/// An index that is asked more than once.
pub struct Searcher<'a> {
    engine: &'a Engine,
    index: SearchIndex,
    /// What is known of all pages: read for the few questions that need it.
    catalog: OnceCell<Box<dyn Catalog>>,
    /// Whether every file was looked at.
    is_looked_at: bool,
    texts: Texts<'a>,
    notes: Vec<String>,
    meaning: Option<Meaning>,
}

impl Engine {
    /// Returns what answers a question.
    ///
    /// # Errors
    /// When the vault cannot be read.
    pub fn search(&self, request: &SearchRequest) -> Result<SearchOutcome, Failure> {
        self.searcher()?.search(request)
    }

    /// Returns what can be asked several questions.
    ///
    /// # Errors
    /// When the vault cannot be read.
    pub fn searcher(&self) -> Result<Searcher<'_>, Failure> {
        Ok(Searcher {
            engine: self,
            index: self.search_index()?,
            catalog: OnceCell::new(),
            is_looked_at: false,
            texts: Texts::new(self, self.register()?),
            notes: self.reading_notes(),
            meaning: None,
        })
    }
}

impl Searcher<'_> {
    /// Returns the same with a note for every answer.
    #[must_use]
    pub fn with_note(mut self, note: &str) -> Self {
        self.notes.push(note.to_owned());
        self
    }

    /// Returns the same, comparing meanings too; when that cannot be, every answer has a note that says why.
    #[must_use]
    pub fn by_meaning(mut self) -> Self {
        let (meaning, note) = Meaning::open(self.engine, &self.index);
        self.meaning = meaning;
        self.notes.extend(note);
        self
    }

    /// Returns what answers a question.
    ///
    /// # Errors
    /// When a page to explain is not known.
    pub fn search(&mut self, request: &SearchRequest) -> Result<SearchOutcome, Failure> {
        self.follow();
        let mut question = Question::read(&request.text, &self.index.languages);
        self.index.read_days(&mut question, self.engine.clock.today());
        let also_called = self.call_also(&mut question)?;
        if let Some(day) = self.engine.on {
            question.ask_on(day);
        }
        let (mut outcome, is_stale) = self.answer(&question, request)?;
        let is_in_doubt = (outcome.abstained || !outcome.respelled.is_empty()) && !outcome.unknown.is_empty();
        if self.engine.past.is_none()
            && ((is_stale && self.engine.on.is_none()) || (is_in_doubt && self.is_out_of_date()))
        {
            // A file changed, unseen by the quick look: so the index is made to hold again.
            self.index = self.engine.refresh_search()?.0;
            self.texts.forget();
            self.load_vectors();
            outcome = self.answer(&question, request)?.0;
        }
        if !question.phrases.is_empty() && outcome.pages.is_empty() && outcome.evidence.is_empty() {
            let phrase = question.phrases[0].join(" ");
            question.phrases.clear();
            question.required.clear();
            outcome = self.answer(&question, request)?.0;
            outcome
                .notes
                .push(format!("no passage has the words \"{phrase}\" as they stand; they were searched one by one"));
        }
        outcome.notes.extend(also_called);
        self.add_rolled(request, &mut outcome)?;
        Ok(outcome)
    }

    /// What is known of all pages.
    fn catalog(&self) -> Result<&dyn Catalog, Failure> {
        if self.catalog.get().is_none() {
            let _ = self.catalog.set(self.engine.catalog()?);
        }
        Ok(self.catalog.get().expect("it was set").as_ref())
    }

    /// Searches for every name of a thing that a question names; returns what to say of that.
    fn call_also(&self, question: &mut Question) -> Result<Vec<String>, Failure> {
        if !self.engine.is_of_then() {
            return Ok(call_also(question, &|name| self.index.names_of(name)));
        }
        // The index says what pages are called today.
        let catalog = self.catalog()?;
        Ok(call_also(question, &|name| names_in(catalog, name)))
    }

    /// Puts the roll-ups of a period first, where one is asked about.
    fn add_rolled(&self, request: &SearchRequest, outcome: &mut SearchOutcome) -> Result<(), Failure> {
        let is_open = request.scope.is_open() && request.partition != Some(Partition::Evidence);
        if !is_open || self.engine.period_of(&request.text).is_none() {
            return Ok(());
        }
        let Some(rolled) = self.engine.rolled(&request.text, self.catalog()?) else { return Ok(()) };
        let best = outcome.pages.first().map_or(1.0, |hit| hit.score);
        let hits: Vec<SearchHit> = rolled.entries().map(|entry| rolled_hit(entry, best)).collect();
        outcome.pages.splice(0..0, hits);
        outcome.pages.truncate(request.n_max.min(RESULTS_MAX));
        (outcome.abstained, outcome.confidence) = (false, 1.0);
        Ok(())
    }

    /// Whether a look at every file of the index shows a change; once.
    fn is_out_of_date(&mut self) -> bool {
        !std::mem::replace(&mut self.is_looked_at, true) && self.engine.is_out_of_date(&self.index)
    }

    /// Takes the newer index that another process may have put in place since the last question.
    fn follow(&mut self) {
        if self.engine.past.is_none()
            && let Some(newer) = self.engine.newer_search_index(&self.index)
        {
            self.index = newer;
            self.load_vectors();
        }
        self.texts.forget();
    }

    /// Reads the vectors of another index than before.
    fn load_vectors(&mut self) {
        if let Some(meaning) = &mut self.meaning {
            meaning.load(self.engine, &self.index);
        }
    }

    /// Answers from the index as it is; also returns whether a file that was found has changed since.
    fn answer(&mut self, question: &Question, request: &SearchRequest) -> Result<(SearchOutcome, bool), Failure> {
        // What stands nowhere is found out anew of every index.
        let question = &mut question.clone();
        let mut scope = question.scope.clone();
        scope.add(&request.scope);
        let unlike = self.meaning.as_mut().and_then(|meaning| meaning.ask(question));
        let shelf = &self.index.shelf;
        let words = Words::look_up(shelf, question, &mut |place| self.texts.raw(shelf, place));
        let question = &*question;
        let asked = Asked::new(shelf, question, words);
        let mut outcome = SearchOutcome {
            query: request.text.clone(),
            notes: self.notes_on(&scope, unlike, &asked),
            unknown: asked.unknown(),
            respelled: asked.respelled().to_vec(),
            days: question.days.first().map(|days| (days.period.from, days.period.to)),
            ..SearchOutcome::default()
        };
        let scoped = if scope.is_open() { None } else { Some(shelf.docs_where(&|facts| scope.has(facts))) };
        let in_scope = |segment: usize, doc: u32| scoped.as_ref().is_none_or(|all| all[segment][doc as usize]);
        let texts = RefCell::new(&mut self.texts);
        let mut is_stale = false;
        for partition in Partition::ALL.into_iter().filter(|one| request.partition.is_none_or(|wanted| wanted == *one))
        {
            let mut passes = |place: Place| {
                is_said_by(shelf, place, &scope)
                    && (question.phrases.is_empty() || has_phrases(&mut texts.borrow_mut(), shelf, place, question))
            };
            let mut text = |place: Place| texts.borrow_mut().raw(shelf, place);
            let mut look = Look { in_scope: &in_scope, passes: &mut passes, text: &mut text };
            let n_max = request.n_max.min(RESULTS_MAX);
            // Meanings are compared of passages whoever says them.
            let meaning = self.meaning.as_ref().filter(|_| scope.speaker.is_none());
            // Some of what is found says again what others say.
            let ranked = best(&asked, meaning, partition, 2 * n_max, &mut look);
            outcome.confidence = outcome.confidence.max(ranked.confidence);
            if let Some(name) = request.why_not.as_deref().filter(|_| partition == Partition::Pages) {
                outcome.why_not = Some(why_not(self.engine, &asked, name, &ranked, &scope)?);
            }
            let talk = &self.engine.layout().talk;
            let told = told(&ranked.hits, talk);
            let mut hits = Vec::with_capacity(n_max);
            for hit in &ranked.hits {
                if hits.len() >= n_max {
                    break;
                }
                let found = texts.borrow_mut().passage(shelf, hit, question);
                is_stale |= found.as_ref().is_none_or(|found| found.is_changed);
                // What an entry took from talk that was found says no more than that.
                let is_new = |found: &PassageText| {
                    let talk = found.talk.as_ref().and_then(|name| talk.join(name));
                    talk.is_none_or(|talk| !told.contains(&&talk))
                };
                if let Some(found) = found.filter(is_new) {
                    let parts = if request.explains { asked.explain(hit) } else { Vec::new() };
                    hits.push(search_hit(self.engine, (hit, found), question, parts));
                }
            }
            if request.why_not.is_some() && request.partition == Some(Partition::Evidence) {
                outcome.why_not =
                    Some("only of pages can be said why they are not found; search `--in pages`".to_owned());
            }
            match partition {
                Partition::Pages => outcome.pages = past_last(hits),
                Partition::Evidence => outcome.evidence = past_last(hits),
            }
        }
        outcome.abstained = outcome.confidence < rank::SURE;
        Ok((tell_replaced(self.engine, outcome), is_stale))
    }

    /// What a reader should know of a question that is asked.
    fn notes_on(&self, scope: &Scope, unlike: Option<String>, asked: &Asked<'_>) -> Vec<String> {
        let unread = scope.unread.iter().map(|one| format!("`{one}` is no filter that reads, so nothing matches it"));
        let behind = self.index.is_behind.then(|| {
            "another process is bringing the search index up to date; what changed last may be missing".to_owned()
        });
        let respelled = asked.respelled().iter().map(Respelled::to_string);
        self.notes.iter().cloned().chain(unread).chain(unlike).chain(behind).chain(respelled).collect()
    }
}

/// A roll-up as a result: all of it answers, and its tldr says how much that is.
fn rolled_hit(entry: &IndexEntry, score: f32) -> SearchHit {
    SearchHit {
        path: entry.path.clone(),
        slug: entry.slug.to_string(),
        title: entry.title.clone(),
        category: Some(entry.category),
        heading: String::new(),
        speaker: String::new(),
        lines: (1, 1),
        date: entry.updated,
        session: String::new(),
        agent: String::new(),
        project: String::new(),
        trust: None,
        score,
        text: entry.tldr.clone(),
        past: String::new(),
        snippet: entry.tldr.clone(),
        marks: Vec::new(),
        parts: Vec::new(),
    }
}

/// The best documents of a partition by words, and by meaning where that is compared.
fn best(
    asked: &Asked<'_>,
    meaning: Option<&Meaning>,
    partition: Partition,
    n_max: usize,
    look: &mut Look<'_>,
) -> Ranked {
    match meaning {
        Some(meaning) => meaning.best(asked, partition, n_max, look),
        None => asked.best(partition, n_max, look),
    }
}

/// The files of talk among what was found.
fn told<'h>(hits: &'h [Hit], talk: &VaultPath) -> Vec<&'h VaultPath> {
    hits.iter().map(|hit| &hit.facts.path).filter(|path| path.is_under(talk.as_str())).collect()
}

/// What is past stands behind what holds, whatever its words.
fn past_last(mut hits: Vec<(SearchHit, bool)>) -> Vec<SearchHit> {
    hits.sort_by_key(|(_, is_past)| *is_past);
    hits.into_iter().map(|(hit, _)| hit).collect()
}

/// Says of evidence that was found what pages that were found say no longer holds in it.
fn tell_replaced(engine: &Engine, mut outcome: SearchOutcome) -> SearchOutcome {
    let mut replaced = Vec::new();
    let paths: BTreeSet<VaultPath> = outcome.pages.iter().map(|hit| hit.path.clone()).collect();
    for path in paths {
        // What cannot be read replaces nothing.
        let Ok(Some(text)) = engine.read_then(&path) else { continue };
        replaced.extend(engine.superseded_facts(&parse_page(&path, text).value));
    }
    for hit in &mut outcome.evidence {
        let words = folded_words(&hit.text);
        let is_said = |said: &Option<String>| {
            let said = said.as_deref().map(folded_words).unwrap_or_default();
            !said.is_empty() && words.windows(said.len()).any(|run| run == said.as_slice())
        };
        if let Some((_, old)) = replaced.iter().find(|(path, old)| *path == hit.path && is_said(&old.said)) {
            hit.past = format!("\u{201c}{}\u{201d} {}", old.said.as_deref().unwrap_or_default(), old.since);
        }
    }
    outcome
}

fn search_hit(
    engine: &Engine,
    (hit, found): (&Hit, PassageText),
    question: &Question,
    parts: Vec<ScorePart>,
) -> (SearchHit, bool) {
    // Lines and path say where a claim stands; its footnote marks would point to nothing.
    let shown = Shown::of(question, &without_marks(&found.text));
    let is_external = hit.facts.category.is_some() && found.text.contains(EXTERNAL_CLAIM.trim_start());
    let (past, is_past) = past_at(engine, &hit.facts, found.lines);
    let DocFacts { path, title, category, slug, date, trust, session, agent, project, .. } = hit.facts.clone();
    let hit = SearchHit {
        path,
        slug,
        title,
        category,
        heading: found.heading,
        speaker: found.speaker,
        lines: found.lines,
        date,
        session,
        agent,
        project,
        trust: if is_external { Some(Trust::External) } else { trust_of_code(trust) },
        score: hit.score,
        text: found.text,
        past,
        snippet: shown.snippet,
        marks: shown.marks,
        parts,
    };
    (hit, is_past)
}

/// What keeps lines of a file from being current, as it says itself or its code does; empty where nothing does. And whether
/// that is so of most that they say.
fn past_at(engine: &Engine, facts: &DocFacts, (first, last): (usize, usize)) -> (String, bool) {
    let text = engine.read_then(&facts.path).ok().flatten().unwrap_or_default();
    let page = parse_page(&facts.path, text).value;
    let past = match facts.category {
        Some(_) => engine.past_of_page(&page),
        None => engine.withdrawn_in(&facts.path, &page.text, &engine.withdrawn(None).unwrap_or_default()),
    };
    let mut past = past.into_iter().filter(|old| old.said.is_none() && old.lines.0 <= first && last <= old.lines.1);
    match past.next() {
        Some(old) if !old.since.is_empty() => (old.since, true),
        _ => {
            let drift = engine.drift_of_lines(&page, (first, last));
            (drift.told, drift.is_most)
        }
    }
}

/// Whether a passage is said by whom a scope names.
fn is_said_by(shelf: &ken_search::Shelf, (segment, _, passage): Place, scope: &Scope) -> bool {
    let said = || shelf.members()[segment].segment.passage(passage);
    scope.speaker.is_none() || said().is_some_and(|facts| scope.has_speaker(&facts.speaker))
}

/// Whether a passage has every phrase of the question, whatever case and accents.
fn has_phrases(texts: &mut Texts<'_>, shelf: &ken_search::Shelf, place: Place, question: &Question) -> bool {
    let member = &shelf.members()[place.0].segment;
    let (Some(facts), Some(passage)) = (member.doc(place.1), member.passage(place.2)) else { return false };
    let Some(text) = texts.raw(shelf, place) else { return false };
    // A phrase of the title or a heading is said of every passage below it.
    let said = [&facts.title, &passage.heading, &passage.speaker, &text].map(|text| folded_words(text));
    let says =
        |phrase: &Vec<String>| said.iter().any(|words| words.windows(phrase.len()).any(|run| run == phrase.as_slice()));
    question.phrases.iter().all(says)
}
