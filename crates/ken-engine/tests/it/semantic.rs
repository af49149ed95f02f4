//! Search by meaning against a server on this machine that knows two things: bread, and everything else.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use ken_engine::search::{MeaningSettings, SearchOutcome, SearchRequest, Secret};

use crate::support::Vault;

/// A server and how it was used.
struct Server {
    url: String,
    n_calls: Arc<AtomicUsize>,
    /// After so many calls it refuses.
    n_calls_max: Arc<AtomicUsize>,
    /// How many numbers its vectors have.
    width: Arc<AtomicUsize>,
    /// Everything it was asked.
    heard: Arc<Mutex<String>>,
}

impl Server {
    fn start() -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}/v1", listener.local_addr().expect("an address"));
        let server = Server {
            url,
            n_calls: Arc::default(),
            n_calls_max: Arc::new(AtomicUsize::new(usize::MAX)),
            width: Arc::new(AtomicUsize::new(2)),
            heard: Arc::default(),
        };
        let heard = Arc::clone(&server.heard);
        let (n_calls, n_max, width) = (server.n_calls.clone(), server.n_calls_max.clone(), server.width.clone());
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let Ok(mut stream) = stream else { return };
                let asked = request(&mut stream);
                heard.lock().expect("nobody panics with it").push_str(&asked);
                let is_over = n_calls.fetch_add(1, Ordering::SeqCst) >= n_max.load(Ordering::SeqCst);
                let (status, body) = if is_over {
                    ("429 Enough", "{}".to_owned())
                } else {
                    ("200 OK", reply(&asked, width.load(Ordering::SeqCst)))
                };
                let head = format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
                let _ = stream.write_all(format!("{head}{body}").as_bytes());
            }
        });
        server
    }

    fn settings(&self, model: &str) -> MeaningSettings {
        let key = Some(Secret::new("k".to_owned()));
        MeaningSettings { model: Some(model.to_owned()), url: Some(self.url.clone()), key }
    }
}

fn request(stream: &mut TcpStream) -> String {
    let mut asked = Vec::new();
    let mut piece = [0; 65536];
    loop {
        let text = String::from_utf8_lossy(&asked).to_lowercase();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let len = head.lines().find_map(|line| line.strip_prefix("content-length:"));
            if len.and_then(|len| len.trim().parse::<usize>().ok()).is_none_or(|len| body.len() >= len) {
                return body.to_owned();
            }
        }
        match stream.read(&mut piece) {
            Ok(n) if n > 0 => asked.extend_from_slice(&piece[..n]),
            _ => return String::new(),
        }
    }
}

fn reply(asked: &str, width: usize) -> String {
    let asked: serde_json::Value = serde_json::from_str(asked).unwrap_or_default();
    let texts = asked["input"].as_array().cloned().unwrap_or_default();
    let vector = |text: &serde_json::Value| {
        let is_bread = ["bread", "bakery", "loaf"].iter().any(|word| text.as_str().unwrap_or("").contains(word));
        let mut numbers = vec![0.1_f32; width];
        numbers[usize::from(!is_bread)] = 1.0;
        serde_json::json!({"embedding": numbers})
    };
    serde_json::json!({"data": texts.iter().map(vector).collect::<Vec<_>>()}).to_string()
}

fn vault() -> Vault {
    let vault = Vault::new();
    vault.write("raw/town.md", "# Town\n\n## Morning\n\nThe bakery opens at seven.\n");
    vault.write("raw/car.md", "# Car\n\nThe engine was repaired.\n");
    vault
}

#[track_caller]
fn search(vault: &Vault, settings: &MeaningSettings, question: &str) -> SearchOutcome {
    let engine = vault.engine().with_meaning(settings.clone());
    let request = SearchRequest { text: question.to_owned(), n_max: 10, ..SearchRequest::default() };
    engine.searcher().expect("an index").by_meaning().search(&request).expect("answers")
}

fn paths(outcome: &SearchOutcome) -> Vec<&str> {
    outcome.evidence.iter().map(|hit| hit.path.as_str()).collect()
}

fn fill(vault: &Vault, settings: &MeaningSettings) -> ken_engine::search::Embedded {
    vault.engine().with_meaning(settings.clone()).embed_index(&mut |_, _| {}).expect("fills")
}

