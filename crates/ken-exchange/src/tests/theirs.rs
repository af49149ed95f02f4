//! Layouts of other tools as formats: what is theirs keeps every byte, and a claim of ours keeps what is known of it.

use super::*;

const DAY: &str = "# Daily Log: 2026-05-30\n\n### Session (09:00) - Issue 42, review: Tokens\n\n**Decisions Made:**\n- Tokens live 60 minutes.\n- Tokens live 15 minutes.\n";
const TOKENS: &str = "---\ntype: concept\ntitle: Tokens\ntldr: Tokens live 15 minutes.\nanswers_when: [tokens]\nsimilar_high: [oven:2026-05]\ncontradicts: [rye]\nconfidence: medium\nvalidated: 2026-05\ncreated: 2026-05-30\nupdated: 2026-05-31\nowner: kenning\nsources: [daily/2026-05-30.md]\nbody_digest: 00000000\n---\n# Tokens\n\nTokens live 15 minutes, see [[oven|the oven]] and [[gone]].[^1]\n\n## Superseded\n\n- ~~Tokens live 60 minutes~~ until 2026-05-30; now: Tokens live 15 minutes.[^2][^1]\n\n[^1]: daily/2026-05-30.md#L7-L7 aaaaaaaa \"Tokens live 15 minutes\"\n[^2]: daily/2026-05-30.md#L6-L6 bbbbbbbb \"Tokens live 60 minutes\"\n";

fn ours() -> Vault {
    let mut vault = vault(&[
        ("knowledge/concepts/tokens.md", TOKENS),
        ("knowledge/concepts/oven.md", OVEN),
        ("knowledge/concepts/rye.md", RYE),
    ]);
    vault.days[0].text = DAY.to_owned();
    vault
}

/// Written, read and written again: the pages below the wiki, the days in the journal.
fn again(format: &str, files: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let pairs: Vec<(&str, &str)> = files.iter().map(|(place, text)| (place.as_str(), text.as_str())).collect();
    let (mut pages, mut days, mut sources) = (Vec::new(), Vec::new(), Vec::new());
    let moved: BTreeMap<VaultPath, VaultPath> = pairs
        .iter()
        .map(|(place, _)| (path(place), path(&place.replace("memory/", "daily/"))))
        .filter(|(_, to)| to.stem().parse::<ken_core::Date>().is_ok())
        .collect();
    let read = received(format, &pairs);
    for item in read.items.into_iter().chain(read.evidence) {
        match item {
            Item::Page { from, place, text } => {
                pages.push((format!("knowledge/{place}"), repointed(&from, &text, &moved)));
            }
            Item::Day { date, text, .. } => days.push(Text { path: path(&format!("daily/{date}.md")), text }),
            Item::Source(mut source) => {
                source.path = path(&format!("raw/{}", source.path));
                sources.push(source);
            }
            other => panic!("{other:?}"),
        }
    }
    let mut vault = of_pairs(&pages);
    (vault.days, vault.sources) = (days, sources);
    write(&vault, format, None)
}

#[test]
fn a_claim_is_an_entry_with_its_state_its_issue_and_its_citations() {
    let files = write(&ours(), "hydraflow", None);
    let folder = "repo_wiki/local/the-bakery-co/patterns";
    let past = &files[&format!("{folder}/0002-issue-42-tokens-live-60-minutes.md")];
    let expected = "---\nid: 0002\ntopic: patterns\nsource_issue: 42\nsource_phase: review\ncreated_at: 2026-05-30T00:00:00+00:00\nstatus: superseded\nsuperseded_by: 0003\ncorroborations: 1\npage: tokens\nsources: [daily/2026-05-30.md]\n---\n\n# Tokens live 60 minutes (#42)\n\nTokens live 60 minutes[^1]\n\nUntil 2026-05-30. Now: Tokens live 15 minutes[^2]\n\n[^1]: daily/2026-05-30.md#L6-L6 bbbbbbbb \"Tokens live 60 minutes\"\n[^2]: daily/2026-05-30.md#L7-L7 aaaaaaaa \"Tokens live 15 minutes\"\n";
    assert_eq!(past, expected);
    let now = files.keys().find(|place| place.contains("/0003-issue-42-tokens-live-15-minutes")).expect("an entry");
    assert!(
        files[now].contains("status: active\ncorroborations: 1\nsupersedes: 0002\npage: tokens\n"),
        "{}",
        files[now]
    );
    assert!(files.values().any(|text| text.contains("page: rye\n---\n\n# Rye bread\n\n## Crust\n\nDark.")));
    assert!(!files.keys().any(|place| place.starts_with("docs/")), "no page of topics where there was none");
}

