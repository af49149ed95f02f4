//! What kind of answer a question asks for, and whether a text has one.
//!
//! `when` asks for a day or a time, `how many` for a number, `why` for a reason. A text that has such a thing is
//! preferred, never required.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use crate::language::{LEXICONS, Lexicon, Phrases, Questions, WordSet};
use crate::time::Date;
use crate::when::each_date;
use crate::words::{fold, folded_words, is_number_word, is_stop, stem, words};

/// A kind of answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asks {
    /// A day or a time.
    When,
    /// A number.
    Amount,
    /// How often.
    Often,
    /// A reason.
    Reason,
    /// A way to do something, or a place in code.
    Way,
    /// A person.
    Person,
    /// What a thing was, and what it became.
    Change,
    /// What is still to be done.
    Open,
}

static MOMENTS: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.questions.moments));
/// What stands before an hour of the day, and behind one. `à 9` is no `a 9 kg`: with their marks.
static BY_HOURS: LazyLock<[Phrases; 2]> = LazyLock::new(|| {
    let all = |of: fn(&Lexicon) -> &'static str| LEXICONS.iter().map(of).collect::<Vec<_>>().join("|");
    let [before, behind] = [all(|one| one.changes.clock), all(|one| one.changes.clock_behind)];
    [Phrases::written(&before), Phrases::written(&behind)]
});
static REPEATS: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.questions.repeats));
static REASONS: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.questions.reasons));
static CHANGES: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.questions.changes));
static PAST: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.questions.past));
static STATED: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.questions.stated));
static OPEN: LazyLock<WordSet> = LazyLock::new(|| WordSet::of(|lexicon| lexicon.questions.open));

/// What stands between two parts of what opens a question.
const BETWEEN: &str = " … ";

/// What every language has of a list.
fn all<T: 'static>(list: impl Fn(&'static Questions) -> &'static [T]) -> impl Iterator<Item = &'static T> {
    LEXICONS.iter().flat_map(move |lexicon| list(&lexicon.questions))
}

impl Asks {
    /// Returns what kind of answer a question asks for, if that shows.
    ///
    /// ```
    /// # use ken_core::search::Asks;
    /// assert_eq!(Asks::of("When did we move the ovens?"), Some(Asks::When));
    /// assert_eq!(Asks::of("And how many ovens are there?"), Some(Asks::Amount));
    /// assert_eq!(Asks::of("Warum ist der Ofen kalt?"), Some(Asks::Reason));
    /// assert_eq!(Asks::of("Which boards come from the mill?"), None);
    /// assert_eq!(Asks::of("What happens when the oven is cold?"), None);
    /// ```
    pub fn of(question: &str) -> Option<Asks> {
        Asks::opening(question).map(|(_, asks)| asks)
    }

    /// Returns whether a text without a question mark begins like a question; what begins with `when` may wait for its
    /// rest.
    ///
    /// ```
    /// # use ken_core::search::Asks;
    /// assert!(Asks::opens("why is the oven cold") && Asks::opens("warum ist der Ofen kalt"));
    /// assert!(!Asks::opens("when it is cold, open it") && !Asks::opens("nobody knew why"));
    /// ```
    pub fn opens(text: &str) -> bool {
        let said = format!("{} ", folded_words(text).join(" "));
        let begins = |words: &str| said.strip_prefix(words).is_some_and(|rest| rest.starts_with(' '));
        let mut things = LEXICONS.iter().flat_map(|lexicon| lexicon.questions.things.split_whitespace());
        let openings = all(|questions| questions.openings).chain(all(|questions| questions.first));
        openings.into_iter().any(|(opening, asks)| *asks != Asks::When && begins(opening)) || things.any(begins)
    }

    /// Returns whether a question asks for something, and not only whether something is so.
    pub(crate) fn is_open(question: &str) -> bool {
        let things: BTreeSet<&str> =
            LEXICONS.iter().flat_map(|lexicon| lexicon.questions.things.split_whitespace()).collect();
        Asks::of(question).is_some() || folded_words(question).iter().any(|word| things.contains(word.as_str()))
    }

    /// Returns whether a question asks for what was.
    pub(crate) fn is_of_past(question: &str) -> bool {
        folded_words(question).iter().any(|word| PAST.has(word))
    }

