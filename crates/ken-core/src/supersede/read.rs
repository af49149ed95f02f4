//! The sentences of all statements, each with the stems of its words and the cues that stand in it.
//!
//! This is done for every sentence and therefore cheap: a word is looked up once for all its places. What a sentence says
//! of values and of change is read by [`super::frame`], and only where it matters.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{LazyLock, OnceLock};

use indexmap::{IndexMap, IndexSet};

use super::Said;
use super::cues::{self, Cue, Cues, Found};
use super::unit::{Token, Unit, is_covered};
use super::word::{self, Word, function_word, spoken, telling};
use crate::language::{LEXICONS, Language, WordSet, fold};
use crate::span::Span;
use crate::text::{is_quoted, sentences};
use crate::words::words;

/// Longest statement that is looked at, in bytes.
const BYTES_MAX: usize = 4096;

/// How a word is written in all statements.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Spelling {
    is_small: bool,
    is_capital_inside: bool,
    is_subject: bool,
    is_behind_determiner: bool,
}

/// What all statements are made of.
#[derive(Debug)]
pub(super) struct Texts<'t> {
    pub(super) words: Vec<Word>,
    /// How each folded word is written, see [`Word::spelling`].
    pub(super) spellings: Vec<Spelling>,
    pub(super) units: Vec<Unit<'t>>,
    pub(super) n_stems: usize,
    /// Of each stem whether every text uses it, and whether it says what something measures.
    pub(super) is_weak: Vec<bool>,
    pub(super) is_measure: Vec<bool>,
}

/// Returns the statements as they are read: without marks of emphasis and code.
pub(super) fn plain<'t>(said: &[Said<'t>]) -> Vec<Cow<'t, str>> {
    let plain = |text: &'t str| match text.contains(['*', '`']) {
        true => Cow::Owned(text.replace("**", "").replace('`', "")),
        false => Cow::Borrowed(text),
    };
    said.iter().map(|one| plain(crate::text::within(one.text, BYTES_MAX))).collect()
}

/// Fewest parts of a list of who does what, how many words of a name stand before what somebody does, and most behind.
const DOERS_MIN: usize = 3;
const NAME_WORDS_MAX: usize = 2;
const DOER_WORDS_MAX: usize = 8;

struct Reader<'t> {
    /// The words of each language by how they are written.
    known: Vec<IndexMap<&'t str, u32>>,
    stems: IndexSet<String>,
    words: Vec<Word>,
    folded: IndexSet<String>,
    spellings: Vec<Spelling>,
}

