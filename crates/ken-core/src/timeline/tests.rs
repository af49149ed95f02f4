//! What chains promise: one value moves along each, and nothing that was replaced is lost.

use proptest::prelude::*;

use super::*;

fn day(text: &str) -> Option<Date> {
    text.parse().ok()
}

/// Statements with their day and what took their place, as `day sentence`.
fn told<'t>(said: &[(&'t str, Option<usize>)]) -> Vec<Told<'t>> {
    let of = |at: usize| said[at].0.split_once(' ').expect("a day and a sentence");
    let by = |at: usize| By { at, day: day(of(at).0) };
    let one = |at: usize| Told { text: of(at).1, day: day(of(at).0), by: said[at].1.map(by) };
    (0..said.len()).map(one).collect()
}

/// Chains as they are read: `89 euros > 95 euros`.
#[track_caller]
fn check(said: &[(&str, Option<usize>)], expected: &[&str]) {
    let step = |step: &Step| match step.values.is_empty() {
        true => format!("{:?}", step.told),
        false => step.values.join(" / "),
    };
    let shown: Vec<String> =
        chains(&told(said)).iter().map(|chain| chain.steps.iter().map(step).collect::<Vec<_>>().join(" > ")).collect();
    assert_eq!(shown, expected);
}

#[test]
fn of_two_days_the_one_is_followed_that_is_named_beside_the_new_one() {
    check(
        &[
            ("2026-03-02 The tables are expected on 30 March, the fair is on 28 April.", Some(1)),
            ("2026-03-20 The fair moves from 28 April to 5 May, because the tables come after 30 March.", None),
        ],
        &["28 April > 5 May"],
    );
}

#[test]
fn a_value_is_followed_to_what_holds_now() {
    check(
        &[
            ("2026-03-02 All prices include tax, and the advertising budget is 2,000 euros.", Some(1)),
            ("2026-03-13 The advertising budget goes down to 1,500 euros.", Some(2)),
            ("2026-03-25 The advertising budget is 2,600 euros now.", None),
        ],
        &["2,000 euros > 1,500 euros > 2,600 euros"],
    );
}

#[test]
fn of_several_values_the_one_among_the_same_words_moves() {
    check(
        &[
            ("2026-03-13 The subscription is 4 euros a month, the advertising budget is 1,500 euros.", Some(1)),
            ("2026-03-25 The advertising budget is 2,600 euros now.", None),
        ],
        &["1,500 euros > 2,600 euros"],
    );
    check(
        &[
            ("2026-03-02 Starter kit 89 euros, extra valve 14 euros.", Some(1)),
            ("2026-03-06 The starter kit must cost 95 euros, 89 leaves us 4 euros a box.", None),
        ],
        &["89 euros > 95 euros"],
    );
}

#[test]
fn a_value_that_the_later_statement_repeats_of_the_same_thing_has_not_moved() {
    check(
        &[
            ("2026-03-02 Starter kit 89 euros, extra valve 14 euros.", Some(1)),
            ("2026-03-06 The starter kit now costs 95 euros; the extra valve stays at 14 euros.", None),
        ],
        &["89 euros > 95 euros"],
    );
}

#[test]
fn along_a_chain_one_sort_of_value_moves() {
    check(
        &[
            ("2026-03-03 The payment provider is Paylark.", Some(2)),
            ("2026-03-03 Payment provider Paylark, fee 2.4 percent.", Some(2)),
            ("2026-03-18 Payment provider is Tollbee instead of Paylark, fee 1.9 percent.", None),
        ],
        &["Paylark > Tollbee"],
    );
}

#[test]
fn what_is_said_again_is_one_step() {
    check(
        &[
            ("2026-03-02 The kit costs 89 euros.", Some(1)),
            ("2026-03-06 The kit costs 95 euros now.", Some(3)),
            ("2026-03-23 The kit costs 95 euros.", Some(3)),
            ("2026-03-24 The kit costs 92 euros instead of 95.", None),
        ],
        &["89 euros > 95 euros > 92 euros"],
    );
}

