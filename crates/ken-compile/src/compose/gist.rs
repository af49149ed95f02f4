//! The tldr of a page of a document that no claim leads: a definition or a purpose told in it, the things that it lists,
//! or the sections that it has.

use ken_core::header::TLDR_CHARS_MAX;
use ken_core::orders::order;
use ken_core::text::sentences;
use ken_core::words::is_stop;

use super::names::{listed, plain};
use super::{PageInput, reference};
use crate::account::{Account, Claim};
use crate::alone;
use crate::document::is_release;

/// Sections that a tldr names, or questions.
const SECTIONS_MAX: usize = 5;
const QUESTIONS_MAX: usize = 3;
/// Fewest sections that say what a document covers.
const SECTIONS_MIN: usize = 2;

/// Returns the tldr of a page of a document that no claim leads.
pub(super) fn of(input: &PageInput, account: &Account<'_>) -> Option<String> {
    let claims = &account.current;
    let told = || reference::definition(input, claims).or_else(|| purpose(claims));
    told().or_else(|| of_list(claims)).or_else(|| of_openings(claims)).or_else(|| of_sections(input, claims))
}

/// What each of the few sections of a part opens with, where that says what the section is about.
fn of_openings(claims: &[Claim<'_>]) -> Option<String> {
    let told = reference::told(claims);
    let mut openings: Vec<(&String, String)> = Vec::new();
    for (_, place, claim) in told.iter().filter(|(_, place, _)| place.part > 0) {
        let section = place.sections.first()?;
        if openings.iter().all(|(known, _)| *known != section) {
            openings.push((section, reference::first_sentence(&claim.statement.text)));
        }
    }
    let is_about = |(section, text): &(&String, String)| {
        let said = reference::stems(text);
        alone::of_document(text)
            && order(text).is_none()
            && reference::stems(section).iter().any(|stem| said.contains(stem))
    };
    let mut all = openings.iter().map(|(_, text)| text.clone());
    let first = all.next().filter(|_| openings.len() <= OPENINGS_MAX && openings.iter().all(is_about))?;
    let all = all.fold(first, |all, next| joined(&all, &next));
    (all.chars().count() < TLDR_CHARS_MAX).then_some(all)
}

/// Most sections whose openings sum a part up.
const OPENINGS_MAX: usize = 3;

/// Returns a tldr with the next sentence of its document, where it speaks of what that one tells, or that one says what the
/// document is about.
pub(super) fn carried_on(tldr: String, lead: usize, claims: &[Claim<'_>]) -> String {
    let is_open = !alone::is_of_itself(&tldr) && !alone::opens_document(&tldr);
    let leans = alone::leans_forward(&tldr);
    let place = |claim: &Claim<'_>| claim.statement.place.as_deref().map(|place| (place.nth, place.sections.clone()));
    let Some((nth, sections)) = place(&claims[lead]).filter(|_| is_open) else { return tldr };
    let first = claims[lead].statement;
    let own = plain(&first.text);
    let own = sentences(&own).get(1).map(|span| span.of(&own).to_owned());
    let is_next = |claim: &&Claim<'_>| {
        claim.statement.of == first.of
            && place(claim) == Some((nth + 1, sections.clone()))
            && claim.statement.is_believed()
    };
    let next = || claims.iter().find(is_next).map(|claim| reference::first_sentence(&claim.statement.text));
    // What the document says of itself says more than what goes on with the thing.
    let of_itself = |next: &String| alone::is_of_itself(next) && alone::of_document(next);
    let itself = own.clone().filter(of_itself).or_else(|| next().filter(of_itself));
    let all = [itself, own.filter(|_| leans), next().filter(|_| leans)];
    let is_told = |next: &String| next.ends_with('.') && order(next).is_none();
    let Some(next) = all.into_iter().flatten().find(is_told) else { return tldr };
    // What somebody may ask says less than what the document answers.
    if of_itself(&next) && !leans && !alone::defines(&tldr) {
        return next;
    }
    let both = joined(&tldr, &next);
    if both.chars().count() < TLDR_CHARS_MAX { both } else { tldr }
}

/// Two sentences as one: a tldr is one.
fn joined(first: &str, next: &str) -> String {
    let word = next.split(' ').next().unwrap_or_default().to_lowercase();
    let n_lowered = if is_stop(&word) { next.chars().next().map_or(0, char::len_utf8) } else { 0 };
    let (begin, rest) = next.split_at(n_lowered);
    format!("{}; {}{rest}", first.trim_end_matches('.'), begin.to_lowercase())
}

/// The first sentence that says what the document, or the first section of its part, is for.
fn purpose(claims: &[Claim<'_>]) -> Option<String> {
    let told = reference::told(claims);
    let opening = told.first().map(|(_, place, _)| place.sections.first())?;
    let near = told.iter().take_while(|(_, place, _)| place.sections.first() == opening);
    let first = |claim: &Claim<'_>| reference::first_sentence(&claim.statement.text);
    near.map(|(_, _, claim)| first(claim)).find(|text| alone::tells_purpose(text))
}

/// What a document lists that has no sections: `Similar tools: Ovenhub, Breadbox and Crumb.`
fn of_list(claims: &[Claim<'_>]) -> Option<String> {
    let told = reference::told(claims);
    let (_, first, lead) = told.first()?;
    let names = reference::listed_names(claims);
    let text = plain(&lead.statement.text);
    let said = text.strip_suffix(':').filter(|said| !said.is_empty() && sentences(said).len() == 1)?;
    let is_list = first.depth == 0 && names.len() > 1 && !alone::points_back(&text);
    let said = said.strip_suffix(" are").unwrap_or(said);
    // A name keeps its capitals.
    let first = said.split(' ').next().unwrap_or_default();
    let is_plain = first.chars().skip(1).all(char::is_lowercase);
    let said = if is_plain { first.to_lowercase() + &said[first.len()..] } else { said.to_owned() };
    is_list.then(|| listed(names, SECTIONS_MAX)).flatten().map(|names| format!("This document lists {said}: {names}."))
}

/// The sections of a document, or of one of its parts.
fn of_sections(input: &PageInput, claims: &[Claim<'_>]) -> Option<String> {
    // The first of the other pages is called like the document.
    let whole = input.parts.first().filter(|_| reference::part_of(claims) > 0);
    let title = reference::stems(whole.map_or(input.title.as_str(), |whole| whole.title.as_str()));
    // What only repeats the title says nothing, and so does what welcomes.
    let tells = |name: &String| {
        let own = reference::stems(name);
        !name.ends_with(['…', '!']) && (own.is_empty() || !own.is_subset(&title))
    };
    let sections = reference::sections_of(claims);
    // The sections of a form that is to be filled in say nothing of what it is.
    if sections.iter().any(|name| name.contains('$')) {
        return None;
    }
    let sections = sections.into_iter().filter(tells);
    let sections: Vec<String> = sections.map(|name| plain(&name).replace('`', "'")).collect();
    let (asked, named): (Vec<String>, Vec<String>) = sections.into_iter().partition(|name| name.ends_with('?'));
    let what = match whole {
        Some(whole) => format!("This part of “{}”", plain(&whole.title)),
        None => "This document".to_owned(),
    };
    if let [first, .., last] = named.as_slice()
        && named.iter().all(|name| is_release(name))
    {
        return Some(format!("{what} covers the releases {first} to {last}."));
    }
    if named.len() >= SECTIONS_MIN {
        let verb = if is_of_terms(claims) { "defines" } else { "covers" };
        return Some(format!("{what} {verb} {}.", listed(named, SECTIONS_MAX)?));
    }
    let asked: Vec<String> = asked.into_iter().map(|name| format!("“{name}”")).collect();
    (asked.len() >= SECTIONS_MIN)
        .then(|| listed(asked, QUESTIONS_MAX))
        .flatten()
        .map(|asked| format!("{what} answers {asked}."))
}

/// Whether the sections of a document define what they are called: those of a glossary do.
fn is_of_terms(claims: &[Claim<'_>]) -> bool {
    let told = reference::told(claims);
    let mut sections: Vec<(&[String], bool)> = Vec::new();
    for (_, place, claim) in &told {
        if sections.last().is_none_or(|(known, _)| *known != place.sections.as_slice()) {
            let name = place.sections.last().map(|name| reference::stems(name)).unwrap_or_default();
            let text = reference::first_sentence(&claim.statement.text);
            sections.push((&place.sections, reference::is_only_of(&name, &text) && alone::defines(&text)));
        }
    }
    let n_defined = sections.iter().filter(|(_, is_defined)| *is_defined).count();
    sections.len() >= TERMS_MIN && n_defined * 2 >= sections.len()
}

/// Fewest sections that make a glossary.
const TERMS_MIN: usize = 5;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_sentences_make_one_in_which_names_keep_their_capitals() {
        assert_eq!(
            joined("A loaf passes several stages.", "These stages end in the oven."),
            "A loaf passes several stages; these stages end in the oven."
        );
        assert_eq!(joined("There are two ovens.", "Ovenhub has both."), "There are two ovens; Ovenhub has both.");
    }
}
