//! Whether the cited text contains what a claim says.
//!
//! [`missing`] takes a claim and the texts of the lines it cites and returns the numbers, dates, names and
//! quotes of the claim that those lines do not contain, and a "not" that only one of both says. A thing is
//! contained whatever its spelling: `15-minute` and `fifteen minutes`, `1.000` and `1k`, `Feb 10` and
//! `yesterday` on the day after, `RefreshToken` and `refresh tokens`. When in doubt it is contained: what is
//! returned is worth a look, what is not returned is no proof. [`overlap`] says how much of a claim's
//! wording the cited text shares, against claims about something else altogether.
//!
//! Both are total and take time that grows with the length of the texts. They do not judge meaning: a claim
//! that puts the right numbers to the wrong things is contained. Units are not converted, and sums are not
//! done. What a claim adds to its lines on purpose is marked as synthesis by the caller and not asked about.

mod dates;
mod names;
mod negation;
mod numbers;
mod quotes;
mod spoken;
mod units;
mod values;
mod worded;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::BTreeSet;

pub(crate) use units::unit;
pub use values::{Sort, Value, denies, may_negate, negates, stems, values};

use crate::span::Span;
use crate::text::within;
use crate::time::Date;
use crate::when::is_calendar_name;
use crate::words::{fold, is_stop, stem, words};

/// What kind of thing a claim says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// `15`, `fifteen`, `50%`, `v1.2.3`, `14:30`.
    Number,
    /// `2026-02-10`, `Feb 10`, `yesterday`, `2026-W07`.
    Date,
    /// A proper name, an acronym, an identifier, a file name, a text in backticks.
    Name,
    /// Three words or more inside quotation marks.
    Quote,
    /// A "not" or "never" that the other side does not say.
    Negation,
}

/// Something a claim says and the cited text does not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    /// What it is.
    pub kind: Kind,
    /// How the claim says it.
    pub text: String,
}

/// Bytes of a claim that are looked at; a sentence is far shorter.
const CLAIM_BYTES_MAX: usize = 16 * 1024;
/// Bytes of cited text that are looked at: more than any document's worth of lines.
const CITED_BYTES_MAX: usize = 4 * 1024 * 1024;

/// Returns what `claim` says and the `cited` texts do not, in the order of the claim; empty when it is grounded.
///
/// `entry_date` is the day on which the cited text was written; without it relative words of that text may
/// mean any day. `known_names` says which names need no evidence: the subject's own, and slugs of pages.
///
/// ```
/// # use ken_core::ground::{Kind, missing};
/// let cited = ["Tokens rotate every fifteen minutes, says Ada."];
/// assert!(missing("Ada rotates tokens every 15 min.", &cited, None, &|_| false).is_empty());
/// let found = missing("Tokens rotate every 20 min.", &cited, None, &|_| false);
/// assert_eq!((found[0].kind, found[0].text.as_str()), (Kind::Number, "20"));
/// ```
pub fn missing(
    claim: &str,
    cited: &[&str],
    entry_date: Option<Date>,
    known_names: &dyn Fn(&str) -> bool,
) -> Vec<Missing> {
    let claim = within(claim, CLAIM_BYTES_MAX);
    let cited = joined(cited);
    let mut found: Vec<(Span, Kind)> = Vec::new();
    let dates = dates::said(claim, entry_date);
    let lost: Vec<&dates::Said> = dates::missing(&dates, &cited, entry_date).collect();
    let dated: Vec<Span> = match lost.iter().any(|date| date.is_relative) {
        true => dates::said(&cited, entry_date).iter().map(|date| date.span).collect(),
        false => Vec::new(),
    };
    let is_undated = |date: &dates::Said| worded::is_undated(date.span.of(claim), &cited, &dated);
    let is_written = |date: &dates::Said| worded::is_written(date.span.of(claim), &cited, entry_date);
    let lost = lost.into_iter().filter(|date| !(date.is_relative && is_undated(date) || is_written(date)));
    found.extend(lost.map(|date| (date.span, Kind::Date)));
    let names: Vec<names::Name> =
        names::names(claim).into_iter().filter(|name| !is_within(name.span, dates.iter().map(|d| d.span))).collect();
    found.extend(names::missing(claim, &names, &cited, known_names).into_iter().map(|span| (span, Kind::Name)));
    let taken: Vec<Span> = dates
        .iter()
        .filter(|date| !date.is_doubtful)
        .map(|date| date.span)
        .chain(names.iter().map(|name| name.span))
        .collect();
    found.extend(numbers::missing(claim, &taken, &cited).into_iter().map(|span| (span, Kind::Number)));
    found.extend(quotes::missing(claim, &cited).into_iter().map(|span| (span, Kind::Quote)));
    found.extend(negation::missing(claim, &cited).map(|span| (span, Kind::Negation)));
    found.sort_unstable();
    found.into_iter().map(|(span, kind)| Missing { kind, text: span.of(claim).to_owned() }).collect()
}

