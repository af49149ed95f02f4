//! What compiling promises: same input, same bytes; nothing lost; people's pages untouched.

use ken_core::{Severity, Tokens};
use ken_engine::{CompileOptions, LintOptions};

use crate::support::{Vault, example_days};

fn vault_with(days: &[(String, String)]) -> Vault {
    let vault = Vault::new();
    days.iter().for_each(|(name, text)| vault.write(&format!("daily/{name}"), text));
    vault.compile();
    vault
}

#[test]
fn compiling_day_by_day_gives_the_bytes_of_compiling_everything() {
    let days = example_days();
    let whole = vault_with(&days);
    let grown = Vault::new();
    for (name, text) in &days {
        grown.write(&format!("daily/{name}"), text);
        grown.compile();
    }
    assert_eq!(grown.wiki(), whole.wiki());
    assert!(whole.wiki().len() > 15, "the example makes a wiki");
}

#[test]
fn what_one_page_learns_is_replaced_is_so_on_every_page_that_says_it() {
    let entry = |n: u32, said: &str| format!("### Session ({n:02}:00) - Notes\n\n- {said}\n\n");
    let first: String = [
        "In the north hall the Blaufeld oven bakes the rye loaves at 240 degrees.",
        "The Blaufeld oven is cleaned on Mondays.",
        "The north hall keeps 12 racks of rye loaves beside the Blaufeld oven.",
        "The north hall is locked at night.",
        "The north hall has a window to the yard.",
        "The Blaufeld oven has a door of steel.",
    ]
    .iter()
    .zip(7..)
    .map(|(said, hour)| entry(hour, said))
    .collect();
    let second = entry(9, "The Blaufeld oven bakes the rye loaves at 220 degrees instead of 240 degrees.");
    let days = [("2026-03-02.md".to_owned(), first), ("2026-03-09.md".to_owned(), second)];
    let whole = vault_with(&days);
    let hall = |vault: &Vault| vault.read("knowledge/concepts/north-hall.md");
    let expected = "- ~~In the north hall the Blaufeld oven bakes the rye loaves at 240 degrees~~ until 2026-03-09; now: The Blaufeld oven bakes the rye loaves at 220 degrees instead of 240 degrees.[^";
    assert!(hall(&whole).contains(expected), "{}", hall(&whole));
    let grown = vault_with(&days[..1]);
    assert!(!hall(&grown).contains("~~"), "{}", hall(&grown));
    grown.write("daily/2026-03-09.md", &days[1].1);
    grown.compile();
    assert_eq!(grown.wiki(), whole.wiki());
    // Nor does it stay when what said so is gone.
    grown.remove("daily/2026-03-09.md");
    grown.compile();
    assert_eq!(grown.wiki(), vault_with(&days[..1]).wiki());
}

/// A document of several pages; it says how long two loaves bake, each on a page of its own.
fn long_guide([rye, spelt]: [u32; 2]) -> String {
    let section = |n: usize| {
        let loaf = match n {
            0 => format!("The rye loaf bakes for {rye} minutes.\n\n"),
            20 => format!("The spelt loaf bakes for {spelt} minutes.\n\n"),
            _ => String::new(),
        };
        let rule = format!("The dough of shelf {n} must rest before the oven{n} is lit, because it rises only once. ");
        format!("## Shelf {n}\n\n{loaf}{}\n", rule.repeat(40))
    };
    let baker = |n: usize| format!("- Baker {n} reads the guide, because nobody can ask the oven {n} for it.\n");
    let bakers = format!("## Bakers\n\nBakers of the house:\n\n{}\n", (0..30).map(baker).collect::<String>());
    format!("# Oven guide\n\n{}{bakers}", (0..24).map(section).collect::<String>())
}

