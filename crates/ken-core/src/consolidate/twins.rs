//! Compiled pages that are of one thing under two names.
//!
//! Two signs are sure: names that differ in blanks, hyphens, case or accents alone, and a name with its abbreviation
//! where a statement gives both (`Orders Service (OS)`). Everything else is put up for review.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::Regex;

use crate::language::fold;
use crate::link::without_links;
use crate::slug::Slug;
use crate::span::Span;
use crate::words::{is_stop, words};

/// Letters that a name must have for its spelling to tell anything: of shorter ones too many are like others.
const LETTERS_MIN: usize = 6;
/// Claims that a page must have for all of them standing on another one to mean something.
const CLAIMS_MIN: usize = 3;
/// Entries that must name the one, and may name the other at most, where one of two is misspelt.
const SPELLED_MIN: usize = 4;
/// See [`SPELLED_MIN`].
const MISSPELT_MAX: usize = 1;
/// Letters of an abbreviation.
const ABBREVIATED: std::ops::RangeInclusive<usize> = 2..=8;

/// What is known of a compiled page whose name may be another's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// The page.
    pub slug: Slug,
    /// What it is called.
    pub title: String,
    /// Whether that is the name of a thing, a person or a place.
    pub is_name: bool,
    /// Entries that name it.
    pub n_entries: usize,
    /// The lines that its claims cite: a number for each place, the same on every page.
    pub cited: BTreeSet<u32>,
}

/// By what two pages look like one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Likeness {
    /// Their names differ in blanks, hyphens, case or accents alone.
    Spelled,
    /// A statement gives the long and the short name beside each other; where it stands.
    Abbreviated(String),
    /// One is the first word of the other, and of no third one.
    ShortName,
    /// One letter more or less, and hardly anybody spells it so.
    Misspelt,
    /// All that one says stands on the other; how many lines they cite.
    SameClaims(usize),
}

impl Likeness {
    /// Returns whether nothing else can be meant.
    pub fn is_sure(&self) -> bool {
        matches!(self, Likeness::Spelled | Likeness::Abbreviated(_))
    }

    /// Returns it in words.
    pub fn told(&self) -> String {
        match self {
            Likeness::Spelled => "the names differ in spelling alone".to_owned(),
            Likeness::Abbreviated(at) => format!("{at} gives both names"),
            Likeness::ShortName => "one is the first word of the other".to_owned(),
            Likeness::Misspelt => "the names differ in one letter".to_owned(),
            Likeness::SameClaims(n) => format!("all {n} places that the first cites, the second cites too"),
        }
    }
}

/// Two pages that are, or may be, one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Twin {
    /// The page that is named less.
    pub from: Slug,
    /// The page that it would lead to.
    pub into: Slug,
    /// Why.
    pub likeness: Likeness,
}

/// An abbreviation as a statement gives it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Abbreviation {
    /// The long name.
    pub long: String,
    /// The short one.
    pub short: String,
}

/// Returns the pages that are or may be one; `abbreviations` are those that statements give, each with where it stands.
pub fn twins(pages: &[Named], abbreviations: &BTreeMap<Abbreviation, String>) -> Vec<Twin> {
    let mut found: BTreeMap<(usize, usize), Likeness> = BTreeMap::new();
    let mut note = |a: usize, b: usize, likeness: Likeness| {
        if a != b {
            // The one that is named less leads to the other.
            let rank = |n: usize| (std::cmp::Reverse(pages[n].n_entries), &pages[n].slug);
            let (into, from) = if rank(a) < rank(b) { (a, b) } else { (b, a) };
            found.entry((from, into)).or_insert(likeness);
        }
    };
    let mut spelled: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (n, page) in pages.iter().enumerate() {
        spelled.entry(joined(&page.title)).or_default().push(n);
    }
    for (key, same) in &spelled {
        if letters(key) >= LETTERS_MIN {
            let best = same.iter().copied().min_by_key(|n| (std::cmp::Reverse(pages[*n].n_entries), &pages[*n].slug));
            same.iter().for_each(|n| note(*n, best.unwrap_or(*n), Likeness::Spelled));
        }
    }
    let named = |name: &str| Slug::from_text(name).and_then(|slug| pages.iter().position(|page| page.slug == slug));
    for (one, at) in unambiguous(abbreviations) {
        if let (Some(long), Some(short)) = (named(&one.long), named(&one.short)) {
            note(long, short, Likeness::Abbreviated(at.clone()));
        }
    }
    short_names(pages).into_iter().for_each(|(a, b)| note(a, b, Likeness::ShortName));
    misspelt(pages, &spelled).into_iter().for_each(|(a, b)| note(a, b, Likeness::Misspelt));
    same_claims(pages).into_iter().for_each(|(a, b, n)| note(a, b, Likeness::SameClaims(n)));
    let twin = |((from, into), likeness): ((usize, usize), Likeness)| Twin {
        from: pages[from].slug.clone(),
        into: pages[into].slug.clone(),
        likeness,
    };
    let mut out: Vec<Twin> = found.into_iter().map(twin).collect();
    out.sort_by(|a, b| (&a.from, &a.into).cmp(&(&b.from, &b.into)));
    out
}

