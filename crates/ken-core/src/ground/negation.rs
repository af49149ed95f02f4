//! A claim that says "not" where its lines do not, or the reverse.
//!
//! Reads negations of the verb (`does not`, `never`, `no longer`) in English, German, French, Italian and
//! Spanish; returns the place of one that is missing on the other side. It only speaks up when nothing else
//! on that side could carry the same sense, so it overlooks much and rarely errs.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use crate::language::{LEXICONS, WordSet};
use crate::span::Span;
use crate::text::sentences;
use crate::words::{fold, folded_words, is_stop, stem, words};

static STRONG: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.claims.negating));
static WEAK: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.claims.may_negate));

static CHANGES: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.claims.changes));
/// What says how many there are at most or at least: `never more than 80` says it, too.
static BOUNDS: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let all = LEXICONS.iter().flat_map(|lexicon| lexicon.changes.bounds.split('|'));
    all.filter(|phrase| phrase.contains(' ') && !phrase.contains(['/', '~', '*'])).collect()
});

/// How much of the claim's wording a sentence has to share to be what the claim restates.
const SHARED_MIN: f32 = 0.75;
/// A claim with fewer stems restates nothing for sure.
const STEMS_MIN: usize = 3;
/// Longest cited text whose sentences are compared.
const CITED_BYTES_MAX: usize = 20_000;

/// Returns the negation that stands on one side only: its word in the claim, or the whole claim that lacks it.
pub(super) fn missing(claim: &str, cited: &str) -> impl Iterator<Item = Span> + use<> {
    found(claim, cited).into_iter()
}

fn found(claim: &str, cited: &str) -> Option<Span> {
    let said = words(claim);
    let wanted = stems_of(claim, &said);
    if cited.len() > CITED_BYTES_MAX || wanted.len() < STEMS_MIN {
        return None;
    }
    if let Some(word) = said.iter().find(|word| is_strong(claim, **word)).copied() {
        // `Flour comes no longer from Ada` is what `Ben replaces Ada` says.
        let is_end = claim[word.end..].starts_with(" longer");
        if is_end && words(cited).iter().any(|word| CHANGES.has(&fold(word.of(cited)))) {
            return None;
        }
        // Of a claim of several sentences only the one that negates is compared.
        let holds = |span: &&Span| span.start <= word.start && word.end <= span.end;
        let own = sentences(claim).iter().find(holds).map_or("", |span| span.of(claim));
        let wanted = Some(stems_of(own, &words(own))).filter(|own| own.len() >= STEMS_MIN).unwrap_or(wanted);
        // What a sentence beside it negates may have been joined with what the claim restates.
        let same: Vec<&str> =
            sentences(cited).into_iter().map(|span| span.of(cited)).filter(|text| is_shared(&wanted, text)).collect();
        // German negates behind what it negates: `Das kaufen wir nicht`.
        let bare = |said: &str| said.trim_matches(|ch: char| !ch.is_alphanumeric()).to_owned();
        let is_quoted = |said: &str| has_strong(said) && claim.contains(&bare(said));
        let negates = |span: &Span| is_quoted(span.of(cited)) || negates_too((claim, word), &wanted, span.of(cited));
        let is_flipped =
            !same.is_empty() && !same.into_iter().any(has_negative) && !sentences(cited).iter().any(negates);
        return (is_flipped || !has_negative(cited)).then_some(word);
    }
    if has_negative(claim) || !has_strong(cited) || has_bound(claim) {
        return None;
    }
    let all = sentences(cited);
    let flips = all.iter().any(|span| is_flipped(&wanted, span.of(cited)));
    // The same said without a negation elsewhere grounds the claim.
    let is_said = || all.iter().any(|span| !has_strong(span.of(cited)) && is_shared(&wanted, span.of(cited)));
    (flips && !is_said()).then(|| Span::new(0, claim.len()))
}

/// Whether a text says how many there are at most or at least.
fn has_bound(text: &str) -> bool {
    let said = format!(" {} ", folded_words(text).join(" "));
    BOUNDS.iter().any(|phrase| said.contains(&format!(" {phrase} ")))
}