#[test]
fn what_a_document_said_before_stands_on_the_page_that_says_it_now() {
    let told = |name: &str, was: u32, is: u32| {
        let loaf = if name == "rye" { 0 } else { 1 };
        let says = |minutes: u32| format!("\"The {} loaf bakes for {minutes} minutes\"", ["rye", "spelt"][loaf]);
        format!("- `raw/guide.md` says {} instead of {}.\n", says(is), says(was))
    };
    let day = |items: &str| {
        format!(
            "### Session (09:00) - raw/guide.md changed\n<!-- kenning: trust=user -->\n\n**Key Exchanges:**\n{items}"
        )
    };
    let days = [
        ("daily/2026-03-02.md", day(&told("rye", 40, 55))),
        ("daily/2026-03-09.md", day(&(told("rye", 55, 50) + &told("spelt", 30, 35)))),
    ];
    let whole = Vault::new();
    whole.write("raw/guide.md", &long_guide([50, 35]));
    days.iter().for_each(|(path, text)| whole.write(path, text));
    whole.compile();
    let all = whole.wiki();
    let page = |said: &str| -> Vec<String> {
        let pages = all.iter().filter(|(_, text)| text.contains(said));
        pages.map(|(path, _)| path.clone()).collect()
    };
    assert!(all.len() > 2, "the guide makes several pages: {:?}", all.keys());
    for (was, until, is, loaf) in [(40, "02", 50, "rye"), (55, "09", 50, "rye"), (30, "09", 35, "spelt")] {
        let now = format!("The {loaf} loaf bakes for {is} minutes");
        let expected = format!("- ~~The {loaf} loaf bakes for {was} minutes~~ until 2026-03-{until}; now: {now}.[^");
        assert_eq!(page(&expected).len(), 1, "{expected}");
        assert_eq!(page(&expected), page(&format!("- {now}.[^")));
    }
    // What came back was something else in between.
    let back = Vault::new();
    back.write("raw/guide.md", &long_guide([40, 30]));
    back.write("daily/2026-03-02.md", &day(&told("rye", 40, 55)));
    back.write("daily/2026-03-09.md", &day(&told("rye", 55, 40)));
    back.compile();
    for (was, until) in [(40, "02"), (55, "09")] {
        let row = format!(
            "- ~~The rye loaf bakes for {was} minutes~~ until 2026-03-{until}; now: The rye loaf bakes for 40 minutes.[^"
        );
        assert!(back.wiki().values().any(|text| text.contains(&row)), "{row}");
    }
    // What came later, in whatever order, makes the same pages, and what is gone leaves nothing behind.
    let grown = Vault::new();
    for (path, text) in days.iter().rev() {
        grown.write(path, text);
        grown.compile();
    }
    grown.write("raw/guide.md", &long_guide([55, 30]));
    grown.compile();
    grown.write("raw/guide.md", &long_guide([50, 35]));
    grown.compile();
    assert_eq!(grown.wiki(), whole.wiki());
    days.iter().for_each(|(path, _)| grown.remove(path));
    grown.compile();
    let bare = Vault::new();
    bare.write("raw/guide.md", &long_guide([50, 35]));
    bare.compile();
    assert_eq!(grown.wiki(), bare.wiki());
}

#[test]
fn what_is_said_of_a_longer_name_ends_what_was_said_of_the_thing() {
    let entry = |n: u32, said: &str| format!("### Session ({n:02}:00) - Notes\n\n- {said}\n\n");
    let first: String = [
        "The lamp in the porch is 40 watts.",
        "The lamp hangs at the north wall.",
        "The lamp is switched off at night.",
        "The lamp came with two keys.",
        "The porch lamp has a hood of glass.",
        "The porch lamp is cleaned on Mondays.",
    ]
    .iter()
    .zip(7..)
    .map(|(said, hour)| entry(hour, said))
    .collect();
    let second = entry(9, "The porch lamp changes from 40 to 60 watts, because of the ice.");
    let days = [("2026-03-02.md".to_owned(), first), ("2026-03-09.md".to_owned(), second)];
    let whole = vault_with(&days);
    let lamp = |vault: &Vault| vault.read("knowledge/concepts/lamp.md");
    let expected = "- ~~The lamp in the porch is 40 watts~~ until 2026-03-09; now: The porch lamp changes from 40 to 60 watts, because of the ice.[^";
    assert!(lamp(&whole).contains(expected), "{}", lamp(&whole));
    let grown = vault_with(&days[..1]);
    assert!(!lamp(&grown).contains("~~"), "{}", lamp(&grown));
    grown.write("daily/2026-03-09.md", &days[1].1);
    grown.compile();
    assert_eq!(grown.wiki(), whole.wiki());
}

