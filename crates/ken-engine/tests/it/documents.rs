//! Pages of documents: the same bytes whatever came first, nothing live from code, and no page taken from the journal.

use std::collections::BTreeMap;

use ken_engine::outcome::Trust;

use crate::support::Vault;

const LIMITS: &str = "# Limits\n\nThe limits are set before the server starts. See how [quotas](quotas.md) count.\n\n## Rates\n\nSet it with:\n\n```sh\nserver --rate 10\n```\n\n## Related\n\n| rate | value |\n|---|---|\n| [quotas](quotas.md) | 10 |\n";
const OTHER_LIMITS: &str = "# Limits\n\nThe limits are those of the law, and never ours.\n";
const QUOTAS: &str = "# Quotas\n\nThe quotas are counted by the limits of [rates](ops/limits.md).\n\nTo raise one:\n\n1. Ask the mill\n2. Set it with `server --quota 5`, because nothing else does.\n";
const DAY: &str =
    "# Daily Log: 2026-04-01\n\n### A\n\n**Decisions Made:**\n- The limits were raised to 20 for the spring market.\n";

fn wiki_of(files: &[(&str, &str)]) -> BTreeMap<String, String> {
    let vault = Vault::new();
    files.iter().for_each(|(path, text)| vault.write(path, text));
    vault.compile();
    vault.wiki()
}

/// A long document: several pages.
fn long() -> String {
    let section = |n: usize| {
        let sentence = format!("The limit {n} must be set before the server{n} starts, because it is read once. ");
        format!("## Limit {n}\n\n{}\n", sentence.repeat(40))
    };
    let client = |n: usize| {
        format!("- Client {n} reads `limits.toml`, because it cannot ask the server {n} for it while it starts.\n")
    };
    let clients = format!("## Clients\n\nClients of the server:\n\n{}\n", (0..30).map(client).collect::<String>());
    format!("# Long limits\n\n{clients}{}", (0..24).map(section).collect::<String>())
}

#[test]
fn documents_that_come_and_go_in_any_order_give_the_bytes_of_compiling_everything() {
    let long = long();
    let files = [
        ("raw/limits.md", LIMITS),
        ("daily/2026-04-01.md", DAY),
        ("raw/ops/limits.md", OTHER_LIMITS),
        ("raw/quotas.md", QUOTAS),
        ("raw/long.md", long.as_str()),
    ];
    for start in 0..files.len() {
        let vault = Vault::new();
        let order: Vec<(&str, &str)> = files.iter().cycle().skip(start).take(files.len()).copied().collect();
        for (n, (path, text)) in order.iter().enumerate() {
            vault.write(path, text);
            vault.compile();
            assert_eq!(vault.wiki(), wiki_of(&order[..=n]), "{path} came, number {n} of order {start}");
        }
        for (n, (path, _)) in order.iter().enumerate() {
            vault.remove(path);
            vault.compile();
            assert_eq!(vault.wiki(), wiki_of(&order[n + 1..]), "{path} went, number {n} of order {start}");
        }
    }
}

#[test]
fn a_document_that_nobody_vouches_for_takes_no_page_of_the_journal() {
    let vault = Vault::new();
    let outside = Vault::bare();
    outside.write("limits.md", "# Rate limits\n\nThe rate limits are those of the law, and never ours.\n");
    vault.write(
        "daily/2026-04-01.md",
        "# Daily Log: 2026-04-01\n\n### A\n\n- The rate limits were raised to 20 for the spring market.\n- The rate limits hold for the autumn market, too.\n",
    );
    vault.write("daily/2026-04-02.md", "# Daily Log: 2026-04-02\n\n### B\n\n- The rate limits were lowered again.\n");
    vault.engine().ingest(&[outside.root().join("limits.md")], Trust::External, false).expect("ingests");
    vault.compile();
    let raised = "raised to 20 for the spring market";
    let with_it: Vec<String> =
        vault.wiki().into_values().filter(|text| text.starts_with("---") && text.contains(raised)).collect();
    assert!(!with_it.is_empty());
    assert!(with_it.iter().all(|text| !text.contains("external")), "{with_it:#?}");
}

#[test]
fn no_code_of_a_document_ends_its_fence_or_is_live_behind_it() {
    let codes = [
        "Run it:\n\n    ```\n    ~~~~\n    <img src=https://live.example/a.png>\n",
        "Run it:\n\n```js\nlet a;\n```js\n",
        "Run it:\n\n````\n```\n<img src=https://live.example/a.png>\n````\n",
        "- Run it:\n\n    ```sh\n    a\n        ```\n\n<b onclick=x>Text holds</b> of the runner.\n",
        "Run it:\n\n~~~\n```\n<img src=https://live.example/a.png>\n~~~\n",
        "Run it:\n\n```html\"><img src=https://live.example/a.png>\ncode of it\n```\n",
        "Run it:\n\n```\nnever closed\n~~~\n<img src=https://live.example/a.png>\n",
    ];
    for code in codes {
        let vault = Vault::new();
        vault.write("raw/runner.md", &format!("# Runner\n\nThe runner is what runs.\n\n{code}"));
        vault.compile();
        let page = vault.read("knowledge/references/runner.md");
        let mut fence = 0;
        for line in page.split("\n---\n").nth(1).unwrap_or_default().lines() {
            let n = line.bytes().take_while(|byte| *byte == b'`').count();
            let is_mark = n >= 3 && !line[n..].contains('`');
            match fence {
                0 if is_mark => fence = n,
                _ if is_mark && n >= fence && line.len() == n => fence = 0,
                0 => assert!(!line.contains("<img") || line.contains("\\<img"), "{code}\n{page}"),
                _ => {}
            }
            assert!(!line.starts_with("~~~") || fence > 0, "{code}\n{page}");
        }
        assert_eq!(fence, 0, "{code}\n{page}");
        assert!(page.contains("\n[^1]: raw/runner.md#L"), "{code}\n{page}");
    }
}

#[test]
fn of_an_edited_page_of_a_document_only_what_was_added_is_kept() {
    let vault = Vault::new();
    vault.write("raw/limits.md", LIMITS);
    vault.write("raw/ops/limits.md", OTHER_LIMITS);
    vault.write("raw/quotas.md", QUOTAS);
    vault.write("raw/long.md", &long());
    vault.write("raw/ops/long.md", &long());
    vault.compile();
    let own = "- The limits do not hold on market days.";
    let pages: Vec<String> = vault.wiki().into_keys().filter(|path| path.contains("/references/")).collect();
    assert!(pages.len() > 6, "{pages:?}");
    let is_partial = |path: &&String| vault.read(path).contains(" of 30 items; ");
    assert_eq!(pages.iter().filter(is_partial).count(), 2, "{pages:?}");
    for path in pages {
        let page = vault.read(&path);
        vault.write(&path, &(page + "\n" + own + "\n"));
        vault.compile();
        let journal = vault.read("daily/2026-06-01.md");
        let added: Vec<&str> = journal.lines().filter(|line| line.starts_with("- ")).collect();
        assert!(
            !added.is_empty() && added.iter().all(|line| line.ends_with(own.trim_start_matches("- "))),
            "{path}\n{added:#?}"
        );
        vault.remove("daily/2026-06-01.md");
        vault.compile();
    }
}
