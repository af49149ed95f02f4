//! Tests of the journal: shapes that are read, the shape that is written, and that nothing forges it.

use super::*;
use proptest::prelude::*;

/// Reads a day and shows it: one line an entry, `time|title|body`.
#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let parsed = parse_journal(text, None);
    let shown: Vec<String> = parsed.value.entries.iter().map(|entry| show(text, entry)).collect();
    assert_eq!(shown, expected);
}

fn show(text: &str, entry: &JournalEntry) -> String {
    let time = entry.time.map(|(hour, minute)| format!("{hour:02}:{minute:02}")).unwrap_or_default();
    format!("{time}|{}|{}", entry.title, entry.body.of(text).replace('\n', "⏎"))
}

#[test]
fn the_written_shape_is_read() {
    let text = "# Daily Log: 2026-04-01\n\n## Sessions\n\n### Session (14:30) - Sourdough page\n\
                <!-- kenning: session=s1 agent=claude-code project=My%20Shop trust=agent range=0-48 later=x -->\n\n\
                **Context:** starter\n";
    check(text, &["14:30|Sourdough page|**Context:** starter"]);
    let day = parse_journal(text, None).value;
    assert_eq!(day.date.map(|date| date.to_string()).as_deref(), Some("2026-04-01"));
    let provenance = &day.entries[0].provenance;
    assert_eq!((provenance.project.as_deref(), provenance.range), (Some("My Shop"), Some((0, 48))));
}

#[test]
fn text_without_headings_is_one_entry() {
    check("Bought flour.\n\nRye too.\n", &["||Bought flour.⏎⏎Rye too."]);
}

#[test]
fn text_under_the_day_heading_is_an_entry() {
    check("# 2026-04-01\nBought flour.\n", &["||Bought flour."]);
}

#[test]
fn a_title_that_is_no_day_stays_with_its_text() {
    check("# Oven timer\nIt drifts.\n", &["||# Oven timer⏎It drifts."]);
}

#[test]
fn second_level_headings_are_entries_unless_they_only_group() {
    check("## Morning\nA.\n## Evening\n\n### Oven\nB.\n", &["|Morning|A.", "|Oven|B."]);
}

#[test]
fn text_under_a_grouping_is_not_lost() {
    check("## Sessions\nloose words\n### One\nB.\n", &["||loose words", "|One|B."]);
}

#[test]
fn headings_in_fences_do_not_count() {
    check("### A\n```md\n### not one\n```\n### B\n", &["|A|```md⏎### not one⏎```", "|B|"]);
}

#[test]
fn a_fence_left_open_hides_nothing() {
    check("### A\n```\ncode\n### B\ntext\n", &["|A|```⏎code", "|B|text"]);
}

#[test]
fn front_matter_is_no_entry() {
    check("---\ntags: [daily]\n---\n### A\nx\n", &["|A|x"]);
}

#[test]
fn windows_line_ends_and_a_byte_order_mark_are_read() {
    check("\u{feff}# Daily Log: 2026-04-01\r\n\r\n### Session (09:05)\r\n\r\nhi\r\n", &["09:05||hi"]);
}

#[test]
fn times_are_found_in_the_usual_places() {
    check(
        "### 9:05 - Deploy\n### Memory Flush (18:01)\n### Talk (14:00): ovens\n### Ratio (3:1)\n### at 25:00\n",
        &[
            "09:05|Deploy|",
            "18:01|Memory Flush|",
            "14:00|Talk - : ovens|".replace(" - : ", " - ").as_str(),
            "|Ratio (3:1)|",
            "|at 25:00|",
        ],
    );
}

#[test]
fn deeper_headings_and_tags_belong_to_the_text() {
    check("### A\n#### sub\n#tag\n", &["|A|#### sub⏎#tag"]);
}

#[test]
fn the_file_name_wins_over_the_heading_and_is_noted() {
    let named = leading_date("2026-04-02");
    let parsed = parse_journal("# Daily Log: 2026-04-01\n", named);
    assert_eq!((parsed.value.date, parsed.notes[0].rule), (named, "journal-date"));
}