#[test]
fn a_renamed_thing_has_one_page_whatever_is_compiled_first() {
    let entry = |said: &[&str]| {
        let said: String = said.iter().map(|said| format!("- {said}\n")).collect();
        format!("### Session (09:00) - Notes\n\n{said}\n")
    };
    let days: Vec<(String, String)> = [
        (
            "2026-03-02.md",
            entry(&["Mudlark refuses to run when the tree is dirty.", "Mudlark needs a key for the gateway."]),
        ),
        (
            "2026-03-05.md",
            entry(&["The gateway is restarted by Mudlark at the end.", "The gateway keeps its key in the yard."]),
        ),
        ("2026-03-09.md", entry(&["Decision: Mudlark is renamed to Siltbird, because nobody could spell it."])),
        ("2026-03-12.md", entry(&["Siltbird was renamed to Heron.", "Heron asks for a second person."])),
    ]
    .map(|(name, text)| (name.to_owned(), text))
    .to_vec();
    let whole = vault_with(&days);
    let wiki = whole.wiki();
    let about: Vec<&String> =
        wiki.keys().filter(|path| ["mudlark", "siltbird", "heron"].iter().any(|name| path.contains(name))).collect();
    assert_eq!(about, ["knowledge/entities/heron.md"]);
    let page = whole.read("knowledge/entities/heron.md");
    assert!(page.contains("aliases: [Mudlark, Siltbird]") && page.contains("Mudlark needs a key"), "{page}");
    let orders: [[usize; 4]; 4] = [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1], [1, 3, 0, 2]];
    for order in orders {
        let grown = Vault::new();
        for n in order {
            grown.write(&format!("daily/{}", days[n].0), &days[n].1);
            grown.compile();
        }
        assert_eq!(grown.wiki(), wiki, "{order:?}");
        // When nobody says so any longer, both have their names again.
        grown.remove("daily/2026-03-12.md");
        grown.compile();
        assert_eq!(grown.wiki(), vault_with(&days[..3]).wiki(), "{order:?}");
        grown.remove("daily/2026-03-09.md");
        grown.compile();
        assert_eq!(grown.wiki(), vault_with(&days[..2]).wiki(), "{order:?}");
    }
}

#[test]
fn older_claims_move_to_a_page_of_their_own_and_back() {
    let day = |n: u32| {
        let entry = |hour: u32| {
            let said = format!("The Blaufeld oven needs {n} minutes for {hour} loaves of rye.");
            format!("### Session ({hour:02}:00) - Oven log\n\n- {said}\n\n")
        };
        (format!("2026-03-{n:02}.md"), (9..13).map(entry).collect::<String>())
    };
    let days: Vec<(String, String)> = (1..=20).map(day).collect();
    let whole = vault_with(&days);
    let history = "knowledge/concepts/blaufeld-oven-history.md";
    let grown = Vault::new();
    for (name, text) in &days {
        grown.write(&format!("daily/{name}"), text);
        grown.compile();
    }
    assert_eq!(grown.wiki(), whole.wiki());
    let older = whole.read(history);
    assert!(older.contains("needs 5 minutes for 12 loaves") && !older.contains("needs 6 minutes"), "{older}");
    let page = whole.read("knowledge/concepts/blaufeld-oven.md");
    assert!(page.contains("needs 6 minutes") && page.contains("[[blaufeld-oven-history|"), "{page}");
    // A subject that is called so stands elsewhere; with fewer claims there is no such page.
    let called = "### Session (09:00) - Name\n\n- [[Blaufeld oven history]] is kept in the office.\n";
    whole.write("daily/2026-04-01.md", called);
    whole.compile();
    assert!(whole.read(history).contains("needs 5 minutes"));
    assert!(whole.wiki().values().any(|page| page.contains("is kept in the office")));
    days[..5].iter().for_each(|(name, _)| grown.remove(&format!("daily/{name}")));
    grown.compile();
    assert!(!grown.wiki().keys().any(|path| path.ends_with("-history.md")));
}

