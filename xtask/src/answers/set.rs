//! Sets of questions, and the raw text of their material.

use std::path::{Path, PathBuf};

use regex::{Regex, RegexBuilder};
use serde_json::Value;

/// The parts a set may have, in the order in which they are asked.
const PARTS: [&str; 3] = ["sessions", "docs", "life"];

/// A set of questions.
pub(super) struct Set {
    pub(super) name: String,
    pub(super) folder: PathBuf,
    pub(super) questions: Vec<Question>,
}

/// One question.
pub(super) struct Question {
    pub(super) id: String,
    /// The part that it is about.
    pub(super) part: String,
    pub(super) text: String,
    /// What an answer must match.
    all: Vec<Regex>,
    pub(super) is_answerable: bool,
}

impl Set {
    pub(super) fn read(name: &str, folder: &Path) -> Result<Set, String> {
        let place = folder.join("questions.jsonl");
        let text =
            std::fs::read_to_string(&place).map_err(|err| format!("cannot read `{}`: {err}", place.display()))?;
        let questions = text.lines().filter(|line| !line.trim().is_empty()).enumerate();
        let questions = questions
            .map(|(n, line)| {
                Question::read(line).map_err(|why| format!("`{}`, line {}: {why}", place.display(), n + 1))
            })
            .collect::<Result<_, String>>()?;
        Ok(Set { name: name.to_owned(), folder: folder.to_owned(), questions })
    }

    pub(super) fn parts(&self) -> impl Iterator<Item = &'static str> {
        PARTS.into_iter().filter(|part| self.folder.join(part).is_dir())
    }

    pub(super) fn of_part<'s>(&'s self, part: &'s str) -> impl Iterator<Item = &'s Question> {
        self.questions.iter().filter(move |question| question.part == part)
    }

    /// The files of a part, in order.
    pub(super) fn files(&self, part: &str) -> Result<Vec<PathBuf>, String> {
        files_below(&self.folder.join(part))
    }

    /// The text of a part as it is before anything reads it, one string a file, each with the line that says what
    /// its later pieces belong to.
    pub(super) fn raw(&self, part: &str) -> Result<Vec<(String, String)>, String> {
        let text = |file: &PathBuf| {
            std::fs::read_to_string(file).map_err(|err| format!("cannot read `{}`: {err}", file.display()))
        };
        let one = |file: PathBuf| {
            let text = text(&file)?;
            Ok(match part {
                "sessions" => (String::new(), talk(&text)),
                "life" => {
                    let (day, hour, who) = when(&file);
                    let head = format!("## {day} {hour} {who}\n");
                    (head.clone(), format!("{head}\n{text}"))
                }
                _ => (String::new(), text),
            })
        };
        self.files(part)?.into_iter().map(one).collect()
    }
}

impl Question {
    fn read(line: &str) -> Result<Question, String> {
        let value: Value = serde_json::from_str(line).map_err(|err| err.to_string())?;
        let text = |key: &str| value[key].as_str().map(str::to_owned).ok_or(format!("`{key}` is missing"));
        let pattern = |one: &Value| {
            let pattern = one.as_str().unwrap_or_default();
            RegexBuilder::new(pattern)
                .case_insensitive(true)
                .dot_matches_new_line(true)
                .build()
                .map_err(|err| err.to_string())
        };
        let all = value["all"].as_array().ok_or("`all` is missing")?;
        Ok(Question {
            id: text("id")?,
            part: text("vault")?,
            text: text("question")?,
            all: all.iter().map(pattern).collect::<Result<_, String>>()?,
            is_answerable: value["answerable"].as_bool().ok_or("`answerable` is missing")?,
        })
    }

    /// Returns whether a text holds the answer, however its lines are broken.
    pub(super) fn is_answered_by(&self, text: &str) -> bool {
        let text = text.replace("**", "");
        let flat = unwrapped(&text);
        let variants = [text.replace('`', ""), flat.replace('`', ""), text, flat];
        self.all.iter().all(|pattern| variants.iter().any(|text| pattern.is_match(text)))
    }
}