#[test]
fn entries_and_topic_pages_come_in_and_go_out_byte_for_byte() {
    let entry = "---\r\nid: 0001\r\ntopic: gotchas\r\nsource_issue: 7\r\nsource_phase: plan\r\nstatus: superseded\r\nsuperseded_by: 0002\r\ncorroborations: 3\r\nodd: [a, b]\r\n---\r\n\r\n# Cold\r\n\r\nIt is cold.\r\n";
    let torn = "---\nid: 0001\ntopic: gotchas\nsource_issue: 8\n\n# Torn\n\nA header without an end.\n";
    let page = "# Architecture\n\n## Two controllers\n\nOne heats.\n\n```json:entry\n{\"id\":\"a\",\"topic\":\"architecture\"}\n```\n\n## By hand\n\nNobody may.\n";
    let bom = "\u{feff}---\nid: 0002\ntopic: gotchas\nsource_issue: 9\nstatus: active\n---\n\n# Warm\n\nIt is warm.\n";
    let mut files: BTreeMap<String, String> = [
        ("repo_wiki/acme/oven/gotchas/0001-issue-7-cold.md", entry),
        ("repo_wiki/acme/oven/gotchas/0001-issue-8-torn.md", torn),
        ("repo_wiki/acme/oven/gotchas/0002-issue-9-warm.md", bom),
        ("repo_wiki/acme/oven/gotchas/read-this-first.md", "# Awning\n\nIt is rolled in.\n"),
        ("docs/wiki/architecture.md", page),
    ]
    .map(|(place, text)| (place.to_owned(), text.to_owned()))
    .into();
    let out = again("hydraflow", &files);
    for (place, text) in &files {
        assert_eq!(out.get(place), Some(text), "{place}");
    }
    assert_eq!(out["docs/wiki/testing.md"], "# Testing\n\n_No entries yet._\n");
    let index: serde_json::Value = serde_json::from_str(&out["docs/wiki/index.json"]).expect("JSON");
    assert_eq!(index["topics"]["architecture"], serde_json::json!(["Two controllers"]));
    assert_eq!((&index["total_entries"], index["topics"]["testing"].as_array().map(Vec::len)), (&1.into(), Some(0)));
    assert_eq!(again("hydraflow", &out), out, "a second time changes nothing");
    // An index that is true, and every book, keeps its bytes; one that is not is made again, with what nobody knows kept.
    let mut vault = of_pairs(&[("knowledge/docs/wiki/architecture.md".to_owned(), page.to_owned())]);
    let kept = |name: &str, text: &str| Text { path: path(&format!("docs/wiki/{name}")), text: text.to_owned() };
    let index = "{\"topics\":{\"architecture\":[\"Two controllers\"]},\"total_entries\":1,\"last_lint\":\"x\"}";
    vault.kept = vec![
        kept("index.json", index),
        kept("index.md", "# Mine\n"),
        kept("log.jsonl", "{torn"),
        kept("ingest_dedup.json", "[]"),
    ];
    let out = write(&vault, "hydraflow", None);
    assert_eq!((out["docs/wiki/index.json"].as_str(), out["docs/wiki/index.md"].as_str()), (index, "# Mine\n"));
    assert_eq!((out["docs/wiki/log.jsonl"].as_str(), out["docs/wiki/ingest_dedup.json"].as_str()), ("{torn", "[]"));
    vault.kept[0].text = index.replace("\"total_entries\":1", "\"total_entries\":4");
    let out = write(&vault, "hydraflow", None);
    let again = &out["docs/wiki/index.json"];
    assert!(again.contains("\"total_entries\": 1") && again.contains("\"last_lint\": \"x\""), "{again}");
    files.retain(|place, _| place.starts_with("docs/"));
    files.insert("docs/wiki/gotchas.md".to_owned(), "# Gotchas\n\n_No entries yet._\n".to_owned());
    files.insert("docs/wiki/log.jsonl".to_owned(), "{}".to_owned());
    files.insert("README.md".to_owned(), "# Oven\n".to_owned());
    let pairs: Vec<(&str, &str)> = files.iter().map(|(place, text)| (place.as_str(), text.as_str())).collect();
    let read = received("hydraflow", &pairs);
    assert_eq!((read.items.len(), read.skipped.len()), (1, 2), "{:?}", read.skipped);
    assert!(received("hydraflow", &[("README.md", "# Oven\n")]).refused.is_some());
    // The folder of entries itself may be named.
    let inner = received("hydraflow", &[("acme/oven/gotchas/0001-issue-7-cold.md", entry), ("notes.md", "x")]);
    assert_eq!(inner.items[0].from(), Some(&path("repo_wiki/acme/oven/gotchas/0001-issue-7-cold.md")));
}

