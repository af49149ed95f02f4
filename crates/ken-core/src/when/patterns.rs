//! Finds the phrases of every language in a text.
//!
//! The phrases are read once, into a table by their first word. From left to right, the longest phrase
//! that matches takes its tokens; how many are tried at a token does not depend on the text. Tokens are looked up once, so
//! that words are compared by their places in the table.
//!
//! Long because the table, its slots and what fills them know each other.

use std::sync::{LazyLock, OnceLock};

use indexmap::IndexMap;

use super::calendar::{Found, Now, Slots, resolve};
use super::numbers;
use super::phrase::{Count, Dates, Op, Says, Unit};
use super::shared;
use super::tokens::{Gap, Kind, Token, tokens};
use crate::language::WordSet;

static VERBS: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.dates.verbs));
static ACCENTED: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.dates.accented));

/// A phrase that was found: its tokens, from first to one past the last.
#[derive(Debug, Clone, Copy)]
pub(super) struct Atom {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) what: What,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum What {
    Dates(Found),
    Op(Op),
}

/// What a word of the lists means.
#[derive(Debug, Clone, Copy)]
enum Meaning {
    Month(u32),
    Weekday(i32),
    Unit(Unit),
    Count(Count),
    BeforeNoun(i32),
    BehindNoun(i32),
}

/// A word of the lists, with the words that follow it in its entry.
#[derive(Debug)]
struct Entry {
    rest: Vec<Token>,
    meaning: Meaning,
    is_weak: bool,
    /// The bit of its language.
    language: u32,
    /// Its letters need their accents.
    needs_accents: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Slot {
    Count,
    Unit,
    LongUnit,
    BeforeNoun,
    BehindNoun,
    Month,
    Weekday,
    HanWeekday,
    Day,
    MonthNumber,
    Year,
    Quarter,
    Number,
}

/// How an element of a phrase is joined to the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Join {
    Touching,
    Spaced,
    Comma,
    Stop,
    Hyphen,
    Dash,
    Slash,
}

#[derive(Debug, Clone)]
enum Element {
    Word(String),
    Slot(Slot),
}

/// An element whose word is known by its place among those of the lists.
#[derive(Debug, Clone, Copy)]
enum Piece {
    Word(usize),
    Slot(Slot),
}

/// The place of a token that no list has.
const UNLISTED: usize = usize::MAX;

/// Tokens, each with the place of its text among the words of the lists.
#[derive(Clone, Copy)]
struct Looked<'t> {
    tokens: &'t [Token],
    places: &'t [usize],
}

#[derive(Debug)]
struct Pattern {
    elements: Vec<(Join, Piece)>,
    says: Says,
    is_guess: bool,
    /// The bit of the language whose words may fill its slots, or all.
    languages: u32,
}

/// What the lists have of one word: its entries, and the phrases that begin with it.
#[derive(Debug, Default)]
struct Listed {
    entries: Vec<Entry>,
    patterns: Vec<usize>,
}

#[derive(Debug, Default)]
struct Table {
    words: IndexMap<String, Listed>,
    patterns: Vec<Pattern>,
    by_slot: Vec<(Slot, usize)>,
    /// Whether a word of this hash is in the lists; most words of a text are not, and are passed over.
    known: Vec<bool>,
}

/// How many hashes there are: a few times the words of the lists.
const HASHES: usize = 1 << 14;

/// Returns a small hash of a word.
fn hash(word: &str) -> usize {
    word.bytes().fold(0usize, |hash, byte| hash.wrapping_mul(31).wrapping_add(usize::from(byte))) % HASHES
}

