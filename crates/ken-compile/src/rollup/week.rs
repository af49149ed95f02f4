//! The lines of a week: the statements of its days by kind, and what became of them.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use ken_core::Date;
use ken_core::action;
use ken_core::claim::{ClaimState, SourceRef};
use ken_core::orders::order;
use ken_core::page::outline::{DETAILS, FOUND, past_text};
use ken_core::parallel::long_in_parallel;
use ken_core::redact::is_covered;
use ken_core::supersede::takes_back;
use ken_core::text::cut;
use ken_core::words::{Weight, fold, folded_words, weight, words};

use super::line::{Line, Section};
use super::{Day, Lost};
use crate::compose::{Statement, claim_text, section_of, unlinked};
use crate::drafter::{Drafter, without_leaning};
use crate::fault::is_fault;
use crate::fingerprint::fingerprint;
use crate::ledger::{Closed, PassageId};
use crate::passage::{self, Passage, PassageKind};
use crate::score::{is_change_note, is_outcome, score};
use crate::select::shown_of_work;
use crate::standing::SHOWN_MIN;
use crate::telling::{Telling, is_told, numbers};
use crate::work;

/// What lines are worth by what they are; what a statement tells is added.
const CHANGE: f32 = 7.0;
const LESSON: f32 = 6.5;
const FAULT: f32 = 5.0;
const TASK: f32 = 6.0;
const DECISION: f32 = 6.0;
const OUTCOME: f32 = 2.5;
/// What held once was news when it was said.
const SUPERSEDED: f32 = 1.5;
/// What is added for a number, and for each time that something was said again, up to three.
const NUMBER: f32 = 1.0;
const CONFIRMED: f32 = 0.4;
const CONFIRMED_MAX: usize = 3;
/// What is taken off for a note of a change, for what cannot be read alone, and for what nobody vouches for.
const NOTE: f32 = 3.0;
const LEANING: f32 = 2.0;
const EXTERNAL: f32 = 4.0;
/// A line that says this share of what one before it says, and no other numbers, says nothing new.
const SAME_SHARE: f32 = 0.7;
/// A few words are enough to recognise what a line of a roll-up cites.
const QUOTE_CHARS_MAX: usize = 24;
/// How long what holds now is at most, in characters.
const NOW_CHARS_MAX: usize = 90;

/// What a week is made of.
pub(crate) struct Inside<'w> {
    pub(super) days: &'w [Day<'w>],
    pub(super) fates: &'w BTreeMap<u32, Vec<Lost>>,
    pub(super) won: &'w BTreeMap<u32, Vec<(PassageId, PassageId)>>,
}

/// A statement with what is known of it.
struct Told {
    statement: Statement,
    /// Every place that says it in the same words.
    cited: Vec<SourceRef>,
    /// What took its place.
    fate: Option<Lost>,
    /// Whether it took the place of something.
    wins: bool,
    /// The heading of the piece of work in which it was said, empty where that has no title; `None` of talk.
    work: Option<String>,
    /// Whether that has a page of its own, which tells what else was said in it.
    has_page: bool,
}

/// Returns the lines of a week, in the order of time, and which statements close tasks; `before` says what was known of that.
pub(super) fn lines(inside: &Inside<'_>, drafter: &Drafter<'_>, before: Option<&Closed>) -> (Vec<Line>, Closed) {
    let told = distinct(statements(inside, drafter));
    let mut out: Vec<Line> = Vec::new();
    let mut known = Contents::default();
    let closed = closed_inside(&told, before);
    let mut done = vec![None; told.len()];
    for (task, by) in closed.pairs.iter().map(|(task, by)| (*task as usize, *by as usize)) {
        if let Some(done) = done.get_mut(task) {
            *done = Some(by);
        }
    }
    let lines = long_in_parallel(told.len(), |n| {
        line(&told[n], done[n].and_then(|by| Some(&told.get(by)?.statement)), drafter)
    });
    for (one, line) in told.iter().zip(lines) {
        let Some(line) = line else { continue };
        let said = content(&one.statement.text);
        let alike = if line.must { Vec::new() } else { known.alike(&said) };
        match alike.into_iter().find(|n| adds_nothing(&line, &out[*n])) {
            Some(n) if line.section == out[n].section && line.rank > out[n].rank && !out[n].must => out[n] = line,
            Some(_) => {}
            None => {
                known.add(said, out.len());
                out.push(line);
            }
        }
    }
    out.extend(closed_before(inside, drafter));
    (out, closed)
}

