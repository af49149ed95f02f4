//! Finds the documents whose best passages score highest, without looking at every passage.
//!
//! The score of a passage is the sum, over the terms asked for, of weight times impact; the score of a
//! document is that of its best passage. The walk is MaxScore (Turtle and Flood, 1995) with the maxima of
//! blocks (Ding and Suel, 2011): terms that together cannot lift a passage above the worst document kept
//! are only looked up for passages that others brought, and blocks that cannot are passed over.

use std::collections::BinaryHeap;

use ken_core::search::Partition;
use ken_core::search::rank::Frequency;

use crate::segment::{Cursor, List, Segment};
use crate::shelf::Shelf;

/// What one word of the question may stand as: terms, each with a weight of at most 1.
pub type Forms = Vec<(String, f32)>;

/// The postings of every word of a question in every segment.
pub struct LookedUp<'a> {
    shelf: &'a Shelf,
    /// Per segment, per word: its passages, its documents.
    lists: Vec<Vec<[List<'a>; 2]>>,
    n_words: usize,
}

/// What to look for.
pub struct Wanted<'a> {
    /// Where.
    pub partition: Partition,
    /// What each word counts; 0 leaves it out.
    pub weights: &'a [f32],
    /// Words that every passage found must have.
    pub required: &'a [usize],
    /// Words that no document found may have.
    pub banned: &'a [usize],
    /// Whether each passage counts by itself; else only the best of its document does.
    pub each: bool,
    /// Most documents, or passages, to return.
    pub n_max: usize,
}

/// Whether a document (segment, document) is in scope.
pub type InScope<'a> = dyn Fn(usize, u32) -> bool + 'a;
/// Whether a passage (segment, document, passage) passes what only its text can show; asked rarely.
pub type Passes<'a> = dyn FnMut(usize, u32, u32) -> bool + 'a;

/// A document with its best passage.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// Number of the segment.
    pub segment: usize,
    /// The document in it.
    pub doc: u32,
    /// Its best passage.
    pub passage: u32,
    /// The sum of weights times impacts (impacts from 0 to 1).
    pub score: f32,
    /// Per word: what it says about the passage, 0 to 1.
    pub in_passage: Vec<f32>,
    /// Per word: what it says about the document, as a density code; 0 for nothing.
    pub in_doc: Vec<u8>,
}

impl Shelf {
    /// Returns the postings of words.
    pub fn look_up(&self, words: &[Forms]) -> LookedUp<'_> {
        let lists = self
            .members()
            .iter()
            .map(|member| words.iter().map(|forms| lists_of(&member.segment, forms)).collect())
            .collect();
        LookedUp { shelf: self, lists, n_words: words.len() }
    }
}

/// The passages and documents of one word in one segment.
fn lists_of<'a>(segment: &'a Segment, forms: &Forms) -> [List<'a>; 2] {
    let mut found: Vec<_> = forms.iter().filter_map(|(term, weight)| Some((segment.term(term)?, *weight))).collect();
    match found.len() {
        0 => [List::empty(), List::empty()],
        1 if found[0].1 >= 1.0 => {
            found.pop().map_or_else(|| [List::empty(), List::empty()], |(lists, _)| [lists.passages, lists.docs])
        }
        _ => {
            let (passages, docs): (Vec<_>, Vec<_>) =
                found.into_iter().map(|(lists, weight)| ((lists.passages, weight), (lists.docs, weight))).unzip();
            [List::union(&passages), List::union(&docs)]
        }
    }
}