/// Returns the phrases of a text in order; no two overlap.
pub(super) fn atoms(tokens: &[Token], now: Now) -> Vec<Atom> {
    static TABLE: OnceLock<Table> = OnceLock::new();
    let table = TABLE.get_or_init(Table::new);
    let places: Vec<usize> = tokens.iter().map(|token| table.place(&token.text)).collect();
    let looked = Looked { tokens, places: &places };
    let mut out: Vec<Atom> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let before = out.last().filter(|atom| atom.end == at);
        let behind_part = before.is_some_and(|atom| matches!(atom.what, What::Op(Op::Part(_))));
        if !may_start(tokens, at, behind_part) {
            at += 1;
            continue;
        }
        let written = numbers::read(tokens, at).filter(|(_, n_tokens)| may_end(tokens, at + n_tokens, false));
        if let Some((found, n_tokens)) = written {
            out.push(Atom { start: at, end: at + n_tokens, what: What::Dates(found) });
            at += n_tokens;
            continue;
        }
        let Some((pattern, end, slots)) = table.longest(looked, at) else {
            at += 1;
            continue;
        };
        let what = match pattern.says {
            Says::Op(op) => Some(What::Op(op)),
            says => resolve(says, &slots, now).filter(|_| !is_false_friend(tokens, at, end)).map(|found| {
                let is_guess = pattern.is_guess || slots.is_guess;
                What::Dates(Found { is_sure: found.is_sure && !is_guess, ..found })
            }),
        };
        out.extend(what.map(|what| Atom { start: at, end, what }));
        at = end;
    }
    out
}

/// Whether a phrase may begin here: not inside a word, a number or something joined by a hyphen.
fn may_start(tokens: &[Token], at: usize, behind_part: bool) -> bool {
    let token = &tokens[at];
    let Some(before) = at.checked_sub(1).map(|before| &tokens[before]) else { return true };
    let is_number_part = before.kind == Kind::Number
        && token.kind == Kind::Number
        && token.gap == Gap::Break
        && before.span.end + 1 == token.span.start;
    match token.gap {
        Gap::None if is_korean(before) && is_korean(token) => false,
        Gap::None => before.kind == Kind::Sign || token.kind == Kind::Sign || behind_part,
        Gap::Hyphen => behind_part,
        Gap::Point | Gap::Slash => false,
        _ => !is_number_part,
    }
}

/// Whether a phrase may end before token `end`.
fn may_end(tokens: &[Token], end: usize, is_part: bool) -> bool {
    let Some(token) = tokens.get(end) else { return true };
    match token.gap {
        Gap::None => tokens[end - 1].kind == Kind::Sign || token.kind == Kind::Sign,
        Gap::Hyphen => is_part,
        Gap::Point | Gap::Slash => false,
        _ => true,
    }
}

fn is_korean(token: &Token) -> bool {
    token.kind == Kind::Sign && token.text.chars().any(|ch| ('\u{ac00}'..='\u{d7a3}').contains(&ch))
}

/// Whether the word stands in a question of the language in which it is no date.
fn is_false_friend(tokens: &[Token], at: usize, end: usize) -> bool {
    // A question shows its language close by; looking further would take long in a long text.
    const NEAR: usize = 12;
    let mut friends = shared::all().flat_map(|dates| dates.false_friends);
    let Some((_, signs)) = friends.find(|(word, _)| end == at + 1 && tokens[at].text == *word) else { return false };
    let around = &tokens[at.saturating_sub(NEAR)..tokens.len().min(at + NEAR)];
    around.iter().any(|token| signs.split(' ').any(|sign| sign == token.text))
}

impl Table {
    fn new() -> Table {
        let mut table = Table::default();
        for (at, language) in shared::all().enumerate() {
            // The first is what all share, and its phrases take the words of any one language.
            let bit = 1 << at;
            table.add_words(language, bit);
            let bits = if at == 0 || language.shares_phrases { u32::MAX } else { bit };
            for (says, phrases) in language.phrases {
                table.add_phrases(*says, phrases, (bits, false));
            }
            for (says, phrases) in language.guesses {
                table.add_phrases(*says, phrases, (bits, true));
            }
        }
        for (at, pattern) in table.patterns.iter().enumerate() {
            match pattern.elements.first() {
                Some((_, Piece::Word(word))) => table.words[*word].patterns.push(at),
                Some((_, Piece::Slot(slot))) => table.by_slot.push((*slot, at)),
                None => {}
            }
        }
        table.known = vec![false; HASHES];
        for word in table.words.keys() {
            table.known[hash(word)] = true;
        }
        table
    }

