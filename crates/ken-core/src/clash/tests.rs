//! What clashes and what does not, a line each.

use super::*;

fn said(text: &str, day: i8) -> Said {
    Said { text: text.to_owned(), day: Some(Date::constant(2026, 1, day)), subjects: vec![1] }
}

#[track_caller]
fn check(a: &str, b: &str, expected: Option<(&str, &str)>) {
    let found = candidates(&[said(a, 1), said(b, 2)]);
    let differs = found.first().map(|pair| (pair.differs.0.as_str(), pair.differs.1.as_str()));
    assert_eq!(differs, expected, "{a} / {b}: {found:?}");
}

#[test]
fn one_thing_with_two_values_is_a_candidate() {
    check(
        "The morning briefing is at 7:00 AM.",
        "Jamie wants the morning briefing at 6:30 AM.",
        Some(("7:00", "6:30")),
    );
    check("Access tokens live 15 minutes.", "Access tokens live 20 minutes.", Some(("15", "20")));
    check("The ledger keeps 3 retries.", "The ledger keeps 5 retries.", Some(("3", "5")));
    check(
        "The ledger rows are stored in Postgres.",
        "The ledger rows are stored in MySQL.",
        Some(("Postgres", "MySQL")),
    );
    check("The pilot costs $200 a month.", "The pilot costs $350 a month.", Some(("200", "350")));
}

#[test]
fn a_negation_on_one_side_is_a_candidate() {
    check("The gateway caches refresh tokens.", "The gateway does not cache refresh tokens.", Some(("", "not")));
}

#[test]
fn a_negation_of_something_else_is_none() {
    check("Kept the valuation range.", "Kept the valuation range and did not widen the distribution.", None);
    check("The gateway caches refresh tokens.", "The gateway does not log refresh tokens.", None);
}

#[test]
fn the_same_value_in_other_words_is_none() {
    check("Access tokens live 15 minutes.", "Access tokens live 900 seconds.", None);
    check("The briefing is at 7:00 AM.", "The briefing is at 07:00.", None);
    check("The hard deadline of the pilot is March 31.", "The hard deadline of the pilot is 2026-03-31.", None);
    check("Riley Park's evenings are for basketball.", "Riley Park has evenings for basketball.", None);
}

#[test]
fn another_thing_with_another_value_is_none() {
    check("Access tokens live 15 minutes.", "The build takes 20 minutes.", None);
    check("The Q1 board meeting is on 2026-03-26.", "The Q2 board meeting is on 2026-06-19.", None);
    check("Keeps the list in `open_01.md` for now.", "Keeps the list in `open_02.md` for now.", None);
    check("Phase 2 of the rollout begins.", "Phase 3 of the rollout begins.", None);
}

#[test]
fn a_claim_that_says_both_is_a_candidate_when_it_tells_of_a_change() {
    check(
        "The briefing is sent at 7:00 AM.",
        "The briefing is sent at 6:30 AM, corrected from 7:00 AM.",
        Some(("7:00", "6:30")),
    );
    check("The briefing is sent at 7:00 AM.", "The briefing is sent at 7:00 AM and 6:30 PM.", None);
}

#[test]
fn claims_about_nothing_in_common_are_never_compared() {
    let mut other = said("Access tokens live 20 minutes.", 2);
    other.subjects = vec![2];
    assert_eq!(candidates(&[said("Access tokens live 15 minutes.", 1), other]), []);
}

#[test]
fn a_claim_that_resembles_many_waits_for_the_others() {
    let mut claims: Vec<Said> =
        (0..6).map(|n| said(&format!("Access tokens live {} minutes.", 15 + n), 1 + n)).collect();
    claims.push(said("The nightly backup of the ledger, says Ada, runs at 2:00.", 8));
    claims.push(said("By now the nightly backup runs at 4:00.", 9));
    let found = candidates(&claims);
    let at = found.iter().position(|pair| pair.of == (6, 7)).expect("a candidate");
    assert!(at < 8 && found.len() == 16, "{at} {found:?}");
}

#[test]
fn two_claims_have_one_name_in_either_order() {
    let (a, b) = (name("Tokens live 15 minutes."), name("tokens live, 20 minutes"));
    assert_eq!(pair_name(&a, &b), pair_name(&b, &a));
    assert_eq!(a, name(&plain("[[token|Tokens]] live **15** minutes.[^1]")));
}
