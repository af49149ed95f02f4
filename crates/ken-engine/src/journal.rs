//! Appending to the journal, and notes written by hand.

use ken_core::journal::{NewEntry, Provenance, SectionKind, day_preamble, render_entry, render_entry_after_open_line};
use ken_core::text::{cut, sentences};
use ken_core::{Date, Edit, LogEntry, Plan, VaultPath};
use ken_store::LockGuard;

use crate::engine::Engine;
use crate::extract::{is_action, is_decision};
use crate::failure::Failure;
use crate::outcome::LogOutcome;
use crate::scrub::scrub;

impl Engine {
    /// Appends a hand-written entry to today's journal.
    ///
    /// # Errors
    /// When the text is empty or the journal cannot be written.
    pub fn log(&self, text: &str, title: Option<&str>) -> Result<LogOutcome, Failure> {
        let (text, redactions) = scrub(text);
        let statements: Vec<String> = statements(&text);
        let Some(first) = statements.first() else {
            return Err(Failure::usage("there is no text to log")
                .hint("give it as `ken log \"what happened\"` or on standard input"));
        };
        let (title, more) = match title {
            Some(title) => {
                let (title, n) = scrub(title);
                (title.into_owned(), n)
            }
            None => (cut(first.trim_end_matches('.'), 60), 0),
        };
        let entry = self.entry_of_now(title, sorted(statements));
        let guard = self.lock("log")?;
        let journal = self.append(&guard, "log", &entry.title.clone(), &[(self.clock.today(), entry)])?;
        let journal = journal.into_iter().next().ok_or_else(|| Failure::refused("the journal did not grow"))?;
        Ok(LogOutcome { journal, redactions: redactions + more })
    }

    /// An entry of now that a person wrote.
    pub(crate) fn hand_written(&self, title: String, statements: Vec<String>) -> NewEntry {
        self.entry_of_now(title, vec![(SectionKind::KeyExchanges, statements)])
    }

    fn entry_of_now(&self, title: String, sections: Vec<(SectionKind, Vec<String>)>) -> NewEntry {
        let now = self.clock.now.to_zoned(self.clock.zone.clone());
        let provenance = Provenance { trust: Some("user".to_owned()), ..Provenance::default() };
        NewEntry { title, time: (now.hour() as u8, now.minute() as u8), provenance, sections }
    }

    /// Appends entries to their days in one plan; returns the files that grew.
    pub(crate) fn append(
        &self,
        guard: &LockGuard,
        kind: &str,
        subject: &str,
        entries: &[(Date, NewEntry)],
    ) -> Result<Vec<VaultPath>, Failure> {
        let mut days: Vec<(VaultPath, Date, String)> = Vec::new();
        for (date, entry) in entries {
            let path = self.layout().journal.join(&format!("{date}.md")).expect("a date is a file name");
            match days.iter_mut().find(|(known, ..)| *known == path) {
                Some((.., text)) => text.push_str(&render_entry(entry)),
                None => {
                    let ends_open =
                        self.store.read(&path)?.is_some_and(|bytes| !bytes.is_empty() && !bytes.ends_with(b"\n"));
                    let text = if ends_open { render_entry_after_open_line(entry) } else { render_entry(entry) };
                    days.push((path, *date, text));
                }
            }
        }
        let edit = |(path, date, text): &(VaultPath, Date, String)| Edit::Append {
            path: path.clone(),
            preamble: day_preamble(*date).into_bytes(),
            content: text.clone().into_bytes(),
        };
        let lines = days.iter().map(|(path, ..)| format!("appended to {path}")).collect();
        let log = LogEntry {
            at: self.clock.now,
            kind: kind.to_owned(),
            subject: subject.to_owned(),
            lines,
            inputs: Vec::new(),
            public: false,
        };
        self.apply(guard, &Plan { edits: days.iter().map(edit).collect(), guards: Vec::new(), log })?;
        Ok(days.into_iter().map(|(path, ..)| path).collect())
    }
}

/// Sorts statements into the sections that their wording asks for, so that a decision is found as one.
fn sorted(statements: Vec<String>) -> Vec<(SectionKind, Vec<String>)> {
    let kind_of = |statement: &str| match () {
        () if is_action(statement) => SectionKind::ActionItems,
        () if is_decision(statement) => SectionKind::DecisionsMade,
        () => SectionKind::KeyExchanges,
    };
    let mut sections: Vec<(SectionKind, Vec<String>)> = Vec::new();
    for statement in statements {
        let kind = kind_of(&statement);
        match sections.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, known)) => known.push(statement),
            None => sections.push((kind, vec![statement])),
        }
    }
    sections.sort_by_key(|(kind, _)| *kind);
    sections
}

/// The statements of a hand-written text: its list items and paragraphs, sentence by sentence.
fn statements(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut paragraph = String::new();
    let flush = |paragraph: &mut String, out: &mut Vec<String>| {
        out.extend(sentences(paragraph).iter().map(|sentence| sentence.of(paragraph).to_owned()));
        paragraph.clear();
    };
    for line in text.lines().map(str::trim) {
        let item = line.strip_prefix("- ").or_else(|| line.strip_prefix("* "));
        if line.is_empty() || item.is_some() {
            flush(&mut paragraph, &mut out);
        }
        match item {
            Some(item) => out.push(item.to_owned()),
            None => {
                paragraph.push_str(line);
                paragraph.push(' ');
            }
        }
    }
    flush(&mut paragraph, &mut out);
    out.retain(|statement| statement.chars().any(char::is_alphanumeric));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_is_cut_into_items_and_sentences() {
        assert_eq!(
            statements("One is so. Two\nwraps.\n\n- item a\n* item b\n"),
            ["One is so.", "Two wraps.", "item a", "item b"]
        );
        assert!(statements(" \n--\n").is_empty());
    }
}
