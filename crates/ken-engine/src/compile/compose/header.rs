//! The header of a compiled page.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::header::{FieldName, FieldValue, MID_MAX, render_header, triggers_max};
use ken_core::markdown::code_spans;
use ken_core::orders::order;
use ken_core::text::one_line;
use ken_core::trust::EXTERNAL_TITLE;
use ken_core::words::{Weight, fold, identifier_parts, is_count_or_date, stem, weight, words};
use ken_core::{Category, Date, Digest, Month, Span, VaultPath};

use super::{PageInput, Proposed, RelatedPage, reference};
use crate::compile::account::Claim;
use crate::compile::passage::USER_ASKED;
use crate::compile::subject::is_hash;
use crate::compile::work::is_asked;

/// Returns the header of a page.
pub(super) fn header(
    input: &PageInput,
    sources: &BTreeSet<&VaultPath>,
    (tldr, triggers, proposed): (&str, Vec<String>, &Proposed),
    body: &str,
) -> String {
    let dates: Vec<Date> = input.statements.iter().filter_map(|statement| statement.date).collect();
    let confidence = match sources.len() {
        0 | 1 => "low",
        2 => "medium",
        _ => "high",
    };
    let relation =
        |page: &RelatedPage| page.month.map_or_else(|| page.slug.to_string(), |month| format!("{}:{month}", page.slug));
    let mut fields: Vec<(FieldName, FieldValue)> = vec![
        (FieldName::Category, input.category.as_str().into()),
        (FieldName::Title, one_line(&input.title).as_str().into()),
    ];
    if !input.aliases.is_empty() {
        fields.push((FieldName::Aliases, input.aliases.clone().into()));
    }
    fields.push((FieldName::Tldr, tldr.into()));
    fields.push((FieldName::Triggers, triggers.into()));
    let (high, mid) = proposed.relations(input);
    let mid: Vec<RelatedPage> = mid.iter().chain(&input.joining).take(MID_MAX).cloned().collect();
    for (name, pages) in [(FieldName::High, high), (FieldName::Mid, &mid[..])] {
        if !pages.is_empty() {
            fields.push((name, pages.iter().map(relation).collect::<Vec<_>>().into()));
        }
    }
    fields.push((FieldName::Confidence, confidence.into()));
    if let (Some(oldest), Some(newest)) = (dates.iter().min(), dates.iter().max()) {
        fields.push((FieldName::Validated, Month::of(*newest).to_string().as_str().into()));
        fields.push((FieldName::Created, oldest.to_string().as_str().into()));
        fields.push((FieldName::Updated, newest.to_string().as_str().into()));
    }
    fields.push((FieldName::Owner, "kenning".into()));
    fields.push((FieldName::Sources, sources.iter().map(ToString::to_string).collect::<Vec<_>>().into()));
    fields.push((FieldName::BodyDigest, Digest::of(body.as_bytes()).short().as_str().into()));
    render_header(&fields)
}

/// Triggers as they are collected: each once, whatever its spelling, and no more than a page may have.
struct Triggers {
    list: Vec<String>,
    seen: BTreeSet<String>,
    n_max: usize,
}

impl Triggers {
    fn of(category: Category) -> Triggers {
        Triggers { list: Vec::new(), seen: BTreeSet::new(), n_max: triggers_max(category) }
    }

    /// Adds names in the spelling in which they are given: `fetchLatest` is found by its parts.
    fn add<'t>(&mut self, names: impl IntoIterator<Item = &'t str>) {
        for name in names {
            let stems: Vec<String> = words(name).iter().map(|word| stem(&fold(word.of(name)))).collect();
            if self.list.len() < self.n_max && self.seen.insert(stems.join(" ")) {
                self.list.push(one_line(name));
            }
        }
    }

    /// Adds single words that no trigger says yet, at most so many.
    fn add_words(&mut self, words_found: Vec<String>, n_max: usize) {
        let known: BTreeSet<String> = self.seen.iter().flat_map(|stems| stems.split(' ')).map(str::to_owned).collect();
        let is_new = |word: &&String| !known.contains(&stem(&fold(word)));
        self.add(words_found.iter().filter(is_new).take(n_max).map(String::as_str));
    }
}

