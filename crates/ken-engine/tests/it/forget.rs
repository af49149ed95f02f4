//! What is forgotten is nowhere in the vault, does not come in again, and nothing else changes.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use ken_engine::outcome::{ForgetOutcome, Holder, Trust};
use ken_engine::search::SearchRequest;
use ken_engine::transcript::Transcript;
use ken_engine::{AskOptions, CompileOptions, FailureKind, ForgetOptions, ForgetTarget, Note};

use crate::support::{Vault, example_days, files};

/// Markers that are planted: one word, one with a digit, several words, one that JSON and addresses write otherwise.
const MARKERS: [&str; 4] = ["Zorblatt", "qx7-blue-oven", "Quillon Vantablack", "Zoë O'Quillby"];

/// The words by which a marker would be found, in small letters.
fn traces_of(marker: &str) -> Vec<String> {
    let lower = marker.to_lowercase();
    vec![lower.replace([' ', '\''], "-"), lower.replace(' ', "%20"), lower]
}

/// Every file of the vault that holds a marker, in its bytes or in its name, git-ignored ones included.
fn holders(vault: &Vault, marker: &str) -> Vec<String> {
    let wanted = traces_of(marker);
    let holds = |(name, bytes): &(String, Vec<u8>)| {
        let text = String::from_utf8_lossy(bytes).to_lowercase();
        wanted.iter().any(|one| text.contains(one) || name.to_lowercase().contains(one))
    };
    files(vault.root()).into_iter().filter(holds).map(|(name, _)| name).collect()
}

/// A session in which the marker is said by both; returns its transcript.
fn session(outside: &Vault, id: &str, day: &str, marker: &str) -> PathBuf {
    let line = |role: &str, text: &str, minute: u32| {
        let message = serde_json::json!({"role": role, "content": text});
        serde_json::json!({"type": role, "sessionId": id, "uuid": format!("{id}-{minute}"), "cwd": "/x/crumb",
            "timestamp": format!("{day}T10:{minute:02}:00Z"), "message": message})
        .to_string()
            + "\n"
    };
    let text = line("user", &format!("Why does the proofing cabinet of {marker} drip?"), 0)
        + &line(
            "assistant",
            &format!("We decided that the proofing cabinet of {marker} gets a new seal, because the old one is worn."),
            1,
        )
        + &line("assistant", "The proofing cabinet must stay closed at night, so that the dough rises.", 2);
    let place = outside.root().join(format!("{id}.jsonl"));
    fs::write(&place, text).expect("writes");
    place
}