#[test]
fn what_is_said_in_other_words_is_found() {
    let (vault, server) = (vault(), Server::start());
    let settings = server.settings("m");
    let before = search(&vault, &settings, "where to buy a loaf");
    assert!(before.evidence.is_empty() && before.notes[0].contains("--refresh --semantic"), "{:?}", before.notes);
    assert_eq!((fill(&vault, &settings).n_made, fill(&vault, &settings).n_made), (2, 0));
    let found = search(&vault, &settings, "where to buy a loaf");
    assert_eq!((paths(&found)[0], found.evidence[0].text.trim()), ("raw/town.md", "The bakery opens at seven."));
    assert_eq!(found.notes, Vec::<String>::new());
    // Dates, filters and exclusions are matters of words.
    assert_eq!(paths(&search(&vault, &settings, "the first engine of a loaf")), ["raw/car.md", "raw/town.md"]);
    assert_eq!(paths(&search(&vault, &settings, "loaf path:car")), ["raw/car.md"]);
    assert!(search(&vault, &settings, "loaf -repaired").evidence.is_empty());
}

#[test]
fn a_server_that_fails_leaves_the_answer_of_the_words_and_a_note() {
    let (vault, server) = (vault(), Server::start());
    let settings = server.settings("m");
    fill(&vault, &settings);
    let check = |settings: &MeaningSettings, note: &str| {
        let found = search(&vault, settings, "engine");
        assert_eq!(paths(&found), ["raw/car.md"]);
        assert!(found.notes.len() == 1 && found.notes[0].contains(note), "{note:?}: {:?}", found.notes);
    };
    check(&server.settings("other"), "`other at 127.0.0.1` has no vectors here yet");
    server.width.store(3, Ordering::SeqCst);
    check(&settings, "another width");
    server.n_calls_max.store(0, Ordering::SeqCst);
    check(&settings, "status 429");
    let nobody = MeaningSettings { url: Some("http://127.0.0.1:1/v1".to_owned()), ..settings.clone() };
    check(&nobody, "no vectors here yet");
    check(&MeaningSettings::default(), "KEN_EMBEDDING_MODEL");
    let folder = vault.root().display().to_string();
    check(&MeaningSettings { model: Some(folder), ..MeaningSettings::default() }, "has no `config.json`");
}

#[test]
fn vectors_that_are_damaged_or_of_another_width_are_made_anew() {
    let (vault, server) = (vault(), Server::start());
    let settings = server.settings("m");
    fill(&vault, &settings);
    let cache = vault.root().join(".kenning/cache");
    let files = || std::fs::read_dir(&cache).expect("a cache").map(|entry| entry.expect("a file").path());
    let vectors = || files().filter(|path| path.extension().is_some_and(|ext| ext == "vec")).collect::<Vec<_>>();
    assert_eq!(vectors().len(), 1);
    std::fs::write(&vectors()[0], b"kenvectr and then nothing").expect("writes");
    assert!(search(&vault, &settings, "loaf").notes[0].contains("no vectors here yet"));
    assert_eq!(fill(&vault, &settings).n_made, 2);
    assert_eq!(paths(&search(&vault, &settings, "loaf"))[0], "raw/town.md");
}

#[test]
fn filling_goes_on_where_it_was_cut_off_and_takes_over_what_did_not_change() {
    let (vault, server) = (vault(), Server::start());
    let settings = server.settings("m");
    let long: String = (0..600).map(|n| format!("## Part {n}\n\nText number {n}.\n\n")).collect();
    vault.write("raw/long.md", &long);
    server.n_calls_max.store(11, Ordering::SeqCst);
    let failure = vault.engine().with_meaning(settings.clone()).embed_index(&mut |_, _| {}).expect_err("refused");
    assert!(failure.message.contains("status 429") && failure.hints[0] == "no vector was lost", "{failure:?}");
    assert!(search(&vault, &settings, "part").notes.iter().any(|note| note.contains("have no vector yet")));
    server.n_calls_max.store(usize::MAX, Ordering::SeqCst);
    // Ten batches of 32 were answered, and one vector that shows the width.
    assert_eq!(fill(&vault, &settings).n_made, 602 - 320);
    vault.write("raw/new.md", "# New\n\nAnother text.\n");
    vault.engine().refresh_index().expect("refreshes");
    let done = fill(&vault, &settings);
    assert!(done.n_made == 1, "{done:?}");
}