impl LookedUp<'_> {
    /// Returns how often each word stands in the index.
    pub fn frequencies(&self) -> Vec<Frequency> {
        let of_word = |word: usize| {
            let lists = self.lists.iter().map(|segment| &segment[word]);
            lists.fold(Frequency::default(), |sum, [passages, docs]| Frequency {
                n_passages: sum.n_passages + passages.len(),
                n_docs: sum.n_docs + docs.len(),
            })
        };
        (0..self.n_words).map(of_word).collect()
    }

    /// Returns the best documents, best first; equal ones in the order of their ids.
    pub fn best(&self, wanted: &Wanted<'_>, in_scope: &InScope<'_>, passes: &mut Passes<'_>) -> Vec<Found> {
        let mut top = Top { n_max: wanted.n_max, heap: BinaryHeap::new() };
        // Large segments first: they set a high bar for the many small ones.
        let mut order: Vec<usize> = (0..self.lists.len()).collect();
        order.sort_by_key(|n| std::cmp::Reverse(self.shelf.members()[*n].segment.n_passages()));
        if wanted.n_max > 0 {
            for segment in order {
                self.collect(segment, wanted, in_scope, passes, &mut top);
            }
        }
        let mut kept = top.heap.into_vec();
        kept.sort();
        self.with_impacts(kept)
    }

    /// Returns what the words say about a document, with the best of its passages.
    pub fn look_at(&self, segment: usize, doc: u32, weights: &[f32]) -> Option<Found> {
        let starts = self.shelf.members().get(segment)?.segment.starts();
        let (start, end) = (*starts.get(doc as usize)?, *starts.get(doc as usize + 1)?);
        let lists = self.lists[segment].iter().zip(weights).filter(|(_, weight)| **weight > 0.0);
        let walkers = lists.map(|(lists, weight)| Walker::new(&lists[0], *weight, start)).collect();
        let mut best = (0.0, start);
        walk(walkers, end, &mut |passage, score, _| {
            best = if score > best.0 { (score, passage) } else { best };
            best.0
        });
        self.with_impacts(vec![Kept { score: best.0, segment, doc, passage: best.1 }]).pop()
    }

    fn collect(
        &self,
        segment: usize,
        wanted: &Wanted<'_>,
        in_scope: &InScope<'_>,
        passes: &mut Passes<'_>,
        top: &mut Top,
    ) {
        let lists = &self.lists[segment];
        if wanted.required.iter().any(|word| lists[*word][0].is_empty()) {
            return;
        }
        let member = &self.shelf.members()[segment].segment;
        let range = member.passages_of(wanted.partition);
        let scored = (0..self.n_words).filter(|word| wanted.weights[*word] > 0.0 && !lists[*word][0].is_empty());
        let walkers = scored.map(|word| Walker::new(&lists[word][0], wanted.weights[word], range.start)).collect();
        let mut required: Vec<Cursor<'_>> = wanted.required.iter().map(|word| Cursor::new(&lists[*word][0])).collect();
        let mut banned: Vec<Cursor<'_>> = wanted.banned.iter().map(|word| Cursor::new(&lists[*word][1])).collect();
        let mut is_wanted = |doc: u32| {
            let is_banned = banned.iter_mut().any(|cursor| {
                cursor.seek(doc);
                cursor.id() == doc
            });
            !is_banned && in_scope(segment, doc)
        };
        let mut has_required = |doc: u32, passage: u32| {
            let has_all = required.iter_mut().all(|cursor| {
                cursor.seek(passage);
                cursor.id() == passage
            });
            has_all && passes(segment, doc, passage)
        };
        let mut docs = DocsOf { starts: member.starts(), doc: 0 };
        let mut open = Open { segment, doc: None, is_wanted: false, best: None };
        walk(walkers, range.end, &mut |passage, score, floor| {
            let Some(doc) = docs.of(passage) else { return floor };
            if open.doc != Some(doc) {
                open.close(top);
                open.doc = Some(doc);
                open.is_wanted = is_wanted(doc);
            }
            let bar = open.bar(top);
            if open.is_wanted && score > bar && has_required(doc, passage) {
                open.best = Some((score, passage));
                if wanted.each {
                    open.close(top);
                    open.doc = Some(doc);
                }
            }
            // The best of the open document holds only for its own passages.
            top.floor()
        });
        open.close(top);
    }

    /// Returns what a word says about a document, as a density code; 0 for nothing.
    pub fn in_doc(&self, segment: usize, doc: u32, word: usize) -> u8 {
        self.lists.get(segment).map_or(0, |lists| impact(&lists[word][1], doc))
    }

    /// What the words say about what is kept, in the same order. The lists are gone through once, from the first place
    /// to the last: their blocks are unpacked once, however many places stand in them.
    fn with_impacts(&self, kept: Vec<Kept>) -> Vec<Found> {
        let found = |Kept { score, segment, doc, passage }| {
            let (in_passage, in_doc) = (vec![0.0; self.n_words], vec![0; self.n_words]);
            Found { segment, doc, passage, score, in_passage, in_doc }
        };
        let mut all: Vec<Found> = kept.into_iter().map(found).collect();
        let mut order: Vec<(usize, u32, usize)> =
            all.iter().enumerate().map(|(n, found)| (found.segment, found.passage, n)).collect();
        order.sort_unstable();
        for places in order.chunk_by(|a, b| a.0 == b.0) {
            for (word, [passages, docs]) in self.lists[places[0].0].iter().enumerate() {
                let (mut passages, mut docs) = (Cursor::new(passages), Cursor::new(docs));
                for (.., n) in places {
                    let found = &mut all[*n];
                    found.in_passage[word] = f32::from(impact_at(&mut passages, found.passage)) / 255.0;
                    found.in_doc[word] = impact_at(&mut docs, found.doc);
                }
            }
        }
        all
    }
}