    fn add_words(&mut self, language: &Dates, bit: u32) {
        for (at, words) in (1..).zip(language.months.split('|')) {
            self.add_entries(words, '/', Meaning::Month(at), bit);
        }
        for (at, words) in (0..).zip(language.weekdays.split('|')) {
            self.add_entries(words, '/', Meaning::Weekday(at), bit);
        }
        for words in language.weak_months.split('|') {
            if let Some((month, words)) = numbered(words) {
                words.split('/').for_each(|word| self.add_entry(word, Meaning::Month(month), (bit, true)));
            }
        }
        for words in language.numbers.split('|') {
            if let Some((number, words)) = numbered(words) {
                self.add_entries(words, '/', Meaning::Count(Count::Exactly(number)), bit);
            }
        }
        self.add_entries(language.couple, '|', Meaning::Count(Count::Couple), bit);
        self.add_entries(language.few, '|', Meaning::Count(Count::Few), bit);
        for (unit, words) in language.units {
            self.add_entries(words, '|', Meaning::Unit(*unit), bit);
        }
        for (shift, words) in language.before_noun {
            self.add_entries(words, '|', Meaning::BeforeNoun(*shift), bit);
        }
        for (shift, words) in language.behind_noun {
            self.add_entries(words, '|', Meaning::BehindNoun(*shift), bit);
        }
    }

    fn add_entries(&mut self, words: &str, separator: char, meaning: Meaning, bit: u32) {
        for word in words.split(separator) {
            let plain = word.trim().trim_start_matches('~');
            self.add_entry(plain, meaning, (bit, word.trim().starts_with('~')));
        }
    }

    fn add_entry(&mut self, words: &str, meaning: Meaning, (language, is_weak): (u32, bool)) {
        let mut rest = tokens(words);
        if rest.is_empty() {
            return;
        }
        let needs_accents = ACCENTED.has(words);
        let first = rest.remove(0).text;
        self.words.entry(first).or_default().entries.push(Entry { rest, meaning, is_weak, language, needs_accents });
    }

    fn add_phrases(&mut self, says: Says, phrases: &str, (languages, is_guess): (u32, bool)) {
        for phrase in phrases.split('|') {
            let elements = elements(phrase.trim()).into_iter();
            let elements = elements.map(|(join, element)| match element {
                Element::Word(word) => (join, Piece::Word(self.listed(word))),
                Element::Slot(slot) => (join, Piece::Slot(slot)),
            });
            let elements = elements.collect();
            self.patterns.push(Pattern { elements, says, is_guess, languages });
        }
    }

    /// The place of a word, which is added if need be.
    fn listed(&mut self, word: String) -> usize {
        let entry = self.words.entry(word);
        let place = entry.index();
        entry.or_default();
        place
    }

    /// The place of a word of a text.
    fn place(&self, word: &str) -> usize {
        if self.known[hash(word)] { self.words.get_index_of(word).unwrap_or(UNLISTED) } else { UNLISTED }
    }

