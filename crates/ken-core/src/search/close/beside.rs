//! What a unit counts for those beside it: the answer behind a question, the code behind its sentence, the reply in a
//! conversation.

use super::FoundDoc;
use crate::page::outline::{label_of_footnote, mark_of};
use crate::search::cut::BETWEEN;
use crate::talk::Speaker;

/// What a unit gives to the next one, and to the one before.
const TO_NEXT: f32 = 0.35;
const TO_LAST: f32 = 0.25;
/// What is given across a heading or a turn.
const ACROSS: f32 = 0.5;
/// In a conversation messages are short and belong together.
///
/// The figures of talk were chosen on 121 questions of five sets of `bench/talks`: contexts of 500 tokens have 57 of them right
/// and clean, 52 where turns count as sections; of 1,500 tokens 85, and 80 (`bench/talks.py` takes more for outdated, and
/// counts 55 and 81).
struct Exchange {
    /// What one message gives to another's, against what is given elsewhere.
    between: f32,
    /// What one that asks gives to the next, and how much of the one before it that passes on: `What was it then?` says
    /// nothing of what was asked before, and is answered with it.
    to_answer: f32,
    passed_on: f32,
}
const CHAT: Exchange = Exchange { between: 1.4, to_answer: 0.8, passed_on: 0.0 };
const TALK: Exchange = Exchange { between: 0.8, to_answer: 0.6, passed_on: 0.5 };
/// What an agent's turn gives to all of the person's behind it, where work was done: `Shall I use a lock or a queue?` is answered
/// in words of its own, with the reason.
///
/// Of 206 questions of five sets, two of which were written afterwards, contexts of 1,500 tokens have 157 right without, 160
/// to 164 from 0.3 to 0.9 on. In chats, where nothing was done, the next turn is the next question: 121 of `bench/talks` fall
/// from 90 to 86.
const REPLY: f32 = 0.8;
/// Talk is a conversation where at least this share of its units are whole turns.
const SHORT_TURNS: f32 = 2.0 / 3.0;

/// The units of a document, as far as they are messages of somebody.
pub(super) struct Beside<'d> {
    doc: &'d FoundDoc<'d>,
    /// Who speaks, where a unit is one message: the name in a chat, the role in talk.
    speakers: Vec<&'d str>,
    exchange: Exchange,
    /// The units that each one replies to, first and last; none where nothing was done.
    replied: Vec<Option<(usize, usize)>>,
    /// The unit that each footnote belongs to.
    marked: Vec<Option<usize>>,
}

impl<'d> Beside<'d> {
    pub(super) fn of(doc: &'d FoundDoc<'d>) -> Beside<'d> {
        let marked = marked(doc);
        if doc.units.iter().any(|(unit, _)| !unit.speaker.is_empty()) {
            let speakers = doc.units.iter().map(|(unit, _)| unit.speaker.as_str()).collect();
            return Beside { doc, speakers, exchange: CHAT, replied: Vec::new(), marked };
        }
        // What is longer than a unit hangs together by itself.
        let section = |n: usize| doc.units.get(n).map(|(unit, _)| unit.section);
        let is_whole = |n: usize| section(n) != section(n + 1) && (n == 0 || section(n - 1) != section(n));
        let role = |n: usize| role(doc.units[n].1).map_or("", Speaker::as_str);
        let speakers = (0..doc.units.len()).map(|n| if is_whole(n) { role(n) } else { "" }).collect();
        let replied = if is_session(doc) { replied(doc) } else { Vec::new() };
        Beside { doc, speakers, exchange: TALK, replied, marked }
    }

    /// Whether it is the talk of a session in which something was done.
    pub(super) fn is_session(&self) -> bool {
        !self.replied.is_empty()
    }

    /// Whether it is talk of short turns: its title is that of its beginning, and says little of what comes later.
    pub(super) fn is_small_talk(&self) -> bool {
        let is_talk = self.doc.units.iter().all(|(unit, _)| unit.speaker.is_empty());
        let n_turns = self.speakers.iter().filter(|speaker| !speaker.is_empty()).count();
        is_talk && n_turns as f32 >= SHORT_TURNS * self.doc.units.len() as f32
    }

    /// Returns what a unit is given by those beside it, which have so much themselves.
    pub(super) fn given(&self, n: usize, own: &[f32]) -> f32 {
        let last = if n > 0 { self.gives((n - 1, n), TO_NEXT, own) } else { 0.0 };
        let last = last.max(REPLY * self.replied_to(n, own).map_or(0.0, |to| own[to]));
        let last = last.max(TO_NEXT * self.marked[n].map_or(0.0, |to| own[to]));
        let next = if n + 1 < own.len() { self.gives((n + 1, n), TO_LAST, own) } else { 0.0 };
        last + next
    }

    /// Returns the unit that one replies to: the one of the agent's turn before it that has most itself.
    pub(super) fn replied_to(&self, n: usize, own: &[f32]) -> Option<usize> {
        let (first, last) = self.replied.get(n).copied().flatten()?;
        (first..=last).rev().max_by(|a, b| own[*a].total_cmp(&own[*b]))
    }

    /// Returns the unit that a footnote belongs to.
    pub(super) fn footnote_to(&self, n: usize) -> Option<usize> {
        self.marked[n]
    }

    fn gives(&self, (from, to): (usize, usize), share: f32, own: &[f32]) -> f32 {
        let (a, b) = (self.doc.units[from].0, self.doc.units[to].0);
        let (speaks, other) = (self.speakers[from], self.speakers[to]);
        if speaks == other || speaks.is_empty() || other.is_empty() {
            let apart = if a.section == b.section { 1.0 } else { ACROSS };
            return share * apart * own[from];
        }
        let asks = from < to && a.span.of(self.doc.text).trim_end().ends_with(['?', '？']);
        if !asks {
            return share * self.exchange.between * own[from];
        }
        let before = if from > 0 { self.exchange.passed_on * own[from - 1] } else { 0.0 };
        self.exchange.to_answer * (own[from] + before)
    }
}

/// The unit that each footnote belongs to: the first one that has the mark of its label.
fn marked(doc: &FoundDoc<'_>) -> Vec<Option<usize>> {
    let spans = || doc.units.iter().map(|(unit, _)| unit.span);
    let to = |n: usize, start: usize| {
        let mark = mark_of(label_of_footnote(doc.text, start)?);
        spans().enumerate().position(|(other, span)| other != n && span.of(doc.text).contains(&mark))
    };
    spans().enumerate().map(|(n, span)| to(n, span.start)).collect()
}

/// Who speaks under a path of headings.
fn role(heading: &str) -> Option<Speaker> {
    heading.rsplit(BETWEEN).find_map(Speaker::of_heading)
}

/// Whether it is the talk of a session in which something was done.
pub(super) fn is_session(doc: &FoundDoc<'_>) -> bool {
    doc.units.iter().any(|(unit, heading)| unit.is_event && role(heading).is_some())
}

/// What each unit of a person's turn replies to: what the agent said in the turn before, first and last unit.
fn replied(doc: &FoundDoc<'_>) -> Vec<Option<(usize, usize)>> {
    let mut out = Vec::with_capacity(doc.units.len());
    let (mut said, mut replied) = (None, None);
    let mut section = None;
    for (n, (unit, heading)) in doc.units.iter().enumerate() {
        let role = role(heading);
        if section.replace(unit.section) != Some(unit.section) {
            replied = said.take().filter(|_| role == Some(Speaker::User));
        }
        if role == Some(Speaker::Agent) && !unit.is_event {
            said = Some((said.map_or(n, |(first, _)| first), n));
        }
        out.push(replied);
    }
    out
}