/// What a list says about an id that is not before where its cursor stands, 0 for nothing.
fn impact_at(cursor: &mut Cursor<'_>, id: u32) -> u8 {
    cursor.seek(id);
    if cursor.id() == id { cursor.impact() } else { 0 }
}

/// What a list says about an id, 0 for nothing.
fn impact(list: &List<'_>, id: u32) -> u8 {
    impact_at(&mut Cursor::new(list), id)
}

/// One term on its way through the passages.
struct Walker<'a> {
    cursor: Cursor<'a>,
    /// Weight of an impact of 1 in 255.
    weight: f32,
    /// The most it can add to any passage.
    bound: f32,
}

impl<'a> Walker<'a> {
    fn new(list: &'a List<'a>, weight: f32, start: u32) -> Walker<'a> {
        let weight = weight / 255.0;
        let mut cursor = Cursor::new(list);
        cursor.seek(start);
        Walker { cursor, weight, bound: weight * f32::from(list.impact_max()) }
    }

    fn score(&self) -> f32 {
        self.weight * f32::from(self.cursor.impact())
    }

    /// The most it can add to a passage from where it stands to `stop`.
    fn bound_below(&self, stop: u32) -> f32 {
        self.weight * f32::from(self.cursor.impact_max_below(stop))
    }
}

/// Passages that are scored together.
const WINDOW: usize = 4096;

/// Passages that are passed over at once.
const CHUNK: usize = 16;

/// Calls `with` with every place whose sum is above the bar, in order; `with` returns the bar from then on.
fn each_above(sums: &[f32], mut bar: f32, mut with: impl FnMut(usize, f32) -> f32) {
    for (n, chunk) in sums.chunks(CHUNK).enumerate() {
        let most = chunk.iter().fold(0.0, |most: f32, sum| if *sum > most { *sum } else { most });
        if most > bar {
            for (at, sum) in chunk.iter().enumerate() {
                if *sum > bar {
                    bar = with(n * CHUNK + at, *sum);
                }
            }
        }
    }
}

