//! Which things a statement gives another name.
//!
//! Only the text is looked at: whether what is named so is a thing that has a page, and whether it is written as a name
//! anywhere, those decide who know all statements. Like a change, a new name is not taken from what asks, wishes, guesses
//! or reports.

use std::sync::LazyLock;

use regex::Regex;

use super::Said;
use super::cues::{Cue, Found};
use super::read::{self, Texts};
use super::unit::Unit;
use crate::language::{LEXICONS, Phrases, WordSet};
use crate::span::Span;
use crate::words::{fold, words};

/// A thing that was given another name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Renamed {
    /// What it was called.
    pub old: String,
    /// What it is called.
    pub new: String,
    /// Whether both are written as names here: with a capital or a mark of code. Other words may be written so elsewhere.
    pub is_written_so: bool,
}

impl Renamed {
    fn of(old: Name, new: Name) -> Renamed {
        Renamed { is_written_so: old.1 && new.1, old: old.0, new: new.0 }
    }
}

/// Longest name in words.
const NAME_WORDS_MAX: usize = 4;
/// Most small words between a name and the word that says it is a new one: `has been`.
const SMALL_WORDS_MAX: usize = 4;

/// Returns whether a text speaks of names at all: `Thornway, use that name from now on`. Whether it gives one, whoever reads it
/// has to say.
pub fn speaks_of_names(text: &str) -> bool {
    static NAMING: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(|lexicon| lexicon.changes.naming));
    let said: Vec<String> = words(text).into_iter().map(|word| fold(word.of(text))).collect();
    NAMING.are_in(&said)
}

/// Returns the things to which a statement gives another name: `Rye was renamed to Wheat`, `Wheat (formerly Rye)`.
pub fn renames(text: &str) -> Vec<Renamed> {
    if !may_rename(text) {
        return Vec::new();
    }
    let said = [Said::alone(text, None)];
    let plain = read::plain(&said);
    let texts = Texts::read(&said, &plain);
    let mut out = Vec::new();
    // What gets another name by the sentence before, which did not say which.
    let mut open: Option<Name> = None;
    for unit in &texts.units {
        let names = Names { texts: &texts, unit, source: text };
        let before = open.take();
        let (old, new) = names.renamed();
        // `Rye should be renamed to Wheat`
        let is_bid = unit.all(Cue::Renames).any(|found| names.stands_before(Cue::Must, found.start));
        if unit.is_unsure() || is_bid {
            open = old.or(new);
            continue;
        }
        out.extend(names.formerly());
        out.extend(names.known_as());
        match (old.or(before.filter(|_| new.is_some())), new) {
            (Some(old), Some(new)) => out.push(Renamed::of(old, new)),
            (one, other) => open = one.or(other),
        }
    }
    out.retain(|one| one.old.to_lowercase() != one.new.to_lowercase() && !says_what_it_is(text, &one.new));
    out.dedup();
    out
}

/// Whether what seems to be a name only says what something is: `Ada's shop calls itself a bakery`.
fn says_what_it_is(text: &str, new: &str) -> bool {
    static INDEFINITE: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.pages.indefinite));
    let is_one = |at: usize| text[..at].split_whitespace().next_back().is_some_and(|word| INDEFINITE.has(&fold(word)));
    !new.contains(char::is_uppercase) && text.match_indices(new).any(|(at, _)| is_one(at))
}

