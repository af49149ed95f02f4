//! The client against a real server on this machine that answers, lingers, lies and refuses.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::mpsc::{Receiver, channel};
use std::time::Instant;

use super::*;

/// A server that answers every call with the same bytes after a while, and tells what it was asked.
fn server(status: &str, body: &str, after: Duration) -> (String, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}/v1/", listener.local_addr().expect("an address"));
    let reply = format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}", body.len());
    let (tell, told) = channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            let mut asked = Vec::new();
            let mut piece = [0; 4096];
            while !is_whole(&asked) {
                match stream.read(&mut piece) {
                    Ok(n) if n > 0 => asked.extend_from_slice(&piece[..n]),
                    _ => break,
                }
            }
            if tell.send(String::from_utf8_lossy(&asked).into_owned()).is_err() {
                return;
            }
            std::thread::sleep(after);
            // Who lost patience is gone.
            let _ = stream.write_all(reply.as_bytes());
        }
    });
    (url, told)
}

fn is_whole(asked: &[u8]) -> bool {
    let text = String::from_utf8_lossy(asked).to_lowercase();
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
    let len = head.lines().find_map(|line| line.strip_prefix("content-length:"));
    len.and_then(|len| len.trim().parse::<usize>().ok()).is_none_or(|len| body.len() >= len)
}

fn endpoint(url: &str, key: Option<&str>) -> Endpoint {
    let timeout = Some(Duration::from_secs(2));
    let settings =
        EndpointSettings { url: url.to_owned(), model: "m".to_owned(), key: key.map(str::to_owned), timeout };
    Endpoint::new(settings).expect("an address")
}

/// What comes of two texts.
#[track_caller]
fn check(status: &str, body: &str, expected: &str) {
    let (url, _told) = server(status, body, Duration::ZERO);
    let shown = match endpoint(&url, None).embed(Role::Passage, &["a", "b"]) {
        Ok(vectors) => format!("{vectors:?}"),
        Err(error) => error.to_string(),
    };
    assert!(shown.contains(expected), "{expected:?} is not in {shown:?}");
}

#[test]
fn texts_are_answered_in_their_order() {
    let body = r#"{"data":[{"index":1,"embedding":[0,2]},{"index":0,"embedding":[3,4]}],"model":"m"}"#;
    check("200 OK", body, "[[0.6, 0.8], [0.0, 1.0]]");
    check("200 OK", r#"{"data":[{"embedding":[1,0]},{"embedding":[0,1]}]}"#, "[[1.0, 0.0], [0.0, 1.0]]");
}

#[test]
fn what_is_sent_is_texts_model_and_key() {
    let (url, told) = server("200 OK", r#"{"data":[{"embedding":[1,0]}]}"#, Duration::ZERO);
    endpoint(&url, Some("k-123")).embed(Role::Question, &["why?"]).expect("vectors");
    let asked = told.recv().expect("a call");
    assert!(asked.starts_with("POST /v1/embeddings HTTP/1.1\r\n"), "{asked}");
    assert!(asked.to_lowercase().contains("authorization: bearer k-123\r\n"), "{asked}");
    assert!(asked.ends_with(r#"{"model":"m","input":["why?"],"encoding_format":"float"}"#), "{asked}");
}

#[test]
fn answers_that_are_no_vectors_are_refused() {
    check("200 OK", r#"{"data":[{"embedding":[1,0]}]}"#, "answered 2 texts with 1 vectors");
    check("200 OK", r#"{"data":[{"embedding":[1,0]},{"embedding":[1]}]}"#, "vectors of 2 and of 1 numbers");
    check("200 OK", r#"{"data":[{"embedding":[1,0]},{"embedding":[0,0]}]}"#, "empty, zero or no number");
    check("200 OK", r#"{"data":[{"embedding":[1,0]},{"embedding":[NaN,0]}]}"#, "no list of vectors");
    check("200 OK", r#"{"data":[{"embedding":[1,0]},{"embedding":[1e39,0]}]}"#, "no");
    check("200 OK", r#"{"data":[{"embedding":[1,0]},{"embedding":[null,0]}]}"#, "no list of vectors");
    check("200 OK", r#"{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}"#, "one text twice");
    check("200 OK", r#"{"data":[{"index":0,"embedding":[1]},{"index":7,"embedding":[1]}]}"#, "one text twice");
    check("200 OK", "<html>", "no list of vectors");
}

#[test]
fn refusals_are_told_with_what_helps() {
    check("401 Unauthorized", r#"{"error":{"message":"bad\nkey"}}"#, "status 401: bad key; check KEN_EMBEDDING_KEY");
    check("404 Not Found", "", "status 404; check KEN_EMBEDDING_URL");
    check("429 Too Many Requests", "{}", "status 429; wait");
    check("500 Oops", r#"{"error":"out of memory"}"#, "status 500: out of memory");
    check("307 Temporary Redirect\r\nlocation: http://127.0.0.1:1/", "", "status 307");
}

#[test]
fn a_slow_server_is_not_waited_for() {
    let (url, _told) = server("200 OK", "{}", Duration::from_secs(30));
    let before = Instant::now();
    let error = endpoint(&url, None).embed(Role::Question, &["a"]).expect_err("no answer");
    assert!(error.message.ends_with("did not answer in 2s"), "{error}");
    assert!(before.elapsed() < Duration::from_secs(10));
}

#[test]
fn nobody_there_is_told() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}/v1", listener.local_addr().expect("an address"));
    drop(listener);
    let error = endpoint(&url, None).embed(Role::Question, &["a"]).expect_err("no answer");
    assert!(error.message.contains("cannot be reached") && error.hint.contains("start it"), "{error}");
}

#[test]
fn no_error_and_no_debug_text_shows_the_key() {
    let (url, _told) = server("400 Bad", r#"{"error":{"message":"key k-123 is unknown"}}"#, Duration::ZERO);
    let endpoint = endpoint(&url, Some("k-123"));
    let error = endpoint.embed(Role::Question, &["a"]).expect_err("refused");
    assert!(error.message.ends_with("key [key] is unknown"), "{error}");
    assert!(!format!("{endpoint:?}").contains("k-123"));
}

#[test]
fn addresses_that_would_leak_or_mean_nothing_are_refused() {
    let new = |url: &str, key: Option<&str>| {
        let settings =
            EndpointSettings { url: url.to_owned(), model: "m".to_owned(), key: key.map(str::to_owned), timeout: None };
        Endpoint::new(settings).map(|_| ()).map_err(|error| error.message)
    };
    assert!(new("http://10.0.0.1:80/v1", Some("k")).expect_err("refused").contains("unencrypted"));
    assert!(new("https://user:k@example.com/v1", None).expect_err("refused").contains("in it"));
    for url in ["", "example.com/v1", "ftp://example.com", "file:///etc/passwd", "http://"] {
        assert!(new(url, None).is_err(), "{url}");
    }
    assert_eq!(new("http://10.0.0.1:80/v1", None), Ok(()));
    assert_eq!(new("http://[::1]:80/v1", Some("k")), Ok(()));
    assert_eq!(new("https://example.com/v1/", Some("k")), Ok(()));
}
