//! The claim that a page opens with, and the sentence of it that stands for the page.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use ken_core::header::TLDR_CHARS_MAX;
use ken_core::language::{WordSet, alternatives, phrases};
use ken_core::markdown::inert;
use ken_core::orders::order;
use ken_core::text::{cut, sentences};
use ken_core::words::{Weight, fold, identifier_parts, is_count_or_date, stem, weight, words};
use ken_core::{Category, Span};
use regex::Regex;

use super::{PageInput, Statement, dated, plain, reference};
use crate::account::{Account, Claim, Superseded};
use crate::alone;
use crate::clause;
use crate::naming::COMPANION_TITLE;
use crate::passage::{Learned, PassageKind};
use crate::score;
use crate::standing::{self, SHOWN_MIN, SUMS_UP_MIN, WRITTEN};
use crate::subject::{is_determiner, is_preposition};
use ken_core::text::capital;

/// The claim that says most of what the page says: it opens with the subject, defines it or tells what holds of it since
/// something else did, is exact, shares its words with the others, and is of a length that one can take in.
pub(super) fn central(input: &PageInput, account: &Account<'_>) -> Option<usize> {
    let claims = &account.current;
    let names = names(input);
    let bags: Vec<BTreeSet<String>> = claims.iter().map(|claim| strong_stems(&claim.statement.text)).collect();
    let mut shared: BTreeMap<&String, usize> = BTreeMap::new();
    bags.iter().flatten().for_each(|word| *shared.entry(word).or_default() += 1);
    let score = |n: usize| {
        let statement = claims[n].statement;
        let part = |is: bool, amount: f64| if is { amount } else { 0.0 };
        let behind = names.iter().find_map(|name| behind(&statement.text, name));
        let defines = behind
            .as_ref()
            .is_some_and(|behind| phrases(|lexicon| lexicon.pages.defining).any(|word| behind.starts_with(word)));
        let overlap: usize = bags[n].iter().map(|word| shared[word] - 1).sum();
        let centrality = overlap as f64 / (bags[n].len().max(1) as f64 * claims.len().max(1) as f64);
        let replaces = replaces(account, statement);
        let is_open = matches!(statement.kind, PassageKind::Action | PassageKind::Question);
        // What was settled says what holds, and what was said last holds now.
        let is_settled = matches!(statement.kind, PassageKind::Decision | PassageKind::Lesson);
        let recent = 0.8 * (1.0 - n as f64 / claims.len() as f64);
        // What cannot stand alone leads no page, and what was wrong when work began says nothing of what holds.
        let is_none = tldr(input, (statement, replaces)).is_none()
            || statement.is_fault
            || statement.learned == Learned::BeforeChange
            || !sums_up(input, statement, (replaces, &names));
        // What is told of tomorrow or of this morning does not last.
        let passes = statement.said_on.is_some() && dated(statement) != statement.text && !replaces;
        let fits = (40..=220).contains(&statement.text.chars().count());
        centrality
            + recent
            + 0.3 * exact(&statement.text) as f64
            + part(behind.is_some(), 1.0)
            + part(defines, 1.5)
            + part(replaces, 1.5)
            + part(input.category == Category::Entity && has_role(&statement.text, &names), ROLE)
            + part(is_settled, 0.5)
            + part(input.category == Category::Project && alone::tells_outcome(&statement.text), OUTCOME)
            + part(input.category == Category::Project && score::is_outcome(&statement.text), OUTCOME)
            + part(fits, 0.5)
            + part(statement.is_own, 1.0)
            - part(is_open, 2.0)
            - part(passes, 2.0)
            - part(statement.standing < WRITTEN && !standing::is_plain(&statement.text), ASIDE)
            - part(is_none, LEAD_NONE)
    };
    best(claims, score).filter(|n| score(*n) > -LEAD_NONE / 2.0)
}

