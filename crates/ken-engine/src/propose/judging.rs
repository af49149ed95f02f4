//! Lint with judgement: asks whether claims can hold together, and whether sources and code still say them.
//!
//! Which claims are worth a question is decided without a model. What was judged once is not asked again,
//! so that each run goes on where the one before ended, and what got no usable reply comes last. Findings
//! come from recorded replies only: the same with a model and without, and only while the very words that
//! were judged still stand. Nothing is changed by it; what one of them calls for is done when somebody names it.

mod apply;
mod code;
mod findings;
mod standing;
mod support;

use std::collections::{BTreeMap, BTreeSet};

use ken_core::{Diagnostic, Snapshot, clash};

use super::asked::AskedOutcome;
use super::check::Rejected;
use super::kinds::Kind;
use super::pack::packs;
use super::record::{Cited, Replies};
use super::run::{Author, Run};
use super::task::{Input, Task};
use crate::compile::EstimateOutcome;
use crate::engine::Engine;
use crate::failure::Failure;
pub use apply::AppliedOutcome;
use standing::Standing;

/// Whose judgement a lint takes.
#[derive(Clone, Copy)]
pub enum Judges<'a> {
    /// What was judged before.
    Before,
    /// The same, and how much was not.
    Counted,
    /// The same, and a model is asked for the rest.
    Model(&'a Author),
}

/// What became of the candidates of one rule.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// How many there are.
    pub n_candidates: usize,
    /// Those that were judged in this run.
    pub n_now: usize,
    /// Those that were judged before.
    pub n_before: usize,
    /// Those that nobody judged yet.
    pub n_left: usize,
}

/// What came of judging.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct JudgedOutcome {
    /// Pairs of claims that may not hold together.
    pub pairs: Tally,
    /// Claims whose source may not say them.
    pub claims: Tally,
    /// Claims of which the code that they name may say otherwise.
    pub code: Tally,
    /// What asking came to, if a model was asked.
    pub asked: Option<AskedOutcome>,
    /// Why nothing could be asked.
    pub failure: Option<Failure>,
}

/// Questions of one run; the next run goes on with the rest.
const ASKED_MAX: usize = 50;

impl Engine {
    /// Returns what judges found, with what came of asking them; asks within the caps of the author. A model
    /// that fails takes nothing from what was found.
    pub(crate) fn judge(
        &self,
        snapshot: &Snapshot,
        found: &[Diagnostic],
        judges: Judges<'_>,
    ) -> Result<(Vec<Diagnostic>, Option<JudgedOutcome>), Failure> {
        let replies = self.replies()?;
        let has = |kind: Kind| replies.inputs(kind).next().is_some();
        let has_any = [Kind::Judge, Kind::Support, Kind::Code].into_iter().any(has);
        if matches!(judges, Judges::Before) && !has_any {
            return Ok((Vec::new(), None));
        }
        let standing = Standing::of(snapshot);
        let is_of_code = !matches!(judges, Judges::Before) || has(Kind::Code);
        let asked = Questions {
            supports: support::questions(snapshot, &standing, found),
            code: if is_of_code { self.code_questions(snapshot, &standing) } else { Vec::new() },
        };
        let (replies, outcome) = match judges {
            Judges::Before => (replies, None),
            Judges::Counted => {
                let tasks = self.judge_tasks(&standing, &asked, &replies)?;
                (replies, Some(tasks.outcome()))
            }
            Judges::Model(author) => {
                let tasks = self.judge_tasks(&standing, &asked, &replies)?;
                let mut outcome = tasks.outcome();
                if let Err(failure) = self.ask_judges(tasks, author, &mut outcome) {
                    outcome.failure = Some(failure);
                }
                (self.replies()?, Some(outcome))
            }
        };
        let mut out = self.contradictions(snapshot, &standing, &replies);
        out.extend(self.unsupported(snapshot, &standing, &asked.supports, &replies));
        out.extend(self.otherwise_in_code(snapshot, &standing, &asked.code, &replies));
        Ok((out, outcome))
    }

