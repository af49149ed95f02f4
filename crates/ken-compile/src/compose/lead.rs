//! The claim that a page opens with, and the sentence of it that stands for the page.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use ken_core::Category;
use ken_core::header::TLDR_CHARS_MAX;
use ken_core::language::{WordSet, phrases};
use ken_core::markdown::inert;
use ken_core::orders::order;
use ken_core::text::{cut, sentences};
use ken_core::words::{Weight, fold, stem, weight, words};

use super::{PageInput, Statement, dated, is_fault, plain, reference};
use crate::account::Claim;
use crate::alone;
use crate::naming::COMPANION_TITLE;
use crate::passage::PassageKind;
use crate::score;
use crate::subject::is_determiner;
use ken_core::text::capital;

/// The claim that says most of what the page says: it shares its words with the others, opens with the
/// subject, defines it, and is of a length that one can take in.
pub(super) fn central(input: &PageInput, claims: &[Claim<'_>]) -> Option<usize> {
    let names: Vec<String> = std::iter::once(&input.title).chain(&input.aliases).map(|name| fold(name)).collect();
    let bags: Vec<BTreeSet<String>> = claims.iter().map(|claim| strong_stems(&claim.statement.text)).collect();
    let mut shared: BTreeMap<&String, usize> = BTreeMap::new();
    bags.iter().flatten().for_each(|word| *shared.entry(word).or_default() += 1);
    let score = |n: usize| {
        let statement = claims[n].statement;
        let text = fold(&statement.text);
        let before = phrases(|lexicon| lexicon.pages.before_names).chain(["`"]);
        let text = before.fold(text.as_str(), |text, word| text.strip_prefix(word).unwrap_or(text));
        let opens = names.iter().any(|name| text.starts_with(name.as_str()));
        let behind = names
            .iter()
            .find_map(|name| text.strip_prefix(name.as_str()))
            .unwrap_or("")
            .trim_start_matches(['`', 's', ' ']);
        let defines = opens && phrases(|lexicon| lexicon.pages.defining).any(|word| behind.starts_with(word));
        let overlap: usize = bags[n].iter().map(|word| shared[word] - 1).sum();
        let centrality = overlap as f64 / (bags[n].len().max(1) as f64 * claims.len().max(1) as f64);
        let len = statement.text.chars().count();
        let fits = if (40..=220).contains(&len) { 0.5 } else { 0.0 };
        // What cannot stand alone leads no page.
        let leans = if tldr(input, statement).is_none() { -LEAD_NONE } else { 0.0 };
        let open = if matches!(statement.kind, PassageKind::Action | PassageKind::Question) { -2.0 } else { 0.0 };
        // What was wrong when work began says nothing of what holds.
        let fault = if is_fault(input, statement) { -LEAD_NONE } else { 0.0 };
        let own = if statement.is_own { 1.0 } else { 0.0 };
        // What was settled says what holds, and what was said last holds now.
        let settled = if matches!(statement.kind, PassageKind::Decision | PassageKind::Lesson) { 0.5 } else { 0.0 };
        let recent = 0.8 * (1.0 - n as f64 / claims.len() as f64);
        let own = own + settled + recent;
        centrality + own + fits + leans + open + fault + f64::from(u8::from(opens)) + 1.5 * f64::from(u8::from(defines))
    };
    best(claims, score).filter(|n| score(*n) > -LEAD_NONE / 2.0)
}

/// What a claim lacks that says nothing alone; more than any claim scores.
const LEAD_NONE: f64 = 100.0;

/// The claim with the highest score that may stand for the page: nothing external or unverified, and no order to a reader.
fn best(claims: &[Claim<'_>], score: impl Fn(usize) -> f64) -> Option<usize> {
    let mut left: Vec<(f64, usize)> =
        (0..claims.len()).filter(|n| claims[*n].statement.is_believed()).map(|n| (score(n), n)).collect();
    // The first of equals is the newest: claims are sorted.
    left.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    left.into_iter().map(|(_, n)| n).find(|n| order(&claims[*n].statement.text).is_none())
}

fn strong_stems(text: &str) -> BTreeSet<String> {
    let strong = words(text).into_iter().map(|word| word.of(text)).filter(|word| weight(word) == Weight::Strong);
    strong.map(|word| stem(&fold(word))).collect()
}

/// The claim that says most of what a tldr says.
pub(super) fn closest(tldr: &str, claims: &[Claim<'_>]) -> Option<usize> {
    let wanted = strong_stems(tldr);
    let score = |n: usize| {
        let statement = claims[n].statement;
        let own = strong_stems(&statement.text);
        let n_shared = own.intersection(&wanted).count() as f64;
        let share = n_shared / (own.len().max(4) as f64 * wanted.len().max(4) as f64).sqrt();
        let is_open = matches!(statement.kind, PassageKind::Action | PassageKind::Question);
        share + if statement.is_own { 0.3 } else { 0.0 } - if is_open { 1.0 } else { 0.0 }
    };
    best(claims, score).filter(|n| score(*n) > 0.0)
}

/// The sentence of a lead that says what the page says, as plain text: it can be understood alone and names what the
/// page is about.
pub(super) fn tldr(input: &PageInput, lead: &Statement) -> Option<String> {
    let text = plain(&dated(lead));
    let names = strong_stems(input.title.trim_end_matches(COMPANION_TITLE));
    let names_it = |sentence: &str| !strong_stems(sentence).is_disjoint(&names);
    let text = without_label(&text, names_it);
    // What tells little (`The nursery called again.`) sums nothing up.
    let tells = |text: &&str| {
        let is_told = || score::score(text, false) >= TELLING_MIN || does_something(text, &names);
        text.contains(|ch: char| ch.is_ascii_digit()) || is_told()
    };
    let whole =
        || sentences(&text).into_iter().map(|span| span.of(&text)).filter(|text| alone::stands(text)).filter(tells);
    let is_work = input.category == Category::Project;
    // A piece of work is told by what speaks of several of its title's words, or was settled about one.
    let is_settled = matches!(lead.kind, PassageKind::Decision | PassageKind::Lesson);
    let n_min = if is_settled { 1 } else { names.len().clamp(1, 2) };
    let tells_work = |sentence: &str| strong_stems(sentence).intersection(&names).count() >= n_min;
    // Where little is said, a short sentence that names it is about it.
    let is_few = input.statements.len() <= FEW_STATEMENTS;
    let is_named = |sentence: &str| is_few && names_it(sentence) && words(sentence).len() <= SHORT_WORDS;
    let is_about = |sentence: &&str| match is_work {
        true => tells_work(sentence),
        false => opens_with(sentence, &names) || is_named(sentence),
    };
    // The lead of a document was chosen for how it begins.
    let chosen = match lead.place.is_some() {
        true => Some(reference::first_sentence(&dated(lead))),
        false => whole().find(is_about).map(str::to_owned),
    };
    let tldr = cut(&chosen?, TLDR_CHARS_MAX - 1);
    // Cut within code, what was code is none any more.
    Some(match inert(&tldr) {
        Cow::Borrowed(_) => tldr,
        Cow::Owned(longer) => inert(&cut(&longer, TLDR_CHARS_MAX - 1).replace('`', "'")).into_owned(),
    })
}

/// Least worth of a sentence that stands for a page and names no number.
const TELLING_MIN: f32 = 0.6;
/// So few statements are little, and so many words a short sentence.
const FEW_STATEMENTS: usize = 3;
const SHORT_WORDS: usize = 12;
/// Whether a verb in the present stands behind what a page is about: `The oven timer rings …`.
fn does_something(sentence: &str, names: &BTreeSet<String>) -> bool {
    let all = words(sentence);
    let named = all.iter().rposition(|word| names.contains(&stem(&fold(word.of(sentence)))));
    let verb = named.and_then(|n| all.get(n + 1)).map_or("", |word| word.of(sentence));
    verb.ends_with('s') && !verb.ends_with("ss") && verb.starts_with(char::is_lowercase)
}

/// Words at the beginning of a sentence among which its subject stands.
const SUBJECT_WORDS: usize = 5;

/// Whether a sentence begins with what a page is about: that is its subject, by its place.
fn opens_with(sentence: &str, names: &BTreeSet<String>) -> bool {
    let end = words(sentence).into_iter().nth(SUBJECT_WORDS - 1).map_or(sentence.len(), |word| word.end);
    let opening = &sentence[..end];
    let named = words(opening).into_iter().find(|word| names.contains(&stem(&fold(word.of(opening)))));
    // `By Ada's estimate` and `Decided with Ada` are about something else.
    let is_object = named.is_some_and(|word| {
        let (before, behind) = (opening[..word.start].trim_end(), &sentence[word.end..]);
        let last = before.split(' ').next_back().unwrap_or("");
        (last == before || behind.starts_with(':')) && is_preposition(&last.to_lowercase())
    });
    // A title of common words names nothing that a sentence could begin with.
    !names.is_empty() && !is_object && names.is_subset(&strong_stems(opening))
}

/// Whether what stands behind a word is no subject.
pub(super) fn is_preposition(word: &str) -> bool {
    static PREPOSITIONS: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.pages.prepositions));
    // In another language it may be one: `a valve` and `a casa`.
    PREPOSITIONS.has(word) && !is_determiner(word)
}

/// Longest label in characters, and in words.
const LABEL_CHARS_MAX: usize = 30;
const LABEL_WORDS_MAX: usize = 4;
/// Fewest words that a label is told apart from.
const LABELLED_WORDS_MIN: usize = 4;

/// A text without the label before it (`Root cause: …`), unless the label is what the page is about.
fn without_label(text: &str, names_it: impl Fn(&str) -> bool) -> Cow<'_, str> {
    let Some((label, rest)) = text.split_once(": ") else { return Cow::Borrowed(text) };
    let is_label = label.chars().count() <= LABEL_CHARS_MAX
        && label.split(' ').count() <= LABEL_WORDS_MAX
        && !label.contains(['`', '.', ','])
        && rest.split(' ').count() >= LABELLED_WORDS_MIN;
    // What goes on in small letters may be a task, or the rest of what the label begins.
    let first = rest.split(' ').next().unwrap_or("");
    let is_label = is_label && (!first.starts_with(char::is_lowercase) || is_determiner(first));
    if is_label && !names_it(label) { Cow::Owned(capital(rest.trim_start())) } else { Cow::Borrowed(text) }
}
