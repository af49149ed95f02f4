//! Tests of finding and opening: folders, OpenCode's storage and its database.

use std::fs;

use super::*;
use crate::transcript::Record;
use crate::transcript::testing::show;

const BAKERY: &str = include_str!("../../../tests/fixtures/transcripts/bakery.jsonl");

fn write(root: &Path, path: &str, text: &str) {
    let file = root.join(path);
    fs::create_dir_all(file.parent().expect("a folder")).expect("makes folders");
    fs::write(file, text).expect("writes");
}

/// Shows what stands at a place, relative to it, and what was passed over.
#[track_caller]
fn check(root: &Path, expected: &[&str]) {
    let found = transcripts_at(root);
    let place = |transcript: &Transcript| {
        let path = transcript.path.strip_prefix(root).expect("below the place").to_string_lossy().replace('\\', "/");
        transcript.session.as_ref().map_or(path.clone(), |session| format!("{path} {session}"))
    };
    let mut shown: Vec<String> = found.transcripts.iter().map(place).collect();
    shown.extend(found.passed_over.iter().map(|(reason, n)| format!("{reason} {n}")));
    assert_eq!(shown, expected);
}

fn read(transcript: &Transcript) -> (Vec<String>, ReadReport) {
    let mut opened = open(transcript).expect("opens");
    let reader = reader_of(transcript, None, &mut opened).expect("reads").expect("a reader");
    let head = head(reader, transcript, opened.input.as_mut()).expect("reads");
    opened.input.seek(SeekFrom::Start(0)).expect("goes back");
    let mut records: Vec<Record> = Vec::new();
    reader.read(&mut opened.input, 0, &mut |record| records.push(record)).expect("reads");
    (records.iter().map(show).collect(), head)
}

#[test]
fn a_folder_gives_its_transcripts_and_counts_the_rest() {
    let root = tempfile::tempdir().expect("a folder");
    write(root.path(), "a/s-1.jsonl", BAKERY);
    write(root.path(), "a/s-1/subagents/agent-x.meta.json", "{\"agentType\":\"explore\"}");
    write(root.path(), "a/empty.jsonl", "\n");
    write(root.path(), "b/notes.md", "# Recipes\n\nBake.\n");
    write(root.path(), "b/old.jsonl.zst", "\u{28}");
    fs::write(root.path().join("b/old.jsonl.zst"), b"\x28\xb5\x2f\xfd....").expect("writes");
    write(root.path(), ".git/config.jsonl", BAKERY);
    write(root.path(), "c/subagents/d.jsonl", "{\"role\":\"user\",\"message\":{\"content\":[]}}\n");
    check(root.path(), &["a/s-1.jsonl", "companion 1", "compressed 1", "empty 1", "sub-agent 1", "unknown 1"]);
    check(&root.path().join("a/s-1.jsonl"), &[""]);
}

