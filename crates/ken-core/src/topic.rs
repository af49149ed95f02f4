//! Topics of a repository's wiki: architecture, patterns, and what else its people set.
//!
//! A topic is told by words, whole ones and in any form, never by a guess: what has words of two topics equally often, or
//! of none, has no topic. A topic is no category: a page says what it is about in its category, and a statement of any
//! page may be a gotcha.

use std::collections::BTreeSet;

use crate::index::IndexEntry;
use crate::language::stem;
use crate::words::folded_words;

/// The topics that there are when nobody sets others, each with the words that tell it.
pub const USUAL: &[(&str, &[&str])] = &[
    (
        "architecture",
        &[
            "architecture",
            "architectural",
            "module",
            "layer",
            "component",
            "structure",
            "directory",
            "interface",
            "boundary",
            "schema",
            "pipeline",
            "subsystem",
            "data flow",
        ],
    ),
    (
        "patterns",
        &[
            "pattern",
            "convention",
            "idiom",
            "best practice",
            "anti-pattern",
            "refactor",
            "naming",
            "style guide",
            "consistently",
        ],
    ),
    (
        "gotchas",
        &[
            "gotcha",
            "pitfall",
            "bug",
            "error",
            "fail",
            "failure",
            "crash",
            "careful",
            "watch out",
            "beware",
            "caveat",
            "workaround",
            "edge case",
            "race condition",
            "deadlock",
            "leak",
            "trap",
        ],
    ),
    (
        "testing",
        &[
            "test",
            "fixture",
            "mock",
            "assert",
            "assertion",
            "coverage",
            "pytest",
            "flaky",
            "regression",
            "snapshot test",
        ],
    ),
    (
        "dependencies",
        &[
            "dependency",
            "package",
            "library",
            "requirement",
            "pip",
            "npm",
            "uv",
            "cargo",
            "crate",
            "lockfile",
            "third-party",
            "pinned",
            "vendored",
        ],
    ),
];

/// The topics of a vault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Topics(Vec<Topic>);

/// One of them.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Topic {
    name: String,
    /// The stems of the words of each of its expressions.
    told_by: BTreeSet<Vec<String>>,
}

impl Default for Topics {
    fn default() -> Topics {
        Topics::new(USUAL.iter().map(|(name, _)| ((*name).to_owned(), Vec::new())))
    }
}

impl Topics {
    /// Returns topics, each with its words; one of the usual names without words has the usual ones.
    pub fn new(topics: impl IntoIterator<Item = (String, Vec<String>)>) -> Topics {
        let topic = |(name, words): (String, Vec<String>)| {
            let usual = USUAL.iter().find(|(known, _)| *known == name).map_or(&[][..], |(_, words)| words);
            let words: Vec<&str> =
                if words.is_empty() { usual.to_vec() } else { words.iter().map(String::as_str).collect() };
            let told_by = words.into_iter().map(stems).filter(|stems| !stems.is_empty()).collect();
            Topic { name, told_by }
        };
        Topics(topics.into_iter().map(topic).collect())
    }

    /// Returns what they are called, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|topic| topic.name.as_str())
    }

    /// Returns the topic of a text, if its words are sure of one.
    ///
    /// ```
    /// # use ken_core::topic::Topics;
    /// let topics = Topics::default();
    /// assert_eq!(topics.of("Watch out: the import fails on Mondays."), Some("gotchas"));
    /// assert_eq!(topics.of("Fixtures stand in `tests/fixtures`."), Some("testing"));
    /// assert_eq!(topics.of("The latest run was on Monday."), None);
    /// ```
    pub fn of(&self, text: &str) -> Option<&str> {
        let said = stems(text);
        let n_told = |topic: &Topic| topic.told_by.iter().map(|told| n_times(&said, told)).sum::<usize>();
        let mut counts: Vec<(usize, &str)> = self.0.iter().map(|topic| (n_told(topic), topic.name.as_str())).collect();
        counts.sort_by_key(|(n, _)| std::cmp::Reverse(*n));
        match counts.as_slice() {
            [(0, _), ..] | [] => None,
            [(n, _), (other, _), ..] if n == other => None,
            [(_, name), ..] => Some(name),
        }
    }

    /// Returns the topic of a page by what its header says of it.
    pub fn of_page(&self, entry: &IndexEntry) -> Option<&str> {
        self.of(&[entry.title.as_str(), &entry.tldr, &entry.triggers.join(", ")].join(". "))
    }
}

fn stems(text: &str) -> Vec<String> {
    folded_words(&text.replace(['_', '/', '.'], " ")).iter().flat_map(|word| word.split('-').map(stem)).collect()
}

fn n_times(said: &[String], told: &[String]) -> usize {
    said.windows(told.len()).filter(|run| *run == told).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_words_tell_a_topic_and_nothing_else_does() {
        let topics = Topics::default();
        let cases = [
            ("The storage layer has three modules.", Some("architecture")),
            ("By convention handlers are named after their route.", Some("patterns")),
            ("Beware: the queue deadlocks when it is full.", Some("gotchas")),
            ("Mocks of the clock live in `tests/clock.py`.", Some("testing")),
            ("We pinned the crate `serde` in the lockfile.", Some("dependencies")),
            // Parts of words are none, and neither is what nobody is sure of.
            ("Latest pipelines of manoeuvre contestants.", Some("architecture")),
            ("The latest contest was a manoeuvre.", None),
            ("The test fails.", None),
            ("We bake at noon.", None),
            ("", None),
        ];
        for (text, topic) in cases {
            assert_eq!(topics.of(text), topic, "{text}");
        }
    }

    #[test]
    fn topics_are_those_that_were_set() {
        let set = [("deployment", vec!["deploy", "Helm chart"]), ("testing", Vec::new()), ("empty", Vec::new())];
        let owned = |words: Vec<&str>| words.into_iter().map(str::to_owned).collect::<Vec<_>>();
        let topics = Topics::new(set.map(|(name, words)| (name.to_owned(), owned(words))));
        assert_eq!(topics.names().collect::<Vec<_>>(), ["deployment", "testing", "empty"]);
        assert_eq!(topics.of("We deployed it with a Helm chart."), Some("deployment"));
        assert_eq!(topics.of("Fixtures are small."), Some("testing"));
        assert_eq!(topics.of("A gotcha."), None);
        assert_eq!(Topics::new([]).of("A test."), None);
    }
}