#[test]
fn entry_by_entry_in_any_order_of_days_gives_the_same_bytes() {
    let days = example_days();
    let whole = vault_with(&days);
    let grown = Vault::new();
    // Days grow by one entry at a time, the last day first.
    let parts: Vec<(String, Vec<String>)> = days
        .iter()
        .rev()
        .map(|(name, text)| (name.clone(), text.split_inclusive("\n\n### ").map(str::to_owned).collect()))
        .collect();
    for n in 1..=4 {
        for (name, pieces) in &parts {
            let text: String = pieces.iter().take(n * 2).cloned().collect();
            grown.write(&format!("daily/{name}"), &text);
            grown.compile();
        }
    }
    days.iter().for_each(|(name, text)| grown.write(&format!("daily/{name}"), text));
    grown.compile();
    assert_eq!(grown.wiki(), whole.wiki());
}

#[test]
fn deleting_the_wiki_and_compiling_again_gives_the_same_bytes() {
    let vault = vault_with(&example_days());
    let before = vault.wiki();
    vault.remove("knowledge");
    vault.compile();
    assert_eq!(vault.wiki(), before);
    vault.remove("knowledge");
    vault.remove(".kenning/cache");
    vault.compile();
    assert_eq!(vault.wiki(), before);
}

#[test]
fn deleting_the_cache_changes_nothing() {
    let vault = vault_with(&example_days());
    vault.remove(".kenning/cache");
    let outcome = vault.compile();
    assert!(outcome.created.is_empty() && outcome.updated.is_empty() && outcome.removed.is_empty(), "{outcome:?}");
}

/// What may have become of each file of the cache whose name begins so: its bytes, and those of another one.
fn with_damaged_caches(vault: &Vault, prefix: &str, mut check: impl FnMut(&Vault)) {
    let folder = vault.root().join(".kenning/cache");
    let names = |vault: &Vault| -> Vec<String> {
        let below = vault.files_in_cache();
        below.into_iter().filter(|name| name.starts_with(prefix)).collect()
    };
    type Damage = fn(Vec<u8>, Vec<u8>) -> Vec<u8>;
    let damages: [Damage; 4] = [
        |own, _| own.iter().map(|byte| byte ^ 0x5a).collect(),
        |own, _| own[..own.len() / 2].to_vec(),
        |_, other| other,
        |_, _| Vec::new(),
    ];
    for damage in damages {
        let files: Vec<String> = names(vault);
        assert!(!files.is_empty(), "{prefix} is in the cache");
        let bytes: Vec<Vec<u8>> = files.iter().map(|name| std::fs::read(folder.join(name)).expect("reads")).collect();
        for (n, name) in files.iter().enumerate() {
            let other = bytes[(n + 1) % bytes.len()].clone();
            std::fs::write(folder.join(name), damage(bytes[n].clone(), other)).expect("writes");
        }
        check(vault);
    }
}

#[test]
fn what_was_kept_of_days_changes_no_byte_whatever_becomes_of_it() {
    let days = example_days();
    let (last, before) = days.split_last().expect("days");
    let whole = vault_with(&days);
    let vault = vault_with(before);
    with_damaged_caches(&vault, "day-", |vault| {
        vault.write(&format!("daily/{}", last.0), &last.1);
        vault.compile();
        assert_eq!(vault.wiki(), whole.wiki());
        vault.remove(&format!("daily/{}", last.0));
        vault.compile();
        assert_eq!(vault.wiki(), vault_with(before).wiki());
        assert_eq!(vault.files_in_cache().iter().filter(|name| name.starts_with("day-")).count(), before.len());
    });
}

