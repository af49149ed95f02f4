//! Search over real vaults: what changes is found, whatever happens to the index or beside it.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};

use ken_engine::search::{SearchOutcome, SearchRequest};

use crate::support::Vault;

fn ask(vault: &Vault, text: &str) -> SearchOutcome {
    let request = SearchRequest { text: text.to_owned(), n_max: 10, explains: true, ..SearchRequest::default() };
    vault.engine().search(&request).expect("answers")
}

/// Path, lines and score of everything found, pages first.
fn found(vault: &Vault, text: &str) -> Vec<(String, (usize, usize), String)> {
    let outcome = ask(vault, text);
    let hits = outcome.pages.iter().chain(&outcome.evidence);
    hits.map(|hit| (hit.path.to_string(), hit.lines, format!("{:.3}", hit.score))).collect()
}

fn paths(vault: &Vault, text: &str) -> Vec<String> {
    found(vault, text).into_iter().map(|(path, ..)| path).collect()
}

fn bakery() -> Vault {
    let vault = Vault::new();
    vault.write(
        "knowledge/concepts/oven.md",
        "---\ntitle: Oven\ntldr: Bakes bread.\n---\n# Oven\n\nThe oven reads the monotonic clock.\n",
    );
    vault.write(
        "knowledge/concepts/display.md",
        "---\ntitle: Display\n---\n# Display\n\nIt refreshes every ten seconds.\n",
    );
    vault.write(
        "daily/2026-05-30.md",
        "# Daily Log: 2026-05-30\n\n## Sessions\n\n### Session (09:00) - Clocks\n<!-- kenning: session=s1 agent=codex project=bakery -->\n\n**Lessons Learned:**\n- The wall clock jumped back an hour.\n\n### Session (11:00) - Flour\n<!-- kenning: session=s2 agent=claude-code -->\n\n- Rye flour arrives on Mondays.\n",
    );
    vault.write(
        "raw/manual.html",
        "<html><title>Oven manual</title>\n<body>\n<p>Clean the thermostat weekly.</p></body></html>\n",
    );
    vault
}

#[test]
fn pages_entries_and_sources_are_found_with_their_lines() {
    let vault = bakery();
    let outcome = ask(&vault, "monotonic clocks");
    assert_eq!((outcome.pages[0].slug.as_str(), outcome.pages[0].lines), ("oven", (7, 7)));
    let hit = &outcome.evidence[0];
    assert_eq!(
        (hit.path.as_str(), hit.session.as_str(), hit.agent.as_str(), hit.lines),
        ("daily/2026-05-30.md", "s1", "codex", (8, 9))
    );
    assert_eq!(paths(&vault, "thermostat"), ["raw/manual.html"]);
    assert_eq!(ask(&vault, "thermostat").evidence[0].lines, (3, 3));
}

#[test]
fn a_document_is_of_the_day_that_it_says_itself() {
    let vault = Vault::new();
    for (name, header, said) in [
        ("diary.md", "---\ndate: 2026-03-14\n---\n", "quokka"),
        ("post.md", "---\npublished: 2026/03/15 08:00\ncreated: 2026-01-01\n---\n", "wombat"),
        ("call 20260316.txt", "", "numbat"),
        ("undated.md", "", "potoroo"),
    ] {
        vault.write(
            &format!("raw/{name}"),
            &format!("{header}# The {said}\n\nThe {said} sat on the roof of the bakery.\n"),
        );
    }
    let days = |vault: &Vault| {
        ["quokka", "wombat", "numbat", "potoroo"]
            .map(|word| ask(vault, word).evidence[0].date.map(|date| date.to_string()).unwrap_or_default())
    };
    assert_eq!(days(&vault), ["2026-03-14", "2026-03-15", "2026-03-16", ""]);
    // What a page says of them is of that day, too.
    vault.compile();
    let is_page = |path: &str, text: &str| path != "knowledge/index.md" && text.contains("quokka");
    let wiki = vault.wiki();
    let pages: Vec<&String> = wiki.iter().filter(|(path, text)| is_page(path, text)).map(|(_, text)| text).collect();
    assert!(!pages.is_empty() && pages.iter().all(|page| page.contains("\nupdated: 2026-03-1")), "{wiki:#?}");
    let then = SearchRequest { text: "wombat".to_owned(), n_max: 9, ..SearchRequest::default() };
    let engine = vault.engine().as_of("2026-03-14".parse().expect("a day")).expect("reads");
    let mut before = engine.searcher().expect("reads");
    assert!(before.search(&then).expect("answers").evidence.is_empty());
}

