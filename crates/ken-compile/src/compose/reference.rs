//! The part of a page that follows its document: sections in the document's order.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use ken_core::language::WordSet;
use ken_core::orders::order;
use ken_core::text::{cut, one_line, sentences};
use ken_core::words::{Weight, fold, stem, weight, words};
use ken_core::{Slug, Span, VaultPath};

use super::{PageInput, claim_text, names, plain};
use crate::account::Claim;
use crate::alone;
use crate::clause::subject;
use crate::document::{Gap, InDocument, is_generic};
use crate::subject::{file_name, is_file, is_hash};
use ken_core::link::links;
use ken_core::markdown::{code_spans, inert};
use ken_core::page::outline::{Body, DETAILS, is_own_heading};

/// How the line ends that counts the items of a list.
pub const ITEMS_LEFT_OUT: &str = "items; the others stand in the source -->";
/// What stands below a section of which some is left out.
const SHORTENED: &str = "<!-- shortened -->";

/// Returns whether a line of a page ends with the mark of a shortened section, also as earlier versions wrote it.
pub fn is_shortened(line: &str) -> bool {
    line.ends_with(SHORTENED) || line.ends_with("<!-- shortened; the source says more -->")
}

/// What stands for a heading that orders something.
const WITHHELD: &str = "(withheld)";
/// Sections and names that lead to a page, and their longest.
const SECTIONS_MAX: usize = 10;
const NAMES_MAX: usize = 8;
/// What stands for anything in an example.
const EXAMPLES: &[&str] = &["foo", "bar", "baz", "qux", "REV", "xyz", "f(x)"];
const TRIGGER_CHARS_MAX: usize = 60;
/// How often a plain word in code is said that leads to a document.
const PLAIN_MIN: usize = 3;
/// So many digits are an example's or a machine's.
const DIGITS_MAX: usize = 6;
/// Sentences of a document among which one is looked for that says what it is.
const OPENING: usize = 6;
/// What a sentence without a verb begins with that says what a thing is.
pub(crate) static INDEFINITE: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.pages.indefinite));
/// The first of them may name it anywhere: a document opens with what it is about.
const FIRST: usize = 1;

/// Where a claim stands in its document, if it is of one.
fn place<'c>(claim: &'c Claim<'_>) -> Option<(&'c VaultPath, &'c InDocument)> {
    claim.statement.place.as_deref().map(|place| (&claim.statement.of, place))
}

