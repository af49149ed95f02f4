//! What of a document stands on its pages, where these are cut, and what is cited together.

use std::collections::{BTreeMap, BTreeSet};

use ken_core::Span;
use ken_core::text::{cut, sentences};

use super::{Found, InDocument, is_generic, lists};
use crate::alone::points_back;
use crate::passage::{Passage, Places, cite_together};
use crate::score;

/// Characters of a page's passages, about; a longer document makes several pages.
const PAGE_CHARS: usize = 8_000;
/// Characters of a section that are kept whatever they say.
const SECTION_CHARS: usize = 600;
/// A document of so few characters is kept whole.
const DOCUMENT_CHARS: usize = 2_000;
/// A section of so few characters is kept whatever it says.
const WHOLE_CHARS: usize = 200;
/// Of a longer section this share is kept.
const KEPT_PERCENT: usize = 27;
/// Longest first sentence of a term that is kept whatever else a section has, in bytes.
const TERM_CHARS_MAX: usize = 100;
/// Longest sentence that one that points back at it takes along, in characters.
const TAKEN_CHARS_MAX: usize = 240;
/// Longest title of a part in characters.
const PART_CHARS_MAX: usize = 80;

/// What is kept of each section, with what leads it in.
pub(super) fn chosen(mut found: Vec<Found>) -> Vec<Found> {
    let is_short = found.iter().map(Found::chars).sum::<usize>() <= DOCUMENT_CHARS;
    let mut is_kept = vec![is_short; found.len()];
    let mut start = if is_short { found.len() } else { 0 };
    while start < found.len() {
        let n = found[start..].iter().take_while(|one| one.sections == found[start].sections).count();
        let range = start..start + n;
        let all: usize = found[range.clone()].iter().map(Found::chars).sum();
        let mut left = SECTION_CHARS.max(all * KEPT_PERCENT / 100);
        let mut order: Vec<usize> = range.clone().collect();
        order.sort_by(|a, b| found[*b].worth().total_cmp(&found[*a].worth()).then(a.cmp(b)));
        for n in order {
            if all > WHOLE_CHARS && found[n].score < score::SCORE_MIN {
                continue;
            }
            // Of a list of terms none is missing: one that does not fit keeps its first sentence.
            let short = || first_of_term(&found[n].text);
            let is_term = found[n].blocks.is_empty() && score::is_term(&found[n].text);
            if let Some(short) =
                short().filter(|short| is_term && found[n].chars() > left && short.len() <= TERM_CHARS_MAX)
            {
                found[n].text = short;
                left = left.saturating_sub(found[n].chars());
                is_kept[n] = true;
            } else if found[n].chars() <= left {
                left -= found[n].chars();
                is_kept[n] = true;
            }
        }
        start += n;
    }
    if found.first().is_some_and(opens) {
        is_kept[0] = true;
    }
    lists::complete(&mut found, &mut is_kept);
    let leading = |is_kept: &[bool]| -> BTreeSet<usize> {
        (0..found.len()).filter(|n| is_kept[*n]).filter_map(|n| found[n].lead).collect()
    };
    let leads = leading(&is_kept);
    leads.iter().for_each(|lead| is_kept[*lead] = true);
    // What points back says something else below another sentence; below a heading it speaks of that, and an item of
    // what leads in its list.
    let goes_on =
        |n: usize| found[n].sections == found[n - 1].sections && !found[n].is_item && points_back(&found[n].text);
    // Not at what stands before something that is left out.
    let is_beside = |n: usize| found[n].lines.0 <= found[n - 1].lines.1 + 2;
    // It takes along what it points at, if that is short.
    for n in (1..found.len()).rev() {
        let takes = is_kept[n] && goes_on(n) && is_beside(n);
        is_kept[n - 1] |= takes && found[n - 1].chars() <= TAKEN_CHARS_MAX;
    }
    for n in 1..found.len() {
        is_kept[n] &= is_kept[n - 1] && is_beside(n) || !goes_on(n) || leads.contains(&n);
    }
    let leads = leading(&is_kept);
    for (n, one) in found.iter().enumerate() {
        // What leads in nothing that is kept says nothing.
        is_kept[n] &= leads.contains(&n) || !one.text.ends_with(':') || !one.blocks.is_empty();
    }
    let mut moved = vec![0; found.len()];
    let mut n_kept = 0;
    for n in 0..found.len() {
        moved[n] = n_kept;
        n_kept += usize::from(is_kept[n]);
    }
    let mut kept = is_kept.iter();
    found.retain(|_| kept.next().copied().unwrap_or(false));
    found.iter_mut().for_each(|one| one.lead = one.lead.filter(|lead| is_kept[*lead]).map(|lead| moved[lead]));
    found
}

/// Whether what a document begins with says what it is about, mostly: a sentence above its sections, or in one that
/// introduces it.
fn opens(first: &Found) -> bool {
    !first.is_item && !first.text.ends_with(':') && first.sections.iter().all(|name| is_generic(name))
}

