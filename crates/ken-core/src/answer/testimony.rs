//! What an author is told of a sentence beside its words: when it was said and whether it still holds; and of which time a
//! question asks.
//!
//! Somebody who writes an answer from sentences alone takes the old for the new. So each is handed over with its day and
//! with what became of it, and an answer that gives as current what no longer holds is told from one that says so.

use std::sync::LazyLock;

use crate::language::Wording;
use crate::page::outline::{DISPUTED, Next, Remark, When};
use crate::search::Cue;
use crate::text::one_line;
use crate::time::Date;
use crate::timeline::{AskedHistory, Wanted};
use crate::trust::UNVERIFIED_STATEMENT;
use crate::when::{DateWords, date_words};
use crate::words::{fold, words};

use super::Citable;

/// A sentence as an author is told of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Testimony {
    /// Its words, without what became of it.
    pub text: String,
    /// When it was said, and what keeps it from being current: `superseded on 2026-05-03; now: It is cold`, `disputed
    /// with: …`, `retracted`, `unverified`, `external`.
    pub marks: Vec<String>,
    /// What took its place, as far as that shows.
    pub now: Option<String>,
}

impl Testimony {
    /// Returns what is told of a sentence that was said first and last on these days; `is_external` says that nobody
    /// here vouches for it.
    pub fn of(citable: &Citable, (first, last): (Option<Date>, Option<Date>), is_external: bool) -> Testimony {
        let remark = Remark::read(&citable.since);
        let mut text = citable.text.replace(&format!(" ({})", citable.since), "");
        let day = match (first, last.filter(|_| !citable.is_superseded && last != first)) {
            (Some(first), Some(last)) => Some(format!("said {first}, last {last}")),
            (Some(day), None) | (None, Some(day)) => Some(format!("said {day}")),
            (None, None) => None,
        };
        let mut marks: Vec<String> = day.into_iter().collect();
        let next = remark.next.map(|(next, now)| {
            let word = if next == Next::Now { "now" } else { "then" };
            format!("; {word}: {}", now.trim_end_matches('.'))
        });
        let on = |day: Option<Date>| day.map(|day| format!(" on {day}")).unwrap_or_default();
        match remark.when {
            Some((When::Done, day)) => marks.push(format!("done on {day}")),
            when if citable.is_superseded => {
                let day = on(when.map(|(_, day)| day));
                // What ended, and nothing took its place.
                let word = if next.is_none() && !day.is_empty() { "retracted" } else { "superseded" };
                marks.push(format!("{word}{day}{}", next.unwrap_or_default()));
            }
            _ => {}
        }
        if let Some(rest) = text.strip_suffix(UNVERIFIED_STATEMENT) {
            text = rest.to_owned();
            marks.push("unverified".to_owned());
        }
        if let Some((said, others)) = of_dispute(citable) {
            text = said.to_owned();
            marks.push(if others.is_empty() { "disputed".to_owned() } else { format!("disputed with: {others}") });
        }
        if is_external {
            marks.push("external".to_owned());
        }
        let now = remark.next.filter(|_| citable.is_superseded).map(|(_, now)| one_line(now));
        Testimony { text, marks, now }
    }

    /// Returns its words behind its marks: `[said 2026-05-01] It is hot.`
    pub fn told(&self) -> String {
        match self.marks.is_empty() {
            true => self.text.clone(),
            false => format!("[{}] {}", self.marks.join("; "), self.text),
        }
    }
}

/// What one side of a dispute says, and what the others say.
fn of_dispute(citable: &Citable) -> Option<(&str, &str)> {
    if citable.heading != DISPUTED {
        return None;
    }
    let (said, others) = citable.text.trim_end_matches('.').strip_suffix(')')?.rsplit_once(" (disputed")?;
    Some((said, others.strip_prefix("; also said: ").unwrap_or_default()))
}

/// Of which time a question asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedTime {
    /// In words, for an author: `what held on 2026-03-12`.
    pub told: String,
    /// Whether what held once answers it as well as what holds now.
    pub is_past: bool,
}