    /// Returns whether a question asks why something happened, and not why something is as it is.
    ///
    /// ```
    /// # use ken_core::search::Asks;
    /// assert!(Asks::is_of_cause("Why did the oven go cold?") && Asks::is_of_cause("What made the oven go cold?"));
    /// assert!(Asks::is_of_cause("Where did the smoke come from?") && !Asks::is_of_cause("Where do the boards come from?"));
    /// assert!(!Asks::is_of_cause("Why is the oven cold?") && !Asks::is_of_cause("Why don't we open the oven?"));
    /// ```
    pub fn is_of_cause(question: &str) -> bool {
        let Some((opening, _)) = Asks::opening(question).filter(|(_, asks)| *asks == Asks::Reason) else {
            return false;
        };
        let opening = opening.split(BETWEEN).next().unwrap_or(opening);
        let (said, opening) = (folded_words(question), folded_words(opening));
        let at = said.windows(opening.len()).position(|run| run == opening);
        let next = at.and_then(|at| said.get(at + opening.len()));
        !next.is_some_and(|word| STATED.has(word))
    }

    /// Returns whether a question asks what to run: commands answer it.
    ///
    /// ```
    /// # use ken_core::search::Asks;
    /// assert!(Asks::is_of_command("How do I bake the rye loaf?") && Asks::is_of_command("Mit welchem Befehl backe ich?"));
    /// assert!(!Asks::is_of_command("How did the oven go cold?") && !Asks::is_of_command("What does the loaf cost?"));
    /// ```
    pub fn is_of_command(question: &str) -> bool {
        let said = format!(" {} ", folded_words(question).join(" "));
        let mut all = LEXICONS.iter().flat_map(|lexicon| lexicon.questions.commands);
        all.any(|words| said.contains(&format!(" {words} ")))
    }

    /// Returns the words by which a question asks for an amount (`how long`): they say nothing of what it is about.
    pub(crate) fn measure(question: &str) -> impl Iterator<Item = &'static str> {
        let opening = Asks::opening(question).filter(|(_, asks)| matches!(asks, Asks::Amount | Asks::Often));
        opening.map_or("", |(opening, _)| opening).split(' ')
    }

    /// Returns the stem of what a question asks the number of: `order` of `how many orders fit into a slot`; `None` where
    /// something else stands behind the words that ask.
    pub(crate) fn counted(question: &str) -> Option<String> {
        let (opening, _) = Asks::opening(question).filter(|(_, asks)| *asks == Asks::Amount)?;
        let opening = opening.split(BETWEEN).next().unwrap_or(opening);
        let (said, opening) = (folded_words(question), folded_words(opening));
        let at = said.windows(opening.len()).position(|run| run == opening)?;
        let word = said.get(at + opening.len()).filter(|word| !is_stop(word))?;
        Some(stem(word))
    }

    /// Returns whether a text has a number with what it counts, given as a stem, at most one word further: `24 open orders`.
    pub(crate) fn counts(text: &str, counted: &str) -> bool {
        let said: Vec<&str> = words(text).into_iter().map(|word| word.of(text)).collect();
        let is_number = |word: &str| word.starts_with(|ch: char| ch.is_ascii_digit()) || is_number_word(word);
        let is_it = |at: usize| said[at + 1..].iter().take(COUNTED_WITHIN).any(|word| stem(&fold(word)) == counted);
        (0..said.len()).any(|at| is_number(said[at]) && is_it(at))
    }

    fn opening(question: &str) -> Option<(&'static str, Asks)> {
        let said: Vec<String> = folded_words(question);
        let said = format!(" {} ", said.join(" "));
        let place = |words: &str| said.find(&format!(" {words} "));
        // Of `where … come from` both parts.
        let both = |opening: &str| match opening.split_once(BETWEEN) {
            Some((first, then)) => place(first).filter(|at| place(then).is_some_and(|then| then > *at)),
            None => place(opening),
        };
        let things = LEXICONS.iter().flat_map(|lexicon| lexicon.questions.things.split_whitespace());
        let thing = things.filter_map(&place).min();
        let found = all(|questions| questions.openings).filter_map(|(opening, asks)| {
            let at = both(opening)?;
            let joins = !opening.contains(' ') && thing.is_some_and(|thing| thing < at);
            (!joins).then_some((at, std::cmp::Reverse(opening.len()), (*opening, *asks)))
        });
        // The first word that asks, and of openings at one place the longest.
        let found = found.min_by_key(|(at, len, _)| (*at, *len)).map(|(.., opening)| opening);
        let is_first = |(word, _): &&(&str, Asks)| said.starts_with(&format!(" {word} "));
        found.or_else(|| all(|questions| questions.first).find(is_first).copied())
    }

    /// Returns whether a text has an answer of this kind.
    ///
    /// ```
    /// # use ken_core::search::Asks;
    /// assert!(Asks::When.is_met("The till is counted at noon."));
    /// assert!(Asks::When.is_met("Die Kasse schließt um sieben."));
    /// assert!(!Asks::When.is_met("The till holds 9 coins."));
    /// assert!(Asks::Amount.is_met("The till holds nine coins."));
    /// ```
    pub fn is_met(self, text: &str) -> bool {
        let has_digit = || text.bytes().any(|byte| byte.is_ascii_digit());
        let has = |list: &WordSet| words(text).iter().any(|word| list.has(&fold(word.of(text))));
        let has_number = || words(text).iter().any(|word| word.of(text).split('-').any(is_number_word));
        match self {
            Asks::When => has(&MOMENTS) || names_hour(text) || has_digit() && names_time(text),
            Asks::Amount => has_digit() || has_number(),
            Asks::Often => has(&REPEATS),
            Asks::Reason => has(&REASONS),
            Asks::Way => text.contains('`') || text.contains("$ "),
            Asks::Person => has_name(text),
            Asks::Change => has_digit() && has(&CHANGES),
            Asks::Open => text.contains("[ ]") || has(&OPEN),
        }
    }

    /// Returns whether several answers are asked for: what was said before makes the next one no less wanted.
    pub fn is_list(self) -> bool {
        matches!(self, Asks::Change | Asks::Open)
    }
}