/// A vault with a month of work, in which everything that can hold the marker does.
fn planted(marker: &str) -> (Vault, Vault) {
    let (vault, outside) = (Vault::new(), Vault::bare());
    vault.write("kenning.toml", &(vault.read("kenning.toml") + "\nmemory_index = \"MEMORY.md\"\n"));
    for (name, text) in example_days() {
        vault.write(&format!("daily/{name}"), &text);
    }
    vault.compile();
    let engine = vault.engine();
    let transcript = session(&outside, "5e551011-aaaa", "2026-05-30", marker);
    engine.capture(&Transcript::file(&transcript), None).expect("captures");
    engine
        .log(&format!("We decided that {marker} gets the keys of the proofing cabinet."), Note::default())
        .expect("logs");
    let slug = marker.replace([' ', '\''], "-");
    outside.write(
        &format!("contract-{slug}.md"),
        &format!("# The contract with {marker}\n\nThe contract with {marker} ends in May.\n\nThe proofing cabinet belongs to {marker}.\n"),
    );
    engine.ingest(&[outside.root().join(format!("contract-{slug}.md"))], Trust::User, false).expect("ingests");
    vault.compile();
    let page = vault.wiki().into_iter().find(|(_, text)| text.contains("owner: kenning")).expect("a page").0;
    vault.write(
        &page,
        &vault.read(&page).replacen("\n# ", &format!("\nThe order database pleases {marker} too.\n\n# "), 1),
    );
    vault.compile();
    let asked = vault.engine().ask("Who gets the keys of the proofing cabinet?", AskOptions::default()).expect("asks");
    assert!(!asked.is_abstained());
    vault.engine().file_answer(&asked).expect("files");
    let request = SearchRequest { text: format!("{marker} proofing"), n_max: 5, ..SearchRequest::default() };
    vault.engine().search(&request).expect("searches");
    vault.engine().route(&format!("keys of {marker}"), None).expect("routes");
    let json = serde_json::json!({"version": 1, "reply": format!("says \"{marker}\""), "read": []}).to_string();
    for place in [
        "replies/compile/0123456789abcdef-00000000.json",
        "rejected/compile-0123.json",
        "tasks/t1.json",
        "spool/end-0.json",
    ] {
        vault.write(&format!(".kenning/{place}"), &json);
    }
    vault.write(".kenning/costs.jsonl", &format!("{{\"at\":\"2026-05-30T00:00:00Z\",\"call\":\"c\",\"task\":\"{marker}\",\"model\":\"m\",\"state\":\"asked\"}}\n"));
    vault.write(".kenning/cache/hooks.log", &format!("2026-05-30 cannot read {marker}\n"));
    vault.write(".kenning/intent.discarded-1", marker);
    vault.write("reports/lint-2026-05-30.md", &format!("- {marker} is nowhere\n"));
    vault.compile();
    (vault, outside)
}

fn forget(vault: &Vault, target: &ForgetTarget) -> ForgetOutcome {
    vault.engine().forget(target, &ForgetOptions::default()).expect("forgets")
}

fn name(marker: &str) -> ForgetTarget {
    ForgetTarget::Name(marker.to_owned())
}

#[test]
fn a_marker_that_was_planted_anywhere_is_nowhere_after_it_was_forgotten() {
    for marker in MARKERS {
        let (vault, outside) = planted(marker);
        let memory = vault.read("MEMORY.md").to_lowercase();
        assert!(traces_of(marker).iter().any(|one| memory.contains(one)), "the short index has no row of it: {memory}");
        assert!(holders(&vault, marker).len() > 25, "{:#?}", holders(&vault, marker));
        let done = forget(&vault, &name(marker));
        assert_eq!((holders(&vault, marker), done.left), (Vec::<String>::new(), Vec::new()), "{marker}");
        // It survives whatever makes things again.
        vault.engine().compile(CompileOptions { all: true, ..CompileOptions::default() }).expect("compiles");
        vault.remove(".kenning/cache");
        vault.compile();
        assert_eq!(holders(&vault, marker), Vec::<String>::new(), "{marker}");
        // And what it came from is not read again, with the cache or without it.
        let transcript = outside.root().join("5e551011-aaaa.jsonl");
        vault.engine().capture(&Transcript::file(&transcript), None).expect("captures");
        let documents: Vec<PathBuf> = files(outside.root())
            .keys()
            .filter(|name| name.ends_with(".md"))
            .map(|name| outside.root().join(name))
            .collect();
        let refused =
            vault.engine().ingest(&documents, Trust::User, false).expect_err("there is nothing else to register");
        assert!(refused.chain.iter().any(|why| why.contains("it was forgotten on 2026-06-01")), "{refused:?}");
        vault.compile();
        assert_eq!(holders(&vault, marker), Vec::<String>::new(), "{marker}");
        assert_eq!(vault.engine().history(99, true).expect("reads").damage, Vec::<String>::new());
        assert!(forget(&vault, &name(marker)).rows.is_empty(), "a second time there is nothing to do");
    }
}

