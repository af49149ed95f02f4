//! How something changed, for a question that asks for it: from the timelines of the pages that were found, and from what
//! was found itself. Writes nothing.
//!
//! Which change is meant, [`choose`] decides by the words of the question; where none is sure to be, the question is answered
//! as any other. Every statement is handed over with its day and cited where it was said.

use ken_core::answer::{Answer, Citable, Citation, Consulted, Sentence};
use ken_core::context::{Statement, courses};
use ken_core::frame::heading;
use ken_core::ground::stems;
use ken_core::index::Catalog;
use ken_core::orders::order;
use ken_core::timeline::{AskedHistory, Choice, Course, CourseSaid, CourseStep, Wanted, choose};
use ken_core::{Date, Slug, Tokens, VaultPath};

use crate::blame::trace::Tracer;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::outcome::{Proof, SaidRow, TimelineOutcome};
use crate::search::look::Looked;
use crate::trusted::TrustOfPages;

/// Pages whose timelines are read for a question.
const PAGES_MAX: usize = 8;
/// The length of units, in tokens of a budget: as for an answer.
const UNIT_TOKENS: Tokens = Tokens(4_000);
/// Statements that are told of a course whose values stand in one line.
const TOLD_MAX: usize = 4;

/// What a question about a history is answered with.
pub(crate) enum Then {
    /// What is wanted, and what changed, with the steps that answer.
    Changed(Wanted, Vec<(Course, Vec<usize>)>),
    /// It asks for what held on a day that a change names.
    On(Date),
}

impl Engine {
    /// Returns what a question about a history is answered with; nothing for any other, and where it is not sure which
    /// change is meant.
    pub(crate) fn course_asked(&self, question: &str, catalog: &dyn Catalog) -> Result<Option<Then>, Failure> {
        // Of another day, what came later is not known or not asked for.
        let Some(asked) = AskedHistory::of(question).filter(|_| !self.is_of_then()) else { return Ok(None) };
        self.look((question, catalog), (UNIT_TOKENS, false), |looked| {
            let mut all = self.courses_of_pages(&looked, catalog)?;
            all.extend(courses(looked.found, |path| self.layout().only_grows(path)));
            // What gives orders to its reader is no statement.
            all.retain(|course| {
                course.steps.iter().flat_map(|step| &step.said).all(|said| order(&said.text).is_none())
            });
            Ok(match choose(looked.close, &asked, &all) {
                None => None,
                Some(Choice::Day(day)) => Some(Then::On(day)),
                Some(Choice::Courses(chosen)) => {
                    let changed = chosen.into_iter().map(|one| (all[one.course].clone(), one.steps)).collect();
                    Some(Then::Changed(asked.wanted, changed))
                }
            })
        })?
    }

    /// The courses that the pages among what was found know of their subjects, those of the best page first.
    fn courses_of_pages(&self, looked: &Looked<'_, '_>, catalog: &dyn Catalog) -> Result<Vec<Course>, Failure> {
        let mut found: Vec<(f32, Slug)> = Vec::new();
        for (one, said) in looked.found.iter().zip(looked.said).filter(|(one, _)| one.is_compiled) {
            let score = said.iter().map(|said| said.score).fold(0.0, f32::max);
            let subject = self.subject_of(&one.path, catalog);
            let changed = || one.text.contains("~~ until ");
            found.extend(subject.filter(|_| score > 0.0 && changed()).map(|slug| (score, slug)));
        }
        found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut slugs: Vec<Slug> = Vec::new();
        for (_, slug) in found {
            if !slugs.contains(&slug) {
                slugs.push(slug);
            }
        }
        slugs.truncate(PAGES_MAX);
        if slugs.is_empty() {
            return Ok(Vec::new());
        }
        let mut tracer = Tracer::new(self)?;
        let mut out = Vec::new();
        for page_idx in slugs.iter().filter_map(|slug| catalog.find(slug)) {
            let timeline = self.timeline_of((page_idx, Vec::new()), ("", false), catalog, &mut tracer)?;
            let names = catalog.entry(page_idx).aliases;
            out.extend((0..timeline.changes.len()).filter_map(|n| course_of(&timeline, n, &names)));
        }
        Ok(out)
    }