    /// Returns what a lint with a model would ask and what it can cost at most; asks nothing.
    ///
    /// # Errors
    /// When the vault cannot be read, or the model has no price.
    pub fn estimate_lint(&self, author: &Author) -> Result<EstimateOutcome, Failure> {
        let Some(model) = author.model.as_deref() else { return Ok(EstimateOutcome::default()) };
        let run = Run::new(self, author, model)?;
        let snapshot = self.snapshot()?;
        let found = ken_core::lint::lint(&snapshot, self.clock.today());
        let standing = Standing::of(&snapshot);
        let supports = support::questions(&snapshot, &standing, &found);
        let asked = Questions { supports, code: self.code_questions(&snapshot, &standing) };
        let mut out = EstimateOutcome { model: model.name().to_owned(), ..EstimateOutcome::default() };
        let tasks = self.judge_tasks(&standing, &asked, &self.replies()?)?;
        packs(by_kind(tasks.open)).iter().for_each(|pack| out.add(pack, &run));
        Ok(out)
    }

    fn ask_judges(&self, tasks: Tasks, author: &Author, outcome: &mut JudgedOutcome) -> Result<(), Failure> {
        let Some(model) = author.model.as_deref() else { return Ok(()) };
        let _guard = self.lock_asking()?;
        let mut run = Run::new(self, author, model)?;
        let packs = packs(by_kind(tasks.open));
        let asked = run.ask_all(&packs);
        outcome.asked = Some(run.outcome.clone());
        asked?;
        let (replies, failed) = (self.replies()?, &run.outcome.failed);
        for task in packs.iter().flatten() {
            if replies.has(task.kind(), &task.digest) {
                let tally = match task.kind() {
                    Kind::Judge => &mut outcome.pairs,
                    Kind::Code => &mut outcome.code,
                    _ => &mut outcome.claims,
                };
                tally.n_now += 1;
                tally.n_left -= 1;
            } else if run.has_failed(task) {
                // What gets no usable reply must not stand first in every run.
                let reason = failed.iter().find(|(label, _)| *label == task.label).map(|(_, reason)| reason.clone());
                self.keep_rejected(task, &[unusable(reason.unwrap_or_default())])?;
            }
        }
        if let Some(asked) = &mut outcome.asked {
            let all = [outcome.pairs, outcome.claims, outcome.code];
            asked.n_recorded = all.iter().map(|tally| tally.n_before).sum();
            let n_left: usize = all.iter().map(|tally| tally.n_left).sum();
            asked.n_left = n_left.saturating_sub(asked.failed.len());
        }
        Ok(())
    }

    /// Returns everything that nobody judged, in the order in which it is asked.
    fn judge_tasks(&self, standing: &Standing, asked: &Questions, replies: &Replies) -> Result<Tasks, Failure> {
        let failed: BTreeSet<String> = self.store.kept_names("rejected")?.into_iter().collect();
        let has_failed = |task: &Task| failed.contains(&format!("{}-{}.json", task.kind().as_str(), task.digest));
        let pairs = clash::candidates(&standing.said());
        let (n_pairs, n_claims, n_code) = (pairs.len(), asked.supports.len(), asked.code.len());
        let pairs = pairs.into_iter().map(|pair| pair_task(standing, pair.of));
        let pairs: Vec<Task> = pairs.filter(|task| !replies.has(Kind::Judge, &task.digest)).collect();
        let claims = asked.supports.iter().map(|question| support_task(standing, question));
        let claims: Vec<Task> = claims.filter(|task| !replies.has(Kind::Support, &task.digest)).collect();
        let code = asked.code.iter().map(|question| code_task(standing, question));
        let mut code: Vec<Task> = code.filter(|task| !replies.has(Kind::Code, &task.digest)).collect();
        let tally = |n_candidates, n_left| Tally { n_candidates, n_now: 0, n_before: n_candidates - n_left, n_left };
        let (of_pairs, of_claims) = (tally(n_pairs, pairs.len()), tally(n_claims, claims.len()));
        let of_code = tally(n_code, code.len());
        code.sort_by_key(&has_failed);
        code.truncate(code::ASKED_MAX);
        // One of each in turn, so that many of one rule leave room for the others.
        let in_turn = pairs.into_iter().enumerate().chain(claims.into_iter().enumerate());
        let in_turn = in_turn.chain(code.into_iter().enumerate());
        let mut open: Vec<(usize, Task)> = in_turn.collect();
        open.sort_by_key(|(turn, task)| (has_failed(task), *turn));
        let open = open.into_iter().map(|(_, task)| task).collect();
        Ok(Tasks { open, pairs: of_pairs, claims: of_claims, code: of_code })
    }
}

