//! Adopting the pages of another compiler, in a vault in memory: whole, and cut off at any moment.

use std::path::{Path, PathBuf};

use ken_core::layout::Layout;
use ken_core::{Preset, VaultPath};
use ken_testkit::memfs::{Loss, MemFs};

use super::*;
use crate::config::Config;
use crate::in_memory::{NOW, engine_with, plant};

const ARTICLE: &str = "---\ntitle: \"Deck oven\"\naliases: [oven one]\nsources:\n  - \"daily/2026-04-01.md\"\ncreated: 2026-04-01\nupdated: 2026-04-01\n---\n# Deck oven\n\nThe deck oven is heated to 250 degrees.\n\n## Key Points\n\n- It came from Neustadt in a crate\n\n## Related Concepts\n\n- [[concepts/flour-silo]] - Feeds it\n";
const DAY: &str = "# Daily Log: 2026-04-01\n\n## Sessions\n\n### Session (14:30)\n\n**Decisions Made:**\n- The deck oven is heated to 250 degrees before the first bread\n";
const BY_HAND: &str = "# Awning\n\nThe awning is rolled in when it rains.\n";

fn config() -> Config {
    let preset = Preset::parse("memory-compiler").expect("a family");
    Config::with_layout(Layout::of(preset, ""))
}

fn engine(mem: &MemFs) -> Engine {
    engine_with(mem, NOW, config())
}

fn vault() -> MemFs {
    let mem = MemFs::new(Path::new("/vault"));
    plant(&mem, "daily/2026-04-01.md", DAY);
    plant(&mem, "knowledge/concepts/deck-oven.md", ARTICLE);
    let silo = ARTICLE.replace("Deck oven", "Flour silo").replace("deck oven", "flour silo").replace("oven one", "bin");
    plant(&mem, "knowledge/concepts/flour-silo.md", &silo.replace("concepts/flour-silo", "concepts/deck-oven"));
    plant(&mem, "knowledge/concepts/awning.md", BY_HAND);
    plant(
        &mem,
        "knowledge/index.md",
        "| Article | Summary | Compiled From | Updated |\n|---|---|---|---|\n| [[concepts/deck-oven]] | It is hot | daily/2026-04-01.md | 2026-04-01 |\n| [[concepts/lost]] | Gone | x | y |\n",
    );
    mem
}

/// What a person sees of a vault: everything but the program's own files.
fn seen(mem: &MemFs) -> Vec<(PathBuf, Vec<u8>)> {
    mem.files().into_iter().filter(|(path, _)| !path.starts_with("/vault/.kenning")).collect()
}

fn text(mem: &MemFs, place: &str) -> String {
    let files = mem.files();
    files
        .into_iter()
        .find(|(path, _)| path.ends_with(place))
        .map_or_else(String::new, |(_, bytes)| String::from_utf8(bytes).expect("text"))
}

