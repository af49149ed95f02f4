//! The search index finds what a look at every passage finds, whatever its segments, and survives damage.

use std::collections::BTreeMap;

use ken_core::search::doc::source_doc;
use ken_core::search::{Analyst, Partition};
use ken_core::{Digest, VaultPath};
use ken_search::{Blob, Forms, Manifest, Named, NewDoc, NewPassage, SegmentBuilder, Shelf, Stamp, Wanted};
use proptest::collection::vec;
use proptest::prelude::*;

const WORDS: &[&str] = &["token", "oven", "clock", "bread", "ring", "minute", "kitchen", "display", "zebra", "queue"];

fn path(n: usize) -> VaultPath {
    VaultPath::new(&format!("daily/{n:05}.md")).expect("inside")
}

/// A segment of these texts, each a file with one document, numbered from `first`.
fn segment(texts: &[String], first: usize) -> Vec<u8> {
    let mut analyst = Analyst::default();
    let mut builder = SegmentBuilder::default();
    for (n, text) in texts.iter().enumerate() {
        let path = path(first + n);
        let mut doc = source_doc(&path, text);
        doc.call("");
        let weighed = analyst.weigh(&doc, text);
        let passages = doc.passages.iter().zip(weighed.passages);
        let passages = passages.map(|((facts, _), terms)| NewPassage { facts: facts.clone(), terms }).collect();
        let stamp = Stamp { path, len: text.len() as u64, mtime_ns: 7, digest: Digest::of(text.as_bytes()) };
        let doc = NewDoc { facts: doc.facts, terms: weighed.doc, n_words: weighed.n_words, passages };
        builder.add(&stamp, Partition::Evidence, vec![doc], None);
    }
    builder.finish(&analyst.terms)
}

fn shelf(segments: Vec<Vec<u8>>) -> Option<Shelf> {
    Shelf::open(segments.into_iter().map(|bytes| (Box::new(bytes) as Box<dyn Blob>, Vec::new())).collect())
}

fn forms(words: &[&str]) -> Vec<Forms> {
    let stem = |word: &&str| ken_core::search::Language::ENGLISH.stem(word);
    words.iter().map(|word| vec![(stem(word), 1.0)]).collect()
}

/// Path and score of the best documents.
fn best(shelf: &Shelf, words: &[&str], weights: &[f32], n_max: usize) -> Vec<(String, f32)> {
    let looked_up = shelf.look_up(&forms(words));
    let wanted = Wanted { partition: Partition::Evidence, weights, required: &[], banned: &[], each: false, n_max };
    let found = looked_up.best(&wanted, &|_, _| true, &mut |_, _, _| true);
    let place = |segment: usize, doc: u32| shelf.members()[segment].segment.doc(doc).expect("a document").path;
    found.into_iter().map(|one| (place(one.segment, one.doc).to_string(), one.score)).collect()
}

fn texts() -> impl Strategy<Value = Vec<String>> {
    let text = vec((0..WORDS.len(), 0_usize..4), 0..60).prop_map(|words| {
        let word =
            |(word, end): (usize, usize)| format!("{}{}", WORDS[word], if end == 0 { ".\n\n## Part\n\n" } else { " " });
        words.into_iter().map(word).collect::<String>()
    });
    vec(text, 1..40)
}