#[test]
fn lint_finds_the_same_whatever_becomes_of_what_it_found_before() {
    let vault = vault_with(&example_days());
    let page = "knowledge/concepts/stock-reservation.md";
    let claim = vault.read(page).replace("ten minutes", "11 minutes");
    let note = "---\ntitle: Note\n---\nThe [[stock-reservation]] of Tarvos lasts 77 minutes.[^1]\n\n[^1]: daily/";
    vault.write("knowledge/note.md", &format!("{note}{}#L1-L9\n", example_days()[0].0));
    vault.write(page, &claim);
    let found = |vault: &Vault| {
        let found = vault.engine().lint(LintOptions { suggestions: true, ..LintOptions::default() }).expect("lints");
        found.findings.into_iter().map(|one| format!("{:?}", one.diagnostic)).collect::<Vec<_>>()
    };
    let first = found(&vault);
    assert!(first.iter().any(|one| one.contains("ungrounded-claim")), "{first:#?}");
    assert_eq!(found(&vault), first);
    with_damaged_caches(&vault, "lint", |vault| assert_eq!(found(vault), first));
    // A page of the name that a claim told makes it known; then it does not.
    vault.write("knowledge/tarvos.md", "---\ntitle: Tarvos\n---\nA town of [[note]].\n");
    let more = found(&vault);
    vault.remove(".kenning/cache/lint.bin");
    assert_eq!(found(&vault), more);
    vault.remove("knowledge/tarvos.md");
    assert_eq!(found(&vault), first);
}

#[test]
fn unchanged_input_writes_nothing() {
    let vault = vault_with(&example_days());
    let ops = vault.engine().history(100, true).expect("reads").rows.len();
    let log = vault.read("knowledge/log.md");
    vault.compile();
    assert_eq!(
        (vault.engine().history(100, true).expect("reads").rows.len(), vault.read("knowledge/log.md")),
        (ops, log)
    );
}

#[test]
fn a_removed_day_takes_its_claims_and_pages_with_it() {
    let days = example_days();
    let vault = vault_with(&days);
    vault.remove(&format!("daily/{}", days[5].0));
    vault.compile();
    assert_eq!(vault.wiki(), vault_with(&days[..5]).wiki());
}

#[test]
fn a_compiled_vault_lints_without_errors_or_warnings() {
    let vault = vault_with(&example_days());
    let found = vault.engine().lint(LintOptions::default()).expect("lints").findings;
    let bad: Vec<_> = found.iter().filter(|finding| finding.diagnostic.severity != Severity::Suggestion).collect();
    assert!(bad.is_empty(), "{bad:#?}");
}

#[test]
fn what_a_person_writes_into_a_compiled_page_is_kept() {
    let vault = vault_with(&example_days());
    let path = "knowledge/concepts/stock-reservation.md";
    let edited = vault.read(path)
        + "\n- Stock reservation is paused on market days.\n\n## Market stall rules\n\n| market stall | takes cash only |\n";
    vault.write(path, &edited);
    let outcome = vault.compile();
    assert_eq!(outcome.edits_captured.iter().map(ToString::to_string).collect::<Vec<_>>(), ["stock-reservation"]);
    assert!(vault.read("daily/2026-06-01.md").contains("Stock reservation is paused on market days."));
    let journal = vault.read("daily/2026-06-01.md");
    assert!(journal.contains("Market stall rules") && journal.contains("market stall | takes cash only"), "{journal}");
    let page = vault.read(path);
    assert!(page.contains("Stock reservation is paused on market days.[^"), "{page}");
    assert!(vault.compile().edits_captured.is_empty(), "an edit is captured once");
}

