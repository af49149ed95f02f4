//! Which questions found nothing, and on which days pages answered.
//!
//! A small note in this vault's cache, sealed, never in git: a question as it was asked, cleaned, and of one that was
//! answered only the names of the pages. `questions = false` notes nothing and takes away what there is; what is
//! forgotten takes the note with it where it holds something of it.

use std::collections::BTreeMap;

use ken_core::page::page_slug;
use ken_core::text::{cut, one_line};
use ken_core::words::{folded_words, is_stop};
use ken_core::{Date, Slug, VaultPath};
use ken_intake::scrub::scrub;
use serde::{Deserialize, Serialize};

use crate::engine::Engine;

/// The file in the cache.
const FILE: &str = "questions.json";
/// Most questions that are kept, the newest.
const MISSED_MAX: usize = 200;
/// Most pages that are kept, those asked for last.
const PAGES_MAX: usize = 2_000;
/// Most characters of a question.
const CHARS_MAX: usize = 200;
/// Pages of one answer that count as asked for: those behind come along.
const OF_ANSWER_MAX: usize = 3;

/// What is kept.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Asked {
    /// The day from which on it is kept.
    #[serde(default)]
    pub(super) since: Option<Date>,
    /// Questions that found nothing.
    #[serde(default)]
    pub(super) missed: Vec<Missed>,
    /// When pages answered, by slug.
    #[serde(default)]
    pub(super) pages: BTreeMap<String, Answered>,
}

/// A question that found nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Missed {
    /// As it was asked last.
    pub(super) question: String,
    /// How often.
    pub(super) n_times: usize,
    /// When last.
    pub(super) last: Date,
}

/// When a page answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Answered {
    /// On how many days.
    pub(super) n_days: usize,
    /// When last.
    pub(super) last: Date,
}

/// The words of a question by which it is known again.
fn key(question: &str) -> Vec<String> {
    folded_words(question).into_iter().filter(|word| !is_stop(word)).collect()
}

impl Asked {
    /// Notes a question; returns whether anything is otherwise than before.
    fn note(&mut self, question: &str, pages: &[Slug], today: Date) -> bool {
        let before = self.clone();
        self.since.get_or_insert(today);
        for slug in pages.iter().take(OF_ANSWER_MAX) {
            let one = self.pages.entry(slug.to_string()).or_insert(Answered { n_days: 0, last: today });
            one.n_days += usize::from(one.n_days == 0 || one.last != today);
            one.last = one.last.max(today);
        }
        let own = key(question);
        if pages.is_empty() && !own.is_empty() {
            let known = self.missed.iter().position(|one| key(&one.question) == own);
            let n_times = known.map_or(1, |n| self.missed.remove(n).n_times.saturating_add(1));
            self.missed.push(Missed { question: question.to_owned(), n_times, last: today });
        }
        let n_over = self.missed.len().saturating_sub(MISSED_MAX);
        self.missed.drain(..n_over);
        while self.pages.len() > PAGES_MAX {
            let oldest = self.pages.iter().min_by_key(|(slug, one)| (one.last, (*slug).clone()));
            let Some(oldest) = oldest.map(|(slug, _)| slug.clone()) else { break };
            self.pages.remove(&oldest);
        }
        *self != before
    }
}

impl Engine {
    /// Notes that somebody asked: which pages answered, or that none did. A question about another day than today, and
    /// one that goes on from others, says nothing by itself.
    pub fn note_question(&self, question: &str, pages: &[Slug]) {
        if !self.config.keeps_questions || self.is_of_then() || !self.thread.is_empty() {
            return;
        }
        let question = cut(&one_line(&scrub(question).0), CHARS_MAX);
        let mut asked = self.asked();
        if asked.note(&question, pages, self.clock.today()) {
            self.keep_asked_for(&asked);
        }
    }

    /// The same by the files that answered, the best first: pages among them.
    pub fn note_question_of<'p>(&self, question: &str, abstained: bool, files: impl Iterator<Item = &'p VaultPath>) {
        let pages = files.filter(|path| self.layout().is_page(path)).map(page_slug);
        let pages: Vec<Slug> = if abstained { Vec::new() } else { pages.take(OF_ANSWER_MAX).collect() };
        // What the journal alone answers was answered, and by no page.
        if abstained || !pages.is_empty() {
            self.note_question(question, &pages);
        }
    }

    /// What is known of questions; what does not read is nothing.
    pub(super) fn asked(&self) -> Asked {
        self.store.read_cache(FILE).and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
    }

    /// Begins to note questions, or takes away what was noted, as the configuration has it.
    pub(super) fn begin_noting(&self) {
        if !self.config.keeps_questions {
            self.store.remove_cache(|name| name == FILE);
            return;
        }
        let mut asked = self.asked();
        if asked.since.is_none() {
            asked.since = Some(self.clock.today());
            self.keep_asked_for(&asked);
        }
    }

    fn keep_asked_for(&self, asked: &Asked) {
        if let Ok(bytes) = serde_json::to_vec(asked) {
            // A vault that cannot be written to keeps nobody from asking.
            let _ = self.store.write_cache(FILE, bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> Date {
        text.parse().expect("a day")
    }

    #[test]
    fn a_question_is_known_again_by_its_words() {
        let mut asked = Asked::default();
        assert!(asked.note("Where is the vent cap?", &[], day("2026-04-01")));
        asked.note("where's the vent cap", &[], day("2026-04-02"));
        asked.note("what is it?", &[], day("2026-04-02"));
        let shown: Vec<_> = asked.missed.iter().map(|one| (one.question.as_str(), one.n_times)).collect();
        assert_eq!(shown, [("where's the vent cap", 2)]);
    }

    #[test]
    fn of_an_answer_only_its_pages_are_kept_a_day_once() {
        let mut asked = Asked::default();
        let pages = [Slug::from_text("oven").expect("a slug")];
        assert!(asked.note("how hot is the oven?", &pages, day("2026-04-01")));
        assert!(!asked.note("how hot is the oven now?", &pages, day("2026-04-01")), "nothing is written");
        asked.note("oven?", &pages, day("2026-04-03"));
        assert_eq!(asked.pages["oven"], Answered { n_days: 2, last: day("2026-04-03") });
        assert_eq!(asked.missed, []);
    }

    #[test]
    fn what_is_kept_is_bounded() {
        let mut asked = Asked::default();
        for n in 0..3_000 {
            asked.note(&format!("question number {n}"), &[], day("2026-04-01"));
        }
        assert_eq!(asked.missed.len(), MISSED_MAX);
        for n in 0..PAGES_MAX + 5 {
            asked.note("x", &[Slug::from_text(&format!("page-{n}")).expect("a slug")], day("2026-04-01"));
        }
        assert_eq!(asked.pages.len(), PAGES_MAX);
    }
}