#[test]
fn added_changed_renamed_and_deleted_files_are_seen_at_once() {
    let vault = bakery();
    assert_eq!(paths(&vault, "zebra"), Vec::<String>::new());
    vault.write("knowledge/concepts/zebra.md", "# Zebra\n\nStripes.\n");
    assert_eq!(paths(&vault, "zebra"), ["knowledge/concepts/zebra.md"]);
    vault.write("knowledge/concepts/zebra.md", "# Horse\n\nNo pattern at all on it.\n");
    assert_eq!(paths(&vault, "stripes"), Vec::<String>::new());
    let (from, to) =
        (vault.root().join("knowledge/concepts/zebra.md"), vault.root().join("knowledge/concepts/horse.md"));
    fs::rename(from, to).expect("renames");
    assert_eq!(paths(&vault, "pattern"), ["knowledge/concepts/horse.md"]);
    vault.remove("knowledge/concepts/horse.md");
    assert_eq!(paths(&vault, "pattern"), Vec::<String>::new());
    let day = vault.read("daily/2026-05-30.md");
    vault.write("daily/2026-05-30.md", &format!("{day}\n### Session (12:00) - More\n\n- Quokka on the roof.\n"));
    assert_eq!(paths(&vault, "quokka"), ["daily/2026-05-30.md"]);
}

#[test]
fn an_index_that_grew_step_by_step_finds_what_a_new_one_finds() {
    let vault = bakery();
    for n in 0..40 {
        vault.write(
            &format!("knowledge/concepts/p{n}.md"),
            &format!("# Page {n}\n\nBread number {n} and the oven clock.\n"),
        );
        if n % 3 == 0 {
            vault.write("knowledge/concepts/p0.md", &format!("# Page zero\n\nRevision {n} of the bread.\n"));
        }
        ask(&vault, "bread");
    }
    let grown = paths(&vault, "bread revision oven");
    assert!(n_segments(&vault) < 8, "{} segments", n_segments(&vault));
    fs::remove_dir_all(vault.root().join(".kenning/cache")).expect("removes");
    let mut fresh = paths(&vault, "bread revision oven");
    // Rarity still counts dead copies in the grown index, so that scores differ a little; what is found does not.
    let mut grown = grown;
    grown.sort();
    fresh.sort();
    assert_eq!(grown, fresh);
}

fn n_segments(vault: &Vault) -> usize {
    let cache = fs::read_dir(vault.root().join(".kenning/cache")).expect("a cache");
    cache.filter(|entry| entry.as_ref().expect("an entry").file_name().to_string_lossy().starts_with("search-")).count()
}

#[test]
fn a_damaged_index_is_made_again_without_a_word() {
    let vault = bakery();
    let before = found(&vault, "clock bread flour");
    assert!(!before.is_empty());
    let cache = vault.root().join(".kenning/cache");
    let names: Vec<_> = fs::read_dir(&cache).expect("a cache").map(|entry| entry.expect("an entry").path()).collect();
    let files =
        names.iter().filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("search")));
    for path in files.filter(|path| fs::metadata(path).expect("stands").len() > 0) {
        let whole = fs::read(path).expect("reads");
        let mut flipped = whole.clone();
        flipped[whole.len() / 2] ^= 0x55;
        for bytes in [flipped, whole[..whole.len() / 2].to_vec(), Vec::new(), b"not an index".to_vec()] {
            fs::write(path, bytes).expect("writes");
            let outcome = ask(&vault, "clock bread flour");
            assert_eq!(
                (found(&vault, "clock bread flour"), outcome.notes),
                (before.clone(), Vec::<String>::new()),
                "{}",
                path.display()
            );
        }
        let _ = fs::remove_file(path);
        assert_eq!(found(&vault, "clock bread flour"), before);
    }
}

