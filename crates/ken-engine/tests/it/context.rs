//! What a context is made of, over real vaults.

use std::fs;
use std::io::Write;

use crate::support::Vault;

fn context(vault: &Vault, question: &str) -> String {
    vault.engine().context(question, None).expect("answers").pack.text
}

#[test]
fn no_document_says_of_the_journal_that_it_no_longer_holds() {
    let vault = Vault::new();
    vault.write(
        "daily/2026-05-30.md",
        "# Daily Log: 2026-05-30\n\n## Sessions\n\n### Session (09:00) - Ovens\n\n- The oven starts at five.\n",
    );
    let said = "# Ovens\n\n## Superseded\n\n- The oven schedule is old.[^1]\n\n[^1]: daily/2026-05-30.md#L7-L7 12345678 \"x\"\n";
    vault.write("raw/ovens.md", said);
    let text = context(&vault, "when does the oven start?");
    assert!(text.contains("- The oven starts at five.") && !text.contains("(superseded) - The oven starts"), "{text}");
    // A page of the wiki does say it.
    vault.write("knowledge/concepts/ovens.md", said);
    let text = context(&vault, "when does the oven start?");
    assert!(text.contains("(superseded) - The oven starts at five."), "{text}");
}

#[test]
fn an_edit_in_place_of_a_large_vault_is_seen_before_nothing_is_said() {
    let vault = Vault::new();
    for n in 0..2_100 {
        vault.write(&format!("knowledge/concepts/p{n}.md"), &format!("# Page {n}\n\nBread number {n}.\n"));
    }
    assert_eq!(context(&vault, "quagga beside the oven"), "");
    let place = vault.root().join("knowledge/concepts/p0.md");
    let mut file = fs::OpenOptions::new().append(true).open(place).expect("opens");
    file.write_all(b"\nA quagga stood there, beside the oven.\n").expect("writes");
    assert!(context(&vault, "quagga beside the oven").contains("quagga stood there"));
}
