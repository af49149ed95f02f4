//! The tldr of a page of a thing of which nothing says what it is: the sentence that tells most of it by name.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use ken_core::Category;
use ken_core::language::WordSet;
use ken_core::orders::order;
use ken_core::text::sentences;
use ken_core::words::{fold, is_count_or_date, stem, words};

use super::lead::{behind, called, does_something, opens_with, replaces, says_what_is, without_label};
use super::{PageInput, dated, plain, stems};
use crate::account::{Account, Claim};
use crate::naming::COMPANION_TITLE;
use crate::passage::PassageKind;
use crate::{alone, clause, score, standing};

/// Longest sentence that sums a page up in which the name may stand anywhere, in words.
const WORDS_MAX: usize = 28;

/// Words by which a sentence speaks of who tells it, or of what it does not name.
static SPEAKING: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.pages.speaking));

/// `We` is whoever has the wiki.
static OURS: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.pages.ours));

/// Returns a sentence of a page that names what the page is called and tells of it what is exact, what it is or what
/// changed, best one that opens with the name, then the newest.
pub(super) fn of(input: &PageInput, account: &Account<'_>) -> Option<String> {
    let title = input.title.trim_end_matches(COMPANION_TITLE);
    let names = called(title);
    let told = account.current.iter().filter_map(|claim| sentence(input, (title, &names), claim, account));
    let all: Vec<String> = told.collect();
    all.iter().find(|text| opens_with(text, &names)).or_else(|| all.first()).cloned()
}

fn sentence(
    input: &PageInput,
    (title, called): (&str, &BTreeSet<String>),
    claim: &Claim<'_>,
    account: &Account<'_>,
) -> Option<String> {
    let statement = claim.statement;
    let is_open = matches!(statement.kind, PassageKind::Action | PassageKind::Question | PassageKind::Context);
    if is_open || statement.is_fault || !statement.is_believed() || order(&statement.text).is_some() {
        return None;
    }
    let names = stems(title);
    let text = plain(&dated(statement));
    let (changes, is_alone) = (replaces(account, statement), account.current.len() == 1);
    // What took the place of all that the page said is about it, whatever its words are.
    let names_it = |text: &str| changes && is_alone || !names.is_empty() && names.is_subset(&stems(text));
    // What is told of tomorrow or of this morning does not last.
    let passes = text != plain(&statement.text) && !changes && !score::gives_reason(&text);
    if passes {
        return None;
    }
    let text = without_label(&text, names_it);
    let is_exact = |text: &str| {
        text.contains('`')
            || words(text).into_iter().any(|word| is_count_or_date(word.of(text)))
            || text.contains(|ch: char| ch.is_ascii_digit())
    };
    let opens = |text: &str| opens_with(text, called);
    // What somebody does on a day says little of them.
    let is_doing = |text: &str| input.category == Category::Entity && does(text, title);
    let is_instead = |text: &str| changes && is_alone && !clause::is_fragment(text);
    let says = |text: &str| clause::subject(text).is_some() || does_something(text, called) || is_instead(text);
    // A note that is all there is (`Leaflets: 118 euros for a thousand.`) needs no verb.
    let has_verb = |text: &str| match says(text) {
        true => !is_doing(text),
        false => is_alone && opens(text) && is_exact(text),
    };
    let tells = |text: &str| is_exact(text) || changes || score::gives_reason(text) || says_what_is().is_match(text);
    // What we do with somebody says little of them.
    let is_plain_thing = input.category == Category::Concept;
    let speaks = |text: &str| {
        let mut words = words(text).into_iter().map(|word| word.of(text).to_lowercase());
        words.any(|word| SPEAKING.has(&word) && !(is_plain_thing && OURS.has(&word)))
    };
    let is_it = |text: &&str| {
        names_it(text)
            && words(text).len() <= WORDS_MAX
            && alone::stands(text)
            && !alone::is_addition(text)
            && standing::is_plain(text)
            && has_verb(text)
            && tells(text)
            && !speaks(text)
    };
    sentences(&text).into_iter().map(|span| span.of(&text)).find(is_it).map(str::to_owned)
}

/// Whether a sentence opens with a name and says what it does, not what it is: `Pellhurst calls again.`
fn does(text: &str, title: &str) -> bool {
    let name: Vec<String> = words(title).into_iter().map(|word| stem(&fold(word.of(title)))).collect();
    behind(text, &name).is_some_and(|rest| says_what_is().find(&rest).is_none_or(|verb| verb.start() > 0))
}

/// Whether a page is of a thing, or of somebody, of which people speak.
pub(super) fn is_of_thing(category: Category) -> bool {
    matches!(category, Category::Concept | Category::Entity)
}
