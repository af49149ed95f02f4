//! What is hidden, what is live and what is secret does not get into a vault, by whatever way it comes, and what
//! an older version let in is found.

use std::fs;
use std::path::{Path, PathBuf};

use ken_engine::outcome::Trust;
use ken_engine::{CompileOptions, ScanOptions};

use crate::support::Vault;

#[path = "../../../ken-intake/tests/scrub/mod.rs"]
#[allow(dead_code, reason = "the measurement uses the rest of the corpus")]
mod corpus;

/// What hides a secret from a rule that looks for its shape.
const HIDDEN: &[&str] = &[
    "\u{200b}",
    "\u{200d}",
    "\u{ad}",
    "\u{202e}",
    "\u{2066}",
    "\u{2060}",
    "\u{e0041}",
    "\u{feff}",
    "\u{8}",
    "\u{1b}[31m",
    "\u{1b}]0;x\u{7}",
    "\u{fe0f}",
    "\u{3164}",
    "\u{9b}1m",
];

/// Put together here, so that nobody takes this file for a leak.
fn secret() -> String {
    format!("gh{}_{}", "p", "0123456789abcdefghijABCDEFGHIJ456789")
}

fn hidden_secrets() -> Vec<String> {
    let secret = secret();
    HIDDEN.iter().map(|hidden| format!("{}{hidden}{}", &secret[..9], &secret[9..])).collect()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    for path in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        if path.is_dir() { out.extend(files(&path)) } else { out.push(path) }
    }
    out
}

/// Every file of the vault as text, with its name.
fn texts(vault: &Vault) -> Vec<(PathBuf, String)> {
    let text = |path: PathBuf| (path.clone(), String::from_utf8_lossy(&fs::read(&path).expect("reads")).into_owned());
    files(vault.root()).into_iter().map(text).collect()
}

/// Looks at every file whose folder is wanted.
fn holds_nothing(vault: &Vault, is_wanted: impl Fn(&Path) -> bool) {
    for (path, text) in texts(vault).into_iter().filter(|(path, _)| path.parent().is_some_and(&is_wanted)) {
        let seen = ken_core::clean::clean(&text);
        assert!(!seen.contains(&secret()) && !seen.contains(&secret()[9..]), "{} holds it", path.display());
        let is_text = path.extension().is_some_and(|ext| ext == "md");
        assert!(!is_text || seen == text.as_str(), "{} holds what nobody sees", path.display());
    }
}

fn scan(vault: &Vault, fix: bool) -> ken_engine::outcome::ScanOutcome {
    vault.engine().scan(&ScanOptions { fix, paths: Vec::new() }).expect("scans")
}

#[test]
fn a_secret_with_something_hidden_inside_gets_into_no_file() {
    let vault = Vault::new();
    let outside = Vault::bare();
    for (n, hidden) in hidden_secrets().iter().enumerate() {
        vault
            .engine()
            .log(&format!("We decided that the oven timer asks with {hidden} on day {n}."), ken_engine::Note::default())
            .expect("logs");
        outside
            .write(&format!("oven-{n}.md"), &format!("# Oven {n}\n\nThe oven timer {n} asks with {hidden} today.\n"));
        let said = format!("We decided that the bread oven uses {hidden} as its token number {n}.");
        let line = |role: &str, said: &str| {
            let message = serde_json::json!({"role": role, "content": said});
            serde_json::json!({"type": role, "isSidechain": false, "sessionId": format!("s{n}"), "cwd": "/home/mia/bakery",
                "timestamp": "2026-06-01T09:00:00Z", "message": message}).to_string() + "\n"
        };
        let place = outside.root().join(format!("s{n}.jsonl"));
        fs::write(&place, line("user", "Settle the token.") + &line("assistant", &said)).expect("writes");
        for transcript in vault.engine().transcripts_at(&place).transcripts {
            vault.engine().capture(&transcript, None).expect("captures");
        }
    }
    let documents: Vec<PathBuf> =
        files(outside.root()).into_iter().filter(|path| path.extension().is_some_and(|ext| ext == "md")).collect();
    vault.engine().ingest(&documents, Trust::User, false).expect("ingests");
    vault.compile();
    holds_nothing(&vault, |_| true);
    let pages: Vec<PathBuf> =
        vault.wiki().into_keys().map(PathBuf::from).filter(|path| path.ends_with("oven-timer.md")).collect();
    let page = pages.first().expect("a page").display().to_string();
    let text = vault.read(&page);
    vault.write(
        &page,
        &text.replace("\n## ", &format!("\nThe oven timer also asks with {}.\n\n## ", hidden_secrets()[0])),
    );
    vault.compile();
    // An undo record keeps the bytes that a person wrote.
    holds_nothing(&vault, |folder| !folder.ends_with(".kenning/undo"));
    assert!(vault.read("daily/2026-06-01.md").contains("[redacted:github-token]"));
}

