//! What says the same, and what does not.

use proptest::prelude::*;

use super::*;

/// Cases: `same LANGUAGE/KIND` or `not LANGUAGE/KIND`, and two statements.
const CASES: &str = include_str!("cases.txt");

/// Least number of cases that are seen to say the same: what the rules reach; whoever makes them better raises it.
const SAME_MIN: usize = 27;

fn says_same(a: &str, b: &str) -> bool {
    let is_worth_it = Gist::of(a).may_say_the_same(Gist::of(b));
    let (a, b) = (Reading::of(a, None), Reading::of(b, None));
    let is_reason = a.reason == b.reason || a.reason.is_empty() || b.reason.is_empty();
    is_worth_it && a.key.is_some() && a.key == b.key && is_reason
}

#[test]
fn no_two_statements_are_merged_that_say_different_things() {
    let (mut n_found, mut wrong, mut overlooked) = (0, Vec::new(), Vec::new());
    for case in CASES.split("\n\n") {
        let lines: Vec<&str> = case.trim().lines().collect();
        let [name, a, b] = lines[..] else { panic!("a case of three lines: {case}") };
        match (name.starts_with("same "), says_same(a, b)) {
            (true, true) => n_found += 1,
            (true, false) => overlooked.push(name),
            (false, true) => wrong.push(name),
            (false, false) => {}
        }
    }
    assert!(wrong.is_empty() && n_found >= SAME_MIN, "{n_found} found; wrong: {wrong:?}; overlooked: {overlooked:?}");
}

#[test]
fn a_model_is_not_believed_against_numbers_names_negations_and_doubts() {
    let may_be = |a: &str, b: &str| may_be_same((a, None), (b, None));
    assert!(may_be("The proving cabinet has room for 32 trays.", "32 trays fit into the proving cabinet."));
    assert!(may_be("We bake rye at night.", "Rye is baked during the night."));
    assert!(!may_be("The proving cabinet has room for 32 trays.", "36 trays fit into the proving cabinet."));
    assert!(!may_be("Ada bakes the rye.", "Leo bakes the rye."));
    assert!(!may_be("The oven timer rings at night.", "At night the oven timer does not ring."));
    assert!(!may_be("The mixer needs the big fuse.", "The mixer might need the big fuse."));
    assert!(!may_be("Does the mixer need the big fuse?", "The mixer needs the big fuse."));
}

proptest! {
    #[test]
    fn any_statement_says_what_it_says(text in "(the|now|not|because|15 min|fifteen|-3|é|[a-z.,:'`*%? ]{0,10}| ){0,12}") {
        prop_assert_eq!(Reading::of(&text, None), Reading::of(&text, None));
        prop_assert!(Gist::of(&text).may_say_the_same(Gist::of(&text)));
    }
}
