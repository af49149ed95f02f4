//! What of a document stands on its pages, where these are cut, and what is cited together.

use std::collections::BTreeSet;
use std::ops::Range;

use ken_core::text::one_line;

use super::groups::{self, Extent, Group, Kept};
use super::shape;
use super::{Found, Gap, InDocument, is_generic, is_release};
use crate::passage::{Learned, Passage, Places, cite_together};

/// Characters of a page's passages, about; a longer document makes several pages.
const PAGE_CHARS: usize = 6_500;
/// Characters of a section that are kept whatever they say.
const SECTION_CHARS: usize = 480;
/// A document of so few characters is kept whole.
const DOCUMENT_CHARS: usize = 2_000;
/// Of a longer section this share is kept.
const KEPT_PERCENT: usize = 12;
/// Of what stands on a page even where there is no room, this share counts: what stands beside it says something else.
const DUE_PERCENT: usize = 30;
/// Passages of a document among which the first sentence stands.
const OPENING: usize = 4;
/// Most characters of the names of sections in the title of a part, and most names that are not told by the first and the
/// last.
const PART_CHARS_MAX: usize = 60;
const PART_NAMES_MAX: usize = 3;

/// What was chosen of a document: its passages, and what is left out behind each.
pub(super) struct Chosen {
    pub(super) found: Vec<Found>,
    gaps: Vec<Option<Gap>>,
}

/// What is kept of each section.
pub(super) fn chosen(mut found: Vec<Found>, is_whole: bool) -> Chosen {
    let is_short = is_whole || found.iter().map(Found::chars).sum::<usize>() <= DOCUMENT_CHARS;
    let mut kept = vec![Kept::Not; found.len()];
    let mut gaps = vec![None; found.len()];
    let (mut start, mut last) = (0, None);
    while start < found.len() {
        let n = found[start..].iter().take_while(|one| one.sections == found[start].sections).count();
        let groups = groups::of(&found, start..start + n);
        section(&found, &groups, is_short, &mut kept);
        if start == 0 && opens(&found[0]) {
            kept[0] = Kept::Whole;
            // What has no end is a motto, mostly, and the sentence behind it says what it is of.
            let has_end = |at: usize| found[at].text.ends_with(['.', '!', '?', '。']);
            let first = (0..n.min(OPENING)).find(|at| has_end(*at)).filter(|at| *at > 0 && opens(&found[*at]));
            first.filter(|at| kept[*at] == Kept::Not).into_iter().for_each(|at| kept[at] = Kept::First);
        }
        last = (start..start + n).rev().find(|n| kept[*n] != Kept::Not).or(last);
        note_gaps(&found, start..start + n, (&groups, &kept, last), &mut gaps);
        start += n;
    }
    let mut moved = vec![0; found.len()];
    let mut n_kept = 0;
    for n in 0..found.len() {
        moved[n] = n_kept;
        n_kept += usize::from(kept[n] != Kept::Not);
    }
    for (n, one) in found.iter_mut().enumerate() {
        one.lead = one.lead.filter(|lead| kept[*lead] != Kept::Not).map(|lead| moved[lead]);
        if kept[n] == Kept::First {
            one.text = groups::first_sentence(&one.text);
        }
    }
    let gaps = (0..found.len()).filter(|n| kept[*n] != Kept::Not).map(|n| gaps[n]).collect();
    let mut kept = kept.iter();
    found.retain(|_| kept.next().is_some_and(|kept| *kept != Kept::Not));
    Chosen { found, gaps }
}

/// What is kept of a section: of each of its groups something, of those that tell most first, and then more of them, as
/// far as there is room.
fn section(found: &[Found], groups: &[Group], is_short: bool, kept: &mut [Kept]) {
    let whole: Vec<Extent> = groups.iter().map(|group| group.whole(found)).collect();
    let all: usize = whole.iter().map(|extent| extent.chars).sum();
    let mut left = SECTION_CHARS.max(all * KEPT_PERCENT / 100);
    if is_short || all <= left {
        return whole.iter().for_each(|extent| extent.keep(kept));
    }
    let mut order: Vec<usize> = (0..groups.len()).filter(|n| groups[*n].tells(found)).collect();
    order.sort_by(|a, b| groups[*b].worth(found).total_cmp(&groups[*a].worth(found)).then(a.cmp(b)));
    let extents: Vec<Vec<Extent>> = groups.iter().map(|group| group.extents(found)).collect();
    // Per group the characters that are kept, and what they count.
    let mut taken = vec![(0, 0); groups.len()];
    for is_more in [false, true] {
        for n in &order {
            let first = if is_more { 0 } else { extents[*n].len().saturating_sub(1) };
            let (chars, counted) = taken[*n];
            let fits = |extent: &&Extent| extent.chars <= left + counted || extent.is_due && chars == 0;
            // What points back needs what it points at.
            let is_open_of = |n: usize, kept: &[Kept]| {
                groups[n].points_back && groups[n].before().is_none_or(|before| kept[before] == Kept::Not)
            };
            let is_open = is_open_of(*n, kept);
            if let Some(before) =
                groups[*n].before().filter(|_| is_more && is_open && *n > 0 && !is_open_of(*n - 1, kept))
            {
                let (_, counted) = taken[*n - 1];
                let premise = extents[*n - 1].iter().rev().find(|extent| extent.keeps(before));
                let both =
                    premise.zip(extents[*n].last()).map(|(premise, own)| (premise, own, premise.chars + own.chars));
                if let Some((premise, own, both)) = both.filter(|(.., both)| *both <= left + counted) {
                    left = (left + counted).saturating_sub(both);
                    (taken[*n - 1], taken[*n]) = ((premise.chars, premise.chars), (own.chars, own.chars));
                    premise.keep(kept);
                    own.keep(kept);
                }
                continue;
            }
            if let Some(extent) =
                extents[*n][first..].iter().find(fits).filter(|extent| !is_open && extent.chars > chars)
            {
                let counts = if extent.is_due { extent.chars * DUE_PERCENT / 100 } else { extent.chars };
                left = (left + counted).saturating_sub(counts);
                taken[*n] = (extent.chars, counts);
                extent.keep(kept);
            }
        }
    }
    if taken.iter().all(|(chars, _)| *chars == 0) {
        order.retain(|n| !groups[*n].points_back);
        keep_one(&order, &extents, kept);
    }
}

