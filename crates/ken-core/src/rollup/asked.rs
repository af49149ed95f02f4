//! Whether a question asks what happened in a period, and of what sort.
//!
//! It does where it asks in one of the ways that the files of languages list, names a day or longer, and says nothing else: a
//! question that names a thing is about the thing, whatever period it names.

use std::sync::LazyLock;

use jiff::civil::{ISOWeekDate, Weekday};

use super::Rolled;
use crate::language::{LEXICONS, Wording};
use crate::span::Span;
use crate::time::Date;
use crate::when::{DateWords, Exactness, date_words};
use crate::words::{fold, is_stop, words};

/// What of a period a question asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Focus {
    /// All that happened.
    All,
    /// What was decided.
    Decisions,
    /// What is otherwise since.
    Changes,
    /// What was learnt.
    Lessons,
}

/// A question that asks what happened in a period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AskedPeriod {
    /// The first day that is meant.
    pub from: Date,
    /// The last day that is meant.
    pub to: Date,
    /// What of it.
    pub focus: Focus,
}

/// The wording of one language.
struct Lists {
    of: [(Focus, Vec<Wording>); 4],
    idle: Vec<Wording>,
}

static LISTS: LazyLock<Vec<Lists>> = LazyLock::new(|| {
    let of = |lexicon: &crate::language::Lexicon| {
        let asked = &lexicon.periods;
        let list = |focus, list: &'static str| (focus, Wording::list(list));
        // Who asks for one sort only does not ask for all.
        let of = [
            list(Focus::Decisions, asked.decided),
            list(Focus::Changes, asked.changed),
            list(Focus::Lessons, asked.learned),
            list(Focus::All, asked.happened),
        ];
        Lists { of, idle: Wording::list(asked.idle) }
    };
    LEXICONS.iter().map(of).filter(|lists| !lists.of[3].1.is_empty()).collect()
});

/// A period that roll-ups tell of is at least as long; a shorter one is told by its days.
const DAYS_MIN: i32 = 5;

impl AskedPeriod {
    /// Returns what a question asks, if it asks what happened in a period.
    ///
    /// ```
    /// # use ken_core::rollup::AskedPeriod;
    /// let today = "2026-04-01".parse().expect("a day");
    /// let asked = |question: &str| AskedPeriod::of(question, today).map(|asked| asked.from.to_string());
    /// assert_eq!(asked("What happened in the week of 2 March?").as_deref(), Some("2026-03-02"));
    /// assert_eq!(asked("What happened to the oven in March?"), None);
    /// assert_eq!(asked("Which port does the gateway use?"), None);
    /// ```
    pub fn of(question: &str, today: Date) -> Option<AskedPeriod> {
        let spans = words(question);
        let folded: Vec<String> = spans.iter().map(|word| fold(word.of(question))).collect();
        let said: Vec<&str> = folded.iter().map(String::as_str).collect();
        let lists: Vec<_> = LISTS.iter().filter_map(|lists| Some((lists, lists.asks(&said)?))).collect();
        if lists.is_empty() {
            return None;
        }
        // Nobody counts days here: `week 13` is that of the calendar, of the newest year in which it has begun.
        let named =
            |year| date_words(question, today, ISOWeekDate::new(year, 1, Weekday::Monday).ok().map(|day| day.date()));
        let begins = |words: &[DateWords]| words.first().and_then(|words| words.period.from);
        let mut found = named(today.year());
        if begins(&found).is_some_and(|from| from > today) {
            found = named(today.year() - 1);
        }
        let [words] = found.as_slice() else { return None };
        let from = words.period.from?;
        let to = words.period.to.unwrap_or(today);
        if to < from || words.exactness == Exactness::Fuzzy {
            return None;
        }
        let is_date = |span: &Span| words.span.start <= span.start && span.end <= words.span.end;
        lists.into_iter().find_map(|(lists, (focus, asking))| {
            let idle = Wording::places(&lists.idle, &said);
            let says_nothing =
                |at: usize| asking.contains(&at) || idle.contains(&at) || is_stop(&folded[at]) || is_date(&spans[at]);
            (0..spans.len()).all(says_nothing).then_some(AskedPeriod { from, to, focus })
        })
    }

    /// Returns the periods whose roll-ups answer, tried in order: that which is meant itself, else the parts of it.
    pub fn rolled(&self) -> Vec<Vec<Rolled>> {
        let n_days = self.to.since(self.from).map_or(0, |span| span.get_days()) + 1;
        if n_days < DAYS_MIN {
            return Vec::new();
        }
        let is_whole = |one: &Rolled| one.days() == Some((self.from, self.to));
        let month = || Rolled::Month(crate::time::Month::of(self.from));
        let whole = [Rolled::week_of(self.from), month(), Rolled::Year(self.from.year())];
        let weeks = self.weeks();
        let mut months: Vec<Rolled> = weeks.iter().filter_map(|week| week.within()).collect();
        months.dedup();
        let is_inside = |one: &Rolled| one.days().is_some_and(|(first, last)| self.from <= first && last <= self.to);
        months.retain(is_inside);
        vec![whole.into_iter().filter(is_whole).collect(), if months.len() > 1 { months } else { Vec::new() }, weeks]
    }

    /// The weeks whose Thursday is meant.
    fn weeks(&self) -> Vec<Rolled> {
        let days = self.from.series(jiff::Span::new().days(1)).take_while(|day| *day <= self.to).take(WEEKS_DAYS_MAX);
        let thursdays = days.filter(|day| day.weekday() == jiff::civil::Weekday::Thursday);
        thursdays.map(Rolled::week_of).collect()
    }
}