#[test]
fn what_is_adopted_becomes_a_page_in_its_place_and_pages_by_hand_stay() {
    let mem = vault();
    let before = seen(&mem);
    let dry = engine(&mem).adopt(true).expect("looks");
    assert_eq!((dry.adopted.len(), dry.left.len(), seen(&mem)), (2, 1, before), "a dry run changes nothing");
    let done = engine(&mem).adopt(false).expect("adopts");
    assert_eq!(done.adopted, dry.adopted);
    let page = text(&mem, "knowledge/concepts/deck-oven.md");
    for part in [
        "owner: kenning",
        "tldr: It is hot",
        "aliases: [oven one]",
        "degrees.[^1]",
        "It came from Neustadt in a crate[^",
        "[[flour-silo|",
        "daily/2026-04-01.md#L8-L8",
        "raw/adopted/concepts/deck-oven.md#L",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert_eq!(text(&mem, "knowledge/concepts/awning.md"), BY_HAND);
    assert!(text(&mem, "raw/adopted/concepts/deck-oven.md").ends_with(ARTICLE.split_once("---\n#").expect("a body").1));
    assert!(
        text(&mem, "knowledge/index.md").contains("| [[concepts/lost]] | Gone | x | y |\n| [[concepts/flour-silo]] |")
    );
    let again = engine(&mem).adopt(false).expect("adopts");
    assert!(again.adopted.is_empty() && again.compiled.is_none());
}

#[test]
fn a_crash_anywhere_in_an_adoption_leaves_all_or_nothing() {
    let start = vault();
    let before = seen(&start);
    let after = start.fork();
    engine(&after).adopt(false).expect("adopts");
    let (whole, n_ops) = (seen(&after), after.n_ops());
    let mut n_whole = 0;
    for loss in [Loss::Kept, Loss::UnsyncedDropped, Loss::LastWriteTorn] {
        for n in 1..=n_ops {
            let mem = start.fork();
            mem.crash_at(n);
            let _ = engine(&mem).adopt(false);
            let mem = mem.after_crash(loss);
            drop(engine(&mem).lock("test").expect("recovers"));
            let is_whole = seen(&mem) == whole;
            assert!(is_whole || seen(&mem) == before, "crash at {n}, {loss:?}");
            n_whole += usize::from(is_whole);
            engine(&mem).adopt(false).expect("goes on");
            assert!(seen(&mem) == whole, "crash at {n}, {loss:?}");
        }
    }
    assert!(n_whole > 0 && n_whole < 3 * n_ops, "{n_whole} of {}", 3 * n_ops);
}

#[test]
fn one_undo_of_one_operation_gives_every_page_and_the_register_back() {
    let mem = vault();
    let (before, register) = (seen(&mem), text(&mem, ".kenning/sources.jsonl"));
    engine(&mem).adopt(false).expect("adopts");
    let history = engine(&mem).history(9, true).expect("reads");
    assert_eq!(history.rows.len(), 1, "{:?}", history.rows);
    engine(&mem).undo(None).expect("takes it back");
    assert_eq!(seen(&mem), before);
    assert_eq!(text(&mem, ".kenning/sources.jsonl"), register);
    let compiled = engine(&mem).compile(CompileOptions::default()).expect("compiles");
    assert!(compiled.updated.is_empty(), "nothing of it is left: {compiled:?}");
}

#[test]
fn what_a_day_says_later_stands_on_the_page_that_was_adopted() {
    let mem = vault();
    engine(&mem).adopt(false).expect("adopts");
    plant(
        &mem,
        "daily/2026-05-02.md",
        "# Daily Log: 2026-05-02\n\n### Session (09:00)\n\n**Decisions Made:**\n- The deck oven is heated to 240 degrees, no longer 250 degrees.\n",
    );
    engine(&mem).compile(CompileOptions::default()).expect("compiles");
    let page = text(&mem, "knowledge/concepts/deck-oven.md");
    assert!(page.contains("heated to 240 degrees") && page.contains("## Superseded"), "{page}");
    assert!(!page.contains("tldr: It is hot"), "what stood for the page may be past: {page}");
    assert!(page.contains("created: 2026-04-01") && page.contains("updated: 2026-05-02"), "{page}");
    assert!(page.contains("[[daily/2026-05-02]]"), "{page}");
    assert_eq!(text(&mem, "knowledge/concepts/deck-oven-journal.md"), "");
    let rows = text(&mem, "knowledge/index.md");
    assert_eq!(rows.matches("[[concepts/deck-oven]]").count(), 1, "{rows}");
    assert!(rows.contains("daily/2026-04-01.md, daily/2026-05-02.md | 2026-05-02 |"), "{rows}");
}

#[test]
fn what_is_called_the_same_and_what_was_made_of_no_day_stays() {
    let mem = vault();
    plant(&mem, "knowledge/concepts/deck-oven (conflicted copy).md", ARTICLE);
    let sources = "sources:\n  - \"daily/2026-04-01.md\"\n";
    plant(&mem, "knowledge/concepts/empty.md", &format!("---\ntitle: Empty\n{sources}---\n"));
    let outside = "sources:\n  - \"../../etc/2026-04-01.md\"\n";
    plant(&mem, "knowledge/concepts/outside.md", &format!("---\ntitle: Outside\n{outside}---\nA page of somebody.\n"));
    let before = seen(&mem);
    let done = engine(&mem).adopt(false).expect("adopts");
    let adopted: Vec<&str> = done.adopted.iter().map(|one| one.path.as_str()).collect();
    assert_eq!(adopted, ["knowledge/concepts/flour-silo.md"]);
    for name in ["deck-oven.md", "deck-oven (conflicted copy).md", "empty.md", "awning.md"] {
        let place = format!("/vault/knowledge/concepts/{name}");
        let was = before.iter().find(|(path, _)| path == Path::new(&place));
        assert_eq!(seen(&mem).iter().find(|(path, _)| path == Path::new(&place)), was, "{name}");
    }
}

#[test]
fn a_vault_of_another_family_has_nothing_to_adopt() {
    let mem = MemFs::new(Path::new("/vault"));
    let failure = crate::in_memory::engine(&mem).adopt(false).expect_err("refuses");
    assert!(failure.message.contains("no pages of another compiler"), "{failure:?}");
}

#[test]
fn a_planted_line_of_the_register_adopts_no_page_of_another_layout() {
    let mem = MemFs::new(Path::new("/vault"));
    let planted = crate::in_memory::engine(&mem);
    plant(&mem, "knowledge/concepts/awning.md", BY_HAND);
    plant(&mem, "raw/adopted/concepts/awning.md", BY_HAND);
    let copy = VaultPath::new("raw/adopted/concepts/awning.md").expect("inside");
    let digest = Digest::of(BY_HAND.as_bytes());
    let line =
        planted.register_line(&copy, Registered { digest, trust: Trust::Agent, day: None, is_adopted: true }, None);
    plant(&mem, register_path().as_str(), &line);
    planted.compile(CompileOptions::default()).expect("compiles");
    assert_eq!(text(&mem, "knowledge/concepts/awning.md"), BY_HAND);
}

#[test]
fn an_adopted_page_is_one_in_the_vault_that_takes_in_an_export_of_it() {
    let mem = vault();
    engine(&mem).adopt(false).expect("adopts");
    let format = crate::exchange::format_named("jsonl").expect("a format");
    let out = engine(&mem).export(format, &crate::exchange::Settings::default()).expect("writes");
    let dir = tempfile::TempDir::new().expect("a folder");
    let file = dir.path().join("shop.jsonl");
    std::fs::write(&file, &out.files[0].text).expect("a file");
    let other = MemFs::new(Path::new("/vault"));
    plant(&other, "knowledge/index.md", "| Article | Summary | Compiled From | Updated |\n|---|---|---|---|\n");
    let import = |trust| {
        let options = crate::exchange::ImportOptions { trust: Some(trust), dry_run: false };
        engine(&other).import(format, &file, options).expect("takes it in")
    };
    import(Trust::User);
    plant(
        &other,
        "daily/2026-05-02.md",
        "# Daily Log: 2026-05-02\n\n### Session (09:00)\n\n**Decisions Made:**\n- The deck oven is heated to 240 degrees, no longer 250 degrees.\n",
    );
    for mem in [&mem, &other] {
        plant(mem, "daily/2026-05-02.md", &text(&other, "daily/2026-05-02.md"));
        engine(mem).compile(CompileOptions::default()).expect("compiles");
    }
    let page = text(&other, "knowledge/concepts/deck-oven.md");
    assert_eq!(page, text(&mem, "knowledge/concepts/deck-oven.md"), "it grows there as it does here");
    assert!(page.contains("heated to 240 degrees") && page.contains("It came from Neustadt"), "{page}");
    // Of somebody else's a mark says nothing.
    let stranger = MemFs::new(Path::new("/vault"));
    let options = crate::exchange::ImportOptions { trust: Some(Trust::External), dry_run: false };
    engine(&stranger).import(format, &file, options).expect("takes it in");
    assert!(!text(&stranger, ".kenning/sources.jsonl").contains("\"adopted\":true"));
}
