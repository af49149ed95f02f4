//! What the processes do that `processes` starts: this same test program, running one test.

use std::env;
use std::path::Path;

use ken_core::{Basis, Edit, Plan};
use ken_store::{Store, StoreError};

use crate::support::{WAIT, append, entry, path, real_store, text};

/// Names the vault, the role and the worker's own name; unset in an ordinary run.
pub(crate) const ENV: [&str; 3] = ["KEN_TEST_VAULT", "KEN_TEST_ROLE", "KEN_TEST_WORKER"];

/// How many entries each writer adds.
pub(crate) const ROUNDS: usize = 25;

/// How many pages each plan of the endless worker changes together.
pub(crate) const PAGES: usize = 4;

#[test]
fn entry_point() {
    let Some([vault, role, name]) = ENV.map(env::var).into_iter().collect::<Result<Vec<_>, _>>().ok().map(three) else {
        return;
    };
    let store = real_store(Path::new(&vault));
    match role.as_str() {
        "write" => (0..ROUNDS).for_each(|round| add_entry(&store, &format!("{name}-{round}"))),
        "endless" => loop {
            step_together(&store);
        },
        other => panic!("no role {other}"),
    }
}

fn three(texts: Vec<String>) -> [String; 3] {
    texts.try_into().expect("three variables give three texts")
}

/// Adds one entry to the journal and one line to the index that everyone shares.
fn add_entry(store: &Store, name: &str) {
    loop {
        // Read before the lock is taken, as a command does that has decided something meanwhile.
        let index = text(store, "knowledge/index.md");
        let basis = Basis::of(&path("knowledge/index.md"), index.as_deref().map(str::as_bytes));
        let content = format!("{}- {name}\n", index.unwrap_or_default()).into_bytes();
        let edits = vec![append("daily/2026-04-01.md", &format!("- {name}\n")), basis.replace(content)];
        let plan = Plan { edits, guards: Vec::new(), log: entry("capture") };
        let guard = store.lock("capture", WAIT).expect("the others let go in time");
        match store.apply(&guard, &plan) {
            Ok(receipt) => return assert!(receipt.op_id.is_some()),
            Err(StoreError::Changed { .. }) => {}
            Err(error) => panic!("{error}"),
        }
    }
}

/// Moves all pages and the journal one number on.
fn step_together(store: &Store) {
    let guard = store.lock("compile", WAIT).expect("nobody else is at work");
    let page = |n| format!("knowledge/concepts/p{n}.md");
    let now = text(store, &page(0));
    let number: u64 = now.as_deref().map_or(0, |text| text.lines().next().expect("a line").parse().expect("a number"));
    let content = format!("{}\n{}", number + 1, "x".repeat(5000)).into_bytes();
    let write = |n| Basis::of(&path(&page(n)), now.as_deref().map(str::as_bytes)).replace(content.clone());
    let mut edits: Vec<Edit> = (0..PAGES).map(write).collect();
    edits.push(append("daily/2026-04-01.md", &format!("- {}\n", number + 1)));
    store.apply(&guard, &Plan { edits, guards: Vec::new(), log: entry("compile") }).expect("applies");
}
