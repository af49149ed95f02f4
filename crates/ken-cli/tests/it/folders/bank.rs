//! A memory bank of a small town's services: what a compile relates, and what routing over it spares.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use super::super::support::{ken, run, text};
use super::put;

/// Name, sentence, triggers, text.
const PAGES: &[(&str, &str, &str, &str)] = &[
    (
        "prescient",
        "Forecasts for the town from statistics and posts.",
        "analytics, predictive, trend, forecast, dati",
        "Prescient depends on Mentat for language models and on the ISTAT SDMX connector for series. Forecasts are kept for ninety days.",
    ),
    (
        "mentat",
        "Gateway to language models with a queue and a price cap.",
        "llm, gateway, models, queue, prompt, budget",
        "Mentat routes each prompt to the cheapest model that passes the tests. It needs the Key vault for tokens.",
    ),
    (
        "istat-sdmx",
        "Connector that reads statistics from the ISTAT API.",
        "istat, sdmx, connector, statistics, series, dataflow",
        "The connector caches dataflows for a day and asks for one series at a time.",
    ),
    (
        "civis",
        "Portal where citizens report damage in their street.",
        "civic, report, citizens, portal, damage, street",
        "Civis uses Geo filter to place reports on the map. Photos are scaled to 1600 pixels.",
    ),
    (
        "social-analytics",
        "Counts topics in public posts by place and hour.",
        "social, posts, topics, hashtags, counts",
        "Social analytics reads the stream of public posts and keeps counts, never posts.",
    ),
    (
        "rag-chat",
        "Chat over documents of the town hall.",
        "chat, documents, town, hall, assistant",
        "Rag chat requires Mentat and answers from documents that the archive publishes.",
    ),
    (
        "sicurezza",
        "Crime statistics by area with trend and anomaly detection.",
        "crime, security, reati, territory, area, criminalita",
        "Sicurezza richiede ISTAT SDMX e Geo filter. Reati are counted per thousand inhabitants.",
    ),
    (
        "geo-filter",
        "Turns names of places into areas and back.",
        "geographic, place, municipality, boundary, fiumicino, map",
        "Boundaries are those of 2023; a name that two municipalities share asks for the province.",
    ),
    (
        "key-vault",
        "Keeps tokens of services and rotates them monthly.",
        "tokens, keys, rotation, secret, credentials",
        "A token is read by its service alone and rotated on the first Monday.",
    ),
    (
        "anomalies",
        "Finds series that leave their corridor.",
        "anomaly, outlier, corridor, threshold, alert",
        "A corridor is three deviations wide over eight weeks. Anomalies need ISTAT SDMX.",
    ),
    (
        "translations",
        "Translates texts of all portals into four languages.",
        "translation, language, italian, german, ladin",
        "Texts are translated on save and checked by a person when they are legal.",
    ),
];

/// Desks that fill the bank up.
const DESKS: &[&str] = &[
    "parking",
    "waste",
    "library",
    "schools",
    "permits",
    "water",
    "lighting",
    "buses",
    "tourism",
    "weather",
    "noise",
    "bicycle",
    "markets",
    "elections",
    "taxes",
    "archive",
    "museum",
    "sports",
    "harbour",
];

/// Questions with the pages that they need; none are about something else.
const QUESTIONS: &[(&str, &[&str])] = &[
    ("quanti reati a Fiumicino nel 2023?", &["sicurezza", "geo-filter"]),
    ("How long are forecasts kept?", &["prescient"]),
    ("Which models does the gateway route a prompt to?", &["mentat"]),
    ("How long does the SDMX connector cache dataflows?", &["istat-sdmx"]),
    ("Where do citizens report damage in their street?", &["civis"]),
    ("Do we keep public posts or only counts?", &["social-analytics"]),
    ("What does the chat over town hall documents need?", &["rag-chat", "mentat"]),
    ("How are two municipalities of the same name told apart on the map?", &["geo-filter"]),
    ("When are service tokens rotated?", &["key-vault"]),
    ("How wide is the corridor for an anomaly?", &["anomalies"]),
    ("Into which languages is a translation made?", &["translations"]),
    ("What data does predictive analytics need?", &["prescient", "istat-sdmx"]),
    ("What is the capital of Mongolia?", &[]),
    ("How do I bake sourdough bread?", &[]),
    ("Who won the chess championship?", &[]),
];

