//! What export and import keep: every claim, one run, other people's files, crashes; in vaults in memory.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use ken_testkit::memfs::{Loss, MemFs};
use proptest::prelude::*;

use super::*;
use crate::compile::CompileOptions;
use crate::engine::Clock;
use crate::in_memory::{NOW, config, engine, engine_with, plant};
use crate::outcome::Trust;

fn path(text: &str) -> VaultPath {
    VaultPath::new(text).expect("inside")
}

fn engine_in(mem: &MemFs, journal: &str) -> Engine {
    let mut config = config();
    config.layout.journal = path(journal);
    engine_with(mem, NOW, config)
}

fn empty() -> MemFs {
    MemFs::new(Path::new("/vault"))
}

/// Every file but those of the store's own, by place.
fn files(mem: &MemFs) -> BTreeMap<String, String> {
    let own = [".kenning/ops", ".kenning/undo", ".kenning/cache", ".kenning/lock", ".kenning/accepted"];
    let files = mem.files().into_iter().filter_map(|(path, bytes)| {
        let name = path.strip_prefix("/vault").ok()?.to_str()?.to_owned();
        let is_told = !own.iter().any(|own| name.starts_with(own)) && name != "knowledge/log.md";
        is_told.then(|| (name, String::from_utf8_lossy(&bytes).into_owned()))
    });
    files.collect()
}

fn jsonl(mem: &MemFs, journal: &str) -> String {
    let format = format_named("jsonl").expect("a format");
    let mut out = engine_in(mem, journal).export(format, &Settings::default()).expect("exports");
    out.files.remove(0).text
}

fn import_in(mem: &MemFs, journal: &str, text: &[u8], trust: Option<Trust>) -> Result<ImportOutcome, Failure> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("backup.jsonl");
    std::fs::write(&file, text).expect("writes");
    let format = format_named("jsonl").expect("a format");
    engine_in(mem, journal).import(format, &file, ImportOptions { trust, dry_run: false })
}

fn import(mem: &MemFs, text: &[u8], trust: Option<Trust>) -> ImportOutcome {
    import_in(mem, "daily", text, trust).expect("imports")
}

fn compile(mem: &MemFs, journal: &str) {
    engine_in(mem, journal).compile(CompileOptions::default()).expect("compiles");
}

fn n_new(done: &ImportOutcome) -> usize {
    done.imported.iter().filter(|one| one.state != ImportState::Unchanged).count()
}

const DAY: &str = "# Daily Log: 2026-05-30

## Sessions

### Session (09:00) - Ovens
<!-- kenning: session=s-1 agent=claude-code project=bakery trust=agent range=0-100 -->

**Decisions Made:**
- We decided that the [[stone-oven]] is heated at five.
- The [[stone-oven]] limit is 200 degrees.

**Lessons Learned:**
- The [[stone-oven]] bakes rye first.
";

const NEXT: &str = "# Daily Log: 2026-05-31

## Sessions

### Session (10:00) - Ovens again
<!-- kenning: session=s-2 agent=claude-code project=bakery trust=user -->

**Decisions Made:**
- The [[stone-oven]] limit is now 240 degrees instead of 200 degrees.
- We decided that the [[stone-oven]] is swept on Mondays.

### Session (11:00) - Issue 7, plan: Oven doors
<!-- kenning: trust=user -->

- The [[stone-oven]] gets two doors of steel.
";

const OWN: &str = "\u{feff}---\r\ntitle: Oven care\r\naliases: [care]\r\nodd:\r\n  nested: [1, 2]\r\n---\r\n# Oven care\r\n\r\nSwept.[^1] ~~Old~~\r\n\r\n[^1]: daily/2026-05-30.md#L9-L9 0123abcd \"heated\"\r\n";

