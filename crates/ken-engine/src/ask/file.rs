//! Files an answer: its record, its page, index and log, as one plan.

use std::collections::BTreeMap;

use ken_core::action::AskedActions;
use ken_core::answer::{
    Answer, ConsultedRef, FiledAnswer, Sentence, Stands, question_key, render_answer_page, said_behind,
};
use ken_core::claim::SourceRef;
use ken_core::index::Catalog;
use ken_core::page::page_slug;
use ken_core::{Basis, Digest, IndexEntry, LogEntry, Plan, Slug, VaultPath};
use ken_intake::scrub::scrub;
use ken_store::LockGuard;

use super::record::{Records, write};
use super::{AskOutcome, VaultLook, is_filed_answer};
use crate::compile::{may_replace, note_page};
use crate::engine::Engine;
use crate::failure::Failure;
use crate::wiki::Wiki;

/// Longest slug of a question in bytes: a file name that can be read.
const SLUG_BYTES_MAX: usize = 60;

/// A page that an answer was filed as.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filed {
    /// The page.
    pub path: VaultPath,
    /// Whether there was none before.
    pub is_new: bool,
}

impl Engine {
    /// Answers with what was filed, where that still stands. Returns whether it does.
    pub(super) fn repeat(
        &self,
        (page, stands): (&IndexEntry, &Stands),
        (question, catalog): (&str, &dyn Catalog),
        outcome: &mut AskOutcome,
    ) -> bool {
        // What is open shows in what was said since, not in what the answer cites.
        let may_have_changed =
            AskedActions::of(question, &[]).is_some() || self.period_told(question, catalog).is_some();
        if stands.is_stale() || may_have_changed {
            return false;
        }
        outcome.answer = stands.answer.clone();
        self.tell_drift_of(&mut outcome.answer);
        outcome.is_sure = true;
        outcome.consulted = self.page_consulted(&page.path, "filed").into_iter().collect();
        true
    }

    /// Says behind the sentences of a filed answer what became of the code that they name.
    fn tell_drift_of(&self, answer: &mut Answer) {
        let texts: Vec<&str> = answer.sentences.iter().map(|one| one.text.as_str()).collect();
        let marks = self.drift_marks(&texts);
        for (sentence, mark) in answer.sentences.iter_mut().zip(marks) {
            sentence.text = mark.map_or_else(|| sentence.text.clone(), |mark| said_behind(&sentence.text, &mark));
        }
    }

    /// Files an answer as a page; the page of the same question is renewed.
    ///
    /// # Errors
    /// When there is no answer, or the vault cannot be written.
    pub fn file_answer(&self, asked: &AskOutcome) -> Result<Filed, Failure> {
        if asked.is_abstained() {
            return Err(Failure::refused("there is no answer to file").hint("nothing was changed"));
        }
        let guard = self.lock("ask")?;
        let mut wiki = self.read_wiki()?;
        let records = self.answer_records()?;
        let known = question_key(&asked.question).and_then(|key| records.find(&key));
        let slug = match known {
            Some((slug, _)) => slug.clone(),
            None => self.new_slug(&asked.question, &records, &wiki)?,
        };
        let filed = self.filed(asked, known.map(|(_, filed)| filed));
        let path = self.answer_page(&slug);
        self.keep_hand_edits(&guard, &wiki, &path)?;
        let names = wiki_names(&wiki);
        let (text, _) =
            render_answer_page(&filed, &VaultLook::new(self, &|slug| names.get(slug).cloned(), BTreeMap::new()));
        let current = self.store.read(&path)?;
        may_replace(&wiki, &path, current.as_deref())?;
        let page = Basis::of(&path, current.as_deref()).replace(text.as_str());
        let mut edits = vec![records.basis(&slug).replace(write(&filed)), page];
        note_page(&mut wiki, &path, &text);
        self.plan_index(&wiki, &mut edits)?;
        self.apply(&guard, &Plan { edits, guards: Vec::new(), log: self.log_of(&filed, &path) })?;
        Ok(Filed { path, is_new: known.is_none() })
    }