#[test]
fn a_page_of_a_person_is_never_written_to() {
    let vault = Vault::new();
    let mine = "---\ntitle: Stock reservation\n---\nMy own words about it.\n";
    vault.write("knowledge/concepts/stock-reservation.md", mine);
    example_days().iter().for_each(|(name, text)| vault.write(&format!("daily/{name}"), text));
    vault.compile();
    assert_eq!(vault.read("knowledge/concepts/stock-reservation.md"), mine);
    let beside = vault.read("knowledge/concepts/stock-reservation-journal.md");
    assert!(beside.contains("similar_high: [stock-reservation:2026-03"), "{beside}");
}

#[test]
fn headers_are_filled_only_when_asked_and_bodies_stay() {
    let vault = Vault::new();
    vault.write(
        "knowledge/oven.md",
        "# Oven schedule\n\nThe oven schedule says when each loaf is baked. Rye goes first.\n",
    );
    vault.compile();
    assert!(!vault.read("knowledge/oven.md").starts_with("---"));
    vault.engine().compile(CompileOptions { headers: true, ..CompileOptions::default() }).expect("compiles");
    let text = vault.read("knowledge/oven.md");
    assert!(text.contains("tldr: The oven schedule says when each loaf is baked."), "{text}");
    assert!(
        text.ends_with("---\n# Oven schedule\n\nThe oven schedule says when each loaf is baked. Rye goes first.\n"),
        "{text}"
    );
}

#[test]
fn a_byte_order_mark_keeps_no_header_away_and_stays_where_it_was() {
    let body = "# Oven schedule\n\nThe oven schedule says when each loaf is baked. Rye goes first.\n";
    let page = "<h1>Oven schedule</h1>\n<p>The oven schedule says when each loaf is baked.</p>\n";
    let vault = Vault::new();
    vault.write("knowledge/oven.md", &format!("\u{feff}{body}"));
    vault.write("knowledge/page.html", &format!("\u{feff}{page}"));
    vault.engine().compile(CompileOptions { headers: true, ..CompileOptions::default() }).expect("compiles");
    let text = vault.read("knowledge/oven.md");
    assert!(text.starts_with("\u{feff}---\ntitle: Oven schedule\ntldr: The oven schedule says"), "{text:?}");
    assert!(text.ends_with(&format!("---\n{body}")) && text.matches('\u{feff}').count() == 1, "{text:?}");
    let text = vault.read("knowledge/page.html");
    assert!(text.starts_with("\u{feff}<!--\n") && text.ends_with(&format!("-->\n{page}")), "{text:?}");
    let again = vault.engine().compile(CompileOptions { headers: true, ..CompileOptions::default() });
    assert!(again.expect("compiles").updated.is_empty());
}

#[test]
fn a_dry_run_shows_the_plan_and_changes_nothing() {
    let vault = Vault::new();
    example_days().iter().for_each(|(name, text)| vault.write(&format!("daily/{name}"), text));
    let before = vault.wiki();
    let outcome = vault.engine().compile(CompileOptions { dry_run: true, ..CompileOptions::default() }).expect("plans");
    let diff = outcome.diff.expect("a diff");
    assert!(diff.contains("+++ b/knowledge/concepts/stock-reservation.md"), "{diff}");
    assert_eq!(vault.wiki(), before);
}

#[test]
fn every_claim_cites_the_lines_it_was_taken_from() {
    let vault = vault_with(&example_days());
    for (path, text) in vault.wiki().into_iter().filter(|(path, _)| path.matches('/').count() == 2) {
        let page = ken_core::page::parse_page(&ken_core::VaultPath::new(&path).expect("inside"), text.clone()).value;
        for note in ken_core::page::outline::footnotes(&text, page.body()) {
            let cited = ken_core::claim::SourceRef::parse(note.text.of(&text)).expect("a citation");
            let source = vault.read(cited.path.as_str());
            let lines: Vec<&str> = source.lines().collect();
            let quoted = lines[cited.lines.0 - 1..cited.lines.1].join(" ");
            assert!(quoted.contains(cited.quote.trim_end_matches('…')), "{path}: {cited}");
        }
    }
}

