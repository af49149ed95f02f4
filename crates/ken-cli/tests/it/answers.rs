//! Answers of a model behind a server: what it is sent, what is taken, what a question that goes on is sent.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::process::Command;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use crate::support::{Place, text};

/// What a server replies to what it is asked.
type Script = dyn Fn(&str) -> String + Send + Sync;

/// A server of models that replies as a script says, and keeps what it was asked.
pub(crate) struct Server {
    port: u16,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Server {
    pub(crate) fn start(script: impl Fn(&str) -> String + Send + Sync + 'static) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let asked = Arc::<Mutex<Vec<String>>>::default();
        let (kept, script): (_, Arc<Script>) = (Arc::clone(&asked), Arc::new(script));
        std::thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let mut reader = BufReader::new(stream.try_clone().expect("a stream"));
                let (mut n_bytes, mut line, mut body) = (0, String::new(), String::new());
                while reader.read_line(&mut line).is_ok_and(|n| n > 2) {
                    let lower = line.to_lowercase();
                    n_bytes = lower.strip_prefix("content-length:").map_or(n_bytes, |n| n.trim().parse().unwrap_or(0));
                    line.clear();
                }
                let _ = reader.take(n_bytes).read_to_string(&mut body);
                let messages = serde_json::from_str::<Value>(&body).unwrap_or_default()["messages"].clone();
                let said = messages.as_array().into_iter().flatten().filter_map(|one| one["content"].as_str());
                let prompt = said.collect::<Vec<_>>().join("\n");
                kept.lock().expect("what was asked").push(prompt.clone());
                let reply = json!({"choices": [{"message": {"content": script(&prompt)}, "finish_reason": "stop"}],
                    "usage": {"prompt_tokens": 1_000, "completion_tokens": 100}});
                let (reply, len) = (reply.to_string(), reply.to_string().len());
                let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n";
                let _ = stream.write_all(format!("{head}content-length: {len}\r\n\r\n{reply}").as_bytes());
            }
        });
        Server { port, asked }
    }

    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().expect("what was asked").clone()
    }

    /// Names the server as `mine` in the file of a place's user.
    pub(crate) fn known_to(&self, place: &Place) {
        let folder = place.home().join(".config/kenning");
        fs::create_dir_all(&folder).expect("a new folder");
        let url = format!("http://127.0.0.1:{}/v1", self.port);
        let file = format!("[servers.mine]\nurl = \"{url}\"\nprice = {{ input = 1, output = 1 }}\n");
        fs::write(folder.join("models.toml"), file).expect("a new file");
    }
}

const OLD: &str = "# Daily Log: 2026-03-02\n\n### Tokens (09:00)\n\n**Decisions Made:**\n- Access tokens live 60 minutes.\n- The gate keeper signs access tokens with a key of its own.\n";
const NEW: &str = "# Daily Log: 2026-03-10\n\n### Tokens (09:00)\n\n**Decisions Made:**\n- Access tokens live 15 minutes now, not 60 minutes.\n";

pub(crate) fn place() -> Place {
    let place = Place::new();
    fs::create_dir_all(place.project().join("daily")).expect("a new folder");
    for (day, said) in [("2026-03-02", OLD), ("2026-03-10", NEW)] {
        fs::write(place.project().join(format!("daily/{day}.md")), said).expect("a day");
    }
    said(place.ken(&["compile"]));
    place
}

/// What a command prints on both streams, whatever it exits with.
pub(crate) fn said(mut command: Command) -> String {
    let output = command.output().expect("the binary runs");
    text(&output.stdout) + &text(&output.stderr)
}

/// The id of the statement in whose row these words stand.
pub(crate) fn id(prompt: &str, words: &str) -> String {
    let row = prompt.lines().find(|line| line.starts_with("- ") && line.contains(words));
    row.unwrap_or_else(|| panic!("no `{words}` in {prompt}"))[2..].split(' ').next().unwrap_or_default().to_owned()
}

pub(crate) fn answer(text: &str, cites: &[String]) -> String {
    json!({"known": true, "sentences": [{"text": text, "cites": cites}]}).to_string()
}

const QUESTION: &str = "How long do access tokens live?";

#[test]
fn a_model_behind_a_server_answers_from_dated_statements_and_the_old_is_not_taken_for_the_new() {
    let place = place();
    let server = Server::start(|prompt| match prompt.contains("Question: How long") {
        true => answer("Access tokens live 15 minutes since 2026-03-10.", &[id(prompt, "[said 2026-03-10]")]),
        false => answer("Access tokens live 60 minutes.", &[id(prompt, "superseded on 2026-03-10")]),
    });
    server.known_to(&place);
    let good = said(place.ken(&["ask", "--model", "mine:m", QUESTION]));
    assert!(good.contains("- Access tokens live 15 minutes since 2026-03-10. ("), "{good}");
    let stale = said(place.ken(&["ask", "--model", "mine:m", "What lifetime do access tokens have?"]));
    assert!(stale.contains("the model's answer was not taken: it gives as current what no longer holds"), "{stale}");
    assert!(stale.contains("- Access tokens live 15 minutes now, not 60 minutes. ("), "{stale}");
    assert!(server.asked()[0].contains("Today: 2026-06-01\nQuestion: "), "{}", server.asked()[0]);
}

#[test]
fn a_question_goes_on_from_the_last_one_with_a_model_and_without() {
    let place = place();
    said(place.ken(&["ask", QUESTION]));
    let plain = said(place.ken(&["ask", "-c", "and since when?"]));
    assert!(
        plain.contains("goes on from \"How long do access tokens live?\"") && plain.contains("2026-03-10"),
        "{plain}"
    );
    let server = Server::start(|prompt| answer("It holds since 2026-03-10.", &[id(prompt, "[said 2026-03-10]")]));
    server.known_to(&place);
    said(place.ken(&["ask", QUESTION]));
    let told = said(place.ken(&["ask", "--model", "mine:m", "--continue", "and since when?"]));
    assert!(told.contains("- It holds since 2026-03-10. ("), "{told}");
    let asked = server.asked().pop().expect("it was asked");
    assert!(
        asked.contains("Earlier question: How long do access tokens live?\nIts answer:\n- Access tokens live 15"),
        "{asked}"
    );
    assert!(asked.contains("Question (it goes on from the earlier ones): and since when?"), "{asked}");
}

#[test]
fn a_question_goes_on_from_none_that_was_asked_long_ago_or_was_forgotten() {
    let place = place();
    let refused = |command: Command| {
        let said = said(command);
        assert!(said.contains("nothing was asked here in the last 8 hours"), "{said}");
    };
    refused(place.ken(&["ask", "-c", "and since when?"]));
    said(place.ken(&["ask", QUESTION]));
    let mut later = place.ken(&["ask", "-c", "and since when?"]);
    later.env("KEN_NOW", "2026-06-01T20:00:01Z");
    refused(later);
    // Its seal is no text.
    let kept = || {
        let bytes = fs::read(place.project().join(".kenning/cache/thread.json")).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    };
    said(place.ken(&["ask", "who signs access tokens, the gate keeper?"]));
    assert!(kept().contains("gate keeper"), "{}", kept());
    said(place.ken(&["forget", "--name", "gate keeper", "--yes"]));
    assert!(!kept().contains("gate keeper"), "{}", kept());
    refused(place.ken(&["ask", "-c", "and since when?"]));
}
