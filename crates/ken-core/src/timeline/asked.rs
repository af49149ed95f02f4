//! Whether a question asks how something came to be what it is, and for what of that.
//!
//! Reads the words of the question alone: which change is meant, the statements show. What says only that a history is
//! asked for (`how did … change`, `originally`) says nothing of what it is about, so that its words can be left out there.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use crate::language::{LEXICONS, Questions, Wording};
use crate::search::Asks;
use crate::span::Span;
use crate::words::{fold, words};

/// What of a history a question asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// All of it.
    Course,
    /// What was first.
    First,
    /// What was before something else, or before what holds now.
    Before,
    /// The day of a change.
    Day,
    /// Who made it.
    Person,
    /// Why it was made.
    Reason,
}

/// A question about how something changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedHistory {
    /// What it asks for.
    pub wanted: Wanted,
    /// The words that say only that.
    wording: Vec<Span>,
    /// What stands behind `before`.
    before: Option<Span>,
}

/// The wording of one language.
struct Lists {
    course: Vec<Wording>,
    first: Vec<Wording>,
    before: Vec<Wording>,
    formerly: Vec<Wording>,
    turns: Vec<Wording>,
    since_when: Vec<Wording>,
    was: Vec<Wording>,
    askers: Vec<Wording>,
    why: Vec<Wording>,
}

/// The wording of every language that has some: each by itself, since `was` and `stand` are words of several.
static LISTS: LazyLock<Vec<Lists>> = LazyLock::new(|| {
    let of = |questions: &Questions| Lists {
        course: Wording::list(questions.course),
        first: Wording::list(questions.first_of_all),
        before: Wording::list(questions.before),
        formerly: Wording::list(questions.formerly),
        turns: Wording::list(questions.turns),
        since_when: Wording::list(questions.since_when),
        was: Wording::list(questions.was),
        askers: Wording::list(questions.askers),
        why: why(questions).collect(),
    };
    LEXICONS.iter().map(|lexicon| of(&lexicon.questions)).filter(|lists| !lists.turns.is_empty()).collect()
});

/// The words by which a language asks for a reason.
fn why(questions: &Questions) -> impl Iterator<Item = Wording> + '_ {
    let all = questions.openings.iter().chain(questions.first);
    all.filter(|(_, asks)| *asks == Asks::Reason).map(|(opening, _)| Wording::of(opening, fold))
}

/// The words of a question, with where they stand.
struct Words {
    spans: Vec<Span>,
    folded: Vec<String>,
}

impl Words {
    /// The words that one of some phrases names: the earliest, of those at one place the longest.
    fn find(&self, phrases: &[Wording]) -> Option<Vec<usize>> {
        let said: Vec<&str> = self.folded.iter().map(String::as_str).collect();
        (0..said.len()).find_map(|at| {
            let found = phrases.iter().filter_map(|phrase| phrase.named(&said[at..]));
            let longest = found.filter(|named| !named.is_empty()).max_by_key(|named| named.last().copied())?;
            Some(longest.into_iter().map(|n| at + n).collect())
        })
    }

    /// The words that any of some phrases names, wherever it stands.
    fn all(&self, phrases: &[Wording]) -> BTreeSet<usize> {
        Wording::places(phrases, &self.folded.iter().map(String::as_str).collect::<Vec<_>>())
    }
}

impl AskedHistory {
    /// Returns what a question asks of a history, if it does.
    ///
    /// ```
    /// # use ken_core::timeline::{AskedHistory, Wanted};
    /// let wanted = |question: &str| AskedHistory::of(question).map(|asked| asked.wanted);
    /// assert_eq!(wanted("How did the price of the kit change?"), Some(Wanted::Course));
    /// assert_eq!(wanted("What did we use before nginx?"), Some(Wanted::Before));
    /// assert_eq!(wanted("When did we switch to nginx?"), Some(Wanted::Day));
    /// assert_eq!(wanted("Wer hat den Preis geändert?"), Some(Wanted::Person));
    /// assert_eq!(wanted("What does the kit cost?"), None);
    /// ```
    pub fn of(question: &str) -> Option<AskedHistory> {
        let spans = words(question);
        let folded = spans.iter().map(|word| fold(word.of(question))).collect();
        let words = Words { spans, folded };
        let asks = Asks::of(question);
        LISTS.iter().find_map(|lists| AskedHistory::in_language(lists, &words, asks))
    }

