//! What is still to be done: which statements say so, and which later ones say that it was done.
//!
//! An action item is told by a label (`Open task for Ada: order flour`) or stands among the action items of an entry. It is done
//! where a later entry says so of it: `The flour is ordered`, `Closed: order flour`, `I ordered the flour`. What is only
//! planned, denied or asked closes nothing, and what an entry leaves open it did not do itself. Words are compared by
//! their stems; nothing here knows files or clocks.

mod asked;
mod deed;
mod done;

pub use asked::AskedActions;
pub use done::closes_task;

use std::collections::BTreeSet;
use std::sync::{LazyLock, OnceLock};

use crate::language::{LEXICONS, Phrases, WordSet, Wording};
use crate::span::Span;
use crate::text::sentences;
use crate::words::{Weight, fold, is_count_or_date, is_stop, stem, weight, words};
use deed::deed;
use done::{Done, is_taken_back};

/// A statement of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Statement<'a> {
    /// What it says.
    pub text: &'a str,
    /// Whether it stands where entries say what is to be done.
    pub is_marked: bool,
    /// Whether it is an item of a list that somebody keeps: each of its items is one of its own, however alike they are.
    pub is_listed: bool,
}

/// An action item that is open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Open {
    /// Where it was first said: the entry and its statement, each counted from 0.
    pub first: (usize, usize),
    /// Where it was said last.
    pub last: (usize, usize),
    /// What is to be done, whose it is in front where that was said: `Ada: order flour`.
    pub text: String,
}

/// Share of the words of an action item that a statement which says it again, or that it was done, has at least.
const SAME_MIN: (usize, usize) = (2, 3);

/// An action item as one statement tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Action {
    text: String,
    /// The stems of its words that tell something, its owner's name among them.
    words: BTreeSet<String>,
    /// Those that say what is to be done, without whose it is and until when.
    core: Vec<Key>,
    /// The stems by which the thing that it is about may be named alone: `notice` of `write the privacy notice for the app`;
    /// every word of a thing that is named without a verb before it, since the verb may stand behind it: `das Plakat drucken`.
    nouns: BTreeSet<String>,
    /// Words, folded, that may be what is to be done: its first, and the one behind whoever is to do it.
    verbs: Vec<String>,
    /// The numbers that it names, which may tell it from others.
    numbers: BTreeSet<String>,
    is_listed: bool,
}