#[test]
fn nothing_of_a_document_is_live_or_hidden_on_a_compiled_page() {
    let vault = Vault::new();
    let outside = Vault::bare();
    outside.write(
        "oven.md",
        "# Oven timer ![t](https://title.example/t.png)\n\n\
         The oven timer shows ![chart](https://img.example/c.png?d=1) on the kitchen display.\n\n\
         The oven timer is <img src=\"https://tag.example/a.png\" onerror=alert(1)> drawn by the kitchen display.\n\n\
         The oven timer runs <script>fetch('https://x.example')</script> on the kitchen display every day.\n\n\
         The oven timer opens [the panel](javascript:alert(1)) of the kitchen display at night.\n\n\
         The oven timer keeps <iframe src=https://f.example></iframe> behind the kitchen display.\n\n\
         The oven tim\u{200b}er hides \u{e0068}\u{e0069}\u{202e}words from the kitchen display.\n\n\
         The oven timer writes `<img src=x>` in code on the kitchen display.\n\n\
         ## The kitchen display <svg onload=x>\n\nThe kitchen display names the oven timer ![x][ref] there.\n\n[ref]: https://ref.example/x.png\n",
    );
    outside.write(
        "display.html",
        "<h1>Kitchen display</h1><p>The kitchen display shows &lt;img src=https://entity.example/a.png&gt; of the oven timer.</p>\
         <p title=\"a > b\">The kitchen display is next to the oven timer <img src=https://html.example/b.png> here.</p>\
         <p>The kitchen display loads ![y](https://text.example/c.png) for the oven timer.</p>",
    );
    vault.engine().ingest(&files(outside.root()), Trust::User, false).expect("ingests");
    // A document that somebody put there, past every way in.
    vault.write("raw/planted.md", "# Planted\n\nThe oven timer was pl\u{200b}anted \u{202e}beside the kitchen display by ![z](https://raw.example/z.png) yesterday.\n");
    vault.compile();
    let wiki = vault.wiki();
    assert!(wiki.len() >= 3, "{:?}", wiki.keys());
    for (path, text) in &wiki {
        let code_free: String = text.split('`').step_by(2).collect();
        for (at, _) in code_free.match_indices("![") {
            assert!(
                code_free[..at].ends_with('\\') || code_free[at..].starts_with("![["),
                "{path}: {}",
                &code_free[at..]
            );
        }
        for (at, _) in code_free.match_indices('<') {
            let is_tag = code_free[at + 1..].starts_with(|ch: char| ch.is_ascii_alphabetic() || "/!?".contains(ch));
            let is_ours = code_free[at..].starts_with("<!-- ");
            assert!(!is_tag || is_ours || code_free[..at].ends_with('\\'), "{path}: {}", &code_free[at..]);
        }
        assert!(!code_free.contains("](javascript:"), "{path}");
        assert_eq!(ken_core::clean::clean(text), text.as_str(), "{path}");
    }
    let all: String = wiki.into_values().collect();
    assert!(all.contains("chart (https://img.example/c.png?d=1)") && all.contains("`<img src=x>`"), "{all}");
    assert!(all.contains("was planted beside"), "{all}");
}

/// A vault of an older version: what nobody covered stands in its journal and its sources.
fn older(seed: u64) -> Vault {
    let vault = Vault::new();
    let samples: Vec<corpus::Planted> =
        corpus::planted(seed).into_iter().chain(corpus::disguised::disguised(seed)).collect();
    let mut journal = "# 2026-05-11\n".to_owned();
    for n in 0..24 {
        let sample = &samples[(n * 997 + seed as usize * 131) % samples.len()];
        let text = sample.text.replace('\n', "\n  ");
        journal.push_str(&format!(
            "\n## 09:{n:02} Oven timer {n}\n**Decisions Made:**\n- The oven timer number {n} was set with {text}\n\
             - The oven timer number {n} needs the kitchen display to say: {text}\n{text}\n\nThe kitchen display reads [[Oven timer]] and\n{text}\n"
        ));
    }
    vault.write("daily/2026-05-11.md", &journal);
    vault
}

#[test]
fn a_scan_that_fixed_everything_finds_nothing_again() {
    for seed in 1..=8 {
        let vault = older(seed);
        vault.compile();
        assert!(!scan(&vault, true).fixed.is_empty());
        for when in ["after the fix", "after compiling", "after compiling everything"] {
            let found = scan(&vault, false).findings;
            assert!(
                found.is_empty(),
                "{when}, seed {seed}: {found:#?}\n{}",
                found.first().map_or(String::new(), |one| {
                    // It may stand in a cache, which is no text.
                    let bytes = std::fs::read(vault.root().join(one.path.as_str())).expect("reads");
                    let text = String::from_utf8_lossy(&bytes).into_owned();
                    text.lines().nth(one.line.unwrap_or(1) - 1).unwrap_or_default().to_owned()
                })
            );
            vault
                .engine()
                .compile(CompileOptions { all: when != "after the fix", ..CompileOptions::default() })
                .expect("compiles");
        }
    }
}

#[test]
fn letters_alone_behind_a_secret_name_do_not_come_back_on_pages() {
    let vault = Vault::new();
    let letters = ["qWkZ", "tBnY", "mRpL", "xGvD", "hJsF"].concat();
    let text = format!(
        "# 2026-05-11\n\n## 09:00 Oven timer\n**Decisions Made:**\n- The oven timer starts with DB_PASSWORD={letters}\n\
         - The oven timer reads DB_PASSWORD={letters} at night.\n- The oven timer is next to the kitchen display.\n"
    );
    vault.write("daily/2026-05-11.md", &text);
    vault.compile();
    for round in 0..3 {
        let done = scan(&vault, true);
        assert!(done.findings.is_empty(), "round {round}: {:#?}", done.findings);
        assert!(round == 0 || done.fixed.is_empty(), "round {round}: {:#?}", done.fixed);
        vault.compile();
    }
    assert!(texts(&vault).iter().all(|(_, text)| !text.contains(&letters)));
}