/// Whether a text has a word without which no statement gives a name: most texts have none.
fn may_rename(text: &str) -> bool {
    static WORDS: LazyLock<Regex> = LazyLock::new(|| {
        let phrases = LEXICONS.iter().flat_map(|lexicon| [lexicon.changes.renames, lexicon.changes.once]);
        let longest = |phrase: &str| {
            let words = phrase.split_whitespace().filter(|word| !word.starts_with('~'));
            words.max_by_key(|word| word.split('/').map(str::len).min()).map(str::to_owned)
        };
        let words = phrases.flat_map(|list| list.split('|')).filter_map(longest);
        let either = words.map(|word| {
            // A word without a star ends: `ex` is none of `example`.
            let pattern = |one: &str| match one.strip_suffix('*') {
                Some(begin) => regex::escape(begin),
                None => regex::escape(one) + r"(?:\b|_)",
            };
            word.split('/').map(pattern).collect::<Vec<_>>().join("|")
        });
        let either: Vec<String> = either.filter(|word| !word.is_empty()).collect();
        Regex::new(&format!(r"(?i)\b(?:{})", either.join("|"))).expect("a pattern of ours")
    });
    WORDS.is_match(text)
}

/// The names in a sentence.
struct Names<'n> {
    texts: &'n Texts<'n>,
    unit: &'n Unit<'n>,
    /// The statement as it is written.
    source: &'n str,
}

/// Where a name stands: its first word and the one behind its last.
type Place = (usize, usize);
/// A name, and whether it is written as one.
type Name = (String, bool);