/// Returns the words that lead to the page: its names, then what its claims speak of most, or what was proposed.
pub(super) fn triggers(input: &PageInput, claims: &[Claim<'_>], proposed: &Proposed) -> Vec<String> {
    let mut out = Triggers::of(input.category);
    if input.is_external || !claims.iter().any(|claim| claim.statement.is_vouched_for) {
        // Names lead to what external sources say; their words do not.
        let name = input.title.trim_end_matches(EXTERNAL_TITLE);
        out.add([name]);
        out.add(words(name).into_iter().map(|word| word.of(name)).filter(|word| weight(word) == Weight::Strong));
        out.add([input.category.as_str(), "external", "external source", "not vouched for"]);
        return out.list;
    }
    out.add([input.title.as_str()]);
    if let Some(proposed) = &proposed.header {
        out.add(proposed.triggers.iter().chain(&input.aliases).map(String::as_str));
        return out.list;
    }
    out.add(input.aliases.iter().take(2).map(String::as_str));
    if input.is_history {
        // Whoever asks what holds is led to the page itself.
        return out.list;
    }
    // An order leads nobody to a page.
    let leads = |claim: &&Claim<'_>| claim.statement.is_vouched_for && order(&claim.statement.text).is_none();
    let told = || claims.iter().filter(leads).map(|claim| claim.statement.text.as_str());
    let names = reference::triggers(claims);
    out.add(names.iter().map(String::as_str));
    if input.category == Category::Project {
        out.add(reference::names_in_code(told()).iter().map(String::as_str));
        // Of a signature its name is enough.
        let called = |name: &'_ String| name.split_once('(').map_or(name.len(), |(called, _)| called.len());
        out.add(input.names.iter().take(NAMES_MAX).map(|name| &name[..called(name)]));
        out.add(input.files.iter().take(FILES_MAX).map(|(file, _)| file.rsplit('/').next().unwrap_or(file)));
    }
    // What people asked for is what they ask with.
    let asked = input.statements.iter().filter(|one| input.category == Category::Project && is_asked(one.kind));
    out.add_words(frequent(asked.map(|one| one.text.trim_start_matches(USER_ASKED))), ASKED_MAX);
    out.add_words(frequent(told()), FREQUENT_MAX);
    out.list
}

/// Files that lead to the work that changed them.
const FILES_MAX: usize = 5;
/// Names that lead to work and stand in none of its claims.
const NAMES_MAX: usize = 16;
/// Words that lead to a page because its claims are full of them, and because people asked with them.
const FREQUENT_MAX: usize = 6;
const ASKED_MAX: usize = 6;

/// Words that lead to a page although they are said once.
const FEW_WORDS: usize = 6;

/// Whether a word of letters and digits in turn was made by a program (`wwz1xp8ai9xr`), not by a person (`oauth2`, `x86_64`).
fn is_made_up(word: &str) -> bool {
    let digits = word.split(|ch: char| !ch.is_ascii_digit()).filter(|run| !run.is_empty()).count();
    word.len() >= MADE_UP_MIN && digits > 1 && word.chars().all(char::is_alphanumeric)
}

/// Shortest word in bytes that may be one that a program made.
const MADE_UP_MIN: usize = 8;

/// A text without what stands between backticks.
fn without_code(text: &str) -> String {
    let mut out = String::new();
    let mut from = 0;
    for span in code_spans(text, Span::new(0, text.len())) {
        out.push_str(&text[from..span.start]);
        from = span.end;
    }
    out + &text[from..]
}

/// A word as it leads: in small letters, unless it is an identifier, which is found by its parts.
fn spelled(word: &str) -> String {
    if identifier_parts(word).is_empty() { word.to_lowercase() } else { word.to_owned() }
}

/// The words that texts say most, each in its most frequent spelling.
fn frequent<'t>(texts: impl Iterator<Item = &'t str>) -> Vec<String> {
    let mut counts: BTreeMap<String, (usize, BTreeMap<String, usize>)> = BTreeMap::new();
    for text in texts {
        // Pieces of code, paths and addresses are words of nobody.
        let spoken = without_code(text);
        let plain: Vec<&str> = spoken.split_whitespace().filter(|token| !token.contains('/')).collect();
        let text = &plain.join(" ");
        for word in words(text).into_iter().map(|word| word.of(text)).filter(|word| !is_hash(word)) {
            let says_something = weight(word) == Weight::Strong && !is_count_or_date(word) && !is_made_up(word);
            if says_something && (3..=30).contains(&word.chars().count()) {
                let slot = counts.entry(stem(&fold(word))).or_default();
                slot.0 += 1;
                *slot.1.entry(spelled(word)).or_default() += 1;
            }
        }
    }
    let mut ranked: Vec<_> = counts.into_values().collect();
    ranked.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    // Where much is said, a word that is said once leads nobody.
    let recurs = |(n, (count, _)): &(usize, (usize, _))| *count > 1 || *n < FEW_WORDS;
    let ranked = ranked.into_iter().enumerate().filter(recurs).map(|(_, one)| one);
    let spelling = |surfaces: BTreeMap<String, usize>| {
        surfaces.into_iter().max_by(|a, b| a.1.cmp(&b.1).then_with(|| b.0.cmp(&a.0))).map(|(surface, _)| surface)
    };
    ranked.filter_map(|(_, surfaces)| spelling(surfaces)).collect()
}
