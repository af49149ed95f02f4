//! The talk of sessions: kept word for word, found, bounded, and no more than a vault wants of it.

use std::fs;

use ken_engine::search::SearchRequest;
use ken_engine::transcript::Transcript;
use ken_engine::{AskOptions, FailureKind, ForgetOptions, ForgetTarget, PruneOptions, ScanOptions, Stays};

use crate::support::Vault;

/// A session of two turns; the person says a secret.
fn session(vault: &Vault, id: &str, day: &str, topic: &str) {
    let line = |role: &str, text: &str, minute: u32| {
        format!(
            "{{\"type\":\"{role}\",\"sessionId\":\"{id}\",\"uuid\":\"{id}-{minute}\",\"cwd\":\"/x/crumb\",\"timestamp\":\"{day}T10:{minute:02}:00Z\",\"message\":{{\"role\":\"{role}\",\"content\":\"{text}\"}}}}\n"
        )
    };
    let asked = line("user", &format!("Why is the {topic} cold? The key is AKIA0123456789ABCDEF."), 0);
    let said = line("assistant", &format!("# Findings\\n\\nThe {topic} is cold since Tuesday, I guess."), 1);
    let done = "We decided to call the smith, because nobody here can weld.";
    let text = asked + &said + &line("assistant", done, 2);
    let file = vault.root().join(format!("{id}.jsonl"));
    fs::write(&file, text).expect("writes");
    vault.engine().capture(&Transcript::file(&file), None).expect("captures");
}

/// The only file of talk whose name starts so.
fn talk(vault: &Vault, folder: &str, start: &str) -> String {
    let mut found = vault.files_below(folder);
    found.retain(|path| path.contains(start));
    assert_eq!(found.len(), 1, "{found:?}");
    vault.read(&found[0])
}

#[test]
fn every_word_is_kept_and_the_entry_says_where() {
    let vault = Vault::new();
    session(&vault, "oven-1", "2026-05-30", "oven");
    let text = talk(&vault, ".kenning/talk", "2026-05/30-claude-code-oven1");
    assert!(text.starts_with("# Session 2026-05-30: "), "{text}");
    let told = "## User (2026-05-30 10:00)\n\nWhy is the oven cold? The key is [redacted:aws-access-key].\n\n\
                ### Agent (2026-05-30 10:01)\n\n#### Findings\n\nThe oven is cold since Tuesday, I guess.\n";
    assert!(text.contains(told), "{text}");
    let day = vault.read("daily/2026-05-30.md");
    let pointer = day.split(" talk=").nth(1).expect("a pointer").split(' ').next().expect("one");
    let (name, lines) = pointer.split_once("#L").expect("lines");
    let (first, last) = lines.split_once("-L").expect("two");
    let (first, last): (usize, usize) = (first.parse().expect("a number"), last.parse().expect("a number"));
    let cited: Vec<&str> = text.lines().skip(first - 1).take(last - first + 1).collect();
    assert!(vault.read(&format!(".kenning/talk/{name}")) == text && cited[0] == "## User (2026-05-30 10:00)");
    assert!(cited[cited.len() - 1].starts_with("We decided to call the smith"), "{cited:?}");
}

#[test]
fn what_only_the_talk_holds_is_found_and_handed_over_with_its_speaker() {
    let vault = Vault::new();
    session(&vault, "oven-1", "2026-05-30", "oven");
    assert!(!vault.read("daily/2026-05-30.md").contains("since Tuesday"));
    let done = vault.engine().context("since when is the oven cold?", None).expect("answers");
    assert!(done.pack.text.contains(": Agent: The oven is cold since Tuesday, I guess."), "{}", done.pack.text);
    // The same words once: the entry was taken from the talk.
    assert_eq!(done.pack.text.matches("call the smith").count(), 1, "{}", done.pack.text);
    let request = SearchRequest { text: "call the smith".to_owned(), n_max: 10, ..SearchRequest::default() };
    let found = vault.engine().search(&request).expect("answers");
    let paths: Vec<&str> = found.evidence.iter().map(|hit| hit.path.as_str()).collect();
    assert!(paths.len() == 1 && paths[0].starts_with(".kenning/talk/"), "{paths:?}");
}

