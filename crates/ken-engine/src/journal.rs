//! Appending to the journal, and notes written by hand.

use ken_core::issue::{Ending, Stage};
use ken_core::journal::{
    JournalEntry, NewEntry, Provenance, SectionKind, day_preamble, parse_journal, render_entry,
    render_entry_after_open_line,
};
use ken_core::markdown::{BlockKind, blocks};
use ken_core::text::{cut, sentences};
use ken_core::{Date, Edit, LogEntry, Plan, Span, VaultPath};
use ken_intake::extract::section_of;
use ken_intake::scrub::scrub;
use ken_store::LockGuard;

use crate::engine::Engine;
use crate::failure::Failure;
use crate::outcome::LogOutcome;

/// Minutes in which the same note is taken for the same note given again: long enough for a person or a script
/// to try once more, too short for two things that happened.
const REPEAT_MINUTES: i64 = 10;

/// What an item begins with that is to be done.
const TO_DO: &str = "[ ] ";

/// How a note is recorded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Note<'a> {
    /// Its heading; without one, the start of its text.
    pub title: Option<&'a str>,
    /// A name that the caller gives it: what stands under it is never added twice.
    pub key: Option<&'a str>,
    /// The issue and the phase that it is of: what stands under both is taken once.
    pub stage: Option<Stage>,
    /// Add it although the same stands there.
    pub again: bool,
}

impl Engine {
    /// Appends a hand-written entry to today's journal, unless it is known to stand there.
    ///
    /// # Errors
    /// When the text is empty or the journal cannot be written.
    pub fn log(&self, text: &str, note: Note<'_>) -> Result<LogOutcome, Failure> {
        let (text, redactions) = scrub(text);
        let statements: Vec<String> = statements(&text);
        let Some(first) = statements.first() else {
            return Err(Failure::usage("there is no text to log")
                .hint("give it as `ken log \"what happened\"` or on standard input"));
        };
        let (title, more) = match note.title {
            Some(title) => {
                let (title, n) = scrub(title);
                (title.into_owned(), n)
            }
            None => (cut(first.trim_start_matches(TO_DO).trim_end_matches('.'), 60), 0),
        };
        let title = note.stage.map_or(title.clone(), |stage| stage.title(&title));
        let mut entry = self.entry_of_now(title, sorted(statements));
        entry.provenance.id = note.key.map(|key| scrub(key).0.into_owned());
        // What is said of an issue that did not stay is stale from the start.
        let ended = note.stage.map(|stage| self.ending_of(stage.issue)).transpose()?.flatten();
        let ended = ended.filter(|closed| closed.ending != Ending::Merged);
        // The lock first: it completes what was recorded before, and that may be this very note.
        let guard = self.lock("log")?;
        let redactions = redactions + more;
        if let Some(known) = self.noted_already(&entry, note)? {
            return Ok(LogOutcome { redactions, ended, ..known });
        }
        let (title, time) = (entry.title.clone(), entry.time);
        let journal = self.append(&guard, "log", &title, &[(self.clock.today(), entry)])?;
        let journal = journal.into_iter().next().ok_or_else(|| Failure::refused("the journal did not grow"))?;
        Ok(LogOutcome { journal, title, time, is_repeat: false, redactions, ended })
    }

