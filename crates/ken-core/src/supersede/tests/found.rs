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

#[test]
fn what_is_used_in_the_place_of_something_found_wrong_ends_its_use() {
    for (earlier, later) in [
        (
            "The oven reads its orders from ring.cfg.",
            "ring.cfg loses orders under load, so the oven reads queue.cfg instead.",
        ),
        (
            "Wir schreiben Bestellungen in ring.cfg.",
            "ring.cfg verliert Zeilen, deshalb schreiben wir die Bestellungen stattdessen in queue.cfg.",
        ),
        (
            "Les commandes sont lues dans ring.cfg.",
            "ring.cfg perd des lignes, donc les commandes sont lues dans queue.cfg à la place.",
        ),
        (
            "Gli ordini vengono scritti in ring.cfg.",
            "ring.cfg perde righe, quindi gli ordini vengono scritti invece in queue.cfg.",
        ),
        (
            "Los pedidos se escriben en ring.cfg.",
            "ring.cfg pierde líneas, así que los pedidos se escriben en queue.cfg en su lugar.",
        ),
    ] {
        check(earlier, later, Some(Evidence::Pair));
    }
    let later = "ring.cfg loses orders under load, so the oven reads queue.cfg instead.";
    for earlier in [
        "The doorbell reads its tune from ring.cfg.",
        "The oven reads its orders from queue.cfg, not from ring.cfg.",
        "The oven would read its orders from ring.cfg.",
        "The oven reads its orders from spring.cfg.",
    ] {
        check(earlier, later, None);
    }
    let earlier = "The oven reads its orders from ring.cfg.";
    for later in [
        "ring.cfg loses orders, so perhaps the oven should read queue.cfg instead.",
        "ring.cfg and bell.cfg lose orders, so the oven reads queue.cfg instead.",
        "ring.cfg is read at noon, so the oven reads queue.cfg at one.",
        "The oven reads queue.cfg, so ring.cfg is free instead.",
    ] {
        check(earlier, later, None);
    }
}