#[test]
fn what_a_page_calls_superseded_is_so_in_the_talk_too() {
    let vault = Vault::new();
    session(&vault, "oven-1", "2026-05-30", "oven");
    let day = vault.read("daily/2026-05-30.md");
    let line = 1 + day.lines().position(|line| line.contains("call the smith")).expect("a line");
    let page = format!(
        "# Welding\n\n- A weld is done by the baker.\n\n## Superseded\n\n- The smith welds.[^1]\n\n[^1]: daily/2026-05-30.md#L{line}-L{line}\n"
    );
    vault.write("knowledge/concepts/welding.md", &page);
    let text = vault.engine().context("who can weld, did we call the smith?", None).expect("answers").pack.text;
    assert!(text.contains("(superseded) Agent: We decided to call the smith"), "{text}");
    // What was said beside it holds.
    let text = vault.engine().context("since when is the oven cold?", None).expect("answers").pack.text;
    assert!(text.contains(": Agent: The oven is cold since Tuesday, I guess."), "{text}");
    let answer = vault.engine().ask("did we decide to call the smith?", AskOptions::default()).expect("answers").answer;
    let said = answer.sentences.iter().find(|one| one.text.contains("call the smith")).expect("a sentence");
    assert!(said.is_superseded, "{said:?}");
}

#[test]
fn talk_can_be_shared_or_turned_off() {
    let vault = Vault::new();
    vault.write("kenning.toml", "sessions = 'off'\n");
    session(&vault, "oven-1", "2026-05-30", "oven");
    assert!(vault.files_below(".kenning/talk").is_empty() && !vault.read("daily/2026-05-30.md").contains("talk="));
    vault.write("kenning.toml", "sessions = 'shared'\n");
    session(&vault, "flour-1", "2026-05-30", "flour");
    assert!(talk(&vault, "sessions", "2026-05/30-claude-code-flour1").contains("The flour is cold"));
    let found = vault.engine().context("since when is the flour cold?", None).expect("answers");
    assert!(found.pack.text.contains("since Tuesday"), "{}", found.pack.text);
}

#[test]
fn a_vault_of_somebody_else_neither_shares_talk_nor_erases_it() {
    let vault = Vault::new();
    session(&vault, "oven-1", "2026-03-01", "oven");
    vault.write("kenning.toml", "sessions_keep = '1d'\n");
    vault.remove(".kenning/accepted");
    assert_eq!(pruned(&vault), Vec::<String>::new());
    vault.write("kenning.toml", "sessions = 'shared'\n");
    session(&vault, "flour-1", "2026-05-30", "flour");
    assert_eq!((vault.files_below("sessions").len(), vault.files_below(".kenning/talk").len()), (0, 1));
}

#[test]
fn git_ignores_talk_in_a_vault_that_was_made_before_there_was_any() {
    let vault = Vault::new();
    vault.write(".kenning/.gitignore", "cache/\nundo/");
    session(&vault, "oven-1", "2026-05-30", "oven");
    session(&vault, "oven-2", "2026-05-30", "stove");
    assert_eq!(vault.read(".kenning/.gitignore"), "cache/\nundo/\ntalk/\n");
}

/// Prunes as the worker does; returns the days of the sessions of which words went.
fn pruned(vault: &Vault) -> Vec<String> {
    let done = vault.engine().prune(PruneOptions { is_by_itself: true, ..PruneOptions::default() }).expect("prunes");
    done.pruned.iter().map(|one| one.path.as_str()[".kenning/talk/".len()..][..10].to_owned()).collect()
}

/// Days of the sessions of which words stand in the talk.
fn told(vault: &Vault) -> Vec<String> {
    let has_words = |path: &String| vault.read(path).contains("call the smith");
    let files = vault.files_below(".kenning/talk").into_iter().filter(has_words);
    files.map(|path| path[".kenning/talk/".len()..][..10].to_owned()).collect()
}

const SESSIONS: [(&str, &str); 3] = [("a-1", "2026-03-01"), ("b-1", "2026-04-01"), ("c-1", "2026-05-30")];

fn vault_of_three() -> Vault {
    let vault = Vault::new();
    SESSIONS.iter().for_each(|(id, day)| session(&vault, id, day, "oven"));
    vault
}