fn page(name: &str, said: &str, triggers: &str, body: &str) -> String {
    let title = name.replace('-', " ");
    let notes: String = (1..7).map(|n| format!("\nNote {n}: {body} The team of {title} wrote this down in review {n}, with the numbers of that quarter and what is left to do.\n")).collect();
    format!(
        "---\nCONCEPT:      {name}\nTLDR:         {said}\nANSWERS_WHEN: {triggers}\nCONFIDENCE:   high\nVALIDATED:    2025-04\n---\n\n# {title}\n\n{body}\n{notes}"
    )
}

fn bank(n_pages: usize) -> TempDir {
    let dir = TempDir::new().expect("a folder");
    let place = |name: &str| format!("memory-bank/projects/{name}.md");
    put(dir.path(), "memory-bank/_index.md", b"# Memory bank\n");
    for (name, said, triggers, body) in PAGES {
        put(dir.path(), &place(name), page(name, said, triggers, body).as_bytes());
    }
    for desk in DESKS.iter().take(n_pages - PAGES.len()) {
        let (name, said) = (format!("{desk}-desk"), format!("Requests about {desk} and who handles them."));
        let body = format!("The {desk} desk answers within two days. Its forms are kept for a year.");
        let triggers = format!("{desk}, {desk} request, {desk} office");
        put(dir.path(), &place(&name), page(&name, &said, &triggers, &body).as_bytes());
    }
    let test = |(question, pages): &(&str, &[&str])| match pages {
        [] => format!("[[test]]\nquestion = \"{question}\"\nabstain = true\n\n"),
        pages => format!("[[test]]\nquestion = \"{question}\"\nmust_load = {pages:?}\n\n"),
    };
    put(dir.path(), "kenning-tests.toml", QUESTIONS.iter().map(test).collect::<String>().as_bytes());
    dir
}

#[track_caller]
fn does(root: &Path, now: &str, args: &[&str]) -> String {
    let done = ken(root, args).env("KEN_NOW", now).output().expect("the binary runs");
    assert!(done.status.success(), "{args:?}: {}{}", text(&done.stdout), text(&done.stderr));
    text(&done.stdout)
}

fn line_of(root: &Path, name: &str, key: &str) -> String {
    let text = fs::read_to_string(root.join(format!("memory-bank/projects/{name}.md"))).expect("a page");
    text.lines().find(|line| line.starts_with(key)).unwrap_or_default().to_owned()
}

fn edit(root: &Path, name: &str, from: &str, to: &str) {
    let place = root.join(format!("memory-bank/projects/{name}.md"));
    let text = fs::read_to_string(&place).expect("a page");
    assert!(text.contains(from), "{text}");
    fs::write(place, text.replace(from, to)).expect("it can be written");
}