/// Whether a statement of a session says enough to sum a page up: a thing by a sentence with a verb that tells what it is,
/// what holds now or several exact things; a piece of work by what came of it or why it was settled so.
fn sums_up(input: &PageInput, statement: &Statement, (replaces, names): (bool, &[Vec<String>])) -> bool {
    if statement.standing >= WRITTEN || statement.place.is_some() {
        return true;
    }
    let text = &statement.text;
    let is_work = input.category == Category::Project;
    // Of what is said of a thing one sentence stands for the page.
    let is_plain = || !is_work && tldr(input, (statement, replaces)).is_some_and(|tldr| standing::is_plain(&tldr));
    if !standing::is_plain(text) && !is_plain() {
        return false;
    }
    if is_work {
        let is_settled = matches!(statement.kind, PassageKind::Decision | PassageKind::Lesson);
        return alone::tells_outcome(text) || is_settled && !score::is_step(text);
    }
    // `The dinner bell rings …`: the name is a part of what the sentence speaks of.
    let is_spoken_of = |name: &[String]| {
        let subject = clause::subject(text).map(stems).unwrap_or_default();
        name.iter().all(|stem| subject.contains(stem)) && opens_with(text, &name.iter().cloned().collect())
    };
    let is_defined = || {
        names.iter().any(|name| is_spoken_of(name) || behind(text, name).is_some_and(|behind| opens_with_verb(&behind)))
    };
    if input.category == Category::Entity {
        return tells_of_named(input, text, (replaces, names));
    }
    let points = if replaces { SUMS_UP_MIN } else { statement.standing };
    let all: BTreeSet<String> = names.iter().flatten().cloned().collect();
    let has_verb = says_what_is().is_match(text)
        || clause::subject(text).is_some()
        || has_role(text, names)
        || does_something(text, &all);
    has_verb && (points >= SUMS_UP_MIN || points >= SHOWN_MIN && is_defined())
}

/// Whether a text says what somebody or something with a name of its own is, does for others, or is called since, or what
/// changed of it: what it does on a day says little of that.
fn tells_of_named(input: &PageInput, text: &str, (replaces, names): (bool, &[Vec<String>])) -> bool {
    let behind_names: Vec<String> = names.iter().filter_map(|name| behind(text, name)).collect();
    let is_renamed = || input.aliases.iter().any(|alias| opens_with(text, &called(alias)));
    // `The supplier is Pellhurst Mills.`
    let is_it = || {
        let mut behind_verbs = says_what_is().find_iter(text).map(|verb| text[verb.end()..].trim_start());
        behind_verbs.any(|rest| names.iter().any(|name| behind(rest, name).is_some()))
    };
    replaces && behind_names.is_empty()
        || behind_names.iter().any(|behind| says_what(behind))
        || has_role(text, names)
        || is_it()
        || is_renamed()
}

/// Verbs that say what something is or does.
pub(super) fn says_what_is() -> &'static Regex {
    static VERBS: LazyLock<Regex> = LazyLock::new(|| {
        let verbs = alternatives(|lexicon| lexicon.pages.says_what_is);
        Regex::new(&format!(r"(?i)\b(?:{verbs})\b")).expect("a pattern of ours")
    });
    &VERBS
}

/// Whether a text begins with such a verb before what something is: `is a mill`.
fn says_what(text: &str) -> bool {
    let verb = says_what_is().find(text).filter(|found| found.start() == 0);
    let next = verb.map(|verb| text[verb.end()..].trim_start());
    let first = next.and_then(|next| words(next).first().map(|word| word.of(next).to_lowercase()));
    first.is_some_and(|first| is_determiner(&first))
}

/// Whether a text begins with such a verb, or with a word that has the form of one: `rings after 12 minutes`.
fn opens_with_verb(text: &str) -> bool {
    let first = text.split(' ').next().unwrap_or_default();
    let is_formed = first.len() > 2 && first.ends_with('s') && !first.ends_with("ss");
    is_formed || says_what_is().find(text).is_some_and(|found| found.start() == 0)
}

/// What a statement gains on the page of somebody that says what they do for others.
const ROLE: f64 = 2.0;

/// What a statement gains on the page of a piece of work that says what holds since.
const OUTCOME: f64 = 1.0;

/// What it loses for what it says besides that supposes, or speaks to somebody.
const ASIDE: f64 = 1.0;

/// Longer statements list what several people do, and grow old with each of them.
const ROLE_WORDS_MAX: usize = 18;

/// Whether a verb of a role stands behind a name, as in `From Monday Ada leads the bakery`.
fn has_role(text: &str, names: &[Vec<String>]) -> bool {
    static ROLES: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.pages.role_verbs));
    let words = words(text);
    let is_name = |word: &Span| {
        let stem = stem(&fold(word.of(text)));
        names.iter().any(|name| name.contains(&stem))
    };
    words.len() <= ROLE_WORDS_MAX
        && words.windows(2).any(|two| is_name(&two[0]) && ROLES.has(&two[1].of(text).to_lowercase()))
}

/// Whether a statement says what holds in the place of something that did before.
pub(super) fn replaces(account: &Account<'_>, statement: &Statement) -> bool {
    // That a task is done says nothing of what holds.
    let of = |old: &Superseded<'_>| old.now.id == statement.id && old.claim.statement.kind != PassageKind::Action;
    account.superseded.iter().any(of)
}