/// What may be asked besides pairs of claims.
struct Questions {
    supports: Vec<support::Question>,
    code: Vec<code::Question>,
}

/// What is to be asked, and how much of all candidates that is.
struct Tasks {
    open: Vec<Task>,
    pairs: Tally,
    claims: Tally,
    code: Tally,
}

impl Tasks {
    fn outcome(&self) -> JudgedOutcome {
        JudgedOutcome { pairs: self.pairs, claims: self.claims, code: self.code, ..JudgedOutcome::default() }
    }
}

/// The questions of one run, those of a kind together: only they can share a call.
fn by_kind(mut open: Vec<Task>) -> Vec<Task> {
    open.truncate(ASKED_MAX);
    open.sort_by_key(Task::kind);
    open
}

fn unusable(reason: String) -> Rejected {
    Rejected { part: "reply".to_owned(), reason, text: String::new(), cited: String::new() }
}

/// Returns the task of judging two claims. They stand in an order of their words alone, so that neither the
/// day nor the page decides which is the first.
fn pair_task(standing: &Standing, (a, b): (usize, usize)) -> Task {
    let (a, b) = (&standing.claims[a], &standing.claims[b]);
    let (first, second) = if a.name <= b.name { (a, b) } else { (b, a) };
    let text = format!("First claim{}\n\nSecond claim{}\n", first.told(), second.told());
    let label = format!("{} and {} (contradiction?)", first.slug, second.slug);
    let mut task = Task::new(Input::Judge(text), clash::pair_name(&a.name, &b.name), label);
    task.shown.claims = [first, second].map(|claim| (claim.name.clone(), vec![claim.title.clone()])).into();
    task.read = first.cited.iter().chain(&second.cited).map(place).collect();
    task
}

fn support_task(standing: &Standing, question: &support::Question) -> Task {
    let claim = &standing.all[question.claim];
    let text = format!("Claim{}\n\nThe text:\n\n{}\n", claim.told(), question.text);
    let label = format!("{} (supported?)", claim.slug);
    let mut task = Task::new(Input::Support(text), question.name.clone(), label);
    task.shown.claims = BTreeMap::from([(claim.name.clone(), vec![claim.title.clone()])]);
    task.read = claim.cited.iter().map(place).collect();
    task
}

fn code_task(standing: &Standing, question: &code::Question) -> Task {
    let claim = &standing.all[question.claim];
    let text = format!("Claim{}\n\nThe code:\n\n{}\n", claim.told(), question.text);
    let label = format!("{} (as {} says?)", claim.slug, question.path);
    let mut task = Task::new(Input::Code(text), question.name.clone(), label);
    task.shown.claims = BTreeMap::from([(claim.name.clone(), vec![claim.title.clone()])]);
    task.read = claim.cited.iter().map(place).collect();
    task
}

fn place(cited: &ken_core::claim::SourceRef) -> Cited {
    Cited { path: cited.path.to_string(), lines: cited.lines }
}
