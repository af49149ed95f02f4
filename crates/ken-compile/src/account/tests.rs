//! What becomes of claims.

use expect_test::{Expect, expect};
use ken_core::VaultPath;
use ken_core::settled::Settlement;

use super::super::ledger::{Key, Replaced};
use super::super::passage::Learned;
use super::super::told::{About, Told};
use super::*;

/// A statement: day, text, verdicts as `mark text of the other claim`, and whether somebody vouches for it.
fn said(day: &str, text: &str, verdicts: &[(&str, &str)], is_vouched_for: bool) -> Statement {
    let path = VaultPath::new(&format!("daily/{day}.md")).expect("inside");
    let cited = SourceRef { path, lines: (1, 1), digest: "0123abcd".to_owned(), quote: String::new() };
    let ids =
        |mark: &str| verdicts.iter().filter(|(known, _)| *known == mark).map(|(_, text)| claim_id(text)).collect();
    let told = Told { same_as: ids("same"), replaces: ids("replaces"), disputes: ids("disputes"), ..Told::default() };
    let id = PassageId { file: day[8..].parse().expect("a day"), entry: 0, nth: text.len() as u16 };
    let (text, date) = (text.to_owned(), day.parse().ok());
    Statement {
        text,
        kind: PassageKind::Statement,
        date,
        said_on: date,
        of: cited.path.clone(),
        cited,
        stale: String::new(),
        voice: Some(String::new()),
        line: 1,
        id,
        told: Some(Box::new(told)),
        is_vouched_for,
        place: None,
        is_own: false,
        is_rest: false,
        standing: crate::standing::WRITTEN,
        is_fault: false,
        learned: Learned::Plain,
        telling: None,
    }
}

/// What pages with these statements find to hold no longer.
fn found(pages: &[&[Statement]]) -> Replaced {
    let all = (0..).zip(pages).map(|(key, statements)| (key, super::found(statements).replaced));
    Replaced::from_pages(&all.collect(), &BTreeMap::new())
}

fn on(page: Key, replaced: &Replaced) -> impl Fn(PassageId) -> Option<Successor> {
    move |id| replaced.on(page, id)
}

fn known(successor: &dyn Fn(PassageId) -> Option<Successor>) -> Known<'_> {
    Known { successor, against: &|_| Vec::new() }
}

