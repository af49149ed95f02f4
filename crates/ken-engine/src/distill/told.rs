//! What was said in a session as numbered lines, cut into portions that a model reads at once.
//!
//! Everything is scrubbed before it is cut, so that no secret is sent and none is halved. What tools did is
//! left out. A long turn loses its middle, and a mark says how much; turns are never divided between two
//! portions, so that who speaks always stands in front.

use std::collections::BTreeSet;

use ken_core::budget::count;
use ken_core::journal::{Provenance, one_line};
use ken_core::talk::{short, without_middle};
use ken_core::text::cut;
use ken_core::{Date, Digest, VaultPath};
use ken_intake::extract::Scrubbed;
use ken_intake::scrub::scrub;
use ken_intake::transcript::{Record, Role, Turn};

use ken_compile::portion::{Portion, PortionLine};

/// Most tokens of a portion: turns say less a token than a journal does.
const PORTION_TOKENS: usize = 6_000;
/// Most characters of a line; longer ones are data.
const LINE_CHARS_MAX: usize = 1_200;
/// Most characters of a turn; longer ones were pasted, or are a report whose ends say what it says.
const TURN_CHARS_MAX: usize = 6_000;

/// Files that were changed that are told, and how much of the path of each.
const FILES_MAX: usize = 8;
const PATH_PARTS: usize = 2;
const PATH_BYTES_MAX: usize = 200;
/// Tools that change the file that stands behind them.
const CHANGING: [&str; 9] =
    ["edit", "multiedit", "write", "notebookedit", "edit_file", "write_file", "create_file", "replace", "apply_patch"];
/// Prompts of the person before a portion that are told besides the first, and how much of each.
const ASKED_LAST: usize = 2;
const ASKED_CHARS_MAX: usize = 140;

/// Returns the portions of what was said; `path` and `date` are those of the journal day. Each says where it was said:
/// `place`, the files that were changed meanwhile, and what was asked before it began.
pub(super) fn portions((path, date): (&VaultPath, Date), place: &str, scrubbed: &Scrubbed) -> Vec<Portion> {
    let mut groups: Vec<Vec<PortionLine>> = Vec::new();
    let (mut heads, mut files): (Vec<String>, BTreeSet<String>) = (Vec::new(), BTreeSet::new());
    let (mut n_tokens, mut number) = (PORTION_TOKENS, 0);
    let (mut asked, mut earlier): (Vec<String>, String) = (Vec::new(), String::new());
    for record in scrubbed.records() {
        let turn = match record {
            Record::Turn(turn) => turn,
            Record::Event(event) => {
                files.extend(changed_file(&event.line));
                continue;
            }
        };
        let lines = lines_of(turn);
        let more: usize = lines.iter().map(|line| count(line).0 + 3).sum();
        if n_tokens + more > PORTION_TOKENS && more > 0 {
            heads.extend((!groups.is_empty()).then(|| head(place, &std::mem::take(&mut files), &earlier)));
            earlier = earlier_of(&asked);
            groups.push(Vec::new());
            n_tokens = 0;
        }
        n_tokens += more;
        if turn.role == Role::User {
            asked.extend(turn.text.lines().map(one_line).find(|line| !line.is_empty()));
        }
        for text in lines {
            number += 1;
            groups.last_mut().expect("the first turn made one").push(PortionLine { number, text });
        }
    }
    heads.push(head(place, &files, &earlier));
    groups.into_iter().zip(heads).map(|(lines, head)| portion((path, date), head, lines)).collect()
}

/// What a captured file is called, where that has a word: it may be who speaks. Sessions of agents have numbers.
pub(super) fn name_of(provenance: &Provenance) -> Option<String> {
    let is_file = provenance.agent.as_deref() == Some("text");
    let name = provenance.session.as_deref().filter(|_| is_file)?.rsplit(['/', '\\']).next()?;
    let is_word = |word: &&str| word.chars().count() > 2 && word.chars().all(char::is_alphabetic);
    let mut named = name.split(|ch: char| !ch.is_alphanumeric());
    named.any(|word| is_word(&word)).then(|| format!("File: {}", one_line(&scrub(name).0)))
}

