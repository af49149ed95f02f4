//! A knowledge base of claude-memory-compiler.

use sha2::{Digest, Sha256};

use super::{THINGS, Walk, files as files_in, folder, put, slug, walk};

fn day(n: usize, bullets: &str, line_end: &str) -> (String, String) {
    let date = format!("2026-04-{n:02}");
    let text = format!(
        "# Daily Log: {date}\n\n## Sessions\n\n### Session (14:30) - Work of day {n}\n\n**Context:** The bakery.\n\n**Key Exchanges:**\n- User asked what is next, assistant listed it\n\n**Decisions Made:**\n{bullets}\n**Action Items:**\n- [ ] Follow up on day {n}\n\n### Memory Flush (18:00)\n\nFLUSH_OK - Nothing worth saving from this session\n"
    );
    (format!("daily/{date}.md"), text.replace('\n', line_end))
}

fn files() -> Vec<(String, String)> {
    let days: Vec<(String, String)> = THINGS
        .chunks(2)
        .enumerate()
        .map(|(n, two)| {
            let bullets: String = two.iter().map(|(_, said, more)| format!("- {said}\n- {more}\n")).collect();
            day(n + 1, &bullets, if n == 2 { "\r\n" } else { "\n" })
        })
        .collect();
    let ingested: Vec<String> = days
        .iter()
        .map(|(path, text)| {
            let digest: String = Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
            let name = path.trim_start_matches("daily/");
            format!(
                "\"{name}\": {{\"hash\": \"{}\", \"compiled_at\": \"2026-04-09T18:05:00+00:00\", \"cost_usd\": 0.5}}",
                &digest[..16]
            )
        })
        .collect();
    let state = format!(
        "{{\"ingested\": {{{}}}, \"query_count\": 4, \"last_lint\": null, \"total_cost\": 3.0}}\n",
        ingested.join(", ")
    );
    let mut out = days;
    out.push(("scripts/state.json".to_owned(), state));
    out.push(("scripts/last-flush.json".to_owned(), "{\"session_id\":\"a\",\"timestamp\":1}\n".to_owned()));
    out.push(("scripts/flush.log".to_owned(), "ok\n".to_owned()));
    out.push(("reports/lint-2026-04-06.md".to_owned(), "# Lint\n\nAll checks passed.\n".to_owned()));
    out.push((".claude/settings.json".to_owned(), "{}\n".to_owned()));
    out.push(("AGENTS.md".to_owned(), "# Schema\n".to_owned()));
    out.push((
        "knowledge/log.md".to_owned(),
        "# Build Log\n\n## [2026-04-09T18:05:00] compile | Daily Log 2026-04-01\n- Source: daily/2026-04-01.md\n"
            .to_owned(),
    ));
    let mut rows = String::from(
        "# Knowledge Base Index\n\n| Article | Summary | Compiled From | Updated |\n|---------|---------|---------------|---------|\n",
    );
    for (n, (name, said, more)) in THINGS.iter().enumerate() {
        let (date, name_of) = (format!("2026-04-{:02}", n / 2 + 1), slug(name));
        let next = THINGS[(n + 1) % THINGS.len()].0;
        rows.push_str(&format!(
            "| [[concepts/{name_of}]] | Summary of the {} | daily/{date}.md | {date} |\n",
            name.to_lowercase()
        ));
        out.push((format!("knowledge/concepts/{name_of}.md"), format!(
            "---\ntitle: \"{name}\"\naliases: [{name_of}-unit]\ntags: [bakery]\nsources:\n  - \"daily/{date}.md\"\ncreated: {date}\nupdated: {date}\n---\n# {name}\n\n{said}\n\n## Key Points\n\n- {more}\n\n## Related Concepts\n\n- [[concepts/{}]] - Stands beside it\n\n## Sources\n\n- [[daily/{date}.md]] - First note\n", slug(next)
        )));
    }
    rows.push_str("| [[concepts/lost]] | Its file is gone | daily/2026-04-02.md | 2026-04-02 |\n");
    out.push(("knowledge/index.md".to_owned(), rows));
    out.push(("knowledge/connections/oven-and-starter.md".to_owned(), "---\ntitle: \"Connection: Oven and starter\"\nconnects:\n  - \"concepts/deck-oven\"\n  - \"concepts/sourdough-starter\"\nsources:\n  - \"daily/2026-04-01.md\"\ncreated: 2026-04-04\nupdated: 2026-04-04\n---\n# Connection: Oven and starter\n\n## The Connection\n\nBoth set when the night shift begins.\n".to_owned()));
    out.push(("knowledge/qa/how-is-the-slicer-cleaned.md".to_owned(), "---\ntitle: \"Q: How is the slicer cleaned?\"\nquestion: \"How is the slicer cleaned?\"\nconsulted:\n  - \"concepts/bread-slicer\"\nfiled: 2026-04-07\n---\n# Q: How is the slicer cleaned?\n\n## Answer\n\nWith a brush, see [[concepts/bread-slicer]].\n".to_owned()));
    out.push((
        "knowledge/concepts/by-hand.md".to_owned(),
        "# Awning\n\nThe awning is rolled in when it rains.\n".to_owned(),
    ));
    out.push(("knowledge/concepts/cash-register (conflicted copy).md".to_owned(), "---\ntitle: \"Cash register\"\nsources:\n  - \"daily/2026-04-04.md\"\n---\n# Cash register\n\nThe cash register counts cents as integers.\n".to_owned()));
    out.push((
        "knowledge/people/anna.md".to_owned(),
        "---\ntitle: \"Anna\"\nsources: []\n---\n# Anna\n\nAnna runs the first shop.\n".to_owned(),
    ));
    out
}

