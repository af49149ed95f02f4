//! Which words of a question stand beside each other in a text.

use indexmap::IndexMap;

use super::Question;
use crate::search::tokens::{TokenKind, runs, with_terms};

/// Looks for the pairs of a question in texts, and remembers the runs it met: passages share most of them.
#[derive(Debug)]
pub struct Neighbours<'q> {
    question: &'q Question,
    /// Per run: its words, as positions in the question where they are asked for.
    known: IndexMap<String, Box<[Option<usize>]>>,
}

impl<'q> Neighbours<'q> {
    /// Returns what looks for the pairs of a question.
    pub fn new(question: &'q Question) -> Neighbours<'q> {
        Neighbours { question, known: IndexMap::new() }
    }

    /// Returns which pairs follow each other in a text, with at most one word, function words aside, in
    /// between.
    pub fn find(&mut self, text: &str) -> Vec<bool> {
        let mut found = vec![false; self.question.pairs.len()];
        // The two words before, the nearer one first.
        let mut before = [None, None];
        for (_, run) in runs(text) {
            if !self.known.contains_key(run) {
                let words = self.question.positions(run);
                self.known.insert(run.to_owned(), words);
            }
            for word in &self.known[run] {
                if let Some(word) = *word {
                    for (n, (a, b)) in self.question.pairs.iter().enumerate() {
                        found[n] |= *b == word && before.contains(&Some(*a));
                    }
                }
                before = [*word, before[0]];
            }
        }
        found
    }
}

impl Question {
    /// The words of a run that are no function words, as positions where they are asked for.
    fn positions(&self, run: &str) -> Box<[Option<usize>]> {
        let asked = |term: &str| self.words.iter().position(|word| word.forms.iter().any(|(form, _)| form == term));
        let mut out: Vec<Option<usize>> = Vec::new();
        for language in &self.languages {
            with_terms(run, *language, |terms| {
                for (n, part) in terms.iter().filter(|one| one.kind == TokenKind::Part).enumerate() {
                    match out.get_mut(n) {
                        Some(known) => *known = known.or(asked(&part.term)),
                        None => out.push(asked(&part.term)),
                    }
                }
            });
        }
        out.into_boxed_slice()
    }
}
