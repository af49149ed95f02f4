//! What people say in passing of what they told before: mistakes, what they take back, what stays, since when it is so.

use super::together::replaced_of;
use super::*;

#[test]
fn a_slip_that_somebody_owns_up_to_is_replaced() {
    for (earlier, later) in [
        ("The flour store opens with code 9023.", "Sorry, I mistyped the code of the flour store: it is 9032."),
        ("The oven bakes at 220 degrees.", "I misread the sheet of the oven: it bakes at 240 degrees."),
        ("Der Ofen kostet 220 Euro.", "Ich habe mich vertippt: Der Ofen kostet 240 Euro."),
        ("Le grand four coûte 220 euros.", "Faute de frappe : le grand four coûte 240 euros."),
        ("Il forno costa 220 euro.", "Errore di battitura: il forno costa 240 euro."),
        ("El horno cuesta 220 euros.", "Errata: el horno cuesta 240 euros."),
    ] {
        let found = replaced(&said(&[(days(1), earlier), (days(9), later)]));
        assert!(found[0].is_some(), "{earlier} / {later}");
    }
}

#[test]
fn what_is_named_beside_the_new_is_what_it_took_the_place_of() {
    for (earlier, later) in [
        // What it runs on says nothing of who repairs it.
        ("The big oven in the hall is repaired by Ada.", "The big oven now runs on wood instead of gas."),
        ("The big oven was built by Ada.", "The big oven now takes loaves instead of rolls."),
        (
            "Each of the ovens takes at most 24 loaves.",
            "The counter of the ovens lowered the time of one loaf from 60 to 40 seconds.",
        ),
    ] {
        check(earlier, later, None);
    }
    check("The big oven runs on gas.", "The big oven now runs on wood instead of gas.", Some(Evidence::Pair));
}

#[test]
fn since_something_happened_it_is_otherwise() {
    for (earlier, later) in [
        ("The big oven holds 40 trays.", "The big oven holds 36 trays since the repair."),
        ("Der Ofen fasst 40 Bleche.", "Der Ofen fasst seit der Reparatur 36 Bleche."),
    ] {
        check(earlier, later, Some(Evidence::Change));
    }
    check("The big oven holds 40 trays.", "The big oven holds 36 trays, since the door is broken.", None);
}

#[test]
fn a_month_alone_from_which_something_holds_is_the_next_one() {
    let from = |later: &str| {
        let lines = [(days(1), "A loaf of rye costs 4 euros."), (days(9), later)];
        replaced(&said(&lines))[0].map(|found| found.from)
    };
    assert_eq!(from("From December a loaf of rye costs 5 euros."), Some(Some(Date::constant(2026, 12, 1))));
    assert_eq!(from("From January a loaf of rye costs 5 euros."), Some(Some(Date::constant(2027, 1, 1))));
    assert_eq!(from("Since January a loaf of rye costs 5 euros."), Some(None));
}

#[test]
fn what_stays_ends_the_change_also_where_that_is_named() {
    let said: [&[&str]; 3] = [
        &["The hall is 85 euros per hour."],
        &["The hall is 90 euros per hour as of today."],
        &["No, we keep 85 euros per hour, the 90 was only an idea."],
    ];
    assert_eq!(replaced_of(&[(2, said[0]), (5, said[1]), (9, said[2])]), [None, Some(2), None]);
}

#[test]
fn what_is_taken_back_need_not_have_changed_and_the_reason_is_no_topic() {
    let glue: &[&str] = &["We bake all loaves in the deck oven."];
    for back in [
        "Forget what I said about the deck oven.",
        "Forget what I said about the deck oven, the miller cannot repair it.",
    ] {
        assert_eq!(replaced_of(&[(2, glue), (9, &[back])]), [Some(1), None], "{back}");
    }
    // Of a word alone much is told.
    let oven: &[&str] = &["The oven is hot."];
    assert_eq!(replaced_of(&[(2, oven), (9, &["Forget what I said about the oven."])]), [None, None]);
}