/// Returns whether a page is one of a document.
pub(super) fn is_reference(claims: &[Claim<'_>]) -> bool {
    claims.iter().any(|claim| place(claim).is_some())
}

/// Writes the claims that stand in documents, in their order, below the headings of their sections.
pub(super) fn sections(
    input: &PageInput,
    claims: &[&Claim<'_>],
    resolve: &dyn Fn(&str) -> Option<Slug>,
    body: &mut Body,
) {
    let title = input.title.as_str();
    let mut told: Vec<(&VaultPath, &InDocument, &Claim<'_>)> =
        claims.iter().filter_map(|claim| place(claim).map(|(path, place)| (path, place, *claim))).collect();
    told.sort_by_key(|(path, place, _)| (*path, place.nth));
    told.retain(|(_, place, claim)| !place.blocks.is_empty() || !leads_nowhere(&claim.statement.text, resolve));
    let mut open: (Option<&VaultPath>, &[String]) = (None, &[]);
    for (path, place, claim) in told {
        if open != (Some(path), place.sections.as_slice()) {
            let known = if open.0 == Some(path) { shared(open.1, &place.sections) } else { 0 };
            for (depth, name) in place.sections.iter().enumerate().skip(known) {
                // A heading carries no mark of its own, so what nobody vouches for may order nothing there.
                let is_order = !claim.statement.is_vouched_for && order(name).is_some();
                let name = if is_order { WITHHELD } else { name };
                // What an adopted page says of its details are details.
                let is_plain = input.adopted.is_some() && depth == 0 && name == DETAILS;
                body.heading((depth + 2).min(6), &if is_plain { DETAILS.to_owned() } else { heading(title, name) });
            }
            open = (Some(path), &place.sections);
            body.end_list();
        }
        // What stands below a block begins a list of its own.
        let indent = if body.is_in_list() { "  ".repeat(place.depth) } else { String::new() };
        let text = claim_text(claim.statement, resolve);
        let marker = place.step.map_or_else(|| "-".to_owned(), |number| format!("{number}."));
        body.item(&format!("{indent}{marker}"), &text, &claim.cited);
        if let Some(Gap::Items(shown, all)) = place.gap {
            body.below_item(&format!("{indent}  <!-- {shown} of {all} {ITEMS_LEFT_OUT}\n"));
        }
        for block in &place.blocks {
            body.block(&shown_block(block, resolve));
        }
        if place.gap == Some(Gap::Section) {
            body.below_item(&format!("{indent}  {SHORTENED}\n"));
        }
    }
}

/// Whether a claim is nothing but a link to a document that has no page: its name alone says nothing.
fn leads_nowhere(text: &str, resolve: &dyn Fn(&str) -> Option<Slug>) -> bool {
    let bare = text.trim_end_matches('.');
    let all = links(text, Span::new(0, text.len()));
    let [link] = all.as_slice() else { return false };
    link.span.of(text).len() == bare.len()
        && link.target.of(text).starts_with('/')
        && resolve(link.target.of(text)).is_none()
}

/// How many headings two places share.
fn shared(a: &[String], b: &[String]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}

/// Returns the headings that may stand for a section of a document.
pub fn headings(title: &str, name: &str) -> [String; 2] {
    [heading(title, name), WITHHELD.to_owned()]
}

/// A heading that is none of those that pages have of their own.
fn heading(title: &str, name: &str) -> String {
    inert(&one_line(&if is_own_heading(name) { format!("{name} ({title})") } else { name.to_owned() })).into_owned()
}

/// Code as it stands; a table with its links resolved.
fn shown_block(block: &str, resolve: &dyn Fn(&str) -> Option<Slug>) -> String {
    if !block.starts_with('|') {
        return block.to_owned();
    }
    block
        .lines()
        .map(|row| super::shown::linked(row, resolve).replace("[^", "\\[^") + "\n")
        .map(|row| inert(&row).into_owned())
        .collect()
}

/// Returns the claims of documents that may lead to a page, in the order of the documents.
pub(super) fn told<'c>(claims: &'c [Claim<'_>]) -> Vec<(&'c VaultPath, &'c InDocument, &'c Claim<'c>)> {
    let mut told: Vec<(&VaultPath, &InDocument, &Claim<'_>)> =
        claims.iter().filter_map(|claim| place(claim).map(|(path, place)| (path, place, claim))).collect();
    told.retain(|(_, _, claim)| claim.statement.is_believed() && order(&claim.statement.text).is_none());
    told.sort_by_key(|(path, place, _)| (*path, place.nth));
    told
}

/// A heading without its number and marks: `2. **Fold** ranges`.
fn section_name(name: &str) -> String {
    let bare = name.trim_start_matches(|ch: char| ch.is_ascii_digit());
    let bare = bare.strip_prefix(['.', ')']).filter(|rest| bare.len() < name.len() && rest.starts_with(' '));
    let bare = bare.unwrap_or(name);
    let bare = one_line(&bare.replace(['`', '*'], ""));
    // `Future work (optional)` tells no more than `Future work`.
    let plain = bare.split(" (").next().unwrap_or("");
    cut(if is_generic(plain) { plain } else { bare.trim() }, TRIGGER_CHARS_MAX)
}

/// Returns the sections of a document that stand directly below its title, or below the section that its page opens with.
pub(super) fn sections_of(claims: &[Claim<'_>]) -> Vec<String> {
    let told = told(claims);
    let all = |depth: usize| {
        let mut out: Vec<String> = Vec::new();
        for name in told.iter().filter_map(|(_, place, _)| place.sections.get(depth)) {
            let name = section_name(name);
            if !is_example(&name) && !is_generic(&name) && order(&name).is_none() && !out.contains(&name) {
                out.push(name);
            }
        }
        out
    };
    let top = all(0);
    if top.len() > 1 { top } else { all(1) }
}

/// Returns the names of what a document without sections lists: `**Heat**: …`.
pub(super) fn listed_names(claims: &[Claim<'_>]) -> Vec<String> {
    let told = told(claims);
    let is_one = told.iter().all(|(_, place, _)| place.sections.len() <= 1 && place.sections == told[0].1.sections);
    let items = told.iter().filter(|(_, place, _)| is_one && place.depth == 1);
    let all: Vec<Option<String>> = items.map(|(_, _, claim)| names::name_of(&claim.statement.text)).collect();
    // Where only some items have names, the list is of something else.
    let named: Vec<String> = all.iter().flatten().filter(|name| order(name).is_none()).cloned().collect();
    if named.len() * 5 >= all.len() * 4 { named } else { Vec::new() }
}

/// Returns which part of its document a page is, from 0.
pub(super) fn part_of(claims: &[Claim<'_>]) -> usize {
    told(claims).first().map_or(0, |(_, place, _)| place.part)
}

/// Returns what leads to a page of a document: its sections, and the names in code that it speaks of most.
pub(super) fn triggers(claims: &[Claim<'_>]) -> Vec<String> {
    let told = told(claims);
    let mut sections: Vec<(usize, String)> = Vec::new();
    for (depth, name) in told.iter().flat_map(|(_, place, _)| place.sections.iter().enumerate()) {
        let name = section_name(name);
        let is_known = sections.iter().any(|(_, known)| *known == name);
        if !is_example(&name) && !is_known && !is_generic(&name) && order(&name).is_none() {
            sections.push((depth, name));
        }
    }
    // Where there are many, those lead that hold others, in the order of the document.
    let mut depths: Vec<usize> = sections.iter().map(|(depth, _)| *depth).collect();
    depths.sort_unstable();
    let deepest = depths.get(SECTIONS_MAX).copied().unwrap_or(usize::MAX);
    let mut room = SECTIONS_MAX.saturating_sub(depths.iter().filter(|depth| **depth < deepest).count());
    sections.retain(|(depth, _)| {
        let is_in = *depth < deepest || *depth == deepest && room > 0;
        room -= usize::from(is_in && *depth == deepest);
        is_in
    });
    let mut sections: Vec<String> = sections.into_iter().map(|(_, name)| name).collect();
    if sections.len() < 2 {
        sections.extend(listed_names(claims));
    }
    sections.truncate(SECTIONS_MAX);
    let texts = || told.iter().map(|(_, _, claim)| claim.statement.text.as_str());
    sections.into_iter().chain(names_in_code(texts(), PLAIN_MIN)).chain(terms(texts())).collect()
}

/// The terms that items of a document explain: `**Steam:** …`. What stands before several of them is a form: `**Hint:** …`.
fn terms<'t>(items: impl Iterator<Item = &'t str>) -> Vec<String> {
    let named: Vec<String> = items.filter(|text| text.starts_with("**")).filter_map(names::name_of).collect();
    let explains = |name: &&String| named.iter().filter(|other| other == name).count() == 1;
    let short = named.iter().filter(explains).filter(|name| name.chars().count() <= TERM_CHARS_MAX);
    short.filter(|name| !is_generic(name) && order(name).is_none()).take(TERMS_MAX).cloned().collect()
}

/// Most terms that lead to a page, and their longest.
const TERMS_MAX: usize = 12;
const TERM_CHARS_MAX: usize = 30;

/// Returns the names in code that texts speak of most, plain words among them only if they are said `plain_min` times.
pub(super) fn names_in_code<'t>(texts: impl Iterator<Item = &'t str>, plain_min: usize) -> Vec<String> {
    // Per name: how often it is said, and how many were said before it.
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for text in texts {
        let spans = code_spans(text, Span::new(0, text.len()));
        let names = spans.iter().map(|span| span.of(text).trim_matches('`').trim());
        let is_plain = |ch: char| {
            ch.is_alphanumeric() || matches!(ch, '_' | '-' | '.' | '/' | ':' | '=' | '+' | ' ' | '(' | ')' | '@')
        };
        let is_name = |name: &&str| {
            name.chars().all(is_plain)
                && !is_value(name)
                && name.chars().filter(|ch| ch.is_alphabetic()).count() > 1
                && !EXAMPLES.contains(name)
                && !is_address(name)
                && (name.starts_with("--") || !name.starts_with('-'))
                && !name.contains(": ")
                && (!name.starts_with('/') || !name[1..].contains('/'))
                && name.chars().filter(char::is_ascii_digit).count() < DIGITS_MAX
                && (2..=TRIGGER_CHARS_MAX).contains(&name.chars().count())
                && name.split(' ').count() <= 4
        };
        // Of a call its name is enough.
        let called = |name: &'_ str| {
            name.split_once('(').filter(|(called, _)| called.len() > 1).map_or(name.len(), |(called, _)| called.len())
        };
        let names = names.filter(is_name).map(|name| if is_file(name) { file_name(name) } else { name });
        let names = names.map(|name| &name[..called(name)]);
        for name in names {
            let n_known = counts.len();
            counts.entry(name).or_insert((0, n_known)).0 += 1;
        }
    }
    // A plain word in code is a value or a variable, mostly (`always`), unless much is said of it.
    let is_plain = |name: &str| name.chars().all(char::is_lowercase);
    let mut ranked: Vec<(&str, (usize, usize))> =
        counts.into_iter().filter(|(name, (n, _))| !is_plain(name) || *n >= plain_min).collect();
    ranked.sort_by(|(a, (n, first)), (b, (m, other))| {
        is_plain(a).cmp(&is_plain(b)).then(m.cmp(n)).then(first.cmp(other))
    });
    ranked.into_iter().take(NAMES_MAX).map(|(name, _)| one_line(name)).collect()
}

/// Whether a heading names one of several examples or steps, which nobody asks with.
fn is_example(name: &str) -> bool {
    let first = name.split([':', ' ']).next().unwrap_or("").to_lowercase();
    let rest = name[first.len().min(name.len())..].trim_start();
    rest.starts_with(|ch: char| ch == ':' || ch.is_ascii_digit()) && is_generic(&first)
}

/// Returns whether a name is an address, or a place of somebody's own machine or of an example.
pub(super) fn is_address(name: &str) -> bool {
    name.contains("://") || ["/tmp", "/home", "/Users", "/path/to"].iter().any(|start| name.starts_with(start))
}

/// Returns whether a text names a place of somebody's own machine.
pub(super) fn has_address(text: &str) -> bool {
    code_spans(text, Span::new(0, text.len())).iter().any(|span| is_address(span.of(text).trim_matches('`')))
}

/// Whether code is a value, a place in a file or a hash, which nobody asks with.
fn is_value(code: &str) -> bool {
    let is_place = code.rsplit_once(':').is_some_and(|(_, line)| line.starts_with(|ch: char| ch.is_ascii_digit()));
    is_place
        || code.ends_with(':')
        || code.split(' ').any(|word| matches!(word, "=" | "==" | "!=" | "else"))
        || matches!(code, "true" | "false" | "nil" | "null" | "none" | "None" | "default")
        || code.split(|ch: char| !ch.is_alphanumeric()).any(is_hash)
}

/// Returns the stems of a text without function words.
pub(crate) fn stems(text: &str) -> BTreeSet<String> {
    let strong = words(text).into_iter().map(|word| word.of(text)).filter(|word| weight(word) != Weight::Stop);
    strong.map(|word| stem(&fold(word))).collect()
}

/// Returns whether a sentence speaks of nothing but what the title names: `Bookmarks are …`.
pub(super) fn is_only_of(title: &BTreeSet<String>, text: &str) -> bool {
    subject(text).is_some_and(|subject| {
        let subject = stems(subject);
        !subject.is_empty() && subject.is_subset(title)
    })
}

/// The stems of the words of a title that tell something, in their order.
fn title_words(title: &str) -> Vec<String> {
    let plain = title.split([':', '(', ',', '—', '–']).next().unwrap_or(title);
    let all = words(plain).into_iter().map(|word| word.of(plain));
    all.filter(|word| weight(word) != Weight::Stop).map(|word| stem(&fold(word))).collect()
}

/// Whether a sentence says what something is that a title only begins with: `Pellhurst is a mill` says nothing of the rules
/// of Pellhurst.
fn is_of_part(title: &[String], text: &str) -> bool {
    let Some(last) = title.last().filter(|_| title.len() > 1) else { return false };
    let of = |text: &str| stems(text);
    subject(text).is_some_and(|subject| {
        let subject = of(subject);
        !subject.is_empty()
            && 2 * subject.len() <= title.len()
            && subject.iter().all(|stem| title.contains(stem))
            && !of(text).contains(last)
    })
}

/// Returns the first sentence of a document that says what the thing of its title is, where its claim cannot lead the
/// page: it leads something in, or stands below something.
pub(super) fn definition(input: &PageInput, claims: &[Claim<'_>]) -> Option<String> {
    let title = stems(&input.title);
    let told = told(claims).into_iter().filter(|(_, place, _)| place.part == 0);
    let first = || told.clone().map(|(_, _, claim)| first_sentence(&claim.statement.text));
    let says = |text: &String| alone::of_document(text) && alone::defines(text) && is_only_of(&title, text);
    first()
        .find(says)
        .or_else(|| first().take(OPENING).find(|text| alone::is_of_itself(text) && alone::of_document(text)))
}

/// Returns the claim that says what a document is for: a whole sentence near its beginning that can be understood alone
/// and speaks of what the title names, best one that says what the document is.
pub(super) fn lead(input: &PageInput, claims: &[Claim<'_>]) -> Option<usize> {
    let mut order_of: Vec<(usize, &InDocument)> =
        claims.iter().enumerate().filter_map(|(n, claim)| Some((n, place(claim)?.1))).collect();
    order_of.sort_by_key(|(n, place)| (claims[*n].statement.of.clone(), place.nth));
    // A part that is one section is called like that.
    let section = order_of.first().filter(|(_, place)| place.part > 0).and_then(|_| one_section(&order_of));
    let title = section.unwrap_or(&input.title);
    let (title, title_words) = (stems(title), title_words(title));
    let names_it = |text: Option<&str>| text.is_some_and(|text| stems(text).intersection(&title).next().is_some());
    // What a later part opens with is one of the many things it is about.
    if section.is_none() && order_of.first().is_some_and(|(_, place)| place.part > 0) {
        return None;
    }
    // `This` and `these` in the first sentence of a document are the document, and in that of a section the section.
    let is_above = section.is_some()
        || order_of.first().is_some_and(|(_, place)| place.sections.iter().all(|name| is_generic(name)));
    let is_of_itself =
        |rank: usize, text: &str| alone::is_of_itself(text) || rank < FIRST && is_above && alone::opens_document(text);
    let says_what_it_is = |rank: usize, n: usize, place: &InDocument| {
        let claim = claims[n].statement;
        let text = first_sentence(&claim.text);
        // What a document opens with, above all of its sections, is what it is about.
        // `A library for ovens.` has no verb and says what it is.
        let is_thing = || text.starts_with(char::is_uppercase) && INDEFINITE.has(&first_word(&text));
        let is_told = || subject(&text).is_some() || is_thing();
        let is_first = rank < FIRST && (place.part == 0 || section.is_some());
        let is_opening = is_first && is_above && is_told();
        let is_alone = alone::of_document(&text)
            || is_first && is_above && alone::opens_matter(&text)
            || is_only_of(&title, &text) && alone::defines(&text);
        claim.is_vouched_for
            && place.blocks.is_empty()
            && place.gap.is_none_or(|gap| gap == Gap::Section)
            && !claim.text.ends_with(':')
            && place.depth == 0
            && (is_alone || is_of_itself(rank, &text))
            && order(&text).is_none()
            && !is_of_part(&title_words, &text)
            && (is_opening
                || is_of_itself(rank, &text)
                || names_it(if rank < FIRST { Some(text.as_str()) } else { subject(&text) }))
    };
    // What a later section opens with is what that section is about.
    let opening = order_of.first().map(|(_, place)| place.sections.clone()).unwrap_or_default();
    let near = || order_of.iter().take_while(|(_, place)| place.sections == opening).take(OPENING).enumerate();
    let text = |n: usize| first_sentence(&claims[n].statement.text);
    let said = |(rank, (n, place)): &(usize, &(usize, &InDocument))| says_what_it_is(*rank, *n, place);
    let itself = || near().filter(|one| is_of_itself(one.0, &text(one.1.0))).find(said);
    // What speaks of several things goes on with the sentence that tells of them.
    let named = near().find(said).filter(|one| alone::leans_forward(&text(one.1.0)));
    let named = named.or_else(itself).or_else(|| near().find(said));
    // Anywhere else it must speak of nothing but what the title names.
    let is_definition =
        |n: usize, place: &InDocument| says_what_it_is(OPENING, n, place) && is_only_of(&title, &text(n));
    let later = || order_of.iter().find(|(n, place)| is_definition(*n, place)).map(|(n, _)| *n);
    named.map(|(_, (n, _))| *n).or_else(later)
}

/// The heading below which all of a part stands, its first passage right below it.
fn one_section<'p>(order_of: &[(usize, &'p InDocument)]) -> Option<&'p String> {
    let (_, first) = order_of.first()?;
    let is_below = |place: &InDocument| place.sections.starts_with(&first.sections);
    first.sections.last().filter(|_| order_of.iter().all(|(_, place)| is_below(place)))
}

/// Returns the sentence of a lead that stands for the page, as plain text: without a label that every document has.
pub(super) fn first_sentence(text: &str) -> String {
    let label = text.strip_prefix("**").and_then(|rest| rest.split_once("**"));
    let said = label.filter(|(label, _)| is_generic(label.trim_end_matches(':'))).map_or(text, |(_, said)| said);
    let said = plain(said.trim_start_matches([':', ' ']));
    sentences(&said).first().map_or(said.as_str(), |sentence| sentence.of(&said)).to_owned()
}

fn first_word(text: &str) -> String {
    text.split(' ').next().unwrap_or("").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_before_several_items_is_a_form_and_no_term() {
        let items = ["**Steam:** It rises.", "**Hint:** Shut the door.", "**Hint:** Open it.", "Steam is hot."];
        assert_eq!(terms(items.into_iter()), ["Steam"]);
    }

    #[test]
    fn what_a_title_only_begins_with_is_not_what_the_document_is_about() {
        let is_of = |title: &str, text: &str| is_of_part(&title_words(title), text);
        assert!(is_of("Pellhurst Governance", "Pellhurst is a mill for everybody."));
        for (title, text) in [
            ("Pellhurst Governance", "Governance is how Pellhurst decides."),
            ("First-class ovens (docs)", "Ovens are hot when bakers come."),
            ("Pellhurst", "Pellhurst is a mill for everybody."),
            ("Working at Pellhurst", "The mill is open at night."),
            ("Oven door storage", "Oven doors are kept as full ovens."),
        ] {
            assert!(!is_of(title, text), "{title}: {text}");
        }
    }
}
