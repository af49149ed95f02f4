//! How what was found for a question changed: the chains that its statements of journal and talk make.
//!
//! A page knows what was replaced of its own subject; what stands on no page has its history all the same.

use super::material::Material;
use super::outdated::{Sentence, sentences, statements};
use crate::path::VaultPath;
use crate::search::cut::BETWEEN;
use crate::supersede::{Evidence, Renamed, Replaced, renames, replaced};
use crate::talk::Speaker;
use crate::timeline::{By, Chain, Course, CourseSaid, CourseStep, Told, chains};

/// Returns the courses that statements of the material show; `is_said` as for [`super::note_outdated`].
pub fn courses(found: &[Material<'_>], is_said: impl Fn(&VaultPath) -> bool) -> Vec<Course> {
    let mut all = sentences(found, is_said, false);
    all.retain(|one| one.is_said);
    let fate = replaced(&statements(&all));
    let by = |at: usize| fate[at].map(|fate| By { at: fate.by, day: all[fate.by].day });
    let told: Vec<Told<'_>> =
        all.iter().enumerate().map(|(at, one)| Told { text: &one.text, day: one.day, by: by(at) }).collect();
    let changed = chains(&told).into_iter().map(|chain| course(&chain, (found, &all, &fate)));
    changed.chain(all.iter().flat_map(|one| renamings(one, found))).collect()
}

/// The courses of the names that a sentence changes: the one statement tells both.
fn renamings(one: &Sentence, found: &[Material<'_>]) -> Vec<Course> {
    let course = |Renamed { old, new, .. }: Renamed| {
        let step = |name: &str, since, until| CourseStep {
            since,
            until,
            values: vec![name.to_owned()],
            said: vec![said(one, found)],
        };
        let steps = vec![step(&old, None, one.day), step(&new, one.day, None)];
        Course { title: new, names: vec![old], steps, is_ended: false }
    };
    renames(&one.text).into_iter().filter(|one| one.is_written_so).map(course).collect()
}

/// A sentence with where it was said.
fn said(one: &Sentence, found: &[Material<'_>]) -> CourseSaid {
    let (material, placed) = (&found[one.at.0], &found[one.at.0].units[one.at.1]);
    let turn = placed.heading.rsplit(BETWEEN).find_map(Speaker::of_heading);
    let speaker = Some(placed.unit.speaker.clone()).filter(|speaker| !speaker.is_empty());
    CourseSaid {
        text: one.text.clone(),
        day: one.day,
        path: material.path.clone(),
        lines: placed.lines,
        speaker: speaker.or_else(|| turn.map(|turn| turn.as_str().to_owned())),
        title: material.title.clone(),
    }
}

type World<'w> = (&'w [Material<'w>], &'w [Sentence], &'w [Option<Replaced>]);

fn course(chain: &Chain, (found, all, fate): World<'_>) -> Course {
    // A later statement may name the day from which it holds.
    let named = |n: usize| {
        let before = chain.steps[..n].iter().flat_map(|step| &step.told);
        let fates = before.filter_map(|at| fate[*at]);
        fates.filter(|fate| chain.steps[n].told.contains(&fate.by)).find_map(|fate| fate.from)
    };
    let since = |n: usize| named(n).or(chain.steps[n].day);
    let step = |n: usize| {
        let step = &chain.steps[n];
        let said = |at: &usize| said(&all[*at], found);
        let until = (n + 1 < chain.steps.len()).then(|| since(n + 1)).flatten();
        CourseStep { since: since(n), until, values: step.values.clone(), said: step.told.iter().map(said).collect() }
    };
    let is_end = |at: &usize| fate[*at].is_some_and(|fate| fate.evidence == Evidence::End);
    let before_last = chain.steps.iter().rev().nth(1);
    Course {
        title: String::new(),
        names: Vec::new(),
        steps: (0..chain.steps.len()).map(step).collect(),
        is_ended: before_last.is_some_and(|step| step.told.iter().any(is_end)),
    }
}
