//! A server on this machine that answers each call with the next of its replies, and tells what it was asked.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// What is sent back, byte by byte as it stands, and how slowly.
pub(crate) struct Answer {
    pub(crate) bytes: Vec<u8>,
    /// Wait before each further byte of the body.
    pub(crate) drip: Option<Duration>,
}

/// A whole answer.
pub(crate) fn answer(status: &str, headers: &str, body: &str) -> Answer {
    let head = format!("HTTP/1.1 {status}\r\n{headers}content-length: {}\r\nconnection: close\r\n\r\n", body.len());
    Answer { bytes: (head + body).into_bytes(), drip: None }
}

/// A good answer.
pub(crate) fn ok(body: &str) -> Answer {
    answer("200 OK", "content-type: application/json\r\n", body)
}

/// Bytes as they are.
pub(crate) fn raw(bytes: &[u8]) -> Answer {
    Answer { bytes: bytes.to_vec(), drip: None }
}

/// The server's address and what it is asked; after its last answer it hangs up on everybody.
pub(crate) fn server(answers: Vec<Answer>) -> (String, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let (tell, told) = channel();
    std::thread::spawn(move || {
        let mut answers = answers.into_iter();
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            let asked = read(&mut stream);
            if tell.send(asked).is_err() {
                return;
            }
            let Some(answer) = answers.next() else { continue };
            // Who lost patience is gone.
            let _ = send(&mut stream, &answer);
        }
    });
    (url, told)
}

fn send(stream: &mut TcpStream, answer: &Answer) -> std::io::Result<()> {
    let Some(drip) = answer.drip else { return stream.write_all(&answer.bytes) };
    let head = answer.bytes.windows(4).position(|four| four == b"\r\n\r\n").map_or(0, |at| at + 4);
    stream.write_all(&answer.bytes[..head])?;
    for byte in &answer.bytes[head..] {
        stream.write_all(&[*byte])?;
        std::thread::sleep(drip);
    }
    Ok(())
}

fn read(stream: &mut TcpStream) -> String {
    let mut asked = Vec::new();
    let mut piece = [0; 64 * 1024];
    while !is_whole(&asked) {
        match stream.read(&mut piece) {
            Ok(n) if n > 0 => asked.extend_from_slice(&piece[..n]),
            _ => break,
        }
    }
    String::from_utf8_lossy(&asked).into_owned()
}

fn is_whole(asked: &[u8]) -> bool {
    let Some(end) = asked.windows(4).position(|four| four == b"\r\n\r\n") else { return false };
    let head = String::from_utf8_lossy(&asked[..end]).to_lowercase();
    let len = head.lines().find_map(|line| line.strip_prefix("content-length:"));
    len.and_then(|len| len.trim().parse::<usize>().ok()).is_none_or(|len| asked.len() >= end + 4 + len)
}

/// The first line, the headers that matter, and the body of what was asked.
pub(crate) fn told(asked: &str) -> String {
    let (head, body) = asked.split_once("\r\n\r\n").expect("a request");
    let kept = [
        "post",
        "authorization",
        "x-api-key",
        "x-goog-api-key",
        "api-key",
        "anthropic-version",
        "content-type",
        "user-agent",
    ];
    let lines = head.lines().filter(|line| kept.iter().any(|name| line.to_lowercase().starts_with(name)));
    let mut lines: Vec<String> = lines.map(str::to_owned).collect();
    lines[1..].sort();
    let body: serde_json::Value = serde_json::from_str(body).expect("JSON");
    format!("{}\n{body:#}\n", lines.join("\n"))
}
