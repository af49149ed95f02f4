//! One day's entry: which sentences go where.
//!
//! A sentence goes to one section only: decisions, then lessons, then actions, then exchanges. How long an
//! entry may be is nothing that is decided here: see `fit`.

use std::collections::BTreeSet;

use ken_core::journal::SectionKind;

use super::phrases::Phrases;
use super::request::{Said, context, is_substantive, request_sentences};
use super::sentence::{SENTENCE_CHARS_MAX, cut, first_that_fit, sentences};
use super::units::{Kind, Unit, units};

/// What stands before a request in an entry.
pub const ASKED: &str = "User asked: ";

/// Longest request, in characters.
const REQUEST_CHARS_MAX: usize = 240;

/// Most sentences kept of a conclusion.
const CONCLUSION_SENTENCES_MAX: usize = 3;

/// Tools that only keep the agent's own house.
const BOOKKEEPING_TOOLS: &[&str] = &[
    "TodoWrite",
    "TodoRead",
    "TaskCreate",
    "TaskUpdate",
    "TaskList",
    "TaskGet",
    "TaskOutput",
    "BashOutput",
    "ToolSearch",
    "EnterPlanMode",
    "ExitPlanMode",
    "mcp__ide__getDiagnostics",
];

/// A line and how much it tells; requests are worth more than any sentence.
struct Bullet {
    text: String,
    score: i32,
}

/// Returns the sections of a day, or `None` when nothing was said that could stand in one.
pub(super) fn sections(said: &[Said], events: &[String]) -> Option<Vec<(SectionKind, Vec<String>)>> {
    if said.is_empty() {
        return None;
    }
    let context = context(said);
    let mut collected = Collected::new(&context);
    let mut turns = said.iter().peekable();
    let mut spoken: Vec<&str> = Vec::new();
    while let Some(turn) = turns.next() {
        if turn.is_user {
            collected.request(&turn.text);
        } else {
            spoken.push(&turn.text);
        }
        if turns.peek().is_none_or(|next| next.is_user) {
            collected.answer(&spoken);
            spoken.clear();
        }
    }
    let texts = |bullets: Vec<Bullet>| bullets.into_iter().map(|bullet| bullet.text).collect();
    let all = [
        (SectionKind::Context, context.into_iter().collect()),
        (SectionKind::KeyExchanges, texts(collected.exchanges)),
        (SectionKind::DecisionsMade, texts(collected.decisions)),
        (SectionKind::LessonsLearned, texts(collected.lessons)),
        (SectionKind::ActionItems, texts(collected.actions)),
        (SectionKind::Events, listed(events)),
    ];
    let filled: Vec<(SectionKind, Vec<String>)> = all.into_iter().filter(|(_, lines)| !lines.is_empty()).collect();
    let says_something = filled.iter().any(|(kind, _)| *kind != SectionKind::Events);
    says_something.then_some(filled)
}

/// Returns the events that an entry lists, one by one.
pub(super) fn listed(events: &[String]) -> Vec<String> {
    events.iter().filter(|event| !is_bookkeeping(event)).cloned().collect()
}

/// The agent's own lists and searches for tools change nothing that anybody would look up.
fn is_bookkeeping(event: &str) -> bool {
    let tool = event.split(' ').next().unwrap_or("");
    BOOKKEEPING_TOOLS.contains(&tool)
}

/// What was found so far.
struct Collected {
    exchanges: Vec<Bullet>,
    decisions: Vec<Bullet>,
    lessons: Vec<Bullet>,
    actions: Vec<Bullet>,
    /// What stands somewhere already, in lower case without punctuation.
    seen: BTreeSet<String>,
    context: String,
    phrases: &'static Phrases,
}

impl Collected {
    fn new(context: &Option<String>) -> Collected {
        Collected {
            exchanges: Vec::new(),
            decisions: Vec::new(),
            lessons: Vec::new(),
            actions: Vec::new(),
            seen: BTreeSet::new(),
            context: context.clone().unwrap_or_default(),
            phrases: Phrases::get(),
        }
    }

    /// Takes a sentence once; returns whether it was new.
    fn is_new(&mut self, sentence: &str) -> bool {
        let key: String = sentence.to_lowercase().chars().filter(|ch| ch.is_alphanumeric()).collect();
        !key.is_empty() && self.seen.insert(key)
    }

