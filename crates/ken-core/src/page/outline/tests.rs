//! What stands on each line of small pages, and what no page makes of it.

use super::*;
use crate::page::parse_page;
use crate::path::VaultPath;
use proptest::prelude::*;

const HEADER: &str = "---\ntitle: Oven\nowner: kenning\n---\n";

fn page(text: &str) -> Page {
    parse_page(&VaultPath::new("knowledge/concepts/oven.md").expect("inside"), text.to_owned()).value
}

fn only_claim(line: &str, heading: &str, notes: &str) -> Claim {
    let text = format!("{HEADER}# Oven\n\n## {heading}\n\n- {line}\n\n{notes}");
    let rows = rows(&page(&text), None);
    let claim = rows.into_iter().find_map(|row| match row.what {
        What::Claim(claim) => Some(claim),
        _ => None,
    });
    claim.expect("a claim")
}

fn labels(marks: &[Mark]) -> Vec<&str> {
    marks.iter().map(|mark| mark.label.as_str()).collect()
}

#[test]
fn sentences_and_items_are_claims_with_their_citations() {
    let text = "# T\n\nOne holds.[^1] Two holds.[^a][^2]\n\n- item three [^3]\n\n[^1]: daily/2026-02-10.md#L2-L3\n";
    let found = claims(&page(text));
    let labels = |claim: &Claim| claim.marks().map(|mark| mark.label.clone()).collect::<Vec<_>>().join(",");
    let shown: Vec<_> = found.iter().map(|claim| (claim.span.of(text), labels(claim))).collect();
    let expected = [("One holds.[^1]", "1"), ("Two holds.[^a][^2]", "a,2"), ("item three [^3]", "3")];
    assert_eq!(shown, expected.map(|(text, labels)| (text, labels.to_owned())));
}

#[test]
fn a_claim_of_a_roll_up_stands_below_what_it_is_whatever_work_it_is_of() {
    let body = "# W\n\n## Lessons\n\n- Zero.\n\n### Oven\n\n- One.\n\n## Outcomes\n\n- Two.\n";
    let below = |category: &str| {
        let text = format!("---\ntype: {category}\ntitle: W\nowner: kenning\n---\n{body}");
        claims(&page(&text)).into_iter().map(|claim| claim.heading).collect::<Vec<_>>()
    };
    assert_eq!(below("rollup"), ["Lessons", "Lessons", "Outcomes"]);
    assert_eq!(below("reference"), ["Lessons", "Oven", "Outcomes"]);
}

#[test]
fn headings_below_which_nothing_stands_are_left_out() {
    let mut body = Body::new("W");
    body.section("");
    body.line("It is hot.", &[]);
    body.section("Decisions");
    body.part("Oven");
    body.section("Lessons");
    body.claim("Zero.", &[]);
    body.part("Oven");
    body.part("Mill");
    body.claim("One.", &[]);
    assert_eq!(body.render(), "# W\n\nIt is hot.\n\n## Lessons\n\n- Zero.\n\n### Mill\n\n- One.\n");
}

#[test]
fn every_line_is_a_claim_or_says_what_it_is() {
    let text = format!(
        "{HEADER}# Oven\n\nIt is hot.[^1] It is big.[^2]\n\n```\nx\n```\n| a |\n| b |\n\n<!-- c -->\n\n## Related\n\n- [[a]]: x\n- [[b]]: y\n\n[^1]: daily/2026-05-11.md#L1-L1\n[^2]: x\n"
    );
    let shown: Vec<_> = rows(&page(&text), None).iter().map(|row| (row.lines, row.what.as_str())).collect();
    let expected = [
        ((1, 4), "header"),
        ((5, 5), "heading"),
        ((7, 7), "claim"),
        ((7, 7), "claim"),
        ((9, 11), "code"),
        ((12, 13), "table"),
        ((15, 15), "comment"),
        ((17, 17), "heading"),
        ((19, 20), "links"),
        ((22, 23), "footnotes"),
    ];
    assert_eq!(shown, expected);
}

