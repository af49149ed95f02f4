//! Folders that other tools made: everything in them is used, and not one byte of them changes that was not announced.

mod claude_memory;
mod hydraflow;
mod memory_compiler;
mod recall;

use std::collections::BTreeMap;

use ken_engine::outcome::CompileOutcome;
use ken_engine::{AskOptions, Engine, LintOptions};

use super::support::{Vault, clock, files, keys};

/// A folder with these files.
fn folder(all: &[(&str, &str)]) -> Vault {
    let vault = Vault::bare();
    all.iter().for_each(|(path, text)| vault.write(path, text));
    vault
}

fn init(vault: &Vault, layout: &str) {
    let done = Engine::init(vault.root(), None, &keys(), &clock()).expect("a vault");
    assert_eq!(done.preset.name, layout);
}

/// The files of the folder that differ from these; files of ours aside, of which there were none.
fn changed(vault: &Vault, before: &[(&str, &str)]) -> Vec<String> {
    let now: BTreeMap<String, Vec<u8>> = files(vault.root());
    let is_changed = |(path, text): &&(&str, &str)| now.get(*path).map(Vec::as_slice) != Some(text.as_bytes());
    before.iter().filter(is_changed).map(|(path, _)| (*path).to_owned()).collect()
}

/// The pages that a compile made, but for those of weeks.
fn slugs(outcome: &CompileOutcome) -> Vec<String> {
    outcome.created.iter().map(ToString::to_string).filter(|slug| !slug.starts_with("2026-w")).collect()
}

/// Goes through a folder as its owner would, and undoes it; `created` are the pages that a compile makes, `announced` the
/// files that it changes, which keep their bytes at their beginning.
fn walk(all: &[(&str, &str)], layout: &str, (created, announced): (&[&str], &[&str]), asked: &[(&str, &str)]) {
    assert!(all.len() >= 12, "a folder with as much as people have");
    let vault = folder(all);
    init(&vault, layout);
    assert_eq!(changed(&vault, all), [""; 0], "init changes nothing");
    for compiled in 0..2 {
        for (question, answer) in asked {
            let asked = vault.engine().ask(question, AskOptions::default()).expect("asks");
            assert!(asked.text.contains(answer), "{question}: {}", asked.text);
            vault.engine().context(question, None).expect("a context");
            vault.engine().route(question, None).expect("a route");
        }
        vault.engine().lint(LintOptions { fix: true, ..LintOptions::default() }).expect("lints");
        let made = vault.compile();
        let wanted: &[&str] = if compiled == 0 { created } else { &[] };
        assert_eq!(slugs(&made), wanted);
        assert!(made.updated.is_empty() && made.removed.is_empty(), "{made:?}");
        assert_eq!(changed(&vault, all), announced);
        for (path, text) in all.iter().filter(|(path, _)| announced.contains(path)) {
            assert!(vault.read(path).starts_with(text), "{path}");
        }
    }
    while let Ok(undone) = vault.engine().undo(None) {
        assert!(!undone.changed.is_empty());
        if vault.root().join("kenning.toml").exists() {
            continue;
        }
        break;
    }
    assert_eq!(changed(&vault, all), [""; 0], "undo gives every byte back");
}

#[test]
fn a_wiki_of_hydraflow_keeps_every_byte() {
    let asked = [
        ("how many times is a failed upload retried?", "retried five times"),
        ("does anything poll the door switch?", "nothing polls it"),
        ("how are branches named?", "after its issue"),
    ];
    walk(hydraflow::FILES, "hydraflow", (&[], &[]), &asked);
}

#[test]
fn a_memory_of_recall_keeps_every_byte() {
    let asked = [
        ("how long do tokens of the ordering page live?", "15 minutes"),
        ("where was the oven bought?", "harvest hall"),
        ("when does the flour mill deliver?", "Thursdays"),
    ];
    walk(recall::FILES, "recall", (&["flour-mill-journal"], &[]), &asked);
}

#[test]
fn a_memory_folder_of_claude_keeps_every_byte() {
    let asked = [
        ("where does a crash of the kiln driver show?", "ring buffer"),
        ("how are names of kilns written?", "in capitals"),
        ("what loses its last reading?", "The kiln driver loses"),
    ];
    walk(claude_memory::FILES, "claude-memory", (&[], &[]), &asked);
}

#[test]
fn a_knowledge_base_of_claude_memory_compiler_keeps_every_byte() {
    let asked = [
        ("what checks row level security?", "Supabase Auth checks row level security"),
        ("how long does Supabase Auth keep sessions?", "30 days"),
    ];
    walk(memory_compiler::FILES, "memory-compiler", (&["kitchen-printer"], &["knowledge/index.md"]), &asked);
}

