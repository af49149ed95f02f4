//! Reads the corpus: `WHERE | FATE | NAME | PAYLOAD`, see the head of the file.

use std::sync::LazyLock;

use ken_engine::model::Prompt;
use serde_json::{Value, json};

use super::honest;

/// What must become of a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// It is no reply: nothing is recorded and the task stays open.
    Open,
    /// What it says is not taken, and why is said.
    Out,
    /// It may be taken, as long as nothing is harmed.
    Safe,
}

/// One line of the corpus.
#[derive(Debug, Clone)]
pub(super) struct Case {
    place: String,
    pub(super) fate: Fate,
    pub(super) name: String,
    payload: String,
    /// Which line it is: replies to any kind go to the reader and to one other kind in turn.
    turn: usize,
}

const KINDS: [&str; 3] = ["compile", "page", "merge"];

/// Returns every case.
pub(super) fn cases() -> Vec<Case> {
    let lines = include_str!("../../hostile/replies.txt").lines();
    let cases = lines.filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let cases: Vec<Case> = cases.enumerate().map(|(n, line)| read(n, line)).collect();
    assert!(cases.len() >= 80, "the corpus has {} cases", cases.len());
    cases
}

fn read(turn: usize, line: &str) -> Case {
    let parts: Vec<&str> = line.splitn(4, " | ").collect();
    let [place, fate, name, payload] = parts[..] else { panic!("no case: {line}") };
    let fate = match fate.trim() {
        "open" => Fate::Open,
        "out" => Fate::Out,
        "safe" => Fate::Safe,
        other => panic!("no fate: {other}"),
    };
    Case { place: place.trim().to_owned(), fate, name: name.trim().to_owned(), payload: payload.to_owned(), turn }
}

/// A key that nobody was given, put together here so that no scanner of this repository trips over it.
pub(super) fn secret() -> String {
    static SECRET: LazyLock<String> = LazyLock::new(|| format!("gh{}_{}", 'p', "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"));
    SECRET.clone()
}

impl Case {
    /// Returns the kinds of tasks that it replies to.
    pub(super) fn kinds(&self) -> &'static [&'static str] {
        match self.place.as_str() {
            "any" => [&["compile", "page"], &["compile", "merge"]][self.turn % 2],
            "claim" => &["compile"],
            "text" => &["compile", "page"],
            "name" => &KINDS,
            "subject" | "alias" => &["compile"],
            "trigger" => &["page"],
            place => {
                let known = KINDS.iter().position(|kind| *kind == place);
                let n = known.unwrap_or_else(|| panic!("no such place: {place}"));
                std::slice::from_ref(&KINDS[n])
            }
        }
    }

    fn is_text(&self) -> bool {
        ["text", "name", "subject", "alias", "trigger"].contains(&self.place.as_str())
    }

    /// Returns what must not stand in the wiki: what is between ⟦ and ⟧, else all of a text that is not
    /// to be taken.
    pub(super) fn never(&self) -> Vec<String> {
        let plain = |text: &str| filled(text, None);
        let mut parts = self.payload.split('⟦');
        let whole = parts.next().unwrap_or_default();
        let marked: Vec<String> =
            parts.filter_map(|part| part.split_once('⟧')).map(|(inner, _)| plain(inner)).collect();
        match (marked.is_empty(), self.fate) {
            (true, Fate::Out) if self.is_text() && whole.len() > 2 => vec![plain(whole)],
            _ => marked,
        }
    }

    /// Returns the reply to a prompt.
    pub(super) fn reply(&self, prompt: &Prompt) -> String {
        let kind = prompt.schema.name;
        let payload = filled(&self.payload.replace(['⟦', '⟧'], ""), Some(prompt));
        let mut reply = match self.place.as_str() {
            "any" | "compile" | "page" | "merge" => return payload,
            _ => honest::good(kind, prompt),
        };
        match self.place.as_str() {
            "claim" => {
                let change: Value = serde_json::from_str(&payload).unwrap_or_else(|why| panic!("{}: {why}", self.name));
                for (key, value) in change.as_object().expect("an object of fields") {
                    reply["claims"][0][key] = value.clone();
                }
            }
            "text" => put_text(&mut reply, kind, &payload),
            "name" => {
                put_subject(&mut reply, kind, &payload);
                put_alias(&mut reply, kind, &payload);
                put_name(&mut reply, kind, &payload);
            }
            "subject" => put_subject(&mut reply, kind, &payload),
            "alias" => put_alias(&mut reply, kind, &payload),
            "trigger" => put_name(&mut reply, kind, &payload),
            other => panic!("no such place: {other}"),
        }
        reply.to_string()
    }
}