#[test]
fn a_replaced_claim_is_split_from_what_took_its_place() {
    let notes = "[^1]: daily/2026-05-01.md#L1-L1 00000000 \"The oven is hot.\"\n[^2]: daily/2026-05-03.md#L1-L1 00000000 \"The oven is cold now.\"\n[^3]: daily/2026-05-09.md#L1-L1 00000000 \"x\"\n[^4]: daily/2026-05-03.md#L9-L9 00000000 \"the oven is…\"\n";
    let claim = only_claim("~~The oven is hot~~ until 2026-05-03; now: It is [[cold]].[^1][^2]", "Superseded", notes);
    let until = "2026-05-03".parse().ok();
    assert_eq!(claim.text, "The oven is hot");
    assert_eq!(claim.state, ClaimState::Superseded { until, now: Some("It is cold".to_owned()) });
    assert_eq!((labels(&claim.own), labels(&claim.by)), (vec!["1"], vec!["2"]));
    let three = only_claim("~~The oven is hot~~ until 2026-05-03; now: x.[^1][^2][^3]", "Superseded", notes);
    assert_eq!((labels(&three.own), labels(&three.by)), (vec!["1"], vec!["2", "3"]));
    let again = only_claim("~~The oven is hot~~ until 2026-05-03; now: x.[^1][^4][^2]", "Superseded", notes);
    assert_eq!((labels(&again.own), labels(&again.by)), (vec!["1", "4"], vec!["2"]));
    let done = only_claim("~~Order flour~~ done 2026-05-03.[^1][^2]", "Superseded", notes);
    assert_eq!(done.state, ClaimState::Done { on: until });
}

#[test]
fn what_a_page_says_of_a_claim_is_read() {
    let state = |line: &str, heading: &str| only_claim(line, heading, "").state;
    assert_eq!(state("The limit is 7.", "Disputed"), ClaimState::Disputed);
    assert_eq!(state("Is it hot?", "Asked"), ClaimState::Asked);
    assert_eq!(state("It is hot *(external)*", "Details"), ClaimState::External);
    assert_eq!(state("It is hot *(unverified)*", "Details"), ClaimState::Unverified);
    assert_eq!(state("It is hot *(synthesis)*.", "Details"), ClaimState::Synthesis);
    assert_eq!(only_claim("It is hot *(synthesis)*.", "Details", "").text, "It is hot.");
}

#[test]
fn a_sentence_of_an_answer_is_read_without_its_page() {
    let text = "---\ntype: question\nowner: kenning\n---\n- (superseded) It is hot (until 2026-05-03; now: It is cold) [[oven]][^1]\n- It is big. [[oven]] [[door]]\n";
    let rows = rows(&page(text), None);
    let claims: Vec<_> = rows
        .iter()
        .filter_map(|row| match &row.what {
            What::Claim(claim) => Some((claim.text.as_str(), &claim.state)),
            _ => None,
        })
        .collect();
    let until = "2026-05-03".parse().ok();
    let was = ClaimState::Superseded { until, now: Some("It is cold".to_owned()) };
    assert_eq!(claims, [("It is hot", &was), ("It is big.", &ClaimState::Current)]);
}

#[test]
fn what_somebody_added_among_links_is_a_claim() {
    let text = format!("{HEADER}## Related\n\n- [[a]]: often named together\n- It is red.\n");
    let shown: Vec<_> = rows(&page(&text), None).iter().map(|row| (row.lines.0, row.what.as_str())).collect();
    assert_eq!(shown, [(1, "header"), (5, "heading"), (7, "links"), (8, "claim")]);
}

#[test]
fn on_a_page_of_a_person_no_word_is_taken_for_a_mark() {
    let rows = rows(&page("# Oven\n\n## Superseded\n\n- ~~Hot~~ until 2026-05-01\n\n## Related\n\n- a [[b]]\n"), None);
    let claims: Vec<_> = rows
        .iter()
        .filter_map(|row| match &row.what {
            What::Claim(claim) => Some(&claim.state),
            _ => None,
        })
        .collect();
    assert_eq!(claims, [&ClaimState::Current, &ClaimState::Current]);
}

#[test]
fn a_footnote_outside_the_vault_cites_nothing() {
    let claim = only_claim("It is hot.[^1][^2]", "Details", "[^1]: ../../etc/passwd#L1-L2\n");
    let shown: Vec<_> = claim.own.iter().map(|mark| (mark.cited.is_some(), mark.has_footnote)).collect();
    assert_eq!(shown, [(false, true), (false, false)]);
}

#[test]
fn a_footnote_says_which_claims_carry_it() {
    let text = format!("{HEADER}One.[^1]\n\nTwo.[^1][^2]\n\n[^1]: a.md#L1-L1\n[^2]: a.md#L2-L2\n");
    let page = page(&text);
    let rows = rows(&page, None);
    assert_eq!(carriers(&page, &rows, 9), [5, 7]);
    assert_eq!(carriers(&page, &rows, 10), [7]);
    assert_eq!(rows.last().map(|row| &row.what), Some(&What::Footnotes(vec![5, 7])));
}

proptest! {
    #[test]
    fn rows_never_panic_and_stay_on_the_page(text in "(---\n|owner: kenning\n|## Superseded\n|[-#>|`~ \\[\\]^:x!<é.0-9]{0,9}\r?\n?){0,20}") {
        let page = page(&text);
        let n_lines = LineIndex::new(&page.text).n_lines();
        for row in rows(&page, None) {
            prop_assert!(1 <= row.lines.0 && row.lines.0 <= row.lines.1 && row.lines.1 <= n_lines);
        }
    }
}