impl AskedTime {
    /// Returns the time that a question names, by the caller (`as_of`: what had been said by then; `on`: what held then)
    /// or in its words; nothing where it asks for what holds now.
    pub fn of(question: &str, today: Date, (as_of, on): (Option<Date>, Option<Date>)) -> Option<AskedTime> {
        let mut told: Vec<String> = Vec::new();
        told.extend(as_of.map(|day| format!("what had been said by the end of {day}, as if that were today")));
        told.extend(on.map(|day| format!("what held on {day}")));
        let named = if on.is_some() { Vec::new() } else { date_words(question, as_of.unwrap_or(today), None) };
        told.extend(named.iter().map(|words| period(question, words)));
        let wanted = AskedHistory::of(question).map(|asked| asked.wanted);
        told.extend(wanted.map(|wanted| of_history(wanted).to_owned()));
        let is_early = wanted.is_none() && Cue::of(question) == Some(Cue::Early);
        told.extend(is_early.then(|| of_history(Wanted::First).to_owned()));
        let is_over = |words: &DateWords| words.period.to.is_some_and(|to| to < today);
        let is_past = on.is_some() || wanted.is_some() || is_early || named.iter().any(is_over);
        (!told.is_empty()).then(|| AskedTime { told: told.join("; "), is_past })
    }
}

/// The dates that words of a question mean: `2026-03-01 to 2026-03-31 ("in March")`.
fn period(question: &str, words: &DateWords) -> String {
    let said = words.span.of(question);
    match (words.period.from, words.period.to) {
        (Some(from), Some(to)) if from == to => format!("{from} (\"{said}\")"),
        (Some(from), Some(to)) => format!("{from} to {to} (\"{said}\")"),
        (Some(from), None) => format!("from {from} on (\"{said}\")"),
        (None, Some(to)) => format!("up to {to} (\"{said}\")"),
        (None, None) => format!("\"{said}\""),
    }
}

fn of_history(wanted: Wanted) -> &'static str {
    match wanted {
        Wanted::First => "how it was at first",
        Wanted::Before => "how it was before",
        Wanted::Course => "how it changed",
        Wanted::Day => "when it changed",
        Wanted::Person => "who changed it",
        Wanted::Reason => "why it changed",
    }
}

/// Wording by which a sentence says that something is over, whatever else it says.
static PAST: LazyLock<Vec<Wording>> = LazyLock::new(|| {
    let mut all = Wording::lists(|lexicon| lexicon.changes.formerly);
    all.extend(Wording::lists(|lexicon| lexicon.questions.formerly));
    all.extend(Wording::lists(|lexicon| lexicon.questions.first_of_all));
    all.extend(Wording::lists(|lexicon| lexicon.changes.ends));
    all.extend(Wording::lists(|lexicon| lexicon.changes.instead));
    all.extend(Wording::lists(|lexicon| lexicon.changes.rather));
    all
});
/// Wording that says so beside a date.
static PAST_BY_DATE: LazyLock<Vec<Wording>> = LazyLock::new(|| {
    let mut all = Wording::lists(|lexicon| lexicon.changes.until);
    all.extend(Wording::lists(|lexicon| lexicon.questions.before));
    all
});
/// Marks by which an author repeats what it was told of a sentence.
const PAST_MARKS: &[&str] = &["superseded", "retracted"];