/// The statements of the days, in order.
fn statements(inside: &Inside<'_>, drafter: &Drafter<'_>) -> Vec<Told> {
    let mut out = Vec::new();
    for day in inside.days {
        let fates: BTreeMap<PassageId, Lost> =
            inside.fates.get(&day.file.id).into_iter().flatten().map(|lost| (lost.id, *lost)).collect();
        // Whoever closes a task changes nothing that was said.
        let said =
            |old: &PassageId| drafter.corpus.entry(old.file, old.entry)?.entry.passages.get(usize::from(old.nth));
        let is_said = |old: &PassageId| said(old).is_some_and(|old| old.kind != PassageKind::Action);
        let won = inside.won.get(&day.file.id).into_iter().flatten().filter(|(_, old)| is_said(old));
        let won: BTreeSet<PassageId> = won.map(|(by, _)| *by).collect();
        for entry in 0..day.file.entries.len() as u16 {
            let Some(known) = drafter.corpus.entry(day.file.id, entry) else { continue };
            let work = (!is_talk(&known.entry)).then(|| heading_of(&known.entry));
            let has_page = work.is_some() && known.entry.work.as_ref().is_some_and(|work| work.is_enough);
            let of_entry = out.len();
            for (nth, passage) in known.entry.passages.iter().enumerate() {
                if !is_told(passage.kind) || is_covered(&passage.text) || settles(passage) {
                    continue;
                }
                let id = PassageId { file: day.file.id, entry, nth: nth as u16 };
                let mut statement = drafter.statement(id, (&day.path, known), passage);
                statement.standing = known.standing[nth];
                statement.is_fault = work.is_some() && known.changes_files && is_fault(&known.entry.passages, nth);
                let cited = vec![shortly(&statement.cited)];
                let (fate, wins) = (fates.get(&id).copied(), won.contains(&id));
                out.push(Told { statement, cited, fate, wins, work: work.clone(), has_page });
            }
            if work.is_some() {
                let of_work = out.split_off(of_entry);
                out.extend(told_of_work(of_work, &known.entry, known.changes_files));
            }
        }
    }
    out
}

/// The title of the piece of work that an entry tells of, as it stands in a heading; nothing where it has none, or where that
/// gives orders to its reader.
fn heading_of(entry: &passage::Entry) -> String {
    let title = entry.work.as_ref().map(|work| work.title.as_str()).filter(|title| order(title).is_none());
    title.map(unlinked).unwrap_or_default()
}

/// What a piece of work tells: what its own page would show, what took the place of something, and what no longer holds.
fn told_of_work(said: Vec<Told>, entry: &passage::Entry, changes_files: bool) -> Vec<Told> {
    let title = entry.work.as_ref().map_or(&entry.title, |work| &work.title);
    let (past, holds): (Vec<Told>, Vec<Told>) = said.into_iter().partition(|one| one.fate.is_some());
    let statements = holds.iter().map(|one| one.statement.clone()).collect();
    let shown = shown_of_work(title, changes_files, &without_leaning(statements, true));
    let holds = holds.into_iter().filter(|one| one.wins || shown.contains(&one.statement.id));
    let mut out: Vec<Told> = past.into_iter().chain(holds).collect();
    out.sort_by_key(|one| one.statement.id);
    out
}

/// Whether an entry tells of nothing but talk: no tool was used in it, nor on the day before in what it goes on with.
fn is_talk(entry: &passage::Entry) -> bool {
    let has_events = || entry.passages.iter().any(|passage| passage.kind == PassageKind::Event);
    !entry.title.ends_with(work::CONTINUED) && !has_events()
}

/// Whether a passage settles a dispute, or tells what a document said: it says again what is said elsewhere.
fn settles(passage: &Passage) -> bool {
    passage.told.as_ref().is_some_and(|told| told.is_record())
}

/// The statements, those of the same words as one with every place that says so.
fn distinct(all: Vec<Told>) -> Vec<Told> {
    let mut at: BTreeMap<String, usize> = BTreeMap::new();
    let mut out: Vec<Told> = Vec::new();
    for one in all {
        match at.entry(folded_words(&one.statement.text).join(" ")) {
            Entry::Occupied(n) => {
                let known: &mut Told = &mut out[*n.get()];
                known
                    .cited
                    .extend(one.cited.into_iter().filter(|cited| !known.cited.contains(cited)).collect::<Vec<_>>());
                // Of the same words the last to be said decides whether they hold.
                (known.fate, known.wins) = (one.fate, known.wins || one.wins);
                if one.statement.kind < known.statement.kind {
                    known.statement.kind = one.statement.kind;
                }
            }
            Entry::Vacant(place) => {
                place.insert(out.len());
                out.push(one);
            }
        }
    }
    out
}