/// A name without what is only spelling. Between digits a mark tells versions apart, and stays.
fn joined(title: &str) -> String {
    let folded: Vec<char> = fold(title).chars().collect();
    let is_digit = |ch: Option<&char>| ch.is_some_and(char::is_ascii_digit);
    let keeps = |n: &usize| {
        let is_between = *n > 0 && is_digit(folded.get(n - 1)) && is_digit(folded.get(n + 1));
        // What is no letter of a name but says something: `C++`, `c#`.
        folded[*n].is_alphanumeric() || is_between || matches!(folded[*n], '+' | '#' | '/' | '.' | '&')
    };
    (0..folded.len()).filter(keeps).map(|n| folded[n]).collect()
}

fn letters(key: &str) -> usize {
    key.chars().filter(|ch| ch.is_alphabetic()).count()
}

/// Those of the abbreviations that stand for one name, and names that have one.
fn unambiguous(all: &BTreeMap<Abbreviation, String>) -> impl Iterator<Item = (&Abbreviation, &String)> {
    let mut longs: BTreeMap<Option<Slug>, BTreeSet<Option<Slug>>> = BTreeMap::new();
    for one in all.keys() {
        longs.entry(Slug::from_text(&one.short)).or_default().insert(Slug::from_text(&one.long));
    }
    all.iter().filter(move |(one, _)| longs[&Slug::from_text(&one.short)].len() == 1)
}

/// Returns the abbreviations that a statement gives: `Orders Service (OS)`, `OS (Orders Service)`.
pub fn abbreviations(text: &str) -> Vec<Abbreviation> {
    static IN_BRACKETS: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\(([^()]{2,60})\)").expect("it is fixed"));
    let (mut out, text) = (Vec::new(), without_links(text));
    let text = text.as_str();
    for found in IN_BRACKETS.captures_iter(text) {
        let (Some(whole), Some(inside)) = (found.get(0), found.get(1)) else { continue };
        let before = &text[..whole.start()];
        let short = inside.as_str().trim();
        if is_abbreviation(short)
            && let Some(long) = spelled_out(before, short, true)
        {
            out.push(Abbreviation { long, short: short.to_owned() });
        } else if let Some(short) = before.split_whitespace().next_back().filter(|short| is_abbreviation(short))
            && let Some(long) = spelled_out(inside.as_str(), short, false)
        {
            out.push(Abbreviation { long, short: short.to_owned() });
        }
    }
    out
}

fn is_abbreviation(text: &str) -> bool {
    ABBREVIATED.contains(&text.chars().count()) && text.chars().all(char::is_uppercase)
}

/// The last words of a text, or all of them, if their first letters are those of `short`.
fn spelled_out(text: &str, short: &str, is_end: bool) -> Option<String> {
    let all: Vec<Span> = words(text);
    let letters: Vec<String> = short.chars().rev().map(|ch| fold(&ch.to_string())).collect();
    let (mut at, mut left) = (all.len(), letters.as_slice());
    while let Some((letter, rest)) = left.split_first() {
        at = at.checked_sub(1)?;
        let word = all[at].of(text);
        if fold(word).starts_with(letter.as_str()) {
            left = rest;
        } else if !is_stop(word) || left.len() == letters.len() {
            return None;
        }
    }
    let span = Span::new(all.get(at)?.start, all.last()?.end);
    let is_whole = is_end || at == 0;
    // What stands between the words joins them: a comma or a full stop ends a name.
    let is_name = !span.of(text).contains([',', '.', ';', ':', '"']) && text[span.end..].trim().is_empty();
    // A thing is called so, where it is written as a name: `as soon as possible (ASAP)` is none.
    let is_written_so = all[at..].iter().any(|word| word.of(text).chars().next().is_some_and(char::is_uppercase));
    (is_whole && is_name && is_written_so).then(|| span.of(text).to_owned())
}

