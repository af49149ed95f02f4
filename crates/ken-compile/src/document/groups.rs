//! What of a section is chosen together, so that nothing on a page says something else than where it came from.
//!
//! Sentences of a paragraph build on those before them, steps on those between them, and an item on what it stands below.
//! So of a paragraph only a beginning is kept, of a list the first sentence of every item before one item is left out, and
//! nothing without what it stands below.

use std::ops::Range;

use ken_core::Span;
use ken_core::markdown::code_spans;
use ken_core::text::sentences;

use super::Found;
use crate::alone::points_back;
use crate::score;

/// What is kept of a passage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kept {
    Not,
    /// Its first sentence, with its code and tables.
    First,
    Whole,
}

/// Most characters of a list of steps, or of the first sentences of its terms, that stands on a page even where its
/// section has no room: some of them say that there are no others.
const STEPS_CHARS: usize = 1_000;
const TERMS_CHARS: usize = 3_000;

/// A paragraph, or a list with what leads it in.
pub(super) struct Group {
    /// Its passages.
    range: Range<usize>,
    /// The passages that stand directly in the list; none of a paragraph.
    roots: Vec<usize>,
    /// Whether it says little without what stands before it.
    pub(super) points_back: bool,
}

/// How much of a group stands on a page.
pub(super) struct Extent {
    /// How long it is, in characters.
    pub(super) chars: usize,
    /// Whether it stands there even where there is no room.
    pub(super) is_due: bool,
    kept: Vec<(usize, Kept)>,
}

impl Extent {
    fn of(found: &[Found], kept: Vec<(usize, Kept)>) -> Extent {
        Extent { chars: kept.iter().map(|(n, how)| chars(&found[*n], *how)).sum(), is_due: false, kept }
    }

    /// Returns whether it keeps a passage.
    pub(super) fn keeps(&self, passage: usize) -> bool {
        self.kept.iter().any(|(n, _)| *n == passage)
    }

    /// Notes what of the document it keeps.
    pub(super) fn keep(&self, kept: &mut [Kept]) {
        self.kept.iter().for_each(|(n, how)| kept[*n] = *how);
    }
}

fn chars(found: &Found, how: Kept) -> usize {
    match how {
        Kept::Not => 0,
        Kept::First => found.chars() - found.text.chars().count() + first_sentence(&found.text).chars().count(),
        Kept::Whole => found.chars(),
    }
}

/// Returns the groups of a section.
pub(super) fn of(found: &[Found], section: Range<usize>) -> Vec<Group> {
    // What each passage stands below at last.
    let mut tops: Vec<usize> = section.clone().collect();
    for n in section.clone() {
        let lead = found[n].lead.filter(|lead| section.contains(lead));
        tops[n - section.start] = lead.map_or(n, |lead| tops[lead - section.start]);
    }
    let top = |n: usize| tops[n - section.start];
    let has_list = |n: usize| section.contains(&(n + 1)) && top(n + 1) == n;
    let mut out: Vec<Group> = Vec::new();
    let mut n = section.start;
    while n < section.end {
        let is_list = found[n].is_item || has_list(n);
        // Items that nothing leads in are a list, too.
        let goes_on = |m: usize| match is_list {
            true => top(m) == n || found[n].is_item && found[top(m)].is_item,
            false => found[m].lines == found[n].lines && !found[m].is_item && !has_list(m),
        };
        let end = (n + 1..section.end).find(|m| !goes_on(*m)).unwrap_or(section.end);
        let parent = Some(n).filter(|n| !found[*n].is_item);
        let roots = if is_list {
            (n..end).filter(|m| found[*m].lead == parent && Some(*m) != parent).collect()
        } else {
            Vec::new()
        };
        let points_back = n > section.start && (points_back(&found[n].text) || is_of_code(&found[n - 1], &found[n]));
        out.push(Group { range: n..end, roots, points_back });
        n = end;
    }
    out
}

/// Whether a sentence speaks of what the code right before it shows: it names what only stands there.
fn is_of_code(before: &Found, one: &Found) -> bool {
    let codes = || before.blocks.iter().filter(|block| !block.starts_with('|'));
    let names = code_spans(&one.text, Span::new(0, one.text.len()));
    let names = names.iter().map(|span| span.of(&one.text).trim_matches('`'));
    let is_only_there = |name: &str| !before.text.contains(name) && codes().any(|block| has_word(block, name));
    let is_shown = |name: &str| name.chars().count() > 1 && is_only_there(name);
    !one.is_item && !before.blocks.is_empty() && names.into_iter().any(is_shown)
}

/// Whether a name stands in a text as a word of its own.
fn has_word(text: &str, name: &str) -> bool {
    let is_end = |ch: Option<char>| ch.is_none_or(|ch| !ch.is_alphanumeric());
    text.match_indices(name)
        .any(|(at, _)| is_end(text[..at].chars().next_back()) && is_end(text[at + name.len()..].chars().next()))
}

impl Group {
    /// Returns the position of what stands before it in its section.
    pub(super) fn before(&self) -> Option<usize> {
        self.range.start.checked_sub(1)
    }

    /// Returns what it tells for its length.
    pub(super) fn worth(&self, found: &[Found]) -> f32 {
        found[self.range.clone()].iter().map(Found::worth).fold(0.0, f32::max)
    }

    /// Returns whether anything in it tells enough to stand on a page.
    pub(super) fn tells(&self, found: &[Found]) -> bool {
        found[self.range.clone()].iter().any(|one| one.score >= score::SCORE_MIN)
    }

    /// Returns it as it stands in its document.
    pub(super) fn whole(&self, found: &[Found]) -> Extent {
        let all = self.range.clone().filter(|n| self.says(found, *n));
        Extent::of(found, all.map(|n| (n, Kept::Whole)).collect())
    }