#[track_caller]
fn check(statements: &[Statement], expected: Expect) {
    let replaced = found(&[statements]);
    let account = account(statements, &[], &known(&on(0, &replaced)));
    let line = |mark: &str, claim: &Claim<'_>| {
        let cited: Vec<&str> = claim.cited.iter().map(|cited| &cited.path.file_name()[8..10]).collect();
        format!("{mark} {} [{}]\n", claim.statement.text, cited.join(" "))
    };
    let mut out: String = account.current.iter().map(|claim| line("+", claim)).collect();
    out.extend(account.disputed.iter().flatten().map(|claim| line("?", claim)));
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
fn what_was_replaced_stands_once_however_often_it_was_said() {
    let plain = |day: &str, text: &str| Statement { told: None, ..said(day, text, &[], true) };
    check(
        &[
            plain("2026-04-01", "A rye loaf costs 4 euros."),
            plain("2026-04-02", "In the shop a rye loaf costs 4 euros."),
            plain("2026-04-08", "A rye loaf costs 5 euros instead of 4."),
        ],
        expect![[r#"
            + A rye loaf costs 5 euros instead of 4. [08]
            - until 08 In the shop a rye loaf costs 4 euros. [02 01]
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
    let new = said(
        "2026-04-08",
        "Each token is valid for a quarter of an hour (15 minutes).",
        &[("same", "Tokens live 15 minutes.")],
        true,
    );
    let circle = said(
        "2026-04-01",
        "Tokens live 15 minutes.",
        &[("same", "Each token is valid for a quarter of an hour (15 minutes).")],
        true,
    );
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
    let same =
        said("2026-04-08", "Each token is valid for sixty minutes.", &[("same", "Tokens live 60 minutes.")], false);
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
fn what_is_said_the_same_must_hold_the_same_numbers() {
    let old = said("2026-04-01", "Tokens live 60 minutes.", &[], true);
    let new = said("2026-04-08", "Tokens live 60 or 90 minutes.", &[("same", "Tokens live 60 minutes.")], true);
    check(
        &[old, new],
        expect![[r#"
            + Tokens live 60 or 90 minutes. [08]
            + Tokens live 60 minutes. [01]
        "#]],
    );
}

#[test]
fn what_is_said_again_in_nearly_the_same_words_is_counted_and_the_fullest_wording_stands() {
    let first = said("2026-04-01", "The token store keeps tokens for 15 minutes.", &[], true);
    let reason = said(
        "2026-04-02",
        "The token store keeps tokens for fifteen minutes, because the gateway caches them.",
        &[],
        true,
    );
    let again = said("2026-04-08", "Reminder: token store still keeps tokens for 15 min.", &[], true);
    let external = said("2026-04-09", "The token store keeps tokens for 15 minutes!!", &[], false);
    let other = said("2026-04-03", "The token store keeps tokens for 25 minutes.", &[], true);
    let task =
        Statement { kind: PassageKind::Action, ..said("2026-04-05", "Token store keeps tokens for 15 min", &[], true) };
    let all = [first, reason, again, external, other, task];
    let expected = expect![[r#"
        + Token store keeps tokens for 15 min [05]
        + The token store keeps tokens for fifteen minutes, because the gateway caches them. [02 01 09 08]
        - until 08 The token store keeps tokens for 25 minutes. [03]
    "#]];
    check(&all, expected);
    let mut turned = all.clone();
    turned.reverse();
    let replaced = found(&[&all]);
    let (one, two) = (on(0, &replaced), on(0, &replaced));
    let texts = |account: Account<'_>| -> Vec<(String, Vec<String>)> {
        let shown =
            |claim: &Claim<'_>| (claim.statement.text.clone(), claim.cited.iter().map(ToString::to_string).collect());
        account.current.iter().map(shown).collect()
    };
    assert_eq!(texts(account(&all, &[], &known(&one))), texts(account(&turned, &[], &known(&two))));
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

#[test]
fn what_one_page_finds_replaced_is_so_on_every_page_that_quotes_it() {
    let old = said("2026-04-01", "Tokens live 60 minutes.", &[], true);
    let new = said("2026-04-08", "Tokens live 15 minutes instead of 60 minutes.", &[], true);
    let newest = said(
        "2026-04-09",
        "Tokens live 5 minutes.",
        &[("replaces", "Tokens live 15 minutes instead of 60 minutes.")],
        true,
    );
    let page = [old.clone(), new.clone()];
    let other = [new.clone(), newest.clone()];
    let replaced = found(&[&page, &other]);
    assert_eq!(replaced.chain(2, old.id).collect::<Vec<_>>(), [new.id, newest.id]);
    let (quoting, elsewhere) = ([old.clone()], [new.clone(), newest.clone()]);
    let account = account(&quoting, &elsewhere, &known(&on(2, &replaced)));
    assert!(account.current.is_empty() && account.disputed.is_empty());
    let [gone] = &account.superseded[..] else { panic!("one") };
    assert_eq!((gone.until, gone.now.text.as_str()), (new.date, "Tokens live 5 minutes."));
    assert_eq!(gone.by, [&new.cited, &newest.cited]);
    // Whoever quotes the old learns of it when what follows changes.
    let before = found(&[&page]);
    assert_eq!(replaced.changed(&before), BTreeSet::from([old.id, new.id]));
    // A page that found another successor itself keeps that.
    let other =
        said("2026-04-05", "Doors for tokens of oak open at 7.", &[("replaces", "Tokens live 60 minutes.")], true);
    let replaced = found(&[&page, &[old.clone(), other.clone()]]);
    assert_eq!(
        [0, 1, 2].map(|page| replaced.on(page, old.id).map(|new| new.by)),
        [new.id, other.id, other.id].map(Some)
    );
}

#[test]
fn what_was_taken_back_ended_nothing_also_where_another_page_found_it_to() {
    let old = said("2026-04-01", "A rye loaf costs 4 euros.", &[], true);
    let new = said("2026-04-08", "A rye loaf costs 5 euros from today.", &[], true);
    let back = said("2026-04-09", "Forget what I said about the rye loaf.", &[], true);
    let (page, all) = ([old.clone(), new.clone()], [old.clone(), new.clone(), back.clone()]);
    let replaced = found(&[&all, &page]);
    assert_eq!(replaced.on(1, old.id).map(|one| one.by), Some(new.id));
    let account = account(&all, &[], &known(&on(1, &replaced)));
    let current: Vec<&str> = account.current.iter().map(|claim| claim.statement.text.as_str()).collect();
    assert_eq!(current, [back.text.as_str(), old.text.as_str()]);
}

#[test]
fn a_circle_of_successors_ends() {
    let [a, b] =
        [said("2026-04-01", "The limit is 5.", &[], true), said("2026-04-02", "The limit is seven.", &[], true)];
    let to = |by: &Statement| Successor { by: by.id, from: None };
    let circle = Replaced::from_pages(&BTreeMap::from([(0, vec![(a.id, to(&b)), (b.id, to(&a))])]), &BTreeMap::new());
    assert!(circle.chain(0, a.id).count() <= 2);
    let all = [a, b];
    let account = account(&all, &[], &known(&on(0, &circle)));
    assert_eq!((account.current.len(), account.superseded.len()), (1, 1));
}

/// A statement that settles: what holds first.
fn settled(day: &str, holds: &[&Statement], fails: &[&Statement]) -> Statement {
    let side = |one: &&Statement, holds: bool| Settlement::side(&one.text, &one.cited, holds);
    let sides = holds.iter().map(|one| side(one, true)).chain(fails.iter().map(|one| side(one, false)));
    let mut out = said(day, holds.first().map_or("None of it holds.", |one| &one.text), &[], true);
    out.kind = PassageKind::Decision;
    let settled = Settlement { pages: Vec::new(), sides: sides.collect() };
    out.told = Some(Box::new(Told { settled: Some(Box::new(settled)), ..Told::default() }));
    out
}

#[test]
fn what_a_person_settled_holds_whatever_the_order_of_days() {
    let one = said("2026-04-01", "The limit is 5.", &[], true);
    let other = said("2026-04-02", "The limit is 7.", &[("disputes", "The limit is 5.")], true);
    let verdict = settled("2026-04-03", &[&one], &[&other]);
    for all in [[&one, &other, &verdict], [&verdict, &other, &one], [&other, &verdict, &one]] {
        check(
            &all.map(Statement::clone),
            expect![[r#"
                + The limit is 5. [01 03]
                - until 03 The limit is 7. [02]
            "#]],
        );
    }
    // What was settled anew is settled so.
    let anew = settled("2026-04-09", &[&other], &[&one]);
    check(
        &[one.clone(), verdict, anew, other.clone()],
        expect![[r#"
            + The limit is 7. [02 09]
            - until 09 The limit is 5. [01 03]
        "#]],
    );
    let both = settled("2026-04-03", &[&one, &other], &[]);
    check(
        &[one.clone(), other.clone(), both],
        expect![[r#"
            + The limit is 7. [02]
            + The limit is 5. [01 03]
        "#]],
    );
    let none = settled("2026-04-03", &[], &[&one, &other]);
    check(
        &[one, other, none],
        expect![[r#"
            + None of it holds. [03]
            - until 03 The limit is 7. [02]
            - until 03 The limit is 5. [01]
        "#]],
    );
}

#[test]
fn what_is_said_again_after_it_was_settled_is_disputed_anew() {
    let one = said("2026-04-01", "The limit is 5.", &[], true);
    let other = said("2026-04-02", "The limit is 7.", &[("disputes", "The limit is 5.")], true);
    let verdict = settled("2026-04-03", &[&one], &[&other]);
    let again = said("2026-04-08", "The limit is 7.", &[], true);
    check(
        &[one.clone(), other, verdict, again.clone()],
        expect![[r#"
            ? The limit is 7. [08 02]
            ? The limit is 5. [01 03]
        "#]],
    );
    // A day ahead of that of the settlement was known to it.
    let knowing = settled("2026-04-03", &[&one], &[&again]);
    check(
        &[one, again, knowing],
        expect![[r#"
            + The limit is 5. [01 03]
            - until 03 The limit is 7. [08]
        "#]],
    );
}

#[test]
fn what_nobody_vouches_for_settles_nothing() {
    let one = said("2026-04-01", "The limit is 5.", &[], true);
    let other = said("2026-04-02", "The limit is 7.", &[("disputes", "The limit is 5.")], true);
    let mut forged = settled("2026-04-03", &[&one], &[&other]);
    forged.is_vouched_for = false;
    check(
        &[one, other, forged],
        expect![[r#"
            ? The limit is 5. [01 03]
            ? The limit is 7. [02]
        "#]],
    );
}

#[test]
fn a_dispute_ends_when_one_side_is_decided_again_later() {
    let one = said("2026-04-01", "The limit is 5.", &[], true);
    let other = said("2026-04-02", "The limit is 7.", &[("disputes", "The limit is 5.")], true);
    let mut again = said("2026-04-08", "The limit is 5.", &[], true);
    let open = expect![[r#"
        ? The limit is 5. [08 01]
        ? The limit is 7. [02]
    "#]];
    check(&[one.clone(), other.clone(), again.clone()], open);
    again.kind = PassageKind::Decision;
    check(
        &[one, other, again],
        expect![[r#"
            + The limit is 5. [08 01]
            - until 08 The limit is 7. [02]
        "#]],
    );
}

#[test]
fn what_a_reader_says_is_settled_is_so_from_the_day_that_it_names() {
    let one = said("2026-04-01", "The limit is 5.", &[], true);
    let other = said("2026-04-02", "The limit is 7.", &[("disputes", "The limit is 5.")], true);
    let mut verdict = said("2026-04-08", "Ada settled it, 5 it is.", &[("same", "The limit is 5.")], true);
    let told = verdict.told.as_mut().expect("told");
    (told.settles, told.valid_from) = (vec![claim_id("The limit is 7.")], "2026-04-20".parse().ok());
    check(
        &[one.clone(), other.clone(), verdict.clone()],
        expect![[r#"
            + Ada settled it, 5 it is. [08]
            + The limit is 5. [01]
            - until 20 The limit is 7. [02]
        "#]],
    );
    // What came before the words that it is to settle settles nothing, nor does what nobody vouches for.
    let open = expect![[r#"
        + Ada settled it, 5 it is. [08]
        ? The limit is 7. [09]
        ? The limit is 5. [01]
    "#]];
    let later = said("2026-04-09", "The limit is 7.", &[("disputes", "The limit is 5.")], true);
    verdict.told.as_mut().expect("told").same_as.clear();
    check(&[one.clone(), later, verdict.clone()], open);
    verdict.is_vouched_for = false;
    let unsettled = account(&[one, other, verdict], &[], &known(&|_| None)).disputed.len();
    assert_eq!(unsettled, 1);
}

#[test]
fn what_shares_no_word_takes_no_place_whatever_a_reply_calls_it() {
    let named = |date: &str, text: &str, replaces: &str, slot: &str| {
        let links: &[(&str, &str)] = if replaces.is_empty() { &[] } else { &[("replaces", replaces)] };
        let mut statement = said(date, text, links, true);
        statement.told.as_mut().expect("told").slot = slot.to_owned();
        statement
    };
    let meeting = "The meeting is on 18 March.";
    for replaces in ["", meeting] {
        let old = named("2026-04-01", meeting, "", "everything");
        let new = named("2026-04-08", "Two more households joined.", replaces, "everything");
        check(
            &[old, new],
            expect![[r#"
                + Two more households joined. [08]
                + The meeting is on 18 March. [01]
            "#]],
        );
    }
}

#[test]
fn a_day_that_the_replaced_words_name_is_their_own() {
    let old = said("2026-04-01", "The fair opens on 14 April.", &[], true);
    let until = |from: &str| {
        let mut new = said("2026-04-08", "The stalls stand on 28 April.", &[("replaces", &old.text)], true);
        new.told.as_mut().expect("told").valid_from = from.parse().ok();
        found(&[&[old.clone(), new.clone()]]).on(0, old.id).and_then(|by| by.from).map(|day| day.to_string())
    };
    assert_eq!(until("2026-04-20").as_deref(), Some("2026-04-20"));
    assert_eq!(until("2026-04-14").as_deref(), Some("2026-04-08"), "`from 14 April to 28 April`");
}

#[test]
fn disputes_of_one_page_end_one_by_one() {
    let five = said("2026-04-01", "The limit is 5.", &[], true);
    let seven = said("2026-04-02", "The limit is 7.", &[("disputes", "The limit is 5.")], true);
    let red = said("2026-04-03", "The door is red.", &[], true);
    let blue = said("2026-04-04", "The door is blue.", &[("disputes", "The door is red.")], true);
    let verdict = settled("2026-04-05", &[&blue], &[&red]);
    let all = [five, seven, red, blue, verdict];
    let two = account(&all[..4], &[], &known(&|_| None));
    assert_eq!(two.disputed.iter().map(Vec::len).collect::<Vec<_>>(), [2, 2]);
    check(
        &all,
        expect![[r#"
            + The door is blue. [04 05]
            ? The limit is 7. [02]
            ? The limit is 5. [01]
            - until 05 The door is red. [03]
        "#]],
    );
}

#[test]
fn a_side_that_stands_elsewhere_is_disputed_here_too() {
    let five = said("2026-04-01", "The limit is 5.", &[], true);
    let seven = said("2026-04-02", "The limit of all is 7.", &[], true);
    let (quoting, elsewhere) = ([seven.clone()], [five.clone()]);
    let known = Known { successor: &|_| None, against: &|id| if id == seven.id { vec![five.id] } else { Vec::new() } };
    let account = account(&quoting, &elsewhere, &known);
    assert!(account.current.is_empty());
    let texts: Vec<&str> = account.disputed[0].iter().map(|claim| claim.statement.text.as_str()).collect();
    assert_eq!(texts, ["The limit of all is 7.", "The limit is 5."]);
}

/// A statement that gives a value of something, by a speaker.
fn valued(day: &str, text: &str, (slot, speaker): (&str, &str), is_vouched_for: bool) -> Statement {
    let mut out = said(day, text, &[], is_vouched_for);
    let about = vec![About { name: "Tokens".to_owned(), card: None }];
    let (slot, speaker) = (slot.to_owned(), speaker.to_owned());
    out.told = Some(Box::new(Told { about, slot, speaker, ..Told::default() }));
    out
}

#[test]
fn another_value_of_the_same_slot_takes_the_place_of_the_earlier_one() {
    let old = valued("2026-04-01", "Tokens live 60 minutes.", ("lifetime", "User"), true);
    let new = valued("2026-04-08", "Tokens live 15 minutes.", ("Lifetime", "User"), true);
    let newest = valued("2026-04-09", "A token is valid for 15 minutes.", ("lifetime", "Agent"), true);
    let other = valued("2026-04-09", "Tokens have 32 characters.", ("length", "User"), true);
    let statements = [old.clone(), new.clone(), newest, other];
    // What is found without a reader is left out, to see what the slots find.
    let found_of = super::account(&statements, &[], &known(&|_| None));
    let texts = |claims: &[&Claim<'_>]| claims.iter().map(|claim| claim.statement.text.clone()).collect::<Vec<_>>();
    let superseded: Vec<&Claim<'_>> = found_of.superseded.iter().map(|old| &old.claim).collect();
    assert_eq!(texts(&superseded), ["Tokens live 60 minutes."]);
    assert_eq!(found_of.current.len(), 3, "what gives the same value, or another slot, stands");
    // Of three values each holds until the next.
    let third = valued("2026-04-20", "Tokens live 20 minutes.", ("lifetime", "User"), true);
    let statements = [old.clone(), new.clone(), third];
    let found_of = super::account(&statements, &[], &known(&|_| None));
    let until = |old: &Superseded<'_>| (old.claim.statement.text.clone(), old.until.map(|day| day.to_string()));
    let ended: Vec<_> = found_of.superseded.iter().map(until).collect();
    let expected = [("Tokens live 15 minutes.", "2026-04-20"), ("Tokens live 60 minutes.", "2026-04-08")];
    assert_eq!(ended, expected.map(|(text, day)| (text.to_owned(), Some(day.to_owned()))));
    // What stays is no other value, in whatever words.
    let stays = valued("2026-04-08", "Tokens: we stay with 60 minutes.", ("lifetime", "User"), true);
    let statements = [old.clone(), stays];
    assert!(super::account(&statements, &[], &known(&|_| None)).superseded.is_empty());
    // Who nobody vouches for changes nothing, and an agent's word nothing that the person said.
    for weak in [
        valued("2026-04-08", "Tokens live 15 minutes.", ("lifetime", "User"), false),
        valued("2026-04-08", "Tokens live 15 minutes.", ("lifetime", "Agent"), true),
    ] {
        let statements = [old.clone(), weak];
        let found_of = super::account(&statements, &[], &known(&|_| None));
        assert!(found_of.superseded.is_empty());
    }
    // What keeps it without a number gives no other value.
    let untold = valued("2026-04-08", "The tokens are as they are.", ("lifetime", "User"), true);
    let statements = [old.clone(), untold];
    assert!(super::account(&statements, &[], &known(&|_| None)).superseded.is_empty());
    // Who says once more what they hold ends no dispute, and a decision does.
    let mut against = valued("2026-04-02", "Tokens live 30 minutes.", ("lifetime", "Ben"), true);
    against.told.as_mut().expect("told").disputes = vec![claim_id(&old.text)];
    let again = valued("2026-04-08", "Tokens should live 30 minutes.", ("lifetime", "Ben"), true);
    let statements = [old.clone(), against.clone(), again.clone()];
    let found_of = super::account(&statements, &[], &known(&|_| None));
    assert!(found_of.superseded.is_empty() && found_of.disputed.len() == 1, "{found_of:?}");
    let mut decided = valued("2026-04-09", "Tokens live 45 minutes.", ("lifetime", "User"), true);
    decided.kind = PassageKind::Decision;
    let statements = [old.clone(), against, again, decided];
    let found_of = super::account(&statements, &[], &known(&|_| None));
    assert!(found_of.disputed.is_empty() && found_of.superseded.len() >= 2, "{found_of:?}");
    // Nor does what is older, whatever is compiled first.
    let late = valued("2026-03-01", "Tokens live 5 minutes.", ("lifetime", "User"), true);
    let statements = [new, late];
    let found_of = super::account(&statements, &[], &known(&|_| None));
    let current: Vec<&str> = found_of.current.iter().map(|claim| claim.statement.text.as_str()).collect();
    assert_eq!(current, ["Tokens live 15 minutes."]);
}

#[test]
fn what_gives_a_value_of_another_thing_takes_no_place_for_its_words_and_the_same_value_is_one_claim() {
    let old = valued("2026-04-01", "We keep tokens for 60 minutes.", ("lifetime", "User"), true);
    let new = valued("2026-04-08", "We keep tokens for 15 minutes now.", ("lifetime", "User"), true);
    let other = valued("2026-04-08", "We keep tokens for 15 minutes now.", ("length", "User"), true);
    assert_eq!(super::found(&[old.clone(), new]).replaced.len(), 1);
    assert!(super::found(&[old.clone(), other]).replaced.is_empty());
    assert!(is_replaced_by(&old, &valued("2026-04-09", "Tokens end at noon.", ("Lifetime", ""), true)));
    assert!(!is_replaced_by(&old, &valued("2026-04-09", "Tokens end at noon.", ("end", ""), true)));
    let limit = "With wind from the north boats can go to Pellhurst up to 22 m/s.";
    let limit = valued("2026-04-01", limit, ("limit from the north", "User"), true);
    let again = "The wind limit from the north stays at 22.";
    let again = valued("2026-04-08", again, ("limit from the north", "User"), true);
    let statements = [limit, again];
    let found_of = super::account(&statements, &[], &known(&|_| None));
    assert!(found_of.superseded.is_empty() && found_of.current.len() == 1, "{found_of:?}");
}