    /// Returns where a note stands already: under its key whenever that was, else with the same words as one of
    /// the last minutes.
    pub(crate) fn noted_already(&self, entry: &NewEntry, note: Note<'_>) -> Result<Option<LogOutcome>, Failure> {
        if note.again {
            return Ok(None);
        }
        if let Some(stage) = note.stage {
            return self.taken_already(entry, stage);
        }
        let now = self.clock.now.to_zoned(self.clock.zone.clone());
        let earliest = now.checked_sub(jiff::Span::new().minutes(REPEAT_MINUTES)).unwrap_or_else(|_| now.clone());
        let mut days = self.store.list(&self.layout().journal)?.files;
        // The newest first: what was just written is most likely meant.
        days.reverse();
        if entry.provenance.id.is_none() {
            let recent = [now.date(), earliest.date()].map(|date| format!("{date}.md"));
            days.retain(|day| recent.iter().any(|name| name == day.path.file_name()));
        }
        for day in days {
            let bytes = self.store.read(&day.path)?.unwrap_or_default();
            let text = String::from_utf8_lossy(&bytes);
            let date: Option<Date> = day.path.file_name().strip_suffix(".md").and_then(|name| name.parse().ok());
            let is_same = |found: &&JournalEntry| match &entry.provenance.id {
                Some(key) => found.provenance.session.is_none() && found.provenance.id.as_ref() == Some(key),
                None => {
                    let is_recent = found.time.zip(date).is_some_and(|(time, date)| {
                        let at = date.at(time.0 as i8, time.1 as i8, 0, 0);
                        earliest.datetime().with().second(0).subsec_nanosecond(0).build().is_ok_and(|first| first <= at)
                            && at <= now.datetime()
                    });
                    is_recent && says_the_same(entry, found, &text)
                }
            };
            // A key stands in its comment; days without it need no parsing.
            let needle = entry.provenance.id.as_ref().map(|_| " id=");
            if needle.is_some_and(|needle| !text.contains(needle)) {
                continue;
            }
            let journal = parse_journal(&text, date).value;
            if let Some(found) = journal.entries.iter().rev().find(is_same) {
                let (title, time) = (found.title.clone(), found.time.unwrap_or(entry.time));
                return Ok(Some(LogOutcome {
                    journal: day.path,
                    title,
                    time,
                    is_repeat: true,
                    redactions: 0,
                    ended: None,
                }));
            }
        }
        Ok(None)
    }

    /// Returns where the entry of a stage stands already.
    fn taken_already(&self, entry: &NewEntry, stage: Stage) -> Result<Option<LogOutcome>, Failure> {
        let mut others: Option<LogOutcome> = None;
        for day in self.store.list(&self.layout().journal)?.files {
            let bytes = self.store.read(&day.path)?.unwrap_or_default();
            let text = String::from_utf8_lossy(&bytes);
            if !text.contains(&stage.to_string()) {
                continue;
            }
            let journal = parse_journal(&text, None).value;
            for found in journal.standing().filter(|found| Stage::of_entry(found).is_some_and(|(one, _)| one == stage))
            {
                let (title, time) = (found.title.clone(), found.time.unwrap_or(entry.time));
                let known =
                    LogOutcome { journal: day.path.clone(), title, time, is_repeat: true, redactions: 0, ended: None };
                if says_the_same(entry, found, &text) {
                    return Ok(Some(known));
                }
                others = others.or(Some(known));
            }
        }
        let Some(LogOutcome { journal, time: (hour, minute), .. }) = others else { return Ok(None) };
        let (issue, phase) = (stage.issue, stage.phase.as_str());
        Err(Failure::refused(format!(
            "issue {issue} has another {phase} already, recorded at {hour:02}:{minute:02} in {journal}"
        ))
        .hint("a phase of an issue is taken once; `--again` adds this beside it")
        .hint("nothing was changed"))
    }

    /// Appends an entry of decisions that a person made, unless the same was just appended; returns the journal's file, and
    /// whether it stood there.
    pub(crate) fn decide(
        &self,
        guard: &LockGuard,
        (kind, title): (&str, String),
        decisions: Vec<String>,
    ) -> Result<(VaultPath, bool), Failure> {
        let entry = self.entry_of_now(title.clone(), vec![(SectionKind::DecisionsMade, decisions)]);
        if let Some(known) = self.noted_already(&entry, Note::default())? {
            return Ok((known.journal, true));
        }
        let journal = self.append(guard, kind, &title, &[(self.clock.today(), entry)])?;
        let journal = journal.into_iter().next().ok_or_else(|| Failure::refused("the journal did not grow"))?;
        Ok((journal, false))
    }

    /// An entry of now that a person wrote.
    pub(crate) fn hand_written(&self, title: String, statements: Vec<String>) -> NewEntry {
        self.entry_of_now(title, vec![(SectionKind::KeyExchanges, statements)])
    }

    pub(crate) fn entry_of_now(&self, title: String, sections: Vec<(SectionKind, Vec<String>)>) -> NewEntry {
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
        self.append_with(guard, (kind, subject), entries, Vec::new())
    }