impl<'t> Texts<'t> {
    pub(super) fn read(said: &[Said<'_>], plain: &'t [Cow<'_, str>]) -> Texts<'t> {
        let mut reader = Reader {
            known: LEXICONS.iter().map(|_| IndexMap::new()).collect(),
            stems: IndexSet::new(),
            words: Vec::new(),
            folded: IndexSet::new(),
            spellings: Vec::new(),
        };
        let spans: Vec<Vec<Span>> = plain.iter().map(|text| words(text)).collect();
        let counts: Vec<[u16; 8]> = plain.iter().zip(&spans).map(|(text, spans)| languages(text, spans)).collect();
        let mut all = [0_usize; 8];
        counts.iter().for_each(|counts| (0..8).for_each(|n| all[n] += usize::from(counts[n])));
        let best = |counts: &dyn Fn(usize) -> usize| {
            spoken().map(|one| (counts(one.place()), one)).max_by_key(|(n, one)| (*n, std::cmp::Reverse(*one)))
        };
        let common = best(&|n| all[n]).filter(|(n, _)| *n > 0).map_or(Language::ENGLISH, |(_, language)| language);
        let mut units = Vec::new();
        let mut turn = 0;
        for (n, one) in said.iter().enumerate() {
            let goes_on = one.goes_on && n > 0 && said[n - 1].exchange == one.exchange;
            turn = if goes_on { turn } else { n };
            let n_common = usize::from(counts[n][common.place()]);
            let spoken = best(&|at| usize::from(counts[n][at]));
            let language = spoken.filter(|(n, _)| *n > n_common).map_or(common, |(_, language)| language);
            let is_code = names_code(one.text);
            let mut from = 0;
            for span in sentences(&plain[n]).into_iter().flat_map(|span| split(&plain[n], span)) {
                let text = span.of(&plain[n]);
                let here = spans[n][from..].iter().skip_while(|word| word.start < span.start);
                let here: Vec<Span> = here
                    .take_while(|word| word.end <= span.end)
                    .map(|word| Span::new(word.start - span.start, word.end - span.start))
                    .collect();
                from = spans[n].partition_point(|word| word.start < span.end).max(from);
                // A row of a table says nothing by itself.
                if !here.is_empty() && !text.trim_start().starts_with('|') {
                    let unit = reader.unit((n, one, is_code), text, &here, language);
                    units.push(Unit { turn, is_quoted: is_quoted(&plain[n], span), ..unit });
                }
            }
        }
        for at in 1..units.len() {
            let is_new = units[at].says_only_new() && units[at].turn == units[at - 1].turn && !units[at - 1].asks;
            units[at - 1].is_new = is_new;
        }
        let (is_weak, is_measure) = (reader.weak(), reader.measures());
        Texts {
            is_weak,
            is_measure,
            words: reader.words,
            spellings: reader.spellings,
            units,
            n_stems: reader.stems.len(),
        }
    }

    pub(super) fn word(&self, token: Token) -> &Word {
        &self.words[token.word as usize]
    }

    /// Whether a sentence begins with what somebody did: `Kept the oven warm`; `Noted: the oven is warm` only labels it.
    pub(super) fn is_narrated(&self, unit: &Unit<'_>) -> bool {
        let [first, second, ..] = unit.tokens.as_slice() else { return false };
        first.part == second.part && self.is_past(unit, 0)
    }

    /// Whether a word is a verb of what was done: `kept`.
    pub(super) fn is_past(&self, unit: &Unit<'_>, at: usize) -> bool {
        static PAST: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.pages.past_forms));
        let word = &self.word(unit.tokens[at]).lower;
        unit.language == Language::ENGLISH && (word.ends_with("ed") || PAST.has(word))
    }

    /// Whether what stands before a word in its clause tells what somebody did once, and not what is done: `she came on
    /// Monday`, not `it is cooked on Mondays`.
    pub(super) fn is_event(&self, unit: &Unit<'_>, before: usize) -> bool {
        let is_of = |at: &usize| unit.tokens[*at].clause == unit.tokens[before.min(unit.tokens.len() - 1)].clause;
        let is_helped = |at: usize| {
            at > 0 && !self.word(unit.tokens[at - 1]).is_content && {
                unit.all(Cue::Is).any(|is| is.end == at || is.end + 1 == at)
            }
        };
        // `with signed tokens`, `the signed token`
        let is_beside_noun = |at: usize| {
            at > 0 && {
                let is_placing = |found: &Found| {
                    matches!(found.cue, Cue::At | Cue::Means | Cue::Of | Cue::Toward | Cue::As) && found.end == at
                };
                let before = self.word(unit.tokens[at - 1]);
                before.is_determiner || !before.is_content && unit.cues.iter().any(is_placing)
            }
        };
        (0..before).filter(is_of).any(|at| self.is_past(unit, at) && !is_helped(at) && !is_beside_noun(at))
    }

    /// Whether a word is a name by how it is written everywhere, in a sentence or at its beginning before what somebody
    /// does.
    pub(super) fn is_name(&self, unit: &Unit<'_>, at: usize, is_subject: bool) -> bool {
        let token = unit.tokens[at];
        let word = self.word(token);
        if !token.is_capital || !word.is_content || word.is_calendar || word.folded.chars().count() < 2 {
            return false;
        }
        let spelling = self.spellings[word.spelling as usize];
        let has_nouns_in_capitals = !unit.language.lexicon().claims.capitalised.is_empty();
        match has_nouns_in_capitals {
            true => !spelling.is_behind_determiner && !spelling.is_small && (at > 0 || is_subject),
            false => !spelling.is_small && (spelling.is_capital_inside || spelling.is_subject || is_subject),
        }
    }
}

/// The parts of a sentence that stand by themselves: `Ada runs the oven; orders go to her.`
fn split(text: &str, span: Span) -> Vec<Span> {
    let n_commas = |part: Span| part.of(text).bytes().filter(|byte| *byte == b',').count();
    let halves = match span.of(text).contains([';', '\n']) {
        true => parts(text, span, &[";", "\n"]),
        false => vec![span],
    };
    let mut out = Vec::with_capacity(halves.len());
    for half in halves {
        if n_commas(half) + 1 < DOERS_MIN {
            out.push(half);
            continue;
        }
        let listed = parts(text, half, &[", "]);
        let is_list = listed.len() >= DOERS_MIN && listed.iter().all(|part| tells_who(part.of(text)));
        if is_list { out.extend(listed) } else { out.push(half) }
    }
    out
}

/// What stands between marks.
fn parts(text: &str, span: Span, marks: &[&str]) -> Vec<Span> {
    let mut out = Vec::new();
    let mut from = span.start;
    let found = marks.iter().flat_map(|mark| span.of(text).match_indices(mark)).collect::<BTreeMap<_, _>>();
    for (at, mark) in found {
        out.push(Span::new(from, span.start + at));
        from = span.start + at + mark.len();
    }
    out.push(Span::new(from, span.end));
    out
}

/// Whether a part of a list tells what somebody or something does: a name and, right behind it, what it does.
fn tells_who(part: &str) -> bool {
    let mut words = part.split_whitespace();
    let is_capital = |word: &str| word.starts_with(char::is_uppercase);
    let opens = words.next().is_some_and(|word| is_capital(word) && function_word(&fold(word)) == 0);
    let does = words.by_ref().take(NAME_WORDS_MAX).any(|word| word.starts_with(char::is_lowercase));
    opens && does && words.count() <= DOER_WORDS_MAX
}

/// How many function words of each language a text has.
fn languages(text: &str, spans: &[Span]) -> [u16; 8] {
    let mut counts = [0; 8];
    for span in spans {
        let mask = telling(span.of(text));
        (0..8).for_each(|n| counts[n] += u16::from(mask & (1 << n) != 0));
    }
    counts
}

/// The place of a text among others, which is added if need be.
fn place(all: &mut IndexSet<String>, text: &str) -> u32 {
    let at = all.get_index_of(text).unwrap_or_else(|| all.insert_full(text.to_owned()).0);
    u32::try_from(at).expect("fewer words")
}

impl<'t> Reader<'t> {
    /// Notes which stems only weak words have.
    fn weak(&self) -> Vec<bool> {
        let mut out = vec![true; self.stems.len()];
        self.words.iter().filter(|word| !word.is_weak).for_each(|word| out[word.stem as usize] = false);
        out
    }