    /// Returns the longest phrase that begins at token `at`, where it ends, and its slots; of two as long
    /// the first of the lists.
    fn longest(&self, looked: Looked<'_>, at: usize) -> Option<(&Pattern, usize, Slots)> {
        let token = &looked.tokens[at];
        let listed = self.words.get_index(looked.places[at]).map(|(_, listed)| listed);
        if token.kind != Kind::Number && listed.is_none() {
            return None;
        }
        let (entries, by_word) = listed.map_or((&[][..], &[][..]), |listed| (&listed.entries, &listed.patterns));
        let fitting = fitting(token, entries);
        let by_slot = if fitting == 0 { &[][..] } else { &self.by_slot };
        let by_slot = by_slot.iter().filter(|(slot, _)| fitting & slot.bit() != 0).map(|(_, at)| at);
        let mut best: Option<(&Pattern, usize, Slots)> = None;
        for pattern in by_word.iter().chain(by_slot).filter_map(|at| self.patterns.get(*at)) {
            if !pattern.may_go_on(looked, at, entries.is_empty()) {
                continue;
            }
            let Some((end, slots)) = self.matched(pattern, looked, at) else { continue };
            if best.as_ref().is_none_or(|(_, longest, _)| *longest < end) {
                best = Some((pattern, end, slots));
            }
        }
        best
    }

    fn matched(&self, pattern: &Pattern, looked: Looked<'_>, start: usize) -> Option<(usize, Slots)> {
        let Looked { tokens, places } = looked;
        let mut slots = Slots { languages: pattern.languages, ..Slots::default() };
        let mut at = start;
        for (join, element) in &pattern.elements {
            let token = tokens.get(at)?;
            if at > start && !allows(*join, token) {
                return None;
            }
            at += match element {
                Piece::Word(word) => (places[at] == *word && !token.is_ordinal).then_some(1)?,
                Piece::Slot(slot) => self.fill(*slot, looked, at, &mut slots)?,
            };
        }
        let is_part = matches!(pattern.says, Says::Op(Op::Part(_)));
        let is_lone_year = pattern.elements.len() == 1 && slots.year.is_some();
        if is_lone_year {
            slots.is_weak = true;
            slots.year = slots.year.filter(|year| (1900..2200).contains(year));
        }
        may_end(tokens, at, is_part).then_some((at, slots))
    }

    /// Fills a slot from token `at`; returns how many tokens that takes.
    fn fill(&self, slot: Slot, looked: Looked<'_>, at: usize, slots: &mut Slots) -> Option<usize> {
        let token = &looked.tokens[at];
        let number = token.number();
        let small = |max: u32| number.filter(|number| (1..=max).contains(number) && token.text.len() <= 2);
        match slot {
            Slot::Day => slots.numbers.push(small(31)?),
            Slot::MonthNumber => (slots.month, slots.is_numbered) = (Some(small(12)?), true),
            Slot::HanWeekday => slots.weekday = Some(han_weekday(token)?),
            Slot::Quarter => slots.numbers.push(small(4)?),
            Slot::Number => slots.numbers.push(number?),
            Slot::Year => {
                slots.year = Some(number.filter(|year| *year > 0 && token.has_digits(4))?);
            }
            Slot::Count if number.is_some() && !token.is_ordinal => {
                slots.count = number.map(Count::Exactly);
            }
            _ => return self.fill_word(slot, looked, at, slots),
        }
        Some(1)
    }

    fn fill_word(&self, slot: Slot, looked: Looked<'_>, at: usize, slots: &mut Slots) -> Option<usize> {
        let Looked { tokens, places } = looked;
        let token = &tokens[at];
        let (mut longest, mut languages) = (None, 0);
        for entry in &self.words.get_index(places[at])?.1.entries {
            let n_tokens = 1 + entry.rest.len();
            let is_one = slots.languages & entry.language != 0 && longest.is_none_or(|longest| longest <= n_tokens);
            let fits = is_one
                && (!entry.needs_accents || token.is_marked)
                && slot.takes(entry)
                && follows(&entry.rest, &tokens[at + 1..]);
            if !fits {
                continue;
            }
            // Of two as long the first counts, but the phrase may go on in the other's language.
            let is_other = longest == Some(n_tokens);
            languages = if is_other { languages | entry.language } else { entry.language };
            if is_other {
                continue;
            }
            longest = Some(n_tokens);
            take(entry, slots);
            if slot == Slot::Month {
                slots.is_weak = entry.is_weak;
                slots.is_doubtful = VERBS.has(&token.text) && !token.is_capital;
            }
            if slot == Slot::Weekday {
                slots.is_weak = entry.is_weak;
            }
            slots.is_guess |= slot == Slot::BeforeNoun && entry.is_weak;
        }
        slots.languages &= languages;
        longest
    }
}

