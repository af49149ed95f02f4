//! What every format keeps: the same bytes again, escaped text, budgets, and headers of others.

mod theirs;

use std::collections::{BTreeMap, BTreeSet};

use ken_core::layout::KENNING;
use ken_core::snapshot::{PageFacts, Snapshot};
use ken_core::topic::Topics;
use ken_core::trust::Trust;
use ken_core::{Digest, Layout, Tokens, VaultPath};
use proptest::prelude::*;

use super::*;

fn path(text: &str) -> VaultPath {
    VaultPath::new(text).expect("inside")
}

fn vault(pages: &[(&str, &str)]) -> Vault {
    let pages = pages.iter().map(|(place, text)| PageFacts::read(&path(place), (*text).to_owned())).collect();
    let document = "# Mill\n\nIt grinds rye.\n";
    Vault {
        name: "The Bakery & Co".to_owned(),
        at: "2026-06-01T12:00:00Z".parse().expect("a time"),
        by: "kenning/0.0.0".to_owned(),
        snapshot: Snapshot::new(Layout::new(&KENNING, &path("knowledge")), pages, BTreeMap::new()),
        days: vec![Text {
            path: path("daily/2026-05-30.md"),
            text: "# Daily Log: 2026-05-30\n\n- The oven is hot.\n".into(),
        }],
        sources: vec![Source {
            path: path("raw/mill.md"),
            text: document.to_owned(),
            trust: Trust::External,
            day: None,
            digest: Digest::of(document.as_bytes()),
            origin: None,
            is_adopted: false,
        }],
        talk: Vec::new(),
        records: Vec::new(),
        kept: Vec::new(),
        topics: Topics::default(),
    }
}

fn write(vault: &Vault, format: &str, tokens: Option<usize>) -> BTreeMap<String, String> {
    let writer = format_named(format).and_then(|format| format.write.as_ref()).expect("it is written");
    let out = (writer.run)(vault, &Settings { tokens_max: tokens.map(Tokens) });
    let n_files = out.files.len();
    let files: BTreeMap<String, String> =
        out.files.into_iter().map(|file| (file.path.to_string(), file.text)).collect();
    assert_eq!(files.len(), n_files, "no two files of one name");
    files
}

const OVEN: &str = "---\ntype: concept\ntitle: \"Oven: <b>\\\"hot\\\"</b> ]( & co\"\naliases: [hot box, \"the, oven\"]\ntldr: It bakes | & <keeps>.\nanswers_when: [oven, 12, heat & rye]\nsimilar_high: [rye:2026-05]\nvalidated: 2026-05\ncreated: 2026-05-30\nupdated: 2026-05-30\nowner: kenning\nsources: [daily/2026-05-30.md]\nbody_digest: 00000000\n---\n# Oven\n\nIt bakes [[Rye bread|the | rye]], see [[rye#Crust]], ![[rye]], [it](rye.md#Crust \"t\") and [[nowhere]].[^1] `[[rye]]`\n\n| a | [[rye\\|rye loaf]] |\n|---|---|\n\n[^1]: daily/2026-05-30.md#L3-L3 0123abcd \"The oven is hot.\"\n";
const RYE: &str = "---\r\ntype: Recipe\r\ntitle: Rye bread\r\nodd:\r\n  - deep: {a: [1, 2]}\r\n    more: |\r\n      text\r\ntags: [bread]\r\n---\r\n# Rye bread\r\n\r\n## Crust\r\n\r\nDark. <!-- comment -->\r\n";
const GONE: &str = "---\ntitle: Old shop\nstatus: retired\nstale_reason: It was sold.\n---\n# Old shop\n\nSold.\n";
const PAGES: &[(&str, &str)] =
    &[("knowledge/concepts/oven.md", OVEN), ("knowledge/concepts/rye.md", RYE), ("knowledge/notes/old shop.md", GONE)];

#[test]
fn the_same_vault_gives_the_same_bytes_in_every_format() {
    for format in FORMATS.iter().filter(|format| format.write.is_some()) {
        let (first, again) =
            (write(&vault(PAGES), format.name, Some(500)), write(&vault(PAGES), format.name, Some(500)));
        assert_eq!(first, again, "{}", format.name);
        assert!(first.values().all(|text| !text.is_empty()), "{}", format.name);
        let sign = format.write.as_ref().expect("it is written").sign;
        let has_sign = |text: &String| text.get(..text.len().min(512)).is_none_or(|start| start.contains(sign));
        assert!(first.values().all(has_sign), "{}: what was written is known by its sign", format.name);
    }
}

