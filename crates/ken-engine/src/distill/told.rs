//! What was said in a session as numbered lines, cut into portions that a model reads at once.
//!
//! Everything is scrubbed before it is cut, so that no secret is sent and none is halved. What tools did is
//! left out. A long turn loses its middle, and a mark says how much; turns are never divided between two
//! portions, so that who speaks always stands in front.

use ken_core::budget::count;
use ken_core::journal::one_line;
use ken_core::talk::{short, without_middle};
use ken_core::{Date, Digest, VaultPath};
use ken_intake::extract::Scrubbed;
use ken_intake::transcript::{Record, Role, Turn};

use ken_compile::portion::{Portion, PortionLine};

/// Most tokens of a portion: turns say less a token than a journal does.
const PORTION_TOKENS: usize = 6_000;
/// Most characters of a line; longer ones are data.
const LINE_CHARS_MAX: usize = 1_200;
/// Most characters of a turn; longer ones were pasted, or are a report whose ends say what it says.
const TURN_CHARS_MAX: usize = 6_000;

/// Returns the portions of what was said; `path` and `date` are those of the journal day.
pub(super) fn portions(path: &VaultPath, date: Date, scrubbed: &Scrubbed) -> Vec<Portion> {
    let mut groups: Vec<Vec<PortionLine>> = Vec::new();
    let (mut n_tokens, mut number) = (PORTION_TOKENS, 0);
    for record in scrubbed.records() {
        let Record::Turn(turn) = record else { continue };
        let lines = lines_of(turn);
        let more: usize = lines.iter().map(|line| count(line).0 + 3).sum();
        if n_tokens + more > PORTION_TOKENS && more > 0 {
            groups.push(Vec::new());
            n_tokens = 0;
        }
        n_tokens += more;
        for text in lines {
            number += 1;
            groups.last_mut().expect("the first turn made one").push(PortionLine { number, text });
        }
    }
    groups.into_iter().map(|lines| portion(path, date, lines)).collect()
}

fn portion(path: &VaultPath, date: Date, lines: Vec<PortionLine>) -> Portion {
    let mut portion =
        Portion { path: path.clone(), title: String::new(), date: Some(date), lines, digest: String::new() };
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

    fn cut(turns: &[(Role, &str)]) -> Vec<Portion> {
        let turn = |(role, text): &(Role, &str)| {
            Record::Turn(Turn { role: *role, text: (*text).to_owned(), at: None, offset: 0 })
        };
        let path = VaultPath::new("daily/2026-04-01.md").expect("inside");
        portions(&path, "2026-04-01".parse().expect("a day"), &Scrubbed::of(turns.iter().map(turn).collect()))
    }

    #[test]
    fn lines_are_numbered_and_say_who_speaks() {
        let portions = cut(&[(Role::User, "ring twice\n\nplease"), (Role::Assistant, "Done.")]);
        assert_eq!(portions[0].numbered(), "1| User: ring twice\n2| please\n3| Agent: Done.\n");
    }

    #[test]
    fn a_long_turn_loses_its_middle_and_says_how_much() {
        let text: String = (0..900).map(|n| format!("row {n} of the log\n")).collect();
        let lines = &cut(&[(Role::User, &text)])[0].lines;
        let at = lines.iter().position(|line| line.text.starts_with("[… ")).expect("a mark");
        let n_out: usize = lines[at].text.split(' ').nth(1).and_then(|n| n.parse().ok()).expect("a number");
        assert_eq!((lines[0].text.as_str(), lines.len() - 1 + n_out), ("User: row 0 of the log", 900));
        assert!(lines.last().is_some_and(|line| line.text == "row 899 of the log"));
        let one = &cut(&[(Role::User, &"x".repeat(5_000))])[0].lines[0].text;
        assert!(one.contains("[… 3800 characters left out …]"), "{one}");
    }

    #[test]
    fn portions_are_bounded_number_on_and_divide_no_turn() {
        let text = "The oven needs forty minutes, and that is what the timer says now.\n".repeat(30);
        let portions = cut(&vec![(Role::Assistant, text.as_str()); 60]);
        assert!(portions.len() > 3);
        assert!(portions.iter().all(|portion| count(&portion.numbered()).0 <= PORTION_TOKENS + 200));
        assert!(portions.iter().all(|portion| portion.lines[0].text.starts_with("Agent: ")));
        assert_eq!(portions.last().map(|portion| portion.range().1), Some(1_800));
    }

    #[test]
    fn no_secret_is_sent_not_even_half_of_one() {
        let key = format!("{}{}", "ghp_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8");
        let text = format!("{}{key}{}", "x ".repeat(390), " y".repeat(800));
        let shown = cut(&[(Role::User, &text)])[0].numbered();
        assert!(!shown.contains("ghp_A1b2") && !shown.contains("Q7r8"), "{shown}");
    }
}