/// Where a portion was said, as its reader is told.
fn head(place: &str, files: &BTreeSet<String>, earlier: &str) -> String {
    let files: Vec<&str> = files.iter().take(FILES_MAX).map(String::as_str).collect();
    let files = if files.is_empty() { String::new() } else { format!("Files changed: {}", files.join(", ")) };
    let parts = [place, &files, earlier].into_iter().filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("\n")
}

/// What a session was about until then, in the person's own words: what was asked first, and what was asked last.
fn earlier_of(asked: &[String]) -> String {
    let n_last = asked.len().saturating_sub(ASKED_LAST).max(1);
    let told = asked.iter().take(1).chain(asked.iter().skip(n_last)).map(|line| cut(line, ASKED_CHARS_MAX));
    let told: Vec<String> = told.collect();
    if told.is_empty() { String::new() } else { format!("Earlier in this session: {}", told.join(" / ")) }
}

/// The file that a tool changed, by the end of its path.
fn changed_file(line: &str) -> Option<String> {
    let (tool, path) = line.split_once(' ')?;
    let path = CHANGING.contains(&tool.to_lowercase().as_str()).then(|| path.trim_end_matches(" …").trim())?;
    let is_path = !path.is_empty() && !path.contains(char::is_whitespace) && path.len() <= PATH_BYTES_MAX;
    let mut parts: Vec<&str> = path.rsplit(['/', '\\']).take(PATH_PARTS).collect();
    parts.reverse();
    is_path.then(|| parts.join("/"))
}

fn portion((path, date): (&VaultPath, Date), title: String, lines: Vec<PortionLine>) -> Portion {
    let mut portion = Portion { path: path.clone(), title, date: Some(date), lines, digest: String::new() };
    // Not by its head: what was replied to the same words counts however they are introduced.
    let whole = format!("{date}\0{}", portion.numbered());
    Digest::of(whole.as_bytes()).to_string()[..16].clone_into(&mut portion.digest);
    portion
}