#[test]
fn links_of_a_bundle_lead_to_its_pages_and_footnotes_to_sources() {
    let page = &write(&vault(PAGES), "okf", None)["concepts/oven.md"];
    let body = "It bakes [the | rye](/concepts/rye.md), see [Rye bread](/concepts/rye.md#Crust), [Rye bread](/concepts/rye.md), [it](/concepts/rye.md#Crust) and [[nowhere]].[^1] `[[rye]]`";
    assert!(page.contains(body), "{page}");
    assert!(
        page.contains("  - resource: daily/2026-05-30.md#L3-L3\n    id: \"1\"\n    last_modified: 2026-05-30\n"),
        "{page}"
    );
    assert!(page.contains("[^1]: daily/2026-05-30.md#L3-L3 0123abcd"), "{page}");
    assert!(!page.contains("owner:") && !page.contains("body_digest"), "{page}");
    let index = &write(&vault(PAGES), "okf", None)["index.md"];
    assert!(index.starts_with("---\nokf_version: \"0.2\"\n---\n# The Bakery & Co\n"), "{index}");
    assert!(
        index.contains("* [Oven: <b>\"hot\"</b> \\]( & co](/concepts/oven.md) - It bakes | & <keeps>.\n"),
        "{index}"
    );
}

/// The pages of a bundle, as a vault that took them in has them.
fn read_back(files: &BTreeMap<String, String>) -> Vec<(String, String)> {
    let incoming: Vec<Incoming> =
        files.iter().map(|(place, text)| Incoming { path: path(place), bytes: text.clone().into_bytes() }).collect();
    let read = format_named("okf").and_then(|format| format.read).expect("it is read");
    let received = read(&incoming);
    assert!(received.skipped.is_empty(), "{:?}", received.skipped);
    let page = |item: Item| match item {
        Item::Page { place, text, .. } => (format!("knowledge/{place}"), text),
        other => panic!("{other:?}"),
    };
    received.items.into_iter().map(page).collect()
}

fn of_pairs(pages: &[(String, String)]) -> Vault {
    let pairs: Vec<(&str, &str)> = pages.iter().map(|(place, text)| (place.as_str(), text.as_str())).collect();
    vault(&pairs)
}

#[test]
fn a_bundle_is_stable_from_the_first_step_on_and_keeps_what_nobody_knows() {
    let first = write(&vault(PAGES), "okf", None);
    let ours = read_back(&first);
    let second = write(&of_pairs(&ours), "okf", None);
    let again = write(&of_pairs(&read_back(&second)), "okf", None);
    assert_eq!(second, again);
    let pages = |files: &BTreeMap<String, String>| -> BTreeMap<String, String> {
        files.iter().filter(|(place, _)| place.contains('/')).map(|(a, b)| (a.clone(), b.clone())).collect()
    };
    assert_eq!(pages(&first), pages(&second));
    let rye = &second["concepts/rye.md"];
    assert!(rye.contains("odd:\n  - deep: {a: [1, 2]}\n    more: |\n      text\n"), "{rye}");
    assert!(rye.contains("type: Recipe\n") && rye.contains("tags: [bread]\n"), "{rye}");
    let gone = ours.iter().find(|(place, _)| place.ends_with("old shop.md")).expect("it is there");
    assert!(gone.1.contains("status: retired\n"), "{}", gone.1);
    assert!(second["notes/old shop.md"].contains("status: deprecated\n"));
}

