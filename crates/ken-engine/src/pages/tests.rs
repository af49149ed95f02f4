//! What every verb keeps: undo, compiles after it, links, crashes; in a vault in memory.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;

use ken_core::{Category, Digest, VaultPath};
use ken_testkit::memfs::{Loss, MemFs};

use super::*;
use crate::failure::FailureKind;
use crate::in_memory::{NOW, config, engine, engine_with, plant};

const DAY: &str = "# Daily Log: 2026-05-30

## Sessions

### Session (09:00) - Ovens

**Decisions Made:**
- We decided that the [[stone-oven]] is heated at five.
- The [[stone-oven]] bakes rye first.
- The [[hot-box]] keeps dough warm beside the [[stone-oven]].
- The [[hot-box]] was bought in May for 300 euros.
- The [[kitchen]] closes at noon, and the [[bread]] is sold before.
";

const BREAD: &str = "---
type: concept
title: Rye bread
aliases: [dark loaf]
similar_high: [oven-care:2026-03, stone-oven]
---
# Rye bread

Baked in the [[stone-oven|big oven]], see [care](oven-care.md#Cleaning \"how\") and [[oven-care#Heat]].

## Crust

The crust is dark.[^1] ![[oven-care]] `[[oven-care]]` ^crust

[^1]: knowledge/concepts/oven-care.md#L1-L2 0123abcd \"heat\"
";

const CARE: &str = "# Oven care

Ovens are swept.[^1]

## Heat

Heat it slowly. See [[#Cleaning]] and [[rye-bread#^crust]].

## Cleaning

Brush it, see [bread](rye-bread.md) and [[#Heat]].

[^1]: Said in [[rye-bread]].
";

fn path(text: &str) -> VaultPath {
    VaultPath::new(text).expect("inside")
}

fn engine_of(mem: &MemFs, foreign: &[&str]) -> Engine {
    let mut config = config();
    config.layout.foreign = foreign.iter().copied().map(path).collect();
    engine_with(mem, NOW, config)
}

/// A vault with pages of a person and compiled ones.
fn vault() -> MemFs {
    let mem = MemFs::new(Path::new("/vault"));
    plant(&mem, "daily/2026-05-30.md", DAY);
    plant(&mem, "knowledge/concepts/rye-bread.md", BREAD);
    plant(&mem, "knowledge/concepts/oven-care.md", CARE);
    plant(&mem, "knowledge/notes/My Index.md", "- [[rye-bread]]\n- [[concepts/oven-care|care]]\n- [[Rye bread]]\n");
    engine(&mem).compile(CompileOptions::default()).expect("compiles");
    mem
}

/// Every file that people read, the log aside.
fn wiki(mem: &MemFs) -> BTreeMap<String, String> {
    let files = mem.files().into_iter().filter_map(|(path, bytes)| {
        let name = path.strip_prefix("/vault").ok()?.to_str()?.to_owned();
        let is_told = !name.starts_with(".kenning") && name != "knowledge/log.md";
        is_told.then(|| (name, String::from_utf8_lossy(&bytes).into_owned()))
    });
    files.collect()
}

fn read(mem: &MemFs, place: &str) -> String {
    wiki(mem).remove(place).unwrap_or_else(|| panic!("no {place} in {:?}", wiki(mem).keys()))
}

fn rename(page: &str, title: &str) -> PageCommand {
    PageCommand::Rename { page: page.to_owned(), title: title.to_owned() }
}

fn merge(from: &str, into: &str) -> PageCommand {
    PageCommand::Merge { from: from.to_owned(), into: into.to_owned() }
}

fn split(page: &str, heading: &str, title: Option<&str>) -> PageCommand {
    let title = title.map(str::to_owned);
    PageCommand::Split { page: page.to_owned(), heading: heading.to_owned(), title }
}

fn shift(page: &str, folder: &str) -> PageCommand {
    PageCommand::Move { page: page.to_owned(), category: None, folder: Some(folder.to_owned()) }
}

fn retire(page: &str) -> PageCommand {
    PageCommand::Retire { page: page.to_owned(), because: "It was sold.".to_owned() }
}

fn redirect(from: &str, to: &str) -> PageCommand {
    PageCommand::Redirect { from: from.to_owned(), to: to.to_owned() }
}

fn new(title: &str, category: Category) -> PageCommand {
    PageCommand::New(NewPage { title: title.to_owned(), category, lede: None, why: None, how: None })
}

/// Every verb once, on pages of a person and on compiled ones.
fn verbs() -> Vec<PageCommand> {
    let append = |page: &str, text: &str| PageCommand::Append { page: page.into(), text: text.into(), heading: None };
    let edit = |page: &str, text: &str| PageCommand::Edit { page: page.into(), text: text.into(), read: None };
    vec![
        new("Slow rise", Category::Concept),
        append("rye-bread", "It keeps a week."),
        append("stone-oven", "It weighs two tons."),
        edit("rye-bread", &BREAD.replace("dark", "black")),
        rename("rye-bread", "Dark bread"),
        rename("stone-oven", "Deck oven"),
        merge("oven-care", "rye-bread"),
        merge("hot-box", "stone-oven"),
        merge("hot-box", "rye-bread"),
        split("oven-care", "Cleaning", None),
        split("oven-care", "Cleaning", Some("How ovens are cleaned")),
        shift("oven-care", "kitchen/heat"),
        PageCommand::Move { page: "rye-bread".into(), category: Some(Category::Entity), folder: None },
        retire("rye-bread"),
        retire("stone-oven"),
        redirect("black loaf", "rye-bread"),
        redirect("dough warmer", "hot-box"),
    ]
}

/// Where every link of persons' pages leads in the end, by page and in order; none for those that lead nowhere.
fn alive(engine: &Engine) -> Vec<(VaultPath, Vec<Option<Slug>>)> {
    let snapshot = engine.snapshot().expect("reads");
    let end = |mut at: usize| {
        for _ in 0..9 {
            let target = snapshot.pages[at].entry.redirect_to.clone();
            match target.and_then(|target| snapshot.find(&target)) {
                Some(next) => at = next,
                None => break,
            }
        }
        snapshot.pages[at].entry.slug.clone()
    };
    let own = snapshot.pages.iter().enumerate().filter(|(_, facts)| !facts.entry.is_owned);
    own.map(|(n, facts)| {
        let leads = snapshot.leads(n);
        // A link to a heading of its own page names no other.
        let named =
            facts.links.iter().zip(&leads.links).filter(|(link, _)| !link.target.of(&facts.page.text).is_empty());
        let all = named.map(|(_, to)| to).chain(&leads.relations);
        (facts.page.path.clone(), all.map(|to| to.map(end)).collect())
    })
    .collect()
}

#[test]
fn after_every_verb_compiling_changes_nothing_with_or_without_the_cache() {
    for verb in verbs() {
        let mem = vault();
        engine(&mem).page(&verb, false).unwrap_or_else(|failure| panic!("{verb:?}: {failure:?}"));
        let after = wiki(&mem);
        engine(&mem).compile(CompileOptions::default()).expect("compiles");
        assert_eq!(wiki(&mem), after, "{verb:?}: compiled again");
        engine(&mem).compile(CompileOptions { all: true, ..CompileOptions::default() }).expect("compiles");
        assert_eq!(wiki(&mem), after, "{verb:?}: compiled anew");
    }
}

#[test]
fn undo_of_every_verb_gives_every_byte_back() {
    for verb in verbs() {
        let mem = vault();
        let before = wiki(&mem);
        let done = engine(&mem).page(&verb, false).unwrap_or_else(|failure| panic!("{verb:?}: {failure:?}"));
        assert_ne!(wiki(&mem), before, "{verb:?}");
        engine(&mem).undo(None).unwrap_or_else(|failure| panic!("{verb:?}: {failure:?}"));
        let mut after = wiki(&mem);
        if let Some(journal) = &done.journal {
            after.remove(journal.as_str());
        }
        assert_eq!(after, before, "{verb:?}");
    }
}

#[test]
fn a_dry_run_changes_nothing_and_shows_what_the_command_does() {
    for verb in verbs() {
        let mem = vault();
        let before = mem.files();
        let dry = engine(&mem).page(&verb, true).unwrap_or_else(|failure| panic!("{verb:?}: {failure:?}"));
        assert_eq!(mem.files(), before, "{verb:?}");
        let diff = dry.diff.expect("a diff");
        assert!(diff.contains("\n+"), "{verb:?}: {diff}");
    }
}

#[test]
fn every_link_that_was_alive_is_alive_after_a_page_moved() {
    let moving = |verb: &PageCommand| {
        !matches!(verb, PageCommand::New(_) | PageCommand::Append { .. } | PageCommand::Edit { .. })
    };
    for verb in verbs().into_iter().filter(moving) {
        let mem = vault();
        let n_dead = |all: &[(VaultPath, Vec<Option<Slug>>)]| -> usize {
            all.iter().flat_map(|(_, links)| links).filter(|link| link.is_none()).count()
        };
        let before = alive(&engine(&mem));
        engine(&mem).page(&verb, false).unwrap_or_else(|failure| panic!("{verb:?}: {failure:?}"));
        let after = alive(&engine(&mem));
        assert_eq!(n_dead(&before), 0, "{before:?}");
        assert_eq!(n_dead(&after), 0, "{verb:?}: {after:?}");
        let findings = engine(&mem).lint(crate::check::LintOptions::default()).expect("lints");
        let broken = |rule: &str| rule.starts_with("broken") || rule == "double-redirect";
        let broken: Vec<_> =
            findings.findings.iter().filter(|one| broken(one.diagnostic.rule)).map(|one| &one.diagnostic).collect();
        assert!(broken.is_empty(), "{verb:?}: {broken:?}");
    }
}

#[test]
fn a_renamed_page_of_a_person_is_called_so_everywhere() {
    let mem = vault();
    let done = engine(&mem).page(&rename("rye-bread", "Dark bread"), false).expect("renames");
    assert_eq!(done.path, Some(path("knowledge/concepts/dark-bread.md")));
    let bread = read(&mem, "knowledge/concepts/dark-bread.md");
    assert!(bread.contains("title: Dark bread\n") && bread.contains("# Dark bread\n"), "{bread}");
    assert!(bread.contains("aliases: [dark loaf]\n"), "{bread}");
    let expected = "---\ntitle: Rye bread\nredirect_to: dark-bread\n---\nMoved to [[dark-bread|Dark bread]].\n";
    assert_eq!(read(&mem, "knowledge/concepts/rye-bread.md"), expected);
    let notes = read(&mem, "knowledge/notes/My Index.md");
    assert_eq!(notes, "- [[dark-bread]]\n- [[concepts/oven-care|care]]\n- [[Dark bread]]\n");
    let care = read(&mem, "knowledge/concepts/oven-care.md");
    assert!(care.contains("[[dark-bread#^crust]]") && care.contains("[bread](dark-bread.md)"), "{care}");
    assert_eq!(engine(&mem).show("Rye bread").expect("it leads on").entry.slug.as_str(), "dark-bread");
    let index = read(&mem, "knowledge/index.md");
    assert!(index.contains("[[concepts/dark-bread|Dark bread]]"), "{index}");
}

#[test]
fn a_renamed_compiled_page_is_compiled_under_its_new_name_for_good() {
    let mem = vault();
    let was = read(&mem, "knowledge/concepts/stone-oven.md");
    assert!(was.contains("bakes rye first"), "{was}");
    engine(&mem).page(&rename("stone-oven", "Deck oven"), false).expect("renames");
    let now = read(&mem, "knowledge/concepts/deck-oven.md");
    assert!(now.contains("title: Deck oven\n") && now.contains("bakes rye first"), "{now}");
    assert!(now.contains("owner: kenning"), "{now}");
    let bread = read(&mem, "knowledge/concepts/rye-bread.md");
    assert!(bread.contains("[[deck-oven|big oven]]") && bread.contains("oven-care:2026-03, deck-oven]"), "{bread}");
    let other = read(&mem, "knowledge/concepts/hot-box.md");
    assert!(!other.contains("[[stone-oven"), "{other}");
    plant(
        &mem,
        "daily/2026-05-31.md",
        "# Day\n\n### Session (09:00) - More\n\n**Decisions Made:**\n- The [[stone-oven]] was repaired.\n- The deck oven is swept.\n",
    );
    engine(&mem).compile(CompileOptions::default()).expect("compiles");
    let now = read(&mem, "knowledge/concepts/deck-oven.md");
    assert!(now.contains("was repaired") && now.contains("is swept") && now.contains("title: Deck oven\n"), "{now}");
    assert!(read(&mem, "knowledge/concepts/stone-oven.md").contains("redirect_to: deck-oven"));
    // And back again.
    engine(&mem).page(&rename("deck-oven", "Stone oven"), false).expect("renames back");
    assert!(read(&mem, "knowledge/concepts/stone-oven.md").contains("was repaired"));
    assert!(read(&mem, "knowledge/concepts/deck-oven.md").contains("redirect_to: stone-oven"));
}

#[test]
fn merged_compiled_pages_are_one_subject_for_good() {
    let mem = vault();
    engine(&mem).page(&merge("hot-box", "stone-oven"), false).expect("merges");
    let now = read(&mem, "knowledge/concepts/stone-oven.md");
    assert!(now.contains("bought in May") && now.contains("bakes rye first"), "{now}");
    assert!(read(&mem, "knowledge/concepts/hot-box.md").contains("redirect_to: stone-oven"));
    let failure = engine(&mem).page(&merge("stone-oven", "hot-box"), false).expect_err("a circle");
    assert!(failure.message.contains("is a redirect to `stone-oven`"), "{failure:?}");
    let failure = engine(&mem).page(&redirect("stone-oven", "hot-box"), false).expect_err("a circle");
    assert!(failure.message.contains("leads to `stone-oven` already"), "{failure:?}");
}

#[test]
fn a_retired_compiled_page_stays_as_it_is_until_it_is_restored() {
    let mem = vault();
    let before = wiki(&mem);
    engine(&mem).page(&retire("stone-oven"), false).expect("retires");
    let page = read(&mem, "knowledge/concepts/stone-oven.md");
    assert!(page.contains("status: retired\n") && page.contains("stale_reason: It was sold.\n"), "{page}");
    plant(
        &mem,
        "daily/2026-05-31.md",
        "# Day\n\n### Session (09:00) - More\n\n**Decisions Made:**\n- The [[stone-oven]] was repaired.\n",
    );
    engine(&mem).compile(CompileOptions::default()).expect("compiles");
    assert_eq!(read(&mem, "knowledge/concepts/stone-oven.md"), page);
    assert!(!wiki(&mem).keys().any(|name| name.contains("stone-oven-journal")), "{:?}", wiki(&mem).keys());
    let route = engine(&mem).route("When is the stone oven heated?", None).expect("routes");
    let loaded: Vec<&str> = route.route.loaded.iter().map(|one| one.entry.slug.as_str()).collect();
    assert!(!loaded.contains(&"stone-oven"), "{loaded:?}");
    mem.plant(Path::new("/vault/daily/2026-05-31.md"), b"");
    engine(&mem).page(&PageCommand::Restore { page: "stone-oven".into() }, false).expect("restores");
    let mut after = wiki(&mem);
    after.remove("daily/2026-05-31.md");
    assert_eq!(after, before);
}

#[test]
fn a_split_section_keeps_its_footnotes_and_its_links() {
    let mem = vault();
    engine(&mem).page(&split("oven-care", "Cleaning", Some("Oven cleaning")), false).expect("splits");
    let piece = read(&mem, "knowledge/concepts/oven-cleaning.md");
    assert_eq!(
        piece,
        "---\ntitle: Oven cleaning\n---\n# Oven cleaning\n\nBrush it, see [bread](rye-bread.md) and [[oven-care#Heat]].\n\n[^1]: Said in [[rye-bread]].\n"
    );
    let rest = read(&mem, "knowledge/concepts/oven-care.md");
    assert!(rest.contains("## Cleaning\n\nSee [[oven-cleaning|Oven cleaning]].\n"), "{rest}");
    assert!(rest.contains("[[oven-cleaning#Oven cleaning]]") && rest.contains("[^1]: Said in"), "{rest}");
    let bread = read(&mem, "knowledge/concepts/rye-bread.md");
    assert!(bread.contains("[care](oven-cleaning.md#Cleaning \"how\")"), "{bread}");
}

#[test]
fn names_that_no_page_can_have_are_refused_and_change_nothing() {
    let mem = vault();
    plant(&mem, "knowledge/theirs/far.md", "# Far\n");
    let before = mem.files();
    let engine = engine_of(&mem, &["knowledge/theirs"]);
    for (command, why) in [
        (new("---", Category::Concept), "no letter or digit"),
        (new("CON", Category::Concept), "cannot be the name of a page"),
        (new("Rye Bread!", Category::Concept), "is the name of a page already"),
        (new("dark loaf", Category::Concept), "is the name of a page already"),
        (new("What?", Category::Question), "are not made by hand"),
        (rename("rye-bread", "Oven care"), "is the name of a page already"),
        (rename("rye-bread", "Rye bread"), "is called so already"),
        (rename("rye-bred", "x"), "no page named `rye-bred`"),
        (rename("My Index", "a/b"), "cannot be the name of a file"),
        (rename("My Index", "aux:1"), "cannot be the name of a file"),
        (rename("far", "Near"), "another tool writes"),
        (merge("rye-bread", "Rye bread"), "are the same page"),
        (merge("rye-bread", "stone-oven"), "is compiled"),
        (split("oven-care", "Nothing", None), "has no heading"),
        (split("oven-care", "Oven care", None), "is the title"),
        (split("stone-oven", "Heat", None), "is compiled"),
        (shift("oven-care", "../out"), "is no folder for pages"),
        (shift("oven-care", ".obsidian"), "is no folder for pages"),
        (shift("oven-care", "index"), "is no folder for pages"),
        (shift("oven-care", "concepts"), "stands there already"),
        (redirect("oven-care", "rye-bread"), "is a page of its own"),
        (redirect("gone", "nowhere"), "no page named"),
        (PageCommand::Restore { page: "rye-bread".into() }, "is not retired"),
        (PageCommand::Rebuild { page: "rye-bread".into() }, "is your own page"),
    ] {
        let failure = engine.page(&command, false).expect_err("refused");
        assert!(failure.message.contains(why), "{command:?}: {failure:?}");
        assert!(failure.hints.iter().any(|hint| hint.contains("nothing was changed")), "{failure:?}");
    }
    let ours = |files: BTreeMap<std::path::PathBuf, Vec<u8>>| -> Vec<_> {
        files.into_iter().filter(|(path, _)| !path.starts_with("/vault/.kenning")).collect()
    };
    assert_eq!(ours(mem.files().into_iter().collect()), ours(before.into_iter().collect()));
}

#[test]
fn a_name_in_another_case_changes_the_title_and_no_file() {
    let mem = vault();
    engine(&mem).page(&rename("rye-bread", "RYE bread"), false).expect("renames");
    let bread = read(&mem, "knowledge/concepts/rye-bread.md");
    assert!(bread.contains("title: RYE bread\n") && bread.contains("# RYE bread\n"), "{bread}");
    engine(&mem).page(&rename("My Index", "MY index"), false).expect("renames");
    assert!(read(&mem, "knowledge/notes/My Index.md").starts_with("---\ntitle: MY index\n---\n"));
}

#[test]
fn notes_that_are_called_as_they_are_titled_go_on_so() {
    let mem = vault();
    engine(&mem).page(&rename("My Index", "Città è bella"), false).expect("renames");
    assert!(wiki(&mem).contains_key("knowledge/notes/Città è bella.md"));
}

#[test]
fn what_was_changed_meanwhile_is_not_replaced() {
    let mem = vault();
    let (_, before) = engine(&mem).page_to_edit("rye-bread").expect("reads");
    plant(&mem, "knowledge/concepts/rye-bread.md", &BREAD.replace("dark", "black"));
    let read_then = Some(Digest::of(before.as_bytes()));
    let command = PageCommand::Edit { page: "rye-bread".into(), text: "# Mine\n".into(), read: read_then };
    let failure = engine(&mem).page(&command, false).expect_err("it changed");
    assert_eq!(failure.kind, FailureKind::Retry);
    assert!(read(&mem, "knowledge/concepts/rye-bread.md").contains("black"));
}

#[test]
fn what_is_written_into_a_compiled_page_goes_by_the_journal() {
    let mem = vault();
    let page = read(&mem, "knowledge/concepts/stone-oven.md");
    let text = page.replacen("\n[^", "\n- The [[stone-oven]] weighs two tons.\n\n[^", 1);
    let command = PageCommand::Edit { page: "stone-oven".into(), text, read: None };
    let done = engine(&mem).page(&command, false).expect("edits");
    assert_eq!(done.journal, Some(path("daily/2026-06-01.md")));
    assert!(read(&mem, "daily/2026-06-01.md").contains("weighs two tons"));
    let now = read(&mem, "knowledge/concepts/stone-oven.md");
    assert!(now.contains("weighs two tons.[^"), "{now}");
}

#[test]
fn a_crash_anywhere_in_a_rename_or_a_merge_leaves_all_or_nothing() {
    for verb in [rename("rye-bread", "Dark bread"), rename("stone-oven", "Deck oven"), merge("oven-care", "rye-bread")]
    {
        let start = vault();
        let before = wiki(&start);
        let done = start.fork();
        engine(&done).page(&verb, false).expect("done");
        let (after, n_ops) = (wiki(&done), done.n_ops());
        for loss in [Loss::Kept, Loss::UnsyncedDropped, Loss::LastWriteTorn] {
            for n in 1..=n_ops {
                let mem = start.fork();
                mem.crash_at(n);
                let _ = engine(&mem).page(&verb, false);
                let mem = mem.after_crash(loss);
                drop(engine(&mem).lock("test").expect("recovers"));
                let now = wiki(&mem);
                assert!(now == before || now == after, "{verb:?}: crash at {n}, {loss:?}");
            }
        }
    }
}

#[test]
fn a_large_vault_of_notes_is_renamed_in_and_keeps_every_link_and_every_other_byte() {
    let n_notes = std::env::var("KEN_NOTES").ok().and_then(|n| n.parse().ok()).unwrap_or(200);
    let mem = MemFs::new(Path::new("/vault"));
    for n in 0..n_notes {
        let (a, b) = ((n * 7 + 1) % n_notes, (n * 13 + 5) % n_notes);
        let text = format!(
            "# Note {n}\n\nSee [[Note {a}]], [[Note {b}#Part|that]], ![[Note {a}#^b{a}]] and [it](Note%20{b}.md).\n\n## Part\n\nText of {n}. ^b{n}\n\n```\n[[Note {a}]]\n```\n"
        );
        plant(&mem, &format!("knowledge/f{}/Note {n}.md", n % 10), &text);
    }
    plant(&mem, "knowledge/.obsidian/workspace.json", "{\"lastOpenFiles\":[\"f7/Note 7.md\"]}");
    plant(&mem, "knowledge/board.canvas", "{\"nodes\":[{\"file\":\"f7/Note 7.md\"}]}");
    let others = |mem: &MemFs| -> Vec<(std::path::PathBuf, Vec<u8>)> {
        let is_note = |path: &Path| path.extension().is_some_and(|extension| extension == "md");
        mem.files().into_iter().filter(|(path, _)| !is_note(path) && !path.starts_with("/vault/.kenning")).collect()
    };
    let before = others(&mem);
    let started = std::time::Instant::now();
    engine(&mem).compile(CompileOptions::default()).expect("compiles");
    let compiled = started.elapsed();
    let n_alive = |all: &[(VaultPath, Vec<Option<Slug>>)]| all.iter().flat_map(|(_, to)| to).flatten().count();
    let alive_before = n_alive(&alive(&engine(&mem)));
    assert!(alive_before >= 4 * n_notes, "{alive_before}");
    let started = std::time::Instant::now();
    let done = engine(&mem).page(&rename("Note 7", "The seventh"), false).expect("renames");
    let renamed = started.elapsed();
    writeln!(std::io::stderr(), "{n_notes} notes: compiled in {compiled:?}, renamed in {renamed:?}").expect("stderr");
    assert!(done.n_references >= 4, "{done:?}");
    assert!(n_alive(&alive(&engine(&mem))) >= alive_before);
    assert_eq!(others(&mem), before);
    assert!(wiki(&mem).contains_key("knowledge/f7/The seventh.md"));
}

#[test]
fn what_is_appended_to_a_compiled_page_stands_on_it() {
    let mem = vault();
    for (n, text) in ["The stone oven weighs two tons.", "It was repaired by Ada in June."].into_iter().enumerate() {
        let command = PageCommand::Append { page: "stone-oven".into(), text: text.into(), heading: None };
        let done = engine(&mem).page(&command, false).expect("appends");
        assert_eq!(done.journal, Some(path("daily/2026-06-01.md")));
        let now = read(&mem, "knowledge/concepts/stone-oven.md");
        assert!(now.contains("weighs two tons.[^"), "{n}: {now}");
    }
}

/// What a person gives a page in two steps is there after the first, and a failure of the second must not say otherwise.
#[test]
fn a_disk_that_fills_up_at_any_write_of_an_appending_says_what_is_true() {
    let append =
        PageCommand::Append { page: "stone-oven".to_owned(), text: "It weighs two tons.".to_owned(), heading: None };
    let start = vault();
    let done = start.fork();
    engine(&done).page(&append, false).expect("appends");
    let (mut n_refused, mut n_recorded) = (0, 0);
    for n in 1..=done.n_ops() {
        let mem = start.fork();
        mem.full_at(n);
        let Err(failure) = engine(&mem).page(&append, false) else { continue };
        mem.heal();
        drop(engine(&mem).lock("test").expect("there is space again"));
        let is_said = wiki(&mem).iter().any(|(path, text)| path.starts_with("daily/") && text.contains("two tons"));
        let says_unchanged = failure.hints.iter().any(|hint| hint.contains("nothing was changed"));
        assert_eq!(says_unchanged, !is_said, "full at {n}: {failure:?}");
        assert_eq!(failure.kind == FailureKind::Recorded, is_said, "full at {n}: {failure:?}");
        if is_said { n_recorded += 1 } else { n_refused += 1 }
    }
    assert!(n_refused > 1 && n_recorded > 1, "{n_refused} {n_recorded}");
}