#[test]
fn relations_follow_the_words_that_bear_them_out_and_those_by_hand_stay() {
    let dir = bank(11);
    let root = dir.path();
    let (june, january) = ("2026-06-01T12:00:00Z", "2027-01-15T12:00:00Z");
    does(root, june, &["init"]);
    does(root, june, &["compile"]);
    assert_eq!(line_of(root, "prescient", "SIMILAR_HIGH"), "SIMILAR_HIGH: istat-sdmx:2026-06, mentat:2026-06");
    assert_eq!(line_of(root, "sicurezza", "SIMILAR_HIGH"), "SIMILAR_HIGH: geo-filter:2026-06, istat-sdmx:2026-06");
    assert_eq!(line_of(root, "translations", "SIMILAR_HIGH"), "");
    assert_eq!(line_of(root, "translations", "VALIDATED"), "VALIDATED:    2025-04", "nothing to say, nothing written");
    assert!(does(root, january, &["compile"]).contains("nothing was changed"), "time alone changes nothing");
    // A relation by hand, words that are gone, words that are new, and a page that others lead to.
    edit(root, "civis", "CONFIDENCE:", "SIMILAR_MID:  key-vault:2025-01\nCONFIDENCE:");
    edit(root, "civis", "uses Geo filter to place reports on the map", "places reports by hand. It requires Mentat");
    edit(root, "istat-sdmx", "for a day", "for a week");
    does(root, january, &["compile"]);
    assert_eq!(line_of(root, "civis", "SIMILAR_HIGH"), "SIMILAR_HIGH: mentat:2027-01");
    assert_eq!(line_of(root, "civis", "SIMILAR_MID"), "SIMILAR_MID:  key-vault:2025-01");
    assert_eq!(line_of(root, "prescient", "SIMILAR_HIGH"), "SIMILAR_HIGH: istat-sdmx:2027-01, mentat:2026-06");
    assert!(does(root, january, &["compile"]).contains("nothing was changed"));
    does(root, january, &["undo"]);
    assert_eq!(line_of(root, "prescient", "SIMILAR_HIGH"), "SIMILAR_HIGH: istat-sdmx:2026-06, mentat:2026-06");
    // A record that is no record, or somebody's, names no file and takes nothing down.
    for record in ["\u{0}", "[]", "{\"../x.md\": {\"body\": \"\"}}", "{\"memory-bank/projects/civis.md\": 3}"] {
        put(root, ".kenning/classified.json", record.as_bytes());
        does(root, january, &["compile"]);
        assert!(!line_of(root, "civis", "SIMILAR_HIGH").is_empty());
    }
}

#[test]
fn fifteen_of_fifteen_questions_load_what_they_need_and_nothing_for_what_is_elsewhere() {
    for (n_pages, spared) in [(11, 0.66), (30, 0.85)] {
        let dir = bank(n_pages);
        assert!(run(dir.path(), &["init"]).status.success() && run(dir.path(), &["compile"]).status.success());
        let done = run(dir.path(), &["eval", "routing", "--json"]);
        let told: Value = serde_json::from_str(&text(&done.stdout)).expect("JSON");
        assert_eq!((&told["n_right"], &told["n_graded"]), (&15.into(), &15.into()), "{told:#}");
        assert_eq!((&told["n_out_of_domain"], &told["loaded_out_of_domain"]), (&3.into(), &0.into()));
        let tokens = |key: &str| told[key].as_f64().expect("a number");
        let with_headers = 1.0 - (tokens("tokens_routed") + tokens("tokens_headers")) / tokens("tokens_everything");
        assert!(tokens("reduction") >= spared && with_headers >= spared, "{n_pages}: {with_headers} {told:#}");
    }
}

const NOW: &str = "2026-06-01T12:00:00Z";

/// The pages of the rubric's own anchors; no word of the first says what it needs.
const ANCHORS: &[(&str, &str)] = &[
    ("jwt", "# JWT\n\nA JWT carries scopes. It travels in HTTP headers.\n"),
    ("oauth2", "# OAuth2\n\nDelegated access with scopes.\n"),
    ("http-headers", "# HTTP headers\n\nNames and values.\n"),
    ("database", "# Database\n\nRows are kept here.\n"),
];

/// The next open task about the relations of a page with that title: its id and what is asked.
fn task_about(root: &Path, title: &str) -> Option<(String, String)> {
    for _ in 0..=ANCHORS.len() {
        let task: Value = serde_json::from_str(&does(root, NOW, &["task", "next", "--json"])).ok()?;
        let (id, prompt) = (task["id"].as_str()?.to_owned(), task["prompt"].as_str()?.to_owned());
        if prompt.contains(&format!("Page: {title} (")) {
            return Some((id, prompt));
        }
    }
    None
}