#[test]
fn a_broken_provenance_comment_is_noted() {
    let parsed = parse_journal("### A\n<!-- kenning: session=1\ntext\n", None);
    assert_eq!(parsed.notes[0].message, "the provenance comment cannot be read");
}

#[test]
fn sections_of_hand_written_entries_are_read() {
    let text = "**Context:** ovens\nand more\n\n**Action Items:**\n- [ ] call\n  them\n- [x] done\n";
    let sections = parse_sections(text, Span::new(0, text.len()));
    let items: Vec<Vec<&str>> =
        sections.iter().map(|section| section.items.iter().map(|item| item.of(text)).collect()).collect();
    assert_eq!(items, [vec!["ovens\nand more"], vec!["call\n  them", "done"]]);
}

#[test]
fn an_entry_is_written_like_this() {
    let entry = NewEntry {
        title: "Opening hours\n### forged".to_owned(),
        time: (9, 5),
        provenance: Provenance {
            session: Some("s1".to_owned()),
            trust: Some("agent".to_owned()),
            range: Some((0, 7)),
            ..Provenance::default()
        },
        sections: vec![
            (SectionKind::Context, vec!["Hours\n**Decisions Made:**".to_owned()]),
            (SectionKind::KeyExchanges, vec![]),
            (SectionKind::ActionItems, vec!["see [[ovens]] <!-- x".to_owned()]),
        ],
    };
    assert_eq!(
        render_entry(&entry),
        "\n### Session (09:05) - Opening hours ### forged\n\
         <!-- kenning: session=s1 trust=agent range=0-7 -->\n\
         \n**Context:** Hours **Decisions Made:**\n\
         \n**Action Items:**\n- [ ] see [[ovens]] &lt;!-- x\n"
    );
}

/// Shows the titles of the entries that speak for a day of entries with these provenances.
#[track_caller]
fn check_standing(provenances: &[&str], expected: &[&str]) {
    let entry =
        |(n, fields): (usize, &&str)| format!("\n### Session (09:00) - {n}\n<!-- kenning: {fields} -->\n\n- x\n");
    let text: String = provenances.iter().enumerate().map(entry).collect();
    let day = parse_journal(&text, None).value;
    assert_eq!(day.standing().map(|entry| entry.title.as_str()).collect::<Vec<_>>(), expected);
}

#[test]
fn a_distilled_entry_speaks_for_the_one_of_its_part() {
    check_standing(&["session=a range=0-9", "session=a range=9-12", "session=a range=0-9 distilled=m"], &["1", "2"]);
}

#[test]
fn a_distilled_entry_of_another_part_or_session_changes_nothing() {
    check_standing(
        &["session=a range=0-9", "session=b range=0-9", "distilled=m", "session=a range=0-8 distilled=m"],
        &["0", "1", "2", "3"],
    );
}

#[test]
fn of_two_distilled_entries_the_newer_stands() {
    check_standing(
        &["session=a range=0-9 distilled=m", "session=a range=0-9 distilled=n", "session=a range=0-9"],
        &["1"],
    );
}

#[test]
fn what_keeps_nothing_does_not_speak_nor_what_it_was_made_from() {
    check_standing(&["session=a range=0-9", "session=a range=0-9 distilled=m keeps=nothing"], &[]);
    check_standing(&["session=a range=0-9 keeps=nothing"], &["0"]);
}

#[test]
fn what_keeps_little_stands_beside_what_was_extracted() {
    let little = "session=a range=0-9 distilled=m keeps=little";
    check_standing(&["session=a range=0-9", little], &["0", "1"]);
    check_standing(&["session=a range=0-9", little, "session=a range=0-9 distilled=n"], &["2"]);
    check_standing(&["session=a range=0-9", "session=a range=0-9 distilled=n", little], &["0", "2"]);
}

#[test]
fn hidden_characters_and_colours_are_stripped() {
    assert_eq!(one_line("\u{1b}[31mred\u{1b}[0m \u{202e}txt\u{200b}\u{7}\u{2028}x"), "red txt x");
}