    /// Notes which stems say what something measures.
    fn measures(&self) -> Vec<bool> {
        let mut out = vec![false; self.stems.len()];
        self.words.iter().filter(|word| word.is_measure).for_each(|word| out[word.stem as usize] = true);
        out
    }

    fn word(&mut self, said: &'t str, language: Language) -> u32 {
        if let Some(known) = self.known[language.place()].get(said) {
            return *known;
        }
        let known = word::known(said, language);
        let stem = place(&mut self.stems, &known.stemmed);
        let spelling = place(&mut self.folded, &known.folded);
        self.spellings.resize(self.folded.len(), Spelling::default());
        let at = u32::try_from(self.words.len()).expect("fewer words");
        self.words.push(Word { known, stem, spelling });
        self.known[language.place()].insert(said, at);
        at
    }

    fn unit(
        &mut self,
        (n, said, is_code): (usize, &Said<'_>, bool),
        text: &'t str,
        spans: &[Span],
        language: Language,
    ) -> Unit<'t> {
        let cues = cues::of(language);
        let mut tokens: Vec<Token> = Vec::with_capacity(spans.len());
        let mut part = 0;
        let mut end = 0;
        for span in spans {
            let between = &text[end..span.start];
            end = span.end;
            let is_digit = |ch: char| ch.is_ascii_digit();
            let is_inside =
                text[..span.start].strip_suffix([',', ':', '.']).is_some_and(|before| before.ends_with(is_digit))
                    && text[span.start..].starts_with(is_digit);
            part += u16::from(
                !tokens.is_empty()
                    && between != " "
                    && !is_inside
                    && (between.contains([',', ':', ';', '(', ')', '–', '—', '"', '«', '»', '“', '”', '„'])
                        || between.contains(" - ")),
            );
            let word = self.word(span.of(text), language);
            let is_capital = text[span.start..].starts_with(char::is_uppercase);
            let behind = tokens.last().is_some_and(|last| self.words[last.word as usize].is_determiner);
            let Word { known, spelling, .. } = &self.words[word as usize];
            if known.is_content {
                let spelling = &mut self.spellings[*spelling as usize];
                spelling.is_small |= !is_capital;
                spelling.is_capital_inside |= is_capital && !tokens.is_empty();
                spelling.is_behind_determiner |= behind;
            }
            tokens.push(Token { span: *span, word, part, clause: part, is_capital });
        }
        let found = self.cues(&tokens, cues);
        self.part_clauses(&mut tokens, &found);
        let mut stems: Vec<u32> = (0..tokens.len())
            .filter(|at| !is_covered(&found, *at))
            .map(|at| &self.words[tokens[at].word as usize])
            .filter(|word| word.is_content)
            .map(|word| word.stem)
            .collect();
        stems.sort_unstable();
        stems.dedup();
        self.subject(&tokens, &found, language);
        let asks = text.trim_end_matches(['"', '”', ')', ' ']).ends_with('?');
        Unit {
            said: n,
            exchange: said.exchange,
            turn: n,
            day: said.day,
            text,
            language,
            tokens,
            stems,
            cues: found,
            asks,
            is_new: false,
            is_quoted: false,
            is_code: is_code || names_code(text),
            frame: OnceLock::new(),
            identifiers: OnceLock::new(),
        }
    }