#[test]
fn a_document_becomes_a_reference_page() {
    let vault = Vault::new();
    vault.write("raw/guide.html", "<h1>Oven guide</h1>\n<p>The deck oven needs 40 minutes to heat.</p>\n<p>Steam is added in the first 10 minutes.</p>\n");
    vault.compile();
    let page = vault.read("knowledge/references/oven-guide.md");
    assert!(
        page.contains("The deck oven needs 40 minutes to heat.[^1]") && page.contains("raw/guide.html#L2-L3"),
        "{page}"
    );
}

#[test]
fn a_question_is_answered_from_the_right_page_and_others_abstain() {
    let vault = vault_with(&example_days());
    let engine = vault.engine();
    let route = engine.route("What is stock reservation?", None).expect("routes").route;
    assert_eq!((route.loaded[0].entry.slug.as_str(), route.loaded[0].tldr_only), ("stock-reservation", true));
    assert!(engine.route("Which Kubernetes cluster runs billing?", None).expect("routes").route.is_empty());
    for budget in [10, 60, 200, 900, 5000] {
        let pack =
            engine.context("How does the checkout flow reserve stock?", Some(Tokens(budget))).expect("packs").pack;
        assert!(pack.tokens <= Tokens(budget));
    }
}

#[test]
fn text_that_looks_like_markup_does_no_harm() {
    let vault = Vault::new();
    vault.write("daily/2026-04-01.md", "### Odd\n- The parser core sees `if [[ -z \"$x\" ]]` and [[ghost page]] <!-- hidden --> and [^9] marks.\n- The parser core also sees a lone ` tick and # hash.\n- The parser core counts 1. and 2) and | bars | too.\n");
    vault.compile();
    let found = vault.engine().lint(LintOptions::default()).expect("lints").findings;
    let bad: Vec<_> = found.iter().filter(|finding| finding.diagnostic.severity != Severity::Suggestion).collect();
    assert!(bad.is_empty(), "{bad:#?}\n{:#?}", vault.wiki());
}

#[test]
fn an_html_page_gets_its_header_as_a_comment() {
    let vault = Vault::new();
    let html = "<!DOCTYPE html>\n<html><head><title>Ovens</title></head><body><h1>Ovens</h1><p>Ovens heat in 40 minutes.</p></body></html>\n";
    vault.write("knowledge/ovens.html", html);
    vault.engine().compile(CompileOptions { headers: true, ..CompileOptions::default() }).expect("compiles");
    let text = vault.read("knowledge/ovens.html");
    assert!(text.starts_with("<!DOCTYPE html>\n<!--\nCONCEPT: Ovens\nTLDR: Ovens heat in 40 minutes.\n"), "{text}");
    assert!(text.ends_with("<html><head><title>Ovens</title></head><body><h1>Ovens</h1><p>Ovens heat in 40 minutes.</p></body></html>\n"), "{text}");
}

#[test]
fn the_demo_answers_from_a_tldr_from_several_pages_and_not_at_all() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let done = ken_engine::Engine::demo(&folder.path().join("demo"), &crate::support::keys(), &crate::support::clock())
        .expect("runs");
    let shown: Vec<(usize, bool)> = done
        .questions
        .iter()
        .map(|asked| (asked.route.loaded.len(), asked.route.loaded.iter().any(|page| page.tldr_only)))
        .collect();
    assert_eq!(shown, [(3, true), (3, false), (0, false)]);
    assert!(
        done.questions.iter().all(|asked| asked.route.tokens.0 * 4 < done.tokens_everything.0),
        "each saves three quarters"
    );
    assert!(
        ken_engine::Engine::demo(folder.path(), &crate::support::keys(), &crate::support::clock()).is_err(),
        "a folder that holds something is refused"
    );
}