#[test]
fn readers_never_see_half_of_an_update_and_never_wait_for_one() {
    let vault = bakery();
    let pair = |n: usize| vault.write("knowledge/concepts/pair.md", &format!("# Pair\n\nAlpha{n} beta{n}.\n"));
    pair(0);
    ask(&vault, "bread");
    let is_done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            for n in 0..60 {
                pair(n);
                vault.engine().refresh_index().expect("refreshes");
            }
            is_done.store(true, Ordering::SeqCst);
        });
        let readers: Vec<_> = (0..2)
            .map(|_| {
                scope.spawn(|| {
                    let mut n_asked = 0;
                    while !is_done.load(Ordering::SeqCst) {
                        assert_eq!(ask(&vault, "monotonic clock").pages[0].slug, "oven");
                        // Half an update would be the page twice, old and new, or not at all.
                        let pages = ask(&vault, "pair").pages;
                        assert_eq!(pages.iter().filter(|hit| hit.slug == "pair").count(), 1);
                        n_asked += 1;
                    }
                    n_asked
                })
            })
            .collect();
        writer.join().expect("writes");
        assert!(readers.into_iter().all(|reader| reader.join().expect("reads") > 0));
    });
    assert_eq!(paths(&vault, "alpha59"), ["knowledge/concepts/pair.md"]);
    let lock = fs::File::create(vault.root().join(".kenning/cache/search.lock")).expect("opens");
    lock.lock().expect("is free");
    vault.write("knowledge/concepts/late.md", "# Late\n\nA tapir came.\n");
    let behind = ask(&vault, "tapir");
    assert!(behind.pages.is_empty() && behind.notes[0].starts_with("another process"), "{:?}", behind.notes);
    drop(lock);
    assert_eq!(paths(&vault, "tapir"), ["knowledge/concepts/late.md"]);
}

#[test]
fn a_cache_that_cannot_be_written_costs_time_only() {
    let vault = bakery();
    let before = found(&vault, "clock");
    fs::remove_dir_all(vault.root().join(".kenning/cache")).expect("removes");
    // A file where the folder should be: nothing can be put below it, whoever runs the test.
    fs::write(vault.root().join(".kenning/cache"), "").expect("writes");
    assert_eq!(found(&vault, "clock"), before);
}

#[test]
fn scopes_phrases_and_exclusions_narrow_and_say_when_they_find_nothing() {
    let vault = bakery();
    assert_eq!(ask(&vault, "clock agent:codex").pages.len(), 0);
    assert_eq!(ask(&vault, "clock agent:codex").evidence.len(), 1);
    assert_eq!(ask(&vault, "clock agent:gemini").evidence.len(), 0);
    assert_eq!(paths(&vault, "\"wall clock\""), ["daily/2026-05-30.md"]);
    assert_eq!(paths(&vault, "clock -wall"), ["knowledge/concepts/oven.md"]);
    let loose = ask(&vault, "\"clock oven\"");
    assert!(loose.notes[0].contains("\"clock oven\"") && !loose.pages.is_empty());
    assert!(ask(&vault, "clock date:soon").notes[0].contains("date:soon"));
    let days = ask(&vault, "clock yesterday").days.expect("days");
    assert_eq!(days.0.map(|day| day.to_string()).as_deref(), Some("2026-05-29"));
}

