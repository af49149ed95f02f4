//! What is counted, and what a reader is told of it.

use super::*;
use crate::page::parse_page;
use crate::path::VaultPath;

fn day(text: &str) -> Date {
    text.parse().expect("a day")
}

fn cited(place: &str) -> SourceRef {
    let (path, line) = place.split_once(':').expect("a place");
    let line = line.parse().expect("a line");
    let path = VaultPath::new(path).expect("inside");
    SourceRef { path, lines: (line, line), digest: String::new(), quote: String::new() }
}

const DAY: &str = "## 09:00 Oven\n<!-- kenning: session=s1 trust=agent -->\n- It is hot.\n- It is still hot.\n\n\
                   ## 11:00 Oven\n<!-- kenning: session=s2 trust=agent -->\n- It is hot.\n";

fn agreement(places: &[&str]) -> Agreement {
    let cited: Vec<SourceRef> = places.iter().map(|place| cited(place)).collect();
    Agreement::of(&cited, &mut |one| Voices::of(DAY).at(one.lines.0).map(str::to_owned))
}

#[test]
fn another_day_session_or_document_confirms_and_the_same_session_does_not() {
    let n = |places: &[&str]| agreement(places).confirmed;
    assert_eq!(n(&["daily/2026-05-11.md:3"]), 0);
    assert_eq!(n(&["daily/2026-05-11.md:3", "daily/2026-05-11.md:4"]), 0);
    assert_eq!(n(&["daily/2026-05-11.md:3", "daily/2026-05-11.md:8"]), 1);
    assert_eq!(n(&["daily/2026-05-11.md:3", "daily/2026-05-12.md:3", "raw/oven.md:1"]), 2);
    assert_eq!(n(&[]), 0);
}

#[test]
fn what_is_external_confirms_nothing() {
    let external = "## 09:00 Oven\n<!-- kenning: session=s1 trust=external -->\n- It is hot.\n";
    let voices = Voices::of(external);
    assert_eq!((voices.at(3), voices.at(1)), (None, None));
    let cited = [cited("daily/2026-05-11.md:3"), cited("daily/2026-05-12.md:3"), cited("daily/2026-05-13.md:3")];
    let count = |is_external: &dyn Fn(usize) -> bool| {
        Agreement::of(&cited, &mut |one| {
            let n = cited.iter().position(|other| other == one)?;
            (!is_external(n)).then(String::new)
        })
    };
    assert_eq!(count(&|n| n == 2).confirmed, 1);
    assert_eq!(count(&|n| n == 2).last_said, day("2026-05-12").into());
    assert_eq!(count(&|n| n > 0).confirmed, 0);
    assert_eq!(count(&|_| true).confirmed, 0);
}

#[test]
fn tags_are_told_where_they_say_something_and_depend_on_the_day() {
    let told = |places: &[&str], begun: &str, today: &str| {
        tag(&agreement(places), begun.parse().ok(), day(today)).unwrap_or_default()
    };
    let one = ["daily/2026-05-11.md:3"];
    assert_eq!(told(&one, "2026-05-11", "2026-05-12"), "", "everything on a new page is new");
    assert_eq!(told(&one, "2026-01-11", "2026-05-12"), "recently added");
    assert_eq!(told(&one, "2026-01-11", "2026-07-12"), "");
    assert_eq!(told(&one, "2026-01-11", "2026-05-01"), "", "it is not said yet");
    assert_eq!(told(&["daily/2026-05-11.md:3", "daily/2026-05-14.md:3"], "2026-05-11", "2027-05-14"), "+1");
    let over = |last: &str| told(&["daily/2026-01-11.md:3", &format!("daily/{last}.md:3")], "2026-01-11", "2029-05-12");
    assert_eq!(over("2026-02-12"), "+1, stable for 1 month");
    assert_eq!(over("2026-05-12"), "+1, stable for 4 months");
    assert_eq!(over("2027-01-11"), "+1, stable for 1 year");
    assert_eq!(over("2028-03-11"), "+1, stable for 2 years");
}

#[test]
fn only_claims_that_hold_are_tagged_and_pages_of_people_never() {
    let page = |owner: &str| {
        let text = format!(
            "---\ntitle: Oven\n{owner}---\n# Oven\n\nIt is hot.[^1][^2] It has a door.[^1]\n\n## Disputed\n\n- It is big.[^1][^2]\n\n\
             [^1]: daily/2026-05-11.md#L3-L3 7f3a9c1e \"It\"\n[^2]: daily/2026-05-12.md#L3-L3 7f3a9c1e \"It\"\n"
        );
        let page = parse_page(&VaultPath::new("knowledge/oven.md").expect("inside"), text.clone()).value;
        with_tags(&text, &counted(&page, day("2026-05-13"), &mut |_| Some(String::new())))
    };
    let owned = page("owner: kenning\n");
    assert!(owned.contains("It is hot (+1).[^1][^2] It has a door.[^1]\n"), "{owned}");
    assert!(owned.contains("- It is big.[^1][^2]\n"), "{owned}");
    assert!(!page("").contains("(+1)"));
}
