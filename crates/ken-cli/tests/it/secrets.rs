//! The corpus of planted secrets through the real binary: capture of five agents' transcripts, notes, logs,
//! documents, compiling and searching; then every byte under the vault is looked at.
//!
//! `KEN_SECRETS_SEED` takes another seed; the figures are printed with `--nocapture`.

use std::collections::BTreeMap;
use std::fs;

use serde_json::json;

use crate::support::{Place, figures, text};

#[path = "../../../ken-intake/tests/scrub/mod.rs"]
#[allow(dead_code, reason = "the measurement uses the rest of the corpus")]
mod corpus;

const SEED: u64 = 99;
/// Samples of a kind that are planted.
const SAMPLES_OF_A_KIND: usize = 3;

/// What is planted: a few of every kind.
fn planted() -> Vec<corpus::Planted> {
    let seed = std::env::var("KEN_SECRETS_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(SEED);
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let all = corpus::planted(seed).into_iter().chain(corpus::disguised::disguised(seed));
    all.filter(|sample| {
        let count = counts.entry(sample.kind).or_default();
        *count += 1;
        *count <= SAMPLES_OF_A_KIND
    })
    .collect()
}

/// One transcript with what was said, in the form of an agent; its file name decides how it is read.
fn transcript(agent: usize, session: &str, cwd: &str, said: &[String]) -> (String, String) {
    let at = "2026-06-01T09:00:00.000Z";
    let turns = said.iter().flat_map(|said| [("user", "Please settle what is open."), ("assistant", said.as_str())]);
    let lines = |values: Vec<serde_json::Value>| values.iter().map(|value| format!("{value}\n")).collect::<String>();
    match agent {
        0 => {
            let one = |(role, said): (&str, &str)| {
                json!({"type": role, "isSidechain": false, "sessionId": session, "cwd": cwd, "timestamp": at,
                    "message": {"role": role, "content": said}})
            };
            (format!("{session}.jsonl"), lines(turns.map(one).collect()))
        }
        1 => {
            let mut all = vec![json!({"timestamp": at, "type": "session_meta", "payload": {"id": session, "cwd": cwd,
                "originator": "codex_cli_rs", "cli_version": "0.104.0", "source": "cli"}})];
            all.extend(turns.map(|(role, said)| {
                let kind = if role == "user" { "input_text" } else { "output_text" };
                json!({"timestamp": at, "type": "response_item", "payload": {"type": "message", "role": role,
                    "content": [{"type": kind, "text": said}]}})
            }));
            (format!("rollout-{session}.jsonl"), lines(all))
        }
        2 => {
            let one = |(n, (role, said)): (usize, (&str, &str))| {
                let role = if role == "user" { "user" } else { "gemini" };
                json!({"id": format!("m{n}"), "timestamp": at, "type": role, "content": said})
            };
            let messages: Vec<_> = turns.enumerate().map(one).collect();
            let whole = json!({"sessionId": session, "projectHash": "00ff", "startTime": at, "lastUpdated": at, "messages": messages});
            (format!("session-{session}.json"), whole.to_string())
        }
        3 => {
            let one = |(n, (role, said)): (usize, (&str, &str))| {
                let model = if role == "user" { "user" } else { "model" };
                json!({"uuid": format!("u{n}"), "parentUuid": null, "sessionId": session, "timestamp": at, "type": role,
                    "cwd": cwd, "version": "0.21", "message": {"role": model, "parts": [{"text": said}]}})
            };
            (format!("{session}.jsonl"), lines(turns.enumerate().map(one).collect()))
        }
        _ => {
            let one = |(role, said): (&str, &str)| json!({"role": role, "content": [{"type": "text", "text": said}]});
            (format!("{session}/api_conversation_history.json"), json!(turns.map(one).collect::<Vec<_>>()).to_string())
        }
    }
}

#[test]
fn of_all_planted_secrets_hardly_one_is_left_in_any_file() {
    let place = Place::new();
    let samples = planted();
    let mut kinds: Vec<&str> = samples.iter().map(|sample| sample.kind).collect();
    kinds.dedup();
    assert!(samples.len() >= 400 && kinds.len() >= 140, "{} of {} kinds", samples.len(), kinds.len());
    let outside = place.home().join("work");
    let cwd = place.project().display().to_string();
    let ok = |args: &[&str]| {
        let output = place.ken(args).output().expect("the binary runs");
        assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    };
    // Each seventh sample by another way: five agents, a note, documents of three forms.
    for (way, chunk) in (0..7).map(|way| (way, samples.iter().skip(way).step_by(7).collect::<Vec<_>>())) {
        for (n, some) in chunk.chunks(8).enumerate() {
            let said: Vec<String> =
                some.iter().map(|sample| format!("We decided that the oven needs this:\n{}\n", sample.text)).collect();
            match way {
                0..=4 => {
                    let (name, transcript) = transcript(way, &format!("s-{way}-{n}"), &cwd, &said);
                    let path = outside.join(name);
                    fs::create_dir_all(path.parent().expect("a folder")).expect("a new folder");
                    fs::write(&path, transcript).expect("a new file");
                    ok(&["capture", &path.display().to_string()]);
                }
                5 => ok(&["log", "--", &said.join("\n\n").replace('\0', "\u{1}")]),
                _ => {
                    let body = said.join("\n\n");
                    let html = format!("<h1>Oven {n}</h1><pre>{}</pre>", body.replace('<', "&lt;"));
                    for (ending, body) in [("md", &body), ("txt", &body), ("html", &html)] {
                        let path = outside.join(format!("oven-{n}-{ending}.{ending}"));
                        fs::create_dir_all(&outside).expect("a new folder");
                        fs::write(&path, body).expect("a new file");
                        ok(&["ingest", &path.display().to_string()]);
                    }
                }
            }
        }
    }
    ok(&["compile"]);
    let printed = place.ken(&["search", "what does the oven need", "--limit", "50"]).output().expect("the binary runs");
    let mut stored = vec![("search".to_owned(), text(&printed.stdout))];
    for path in place.files() {
        stored
            .push((path.display().to_string(), String::from_utf8_lossy(&fs::read(&path).expect("reads")).into_owned()));
    }
    let missed: Vec<String> = left(&samples, &stored)
        .into_iter()
        .map(|(sample, at)| format!("{} in {}: {:?}", samples[sample].kind, stored[at].0, samples[sample].text))
        .collect();
    let recall = 1.0 - missed.len() as f64 / samples.len() as f64;
    let note = format!("recall {recall:.4}: {} of {} left, {} kinds", missed.len(), samples.len(), kinds.len());
    figures(samples.len(), if recall < 0.98 { &missed } else { &[] }, &note);
    assert!(recall >= 0.98, "{note}:\n{}", missed.join("\n"));
}

/// The samples of which something stands in a text, as it is or without its disguise, each with one such text.
fn left(samples: &[corpus::Planted], stored: &[(String, String)]) -> BTreeMap<usize, usize> {
    let (mut needles, mut owners) = (Vec::new(), Vec::new());
    for (n, sample) in samples.iter().enumerate() {
        for part in corpus::telling_parts(&sample.secret) {
            needles.push(part);
            owners.push(n);
        }
    }
    let search = aho_corasick::AhoCorasick::new(&needles).expect("the parts are short");
    let mut left = BTreeMap::new();
    for (at, (_, text)) in stored.iter().enumerate() {
        for text in [corpus::without_marks(text), corpus::without_marks(&corpus::disguised::plain(text))] {
            for found in search.find_overlapping_iter(&text) {
                left.entry(owners[found.pattern().as_usize()]).or_insert(at);
            }
        }
    }
    left
}