/// Most characters of the one group of a section that stands on a page where none fits.
const ONLY_CHARS_MAX: usize = 800;

/// Keeps the least of the group that tells most, where no group of a section fits.
fn keep_one(order: &[usize], extents: &[Vec<Extent>], kept: &mut [Kept]) {
    let least = order.iter().filter_map(|n| extents[*n].last()).find(|extent| extent.chars <= ONLY_CHARS_MAX);
    least.into_iter().for_each(|extent| extent.keep(kept));
}

/// Notes where the items of a list are not all there, and where a section is not: behind what is the last that is kept.
fn note_gaps(
    found: &[Found],
    mut section: Range<usize>,
    (groups, kept, last): (&[Group], &[Kept], Option<usize>),
    gaps: &mut [Option<Gap>],
) {
    let counted: Vec<_> = groups.iter().filter_map(|group| group.counted(found, kept)).collect();
    counted.iter().for_each(|(lead, n_kept, all)| gaps[*lead] = Some(Gap::Items(*n_kept, *all)));
    let is_counted = |n: usize| {
        found[n].lead.is_some_and(|lead| counted.binary_search_by_key(&lead, |(counted, ..)| *counted).is_ok())
    };
    let is_gap = |n: usize| match kept[n] {
        _ if found[n].is_cut_off => true,
        Kept::Whole => false,
        Kept::First => groups::first_sentence(&found[n].text) != found[n].text,
        Kept::Not => !is_counted(n),
    };
    if let Some(last) = last.filter(|_| section.any(is_gap)) {
        gaps[last] = gaps[last].or(Some(Gap::Section));
    }
}

/// Whether what a document begins with says what it is about, mostly: a sentence above its sections, or in one that
/// introduces it.
fn opens(first: &Found) -> bool {
    !first.is_item && !first.text.ends_with(':') && first.sections.iter().all(|name| is_generic(name))
}

/// The title of each page of a document, with the position of its first passage.
pub(super) fn parts(title: &str, found: &[Found]) -> Vec<(String, usize)> {
    let starts = starts(found);
    let mut out: Vec<(String, usize)> = vec![(title.to_owned(), 0)];
    // Where all of a document stands in one section, those below it tell its pages apart.
    let name = |one: &Found, depth: usize| one.sections.get(depth).cloned();
    let is_one =
        |depth: usize| found.iter().all(|one| name(one, depth).is_some() && name(one, depth) == name(&found[0], depth));
    let depth = (0..found.first().map_or(0, |one| one.sections.len())).find(|depth| !is_one(*depth)).unwrap_or(0);
    let range = |n: usize| starts[n]..starts.get(n + 1).copied().unwrap_or(found.len());
    for (n, start) in starts.iter().enumerate().skip(1) {
        let names = part_names(found, range(n), depth);
        let own = names.map(|names| format!("{title}: {names}"));
        let own = own.filter(|own| out.iter().all(|(known, _)| known != own));
        out.push((own.unwrap_or_else(|| format!("{title} (part {})", n + 1)), *start));
    }
    out
}

/// Where the pages of a document begin.
fn starts(found: &[Found]) -> Vec<usize> {
    let mut out = vec![0];
    if found.iter().map(Found::chars).sum::<usize>() <= PAGE_CHARS {
        return out;
    }
    // Per passage: the characters from it to the end of its section, and of the one below that.
    let [section, below] = [1, 2].map(|depth| rests(found, depth));
    let mut chars = 0;
    let mut left = found.iter().map(Found::chars).sum::<usize>();
    for (n, one) in found.iter().enumerate().skip(1) {
        chars += found[n - 1].chars();
        left -= found[n - 1].chars();
        // What little is left at the end stands on the page before it.
        if left < PAGE_CHARS / 4 && chars + left < PAGE_CHARS * 5 / 4 {
            break;
        }
        let begins = |depth: usize| one.sections.get(..depth) != found[n - 1].sections.get(..depth);
        // A section goes whole onto the next page, if this one has something on it.
        let is_full = (begins(1) && chars + section[n] > PAGE_CHARS && chars > PAGE_CHARS / 3)
            || (begins(2) && chars + below[n] > PAGE_CHARS && chars > PAGE_CHARS / 2)
            || (begins(2) && chars + one.chars() > PAGE_CHARS)
            || (chars + one.chars() > 2 * PAGE_CHARS && one.lead.is_none());
        if is_full {
            out.push(n);
            chars = 0;
        }
    }
    out
}

