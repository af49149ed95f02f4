//! Questions and statements, and which later one answers a question otherwise; what replaces what is not looked at.

use proptest::prelude::*;

use super::World;
use crate::supersede::{Said, in_world, judged};

/// Checks which of statements, each said on a day of its own, are answered otherwise later, and by which.
#[track_caller]
fn check(question: &str, said: &[&str], expected: &[(usize, usize)]) {
    let day = |n: usize| format!("2026-03-{:02}", n + 2).parse().ok();
    let said: Vec<Said<'_>> = said
        .iter()
        .enumerate()
        .map(|(n, text)| Said { text, day: day(n), exchange: n, may_replace: true, is_action: false, goes_on: false })
        .collect();
    let found = judged(&said, Some(question)).later.into_iter().enumerate();
    let found: Vec<(usize, usize)> = found.filter_map(|(of, by)| Some((of, by?))).collect();
    assert_eq!(found, expected, "{question}");
}

#[test]
fn a_later_answer_with_another_value_stands_beside_an_earlier_one() {
    let oven = "The deck oven bakes at 220 degrees.";
    check("At how many degrees does the deck oven bake?", &[oven, "Bake in the deck oven at 240 degrees."], &[(0, 1)]);
    check(
        "Who keeps the keys of the rye oven?",
        &["Ada keeps the keys of the rye oven.", "Ben keeps the keys of the rye oven."],
        &[(0, 1)],
    );
    check(
        "Which host serves the recipe pages?",
        &["The recipe pages are served from oven.example.org.", "We serve the recipe pages from `bread.example.org`."],
        &[(0, 1)],
    );
    check(
        "Where do the rye loaves cool?",
        &["The rye loaves cool in the pantry.", "The rye loaves cool on the balcony."],
        &[(0, 1)],
    );
}

#[test]
fn one_word_tells_where_something_is_and_nothing_else() {
    check("Where is the starter?", &["The starter stands in the pantry.", "The starter is in the cellar."], &[(0, 1)]);
    check("Who has the starter?", &["Ada keeps the starter.", "Ben saw the starter."], &[]);
    // The sentence before says of what.
    check(
        "When is the open day?",
        &["The open day is on 18 April.", "The open day slips. The new date is 25 April."],
        &[(0, 1)],
    );
    check("When is the open day?", &["The open day is on 18 April.", "All right: 5 May."], &[]);
}

#[test]
fn who_follows_somebody_answers_although_both_are_named() {
    let mill = "Our contact at the stone mill is Ada.";
    let (heir, both) = ("Our contact at the stone mill is Ben.", "Contact at the stone mill: Ben, following Ada.");
    check("Who is our contact at the stone mill?", &[mill, heir, both], &[(0, 1)]);
    check("Who is our contact at the stone mill?", &[mill, "Our contacts at the stone mill are Ada and Ben."], &[]);
    check("Whom do we ask at the stone mill?", &[mill, heir], &[(0, 1)]);
}

#[test]
fn what_somebody_doubts_is_the_clause_that_says_so() {
    let fee = "For a baking course we take 25 euros deposit, people get it back when they come.";
    let course = "How much deposit do people leave for a baking course?";
    check(course, &[fee, "Deposit for a baking course is 40 from now on, maybe that helps."], &[(0, 1)]);
    check(course, &[fee, "Maybe the deposit for a baking course is 40."], &[]);
    check(course, &[fee, "The deposit for a baking course is 40, if Ada agrees."], &[]);
    check(course, &[fee, "The deposit for a baking course is 40, perhaps."], &[]);
}

#[test]
fn a_number_without_a_unit_answers_where_an_amount_is_asked_for() {
    check("How much is a rye bun?", &["Rye bun 1.60, cake 2.80.", "Rye bun 1.80 from today on."], &[(0, 1)]);
    check("How hot do we bake rye bread?", &["We bake rye bread at 220.", "Rye bread at 240."], &[(0, 1)]);
    check("How much is a rye bun?", &["Rye bun 1.60, cake 2.80.", "A rye bun weighs 80 grams."], &[]);
    check(
        "How long does the oven rest?",
        &["The oven rests for 90 minutes.", "Put up to 4 trays into the oven, and let it rest."],
        &[],
    );
}

#[test]
fn how_often_is_no_length_of_time() {
    let job = "The rye oven is swept every 15 days.";
    check("How often is the rye oven swept?", &[job, "The rye oven is swept in 42 seconds."], &[]);
    check("How often is the rye oven swept?", &[job, "The rye oven is swept every 20 days."], &[(0, 1)]);
}

#[test]
fn a_label_with_a_name_answers_who_does_it() {
    check(
        "Who writes the bread letter?",
        &["Ada writes the bread letter for the guild.", "Bread letter by Ben.", "The bread letter is with Cara."],
        &[(0, 2), (1, 2)],
    );
    check("Who writes the bread letter?", &["Ada writes the bread letter.", "Ben printed the bread letter."], &[]);
}

#[test]
fn what_was_is_told_as_it_was() {
    check(
        "How hot was the deck oven?",
        &["The deck oven bakes at 220 degrees.", "The deck oven bakes at 240 degrees."],
        &[],
    );
}

#[test]
fn what_says_an_earlier_answer_again_is_answered_otherwise_too() {
    check(
        "How long does the rye dough rest?",
        &[
            "The rye dough rests for 90 minutes.",
            "Rye: 90 minutes, then the oven.",
            "Let the rye dough rest for 70 minutes.",
        ],
        &[(0, 2), (1, 2)],
    );
}

