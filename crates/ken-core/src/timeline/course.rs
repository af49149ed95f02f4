//! The course that something took, and the part of it that a question asks for.
//!
//! A [`Course`] is a chain of statements with where each was said, wherever it was found: on pages, or among what was found
//! for the question. [`choose`] takes those whose statements say what the question is about, and none where that is too
//! little; which steps answer depends on what is wanted. Nothing is worded here that a statement does not say: values,
//! days, and the part of a sentence that gives the reason.

use std::sync::LazyLock;

use crate::ground::{Sort, values};
use crate::path::VaultPath;
use crate::search::Asks;
use crate::search::close::{Close, DocKind, FoundDoc};
use crate::search::unit::Unit;
use crate::span::Span;
use crate::supersede::parted;
use crate::talk::Speaker;
use crate::text::cut;
use crate::time::Date;
use crate::when::each_date;
use crate::words::{self, Weight, fold, folded_words, words};

use super::asked::{AskedHistory, Wanted};
use super::{NAMES, is_meant};
use crate::language::Wording;

/// A statement of a course, and where it was said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CourseSaid {
    /// What it says.
    pub text: String,
    /// The day on which it was said.
    pub day: Option<Date>,
    /// Where it stands.
    pub path: VaultPath,
    /// First and last line, from 1, both included.
    pub lines: (usize, usize),
    /// Who said it, where that is known.
    pub speaker: Option<String>,
    /// What it was said in is called.
    pub title: String,
}

/// What held for a time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CourseStep {
    /// The day from which it held.
    pub since: Option<Date>,
    /// The day until which it held; none at the end.
    pub until: Option<Date>,
    /// The values, as they were said; none where only the sentences say what changed.
    pub values: Vec<String>,
    /// The statements that say it, the first to be said first; at least one.
    pub said: Vec<CourseSaid>,
}

/// How something changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Course {
    /// What its page is called; nothing where it stands on none.
    pub title: String,
    /// The other names of that.
    pub names: Vec<String>,
    /// What held, one after the other; at least two.
    pub steps: Vec<CourseStep>,
    /// Whether the last step only says that it ended.
    pub is_ended: bool,
}

/// The course that a question asks for, and its steps that answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chosen {
    /// Its place among the courses.
    pub course: usize,
    /// The steps that answer, in order.
    pub steps: Vec<usize>,
}

/// What a question about a history is answered with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    /// Courses, the one that fits best first.
    Courses(Vec<Chosen>),
    /// The day before a change that the question names: what is asked for is what held then.
    Day(Date),
}

/// The share of what a question is about that a course must say, and that one of its statements must.
const SHARE_MIN: f32 = 0.65;
/// The same of a course of names of which the question has one.
const NAMED_SHARE_MIN: f32 = 0.5;
const SAID_MIN: f32 = 0.4;
/// What common words count beside others: every course has some.
const WEAK: f32 = 0.25;
/// Courses that are as good as the best within this are given beside it, so many at most.
const AS_GOOD: f32 = 0.02;
const COURSES_MAX: usize = 3;
/// Most characters of a reason.
const REASON_CHARS_MAX: usize = 120;

static WHY: LazyLock<Vec<Wording>> = LazyLock::new(|| Wording::lists(|lexicon| lexicon.questions.why));