#[test]
fn version_0_1_becomes_0_2_and_stays() {
    let old = "---\ntype: BigQuery Table\ntitle: Orders\ndescription: One row an order.\nresource: https://example.org/orders\ntimestamp: 2026-05-28T14:30:00Z\ncolumns:\n  - name: id\n    type: {kind: INT64}\n---\n# Schema\n\nSee [customers](/tables/customers.md).\n\n# Citations\n\n[1] [Run book](https://example.org/run)\n";
    let files = BTreeMap::from([
        ("tables/orders.md".to_owned(), old.to_owned()),
        ("index.md".to_owned(), "# Index\n".to_owned()),
        ("drafts/x.md".to_owned(), "no header\n".to_owned()),
        (".okfignore".to_owned(), "# ours\ndrafts/\n".to_owned()),
    ]);
    let ours = read_back(&files);
    assert_eq!(ours.len(), 1);
    assert_eq!(ours[0].1, old.replace("timestamp:", "updated:"));
    let new = write(&of_pairs(&ours), "okf", None);
    let page = &new["tables/orders.md"];
    assert!(page.contains("columns:\n  - name: id\n    type: {kind: INT64}\n"), "{page}");
    assert!(page.contains("type: BigQuery Table\ntitle: Orders\ndescription: One row an order.\n"), "{page}");
    assert!(page.ends_with("# Citations\n\n[1] [Run book](https://example.org/run)\n"), "{page}");
    let again = read_back(&new);
    assert_eq!(write(&of_pairs(&again), "okf", None)["tables/orders.md"], *page);
    let read = format_named("okf").and_then(|format| format.read).expect("it is read");
    let bad = [Incoming { path: path("a.md"), bytes: b"---\ntitle: \xff\n---\n".to_vec() }];
    assert_eq!(read(&bad).skipped[0].1, "it is not UTF-8 text");
    let bare = [Incoming { path: path("a.md"), bytes: b"# A\n".to_vec() }];
    assert!(read(&bare).skipped[0].1.starts_with("its header has no `type`"));
    assert!(read(&[]).refused.is_some());
}

#[test]
fn notes_of_basic_memory_become_pages_with_their_names_and_relations() {
    let note = "---\ntitle: Coffee Brewing\ntype: note\npermalink: drinks/coffee-brewing\ntags:\n- coffee\n---\n\n# Coffee Brewing\n\n## Observations\n\n- [method] Pour over is clear #brewing (slow)\n- [tip] See [[Water]] for more\n\n## Relations\n\n- requires [[Proper Grinding]] (always)\n- relates_to [[beans/Origins|beans]]\n- relates_to [[beans/Origins]]\n- ![[Picture]]\n";
    let read = format_named("basic-memory").and_then(|format| format.read).expect("it is read");
    let take = |name: &str, text: &str| {
        let received = read(&[Incoming { path: path(name), bytes: text.as_bytes().to_vec() }]);
        received.items[0].text().to_owned()
    };
    let page = take("drinks/Coffee.md", note);
    assert!(page.contains("aliases: [coffee-brewing]\nsimilar_mid: [proper-grinding, origins]\n---\n"), "{page}");
    assert!(page.ends_with(note.rsplit_once("---\n").expect("a body").1), "the body stays: {page}");
    assert_eq!(take("drinks/Coffee.md", &page), page, "a second time changes nothing");
    assert_eq!(take("a.md", "# A\n\n- [x] b\n"), "# A\n\n- [x] b\n");
    let files = write(&vault(PAGES), "basic-memory", None);
    let oven = &files["concepts/oven.md"];
    assert!(oven.contains("type: note\npermalink: oven\n"), "{oven}");
    assert!(oven.contains("\n## Observations\n\n- [fact] It bakes the | rye, see rye,"), "{oven}");
    assert!(oven.contains("\n## Relations\n\n- relates_to [[Rye bread]]\n"), "{oven}");
    let bytes = vec![Incoming { path: path("x.md"), bytes: vec![0xff] }];
    assert_eq!(read(&bytes).skipped[0].1, "it is not UTF-8 text");
}

#[test]
fn properties_for_obsidian_are_flat_and_links_name_files() {
    let files = write(&vault(PAGES), "obsidian", None);
    let oven = &files["knowledge/concepts/oven.md"];
    assert!(
        oven.contains(
            "It bakes [[rye|the | rye]], see [[rye#Crust|Rye bread]], ![[rye]], [[rye#Crust|it]] and [[nowhere]]."
        ),
        "{oven}"
    );
    assert!(oven.contains("| a | [[rye\\|rye loaf]] |"), "{oven}");
    assert!(oven.contains("[^1]: [[2026-05-30]], line 3: \"The oven is hot.\"\n"), "{oven}");
    assert!(oven.contains("tags: [oven, heat---rye]\n"), "{oven}");
    assert!(oven.contains("related: [\"[[rye]]\"]\n"), "{oven}");
    assert!(files.contains_key("daily/2026-05-30.md") && !files.contains_key("raw/mill.md"), "only what is cited");
    let rye = &files["knowledge/concepts/rye.md"];
    assert!(!rye.contains("deep:"), "nested values are not properties: {rye}");
    assert!(files.keys().all(|place| !place.starts_with('.')));
    assert!(files["Kenning.base"].starts_with("filters:\n"));
}