/// Names of which one is the first word of the other and of no third one.
fn short_names(pages: &[Named]) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    for (n, short) in pages.iter().enumerate().filter(|(_, page)| page.is_name) {
        let folded = fold(&short.title);
        if folded.contains(char::is_whitespace) || folded.chars().count() < 4 {
            continue;
        }
        let begins = |long: &Named| {
            let mut words = long.title.split_whitespace();
            words.next().is_some_and(|first| fold(first) == folded)
                && words.clone().next().is_some()
                && words.all(|word| word.chars().next().is_some_and(char::is_uppercase))
        };
        let mut longer = (0..pages.len()).filter(|other| begins(&pages[*other]));
        if let (Some(only), None) = (longer.next(), longer.next())
            && pages[only].is_name
        {
            out.push((n, only));
        }
    }
    out
}

/// Names that differ in one letter more or less, or two that changed places, of which one is spelled so hardly ever.
fn misspelt(pages: &[Named], spelled: &BTreeMap<String, Vec<usize>>) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    for (key, own) in spelled {
        let is_rare = own.iter().all(|n| pages[*n].n_entries <= MISSPELT_MAX);
        if !is_rare || letters(key) <= LETTERS_MIN || key.contains(|ch: char| ch.is_ascii_digit()) {
            continue;
        }
        for other in near_spellings(key).iter().filter_map(|near| spelled.get(near)).flatten() {
            if pages[*other].n_entries >= SPELLED_MIN {
                out.push((own[0], *other));
            }
        }
    }
    // What has a letter less was not made by taking one away.
    for (key, own) in spelled {
        let is_known = own.iter().any(|n| pages[*n].n_entries >= SPELLED_MIN);
        if is_known && letters(key) > LETTERS_MIN {
            let shorter = without_a_letter(key);
            let rare = shorter.iter().filter_map(|near| spelled.get(near)).flatten();
            out.extend(rare.filter(|n| pages[**n].n_entries <= MISSPELT_MAX).map(|n| (*n, own[0])));
        }
    }
    out
}

/// A name with a letter taken away, or with two that changed places; its first letter stays, and so does its last: an
/// ending makes another word of it.
fn near_spellings(key: &str) -> BTreeSet<String> {
    let chars: Vec<char> = key.chars().collect();
    let mut out = without_a_letter(key);
    for n in 1..chars.len().saturating_sub(2) {
        let mut swapped = chars.clone();
        swapped.swap(n, n + 1);
        out.insert(swapped.into_iter().collect());
    }
    out.remove(key);
    out
}

fn without_a_letter(key: &str) -> BTreeSet<String> {
    let chars: Vec<char> = key.chars().collect();
    let without = |n: usize| chars[..n].iter().chain(&chars[n + 1..]).collect::<String>();
    (1..chars.len().saturating_sub(1)).map(without).collect()
}