/// Returns the action items that are open after some entries, oldest entry first; items in the order in which they were first
/// said.
///
/// ```
/// # use ken_core::action::{Statement, open};
/// let told = |text| Statement { text, is_marked: false, is_listed: false };
/// let monday = [told("Two open tasks for Ada: order flour; print the menu.")];
/// let friday = [told("The menu is printed.")];
/// let open = open(&[&monday, &friday]);
/// assert_eq!(open[0].text, "Ada: order flour");
/// assert_eq!(open.len(), 1);
/// ```
pub fn open(entries: &[&[Statement<'_>]]) -> Vec<Open> {
    let mut found: Vec<(Action, Open)> = Vec::new();
    let mut verbs = Keys::default();
    for (entry, statements) in entries.iter().enumerate() {
        // What is closed was open before the entry.
        let told: Vec<Statement<'_>> = statements.iter().filter(|told| !told.is_marked).copied().collect();
        let texts = told.iter().map(|told| told.text);
        let done = if found.is_empty() { Vec::new() } else { Done::of_entry(texts, &verbs) };
        found.retain(|(action, _)| !done.iter().any(|(at, done)| is_closed(action, (told[*at], done))));
        for (at, told) in statements.iter().enumerate() {
            for mut action in actions_in(told.text, told.is_marked) {
                action.is_listed = told.is_listed;
                let place = (entry, at);
                verbs.extend(action.verbs.iter().map(|verb| Key::of(verb)));
                match found.iter_mut().find(|(known, _)| known.is_said_again_by(&action)) {
                    Some((known, open)) => {
                        open.last = place;
                        // The fuller of two says whose it is, or until when.
                        if action.words.len() > known.words.len() {
                            open.text.clone_from(&action.text);
                            *known = action;
                        }
                    }
                    None => {
                        let open = Open { first: place, last: place, text: action.text.clone() };
                        found.push((action, open));
                    }
                }
            }
        }
    }
    found.into_iter().map(|(_, open)| open).collect()
}

/// Returns for each statement that tells action items, of some in order of time with the number of their entry, the later one
/// that says of the last of its items that it was done.
pub fn closed(said: &[(usize, Statement<'_>)]) -> Vec<Option<usize>> {
    let is_action =
        |told: &Statement<'_>| told.is_marked || sentences(told.text).iter().any(|one| is_labelled(one.of(told.text)));
    let told: Vec<usize> = (0..said.len()).filter(|at| is_action(&said[*at].1)).collect();
    let mut out = vec![None; said.len()];
    let Some(first) = told.first() else { return out };
    // Of an entry that closes, the statement that says so, or the one behind what it closes.
    let of = |at: &usize| -> Vec<Action> {
        let told = said[*at].1;
        let listed = |action: Action| Action { is_listed: told.is_listed, ..action };
        actions_in(told.text, told.is_marked).into_iter().map(listed).collect()
    };
    let verbs: Keys = told.iter().flat_map(of).flat_map(|action| action.verbs).map(|verb| Key::of(&verb)).collect();
    let mut done: Vec<(usize, Done)> = Vec::new();
    let mut from = *first;
    while from < said.len() {
        let entry = said[from].0;
        let n = said[from..].iter().take_while(|(other, _)| *other == entry).count();
        let statements = said[from..from + n].iter().map(|(_, told)| if told.is_marked { "" } else { told.text });
        done.extend(Done::of_entry(statements, &verbs).into_iter().map(|(at, done)| (from + at, done)));
        from += n;
    }
    for at in told {
        let mut open = of(&at);
        for (by, done) in done.iter().filter(|(by, _)| *by > at && said[*by].0 != said[at].0) {
            open.retain(|item| !is_closed(item, (said[*by].1, done)));
            if open.is_empty() {
                out[at] = Some(*by);
                break;
            }
        }
    }
    out
}

/// Whether a statement that says what was done closes an action item: of a list, only the item itself.
fn is_closed(action: &Action, (told, done): (Statement<'_>, &Done)) -> bool {
    let name = told.text.split_once(": ").map_or(told.text, |(_, name)| name);
    let is_it = || words_of(name) == action.words && numbers_of(name) == action.numbers;
    done.closes(action) && (!(told.is_listed && action.is_listed) || is_it())
}

/// Returns whether a sentence begins with a label by which people and agents say that something is to be done: `Open task
/// for Ada: …`, `TODO: …`, `Next steps: …`.
pub fn is_labelled(sentence: &str) -> bool {
    Label::of(sentence).is_some()
}

/// The action items that a statement tells: those behind its labels, or all of it where it stands among action items.
fn actions_in(statement: &str, is_marked: bool) -> Vec<Action> {
    let mut out = Vec::new();
    // A label of several covers the sentences behind it: `Tasks: Ada bakes. Ben sells.`
    let mut covers = None;
    for span in sentences(statement) {
        let text = span.of(statement).trim();
        match Label::of(text) {
            Some(label) => {
                out.extend(label.items().into_iter().filter_map(|item| Action::new(item, label.owner)));
                covers = label.is_of_several.then_some(label.owner);
            }
            None => out.extend(covers.and_then(|owner| Action::new(text, owner))),
        }
    }
    if out.is_empty() && is_marked {
        out.extend(Action::new(statement, None));
    }
    out
}

/// The label of an action item, and what stands behind it.
struct Label<'a> {
    owner: Option<&'a str>,
    is_of_several: bool,
    rest: &'a str,
}

static LABELS: LazyLock<Vec<Wording>> = LazyLock::new(|| Wording::lists(|lexicon| lexicon.actions.label));
static OWNED_BY: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.actions.owned_by));
static SEVERAL: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.actions.several));
static AND: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.actions.and));

/// Longest label with whose it is, in bytes.
const LABEL_MAX: usize = 80;

impl<'a> Label<'a> {
    fn of(sentence: &'a str) -> Option<Label<'a>> {
        let end = sentence.find(':').filter(|end| *end <= LABEL_MAX)?;
        let rest = sentence[end + 1..].strip_prefix([' ', '\u{a0}'])?.trim_start();
        let before = sentence[..end].trim_end();
        // `Next steps (today):`
        let label = before.strip_suffix(')').and_then(|text| text.rsplit_once(" (")).map_or(before, |(text, _)| text);
        let spans = words(label);
        let folded: Vec<String> = spans.iter().map(|word| fold(word.of(label))).collect();
        let said: Vec<&str> = folded.iter().map(String::as_str).collect();
        let is_counted = said.first().is_some_and(|word| is_count_or_date(word) || is_stop(word));
        let from = [0].into_iter().chain(is_counted.then_some(1));
        let n_named = from.filter_map(|from| {
            let n = LABELS.iter().filter_map(|phrase| phrase.length(&said[from..])).max()?;
            Some(from + n)
        });
        let n = n_named.max()?;
        let owner = match said.get(n) {
            None => None,
            Some(word) if OWNED_BY.has(word) && n + 1 < said.len() => Some(label[spans[n + 1].start..].trim()),
            Some(_) => return None,
        };
        // Whoever speaks is named by nobody here.
        let owner = owner.filter(|owner| owner.chars().next().is_some_and(char::is_uppercase));
        Some(Label { owner, is_of_several: said[..n].iter().any(|word| SEVERAL.has(word)), rest })
    }

    /// The items of a list: `order flour; write the menu`, `order flour, and write the menu`.
    fn items(&self) -> Vec<&'a str> {
        if self.rest.contains("; ") {
            return self.rest.split("; ").collect();
        }
        let (mut out, mut from) = (Vec::new(), 0);
        for (at, _) in self.rest.match_indices(", ").filter(|_| self.is_of_several) {
            let behind = &self.rest[at + 2..];
            let (and, item) = behind.split_once(' ').unwrap_or((behind, ""));
            if AND.has(&fold(and)) && !item.is_empty() {
                out.push(&self.rest[from..at]);
                from = self.rest.len() - item.len();
            }
        }
        out.push(&self.rest[from..]);
        out
    }
}