/// Per statement that is a task, the one of the same week that says that it was done. It depends on nothing that becomes of
/// them later, so that what was known of the same statements holds.
fn closed_inside(told: &[Told], before: Option<&Closed>) -> Closed {
    let said = told.iter().map(|one| &one.statement);
    let said = said.map(|one| (one.id.file, one.id.entry, &one.text, one.kind == PassageKind::Action));
    let of = fingerprint(&said.collect::<Vec<_>>());
    if let Some(before) = before.filter(|before| before.of == of) {
        return before.clone();
    }
    let mut entries: BTreeMap<(u32, u16), usize> = BTreeMap::new();
    let said = told.iter().map(|Told { statement, .. }| {
        let next = entries.len();
        let entry = *entries.entry((statement.id.file, statement.id.entry)).or_insert(next);
        (
            entry,
            action::Statement {
                text: &statement.text,
                is_marked: statement.kind == PassageKind::Action,
                is_listed: false,
            },
        )
    });
    let done = action::closed(&said.collect::<Vec<_>>());
    let is_task = |n: usize| told[n].statement.kind == PassageKind::Action;
    let pairs = done.into_iter().enumerate().filter(|(n, _)| is_task(*n));
    Closed { of, pairs: pairs.filter_map(|(n, by)| Some((n as u32, by? as u32))).collect() }
}

/// A statement as a line; nothing of one that tells nobody anything. `done` says that a task was done.
fn line(one: &Told, done: Option<&Statement>, drafter: &Drafter<'_>) -> Option<Line> {
    let statement = &one.statement;
    let text = &statement.text;
    let is_decision = statement.kind == PassageKind::Decision;
    let telling = statement.telling.unwrap_or_else(|| Telling::of(text, statement.said_on));
    // What a reader wrote down can be read by itself.
    let is_read = statement.told.as_ref().is_some_and(|told| !told.is_unverified && !told.is_connection);
    let stands = telling.stands || is_read && statement.kind != PassageKind::Statement;
    // A decision that names something stands there as it was made, anything else for a number; nothing does that gives
    // orders to its reader.
    let is_worth_it = if is_decision { telling.names_something } else { telling.tells_number && one.work.is_none() };
    if !(stands || is_worth_it) || telling.orders {
        return None;
    }
    let fate = one.fate.and_then(|lost| Some((lost.new, drafter.passage(lost.new.by)?, drafter.passage(lost.today)?)));
    let mut cited: Vec<SourceRef> = one.cited.clone();
    let is_task_now = matches!(&fate, Some((.., today)) if today.kind == PassageKind::Action);
    let section = match (statement.kind, &fate) {
        (PassageKind::Action, Some(_)) if !is_task_now => Section::Done,
        (PassageKind::Action, None) if done.is_some() => Section::Done,
        (_, Some(_)) => Section::Superseded,
        (_, None) if one.work.is_some() && !one.wins => of_work(statement),
        (PassageKind::Decision, None) => Section::Decisions,
        (PassageKind::Lesson, None) => Section::Lessons,
        (PassageKind::Action, None) => Section::Open,
        (_, None) if one.wins => Section::Changes,
        (_, None) => Section::Outcomes,
    };
    if section == Section::Outcomes && one.has_page {
        return None;
    }
    let shown = claim_text(statement, &|_| None);
    let text = match fate {
        None => match done.filter(|_| section == Section::Done) {
            None => shown,
            Some(by) => {
                cited.push(shortly(&by.cited));
                past(&shown, section, by.date, "")
            }
        },
        Some((new, by, today)) => {
            let until = new.from.or(by.date);
            cited.extend([&by, &today].map(|one| shortly(&one.cited)));
            past(&shown, section, until, &claim_text(&today, &|_| None))
        }
    };
    // What tells little by itself stands there for its number, or not at all.
    let is_weak = section == Section::Outcomes && !is_read && statement.standing < SHOWN_MIN;
    if is_weak && !telling.tells_number {
        return None;
    }
    let rank = rank(one, section, stands);
    // What a reader found left to do is what a week hands on.
    let must = is_decision || is_read && section == Section::Open;
    let work = one.work.clone().unwrap_or_default();
    Some(Line { section, work, text, cited, must, leans: is_weak || !stands && !is_decision, rank })
}