#[test]
fn a_list_for_models_stays_within_its_budget_and_says_what_is_left_out() {
    let mut pages: Vec<(String, String)> = (0..60)
        .map(|n| {
            (
                format!("knowledge/concepts/p{n}.md"),
                format!("---\ntitle: Page {n}\ntldr: It says {n} and so on.\n---\n# P\n\nSee [[p0]].\n"),
            )
        })
        .collect();
    pages.push(("knowledge/concepts/gone.md".to_owned(), GONE.to_owned()));
    let vault = of_pairs(&pages);
    for budget in [100, 400, 900, 100_000] {
        let files = write(&vault, "llms", Some(budget));
        for name in ["llms.txt", "llms-full.txt"] {
            // The head alone may cost more than the least of budgets.
            let spent = ken_core::budget::count(&files[name]).0;
            assert!(spent <= budget.max(120), "{name}: {spent} of {budget}");
        }
        let list = &files["llms.txt"];
        let n_rows = list.lines().filter(|line| line.starts_with("- [Page")).count();
        let more = format!("- [Concepts](llms-concepts.txt): {} more", 60 - n_rows);
        assert_eq!(list.contains(&more), n_rows < 60, "{list}");
        assert!(!list.contains("Old shop"), "what is out of use leads nobody");
        let whole = &files["llms-concepts.txt"];
        assert_eq!(whole.lines().filter(|line| line.starts_with("- [Page")).count(), 60);
    }
    assert!(!write(&vault, "llms", None).contains_key("llms-full.txt"), "only within a budget");
    let first = write(&vault, "llms", Some(300));
    assert!(first["llms.txt"].contains("- [Page 0]"), "what most lead to comes first");
}

#[test]
fn a_skill_has_a_name_and_a_description_of_the_size_that_agents_load() {
    let files = write(&vault(PAGES), "skill", None);
    let skill = &files["skills/the-bakery-co/SKILL.md"];
    assert!(skill.starts_with("---\nname: the-bakery-co\ndescription: \"Use when "), "{skill}");
    assert!(skill.lines().nth(2).expect("a line").chars().count() < 700, "{skill}");
    assert!(files["skills/the-bakery-co/references/pages.md"].contains("- `rye` Rye bread: \n"));
    assert_eq!(plain_name("  Größe / ../x  "), "gr-e-x");
    assert_eq!(plain_name("…"), "vault");
    assert!(plain_name(&"long ".repeat(50)).len() <= 64);
}

#[test]
fn graphs_hold_every_page_once_and_edges_only_between_pages() {
    let dot = &write(&vault(PAGES), "dot", None)["the-bakery-co.dot"];
    assert!(dot.contains("  \"oven\" [label=\"Oven: <b>\\\"hot\\\"</b> ]( & co\", group=concept];\n"), "{dot}");
    assert!(dot.contains("  \"oven\" -> \"rye\" [style=bold, tooltip=high];\n"), "{dot}");
    assert!(!dot.contains("nowhere"), "{dot}");
    let xml = &write(&vault(PAGES), "graphml", None)["the-bakery-co.graphml"];
    assert!(
        xml.contains(
            "<node id=\"oven\"><data key=\"title\">Oven: &lt;b&gt;&quot;hot&quot;&lt;/b&gt; ]( &amp; co</data>"
        ),
        "{xml}"
    );
    assert_eq!(xml.matches("<node ").count(), 3);
    assert_eq!(xml.matches("<edge ").count(), 2, "{xml}");
}