    /// The same, with more edits in the plan.
    pub(crate) fn append_with(
        &self,
        guard: &LockGuard,
        (kind, subject): (&str, &str),
        entries: &[(Date, NewEntry)],
        more: Vec<Edit>,
    ) -> Result<Vec<VaultPath>, Failure> {
        let edits = self.journal_edits(entries)?;
        let days: Vec<VaultPath> = edits.iter().map(|edit| edit.path().clone()).collect();
        let lines = days.iter().map(|path| format!("appended to {path}")).collect();
        let log = LogEntry {
            at: self.clock.now,
            kind: kind.to_owned(),
            subject: subject.to_owned(),
            lines,
            inputs: Vec::new(),
            public: false,
        };
        let edits = edits.into_iter().chain(more).collect();
        self.apply(guard, &Plan { edits, guards: Vec::new(), log })?;
        Ok(days)
    }

    /// The edits that append entries to their days.
    pub(crate) fn journal_edits(&self, entries: &[(Date, NewEntry)]) -> Result<Vec<Edit>, Failure> {
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
        let edit = |(path, date, text): (VaultPath, Date, String)| Edit::Append {
            path,
            preamble: day_preamble(date).into_bytes(),
            content: text.into_bytes(),
        };
        Ok(days.into_iter().map(edit).collect())
    }
}

/// Whether an entry of the journal is what this one would be, had it been written then.
fn says_the_same(entry: &NewEntry, found: &JournalEntry, text: &str) -> bool {
    let time = found.time.unwrap_or(entry.time);
    let then = NewEntry { time, provenance: found.provenance.clone(), ..entry.clone() };
    found.provenance.session.is_none() && render_entry(&then).trim() == found.span.of(text).trim()
}

/// Sorts statements into the sections that their wording asks for, so that a decision is found as one.
pub(crate) fn sorted(statements: Vec<String>) -> Vec<(SectionKind, Vec<String>)> {
    let mut sections: Vec<(SectionKind, Vec<String>)> = Vec::new();
    for statement in statements {
        let (kind, statement) = match statement.strip_prefix(TO_DO) {
            Some(task) => (SectionKind::ActionItems, task.to_owned()),
            None => (section_of(&statement), statement),
        };
        match sections.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, known)) => known.push(statement),
            None => sections.push((kind, vec![statement])),
        }
    }
    sections.sort_by_key(|(kind, _)| *kind);
    sections
}

/// The statements of a hand-written text: its list items and rows of tables whole, its paragraphs sentence by sentence.
/// Code stands behind what leads it in, a line after the other. Headings, rules and comments state nothing.
pub(crate) fn statements(text: &str) -> Vec<String> {
    // What a script hands over is often indented as the script is; that makes no code of it.
    let indent = |line: &&str| line.len() - line.trim_start_matches(' ').len();
    let indent = text.lines().filter(|line| !line.trim().is_empty()).map(|line| indent(&line)).min().unwrap_or(0);
    let text = text.lines().map(|line| line.get(indent..).unwrap_or("")).collect::<Vec<_>>().join("\n");
    let text = text.as_str();
    let mut out = Vec::new();
    let (mut rows, mut columns): (Vec<String>, Vec<&str>) = (Vec::new(), Vec::new());
    let mut head = "";
    for block in blocks(text, Span::new(0, text.len())) {
        let said = block.span.of(text);
        if block.kind == BlockKind::Row {
            // What stands above the rule of a table names its columns.
            if is_ruled(said) {
                (rows, columns) = (Vec::new(), cells(head));
            } else {
                rows.push(row(said, &columns));
            }
            head = said;
            continue;
        }
        out.append(&mut rows);
        (columns, head) = (Vec::new(), "");
        match block.kind {
            BlockKind::Heading(_) | BlockKind::Comment => {}
            BlockKind::Code if said.starts_with(['`', '~']) => match (out.last_mut(), code(said)) {
                (_, code) if code.is_empty() => {}
                (Some(lead), code) if lead.ends_with(':') => *lead += &format!(" {code}"),
                (_, code) => out.push(code),
            },
            BlockKind::Item => {
                let mark = text[..block.span.start].trim_end().ends_with("[x]").then_some("Done: ");
                let mark = if block.is_open_task { TO_DO } else { mark.unwrap_or_default() };
                out.push(format!("{mark}{}", on_one_line(said)));
            }
            _ => {
                let said = on_one_line(said);
                out.extend(sentences(&said).iter().map(|sentence| sentence.of(&said).to_owned()));
            }
        }
    }
    out.append(&mut rows);
    out.retain(|statement| statement.chars().any(char::is_alphanumeric));
    out
}

