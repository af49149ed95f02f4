//! What several sentences of an exchange say together, and what is taken back by its topic.

use super::*;

/// Returns by which statement each of some exchanges is replaced; an exchange is said on one day.
pub(super) fn replaced_of(exchanges: &[(i8, &[&str])]) -> Vec<Option<usize>> {
    replaced_of_lines(exchanges, false)
}

/// The same where the statements of an exchange are sentences of one line.
fn replaced_in_lines(exchanges: &[(i8, &[&str])]) -> Vec<Option<usize>> {
    replaced_of_lines(exchanges, true)
}

fn replaced_of_lines(exchanges: &[(i8, &[&str])], are_lines: bool) -> Vec<Option<usize>> {
    let said: Vec<Said<'_>> = exchanges
        .iter()
        .enumerate()
        .flat_map(|(exchange, (day, texts))| {
            texts.iter().enumerate().map(move |(nth, text)| Said {
                text,
                day: Some(Date::constant(2026, 3, *day)),
                exchange,
                may_replace: true,
                is_action: false,
                goes_on: are_lines && nth > 0,
            })
        })
        .collect();
    replaced(&said).into_iter().map(|one| one.map(|one| one.by)).collect()
}

#[test]
fn what_one_sentence_names_and_another_says_of_it_is_one_change() {
    let old: &[&str] = &["We keep 200 rye flour bags as the minimum.", "Minimum of 200 rye flour bags."];
    let new: &[&str] = &["Sold out twice. I've put the minimum to 320.", "The minimum of flour bags goes up to 320."];
    assert_eq!(replaced_of(&[(2, old), (9, new)]), [Some(3), Some(3), None, None]);
    let old: &[&str] = &["The rye dough rests for forty minutes at 24 °C.", "Rye dough: 40 min, 24 °C."];
    let new: &[&str] =
        &["Over. So fifty, for good, from today.", "From today the rye dough rests 50 minutes everywhere."];
    assert_eq!(replaced_of(&[(2, old), (9, new)])[..2], [Some(3), Some(3)]);
}

#[test]
fn what_an_exchange_names_as_what_was_before_it_ends() {
    let old: &[&str] = &["Ada may order flour up to £500 on her own."];
    let new: &[&str] = &["Ada's limit: £750. Up from five hundred.", "Ada may order flour for £750 alone."];
    assert!(replaced_of(&[(2, old), (9, new)])[0].is_some());
}

#[test]
fn several_sentences_say_nothing_of_another_thing() {
    for (old, new) in [
        // What is told apart by a word, what happened once, what was so on a day, what else is counted.
        ("The rye oven bakes 40 loaves an hour.", "The corn oven bakes 60 loaves an hour now."),
        ("The parcel of rye flour left on 2 March.", "The parcel of rye flour arrived on 4 March, two days later."),
        ("We keep 200 rye flour bags.", "We were down to 60 rye flour bags on Sunday."),
        ("Three bakers cut the rye bread.", "Two knives cut the rye bread now."),
    ] {
        assert_eq!(replaced_of(&[(2, &[old]), (9, &[new])]), [None, None], "{old} / {new}");
    }
}

#[test]
fn what_is_taken_back_by_its_topic_ends_and_what_it_had_replaced_holds_again() {
    let first: &[&str] = &["A rye loaf costs 4 euros."];
    let change: &[&str] = &["A rye loaf costs 4.50 euros from today."];
    for back in [
        "Forget what I said about the rye loaf.",
        "I take back what I said about the rye loaf.",
        "Scrap what I told you about the rye loaf.",
    ] {
        assert_eq!(replaced_of(&[(2, first), (9, change), (12, &[back])]), [None, Some(2), None], "{back}");
    }
    let back: &[&str] = &["Forget what I said about the corn loaf."];
    assert_eq!(replaced_of(&[(2, first), (9, change), (12, back)]), [Some(1), None, None]);
    for (first, change, back) in [
        (
            "Ein Roggenbrot kostet 4 Euro.",
            "Ein Roggenbrot kostet ab heute 5 Euro.",
            "Vergiss, was ich über das Roggenbrot gesagt habe.",
        ),
        (
            "Le pain de seigle coûte 4 euros.",
            "Le pain de seigle coûte 5 euros dès aujourd'hui.",
            "Oublie ce que j'ai dit sur le pain de seigle.",
        ),
        (
            "Il pane di segale costa 4 euro.",
            "Il pane di segale costa 5 euro da oggi.",
            "Dimentica quello che ho detto sul pane di segale.",
        ),
        (
            "El pan de centeno cuesta 4 euros.",
            "El pan de centeno cuesta 5 euros desde hoy.",
            "Olvida lo que dije sobre el pan de centeno.",
        ),
    ] {
        assert_eq!(replaced_of(&[(2, &[first]), (9, &[change]), (12, &[back])]), [None, Some(2), None], "{back}");
    }
}