/// The lines of a turn, the speaker in front of the first.
fn lines_of(turn: &Turn) -> Vec<String> {
    let lines = turn.text.lines().map(one_line).filter(|line| !line.is_empty());
    let mut lines = without_middle(lines.map(|line| short(&line, LINE_CHARS_MAX)).collect(), TURN_CHARS_MAX);
    let speaker = match turn.role {
        Role::User => "User",
        Role::Assistant => "Agent",
        Role::Summary => "Summary",
    };
    if let Some(first) = lines.first_mut() {
        *first = format!("{speaker}: {first}");
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_named_to_its_reader_where_it_has_a_word() {
        let named = |session: &str, agent: &str| {
            let (session, agent) = (Some(session.to_owned()), Some(agent.to_owned()));
            name_of(&Provenance { session, agent, ..Provenance::default() })
        };
        assert_eq!(named("2026-03-03/1410-yuna", "text").as_deref(), Some("File: 1410-yuna"));
        assert_eq!(named("23986045-ab", "text"), None);
        assert_eq!(named("2026-03-03/1410-yuna", "claude"), None);
    }

    fn cut_up(turns: &[(Role, &str)]) -> Vec<Portion> {
        let turn = |(role, text): &(Role, &str)| {
            Record::Turn(Turn { role: *role, text: (*text).to_owned(), at: None, offset: 0 })
        };
        let path = VaultPath::new("daily/2026-04-01.md").expect("inside");
        let records = turns.iter().map(turn).collect();
        portions((&path, "2026-04-01".parse().expect("a day")), "Project: bakery", &Scrubbed::of(records))
    }

    #[test]
    fn lines_are_numbered_and_say_who_speaks() {
        let portions = cut_up(&[(Role::User, "ring twice\n\nplease"), (Role::Assistant, "Done.")]);
        assert_eq!(portions[0].numbered(), "1| User: ring twice\n2| please\n3| Agent: Done.\n");
    }

    #[test]
    fn a_long_turn_loses_its_middle_and_says_how_much() {
        let text: String = (0..900).map(|n| format!("row {n} of the log\n")).collect();
        let lines = &cut_up(&[(Role::User, &text)])[0].lines;
        let at = lines.iter().position(|line| line.text.starts_with("[… ")).expect("a mark");
        let n_out: usize = lines[at].text.split(' ').nth(1).and_then(|n| n.parse().ok()).expect("a number");
        assert_eq!((lines[0].text.as_str(), lines.len() - 1 + n_out), ("User: row 0 of the log", 900));
        assert!(lines.last().is_some_and(|line| line.text == "row 899 of the log"));
        let one = &cut_up(&[(Role::User, &"x".repeat(5_000))])[0].lines[0].text;
        assert!(one.contains("[… 3800 characters left out …]"), "{one}");
    }

    #[test]
    fn portions_are_bounded_number_on_and_divide_no_turn() {
        let text = "The oven needs forty minutes, and that is what the timer says now.\n".repeat(30);
        let portions = cut_up(&vec![(Role::Assistant, text.as_str()); 60]);
        assert!(portions.len() > 3);
        assert!(portions.iter().all(|portion| count(&portion.numbered()).0 <= PORTION_TOKENS + 200));
        assert!(portions.iter().all(|portion| portion.lines[0].text.starts_with("Agent: ")));
        assert_eq!(portions.last().map(|portion| portion.range().1), Some(1_800));
    }

    #[test]
    fn a_portion_says_where_it_was_said_and_what_was_asked_before_it() {
        let turn = |role, text: &str| Record::Turn(Turn { role, text: text.to_owned(), at: None, offset: 0 });
        let event = |line: &str| {
            Record::Event(ken_intake::transcript::ToolEvent { line: line.to_owned(), at: None, offset: 0 })
        };
        let long = "The oven needs forty minutes, and that is what the timer says now.\n".repeat(60);
        let mut records = vec![turn(Role::User, "Mend the timer of the oven"), event("Edit src/oven/timer.rs")];
        records.extend((0..8).map(|_| turn(Role::Assistant, &long)));
        records.extend([event("Bash rm -rf var"), event("Write notes.md"), turn(Role::User, "And the lamp?")]);
        records.extend((0..8).map(|_| turn(Role::Assistant, &long)));
        let path = VaultPath::new("daily/2026-04-01.md").expect("inside");
        let day = "2026-04-01".parse().expect("a day");
        let portions = portions((&path, day), "Project: bakery, branch lamp", &Scrubbed::of(records));
        let heads: Vec<&str> = portions.iter().map(|portion| portion.title.as_str()).collect();
        assert!(heads.len() > 2, "{heads:?}");
        assert_eq!(heads[0], "Project: bakery, branch lamp\nFiles changed: oven/timer.rs");
        assert!(heads[1].contains("\nEarlier in this session: Mend the timer of the oven"), "{heads:?}");
        assert!(heads.last().is_some_and(|head| head.ends_with("Mend the timer of the oven / And the lamp?")));
        assert!(heads.iter().any(|head| head.contains("Files changed: notes.md")), "{heads:?}");
    }

    #[test]
    fn no_secret_is_sent_not_even_half_of_one() {
        let key = format!("{}{}", "ghp_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8");
        let text = format!("{}{key}{}", "x ".repeat(390), " y".repeat(800));
        let shown = cut_up(&[(Role::User, &text)])[0].numbered();
        assert!(!shown.contains("ghp_A1b2") && !shown.contains("Q7r8"), "{shown}");
    }
}
