//! What was replied to a question or an offer that an answer repeats.

use ken_core::VaultPath;
use ken_core::answer::{Citable, Sentence, reply_to};
use ken_core::talk::parse_talk;

use super::consult::{Found, without_orders};
use super::look::line_citables;
use crate::engine::Engine;

/// Most replies of an answer, and characters of one: a reply begins with what settles.
const REPLIES_MAX: usize = 3;
const REPLY_CHARS: usize = 320;

impl Engine {
    /// Puts what was replied behind the sentences of an answer that ask or offer something; `tell` notes of a sentence what
    /// became of it.
    pub(super) fn add_replies(&self, found: &mut Found, tell: &dyn Fn(&VaultPath, &mut Citable)) {
        let mut n_left = REPLIES_MAX;
        // A reply may ask, too; what was found comes first.
        for _ in 0..REPLIES_MAX {
            let n_before = n_left;
            let mut at = 0;
            while at < found.picked.sentences.len() && n_left > 0 {
                let next = self.add_reply(found, at, tell);
                n_left -= usize::from(next.is_some());
                at = next.unwrap_or(at + 1);
            }
            if n_left == n_before {
                return;
            }
        }
    }

    /// Adds the reply to one of the sentences, behind all that is told before it; returns what is next.
    fn add_reply(&self, found: &mut Found, at: usize, tell: &dyn Fn(&VaultPath, &mut Citable)) -> Option<usize> {
        let [place] = found.picked.sentences[at].citations.as_slice() else { return None };
        let place = place.clone();
        if !place.path.is_under(self.layout().talk.as_str()) {
            return None;
        }
        let one = found.consulted.iter().position(|one| one.path == place.path && one.slug.is_none())?;
        let is_it = |citable: &&Citable| citable.lines == place.lines && citable.digest() == place.digest;
        let sentence = found.consulted[one].citables.iter().find(is_it)?;
        let (text, _) = self.text_and_digest(&place.path)?;
        let (first, last) = reply_to(&text, &parse_talk(&text), sentence)?;
        let is_here = |said: &Sentence| said.citations.iter().all(|cited| cited.path == place.path);
        let is_reply = |said: &Sentence| said.citations.iter().any(|cited| (first..=last).contains(&cited.lines.0));
        if found.picked.sentences.iter().any(|said| is_here(said) && is_reply(said)) {
            return None;
        }
        let mut reply = found.consulted[one].clone();
        reply.citables = line_citables(&place.path, (&text, false), (first, last));
        reply.citables.iter_mut().for_each(|citable| tell(&place.path, citable));
        found.n_withheld += without_orders(&mut reply);
        let mut n_left = REPLY_CHARS;
        let fits = |citable: &&Citable| {
            let n_chars = citable.text.chars().count();
            let fits = n_chars <= n_left;
            n_left = n_left.saturating_sub(n_chars);
            fits
        };
        let said: Vec<Sentence> = reply.citables.iter().take_while(fits).map(|one| sentence_of(&reply, one)).collect();
        let n_before = |said: &Sentence| is_here(said) && said.citations.iter().all(|cited| cited.lines.0 < first);
        let behind = at + found.picked.sentences[at..].iter().take_while(|said| n_before(said)).count();
        let n_said = said.len();
        found.picked.sentences.splice(behind..behind, said);
        let known = &mut found.consulted[one].citables;
        reply.citables.truncate(n_said);
        reply.citables.retain(|citable| !known.contains(citable));
        known.extend(reply.citables);
        (n_said > 0).then_some(behind + n_said)
    }
}

fn sentence_of(of: &ken_core::answer::Consulted, citable: &Citable) -> Sentence {
    Sentence { text: citable.text.clone(), is_superseded: citable.is_superseded, citations: vec![of.cite(citable)] }
}