#[test]
fn what_tells_of_a_change_stands_in_many_words() {
    for later in [
        "The rye loaf goes to 5 euros.",
        "The rye loaf costs 5 euros from now.",
        "The rye loaf costs 5 euros from this Saturday.",
        "The trial is over, the rye loaf costs 5 euros now.",
    ] {
        assert!(replaced_of(&[(2, &["The rye loaf costs 4 euros."]), (9, &[later])])[0].is_some(), "{later}");
    }
}

#[test]
fn what_is_read_aloud_changes_nothing() {
    let now: &[&str] = &["The bakery opens at 8:50 from 5 March on."];
    let read: &[&str] = &["Listen to the old sheet: \"Clean aprons. The bakery opens at 9:15 now. No dogs.\""];
    assert_eq!(replaced_of(&[(2, now), (20, read)]), [None, None]);
    // A name in quotation marks is no such thing.
    let named: &[&str] = &["The bakery \"Rye\" opens at 9:15 from now on."];
    assert!(replaced_of(&[(2, now), (20, named)])[0].is_some());
}

#[test]
fn a_day_without_its_month_and_a_part_of_an_hour_are_values() {
    check("The fair is on 18 March.", "The fair is on the 25th now, not the 18th.", Some(Evidence::Pair));
    check("The dough rests for half an hour.", "The dough rests 20 minutes now.", Some(Evidence::Change));
    check("Der Teig ruht eine halbe Stunde.", "Der Teig ruht jetzt 20 Minuten.", Some(Evidence::Change));
    check(
        "The oven door stays open 7 seconds.",
        "The oven door stays open 12 seconds since today.",
        Some(Evidence::Change),
    );
    check(
        "The rye course takes 8 at most.",
        "The rye course takes 10 at most from this Saturday.",
        Some(Evidence::Change),
    );
    // What is warm is no hour.
    check("The fair opens at 9 o'clock.", "The oven of the fair is lit at 8 °C now.", None);
}

#[test]
fn sentences_of_one_line_tell_of_one_change() {
    for (old, new) in [
        (
            &["An order that isn't paid is kept for 48 hours."][..],
            &["Forty-eight hours is too generous.", "Unpaid orders get 24 hours."][..],
        ),
        (
            &["Bakers' meeting is Wednesdays at noon."],
            &["Wednesday collides with the market noise.", "Bakers' meeting: Thursday, 13:00."],
        ),
        (&["A rye loaf for 4 euros, a bun 2."], &["So 5 euros for a rye loaf.", "From today."]),
    ] {
        let said = [(2, old), (9, new)];
        assert!(replaced_in_lines(&said)[0].is_some(), "{new:?}");
        assert_eq!(replaced_of(&said)[0], None, "{new:?}");
    }
    // What a weekday collides with has it still, and a denial is not what it denies.
    let market: &[&str] = &["The market is on Wednesdays now."];
    let new: &[&str] = &["Wednesday collides with the market noise.", "Bakers' meeting: Thursday, 13:00."];
    assert_eq!(replaced_in_lines(&[(2, market), (9, new)]), [None; 3]);
}

#[test]
fn a_code_is_a_value_where_something_has_it() {
    let later: &[&str] = &["The tool box opens with 9026 now."];
    for earlier in ["The tool box has the code 4471.", "Tool box code: 4471.", "The code of the tool box is 4471."] {
        assert_eq!(replaced_of(&[(2, &[earlier]), (9, later)])[0], Some(1), "{earlier}");
    }
    // A year is none, nor is the number of an order.
    for earlier in ["The tool box is there since 2019.", "Order 4471 has the tool box."] {
        assert_eq!(replaced_of(&[(2, &[earlier]), (9, later)])[0], None, "{earlier}");
    }
}

#[test]
fn who_is_named_as_gone_has_an_heir_beside_it() {
    let trays: &[&str] = &["Finn orders the trays, and I pay in 14 days."];
    assert_eq!(replaced_of(&[(2, trays), (9, &["From today I order the trays, not Finn."])])[0], Some(1));
    let flour: &[&str] = &["We get our flour from Brandt."];
    assert_eq!(replaced_of(&[(2, flour), (9, &["Flour from the Kolm mill, Brandt is out."])])[0], Some(1));
    assert_eq!(replaced_of(&[(2, flour), (9, &["Salt from the Kolm mill, Brandt is out."])])[0], None);
}