/// Pages of which one cites nothing that the other does not, and says as much.
fn same_claims(pages: &[Named]) -> Vec<(usize, usize, usize)> {
    let mut by_place: BTreeMap<&u32, Vec<usize>> = BTreeMap::new();
    for (n, page) in pages.iter().enumerate().filter(|(_, page)| page.cited.len() >= CLAIMS_MIN) {
        page.cited.iter().for_each(|place| by_place.entry(place).or_default().push(n));
    }
    let mut out = Vec::new();
    for (n, page) in pages.iter().enumerate().filter(|(_, page)| page.cited.len() >= CLAIMS_MIN) {
        let Some(first) = page.cited.first().and_then(|place| by_place.get(place)) else { continue };
        let has_all = |other: &usize| *other != n && pages[*other].cited.is_superset(&page.cited);
        // What says much more is not the same, only about it, too.
        let is_alike = |other: &usize| pages[*other].cited.len() * 2 <= page.cited.len() * 3;
        out.extend(first.iter().filter(|other| has_all(other) && is_alike(other)).map(|o| (n, *o, page.cited.len())));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(title: &str, n_entries: usize) -> Named {
        let slug = Slug::from_text(title).expect("a name");
        Named { slug, title: title.to_owned(), is_name: true, n_entries, cited: BTreeSet::new() }
    }

    #[track_caller]
    fn check(titles: &[(&str, usize)], statements: &[&str], expected: &[&str]) {
        let pages: Vec<Named> = titles.iter().map(|(title, n)| named(title, *n)).collect();
        let given = statements.iter().flat_map(|text| abbreviations(text)).map(|one| (one, "daily/a.md#L1".to_owned()));
        let shown = |twin: Twin| {
            let mark = if twin.likeness.is_sure() { "=" } else { "?" };
            format!("{} {mark} {}: {}", twin.from, twin.into, twin.likeness.told())
        };
        let found: Vec<String> = twins(&pages, &given.collect()).into_iter().map(shown).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn names_that_differ_in_spelling_alone_are_one() {
        let alone = "the names differ in spelling alone";
        check(&[("Log book", 2), ("logbook", 5)], &[], &[&format!("log-book = logbook: {alone}")]);
        check(&[("Café Lisboa", 1), ("CafeLisboa", 3)], &[], &[&format!("café-lisboa = cafelisboa: {alone}")]);
    }

    #[test]
    fn what_only_looks_alike_is_left() {
        check(&[("a part", 2), ("apart", 5)], &[], &[]);
        check(&[("release 1.12", 2), ("release 11.2", 5), ("release 112", 3)], &[], &[]);
        check(&[("Server C++", 2), ("Server C", 5), ("Server C#", 3)], &[], &[]);
        check(&[("login test", 1), ("login tests of old", 9)], &[], &[]);
    }

    #[test]
    fn an_abbreviation_is_one_where_a_statement_gives_it() {
        let pages = [("Bakery Order Service", 2), ("BOS", 4)];
        let told = "daily/a.md#L1 gives both names";
        check(
            &pages,
            &["The Bakery Order Service (BOS) runs nightly."],
            &[&format!("bakery-order-service = bos: {told}")],
        );
        check(&pages, &["BOS (Bakery Order Service) runs."], &[&format!("bakery-order-service = bos: {told}")]);
        check(
            &pages,
            &["The [[Bakery Order Service]] ([[bos|BOS]]) runs."],
            &[&format!("bakery-order-service = bos: {told}")],
        );
        check(&pages, &["BOS replaces the Bakery Order Service."], &[]);
        check(&pages, &["Bakery Order Service (BOS)", "Box Office System (BOS)"], &[]);
        check(&[("as soon as possible", 2), ("ASAP", 4)], &["It is due as soon as possible (ASAP)."], &[]);
        check(
            &[("Bank of Spain", 2), ("BS", 4)],
            &["The Bank of Spain (BS)"],
            &["bank-of-spain = bs: daily/a.md#L1 gives both names"],
        );
    }

    #[test]
    fn short_and_misspelt_names_are_for_a_person_to_judge() {
        check(&[("Maren", 9), ("Maren Holt", 2)], &[], &["maren-holt ? maren: one is the first word of the other"]);
        check(&[("Maren", 9), ("Maren Holt", 2), ("Maren Vey", 2)], &[], &[]);
        check(&[("gateway", 9), ("gatway", 1)], &[], &["gatway ? gateway: the names differ in one letter"]);
        check(&[("gateway", 9), ("gaetway", 1)], &[], &["gaetway ? gateway: the names differ in one letter"]);
        check(&[("gateway", 9), ("gateways", 1)], &[], &[]);
        check(&[("gateway", 9), ("gatway", 3)], &[], &[]);
    }

    #[test]
    fn pages_that_cite_the_same_lines_are_for_a_person_to_judge() {
        let cites = |title: &str, places: &[u32]| Named {
            cited: places.iter().copied().collect(),
            ..named(title, places.len())
        };
        let pages = [cites("proof", &[1, 2, 3]), cites("cold proof box", &[1, 2, 3, 4]), cites("other", &[1, 2, 9])];
        let found = twins(&pages, &BTreeMap::new());
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].from.as_str(), &found[0].likeness), ("proof", &Likeness::SameClaims(3)));
    }

    #[test]
    fn hostile_text_gives_no_abbreviation_and_never_panics() {
        for text in ["(AB", "()(AB)", "(AB)", "ÄÖ (ÄÖ)", "\u{202e}x (XY)", "((((((AB))))))", "a (A\nB)"] {
            let _ = abbreviations(text);
        }
        assert_eq!(abbreviations(&"(AB) ".repeat(2_000)), []);
    }
}