/// What a word is compared by: its stem, and what it has in common with the participle of its verb.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Key {
    stem: String,
    deed: Option<String>,
}

impl Key {
    fn of(word: &str) -> Key {
        let folded = fold(word);
        Key { stem: stem(&folded), deed: deed(&folded) }
    }

    fn is(&self, other: &Key) -> bool {
        self.stem == other.stem || self.deed.is_some() && self.deed == other.deed
    }
}

/// What words are compared by, to be looked up: a vault may hold thousands of tasks.
#[derive(Debug, Default, PartialEq, Eq)]
struct Keys {
    stems: BTreeSet<String>,
    deeds: BTreeSet<String>,
}

impl Keys {
    fn has(&self, key: &Key) -> bool {
        self.stems.contains(&key.stem) || key.deed.as_ref().is_some_and(|deed| self.deeds.contains(deed))
    }
}

impl Extend<Key> for Keys {
    fn extend<I: IntoIterator<Item = Key>>(&mut self, keys: I) {
        for key in keys {
            self.stems.insert(key.stem);
            self.deeds.extend(key.deed);
        }
    }
}

impl FromIterator<Key> for Keys {
    fn from_iter<I: IntoIterator<Item = Key>>(keys: I) -> Keys {
        let mut out = Keys::default();
        out.extend(keys);
        out
    }
}

/// Returns what the words of a text that tell something are compared by, each once.
fn keys_of(text: &str, least: Weight) -> Vec<Key> {
    let mut known = Keys::default();
    let mut out = Vec::new();
    for word in words(text).into_iter().map(|word| word.of(text)).filter(|word| weight(word) >= least) {
        let key = Key::of(word);
        if !known.has(&key) {
            known.extend([key.clone()]);
            out.push(key);
        }
    }
    out
}

/// Fewest words of what is to be done that can be told by themselves.
const CORE_MIN: usize = 2;

/// Returns what the words are compared by that say what is to be done: `order flour` of `order flour (20 kg) by Friday, Ada`.
fn core_of(text: &str) -> Vec<Key> {
    static UNTIL: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(|lexicon| lexicon.changes.until));
    let mut core = String::new();
    let mut depth = 0;
    for ch in text.chars() {
        depth += usize::from(ch == '(');
        if depth == 0 {
            core.push(ch);
        }
        depth -= usize::from(ch == ')' && depth > 0);
    }
    let is_name = |part: &str| !part.contains(' ') && part.starts_with(char::is_uppercase);
    let said = |part: &str| -> Vec<String> { words(part).iter().map(|word| fold(word.of(part))).collect() };
    let mut parts = core.split(", ");
    let first = parts.next().unwrap_or_default();
    // `by Friday`, behind what is to be done.
    let spans = words(first);
    let folded = said(first);
    let until = (CORE_MIN..folded.len()).find(|at| UNTIL.takes(&folded[*at..]) > 0);
    let first = until.map_or(first, |at| &first[..spans[at].start]);
    let others = parts.filter(|part| !is_name(part.trim()) && UNTIL.takes(&said(part)) == 0);
    let core = [first].into_iter().chain(others).collect::<Vec<_>>().join(", ");
    [Weight::Strong, Weight::Weak]
        .into_iter()
        .map(|least| keys_of(&core, least))
        .find(|keys| keys.len() >= CORE_MIN)
        .unwrap_or_else(|| keys_of(text, Weight::Weak))
}