/// A vault with a journal, sources of two classes of trust, pages of a person and compiled ones.
fn vault() -> MemFs {
    let mem = empty();
    plant(&mem, "daily/2026-05-30.md", DAY);
    plant(&mem, "daily/2026-05-31.md", NEXT);
    plant(&mem, "raw/mill.md", "# Mill\n\nThe mill in Ghent grinds rye for the stone-oven. It opens at six.\n");
    plant(&mem, "raw/rumour.md", "# Rumour\n\nThe stone-oven is said to be sold to the mill in Ghent.\n");
    let line = |name: &str, text: &str, trust: &str| {
        let digest = ken_core::Digest::of(text.as_bytes());
        format!("{{\"path\":\"raw/{name}\",\"digest\":\"{digest}\",\"trust\":\"{trust}\",\"origin\":\"00aa\"}}\n")
    };
    let mill = line("mill.md", &files(&mem)["raw/mill.md"], "user");
    let rumour = line("rumour.md", &files(&mem)["raw/rumour.md"], "external");
    plant(&mem, ".kenning/sources.jsonl", &(mill + &rumour));
    plant(&mem, "knowledge/concepts/oven-care.md", OWN);
    let ended = "{\"version\":1,\"issue\":7,\"outcome\":\"abandoned\",\"on\":\"2026-06-01\"}\n";
    plant(&mem, ".kenning/issues/7.json", ended);
    compile(&mem, "daily");
    assert!(files(&mem)["knowledge/concepts/stone-oven.md"].contains("stale: issue 7 was abandoned"));
    mem
}

/// What is kept under every roof: the lines of an export but for the first and the last.
fn said(text: &str) -> Vec<&str> {
    let lines: Vec<&str> = text.lines().collect();
    lines[1..lines.len() - 1].to_vec()
}

#[test]
fn what_goes_out_comes_in_byte_for_byte_and_a_second_time_changes_nothing() {
    let (old, new) = (vault(), empty());
    let text = jsonl(&old, "daily");
    let done = import(&new, text.as_bytes(), None);
    assert!(done.is_own && done.trust == Trust::User && done.skipped.is_empty(), "{:?}", done.skipped);
    let mut expected = files(&old);
    expected.remove("knowledge/index.md");
    assert_eq!(files(&new).into_keys().collect::<Vec<_>>(), expected.keys().cloned().collect::<Vec<_>>());
    for (place, text) in &expected {
        assert_eq!(&files(&new)[place], text, "{place}");
    }
    assert!(
        files(&new)[".kenning/sources.jsonl"].contains("\"origin\":\"00aa\""),
        "a copy stays the copy of its document"
    );
    let before = new.fingerprint();
    assert_eq!(n_new(&import(&new, text.as_bytes(), None)), 0);
    assert_eq!(new.fingerprint(), before);
    compile(&new, "daily");
    let compiled = files(&new);
    let own = "knowledge/concepts/oven-care.md";
    for (place, text) in files(&old).iter().filter(|(place, _)| *place != own) {
        assert_eq!(&compiled[place], text, "after a compile: {place}");
    }
}