    /// What leads in nothing says nothing, unless a list is not whole without it.
    fn says(&self, found: &[Found], n: usize) -> bool {
        let one = &found[n];
        // What stands below something comes right behind it.
        let leads = self.range.contains(&(n + 1)) && found[n + 1].lead == Some(n);
        !one.leads_in || one.is_item || !one.blocks.is_empty() || leads
    }

    /// Returns how much of it may stand on a page, the longest first.
    pub(super) fn extents(&self, found: &[Found]) -> Vec<Extent> {
        let mut extents = vec![self.whole(found)];
        let is_steps = self.roots.iter().any(|n| found[*n].step.is_some());
        if is_steps && extents[0].chars <= STEPS_CHARS {
            extents[0].is_due = true;
        } else if self.roots.is_empty() {
            extents.extend(self.beginnings(found));
        } else {
            extents.extend(self.shortened(found));
        }
        extents.retain(|extent| !extent.kept.is_empty());
        extents
    }

    /// A paragraph up to some sentence, and the sentence that tells most, alone if it can be understood so.
    fn beginnings(&self, found: &[Found]) -> Vec<Extent> {
        let best = self.range.clone().max_by(|a, b| found[*a].score.total_cmp(&found[*b].score).then(b.cmp(a)));
        let best = best.unwrap_or(self.range.start);
        let extent = |range: Range<usize>| {
            let all = range.filter(|n| self.says(found, *n));
            Extent::of(found, all.map(|n| (n, Kept::Whole)).collect())
        };
        let ends = fewer(self.range.len()).map(|n| self.range.start + n).filter(|end| *end > best);
        let alone = best > self.range.start && !points_back(&found[best].text);
        let alone = alone.then(|| extent(best..best + 1));
        ends.map(|end| extent(self.range.start..end)).chain(alone).collect()
    }

    /// A list with the first sentence of each of its items, and with fewer and fewer of them.
    fn shortened(&self, found: &[Found]) -> Vec<Extent> {
        let heads = |n_roots: usize| {
            let end = self.roots.get(n_roots).copied().unwrap_or(self.range.end);
            let mut kept: Vec<(usize, Kept)> = Vec::new();
            for n in self.range.start..end {
                // What stands below an item may be of its last sentence.
                let has_steps = || found.get(n + 1).is_some_and(|next| next.lead == Some(n) && next.step.is_some());
                let is_whole = !found[n].is_item || found[n].leads_in || has_steps();
                let how = if is_whole { Kept::Whole } else { Kept::First };
                let is_root = n == self.range.start || self.roots.binary_search(&n).is_ok();
                // What stands below a lead-in is what that says, and a step has its steps.
                let of = |lead: usize| found[lead].leads_in || found[lead].step.is_some() && found[n].step.is_some();
                let is_said = || {
                    found[n].lead.is_some_and(|lead| of(lead) && kept.binary_search_by_key(&lead, |(n, _)| *n).is_ok())
                };
                // What says nothing without what stands below it has the first of that, or all of its steps.
                let is_kept = |lead: usize| kept.binary_search_by_key(&lead, |(n, _)| *n).is_ok();
                let is_first = found[n].lead.is_some_and(|lead| {
                    is_bare(&found[lead]) && is_kept(lead) && (lead + 1 == n || found[n].step.is_some())
                });
                if (is_root || is_said() || is_first) && self.says(found, n) {
                    kept.push((n, how));
                }
            }
            Extent::of(found, kept)
        };
        let mut all = heads(self.roots.len());
        let is_steps = self.roots.iter().any(|n| found[*n].step.is_some());
        let n_terms = self.roots.iter().filter(|n| score::is_term(&found[**n].text)).count();
        let is_terms = n_terms * 5 >= self.roots.len() * 4;
        if is_steps || is_terms {
            all.is_due = all.chars <= if is_steps { STEPS_CHARS } else { TERMS_CHARS };
            return vec![all];
        }
        // One of several tells too little of them.
        std::iter::once(all).chain(fewer(self.roots.len()).filter(|n| *n > 1).map(heads)).collect()
    }

    /// Returns how many of the items of a list that something leads in are kept, of how many, with what leads it in.
    pub(super) fn counted(&self, found: &[Found], kept: &[Kept]) -> Option<(usize, usize, usize)> {
        let lead = Some(self.range.start).filter(|lead| !self.roots.is_empty() && !found[*lead].is_item)?;
        let n_kept = self.roots.iter().filter(|n| kept[**n] != Kept::Not).count();
        Some((lead, n_kept, self.roots.len())).filter(|(_, n_kept, all)| (1..*all).contains(n_kept))
    }
}

/// Fewer and fewer of so many.
fn fewer(n: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(n.checked_sub(1), |n| n.checked_sub(1 + n / 8)).take_while(|n| *n > 0)
}

/// Whether an item names something of which what stands below it says more: it is no sentence.
fn is_bare(one: &Found) -> bool {
    one.is_item && !one.text.trim_end_matches(['*', '_', ')', '"']).ends_with(['.', '!', '?', '。'])
}

/// Most words of a sentence that only names something.
const LABEL_WORDS_MAX: usize = 3;

/// Returns the first sentence of a text that says something: `**Retries: no.** They would …`.
pub(super) fn first_sentence(text: &str) -> String {
    let all = sentences(text);
    let is_label = |span: &Span| {
        let text = span.of(text);
        text.starts_with("**") && text.ends_with("**") || text.split(' ').count() <= LABEL_WORDS_MAX
    };
    let Some(last) = all.iter().find(|span| !is_label(span)).or(all.first()) else { return text.to_owned() };
    Span::new(all[0].start, last.end).of(text).to_owned()
}