/// Per passage the characters from it to the end of its section at a depth.
fn rests(found: &[Found], depth: usize) -> Vec<usize> {
    let mut rests = vec![0; found.len() + 1];
    for n in (0..found.len()).rev() {
        let (own, next) = (&found[n].sections, found.get(n + 1).map(|next| &next.sections));
        let goes_on = next.is_some_and(|next| next.iter().take(depth).eq(own.iter().take(depth)));
        rests[n] = found[n].chars() + if goes_on { rests[n + 1] } else { 0 };
    }
    rests
}

/// What tells a later page of a document apart from the others: its sections, none of them cut, or the first and the last;
/// of a section that goes on from one page to the next, those below it.
fn part_names(found: &[Found], part: Range<usize>, depth: usize) -> Option<String> {
    let section = |n: usize| found.get(n).and_then(|one| one.sections.get(depth));
    let is_split = |n: usize| {
        let goes_on = |at: Option<usize>| at.is_some_and(|at| section(n).is_some() && section(at) == section(n));
        goes_on(part.start.checked_sub(1)) || goes_on(Some(part.end))
    };
    let mut names: Vec<String> = Vec::new();
    for n in part.clone() {
        let below = found[n].sections.get(depth + 1).filter(|_| is_split(n));
        let name = bare(below.or(section(n)).or(found[n].sections.last()).map_or("", String::as_str));
        if !name.is_empty() && !names.contains(&name) {
            names.push(name);
        }
    }
    let fits = |names: &str| names.chars().count() <= PART_CHARS_MAX;
    let are_releases = names.iter().all(|name| is_release(name));
    let all = names.join(", ");
    let (first, last) = (names.first()?, names.last()?);
    let ends = format!("{first} – {last}");
    let [only] = names.as_slice() else {
        return match () {
            () if !are_releases && names.len() <= PART_NAMES_MAX && fits(&all) => Some(all),
            () if fits(&ends) => Some(ends),
            () => Some(first.clone()).filter(|first| first.chars().count() <= PART_TITLE_MAX),
        };
    };
    Some(only.clone()).filter(|only| only.chars().count() <= PART_TITLE_MAX)
}

/// Most characters of the one section that a part is.
const PART_TITLE_MAX: usize = 80;

/// A heading without what stands in parentheses: `Heat (in degrees)?` tells no more than `Heat?`.
fn bare(name: &str) -> String {
    match (name.find(" ("), name.rfind(')')) {
        (Some(open), Some(close)) if open > 0 && close > open => {
            one_line(&(name[..open].to_owned() + &name[close + 1..]))
        }
        _ => name.to_owned(),
    }
}

/// The passages of what was chosen, each with its place; neighbours of a section are cited together.
pub(super) fn passages(chosen: Chosen, parts: &[(String, usize)], places: &mut Places<'_>) -> Vec<Passage> {
    let part_of = |n: usize| parts.partition_point(|(_, first)| *first <= n).saturating_sub(1);
    let mut depths: Vec<usize> = Vec::with_capacity(chosen.found.len());
    let mut out = Vec::with_capacity(chosen.found.len());
    for (n, (one, gap)) in chosen.found.into_iter().zip(chosen.gaps).enumerate() {
        let above = one.lead.filter(|lead| part_of(*lead) == part_of(n));
        depths.push(above.map_or(0, |lead| depths[lead] + 1));
        let place = InDocument {
            nth: n,
            part: part_of(n),
            depth: depths[n],
            sections: one.sections,
            blocks: one.blocks,
            step: one.step,
            gap,
            is_adopted: false,
        };
        let (text, lines, kind, digest) = (one.text, one.lines, one.kind, places.digest(one.lines));
        out.push(Passage {
            text,
            lines,
            kind,
            place: Some(Box::new(place)),
            cited: None,
            digest,
            told: None,
            learned: Learned::Plain,
        });
    }
    let section = |passage: &Passage| passage.place.as_deref().map(|place| (place.part, place.sections.clone()));
    // What a line says of where a label leads stands far from the section.
    let is_definition = |lines: (usize, usize)| lines.0 == lines.1 && shape::is_definition(places.cited(lines).trim());
    let far: BTreeSet<usize> =
        out.iter().map(|one| one.lines).filter(|lines| is_definition(*lines)).map(|(n, _)| n).collect();
    let is_near = |passage: &Passage| !far.contains(&passage.lines.0);
    cite_together(&mut out, places, |a, b| section(a) == section(b) && is_near(a) && is_near(b));
    out
}