/// A reply to the text of a packet that is about the page with that title; a packet of one page has no numbers.
fn reply_about(prompt: &str, title: &str, reply: &str) -> String {
    if !prompt.contains("\nText 1:\n") {
        return reply.to_owned();
    }
    let before = prompt.split(&format!("Page: {title} (")).next().unwrap_or_default();
    let n = before.lines().filter(|line| line.starts_with("Text ") && line.ends_with(':')).count();
    format!("{{\"replies\": [{{\"n\": {n}, \"reply\": {reply}}}]}}")
}

#[test]
fn a_model_sorts_the_relations_of_a_bank_by_packets_when_a_page_is_made_and_when_it_changes() {
    let dir = TempDir::new().expect("the machine has a folder for temporary files");
    let root = dir.path();
    put(root, "memory-bank/_index.md", b"# Index\n");
    for (name, said) in ANCHORS {
        put(root, &format!("memory-bank/projects/{name}.md"), said.as_bytes());
    }
    does(root, NOW, &["init"]);
    does(root, NOW, &["compile"]);
    let jwt = root.join("memory-bank/projects/jwt.md");
    let read = || fs::read_to_string(&jwt).expect("it is there");
    assert!(read().contains("SIMILAR_MID: http-headers:") && !read().contains("oauth2"), "{}", read());
    let (id, prompt) = task_about(root, "JWT").expect("a page is asked about when it is made");
    for part in ["as jwt without oauth2", "as jwt and http-headers", "as jwt and database", "- oauth2\n"] {
        assert!(prompt.contains(part), "{part}: {prompt}");
    }
    let before = read();
    let strange = reply_about(&prompt, "JWT", "{\"high\":[\"nobody\",\"jwt\"],\"mid\":[\"../../etc\"]}");
    for wrong in [strange.as_str(), "no JSON", "{\"high\":[]}", "[]"] {
        put(root, "reply.json", wrong.as_bytes());
        let done =
            ken(root, &["task", "submit", &id, "reply.json"]).env("KEN_NOW", NOW).output().expect("the binary runs");
        assert!(!done.status.success(), "{wrong}");
        does(root, NOW, &["compile"]);
        assert_eq!(read(), before, "{wrong}");
    }
    let sorts = "{\"high\":[\"oauth2\",\"database\",\"database\"],\"mid\":[\"http-headers\"]}";
    put(root, "reply.json", reply_about(&prompt, "JWT", sorts).as_bytes());
    does(root, NOW, &["task", "submit", &id, "reply.json"]);
    assert!(read().contains("SIMILAR_HIGH: oauth2:2026-06, database:2026-06\n"), "{}", read());
    assert!(read().ends_with(ANCHORS[0].1), "the body stays: {}", read());
    let sorted = read();
    let again = does(root, NOW, &["compile"]);
    assert!(again.contains("nothing was changed") && read() == sorted, "{again}");
    // Without its record the same reply gives the same.
    fs::write(&jwt, &before).expect("written");
    fs::remove_file(root.join(".kenning/classified.json")).expect("removed");
    does(root, NOW, &["compile"]);
    assert_eq!(read(), sorted);
    fs::write(&jwt, format!("{sorted}A JWT is signed.\n")).expect("written");
    does(root, NOW, &["compile"]);
    assert!(
        read().contains("http-headers:") && !read().contains("oauth2:"),
        "what was said of other words: {}",
        read()
    );
    let (other, prompt) = task_about(root, "JWT").expect("a page is asked about again when its words change");
    assert!(other != id && prompt.contains("A JWT is signed."), "{prompt}");
    put(root, "reply.json", reply_about(&prompt, "JWT", "{\"high\":[\"oauth2\"],\"mid\":[]}").as_bytes());
    does(root, NOW, &["task", "submit", &other, "reply.json"]);
    assert!(read().contains("SIMILAR_HIGH: oauth2:2026-06\n") && !read().contains("http-headers:"), "{}", read());
}