fn put_text(reply: &mut Value, kind: &str, text: &str) {
    match kind {
        "compile" => {
            reply["claims"][0]["text"] = json!(text);
            let subjects = ["Refresh tokens", "Login service"];
            reply["connections"] = json!([{"text": text, "lines": reply["claims"][0]["lines"], "subjects": subjects}]);
        }
        "page" => {
            reply["tldr"] = json!(text);
            let good = reply["sections"][0]["sentences"][0].clone();
            let with = |synthesis: bool| json!({"text": text, "claims": good["claims"], "synthesis": synthesis});
            reply["sections"][0]["sentences"] = json!([good, with(false), with(true)]);
        }
        other => panic!("{other} has no text"),
    }
}

fn put_subject(reply: &mut Value, kind: &str, name: &str) {
    if kind == "compile" {
        reply["claims"][0]["subjects"] = json!([name]);
        let card = json!({"name": name, "category": "concept", "aliases": []});
        reply["subjects"].as_array_mut().expect("a list").push(card);
    }
}

fn put_alias(reply: &mut Value, kind: &str, name: &str) {
    if kind == "compile" {
        for card in reply["subjects"].as_array_mut().expect("a list") {
            card["aliases"] = json!([name]);
        }
    }
}

fn put_name(reply: &mut Value, kind: &str, name: &str) {
    match kind {
        "compile" => {}
        "page" => {
            reply["triggers"].as_array_mut().expect("a list").insert(0, json!(name));
            reply["high"].as_array_mut().expect("a list").insert(0, json!(name));
            reply["mid"].as_array_mut().expect("a list").push(json!(name));
            let section = json!({"heading": name, "sentences": reply["sections"][0]["sentences"]});
            reply["sections"].as_array_mut().expect("a list").push(section);
        }
        "merge" => reply["title"] = json!(name),
        other => panic!("{other} has no name"),
    }
}

/// Replaces what stands between ‹ and ›.
fn filled(text: &str, prompt: Option<&Prompt>) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('‹') {
        out.push_str(before);
        let (word, behind) = after.split_once('›').unwrap_or_else(|| panic!("no end: {text}"));
        out.push_str(&macro_of(word, prompt));
        rest = behind;
    }
    out + rest
}

fn macro_of(word: &str, prompt: Option<&Prompt>) -> String {
    let (name, rest) = word.split_once(' ').unwrap_or((word, ""));
    let seen = || prompt.map(|prompt| format!("{}\n{}", prompt.context, prompt.input)).unwrap_or_default();
    match name {
        "nl" => "\n".to_owned(),
        "cr" => "\r".to_owned(),
        "tab" => "\t".to_owned(),
        "secret" => secret(),
        "id" => honest::claim(&seen()).unwrap_or_default().0,
        "other" => honest::hidden_id(),
        "prompt" => seen(),
        "schema" => prompt.map(|prompt| prompt.schema.json.to_string()).unwrap_or_default(),
        "good" => {
            let Some(prompt) = prompt else { return String::new() };
            honest::good(if rest.is_empty() { prompt.schema.name } else { rest }, prompt).to_string()
        }
        // The good reply without its last characters.
        "cut" => {
            let Some(prompt) = prompt else { return String::new() };
            let whole = honest::good(prompt.schema.name, prompt).to_string();
            let share: usize = rest.parse().expect("a share in percent");
            whole.chars().take(whole.chars().count() * share / 100).collect()
        }
        "repeat" => {
            let (n, what) = rest.split_once(' ').expect("a number and a text");
            what.repeat(n.parse().expect("a number"))
        }
        code if code.starts_with("u+") => {
            let number = u32::from_str_radix(&code[2..], 16).expect("hexadecimal digits");
            char::from_u32(number).expect("a character").to_string()
        }
        other => panic!("no such word: {other}"),
    }
}