    /// Numbers the clauses of a sentence: they begin at marks and at words that join.
    fn part_clauses(&self, tokens: &mut [Token], found: &[Found]) {
        let mut clause = 0;
        for at in 1..tokens.len() {
            // `since March`, `since this morning` begin no clause.
            let is_day = tokens.get(at + 1).is_some_and(|next| {
                let next = &self.words[next.word as usize];
                let is_told = |cue: &Found| cue.cue == Cue::Change && cue.start == at && cue.end == at + 2;
                next.is_calendar || next.is_number || found.iter().any(is_told)
            });
            let says_when = is_day && found.iter().any(|found| found.cue == Cue::Since && found.start == at);
            let joins = !says_when && found.iter().any(|found| found.cue == Cue::Joins && found.start == at);
            clause += u16::from(joins || tokens[at].part != tokens[at - 1].part);
            tokens[at].clause = clause;
        }
    }

    /// Notes who does something: that is somebody, wherever else they stand first: `Ada runs the oven.`
    fn subject(&mut self, tokens: &[Token], found: &[Found], language: Language) {
        let is_small = |at: usize| tokens.get(at).is_some_and(|token| !self.words[token.word as usize].is_content);
        let does = |found: &Found| {
            matches!(found.cue, Cue::Owns | Cue::Takes | Cue::Gives | Cue::Departs)
                && (found.start == 1 || found.start == 2 && is_small(1))
        };
        // `Ada is the baker`
        let has_role = |found: &Found| {
            let behind = tokens.get(2).filter(|behind| behind.part == 0);
            found.cue == Cue::Is
                && (found.start, found.end) == (1, 2)
                && behind.is_some_and(|behind| self.words[behind.word as usize].is_determiner)
        };
        let first = &self.words[tokens[0].word as usize];
        if tokens[0].is_capital
            && first.is_content
            && !first.lower.ends_with('s')
            && found.iter().any(|found| does(found) || has_role(found))
            && language.lexicon().claims.capitalised.is_empty()
        {
            self.spellings[first.spelling as usize].is_subject = true;
        }
    }