#[test]
fn a_pattern_a_session_a_day_a_source_and_a_page_leave_no_marker_either() {
    for (n, marker) in MARKERS.into_iter().enumerate() {
        let (vault, outside) = (Vault::new(), Vault::bare());
        for (name, text) in example_days() {
            vault.write(&format!("daily/{name}"), &text);
        }
        vault.compile();
        outside.write(
            "contract.md",
            &format!("# The contract with {marker}\n\nThe contract with {marker} ends in May, and the mill waits.\n"),
        );
        let target = match n {
            0 => {
                let place = session(&outside, "5e551011-aaaa", "2026-05-30", marker);
                vault.engine().capture(&Transcript::file(&place), None).expect("captures");
                ForgetTarget::Session("5e551011".to_owned())
            }
            1 => {
                vault
                    .engine()
                    .log(&format!("We decided that {marker} gets the keys of the mill."), Note::default())
                    .expect("logs");
                ForgetTarget::Days("2026-06-01".parse().expect("a day"), "2026-06-01".parse().expect("a day"))
            }
            2 => {
                vault.engine().ingest(&[outside.root().join("contract.md")], Trust::User, false).expect("ingests");
                ForgetTarget::Source(outside.root().join("contract.md"))
            }
            _ => {
                vault.write("knowledge/notes.md", &format!("# Notes on {marker}\n\nThe mill of {marker} is old.\n"));
                ForgetTarget::Page("notes".to_owned())
            }
        };
        vault.compile();
        let request = SearchRequest { text: format!("{marker} keys"), n_max: 5, ..SearchRequest::default() };
        vault.engine().search(&request).expect("searches");
        let json = serde_json::json!({"version": 1, "reply": format!("says {marker}"), "read": []}).to_string();
        vault.write(".kenning/replies/compile/0123456789abcdef-00000000.json", &json);
        vault.write("reports/lint-2026-05-30.md", &format!("- {marker} is nowhere\n"));
        assert!(holders(&vault, marker).len() >= 5, "{target:?}: {:#?}", holders(&vault, marker));
        let done = forget(&vault, &target);
        assert_eq!((holders(&vault, marker), done.left), (Vec::<String>::new(), Vec::new()), "{target:?}");
    }
}

#[test]
fn a_pattern_covers_what_it_matches_and_nothing_else() {
    let (vault, _outside) = planted("Zorblatt");
    let before = vault.read("daily/2026-05-30.md");
    let done = forget(&vault, &ForgetTarget::Pattern("(?i)zor[a-z]+".to_owned()));
    assert_eq!((holders(&vault, "Zorblatt"), done.left), (Vec::<String>::new(), Vec::new()));
    assert_eq!(vault.read("daily/2026-05-30.md"), before.replace("Zorblatt", "[redacted:forgotten]"));
}

#[test]
fn nothing_else_changes() {
    let (vault, outside) = (Vault::new(), Vault::bare());
    for (name, text) in example_days() {
        vault.write(&format!("daily/{name}"), &text);
    }
    vault.write("raw/mill.md", "# The mill\n\nThe mill grinds rye on Mondays.\n");
    vault.write("knowledge/mine.md", "# Mine\n\nMy own page about the mill.\n");
    vault.compile();
    let everything = |vault: &Vault| -> BTreeMap<String, Vec<u8>> {
        let mut all = files(vault.root());
        all.retain(|name, _| !name.starts_with(".kenning/") && name != "knowledge/log.md");
        all
    };
    let before = everything(&vault);
    let place = session(&outside, "5e551011-aaaa", "2026-05-30", "Zorblatt");
    vault.engine().capture(&Transcript::file(&place), None).expect("captures");
    vault.compile();
    assert_ne!(everything(&vault), before);
    forget(&vault, &ForgetTarget::Session("5e551011-aaaa".to_owned()));
    let mut after = everything(&vault);
    let day = after.remove("daily/2026-05-30.md").expect("the day stays, with its lines");
    assert_eq!(
        String::from_utf8(day).expect("text").split_whitespace().collect::<Vec<_>>(),
        ["#", "Daily", "Log:", "2026-05-30", "##", "Sessions", "###", "[redacted:forgotten]"]
    );
    assert_eq!(after, before);
}