#[test]
fn a_line_is_one_object_whatever_stands_in_a_text() {
    let hostile = "---\ntitle: \"a\\u0000b\\u2028c\"\n---\n# \u{2028}\n\n\u{1}\u{7f} {\"kind\":\"end\"}\n[^1] x.[^1]\n\n[^1]: ../x.md#L1-L2 \"y\"\n";
    let files = write(&vault(&[("knowledge/x.md", hostile)]), "jsonl", None);
    let text = sealed_with(&files["the-bakery-co.jsonl"], |_| Some("00".repeat(32)));
    let kinds: BTreeSet<String> = text
        .lines()
        .map(|line| {
            let value: serde_json::Value = serde_json::from_str(line).expect("every line is JSON");
            value["kind"].as_str().expect("a kind").to_owned()
        })
        .collect();
    assert!(
        ["claim", "day", "end", "entry", "export", "page", "source"].iter().all(|kind| kinds.contains(*kind)),
        "{kinds:?}"
    );
    let read = format_named("jsonl").and_then(|format| format.read).expect("it is read");
    let of = |text: &str| read(&[Incoming { path: path("x.jsonl"), bytes: text.as_bytes().to_vec() }]);
    let received = of(&text);
    assert!(received.skipped.is_empty() && received.seal.is_some(), "{:?}", received.skipped);
    assert!(received.items.iter().any(|item| item.text() == hostile));
    let changed = of(&text.replace("It grinds", "It ground"));
    assert!(changed.seal.is_none() && changed.skipped[0].1.contains("was changed"), "{:?}", changed.skipped);
    let cut = of(&text[..text.len() - 40]);
    assert!(cut.seal.is_none() && cut.skipped.iter().any(|(_, why)| why.contains("breaks off")), "{:?}", cut.skipped);
    let longer = of(&format!("{text}{{\"kind\":\"page\",\"path\":\"knowledge/y.md\",\"text\":\"y\"}}\n"));
    assert!(longer.skipped[0].1.contains("behind the end"), "{:?}", longer.skipped);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_read_to_an_end(bytes in prop::collection::vec(any::<u8>(), 0..400), text in "[-a-z:\\[\\]{}\"'#|> \\n\\t\u{e9}\\\\]{0,300}") {
        for format in FORMATS {
            let Some(read) = format.read else { continue };
            for bytes in [bytes.clone(), format!("---\n{text}\n---\n{text}").into_bytes(), format!("{{\"kind\":\"export\",\"schema\":1,\"wiki\":\"k\",\"journal\":\"d\",\"sources\":\"r\",\"talk\":\"t\"}}\n{text}").into_bytes()] {
                let _ = read(&[Incoming { path: path("a/b.md"), bytes }]);
            }
        }
    }

    #[test]
    fn any_page_is_written_in_every_format(header in "[-a-z:\\[\\]{}\"'#|> \\n\\t]{0,120}", body in "[-a-z:\\[\\]()#|!^>`~ \\n\\r\u{e9}\\\\]{0,200}") {
        let text = format!("---\ntitle: x\n{header}\n---\n{body}\n\n[[b|{body}]] [^1]\n\n[^1]: a/b.md#L1-L1 \"{body}\"\n");
        let vault = vault(&[("knowledge/a.md", &text), ("knowledge/b.md", &body)]);
        for format in FORMATS.iter().filter(|format| format.write.is_some()) {
            write(&vault, format.name, Some(200));
        }
        // A bundle that was read back says the same again.
        let first = write(&vault, "okf", None);
        let ours = read_back(&first);
        let second = write(&of_pairs(&ours), "okf", None);
        let third = write(&of_pairs(&read_back(&second)), "okf", None);
        prop_assert_eq!(second, third);
    }
}

/// What a format makes of files.
fn received(format: &str, files: &[(&str, &str)]) -> Received {
    let incoming: Vec<Incoming> =
        files.iter().map(|(place, text)| Incoming { path: path(place), bytes: text.as_bytes().to_vec() }).collect();
    format_named(format).and_then(|format| format.read).expect("it is read")(&incoming)
}

