//! What is stored can be searched for secrets, and what is found is gone for good.

use std::fs;
use std::path::{Path, PathBuf};

use ken_core::Severity;
use ken_engine::{LintOptions, ScanOptions};

use crate::support::Vault;

/// Put together here, so that nobody takes this file for a leak.
fn secret() -> String {
    format!("gh{}_{}", "p", "0123456789abcdefghijABCDEFGHIJ456789")
}

fn leaky() -> Vault {
    let vault = Vault::new();
    let statements = format!(
        "# Daily Log: 2026-05-11\n\n### Session (09:30) - Oven timer\n**Decisions Made:**\n\
         - The oven timer reads the monotonic clock on every tick.\n\
         - The oven timer asks the kitchen display with {} today.\n\
         - The oven timer shows the minutes on the kitchen display.\n",
        secret()
    );
    vault.write("daily/2026-05-11.md", &statements);
    vault.compile();
    vault.write("knowledge/index/notes.md", &format!("- {}\n", secret()));
    vault.write("reports/lint-2026-05-12.md", &format!("- `{}`\n", secret()));
    vault.write(".kenning/spool/1.json", &format!("{{\"text\":\"{}\"}}\n", secret()));
    vault
}

fn holders(folder: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for path in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        if path.is_dir() {
            out.extend(holders(&path));
        } else if String::from_utf8_lossy(&fs::read(&path).expect("reads")).contains(&secret()) {
            out.push(path);
        }
    }
    out
}

fn fix() -> ScanOptions {
    ScanOptions { fix: true, paths: Vec::new() }
}

#[test]
fn after_a_fix_no_file_of_the_vault_holds_the_secret() {
    let vault = leaky();
    let found = vault.engine().scan(&ScanOptions::default()).expect("scans");
    assert!(holders(vault.root()).len() >= 4, "{:?}", holders(vault.root()));
    assert!(found.findings.iter().all(|secret| secret.kind == "github-token" && secret.excerpt.len() <= 7));
    let done = vault.engine().scan(&fix()).expect("fixes");
    assert_eq!(holders(vault.root()), Vec::<PathBuf>::new());
    assert_eq!((done.findings.len(), done.fixed.len()), (0, found.findings.len()));
}

#[test]
fn a_redacted_vault_compiles_and_lints_as_before() {
    let vault = leaky();
    let before = vault.engine().lint(LintOptions::default()).expect("lints").findings.len();
    vault.engine().scan(&fix()).expect("fixes");
    let outcome = vault.compile();
    assert!(outcome.edits_captured.is_empty(), "a mark is no hand edit: {:?}", outcome.edits_captured);
    let after = vault.engine().lint(LintOptions::default()).expect("lints");
    assert!(after.findings.iter().all(|finding| finding.diagnostic.severity != Severity::Error));
    assert!(after.findings.len() <= before, "{:#?}", after.findings);
    assert!(vault.engine().history(9, true).expect("reads").damage.is_empty());
    assert!(vault.read("knowledge/concepts/oven-timer.md").contains("[redacted:github-token]"));
}

#[test]
fn a_persons_page_is_redacted_only_when_it_is_named() {
    let vault = leaky();
    vault.write("knowledge/notes.md", &format!("# Notes\n\n- {}\n", secret()));
    let done = vault.engine().scan(&fix()).expect("fixes");
    assert_eq!((done.findings.len(), holders(vault.root())), (1, vec![vault.root().join("knowledge/notes.md")]));
    let named = ScanOptions { paths: vec!["knowledge/notes.md".into()], ..fix() };
    assert!(vault.engine().scan(&named).expect("fixes").findings.is_empty());
    assert_eq!(vault.read("knowledge/notes.md"), "# Notes\n\n- [redacted:github-token]\n");
}

#[test]
fn redacting_twice_is_redacting_once() {
    let vault = leaky();
    vault.engine().scan(&fix()).expect("fixes");
    let n_operations = vault.engine().history(99, true).expect("reads").rows.len();
    let again = vault.engine().scan(&fix()).expect("fixes");
    assert!(again.fixed.is_empty() && again.findings.is_empty());
    assert_eq!(vault.engine().history(99, true).expect("reads").rows.len(), n_operations);
}

#[test]
fn the_subject_of_an_operation_is_redacted_and_the_log_stays_whole() {
    let vault = leaky();
    let place = ".kenning/ops/2026-06.jsonl";
    let ops = vault.read(place);
    let subject = ops.split("\"subject\":\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a subject");
    // As an earlier version might have written it: the first line, so that all others follow from it.
    vault.remove(".kenning/ops");
    vault.write(place, &ops.replacen(subject, &secret(), 1));
    let n_damaged = vault.engine().history(9, true).expect("reads").damage.len();
    vault.engine().scan(&fix()).expect("fixes");
    let history = vault.engine().history(9, true).expect("reads");
    assert!(history.damage.len() <= n_damaged);
    assert_eq!(history.rows.last().expect("the first").subject, "[redacted:github-token]");
    assert_eq!(holders(vault.root()), Vec::<PathBuf>::new());
}