/// The first sentence of a term, which says something: `**Retries: no.** They would …`.
fn first_of_term(text: &str) -> Option<String> {
    let all = sentences(text);
    let is_label = |span: &Span| span.of(text).starts_with("**") && span.of(text).ends_with("**");
    let last = all.iter().find(|span| !is_label(span)).or(all.first())?;
    Some(Span::new(all[0].start, last.end).of(text).to_owned())
}

/// The title of each page of a document, with the position of its first passage.
pub(super) fn parts(title: &str, found: &[Found]) -> Vec<(String, usize)> {
    let starts = starts(found);
    let mut out: Vec<(String, usize)> = vec![(title.to_owned(), 0)];
    for (n, start) in starts.iter().enumerate().skip(1) {
        let end = starts.get(n + 1).copied().unwrap_or(found.len());
        let of_part = part_title(title, &found[*start..end], &out);
        out.push((of_part, *start));
    }
    out
}

/// Where the pages of a document begin.
fn starts(found: &[Found]) -> Vec<usize> {
    let mut out = vec![0];
    if found.iter().map(Found::chars).sum::<usize>() <= PAGE_CHARS {
        return out;
    }
    // Per passage: the characters from it to the end of its first section.
    let mut rest = vec![0; found.len() + 1];
    for n in (0..found.len()).rev() {
        let goes_on = found.get(n + 1).is_some_and(|next| next.sections.first() == found[n].sections.first());
        rest[n] = found[n].chars() + if goes_on { rest[n + 1] } else { 0 };
    }
    let mut chars = 0;
    for (n, one) in found.iter().enumerate().skip(1) {
        chars += found[n - 1].chars();
        let begins = |depth: usize| one.sections.get(..depth) != found[n - 1].sections.get(..depth);
        // A section goes whole onto the next page, if this one has something on it.
        let is_full = (begins(1) && chars + rest[n] > PAGE_CHARS && chars > PAGE_CHARS / 3)
            || (begins(2) && chars + one.chars() > PAGE_CHARS)
            || (chars + one.chars() > 2 * PAGE_CHARS && one.lead.is_none());
        if is_full {
            out.push(n);
            chars = 0;
        }
    }
    out
}

/// The title of a page of a document: the document's and its sections', no two the same.
fn part_title(title: &str, found: &[Found], known: &[(String, usize)]) -> String {
    let is_free = |title: &String| !known.iter().any(|(known, _)| known == title);
    let depths = 1..=found.first().map_or(0, |first| first.sections.len());
    let titles = depths.map(|depth| format!("{title}: {}", names_of(found, depth)));
    let numbered = (2..).map(|n| format!("{title} ({n})"));
    titles.chain(numbered).find(is_free).unwrap_or_else(|| title.to_owned())
}

/// The sections of a page, each once, as many as a title holds.
fn names_of(found: &[Found], depth: usize) -> String {
    let mut out = String::new();
    let mut last = "";
    for one in found {
        let Some(name) = one.sections.get(depth - 1).or(one.sections.last()).filter(|name| *name != last) else {
            continue;
        };
        if !out.is_empty() && out.chars().count() + name.chars().count() > PART_CHARS_MAX {
            return out + ", …";
        }
        out.push_str(if out.is_empty() { "" } else { ", " });
        out.push_str(&cut(name, PART_CHARS_MAX));
        last = name;
    }
    out
}

/// The passages of what was chosen, each with its place; neighbours of a section are cited together.
pub(super) fn passages(found: Vec<Found>, parts: &[(String, usize)], places: &mut Places<'_>) -> Vec<Passage> {
    let part_of = |n: usize| parts.partition_point(|(_, first)| *first <= n).saturating_sub(1);
    let mut shown: BTreeMap<usize, usize> = BTreeMap::new();
    found
        .iter()
        .filter(|one| one.is_item)
        .filter_map(|one| one.lead)
        .for_each(|lead| *shown.entry(lead).or_default() += 1);
    let mut out = Vec::with_capacity(found.len());
    for (n, one) in found.into_iter().enumerate() {
        let place = InDocument {
            nth: n,
            part: part_of(n),
            is_below: one.lead.is_some_and(|lead| part_of(lead) == part_of(n)),
            sections: one.sections,
            blocks: one.blocks,
            step: one.step,
            listed: shown.get(&n).map(|shown| (*shown, one.n_items)).filter(|(shown, all)| shown < all),
        };
        let (text, lines, kind, digest) = (one.text, one.lines, one.kind, places.digest(one.lines));
        out.push(Passage { text, lines, kind, place: Some(Box::new(place)), cited: None, digest, told: None });
    }
    let section = |passage: &Passage| passage.place.as_deref().map(|place| (place.part, place.sections.clone()));
    cite_together(&mut out, places, |a, b| section(a) == section(b));
    out
}