    fn in_language(lists: &Lists, words: &Words, asks: Option<Asks>) -> Option<AskedHistory> {
        let turn = words.find(&lists.turns);
        // `Was` opens German questions.
        let was = words.all(&lists.was);
        let is_past = was.iter().any(|at| *at > 0);
        let of_turn = |asked: Asks| asks == Some(asked) && turn.is_some() && is_past;
        let behind = |found: &Vec<usize>| {
            let (next, last) = (words.spans.get(found.last()? + 1)?, words.spans.last()?);
            Some(Span::new(next.start, last.end))
        };
        let mut before = None;
        let (wanted, found) = if of_turn(Asks::Person) {
            (Wanted::Person, turn)
        } else if of_turn(Asks::Reason) {
            (Wanted::Reason, turn)
        } else if let Some(found) = words.find(&lists.since_when) {
            (Wanted::Day, Some(found))
        } else if of_turn(Asks::When) {
            (Wanted::Day, turn)
        } else if let Some(found) = words.find(&lists.course) {
            (Wanted::Course, Some(found))
        } else if let Some(found) = words.find(&lists.first) {
            (Wanted::First, Some(found))
        } else if let Some(found) = words.find(&lists.before).filter(|_| is_past) {
            before = behind(&found);
            (Wanted::Before, Some(found))
        } else if let Some(found) = words.find(&lists.formerly).filter(|_| is_past) {
            (Wanted::Before, Some(found))
        } else {
            return None;
        };
        // Who asks for more than one thing gets all: `… before, and why was it changed?`
        let whys = words.all(&lists.why);
        let is_also_why = wanted != Wanted::Reason && whys.iter().any(|at| *at > 0);
        let wanted = if is_also_why { Wanted::Course } else { wanted };
        // Of forms only those that are listed whole say nothing: `*ed` ends the verb of what is asked for.
        let is_whole = |at: &usize| lists.was.iter().any(|form| form.first().contains(&words.folded[*at]));
        let all = [&lists.turns, &lists.course, &lists.first, &lists.askers];
        let wording =
            all.into_iter().flat_map(|list| words.all(list)).chain(whys).chain(was.into_iter().filter(is_whole));
        let wording = wording.chain(found.into_iter().flatten());
        let wording = wording.map(|at| words.spans[at]).collect();
        Some(AskedHistory { wanted, wording, before })
    }

    /// Returns whether a word of the question says what it is about.
    pub fn is_topic(&self, word: Span) -> bool {
        !self.wording.iter().any(|known| known.start < word.end && word.start < known.end)
    }

    /// Returns whether a word of the question stands behind `before`: it names the change, and perhaps not what is asked for.
    pub fn is_behind_before(&self, word: Span) -> bool {
        self.before.is_some_and(|before| before.start <= word.start && word.end <= before.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a question asks for, and its words that say what it is about.
    fn shown(question: &str) -> String {
        let Some(asked) = AskedHistory::of(question) else { return "nothing".to_owned() };
        let topic = words(question).into_iter().filter(|word| asked.is_topic(*word));
        let topic = topic.filter(|word| !crate::words::is_stop(&fold(word.of(question))));
        let mark = |word: Span| if asked.is_behind_before(word) { "<" } else { "" };
        let topic: Vec<String> = topic.map(|word| format!("{}{}", mark(word), word.of(question))).collect();
        format!("{:?}: {}", asked.wanted, topic.join(" "))
    }

    #[track_caller]
    fn check(question: &str, expected: &str) {
        assert_eq!(shown(question), expected, "{question}");
    }

    #[test]
    fn a_question_about_a_change_says_what_it_asks_for() {
        check("How did the price of the kit change?", "Course: price kit");
        check("How has the launch date evolved over time?", "Course: launch date");
        check("What was the launch date originally?", "First: launch date");
        check("At first, where did we bake?", "First: bake");
        check("What was the upload limit before?", "Before: upload limit");
        check("What did we use before the move to Caddy?", "Before: use <Caddy");
        check("When did we switch from nginx to Caddy?", "Day: nginx Caddy");
        check("Who decided on Caddy, and when?", "Person: Caddy");
        check("Why did we replace nginx?", "Reason: nginx");
        check("What was the price previously?", "Before: price");
        check("What was the oven called before, and why was it renamed?", "Course: oven called");
        check("When and why did we switch to Caddy?", "Course: Caddy");
        check("What happened to the price of the kit?", "Course: price kit");
        check("How did the number of ovens go up and down?", "Course: number ovens");
        check("Which sizes has the big oven had?", "Course: sizes big oven");
        check("Which opening days have there been?", "Course: opening days");
        check("How often was the fair postponed?", "Course: fair");
        check("What did we switch the till from, and to what?", "Course: till");
        check("What has become of the old mill?", "Course: old mill");
        check("Which name did the oven have earlier?", "Before: name oven");
        check("Why was the fair put off twice?", "Reason: fair");
    }

    #[test]
    fn other_languages_ask_for_it_too() {
        check("Was ist mit dem Preis passiert?", "Course: Preis");
        check("Wie hat sich der Preis geändert?", "Course: Preis");
        check("Wie oft wurde das Fest verschoben?", "Course: Fest");
        check("Combien de fois la fête a-t-elle été reportée ?", "Course: fête");
        check("Quante volte è stata spostata la festa?", "Course: festa");
        check("¿Cuántas veces se ha aplazado la fiesta?", "Course: fiesta");
        check("Was war der Preis ursprünglich?", "First: Preis");
        check("Was haben wir vor Caddy benutzt?", "Before: <Caddy <benutzt");
        check("Comment le prix a-t-il évolué ?", "Course: prix");
        check("Quel était le prix au début ?", "First: prix");
        check("Pourquoi avons-nous changé de serveur ?", "Reason: serveur");
        check("Come è cambiato il prezzo?", "Course: prezzo");
        check("Quando siamo passati a Caddy?", "Day: Caddy");
        check("¿Cómo ha cambiado el precio?", "Course: precio");
        check("¿Quién decidió el precio?", "Person: precio");
    }

    #[test]
    fn a_question_about_today_is_none() {
        for question in [
            "What does the kit cost?",
            "What is the first step of a release?",
            "What must be done before the launch?",
            "How do I change the password?",
            "Who decides about the budget?",
            "When is the launch?",
            "Why is the oven cold?",
            "Was müssen wir vor dem Start tun?",
        ] {
            check(question, "nothing");
        }
    }
}
