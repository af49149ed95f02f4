//! A vault of Obsidian with two thousand notes.

use std::collections::BTreeSet;
use std::fs;

use tempfile::TempDir;

use super::super::support::{run, text};
use super::{Folder, files, put};

const N_NOTES: usize = 2_000;

/// Folder and title of a note; titles are unique, as Obsidian's own links need them.
fn title(n: usize) -> (String, String) {
    let folder = ["", "Areas/", "Projects/2026/", "Archive/"][n % 4];
    (folder.to_owned(), format!("Note {n} on bread"))
}

fn note(n: usize) -> String {
    let at = |by: usize| title((n * 7 + by) % N_NOTES).1;
    let date = format!("2026-0{}-{:02}", n % 5 + 1, n % 28 + 1);
    let mut text = String::new();
    if n.is_multiple_of(3) {
        text.push_str(&format!(
            "---\naliases: [bread-{n}]\ntags: [bakery]\ncreated: {date}\nnested:\n  key: value\n---\n"
        ));
    }
    text.push_str(&format!("# Note {n}\n\nLoaf number {n} weighs {} grams. ^block{n}\n\n", 400 + n));
    text.push_str(&format!("See [[{}]], [[{}|that one]], [[{}#Note]] and ![[{}]].\n", at(1), at(2), at(3), at(4)));
    text.push_str(&format!("A block: [[{}#^block{}]].\n\n![[picture.png]]\n", at(5), (n * 7 + 5) % N_NOTES));
    if n.is_multiple_of(11) { text.replace('\n', "\r\n") } else { text }
}

/// Every `[[target]]` of the notes, with the note in which it stands.
fn dead_links(folder: &Folder) -> Vec<String> {
    let all = files(folder.root());
    let stem = |path: &str| path.rsplit('/').next().unwrap_or_default().trim_end_matches(".md").to_owned();
    let names: BTreeSet<String> = all.keys().map(|path| stem(path)).collect();
    let paths: BTreeSet<String> = all.keys().map(|path| path.trim_end_matches(".md").to_owned()).collect();
    let mut dead = Vec::new();
    for (path, bytes) in all.iter().filter(|(path, _)| path.ends_with(".md") && !path.starts_with("knowledge/")) {
        let text = String::from_utf8_lossy(bytes);
        for part in text.split("[[").skip(1) {
            let inner = part.split("]]").next().unwrap_or_default();
            let target = inner.split(['|', '#']).next().unwrap_or_default().trim_end_matches(".md");
            if !target.is_empty() && !names.contains(target) && !paths.contains(target) {
                dead.push(format!("{path}: {target}"));
            }
        }
    }
    dead
}

#[test]
fn a_vault_of_two_thousand_notes_stays_one_that_obsidian_opens() {
    let dir = TempDir::new().expect("a folder");
    for n in 0..N_NOTES {
        let (folder, title) = title(n);
        put(dir.path(), &format!("{folder}{title}.md"), note(n).as_bytes());
    }
    put(dir.path(), "picture.png", b"\x89PNG");
    put(dir.path(), "Rye map.md", b"# Rye map\n\nAll of it leads to [[Rye]] and [[Rye|its page]].\n");
    put(dir.path(), "knowledge/Rye.md", b"# Rye\n\nRye flour is dark and binds water.\n");
    put(dir.path(), "Board.canvas", b"{\"nodes\":[{\"type\":\"file\",\"file\":\"Note 0 on bread.md\"}]}\n");
    put(dir.path(), ".obsidian/app.json", b"{\"alwaysUpdateLinks\":true}\n");
    put(dir.path(), ".obsidian/workspace.json", b"{}\n");
    put(dir.path(), ".obsidian/plugins/x/main.js", b"module.exports = {}\n");
    put(dir.path(), ".obsidian/plugins/x/data.json", b"{\"a\": 1}\n");
    let before = files(dir.path());
    let folder = Folder { dir, before };
    assert_eq!(dead_links(&folder), [""; 0], "what is generated is whole");
    assert!(folder.ken(&["init"]).contains("(obsidian layout)"));
    folder.ken(&["ingest", "--in-place", "--quiet", "."]);
    folder.ken(&["compile", "--quiet"]);
    assert_eq!(folder.changed(), [""; 0], "no note and nothing of Obsidian's changed");
    assert_eq!(dead_links(&folder), [""; 0]);
    let asked = text(&run(folder.root(), &["ask", "how many grams does loaf number 1234 weigh?"]).stdout);
    let first = asked.lines().find(|line| line.starts_with("- ")).unwrap_or_default();
    assert!(first.contains("1634 grams"), "{asked}");
    // A page in the wiki is called otherwise: notes that lead to it are nobody's to write to, and still lead there.
    folder.ken(&["page", "rename", "Rye", "Rye flour"]);
    assert_eq!(dead_links(&folder), [""; 0], "a redirect stays where notes lead");
    assert_eq!(folder.changed(), ["knowledge/Rye.md"]);
    // A note is called otherwise in Obsidian, which rewrites the links to it; its page follows.
    let (old, new) = ("Note 8 on bread", "Eighth note");
    for (path, bytes) in files(folder.root()).into_iter().filter(|(path, _)| !path.starts_with("knowledge/")) {
        let is = String::from_utf8_lossy(&bytes).replace(old, new);
        let place = path.replace(old, new);
        if place != path {
            fs::remove_file(folder.root().join(&path)).expect("it is there");
        }
        if place != path || is.as_bytes() != bytes {
            put(folder.root(), &place, if path.ends_with(".md") { is.as_bytes() } else { &bytes });
        }
    }
    assert_eq!(dead_links(&folder), [""; 0]);
    folder.ken(&["ingest", "--in-place", "--quiet", "."]);
    folder.ken(&["compile", "--quiet"]);
    assert_eq!(dead_links(&folder), [""; 0]);
    assert!(folder.ken(&["list"]).contains("eighth-note"));
    let obsidian: Vec<String> = folder.before.keys().filter(|path| path.starts_with(".obsidian/")).cloned().collect();
    assert_eq!(obsidian.len(), 4);
    for path in obsidian {
        assert!(fs::read(folder.root().join(&path)).expect("it is there") == folder.before[&path], "{path}");
    }
}