#[test]
fn talk_beyond_a_bound_goes_when_the_journal_has_it_unless_a_page_cites_it() {
    let vault = vault_of_three();
    let before: Vec<String> = vault.files_below(".kenning/talk").iter().map(|path| vault.read(path)).collect();
    assert_eq!((pruned(&vault).len(), told(&vault).len()), (0, 3));
    vault.write("kenning.toml", "sessions_keep = '40d'\n");
    assert_eq!(pruned(&vault), ["2026-04/01", "2026-03/01"]);
    assert_eq!((told(&vault), pruned(&vault).len()), (vec!["2026-05/30".to_owned()], 0));
    // Lines keep their numbers, and the note says where the journal has what was said.
    let path = vault.files_below(".kenning/talk").remove(0);
    let left = vault.read(&path);
    assert_eq!(left.lines().count(), before[0].lines().count());
    assert!(left.starts_with("# Session 2026-03-01: ") && !left.contains("Tuesday"), "{left}");
    let note =
        "*What was said here is not kept since 2026-06-01; what of it counted stands in daily/2026-03-01.md#L5-L11.*";
    assert!(left.contains(note) && left.contains(" until=2026-03-01T10:02 -->"), "{left}");
    // What a page cites stays.
    let kept = vault.files_below(".kenning/talk").remove(2);
    session(&vault, "d-1", "2026-05-31", "oven");
    vault.write("knowledge/mine.md", &format!("# Mine\n\nAs said in {kept}#L8.\n"));
    vault.write("kenning.toml", "sessions_keep = [1, '1GB']\n");
    assert_eq!(pruned(&vault), Vec::<String>::new());
    let done = vault.engine().prune(PruneOptions { dry_run: true, ..PruneOptions::default() }).expect("looks");
    assert_eq!(
        done.stays.iter().map(|(path, why)| (path.as_str(), *why)).collect::<Vec<_>>(),
        [(&*kept, Stays::Cited)]
    );
    vault.remove("knowledge/mine.md");
    assert_eq!((pruned(&vault), told(&vault)), (vec!["2026-05/30".to_owned()], vec!["2026-05/31".to_owned()]));
    assert!(vault.read("daily/2026-03-01.md").contains("call the smith"));
}

#[test]
fn talk_that_stands_in_no_entry_stays() {
    let vault = vault_of_three();
    // Somebody took the entry out of the journal.
    vault.remove("daily/2026-03-01.md");
    vault.write("kenning.toml", "sessions_keep = '1d'\n");
    let done = vault.engine().prune(PruneOptions::default()).expect("prunes");
    let first = vault.files_below(".kenning/talk").remove(0);
    assert_eq!(
        done.stays.iter().map(|(path, why)| (path.as_str(), *why)).collect::<Vec<_>>(),
        [(&*first, Stays::Uncovered)]
    );
    assert_eq!(told(&vault), ["2026-03/01"]);
    assert!(done.pruned.iter().all(|one| one.parts.iter().all(|(_, places)| places.len() == 1)), "{done:?}");
}

#[test]
fn a_session_whose_talk_went_comes_in_again_neither_without_its_cache_nor_written_anew_and_goes_on_in_place() {
    let vault = vault_of_three();
    vault.write("kenning.toml", "sessions_keep = '1d'\n");
    assert_eq!(pruned(&vault).len(), 3);
    let all = |vault: &Vault| -> Vec<(String, String)> {
        let files = [vault.files_below(".kenning/talk"), vault.files_below("daily")].concat();
        files.into_iter().map(|path| (path.clone(), vault.read(&path))).collect()
    };
    let before = all(&vault);
    fs::remove_dir_all(vault.root().join(".kenning/cache")).expect("it is there");
    let capture = |file: &str| {
        let file = vault.root().join(file);
        vault.engine().capture(&Transcript::file(&file), None).expect("captures")
    };
    SESSIONS.iter().for_each(|(id, _)| drop(capture(&format!("{id}.jsonl"))));
    assert_eq!(all(&vault), before);
    // Written anew: one line is gone, and one is new.
    let text = vault.read("c-1.jsonl");
    let line = text.lines().nth(2).expect("three lines");
    let new =
        line.replace("T10:02", "T11:00").replace("c-1-2", "c-1-9").replace("the smith", "the plumber of the yard");
    fs::write(vault.root().join("c-1.jsonl"), format!("{line}\n{new}\n")).expect("writes");
    assert_eq!(capture("c-1.jsonl").entries_added, 1);
    let path = vault.files_below(".kenning/talk").remove(2);
    let now = vault.read(&path);
    let old = &before[2].1;
    assert!(now.starts_with(old.as_str()) && now.matches("plumber").count() == 1 && !now.contains("smith"), "{now}");
    // The pointer of the new entry leads to the new words.
    let day = vault.read("daily/2026-05-30.md");
    let pointer = day.rsplit(" talk=").next().and_then(|rest| rest.split(' ').next()).expect("a pointer");
    let first: usize =
        pointer.split("#L").nth(1).and_then(|at| at.split('-').next()).and_then(|at| at.parse().ok()).expect("a line");
    assert_eq!(now.lines().nth(first - 1), Some("### Agent (2026-05-30 11:00)"));
}