/// Something that is written onto a page, and what reading it gives.
#[derive(Debug, Clone)]
struct Entry {
    text: String,
    state: ClaimState,
    n_own: usize,
    n_by: usize,
}

fn entry() -> impl Strategy<Value = Entry> {
    let text = "[A-Z][a-z]{1,8}( [a-z0-9]{1,8}){0,6}";
    let day = proptest::option::of((1u8..28).prop_map(|day| format!("2026-05-{day:02}").parse().expect("a day")));
    let state = prop_oneof![
        Just(ClaimState::Current),
        Just(ClaimState::External),
        Just(ClaimState::Unverified),
        Just(ClaimState::Synthesis),
        Just(ClaimState::Asked),
        Just(ClaimState::Disputed),
        (day.clone(), text).prop_map(|(until, now)| ClaimState::Superseded { until, now: Some(now) }),
        // Without its day a task that was done says no more than that it is past.
        day.prop_filter("a day", Option::is_some).prop_map(|on| ClaimState::Done { on }),
    ];
    (text, state, 1usize..4, 1usize..3).prop_map(|(text, state, n_own, n_by)| Entry { text, state, n_own, n_by })
}

/// Places in days, each line once; those of a claim begin as it does.
fn places(next: &mut usize, n: usize, quote: &str) -> Vec<SourceRef> {
    let mut place = || {
        *next += 1;
        let path = VaultPath::new("daily/2026-06-01.md").expect("inside");
        SourceRef { path, lines: (*next, *next), digest: "0".repeat(8), quote: crate::claim::quote(quote) }
    };
    (0..n).map(|_| place()).collect()
}

proptest! {
    #[test]
    fn what_is_written_onto_a_page_is_read_back(entries in proptest::collection::vec(entry(), 0..12)) {
        let mut body = Body::new("Oven");
        let (mut expected, mut n) = (Vec::new(), 0);
        for Entry { text, state, n_own, n_by } in entries {
            let own = places(&mut n, n_own, &text);
            let by = places(&mut n, if state.is_past() { n_by } else { 0 }, "0 is what took its place");
            let (refs, by_refs): (Vec<&SourceRef>, Vec<&SourceRef>) = (own.iter().collect(), by.iter().collect());
            let heading = match state {
                ClaimState::Asked => ASKED,
                ClaimState::Disputed => DISPUTED,
                _ if state.is_past() => SUPERSEDED,
                _ => DETAILS,
            };
            body.section(heading);
            match &state {
                ClaimState::Synthesis => body.line(&before_end(&text, SYNTHESIS), &refs),
                ClaimState::Unverified => body.claim(&format!("{text}{UNVERIFIED_CLAIM}"), &refs),
                ClaimState::External => body.claim(&format!("{text}{EXTERNAL_CLAIM}"), &refs),
                state if state.is_past() => body.past(&text, state, &refs, &by_refs),
                _ => body.claim(&text, &refs),
            }
            expected.push((text, heading.to_owned(), state, own, by));
        }
        let page = page(&format!("{HEADER}{}", body.render()));
        let cited = |marks: Vec<Mark>| marks.into_iter().filter_map(|mark| mark.cited).collect::<Vec<_>>();
        let read = |claim: Claim| (claim.text, claim.heading, claim.state, cited(claim.own), cited(claim.by));
        prop_assert_eq!(claims(&page).into_iter().map(read).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_remark_is_read_as_it_was_written(day in 1u8..28, when in 0usize..5, next in 0usize..3, text in "[A-Z][a-z]{1,8}( [a-z]{1,8}){0,4}") {
        let day: Date = format!("2026-05-{day:02}").parse().expect("a day");
        let when = [When::Until, When::Done, When::Since, When::Said].get(when).map(|when| (*when, day));
        let next = [Next::Now, Next::Then].get(next).map(|next| (*next, text.as_str()));
        let remark = Remark { when, next };
        let written = remark.to_string();
        prop_assert_eq!(Remark::read(&written), remark);
        let struck = remark.struck("It is hot");
        prop_assert_eq!(Cut::of(&struck), Cut { words: "It is hot", remark: &written });
        let bracketed = Remark { when: Some((When::Until, day)), next }.in_brackets("It is hot.[^1]");
        let has_then = next.is_some_and(|(next, _)| next == Next::Then);
        prop_assert_eq!(told(&bracketed).is_some(), has_then);
        prop_assert!(bracketed.ends_with(").[^1]"));
    }
}
