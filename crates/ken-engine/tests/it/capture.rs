//! What capturing promises: every line once, none twice, old bytes a prefix.

use std::fs;
use std::path::Path;

use ken_engine::Note;
use ken_engine::transcript::Transcript;

use crate::support::Vault;

fn turn(role: &str, n: usize, text: &str) -> String {
    format!(
        "{{\"type\":\"{role}\",\"sessionId\":\"s-1\",\"cwd\":\"/x/crumb\",\"timestamp\":\"2026-04-01T10:{n:02}:00Z\",\"message\":{{\"role\":\"{role}\",\"content\":\"{text}\"}}}}\n"
    )
}

fn capture(vault: &Vault, file: &Path) -> ken_engine::outcome::CaptureOutcome {
    vault.engine().capture(&Transcript::file(file), None).expect("captures")
}

#[test]
fn the_same_transcript_adds_nothing_and_a_grown_one_only_what_is_new() {
    let vault = Vault::new();
    let file = vault.root().join("s.jsonl");
    let first = turn("user", 1, "Please make the oven timer ring twice.")
        + &turn("assistant", 2, "The oven timer rings twice because the first ring is easy to miss.");
    fs::write(&file, &first).expect("writes");
    assert_eq!(capture(&vault, &file).entries_added, 1);
    let journal = vault.read("daily/2026-04-01.md");
    assert_eq!(capture(&vault, &file).entries_added, 0);
    assert_eq!(vault.read("daily/2026-04-01.md"), journal);
    fs::write(
        &file,
        first
            + &turn("user", 3, "Now add a snooze button to the oven timer.")
            + &turn("assistant", 4, "We decided to use a snooze of five minutes."),
    )
    .expect("writes");
    assert_eq!(capture(&vault, &file).entries_added, 1);
    let grown = vault.read("daily/2026-04-01.md");
    assert!(
        grown.starts_with(&journal)
            && grown.matches("rings twice").count() == 1
            && grown.contains("snooze of five minutes"),
        "{grown}"
    );
}

fn summary(session: &str, n: usize, text: &str) -> String {
    let of_session = turn("user", n, text).replacen("s-1", session, 1);
    of_session.replacen("{", "{\"isCompactSummary\":true,", 1)
}

const SUMMED: &str = "Summary:\\n- The oven timer rings twice because the first ring is easy to miss\\n- Flour of the Ghent mill is sifted before it goes into the bin";

#[test]
fn a_summary_adds_what_was_not_said_in_the_session_or_the_one_that_it_names() {
    let said = turn("user", 1, "Please make the oven timer ring twice.")
        + &turn("assistant", 2, "The oven timer rings twice because the first ring is easy to miss.");
    let of_mill = "Flour of the Ghent mill is sifted before it goes into the bin (from the agent's summary)";
    for (name, n_twice) in [("s-1", 1), ("s-2", 1), ("s-3", 2)] {
        let vault = Vault::new();
        let file = vault.root().join("s-1.jsonl");
        fs::write(&file, &said).expect("writes");
        capture(&vault, &file);
        // Its own session, another one that names it, and one that names none.
        let names = if name == "s-2" {
            "\\n\\nIf you need specific details from before compaction, read the full transcript at: /x/s-1.jsonl"
        } else {
            ""
        };
        let summed = summary(name, 5, &format!("{SUMMED}{names}"));
        let file = vault.root().join(format!("{name}.jsonl"));
        let before = fs::read_to_string(&file).unwrap_or_default();
        fs::write(&file, before + &summed).expect("writes");
        assert_eq!(capture(&vault, &file).entries_added, 1, "{name}");
        let journal = vault.read("daily/2026-04-01.md");
        assert_eq!(journal.matches("rings twice").count(), n_twice, "{name}: {journal}");
        assert_eq!(journal.matches(of_mill).count(), 1, "{name}: {journal}");
        assert_eq!(capture(&vault, &file).entries_added, 0, "{name}");
        // The file is written anew, with the summary alone.
        fs::write(&file, &summed).expect("writes");
        capture(&vault, &file);
        assert_eq!(vault.read("daily/2026-04-01.md").matches(of_mill).count(), 1, "{name}");
    }
}

#[test]
fn secrets_never_reach_the_journal() {
    let vault = Vault::new();
    let file = vault.root().join("s.jsonl");
    let key = format!("{}{}", "ghp_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8");
    fs::write(&file, turn("user", 1, &format!("Use the token {key} for the deploy script please."))).expect("writes");
    let outcome = capture(&vault, &file);
    assert!(outcome.redactions >= 1 && !vault.read("daily/2026-04-01.md").contains(&key));
    vault.engine().log(&format!("the deploy token is {key}"), Note::default()).expect("logs");
    assert!(!vault.read("daily/2026-06-01.md").contains(&key));
}