#[test]
fn what_was_said_lately_is_taken_back_in_five_languages() {
    for text in [
        "Forget what I said last week about the rye loaf.",
        "Vergiss, was ich gestern über das Roggenbrot gesagt habe.",
        "Oublie ce que j'ai dit hier sur le pain de seigle.",
        "Dimentica quello che ho detto ieri sul pane di segale.",
        "Olvida lo que dije ayer sobre el pan de centeno.",
    ] {
        assert!(takes_back(text), "{text}");
    }
    for text in ["What I said about the rye loaf holds.", "Vergiss nicht, was ich über das Roggenbrot gesagt habe."] {
        assert!(!takes_back(text), "{text}");
    }
}

#[test]
fn a_number_behind_a_word_of_change_is_what_a_thing_now_has() {
    for (earlier, later) in [
        ("The limit is 40.", "The limit is now 50."),
        ("The oven code is 4711#.", "Oven code changed: now 2096#."),
        ("Der Ofencode ist 4711.", "Ofencode geändert: jetzt 2096."),
        ("The oven runs 4.1.", "The oven has moved to 4.3."),
        ("We have 61 trays.", "We have 63 trays now."),
        ("There are 7 ovens.", "There are now 6 ovens."),
        ("Wir haben 61 Bleche.", "Wir haben jetzt 63 Bleche."),
        // Without its unit.
        ("The rent is 900 euros.", "The rent went up to 950."),
        ("A loaf costs 5 euros.", "A loaf costs 6 now."),
        ("The fair is on 12 May.", "The fair is on 19 May instead."),
        ("Deliveries come on Monday.", "Deliveries now come on Thursday."),
        ("The rent is 900 euros a month.", "The rent was raised to 950 euros."),
        ("The oven password is sesame.", "New oven password: poppy."),
    ] {
        check(earlier, later, Some(Evidence::Change));
    }
    check("The oven closes at 15:00.", "The oven closes at two instead of three.", Some(Evidence::Pair));
    for (earlier, later) in [
        ("We have 61 trays.", "We have 63 loaves now."),
        ("We have 61 trays in the hall.", "We have 63 trays now."),
        ("A loaf costs 5 euros.", "A loaf costs 6 people their sleep now."),
        ("The list has the Monday shift.", "The list was updated with the Tuesday shift."),
        // One sort of a thing of which the other statement tells no sorts, or another thing.
        ("The dough rests 40 minutes.", "The rye dough now rests 60 minutes."),
        ("Tokens live 15 minutes.", "Refresh tokens now live 30 days."),
        ("The oven code is 4711.", "The code of the big oven is now 2096."),
        ("The shop closes at 15:00.", "The bakery closes at two instead of three."),
        ("The team is Ada and Ben.", "New in the team: Carla."),
        ("The floor is dry.", "So neither side has moved: nets for you, floor for him."),
        ("The rent is 900 euros.", "The new baker of the rent book is 950."),
    ] {
        check(earlier, later, None);
    }
}

#[test]
fn a_code_behind_its_name_is_what_it_is_now() {
    for (earlier, later) in [
        ("Key safe code: 9026.", "Key safe code 3158."),
        ("New key safe code: 9026, the old one having been broadcast.", "Key safe code 3158."),
    ] {
        check(earlier, later, Some(Evidence::Restated));
    }
    check("Oven 3 is lit.", "Oven 4 is lit.", None);
    check("Guests: 40.", "New guests: 12.", None);
}

#[test]
fn what_stays_after_all_ends_what_was_to_change() {
    for (change, stays) in [
        ("The ticket rises to 15 euros.", "The ticket stays at 12 euros after all."),
        ("Die Karte steigt auf 15 Euro.", "Die Karte bleibt doch bei 12 Euro."),
        ("Die Karte steigt auf 15 Euro.", "Die Karte doch nicht erhöhen: bleibt bei 12 Euro."),
    ] {
        check(change, stays, Some(Evidence::Change));
    }
}

fn days(day: i8) -> Date {
    Date::constant(2026, 3, day)
}
