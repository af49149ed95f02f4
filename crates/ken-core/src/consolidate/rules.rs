//! What was said again and again, as a wish or a correction: it may be a standing instruction.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use crate::claim::SourceRef;
use crate::journal::without_speaker;
use crate::language::{alternatives, stem};
use crate::same::{Reading, may_be_same};
use crate::time::Date;
use crate::words::{folded_words, is_stop};

/// Days on which something must have been said.
const DAYS_MIN: usize = 2;
/// Of the words that two wishes have, so many in a hundred must be the same.
const COMMON_PERCENT: usize = 70;
/// Words that a wish must have to be compared.
const WORDS_MIN: usize = 3;
/// What is longer tells a story.
const CHARS_MAX: usize = 240;
/// The newest wishes that are compared with each other.
const COMPARED_MAX: usize = 2_000;

/// A statement of the journal, as it may be a wish.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// What was said.
    pub text: String,
    /// On which day.
    pub day: Date,
    /// Where it stands.
    pub at: SourceRef,
}

/// Something that was said on several days.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repeated {
    /// As it was said last.
    pub text: String,
    /// Where it was said, oldest first, one place a day.
    pub at: Vec<(Date, SourceRef)>,
}

/// Returns whether a statement settles, prefers or corrects something for more than this once.
pub fn is_wish(text: &str) -> bool {
    static WISH: LazyLock<Regex> = LazyLock::new(|| {
        let first = alternatives(|lexicon| lexicon.sessions.wish_first);
        let anywhere = alternatives(|lexicon| lexicon.sessions.wish);
        Regex::new(&format!(r"(?i)^(?:{first})(?:\W|$)|(?:^|\W)(?:{anywhere})(?:\W|$)")).expect("a pattern of ours")
    });
    let text = said(text);
    text.chars().count() <= CHARS_MAX
        && !text.trim_end().ends_with('?')
        && WISH.is_match(&text.replace('\u{2019}', "'"))
}

fn said(text: &str) -> &str {
    without_speaker(text).trim()
}

/// A wish as it is compared.
struct Wish<'s> {
    said: &'s Said,
    text: &'s str,
    key: Option<String>,
    stems: BTreeSet<String>,
}

impl Wish<'_> {
    fn of(one: &Said) -> Wish<'_> {
        let text = said(&one.text);
        let told = folded_words(text).into_iter().filter(|word| !is_stop(word));
        let stems = told.map(|word| stem(&word)).collect();
        Wish { said: one, text, key: Reading::of(text, Some(one.day)).key, stems }
    }

    fn says_the_same(&self, other: &Wish<'_>) -> bool {
        if self.stems.len() < WORDS_MIN || other.stems.len() < WORDS_MIN {
            return self.key.is_some() && self.key == other.key;
        }
        let n_common = self.stems.intersection(&other.stems).count();
        let n_all = self.stems.len() + other.stems.len() - n_common;
        n_common * 100 >= n_all * COMMON_PERCENT
            && may_be_same((self.text, Some(self.said.day)), (other.text, Some(other.said.day)))
    }
}

/// Returns the wishes that were said on several days, those said on most days first.
pub fn repeated(all: &[Said]) -> Vec<Repeated> {
    let mut wishes: Vec<Wish<'_>> = all.iter().filter(|one| is_wish(&one.text)).map(Wish::of).collect();
    wishes.sort_by(|a, b| {
        (a.said.day, &a.said.at.path, a.said.at.lines).cmp(&(b.said.day, &b.said.at.path, b.said.at.lines))
    });
    let n_over = wishes.len().saturating_sub(COMPARED_MAX);
    wishes.drain(..n_over);
    let mut groups: Vec<Vec<&Wish<'_>>> = Vec::new();
    for wish in &wishes {
        match groups.iter_mut().find(|group| group[0].says_the_same(wish)) {
            Some(group) => group.push(wish),
            None => groups.push(vec![wish]),
        }
    }
    let mut out: Vec<Repeated> = groups.iter().filter_map(|group| of_days(group)).collect();
    out.sort_by(|a, b| b.at.len().cmp(&a.at.len()).then_with(|| a.text.cmp(&b.text)));
    out
}

/// A group with one place a day; none that is of too few days.
fn of_days(group: &[&Wish<'_>]) -> Option<Repeated> {
    let mut at: Vec<(Date, SourceRef)> = group.iter().map(|wish| (wish.said.day, wish.said.at.clone())).collect();
    at.dedup_by_key(|(day, _)| *day);
    (at.len() >= DAYS_MIN).then(|| Repeated { text: group[group.len() - 1].text.to_owned(), at })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path::VaultPath;

    #[track_caller]
    fn check(all: &[(&str, &str)], expected: &[&str]) {
        let said = |(day, text): &(&str, &str)| {
            let path = VaultPath::new(&format!("daily/{day}.md")).expect("inside");
            let at = SourceRef { path, lines: (3, 3), digest: String::new(), quote: String::new() };
            Said { text: (*text).to_owned(), day: day.parse().expect("a day"), at }
        };
        let all: Vec<Said> = all.iter().map(said).collect();
        let days = |one: &Repeated| one.at.iter().map(|(day, _)| day.to_string()).collect::<Vec<_>>().join(" ");
        let found: Vec<String> = repeated(&all).iter().map(|one| format!("{} ({})", one.text, days(one))).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn what_is_wished_on_several_days_is_found_whatever_stands_around_it() {
        check(
            &[
                ("2026-03-02", "User asked: Please don't use mocks for the oven controller tests."),
                ("2026-03-02", "Don't use mocks for the oven controller tests."),
                ("2026-03-09", "Don't use mocks in the oven controller tests!"),
                ("2026-03-09", "The oven heats at 220 degrees."),
            ],
            &["Don't use mocks in the oven controller tests! (2026-03-02 2026-03-09)"],
        );
    }

    #[test]
    fn another_number_or_no_negation_is_another_wish() {
        check(
            &[
                ("2026-03-02", "Always bake the rye bread for 50 minutes."),
                ("2026-03-09", "Always bake the rye bread for 40 minutes."),
                ("2026-03-02", "Never bake the wheat bread in the big oven."),
                ("2026-03-09", "Always bake the wheat bread in the big oven."),
            ],
            &[],
        );
    }

    #[test]
    fn what_was_said_once_or_asked_is_none() {
        check(
            &[
                ("2026-03-02", "Should we always keep the dough cold overnight?"),
                ("2026-03-09", "Should we always keep the dough cold overnight?"),
                ("2026-03-02", "Always keep the starter cold overnight."),
                ("2026-03-02", "Always keep the starter cold overnight."),
            ],
            &[],
        );
    }
}