#[test]
fn a_wiki_of_llm_wiki_compiler_cites_copies_by_line_and_its_citations_become_footnotes() {
    let files = write(&vault(PAGES), "llm-wiki-compiler", None);
    let oven = &files["wiki/concepts/oven.md"];
    assert!(oven.contains("^[daily-2026-05-30.md:3-3]") && !oven.contains("[^1]"), "{oven}");
    assert!(oven.contains("sources: [daily-2026-05-30.md]") && oven.contains("[[rye|the   rye]]"), "{oven}");
    let week = "---\ntype: rollup\ntitle: Week\n---\n# Week\n\nSee [[daily/2026-05-30]] and [[daily/2026-05-30|the day]], not [[daily/2026-01-01]].\n";
    let week = &write(&vault(&[("knowledge/week.md", week)]), "llm-wiki-compiler", None)["wiki/concepts/week.md"];
    let cited =
        "See daily/2026-05-30^[daily-2026-05-30.md] and the day^[daily-2026-05-30.md], not [[daily/2026-01-01]].";
    assert!(week.contains(cited), "{week}");
    assert_eq!(files["sources/daily-2026-05-30.md"], "# Daily Log: 2026-05-30\n\n- The oven is hot.\n");
    let page = "---\ntitle: Oven\nkind: entity\ncreatedAt: \"2026-05-30T00:00:00.000Z\"\nodd: {a: [1]}\n---\nHot.^[a.md:2] Big.^[a.md:1-2, a.md:2] Gone.^[b.md:1] Beyond.^[a.md:2-9]\n\n```\n^[a.md:1]\n```\n";
    let read = received(
        "llm-wiki-compiler",
        &[
            ("sources/a.md", "Big it is.\nHot it is.\n"),
            ("wiki/concepts/oven.md", page),
            ("wiki/index.md", "x"),
            (".llmwiki/state.json", "{}"),
        ],
    );
    let texts: Vec<&str> = read.items.iter().map(Item::text).collect();
    let page = texts[1];
    assert_eq!(texts.len(), 2);
    assert!(
        page.starts_with("---\ntitle: Oven\ntype: entity\ncreated: \"2026-05-30T00:00:00.000Z\"\nodd: {a: [1]}\n---\n"),
        "{page}"
    );
    assert!(
        page.contains("Hot.[^s1] Big.[^s2][^s1] Gone.^[b.md:1] Beyond.^[a.md:2-9]\n\n```\n^[a.md:1]\n```\n"),
        "{page}"
    );
    assert!(
        page.contains("[^s1]: sources/a.md#L2-L2 ") && page.contains("\"Hot it is.\"\n[^s2]: sources/a.md#L1-L2 "),
        "{page}"
    );
}

#[test]
fn a_collection_of_qmd_says_what_its_folders_are_and_runs_nothing() {
    let files = write(&vault(PAGES), "qmd", None);
    let config = &files[".qmd/index.yml"];
    assert!(config.starts_with("collections:\n  the-bakery-co:\n    path: .\n"), "{config}");
    assert!(config.contains("      /concepts: \"Pages of The Bakery & Co in concepts: "), "{config}");
    let config = "global_context: x\ncollections:\n  notes:\n    path: ./notes\n    pattern: \"**/*.md\"\n    update: 'rm -rf /'\n    context:\n      \"/\": About bread\n  out:\n    path: ../secret\n  home:\n    path: /etc\n";
    let read = received("qmd", &[(".qmd/index.yml", config), ("notes/a.md", "# A\n"), ("other/b.md", "# B\n")]);
    let from: Vec<String> = read.items.iter().filter_map(|item| item.from().map(ToString::to_string)).collect();
    assert_eq!(from, ["notes/a.md", "notes-contexts.md"]);
    let why: Vec<&str> = read.skipped.iter().map(|(_, why)| why.as_str()).collect();
    assert_eq!(
        why,
        [
            "`rm -rf /` is a command, and was not run",
            "`../secret` is outside of the folder that was named",
            "`/etc` is outside of the folder that was named"
        ]
    );
    assert!(received("qmd", &[("a.md", "x")]).refused.is_some());
}

proptest! {
    #[test]
    fn what_other_tools_wrote_is_read_whatever_it_says(text in "(\\PC|\n|\\^\\[a\\.md:?[0-9,-]*\\]?|  |: |'|\"|---\n){0,40}") {
        for format in FORMATS.iter().filter(|format| format.read.is_some()) {
            received(format.name, &[(".qmd/index.yml", &text), ("sources/a.md", &text), ("wiki/concepts/b.md", &text), ("c.md", &text)]);
            received(format.name, &[("repo_wiki/a/b/c/0001-x.md", &text), ("docs/wiki/d.md", &text), ("docs/wiki/index.json", &text)]);
            received(format.name, &[("memory/wiki/e.md", &text), ("memory/2026-04-01.md", &text), ("memory/memory/user_x.md", &text)]);
        }
    }
}