/// What is longer than a year and a week is not looked at week by week.
const WEEKS_DAYS_MAX: usize = 373;

impl Lists {
    /// What of a period some words ask for, and which of them do.
    fn asks(&self, said: &[&str]) -> Option<(Focus, std::collections::BTreeSet<usize>)> {
        let found = |(focus, list): &(Focus, Vec<Wording>)| {
            let places = Wording::places(list, said);
            (!places.is_empty()).then_some((*focus, places))
        };
        let focus = self.of.iter().find_map(found)?.0;
        // `what happened and what was decided` is asked for in both.
        let all = self.of.iter().flat_map(|(_, list)| Wording::places(list, said)).collect();
        Some((focus, all))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(question: &str) -> Option<String> {
        let found = AskedPeriod::of(question, "2026-04-01".parse().expect("a day"))?;
        Some(format!("{} {} {:?}", found.from, found.to, found.focus))
    }

    #[test]
    fn questions_about_a_period_are_known_in_every_language_that_has_words_for_them() {
        for (question, expected) in [
            ("What happened in March?", "2026-03-01 2026-03-31 All"),
            ("what happened last week", "2026-03-23 2026-03-29 All"),
            ("What happened in the week of 2 March?", "2026-03-02 2026-03-08 All"),
            ("What did we do in January 2026?", "2026-01-01 2026-01-31 All"),
            ("Give me a summary of last month, please.", "2026-03-01 2026-03-31 All"),
            ("Which decisions were made in March?", "2026-03-01 2026-03-31 Decisions"),
            ("What changed in the week of 9 March?", "2026-03-09 2026-03-15 Changes"),
            ("What did we learn last week?", "2026-03-23 2026-03-29 Lessons"),
            ("Which decisions did we make in week 13?", "2026-03-23 2026-03-29 Decisions"),
            ("What happened yesterday?", "2026-03-31 2026-03-31 All"),
            ("What did we decide on 10 March?", "2026-03-10 2026-03-10 Decisions"),
            ("What did we find out in the week of 9 March?", "2026-03-09 2026-03-15 Lessons"),
            ("What happened in week 50?", "2025-12-08 2025-12-14 All"),
            ("What happened between 9 and 15 March?", "2026-03-09 2026-03-15 All"),
            ("What happened between the 9th and the 15th of March?", "2026-03-09 2026-03-15 All"),
            ("Was ist zwischen dem 9. und dem 15. März passiert?", "2026-03-09 2026-03-15 All"),
            ("What happened in 2025?", "2025-01-01 2025-12-31 All"),
            ("Was ist im März passiert?", "2026-03-01 2026-03-31 All"),
            ("Was ist letzte Woche passiert?", "2026-03-23 2026-03-29 All"),
            ("Was haben wir im Januar 2026 gemacht?", "2026-01-01 2026-01-31 All"),
            ("Was ist in der Woche vom 9. März passiert?", "2026-03-09 2026-03-15 All"),
            ("Que s'est-il passé la semaine du 9 mars ?", "2026-03-09 2026-03-15 All"),
            ("Cosa è successo nella settimana del 9 marzo?", "2026-03-09 2026-03-15 All"),
            ("¿Qué pasó en la semana del 9 de marzo?", "2026-03-09 2026-03-15 All"),
            ("Was wurde im März entschieden?", "2026-03-01 2026-03-31 Decisions"),
            ("Que s'est-il passé en mars 2026 ?", "2026-03-01 2026-03-31 All"),
            ("Qu'avons-nous fait la semaine dernière ?", "2026-03-23 2026-03-29 All"),
            ("Cosa è successo a marzo 2026?", "2026-03-01 2026-03-31 All"),
            ("Che cosa abbiamo fatto la settimana scorsa?", "2026-03-23 2026-03-29 All"),
            ("¿Qué pasó en marzo de 2026?", "2026-03-01 2026-03-31 All"),
            ("¿Qué hicimos la semana pasada?", "2026-03-23 2026-03-29 All"),
        ] {
            assert_eq!(asked(question).as_deref(), Some(expected), "{question}");
        }
    }

    #[test]
    fn what_names_a_thing_or_no_period_asks_for_no_roll_up() {
        for question in [
            "Which port does the gateway use?",
            "What happened to the boards in March?",
            "What did Ilsa decide about the launch in March?",
            "Why was the launch moved in the week of 9 March?",
            "What changed about the price in March?",
            "What happened?",
            "What is left to do this week?",
            "Was ist mit dem Ofen im März passiert?",
            "Que s'est-il passé avec le four en mars ?",
            "March",
            "The summary of the fair in May",
        ] {
            assert_eq!(asked(question), None, "{question}");
        }
    }

    #[test]
    fn a_period_is_answered_by_its_own_roll_up_or_by_those_of_its_parts() {
        let rolled = |question: &str| {
            let found = AskedPeriod::of(question, "2026-04-01".parse().expect("a day")).expect("a period");
            let shown = |list: Vec<Rolled>| list.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
            found.rolled().into_iter().map(shown).collect::<Vec<_>>()
        };
        assert_eq!(rolled("what happened in the week of 9 March")[0], "2026-W11");
        assert_eq!(rolled("what happened on 12 March"), [""; 0], "a day is told by its day, and not by its week");
        assert_eq!(rolled("what happened in March"), ["2026-03", "", "2026-W10 2026-W11 2026-W12 2026-W13"]);
        assert_eq!(rolled("what happened from 2 to 15 March"), ["", "", "2026-W10 2026-W11"]);
        let of_year = rolled("what happened in 2025");
        assert!(of_year[0] == "2025" && of_year[1].starts_with("2025-01 2025-02"), "{of_year:?}");
    }
}
