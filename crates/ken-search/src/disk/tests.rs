//! What only the inside can show: versions, and that a table is whole or none.

use ken_core::page::parse_page;
use ken_core::{Digest, IndexEntry, Tokens, VaultPath};

use super::*;
use crate::stamp::{FolderStamp, Stamp};

const PAGE: &str = "---
title: Criminalità e maxRetries
type: reference
aliases: [認証設定, token rotation]
tldr: How the refresh_token is renewed when sessions expire.
answers_when: [tokens, reati, HTTPServer config]
similar_high: [jwt:2026-03]
similar_mid: [cors]
updated: 2026-04-01
owner: kenning
redirect_to: jwt
---
Body.
";

fn sample() -> Vec<u8> {
    let path = VaultPath::new("knowledge/token.md").expect("inside");
    let entry = IndexEntry { tokens: Tokens(300), ..IndexEntry::of(&parse_page(&path, PAGE.to_owned()).value) };
    let stamp = Stamp { path, len: 421, mtime_ns: -7, digest: Digest::of(PAGE.as_bytes()) };
    let folder = FolderStamp { path: VaultPath::new("knowledge").expect("inside"), mtime_ns: 9 };
    build(&[&entry], &[&stamp], &[folder])
}

/// When this fails, layout or terms have changed: raise [`VERSION`] and pin the new digest, or tables
/// that older programs wrote would be read by the new rules.
#[test]
fn the_bytes_of_a_version_never_change() {
    let pinned = (6, "bd44dc16".to_owned());
    assert_eq!((VERSION, Digest::of(&sample()).short()), pinned);
}

#[test]
fn a_table_of_another_version_is_none() {
    let mut bytes = sample();
    bytes[MAGIC.len()] += 1;
    assert!(Table::open(bytes).is_none());
}

#[test]
fn a_cut_or_lengthened_table_is_none() {
    let whole = sample();
    assert!(Table::open(whole.clone()).is_some());
    for len in 0..whole.len() {
        assert!(Table::open(whole[..len].to_vec()).is_none(), "cut at {len}");
    }
    assert!(Table::open([whole.as_slice(), &[0]].concat()).is_none());
    assert!(Table::open([whole.as_slice(), &whole].concat()).is_none());
}
