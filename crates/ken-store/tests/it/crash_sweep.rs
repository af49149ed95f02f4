//! A crash at any file operation, with any loss, again and again, leaves all or nothing.
//!
//! The plan is stopped at each of its operations; each state that a restart can then find is recovered;
//! that recovery is in turn stopped at each of its operations, and what is then found is recovered
//! once more. States that are the same to the byte are looked at once.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::PathBuf;

use ken_core::{Digest, Plan};
use ken_store::StoreError;
use ken_testkit::memfs::{Loss, MemFs};

use crate::redacting::{clearing, holds_secret, leaky_vault};
use crate::support::{apply, big_plan, create, lock, mem_store, now, plan, root, small_vault, visible};

/// How many crashes follow one another.
const CRASHES: usize = 2;

type Files = BTreeMap<PathBuf, Vec<u8>>;

struct Sweep {
    /// Whether the plan takes a secret out instead of adding to the journal.
    is_redaction: bool,
    old: Files,
    new: Files,
    seen: BTreeSet<(Digest, bool)>,
    /// States still to be recovered, whether the plan was acknowledged as done before, and after how
    /// many crashes.
    todo: VecDeque<(MemFs, bool, usize)>,
    n_runs: usize,
    n_old: usize,
    n_new: usize,
}

impl Sweep {
    fn add(&mut self, crashed: &MemFs, acknowledged: bool, n_crashes: usize) {
        for loss in Loss::ALL {
            self.n_runs += 1;
            let state = crashed.after_crash(loss);
            self.check_unrecovered(&state);
            if self.seen.insert((state.fingerprint(), acknowledged)) {
                self.todo.push_back((state, acknowledged, n_crashes));
            }
        }
    }

    /// What readers that take no lock rely on: no page is ever half written, the journal only grows.
    fn check_unrecovered(&self, state: &MemFs) {
        let is_page = |path: &PathBuf| path.extension().is_some_and(|ext| ext == "md") && !path.ends_with("log.md");
        for (path, bytes) in state.files().iter().filter(|(path, _)| is_page(path)) {
            if path.starts_with(root().join("daily")) && !self.is_redaction {
                assert!(bytes.starts_with(&self.old[path]), "{path:?} lost journal bytes");
                assert!(self.new[path].starts_with(bytes), "{path:?} has foreign bytes");
            } else {
                let is_whole = [&self.old, &self.new].iter().any(|files| files.get(path) == Some(bytes));
                assert!(is_whole, "{path:?} is torn: {bytes:?}");
            }
        }
    }

    /// Recovers one state, checks it, and stops its recovery at each operation.
    fn explore(&mut self, state: &MemFs, acknowledged: bool, n_crashes: usize) {
        let whole = state.fork();
        let completed = {
            let guard = lock(&mem_store(&whole));
            let recovered = guard.recovered().cloned().unwrap_or_default();
            assert!(recovered.conflicts.is_empty() && recovered.damaged.is_none(), "{recovered:?}");
            recovered.completed.is_some()
        };
        let found = visible(&whole);
        let is_new = found == self.new;
        assert!(is_new || found == self.old, "neither all old nor all new: {found:#?}");
        assert!(is_new || !acknowledged, "an acknowledged plan was lost");
        assert!(is_new || !completed, "recovery says completed but it is not");
        assert!(!mem_store(&whole).pending());
        if is_new && self.is_redaction {
            assert!(!holds_secret(&whole), "the secret came through: {:#?}", whole.files());
        }
        if is_new {
            // It added to the journal, so it is refused; without its record it would not get that far.
            let undo = mem_store(&whole).plan_undo(None, now());
            assert!(matches!(undo, Err(StoreError::Refused { .. })), "the undo record was lost: {undo:?}");
        }
        *(if is_new { &mut self.n_new } else { &mut self.n_old }) += 1;
        if n_crashes == CRASHES {
            return;
        }
        let n_ops = whole.n_ops();
        self.add(&whole, acknowledged || completed, n_crashes + 1);
        for n in 1..=n_ops {
            let stopped = state.fork();
            stopped.crash_at(n);
            assert!(mem_store(&stopped).lock("test", std::time::Duration::ZERO).is_err());
            self.add(&stopped, acknowledged, n_crashes + 1);
        }
    }
}

fn sweep(start: &MemFs, plan: &Plan, is_redaction: bool) {
    let done = start.fork();
    apply(&mem_store(&done), plan).expect("nothing stands in the way");
    let (old, new) = (visible(start), visible(&done));
    assert_ne!(old, new);
    let (seen, todo) = (BTreeSet::new(), VecDeque::new());
    let mut sweep = Sweep { is_redaction, old, new, seen, todo, n_runs: 0, n_old: 0, n_new: 0 };
    let n_ops = done.n_ops();
    sweep.add(&done, true, 1);
    for n in 1..=n_ops {
        let stopped = start.fork();
        stopped.crash_at(n);
        let outcome = apply(&mem_store(&stopped), plan);
        // The very last operations only tidy up; the plan counts as done without them.
        sweep.add(&stopped, outcome.is_ok(), 1);
    }
    while let Some((state, acknowledged, n_crashes)) = sweep.todo.pop_front() {
        sweep.explore(&state, acknowledged, n_crashes);
    }
    let Sweep { n_runs, n_old, n_new, .. } = &sweep;
    assert!(n_ops > 30 && *n_runs > 1_000 && *n_old > 5 && *n_new > 100, "{n_ops} {n_runs} {n_old} {n_new}");
}

#[test]
fn a_crash_anywhere_in_a_used_vault_leaves_all_or_nothing() {
    let mem = small_vault();
    apply(&mem_store(&mem), &plan(vec![create("knowledge/first.md", "first\n")])).expect("applies");
    sweep(&mem.after_crash(Loss::Kept), &big_plan(), false);
}

#[test]
fn a_crash_anywhere_in_a_fresh_vault_leaves_all_or_nothing() {
    sweep(&small_vault(), &big_plan(), false);
}

#[test]
fn a_crash_anywhere_in_a_redaction_leaves_the_secret_everywhere_or_nowhere() {
    let mem = leaky_vault().after_crash(Loss::Kept);
    let plan = clearing(&mem_store(&mem));
    sweep(&mem, &plan, true);
}

#[test]
fn after_any_crash_the_same_plan_can_be_applied() {
    let start = small_vault();
    let done = start.fork();
    apply(&mem_store(&done), &big_plan()).expect("applies");
    for n in 1..=done.n_ops() {
        for loss in Loss::ALL {
            let stopped = start.fork();
            stopped.crash_at(n);
            let _ = apply(&mem_store(&stopped), &big_plan());
            let rebooted = stopped.after_crash(loss);
            let store = mem_store(&rebooted);
            let guard = lock(&store);
            if guard.recovered().is_none_or(|recovered| recovered.completed.is_none())
                && visible(&rebooted) == visible(&start)
            {
                store.apply(&guard, &big_plan()).expect("applies after a restart");
            }
            assert_eq!(visible(&rebooted), visible(&done), "stopped at {n}, {loss:?}");
        }
    }
}