proptest! {
    #[test]
    fn skipping_finds_what_looking_at_everything_finds(
        texts in texts(),
        cut in any::<prop::sample::Index>(),
        weights in vec(0.1_f32..5.0, 4),
        n_max in 1_usize..6,
    ) {
        let words = &WORDS[..4];
        let cut = cut.index(texts.len());
        let whole = shelf(vec![segment(&texts, 0)]).expect("whole");
        let parted = shelf(vec![segment(&texts[..cut], 0), segment(&texts[cut..], cut)]).expect("whole");
        // With room for all, nothing is skipped.
        let all = best(&whole, words, &weights, texts.len());
        let scores: BTreeMap<&str, f32> = all.iter().map(|(path, score)| (path.as_str(), *score)).collect();
        for shelf in [&whole, &parted] {
            let found = best(shelf, words, &weights, n_max);
            prop_assert_eq!(found.len(), all.len().min(n_max));
            for (rank, (path, score)) in found.iter().enumerate() {
                prop_assert!((scores[path.as_str()] - score).abs() < 1e-3);
                prop_assert!((all[rank].1 - score).abs() < 1e-3, "rank {} has {}, not {}", rank, score, all[rank].1);
            }
        }
    }

    #[test]
    fn files_are_found_by_path_and_look_as_they_did(texts in texts()) {
        let shelf = shelf(vec![segment(&texts, 0)]).expect("whole");
        for n in 0..texts.len() {
            let (segment, file) = shelf.find_file(&path(n)).expect("it was added");
            prop_assert_eq!((segment, file as usize), (0, n));
        }
        prop_assert!(shelf.find_file(&path(texts.len())).is_none());
        let looks = shelf.members()[0].segment.looks();
        prop_assert_eq!(looks.iter().map(|look| look.len).collect::<Vec<_>>(), texts.iter().map(|text| text.len() as u64).collect::<Vec<_>>());
    }

    #[test]
    fn bytes_changed_anywhere_never_panic(texts in texts(), changes in vec((any::<prop::sample::Index>(), any::<u8>()), 1..40)) {
        let mut bytes = segment(&texts, 0);
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Some(shelf) = shelf(vec![bytes]) {
            let looked_up = shelf.look_up(&forms(WORDS));
            let weights = vec![1.0; WORDS.len()];
            let wanted = Wanted { partition: Partition::Evidence, weights: &weights, required: &[0], banned: &[1], each: false, n_max: 5 };
            for found in looked_up.best(&wanted, &|_, _| true, &mut |_, _, _| true) {
                let member = &shelf.members()[0].segment;
                let _ = (member.doc(found.doc), member.passage(found.passage), member.date_of(found.doc));
            }
            let _ = (shelf.members()[0].segment.looks(), shelf.docs_where(&|_| true), shelf.find_file(&path(3)));
        }
    }

    #[test]
    fn a_cut_segment_is_none(texts in texts(), cut in any::<prop::sample::Index>()) {
        let mut bytes = segment(&texts, 0);
        bytes.truncate(cut.index(bytes.len()));
        prop_assert!(shelf(vec![bytes]).is_none());
    }

    #[test]
    fn a_manifest_reads_back_and_a_cut_one_is_none(
        generation: u64,
        names in vec(("[a-z]{1,9}", vec(any::<u32>(), 0..5)), 0..5),
        cut in any::<prop::sample::Index>(),
    ) {
        let segments = names.into_iter().map(|(name, dead)| Named { name, mtime_ns: 5, dead }).collect();
        let manifest = Manifest { generation, made_with: "x".to_owned(), segments, languages: 3, ..Manifest::default() };
        let bytes = manifest.to_bytes();
        prop_assert_eq!(Manifest::from_bytes(&bytes), Some(manifest));
        prop_assert_eq!(Manifest::from_bytes(&bytes[..cut.index(bytes.len())]), None);
    }
}

#[test]
fn required_and_banned_words_narrow_what_is_found() {
    let texts: Vec<String> = ["token oven", "token clock", "oven clock"].map(str::to_owned).into();
    let shelf = shelf(vec![segment(&texts, 0)]).expect("whole");
    let looked_up = shelf.look_up(&forms(&["token", "oven", "clock"]));
    let found = |required: &[usize], banned: &[usize]| {
        let wanted = Wanted {
            partition: Partition::Evidence,
            weights: &[1.0, 1.0, 1.0],
            required,
            banned,
            each: false,
            n_max: 9,
        };
        looked_up.best(&wanted, &|_, _| true, &mut |_, _, _| true).len()
    };
    assert_eq!((found(&[], &[]), found(&[0], &[]), found(&[0], &[1]), found(&[0, 1, 2], &[])), (3, 2, 1, 0));
}

#[test]
fn terms_are_listed_by_how_they_begin() {
    // A part of three digits each, and the whole.
    let many: Vec<String> = (0..300).map(|n| format!("kilo{n:03} token")).collect();
    let texts: Vec<String> = ["token oven", "token tomato", "oven clock"].map(str::to_owned).into();
    let shelf = shelf(vec![segment(&many, 0), segment(&texts, 300)]).expect("whole");
    let listed = |first: &str| {
        let mut all: Vec<(String, usize)> = Vec::new();
        shelf.each_term(first, |term, n_docs| all.push((term.to_owned(), n_docs)));
        all
    };
    let known = |term: &str, n_docs| (term.to_owned(), n_docs);
    assert_eq!(listed("to"), [known("token", 300), known("token", 2), known("tomato", 1)]);
    assert_eq!((listed("kilo").len(), listed("z").len(), listed("0").len()), (301, 0, 100));
}

/// When this fails, layout or terms have changed: raise `segment::VERSION` and pin the new digest, or indexes
/// that older programs made would be read by the new rules.
#[test]
fn the_bytes_of_a_version_never_change() {
    let texts: Vec<String> =
        ["# Tokens\n\nThe maxRetries of v0.4.2 holds.\n", "認証設定 and 2026-04-01.\n"].map(str::to_owned).into();
    let pinned = (ken_search::VERSION, Digest::of(&segment(&texts, 0)).short());
    assert_eq!(pinned, (9, "98bea572".to_owned()));
}