#[test]
fn a_forgotten_session_stays_forgotten_until_the_user_says_otherwise() {
    let (vault, outside) = (Vault::new(), Vault::bare());
    let place = session(&outside, "5e551011-aaaa", "2026-05-30", "Zorblatt");
    let capture = || vault.engine().capture(&Transcript::file(&place), None).expect("captures");
    assert!(capture().entries_added > 0);
    let target = ForgetTarget::Session("5e551011-aaaa".to_owned());
    forget(&vault, &target);
    for without_cache in [false, true] {
        if without_cache {
            vault.remove(".kenning/cache");
        }
        let again = capture();
        assert!(again.forgotten.is_some() && again.entries_added == 0, "{again:?}");
        assert_eq!(holders(&vault, "Zorblatt"), Vec::<String>::new());
    }
    // What is said in it later is of it too.
    let more = fs::read_to_string(&place).expect("reads").replace("10:0", "11:0").replace("aaaa-", "aaaa-9");
    fs::write(&place, fs::read_to_string(&place).expect("reads") + &more).expect("writes");
    assert!(capture().forgotten.is_some());
    assert!(vault.engine().allow_again(&target).expect("allows"));
    assert!(!vault.engine().allow_again(&target).expect("there is nothing to allow"));
    assert!(capture().entries_added > 0);
    assert!(!holders(&vault, "Zorblatt").is_empty());
}

#[test]
fn a_forgotten_day_does_not_come_back_from_transcripts_and_what_follows_does() {
    let (vault, outside) = (Vault::new(), Vault::bare());
    let place = session(&outside, "5e551011-aaaa", "2026-05-30", "Zorblatt");
    vault.engine().capture(&Transcript::file(&place), None).expect("captures");
    let day = "2026-05-30".parse().expect("a day");
    forget(&vault, &ForgetTarget::Days(day, day));
    // A session of that day that was never captured, and the known one without the cache, which went on.
    let other = session(&outside, "07e4aaaa-bbbb", "2026-05-30", "Zorblatt");
    vault.remove(".kenning/cache");
    let later = session(&outside, "later", "2026-05-31", "Brimble");
    let more = fs::read_to_string(&later).expect("reads").replace("\"later", "\"5e551011-aaaa");
    fs::write(&place, fs::read_to_string(&place).expect("reads") + &more).expect("writes");
    for path in [&other, &place] {
        vault.engine().capture(&Transcript::file(path), None).expect("captures");
    }
    assert_eq!(holders(&vault, "Zorblatt"), Vec::<String>::new());
    assert!(vault.read("daily/2026-05-31.md").contains("Brimble"));
}

#[test]
fn a_forgotten_document_is_not_registered_again_under_any_name() {
    let (vault, outside) = (Vault::new(), Vault::bare());
    let text = "# Contract\n\nThe contract with Zorblatt ends in May.\n";
    outside.write("contract.md", text);
    let ingest = |name: &str| vault.engine().ingest(&[outside.root().join(name)], Trust::User, false);
    ingest("contract.md").expect("ingests");
    let place = "raw/".to_owned() + &vault.files_below("raw")[0]["raw/".len()..];
    let target = ForgetTarget::Source(PathBuf::from(&place));
    let done = forget(&vault, &target);
    assert_eq!((done.counts()[&Holder::Source], vault.files_below("raw").len()), (1, 0));
    outside.write("copy.md", text);
    assert!(ingest("contract.md").is_err() && ingest("copy.md").is_err());
    outside.write("contract.md", &text.replace("May", "June"));
    assert!(ingest("contract.md").is_err(), "a newer version is the same document");
    assert!(vault.engine().allow_again(&target).expect("allows"));
    ingest("contract.md").expect("ingests");
}