#[test]
fn an_old_value_that_is_said_again_does_not_come_back() {
    check(
        &[
            ("2026-03-02 The oven timer rings after 40 minutes.", Some(1)),
            ("2026-03-09 The oven timer rings after 45 minutes instead of 40.", Some(3)),
            ("2026-03-16 The oven timer rings after 40 minutes, I think.", Some(1)),
            ("2026-03-20 The oven timer rings after 50 minutes now.", None),
        ],
        &["40 minutes > 45 minutes > 50 minutes"],
    );
}

#[test]
fn dates_names_and_lengths_are_values() {
    check(
        &[
            ("2026-03-02 The launch is on 14 April.", Some(1)),
            ("2026-03-09 The launch of the controller moves from 14 April to 28 April because of the mould.", None),
        ],
        &["14 April > 28 April"],
    );
    check(
        &[
            ("2026-03-02 Orders are stored in SQLite.", Some(1)),
            ("2026-03-09 Orders are stored in DuckDB instead of SQLite.", None),
        ],
        &["SQLite > DuckDB"],
    );
}

#[test]
fn where_no_value_moves_the_sentence_stands() {
    check(
        &[
            ("2026-05-11 The oven timer shows the remaining minutes.", Some(1)),
            ("2026-05-22 The oven timer no longer shows the remaining minutes.", None),
        ],
        &["[0] > [1]"],
    );
}

#[test]
fn names_change_whole_and_who_is_named_again_does_not() {
    for (old, new, expected) in [
        (
            "Rye Stout is brewed with the yeast Millbrook.",
            "Rye Stout is brewed with Irish Ale instead of Millbrook.",
            "Millbrook > Irish Ale",
        ),
        (
            "Our contact at the mill is Mr. Lund.",
            "Our contact at the mill is Mrs. Vale now instead of Mr. Lund.",
            "Mr. Lund > Mrs. Vale",
        ),
        (
            "The order book is kept in Breadbox.",
            "We moved the order book from Breadbox to Ovenhub.",
            "Breadbox > Ovenhub",
        ),
        // Two sentences are no name.
        ("The order book is kept in Box.", "We keep the order book in Hub. Ada asked for it, not in Box.", "Box > Hub"),
    ] {
        let (old, new) = (format!("2026-03-02 {old}"), format!("2026-03-09 {new}"));
        check(&[(&old, Some(1)), (&new, None)], &[expected]);
    }
}

#[test]
fn changes_of_different_things_are_different_chains() {
    check(
        &[
            ("2026-03-04 The valve may stay open for 45 minutes.", Some(2)),
            ("2026-03-02 The kit costs 89 euros.", Some(3)),
            ("2026-03-14 The valve may stay open for 30 minutes now.", None),
            ("2026-03-06 The kit costs 95 euros now.", None),
            ("2026-03-06 The kit is green.", None),
        ],
        &["89 euros > 95 euros", "45 minutes > 30 minutes"],
    );
}

#[test]
fn a_circle_ends() {
    let circle = chains(&told(&[("2026-03-02 It is hot.", Some(1)), ("2026-03-03 It is cold.", Some(0))]));
    assert!(circle.len() <= 2);
    assert_eq!(chains(&told(&[("2026-03-02 It is hot.", Some(0))])), []);
}

proptest! {
    #[test]
    fn every_replaced_statement_stands_in_one_chain_and_none_panics(by in proptest::collection::vec(0usize..12, 1..12)) {
        let n = by.len();
        // What took a place stands later, as on every page that is not damaged.
        let by: Vec<Option<usize>> = by.iter().enumerate().map(|(at, by)| Some(*by).filter(|by| at < *by && *by < n)).collect();
        let texts: Vec<String> = (0..n).map(|at| format!("The kit costs {} euros.", at % 4)).collect();
        let told: Vec<Told<'_>> = (0..n).map(|at| Told { text: &texts[at], day: None, by: by[at].map(|at| By { at, day: None }) }).collect();
        let mut seen: Vec<usize> = chains(&told).iter().flat_map(|chain| chain.steps.iter().flat_map(|step| step.told.clone())).collect();
        seen.sort_unstable();
        let mut expected: Vec<usize> = (0..n).filter(|at| by[*at].is_some() || by.contains(&Some(*at))).collect();
        expected.sort_unstable();
        prop_assert_eq!(seen, expected);
    }
}
