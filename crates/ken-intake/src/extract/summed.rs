//! What an agent's own summary adds to an entry.
//!
//! The headings of a summary say what stands below them: what was asked, what was settled, what went wrong, what is
//! left to do. They are those of the agents' own programs, which ask for them in English whatever the session is in,
//! so they are no words of a language. Every line is marked, and there are only so many.

use ken_core::journal::{SectionKind, USER_ASKED, without_speaker};

use super::heard::is_heading;
use super::phrases::{Label, Phrases};
use super::statements::{Statement, statements, without_number};

/// What stands behind a line that comes from an agent's own summary.
pub const FROM_SUMMARY: &str = " (from the agent's summary)";

/// Most lines that one summary adds.
const LINES_MAX: usize = 24;

/// Fewest words of a line.
const WORDS_MIN: usize = 3;

/// What headings speak of, by words that begin one of theirs; the first that is found counts.
const TOPICS: &[(Topic, &[&str])] = &[
    (Topic::Asked, &["user message", "all user"]),
    (Topic::Actions, &["pending", "next", "todo", "to do", "remaining", "in progress", "blocked", "plan", "open"]),
    (Topic::Decisions, &["decision", "key decision", "constraint", "preference", "instruction"]),
    (Topic::Lessons, &["error", "fix", "discover", "lesson", "root cause", "critical", "key knowledge"]),
    (Topic::Goal, &["primary request", "request", "goal", "intent", "objective", "overall goal"]),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Topic {
    Goal,
    Asked,
    Decisions,
    Lessons,
    Actions,
}

/// Returns the lines that a summary adds, each with its section, without their marks.
pub(super) fn lines(summary: &str) -> Vec<(SectionKind, String)> {
    let phrases = Phrases::get();
    let all = statements(&as_markdown(summary));
    let leans = |statement: &Statement| statement.leans || phrases.leans_back(&statement.text);
    let said = all.iter().filter(|statement| !leans(statement) && !phrases.is_meta(&statement.text));
    let sorted = said.map(|statement| sorted(statement, phrases));
    let mut lines: Vec<(i32, SectionKind, String)> = sorted.filter(|(.., line)| says_something(line)).collect();
    // What was settled, found or left to do before what was merely done; of equals the first.
    let mut scores: Vec<i32> = lines.iter().map(|(score, ..)| *score).collect();
    scores.sort_unstable_by(|a, b| b.cmp(a));
    let least = scores.get(LINES_MAX - 1).copied().unwrap_or(i32::MIN);
    let mut n_equal = LINES_MAX - scores.iter().take(LINES_MAX).filter(|score| **score > least).count().min(LINES_MAX);
    lines.retain(|(score, ..)| {
        let is_kept = *score > least || *score == least && n_equal > 0;
        n_equal -= usize::from(is_kept && *score == least);
        is_kept
    });
    lines.into_iter().map(|(_, kind, line)| (kind, line)).collect()
}

/// Numbered headings as such: to a reader of Markdown they are items of a list.
fn as_markdown(summary: &str) -> String {
    let line = |line: &str| match is_heading(line) {
        true if !line.starts_with(['#', '*']) => format!("## {}\n", without_number(line).trim_end_matches(':')),
        _ => format!("{line}\n"),
    };
    summary.lines().map(line).collect()
}

/// Whether a line says something, and not that there is nothing to say or that something was left out.
fn says_something(line: &str) -> bool {
    let text = without_speaker(line);
    let first = text.split(|ch: char| !ch.is_alphanumeric()).next().unwrap_or("");
    !first.is_empty()
        && !first.eq_ignore_ascii_case("none")
        && text.split_whitespace().filter(|word| word.chars().any(char::is_alphabetic)).count() >= WORDS_MIN
        && !text.ends_with(':')
}

fn topic_of(heading: &str) -> Option<Topic> {
    let heading = format!(" {}", without_number(heading).to_lowercase());
    let is_there = |words: &&[&str]| words.iter().any(|word| heading.contains(&format!(" {word}")));
    TOPICS.iter().find(|(_, words)| is_there(words)).map(|(topic, _)| *topic)
}

fn sorted(statement: &Statement, phrases: &Phrases) -> (i32, SectionKind, String) {
    // The heading of the form says nothing of the matter.
    let lead = statement.text.strip_prefix(statement.under.as_str()).and_then(|rest| rest.strip_prefix(": "));
    let text = lead.filter(|_| !statement.under.is_empty()).unwrap_or(&statement.text);
    let by_words = || match () {
        () if phrases.is_action(text) => Some(Topic::Actions),
        () if phrases.is_decision(text) => Some(Topic::Decisions),
        () if phrases.is_lesson(text) => Some(Topic::Lessons),
        () => None,
    };
    let labelled = phrases.label(text).and_then(|label| match label {
        Label::Decision => Some(Topic::Decisions),
        Label::Lesson => Some(Topic::Lessons),
        Label::Action => Some(Topic::Actions),
        Label::Outcome => None,
    });
    let topic = labelled.or_else(|| topic_of(&statement.under)).or_else(by_words);
    let score = phrases.telling(text);
    match topic {
        Some(Topic::Goal) => (score + 8, SectionKind::KeyExchanges, text.to_owned()),
        Some(Topic::Asked) => (score + 4, SectionKind::KeyExchanges, format!("{USER_ASKED} {}", unquoted(text))),
        Some(Topic::Decisions) => (score + 8, SectionKind::DecisionsMade, text.to_owned()),
        Some(Topic::Lessons) => (score + 6, SectionKind::LessonsLearned, text.to_owned()),
        Some(Topic::Actions) => (score + 8, SectionKind::ActionItems, text.to_owned()),
        None => (score, SectionKind::KeyExchanges, text.to_owned()),
    }
}

fn unquoted(text: &str) -> &str {
    text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(summary: &str, expected: &[(SectionKind, &str)]) {
        let found = lines(summary);
        let found: Vec<(SectionKind, &str)> = found.iter().map(|(kind, line)| (*kind, line.as_str())).collect();
        assert_eq!(found, expected);
    }

    use SectionKind::{ActionItems, DecisionsMade, KeyExchanges, LessonsLearned};

    #[test]
    fn headings_say_where_a_line_belongs() {
        check(
            "1. Primary Request and Intent:\n   - Bake rye in the small oven\n\n2. Errors and fixes:\n   - Crumbs stopped the door switch\n\n6. All user messages:\n   - \"bake rye until Friday\"\n\n7. Pending Tasks:\n   - Order flour from the mill\n",
            &[
                (KeyExchanges, "Bake rye in the small oven"),
                (LessonsLearned, "Crumbs stopped the door switch"),
                (KeyExchanges, "User asked: bake rye until Friday"),
                (ActionItems, "Order flour from the mill"),
            ],
        );
        check("## Key Decisions\n- Rye goes into oven 2\n", &[(DecisionsMade, "Rye goes into oven 2")]);
    }

    #[test]
    fn what_says_that_there_is_nothing_says_nothing() {
        check(
            "## Pending Tasks\n- None - all requested tasks are completed\n- Order flour from the mill\n",
            &[(ActionItems, "Order flour from the mill")],
        );
        check("## Next Steps\n- This means that the oven cools down\n", &[]);
        check("## All user messages\n- (Continued from the session before)\n", &[]);
        check(
            "## Files\n- `door.rs`\n- The switch waits for the door\n",
            &[(KeyExchanges, "The switch waits for the door")],
        );
    }

    #[test]
    fn where_no_heading_says_it_the_words_do() {
        check(
            "We decided to bake rye on Fridays. The mill sells three kinds of flour.",
            &[
                (DecisionsMade, "We decided to bake rye on Fridays."),
                (KeyExchanges, "The mill sells three kinds of flour."),
            ],
        );
    }

    #[test]
    fn a_summary_adds_so_many_lines_and_first_what_matters() {
        let tasks: String = (0..40).map(|n| format!("- Order flour from mill number {n}\n")).collect();
        let found = lines(&format!("## Pending Tasks\n{tasks}\n## Key Decisions\n- Rye goes into oven 2\n"));
        assert_eq!(found.len(), LINES_MAX);
    }
}