    /// The page of the subject that a page is about.
    fn subject_of(&self, path: &VaultPath, catalog: &dyn Catalog) -> Option<Slug> {
        let slug = ken_core::page::page_slug(path);
        let main = slug.as_str().strip_suffix(ken_core::page::HISTORY).and_then(Slug::from_text);
        let main = main.filter(|main| crate::timeline::history_of(main, catalog).is_some());
        Some(main.unwrap_or(slug))
    }

    /// Returns an answer that tells of some steps of what changed, and what it cites; what is to be filed without the days
    /// that its lines do not say.
    pub(crate) fn told_course(
        &self,
        (wanted, changed): (Wanted, &[(Course, Vec<usize>)]),
        is_filed: bool,
    ) -> (Answer, Vec<Consulted>) {
        let (mut answer, mut consulted) = (Answer::default(), Vec::new());
        for (course, steps) in changed {
            let cited: Vec<Option<Citation>> =
                course.steps.iter().map(|step| self.cite(step.statement()?, &mut consulted)).collect();
            let line = course.line().filter(|_| !is_filed && cited.iter().all(Option::is_some));
            let has_line = line.is_some();
            if let Some(line) = line {
                let is_label = names_it(course) && !line.contains(&course.title);
                let text = if is_label { format!("{}: {line}", course.title) } else { line };
                let mut citations: Vec<Citation> = cited.iter().flatten().cloned().collect();
                citations.dedup();
                answer.sentences.push(Sentence { text, is_superseded: false, citations });
            }
            // Where no line says what holds now, its statement does.
            let last = course.steps.len() - 1;
            let is_told_next = |at: usize| course.is_told_next(at, wanted);
            let told = (0..=last).filter(|at| steps.contains(at) || *at == last && (!has_line || is_told_next(at - 1)));
            let told = told.filter(|at| !is_told_next(*at));
            let told: Vec<usize> = told.collect();
            let n_left_out = if has_line { told.len().saturating_sub(TOLD_MAX) } else { 0 };
            for (n, at) in told.into_iter().enumerate() {
                let step = &course.steps[at];
                let Some(said) = step.statement_for(wanted).filter(|_| !(1..=n_left_out).contains(&n)) else {
                    continue;
                };
                let Some(citation) = self.cite(said, &mut consulted) else { continue };
                let text = if is_filed { said.text.clone() } else { dated(step, said) };
                answer.sentences.push(Sentence { text, is_superseded: at < last, citations: vec![citation] });
            }
        }
        (answer, consulted)
    }

    /// The place of a statement; what it was found in is added to what was consulted.
    pub(crate) fn cite(&self, said: &CourseSaid, consulted: &mut Vec<Consulted>) -> Option<Citation> {
        let one = self.consulted(&said.path, "", said.day, &[(said.lines, 1.0)])?;
        let wanted: Vec<String> = stems(&said.text).into_iter().map(|(_, stem)| stem).collect();
        let alike = |citable: &&Citable| {
            let has = stems(&citable.text);
            wanted.iter().filter(|stem| has.iter().any(|(_, own)| own == *stem)).count()
        };
        let best = one.citables.iter().rev().max_by_key(alike)?;
        let citation = one.cite(best);
        consulted.push(one);
        Some(citation)
    }