    fn request(&mut self, text: &str) {
        if !is_substantive(text) {
            return;
        }
        let sentences = request_sentences(text);
        let mut rest = Vec::new();
        for (at, sentence) in sentences.iter().enumerate() {
            // What is pasted further down is somebody else's decision.
            if at < 6 && sentence.chars().count() <= SENTENCE_CHARS_MAX && self.phrases.is_decision(sentence) {
                if self.is_new(sentence) {
                    self.decisions.push(Bullet { text: sentence.clone(), score: 10 });
                }
            } else if !self.is_in_context(sentence) {
                rest.push(sentence.clone());
            }
        }
        let asked = first_that_fit(&rest, 3, REQUEST_CHARS_MAX);
        if !asked.is_empty() && self.is_new(&asked) {
            self.exchanges.push(Bullet { text: format!("{ASKED}{asked}"), score: 10 });
        }
    }

    fn is_in_context(&self, sentence: &str) -> bool {
        let cut_short = self.context.strip_suffix('…');
        self.context.contains(sentence) || cut_short.is_some_and(|context| sentence.starts_with(context))
    }

    /// Sorts what the agent said between two requests; its last words are the conclusion.
    fn answer(&mut self, spoken: &[&str]) {
        let Some((conclusion, earlier)) = spoken.split_last() else { return };
        for text in earlier {
            for unit in units(text).iter().filter(|unit| unit.kind == Kind::Prose) {
                for sentence in sentences(&unit.text) {
                    if self.is_usable(sentence) && self.phrases.is_decision(sentence) && self.is_new(sentence) {
                        self.decisions.push(bullet(sentence, 5));
                    }
                }
            }
        }
        let mut candidates = Vec::new();
        for unit in units(conclusion) {
            self.conclude(&unit, &mut candidates);
        }
        let mut order: Vec<usize> = (0..candidates.len()).filter(|at| candidates[*at].score >= 2).collect();
        order.sort_by_key(|at| std::cmp::Reverse(candidates[*at].score));
        let kept: BTreeSet<usize> = order.into_iter().take(CONCLUSION_SENTENCES_MAX).collect();
        for (at, candidate) in candidates.into_iter().enumerate() {
            if kept.contains(&at) && self.is_new(&candidate.text) {
                self.exchanges.push(candidate);
            }
        }
    }

    fn conclude(&mut self, unit: &Unit, candidates: &mut Vec<Bullet>) {
        let is_action =
            unit.kind == Kind::OpenItem || unit.kind == Kind::Item && self.phrases.is_action_heading(&unit.under);
        if is_action {
            if self.is_new(&unit.text) {
                self.actions.push(bullet(&unit.text, 5));
            }
            return;
        }
        if unit.kind == Kind::Heading {
            return;
        }
        for (at, sentence) in sentences(&unit.text).into_iter().enumerate() {
            let sentence = self.phrases.without_opener(sentence);
            // A line that leads to a list counts when it says by itself what was done.
            let sentence = sentence.strip_suffix(':').filter(|led| self.phrases.is_complete(led)).unwrap_or(sentence);
            if !self.is_usable(sentence) {
                continue;
            }
            let form = match unit.kind {
                Kind::Prose => 1 + i32::from(at == 0),
                Kind::Row => -3,
                _ => -2,
            };
            let score = self.phrases.telling(sentence) + form;
            // Under a telling heading prose counts as it says; the items of a list may be mere names.
            let under = unit.under.as_str();
            let is_said = unit.kind == Kind::Prose || score >= 2;
            if !is_said {
                candidates.push(bullet(sentence, score));
            } else if self.phrases.is_decision(sentence) || self.phrases.is_decision_heading(under) {
                self.keep(sentence, score, |all| &mut all.decisions);
            } else if self.phrases.is_lesson(sentence) || self.phrases.is_lesson_heading(under) {
                self.keep(sentence, score, |all| &mut all.lessons);
            } else if self.phrases.is_action(sentence) || self.phrases.is_action_heading(under) {
                self.keep(sentence, score, |all| &mut all.actions);
            } else {
                candidates.push(bullet(sentence, score));
            }
        }
    }

    fn keep(&mut self, sentence: &str, score: i32, section: fn(&mut Collected) -> &mut Vec<Bullet>) {
        if self.is_new(sentence) {
            section(self).push(bullet(sentence, score));
        }
    }

    /// Whole, about the matter, and more than a remark.
    fn is_usable(&self, sentence: &str) -> bool {
        let n_words = sentence.split_whitespace().filter(|word| word.chars().any(char::is_alphabetic)).count();
        n_words >= 3 && !sentence.ends_with([':', '?']) && !self.phrases.is_narration(sentence)
    }
}

fn bullet(sentence: &str, score: i32) -> Bullet {
    Bullet { text: cut(sentence, SENTENCE_CHARS_MAX), score }
}
