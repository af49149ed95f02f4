//! The rules on sentences, and their figures on the corpus.

use super::corpus::{Case, cases};
use super::{Action, Kind, Rule, Text};

/// What a claim on some lines, of which it cites the first, is doubted for: a line, the rule or `-`, the claim, and the
/// lines between `/`.
const TABLE: &str = "\
Question | The gate is locked at night. | User: Is the gate locked at night?
- | It was asked whether the gate is locked at night. | User: Is the gate locked at night?
Condition | The gate is locked at night. | User: If the guard agrees, the gate is locked at night.
- | The gate is locked at night if the guard agrees. | User: If the guard agrees, the gate is locked at night.
Guess | The hinge is broken. | User: The hinge is probably broken.
Guess | Das Scharnier ist gebrochen. | User: Vielleicht ist das Scharnier gebrochen.
- | The hinge may be broken. | User: The hinge is probably broken.
- | The gate closes on 3 May. | User: The gate closes on 3 May.
Wish | The gate is painted green. | User: Could we get the gate painted green
Rumour | The mill closes in June. | User: I heard the mill closes in June.
- | It is said that the mill closes in June. | User: I heard the mill closes in June.
Irony | The user loves the third outage this week. | User: Oh great, the third outage this week.
NotDone | The hinge was replaced. | User: I will replace the hinge tomorrow.
- | The hinge was replaced. | User: I replaced the hinge.
Negation | The hinge was replaced. | Agent: The hinge has not been replaced.
Negation | La charnière n'est pas neuve. | Agent: La charnière est neuve.
- | The mill reads the meter instead of the clock. | Agent: The mill reads the meter (not the clock).
- | Mirela asks whether the names are real. | User: The names may not be real, Mirela will ask.
- | There is a nest at the gate. | User: there is a nest at the gate. tell people if they ask
- | The form is in the hall. | Agent: The form with 8 fields, 5 of 8 required, is in the hall.
- | Oven 2 holds 240 degrees. | User: it holds 240 degrees, 2 trays fit
Condition | The gate is locked. | User: the gate is locked if they ask. fine
Opposite | The upper hinge is broken. | User: The lower hinge is broken.
Quantity | All gates are locked. | User: Two of the five gates are locked.
Quantity | The gates are locked every day. | User: The gates are locked every day but for Sunday.
Number | The chairs cost 80 euros. | User: The table costs 80 euros and the chairs 20.
- | The chairs cost 20 euros. | User: The table costs 80 euros and the chairs 20.
Direction | The office moved from Ghent to Bruges. | User: The office moved from Bruges to Ghent.
- | The office moved from Bruges to Ghent. | User: The office moved from Bruges to Ghent.
Speaker | The agent promised to paint the gate. | User: I promised to paint the gate, yes.
- | Mirela paints the gate of the Mill. | Agent: Task for Mirela: paint the gate of the Mill.
- | Mirela paints the gate of the Mill. | Agent: Paint the gate of the Mill (Mirela).
- | From Monday 11 May Mirela keeps the gate. | User: From Monday 11 May Mirela keeps the gate and Otto the hall.
- | Mill opens at noon on Mondays. | User: We open Mill at noon. Noted: Mill, our shop, opens at noon on Mondays.
Act | Mirela decided to paint the gate. | User: Mirela asked for paint for the gate.
TakenBack | The hinge broke because of rust. | Agent: The hinge broke because of rust. / User: No, a car hit it.
- | The hinge broke because of rust. | Agent: The hinge broke because of rust. / User: Good to know.
Reason | The gate is green because the mayor painted it. | User: The gate is green.
";

#[test]
fn a_claim_is_doubted_for_what_its_first_line_does_not_mean() {
    for row in TABLE.lines() {
        let [expected, claim, lines] = row.splitn(3, " | ").collect::<Vec<_>>()[..] else { panic!("{row}") };
        let doubts = Text::read(lines.split(" / ")).doubts(claim, Kind::Fact, &[(1, 1)]);
        let found: Vec<String> = doubts.iter().map(|doubt| format!("{:?}", doubt.rule)).collect();
        let holds = if expected == "-" { found.is_empty() } else { found.iter().any(|rule| rule == expected) };
        assert!(holds, "{row}: {found:?}");
    }
}

fn share(of: impl Fn(&Case<'_>) -> bool, least: Action) -> f64 {
    let all: Vec<Case<'_>> = cases().into_iter().filter(of).collect();
    let is_found = |case: &&Case<'_>| case.doubts().iter().any(|doubt| doubt.action >= least);
    all.iter().filter(is_found).count() as f64 / all.len() as f64
}

#[test]
fn on_the_half_that_no_rule_was_written_from_most_of_what_is_wrong_is_doubted_and_little_of_what_is_right() {
    let is_wrong = |case: &Case<'_>| !case.is_tuned() && case.fault.is_some();
    let is_right = |case: &Case<'_>| !case.is_tuned() && case.fault.is_none();
    assert!(share(is_wrong, Action::Ask) >= 0.5);
    assert!(share(is_right, Action::Ask) <= 0.15);
    assert!(share(is_right, Action::Reject) <= 0.03);
}

#[test]
fn the_corpus_is_large_enough_to_measure_by() {
    let all = cases();
    let names: std::collections::BTreeSet<&String> = all.iter().map(|case| &case.name).collect();
    let n_wrong = all.iter().filter(|case| case.fault.is_some()).count();
    assert!(names.len() >= 60 && n_wrong >= 120 && all.len() - n_wrong >= 200);
}

#[test]
fn whatever_is_read_nothing_panics() {
    for lines in [&[][..], &[""], &["User:"], &["?", "¿", "„", "User: \"", "a, , b"], &["日本語。"]] {
        let text = Text::read(lines.iter().copied());
        for ranges in [&[][..], &[(1, 1)], &[(0, 99)], &[(9, 3)]] {
            for claim in ["", "All 3 of `x`, because not.", "The agent said \"no\"", "すべて。"] {
                assert!(text.doubts(claim, Kind::Fact, ranges).len() <= Rule::ALL.len());
            }
        }
    }
}