#[test]
fn numbers_go_on_behind_those_that_stand_there() {
    let theirs = "---\nid: 0007\ntopic: patterns\nsource_issue: 7\nstatus: active\n---\n\n# Cold\n\nIt is cold.\n";
    let mut vault = ours();
    let mut pages: Vec<PageFacts> = vault.snapshot.pages.clone();
    let place = path("knowledge/repo_wiki/acme/oven/patterns/0007-issue-7-cold.md");
    pages.push(PageFacts::read(&place, theirs.to_owned()));
    vault.snapshot = Snapshot::new(vault.snapshot.layout.clone(), pages, BTreeMap::new());
    let files = write(&vault, "hydraflow", None);
    assert!(
        files.keys().any(|place| place.starts_with("repo_wiki/acme/oven/patterns/0008-issue-42-")),
        "{:?}",
        files.keys()
    );
    assert_eq!(again("hydraflow", &files), files);
}

#[test]
fn a_memory_of_recall_has_days_pages_and_where_they_rest() {
    let files = write(&ours(), "recall", None);
    assert_eq!(files["memory/2026-05-30.md"], DAY);
    let page = &files["memory/wiki/tokens.md"];
    let expected = "---\nname: Tokens\ndescription: Tokens live 15 minutes.\ntype: wiki\ncategory: concept\nslug: tokens\ncreated: \"2026-05-30\"\nupdated: \"2026-05-31\"\nsources:\n  - uri: memory/2026-05-30.md\n    from: 7\n    lines: 1\n    summary: Tokens live 15 minutes\n  - uri: memory/2026-05-30.md\n    from: 6\n    lines: 1\n    summary: Tokens live 60 minutes\nrelated: [oven]\nconfidence: medium\ncontradicts: [rye]\nsupersedes:\n  - source: memory/2026-05-30.md\n    fact: Tokens live 60 minutes\n    supersededOn: \"2026-05-30\"\nanswers_when: [tokens]\nsimilar_high: [oven:2026-05]\nvalidated: 2026-05\n---\n\n# Tokens\n\nTokens live 15 minutes, see [[oven|the oven]] and [[gone]].[^1]\n";
    assert!(page.starts_with(expected), "{page}");
    assert!(page.contains("[^1]: memory/2026-05-30.md#L7-L7 aaaaaaaa"), "{page}");
    assert!(
        files["memory/wiki/rye.md"].contains("sources:\n  - migration:2026-05-31:knowledge/concepts/rye.md\n"),
        "{}",
        files["memory/wiki/rye.md"]
    );
    let index = &files["memory/wiki/index.md"];
    assert!(index.starts_with("---\ntype: wiki-index\ngenerated: \"2026-05-31\"\ntotal: 3\n---\n"), "{index}");
    assert!(index.contains("- [[tokens]] — Tokens live 15 minutes.\n"), "{index}");
    assert_eq!(again("recall", &files), files, "read and written again it is the same");
}

