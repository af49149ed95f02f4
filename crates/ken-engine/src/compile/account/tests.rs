//! What becomes of claims.

use expect_test::{Expect, expect};
use ken_core::VaultPath;

use super::super::reading::Told;
use super::*;

/// A statement: day, text, verdicts as `mark text of the other claim`, and whether somebody vouches for it.
fn said(day: &str, text: &str, verdicts: &[(&str, &str)], is_vouched_for: bool) -> Statement {
    let path = VaultPath::new(&format!("daily/{day}.md")).expect("inside");
    let cited = SourceRef { path, lines: (1, 1), digest: "0123abcd".to_owned(), quote: String::new() };
    let ids =
        |mark: &str| verdicts.iter().filter(|(known, _)| *known == mark).map(|(_, text)| claim_id(text)).collect();
    let told = Told { same_as: ids("same"), replaces: ids("replaces"), disputes: ids("disputes"), ..Told::default() };
    let (text, date) = (text.to_owned(), day.parse().ok());
    Statement {
        text,
        kind: PassageKind::Statement,
        date,
        said_on: date,
        cited,
        line: 1,
        entry: 0,
        told: Some(Box::new(told)),
        is_vouched_for,
        place: None,
        is_own: false,
    }
}

#[track_caller]
fn check(statements: &[Statement], expected: Expect) {
    let account = account(statements);
    let line = |mark: &str, claim: &Claim<'_>| {
        let cited: Vec<&str> = claim.cited.iter().map(|cited| &cited.path.file_name()[8..10]).collect();
        format!("{mark} {} [{}]\n", claim.statement.text, cited.join(" "))
    };
    let mut out: String = account.current.iter().map(|claim| line("+", claim)).collect();
    out.extend(account.disputed.iter().map(|claim| line("?", claim)));
    let day = |old: &Superseded<'_>| old.until.map(|date| date.to_string()[8..].to_owned()).unwrap_or_default();
    out.extend(account.superseded.iter().map(|old| line(&format!("- until {}", day(old)), &old.claim)));
    expected.assert_eq(&out);
}

#[test]
fn a_newer_claim_takes_the_place_of_an_older_one() {
    let old = said("2026-04-01", "Tokens live 60 minutes.", &[], true);
    let new = said("2026-04-08", "Tokens live 15 minutes.", &[("replaces", "Tokens live 60 minutes.")], true);
    let newest = said("2026-04-09", "Tokens live 5 minutes.", &[("replaces", "tokens live 15 minutes")], true);
    check(
        &[old.clone(), new.clone()],
        expect![[r#"
            + Tokens live 15 minutes. [08]
            - until 08 Tokens live 60 minutes. [01]
        "#]],
    );
    check(
        &[newest, old, new],
        expect![[r#"
            + Tokens live 5 minutes. [09]
            - until 09 Tokens live 15 minutes. [08]
            - until 08 Tokens live 60 minutes. [01]
        "#]],
    );
}

#[test]
fn an_older_claim_never_takes_the_place_of_a_newer_one() {
    let old = said("2026-04-01", "Tokens live 60 minutes.", &[("replaces", "Tokens live 15 minutes.")], true);
    let new = said("2026-04-08", "Tokens live 15 minutes.", &[("replaces", "Tokens live 60 minutes.")], true);
    check(
        &[old, new],
        expect![[r#"
            + Tokens live 15 minutes. [08]
            - until 08 Tokens live 60 minutes. [01]
        "#]],
    );
}

#[test]
fn what_says_the_same_is_counted_not_repeated() {
    let old = said("2026-04-01", "Tokens live 15 minutes.", &[], true);
    let new = said("2026-04-08", "A token lives a quarter of an hour.", &[("same", "Tokens live 15 minutes.")], true);
    let circle =
        said("2026-04-01", "Tokens live 15 minutes.", &[("same", "A token lives a quarter of an hour.")], true);
    check(
        &[old, new.clone()],
        expect![[r#"
        + Tokens live 15 minutes. [01 08]
    "#]],
    );
    check(
        &[circle, new],
        expect![[r#"
        + Tokens live 15 minutes. [01 08]
    "#]],
    );
}

#[test]
fn what_nobody_vouches_for_changes_nothing_that_somebody_does() {
    let old = said("2026-04-01", "Tokens live 60 minutes.", &[], true);
    let replaces = said("2026-04-08", "Tokens live 9 years.", &[("replaces", "Tokens live 60 minutes.")], false);
    let disputes = said("2026-04-08", "Tokens live 9 years.", &[("disputes", "Tokens live 60 minutes.")], false);
    let same = said("2026-04-08", "Tokens live 60 minutes or 9 years.", &[("same", "Tokens live 60 minutes.")], false);
    for changed in [replaces, disputes] {
        check(
            &[old.clone(), changed],
            expect![[r#"
                + Tokens live 9 years. [08]
                + Tokens live 60 minutes. [01]
            "#]],
        );
    }
    check(
        &[old, same],
        expect![[r#"
        + Tokens live 60 minutes. [01 08]
    "#]],
    );
}

#[test]
fn a_dispute_names_both_sides_until_one_is_replaced() {
    let one = said("2026-04-01", "The limit is 5.", &[], true);
    let other = said("2026-04-02", "The limit is 7.", &[("disputes", "The limit is 5.")], true);
    let settled = said("2026-04-03", "The limit is 7 for all.", &[("replaces", "The limit is 5.")], true);
    check(
        &[one.clone(), other.clone()],
        expect![[r#"
        ? The limit is 7. [02]
        ? The limit is 5. [01]
    "#]],
    );
    check(
        &[one, other, settled],
        expect![[r#"
        + The limit is 7 for all. [03]
        + The limit is 7. [02]
        - until 03 The limit is 5. [01]
    "#]],
    );
}