/// How many words behind a number what it counts may stand.
const COUNTED_WITHIN: usize = 2;

/// Whether a text names a day or a time: `5 May`, `2026-05-05`, `at 14:30`, `in 2026`.
fn names_time(text: &str) -> bool {
    let is_clock = || {
        text.as_bytes()
            .windows(4)
            .any(|run| run[0].is_ascii_digit() && run[1] == b':' && run[2].is_ascii_digit() && run[3].is_ascii_digit())
    };
    let is_year = |word: &str| {
        word.len() == 4 && (word.starts_with("19") || word.starts_with("20")) && word.parse::<u16>().is_ok()
    };
    is_clock()
        || words(text).iter().any(|word| is_year(word.of(text)) || is_day_of_month(word.of(text)))
        || !each_date(text, Date::constant(2000, 1, 1)).is_empty()
}

/// `the 3rd`
fn is_day_of_month(word: &str) -> bool {
    let digits = ["st", "nd", "rd", "th"].iter().find_map(|ending| word.strip_suffix(ending));
    digits.is_some_and(|digits| digits.parse().is_ok_and(|day: u8| (1..=31).contains(&day)))
}

/// Whether a text names an hour of the day without minutes: `at six`, `9 Uhr`.
fn names_hour(text: &str) -> bool {
    let said: Vec<String> = words(text).into_iter().map(|word| word.of(text).to_lowercase()).collect();
    let is_hour = |word: &String| word.parse().is_ok_and(|hour: u8| hour <= 24) || is_number_word(word);
    let [before, behind] = &*BY_HOURS;
    (0..said.len()).any(|at| {
        let n_before = before.takes(&said[at..]);
        let is_behind = n_before > 0 && said.get(at + n_before).is_some_and(is_hour);
        is_behind || is_hour(&said[at]) && behind.takes(&said[at + 1..]) > 0
    })
}

/// Whether a word within a sentence begins with a capital.
fn has_name(text: &str) -> bool {
    words(text).iter().any(|word| {
        let before = text[..word.start].trim_end_matches([' ', '\t']);
        let is_inside = before.ends_with(|ch: char| ch.is_alphanumeric() || ch == ',');
        let mut letters = word.of(text).chars();
        is_inside && letters.next().is_some_and(char::is_uppercase) && letters.next().is_some_and(char::is_lowercase)
    })
}