#[test]
fn a_filed_answer_that_rests_on_something_else_stays() {
    let (vault, outside) = (Vault::new(), Vault::bare());
    vault.engine().log("The rent of the hall is 2,400 euros.", Note::default()).expect("logs");
    // Words that are names of fields of a record as well.
    outside
        .write("cleaning.md", "# Cleaning\n\nFirst the answer: why asked, then day by day a digest, a slug, null.\n");
    vault.engine().ingest(&[outside.root().join("cleaning.md")], Trust::User, false).expect("ingests");
    vault.compile();
    let asked = vault.engine().ask("What is the rent of the hall?", AskOptions::default()).expect("asks");
    vault.engine().file_answer(&asked).expect("files");
    let place = vault.files_below("raw").remove(0);
    let done = forget(&vault, &ForgetTarget::Source(PathBuf::from(place)));
    assert_eq!(done.counts().get(&Holder::Answer), None, "{:?}", done.rows);
    assert_eq!(vault.files_below("knowledge/qa").len(), 1);
}

#[test]
fn a_persons_page_is_left_and_named_until_it_is_asked_for() {
    let vault = Vault::new();
    vault.write("knowledge/notes.md", "# Notes\n\nZorblatt called.\n");
    vault.write("src/main.rs", "// for Zorblatt\n");
    vault.write("daily/2026-05-30.md", "# Day\n\n- Zorblatt called twice.\n");
    let done = forget(&vault, &name("Zorblatt"));
    let left: Vec<(&str, Option<usize>)> = done.left.iter().map(|left| (left.path.as_str(), left.line)).collect();
    assert_eq!(left, [("knowledge/notes.md", Some(3)), ("src/main.rs", Some(1))]);
    let options = ForgetOptions { also: vec![vault.root().join("knowledge")], ..ForgetOptions::default() };
    let done = vault.engine().forget(&name("Zorblatt"), &options).expect("forgets");
    assert_eq!(vault.read("knowledge/notes.md"), "# Notes\n\n[redacted:forgotten] called.\n");
    assert_eq!(holders(&vault, "Zorblatt"), ["src/main.rs"]);
    assert_eq!(done.left.len(), 1);
}

#[test]
fn a_dry_run_changes_nothing_and_says_what_would_go() {
    let (vault, _outside) = planted("Zorblatt");
    let all = |vault: &Vault| {
        let mut all = files(vault.root());
        all.retain(|name, _| !name.ends_with("read.bin"));
        all
    };
    let before = all(&vault);
    let dry = vault
        .engine()
        .forget(&name("Zorblatt"), &ForgetOptions { dry_run: true, ..ForgetOptions::default() })
        .expect("says");
    assert_eq!(all(&vault), before);
    let done = forget(&vault, &name("Zorblatt"));
    assert_eq!(dry.rows, done.rows);
    assert!(dry.is_dry_run && !done.is_dry_run);
}

#[test]
fn nothing_that_others_wrote_into_the_list_holds_here() {
    let (vault, outside) = (Vault::new(), Vault::bare());
    let place = session(&outside, "5e551011-aaaa", "2026-05-30", "Zorblatt");
    vault.engine().capture(&Transcript::file(&place), None).expect("captures");
    let target = ForgetTarget::Session("5e551011-aaaa".to_owned());
    forget(&vault, &target);
    let list = vault.read(".kenning/forgotten.jsonl");
    assert!(!list.to_lowercase().contains("zorblatt") && !list.contains("5e551011"), "{list}");
    for spoilt in [
        list.replacen("null", "7", 1),
        list.replacen("\"seal\":\"", "\"seal\":\"0", 1),
        "{}\nx\n\u{0}".to_owned(),
        String::new(),
    ] {
        vault.write(".kenning/forgotten.jsonl", &spoilt);
        let again = vault.engine().capture(&Transcript::file(&place), None).expect("captures");
        assert!(again.forgotten.is_none(), "{spoilt}");
        vault.write(".kenning/forgotten.jsonl", &list);
    }
}

