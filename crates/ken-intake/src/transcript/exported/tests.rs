//! Tests of exports: what is taken, where conversations begin, and what hostile files come to.

use std::fs;
use std::path::Path;

use expect_test::{Expect, expect};

use super::*;
use crate::transcript::stored::{head, open, reader_of, transcripts_at};
use crate::transcript::testing::{promises, show};

const CHATGPT: &str = include_str!("../../../tests/fixtures/transcripts/chatgpt/conversations.json");
const CLAUDE: &str = include_str!("../../../tests/fixtures/transcripts/claude-ai/conversations.json");

/// Everything that a file of this text gives, session by session, and what was passed over.
fn read(name: &str, text: &[u8]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join(name);
    fs::write(&file, text).expect("writes");
    let found = transcripts_at(&file);
    let mut out = String::new();
    for transcript in &found.transcripts {
        out.push_str(&read_one(transcript));
    }
    for (reason, n) in found.passed_over {
        out.push_str(&format!("passed over: {reason} {n}\n"));
    }
    out
}

fn read_one(transcript: &Transcript) -> String {
    let mut opened = match open(transcript) {
        Ok(opened) => opened,
        Err(error) => return format!("not opened: {error}\n"),
    };
    let Some(reader) = reader_of(transcript, None, &mut opened).expect("reads") else {
        return "no reader\n".to_owned();
    };
    let head = head(reader, transcript, opened.input.as_mut()).expect("reads");
    opened.input.seek(SeekFrom::Start(0)).expect("goes back");
    let mut records: Vec<Record> = Vec::new();
    let report = reader.read(&mut opened.input, 0, &mut |record| records.push(record)).expect("reads");
    let changed = transcript.changed.map(|at| at.to_string()).unwrap_or_default();
    let mut out = format!("{} {} {changed} {:?}\n", report.agent, head.session.unwrap_or_default(), report.title);
    for record in &records {
        let at = record.at().map(|at| at.to_string()).unwrap_or_default();
        out.push_str(&format!("  {} {at}\n", show(record).replace('\n', "⏎")));
    }
    for (reason, n) in &report.lines_skipped {
        out.push_str(&format!("  {reason} {n}\n"));
    }
    out
}

#[track_caller]
fn check(text: &str, expected: &Expect) {
    expected.assert_eq(&read("conversations.json", text.as_bytes()));
}