/// Calls `visit` with every passage below `end` that may score above the floor, in order, and its score;
/// `visit` returns the floor from then on.
fn walk(mut walkers: Vec<Walker<'_>>, end: u32, visit: &mut dyn FnMut(u32, f32, f32) -> f32) {
    walkers.sort_by(|a, b| a.bound.total_cmp(&b.bound));
    let mut sum = 0.0;
    // What the first n walkers can add together.
    let bounds: Vec<f32> = std::iter::once(0.0)
        .chain(walkers.iter().map(|walker| {
            sum += walker.bound;
            sum
        }))
        .collect();
    let mut sums = vec![0.0_f32; WINDOW];
    let (mut floor, mut first) = (0.0, 0);
    while first < walkers.len() {
        let (others, leading) = walkers.split_at_mut(first);
        let Some(base) = leading.iter().map(|walker| walker.cursor.id()).min().filter(|id| *id < end) else { return };
        let stop = end.min(base.saturating_add(WINDOW as u32));
        let bound = bounds[first] + leading.iter_mut().map(|walker| walker.bound_below(stop)).sum::<f32>();
        if bound <= floor {
            leading.iter_mut().for_each(|walker| walker.cursor.seek(stop));
            continue;
        }
        let sums = &mut sums[..(stop - base) as usize];
        for walker in leading {
            let weight = walker.weight;
            walker.cursor.take_below(stop, |id, impact| sums[(id - base) as usize] += weight * f32::from(impact));
        }
        let rest = bounds[first];
        each_above(sums, (floor - rest).max(0.0), |at, sum| {
            let passage = base + at as u32;
            let mut score = sum;
            for (n, walker) in others.iter_mut().enumerate().rev() {
                if score + bounds[n + 1] <= floor {
                    return (floor - rest).max(0.0);
                }
                walker.cursor.seek(passage);
                if walker.cursor.id() == passage {
                    score += walker.score();
                }
            }
            if score > floor {
                floor = visit(passage, score, floor);
            }
            (floor - rest).max(0.0)
        });
        sums.fill(0.0);
        while first < walkers.len() && bounds[first + 1] <= floor {
            first += 1;
        }
    }
}

/// From passages, which come in order, to their documents.
struct DocsOf<'a> {
    starts: &'a [u32],
    doc: usize,
}

impl DocsOf<'_> {
    fn of(&mut self, passage: u32) -> Option<u32> {
        let mut step = 1;
        while self.starts.get(self.doc + step).is_some_and(|start| *start <= passage) {
            self.doc += step;
            step *= 2;
        }
        let rest = self.starts.get(self.doc + 1..)?;
        self.doc += rest[..step.min(rest.len())].partition_point(|start| *start <= passage);
        (self.doc + 1 < self.starts.len()).then_some(self.doc as u32)
    }
}

/// The document that is being walked through.
struct Open {
    segment: usize,
    doc: Option<u32>,
    is_wanted: bool,
    best: Option<(f32, u32)>,
}

impl Open {
    /// What a passage of this document has to exceed.
    fn bar(&self, top: &Top) -> f32 {
        top.floor().max(self.best.map_or(0.0, |(score, _)| score))
    }

    fn close(&mut self, top: &mut Top) {
        if let (Some(doc), Some((score, passage))) = (self.doc, self.best.take()) {
            top.push(Kept { score, segment: self.segment, doc, passage });
        }
    }
}

/// A document that is kept so far. The order is best first.
#[derive(Debug, Clone, Copy)]
struct Kept {
    score: f32,
    segment: usize,
    doc: u32,
    passage: u32,
}

impl Ord for Kept {
    fn cmp(&self, other: &Kept) -> std::cmp::Ordering {
        other.score.total_cmp(&self.score).then_with(|| (self.segment, self.doc).cmp(&(other.segment, other.doc)))
    }
}

impl PartialOrd for Kept {
    fn partial_cmp(&self, other: &Kept) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Kept {
    fn eq(&self, other: &Kept) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Kept {}

/// The best documents so far; the worst of them is on top of the heap.
struct Top {
    n_max: usize,
    heap: BinaryHeap<Kept>,
}

impl Top {
    /// The score that a document has to exceed.
    fn floor(&self) -> f32 {
        if self.heap.len() < self.n_max { 0.0 } else { self.heap.peek().map_or(0.0, |worst| worst.score) }
    }

    fn push(&mut self, kept: Kept) {
        self.heap.push(kept);
        if self.heap.len() > self.n_max {
            self.heap.pop();
        }
    }
}