#[test]
fn a_document_is_no_transcript_and_the_failure_says_so() {
    let vault = Vault::new();
    let file = vault.root().join("notes.txt");
    fs::write(&file, "just text\n").expect("writes");
    let failure = vault.engine().capture(&Transcript::file(&file), None).expect_err("refused");
    assert!(failure.message.ends_with("is not a transcript of a known agent"), "{failure:?}");
}

#[test]
fn notes_are_appended_to_today() {
    let vault = Vault::new();
    vault.engine().log("We chose rye. It sells.", Note::default()).expect("logs");
    vault.engine().log("- one thing\n- another thing", Note { title: Some("List"), ..Note::default() }).expect("logs");
    let day = vault.read("daily/2026-06-01.md");
    assert!(
        day.contains("### Session (12:00) - We chose rye\n")
            && day.contains("- It sells.\n")
            && day.contains("- another thing\n"),
        "{day}"
    );
}

#[test]
fn ingesting_replaces_its_own_copy_and_nobody_elses_file() {
    let vault = Vault::new();
    let outside = tempfile::tempdir().expect("a temporary folder");
    let guide = outside.path().join("guide.md");
    let ingest = |text: &str| {
        fs::write(&guide, text).expect("writes");
        vault.engine().ingest(std::slice::from_ref(&guide), ken_engine::outcome::Trust::User, false)
    };
    let copy = ingest("One.\n").expect("registers").sources.remove(0).path;
    ingest("Two.\n").expect("registers again");
    assert_eq!(vault.read(copy.as_str()), "Two.\n");
    vault.write(copy.as_str(), "Mine.\n");
    let failure = ingest("Three.\n").expect_err("refused");
    assert!(failure.chain[0].contains("was edited in the vault"), "{failure:?}");
    assert_eq!(vault.read(copy.as_str()), "Mine.\n");
}

#[test]
fn a_file_that_is_written_anew_adds_only_its_new_messages() {
    let vault = Vault::new();
    let file = vault.root().join("c.messages.json");
    let message = |n: u32, role: &str, text: &str| {
        format!(
            "{{\"role\":\"{role}\",\"content\":[{{\"type\":\"text\",\"text\":\"{text}\"}}],\"ts\":177504660{n}000}}"
        )
    };
    let write = |messages: &[String]| {
        let head = "{\"version\":1,\"agent\":\"lead\",\"sessionId\":\"c-1\",\"messages\":[";
        fs::write(&file, format!("{head}{}]}}", messages.join(","))).expect("writes");
    };
    let mut messages = vec![
        message(1, "user", "<user_input>Please make the oven timer ring twice.</user_input>"),
        message(2, "assistant", "The oven timer rings twice because the first ring is easy to miss."),
    ];
    write(&messages);
    assert_eq!((capture(&vault, &file).entries_added, capture(&vault, &file).entries_added), (1, 0));
    messages.push(message(3, "user", "Now add a snooze button to the oven timer."));
    messages.push(message(4, "assistant", "We decided to use a snooze of five minutes."));
    write(&messages);
    assert_eq!(capture(&vault, &file).entries_added, 1);
    let day = vault.read("daily/2026-04-01.md");
    assert!(
        day.matches("rings twice").count() == 1
            && day.contains("snooze of five minutes")
            && day.contains("session=c-1 agent=cline")
            && day.contains("range=2-4"),
        "{day}"
    );
}

#[test]
fn a_session_whose_name_is_written_differently_is_known_again() {
    let vault = Vault::new();
    let file = vault.root().join("my chat, 50%.md");
    let chat = "User: Please make the oven timer ring twice.\n\nAssistant: We decided to ring it twice because once is easy to miss.\n";
    fs::write(&file, chat).expect("writes");
    assert_eq!((capture(&vault, &file).entries_added, capture(&vault, &file).entries_added), (1, 0));
}