/// Whether a sentence negates what a claim does behind a word, and shares more with it than that (`not three` of `It is two
/// years. Not three, on everything.`) or says nothing else (`Not percent.`), whatever another sentence says without it.
fn negates_too((claim, word): (&str, Span), wanted: &BTreeSet<String>, sentence: &str) -> bool {
    let negated = negated_behind(claim, word);
    let there = stems_of(sentence, &words(sentence));
    let is_about_it = wanted.difference(&negated).any(|stem| there.contains(stem));
    let all = words(sentence);
    let mut strong = all.iter().filter(|word| is_strong(sentence, **word)).map(|word| negated_behind(sentence, *word));
    let is_it = |behind: BTreeSet<String>| {
        negated.is_subset(&behind) && (is_about_it || (behind == negated && there == behind))
    };
    !negated.is_empty() && strong.any(is_it)
}

/// The stems that stand behind a negating word in its clause.
fn negated_behind(text: &str, word: Span) -> BTreeSet<String> {
    let rest = &text[word.end..];
    let clause = &rest[..clause_end(rest)];
    stems_of(clause, &words(clause))
}

/// Where the clause ends with which a text begins.
fn clause_end(text: &str) -> usize {
    let marks = text.find([',', ';', ':', '(', '—', '–', '!', '?']);
    marks.into_iter().chain(text.find(". ")).min().unwrap_or(text.len())
}

/// Whether a text says what the claim does and negates it.
pub(super) fn denies(text: &str, claim: &str) -> bool {
    let wanted = stems_of(claim, &words(claim));
    wanted.len() >= STEMS_MIN && sentences(text).iter().any(|span| is_flipped(&wanted, span.of(text)))
}

/// Whether a sentence says what the claim does and negates it: all it negates stands in the claim.
fn is_flipped(wanted: &BTreeSet<String>, sentence: &str) -> bool {
    let all = words(sentence);
    let Some(at) = all.iter().position(|word| is_strong(sentence, *word)) else { return false };
    let negated = negated_behind(sentence, all[at]);
    // What stands behind that clause, too, is said of something else: `not by day! we lost a day in May`.
    let rest = &sentence[all[at].end..];
    let rest = &rest[clause_end(rest)..];
    let is_said_again = negated.is_subset(&stems_of(rest, &words(rest)));
    !negated.is_empty() && negated.is_subset(wanted) && !is_said_again && is_shared(wanted, sentence)
}

/// Whether a sentence has most of the claim's wording.
fn is_shared(wanted: &BTreeSet<String>, sentence: &str) -> bool {
    let there = stems_of(sentence, &words(sentence));
    wanted.intersection(&there).count() as f32 >= SHARED_MIN * wanted.len() as f32
}

fn stems_of(text: &str, all: &[Span]) -> BTreeSet<String> {
    let named = all.iter().map(|word| word.of(text)).filter(|word| !is_stop(word));
    named.map(|word| stem(&fold(word))).filter(|stem| !STRONG.has(stem)).collect()
}

fn is_strong(text: &str, word: Span) -> bool {
    let folded = fold(word.of(text));
    if STRONG.has(&folded) {
        // "not only", "whether or not" and "not just" negate nothing.
        let rest = text[word.end..].trim_start();
        let before = text[..word.start].trim_end();
        return !["only", "just", "necessarily"].iter().any(|next| rest.starts_with(next)) && !before.ends_with(" or");
    }
    // `don't` is cut into `don` and `t`.
    let rest = &text[word.end..];
    let is_cut = rest.starts_with("'t") || rest.starts_with("’t");
    let is_longer = rest.starts_with(" longer");
    (is_cut && folded.ends_with('n')) || (folded == "no" && is_longer)
}

/// Whether a text negates something.
pub(super) fn has_strong(text: &str) -> bool {
    words(text).into_iter().any(|word| is_strong(text, word))
}

/// Whether a text has a word that may negate something.
pub(super) fn has_negative(text: &str) -> bool {
    words(text).into_iter().any(|word| {
        let folded = fold(word.of(text));
        let is_reversed =
            folded.len() > 6 && folded.starts_with("un") && !un_words().any(|word| folded.starts_with(word));
        is_reversed || WEAK.has(&folded) || STRONG.has(&folded) || is_strong(text, word)
    })
}

fn un_words() -> impl Iterator<Item = &'static str> {
    LEXICONS.iter().flat_map(|lexicon| lexicon.claims.un_words.split_whitespace())
}