#[test]
fn undo_gives_every_word_back_and_what_was_taken_back_goes_only_when_a_person_says_so() {
    let vault = vault_of_three();
    let words = |vault: &Vault| -> Vec<String> {
        vault.files_below(".kenning/talk").iter().map(|path| vault.read(path)).collect()
    };
    let before = words(&vault);
    vault.write("kenning.toml", "sessions_keep = '1d'\n");
    assert_eq!(pruned(&vault).len(), 3);
    let after = words(&vault);
    vault.engine().undo(None).expect("undoes");
    assert_eq!((words(&vault), pruned(&vault).len()), (before, 0));
    vault.engine().prune(PruneOptions::default()).expect("prunes");
    assert_eq!(words(&vault), after);
}

#[test]
fn what_leads_to_talk_that_went_says_so_and_fails_nowhere() {
    let vault = vault_of_three();
    vault.engine().compile(ken_engine::CompileOptions::default()).expect("compiles");
    let pages = vault.files_below("knowledge/concepts");
    vault.write("kenning.toml", "sessions_keep = '1d'\n");
    pruned(&vault);
    let engine = vault.engine();
    let pack = engine.context("who can weld, did we call the smith?", None).expect("answers").pack.text;
    assert!(pack.contains("call the smith") && !pack.contains("since Tuesday"), "{pack}");
    let asked = engine.context("since when is the oven cold?", None).expect("answers");
    assert!(!asked.pack.text.contains("not kept since"), "{}", asked.pack.text);
    for page in &pages {
        let text = vault.read(page);
        let slug = page.rsplit('/').next().expect("a name").trim_end_matches(".md");
        let found = engine.blame(slug).expect("blames");
        let told = format!("{found:?}");
        assert!(
            !text.contains("daily/") || told.contains("is_there: false") && !told.contains("is_there: true"),
            "{told}"
        );
    }
}

#[test]
fn a_session_that_is_forgotten_leaves_neither_its_note_nor_its_words_in_what_undo_keeps() {
    let vault = vault_of_three();
    vault.write("kenning.toml", "sessions_keep = '1d'\n");
    pruned(&vault);
    let target = ForgetTarget::Session("a-1".to_owned());
    vault.engine().forget(&target, &ForgetOptions::default()).expect("forgets");
    assert_eq!(vault.files_below(".kenning/talk").len(), 2);
    let undo = vault.files_below(".kenning/undo");
    let holds =
        |path: &String| String::from_utf8_lossy(&fs::read(vault.root().join(path)).expect("reads")).contains("a-1");
    assert!(!undo.iter().any(holds), "{undo:?}");
}

#[test]
fn a_scan_covers_what_stands_in_talk_and_an_undo_takes_nothing_from_it() {
    let vault = Vault::new();
    session(&vault, "oven-1", "2026-05-30", "oven");
    let path = vault.files_below(".kenning/talk").remove(0);
    let text = vault.read(&path);
    vault.write(&path, &format!("{text}\nThe token is ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8.\n"));
    let done = vault.engine().scan(&ScanOptions { fix: true, ..ScanOptions::default() }).expect("scans");
    assert_eq!((done.fixed.len(), done.findings.len()), (1, 0));
    assert!(vault.read(&path).contains("[redacted:github-token]"), "{}", vault.read(&path));
    let failure = vault.engine().undo(None).expect_err("is not taken back");
    assert_eq!(failure.kind, FailureKind::Refused);
    assert!(vault.read(&path).starts_with(&text));
}

#[test]
fn a_day_in_the_past_knows_the_talk_up_to_then() {
    let vault = Vault::new();
    session(&vault, "oven-1", "2026-05-30", "oven");
    let asked = |day: &str| {
        let engine = vault.engine().as_of(day.parse().expect("a day")).expect("reads");
        let mut searcher = engine.searcher().expect("opens");
        let text = "since when is the oven cold".to_owned();
        let request = SearchRequest { text, n_max: 5, ..SearchRequest::default() };
        searcher.search(&request).expect("searches").evidence.len()
    };
    assert!(asked("2026-05-31") > 0);
    assert_eq!(asked("2026-05-01"), 0);
}
