//! The wording of changes as patterns, a set for each language.

use std::sync::{LazyLock, OnceLock};

use regex::Regex;

use crate::language::{LEXICONS, Language, Lexicon};

/// The patterns of one language.
pub(super) struct Patterns {
    /// Between the new and the old.
    pub(super) instead: Option<Regex>,
    /// Groups: the old; what follows is the new.
    pub(super) from_to: Option<Regex>,
    pub(super) not_but: Option<Regex>,
    /// Behind a comma, between the new and the old.
    pub(super) and_not: Option<Regex>,
    /// `replaces`, and what stands before the new.
    pub(super) replaces: Option<Regex>,
    pub(super) with: Option<Regex>,
    /// Behind the new and before the old.
    pub(super) formerly: Option<Regex>,
    pub(super) change: Option<Regex>,
    pub(super) takes: Option<Regex>,
    pub(super) gives: Option<Regex>,
    pub(super) keeps: Option<Regex>,
    /// At the end of what stands before the old, and the new.
    pub(super) from: Option<Regex>,
    pub(super) to: Option<Regex>,
    pub(super) ends: Option<Regex>,
    pub(super) back: Option<Regex>,
    pub(super) unsure: Option<Regex>,
    /// At the end of what stands before a day.
    pub(super) effective: Option<Regex>,
    /// Where a clause ends within a sentence.
    pub(super) joins: Option<Regex>,
}

/// Whether a text may say in some language that something changed: most say nothing of that kind.
pub(super) fn may_tell(text: &str) -> bool {
    static CUES: LazyLock<Regex> = LazyLock::new(|| {
        let words = LEXICONS.iter().map(|lexicon| &lexicon.changes).flat_map(|words| {
            [
                words.change,
                words.back,
                words.instead,
                words.ends,
                words.replaces,
                words.formerly,
                words.not,
                words.takes,
            ]
        });
        let all: Vec<&str> = words.filter(|list| !list.is_empty()).collect();
        Regex::new(&format!(r"(?i)(?:^|[\s,(])(?:{})", all.join("|"))).expect("a pattern of ours")
    });
    CUES.is_match(text)
}

/// Returns the patterns of a language, which are made when the first statement in it is read.
pub(super) fn of(language: Language) -> &'static Patterns {
    static ALL: LazyLock<Vec<OnceLock<Patterns>>> =
        LazyLock::new(|| LEXICONS.iter().map(|_| OnceLock::new()).collect());
    ALL[language.place()].get_or_init(|| Patterns::of(language.lexicon()))
}

impl Patterns {
    fn of(lexicon: &Lexicon) -> Patterns {
        let words = &lexicon.changes;
        let list = |before: &str, list: &str, behind: &str| {
            let pattern = format!("(?i){before}(?:{list}){behind}");
            (!list.is_empty()).then(|| Regex::new(&pattern).expect("a pattern of ours"))
        };
        let two = |from: &str, to: &str| {
            let pattern = format!(r"(?i)(?:^|[\s(])(?:{from})\s+((?:[^,;:]|[,:]\d){{1,48}}?),?\s+(?:{to})\s+");
            (!from.is_empty()).then(|| Regex::new(&pattern).expect("a pattern of ours"))
        };
        Patterns {
            instead: list(r"(?:^|\s)", words.instead, r"\s*"),
            from_to: two(words.from, words.to),
            not_but: two(words.not, words.but),
            and_not: list(r",\s*", words.and_not, r"\s+"),
            replaces: list(r"\b", words.replaces, r"\b"),
            with: list(r"\s", words.with, r"\s+"),
            formerly: list(r"[,(–—-]\s*", words.formerly, r":?\s+"),
            change: list(r"\b", words.change, r"(?:\b|$)"),
            takes: list(r"\b", words.takes, r"\b"),
            gives: list(r"\b", words.gives, r"\b"),
            from: list(r"(?:^|\s)", words.from, r"\s*$"),
            to: list(r"(?:^|\s)", words.to, r"\s*$"),
            keeps: list(r"\b", words.keeps, r"\b"),
            ends: list(r"(?:^|\b)", words.ends, r"(?:\b|$)"),
            back: list(r"\b", words.back, r"\b"),
            unsure: list(r"\b", words.unsure, r"\b"),
            effective: list(r"(?:^|[\s(])", words.effective, r"(?:\s+\p{L}+){0,2}\s*$"),
            joins: list(r"[,;:()–—]|\s(?:", words.joins, r")\s"),
        }
    }
}
