//! A wiki of HydraFlow, entries and topic pages.

use super::{THINGS, Walk, folder, slug, walk};

const TOPICS: [&str; 4] = ["architecture", "patterns", "gotchas", "testing"];

fn entry(n: usize, id: usize, state: &str, title: &str, said: &str) -> (String, String) {
    let topic = TOPICS[n % TOPICS.len()];
    let issue = 40 + n;
    (
        format!("repo_wiki/acme/oven/{topic}/{id:04}-issue-{issue}-{}.md", slug(title)),
        format!(
            "---\nid: {id:04}\ntopic: {topic}\nsource_issue: {issue}\nsource_phase: review\ncreated_at: 2026-01-{:02}T09:00:00+00:00\n{state}corroborations: {}\n---\n\n# {title}\n\n{said}\n",
            n + 1,
            n % 4 + 1
        ),
    )
}

fn section(id: &str, title: &str, said: &str, past: &str) -> String {
    format!(
        "## {title}\n\n{said}\n\n_Source: #12 (plan)_\n\n```json:entry\n{{\"id\":\"{id}\",\"topic\":\"architecture\",\"source_type\":\"plan\",\"source_issue\":12,\"created_at\":\"2026-01-05T00:00:00Z\",{past}\"stale\":false,\"corroborations\":2}}\n```\n\n"
    )
}

fn files() -> Vec<(String, String)> {
    let mut out = Vec::new();
    for (n, (name, said, more)) in THINGS.iter().enumerate() {
        out.push(entry(n, n / TOPICS.len() + 1, "status: active\n", name, &format!("{said} {more}")));
    }
    // Numbers that stand there twice in a topic, states, what took the place of what.
    out.push(entry(
        1,
        1,
        "status: superseded\nsuperseded_by: 0009\n",
        "Proofing by ear",
        "Proofing is judged by ear alone.",
    ));
    out.push(entry(
        2,
        7,
        "status: superseded\nsuperseded_by: 0008\n",
        "Hoist of the silo",
        "The hoist of the silo lifts two tonnes.",
    ));
    out.push(entry(
        6,
        8,
        "status: active\nsupersedes: 0007\n",
        "Hoist of the silo renewed",
        "The hoist of the silo lifts five tonnes.",
    ));
    out.push(entry(
        3,
        9,
        "status: stale\nstale_reason: source issue #43 closed\n",
        "Thermometer",
        "The thermometer reads zero after a restart.",
    ));
    out.push(entry(7, 10, "status: proposed\n", "Random order", "Tests of the oven run in a random order."));
    let (path, text) =
        entry(7, 10, "status: superseded\nsuperseded_by: 0010\n", "Random order", "Tests of the oven run by name.");
    out.push((path.replace(".md", " (conflicted copy).md"), text));
    out.push((
        "repo_wiki/acme/oven/gotchas/read-this-first.md".to_owned(),
        "# Awning\n\nThe awning is rolled in when it rains.\n".to_owned(),
    ));
    for issue in 40..46 {
        out.push((
            format!("repo_wiki/acme/oven/log/{issue}.jsonl"),
            "{\"ts\":\"2026-01-10T09:00:00Z\",\"op\":\"ingest\"}\n".to_owned(),
        ));
    }
    let page = [
        "# Architecture\n\n".to_owned(),
        section(
            "01HA",
            "Two controllers",
            "One controller heats, the other one watches it.",
            "\"superseded_by\":null,",
        ),
        section(
            "01HB",
            "The door is polled",
            "The door switch is polled once a second.",
            "\"superseded_by\":\"01HC\",\"superseded_reason\":\"an interrupt\",",
        ),
        "## By hand\n\nNobody may bypass the watching controller.\n\n".to_owned(),
        section(
            "01HC",
            "The door raises an interrupt",
            "The door switch raises an interrupt, and nothing polls it.",
            "\"superseded_by\":null,",
        ),
    ];
    out.push(("docs/wiki/architecture.md".to_owned(), page.concat()));
    out.push(("docs/wiki/patterns.md".to_owned(), "# Patterns\n\n_No entries yet._\n".to_owned()));
    out.push(("docs/wiki/index.md".to_owned(), "# Wiki Index: acme/oven\n\n**3 entries** | Last updated: 2026-03-06\n\n## Architecture (3)\n- Two controllers\n".to_owned()));
    out.push(("docs/wiki/index.json".to_owned(), "{\"repo_slug\":\"acme/oven\",\"topics\":{\"architecture\":[\"Two controllers\"]},\"total_entries\":3,\"last_lint\":null}\n".to_owned()));
    out.push(("docs/wiki/log.jsonl".to_owned(), "{\"ts\":\"2026-03-06\",\"op\":\"ingest\"}\n".to_owned()));
    out.push(("docs/wiki/ingest_dedup.json".to_owned(), "[\"12:plan\"]\n".to_owned()));
    out.push(("README.md".to_owned(), "# Oven\n".to_owned()));
    out
}

#[test]
fn a_wiki_of_hydraflow_is_used_whole_and_keeps_every_byte() {
    let asked = [
        ("how hot is the deck oven before the first bread?", "250 degrees"),
        ("how many tonnes does the hoist of the silo lift?", "five tonnes"),
        ("does anything poll the door switch?", "nothing polls it"),
        ("when is the awning rolled in?", "when it rains"),
    ];
    let past = [
        ("how many tonnes does the hoist of the silo lift?", "two tonnes"),
        ("how is proofing judged?", "by ear alone"),
        ("what does the thermometer read after a restart?", "reads zero"),
        ("how often is the door switch polled?", "polled once a second"),
        ("in which order do tests of the oven run?", "run by name"),
    ];
    let (path, text) =
        entry(4, 20, "status: active\n", "Chimney fan", "The chimney fan runs for ten minutes after the oven.");
    walk(
        folder(files()),
        &Walk {
            layout: "hydraflow",
            called: "a HydraFlow repo wiki",
            asked: &asked,
            past: &past,
            announced: &[],
            day: (&path, &text),
            new: ("how long does the chimney fan run after the oven?", "ten minutes"),
        },
    );
}