/// What stands on several lines, on one, without the marks of a quotation.
fn on_one_line(said: &str) -> String {
    let lines = said.lines().map(|line| line.trim().trim_start_matches('>').trim_start());
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The lines of fenced code, each as code in a sentence.
fn code(fenced: &str) -> String {
    let lines = fenced.lines().skip(1).map(str::trim);
    let inside = lines.filter(|line| !line.is_empty() && !line.starts_with("```") && !line.starts_with("~~~"));
    // A line with a backtick stands between two of them.
    let quoted = inside.map(|line| if line.contains('`') { format!("`` {line} ``") } else { format!("`{line}`") });
    quoted.collect::<Vec<_>>().join(", ")
}

/// Whether a row of a table is the rule below its head.
fn is_ruled(row: &str) -> bool {
    row.contains('-') && row.chars().all(|mark| matches!(mark, '|' | '-' | ':' | ' ' | '\t'))
}

fn cells(row: &str) -> Vec<&str> {
    row.trim_matches('|').split('|').map(str::trim).collect()
}

/// What a row of a table says: of its first cell the others, each with the name of its column where there are several.
fn row(row: &str, columns: &[&str]) -> String {
    let all = cells(row);
    let (first, rest) = all.split_first().map_or(("", &[][..]), |(first, rest)| (*first, rest));
    let named = |(n, cell): (usize, &&str)| match columns.get(n + 1).filter(|name| rest.len() > 1 && !name.is_empty()) {
        Some(name) => format!("{name} {cell}"),
        None => (*cell).to_owned(),
    };
    let said = rest.iter().enumerate().filter(|(_, cell)| !cell.is_empty()).map(named).collect::<Vec<_>>().join(", ");
    [first, &said].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(": ")
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use ken_core::Layout;
    use ken_core::layout::KENNING;
    use ken_store::Store;
    use ken_testkit::memfs::{Loss, MemFs};

    use super::*;
    use crate::config::Config;
    use crate::engine::Clock;
    use crate::failure::FailureKind;

    fn mem_engine(mem: &MemFs) -> Engine {
        let layout = Layout::new(&KENNING, &VaultPath::new("knowledge").expect("a vault path"));
        let store = Store::open(
            Path::new("/vault").to_path_buf(),
            layout.clone(),
            Arc::new(mem.clone()),
            ken_store::Keys::of([7; 32]),
        );
        let clock = Clock { now: "2026-06-01T12:00:00Z".parse().expect("a time"), zone: jiff::tz::TimeZone::UTC };
        Engine::on(store, Config::with_layout(layout), clock)
    }

    fn n_notes(mem: &MemFs) -> usize {
        let text = |bytes: &Vec<u8>| String::from_utf8_lossy(bytes).matches("- The oven is hot.\n").count();
        mem.files().iter().filter(|(path, _)| path.starts_with("/vault/daily")).map(|(_, bytes)| text(bytes)).sum()
    }

    fn day_before() -> MemFs {
        let mem = MemFs::new(Path::new("/vault"));
        mem.plant(Path::new("/vault/daily/2026-06-01.md"), b"# Day\n\nBy hand.\n");
        mem
    }

    #[test]
    fn a_disk_that_fills_up_at_any_write_doubles_no_note_and_the_failure_says_what_is_true() {
        let start = day_before();
        let done = start.fork();
        mem_engine(&done).log("The oven is hot.", Note::default()).expect("logs");
        let mut kinds = std::collections::BTreeMap::new();
        for n in 1..=done.n_ops() {
            let mem = start.fork();
            mem.full_at(n);
            let first = mem_engine(&mem).log("The oven is hot.", Note::default());
            mem.heal();
            let engine = mem_engine(&mem);
            drop(engine.lock("test").expect("there is space again"));
            let is_there = match &first {
                Ok(_) => true,
                Err(failure) => {
                    *kinds.entry(format!("{:?}", failure.kind)).or_insert(0) += 1;
                    let says = failure.hints.iter().any(|hint| hint.contains("nothing was changed"));
                    assert_eq!(says, failure.kind != FailureKind::Recorded, "full at {n}: {failure:?}");
                    failure.kind == FailureKind::Recorded
                }
            };
            assert_eq!(n_notes(&mem), usize::from(is_there), "full at {n}: {first:?}");
            let again = engine.log("The oven is hot.", Note::default()).expect("there is space again");
            assert_eq!((n_notes(&mem), again.is_repeat), (1, is_there), "full at {n}");
        }
        assert!(kinds["Recorded"] >= 2 && kinds.len() >= 2, "{kinds:?}");
    }

    #[test]
    fn a_note_that_is_given_again_after_a_crash_at_any_moment_stands_there_once() {
        for loss in
            [Loss::Kept, Loss::UnsyncedDropped, Loss::UnsyncedBytesDropped, Loss::LastWriteTorn, Loss::ProcessKilled]
        {
            let start = day_before();
            let done = start.fork();
            mem_engine(&done).log("The oven is hot.", Note::default()).expect("logs");
            for n in 1..=done.n_ops() {
                let mem = start.fork();
                mem.crash_at(n);
                let _ = mem_engine(&mem).log("The oven is hot.", Note::default());
                let mem = mem.after_crash(loss);
                mem_engine(&mem).log("The oven is hot.", Note::default()).expect("logs");
                assert_eq!(n_notes(&mem), 1, "crash at {n}, {loss:?}");
            }
        }
    }

    #[test]
    fn a_note_is_recorded_once_unless_it_is_meant_twice() {
        let mem = day_before();
        let at = |time: &str| {
            let engine = mem_engine(&mem);
            engine.at_time(Clock { now: time.parse().expect("a time"), zone: jiff::tz::TimeZone::UTC })
        };
        let is_repeat = |time: &str, note: Note<'_>| at(time).log("The oven is hot.", note).expect("logs").is_repeat;
        let (plain, key) = (Note::default(), |key| Note { key: Some(key), ..Note::default() });
        assert!(!is_repeat("2026-06-01T23:58:00Z", plain));
        assert!(is_repeat("2026-06-01T23:59:59Z", plain) && is_repeat("2026-06-02T00:07:00Z", plain));
        assert!(!is_repeat("2026-06-01T23:59:59Z", Note { again: true, ..plain }));
        assert!(!is_repeat("2026-06-02T00:30:00Z", plain), "half an hour later it is hot again");
        assert!(!is_repeat("2026-06-02T00:31:00Z", key("ci 7")) && !is_repeat("2026-06-02T00:31:00Z", key("ci 8")));
        assert!(is_repeat("2026-09-02T00:31:00Z", key("ci 7")), "a key holds for ever");
        assert_eq!(n_notes(&mem), 5);
    }

    #[test]
    fn a_note_is_cut_into_items_and_sentences() {
        assert_eq!(
            statements("One is so. Two\nwraps.\n\n- item a\n* item b\n"),
            ["One is so.", "Two wraps.", "item a", "item b"]
        );
        assert!(statements(" \n--\n").is_empty());
        assert_eq!(statements("    Indented as a\n    script does it.\n"), ["Indented as a script does it."]);
    }

    #[test]
    fn of_a_plan_in_markdown_what_is_said_is_left() {
        let plan = "# Plan\n\n---\n\nThe cache is old.\nIt stays.\n\n1. Drop it when the import\n   ends.\n2. Test it.\n\n\
            - [ ] Write the test\n- [x] Read the importer\n\n```rust\nfn drop() {}\n```\n\n| file | change |\n|---|:-:|\n\
            | cache.rs | add `drop` |\n\n> The importer locks\n> the table.\n\n<!-- a remark -->\n";
        assert_eq!(
            statements(plan),
            [
                "The cache is old.",
                "It stays.",
                "Drop it when the import ends.",
                "Test it.",
                "[ ] Write the test",
                "Done: Read the importer",
                "`fn drop() {}`",
                "cache.rs: add `drop`",
                "The importer locks the table."
            ]
        );
        assert_eq!(
            statements("| bread | hours | degrees |\n|---|---|---|\n| rye | 12 | 240 |\n| plain |  | 220 |\n"),
            ["rye: hours 12, degrees 240", "plain: degrees 220"]
        );
        // What to type is what somebody looks for.
        assert_eq!(
            statements("Make the table again with:\n\n```sh\nimporter drop\nimporter fill `today`\n```\n"),
            ["Make the table again with: `importer drop`, `` importer fill `today` ``"]
        );
    }
}