    fn cues(&self, tokens: &[Token], cues: &Cues) -> Vec<Found> {
        let mut out: Vec<Found> = Vec::new();
        let lower: Vec<&str> = tokens.iter().map(|token| self.words[token.word as usize].lower.as_str()).collect();
        for (start, token) in tokens.iter().enumerate() {
            let end = start + tokens[start..].iter().take_while(|other| other.part == token.part).count();
            for phrase in &self.words[token.word as usize].beginning {
                // `Vergiss, was ich über den Ofen gesagt habe` has a comma within.
                let whole = || cues.at(*phrase, &lower[start..]).filter(|(cue, _)| *cue == Cue::Retracts);
                let Some((cue, n)) = cues.at(*phrase, &lower[start..end]).or_else(whole) else { continue };
                if cue == Cue::Measures {
                    continue;
                }
                // Of two phrases of one kind the longer one stands there.
                let is_last = start + 1 == tokens.len();
                match out.iter_mut().find(|found| found.cue == cue && found.start == start) {
                    // `The bell rings at noon, too.`
                    _ if cue == Cue::Unfit && is_last => out.push(Found { cue: Cue::Also, start, end: start + n }),
                    Some(found) => found.end = found.end.max(start + n),
                    None => out.push(Found { cue, start, end: start + n }),
                }
            }
        }
        // `No more than 8` ends nothing.
        // And `I take back what I said about the oven` ends the oven as little.
        let is_whole = |found: &&Found| matches!(found.cue, Cue::Bounds | Cue::Retracts);
        let bounds: Vec<Found> = out.iter().filter(is_whole).copied().collect();
        let is_bound = |found: &Found| {
            found.cue == Cue::Ends && bounds.iter().any(|bound| bound.start == found.start && found.end <= bound.end)
        };
        // `Soup instead of cake` says of cake alone that it is over.
        let pairs: Vec<usize> = out.iter().filter(|found| found.cue == Cue::Instead).map(|found| found.start).collect();
        let is_paired = |found: &Found| found.cue == Cue::Change && pairs.contains(&found.start);
        out.retain(|found| !is_bound(found) && !is_paired(found));
        out
    }
}

/// Whether a text has code in it: marks of it, paths, names in camel case or with underscores.
fn names_code(text: &str) -> bool {
    let is_word = |word: &str| {
        let inner = word.trim_matches(|ch: char| !ch.is_alphanumeric());
        let bytes = inner.as_bytes();
        let is_camel = bytes.first().is_some_and(u8::is_ascii_lowercase)
            && bytes.windows(2).any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase());
        is_camel
            || inner.contains('_')
            || inner.contains('/') && inner.len() > 5 && !inner.starts_with(|ch: char| ch.is_ascii_digit())
    };
    let bytes = text.as_bytes();
    if memchr::memchr(b'`', bytes).is_some() || text.contains("()") {
        return true;
    }
    // Most texts have none of the signs that make a word code.
    let is_hump = |pair: &[u8]| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase();
    let may_be = memchr::memchr2(b'_', b'/', bytes).is_some() || bytes.windows(2).any(is_hump);
    may_be && text.split_whitespace().any(is_word)
}