/// The stems of what a page is called, name by name.
fn names(input: &PageInput) -> Vec<Vec<String>> {
    let title = input.title.trim_end_matches(COMPANION_TITLE);
    let all = std::iter::once(title).chain(input.aliases.iter().map(String::as_str));
    all.map(stems).filter(|name| !name.is_empty()).collect()
}

fn stems(text: &str) -> Vec<String> {
    words(text).into_iter().map(|word| stem(&fold(word.of(text)))).collect()
}

/// What stands behind a name with which a text begins, determiners aside, in small letters.
pub(super) fn behind(text: &str, name: &[String]) -> Option<String> {
    let all = words(text);
    let n_before = all.iter().take_while(|word| is_determiner(&word.of(text).to_lowercase())).count();
    let named = all.get(n_before..n_before + name.len())?;
    let is_it = named.iter().zip(name).all(|(word, stem_of)| stem(&fold(word.of(text))) == *stem_of);
    let end = named.last().filter(|_| is_it)?.end;
    Some(text[end..].trim_start_matches(['`', ' ']).to_lowercase())
}

/// How many numbers and names a text has behind its first word, three at most.
fn exact(text: &str) -> usize {
    let is_exact =
        |word: &str| is_count_or_date(word) || word.contains(|ch: char| ch.is_ascii_digit() || ch.is_uppercase());
    words(text).into_iter().skip(1).filter(|word| is_exact(word.of(text))).take(EXACT_MAX).count()
}

/// Numbers and names that count.
const EXACT_MAX: usize = 3;

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

pub(super) fn strong_stems(text: &str) -> BTreeSet<String> {
    let strong = words(text).into_iter().map(|word| word.of(text)).filter(|word| weight(word) == Weight::Strong);
    strong.map(|word| stem(&fold(word))).collect()
}

/// The same with the parts of identifiers: `SessionIDConflictError` speaks of a session, too.
pub(crate) fn with_parts(text: &str) -> BTreeSet<String> {
    let mut out = strong_stems(text);
    let parts = words(text).into_iter().flat_map(|word| identifier_parts(word.of(text)));
    out.extend(parts.filter(|part| weight(part) == Weight::Strong).map(|part| stem(&fold(part))));
    out
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
/// page is about. What replaces something on the page need not begin with that.
pub(super) fn tldr(input: &PageInput, (lead, replaces): (&Statement, bool)) -> Option<String> {
    let text = plain(&dated(lead));
    let is_work = input.category == Category::Project;
    if is_work && lead.place.is_none() && score::is_outcome(&text) {
        let is_about = names_it_of(input);
        return outcome(&text).filter(|text| is_about(text));
    }
    let names = called(input.title.trim_end_matches(COMPANION_TITLE));
    let names_it = |sentence: &str| stems(sentence).iter().any(|stem| names.contains(stem));
    let text = without_label(&text, names_it);
    // What tells little (`The nursery called again.`) sums nothing up.
    let tells = |text: &&str| {
        let is_told = || score::score(text, false) >= TELLING_MIN || does_something(text, &names);
        text.contains(|ch: char| ch.is_ascii_digit()) || is_told()
    };
    // `2 (brick one up) is too dear` tells what was not taken.
    let is_of_option = |text: &str| text.split_once(" (").is_some_and(|(mark, _)| mark.len() <= OPTION_BYTES_MAX);
    let stands = |text: &&str| alone::stands(text) && !alone::is_addition(text) && !is_of_option(text);
    // What stands behind a semicolon may be a sentence of its own: `Ada leads; Ben does the ovens.`
    let parts = |sentence: &'_ str| {
        // Of a list that something leads in, an item says little alone.
        let behind = sentence.rsplit_once("; ").filter(|(before, _)| !before.contains([':', ';']));
        let behind = behind.map(|(_, behind)| behind.len());
        let behind = behind.map(|len| sentence.len() - len);
        std::iter::once(0).chain(behind).collect::<Vec<usize>>()
    };
    let spans = || sentences(&text).into_iter();
    let all = || {
        spans().flat_map(|span| parts(span.of(&text)).into_iter().map(move |at| Span::new(span.start + at, span.end)))
    };
    let whole = || all().map(|span| span.of(&text)).filter(stands).filter(tells);
    // A piece of work is told by what was decided in it, and by what speaks of several of its title's words, or was
    // learned of one.
    let n_min = match lead.kind {
        PassageKind::Decision => 0,
        PassageKind::Lesson => 1,
        _ if score::is_outcome(&lead.text) => names.len().min(1),
        _ => names.len().clamp(1, 2),
    };
    let tells_work = |sentence: &str| with_parts(sentence).intersection(&names).count() >= n_min;
    // Where little is said, a short sentence that names it is about it.
    let is_few = input.statements.len() <= FEW_STATEMENTS;
    let is_short = |sentence: &str| replaces || is_few && words(sentence).len() <= SHORT_WORDS;
    let is_named = |sentence: &str| is_short(sentence) && names_it(sentence);
    // `The Morning Loaf is now called Sunrise`.
    let is_renamed =
        |sentence: &str| names_it(sentence) && input.aliases.iter().any(|alias| opens_with(sentence, &called(alias)));
    let is_about = |sentence: &&str| match is_work {
        true => tells_work(sentence),
        false => opens_with(sentence, &names) || is_named(sentence) || is_renamed(sentence),
    };
    // The lead of a document was chosen for how it begins.
    let chosen = match lead.place.is_some() {
        true => Some(reference::first_sentence(&dated(lead))),
        false => {
            let opens = |sentence: &&str| !is_work && opens_with(sentence, &names);
            whole().find(opens).or_else(|| whole().find(is_about)).map(str::to_owned)
        }
    };
    Some(within_code(&chosen?))
}