/// Returns the share, 0 to 1, of the claim's content words that the cited texts contain in some inflection;
/// 1 for a claim without any.
pub fn overlap(claim: &str, cited: &[&str]) -> f32 {
    let wanted = content(within(claim, CLAIM_BYTES_MAX));
    if wanted.is_empty() {
        return 1.0;
    }
    let there = content(&joined(cited));
    let n_shared = wanted.intersection(&there).count();
    n_shared as f32 / wanted.len() as f32
}

/// Returns whether a claim says something of what the cited texts name in another language than theirs, as far as the function
/// words of both tell: then its words need not be theirs.
///
/// ```
/// # use ken_core::ground::is_translated;
/// assert!(is_translated("It is Yoann who is to ask them for it.", &["Yoann va leur demander un geste."]));
/// assert!(!is_translated("It is Bastien who is to ask them for it.", &["Yoann va leur demander un geste."]));
/// assert!(!is_translated("It is Yoann who is to ask them for it.", &["That is for Yoann to ask."]));
/// ```
pub fn is_translated(claim: &str, cited: &[&str]) -> bool {
    let (claim, cited) = (within(claim, CLAIM_BYTES_MAX), joined(cited));
    let other = || spoken::spoken_in(&cited);
    let is_other = spoken::spoken_in(claim).is_some_and(|own| other().is_some_and(|other| other != own));
    is_other && spoken::shares_a_name(claim, &cited)
}

/// Returns the numbers of a text that count something, in digits or in words, each with what it may be read as; those of names
/// count nothing (`Room 2`, `HB-2207`).
pub(crate) fn counts_of(text: &str) -> Vec<Vec<String>> {
    let counts = |(span, _): &(Span, Vec<String>)| !is_of_name(&text[..span.start]);
    numbers::said(text).into_iter().filter(counts).map(|(_, readings)| readings).collect()
}

/// Whether what stands before a number makes it a part of a name: letters and a hyphen, or a word with a capital that is no day
/// or month.
fn is_of_name(before: &str) -> bool {
    if let Some(glued) = before.strip_suffix('-') {
        return glued.ends_with(char::is_alphabetic);
    }
    let Some(said) = before.strip_suffix(' ') else { return false };
    let word = said.rsplit(|ch: char| !ch.is_alphanumeric()).next().unwrap_or_default();
    word.starts_with(char::is_uppercase) && word.chars().count() > 2 && !is_calendar_name(&fold(word))
}

/// The stems of a text's content words.
fn content(text: &str) -> BTreeSet<String> {
    let named = words(text).into_iter().map(|word| word.of(text)).filter(|word| !is_stop(word));
    named.map(|word| stem(&fold(word))).collect()
}

fn joined<'a>(cited: &[&'a str]) -> Cow<'a, str> {
    match cited {
        [only] => Cow::Borrowed(within(only, CITED_BYTES_MAX)),
        _ => {
            let mut all = String::new();
            for text in cited {
                all.push_str(within(text, CITED_BYTES_MAX - all.len().min(CITED_BYTES_MAX)));
                all.push('\n');
            }
            Cow::Owned(all)
        }
    }
}

fn is_within(span: Span, mut others: impl Iterator<Item = Span>) -> bool {
    others.any(|other| other.start <= span.start && span.end <= other.end)
}