#[test]
fn what_was_said_first_and_last_has_no_later_answer() {
    check(
        "How long does the rye dough rest?",
        &[
            "The rye dough rests for 90 minutes.",
            "The rye dough rests for 70 minutes.",
            "The rye dough rests for 90 minutes.",
        ],
        &[(1, 2)],
    );
}

#[test]
fn what_is_of_another_thing_another_day_or_not_sure_answers_nothing() {
    let rests = "The rye dough rests for 90 minutes.";
    for other in [
        "Does the rye dough rest for 70 minutes?",
        "Perhaps the rye dough could rest for 70 minutes.",
        "Ada wants the rye dough to rest for 70 minutes.",
        "The oven cools down for 70 minutes.",
        "From 1 May the rye dough rests for 70 minutes.",
        "The rye dough weighs 70 kilos.",
    ] {
        check("How long does the rye dough rest?", &[rests, other], &[]);
    }
    check(
        "When does the baking class on Tuesdays begin?",
        &["The baking class on Tuesdays begins at 18:00.", "The baking class on Thursdays begins at 19:00."],
        &[],
    );
    check("Does the rye dough rest for long?", &[rests, "The rye dough rests for 70 minutes."], &[]);
    check("Let the rye dough rest longer.", &[rests, "The rye dough rests for 70 minutes."], &[]);
    check(
        "What do Ada and Ben think about the rye bread?",
        &["Ada and Ben have the rye bread on the list of Cara.", "Dora has the rye bread on her list."],
        &[],
    );
}

/// Cases in five languages, each line a statement behind its day.
const CASES: &str = include_str!("../changes.txt");
/// What the questions begin with that are made of statements.
const ASKING: &[&str] =
    &["When", "Where", "Who", "Which", "How many", "How often", "Wann", "Quand", "Quando", "Cuándo"];

/// The statements of a few cases in a row, in the order of the file.
fn statements(first: usize) -> Vec<&'static str> {
    const N_CASES: usize = 12;
    let cases: Vec<&str> = CASES.split("\n\n").collect();
    let lines = cases.iter().cycle().skip(first % cases.len()).take(N_CASES).flat_map(|case| case.lines());
    lines.filter(|line| line.starts_with("20")).filter_map(|line| line.get(11..)).collect()
}

/// Statements on days of their own, and a question behind them.
fn asked_of<'t>(texts: &[&'t str], question: &'t str) -> Vec<Said<'t>> {
    let day = |n: usize| format!("2026-{:02}-{:02}", 1 + n / 28 % 12, 1 + n % 28).parse().ok();
    let said =
        |(n, text)| Said { text, day: day(n), exchange: n / 2, may_replace: true, is_action: false, goes_on: false };
    let question =
        Said { text: question, day: None, exchange: usize::MAX, may_replace: false, is_action: false, goes_on: false };
    texts.iter().copied().enumerate().map(said).chain([question]).collect()
}

/// Checks that what the cheap look at a sentence rules out is no good answer when all is read, and that ruling it out
/// changes nothing of what is found.
fn nothing_good_is_ruled_out(world: &World<'_>, question: &str, n_said: usize) -> Result<usize, TestCaseError> {
    let asked = world.asked(question, n_said);
    let told = world.told_of(&asked);
    let answers = world.answers(&asked, &told);
    for (answer, _) in answers.iter().zip(world.are_good(&asked, &answers)).filter(|(_, is_good)| *is_good) {
        let text = world.unit(answer.unit).text;
        prop_assert!(world.may_be_good(&asked, answer.unit), "{} / {}", question, text);
    }
    prop_assert_eq!(world.answered_later(question, n_said), world.later(&asked, &answers, n_said), "{}", question);
    Ok(told.iter().filter(|at| !world.may_be_good(&asked, **at)).count())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn what_the_cheap_look_rules_out_answers_nothing(first in any::<usize>(), about in any::<usize>(), ask in 0..ASKING.len()) {
        let texts = statements(first);
        // What is asked is said by one of them.
        let about = texts[about % texts.len()].trim_end_matches('.');
        let question = format!("{} {about}?", ASKING[ask]);
        let (all, n_said) = (asked_of(&texts, &question), texts.len());
        in_world(&all, n_said, |world| nothing_good_is_ruled_out(&world, &question, n_said))?;
    }
}

#[test]
fn the_cheap_look_rules_out_much() {
    let texts = statements(0);
    let question = format!("When {}?", texts[0].trim_end_matches('.'));
    let (all, n_said) = (asked_of(&texts, &question), texts.len());
    let n_out = in_world(&all, n_said, |world| nothing_good_is_ruled_out(&world, &question, n_said));
    assert!(n_out.expect("nothing good is ruled out") > 0, "the comparison would show nothing");
}

#[test]
fn what_the_same_words_say_with_another_value_is_later_whatever_is_asked() {
    let asked = "What do we know of the ovens?";
    check(asked, &["The deck oven is at 3.8 bar now.", "The deck oven is at 4.2 bar."], &[(0, 1)]);
    check(asked, &["The rack holds 12 trays.", "The rack holds 14 trays."], &[(0, 1)]);
    check(asked, &["The rack holds 12 trays.", "The shelf holds 14 trays."], &[]);
    check(asked, &["The rack holds 12 trays.", "The rack holds 14 trays.", "The rack holds 12 trays."], &[(1, 2)]);
    check(asked, &["The rack holds 12 trays.", "From 1 May the rack holds 14 trays."], &[]);
}