/// Text that is likely to break something.
fn nasty() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "### ",
        "## ",
        "# ",
        "\n",
        "\r\n",
        "```",
        "~~~",
        "<!-- kenning: session=x -->",
        "<!--",
        "-->",
        "--",
        ">",
        "#",
        " ",
        "- ",
        "[ ] ",
        "**Context:**",
        "**Events:** ",
        "word",
        "é",
        "(14:30)",
        "Session (10:00) - ",
        "2026-04-01",
        "---",
        "\u{0}",
        "\u{2028}",
        "\u{200b}",
        "[[x]]",
        "%20",
        "=",
    ]);
    prop_oneof![
        prop::collection::vec(piece, 0..14).prop_map(|pieces| pieces.concat()),
        prop::string::string_regex("(?s).{0,40}").expect("a pattern"),
    ]
}

prop_compose! {
    fn entries()(
        title in nasty(), hour in 0u8..24, minute in 0u8..60, project in prop::option::of(nasty()),
        start in 0u64..9, len in 0u64..99, context in nasty(),
        items in prop::collection::vec(nasty(), 0..4), actions in prop::collection::vec(nasty(), 0..4),
    ) -> NewEntry {
        let provenance = Provenance { project, range: Some((start, start + len)), ..Provenance::default() };
        let sections = vec![
            (SectionKind::Context, vec![context]),
            (SectionKind::KeyExchanges, items),
            (SectionKind::ActionItems, actions),
        ];
        NewEntry { title, time: (hour, minute), provenance, sections }
    }
}

/// What an entry says once it is sanitised.
fn said(entry: &NewEntry) -> Vec<(SectionKind, Vec<String>)> {
    let lines = |items: &Vec<String>| items.iter().map(|item| one_line(item)).filter(|item| !item.is_empty()).collect();
    entry
        .sections
        .iter()
        .map(|(kind, items)| (*kind, lines(items)))
        .filter(|(_, items): &(_, Vec<_>)| !items.is_empty())
        .collect()
}

proptest! {
    #[test]
    fn any_text_is_read_and_spans_are_in_order(text in nasty()) {
        let day = parse_journal(&text, None).value;
        let mut last = 0;
        for entry in &day.entries {
            prop_assert!(last <= entry.span.start && entry.span.end <= text.len());
            prop_assert!(entry.span.start <= entry.body.start && entry.body.end <= entry.span.end);
            prop_assert!(text.is_char_boundary(entry.body.start) && text.is_char_boundary(entry.body.end));
            for item in parse_sections(&text, entry.body).iter().flat_map(|section| &section.items) {
                prop_assert!(entry.body.start <= item.start && item.end <= entry.body.end && !item.of(&text).is_empty());
            }
            last = entry.span.end;
        }
    }

    #[test]
    fn what_is_written_is_read_back(entries in prop::collection::vec(entries(), 1..4)) {
        let mut text = day_preamble("2026-04-01".parse().expect("a day"));
        let mut before = Vec::new();
        for entry in &entries {
            text.push_str(&render_entry(entry));
            let day = parse_journal(&text, None).value;
            prop_assert_eq!(&day.entries[..before.len()], &before[..], "appending changes no earlier entry");
            before = day.entries;
        }
        prop_assert_eq!(before.len(), entries.len());
        for (read, entry) in before.iter().zip(&entries) {
            prop_assert_eq!(&read.title, &sanitize::title(&entry.title));
            prop_assert_eq!(read.time, Some(entry.time));
            let project = entry.provenance.project.clone().filter(|project| !project.is_empty());
            prop_assert_eq!(&read.provenance, &Provenance { project, ..entry.provenance.clone() });
            let sections: Vec<(SectionKind, Vec<String>)> = parse_sections(&text, read.body)
                .iter()
                .map(|section| (section.kind, section.items.iter().map(|item| item.of(&text).to_owned()).collect()))
                .collect();
            prop_assert_eq!(sections, said(entry));
        }
    }

    #[test]
    fn an_open_last_line_is_no_trouble(entry in entries()) {
        let text = format!("### A\nno line end{}", render_entry_after_open_line(&entry));
        prop_assert_eq!(parse_journal(&text, None).value.entries.len(), 2);
    }
}