/// Returns which courses answer a question, and with which steps; nothing where none is sure to be what it asks for.
pub fn choose(close: &mut Close<'_>, asked: &AskedHistory, courses: &[Course]) -> Option<Choice> {
    let topic = Topic::of(close, asked);
    if topic.main.iter().all(|weight| *weight == 0.0) && topic.behind.iter().all(|weight| *weight == 0.0) {
        return None;
    }
    let fits: Vec<Fit> = courses.iter().map(|course| Fit::of(close, course)).collect();
    // `What did we use before nginx?` names only what came after.
    let whole: Vec<f32> = topic.main.iter().zip(&topic.behind).map(|(main, behind)| main + behind).collect();
    let has_main = topic.main.iter().any(|weight| *weight > 0.0);
    let mut found = best(courses, &fits, &whole);
    if found.is_empty() && has_main && topic.behind.iter().any(|weight| *weight > 0.0) {
        // `What did a ticket cost before the premiere moved?`: the change is another one's.
        let change = best(courses, &fits, &topic.behind);
        let change = change.first().map(|at| (&courses[*at], &fits[*at]));
        // Of several changes of one thing the first is meant.
        let turned = |(course, fit): (&Course, &Fit)| {
            course.steps[fit.turn(&topic.behind, course, close, asked).unwrap_or(1)].since
        };
        let day = change.and_then(turned)?;
        let before = day.yesterday().ok()?;
        found = best(courses, &fits, &topic.main);
        let on_day = |at: usize| Some(Chosen { course: at, steps: vec![held_on(&courses[at], before)?] });
        let held: Vec<Chosen> = found.into_iter().take(1).filter_map(on_day).collect();
        return Some(if held.is_empty() { Choice::Day(before) } else { Choice::Courses(held) });
    }
    let first = found.first().copied()?;
    // A subject that is asked about as a whole has several.
    let beside = |at: &usize| {
        *at == first
            || asked.wanted == Wanted::Course
                && !courses[first].title.is_empty()
                && courses[*at].title == courses[first].title
    };
    found.retain(beside);
    // That it has another name now, another of these courses says, too.
    let is_told = |at: usize| {
        let (course, first) = (&courses[at], &courses[first]);
        let mut values = course.steps.iter().flat_map(|step| &step.values);
        course.is_renaming()
            && course != first
            && values.all(|value| first.steps.iter().any(|step| step.values.contains(value)))
            && (first.has_reason() || !course.has_reason())
    };
    found.retain(|at| !is_told(*at));
    let chosen = found.into_iter().filter_map(|at| {
        let (course, fit) = (&courses[at], &fits[at]);
        let turn = fit.turn(&whole, course, close, asked);
        Some(Chosen { course: at, steps: steps(asked.wanted, course, turn)? })
    });
    let chosen: Vec<Chosen> = chosen.take(COURSES_MAX).collect();
    (!chosen.is_empty()).then_some(Choice::Courses(chosen))
}

/// Which courses say what a question is about, the best first.
fn best(courses: &[Course], fits: &[Fit], weights: &[f32]) -> Vec<usize> {
    let total: f32 = weights.iter().sum();
    if total <= 0.0 {
        return Vec::new();
    }
    let share = |has: &[f32]| has.iter().zip(weights).map(|(has, weight)| has * weight).sum::<f32>() / total;
    let mut found: Vec<(f32, usize)> = Vec::new();
    for (at, fit) in fits.iter().enumerate() {
        let said = fit.said.iter().flatten().map(|has| share(has)).fold(0.0, f32::max);
        let all = share(&fit.all);
        if fit.may_answer && all >= (if fit.is_named { NAMED_SHARE_MIN } else { SHARE_MIN }) && said >= SAID_MIN {
            found.push((all, at));
        }
    }
    let most = found.iter().map(|(share, _)| *share).fold(0.0, f32::max);
    let mut best: Vec<usize> =
        found.into_iter().filter(|(share, _)| share + AS_GOOD >= most).map(|(_, at)| at).collect();
    // What has values tells more than what only ended. Then what pages know comes first, the page of what is asked about
    // before others; of what was found beside them that which tells most.
    let n_steps = |at: &usize| if courses[*at].title.is_empty() { courses[*at].steps.len() } else { usize::MAX };
    let has_values = |at: &usize| courses[*at].steps.iter().all(|step| !step.values.is_empty());
    let is_of_page = |at: &usize| share(&fits[*at].title) > 0.0;
    best.sort_by_key(|at| std::cmp::Reverse((has_values(at), n_steps(at), is_of_page(at), std::cmp::Reverse(*at))));
    best
}