fn storage_at(root: &Path) {
    write(root, "storage/session/p/ses_1.json", r#"{"id":"ses_1","directory":"/x/bakery","title":"Rye"}"#);
    write(root, "storage/message/ses_1/m2.json", r#"{"id":"m2","role":"assistant","time":{"created":2000}}"#);
    write(root, "storage/message/ses_1/m1.json", r#"{"id":"m1","role":"user","time":{"created":1000}}"#);
    write(root, "storage/part/m1/p1.json", r#"{"type":"text","text":"Add rye bread"}"#);
    write(root, "storage/part/m1/p2.json", r#"{"type":"text","text":"The wiki says so","synthetic":true}"#);
    let call =
        r#"{"messageID":"m2","type":"tool","tool":"edit","state":{"input":{"filePath":"bread.ts"},"output":"x"}}"#;
    write(root, "storage/part/p3.json", call);
    write(root, "storage/part/m2/p4.json", r#"{"type":"text","text":"Rye is in."}"#);
}

#[test]
fn a_session_in_a_storage_folder_is_read() {
    let root = tempfile::tempdir().expect("a folder");
    storage_at(root.path());
    check(root.path(), &["storage/session/p/ses_1.json ses_1"]);
    let (shown, head) = read(&transcripts_at(root.path()).transcripts[0]);
    assert_eq!(shown, ["User: Add rye bread", "Assistant: Rye is in.", "> edit bread.ts"]);
    assert_eq!((head.session.as_deref(), head.project.as_deref()), (Some("ses_1"), Some("bakery")));
}

#[cfg(feature = "sqlite")]
#[test]
fn a_session_in_a_database_is_read_while_it_is_written_to() {
    let root = tempfile::tempdir().expect("a folder");
    let place = root.path().join("opencode.db");
    let writer = rusqlite::Connection::open(&place).expect("makes a database");
    let tables = "PRAGMA journal_mode = WAL;
        CREATE TABLE session (id TEXT, parent_id TEXT, directory TEXT, title TEXT, time_created INTEGER, time_updated INTEGER);
        CREATE TABLE message (id TEXT, session_id TEXT, time_created INTEGER, data TEXT);
        CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, data TEXT);
        INSERT INTO session VALUES ('ses_2', NULL, '/x/bakery', 'Spelt', 1, 1775046600000), ('ses_1', 'ses_2', '/x/bakery', '', 2, 3);
        INSERT INTO message VALUES
            ('m2', 'ses_2', 20, '{\"role\":\"assistant\",\"time\":{\"created\":2000}}'),
            ('m1', 'ses_2', 10, '{\"role\":\"user\",\"time\":{\"created\":1000}}'),
            ('m3', 'ses_2', 30, 'damaged');
        INSERT INTO part VALUES
            ('p1', 'm1', 'ses_2', '{\"type\":\"text\",\"text\":\"Add spelt\"}'),
            ('p2', 'm2', 'ses_2', '{\"type\":\"text\",\"text\":\"Spelt is in.\"}');
        BEGIN IMMEDIATE; DELETE FROM part;";
    writer.execute_batch(tables).expect("fills it");
    check(root.path(), &["opencode.db ses_2", "opencode.db ses_1", "companion 2"]);
    let transcript = &transcripts_at(&place).transcripts[0];
    let changed = transcript.changed.map(|changed| changed.to_string());
    assert_eq!((transcript.cwd.as_deref(), changed.as_deref()), (Some("/x/bakery"), Some("2026-04-01T12:30:00Z")));
    let (shown, head) = read(transcript);
    assert_eq!(shown, ["User: Add spelt", "Assistant: Spelt is in."]);
    assert_eq!((head.session.as_deref(), head.title.as_deref()), (Some("ses_2"), Some("Spelt")));
    assert!(open(&Transcript { session: Some("ses_9".to_owned()), ..Transcript::file(&place) }).is_err());
}

#[test]
fn a_database_that_is_none_of_ours_is_counted() {
    let root = tempfile::tempdir().expect("a folder");
    fs::write(root.path().join("a.db"), b"SQLite format 3\0 and then nonsense").expect("writes");
    check(root.path(), &["database 1"]);
}

/// Shows the transcripts that an agent has on a machine, and the folder each was in as far as it can be told
/// from the outside.
#[track_caller]
fn check_places(agent: &str, files: &[(&str, &str)], expected: &[&str]) {
    let home = tempfile::tempdir().expect("a folder");
    for (path, text) in files {
        write(home.path(), path, text);
    }
    let machine = ken_agents::Machine { home: home.path().to_owned(), ..ken_agents::Machine::default() };
    let readers = super::super::READERS.iter().filter(|reader| reader.agent() == agent);
    let shown: Vec<String> = readers
        .flat_map(|reader| {
            let places = reader.transcripts(&machine, Path::new("/x/bakery"));
            places.into_iter().map(|place| {
                let cwd = reader.cwd_of(&place).unwrap_or_default();
                let place = place.strip_prefix(home.path()).expect("at home").to_string_lossy().replace('\\', "/");
                format!("{place} {cwd}").trim_end().to_owned()
            })
        })
        .collect();
    assert_eq!(shown, expected);
}

#[test]
fn every_agent_knows_where_its_transcripts_lie() {
    let rollout = ".codex/sessions/2026/04/01/rollout-1.jsonl";
    check_places("codex", &[(rollout, ""), (".codex/history.jsonl", "")], &[rollout]);
    let chat = ".gemini/tmp/bakery/chats/session-1.jsonl";
    let root = ".gemini/tmp/bakery/.project_root";
    check_places("gemini-cli", &[(chat, ""), (root, "/x/bakery\n")], &[&format!("{chat} /x/bakery")]);
    let list = r#"{"projects":{"/x/bakery":"bakery"}}"#;
    check_places("gemini-cli", &[(chat, ""), (".gemini/projects.json", list)], &[&format!("{chat} /x/bakery")]);
    let events = ".copilot/session-state/id-1/events.jsonl";
    let workspace = ".copilot/session-state/id-1/workspace.yaml";
    check_places(
        "copilot-cli",
        &[(events, ""), (workspace, "id: 1\ncwd: /x/bakery\n")],
        &[&format!("{events} /x/bakery")],
    );
    let session = ".cline/data/sessions/s/s.messages.json";
    let info = (".cline/data/sessions/s/s.json", r#"{"cwd":"/x/bakery"}"#);
    check_places("cline", &[(session, ""), info], &[&format!("{session} /x/bakery")]);
    let cursor = ".cursor/projects/x-bakery/agent-transcripts/a/a.jsonl";
    check_places(
        "cursor",
        &[(cursor, ""), (".cursor/projects/x-bakery/agent-transcripts/a/subagents/b.jsonl", "")],
        &[cursor],
    );
    check_places("opencode", &[(".local/share/opencode/opencode.db", "")], &[".local/share/opencode/opencode.db"]);
    check_places("pi", &[(".pi/agent/sessions/--x--/a.jsonl", "")], &[".pi/agent/sessions/--x--/a.jsonl"]);
    let wire = ".kimi-code/sessions/w/s/agents/main/wire.jsonl";
    check_places(
        "kimi-code",
        &[(wire, ""), (".kimi-code/sessions/w/s/state.json", r#"{"workDir":"/x/bakery"}"#)],
        &[&format!("{wire} /x/bakery")],
    );
    let steps = ".gemini/antigravity/brain/b/.system_generated/logs/transcript.jsonl";
    check_places("antigravity", &[(steps, "")], &[steps]);
}

#[cfg(unix)]
#[test]
fn a_folder_is_found_by_how_it_is_spelled() {
    let root = tempfile::tempdir().expect("a folder");
    let home = fs::canonicalize(root.path()).expect("a place");
    fs::create_dir_all(home.join("bread-shop/src")).expect("makes folders");
    fs::create_dir_all(home.join("bread")).expect("makes folders");
    let spell = |path: &str| path.replace(|ch: char| !ch.is_ascii_alphanumeric(), "-").trim_matches('-').to_owned();
    let name = spell(&home.join("bread-shop").to_string_lossy());
    assert_eq!(outside::folder_spelled(&name, spell), Some(home.join("bread-shop")));
    assert_eq!(outside::folder_spelled(&(name + "-gone"), spell), None);
}