#[test]
fn what_cannot_be_meant_is_refused_and_nothing_changes() {
    let (vault, _outside) = planted("Zorblatt");
    let before = files(vault.root()).len();
    let refused =
        |target: ForgetTarget| vault.engine().forget(&target, &ForgetOptions::default()).expect_err("refused");
    assert_eq!(refused(ForgetTarget::Pattern("e".to_owned())).kind, FailureKind::Refused);
    for target in [
        ForgetTarget::Pattern("(".to_owned()),
        ForgetTarget::Pattern(".*".to_owned()),
        ForgetTarget::Name("ab".to_owned()),
        ForgetTarget::Session("nobody".to_owned()),
        ForgetTarget::Source(PathBuf::from("raw/none.md")),
        ForgetTarget::Page("no-such-page".to_owned()),
        ForgetTarget::Source(PathBuf::from("../../etc/passwd")),
        ForgetTarget::Source(PathBuf::from(".kenning/sources.jsonl")),
        ForgetTarget::Source(PathBuf::from("daily/2026-05-30.md")),
        ForgetTarget::Source(PathBuf::from("kenning.toml")),
    ] {
        let shown = format!("{target:?}");
        let failure = refused(target);
        assert!(
            failure.hints.iter().any(|hint| hint.contains("nothing was changed"))
                || failure.kind == FailureKind::Refused,
            "{shown}: {failure:?}"
        );
    }
    assert!(files(vault.root()).len() <= before + 1, "the routing table that was read may be new");
}

#[test]
fn a_marker_in_one_place_alone_is_found_there() {
    let marker = "Zorblatt";
    let op = r#"{"id":"000009","at":"2026-04-01T00:00:00Z","kind":"k","subject":"a Zorblatt","inputs":[],"edits":[{"path":"knowledge/entities/zorblatt-x.md","before":null,"after":null,"append":false}],"prev":null}"#;
    for place in [
        "daily/2026-05-30.md",
        "daily/2026-05-30.md.conflict-000003",
        "raw/notes.txt",
        "raw/data.csv",
        "raw/zorblatt/zorblatt.md",
        "knowledge/log.md",
        "reports/x.md",
        ".kenning/talk/2026-05/30-claude-code-x-000000.md",
        "sessions/2026-05/30-claude-code-x-000000.md",
        ".kenning/undo/000000",
        ".kenning/cache/search-1.seg",
        ".kenning/cache/transcripts.json",
        ".kenning/cache/.ken-1-x",
        ".kenning/spool/x.json",
        ".kenning/answers/who-is-zorblatt.json",
        ".kenning/replies/judge/1-2.json",
        ".kenning/rejected/x.json",
        ".kenning/intent.damaged",
        ".kenning/ops/2025-01.jsonl",
        ".kenning/sources.jsonl",
    ] {
        let vault = Vault::new();
        vault.write("daily/2026-05-29.md", "# Day\n\n- The oven is hot.\n");
        vault.compile();
        let text = match place {
            ".kenning/ops/2025-01.jsonl" => format!("{op}\n"),
            ".kenning/sources.jsonl" => {
                "{\"path\":\"raw/Zorblatt.md\",\"digest\":\"0\",\"trust\":\"user\"}\n".to_owned()
            }
            place if place.ends_with(".json") => "{\"a\":[\"say \\\"Zorblatt\\\"\"]}".to_owned(),
            _ => format!("# A\n\n- {marker} is here.\n"),
        };
        vault.write(place, &text);
        let n_operations = vault.engine().history(99, true).expect("reads").rows.len();
        let done = forget(&vault, &name(marker));
        let left = holders(&vault, marker);
        assert_eq!(left, Vec::<String>::new(), "{place}: {done:#?}");
        assert!(!done.rows.is_empty() && done.left.is_empty(), "{place}: {:#?}", done.left);
        assert!(vault.engine().history(99, true).expect("reads").rows.len() > n_operations, "the records still read");
    }
}