/// A text in which no line break only wraps a sentence.
fn unwrapped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        let bare = line.trim_start();
        let n_digits = bare.bytes().take_while(u8::is_ascii_digit).count();
        let is_numbered = n_digits > 0 && bare[n_digits..].starts_with(". ");
        let is_place = bare
            .strip_prefix('L')
            .is_some_and(|rest| rest.trim_start_matches(|ch: char| ch.is_ascii_digit()).starts_with(':'));
        let begins =
            bare.is_empty() || bare.starts_with(['#', '|', '>', '@', '*', '+', '[', '-']) || is_numbered || is_place;
        if !out.is_empty() {
            out.push(if begins || out.ends_with('\n') { '\n' } else { ' ' });
        }
        out.push_str(if begins { line } else { bare });
    }
    out
}

/// What people and agents said in a transcript of Claude Code, or of Gemini CLI.
fn talk(text: &str) -> String {
    let whole: Option<Value> = serde_json::from_str(text).ok();
    let mut out = String::new();
    let mut add = |n: usize, who: &str, content: &Value| {
        let said = said(content);
        if !said.trim().is_empty() {
            out.push_str(&format!("@{n} {who}: {said}\n"));
        }
    };
    match whole.as_ref().and_then(|whole| whole["messages"].as_array()) {
        Some(messages) => {
            for (n, one) in messages.iter().enumerate() {
                add(n, one["type"].as_str().unwrap_or_default(), &one["content"]);
            }
        }
        None => {
            for (n, line) in text.lines().enumerate() {
                let Ok(one) = serde_json::from_str::<Value>(line) else { continue };
                if let Some(who @ ("user" | "assistant")) = one["type"].as_str() {
                    add(n + 1, who, &one["message"]["content"]);
                }
            }
        }
    }
    out
}

fn said(content: &Value) -> String {
    let of_block = |block: &Value| (block["type"] == "text").then(|| block["text"].as_str().map(str::to_owned))?;
    match content {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => blocks.iter().filter_map(of_block).collect::<Vec<_>>().join("\n"),
        _ => String::new(),
    }
}

/// The day, the hour and the person that a file of `life/` is named by.
pub(super) fn when(file: &Path) -> (String, String, String) {
    let day = file.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy().into_owned();
    let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let (hour, who) = name.split_once('-').unwrap_or((&name, ""));
    let hour =
        hour.get(..2).zip(hour.get(2..4)).map_or("12:00".to_owned(), |(hour, minute)| format!("{hour}:{minute}"));
    (day, hour, who.to_owned())
}

/// All files below a folder, in order.
pub(super) fn files_below(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).map_err(|err| format!("cannot list `{}`: {err}", folder.display()))?;
        for entry in entries {
            let path = entry.map_err(|err| err.to_string())?.path();
            if path.is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_one_however_its_lines_are_broken() {
        let line = r#"{"id":"A","vault":"docs","question":"how hot?","all":["at 300 degrees"],"answerable":true}"#;
        let question = Question::read(line).expect("reads");
        assert!(question.is_answered_by("It bakes at\n**300** degrees."));
        assert!(
            !question.is_answered_by("It bakes at\n\n300 degrees.") && !question.is_answered_by("at\n- 300 degrees")
        );
        assert!(Question::read(r#"{"id":"A"}"#).is_err());
    }

    #[test]
    fn talk_is_what_was_said_and_no_tool() {
        let line = r#"{"type":"assistant","message":{"content":[{"type":"text","text":"Yes."},{"type":"tool_use","name":"x"}]}}"#;
        assert_eq!(talk(&format!("{line}\nnot json\n")), "@1 assistant: Yes.\n");
        assert_eq!(talk(r#"{"messages":[{"type":"user","content":"No."}]}"#), "@0 user: No.\n");
    }
}