impl Pattern {
    /// Whether what stands behind its first element may be its second one: most phrases end there. An element that may take
    /// several words is not looked behind.
    fn may_go_on(&self, looked: Looked<'_>, at: usize, takes_one: bool) -> bool {
        let [(_, first), (join, second), ..] = self.elements.as_slice() else { return true };
        if !takes_one && matches!(first, Piece::Slot(_)) {
            return true;
        }
        let is_it = |token: &Token| match second {
            Piece::Word(word) => looked.places[at + 1] == *word && !token.is_ordinal,
            Piece::Slot(_) => true,
        };
        looked.tokens.get(at + 1).is_some_and(|token| allows(*join, token) && is_it(token))
    }
}

/// The slots that a token can fill, a bit each.
fn fitting(token: &Token, entries: &[Entry]) -> u16 {
    let mut out = 0;
    for entry in entries {
        Slot::ALL.iter().filter(|slot| slot.takes(entry)).for_each(|slot| out |= slot.bit());
    }
    if token.kind == Kind::Number {
        let number = token.number();
        let is_small = |max: u32| token.text.len() <= 2 && number.is_some_and(|number| (1..=max).contains(&number));
        let fits = [
            (Slot::Day, is_small(31)),
            (Slot::MonthNumber, is_small(12)),
            (Slot::Quarter, is_small(4)),
            (Slot::HanWeekday, han_weekday(token).is_some()),
            (Slot::Number, number.is_some()),
            (Slot::Year, number.is_some() && token.has_digits(4)),
            (Slot::Count, number.is_some() && !token.is_ordinal),
        ];
        fits.into_iter().filter(|(_, fits)| *fits).for_each(|(slot, _)| out |= slot.bit());
    }
    out
}

impl Slot {
    const ALL: [Slot; 13] = [
        Slot::Count,
        Slot::Unit,
        Slot::LongUnit,
        Slot::BeforeNoun,
        Slot::BehindNoun,
        Slot::Month,
        Slot::Weekday,
        Slot::HanWeekday,
        Slot::Day,
        Slot::MonthNumber,
        Slot::Year,
        Slot::Quarter,
        Slot::Number,
    ];

    fn bit(self) -> u16 {
        1 << self as u16
    }

    /// Whether an entry can fill the slot.
    fn takes(self, entry: &Entry) -> bool {
        match (self, entry.meaning) {
            (Slot::LongUnit, Meaning::Unit(unit)) => unit != Unit::Day && !entry.is_weak,
            (Slot::Count, Meaning::Count(_))
            | (Slot::Unit, Meaning::Unit(_))
            | (Slot::BeforeNoun, Meaning::BeforeNoun(_))
            | (Slot::BehindNoun, Meaning::BehindNoun(_))
            | (Slot::Month, Meaning::Month(_))
            | (Slot::Weekday, Meaning::Weekday(_)) => true,
            _ => false,
        }
    }
}

/// Takes what an entry means into its slot.
fn take(entry: &Entry, slots: &mut Slots) {
    match entry.meaning {
        Meaning::Count(count) => slots.count = Some(count),
        Meaning::Unit(unit) => slots.unit = Some(unit),
        Meaning::BeforeNoun(shift) | Meaning::BehindNoun(shift) => slots.shift = Some(shift),
        Meaning::Month(month) => slots.month = Some(month),
        Meaning::Weekday(weekday) => slots.weekday = Some(weekday),
    }
}