    /// Returns the statements of what changed as passages of a context, each with its day, what does not hold said so.
    pub(crate) fn statements<'c>(&self, changed: &'c [(Course, Vec<usize>)]) -> Result<Vec<Statement>, Failure> {
        let steps_of = |(course, _): &'c (Course, Vec<usize>)| {
            let own = course.steps.iter().enumerate();
            own.filter(|(at, _)| !course.is_told_next(*at, Wanted::Course)).map(|(_, step)| step)
        };
        let told = changed.iter().flat_map(steps_of);
        let told = told.filter_map(|step| step.statement().map(|said| (said, dated(step, said))));
        let told: Vec<(&CourseSaid, String)> = told.collect();
        self.placed(&told)
    }

    /// Returns what was said as passages of a context, each in the words that are given.
    pub(crate) fn placed(&self, said: &[(&CourseSaid, String)]) -> Result<Vec<Statement>, Failure> {
        let trusted = TrustOfPages::new(self)?;
        let mut consulted = Vec::new();
        let mut statement = |(said, text): &(&CourseSaid, String)| {
            let trust = Some(trusted.of_source(&said.path));
            let cited = self.cite(said, &mut consulted)?;
            Some(Statement {
                heading: heading(&said.title, said.path.as_str(), said.day, trust),
                path: cited.path,
                lines: cited.lines,
                date: said.day,
                trust,
                text: text.clone(),
                said: said.text.clone(),
            })
        };
        Ok(said.iter().filter_map(&mut statement).collect())
    }
}

/// A statement with the days from which and until which it held, and who said it.
fn dated(step: &CourseStep, said: &CourseSaid) -> String {
    let since = step.since.or(said.day).filter(|since| step.until.is_none_or(|until| *since < until));
    let since = since.map(|since| format!("since {since}"));
    let until = step.until.map(|until| format!("until {until}"));
    // A label in front would read as one of the talk.
    let is_told = |speaker: &&String| said.is_said_by_a_person() && !said.text.starts_with(&format!("{speaker}:"));
    let speaker = said.speaker.as_ref().filter(is_told).map(|speaker| format!("said by {speaker}"));
    let held: Vec<String> = since.into_iter().chain(until).chain(speaker).collect();
    let text = said.text.trim_end_matches(['.', '!', '?', '…']);
    let end = &said.text[text.len()..];
    let held = if held.is_empty() { String::new() } else { format!(" ({})", held.join(", ")) };
    format!("{text}{held}{end}")
}

/// Whether the title of its page says what a course is about.
fn names_it(course: &Course) -> bool {
    let title: Vec<String> = stems(&course.title).into_iter().map(|(_, stem)| stem).collect();
    let says = |said: &CourseSaid| {
        let own = stems(&said.text);
        title.iter().all(|stem| own.iter().any(|(_, own)| own == stem))
    };
    !title.is_empty() && course.steps.iter().flat_map(|step| &step.said).any(says)
}

/// A change of a timeline with the places of its statements; nothing where one has none.
fn course_of(timeline: &TimelineOutcome, n: usize, names: &[String]) -> Option<Course> {
    let change = &timeline.changes[n];
    let said = |row: &SaidRow| {
        let cited = |proof: &Proof| proof.cited.as_deref().ok().cloned();
        let cited = row.proofs.iter().find_map(cited)?;
        Some(CourseSaid {
            text: row.text.clone(),
            day: row.day,
            lines: cited.place(),
            path: cited.path,
            speaker: cited.speaker.map(|speaker| speaker.who),
            title: cited.entry.map(|entry| entry.title).unwrap_or_default(),
        })
    };
    let since: Vec<Option<Date>> = change
        .steps
        .iter()
        .map(|step| step.rows.iter().find_map(|row| timeline.rows[*row].from).or(step.day))
        .collect();
    let step = |(n, step): (usize, &crate::outcome::ChangeStep)| {
        let said: Vec<CourseSaid> = step.rows.iter().filter_map(|row| said(&timeline.rows[*row])).collect();
        let until = since.get(n + 1).copied().flatten();
        (!said.is_empty()).then(|| CourseStep { since: since[n], until, values: step.values.clone(), said })
    };
    let steps = change.steps.iter().enumerate().map(step).collect::<Option<Vec<CourseStep>>>()?;
    Some(Course { title: timeline.title.clone(), names: names.to_vec(), steps, is_ended: change.is_ended })
}