impl Action {
    fn new(text: &str, owner: Option<&str>) -> Option<Action> {
        let text = text.trim().trim_end_matches(['.', ';', ',']);
        let said = words_of(text);
        if said.is_empty() || is_taken_back(text) {
            return None;
        }
        let (verbs, core) = (verbs_of(text), core_of(text));
        let mut words = said;
        let (nouns, numbers) = (nouns_of(text), numbers_of(text));
        words.extend(owner.into_iter().flat_map(words_of));
        let text = owner.map_or_else(|| text.to_owned(), |owner| format!("{owner}: {text}"));
        Some(Action { text, words, core, nouns, verbs, numbers, is_listed: false })
    }

    fn is_said_again_by(&self, other: &Action) -> bool {
        if self.is_listed && other.is_listed {
            return self.words == other.words && self.numbers == other.numbers;
        }
        let n_common = self.words.intersection(&other.words).count();
        let enough = |all: usize| n_common * SAME_MIN.1 >= all * SAME_MIN.0;
        n_common > 0 && enough(self.words.len()) && enough(other.words.len())
    }
}

/// The first word of a text, and of one that says who is to do it the word for that: `Ada paints the door`, `Ada must paint the
/// door`, `Ada promised to paint the door`, `I will paint the door`.
fn verbs_of(text: &str) -> Vec<String> {
    static MUST: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(|lexicon| lexicon.changes.must));
    static TO: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(|lexicon| lexicon.changes.to));
    let spans = words(text);
    let folded: Vec<String> = spans.iter().map(|word| fold(word.of(text))).collect();
    let is_capital = |at: usize| spans.get(at).is_some_and(|word| word.of(text).starts_with(char::is_uppercase));
    let takes = |phrases: &Phrases, at: usize| folded.get(at..).map_or(0, |behind| phrases.takes(behind));
    let begins_thing = |at: usize| is_capital(at) || folded.get(at).is_some_and(|word| is_determiner(word));
    let is_doer = is_capital(0) && !is_capital(1);
    let from = match folded.first() {
        Some(first) if is_stop(first) => Some(1),
        _ if takes(&MUST, 1) > 0 => Some(1 + takes(&MUST, 1)),
        _ if is_doer && takes(&TO, 2) > 0 => Some(3),
        _ => Some(1).filter(|_| is_doer && begins_thing(2)),
    };
    let behind = from.and_then(|from| folded.iter().skip(from).find(|word| !is_stop(word)));
    // German has it last: `das Fenster abdichten`.
    let is_small = |word: &&Span| word.of(text).starts_with(char::is_lowercase) && word.of(text).ends_with('n');
    let last = spans.iter().rev().find(is_small).map(|word| fold(word.of(text))).filter(|word| deed(word).is_some());
    folded.first().into_iter().chain(behind).cloned().chain(last).collect()
}

fn is_determiner(word: &str) -> bool {
    static DETERMINERS: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.pages.determiners));
    DETERMINERS.has(word)
}

/// The words of a text that have a digit.
fn numbers_of(text: &str) -> BTreeSet<String> {
    let all = words(text).into_iter().map(|word| word.of(text));
    all.filter(|word| word.contains(|ch: char| ch.is_ascii_digit())).map(fold).collect()
}

/// Returns the stems of the words of a text that tell something.
pub fn words_of(text: &str) -> BTreeSet<String> {
    let all = words(text).into_iter().map(|word| word.of(text)).filter(|word| weight(word) != Weight::Stop);
    all.map(|word| stem(&fold(word))).collect()
}

/// The stem of the last word before what says where, when or for what; of every word up to there where a determiner begins.
fn nouns_of(text: &str) -> BTreeSet<String> {
    static SMALL: OnceLock<[BTreeSet<&str>; 2]> = OnceLock::new();
    let [determiners, prepositions] = SMALL.get_or_init(|| {
        let determiners = LEXICONS.iter().flat_map(|lexicon| lexicon.pages.determiners.split_whitespace());
        let prepositions = LEXICONS.iter().flat_map(|lexicon| lexicon.pages.prepositions.split_whitespace());
        [determiners.collect(), prepositions.collect()]
    });
    let mut nouns: Vec<String> = Vec::new();
    let mut has_determiner = false;
    for word in words(text) {
        let ends = text[..word.start].trim_end().ends_with([',', ':', '(']);
        let lower = word.of(text).to_lowercase();
        let is_small = prepositions.contains(lower.as_str()) && !determiners.contains(lower.as_str());
        has_determiner |= nouns.is_empty() && determiners.contains(lower.as_str());
        if !nouns.is_empty() && (ends || is_small) {
            break;
        }
        nouns.extend(words_of(word.of(text)));
    }
    let from = if has_determiner { 0 } else { nouns.len().saturating_sub(1) };
    nouns.drain(from..).collect()
}

#[cfg(test)]
mod tests;
