//! Answering a search.

use ken_core::search::{DocFacts, Partition, Question, Shown};
use ken_core::{Slug, VaultPath};

use super::answer::{ScorePart, SearchHit, SearchOutcome, SearchRequest};
use super::ask::{Asked, Hit, Look, Place, Ranked};
use super::gather::trust_of_code;
use super::index::SearchIndex;
use super::texts::Texts;
use crate::engine::Engine;
use crate::failure::Failure;

/// Most results that can be asked for.
pub const RESULTS_MAX: usize = 200;

/// An index that is asked more than once.
pub struct Searcher<'a> {
    engine: &'a Engine,
    index: SearchIndex,
    texts: Texts<'a>,
    notes: Vec<String>,
    #[cfg(feature = "semantic")]
    meaning: Option<super::meaning::Meaning>,
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
        let index = self.search_index()?;
        Ok(Searcher {
            engine: self,
            index,
            texts: Texts::new(self, self.trust_of()?),
            notes: self.reading_notes(),
            #[cfg(feature = "semantic")]
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
    #[cfg(feature = "semantic")]
    #[must_use]
    pub fn by_meaning(mut self, settings: &super::meaning::MeaningSettings) -> Self {
        let (meaning, note) = super::meaning::Meaning::open(self.engine, &self.index, settings);
        self.meaning = meaning;
        self.notes.extend(note);
        self
    }

    /// Returns what answers a question.
    ///
    /// # Errors
    /// When a page to explain is not known.
    pub fn search(&mut self, request: &SearchRequest) -> Result<SearchOutcome, Failure> {
        let mut question = Question::read(&request.text, &self.index.languages);
        self.index.read_days(&mut question);
        let question = question;
        let mut scope = question.scope.clone();
        scope.add(&request.scope);
        let mut outcome =
            SearchOutcome { query: request.text.clone(), notes: self.notes.clone(), ..SearchOutcome::default() };
        let unread =
            scope.unread.iter().map(|one| format!("`{one}` is no filter that can be read, so nothing matches it"));
        outcome.notes.extend(unread);
        #[cfg(feature = "semantic")]
        outcome.notes.extend(self.meaning.as_mut().and_then(|meaning| meaning.ask(&question)));
        let shelf = &self.index.shelf;
        let asked = Asked::new(shelf, &question);
        outcome.unknown = asked.unknown();
        let member = |segment: usize| &shelf.members()[segment].segment;
        let in_scope = |segment: usize, doc: u32| {
            scope.is_open() || member(segment).doc(doc).is_some_and(|facts| scope.has(&facts))
        };
        let n_max = request.n_max.min(RESULTS_MAX);
        let partitions = Partition::ALL.into_iter().filter(|one| request.partition.is_none_or(|wanted| wanted == *one));
        for partition in partitions {
            let texts = std::cell::RefCell::new(&mut self.texts);
            let mut passes = |place: Place| {
                question.phrases.is_empty() || has_phrases(&mut texts.borrow_mut(), shelf, place, &question)
            };
            let mut text = |place: Place| texts.borrow_mut().raw(shelf, place);
            let mut look = Look { in_scope: &in_scope, passes: &mut passes, text: &mut text };
            #[cfg(feature = "semantic")]
            let ranked = match &self.meaning {
                None => asked.best(partition, n_max, &mut look),
                Some(meaning) => {
                    let ranked = asked.best(partition, super::ask::POOL, &mut look);
                    let mut ranked = meaning.fuse(ranked, &asked, partition, &in_scope);
                    ranked.hits.truncate(n_max);
                    ranked
                }
            };
            #[cfg(not(feature = "semantic"))]
            let ranked = asked.best(partition, n_max, &mut look);
            outcome.confidence = outcome.confidence.max(ranked.confidence);
            if let Some(name) = request.why_not.as_deref().filter(|_| partition == Partition::Pages) {
                outcome.why_not = Some(why_not(self.engine, &asked, name, &ranked, &scope)?);
            }
            let mut hits = Vec::with_capacity(ranked.hits.len());
            for hit in &ranked.hits {
                match self.texts.passage(shelf, hit, &question) {
                    Some(found) => {
                        let shown = Shown::of(&question, &found.text);
                        let parts = if request.explains { asked.explain(hit) } else { Vec::new() };
                        hits.push(search_hit(hit, found, shown, parts));
                    }
                    None => outcome.notes.push(format!("`{}` is gone since it was indexed", hit.facts.path)),
                }
            }
            match partition {
                Partition::Pages => outcome.pages = hits,
                Partition::Evidence => outcome.evidence = hits,
            }
        }
        outcome.abstained = outcome.confidence < ken_core::search::rank::SURE;
        Ok(outcome)
    }
}

fn search_hit(hit: &Hit, found: super::texts::PassageText, shown: Shown, parts: Vec<ScorePart>) -> SearchHit {
    let DocFacts { path, title, category, slug, date, trust, session, agent, project, .. } = hit.facts.clone();
    SearchHit {
        path,
        slug,
        title,
        category,
        heading: found.heading,
        lines: found.lines,
        date,
        session,
        agent,
        project,
        trust: trust_of_code(trust),
        score: hit.score,
        text: found.text,
        snippet: shown.snippet,
        marks: shown.marks,
        parts,
    }
}

/// Whether a passage has every phrase of the question, whatever case and accents.
fn has_phrases(texts: &mut Texts<'_>, shelf: &ken_search::Shelf, place: Place, question: &Question) -> bool {
    let member = &shelf.members()[place.0].segment;
    let (Some(facts), Some(passage)) = (member.doc(place.1), member.passage(place.2)) else { return false };
    let Some(text) = texts.raw(shelf, place) else { return false };
    let words = |text: &str| -> Vec<String> {
        ken_core::words::words(text).iter().map(|word| ken_core::words::fold(word.of(text))).collect()
    };
    // A phrase of the title or a heading is said of every passage below it.
    let said = [words(&facts.title), words(&passage.heading), words(&text)];
    let says =
        |phrase: &Vec<String>| said.iter().any(|words| words.windows(phrase.len()).any(|run| run == phrase.as_slice()));
    question.phrases.iter().all(says)
}

/// Says why a page is not among the results, and what would have brought it there.
fn why_not(
    engine: &Engine,
    asked: &Asked<'_>,
    name: &str,
    ranked: &Ranked,
    scope: &ken_core::search::Scope,
) -> Result<String, Failure> {
    let path = VaultPath::new(name).filter(|path| asked.has_file(path));
    let path = match path {
        Some(path) => path,
        None => {
            let catalog = engine.catalog()?;
            let slug = Slug::from_text(name.trim_end_matches(".md"));
            let found = slug.and_then(|slug| catalog.find(&slug));
            let page = found.ok_or_else(|| engine.no_such_page(name, catalog.as_ref()))?;
            catalog.entry(page).path
        }
    };
    if let Some(at) = ranked.hits.iter().position(|hit| hit.facts.path == path) {
        return Ok(format!("`{path}` is result {}", at + 1));
    }
    let Some((facts, missing, score)) = asked.look_at(&path) else {
        return Ok(format!("`{path}` is not in the index"));
    };
    if !scope.has(&facts) {
        return Ok(format!("`{path}` is outside what the search was narrowed to"));
    }
    let has_none = missing.len() == asked.n_asked();
    let last = ranked.hits.last().map(|hit| hit.score);
    Ok(match (has_none, last) {
        (true, _) => format!("`{path}` has none of the question's words"),
        (false, Some(last)) if score < last => {
            let lacks = if missing.is_empty() { String::new() } else { format!("; it lacks {}", missing.join(", ")) };
            format!("`{path}` scores {score:.2}, the last result {last:.2}{lacks}")
        }
        _ => format!("`{path}` has no passage with the phrase, or has a word that was left out with `-`"),
    })
}