/// The steps that answer, of a course of which the question names the change to one.
fn steps(wanted: Wanted, course: &Course, turn: Option<usize>) -> Option<Vec<usize>> {
    let last = course.steps.len() - 1;
    let says = |at: usize, wants: &dyn Fn(&CourseSaid) -> bool| course.steps[at].said.iter().any(wants);
    let turns = || turn.map_or_else(|| (1..=last).collect::<Vec<usize>>(), |turn| vec![turn]);
    let found: Vec<usize> = match wanted {
        Wanted::Course => (0..=last).collect(),
        Wanted::First => vec![0],
        Wanted::Before => vec![turn.unwrap_or(last) - 1],
        Wanted::Day => turns().into_iter().filter(|at| course.steps[*at].since.is_some()).collect(),
        Wanted::Person => {
            // Names in a statement say who did it where what changed is no day and no number.
            let is_of_names = |at: usize| !course.steps[at].values.iter().any(|value| has_digit(value));
            let names = |at: &usize| is_of_names(*at) && says(*at, &|said| Asks::Person.is_met(&said.text));
            let is_told = |at: &usize| says(*at, &CourseSaid::is_said_by_a_person);
            turns().into_iter().filter(|at| is_told(at) || names(at)).collect()
        }
        Wanted::Reason => turns().into_iter().filter(|at| course.steps[*at].reason().is_some()).collect(),
    };
    (!found.is_empty()).then_some(found)
}

fn has_digit(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit())
}

/// The step that held on a day.
fn held_on(course: &Course, day: Date) -> Option<usize> {
    let held =
        |step: &CourseStep| step.since.is_some_and(|since| since <= day) && step.until.is_none_or(|until| day < until);
    course.steps.iter().rposition(held)
}

/// What each word of a question counts for what it is about.
struct Topic {
    main: Vec<f32>,
    /// The same behind `before`.
    behind: Vec<f32>,
}

impl Topic {
    fn of(close: &Close<'_>, asked: &AskedHistory) -> Topic {
        let question = close.question();
        let mut topic = Topic { main: Vec::new(), behind: Vec::new() };
        for (word, weight) in question.words.iter().zip(close.weights()) {
            let is_weak = words::weight(&word.part) != Weight::Strong;
            let weight = if is_weak { WEAK * weight } else { *weight };
            let weight = if asked.is_topic(word.span) && word.tells() { weight } else { 0.0 };
            let is_behind = asked.is_behind_before(word.span);
            topic.main.push(if is_behind { 0.0 } else { weight });
            topic.behind.push(if is_behind { weight } else { 0.0 });
        }
        topic
    }
}

/// Which words of a question a course says, and each of its statements by step.
struct Fit {
    all: Vec<f32>,
    /// Per word of the question whether the title has it.
    title: Vec<f32>,
    /// Whether it is of names, and the question has one of them whole.
    is_named: bool,
    may_answer: bool,
    said: Vec<Vec<Vec<f32>>>,
}

impl Fit {
    fn of(close: &mut Close<'_>, course: &Course) -> Fit {
        let (mut text, mut units, mut at) = (String::new(), Vec::new(), Vec::new());
        for (n, step) in course.steps.iter().enumerate() {
            // Of a statement about several things only what changed is of this course.
            let other = course.steps.get(n + 1).or_else(|| course.steps.get(n.checked_sub(1)?));
            let other = other.and_then(CourseStep::statement).map_or("", |said| said.text.as_str());
            for said in &step.said {
                let meant = parted(&said.text, other).map_or(said.text.as_str(), |parted| parted.meant);
                let span = Span::new(text.len(), text.len() + meant.len());
                text.push_str(meant);
                text.push('\n');
                units.push(Unit { span, sentences: vec![span], section: 0, is_event: false, speaker: String::new() });
                at.push((n, meant, said.day));
            }
        }
        let title = std::iter::once(course.title.as_str()).chain(course.names.iter().map(String::as_str));
        let title = title.collect::<Vec<&str>>().join("\n");
        let doc = FoundDoc {
            text: &text,
            title: &title,
            date: None,
            units: units.iter().map(|unit| (unit, "")).collect(),
            kind: DocKind::Other,
        };
        let heard = close.look(&[doc]).pop().unwrap_or_default();
        let asked: Vec<String> = close.question().words.iter().map(|word| fold(&word.text)).collect();
        let called: Vec<String> = words(&title).iter().map(|word| words::stem(&fold(word.of(&title)))).collect();
        let in_title = asked.iter().map(|word| f32::from(u8::from(called.contains(&words::stem(word))))).collect();
        let said = vec![Vec::new(); course.steps.len()];
        let question: Vec<String> = folded_words(&close.question().text);
        let is_whole = |name: &&str| {
            let name = folded_words(name);
            !name.is_empty() && question.windows(name.len()).any(|run| run == name)
        };
        let is_named = course.is_renaming() && title.lines().any(|name| is_whole(&name));
        let may_answer = course.may_answer(close.asks());
        let mut fit = Fit { all: vec![0.0; asked.len()], said, title: in_title, is_named, may_answer };
        for ((step, said, day), heard) in at.into_iter().zip(heard) {
            let sorts: Vec<Sort> = values(said, day).into_iter().map(|value| value.sort).collect();
            let is_said = |word: &String| is_meant(word, &sorts) || course.is_renaming() && NAMES.has(word);
            let has = heard.has.iter().zip(&asked).map(|(has, word)| if is_said(word) { 1.0 } else { *has });
            let has: Vec<f32> = has.collect();
            fit.all.iter_mut().zip(&has).for_each(|(all, has)| *all = all.max(*has));
            fit.said[step].push(has);
        }
        fit
    }