#[test]
fn what_a_sub_agent_is_asked_later_was_not_typed_either() {
    let vault = Vault::new();
    let file = vault.root().join("rollout-1.jsonl");
    let line = |n: u32, kind: &str, payload: &str| {
        format!("{{\"timestamp\":\"2026-04-01T10:{n:02}:00Z\",\"type\":\"{kind}\",\"payload\":{payload}}}\n")
    };
    let said = |n: u32, role: &str, text: &str| {
        let content = format!("[{{\"type\":\"text\",\"text\":\"{text}\"}}]");
        line(n, "response_item", &format!("{{\"type\":\"message\",\"role\":\"{role}\",\"content\":{content}}}"))
    };
    let first = line(0, "session_meta", "{\"id\":\"t-1\",\"source\":{\"subagent\":{}}}")
        + &said(1, "user", "Please look for slow ovens in the whole shop.")
        + &said(2, "assistant", "We decided to replace the second oven because it is slow.");
    fs::write(&file, &first).expect("writes");
    capture(&vault, &file);
    let more = said(3, "user", "Please look at the mixers now.")
        + &said(4, "assistant", "We decided to keep the mixers because they are new.");
    fs::write(&file, first + &more).expect("writes");
    capture(&vault, &file);
    let day = vault.read("daily/2026-04-01.md");
    assert!(day.contains("second oven") && day.contains("keep the mixers"), "{day}");
    assert!(!day.contains("Please look"), "{day}");
}

#[test]
fn a_fork_adds_only_what_was_said_in_it_whichever_is_captured_first() {
    let record = |session: &str, n: u32, role: &str, text: &str| {
        format!(
            "{{\"type\":\"{role}\",\"sessionId\":\"{session}\",\"uuid\":\"u-{n}\",\"cwd\":\"/x/crumb\",\"timestamp\":\"2026-04-01T10:{n:02}:00Z\",\"message\":{{\"role\":\"{role}\",\"content\":\"{text}\"}}}}\n"
        )
    };
    let shared = |session: &str| {
        format!("{{\"type\":\"mode\",\"sessionId\":\"{session}\"}}\n")
            + &record(session, 1, "user", "Please make the oven timer ring twice.")
            + &record(session, 2, "assistant", "We decided to ring it twice because once is easy to miss.")
    };
    let parent = shared("parent") + &record("parent", 3, "assistant", "We decided to paint the oven red.");
    let fork = shared("fork") + &record("fork", 4, "assistant", "We decided to paint the mixer blue.");
    let later = fork.replace("\"fork\"", "\"later\"")
        + &record("later", 5, "assistant", "We decided to sell the toaster because nobody uses it.");
    let texts = [("parent", &parent), ("fork", &fork), ("later", &later)];
    let text_of = |name: &str| texts.iter().find(|text| text.0 == name).expect("one of them").1;
    for names in [["parent", "fork", "later"], ["later", "fork", "parent"], ["fork", "later", "parent"]] {
        for is_first_gone in [false, true] {
            let vault = Vault::new();
            for (at, name) in names.iter().enumerate() {
                let file = vault.root().join(format!("{name}.jsonl"));
                fs::write(&file, text_of(name)).expect("writes");
                capture(&vault, &file);
                assert_eq!(capture(&vault, &file).entries_added, 0);
                if is_first_gone && at == 0 {
                    fs::remove_file(&file).expect("it is there");
                }
            }
            let day = vault.read("daily/2026-04-01.md");
            for said in ["ring it twice", "paint the oven", "paint the mixer", "sell the toaster"] {
                assert_eq!(day.matches(&format!("\n- We decided to {said}")).count(), 1, "{names:?} {said}\n{day}");
            }
        }
    }
}

#[test]
fn two_files_of_one_session_that_count_messages_are_both_captured() {
    let vault = Vault::new();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let chat = |says: &[&str]| {
        let message = |(n, text): (usize, &&str)| {
            format!(
                r#"{{"id":"{n}","timestamp":"2026-04-01T10:0{n}:00Z","type":"{}","content":"{text}"}}"#,
                if n % 2 == 0 { "user" } else { "gemini" }
            )
        };
        let messages: Vec<String> = says.iter().enumerate().map(message).collect();
        format!(
            r#"{{"sessionId":"one","projectHash":"h","startTime":"2026-04-01T10:00:00Z","lastUpdated":"2026-04-01T10:00:00Z","messages":[{}]}}"#,
            messages.join(",")
        )
    };
    let write = |name: &str, says: &[&str]| {
        let path = folder.path().join(name);
        fs::write(&path, chat(says)).expect("writes");
        path
    };
    let first = write("session-a.json", &["When do we open?", "We decided to open the shop at seven."]);
    let second = write("session-b.json", &["When do we close?", "We decided to close the shop at six."]);
    capture(&vault, &first);
    capture(&vault, &second);
    let day = vault.read("daily/2026-04-01.md");
    assert!(day.contains("open the shop at seven") && day.contains("close the shop at six"), "{day}");
}
