//! Generated entries, stamps and questions.

use std::collections::BTreeMap;

use ken_core::header::Relation;
use ken_core::page::page_slug;
use ken_core::{Category, Date, Digest, IndexEntry, Month, Tokens, VaultPath};
use ken_search::{FolderStamp, Stamp};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

const WORDS: &[&str] = &[
    "token",
    "tokens",
    "refresh",
    "JWT",
    "maxRetries",
    "auth_token",
    "reati",
    "Criminalità",
    "perché",
    "認証設定",
    "토큰",
    "the",
    "2026",
    "straße",
    "cafe\u{301}",
    "…",
    "🦀",
];
const STEMS: &[&str] =
    &["jwt", "JWT", "refresh-token", "Criminalità", "認証", "cafe\u{301}", "café", "---", "α'\u{345}", "x.y"];

fn text() -> impl Strategy<Value = String> {
    let word = prop_oneof![8 => select(WORDS).prop_map(str::to_owned), 1 => "\\PC{0,8}"];
    vec(word, 0..4).prop_map(|words| words.join(" "))
}

fn path() -> impl Strategy<Value = VaultPath> {
    let folder = select(&["knowledge", "knowledge/concepts", "wiki/日本"][..]);
    (folder, select(STEMS), select(&["md", "html"][..]))
        .prop_map(|(folder, stem, ext)| VaultPath::new(&format!("{folder}/{stem}.{ext}")).expect("inside"))
}

fn relation() -> impl Strategy<Value = Relation> {
    let month = (0_i16..=9999, 1_i8..=12).prop_map(|(year, month)| Month { year, month });
    let target = prop_oneof![text(), select(STEMS).prop_map(str::to_owned)];
    (target, option::of(month)).prop_map(|(target, validated)| Relation { target, validated })
}

fn date() -> impl Strategy<Value = Date> {
    (-9999_i16..=9999, 1_i8..=12, 1_i8..=28)
        .prop_map(|(year, month, day)| Date::new(year, month, day).expect("every month has 28 days"))
}

prop_compose! {
    fn entry()(
        path in path(),
        (title, tldr) in (text(), text()),
        category in select(Category::all().collect::<Vec<_>>()),
        (aliases, triggers) in (vec(text(), 0..3), vec(text(), 0..5)),
        (high, mid) in (vec(relation(), 0..3), vec(relation(), 0..3)),
        tokens in prop_oneof![0_usize..2000, Just(u32::MAX as usize)],
        updated in option::of(date()),
        is_owned in any::<bool>(),
        (redirect_to, past) in (
            option::of(prop_oneof![text(), select(STEMS).prop_map(str::to_owned)]),
            option::weighted(0.2, text()),
        ),
    ) -> IndexEntry {
        let (slug, tokens) = (page_slug(&path), Tokens(tokens));
        IndexEntry {
            slug, path, title, category, aliases, tldr, triggers, high, mid, tokens, updated, is_owned, redirect_to,
            past,
        }
    }
}

/// Returns entries in any order, one a path; several may share a slug.
pub(crate) fn entries() -> impl Strategy<Value = Vec<IndexEntry>> {
    let unique = vec(entry(), 0..12).prop_map(|mut entries| {
        entries.sort_by(|a, b| a.path.cmp(&b.path));
        entries.dedup_by(|a, b| a.path == b.path);
        entries
    });
    unique.prop_shuffle()
}

/// Returns a question of words that entries use.
pub(crate) fn question() -> impl Strategy<Value = String> {
    let opening = select(&["", "what is ", "how does ", "perché "][..]);
    (opening, text()).prop_map(|(opening, text)| format!("{opening}{text}?"))
}

/// Returns stamps in any order, one a path.
pub(crate) fn stamps() -> impl Strategy<Value = Vec<Stamp>> {
    let stamp = (path(), any::<u64>(), any::<i64>(), any::<[u8; 32]>()).prop_map(|(path, len, mtime_ns, digest)| {
        let digest = Digest::from_bytes(digest);
        (path.clone(), Stamp { path, len, mtime_ns, digest })
    });
    vec(stamp, 0..8).prop_map(|stamps| BTreeMap::from_iter(stamps).into_values().collect::<Vec<Stamp>>()).prop_shuffle()
}

/// Returns folders in any order.
pub(crate) fn folders() -> impl Strategy<Value = Vec<FolderStamp>> {
    let folder = (path(), any::<i64>()).prop_map(|(path, mtime_ns)| FolderStamp { path, mtime_ns });
    vec(folder, 0..4)
}

/// References to all elements, as building takes them.
pub(crate) fn refs<T>(all: &[T]) -> Vec<&T> {
    all.iter().collect()
}