    /// The step to which the question names the change: by its value, else by the words that no step before it has.
    fn turn(&self, weights: &[f32], course: &Course, close: &Close<'_>, asked: &AskedHistory) -> Option<usize> {
        let question = &close.question().text;
        let is_before = weights
            .iter()
            .zip(&close.question().words)
            .any(|(weight, word)| *weight > 0.0 && asked.is_behind_before(word.span));
        let said = words(question).into_iter().filter(|word| !is_before || asked.is_behind_before(*word));
        let said: Vec<String> = said.map(|word| fold(word.of(question))).collect();
        let is_named = |value: &String| {
            let value: Vec<String> = folded_words(value);
            !value.is_empty() && said.windows(value.len()).any(|run| run == value)
        };
        let named = (1..course.steps.len()).rev().find(|at| course.steps[*at].values.iter().any(is_named));
        named.or_else(|| {
            let mut known = self.said[0].iter().fold(vec![0.0_f32; self.all.len()], |known, has| joined(known, has));
            let mut best: Option<(f32, usize)> = None;
            for at in 1..course.steps.len() {
                let own = self.said[at].iter().fold(vec![0.0_f32; self.all.len()], |own, has| joined(own, has));
                let new: f32 = (0..own.len()).map(|n| weights[n] * (own[n] - known[n]).max(0.0)).sum();
                if new > best.map_or(0.0, |(most, _)| most) {
                    best = Some((new, at));
                }
                known = joined(known, &own);
            }
            best.map(|(_, at)| at)
        })
    }
}

fn joined(a: Vec<f32>, b: &[f32]) -> Vec<f32> {
    a.into_iter().zip(b).map(|(a, b)| a.max(*b)).collect()
}

impl Course {
    /// Whether its values are the names of one thing.
    fn is_renaming(&self) -> bool {
        let is_name = |value: &String| *value == self.title || self.names.contains(value);
        self.steps.iter().all(|step| !step.values.is_empty() && step.values.iter().all(is_name))
    }

    /// Returns whether the statement of a step tells of the next one, too: `Rye is now called Wheat`.
    pub fn is_told_next(&self, at: usize, wanted: Wanted) -> bool {
        let next = self.steps.get(at + 1);
        next.is_some_and(|next| self.steps[at].statement_for(wanted) == next.statement_for(wanted))
    }

    fn has_reason(&self) -> bool {
        self.steps.iter().any(|step| step.reason().is_some())
    }

    /// Whether a value of it may be what is asked for: a question for an amount asks for no day.
    fn may_answer(&self, asks: Option<Asks>) -> bool {
        let mut values = self.steps.iter().flat_map(|step| &step.values).peekable();
        let is_amount =
            |value: &String| each_date(value, Date::constant(2000, 1, 1)).is_empty() && Asks::Amount.is_met(value);
        asks != Some(Asks::Amount) || values.peek().is_none() || values.any(is_amount)
    }