/// Where a statement of a piece of work stands: as on the page of that.
fn of_work(statement: &Statement) -> Section {
    match section_of(statement) {
        FOUND => Section::Faults,
        DETAILS => Section::Outcomes,
        heading => Section::of(heading).unwrap_or(Section::Outcomes),
    }
}

/// A statement that no longer holds, as it stands on pages.
fn past(shown: &str, section: Section, until: Option<Date>, now: &str) -> String {
    let state = match section {
        Section::Done => ClaimState::Done { on: until },
        _ => {
            let now = Some(now).filter(|now| !takes_back(now));
            ClaimState::Superseded { until, now: now.map(|now| cut(now.trim_end_matches('.'), NOW_CHARS_MAX)) }
        }
    };
    past_text(shown, &state)
}

fn rank(one: &Told, section: Section, stands: bool) -> f32 {
    let text = &one.statement.text;
    let base = match section {
        _ if one.wins => CHANGE,
        Section::Changes => CHANGE,
        Section::Decisions => DECISION,
        Section::Lessons => LESSON,
        Section::Faults => FAULT,
        Section::Open | Section::Done => TASK,
        Section::Outcomes if is_outcome(text) => OUTCOME,
        Section::Superseded => SUPERSEDED,
        Section::Outcomes => 0.0,
    };
    let part = |is: bool, amount: f32| if is { amount } else { 0.0 };
    let n_again = (one.cited.len() - 1).min(CONFIRMED_MAX) as f32;
    base + score(text, false) + part(numbers(text).next().is_some(), NUMBER) + CONFIRMED * n_again
        - part(is_change_note(text), NOTE)
        - part(!stands, LEANING)
        - part(!one.statement.is_believed(), EXTERNAL)
}

/// The tasks of earlier weeks that the week closed.
fn closed_before(inside: &Inside<'_>, drafter: &Drafter<'_>) -> Vec<Line> {
    let own: BTreeSet<u32> = inside.days.iter().map(|day| day.file.id).collect();
    let mut seen = BTreeSet::new();
    let won = inside.days.iter().filter_map(|day| inside.won.get(&day.file.id)).flatten();
    let line = |(by, old): &(PassageId, PassageId)| {
        let (task, done) = (drafter.passage(*old)?, drafter.passage(*by)?);
        if task.kind != PassageKind::Action || !seen.insert(*old) || order(&task.text).is_some() {
            return None;
        }
        let text = past(&claim_text(&task, &|_| None), Section::Done, done.date, "");
        let cited = vec![shortly(&task.cited), shortly(&done.cited)];
        Some(Line { section: Section::Done, work: String::new(), text, cited, must: false, leans: false, rank: TASK })
    };
    won.filter(|(_, old)| !own.contains(&old.file)).filter_map(line).collect()
}

/// A citation with few of the words that it cites.
fn shortly(cited: &SourceRef) -> SourceRef {
    SourceRef { quote: cut(&cited.quote, QUOTE_CHARS_MAX), ..cited.clone() }
}

/// The words of a text that tell something.
fn content(text: &str) -> Vec<String> {
    let all = words(text).into_iter().map(|word| word.of(text)).filter(|word| weight(word) != Weight::Stop);
    let mut all: Vec<String> = all.map(fold).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// What the lines so far tell: by each word the lines that have it. Most lines share no word with most others.
#[derive(Default)]
struct Contents {
    words: BTreeMap<String, Vec<usize>>,
    n_lines: usize,
}

impl Contents {
    fn add(&mut self, said: Vec<String>, line: usize) {
        said.into_iter().for_each(|word| self.words.entry(word).or_default().push(line));
        self.n_lines = self.n_lines.max(line + 1);
    }

    /// The lines that say most of what is said, in their order.
    fn alike(&self, said: &[String]) -> Vec<usize> {
        let mut n_common = vec![0_usize; self.n_lines];
        said.iter().filter_map(|word| self.words.get(word)).flatten().for_each(|n| n_common[*n] += 1);
        let enough = SAME_SHARE * said.len() as f32;
        let is_alike = |(_, n): &(usize, usize)| *n > 0 && *n as f32 >= enough;
        n_common.into_iter().enumerate().filter(is_alike).map(|(line, _)| line).collect()
    }
}

/// Whether a line names no number that one before it does not name, and both hold or neither.
fn adds_nothing(line: &Line, before: &Line) -> bool {
    let is_past = |line: &Line| matches!(line.section, Section::Done | Section::Superseded);
    let known: BTreeSet<&str> = numbers(&before.text).collect();
    is_past(line) == is_past(before) && numbers(&line.text).all(|number| known.contains(number))
}