fn follows(rest: &[Token], tokens: &[Token]) -> bool {
    rest.len() <= tokens.len()
        && rest.iter().zip(tokens).all(|(expected, token)| {
            let is_near = matches!(token.gap, Gap::None | Gap::Space | Gap::Apostrophe) || token.gap == expected.gap;
            is_near && expected.text == token.text
        })
}

fn han_weekday(token: &Token) -> Option<i32> {
    match token.text.as_str() {
        "日" | "天" => Some(6),
        _ => token
            .number()
            .and_then(|day| i32::try_from(day).ok())
            .filter(|day| (1..=6).contains(day))
            .map(|day| day - 1),
    }
}

fn allows(join: Join, token: &Token) -> bool {
    let gap = token.gap;
    match join {
        Join::Touching => matches!(gap, Gap::None | Gap::Space),
        Join::Spaced => matches!(gap, Gap::Space | Gap::Apostrophe) || (gap == Gap::None && token.kind == Kind::Sign),
        Join::Comma => matches!(gap, Gap::Space | Gap::Comma),
        Join::Stop => matches!(gap, Gap::Space | Gap::Stop | Gap::Point | Gap::None),
        Join::Hyphen => matches!(gap, Gap::Space | Gap::Hyphen),
        Join::Dash => matches!(gap, Gap::Dash | Gap::Hyphen),
        Join::Slash => matches!(gap, Gap::Slash),
    }
}

/// Splits `3 mar/marzo` into its number and its words.
fn numbered(words: &str) -> Option<(u32, &str)> {
    let (number, words) = words.trim().split_once(' ')?;
    Some((number.parse().ok()?, words))
}

/// Reads a phrase of the lists.
fn elements(phrase: &str) -> Vec<(Join, Element)> {
    let mut out = Vec::new();
    let mut join = Join::Touching;
    let mut rest = phrase;
    while let Some(ch) = rest.chars().next() {
        let is_literal = |ch: char| ch.is_alphanumeric() || unicode_normalization::char::is_combining_mark(ch);
        if let Some(inner) = rest.strip_prefix('{') {
            let (name, behind) = inner.split_once('}').unwrap_or((inner, ""));
            out.extend(slot(name).map(|slot| (join, Element::Slot(slot))));
            (rest, join) = (behind, Join::Touching);
        } else if is_literal(ch) {
            let end = rest.find(|ch: char| !is_literal(ch)).unwrap_or(rest.len());
            for token in tokens(&rest[..end]) {
                out.push((join, Element::Word(token.text)));
                join = Join::Touching;
            }
            rest = &rest[end..];
        } else {
            join = match ch {
                ',' => Join::Comma,
                '.' => Join::Stop,
                '-' => Join::Hyphen,
                '–' => Join::Dash,
                '/' => Join::Slash,
                _ if join == Join::Touching => Join::Spaced,
                _ => join,
            };
            rest = &rest[ch.len_utf8()..];
        }
    }
    out
}

fn slot(name: &str) -> Option<Slot> {
    Some(match name {
        "n" => Slot::Count,
        "unit" => Slot::Unit,
        "span" => Slot::LongUnit,
        "rel" => Slot::BeforeNoun,
        "post" => Slot::BehindNoun,
        "month" => Slot::Month,
        "wd" => Slot::Weekday,
        "han" => Slot::HanWeekday,
        "d" => Slot::Day,
        "m" => Slot::MonthNumber,
        "y" => Slot::Year,
        "q" => Slot::Quarter,
        "i" => Slot::Number,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_phrase_of_the_lists_can_be_read() {
        for language in shared::all() {
            for (says, phrases) in language.phrases.iter().chain(language.guesses) {
                for phrase in phrases.split('|') {
                    let n_slots = phrase.matches('{').count();
                    let elements = elements(phrase.trim());
                    let found = elements.iter().filter(|(_, element)| matches!(element, Element::Slot(_))).count();
                    assert!(!elements.is_empty() && found == n_slots, "{says:?}: {phrase}");
                }
            }
        }
    }
}
