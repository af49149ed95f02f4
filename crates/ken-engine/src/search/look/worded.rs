//! Where talk says in other words what a model wrote down from it.

use std::collections::BTreeSet;

use ken_core::ground::overlap;
use ken_core::text::sentences;

/// How much of a statement a sentence of its talk has that says it in other words, and how much of the sentence it is.
const SAID_MIN: f32 = 0.6;
const SAYING_MIN: f32 = 0.4;

/// Returns the sentence of some talk that says most of a statement, with all of its numbers; none of one that has no number.
pub(super) fn said_closest(talk: &str, statement: &str) -> Option<String> {
    let digits = |text: &str| -> BTreeSet<String> {
        let all = text.split(|ch: char| !ch.is_ascii_digit()).filter(|digits| !digits.is_empty());
        all.map(str::to_owned).collect()
    };
    let wanted = digits(statement);
    if wanted.is_empty() {
        return None;
    }
    let closeness = |said: &str| {
        let (most, own) = (overlap(statement, &[said]), overlap(said, &[statement]));
        (most >= SAID_MIN && own >= SAYING_MIN).then_some(most)
    };
    let lines = talk.lines().filter(|line| wanted.is_subset(&digits(line)));
    let said = lines.flat_map(|line| sentences(line).into_iter().map(|span| span.of(line)));
    let said = said.filter(|said| wanted.is_subset(&digits(said)));
    let close = said.filter_map(|said| Some((closeness(said)?, said)));
    close.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, said)| said.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_down_is_found_in_the_words_in_which_it_was_said() {
        let talk = "User: morning\n\nAgent: 9026 boxes?\n\nUser: i changed the keypad of the mill because ben saw me type: 9026\n";
        let found = |statement: &str| said_closest(talk, statement);
        let said = "i changed the keypad of the mill because ben saw me type: 9026";
        assert!(
            found("The keypad of the mill is 9026 now, because Ben saw Ada type.")
                .is_some_and(|one| one.contains(said))
        );
        assert_eq!(found("The keypad of the mill is 3158 now, because Ben saw Ada type."), None);
        assert_eq!(found("The keypad of the mill was changed because Ben saw Ada type."), None);
        assert_eq!(found("There are 9026 loaves in the cellar of the shop."), None);
    }
}