#[test]
fn what_recall_wrote_keeps_every_byte() {
    let page = "---\r\nname: Deck oven\r\ndescription: It is hot.\r\ntype: wiki\r\ncategory: theme\r\nslug: deck-oven\r\ncreated: 2026-04-01\r\nupdated: 2026-04-02\r\nsources:\r\n  - uri: memory/2026-04-01.md\r\n    from: 5\r\n    lines: 3\r\n    summary: 'first: note'\r\n  - memory/2026-04-02.md\r\nsupersedes:\r\n  - source: memory/2026-04-01.md\r\n    fact: It is cold\r\n    supersededOn: 2026-04-02\r\ngrounding:\r\n  verifiedOn: 2026-04-25\r\n  stale: []\r\nscoreBoost: 1.5\r\n---\r\nHot. See [[rye]].\r\n";
    let files: BTreeMap<String, String> = [
        ("memory/2026-04-01.md", "---\ntype: daily\n---\n## 2026-04-01\n\nIt is cold.\n"),
        ("memory/2026-04-02.md", "\u{feff}## 2026-04-02\r\n\r\nIt is hot.\r\n"),
        ("memory/user_anna.md", "---\nname: Anna\ntype: user\n---\nShort answers.\n"),
        ("memory/wiki/deck-oven.md", page),
        ("memory/wiki/old.md", "---\nname: Old\ntype: wiki\ncategory: entity\nredirectTo: deck-oven\nsources: [memory/2026-04-01.md]\n---\n"),
        ("memory/dreams/insights/2026-04-10-heat.md", "---\ntheme: heat\n---\nHeat.\n"),
        ("WISDOM.md", "# Wisdom\n\n- Rest.\n"),
    ]
    .map(|(place, text)| (place.to_owned(), text.to_owned()))
    .into();
    let out = again("recall", &files);
    for (place, text) in &files {
        assert_eq!(out.get(place), Some(text), "{place}");
    }
    assert_eq!(out.len(), files.len() + 1, "and an index: {:?}", out.keys());
    assert_eq!(again("recall", &out), out);
    // Wherever the memory lies in what was named, its own folder included.
    for (base, root) in [("memory/", "memory/WISDOM.md"), ("notes/mine/", "notes/mine/WISDOM.md")] {
        let nested: Vec<(String, &str)> =
            files.iter().map(|(place, text)| (format!("{base}{place}"), text.as_str())).collect();
        let pairs: Vec<(&str, &str)> = nested.iter().map(|(place, text)| (place.as_str(), *text)).collect();
        assert!(pairs.iter().any(|(place, _)| *place == root));
        let from: BTreeSet<String> =
            received("recall", &pairs).items.iter().filter_map(|item| item.from().map(ToString::to_string)).collect();
        assert_eq!(from, files.keys().cloned().collect(), "{base}");
    }
    let inner: Vec<(&str, &str)> =
        files.iter().filter_map(|(place, text)| Some((place.strip_prefix("memory/")?, text.as_str()))).collect();
    assert_eq!(received("recall", &inner).items.len(), files.len() - 1);
    let odd = received(
        "recall",
        &[
            ("memory/2026-4-1.md", "x"),
            ("memory/2026-13-40.md", "x"),
            ("memory/weekly/2026-W14.md", "x"),
            ("memory/2026-04-03.md", "x"),
        ],
    );
    assert_eq!((odd.items.len(), odd.skipped.len()), (1, 1), "{:?}", odd.skipped);
    assert!(received("recall", &[("README.md", "x")]).refused.is_some());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_was_written_once_is_read_and_written_the_same(header in "[-a-z:\\[\\]{}\"'#|> \\n\\t]{0,80}", body in "(\\PC|\n|\r\n|```|json:entry|---|\\[\\[b\\]\\]|\\[\\^1\\]|# |- |~~){0,60}") {
        let owned = format!("---\ntitle: x\nowner: kenning\n{header}\n---\n{body}\n\n[^1]: daily/2026-05-30.md#L1-L1 \"x\"\n");
        let pages = [("knowledge/a.md", owned.as_str()), ("knowledge/b.md", body.as_str())];
        for format in ["hydraflow", "recall"] {
            let first = write(&vault(&pages), format, None);
            let second = again(format, &first);
            prop_assert_eq!(&again(format, &second), &second, "{}", format);
            for (place, text) in first.iter().filter(|(place, _)| !place.ends_with("index.md") && !place.ends_with("index.json")) {
                prop_assert_eq!(second.get(place), Some(text), "{} {}", format, place);
            }
        }
    }
}

#[test]
fn a_statement_that_looks_like_a_fence_hides_no_citation() {
    for text in ["Oven\n[^1]```", "Oven\n[^1]- ```", "A\n- - ```[^1]"] {
        let page = format!("---\ntitle: x\nowner: kenning\n---\n{text}\n\n[^1]: daily/2026-05-30.md#L1-L1 \"x\"\n");
        let first = write(&vault(&[("knowledge/a.md", &page)]), "hydraflow", None);
        assert!(first.contains_key("evidence/daily/2026-05-30.md"), "{first:?}");
        assert_eq!(again("hydraflow", &first), first);
    }
}