#[test]
fn a_question_that_says_only_when_lists_that_day_and_days_to_come_are_no_today() {
    let vault = bakery();
    vault.write("daily/2030-01-01.md", "# Daily Log: 2030-01-01\n\n### Session (09:00) - Later\n\n- Plans.\n");
    let asked = ask(&vault, "on 2026-05-30");
    assert!(!asked.abstained && asked.evidence.iter().all(|hit| hit.path.as_str() == "daily/2026-05-30.md"));
    let asked = ask(&vault, "clock yesterday");
    // Nothing is of that day, which makes no unknown word of it.
    assert_eq!(asked.unknown, Vec::<String>::new());
    assert_eq!(asked.days.expect("days").0.map(|day| day.to_string()).as_deref(), Some("2026-05-31"));
    assert_eq!(ask(&vault, "数据库什么时候").unknown.len(), 1);
}

#[test]
fn a_misspelt_word_is_less_sure_than_the_right_one_and_surer_than_none() {
    let vault = bakery();
    let (right, wrong, none) = ("monotonic oven", "monotnoic oven", "quaggaish oven");
    let sure = |text: &str| ask(&vault, text).confidence;
    assert!(sure(right) > sure(wrong) && sure(wrong) > sure(none), "{} {} {}", sure(right), sure(wrong), sure(none));
    let asked = ask(&vault, wrong);
    assert_eq!(asked.unknown, ["monotnoic"]);
    assert_eq!(asked.notes, ["`monotnoic` is not in this vault; searched for `monotonic`"]);
    assert_eq!(asked.pages[0].slug, "oven");
}

#[test]
fn a_name_that_is_nearly_another_finds_and_makes_nothing_surer() {
    let vault = bakery();
    vault.write("knowledge/concepts/keys.md", "# Keys\n\nMarisol Andersson keeps the keys of the bakery.\n");
    let sure = |text: &str| ask(&vault, text).confidence;
    for (near, none) in [
        ("does Anderssen keep keys?", "does Quaggasen keep keys?"),
        ("does Mariso keep keys?", "does Quagga keep keys?"),
        ("does mariso keep keys?", "does quagga keep keys?"),
    ] {
        assert_eq!(ask(&vault, near).respelled.len(), 1, "{near}");
        assert_eq!(sure(near), sure(none), "{near}");
    }
    assert!(ask(&vault, "does \"Anderssen\" keep keys?").respelled.is_empty());
}

#[test]
fn a_word_that_an_edit_brought_unseen_is_itself_and_no_misspelling() {
    let vault = bakery();
    for n in 0..2_100 {
        vault.write(&format!("knowledge/concepts/p{n}.md"), &format!("# Page {n}\n\nBread number {n}.\n"));
    }
    assert_eq!(paths(&vault, "thermostta"), ["raw/manual.html"]);
    let place = vault.root().join("knowledge/concepts/p7.md");
    let mut file = fs::OpenOptions::new().append(true).open(place).expect("opens");
    std::io::Write::write_all(&mut file, b"\nA thermostta is a joke of ours.\n").expect("writes");
    assert_eq!(paths(&vault, "thermostta"), ["knowledge/concepts/p7.md"]);
}

#[test]
fn an_edit_in_place_of_a_large_vault_is_seen_before_the_answer_is_nothing() {
    let vault = bakery();
    for n in 0..2_100 {
        vault.write(&format!("knowledge/concepts/p{n}.md"), &format!("# Page {n}\n\nBread number {n}.\n"));
    }
    assert_eq!(paths(&vault, "quagga"), Vec::<String>::new());
    let place = vault.root().join("knowledge/concepts/p7.md");
    let mut file = fs::OpenOptions::new().append(true).open(place).expect("opens");
    std::io::Write::write_all(&mut file, b"\nA quagga stood there.\n").expect("writes");
    assert_eq!(paths(&vault, "quagga"), ["knowledge/concepts/p7.md"]);
}