#[test]
fn a_knowledge_base_of_claude_memory_compiler_is_used_whole_and_keeps_every_byte_that_was_not_announced() {
    let asked = [
        ("how hot is the deck oven before the first bread?", "250 degrees"),
        ("how does the cash register count cents?", "integers"),
        ("who runs the first shop?", "Anna"),
        ("how is the slicer cleaned?", "brush"),
        ("when is the awning rolled in?", "when it rains"),
    ];
    let (path, text) = day(
        9,
        "- The deck oven gets a new door seal in June.\n- The roof garden is watered by the apprentice.\n",
        "\n",
    );
    walk(
        folder(files()),
        &Walk {
            layout: "memory-compiler",
            called: "a knowledge base of claude-memory-compiler",
            asked: &asked,
            past: &[],
            announced: &["knowledge/index.md"],
            day: (&path, &text),
            new: ("when does the deck oven get a new door seal?", "June"),
        },
    );
}

#[test]
fn pages_that_are_adopted_lose_no_sentence_grow_with_new_days_and_come_back_whole_by_undo() {
    let folder = folder(files());
    folder.ken(&["init"]);
    let before = files_in(folder.root());
    let would = folder.ken(&["adopt", "-n"]);
    assert!(would.contains("Would take over") && before == files_in(folder.root()), "{would}");
    let done = folder.ken(&["adopt"]);
    assert!(done.contains("Took over 12 pages"), "{done}");
    let now = files_in(folder.root());
    let text_of = |files: &super::Files, path: &str| String::from_utf8_lossy(&files[path]).into_owned();
    for (name, said, more) in THINGS {
        let path = format!("knowledge/concepts/{}.md", slug(name));
        let page = text_of(&now, &path);
        if *name == "Cash register" {
            assert_eq!(now[&path], before[&path], "two pages have this name");
            continue;
        }
        assert!(page.contains("owner: kenning"), "{page}");
        for sentence in [said, more] {
            let line = page.lines().find(|line| line.contains(sentence.trim_end_matches('.')));
            let cited = line.is_some_and(|line| line.contains("[^"));
            assert!(cited, "{path}: {sentence}: {page}");
        }
        assert!(page.contains("[[daily/"), "the day is linked: {page}");
        assert!(page.contains(&format!("tldr: Summary of the {}", name.to_lowercase())), "{page}");
    }
    for kept in ["knowledge/concepts/by-hand.md", "knowledge/people/anna.md", "knowledge/log.md"] {
        assert_eq!(now[kept], before[kept], "{kept}");
    }
    let (was, is) = (text_of(&before, "knowledge/index.md"), text_of(&now, "knowledge/index.md"));
    for row in was.lines().filter(|row| row.contains("concepts/lost") || row.contains("concepts/cash-register")) {
        assert!(is.contains(row), "{row}: {is}");
    }
    assert_eq!(was.lines().count(), is.lines().filter(|row| !row.contains("connections/")).count(), "{is}");
    let again = folder.ken(&["compile"]);
    assert!(again.contains("nothing was changed"), "{again}");
    folder.answers(("how hot is the deck oven before the first bread?", "250 degrees"));
    let (path, said) = day(9, "- The deck oven is heated to 240 degrees, no longer 250 degrees.\n", "\n");
    put(folder.root(), &path, said.as_bytes());
    folder.ken(&["compile"]);
    let grown = files_in(folder.root());
    let page = text_of(&grown, "knowledge/concepts/deck-oven.md");
    assert!(page.contains("240 degrees") && page.contains("## Superseded"), "{page}");
    assert!(!grown.keys().any(|path| path.ends_with("-journal.md")), "{:?}", grown.keys());
    folder.answers(("to how many degrees is the deck oven heated?", "240 degrees"));
    for _ in 0..2 {
        folder.ken(&["undo"]);
    }
    std::fs::remove_file(folder.root().join(&path)).expect("it is there");
    assert!(files_in(folder.root()) == before, "undo gives every byte back");
}
