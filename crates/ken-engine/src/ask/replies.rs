//! What was replied to a question or an offer that an answer repeats.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::VaultPath;
use ken_core::answer::{Citable, Citation, Consulted, Sentence, reply_to};
use ken_core::ground::stems;
use ken_core::talk::{Talk, parse_talk};

use super::consult::{Found, without_orders};
use super::look::line_citables;
use crate::engine::Engine;

/// Most replies of an answer, and characters of one: a reply begins with what settles.
const REPLIES_MAX: usize = 3;
const REPLY_CHARS: usize = 320;
/// The share of the words of the question that a sentence has, of what the one has that has most of them, from which on it is
/// about what is asked: what was said to the others is something else.
const ABOUT_PERCENT: usize = 70;
/// Fewest words of a reply, those that only join aside: `ok, do that first` tells nothing.
const REPLY_WORDS_MIN: usize = 5;

/// The talks of an answer, each read once.
type Talks = BTreeMap<VaultPath, Option<(Talk, String)>>;

impl Engine {
    /// Puts what was replied behind those sentences of an answer that ask or offer something and hold as much of the question
    /// as others do; `tell` notes of a sentence what became of it, and returns whether it may be given alone.
    pub(super) fn add_replies(
        &self,
        question: &str,
        found: &mut Found,
        tell: &dyn Fn(&VaultPath, &mut Citable) -> bool,
    ) {
        let asked = stems_of(question);
        let held = |one: &Sentence| stems_of(&one.text).intersection(&asked).count();
        let most = found.picked.sentences.iter().map(held).max().unwrap_or_default();
        let (mut talks, mut n_left, mut at) = (Talks::new(), REPLIES_MAX, 0);
        while at < found.picked.sentences.len() && n_left > 0 {
            let is_about = held(&found.picked.sentences[at]) * 100 >= most * ABOUT_PERCENT;
            let reply = if is_about { self.reply_at(found, at, &mut talks) } else { None };
            let next = reply.and_then(|reply| add(found, at, reply, tell));
            n_left -= usize::from(next.is_some());
            at = next.unwrap_or(at + 1);
        }
    }

    /// What was replied to one of the sentences, if that is not told already.
    fn reply_at(&self, found: &Found, at: usize, talks: &mut Talks) -> Option<Reply> {
        let [place] = found.picked.sentences[at].citations.as_slice() else { return None };
        if !place.path.is_under(self.layout().talk.as_str()) {
            return None;
        }
        let of = found.consulted.iter().position(|one| one.path == place.path && one.slug.is_none())?;
        let is_it = |citable: &&Citable| citable.lines == place.lines && citable.digest() == place.digest;
        let sentence = found.consulted[of].citables.iter().find(is_it)?;
        let read = || self.text_and_digest(&place.path).map(|(text, _)| (parse_talk(&text), text));
        let talk = talks.entry(place.path.clone()).or_insert_with(read);
        let (talk, text) = talk.as_ref()?;
        let lines = reply_to(text, talk, sentence)?;
        let is_told =
            |said: &Sentence| said.citations.iter().any(|cited| cited.path == place.path && is_in(cited, lines));
        if found.picked.sentences.iter().any(is_told) {
            return None;
        }
        Some(Reply { of, lines, citables: line_citables(&place.path, (text, false), lines) })
    }
}

/// What was replied.
struct Reply {
    /// Which of what was consulted it stands in.
    of: usize,
    /// Its first and last line.
    lines: (usize, usize),
    citables: Vec<Citable>,
}

fn is_in(cited: &Citation, (first, last): (usize, usize)) -> bool {
    (first..=last).contains(&cited.lines.0)
}

/// Adds the beginning of a reply behind all that is told before it; returns what comes next.
fn add(found: &mut Found, at: usize, reply: Reply, tell: &dyn Fn(&VaultPath, &mut Citable) -> bool) -> Option<usize> {
    let mut told = Consulted { citables: reply.citables, ..found.consulted[reply.of].clone() };
    let path = told.path.clone();
    told.citables.retain_mut(|one| tell(&path, one));
    found.n_withheld += without_orders(&mut told);
    let mut n_left = REPLY_CHARS;
    let fits = |one: &&Citable| {
        let n_chars = one.text.chars().count();
        let fits = n_chars <= n_left;
        n_left = n_left.saturating_sub(n_chars);
        fits
    };
    let n_said = told.citables.iter().take_while(fits).count();
    told.citables.truncate(n_said);
    if told.citables.iter().map(|one| stems(&one.text).len()).sum::<usize>() < REPLY_WORDS_MIN {
        return None;
    }
    let sentence = |one: &Citable| Sentence {
        text: one.text.clone(),
        is_superseded: one.is_superseded,
        citations: vec![told.cite(one)],
    };
    let said: Vec<Sentence> = told.citables.iter().map(sentence).collect();
    let is_before =
        |said: &&Sentence| said.citations.iter().all(|cited| cited.path == path && cited.lines.0 < reply.lines.0);
    let behind = at + found.picked.sentences[at..].iter().take_while(is_before).count();
    found.picked.sentences.splice(behind..behind, said);
    let known = &mut found.consulted[reply.of].citables;
    known.extend(told.citables.into_iter().filter(|one| !known.contains(one)).collect::<Vec<_>>());
    Some(behind + n_said)
}

fn stems_of(text: &str) -> BTreeSet<String> {
    stems(text).into_iter().map(|(_, stem)| stem).collect()
}