/// Longest mark of an option, in bytes.
const OPTION_BYTES_MAX: usize = 2;

/// Says of a text whether it has a word of what a page is called.
fn names_it_of(input: &PageInput) -> impl Fn(&str) -> bool {
    let names = strong_stems(&input.title);
    move |text| names.is_empty() || !with_parts(text).is_disjoint(&names)
}

/// What came of a piece of work, with its label, if it can be understood alone; items often end without a full stop.
fn outcome(text: &str) -> Option<String> {
    let first = sentences(text).first().map(|span| span.of(text))?;
    let whole = format!("{}.", first.trim_end_matches(['.', ':']));
    let is_short = |text: &String| text.chars().count() <= OUTCOME_CHARS_MAX;
    let stands = |text: &String| is_short(text) && alone::stands(text) && !alone::is_addition(text);
    // What stands in brackets may speak to somebody: `It sets both (so you see it).`
    let bare = IN_BRACKETS.replace_all(&whole, "").into_owned();
    [whole, bare].into_iter().find(stands).map(|text| within_code(&text))
}

static IN_BRACKETS: LazyLock<Regex> = LazyLock::new(|| Regex::new(r" \([^()`]*\)").expect("a pattern of ours"));

/// Longest outcome that sums a page up, in characters.
const OUTCOME_CHARS_MAX: usize = 240;

/// A text as long as a tldr may be.
pub(super) fn within_code(text: &str) -> String {
    let tldr = cut(text, TLDR_CHARS_MAX - 1);
    // Cut within code, what was code is none any more.
    match inert(&tldr) {
        Cow::Borrowed(_) => tldr,
        Cow::Owned(longer) => inert(&cut(&longer, TLDR_CHARS_MAX - 1).replace('`', "'")).into_owned(),
    }
}

/// Least worth of a sentence that stands for a page and names no number.
const TELLING_MIN: f32 = 0.6;
/// So few statements are little, and so many words a short sentence.
const FEW_STATEMENTS: usize = 3;
const SHORT_WORDS: usize = 16;
/// Whether a verb in the present stands behind what a page is about: `The oven timer rings …`.
pub(super) fn does_something(sentence: &str, names: &BTreeSet<String>) -> bool {
    let all = words(sentence);
    let is_name = |word: &&Span| names.contains(&stem(&fold(word.of(sentence))));
    let verb = all.iter().skip_while(|word| !is_name(word)).find(|word| !is_name(word));
    let verb = verb.map_or("", |word| word.of(sentence));
    verb.ends_with('s') && !verb.ends_with("ss") && verb.starts_with(char::is_lowercase)
}

/// Words at the beginning of a sentence among which its subject stands.
const SUBJECT_WORDS: usize = 5;

/// Whether a sentence begins with what a page is about: that is its subject, by its place.
pub(super) fn opens_with(sentence: &str, names: &BTreeSet<String>) -> bool {
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
    let said = stems(opening);
    !names.is_empty() && !is_object && names.iter().all(|stem| said.contains(stem))
}

/// The stems of the words of a name that tell something, or of all where none does: `Stand-up`.
pub(super) fn called(name: &str) -> BTreeSet<String> {
    let strong = strong_stems(name);
    if strong.is_empty() { stems(name).into_iter().collect() } else { strong }
}

/// Longest label in characters, and in words.
const LABEL_CHARS_MAX: usize = 30;
const LABEL_WORDS_MAX: usize = 4;
/// Fewest words that a label is told apart from.
const LABELLED_WORDS_MIN: usize = 4;

/// A text without the label before it (`Root cause: …`), unless the label is what the page is about.
pub(super) fn without_label(text: &str, names_it: impl Fn(&str) -> bool) -> Cow<'_, str> {
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