/// Returns whether a sentence says of what it tells that it is over: `Until 2026-03-10 it was hot`.
///
/// ```
/// # use ken_core::answer::says_it_is_past;
/// # let today = "2026-06-01".parse().expect("a day");
/// assert!(says_it_is_past("Until 2026-03-10 tokens lived 60 minutes.", today));
/// assert!(says_it_is_past("Früher galten sie 60 Minuten.", today));
/// assert!(!says_it_is_past("Tokens live 60 minutes.", today));
/// ```
pub fn says_it_is_past(text: &str, today: Date) -> bool {
    let folded: Vec<String> = words(text).into_iter().map(|word| fold(word.of(text))).collect();
    let said: Vec<&str> = folded.iter().map(String::as_str).collect();
    let names = |wording: &[Wording]| !Wording::places(wording, &said).is_empty();
    let has_date = || !date_words(text, today, None).is_empty();
    said.iter().any(|word| PAST_MARKS.contains(word)) || names(&PAST) || names(&PAST_BY_DATE) && has_date()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::citables_of_page;
    use crate::page::parse_page;
    use crate::path::VaultPath;

    fn day(text: &str) -> Date {
        text.parse().expect("a day")
    }

    #[test]
    fn a_sentence_is_told_with_its_day_and_what_became_of_it() {
        let text = "---\nowner: kenning\n---\n# Oven\n\nIt is cold.[^2]\n\n## Disputed\n\n- It is big.[^1]\n- It is small.[^2]\n\n\
            ## Details\n\n- It hums. *(unverified)*[^1]\n\n## Superseded\n\n\
            - ~~It is hot~~ until 2026-05-03; now: It is cold.[^1][^2]\n- ~~It is on~~ until 2026-05-04.[^1][^2]\n\
            - ~~Order flour~~ done 2026-05-05.[^1][^2]\n\n\
            [^1]: daily/2026-05-01.md#L1-L1\n[^2]: daily/2026-05-03.md#L1-L1\n";
        let path = VaultPath::new("knowledge/concepts/oven.md").expect("a path");
        let page = parse_page(&path, text.to_owned()).value;
        let days = (Some(day("2026-05-01")), Some(day("2026-05-03")));
        let told: Vec<String> = citables_of_page(&page, None)
            .iter()
            .map(|one| Testimony::of(one, days, one.text.contains("hums")).told())
            .collect();
        assert_eq!(
            told,
            [
                "[said 2026-05-01, last 2026-05-03] It is cold.",
                "[said 2026-05-01, last 2026-05-03; disputed with: It is small] It is big",
                "[said 2026-05-01, last 2026-05-03; disputed with: It is big] It is small",
                "[said 2026-05-01, last 2026-05-03; unverified; external] It hums.",
                "[said 2026-05-01; superseded on 2026-05-03; now: It is cold] It is hot",
                "[said 2026-05-01; retracted on 2026-05-04] It is on",
                "[said 2026-05-01; done on 2026-05-05] Order flour",
            ]
        );
    }

    #[track_caller]
    fn asks(question: &str, expected: Option<(&str, bool)>) {
        let time = AskedTime::of(question, day("2026-06-01"), (None, None));
        let time = time.as_ref().map(|time| (time.told.as_str(), time.is_past));
        assert_eq!(time, expected, "{question}");
    }

    #[test]
    fn the_time_of_a_question_is_told() {
        asks("How long do tokens live?", None);
        asks("How long did tokens live in March?", Some(("2026-03-01 to 2026-03-31 (\"March\")", true)));
        asks("What was decided since 2026-05-30?", Some(("from 2026-05-30 on (\"since 2026-05-30\")", false)));
        asks("What was the price originally?", Some(("how it was at first", true)));
        asks("How did the price change?", Some(("how it changed", true)));
        let time = AskedTime::of("Is it hot?", day("2026-06-01"), (Some(day("2026-05-02")), None)).expect("a day");
        assert_eq!(
            (time.told.as_str(), time.is_past),
            ("what had been said by the end of 2026-05-02, as if that were today", false)
        );
        let time = AskedTime::of("Is it hot?", day("2026-06-01"), (None, Some(day("2026-05-02")))).expect("a day");
        assert_eq!((time.told.as_str(), time.is_past), ("what held on 2026-05-02", true));
    }

    #[test]
    fn a_sentence_says_that_something_is_over_only_in_words_that_do() {
        let today = day("2026-06-01");
        for text in [
            "Until 2026-03-10 it is 60 minutes.",
            "It was 60 minutes.",
            "Originally 60 minutes.",
            "It is 15 minutes instead of 60.",
            "Bis zum 10. März 2026 sind es 60 Minuten.",
            "Auparavant 60 minutes.",
        ] {
            assert!(says_it_is_past(text, today), "{text}");
        }
        for text in ["Tokens live 60 minutes.", "Signed tokens live 60 minutes by default.", "Tokens leben 60 Minuten."]
        {
            assert!(!says_it_is_past(text, today), "{text}");
        }
    }
}