impl Names<'_> {
    fn n(&self) -> usize {
        self.unit.tokens.len()
    }

    /// Whether a phrase of a kind stands before a word in its clause.
    fn stands_before(&self, cue: Cue, at: usize) -> bool {
        self.unit.all(cue).any(|found| found.end <= at && self.clause(found.start) == self.clause(at))
    }

    /// What gets another name, and which.
    fn renamed(&self) -> (Option<Name>, Option<Name>) {
        let unit = self.unit;
        let is_denied = |at: usize| self.stands_before(Cue::Not, at);
        let Some(found) = unit.all(Cue::Renames).find(|found| !is_denied(found.start)) else { return (None, None) };
        // `is called Wheat now`, `nennen Rye in Wheat um`: names stand inside.
        let inside = (found.start + 1..found.end - 1).find(|at| unit.tokens[*at].is_capital);
        let (from, to) = inside.map_or((found.end, self.n()), |first| (first, found.end - 1));
        if let Some((old, new)) = self.old_and_new(from, to) {
            return (Some(self.name(old)), Some(self.name(new)));
        }
        let before = self.name_before(found.start);
        // `wurde Rye in Wheat umbenannt`: both stand before it.
        if let Some((new, to)) = before.and_then(|new| Some((new, self.to_before(new.0)?)))
            && let Some(old) = self.name_before(to)
        {
            return (Some(self.name(old)), Some(self.name(new)));
        }
        let after = self.name_behind(from, to);
        let before = self.before_apposition(found.start).or(before.map(|name| self.with_adjectives(name)));
        let is_name = |name: &Name| name.1;
        let old = before.map(|name| self.name(name));
        // `The app is called Wheat from today, not Rye any more.`
        let denied = || after.and_then(|after| self.denied_behind(after.1)).map(|name| self.name(name)).filter(is_name);
        let old = old.clone().filter(is_name).or_else(denied).or(old);
        (old, after.map(|name| self.name(name)))
    }

    /// A thing that has no name, with the words before it that tell it from others: `The small oven is called Rye` says
    /// nothing of the oven.
    fn with_adjectives(&self, (first, end): Place) -> Place {
        if self.unit.tokens[first].is_capital || !self.unit.language.lexicon().changes.has_adjectives_before {
            return (first, end);
        }
        let tells = |at: &usize| self.is_part(*at) && self.between(*at + 1) == " ";
        let n = (0..first).rev().take(NAME_WORDS_MAX - 1).take_while(tells).count();
        (first - n, end)
    }

    /// The name before what is said of it between commas: `Rye, the old mill, is called …`.
    fn before_apposition(&self, at: usize) -> Option<Place> {
        let is_comma = |at: &usize| self.between(*at).trim_end() == ",";
        let end = (1..=at).rev().find(is_comma).filter(|end| (*end..at).all(|at| !self.is_part(at)))?;
        let first = (1..end).rev().find(is_comma)?;
        let is_said_of_it = self.texts.word(self.unit.tokens[first]).is_determiner;
        self.run_before(first).filter(|name| is_said_of_it && self.unit.tokens[name.0].is_capital)
    }

    /// The name that is denied behind a word: `not Rye any more`, `instead of Rye`.
    fn denied_behind(&self, from: usize) -> Option<Place> {
        let is_denial = |found: &&Found| matches!(found.cue, Cue::Not | Cue::Instead) && found.start >= from;
        let denial = self.unit.cues.iter().find(is_denial)?;
        self.name_behind(denial.end, self.n())
    }

    /// What stands between a word and the one before it.
    fn between(&self, at: usize) -> &str {
        let tokens = &self.unit.tokens;
        &self.unit.text[tokens[at - 1].span.end..tokens[at].span.start]
    }

    /// `Rye to Wheat`, beginning with the old name.
    fn old_and_new(&self, from: usize, to: usize) -> Option<(Place, Place)> {
        if self.is_to(from) {
            return None;
        }
        let old = self.name_behind(from, to)?;
        let new = self.name_behind(self.to_behind(old.1)?, to)?;
        Some((old, new))
    }

    /// `Wheat (formerly Rye)`, `Wheat, formerly known as Rye,`.
    fn formerly(&self) -> Vec<Renamed> {
        let unit = self.unit;
        let opens = |at: usize| at > 0 && matches!(self.between(at).trim(), "(" | ",");
        let closes = |end: usize| {
            let behind = unit.text[unit.tokens[end - 1].span.end..].trim_start_matches(['"', '”', '`', '»']);
            behind.is_empty() || behind.starts_with([')', ',', '.', ':'])
        };
        let found = unit.all(Cue::Once).filter(|found| opens(found.start));
        let pair = |found: &Found| {
            let old = self.run(found.end, self.n()).filter(|old| closes(old.1))?;
            let new = self.run_before(found.start)?;
            // Whose name stands behind something else is somebody in a place: `Owner: Ada (formerly Ben)`.
            let is_first = (0..new.0).all(|at| self.texts.word(unit.tokens[at]).is_determiner);
            is_first.then(|| Renamed::of(self.name(old), self.name(new)))
        };
        found.filter_map(pair).collect()
    }

    /// `The mill formerly known as Rye is now Wheat`.
    fn known_as(&self) -> Option<Renamed> {
        let said = self.unit.all(Cue::Once).find(|found| found.end - found.start > 1)?;
        let is = self.unit.all(Cue::Is).find(|found| found.start > said.end)?;
        let old = (said.end, is.start);
        let new = self.name_behind(is.end, self.n())?;
        let is_name = old.1 - old.0 <= NAME_WORDS_MAX && self.clause(old.0) == self.clause(new.0);
        Some(Renamed::of(self.name(old), self.name(new))).filter(|one| is_name && one.is_written_so)
    }

    fn clause(&self, at: usize) -> u16 {
        self.unit.tokens[at.min(self.n() - 1)].clause
    }

    fn is_to(&self, at: usize) -> bool {
        self.unit.all(Cue::To).any(|found| found.start == at)
    }

    /// The place behind a word that leads to the new name.
    fn to_behind(&self, at: usize) -> Option<usize> {
        self.unit.all(Cue::To).find(|found| found.start == at).map(|found| found.end)
    }

    /// The place of a word that leads to the new name before it.
    fn to_before(&self, at: usize) -> Option<usize> {
        self.unit.all(Cue::To).find(|found| found.end == at).map(|found| found.start)
    }

    /// Whether a word can be part of a name: no function word, number or day, and no word of change.
    fn is_part(&self, at: usize) -> bool {
        let word = self.texts.word(self.unit.tokens[at]);
        // Of a long phrase the first and the last word: a name may stand between.
        let is_of = |found: &Found| match found.cue {
            Cue::Renames => at == found.start || at + 1 == found.end,
            Cue::To | Cue::Once | Cue::Not => (found.start..found.end).contains(&at),
            _ => false,
        };
        let is_named = at > 0 && self.unit.tokens[at].is_capital && !word.is_calendar && !word.is_number;
        (word.is_content || is_named) && !self.unit.cues.iter().any(is_of)
    }

    /// The name that begins with a word: words with capitals, or what has no space in it.
    fn run(&self, at: usize, to: usize) -> Option<Place> {
        if at >= to || !self.is_part(at) {
            return None;
        }
        let n = 1 + (at + 1..to).take_while(|next| self.is_one_name(*next - 1)).count();
        (n <= NAME_WORDS_MAX).then(|| (at, at + n + usize::from(self.is_numbered(at + n))))
    }

    /// Whether a number tells what is named before a word from others: the name is `Room 2`, and nobody has the name `Room`.
    fn is_numbered(&self, end: usize) -> bool {
        let is_number = |at: usize| self.texts.word(self.unit.tokens[at]).is_number;
        end < self.n() && is_number(end) && self.between(end) == " " && self.unit.tokens[end - 1].is_capital
    }

    /// The name that ends before a word.
    fn run_before(&self, at: usize) -> Option<Place> {
        let end = at - usize::from(at > 1 && self.is_numbered(at - 1));
        let last = end.checked_sub(1).filter(|last| self.is_part(*last))?;
        let n = 1 + (0..last).rev().take_while(|before| self.is_one_name(*before)).count();
        (n <= NAME_WORDS_MAX).then_some((end - n, at))
    }

    /// The name before a word, small words aside.
    fn name_before(&self, to: usize) -> Option<Place> {
        let is_small = |at: &usize| {
            let is_of_name = self.is_part(*at) || *at > 0 && self.is_numbered(*at);
            !is_of_name && !self.is_to(*at) && self.clause(*at) == self.clause(to.saturating_sub(1))
        };
        let n_small = (0..to).rev().take(SMALL_WORDS_MAX).take_while(is_small).count();
        self.run_before(to - n_small)
    }

    /// The name behind a word, small words aside.
    fn name_behind(&self, from: usize, to: usize) -> Option<Place> {
        let is_small = |at: &usize| !self.is_part(*at) && self.clause(*at) == self.clause(from);
        let n_small = (from..to).take(SMALL_WORDS_MAX).take_while(is_small).count();
        self.run(from + n_small, to)
    }

    /// Whether a word and the next are of one name.
    fn is_one_name(&self, at: usize) -> bool {
        let tokens = &self.unit.tokens;
        let is_named = |at: usize| tokens[at].is_capital && self.is_part(at);
        match self.between(at + 1) {
            "-" | "." | "_" | "/" => true,
            " " | "’" | "'" | "&" | " & " => is_named(at) && is_named(at + 1),
            _ => false,
        }
    }

    /// What a name says, and whether it is written as one.
    fn name(&self, place: Place) -> Name {
        let text = self.text(place);
        let is_code = self.source.contains(&format!("`{text}")) || text.contains(['-', '_', '.', '/', ':']);
        let is_written_so = is_code || self.unit.tokens[place.0].is_capital;
        (text, is_written_so)
    }

    /// What a name says, with what belongs to its words without a space: `auth.rs`.
    fn text(&self, name: Place) -> String {
        let text = self.unit.text;
        let Span { start, .. } = self.unit.tokens[name.0].span;
        let Span { end, .. } = self.unit.tokens[name.1 - 1].span;
        let is_inside = |ch: char| ch.is_alphanumeric() || matches!(ch, '_' | '-' | '.' | '/');
        let start = text[..start]
            .rfind(|ch: char| !is_inside(ch))
            .map_or(0, |at| at + text[at..].chars().next().map_or(1, char::len_utf8));
        let end = text[end..].find(|ch: char| !is_inside(ch)).map_or(text.len(), |at| end + at);
        text[start..end].trim_matches(|ch: char| !ch.is_alphanumeric() && ch != '_').to_owned()
    }
}
