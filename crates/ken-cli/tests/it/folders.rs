//! Folders as people have them after a year with another tool, thirty files and more, walked through as their owners
//! would, with the real binary: everything in them is used, and not one byte changes that was not announced.
//!
//! Each folder is made from the table below, in the forms of its tool, and has what such folders have: files with
//! carriage returns, with byte order marks, conflict copies, pages without a header, names that stand there twice.

mod claude_memory;
mod bank;
mod ckp;
mod hydraflow;
mod memory_compiler;
mod recall;
mod vault_of_obsidian;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use super::support::{run, text};

/// What the folders are about: a name, and two things to know of it.
const THINGS: &[(&str, &str, &str)] = &[
    (
        "Deck oven",
        "The deck oven is heated to 250 degrees before the first bread goes in.",
        "The deck oven came from Neustadt.",
    ),
    (
        "Proofing cabinet",
        "The proofing cabinet keeps dough at 28 degrees.",
        "The proofing cabinet is wiped with vinegar.",
    ),
    ("Flour silo", "The flour silo holds four tonnes of rye.", "The flour silo is filled through the north gate."),
    (
        "Order form",
        "The order form closes at six in the evening.",
        "The order form sends each order to the kitchen printer.",
    ),
    (
        "Kitchen printer",
        "The kitchen printer prints every order twice.",
        "The kitchen printer has a network of its own.",
    ),
    ("Delivery van", "The delivery van leaves at five in the morning.", "The delivery van carries ninety crates."),
    (
        "Sourdough starter",
        "The sourdough starter is fed with rye at noon.",
        "The sourdough starter was a gift of the mill.",
    ),
    ("Cash register", "The cash register counts cents as integers.", "The cash register is closed by the last baker."),
    ("Spiral mixer", "The spiral mixer stops when its lid is opened.", "The spiral mixer kneads thirty kilograms."),
    ("Recipe book", "The recipe book gives every amount in grams.", "The recipe book is kept in the office."),
    ("Cooling rack", "The cooling rack stands beside the window.", "The cooling rack has twelve levels."),
    ("Bread slicer", "The bread slicer cuts at eleven millimetres.", "The bread slicer is cleaned with a brush."),
];

/// Name as a file is called by it.
fn slug(name: &str) -> String {
    name.to_lowercase().replace(' ', "-")
}

/// Files by name.
type Files = BTreeMap<String, Vec<u8>>;

/// A folder, and what stood in it.
struct Folder {
    dir: TempDir,
    before: Files,
}

/// What is to be seen of one layout.
struct Walk<'w> {
    layout: &'w str,
    called: &'w str,
    /// Questions with words of the answer.
    asked: &'w [(&'w str, &'w str)],
    /// Questions, with words that no longer hold: where they are quoted, it is said.
    past: &'w [(&'w str, &'w str)],
    /// Files that may change, because `ken init` said so, by how their names begin; what stood in them stays.
    announced: &'w [&'w str],
    /// The file that the other tool adds, and how it goes on.
    day: (&'w str, &'w str),
    /// What is asked of it.
    new: (&'w str, &'w str),
}

/// Makes a folder, every seventh file of it with carriage returns and every ninth with a byte order mark, but for those
/// that a tool keeps for itself.
fn folder(files: Vec<(String, String)>) -> Folder {
    let dir = TempDir::new().expect("the machine has a folder for temporary files");
    let mut before = Files::new();
    for (n, (path, text)) in files.into_iter().enumerate() {
        let is_text = path.ends_with(".md") && !path.contains("daily/");
        let text = match n {
            n if is_text && n % 7 == 3 => text.replace('\n', "\r\n"),
            n if is_text && n % 9 == 5 => format!("\u{feff}{text}"),
            _ => text,
        };
        put(dir.path(), &path, text.as_bytes());
        assert!(before.insert(path.clone(), text.into_bytes()).is_none(), "{path} twice");
    }
    assert!(before.len() >= 30, "{} files", before.len());
    Folder { dir, before }
}

fn put(root: &Path, path: &str, bytes: &[u8]) {
    let place = root.join(path);
    fs::create_dir_all(place.parent().expect("a folder")).expect("a new folder");
    fs::write(place, bytes).expect("a new file");
}

/// Every file below a folder, but for what only this tool knows.
fn files(root: &Path) -> Files {
    let (mut out, mut folders) = (Files::new(), vec![root.to_path_buf()]);
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).expect("it can be read").flatten().map(|entry| entry.path()) {
            let name = path.strip_prefix(root).expect("inside").to_string_lossy().replace('\\', "/");
            if path.is_dir() {
                folders.push(path);
            } else if !name.starts_with(".kenning/") {
                out.insert(name, fs::read(&path).expect("it can be read"));
            }
        }
    }
    out
}

impl Folder {
    fn root(&self) -> &Path {
        self.dir.path()
    }

    /// Runs a command that ends well.
    #[track_caller]
    fn ken(&self, args: &[&str]) -> String {
        let done = run(self.root(), args);
        assert!(done.status.success(), "{args:?}: {}{}", text(&done.stdout), text(&done.stderr));
        text(&done.stdout)
    }