#[test]
fn what_is_superseded_leads_no_route_and_is_marked_wherever_it_is_quoted() {
    let vault = folder(hydraflow::FILES);
    init(&vault, "hydraflow");
    let past = [
        "retried three times",
        "reports zero degrees",
        "relay of the oven sticks",
        "order of their names",
        "polled once",
    ];
    let questions = [
        "how many times is a failed upload retried?",
        "what does the thermostat report after a restart?",
        "when does the relay of the oven stick?",
        "in which order do tests of the oven run?",
        "how often is the door switch polled?",
    ];
    for question in questions {
        let engine = vault.engine();
        let route = engine.route(question, None).expect("routes").route;
        for loaded in &route.loaded {
            assert_eq!(loaded.entry.past, None, "{question}");
        }
        let asked = engine.ask(question, AskOptions::default()).expect("asks").text;
        let context = engine.context(question, None).expect("a context").pack.text;
        for line in asked.lines().chain(context.lines()).filter(|line| past.iter().any(|said| line.contains(said))) {
            assert!(
                line.contains("superseded") || line.contains("until ") || line.contains("stale"),
                "{question}: {line}"
            );
        }
    }
    let brief = vault.engine().list(None).expect("lists").into_iter().filter(|entry| entry.past.is_some()).count();
    assert_eq!(brief, 4);
    let index = {
        vault.compile();
        vault.read("knowledge/index.md")
    };
    assert!(!index.contains("three-times") && index.contains("five-times"), "{index}");
}

#[test]
fn a_new_day_of_claude_memory_compiler_makes_no_page_beside_those_that_name_it() {
    let vault = folder(memory_compiler::FILES);
    init(&vault, "memory-compiler");
    vault.compile();
    // The other compiler takes two days up, and says so in the header of its page alone.
    let naming = |page: &str, days: &[&str]| {
        let first = "  - \"daily/2026-04-01.md\"\n";
        let days: String = days.iter().map(|day| format!("  - \"daily/{day}.md\"\n")).collect();
        page.replace(first, &format!("{first}{days}"))
    };
    let page = vault.read("knowledge/concepts/supabase-auth.md");
    vault.write("knowledge/concepts/supabase-auth.md", &naming(&page, &["2026-04-03", "2026-04-04"]));
    let day = "# Daily Log: 2026-04-04\n\n- Supabase Auth rotates its keys monthly.\n- Supabase Auth sends no mail.\n";
    vault.write("daily/2026-04-04.md", day);
    assert_eq!(slugs(&vault.compile()), [""; 0]);
    // A day that no page names is said beside the page, and only that day.
    vault.write("daily/2026-04-05.md", &day.replace("2026-04-04", "2026-04-05").replace("monthly", "weekly"));
    assert_eq!(slugs(&vault.compile()), ["supabase-auth-journal"]);
    let beside = vault.read("knowledge/concepts/supabase-auth-journal.md");
    assert!(beside.contains("weekly") && !beside.contains("monthly"), "{beside}");
    // Once the page names that day too, there is nothing left to say beside it.
    vault.write("knowledge/concepts/supabase-auth.md", &naming(&page, &["2026-04-03", "2026-04-04", "2026-04-05"]));
    let removed = vault.compile().removed;
    assert_eq!(removed.iter().map(ToString::to_string).collect::<Vec<_>>(), ["supabase-auth-journal"]);
}

#[test]
fn what_another_tool_writes_is_read_again_when_it_writes() {
    let vault = folder(claude_memory::FILES);
    init(&vault, "claude-memory");
    vault.compile();
    let tldr = |vault: &Vault| {
        let all = vault.engine().list(None).expect("lists");
        all.into_iter().find(|entry| entry.slug.as_str() == "debugging").expect("a page").tldr
    };
    assert_eq!(tldr(&vault), "how crashes of the kiln driver are found");
    let memory = vault.read(".claude/memory/MEMORY.md").replace("how crashes of", "why crashes of");
    vault.write(".claude/memory/MEMORY.md", &memory);
    assert_eq!(tldr(&vault), "why crashes of the kiln driver are found");
    vault.write(".claude/memory/new.md", "# Glaze\n\nThe glaze of the kiln is made of ash.\n");
    let asked = vault.engine().ask("what is the glaze of the kiln made of?", AskOptions::default()).expect("asks");
    assert!(asked.text.contains("made of ash"), "{}", asked.text);
}

#[test]
#[cfg(unix)]
fn a_folder_of_another_tool_behind_a_link_is_left_alone_and_the_vault_goes_on() {
    let (vault, outside) = (Vault::bare(), Vault::bare());
    outside.write("secret.md", "# Secret\n\nThe oven is hot.\n");
    vault.write("kenning.toml", "layout = \"claude-memory\"\n");
    vault.write(".claude/agents.md", "");
    std::os::unix::fs::symlink(outside.root(), vault.root().join(".claude/memory")).expect("a link");
    assert_eq!(vault.engine().list(None).expect("lists"), []);
    let asked = vault.engine().ask("is the oven hot?", AskOptions::default()).expect("asks");
    assert!(!asked.text.contains("hot"), "{}", asked.text);
    vault.compile();
    let why = "`.claude/memory` is left alone: it is, or lies behind, a symbolic link";
    assert_eq!(vault.engine().notices(), [why]);
}