    /// Returns the values one after the other, each with the day from which it held, whoever said so, and why; nothing where
    /// a step has none.
    ///
    /// ```text
    /// 89 euros (since 2026-03-02) -> 95 euros (since 2026-04-11, Ines, because paper is dear)
    /// ```
    pub fn line(&self) -> Option<String> {
        let n_valued = self.steps.len() - usize::from(self.is_ended);
        let has_value = |(at, step): (usize, &CourseStep)| at >= n_valued || !step.values.is_empty();
        if n_valued == 0 || !self.steps.iter().enumerate().all(has_value) {
            return None;
        }
        let shown = |(at, step): (usize, &CourseStep)| {
            let value = if at >= n_valued { "ended".to_owned() } else { step.values.join(", ") };
            let since = step.since.map(|day| if at >= n_valued { day.to_string() } else { format!("since {day}") });
            let told: Vec<String> = since
                .into_iter()
                .chain(step.named_speaker().filter(|_| at > 0))
                .chain(step.reason().filter(|_| at > 0))
                .collect();
            if told.is_empty() { value } else { format!("{value} ({})", told.join(", ")) }
        };
        Some(self.steps.iter().enumerate().map(shown).collect::<Vec<String>>().join(" -> "))
    }
}

impl CourseStep {
    /// Returns why it took the place of what was before, in the words of the statement that says so.
    pub fn reason(&self) -> Option<String> {
        self.said.iter().find_map(|said| reason(&said.text))
    }

    /// Returns the statement that answers what is wanted: who did it, a person says.
    pub fn statement_for(&self, wanted: Wanted) -> Option<&CourseSaid> {
        let by_person = || self.said.iter().find(|said| said.is_said_by_a_person());
        if wanted == Wanted::Person { by_person().or(self.statement()) } else { self.statement() }
    }

    /// Returns the statement that stands for it: of those of the first day the one that gives a reason, then what a person
    /// says, then the first. What was said later says it again, or denies it.
    pub fn statement(&self) -> Option<&CourseSaid> {
        let day = self.said.first()?.day;
        let first = || self.said.iter().filter(move |said| said.day == day);
        let by_reason = first().find(|said| reason(&said.text).is_some());
        by_reason.or_else(|| first().find(|said| said.is_said_by_a_person())).or(self.said.first())
    }

    /// Who said it, if they have a name of their own.
    fn named_speaker(&self) -> Option<String> {
        let said = self.statement()?;
        said.speaker.clone().filter(|speaker| said.is_said_by_a_person() && speaker != Speaker::User.as_str())
    }
}

impl CourseSaid {
    /// Returns whether a person said it, and no agent.
    pub fn is_said_by_a_person(&self) -> bool {
        let of_agent = [Speaker::Agent.as_str(), Speaker::Summary.as_str()];
        self.speaker.as_deref().is_some_and(|speaker| !of_agent.contains(&speaker))
    }
}

/// The part of a statement that gives a reason: `because paper is dear`.
fn reason(text: &str) -> Option<String> {
    let spans = words(text);
    let folded: Vec<String> = spans.iter().map(|word| fold(word.of(text))).collect();
    let said: Vec<&str> = folded.iter().map(String::as_str).collect();
    let at = (1..said.len()).find(|at| WHY.iter().any(|phrase| phrase.length(&said[*at..]).is_some_and(|n| n > 0)))?;
    let rest = &text[spans[at].start..];
    let end = [". ", "; ", "? ", "! ", ") "].iter().filter_map(|end| rest.find(end)).min().unwrap_or(rest.len());
    let reason = rest[..end].trim_end_matches(['.', '!', '?', '…', ' ', ')']);
    (words(reason).len() > 1).then(|| cut(reason, REASON_CHARS_MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_for_an_amount_is_not_answered_with_days() {
        let may_answer = |values: [&str; 2]| {
            let step =
                |value: &str| CourseStep { since: None, until: None, values: vec![value.to_owned()], said: Vec::new() };
            let steps = values.map(step).into();
            Course { title: String::new(), names: Vec::new(), steps, is_ended: false }.may_answer(Some(Asks::Amount))
        };
        assert!(may_answer(["12 ovens", "14 ovens"]));
        assert!(may_answer(["twelve ovens", "fourteen ovens"]));
        assert!(!may_answer(["18 March", "20 March"]));
    }
}
