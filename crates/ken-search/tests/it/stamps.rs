//! The stamps say whether a table still holds.

use ken_core::Catalog;
use ken_search::{FolderStamp, Stamp, Table, build};
use proptest::prelude::*;

use crate::support::{self, refs};

fn table(stamps: &[Stamp], folders: &[FolderStamp]) -> Table {
    Table::open(build(&[], &refs(stamps), folders)).expect("a table was just built")
}

fn files_match(table: &Table, files: &[Stamp]) -> bool {
    table.matches_files(&mut files.iter().map(|file| (file.path.as_str(), file.len, file.mtime_ns)))
}

fn folders_match(table: &Table, folders: &[FolderStamp]) -> bool {
    table.matches_folders(&mut folders.iter().map(|folder| (folder.path.as_str(), folder.mtime_ns)))
}

proptest! {
    #[test]
    fn stamps_read_back_sorted_with_or_without_their_entries(
        entries in support::entries(),
        mut stamps in support::stamps(),
        mut folders in support::folders(),
    ) {
        let table = Table::open(build(&refs(&entries), &refs(&stamps), &folders)).expect("a table was just built");
        stamps.sort();
        folders.sort();
        prop_assert_eq!(table.n_pages(), entries.len());
        prop_assert_eq!(table.stamps().collect::<Vec<_>>(), stamps);
        prop_assert_eq!(table.folders().collect::<Vec<_>>(), folders);
    }

    #[test]
    fn any_change_to_the_files_is_seen(mut stamps in support::stamps(), at in any::<prop::sample::Index>()) {
        let table = table(&stamps, &[]);
        stamps.sort();
        prop_assert!(files_match(&table, &stamps));
        if stamps.is_empty() {
            return Ok(());
        }
        let at = at.index(stamps.len());
        let changed = |change: &dyn Fn(&mut Vec<Stamp>)| {
            let mut files = stamps.clone();
            change(&mut files);
            files_match(&table, &files)
        };
        prop_assert!(!changed(&|files| files[at].len ^= 1));
        prop_assert!(!changed(&|files| files[at].mtime_ns ^= 1));
        prop_assert!(!changed(&|files| files[at].path = files[at].path.join("x").expect("inside")));
        prop_assert!(!changed(&|files| drop(files.remove(at))));
        prop_assert!(!changed(&|files| files.push(files[at].clone())));
    }

    #[test]
    fn any_change_to_the_folders_is_seen(mut folders in support::folders(), at in any::<prop::sample::Index>()) {
        let table = table(&[], &folders);
        folders.sort();
        prop_assert!(folders_match(&table, &folders));
        if folders.is_empty() {
            return Ok(());
        }
        let at = at.index(folders.len());
        let mut touched = folders.clone();
        touched[at].mtime_ns ^= 1;
        prop_assert!(!folders_match(&table, &touched));
        folders.remove(at);
        prop_assert!(!folders_match(&table, &folders));
    }
}