    /// Files of the other tool that are not as they were.
    fn changed(&self) -> Vec<String> {
        let now = files(self.root());
        self.before.iter().filter(|(path, bytes)| now.get(*path) != Some(bytes)).map(|(path, _)| path.clone()).collect()
    }

    /// Checks that only announced files changed, and that what was said in them is there.
    #[track_caller]
    fn keeps(&self, announced: &[&str], when: &str) {
        let now = files(self.root());
        for path in self.changed() {
            assert!(announced.iter().any(|one| path.starts_with(one)), "{when}: {path} was changed");
            let (was, is) = (plain(&self.before[&path]), plain(&now[&path]));
            let lost: Vec<&str> = was.iter().filter(|line| !is.contains(line)).map(String::as_str).collect();
            assert!(lost.is_empty(), "{when}: {path} lost {lost:?}");
        }
    }

    #[track_caller]
    fn answers(&self, (question, answer): (&str, &str)) {
        let said = self.ken(&["ask", question]);
        assert!(said.contains(answer), "{question}: {said}");
    }

    /// Checks that whatever no longer holds is said to, where it is quoted, and leads no route.
    #[track_caller]
    fn is_told_as_past(&self, (question, words): (&str, &str)) {
        for command in ["ask", "context", "search"] {
            let done = run(self.root(), &[command, question]);
            let said = text(&done.stdout);
            let marks = ["superseded", "until ", "stale", "now: ", "retired"];
            for (n, line) in said.lines().enumerate().filter(|(_, line)| line.contains(words)) {
                // A hit of a search says it on the line of the page.
                let above = said.lines().nth(n.saturating_sub(1)).unwrap_or_default();
                let is_marked = |line: &str| marks.iter().any(|mark| line.contains(mark));
                assert!(is_marked(line) || is_marked(above), "{command} {question}: {said}");
            }
        }
    }
}

/// The lines of a text without how they end, and without the mark at its beginning.
fn plain(bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes).into_owned();
    text.trim_start_matches('\u{feff}').lines().map(str::to_owned).collect()
}

/// Goes through a folder: init, two compiles, a new day, questions, lint, exports, undo.
fn walk(mut folder: Folder, walk: &Walk<'_>) {
    let looked = folder.ken(&["init", "--dry-run"]);
    assert!(looked.contains(walk.called), "{looked}");
    assert_eq!(files(folder.root()), folder.before, "a dry run writes nothing");
    let made = folder.ken(&["init"]);
    assert!(made.contains(&format!("({} layout)", walk.layout)), "{made}");
    assert_eq!(folder.changed(), [""; 0], "init changes nothing that stands there");
    walk.asked.iter().for_each(|asked| folder.answers(*asked));
    walk.past.iter().for_each(|past| folder.is_told_as_past(*past));
    folder.ken(&["compile"]);
    folder.keeps(walk.announced, "compile");
    let once = files(folder.root());
    let again = folder.ken(&["compile"]);
    assert!(again.contains("nothing was changed"), "{again}");
    assert!(once == files(folder.root()), "a second compile writes nothing");
    has_no_twins(&folder);
    walk.asked.iter().for_each(|asked| folder.answers(*asked));
    walk.past.iter().for_each(|past| folder.is_told_as_past(*past));
    let (path, said) = walk.day;
    let bytes = [folder.before.get(path).cloned().unwrap_or_default(), said.as_bytes().to_vec()].concat();
    put(folder.root(), path, &bytes);
    folder.before.insert(path.to_owned(), bytes);
    folder.answers(walk.new);
    folder.ken(&["compile"]);
    folder.answers(walk.new);
    folder.keeps(walk.announced, "a new day");
    let lint = run(folder.root(), &["lint", "--fix"]);
    assert!(matches!(lint.status.code(), Some(0 | 1)), "{}", text(&lint.stderr));
    folder.keeps(walk.announced, "lint --fix");
    goes_out_whole(&folder);
    match walk.layout {
        "hydraflow" => goes_out_as_it_stands(&folder, "hydraflow", &["repo_wiki/", "docs/wiki/"], "docs/wiki/index."),
        "recall" => {
            goes_out_as_it_stands(&folder, "recall", &["memory/", "WISDOM.md", "DREAMS.md"], "memory/wiki/index.md")
        }
        _ => {}
    }
    undo_gives_every_byte_back(&folder);
}

