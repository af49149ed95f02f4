//! What a finding denies, and what a rule of cases takes the place of.

use super::*;

#[test]
fn what_was_found_to_be_otherwise_ends() {
    for (earlier, later) in [
        ("The cache does not survive a restart.", "We tested it: the cache survives a restart."),
        (
            "Settings of the shop overwrite ours - hooks don't run twice.",
            "We tested and found that they merge (hooks run twice).",
        ),
        ("Orders wait in line.", "It turned out that orders do not wait in line."),
    ] {
        check(earlier, later, Some(Evidence::Change));
    }
    for (earlier, later) in [
        ("The cache does not survive a restart.", "The server survives a restart, we tested."),
        ("The cache does not survive a restart.", "Does the cache survive a restart? We tested nothing."),
        ("The cache does not survive a restart.", "If the cache survives a restart, we have tested enough."),
        ("Does the cache survive a restart?", "We found that the cache does not survive a restart."),
        ("The cache survives a restart.", "We tested it: the cache survives a restart."),
        ("We found the bug on 2 March.", "We found another bug on 4 March."),
    ] {
        check(earlier, later, None);
    }
}

#[test]
fn a_rule_of_cases_ends_the_one_that_held_for_all() {
    for (earlier, later) in [
        (
            "One visit is enough for a garden.",
            "Garden rule: two visits for roses, one visit for everything else, from 27 March.",
        ),
        (
            "One approval is enough for a merge.",
            "Merge rule: two approvals for firmware, one approval for everything else, from 27 March.",
        ),
    ] {
        check(earlier, later, Some(Evidence::Change));
    }
    for (earlier, later) in [
        (
            "One ticket is enough for the tram.",
            "Cinema: two tickets for adults, one ticket for everyone else, from Monday.",
        ),
        (
            "Garden rule: two visits for roses, one visit for everything else.",
            "Garden rule: three visits for roses, one visit for everything else, from 27 March.",
        ),
    ] {
        check(earlier, later, None);
    }
}