#[test]
fn of_a_tree_what_leads_to_its_current_end_is_taken() {
    check(
        CHATGPT,
        &expect![[r#"
        chatgpt 66f0-hours 2026-04-01T10:10:00Z Some("Opening hours")
          User: When should the bakery open on Sundays? 2026-04-01T10:00:01Z
          > browser search("bakery hours") 2026-04-01T10:00:03Z
          Assistant: Others open at eight.⏎⏎I would open at eight too. 2026-04-01T10:00:05Z
          User: We decided to open at nine on Sundays because the oven needs two hours. 2026-04-01T10:06:40Z
          Assistant: Noted: nine on Sundays. 2026-04-01T10:06:41Z
          branch 2
          system 1
          thinking 1
          tool-result 1
        chatgpt 66f0-empty 2026-04-01T10:40:00Z None
    "#]],
    );
}

#[test]
fn conversations_with_claude_are_read_with_what_was_looked_up() {
    check(
        CLAUDE,
        &expect![[r#"
        claude-ai c1a0d3-rye 2026-04-02T09:05:00Z Some("Rye flour")
          User: Where does the rye flour come from? 2026-04-02T09:00:01Z
          > web_search mill in Ghent 2026-04-02T09:00:09Z
          Assistant: From the mill in Ghent. 2026-04-02T09:00:09Z
          User: We buy it by the pallet from now on. 2026-04-02T09:04:00Z
          empty 1
          unknown-type 1
        claude-ai c1a0d3-none 2026-04-02T10:00:00Z None
    "#]],
    );
}

#[test]
fn what_was_written_out_keeps_the_promises_of_every_reader() {
    for (text, reader, expected) in [
        (
            CHATGPT,
            &Exported::CHATGPT,
            expect![[r#"
            66f0-hours | - | - | Opening hours
            User: When should the bakery open on Sundays?
            > browser search("bakery hours")
            Assistant: Others open at eight.

            I would open at eight too.
            User: We decided to open at nine on Sundays because the oven needs two hours.
            Assistant: Noted: nine on Sundays.
            branch 2, system 1, thinking 1, tool-result 1
        "#]],
        ),
        (
            CLAUDE,
            &Exported::CLAUDE,
            expect![[r#"
            c1a0d3-rye | - | - | Rye flour
            User: Where does the rye flour come from?
            > web_search mill in Ghent
            Assistant: From the mill in Ghent.
            User: We buy it by the pallet from now on.
            empty 1, unknown-type 1
        "#]],
        ),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("conversations.json");
        fs::write(&file, text).expect("writes");
        let (found, _) = conversations(&file).expect("reads");
        promises(reader, "conversations.json", &written_out(&found[0]).expect("reads"), &expected);
    }
}

#[test]
fn a_tree_that_leads_into_itself_ends() {
    let node = |id: &str, parent: &str, text: &str| {
        format!(
            r#""{id}":{{"id":"{id}","parent":"{parent}","children":["{parent}"],"message":{{"author":{{"role":"user"}},"content":{{"content_type":"text","parts":["{text}"]}}}}}}"#
        )
    };
    let nodes = [node("a", "b", "One"), node("b", "a", "Two"), node("__proto__", "__proto__", "Self")].join(",");
    let text = format!(r#"[{{"id":"c-1","create_time":1,"current_node":"a","mapping":{{{nodes}}}}}]"#);
    check(
        &text,
        &expect![[r#"
        chatgpt c-1  None
          User: Two 
          User: One 
          branch 1
    "#]],
    );
    let nowhere = text.replace(r#""current_node":"a""#, r#""current_node":"zzz""#);
    check(
        &nowhere,
        &expect![[r#"
        chatgpt c-1  None
          User: Self 
          branch 2
    "#]],
    );
}

#[test]
fn what_is_damaged_or_too_deep_spoils_no_other_conversation() {
    let good = r#"{"uuid":"u-1","name":"Rye","chat_messages":[{"sender":"human","text":"Add rye bread"}]}"#;
    let deep = format!(r#"{{"uuid":"u-2","name":"x","chat_messages":{}{}}}"#, "[".repeat(50_000), "]".repeat(50_000));
    check(
        &format!("[{good},{deep},{{\"uuid\":oops}},{good}"),
        &expect![[r#"
            claude-ai u-1  Some("Rye")
              User: Add rye bread 
            not opened: the conversation is damaged, or nested too deep
            claude-ai u-1  Some("Rye")
              User: Add rye bread 
            passed over: truncated-tail 1
            passed over: unparsable 1
        "#]],
    );
    check(
        "[{\"uuid\":\"a\",\"name\":1,\"chat_messages\":[1,null,{\"sender\":\"human\"}]},7]",
        &expect![[r#"
        claude-ai a  None
          empty 1
          unknown-type 2
        passed over: truncated-tail 1
    "#]],
    );
    let mut bytes = good.as_bytes().to_vec();
    bytes.splice(60..60, [0xff, 0xfe]);
    expect![[r#"
        claude-ai u-1  Some("Rye")
          unknown-type 1
    "#]]
    .assert_eq(&read("conversations.json", &bytes));
}

#[test]
fn a_file_that_changed_since_it_was_listed_is_not_taken_for_what_it_was() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("conversations.json");
    fs::write(&file, CLAUDE).expect("writes");
    let (found, _) = conversations(&file).expect("reads");
    fs::write(&file, CLAUDE.replace("c1a0d3", "f00000")).expect("writes");
    assert!(written_out(&found[0]).is_err());
    fs::write(&file, "").expect("writes");
    assert!(written_out(&found[0]).is_err());
    assert!(!is_export(Path::new("nowhere/conversations.json")));
}