/// Checks that no page stands beside another that says the same: a compile makes none of what a page tells already.
#[track_caller]
fn has_no_twins(folder: &Folder) {
    let listed: Value = serde_json::from_str(&folder.ken(&["list", "--json"])).expect("JSON");
    let pages = listed["pages"].as_array().or_else(|| listed.as_array()).expect("pages").clone();
    assert!(pages.len() >= THINGS.len(), "{} pages", pages.len());
    let place = |page: &Value| {
        (page["slug"].as_str().expect("a slug").to_owned(), page["path"].as_str().expect("a path").to_owned())
    };
    let places: BTreeMap<String, String> = pages.iter().map(place).collect();
    let now = files(folder.root());
    for (slug, path) in &places {
        let Some(beside) = places.get(&format!("{slug}-journal")) else { continue };
        let (is, other) = (plain(&now[path]).join("\n"), plain(&now[beside]).join("\n"));
        for (_, said, more) in THINGS {
            assert!(!(is.contains(said) && other.contains(said)), "{beside} says again what {path} says: {said}");
            assert!(!(is.contains(more) && other.contains(more)), "{beside} says again what {path} says: {more}");
        }
    }
}

/// Checks that an export has every page and day byte for byte, that another vault takes it in without a loss, and that
/// the other formats are written, twice the same.
#[track_caller]
fn goes_out_whole(folder: &Folder) {
    let out = TempDir::new().expect("a folder");
    let file = out.path().join("all.jsonl");
    let place = file.to_string_lossy().into_owned();
    folder.ken(&["export", "jsonl", &place]);
    let lines = claims(&file);
    let texts: BTreeSet<String> = lines.iter().filter_map(|line| line["text"].as_str().map(str::to_owned)).collect();
    let now = files(folder.root());
    let listed: Value = serde_json::from_str(&folder.ken(&["list", "--json"])).expect("JSON");
    let pages = listed["pages"].as_array().or_else(|| listed.as_array()).expect("pages").clone();
    for page in pages {
        let path = page["path"].as_str().expect("a path").to_owned();
        let is = String::from_utf8(now[&path].clone()).expect("text");
        assert!(texts.contains(&is), "{path} is not in the export");
    }
    let other = TempDir::new().expect("a folder");
    let there = |args: &[&str]| {
        let done = run(other.path(), args);
        assert!(done.status.success(), "{args:?}: {}{}", text(&done.stdout), text(&done.stderr));
        text(&done.stdout)
    };
    there(&["init", "--layout", "kenning"]);
    there(&["import", "jsonl", &place]);
    let first = files(other.path());
    there(&["import", "jsonl", &place]);
    assert!(first == files(other.path()), "a second import changes nothing");
    for format in ["okf", "obsidian", "basic-memory", "llms", "skill", "hydraflow", "recall"] {
        let place = out.path().join(format).to_string_lossy().into_owned();
        folder.ken(&["export", format, &place]);
        let first = files(Path::new(&place));
        assert!(!first.is_empty(), "{format}");
        folder.ken(&["export", format, &place]);
        assert!(first == files(Path::new(&place)), "{format} twice");
    }
    assert!(now == files(folder.root()), "an export changes nothing");
}

/// Checks that an export in the form of the folder's own tool has every file of that tool's, byte for byte, and that
/// another vault that takes it in gives the same again. Only the index, which is not true in these folders, is made anew.
#[track_caller]
fn goes_out_as_it_stands(folder: &Folder, format: &str, places: &[&str], index: &str) {
    let out = TempDir::new().expect("a folder");
    let place = |name: &str| out.path().join(name).to_string_lossy().into_owned();
    folder.ken(&["export", format, &place("first")]);
    let (stands, first) = (files(folder.root()), files(&out.path().join("first")));
    let theirs = stands.iter().filter(|(path, _)| places.iter().any(|place| path.starts_with(place)));
    for (path, bytes) in theirs.filter(|(path, _)| !path.starts_with(index)) {
        assert!(first.get(path) == Some(bytes), "{format}: {path} goes out as it stands");
    }
    let other = TempDir::new().expect("a folder");
    let there = |args: &[&str]| {
        let done = run(other.path(), args);
        assert!(done.status.success(), "{args:?}: {}{}", text(&done.stdout), text(&done.stderr));
        text(&done.stdout)
    };
    there(&["init", "--layout", "kenning"]);
    there(&["import", format, &place("first"), "--trust", "user"]);
    let once = files(other.path());
    assert!(there(&["import", format, &place("first"), "--trust", "user"]).contains("Nothing is new"));
    assert!(once == files(other.path()), "{format}: a second import changes nothing");
    there(&["export", format, &place("again")]);
    let again = files(&out.path().join("again"));
    // Their books and summaries stay where they are, and a folder says itself what was written to it.
    let is_book =
        |path: &str| !path.ends_with(".md") || ["weekly/", "monthly/"].iter().any(|folder| path.contains(folder));
    for (path, bytes) in first.iter().filter(|(path, _)| !is_book(path) && !path.starts_with(index)) {
        assert!(again.get(path) == Some(bytes), "{format}: {path} comes back");
    }
}

fn claims(file: &Path) -> Vec<Value> {
    let text = fs::read_to_string(file).expect("an export");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[track_caller]
fn undo_gives_every_byte_back(folder: &Folder) {
    for _ in 0..20 {
        if !folder.root().join("kenning.toml").exists() {
            break;
        }
        folder.ken(&["undo"]);
    }
    assert!(files(folder.root()) == folder.before, "{:?} {:?}", folder.changed(), files(folder.root()).keys());
}