#[test]
fn what_a_merge_brings_back_is_taken_out_by_the_next_compile() {
    let (vault, outside) = (Vault::new(), Vault::bare());
    let place = session(&outside, "5e551011-aaaa", "2026-05-30", "Zorblatt");
    vault.engine().capture(&Transcript::file(&place), None).expect("captures");
    vault.engine().log("The oven is hot.", Note::default()).expect("logs");
    outside.write("contract.md", "# Contract\n\nThe contract with Zorblatt ends in May.\n");
    vault.engine().ingest(&[outside.root().join("contract.md")], Trust::User, false).expect("ingests");
    vault.compile();
    let source = vault.files_below("raw")[0].clone();
    let saved: Vec<(String, String)> = ["daily/2026-05-30.md", source.as_str(), &vault.files_below(".kenning/talk")[0]]
        .into_iter()
        .map(|path| (path.to_owned(), vault.read(path)))
        .collect();
    forget(&vault, &ForgetTarget::Session("5e551011-aaaa".to_owned()));
    forget(&vault, &ForgetTarget::Source(PathBuf::from(&source)));
    assert_eq!(holders(&vault, "Zorblatt"), Vec::<String>::new());
    let wiki = vault.wiki();
    for (path, text) in &saved {
        vault.write(path, text);
        // A backup brings files back with their old times.
        let old = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_700_000_000);
        let file = fs::File::options().write(true).open(vault.root().join(path)).expect("opens");
        file.set_modified(old).expect("sets the time");
    }
    let by_hand = "\n### Session (09:00) - By hand\n\n- Brimble called about the oven.\n";
    vault.write("daily/2026-05-30.md", &(saved[0].1.clone() + by_hand));
    let engine = vault.engine();
    engine.compile(CompileOptions::default()).expect("compiles");
    assert!(engine.notices().iter().any(|notice| notice.contains("had come back")));
    assert_eq!(holders(&vault, "Zorblatt"), Vec::<String>::new());
    assert!(vault.read("daily/2026-05-30.md").ends_with(by_hand), "what a person wrote stays");
    assert_eq!(vault.wiki().keys().collect::<Vec<_>>(), wiki.keys().collect::<Vec<_>>());
    let engine = vault.engine();
    engine.compile(CompileOptions::default()).expect("compiles");
    assert_eq!(engine.notices(), Vec::<String>::new());
}

#[test]
fn a_fork_of_a_forgotten_session_brings_only_what_is_its_own() {
    let (vault, outside) = (Vault::new(), Vault::bare());
    let place = session(&outside, "5e551011-aaaa", "2026-05-30", "Zorblatt");
    vault.engine().capture(&Transcript::file(&place), None).expect("captures");
    forget(&vault, &ForgetTarget::Session("5e551011-aaaa".to_owned()));
    // The fork begins with copies, which keep their names, and goes on by itself.
    let copied = fs::read_to_string(&place)
        .expect("reads")
        .replace("\"sessionId\":\"5e551011-aaaa\"", "\"sessionId\":\"f0f0f0f0-bbbb\"");
    let own = fs::read_to_string(session(&outside, "f0f0f0f0-bbbb", "2026-05-31", "Brimble")).expect("reads");
    let fork = outside.root().join("f0f0f0f0-bbbb.jsonl");
    fs::write(&fork, copied + &own).expect("writes");
    for _ in 0..2 {
        vault.engine().capture(&Transcript::file(&fork), None).expect("captures");
        assert_eq!(holders(&vault, "Zorblatt"), Vec::<String>::new());
        assert_eq!(vault.read("daily/2026-05-31.md").matches("### Session").count(), 1);
        vault.remove(".kenning/cache");
    }
}