#[test]
fn claims_follow_their_days_to_another_folder_of_the_journal() {
    let (old, new) = (vault(), empty());
    import_in(&new, "diary", jsonl(&old, "daily").as_bytes(), None).expect("imports");
    let pages = files(&new);
    assert!(pages.contains_key("diary/2026-05-30.md"));
    assert!(pages["knowledge/concepts/oven-care.md"].contains("[^1]: diary/2026-05-30.md#L9-L9"));
    let moved = jsonl(&new, "diary").replace("diary/2026", "daily/2026");
    let claims = |text: &str| {
        let claims = said(text).into_iter().filter(|line| line.starts_with("{\"kind\":\"claim\""));
        // What names a claim holds the place of its citation.
        claims.map(|line| line.split_once("\"page\"").expect("a page").1.to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(claims(&moved), claims(&jsonl(&old, "daily")));
    compile(&new, "diary");
    assert_eq!(engine_in(&new, "diary").lint_kinds(), engine(&old).lint_kinds());
}

impl Engine {
    /// The rules that find errors in the vault.
    fn lint_kinds(&self) -> Vec<String> {
        let found = self.lint(crate::check::LintOptions::default()).expect("lints");
        let errors = found.findings.iter().filter(|one| one.diagnostic.severity == ken_core::Severity::Error);
        errors.map(|one| one.diagnostic.rule.to_string()).collect()
    }
}

#[test]
fn what_is_external_goes_among_the_sources_and_leads_nothing() {
    let (old, new) = (vault(), empty());
    let text = jsonl(&old, "daily");
    // One byte of another's, and it is nobody's of ours.
    let other = text.replace("sold to the mill", "sold by the mill");
    let done = import(&new, other.as_bytes(), None);
    assert!(!done.is_own && done.trust == Trust::External);
    let places: Vec<String> = done.imported.iter().map(|one| one.path.to_string()).collect();
    assert!(!places.is_empty() && places.iter().all(|place| place.starts_with("raw/backup/")), "{places:?}");
    let registered = &files(&new)[".kenning/sources.jsonl"];
    assert!(registered.lines().all(|line| line.contains("\"trust\":\"external\"")), "{registered}");
    compile(&new, "daily");
    let pages: Vec<(String, String)> =
        files(&new).into_iter().filter(|(place, _)| place.contains("/references/")).collect();
    assert!(!pages.is_empty());
    for (place, text) in &pages {
        assert!(text.contains("tldr: Only external sources speak of this"), "{place}: {text}");
    }
    assert_eq!(n_new(&import(&new, other.as_bytes(), None)), 0);
}

#[test]
fn hostile_lines_lead_nowhere_and_spoil_no_other() {
    let begin = "{\"kind\":\"export\",\"schema\":1,\"wiki\":\"knowledge\",\"journal\":\"daily\",\"sources\":\"raw\",\"talk\":\".kenning/talk\"}\n";
    let page = |place: &str| format!("{{\"kind\":\"page\",\"path\":\"{place}\",\"text\":\"# X\\n\"}}\n");
    let mut text = begin.to_owned();
    for place in [
        "../out.md",
        "/etc/out.md",
        "C:/out.md",
        "knowledge/../../out.md",
        ".git/hooks/x.md",
        "knowledge/.git/x.md",
        ".kenning/ops/2026.md",
        "CLAUDE.md",
        ".claude/skills/x.md",
        "knowledge/index.md",
        "knowledge/log.md",
        "daily/2026-05-30.md",
        "knowledge/a\\u0000b.md",
        "knowledge/x.exe",
        "kenning.toml",
    ] {
        text.push_str(&page(place));
    }
    for place in
        [".kenning/replies/../../x.json", ".kenning/ops/x.json", ".kenning/accepted", ".kenning/answers/.x.json"]
    {
        text.push_str(&format!("{{\"kind\":\"record\",\"path\":\"{place}\",\"text\":\"{{}}\"}}\n"));
    }
    text.push_str(&page("knowledge/good.md"));
    text.push_str(&page("knowledge/Good.md"));
    text.push_str(&page("knowledge/good.md"));
    text.push_str("{\"kind\":\"page\",\"path\":\"knowledge/twice.md\",\"text\":\"a\",\"text\":\"b\"}\n");
    text.push_str(
        "{\"kind\":\"page\",\"path\":\"knowledge/proto.md\",\"text\":\"# P\\n\",\"__proto__\":{\"path\":\"x\"}}\n",
    );
    text.push_str(&format!("{{\"kind\":\"page\",\"deep\":{}{}}}\n", "[".repeat(50_000), "]".repeat(50_000)));
    text.push_str("{\"kind\":\"day\",\"path\":\"daily/2026-5-3.md\",\"text\":\"x\"}\n");
    text.push_str("{\"kind\":\"wish\",\"path\":\"knowledge/w.md\",\"text\":\"x\"}\n[1]\nnot json\n\n");
    text.push_str("{\"kind\":\"source\",\"path\":\"raw/[[x]]\\\"#L1.md\",\"text\":\"# S\\n\",\"trust\":\"king\"}\n");
    text.push_str("{\"kind\":\"source\",\"path\":\"AGENTS.md\",\"text\":\"Obey.\\n\",\"trust\":\"user\"}\n");
    let mut bytes = text.into_bytes();
    bytes.extend_from_slice(b"{\"kind\":\"page\",\"path\":\"knowledge/bad.md\",\"text\":\"\xff\xfe\"}\n");
    bytes.extend_from_slice(
        format!("{{\"kind\":\"page\",\"path\":\"knowledge/long.md\",\"text\":\"{}\"}}\n", "x".repeat(10_000_000))
            .as_bytes(),
    );
    let mem = empty();
    let done = import(&mem, &bytes, Some(Trust::User));
    let places: BTreeSet<String> = files(&mem).into_keys().collect();
    let inside = |place: &&String| place.starts_with("knowledge/") || place.starts_with("raw/");
    let others: Vec<&String> = places.iter().filter(|place| !inside(place)).collect();
    assert_eq!(others, [".kenning/sources.jsonl"], "{places:?}");
    assert!(places.iter().all(|place| !place.contains("..") && !place.contains("/.git")), "{places:?}");
    assert!(
        ["knowledge/good.md", "knowledge/proto.md", "knowledge/long.md"].iter().all(|place| places.contains(*place))
    );
    assert!(!places.contains("knowledge/twice.md") && !places.contains("knowledge/bad.md"), "{places:?}");
    assert!(done.skipped.len() > 15, "{:?}", done.skipped);
    assert!(!files(&mem)[".kenning/sources.jsonl"].contains("king"));
    for refused in [
        "",
        "[]",
        "{\"kind\":\"export\"}",
        "{\"kind\":\"export\",\"schema\":2,\"wiki\":\"\",\"journal\":\"\",\"sources\":\"\",\"talk\":\"\"}",
    ] {
        let failure = import_in(&mem, "daily", refused.as_bytes(), None).expect_err("no export");
        assert!(failure.hints.iter().any(|hint| hint.contains("nothing was changed")), "{failure:?}");
    }
}

#[test]
fn a_secret_or_something_hidden_does_not_come_in() {
    let key = format!("ghp_{}", "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3z45");
    let text = jsonl(&vault(), "daily").replace("It opens at six", &format!("The token is {key} and\u{200b} more"));
    for trust in [Trust::User, Trust::External] {
        let mem = empty();
        let done = import(&mem, text.as_bytes(), Some(trust));
        assert!(done.redactions > 0);
        let all = files(&mem);
        assert!(all.values().all(|text| !text.contains(&key) && !text.contains('\u{200b}')));
    }
}

#[test]
fn what_stands_there_stays_and_one_undo_takes_the_rest_back() {
    let mem = empty();
    plant(&mem, "daily/2026-05-30.md", "# Daily Log: 2026-05-30\n\n### Session (08:00) - Mine\n\nMine alone.\n");
    plant(&mem, "knowledge/concepts/oven-care.md", "# My own\n");
    plant(&mem, "raw/mill.md", "# Another mill\n");
    let before = files(&mem);
    let text = jsonl(&vault(), "daily");
    let done = import(&mem, text.as_bytes(), None);
    let after = files(&mem);
    assert!(after["daily/2026-05-30.md"].starts_with(&before["daily/2026-05-30.md"]));
    assert!(after["daily/2026-05-30.md"].contains("is heated at five"));
    assert_eq!(after["knowledge/concepts/oven-care.md"], "# My own\n");
    assert_eq!(after["raw/mill.md"], "# Another mill\n");
    assert!(after.keys().any(|place| place.starts_with("raw/mill-")), "{:?}", after.keys());
    assert!(done.skipped.iter().any(|(place, _)| place.contains("oven-care")), "{:?}", done.skipped);
    assert_eq!(n_new(&import(&mem, text.as_bytes(), None)), 0);
    engine(&mem).undo(None).expect("undoes");
    let now = files(&mem);
    for (place, text) in now.iter().filter(|(place, _)| !place.starts_with("daily/") && !place.starts_with(".kenning"))
    {
        assert_eq!(before.get(place), Some(text), "{place}");
    }
    assert_eq!(now["daily/2026-05-30.md"], after["daily/2026-05-30.md"], "the journal only grows");
}

#[test]
fn a_crash_anywhere_in_an_import_is_made_good_by_importing_again() {
    let text = jsonl(&vault(), "daily");
    let done = empty();
    import(&done, text.as_bytes(), None);
    let (after, n_ops) = (files(&done), done.n_ops());
    for loss in [Loss::Kept, Loss::UnsyncedDropped, Loss::LastWriteTorn] {
        for n in (1..=n_ops).step_by(3) {
            let mem = empty();
            mem.crash_at(n);
            let _ = import_in(&mem, "daily", text.as_bytes(), None);
            let mem = mem.after_crash(loss);
            drop(engine(&mem).lock("test").expect("recovers"));
            let now = files(&mem);
            let is_days = now.keys().all(|place| place.starts_with("daily/"));
            assert!(now == after || is_days, "crash at {n}, {loss:?}: {:?}", now.keys());
            import(&mem, text.as_bytes(), None);
            assert_eq!(files(&mem), after, "again after a crash at {n}, {loss:?}");
        }
    }
}

#[test]
fn an_export_goes_nowhere_into_the_vault() {
    let folder = tempfile::tempdir().expect("a folder");
    let keys = ken_store::Keys::of([7; 32]);
    let clock = Clock { now: NOW.parse().expect("a time"), zone: jiff::tz::TimeZone::UTC };
    let root = folder.path().join("vault");
    Engine::init(&root, None, &keys, &clock).expect("a vault");
    let engine = Engine::at(root.clone(), &keys, clock, std::time::Duration::from_secs(5)).expect("opens");
    for inside in [
        ".",
        "knowledge",
        "knowledge/x",
        "daily/x.jsonl",
        "raw/../raw/x",
        ".kenning/x",
        ".git/hooks",
        ".hidden/x",
        "state.md",
        "knowledge/index.md",
        "..",
    ] {
        assert!(engine.why_not_export_to(&root.join(inside)).is_some(), "{inside}");
    }
    for outside in ["site", "docs/llms.txt", "../beside", "../vault-export/x"] {
        assert_eq!(engine.why_not_export_to(&root.join(outside)), None, "{outside}");
    }
}

/// A line of a day about some subject.
fn statement() -> impl Strategy<Value = String> {
    let subject = prop::sample::select(vec!["stone-oven", "rye-bread", "mill", "garden house"]);
    let value = (1_u32..9, prop::sample::select(vec!["limit", "price", "day", "größe"]));
    let way = 0..6_usize;
    (subject, value, way).prop_map(|(subject, (n, what), way)| match way {
        0 => format!("The [[{subject}]] {what} is {n}."),
        1 => format!("The [[{subject}]] {what} is now {n} instead of {}.", n + 1),
        2 => format!("We decided that [[{subject}]] needs {n} \"{what}\" | `x` — at <once> & no later."),
        3 => format!("[[{subject}]] is done by {n}:00, see https://example.org/{what}?a={n}."),
        4 => format!("Nobody knows whether [[{subject}]] has a {what} of {n}."),
        _ => format!("The {subject} no longer has a {what}."),
    })
}

fn day() -> impl Strategy<Value = String> {
    let entry = (0_u32..24, prop::collection::vec(statement(), 1..5), 0..3_usize);
    prop::collection::vec(entry, 1..4).prop_map(|entries| {
        let mut text = String::new();
        for (n, (hour, lines, form)) in entries.into_iter().enumerate() {
            let lines: String = lines.iter().map(|line| format!("- {line}\n")).collect();
            text.push_str(&match form {
                0 => format!("\n### Session ({hour:02}:00) - Part {n}\n<!-- kenning: session=s-{n} trust=agent -->\n\n**Decisions Made:**\n{lines}"),
                1 => format!("\n## {hour:02}:30 Notes\n\n{lines}\n"),
                _ => format!("\n{lines}"),
            });
        }
        text
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_claim_citation_date_or_state_is_lost_on_the_way(
        days in prop::collection::btree_map(1_u32..28, day(), 1..4),
        document in prop::collection::vec(statement(), 0..6),
        own in prop::collection::vec(statement(), 0..3),
    ) {
        let old = empty();
        for (n, text) in &days {
            plant(&old, &format!("daily/2026-05-{n:02}.md"), &format!("# Daily Log: 2026-05-{n:02}\n{text}"));
        }
        if !document.is_empty() {
            plant(&old, "raw/notes/doc ü.md", &format!("# Doc\n\n{}\n", document.join("\n\n")));
        }
        if !own.is_empty() {
            plant(&old, "knowledge/mine.md", &format!("---\ntags: [x]\n---\n# Mine\n\n{}\n", own.join(" ")));
        }
        compile(&old, "daily");
        let text = jsonl(&old, "daily");
        let new = empty();
        let done = import(&new, text.as_bytes(), None);
        prop_assert!(done.skipped.is_empty(), "{:?}", done.skipped);
        let again = jsonl(&new, "daily");
        prop_assert_eq!(said(&again), said(&text));
        compile(&new, "daily");
        let compiled = jsonl(&new, "daily");
        prop_assert_eq!(said(&compiled), said(&text));
        prop_assert_eq!(n_new(&import(&new, text.as_bytes(), None)), 0);
    }
}
