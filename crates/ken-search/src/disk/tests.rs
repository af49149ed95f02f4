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
    let pinned = (7, "707fc21b".to_owned());
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

#[test]
fn a_table_that_was_made_ahead_gets_the_times_of_all_its_files_and_folders_or_is_none() {
    let stamp = |path: &str, len, mtime_ns| {
        let path = VaultPath::new(path).expect("inside");
        Stamp { path, len, mtime_ns, digest: Digest::of(PAGE.as_bytes()) }
    };
    let folder = |path: &str, mtime_ns| FolderStamp { path: VaultPath::new(path).expect("inside"), mtime_ns };
    let made = |mill: &Stamp, folders: &[FolderStamp]| build(&[], &[&stamp("knowledge/oven.md", 3, 4), mill], folders);
    let (mill, folders) =
        (stamp("knowledge/rye/mill.md", 5, -6), [folder("knowledge", 7), folder("knowledge/rye", -8)]);
    let ahead = || {
        let folders = [folder("knowledge", 0), folder("knowledge/rye", 0)];
        Table::open(made(&Stamp { len: 0, mtime_ns: 0, ..mill.clone() }, &folders)).expect("a table")
    };
    assert_eq!(ahead().stamped([&mill].into_iter(), &folders), Some(made(&mill, &folders)));
    assert_eq!(ahead().stamped([&stamp("knowledge/rye/mill", 5, 6)].into_iter(), &folders), None, "no such file");
    assert_eq!(ahead().stamped([&mill].into_iter(), &folders[..1]), None, "a folder is gone");
    let other = [folder("knowledge", 7), folder("knowledge/wheat", 9)];
    assert_eq!(ahead().stamped([&mill].into_iter(), &other), None, "another folder");
}
