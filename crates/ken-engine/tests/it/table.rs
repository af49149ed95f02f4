//! The table that routing makes for itself.

use std::fs;

use crate::support::Vault;

const PAGE: &str = "---\ntitle: Oven schedule\ntldr: The oven schedule says when each loaf is baked.\nanswers_when: [oven schedule, loaf]\n---\n# Oven schedule\n\nRye goes first.\n";

fn routed(vault: &Vault) -> Vec<String> {
    let route = vault.engine().route("when is each loaf of the oven schedule baked?", None).expect("routes").route;
    route.loaded.iter().map(|page| page.entry.slug.to_string()).collect()
}

#[test]
fn a_vault_never_compiled_gets_its_table_with_the_first_route_and_nothing_else() {
    let vault = Vault::new();
    vault.write("knowledge/concepts/oven-schedule.md", PAGE);
    let before = vault.wiki();
    let table = vault.root().join(".kenning/cache/read.bin");
    assert_eq!(routed(&vault), ["oven-schedule"]);
    let made = fs::metadata(&table).expect("a table").modified().expect("a time");
    assert_eq!(routed(&vault), ["oven-schedule"]);
    assert_eq!(fs::metadata(&table).expect("a table").modified().expect("a time"), made, "it is made once");
    assert_eq!(vault.wiki(), before);
    assert!(!vault.root().join(".kenning/cache/route.bin").exists());
}

#[test]
fn a_route_sees_files_as_they_are_whatever_its_table_says() {
    let vault = Vault::new();
    vault.write("knowledge/concepts/plan.md", PAGE);
    assert_eq!(routed(&vault), ["plan"]);
    vault.write("knowledge/concepts/plan.md", "---\ntitle: Trams\ntldr: Trams leave at noon.\n---\n# Trams\n");
    assert!(routed(&vault).is_empty());
    vault
        .write("knowledge/concepts/loaves.md", &PAGE.replace("title: Oven schedule", "title: Oven schedule of loaves"));
    assert_eq!(routed(&vault), ["loaves"]);
    vault.remove("knowledge/concepts/loaves.md");
    assert!(routed(&vault).is_empty());
}

#[test]
fn a_damaged_table_and_a_cache_that_cannot_be_made_change_no_route() {
    let vault = Vault::new();
    vault.write("knowledge/concepts/oven-schedule.md", PAGE);
    assert_eq!(routed(&vault), ["oven-schedule"]);
    vault.write(".kenning/cache/read.bin", "no table at all");
    assert_eq!(routed(&vault), ["oven-schedule"]);
    // A file where the cache should be: nobody can write below it, whoever they are.
    vault.remove(".kenning/cache");
    vault.write(".kenning/cache", "");
    assert_eq!(routed(&vault), ["oven-schedule"]);
}

#[test]
fn what_routing_noted_hides_no_edit_by_hand_from_the_next_compile() {
    let vault = Vault::new();
    vault.write("daily/2026-04-01.md", "# Daily Log: 2026-04-01\n\n### Ovens\n\n**Decisions Made:**\n- The oven schedule moves to Friday.\n- The oven schedule is kept by Ada.\n");
    vault.compile();
    let is_page = |(path, text): &(String, String)| !path.ends_with("index.md") && text.contains("Friday");
    let (path, _) = &vault.wiki().into_iter().find(is_page).expect("a page");
    vault.remove(".kenning/cache");
    let edited = vault.read(path) + "\nAda wrote this too.\n";
    vault.write(path, &edited);
    routed(&vault);
    assert_eq!(vault.compile().edits_captured.len(), 1);
    let journal: String = fs::read_dir(vault.root().join("daily"))
        .expect("a journal")
        .map(|day| fs::read_to_string(day.expect("an entry").path()).expect("reads"))
        .collect();
    assert!(journal.contains("Ada wrote this too."));
}
