//! Words of a question that stand nowhere: what is searched for in their place.
//!
//! A question that has no such word costs nothing more than looking it up.

use ken_core::search::{Meant, Partition, Question, Speller};
use ken_search::{Forms, LookedUp, Shelf, Wanted};

use super::answer::Respelled;
use super::ask::Place;

/// A question with more words that stand nowhere and may be misspelt is about something else.
const UNKNOWN_MAX: usize = 2;
/// Passages of pages, and of evidence, that are read for how a term is written.
const PASSAGES_MAX: usize = 6;

/// The text of a passage.
pub(super) type TextOf<'a> = dyn FnMut(Place) -> Option<String> + 'a;

/// A question's words as an index has them.
pub(crate) struct Words<'a> {
    pub(super) looked_up: LookedUp<'a>,
    /// What was searched for in the place of what.
    pub(super) respelled: Vec<Respelled>,
}

impl<'a> Words<'a> {
    /// Looks up the words of a question, and what is nearest to those that stand nowhere.
    pub(crate) fn look_up(shelf: &'a Shelf, question: &mut Question, text: &mut TextOf<'_>) -> Words<'a> {
        let look_up = |question: &Question| {
            let forms: Vec<Forms> = question.words.iter().map(|word| word.forms.clone()).collect();
            shelf.look_up(&forms)
        };
        let looked_up = look_up(question);
        let frequencies = looked_up.frequencies();
        let languages = question.languages().to_vec();
        let unknown = (0..frequencies.len()).filter(|n| frequencies[*n].n_docs == 0);
        let spellers = unknown.filter_map(|n| Some((n, Speller::of(&question.words[n], &languages)?)));
        let spellers: Vec<(usize, Speller<'_>)> = spellers.collect();
        let mut respelled = Vec::new();
        if spellers.is_empty() || spellers.len() > UNKNOWN_MAX {
            return Words { looked_up, respelled };
        }
        for (n, mut speller) in spellers {
            for first in speller.first_letters() {
                shelf.each_term(&first, |term, n_docs| speller.compare(term, n_docs));
            }
            let mut meant = speller.candidates();
            meant.iter_mut().for_each(|one| hear(&speller, one, shelf, text));
            let meant = speller.nearest(meant);
            let is_likely = meant.first().is_some_and(|one| speller.is_likely(&one.word));
            if let Some(meant) = question.respell(n, meant, is_likely) {
                respelled.push(Respelled { asked: question.words[n].text.clone(), meant });
            }
        }
        let looked_up = if respelled.is_empty() { looked_up } else { look_up(question) };
        Words { looked_up, respelled }
    }
}

/// Reads how a term is written in some of the passages that have it.
fn hear(speller: &Speller<'_>, meant: &mut Meant, shelf: &Shelf, text: &mut TextOf<'_>) {
    let looked_up = shelf.look_up(&[vec![(meant.term.clone(), 1.0)]]);
    for partition in Partition::ALL {
        let wanted = Wanted { partition, weights: &[1.0], required: &[], banned: &[], each: true, n_max: PASSAGES_MAX };
        let is_alive = |segment: usize, doc: u32| shelf.members()[segment].is_alive(doc);
        for found in looked_up.best(&wanted, &is_alive, &mut |_, _, _| true) {
            let segment = &shelf.members()[found.segment].segment;
            let title = segment.doc(found.doc).map(|facts| facts.title);
            let heading = segment.passage(found.passage).map(|facts| facts.heading);
            let passage = text((found.segment, found.doc, found.passage));
            title.iter().chain(&heading).chain(&passage).for_each(|text| speller.hear(meant, text));
        }
    }
}