#[test]
fn where_words_are_not_sure_what_means_the_same_is_handed_over_as_the_closest() {
    let (vault, server) = (vault(), Server::start());
    vault.write("knowledge/concepts/bakery.md", "---\ntldr: Opens at seven.\n---\n\n# Bakery\n\nIt sells bread.\n");
    let settings = server.settings("m");
    let engine = || vault.engine().with_meaning(settings.clone());
    let question = "where to buy a loaf";
    let before = engine().context(question, None).expect("answers");
    assert!(before.pack.text.is_empty() && before.notes[0].contains("has no vectors here yet"), "{before:?}");
    fill(&vault, &settings);
    let context = engine().context(question, None).expect("answers");
    assert!(context.abstained && context.notes.is_empty(), "{context:?}");
    assert!(context.pack.text.contains("this is closest:") && context.pack.text.contains("The bakery opens at seven."));
    let asked = engine().ask(question, ken_engine::AskOptions::default()).expect("answers");
    assert!(asked.is_abstained() && asked.quoted.contains("It sells bread."), "{}", asked.quoted);
    let route = engine().route(question, None).expect("answers");
    assert!(route.route.is_empty() && route.alike.is_some_and(|slug| slug.as_str() == "bakery"));
}

#[test]
fn words_that_are_sure_ask_no_server_and_a_vault_that_says_no_neither() {
    let (vault, server) = (vault(), Server::start());
    let settings = server.settings("m");
    fill(&vault, &settings);
    let n_calls = server.n_calls.load(Ordering::SeqCst);
    let engine = || vault.engine().with_meaning(settings.clone());
    let sure = engine().context("when does the bakery open in the morning?", None).expect("answers");
    assert!(!sure.abstained && sure.pack.text.contains("opens at seven"), "{sure:?}");
    let config = vault.read("kenning.toml");
    vault.write("kenning.toml", &format!("semantic = false\n{config}"));
    let silent = engine().context("where to buy a loaf", None).expect("answers");
    assert!(silent.pack.text.is_empty() && silent.notes.is_empty(), "{silent:?}");
    assert!(engine().route("where to buy a loaf", None).expect("answers").alike.is_none());
    assert_eq!(server.n_calls.load(Ordering::SeqCst), n_calls);
}

#[test]
fn no_secret_of_a_question_goes_to_a_server() {
    let (vault, server) = (vault(), Server::start());
    let settings = server.settings("m");
    fill(&vault, &settings);
    let engine = || vault.engine().with_meaning(settings.clone());
    let question = "which loaf wants the key AKIA0123456789ABCDEF";
    engine().context(question, None).expect("answers");
    engine().ask(question, ken_engine::AskOptions::default()).expect("answers");
    engine().route(question, None).expect("answers");
    search(&vault, &settings, question);
    let heard = server.heard.lock().expect("nobody panics with it").to_lowercase();
    assert!(heard.contains("loaf") && !heard.contains("akia0123456789abcdef"), "{heard}");
}

#[test]
fn a_searcher_that_follows_another_process_compares_the_vectors_that_are_new() {
    let (vault, server) = (vault(), Server::start());
    let settings = server.settings("m");
    fill(&vault, &settings);
    let engine = vault.engine().with_meaning(settings.clone());
    let mut searcher = engine.searcher().expect("an index").by_meaning();
    let request = SearchRequest { text: "where to buy a loaf".to_owned(), n_max: 10, ..SearchRequest::default() };
    assert_eq!(paths(&searcher.search(&request).expect("answers"))[0], "raw/town.md");
    vault.write("raw/town.md", "# Town\n\nNothing is sold here any more.\n");
    vault.write("raw/village.md", "# Village\n\nThe bakery opens at eight.\n");
    vault.engine().refresh_index().expect("refreshes");
    fill(&vault, &settings);
    assert_eq!(paths(&searcher.search(&request).expect("answers"))[0], "raw/village.md");
}