    /// A name that no page and no other question has.
    fn new_slug(&self, question: &str, records: &Records, wiki: &Wiki) -> Result<Slug, Failure> {
        let full = Slug::from_text(question).ok_or_else(|| Failure::usage("there is no question in that"))?;
        let base = cut_slug(full.as_str());
        let is_taken = |slug: &Slug| {
            records.slugs.contains(slug)
                || wiki.entries().any(|entry| entry.slug == *slug || entry.names().contains(slug))
        };
        let numbered = (2..).map(|n| format!("{base}-{n}"));
        let free = std::iter::once(base.to_owned())
            .chain(numbered)
            .filter_map(|name| Slug::from_text(&name))
            .find(|slug| !is_taken(slug));
        Ok(free.expect("numbers do not end"))
    }

    /// What is kept of an answer; text of the vault goes through the scrubber like every other that is written.
    fn filed(&self, asked: &AskOutcome, before: Option<&FiledAnswer>) -> FiledAnswer {
        let clean = |text: &str| scrub(text).0.into_owned();
        let sentence = |one: &Sentence| {
            let mut sentence = Sentence { text: clean(&one.text), ..one.clone() };
            let refs = sentence.citations.iter_mut().flat_map(|citation| &mut citation.refs);
            refs.for_each(|cited: &mut SourceRef| cited.quote = ken_core::claim::quote(&clean(&cited.quote)));
            sentence
        };
        let consulted = asked.consulted.iter().filter(|one| !one.is_answer).map(|one| ConsultedRef {
            path: one.path.clone(),
            slug: one.slug.clone(),
            why: one.why.clone(),
            digest: one.digest.to_string(),
        });
        let today = self.clock.today();
        FiledAnswer {
            question: asked.question.clone(),
            asked_at: self.clock.now,
            day: today,
            first_day: before.map_or(today, |before| before.first_day),
            answer: Answer { sentences: asked.answer.sentences.iter().map(sentence).collect() },
            consulted: consulted.collect(),
            follow_ups: asked.follow_ups.clone(),
            model: asked.cost.model.clone(),
        }
    }

    /// Takes what a person wrote into the page to the journal before the page is written again.
    fn keep_hand_edits(&self, guard: &LockGuard, wiki: &Wiki, path: &VaultPath) -> Result<(), Failure> {
        let Some(file) = wiki.files.get(path).filter(|file| file.is_edited) else { return Ok(()) };
        let only = Wiki { files: BTreeMap::from([(path.clone(), file.clone())]), ..Wiki::default() };
        self.capture_edits(guard, &only).map(|_| ())
    }

    fn log_of(&self, filed: &FiledAnswer, path: &VaultPath) -> LogEntry {
        let link = |slug: &Slug| format!("[[{slug}]]");
        let place = |one: &ConsultedRef| one.slug.as_ref().map_or_else(|| one.path.to_string(), link);
        let consulted: Vec<String> = filed.consulted.iter().map(place).collect();
        let lines = vec![format!("Consulted: {}", consulted.join(", ")), format!("Filed to: {path}")];
        let inputs = filed.consulted.iter().filter_map(|one| Some((one.path.clone(), Digest::parse(&one.digest)?)));
        LogEntry {
            at: self.clock.now,
            kind: "ask".to_owned(),
            subject: filed.question.clone(),
            lines,
            inputs: inputs.collect(),
            public: true,
        }
    }
}

/// Which file a page stands in; filed answers aside.
pub(crate) fn wiki_names(wiki: &Wiki) -> BTreeMap<Slug, VaultPath> {
    let pages = wiki.pages().filter(|(_, sort)| !is_filed_answer(*sort));
    pages.map(|(path, _)| (page_slug(path), path.clone())).collect()
}

/// The first words of a slug that make a readable file name.
fn cut_slug(slug: &str) -> &str {
    if slug.len() <= SLUG_BYTES_MAX {
        return slug;
    }
    let end = (0..=SLUG_BYTES_MAX).rev().find(|at| slug.is_char_boundary(*at)).unwrap_or(0);
    let at_word = slug[..end].rfind('-').filter(|at| *at > SLUG_BYTES_MAX / 3);
    slug[..at_word.unwrap_or(end)].trim_end_matches('-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_are_cut_at_a_word() {
        let long = "why-does-the-oven-timer-read-the-monotonic-clock-on-every-single-tick";
        assert_eq!(cut_slug(long), "why-does-the-oven-timer-read-the-monotonic-clock-on-every");
        assert_eq!(cut_slug(&"é".repeat(50)).chars().count(), 30);
    }
}