#[cfg(unix)]
#[test]
fn a_pipe_among_the_pages_stops_nobody() {
    let vault = bakery();
    let place = vault.root().join("knowledge/concepts/pipe.md");
    let made = std::process::Command::new("mkfifo").arg(&place).status().expect("runs");
    assert!(made.success());
    assert_eq!(paths(&vault, "monotonic"), ["knowledge/concepts/oven.md"]);
}

#[test]
fn hostile_questions_are_questions() {
    let vault = bakery();
    let long = "clock ".repeat(20_000);
    for text in [
        "",
        " ",
        "\"",
        "-",
        "\"\" -\"\"",
        "a:b:c",
        "project:",
        "((((",
        "\u{0}\u{202e}",
        "認",
        long.as_str(),
        "field:\"",
        "-\"x",
    ] {
        let _ = ask(&vault, text);
    }
    assert_eq!(ask(&vault, "fix(oven): monotonic clock").pages[0].slug, "oven");
}

#[test]
fn a_day_can_be_asked_for_what_was_said_until_then() {
    let vault = bakery();
    vault.write(
        "daily/2026-06-05.md",
        "# Daily Log: 2026-06-05\n\n### Session (09:00) - Clocks\n\n- The clock is quartz now.\n",
    );
    vault.write(
        "knowledge/concepts/clock.md",
        "---\ncreated: 2026-05-30\nowner: kenning\n---\n# Clock\n\n- It jumped back an hour.[^1]\n- It is quartz.[^2]\n\n[^1]: daily/2026-05-30.md#L9-L9 00000000 \"jumped\"\n[^2]: daily/2026-06-05.md#L5-L5 00000000 \"quartz\"\n",
    );
    let asked = |day: Option<&str>| {
        let request = SearchRequest { text: "quartz clock".to_owned(), n_max: 10, ..SearchRequest::default() };
        let engine = vault.engine();
        let engine = match day {
            Some(day) => engine.as_of(day.parse().expect("a date")).expect("reads"),
            None => engine,
        };
        let outcome = engine.searcher().expect("opens").search(&request).expect("answers");
        let all = outcome.pages.iter().chain(&outcome.evidence);
        all.map(|hit| (hit.path.to_string(), hit.text.contains("quartz"))).collect::<Vec<_>>()
    };
    let then = asked(Some("2026-06-01"));
    assert!(
        then.contains(&("knowledge/concepts/clock.md".to_owned(), false)) && then.iter().all(|(_, quartz)| !quartz),
        "{then:?}"
    );
    let now = asked(None);
    assert!(
        now.contains(&("knowledge/concepts/clock.md".to_owned(), true))
            && now.contains(&("daily/2026-06-05.md".to_owned(), true))
    );
    assert!(
        asked(Some("2026-01-01")).iter().all(|(path, _)| !path.starts_with("daily/") && !path.contains("clock.md"))
    );
}

#[test]
fn a_document_that_came_to_say_its_day_is_read_once() {
    let vault = Vault::new();
    vault.write("raw/oven.md", "# Oven\n\nThe oven is hot.\n");
    let days = |_: &std::path::Path, names: &std::collections::BTreeSet<String>| {
        names.iter().map(|name| (name.clone(), "2026-02-02".to_owned())).collect()
    };
    std::fs::create_dir_all(vault.root().join(".git")).expect("creates");
    vault.write(".git/HEAD", "ref: refs/heads/main\n");
    let oven = [vault.root().join("raw/oven.md")];
    let done =
        vault.engine().ingest_committed(&oven, ken_engine::outcome::Trust::User, true, &days).expect("registers");
    assert_eq!(done.sources[0].day.map(|day| day.to_string()).as_deref(), Some("2026-02-02"));
    vault.engine().refresh_index().expect("refreshes");
    vault.write("raw/oven.md", "---\ndate: 2026-03-03\n---\n# Oven\n\nThe oven is hot.\n");
    let n_read = || vault.engine().refresh_index().expect("refreshes").n_read;
    assert_eq!((n_read(), n_read()), (1, 0));
}
