//! Texts and claims on them, right and wrong, by which the rules are measured.

use super::{Doubt, Kind, Text};
use crate::digest::Digest;

const CORPUS: &str = include_str!("corpus.tsv");

/// A claim on a text.
#[derive(Debug, Clone)]
pub struct Case<'c> {
    /// The language, and what names the text.
    pub language: &'c str,
    /// What names the text.
    pub name: String,
    /// Its lines.
    pub text: Vec<&'c str>,
    /// What is wrong with the claim, if anything.
    pub fault: Option<&'c str>,
    /// The first and the last line that it cites.
    pub lines: (usize, usize),
    /// What it says of itself.
    pub kind: Kind,
    /// What it says.
    pub claim: &'c str,
}

impl Case<'_> {
    /// Whether rules may be written from it; the other half is not looked at.
    pub fn is_tuned(&self) -> bool {
        Digest::of(self.name.as_bytes()).as_bytes()[0].is_multiple_of(2)
    }

    /// Returns what is found of it.
    pub fn doubts(&self) -> Vec<Doubt> {
        Text::read(self.text.iter().copied()).doubts(self.claim, self.kind, &[self.lines])
    }
}

/// Returns every claim of the corpus; a line that is damaged is none.
pub fn cases() -> Vec<Case<'static>> {
    let mut out = Vec::new();
    let (mut language, mut name, mut text) = ("", String::new(), Vec::new());
    for line in CORPUS.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let fields: Vec<&str> = line.split('\t').collect();
        match fields[..] {
            ["text", of, number] => (language, name, text) = (of, format!("{of}/{number}"), Vec::new()),
            [_, said] => text.push(said),
            [_, fault, lines, kind, claim] => {
                let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
                let (Ok(first), Ok(last), Some(kind)) = (first.parse(), last.parse(), kind_of(kind)) else { continue };
                let (name, text) = (name.clone(), text.clone());
                let fault = Some(fault).filter(|fault| *fault != "-");
                out.push(Case { language, name, text, fault, lines: (first, last), kind, claim });
            }
            _ => {}
        }
    }
    out
}

fn kind_of(name: &str) -> Option<Kind> {
    match name {
        "decision" => Some(Kind::Decision),
        "lesson" => Some(Kind::Lesson),
        "fact" => Some(Kind::Fact),
        "todo" => Some(Kind::Todo),
        _ => None,
    }
}
