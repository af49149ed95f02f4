//! Which statements give a thing another name.

use proptest::prelude::*;

use super::*;

#[track_caller]
fn check_names(text: &str, expected: &[(&str, &str)]) {
    let found = renames(text);
    let found: Vec<(&str, &str)> = found.iter().map(|one| (one.old.as_str(), one.new.as_str())).collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn a_new_name_is_read_with_the_old() {
    for (text, old, new) in [
        ("Rye was renamed to Wheat.", "Rye", "Wheat"),
        ("Rye has been renamed Wheat, because a shop has that name.", "Rye", "Wheat"),
        ("We renamed `rye-bake` to `wheat-bake` last week.", "rye-bake", "wheat-bake"),
        ("Rye Mill is now called Wheat.", "Rye Mill", "Wheat"),
        ("Rye is called Wheat now, and the sign says so.", "Rye", "Wheat"),
        ("Rye heißt Wheat jetzt.", "Rye", "Wheat"),
        ("Decision: Rye is renamed to Wheat, because nobody could spell it.", "Rye", "Wheat"),
        ("Wheat (formerly Rye) bakes at night.", "Rye", "Wheat"),
        ("Wheat, formerly known as Rye, bakes at night.", "Rye", "Wheat"),
        ("The mill formerly known as Rye Street is now Wheat.", "Rye Street", "Wheat"),
        ("Rye goes by the name of Wheat.", "Rye", "Wheat"),
        ("We have to rename Rye. It is now called Wheat.", "Rye", "Wheat"),
        ("Renamed src/rye.rs to src/wheat.rs.", "src/rye.rs", "src/wheat.rs"),
        ("Rye, the order service, is renamed Wheat, since a shop has that name.", "Rye", "Wheat"),
        ("Rye, our oldest oven, is now called Wheat.", "Rye", "Wheat"),
        ("The app is called Wheat from today, not Rye any more.", "Rye", "Wheat"),
        ("The mill is called Wheat now instead of Rye.", "Rye", "Wheat"),
        ("The old bar Rye is now called Wheat.", "Rye", "Wheat"),
        ("The Rye Bar is called The Wheat Box from today; hours unchanged.", "Rye Bar", "The Wheat Box"),
        ("We renamed Room 2 to Room 3.", "Room 2", "Room 3"),
        ("Room 2 is called the Larder from now on.", "Room 2", "Larder"),
        ("The Larder is now called Room 2.", "Larder", "Room 2"),
        ("The small oven is called Pip from now on, the bakers voted.", "small oven", "Pip"),
        ("The oven is called Pip from now on.", "oven", "Pip"),
        ("Rye, die Mühle, heißt jetzt Wheat.", "Rye", "Wheat"),
        ("Rye wurde in Wheat umbenannt.", "Rye", "Wheat"),
        ("Rye heißt jetzt Wheat.", "Rye", "Wheat"),
        ("Wir benennen Rye in Wheat um.", "Rye", "Wheat"),
        ("Rye s'appelle désormais Wheat.", "Rye", "Wheat"),
        ("Nous avons renommé Rye en Wheat.", "Rye", "Wheat"),
        ("Rye si chiama ora Wheat.", "Rye", "Wheat"),
        ("Abbiamo rinominato Rye in Wheat.", "Rye", "Wheat"),
        ("Rye ahora se llama Wheat.", "Rye", "Wheat"),
        ("Wheat (antes Rye) sale en mayo.", "Rye", "Wheat"),
    ] {
        check_names(text, &[(old, new)]);
    }
}

#[test]
fn what_is_asked_wished_denied_or_reported_is_no_new_name() {
    for text in [
        "Should we rename Rye to Wheat?",
        "Ben wants to rename Rye to Wheat.",
        "Maybe Rye will be renamed to Wheat.",
        "Rye was not renamed to Wheat.",
        "Rye should be renamed to Wheat.",
        "If Rye is renamed to Wheat, the sign has to change.",
        "Owner: Ada (formerly Ben).",
        "The price was 4 euros (formerly 3 euros).",
        "The bakery has a new name.",
        "Rye bakes at night.",
        "The bread is called Wheat, not because of the flour.",
        "Ada is now in Wheat.",
        "Rye, the baker says, is called for at noon.",
    ] {
        check_names(text, &[]);
    }
}

proptest! {
    #[test]
    fn names_of_any_text_are_in_it(text in ".{0,80}(renamed|heißt jetzt|\\(formerly) .{0,40}") {
        for one in renames(&text) {
            let plain = text.replace("**", "").replace('`', "");
            prop_assert!(plain.contains(&one.old) && plain.contains(&one.new));
        }
    }
}

#[test]
fn what_a_thing_is_gives_it_no_name() {
    check_names("For guests the team calls itself a bakery.", &[]);
    check_names("The team calls itself Wheat now.", &[("team", "Wheat")]);
}
